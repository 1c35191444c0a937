"""How fast the engine deals every game that PokerKit deals too, on the same cards and decisions, in CPU time; and the slowest decisions of
every game there is.

Run with ``python -m tests.benchmarks.bench_games`` or ``pytest -m bench -n0 -s tests/benchmarks/bench_games.py``. Our side goes the way a
table goes, `legal` and then `rule`; PokerKit is told cards and decisions ready made and asked nothing. Passes of both alternate and the
median of each counts, so that a busy machine slows both alike.
"""

import json
import random
import statistics
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any

import pokerkit as pk
import pytest

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.card import RuleCard
from bot.engine.hand import Hand
from bot.engine.legal import Decision, Legal
from bot.engine.packs import PACKS
from bot.engine.posts import regular_posts
from bot.engine.ruling import legal, rule, start
from bot.engine.silence import silent
from bot.variants import CATALOGUE, game
from bot.variants.usual import usual_stakes
from tests.support import pokerkit_games as both

HANDS, PASSES = 40, 7
MOST_PLAYERS = 6
WARM_HANDS, COLD_PROCESSES = 400, 6

Operation = tuple[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Script:
    """One hand to play: the deal, what each seat in turn does, and the same as PokerKit is told it."""

    deal: both.Deal
    commands: tuple[c.Command, ...]
    operations: tuple[Operation, ...]


def choose(rng: random.Random, hand: Hand, may: Legal) -> c.Command:
    """A decision such that hands run to some twenty actions."""
    if may.decision is not Decision.BET:
        return choose_else(rng, hand, may)
    at = rng.random()
    if may.bring_in:
        return c.Bet(may.bring_in)
    if may.check:
        return c.Check() if at < 0.65 or not may.max_to else c.Bet(may.min_to) if may.opening else c.RaiseTo(may.min_to)
    if may.fold and (at < 0.22 or not (may.call or may.max_to)):
        return c.Fold()
    if may.max_to and (at > 0.85 or not may.call):
        return c.Bet(may.min_to) if may.opening else c.RaiseTo(may.min_to)
    return c.Call()


def choose_else(rng: random.Random, hand: Hand, may: Legal) -> c.Command:
    """What is chosen where nobody bets."""
    match may.decision:
        case Decision.DRAW:
            most = min(may.most, len(hand.deck) - hand.place)
            return c.Discard(tuple(rng.sample(hand.down[may.seat], rng.randint(0, most))))
        case Decision.DROP | Decision.PASS | Decision.ARRANGE:
            return c.Discard(tuple(rng.sample(hand.down[may.seat], may.most)))
        case Decision.DECLARE:
            return c.Declare(rng.choice(may.words))
        case Decision.STRADDLE | Decision.OFFER:
            return c.Accept() if rng.random() < 0.5 else c.Decline()
        case _:
            return silent(hand)


class _Listener:
    """Stands before PokerKit's state and writes down what it is told."""

    def __init__(self, state: pk.State) -> None:
        self.state = state
        self.told: list[Operation] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.state, name)
        if name not in _OPERATIONS:
            return found

        def tell(*arguments: Any) -> object:
            ready = tuple(tuple(pk.Card.parse(word)) if isinstance(word, str) else word for word in arguments)
            self.told.append((name, ready))
            return found(*arguments)

        return tell


_OPERATIONS = frozenset(
    {
        "burn_card", "deal_hole", "deal_board", "stand_pat_or_discard", "post_bring_in", "complete_bet_or_raise_to", "fold",
        "check_or_call",
    }
)  # fmt: skip


def deal_of(rng: random.Random, key: str) -> both.Deal:
    """A deal of deep, equal stacks."""
    card = game(key)
    players = min(card.seats_max, MOST_PLAYERS)
    stakes = both.stakes_of(card, 50, 0)
    deck = list(PACKS[card.options.deck])
    rng.shuffle(deck)
    return both.Deal(card, card.options, stakes, (both.UNIT * 10_000,) * players, tuple(deck))


def script(key: str, seed: int) -> Script | None:
    """Play a random hand on both sides and write it down; None where the two do not agree on it (known faults, reshuffled packs)."""
    rng = random.Random(seed)
    deal = deal_of(rng, key)
    hand, commands = both.ours(deal)[1], []
    judge = both.Judge(deal)
    listener: Any = _Listener(judge.state)
    judge.state = listener
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            judge.dealt(hand)
            while not hand.over:
                command = choose(rng, hand, legal(hand, hand.to_act))
                judge.tell(hand, command)
                commands.append(command)
                happened, hand = rule(hand, hand.to_act, command)
                if any(isinstance(event, e.Reshuffled) for event in happened):
                    return None
                judge.dealt(hand)
        except ValueError:
            return None
    if listener.state.status or list(listener.state.stacks) != hand.stacks:
        return None
    return Script(deal, tuple(commands), tuple(listener.told))


def scripts_of(key: str, hands: int = HANDS) -> list[Script]:
    """So many scripts of a game that both sides agree on."""
    found: list[Script] = []
    seed = 0
    while len(found) < hands:
        told = script(key, seed)
        found += [told] if told is not None else []
        seed += 1
    return found


def by_rule(scripts: list[Script]) -> None:
    """As a table plays: ask what is legal, rule, keep the hand that comes with the ruling."""
    for told in scripts:
        hand = both.ours(told.deal)[1]
        for command in told.commands:
            seat = hand.to_act
            legal(hand, seat)
            hand = rule(hand, seat, command)[1]


