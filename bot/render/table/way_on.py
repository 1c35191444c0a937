"""The buttons that get a table going again. Everybody sees the same ones; who presses one that is meant for others gets their own menu."""

from bot.render.message.custom_ids import button_id
from bot.render.message.panel import GREEN, GREY, Block, Button, Buttons, Text
from bot.table.settings import RebuyRule
from bot.table.state import RebuyOffer, SeatStatus
from bot.table.view import SeatedPlayerView, TableView
from bot.table.way_on import Awaited
from bot.text import buttons as labels
from bot.text import lobby as lobby_words
from bot.text import table_chips
from bot.text import way_on as words
from bot.text.buttons import Verb
from bot.text.language import t
from bot.text.own_menu import OPEN_MENU


def way_on_buttons(table: int, view: TableView) -> tuple[Button, ...]:
    """The way on, green and first where the table waits for it: the way back, a buy-in, the deal, a seat; *Join table* last,
    or where no seat is free the own menu.

    Where the next hand comes by itself, or a hand is being played, nothing is green.
    """
    if view.settings.is_event:  # its own menu has the way on
        return (Button(t(OPEN_MENU), button_id(table, view.hand_number, 0, Verb.MENU), GREY),)
    awaited = view.way_on.awaited if view.way_on is not None else None
    wanted = (
        (any(seat.status is SeatStatus.SITTING_OUT and seat.stack for seat in view.seats), Awaited.RETURN),
        (any(is_out_of_chips(view, seat) and seat.rebuy not in NO_REBUY for seat in view.seats), Awaited.CHIPS),
        (awaited is Awaited.BREAK, Awaited.BREAK),
        (awaited is Awaited.DEAL, Awaited.DEAL),
        (awaited is Awaited.PLAYERS and bool(view.free_seats), Awaited.PLAYERS),
    )
    offered = sorted([kind for shown, kind in wanted if shown], key=lambda kind: kind is not awaited)
    buttons = [_button(table, view, kind, GREEN if kind is awaited else GREY) for kind in offered]
    if view.free_seats and awaited is not Awaited.PLAYERS:
        buttons.append(Button(t(words.JOIN_TABLE), button_id(table, view.hand_number, 0, Verb.SIT), GREY))
    elif not view.free_seats:
        buttons.append(Button(t(OPEN_MENU), button_id(table, view.hand_number, 0, Verb.MENU), GREY))
    if view.settings.has_table_chips:
        buttons.append(book_button(table, view))
    return tuple(buttons)


def book_button(table: int, view: TableView) -> Button:
    """Return the button that shows the book of a game to whoever presses it."""
    return Button(t(table_chips.THE_BOOK), button_id(table, view.hand_number, 0, Verb.BOOK), GREY)


NO_REBUY = frozenset({RebuyOffer.ASKED, RebuyOffer.SPENT})
"""Whoever is out of table chips can do nothing more: they have asked, or had their rebuys."""


def is_out_of_chips(view: TableView, seat: SeatedPlayerView) -> bool:
    """Whether a player has too few chips to be dealt a hand. During a hand a stack is what it was before it."""
    return seat.stack < max(1, view.settings.forced_chips)


def _button(table: int, view: TableView, kind: Awaited, colour: int) -> Button:
    hand = view.hand_number
    match kind:
        case Awaited.RETURN:
            return Button(t(labels.BACK), button_id(table, hand, 0, Verb.BACK), colour)
        case Awaited.CHIPS:
            chips = view.settings.usual_buyin
            if view.settings.has_table_chips:
                asks = view.settings.rebuy is RebuyRule.HOST
                label = t(table_chips.ASK_HOST) if asks else t(table_chips.REBUY, chips=chips)
                return Button(label, button_id(table, hand, 0, Verb.REBUY, chips), colour)
            if not view.settings.practice:  # everybody reads it, and it must work for somebody whose wallet has less
                return Button(t(words.BUY_IN_AGAIN), button_id(table, hand, 0, Verb.REBUY), colour)
            return Button(t(words.BUY_IN, chips=chips), button_id(table, hand, 0, Verb.REBUY, chips), colour)
        case Awaited.BREAK:
            return Button(t(words.END_BREAK), button_id(table, hand, 0, Verb.END_BREAK), colour)
        case Awaited.DEAL:
            return Button(t(lobby_words.DEAL), button_id(table, hand, 0, Verb.DEAL), colour)
        case _:
            return Button(t(labels.TAKE_A_SEAT), button_id(table, hand, 0, Verb.SIT), colour)


def break_wanted_blocks(table: int, view: TableView) -> list[Block]:
    """Who asks for a break, with the button for the others; empty where nobody does."""
    text = words.break_wanted_line(view)
    if not text:
        return []
    button = Button(t(words.BREAK), button_id(table, view.hand_number, 0, Verb.ASK_FOR_BREAK), GREY)
    return [Text(text), Buttons((button,))]
