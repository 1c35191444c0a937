"""Private choices beside the betting: cards to change, give up or pass, their order, a word, what wild cards stand for.

Everything chosen so far travels in the ids of the next buttons, so a choice outlives a restart and nothing is kept in memory.
"""

from msgspec import Struct

from bot.engine.cards import JOKER, RANKS
from bot.engine.choices.designations import Designations, best_designation, designable_wild_cards, possible_meanings
from bot.engine.legal import Decision, LegalActions
from bot.engine.units import CardIndex
from bot.engine.view.types import CardView, SeatView
from bot.render.hand.choice_codes import (
    WildMeanings,
    decode_meanings,
    decode_order,
    decode_set,
    encode_order,
    encode_set,
)
from bot.render.hand.private_panels import own_seat
from bot.render.hand.scene import Scene, sort_key
from bot.render.message.custom_ids import button_id
from bot.render.message.limits import OPTIONS_MAX, ROW_BUTTONS_MAX
from bot.render.message.panel import BLURPLE, GREEN, GREY, Block, Button, Buttons, Option, Select
from bot.text import buttons as labels
from bot.text import own_cards as words
from bot.text.buttons import Verb
from bot.text.cards import card_name, rank_name, suit_name
from bot.text.game_words import declaration, declaration_label
from bot.text.hand import DESIGNATED_CARD
from bot.text.language import Message, t

_FACE_VALUE_OPTION = "face"
CARDS_MAX = 15
"""The most cards that are offered as buttons: three rows."""


class PrivateChoice(Struct, frozen=True, gc=False):
    """What a player has chosen so far, before they confirm it.

    Attributes:
        code: cards marked, their order, or what wild cards stand for, as `bot.render.hand.choice_codes` writes them.
        rank: the rank chosen for the wild card that is asked about; its suit is asked next. -1 for none.
    """

    code: int = 0
    rank: int = -1


NOTHING_CHOSEN = PrivateChoice()

_CARDS_CHOSEN = frozenset({Decision.DRAW, Decision.GIVE_UP, Decision.PASS_CARDS})
_CHOSEN_IN_PRIVATE = _CARDS_CHOSEN | {Decision.ARRANGE, Decision.DECLARE}


def is_private_choice(legal: LegalActions) -> bool:
    """Whether the decision is made by controls that only its player sees, not by the buttons of the table."""
    if legal.decision is Decision.SHOW:
        return bool(legal.designable_indices or legal.declarable_words)
    return legal.decision in _CHOSEN_IN_PRIVATE


def cards_are_buttons(scene: Scene) -> bool:
    """Whether all cards of the viewer stand on buttons, because they choose among them."""
    legal, cards = scene.view.legal, own_seat(scene).cards
    return (
        legal is not None
        and legal.decision in _CARDS_CHOSEN
        and legal.max_cards > 0
        and len(_face_down_cards(own_seat(scene))[:CARDS_MAX]) == len(cards)
    )


def choice_part(scene: Scene, chosen: PrivateChoice = NOTHING_CHOSEN) -> tuple[list[str], list[Block]]:
    """The part of a player's panel that asks for a private choice: lines of text, then the controls."""
    legal = _legal_actions(scene)
    match legal.decision:
        case Decision.ARRANGE:
            return _order_part(scene, chosen.code)
        case Decision.DECLARE:
            return _declaration_part(scene, legal)
        case Decision.SHOW:
            return _wild_meaning_part(scene, legal, chosen)
        case _:
            return _cards_part(scene, legal, chosen.code)


