"""One table's live message: what is known of it, and what of that is saved between runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import discord
import msgspec

from bot.render.message.panel import Raw
from bot.runtime.clock import Alarm
from bot.runtime.snapshot import TableSnapshot
from bot.table.events import CloseReason
from bot.text.introductions import table_introduction
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.discord_api import AttachedFile, can_be_about_files, message_data
from cogs.ui.private_answers import TOKEN_MS
from cogs.ui.request_queue import RequestLine, line_of

MESSAGE_AGE_MAX_MS = 50 * 60 * 1000
"""A message this old is replaced by a new one, because Discord throttles edits of messages older than an hour (30046)."""
NO_HAND = 0
"""The hand number of a message that shows the open table."""

_KEY = "stage."


class MessageStorage(Protocol):
    """Where the ids of messages are saved between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class UncontestedHands(msgspec.Struct, frozen=True):
    """The message of hands in a row that ended without a showdown: its id, its first and its last hand; 0 for none."""

    message: int = 0
    first: int = 0
    last: int = 0


class MessagePicture(msgspec.Struct, frozen=True):
    """What a message has of a picture, as far as is known.

    Attributes:
        is_there: the message has a picture: its file can be named without being sent again.
        moment: what it shows (`cogs.ui.table_pictures`); empty where that is not known.
    """

    is_there: bool = False
    moment: bytes = b""


NO_PICTURE = MessagePicture()


class PictureJob(msgspec.Struct, eq=False):
    """A picture that is being drawn, or has been and is not in Discord yet.

    Attributes:
        wait_until: nothing waits for it longer than that, on the loop's clock.
        waiting: how many do.
    """

    moment: bytes
    task: asyncio.Task[bytes | None]
    wait_until: float
    waiting: int = 0

    @contextmanager
    def awaited(self) -> Iterator[float]:
        """Somebody waits for it inside the ``with`` block, who then sees to it that it is sent. Gives the seconds that they can wait."""
        self.waiting += 1
        try:
            yield max(0.0, self.wait_until - asyncio.get_running_loop().time())
        finally:
            self.waiting -= 1


class ClickToken(msgspec.Struct, frozen=True):
    """The token of the click that was answered last by redrawing a table's message. It can edit that message for a while.

    Attributes:
        at: when the click was answered, in ms since the epoch.
    """

    token: str
    message: int
    at: int

    def __repr__(self) -> str:
        """Show no token, because this can end up in a log."""
        return "<click>"


class DrawnMessage(msgspec.Struct, frozen=True):
    """A table's message as it is sent to Discord.

    Attributes:
        end: the hand whose end it shows; 0 if it shows none.
        file: the new picture, which replaces any other.
        moment: what that shows.
        names_picture: it shows a picture: the new one, or the one that the message has.
        removes_picture: the message has a picture and is to lose it.
    """

    components: list[Raw]
    end: int
    file: AttachedFile | None = None
    moment: bytes = b""
    names_picture: bool = False
    removes_picture: bool = False

    def data(self) -> Raw:
        """Return it as Discord takes it."""
        return message_data(self.components, self.file, keeps_files=not self.removes_picture)

    def shows_the_same_as(self, components: list[Raw] | None) -> bool:
        """Return whether a message with these components need not be redrawn."""
        return self.components == components and self.file is None and not self.removes_picture

    def is_refused_for_picture(self, error: Exception) -> bool:
        """Return whether Discord can have refused it because of its picture. Then it will take it without one."""
        return self.names_picture and isinstance(error, discord.HTTPException) and can_be_about_files(error)


