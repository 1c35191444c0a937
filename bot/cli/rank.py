"""``cardroom rank``: name hands, and say which one wins."""

import argparse
import sys
from collections.abc import Sequence

import msgspec

from bot.engine import cards
from bot.engine.errors import TableError
from bot.engine.ranking import AceStraight, Evaluator, Ranking, Scale, WildMethod, WildPolicy, evaluator
from bot.engine.ranking.layout import hand_layout
from bot.engine.ranking.presets import MEXICAN_RANKS, RANKINGS_BY_NAME, SEVEN_TO_ACE, SIX_TO_ACE
from bot.text import cli as words
from bot.text.cards import card_name
from bot.text.hand_names import hand_name
from bot.text.language import t
from bot.text.refusals.wording import law_book_line

_DECKS: dict[str, tuple[int, ...]] = {
    "52": cards.STANDARD_52,
    "53": cards.WITH_JOKER_53,
    "54": cards.ALL_CARDS,
    "36": cards.STRIPPED_36,
    "32": cards.STRIPPED_32,
    "41": cards.MEXICAN_41,
}
_RANKS_OF_DECK = {"36": SIX_TO_ACE, "32": SEVEN_TO_ACE, "41": MEXICAN_RANKS}
_DECK_OF_GAME = {"short_deck": "36", "short_deck_trips": "36", "stripped": "36", "mexican": "41"}
_WILD_METHODS = {method.value: method for method in WildMethod if method is not WildMethod.NONE}


