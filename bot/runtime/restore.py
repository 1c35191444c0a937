"""Taking up the open tables after a restart: the last snapshot, the events since, the deck from its secret, the clock where it stood.

Engine and ledger must agree. Where they do not, or where the cards are lost, the hand is voided and everybody gets back what the ledger
says he put in.

Source: design §3 "Recovery", §4, §6; laws I-1, TL-32.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec

from bot.engine import events as e
from bot.engine.evolve import begin, evolve_all
from bot.engine.hand import Hand
from bot.engine.rules import rules_for
from bot.ledger.accounts import Reason, Transfer, move
from bot.ledger.books import void_refunds
from bot.runtime.chips import Accounts
from bot.runtime.context import Context
from bot.runtime.decks import deck_of
from bot.runtime.draft import Standing
from bot.runtime.journal import DealtIn, TimeUp, TurnClock
from bot.runtime.now import Due, Place, Player
from bot.runtime.ports import Cause, Commit, SavedTable, TableRecord
from bot.runtime.session import TableSession
from bot.table.events import HandBegan, TableClosed
from bot.table.evolve import evolve
from bot.table.state import Table

log = logging.getLogger(__name__)

_tables = msgspec.msgpack.Decoder(Table)


class Unreadable(Exception):
    """A journal that this program cannot play again."""


def reader(context: Context) -> Callable[[SavedTable], Standing]:
    """Read a saved table with this process's secret."""
    return lambda saved: read(context, saved, decks_known=True)


def read(context: Context, saved: SavedTable, *, decks_known: bool) -> Standing:
    """Play a saved table again: its snapshot and the events after it.

    Where the deck is not known the hand has its chips and turns, and a pack of no meaning: it can be voided and nothing else.

    Raises:
        Unreadable: the events do not follow one another.
    """
    try:
        return _read(context, saved, decks_known=decks_known)
    except (AssertionError, LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise Unreadable(f"table {saved.record.id}: {error}") from error


def _read(context: Context, saved: SavedTable, *, decks_known: bool) -> Standing:
    table: Table | None = _tables.decode(saved.snapshot) if saved.snapshot is not None else None
    in_hand: list[e.Event] = []
    dealt: tuple[Player, ...] = ()
    started: e.HandStarted | None = None
    clock: TurnClock | None = None
    began: HandBegan | None = None
    for event in saved.events:
        if isinstance(event, e.HandStarted):
            started, in_hand, clock = event, [], None
        elif isinstance(event, e.Event):
            in_hand.append(event)
        elif isinstance(event, TurnClock):
            clock = event
        elif isinstance(event, DealtIn):
            dealt = tuple(Player(user, name) for user, name in event.players)
        elif not isinstance(event, TimeUp):
            began = event if isinstance(event, HandBegan) else began
            table = evolve(table, event)  # type: ignore[arg-type]
    if table is None:
        raise ValueError("neither a snapshot nor a first event")
    hand: Hand | None = None
    if started is not None:
        if began is None:
            raise ValueError("a hand that the table knows nothing of")
        hand = evolve_all(begin(started, _deck(context, saved, began, started, decks_known=decks_known)), in_hand)
    due: Due | None = None
    if hand is not None and table.running is not None:
        if clock is None or hand.over:
            raise ValueError("a hand is being played, and nobody is to act")
        seat = table.seat(clock.seat)
        if seat is None or hand.started.seats[hand.to_act] != clock.seat:
            raise ValueError("the clock runs for somebody who is not to act")
        due = Due(clock.seat, seat.player, hand.turn, clock.began, clock.turn_ends, clock.ends)
    elif table.running is not None:
        raise ValueError("a hand is being played, and it never began")
    return Standing(table, hand, dealt, due, saved.seq, saved.snapshot_seq)


def _deck(
    context: Context, saved: SavedTable, began: HandBegan, started: e.HandStarted, *, decks_known: bool
) -> tuple[int, ...]:
    hand = saved.hand
    if not decks_known:
        return tuple(rules_for(started.card, started.options, started.stakes).pack)
    if hand is None or hand.number != began.number:
        raise ValueError(f"the nonce of hand {began.number} is not there")
    return deck_of(context.master, saved.record.id, hand.nonce, began, started)


async def restore_all(context: Context, alive_at: int, *, decks_known: bool) -> list[TableSession]:
    """Take up every open table. `alive_at` is when the dealer was last known to be alive, in ms; clocks stood still since.

    Args:
        decks_known: the master secret is the one these hands were dealt from.
    """
    saved = await context.store.open_tables()
    taken_up = await asyncio.gather(*(_take_up(context, one, alive_at, decks_known=decks_known) for one in saved))
    return [session for session in taken_up if session is not None]


async def _take_up(context: Context, saved: SavedTable, alive_at: int, *, decks_known: bool) -> TableSession | None:
    record = saved.record
    place = place_of(record)
    fields = {"table": record.id, "hand": record.hands}
    try:
        standing = read(context, saved, decks_known=decks_known)
    except Unreadable:
        log.exception("a table cannot be read and is closed; everybody is paid what the ledger says", extra=fields)
        await _pay_out(context, saved)
        return None
    session = TableSession(context, place, standing, reader(context))
    if session.differs(saved.chips):
        log.error("engine and ledger differ; the table is closed and paid out by the ledger", extra=fields)
        await _pay_out(context, saved)
        return None
    if standing.table.running is None:
        return session
    if not decks_known:
        log.error("the master secret is lost; the hand is voided", extra=fields)
        await session.by_dealer(
            "restart", lambda draft: draft.void_unseen("I-1", "the dealer lost the order of the cards")
        )
    else:
        await session.by_dealer("restart", lambda draft: draft.resume_clock(alive_at))
    return session


def place_of(record: TableRecord) -> Place:
    """Where a registered table stands."""
    return Place(record.id, record.number, record.guild, record.channel)


async def _pay_out(context: Context, saved: SavedTable) -> None:
    """Close a table from the ledger alone: bets go back to those who made them, then everybody is paid (I-1)."""
    record = saved.record
    now = context.clock.now()
    await context.store.commit(
        Commit(
            guild=record.guild,
            cause=Cause(f"{record.id}:{saved.seq}", 0, now, "paid out"),
            table=record.id,
            seq=saved.seq,
            events=(TableClosed(now),),
            transfers=pay_out(saved),
            closes=True,
        )
    )


def pay_out(saved: SavedTable) -> tuple[Transfer, ...]:
    """The transfers that take every chip of a table back to the wallets of those the ledger says it belongs to."""
    table, chips = saved.record.id, saved.chips
    accounts = Accounts(table, chips.book)
    transfers = list(void_refunds(table, chips.pot, chips.staked, chips.book))
    stacks = dict(chips.stacks)
    for refund in transfers:
        stacks[refund.credit.user] = stacks.get(refund.credit.user, 0) + refund.chips
    for user, stack in stacks.items():
        transfers += move(accounts.seat(user), accounts.wallet(user), stack, Reason.CASH_OUT)
    if chips.pot and not chips.staked:  # a pot carried from a deal whose players are not remembered
        users = sorted(stacks) or [0]
        each, odd = divmod(chips.pot, len(users))
        for at, user in enumerate(users):
            transfers += move(accounts.pot, accounts.wallet(user), each + (at < odd), Reason.VOID_REFUND)
    return tuple(transfers)
