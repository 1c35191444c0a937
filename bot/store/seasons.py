"""Write the end of a season, and read seasons and their results, by plain functions on a connection."""

from collections.abc import Collection, Sequence

from bot.house.seasons import SeasonChips
from bot.ledger.accounts import AccountKind
from bot.runtime.store_errors import DataBeingDeleted, SeasonResultsStale, StoreFailed
from bot.runtime.store_types import Commit, SeasonEnd, SeasonEndChips, SeasonHall, SeasonResultsPage
from bot.statistics.seasons import Season, SeasonResult
from bot.statistics.types import RankingOrder
from bot.store.codec import EventCodec
from bot.store.database import DATABASE_FAILED, Database
from bot.store.season_resets import begin_reset, season_reset
from bot.store.write_batch import UPSERT_SEASON, save_in_transaction, season_row
from bot.store.writer_cache import WriterCache

RESULTS_AT_ONCE = 1_000
"""So many results are written in one transaction; that takes some milliseconds."""

_SELECT_SEASON = """
    SELECT guild, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, coalesce(closed_at, 0) FROM season
"""
_SELECT_RESULT = 'SELECT "user", rank, hands, net, uncounted FROM season_result WHERE guild = ? AND season = ?'
_SEATED = f"""
    FROM balance WHERE guild = :guild AND kind = {int(AccountKind.SEAT)} AND table_id > 0 AND "user" > 0 AND chips + staked > 0
    GROUP BY guild, "user"
"""
"""Who has server chips on a table."""
_COUNT_RESULTS = "SELECT count(*) FROM season_result WHERE guild = ? AND season = ?"
_IS_OVER = """EXISTS (
    SELECT 1 FROM season AS over
    WHERE over.guild = season_result.guild AND over.number = season_result.season AND over.closed_at IS NOT NULL
)"""
_RANKED = """
    SELECT coalesce((
        SELECT line FROM season_result WHERE guild = ? AND season = ? AND rank > 0 ORDER BY rank DESC, line DESC LIMIT 1
    ), 0)
"""
"""How many people have a rank in a season: the line of the last of them."""


def unfinished_seasons(db: Database) -> tuple[Season, ...]:
    """Return the seasons of all servers whose results are not written down."""
    return _seasons(db, "WHERE closed_at IS NULL ORDER BY guild, number", ())


def _seasons(db: Database, which: str, values: tuple[int, ...]) -> tuple[Season, ...]:
    return tuple(
        [
            Season(of, number, name, opened_at, ends_at, months, RankingOrder(ranked_by), min_hands, channel, closed_at)
            for of, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, closed_at in db.execute(
                f"{_SELECT_SEASON} {which}", values
            )
        ]
    )


def guilds_with_seasons(db: Database) -> tuple[int, ...]:
    """Return the servers that have had a season."""
    return tuple([guild for (guild,) in db.execute("SELECT guild FROM season WHERE number = 1 ORDER BY guild")])


def former_player_count(db: Database, guild: int) -> int:
    """Return how many people of a server have had their data deleted, or are having it deleted."""
    (count,) = db.execute("SELECT count(*) FROM former_player WHERE guild = ?", (guild,)).fetchone()
    return int(count)


def season_tables(db: Database) -> dict[int, int]:
    """Return the open tables that hold chips of a season that is over, with their servers."""
    return dict(db.execute("SELECT table_id, guild FROM season_table").fetchall())


def season_end_chips(db: Database, guild: int, rule: SeasonChips, played: Collection[int]) -> SeasonEndChips:
    """Return what the end of a season would do to chips now.

    Args:
        played: who has played in it so far. Who sits at a table counts as well.
    """
    if rule.keeps:
        return SeasonEndChips()
    counted = {*played, *(user for (user,) in db.execute(f'SELECT "user" {_SEATED}', {"guild": guild}))}
    changes = [rule.wallet_after(chips, has_played=user in counted) - chips for user, chips in _wallets(db, guild)]
    on_tables = _tables_with_chips(db, guild)
    return SeasonEndChips(
        wallets=sum(change != 0 for change in changes),
        given=sum(change for change in changes if change > 0),
        taken=-sum(change for change in changes if change < 0),
        on_tables=sum(on_tables.values()),
        tables=tuple(on_tables),
    )


