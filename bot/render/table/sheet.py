"""Draw the last message of a table: the sheet of a game that people have played, else a short text."""

from bot.render.hand.found_hands import HandSearch, search_id
from bot.render.hand.replay_ids import replay_button
from bot.render.hand.result import BigHand
from bot.render.message.panel import FINISHED, GREY, Block, Button, Buttons, ButtonSection, Panel, Separator, Text
from bot.table.ended_game import EndedGame
from bot.text import sheet as words
from bot.text.language import t

HANDS_MIN = 5
"""After fewer hands the sheet says where everybody stands, and no more."""


def ended_panel(table: int, game: EndedGame, hand_of_night: BigHand | None = None) -> Panel:
    """Return what is left of a table that has closed: where everybody stands, the hand of the night, and the way to all hands.

    Args:
        table: the table's id.
        hand_of_night: None where no hand was shown.
    """
    if not game.has_sheet:
        return Panel(FINISHED, (Text(words.closed_text(game)),))
    blocks: list[Block] = [Text(words.heading(game)), Text(words.standing_lines(game.standings)), Separator()]
    if hand_of_night is not None and game.hands >= HANDS_MIN:
        text = Text(words.hand_of_night(hand_of_night.number, hand_of_night.text))
        blocks += [ButtonSection(text, replay_button(table, hand_of_night.number)), Separator()]
    blocks.append(Buttons((Button(t(words.ALL_HANDS), search_id("all", HandSearch(table=game.number)), GREY),)))
    return Panel(FINISHED, tuple(blocks))
