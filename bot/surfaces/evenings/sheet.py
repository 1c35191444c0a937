"""One sheet: its message, the hands that it tells, its picture, and the line in the channel above its room."""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.line.failures import ChannelGone, DiscordFailed, EditsLimited, Gone, ThreadArchived, TryLater
from bot.line.payloads import NO_MENTIONS, AttachedFile, message_data
from bot.line.request_queue import Priority, RequestLine
from bot.render.message.panel import Picture, payload
from bot.render.pictures.evening import EVENING_PICTURE, evening_text
from bot.render.table.sheet import SheetHand, ended_panel
from bot.runtime.clock import Alarm
from bot.runtime.evening import Evening
from bot.runtime.nights import Nights
from bot.runtime.snapshot import HandLog, TableAddress
from bot.surfaces.evenings.saved import KeptSheet
from bot.surfaces.evenings.teller import EveningTeller, is_behind
from bot.surfaces.keeper import NOWHERE, Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.scenes import EmojiDecks, hand_log_scene
from bot.text import sheet as words
from bot.text.language import reading
from bot.text.sheet import SheetHandKind

log = logging.getLogger(__name__)

WAIT_SECONDS = 1.5
"""How long a new sheet waits for its picture and its hands. After that it is shown without, and they follow."""
SLOW_SECONDS = 3.0
"""How long what there is to tell waits for the picture."""
AGAIN_MS = 10 * 60 * 1000
"""How long after Discord has refused a sheet it is tried again."""
TRIED_MS = 3 * 24 * 3_600_000
"""So long it is tried."""
CONTENT_TYPE = "image/webp"


class SheetOwner(Protocol):
    """What a sheet needs, and whom it tells what happens (`bot.surfaces.evenings.sheets.EveningSheets`)."""

    keeper: Keeper
    emoji_decks: EmojiDecks
    teller: EveningTeller
    nights: Nights
    link: str

    async def keep(self, sheet: SheetMessage) -> None:
        """Save what is known of a sheet. Raises `StoreError`."""

    async def keep_line(self, sheet: SheetMessage, location: Location, *, is_told: bool) -> None:
        """Save where the line above is. Raises `StoreError`."""

    def shown(self, sheet: SheetMessage) -> None:
        """A sheet shows all that there is to show, or cannot be shown."""