def _wallets(db: Database, guild: int) -> list[tuple[int, int]]:
    """Return whose wallets there are, and the chips in them."""
    reset = season_reset(db, guild)
    wallets = db.execute(
        'SELECT "user", chips FROM balance WHERE guild = ? AND kind = ? AND table_id = 0 AND "user" > 0 ORDER BY "user"',
        (guild, int(AccountKind.WALLET)),
    ).fetchall()
    return wallets if reset is None else [(user, reset.shown_wallet(db, user, chips)) for user, chips in wallets]


def _tables_with_chips(db: Database, guild: int) -> dict[int, int]:
    """Return the tables that hold chips, in stacks, pots and escrow, and how many."""
    return dict(
        db.execute(
            """
            SELECT table_id, sum(chips) FROM balance WHERE guild = ? AND kind IN (?, ?, ?) AND table_id > 0
            GROUP BY table_id ORDER BY table_id
            """,
            (guild, int(AccountKind.SEAT), int(AccountKind.POT), int(AccountKind.ESCROW)),
        ).fetchall()
    )


def drop_results(db: Database, season: Season) -> bool:
    """Drop some of the results that were written of a season that is not closed. Returns whether there can be more."""
    with db.erasing():
        dropped = db.execute(
            """
            DELETE FROM season_result WHERE guild = :guild AND season = :season AND "user" IN (
                SELECT "user" FROM season_result WHERE guild = :guild AND season = :season LIMIT :limit
            )
            """,
            {"guild": season.guild, "season": season.number, "limit": RESULTS_AT_ONCE},
        ).rowcount
    return bool(dropped == RESULTS_AT_ONCE)


def add_results(db: Database, season: Season, results: Sequence[SeasonResult], first: int) -> None:
    """Write some results of a season that is not closed, from a line on. Nobody reads them until it is."""
    with db.transaction():
        db.executemany(
            'INSERT INTO season_result (guild, season, "user", rank, hands, net, uncounted, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
            [
                (season.guild, season.number, one.user, one.rank, one.hands, one.net, one.uncounted, line)
                for line, one in enumerate(results, first)
            ],
        )


def close_season(db: Database, cache: WriterCache, codec: EventCodec, end: SeasonEnd) -> tuple[int, ...]:
    """Write down the end of a season, of which the results are written, with the beginning of what becomes of chips. See
    `bot.store.store.Store.close_season`."""
    try:
        with db.transaction():
            return _close(db, cache, codec, end)
    except DATABASE_FAILED as error:
        raise StoreFailed(reason=f"could not save: {error}") from error
    finally:
        cache.clear()


def _close(db: Database, cache: WriterCache, codec: EventCodec, end: SeasonEnd) -> tuple[int, ...]:
    guild, season = end.season.guild, end.season
    require_not_closed(db, end)
    (written,) = db.execute(_COUNT_RESULTS, (guild, season.number)).fetchone()
    if written != len(end.results) or season_reset(db, guild) is not None:
        raise SeasonResultsStale
    leaving = {user for (user,) in db.execute('SELECT "user" FROM deletion WHERE guild = ?', (guild,))}
    if leaving and leaving & {result.user for result in end.results}:
        raise DataBeingDeleted
    if (
        end.chips.start
    ):  # chips on tables are not carried over: who has brought theirs there is paid like those who have played a hand
        db.execute(
            f"""
            INSERT INTO season_result (guild, season, "user", rank, hands, net, line)
            SELECT guild, :season, "user", 0, 0, 0, :written + row_number() OVER (ORDER BY "user") FROM (
                SELECT guild, "user" {_SEATED}
            ) AS seated WHERE "user" NOT IN (SELECT "user" FROM season_result WHERE guild = :guild AND season = :season)
            """,
            {"season": season.number, "guild": guild, "written": written},
        )
    db.execute(UPSERT_SEASON, season_row(season))
    commit = Commit(guild=guild, cause=end.cause, staff_log=(end.staff_log,), season=end.following)
    save_in_transaction(db, cache, codec, commit)
    if end.chips.keeps:
        return ()
    begin_reset(db, guild, season.number, end.chips)
    tables = tuple(_tables_with_chips(db, guild))
    carried = end.chips.carried_from_tables
    db.executemany(
        """
        INSERT INTO season_table (table_id, guild, carried) VALUES (:table, :guild, :carried)
        ON CONFLICT (table_id) DO UPDATE SET carried = season_table.carried * excluded.carried / 100
        """,
        [{"table": table, "guild": guild, "carried": carried} for table in tables],
    )
    return tables


