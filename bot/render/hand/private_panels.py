"""What one player alone gets beside their panel: hole cards by DM, the form for an amount, how their cards come."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.engine.choices.designations import best_meanings
from bot.engine.legal import LegalActions
from bot.engine.ranking import HandName
from bot.engine.view.types import SeatView
from bot.render.hand.scene import Scene, hands_compared, sorted_cards
from bot.render.message import custom_ids
from bot.render.message.custom_ids import button_id
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    LOBBY,
    Button,
    Buttons,
    Form,
    FormField,
    Option,
    Panel,
    RadioGroup,
    Text,
    TextField,
)
from bot.text import buttons
from bot.text import hand as hand_words
from bot.text import own_cards as words
from bot.text.actions import FACT_SEPARATOR
from bot.text.buttons import Verb, bet_sizes
from bot.text.cards import card_name, cards_in_words
from bot.text.confirmations import NO_CARDS_YET
from bot.text.formatting import join_list
from bot.text.game_names import game_name
from bot.text.game_words import share_hand, share_name
from bot.text.hand_names import hand_name
from bot.text.language import t

AMOUNT_FIELD = "to"
SIZE_FIELD = "size"


def hole_cards_dm(scene: Scene, link: str) -> Panel:
    """Return a player's cards as a direct message. `link` leads to the table.

    Beside hidden cards the open ones are left out, and what they make and which are wild: more open cards come than it is edited for.
    """
    seat = own_seat(scene)
    view = scene.view
    hidden = tuple(seen for seen in seat.cards if not seen.face_up)
    has_both = 0 < len(hidden) < len(seat.cards)
    heading = t(words.DM_HEADING, table=scene.table_name(), game=game_name(view.game), number=scene.hand_number)
    lines = [heading, *card_lines(scene, replace(seat, cards=hidden, wild_cards=()) if has_both else seat)]
    if not has_both and not view.cards_to_come[1] and not any(view.boards):
        lines += hand_name_lines(scene, seat)
    rule = words.cards_that_play(view.shares)
    if rule:
        lines.append(f"-# {rule}")
    facts = [scene.mixture()] if scene.mixture_name else []
    facts += [t(words.SEAT, number=seat.seat_number), t(words.STAKES, stakes=scene.stakes()), _dealer_fact(scene, seat)]
    lines.append("-# " + FACT_SEPARATOR.join([fact for fact in facts if fact]))
    stop = button_id(scene.table_id, scene.hand_number, 0, Verb.DM_OFF)
    row = (Button(t(buttons.GO_TO_TABLE), url=link, emoji="↗️"), Button(t(buttons.STOP_DMS), stop, GREY))
    return Panel(LOBBY, (Text("\n".join(lines)), Buttons(row)))


def cards_in_panel_dm(table_id: int, table: int, link: str, *, offered: bool = False) -> Panel:
    """Return the direct message of somebody whose cards are in their panel. `link` leads to the table, which has this number.

    Args:
        offered: they have chosen nothing, and cards come in panels unless somebody asks for them here.
    """
    show = Button(t(buttons.SHOW_MY_CARDS), button_id(table_id, 0, 0, Verb.SHOW_IN_DM), GREY)
    row = (Button(t(buttons.GO_TO_TABLE), url=link, emoji="↗️"), show)
    wording = words.CARDS_COME_IN_PANEL if offered else words.CARDS_IN_PANEL
    return Panel(LOBBY, (Text(t(wording, table=t(hand_words.TABLE, number=table))), Buttons(row)))


def not_dealt_in_dm(table: int, link: str) -> Panel:
    """Return what a direct message of cards becomes when a hand is dealt without its player."""
    row = (Button(t(buttons.GO_TO_TABLE), url=link, emoji="↗️"),)
    return Panel(FINISHED, (Text(t(words.NOT_DEALT_IN, table=t(hand_words.TABLE, number=table))), Buttons(row)))


def table_closed_dm() -> Panel:
    """Return what a direct message of cards becomes when its table closes."""
    return Panel(FINISHED, (Text(t(words.TABLE_CLOSED)),))


def _dealer_fact(scene: Scene, seat: SeatView) -> str:
    """Return who deals; empty where the game has no dealer button."""
    dealer = scene.view.button_seat_number
    if dealer == seat.seat_number:
        return t(words.YOU_DEAL)
    if any(other.seat_number == dealer for other in scene.view.seats):
        return t(words.DEALER, name=scene.name(dealer))
    return t(words.DEALER_BUTTON, number=dealer) if dealer else ""


def raise_form(scene: Scene, legal: LegalActions, user: int) -> Form:
    """Return the form behind ``Raise…`` or ``Bet…``: a street total to write, or a size to pick. What is written counts first."""
    sizes = bet_sizes(legal, scene.view.limit, scene.raise_sizes)
    totals = {
        "min": legal.min_to,
        **{size.value: to for size, to in sizes.of_pot},
        "max": sizes.maximum,
        "all": sizes.all_in,
    }
    options = tuple([Option(t(words.SIZES[size], to=to), size) for size, to in totals.items() if to])
    fields: list[FormField] = [
        TextField(
            AMOUNT_FIELD,
            t(words.BET_FIELD if legal.opening else words.RAISE_FIELD),
            description=words.bet_hint(legal, all_in=bool(sizes.all_in)),
            required=len(options) < 2,
            max_length=24,
        )
    ]
    if len(options) >= 2:
        fields.append(RadioGroup(SIZE_FIELD, t(words.SIZE_FIELD), options))
    return Form(
        t(words.BET_FORM if legal.opening else words.RAISE_FORM),
        custom_ids.form_id(scene.table_id, scene.hand_number, scene.view.decision_number, Verb.OPEN_BET_FORM, user),
        tuple(fields),
    )


def dm_refused_panel() -> Panel:
    """Tell the player once that Discord refuses the direct message (50007)."""
    return Panel(FINISHED, (Text(t(words.DM_REFUSED)),))


def dm_switched_panel(table_id: int, *, on: bool) -> Panel:
    """Return the answer to turning direct messages off or on."""
    if on:
        button = Button(t(buttons.STOP_DMS), button_id(table_id, 0, 0, Verb.DM_OFF), GREY)
    else:
        button = Button(t(buttons.SEND_DMS_AGAIN), button_id(table_id, 0, 0, Verb.DM_ON), BLURPLE)
    return Panel(FINISHED, (Text(t(words.DMS_ON if on else words.DMS_OFF)), Buttons((button,))))


def own_seat(scene: Scene) -> SeatView:
    """Return the viewer's own seat."""
    seat = scene.own_seat()
    assert seat is not None, "private cards need the player's own view"
    return seat


