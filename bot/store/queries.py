"""Read everything that is read from the file, by plain functions on a connection that cannot write.

`bot.store.store.Store` has a method for each that others ask.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from bot.house.rules import HouseRules
from bot.ledger.accounts import AccountKind, Book, TransferReason
from bot.ledger.gifts import GiftClaims
from bot.ledger.pot_flows import Flow
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_types import (
    EVERY_HAND,
    HistoryEntry,
    Leaderboard,
    LeaderboardLine,
    NewHand,
    PlayerHoldings,
    Receipt,
    SavedHand,
    SavedTable,
    StackAdjustment,
    StoredEvent,
    TableChips,
    TableRecord,
    UnshownChips,
    WalletHistory,
)
from bot.statistics.seasons import Season
from bot.statistics.types import RankingOrder
from bot.store import staff_log
from bot.store.board import EVERYBODY, LISTED_PEOPLE, BoardOrder, Listed, ranked
from bot.store.board_sums import counted_differences
from bot.store.codec import EventCodec
from bot.store.database import Database
from bot.store.finished_hands import journal_rows
from bot.store.flow import TABLE_OF_TRANSFER
from bot.store.occasions import occasion_at
from bot.store.season_resets import SHOWN_FLOW, SHOWN_TOTALS_OF_RESET, reset_parameters, season_reset

T = TypeVar("T")

_SELECT_TABLE = """
    SELECT id, guild, number, channel, settings, state = 'open' AS open,
           (SELECT coalesce(max(hand.number), 0) FROM hand WHERE table_id = card_table.id) AS hands, opened_at, private
    FROM card_table
"""
_SAVED_TOTALS = 'SELECT "user", total, counted FROM player_total WHERE guild = :guild AND book = :book'
_LISTED = " AND listed = 1"
_SHOWN_TOTALS = """  -- while all-in hands are run out, as if they had not ended
    {saved} AND "user" NOT IN (SELECT column1 FROM (VALUES {unshown}) AS unshown)
    UNION ALL SELECT "user", total + column2, counted + column3 FROM (VALUES {unshown}) AS unshown
    JOIN ({saved}) AS saved ON "user" = column1
"""


def read_consistently(db: Database, read: Callable[[], T]) -> T:
    """Let several queries see the same state of the file."""
    db.begin_reading()
    try:
        return read()
    finally:
        db.commit()


def receipt(db: Database, key: str) -> Receipt | None:
    """Return the receipt of a cause that has been applied, marked as repeated; None if it has not been applied."""
    row = db.execute("SELECT key, at, table_id, number, seq FROM cause WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    found, at, table_id, number, seq = row
    return Receipt(found, at, table_id, number, seq, repeated=True)


def saved_table(db: Database, codec: EventCodec, table_id: int) -> SavedTable | None:
    """Return one open table, to be read again; None if it is closed."""
    row = db.execute(f"{_SELECT_TABLE} WHERE id = ? AND state = 'open'", (table_id,)).fetchone()
    return _saved_table(db, codec, _table_record(row)) if row else None


def won_from_young(db: Database, guild: int, user: int, young_from: int, spared: int) -> tuple[tuple[int, int], ...]:
    """Return what a user has won in hands, net, that came from young accounts: the account and the chips.

    Chips that somebody else passes on count too: of what the user won from them, as much as they won from young accounts themselves.

    Args:
        young_from: the smallest id of a young account.
        spared: so many chips that somebody won from young accounts are not counted where they pass them on.
    """
    reset = season_reset(db, guild)
    flow = SHOWN_FLOW if reset is not None else "flow"
    rows = db.execute(
        f"""
        SELECT other, chips FROM {flow} WHERE guild = :guild AND "user" = :user AND other >= :young AND chips > 0
        UNION ALL
        SELECT oldest, CASE WHEN chips < passed_on THEN chips ELSE passed_on END FROM (
            SELECT won.chips, (
                       SELECT sum(chips) FROM {flow} WHERE guild = :guild AND "user" = won.other AND other >= :young AND chips > 0
                   ) - :spared AS passed_on, (
                       SELECT min(other) FROM {flow} WHERE guild = :guild AND "user" = won.other AND other >= :young AND chips > 0
                   ) AS oldest
            FROM {flow} AS won WHERE guild = :guild AND "user" = :user AND other < :young AND chips > 0
        ) AS through WHERE passed_on > 0
        """,
        {"guild": guild, "user": user, "young": young_from, "spared": spared}
        | (reset_parameters(reset) if reset is not None else {}),
    )
    return tuple(rows.fetchall())


def open_tables(db: Database, codec: EventCodec) -> tuple[SavedTable, ...]:
    """Return every open table of every server, by id, to be restored."""
    rows = db.execute(f"{_SELECT_TABLE} WHERE state = 'open'").fetchall()
    # Sorted here: with ORDER BY, SQLite would read the closed tables too.
    return tuple(_saved_table(db, codec, _table_record(row)) for row in sorted(rows))


def _saved_table(db: Database, codec: EventCodec, record: TableRecord) -> SavedTable:
    table = record.id
    saved_state, first = _saved_state(db, table)
    events, seq = _events_between(db, codec, table, first, None)
    hand = None
    if record.hand_count:
        nonce, begins = db.execute(
            "SELECT nonce, seq FROM hand WHERE table_id = ? AND number = ?", (table, record.hand_count)
        ).fetchone()
        hand = NewHand(record.hand_count, nonce, begins - first)
    occasion = occasion_at(db, codec, table)
    return SavedTable(record, saved_state, first, events, seq, hand, table_chips(db, table), occasion)


def _saved_state(db: Database, table: int) -> tuple[bytes | None, int]:
    """Return a table's saved state, whole, and the number of the first event after it."""
    row = db.execute(
        """
        SELECT snapshot.blob, seq, part_at, stored_part.blob FROM snapshot LEFT JOIN stored_part ON stored_part.id = part
        WHERE table_id = ?
        """,
        (table,),
    ).fetchone()
    if row is None:
        return None, 1
    blob, seq, part_at, part = row
    return (blob if part is None else blob[:part_at] + part + blob[part_at:]), seq


