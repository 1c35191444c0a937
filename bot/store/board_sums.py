"""Keep what one person adds to another's place on the leaderboards, and what of it does not count (BO-1).

The net chips of each two people are kept by season, and by year for the leaderboards of all time. What does not count of somebody's chips
follows from these sums alone, so a cap that staff change counts for everything that was won in the span, and the sums can be recounted.
All of it is written in the transaction of the hand.

What is won at a private table is kept apart until that closes. Nobody else can learn from a number how its hands end.
"""

from collections.abc import Iterable
from typing import NamedTuple

from bot.ledger.pot_flows import Flow
from bot.runtime.store_types import PairState
from bot.store.database import Database

ALL_TIME = 0
"""The span of what does not count of somebody's net chips of all time."""


NOT_AT_ALL = (PairState.WAITING, PairState.ASIDE)
"""Pairs of which nothing counts."""
_STATES = ", ".join(str(int(state)) for state in NOT_AT_ALL)
PART = f"""CASE WHEN chips <= 0 THEN 0 WHEN state IN ({_STATES}) THEN chips
    WHEN {{cap}} > 0 AND chips > {{cap}} THEN chips - {{cap}} ELSE 0 END"""
"""What does not count of a row of `board_pair`."""

_ADD_PAIR = """
    INSERT INTO board_pair (guild, span, "user", other, chips) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (guild, span, "user", other) DO UPDATE SET chips = board_pair.chips + excluded.chips RETURNING chips, state
"""
_HOLD_PAIR = """
    INSERT INTO board_pair_held (table_id, span, "user", other, guild, chips) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (table_id, span, "user", other) DO UPDATE SET chips = board_pair_held.chips + excluded.chips
"""
_ADD_UNCOUNTED = """
    INSERT INTO uncounted (guild, span, "user", chips, at) VALUES (:guild, :span, :user, :chips, :at)
    ON CONFLICT (guild, span, "user") DO UPDATE SET chips = uncounted.chips + excluded.chips, at = excluded.at
"""


class BoardFlow(NamedTuple):
    """Chips that somebody won from somebody else, for the leaderboards.

    `spans`: the season and the year in which they did; `held_at`: the private table that is open; 0 where it counts at once.
    """

    guild: int
    spans: tuple[int, ...]
    held_at: int
    flow: Flow


def spans_at(season: int, year: int) -> tuple[int, ...]:
    """Return the spans that a hand counts in: the season, if there is one, and the year."""
    return (season, -year) if season else (-year,)


def uncounted_part(chips: int, cap: int, state: int = PairState.PLAIN) -> int:
    """Return what does not count of the chips that somebody has won from somebody else.

    >>> uncounted_part(7_000, 5_000), uncounted_part(7_000, 0), uncounted_part(-7_000, 5_000)
    (2000, 0, 0)
    >>> uncounted_part(3_000, 5_000, PairState.ASIDE)
    3000
    """
    if chips <= 0:
        return 0
    if state in NOT_AT_ALL:
        return chips
    return max(0, chips - cap) if cap else 0


