"""Write counted hands into the statistics file, and take them out again.

The caller holds the transaction. Sums of several hands are put together before they are written.
"""

import sqlite3
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec.structs import astuple

from bot.statistics.periods import day_of, month_of, week_of
from bot.statistics.types import CountedChips, CountedHand, Counts, PeriodKind
from bot.store.statistics.stretches import StretchWriter, drop_from, make, make_anew

COUNTS = Counts.__struct_fields__
KINDS = {PeriodKind.EVER: 0, PeriodKind.WEEK: 1, PeriodKind.MONTH: 2, PeriodKind.SEASON: 3}
"""How periods are stored."""
DAYS = 4
"""Days, as days since the epoch. They are in no leaderboard; weeks and months are made of them."""
SUMMED_KINDS = (0, 3, DAYS)
"""The periods with sums by game and stakes."""
NO_LUCK, LUCK_DUE, LUCK_EXACT, LUCK_ESTIMATED = range(4)
TIE_BITS = 20
"""The bits below the time in the number of a hand."""
_TIES = (1 << TIE_BITS) - 1

_COUNTS = ", ".join(COUNTS)
_MARKS = ", ".join("?" * len(COUNTS))
_ADDED = ", ".join(f"{name} = total.{name} + excluded.{name}" for name in COUNTS)
_ADD_TOTAL = f"""
    INSERT INTO total (person, kind, which, game, stakes, {_COUNTS}) VALUES (?, ?, ?, ?, ?, {_MARKS})
    ON CONFLICT (person, kind, which, game, stakes) DO UPDATE SET {_ADDED}
"""
_STANDINGS_AT_ONCE = 36
"""So many short rows are written by one statement, which takes three fifths of the time. Six players change so many: three periods, and of
each the game and all games."""
_PUT_TOGETHER = """
    ON CONFLICT (server, chips, kind, which, game, person) DO UPDATE SET hands = standing.hands + excluded.hands,
        net = standing.net + excluded.net, counted = standing.counted + excluded.counted
"""
_ADD_HAND = """
    INSERT INTO counted_hand (id, server, table_id, number, game, terms, pot, counts, luck) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (table_id, number) DO NOTHING
"""
_ADD_PLAYER = f"""
    INSERT INTO player_hand (person, hand, table_id, game, stakes, seat, won, value, share, rarity, {_COUNTS})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {_MARKS})
"""
NOTE_SEASON = """
    INSERT INTO counted_season (server, number, begins_at, ends_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (server, number) DO UPDATE SET begins_at = excluded.begins_at, ends_at = excluded.ends_at
"""

_IS_HELD = "EXISTS (SELECT 1 FROM counted_table WHERE counted_table.id = counted_hand.table_id AND held > 0)"

Periods: TypeAlias = tuple[tuple[int, int], ...]
SumLine: TypeAlias = tuple[int, int, int, bool, int, int, Periods]
"""What goes into the same sums: server, kind of chips, person, whether leaderboards have them, game, stakes and periods."""
Sums: TypeAlias = dict[SumLine, list[int]]
SeasonAt = Callable[[int, int], int]
"""The number of the season that a server has at a time; 0 for none."""


def hand_id(at: int, table: int, number: int) -> int:
    """Return the number that a hand is stored under, the same whenever it is counted."""
    return at << TIE_BITS | (table * 7919 + number) & _TIES


def time_of(hand: int) -> int:
    """Return when a hand ended."""
    return hand >> TIE_BITS


def first_id(at: int) -> int:
    """Return the lowest number of a hand that ends at a time or later."""
    return at << TIE_BITS


