"""Restore the open tables after a restart: the last saved state, the events after it, the deck from its secret, the clock where it was.

Engine and ledger must agree. If they do not, the table is closed and everybody is paid what the ledger says. If the cards are lost, the
hand is voided and every player takes back what they put in. Laws: I-1, TL-32.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable

import msgspec

from bot.engine import events as e
from bot.engine.events import VoidReason
from bot.engine.evolve import begin_hand
from bot.engine.evolve import evolve as evolve_hand
from bot.engine.hand import Hand
from bot.engine.old_cards import CardDecoder
from bot.engine.rules_in_force import rules_in_force
from bot.ledger.accounts import Transfer, TransferReason, transfers_for
from bot.ledger.books import void_refunds
from bot.runtime.context import RuntimeContext
from bot.runtime.hand_deck import deck_for_hand
from bot.runtime.journal import DealtIn, TimeUp, TurnClockStarted
from bot.runtime.operations import dealer_returned
from bot.runtime.session import TableSession
from bot.runtime.sit_and_go import read_sit_and_go, shares_of_broken
from bot.runtime.snapshot import CurrentTurn, NamedPlayer, TableAddress, with_decision
from bot.runtime.store_types import Cause, Commit, SavedTable, TableRecord
from bot.runtime.transaction import SessionState
from bot.runtime.transfers import TableAccounts
from bot.table.events import HandBegan, TableClosed
from bot.table.evolve import evolve
from bot.table.state import Table

log = logging.getLogger(__name__)

_table_decoder = CardDecoder[Table](Table)


class UnreadableJournal(Exception):
    """A journal that this program cannot replay."""


def saved_table_reader(context: RuntimeContext) -> Callable[[SavedTable], SessionState]:
    """Return a function that reads a saved table with this process's secret."""
    return lambda saved: restore_state(saved, context.master_secret)