def card_lines(
    scene: Scene, seat: SeatView, made: Sequence[str] = (), *, large: bool = True, name_wild: bool = True
) -> list[str]:
    """The seat's cards, as tiles and in words; hidden and open ones apart where some lie open; which of them are wild.

    Args:
        made: what they make, which stands beside the words.
        name_wild: say which of them are wild.
        large: the tiles are a heading line; else they have the size of the text, under a picture that shows them large.
    """
    heading = "# " if large else ""
    hidden = sorted_cards([seen.card for seen in seat.cards if not seen.face_up])
    opened = sorted_cards([seen.card for seen in seat.cards if seen.face_up])
    if not seat.cards:
        dealt = any(other.cards for other in scene.view.seats)
        return [t(words.NO_CARDS_NOW if dealt else NO_CARDS_YET)]
    if not opened or not hidden:
        row = hidden or opened
        lines = [heading + scene.emojis.write(row), FACT_SEPARATOR.join((_in_words(row), *made))]
    else:
        lines = [
            heading + t(words.HIDDEN_AND_OPEN, hidden=scene.emojis.write(hidden), open=scene.emojis.write(opened)),
            FACT_SEPARATOR.join(
                (t(words.HIDDEN_AND_OPEN_WORDS, hidden=_in_words(hidden), open=_in_words(opened)), *made)
            ),
        ]
    if seat.wild_cards and name_wild:
        lines.append(t(hand_words.WILD, cards=cards_in_words(seat.wild_cards)))
    return lines


def _in_words(row: list[int | None]) -> str:
    return cards_in_words([card for card in row if card is not None])


def hand_name_lines(scene: Scene, seat: SeatView) -> list[str]:
    """Return what the seat's cards make so far, for each half where the pot is shared.

    Nothing while a whole board has still to come, or where there are several: then each has its own (`hand_names_on_board`).
    """
    if seat.made_hand is None or seat.made_by_board or (scene.view.cards_to_come[1] and not any(scene.view.boards)):
        return []
    return _hands_in_bold(scene, seat.made_by_share or (("pot", seat.made_hand),))


def hand_names_on_board(scene: Scene, seat: SeatView, board: int) -> list[str]:
    """Return what the seat's cards make on one of several boards; nothing where there is only one."""
    return _hands_in_bold(scene, seat.made_by_board[board], board) if board < len(seat.made_by_board) else []


def _hands_in_bold(scene: Scene, made_by_share: tuple[tuple[str, HandName], ...], board: int = 0) -> list[str]:
    compared = hands_compared(scene.view, board)
    return [share_hand(share, hand_name(made, compared)) for share, made in made_by_share]


def best_wild_lines(scene: Scene, seat: SeatView) -> list[str]:
    """Return what the seat's wild cards stand for in the best hand it has so far; with several shares, for each that differs."""
    if not (seat.wild_cards or scene.view.wild_common_cards) or seat.made_hand is None:
        return []
    by_share = best_meanings(scene.view)
    if len({meanings for _, meanings in by_share}) < 2:
        return [t(words.WILD_AT_BEST, cards=_meanings(scene, meanings)) for _, meanings in by_share[:1]]
    return [
        t(words.WILD_AT_BEST_FOR, share=share_name(share), cards=_meanings(scene, meanings))
        for share, meanings in by_share
    ]


def _meanings(scene: Scene, meanings: tuple[tuple[int, int], ...]) -> str:
    return join_list(
        [
            t(hand_words.DESIGNATED_CARD, card=scene.emojis.write_one(card), meaning=card_name(meaning))
            for card, meaning in meanings
        ]
    )
