"""What one person can do at a table, for them alone: the answer to a press that was meant for somebody else, and to *Join table*."""

from bot.ledger.gifts import WaysToPlay
from bot.render.menus import open_button
from bot.render.message.custom_ids import button_id
from bot.render.message.panel import BLURPLE, GREEN, GREY, LOBBY, WAITING, Button, Buttons, Panel, Text
from bot.render.table.lobby_board import tell_button
from bot.render.table.rooms import host_buttons
from bot.render.table.way_on import book_button, is_out_of_chips
from bot.table.state import AfterHand, RebuyOffer, SeatStatus
from bot.table.view import SeatedPlayerView, TableView
from bot.text import buttons as labels
from bot.text import lobby as lobby_words
from bot.text import lobby_board, table_chips, way_on
from bot.text import own_menu as words
from bot.text.buttons import Verb
from bot.text.language import t


def own_menu_panel(table: int, view: TableView, user: int, *, room: int, ways: WaysToPlay) -> Panel:
    """Draw what a person can do at the table now.

    Args:
        room: the chips that they can still add to their stack.
        ways: how they can get chips onto the table.
    """
    seat = next((seat for seat in view.seats if seat.player == user), None)
    if seat is None:
        can_pay = view.settings.has_table_chips or (ways.buy_in and not ways.gift)
        panel = (
            _visitor_panel(table, view) if can_pay or not view.free_seats else too_few_chips_panel(table, view, ways)
        )
        return _with_host_buttons(table, view, user, panel)
    if seat.rebuy is not RebuyOffer.NONE:
        return _with_host_buttons(table, view, user, rebuy_panel(table, view, seat))
    if is_out_of_chips(view, seat):
        return _with_host_buttons(table, view, user, out_of_chips_panel(table, view, ways))
    hand = view.hand_number
    buttons: list[Button] = []
    if seat.status is SeatStatus.SITTING_OUT or seat.after_hand is not AfterHand.STAY or seat.missed_turns:
        buttons.append(Button(t(labels.BACK), button_id(table, hand, 0, Verb.BACK), GREEN))
    if room and seat.after_hand is not AfterHand.LEAVE and not view.settings.has_table_chips:
        buttons.append(Button(t(words.ADD_CHIPS), button_id(table, hand, 0, Verb.TOP_UP), BLURPLE))
    if seat.status is not SeatStatus.SITTING_OUT and seat.after_hand is AfterHand.STAY:
        buttons.append(Button(t(labels.SIT_OUT), button_id(table, hand, 0, Verb.SIT_OUT), GREY))
    if seat.after_hand is not AfterHand.LEAVE:
        buttons.append(Button(t(labels.LEAVE), button_id(table, hand, 0, Verb.LEAVE), GREY))
    if view.settings.has_table_chips:
        buttons.append(book_button(table, view))
    buttons.append(open_button("table", words.TABLE_MENU))
    panel = Panel(LOBBY, (Text(words.seated_text(view, seat)), Buttons(tuple(buttons))))
    return _with_host_buttons(table, view, user, panel)


def _with_host_buttons(table: int, view: TableView, user: int, panel: Panel) -> Panel:
    """Add what the host of a table can do with it."""
    return Panel(panel.accent, (*panel.blocks, *host_buttons(table, view, user))) if user == view.host else panel


def _visitor_panel(table: int, view: TableView) -> Panel:
    """What somebody without a seat can do: take one, or wait for one."""
    hand = view.hand_number
    if not view.free_seats:
        wait = Button(t(lobby_words.JOIN_WAITING_LIST), button_id(table, hand, 0, Verb.WAITING_LIST), GREEN)
        return Panel(LOBBY, (Text(words.visitor_text(view)), Buttons((wait, tell_button(table)))))
    sit = Button(t(labels.TAKE_A_SEAT), button_id(table, hand, 0, Verb.SIT), GREEN)
    other = Button(t(labels.BUY_IN), button_id(table, hand, 0, Verb.BUY_IN), GREY)
    if view.settings.has_table_chips:
        other = book_button(table, view)
    return Panel(LOBBY, (Text(words.visitor_text(view)), Buttons((sit, other))))


