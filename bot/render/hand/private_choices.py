"""Private choices beside the betting: cards to change, give up or pass, their order, a word, what wild cards stand for.

Everything chosen so far travels in the ids of the next buttons, so a choice outlives a restart and nothing is kept in memory.
"""

from __future__ import annotations

from bot.engine.cards import RANKS
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
from bot.render.hand.private_panels import card_lines, hand_name_lines, own_seat
from bot.render.hand.scene import Scene
from bot.render.message.custom_ids import Verb, button_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import BLURPLE, GREEN, GREY, WAITING, Block, Button, Buttons, Option, Panel, Select, Text
from bot.text import buttons as labels
from bot.text import own_cards as words
from bot.text.cards import card_name, rank_name, suit_name
from bot.text.game_words import declaration, declaration_label
from bot.text.hand import DESIGNATED_CARD
from bot.text.language import Message, t

_FACE_VALUE_OPTION = "face"


def choice_panel(scene: Scene) -> Panel:
    """Return the private choice that is asked of the viewer now."""
    match _legal_actions(scene).decision:
        case Decision.ARRANGE:
            return order_panel(scene)
        case Decision.DECLARE | Decision.RUN_TWICE:
            return declare_panel(scene)
        case Decision.SHOW:
            return wild_meaning_panel(scene)
        case _:
            return discard_panel(scene)


def discard_panel(scene: Scene, chosen_indexes: tuple[int, ...] = ()) -> Panel:
    """Return the choice of cards to change, give up or pass. `chosen_indexes` are the card indexes marked in the select."""
    seat, legal = own_seat(scene), _legal_actions(scene)
    own_cards = _face_down_cards(seat)[:OPTIONS_MAX]
    maximum = min(legal.max_cards, len(own_cards))
    lines = _heading(scene, seat, words.choice_explanation(legal.decision))
    if legal.decision is Decision.DRAW and scene.view.seat_of_opener == scene.view.viewer:
        lines.append(t(words.OPENER_WARNING))
    blocks: list[Block] = [Text("\n".join(lines))]
    marked = [number for number, seen in enumerate(own_cards) if seen.card_index in chosen_indexes]
    if own_cards and maximum:
        minimum = min(legal.min_cards, maximum)
        blocks.append(
            Select(
                _choice_id(scene, Verb.CARDS_MARKED),
                words.select_placeholder(legal.decision, minimum, maximum),
                tuple([_card_option(scene, seen, number, number in marked) for number, seen in enumerate(own_cards)]),
                minimum,
                maximum,
            )
        )
    row: list[Button] = []
    if marked and legal.min_cards <= len(marked) <= maximum:
        label = labels.do_choice_label(legal.decision, len(marked))
        row.append(Button(label, _choice_id(scene, Verb.DISCARD, encode_set(marked)), GREEN))
    if legal.decision is Decision.DRAW:
        row.append(Button(t(labels.STAND_PAT), _choice_id(scene, Verb.STAND_PAT), GREY))
    if row:
        blocks.append(Buttons(tuple(row)))
    return Panel(WAITING, tuple(blocks))


def marked_card_indexes(seat: SeatView, values: tuple[str, ...]) -> tuple[CardIndex, ...]:
    """Read the select of cards: the card indexes of the marked cards."""
    own_cards = _face_down_cards(seat)
    return tuple(
        [own_cards[int(value)].card_index for value in values if value.isdecimal() and int(value) < len(own_cards)]
    )


def chosen_card_indexes(seat: SeatView, code: int) -> tuple[CardIndex, ...]:
    """Read which cards a ``Draw 3 cards`` button stands for."""
    return _card_indexes(seat, decode_set(code))


