"""Calls to the players of a table, because a redrawn message notifies nobody: to act, after a break, after a restart.

At each turn the awaited player is mentioned at once, after some seconds, or not at all, as the table has set it. Whoever stays silent
is looked up in the server: they may have left it. Where turns can take hours, the table's own new message calls its players.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from msgspec import Struct

from bot.background_tasks import BackgroundTasks
from bot.line.payloads import SUPPRESS_NOTIFICATIONS, message_data
from bot.line.request_queue import line_of
from bot.line.servers import Servers
from bot.render.hand.running_hand import awaited_seats, cancelled_at_restart_panel, nudge_text, restarted_panel
from bot.render.message.panel import Raw, payload
from bot.runtime.clock import AlarmClock, MovingAlarm
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.keeper import LiveMessage
from bot.surfaces.people.members import Members
from bot.surfaces.scenes import EmojiDecks, scene_of
from bot.surfaces.table.message import TableMessage
from bot.surfaces.table.passing import PassingMessages
from bot.table.settings import Nudge
from bot.text.language import reading, t
from bot.text.way_on import BREAK_IS_OVER, PLAY_GOES_ON

NUDGE_SECONDS = 8
_NUDGED_AFTER = {Nudge.AT_ONCE: 0, Nudge.LATER: NUDGE_SECONDS}


class TurnCalls:
    """Calls the players of all tables.

    Args:
        link: what the link to a message begins with.
        on_time_bank: called with a table when the time bank of its turn starts.
        on_slow_turn: called with a table whose turns can take hours when it waits for another decision, or for none.
    """

    def __init__(
        self,
        passing: PassingMessages,
        servers: Servers,
        members: Members,
        emoji_decks: EmojiDecks,
        tasks: BackgroundTasks,
        link: str,
        on_time_bank: Callable[[int], None],
        on_slow_turn: Callable[[int], None],
    ) -> None:
        self.passing, self.servers, self.members, self.emoji_decks = passing, servers, members, emoji_decks
        self.tasks, self.link, self.on_time_bank, self.on_slow_turn = tasks, link, on_time_bank, on_slow_turn

    @property
    def clock(self) -> AlarmClock:
        return self.passing.keeper.clock


class SleepingCalls(Struct, frozen=True):
    """What is kept in memory of the calls of a table that sleeps.

    Attributes:
        turn: the hand, and the decision in it, that it waits for.
        bank_at: when the time bank of that turn starts, in ms since the epoch; 0 where nothing is to be said then.
        was_slow: whether its turns could take hours when that began.
    """

    turn: tuple[int, int]
    bank_at: int
    was_slow: bool


class PlayerCalls:
    """Calls the players of one table."""

    def __init__(self, calls: TurnCalls, table: TableMessage) -> None:
        self._calls, self._table = calls, table
        self._turn, self._was_slow = (-1, -1), False
        self._call_alarm = MovingAlarm(calls.clock, self._call)
        self._bank_alarm = MovingAlarm(calls.clock, self._time_bank_started)
        self._silence_alarm = MovingAlarm(calls.clock, self._look_up_silent_players)
        self._nudge: LiveMessage | None = None
        self._notices: list[tuple[int, LiveMessage]] = []

    def watch(self) -> None:
        """The table has changed: set the alarm of a new turn, and take away what was said about the turn or the hand that is over."""
        snapshot = self._table.contents.newest
        if self._notices:
            over = [notice for hand, notice in self._notices if hand != snapshot.hand_number]
            self._notices = [(hand, notice) for hand, notice in self._notices if hand == snapshot.hand_number]
            for notice in over:
                notice.end()
        due = snapshot.current_turn
        turn = (snapshot.hand_number, due.decision_number) if due is not None else (-1, -1)
        if turn == self._turn:
            return
        self._end_turn()
        self._turn = turn
        is_slow = snapshot.settings.is_slow
        if is_slow or self._was_slow:
            self._was_slow = is_slow
            self._calls.on_slow_turn(snapshot.id)
        awaited = _awaited_users(snapshot)
        if due is None or not awaited:
            return
        self._look_up([user for user in awaited if snapshot.missed_turns_of(user)], missed_turn=True)
        if is_slow:  # its new message calls them
            self._await_time_bank()
            return
        self._silence_alarm.set(due.began_at + 1000 * NUDGE_SECONDS)
        wait = _NUDGED_AFTER.get(snapshot.settings.nudge)
        if wait is not None:
            self._call_alarm.set(due.began_at + 1000 * wait)
        else:
            self._await_time_bank()

    def close(self) -> None:
        """The table has closed: take away everything."""
        if self._was_slow:
            self._calls.on_slow_turn(self._table.contents.newest.id)
        self._end_turn()
        self.stop()
        for _, notice in self._notices:
            notice.end()

    def stop(self) -> None:
        """Call nobody any more in this run."""
        for alarm in self._alarms:
            alarm.stop()

    @property
    def _alarms(self) -> tuple[MovingAlarm, ...]:
        return self._call_alarm, self._bank_alarm, self._silence_alarm

    def kept_asleep(self) -> SleepingCalls | None:
        """Return what is to be kept while the table sleeps; None while something is said that goes away again."""
        if self._nudge is not None or self._notices or self._call_alarm.at or self._silence_alarm.at:
            return None
        return SleepingCalls(self._turn, self._bank_alarm.at, self._was_slow)

    def take_up(self, kept: SleepingCalls) -> None:
        """Go on as it was when the table was put away."""
        self._turn, self._was_slow = kept.turn, kept.was_slow
        if kept.bank_at:
            self._bank_alarm.set(kept.bank_at)

    def renew(self) -> None:
        """Bring the link and the time of the call up to date, if there is one."""
        if self._nudge is not None:
            self._nudge.work.wake()

    def _end_turn(self) -> None:
        for alarm in self._alarms:
            alarm.clear()
        if self._nudge is not None:
            self._nudge.end()
            self._nudge = None

    def _look_up_silent_players(self) -> None:
        """Whoever is silent may have left the server. Discord tells of that only bots that may read all members."""
        self._look_up(_awaited_users(self._table.contents.newest), missed_turn=False)

    def _look_up(self, users: list[int], *, missed_turn: bool) -> None:
        """Those of these players who have left the server leave the table, and keep nobody waiting."""
        guild = self._table.contents.newest.address.guild
        for user in users:
            look_up = self._calls.members.look_up_silent(guild, user, missed_turn=missed_turn)
            self._calls.tasks.run(look_up, f"member-{user}")

    def _await_time_bank(self) -> None:
        due = self._table.contents.newest.current_turn
        if due is not None and due.turn_ends_at < due.bank_ends_at:
            self._bank_alarm.set(due.turn_ends_at)

    def _time_bank_started(self) -> None:
        """The time bank has started: the table and the call say until when."""
        self._table.wake()
        self.renew()
        self._calls.on_time_bank(self._table.contents.newest.id)

    def _call(self) -> None:
        """Mention the player to act, then wait until the time bank starts."""
        turn = self._turn

        def data() -> Raw | None:  # whoever waits for it may have acted meanwhile; and it leads to the table's message
            return self._nudge_data() if turn == self._turn and self._table.message else None

        self._nudge = self._post(data)
        self._await_time_bank()

    def _nudge_data(self) -> Raw | None:
        snapshot = self._table.contents.newest
        view, users = snapshot.hand, _awaited_users(snapshot)
        if view is None or not users:
            return None
        calls, address = self._calls, snapshot.address
        link = f"{calls.link}/{address.guild}/{address.channel}/{self._table.message}"
        with reading(calls.servers.language(address.guild)):
            text = nudge_text(scene_of(snapshot, view, calls.emoji_decks.four_colour, calls.clock.now()), link)
        return {"content": text, "allowed_mentions": {"parse": [], "users": list(map(str, users))}}

    async def announce_end_of_break(self, is_quiet: Callable[[int, int], Awaitable[bool]] | None) -> None:
        """Call the players back. `is_quiet`: whether a ping about a server would disturb somebody now."""
        snapshot, guild = self._table.contents.newest, self._table.contents.newest.address.guild
        users = [seat.player for seat in snapshot.table.seats if seat.player > 0]
        called = [user for user in users if is_quiet is None or not await is_quiet(guild, user)]
        with reading(self._calls.servers.language(guild)):
            text = t(
                PLAY_GOES_ON if snapshot.settings.is_event else BREAK_IS_OVER,
                players=" ".join([f"<@{user}>" for user in users]),
            )
        data: Raw = {"content": text, "allowed_mentions": {"parse": [], "users": list(map(str, called))}}
        if not called:
            data["flags"] = SUPPRESS_NOTIFICATIONS
        self._notices.append((snapshot.hand_number, self._post(lambda: data)))

    def announce_restart(self) -> None:
        """Say that a restart has interrupted the hand, and how it stands."""
        snapshot = self._table.contents.newest
        with reading(self._calls.servers.language(snapshot.address.guild)):
            if (view := snapshot.hand) is None:
                panel = cancelled_at_restart_panel(snapshot.hand_number)
            else:
                scene = scene_of(snapshot, view, self._calls.emoji_decks.four_colour, self._calls.clock.now())
                panel = restarted_panel(scene)
            data = message_data(payload(panel))
        self._notices.append((snapshot.hand_number, self._post(lambda: data)))

    def _post(self, data: Callable[[], Raw | None]) -> LiveMessage:
        snapshot = self._table.contents.newest
        return self._calls.passing.post(snapshot.id, line_of(snapshot), snapshot.address.channel, data)


def _awaited_users(snapshot: TableSnapshot) -> list[int]:
    """Return the people that the dealer waits for: the player to act, or everybody who chooses at the same time."""
    view = snapshot.hand
    if view is None:
        return []
    users = [snapshot.players_by_seat[seat.seat_number].user for seat in awaited_seats(view)]
    return [user for user in users if user > 0]
