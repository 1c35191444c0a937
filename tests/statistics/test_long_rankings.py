"""A ranking of many people is kept in its order: what it says is what a look at everybody says, after whatever changes it."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.periods import period_at
from bot.statistics.types import Period, PeriodKind, RankedPlayers, RankingOrder, RankingQuery, Scope
from bot.store import board
from bot.store.statistics import answers, long_rankings
from bot.store.statistics.check import check_statistics
from bot.store.statistics.keeper import StatisticsKeeper, create_file
from bot.store.statistics.long_rankings import kept_ranking, wrong_rankings
from bot.store.statistics.write import take_out
from tests.runtime.evening import USERS as PEOPLE
from tests.runtime.evening import settings
from tests.statistics.evening_with_statistics import CountedEvening
from tests.statistics.test_answers import GUILD, NOW, USERS, make_data, random_hands
from tests.support.engines import source_at

SCOPES = (
    Scope(),
    Scope(game="holdem"),
    Scope(period_at(PeriodKind.MONTH, NOW - 20 * 86_400_000)),
    Scope(Period(PeriodKind.SEASON, 1)),
)


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StatisticsKeeper]:
    """Every ranking counts as long, and has many short blocks."""
    monkeypatch.setattr(long_rankings, "LONG", 0)
    monkeypatch.setattr(long_rankings, "PEOPLE_AT_ONCE", 3)
    monkeypatch.setattr(board, "PEOPLE_OF_BLOCK", 2)
    make_data(tmp_path)
    with closing(sqlite3.connect(tmp_path / "data.db")) as db, db:
        db.execute("INSERT INTO guild (id) VALUES (?)", (GUILD,))
        db.execute("INSERT INTO season VALUES (?, 1, '', ?, 0, 0, 'net', 1, 0, NULL)", (GUILD, NOW - 30 * 86_400_000))
    path = tmp_path / "statistics.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        create_file(db)
    keeper = StatisticsKeeper(path, tmp_path / "data.db", statistics_decoder())
    yield keeper
    keeper.close()


def queries() -> list[RankingQuery]:
    return [
        RankingQuery(GUILD, scope, order, least)
        for scope in SCOPES
        for order, least in zip(RankingOrder, (1, 7, 4), strict=True)
    ]


def told(db: sqlite3.Connection, query: RankingQuery, user: int) -> tuple[list[object], set[object], RankedPlayers]:
    """Return the ranks line by line, all lines, and what somebody learns of their own. Equals are in any order."""
    lines = [
        line
        for offset in range(0, len(USERS) + 3, 3)
        for line in answers.ranking(
            db, RankingQuery(GUILD, query.scope, query.order, query.min_hands, offset, 3, user)
        ).lines
    ]
    own = answers.ranking(db, RankingQuery(GUILD, query.scope, query.order, query.min_hands, 0, 0, user))
    return [(line.rank, line.hands * (query.order is RankingOrder.HANDS)) for line in lines], set(lines), own


def assert_right(keeper: StatisticsKeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    for query in queries():
        assert kept_ranking(keeper.db, answers.ranking_key(keeper.db, query))
        for user in (USERS[0], USERS[4], 999):
            by_order = told(keeper.db, query, user)
            with monkeypatch.context() as patched:
                patched.setattr(answers, "kept_ranking", lambda *_: 0)
                assert by_order == told(keeper.db, query, user), query
    assert wrong_rankings(keeper.db) == 0


@pytest.mark.parametrize("seed", range(2))
def test_kept_ranking_follows_whatever_happens(
    keeper: StatisticsKeeper, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Hands come while people are still put into it; hands are undone, wins do not count, and a person's data is deleted."""
    rng = random.Random(seed)
    hands, played = random_hands(rng, 400), []
    for number in range(8):
        some = list(islice(hands, rng.randrange(5, 25)))
        with keeper.transaction():
            keeper.add(some)
        played += [hand for hand in some if hand.guild == GUILD]
        if number == 1:
            for query in queries():
                keeper.begin_ranking(query)
        for _ in range(rng.randrange(4) if number < 6 else 200):
            keeper.extend_rankings()
        with keeper.transaction():
            for _ in range(rng.randrange(3)):
                undone = played.pop(rng.randrange(len(played)))
                assert take_out(keeper.db, undone.table, undone.number, keeper.season_at)
            keeper.writer.note_uncounted(GUILD, [(rng.randrange(2), rng.choice(USERS[:-1]), rng.choice((0, 100, 700)))])
        if number == 5:
            keeper.rename(GUILD, USERS[2], 1 << 61)
        if number == 6:
            assert_right(keeper, monkeypatch)
    assert_right(keeper, monkeypatch)
    keeper.rename(GUILD, USERS[2], 1 << 61)  # what has been counted of them since is put together with the rest
    assert_right(keeper, monkeypatch)