def _events_between(
    db: Database, codec: EventCodec, table: int, first: int, end: int | None
) -> tuple[tuple[StoredEvent, ...], int]:
    """Return a table's events from number `first` up to but not including `end`, and the number after the last row that holds them."""
    events: list[StoredEvent] = []
    following = first
    for seq, count, _, blob in journal_rows(db, table, first, end):
        following = max(following, seq + count)
        events += codec.decode(blob)[max(0, first - seq) : None if end is None else end - seq]
    return tuple(events), following


def table(db: Database, table_id: int) -> TableRecord | None:
    """Return a table by its id, open or closed."""
    row = db.execute(f"{_SELECT_TABLE} WHERE id = ?", (table_id,)).fetchone()
    return _table_record(row) if row else None


def table_numbered(db: Database, guild: int, number: int) -> TableRecord | None:
    """Return a table by its number in the server, open or closed."""
    row = db.execute(f"{_SELECT_TABLE} WHERE guild = ? AND card_table.number = ?", (guild, number)).fetchone()
    return _table_record(row) if row else None


def newest_table_in(db: Database, guild: int, channel: int) -> TableRecord | None:
    """Return the table that was opened last in a channel, open or closed. It goes back through the server's tables, the newest first."""
    row = db.execute(
        f"{_SELECT_TABLE} WHERE guild = ? AND channel = ? ORDER BY card_table.number DESC LIMIT 1", (guild, channel)
    ).fetchone()
    return _table_record(row) if row else None


def private_tables_of(db: Database, guild: int, user: int) -> tuple[int, ...]:
    """Return the numbers of the private tables of a server that a person opened or was invited to."""
    rows = db.execute(
        """
        SELECT number FROM table_guest JOIN card_table ON card_table.id = table_id
        WHERE "user" = ? AND guild = ? ORDER BY number
        """,
        (user, guild),
    )
    return tuple([number for (number,) in rows])


def private_tables_known_to(db: Database, guild: int, user: int) -> tuple[int, ...]:
    """Return the numbers of the private tables of a server of which a person can see every hand."""
    rows = db.execute(
        """
        SELECT number FROM table_guest JOIN card_table ON card_table.id = table_id
        WHERE "user" = ? AND guild = ? AND last_hand >= ?
        """,
        (user, guild, EVERY_HAND),
    )
    return tuple([number for (number,) in rows])