class SavedMessage(msgspec.Struct, frozen=True):
    """A table's live message, as it is saved between runs.

    Attributes:
        hand: the hand that it shows; 0 for the open table.
        sent_at: when it was sent, in ms since the epoch.
        temporary_messages: messages that are deleted with the hand.
        uncontested: the hands in a row that ended without a showdown and share one message.
        introduced: the keys of the games that the table has introduced.
        introducing: the hand, and the street of it, at which the message introduces its game.
        picture: what the message has of a picture.
    """

    channel: int
    message: int
    hand: int
    sent_at: int
    temporary_messages: tuple[int, ...] = ()
    uncontested: UncontestedHands = UncontestedHands()
    introduced: tuple[str, ...] = ()
    introducing: tuple[int, str] = (0, "")
    picture: MessagePicture = NO_PICTURE


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
        click: the last click that was answered by redrawing the message; None if there is none, or its token was refused.
        note: small print until the next change.
        dirty: the worker has something to draw.
        cause: the interaction that was the last to ask for it, for the log; "" for none.
        closed: why the table has closed; None while it is open.
        at_rest: no hand comes by itself, so the message shows the open table again.
        restarted: a restart interrupted a hand, and that has to be announced.
        pending_answers: clicks that are redrawing the message at this moment.
        answers_overlapped: two of them were redrawing at the same time.
        answers_done: set when none is left.
        edited_at: when the worker last edited by the bot's own token, on the loop's clock.
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
        picture: what the message has of a picture.
        picture_job: the picture that is due, while it is drawn and until Discord has it.
        upload: the picture that is on its way to the message. There is one at a time, so that it is known which one came last.
        uploads_lost: how often in a row nobody knows whether a picture has arrived.
        hand_in_text: the hand that goes on without pictures, because one could not be drawn or sent.
    """

    __slots__ = (
        "alarm",
        "answers_done",
        "answers_overlapped",
        "at_rest",
        "cause",
        "changes",
        "clearing",
        "click",
        "closed",
        "dirty",
        "drawn_components",
        "drawn_end",
        "drawn_snapshot",
        "edit",
        "edited_at",
        "end_awaited",
        "hand_in_text",
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
        "picture",
        "picture_job",
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
        "upload",
        "uploads_lost",
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
        self.click: ClickToken | None = None
        self.note = ""
        self.dirty = False
        self.cause = ""
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
        self.picture = NO_PICTURE
        self.picture_job: PictureJob | None = None
        self.upload: DrawnMessage | None = None
        self.uploads_lost = 0
        self.hand_in_text = -1

    @property
    def channel(self) -> int:
        return self.newest.address.channel

    @property
    def line(self) -> RequestLine:
        """Where the table's requests by the bot's token wait."""
        return line_of(self.newest)

    @property
    def hand_to_show(self) -> int:
        """The hand that the live message has to show; `NO_HAND` for the open table."""
        snapshot = self.newest
        if snapshot.hand_running:
            return snapshot.hand_number
        return NO_HAND if self.at_rest or not snapshot.has_hand else snapshot.hand_number

    @property
    def is_up_to_date(self) -> bool:
        """Whether the newest state was sent to Discord, as far as is known."""
        return self.drawn_components is not None and self.drawn_snapshot is self.newest

    def click_token(self, now: int) -> str:
        """Return the token of a click that can still edit the message, at a time in ms since the epoch; empty if there is none."""
        click = self.click
        return click.token if click is not None and click.message == self.message and now < click.at + TOKEN_MS else ""

    def is_too_old(self, now: int) -> bool:
        """Return whether the message is to be replaced, at a time in ms since the epoch."""
        return self.message != 0 and now - self.sent_at > MESSAGE_AGE_MAX_MS

    def is_new_message_due(self, now: int) -> bool:
        """Return whether the table needs another message than the one it has, at a time in ms since the epoch."""
        return self.closed is None and (
            self.hand_to_show != self.shown_hand or not self.message or self.is_buried or self.is_too_old(now)
        )


class SavedMessages:
    """The live messages of all tables in storage."""

    def __init__(self, storage: MessageStorage, tasks: BackgroundTasks) -> None:
        self._storage = storage
        self._tasks = tasks

    async def load(self) -> dict[int, SavedMessage]:
        """Return the messages of an earlier run by table."""
        kept = await self._storage.values(_KEY)
        return {
            int(key.removeprefix(_KEY)): msgspec.msgpack.decode(value, type=SavedMessage) for key, value in kept.items()
        }

    def save(self, table_message: TableMessage) -> None:
        kept = SavedMessage(
            table_message.channel,
            table_message.message,
            table_message.shown_hand,
            table_message.sent_at,
            tuple(table_message.temporary_messages),
            table_message.uncontested,
            tuple(table_message.introduced),
            table_message.introducing,
            table_message.picture,
        )
        self._tasks.run(
            self._storage.keep(f"{_KEY}{table_message.newest.id}", msgspec.msgpack.encode(kept)), "remember"
        )

    async def forget(self, table: int) -> None:
        await self._storage.keep(f"{_KEY}{table}", None)


def restore_message(table_message: TableMessage, kept: SavedMessage) -> None:
    """Take up a message of an earlier run."""
    if kept.introduced:
        table_message.introduced, table_message.introducing = set(kept.introduced), kept.introducing
    if kept.channel == table_message.channel:
        table_message.message, table_message.shown_hand, table_message.sent_at = (
            kept.message,
            kept.hand,
            kept.sent_at,
        )
        table_message.temporary_messages = list(kept.temporary_messages)
        table_message.uncontested, table_message.picture = kept.uncontested, kept.picture
        if kept.hand == table_message.newest.hand_number:
            table_message.newest_of_hand = table_message.newest


def sent_at_of(message: int) -> int:
    """Return when a message was sent, in ms since the epoch; its id says so."""
    return int(discord.utils.snowflake_time(message).timestamp() * 1000)
