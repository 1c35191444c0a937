"""Random hands of every game at random tables, each checked as `tests.engine.test_all_games_machine` checks them, and its pots recounted.

Each hand is checked after every event: the chips, the stacks, the pot, no card twice. At each decision everything that is offered is
accepted, the default action too, and two actions beside it are refused by a law, without a trace. One viewer's view, drawn by lot, does
not change with the cards that they cannot know. A ruling changes nothing in the hand it was given. A finished hand pays everything out,
replays from its events, is recounted pot by pot from its events alone, and its record plays again for one reader, drawn by lot.

Eight hands are dealt at each table. Chunks of a thousand hands are remembered in a file: what was broken off goes on after the last one.

    python -m tests.durability hands [--count 1000000] [--processes 2] [--seed 1] [--done FILE]
"""

from __future__ import annotations

import multiprocessing
import random
import time
import traceback
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bot.engine.hand import Hand
from bot.history import record as notation
from bot.variants import CATALOGUE
from tests.engine.random_table import any_table
from tests.engine.test_all_games_machine import WILD_GAMES, Machine
from tests.engine.test_pots_recounted import recounted

CHUNK = 1_000
HANDS_AT_A_TABLE = 8
GAMES = (*CATALOGUE, *WILD_GAMES)


class SampledMachine(Machine):
    """A random hand, checked after every event. Which view, which refusals and which record are looked at is drawn by lot."""

    beside = 2

    def viewers(self, hand: Hand) -> Iterable[int | None]:
        return (self.rng.choice((None, *range(hand.seat_count))),)

    def readers(self) -> list[notation.HistoryViewer]:
        return [self.rng.choice(super().readers())]


class Chunk(msgspec.Struct):
    """What was played in a chunk of hands.

    Attributes:
        pots: the pots that more than one hand competed for.
        voided: hands that were called off before their end.
        faults: the games and hands in which something did not hold, with the trace.
    """

    seed: int
    number: int
    hands: int = 0
    tables: int = 0
    events: int = 0
    pots: int = 0
    voided: int = 0
    seconds: float = 0.0
    faults: list[str] = []


def play_chunk(seed: int, number: int, size: int = CHUNK) -> Chunk:
    """Play the hands of a chunk. They depend on nothing but the seed and the number."""
    chunk, began = Chunk(seed, number), time.process_time()
    rng = random.Random(f"{seed} {number}")
    while chunk.hands < size:
        card = GAMES[(number + chunk.tables) % len(GAMES)]
        settings = any_table(rng, card)
        chunk.tables += 1
        for _ in range(min(HANDS_AT_A_TABLE, size - chunk.hands)):
            chunk.hands += 1
            try:
                machine = SampledMachine(rng, card, settings)
                machine.play()
                if not machine.hand.voided:
                    chunk.pots += recounted(machine.hand, machine.events)
            except Exception:
                chunk.faults.append(f"{card.key}, hand {chunk.hands} of chunk {number}: {traceback.format_exc()}")
                break
            chunk.voided += machine.hand.voided
            chunk.events += len(machine.events)
    chunk.seconds = time.process_time() - began
    return chunk


def _play(job: tuple[int, int, int]) -> Chunk:
    return play_chunk(*job)


def play_hands(count: int, processes: int = 1, seed: int = 1, done: Path | None = None) -> list[Chunk]:
    """Play so many hands, but for those of chunks that are done already. Returns all chunks, and says how far it is."""
    decoder = msgspec.json.Decoder(Chunk)
    found = [decoder.decode(line) for line in done.read_bytes().splitlines()] if done and done.exists() else []
    chunks = {chunk.number: chunk for chunk in found if chunk.seed == seed}
    jobs = [
        (seed, number, min(CHUNK, count - number * CHUNK))
        for number in range(-(-count // CHUNK))
        if number not in chunks
    ]
    print(f"seed {seed}: {len(chunks) * CHUNK:,} of {count:,} hands are done", flush=True)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for chunk in pool.imap_unordered(_play, jobs):
            chunks[chunk.number] = chunk
            if done is not None:
                with done.open("ab") as file:
                    file.write(msgspec.json.encode(chunk) + b"\n")
            for fault in chunk.faults:
                print(fault, flush=True)
            if len(chunks) % 10 == 0:
                print(told(list(chunks.values())), flush=True)
    return list(chunks.values())


def told(chunks: list[Chunk]) -> str:
    """Return what was played, in words."""
    hands, faults = sum(chunk.hands for chunk in chunks), sum(len(chunk.faults) for chunk in chunks)
    return (
        f"{hands:,} hands of {len(GAMES)} games at {sum(chunk.tables for chunk in chunks):,} tables: "
        f"{sum(chunk.events for chunk in chunks):,} events, {sum(chunk.pots for chunk in chunks):,} contested pots recounted, "
        f"{sum(chunk.voided for chunk in chunks):,} hands voided, {faults:,} faults; "
        f"{sum(chunk.seconds for chunk in chunks) / max(hands, 1) * 1000:.1f} ms a hand"
    )


def main(count: int, processes: int, seed: int, done: Path | None) -> int:
    """Play, and say what was played. Returns the number of faults."""
    chunks = play_hands(count, processes, seed, done)
    print(told(chunks))
    return sum(len(chunk.faults) for chunk in chunks)
