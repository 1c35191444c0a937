"""Measure how fast the engine deals six-handed no-limit hold'em, against PokerKit and texasholdem on the same decisions, in CPU time.

Run with ``python -m tests.benchmarks.bench_engine`` or ``pytest -m bench -n0 -s tests/benchmarks/bench_engine.py``. Passes of all
contestants alternate and the median of each counts, so that a busy machine slows all of them alike.
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from pokerkit import Automation, NoLimitTexasHoldem
from texasholdem.game.action_type import ActionType  # type: ignore[import-untyped]
from texasholdem.game.game import TexasHoldEm  # type: ignore[import-untyped]

from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.decide import decide, decide_and_evolve, legal, start
from bot.engine.events import HandStarted
from bot.engine.evolve import evolve_all
from bot.engine.hand import Hand
from bot.engine.legal import LegalActions
from bot.engine.stakes import Stakes
from bot.variants import game

PLAYERS, STACK, SMALL, BIG = 6, 10_000, 50, 100
HANDS, PASSES = 60, 9
WARM_HANDS, COLD_PROCESSES = 2_000, 30

CARD = game("holdem")
STAKES = Stakes(small_blind=SMALL, big_blind=BIG)
STARTED = HandStarted(
    CARD, CARD.options, STAKES, tuple(range(1, PLAYERS + 1)), (STACK,) * PLAYERS,
    regular_posts(CARD, CARD.options, STAKES, PLAYERS), PLAYERS,
)  # fmt: skip


@dataclass(frozen=True)
class PlayingStyle:
    """The shares of a script's actions: of checks where one can check; of folds, and of calls or folds, facing a bet.

    The mix matters: a showdown of many costs a peer more than a fold does, so the more hands are played out the larger our ratio.
    """

    name: str
    checks: float
    folds: float
    calls_or_folds: float


CALLING = PlayingStyle("calling: most see the showdown", 0.88, 0.08, 0.90)
PLAYING = PlayingStyle("playing: two or three see the showdown", 0.65, 0.22, 0.85)
FOLDING = PlayingStyle("folding: few hands are shown", 0.62, 0.55, 0.82)
PLAYING_STYLES = (CALLING, PLAYING, FOLDING)


@dataclass(frozen=True)
class Script:
    """One hand to play: the deck, and the actions in order."""

    deck: tuple[int, ...]
    commands: tuple[c.HandCommand, ...]


def choose(rng: random.Random, may: LegalActions, mix: PlayingStyle) -> c.HandCommand:
    """Choose a decision of the mix."""
    at = rng.random()
    if may.check:
        return c.Check() if at < mix.checks else c.Bet(may.min_to) if may.opening else c.RaiseTo(may.min_to)
    if at < mix.folds:
        return c.Fold()
    if at < mix.calls_or_folds or not may.max_to:
        return c.Call()
    return c.RaiseTo(min(may.max_to, may.min_to * rng.choice((1, 2))))


def script(seed: int, mix: PlayingStyle = PLAYING) -> Script:
    """Play a random hand and record its decisions."""
    rng = random.Random(seed)
    deck = list(range(52))
    rng.shuffle(deck)
    hand, commands = start(STARTED, tuple(deck))[1], []
    while not hand.over:
        command = choose(rng, legal(hand, hand.to_act), mix)
        commands.append(command)
        hand = decide_and_evolve(hand, hand.to_act, command)[1]
    return Script(tuple(deck), tuple(commands))


def by_rule(scripts: list[Script]) -> None:
    """Play as a table does: ask what is legal, decide, keep the hand that comes with the events."""
    for told in scripts:
        hand = start(STARTED, told.deck)[1]
        for command in told.commands:
            seat = hand.to_act
            legal(hand, seat)
            hand = decide_and_evolve(hand, seat, command)[1]


def by_evolve(scripts: list[Script]) -> None:
    """Play the long way: decide, then apply the events to the hand from before."""
    for told in scripts:
        hand = start(STARTED, told.deck)[1]
        for command in told.commands:
            seat = hand.to_act
            legal(hand, seat)
            hand = evolve_all(hand, decide(hand, seat, command))


AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def by_pokerkit(scripts: list[Script]) -> None:
    """Play with PokerKit and all its automations. It gets the decisions and is asked nothing."""
    for told in scripts:
        state = NoLimitTexasHoldem.create_state(
            AUTOMATIONS, True, 0, (SMALL, BIG), BIG, (STACK,) * PLAYERS, PLAYERS
        )  # fmt: skip
        for command in told.commands:
            match command:
                case c.Fold():
                    state.fold()
                case c.Bet(to) | c.RaiseTo(to):
                    state.complete_bet_or_raise_to(to)
                case _:
                    state.check_or_call()
        assert not state.status


def by_texasholdem(scripts: list[Script]) -> None:
    """Play with texasholdem. It gets the decisions and is asked nothing."""
    for told in scripts:
        table = TexasHoldEm(buyin=STACK, big_blind=BIG, small_blind=SMALL, max_players=PLAYERS)
        table.start_hand()
        for command in told.commands:
            match command:
                case c.Fold():
                    table.take_action(ActionType.FOLD)
                case c.Check():
                    table.take_action(ActionType.CHECK)
                case c.Bet(to) | c.RaiseTo(to):
                    table.take_action(ActionType.RAISE, total=to)
                case _:
                    table.take_action(ActionType.CALL)
        assert not table.is_hand_running()


CONTESTANTS: dict[str, Callable[[list[Script]], None]] = {
    "legal + rule": by_rule,
    "legal + decide + evolve": by_evolve,
    "PokerKit, automated": by_pokerkit,
    "texasholdem": by_texasholdem,
}


def hands_per_second(scripts: list[Script], passes: int = PASSES) -> dict[str, float]:
    """Return the hands per second of CPU time of every contestant, the median of the passes."""
    taken: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for play in CONTESTANTS.values():
        play(scripts[:5])  # warm
    for _ in range(passes):
        for name, play in CONTESTANTS.items():
            before = time.process_time()
            play(scripts)
            taken[name].append(time.process_time() - before)
    return {name: len(scripts) / statistics.median(times) for name, times in taken.items()}


def decision_times(scripts: list[Script]) -> list[int]:
    """Return the CPU nanoseconds of every single decision, start of the hand included, as a table asks for it."""
    taken: list[int] = []
    for told in scripts:
        before = time.thread_time_ns()
        hand: Hand = start(STARTED, told.deck)[1]
        taken.append(time.thread_time_ns() - before)
        for command in told.commands:
            before = time.thread_time_ns()
            seat = hand.to_act
            legal(hand, seat)
            hand = decide_and_evolve(hand, seat, command)[1]
            taken.append(time.thread_time_ns() - before)
    return taken


def percentile_999(times: list[int]) -> float:
    """Return the 99.9th percentile, in milliseconds."""
    return sorted(times)[min(len(times) - 1, len(times) * 999 // 1000)] / 1e6


def cold_decision_times(processes: int = COLD_PROCESSES) -> list[int]:
    """Return the CPU nanoseconds of the decisions of one hand in each of many fresh processes, where nothing is cached yet."""
    taken: list[int] = []
    for seed in range(processes):
        told = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.bench_engine", "--cold", str(seed)],
            capture_output=True, check=True, text=True,
        )  # fmt: skip
        taken += json.loads(told.stdout)
    return taken


def cold(seed: int) -> None:
    """Play one hand that another process has recorded: in this one everything is new."""
    written = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.bench_engine", "--script", str(seed)],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    commands = [
        {"f": c.Fold(), "x": c.Check(), "c": c.Call()}.get(word) or _wager(word) for word in json.loads(written.stdout)
    ]
    rng = random.Random(seed)
    deck = list(range(52))
    rng.shuffle(deck)
    sys.stdout.write(json.dumps(decision_times([Script(tuple(deck), tuple(commands))])))


def _wager(word: str) -> c.HandCommand:
    return c.Bet(int(word[1:])) if word[0] == "b" else c.RaiseTo(int(word[1:]))


def _word(command: c.HandCommand) -> str:
    match command:
        case c.Bet(to):
            return f"b{to}"
        case c.RaiseTo(to):
            return f"r{to}"
        case c.Fold():
            return "f"
        case c.Check():
            return "x"
        case _:
            return "c"


def beside_pokers(scripts: list[Script], mix: PlayingStyle, passes: int) -> list[str]:
    """Compare an action with one of pokers, which is written in Rust. Returns lines of text.

    It plays hands of its own in the same style: it deals in another order, allows raises that are too small, has no shares of chips, and
    writes a line at each showdown. It is asked what is legal and takes the action, as we are.
    """
    try:
        import pokers  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return ["  pokers is not installed"]
    word, action = pokers.ActionEnum, pokers.Action

    def play() -> int:
        """Play as many hands as we do. Returns the number of actions."""
        taken = 0
        for seed in range(len(scripts)):
            rng = random.Random(seed)
            state = pokers.State.from_seed(
                n_players=PLAYERS, button=PLAYERS - 1, sb=SMALL, bb=BIG, stake=STACK, seed=seed
            )
            while not state.final_state:
                legal_actions, at = state.legal_actions, rng.random()
                can_raise = word.Raise in legal_actions
                if word.Check in legal_actions:
                    chosen = action(word.Raise, amount=BIG) if at >= mix.checks and can_raise else action(word.Check)
                elif at < mix.folds:
                    chosen = action(word.Fold)
                elif at < mix.calls_or_folds or not can_raise:
                    chosen = action(word.Call)
                else:
                    chosen = action(word.Raise, amount=BIG)
                state = state.apply_action(chosen)
                taken += 1
        return taken

    actions = sum(len(told.commands) for told in scripts)
    ours: list[float] = []
    theirs: list[float] = []
    with no_output():
        for _ in range(passes):
            before = time.process_time()
            by_rule(scripts)
            between = time.process_time()
            ours.append((between - before) / actions)
            count = play()
            theirs.append((time.process_time() - between) / count)
    ratio = statistics.median(its / mine for its, mine in zip(theirs, ours, strict=True))
    return [
        f"  {'pokers, hands of its own':<26}{count / len(scripts):>9.1f} actions a hand"
        f"{statistics.median(theirs) * 1e6:>8.1f} µs an action   1 : {ratio:.2f}"
    ]


@contextlib.contextmanager
def no_output() -> Iterator[None]:
    """Let nothing be written inside the ``with`` block, not even by what is not written in Python."""
    sys.stdout.flush()
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


def report(
    hands_each: int = HANDS, passes: int = PASSES, warm_hands: int = WARM_HANDS, cold_processes: int = COLD_PROCESSES
) -> str:
    """Return all measurements as lines of text."""
    lines = [f"Six-handed no-limit hold'em, CPU time, medians of {passes} passes"]
    for mix in PLAYING_STYLES:
        scripts = [script(seed, mix) for seed in range(hands_each)]
        actions = sum(len(told.commands) for told in scripts) / hands_each
        lines.append(f"{mix.name}; {actions:.1f} actions a hand")
        speed = hands_per_second(scripts, passes)
        for name, hands in speed.items():
            times = speed["legal + rule"] / hands
            lines.append(
                f"  {name:<26}{hands:>9,.0f} hands/s {1e6 / hands / actions:>9.1f} µs an action   1 : {times:.1f}"
            )
        peer = speed["PokerKit, automated"]
        lines.append(
            f"  × PokerKit: legal + rule {speed['legal + rule'] / peer:.1f},"
            f" legal + decide + evolve {speed['legal + decide + evolve'] / peer:.1f}"
        )
        lines += beside_pokers(scripts, mix, passes)
    warm = decision_times([script(seed) for seed in range(warm_hands)])
    fresh = cold_decision_times(cold_processes)
    for name, times_taken in (("warm", warm), ("cold", fresh)):
        lines.append(
            f"one decision, {name}: p99.9 {percentile_999(times_taken):.3f} ms,"
            f" worst {max(times_taken) / 1e6:.3f} ms of {len(times_taken):,}"
        )
    return "\n".join(lines)


@pytest.mark.bench
def test_hands_per_second() -> None:
    print("\n" + report())


def test_the_contestants_play_the_same_hands() -> None:
    """Every contestant takes every decision of the scripts, to the end of the hand."""
    scripts = [script(seed, mix) for mix in PLAYING_STYLES for seed in range(3)]
    for play in CONTESTANTS.values():
        play(scripts)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--cold", seed]:
            cold(int(seed))
        case ["--script", seed]:
            sys.stdout.write(json.dumps([_word(command) for command in script(int(seed)).commands]))
        case _:
            parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
            parser.add_argument("--hands", type=int, default=HANDS, help="of each style")
            parser.add_argument("--passes", type=int, default=PASSES)
            parser.add_argument(
                "--warm-hands", type=int, default=WARM_HANDS, help="whose decisions are timed one by one"
            )
            parser.add_argument("--cold-processes", type=int, default=COLD_PROCESSES)
            given = parser.parse_args()
            print(report(given.hands, given.passes, given.warm_hands, given.cold_processes))
