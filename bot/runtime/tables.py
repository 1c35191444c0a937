"""All open tables: what the cogs talk to. Cogs never see the store, the engine's hand or a session.

A method that changes something returns after it has been saved. It raises a `TableError` if it is refused, and then nothing has changed.
No method awaits Discord.
"""

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.events import VoidReason
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.refusals import ChallengerCannotPlay, InAnotherEvent
from bot.events.sit_and_go.state import Duellist, SitAndGoSettings
from bot.fair.deck_order import hand_secret, new_nonce
from bot.house.rules import HouseRules
from bot.ledger.accounts import Book
from bot.ledger.books import BookFault
from bot.ledger.refusals import ChipsHeld, NewcomerMustWait
from bot.runtime.caps import Caps, OneEvent, TooMany
from bot.runtime.clock import Alarm, AlarmClock, SystemClock
from bot.runtime.closed_games import CLOSED_GAMES, ClosedGames
from bot.runtime.commands import BuyInWithGifts, PlayerCommand, SeatPracticePlayers
from bot.runtime.context import RuntimeContext
from bot.runtime.deletions import Deletions
from bot.runtime.errors import (
    DealerStopping,
    NeverClosesForStaffOnly,
    NotInServer,
    PlayerRoleMissing,
    SeatsElsewhere,
    TableGone,
)
from bot.runtime.guests import EVERYBODY, TableGuests
from bot.runtime.open_table import open_table
from bot.runtime.operations import TableOperation, close_for_season, remove_player, vacation, void_hand_and_close
from bot.runtime.practice import PracticePolicies
from bot.runtime.request import Request
from bot.runtime.restore import restore_all
from bot.runtime.run_out import RunOut
from bot.runtime.saved_values import OF_THE_BOT, SavedKind, SavedValues
from bot.runtime.session import TableSession
from bot.runtime.sessions import Sessions
from bot.runtime.sit_and_go import event_command
from bot.runtime.snapshot import (
    RequestOutcome,
    TableAddress,
    TableOutline,
    TableUpdate,
    UpdateListener,
)
from bot.runtime.staff_log import StaffLog
from bot.runtime.staff_log_types import Ban
from bot.runtime.store_errors import DataBeingDeleted, StoreClosed, StoreFailed
from bot.runtime.store_types import ROLLED_BACK_KEY, Forgetting, Forgotten
from bot.runtime.table_reader import TableReader, require_known
from bot.runtime.taken import TakenList
from bot.runtime.taken_elsewhere import TakenElsewhere, seat_kind, table_kind
from bot.runtime.wallets import Wallets
from bot.signals import Signals, TableAsleep, TableAwake
from bot.store.store import Store
from bot.table import commands as tc
from bot.table.queries import host_of, require_admitted
from bot.table.settings import TableSettings
from bot.table.state import Table
from bot.table.validate_settings import validate_settings

log = logging.getLogger(__name__)

HEARTBEAT_MS = 5_000
"""How often the dealer saves that it is alive, and wakes tables that are overdue."""
_ALIVE_AT = SavedKind[tuple[()], int]("runtime.alive", OF_THE_BOT, int)


class MasterSecretRecord(Struct, frozen=True):
    """Identifies the master secret without holding it; `since` is when, in ms, hands were first dealt from it."""

    fingerprint: bytes
    since: int


MASTER_SECRET = SavedKind[tuple[()], MasterSecretRecord]("runtime.master", OF_THE_BOT, MasterSecretRecord)


