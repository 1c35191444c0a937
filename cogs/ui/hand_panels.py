"""*My hand*: each player's one private panel at a table, drawn by their own clicks and followed through the hand between them.

Between two clicks of its owner a panel is edited with the token of the last interaction that drew it, for 14 minutes; then it says so
and rests. Edits are few: a new deal, a new street, the owner's turn, the end. What comes together is sent together, an own turn goes
first, and a channel gets at most `EDITS_PER_MINUTE`.

The tokens of open panels are saved, sealed, until they end: after a restart the panels are redrawn and followed on. Who had such a token
could read the panel, and with it a player's cards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import aiohttp
import discord
import msgspec
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.pictures.types import Deck, HandPicture
from bot.render.hand.my_hand import PLAIN, PanelState, before_first_hand_panel, my_hand_panel, no_cards_panel
from bot.render.hand.private_choices import is_private_choice
from bot.render.message.panel import Block, Panel, Picture, Raw, payload, shows_picture
from bot.render.pictures.own_hand import HAND_PICTURE, own_hand_picture, own_hand_text, same_cards
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import PlayerStage, TableSnapshot
from bot.runtime.updates import TableUpdate
from bot.text.language import reading
from cogs.ui.answer_pictures import CONTENT_TYPE, PANEL_SECONDS, AnswerPictures, describe_safely
from cogs.ui.discord_api import AttachedFile, DiscordApi, can_be_about_files, message_data
from cogs.ui.edit_budget import MINUTE_MS, EditBudget
from cogs.ui.interaction import InteractionInfo
from cogs.ui.preferences import Preferences
from cogs.ui.private_answers import TOKEN_MS, PrivateAnswers, PrivateMessage
from cogs.ui.replies import Reply
from cogs.ui.scenes import EmojiDecks, scene_of

log = logging.getLogger(__name__)

EDITS_PER_MINUTE = 25
"""The most edits of panels in one channel. Discord's own limit is not published; about 30 messages by token in a minute are reported."""
KEPT_FOR_TURNS = 5
"""How many of them only an own turn can use."""
SERVER_EDITS_PER_MINUTE, SERVER_KEPT_FOR_TURNS = 600, 200
"""The same for all tables of one server together. These edits do not count against the bot's limit, and one event loop draws them all."""
SERVERS_REMEMBERED = 500
"""With so many servers, those without edits in the last minute are forgotten."""
PAUSE_MS = 600
"""The time between two edits of one panel; what happens meanwhile is drawn together."""
FEW_PANELS = 4
"""With this many panels or fewer, a panel also shows at once that its owner has acted by the table's buttons."""
END_WAIT_MS = 3_000
"""How long panels wait for the table's message to tell how a hand ended. It can be a second behind them."""
REST_MS = TOKEN_MS - MINUTE_MS
"""How long after the owner's last click a panel says that it will rest."""


SAVE_AGAIN_MS = 4 * MINUTE_MS
"""A panel whose saved token is this much older than its newest is saved again; each token can edit it for its own time."""
_KEY = "panel."


