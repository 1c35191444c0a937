"""What *My hand* shows a player: their own view of the hand, and their cards as one large picture where they want that."""

from __future__ import annotations

from msgspec.structs import replace

from bot.line.payloads import AttachedFile
from bot.pictures.types import HandPicture
from bot.render.hand.my_hand import PanelState, before_first_hand_panel, my_hand_panel, no_cards_panel
from bot.render.message.panel import Panel, Picture
from bot.render.pictures.own_hand import HAND_PICTURE, own_hand_picture, own_hand_text, same_cards
from bot.runtime.clock import AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.answer_pictures import CONTENT_TYPE, PANEL_SECONDS, AnswerPictures, describe_safely
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.scenes import EmojiDecks, scene_of
from bot.surfaces.table.run_out_odds import RunOutOdds
from bot.table.picture_colours import Deck


class PanelContents:
    """Draws panels."""

    def __init__(
        self,
        emoji_decks: EmojiDecks,
        preferences: Preferences,
        pictures: AnswerPictures,
        clock: AlarmClock,
        odds: RunOutOdds,
    ) -> None:
        self._emoji_decks, self._preferences = emoji_decks, preferences
        self._pictures, self._clock, self._odds = pictures, clock, odds

    async def prepare(self, snapshot: TableSnapshot) -> None:
        """Wait, not for long, for what a panel tells beside the hand: the odds of a run-out."""
        await self._odds.wait(snapshot)

    def panel(self, snapshot: TableSnapshot, user: int, state: PanelState, *, large: bool = False) -> Panel:
        """Draw a player's panel, in the language that is being read; `large`: with the picture of their cards."""
        view = snapshot.hand
        if view is None:
            return before_first_hand_panel(state, dealt_before=snapshot.hand_number > 0)
        emojis = self._emoji_decks.choose(two_colour=self._preferences.wants_two_colours(user))
        own = snapshot.seen_by(user)
        scene = scene_of(snapshot, own or view, emojis, self._clock.now(), odds=self._odds.of(snapshot))
        if own is None:
            entrant = snapshot.sit_and_go.entrant(user) if snapshot.sit_and_go is not None else None
            return no_cards_panel(scene, state, is_out=entrant is not None and not entrant.is_in)
        if large:
            text = own_hand_text(scene_of(snapshot, own, self._emoji_decks.four_colour, 0))
            state = replace(state, picture=Picture(HAND_PICTURE, text))
        if own.over and not state.hides_end:
            stacks = {seat.player: seat.stack for seat in snapshot.table.seats}
            state = replace(state, stack=stacks.get(user))
        return my_hand_panel(scene, snapshot.preselection_for(user), state)

    def picture(self, snapshot: TableSnapshot, user: int) -> HandPicture | None:
        """Return the picture of the player's cards that their panel is to show; None where they want none, or hold no cards."""
        own = snapshot.seen_by(user)
        if own is None or not self._preferences.wants_large_cards(user) or not self._pictures.can_draw:
            return None
        deck = Deck.TWO_COLOURS if self._preferences.wants_two_colours(user) else Deck.FOUR_COLOURS
        look = replace(self._pictures.known_look(snapshot.address.guild, deck=deck), felt=snapshot.settings.felt)
        scene = scene_of(snapshot, own, self._emoji_decks.four_colour, 0)
        return describe_safely(lambda: own_hand_picture(scene, look))

    async def draw(self, picture: HandPicture, table: int, user: int) -> AttachedFile | None:
        """Return a picture as a file; None where it cannot be had soon."""
        content = await self._pictures.draw(picture, PANEL_SECONDS, (table, user))
        return AttachedFile(HAND_PICTURE, content, CONTENT_TYPE) if content is not None else None


class PanelPicture:
    """The large picture of a panel: which one its message has, and the one that it is to get."""

    def __init__(self, contents: PanelContents, table: int, user: int) -> None:
        self._contents, self._table, self._user = contents, table, user
        self._there: HandPicture | None = None  # None for none, or where that is not known
        self._ready: tuple[HandPicture, AttachedFile] | None = None
        self._in_text = False
        self.had_file = False

    def begin_answer(self, *, is_there: bool, is_possible: bool) -> None:
        """A click is answered: whether the message that shows the answer has its picture still, and whether it can have one."""
        self._there = self._there if is_there else None
        self._in_text = not is_possible

    def is_missing(self) -> None:
        """The panel goes on in a new message, which has none."""
        self._there = None

    async def prepare(self, snapshot: TableSnapshot) -> None:
        """Draw the picture that is missing, if that can be done soon."""
        wanted = self._wanted(snapshot)
        if wanted is None or same_cards(wanted, self._there):
            self._ready = None
        elif self._ready is None or not same_cards(wanted, self._ready[0]):
            file = await self._contents.draw(wanted, self._table, self._user)
            self._ready = (wanted, file) if file is not None else None

    def choose(self, snapshot: TableSnapshot) -> tuple[HandPicture | None, AttachedFile | None]:
        """Return what the panel shows large, and the file to send for it; no file for the picture that is there already."""
        wanted = self._wanted(snapshot)
        if wanted is None or same_cards(wanted, self._there):
            return (None, None) if wanted is None else (self._there, None)
        return self._ready if self._ready is not None and same_cards(wanted, self._ready[0]) else (None, None)

    def goes(self, file: AttachedFile | None) -> None:
        """A drawing goes: what the message has is not known until Discord has taken it."""
        self._there = None
        self.had_file = self.had_file or file is not None

    def arrived(self, picture: HandPicture | None) -> None:
        """Discord shows it."""
        self._there = picture

    def go_on_in_text(self) -> None:
        """Discord has refused it."""
        self._in_text = True

    def _wanted(self, snapshot: TableSnapshot) -> HandPicture | None:
        return None if self._in_text else self._contents.picture(snapshot, self._user)
