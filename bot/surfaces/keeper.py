"""One message of Discord, kept as its surface wants it: drawn, compared, delivered, saved, taken up after a restart.

A surface says what its message shows and when that is due. `LiveMessage` does the rest, for every message that lives: it draws the newest
state, skips what would change nothing, and delivers by the cheapest way that is open: the answer of a click on the message, the token of
a click, the bot's own token. A message that is about to be sent is noted before, under a nonce that Discord takes once; one that may have
arrived is looked up. So after a lost reply, a lost request or a kill there is one message, not two and not none.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.budgets import FollowUp
from bot.line.by_token import Token
from bot.line.failures import (
    ChannelGone,
    DiscordFailed,
    EditsLimited,
    Gone,
    NotAllowed,
    OutcomeUnknown,
    ThreadArchived,
    TokenEnded,
    TryLater,
)
from bot.line.payloads import SUPPRESS_NOTIFICATIONS, AttachedFile, private
from bot.line.request_queue import Priority, RequestLine
from bot.render.message.panel import Raw
from bot.runtime.clock import AlarmClock
from bot.runtime.store_errors import StoreError
from bot.surfaces.due_work import DueWork

log = logging.getLogger(__name__)

RETRY_MS = 10_000
"""How long after a failure of Discord, or of the disk, a message is delivered again, unless Discord says when."""
SOON_MS = 1_000
"""How long after a lost reply a message is looked up: by then Discord shows it, if it has it."""
NONCE_MS = 60_000
"""So long after it was tried first, a message is looked up before it is sent again: Discord knows a nonce for a few minutes."""
_BY_CLICK = "click."
"""What is saved instead of a nonce, with the interaction's id, while a click's token sends a message: Discord takes no nonce there."""


class Location(Struct, frozen=True):
    """Where a live message is, as its surface saves it. Times are in ms since the epoch.

    Attributes:
        message: its id; 0 while there is none.
        sent_at: when it was sent.
        nonce: of a message that is about to be sent, or has been by a dealer that was killed then; empty for none.
        outdated: messages that another one has replaced and that are still to be taken away.
    """

    channel: int = 0
    message: int = 0
    sent_at: int = 0
    nonce: str = ""
    outdated: tuple[int, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether the message is there, none is on its way, and none has to be taken away."""
        return self.message != 0 and not self.nonce and not self.outdated

    @property
    def replaced(self) -> tuple[int, ...]:
        """What is outdated once another message has replaced the one that is there."""
        return (*self.outdated, self.message) if self.message else self.outdated


NOWHERE = Location()


class Drawing(Struct, frozen=True):
    """A message as it is sent to Discord.

    Attributes:
        file: the new picture, which replaces any other.
        names_picture: it shows a picture, the new one or the one that the message has: Discord can refuse it for that.
        mark: what its surface wants to know of it once it has arrived.
    """

    data: Raw
    file: AttachedFile | None = None
    names_picture: bool = False
    mark: object = None

    @property
    def seen(self) -> bytes:
        """What is seen of it, in a few bytes: not whom it calls, or whether it makes a sound. That a file was sent with it, or taken away,
        stands in its components too."""
        data = {
            key: value for key, value in self.data.items() if key not in ("attachments", "allowed_mentions", "flags")
        }
        return hashlib.blake2b(msgspec.msgpack.encode(data), digest_size=16).digest()

    def changes(self, shown: bytes) -> bool:
        """Return whether a message that shows this much has to be redrawn; empty: that is not known."""
        return self.file is not None or self.seen != shown