def test_ranking_from_another_number_of_hands_replaces_it(keeper: StatisticsKeeper) -> None:
    with keeper.transaction():
        keeper.add(list(random_hands(random.Random(3), 60)))
    for least in (1, 4, 9):
        query = RankingQuery(GUILD, Scope(), min_hands=least)
        keeper.begin_ranking(query)
        assert not kept_ranking(keeper.db, answers.ranking_key(keeper.db, query)), "not before everybody is in it"
        while keeper.extend_rankings():
            pass
        assert kept_ranking(keeper.db, answers.ranking_key(keeper.db, query))
    left = keeper.db.execute(
        "SELECT count(DISTINCT ranking), (SELECT count(*) FROM long_ranking) FROM ranked"
    ).fetchone()
    assert left == (1, 1) and wrong_rankings(keeper.db) == 0


def test_check_finds_a_ranking_that_hands_do_not_bear_out(keeper: StatisticsKeeper) -> None:
    with keeper.transaction():
        keeper.add(list(random_hands(random.Random(3), 60)))
    keeper.begin_ranking(RankingQuery(GUILD, Scope()))
    while keeper.extend_rankings():
        pass
    for wrong in (
        "UPDATE ranked SET score = score + 1 WHERE person = 1",
        "UPDATE ranked_block SET people = people + 1",
        "DELETE FROM ranked WHERE person = 2",
    ):
        assert wrong_rankings(keeper.db) == 0
        with closing(sqlite3.connect(":memory:")) as copy:
            keeper.db.backup(copy)
            copy.execute(wrong)
            assert wrong_rankings(copy) == 1


def test_page_of_a_kept_ranking_looks_at_few(tmp_path: Path) -> None:
    """The steps that SQLite takes for a page in the middle and one's own rank, of 3,000 and of 30,000 people."""
    make_data(tmp_path)
    steps = []
    for people in (3_000, 30_000):
        path = tmp_path / f"{people}.sqlite3"
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            create_file(db)
            db.execute("BEGIN")
            db.execute("INSERT INTO server (id, guild) VALUES (1, ?)", (GUILD,))
            db.executemany(
                "INSERT INTO person (id, server, chips, user) VALUES (?, 1, 0, ?)",
                [(one, 10_000 + one) for one in range(1, people)],
            )
            db.executemany(
                "INSERT INTO standing VALUES (1, 0, 0, 0, 0, ?, ?, ?, ?)",
                [(one, one % 50, one * 7919 % 997, one * 7919 % 997) for one in range(1, people)],
            )
            db.execute("COMMIT")
        with closing(StatisticsKeeper(path, tmp_path / "data.db", statistics_decoder())) as keeper:
            query = RankingQuery(GUILD, Scope(), RankingOrder.NET, 20, people // 3, 10, 10_020)
            keeper.begin_ranking(query)
            while keeper.extend_rankings():
                pass
            taken = [0]

            def count() -> int:
                taken[0] += 1  # noqa: B023  # it is called in this round
                return 0

            keeper.db.set_progress_handler(count, 50)
            found = answers.ranking(keeper.db, query)
            keeper.db.set_progress_handler(None, 0)
            assert len(found.lines) == 10 and found.own is not None
            steps.append(taken[0])
    assert steps[1] < 3 * steps[0], steps


async def test_ranking_is_kept_once_somebody_has_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_rankings, "LONG", 1)
    monkeypatch.setattr(long_rankings, "PEOPLE_AT_ONCE", 1)
    evening, guild = await CountedEvening(tmp_path).begin(), 7
    try:
        await evening.open(settings(pause_seconds=1))
        await evening.seat(Ann=10_000, Bo=10_000)
        await evening.play_hand(random.Random(1))
        query = RankingQuery(guild, Scope(), RankingOrder.HANDS, user=PEOPLE["Bo"])
        first = await evening.statistics.ranking(query)
        await evening.statistics.wait_until_idle()
        await evening.play_hand(random.Random(2))
        second = await evening.statistics.ranking(query)
        assert [[line.hands for line in found.lines] for found in (first, second)] == [[1, 1], [2, 2]]
        assert second.own is not None and (second.own.hands, second.players) == (2, 2)
        await evening.crash()
        assert await evening.statistics.ranking(query) == second
        with closing(sqlite3.connect(evening.statistics_path)) as db:
            assert db.execute("SELECT count(*) FROM ranked").fetchone() == (2,)
        assert check_statistics(evening.statistics_path, source_at(evening.path), statistics_decoder()) == 0
    finally:
        await evening.end()