class HandWriter:
    """Adds hands to the file. It remembers the numbers that names are stored under: forget it when a transaction was rolled back.

    Args:
        season_at: says which season a hand belongs to.
    """

    def __init__(self, db: sqlite3.Connection, season_at: SeasonAt) -> None:
        self._db, self._season_at, self._stretches = db, season_at, StretchWriter(db)
        self._servers: dict[int, int] = {}
        self._people: dict[tuple[int, int, int], int] = {}
        self._games: dict[tuple[int, str], int] = {}
        self._stakes: dict[tuple[int, str], int] = {}
        self._terms: dict[tuple[int, str, str, int], int] = {}
        self._renamed: dict[tuple[int, int], int] = {
            (guild, user): pseudonym
            for guild, user, pseudonym in db.execute('SELECT guild, "user", pseudonym FROM renamed')
        }

    def server(self, guild: int) -> int:
        """Return the number of a server, a new one if it is not known yet."""
        found = self._servers.get(guild)
        if found is None:
            found = self._servers[guild] = self._number("server", "guild", (guild,))
        return found

    def add(
        self, hands: Iterable[CountedHand], held: Container[int] = (), *, make_stretches: bool = True
    ) -> list[CountedHand]:
        """Add hands, and return those that were not in the file.

        Args:
            held: tables whose hands go into no sum yet; see `release_table`.
            make_stretches: False where the hands come in no order, and `make_all_stretches` follows.
        """
        added: list[CountedHand] = []
        players: list[tuple[int, ...]] = []
        sums: Sums = {}
        played: dict[int, int] = {}
        for hand in hands:
            server = self.server(hand.guild)
            game, stakes = self._game(server, hand.game), self._stake(server, hand.stakes)
            id_ = self._add_hand(hand, server, game, self._term(game, hand.game_name, hand.limit, stakes))
            if id_ is None:
                continue
            added.append(hand)
            is_held = hand.table in held
            played[game] = played.get(game, 0) + (hand.counts and not is_held)
            periods = periods_at(hand.at, self._season_at(hand.guild, hand.at))
            for seat, player in enumerate(hand.players):
                person = self._person(hand.guild, server, player.user, hand.chips)
                counts = astuple(player.counts)
                best = player.won, player.value, player.share, player.rarity
                players.append((person, id_, hand.table, game, stakes, seat, *best, *counts))
                if not is_held:
                    _add(sums, (server, hand.chips, person, player.user > 0, game, stakes, periods), counts)
        self._db.executemany(_ADD_PLAYER, players)
        self._db.executemany(
            "UPDATE game SET hands = hands + ? WHERE id = ?", [(more, game) for game, more in played.items()]
        )
        _write_sums(self._db, sums)
        if make_stretches:
            by_person: dict[int, list[int]] = {}
            for person, id_, *_ in players:
                by_person.setdefault(person, []).append(id_)
            for person, ids in by_person.items():
                self._stretches.note(person, ids)
        return added

    def _add_hand(self, hand: CountedHand, server: int, game: int, terms: int) -> int | None:
        """Return the number under which a hand is stored now; None if it was there already."""
        luck = LUCK_DUE if hand.all_in_early else NO_LUCK
        id_ = hand_id(hand.at, hand.table, hand.number)
        while True:
            row = id_, server, hand.table, hand.number, game, terms, hand.pot, int(hand.counts), luck
            try:
                return id_ if self._db.execute(_ADD_HAND, row).rowcount else None
            except sqlite3.IntegrityError:  # the number is another hand's
                id_ += 1

    def note_uncounted(self, guild: int, rows: Iterable[tuple[int, int, int]]) -> None:
        """Write down what does not count of people's net chips of a season, by its number, or of all time (0): span, user and chips."""
        server, chips = self.server(guild), int(CountedChips.SERVER)
        for span, user, uncounted in rows:
            kind = KINDS[PeriodKind.SEASON if span else PeriodKind.EVER]
            person = self._person(guild, server, user, chips)
            self._db.execute(
                """
                INSERT INTO standing (server, chips, kind, which, game, person, hands, net, counted)
                VALUES (:server, :chips, :kind, :which, 0, :person, 0, 0, -:uncounted)
                ON CONFLICT (server, chips, kind, which, game, person) DO UPDATE SET counted = standing.net - :uncounted
                """,
                {
                    "server": server,
                    "chips": chips,
                    "kind": kind,
                    "which": span,
                    "person": person,
                    "uncounted": uncounted,
                },
            )

    def _person(self, guild: int, server: int, user: int, chips: int) -> int:
        if self._renamed:
            user = self._renamed.get((guild, user), user)
        found = self._people.get((server, user, chips))
        if found is None:
            found = self._number("person", "server, user, chips", (server, user, int(chips)))
            self._people[server, user, chips] = found
        return found

    def _game(self, server: int, key: str) -> int:
        found = self._games.get((server, key))
        if found is None:
            found = self._games[server, key] = self._number("game", "server, key", (server, key))
        return found

    def _stake(self, server: int, words: str) -> int:
        found = self._stakes.get((server, words))
        if found is None:
            found = self._stakes[server, words] = self._number("stakes", "server, words", (server, words))
        return found

    def _term(self, game: int, name: str, limit: str, stakes: int) -> int:
        key = game, name, limit, stakes
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._number("terms", "game, name, bet_limit, stakes", key)
        return found

    def _number(self, table: str, columns: str, values: tuple[int | str, ...]) -> int:
        """Return the number under which some values are stored, and store them if they are new."""
        where = " AND ".join(f"{name} = ?" for name in columns.split(", "))
        row = self._db.execute(f"SELECT id FROM {table} WHERE {where}", values).fetchone()
        if row is not None:
            return int(row[0])
        marks = ", ".join("?" * len(values))
        new = self._db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values).lastrowid
        assert new is not None
        return new


