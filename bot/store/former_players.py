"""Take a person out of a server's books and journals: a pseudonym stands wherever their id stood, and their name is gone.

It is many short transactions, so that no save of anybody waits long. The first one moves their chips to the house, gives them a
pseudonym, and leaves a mark, the row in `deletion`: from then on no chips and no gifts come to them, until the last one takes the mark
away. In between, `bot.store.person_rows` finds what holds them, and a part at a time is rewritten. A dealer that is killed finds the mark
and searches again: what is rewritten already is not found any more. What open tables are restored from is rewritten by the last
transaction, with everything that was written since the search began. Until then others meet them under both names, and no sum changes:
their accounts are empty, and an audit takes both for one.

The triggers let only the id of such a person change, and what names them beside it. No chip and no event comes or goes.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from bot.ledger.accounts import WALLET_BOOKS, Transfer, TransferReason, house_account, wallet_account
from bot.ledger.gifts import DAY_MS
from bot.runtime.store_errors import DataBeingDeleted, InvalidCommit, PersonSeated, StoreFailed
from bot.runtime.store_types import Commit, Forgetting, Forgotten
from bot.store.board_sums import rename_in_board_sums
from bot.store.codec import EventCodec
from bot.store.database import DATABASE_FAILED, Database
from bot.store.finished_hands import ExchangeFailed, RewrittenHand, replace_hand
from bot.store.person_rows import DeletedPerson, FoundRows, find_hands, find_last_rows, searched_tables
from bot.store.write_batch import save_in_transaction
from bot.store.writer_cache import WriterCache

T = TypeVar("T")

_SMALLEST_ID = 1 << 43
"""Ids of Discord are larger, and no time in ms and no number of chips is: a number that equals an id is one."""
MAX_LAST_HANDS = 20
"""So many finished hands at most are left to the last transaction."""


def begin_deletion(db: Database, cache: WriterCache, codec: EventCodec, forgetting: Forgetting) -> Forgotten:
    """Begin to take a person out of a server. Chips they have left go to the house.

    Raises:
        PersonSeated: they have chips on a table.
        DataBeingDeleted: it has begun already.
        StoreFailed: the disk failed. Nothing has changed.
    """
    if forgetting.user < _SMALLEST_ID:
        raise InvalidCommit(f"{forgetting.user} is no id of Discord's")
    return _change(db, cache, lambda: _begin(db, cache, codec, forgetting))


def _change(db: Database, cache: WriterCache, change: Callable[[], T]) -> T:
    """Make a change in one transaction. What it deletes is written over."""
    try:
        with db.erasing(), db.transaction():
            return change()
    except (*DATABASE_FAILED, ExchangeFailed) as error:
        raise StoreFailed(reason=f"could not save: {error}") from error
    finally:
        cache.clear()


def _begin(db: Database, cache: WriterCache, codec: EventCodec, forgetting: Forgetting) -> Forgotten:
    guild, user = forgetting.guild, forgetting.user
    if db.execute('SELECT 1 FROM deletion WHERE guild = ? AND "user" = ?', (guild, user)).fetchone() is not None:
        raise DataBeingDeleted
    (on_tables,) = db.execute(
        """
        SELECT count(*) FROM balance
        WHERE guild = ? AND "user" = ? AND kind IN (4, 14, 24) AND table_id > 0 AND (chips > 0 OR staked > 0)
        """,
        (guild, user),
    ).fetchone()
    if on_tables:
        raise PersonSeated
    chips = _give_to_house(db, cache, codec, forgetting)
    first, last = cache.slot.former_players
    (former,) = db.execute(
        "SELECT coalesce(max(id) + 1, ?) FROM former_player WHERE id BETWEEN ? AND ?", (first, first, last)
    ).fetchone()
    given = db.last_number("former_player")  # to people who are in another slot now
    former = max(former, given + 1) if first <= given <= last else former
    if former > last:
        raise StoreFailed(reason="no pseudonym is left")
    db.execute("INSERT INTO former_player (id, guild, at) VALUES (?, ?, ?)", (former, guild, forgetting.cause.at))
    db.execute(
        'INSERT INTO deletion (id, guild, "user", cause, details) SELECT ?, ?, ?, max(id), ? FROM cause',
        (former, guild, user, msgspec.msgpack.encode(forgetting)),
    )
    _keep_floors(db, forgetting)
    _drop_accounts(db, guild, user, former)
    _drop_kept_values(db, forgetting, former)
    return Forgotten(former, chips)


def _give_to_house(db: Database, cache: WriterCache, codec: EventCodec, forgetting: Forgetting) -> int:
    """Move what the person has left, on both books, to the house. Returns the chips that were no practice chips."""
    held: dict[int, int] = dict(
        db.execute(
            'SELECT kind, chips FROM balance WHERE guild = ? AND kind IN (3, 13) AND table_id = 0 AND "user" = ? AND chips > 0',
            (forgetting.guild, forgetting.user),
        ).fetchall()
    )
    transfers = tuple(
        Transfer(wallet_account(forgetting.user, book), house_account(book), held[kind], TransferReason.CORRECTED)
        for book in WALLET_BOOKS
        if (kind := int(wallet_account(0, book).kind)) in held
    )
    commit = Commit(guild=forgetting.guild, cause=forgetting.cause, transfers=transfers)
    save_in_transaction(db, cache, codec, commit)
    return held.get(int(wallet_account(0).kind), 0)


def _keep_floors(db: Database, forgetting: Forgetting) -> None:
    """Keep when gifts were claimed, under marks that only the master secret can make again: coming back brings no second grant."""
    for book, mark in zip(WALLET_BOOKS, forgetting.marks, strict=True):
        db.execute(
            """
            INSERT INTO claim_floor (mark, granted_at, day, relief_at)
            SELECT ?, granted_at, day, relief_at FROM claim WHERE guild = ? AND book = ? AND "user" = ?
            ON CONFLICT (mark) DO UPDATE SET granted_at = excluded.granted_at, day = excluded.day, relief_at = excluded.relief_at
            """,
            (mark, forgetting.guild, int(book), forgetting.user),
        )


def _drop_accounts(db: Database, guild: int, user: int, former: int) -> None:
    """Drop empty balances, totals, claims, and duels won and lost.

    What the person has taken away from a game of table chips stays in its book until it ends.
    """
    db.execute(
        'UPDATE balance SET "user" = ? WHERE guild = ? AND kind = 23 AND table_id > 0 AND "user" = ?',
        (former, guild, user),
    )
    for table, whose in (
        ("balance", 'table_id > 0 AND "user" = ?'),
        ("balance", 'kind IN (3, 13) AND table_id = 0 AND "user" = ?'),
        ("player_total", '"user" = ?'),
        ("claim", '"user" = ?'),
        ("duel_result", '"user" = ?'),
    ):
        db.execute(f"DELETE FROM {table} WHERE guild = ? AND {whose}", (guild, user))


def deletions(db: Database) -> tuple[Forgetting, ...]:
    """Return the people who are being taken out."""
    rows = db.execute("SELECT details FROM deletion ORDER BY id")
    return tuple([msgspec.msgpack.decode(details, type=Forgetting) for (details,) in rows])


def person_being_deleted(db: Database, guild: int, user: int) -> DeletedPerson | None:
    """Return a person who is being taken out of a server."""
    row = db.execute('SELECT id, cause FROM deletion WHERE guild = ? AND "user" = ?', (guild, user)).fetchone()
    return DeletedPerson(guild, user, *row) if row is not None else None


def rewrite_hands_of(db: Database, cache: WriterCache, hands: list[RewrittenHand]) -> None:
    """Put rewritten hands in the place of those in which the person stands. A power cut can undo it, and loses nothing by it.

    Raises:
        StoreFailed: the disk failed. Nothing has changed.
    """
    with db.relaxed():
        _change(db, cache, lambda: _replace_hands(db, hands))


def rewrite_rows_of(
    db: Database,
    cache: WriterCache,
    codec: EventCodec,
    person: DeletedPerson,
    found: FoundRows,
) -> None:
    """Rewrite rows in which the person stands. A power cut can undo it, and loses nothing by it.

    Raises:
        StoreFailed: the disk failed. Nothing has changed.
    """
    with db.relaxed():
        _change(db, cache, lambda: _rewrite_rows(db, codec, person, found))


def end_deletion(
    db: Database,
    cache: WriterCache,
    codec: EventCodec,
    person: DeletedPerson,
    seen: tuple[int, int],
) -> bool:
    """Rewrite what is left, and take the mark away. Returns False, and does nothing, if too much is left for one transaction.

    Args:
        seen: the newest cause and the newest finished hand up to which everything has been searched.

    Raises:
        StoreFailed: the disk failed. Nothing has changed.
    """
    cause, hand = seen
    (left,) = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM finished_hand WHERE id > ? LIMIT ?) AS later", (hand, MAX_LAST_HANDS + 1)
    ).fetchone()
    if left > MAX_LAST_HANDS:
        return False
    _change(db, cache, lambda: _end(db, codec, person, cause, hand))
    return True


def _end(db: Database, codec: EventCodec, person: DeletedPerson, cause: int, hand: int) -> None:
    (details,) = db.execute("SELECT details FROM deletion WHERE id = ?", (person.former,)).fetchone()
    hands, _ = find_hands(db, person, hand, MAX_LAST_HANDS + 1)
    _replace_hands(db, hands)
    for found in find_last_rows(db, person, cause):
        _rewrite_rows(db, codec, person, found)
    _rewrite_flows(db, person)
    rename_in_board_sums(db, person.guild, person.user, person.former)
    _rewrite_seasons(db, person)
    _drop_accounts(db, person.guild, person.user, person.former)
    _drop_kept_values(db, msgspec.msgpack.decode(details, type=Forgetting), person.former)
    db.execute("DELETE FROM deletion WHERE id = ?", (person.former,))


def _replace_hands(db: Database, hands: list[RewrittenHand]) -> None:
    with db.allowing(("hand", hand.table, hand.seq) for hand in hands):
        for hand in hands:
            replace_hand(db, hand)


def _rewrite_rows(db: Database, codec: EventCodec, person: DeletedPerson, found: FoundRows) -> None:
    """Write the pseudonym, and rewritten values, into rows that have been found."""
    table, columns = found.table, searched_tables(db)[found.table]
    allowed: list[tuple[str, int, int]] = [("person", person.user, person.former)]
    changes = [f"{column} = CASE {column} WHEN :user THEN :former ELSE {column} END" for column in columns.users]
    changes += [f"{column} = :value{at}" for at, column in enumerate(columns.values)]
    match table:
        case "transfer":
            changes.append("note = CASE owner WHEN :user THEN '' ELSE note END")
        case "cause":
            changes.append("key = CASE who WHEN :user THEN replace(key, ':' || :user, ':' || :former) ELSE key END")
        case "snapshot":
            changes += ["part = NULL", "part_at = 0"]
        case "event":
            _require_as_many_events(db, codec, found)
            allowed += [("event", at_table, seq) for at_table, seq in found.keys]
        case "occasion_event":
            allowed += [("occasion", occasion, seq) for _, occasion, seq in found.keys]
        case "staff_log":
            allowed += [("staff log", line, 0) for (line,) in found.keys]
    where = " AND ".join(f"{name} = :key{at}" for at, name in enumerate(columns.key))
    ids = {"user": person.user, "former": person.former}
    with db.allowing(allowed):
        db.executemany(
            f"UPDATE {table} SET {', '.join(changes)} WHERE {where}",
            [
                ids
                | {f"key{at}": one for at, one in enumerate(key)}
                | {f"value{at}": one for at, one in enumerate(values)}
                for key, values in zip(found.keys, found.values, strict=True)
            ],
        )


def _require_as_many_events(db: Database, codec: EventCodec, found: FoundRows) -> None:
    """Check that no event is lost. A row that is gone has been put away since it was found: its hand is searched at the end."""
    for key, (value,) in zip(found.keys, found.values, strict=True):
        row = db.execute("SELECT count FROM event WHERE table_id = ? AND seq = ?", key).fetchone()
        if row is not None and (len(codec.decode(value)),) != row:
            raise StoreFailed(reason="an event was lost")


def _rewrite_flows(db: Database, person: DeletedPerson) -> None:
    """Keep of whoever lost or won chips only the day on which their account was made: what came from young accounts stays held."""
    day = (person.user >> 22) // DAY_MS * DAY_MS << 22
    rows = db.execute(
        'SELECT other, chips FROM flow WHERE guild = ? AND "user" = ?', (person.guild, person.user)
    ).fetchall()
    for other, chips in rows:  # each pair has two rows
        for user, of, won in ((day, other, chips), (other, day, -chips)):
            db.execute(
                """
                INSERT INTO flow (guild, "user", other, chips) VALUES (?, ?, ?, ?)
                ON CONFLICT (guild, "user", other) DO UPDATE SET chips = flow.chips + excluded.chips
                """,
                (person.guild, user, of, won),
            )
        db.execute('DELETE FROM flow WHERE guild = ? AND "user" = ? AND other = ?', (person.guild, other, person.user))
    db.execute('DELETE FROM flow WHERE guild = ? AND "user" = ?', (person.guild, person.user))


def _rewrite_seasons(db: Database, person: DeletedPerson) -> None:
    """Put the pseudonym into the results of seasons, which stand."""
    with db.allowing([("person", person.user, person.former)]):
        db.execute(
            'UPDATE season_result SET "user" = :former WHERE guild = :guild AND "user" = :user',
            {"former": person.former, "guild": person.guild, "user": person.user},
        )


def _drop_kept_values(db: Database, forgetting: Forgetting, former: int) -> None:
    """Delete the values that are kept about the person: preferences, the channel of their DMs, and what is kept at this server's tables."""
    guild, user = forgetting.guild, forgetting.user
    person = DeletedPerson(guild, user, former, 0)
    own = [f"{prefix}{user}" for prefix in forgetting.personal_values]
    own += [f"{prefix}{guild}.{user}" for prefix in forgetting.server_values]
    for prefix in forgetting.table_values:
        own += _keys(db, guild, prefix, f".{user}")
    db.executemany("DELETE FROM kept WHERE key = ?", [(key,) for key in own])
    keys = [f"{prefix}{guild}" for prefix in forgetting.values_with_ids]
    for prefix in forgetting.table_values_with_ids:
        keys += _keys(db, guild, prefix, "")
    for key in keys:
        row = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
        if row is not None and person.packed in row[0]:
            try:
                value = person.replaced(msgspec.msgpack.decode(row[0]), with_names=False)
            except msgspec.DecodeError:
                db.execute("DELETE FROM kept WHERE key = ?", (key,))
                continue
            db.execute("UPDATE kept SET value = ? WHERE key = ?", (msgspec.msgpack.encode(value), key))


def _keys(db: Database, guild: int, prefix: str, suffix: str) -> list[str]:
    """Return the keys of kept values that are of a server's tables: a prefix, the table's id, and a suffix."""
    found = []
    for (key,) in db.execute("SELECT key FROM kept WHERE key >= ? AND key < ?", (prefix, f"{prefix}:")).fetchall():
        middle = key[len(prefix) : len(key) - len(suffix)]
        if key.endswith(suffix) and middle.isdigit():
            is_of = db.execute("SELECT 1 FROM card_table WHERE id = ? AND guild = ?", (int(middle), guild)).fetchone()
            found += [key] if is_of is not None else []
    return found
