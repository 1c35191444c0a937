"""Write the end of a season, and read seasons and their results, by plain functions on a connection."""

import sqlite3

from msgspec.structs import replace

from bot.ledger.accounts import AccountKind
from bot.ledger.seasons import SeasonChips, season_transfers
from bot.runtime.store_errors import DataBeingDeleted, SeasonResultsStale, StoreFailed
from bot.runtime.store_protocol import Codec
from bot.runtime.store_types import Cause, Commit, SeasonEnd, SeasonEndChips, SeasonHall, SeasonResultsPage
from bot.statistics.seasons import Season, SeasonResult
from bot.statistics.types import RankingOrder
from bot.store.write_batch import UPSERT_SEASON, WriterCache, save_in_transaction, season_row

TRANSFERS_AT_ONCE = 50_000
"""A history tells the transfers of one cause apart by 16 bits."""

_SELECT_SEASON = """
    SELECT guild, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, coalesce(closed_at, 0) FROM season
"""
_SELECT_RESULT = "SELECT user, rank, hands, net FROM season_result WHERE guild = ? AND season = ?"
_COUNT_RESULTS = "SELECT count(*) FROM season_result WHERE guild = ? AND season = ?"
_IN_ORDER = "ORDER BY rank = 0, rank, user"


def unfinished_seasons(db: sqlite3.Connection) -> tuple[Season, ...]:
    """Return the seasons of all servers whose results are not written down."""
    return _seasons(db, "WHERE closed_at IS NULL ORDER BY guild, number", ())


def _seasons(db: sqlite3.Connection, which: str, values: tuple[int, ...]) -> tuple[Season, ...]:
    return tuple(
        [
            Season(of, number, name, opened_at, ends_at, months, RankingOrder(ranked_by), min_hands, channel, closed_at)
            for of, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, closed_at in db.execute(
                f"{_SELECT_SEASON} {which}", values
            )
        ]
    )


def guilds_with_seasons(db: sqlite3.Connection) -> tuple[int, ...]:
    """Return the servers that have had a season."""
    return tuple([guild for (guild,) in db.execute("SELECT guild FROM season WHERE number = 1 ORDER BY guild")])


def former_player_count(db: sqlite3.Connection, guild: int) -> int:
    (count,) = db.execute("SELECT count(*) FROM former_player WHERE guild = ?", (guild,)).fetchone()
    return int(count)


def season_tables(db: sqlite3.Connection) -> dict[int, int]:
    """Return the open tables that hold chips of a season that is over, with their servers."""
    return dict(db.execute("SELECT table_id, guild FROM season_table").fetchall())


def season_end_chips(db: sqlite3.Connection, guild: int, rule: SeasonChips) -> SeasonEndChips:
    """Return what the end of a season would do to chips now."""
    if rule.keeps:
        return SeasonEndChips()
    changes = [rule.wallet_after(chips) - chips for _, chips in _wallets(db, guild)]
    on_tables = _tables_with_chips(db, guild)
    return SeasonEndChips(
        wallets=sum(change != 0 for change in changes),
        given=sum(change for change in changes if change > 0),
        taken=-sum(change for change in changes if change < 0),
        on_tables=sum(on_tables.values()),
        tables=tuple(on_tables),
    )


def _wallets(db: sqlite3.Connection, guild: int) -> list[tuple[int, int]]:
    """Return whose wallets there are, and the chips in them."""
    return db.execute(
        "SELECT user, chips FROM balance WHERE guild = ? AND kind = ? AND table_id = 0 AND user > 0 ORDER BY user",
        (guild, int(AccountKind.WALLET)),
    ).fetchall()


def _tables_with_chips(db: sqlite3.Connection, guild: int) -> dict[int, int]:
    """Return the tables that hold chips, in stacks and pots, and how many."""
    return dict(
        db.execute(
            """
            SELECT table_id, sum(chips) FROM balance WHERE guild = ? AND kind IN (?, ?) AND table_id > 0
            GROUP BY table_id ORDER BY table_id
            """,
            (guild, int(AccountKind.SEAT), int(AccountKind.POT)),
        ).fetchall()
    )


def close_season(db: sqlite3.Connection, cache: WriterCache, codec: Codec, end: SeasonEnd) -> SeasonEndChips:
    """Write down the end of a season. See `bot.runtime.store_protocol.Store.close_season`."""
    try:
        db.execute("BEGIN IMMEDIATE")
        result = _close(db, cache, codec, end)
        db.execute("COMMIT")
    except sqlite3.Error as error:
        raise StoreFailed(reason=f"could not save: {error}") from error
    finally:
        cache.clear()
        if db.in_transaction:
            db.execute("ROLLBACK")
    return result


