"""Questions about a table that change nothing.

Laws: P-1, P-11, TL-1, TL-10, TL-27, TL-33, TC-2 to TC-5, TC-8, I-1, I-2.
"""

from msgspec import Struct

from bot.engine.units import SeatNumber
from bot.table.mixed.next_game import settings_for_blinds
from bot.table.refusals import (
    DealtInCannotVoid,
    KeptOutOfTable,
    NoHandRunning,
    NotInvited,
    NotSeated,
    ReasonMissing,
    StaffOnly,
)
from bot.table.settings import TableSettings
from bot.table.state import Departure, Proposal, RebuyRequest, Seat, SeatStatus, Table, TableStatus

RATHOLE_MS = 60 * 60 * 1000
"""For so long a player who comes back must bring the chips they took away (TL-27), and drawn seats stand (P-10)."""

NEW_STAKES_PAUSE_MS = 30_000
"""Before the first hand at other stakes its players have so long to sit out or leave (H-1)."""

STALLED_MINUTES = 30
"""For so long a table that was left with too few players waits for those who are away, and keeps their seats."""


REBUY_STEPS_MS = (60_000, 120_000, 300_000)
"""A rebuy that the host does not answer: when the next host is asked, when everybody who is seated, and when it is a yes (TC-4)."""


class OwedBlinds(Struct, frozen=True, gc=False):
    """Missed blinds in chips: the live big blind and the dead small blind (TL-10)."""

    live: int
    dead: int


class BuyInLimits(Struct, frozen=True, gc=False):
    """The chips that a player can sit down with.

    `until` is 0, unless the player must bring back what they took away; then it says until when (TL-27).
    """

    minimum: int
    maximum: int
    until: int = 0


def require_seat(table: Table, player: int) -> Seat:
    """Return the seat of a player.

    Raises:
        NotSeated: the player has no seat here.
    """
    seat = table.seat_of(player)
    if seat is None:
        raise NotSeated
    return seat


def host_of(table: Table) -> int:
    """Return the host: the player who opened the table or, once they have left, the one who has been seated the longest.

    Practice players come last. When nobody is seated, the player who opened the table is the host again.
    """
    if not table.opened_by_left or not table.seats:
        return table.opened_by
    people = [seat for seat in table.seats if not seat.practice] or list(table.seats)
    return min(people, key=lambda seat: (seat.seated_at, seat.number)).player


def admits(table: Table, player: int) -> bool:
    """Tell whether a player can come to the table: everybody but those the host has removed; at a private table those invited."""
    if player == host_of(table):
        return True
    if player in table.kept_out:
        return False
    return not table.private or player == table.opened_by or player in table.invited


def require_admitted(table: Table, player: int) -> None:
    """Refuse a player who cannot come to the table.

    Raises:
        KeptOutOfTable: the host has removed them.
        NotInvited: the table is private, and they are not invited.
    """
    if admits(table, player):
        return
    host = host_of(table)
    raise KeptOutOfTable(host=host) if player in table.kept_out else NotInvited(host=host)


def owed_blinds(table: Table, seat: Seat) -> OwedBlinds:
    """Return what the seat must post to come in before its big blind (TL-10)."""
    if not seat.owes_blinds:
        return OwedBlinds(0, 0)
    stakes = (settings_for_blinds(table) or table.settings).stakes
    return OwedBlinds(live=stakes.big_blind * seat.owes_big, dead=stakes.small_blind * seat.owes_small)


def free_seats(table: Table) -> tuple[SeatNumber, ...]:
    """Return the numbers of the free seats."""
    taken = {seat.number for seat in table.seats}
    return tuple(SeatNumber(number) for number in range(1, table.settings.seat_count + 1) if number not in taken)


def held_seats(table: Table) -> dict[SeatNumber, int]:
    """Return the free seats that are held for somebody, with whom they are held for."""
    free = free_seats(table)
    return {one.offered_seat: one.player for one in table.waiting_with_offer if one.offered_seat in free}


def departure_of(table: Table, player: int) -> Departure | None:
    """Return what the table remembers of a player who left."""
    return next((departure for departure in table.departures if departure.player == player), None)


