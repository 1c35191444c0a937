"""Work out who is dealt into the next hand, and where the button and the blinds are.

With blinds and a dead button, three positions move round the table. The big blind goes to the next player in every hand. The small blind
goes where the big blind was, and the button where the small blind was, whether or not anybody still sits there. So nobody skips a blind.

Laws: D-11, TL-7 to TL-12; AT-21.
"""

from collections.abc import Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.options.values import Ante, ButtonRule
from bot.engine.units import NO_SEAT_NUMBER, SeatNumber
from bot.table.mixed.next_game import button_stands_still
from bot.table.settings import SEATS_MAX
from bot.table.state import Positions, ReplaySetup, Seat, SeatStatus, Table


class HandPositions(Struct, frozen=True, gc=False):
    """The seats of the next hand: who gets cards, who posts, where the button is. All are seat numbers, 0 for none.

    Attributes:
        dealt_seats: clockwise from the button's left.
        button_seat: it can be an empty seat (TL-9).
        small_blind_seat, big_blind_seat: 0 in games without blinds. The small blind can be an empty seat.
        small_blind_poster_seat: the seat that posts the small blind; 0 when the small blind is dead.
        posting_seats: those who post what they missed, or owe as newcomers (TL-10, TL-11).
        button_buyer_seat: the seat that buys the button.
        possible_button_buyer_seats: seats that could buy it: newcomers and returning players between button and small blind.
        button_stands_still: the button and the blinds keep their seats (VC-28).
    """

    dealt_seats: tuple[SeatNumber, ...]
    button_seat: SeatNumber
    small_blind_seat: SeatNumber = NO_SEAT_NUMBER
    big_blind_seat: SeatNumber = NO_SEAT_NUMBER
    small_blind_poster_seat: SeatNumber = NO_SEAT_NUMBER
    posting_seats: tuple[SeatNumber, ...] = ()
    button_buyer_seat: SeatNumber = NO_SEAT_NUMBER
    possible_button_buyer_seats: tuple[SeatNumber, ...] = ()
    button_stands_still: bool = False


def clockwise(seats: Iterable[SeatNumber], start: SeatNumber) -> tuple[SeatNumber, ...]:
    """Order seat numbers clockwise from the left of `start`. If `start` is among them, it comes last."""
    return tuple(sorted(seats, key=lambda seat: (seat - start - 1) % SEATS_MAX))


def is_between(start: SeatNumber, end: SeatNumber, seat: SeatNumber) -> bool:
    """Tell whether a seat lies strictly between two others, going clockwise from `start` to `end`."""
    return 0 < (seat - start) % SEATS_MAX < (end - start) % SEATS_MAX


def next_hand_positions(table: Table) -> HandPositions | None:
    """Return the positions of the next hand as things stand, even while a hand is running.

    None when too few players are in, or when the first button is not drawn yet.
    """
    players = table.seats_for_next_hand
    if len(players) < 2:
        return None
    numbers = tuple(seat.number for seat in players)
    if table.replay is not None:
        return _replay_positions(table.replay, numbers)
    last = table.positions
    if last is None:
        button = table.drawn_button_seat
        if button not in numbers:
            return None
        if button_stands_still(table):
            return HandPositions(clockwise(numbers, button), button, button_stands_still=True)
        return _positions_from_button(table, players, button)
    if button_stands_still(table):
        return _positions_with_standing_button(table, players, last)
    if table.settings.options.ante is not Ante.BLINDS or not last.big_blind_seat:
        return _positions_from_button(table, players, clockwise(numbers, last.dealer_seat)[0])
    return _positions_with_blinds(table, players, last)


def _replay_positions(replay: ReplaySetup, numbers: tuple[SeatNumber, ...]) -> HandPositions:
    """Everything is where it was in the hand that did not count. A player who has left since is not dealt in (TL-29).

    The big blind must be posted: if its poster has left, the next player posts it. Two remaining players play heads-up (TL-8).
    """
    button, big = replay.button_seat, replay.big_blind_seat
    if not big:
        return HandPositions(clockwise(numbers, button), button, button_stands_still=replay.button_stands_still)
    if big not in numbers:
        big = clockwise(numbers, big)[0]
    if len(numbers) == 2:
        return _heads_up_positions(numbers, big)
    small, buyer = replay.small_blind_seat, replay.button_buyer_seat
    return HandPositions(
        clockwise(numbers, button),
        button,
        small,
        big,
        small_blind_poster_seat=small if small in numbers else NO_SEAT_NUMBER,
        posting_seats=tuple(seat for seat in replay.posting_seats if seat in numbers and seat != big),
        button_buyer_seat=buyer if buyer in numbers else NO_SEAT_NUMBER,
    )


