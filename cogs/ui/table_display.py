"""The tables as Discord shows them: one live message per table, a new one for each hand, the old one shrunk to its result.

The runtime's changes come in under a table's lock, so `TableDisplay.on_change` only notes them. One worker per table sends what is due: it
coalesces redraws, draws the newest state, skips a redraw that would change nothing, and edits at most once in 1.1 s. A click that redraws
its own message pays for that redraw, and the worker has nothing to do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

from bot.engine.events import HandVoided
from bot.pictures.maker import PictureMaker
from bot.render.message.panel import payload
from bot.render.table import lobby
from bot.runtime.clock import AlarmClock
from bot.runtime.request import INTERACTION
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.updates import TableUpdate
from bot.table.events import BreakEnded, CloseReason, TableClosed
from bot.text.hand import DEALER_AWAY
from bot.text.language import reading, t
from cogs.ui.announcements import Announcements
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.direct_messages import DirectMessages
from cogs.ui.discord_api import (
    NOT_ALLOWED,
    THREAD_ARCHIVED,
    TOO_LATE,
    TOO_MANY_OLD_EDITS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    DiscordApi,
    message_data,
)
from cogs.ui.interaction import InteractionInfo
from cogs.ui.old_messages import FinishedHand, OldMessages
from cogs.ui.replies import Reply
from cogs.ui.request_queue import LONG_LINE_SECONDS, Priority, RequestLine, RequestQueue
from cogs.ui.scenes import EmojiDecks
from cogs.ui.table_drawing import TableDrawing, note_about
from cogs.ui.table_message import (
    NO_HAND,
    NO_PICTURE,
    ClickToken,
    DrawnMessage,
    MessagePicture,
    MessageStorage,
    SavedMessages,
    TableMessage,
    restore_message,
    sent_at_of,
)
from cogs.ui.table_pictures import HouseRulesOf, PictureShown, TablePictures

log = logging.getLogger(__name__)

EDIT_SECONDS = 1.1
"""The time between two edits of a table with the bot's token."""
PRACTICE_EDIT_SECONDS = 3.0
"""The same for a practice table while the bot's requests wait long."""
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


def edit_seconds(line: RequestLine, queue: RequestQueue[Any]) -> float:
    """Return the time between two edits of a table with the bot's token."""
    return PRACTICE_EDIT_SECONDS if line.is_practice and queue.seconds > LONG_LINE_SECONDS else EDIT_SECONDS