def by_pokerkit(scripts: list[Script]) -> None:
    """PokerKit, told the cards and the decisions and asked nothing."""
    for told in scripts:
        state = both.theirs(told.deal)
        for name, arguments in told.operations:
            getattr(state, name)(*arguments)


def compare(key: str, passes: int = PASSES) -> tuple[float, float, float]:
    """Hands per second of CPU time of both, the medians of the passes, and actions a hand."""
    scripts = scripts_of(key)
    actions = sum(len(told.commands) for told in scripts) / len(scripts)
    mine: list[float] = []
    theirs: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        by_rule(scripts[:5])
        by_pokerkit(scripts[:5])
        for _ in range(passes):
            for taken, play in ((mine, by_rule), (theirs, by_pokerkit)):
                before = time.process_time()
                play(scripts)
                taken.append(time.process_time() - before)
    return len(scripts) / statistics.median(mine), len(scripts) / statistics.median(theirs), actions


def started_of(rng: random.Random, card: RuleCard) -> tuple[e.HandStarted, tuple[int, ...]]:
    """A deal of any game of the catalogue, by its own options."""
    players = min(card.seats_max, MOST_PLAYERS)
    stakes = usual_stakes(card)
    deck = list(PACKS[card.options.deck])
    rng.shuffle(deck)
    started = e.HandStarted(
        card, card.options, stakes, tuple(range(1, players + 1)), (10_000,) * players,
        regular_posts(card, card.options, stakes, players), players,
    )  # fmt: skip
    return started, tuple(deck)


def decision_times(card: RuleCard, seeds: range) -> list[int]:
    """CPU nanoseconds of every single decision of random hands, the start of each hand included, as a table asks for it."""
    taken: list[int] = []
    for seed in seeds:
        rng = random.Random(seed)
        started, deck = started_of(rng, card)
        before = time.thread_time_ns()
        hand = start(started, deck)[1]
        taken.append(time.thread_time_ns() - before)
        while not hand.over:
            command = choose(rng, hand, legal(hand, hand.to_act))
            before = time.thread_time_ns()
            seat = hand.to_act
            legal(hand, seat)
            hand = rule(hand, seat, command)[1]
            taken.append(time.thread_time_ns() - before)
    return taken


def cold_decision_times(card: RuleCard, processes: int = COLD_PROCESSES) -> list[int]:
    """The same, of one hand in each of several fresh processes, where nothing has been remembered yet."""
    taken: list[int] = []
    for seed in range(processes):
        told = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.bench_games", "--cold", card.key, str(seed)],
            capture_output=True, check=True, text=True,
        )  # fmt: skip
        taken += json.loads(told.stdout)
    return taken


def per_mille_999(times: list[int]) -> float:
    """The 99.9th percentile, in milliseconds."""
    return sorted(times)[min(len(times) - 1, len(times) * 999 // 1000)] / 1e6


def report_speed(keys: list[str]) -> str:
    """Every comparable game against PokerKit, as lines of text."""
    lines = [
        f"{'game':<28}{'ours':>10} {'PokerKit':>9} {'ratio':>7} {'actions':>8}   hands/s of CPU time, medians of {PASSES}"
    ]
    for key in keys:
        mine, theirs, actions = compare(key)
        lines.append(f"{key:<28}{mine:>10,.0f} {theirs:>9,.0f} {mine / theirs:>6.1f}× {actions:>8.1f}")
    return "\n".join(lines)


def report_decisions(cards: list[RuleCard], *, cold: bool) -> str:
    """The slowest decisions of games, warm, and cold where asked for."""
    lines = [f"{'game':<28}{'warm p99.9':>12}{'worst':>9}{'cold p99.9':>12}{'worst':>9}   ms of CPU time, one decision"]
    for card in cards:
        decision_times(card, range(WARM_HANDS, WARM_HANDS + 150))  # warm
        warm = decision_times(card, range(WARM_HANDS))
        fresh = cold_decision_times(card) if cold else [0]
        lines.append(
            f"{card.key:<28}{per_mille_999(warm):>12.3f}{max(warm) / 1e6:>9.3f}{per_mille_999(fresh):>12.3f}{max(fresh) / 1e6:>9.3f}"
        )
    return "\n".join(lines)


@pytest.mark.bench
def test_hands_per_second_of_every_game() -> None:
    print("\n" + report_speed(list(both.HAND_TYPES)))


@pytest.mark.bench
def test_worst_decision_of_every_game() -> None:
    print("\n" + report_decisions(list(CATALOGUE), cold=True))


def test_both_sides_play_the_same_hands() -> None:
    """Every script plays through on both sides, to the end of the hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for key in ("omaha8", "stud", "badugi"):
            scripts = scripts_of(key, 2)
            by_rule(scripts)
            by_pokerkit(scripts)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--cold", key, seed]:
            sys.stdout.write(json.dumps(decision_times(game(key), range(int(seed), int(seed) + 1))))
        case ["--speed", *keys]:
            print(report_speed(keys or list(both.HAND_TYPES)))
        case ["--decisions", *keys]:
            print(report_decisions([game(key) for key in keys] or list(CATALOGUE), cold=False))
        case _:
            print(report_speed(list(both.HAND_TYPES)))
            print(report_decisions(list(CATALOGUE), cold=True))
