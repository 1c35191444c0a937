"""What one may know of a table without changing it.

Source: laws P-1, TL-1, TL-10, TL-27, TL-33; design §3 (who may void).
"""

from msgspec import Struct

from bot.table.errors import DealtInMayNotVoid, NoHandRunning, ReasonMissing, StaffOnly
from bot.table.next_game import blinds_of
from bot.table.state import Departure, Proposal, Seat, SeatState, Status, Table, Waiting

RATHOLE_MS = 60 * 60 * 1000
"""How long chips taken away must come back with their player (TL-27), and seats stand once drawn (P-10)."""


class Owed(Struct, frozen=True, gc=False):
    """Chips of missed blinds: the live big one and the dead small one (TL-10)."""

    live: int
    dead: int


class BuyIn(Struct, frozen=True, gc=False):
    """Chips one may sit down with. `until` is not 0 where the rathole rule sets the least, and says how long (TL-27)."""

    least: int
    most: int
    until: int = 0


def host_of(table: Table) -> int:
    """Return the host: who opened the table, else the longest seated; the opener again where nobody sits."""
    if not table.opener_left or not table.seats:
        return table.opener
    people = [seat for seat in table.seats if not seat.practice] or list(table.seats)
    return min(people, key=lambda seat: (seat.seated_at, seat.number)).player


def owed(table: Table, seat: Seat) -> Owed:
    """Return what the seat must post to come in before its big blind (TL-10)."""
    if not (seat.owes_small or seat.owes_big):
        return Owed(0, 0)
    stakes = (blinds_of(table) or table.settings).stakes
    return Owed(live=stakes.big_blind * seat.owes_big, dead=stakes.small_blind * seat.owes_small)


def vacant(table: Table) -> tuple[int, ...]:
    """Return the numbers of the free seats."""
    taken = {seat.number for seat in table.seats}
    return tuple(number for number in range(1, table.settings.seats + 1) if number not in taken)


def offered_to(table: Table) -> tuple[Waiting, ...]:
    """Return those on the waiting list for whom a seat is kept."""
    return tuple(one for one in table.waiting if one.offered_until)


def departure(table: Table, player: int) -> Departure | None:
    """Return what the table remembers of a player who left."""
    return next((one for one in table.departures if one.player == player), None)


def buy_in(table: Table, player: int, now: int) -> BuyIn:
    """Return the chips a player may sit down with: the table's limits, or what he took away within the hour (TL-1, TL-27)."""
    least, most = table.settings.min_buyin, table.settings.max_buyin
    left = departure(table, player)
    if left is not None and now < left.at + RATHOLE_MS and left.chips > least:
        return BuyIn(left.chips, max(most, left.chips), left.at + RATHOLE_MS)
    return BuyIn(least, most)


def top_up_room(table: Table, seat: Seat) -> int:
    """Return the chips that may still be added to a seat, announced ones counted (TL-1)."""
    return max(0, table.settings.max_buyin - seat.stack - seat.queued)


def consent_missing(table: Table, proposal: Proposal) -> tuple[int, ...]:
    """Return the seated players who have not consented yet. Practice players go along with what people agree on."""
    return tuple(seat.player for seat in table.seats if not seat.practice and seat.player not in proposal.consents)


def ready(table: Table) -> bool:
    """Tell whether a hand can be dealt: the table is open, none is running, and enough players are in.

    Practice players do not play among themselves: they need a person in the game.
    """
    return table.status is Status.OPEN and table.running is None and enough_play(table)


def enough_play(table: Table) -> bool:
    """Tell whether those who may have a hand at the next deal are enough for one."""
    players = table.players
    return len(players) >= max(2, table.settings.card.seats_min) and not all(seat.practice for seat in players)


def absent_until(table: Table, seat: Seat) -> int:
    """Return when a player who sits out loses his seat, 0 for never. Without chips the time is that of a rebuy."""
    settings = table.settings
    if seat.state is not SeatState.OUT or table.dealt_in(seat.player):
        return 0
    if not seat.stack:
        return seat.out_since + 60_000 * settings.rebuy_minutes
    if settings.absent_orbits and seat.orbits_missed >= settings.absent_orbits:
        return seat.out_since
    return seat.out_since + 60_000 * settings.absent_minutes if settings.absent_minutes else 0


def idle_until(table: Table) -> int:
    """Return when the table closes for want of play, 0 for never."""
    if table.running is not None or not table.settings.idle_minutes:
        return 0
    return table.active_at + 60_000 * table.settings.idle_minutes


def exchange_due(table: Table) -> int:
    """Return when two players who agreed exchange their seats, 0 for not now: it waits for the end of a deal, and for its replay (P-12)."""
    if table.exchange is None or table.running is not None or table.replay is not None:
        return 0
    return table.exchange.due


def due_at(table: Table) -> int:
    """Return when the clock is to look at the table next, 0 for never. A deal that is due is `next_hand`'s; all else is `Tick`'s."""
    if table.status is Status.CLOSED:
        return 0
    times = [table.next_hand_at, idle_until(table)]
    times += [one.offered_until for one in table.waiting]
    times += [absent_until(table, seat) for seat in table.seats]
    times.append(exchange_due(table))
    return min((at for at in times if at), default=0)


def may_void(table: Table, player: int, *, staff: bool) -> bool:
    """Tell whether somebody may void the running hand: staff, and not dealt into it (design §3)."""
    return table.running is not None and staff and not table.dealt_in(player)


def misdeal_agreed(table: Table) -> bool:
    """Tell whether all people who are dealt in say that the deal was irregular: then it does not count (I-2, TL-29)."""
    running = table.running
    if running is None:
        return False
    practice = {seat.player for seat in table.seats if seat.practice}
    people = [player for player in running.players if player not in practice]
    return bool(people) and all(player in running.claims for player in people)


def check_void(table: Table, player: int, reason: str, *, staff: bool) -> None:
    """Rule on voiding the running hand.

    Raises:
        NoHandRunning, StaffOnly, DealtInMayNotVoid, ReasonMissing.
    """
    if table.running is None:
        raise NoHandRunning
    if not staff:
        raise StaffOnly
    if table.dealt_in(player):
        raise DealtInMayNotVoid(player=player)
    if not reason.strip():
        raise ReasonMissing
