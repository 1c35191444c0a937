"""The book of a game: who bought in for what, and who is up or down. And the rebuys of table chips.

A game runs from the opening of its table to the closing. Its book is kept at every table; where table chips are played nothing
else holds them, and it sums to zero at every moment.

Laws: TC-1 to TC-6, TC-8.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from bot.engine.errors import BrokenInvariant
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import (
    REBUY_STEPS_MS,
    free_of_practice,
    hosts_for_rebuy,
    rebuy_chips,
    rebuy_due_at,
    require_admitted,
)
from bot.table.settings import RebuyRule
from bot.table.state import AfterHand, BookLine, RebuyOffer, RebuyRequest, Seat, SeatStatus, Standing, Table

REBUY_REFUSED_MS = 10 * 60_000
"""So long a no stands (TC-4)."""

TableEvents = tuple[e.TableEvent, ...]


def standings(table: Table) -> tuple[Standing, ...]:
    """Return where everybody in the game stands, the best first. Of table chips the nets sum to zero at every moment (TC-1)."""
    stacks = {seat.player: seat.stack for seat in table.seats}
    found = []
    for line in table.book:
        chips = stacks.get(line.player, 0) + line.taken + line.in_pot
        net, is_seated = chips - line.bought, line.player in stacks
        found.append(Standing(line.player, line.name, line.buy_ins, line.bought, chips, net, line.hands, is_seated))
    return tuple(sorted(found, key=lambda one: -one.net))


# Buying in


def validate_table_chips(table: Table, command: c.TakeSeat, now: int) -> None:
    """Check a buy-in at a table of table chips: the starting stack, or what the player took away from the game (TC-2, TC-5).

    Raises:
        StartingStackOnly: other chips.
        NoMoreRebuys, HostIsAsked, RebuyRefused: the player took nothing away, and needs a rebuy.
    """
    line = table.book_line(command.player)
    returning = line is not None and line.taken > 0
    chips = line.taken if line is not None and returning else table.settings.starting_stack
    if command.chips != chips:
        raise refusals.StartingStackOnly(chips=chips, returning=returning)
    if line is None or returning or command.practice:
        return
    if _needs_host(table, line):
        request = table.rebuy_request(command.player)
        if request is None or not request.granted_at:
            raise _not_granted(table, request, command.player, now)


def table_chips_bought(table: Table, player: int, chips: int) -> int:
    """Return how many of the chips of a buy-in are bought now: none of those that the player brings back. 0 for server chips."""
    line = table.book_line(player)
    if not table.settings.has_table_chips:
        return 0
    return chips - min(chips, line.taken if line is not None else 0)


def _needs_host(table: Table, line: BookLine | None) -> bool:
    """Tell whether the host has to be asked for another rebuy.

    Raises:
        NoMoreRebuys: the person has had as many as the game allows.
    """
    if free_of_practice(table):
        return False
    maximum = table.settings.rebuy.maximum
    if maximum is not None and line is not None and line.buy_ins > maximum:
        raise refusals.NoMoreRebuys(maximum=maximum)
    return table.settings.rebuy is RebuyRule.HOST


def _not_granted(
    table: Table, request: RebuyRequest | None, player: int, now: int
) -> refusals.HostIsAsked | refusals.RebuyRefused:
    if request is not None and now < request.refused_until:
        return refusals.RebuyRefused(until=request.refused_until)
    host = next(iter(hosts_for_rebuy(table, player)), 0)
    is_pending = request is not None and request.is_pending
    return refusals.HostIsAsked(host=host, until=request.asked_at + REBUY_STEPS_MS[-1] if request and is_pending else 0)


# Buying again


def rebuy_offer(table: Table, seat: Seat) -> RebuyOffer:
    """Return what a seated player can do for more table chips, as their stack is before a hand that they are in (TC-3, TC-4)."""
    if not table.settings.has_table_chips or table.settings.is_event:
        return RebuyOffer.NONE
    if seat.queued_top_up or not rebuy_chips(table.settings, seat.stack):
        return RebuyOffer.NONE
    request = table.rebuy_request(seat.player)
    if request is not None and request.is_pending:
        return RebuyOffer.ASKED
    try:
        needs_host = not seat.practice and _needs_host(table, table.book_line(seat.player))
    except refusals.NoMoreRebuys:
        return RebuyOffer.SPENT
    return RebuyOffer.ASK if needs_host else RebuyOffer.NOW


def rebuy(table: Table, seat: Seat, now: int) -> TableEvents:
    """Fill a stack up to the starting stack: now, or after the hand that the player is dealt into; or ask the host first (TC-3, TC-4).

    Raises:
        NoMoreRebuys, StackTooLargeForRebuy, HostIsAsked, RebuyRefused.
    """
    settings = table.settings
    if seat.queued_top_up:
        return ()
    needs_host = not seat.practice and _needs_host(table, table.book_line(seat.player))
    if not table.dealt_in(seat.player) and not rebuy_chips(settings, seat.stack):
        raise refusals.StackTooLargeForRebuy(stack=seat.stack, starting_stack=settings.starting_stack)
    if not needs_host:
        return _rebuy_now(table, seat, now)
    return _ask(table, seat.player, seat.name, now)


def _rebuy_now(table: Table, seat: Seat, now: int) -> TableEvents:
    """Make a rebuy, or announce it. Whether an announced one applies is judged when the hand is over (TC-3)."""
    if table.dealt_in(seat.player):
        return (e.TopUpQueued(seat.number, table.settings.starting_stack, now),)
    chips = rebuy_chips(table.settings, seat.stack)
    if not chips or seat.after_hand is AfterHand.LEAVE:
        return ()
    added = e.ToppedUp(seat.number, chips, now)
    if seat.stack or seat.status is not SeatStatus.SITTING_OUT:
        return (added,)
    status = SeatStatus.WAITING_FOR_BIG_BLIND if seat.owes_blinds else SeatStatus.PLAYING
    return added, e.CameBack(seat.number, status, now)


def ask_for_rebuy(table: Table, command: c.AskForRebuy, now: int) -> TableEvents:
    """Ask the host for the rebuy that somebody without a seat needs to sit down again (TC-5).

    Raises:
        RebuyAnsweredAlready: they need none, or it is granted.
        NoMoreRebuys, HostIsAsked, RebuyRefused, NotInvited, KeptOutOfTable.
    """
    seat = table.seat_of(command.player)
    if seat is not None:
        return rebuy(table, seat, now) if table.settings.has_table_chips else ()
    require_admitted(table, command.player)
    line, request = table.book_line(command.player), table.rebuy_request(command.player)
    needs_rebuy = table.settings.has_table_chips and line is not None and not line.taken
    if not needs_rebuy or not _needs_host(table, line) or (request is not None and request.granted_at):
        raise refusals.RebuyAnsweredAlready
    return _ask(table, command.player, command.name, now)


def _ask(table: Table, player: int, name: str, now: int) -> TableEvents:
    request = table.rebuy_request(player)
    if request is not None and (request.is_pending or now < request.refused_until):
        raise _not_granted(table, request, player, now)
    return (e.RebuyAsked(player, name, now),)


def can_answer_rebuy(table: Table, player: int, asker: int, *, granted: bool) -> bool:
    """Tell whether a player can answer a rebuy so, now: a host who is asked; with a yes at last everybody who is seated (TC-4)."""
    request = table.rebuy_request(asker)
    if request is None or not request.is_pending or player == asker:
        return False
    if player in hosts_for_rebuy(table, asker)[: 1 + min(request.step, 1)]:
        return True
    return granted and request.step > 1 and table.seat_of(player) is not None


def answer_rebuy(table: Table, command: c.AnswerRebuy, now: int) -> TableEvents:
    """A host answers, never for themselves; after two minutes anybody who is seated can say yes (TC-4).

    Raises:
        RebuyAnsweredAlready: nobody asks for it any more.
        RebuyNotYours: somebody else is asked.
    """
    request = table.rebuy_request(command.asker)
    if request is None or not request.is_pending:
        raise refusals.RebuyAnsweredAlready
    if not can_answer_rebuy(table, command.player, command.asker, granted=command.granted):
        only_yes = can_answer_rebuy(table, command.player, command.asker, granted=True)
        host = next(iter(hosts_for_rebuy(table, request.player)), 0)
        raise refusals.RebuyNotYours(host=host, only_yes=only_yes)
    if not command.granted:
        return (e.RebuyAnswered(request.player, command.player, now, refused_until=now + REBUY_REFUSED_MS),)
    return _grant(table, request, command.player, now)


def _grant(table: Table, request: RebuyRequest, by: int, now: int) -> TableEvents:
    seat = table.seat_of(request.player)
    granted = e.RebuyAnswered(request.player, by, now)
    return (granted, *_rebuy_now(table, seat, now)) if seat is not None else (granted,)


def rebuys_due(table: Table, now: int) -> TableEvents:
    """Return what is due of the rebuys that nobody has answered: the next ones are asked, and no answer is a yes (TC-4)."""
    events: list[e.TableEvent] = []
    for request in table.rebuy_requests:
        if not 0 < rebuy_due_at(request) <= now:
            continue
        if now >= request.asked_at + REBUY_STEPS_MS[-1]:
            events += _grant(table, request, 0, now)
        else:
            step = sum(now >= request.asked_at + ms for ms in REBUY_STEPS_MS)
            events.append(e.RebuyPassedOn(request.player, step, now))
    return tuple(events)


def book_begins(table: Table, now: int) -> TableEvents:
    """Return the beginning of the book, once a second person sits where one had practised, and no hand is being played (TC-8)."""
    practising = [seat for seat in table.seats if seat.practice]
    if (
        not table.settings.has_table_chips
        or table.settings.is_event
        or not practising
        or len(table.seats) - len(practising) < 2
    ):
        return ()
    left = [
        e.SeatLeft(seat.number, seat.player, seat.stack, now, e.LeaveReason.BOOK_BEGAN)
        for seat in practising
    ]  # fmt: skip
    return (*left, e.BookBegan(table.settings.starting_stack, now))


def can_practise(table: Table) -> bool:
    """Tell whether a practice player can sit down where a book is kept: one beside one person who is alone (TC-8)."""
    people = [seat for seat in table.seats if not seat.practice]
    return len(people) < 2 and len(people) == len(table.seats) and len(table.book) < 2


# What happens in the book


def book_after_buy_in(table: Table, player: int, name: str, chips: int) -> tuple[BookLine, ...]:
    """Return the book after somebody sat down: what they took away before comes back first."""
    line = table.book_line(player) or BookLine(player, name)
    back = min(chips, line.taken)
    new = chips - back
    line = replace(line, name=name, taken=line.taken - back, bought=line.bought + new, buy_ins=line.buy_ins + (new > 0))
    return _with_line(table.book, line)


def book_after_top_up(table: Table, player: int, chips: int) -> tuple[BookLine, ...]:
    """Return the book after somebody added chips. Nobody gets a line by it: at a table that was open before, some have none."""
    line = table.book_line(player)
    if line is None:
        return table.book
    return _with_line(table.book, replace(line, bought=line.bought + chips, buy_ins=line.buy_ins + 1))


def book_after_leaving(table: Table, player: int, chips: int) -> tuple[BookLine, ...]:
    """Return the book after somebody left with these chips."""
    line = table.book_line(player)
    return table.book if line is None else _with_line(table.book, replace(line, taken=line.taken + chips))


def book_after_hand(table: Table, event: e.HandFinished) -> tuple[BookLine, ...]:
    """Return the book after a hand that counted: a pot that is carried on counts to who put it in, until it is paid (TC-6)."""
    assert table.running_hand is not None, "no hand is running"
    stacks = {seat.number: seat for seat in table.seats}
    lost = {stacks[number].player: stacks[number].stack - chips for number, chips in event.stacks if number in stacks}
    in_pot = {line.player: line.in_pot for line in table.book if line.in_pot}
    for player, chips in lost.items():
        in_pot[player] = in_pot.get(player, 0) + chips
    shares = divided(event.carried_chips, {player: chips for player, chips in in_pot.items() if chips > 0})
    return tuple(
        [
            replace(
                line,
                hands=line.hands + (line.player in table.running_hand.players),
                in_pot=shares.get(line.player, 0),
            )
            for line in table.book
        ]
    )


def book_after_closing(table: Table) -> tuple[BookLine, ...]:
    """Return the book after the end of the game: a pot that nobody won goes back."""
    shares = carried_pot_shares(table)
    return tuple(
        [replace(line, taken=line.taken + shares.get(line.player, 0), in_pot=0) for line in table.book]
    )  # fmt: skip


def new_book(table: Table) -> tuple[BookLine, ...]:
    """Return the book as it begins: everybody who is seated has bought the starting stack (TC-8)."""
    chips = table.settings.starting_stack
    return tuple([BookLine(seat.player, seat.name, 1, chips) for seat in table.seats if not seat.practice])


def carried_pot_shares(table: Table) -> dict[int, int]:
    """Return who gets what of a carried pot when the table closes, after everybody has left.

    Of table chips everybody gets back what they put in (TC-6). At other tables the players who left it last share it in equal parts, the
    first ones with an odd chip more (N-1, I-1).
    """
    if not table.carried_chips:
        return {}
    if table.settings.has_table_chips:
        in_pot = {line.player: line.in_pot for line in table.book if line.in_pot}
        if in_pot:
            return divided(table.carried_chips, in_pot)
    latest = max((left.at for left in table.departures), default=0)
    players = [left.player for left in table.departures if left.at == latest]
    if not players:
        raise BrokenInvariant("chips in the pot of a table where nobody has been")
    each, odd = divmod(table.carried_chips, len(players))
    return {player: each + (index < odd) for index, player in enumerate(players)}


def divided(chips: int, by: Mapping[int, int]) -> dict[int, int]:
    """Divide chips in proportion to what each put in; the first ones get an odd chip more.

    >>> divided(100, {1: 50, 2: 50})
    {1: 50, 2: 50}
    >>> divided(5, {1: 1, 2: 1, 3: 1})
    {1: 2, 2: 2, 3: 1}
    """
    total = sum(by.values())
    if not total or not chips:
        return {}
    shares = {player: put_in * chips // total for player, put_in in by.items()}
    odd = chips - sum(shares.values())
    return {player: share + (index < odd) for index, (player, share) in enumerate(shares.items())}


def _with_line(book: tuple[BookLine, ...], line: BookLine) -> tuple[BookLine, ...]:
    if any(one.player == line.player for one in book):
        return tuple([line if one.player == line.player else one for one in book])
    return (*book, line)
