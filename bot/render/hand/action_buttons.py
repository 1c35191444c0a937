"""The buttons of a hand, in an order that never changes.

Under the table: My hand · Fold · Check/Call · Raise… · Join table or Menu… · The book. In a player's own panel: Fold · Check/Call ·
Raise… / ⅓ pot · ½ pot · ⅔ pot · ¾ pot · Pot · All-in. The table's settings say which parts of the pot have a button.

A button that does not apply is left out, not disabled. Labels carry the amount that will happen. Every id carries table, hand and
action number.
"""

from bot.engine.legal import Decision, LegalActions
from bot.render.hand.scene import Scene
from bot.render.message.custom_ids import button_id
from bot.render.message.limits import ROW_BUTTONS_MAX
from bot.render.message.panel import BLURPLE, GREEN, GREY, RED, Button, Buttons
from bot.table.settings import RaiseSize
from bot.text import buttons as words
from bot.text.buttons import Verb, bet_sizes
from bot.text.game_words import declaration_label
from bot.text.language import t
from bot.text.own_menu import OPEN_MENU
from bot.text.table_chips import THE_BOOK
from bot.text.way_on import JOIN_TABLE

EYE = "👁️"


def table_rows(scene: Scene) -> tuple[Buttons, ...]:
    """The buttons under a running hand: *My hand*, then what the seat to act can do, as far as everybody knows it, then a free seat,
    which leads whoever sits to their own menu; that menu where no seat is free; and the book of a game of table chips.

    Whoever is to act finds the sizes of a bet in their panel alone. While they have one, everything they can do stands there.
    """
    view = scene.view
    id_start = f"t:{scene.table_id}:{scene.hand_number}:{view.decision_number}:"
    row = [my_hand_button(scene)] if not view.over else []
    if not scene.acts_in_panel:
        usual, sizes = _decision_buttons(scene, view.legal_to_act, offered=())
        row += usual or sizes
    beside: list[Button] = []
    if scene.open_seats:
        beside.append(Button(t(JOIN_TABLE), id_start + "sit", GREY))
    elif scene.offers_return:
        beside.append(Button(t(words.BACK), id_start + "back", GREY))
    if scene.is_full:
        beside.append(Button(t(OPEN_MENU), button_id(scene.table_id, scene.hand_number, 0, Verb.MENU), GREY))
    if scene.has_book:
        beside.append(Button(t(THE_BOOK), button_id(scene.table_id, scene.hand_number, 0, Verb.BOOK), GREY))
    if len(row) + len(beside) <= ROW_BUTTONS_MAX:
        return (Buttons((*row, *beside)),) if row or beside else ()
    rows = [row[at : at + ROW_BUTTONS_MAX] for at in range(0, len(row), ROW_BUTTONS_MAX)]
    return tuple([Buttons(tuple(buttons)) for buttons in (*rows, beside) if buttons])


def own_rows(scene: Scene, legal: LegalActions) -> tuple[Buttons, ...]:
    """All buttons of the player to act, for them alone, from what only they know of their options."""
    return _rows(*_decision_buttons(scene, legal, offered=scene.raise_sizes))


def my_hand_button(scene: Scene) -> Button:
    """The button that opens a player's own panel."""
    where = button_id(scene.table_id, scene.hand_number, scene.view.decision_number, Verb.MY_HAND)
    return Button(t(words.MY_HAND), where, GREY, emoji=EYE)


def _rows(first: list[Button], second: list[Button]) -> tuple[Buttons, ...]:
    if not first or not second:
        return (Buttons((*first, *second)),) if first or second else ()
    if len(first) + len(second) <= 3:
        return (Buttons((*first, *second)),)
    rows = [second[start : start + ROW_BUTTONS_MAX] for start in range(0, len(second), ROW_BUTTONS_MAX)]
    return (Buttons(tuple(first)), *[Buttons(tuple(row)) for row in rows])


def _decision_buttons(
    scene: Scene, legal: LegalActions | None, *, offered: tuple[RaiseSize, ...]
) -> tuple[list[Button], list[Button]]:
    """The buttons of a decision: what is chosen most, and the sizes of a bet.

    Args:
        offered: the parts of the pot that have a button; none under the table, where a range of sizes has its one button among the first.
    """
    id_start = f"t:{scene.table_id}:{scene.hand_number}:{scene.view.decision_number}:"
    first: list[Button] = []
    second: list[Button] = []
    if legal is not None:
        if legal.decision is Decision.BET:
            _add_betting_buttons(scene, id_start, legal, offered, first, second)
        else:
            _add_choice_buttons(id_start, legal, first)
    return first, second