class SheetMessage(Surface):
    """The message of a sheet.

    Attributes:
        address: the table.
        kept: what is saved of it.
        live: keeps it.
        line_above: the line in the channel above the room.
        is_behind: its hands were read while the name of somebody was still being taken out of them.
    """

    new_message = Priority.TABLE
    returns = False
    replaces_old = False

    def __init__(self, owner: SheetOwner, address: TableAddress, kept: KeptSheet) -> None:
        self._owner, self.address, self.kept = owner, address, kept
        self._evening, self._picture = Evening(), b""
        self._reading: asyncio.Task[None] | None = None
        self._is_told = self._is_over = self._is_open_again = self.is_behind = False
        self._version, self._tried_until = 0, kept.due_at + TRIED_MS
        self._alarm: Alarm | None = None
        self.live = LiveMessage(owner.keeper, self, kept.location)
        self.line_above = LineAbove(owner, self)

    @property
    def tasks(self) -> BackgroundTasks:
        return self._owner.keeper.tasks

    @property
    def line(self) -> RequestLine:
        return RequestLine(self.address.guild)

    @property
    def message(self) -> int:
        """Its id; 0 while there is none."""
        return self.live.location.message

    def start(self) -> None:
        """Show it. One that stands there already is redrawn once everything is known."""
        if self._reading is not None:
            self._reading.cancel()
        self._version += 1
        self._evening, self._picture = Evening(), b""
        self._is_told = self._is_over = False
        self.live.work.start()
        self._reading = self.tasks.run(self._tell(), f"evening-{self.address.id}")
        if not self.message:
            self.live.work.wake()

    def try_again(self) -> None:
        """What Discord refused before, it may take now."""
        if not self._is_over and self.live.work.runs:
            self.live.work.wake()

    def change(self, kept: KeptSheet) -> None:
        """Somebody's data has been deleted: the sheet loses their name."""
        if kept.is_shown and not self.message:  # it is given up
            self.kept = kept
            return
        self.kept = replace(kept, has_picture=False, is_shown=False)
        self._tried_until = self._owner.keeper.clock.now() + TRIED_MS
        self.start()

    def note(self, **what: object) -> None:
        """Remember something more of it, which its owner saves."""
        self.kept = replace(self.kept, **what)

    def stop(self) -> None:
        """Show nothing more in this run."""
        if self._alarm is not None:
            self._alarm.cancel()
        self.live.work.stop()
        self.line_above.stop()

    # what it shows

    async def _tell(self) -> None:
        """Find out what there is to tell, draw the picture, and show both."""
        teller, address, game = self._owner.teller, self.address, self.kept.game
        try:
            self._evening = await teller.read(address, game)
            self.is_behind = is_behind(game, self._evening)
            drawing = self.tasks.run(teller.draw(address, game, self._evening), f"evening-picture-{address.id}")
            if not (await asyncio.wait({drawing}, timeout=SLOW_SECONDS))[0]:
                self.live.work.wake()
            self._picture = await drawing
        except Exception:
            log.exception("evening_not_told", extra={"table": address.id})
        self._is_told = True
        self.live.work.wake()

    async def find_channel(self) -> int:
        return self.address.channel

    def is_new_due(self, location: Location) -> bool:
        return not location.message and not self._is_over

    async def prepare(self, location: Location) -> None:
        if not location.message and self._reading is not None:
            await asyncio.wait({self._reading}, timeout=WAIT_SECONDS)

    def draw(self, location: Location) -> Drawing | None:
        game, has_new = self.kept.game, bool(self._picture) and not (location.message and self.kept.has_picture)
        has_any = has_new or (bool(location.message) and self.kept.has_picture)
        with reading(self._owner.keeper.discord_api.servers.language(self.address.guild)):
            text = evening_text(game)
            picture = Picture(EVENING_PICTURE, text) if has_any else None
            has_nights = self._owner.nights.can_begin_with(self.address.guild, self.address.id)
            components = payload(ended_panel(self.address.id, game, self._hands(), picture, has_nights=has_nights))
        file = AttachedFile(EVENING_PICTURE, self._picture, CONTENT_TYPE, text) if has_new else None
        data = message_data(components, file, keeps_files=has_any)
        return Drawing(data, file, has_any, mark=(self._is_told, has_any, self._version))

    def _hands(self) -> list[SheetHand]:
        evening, emojis = self._evening, self._owner.emoji_decks.four_colour
        told = (
            (SheetHandKind.NIGHT, evening.hand_of_night),
            (SheetHandKind.WORST, evening.worst_beat),
            (SheetHandKind.BEST, evening.best_hand),
        )
        known = {one.player for one in self.kept.game.standings} if self.kept.former_players else None
        return [
            SheetHand(kind, hand_log_scene(_known_alone(hand.log, known), emojis), hand.seat_index, hand.chance)
            for kind, hand in told
            if hand is not None
        ]

    # what becomes of it

    def arrived(self, drawing: Drawing, location: Location) -> None:
        assert isinstance(drawing.mark, tuple)
        is_told, has_picture, version = drawing.mark
        is_newest = version == self._version  # else a name has gone since it was drawn
        self.kept = replace(self.kept, location=location, has_picture=has_picture and is_newest)
        if is_told and is_newest:
            self.kept = replace(self.kept, former=self.kept.former_players, is_shown=True)
        self.line_above.start()
        if self._is_open_again:
            self._is_open_again = False
            self.tasks.run(self._shut_thread(), f"shut-{self.address.id}")
        if self.kept.is_shown and location.is_settled:
            self._finish()

    async def save(self, location: Location, token: object) -> None:
        self.kept = replace(self.kept, location=location)
        if location.is_settled and self.kept.is_shown:
            self._finish()
        await self._owner.keep(self)

    def missed(self, drawing: Drawing, error: DiscordFailed | None) -> None:
        if error is not None and drawing.names_picture and error.can_be_about_files:
            self._picture, self.kept = b"", replace(self.kept, has_picture=False)

    async def failed(self, error: DiscordFailed) -> bool:
        fields = {"table": self.address.id, "channel": self.address.channel, "error": repr(error)}
        match error:
            case TryLater() | EditsLimited():
                return False
            case ThreadArchived() if self.message and not self._is_open_again:
                return await self._open_thread()
            case ChannelGone() | Gone():
                log.info("sheet_gone", extra=fields)
                self._give_up()
            case _ if self._owner.keeper.clock.now() < self._tried_until:
                log.warning("sheet_refused", extra=fields)
                self._try_later()
            case _:
                log.warning("sheet_given_up", extra=fields)
                self._give_up()
        return True

    def _try_later(self) -> None:
        clock = self._owner.keeper.clock
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = clock.call_at(clock.now() + AGAIN_MS, self.try_again)

    def _give_up(self) -> None:
        self.kept = replace(self.kept, is_shown=True, is_told=True)
        self._finish()

    async def _open_thread(self) -> bool:
        """Open the archived thread, so that its sheet can be edited; it is shut again after that."""
        try:
            await self._owner.keeper.discord_api.edit_channel(self.line, self.address.channel, {"archived": False})
        except DiscordFailed as error:
            log.info("room_not_opened", extra={"channel": self.address.channel, "error": repr(error)})
            self._try_later()
            return True
        self._is_open_again = True
        self.live.work.mark_due()
        return True

    async def _shut_thread(self) -> None:
        try:
            await self._owner.keeper.discord_api.edit_channel(self.line, self.address.channel, {"archived": True})
        except DiscordFailed as error:
            log.info("room_not_archived", extra={"channel": self.address.channel, "error": repr(error)})

    def _finish(self) -> None:
        if not self._is_over:
            self._is_over = True
            self.live.work.stop()
            self._evening, self._picture, self._reading = Evening(), b"", None
            self._owner.shown(self)


