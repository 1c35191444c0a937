"""Measure hands ranked per second: ours beside pkrbot, eval7, phevaluator, treys and PokerKit, and ours with wild cards beside without.

Every contender gets the same hands in its own form, prepared beforehand, and takes turns in the same run; medians of CPU time. Ours is
measured warm (each signature asked before) unless the line says cold. Ratios are what counts: they are taken turn by turn.

    python -m tests.benchmarks.bench_ranking [--hands 20000] [--rounds 9] [--cold-hands 2000]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from bot.engine.cards import EIGHT, STANDARD_52, TWO, WITH_JOKER_53, card_text
from bot.engine.ranking import EXACTLY_TWO, Ranking, Scale, WildMethod, WildPolicy, evaluator
from bot.engine.ranking.evaluator import Evaluator

Hand = tuple[int, ...]
Contender = tuple[str, Callable[[Any], object], Sequence[Any]]

PLAIN = Ranking()
WILD = {
    "wild joker": (Ranking(wild=WildPolicy(method=WildMethod.FREE)), WITH_JOKER_53),
    "bug": (Ranking(wild=WildPolicy(method=WildMethod.BUG)), WITH_JOKER_53),
    "deuces wild": (Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,))), STANDARD_52),
}


def dealt(deck: Sequence[int], size: int, hands: int) -> list[Hand]:
    """Deal hands at random, the same ones every time."""
    shuffler = random.Random(f"{len(deck)} {size}")
    return [tuple(shuffler.sample(deck, size)) for _ in range(hands)]


def rates(contenders: Sequence[Contender], rounds: int) -> dict[str, list[float]]:
    """Return the hands per second of CPU time of each contender in every round. All take turns."""
    found: dict[str, list[float]] = {name: [] for name, _, _ in contenders}
    for _ in range(rounds):
        for name, rank, hands in contenders:
            begun = time.process_time()
            for hand in hands:
                rank(hand)
            found[name].append(len(hands) / (time.process_time() - begun))
    return found


def show(title: str, found: dict[str, list[float]]) -> None:
    """Print medians, and the median ratio of the first contender to each other."""
    (first, ours), *others = found.items()
    print(f"\n{title}")
    print(f"  {first:28} {statistics.median(ours):>12,.0f} a second")
    for name, theirs in others:
        ratio = statistics.median(mine / its for mine, its in zip(ours, theirs, strict=True))
        print(f"  {name:28} {statistics.median(theirs):>12,.0f} a second; {first} is {ratio:.2f} times that")


def warm(judge: Evaluator, hands: Sequence[Hand]) -> Callable[[Sequence[int]], int]:
    for hand in hands:
        judge.value(hand)
    return judge.value


def peers(hands: int, rounds: int) -> None:
    """Compare ours with the evaluators that are written in C, and with the one that is not."""
    import eval7  # type: ignore[import-untyped]
    import treys  # type: ignore[import-untyped]
    from phevaluator import evaluate_cards  # type: ignore[import-untyped]

    treys_evaluate = treys.Evaluator().evaluate
    try:
        import pkrbot  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        pkrbot = None
        print("pkrbot is not installed")
    for size in (5, 7):
        ours = dealt(STANDARD_52, size, hands)
        theirs = [[card_text(card) for card in hand] for hand in ours]
        treys_hands = [[treys.Card.new(word) for word in words] for words in theirs]
        contenders: list[Contender] = [
            ("cardroom", warm(evaluator(PLAIN), ours), ours),
            ("eval7", eval7.evaluate, [[eval7.Card(word) for word in words] for words in theirs]),
            ("phevaluator", lambda hand: evaluate_cards(*hand), ours),
            (
                "treys",
                lambda pair: treys_evaluate(pair[0], pair[1]),
                [(hand[:2], hand[2:]) for hand in treys_hands[: hands // 4]],
            ),
        ]
        if pkrbot is not None:
            contenders.append(("pkrbot", pkrbot.evaluate, [[pkrbot.Card(word) for word in words] for words in theirs]))
        show(f"{size} cards", rates(contenders, rounds))


def wild_cards(hands: int, rounds: int) -> None:
    """Compare ours with wild cards and ours without."""
    games = {"plain": (PLAIN, STANDARD_52), **WILD}
    games |= {scale.value: (Ranking(scale=scale), STANDARD_52) for scale in (Scale.ACE_TO_FIVE, Scale.DEUCE_TO_SEVEN)}
    for size in (5, 7):
        contenders: list[Contender] = []
        for name, (ranking, deck) in games.items():
            cards = dealt(
                deck, size, hands
            )  # each its own: hands that another has just touched would still be in the cache
            contenders.append((name, warm(evaluator(ranking), cards), cards))
        found = rates(contenders, rounds)
        print(f"\n{size} cards, ours: times the rate of plain hands")
        for name, each in found.items():
            ratio = statistics.median(one / base for one, base in zip(each, found["plain"], strict=True))
            print(f"  {name:28} {statistics.median(each):>12,.0f} a second; {ratio:.2f}")


def omaha(hands: int, rounds: int) -> None:
    """Rank hands of a showdown with four and six own cards, six players on each board, beside PokerKit, one hand at a time."""
    import pokerkit

    high, low = Ranking(from_hole=EXACTLY_TWO), Ranking(Scale.ACE_TO_FIVE, qualifier=EIGHT, from_hole=EXACTLY_TWO)
    for own in (4, 6):
        boards = max(hands // 40, 20)
        shuffler = random.Random(own)
        deals = [shuffler.sample(STANDARD_52, 5 + 6 * own) for _ in range(boards)]
        tables = [
            ([tuple(deal[5 + own * at : 5 + own * (at + 1)]) for at in range(6)], tuple(deal[:5])) for deal in deals
        ]
        words = [
            ("".join(map(card_text, holes[0])), "".join(map(card_text, board)))
            for holes, board in tables[: max(boards // 20, 10)]
        ]
        for title, ranking, theirs in (
            ("high", high, pokerkit.OmahaHoldemHand),
            ("eight or better", low, pokerkit.OmahaEightOrBetterLowHand),
        ):
            judge = evaluator(ranking)
            for holes, board in tables:
                judge.values(holes, board)
            contenders: list[Contender] = [
                ("cardroom", partial(_spread, judge.values), tables),
                ("PokerKit", partial(_spread, theirs.from_game_or_none), words),
            ]
            found = rates(contenders, rounds)
            found["cardroom"] = [6 * rate for rate in found["cardroom"]]
            show(f"Omaha, {own} own cards, {title}", found)


def _spread(rank: Callable[..., object], arguments: tuple[object, ...]) -> object:
    return rank(*arguments)


def cold(hands: int) -> None:
    """Time the slowest first questions: nothing is cached, and every hand is asked once."""
    print("\ncold: each hand asked of an empty memory, in ms of CPU time")
    games = {"plain": (PLAIN, STANDARD_52), **WILD}
    games["27"] = (Ranking(scale=Scale.DEUCE_TO_SEVEN), STANDARD_52)
    baseball = WildPolicy(method=WildMethod.FREE, ranks=(TWO, TWO + 1, TWO + 2))
    games["three ranks wild"] = (Ranking(wild=baseball), STANDARD_52)
    games["three ranks wild, low"] = (Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=baseball), STANDARD_52)
    for name, (ranking, deck) in games.items():
        judge = evaluator(ranking)
        times: list[float] = []
        for hand in dealt(deck, 7, hands):
            judge.clear_caches()
            begun = time.process_time()
            judge.value(hand)
            times.append((time.process_time() - begun) * 1000)
        times.sort()
        p999 = times[max(0, len(times) * 999 // 1000 - 1)]
        print(f"  {name:28} median {statistics.median(times):.3f}, p99.9 {p999:.3f}, worst {times[-1]:.3f}")


def measure(hands: int = 20_000, rounds: int = 9, cold_hands: int = 2_000) -> None:
    peers(hands, rounds)
    wild_cards(hands, rounds)
    omaha(hands, rounds)
    cold(cold_hands)


@pytest.mark.bench
def test_ranking() -> None:
    measure()


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    request.add_argument("--hands", type=int, default=20_000, help="different hands for each contender")
    request.add_argument("--rounds", type=int, default=9)
    request.add_argument("--cold-hands", type=int, default=2_000)
    given = request.parse_args()
    measure(given.hands, given.rounds, given.cold_hands)


if __name__ == "__main__":
    main()