class _InvalidHands(Exception):
    """The typed cards make no sense as hands of this game. The text says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.RANK_DESCRIPTION)
    parser.add_argument("hands", nargs="+", metavar="HAND", help=t(words.HAND_ARGUMENT))
    parser.add_argument("--board", default="", help=t(words.BOARD_OPTION))
    parser.add_argument("--game", choices=sorted(RANKINGS_BY_NAME), default="high", help=t(words.GAME_OPTION))
    parser.add_argument("--deck", choices=sorted(_DECKS), help=t(words.DECK_OPTION))
    parser.add_argument("--wild", default="", metavar="LIST", help=t(words.WILD_OPTION))
    parser.add_argument("--method", choices=sorted(_WILD_METHODS), help=t(words.METHOD_OPTION))
    parser.add_argument("--values", action="store_true", help=t(words.VALUES_OPTION))


def run(options: argparse.Namespace) -> int:
    """Print the hands. Returns 2 for cards that cannot be read as hands of this game."""
    try:
        ranking, deck = _ranking_and_deck(options)
        holes = [cards.parse_cards(hand) for hand in options.hands]
        board = cards.parse_cards(options.board)
        _check_cards(holes, board, deck, ranking)
    except (TableError, _InvalidHands, ValueError) as error:
        reason = law_book_line(error) if isinstance(error, TableError) else error
        print(t(words.ERROR, command="rank", error=reason), file=sys.stderr)
        return 2
    print("\n".join(_result_lines(evaluator(ranking), holes, board, values=options.values)))
    return 0


def _ranking_and_deck(options: argparse.Namespace) -> tuple[Ranking, tuple[int, ...]]:
    """Return the ranking and the deck that the options ask for."""
    ranking = RANKINGS_BY_NAME[options.game]
    wild, has_joker = _parse_wild(options.wild, _WILD_METHODS[options.method or WildMethod.FREE.value])
    if options.method and not options.wild and ranking.wild.method is WildMethod.NONE:
        raise _InvalidHands(t(words.METHOD_NEEDS_WILD))
    if options.wild:
        ranking = msgspec.structs.replace(ranking, wild=wild)
    elif options.method:
        ranking = msgspec.structs.replace(ranking, wild=WildPolicy(method=_WILD_METHODS[options.method]))
    deck = options.deck or _DECK_OF_GAME.get(options.game) or ("53" if has_joker else "52")
    if deck in _RANKS_OF_DECK and ranking.ranks != _RANKS_OF_DECK[deck]:
        # Where no law lowers the ace in a stripped deck, it is high only (VB-10).
        ace = AceStraight.HIGH_ONLY if deck != "41" and ranking.scale is Scale.HIGH else ranking.ace_straight
        ranking = msgspec.structs.replace(ranking, ranks=_RANKS_OF_DECK[deck], ace_straight=ace)
    if deck in ("53", "54") and ranking.wild.method_of(cards.JOKER) is WildMethod.NONE:
        ranking = msgspec.structs.replace(
            ranking, wild=WildPolicy(method=_WILD_METHODS[options.method or WildMethod.FREE.value])
        )
    deck_cards = _DECKS[deck]
    if has_joker and cards.JOKER not in deck_cards:
        deck_cards = (*deck_cards, cards.JOKER)
    return ranking, deck_cards


def _parse_wild(line: str, method: WildMethod) -> tuple[WildPolicy, bool]:
    """Read a list of wild ranks and cards; the second value is whether the joker is among them."""
    ranks: set[int] = set()
    single: set[int] = set()
    for word in line.replace(",", " ").split():
        rank = word.upper().replace("10", "T")
        if rank in cards.RANKS:
            ranks.add(cards.RANKS.index(rank))
        else:
            single.add(cards.parse_card(word))
    has_joker = cards.JOKER in single
    single.discard(cards.JOKER)
    return WildPolicy(method=method, ranks=tuple(sorted(ranks)), cards=tuple(sorted(single))), has_joker


def _check_cards(holes: Sequence[Sequence[int]], board: Sequence[int], deck: Sequence[int], ranking: Ranking) -> None:
    """Refuse a card that is not in the deck, or is twice in one hand (K-6), and a hand with too few hole cards for its game.

    Two hands can share a card: they are compared, not dealt.
    """
    dealt = [card for card in deck if card >= cards.JOKER or card >> 2 in ranking.ranks]
    for card in [card for hole in holes for card in hole] + list(board):
        if card not in dealt:
            sentence = words.NO_JOKER_IN_DECK if card >= cards.JOKER else words.NOT_IN_DECK
            raise _InvalidHands(t(sentence, card=card_name(card), count=len(dealt)))
    for hole in holes:
        cards_of_hand = [*hole, *board]
        for card in cards_of_hand:
            if cards_of_hand.count(card) > 1:
                raise _InvalidHands(t(words.CARD_TWICE, card=card_name(card)))
        if not hole:
            raise _InvalidHands(t(words.NO_CARDS))
        if len(hole) + len(board) > 11:
            raise _InvalidHands(t(words.TOO_MANY_CARDS))
        if board and ranking.from_hole is not None and len(hole) < ranking.from_hole[0]:
            raise _InvalidHands(t(words.TOO_FEW_HOLE_CARDS, count=ranking.from_hole[0]))


def _result_lines(
    hand_evaluator: Evaluator, holes: Sequence[Sequence[int]], board: Sequence[int], *, values: bool
) -> list[str]:
    hand_values = hand_evaluator.values(holes, board)
    best = max(hand_values)
    winning = words.HAND_TIES if hand_values.count(best) > 1 else words.HAND_WINS
    lines: list[str] = []
    for hole, value in zip(holes, hand_values, strict=True):
        written = " ".join(map(cards.card_text, hole))
        if value == 0:
            lines.append(t(words.NOT_QUALIFIED, cards=written))
            continue
        sentence = winning if len(holes) > 1 and value == best else words.HAND
        lines.append(t(sentence, cards=written, hand=hand_name(hand_evaluator.name(value))))
        lines.append(t(words.PLAYS, cards=_cards_played(hand_evaluator, hole, board)))
        if values:
            lines.append(t(words.VALUE, value=value))
    return lines


def _cards_played(hand_evaluator: Evaluator, hole: Sequence[int], board: Sequence[int]) -> str:
    played = hand_layout(hand_evaluator, hole, board)
    pairs = zip(played.cards, played.stands_for, strict=True)
    return " ".join(
        cards.card_text(card) if card == as_card else f"{cards.card_text(card)}={cards.card_text(as_card)}"
        for card, as_card in pairs
    )