def _close(db: sqlite3.Connection, cache: WriterCache, codec: Codec, end: SeasonEnd) -> SeasonEndChips:
    guild, season = end.season.guild, end.season
    row = db.execute("SELECT closed_at FROM season WHERE guild = ? AND number = ?", (guild, season.number)).fetchone()
    if row is None or row[0] is not None or former_player_count(db, guild) != end.former_players:
        raise SeasonResultsStale
    leaving = {user for (user,) in db.execute("SELECT user FROM deletion WHERE guild = ?", (guild,))}
    if leaving & {result.user for result in end.results}:
        raise DataBeingDeleted
    db.execute(UPSERT_SEASON, season_row(season))
    db.executemany(
        "INSERT INTO season_result (guild, season, user, rank, hands, net) VALUES (?, ?, ?, ?, ?, ?)",
        [(guild, season.number, result.user, result.rank, result.hands, result.net) for result in end.results],
    )
    commit = Commit(guild=guild, cause=end.cause, staff_log=(end.staff_log,), season=end.following)
    changes = season_end_chips(db, guild, end.chips)
    if end.chips.keeps:
        save_in_transaction(db, cache, codec, commit)
        return changes
    transfers = season_transfers(end.chips, _wallets(db, guild), f"season {season.number}")
    for part in range(0, max(len(transfers), 1), TRANSFERS_AT_ONCE):
        some = transfers[part : part + TRANSFERS_AT_ONCE]
        if part:
            cause = Cause(f"{end.cause.key}.{part}", end.cause.requested_by, end.cause.at, end.cause.label)
            commit = Commit(guild=guild, cause=cause)
        save_in_transaction(db, cache, codec, replace(commit, transfers=some))
        cache.clear()
    carried = end.chips.carried_from_tables
    db.executemany(
        """
        INSERT INTO season_table (table_id, guild, carried) VALUES (:table, :guild, :carried)
        ON CONFLICT DO UPDATE SET carried = carried * excluded.carried / 100
        """,
        [{"table": table, "guild": guild, "carried": carried} for table in changes.tables],
    )
    # Held chips are those that came from young accounts. Of chips that are gone none are held.
    db.execute("UPDATE flow SET chips = chips * ? / 100 WHERE guild = ?", (carried, guild))
    db.execute("DELETE FROM flow WHERE guild = ? AND chips = 0", (guild,))
    return changes


def season_results_page(
    db: sqlite3.Connection, guild: int, season: int, *, offset: int, limit: int, user: int
) -> SeasonResultsPage:
    """Return a page of the results of a season that is over."""
    which = guild, season
    (ranked,) = db.execute(f"{_COUNT_RESULTS} AND rank > 0", which).fetchone()
    (unranked,) = db.execute(f"{_COUNT_RESULTS} AND rank = 0", which).fetchone()
    rows: list[tuple[int, int, int, int]] = []
    if offset < ranked:
        page = f"{_SELECT_RESULT} AND rank > 0 ORDER BY rank, user LIMIT ? OFFSET ?"
        rows += db.execute(page, (*which, limit, offset)).fetchall()
    if len(rows) < limit:
        page = f"{_SELECT_RESULT} AND rank = 0 ORDER BY user LIMIT ? OFFSET ?"
        rows += db.execute(page, (*which, limit - len(rows), max(0, offset - ranked))).fetchall()
    players = ranked + unranked
    own = db.execute(f"{_SELECT_RESULT} AND user = ?", (guild, season, user)).fetchone()
    return SeasonResultsPage(tuple([SeasonResult(*row) for row in rows]), players, SeasonResult(*own) if own else None)


def season_winners(db: sqlite3.Connection, guild: int, *, offset: int, limit: int, number: int = 0) -> SeasonHall:
    """Return a page of the seasons that are over, newest first, with their winners and how many were ranked; or season `number` alone."""
    where = "WHERE guild = ? AND closed_at IS NOT NULL"
    if number:
        seasons = _seasons(db, f"{where} AND number = ?", (guild, number))
    else:
        seasons = _seasons(db, f"{where} ORDER BY number DESC LIMIT ? OFFSET ?", (guild, limit, offset))
    (count,) = db.execute(f"SELECT count(*) FROM season {where}", (guild,)).fetchone()
    lines = []
    for season in seasons:
        rows = db.execute(f"{_SELECT_RESULT} AND rank = 1 ORDER BY user", (guild, season.number)).fetchall()
        (ranked,) = db.execute(
            "SELECT count(*) FROM season_result WHERE guild = ? AND season = ? AND rank > 0", (guild, season.number)
        ).fetchone()
        lines.append((season, tuple([SeasonResult(*row) for row in rows]), int(ranked)))
    return SeasonHall(tuple(lines), int(count))


def all_results(db: sqlite3.Connection, guild: int, season: int) -> tuple[SeasonResult, ...]:
    """Return the results of a season, the best first."""
    return tuple([SeasonResult(*row) for row in db.execute(f"{_SELECT_RESULT} {_IN_ORDER}", (guild, season))])


def own_results(db: sqlite3.Connection, guild: int, user: int) -> tuple[tuple[int, SeasonResult], ...]:
    """Return what somebody did in each season that is over, by its number."""
    rows = db.execute(
        "SELECT season, user, rank, hands, net FROM season_result WHERE guild = ? AND user = ? ORDER BY season",
        (guild, user),
    )
    return tuple([(season, SeasonResult(*row)) for season, *row in rows])
