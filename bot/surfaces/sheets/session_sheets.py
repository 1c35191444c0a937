"""What a session at a table came to, told to whoever leaves it: hands, time, net chips, the best moment, and their chips as a picture.

Who presses *Leave* reads it in the answer. Who leaves at the end of a hand, is removed, or sits there when the table closes reads it where
they read private things last: their panel, else their last answer, else the direct message that their cards came in. It replaces what was
there, so that private messages never stack up.

The chips are in the wallet before anything is told, and `/stats` counts the same hands. That somebody has left is saved until they have
been told: a dealer that was killed in between tells them by direct message, unless they left too long ago.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.interaction import InteractionInfo
from bot.line.payloads import AttachedFile, message_data
from bot.line.request_queue import RequestLine
from bot.pictures.types import Picture
from bot.render.house.statistics_pages import session_blocks, session_panel
from bot.render.message.panel import Block, Panel, payload
from bot.render.message.panel import Picture as PictureBlock
from bot.render.pictures.charts import CURVE_PICTURE, curve_picture, curve_text
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import AT_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableAddress, TableSnapshot, TableUpdate
from bot.runtime.store_errors import StatisticsUnavailable, StoreError
from bot.statistics.types import CountedChips, SessionNumbers
from bot.store.statistics.statistics import Statistics
from bot.surfaces.answer_pictures import CONTENT_TYPE, DRAWING_SECONDS, AnswerPictures, describe_safely
from bot.surfaces.direct_messages.cards_message import SavedSessionMessage
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.keeper import Location
from bot.surfaces.my_hand.panels import HandPanels
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.private_answers import PrivateAnswers, PrivateMessage
from bot.surfaces.table.display import TableDisplay
from bot.table.events import LeaveReason, SeatLeft
from bot.text.confirmations import left_text
from bot.text.language import reading

log = logging.getLogger(__name__)

FRESH_MS = 60 * 60_000
"""Who left so long ago wants to read nothing of it any more."""
COUNTING_SECONDS = 2.0
"""How long whoever leaves waits for what their session came to. It takes milliseconds, unless the disk is in trouble."""
TOLD_HERE = frozenset({LeaveReason.REQUESTED, LeaveReason.REMOVED, LeaveReason.CLOSED, LeaveReason.REPLACED})
"""Who loses their seat for another reason has a notice of their own (`bot.surfaces.notices.notices`), and the sheet is a part of it."""


class Session(Struct, frozen=True):
    """A session that has ended, as it is also saved until it is told.

    Attributes:
        address: of the table.
        practice: it was a practice table.
        table_chips: it was a game of table chips.
        since, until: when they sat down and when they left, in ms.
        message: that of their cards, if the table closed with the session.
        sending: the nonce of a direct message that is about to be sent, or has been by a dealer that was killed then; empty for none.
    """

    address: TableAddress
    practice: bool
    user: int
    since: int
    until: int
    reason: LeaveReason
    message: SavedSessionMessage | None = None
    sending: str = ""
    table_chips: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """Under which it is saved."""
        return self.address.id, self.user


_SESSIONS = SavedKind[tuple[int, int], Session]("session.", AT_A_TABLE, Session)


class Sheet(Struct, frozen=True):
    """What a session came to, with its picture as a file; no picture where none could be had."""

    session: Session
    numbers: SessionNumbers
    picture: AttachedFile | None = None

    @property
    def versions(self) -> tuple[Sheet, ...]:
        """The sheet, and the one without a picture for where Discord takes none."""
        return (self, Sheet(self.session, self.numbers)) if self.picture is not None else (self,)

    def blocks(self, *, in_dm: bool = False) -> tuple[Block, ...]:
        """Draw the sheet in the language that is being read; nothing if no hand was dealt."""
        address, session = self.session.address, self.session
        chips = CountedChips.PRACTICE if session.practice else CountedChips.SERVER
        if session.table_chips:
            chips = CountedChips.TABLE
        shown = PictureBlock(self.picture.name, self.picture.description) if self.picture is not None else None
        return session_blocks(
            self.numbers,
            address.number,
            self.session.user,
            picture=shown,
            guild=address.guild if in_dm else 0,
            chips=chips,
        )

    def panel(self, *, in_dm: bool = False) -> Panel:
        """Draw the sheet with the sentence that says how the session ended."""
        session = self.session
        sentence = left_text(session.reason, session.address.number, table_chips=session.table_chips)
        return session_panel(sentence, self.blocks(in_dm=in_dm))


class SessionSheets(Part):
    """Tells people what their sessions came to.

    Args:
        display: tells how a hand that is over ended: no sheet tells it before.
    """

    def __init__(
        self,
        statistics: Statistics,
        discord_api: DiscordApi,
        answers: PrivateAnswers,
        panels: HandPanels,
        direct_messages: DirectMessages,
        preferences: Preferences,
        pictures: AnswerPictures,
        display: TableDisplay,
        storage: ValueStorage,
        clock: AlarmClock,
    ) -> None:
        self._statistics = statistics
        self._discord_api = discord_api
        self._answers = answers
        self._panels = panels
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._pictures = pictures
        self._display = display
        self._saved = SavedValues(_SESSIONS, storage)
        self._clock = clock
        self._saving: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._ends: dict[Session, TableSnapshot] = {}
        self._seated: dict[int, tuple[tuple[int, int], ...]] = {}
        self._leaving: dict[tuple[int, int], list[Session]] = {}
        self._lost: dict[tuple[int, int], Session] = {}
        self.tasks = BackgroundTasks()

    @contextmanager
    def leaving(self, table: int, user: int) -> Iterator[list[Session]]:
        """Somebody presses *Leave*: if they leave within the ``with`` block, the list gets their session, and the caller tells them."""
        ended: list[Session] = []
        self._leaving[table, user] = ended
        try:
            yield ended
        finally:
            self._leaving.pop((table, user), None)

    async def open(self) -> None:
        """Tell those whom an earlier run has not told. Their last hands have been shown."""
        for key, session in (await self._saved.load()).items():
            if session.until + FRESH_MS > self._clock.now():
                self.tasks.run(self._deliver(session, None), f"session-{session.user}")
            else:
                await self._saved.forget(key)

    def on_update(self, change: TableUpdate) -> None:
        """Note who has left. This is called under the table's lock, and before panels forget a table that has closed."""
        snapshot = change.snapshot
        seated = self._seated.get(snapshot.id, ())
        self._seated[snapshot.id] = snapshot.seated_since
        if change.closed:
            del self._seated[snapshot.id]
        for event in change.events:
            if snapshot.settings.is_event:  # its chips are worth nothing outside: who came in where is told instead
                continue
            if isinstance(event, SeatLeft) and event.player > 0:
                self._on_left(dict(seated).get(event.player, 0), snapshot, event, closed=change.closed)

    def _on_left(self, since: int, snapshot: TableSnapshot, event: SeatLeft, *, closed: bool) -> None:
        if not since:
            return
        table, user = snapshot.id, event.player
        is_told_here = event.reason in TOLD_HERE or closed
        asked = self._leaving.get((table, user))
        panel = message = None
        if closed and asked is None and is_told_here:
            panel, message = self._panels.take_panel(table, user), self._direct_messages.take_session(table, user)
        practice = snapshot.settings.practice
        session = Session(
            snapshot.address,
            practice,
            user,
            since,
            event.at,
            event.reason,
            message,
            table_chips=snapshot.settings.has_table_chips,
        )
        self._ends[session] = snapshot
        self._save(session)
        if asked is not None:
            asked.append(session)
        elif not is_told_here:
            self._lost[table, user] = session
        else:
            self.tasks.run(self._deliver(session, panel), f"session-{user}")

    def _save(self, session: Session) -> None:
        saving = self._saved.keep(session.key, session)
        self._saving[session.key] = self.tasks.run(saving, f"save-session-{session.user}")

    async def _forget(self, session: Session) -> None:
        """The session has been told, or cannot be."""
        saving = self._saving.pop(session.key, None)
        try:
            if saving is not None:
                await saving
            await self._saved.forget(session.key)
        except StoreError as error:
            log.warning("session_not_forgotten", extra={"user": session.user, "error": repr(error)})

    async def sheet(self, session: Session, *, pictures: bool = True) -> Sheet | None:
        """Return what a session came to, in the language that is being read, once its last hand has been shown; None without hands."""
        snapshot = self._ends.pop(session, None)
        if snapshot is not None:
            await self._display.until_end_shown(snapshot)
        table = session.address.id
        fields = {"table": table, "user": session.user}
        try:
            async with asyncio.timeout(COUNTING_SECONDS):
                numbers = await self._statistics.session(table, session.user, session.since, session.until + 1)
        except (StatisticsUnavailable, TimeoutError) as error:  # whoever leaves has left, and is told so
            log.warning("session_not_counted", extra=fields | {"error": repr(error)})
            return None
        except Exception:
            log.exception("session_not_counted", extra=fields)
            return None
        if not numbers.counts.hands:
            return None
        return Sheet(session, numbers, await self._picture(session, numbers) if pictures else None)

    async def answer(self, info: InteractionInfo, session: Session) -> tuple[Panel, AttachedFile | None] | None:
        """Return the answer to a press of *Leave*; None where today's sentence is enough, because no hand was dealt.

        When the answer has been given, `told` has to be called.
        """
        sheet = await self.sheet(session, pictures=self._pictures.possible(info))
        return (sheet.panel(in_dm=not info.guild), sheet.picture) if sheet is not None else None

    def told(self, session: Session) -> None:
        """Whoever left has read what their session came to."""
        self.tasks.run(self._forget(session), f"forget-session-{session.user}")

    @asynccontextmanager
    async def below_notice(self, snapshot: TableSnapshot, user: int) -> AsyncIterator[Callable[[], tuple[Block, ...]]]:
        """Within the ``with`` block somebody is told that they have lost their seat. It gets what draws the sheet below that, for them
        alone."""
        session = self._lost.pop((snapshot.id, user), None)
        sheet = await self.sheet(session, pictures=False) if session is not None else None
        yield partial(sheet.blocks, in_dm=True) if sheet is not None else tuple
        if session is not None:
            self.told(session)

    async def _deliver(self, session: Session, panel: PrivateMessage | None) -> None:
        """Tell a session to somebody who has not asked, the first way that works."""
        with reading(self._preferences.language(session.user)):
            sheet = await self.sheet(session, pictures=self._pictures.can_draw)
            if sheet is not None:
                await self._tell(sheet, panel or self._panels.take_panel(session.address.id, session.user))
        await self._forget(session)

    async def _tell(self, sheet: Sheet, panel: PrivateMessage | None) -> None:
        session = sheet.session
        user, line = session.user, RequestLine(session.address.guild, session.practice)
        if panel is not None and not session.sending and await self._show_instead(panel, sheet):
            return
        for shown in sheet.versions if not session.sending else ():
            if await self._answers.show(user, shown.panel(), shown.picture):
                return

        async def save(location: Location) -> None:
            saving = self._saving.get(session.key)
            if saving is not None:
                await asyncio.wait({saving})
            if not location.message:  # that it has been told is saved by forgetting it
                await self._saved.keep(session.key, replace(session, sending=location.nonce))

        for shown in sheet.versions:
            drawn = shown.panel(in_dm=True), shown.picture, session.message
            if await self._direct_messages.end_session(session.address.id, line, user, *drawn, save, session.sending):
                return

    async def _show_instead(self, message: PrivateMessage, sheet: Sheet) -> bool:
        """Show a sheet where the player's panel was. Returns whether that was possible."""
        for shown in sheet.versions:
            data = message_data(payload(shown.panel()), shown.picture, keeps_files=False)
            try:
                await self._discord_api.by_token.edit(message.access, message.message, data, shown.picture)
            except DiscordFailed as error:
                log.info("session_panel_failed", extra={"user": sheet.session.user, "error": repr(error)})
                if not error.can_be_about_files:
                    return False
            else:
                self._answers.replace(sheet.session.user, (message,))
                return True
        return False

    async def _picture(self, session: Session, numbers: SessionNumbers) -> AttachedFile | None:
        """Return the chips of a session as a file."""
        look = self._pictures.known_look(session.address.guild)

        def describe() -> tuple[Picture, str] | None:
            curve = curve_picture(numbers.curve, look)
            return (curve, curve_text(numbers.curve)) if curve is not None else None

        described = describe_safely(describe)
        if described is None:
            return None
        picture, text = described
        content = await self._pictures.draw(picture, DRAWING_SECONDS, ("sheet", session.user))
        return AttachedFile(CURVE_PICTURE, content, CONTENT_TYPE, text) if content is not None else None

    async def close(self) -> None:
        """Wait a little for sheets that are on their way."""
        await self.tasks.finish(1.0)
