"""Who is dealt in at the next deal, and where button and blinds are.

With blinds and a dead button three places move round the table: the big blind goes to the next player at every deal; the small blind goes
where the big blind was, and the button where the small blind was, whether anybody still sits there or not. So nobody skips a blind.

Source: laws D-11, TL-7 to TL-12; AT-21.
"""

from collections.abc import Iterable

from msgspec import Struct

from bot.engine.options import Ante, Button
from bot.table.next_game import button_stands
from bot.table.settings import SEATS_MAX
from bot.table.state import Positions, Replay, Seat, SeatState, Table


class Placement(Struct, frozen=True, gc=False):
    """The next deal: who gets cards, and where it stands. Seat numbers throughout.

    Attributes:
        dealt: clockwise from the button's left.
        button: may be an empty seat.
        small, big: 0 in games without blinds; `small` may be an empty seat.
        small_posted: the seat that posts the small blind, 0 when it is dead.
        posting: those who post what they missed, or owe as newcomers (TL-10, TL-11).
        bought: the seat that bought the button, 0 for none.
        buyers: seats that could have bought it: newcomers and returning players between button and small blind.
        stands: the button stands still, and the blinds keep their places (VC-28).
    """

    dealt: tuple[int, ...]
    button: int
    small: int = 0
    big: int = 0
    small_posted: int = 0
    posting: tuple[int, ...] = ()
    bought: int = 0
    buyers: tuple[int, ...] = ()
    stands: bool = False

    @property
    def positions(self) -> Positions:
        return Positions(self.button, self.small, self.big)


def clockwise(seats: Iterable[int], start: int) -> tuple[int, ...]:
    """Order seat numbers clockwise from the left of `start`; `start` itself, if among them, comes last."""
    return tuple(sorted(seats, key=lambda seat: (seat - start - 1) % SEATS_MAX))


def between(start: int, end: int, seat: int) -> bool:
    """Tell whether a seat lies strictly between two others, clockwise."""
    return 0 < (seat - start) % SEATS_MAX < (end - start) % SEATS_MAX


def placement(table: Table) -> Placement | None:
    """Place the next deal, or the one after the running hand as things stand. None when too few play or the first button is not drawn."""
    players = table.players
    if len(players) < 2:
        return None
    if table.replay is not None:
        return _replayed(table.replay, tuple(seat.number for seat in players))
    last, numbers = table.positions, tuple(seat.number for seat in players)
    if last is None:
        if table.drawn_button not in numbers:
            return None
        if button_stands(table):
            return Placement(clockwise(numbers, table.drawn_button), table.drawn_button, stands=True)
        return _from_button(table, players, table.drawn_button)
    if button_stands(table):
        return _standing(table, players, last)
    if table.settings.options.ante is not Ante.BLINDS or not last.big:
        return _from_button(table, players, clockwise(numbers, last.dealer)[0])
    return _with_blinds(table, players, last)


def _replayed(replay: Replay, numbers: tuple[int, ...]) -> Placement:
    """Everything is where it was at the deal that did not count; who has left since is not dealt in (TL-29).

    The big blind must be posted: where its poster is gone, the next player has it. Two who are left play as two do (TL-8).
    """
    button = replay.button
    if not replay.big:
        return Placement(clockwise(numbers, button), button, stands=replay.stands)
    big = replay.big if replay.big in numbers else clockwise(numbers, replay.big)[0]
    if len(numbers) == 2:
        return _heads_up(numbers, big=big)
    return Placement(
        clockwise(numbers, button),
        button,
        replay.small,
        big,
        small_posted=replay.small if replay.small in numbers else 0,
        posting=tuple(seat for seat in replay.posting if seat in numbers and seat != big),
        bought=replay.bought if replay.bought in numbers else 0,
    )


def _with_blinds(table: Table, players: tuple[Seat, ...], last: Positions) -> Placement:
    settled = tuple(seat.number for seat in players if seat.settled)
    stopped = len(settled) < 2
    if stopped:
        settled = tuple(seat.number for seat in players)  # the game had stopped, and begins again: nobody waits
    if table.settings.options.button is Button.MOVING:
        return _moving_button(players, settled, last, stopped=stopped)
    return _dead_button(players, settled, last, stopped=stopped)


def _standing(table: Table, players: tuple[Seat, ...], last: Positions) -> Placement:
    """The button is advanced once, as for the next deal with blinds, and then stands still, if need be on an empty seat (VC-28)."""
    numbers = tuple(seat.number for seat in players)
    button = table.frozen
    if not button:
        button = _with_blinds(table, players, last).button if last.big else clockwise(numbers, last.button)[0]
    return Placement(clockwise(numbers, button), button, stands=True)