class BoardSums:
    """Changes the sums within a transaction. Call `write` at its end.

    Args:
        at: the time, in ms.
    """

    def __init__(self, db: Database, at: int) -> None:
        self._db = db
        self._at = at
        self._changes: dict[tuple[int, int, int], int] = {}

    def add(self, flows: Iterable[BoardFlow]) -> None:
        """Add what people have won from one another. The caps of the spans must have been followed."""
        caps: dict[tuple[int, int], int] = {}
        for guild, spans, held_at, (winner, loser, chips) in flows:
            for span in spans:
                if held_at:
                    ways = ((winner, loser, chips), (loser, winner, -chips))
                    self._db.executemany(
                        _HOLD_PAIR, [(held_at, span, one, other, guild, won) for one, other, won in ways]
                    )
                    continue
                cap = caps.get((guild, span))
                if cap is None:
                    cap = caps[guild, span] = self._cap(guild, span)
                self._add_way(guild, span, cap, winner, loser, chips)
                self._add_way(guild, span, cap, loser, winner, -chips)

    def release(self, table: int) -> None:
        """A table has closed: what was held there counts."""
        rows = self._db.execute(
            'SELECT guild, span, "user", other, chips FROM board_pair_held WHERE table_id = ?', (table,)
        ).fetchall()
        for guild, span, user, other, chips in rows:
            self._add_way(guild, span, self._cap(guild, span), user, other, chips)
        if rows:
            self._db.execute("DELETE FROM board_pair_held WHERE table_id = ?", (table,))

    def follow_cap(self, guild: int, spans: Iterable[int], cap: int) -> None:
        """Count the spans that run by the cap of today; everything in them anew, if it has changed."""
        for span in spans:
            row = self._db.execute("SELECT cap FROM board_span WHERE guild = ? AND span = ?", (guild, span)).fetchone()
            if row == (cap,):
                continue
            self._db.execute(
                """
                INSERT INTO board_span (guild, span, cap) VALUES (?, ?, ?)
                ON CONFLICT (guild, span) DO UPDATE SET cap = excluded.cap
                """,
                (guild, span, cap),
            )
            if row is not None:
                self._recount(guild, span, cap)

    def set_state(self, guild: int, spans: Iterable[int], winner: int, loser: int, state: PairState) -> None:
        """Say what becomes of the chips that somebody has won from somebody else."""
        for span in spans:
            row = self._db.execute(
                'SELECT chips, state FROM board_pair WHERE guild = ? AND span = ? AND "user" = ? AND other = ?',
                (guild, span, winner, loser),
            ).fetchone()
            chips, before = row if row is not None else (0, PairState.PLAIN)
            self._db.execute(
                """
                INSERT INTO board_pair (guild, span, "user", other, chips, state) VALUES (?, ?, ?, ?, 0, ?)
                ON CONFLICT (guild, span, "user", other) DO UPDATE SET state = excluded.state
                """,
                (guild, span, winner, loser, int(state)),
            )
            cap = self._cap(guild, span)
            self._change(guild, span, winner, uncounted_part(chips, cap, state) - uncounted_part(chips, cap, before))

    def carry_over(self, guild: int, user: int, percent: int) -> None:
        """At the end of a season only so many percent of somebody's chips are carried over: so are those that do not count of them.

        Of their net chips of all time as much as before does not count.
        """
        if percent == 100:
            return
        rows = self._db.execute(
            'SELECT span, chips FROM uncounted WHERE guild = ? AND span < 0 AND "user" = ?', (guild, user)
        ).fetchall()
        self._db.execute(
            'UPDATE board_pair SET chips = chips * ? / 100 WHERE guild = ? AND span < 0 AND "user" = ?',
            (percent, guild, user),
        )
        for span, before in rows:
            part = PART.format(cap=":cap")
            (after,) = self._db.execute(
                f'SELECT coalesce(sum({part}), 0) FROM board_pair WHERE guild = :guild AND span = :span AND "user" = :user',
                {"cap": self._cap(guild, span), "guild": guild, "span": span, "user": user},
            ).fetchone()
            self._write(guild, span, user, after - before, of_net=False)

    def write(self) -> None:
        """Write what has changed of what does not count."""
        for (guild, span, user), change in self._changes.items():
            if change:
                self._write(guild, span, user, change)
        self._changes.clear()

    def _write(self, guild: int, span: int, user: int, change: int, *, of_net: bool = True) -> None:
        spans = (span, ALL_TIME) if span < 0 and of_net else (span,)
        self._db.executemany(
            _ADD_UNCOUNTED,
            [{"guild": guild, "span": each, "user": user, "chips": change, "at": self._at} for each in spans],
        )
        if span < 0:
            self._db.execute(
                'UPDATE player_total SET counted = counted - ? WHERE guild = ? AND book = 0 AND "user" = ?',
                (change, guild, user),
            )

    def _add_way(self, guild: int, span: int, cap: int, user: int, other: int, change: int) -> None:
        chips, state = self._db.execute(_ADD_PAIR, (guild, span, user, other, change)).fetchone()
        part = uncounted_part(chips, cap, state) - uncounted_part(chips - change, cap, state)
        self._change(guild, span, user, part)

    def _change(self, guild: int, span: int, user: int, chips: int) -> None:
        if chips:
            key = guild, span, user
            self._changes[key] = self._changes.get(key, 0) + chips

    def _cap(self, guild: int, span: int) -> int:
        row = self._db.execute("SELECT cap FROM board_span WHERE guild = ? AND span = ?", (guild, span)).fetchone()
        return int(row[0]) if row is not None else 0

    def _recount(self, guild: int, span: int, cap: int) -> None:
        self.write()
        before = dict(
            self._db.execute(
                'SELECT "user", chips FROM uncounted WHERE guild = ? AND span = ?', (guild, span)
            ).fetchall()
        )
        after = dict(
            self._db.execute(
                f"""
                SELECT "user", sum({PART.format(cap=":cap")}) FROM board_pair
                WHERE guild = :guild AND span = :span AND chips > 0 GROUP BY "user"
                """,
                {"guild": guild, "span": span, "cap": cap},
            ).fetchall()
        )
        for user in before.keys() | after.keys():
            self._change(guild, span, user, after.get(user, 0) - before.get(user, 0))


