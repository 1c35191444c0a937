"""What is put together from stretches of hands is what one finds by looking at each hand."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.periods import period_at
from bot.statistics.types import INSIDER, STRANGER, CountedChips, CountedHand, Period, PeriodKind, Reader, Scope
from bot.store.statistics import answers, stretches
from bot.store.statistics.keeper import StatisticsKeeper, connect_to_statistics, create_file
from bot.store.statistics.write import make_all_stretches, take_out
from tests.statistics.test_answers import DAY_MS, GAMES, GUILD, NOW, make_data, random_hands

READERS = (STRANGER, INSIDER, Reader(frozenset({2})), Reader(frozenset({2, 3})), Reader(frozenset({2, 3, 4})))
PRIVATE = {2: 0, 3: 0, 4: 2, 5: 1}
"""By private table whether its hands are held: 1 while it is open, 2 for good."""
FORMER = 50


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "HANDS_OF_STRETCH", 3)
    monkeypatch.setattr(stretches, "PARTS_OF_STRETCH", 2)
    monkeypatch.setattr(answers, "CURVE_STRETCHES", 6)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[StatisticsKeeper]:
    make_data(tmp_path)
    path = tmp_path / "statistics.sqlite3"
    db = connect_to_statistics(path)
    create_file(db)
    db.close()
    keeper = StatisticsKeeper(path, tmp_path / "data.db", statistics_decoder())
    with keeper.transaction():
        server = keeper.writer.server(GUILD)
        keeper.db.executemany(
            "INSERT INTO counted_table VALUES (?, ?, ?, 0, 1, 1, ?, ?)",
            [(table, server, table, table in PRIVATE, PRIVATE.get(table, 0)) for table in range(1, 9)],
        )
    yield keeper
    keeper.close()


def add(keeper: StatisticsKeeper, rng: random.Random, hands: list[CountedHand]) -> None:
    while hands:
        some, hands = hands[: (size := rng.randrange(1, 12))], hands[size:]
        with keeper.transaction():
            keeper.add(some)


def misdealt(hand: CountedHand) -> CountedHand:
    """Let a hand be nobody's, though its chips moved."""
    seats = tuple([replace(seat, counts=replace(seat.counts, hands=0)) for seat in hand.players])
    return replace(hand, guild=GUILD, counts=False, players=seats)


def in_order(rng: random.Random, count: int) -> list[CountedHand]:
    """Hands of one server as they are counted: by their end, but for some that are counted a little or much later."""
    hands = [replace(hand, guild=GUILD) if rng.random() < 0.95 else misdealt(hand) for hand in random_hands(rng, count)]
    late = [0, 0, 0, 0, 0, 0, 0, 0, 0, DAY_MS, 20 * DAY_MS]
    return sorted(hands, key=lambda hand: hand.at + rng.choice(late))


def scopes() -> Iterator[Scope]:
    for period in (
        Period(),
        period_at(PeriodKind.WEEK, NOW - 10 * DAY_MS),
        period_at(PeriodKind.MONTH, NOW - 20 * DAY_MS),
        Period(PeriodKind.SEASON, 1),
    ):
        for game in ("", *GAMES):
            for chips in (CountedChips.SERVER, CountedChips.PRACTICE):
                yield Scope(period, game, "", chips)
    yield Scope(stakes="1/2")


def told(db: sqlite3.Connection, points: int = 1_000_000) -> dict[object, object]:
    """Return every answer about some people, to every reader."""
    return {
        (user, scope, number): (
            answers.player(db, GUILD, user, scope, reader),
            answers.curve(db, GUILD, user, scope, points, reader),
        )
        for user in (101, 104, FORMER)
        for scope in scopes()
        for number, reader in enumerate(READERS)
    }


def assert_right(db: sqlite3.Connection) -> None:
    """Compare what is told with what is told where there are no stretches, so that each hand is looked at."""
    found = told(db)
    db.execute("SAVEPOINT with_stretches")
    db.execute("DELETE FROM stretch")
    expected = told(db)
    db.execute("ROLLBACK TO with_stretches")
    db.execute("RELEASE with_stretches")
    for asked, (numbers, curve) in expected.items():  # type: ignore[misc]
        assert found[asked][0] == numbers, asked  # type: ignore[index]
        assert {*found[asked][1]} <= {*curve}, asked  # type: ignore[index]
        assert (found[asked][1][:1], found[asked][1][-1:]) == (curve[:1], curve[-1:]), asked  # type: ignore[index]


@pytest.mark.parametrize("seed", range(2))
def test_stretches_say_what_their_hands_say(keeper: StatisticsKeeper, seed: int) -> None:
    """Hands counted late, taken out again and given to a former player, private ones of every state, misdeals, and a season."""
    rng = random.Random(seed)
    hands = in_order(rng, 260)
    keeper.db.execute("INSERT INTO counted_season VALUES (1, 1, ?, ?)", (NOW - 41 * DAY_MS - 7, NOW - 9 * DAY_MS - 11))
    add(keeper, rng, hands[:200])
    (levels,) = keeper.db.execute("SELECT count(DISTINCT level) FROM stretch").fetchone()
    assert levels >= 3
    assert_right(keeper.db)
    with keeper.transaction():
        for hand in rng.sample(hands[:200], 12):
            take_out(keeper.db, hand.table, hand.number, lambda guild, at: 0)
    for some in (hands[200:230], hands[230:]):
        add(keeper, rng, some)
        keeper.rename(GUILD, 104, FORMER)  # the second time with what has been counted of them since
    assert_right(keeper.db)


def test_stretches_made_anew_say_the_same(keeper: StatisticsKeeper) -> None:
    rng = random.Random(5)
    add(keeper, rng, in_order(rng, 200))
    counted = told(keeper.db, 12)
    people = [person for (person,) in keeper.db.execute("SELECT id FROM person")]
    assert all(stretches.are_right(keeper.db, person) for person in people)
    with keeper.transaction():
        make_all_stretches(keeper.db)
    anew = told(keeper.db, 12)
    assert [numbers for numbers, _ in anew.values()] == [numbers for numbers, _ in counted.values()]  # type: ignore[misc]
    keeper.db.execute("UPDATE stretch SET longest = longest + 1 WHERE person = 1 AND level = 1 AND game > 0")
    assert not stretches.are_right(keeper.db, 1)


def test_answer_is_put_together_from_few_rows(keeper: StatisticsKeeper) -> None:
    """Of ten times as many hands some more stretches are read, and no more hands."""
    rng, read = random.Random(6), list[tuple[int, int]]()
    hands = sorted((replace(one, guild=GUILD) for one in random_hands(rng, 1_000)), key=lambda one: one.at)
    for some in (hands[:100], hands[100:]):
        add(keeper, rng, some)
        every = stretches.pieces(keeper.db, 1, 0, (0, 1 << 62), frozenset())
        looked_at = [
            keeper.db.execute(
                "SELECT count(*) FROM player_hand WHERE person = 1 AND hand >= ? AND hand < ?", one
            ).fetchone()[0]
            for one in every
            if isinstance(one, stretches.Hands)
        ]
        read.append((len(every), sum(looked_at)))
    (few, hands_before), (more, hands_after) = read
    assert more <= few + 30 and max(hands_before, hands_after) < 2 * stretches.HANDS_OF_STRETCH + 12