def periods_at(at: int, season: int) -> Periods:
    """Return the periods that a time lies in, as they are stored."""
    periods = (0, 0), (1, week_of(at)), (2, month_of(at)), (DAYS, day_of(at))
    return (*periods, (3, season)) if season else periods


def _add(sums: Sums, line: SumLine, counts: tuple[int, ...]) -> None:
    found = sums.get(line)
    if found is None:
        sums[line] = list(counts)
    else:
        for at, count in enumerate(counts):
            if count:
                found[at] += count


def _write_sums(db: sqlite3.Connection, sums: Sums) -> None:
    """Add to the sums by game and stakes, and to what leaderboards are made of."""
    totals: list[tuple[int, ...]] = []
    standings: list[int] = []
    for (server, chips, person, is_ranked, game, stakes, periods), counts in sums.items():
        hands, net = counts[:2]
        for kind, which in periods:
            if kind in SUMMED_KINDS:
                totals.append((person, kind, which, game, stakes, *counts))
            if is_ranked and kind != DAYS:
                standings += (server, chips, kind, which, 0, person, hands, net, net)
                standings += (server, chips, kind, which, game, person, hands, net, net)
    db.executemany(_ADD_TOTAL, totals)
    for first in range(0, len(standings), 9 * _STANDINGS_AT_ONCE):
        some = standings[first : first + 9 * _STANDINGS_AT_ONCE]
        db.execute(_add_standings(len(some) // 9), some)


@cache
def _add_standings(rows: int) -> str:
    return f"""
        INSERT INTO standing (server, chips, kind, which, game, person, hands, net, counted) VALUES
        {", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?)"] * rows)} {_PUT_TOGETHER}
    """


def change_hand(db: sqlite3.Connection, hand: int, season_at: SeasonAt, *, sign: int) -> None:
    """Add the rows of a hand to the sums, or subtract them (`sign` -1). A sum that comes to no hand and no chips is deleted.

    A hand whose table is held is in no sum, and stays out of them.
    """
    guild, server, held = db.execute(
        f"SELECT guild, server.id, {_IS_HELD} FROM counted_hand JOIN server ON server.id = server WHERE counted_hand.id = ?",
        (hand,),
    ).fetchone()
    if held:
        return
    sums: Sums = {}
    at = time_of(hand)
    periods = periods_at(at, season_at(guild, at))
    for person, user, chips, game, stakes, *counts in db.execute(
        f'SELECT person, "user", chips, game, stakes, {_COUNTS} FROM player_hand JOIN person ON person.id = person WHERE hand = ?',
        (hand,),
    ):
        changes = tuple([sign * count for count in counts])
        _add(sums, (server, chips, person, user > 0, game, stakes, periods), changes)
    _write_sums(db, sums)
    if sign < 0:
        nothing = " AND ".join(f"{name} = 0" for name in COUNTS)
        db.executemany(
            f"DELETE FROM total WHERE person = ? AND kind = ? AND which = ? AND game = ? AND stakes = ? AND {nothing}",
            [
                (person, kind, which, game, stakes)
                for _, _, person, _, game, stakes, periods in sums
                for kind, which in periods
            ],
        )
        db.executemany(
            """
            DELETE FROM standing WHERE server = ? AND chips = ? AND kind = ? AND which = ? AND game = ? AND person = ?
            AND hands = 0 AND net = 0 AND counted = 0
            """,
            [
                (server, chips, kind, which, of_game, person)
                for server, chips, person, _, game, _, periods in sums
                for kind, which in periods
                for of_game in (0, game)
            ],
        )


def take_out(db: sqlite3.Connection, table: int, number: int, season_at: SeasonAt) -> bool:
    """Take a hand out of the statistics. Returns False if it is not in them."""
    row = db.execute("SELECT id FROM counted_hand WHERE table_id = ? AND number = ?", (table, number)).fetchone()
    if row is None:
        return False
    change_hand(db, row[0], season_at, sign=-1)
    people = [(person, row[0]) for (person,) in db.execute("SELECT person FROM player_hand WHERE hand = ?", row)]
    db.executemany("DELETE FROM player_hand WHERE person = ? AND hand = ?", people)
    for person, hand in people:
        drop_from(db, person, hand)
        make(db, person)
    db.execute(
        f"""
        UPDATE game SET hands = hands - counts FROM counted_hand
        WHERE counted_hand.id = ? AND game.id = counted_hand.game AND NOT {_IS_HELD}
        """,
        row,
    )
    db.execute("DELETE FROM counted_hand WHERE id = ?", row)
    return True


def release_table(db: sqlite3.Connection, table: int, season_at: SeasonAt) -> None:
    """Put the hands of a table that was held into the sums: nobody plays there any more."""
    db.execute("UPDATE counted_table SET held = 0 WHERE id = ?", (table,))
    for (hand,) in db.execute("SELECT id FROM counted_hand WHERE table_id = ?", (table,)).fetchall():
        change_hand(db, hand, season_at, sign=1)
    db.execute(
        """
        UPDATE game SET hands = game.hands + played.hands
        FROM (SELECT game, sum(counts) AS hands FROM counted_hand WHERE table_id = ? GROUP BY game) AS played
        WHERE game.id = played.game
        """,
        (table,),
    )


def rename_person(db: sqlite3.Connection, guild: int, user: int, pseudonym: int, chips: int) -> None:
    """Let a pseudonym stand for a person of a server. If some of their hands have been counted under it, they are put together."""
    find = 'SELECT person.id FROM person JOIN server ON server.id = server WHERE guild = ? AND "user" = ? AND chips = ?'
    old = db.execute(find, (guild, user, chips)).fetchone()
    new = db.execute(find, (guild, pseudonym, chips)).fetchone()
    if old is None:
        return
    if new is None:
        db.execute('UPDATE person SET "user" = ? WHERE id = ?', (pseudonym, *old))
        return
    both = (*new, *old)
    db.execute("UPDATE player_hand SET person = ? WHERE person = ?", both)
    db.execute(
        f"""
        INSERT INTO total SELECT ?, kind, which, game, stakes, {_COUNTS} FROM total WHERE person = ?
        ON CONFLICT (person, kind, which, game, stakes) DO UPDATE SET {_ADDED}
        """,
        both,
    )
    db.execute(
        f"""
        INSERT INTO standing SELECT server, chips, kind, which, game, ?, hands, net, counted FROM standing WHERE person = ?
        {_PUT_TOGETHER}
        """,
        both,
    )
    for table in ("total", "standing", "stretch", "person"):
        db.execute(f"DELETE FROM {table} WHERE {'id' if table == 'person' else 'person'} = ?", old)
    make_anew(db, *new)


def make_all_stretches(db: sqlite3.Connection) -> None:
    """Make the stretches of everybody, where hands were written in no order."""
    for (person,) in db.execute("SELECT id FROM person").fetchall():
        make_anew(db, person)


def hands_without_luck(db: sqlite3.Connection, limit: int = 20, end: int = 1 << 62) -> tuple[tuple[int, int], ...]:
    """Return table and number of hands below number `end` whose luck is to be told, oldest first; with `limit` -1 all."""
    query = "SELECT table_id, number FROM counted_hand WHERE luck = 1 AND id < ? ORDER BY id LIMIT ?"
    rows = db.execute(query, (end, limit))
    return tuple(rows.fetchall())


def write_luck(
    db: sqlite3.Connection,
    table: int,
    number: int,
    luck: Mapping[int, int] | None,
    season_at: SeasonAt,
    *,
    is_estimate: bool,
) -> None:
    """Write down the luck of a hand, once. It does nothing for a hand whose luck is told already, or that no longer counts.

    Args:
        luck: in thousandths of a chip, by seat index; None for a hand whose luck cannot be told.
    """
    row = db.execute(
        "SELECT id FROM counted_hand WHERE table_id = ? AND number = ? AND luck = ?", (table, number, LUCK_DUE)
    ).fetchone()
    if row is None:
        return
    (hand,) = row
    state = NO_LUCK if luck is None else LUCK_ESTIMATED if is_estimate else LUCK_EXACT
    db.execute("UPDATE counted_hand SET luck = ? WHERE id = ?", (state, hand))
    if luck is None:
        return
    change_hand(db, hand, season_at, sign=-1)
    people = db.execute("SELECT seat, person FROM player_hand WHERE hand = ?", (hand,)).fetchall()
    db.executemany(
        "UPDATE player_hand SET lucky_hands = 1, luck = ?, estimated_hands = ? WHERE person = ? AND hand = ?",
        [(luck[seat], int(is_estimate), person, hand) for seat, person in people if seat in luck],
    )
    change_hand(db, hand, season_at, sign=1)


def recount_season(db: sqlite3.Connection, server: int, number: int, begins_at: int, ends_at: int) -> None:
    """Count the rows of a season again from its hands."""
    forget_season(db, server, number)
    limits = {
        "server": server,
        "number": number,
        "kind": KINDS[PeriodKind.SEASON],
        "first": first_id(begins_at),
        "end": first_id(min(ends_at, 1 << 42)),
    }
    sums = ", ".join(f"sum({name})" for name in COUNTS)
    db.execute(
        f"""
        INSERT INTO total (person, kind, which, game, stakes, {_COUNTS})
        SELECT person, :kind, :number, game, stakes, {sums} FROM person JOIN player_hand ON person = person.id
        WHERE server = :server AND hand >= :first AND hand < :end
        AND table_id NOT IN (SELECT id FROM counted_table WHERE held > 0) GROUP BY person, game, stakes
        """,
        limits,
    )
    for game, grouped in (("game", "person, game"), ("0", "person")):
        db.execute(
            f"""
            INSERT INTO standing (server, chips, kind, which, game, person, hands, net, counted)
            SELECT server, chips, :kind, :number, {game}, person, sum(hands), sum(net), sum(net)
            FROM person JOIN total ON person = person.id
            WHERE server = :server AND "user" > 0 AND kind = :kind AND which = :number GROUP BY {grouped}
            """,
            limits,
        )
    db.execute("UPDATE server SET uncounted_at = 0 WHERE id = ?", (server,))
    db.execute(NOTE_SEASON, (server, number, begins_at, ends_at))


def forget_season(db: sqlite3.Connection, server: int, number: int) -> None:
    """Delete the rows of a season."""
    db.execute(
        "DELETE FROM total WHERE kind = 3 AND which = ? AND person IN (SELECT id FROM person WHERE server = ?)",
        (number, server),
    )
    db.execute("DELETE FROM standing WHERE server = ? AND kind = 3 AND which = ?", (server, number))
    db.execute("DELETE FROM counted_season WHERE server = ? AND number = ?", (server, number))
