"""Draw a table between hands: the open table, sitting down, coming back, the list of tables, its closing."""

from collections.abc import Iterable

from bot.engine.options.values import StraddleRule
from bot.render.message import custom_ids
from bot.render.message.custom_ids import button_id
from bot.render.message.limits import OPTIONS_MAX, ROW_BUTTONS_MAX, TEXT_MAX
from bot.render.message.notice import practise_meanwhile_button
from bot.render.message.panel import (
    BLURPLE,
    GREEN,
    GREY,
    LOBBY,
    WAITING,
    Block,
    Button,
    Buttons,
    Form,
    FormField,
    Option,
    Panel,
    RadioGroup,
    Select,
    Separator,
    Text,
    TextField,
)
from bot.render.table.way_on import way_on_buttons
from bot.table.state import EntryMethod, SeatStatus
from bot.table.view import SeatedPlayerView, TableView
from bot.text import buttons as labels
from bot.text import lobby as words
from bot.text import lobby_board as board_words
from bot.text import rooms as room_words
from bot.text.buttons import Verb
from bot.text.introductions import table_introduction
from bot.text.language import t
from bot.text.laws import house_notes

CHIPS_FIELD = "chips"
SIZE_FIELD = "size"
TABLES_LISTED = 20
ROOM_FOR_NOTES = 1000
"""The characters of an open table that are left for notes and ceremonies; an introduction that needs them is left out."""


def lobby_panel(table: int, view: TableView) -> Panel:
    """Draw a table while no hand is played. `table` is the number that button ids carry."""
    taught = table_introduction(view.settings) if not view.hand_number else ""  # later it stands under *Rules*
    heading, seats = words.heading(view), words.seat_list(view)
    proposal = proposal_blocks(table, view)
    blocks: list[Block] = [Text(heading)]
    length = sum([len(block.content) for block in proposal if isinstance(block, Text)])
    if taught and len(heading) + len(taught) + len(seats) + length <= TEXT_MAX - ROOM_FOR_NOTES:
        blocks.append(Text(taught))
    blocks.append(Separator())
    if seats:
        blocks.append(Text(seats))
    blocks += proposal
    blocks += _lobby_buttons(table, view)
    return Panel(LOBBY, tuple(blocks))


def proposal_blocks(table: int, view: TableView) -> list[Block]:
    """Return a proposal that awaits consent, with the buttons to agree and to object; empty without a proposal (H-1, H-3)."""
    if view.proposal is None:
        return []
    agree = Button(t(words.AGREE), button_id(table, view.hand_number, 0, Verb.AGREE), GREEN)
    object_to = Button(t(labels.OBJECT), button_id(table, view.hand_number, 0, Verb.OBJECT), GREY)
    return [Text(words.proposal_text(view)), Buttons((agree, object_to))]


def info_panel(view: TableView, note: str = "") -> Panel:
    """Describe a table in words, without buttons. `note` is a last line from the caller: ``Hand #12 is being played``."""
    lines = [words.heading(view), words.seat_list(view), words.clocks_line(view.settings)]
    if view.settings.notes:
        lines.append(house_notes(view.settings.notes))
    if view.proposal is not None:
        lines.append(words.proposal_text(view))
    if note:
        lines.append(f"-# {note}")
    return Panel(LOBBY, (Text("\n".join(line for line in lines if line)),))


def tables_panel(tables: Iterable[tuple[TableView, int]]) -> Panel:
    """List the open tables of a server, each with its channel."""
    found = list(tables)
    lines = [t(words.TABLES)]
    lines += [words.listed_table(view, channel) for view, channel in found[:TABLES_LISTED]]
    if not found:
        lines.append(t(words.NO_TABLES))
    if len(found) > TABLES_LISTED:
        lines.append(t(words.MORE_TABLES, count=len(found) - TABLES_LISTED))
    return Panel(LOBBY, (Text("\n".join(lines)),))


def buy_in_form(
    table: int,
    view: TableView,
    user: int,
    *,
    wallet: int,
    minimum: int,
    maximum: int,
    seat: int = 0,
    is_top_up: bool = False,
) -> Form:
    """Ask how many chips to sit down with, or to add.

    Args:
        wallet: chips the player has off the table.
        minimum, maximum: chips the player can bring (`bot.table.queries.buy_in_limits`, `top_up_maximum`).
        seat: the number of the chosen seat; 0 for any.
        is_top_up: the player is seated and adds chips.
    """
    affordable = min(maximum, wallet)
    unit = view.settings.buy_in_unit
    amounts = {minimum: t(words.MINIMUM, chips=minimum)}
    for count in (40, 100):
        amounts.setdefault(count * unit, t(words.BIG_BLINDS, count=count, chips=count * unit))
    amounts.setdefault(affordable, t(words.MAXIMUM, chips=affordable))
    options = tuple(Option(label, str(chips)) for chips, label in amounts.items() if minimum <= chips <= affordable)
    fields: list[FormField] = [
        TextField(
            CHIPS_FIELD,
            t(words.CHIPS_TO_ADD if is_top_up else words.CHIPS_TO_BRING),
            description=words.buy_in_range(minimum, maximum, wallet),
            required=len(options) < 2,
            max_length=24,
        )
    ]
    if len(options) >= 2:
        fields.append(RadioGroup(SIZE_FIELD, t(words.PICK_A_NUMBER), options))
    verb = Verb.TOP_UP if is_top_up else Verb.BUY_IN
    form_id = custom_ids.form_id(table, view.hand_number, 0, verb, user, seat)
    return Form(words.buy_in_title(seat, is_top_up=is_top_up), form_id, tuple(fields))


