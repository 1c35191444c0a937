"""Reminders of turns that can take hours or days: at half the clock, and an hour before its end where it is longer than two hours.

A reminder waits for the end of somebody's quiet hours, if there is still time enough to act then; otherwise it comes without a sound.
Whose turn came in their quiet hours, so that the table's message made no sound for them, is told of it when these end, as if by a reminder.
What has been said is saved, and the times follow from the end of the clock: a restart neither repeats a reminder nor loses one.

Whoever has written a line ahead that came to nothing is told so in the same way, at once.

Laws: WT-2, WT-3.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.payloads import COMPONENTS_V2, SUPPRESS_NOTIFICATIONS, message_data
from bot.render.hand.running_hand import awaited_seats
from bot.render.message.panel import Raw, payload
from bot.render.table.waiting import reminder_panel
from bot.runtime.clock import AlarmClock, MovingAlarm
from bot.runtime.saved_values import AT_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.signals import CalledInQuiet, LineLapsed, Signals, SlowTurnChanged, TableAsleep
from bot.surfaces.keeper import Keeper
from bot.surfaces.notices.notices import Concern, NoticeMessage, PrivateNotices, SentNotice
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.table.display import TableDisplay
from bot.text.language import reading
from bot.text.preselection import lapsed
from bot.text.waiting import reminder_text, table_link

log = logging.getLogger(__name__)

LAST_MS = 60 * 60_000
"""How long before its end a clock of more than two hours is told of once more."""
RETRY_MS = 60_000
"""So long after a reminder could not be made it is tried again."""
TO_ACT_MS = 15 * 60_000
"""Somebody whose quiet hours end later than this before their turn does is reminded in them, without a sound."""


class SentReminder(Struct, frozen=True):
    """What somebody has been told of their turn, as it is saved.

    Attributes:
        turn: the hand, and the decision in it; that is -1 for a line that came to nothing while it is another player's turn.
        told: how many of the turn's reminders have had their time.
        sent: where the newest stands.
        call_at: when they are called to act, in ms since the epoch: the table's message made no sound for them; 0 for not.
        called: they have been.
    """

    turn: tuple[int, int]
    told: int
    sent: SentNotice = SentNotice(0, 0, Concern.TURN)
    call_at: int = 0
    called: bool = False


REMINDERS = SavedKind[tuple[int, int], SentReminder]("reminder.", AT_A_TABLE, SentReminder, told=None)


def reminder_times(turn_ends_at: int, turn_seconds: int) -> tuple[int, ...]:
    """Return when a turn that can take hours is reminded of, in ms since the epoch.

    They are counted from its end: a restart puts that off by the time in which the dealer was away.
    """
    half = turn_ends_at - 500 * turn_seconds
    return (half, turn_ends_at - LAST_MS) if 1000 * turn_seconds > 2 * LAST_MS else (half,)


class _DueTimes:
    """When people are told next of their turns, by table and person. `tell`: tells them; what the store keeps from that is tried again."""

    def __init__(
        self, clock: AlarmClock, tasks: BackgroundTasks, tell: Callable[[tuple[int, int]], Awaitable[None]]
    ) -> None:
        self._clock, self._tasks, self._tell = clock, tasks, tell
        self._at: dict[tuple[int, int], int] = {}
        self._alarm = MovingAlarm(clock, self._ring)

    def set(self, key: tuple[int, int], at: int) -> None:
        self._at[key] = at
        if not 0 < self._alarm.at <= at:
            self._alarm.set(at)

    def forget(self, table: int) -> None:
        """The turn that was waited for at a table is over. The alarm stays where it is, and finds nothing then."""
        for key in [key for key in self._at if key[0] == table]:
            del self._at[key]

    def stop(self) -> None:
        self._at.clear()
        self._alarm.stop()

    def _ring(self) -> None:
        now = self._clock.now()
        for key in [key for key, at in self._at.items() if at <= now]:
            del self._at[key]
            self._tasks.run(self._tell_or_wait(key), f"reminder-{key[1]}")
        if self._at:
            self._alarm.set(min(self._at.values()))

    async def _tell_or_wait(self, key: tuple[int, int]) -> None:
        try:
            await self._tell(key)
        except StoreError as error:
            log.warning("reminder_put_off", extra={"user": key[1], "error": repr(error)})
            self.set(key, self._clock.now() + RETRY_MS)


class TurnReminders(Part):
    """Reminds people of their turns at the tables that wait for them."""

    def __init__(
        self,
        discord_api: DiscordApi,
        tables: Tables,
        preferences: Preferences,
        quiet: QuietTimes,
        display: TableDisplay,
        notices: PrivateNotices,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._tables, self._preferences, self._quiet = tables, preferences, quiet
        self._display, self._notices, self._clock = display, notices, clock
        self._saved = SavedValues(REMINDERS, storage)
        self.keeper = Keeper(discord_api, clock)
        self.tasks = self.keeper.tasks
        self._due = _DueTimes(clock, self.tasks, self._remind)
        self._told: dict[tuple[int, int], SentReminder] = {}
        self._messages: dict[tuple[int, int], NoticeMessage] = {}
        self._is_open = self._is_closed = False
        signals.on(CalledInQuiet, self._on_called_in_quiet)
        signals.on(SlowTurnChanged, lambda signal: self._on_turn(signal.table))
        signals.on(LineLapsed, self._on_lapsed)
        signals.on(TableAsleep, lambda signal: self._put_away(signal.table))

    async def load(self) -> None:
        self._told = await self._saved.load()

    async def open(self) -> None:
        """Take up the reminders of an earlier run, and find the turns that wait."""
        self._is_open = True
        for key in tuple(self._told):
            self._take_up(key)
        waiting = {snapshot.id for snapshot in self._tables.all_tables() if snapshot.settings.is_slow}
        for table in waiting | {table for table, _ in self._told}:
            self._on_turn(table)

    def _take_up(self, key: tuple[int, int]) -> None:
        """Take up what somebody has been told of their turn. What was about to be sent is looked up, and sent if it is not there."""
        snapshot, sent = _waiting(self._tables, key[0]).get(key), self._told[key].sent
        told = self._told_of(key, snapshot) if snapshot is not None else None
        is_reminder = told is not None and (told.told > 0 or told.called)  # it is no line that lapsed
        if snapshot is None or not sent.nonce or sent.message or not is_reminder:
            self._message(key)
            return
        data = partial(self._data, snapshot, key[1], "", is_quiet=True)  # it had its time before
        self._messages[key] = message = NoticeMessage(self, key, sent, data, snapshot)
        message.live.work.wake()

    async def close(self) -> None:
        self._is_open, self._is_closed = False, True
        self._due.stop()
        await self.tasks.finish(3.0)
        for message in self._messages.values():
            message.live.work.stop()

    async def forget(self, guild: int, user: int) -> None:
        for key in [key for key in self._told if key[1] == user]:
            at = self._tables.outline(key[0])
            if at is None or at.address.guild == guild:
                del self._told[key]

    def _put_away(self, table: int) -> None:
        """Keep no more of a reminder that is there than what is saved: its table sleeps."""
        for key in [key for key in self._messages if key[0] == table]:
            live = self._messages[key].live
            if live.work.is_quiet and live.location.is_settled and key in self._told:
                live.work.stop()
                del self._messages[key]

    # what is due

    def _on_turn(self, table: int) -> None:
        """A table waits for another decision, or for none. This can be called under its lock, so it awaits nothing."""
        if not self._is_open:
            return
        waits = _waiting(self._tables, table)
        for key in [key for key in self._told if key[0] == table]:
            if not self._is_true(key, waits.get(key)):
                self._end(key)
        self._due.forget(table)
        for key, snapshot in waits.items():
            self._wait(key, snapshot)

    def _is_true(self, key: tuple[int, int], waits: TableSnapshot | None) -> bool:
        """Whether what somebody has been told still is so. `waits`: the table, if it waits for them."""
        turn = self._told[key].turn
        if waits is not None:
            return turn == _turn_of(waits)
        snapshot = self._tables.find(key[0])
        return turn[1] < 0 and snapshot is not None and snapshot.hand_running and snapshot.hand_number == turn[0]

    def _wait(self, key: tuple[int, int], snapshot: TableSnapshot) -> None:
        """Note when somebody is reminded next, or called, if they are."""
        if not self._is_open:
            return
        times, told = _times_of(snapshot), self._told_of(key, snapshot)
        if due := [*times[told.told : told.told + 1], *([told.call_at] if told.call_at else [])]:
            self._due.set(key, min(due))

    def _on_called_in_quiet(self, signal: CalledInQuiet) -> None:
        if not self._is_closed:
            self.tasks.run(self._call_later((signal.table, signal.user)), f"call-{signal.user}")

    async def _call_later(self, key: tuple[int, int]) -> None:
        """Note that somebody is to be called at the end of their quiet hours, if there is time enough to act then."""
        table, user = key
        snapshot = _waiting(self._tables, table).get(key)
        if snapshot is None or snapshot.current_turn is None:
            return
        told = self._told_of(key, snapshot)
        if told.told or told.call_at or told.called:
            return
        turn, ends_at = told.turn, snapshot.current_turn.turn_ends_at
        call_at = await self._quiet.until(snapshot.address.guild, user) or self._clock.now()
        if call_at > ends_at - TO_ACT_MS:
            return
        told, earlier = self._told_of(key, snapshot), self._message(key)
        if earlier is not None and told is not self._told.get(key):
            await earlier.gone.wait()  # what was said of another turn goes away
        waits = _waiting(self._tables, table).get(key)
        if waits is None or _turn_of(waits) != turn:
            return
        told = self._told[key] = replace(self._told_of(key, waits), call_at=call_at)
        self._wait(key, waits)
        try:
            await self._saved.keep(key, told)
        except StoreError as error:  # this run calls them all the same
            log.warning("reminder_not_noted", extra={"user": user, "error": repr(error)})

    def _told_of(self, key: tuple[int, int], snapshot: TableSnapshot) -> SentReminder:
        """Return what somebody has been told of this turn; of another one it does not count."""
        told, turn = self._told.get(key), _turn_of(snapshot)
        return told if told is not None and told.turn == turn else SentReminder(turn, 0)

    # what is said

    async def _remind(self, key: tuple[int, int]) -> None:
        """Remind somebody of their turn, now or at the end of their quiet hours."""
        table, user = key
        snapshot = _waiting(self._tables, table).get(key)
        if snapshot is None:
            return
        quiet_until = await self._quiet.until(snapshot.address.guild, user)
        times, now = _times_of(snapshot), self._clock.now()
        told = self._told_of(key, snapshot)
        due = sum(at <= now for at in times)  # of two that are due by now the last one is told
        if told.told >= due and not 0 < told.call_at <= now:
            return
        turn = snapshot.current_turn
        assert turn is not None, "nobody is awaited without a turn"
        if quiet_until and quiet_until <= turn.turn_ends_at - TO_ACT_MS:
            self._due.set(key, quiet_until)
            return
        data = partial(self._data, snapshot, user, "", is_quiet=bool(quiet_until))
        await self._send(key, SentReminder(told.turn, max(told.told, due), called=told.call_at > 0), snapshot, data)

    def _on_lapsed(self, signal: LineLapsed) -> None:
        """A line came to nothing. This is called under the table's lock."""
        if self._is_open:
            self.tasks.run(self._tell_lapsed((signal.table, signal.user)), f"lapsed-{signal.user}")

    async def _tell_lapsed(self, key: tuple[int, int]) -> None:
        """Tell the writer of a line that it came to nothing, and that it is their turn if it is. Nobody else ever reads it (WT-2)."""
        table, user = key
        snapshot = self._tables.find(table)
        early = snapshot.preselection_for(user) if snapshot is not None else None
        if snapshot is None or early is None or early.chosen is None or early.chosen.lapse_reason is None:
            return
        if not self._preferences.wants_dms(user):
            return  # their panel says so
        waits = _waiting(self._tables, table).get(key)
        told = self._told_of(key, waits).told if waits is not None else 0
        turn = _turn_of(snapshot) if waits is not None else (snapshot.hand_number, -1)
        with reading(self._preferences.language(user)):
            text = lapsed(early.chosen)
        is_quiet = await self._quiet.are_now(snapshot.address.guild, user)
        data = partial(self._data, snapshot, user, text, is_quiet=is_quiet)
        await self._send(key, SentReminder(turn, told), snapshot, data, personal=True, keeps_call=is_quiet)

    async def _send(
        self,
        key: tuple[int, int],
        told: SentReminder,
        snapshot: TableSnapshot,
        data: Callable[[bool], Raw],
        *,
        personal: bool = False,
        keeps_call: bool = False,
    ) -> None:
        """Tell somebody; what they were told before goes away.

        Args:
            personal: nobody else may read it.
            keeps_call: they are called at the end of their quiet hours all the same.
        """
        if (earlier := self._message(key)) is not None:
            earlier.live.end()
            await earlier.gone.wait()
        known = self._told.get(key)
        if keeps_call and known is not None and known.turn == told.turn:
            told = replace(told, call_at=known.call_at)
        self._told[key] = told
        notice = SentNotice(0, 0, Concern.TURN, snapshot.address.guild)
        message = self._messages[key] = NoticeMessage(self, key, notice, data, snapshot, personal=personal)
        message.live.work.wake()
        await message.settled.wait()
        try:
            if key in self._told:
                await self._saved.keep(key, self._told[key])
        except StoreError as error:  # the next one is due all the same
            log.warning("reminder_not_noted", extra={"user": key[1], "error": repr(error)})
        waits = _waiting(self._tables, key[0]).get(key)
        if key in self._told and not self._is_true(key, waits):  # they have acted meanwhile
            self._end(key)
        elif waits is not None:
            self._wait(key, waits)

    def _data(self, snapshot: TableSnapshot, user: int, about_line: str, is_public: bool, *, is_quiet: bool) -> Raw:
        """Write a reminder as a direct message, or as a mention in the thread. `about_line`: for its writer alone."""
        link, channel = self._display.link_to(snapshot), snapshot.address.channel
        turn = snapshot.current_turn
        ends_at = turn.bank_ends_at if turn is not None else 0
        if not is_public:
            is_turn = (snapshot.id, user) in _waiting(self._tables, snapshot.id)
            with reading(self._preferences.language(user)):
                about = reminder_text(channel, ends_at, snapshot.hand, link) if is_turn else table_link(channel, link)
                data = message_data(payload(reminder_panel(about_line, about)))
            return data | ({"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS} if is_quiet else {})
        with reading(self.keeper.discord_api.servers.language(snapshot.address.guild)):
            text = reminder_text(channel, ends_at, snapshot.hand, link)
        silent: Raw = {"flags": SUPPRESS_NOTIFICATIONS} if is_quiet else {}
        mentions = {"parse": [], "users": [] if is_quiet else [str(user)]}
        return silent | {"content": f"<@{user}> {text}", "allowed_mentions": mentions}

    def _end(self, key: tuple[int, int]) -> None:
        """The turn is over: what was said of it goes away."""
        message = self._message(key)
        if message is not None:
            message.live.end()
        else:
            self.tasks.run(self._forget(key), "reminder-over")

    def _message(self, key: tuple[int, int]) -> NoticeMessage | None:
        """Return what somebody has been told of their turn, if it is there, or may be."""
        told = self._told.get(key)
        sent = told.sent if told is not None else None
        if sent is not None and key not in self._messages and (sent.message or sent.nonce or sent.outdated):
            self._messages[key] = NoticeMessage(self, key, sent)
        return self._messages.get(key)

    async def _forget(self, key: tuple[int, int]) -> None:
        told = self._told.get(key)
        if told is not None and key not in self._messages:
            del self._told[key]
            await self._saved.forget(key)

    # what a message asks for

    async def dm_channel(self, snapshot: TableSnapshot, user: int) -> int:
        return await self._notices.dm_channel(snapshot, user)

    async def on_refused(self, snapshot: TableSnapshot, user: int, error: DiscordFailed) -> None:
        await self._notices.on_refused(snapshot, user, error)

    async def save(self, key: tuple[int, int], sent: SentNotice) -> None:
        """Save where a reminder is."""
        told = self._told.get(key)
        if told is not None:
            told = self._told[key] = replace(told, sent=sent)
            await self._saved.keep(key, told)

    def ended(self, message: NoticeMessage) -> None:
        """A reminder has been taken away, or cannot be sent."""
        key = message.key
        if self._messages.get(key) is not message:
            return
        del self._messages[key]
        if key in self._told and not self._is_true(key, _waiting(self._tables, key[0]).get(key)):
            self.tasks.run(self._forget(key), "reminder-over")


def _waiting(tables: Tables, table: int) -> dict[tuple[int, int], TableSnapshot]:
    """Return whom a slow table waits for, by table and person."""
    snapshot = tables.find(table)
    if snapshot is None or not snapshot.settings.is_slow or snapshot.current_turn is None or snapshot.hand is None:
        return {}
    users = [snapshot.players_by_seat[seat.seat_number].user for seat in awaited_seats(snapshot.hand)]
    return {(table, user): snapshot for user in users if user > 0}


def _turn_of(snapshot: TableSnapshot) -> tuple[int, int]:
    return snapshot.hand_number, snapshot.decision_number


def _times_of(snapshot: TableSnapshot) -> tuple[int, ...]:
    turn = snapshot.current_turn
    return () if turn is None else reminder_times(turn.turn_ends_at, snapshot.settings.stakes.turn_seconds)
