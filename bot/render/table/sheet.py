"""Draw the last message of a table: the sheet of a game that people have played, else a short text."""

from bot.render.hand.found_hands import HandSearch, search_id
from bot.render.message.panel import FINISHED, GREY, Block, Button, Buttons, Panel, Separator, Text
from bot.table.ended_game import EndedGame
from bot.text import sheet as words
from bot.text.language import t


def ended_panel(game: EndedGame) -> Panel:
    """Return what is left of a table that has closed: where everybody stands, and the way to its hands."""
    if not game.has_sheet:
        return Panel(FINISHED, (Text(words.closed_text(game)),))
    blocks: list[Block] = [Text(words.heading(game)), Text(words.standing_lines(game.standings)), Separator()]
    blocks.append(Buttons((Button(t(words.ALL_HANDS), search_id("all", HandSearch(table=game.number)), GREY),)))
    return Panel(FINISHED, tuple(blocks))
