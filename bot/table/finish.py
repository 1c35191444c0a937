"""After a hand: stacks, leavers, sit-outs, top-ups, rebuys, time banks; and what follows by itself from any change of the table.

Source: laws TL-1, TL-27, TL-31 to TL-33, TL-40, H-1, H-3, P-12; issue 2 "Table between hands".
"""

from collections.abc import Mapping

from bot.engine.options import BlindsAnte, Misdeal
from bot.table import events as e
from bot.table.bank import refill
from bot.table.ceremonies import lots_are_drawn
from bot.table.evolve import evolve, evolve_all
from bot.table.mixing import changes
from bot.table.queries import consent_missing, enough_play, offered_to, ready, vacant
from bot.table.rules import proposal_fits
from bot.table.state import AfterHand, Seat, Status, Table


def finish_hand(
    table: Table,
    stacks_after: Mapping[int, int],
    now: int,
    wallets: Mapping[int, int],
    *,
    carried: int = 0,
    same_dealer: bool = False,
    passed_out: bool | None = None,
    misdeal: bool = False,
) -> tuple[e.Any, ...]:
    """Book the hand that has been paid. `stacks_after` are chips by seat number of everyone dealt in.

    `wallets` are the chips in the wallets of players, by user id: an announced top-up becomes due now and is made as far as they reach;
    a player who is not in it has none. `carried` chips stay in the pot for the next deal, whose dealer is the same with `same_dealer`.
    `passed_out`: nobody opened; left out, chips that are carried on tell. `misdeal`: the next dealer deals anew, and all but antes and
    dead money has been given back (I-3): with the posts the debts come back.
    """
    running = table.running
    assert running is not None, "no hand is running"
    assert set(stacks_after) == set(running.dealt), "a stack for each seat dealt in, and for no other"
    stacks = tuple(sorted(stacks_after.items()))
    passed = carried > 0 if passed_out is None else passed_out
    owing = _owing_again(table, stacks_after) if misdeal else ()
    finished = e.HandFinished(running.number, stacks, now, carried, same_dealer, passed, owing)
    return _after_hand(table, finished, now, wallets)


def _owing_again(table: Table, stacks_after: Mapping[int, int]) -> tuple[tuple[int, bool, bool], ...]:
    """Who owed blinds before a deal that the next dealer deals anew, and owes them still (TL-12): seat, the small one, the big one.

    The live post, or the big blind he waited for, he has back. Dead money stays in the pot (I-3): what it paid is paid.
    """
    running = table.running
    assert running is not None
    replay, owing = running.replay, []
    marks = {mark.player: mark for mark in running.marks}
    for number, player in zip(running.dealt, running.players, strict=True):
        mark, seat = marks[player], table.seat(number)
        if not (mark.owes_small or mark.owes_big) or seat is None:
            continue
        in_pot = seat.stack - stacks_after[number]
        posted = number in replay.posting or number == replay.bought
        small = mark.owes_small and not (posted and in_pot > _ante_of(table, number))
        if small or mark.owes_big:
            owing.append((number, small, mark.owes_big))
    return tuple(owing)


def _ante_of(table: Table, number: int) -> int:
    """What a seat other than the big blind antes beside the blinds, in chips (TL-14)."""
    running, settings = table.running, table.settings
    assert running is not None
    pays = settings.options.blinds_ante is BlindsAnte.EVERYONE or (
        settings.options.blinds_ante is BlindsAnte.LEFT_OF_DEALER and number == running.dealt[0]
    )
    return settings.stakes.ante if pays else 0


def void_hand(table: Table, now: int, wallets: Mapping[int, int]) -> tuple[e.Any, ...]:
    """Take back the hand that is running: stacks, button and debts are as before it (I-1). Who may is `queries.check_void`'s.

    Whoever found that it does not count, players, staff, the pack or the card itself: where the game's misdeals are replayed, the next
    deal is this one over again, and nobody joins (TL-29).
    """
    running = table.running
    assert running is not None, "no hand is running"
    bomb = table.settings.bomb
    options = bomb.game.options if running.bomb and bomb is not None else table.settings.options
    replay = options.misdeal is Misdeal.REPLAY
    return _after_hand(table, e.HandUndone(running.number, now, replay), now, wallets)