def buy_in_limits(table: Table, player: int, now: int) -> BuyInLimits:
    """Return the chips that a player can sit down with.

    These are the table's limits. A player who left within the hour must bring back what they took away (TL-1, TL-27). Of table chips it is
    the starting stack, or exactly what they took away from the game, however long ago (TC-2, TC-5).
    """
    if table.settings.has_table_chips:
        line = table.book_line(player)
        chips = line.taken if line is not None and line.taken else table.settings.starting_stack
        return BuyInLimits(chips, chips)
    minimum, maximum = table.settings.min_buyin, table.settings.max_buyin
    departure = departure_of(table, player)
    if departure is not None and now < departure.at + RATHOLE_MS and departure.chips > minimum:
        return BuyInLimits(departure.chips, max(maximum, departure.chips), departure.at + RATHOLE_MS)
    return BuyInLimits(minimum, maximum)


def top_up_room(table: Table, seat: Seat) -> int:
    """Return how many chips can still be added to a seat. Announced chips count as added (TL-1). Of table chips it is a rebuy (TC-3)."""
    if table.settings.has_table_chips:
        if table.dealt_in(seat.player):
            return 0 if seat.queued_top_up else table.settings.starting_stack
        return rebuy_chips(table.settings, seat.stack)
    return max(0, table.settings.max_buyin - seat.stack - seat.queued_top_up)


def rebuy_chips(settings: TableSettings, stack: int) -> int:
    """Return the table chips that a rebuy adds to a stack; 0 for one above half of it (TC-3)."""
    return settings.starting_stack - stack if 2 * stack <= settings.starting_stack else 0


def free_of_practice(table: Table) -> bool:
    """Tell whether the game counts nowhere yet, because a practice player sits at a table of table chips: every rebuy is free (TC-8)."""
    return table.settings.has_table_chips and any(seat.practice for seat in table.seats)


def hosts_for_rebuy(table: Table, player: int) -> tuple[int, ...]:
    """Return who answers a player who asks for a rebuy: the host, then who has been seated the longest; never themselves (TC-4)."""
    people = sorted([seat for seat in table.seats if not seat.practice], key=lambda seat: (seat.seated_at, seat.number))
    order = dict.fromkeys([host_of(table), *[seat.player for seat in people]])
    return tuple([host for host in order if host != player])


def rebuy_due_at(request: RebuyRequest) -> int:
    """Return when something happens to a rebuy that nobody has answered; 0 for never (TC-4)."""
    return request.asked_at + REBUY_STEPS_MS[request.step] if request.is_pending else 0


def players_yet_to_consent(table: Table, proposal: Proposal) -> tuple[int, ...]:
    """Return the seated players who have not consented yet. Practice players go along with what people agree on."""
    return tuple(seat.player for seat in table.seats if not seat.practice and seat.player not in proposal.consents)


def can_deal(table: Table) -> bool:
    """Tell whether a hand can be dealt: the table is open and takes no break, no hand is running, and enough players are in."""
    return (
        table.status is TableStatus.OPEN and table.running_hand is None and not table.on_break and enough_players(table)
    )


def enough_players(table: Table) -> bool:
    """Tell whether enough players are in for the next hand, and at least one of them is a person.

    Practice players do not play among themselves.
    """
    return not players_needed(table)


def players_needed(table: Table) -> int:
    """Return how many more players the next hand needs; one where only practice players are in."""
    players, settings = table.seats_for_next_hand, table.settings
    first = settings.first_hand_players if not table.hands_dealt else 0
    missing = max(2, settings.rule_card.seats_min, first) - len(players)
    return max(missing, int(all(seat.practice for seat in players)))


def earliest_hand_at(table: Table) -> int:
    """Return before which time no hand is dealt, in ms since the epoch; 0 for no such time, and once one was dealt.

    A player who chooses the game keeps the time for it (VC-28), who can rebuy in an event the time to answer (SG-9), and everybody
    the time to leave new stakes (H-1).
    """
    begins_at = table.settings.first_hand_at if not table.hands_dealt else 0
    return max(table.rotation_state.choice_due_at, table.new_stakes_until, table.rebuys_until, begins_at)


