"""Reminders of turns that can take hours or days: at half the clock, and an hour before its end where it is longer than two hours.

A reminder waits for the end of somebody's quiet hours, if there is still time enough to act then; otherwise it comes without a sound.
What has been said is saved, and the times follow from the end of the clock: a restart neither repeats a reminder nor loses one.

Whoever has written a line ahead that came to nothing is told so in the same way, at once.

Laws: WT-2, WT-3.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

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
from bot.signals import LineLapsed, Signals, SlowTurnChanged, TableAsleep
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
    """

    turn: tuple[int, int]
    told: int
    sent: SentNotice = SentNotice(0, 0, Concern.TURN)


REMINDERS = SavedKind[tuple[int, int], SentReminder]("reminder.", AT_A_TABLE, SentReminder, told=None)


def reminder_times(turn_ends_at: int, turn_seconds: int) -> tuple[int, ...]:
    """Return when a turn that can take hours is reminded of, in ms since the epoch.

    They are counted from its end: a restart puts that off by the time in which the dealer was away.
    """
    half = turn_ends_at - 500 * turn_seconds
    return (half, turn_ends_at - LAST_MS) if 1000 * turn_seconds > 2 * LAST_MS else (half,)


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
        self._told: dict[tuple[int, int], SentReminder] = {}
        self._messages: dict[tuple[int, int], NoticeMessage] = {}
        self._due: dict[tuple[int, int], int] = {}
        self._alarm = MovingAlarm(clock, self._ring)
        self._is_open = False
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
        snapshot, sent = dict(self._waiting(key[0])).get(key), self._told[key].sent
        if snapshot is None or not sent.nonce or sent.message or not self._told_of(key, snapshot):
            self._message(key)
            return
        data = partial(self._data, snapshot, key[1], "", is_quiet=True)  # it had its time before
        self._messages[key] = message = NoticeMessage(self, key, sent, data, snapshot)
        message.live.work.wake()

    async def close(self) -> None:
        self._is_open = False
        self._alarm.stop()
        await self.tasks.finish(3.0)
        for message in self._messages.values():
            message.live.work.stop()

    async def forget(self, guild: int, user: int) -> None:
        for key in [key for key in self._told if key[1] == user]:
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
        waits = dict(self._waiting(table))
        for key in [key for key in self._told if key[0] == table]:
            if not self._is_true(key, waits.get(key)):
                self._end(key)
        for key in [key for key in self._due if key[0] == table]:
            del self._due[key]
        for key, snapshot in waits.items():
            self._wait(key, snapshot)
        self._set_alarm()

    def _is_true(self, key: tuple[int, int], waits: TableSnapshot | None) -> bool:
        """Whether what somebody has been told still is so. `waits`: the table, if it waits for them."""
        turn = self._told[key].turn
        if waits is not None:
            return turn == _turn_of(waits)
        snapshot = self._tables.find(key[0])
        return turn[1] < 0 and snapshot is not None and snapshot.hand_running and snapshot.hand_number == turn[0]

    def _waiting(self, table: int) -> Iterator[tuple[tuple[int, int], TableSnapshot]]:
        """Yield whom a slow table waits for."""
        snapshot = self._tables.find(table)
        if snapshot is None:
            return
        if snapshot.settings.is_slow and snapshot.current_turn is not None and snapshot.hand is not None:
            for seat in awaited_seats(snapshot.hand):
                user = snapshot.players_by_seat[seat.seat_number].user
                if user > 0:
                    yield (table, user), snapshot

    def _wait(self, key: tuple[int, int], snapshot: TableSnapshot) -> None:
        """Note when somebody is reminded next, if they are."""
        times, told = _times_of(snapshot), self._told_of(key, snapshot)
        if told < len(times):
            self._due[key] = times[told]

    def _told_of(self, key: tuple[int, int], snapshot: TableSnapshot) -> int:
        told = self._told.get(key)
        return told.told if told is not None and told.turn == _turn_of(snapshot) else 0

    def _set_alarm(self) -> None:
        if self._is_open and self._due:
            self._alarm.set(min(self._due.values()))
        else:
            self._alarm.clear()

    def _ring(self) -> None:
        now = self._clock.now()
        for key in [key for key, at in self._due.items() if at <= now]:
            del self._due[key]
            self.tasks.run(self._remind_or_wait(key), f"reminder-{key[1]}")
        self._set_alarm()

    # what is said

    async def _remind_or_wait(self, key: tuple[int, int]) -> None:
        try:
            await self._remind(key)
        except StoreError as error:
            log.warning("reminder_put_off", extra={"user": key[1], "error": repr(error)})
            self._due[key] = self._clock.now() + RETRY_MS
            self._set_alarm()

    async def _remind(self, key: tuple[int, int]) -> None:
        """Remind somebody of their turn, now or at the end of their quiet hours."""
        table, user = key
        snapshot = dict(self._waiting(table)).get(key)
        if snapshot is None:
            return
        quiet_until = await self._quiet.until(snapshot.address.guild, user)
        times, now = _times_of(snapshot), self._clock.now()
        told = self._told_of(key, snapshot)
        due = sum(at <= now for at in times)  # of two that are due by now the last one is told
        if told >= due:
            return
        turn = snapshot.current_turn
        assert turn is not None, "nobody is awaited without a turn"
        if quiet_until and quiet_until <= turn.turn_ends_at - TO_ACT_MS:
            self._due[key] = quiet_until
            self._set_alarm()
            return
        data = partial(self._data, snapshot, user, "", is_quiet=bool(quiet_until))
        await self._send(key, SentReminder(_turn_of(snapshot), due), snapshot, data)

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
        waits = dict(self._waiting(table)).get(key)
        told = self._told_of(key, waits) if waits is not None else 0
        turn = _turn_of(snapshot) if waits is not None else (snapshot.hand_number, -1)
        with reading(self._preferences.language(user)):
            text = lapsed(early.chosen)
        is_quiet = await self._quiet.are_now(snapshot.address.guild, user)
        data = partial(self._data, snapshot, user, text, is_quiet=is_quiet)
        await self._send(key, SentReminder(turn, told), snapshot, data, personal=True)

    async def _send(
        self,
        key: tuple[int, int],
        told: SentReminder,
        snapshot: TableSnapshot,
        data: Callable[[bool], Raw],
        *,
        personal: bool = False,
    ) -> None:
        """Tell somebody; what they were told before goes away. `personal`: nobody else may read it."""
        if (earlier := self._message(key)) is not None:
            earlier.live.end()
            await earlier.gone.wait()
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
        waits = dict(self._waiting(key[0])).get(key)
        if key in self._told and not self._is_true(key, waits):  # they have acted meanwhile
            self._end(key)
        elif waits is not None:
            self._wait(key, waits)
            self._set_alarm()

    def _data(self, snapshot: TableSnapshot, user: int, about_line: str, is_public: bool, *, is_quiet: bool) -> Raw:
        """Write a reminder as a direct message, or as a mention in the thread. `about_line`: for its writer alone."""
        link, channel = self._display.link_to(snapshot), snapshot.address.channel
        turn = snapshot.current_turn
        ends_at = turn.bank_ends_at if turn is not None else 0
        if not is_public:
            is_turn = (snapshot.id, user) in dict(self._waiting(snapshot.id))
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
        if key in self._told and not self._is_true(key, dict(self._waiting(key[0])).get(key)):
            self.tasks.run(self._forget(key), "reminder-over")


def _turn_of(snapshot: TableSnapshot) -> tuple[int, int]:
    return snapshot.hand_number, snapshot.decision_number


def _times_of(snapshot: TableSnapshot) -> tuple[int, ...]:
    turn = snapshot.current_turn
    return () if turn is None else reminder_times(turn.turn_ends_at, snapshot.settings.stakes.turn_seconds)
