"""Draw the challenge to a duel. All else of it is drawn as of any sit-and-go."""

from bot.events.sit_and_go.state import SitAndGo
from bot.render.message.custom_ids import button_id, page_id
from bot.render.message.panel import GREEN, GREY, LOBBY, RED, WAITING, Button, Buttons, Panel, Text
from bot.render.table.rebuys import PAGE
from bot.render.table.sit_and_go import levels_button
from bot.table.view import TableView
from bot.text import duels as words
from bot.text import lobby as lobby_words
from bot.text.buttons import Verb
from bot.text.language import t


def give_up_question(table: int, event: SitAndGo, user: int) -> Panel:
    """Ask somebody who leaves a duel whether they give it up."""
    other = next(one.name for one in event.entrants if one.player != user)
    button = Button(t(words.GIVE_UP), page_id(PAGE, "giveup", table), RED)
    return Panel(WAITING, (Text(words.give_up_question(other)), Buttons((button,))))


def challenge_panel(table: int, view: TableView, event: SitAndGo, lapses_at: int) -> Panel:
    """Draw a challenge that nobody has answered. Everybody sees the same buttons, and each is for one person.

    Args:
        table: the number that button ids carry.
        lapses_at: in ms.
    """
    duel = event.settings.duel
    assert duel is not None, "no duel"
    chips = event.settings.buy_in
    accept = t(words.ACCEPT_FOR, chips=chips) if chips else t(words.ACCEPT)
    text = f"{words.challenge_text(event, view.settings)}\n{words.open_until(duel.opponent.player, lapses_at)}"
    buttons: tuple[Button, ...] = (
        Button(accept, page_id(PAGE, "enter", table), GREEN),
        Button(t(words.DECLINE), page_id(PAGE, "decline", table), GREY),
        Button(t(words.TAKE_BACK), page_id(PAGE, "leave", table), GREY),
        *levels_button(table, event),
        Button(t(lobby_words.RULES), button_id(table, view.hand_number, 0, Verb.RULES), GREY),
    )
    return Panel(LOBBY, (Text(text), Buttons(buttons)))