def is_stalled(table: Table) -> bool:
    """Tell whether a game has stopped because too few are in: its players are waited for, with their seats, for `STALLED_MINUTES`."""
    return (
        table.running_hand is None
        and table.hands_dealt > 0
        and bool(table.seats)
        and not table.waiting
        and not enough_players(table)
    )


def absence_ends_at(table: Table, seat: Seat) -> int:
    """Return when a player who sits out loses their seat; 0 for never. A player without chips has the time for a rebuy."""
    ends_at = _usual_absence_ends_at(table, seat)
    if not ends_at or not seat.stack or not is_stalled(table):
        return ends_at
    return max(ends_at, _out_since(seat) + 60_000 * STALLED_MINUTES)


def _usual_absence_ends_at(table: Table, seat: Seat) -> int:
    settings = table.settings
    if seat.status is not SeatStatus.SITTING_OUT or table.dealt_in(seat.player):
        return 0
    request = table.rebuy_request(seat.player)
    if request is not None and request.is_pending:
        return 0
    if not seat.stack:
        return _out_since(seat) + settings.rebuy_ms
    if settings.absent_orbits and seat.orbits_missed >= settings.absent_orbits and not settings.is_slow:
        return seat.out_since
    return _out_since(seat) + settings.absent_ms if settings.absent_ms else 0


def _out_since(seat: Seat) -> int:
    """Return since when the time runs in which a player can sit out: on vacation no clock does (WT-1)."""
    return max(seat.out_since, seat.vacation_until)


def idle_close_at(table: Table) -> int:
    """Return when the table closes because nobody plays; 0 for never, as where a turn can take hours."""
    minutes = table.settings.idle_minutes
    settings = table.settings
    if table.running_hand is not None or not minutes or settings.is_slow or settings.is_event:
        return 0
    return table.active_at + 60_000 * (max(minutes, STALLED_MINUTES) if is_stalled(table) else minutes)


def exchange_due_at(table: Table) -> int:
    """Return when two players who have agreed exchange their seats (P-12).

    It is 0 when no exchange is agreed, and while it has to wait for the end of a hand or of its replay.
    """
    if table.exchange is None or table.running_hand is not None or table.replay is not None:
        return 0
    return table.exchange.due_at


def next_due_at(table: Table) -> int:
    """Return when the clock must look at the table next; 0 for never. `next_hand` handles a hand that is due, `Tick` all else."""
    if table.status is TableStatus.CLOSED:
        return 0
    if table.table_break is not None and table.table_break.ends_at:
        return table.table_break.ends_at  # every other clock stands still
    times = [table.next_hand_at, idle_close_at(table)]
    times += [waiting.offered_until for waiting in table.waiting]
    times += [absence_ends_at(table, seat) for seat in table.seats]
    times += [seat.vacation_until for seat in table.seats]
    times += [waiting.vacation_until for waiting in table.waiting]
    times.append(exchange_due_at(table))
    times += [rebuy_due_at(request) for request in table.rebuy_requests]
    return min((at for at in times if at), default=0)


def is_absent(table: Table, seat: Seat) -> bool:
    """Tell whether a player in an event is absent: they chose *Away*, or missed `MISSES` turns in a row (SG-3)."""
    misses = table.settings.misses
    return table.settings.is_event and (seat.away or 0 < misses <= seat.missed_turns)


def misdeal_agreed(table: Table) -> bool:
    """Tell whether all people in the hand say that the deal was irregular: then it does not count (I-2, TL-29)."""
    running = table.running_hand
    if running is None:
        return False
    practice = {seat.player for seat in table.seats if seat.practice}
    people = [player for player in running.players if player not in practice]
    return bool(people) and all(player in running.misdeal_claims for player in people)


def validate_void(table: Table, player: int, reason: str, *, staff: bool) -> None:
    """Check whether this person can void the running hand. Staff can, with a reason, unless they were dealt into it.

    Raises:
        NoHandRunning, StaffOnly, DealtInCannotVoid, ReasonMissing.

    Law: I-1.
    """
    if table.running_hand is None:
        raise NoHandRunning
    if not staff:
        raise StaffOnly
    if table.dealt_in(player):
        raise DealtInCannotVoid
    if not reason.strip():
        raise ReasonMissing
