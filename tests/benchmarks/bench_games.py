"""Measure how fast the engine deals every game that PokerKit deals too, on the same cards and decisions, in CPU time; and the slowest
decisions of every game.

Run with ``python -m tests.benchmarks games`` (``--help`` says how to measure less), or by ``pytest -m bench -n0 -s``. A line is printed
as soon as a game is measured. Our side goes the way a table goes: from a deck in a given order, `legal` and then `rule` for every
decision. PokerKit does the same work: it deals from the same deck, is asked what the player can do, and told what they do. A second
figure spares it the first two: it is told ready-made cards and asked nothing, as no table could play. Passes of all sides alternate and
the median of each counts, so that a busy machine slows all alike.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pokerkit as pk
import pytest

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import cards_text
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.rule_card import RuleCard
from bot.engine.timeout import default_action
from bot.engine.usual_stakes import usual_stakes
from bot.variants import CATALOGUE, game
from tests.support import pokerkit_games as both

HANDS, PASSES = 40, 7
MAX_PLAYERS = 6
WARM_HANDS, COLD_PROCESSES = 400, 6

Operation = tuple[str, tuple[Any, ...]]
Play = Callable[["list[Script]"], list[int]]
"""Plays every script. Returns the stacks at the end of the last."""


@dataclass(frozen=True)
class Script:
    """One hand to play: the deal and its actions, and the same for PokerKit: operations with every card named, and its deck in the order in
    which those cards leave it."""

    deal: both.Deal
    commands: tuple[c.HandCommand, ...]
    operations: tuple[Operation, ...]
    deck: tuple[pk.Card, ...]


def choose(rng: random.Random, hand: Hand, may: LegalActions) -> c.HandCommand:
    """Choose a decision such that hands last some twenty actions."""
    if may.decision is not Decision.BET:
        return choose_else(rng, hand, may)
    at = rng.random()
    if may.bring_in:
        return c.Bet(may.bring_in)
    if may.check:
        return c.Check() if at < 0.65 or not may.max_to else c.Bet(may.min_to) if may.opening else c.RaiseTo(may.min_to)
    if may.fold and (at < 0.22 or not (may.call_chips or may.max_to)):
        return c.Fold()
    if may.max_to and (at > 0.85 or not may.call_chips):
        return c.Bet(may.min_to) if may.opening else c.RaiseTo(may.min_to)
    return c.Call()


def choose_else(rng: random.Random, hand: Hand, may: LegalActions) -> c.HandCommand:
    """Choose an action where nobody bets."""
    match may.decision:
        case Decision.DRAW:
            maximum = min(may.max_cards, len(hand.deck) - hand.next_card_index)
            return c.ChooseCards(tuple(rng.sample(hand.down_indices[may.seat], rng.randint(0, maximum))))
        case Decision.GIVE_UP | Decision.PASS_CARDS | Decision.ARRANGE:
            return c.ChooseCards(tuple(rng.sample(hand.down_indices[may.seat], may.max_cards)))
        case Decision.DECLARE:
            return c.Declare(rng.choice(may.declarable_words))
        case Decision.STRADDLE | Decision.OFFER:
            return c.Accept() if rng.random() < 0.5 else c.Decline()
        case _:
            return default_action(hand)


class _Listener:
    """Stands before PokerKit's state and records its operations."""

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
    """Return a hand of deep, equal stacks."""
    card = game(key)
    players = min(card.seats_max, MAX_PLAYERS)
    stakes = both.stakes_of(card, 50, 0)
    deck = list(DECKS[card.options.deck])
    rng.shuffle(deck)
    return both.Deal(card, card.options, stakes, (both.UNIT * 10_000,) * players, tuple(deck))


def script(key: str, seed: int) -> Script | None:
    """Play a random hand on both sides and record it; None where the two do not agree on it (known faults, a deck that runs out)."""
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
                happened, hand = decide_and_evolve(hand, hand.to_act, command)
                if any(isinstance(event, e.Reshuffled) for event in happened):
                    return None
                judge.dealt(hand)
        except ValueError:
            return None
    if listener.state.status or list(listener.state.stacks) != hand.stacks:
        return None
    deck = deck_for_pokerkit(deal, listener.told)
    return Script(deal, tuple(commands), tuple(listener.told), deck) if deck else None