def rebuy_panel(table: int, view: TableView, seat: SeatedPlayerView) -> Panel:
    """Say that a player has few table chips or none, and offer what they can do about it (TC-3, TC-4)."""
    hand, chips = view.hand_number, seat.rebuy_chips
    buttons: list[Button] = []
    if seat.stack and seat.status is SeatStatus.SITTING_OUT:
        buttons.append(Button(t(labels.BACK), button_id(table, hand, 0, Verb.BACK), GREEN))
    if seat.rebuy in (RebuyOffer.NOW, RebuyOffer.ASK):
        label = t(table_chips.REBUY, chips=chips) if seat.rebuy is RebuyOffer.NOW else t(table_chips.ASK_HOST)
        colour = GREY if seat.stack else GREEN
        buttons.append(Button(label, button_id(table, hand, 0, Verb.REBUY, chips), colour))
    if seat.stack and seat.status is not SeatStatus.SITTING_OUT and seat.after_hand is AfterHand.STAY:
        buttons.append(Button(t(labels.SIT_OUT), button_id(table, hand, 0, Verb.SIT_OUT), GREY))
    buttons.append(Button(t(labels.LEAVE), button_id(table, hand, 0, Verb.LEAVE), GREY))
    buttons.append(book_button(table, view))
    return Panel(LOBBY if seat.stack else WAITING, (Text(table_chips.out_of_chips_text(seat)), Buttons(tuple(buttons))))


def out_of_chips_panel(table: int, view: TableView, ways: WaysToPlay) -> Panel:
    """Say that a player has no chips left, and offer what is granted: a buy-in, what the house gives, lower stakes, or to look on."""
    hand = view.hand_number
    buttons = _buttons_for_chips(table, view, ways)
    if ways.buy_in and not ways.gift:
        buttons.append(Button(t(words.OTHER_AMOUNT), button_id(table, hand, 0, Verb.TOP_UP), BLURPLE))
    else:
        buttons.append(Button(t(lobby_board.WATCH), button_id(table, hand, 0, Verb.WATCH), GREY))
    buttons.append(Button(t(labels.LEAVE), button_id(table, hand, 0, Verb.LEAVE), GREY))
    return Panel(WAITING, (Text(words.out_of_chips_text(ways, seated=True)), Buttons(tuple(buttons))))


def too_few_chips_panel(table: int, view: TableView, ways: WaysToPlay) -> Panel:
    """Say to somebody without a seat that they have too few chips for one, and offer what is granted."""
    watch = Button(t(lobby_board.WATCH), button_id(table, view.hand_number, 0, Verb.WATCH), GREY)
    buttons = (*_buttons_for_chips(table, view, ways), watch)
    return Panel(WAITING, (Text(words.out_of_chips_text(ways, seated=False)), Buttons(buttons)))


def _buttons_for_chips(table: int, view: TableView, ways: WaysToPlay) -> list[Button]:
    hand, buttons = view.hand_number, list[Button]()
    if ways.gift:
        label = words.take_gifts_label(ways)
        buttons.append(Button(label, button_id(table, hand, 0, Verb.PLAY_ON, ways.buy_in), GREEN))
    elif ways.buy_in:
        label = t(way_on.BUY_IN, chips=ways.buy_in)
        buttons.append(Button(label, button_id(table, hand, 0, Verb.REBUY, ways.buy_in), GREEN))
    if ways.lower:
        colour = GREY if ways.buy_in else GREEN
        buttons.append(Button(t(words.LOWER_TABLE), button_id(table, hand, 0, Verb.LOWER_TABLE), colour))
    return buttons


def timed_out_panel(table: int, view: TableView, seat: SeatedPlayerView) -> Panel:
    """Tell a player that they ran out of time, with the way back."""
    back = Button(t(labels.BACK), button_id(table, view.hand_number, 0, Verb.BACK), GREEN)
    return Panel(WAITING, (Text(words.timed_out_text(view, seat)), Buttons((back,))))


def seat_offered_panel(table: int, view: TableView, until: int, seat_number: int = 0, by: int = 0) -> Panel:
    """Tell a player on the waiting list that a seat is kept for them until then, in ms since the epoch.

    Args:
        seat_number: which one; 0 for any.
        by: who holds it for them; 0 where it was their turn on the list.
    """
    hand = view.hand_number
    sit = Button(t(labels.TAKE_A_SEAT), button_id(table, hand, 0, Verb.SIT), GREEN)
    decline = Button(t(words.NO_THANKS), button_id(table, hand, 0, Verb.LEAVE_WAITING_LIST), GREY)
    return Panel(WAITING, (Text(words.seat_offered_text(view, until, seat_number, by)), Buttons((sit, decline))))


def kept_out_panel(view: TableView, chips: int) -> Panel:
    """Tell a player that the host has removed them, with the chips that went to their wallet."""
    return Panel(LOBBY, (Text(words.kept_out_text(view, chips)),))


def leaves_for_host_panel(view: TableView) -> Panel:
    """Tell a player that they leave after this hand, because the host has removed them."""
    return Panel(WAITING, (Text(words.leaves_for_host_text(view)),))


def seat_lost_panel(table: int, view: TableView, chips: int) -> Panel:
    """Tell a player that their seat was given up, with the chips that went to their wallet, and offer a seat again."""
    sit = Button(t(labels.TAKE_A_SEAT), button_id(table, view.hand_number, 0, Verb.SIT), GREEN)
    return Panel(LOBBY, (Text(words.seat_lost_text(view, chips)), Buttons((sit,))))
