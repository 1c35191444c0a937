"""The pictures of tables: when a new one is due, that it is drawn in time, and what a message has of it.

A picture is due at the moments that `bot.render.pictures` tells apart: the deal, each street, the result. It goes with the message that is
sent for that anyway, which waits for it no longer than `WAIT_SECONDS`. A click is answered in text at once, and the picture follows as soon
as it is drawn, by the token of that click.
Where a picture cannot be drawn, or Discord refuses it, the hand goes on in text.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from enum import Enum, auto

import msgspec

from bot.child_process import describe_error
from bot.ledger.house import HouseRules
from bot.pictures.maker import PictureMaker
from bot.render.message.panel import TABLE_PICTURE, Raw
from bot.render.pictures.moment import picture_moment
from bot.render.pictures.table import table_picture
from bot.runtime.snapshot import TableSnapshot
from bot.table.state import SeatStatus
from bot.text.language import reading
from cogs.ui.background_tasks import BackgroundTasks
from cogs.ui.discord_api import AttachedFile, DiscordApi
from cogs.ui.scenes import EmojiDecks, has_pictures, look_of, scene_of
from cogs.ui.table_message import NO_HAND, NO_PICTURE, DrawnMessage, MessagePicture, PictureJob, TableMessage

log = logging.getLogger(__name__)

WAIT_SECONDS = 0.25
"""How long the message of a new hand, or an edit, waits for its picture."""
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


class TablePictures:
    """Says what a table's message shows of a picture.

    Args:
        maker: draws them.
        house_rules: returns the house rules of a server.
        ready: called with a table whose picture is there, or will not come, when nothing waits for it any more.
    """

    def __init__(
        self,
        maker: PictureMaker,
        discord_api: DiscordApi,
        emoji_decks: EmojiDecks,
        tasks: BackgroundTasks,
        house_rules: HouseRulesOf,
        ready: Callable[[int], None],
    ) -> None:
        self._maker = maker
        self._discord_api = discord_api
        self._emoji_decks = emoji_decks
        self._tasks = tasks
        self._house_rules = house_rules
        self._ready = ready

    # what is due

    def due(self, table_message: TableMessage, has: MessagePicture, *, allowed: bool = True) -> tuple[bytes, bytes]:
        """Return the moment whose picture is to be shown, and the same if it is not there yet; empty for none.

        Args:
            has: what the message has of a picture.
            allowed: the bot can attach files, as far as the caller knows.
        """
        if not has.is_there and not self._maker.can_draw:  # where there are no pictures at all, it costs nothing
            return b"", b""
        snapshot = table_message.newest
        view = snapshot.hand
        if (
            view is None
            or table_message.hand_to_show == NO_HAND
            or table_message.hand_in_text == snapshot.hand_number
            or not has_pictures(snapshot)
        ):
            return b"", b""
        moment = msgspec.msgpack.encode((snapshot.hand_number, *picture_moment(view)))
        if has.is_there and has.moment == moment:
            return moment, b""
        address = snapshot.address
        can_come = (
            allowed and self._maker.can_draw and self._discord_api.can_attach_files(address.guild, address.channel)
        )
        return (moment, moment) if can_come else (b"", b"")

    def start(self, table_message: TableMessage, has: MessagePicture, *, allowed: bool = True) -> PictureJob | None:
        """Return the drawing of the picture that is due, and begin it if need be; None if none is due."""
        _, due = self.due(table_message, has, allowed=allowed)
        return self._job(table_message, due) if due else None

    def _job(self, table_message: TableMessage, moment: bytes) -> PictureJob:
        job = table_message.picture_job
        if job is not None and job.moment == moment:
            return job
        if job is not None:
            job.task.cancel()
        snapshot, now = table_message.newest, asyncio.get_running_loop().time()
        task = self._tasks.run(self._draw(snapshot), f"picture-{snapshot.id}")
        new = table_message.picture_job = PictureJob(moment, task, now + WAIT_SECONDS)
        task.add_done_callback(lambda _: self._drawn(table_message, new))
        return new

    async def prepare(self, table_message: TableMessage, has: MessagePicture, *, allowed: bool = True) -> None:
        """Wait for the picture that is due, not for long."""
        job = self.start(table_message, has, allowed=allowed)
        if job is not None and table_message.upload is None:
            with job.awaited() as seconds:
                await asyncio.wait({job.task}, timeout=seconds)

    def _drawn(self, table_message: TableMessage, job: PictureJob) -> None:
        if table_message.picture_job is job and not job.waiting and not job.task.cancelled():
            self._ready(table_message.newest.id)

    # what is shown

    def show(self, table_message: TableMessage, has: MessagePicture, *, allowed: bool = True) -> PictureShown:
        """Return what a message shows that is sent or redrawn at this moment. A hand whose picture cannot be drawn goes on in text."""
        wanted, due = self.due(table_message, has, allowed=allowed)
        if not wanted:
            return PictureShown.NONE
        if not due:
            return PictureShown.KEPT
        job = self._job(table_message, due)
        if job.task.done():
            if job.task.cancelled() or job.task.result() is None:
                if not self._maker.is_ready:  # the dealer has just started: another try with the next redraw
                    table_message.picture_job = None
                    return PictureShown.KEPT if has.is_there else PictureShown.NONE
                self._go_on_in_text(table_message)
                return PictureShown.NONE
            if table_message.upload is None:
                return PictureShown.NEW
        return PictureShown.KEPT if has.is_there else PictureShown.NONE

    def new_file(self, table_message: TableMessage, components: list[Raw]) -> tuple[AttachedFile, bytes]:
        """Return the file for `PictureShown.NEW`, with the description that these components have, and its moment."""
        job = table_message.picture_job
        content = job.task.result() if job is not None else None
        assert job is not None and content is not None, "no picture"
        return AttachedFile(TABLE_PICTURE, content, CONTENT_TYPE, _description(components)), job.moment

    def goes(self, table_message: TableMessage, drawn: DrawnMessage) -> bool:
        """A drawing is sent to the live message. Returns whether to save that before: a picture that it removes is gone from now on."""
        if drawn.file is not None:
            table_message.upload = drawn
        if drawn.removes_picture:
            table_message.picture = NO_PICTURE
        return drawn.removes_picture

    def arrived(self, table_message: TableMessage, drawn: DrawnMessage) -> bool:
        """A drawing has reached Discord. Returns whether the message has another picture now."""
        if drawn.file is None:
            return False
        table_message.picture = MessagePicture(True, drawn.moment)
        table_message.upload, table_message.uploads_lost = None, 0
        job = table_message.picture_job
        if job is not None and job.moment == drawn.moment:
            table_message.picture_job = None
        return True

    def refused(self, table_message: TableMessage, drawn: DrawnMessage) -> None:
        """Discord has refused a drawing that showed a picture. A file that it did not take is not sent again; one that it has lost is."""
        if drawn.file is None:
            table_message.picture = NO_PICTURE
        else:
            table_message.upload = None
            self._go_on_in_text(table_message)

    def lost(self, table_message: TableMessage, drawn: DrawnMessage) -> None:
        """Nobody knows whether a drawing has reached Discord."""
        if drawn.file is None:
            return
        table_message.upload = None
        table_message.picture = MessagePicture(table_message.picture.is_there)
        table_message.uploads_lost += 1
        if table_message.uploads_lost >= LOST_MAX:
            self._go_on_in_text(table_message)

    def _go_on_in_text(self, table_message: TableMessage) -> None:
        fields = {"table": table_message.newest.id, "hand": table_message.newest.hand_number}
        log.info("hand_goes_on_in_text", extra=fields)
        table_message.hand_in_text, table_message.picture_job = table_message.newest.hand_number, None
        table_message.uploads_lost = 0

    # drawing

    async def _draw(self, snapshot: TableSnapshot) -> bytes | None:
        """Draw what everybody may see of a table; None where that cannot be done in time."""
        view = snapshot.hand
        assert view is not None, "nothing to draw"
        try:
            async with asyncio.timeout(DRAWING_SECONDS):
                look = look_of(snapshot, await self._house_rules(snapshot.address.guild))
                with reading(self._discord_api.server_language(snapshot.address.guild)):
                    scene = scene_of(snapshot, view, self._emoji_decks.four_colour, 0)
                    away = [seat.number for seat in snapshot.table.seats if seat.status is SeatStatus.SITTING_OUT]
                    picture = table_picture(scene, look, seat_count=snapshot.settings.seat_count, away=away)
                return await self._maker.draw(picture, snapshot.id) if picture is not None else None
        except TimeoutError:
            log.warning("picture_late", extra={"table": snapshot.id, "hand": snapshot.hand_number})
        except Exception as error:  # its text can name a card, so only where it was raised is logged (TL-37)
            log.error(
                "picture_failed",
                extra={"table": snapshot.id, "hand": snapshot.hand_number, "error": describe_error(error)},
            )
        return None


def _description(components: list[Raw]) -> str:
    """Return the description of the picture in a message."""
    gallery = next(part for part in components[0]["components"] if part["type"] == GALLERY)
    return str(gallery["items"][0]["description"])