def _positions_with_standing_button(table: Table, players: tuple[Seat, ...], last: Positions) -> HandPositions:
    """The button moves once and then stands still for as long as it has to. Everyone plays (VC-28)."""
    numbers = tuple(seat.number for seat in players)
    if table.frozen_button:
        button = table.frozen_button
    elif last.big_blind_seat:
        button = _positions_with_blinds(table, players, last).button_seat
    else:
        button = clockwise(numbers, last.button_seat)[0]
    return HandPositions(clockwise(numbers, button), button, button_stands_still=True)


def _positions_from_button(table: Table, players: tuple[Seat, ...], button: SeatNumber) -> HandPositions:
    """The first hand of a game, or a hand without blinds: everyone plays, and the button is known.

    A player who owes blinds from before still waits for the big blind or posts: drawing new seats cancels no debt (P-10, TL-12).
    """
    numbers = tuple(seat.number for seat in players)
    dealt = clockwise(numbers, button)
    if table.settings.options.ante is not Ante.BLINDS:
        return HandPositions(dealt, button)
    owing = seats_owing_at_start(table)
    if not owing:
        if len(dealt) == 2:
            return _heads_up_positions(dealt, big=dealt[0])
        return HandPositions(dealt, button, dealt[0], dealt[1], small_blind_poster_seat=dealt[0])
    owing_nothing = tuple(number for number in dealt if number not in owing)
    small = owing_nothing[0]
    big = clockwise(numbers, small)[0]
    posting = tuple(
        seat.number
        for seat in players
        if seat.number in owing
        and _is_ready_to_post(seat)
        and (seat.number == button or is_between(big, button, seat.number))
        and seat.number != big
    )
    entering = {*owing_nothing, big, *posting}
    if len(entering) == 2:
        return _heads_up_positions(entering, big=clockwise(entering, button)[0])
    return HandPositions(clockwise(entering, button), button, small, big, small, posting)


def seats_owing_at_start(table: Table) -> frozenset[SeatNumber]:
    """Return the seats that owe blinds in the first hand with blinds after seats were drawn anew or the game broke up (TL-12).

    If fewer than two players owe nothing, the game had stopped and begins again: nobody owes. A player who was a newcomer in games without
    blinds is not new when the first blinds are posted.
    """
    players = table.seats_for_next_hand
    owing = frozenset(
        seat.number for seat in players if seat.owes_blinds and (table.positions is None or not seat.newcomer)
    )
    return owing if len(players) - len(owing) >= 2 else frozenset()


def _heads_up_positions(two_seats: Iterable[SeatNumber], big: SeatNumber) -> HandPositions:
    """Two players: the button posts the small blind and is dealt last (TL-8)."""
    (button,) = (seat for seat in two_seats if seat != big)
    return HandPositions((big, button), button, button, big, small_blind_poster_seat=button)


def _positions_with_blinds(table: Table, players: tuple[Seat, ...], last: Positions) -> HandPositions:
    settled = tuple(seat.number for seat in players if seat.is_settled)
    stopped = len(settled) < 2
    if stopped:
        settled = tuple(seat.number for seat in players)  # the game had stopped and begins again: nobody waits
    if table.settings.options.button is ButtonRule.MOVING:
        return _moving_button_positions(players, settled, last, stopped=stopped)
    return _dead_button_positions(players, settled, last, stopped=stopped)


