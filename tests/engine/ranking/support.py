"""Words for the tests of ranking: hands as strings, and who wins."""

from __future__ import annotations

from bot.engine.cards import parse_all
from bot.engine.ranking import Ranking, evaluator, long_name, short_name


def worth(hand: str, ranking: Ranking, board: str = "") -> int:
    """Return the worth of a hand written as ``As Kd …``."""
    return evaluator(ranking).best(parse_all(hand), parse_all(board))


def said(hand: str, ranking: Ranking | None = None, board: str = "") -> str:
    """Return a hand's long name."""
    ranking = ranking or Ranking()
    return long_name(evaluator(ranking).name(worth(hand, ranking, board)))


def said_short(hand: str, ranking: Ranking | None = None, board: str = "") -> str:
    """Return a hand's short name."""
    ranking = ranking or Ranking()
    return short_name(evaluator(ranking).name(worth(hand, ranking, board)))


def beats(one: str, other: str, ranking: Ranking | None = None) -> bool:
    """Whether one hand beats the other, and not the other way round."""
    ranking = ranking or Ranking()
    return worth(one, ranking) > worth(other, ranking)


def ties(one: str, other: str, ranking: Ranking | None = None) -> bool:
    """Whether two hands are equal."""
    ranking = ranking or Ranking()
    return worth(one, ranking) == worth(other, ranking)


_SUITS_OF = ("cdhsc", "hscdh")


def mixed(ranks: str, seat: int = 0) -> str:
    """Write ranks as cards of mixed suits, no card twice: ``AA334`` becomes ``AcAd3h3s4c``; another seat has other suits."""
    return "".join(rank + suit for rank, suit in zip(ranks, _SUITS_OF[seat], strict=True))


def suited(ranks: str, suit: str = "s") -> str:
    """Write ranks as cards of one suit."""
    return "".join(rank + suit for rank in ranks)