def deck_for_pokerkit(deal: both.Deal, operations: list[Operation]) -> tuple[pk.Card, ...]:
    """Return a deck from which PokerKit deals the recorded cards; cards that nobody was dealt are burned. Empty if none is left."""
    dealt = [card for name, arguments in operations if name in ("deal_hole", "deal_board") for card in arguments[0]]
    rest = [card for card in pk.Card.parse(cards_text(deal.deck)) if card not in dealt]
    deck: list[pk.Card] = []
    for name, arguments in operations:
        if name == "burn_card":
            if not rest:
                return ()
            deck.append(rest.pop())
        elif name in ("deal_hole", "deal_board"):
            deck += arguments[0]
    return (*deck, *rest)


def scripts_of(key: str, hands: int = HANDS) -> list[Script]:
    """Return a number of scripts of a game that both sides agree on."""
    found: list[Script] = []
    seed = 0
    while len(found) < hands:
        told = script(key, seed)
        found += [told] if told is not None else []
        seed += 1
    return found


def by_rule(scripts: list[Script]) -> list[int]:
    """Play as a table does: ask what is legal, decide, keep the hand that comes with the events."""
    for told in scripts:
        hand = both.ours(told.deal)[1]
        for command in told.commands:
            seat = hand.to_act
            legal(hand, seat)
            hand = decide_and_evolve(hand, seat, command)[1]
    return hand.stacks


def by_pokerkit(scripts: list[Script]) -> list[int]:
    """Let PokerKit do the same work: deal from the deck, say what is legal, take the decision."""
    for told in scripts:
        state = both.theirs(told.deal)
        state.deck_cards.clear()
        state.deck_cards.extend(told.deck)
        for name, arguments in told.operations:
            match name:
                case "burn_card":
                    state.burn_card()
                case "deal_hole":
                    state.deal_hole(len(arguments[0]), arguments[1])
                case "deal_board":
                    state.deal_board(len(arguments[0]))
                case "stand_pat_or_discard":
                    state.can_stand_pat_or_discard()
                    state.stand_pat_or_discard(*arguments)
                case _:
                    ask(state)
                    getattr(state, name)(*arguments)
    return state.stacks


def ask(state: pk.State) -> None:
    """Ask PokerKit for what `legal` says of a turn to bet: whether one can fold, check or call, for how much, and the bounds of a raise."""
    state.can_fold()
    if state.can_check_or_call():
        _ = state.checking_or_calling_amount
    if state.can_complete_bet_or_raise_to():
        _ = state.min_completion_betting_or_raising_to_amount
        _ = state.max_completion_betting_or_raising_to_amount


def by_pokerkit_told(scripts: list[Script]) -> list[int]:
    """Let PokerKit play named cards and the decisions, and ask it nothing."""
    for told in scripts:
        state = both.theirs(told.deal)
        for name, arguments in told.operations:
            getattr(state, name)(*arguments)
    return state.stacks


def compare(key: str, hands: int = HANDS, passes: int = PASSES) -> tuple[list[float], float]:
    """Return hands per second of CPU time of ours, PokerKit, and PokerKit with named cards, medians of the passes; and actions per hand."""
    scripts = scripts_of(key, hands)
    actions = sum(len(told.commands) for told in scripts) / len(scripts)
    sides: tuple[Play, ...] = (by_rule, by_pokerkit, by_pokerkit_told)
    taken: list[list[float]] = [[] for _ in sides]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for play in sides:
            play(scripts[:5])
        for _ in range(passes):
            for times, play in zip(taken, sides, strict=True):
                before = time.process_time()
                play(scripts)
                times.append(time.process_time() - before)
    return [len(scripts) / statistics.median(times) for times in taken], actions


def started_of(rng: random.Random, card: RuleCard) -> tuple[e.HandStarted, tuple[int, ...]]:
    """Return a hand of any game of the catalogue, by its own options."""
    players = min(card.seats_max, MAX_PLAYERS)
    stakes = usual_stakes(card)
    deck = list(DECKS[card.options.deck])
    rng.shuffle(deck)
    started = e.HandStarted(
        card, card.options, stakes, tuple(range(1, players + 1)), (10_000,) * players,
        regular_posts(card, card.options, stakes, players), players,
    )  # fmt: skip
    return started, tuple(deck)