class Surface(ABC):
    """What one message shows, and what becomes of it."""

    new_message: Priority = Priority.PRIVATE
    redraw: ClassVar[Priority] = Priority.REDRAW
    """In which order its requests by the bot's token go."""
    follow_up: ClassVar[FollowUp] = FollowUp.REST
    """In which order its follow-ups go, of those that a channel can have in a minute."""
    is_silent: ClassVar[bool] = False
    """A new message notifies nobody."""
    returns: ClassVar[bool] = True
    """A message that somebody deletes comes back."""
    replaces_old: ClassVar[bool] = True
    """A message that is too old to be edited again and again is replaced; otherwise it is edited later."""
    retry_ms: ClassVar[int] = RETRY_MS
    is_private: ClassVar[bool] = False
    """Only one person sees it: Discord lets only tokens of their clicks send and edit it."""

    @property
    @abstractmethod
    def line(self) -> RequestLine:
        """Where its requests by the bot's token wait."""

    mark: str = ""
    """What stands in the components of this message and of no other in its channel; empty if only its nonce tells it apart."""

    @abstractmethod
    async def find_channel(self) -> int:
        """Return the channel for a new message. Raises `DiscordFailed`."""

    @abstractmethod
    def draw(self, location: Location) -> Drawing | None:
        """Draw the newest state, for the message that is there or for a new one (`NOWHERE`); None while there is nothing to show."""

    @abstractmethod
    async def save(self, location: Location, token: Token | None) -> None:
        """Save where the message is, and who can edit it. Raises `StoreError`."""

    def new_nonce(self) -> str:
        """Return what Discord knows the next new message by, at most 25 characters."""
        return secrets.token_hex(12)

    async def prepare(self, location: Location) -> None:  # noqa: B027  most need nothing
        """Wait, not for long, for what the drawing needs, such as a picture."""

    def is_new_due(self, location: Location) -> bool:
        """Return whether another message is due than the one that is there."""
        return not location.message

    def new_possible_at(self, now: int) -> int:
        """Return when a new message can be sent, in ms; `now` if at once."""
        return now

    def possible_at(self, now: int, *, by_token: bool) -> int:
        """Return when the message can be edited, in ms; `now` if at once. `by_token`: by that of a click."""
        return now

    async def goes(self, drawing: Drawing, location: Location) -> None:  # noqa: B027
        """A drawing is sent as soon as this is done."""

    def arrived(self, drawing: Drawing, location: Location) -> None:  # noqa: B027
        """Discord shows this drawing."""

    def missed(self, drawing: Drawing, error: DiscordFailed | None) -> None:  # noqa: B027
        """A drawing was refused, or nobody knows what became of it (None: it was the answer to a click)."""

    async def take_away(self, location: Location, message: int) -> None:  # noqa: B027
        """Take away a message that another one has replaced. Raises `DiscordFailed`."""

    def ended(self) -> None:  # noqa: B027
        """The message has been taken away for good (`LiveMessage.end`)."""

    async def failed(self, error: DiscordFailed) -> bool:
        """A request failed. Returns whether the surface has dealt with that; otherwise the keeper does what is usual."""
        return False


class Keeper:
    """What all live messages share."""

    def __init__(self, discord_api: DiscordApi, clock: AlarmClock) -> None:
        self.discord_api, self.clock = discord_api, clock
        self.tasks = BackgroundTasks()


