"""What a table's live message says: the panel of its newest state, the small print, what teaches a new game, the hands that were played."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from msgspec.structs import replace

from bot.engine.choices.secret_choices import NO
from bot.engine.events import SecretChoiceMade
from bot.engine.legal import Decision
from bot.events.sit_and_go.finishes import finishes
from bot.line.servers import Servers
from bot.render.hand.result import HandLine, hand_in_a_line, hand_line, shrunk_panel, with_hand
from bot.render.hand.running_hand import awaited_seats
from bot.render.hand.scene import Scene
from bot.render.message.limits import TEXT_MAX
from bot.render.message.panel import Raw, payload
from bot.render.table.sheet import ended_panel
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.snapshot import HandLog, TableSnapshot, TableUpdate
from bot.surfaces.private_answers import LivePanels
from bot.surfaces.scenes import EmojiDecks, hand_log_scene, hand_panel, lobby_panel, scene_of
from bot.surfaces.table.run_out_odds import RunOutOdds
from bot.surfaces.table.saved import NO_HAND, SavedMessage
from bot.table.ended_game import EndedGame
from bot.table.events import ClosingRequested, LeaveReason, SeatLeft, StacksReset, TableClosed, ToppedUp
from bot.text.actions import WANTED_ONCE, timed_out
from bot.text.cards import Emojis
from bot.text.ceremonies import CEREMONIES, ceremony_text
from bot.text.duels import match_won
from bot.text.escape import names_by_seat
from bot.text.hand import LAST_HAND, SEAT, SHOWN_BY_STREET
from bot.text.introductions import introduction, table_introduction
from bot.text.language import reading, t
from bot.text.rebuys import rebuys_text
from bot.text.sit_and_go import gone_out

RESULT_SECONDS = 20
"""How long the result of a hand is shown when no other hand follows; then the open table is shown again."""


class TableContents:
    """What the message of one table says, in the language of its server.

    Args:
        live_panels: knows who plays from a panel of their own.
        odds: knows the odds of a run-out.
        introduced: called when a game has been introduced: also after a restart it is not told again.
        rests: called when the open table is shown again because no hand follows.

    Attributes:
        newest: the newest state of the table.
        closed: what is left to tell of the game, once the table has closed; None while it is open.
        hands: what is left of the hands that the message has shown and that are over.
        last_hand: how the last of them ended; empty where there is none.
    """

    def __init__(
        self,
        snapshot: TableSnapshot,
        emoji_decks: EmojiDecks,
        servers: Servers,
        clock: AlarmClock,
        live_panels: LivePanels,
        odds: RunOutOdds,
        introduced: Callable[[], None],
        rests: Callable[[], None],
    ) -> None:
        self._emoji_decks, self._servers, self._clock = emoji_decks, servers, clock
        self._live_panels, self._odds = live_panels, odds
        self._tell_introduced, self._tell_rests = introduced, rests
        self.newest = snapshot
        self.closed: EndedGame | None = None
        self._closed_by = 0
        self.hands: tuple[HandLine, ...] = ()
        self.last_hand = ""
        self.introduced = {snapshot.settings.rule_card.key} if table_introduction(snapshot.settings) else set()
        self.introducing = (NO_HAND, "")
        self._note = ""
        self._offers_actions = True
        self._is_at_rest = False
        self._rest_alarm: Alarm | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no hand is played, and none follows by itself, nor the open table the result."""
        return not self.newest.hand_running and not self.newest.next_hand_at and self._rest_alarm is None

    @property
    def hand_to_show(self) -> int:
        """The hand that the message has to show; `NO_HAND` for the open table."""
        snapshot = self.newest
        if snapshot.hand_running:
            return snapshot.hand_number
        return NO_HAND if self._is_at_rest or not snapshot.has_hand else snapshot.hand_number

    @property
    def shows_hand(self) -> bool:
        """Whether the message has to show a hand, not the open table, nor that it has closed."""
        return self.closed is None and self.hand_to_show != NO_HAND

    @property
    def shown_end(self) -> int:
        """The last hand of which a drawing of this shows how it ended, or of which nobody waits to see it any more."""
        return self.newest.hand_number - self.newest.hand_running

    @property
    def awaited_users(self) -> list[int]:
        """The players whom the hand waits for, and between two hands of an event those who are asked whether they rebuy. The id of a
        practice player is below 0."""
        snapshot = self.newest
        event = snapshot.sit_and_go
        if event is not None and event.rebuy_question is not None:
            return list(event.rebuy_question.waiting)
        if not snapshot.hand_running or (view := snapshot.hand) is None:
            return []
        return [snapshot.players_by_seat[seat.seat_number].user for seat in awaited_seats(view)]

    @property
    def acts_in_panel(self) -> bool:
        """Whether everybody who is to act has a live panel, or is a practice player: then the message has no buttons for it."""
        table = self.newest.id
        return not [
            user for user in self.awaited_users if user > 0 and not self._live_panels.has_live_panel(table, user)
        ]

    @property
    def lacks_buttons(self) -> bool:
        """Whether somebody is to act who needs the message's buttons, and it has none as it was drawn last."""
        return not self._offers_actions and not self.acts_in_panel

    # what happens

    def change(self, change: TableUpdate) -> None:
        """The table has changed."""
        before, self.newest = self.newest, change.snapshot
        snapshot = self.newest
        if before.hand_number != snapshot.hand_number:
            self._note_end(before)
        if snapshot.hand_running:
            self._is_at_rest = False
        elif not snapshot.next_hand_at and before is not snapshot:
            if before.hand_running:
                self._rest_later()
            else:
                self._is_at_rest = True
                self._note_end(snapshot)
        if not change.street_shown:
            self._note = ""
            if _can_have_note(before, change):
                with self.reading():
                    self._note = _note_about(before, change, self._emoji_decks.four_colour)
        elif change.snapshot.sit_and_go is not None:  # the last street of a hand that somebody went out in
            with self.reading():
                self._note = _gone_out_note(change) or self._note
        for event in change.events:
            if isinstance(event, ClosingRequested):
                self._closed_by = event.player
        if change.closed:
            ended = snapshot.ended_game([event for event in change.events if isinstance(event, TableClosed)])
            self.closed = replace(ended, closed_by=self._closed_by)
            self._note_end(snapshot)

    def _rest_later(self) -> None:
        """Show the open table again some time after the end of a hand, if no other hand comes by itself."""
        self.stop()
        self._rest_alarm = self._clock.call_at(self._clock.now() + 1000 * RESULT_SECONDS, self._rest)

    def _rest(self) -> None:
        self._rest_alarm = None
        if not self.newest.hand_running and not self.newest.next_hand_at:
            self._is_at_rest = True
            self._note_end(self.newest)
            self._tell_rests()

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._rest_alarm is not None:
            self._rest_alarm.cancel()

    def say(self, note: str) -> None:
        """Say this in small print until the next change."""
        self._note = note

    def add(self, note: str) -> None:
        """Say this too."""
        self._note = " · ".join(filter(None, (self._note, note)))

    def leave_hands(self) -> tuple[HandLine, ...]:
        """Another message shows the table from now on. Returns what is left of the hands in the old one."""
        left, self.hands = self.hands, ()
        return left

    def _note_end(self, snapshot: TableSnapshot) -> None:
        if (view := snapshot.hand) is not None and view.over:
            self._note_played(scene_of(snapshot, view, self._emoji_decks.four_colour, 0))

    def _note_played(self, scene: Scene) -> None:
        if self.hands and self.hands[-1].last >= scene.hand_number:
            return
        with self.reading():
            self.hands, self.last_hand = with_hand(self.hands, hand_line(scene)), hand_in_a_line(scene)

    # between runs

    def restore(self, saved: SavedMessage) -> None:
        """Take up what an earlier run has saved."""
        if saved.introduced:
            self.introduced, self.introducing = set(saved.introduced), saved.introducing
        self.hands, self.last_hand = saved.hands, saved.last_hand

    def restore_hand(self, log: HandLog) -> None:
        """A hand that the message has shown ended before a restart."""
        if log.view.over:
            self._note_played(hand_log_scene(log, self._emoji_decks.four_colour))

    # drawing

    def draw(self, *, picture: bool = False, by_street: bool = False) -> list[Raw]:
        """Return the components of the newest state.

        Args:
            picture: the message has a picture of the table.
            by_street: no click's token can edit it: it is redrawn street by street.
        """
        with self.reading():
            last_hand = t(LAST_HAND, outcome=self.last_hand) if self.last_hand else ""
            components = self._draw(last_hand, picture=picture, by_street=by_street)
            if self.last_hand and _text_length(components) > TEXT_MAX:
                return self._draw("", picture=picture, by_street=by_street)
            return components

    def draw_left(self, hands: tuple[HandLine, ...]) -> list[Raw]:
        """Return the components of a message that the table has left with these hands."""
        with self.reading():
            return payload(shrunk_panel(self.newest.id, hands))

    def reading(self) -> AbstractContextManager[None]:
        """Inside, texts are in the language of the server."""
        return reading(self._servers.language(self.newest.address.guild))

    def _draw(self, last_hand: str, *, picture: bool, by_street: bool) -> list[Raw]:
        snapshot, emojis = self.newest, self._emoji_decks.four_colour
        if self.closed is not None:
            return payload(ended_panel(self.newest.id, self.closed))
        if self.hand_to_show == NO_HAND:
            if table_introduction(snapshot.settings) and not snapshot.hand_number:
                self._note_introduced(snapshot.settings.rule_card.key)
            return payload(lobby_panel(snapshot, emojis, self._note, last_hand, acts_in_panel=self.acts_in_panel))
        now, lesson, acts_in_panel = self._clock.now(), self._introduction(), self.acts_in_panel
        self._offers_actions = not acts_in_panel
        note = self._note
        if by_street and acts_in_panel and snapshot.hand_running:
            note = "\n".join(filter(None, (note, t(SHOWN_BY_STREET))))
        return payload(
            hand_panel(
                snapshot,
                emojis,
                now,
                note,
                lesson,
                last_hand,
                picture=picture,
                acts_in_panel=acts_in_panel,
                odds=None if snapshot.decision is Decision.BET else self._odds.of(snapshot),
            )
        )

    def _introduction(self) -> str:
        """Return what teaches the game of the hand: on the first street of the first hand of it at this table."""
        game, view = self.newest.game_of_hand, self.newest.hand
        if game is None or view is None:
            return ""
        here = (self.newest.hand_number, view.street)
        if game.key not in self.introduced:
            self.introducing = here
            self._note_introduced(game.key)
        return introduction(game) if self.introducing == here else ""

    def _note_introduced(self, key: str) -> None:
        if key not in self.introduced:
            self.introduced.add(key)
            self._tell_introduced()