def _add_betting_buttons(
    scene: Scene,
    id_start: str,
    legal: LegalActions,
    offered: tuple[RaiseSize, ...],
    first: list[Button],
    second: list[Button],
) -> None:
    view = scene.view
    if legal.fold:
        first.append(Button(t(words.FOLD), id_start + "fold", GREY))
    if legal.check:
        label = t(words.STAND if view.check_called_stand else words.CHECK)
        first.append(Button(label, id_start + "check", GREEN))
    elif legal.call_chips:
        first.append(Button(words.call_label(legal), f"{id_start}call:{legal.call_chips}", GREEN))
    if legal.bring_in:
        first.append(Button(t(words.BRING_IN, to=legal.bring_in), f"{id_start}bet:{legal.bring_in}", GREEN))
    sizes = bet_sizes(legal, view.limit, offered)
    verb = "bet" if legal.opening else "raise"
    for to in (sizes.fixed, sizes.fixed_larger):
        if to:
            label = t(words.bet_wording(legal), to=to)
            first.append(Button(label, f"{id_start}{verb}:{to}", GREY))
    if sizes.has_range:
        first.append(Button(t(words.bet_form_wording(legal)), id_start + "size", BLURPLE))
    for size, to in sizes.of_pot:
        second.append(Button(t(words.OF_POT[size], to=to), f"{id_start}{verb}:{to}", GREY))
    if sizes.maximum:
        second.append(Button(t(words.MAXIMUM, to=sizes.maximum), f"{id_start}{verb}:{sizes.maximum}", GREY))
    if sizes.all_in:
        second.append(Button(t(words.ALL_IN, to=sizes.all_in), f"{id_start}allin:{sizes.all_in}", RED))


def _add_choice_buttons(id_start: str, legal: LegalActions, row: list[Button]) -> None:
    """Add the buttons of the decisions that are not betting."""
    match legal.decision:
        case Decision.DRAW:
            row.append(Button(t(words.CHOOSE_DISCARDS), id_start + "discards", BLURPLE))
            row.append(Button(t(words.STAND_PAT), id_start + "pat", GREEN))
        case Decision.GIVE_UP | Decision.PASS_CARDS as decision:
            row.append(Button(words.open_choice_label(decision, legal.max_cards), id_start + "discards", BLURPLE))
        case Decision.ARRANGE:
            row.append(Button(t(words.ARRANGE), id_start + "discards", BLURPLE))
        case Decision.DECLARE:
            row.append(Button(t(words.DECLARE), id_start + "discards", BLURPLE))
        case Decision.STRADDLE:
            label = t(words.STRADDLE, chips=legal.offer_amount)
            row.append(Button(label, f"{id_start}straddle:{legal.offer_amount}", BLURPLE))
            row.append(Button(t(words.NO_STRADDLE), id_start + "decline", GREY))
        case Decision.RUN_TWICE:
            row.append(Button(declaration_label("no"), id_start + "decline", GREY))
            row.append(Button(declaration_label("yes"), id_start + "accept", BLURPLE))
        case Decision.OFFER if legal.offer_amount:
            row.append(Button(t(words.FOLD), id_start + "decline", GREY))
            row.append(Button(t(words.PAY, chips=legal.offer_amount), id_start + "accept", GREEN))
        case Decision.OFFER:
            row.append(Button(t(words.TURN_UP), id_start + "accept", BLURPLE))
            row.append(Button(t(words.KEEP_DOWN), id_start + "decline", GREEN))
        case Decision.SHOW if legal.offer_kind:
            row.append(Button(t(words.OPEN_SHOW), id_start + "discards", GREEN))
        case Decision.SHOW:
            if legal.show:
                row.append(Button(t(words.SHOW), id_start + "show", GREEN))
            if legal.muck:
                row.append(Button(t(words.MUCK), id_start + "muck", GREY))
        case _:
            pass


def fold_question_buttons(scene: Scene) -> Buttons:
    """Return the buttons to check, or to fold all the same. They ask once, privately, when a fold gives up a free check (TL-36)."""
    turn = scene.view.decision_number
    return Buttons(
        (
            Button(t(words.CHECK), button_id(scene.table_id, scene.hand_number, turn, Verb.CHECK), GREEN),
            Button(t(words.FOLD_ANYWAY), button_id(scene.table_id, scene.hand_number, turn, Verb.FOLD_ANYWAY), RED),
        )
    )