def decision_times(card: RuleCard, seeds: range) -> list[int]:
    """Return the CPU nanoseconds of every single decision of random hands, the start of each hand included, as a table asks for it."""
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
            hand = decide_and_evolve(hand, seat, command)[1]
            taken.append(time.thread_time_ns() - before)
    return taken


def cold_decision_times(card: RuleCard, processes: int = COLD_PROCESSES) -> list[int]:
    """Return the same of one hand in each of several fresh processes, where nothing is cached yet."""
    taken: list[int] = []
    for seed in range(processes):
        told = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.bench_games", "--cold", card.key, str(seed)],
            capture_output=True, check=True, text=True,
        )  # fmt: skip
        taken += json.loads(told.stdout)
    return taken


def percentile_999(times: list[int]) -> float:
    """Return the 99.9th percentile, in milliseconds."""
    return sorted(times)[min(len(times) - 1, len(times) * 999 // 1000)] / 1e6


def report_speed(keys: list[str], hands: int = HANDS, passes: int = PASSES) -> Iterator[str]:
    """Compare every game with PokerKit. Yields a line of text as soon as a game is measured."""
    yield (
        f"{'game':<28}{'ours':>10}{'PokerKit':>10}{'ratio':>8}{'only told':>11}{'ratio':>8}{'actions':>9}"
        f"   hands/s of CPU time, medians of {passes}"
    )
    for key in keys:
        (mine, theirs, told), actions = compare(key, hands, passes)
        yield (
            f"{key:<28}{mine:>10,.0f}{theirs:>10,.0f}{mine / theirs:>7.1f}×{told:>11,.0f}{mine / told:>7.1f}×{actions:>9.1f}"
        )


def report_decisions(cards: list[RuleCard], hands: int = WARM_HANDS, processes: int = COLD_PROCESSES) -> Iterator[str]:
    """Yield the slowest decisions of each game, warm, and cold if there are processes for that."""
    yield f"{'game':<28}{'warm p99.9':>12}{'worst':>9}{'cold p99.9':>12}{'worst':>9}   ms of CPU time, one decision"
    for card in cards:
        decision_times(card, range(hands, hands + 1 + hands * 3 // 8))  # warm
        warm = decision_times(card, range(hands))
        fresh = cold_decision_times(card, processes) or [0]
        yield (
            f"{card.key:<28}{percentile_999(warm):>12.3f}{max(warm) / 1e6:>9.3f}{percentile_999(fresh):>12.3f}{max(fresh) / 1e6:>9.3f}"
        )


def show(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)


@pytest.mark.bench
def test_hands_per_second_of_every_game() -> None:
    show(report_speed(list(both.HAND_TYPES)))


@pytest.mark.bench
def test_worst_decision_of_every_game() -> None:
    show(report_decisions(list(CATALOGUE)))


def test_both_sides_play_the_same_hands() -> None:
    """Every script plays on every side to the same stacks: PokerKit deals from its deck exactly the cards of our side."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for key in ("omaha8", "stud", "badugi"):
            for told in scripts_of(key, 2):
                assert by_rule([told]) == by_pokerkit([told]) == by_pokerkit_told([told])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="the keys of games; without one, every game")
    parser.add_argument("--speed", action="store_true", help="leave single decisions out")
    parser.add_argument("--decisions", action="store_true", help="leave the comparison out")
    parser.add_argument("--hands", type=int, default=HANDS, help="to compare, of each game")
    parser.add_argument("--passes", type=int, default=PASSES)
    parser.add_argument("--warm-hands", type=int, default=WARM_HANDS)
    parser.add_argument("--cold-processes", type=int, default=COLD_PROCESSES)
    given = parser.parse_args()
    compared = [key for key in both.HAND_TYPES if not given.games or key in given.games]
    if compared and not given.decisions:
        show(report_speed(compared, given.hands, given.passes))
    cards = [card for card in CATALOGUE if not given.games or card.key in given.games]
    if not given.speed:
        show(report_decisions(cards, given.warm_hands, given.cold_processes))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--cold", key, seed]:
            sys.stdout.write(json.dumps(decision_times(game(key), range(int(seed), int(seed) + 1))))
        case _:
            main()
