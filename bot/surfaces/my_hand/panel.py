"""One player's panel at one table: a private message that only their own clicks can send, and their tokens edit for 14 minutes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from bot.line.by_token import Token
from bot.line.failures import DiscordFailed, Gone, TokenEnded, TryLater
from bot.line.interaction import InteractionInfo
from bot.line.payloads import Raw, message_data
from bot.line.request_queue import HOUSE_LINE, RequestLine, line_of
from bot.pictures.types import HandPicture
from bot.render.hand.my_hand import PLAIN, PanelState
from bot.render.hand.private_choices import is_private_choice
from bot.render.message.panel import Panel, payload
from bot.render.pictures.own_hand import HAND_PICTURE
from bot.runtime.snapshot import PlayerStage, TableSnapshot
from bot.surfaces.keeper import NOWHERE, Drawing, Location
from bot.surfaces.my_hand.contents import PanelContents, PanelPicture
from bot.surfaces.my_hand.following import FollowedTable, FollowingPanel
from bot.surfaces.my_hand.resting import REST_MS
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.private_answers import PrivateAnswers, PrivateMessage
from bot.surfaces.replies import Reply
from bot.text.language import reading

log = logging.getLogger(__name__)

PAUSE_MS = 600
"""The time between two edits of one panel; what happens meanwhile is drawn together."""


class Urgency(Enum):
    """How urgent it is that a panel is redrawn."""

    NONE = auto()
    RESULT = auto()
    """Its owner was in the hand to its end, and still reads that somebody is to act."""
    NEW_HAND = auto()
    """It shows cards of an earlier hand, which must not stay."""
    OWN = auto()
    """It is its owner's turn, or they have pressed something. It never waits for other panels."""


class PanelNotice(Protocol):
    """Something that a player has to be told, as long as it is true (`bot.surfaces.notices.notices.Notice`)."""

    @property
    def draw(self) -> Callable[[], Panel]: ...

    def is_true(self, snapshot: TableSnapshot, user: int) -> bool: ...


class PanelTable(FollowedTable, Protocol):
    """The table of a panel (`bot.surfaces.my_hand.panels.TablePanels`)."""

    contents: PanelContents
    answers: PrivateAnswers
    preferences: Preferences

    def stage_of(self, snapshot: TableSnapshot, user: int) -> PlayerStage: ...
    def possible_at(self, snapshot: TableSnapshot, now: int, why: Urgency) -> int: ...
    def spend(self, snapshot: TableSnapshot, now: int, why: Urgency) -> None: ...
    def can_follow(self, channel: int) -> bool: ...
    def note_press(self, info: InteractionInfo) -> None: ...
    def close_panel(self, panel: HandPanel) -> None: ...
    def open_unasked(self, user: int, state: PanelState) -> None: ...


class _Shown(Struct, frozen=True):
    """What a drawing of a panel is of."""

    stage: PlayerStage
    state: PanelState
    picture: HandPicture | None


