"""The pictures of tables: when a new one is due, that it is drawn in time, and what a message has of it.

A picture is due at the moments that `bot.render.pictures` tells apart: the deal, each street, the result. It goes with the edit that is
made for that anyway, which waits for it no longer than `WAIT_SECONDS`. A click is answered in text at once, and the picture follows as soon
as it is drawn, by the token of that click. In an all-in run-out a street is told together with its picture and its odds, or without them.
Where a picture cannot be drawn, or Discord refuses it, the hand goes on in text.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from enum import Enum, auto

import msgspec

from bot.background_tasks import BackgroundTasks
from bot.child_process import describe_error
from bot.house.rules import HouseRules
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.payloads import AttachedFile
from bot.pictures.maker import PictureMaker
from bot.render.message.panel import TABLE_PICTURE, Raw
from bot.render.pictures.moment import Stage, moment_began, picture_moment, stage_of
from bot.render.pictures.table import table_picture
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.keeper import Drawing
from bot.surfaces.people.avatars import Avatars
from bot.surfaces.scenes import EmojiDecks, has_pictures, look_of, scene_of
from bot.surfaces.table.run_out_odds import RunOutOdds
from bot.surfaces.table.saved import NO_PICTURE, MessagePicture
from bot.table.state import SeatStatus
from bot.text.language import reading

log = logging.getLogger(__name__)

WAIT_SECONDS = 0.25
"""How long the message of a new hand, or an edit, waits for its picture."""
RUN_OUT_WAIT_SECONDS = 1.0
"""The same in an all-in run-out, where text and picture never contradict each other."""
DRAWING_SECONDS = 2.5
"""How long drawing a picture can take. `bot.pictures.maker` gives up before."""
LOST_MAX = 2
"""How often a picture is sent of which nobody knows whether it has arrived; then the hand goes on in text."""
CONTENT_TYPE, GALLERY = "image/webp", 12

HouseRulesOf = Callable[[int], Awaitable[HouseRules]]


class PictureShown(Enum):
    """What a message is to show of a picture."""

    NONE = auto()
    KEPT = auto()  # the picture that it has
    NEW = auto()


class TablePainter:
    """Draws what everybody may see of a table.

    Args:
        maker: draws pictures.
        house_rules: returns the house rules of a server.
        tasks: those of the tables.
        odds: knows the odds of a run-out.
        avatars: has the players' own pictures.
    """

    def __init__(
        self,
        maker: PictureMaker,
        discord_api: DiscordApi,
        emoji_decks: EmojiDecks,
        house_rules: HouseRulesOf,
        tasks: BackgroundTasks,
        odds: RunOutOdds,
        avatars: Avatars,
    ) -> None:
        self._maker, self._servers, self._emoji_decks = maker, discord_api.servers, emoji_decks
        self._house_rules, self._tasks, self._odds = house_rules, tasks, odds
        self._avatars = avatars

    @property
    def is_ready(self) -> bool:
        """Whether it has drawn before, or could have."""
        return self._maker.is_ready

    @property
    def can_draw(self) -> bool:
        return self._maker.can_draw

    def can_show(self, snapshot: TableSnapshot) -> bool:
        """Return whether a table's channel takes a new picture."""
        address = snapshot.address
        return self._maker.can_draw and self._servers.can_attach_files(address.guild, address.channel)

    def draw(self, snapshot: TableSnapshot) -> asyncio.Task[bytes | None]:
        """Begin to draw a table."""
        return self._tasks.run(self._draw(snapshot), f"picture-{snapshot.id}")

    async def _draw(self, snapshot: TableSnapshot) -> bytes | None:
        """Draw what everybody may see of a table; None where that cannot be done in time."""
        try:
            async with asyncio.timeout(DRAWING_SECONDS):
                look = look_of(snapshot, await self._house_rules(snapshot.address.guild))
                await self._odds.wait(snapshot)
                with reading(self._servers.language(snapshot.address.guild)):
                    view = moment_began(snapshot.views_of_street())
                    odds = self._odds.of(snapshot)
                    scene = scene_of(snapshot, view, self._emoji_decks.four_colour, 0, odds=odds)
                    away = [seat.number for seat in snapshot.table.seats if seat.status is SeatStatus.SITTING_OUT]
                    picture = table_picture(
                        scene,
                        look,
                        seat_count=snapshot.settings.seat_count,
                        away=away,
                        avatars=self._avatars.of(snapshot),
                    )
                return await self._maker.draw(picture, snapshot.id) if picture is not None else None
        except TimeoutError:
            log.warning("picture_late", extra={"table": snapshot.id, "hand": snapshot.hand_number})
        except Exception as error:  # its text can name a card, so only where it was raised is logged (TL-37)
            log.error(
                "picture_failed",
                extra={"table": snapshot.id, "hand": snapshot.hand_number, "error": describe_error(error)},
            )
        return None


