"""Change everybody's chips at the end of a season without anybody waiting for it.

The transaction that closes a season leaves a mark, the row in `season_reset`. From then on everybody reads every wallet as it will be
(`SeasonReset.shown_wallet`), and a commit that moves chips of somebody's wallet changes that wallet first. Everybody else has their turn
in the order of their ids, some at a time, in short transactions: their transfers, their balance, what of their chips is held, and how far
it has come. A dealer that is killed goes on from there. Who comes later has no wallet yet, and nothing of theirs changes.

An audit, and an export of the whole server, read what is written. The books agree at every moment.
"""

from collections.abc import Sequence

from msgspec import Struct

from bot.house.seasons import SeasonChips
from bot.ledger.accounts import AccountKind, Transfer
from bot.ledger.seasons import season_transfers
from bot.runtime.store_types import FIRST_FORMER_PLAYER, LAST_FORMER_PLAYER, Cause, Commit
from bot.store.board_sums import PART, BoardSums
from bot.store.database import Database

PEOPLE_AT_ONCE = 100
"""So many people have their turn in one transaction; that takes some milliseconds."""
PAIRS_AT_ONCE = 1_000
"""Fewer have, where they have won chips from or lost them to so many others."""


class SeasonReset(Struct, gc=False):
    """Where the change of a server's chips is. See `migrations/0011_season_resets.sql`.

    Attributes:
        early: who had their turn although their id is larger than `reached`.
    """

    guild: int
    season: int
    chips: SeasonChips
    cause: int
    part: int
    reached: int
    early: set[int]

    @property
    def note(self) -> str:
        """What stands beside the transfers."""
        return f"season {self.season}"

    def concerns(self, user: int) -> bool:
        """Whether somebody's turn is still to come, if they have a wallet."""
        return user > self.reached and user not in self.early and not FIRST_FORMER_PLAYER <= user <= LAST_FORMER_PLAYER

    def has_played(self, db: Database, user: int) -> bool:
        """Whether somebody has played in the season, by its results."""
        row = db.execute(
            'SELECT 1 FROM season_result WHERE guild = ? AND season = ? AND "user" = ?', (self.guild, self.season, user)
        ).fetchone()
        return row is not None

    def shown_wallet(self, db: Database, user: int, chips: int) -> int:
        """Return what somebody's wallet is to hold that holds so many chips in the file."""
        if not self.concerns(user):
            return chips
        return self.chips.wallet_after(chips, has_played=self.has_played(db, user))


def season_resets(db: Database) -> dict[int, SeasonReset]:
    """Return the servers whose chips are being changed."""
    rows = db.execute("SELECT guild FROM season_reset").fetchall()
    found = [season_reset(db, guild) for (guild,) in rows]
    return {one.guild: one for one in found if one is not None}


def season_reset(db: Database, guild: int) -> SeasonReset | None:
    """Return how far the change of a server's chips is; None if none is under way."""
    row = db.execute(
        "SELECT season, start, carried, cause, part, reached FROM season_reset WHERE guild = ?", (guild,)
    ).fetchone()
    if row is None:
        return None
    season, start, carried, cause, part, reached = row
    early = {user for (user,) in db.execute('SELECT "user" FROM season_reset_early WHERE guild = ?', (guild,))}
    return SeasonReset(guild, season, SeasonChips(start, carried), cause, part, reached, early)


def begin_reset(db: Database, guild: int, season: int, chips: SeasonChips) -> None:
    """Let the change of a server's chips begin, by the newest cause. It must not be under way."""
    db.execute(
        """
        INSERT INTO season_reset (guild, season, start, carried, cause, part, reached)
        SELECT ?, ?, ?, ?, max(id), 0, 0 FROM cause
        """,
        (guild, season, chips.start, chips.carried),
    )


def turn_of(db: Database, reset: SeasonReset, users: Sequence[int]) -> Commit:
    """Write down that these people have their turn, and return what moves their chips."""
    guild, chips, wallets = reset.guild, reset.chips, list[tuple[int, int]]()
    for user in users:
        row = db.execute(
            'SELECT chips FROM balance WHERE guild = ? AND kind = ? AND table_id = 0 AND "user" = ?',
            (guild, int(AccountKind.WALLET), user),
        ).fetchone()
        if row is not None:
            wallets.append((user, row[0]))
    played = {user for user, _ in wallets if reset.has_played(db, user)}
    transfers: tuple[Transfer, ...] = season_transfers(chips, wallets, reset.note, played=played)
    # Held chips are those that came from young accounts. Of chips that are gone none are held.
    pairs = [(chips.carried_from_tables, guild, user) for user in users]
    sums = BoardSums(db, 0)
    for user in users:
        sums.carry_over(guild, user, chips.carried_from_tables)
    db.executemany('UPDATE flow SET chips = chips * ? / 100 WHERE guild = ? AND "user" = ?', pairs)
    db.executemany('DELETE FROM flow WHERE guild = ? AND "user" = ? AND chips = 0', [one[1:] for one in pairs])
    reset.part += 1
    db.execute("UPDATE season_reset SET part = ? WHERE guild = ?", (reset.part, guild))
    who, at = db.execute("SELECT who, at FROM cause WHERE id = ?", (reset.cause,)).fetchone() or (0, 0)
    cause = Cause(f"season:{guild}:{reset.season}:chips:{reset.part}", who, at, "season closed")
    return Commit(guild=guild, cause=cause, transfers=transfers)