def _dead_button_positions(
    players: tuple[Seat, ...], settled: tuple[SeatNumber, ...], last: Positions, *, stopped: bool
) -> HandPositions:
    """The big blind moves to the next player, the small blind and the button to the seats where the blinds were (TL-9).

    `settled` are the players who need not wait; `stopped` says that the game begins again, so that nobody posts what they missed.
    """
    numbers = tuple(seat.number for seat in players)
    big = (stopped and _newcomer_in_heads_up(players)) or clockwise(numbers, last.big_blind_seat)[0]
    small = last.big_blind_seat
    button = _dead_button_seat(settled, last, big)
    dealt = {*settled, big, *_entering_between(players, big, button)}
    buyers = _possible_button_buyers(players, dealt, button, small)
    buyer = _nearest_button_buyer(players, buyers, button)
    if buyer:
        dealt.add(buyer)
        button = buyer
    if len(dealt) == 2:
        return replace(_heads_up_positions(dealt, big), possible_button_buyer_seats=buyers)
    return HandPositions(
        clockwise(dealt, button),
        button,
        small,
        big,
        small_blind_poster_seat=small if small in dealt else NO_SEAT_NUMBER,
        posting_seats=() if stopped else _owing_seats(players, dealt - {big, buyer}),
        button_buyer_seat=buyer,
        possible_button_buyer_seats=buyers,
    )


def _dead_button_seat(settled: tuple[SeatNumber, ...], last: Positions, big: SeatNumber) -> SeatNumber:
    """The button goes where the small blind was, even if that seat is empty (TL-9).

    After heads-up play that seat can lie on the wrong side of the blinds. Then the last settled player before the small blind has the
    button, or nobody (0) if there is no such player.
    """
    small = last.big_blind_seat
    if is_between(big, small, last.small_blind_seat):
        return last.small_blind_seat
    before_small = [seat for seat in clockwise(settled, big) if is_between(big, small, seat)]
    return before_small[-1] if before_small else NO_SEAT_NUMBER


def _entering_between(players: tuple[Seat, ...], big: SeatNumber, button: SeatNumber) -> tuple[SeatNumber, ...]:
    """Players who come in after the big blind and before the button, because they do not wait for the big blind (TL-10, TL-11)."""
    if not button:
        return ()
    return tuple(s.number for s in players if _is_ready_to_post(s) and is_between(big, button, s.number))


def _possible_button_buyers(
    players: tuple[Seat, ...], dealt: Collection[SeatNumber], button: SeatNumber, small: SeatNumber
) -> tuple[SeatNumber, ...]:
    """Return players between the button and the small blind who are not dealt in: they can only come in by buying the button (TL-11)."""
    if not button:
        return ()
    return tuple(s.number for s in players if s.number not in dealt and is_between(button, small, s.number))


def _nearest_button_buyer(players: tuple[Seat, ...], buyers: tuple[SeatNumber, ...], button: SeatNumber) -> SeatNumber:
    """Return the buyer nearest to the small blind, among those who want to buy the button; 0 for nobody."""
    buying = {seat.number for seat in players if seat.status is SeatStatus.BUYING_BUTTON}
    return next((seat for seat in reversed(clockwise(buyers, button)) if seat in buying), NO_SEAT_NUMBER)


def _moving_button_positions(
    players: tuple[Seat, ...], settled: tuple[SeatNumber, ...], last: Positions, *, stopped: bool
) -> HandPositions:
    """The button goes to the next player, the blinds to the next two. A newcomer comes in at the big blind or after it."""
    numbers = tuple(seat.number for seat in players)
    button = clockwise(settled, last.button_seat)[0]
    small = clockwise(settled, button)[0]
    big = clockwise(numbers, small)[0]
    dealt = {*settled, big, *_entering_between(players, big, button)}
    if len(dealt) == 2:
        next_big = clockwise(dealt, last.big_blind_seat)[0]
        return _heads_up_positions(dealt, big=(stopped and _newcomer_in_heads_up(players)) or next_big)
    posting = () if stopped else _owing_seats(players, dealt - {big})
    return HandPositions(clockwise(dealt, button), button, small, big, small, posting)


def _newcomer_in_heads_up(players: tuple[Seat, ...]) -> SeatNumber:
    """The one of two players who is new or owes a blind: they have the big blind. 0 if there is no such player."""
    unsettled = [seat.number for seat in players if not seat.is_settled]
    return unsettled[0] if len(players) == 2 and len(unsettled) == 1 else NO_SEAT_NUMBER


def _is_ready_to_post(seat: Seat) -> bool:
    """The player can be dealt in before their big blind: they post what they owe, or owe nothing (TL-10, TL-11)."""
    return seat.status is not SeatStatus.WAITING_FOR_BIG_BLIND


def _owing_seats(players: tuple[Seat, ...], numbers: Collection[SeatNumber]) -> tuple[SeatNumber, ...]:
    """Return the seats among `numbers` that owe a blind."""
    return tuple(seat.number for seat in players if seat.number in numbers and seat.owes_blinds)