def require_not_closed(db: Database, end: SeasonEnd) -> None:
    """Refuse to close a season that is closed, or of which the results can name somebody who had their data deleted meanwhile.

    Raises:
        SeasonResultsStale.
    """
    guild, number = end.season.guild, end.season.number
    row = db.execute("SELECT closed_at FROM season WHERE guild = ? AND number = ?", (guild, number)).fetchone()
    if row is None or row[0] is not None or former_player_count(db, guild) != end.former_players:
        raise SeasonResultsStale


def season_results_page(
    db: Database, guild: int, season: int, *, offset: int = 0, limit: int = 10, user: int = 0
) -> SeasonResultsPage:
    """Return a page of the results of a season that is over."""
    which = guild, season
    last = db.execute(
        "SELECT line FROM season_result WHERE guild = ? AND season = ? ORDER BY line DESC LIMIT 1", which
    ).fetchone()
    rows = db.execute(f"{_SELECT_RESULT} AND line > ? AND line <= ? ORDER BY line", (*which, offset, offset + limit))
    results = tuple([SeasonResult(*row) for row in rows])
    own = db.execute(f'{_SELECT_RESULT} AND "user" = ?', (guild, season, user)).fetchone()
    return SeasonResultsPage(results, last[0] if last is not None else 0, SeasonResult(*own) if own else None)


def season_winners(db: Database, guild: int, *, offset: int = 0, limit: int = 10, number: int = 0) -> SeasonHall:
    """Return a page of the seasons that are over, newest first, with their winners and how many were ranked; or season `number` alone."""
    where = "WHERE guild = ? AND closed_at IS NOT NULL"
    if number:
        seasons = _seasons(db, f"{where} AND number = ?", (guild, number))
    else:
        seasons = _seasons(db, f"{where} ORDER BY number DESC LIMIT ? OFFSET ?", (guild, limit, offset))
    (count,) = db.execute(f"SELECT count(*) FROM season {where}", (guild,)).fetchone()
    lines = []
    for season in seasons:
        rows = db.execute(f"{_SELECT_RESULT} AND rank = 1 ORDER BY line", (guild, season.number)).fetchall()
        (ranked,) = db.execute(_RANKED, (guild, season.number)).fetchone()
        lines.append((season, tuple([SeasonResult(*row) for row in rows]), int(ranked)))
    return SeasonHall(tuple(lines), int(count))


def all_results(db: Database, guild: int, season: int) -> tuple[SeasonResult, ...]:
    """Return the results of a season that is over, the best first; nothing of another one."""
    rows = db.execute(f"{_SELECT_RESULT} AND {_IS_OVER} ORDER BY line", (guild, season))
    return tuple([SeasonResult(*row) for row in rows])


def own_results(db: Database, guild: int, user: int) -> tuple[tuple[int, SeasonResult], ...]:
    """Return what somebody did in each season that is over, by its number."""
    rows = db.execute(
        f"""
        SELECT season, "user", rank, hands, net, uncounted FROM season_result
        WHERE guild = ? AND "user" = ? AND {_IS_OVER} ORDER BY season
        """,
        (guild, user),
    )
    return tuple([(season, SeasonResult(*row)) for season, *row in rows])
