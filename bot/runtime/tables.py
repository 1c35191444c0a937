"""All open tables of the bot: what the cogs talk to. Cogs never see the store, the engine's hand or a session.

Every method that changes something returns after it has been saved, and raises a `TableError` when it is refused; a refusal changes
nothing. None of them awaits Discord.

Source: design §1, §4; style §6.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable

import msgspec
from msgspec import Struct

from bot.engine import commands as c
from bot.engine.refusals import NotDealtIn
from bot.engine.view import HandView
from bot.fair.secrets import hand_secret, new_nonce
from bot.ledger.books import Fault
from bot.runtime import rulings
from bot.runtime.asked import Asked
from bot.runtime.clock import Alarm, Clock, SystemClock
from bot.runtime.context import Context
from bot.runtime.errors import DealerStopping, NoHandYet, NoSuchTable, NoTableHere, TableGone
from bot.runtime.handlog import hand_log
from bot.runtime.now import Place, TableNow
from bot.runtime.opening import open_table
from bot.runtime.outcome import Change, HandLog, Outcome, Sink
from bot.runtime.policies import Policies
from bot.runtime.ports import Store, StoreClosed, StoreFailed
from bot.runtime.restore import restore_all
from bot.runtime.rulings import Ruling
from bot.runtime.session import TableSession
from bot.runtime.wallets import Wallets
from bot.table import commands as t
from bot.table.preselected import Choice
from bot.table.settings import TableSettings
from bot.table.state import ChipShift, Entry

log = logging.getLogger(__name__)

HEARTBEAT_MS = 5_000
"""How often the dealer notes that it is alive, and looks whether a table stands still."""
ALIVE = "runtime.alive"
MASTER = "runtime.master"


class Master(Struct, frozen=True):
    """What is kept about the master secret: enough to tell another one, and since when (ms) hands are dealt from it."""

    fingerprint: bytes
    since: int


class Tables:
    """The open tables.

    Args:
        store: open already; whoever opened it closes it after `drain`.
        master: the master secret the decks come from. If it is another one than open hands were dealt from, they are voided and paid back.
        sink: takes every change; see `Sink`.
        policies: how practice players play; None where there are none.
        nonce: makes the nonce of a hand; tests bring their own to know the cards.
        dice: lots and shuffles that are no part of a hand (free seats, drawing for seats, a practice player's moods).
    """

    def __init__(
        self,
        store: Store,
        master: bytes,
        *,
        sink: Sink,
        clock: Clock | None = None,
        policies: Policies | None = None,
        dice: random.Random | None = None,
        nonce: Callable[[], bytes] = new_nonce,
    ) -> None:
        self._store = store
        self._clock: Clock = clock or SystemClock()
        self.wallets = Wallets(store, self._clock)
        self._context = Context(
            store=store,
            master=master,
            clock=self._clock,
            publish=self._publish,
            wallets=self.wallets,
            policies=policies,
            dice=dice or secrets.SystemRandom(),
            gone=self._gone,
            nonce=nonce,
        )
        self._sink = sink
        self._sessions: dict[int, TableSession] = {}
        self._channels: dict[tuple[int, int], int] = {}
        self._restoring: dict[int, Change] | None = None
        self._heartbeat: Alarm | None = None
        self._beating: asyncio.Task[None] | None = None

    # starting and stopping

    async def restore(self) -> tuple[TableNow, ...]:
        """Take up every open table where it was, and start the clocks. Hands that cannot go on are voided and paid back."""
        context = self._context
        self._restoring = {}
        master = Master(hand_secret(context.master, 0, 0, b""), 0)
        kept = await self._store.value(MASTER)
        known = msgspec.msgpack.decode(kept, type=Master) if kept is not None else None
        lost = known is not None and known.fingerprint != master.fingerprint
        context.master_since = known.since if known is not None and not lost else self._clock.now() if lost else 0
        if lost:
            log.warning(
                "the key of the decks is not the one that hands were dealt from: running hands are void and paid back"
            )
        sessions = await restore_all(context, await self._alive_at(), decks_known=not lost)
        if known is None or lost:
            await self._store.keep(MASTER, msgspec.msgpack.encode(Master(master.fingerprint, context.master_since)))
        for session in sessions:
            self._add(session)
        changed, self._restoring = self._restoring or {}, None
        for session in sessions:
            session.resume()
            events = changed[session.id].events if session.id in changed else ()
            self._publish(Change(now=session.now(), events=events, restored=True))
        self._beat()
        return tuple(session.now() for session in sessions)

    async def drain(self) -> None:
        """Begin nothing new, finish what is being saved, and stop the clocks. Hands stay where they are, in the store."""
        self._context.stopping = True
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        await asyncio.gather(*(session.stop() for session in self._sessions.values()))
        self._context.thinking.stop()
        if self._beating is not None:
            await self._beating
        await self._note_alive()

    async def quiet(self) -> None:
        """Wait until nothing is being ruled on or saved, and no practice player is choosing."""
        while any([await session.quiet() for session in tuple(self._sessions.values())]):
            pass
        if self._beating is not None:
            await asyncio.wait({self._beating})

    @property
    def stopping(self) -> bool:
        return self._context.stopping

    # finding

    def now(self, table: int) -> TableNow:
        """A table by its id, as it stands now.

        Raises:
            TableGone: it is closed.
        """
        return self._session(table).now()

    def table_in_channel(self, guild: int, channel: int) -> TableNow | None:
        """The open table of a channel or thread."""
        table = self._channels.get((guild, channel))
        return self._sessions[table].now() if table is not None else None

    def tables(self, guild: int) -> tuple[TableNow, ...]:
        """The open tables of a server, by number."""
        here = [session.now() for session in self._sessions.values() if session.place.guild == guild]
        return tuple(sorted(here, key=lambda now: now.place.number))

    def all_tables(self) -> tuple[TableNow, ...]:
        """Every open table."""
        return tuple(session.now() for session in self._sessions.values())

    def table_numbered(self, guild: int, number: int) -> TableNow:
        """An open table by its number in the server.

        Raises:
            NoSuchTable: it is not open.
        """
        here = self.tables(guild)
        for now in here:
            if now.place.number == number:
                return now
        raise NoSuchTable(number=number, known=tuple(now.place.number for now in here))

    def tables_of(self, guild: int, user: int) -> tuple[TableNow, ...]:
        """The open tables of a server where somebody is seated."""
        return tuple(now for now in self.tables(guild) if any(seat.player == user for seat in now.table.seats))

    def table_asked(self, asked: Asked) -> TableNow:
        """The table a request is about.

        Raises:
            NoTableHere, TableGone.
        """
        return self._asked(asked).now()

    # reading

    def peek(self, asked: Asked) -> HandView:
        """The hand as who asks may see it: with his own cards.

        Raises:
            NotDealtIn: he has no cards in it.
        """
        own = self._asked(asked).now().seen_by(asked.user)
        if own is None:
            raise NotDealtIn
        return own

    async def last_hand(self, asked: Asked, number: int = 0) -> HandLog:
        """A hand of the table as it was played; 0 for the last one that is over, or the running one before any is.

        Raises:
            NoHandYet: nothing has been dealt, or not that hand.
        """
        session = self._asked(asked)
        now = session.now()
        if not number:
            number = now.hand_number - 1 if now.running and now.hand_number > 1 else now.hand_number
        saved = await self._store.hand(session.id, number) if number else None
        if saved is None:
            raise NoHandYet(hands=now.hand_number)
        return hand_log(self._context, session.place, saved, asked.user)

    # asking

    async def open(self, asked: Asked, settings: TableSettings) -> Outcome:
        """Open a table in the channel; who asks is its host.

        Raises:
            ChannelTaken: one is open there.
            DealerStopping: not now.
            LawError: the settings do not go together.
        """
        if self._context.stopping:
            raise DealerStopping
        session, outcome = await open_table(self._context, asked, settings, self._sessions)
        if session is not None:
            self._add(session)
            session.resume()
            self._publish(Change(now=outcome.now, events=outcome.events, by=asked.user, key=asked.key, opened=True))
        return outcome

    async def act(self, asked: Asked, command: c.Command) -> Outcome:
        """Ask for an action in the hand: fold, check, call, bet, raise, all-in, show, muck …

        Raises:
            StaleButton: the button was drawn for an earlier action.
            LawError: it is not lawful now.
        """
        return await self._do(asked, type(command).__name__.lower(), rulings.act(asked, command))

    async def preselect(self, asked: Asked, choice: Choice | None, chips: int = 0) -> Outcome:
        """Choose before one's turn what one does at it: private, for this street only; None takes it back (TL-34).

        Args:
            chips: the call that was offered when it was chosen; 0 for whatever it costs now.

        Raises:
            StaleButton: the button was drawn for an earlier street.
            LawError: it cannot be chosen, or no longer.
        """
        return await self._do(asked, "preselect", rulings.preselect(asked, choice, chips))

    async def time(self, asked: Asked) -> Outcome:
        """Say that one takes the time bank; it is spent by itself once the clock has run out (TL-31)."""
        return await self._do(asked, "time", rulings.call_time(asked))

    async def sit(self, asked: Asked, chips: int, seat: int = 0) -> Outcome:
        """Take a seat with chips from the wallet; 0 for any free seat, by lot."""
        lot = self._context.dice.randrange(1 << 30)
        await self._open_wallet(asked)
        return await self._table(asked, "sit", t.Sit(asked.user, asked.name, chips, seat, lot))

    async def leave(self, asked: Asked) -> Outcome:
        """Get up with one's chips, after the hand one is dealt into."""
        return await self._table(asked, "leave", t.Leave(asked.user))

    async def sit_out(self, asked: Asked) -> Outcome:
        return await self._table(asked, "sit out", t.SitOut(asked.user))

    async def back(self, asked: Asked, entry: Entry | None = None) -> Outcome:
        """Play again. Who owes blinds is refused with `BlindsOwed` until he says how he comes in."""
        return await self._table(asked, "back", t.Back(asked.user, entry))

    async def rebuy(self, asked: Asked, chips: int) -> Outcome:
        """Add chips from the wallet: now, or at the next deal."""
        await self._open_wallet(asked)
        return await self._table(asked, "rebuy", t.TopUp(asked.user, chips))

    async def straddle(self, asked: Asked, *, on: bool = True) -> Outcome:
        """Ask for the live straddle at the next deal, or take that back."""
        return await self._table(asked, "straddle", t.PledgeStraddle(asked.user, on))

    async def start_hand(self, asked: Asked) -> Outcome:
        """Deal now."""
        return await self._table(asked, "deal", t.StartHand(asked.user))

    async def wait(self, asked: Asked) -> Outcome:
        """Join the waiting list."""
        return await self._table(asked, "wait", t.JoinWaitingList(asked.user, asked.name))

    async def wait_no_longer(self, asked: Asked) -> Outcome:
        return await self._table(asked, "wait no longer", t.LeaveWaitingList(asked.user))

    async def change_settings(self, asked: Asked, settings: TableSettings) -> Outcome:
        """Change what the table has agreed on: at once where who asks may, else proposed to all seated."""
        return await self._table(asked, "settings", t.ChangeSettings(asked.user, settings, asked.staff))

    async def consent(self, asked: Asked) -> Outcome:
        return await self._table(asked, "consent", t.Consent(asked.user))

    async def object_to(self, asked: Asked) -> Outcome:
        return await self._table(asked, "object", t.Object(asked.user))

    async def adjust(self, asked: Asked, shifts: tuple[ChipShift, ...]) -> Outcome:
        """Propose an equitable adjustment of stacks (H-3)."""
        return await self._table(asked, "adjust", t.ProposeAdjustment(asked.user, shifts))

    async def exchange(self, asked: Asked, seat: int) -> Outcome:
        """Ask to exchange seats (P-12)."""
        return await self._table(asked, "exchange", t.ExchangeSeats(asked.user, seat))

    async def draw_seats(self, asked: Asked) -> Outcome:
        """Demand that seats be drawn (P-7, P-10)."""
        return await self._do(asked, "draw seats", rulings.draw_seats(asked))

    async def choose_seat(self, asked: Asked, seat: int) -> Outcome:
        """Before seats are drawn: the banker, or without one the first dealer, chooses his (P-8, P-9)."""
        return await self._table(asked, "choose seat", t.ChooseSeat(asked.user, seat))

    async def choose_place(self, asked: Asked, *, left: bool) -> Outcome:
        """Before seats are drawn: the first dealer sits left of the banker, or joins the draw (P-8)."""
        return await self._table(asked, "choose place", t.ChoosePlace(asked.user, left))

    async def name_substitute(self, asked: Asked, substitute: int) -> Outcome:
        """Name who takes one's seat; 0 takes that back (P-11)."""
        return await self._table(asked, "substitute", t.NameSubstitute(asked.user, substitute))

    async def remove(self, asked: Asked, target: int) -> Outcome:
        """Staff removes a player, after the hand he is in; he is paid out."""
        return await self._table(asked, "remove", t.Remove(asked.user, target, asked.staff))

    async def draw_for_deal(self, asked: Asked) -> Outcome:
        """Draw for the first deal now, in the table's way (D-1, D-2, D-13)."""
        return await self._do(asked, "draw for deal", rulings.draw_for_deal(asked))

    async def cut_for_deal(self, asked: Asked, position: int) -> Outcome:
        """Cut for the first deal at a place counted from 1 (D-2)."""
        return await self._do(asked, "cut for deal", rulings.cut_for_deal(asked, position))

    async def shuffle(self, asked: Asked) -> Outcome:
        """Have the pack shuffled once more before the deal (D-3)."""
        return await self._table(asked, "shuffle", t.Shuffle(asked.user))

    async def cut_pack(self, asked: Asked, points: tuple[int, ...]) -> Outcome:
        """Cut the pack for the next deal, at one point or two counted from the top (D-5 to D-7)."""
        return await self._table(asked, "cut", t.CutPack(asked.user, points))

    async def decline_cut(self, asked: Asked) -> Outcome:
        """Let the cut go (D-6)."""
        return await self._table(asked, "no cut", t.DeclineCut(asked.user))

    async def skip_deal(self, asked: Asked) -> Outcome:
        """Ask to be passed over as dealer: always refused (D-12)."""
        return await self._table(asked, "skip deal", t.SkipDeal(asked.user))

    async def claim_misdeal(self, asked: Asked) -> Outcome:
        """Say that the deal was irregular; it does not count once all people dealt in say so in time (I-2, TL-29)."""
        return await self._do(asked, "misdeal", rulings.claim_misdeal(asked))

    async def choose_game(self, asked: Asked, place: int) -> Outcome:
        """Choose the next game, by its place in the rotation, where the dealer chooses (VC-28)."""
        return await self._table(asked, "choose game", t.ChooseGame(asked.user, place))

    async def vote_bomb(self, asked: Asked, *, on: bool = True) -> Outcome:
        """Ask for a bomb pot, or take that back (VC-29)."""
        return await self._table(asked, "bomb", t.VoteBomb(asked.user, on))

    async def close(self, asked: Asked) -> Outcome:
        """Close the table, after the hand if one is running; everybody is paid out."""
        return await self._table(asked, "close", t.Close(asked.user, asked.staff))

    async def close_by_dealer(self, table: int) -> None:
        """Close a table that nobody can play at any more, its channel being gone: a running hand is voided, everybody is paid out."""
        session = self._session(table)
        await session.by_dealer("close", rulings.close_at_once("its channel is gone"))

    async def moved(self, table: int, channel: int) -> None:
        """The table goes on in another channel."""
        session = self._session(table)
        before = session.place
        await session.by_dealer("move", rulings.move(channel))
        self._channels.pop((before.guild, before.channel), None)
        self._channels[before.guild, channel] = table

    async def void(self, asked: Asked, reason: str) -> Outcome:
        """Void the running hand; each takes back what he put in. For staff who are not dealt into it, with a reason."""
        return await self._do(asked, "void", rulings.void(asked, reason))

    async def seat_practice(self, asked: Asked, players: int) -> Outcome:
        """Seat so many practice players at a practice table, as far as there are seats. For host and staff."""
        names = self._context.policies.names() if self._context.policies is not None else ()
        return await self._do(asked, "practice", rulings.seat_practice(asked, players, names))

    async def person_left(self, guild: int, user: int) -> None:
        """Somebody has left the server: he gets up from its tables, after the hands he is dealt into."""
        for now in self.tables_of(guild, user):
            await self._session(now.id).by_dealer("left the server", rulings.table_command(t.Leave(user)))

    async def audit(self, guild: int) -> tuple[Fault, ...]:
        """Hold what the engine says is on the tables of a server against what the ledger says (design §3)."""
        here = [session for session in self._sessions.values() if session.place.guild == guild]
        return tuple(fault for faults in await asyncio.gather(*(one.audit() for one in here)) for fault in faults)

    # inside

    async def _open_wallet(self, asked: Asked) -> None:
        session = self._asked(asked)
        if session.practice:
            await self.wallets.open_for_practice(asked.guild, asked.user, session.standing.table.settings.min_buyin)
        else:
            await self.wallets.open(asked.guild, asked.user)

    def _beat(self) -> None:
        """Note that the dealer is alive, look after tables that stand still, and come again."""
        if self._context.stopping:
            return
        now = self._clock.now()
        if self._heartbeat is not None:  # at the first beat nothing has had its chance yet
            for session in tuple(self._sessions.values()):
                session.poke(now)
        if self._beating is None or self._beating.done():
            self._beating = asyncio.get_running_loop().create_task(self._note_alive(), name="heartbeat")
        self._heartbeat = self._clock.call_at(now + HEARTBEAT_MS, self._beat)

    async def _note_alive(self) -> None:
        """Keep the hour: after a crash the clocks of running hands go on from the last one kept."""
        if all(session.standing.due is None for session in self._sessions.values()):
            return
        try:
            await self._store.keep(ALIVE, str(self._clock.now()).encode())
        except (StoreFailed, StoreClosed) as error:
            log.warning("the hour was not kept: %s", error)

    async def _alive_at(self) -> int:
        kept = await self._store.value(ALIVE)
        return int(kept) if kept else 0

    async def _table(self, asked: Asked, what: str, command: t.Any) -> Outcome:
        return await self._do(asked, what, rulings.table_command(command))

    async def _do(self, asked: Asked, what: str, ruling: Ruling) -> Outcome:
        return await self._asked(asked).ask(asked, what, ruling)

    def _asked(self, asked: Asked) -> TableSession:
        if asked.table:
            session = self._session(asked.table)
            if session.place.guild != asked.guild:
                raise TableGone(table=asked.table)
            return session
        table = self._channels.get((asked.guild, asked.channel))
        if table is None:
            raise NoTableHere(channel=asked.channel)
        return self._sessions[table]

    def _session(self, table: int) -> TableSession:
        session = self._sessions.get(table)
        if session is None:
            raise TableGone(table=table)
        return session

    def _add(self, session: TableSession) -> None:
        self._sessions[session.id] = session
        self._channels[session.place.guild, session.place.channel] = session.id

    def _gone(self, place: Place) -> None:
        self._sessions.pop(place.id, None)
        if self._channels.get((place.guild, place.channel)) == place.id:
            del self._channels[place.guild, place.channel]

    def _publish(self, change: Change) -> None:
        if self._restoring is not None:  # a table is shown once all are found again
            self._restoring[change.now.id] = change
            return
        try:
            self._sink(change)
        except Exception:
            log.exception("a change was not shown", extra={"table": change.now.id})
