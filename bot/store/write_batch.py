"""Write a batch of commits in one transaction.

Every commit of a batch is checked first, in order, against what the commits before it leave behind. A refused commit changes nothing.
The rest is written table by table, with one statement each. So an error while writing is the disk's, never one commit's, and fails the
whole batch.

The writer remembers balances and journals between batches. That is safe because one process writes to a file, and because memory learns
only what has been committed. The CHECKs, keys and triggers of the schema guard it as well.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec

from bot.ledger.accounts import (
    SEAT_KINDS,
    WALLET_KINDS,
    Account,
    AccountKind,
    Book,
    pot_account,
)
from bot.ledger.books import EMPTY_BALANCE, Balance, post_transfers
from bot.ledger.gifts import GiftClaims
from bot.runtime.store_errors import (
    ChannelTaken,
    DataBeingDeleted,
    InvalidCommit,
    StaleClaims,
    StaleVersion,
    StoreFailed,
)
from bot.runtime.store_types import ClaimChange, Commit, NewHand, NewTable, Receipt
from bot.statistics.seasons import Season
from bot.store import occasions, queries
from bot.store.batch_boards import BatchBoards
from bot.store.board import EVERYBODY, LISTED_PEOPLE, split_full_blocks
from bot.store.codec import EventCodec
from bot.store.database import DATABASE_FAILED, ConnectionLost, Database, KeyTaken
from bot.store.finished_hands import KEEP_VALUE, journal_end, stored_part
from bot.store.season_buy_ins import SeasonBuyIns
from bot.store.season_resets import (
    SeasonReset,
    end_reset,
    next_people,
    note_early,
    note_reached,
    season_resets,
    turn_of,
)
from bot.store.staff_log import INSERT_LINE, line_rows
from bot.store.writer_cache import JournalHead, WriterCache

MAX_CACHED_ACCOUNTS = 100_000
"""Beyond so many remembered accounts the cache is cleared, and fills again from the file."""
MAX_CACHED_PARTS = 1_000
TRIES = 3
"""So often a batch is begun whose connection is lost on the way."""
Row: TypeAlias = tuple[Any, ...]

_INSERT_CAUSE = (
    "INSERT INTO cause (id, key, guild, who, at, what, table_id, number, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_EVENT = "INSERT INTO event (table_id, seq, count, cause, blob) VALUES (?, ?, ?, ?, ?)"
_INSERT_HAND = "INSERT INTO hand (table_id, number, seq, nonce, started_at) VALUES (?, ?, ?, ?, ?)"
_REPLACE_SAVED_STATE = """
    INSERT INTO snapshot (table_id, seq, blob, part, part_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, blob = excluded.blob, part = excluded.part, part_at = excluded.part_at
"""
_INSERT_TRANSFER = """
    INSERT INTO transfer (guild, cause, part, chips, reason, debit_kind, debit_table, debit_user, credit_kind, credit_table,
                          credit_user, note, wallet, owner)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPSERT_BALANCE = """
    INSERT INTO balance (guild, kind, table_id, "user", chips, staked) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (guild, kind, table_id, "user") DO UPDATE SET chips = excluded.chips, staked = excluded.staked
"""
_UPSERT_TOTAL = """
    INSERT INTO player_total (guild, book, "user", total, counted) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (guild, book, "user") DO UPDATE SET total = player_total.total + excluded.total,
        counted = player_total.counted + excluded.counted
"""
_ADD_FLOW = """
    INSERT INTO flow (guild, "user", other, chips) VALUES (?, ?, ?, ?)
    ON CONFLICT (guild, "user", other) DO UPDATE SET chips = flow.chips + excluded.chips
"""
_DELETE_BALANCE = 'DELETE FROM balance WHERE guild = ? AND kind = ? AND table_id = ? AND "user" = ?'
_REPLACE_CLAIM = """
    INSERT INTO claim (guild, book, "user", granted_at, day, streak, relief_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (guild, book, "user") DO UPDATE SET granted_at = excluded.granted_at, day = excluded.day, streak = excluded.streak,
        relief_at = excluded.relief_at
"""


UPSERT_SEASON = """
    INSERT INTO season (guild, number, name, opened_at, ends_at, months, ranked_by, min_hands, channel, closed_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (guild, number) DO UPDATE SET ends_at = excluded.ends_at, months = excluded.months, min_hands = excluded.min_hands,
        closed_at = excluded.closed_at, name = excluded.name
"""


def season_row(season: Season) -> Row:
    """Return the row of a season."""
    span = season.opened_at, season.ends_at, season.months
    ranking = season.ranked_by.value, season.min_hands
    return (season.guild, season.number, season.name, *span, *ranking, season.channel, season.closed_at or None)


class KeptValue(msgspec.Struct, frozen=True, gc=False):
    """A value to keep under a key; None deletes it."""

    key: str
    value: bytes | None


def save_batch(
    db: Database, cache: WriterCache, codec: EventCodec, batch: Sequence[Commit | KeptValue]
) -> list[Receipt | Exception | None]:
    """Save a batch in one transaction.

    Returns:
        for each of the batch its receipt (None for a `KeptValue`), or the error that refused it alone.

    Raises:
        StoreFailed: the disk or the file failed; nothing of the batch was saved.
    """
    if len(cache.balances) > MAX_CACHED_ACCOUNTS:
        cache.clear()
    looks = not db.is_far
    for _ in range(TRIES):
        answers: list[Receipt | Exception | None] = []
        try:
            with _transaction(db, cache, codec) as builder:
                answers = builder.process(batch, looks=looks)
        except StoreFailed as error:
            if (
                isinstance(error.__cause__, KeyTaken) and not looks
            ):  # of a cause: one of the batch has been applied before
                looks = True
                continue
            if not isinstance(error.__cause__, ConnectionLost):
                raise
            if _is_saved(db, answers):
                return answers
        else:
            return answers
    raise StoreFailed(reason="could not save: the connection to the database is lost again and again")


def _is_saved(db: Database, answers: Sequence[Receipt | Exception | None]) -> bool:
    """Return whether a batch is there of which nobody has heard whether it was committed: all of it is, or nothing.

    Values alone have no cause; they can be kept once more.

    Raises:
        StoreFailed: the database does not answer.
    """
    keys = [answer.key for answer in answers if isinstance(answer, Receipt) and not answer.repeated]
    try:
        return bool(keys) and db.execute("SELECT 1 FROM cause WHERE key = ?", (keys[0],)).fetchone() is not None
    except DATABASE_FAILED as error:
        raise StoreFailed(reason=f"could not save: {error}") from error


def save_in_transaction(db: Database, cache: WriterCache, codec: EventCodec, commit: Commit) -> Receipt:
    """Save one commit in a transaction that is open, and leave it open. Whoever ends it clears the cache.

    Raises:
        TableError, InvalidCommit: the commit is refused.
    """
    builder = _BatchBuilder(db, cache, codec)
    (answer,) = builder.process([commit])
    if not isinstance(answer, Receipt):
        raise answer if answer is not None else InvalidCommit("no receipt")
    builder.flush()
    return answer


def reset_more(db: Database, cache: WriterCache, codec: EventCodec, guild: int) -> bool:
    """Give the next people of a server their turn, in one transaction, where chips change at the end of a season. A power cut can undo it,
    and loses nothing by it.

    Returns:
        whether there are more.

    Raises:
        StoreFailed: the disk or the file failed. Nothing has changed.
    """
    with (
        db.relaxed(),
        db.erasing(),
        _transaction(db, cache, codec) as builder,
    ):  # who had their turn is nobody's business
        return builder.reset_next_people(guild)


def keep_if(key: str, value: bytes | None, before: bytes | None, db: Database) -> bool:
    """Keep a value under a key where it still is what it was before, between two batches. Returns whether it was.

    Raises:
        StoreFailed: the disk or the file failed. Nothing has changed.
    """
    try:
        with db.transaction():
            row = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
            if (bytes(row[0]) if row is not None else None) != before:
                return False
            _keep(db, key, value)
            return True
    except DATABASE_FAILED as error:
        raise StoreFailed(reason=f"could not save: {error}") from error


def _keep(db: Database, key: str, value: bytes | None) -> None:
    if value is None:
        db.execute("DELETE FROM kept WHERE key = ?", (key,))
    else:
        db.execute(KEEP_VALUE, (key, value))


@contextmanager
def _transaction(db: Database, cache: WriterCache, codec: EventCodec) -> Iterator["_BatchBuilder"]:
    """Save what the builder is given within the ``with`` block, all of it or nothing.

    Raises:
        StoreFailed: the disk or the file failed. Nothing has changed.
    """
    try:
        db.rollback()  # what is left over by a rollback that failed
        db.begin()
        builder = _BatchBuilder(db, cache, codec)
        yield builder
        builder.flush()
        db.commit()
    except DATABASE_FAILED as error:
        _roll_back(db, cache)
        raise StoreFailed(reason=f"could not save: {error}") from error
    except BaseException:
        _roll_back(db, cache)
        raise
    builder.update_cache()


def _roll_back(db: Database, cache: WriterCache) -> None:
    """Return to what has been committed. If even this fails, the next batch begins with another rollback."""
    cache.clear()
    try:
        db.rollback()
    except DATABASE_FAILED as error:
        raise StoreFailed(reason=f"could not save, and not roll back either: {error}") from error


class _GuildBooks:
    """A server's balances for `bot.ledger.books.post_transfers`: those of this batch, else the remembered ones, else the file's."""

    def __init__(self, batch: "_BatchBuilder", guild: int) -> None:
        self.batch, self.guild = batch, guild

    def balance(self, account: Account) -> Balance:
        batch, key = self.batch, (self.guild, account)
        return batch.balances.get(key) or batch.cache.balances.get(key) or batch.read_balance(key)

    def seats_in_pot(self, pot: Account) -> Iterable[Account]:
        return self.batch.seats_with_chips_in(self.guild, pot)


class _BatchBuilder:
    """The rows of a batch, and what accounts and journals hold once they are written."""

    def __init__(self, db: Database, cache: WriterCache, codec: EventCodec) -> None:
        self.db, self.cache, self.codec = db, cache, codec
        self.balances: dict[tuple[int, Account], Balance] = {}
        self.pot_seats: dict[Account, set[Account]] = {}
        self.heads: dict[int, JournalHead] = {}
        self.claims: dict[tuple[int, int, int], GiftClaims] = {}
        self.receipts: dict[str, Receipt] = {}
        self.causes: list[Row] = []
        self.events: list[Row] = []
        self.hands: list[Row] = []
        self.saved_states: list[Row] = []
        self.transfers: list[Row] = []
        self.staff_log: list[Row] = []
        self.flows: list[Row] = []
        self.boards = BatchBoards(db, cache)
        self.season_buy_ins = SeasonBuyIns(db, cache)
        if not cache.last_cause_id:
            cache.last_cause_id = db.execute("SELECT coalesce(max(id), 0) FROM cause").fetchone()[0]
            cache.causes_after = max(cache.slot.first_id, db.last_number("cause"))
        if cache.season_resets is None:
            cache.season_resets = season_resets(db)
        if cache.being_deleted is None:
            cache.being_deleted = frozenset(db.execute('SELECT guild, "user" FROM deletion').fetchall())
        self.last_cause_id: int = cache.last_cause_id
        self.next_cause_id = max(cache.last_cause_id, cache.causes_after) + 1
        self.season_resets: dict[int, SeasonReset] = cache.season_resets
        self.being_deleted: frozenset[tuple[int, int]] = cache.being_deleted

    # accepting or refusing

    def process(self, batch: Sequence[Commit | KeptValue], *, looks: bool = True) -> list[Receipt | Exception | None]:
        """Accept or refuse each of the batch, in order.

        Args:
            looks: asks first which of the causes have been applied before. Without it a refusal asks that, as most repeated requests are
                refused; one that is not is stopped by the key of its cause.
        """
        if looks:
            self._load_receipts([one.cause.key for one in batch if isinstance(one, Commit)])
        answers: list[Receipt | Exception | None] = []
        for one in batch:
            if isinstance(one, KeptValue):
                _keep(self.db, one.key, one.value)
                answers.append(None)
                continue
            try:
                answers.append(self._accept(one))
            except (*DATABASE_FAILED, StoreFailed):
                raise
            except Exception as error:  # a refusal, or a bug of this commit's caller: the others are not touched
                answers.append(error if looks else self._earlier(one) or error)
        return answers

    def _earlier(self, commit: Commit) -> Receipt | None:
        """Return the receipt of a commit's cause, if it has been applied before."""
        self._load_receipts([commit.cause.key])
        earlier = self.receipts.get(commit.cause.key)
        return self._repeated(commit, earlier) if earlier is not None else None

    def _repeated(self, commit: Commit, earlier: Receipt) -> Receipt:
        opened = earlier.occasion
        if commit.occasion is not None and not opened:
            opened = occasions.occasion_opened_by(self.db, earlier.key)
        return msgspec.structs.replace(earlier, repeated=True, occasion=opened)

    def _accept(self, commit: Commit) -> Receipt:
        """Accept one commit. A refusal is raised before anything of the builder has changed."""
        earlier = self.receipts.get(commit.cause.key)
        if earlier is not None:
            return self._repeated(commit, earlier)
        if self.being_deleted:
            self._require_nobody_being_deleted(commit)
        if self.season_resets:
            self._reset_chips_that_move(commit)
        tables = self.season_buy_ins.tables
        if commit.table and (tables is None or commit.table in tables):
            commit = self.season_buy_ins.with_chips_of_ended_season(commit)
        if commit.new_table is not None:
            return self._accept_opening(commit, commit.new_table)
        return self._accept_change(commit)

    def _accept_change(self, commit: Commit) -> Receipt:
        """Accept a commit of an open table, or one of wallets and house rules alone."""
        head = self._require_current_seq(commit) if commit.table else None
        if head is None:
            self._require_no_table_changes(commit)
        elif commit.new_hand is not None:
            self._require_next_hand(commit, commit.new_hand, head)
        if commit.claims:
            self._require_current_claims(commit)
        if commit.occasion is not None:
            occasions.require_current(self.db, commit)
        encoded_events = self.codec.encode(commit.events)
        balances = self._post_transfers(commit)
        if commit.closes:
            self._require_empty_table(commit, balances)

        # From here on nothing refuses.
        self.last_cause_id, self.next_cause_id = self.next_cause_id, self.next_cause_id + 1
        if self.season_buy_ins.tables:
            self.season_buy_ins.record(commit)
        next_seq = commit.seq
        if head is not None:
            next_seq = self._record_journal(commit.table, commit, head, encoded_events)
        self._record_chips(commit, balances)
        self._write_settings(commit)
        if commit.guests:
            self._write_guests(commit.table, commit)
        return self._record_receipt(commit, commit.table, 0, next_seq)

    def _accept_opening(self, commit: Commit, new: NewTable) -> Receipt:
        """Accept a commit that opens a table. The table gets the next number of its server."""
        self._require_opening_alone(commit)
        if commit.claims:
            self._require_current_claims(commit)
        if commit.occasion is not None:
            occasions.require_current(self.db, commit)
        encoded_events = self.codec.encode(commit.events)
        balances = self._post_transfers(commit)
        self._require_free_channel(commit.guild, new.channel)

        # From here on nothing refuses.
        self.last_cause_id, self.next_cause_id = self.next_cause_id, self.next_cause_id + 1
        table, number = self._insert_table(commit, new)
        next_seq = self._record_journal(table, commit, JournalHead(commit.guild, 1, 0, True), encoded_events)
        self._record_chips(commit, balances)
        self._write_settings(commit)
        self._write_guests(table, commit)
        return self._record_receipt(commit, table, number, next_seq)

    # the end of a season

    def _reset_chips_that_move(self, commit: Commit) -> None:
        """Give those their turn whose chips a commit moves, where a season has ended. That stands also if the commit is refused."""
        reset = self.season_resets.get(commit.guild)
        if reset is None:
            return
        users = {
            account.user
            for transfer in commit.transfers
            for account in (transfer.debit, transfer.credit)
            if account.kind is AccountKind.WALLET
        }
        users |= {user for winner, loser, _ in commit.flows for user in (winner, loser)}
        for user in sorted(users):
            if reset.concerns(user):
                self._accept_turn(turn_of(self.db, reset, (user,)))
                note_early(self.db, reset, user)

    def reset_next_people(self, guild: int) -> bool:
        """Give the next people of a server their turn. Returns whether there are more."""
        reset = self.season_resets.get(guild)
        if reset is None:
            return False
        users, are_last = next_people(self.db, reset)
        turn = turn_of(self.db, reset, [user for user in users if reset.concerns(user)])
        self._accept_turn(turn)
        if are_last:
            end_reset(self.db, reset)
            del self.season_resets[guild]
        else:
            note_reached(self.db, reset, users[-1])
        return not are_last

    def _accept_turn(self, turn: Commit) -> None:
        if turn.transfers:
            try:
                self._accept_change(turn)
            except DATABASE_FAILED:
                raise
            except Exception as error:  # half of it is written: nothing of the batch can stay
                raise StoreFailed(reason=f"chips could not be changed at the end of a season: {error!r}") from error

    # what is required of a commit

    def _require_nobody_being_deleted(self, commit: Commit) -> None:
        """Refuse chips and gifts to and from a person whose data is being deleted."""
        if any((commit.guild, user) in self.being_deleted for user in _users_of(commit)):
            raise DataBeingDeleted

    def _require_current_seq(self, commit: Commit) -> JournalHead:
        """Refuse a commit that does not continue the journal of an open table."""
        head = self._journal_head(commit.table)
        if head is None or not head.is_open or head.guild != commit.guild:
            raise StaleVersion(table=commit.table, seq=commit.seq, next_seq=0)
        if head.next_seq != commit.seq:
            raise StaleVersion(table=commit.table, seq=commit.seq, next_seq=head.next_seq)
        return head

    def _require_no_table_changes(self, commit: Commit) -> None:
        if commit.events or commit.new_hand or commit.closes or commit.saved_state is not None:
            raise InvalidCommit("events, hands and settings need a table")

    def _require_next_hand(self, commit: Commit, hand: NewHand, head: JournalHead) -> None:
        if hand.number != head.hand_count + 1 or hand.first_event_index > len(commit.events):
            raise InvalidCommit(f"hand {hand.number} of table {commit.table} does not follow hand {head.hand_count}")

    def _require_current_claims(self, commit: Commit) -> None:
        for change in commit.claims:
            if self._current_claims(commit.guild, change) != change.before:
                raise StaleClaims

    def _require_opening_alone(self, commit: Commit) -> None:
        has_table_chips = any(transfer.debit.table or transfer.credit.table for transfer in commit.transfers)
        if commit.table or commit.seq > 1 or commit.new_hand or commit.closes or has_table_chips:
            raise InvalidCommit("a table is opened by itself; players sit down afterwards")

    def _post_transfers(self, commit: Commit) -> dict[Account, Balance]:
        """Return the balances after a commit's transfers; refuses those that a player cannot pay."""
        if not commit.transfers:
            return {}
        for transfer in commit.transfers:
            table = transfer.debit.table or transfer.credit.table
            if table and table != commit.table:
                raise InvalidCommit(f"chips of another table than {commit.table}")
        return post_transfers(_GuildBooks(self, commit.guild), commit.transfers)

    def _require_empty_table(self, commit: Commit, balances: dict[Account, Balance]) -> None:
        """Refuse to close a table with chips on it: the runtime must pay everybody out in the same commit."""
        guild, table = commit.guild, commit.table
        saved = self.db.execute(
            'SELECT kind, "user" FROM balance WHERE guild = ? AND kind IN (4, 5, 6, 14, 15, 21, 23, 24, 25) AND table_id = ?',
            (guild, table),
        )
        accounts = {Account(AccountKind(kind), table, user) for kind, user in saved}
        accounts |= {account for of_guild, account in self.balances if of_guild == guild and account.table == table}
        accounts |= {account for account in balances if account.table == table}
        books = _GuildBooks(self, guild)
        for account in accounts:
            held = balances.get(account) or books.balance(account)
            if held != EMPTY_BALANCE:
                raise InvalidCommit(f"table {table} closes with {held.chips} chips on {account}")

    def _require_free_channel(self, guild: int, channel: int) -> None:
        row = self.db.execute(
            "SELECT number FROM card_table WHERE guild = ? AND channel = ? AND state = 'open'", (guild, channel)
        ).fetchone()
        if row is not None:
            raise ChannelTaken(number=row[0])

    # recording what was accepted

    def _insert_table(self, commit: Commit, new: NewTable) -> tuple[int, int]:
        """Register a new table. Returns its id and its number in the server."""
        db, guild = self.db, commit.guild
        db.execute(
            "INSERT INTO guild (id, tables) VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET tables = guild.tables + 1",
            (guild,),
        )
        (number,) = db.execute("SELECT tables FROM guild WHERE id = ?", (guild,)).fetchone()
        (table,) = db.execute(
            """
            INSERT INTO card_table (guild, number, channel, settings, state, opened_at, private)
            VALUES (?, ?, ?, ?, 'open', ?, ?) RETURNING id
            """,
            (guild, number, new.channel, new.settings, commit.cause.at, int(new.private)),
        ).fetchone()
        assert table is not None
        return table, number

    def _record_journal(self, table: int, commit: Commit, head: JournalHead, encoded_events: bytes) -> int:
        """Record a commit's events, hand and saved state. Returns the number of the table's next event."""
        seq, hand, hand_count = head.next_seq, commit.new_hand, head.hand_count
        next_seq = seq + len(commit.events)
        if commit.events:
            self.events.append((table, seq, len(commit.events), self.last_cause_id, encoded_events))
        if hand is not None:
            hand_count = hand.number
            self.hands.append((table, hand.number, seq + hand.first_event_index, hand.nonce, commit.cause.at))
        if commit.saved_state is not None:
            part = self._part_id(commit.shared_part) if commit.shared_part else None
            self.saved_states.append((table, next_seq, commit.saved_state, part, commit.shared_part_at))
        self.heads[table] = JournalHead(commit.guild, next_seq, hand_count, not commit.closes)
        return next_seq

    def _part_id(self, part: bytes) -> int:
        """Return the id of a part that is stored once. The same object is found at once, however long it is."""
        known = self.cache.parts.get(part)
        if known is None:
            if len(self.cache.parts) >= MAX_CACHED_PARTS:
                self.cache.parts.clear()
            known = self.cache.parts[part] = stored_part(self.db, part)
        return known

    def _record_chips(self, commit: Commit, balances: dict[Account, Balance]) -> None:
        """Record the transfers, balances and claims of a commit."""
        guild = commit.guild
        for part, transfer in enumerate(commit.transfers):
            debit, credit = transfer.debit, transfer.credit
            wallet = debit if debit.kind in WALLET_KINDS else credit if credit.kind in WALLET_KINDS else None
            self.transfers.append(
                (
                    guild,
                    self.last_cause_id,
                    part,
                    transfer.chips,
                    str(transfer.reason),
                    int(debit.kind),
                    debit.table,
                    debit.user,
                    int(credit.kind),
                    credit.table,
                    credit.user,
                    transfer.note,
                    int(wallet.kind) if wallet else 0,
                    wallet.user if wallet else 0,
                )
            )
        for account, balance in balances.items():
            self.balances[guild, account] = balance
            if balance.in_pot:
                self.pot_seats.setdefault(_pot_account(account), set()).add(account)
        if commit.flows:
            for winner, loser, chips in commit.flows:
                self.flows += ((guild, winner, loser, chips), (guild, loser, winner, -chips))
            self.boards.add_flows(commit)
        if commit.pair_changes:
            self.boards.add_pairs(commit)
        for change in commit.claims:
            self.claims[guild, change.book, change.user] = change.after
            claims = change.after
            self.db.execute(
                _REPLACE_CLAIM,
                (
                    guild,
                    int(change.book),
                    change.user,
                    claims.granted_at,
                    claims.last_daily_day,
                    claims.streak,
                    claims.relief_at,
                ),
            )

    def _write_settings(self, commit: Commit) -> None:
        """Write what changes seldom: a table's settings and end, and a server's rules."""
        table = commit.table
        if commit.settings is not None:
            self.db.execute("UPDATE card_table SET settings = ? WHERE id = ?", (commit.settings, table))
        if commit.closes:
            self.db.execute(
                "UPDATE card_table SET state = 'closed', closed_at = ? WHERE id = ?", (commit.cause.at, table)
            )
        if commit.closes or commit.rules is not None or commit.season is not None:
            self.boards.add_settings(commit)
        if commit.rules is not None:
            rules = msgspec.json.encode(commit.rules)
            self.db.execute(
                "INSERT INTO guild (id, rules) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET rules = excluded.rules",
                (commit.guild, rules),
            )
        if commit.season is not None:
            self.db.execute(UPSERT_SEASON, season_row(commit.season))
        for key, value in commit.kept:
            _keep(self.db, key, value)

    def _write_guests(self, table: int, commit: Commit) -> None:
        """Write who can see what is played at a private table."""
        for user, last_hand in commit.guests:
            self.db.execute(
                """
                INSERT INTO table_guest (table_id, "user", last_hand) VALUES (?, ?, ?)
                ON CONFLICT (table_id, "user") DO UPDATE SET last_hand = excluded.last_hand
                """,
                (table, user, last_hand),
            )

    def _record_receipt(self, commit: Commit, table: int, number: int, next_seq: int) -> Receipt:
        """Record the cause of a commit, and answer it."""
        cause = commit.cause
        key, at = cause.key, cause.at
        self.causes.append(
            (self.last_cause_id, key, commit.guild, cause.requested_by, at, cause.label, table, number, next_seq)
        )
        if commit.staff_log:
            self.staff_log += line_rows(commit, self.last_cause_id)
        receipt = Receipt(key, at, table, number, next_seq)
        if commit.occasion is not None:
            encoded = self.codec.encode(commit.occasion.events)
            occasion = occasions.write_change(self.db, commit, encoded, self.last_cause_id, table)
            receipt = msgspec.structs.replace(receipt, occasion=occasion)
        self.receipts[key] = receipt
        return receipt

    def flush(self) -> None:
        """Write the recorded rows into the open transaction."""
        db = self.db
        for statement, rows in (
            (_INSERT_CAUSE, self.causes),
            (_INSERT_EVENT, self.events),
            (_INSERT_HAND, self.hands),
            (_REPLACE_SAVED_STATE, self.saved_states),
            (_INSERT_TRANSFER, self.transfers),
            (_ADD_FLOW, self.flows),
            (INSERT_LINE, self.staff_log),
        ):
            if rows:
                db.executemany(statement, rows)
                rows.clear()
        if self.balances:
            held: list[Row] = []
            empty: list[Row] = []
            for (guild, account), balance in self.balances.items():
                row = guild, int(account.kind), account.table, account.user
                if account.table and balance == EMPTY_BALANCE:
                    empty.append(row)
                else:
                    held.append((*row, balance.chips, balance.in_pot))
            if held:
                db.executemany(_UPSERT_BALANCE, held)
            if empty:
                db.executemany(_DELETE_BALANCE, empty)
            totals = self._changed_totals()
            if totals:
                db.executemany(_UPSERT_TOTAL, totals)
                split_full_blocks(db, EVERYBODY, LISTED_PEOPLE)
        self.boards.write()

    def _changed_totals(self) -> list[Row]:
        """Return what to add to the totals of the leaderboard, by server, book and person; a new account has a total of its own. There
        are none of table chips.

        Most commits have none: a bet stays its player's until the hand is over.
        """
        changes: dict[tuple[int, int, int], int] = {}
        remembered = self.cache.balances
        for key, after in self.balances.items():
            guild, account = key
            if account.user <= 0 or account.book is Book.TABLE:
                continue
            before = remembered[key]
            change = after.chips + after.in_pot - before.chips - before.in_pot
            if change or before == EMPTY_BALANCE:
                person = guild, int(account.book), account.user
                changes[person] = changes.get(person, 0) + change
        return [(*person, change, change) for person, change in changes.items()]

    def update_cache(self) -> None:
        """Remember what the batch leaves behind, now that it is on the disk."""
        cache = self.cache
        cache.balances.update(self.balances)
        cache.heads.update(self.heads)
        cache.last_cause_id = self.last_cause_id
        cache.season_tables = self.season_buy_ins.tables
        for pot, seats in self.pot_seats.items():
            if pot in cache.pot_seats:  # the seats of any other pot are read from the file when they are needed
                cache.pot_seats[pot] |= seats

    # looking up

    def read_balance(self, key: tuple[int, Account]) -> Balance:
        """Read what a server's account holds, and remember it."""
        guild, account = key
        row = self.db.execute(
            'SELECT chips, staked FROM balance WHERE guild = ? AND kind = ? AND table_id = ? AND "user" = ?',
            (guild, int(account.kind), account.table, account.user),
        ).fetchone()
        held = self.cache.balances[key] = Balance(*row) if row else EMPTY_BALANCE
        return held

    def seats_with_chips_in(self, guild: int, pot: Account) -> set[Account]:
        known = self.cache.pot_seats.get(pot)
        if known is None:
            kind = AccountKind(pot.kind - AccountKind.POT + AccountKind.SEAT)
            rows = self.db.execute(
                'SELECT "user" FROM balance WHERE guild = ? AND kind = ? AND table_id = ? AND staked > 0',
                (guild, int(kind), pot.table),
            )
            known = self.cache.pot_seats[pot] = {Account(kind, pot.table, user) for (user,) in rows}
        return known | self.pot_seats.get(pot, set())

    def _journal_head(self, table: int) -> JournalHead | None:
        head = self.heads.get(table) or self.cache.heads.get(table)
        if head is None:
            row = self.db.execute("SELECT guild, state FROM card_table WHERE id = ?", (table,)).fetchone()
            if row is None:
                return None
            (hands,) = self.db.execute(
                "SELECT coalesce(max(number), 0) FROM hand WHERE table_id = ?", (table,)
            ).fetchone()
            head = self.cache.heads[table] = JournalHead(row[0], journal_end(self.db, table), hands, row[1] == "open")
        return head

    def _current_claims(self, guild: int, change: ClaimChange) -> GiftClaims:
        held = self.claims.get((guild, change.book, change.user))
        return held if held is not None else queries.player_claims(self.db, guild, change.user, change.book)

    def _load_receipts(self, keys: Sequence[str]) -> None:
        """Find which of these causes have been applied before."""
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ",".join("?" * len(some))
            for key, at, table, number, seq in self.db.execute(
                f"SELECT key, at, table_id, number, seq FROM cause WHERE key IN ({marks})", some
            ):
                self.receipts[key] = Receipt(key, at, table, number, seq)


def _users_of(commit: Commit) -> Iterator[int]:
    """Return whose chips and gifts a commit changes."""
    for transfer in commit.transfers:
        yield transfer.debit.user
        yield transfer.credit.user
    for change in commit.claims:
        yield change.user
    for pair in commit.pair_changes:
        yield pair.winner
        yield pair.loser


def _pot_account(seat: Account) -> Account:
    if seat.kind not in SEAT_KINDS:
        raise InvalidCommit(f"chips in a pot on {seat}, which is no seat")
    return pot_account(seat.table, seat.book)