def _known_alone(hand: HandLog, known: set[int] | None) -> HandLog:
    """Return a hand without the names of people who do not stand in the game any more: their data is being deleted."""
    if known is None:
        return hand
    people = {
        number: player if player.user in known else replace(player, name="")
        for number, player in hand.players_by_seat.items()
    }
    return replace(hand, players_by_seat=people)


class LineAbove(Surface):
    """One line in the channel above a room: the game there is over, who won most, and the way to the sheet."""

    new_message = Priority.BACKGROUND
    returns = False
    replaces_old = False

    def __init__(self, owner: SheetOwner, sheet: SheetMessage) -> None:
        self._owner, self._sheet = owner, sheet
        self.live = LiveMessage(owner.keeper, self, sheet.kept.line)

    @property
    def line(self) -> RequestLine:
        return self._sheet.line

    def start(self) -> None:
        """Show it, if there is one to show: once the sheet stands in its room."""
        kept = self._sheet.kept
        if kept.parent and not kept.is_told and self._sheet.message:
            self.live.work.start()
            self.live.work.wake()

    def change(self) -> None:
        """Somebody in it has no name any more."""
        if self._sheet.kept.line.message:
            self.live.work.start()
            self.live.work.wake()

    def stop(self) -> None:
        self.live.work.stop()

    async def find_channel(self) -> int:
        return self._sheet.kept.parent

    def draw(self, location: Location) -> Drawing | None:
        sheet = self._sheet
        address = sheet.address
        link = f"{self._owner.link}/{address.guild}/{address.channel}/{sheet.message}"
        with reading(self._owner.keeper.discord_api.servers.language(address.guild)):
            text = words.line_above(sheet.kept.game, link)
        data = {"content": text, "allowed_mentions": NO_MENTIONS}
        return Drawing(data)

    def arrived(self, drawing: Drawing, location: Location) -> None:
        if location.is_settled:
            self.live.work.stop()

    async def save(self, location: Location, token: object) -> None:
        sheet = self._sheet
        is_told = sheet.kept.is_told or location.is_settled
        await self._owner.keep_line(sheet, location, is_told=is_told)
        if location.is_settled:
            self.live.work.stop()

    async def failed(self, error: DiscordFailed) -> bool:
        if isinstance(error, TryLater | EditsLimited):
            return False
        log.info("line_above_refused", extra={"channel": self._sheet.kept.parent, "error": repr(error)})
        self.live.work.stop()
        await self._owner.keep_line(self._sheet, replace(NOWHERE, channel=self._sheet.kept.parent), is_told=True)
        return True