def _cards_part(scene: Scene, legal: LegalActions, code: int) -> tuple[list[str], list[Block]]:
    """Cards to change, give up or pass: each card is a button that marks it, one more button carries the number."""
    own_cards = _face_down_cards(own_seat(scene))[:CARDS_MAX]
    maximum = min(legal.max_cards, len(own_cards))
    minimum = min(legal.min_cards, maximum)
    marked = [number for number in decode_set(code) if number < len(own_cards)]
    is_told = maximum == legal.max_cards and (minimum == maximum or legal.decision is Decision.DRAW)  # by the heading
    lines = [words.choose_cards(legal.decision, minimum, maximum)] if maximum and not is_told else []
    explanation = words.choice_explanation(legal.decision)
    if explanation:
        lines.append(explanation)
    if legal.deck_is_short:
        lines.append(t(words.DECK_IS_SHORT))
    if legal.decision is Decision.DRAW and scene.view.seat_of_opener == scene.view.viewer:
        lines.append(t(words.OPENER_WARNING))
    toggles: list[Button] = []
    for number in _sorted_numbers(own_cards) if maximum else ():
        code_after = encode_set(_toggled(marked, number, maximum))
        toggles.append(_card_button(scene, own_cards[number], Verb.MARK, code_after, marked=number in marked))
    blocks: list[Block] = in_rows(toggles)
    if marked and minimum <= len(marked) <= maximum:
        label = labels.do_choice_label(legal.decision, len(marked))
        blocks.append(Buttons((Button(label, _choice_id(scene, Verb.DISCARD, encode_set(marked)), GREEN),)))
    elif not marked and legal.decision is Decision.DRAW:
        blocks.append(Buttons((Button(t(labels.STAND_PAT), _choice_id(scene, Verb.STAND_PAT), GREEN),)))
    return lines, blocks


def _toggled(marked: list[int], number: int, maximum: int) -> list[int]:
    """The cards that are marked after a press on one of them. Where one card is asked for, the press moves the mark."""
    if number in marked:
        return [one for one in marked if one != number]
    return [number] if maximum == 1 else [*marked, number]


def marks_of(seat: SeatView, values: tuple[str, ...]) -> int:
    """Read the select of cards on messages of earlier versions: the code of the marked cards."""
    count = len(_face_down_cards(seat))
    return encode_set([int(value) for value in values if value.isdecimal() and int(value) < count])


def chosen_card_indexes(seat: SeatView, code: int) -> tuple[CardIndex, ...]:
    """Read which cards a ``Draw 3`` button stands for."""
    return _card_indexes(seat, decode_set(code))


def _order_part(scene: Scene, code: int) -> tuple[list[str], list[Block]]:
    """An order, card by card: which is turned up first, which next. `code` holds the cards named so far."""
    own_cards = _face_down_cards(own_seat(scene))
    order = [number for number in decode_order(code) if number < len(own_cards)]
    left = [number for number in _sorted_numbers(own_cards) if number not in order]
    if len(left) == 1:
        order, left = [*order, left[0]], []
    lines = [t(words.ORDER_EXPLAINED)]
    if order:
        named = " → ".join([_card_text(scene, own_cards[number]) for number in order])
        lines.append(t(words.ORDER, cards=named))
    if left:
        lines.append(t(words.TURNED_UP[len(order)]))
    next_cards = [
        _card_button(scene, own_cards[number], Verb.NEXT_IN_ORDER, encode_order([*order, number])) for number in left
    ]
    row: list[Button] = []
    if not left:
        row.append(Button(t(labels.KEEP_ORDER), _choice_id(scene, Verb.ARRANGE, encode_order(order)), GREEN))
    elif not order:
        as_dealt = encode_order(range(len(own_cards)))
        row.append(Button(t(labels.AS_DEALT), _choice_id(scene, Verb.ARRANGE, as_dealt), GREY))
    if order:
        row.append(Button(t(labels.START_OVER), _choice_id(scene, Verb.OPEN_CHOICE), GREY))
    return lines, [*in_rows(next_cards), Buttons(tuple(row))]


def extend_order(code: int, number: int) -> int:
    """Add the next card, by its number among the viewer's, to an order."""
    order = decode_order(code)
    return encode_order((*order, number)) if number not in order and 0 <= number < OPTIONS_MAX else code


def ordered_card_indexes(seat: SeatView, code: int) -> tuple[CardIndex, ...]:
    """Read the order that a ``Keep this order`` button stands for."""
    return _card_indexes(seat, decode_order(code))


