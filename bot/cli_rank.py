"""``cardroom rank``: names and values hands, and says which wins."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import msgspec

from bot.engine import cards
from bot.engine.errors import TableError
from bot.engine.ranking import (
    AceStraight,
    Evaluator,
    Ranking,
    Scale,
    Wild,
    WildMethod,
    evaluator,
    long_name,
    short_name,
)
from bot.engine.ranking.presets import BY_NAME, MEXICAN_RANKS, SEVEN_TO_ACE, SIX_TO_ACE

_PACKS: dict[str, tuple[int, ...]] = {
    "52": cards.STANDARD_52,
    "53": cards.WITH_JOKER_53,
    "36": cards.STRIPPED_36,
    "32": cards.STRIPPED_32,
    "41": cards.MEXICAN_41,
}
_RANKS_OF = {"36": SIX_TO_ACE, "32": SEVEN_TO_ACE, "41": MEXICAN_RANKS}
_PACK_OF_GAME = {"short_deck": "36", "short_deck_trips": "36", "stripped": "36", "mexican": "41"}
_METHODS = {method.value: method for method in WildMethod if method is not WildMethod.NONE}


class _BadHands(Exception):
    """What was typed makes no sense as hands of this game."""


def run(arguments: list[str]) -> int:
    """Run the command. Returns the exit status: 0, or 2 for arguments that cannot be read."""
    try:
        asked = _parser().parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    try:
        ranking, pack = _game(asked)
        holes = [cards.parse_all(hand) for hand in asked.hands]
        board = cards.parse_all(asked.board)
        _check(holes, board, pack, ranking)
    except (TableError, _BadHands, ValueError) as error:
        print(f"cardroom rank: {error}", file=sys.stderr)
        return 2
    print("\n".join(_lines(evaluator(ranking), holes, board)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cardroom rank",
        description="Name and value poker hands. The higher value is the better hand, on low scales too.",
    )
    parser.add_argument("hands", nargs="+", metavar="HAND", help='cards such as "As Kd 10h", AsKdTh or "A♠ Jk"')
    parser.add_argument("--board", default="", help="common cards")
    parser.add_argument("--game", choices=sorted(BY_NAME), default="high", help="how hands are ranked (default: high)")
    parser.add_argument("--deck", choices=sorted(_PACKS), help="cards in the pack (default: by the game and the joker)")
    parser.add_argument("--wild", default="", metavar="LIST", help='wild ranks and cards: "2", "joker", "3 9", "Jh Js"')
    parser.add_argument(
        "--method",
        choices=sorted(_METHODS),
        help="what wild cards may stand for (default: free; bug and no_duplicate are laws W-4 and W-3)",
    )
    return parser


def _game(asked: argparse.Namespace) -> tuple[Ranking, tuple[int, ...]]:
    """Return the ranking and the pack that were asked for."""
    ranking = BY_NAME[asked.game]
    wild, has_joker = _wild(asked.wild, _METHODS[asked.method or WildMethod.FREE.value])
    if asked.method and not asked.wild and ranking.wild.method is WildMethod.NONE:
        raise _BadHands("--method needs --wild")
    if asked.wild:
        ranking = msgspec.structs.replace(ranking, wild=wild)
    elif asked.method:
        ranking = msgspec.structs.replace(ranking, wild=Wild(method=_METHODS[asked.method]))
    deck = asked.deck or _PACK_OF_GAME.get(asked.game) or ("53" if has_joker else "52")
    if deck in _RANKS_OF and ranking.ranks != _RANKS_OF[deck]:
        # Where no law lowers the ace in a stripped pack, it is high only (VB-10).
        ace = AceStraight.HIGH_ONLY if deck != "41" and ranking.scale is Scale.HIGH else ranking.ace_straight
        ranking = msgspec.structs.replace(ranking, ranks=_RANKS_OF[deck], ace_straight=ace)
    if deck == "53" and ranking.wild.method_of(cards.JOKER) is WildMethod.NONE:
        ranking = msgspec.structs.replace(ranking, wild=Wild(method=_METHODS[asked.method or WildMethod.FREE.value]))
    pack = _PACKS[deck]
    if has_joker and cards.JOKER not in pack:
        pack = (*pack, cards.JOKER)
    return ranking, pack


def _wild(line: str, method: WildMethod) -> tuple[Wild, bool]:
    """Read a list of wild ranks and cards; the second value is whether the joker is among them."""
    ranks: set[int] = set()
    single: set[int] = set()
    for word in line.replace(",", " ").split():
        rank = word.upper().replace("10", "T")
        if rank in cards.RANKS:
            ranks.add(cards.RANKS.index(rank))
        else:
            single.add(cards.parse(word))
    has_joker = cards.JOKER in single
    single.discard(cards.JOKER)
    return Wild(method=method, ranks=tuple(sorted(ranks)), cards=tuple(sorted(single))), has_joker


def _check(holes: Sequence[Sequence[int]], board: Sequence[int], pack: Sequence[int], ranking: Ranking) -> None:
    """Refuse a card that the pack has not, or not twice (K-6), and a hand with too few own cards for its game."""
    seen: set[int] = set()
    served = [card for card in pack if card == cards.JOKER or card >> 2 in ranking.ranks]
    for card in [card for hole in holes for card in hole] + list(board):
        if card not in served:
            hint = "; a joker needs --deck 53 or --wild joker" if card == cards.JOKER else ""
            raise _BadHands(f"the {cards.name(card)} is not in this pack of {len(served)}{hint}")
        if card in seen:
            raise _BadHands(f"the {cards.name(card)} is there twice")
        seen.add(card)
    for hole in holes:
        if not hole:
            raise _BadHands("a hand needs a card")
        if len(hole) + len(board) > 11:
            raise _BadHands("at most eleven cards can be ranked together")
        if board and ranking.from_hole is not None and len(hole) < ranking.from_hole[0]:
            raise _BadHands(f"this game plays {ranking.from_hole[0]} own cards")


def _lines(judge: Evaluator, holes: Sequence[Sequence[int]], board: Sequence[int]) -> list[str]:
    worths = judge.values(holes, board)
    best = max(worths)
    winners = worths.count(best)
    lines: list[str] = []
    for hole, worth in zip(holes, worths, strict=True):
        shown = " ".join(map(cards.text, hole))
        if worth == 0:
            lines.append(f"{shown}: does not qualify")
            continue
        name = judge.name(worth)
        long, short = long_name(name), short_name(name)
        said = long if long == short else f"{long} ({short})"
        ending = "" if len(holes) == 1 or worth != best else ", ties" if winners > 1 else ", wins"
        lines.append(f"{shown}: {said}, value {worth}{ending}")
        lines.append(f"    plays {_played(judge, hole, board)}")
    return lines


def _played(judge: Evaluator, hole: Sequence[int], board: Sequence[int]) -> str:
    played = judge.playing(hole, board)
    pairs = zip(played.cards, played.stands_for, strict=True)
    return " ".join(
        cards.text(card) if card == as_card else f"{cards.text(card)}={cards.text(as_card)}" for card, as_card in pairs
    )
