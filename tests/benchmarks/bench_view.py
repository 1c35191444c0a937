"""Measure the cost of a view early and late on a street with hundreds of actions: it must not grow with their number.

Run with ``python -m tests.benchmarks.bench_view`` or ``pytest -m bench -n0 -s tests/benchmarks/bench_view.py``.
"""

import argparse
import statistics
import time

import pytest

from bot.engine import commands as c
from bot.engine.decide import decide_and_evolve, start
from bot.engine.events import HandStarted, Post, PostKind
from bot.engine.hand import Hand
from bot.engine.stakes import Stakes
from bot.engine.view.build import view
from bot.variants import game

EARLY, LATE = 5, 500
"""The numbers of actions on the street after which a view is timed."""

PASSES = 25
LOOKS = 400


def hand_after(actions: int, players: int = 6) -> Hand:
    """Return a hand in which everybody raises by the minimum, over and over; the two blind posts count as actions.

    As at a table, the hand was looked at before its last action, and not since.
    """
    holdem, stakes = game("holdem"), Stakes(small_blind=50, big_blind=100)
    posts = (Post(0, PostKind.SMALL_BLIND, 50), Post(1, PostKind.BIG_BLIND, 100))
    seat_numbers = tuple(range(1, players + 1))
    started = HandStarted(
        holdem, holdem.options, stakes, seat_numbers, (1_000_000,) * players, posts, button_seat_number=players
    )
    hand = start(started, holdem_deck())[1]
    while len(hand.street_actions) < actions:
        view(hand, 0)
        hand = decide_and_evolve(hand, hand.to_act, c.RaiseTo(hand.current_bet + 100))[1]
    return hand


def holdem_deck() -> tuple[int, ...]:
    """Return the 52 cards in some order: it makes no difference here."""
    return tuple(range(52))


def view_times(hands: dict[int, Hand], passes: int = PASSES) -> dict[int, float]:
    """Return the microseconds of CPU time of the first view of each hand after an action: the median of passes that take turns."""
    taken: dict[int, list[float]] = {actions: [] for actions in hands}
    for _ in range(passes):
        for actions, hand in hands.items():
            before = time.process_time()
            for _ in range(LOOKS):
                view(hand.copy(), 0)  # a copy has not been looked at yet
            taken[actions].append((time.process_time() - before) / LOOKS * 1e6)
    return {actions: statistics.median(times) for actions, times in taken.items()}


def report(passes: int = PASSES) -> str:
    """Return both figures and their ratio."""
    times = view_times({actions: hand_after(actions) for actions in (EARLY, LATE)}, passes)
    lines = [f"view after {actions:>3} actions of the street: {cost:6.1f} µs" for actions, cost in times.items()]
    return "\n".join([*lines, f"late : early {times[LATE] / times[EARLY]:.2f} (at most 1.20)"])


@pytest.mark.bench
def test_view_costs_the_same_early_and_late() -> None:
    print("\n" + report())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passes", type=int, default=PASSES)
    print(report(parser.parse_args().passes))