def last_hand_for(db: Database, table_id: int, user: int) -> int:
    """Return the number of the last hand of a table that a person can see as everybody sees it: `EVERY_HAND`, but at a private table -1
    for strangers, and less for somebody who was removed from it."""
    row = db.execute(
        """
        SELECT CASE private WHEN 0 THEN ? ELSE
            coalesce((SELECT last_hand FROM table_guest WHERE table_id = card_table.id AND "user" = ?), -1) END
        FROM card_table WHERE id = ?
        """,
        (EVERY_HAND, user, table_id),
    ).fetchone()
    return int(row[0]) if row is not None else -1


def _table_record(row: tuple[int, int, int, int, bytes, int, int, int, int]) -> TableRecord:
    table_id, guild, number, channel, settings, is_open, hands, opened_at, private = row
    return TableRecord(table_id, guild, number, channel, settings, bool(is_open), hands, opened_at, bool(private))


def table_chips(db: Database, table_id: int) -> TableChips:
    """Return the chips on a table, by the ledger, which also says what kind of book they are in."""
    rows = db.execute(
        """
        SELECT kind, "user", chips, staked FROM balance
        WHERE guild = (SELECT guild FROM card_table WHERE id = :table) AND kind IN (4, 5, 6, 14, 15, 23, 24, 25) AND table_id = :table
        """,
        {"table": table_id},
    ).fetchall()
    book = Book(
        max([kind for kind, *_ in rows], default=0) // 10 * 10
    )  # what is in escrow is people's, whatever is played for
    seats = [(user, chips, staked) for kind, user, chips, staked in rows if kind == AccountKind.SEAT + book]
    return TableChips(
        stacks={user: chips for user, chips, _ in seats if chips},
        in_pot={user: staked for user, _, staked in seats if staked},
        pot=sum(chips for kind, _, chips, _ in rows if kind == AccountKind.POT + book),
        book=book,
        away={user: chips for kind, user, chips, _ in rows if kind == AccountKind.TABLE_WALLET and chips},
        escrow=sum(chips for kind, _, chips, _ in rows if kind == AccountKind.ESCROW),
    )


def hand(db: Database, codec: EventCodec, table_id: int, number: int = 0) -> SavedHand | None:
    """Return a hand by its number, 0 for the last one started: its events, up to the beginning of the next hand.

    None if it was never dealt, or was dropped for its age.
    """
    if not number:
        (number,) = db.execute("SELECT coalesce(max(number), 0) FROM hand WHERE table_id = ?", (table_id,)).fetchone()
    row = db.execute(
        "SELECT seq, nonce, started_at FROM hand WHERE table_id = ? AND number = ?", (table_id, number)
    ).fetchone()
    if row is None:
        return None
    seq, nonce, started_at = row
    following = db.execute(
        "SELECT seq FROM hand WHERE table_id = ? AND number > ? ORDER BY number LIMIT 1", (table_id, number)
    ).fetchone()
    events, _ = _events_between(db, codec, table_id, seq, following[0] if following else None)
    if not events:  # a table's last hand is still counted when it has been dropped
        return None
    return SavedHand(table_id, number, nonce, started_at, seq, events)


