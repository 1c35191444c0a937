"""Messages beside a table's own, because a redrawn message notifies nobody: the call to act, the end of a break, a restart.

At each turn the awaited player is mentioned at once, after some seconds, or not at all, as the table has set it. Whoever stays silent
is looked up in the server: they may have left it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.render.hand.running_hand import awaited_seats, cancelled_at_restart_panel, nudge_text, restarted_panel
from bot.render.message.panel import Raw, payload
from bot.runtime.clock import AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.table.settings import Nudge
from bot.text.language import reading, t
from bot.text.way_on import BREAK_IS_OVER
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.direct_messages import DirectMessages
from cogs.ui.discord_api import SUPPRESS_NOTIFICATIONS, DiscordApi, message_data
from cogs.ui.old_messages import delete_quietly
from cogs.ui.request_queue import Priority
from cogs.ui.scenes import EmojiDecks, scene_of
from cogs.ui.table_message import SavedMessages, TableMessage

log = logging.getLogger(__name__)

NUDGE_SECONDS = 8


class Announcements:
    """Calls the players of tables.

    Args:
        link: what the link to a message begins with.
        on_time_bank: called with a table's message when the time bank of its turn starts.

    Attributes:
        is_quiet: whether a ping about a server would disturb somebody now. Turns are called all the same.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        emoji_decks: EmojiDecks,
        clock: AlarmClock,
        saved: SavedMessages,
        tasks: BackgroundTasks,
        link: str,
        on_time_bank: Callable[[TableMessage], None],
    ) -> None:
        self._discord_api = discord_api
        self._direct_messages = direct_messages
        self._emoji_decks = emoji_decks
        self._clock = clock
        self._saved = saved
        self._tasks = tasks
        self._link = link
        self._on_time_bank = on_time_bank
        self.is_quiet: Callable[[int, int], Awaitable[bool]] | None = None

    def watch_turn(self, table_message: TableMessage) -> None:
        """Set the alarm of a new turn, and delete the nudge of the turn that is over."""
        due = table_message.newest.current_turn
        turn = (table_message.newest.hand_number, due.decision_number) if due is not None else (-1, -1)
        if turn == table_message.nudged_turn:
            return
        table_message.nudged_turn = turn
        if table_message.alarm is not None:
            table_message.alarm.cancel()
            table_message.alarm = None
        if table_message.silence_alarm is not None:
            table_message.silence_alarm.cancel()
            table_message.silence_alarm = None
        if table_message.nudge is not None:
            self._tasks.run(self._delete_nudge(table_message, table_message.nudge), "delete-nudge")
            table_message.nudge = None
        awaited = _awaited_users(table_message.newest)
        if due is None or not awaited:
            return
        silent_before = [user for user in awaited if table_message.newest.missed_turns_of(user)]
        self._look_up_members(table_message, silent_before, missed_turn=True)
        table_message.silence_alarm = self._clock.call_at(
            due.began_at + 1000 * NUDGE_SECONDS, lambda: self._look_up_silent_players(table_message)
        )
        nudge = table_message.newest.settings.nudge
        wait = {Nudge.AT_ONCE: 0, Nudge.LATER: NUDGE_SECONDS}.get(nudge)
        if wait is not None:
            self._set_alarm(table_message, due.began_at + 1000 * wait, self._nudge_now)
        elif due.turn_ends_at < due.bank_ends_at:
            self._set_alarm(table_message, due.turn_ends_at, self._time_bank_started)

    def _look_up_silent_players(self, table_message: TableMessage) -> None:
        """Whoever is silent may have left the server. Discord tells of that only bots that may read all members."""
        table_message.silence_alarm = None
        if table_message.closed is None:
            self._look_up_members(table_message, _awaited_users(table_message.newest), missed_turn=False)

    def _look_up_members(self, table_message: TableMessage, users: list[int], *, missed_turn: bool) -> None:
        """Those of these players who have left the server leave the table, and keep nobody waiting."""
        guild = table_message.newest.address.guild
        for user in users:
            look_up = self._direct_messages.members.look_up_silent(guild, user, missed_turn=missed_turn)
            self._tasks.run(look_up, f"member-{user}")

    def _set_alarm(self, table_message: TableMessage, at: int, then: Callable[[TableMessage], None]) -> None:
        table_message.alarm = self._clock.call_at(at, lambda: then(table_message))

    def _nudge_now(self, table_message: TableMessage) -> None:
        """Mention the player to act, then wait until the time bank starts."""
        snapshot, turn = table_message.newest, table_message.newest.current_turn
        if turn is None or table_message.closed is not None or not _awaited_users(snapshot):
            return
        table_message.nudge = self._tasks.run(self._send_nudge(table_message), "nudge")
        if turn.turn_ends_at < turn.bank_ends_at:
            self._set_alarm(table_message, turn.turn_ends_at, self._time_bank_started)

    def _time_bank_started(self, table_message: TableMessage) -> None:
        """The time bank has started: the message and the nudge say until when."""
        table_message.alarm = None
        if table_message.newest.current_turn is not None:
            self._on_time_bank(table_message)
            self.renew_nudge(table_message)

    def renew_nudge(self, table_message: TableMessage) -> None:
        """Bring the link and the time of the nudge up to date, if there is one."""
        if table_message.nudge is not None:
            self._tasks.run(self._edit_nudge(table_message, table_message.nudge), "edit-nudge")

    def _nudge_data(self, table_message: TableMessage) -> Raw:
        snapshot, message = table_message.newest, table_message.message
        link = f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}/{message}" if message else ""
        view, due = snapshot.hand, snapshot.current_turn
        assert view is not None and due is not None
        with reading(self._discord_api.server_language(snapshot.address.guild)):
            content = nudge_text(scene_of(snapshot, view, self._emoji_decks.four_colour, self._clock.now()), link)
        return {
            "content": content,
            "allowed_mentions": {"parse": [], "users": [str(user) for user in _awaited_users(snapshot)]},
        }

    async def _send_nudge(self, table_message: TableMessage) -> int:
        """Send the nudge, after the table's message that it leads to. Returns its id; 0 if none was sent."""
        snapshot, turn = table_message.newest, table_message.nudged_turn
        if table_message.worker is not None and table_message.hand_to_show != table_message.shown_hand:
            await asyncio.wait({table_message.worker})
        if _is_over(table_message, turn):
            return 0
        line, channel = table_message.line, table_message.channel
        await self._discord_api.wait_for_slot(line, Priority.PRIVATE)
        if _is_over(table_message, turn):  # the bot's requests waited longer than the player
            return 0
        try:
            return await self._discord_api.send(line, channel, self._nudge_data(table_message), priority=None)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("nudge_send_failed", extra={"table": snapshot.id, "error": repr(error)})
            return 0

    async def _edit_nudge(self, table_message: TableMessage, nudge: asyncio.Task[int]) -> None:
        """Let the nudge say when the time bank ends; the end of the turn itself has passed and would read as too late."""
        message = await nudge
        if not message or table_message.nudge is not nudge or table_message.newest.current_turn is None:
            return
        try:
            await self._discord_api.edit(
                table_message.line, table_message.channel, message, self._nudge_data(table_message)
            )
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("nudge_edit_failed", extra={"table": table_message.newest.id, "error": repr(error)})

    async def _delete_nudge(self, table_message: TableMessage, nudge: asyncio.Task[int]) -> None:
        line, channel = table_message.line, table_message.channel
        message = await nudge
        if message:
            await delete_quietly(self._discord_api, line, channel, message)

    async def announce_end_of_break(self, table_message: TableMessage) -> None:
        """Call the players back: a redrawn message notifies nobody."""
        snapshot = table_message.newest
        users = [seat.player for seat in snapshot.table.seats if seat.player > 0]
        with reading(self._discord_api.server_language(snapshot.address.guild)):
            content = t(BREAK_IS_OVER, players=" ".join([f"<@{user}>" for user in users]))
        called = [
            user for user in users if self.is_quiet is None or not await self.is_quiet(snapshot.address.guild, user)
        ]
        data: Raw = {"content": content, "allowed_mentions": {"parse": [], "users": [str(user) for user in called]}}
        if not called:
            data["flags"] = SUPPRESS_NOTIFICATIONS
        try:
            message = await self._discord_api.send(table_message.line, table_message.channel, data)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("break_notice_failed", extra={"table": snapshot.id, "error": repr(error)})
            return
        table_message.temporary_messages.append(message)
        self._saved.save(table_message)

    async def announce_restart(self, table_message: TableMessage) -> None:
        """Say that a restart has interrupted the hand, and how it stands."""
        snapshot = table_message.newest
        view = snapshot.hand
        with reading(self._discord_api.server_language(snapshot.address.guild)):
            if view is None:
                panel = cancelled_at_restart_panel(snapshot.hand_number)
            else:
                panel = restarted_panel(scene_of(snapshot, view, self._emoji_decks.four_colour, self._clock.now()))
            data = message_data(payload(panel))
        try:
            message = await self._discord_api.send(table_message.line, table_message.channel, data)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("restart_notice_failed", extra={"table": snapshot.id, "error": repr(error)})
            return
        table_message.temporary_messages.append(message)
        self._saved.save(table_message)


def _is_over(table_message: TableMessage, turn: tuple[int, int]) -> bool:
    """Whether somebody else is to act by now."""
    return table_message.nudged_turn != turn or table_message.newest.current_turn is None


def _awaited_users(snapshot: TableSnapshot) -> list[int]:
    """Return the people that the dealer waits for: the player to act, or everybody who chooses at the same time."""
    view = snapshot.hand
    if view is None:
        return []
    users = [snapshot.players_by_seat[seat.seat_number].user for seat in awaited_seats(view)]
    return [user for user in users if user > 0]