def order_panel(scene: Scene, code: int = 0) -> Panel:
    """Return the choice of an order, card by card: which is turned up first, which next. `code` holds the cards named so far."""
    seat = own_seat(scene)
    own_cards = _face_down_cards(seat)
    order = [number for number in decode_order(code) if number < len(own_cards)]
    left = [number for number in range(len(own_cards)) if number not in order]
    if len(left) == 1:
        order, left = [*order, left[0]], []
    lines = _heading(scene, seat, t(words.ORDER_EXPLAINED))
    if order:
        named = " → ".join([_card_text(scene, own_cards[number]) for number in order])
        lines.append(t(words.ORDER, cards=named))
    blocks: list[Block] = [Text("\n".join(lines))]
    if left:
        options = tuple([_card_option(scene, own_cards[number], number) for number in left])
        select = _choice_id(scene, Verb.NEXT_IN_ORDER, encode_order(order))
        blocks.append(Select(select, t(words.TURNED_UP[len(order)]), options))
    row: list[Button] = []
    if not left:
        row.append(Button(t(labels.KEEP_ORDER), _choice_id(scene, Verb.ARRANGE, encode_order(order)), GREEN))
    elif not order:
        row.append(Button(t(labels.AS_DEALT), _choice_id(scene, Verb.ARRANGE, encode_order(left)), GREY))
    if order:
        row.append(Button(t(labels.START_OVER), _choice_id(scene, Verb.OPEN_CHOICE), GREY))
    blocks.append(Buttons(tuple(row)))
    return Panel(WAITING, tuple(blocks))


def extend_order(code: int, number: int) -> int:
    """Add the next card, by its number among the viewer's, to an order."""
    order = decode_order(code)
    return encode_order((*order, number)) if number not in order and 0 <= number < OPTIONS_MAX else code


def ordered_card_indexes(seat: SeatView, code: int) -> tuple[CardIndex, ...]:
    """Read the order that a ``Keep this order`` button stands for."""
    return _card_indexes(seat, decode_order(code))


def declare_panel(scene: Scene) -> Panel:
    """Return the choice of a word to declare. Everybody else learns only that it was made, until all have chosen."""
    seat, legal = own_seat(scene), _legal_actions(scene)
    title = words.RUN_TWICE if legal.decision is Decision.RUN_TWICE else words.DECLARE
    lines = [t(title), *card_lines(scene, seat), *hand_name_lines(scene, seat), t(words.REVEALED_LATER)]
    row = [
        Button(declaration_label(word), _choice_id(scene, Verb.DECLARE_WORD, number), BLURPLE)
        for number, word in enumerate(legal.declarable_words, 1)
    ]
    return Panel(WAITING, (Text("\n".join(lines)), Buttons(tuple(row))))


def declared_word(legal: LegalActions, number: int) -> str:
    """Read which word a button stands for; "" for none."""
    return legal.declarable_words[number - 1] if 0 < number <= len(legal.declarable_words) else ""


def wild_meaning_panel(scene: Scene, code: int = 0, rank: int = -1) -> Panel:
    """Return what wild cards stand for and which way aces play, declared before hands are compared (W-7, LO-3).

    Args:
        code: what has been chosen so far.
        rank: the rank chosen for the wild card that is asked about; its suit is asked next.
    """
    seat, legal = own_seat(scene), _legal_actions(scene)
    wild_cards = designable_wild_cards(scene.view, legal)
    chosen = decode_meanings(code, len(wild_cards))
    lines = [t(words.BEFORE_SHOW), *card_lines(scene, seat)]
    lines += [_meaning_line(scene, card, meaning) for (_, card), meaning in zip(wild_cards, chosen.cards, strict=True)]
    if not chosen.word_number and legal.declarable_words:
        lines.append(t(words.ACES))
    blocks: list[Block] = [Text("\n".join(lines))]
    if chosen.next_index >= 0:
        _, card = wild_cards[chosen.next_index]
        meanings = possible_meanings(scene.view, card, _other_meanings(wild_cards, chosen))
        blocks += _wild_card_question(scene, chosen, card, meanings, rank)
    blocks.append(Buttons(tuple(_show_buttons(scene, legal, wild_cards, chosen))))
    return Panel(WAITING, tuple(blocks))


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


def _heading(scene: Scene, seat: SeatView, explanation: str) -> list[str]:
    row = "# " + scene.emojis.write([seen.card for seen in seat.cards])
    lines = [t(words.YOUR_CARDS), row, *hand_name_lines(scene, seat), explanation]
    return [line for line in lines if line]


def _card_option(scene: Scene, seen: CardView, number: int, default: bool = False) -> Option:
    assert seen.card is not None
    return Option(card_name(seen.card), str(number), emoji=scene.emojis.for_option(seen.card), default=default)


def _card_text(scene: Scene, seen: CardView) -> str:
    return scene.emojis.write_one(seen.card)


def _choice_id(scene: Scene, verb: Verb, amount: int = 0) -> str:
    return button_id(scene.table_id, scene.hand_number, scene.view.decision_number, verb, amount)


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