class Clicks:
    """The newest click on a public message of a channel: for a while, its token can post a new message there."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._newest: Token | None = None

    def can_follow(self, click: Token) -> None:
        """A click was made on a public message of the channel, and has been answered."""
        self._newest = click

    def forget(self) -> None:
        """Its token cannot be used, or Discord has not answered."""
        self._newest = None

    def is_fresh(self, within_ms: int) -> bool:
        """Return whether it is not older than this."""
        now, click = self._keeper.clock.now(), self._newest
        return click is not None and click.is_open(now) and now < click.at + within_ms

    def usable(self, channel: int, kind: FollowUp) -> Token | None:
        """Return its token if it can post in a channel that has a follow-up of this kind left."""
        now, click = self._keeper.clock.now(), self._newest
        if click is None or click.channel != channel or not click.is_open(now):
            return None
        return click if self._keeper.discord_api.by_token.budget.possible_at(channel, kind, now) <= now else None


class LiveMessage:
    """One message, and the worker that brings it up to date.

    Args:
        location: where an earlier run left it.
        token: what can edit it, beside the bot's own token.

    Attributes:
        location, token: where it is, and what can edit it.
        shown: what Discord shows of it (`Drawing.seen`), as far as is known; else empty.
        work: brings it up to date. Its surface starts, wakes and stops it.
        clicks: what can post a new message in its channel, beside the bot's own token.
    """

    def __init__(
        self, keeper: Keeper, surface: Surface, location: Location = NOWHERE, token: Token | None = None
    ) -> None:
        self._keeper, self._surface = keeper, surface
        self.location, self.token = location, token
        self.work = DueWork(keeper.tasks, keeper.clock, "live-message", self._deliver, self._possible_at)
        self.clicks = Clicks(keeper)
        self.shown = b""
        self._sends = self._answers = self._tried_at = 0
        self._answers_crossed = self._ends = False
        self._sent_by: Token | None = None

    # what its surface says

    @property
    def is_up_to_date(self) -> bool:
        """Whether the newest state is what Discord shows, as far as is known."""
        return not self.work.is_due and self.shown != b""

    def take_up(self, location: Location, shown: bytes = b"") -> None:
        """The message is where an earlier run has left it, or this one when it was put away in memory."""
        self.location, self.shown = location, shown

    async def adopt(self, location: Location, token: Token | None = None, shown: Drawing | None = None) -> None:
        """A message that came about otherwise is this one from now on: the answer to a command. Raises `StoreError`."""
        self.location, self.token, self.shown = location, token, shown.seen if shown is not None else b""
        await self._surface.save(location, token)

    def lose(self) -> None:
        """Somebody has deleted the message."""
        self.location, self.token, self.shown = replace(self.location, message=0, nonce=""), None, b""
        self.work.wake()

    def can_edit(self, click: Token) -> None:
        """A click on the message was acknowledged without redrawing it: for a while its token can edit the message."""
        if click.can_edit(self.location.message, self._keeper.clock.now()):
            self.token = click
            self.work.look()

    @property
    def live_token(self) -> Token | None:
        """The token of a click that can edit the message; None if there is none."""
        token = self.token
        return token if token is not None and token.can_edit(self.location.message, self._keeper.clock.now()) else None

    def settle(self) -> None:
        """Draw what is shown once more, if a click's token can: after quick edits, clients have been seen to show an older one."""
        if self.live_token is not None:
            self.shown = b""
            self.work.wake()

    def end(self) -> None:
        """The message has had its time: take it away, also one that may have arrived. `Surface.ended` is called then."""
        self._ends = True
        self.work.start()
        self.work.wake()

    # answers of clicks on the message

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Inside, the answer of a click redraws the message: the worker waits."""
        self._answers_crossed = self._answers > 0
        self._answers += 1
        self.work.hold()
        try:
            yield
        finally:
            if self._answers_crossed:  # which of the two Discord applied last is not known
                self.shown = b""
                self.work.mark_due()
            self._answers -= 1
            self.work.release()

    async def draw_answer(self) -> Drawing | None:
        """Draw the newest state as the answer of a click on the message; None if another message is due."""
        drawing = None if self._surface.is_new_due(self.location) else self._surface.draw(self.location)
        if drawing is not None:
            self._sends += 1
            self.shown = drawing.seen
            self.work.mark_done()
            await self._surface.goes(drawing, self.location)
        return drawing

    def answered(self, drawing: Drawing, token: Token, *, arrived: bool, refused: DiscordFailed | None = None) -> None:
        """A drawing was sent as the answer of a click, whose token can edit the message now if it arrived.

        Args:
            refused: why Discord has not taken its picture: it can be drawn once more.
        """
        if token.original != self.location.message:  # somebody has deleted it meanwhile
            return
        if refused is None:  # of an answer whose reply is lost, the next edit finds out whether Discord has had it
            self.token = token
        if arrived:
            self._surface.arrived(drawing, self.location)
        else:
            self.shown = b""
            self.work.mark_due()
            self._surface.missed(drawing, refused)

    # the worker

    def _possible_at(self, now: int) -> int:
        if self._ends:
            return now
        if self._surface.is_new_due(self.location):
            return self._surface.new_possible_at(now)
        return self._surface.possible_at(now, by_token=self.live_token is not None)

    async def _deliver(self) -> None:
        try:
            if self._ends:
                await self._end()
                return
            await self._surface.prepare(self.location)
            if self._surface.is_new_due(self.location):
                await self._post()
            else:
                if self.location.nonce:
                    await self._settle_move()
                await self._edit()
            await self._clear_outdated()
        except DiscordFailed as error:
            await self._failed(error)
        except StoreError as error:  # save, then show: it is shown once it can be saved
            log.warning("message_not_saved", extra={"channel": self.location.channel, "error": repr(error)})
            self.work.wake_later(RETRY_MS)
        except Exception:
            log.exception("message_failed", extra={"channel": self.location.channel})
            self.shown = b""
            self.work.wake_later(RETRY_MS)

    # an edit

    async def _edit(self) -> None:
        surface, location = self._surface, self.location
        token = self.live_token
        if self.work.is_held:
            self.work.mark_due()  # a click draws it
            return
        drawing = self._news(location)
        if drawing is None or (token is None and surface.is_private):
            return
        if token is None:
            slot = self._keeper.discord_api.slots.request(surface.line, surface.redraw)
            came = await self.work.first_of(slot, lambda: surface.is_new_due(location) or self.live_token is not None)
            if (
                not came
                or self.work.is_held
                or not self.work.runs
                or self.location != location
                or surface.is_new_due(location)
            ):
                self.work.mark_due()  # a click draws it, or something else is to be shown
                return
            drawing = self._news(location)  # the newest state, when its turn comes
            self.work.mark_done()
        if drawing is not None:
            await self._send_edit(drawing, token)

    def _news(self, location: Location) -> Drawing | None:
        """Draw the newest state; None if Discord shows that."""
        drawing = self._surface.draw(location)
        if drawing is None or drawing.changes(self.shown):
            return drawing
        self._surface.arrived(drawing, location)
        return None

    async def _send_edit(self, drawing: Drawing, token: Token | None) -> None:
        surface, location, api = self._surface, self.location, self._keeper.discord_api
        self._sends += 1
        sent, self.shown = self._sends, drawing.seen
        await surface.goes(drawing, location)
        try:
            if token is not None:
                await api.by_token.edit(token, location.message, drawing.data, drawing.file)
            else:
                await api.edit(
                    surface.line, location.channel, location.message, drawing.data, priority=None, file=drawing.file
                )
        except DiscordFailed as error:
            if self.location.message != location.message:
                return
            self.shown = b""
            surface.missed(drawing, error)
            if token is not None and isinstance(error, TokenEnded | Gone):
                self.token = None
                if surface.is_private:
                    raise
                self.work.mark_due()  # the bot's own token finds out whether the message is there
            elif drawing.names_picture and error.can_be_about_files:
                self.work.mark_due()  # the surface draws it without
            else:
                raise
        else:
            if self._sends != sent:  # a click was answered meanwhile: which of them Discord applied last is not known
                self.shown = b""
                self.work.mark_due()
            surface.arrived(drawing, location)

    # a new message

    async def _post(self) -> None:
        surface = self._surface
        channel = await surface.find_channel()
        if self.location.nonce and await self._is_found(channel):
            self.work.mark_due()
            return
        is_sent_again = self.location.nonce and not self.location.nonce.startswith(_BY_CLICK)
        click = None if is_sent_again else self.clicks.usable(channel, surface.follow_up)
        if click is None:
            if surface.is_private:
                return
            await self._keeper.discord_api.slots.wait(surface.line, surface.new_message)
        drawing = surface.draw(NOWHERE)
        if self._ends or drawing is None or not self.work.runs or not surface.is_new_due(self.location):
            if drawing is not None:
                self.work.mark_due()
            return
        self.work.mark_done()  # what changes from here on, also while it is saved that a message is sent, is due again
        if not surface.is_private and (
            not self.location.nonce or (click is None) == self.location.nonce.startswith(_BY_CLICK)
        ):
            self._tried_at = self._keeper.clock.now()
            nonce = surface.new_nonce() if click is None else f"{_BY_CLICK}{click.interaction}"
            await self._move(replace(self.location, channel=channel, nonce=nonce), self.token)
        await surface.goes(drawing, NOWHERE)
        try:
            message = await _send(self._keeper.discord_api, surface, self.location, drawing, click)
        except TryLater:
            surface.missed(drawing, OutcomeUnknown())
            if click is not None:
                self._sent_by = click
                self.clicks.forget()
                self.work.wake_later(SOON_MS)
                return
            raise
        except DiscordFailed as error:  # Discord has not taken it
            self.clicks.forget()
            await self._move(replace(self.location, nonce=""), self.token)
            surface.missed(drawing, error)
            if click is not None or (drawing.names_picture and error.can_be_about_files):
                self.work.mark_due()
                return
            raise
        await self._arrive(channel, message, click, drawing)

    async def _arrive(
        self, channel: int, message: int, token: Token | None, drawing: Drawing | None, *more: int
    ) -> None:
        """A new message is there; those that it replaces are taken away once that is saved."""
        location = Location(channel, message, self._keeper.clock.now(), outdated=(*self.location.replaced, *more))
        # At once: somebody can delete it while that is saved.
        self.location, self.token, self.shown = location, token, drawing.seen if drawing is not None else b""
        if drawing is not None:
            self._surface.arrived(drawing, location)
        await self._surface.save(location, token)

    async def _is_found(self, channel: int, *, is_sent_again: bool = True) -> bool:
        """Look for a message that was about to be sent when an earlier run was killed, or whose reply was lost."""
        location = self.location
        is_fresh = self._keeper.clock.now() < self._tried_at + NONCE_MS
        if is_sent_again and is_fresh and not location.nonce.startswith(_BY_CLICK):  # Discord knows the nonce
            return False
        known = {0, location.message, *location.outdated}
        try:
            found = await _look_up(self._keeper.discord_api, self._surface, location, channel)
        except NotAllowed:  # who must not look sees what the nonce prevents
            return False
        new = [message for message in found if message not in known and message > location.message]
        if new:
            token = self._sent_by
            if token is not None and location.nonce == f"{_BY_CLICK}{token.interaction}":
                token.has_sent(new[0])
            else:
                token = None
            await self._arrive(channel, new[0], token, None, *new[1:])
        return bool(new)

    async def _settle_move(self) -> None:
        """Another message was about to be sent, and is not due any more: it takes the place of the old one if it has arrived."""
        if not await self._is_found(self.location.channel, is_sent_again=False):
            await self._move(replace(self.location, nonce=""), self.token)

    async def _clear_outdated(self) -> None:
        """Take away what newer messages have replaced; what Discord does not let go stays."""
        for message in self.location.outdated:
            try:
                await self._surface.take_away(self.location, message)
            except TryLater:
                raise
            except DiscordFailed as error:
                log.info("outdated_message_left", extra={"channel": self.location.channel, "error": repr(error)})
            left = tuple(one for one in self.location.outdated if one != message)
            await self._move(replace(self.location, outdated=left), self.token)

    async def _end(self) -> None:
        """Take the message away for good."""
        if self.location.nonce:
            await self._is_found(self.location.channel, is_sent_again=False)
        await self._move(replace(self.location, message=0, nonce="", outdated=self.location.replaced), None)
        await self._clear_outdated()
        self.work.stop()
        self._surface.ended()

    async def _move(self, location: Location, token: Token | None) -> None:
        await self._surface.save(location, token)
        self.location, self.token = location, token

    # failures

    async def _failed(self, error: DiscordFailed) -> None:
        """Do what is usual, unless the surface knows better."""
        fields = {"channel": self.location.channel, "error": repr(error)}
        self.shown = b""
        if await self._surface.failed(error):
            return
        match error:
            case TryLater():
                log.warning("message_tried_later", extra=fields)
                self.work.wake_later(max(self._surface.retry_ms, int(error.retry_after * 1000)))
            case EditsLimited() if not self._surface.replaces_old:
                self.work.wake_later(self._surface.retry_ms)
            case EditsLimited() | ThreadArchived() if self.location.message:  # a new message opens the thread again
                log.info("message_replaced", extra=fields)
                self.location = replace(self.location, message=0, outdated=self.location.replaced)
                self.work.mark_due()
            case Gone() if self._surface.returns and not isinstance(error, ChannelGone):
                log.info("message_gone", extra=fields)
                self.location = replace(self.location, message=0)
                self.work.mark_due()
            case _:
                log.warning("message_refused", extra=fields)


async def _send(api: DiscordApi, surface: Surface, location: Location, drawing: Drawing, click: Token | None) -> int:
    """Send a new message, by the token of a click if there is one. Returns its id."""
    data = drawing.data
    if surface.is_silent:
        data = data | {"flags": data.get("flags", 0) | SUPPRESS_NOTIFICATIONS}
    if click is not None and surface.is_private:
        message = await api.by_token.follow_up_privately(click.token, click.channel, private(data), drawing.file)
        click.has_sent(message)
        return message
    if click is not None:
        return await api.by_token.send(click, data, drawing.file)
    return await api.send(surface.line, location.channel, data, priority=None, file=drawing.file, nonce=location.nonce)


async def _look_up(api: DiscordApi, surface: Surface, location: Location, channel: int) -> list[int]:
    """Return the messages of a channel that can be the one that was about to be sent."""
    if location.nonce.startswith(_BY_CLICK):
        interaction = int(location.nonce.removeprefix(_BY_CLICK))
        return [await api.find_sent(surface.line, channel, interaction=interaction, after=interaction)]
    if surface.mark:
        return await api.own_messages(surface.line, channel, text=surface.mark)
    return [await api.find_sent(surface.line, channel, nonce=location.nonce)]