def kept_asleep(contents: TableContents) -> tuple[str, bool, bool] | None:
    """Return what only this run knows, while the table sleeps: the small print, whether actions are offered, and whether the open table is
    shown after a hand. None while something changes by itself."""
    if contents.closed is not None or contents._rest_alarm is not None or contents._closed_by:
        return None
    return contents._note, contents._offers_actions, contents._is_at_rest


def take_up(contents: TableContents, kept: tuple[str, bool, bool]) -> None:
    """Go on as it was when the table fell asleep."""
    contents._note, contents._offers_actions, contents._is_at_rest = kept


def _can_have_note(before: TableSnapshot, change: TableUpdate) -> bool:
    """Whether there can be small print about a change: not about nearly every click, for which no language is looked up then."""
    if change.timed_out_seat or change.snapshot.sit_and_go is not None or before.decision is Decision.RUN_TWICE:
        return True
    return not CEREMONIES.isdisjoint(map(type, change.events))


def _note_about(before: TableSnapshot, change: TableUpdate, emojis: Emojis) -> str:
    """Return the small print about a change."""
    if (out := _gone_out_note(change)) or change.timed_out_seat:
        return out or _time_up_note(change)
    if before.decision is Decision.RUN_TWICE and before.hand_number == change.snapshot.hand_number:
        return _wanted_once_note(change)
    return _ceremony_note(change, emojis)


