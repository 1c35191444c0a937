"""The tables as Discord shows them: one live message per table, a new one for each hand, the old one shrunk to its result.

The runtime's changes come in under a table's lock, so `TableDisplay.on_change` only notes them. One worker per table sends what is due: it
coalesces redraws, draws the newest state, skips a redraw that would change nothing, and edits at most once in 1.1 s. A click that redraws
its own message pays for that redraw, and the worker has nothing to do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any, Protocol

import aiohttp
import discord
import msgspec

from bot.engine.choices.secret_choices import NO
from bot.engine.events import HandVoided, SecretChoiceMade
from bot.engine.legal import Decision
from bot.render.hand import result
from bot.render.hand.result import uncontested_hands_panel
from bot.render.hand.running_hand import awaited_seats, nudge_text, restarted_panel
from bot.render.message.panel import Panel, Raw, payload
from bot.render.table import lobby
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.updates import HandLog, TableUpdate
from bot.table.events import BreakEnded, CloseReason, TableClosed
from bot.table.settings import Nudge
from bot.text import escape
from bot.text.actions import WANTED_ONCE, timed_out
from bot.text.ceremonies import CEREMONIES, ceremony_text
from bot.text.hand import DEALER_AWAY, SEAT
from bot.text.introductions import introduction, table_introduction
from bot.text.language import reading, t
from bot.text.way_on import BREAK_IS_OVER
from cogs.ui.direct_messages import DirectMessages
from cogs.ui.discord_api import (
    NOT_ALLOWED,
    THREAD_ARCHIVED,
    TOO_MANY_OLD_EDITS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    DiscordApi,
    Priority,
    message_data,
)
from cogs.ui.scenes import EmojiDecks, hand_log_scene, hand_panel, is_uncontested, lobby_panel, scene_of, shrunk_panel

log = logging.getLogger(__name__)

EDIT_SECONDS = 1.1
"""The time between two edits of a table with the bot's token."""
MESSAGE_AGE_MAX_MS = 50 * 60 * 1000
"""A message this old is replaced by a new one, because Discord throttles edits of messages older than an hour (30046)."""
NUDGE_SECONDS = 8
BURIED_BELOW = 5
"""With more messages of people than this below it, a table is posted again at the bottom: at once while a hand is being played, and
while the table waits for people as soon as something happens at it. Chat alone moves no idle table."""
REPOST_SECONDS = 20
"""The time between two such posts of a table, also where somebody keeps deleting them."""
END_WAIT_SECONDS = 3.0
"""How long what tells the end of a hand waits for the table's message to tell it first."""
RESULT_SECONDS = 20
"""How long the result of a hand is shown when no other hand follows; then the open table is shown again."""
RETRY_SECONDS = 10.0
"""How long after a failure of Discord the table is drawn again."""

_KEY = "stage."
NO_HAND = 0
"""The hand number of a message that shows the open table."""