def restore_state(saved: SavedTable, master_secret: bytes | None) -> SessionState:
    """Replay a saved table: its saved state and the events after it.

    Without the secret of its decks (None) the hand has the right chips and turns but a deck without meaning: it can only be voided.

    Raises:
        UnreadableJournal: the events do not follow one another.
    """
    try:
        return _replay_journal(saved, master_secret)
    except (AssertionError, LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise UnreadableJournal(f"table {saved.record.id}: {error}") from error


def unreadable_tables(saved_tables: Iterable[SavedTable]) -> tuple[str, ...]:
    """Return why saved tables cannot be replayed, a sentence for each that cannot. Nothing is changed."""
    problems = []
    for saved in saved_tables:
        try:
            restore_state(saved, None)
        except UnreadableJournal as error:
            problems.append(str(error))
    return tuple(problems)


def _replay_journal(saved: SavedTable, master_secret: bytes | None) -> SessionState:
    table: Table | None = _table_decoder.decode(saved.saved_state) if saved.saved_state is not None else None
    hand_events: list[e.HandEvent] = []
    players: tuple[NamedPlayer, ...] = ()
    started: e.HandStarted | None = None
    clock: TurnClockStarted | None = None
    began: HandBegan | None = None
    for event in saved.events:
        if isinstance(event, e.HandStarted):
            started, hand_events, clock = event, [], None
        elif e.is_hand_event(event):
            hand_events.append(event)
        elif isinstance(event, TurnClockStarted):
            clock = event
        elif isinstance(event, DealtIn):
            players = tuple(NamedPlayer(user, name) for user, name in event.players)
        elif not isinstance(event, TimeUp):
            began = event if isinstance(event, HandBegan) else began
            table = evolve(table, event)  # type: ignore[arg-type]
    if table is None:
        raise ValueError("there is neither a saved state nor a first event")
    hand: Hand | None = None
    street: tuple[Hand, ...] = ()
    if started is not None:
        if began is None:
            raise ValueError("a hand started that the table did not begin")
        deck = _deck_of_saved_hand(saved, began, started, master_secret)
        hand = begin_hand(started, deck)
        for each in hand_events:
            hand = evolve_hand(hand, each)
            street = with_decision(street, hand)
    turn: CurrentTurn | None = None
    if hand is not None and table.running_hand is not None:
        if clock is None or hand.over:
            raise ValueError("a hand is running, and nobody is to act")
        seat = table.seat(clock.seat_number)
        if seat is None or hand.started.seat_numbers[hand.to_act] != clock.seat_number:
            raise ValueError("the clock runs for a player who is not to act")
        turn = CurrentTurn(
            seat.number, seat.player, hand.decision_number, clock.began_at, clock.turn_ends_at, clock.bank_ends_at
        )
    elif table.running_hand is not None:
        raise ValueError("a hand is running that never started")
    sit_and_go = read_sit_and_go(saved.occasion)
    return SessionState(table, hand, players, turn, saved.seq, saved.saved_state_seq, 0, street, sit_and_go)


def _deck_of_saved_hand(
    saved: SavedTable, began: HandBegan, started: e.HandStarted, master_secret: bytes | None
) -> tuple[int, ...]:
    hand = saved.last_hand
    if master_secret is None:
        return tuple(rules_in_force(started.rule_card, started.options, started.stakes).deck_cards)
    if hand is None or hand.number != began.number:
        raise ValueError(f"the nonce of hand {began.number} is missing")
    return deck_for_hand(master_secret, saved.record.id, hand.nonce, began, started)


async def restore_all(context: RuntimeContext, alive_at: int, cannot_go_on: VoidReason | None) -> list[TableSession]:
    """Restore every open table. Between any two the event loop looks after everything else; those that were read are saved meanwhile.

    Args:
        alive_at: when the dealer was last known to be alive, in ms; clocks have stood still since then.
        cannot_go_on: why no running hand can go on: the master secret is another one, or the data is older than what was played;
            None if they can.
    """
    saved = await context.store.open_tables()
    restoring = []
    for one in saved:
        restoring.append(asyncio.create_task(_restore_table(context, one, alive_at, cannot_go_on)))
        await asyncio.sleep(0)
    restored = await asyncio.gather(*restoring)
    return [session for session in restored if session is not None]


async def _restore_table(
    context: RuntimeContext, saved: SavedTable, alive_at: int, cannot_go_on: VoidReason | None
) -> TableSession | None:
    record = saved.record
    fields = {"table": record.id, "hand": record.hand_count}
    try:
        state = restore_state(saved, None if cannot_go_on is VoidReason.LOST_CARDS else context.master_secret)
    except UnreadableJournal:
        log.exception("restore_journal_unreadable", extra=fields)
        await _close_and_pay_out(context, saved)
        return None
    session = TableSession(context, address_of(record), state, saved_table_reader(context))
    if session.chip_faults(saved.chips):
        log.error("restore_ledger_mismatch", extra=fields)
        await _close_and_pay_out(context, saved)
        return None
    if state.sit_and_go is not None and state.sit_and_go.event.is_running:
        await session.ask_as_dealer("restart", dealer_returned(alive_at))
    if state.table.running_hand is None:
        return session
    if cannot_go_on is not None:
        log.error("restore_hand_voided", extra={**fields, "reason": cannot_go_on.value})
        await session.ask_as_dealer("restart", lambda transaction: transaction.void_lost_hand("I-1", cannot_go_on))
    else:
        await session.ask_as_dealer("restart", lambda transaction: transaction.resume_clock(alive_at))
    return session


def address_of(record: TableRecord) -> TableAddress:
    """Return the address of a registered table."""
    return TableAddress(record.id, record.number, record.guild, record.channel)


async def _close_and_pay_out(context: RuntimeContext, saved: SavedTable) -> None:
    """Close a table by the ledger alone: bets go back to the players who made them, then everybody is paid out (I-1)."""
    record = saved.record
    now = context.clock.now()
    shares = shares_of_broken(saved, now)
    await context.store.commit(
        Commit(
            guild=record.guild,
            cause=Cause(f"{record.id}:{saved.seq}", 0, now, "paid out"),
            table=record.id,
            seq=saved.seq,
            events=(TableClosed(now),),
            transfers=(*payout_transfers(saved), *shares.transfers),
            flows=shares.flows,
            occasion=shares.change,
            closes=True,
        )
    )


def payout_transfers(saved: SavedTable) -> tuple[Transfer, ...]:
    """Return the transfers that return every chip of a table to the wallet of its owner, as the ledger has it."""
    table, chips = saved.record.id, saved.chips
    accounts = TableAccounts(table, chips.book)
    transfers = list(void_refunds(table, chips.pot, chips.in_pot, chips.book))
    stacks = dict(chips.stacks)
    for refund in transfers:
        stacks[refund.credit.user] = stacks.get(refund.credit.user, 0) + refund.chips
    for user, stack in stacks.items():
        transfers += transfers_for(accounts.seat(user), accounts.wallet(user), stack, TransferReason.CASH_OUT)
    if chips.pot and not chips.in_pot:  # a pot carried from a hand whose players are not known
        users = sorted(stacks) or [0]
        each, odd = divmod(chips.pot, len(users))
        for index, user in enumerate(users):
            share = each + (index < odd)
            transfers += transfers_for(accounts.pot, accounts.wallet(user), share, TransferReason.VOID_REFUND)
            stacks[user] = stacks.get(user, 0) + share
    for user in dict.fromkeys((*stacks, *chips.away)):  # table chips end with their game (TC-1)
        transfers += accounts.ended(user, stacks.get(user, 0) + chips.away.get(user, 0))
    return tuple(transfers)
