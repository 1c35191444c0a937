"""Draw the ceremonies of a table between two hands: cut, first deal, next game, bomb pot, an exchange of seats; and a claimed misdeal.

Only what the table's own options ask for is drawn, and only what can be done now: a plain hold'em table shows none of it.

Laws: D-1 to D-7, D-13, I-2, TL-29, P-12, VC-20, VC-28, VC-29.
"""

from bot.engine.customs import Openers
from bot.engine.options.values import Cut, FirstDealer
from bot.render.message import custom_ids
from bot.render.message.custom_ids import button_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import (
    BLURPLE,
    GREEN,
    GREY,
    OPTION_TEXT_MAX,
    Block,
    Button,
    Buttons,
    Form,
    Option,
    Select,
    Text,
    TextField,
)
from bot.table.state import SeatExchange
from bot.table.view import TableView
from bot.text import buttons as labels
from bot.text import ceremonies as words
from bot.text.buttons import Verb
from bot.text.cards import Emojis
from bot.text.formatting import shorten
from bot.text.game_names import game_name
from bot.text.language import t

CUT_POINTS_FIELD, CARD_NUMBER_FIELD = "points", "place"


def between_hands_blocks(table: int, view: TableView, exchange: SeatExchange | None, emojis: Emojis) -> list[Block]:
    """Return what can be done before the next hand; empty where nothing is asked."""
    lines: list[str] = []
    buttons: list[Button] = []
    selects: list[Block] = []
    if view.replay:
        lines.append(words.replay(view))
    _add_next_game(table, view, lines, selects)
    _add_first_deal(table, view, emojis, lines, buttons)
    _add_cut(table, view, lines, buttons)
    _add_bomb_pot(table, view, lines, buttons)
    if exchange is not None:
        _add_exchange(table, view, exchange, lines, buttons)
    blocks: list[Block] = [Text("\n".join(lines))] if lines else []
    blocks += selects
    if buttons:
        blocks.append(Buttons(tuple(buttons)))
    return blocks


def misdeal_claim_blocks(table: int, view: TableView, claims: tuple[int, ...], players: tuple[int, ...]) -> list[Block]:
    """Return who claims that the running hand was dealt wrong, with the button for the others. Both lists are user ids."""
    if not claims:
        return []
    button = Button(t(words.MISDEAL), button_id(table, view.hand_number, 0, Verb.MISDEAL), GREY)
    return [Text(words.misdeal_claimed(view, claims, players)), Buttons((button,))]


def cut_form(table: int, hand: int, user: int, deck_size: int) -> Form:
    """Ask where the deck is cut (D-7)."""
    field = TextField(
        CUT_POINTS_FIELD,
        t(words.CARDS_FROM_TOP),
        description=t(words.CUT_RANGE, minimum=5, maximum=deck_size - 5),
        placeholder=str(deck_size // 2),
        max_length=12,
    )
    return Form(t(words.CUT_THE_DECK), custom_ids.form_id(table, hand, 0, Verb.CUT, user), (field,))


def cut_for_deal_form(table: int, hand: int, user: int, deck_size: int) -> Form:
    """Ask where a player cuts for the first deal (D-2)."""
    hint = t(words.CARD_RANGE, maximum=deck_size)
    field = TextField(CARD_NUMBER_FIELD, t(words.CARD_FROM_TOP), description=hint, max_length=6)
    form_id = custom_ids.form_id(table, hand, 0, Verb.CUT_FOR_DEAL, user)
    return Form(t(words.CUT_FOR_FIRST_DEAL), form_id, (field,))


def _add_next_game(table: int, view: TableView, lines: list[str], selects: list[Block]) -> None:
    """At a mixed table: who chooses the next game, or where the table is in its games. And the openers of a hand after a pass-out."""
    mixture, rotation = view.rotation, view.settings.rotation
    if mixture is not None and rotation is not None:
        if mixture.choice_due_at:
            lines.append(words.choosing_game(view, mixture, rotation))
            options = tuple(
                Option(shorten(game_name(game), OPTION_TEXT_MAX), str(index))
                for index, game in enumerate(mixture.games[:OPTIONS_MAX])
            )
            select_id = button_id(table, view.hand_number, 0, Verb.CHOOSE_GAME)
            selects.append(Select(select_id, t(words.CHOOSE_NEXT_GAME), options))
        else:
            lines.append(words.rotation_line(mixture, rotation))
    openers = view.settings.rule_card.custom(Openers)
    if openers is not None and view.required_openers > openers.rank:
        lines.append(words.openers(view.required_openers))


def _add_first_deal(table: int, view: TableView, emojis: Emojis, lines: list[str], buttons: list[Button]) -> None:
    """Drawing or cutting for the first deal, where the table does it in an old way (D-1, D-2)."""
    method = view.settings.options.first_dealer
    if view.button_seat or view.deck.cutter_seat or view.players_needed or method is FirstDealer.HIGH_CARD:
        return
    hand = view.hand_number
    if method is FirstDealer.LOW_CUT:
        lines.append(words.low_cut(view, emojis))
        buttons.append(Button(t(words.CUT_FOR_DEAL), button_id(table, hand, 0, Verb.CUT_FOR_DEAL), BLURPLE))
    else:
        lines.append(words.first_jack())
    buttons.append(Button(t(words.DRAW_FOR_DEAL), button_id(table, hand, 0, Verb.DRAW_FOR_DEAL), GREY))


def _add_cut(table: int, view: TableView, lines: list[str], buttons: list[Button]) -> None:
    """The cut, where it must be made (D-5)."""
    deck = view.deck
    if deck.cut_points:
        lines.append(words.has_cut(view))
        return
    if view.settings.options.cut is not Cut.MUST or not deck.cutter_seat or not view.next_hand_at:
        return
    if any(seat.practice and seat.number == deck.cutter_seat for seat in view.seats):  # they cut by themselves
        return
    lines.append(words.cuts(view))
    buttons.append(Button(t(words.CUT), button_id(table, view.hand_number, 0, Verb.CUT), BLURPLE))
    shuffle_id = button_id(table, view.hand_number, 0, Verb.SHUFFLE)
    buttons.append(Button(words.shuffle_label(deck.shuffles), shuffle_id, GREY))


def _add_bomb_pot(table: int, view: TableView, lines: list[str], buttons: list[Button]) -> None:
    """The bomb pot that comes next, or the button to ask for one."""
    if view.settings.bomb_pot is None or view.players_needed:
        return
    if view.bomb_pot:
        lines.append(words.bomb_pot_next())
        return
    people = sum(not seat.practice for seat in view.seats)
    if people:
        label = words.bomb_pot_label(len(view.bomb_pot_votes), people)
        buttons.append(Button(label, button_id(table, view.hand_number, 0, Verb.BOMB_POT), GREY))


def _add_exchange(table: int, view: TableView, exchange: SeatExchange, lines: list[str], buttons: list[Button]) -> None:
    """Two players who want to exchange seats: the other has to ask the same, and then nobody must object (P-12)."""
    lines.append(words.exchange(view, exchange))
    hand = view.hand_number
    if not exchange.due_at:
        seat = next((seat.number for seat in view.seats if seat.player == exchange.player), 0)
        buttons.append(Button(t(words.EXCHANGE_SEATS), button_id(table, hand, 0, Verb.EXCHANGE, seat), GREEN))
    elif view.proposal is None:
        buttons.append(Button(t(labels.OBJECT), button_id(table, hand, 0, Verb.OBJECT), GREY))