class HandPanel(FollowingPanel):
    """One player's panel.

    Attributes:
        stage: the part of the hand that it shows.
    """

    retry_ms = 2_000

    def __init__(self, table: PanelTable, user: int, saved: PrivateMessage | None = None) -> None:
        super().__init__(table, user, saved)
        self._table = table
        self.stage, self._state = PlayerStage(), PLAIN
        self._notice: PanelNotice | None = None
        self._picture = PanelPicture(table.contents, table.id, user)
        self._edited_at = 0
        self._owes_answer = False
        self._sent: Drawing | None = None
        self.live.work.start()

    # by its owner's own click

    async def answer(self, reply: Reply, info: InteractionInfo, snapshot: TableSnapshot, state: PanelState) -> None:
        """Answer an interaction with the panel: on the private message that was clicked, else as a new one."""
        with self.live.answering():
            is_here = info.message_is_private and info.message == self.message
            if self.shown is not None and (self.has_left(info.message) or (is_here and self.is_moving)):
                await self._answer_below(reply, snapshot, state)
                return
            await self.until_settled()
            is_there = is_here and HAND_PICTURE in info.message_files
            self._picture.begin_answer(is_there=is_there, is_possible=info.bot_permissions.attach_files)
            await self.prepare(self.live.location)
            self._state, self.stage = state, self._table.stage_of(self._table.snapshot() or snapshot, self.user)
            if is_here:
                await self._redraw(reply, info)
            else:
                await self._show_anew(reply, info)

    async def _answer_below(self, reply: Reply, snapshot: TableSnapshot, state: PanelState) -> None:
        """Answer a press that has crossed the move: it counts, and what came of it stands in the new message."""
        self._state, self.stage = state, self._table.stage_of(self._table.snapshot() or snapshot, self.user)
        self._owes_answer = True
        await reply.acknowledge()
        self.live.work.mark_due()

    async def _redraw(self, reply: Reply, info: InteractionInfo) -> None:
        now = self._table.keeper.clock.now()
        token = PrivateMessage(info.token, info.message, is_original=True, at=now, channel=info.channel).access
        while (drawing := await self.live.draw_answer()) is not None:
            arrived = False
            try:
                arrived = await reply.redraw_table(drawing)
            finally:
                self.live.answered(drawing, token, arrived=arrived, refused=reply.refusal)
            if reply.refusal is None:
                break
        if self.live.token is token and self.shown is not None:
            self.begin_token(self.shown)

    async def _show_anew(self, reply: Reply, info: InteractionInfo) -> None:
        """Show it in another message. *My hand* on the table only acknowledges that click: its token can edit the table then."""
        is_on_table = info.has_message and not info.message_is_private
        if is_on_table and self._table.can_follow(info.channel) and await reply.acknowledge():
            self._table.note_press(info)
        drawing = self.draw(NOWHERE)
        if drawing is None:
            return
        components: list[Raw] = drawing.data["components"]
        show = reply.redraw_private if info.message_is_private else reply.private_message
        shown = await show(components, drawing.file)
        if shown is not None:
            if reply.went_without:
                self._picture.go_on_in_text()
            await self._become(shown, drawing, is_known=not reply.went_without)

    async def open_unasked(self, state: PanelState = PLAIN) -> None:
        """Open it by its owner's last click, because they have to be told something; without one, they are not reached."""
        with self.live.answering():
            snapshot = self._table.snapshot()
            if snapshot is None:
                return
            self._picture.begin_answer(is_there=False, is_possible=False)
            self._state, self.stage = state, self._table.stage_of(snapshot, self.user)
            drawing = self.draw(NOWHERE)
            if drawing is None:
                return
            shown = await self._table.answers.follow_up(self.user, drawing.data["components"])
            if shown is not None:
                await self._become(shown, drawing)

    async def _become(self, shown: PrivateMessage, drawing: Drawing, *, is_known: bool = True) -> None:
        """A message is the panel from now on; another one goes away."""
        old = self.replaced_by(shown)
        self._table.answers.forget_message(self.user, shown.message)
        await self.goes(drawing, NOWHERE)
        location = Location(message=shown.message)
        await self.live.adopt(location, shown.access, drawing if is_known else None)
        self.arrived(drawing, location)
        self._table.answers.until_my_hand.hand_shown(self._table.id, self.user)
        if old is not None and old.message != shown.message:
            self._table.leave(self.user, old)
        self.begin_token(shown)

    # between clicks

    def tell(self, state: PanelState) -> bool:
        """Show a note or a question, in another message if its own is gone. Returns False if the panel cannot be edited now."""
        snapshot, now = self._table.snapshot(), self._table.keeper.clock.now()
        if self.shown is None or snapshot is None or self._table.possible_at(snapshot, now, Urgency.OWN) > now:
            return False
        self.stage, self._state = self._table.stage_of(snapshot, self.user), state
        self._owes_answer = True
        self.live.work.wake()
        return True

    def look_again(self, snapshot: TableSnapshot, *, closely: bool) -> None:
        """Find out whether it shows an earlier part of the hand; `closely`: it also shows at once that its owner has acted elsewhere."""
        if self.shown is None:
            return
        stage = snapshot.stage_of(self.user)
        is_news = stage.turn >= 0 or stage.without_turn() != self.stage.without_turn() or closely
        if (self._notice is not None and not self._notice.is_true(snapshot, self.user)) or (
            stage != self.stage and is_news
        ):
            self.live.work.wake()
        else:
            self.look_below()
            self.live.work.look()

    def show_notice(self, notice: PanelNotice) -> None:
        """Tell its owner something, as long as it is true."""
        self._notice = notice
        self.live.work.wake()

    def take_up(self, snapshot: TableSnapshot) -> None:
        """Go on with the message of an earlier run. What its owner has marked stands there alone: drawn anew it would be lost."""
        own = snapshot.seen_by(self.user)
        if own is not None and own.legal is not None and is_private_choice(own.legal):
            self.stage = snapshot.stage_of(self.user)
        else:
            self.live.work.wake()
        if self.shown is not None:
            self.begin_token(self.shown)

    # as a surface

    @property
    def line(self) -> RequestLine:
        snapshot = self._table.snapshot()
        return line_of(snapshot) if snapshot is not None else HOUSE_LINE

    async def save(self, location: Location, token: Token | None) -> None:
        """It is saved once its owner has been answered, or before it leaves its old message."""

    async def prepare(self, location: Location) -> None:
        snapshot = self._table.snapshot()
        if self.is_new_due(location):
            self._picture.is_missing()
        if snapshot is not None:
            await self._picture.prepare(snapshot)
            await self._table.contents.prepare(snapshot)

    def draw(self, location: Location) -> Drawing | None:
        snapshot, now = self._table.snapshot(), self._table.keeper.clock.now()
        if snapshot is None:
            return None
        is_edit = location.message != 0 and not self.live.work.is_held
        if is_edit and self.possible_at(now, by_token=True) > now:  # others were quicker
            self.live.work.mark_due()
            return None
        stage, state = self._table.stage_of(snapshot, self.user), self._state
        if stage != self.stage:  # what was pressed at an earlier part of the hand is of no interest now
            state = PLAIN
        if self._notice is not None and not self._notice.is_true(snapshot, self.user):
            self._notice = None
        if not location.message:
            self._picture.is_missing()
        picture, file = self._picture.choose(snapshot)
        with reading(self._table.preferences.language(self.user)):
            notice = self._notice.draw().blocks if self._notice is not None else ()
            rests = self._ends_soon and location.message != 0
            shown = replace(state, notice=notice, hides_end=self._table.hides_end(snapshot), resting=rests)
            components = payload(self._table.contents.panel(snapshot, self.user, shown, large=picture is not None))
        data = message_data(components, file, keeps_files=picture is not None or not self._picture.had_file)
        return Drawing(data, file, picture is not None, _Shown(stage, state, picture))

    def possible_at(self, now: int, *, by_token: bool) -> int:
        snapshot = self._table.snapshot()
        if snapshot is None:
            return now
        return max(self._table.possible_at(snapshot, now, self._urgency(snapshot)), self._edited_at + PAUSE_MS)

    def _urgency(self, snapshot: TableSnapshot) -> Urgency:
        stage = snapshot.stage_of(self.user)
        if stage.turn >= 0 or self._owes_answer:
            return Urgency.OWN
        if stage.hand != self.stage.hand:
            return Urgency.NEW_HAND
        return Urgency.RESULT if stage.over and self.stage.street else Urgency.NONE

    async def goes(self, drawing: Drawing, location: Location) -> None:
        snapshot = self._table.snapshot()
        if not self.live.work.is_held and snapshot is not None:
            self._edited_at = self._table.keeper.clock.now()
            if location.message:
                self._table.spend(snapshot, self._edited_at, self._urgency(snapshot))
            else:
                self.moves()
        self._sent = drawing
        self._picture.goes(drawing.file)
        self._note(drawing)

    def arrived(self, drawing: Drawing, location: Location) -> None:
        self.moved(arrived=True)
        if drawing is not self._sent:  # it was shown already
            self._note(drawing)
        elif location.message == self.message and isinstance(drawing.mark, _Shown):
            self._picture.arrived(drawing.mark.picture)
        if isinstance(drawing.mark, _Shown) and drawing.mark.state is self._state:
            self._owes_answer = False

    def _note(self, drawing: Drawing) -> None:
        if isinstance(drawing.mark, _Shown):
            if drawing.mark.stage.hand != self.stage.hand:
                self._table.answers.until_my_hand.hand_shown(self._table.id, self.user)
            self.stage, self._state = drawing.mark.stage, drawing.mark.state

    def missed(self, drawing: Drawing, error: DiscordFailed | None) -> None:
        self.moved(arrived=False)
        if error is not None and drawing.names_picture and error.can_be_about_files:
            self._picture.go_on_in_text()

    async def failed(self, error: DiscordFailed) -> bool:
        log.info("panel_edit_failed", extra={"table": self._table.id, "user": self.user, "error": repr(error)})
        if not isinstance(error, Gone | TokenEnded):
            if not isinstance(
                error, TryLater
            ):  # it shows nothing newer: what its owner can do stands on the table again
                self._table.note_live(self.user, None)
            return False
        self._table.close_panel(self)  # its reader has taken it away, or the token has ended
        can_follow = isinstance(error, TokenEnded) and self.live.clicks.is_fresh(REST_MS)
        if (
            self._owes_answer or can_follow
        ):  # a press was acknowledged and has no other answer, or a newer click can go on
            self._table.open_unasked(self.user, self._state)
        return True
