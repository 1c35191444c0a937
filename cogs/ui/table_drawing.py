"""What a table's live message says: the panel of its newest state, the small print, and the introduction of a new game."""

from __future__ import annotations

from bot.engine.choices.secret_choices import NO
from bot.engine.events import SecretChoiceMade
from bot.engine.legal import Decision
from bot.render.message.panel import Raw, payload
from bot.runtime.clock import AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.updates import TableUpdate
from bot.text import escape
from bot.text.actions import WANTED_ONCE, timed_out
from bot.text.cards import Emojis
from bot.text.ceremonies import CEREMONIES, ceremony_text
from bot.text.hand import SEAT
from bot.text.introductions import introduction, table_introduction
from bot.text.language import t
from cogs.ui.scenes import EmojiDecks, hand_panel, lobby_panel
from cogs.ui.table_message import NO_HAND, SavedMessages, TableMessage


class TableDrawing:
    """Draws live messages, in the language that is entered."""

    def __init__(self, emoji_decks: EmojiDecks, clock: AlarmClock, saved: SavedMessages) -> None:
        self._emoji_decks = emoji_decks
        self._clock = clock
        self._saved = saved

    def components(self, table_message: TableMessage, *, picture: bool = False) -> list[Raw]:
        """Return the components of the newest state, and remember whether they show the end of a hand.

        Args:
            picture: the message has a picture of the table.
        """
        snapshot = table_message.newest
        table_message.drawn_end = snapshot.hand_number if snapshot.hand_over else 0
        emojis, note = self._emoji_decks.four_colour, table_message.note
        if table_message.hand_to_show == NO_HAND:
            if table_introduction(snapshot.settings):
                self._note_introduced(table_message, snapshot.settings.rule_card.key)
            return payload(lobby_panel(snapshot, emojis, note))
        introduction_of_game = self._introduction(table_message)
        return payload(hand_panel(snapshot, emojis, self._clock.now(), note, introduction_of_game, picture=picture))

    def _introduction(self, table_message: TableMessage) -> str:
        """Return what teaches the game of the hand: on the first street of the first hand of it at this table."""
        snapshot = table_message.newest
        game, view = snapshot.game_of_hand, snapshot.hand
        if game is None or view is None:
            return ""
        here = (snapshot.hand_number, view.street)
        if game.key not in table_message.introduced:
            table_message.introducing = here
            self._note_introduced(table_message, game.key)
        return introduction(game) if table_message.introducing == here else ""

    def _note_introduced(self, table_message: TableMessage, key: str) -> None:
        """A game has been introduced at a table: also after a restart it is not told again."""
        if key not in table_message.introduced:
            table_message.introduced.add(key)
            self._saved.save(table_message)


def note_about(before: TableSnapshot, change: TableUpdate, emojis: Emojis) -> str:
    """Return the small print about a change."""
    if change.timed_out_seat:
        return _time_up_note(change)
    if before.decision is Decision.RUN_TWICE and before.hand_number == change.snapshot.hand_number:
        return _wanted_once_note(change)
    return _ceremony_note(change, emojis)


def _ceremony_note(change: TableUpdate, emojis: Emojis) -> str:
    """Return what players did in public apart from the play: cards drawn for the first deal or for seats, a cut."""
    if CEREMONIES.isdisjoint(map(type, change.events)):
        return ""  # nearly every click: it need not collect the names
    players = change.snapshot.players_by_seat
    by_user = {player.user: escape.name(player.name) for player in players.values()}
    by_seat = {seat_number: escape.name(player.name) for seat_number, player in players.items()}
    return ceremony_text(change.events, by_user, by_seat, emojis)


def _wanted_once_note(change: TableUpdate) -> str:
    """``Bruno wanted it once.``; empty while nobody has said so (TL-25)."""
    view = change.snapshot.hand
    for event in change.events:
        if isinstance(event, SecretChoiceMade) and event.word == NO and view is not None:
            player = change.snapshot.players_by_seat[view.seats[event.seat].seat_number]
            return t(WANTED_ONCE, name=escape.name(player.name))
    return ""


def _time_up_note(change: TableUpdate) -> str:
    """``Time is up: river_rat folds.``"""
    player = change.snapshot.players_by_seat.get(change.timed_out_seat)
    name = escape.name(player.name) if player is not None else t(SEAT, number=change.timed_out_seat)
    return timed_out(name, change.events)
