"""End a hand: stacks, players who leave or sit out, top-ups, rebuys, time banks. Also: what follows by itself from any change of a table.

Laws: TL-1, TL-12, TL-27, TL-29, TL-31 to TL-33, TL-40, H-1, H-3, I-1, I-3, P-12.
"""

from collections.abc import Mapping

from bot.engine.errors import BrokenInvariant
from bot.engine.options.values import BlindsAnte, Misdeal
from bot.engine.units import SeatNumber
from bot.table import events as e
from bot.table.book import book_begins
from bot.table.ceremonies.first_deal import first_deal_cut_result
from bot.table.corrections import corrections_due
from bot.table.evolve import evolve, evolve_all
from bot.table.mixed.rotation import next_game_events
from bot.table.queries import (
    can_deal,
    earliest_hand_at,
    enough_players,
    free_seats,
    players_yet_to_consent,
    rebuy_chips,
)
from bot.table.settings import RebuyRule
from bot.table.state import AfterHand, Seat, Table, TableStatus
from bot.table.table_break import break_that_begins
from bot.table.time_bank import bank_refill_due
from bot.table.validate_settings import proposal_is_possible


def finish_hand(
    table: Table,
    stacks_after: Mapping[SeatNumber, int],
    now: int,
    wallets: Mapping[int, int],
    *,
    carried_chips: int = 0,
    same_dealer: bool = False,
    passed_out: bool | None = None,
    misdeal: bool = False,
    put_in: Mapping[SeatNumber, int] | None = None,
) -> tuple[e.TableEvent, ...]:
    """Record the end of a hand that has been paid.

    Args:
        stacks_after: chips of every seat that was dealt in.
        wallets: chips in the wallets of players, by user id; none for a player who is missing. An announced top-up is made now, as far as
            the wallet allows.
        carried_chips: chips that stay in the pot for the next hand.
        same_dealer: the same player deals again.
        passed_out: nobody opened. None: that was so exactly if chips are carried.
        misdeal: the next dealer deals anew, and everything but antes and dead money has been given back (I-3). Players then owe again what
            they posted.
        put_in: chips that every seat dealt in has put into the hand. None: as much as its stack has lost.
    """
    running = table.running_hand
    assert running is not None, "no hand is running"
    if set(stacks_after) != set(running.dealt_seats):
        raise BrokenInvariant("a hand ends with a stack for each seat dealt in, and for no other")
    finished = e.HandFinished(
        number=running.number,
        stacks=tuple(sorted(stacks_after.items())),
        at=now,
        carried_chips=carried_chips,
        same_dealer=same_dealer,
        passed_out=carried_chips > 0 if passed_out is None else passed_out,
        owing_seats=_seats_owing_again(table, stacks_after) if misdeal else (),
        put_in=tuple(sorted((_chips_lost(table, stacks_after) if put_in is None else put_in).items())),
    )
    return _after_hand(table, finished, now, wallets)


def _chips_lost(table: Table, stacks_after: Mapping[SeatNumber, int]) -> dict[SeatNumber, int]:
    before = {seat.number: seat.stack for seat in table.seats}
    return {number: max(0, before[number] - chips) for number, chips in stacks_after.items()}


def _seats_owing_again(
    table: Table, stacks_after: Mapping[SeatNumber, int]
) -> tuple[tuple[SeatNumber, bool, bool], ...]:
    """Return seats that owed blinds before a hand that is dealt anew, and still owe the small or the big one (TL-12).

    The live post, or the big blind that they waited for, has been given back. Dead money stays in the pot (I-3) and counts as paid.
    """
    running = table.running_hand
    assert running is not None, "no hand is running"
    replay, owing = running.replay, []
    before_by_player = {before.player: before for before in running.players_before}
    for number, player in zip(running.dealt_seats, running.players, strict=True):
        before, seat = before_by_player[player], table.seat(number)
        if not (before.owes_small or before.owes_big) or seat is None:
            continue
        chips_in_pot = seat.stack - stacks_after[number]
        posted = number in replay.posting_seats or number == replay.button_buyer_seat
        paid_dead = posted and chips_in_pot > _ante_beside_blinds(table, number)
        owes_small = before.owes_small and not paid_dead
        if owes_small or before.owes_big:
            owing.append((number, owes_small, before.owes_big))
    return tuple(owing)


def _ante_beside_blinds(table: Table, number: SeatNumber) -> int:
    """Return the ante in chips that a seat other than the big blind posts beside the blinds (TL-14)."""
    running, settings = table.running_hand, table.settings
    assert running is not None, "no hand is running"
    blinds_ante = settings.options.blinds_ante
    posts_ante = blinds_ante is BlindsAnte.EVERYONE or (
        blinds_ante is BlindsAnte.LEFT_OF_DEALER and number == running.dealt_seats[0]
    )
    return settings.stakes.ante if posts_ante else 0


def void_hand(table: Table, now: int, wallets: Mapping[int, int]) -> tuple[e.TableEvent, ...]:
    """Undo the running hand: stacks, button and missed blinds are as they were before it (I-1).

    Players, staff, the deck or the rules of the game can find that a hand does not count: `queries.validate_void` checks staff. If the game
    replays misdeals, the next hand is this one over again, and nobody new joins (TL-29).
    """
    running = table.running_hand
    assert running is not None, "no hand is running"
    bomb_pot = table.settings.bomb_pot
    options = bomb_pot.game.options if running.bomb_pot and bomb_pot is not None else table.settings.options
    undone = e.HandUndone(running.number, now, replay=options.misdeal is Misdeal.REPLAY)
    return _after_hand(table, undone, now, wallets)


