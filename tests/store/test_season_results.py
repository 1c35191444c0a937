"""Results of a season that is over are found by their lines, however many people there are."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.statistics.seasons import SeasonResult
from bot.store.connection import connect
from bot.store.migrate import apply_migrations, migrations
from bot.store.seasons import all_results, season_results_page, season_winners

GUILD = 7
RESULT = 'INSERT INTO season_result (guild, season, "user", rank, hands, net{more}) VALUES (?, ?, ?, ?, ?, ?{marks})'


def write_season(db: sqlite3.Connection, number: int) -> None:
    db.execute("INSERT INTO season VALUES (?, ?, '', 1, 2, 0, 'net', 20, 0, NULL)", (GUILD, number))


def close(db: sqlite3.Connection) -> None:
    db.execute("UPDATE season SET closed_at = 3")


def test_older_results_get_their_lines(tmp_path: Path) -> None:
    """Two are tied for the second rank, and two had too few hands."""
    with closing(connect(str(tmp_path / "data.db"))) as db:
        path, steps = tmp_path / "data.db", migrations()
        apply_migrations(db, path, tuple(step for step in steps if step.number < 16))
        results = [(103, 1, 30, 9), (105, 2, 30, 5), (104, 2, 30, 5), (101, 4, 30, 0), (102, 0, 3, 8), (100, 0, 1, 9)]
        for season in (1, 2):
            write_season(db, season)
            db.executemany(
                RESULT.format(more="", marks=""), [(GUILD, season, *one) for one in results[: 7 - 2 * season]]
            )
        close(db)
        apply_migrations(db, path, steps)
        in_order = [SeasonResult(*one) for one in (results[0], *results[2:0:-1], results[3], *results[:3:-1])]
        for offset in range(7):
            page = season_results_page(db, GUILD, 1, offset=offset, limit=2, user=104)
            in_season = [one for one in in_order if one.user != 100]
            assert list(page.results) == in_season[offset : offset + 2]
            assert (page.players, page.own) == (5, SeasonResult(104, 2, 30, 5))
        assert [one.user for one in all_results(db, GUILD, 2)] == [103, 104, 105]
        hall = season_winners(db, GUILD)
        assert [(season.number, winners[0].user, ranked) for season, winners, ranked in hall.lines] == [
            (2, 103, 3), (1, 103, 4)
        ]  # fmt: skip


def test_page_of_results_looks_at_few_of_many(tmp_path: Path) -> None:
    """The steps that SQLite takes for the last pages, of 2,000 and of 20,000 people, half of whom had too few hands."""
    with closing(connect(str(tmp_path / "data.db"))) as db:
        apply_migrations(db, tmp_path / "data.db", migrations())
        steps = []
        for season, people in ((1, 2_000), (2, 20_000)):
            write_season(db, season)
            db.executemany(
                RESULT.format(more=", line", marks=", ?"),
                [
                    (GUILD, season, user, user if 2 * user <= people else 0, 30, 0, user)
                    for user in range(1, people + 1)
                ],
            )
        close(db)
        for season, people in ((1, 2_000), (2, 20_000)):
            taken = [0]

            def count() -> int:
                taken[0] += 1  # noqa: B023  # it is called in this round
                return 0

            db.set_progress_handler(count, 10)
            for offset in (people // 2 - 10, people - 10):
                assert len(season_results_page(db, GUILD, season, offset=offset, limit=10).results) == 10
            hall = season_winners(db, GUILD, number=season)
            db.set_progress_handler(None, 0)
            assert hall.lines[0][2] == people // 2
            steps.append(taken[0])
        assert steps[1] < 2 * steps[0], steps