def holdings(db: Database, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
    """Return a player's chips; zeroes for a user who has no account."""
    stacks, bets = db.execute(
        """
        SELECT coalesce(sum(chips), 0), coalesce(sum(staked), 0)
        FROM balance INDEXED BY seats_of_player WHERE guild = ? AND kind = ? AND "user" = ? AND table_id > 0
        """,
        (guild, int(AccountKind.SEAT + book), user),
    ).fetchone()
    wallet = _wallet_of(db, guild, user, book)
    return PlayerHoldings(user, wallet, stacks, bets, player_claims(db, guild, user, book))


def player_claims(db: Database, guild: int, user: int, book: Book) -> GiftClaims:
    """Return what the house has given a player."""
    row = db.execute(
        'SELECT granted_at, day, streak, relief_at FROM claim WHERE guild = ? AND book = ? AND "user" = ?',
        (guild, int(book), user),
    ).fetchone()
    return GiftClaims(*row) if row else GiftClaims()


def _wallet_of(db: Database, guild: int, user: int, book: Book) -> int:
    """Return what somebody's wallet holds; 0 for none. While chips change at the end of a season it is what it is to be."""
    row = db.execute(
        'SELECT chips FROM balance WHERE guild = ? AND kind = ? AND table_id = 0 AND "user" = ?',
        (guild, int(AccountKind.WALLET + book), user),
    ).fetchone()
    if row is None:
        return 0
    reset = season_reset(db, guild) if book is Book.PEOPLE else None
    return reset.shown_wallet(db, user, row[0]) if reset is not None else int(row[0])


def _total_of(db: Database, guild: int, user: int, book: Book) -> int:
    """Return all the chips of somebody who is on a leaderboard."""
    query = 'SELECT total FROM player_total WHERE guild = ? AND book = ? AND "user" = ?'
    (total,) = db.execute(query, (guild, int(book), user)).fetchone()
    return int(total)


def leaderboard(
    db: Database,
    guild: int,
    *,
    offset: int,
    limit: int,
    user: int,
    book: Book,
    unshown: Sequence[UnshownChips] = (),
    unshown_flows: Sequence[Flow] = (),
    year: int = 0,
    among: Sequence[int] | None = None,
    only_listed: bool = False,
) -> Leaderboard:
    """Return a page of the leaderboard: by the chips that count (BO-1).

    A page costs the same in a big server as in a small one (`bot.store.board`). With `among` it costs a look at each of those people, and
    while chips change at the end of a season a look at everybody.

    Args:
        unshown_flows: who has won from whom in hands whose end has not been shown, in this `year`.
        among: the people who are on it; None for everybody.
        only_listed: nobody else is on it than those who are marked (`bot.store.listed_people`).
    """
    wallets: dict[int, int] = {}
    totals: dict[int, int] = {}
    for chips in unshown:
        wallets[chips.user] = wallets.get(chips.user, 0) + chips.wallet
        totals[chips.user] = totals.get(chips.user, 0) + chips.total
    differences = counted_differences(db, guild, year, unshown_flows) if unshown_flows else {}
    shown = [(user, chips, chips + differences.get(user, 0)) for user, chips in totals.items()]
    reset = season_reset(db, guild) if book is Book.PEOPLE else None

    def line(rank: int, user: int, counted: float, total: int) -> LeaderboardLine:
        wallet = _wallet_of(db, guild, user, book) + wallets.get(user, 0)
        return LeaderboardLine(rank, user, total, wallet, total - int(counted))

    if reset is None and among is None:
        kind = LISTED_PEOPLE if only_listed else EVERYBODY
        changes = {user: counted for user, _, counted in shown}
        board = BoardOrder(db, kind, {"guild": guild, "book": int(book)}, changes)
        listed = ranked(board.page(offset, limit), offset + 1, board.rank_of)
        own_chips = board.chips_of(user)
        mine = [] if own_chips is None else [(board.rank_of(own_chips), user, own_chips)]
        lines = [line(*one, _total_of(db, guild, one[1], book) + totals.get(one[1], 0)) for one in (*listed, *mine)]
        return Leaderboard(tuple(lines[: len(listed)]), board.people(), lines[-1] if mine else None)
    saved = SHOWN_TOTALS_OF_RESET if reset is not None else _SAVED_TOTALS
    some = (f' AND "user" IN ({db.numbers("among")})' if among is not None else "") + (_LISTED if only_listed else "")
    saved += some
    differing = ", ".join([f"({user:d}, {chips:d}, {counted:d})" for user, chips, counted in shown])
    total = f"({_SHOWN_TOTALS.format(saved=saved, unshown=differing) if shown else saved}) AS shown"
    parameters: dict[str, Any] = {"guild": guild, "book": int(book)}
    parameters["among"] = msgspec.json.encode(among or ()).decode()
    if reset is not None:
        parameters |= reset_parameters(reset)

    def rank_of(chips: float) -> int:
        query = f"SELECT count(*) FROM {total} WHERE counted > :chips"
        (better,) = db.execute(query, {**parameters, "chips": chips}).fetchone()
        return int(better) + 1

    rows = db.execute(
        f'SELECT "user", total, counted FROM {total} ORDER BY counted DESC, "user" LIMIT :limit OFFSET :offset',
        {**parameters, "limit": limit, "offset": offset},
    ).fetchall()
    (players,) = db.execute(f"SELECT count(*) FROM ({_SAVED_TOTALS}{some}) AS people", parameters).fetchone()
    own = db.execute(
        f'SELECT counted, total FROM {total} WHERE "user" = :user', {**parameters, "user": user}
    ).fetchone()
    totals_of = {user: chips for user, chips, _ in rows}
    ranks = ranked([Listed(user, counted) for user, _, counted in rows], offset + 1, rank_of)
    return Leaderboard(
        tuple([line(*one, totals_of[one[1]]) for one in ranks]),
        players,
        line(rank_of(own[0]), user, *own) if own else None,
    )


def history(
    db: Database, guild: int, user: int, *, before: int = 0, limit: int = 10, book: Book = Book.PEOPLE
) -> WalletHistory:
    """Return transfers of a player's wallet, newest first; `before` is `older` of the previous page, 0 for the first page."""
    wallet = int(AccountKind.WALLET + book)
    rows = db.execute(
        f"""
        SELECT cause * 65536 + part, cause.at, CASE WHEN debit_kind = :wallet THEN -chips ELSE chips END, reason, note,
               coalesce((SELECT number FROM card_table WHERE id = {TABLE_OF_TRANSFER}), 0), cause.who
        FROM transfer JOIN cause ON cause.id = transfer.cause
        WHERE transfer.guild = :guild AND wallet = :wallet AND wallet > 0 AND owner = :user
        AND (cause, part) < (:cause, :part) ORDER BY cause DESC, part DESC LIMIT :limit + 1
        """,
        {
            "guild": guild,
            "user": user,
            "wallet": wallet,
            "cause": before >> 16 if before else 2**62,
            "part": before & 0xFFFF,
            "limit": limit,
        },
    ).fetchall()
    entries = tuple(
        HistoryEntry(number, at, chips, TransferReason(reason), note, at_table, by)
        for number, at, chips, reason, note, at_table, by in rows[:limit]
    )
    older = entries[-1].id if len(rows) > limit else 0
    coming = _coming_change(db, guild, user) if book is Book.PEOPLE and not before else None
    return WalletHistory((coming, *entries) if coming is not None else entries, older)


def _coming_change(db: Database, guild: int, user: int) -> HistoryEntry | None:
    """Return how the end of a season has changed somebody's wallet, as long as it is not written."""
    reset = season_reset(db, guild)
    if reset is None:
        return None
    (chips,) = db.execute(
        'SELECT coalesce(sum(chips), 0) FROM balance WHERE guild = ? AND kind = ? AND table_id = 0 AND "user" = ?',
        (guild, int(AccountKind.WALLET), user),
    ).fetchone()
    change = _wallet_of(db, guild, user, Book.PEOPLE) - chips
    (at,) = db.execute("SELECT at FROM cause WHERE id = ?", (reset.cause,)).fetchone() or (0,)
    return HistoryEntry(0, at, change, TransferReason.SEASON, reset.note, 0, 0) if change else None


def guilds(db: Database) -> tuple[int, ...]:
    """Return every server that has an account or a transfer, by id. It costs a look at each server, not at each account."""
    found: set[int] = set()
    for table in ("balance", "transfer"):
        rows = db.execute(
            f"""
            WITH RECURSIVE server (id) AS (
                SELECT min(guild) FROM {table}
                UNION ALL SELECT (SELECT min(guild) FROM {table} WHERE guild > server.id) FROM server WHERE id IS NOT NULL
            ) SELECT id FROM server WHERE id IS NOT NULL
            """
        )
        found.update(guild for (guild,) in rows)
    return tuple(sorted(found))


def newest_transfer(db: Database, guild: int) -> int:
    """Return the id of the cause that moved chips of a server last; 0 for none."""
    (newest,) = db.execute("SELECT coalesce(max(cause), 0) FROM transfer WHERE guild = ?", (guild,)).fetchone()
    return int(newest)


def tables_of(db: Database, guild: int, user: int) -> tuple[TableRecord, ...]:
    """Return the tables of a server to which a player has brought chips, open and closed, newest first."""
    ids = db.execute(
        f"""
        SELECT DISTINCT {TABLE_OF_TRANSFER} FROM transfer
        WHERE guild = ? AND wallet IN (3, 13, 23) AND wallet > 0 AND owner = ?
        """,
        (guild, user),
    ).fetchall()
    found = [table(db, table_id) for (table_id,) in sorted(ids, reverse=True) if table_id]
    return tuple([one for one in found if one is not None])


def claim_floor(db: Database, mark: bytes) -> GiftClaims | None:
    """Return when somebody whose data was deleted had claimed gifts; None if nothing is kept under this mark."""
    row = db.execute("SELECT granted_at, day, relief_at FROM claim_floor WHERE mark = ?", (mark,)).fetchone()
    return GiftClaims(granted_at=row[0], last_daily_day=row[1], relief_at=row[2]) if row else None


def house_rules(db: Database, guild: int, defaults: HouseRules) -> HouseRules:
    """Return what staff have set. A rule that is younger than what they set has its default."""
    row = db.execute("SELECT rules FROM guild WHERE id = ?", (guild,)).fetchone()
    if not row or not row[0]:
        return defaults
    return msgspec.convert(msgspec.structs.asdict(defaults) | msgspec.json.decode(row[0]), HouseRules)


def ledger_sum(db: Database) -> int:
    """Return by how much the books of all servers are off: each must sum to zero, and none makes up for another."""
    (off,) = db.execute(
        """
        SELECT coalesce(sum(abs(chips)), 0) FROM (
            SELECT sum(chips) AS chips FROM balance GROUP BY guild, CASE WHEN kind > 20 THEN table_id ELSE 0 END
        ) AS sums
        """
    ).fetchone()
    return int(off)


_ADJUSTED = f"reason = '{TransferReason.ADJUSTED}'"
"""Written out, so that SQLite finds the partial index."""


def adjustments(
    db: Database, guild: int, *, since: int, before: int = 0, limit: int = 10
) -> tuple[StackAdjustment, ...]:
    """Return adjustments of stacks since a time in ms, newest first; `before` is the id of the last one of the previous page.

    A cause makes one at most, and it moves chips between the seats of one table.
    """
    rows = db.execute(
        f"""
        SELECT cause.id, cause.at, card_table.number, debit_user, credit_user, chips
        FROM transfer JOIN cause ON cause.id = transfer.cause JOIN card_table ON card_table.id = debit_table
        WHERE transfer.cause IN (
            SELECT DISTINCT transfer.cause FROM transfer JOIN cause ON cause.id = transfer.cause
            WHERE transfer.guild = :guild AND {_ADJUSTED} AND transfer.cause < :before AND cause.at >= :since
            ORDER BY transfer.cause DESC LIMIT :limit
        ) AND transfer.guild = :guild AND {_ADJUSTED} ORDER BY cause.id DESC, part
        """,
        {"guild": guild, "before": before or 2**62, "since": since, "limit": limit},
    )
    found: dict[int, tuple[int, int, dict[int, int]]] = {}
    for cause, at, number, giver, taker, chips in rows:
        _, _, shifts = found.setdefault(cause, (at, number, {}))
        shifts[giver] = shifts.get(giver, 0) - chips
        shifts[taker] = shifts.get(taker, 0) + chips
    told = staff_log.entries_of_causes(db, tuple(found))
    nothing_told = StaffLogEntry(kind=StaffLogKind.STACKS_ADJUSTED)
    return tuple(
        StackAdjustment(cause, at, number, tuple(shifts.items()), entry.hand, entry.by, entry.agreed)
        for cause, (at, number, shifts) in found.items()
        for entry in (told.get(cause, nothing_told),)
    )


def value(db: Database, key: str) -> bytes | None:
    """Return the value kept under a key."""
    row = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
    return bytes(row[0]) if row else None


def values(db: Database, prefix: str) -> dict[str, bytes]:
    """Return the values whose keys begin so, by key."""
    end = f"{prefix}\U0010ffff"
    return dict(db.execute("SELECT key, value FROM kept WHERE key >= ? AND key < ? ORDER BY key", (prefix, end)))


def seasons(db: Database, guild: int) -> tuple[Season, ...]:
    """Return the seasons of a server, oldest first. `bot.statistics.seasons.season_number_at` tells which one a hand is in."""
    rows = db.execute(
        """
        SELECT guild, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, coalesce(closed_at, 0)
        FROM season WHERE guild = ? ORDER BY number
        """,
        (guild,),
    )
    return tuple(
        [
            Season(of, number, name, opened_at, ends_at, months, RankingOrder(ranked_by), min_hands, channel, closed_at)
            for of, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, closed_at in rows
        ]
    )
