"""All-in luck: the processor time of a hand, by game, where all boards are looked at and where 2,000 are drawn, and what it does to memory.
Before that the odds of run-outs: how long a street waits for the process.

    python -m tests.benchmarks.bench_luck [--hands 20] [--games london,stud8] [--odds-hands 120] [--only-odds]

Hands are played with two players up to a full table, all-in on any street, with side pots where stacks differ. Each hand is measured three
ways, in processes of its own: as the first one that a process tells and is not prepared for ("cold"); as the first one after the process
has prepared for the game, as it does while the streets are shown; and, in one process, after others of the game ("warm"). House rankings
come after the games: wild cards, special hands, other lows, and hearts that break ties.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import random
import struct
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from bot.child_process import end_child, read_frame, start_child, write_frame
from bot.engine import rules_in_force
from bot.engine.events import HandStarted
from bot.engine.evolve import begin_hand, evolve
from bot.engine.options.register import with_option
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.runtime.luck_teller import LUCK_WORKER
from bot.runtime.luck_worker import PlayedGame, encode_game, encode_hand, encode_odds_request
from bot.statistics.all_in_hand import AllInHand, all_in_hand, hand_run_out, seed_of
from bot.statistics.luck import all_in_luck, prepare_luck
from bot.variants import CATALOGUE, game
from tests.statistics.all_in_hands import rough_hand
from tests.statistics.test_luck import WITH_LUCK

ranking = importlib.import_module("bot.engine.ranking.evaluator")
"""The module; the package has a function of this name."""
GOAL_MS = 100.0
MAX_TRIES = 12
WILD_GAMES = (
    "holdem + deuces wild", "omaha hi-lo + one-eyed jacks wild", "big_o + deuces wild", "stud8 + one-eyed jacks wild",
    "stud + cats and dogs", "london + deuces wild", "lazy_pineapple + deuces wild", "short_deck + joker", "follow_the_queen + joker",
)  # fmt: skip
HEARTS_FIRST = ("holdem", "lazy_pineapple", "double_board_holdem", "omaha8", "london", "follow_the_queen")
OTHER_LOWS = ("big_o", "stud_hilo", "courchevel8")
HOUSE_OPTIONS = (
    *[(key, "suit_rank", "hearts_first") for key in HEARTS_FIRST],
    *[(key, "low_scale", scale) for key in OTHER_LOWS for scale in ("27", "ace_low")],
)


def hands_of(card: RuleCard, number: int, options: Options | None = None) -> list[AllInHand]:
    """Return so many all-in hands of a game, or as many as come up."""
    rng, found = random.Random(card.key), []
    for number_of_try in range(MAX_TRIES * number):
        players = rng.randint(max(2, card.seats_min), card.seats_max)
        events, deck = rough_hand(
            rng,
            card,
            players,
            calm_rounds=rng.choice((0, 0, 0, 1, 2)),
            folds=rng.choice((0.0, 0.3, 0.6)),
            options=options,
        )
        hand = all_in_hand(events, deck, seed_of(1, number_of_try))
        found += [hand] if hand is not None else []
        if len(found) == number:
            break
    return found


def measure(number: int, games: Sequence[str]) -> None:
    """Print a line for each game and house ranking, and which missed the goal."""
    print(
        f"  ms CPU, worst of {number} hands of a game, all-in on any street   (goal: {GOAL_MS:.0f}, prepared or warm)"
    )
    print(f"  {'game':40}{'hands':>6}{'cold':>8}{'prepared':>10}{'in':>8}{'warm':>8}{'median':>8}")
    cases: list[tuple[str, RuleCard, Options | None]] = [
        (key, game(key), None) for key in (*WITH_LUCK, *WILD_GAMES) if not games or key in games
    ]
    cases += [
        (f"{key}, {value}", game(key), with_option(game(key).options, option, value))
        for key, option, value in HOUSE_OPTIONS
        if not games or key in games
    ]
    for name, card, options in cases:
        hands = [
            msgspec.msgpack.encode(hand) for hand in hands_of(card, number, options)
        ]  # no process knows their rules
        cold = max(_in_process([hand], _told_ms)[0] for hand in hands)
        first = [_in_process([hand], _prepared_ms, _told_ms) for hand in hands]
        preparing, prepared = max(ms for ms, _ in first), max(ms for _, ms in first)
        warm = _in_process(hands, _told_ms)[len(hands) // 2 :]
        is_missed = max(prepared, *warm) > GOAL_MS
        print(
            f"  {name:40}{len(hands):6}{cold:8.1f}{prepared:10.1f}{preparing:8.1f}{max(warm):8.1f}{_median(warm):8.1f}"
            f"{'  MISSED' if is_missed else ''}",
            flush=True,
        )
    print(f"  {len(WITH_LUCK)} of {len(CATALOGUE)} games have luck")


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


def _in_process(hands: Sequence[bytes], *measures: Callable[[bytes], float]) -> list[float]:
    """Return what each of these measures of each hand, in a process of its own that has learned nothing yet."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        for cached in (rules_in_force._cached_rules, ranking.evaluator, ranking._caches_for):
            cached.cache_clear()
        rules_in_force._RECENT_RULES.clear()
        found = [measure_ms(hand) for hand in hands for measure_ms in measures]
        os.write(writer, struct.pack(f"=I{len(found)}d", len(found), *found))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        (count,) = struct.unpack("=I", answer.read(4))
        values = list(struct.unpack(f"={count}d", answer.read(8 * count)))
    os.waitpid(child, 0)
    return values