def _from_button(table: Table, players: tuple[Seat, ...], button: int) -> Placement:
    """The first deal of a game, or one without blinds: everybody plays, the deal is where the button is.

    But who owes blinds of before still waits for the big one or posts them: seats drawn anew cancel no debt (P-10, TL-12).
    """
    numbers = tuple(seat.number for seat in players)
    dealt = clockwise(numbers, button)
    if table.settings.options.ante is not Ante.BLINDS:
        return Placement(dealt, button)
    owing = owing_at_the_start(table)
    if not owing:
        if len(dealt) == 2:
            return _heads_up(dealt, big=dealt[0])
        return Placement(dealt, button, dealt[0], dealt[1], small_posted=dealt[0])
    free = tuple(number for number in dealt if number not in owing)
    small = free[0]
    big = clockwise(numbers, small)[0]
    posting = tuple(
        seat.number
        for seat in players
        if seat.number in owing
        and seat.number != big
        and _comes_in(seat)
        and (seat.number == button or between(big, button, seat.number))
    )
    inside = {*free, big, *posting}
    if len(inside) == 2:
        return _heads_up(inside, big=clockwise(inside, button)[0])
    return Placement(clockwise(inside, button), button, small, big, small, posting)


def owing_at_the_start(table: Table) -> frozenset[int]:
    """The seats that owe blinds at the first deal with blinds after seats were drawn anew, or after the game broke up (TL-12).

    Nobody, where fewer than two are left who owe none: the game had stopped, and begins again. A newcomer to games without blinds is new
    to nothing when the first blinds are posted.
    """
    players = table.players
    owing = frozenset(seat.number for seat in players if _owes(seat) and (table.positions is None or not seat.fresh))
    return owing if len(players) - len(owing) >= 2 else frozenset()


def _heads_up(two: Iterable[int], *, big: int) -> Placement:
    """Two players: the button posts the small blind and is dealt last (TL-8)."""
    (button,) = (seat for seat in two if seat != big)
    return Placement((big, button), button, button, big, small_posted=button)


def _newcomer_in_heads_up(players: tuple[Seat, ...]) -> int:
    """The one of two players who has not been in the game or owes a blind; he takes the big blind. 0 if there is no such one."""
    unsettled = [seat.number for seat in players if not seat.settled]
    return unsettled[0] if len(players) == 2 and len(unsettled) == 1 else 0


def _dead_button(players: tuple[Seat, ...], settled: tuple[int, ...], last: Positions, *, stopped: bool) -> Placement:
    numbers = tuple(seat.number for seat in players)
    big = (stopped and _newcomer_in_heads_up(players)) or clockwise(numbers, last.big)[0]
    small = last.big
    button = last.small if between(big, small, last.small) else 0
    if (
        not button
    ):  # coming from heads-up the small blind's place is no place for the button: the player before the new one has it
        behind = [seat for seat in clockwise(settled, big) if between(big, small, seat)]
        button = behind[-1] if behind else 0
    inside = {*settled, big}
    bought = 0
    buyers: tuple[int, ...] = ()
    if button:
        inside |= {seat.number for seat in players if _comes_in(seat) and between(big, button, seat.number)}
        buyers = tuple(s.number for s in players if s.number not in inside and between(button, small, s.number))
        buying = {seat.number for seat in players if seat.state is SeatState.BUYING}
        bought = next((seat for seat in reversed(clockwise(buyers, button)) if seat in buying), 0)
    if bought:
        inside.add(bought)
        button = bought
    if len(inside) == 2:
        found = _heads_up(inside, big=big)
        return Placement(found.dealt, found.button, found.small, big, found.small_posted, buyers=buyers)
    posting = (
        ()
        if stopped
        else tuple(s.number for s in players if s.number in inside and _owes(s) and s.number not in (big, bought))
    )
    return Placement(
        clockwise(inside, button), button, small, big, small if small in inside else 0, posting, bought, buyers
    )


def _moving_button(players: tuple[Seat, ...], settled: tuple[int, ...], last: Positions, *, stopped: bool) -> Placement:
    """The button goes to the next player, the blinds to the next two; who comes in new does so at the big blind or after it."""
    numbers = tuple(seat.number for seat in players)
    button = clockwise(settled, last.button)[0]
    small = clockwise(settled, button)[0]
    big = clockwise(numbers, small)[0]
    inside = {*settled, big}
    inside |= {seat.number for seat in players if _comes_in(seat) and between(big, button, seat.number)}
    if len(inside) == 2:
        return _heads_up(inside, big=(stopped and _newcomer_in_heads_up(players)) or clockwise(inside, last.big)[0])
    posting = () if stopped else tuple(s.number for s in players if s.number in inside and _owes(s) and s.number != big)
    return Placement(clockwise(inside, button), button, small, big, small, posting)


def _comes_in(seat: Seat) -> bool:
    """He may be dealt in before his big blind: he posts what he owes, or owes nothing (TL-10, TL-11)."""
    return seat.state is not SeatState.WAITING


def _owes(seat: Seat) -> bool:
    return seat.owes_small or seat.owes_big