def _after_hand(
    table: Table, ended: e.HandFinished | e.HandUndone, now: int, wallets: Mapping[int, int]
) -> tuple[e.Any, ...]:
    happened: list[e.Any] = [ended]
    after = evolve(table, ended)
    for seat in after.seats:
        happened += _after_hand_of(after, seat, now, wallets.get(seat.player, 0))
    return with_consequences(table, tuple(happened), now)


def _after_hand_of(table: Table, seat: Seat, now: int, wallet: int) -> list[e.Any]:
    """What the end of a hand brings to one seat."""
    if seat.after is AfterHand.LEAVE:
        return [e.SeatLeft(seat.number, seat.player, seat.stack, now)]
    happened: list[e.Any] = []
    if seat.after is AfterHand.SIT_OUT:
        happened.append(e.SatOut(seat.number, now))
    added = 0
    if seat.queued:
        added = min(seat.queued, wallet, max(0, table.settings.max_buyin - seat.stack))
        if added and (seat.stack or added >= table.settings.min_buyin):
            happened.append(e.ToppedUp(seat.number, added, now))
        else:
            happened.append(e.TopUpDropped(seat.number, seat.queued))
            added = 0
    if not seat.stack + added and not seat.out_since:
        happened.append(e.Busted(seat.number, now + 60_000 * table.settings.rebuy_minutes, now))
    back = refill(table.settings, seat)
    if back:
        happened.append(e.BankRefilled(seat.number, back))
    return happened


def with_consequences(table: Table | None, happened: tuple[e.Any, ...], now: int) -> tuple[e.Any, ...]:
    """Add to events what follows from them by itself: an agreed change, seats for the waiting list, the next deal, closing."""
    after = evolve_all(table, happened)
    while more := _consequence(after, now):
        happened += more
        after = evolve_all(after, more)
    return happened


def _consequence(table: Table, now: int) -> tuple[e.Any, ...]:
    """The first thing that follows from the state of the table; nothing once it is at rest."""
    if table.status is Status.CLOSED:
        return ()
    if table.status is Status.CLOSING and table.running is None:
        return close_now(table, now)
    if table.replay is not None and table.running is None and not enough_play(table):
        return (e.ReplayDropped(),)
    exchange, proposal = table.exchange, table.proposal
    if exchange is not None and not (table.seat_of(exchange.player) and table.seat_of(exchange.other)):
        return (e.ExchangeDropped(0),)
    if proposal is not None and table.running is None:
        if not proposal_fits(table, proposal):
            return (e.ProposalDropped(0),)
        if not consent_missing(table, proposal):
            if proposal.settings is not None:
                return (e.SettingsChanged(proposal.settings, now),)
            return (e.Adjusted(proposal.shifts, now),)
    if more := changes(table, now) or lots_are_drawn(table):
        return more
    if table.status is Status.OPEN and len(vacant(table)) > len(offered_to(table)):
        for one in table.waiting:
            if not one.offered_until:
                return (e.SeatOffered(one.player, now + 1000 * table.settings.offer_seconds),)
    if ready(table) and not table.next_hand_at and table.settings.auto_start:
        return (e.HandScheduled(max(now + 1000 * table.settings.pause_seconds, table.mixed.due)),)
    if table.next_hand_at and not ready(table):
        return (e.HandUnscheduled(),)
    return ()


def close_now(table: Table, now: int, reason: e.CloseReason = e.CloseReason.ASKED) -> tuple[e.Any, ...]:
    """Close the table between hands: everybody is paid out."""
    paid = tuple(e.SeatLeft(seat.number, seat.player, seat.stack, now, e.LeaveReason.CLOSED) for seat in table.seats)
    return (*paid, e.TableClosed(now, reason=reason))
