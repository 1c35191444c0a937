"""Train the dictionary that finished hands are compressed with, on hands of every game, and write it down.

A dictionary that has been released never changes: give a new one the next number (`bot.store.hand_blob.DICTIONARY`).

    python -m tests.store.train_dictionary bot/store/dictionaries/1.zdict
"""

import asyncio
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import zstandard

from bot.engine import commands as c
from bot.engine.choices.secret_choices import default_choice
from bot.engine.errors import TableError
from bot.engine.timeout import default_action
from bot.house.rules import HouseRules
from bot.runtime.table_settings import NewTableRequest
from bot.store import hand_blob
from bot.store.hand_blob import JournalRow, StoredCause
from bot.store.spare_time import SpareTime
from bot.variants import CATALOGUE
from cogs.presses.table_settings import new_table_settings
from tests.benchmarks.bench_growth import Played

HANDS_A_GAME = 6
BYTES = 48_000


async def play_every_game(path: Path) -> None:
    """Play some hands of every game by random moves."""
    played = Played(path)
    SpareTime.has_work = property(lambda _self: False)  # type: ignore[assignment,method-assign]  # the rows are wanted as they are
    await played.begin()
    try:
        await play_games(played)
    finally:
        await played.end()


async def play_games(played: Played) -> None:
    for channel, card in enumerate(CATALOGUE, 1):
        hands = HANDS_A_GAME * (4 if card.key in {"holdem", "omaha", "omaha-8", "seven-card-stud", "razz"} else 1)
        settings = new_table_settings(card.key, HouseRules(), NewTableRequest(), None, "off")
        table = await played.open(channel, settings)
        for _ in range(hands):
            await played.deal(table, channel)
            await random_hand(played, table, channel)
        await played.tables.close_without_channel(table)


async def random_hand(played: Played, table: int, channel: int) -> None:
    """Play a hand to its end by moves that people often make."""
    rng = played.rng
    for _ in range(400):
        session = played.tables._sessions[table]
        hand, due = session.state.hand, session.state.current_turn
        if hand is None or due is None or session.state.table.running_hand is None:
            return
        view = session.snapshot().hand
        assert view is not None
        legal = view.legal_to_act
        command: c.HandCommand = default_action(hand)
        if hand.choice_open:
            indices, word = default_choice(hand, hand.to_act)
            command = c.Declare(word) if word else c.ChooseCards(indices)
        elif legal is not None:
            at = rng.random()
            if legal.max_to and at < 0.2:
                command = c.Bet(legal.min_to) if legal.opening else c.RaiseTo(legal.min_to)
            elif legal.check:
                command = c.Check()
            elif legal.call_chips and at < 0.8:
                command = c.Call()
        played.clock.move_to(played.clock.now() + rng.randrange(900, 9_000))
        name = next(seat.name for seat in session.state.table.seats if seat.player == due.user)
        try:
            await played.tables.ask(played.asked(due.user, name, table, channel), command)
        except TableError:
            await played.tables.ask(played.asked(due.user, name, table, channel), default_action(hand))


def contents(path: Path) -> list[bytes]:
    """Return what would be compressed, hand by hand."""
    found: list[bytes] = []
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT id FROM card_table").fetchall():
            starts = [seq for (seq,) in db.execute("SELECT seq FROM hand WHERE table_id = ? ORDER BY seq", (table,))]
            for first, end in zip(starts, [*starts[1:], 2**62], strict=True):
                rows = [
                    JournalRow._make(row)
                    for row in db.execute(
                        "SELECT seq, count, cause, blob FROM event WHERE table_id = ? AND seq + count > ? AND seq < ? ORDER BY seq",
                        (table, first, end),
                    )
                ]
                causes = [
                    StoredCause._make(
                        db.execute("SELECT id, who, at, what FROM cause WHERE id = ?", (row.cause,)).fetchone()
                    )
                    for row in rows
                ]
                found.append(hand_blob.encode_content(rows, causes)[0])
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.db"
        asyncio.run(play_every_game(path))
        samples = contents(path)
    random.Random(1).shuffle(samples)
    dictionary = zstandard.train_dictionary(BYTES, samples, level=hand_blob.LEVEL)
    Path(sys.argv[1]).write_bytes(dictionary.as_bytes())
    print(
        f"{len(samples):,} hands of {len(CATALOGUE)} games, {sum(map(len, samples)):,} bytes: {len(dictionary):,} bytes"
    )


if __name__ == "__main__":
    main()
