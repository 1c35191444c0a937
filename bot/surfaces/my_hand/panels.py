"""*My hand*: each player's one private panel at a table, drawn by their own clicks and followed through the hand between them.

Between two clicks of its owner a panel is edited with the token of the last interaction that drew it, for 14 minutes. It moves below a
table that has moved, and any newer click of its owner in the channel renews it (`following.py`); without one it says that it rests.
Edits are few: a new deal, a new street, the owner's turn, the end. What comes together is sent together. An own turn is shown at once;
what else there is waits until a channel has fewer than `EDITS_PER_MINUTE`.

The tokens of open panels are saved, sealed, until they end: after a restart the panels are redrawn and followed on. Who had such a token
could read the panel, and with it a player's cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.budgets import FollowUp, MinuteBudget, MinuteBudgets
from bot.line.by_token import Token
from bot.line.interaction import InteractionInfo
from bot.render.hand.my_hand import PLAIN, PanelState
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.saved_values import AT_A_TABLE, SavedKind, SavedValues, SealedStorage
from bot.runtime.snapshot import PlayerStage, TableSnapshot, TableUpdate
from bot.runtime.tables import Tables
from bot.signals import CardsDelayed, EndShown, LineLapsed, Signals, TableAsleep, TablePosted, TimeBankStarted
from bot.surfaces.answer_pictures import AnswerPictures
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.keeper import Keeper
from bot.surfaces.my_hand.contents import PanelContents
from bot.surfaces.my_hand.following import LeftPanels, is_player
from bot.surfaces.my_hand.panel import PAUSE_MS, HandPanel, PanelNotice, Urgency
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.private_answers import LivePanels, PrivateAnswers, PrivateMessage
from bot.surfaces.replies import Reply
from bot.surfaces.scenes import EmojiDecks
from bot.surfaces.table.display import TableDisplay
from bot.surfaces.table.run_out_odds import RunOutOdds

EDITS_PER_MINUTE = 20
"""With so many edits of panels in one channel, only own turns are shown, and cards of new hands. Discord publishes no limit; about 30
messages by token in a minute are reported, and 5 edits in 2 seconds by one token, which is a player's own."""
KEPT_FOR_TURNS = 5
"""How many of them only an own turn, the result of a hand for who is still in it, or the cards of a new hand can use."""
DEALS_PER_MINUTE, RESULTS_PER_MINUTE = 12, 12
"""So many cards of new hands, and results, are shown also beyond that: cards of an earlier hand must not stay, nor must somebody be said
to act in a hand that is over."""
SERVER_EDITS_PER_MINUTE, SERVER_KEPT_FOR_TURNS = 600, 200
"""The same for all tables of one server together. These edits do not count against the bot's limit, and one event loop draws them all."""
FEW_PANELS = 4
"""With so few panels, and half of the edits left, a panel also shows at once that its owner has acted by the table's buttons."""
SEEN_MS = 60_000
"""So long after its owner used it, a panel below the table is before their eyes."""
END_WAIT_MS = 3_000
"""How long panels wait for the table's message to tell how a hand ended. It can be a second behind them."""
_PANELS = SavedKind[tuple[int, int], PrivateMessage]("panel.", AT_A_TABLE, PrivateMessage)
"""Sealed (`bot.store.sealed_values`)."""