class _Job(msgspec.Struct, frozen=True, eq=False):
    """A picture that is being drawn, or has been and is not in Discord yet. Nothing waits for it longer than `wait_until`, on the loop's
    clock."""

    moment: bytes
    task: asyncio.Task[bytes | None]
    wait_until: float


class LivePicture:
    """The picture of one table's message. There is one on its way at a time, so that it is known which one came last.

    Args:
        ready: called when a picture is there, or will not come, and nothing waits for it any more.

    Attributes:
        has: what the message has of a picture.
        hand_in_text: the hand that goes on without pictures; -1 for none.
    """

    def __init__(self, painter: TablePainter, ready: Callable[[], None]) -> None:
        self._painter, self._ready = painter, ready
        self.has = NO_PICTURE
        self._job: _Job | None = None
        self._waiting = self._uploads_lost = 0
        self._upload: Drawing | None = None
        self.hand_in_text = self._hand_run_out = -1

    def restore(self, has: MessagePicture) -> None:
        """Take up what an earlier run has saved."""
        self.has = has

    def forget(self) -> None:
        """The message is not there any more."""
        self.has, self._upload = NO_PICTURE, None

    @property
    def is_quiet(self) -> bool:
        """Whether no picture is being drawn or sent."""
        return self._job is None and self._upload is None

    # what is due

    async def prepare(self, snapshot: TableSnapshot, *, is_new: bool) -> None:
        """Wait for the picture that is due, not for long. `is_new`: for a new message."""
        _, due = self._due(snapshot, NO_PICTURE if is_new else self.has)
        if not due or self._upload is not None:
            return
        job = self._drawn(snapshot, due)
        self._waiting += 1
        try:
            seconds = job.wait_until - asyncio.get_running_loop().time()
            await asyncio.wait({job.task}, timeout=max(0.0, seconds))
        finally:
            self._waiting -= 1

    def is_run_out(self, snapshot: TableSnapshot) -> bool:
        """Return whether an all-in hand is being run out, or has just been."""
        view, number = snapshot.hand, snapshot.hand_number
        if view is not None and self._hand_run_out != number and stage_of(view) is Stage.RUN_OUT:
            self._hand_run_out = number
        return view is not None and self._hand_run_out == number

    def _due(self, snapshot: TableSnapshot, has: MessagePicture) -> tuple[bytes, bytes]:
        """Return the moment whose picture is to be shown, and the same if it is not there yet; empty for none."""
        if not has.is_there and not self._painter.can_draw:  # where there are no pictures at all, it costs nothing
            return b"", b""
        view = snapshot.hand
        if view is None or self.hand_in_text == snapshot.hand_number or not has_pictures(snapshot):
            return b"", b""
        moment = msgspec.msgpack.encode((snapshot.hand_number, *picture_moment(view)))
        if has.is_there and has.moment == moment:
            return moment, b""
        return (moment, moment) if self._painter.can_show(snapshot) else (b"", b"")

    def _drawn(self, snapshot: TableSnapshot, moment: bytes) -> _Job:
        job = self._job
        if job is not None and job.moment == moment:
            return job
        if job is not None:
            job.task.cancel()
        seconds = RUN_OUT_WAIT_SECONDS if self.is_run_out(snapshot) else WAIT_SECONDS
        task = self._painter.draw(snapshot)
        new = self._job = _Job(moment, task, asyncio.get_running_loop().time() + seconds)
        task.add_done_callback(lambda _: self._tell(new))
        return new

    def _tell(self, job: _Job) -> None:
        if self._job is job and not self._waiting and not job.task.cancelled():
            self._ready()

    # what is shown

    def show(self, snapshot: TableSnapshot, *, is_new: bool) -> PictureShown:
        """Return what a message shows that is sent or redrawn at this moment. A hand whose picture cannot be drawn goes on in text."""
        has = NO_PICTURE if is_new else self.has
        wanted, due = self._due(snapshot, has)
        if not wanted:
            return PictureShown.NONE
        if not due:
            return PictureShown.KEPT
        task = self._drawn(snapshot, due).task
        is_old_shown = has.is_there and not self.is_run_out(snapshot) and _can_stay(has, snapshot)
        if task.done():
            if task.cancelled() or task.result() is None:
                if not self._painter.is_ready:  # the dealer has just started: another try with the next redraw
                    self._job = None
                    return PictureShown.KEPT if is_old_shown else PictureShown.NONE
                self._go_on_in_text(snapshot)
                return PictureShown.NONE
            if self._upload is None:
                return PictureShown.NEW
        return PictureShown.KEPT if is_old_shown else PictureShown.NONE

    def new_file(self, components: list[Raw]) -> tuple[AttachedFile, bytes]:
        """Return the file for `PictureShown.NEW`, with the description that these components have, and its moment."""
        content = self._job.task.result() if self._job is not None else None
        assert self._job is not None and content is not None, "no picture"
        return AttachedFile(TABLE_PICTURE, content, CONTENT_TYPE, _description(components)), self._job.moment

    # what becomes of it

    def goes(self, drawing: Drawing, *, is_new: bool) -> bool:
        """A drawing is sent. Returns whether to save that before: a picture that it removes is gone from now on."""
        if drawing.file is not None:
            self._upload = drawing
        if is_new or drawing.names_picture or not self.has.is_there:
            return False
        self.has = NO_PICTURE
        return True

    def arrived(self, drawing: Drawing, moment: bytes) -> bool:
        """A drawing has reached Discord. Returns whether the message has another picture now."""
        if drawing.file is None:
            return False
        self.has = MessagePicture(True, moment)
        self._upload, self._uploads_lost = None, 0
        if self._job is not None and self._job.moment == moment:
            self._job = None
        return True

    def missed(self, drawing: Drawing, error: DiscordFailed | None, snapshot: TableSnapshot) -> None:
        """A drawing was refused, perhaps for its picture, or nobody knows what became of it.

        A file that Discord did not take is not sent again; one that it has lost is.
        """
        is_refused = error is not None and drawing.names_picture and error.can_be_about_files
        if drawing.file is None:
            self.has = NO_PICTURE if is_refused else self.has
            return
        self._upload = None
        if not is_refused:
            self.has = MessagePicture(self.has.is_there)
            self._uploads_lost += 1
        if is_refused or self._uploads_lost >= LOST_MAX:
            self._go_on_in_text(snapshot)

    def _go_on_in_text(self, snapshot: TableSnapshot) -> None:
        log.info("hand_goes_on_in_text", extra={"table": snapshot.id, "hand": snapshot.hand_number})
        self.hand_in_text, self._job, self._uploads_lost = snapshot.hand_number, None, 0


def _can_stay(has: MessagePicture, snapshot: TableSnapshot) -> bool:
    """Return whether an older picture can stand beside newer words: one of an earlier hand would pass for the new hand's."""
    return not has.moment or msgspec.msgpack.decode(has.moment)[0] == snapshot.hand_number


def _description(components: list[Raw]) -> str:
    """Return the description of the picture in a message."""
    gallery = next(part for part in components[0]["components"] if part["type"] == GALLERY)
    return str(gallery["items"][0]["description"])