def seated_panel(
    table: int,
    view: TableView,
    seat: SeatedPlayerView,
    *,
    by_dm: bool,
    dms_wait: bool = False,
    lesson: str = "",
) -> Panel:
    """Return the answer to sitting down, with the button that turns direct messages on or off.

    Whoever is alone at a table for people's chips can practise until somebody comes.

    Args:
        by_dm: their cards come by direct message.
        dms_wait: Discord does not let the dealer open a channel of direct messages at once.
        lesson: teaches the game to somebody who sits down at it for the first time.
    """
    if by_dm:
        button = Button(t(labels.STOP_DMS), button_id(table, view.hand_number, 0, Verb.DM_OFF), GREY)
    else:
        button = Button(t(words.SEND_DMS), button_id(table, view.hand_number, 0, Verb.DM_ON), GREY)
    is_alone = not view.settings.practice and len(view.seats) == 1
    buttons = (practise_meanwhile_button(table), button) if is_alone else (button,)
    text = words.seated_text(view, seat, by_dm=by_dm, dms_wait=dms_wait)
    shown = Text(f"{text}\n\n{lesson}" if lesson else text), Buttons(buttons)
    return Panel(LOBBY, shown, until_my_hand=table if not lesson else 0)  # a lesson is for the hands to come


def entry_question_panel(table: int, view: TableView, live: int, dead: int, entries: tuple[EntryMethod, ...]) -> Panel:
    """Ask a player who owes blinds, in chips, how they join (TL-10, TL-11)."""
    hand = view.hand_number
    buttons: list[Button] = []
    if EntryMethod.POST in entries:
        buttons.append(Button(t(words.POST, chips=live + dead), button_id(table, hand, 0, Verb.POST), BLURPLE))
    if EntryMethod.WAIT in entries:
        buttons.append(Button(t(words.WAIT_FOR_BIG_BLIND), button_id(table, hand, 0, Verb.WAIT), GREEN))
    if EntryMethod.BUY_BUTTON in entries:
        buttons.append(Button(t(words.BUY_BUTTON), button_id(table, hand, 0, Verb.BUY_BUTTON), GREY))
    return Panel(WAITING, (Text(words.entry_question(live, dead)), Buttons(tuple(buttons))))


def _lobby_buttons(table: int, view: TableView) -> list[Block]:
    """The way on first, and *Join table* last where it is not the way on; where seats are free, a choice of seats.

    Where the next hand comes by itself, nothing is green.
    """
    ways = way_on_buttons(table, view)
    green = [button for button in ways if button.style == GREEN]
    others = [button for button in ways if button.style != GREEN]
    blocks: list[Block] = [Buttons((*green, *_buttons_for_everybody(table, view)))]
    people = any(not seat.practice for seat in view.seats)
    row = (*_buttons_for_seated_players(table, view), *others) if people else tuple(others)
    blocks += [Buttons(row[start : start + ROW_BUTTONS_MAX]) for start in range(0, len(row), ROW_BUTTONS_MAX)]
    held = {one.offered_seat for one in view.waiting if one.offered_until}
    if seats := [number for number in view.free_seats if number not in held]:
        options = tuple(Option(t(words.SEAT_NUMBER, number=number), str(number)) for number in seats[:OPTIONS_MAX])
        blocks.append(Select(button_id(table, view.hand_number, 0, Verb.SEAT), t(words.CHOOSE_SEAT), options))
    return blocks


def _buttons_for_everybody(table: int, view: TableView) -> tuple[Button, ...]:
    hand = view.hand_number
    buttons: list[Button] = []
    if not view.settings.has_table_chips:  # everybody buys in for the same, by *Take a seat* (TC-2)
        buttons.append(Button(t(labels.BUY_IN), button_id(table, hand, 0, Verb.BUY_IN), GREY))
    if not view.free_seats:
        buttons.append(Button(t(words.JOIN_WAITING_LIST), button_id(table, hand, 0, Verb.WAITING_LIST), GREY))
        buttons.append(Button(t(board_words.TELL_ME), custom_ids.page_id("lobby", "tell", table), GREY))
    if view.private:
        buttons.append(Button(t(room_words.INVITE), button_id(table, hand, 0, Verb.INVITE), BLURPLE))
    buttons.append(Button(t(words.RULES), button_id(table, hand, 0, Verb.RULES), GREY))
    return tuple(buttons)


def _buttons_for_seated_players(table: int, view: TableView) -> tuple[Button, ...]:
    hand = view.hand_number
    buttons: list[Button] = []
    if not all(seat.status is SeatStatus.SITTING_OUT for seat in view.seats):
        buttons.append(Button(t(labels.SIT_OUT), button_id(table, hand, 0, Verb.SIT_OUT), GREY))
    buttons.append(Button(t(labels.LEAVE), button_id(table, hand, 0, Verb.LEAVE), GREY))
    if view.settings.options.straddle is StraddleRule.LIVE:
        straddle = 2 * view.big_blind  # TL-13
        label = t(labels.STRADDLE, chips=straddle)
        buttons.append(Button(label, button_id(table, hand, 0, Verb.STRADDLE, straddle), GREY))
    return tuple(buttons)