class TablePanels:
    """The panels of one table.

    Attributes:
        panels: by their owners.
    """

    def __init__(self, owner: HandPanels, table: int) -> None:
        self._owner, self.id = owner, table
        self.keeper, self.contents = owner.keeper, owner.contents
        self.answers, self.preferences = owner.answers, owner.preferences
        self.panels: dict[int, HandPanel] = {}
        self._edits = MinuteBudget(EDITS_PER_MINUTE)
        self._beyond = {
            Urgency.NEW_HAND: MinuteBudget(DEALS_PER_MINUTE),
            Urgency.RESULT: MinuteBudget(RESULTS_PER_MINUTE),
        }
        self._end_alarm: Alarm | None = None
        self._ends_told = 0

    # what a panel asks for

    def snapshot(self) -> TableSnapshot | None:
        """Return the table as it stands; None once it is closed."""
        return self._owner.snapshot(self.id)

    def message(self) -> int:
        """Return the table's own message; 0 while there is none."""
        message = self._owner.display.message_of(self.id)
        return message.message if message is not None else 0

    def hides_end(self, snapshot: TableSnapshot) -> bool:
        """Return whether a hand is over, and the table has still to tell how it ended. A panel never tells it before."""
        told = self._ends_told >= snapshot.hand_number or self._owner.display.is_end_shown(snapshot)
        return snapshot.hand_over and not told

    def stage_of(self, snapshot: TableSnapshot, user: int) -> PlayerStage:
        """Return the part of the hand that a player is in, as far as their panel tells it."""
        return PlayerStage() if self.hides_end(snapshot) else snapshot.stage_of(user)

    def possible_at(self, snapshot: TableSnapshot, now: int, why: Urgency) -> int:
        """Return when a panel can be edited; `now` if that is possible at once."""
        if self.hides_end(snapshot):
            return now + END_WAIT_MS
        of_server = self._owner.server_edits.of(snapshot.address.guild, now)
        if why is Urgency.NONE:
            of_server_at = of_server.possible_at(now, kept=SERVER_KEPT_FOR_TURNS)
            return max(self._edits.possible_at(now, kept=KEPT_FOR_TURNS), of_server_at)
        if why is Urgency.OWN:
            return of_server.possible_at(now)
        kept = SERVER_KEPT_FOR_TURNS if why is Urgency.RESULT else 0
        at = min(self._edits.possible_at(now), self._beyond[why].possible_at(now))
        return max(at, of_server.possible_at(now, kept=kept))

    def spend(self, snapshot: TableSnapshot, now: int, why: Urgency) -> None:
        """Count an edit."""
        for edits in (self._edits, self._owner.server_edits.of(snapshot.address.guild, now)):
            edits.spend(now)
        if why in self._beyond:
            self._beyond[why].spend(now)

    def can_follow(self, channel: int) -> bool:
        """Return whether a follow-up can be sent to a channel now."""
        now = self.keeper.clock.now()
        return self.keeper.discord_api.by_token.budget.possible_at(channel, FollowUp.ACTING, now) <= now

    def note_press(self, info: InteractionInfo) -> None:
        """A press on the table's message was acknowledged without redrawing it."""
        self._owner.display.answers.note_press(info)

    def save(self, user: int, shown: PrivateMessage | None) -> None:
        """Save how a panel can be edited; None: it cannot be any more."""
        self._owner.save((self.id, user), shown)

    def note_live(self, user: int, shown: PrivateMessage | None) -> None:
        """A panel is this message, and can be edited by this token; None: it is live no longer."""
        self._owner.live.note(self.id, user, shown)

    def leave(self, user: int, old: PrivateMessage) -> None:
        """A newer panel has replaced one: take that away."""
        self._owner.left.leave((self.id, user), old)

    async def move(self, user: int, shown: PrivateMessage, old: PrivateMessage) -> None:
        """A panel has moved: save that, then let the old message say so."""
        await self._owner.move((self.id, user), shown, old)

    def close_panel(self, panel: HandPanel) -> None:
        """A panel follows the hand no longer."""
        panel.stop(for_good=True)
        if self.panels.get(panel.user) is panel:
            del self.panels[panel.user]

    def end_panel(self, panel: HandPanel) -> None:
        """The table has closed. A panel that has not shown the end of its hand goes: it would say for ever that somebody is to act."""
        shown, tells_end = panel.shown, panel.stage.over or not panel.stage.hand
        self.close_panel(panel)
        if shown is not None and not tells_end:
            self.leave(panel.user, shown)

    def open_unasked(self, user: int, state: PanelState) -> None:
        """Show a player their panel by their last click, if that is possible."""
        if (snapshot := self.snapshot()) is not None:
            self._owner.open_unasked(snapshot, user, state)

    # what happens

    def panel(self, user: int) -> HandPanel:
        """Return a player's panel; it need not be open."""
        if user not in self.panels:
            self.panels[user] = HandPanel(self, user)
        return self.panels[user]

    @property
    def are_over(self) -> bool:
        """Whether nothing can edit any of them, and nothing is on its way."""
        return self._end_alarm is None and all(
            panel.shown is None and panel.live.work.is_quiet for panel in self.panels.values()
        )

    def look_again(self, snapshot: TableSnapshot) -> None:
        """The table has changed, or shows more: bring the panels up to date, own turns first."""
        if self.hides_end(snapshot):
            self._wait_for_end(snapshot)
            return
        if self._end_alarm is not None:
            self._end_alarm.cancel()
            self._end_alarm = None
        is_few = sum(panel.shown is not None for panel in self.panels.values()) <= FEW_PANELS
        is_close = is_few and self._edits.left(self.keeper.clock.now()) > EDITS_PER_MINUTE // 2
        for panel in sorted(self.panels.values(), key=lambda panel: _priority(snapshot.stage_of(panel.user))):
            panel.look_again(snapshot, closely=is_close)

    def _wait_for_end(self, snapshot: TableSnapshot) -> None:
        """Panels wait for the table's message, and not for long: where Discord refuses that message, they are what is left."""

        def tell() -> None:
            self._end_alarm, self._ends_told = None, snapshot.hand_number
            now = self.snapshot()
            if now is not None:
                self.look_again(now)

        if self._end_alarm is None:
            self._end_alarm = self.keeper.clock.call_at(self.keeper.clock.now() + END_WAIT_MS, tell)

    def stop(self) -> None:
        """Stop following the hand."""
        if self._end_alarm is not None:
            self._end_alarm.cancel()
        for panel in self.panels.values():
            panel.stop(for_good=False)