def _gone_out_note(change: TableUpdate) -> str:
    """``Mia goes out in 4th place.``, where somebody has gone out of an event or has rebought (SG-9), or who has won a match of a duel."""
    event = change.snapshot.sit_and_go
    if event is None:
        return ""
    for reset in change.events:
        if isinstance(reset, StacksReset):  # it takes chips from whoever has them all
            return match_won(event, min(reset.stack_changes, key=lambda one: one.chips).player)
    again = [_name(change.snapshot, one.seat_number) for one in change.events if isinstance(one, ToppedUp)]
    out = {one.player for one in change.events if isinstance(one, SeatLeft) and one.reason is LeaveReason.OUT}
    gone = gone_out([one for one in finishes(event) if one.entrant.player in out]) if out else ""
    return " ".join(filter(None, (rebuys_text(again), gone)))


def _ceremony_note(change: TableUpdate, emojis: Emojis) -> str:
    """Return what players did in public apart from the play: cards drawn for the first deal or for seats, a cut."""
    if CEREMONIES.isdisjoint(map(type, change.events)):
        return ""
    players = change.snapshot.players_by_seat
    by_seat = names_by_seat((seat_number, player.name) for seat_number, player in players.items())
    by_user = {player.user: by_seat[seat_number] for seat_number, player in players.items()}
    return ceremony_text(change.events, by_user, by_seat, emojis)


def _wanted_once_note(change: TableUpdate) -> str:
    """``Bruno wanted it once.``; empty while nobody has said so (TL-25)."""
    view = change.snapshot.hand
    for event in change.events:
        if isinstance(event, SecretChoiceMade) and event.word == NO and view is not None:
            return t(WANTED_ONCE, name=_name(change.snapshot, view.seats[event.seat].seat_number))
    return ""


def _time_up_note(change: TableUpdate) -> str:
    """``Time is up: river_rat folds.``"""
    return timed_out(_name(change.snapshot, change.timed_out_seat), change.events)


def _name(snapshot: TableSnapshot, seat_number: int) -> str:
    names = names_by_seat((number, player.name) for number, player in snapshot.players_by_seat.items())
    return names.get(seat_number) or t(SEAT, number=seat_number)


def _text_length(components: list[Raw]) -> int:
    """Return how long the text of a message is, which is one container."""
    parts: list[Raw] = components[0]["components"]
    return sum([len(part["content"]) for part in parts if "content" in part])
