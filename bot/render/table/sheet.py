"""Draw the last message of a table: the sheet of a game that people have played, else a short text."""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.units import SeatIndex
from bot.render.hand.found_hands import HandSearch, search_id
from bot.render.hand.replay_ids import replay_button
from bot.render.hand.result import hand_in_a_line
from bot.render.hand.scene import Scene, hands_won_with, known_cards
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import (
    FINISHED,
    GREEN,
    GREY,
    Block,
    Button,
    Buttons,
    ButtonSection,
    Panel,
    Picture,
    Separator,
    Text,
)
from bot.table.ended_game import EndedGame
from bot.text import duels
from bot.text import sheet as words
from bot.text.formatting import join_and
from bot.text.language import t
from bot.text.sheet import SheetHandKind
from bot.text.sit_and_go import finish_lines

HANDS_MIN = 5
"""After fewer hands the sheet says where everybody stands, and no more."""
PAGE, NIGHT_PAGE = "again", "night"
"""The names of the pages in the ids of its buttons."""
PRACTICE = "practice"
"""The verb of the button that plays a duel against a practice player again, of which no sheet is kept."""


class SheetHand(Struct, frozen=True):
    """A hand that the sheet tells.

    Attributes:
        scene: as everybody saw it.
        seat_index: whom it is about.
        chance: of a worst beat, what share of the pots was to be expected when the money went in, in thousandths.
    """

    kind: SheetHandKind
    scene: Scene
    seat_index: SeatIndex
    chance: int = 0


def ended_panel(
    table: int,
    game: EndedGame,
    hands: Sequence[SheetHand] = (),
    picture: Picture | None = None,
    *,
    has_nights: bool = False,
) -> Panel:
    """Return what is left of a game: where everybody stands, the picture of the evening, the hands that people will tell of.

    Args:
        table: the table's id.
        hands: those that the sheet tells. What is one and the same hand is told once.
        picture: who was up and down over the evening; None while it is not there.
        has_nights: game nights are planned in the server, and this was none of them: the game can become one.
    """
    if not game.finishes and (game.is_event or not game.has_sheet):
        return Panel(FINISHED, (Text(words.closed_text(game)),))
    standings = finish_lines(game.finishes) if game.finishes else words.standing_lines(game.standings)
    blocks: list[Block] = [Text(words.heading(game)), Text(standings)]
    if not game.has_sheet:  # somebody has won, though nobody tells hands of practice
        if game.duel is not None and any(one.player < 0 for one in game.finishes):
            blocks.append(Buttons((Button(t(duels.REMATCH), page_id(PAGE, PRACTICE, table), GREEN),)))
        return Panel(FINISHED, tuple(blocks))
    if game.hands >= HANDS_MIN or game.finishes:
        if picture is not None:
            blocks.append(picture)
        by_number: dict[int, list[SheetHand]] = {}
        for hand in hands:
            by_number.setdefault(hand.scene.hand_number, []).append(hand)
        for number, told in by_number.items():
            blocks.append(ButtonSection(Text(_told(told)), replay_button(table, number)))
    blocks.append(Separator())
    all_hands = Button(t(words.ALL_HANDS), search_id("all", HandSearch(table=game.number)), GREY)
    again_label = words.PLAY_AGAIN if game.duel is None else duels.REMATCH
    again = Button(t(again_label), page_id(PAGE, "play", table), GREEN)
    has_nights = has_nights and game.duel is None
    same_time = Button(t(words.SAME_TIME), page_id(NIGHT_PAGE, "sametime", table), GREY)
    blocks.append(Buttons((all_hands,) if game.rests else (again, all_hands, *((same_time,) if has_nights else ()))))
    return Panel(FINISHED, tuple(blocks))


def _told(hands: Sequence[SheetHand]) -> str:
    """Tell one hand: why it is told, what happened, and the cards of each seat that it is about."""
    lines = [words.told_heading([hand.kind for hand in hands], hands[0].scene.hand_number)]
    winner = next((hand.seat_index for hand in hands if hand.kind is SheetHandKind.NIGHT), None)
    for hand in hands:
        if hand.kind is SheetHandKind.BEST and hand.seat_index == winner:
            continue  # it has been told who won with what
        lines += [line for line in (_sentence(hand), _cards(hand)) if line]
    return "\n".join(lines)


def _sentence(hand: SheetHand) -> str:
    scene, seat = hand.scene, hand.scene.public_view().seats[hand.seat_index]
    name, held = scene.name(seat.seat_number), join_and(hands_won_with(scene.view, seat))
    match hand.kind:
        case SheetHandKind.NIGHT:
            return hand_in_a_line(scene)
        case SheetHandKind.WORST:
            return words.lost_as_favourite(name, held, hand.chance)
        case SheetHandKind.BEST:
            return words.had(name, held)


def _cards(hand: SheetHand) -> str:
    """Return the cards that won the most, or those of somebody who lost."""
    scene, seat = hand.scene, hand.scene.public_view().seats[hand.seat_index]
    won = [one for one in scene.view.payments if one.seat_index == hand.seat_index and one.playing_cards]
    if not won:
        return known_cards(scene, seat)
    return scene.emojis.write(max(won, key=lambda one: one.chips).playing_cards)