def note_early(db: Database, reset: SeasonReset, user: int) -> None:
    """Write down that somebody has their turn before others."""
    reset.early.add(user)
    db.execute('INSERT INTO season_reset_early (guild, "user") VALUES (?, ?)', (reset.guild, user))


def next_people(db: Database, reset: SeasonReset) -> tuple[list[int], bool]:
    """Return whose turn is next, by id, and whether they are the last. They can have had it earlier."""
    rows = db.execute(
        """
        SELECT "user", (SELECT count(*) FROM flow WHERE guild = :guild AND flow.user = found.user) FROM (
            SELECT * FROM (
                SELECT "user" FROM balance WHERE guild = :guild AND kind = :wallet AND table_id = 0 AND "user" > :reached
                ORDER BY "user" LIMIT :limit
            ) AS with_wallets UNION SELECT * FROM (
                SELECT DISTINCT "user" FROM flow WHERE guild = :guild AND "user" > :reached ORDER BY "user" LIMIT :limit
            ) AS in_flow ORDER BY "user" LIMIT :limit
        ) AS found ORDER BY "user"
        """,
        {"guild": reset.guild, "wallet": int(AccountKind.WALLET), "reached": reset.reached, "limit": PEOPLE_AT_ONCE},
    ).fetchall()
    users, pairs = list[int](), 0
    for user, of_user in rows:
        pairs += of_user
        if users and pairs > PAIRS_AT_ONCE:
            return users, False
        users.append(user)
    return users, len(users) < PEOPLE_AT_ONCE


def note_reached(db: Database, reset: SeasonReset, user: int) -> None:
    """Write down that everybody up to this id has had their turn."""
    reset.reached = user
    db.execute("UPDATE season_reset SET reached = ? WHERE guild = ?", (user, reset.guild))


def end_reset(db: Database, reset: SeasonReset) -> None:
    """Write down that everybody has had their turn."""
    db.execute("DELETE FROM season_reset_early WHERE guild = ?", (reset.guild,))
    db.execute("DELETE FROM season_reset WHERE guild = ?", (reset.guild,))


# What is read meanwhile


_CONCERNED = f"""(
    {{user}} > :reached AND {{user}} NOT BETWEEN {FIRST_FORMER_PLAYER} AND {LAST_FORMER_PLAYER}
    AND NOT EXISTS (SELECT 1 FROM season_reset_early AS early WHERE early.guild = :guild AND early.user = {{user}})
)"""
_WALLET = int(AccountKind.WALLET)
_TOTALS_AFTER = f"""
    SELECT "user", guild, listed, total - counted AS uncounted, {_CONCERNED.format(user="player_total.user")} AS concerned,
    total + coalesce((
        SELECT CASE WHEN :start = 0 THEN chips * :carried / 100 WHEN chips < :start AND NOT EXISTS (
            SELECT 1 FROM season_result AS played
            WHERE played.guild = :guild AND played.season = :season AND played.user = player_total.user
        ) THEN chips ELSE :start END - chips FROM balance
        WHERE guild = :guild AND kind = {_WALLET} AND table_id = 0 AND "user" = player_total.user
        AND {_CONCERNED.format(user="player_total.user")}
    ), 0) AS total FROM player_total WHERE guild = :guild AND book = :book
"""
SHOWN_TOTALS_OF_RESET = f"""
    SELECT "user", total, total - CASE WHEN concerned THEN coalesce((
        SELECT sum({PART.format(cap="cap")}) FROM (
            SELECT chips * :from_tables / 100 AS chips, state, cap FROM board_pair AS pair JOIN board_span AS span
            ON span.guild = pair.guild AND span.span = pair.span
            WHERE pair.guild = after.guild AND pair.span < 0 AND pair."user" = after."user"
        ) AS carried
    ), 0) ELSE uncounted END AS counted FROM ({_TOTALS_AFTER}) AS after WHERE guild = :guild
"""
"""The totals of the leaderboard as they will be, and what of them counts. They are in no order yet: meanwhile a page costs a look at
everybody."""
SHOWN_FLOW = f"""(
    SELECT guild, "user", other,
           CASE WHEN {_CONCERNED.format(user="flow.user")} THEN chips * :from_tables / 100 ELSE chips END AS chips
    FROM flow
)"""
"""Who has won from whom, as it will be."""


def reset_parameters(reset: SeasonReset) -> dict[str, int]:
    """Return what the queries above ask for, beside the server and the book."""
    chips = reset.chips
    return {
        "season": reset.season,
        "reached": reset.reached,
        "start": chips.start,
        "carried": chips.carried,
        "from_tables": chips.carried_from_tables,
    }