def _told_ms(request: bytes) -> float:
    began = time.process_time()
    all_in_luck(msgspec.msgpack.decode(request, type=AllInHand))
    return (time.process_time() - began) * 1000


def _prepared_ms(request: bytes) -> float:
    began = time.process_time()
    hand = msgspec.msgpack.decode(request, type=AllInHand)
    prepare_luck(hand.rule_card, hand.options, hand.stakes)
    return (time.process_time() - began) * 1000


ODDS_CASES = (("holdem", 2), ("holdem", 3), ("omaha", 2), ("omaha8", 3), ("stud", 2), ("double_board_holdem", 2))
HANDS_OF_ODDS = 120
"""So many all-in hands of each case are asked for."""


def run_outs(card: RuleCard, players: int, number: int) -> list[list[AllInHand]]:
    """Return so many hands that were all-in in the first betting round, street by street."""
    rng, found = random.Random(f"odds {card.key} {players}"), []
    for number_of_hand in range(number):
        events, deck = rough_hand(rng, card, players)
        first = events[0]
        assert isinstance(first, HandStarted)
        hand, streets = begin_hand(first, deck), []
        for event in events[1:]:
            hand = evolve(hand, event)
            seen = hand_run_out(hand, seed_of(1, number_of_hand))
            if seen is not None and (not streets or seen.unknown != streets[-1].unknown):
                streets.append(seen)
        found.append(streets)
    return found


async def measure_odds(hands_of_a_case: int) -> None:
    """Ask the real process, which has prepared for the game, for the odds of each street."""
    process = await start_child(LUCK_WORKER)
    await read_frame(process, 60)
    assert process.stdin is not None

    async def ask(body: bytes) -> float:
        assert process.stdin is not None
        began = time.perf_counter()
        process.stdin.write(write_frame(body))
        await read_frame(process, 60)
        return (time.perf_counter() - began) * 1000

    print(f"  odds of a street, ms until the process has answered, {hands_of_a_case} hands each")
    print(f"  {'game':22}{'players':>8}{'street':>8}{'p50':>8}{'p99':>8}{'worst':>8}")
    for key, players in ODDS_CASES:
        hands = run_outs(game(key), players, hands_of_a_case)
        sample = next(streets[0] for streets in hands if streets)
        preparing = await ask(encode_game(PlayedGame(sample.rule_card, sample.options, sample.stakes)))
        for street in range(max(map(len, hands))):
            times = sorted([await ask(encode_odds_request(one[street])) for one in hands if len(one) > street])
            p99 = times[int(0.99 * (len(times) - 1))]
            print(f"  {key:22}{players:8}{street + 1:8}{_median(times):8.1f}{p99:8.1f}{times[-1]:8.1f}", flush=True)
        print(f"  {'':22}{'':8} prepared in {preparing:.0f} ms")
    await end_child(process)


async def measure_process(games: Sequence[str]) -> None:
    """Start the real process, let it tell hands of many games and look at its memory."""
    began = time.monotonic()
    process = await start_child(LUCK_WORKER)
    await read_frame(process, 60)
    started = time.monotonic() - began
    assert process.stdin is not None
    before = _resident_mb(process.pid)
    requests = []
    for key in games or WITH_LUCK:
        for hand in hands_of(game(key), 4):
            process.stdin.write(write_frame(encode_game(PlayedGame(hand.rule_card, hand.options, hand.stakes))))
            await read_frame(process, 60)
            body = encode_hand(hand)
            requests.append(len(body))
            process.stdin.write(write_frame(body))
            await read_frame(process, 60)
    print(
        f"  the process: ready after {started:.2f} s; {before:.0f} MB at first, {_resident_mb(process.pid):.0f} MB after "
        f"{len(requests)} hands of {len(games or WITH_LUCK)} games; a request has {max(requests):,} bytes at most"
    )
    await end_child(process)


def _resident_mb(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--games", default="", help="only these, by comma")
    parser.add_argument("--odds-hands", type=int, default=HANDS_OF_ODDS, help="run-outs of each game")
    parser.add_argument("--only-odds", action="store_true", help="leave luck out")
    chosen = parser.parse_args()
    asyncio.run(measure_odds(chosen.odds_hands))
    if chosen.only_odds:
        return
    games = [name for name in chosen.games.split(",") if name]
    measure(chosen.hands, games)
    asyncio.run(measure_process(games))


if __name__ == "__main__":
    main()