def _declaration_part(scene: Scene, legal: LegalActions) -> tuple[list[str], list[Block]]:
    """A word to declare. Everybody else learns only that it was chosen, until all have chosen."""
    row = [
        Button(declaration_label(word), _choice_id(scene, Verb.DECLARE_WORD, number), BLURPLE)
        for number, word in enumerate(legal.declarable_words, 1)
    ]
    return [t(words.REVEALED_LATER)], [Buttons(tuple(row))]


def declared_word(legal: LegalActions, number: int) -> str:
    """Read which word a button stands for; "" for none."""
    return legal.declarable_words[number - 1] if 0 < number <= len(legal.declarable_words) else ""


def _wild_meaning_part(scene: Scene, legal: LegalActions, so_far: PrivateChoice) -> tuple[list[str], list[Block]]:
    """What wild cards stand for and which way aces play, declared before hands are compared (W-7, LO-3)."""
    wild_cards = designable_wild_cards(scene.view, legal)
    chosen = decode_meanings(so_far.code, len(wild_cards))
    lines = [t(words.BEFORE_SHOW if wild_cards else words.ACES_BEFORE_SHOW)]
    lines += [_meaning_line(scene, card, meaning) for (_, card), meaning in zip(wild_cards, chosen.cards, strict=True)]
    if chosen.next_index >= 0:
        lines.append(words.unnamed_wild_cards(joker=any(card >= JOKER for _, card in wild_cards)))
    if not chosen.word_number and legal.declarable_words:
        lines.append(t(words.ACES))
    blocks: list[Block] = []
    if chosen.next_index >= 0:
        _, card = wild_cards[chosen.next_index]
        meanings = possible_meanings(scene.view, card, _other_meanings(wild_cards, chosen))
        blocks += _wild_card_question(scene, chosen, card, meanings, so_far.rank)
    blocks.append(Buttons(tuple(_show_buttons(scene, legal, wild_cards, chosen))))
    return lines, blocks


def designations_at_show(scene: Scene, code: int) -> tuple[Designations, str]:
    """Read what a ``Show`` button declares: what wild cards stand for, and the word on aces."""
    legal = _legal_actions(scene)
    wild_cards = designable_wild_cards(scene.view, legal)
    chosen = decode_meanings(code, len(wild_cards))
    pairs = [
        (card_index, meaning)
        for (card_index, _), meaning in zip(wild_cards, chosen.cards, strict=True)
        if meaning is not None and meaning >= 0
    ]
    return tuple(pairs), declared_word(legal, chosen.word_number)


def rank_chosen(scene: Scene, code: int, value: str) -> tuple[int, int]:
    """Read the select of ranks: the code of what has been chosen now, and the rank whose suit is asked next.

    The rank is -1 where nothing more is asked about this card.
    """
    chosen = decode_meanings(code, len(_legal_actions(scene).designable_indices))
    if value.isdecimal() and int(value) < len(RANKS):
        return code, int(value)
    return (chosen.with_meaning(chosen.next_index, -1).code if chosen.next_index >= 0 else code), -1


def _wild_card_question(
    scene: Scene, chosen: WildMeanings, card: int, meanings: tuple[int, ...], rank: int
) -> list[Block]:
    """Return the question about one wild card: a select of ranks, and for a chosen rank its suits as buttons."""
    ranks = sorted({meaning >> 2 for meaning in meanings}, reverse=True)
    options = [Option(rank_name(one), str(one), default=one == rank) for one in ranks]
    options.append(Option(t(words.FACE_VALUE), _FACE_VALUE_OPTION))
    placeholder = t(words.STANDS_FOR, card=card_name(card))
    blocks: list[Block] = [Select(_choice_id(scene, Verb.WILD_RANK, chosen.code), placeholder, tuple(options))]
    suits = [
        Button(
            t(labels.OF_SUIT, suit=suit_name(meaning & 3)),
            _choice_id(scene, Verb.WILD_SUIT, chosen.with_meaning(chosen.next_index, meaning).code),
            BLURPLE,
            emoji=scene.emojis.for_option(meaning),
        )
        for meaning in meanings
        if meaning >> 2 == rank
    ]
    if suits:
        blocks.append(Buttons(tuple(suits)))
    return blocks