class TableDisplay:
    """Shows every change, and hands each click the drawing it answers with.

    Attributes:
        on_end_shown: called with a table when everybody can see how its hand ended.
        on_posted: called with the server of a table that has a new message.
        on_time_bank: called with a table when the time bank of its turn starts.
        channel_gone: called with a table whose channel no longer exists.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        emoji_decks: EmojiDecks,
        storage: MessageStorage,
        clock: AlarmClock,
        link: str,
        finished_hand: FinishedHand,
        house_rules: HouseRulesOf,
        pictures: PictureMaker,
    ) -> None:
        self._discord_api = discord_api
        self._clock = clock
        self._link = link
        self._direct_messages = direct_messages
        self._emoji_decks = emoji_decks
        self._tasks = BackgroundTasks()
        self._saved = SavedMessages(storage, self._tasks)
        self._drawing = TableDrawing(emoji_decks, clock, self._saved)
        self._old_messages = OldMessages(discord_api, emoji_decks, clock, self._saved, finished_hand)
        self._announcements = Announcements(
            discord_api, direct_messages, emoji_decks, clock, self._saved, self._tasks, link, self._time_bank_started
        )
        self._pictures = TablePictures(pictures, discord_api, emoji_decks, self._tasks, house_rules, ready=self.redraw)
        self._messages: dict[int, TableMessage] = {}
        self._answering_keys: set[str] = set()
        self._opening_keys: set[str] = set()
        self._open = False
        self.channel_gone: Callable[[int], Awaitable[None]] | None = None
        self.on_time_bank: Callable[[int], None] | None = None
        self.on_end_shown: Callable[[int], None] | None = None
        self.on_posted: Callable[[int], None] | None = None

    def keep_quiet(self, is_quiet: Callable[[int, int], Awaitable[bool]]) -> None:
        """Ping nobody whom that would disturb, by server and user. Turns are called all the same."""
        self._announcements.is_quiet = is_quiet

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
            table_message.message, table_message.shown_hand, table_message.picture = 0, -1, NO_PICTURE
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
            with reading(self._discord_api.server_language(snapshot.address.guild)):
                table_message.note = note_about(before, change, self._emoji_decks.four_colour)
        if change.closed:
            ended = next((event for event in change.events if isinstance(event, TableClosed)), None)
            table_message.closed = ended.reason if ended is not None else CloseReason.REQUESTED
        if change.restored:
            table_message.restarted = bool(
                snapshot.hand_running or any(isinstance(event, HandVoided) for event in change.events)
            )
            return
        if self._open:
            self._announcements.watch_turn(table_message)
        if any(isinstance(event, BreakEnded) for event in change.events):
            self._tasks.run(self._announcements.announce_end_of_break(table_message), f"break-{snapshot.id}")
        if change.users_with_new_cards:
            self._direct_messages.send_hole_cards(snapshot, change.users_with_new_cards)
        if table_message.written_below > BURIED_BELOW:
            self._repost_later(table_message)
        if change.request_key not in self._answering_keys or table_message.hand_to_show != table_message.shown_hand:
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

    def _time_bank_started(self, table_message: TableMessage) -> None:
        self.redraw(table_message.newest.id)
        if self.on_time_bank is not None:
            self.on_time_bank(table_message.newest.id)

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
                table_message.drawn_components, table_message.picture = None, NO_PICTURE
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

    def add_to_result(self, table: int, hand: int, user: int, words: Callable[[str], str]) -> None:
        """Add a line about a player to the result of a hand, while it is shown. `words` gets their name."""
        table_message = self._messages.get(table)
        if table_message is None or table_message.newest.hand_number != hand or not table_message.newest.hand_over:
            return
        snapshot = table_message.newest
        name = next((one.name for one in snapshot.players_by_seat.values() if one.user == user), "")
        if not name:
            return
        with reading(self._discord_api.server_language(snapshot.address.guild)):
            table_message.note = " · ".join(filter(None, (table_message.note, words(name))))
        self.redraw(table)

    def redraw(self, table: int) -> None:
        """Let the worker redraw a table, if that changes anything."""
        table_message = self._messages.get(table)
        if table_message is None:
            return
        table_message.dirty = True
        table_message.cause = INTERACTION.get()
        wanted = table_message.new_message_wanted
        if wanted is not None and not wanted.done() and table_message.is_new_message_due(self._clock.now()):
            wanted.set_result(None)
        if table_message.worker is None and self._open:
            table_message.worker = self._tasks.run(self._run_worker(table_message), f"table_message-{table}")

    async def open(self) -> None:
        """Take up the messages of an earlier run, and start sending. A second call changes nothing."""
        if self._open:
            return
        kept = await self._saved.load()
        for table_message in self._messages.values():
            known = kept.pop(table_message.newest.id, None)
            if known is not None:
                restore_message(table_message, known)
        self._open = True
        for table_message in tuple(self._messages.values()):
            await asyncio.sleep(0)  # after a restart with a thousand hands, each one is drawn in a moment of its own
            self._announcements.watch_turn(table_message)
            self.redraw(table_message.newest.id)
            if table_message.restarted:
                self._tasks.run(
                    self._announcements.announce_restart(table_message), f"restart-{table_message.newest.id}"
                )
        for closed_table in kept:
            await self._saved.forget(closed_table)

    async def close(self) -> None:
        """Send what is due, say at the tables where something is under way that the dealer is away, then stop."""
        if self._open:
            for table_message in self._messages.values():
                if table_message.newest.hand_running or table_message.newest.next_hand_at:
                    with reading(self._discord_api.server_language(table_message.newest.address.guild)):
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
        await self._tasks.finish(seconds=5.0)
        await self._direct_messages.close()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being sent."""
        while pending := self._tasks.pending | self._direct_messages.pending_tasks:
            await asyncio.wait(pending)

    # for clicks

    def begin_answer(self, key: str, table: int) -> None:
        """A click will redraw the live message with its answer, so the worker need not draw its change."""
        self._answering_keys.add(key)
        table_message = self._messages.get(table)
        if table_message is not None:
            table_message.answers_overlapped = table_message.pending_answers > 0
            table_message.pending_answers += 1
            table_message.answers_done.clear()

    async def answer(self, reply: Reply, info: InteractionInfo, table: int) -> bool | None:
        """Answer a click by redrawing the table's live message, between `begin_answer` and `end_answer`.

        It waits for no picture: that of a new street follows by the click's token.

        Returns:
            whether it reached Discord; None if the message that was clicked is not, or no longer, the live one: a new one shows it.
        """
        table_message = self._messages.get(table)
        allowed = info.bot_permissions.attach_files
        while True:
            drawn = self.drawing_for_click(table, info.message, allowed=allowed)
            if table_message is None or drawn is None:
                await reply.acknowledge()
                return None
            self._goes(table_message, drawn)
            arrived = False
            try:
                arrived = await reply.redraw_table(drawn)
            finally:
                if table_message.message == info.message:
                    self._went(table_message, drawn, arrived=arrived, refused=reply.picture_refused)
            if not reply.picture_refused:
                if arrived:
                    table_message.click = ClickToken(info.token, info.message, self._clock.now())
                return arrived

    def _is_live(self, table_message: TableMessage, message: int) -> bool:
        """Return whether a message is the one that shows the table's newest state, so that a click on it is answered with that."""
        if table_message.closed is not None:
            return False
        if (
            not table_message.message and table_message.shown_hand == -1
        ):  # a restart has forgotten which message it was; now it is known
            table_message.message, table_message.shown_hand, table_message.sent_at = (
                message,
                table_message.hand_to_show,
                sent_at_of(message),
            )
        return (
            message == table_message.message
            and table_message.hand_to_show == table_message.shown_hand
            and not table_message.is_too_old(self._clock.now())
        )

    def drawing_for_click(self, table: int, message: int, *, allowed: bool = True) -> DrawnMessage | None:
        """Return what to answer a click on `message` with; None if that is no longer the table's live message.

        Args:
            allowed: the bot can attach files there.
        """
        table_message = self._messages.get(table)
        if table_message is None or not self._is_live(table_message, message):
            return None
        with reading(self._discord_api.server_language(table_message.newest.address.guild)):
            drawn = self._draw(table_message, table_message.picture, allowed=allowed)
        table_message.drawn_components, table_message.drawn_snapshot = drawn.components, table_message.newest
        return drawn

    def _draw(self, table_message: TableMessage, has: MessagePicture, *, allowed: bool = True) -> DrawnMessage:
        """Draw the newest state of a table for a message with this of a picture. What is drawn with a new picture has to be sent."""
        shown = self._pictures.show(table_message, has, allowed=allowed)
        components = self._drawing.components(table_message, picture=shown is not PictureShown.NONE)
        end = table_message.drawn_end
        if shown is PictureShown.NEW:
            return DrawnMessage(
                components, end, *self._pictures.new_file(table_message, components), names_picture=True
            )
        is_kept = shown is PictureShown.KEPT
        return DrawnMessage(components, end, names_picture=is_kept, removes_picture=has.is_there and not is_kept)

    def _goes(self, table_message: TableMessage, drawn: DrawnMessage) -> None:
        """A drawing is sent to the live message, at this moment."""
        if self._pictures.goes(table_message, drawn):
            self._saved.save(table_message)

    def _went(self, table_message: TableMessage, drawn: DrawnMessage, *, arrived: bool, refused: bool) -> None:
        """A drawing has reached the live message, or Discord has refused it for its picture, or nobody knows what became of it."""
        if refused:
            self._pictures.refused(table_message, drawn)
        elif not arrived:
            self._pictures.lost(table_message, drawn)
        elif self._pictures.arrived(table_message, drawn):
            self._saved.save(table_message)

    def is_behind(self, table: int, message: int) -> bool:
        """Return whether a message is a table's live message and does not show its newest state, as far as is known."""
        table_message = self._messages.get(table)
        return table_message is not None and message == table_message.message != 0 and not table_message.is_up_to_date

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
            if not table_message.is_up_to_date:
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
            self._saved.save(table_message)
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

    def link_to(self, snapshot: TableSnapshot) -> str:
        """Return the address of a table's live message; of its channel while it has none."""
        table_message = self._messages.get(snapshot.id)
        message = f"/{table_message.message}" if table_message is not None and table_message.message else ""
        return f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}{message}"

    def message_link(self, snapshot: TableSnapshot) -> str:
        """Return the address of a table's live message; empty while it has none."""
        table_message = self._messages.get(snapshot.id)
        return self.link_to(snapshot) if table_message is not None and table_message.message else ""

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
                pause = (
                    table_message.edited_at + edit_seconds(table_message.line, self._discord_api.queue) - loop.time()
                )
                if self._open and pause > 0 and await self._unless_new_message_due(table_message, seconds=pause):
                    continue
                table_message.dirty = False
                INTERACTION.set(table_message.cause)
                with reading(self._discord_api.server_language(table_message.newest.address.guild)):
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
            elif table_message.is_new_message_due(self._clock.now()):
                await self._send_new_message(table_message)
            else:
                await self._edit(table_message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            await self._handle_failure(table_message, error)

    async def _unless_new_message_due(
        self, table_message: TableMessage, *awaited: asyncio.Future[Any], seconds: float | None = None
    ) -> bool:
        """Wait for something, or some seconds, but no longer than until a new message is due. Returns whether none is due."""
        if table_message.is_new_message_due(self._clock.now()):
            return False
        wanted = table_message.new_message_wanted = asyncio.get_running_loop().create_future()
        await asyncio.wait({wanted, *awaited}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        table_message.new_message_wanted = None
        return not wanted.done()

    async def _edit(self, table_message: TableMessage) -> None:
        """Redraw the live message, in its newest state when its turn comes.

        The turn can be long in coming, and the reply too (`DiscordApi`). The message of a new hand waits for neither.
        """
        job = self._pictures.start(table_message, table_message.picture)
        if job is not None and table_message.upload is None:
            with job.awaited() as seconds:
                is_first = await self._unless_new_message_due(table_message, job.task, seconds=seconds)
            if not is_first:
                table_message.dirty = True
                return
        drawn_end = table_message.drawn_end
        drawn = self._draw(table_message, table_message.picture)
        if drawn.shows_the_same_as(table_message.drawn_components):
            self._end_was_drawn(table_message, drawn.end)
            return
        table_message.drawn_end = drawn_end  # a click can be answered before this drawing goes
        token = table_message.click_token(self._clock.now()) if drawn.file is not None else ""
        if not token and not await self._turn_to_edit_comes(table_message):
            table_message.dirty = True  # something else is to be shown, or a click draws it
            return
        drawn = self._draw(table_message, table_message.picture)
        table_message.dirty = False
        if drawn.shows_the_same_as(table_message.drawn_components):
            self._end_was_drawn(table_message, drawn.end)
            return
        table_message.drawn_components, table_message.drawn_snapshot = drawn.components, table_message.newest
        if not token:  # the next street's picture need not wait for this one
            table_message.edited_at = asyncio.get_running_loop().time()
        self._goes(table_message, drawn)
        edit = self._send_edit(table_message, drawn, token)
        table_message.edit = self._tasks.run(edit, f"edit-{table_message.newest.id}")
        await self._unless_new_message_due(table_message, table_message.edit)

    async def _turn_to_edit_comes(self, table_message: TableMessage) -> bool:
        """Wait until the bot's own requests allow an edit. Returns whether the live message is still to be edited then."""
        slot = self._discord_api.request_slot(table_message.line, Priority.REDRAW)
        is_first = await self._unless_new_message_due(table_message, slot)
        if is_first and not table_message.pending_answers and table_message.closed is None:
            return True
        slot.cancel()
        return False

    async def _send_edit(self, table_message: TableMessage, drawn: DrawnMessage, token: str) -> None:
        """Edit the live message, by the token of the click that it answered last if there is one, else by the bot's own."""
        message, changes = table_message.message, table_message.changes
        arrived = refused = False
        try:
            if token:
                await self._discord_api.edit_original(token, drawn.data(), drawn.file)
            else:
                await self._discord_api.edit(
                    table_message.line, table_message.channel, message, drawn.data(), priority=None, file=drawn.file
                )
            arrived = True
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            refused = drawn.is_refused_for_picture(error)
            if table_message.message != message:
                return
            if refused or (token and isinstance(error, discord.HTTPException) and error.code in TOO_LATE):
                table_message.click = None
                table_message.drawn_components, table_message.edited_at = None, 0.0
                self.redraw(table_message.newest.id)
            else:
                await self._handle_failure(table_message, error)
            return
        finally:
            if table_message.message == message:
                self._went(table_message, drawn, arrived=arrived, refused=refused)
        self._end_was_drawn(table_message, drawn.end)
        if (
            table_message.message == message
            and table_message.changes != changes
            and table_message.drawn_components is not drawn.components
        ):
            # a click was answered while this edit was on its way: which of them Discord applied last is not known
            table_message.drawn_components = None
            self.redraw(table_message.newest.id)

    async def _send_new_message(self, table_message: TableMessage) -> None:
        """Send a new message, then shrink or take away the old one."""
        table_message.upload = None  # if there is one, the older message gets it
        await self._pictures.prepare(table_message, NO_PICTURE)
        if not table_message.is_new_message_due(self._clock.now()):  # that has changed meanwhile
            table_message.dirty = True
            return
        table_message.is_buried = False
        old_message, old_hand, last = table_message.message, table_message.shown_hand, table_message.newest_of_hand
        wanted = table_message.hand_to_show
        now, drawn, message = await self._send(table_message)
        table_message.message, table_message.shown_hand, table_message.sent_at = message, wanted, self._clock.now()
        table_message.drawn_components, table_message.drawn_snapshot, table_message.newest_of_hand = (
            drawn.components,
            now,
            now,
        )
        table_message.picture = NO_PICTURE
        self._pictures.arrived(table_message, drawn)
        self._end_was_drawn(
            table_message, drawn.end or wanted - 1
        )  # nobody waits for the end of an earlier hand any more
        table_message.edited_at = 0.0
        table_message.written_below = 0
        passing, table_message.temporary_messages = table_message.temporary_messages, []
        self._saved.save(table_message)
        if self.on_posted is not None:
            self.on_posted(now.address.guild)
        if table_message.newest is not now:
            table_message.dirty = True
        if old_hand in {wanted, -1}:  # the nudge leads to the old message
            self._announcements.renew_nudge(table_message)
        earlier = {task for task in (table_message.clearing, table_message.edit) if task is not None}
        table_message.edit = None
        clearing = self._old_messages.clear_away(table_message, earlier, passing, old_message, old_hand, wanted, last)
        table_message.clearing = self._tasks.run(clearing, f"clear-{now.id}")

    async def _send(self, table_message: TableMessage) -> tuple[TableSnapshot, DrawnMessage, int]:
        """Send the newest state as a new message, in text if Discord refuses its picture. Returns state, drawing and message id."""
        while True:
            now, drawn = table_message.newest, self._draw(table_message, NO_PICTURE)
            try:
                message = await self._discord_api.send(
                    table_message.line, table_message.channel, drawn.data(), Priority.TABLE, drawn.file
                )
            except discord.HTTPException as error:
                if not drawn.is_refused_for_picture(error):
                    raise
                self._pictures.refused(table_message, drawn)
            else:
                return now, drawn, message

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
            await self._old_messages.retire(
                table_message,
                table_message.message,
                table_message.shown_hand,
                NO_HAND,
                table_message.newest_of_hand,
            )
            table_message.message = 0
        if table_message.message:
            await self._discord_api.edit(
                table_message.line,
                table_message.channel,
                table_message.message,
                message_data(components, keeps_files=False),
            )
        else:
            await self._discord_api.send(table_message.line, table_message.channel, message_data(components))
        await self._saved.forget(table_message.newest.id)

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
            if table_message.message and table_message.shown_hand != table_message.hand_to_show:
                # the old message can still be edited and clicked
                table_message.shown_hand, table_message.sent_at = table_message.hand_to_show, self._clock.now()
                self.redraw(table_message.newest.id)
        elif error.status >= 500 or error.status == 429:
            log.warning("table_draw_unavailable", extra=fields | {"error": error.text})
            self._retry_later(table_message)
        else:
            log.error("table_draw_rejected", exc_info=error, extra=fields)

    def _retry_later(self, table_message: TableMessage) -> None:
        if self._open:
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.redraw, table_message.newest.id)