def rename_in_board_sums(db: Database, guild: int, user: int, former: int) -> None:
    """Put a pseudonym in the place of somebody whose data is deleted. As much as before counts, for them and everybody else."""
    ids = {"guild": guild, "user": user, "former": former}
    for span, other in db.execute(
        'SELECT span, other FROM board_pair WHERE guild = :guild AND "user" = :user', ids
    ).fetchall():
        db.execute(
            """
            UPDATE board_pair SET other = :former
            WHERE guild = :guild AND span = :span AND "user" = :other AND other = :user
            """,
            ids | {"span": span, "other": other},
        )
    db.execute('UPDATE board_pair SET "user" = :former WHERE guild = :guild AND "user" = :user', ids)
    db.execute('UPDATE board_pair_held SET "user" = :former WHERE guild = :guild AND "user" = :user', ids)
    db.execute("UPDATE board_pair_held SET other = :former WHERE guild = :guild AND other = :user", ids)
    db.execute('UPDATE uncounted SET "user" = :former WHERE guild = :guild AND "user" = :user', ids)


# What is read


def raised_pairs(db: Database, guild: int, span: int) -> frozenset[tuple[int, int]]:
    """Return of whom an alarm has been raised in a span: who has won, and from whom."""
    query = 'SELECT "user", other FROM board_pair WHERE guild = ? AND span = ? AND state <> 0'
    return frozenset(db.execute(query, (guild, span)).fetchall())


def pair_state(db: Database, guild: int, span: int, winner: int, loser: int) -> PairState:
    """Return what has become of the chips that somebody has won from somebody else in a span."""
    row = db.execute(
        'SELECT state FROM board_pair WHERE guild = ? AND span = ? AND "user" = ? AND other = ?',
        (guild, span, winner, loser),
    ).fetchone()
    return PairState(row[0]) if row is not None else PairState.PLAIN


def counted_differences(db: Database, guild: int, year: int, flows: Iterable[Flow]) -> dict[int, int]:
    """Return by how much the chips that count are too few or too many for people of whom flows have not been shown yet.

    Args:
        year: the year in which they are.
    """
    cap_row = db.execute("SELECT cap FROM board_span WHERE guild = ? AND span = ?", (guild, -year)).fetchone()
    cap = int(cap_row[0]) if cap_row is not None else 0
    differences: dict[int, int] = {}
    for winner, loser, chips in flows:
        for user, other, change in ((winner, loser, chips), (loser, winner, -chips)):
            row = db.execute(
                'SELECT chips, state FROM board_pair WHERE guild = ? AND span = ? AND "user" = ? AND other = ?',
                (guild, -year, user, other),
            ).fetchone()
            if row is not None:
                now, state = row
                part = uncounted_part(now, cap, state) - uncounted_part(now - change, cap, state)
                differences[user] = differences.get(user, 0) + part
    return differences


def uncounted_of_season(db: Database, guild: int, season: int) -> dict[int, int]:
    """Return what does not count of everybody's net chips of a season, with the hands of private tables that are open."""
    which = guild, season
    found: dict[int, int] = dict(
        db.execute('SELECT "user", chips FROM uncounted WHERE guild = ? AND span = ? AND chips > 0', which).fetchall()
    )
    row = db.execute("SELECT cap FROM board_span WHERE guild = ? AND span = ?", which).fetchone()
    cap = int(row[0]) if row is not None else 0
    for user, chips, state, more in db.execute(
        """
        SELECT held."user", coalesce(pair.chips, 0), coalesce(pair.state, 0), held.chips FROM (
            SELECT guild, span, "user", other, sum(chips) AS chips FROM board_pair_held
            WHERE guild = ? AND span = ? GROUP BY guild, span, "user", other
        ) AS held LEFT JOIN board_pair AS pair ON pair.guild = held.guild AND pair.span = held.span
        AND pair."user" = held."user" AND pair.other = held.other
        """,
        which,
    ):
        part = uncounted_part(chips + more, cap, state) - uncounted_part(chips, cap, state)
        found[user] = found.get(user, 0) + part
    return found
