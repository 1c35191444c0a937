"""Helpers for the tests of ranking: hands are strings, and two of them can be compared."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine.cards import parse_cards
from bot.engine.ranking import Ranking, WildMethod, evaluator
from bot.text.hand_names import hand_name


def value_of(hand: str, ranking: Ranking, board: str = "") -> int:
    """Return the value of a hand written as ``As Kd …``."""
    return evaluator(ranking).best(parse_cards(hand), parse_cards(board))


def name_of(hand: str, ranking: Ranking | None = None, board: str = "") -> str:
    """Return a hand's name."""
    ranking = ranking or Ranking()
    return hand_name(evaluator(ranking).name(value_of(hand, ranking, board)))


def beats(one: str, other: str, ranking: Ranking | None = None) -> bool:
    """Return whether one hand beats the other, and not the other way round."""
    ranking = ranking or Ranking()
    return value_of(one, ranking) > value_of(other, ranking)


def ties(one: str, other: str, ranking: Ranking | None = None) -> bool:
    """Return whether two hands are equal."""
    ranking = ranking or Ranking()
    return value_of(one, ranking) == value_of(other, ranking)


_SUITS_BY_HAND = ("cdhsc", "hscdh")


def mixed(ranks: str, seat: int = 0) -> str:
    """Write ranks as cards of mixed suits, no card twice: ``AA334`` becomes ``AcAd3h3s4c``; another seat has other suits."""
    return "".join(rank + suit for rank, suit in zip(ranks, _SUITS_BY_HAND[seat], strict=True))


def suited(ranks: str, suit: str = "s") -> str:
    """Write ranks as cards of one suit."""
    return "".join(rank + suit for rank in ranks)


def with_wild(
    ranking: Ranking,
    *,
    ranks: tuple[int, ...] | None = None,
    cards: tuple[int, ...] | None = None,
    joker: WildMethod | None = None,
) -> Ranking:
    """Return the ranking after the wild cards have changed in the middle of a hand; what is not given stays."""
    now = ranking.wild
    changed = replace(
        now,
        ranks=now.ranks if ranks is None else tuple(sorted(ranks)),
        cards=now.cards if cards is None else tuple(sorted(cards)),
        joker=now.joker if joker is None else joker,
    )
    return replace(ranking, wild=changed)