def _show_buttons(scene: Scene, legal: LegalActions, wild_cards: Designations, chosen: WildMeanings) -> list[Button]:
    """Return the buttons that show: as chosen, or what makes the best hand; one for each word on aces."""
    best = dict(best_designation(scene.view, legal))
    proposal = tuple([best.get(card_index, -1) for card_index, _ in wild_cards])
    label: Message = labels.SHOW
    meanings = tuple([-1 if card is None else card for card in chosen.cards])
    if wild_cards and chosen.next_index >= 0:
        if not any(card is not None for card in chosen.cards):
            label, meanings = labels.BEST_HAND, proposal
        elif chosen.cards != proposal:
            label = labels.SHOW_LIKE_THIS
    row: list[Button] = []
    for number, word in enumerate(legal.declarable_words, 1) if legal.declarable_words else ((0, ""),):
        text = t(labels.SHOW_WITH_WORD, show=t(label), word=declaration(word)) if word else t(label)
        row.append(Button(text, _choice_id(scene, Verb.SHOW, WildMeanings(meanings, number).code), GREEN))
    if chosen.code:
        row.append(Button(t(labels.START_OVER), _choice_id(scene, Verb.OPEN_CHOICE), GREY))
    return row


def _other_meanings(wild_cards: Designations, chosen: WildMeanings) -> tuple[tuple[int, int], ...]:
    """Return the wild cards whose meaning is chosen, as pairs of card and meaning."""
    pairs = zip(wild_cards, chosen.cards, strict=True)
    return tuple([(card, meaning) for (_, card), meaning in pairs if meaning is not None and meaning >= 0])


def _meaning_line(scene: Scene, card: int, meaning: int | None) -> str:
    written = scene.emojis.write_one(card)
    if meaning is None:
        return t(words.MEANS_NOTHING_YET, card=written)
    if meaning < 0:
        return t(words.MEANS_ITSELF, card=written)
    return t(DESIGNATED_CARD, card=written, meaning=card_name(meaning))


def _card_text(scene: Scene, seen: CardView) -> str:
    return scene.emojis.write_one(seen.card)


def _choice_id(scene: Scene, verb: Verb, amount: int = 0) -> str:
    return button_id(scene.table_id, scene.hand_number, scene.view.decision_number, verb, amount)


def _card_button(scene: Scene, seen: CardView, verb: Verb, code: int, *, marked: bool = False) -> Button:
    assert seen.card is not None, "players know their own cards"
    label = scene.emojis.button_label(seen.card)
    if marked:
        label = t(labels.MARKED, card=label)
    style = BLURPLE if marked else GREY
    return Button(label, _choice_id(scene, verb, code), style, emoji=scene.emojis.for_option(seen.card))


def in_rows(row: list[Button]) -> list[Block]:
    """Buttons in rows as even as they get: seven cards stand as four and three."""
    count = -(-len(row) // ROW_BUTTONS_MAX)
    length = -(-len(row) // count) if count else 1
    return [Buttons(tuple(row[start : start + length])) for start in range(0, len(row), length)]


def _sorted_numbers(own_cards: list[CardView]) -> list[int]:
    """The cards' numbers in the order in which the cards are shown."""
    return sorted(range(len(own_cards)), key=lambda number: sort_key(own_cards[number].card))


def _face_down_cards(seat: SeatView) -> list[CardView]:
    """Return the seat's cards that lie face down: those it can change, give up, pass or arrange."""
    return [seen for seen in seat.cards if seen.card is not None and seen.card_index >= 0 and not seen.face_up]


def _card_indexes(seat: SeatView, numbers: tuple[int, ...]) -> tuple[CardIndex, ...]:
    """Return the card indexes of the viewer's face-down cards with these numbers; numbers without a card are left out."""
    own_cards = _face_down_cards(seat)
    return tuple([own_cards[number].card_index for number in numbers if number < len(own_cards)])


def _legal_actions(scene: Scene) -> LegalActions:
    legal = scene.view.legal
    assert legal is not None, "a choice without a player to choose"
    return legal