class Tables(TableReader):
    """The open tables: they are restored, asked and closed here. What changes nothing is asked of a `TableReader`.

    Args:
        store: must be open; whoever opened it closes it after `drain`.
        master_secret: the decks come from it. Running hands that were dealt from another secret are voided and paid back.
        on_update: gets every change; see `UpdateListener`.
        policies: how practice players play; None if there are none.
        make_nonce: makes the nonce of a hand; tests give their own to know the cards.
        rng: for lots and shuffles that are no part of a hand: free seats, the draw for seats, how long a practice player thinks.
        show_run_outs: show all-in hands street by street (`bot.runtime.run_out`).
        sessions: where the open tables are kept; they are read by whoever has to know which hands are not shown yet.
        signals: hear of the staff log.
        taken: where the dealers of a bot write down what people have in all servers; None for a dealer who is the only one.
        follow_deletions, forget_elsewhere: are called while somebody's data is being deleted; see `bot.runtime.deletions`.
    """

    def __init__(
        self,
        store: Store,
        master_secret: bytes,
        *,
        on_update: UpdateListener,
        clock: AlarmClock | None = None,
        policies: PracticePolicies | None = None,
        rng: random.Random | None = None,
        make_nonce: Callable[[], bytes] = new_nonce,
        show_run_outs: bool = False,
        sessions: Sessions | None = None,
        signals: Signals | None = None,
        follow_deletions: Callable[[], Awaitable[None]] | None = None,
        forget_elsewhere: Callable[[int], Awaitable[None]] | None = None,
        taken: TakenList | None = None,
    ) -> None:
        self._saved_games = SavedValues(CLOSED_GAMES, store)
        self._saved_alive_at = SavedValues(_ALIVE_AT, store)
        clock = clock or SystemClock()
        self.staff_log = StaffLog(store, clock, signals)
        self.wallets = Wallets(store, clock, self.staff_log, master_secret)
        context = RuntimeContext(
            store=store,
            master_secret=master_secret,
            clock=clock,
            publish=self._publish,
            wallets=self.wallets,
            staff_log=self.staff_log,
            policies=policies,
            rng=rng or secrets.SystemRandom(),
            on_table_closed=self._remove_session,
            on_table_awake=lambda table: self._signals.send(TableAwake(table)),
            make_nonce=make_nonce,
            shows_run_outs=show_run_outs,
        )
        super().__init__(context, sessions if sessions is not None else Sessions())
        self._on_update, self._signals = on_update, signals or Signals()
        self._caps = Caps(self._sessions)
        self._events = OneEvent(self._sessions)
        self._elsewhere = TakenElsewhere(taken, self._sessions)
        self._closed_games = ClosedGames()
        self._restore_updates: dict[int, TableUpdate] | None = None
        self._shown_again: set[int] = set()
        self._heartbeat: Alarm | None = None
        self._alive_task: asyncio.Task[None] | None = None
        self._after_deletion: list[Callable[[int, int], Awaitable[None]]] = []
        self._deletions = self.deletions = Deletions(
            store,
            self._clock,
            self._sessions,
            self._data_deleted,
            follow_deletions or _keep_nothing,
            forget_elsewhere,
        )

    # starting and stopping

    async def restore(self) -> tuple[TableOutline, ...]:
        """Restore every open table and start the clocks. Hands that cannot go on are voided and paid back."""
        context = self._context
        self._restore_updates = {}
        await self.staff_log.load()
        fingerprint = hand_secret(context.master_secret, 0, 0, b"")
        saved_secret = SavedValues(MASTER_SECRET, self._store)
        known = await saved_secret.get(())
        lost = known is not None and known.fingerprint != fingerprint
        if lost:
            context.master_secret_since = self._clock.now()
        elif known is not None:
            context.master_secret_since = known.since
        if lost:
            log.warning("master_secret_changed", extra={"since": context.master_secret_since})
        self._closed_games.load(await self._saved_games.load())
        await self._forget_closed_games()
        rolled_back = await self._store.value(ROLLED_BACK_KEY) is not None
        cannot_go_on = VoidReason.LOST_CARDS if lost else VoidReason.ROLLED_BACK if rolled_back else None
        sessions = await restore_all(context, await self._last_alive_at(), cannot_go_on)
        if rolled_back:  # the mark goes only now: a restart in between cancels the hands that are left
            await self._store.keep(ROLLED_BACK_KEY, None)
        if known is None or lost:
            await saved_secret.keep((), MasterSecretRecord(fingerprint, context.master_secret_since))
        for session in sessions:
            self._add_session(session)
        await self._elsewhere.begin()
        for session in sessions:
            session.start_clocks()
            held_back = self._restore_updates.get(session.id)
            self._shown_again.add(session.id)
            events = held_back.events if held_back is not None else ()
            self._publish(TableUpdate(snapshot=session.snapshot(), events=events, restored=True))
            await asyncio.sleep(0)  # with a thousand tables, each one is another moment
        self._restore_updates = None
        self._shown_again.clear()
        self._on_heartbeat()
        for session in sessions:  # a crash can have come between a ban and the leaving
            table = session.state.table
            for user in {*(seat.player for seat in table.seats), *(waiting.player for waiting in table.waiting)}:
                if self.staff_log.is_banned(session.address.guild, user):
                    await session.ask_as_dealer("banned", remove_player(user))
        await self._deletions.resume()
        return self.all_tables()

    async def drain(self) -> None:
        """Start nothing new, finish what is being saved, and stop the clocks. Running hands stay in the store."""
        self._context.stopping = True
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        await self._deletions.stop()
        await asyncio.gather(*(session.stop() for session in self._sessions.values()))
        self._context.practice_thread.stop()
        if self._alive_task is not None:
            await self._alive_task
        await self._save_alive_at()
        await self._elsewhere.end()

    async def wait_until_idle(self) -> None:
        """Wait until no request is being processed and no practice player thinks."""
        while any([await session.wait_until_idle() for session in tuple(self._sessions.values())]):
            pass
        if self._alive_task is not None:
            await asyncio.wait({self._alive_task})

    @property
    def stopping(self) -> bool:
        return self._context.stopping

    # asking

    async def open(
        self,
        request: Request,
        settings: TableSettings,
        guests: TableGuests = EVERYBODY,
        sit_and_go: SitAndGoSettings | None = None,
    ) -> RequestOutcome:
        """Open a table in the channel of the request. The player who asks is its host.

        Args:
            sit_and_go: what is played there instead of an ordinary game.

        Raises:
            NotInServer: the request comes from direct messages.
            ChannelTaken: a table is open there.
            Banned.
            PlayerRoleMissing: only people with a role play in the server.
            DealerStopping: the dealer is about to stop.
            TooManyHostedTables, TooManyPracticeTables, TooManyTables: one person or one server has enough of them.
            LawError: the settings contradict each other.
        """
        self._require_host(request)
        rules = await self._store.house_rules(request.guild)
        _require_player_role(request, rules)
        if not settings.idle_minutes and not request.staff:  # a house game can have been saved by staff
            settings = replace(settings, idle_minutes=rules.idle_close_minutes)
        await self._forget_closed_games()
        async with self._elsewhere.table_asked_for(request.user, settings, request.channel) as others:
            try:
                with self._caps.opening(request.guild, request.user, settings, rules, others):
                    session, outcome = await self._open(request, settings, guests, sit_and_go)
            except TooMany:
                if await self._store.receipt(request.key) is None:
                    raise
                session, outcome = await self._open(request, settings, guests, sit_and_go)
            if session is not None:
                self._add_session(session)
                session.start_clocks()
                self._publish(
                    TableUpdate(
                        snapshot=outcome.snapshot,
                        events=outcome.events,
                        requested_by=request.user,
                        request_key=request.key,
                    )
                )
        return outcome

    async def require_may_open(self, request: Request, settings: TableSettings) -> None:
        """Refuse a table that `open` would refuse for anything but its channel, before a thread is made for it.

        Raises:
            Banned, PlayerRoleMissing, DealerStopping, TooManyHostedTables, TooManyPracticeTables, TooManyTables, LawError.
        """
        self._require_host(request)
        validate_settings(settings)
        rules = await self._store.house_rules(request.guild)
        _require_player_role(request, rules)
        async with self._elsewhere.table_asked_for(request.user, settings, request.channel) as others:
            with self._caps.opening(request.guild, request.user, settings, rules, others):
                pass

    async def ask(self, request: Request, command: PlayerCommand) -> RequestOutcome:
        """Carry out a player's command; returns once it is saved.

        The runtime fills in what only the dealer knows: lots, shuffled decks, whose turn it is. Taking a seat or topping up opens
        the player's wallet first.

        Raises:
            Banned: staff have banned the player.
            PlayerRoleMissing: they want to sit down, and only people with a role play in the server.
            DataBeingDeleted: the player's data is being deleted.
            StaleButton: the button was drawn for an earlier action, or for a preselection on an earlier street.
            TableError: the command is refused, or could not be saved; nothing has changed.
            NewcomerMustWait: the player has too few chips, and is too new for the house's.
            SeatsElsewhere: the player sits at as many tables as one person can.
            NoTableHere, TableGone: there is no such table.
            NotInvited, KeptOutOfTable: it is private.
        """
        session = self._session_for(request)
        self.staff_log.require_not_banned(session.address.guild, request.user)
        self._deletions.require_none(session.address.guild, request.user)
        if session.state.sit_and_go is not None:
            command = event_command(session.state.sit_and_go, request, command)
        gifted, asked = (command.gifted, command.command) if isinstance(command, BuyInWithGifts) else (0, command)
        match asked:
            case tc.TakeSeat():
                require_admitted(session.state.table, request.user)  # before their wallet is opened
                rules = await self._store.house_rules(request.guild)
                _require_player_role(request, rules)
                async with self._elsewhere.asked_for_at(
                    session, request.user, seat_kind(session.state.table.settings)
                ) as others:
                    with self._caps.sitting(request.user, session, rules, others):
                        await self._open_wallet(session, request, asked.chips - gifted)
                        return await session.ask(request, command)
            case sc.Enter(practice=False):
                return await self._enter(session, request, asked)
            case sc.AnswerRebuyOffer(rebuys=True) if (opened := session.state.sit_and_go) is not None:
                cost = opened.event.settings.buy_in + (opened.event.settings.bounty if asked.bounty else 0)
                if cost:
                    await self._open_wallet(session, request, cost, Book.PEOPLE)
            case SeatPracticePlayers() if (opened := session.state.sit_and_go) and opened.event.awaits(request.user):
                return await self._enter(session, request, asked)
            case tc.JoinWaitingList():
                _require_player_role(request, await self._store.house_rules(request.guild))
            case tc.TopUp():
                await self._open_wallet(session, request, asked.chips - gifted)
            case tc.ChangeSettings():
                await self._require_settings_allowed(session, request, asked.settings)
            case _:
                pass
        return await session.ask(request, command)

    async def _enter(
        self, session: TableSession, request: Request, command: sc.Enter | SeatPracticePlayers
    ) -> RequestOutcome:
        """Let somebody enter a sit-and-go, once their wallet is open; who accepts a duel enters together with whoever has challenged them.

        Raises:
            InAnotherEvent: they are in one already.
            ChallengerCannotPlay: who has challenged them is, or has too few chips by now.
        """
        require_admitted(session.state.table, request.user)
        rules = await self._store.house_rules(session.address.guild)
        _require_player_role(request, rules)
        opened = session.state.sit_and_go
        duel = opened.event.settings.duel if opened is not None and opened.event.awaits(request.user) else None
        async with AsyncExitStack() as until_entered:
            if duel is not None and request.user == duel.opponent.player:
                await self._require_challenger(until_entered, session, request, rules, duel.challenger)
            await self._prepare_to_enter(until_entered, session, request, rules)
            return await session.ask(request, command)

    async def _prepare_to_enter(
        self, until_entered: AsyncExitStack, session: TableSession, request: Request, rules: HouseRules
    ) -> None:
        """Reserve a seat, open the wallet, and keep the player out of other events: they are in one of a server at a time (SG-15)."""
        user, kind, opened = request.user, seat_kind(session.state.table.settings), session.state.sit_and_go
        others = await until_entered.enter_async_context(self._elsewhere.asked_for_at(session, user, kind))
        until_entered.enter_context(self._caps.sitting(user, session, rules, others))
        until_entered.enter_context(self._events.entering(session, user))
        if opened is not None and opened.event.settings.buy_in:
            await self._open_wallet(session, request, opened.event.settings.entry_cost, Book.PEOPLE)

    async def _require_challenger(
        self,
        until_entered: AsyncExitStack,
        session: TableSession,
        request: Request,
        rules: HouseRules,
        challenger: Duellist,
    ) -> None:
        """Check that whoever has made a challenge can play it now, too.

        Raises:
            ChallengerCannotPlay.
        """
        guild, user, opened = session.address.guild, challenger.player, session.state.sit_and_go
        buy_in = opened.event.settings.buy_in if opened is not None else 0
        try:
            self._deletions.require_none(guild, user)
            await self._prepare_to_enter(until_entered, session, replace(request, user=user), rules)
        except InAnotherEvent as error:
            raise ChallengerCannotPlay(name=challenger.name, channel=error.channel) from error
        except ChipsHeld as error:
            raise ChallengerCannotPlay(name=challenger.name, short=True) from error
        except (NewcomerMustWait, SeatsElsewhere, DataBeingDeleted) as error:
            raise ChallengerCannotPlay(name=challenger.name) from error
        if buy_in and (await self._store.holdings(guild, user)).wallet < buy_in:
            raise ChallengerCannotPlay(name=challenger.name, short=True)

    def require_in_no_event(self, guild: int, user: int) -> None:
        """Check that a player could enter an event now: they are in one of a server at a time (SG-15).

        Raises:
            InAnotherEvent.
        """
        self._events.require_in_none(guild, user)

    async def close_without_channel(self, table: int) -> None:
        """Close a table whose channel is gone: a running hand is voided and everybody is paid out."""
        session = self._session_by_id(table)
        await session.ask_as_dealer("close", void_hand_and_close(VoidReason.CHANNEL_GONE))

    async def arrange(self, table: int, operation: TableOperation) -> RequestOutcome:
        """Do something at a table that is part of an evening with a date (`bot.runtime.night_table`).

        Raises:
            TableGone: it is closed.
            TableError: it is refused.
        """
        return await self._session_by_id(table).ask_as_dealer("night", operation)

    async def close_between_hands(self, table: int) -> bool:
        """Close a table and pay everybody out, if no hand is being played. Returns whether it is closed."""
        session = self._sessions.get(table)
        if session is not None:
            with contextlib.suppress(TableGone):
                await session.ask_as_dealer("season over", close_for_season)
        return table not in self._sessions

    async def wait_for_ended_hands(self, guild: int) -> None:
        """Wait until every hand of a server that has ended by now is saved and shown."""
        sessions = [one for one in self._sessions.in_guild(guild) if one.book is Book.PEOPLE]
        await asyncio.gather(*(session.audit() for session in sessions))

    async def forget_closed_games(self, guild: int) -> None:
        """Forget what people took away from tables that have closed: nobody has these chips any more."""
        for table in self._closed_games.forget_guild(guild):
            await self._saved_games.forget(table)

    async def member_left(self, guild: int, user: int) -> None:
        """Let a user who has left the server leave its tables, after the hands they are dealt into."""
        leave = tc.LeaveTable(user)
        for session in [one for one in self._sessions.in_guild(guild) if one.knows(user)]:
            if session.state.sit_and_go is not None:
                await session.ask_as_dealer("left the server", remove_player(user))
            elif session.state.table.seat_of(user) is not None:
                await session.ask_as_dealer(
                    "left the server", lambda transaction: transaction.apply_table_command(leave)
                )

    async def ban(self, request: Request, user: int, reason: str, name: str = "") -> tuple[Ban, bool]:
        """Ban a person from playing in a server. If they are seated they leave as everybody does who leaves: after the hand that they
        are dealt into, which is folded at their turn unless they are all-in (TL-40). For staff.

        Returns:
            the ban, and whether they are still seated.

        Raises:
            StaffOnly, CannotBan.
        """
        ban = await self.staff_log.ban(request, user, reason, name)
        sessions = [one for one in self._sessions.in_guild(request.guild) if one.knows(user)]
        for session in sessions:
            await session.ask_as_dealer("banned", remove_player(user))
        return ban, any(session.knows(user) for session in sessions)

    async def set_vacation(self, user: int, began_at: int, until: int) -> None:
        """Let somebody be on vacation at all tables whose turns can take hours, or back from it where `until` is 0 (WT-1).

        Args:
            began_at, until: in ms since the epoch. A table that knows it already does not change.

        Raises:
            StoreError: it could not be saved at a table.
        """
        for session in tuple(self._sessions.values()):
            brief = session.brief
            has_vacations = brief.settings.is_slow or not until  # its clock can be a quick one by now
            if brief.knows(user) and has_vacations and not brief.settings.is_event:
                with contextlib.suppress(TableGone):
                    await session.ask_as_dealer("vacation", vacation(user, began_at, until))

    def require_may_press(self, request: Request) -> None:
        """Refuse somebody who cannot use the buttons of a table. The server of the request is 0 in direct messages.

        Raises:
            Banned: staff have banned them.
            NotInvited, KeptOutOfTable: the table is private.
            TableGone: it is private, and they are where it is not: they cannot know of it.
        """
        session = self._sessions.get(request.table)
        guild = request.guild or (session.address.guild if session is not None else 0)
        self.staff_log.require_not_banned(guild, request.user)
        if session is not None:
            require_known(session, request)

    async def forget(self, forgetting: Forgetting) -> Forgotten:
        """Take a person out of a server's data. Tables that remember them stand still meanwhile, and go on with a pseudonym.

        Raises:
            PersonSeated: they sit at a table, wait for a seat, or are dealt into a hand that is not over.
            StoreError: it could not be begun, and nothing has changed; or it could not be ended, and is taken up again in a minute.
        """
        return await self._deletions.delete(forgetting)

    async def _data_deleted(self, guild: int, user: int) -> None:
        self._replays.forget(guild)
        self.wallets.forget(guild, user)
        self._closed_games.load(await self._saved_games.load())
        for call in self._after_deletion:
            await call(guild, user)

    def after_deletion(self, call: Callable[[int, int], Awaitable[None]]) -> None:
        """Call back with a server and a person whose data there has been deleted, also where an earlier run had begun that."""
        self._after_deletion.append(call)

    async def saved_run_outs(self, guild: int, book: Book) -> tuple[RunOut, ...]:
        """Return the all-in hands of a server whose end has been saved and not yet shown; one whose end is just being saved is waited
        for."""
        sessions = [session for session in self._sessions.in_guild(guild) if session.book is book]
        while saving := [session for session in sessions if session.saves_run_out]:
            await saving[0].until_run_out_saved()
        return tuple([session.run_out for session in sessions if session.run_out is not None])

    async def audit(self, guild: int) -> tuple[BookFault, ...]:
        """Compare the engine's chips with the ledger's at every table of a server.

        Tables are asked one by one, so that nobody at another one waits meanwhile. Those where an all-in hand is run out answer at its end.
        """
        faults: list[BookFault] = []
        running_out: list[asyncio.Task[tuple[BookFault, ...]]] = []
        for session in self._sessions.in_guild(guild):
            if session.run_out is not None:
                running_out.append(asyncio.create_task(session.audit()))
            else:
                faults += await session.audit()
        for found in await asyncio.gather(*running_out):
            faults += found
        return tuple(faults)

    # inside

    def _require_host(self, request: Request) -> None:
        """Refuse somebody who cannot open any table here now."""
        if self._context.stopping:
            raise DealerStopping
        if not request.guild:
            raise NotInServer
        self.staff_log.require_not_banned(request.guild, request.user)
        self._deletions.require_none(request.guild, request.user)

    async def _open(
        self, request: Request, settings: TableSettings, guests: TableGuests, sit_and_go: SitAndGoSettings | None
    ) -> tuple[TableSession | None, RequestOutcome]:
        """Open a table. If it is the game of one that closed within the hour, its players bring back what they took away."""
        guild = request.guild
        open_tables = [
            (one.address.channel, one.state.table)
            for one in self._sessions.in_guild(guild)
            if request.user in one.brief.hosts
            or one.address.channel == request.channel  # no other can be the same game
        ]
        departures = self._closed_games.departures(guild, request.channel, request.user, settings, open_tables)
        if sit_and_go is not None:
            departures = ()
        return await open_table(self._context, request, settings, self._sessions, departures, guests, sit_and_go)

    async def _forget_closed_games(self) -> None:
        for table in self._closed_games.forget_old(self._clock.now()):
            await self._saved_games.forget(table)

    async def _open_wallet(self, session: TableSession, request: Request, chips: int, book: Book | None = None) -> None:
        """Open the wallet of a player who is about to bring so many chips to a table. Table chips come from no wallet (TC-1).

        Raises:
            NewcomerMustWait.
        """
        guild, user = session.address.guild, request.user
        book = session.book if book is None else book
        if book is Book.TABLE:
            return
        if book is Book.PRACTICE:
            await self.wallets.open_for_practice(guild, user, session.state.table.settings.min_buyin)
            return
        until = await self.wallets.open(guild, user)
        if until and (await self._store.holdings(guild, user)).wallet < chips:
            raise NewcomerMustWait(until=until)
        await self.wallets.require_available(guild, user, chips)

    async def _require_settings_allowed(self, session: TableSession, request: Request, wanted: TableSettings) -> None:
        """Check what a house leaves to its staff, and that no slow table is made a quick one past the caps.

        Raises:
            NeverClosesForStaffOnly, TooManyHostedTables, TooManyTables.
        """
        before, rules = session.state.table.settings, await self._store.house_rules(session.address.guild)
        if before.idle_minutes and not wanted.idle_minutes and not request.staff and rules.idle_close_minutes:
            raise NeverClosesForStaffOnly
        if session.state.table.settings.is_slow and not wanted.is_slow:
            async with self._elsewhere.asked_for_at(
                session, host_of(session.state.table), table_kind(wanted)
            ) as others:
                self._caps.require_clock_allowed(session, wanted, rules, others)

    def _on_heartbeat(self) -> None:
        """Save that the dealer is alive, wake tables that are overdue, and set the next heartbeat."""
        if self._context.stopping:
            return
        now = self._clock.now()
        if self._heartbeat is not None:  # the first beat comes before any alarm could
            for session in tuple(self._sessions.values()):
                session.wake_if_overdue(now, 2 * HEARTBEAT_MS)
            for table in self._sessions.put_to_sleep(now):
                self._signals.send(TableAsleep(table))
        if self._alive_task is None or self._alive_task.done():
            self._alive_task = asyncio.get_running_loop().create_task(self._save_alive_at(), name="heartbeat")
        self._heartbeat = self._clock.call_at(now + HEARTBEAT_MS, self._on_heartbeat)

    async def _save_alive_at(self) -> None:
        """Save the time: after a crash the clocks of running hands go on from the last time saved."""
        if not any(session.has_turn for session in self._sessions.values()):
            return
        try:
            await self._saved_alive_at.keep((), self._clock.now())
        except (StoreFailed, StoreClosed) as error:
            log.warning("alive_time_save_failed", extra={"error": str(error)})

    async def _last_alive_at(self) -> int:
        return await self._saved_alive_at.get(()) or 0

    def _add_session(self, session: TableSession) -> None:
        self._sessions.add(session)
        self._channels[session.address.guild, session.address.channel] = session.id

    def _remove_session(self, address: TableAddress, table: Table) -> None:
        self._closed_games.add(address, table)
        self._sessions.remove(address.id)
        if self._channels.get((address.guild, address.channel)) == address.id:
            del self._channels[address.guild, address.channel]

    def _publish(self, update: TableUpdate) -> None:
        held_back = self._restore_updates
        if held_back is not None and update.snapshot.id not in self._shown_again:
            held_back[update.snapshot.id] = update  # tables are shown once all of them are restored
            return
        if self._elsewhere.is_shared:
            self._elsewhere.note(update)
        try:
            self._on_update(update)
        except Exception:
            log.exception("table_update_publish_failed", extra={"table": update.snapshot.id})


async def _keep_nothing() -> None:
    """Nothing is kept outside of the store that a deletion would have to follow to."""


def _require_player_role(request: Request, rules: HouseRules) -> None:
    """Refuse somebody who may not play in the server. Staff are no exception: the role can stand for an age.

    Raises:
        PlayerRoleMissing.
    """
    if rules.player_role and rules.player_role not in request.roles:
        raise PlayerRoleMissing(role=rules.player_role)