class PanelStorage(Protocol):
    """Where open panels are saved between runs, unreadable without the master secret (`bot.store.sealed_values.SealedValues`)."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class PanelNotice(Protocol):
    """Something that a player has to be told, as long as it is true (`cogs.ui.private_notices.Notice`)."""

    @property
    def draw(self) -> Callable[[], Panel]: ...

    def is_true(self, snapshot: TableSnapshot, user: int) -> bool: ...


class HandPanel:
    """One player's panel at one table.

    Attributes:
        shown: the message, and the token that can edit it.
        state: what it shows beside the hand.
        drawn: the components as last sent; None if what Discord shows is not known.
        stage: the part of the hand that it shows.
        due: it has to be drawn again.
        answering: clicks of its owner that draw it at this moment.
        edited_at: when it was last edited by token, in ms since the epoch.
        alarm: when it says that it will rest, or rests.
        notice: what its owner has to be told.
        saved: the message and the token that are saved; None for none.
        picture: the large picture of the cards that the message has; None for none, or where that is not known.
        had_picture: its message has had one, and may still have its file.
        in_text: Discord has refused a picture, or there is no leave to attach files: the panel goes on without.
    """

    __slots__ = (
        "alarm",
        "answering",
        "drawn",
        "due",
        "edited_at",
        "had_picture",
        "in_text",
        "notice",
        "picture",
        "saved",
        "sending",
        "shown",
        "stage",
        "state",
        "user",
    )  # fmt: skip

    def __init__(self, user: int) -> None:
        self.user = user
        self.shown: PrivateMessage | None = None
        self.state = PLAIN
        self.drawn: list[Raw] | None = None
        self.stage = PlayerStage()
        self.due = self.sending = False
        self.answering = 0
        self.edited_at = 0
        self.alarm: Alarm | None = None
        self.notice: PanelNotice | None = None
        self.saved: PrivateMessage | None = None
        self.picture: HandPicture | None = None
        self.had_picture = self.in_text = False


class TablePanels:
    """The panels of one table.

    Attributes:
        edits: how many edits of panels are possible.
        alarm: rings when the next edit is possible.
        next_edit_at: when that is, in ms since the epoch; 0 while nothing waits.
        end_alarm: rings when panels wait no longer for the table to tell how a hand ended.
        ends_told: the last hand for which it has rung.
    """

    __slots__ = ("alarm", "edits", "end_alarm", "ends_told", "next_edit_at", "panels", "table")

    def __init__(self, table: int) -> None:
        self.table = table
        self.panels: dict[int, HandPanel] = {}
        self.edits = EditBudget(EDITS_PER_MINUTE, KEPT_FOR_TURNS)
        self.alarm: Alarm | None = None
        self.next_edit_at = 0
        self.end_alarm: Alarm | None = None
        self.ends_told = 0


class HandPanels:
    """Draws panels, and keeps the open ones up to date.

    Args:
        snapshot_of: an open table by its id; raises TableGone.
        is_end_shown: whether everybody can see how a hand that is over ended. A panel never tells it before the table does.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        answers: PrivateAnswers,
        emoji_decks: EmojiDecks,
        preferences: Preferences,
        snapshot_of: Callable[[int], TableSnapshot],
        clock: AlarmClock,
        is_end_shown: Callable[[TableSnapshot], bool],
        storage: PanelStorage,
        pictures: AnswerPictures,
    ) -> None:
        self._storage = storage
        self._pictures = pictures
        self._discord_api = discord_api
        self._answers = answers
        self._emoji_decks = emoji_decks
        self._preferences = preferences
        self._snapshot_of = snapshot_of
        self._is_end_shown = is_end_shown
        self._clock = clock
        self._tables: dict[int, TablePanels] = {}
        self._edits_of_server: dict[int, EditBudget] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Take up the panels of an earlier run: they are redrawn, unless their owner is choosing, and follow the hand again."""
        for key, value in (await self._storage.values(_KEY)).items():
            table, user = key.removeprefix(_KEY).split(".")
            try:
                shown = msgspec.msgpack.decode(value, type=PrivateMessage)
            except msgspec.MsgspecError:
                log.warning("saved_panel_unreadable", extra={"table": int(table), "user": int(user)})
                await self._storage.keep(key, None)
                continue
            if not self._take_up(int(table), int(user), shown):
                await self._storage.keep(key, None)

    def _take_up(self, table: int, user: int, shown: PrivateMessage) -> bool:
        """Go on with a player's panel. Returns False if it can no longer be edited, or has nothing to follow."""
        try:
            snapshot = self._snapshot_of(table)
        except TableError:
            return False
        if not _is_player(snapshot, user) or not shown.is_alive(self._clock.now()):
            return False
        of_table = self._tables.setdefault(table, TablePanels(table))
        panel = of_table.panels.setdefault(user, HandPanel(user))
        if panel.shown is not None:  # its owner was quicker
            if panel.shown.message != shown.message:
                self._answers.delete(shown)
            return True
        panel.shown = panel.saved = shown
        own = snapshot.seen_by(user)
        panel.due = own is None or own.legal is None or not is_private_choice(own.legal)
        if not panel.due:  # what the player has marked stands in the message alone: drawn anew it would be lost
            panel.stage = snapshot.stage_of(user)
        self._set_alarm(of_table, panel, shown.at + REST_MS)
        asyncio.get_running_loop().call_soon(self._send_due, of_table)
        return True

    def _save(self, of_table: TablePanels, panel: HandPanel) -> None:
        """Save how a panel can be edited, if what is saved will not do for long."""
        shown, saved = panel.shown, panel.saved
        assert shown is not None, "a panel that nobody has opened"
        if saved is None or saved.message != shown.message or shown.at - saved.at >= SAVE_AGAIN_MS:
            panel.saved = shown
            self._spawn(self._storage.keep(_key(of_table, panel), msgspec.msgpack.encode(shown)), "save-panel")

    def _forget_saved(self, of_table: TablePanels, panel: HandPanel) -> None:
        if panel.saved is not None:
            panel.saved = None
            self._spawn(self._storage.keep(_key(of_table, panel), None), "forget-panel")

    @property
    def pending_tasks(self) -> set[asyncio.Task[Any]]:
        """Edits that are on their way."""
        return set(self._tasks)

    @property
    def is_idle(self) -> bool:
        """Whether no panel is to be drawn before long."""
        soon = self._clock.now() + PAUSE_MS
        return not self._tasks and not any(
            panel.due and of_table.next_edit_at <= soon
            for of_table in self._tables.values()
            for panel in of_table.panels.values()
        )

    # by its owner's own click

    def panel_of(self, snapshot: TableSnapshot, user: int, state: PanelState = PLAIN) -> Panel:
        """Draw a player's panel, in the language that is being read."""
        view = snapshot.hand
        if view is None:
            return before_first_hand_panel(state, dealt_before=snapshot.hand_number > 0)
        emojis = self._emoji_decks.choose(two_colour=self._preferences.wants_two_colours(user))
        if self._hides_end(snapshot):
            state = replace(state, hides_end=True)
        own = snapshot.seen_by(user)
        scene = scene_of(snapshot, own or view, emojis, self._clock.now())
        if own is None:
            return no_cards_panel(scene, state)
        return my_hand_panel(scene, snapshot.preselection_for(user), state)

    async def show(
        self, reply: Reply, info: InteractionInfo, snapshot: TableSnapshot, state: PanelState = PLAIN
    ) -> None:
        """Answer an interaction with its owner's panel: on the private message that was clicked, else as a new one that replaces the old.

        Who neither sits at the table nor plays the hand gets an answer that does not follow it.
        """
        user = info.user
        if not _is_player(snapshot, user) and not info.message_is_private:
            await reply.private(self.panel_of(snapshot, user, state))
            return
        with self.answering(snapshot.id, user):
            stage = PlayerStage() if self._hides_end(snapshot) else snapshot.stage_of(user)
            own = self._tables[snapshot.id].panels[user]
            own.in_text = not self._pictures.possible(info)
            picture, file = await self._picture(snapshot, own, self._picture_there(own, info))
            block = self._picture_block(snapshot, user) if picture is not None else None
            state = replace(state, notice=self._notice_blocks(own, snapshot), picture=block)
            panel = self.panel_of(snapshot, user, state)
            if info.message_is_private:
                shown = await reply.redraw_private(panel, file)
            else:
                shown = await reply.private_message(panel, file)
            if shown is not None:
                own.in_text = own.in_text or reply.went_without
                picture = None if reply.went_without else picture
                self._take_over(snapshot.id, user, shown, state, stage, payload(panel), picture)

    # the large picture of the cards

    def _wanted_picture(self, snapshot: TableSnapshot, panel: HandPanel) -> HandPicture | None:
        """Return the picture of the player's cards that their panel is to show; None where they want none, or hold no cards."""
        own = snapshot.seen_by(panel.user)
        if own is None or panel.in_text or not self._preferences.wants_large_cards(panel.user):
            return None
        if not self._pictures.can_draw:
            return None
        deck = Deck.TWO_COLOURS if self._preferences.wants_two_colours(panel.user) else Deck.FOUR_COLOURS
        look = replace(self._pictures.known_look(snapshot.address.guild, deck=deck), felt=snapshot.settings.felt)
        scene = scene_of(snapshot, own, self._emoji_decks.four_colour, 0)
        return describe_safely(lambda: own_hand_picture(scene, look))

    def _picture_there(self, panel: HandPanel, info: InteractionInfo) -> HandPicture | None:
        """Return the picture that the message of a click has; None where that is not known."""
        is_panel = panel.shown is not None and panel.shown.message == info.message
        return panel.picture if is_panel and not panel.sending and HAND_PICTURE in info.message_files else None

    async def _picture(
        self, snapshot: TableSnapshot, panel: HandPanel, there: HandPicture | None
    ) -> tuple[HandPicture | None, AttachedFile | None]:
        """Return what the panel shows large, and the file to send for it; no file for the picture that is there already."""
        wanted = self._wanted_picture(snapshot, panel)
        if wanted is None or same_cards(wanted, there):
            return (None, None) if wanted is None else (there, None)
        content = await self._pictures.draw(wanted, PANEL_SECONDS, (snapshot.id, panel.user))
        if content is None:
            return None, None
        return wanted, AttachedFile(HAND_PICTURE, content, CONTENT_TYPE)

    def _picture_block(self, snapshot: TableSnapshot, user: int) -> Picture:
        """Return the part of the panel that shows the picture, with its description."""
        own = snapshot.seen_by(user)
        assert own is not None, "a picture of nobody's cards"
        text = own_hand_text(scene_of(snapshot, own, self._emoji_decks.four_colour, 0))
        return Picture(HAND_PICTURE, text)

    def _take_over(
        self,
        table: int,
        user: int,
        shown: PrivateMessage,
        state: PanelState,
        stage: PlayerStage,
        drawn: list[Raw],
        picture: HandPicture | None = None,
    ) -> None:
        """A message is this player's panel from now on; another one that they have goes away."""
        self._answers.forget(user, shown.message)
        of_table = self._tables.setdefault(table, TablePanels(table))
        panel = of_table.panels.setdefault(user, HandPanel(user))
        if panel.shown is not None and panel.shown.message != shown.message:
            self._answers.delete(panel.shown)
        overtaken = panel.sending  # an edit is on its way: which of the two Discord applies last is not known
        panel.shown, panel.state, panel.stage = shown, state, stage
        panel.drawn = None if overtaken else drawn
        panel.due = overtaken
        panel.picture = None if overtaken else picture
        panel.had_picture = panel.had_picture or picture is not None
        self._set_alarm(of_table, panel, shown.at + REST_MS)
        self._save(of_table, panel)

    @contextmanager
    def answering(self, table: int, user: int) -> Iterator[None]:
        """Inside, a click of the owner draws the panel: nothing else does."""
        of_table = self._tables.setdefault(table, TablePanels(table))
        panel = of_table.panels.setdefault(user, HandPanel(user))
        panel.answering += 1
        try:
            yield
        finally:
            panel.answering -= 1
            self._look_again(of_table, panel)

    def is_open(self, table: int, user: int) -> bool:
        """Whether a player has a panel that can be edited."""
        of_table = self._tables.get(table)
        panel = of_table.panels.get(user) if of_table is not None else None
        return panel is not None and self._is_alive(panel)

    # between clicks

    def tell(self, table: int, user: int, note: str) -> bool:
        """Show a note on a player's open panel. Returns False if none is open, or no more edits are possible now."""
        of_table = self._tables.get(table)
        panel = of_table.panels.get(user) if of_table is not None else None
        if of_table is None or panel is None or not self._is_alive(panel):
            return False
        try:
            snapshot = self._snapshot_of(table)
        except TableError:
            return False
        now = self._clock.now()
        if self._edit_possible_at(of_table, snapshot, now, own_turn=True) > now:
            return False
        panel.stage = snapshot.stage_of(user)
        panel.state = PanelState(note)
        panel.due = True
        self._send_due(of_table)
        return True

    def show_notice(self, snapshot: TableSnapshot, user: int, notice: PanelNotice) -> bool:
        """Show something that a player has to be told on their open panel, as long as it is true. Returns False if none is open."""
        of_table = self._tables.get(snapshot.id)
        panel = of_table.panels.get(user) if of_table is not None else None
        if of_table is None or panel is None or not self._is_alive(panel):
            return False
        panel.notice = notice
        panel.due = True
        self._send_due(of_table)
        return True

    def _notice_blocks(self, panel: HandPanel, snapshot: TableSnapshot) -> tuple[Block, ...]:
        """The notice that is still true, in the language that is being read."""
        if panel.notice is None or not panel.notice.is_true(snapshot, panel.user):
            panel.notice = None
            return ()
        return panel.notice.draw().blocks

    def take_panel(self, table: int, user: int) -> PrivateMessage | None:
        """Let a player's open panel become something else: it follows the hand no longer. None if none is open."""
        of_table = self._tables.get(table)
        panel = of_table.panels.get(user) if of_table is not None else None
        if of_table is None or panel is None or not self._is_alive(panel):
            return None
        shown = panel.shown
        self._close(of_table, panel)
        return shown

    def is_panel(self, table: int, user: int, message: int) -> bool:
        """Whether a message is this player's panel."""
        of_table = self._tables.get(table)
        panel = of_table.panels.get(user) if of_table is not None else None
        return panel is not None and panel.shown is not None and panel.shown.message == message

    def on_change(self, change: TableUpdate) -> None:
        """Note a change. This is called under the table's lock, so it awaits nothing."""
        for user in change.lapsed_users:
            if user > 0:
                self.open_unasked(change.snapshot, user)
        of_table = self._tables.get(change.snapshot.id)
        if of_table is None:
            return
        if change.closed:
            self._forget_table(of_table)
            return
        for panel in of_table.panels.values():
            if panel.notice is not None and not panel.notice.is_true(change.snapshot, panel.user):
                panel.notice = None
                panel.due = True
            self._look_again(of_table, panel, change.snapshot)

    def table_shown(self, table: int) -> None:
        """The table shows how the hand ended."""
        of_table = self._tables.get(table)
        if of_table is not None:
            for panel in of_table.panels.values():
                self._look_again(of_table, panel)

    def time_bank_started(self, table: int) -> None:
        """The time bank of a turn has started: the panels of those who are awaited say until when."""
        of_table = self._tables.get(table)
        if of_table is not None:
            for panel in of_table.panels.values():
                panel.due = panel.due or panel.stage.turn >= 0
            self._send_due(of_table)

    def open_unasked(self, snapshot: TableSnapshot, user: int) -> None:
        """Show a player their panel by their last click, if that is possible and they have none."""
        if not self.is_open(snapshot.id, user):
            self._spawn(self._push(snapshot, user), f"my-hand-{user}")

    async def _push(self, snapshot: TableSnapshot, user: int) -> None:
        """Open a player's panel by their last click, because they have to be told something; without one, they are not reached."""
        stage = snapshot.stage_of(user)
        with reading(self._preferences.language(user)):
            panel = self.panel_of(snapshot, user)
        shown = await self._answers.follow_up(user, panel)
        if shown is not None:
            self._take_over(snapshot.id, user, shown, PLAIN, stage, payload(panel))

    def _look_again(self, of_table: TablePanels, panel: HandPanel, snapshot: TableSnapshot | None = None) -> None:
        """Find out whether a panel shows an earlier part of the hand."""
        if panel.shown is None or panel.answering:
            return
        try:
            snapshot = snapshot or self._snapshot_of(of_table.table)
        except TableError:
            return
        if self._hides_end(snapshot):
            self._wait_for_end(of_table, snapshot)
            return
        stage = snapshot.stage_of(panel.user)
        if stage != panel.stage and (
            stage.turn >= 0
            or stage.without_turn() != panel.stage.without_turn()
            or len(self._open_panels(of_table)) <= FEW_PANELS
        ):
            panel.due = True
        if panel.due:
            asyncio.get_running_loop().call_soon(self._send_due, of_table)

    def _hides_end(self, snapshot: TableSnapshot) -> bool:
        """Whether a hand is over, and the table has still to tell how it ended."""
        if not snapshot.hand_over or self._is_end_shown(snapshot):
            return False
        of_table = self._tables.get(snapshot.id)
        return of_table is None or of_table.ends_told < snapshot.hand_number

    def _wait_for_end(self, of_table: TablePanels, snapshot: TableSnapshot) -> None:
        """Panels wait for the table's message, and not for long: where Discord refuses that message, they are what is left."""
        if of_table.end_alarm is not None:
            return

        def tell() -> None:
            of_table.end_alarm = None
            of_table.ends_told = snapshot.hand_number
            self.table_shown(of_table.table)

        of_table.end_alarm = self._clock.call_at(self._clock.now() + END_WAIT_MS, tell)

    def _open_panels(self, of_table: TablePanels) -> list[HandPanel]:
        return [panel for panel in of_table.panels.values() if self._is_alive(panel)]

    def _is_alive(self, panel: HandPanel) -> bool:
        return panel.shown is not None and panel.shown.is_alive(self._clock.now())

    def _edit_possible_at(self, of_table: TablePanels, snapshot: TableSnapshot, now: int, *, own_turn: bool) -> int:
        """Return when a panel of a table can be edited; `now` if that is possible at once."""
        of_server = self._server_edits(snapshot.address.guild, now)
        return max(edits.possible_at(now, own_turn=own_turn) for edits in (of_table.edits, of_server))

    def _server_edits(self, guild: int, now: int) -> EditBudget:
        found = self._edits_of_server.get(guild)
        if found is None:
            known = self._edits_of_server
            if len(known) >= SERVERS_REMEMBERED:
                known = {each: edits for each, edits in known.items() if not edits.is_unused(now)}
            found = known[guild] = EditBudget(SERVER_EDITS_PER_MINUTE, SERVER_KEPT_FOR_TURNS)
            self._edits_of_server = known
        return found

    def _send_due(self, of_table: TablePanels) -> None:
        """Send the edits that are due and possible now; come back when the next one is possible."""
        if of_table.alarm is not None:
            of_table.alarm.cancel()
            of_table.alarm = None
        of_table.next_edit_at = 0
        try:
            snapshot = self._snapshot_of(of_table.table)
        except TableError:
            return
        if self._hides_end(snapshot):
            self._wait_for_end(of_table, snapshot)
            return
        if of_table.end_alarm is not None:
            of_table.end_alarm.cancel()
            of_table.end_alarm = None
        now = self._clock.now()
        due = [panel for panel in of_table.panels.values() if panel.due and not panel.sending and not panel.answering]
        waiting: list[int] = []
        for panel in sorted(due, key=lambda panel: _priority(snapshot.stage_of(panel.user))):
            if not self._is_alive(panel):
                panel.due = False
                continue
            own_turn = snapshot.stage_of(panel.user).turn >= 0
            possible_at = self._edit_possible_at(of_table, snapshot, now, own_turn=own_turn)
            if possible_at > now:
                waiting.append(possible_at)
            elif now < panel.edited_at + PAUSE_MS:
                waiting.append(panel.edited_at + PAUSE_MS)
            else:
                self._send(of_table, panel, snapshot)
        if waiting:
            of_table.next_edit_at = min(waiting)
            of_table.alarm = self._clock.call_at(of_table.next_edit_at, lambda: self._send_due(of_table))

    def _send(self, of_table: TablePanels, panel: HandPanel, snapshot: TableSnapshot) -> None:
        panel.due = False
        stage = snapshot.stage_of(panel.user)
        if stage != panel.stage:  # what was pressed at an earlier part of the hand is of no interest now
            panel.state = PanelState(resting=panel.state.resting)
        panel.stage = stage
        with reading(self._preferences.language(panel.user)):
            wanted = self._wanted_picture(snapshot, panel)
            components = self._components(snapshot, panel, shows_picture=wanted is not None)
        if components == panel.drawn:
            return
        panel.drawn = components
        panel.sending = True
        panel.edited_at = self._clock.now()
        for edits in (of_table.edits, self._server_edits(snapshot.address.guild, panel.edited_at)):
            edits.spend(panel.edited_at)
        assert panel.shown is not None, "a panel that nobody has opened"
        self._spawn(self._edit(of_table, panel, panel.shown, components, snapshot), f"my-hand-{panel.user}")

    def _components(self, snapshot: TableSnapshot, panel: HandPanel, *, shows_picture: bool) -> list[Raw]:
        block = self._picture_block(snapshot, panel.user) if shows_picture else None
        state = replace(panel.state, notice=self._notice_blocks(panel, snapshot), picture=block)
        return payload(self.panel_of(snapshot, panel.user, state))

    async def _edit(
        self,
        of_table: TablePanels,
        panel: HandPanel,
        shown: PrivateMessage,
        components: list[Raw],
        snapshot: TableSnapshot,
    ) -> None:
        there = panel.picture
        try:
            with reading(self._preferences.language(panel.user)):
                picture, file = await self._picture(snapshot, panel, there)
                if picture is None and shows_picture(components):
                    components = panel.drawn = self._components(snapshot, panel, shows_picture=False)
            data = message_data(components, file, keeps_files=picture is not None or not panel.had_picture)
            panel.picture = None  # until Discord has taken it
            panel.had_picture = panel.had_picture or file is not None
            await self._discord_api.edit_private(shown, data, file)
            if panel.shown is shown:
                panel.picture = picture
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            if isinstance(error, discord.HTTPException) and can_be_about_files(error) and shows_picture(components):
                panel.in_text = panel.due = True
            fields = {"table": of_table.table, "user": panel.user, "error": repr(error)}
            log.info("panel_edit_failed", extra=fields)
            if panel.shown is shown:
                panel.drawn = None
                if isinstance(error, discord.HTTPException) and error.status in {401, 404}:
                    self._close(of_table, panel)  # its reader has taken it away, or the token has ended
        finally:
            panel.sending = False
        if panel.due:
            self._send_due(of_table)

    # resting and closing

    def _set_alarm(self, of_table: TablePanels, panel: HandPanel, at: int) -> None:
        if panel.alarm is not None:
            panel.alarm.cancel()
        panel.alarm = self._clock.call_at(at, lambda: self._rest(of_table, panel))

    def _token_ended(self, of_table: TablePanels, panel: HandPanel) -> None:
        """Nothing can edit the panel any more, until its owner clicks."""
        panel.alarm = None
        self._forget_saved(of_table, panel)

    def _rest(self, of_table: TablePanels, panel: HandPanel) -> None:
        """The token is about to end: say so, and offer the button that draws the panel anew."""
        panel.alarm = None
        if panel.shown is None or not self._is_alive(panel):
            self._token_ended(of_table, panel)
        else:
            panel.alarm = self._clock.call_at(panel.shown.at + TOKEN_MS, lambda: self._token_ended(of_table, panel))
            panel.state = replace(panel.state, resting=True)
            panel.due = True
            self._send_due(of_table)

    def _close(self, of_table: TablePanels, panel: HandPanel) -> None:
        if panel.alarm is not None:
            panel.alarm.cancel()
        of_table.panels.pop(panel.user, None)
        self._forget_saved(of_table, panel)

    def _forget_table(self, of_table: TablePanels) -> None:
        for panel in list(of_table.panels.values()):
            self._close(of_table, panel)
        _cancel_alarms(of_table)
        self._tables.pop(of_table.table, None)

    async def close(self) -> None:
        """Stop following hands. Open panels stay saved: the next run goes on with them."""
        for of_table in self._tables.values():
            _cancel_alarms(of_table)
        self._tables.clear()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=3.0)
            for task in late:
                task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _priority(stage: PlayerStage) -> int:
    """Own turns first, then ends of hands, then the rest."""
    return 0 if stage.turn >= 0 else 1 if stage.over else 2


def _is_player(snapshot: TableSnapshot, user: int) -> bool:
    """Whether somebody plays the hand or sits at the table: only their panel follows it."""
    return user in snapshot.dealt_users or any(seat.player == user for seat in snapshot.table.seats)


def _cancel_alarms(of_table: TablePanels) -> None:
    for alarm in (of_table.alarm, of_table.end_alarm, *[panel.alarm for panel in of_table.panels.values()]):
        if alarm is not None:
            alarm.cancel()


def _key(of_table: TablePanels, panel: HandPanel) -> str:
    return f"{_KEY}{of_table.table}.{panel.user}"