class MessageStorage(Protocol):
    """Where the ids of messages are saved between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class UncontestedHands(msgspec.Struct, frozen=True):
    """The message of hands in a row that ended without a showdown: its id, its first and its last hand; 0 for none."""

    message: int = 0
    first: int = 0
    last: int = 0


class SavedMessage(msgspec.Struct, frozen=True):
    """A table's live message, as it is saved between runs.

    Attributes:
        hand: the hand that it shows; 0 for the open table.
        sent_at: when it was sent, in ms since the epoch.
        temporary_messages: messages that are deleted with the hand.
        uncontested: the hands in a row that ended without a showdown and share one message.
        introduced: the keys of the games that the table has introduced.
        introducing: the hand, and the street of it, at which the message introduces its game.
    """

    channel: int
    message: int
    hand: int
    sent_at: int
    temporary_messages: tuple[int, ...] = ()
    uncontested: UncontestedHands = UncontestedHands()
    introduced: tuple[str, ...] = ()
    introducing: tuple[int, str] = (0, "")


class TableMessage:
    """One table's live message in Discord.

    Attributes:
        newest: the newest state of the table.
        newest_of_hand: the newest state of the hand that the message shows.
        drawn_snapshot, drawn_components: the state and the components as last sent; None if what Discord shows is not known.
        drawn_end, shown_end: the hand whose end was drawn last, and the one whose end everybody can see.
        end_awaited: who waits for that.
        message, shown_hand, sent_at: the message's id, the hand it shows (-1: none yet), when it was sent (ms since the epoch).
        clearing: the task that shrinks or deletes older messages.
        changes: how many changes of the table have come in.
        note: small print until the next change.
        dirty: the worker has something to draw.
        closed: why the table has closed; None while it is open.
        at_rest: no hand comes by itself, so the message shows the open table again.
        restarted: a restart interrupted a hand, and that has to be announced.
        pending_answers: clicks that are redrawing the message at this moment.
        answers_overlapped: two of them were redrawing at the same time.
        answers_done: set when none is left.
        edited_at: when the worker last edited, on the loop's clock.
        edit: the last of its edits.
        new_message_wanted: done as soon as a new message is due, while the worker waits for something else.
        alarm: the next reminder of the turn.
        silence_alarm: when the silent players of the turn are looked up in the server.
        rest_alarm: when the open table is shown again after a hand that no other follows.
        introduced: the keys of the games that the table has introduced.
        introducing: the hand, and the street of it, at which the message introduces its game.
        nudged_turn: hand and action number of the turn that the alarm and the nudge belong to.
        nudge: the task that sent the nudge; its result is the message's id.
        temporary_messages: messages that are deleted with the hand, such as the announcement of a restart.
        uncontested: the latest hands in a row that ended without a showdown, which share one message.
        written_below: messages of people since the message was sent.
        is_buried: it is to be posted again because of them.
        reposted_at, repost_alarm: when it was last posted again (ms since the epoch), and when it will be.
    """

    __slots__ = (
        "alarm",
        "answers_done",
        "answers_overlapped",
        "at_rest",
        "changes",
        "clearing",
        "closed",
        "dirty",
        "drawn_components",
        "drawn_end",
        "drawn_snapshot",
        "edit",
        "edited_at",
        "end_awaited",
        "introduced",
        "introducing",
        "is_buried",
        "message",
        "new_message_wanted",
        "newest",
        "newest_of_hand",
        "note",
        "nudge",
        "nudged_turn",
        "pending_answers",
        "repost_alarm",
        "reposted_at",
        "rest_alarm",
        "restarted",
        "sent_at",
        "shown_end",
        "shown_hand",
        "silence_alarm",
        "temporary_messages",
        "uncontested",
        "worker",
        "written_below",
    )  # fmt: skip

    def __init__(self, snapshot: TableSnapshot) -> None:
        self.newest = snapshot
        self.newest_of_hand: TableSnapshot | None = None
        self.drawn_snapshot: TableSnapshot | None = None
        self.message = 0
        self.end_awaited: list[asyncio.Future[None]] = []
        self.drawn_end = self.shown_end = snapshot.hand_number if not snapshot.hand_running else 0
        self.shown_hand = -1
        self.sent_at = 0
        self.drawn_components: list[Raw] | None = None
        self.changes = 0
        self.clearing: asyncio.Task[None] | None = None
        self.note = ""
        self.dirty = False
        self.closed: CloseReason | None = None
        self.at_rest = self.restarted = False
        self.pending_answers = 0
        self.answers_overlapped = False
        self.answers_done = asyncio.Event()
        self.edited_at = 0.0
        self.edit: asyncio.Task[None] | None = None
        self.new_message_wanted: asyncio.Future[None] | None = None
        self.worker: asyncio.Task[None] | None = None
        self.alarm: Alarm | None = None
        self.rest_alarm: Alarm | None = None
        self.silence_alarm: Alarm | None = None
        self.introduced = {snapshot.settings.rule_card.key} if table_introduction(snapshot.settings) else set()
        self.introducing = (NO_HAND, "")
        self.nudged_turn: tuple[int, int] = (-1, -1)
        self.nudge: asyncio.Task[int] | None = None
        self.temporary_messages: list[int] = []
        self.uncontested = UncontestedHands()
        self.written_below = self.reposted_at = 0
        self.is_buried = False
        self.repost_alarm: Alarm | None = None

    @property
    def channel(self) -> int:
        return self.newest.address.channel


class TableDisplay:
    """Shows every change, and hands each click the drawing it answers with.

    Attributes:
        on_end_shown: called with a table when everybody can see how its hand ended.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        emoji_decks: EmojiDecks,
        storage: MessageStorage,
        clock: AlarmClock,
        link: str,
    ) -> None:
        self._discord_api = discord_api
        self._clock = clock
        self._direct_messages = direct_messages
        self._emoji_decks = emoji_decks
        self._storage = storage
        self._link = link
        self._messages: dict[int, TableMessage] = {}
        self._answering_keys: set[str] = set()
        self._opening_keys: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._open = False
        self.finished_hand: Callable[[int, int], Awaitable[HandLog | None]] | None = None
        self.channel_gone: Callable[[int], Awaitable[None]] | None = None
        self.on_time_bank: Callable[[int], None] | None = None
        self.on_end_shown: Callable[[int], None] | None = None

    # changes of tables

    def on_change(self, change: TableUpdate) -> None:
        """Note a change. This is called under the table's lock, so it awaits nothing."""
        snapshot = change.snapshot
        table_message = self._messages.get(snapshot.id)
        if table_message is None:
            table_message = self._messages[snapshot.id] = TableMessage(snapshot)
        if change.request_key in self._opening_keys:  # the answer to a command becomes its message
            table_message.pending_answers += 1
        before, table_message.newest = table_message.newest, snapshot
        table_message.changes += 1
        if before.address.channel != snapshot.address.channel:
            table_message.message, table_message.shown_hand = 0, -1
        if snapshot.hand_running:
            table_message.at_rest = False
        elif not snapshot.next_hand_at and before is not snapshot:
            if before.hand_running:
                self._rest_later(table_message)
            else:
                table_message.at_rest = True
        if snapshot.hand_number == table_message.shown_hand:
            table_message.newest_of_hand = snapshot
        if not change.street_shown:
            with self._in_server_language(snapshot):
                table_message.note = self._note(before, change)
        if change.closed:
            ended = next((event for event in change.events if isinstance(event, TableClosed)), None)
            table_message.closed = ended.reason if ended is not None else CloseReason.REQUESTED
        if change.restored:
            table_message.restarted = bool(
                snapshot.hand_running or any(isinstance(event, HandVoided) for event in change.events)
            )
            return
        self._watch_turn(table_message)
        if any(isinstance(event, BreakEnded) for event in change.events):
            self._spawn(self._announce_end_of_break(table_message), f"break-{snapshot.id}")
        if change.users_with_new_cards:
            self._direct_messages.send_hole_cards(snapshot, change.users_with_new_cards)
        if table_message.written_below > BURIED_BELOW:
            self._repost_later(table_message)
        if (
            change.request_key not in self._answering_keys
            or self._hand_to_show(table_message) != table_message.shown_hand
        ):
            self.redraw(snapshot.id)

    def _rest_later(self, table_message: TableMessage) -> None:
        """Show the open table again some time after the end of a hand, if no other hand comes by itself."""
        if table_message.rest_alarm is not None:
            table_message.rest_alarm.cancel()
        due = self._clock.now() + 1000 * RESULT_SECONDS
        table_message.rest_alarm = self._clock.call_at(due, lambda: self._rest(table_message))

    def _rest(self, table_message: TableMessage) -> None:
        table_message.rest_alarm = None
        snapshot = table_message.newest
        if self._open and not snapshot.hand_running and not snapshot.table.next_hand_at:
            table_message.at_rest = True
            self.redraw(snapshot.id)

    # what happens to messages in the channel

    def on_person_wrote(self, channel: int, message: int) -> None:
        """A person wrote a message. Enough of them bury the table."""
        for table_message in self._messages.values():
            if table_message.channel == channel and 0 < table_message.message < message:
                table_message.written_below += 1
                if table_message.written_below > BURIED_BELOW and table_message.newest.hand_running:
                    self._repost_later(table_message)

    def on_messages_deleted(self, channel: int, messages: frozenset[int]) -> None:
        """Messages were deleted. A table's live message comes back by itself."""
        for table_message in self._messages.values():
            if table_message.channel == channel and table_message.message in messages and table_message.closed is None:
                log.info("table_message_deleted", extra={"table": table_message.newest.id, "channel": channel})
                table_message.message, table_message.shown_hand = 0, -1
                table_message.drawn_components = None
                self._repost_later(table_message)

    def _repost_later(self, table_message: TableMessage) -> None:
        if table_message.repost_alarm is not None or not self._open:
            return
        due = table_message.reposted_at + 1000 * REPOST_SECONDS
        if due <= self._clock.now():
            self._repost(table_message)
        else:
            table_message.repost_alarm = self._clock.call_at(due, lambda: self._repost(table_message))

    def _repost(self, table_message: TableMessage) -> None:
        """Post the live message again if it is gone, or if it is still buried and no other message is about to follow."""
        table_message.repost_alarm = None
        snapshot = table_message.newest
        follows = not snapshot.hand_running and (snapshot.next_hand_at or table_message.rest_alarm is not None)
        table_message.is_buried = table_message.written_below > BURIED_BELOW and not follows
        if table_message.is_buried or not table_message.message:
            table_message.reposted_at = self._clock.now()
            self.redraw(snapshot.id)

    def redraw(self, table: int) -> None:
        """Let the worker redraw a table, if that changes anything."""
        table_message = self._messages.get(table)
        if table_message is None:
            return
        table_message.dirty = True
        wanted = table_message.new_message_wanted
        if wanted is not None and not wanted.done() and self._is_new_message_due(table_message):
            wanted.set_result(None)
        if table_message.worker is None and self._open:
            table_message.worker = self._spawn(self._run_worker(table_message), f"table_message-{table}")

    async def open(self) -> None:
        """Take up the messages of an earlier run, and start sending. A second call changes nothing."""
        if self._open:
            return
        kept = await self._storage.values(_KEY)
        for table_message in self._messages.values():
            known = kept.pop(f"{_KEY}{table_message.newest.id}", None)
            if known is not None:
                self._restore_message(table_message, msgspec.msgpack.decode(known, type=SavedMessage))
        self._open = True
        for table_message in self._messages.values():
            self._watch_turn(table_message)
            self.redraw(table_message.newest.id)
            if table_message.restarted:
                self._spawn(self._announce_restart(table_message), f"restart-{table_message.newest.id}")
        for key in kept:  # their tables are closed
            await self._storage.keep(key, None)

    async def close(self) -> None:
        """Send what is due, say at the tables where something is under way that the dealer is away, then stop."""
        if self._open:
            for table_message in self._messages.values():
                if table_message.newest.hand_running or table_message.newest.next_hand_at:
                    with self._in_server_language(table_message.newest):
                        table_message.note = t(DEALER_AWAY)
                    self.redraw(table_message.newest.id)
        self._open = False
        for table_message in self._messages.values():
            for alarm in (
                table_message.alarm,
                table_message.silence_alarm,
                table_message.rest_alarm,
                table_message.repost_alarm,
            ):
                if alarm is not None:
                    alarm.cancel()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=5.0)
            for task in late:
                task.cancel()
        await self._direct_messages.close()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being sent."""
        while self._tasks or self._direct_messages.pending_tasks:
            await asyncio.wait(self._tasks | self._direct_messages.pending_tasks)

    # for clicks

    def begin_answer(self, key: str, table: int) -> None:
        """A click will redraw the live message with its answer, so the worker need not draw its change."""
        self._answering_keys.add(key)
        table_message = self._messages.get(table)
        if table_message is not None:
            table_message.answers_overlapped = table_message.pending_answers > 0
            table_message.pending_answers += 1
            table_message.answers_done.clear()

    def components_for_click(self, table: int, message: int) -> list[Raw] | None:
        """Return the components to answer a click on `message` with; None if that is no longer the table's live message."""
        table_message = self._messages.get(table)
        if table_message is None or table_message.closed is not None:
            return None
        if (
            not table_message.message and table_message.shown_hand == -1
        ):  # a restart has forgotten which message it was; now it is known
            table_message.message, table_message.shown_hand, table_message.sent_at = (
                message,
                self._hand_to_show(table_message),
                _sent_at(message),
            )
        if (
            message != table_message.message
            or self._hand_to_show(table_message) != table_message.shown_hand
            or self._is_too_old(table_message)
        ):
            return None
        with self._in_server_language(table_message.newest):
            components = payload(self._panel(table_message))
        table_message.drawn_components, table_message.drawn_snapshot = components, table_message.newest
        return components

    def is_behind(self, table: int, message: int) -> bool:
        """Return whether a message is a table's live message and does not show its newest state, as far as is known."""
        table_message = self._messages.get(table)
        return (
            table_message is not None
            and message == table_message.message != 0
            and (table_message.drawn_components is None or table_message.drawn_snapshot is not table_message.newest)
        )

    def end_answer(self, key: str, table: int, *, drawn: bool | None) -> None:
        """The click has been answered.

        Args:
            drawn: whether its redraw reached Discord; None if it redrew nothing.
        """
        self._answering_keys.discard(key)
        table_message = self._messages.get(table)
        if table_message is None:
            return
        table_message.pending_answers -= 1
        if drawn:
            self._end_was_drawn(table_message, table_message.drawn_end)
        if drawn is False or (drawn and table_message.answers_overlapped):
            table_message.drawn_components = (
                None  # it did not arrive, or two answers crossed on the way: what Discord shows is not known
            )
        if not table_message.pending_answers:
            table_message.answers_done.set()
            table_message.answers_overlapped = False
            if table_message.drawn_components is None or table_message.drawn_snapshot is not table_message.newest:
                self.redraw(table)

    def begin_opening(self, key: str) -> None:
        """The answer to this request will be the first message of the table that it opens."""
        self._opening_keys.add(key)

    def end_opening(self, key: str, table: int, message: int) -> None:
        """The request to open a table has been answered.

        Args:
            table: the table; 0 if none was opened.
            message: the answer, now the table's message; 0 if it did not reach Discord.
        """
        self._opening_keys.discard(key)
        table_message = self._messages.get(table)
        if table_message is None:
            return
        table_message.pending_answers -= 1
        if message:
            table_message.message, table_message.shown_hand, table_message.sent_at = message, NO_HAND, self._clock.now()
            self._save_message(table_message)
        table_message.answers_done.set()
        self.redraw(table)

    def is_end_shown(self, snapshot: TableSnapshot) -> bool:
        """Return whether everybody can see how a hand that is over ended; also where no message will show it."""
        table_message = self._messages.get(snapshot.id)
        if table_message is None or table_message.closed is not None or not self._open:
            return True
        return table_message.shown_end >= snapshot.hand_number

    async def until_end_shown(self, snapshot: TableSnapshot) -> None:
        """Wait, not for long, until everybody can see how the hand of a snapshot ended, if it is over."""
        table_message = self._messages.get(snapshot.id)
        if table_message is None or not snapshot.hand_over or self.is_end_shown(snapshot):
            return
        shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        table_message.end_awaited.append(shown)
        await asyncio.wait({shown}, timeout=END_WAIT_SECONDS)

    def _end_was_drawn(self, table_message: TableMessage, hand: int) -> None:
        """A drawing has reached Discord. It shows the end of this hand; 0 if it shows none."""
        if hand > table_message.shown_end:
            table_message.shown_end = hand
            awaited, table_message.end_awaited = table_message.end_awaited, []
            for each in awaited:
                if not each.done():
                    each.set_result(None)
            if self.on_end_shown is not None:
                self.on_end_shown(table_message.newest.id)

    def is_table_message(self, message: int) -> bool:
        """Return whether this is the live message of any table."""
        return message != 0 and any(known.message == message for known in self._messages.values())

    # the worker of one table

    async def _run_worker(self, table_message: TableMessage) -> None:
        loop = asyncio.get_running_loop()
        try:
            while table_message.dirty:
                if table_message.pending_answers:
                    table_message.answers_done.clear()
                    await table_message.answers_done.wait()
                    continue
                pause = table_message.edited_at + EDIT_SECONDS - loop.time()
                if self._open and pause > 0 and await self._unless_new_message_due(table_message, seconds=pause):
                    continue
                table_message.dirty = False
                with self._in_server_language(table_message.newest):
                    await self._update(table_message)
        except Exception:
            log.exception("table_draw_failed", extra={"table": table_message.newest.id})
            self._retry_later(table_message)
        finally:
            table_message.worker = None
        if table_message.closed is not None and not table_message.dirty:
            self._messages.pop(table_message.newest.id, None)
            self._direct_messages.forget_table(table_message.newest.id)

    async def _update(self, table_message: TableMessage) -> None:
        """Bring what Discord shows of a table up to date."""
        try:
            if table_message.closed is not None:
                await self._show_closed(table_message)
            elif self._is_new_message_due(table_message):
                await self._send_new_message(table_message)
            else:
                await self._edit(table_message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            await self._handle_failure(table_message, error)

    def _is_new_message_due(self, table_message: TableMessage) -> bool:
        return table_message.closed is None and (
            self._hand_to_show(table_message) != table_message.shown_hand
            or not table_message.message
            or table_message.is_buried
            or self._is_too_old(table_message)
        )

    async def _unless_new_message_due(
        self, table_message: TableMessage, *awaited: asyncio.Future[None], seconds: float | None = None
    ) -> bool:
        """Wait for something, or some seconds, but no longer than until a new message is due. Returns whether none is due."""
        if self._is_new_message_due(table_message):
            return False
        wanted = table_message.new_message_wanted = asyncio.get_running_loop().create_future()
        await asyncio.wait({wanted, *awaited}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        table_message.new_message_wanted = None
        return not wanted.done()

    async def _edit(self, table_message: TableMessage) -> None:
        """Redraw the live message, in its newest state when its turn comes.

        The turn can be long in coming, and the reply too (`DiscordApi`). The message of a new hand waits for neither.
        """
        drawn_end = table_message.drawn_end
        if payload(self._panel(table_message)) == table_message.drawn_components:
            self._end_was_drawn(table_message, table_message.drawn_end)
            return
        table_message.drawn_end = drawn_end  # a click can be answered before this drawing goes
        slot = self._discord_api.request_slot(Priority.REDRAW)
        is_first = await self._unless_new_message_due(table_message, slot)
        if not is_first or table_message.pending_answers or table_message.closed is not None:
            slot.cancel()
            table_message.dirty = True  # something else is to be shown, or a click draws it
            return
        components, end = payload(self._panel(table_message)), table_message.drawn_end
        table_message.dirty = False
        if components == table_message.drawn_components:
            self._end_was_drawn(table_message, end)
            return
        table_message.drawn_components, table_message.drawn_snapshot = components, table_message.newest
        table_message.edited_at = asyncio.get_running_loop().time()
        edit = self._send_edit(table_message, components, end)
        table_message.edit = self._spawn(edit, f"edit-{table_message.newest.id}")
        await self._unless_new_message_due(table_message, table_message.edit)

    async def _send_edit(self, table_message: TableMessage, components: list[Raw], end: int) -> None:
        message, changes = table_message.message, table_message.changes
        try:
            await self._discord_api.edit(table_message.channel, message, message_data(components), priority=None)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            if table_message.message == message:
                await self._handle_failure(table_message, error)
            return
        self._end_was_drawn(table_message, end)
        if (
            table_message.message == message
            and table_message.changes != changes
            and table_message.drawn_components is not components
        ):
            # a click was answered while this edit was on its way: which of them Discord applied last is not known
            table_message.drawn_components = None
            self.redraw(table_message.newest.id)

    async def _send_new_message(self, table_message: TableMessage) -> None:
        """Send a new message, then shrink or take away the old one."""
        table_message.is_buried = False
        old_message, old_hand, last = table_message.message, table_message.shown_hand, table_message.newest_of_hand
        wanted = self._hand_to_show(table_message)
        now = table_message.newest
        components, end = payload(self._panel(table_message)), table_message.drawn_end
        message = await self._discord_api.send(table_message.channel, message_data(components), Priority.TABLE)
        table_message.message, table_message.shown_hand, table_message.sent_at = message, wanted, self._clock.now()
        table_message.drawn_components, table_message.drawn_snapshot, table_message.newest_of_hand = (
            components,
            now,
            now,
        )
        self._end_was_drawn(table_message, end or wanted - 1)  # nobody waits for the end of an earlier hand any more
        table_message.edited_at = 0.0
        table_message.written_below = 0
        passing, table_message.temporary_messages = table_message.temporary_messages, []
        self._save_message(table_message)
        if table_message.newest is not now:
            table_message.dirty = True
        if table_message.nudge is not None and old_hand in {wanted, -1}:  # its link leads to the old message
            self._spawn(self._edit_nudge(table_message, table_message.nudge), "edit-nudge")
        earlier = {task for task in (table_message.clearing, table_message.edit) if task is not None}
        table_message.edit = None
        clearing = self._clear_away(table_message, earlier, passing, old_message, old_hand, wanted, last)
        table_message.clearing = self._spawn(clearing, f"clear-{now.id}")

    async def _clear_away(
        self,
        table_message: TableMessage,
        earlier: set[asyncio.Task[None]],
        passing: list[int],
        message: int,
        hand: int,
        wanted: int,
        last: TableSnapshot | None,
    ) -> None:
        """Take away what belongs to an old message, in order. The worker does not wait: the next hand's message goes first."""
        if earlier:
            await asyncio.wait(earlier)
        try:
            for each in passing:
                await self._delete(table_message.channel, each)
            if message:
                await self._retire_message(table_message, message, hand, wanted, last)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            fields = {"table": table_message.newest.id, "channel": table_message.channel, "error": repr(error)}
            log.warning("old_table_message_left", extra=fields)

    async def _retire_message(
        self, table_message: TableMessage, message: int, hand: int, wanted: int, last: TableSnapshot | None
    ) -> None:
        """Shrink the message of a played hand to its result, or into that of the uncontested hands before it; delete any other."""
        channel = table_message.channel
        view = last.hand if last is not None else None
        if (
            view is None and hand not in {NO_HAND, wanted} and self.finished_hand is not None
        ):  # it ended before a restart
            log_of_hand = await self.finished_hand(table_message.newest.id, hand)
            if log_of_hand is not None and log_of_hand.view.over:
                await self._shrink(
                    channel, message, result.shrunk_panel(hand_log_scene(log_of_hand, self._emoji_decks.four_colour))
                )
                return
        if hand in {NO_HAND, wanted} or last is None or view is None or not view.over:
            await self._delete(channel, message)
            return
        if not is_uncontested(last):
            table_message.uncontested = UncontestedHands()
            await self._shrink(channel, message, shrunk_panel(last, self._emoji_decks.four_colour))
            return
        before = table_message.uncontested
        if before.last == hand - 1 and self._clock.now() - _sent_at(before.message) <= MESSAGE_AGE_MAX_MS:
            table_message.uncontested = UncontestedHands(before.message, before.first, hand)
            if await self._shrink(channel, before.message, uncontested_hands_panel(before.first, hand)):
                await self._delete(channel, message)
                self._save_message(table_message)
                return
        table_message.uncontested = UncontestedHands(message, hand, hand)
        await self._shrink(channel, message, shrunk_panel(last, self._emoji_decks.four_colour))
        self._save_message(table_message)

    async def _shrink(self, channel: int, message: int, panel: Panel) -> bool:
        """Draw what is left of hands that are over. Returns whether Discord took it."""
        try:
            await self._discord_api.edit(channel, message, message_data(payload(panel)))
        except discord.HTTPException as error:
            if error.code not in {UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS, *NOT_ALLOWED}:
                raise
            log.info("hand_message_shrink_failed", extra={"channel": channel, "error": error.text})
            return False
        return True

    async def _show_closed(self, table_message: TableMessage) -> None:
        assert table_message.closed is not None
        for task in (table_message.clearing, table_message.edit):
            if task is not None:
                await asyncio.wait({task})
        components = payload(lobby.closed_panel(table_message.newest.table, table_message.closed))
        last = table_message.newest_of_hand.hand if table_message.newest_of_hand is not None else None
        if (
            table_message.message
            and table_message.shown_hand != NO_HAND
            and last is not None
            and last.over
            and table_message.newest_of_hand is not None
        ):
            await self._retire_message(
                table_message,
                table_message.message,
                table_message.shown_hand,
                NO_HAND,
                table_message.newest_of_hand,
            )
            table_message.message = 0
        if table_message.message:
            await self._discord_api.edit(table_message.channel, table_message.message, message_data(components))
        else:
            await self._discord_api.send(table_message.channel, message_data(components))
        await self._storage.keep(f"{_KEY}{table_message.newest.id}", None)

    async def _handle_failure(
        self, table_message: TableMessage, error: discord.HTTPException | aiohttp.ClientError | OSError
    ) -> None:
        """Handle a request that Discord refused, or that did not reach it."""
        fields: dict[str, object] = {"table": table_message.newest.id, "channel": table_message.channel}
        table_message.drawn_components = None
        if not isinstance(error, discord.HTTPException):
            log.warning("table_draw_connection_lost", extra=fields | {"error": repr(error)})
            self._retry_later(table_message)
            return
        fields["code"] = error.code
        if error.code == UNKNOWN_CHANNEL:
            log.warning("table_channel_missing", extra=fields)
            table_message.message = 0
            if self.channel_gone is not None and table_message.closed is None:
                await self.channel_gone(table_message.newest.id)
        elif error.code in {UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS}:
            log.info("table_message_missing", extra=fields)
            table_message.message, table_message.shown_hand = 0, -1
            self.redraw(table_message.newest.id)
        elif error.code == THREAD_ARCHIVED and error.response.method == "PATCH" and table_message.closed is None:
            log.info("table_thread_archived", extra=fields)
            table_message.is_buried = True  # a new message opens the thread again
            self.redraw(table_message.newest.id)
        elif error.code in NOT_ALLOWED or error.code == THREAD_ARCHIVED:
            log.warning("table_channel_forbidden", extra=fields)
            if table_message.message and table_message.shown_hand != self._hand_to_show(
                table_message
            ):  # the old message can still be edited and clicked
                table_message.shown_hand, table_message.sent_at = self._hand_to_show(table_message), self._clock.now()
                self.redraw(table_message.newest.id)
        elif error.status >= 500 or error.status == 429:
            log.warning("table_draw_unavailable", extra=fields | {"error": error.text})
            self._retry_later(table_message)
        else:
            log.error("table_draw_rejected", exc_info=error, extra=fields)

    def _retry_later(self, table_message: TableMessage) -> None:
        if self._open:
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.redraw, table_message.newest.id)

    # what a table shows

    def _hand_to_show(self, table_message: TableMessage) -> int:
        """Return the hand that the live message has to show; `NO_HAND` for the open table."""
        snapshot = table_message.newest
        if snapshot.hand_running:
            return snapshot.hand_number
        return NO_HAND if table_message.at_rest or not snapshot.has_hand else snapshot.hand_number

    def _panel(self, table_message: TableMessage) -> Panel:
        snapshot = table_message.newest
        table_message.drawn_end = snapshot.hand_number if snapshot.hand_over else 0
        emojis, note = self._emoji_decks.four_colour, table_message.note
        if self._hand_to_show(table_message) == NO_HAND:
            if table_introduction(snapshot.settings):
                self._note_introduced(table_message, snapshot.settings.rule_card.key)
            return lobby_panel(snapshot, emojis, note)
        return hand_panel(snapshot, emojis, self._clock.now(), note, self._introduction(table_message))

    def _introduction(self, table_message: TableMessage) -> str:
        """Return what teaches the game of the hand: on the first street of the first hand of it at this table."""
        snapshot = table_message.newest
        game, view = snapshot.game_of_hand, snapshot.hand
        if game is None or view is None:
            return ""
        here = (snapshot.hand_number, view.street)
        if game.key not in table_message.introduced:
            table_message.introducing = here
            self._note_introduced(table_message, game.key)
        return introduction(game) if table_message.introducing == here else ""

    def _note_introduced(self, table_message: TableMessage, key: str) -> None:
        """A game has been introduced at a table: also after a restart it is not told again."""
        if key not in table_message.introduced:
            table_message.introduced.add(key)
            self._save_message(table_message)

    def _in_server_language(self, snapshot: TableSnapshot) -> AbstractContextManager[None]:
        """Write in the language of the table's server, whoever's click or clock has led here."""
        return reading(self._discord_api.server_language(snapshot.address.guild))

    def _is_too_old(self, table_message: TableMessage) -> bool:
        return table_message.message != 0 and self._clock.now() - table_message.sent_at > MESSAGE_AGE_MAX_MS

    def _note(self, before: TableSnapshot, change: TableUpdate) -> str:
        """Return the small print about a change."""
        if change.timed_out_seat:
            return _time_up_note(change)
        if before.decision is Decision.RUN_TWICE and before.hand_number == change.snapshot.hand_number:
            return _wanted_once_note(change)
        return self._ceremony_note(change)

    def _ceremony_note(self, change: TableUpdate) -> str:
        """Return what players did in public apart from the play: cards drawn for the first deal or for seats, a cut."""
        if CEREMONIES.isdisjoint(map(type, change.events)):
            return ""  # nearly every click: it need not collect the names
        players = change.snapshot.players_by_seat
        by_user = {player.user: escape.name(player.name) for player in players.values()}
        by_seat = {seat_number: escape.name(player.name) for seat_number, player in players.items()}
        return ceremony_text(change.events, by_user, by_seat, self._emoji_decks.four_colour)

    # nudging the player to act

    def _watch_turn(self, table_message: TableMessage) -> None:
        """Set the alarm of a new turn, and delete the nudge of the turn that is over."""
        if not self._open:
            return
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
            self._spawn(self._delete_nudge(table_message.channel, table_message.nudge), "delete-nudge")
            table_message.nudge = None
        awaited = _awaited_users(table_message.newest)
        if due is None or not awaited:
            return
        silent_before = [user for user in awaited if table_message.newest.missed_turns_of(user)]
        self._look_up_members(table_message, silent_before)
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
            self._look_up_members(table_message, _awaited_users(table_message.newest))

    def _look_up_members(self, table_message: TableMessage, users: list[int]) -> None:
        """Those of these players who have left the server leave the table, and keep nobody waiting."""
        guild = table_message.newest.address.guild
        for user in users:
            self._spawn(self._direct_messages.leave_if_gone(guild, user), f"member-{user}")

    def _set_alarm(self, table_message: TableMessage, at: int, then: Callable[[TableMessage], None]) -> None:
        table_message.alarm = self._clock.call_at(at, lambda: then(table_message))

    def _nudge_now(self, table_message: TableMessage) -> None:
        """Mention the player to act, then wait until the time bank starts."""
        snapshot, turn = table_message.newest, table_message.newest.current_turn
        if turn is None or table_message.closed is not None or not _awaited_users(snapshot):
            return
        table_message.nudge = self._spawn(self._send_nudge(table_message), "nudge")
        if turn.turn_ends_at < turn.bank_ends_at:
            self._set_alarm(table_message, turn.turn_ends_at, self._time_bank_started)

    def _time_bank_started(self, table_message: TableMessage) -> None:
        """The time bank has started: the message and the nudge say until when."""
        table_message.alarm = None
        if table_message.newest.current_turn is not None:
            self.redraw(table_message.newest.id)
            if self.on_time_bank is not None:
                self.on_time_bank(table_message.newest.id)
            if table_message.nudge is not None:
                self._spawn(self._edit_nudge(table_message, table_message.nudge), "edit-nudge")

    def _nudge_data(self, table_message: TableMessage) -> Raw:
        snapshot, message = table_message.newest, table_message.message
        link = f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}/{message}" if message else ""
        view, due = snapshot.hand, snapshot.current_turn
        assert view is not None and due is not None
        with self._in_server_language(snapshot):
            content = nudge_text(scene_of(snapshot, view, self._emoji_decks.four_colour, self._clock.now()), link)
        return {
            "content": content,
            "allowed_mentions": {"parse": [], "users": [str(user) for user in _awaited_users(snapshot)]},
        }

    async def _send_nudge(self, table_message: TableMessage) -> int:
        """Send the nudge, after the table's message that it leads to. Returns its id; 0 if none was sent."""
        snapshot, turn = table_message.newest, table_message.nudged_turn
        if table_message.worker is not None and self._hand_to_show(table_message) != table_message.shown_hand:
            await asyncio.wait({table_message.worker})
        if table_message.nudged_turn != turn or table_message.newest.current_turn is None:
            return 0
        try:
            return await self._discord_api.send(table_message.channel, self._nudge_data(table_message))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("nudge_send_failed", extra={"table": snapshot.id, "error": repr(error)})
            return 0

    async def _edit_nudge(self, table_message: TableMessage, nudge: asyncio.Task[int]) -> None:
        """Let the nudge say when the time bank ends; the end of the turn itself has passed and would read as too late."""
        message = await nudge
        if not message or table_message.nudge is not nudge or table_message.newest.current_turn is None:
            return
        try:
            await self._discord_api.edit(table_message.channel, message, self._nudge_data(table_message))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("nudge_edit_failed", extra={"table": table_message.newest.id, "error": repr(error)})

    async def _delete_nudge(self, channel: int, nudge: asyncio.Task[int]) -> None:
        message = await nudge
        if message:
            await self._delete(channel, message)

    async def _announce_end_of_break(self, table_message: TableMessage) -> None:
        """Call the players back: a redrawn message notifies nobody."""
        snapshot = table_message.newest
        users = [seat.player for seat in snapshot.table.seats if seat.player > 0]
        with self._in_server_language(snapshot):
            content = t(BREAK_IS_OVER, players=" ".join([f"<@{user}>" for user in users]))
        data: Raw = {"content": content, "allowed_mentions": {"parse": [], "users": [str(user) for user in users]}}
        try:
            message = await self._discord_api.send(table_message.channel, data)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("break_notice_failed", extra={"table": snapshot.id, "error": repr(error)})
            return
        table_message.temporary_messages.append(message)
        self._save_message(table_message)

    async def _announce_restart(self, table_message: TableMessage) -> None:
        snapshot = table_message.newest
        view = snapshot.hand
        assert view is not None
        with self._in_server_language(snapshot):
            scene = scene_of(snapshot, view, self._emoji_decks.four_colour, self._clock.now())
            data = message_data(payload(restarted_panel(scene)))
        try:
            message = await self._discord_api.send(table_message.channel, data)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("restart_notice_failed", extra={"table": snapshot.id, "error": repr(error)})
            return
        table_message.temporary_messages.append(message)
        self._save_message(table_message)

    async def _delete(self, channel: int, message: int) -> None:
        try:
            await self._discord_api.delete(channel, message)
        except discord.HTTPException as error:
            fields = {"channel": channel, "code": error.code, "error": error.text}
            log.info("message_delete_failed", extra=fields)

    # saving

    def _save_message(self, table_message: TableMessage) -> None:
        kept = SavedMessage(
            table_message.channel,
            table_message.message,
            table_message.shown_hand,
            table_message.sent_at,
            tuple(table_message.temporary_messages),
            table_message.uncontested,
            tuple(table_message.introduced),
            table_message.introducing,
        )
        self._spawn(self._storage.keep(f"{_KEY}{table_message.newest.id}", msgspec.msgpack.encode(kept)), "remember")

    def _restore_message(self, table_message: TableMessage, kept: SavedMessage) -> None:
        if kept.introduced:
            table_message.introduced, table_message.introducing = set(kept.introduced), kept.introducing
        if kept.channel == table_message.channel:
            table_message.message, table_message.shown_hand, table_message.sent_at = (
                kept.message,
                kept.hand,
                kept.sent_at,
            )
            table_message.temporary_messages = list(kept.temporary_messages)
            table_message.uncontested = kept.uncontested
            if kept.hand == table_message.newest.hand_number:
                table_message.newest_of_hand = table_message.newest

    def _spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _sent_at(message: int) -> int:
    """Return when a message was sent, in ms since the epoch; its id says so."""
    return int(discord.utils.snowflake_time(message).timestamp() * 1000)


def _awaited_users(snapshot: TableSnapshot) -> list[int]:
    """Return the people that the dealer waits for: the player to act, or everybody who chooses at the same time."""
    view = snapshot.hand
    if view is None:
        return []
    users = [snapshot.players_by_seat[seat.seat_number].user for seat in awaited_seats(view)]
    return [user for user in users if user > 0]


def _wanted_once_note(change: TableUpdate) -> str:
    """``Bruno wanted it once.``; empty while nobody has said so (TL-25)."""
    view = change.snapshot.hand
    for event in change.events:
        if isinstance(event, SecretChoiceMade) and event.word == NO and view is not None:
            player = change.snapshot.players_by_seat[view.seats[event.seat].seat_number]
            return t(WANTED_ONCE, name=escape.name(player.name))
    return ""


def _time_up_note(change: TableUpdate) -> str:
    """``Time is up: river_rat folds.``"""
    player = change.snapshot.players_by_seat.get(change.timed_out_seat)
    name = escape.name(player.name) if player is not None else t(SEAT, number=change.timed_out_seat)
    return timed_out(name, change.events)