def _after_hand(
    table: Table, end: e.HandFinished | e.HandUndone, now: int, wallets: Mapping[int, int]
) -> tuple[e.TableEvent, ...]:
    events: list[e.TableEvent] = [end]
    after = evolve(table, end)
    for seat in after.seats:
        events += _after_hand_for_seat(after, seat, now, wallets.get(seat.player, 0))
    return with_consequences(table, tuple(events), now)


def _after_hand_for_seat(table: Table, seat: Seat, now: int, wallet: int) -> list[e.TableEvent]:
    """Return what the end of a hand brings for one seat."""
    kept_out = seat.player in table.kept_out
    if kept_out or seat.after_hand is AfterHand.LEAVE:
        reason = e.LeaveReason.KEPT_OUT if kept_out else e.LeaveReason.REQUESTED
        return [e.SeatLeft(seat.number, seat.player, seat.stack, now, reason)]
    events: list[e.TableEvent] = []
    if seat.after_hand is AfterHand.SIT_OUT:
        events.append(e.SatOut(seat.number, now))
    added = 0
    if seat.queued_top_up:
        if table.settings.has_table_chips:  # whether a rebuy applies is judged now (TC-3)
            added = rebuy_chips(table.settings, seat.stack)
        else:
            added = min(seat.queued_top_up, wallet, max(0, table.settings.max_buyin - seat.stack))
        if added and (seat.stack or added >= table.settings.min_buyin):
            events.append(e.ToppedUp(seat.number, added, now))
        else:
            events.append(e.TopUpCancelled(seat.number, seat.queued_top_up))
            added = 0
    if not seat.stack + added and not seat.out_since and not table.settings.is_event:
        events.append(e.PlayerBusted(seat.number, now + table.settings.rebuy_ms, now))
    refill_ms = bank_refill_due(table.settings, seat)
    if refill_ms:
        events.append(e.TimeBankRefilled(seat.number, refill_ms))
    return events


def with_consequences(table: Table | None, events: tuple[e.TableEvent, ...], now: int) -> tuple[e.TableEvent, ...]:
    """Return the events and what follows from them by itself.

    That can be a change that everyone agreed on, an offer to the waiting list, the next hand, the next game, or the closing of the table.
    """
    after = evolve_all(table, events)
    while more := _next_consequence(after, now):
        events += more
        after = evolve_all(after, more)
    return events


def _next_consequence(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """Return the first thing that follows from the state of the table; nothing when the table is at rest."""
    if table.status is TableStatus.CLOSED:
        return ()
    between_hands = table.running_hand is None
    if between_hands and (corrected := corrections_due(table, now)):
        return corrected
    if between_hands and table.status is TableStatus.CLOSING:
        return close_table(table, now)
    if between_hands and (begins := book_begins(table, now)):
        return begins
    lapsed = next((one for one in table.rebuy_requests if one.is_pending and not _is_host_asked(table)), None)
    if lapsed is not None:
        return (e.RebuyLapsed(lapsed.player),)
    if between_hands and table.replay is not None and not enough_players(table):
        return (e.ReplayCancelled(),)
    exchange = table.exchange
    if exchange is not None and not (table.seat_of(exchange.player) and table.seat_of(exchange.other_player)):
        return (e.SeatExchangeCancelled(0),)
    return (
        (_proposal_result(table, now) if between_hands else ())
        or break_that_begins(table, now)
        or (() if table.on_break else next_game_events(table, now))
        or first_deal_cut_result(table)
        or (() if table.on_break else _next_seat_offer(table, now))
        or _next_hand_schedule(table, now)
    )


def _is_host_asked(table: Table) -> bool:
    """Tell whether rebuys are still asked for: the table can have agreed on another rule (TC-9)."""
    return table.settings.has_table_chips and table.settings.rebuy is RebuyRule.HOST


def _proposal_result(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """A proposal that is no longer possible is withdrawn. Once everyone has consented, it takes effect (H-1, H-3)."""
    proposal = table.proposal
    if proposal is None:
        return ()
    if not proposal_is_possible(table, proposal):
        return (e.ProposalWithdrawn(0),)
    if players_yet_to_consent(table, proposal):
        return ()
    if proposal.settings is not None:
        return (e.SettingsChanged(proposal.settings, now),)
    return (e.StacksAdjusted(proposal.stack_changes, now),)


def _next_seat_offer(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """A free seat is offered to the first waiting player without an offer who is not on vacation."""
    if table.status is not TableStatus.OPEN or len(free_seats(table)) <= len(table.waiting_with_offer):
        return ()
    for waiting in table.waiting:
        if not waiting.offered_until and not waiting.vacation_until:
            return (e.SeatOffered(waiting.player, now + table.settings.offer_ms),)
    return ()


def _next_hand_schedule(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """The next hand is scheduled, or called off when too few players are in. A player who chooses the game keeps the time for it."""
    possible, scheduled = can_deal(table), table.next_hand_at != 0
    if possible and not scheduled and table.settings.auto_start:
        pause_ends = now + 1000 * table.settings.pause_seconds
        return (e.HandScheduled(max(pause_ends, earliest_hand_at(table))),)
    if scheduled and not possible:
        return (e.HandUnscheduled(),)
    return ()


def close_table(table: Table, now: int, reason: e.CloseReason = e.CloseReason.REQUESTED) -> tuple[e.TableEvent, ...]:
    """Close the table between hands and pay everyone out."""
    paid = tuple(e.SeatLeft(seat.number, seat.player, seat.stack, now, e.LeaveReason.CLOSED) for seat in table.seats)
    return (*paid, e.TableClosed(now, reason=reason))