def _put_away(tables: dict[int, TablePanels], asleep: int) -> None:
    """A table sleeps: of panels that nothing can edit any more nothing is kept. A press on one draws it again, as after a restart."""
    of_table = tables.get(asleep)
    if of_table is not None and of_table.are_over:
        of_table.stop()
        del tables[asleep]


class HandPanels(Part):
    """Draws panels, and keeps the open ones up to date.

    Attributes:
        server_edits: how many edits are possible.
        display: shows the tables, and knows whether everybody can see how a hand that is over ended.
        live: knows who has a live panel.
        left: the panels that newer ones have replaced.
    """

    follows_play = True

    def __init__(
        self,
        discord_api: DiscordApi,
        answers: PrivateAnswers,
        emoji_decks: EmojiDecks,
        preferences: Preferences,
        tables: Tables,
        clock: AlarmClock,
        display: TableDisplay,
        direct_messages: DirectMessages,
        storage: SealedStorage,
        pictures: AnswerPictures,
        live: LivePanels,
        odds: RunOutOdds,
        signals: Signals,
    ) -> None:
        self.live = live
        self._saved = SavedValues(_PANELS, storage)
        self.contents = PanelContents(emoji_decks, preferences, pictures, clock, odds)
        self.answers, self.preferences = answers, preferences
        self._running_tables, self.display, self._direct_messages = tables, display, direct_messages
        self._signals = signals
        self.keeper = Keeper(discord_api, clock)
        self.server_edits = MinuteBudgets(SERVER_EDITS_PER_MINUTE)
        self._tables: dict[int, TablePanels] = {}
        self._found: dict[tuple[int, int], PrivateMessage] = {}
        self.tasks = self.keeper.tasks
        self.left = LeftPanels(clock, answers, preferences, storage, self.tasks)
        signals.on(TablePosted, lambda signal: self.table_moved(signal.table))
        signals.on(EndShown, lambda signal: self.table_shown(signal.table))
        signals.on(TimeBankStarted, lambda signal: self.time_bank_started(signal.table))
        signals.on(CardsDelayed, self._on_cards_delayed)
        signals.on(TableAsleep, lambda signal: _put_away(self._tables, signal.table))

    async def load(self) -> None:
        """Note the panels of an earlier run: the tables' messages are drawn before the panels are taken up."""
        self._found = await self._saved.load()
        for (table, user), shown in self._found.items():
            self.live.note(table, user, shown)

    async def open(self) -> None:
        """Take up the panels of an earlier run: they are redrawn, unless their owner is choosing, and follow the hand again."""
        await self.left.open(self._found)
        for (table, user), shown in self._found.items():
            if not self._take_up(table, user, shown):
                self.live.note(table, user, None)
                await self._saved.forget((table, user))
        self._found.clear()

    def _take_up(self, table: int, user: int, shown: PrivateMessage) -> bool:
        """Go on with a player's panel. Returns False if it can no longer be edited, or has nothing to follow."""
        snapshot = self.snapshot(table)
        if snapshot is None or not is_player(snapshot, user) or not shown.is_alive(self.keeper.clock.now()):
            return False
        panels = self._of(table).panels
        if user in panels and panels[user].shown is not None:  # its owner was quicker
            if panels[user].message != shown.message:
                self.answers.delete(shown)
            return True
        panels[user] = HandPanel(self._of(table), user, shown)
        panels[user].take_up(snapshot)
        self._of(table).look_again(snapshot)
        return True

    @property
    def is_idle(self) -> bool:
        """Whether no panel is to be drawn before long."""
        return not self.tasks.pending and not any(
            panel.live.work.is_due_within(PAUSE_MS)
            for of_table in self._tables.values()
            for panel in of_table.panels.values()
        )

    # by its owner's own click

    async def show(
        self, reply: Reply, info: InteractionInfo, snapshot: TableSnapshot, state: PanelState = PLAIN
    ) -> None:
        """Answer an interaction with its owner's panel: on the private message that was clicked, else as a new one that replaces the old.

        Who neither sits at the table nor plays the hand gets an answer that does not follow it.
        """
        table, user = snapshot.id, info.user
        if self.snapshot(table) is None or not (is_player(snapshot, user) or info.message_is_private):
            await reply.private(self.contents.panel(snapshot, user, state))
            return
        await self._of(table).panel(user).answer(reply, info, snapshot, state)
        if info.message_is_private:
            self._direct_messages.note_panel_press(table, user)

    @contextmanager
    def answering(self, table: int, user: int) -> Iterator[None]:
        """Inside, a click of the owner draws the panel: nothing else does."""
        work = self._of(table).panel(user).live.work
        work.hold()
        try:
            yield
        finally:
            work.release()

    # between clicks

    def is_open(self, table: int, user: int, below: int = 0) -> bool:
        """Whether a player has a panel that can be edited.

        Args:
            below: a message that the player has pressed: whether the panel is also before them, below that message and just used. One
                that they have dismissed can be edited still, and nobody sees it.
        """
        panel = self._open_panel(table, user)
        if panel is None or not below:
            return panel is not None
        used_at = panel.shown.at if panel.shown is not None else 0
        return panel.message > below and self.keeper.clock.now() < used_at + SEEN_MS

    def is_panel(self, table: int, user: int, message: int) -> bool:
        """Return whether a message is a player's panel."""
        panel = self._open_panel(table, user)
        return panel is not None and panel.message == message

    def tell(self, table: int, user: int, state: PanelState) -> bool:
        """Show a note or a question on a player's open panel. Returns False if none is open, or no more edits are possible now."""
        panel = self._open_panel(table, user)
        return panel is not None and panel.tell(state)

    def show_notice(self, snapshot: TableSnapshot, user: int, notice: PanelNotice) -> bool:
        """Show something that a player has to be told on their open panel, as long as it is true. Returns False if none is open."""
        panel = self._open_panel(snapshot.id, user)
        if panel is None:
            return False
        panel.show_notice(notice)
        return True

    def take_panel(self, table: int, user: int) -> PrivateMessage | None:
        """Let a player's open panel become something else: it follows the hand no longer. None if none is open."""
        panel = self._open_panel(table, user)
        if panel is None:
            return None
        shown = panel.shown
        self._of(table).close_panel(panel)
        return shown

    def open_unasked(self, snapshot: TableSnapshot, user: int, state: PanelState = PLAIN) -> None:
        """Show a player their panel by their last click, if that is possible and they have none."""
        if not self.is_open(snapshot.id, user):
            self.tasks.run(self._of(snapshot.id).panel(user).open_unasked(state), f"my-hand-{user}")

    def _on_cards_delayed(self, signal: CardsDelayed) -> None:
        snapshot = self.snapshot(signal.table)
        if snapshot is not None:
            self.open_unasked(snapshot, signal.user)

    def on_update(self, change: TableUpdate) -> None:
        """Note a change. This is called under the table's lock, so it awaits nothing."""
        for user in change.lapsed_users:
            if user > 0:
                self.open_unasked(change.snapshot, user)
                if change.snapshot.settings.is_slow:
                    self._signals.send(LineLapsed(change.snapshot.id, user))
        of_table = self._tables.get(change.snapshot.id)
        if of_table is not None and change.closed:
            of_table.stop()
            for panel in tuple(of_table.panels.values()):
                of_table.end_panel(panel)
            del self._tables[of_table.id]
        elif of_table is not None:
            of_table.look_again(change.snapshot)

    def table_moved(self, table: int) -> None:
        """The table has a new message: its panels go on below it, the one that will be needed first before the others."""
        of_table, snapshot = self._tables.get(table), self.snapshot(table)
        if of_table is not None and snapshot is not None:
            for user in _in_order_of_play(snapshot):
                if user in of_table.panels:
                    of_table.panels[user].look_below()

    def note_click(self, info: InteractionInfo) -> None:
        """Somebody has clicked or used a command in a channel, and was answered: their panel there can be sent anew for a while."""
        found = self._running_tables.table_in_channel(info.guild, info.channel)
        panel = self._open_panel(found.id, info.user) if found is not None else None
        if panel is not None:
            by_token, now = self.keeper.discord_api.by_token, self.keeper.clock.now()
            panel.can_follow(Token(by_token.application, info.id, info.token, now, info.channel))

    def table_shown(self, table: int) -> None:
        """The table shows how the hand ended."""
        of_table, snapshot = self._tables.get(table), self.snapshot(table)
        if of_table is not None and snapshot is not None:
            of_table.look_again(snapshot)

    def time_bank_started(self, table: int) -> None:
        """The time bank of a turn has started: the panels of those who are awaited say until when."""
        for panel in self._tables[table].panels.values() if table in self._tables else ():
            if panel.stage.turn >= 0:
                panel.live.work.wake()

    async def close(self) -> None:
        """Stop following hands. Open panels stay saved: the next run goes on with them."""
        for of_table in self._tables.values():
            of_table.stop()
        self._tables.clear()
        self.left.stop()
        await self.tasks.finish(3.0)

    # what a table's panels ask for

    def snapshot(self, table: int) -> TableSnapshot | None:
        """Return a table as it stands; None once it is closed."""
        try:
            return self._running_tables.snapshot(table)
        except TableError:
            return None

    def save(self, key: tuple[int, int], shown: PrivateMessage | None) -> None:
        """Save how a panel can be edited; None: it cannot be any more."""
        if shown is None:
            self._direct_messages.panel_gone(*key)
        saving = self._saved.keep(key, shown) if shown is not None else self._saved.forget(key)
        self.tasks.run(saving, "save-panel")

    async def move(self, key: tuple[int, int], shown: PrivateMessage, old: PrivateMessage) -> None:
        """A panel has moved. Both are saved, the old one first: one that is still the panel then, the next run leaves as it is."""
        await self.left.note(key, old)
        await self._saved.keep(key, shown)
        self.left.say_below(key, old)

    def _of(self, table: int) -> TablePanels:
        if table not in self._tables:
            self._tables[table] = TablePanels(self, table)
        return self._tables[table]

    def _open_panel(self, table: int, user: int) -> HandPanel | None:
        of_table = self._tables.get(table)
        panel = of_table.panels.get(user) if of_table is not None else None
        return panel if panel is not None and panel.shown is not None else None


def _priority(stage: PlayerStage) -> int:
    """Own turns first, then ends of hands, then the rest."""
    return 0 if stage.turn >= 0 else 1 if stage.over else 2


def _in_order_of_play(snapshot: TableSnapshot) -> list[int]:
    """The players, who acts after the next one first."""
    turn = snapshot.current_turn.seat_number if snapshot.current_turn is not None else 0
    seats = sorted(snapshot.players_by_seat.items(), key=lambda each: (each[0] <= turn, each[0]))
    return [player.user for _, player in seats]
