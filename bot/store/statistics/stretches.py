"""Sums of stretches of one person's hands, for what no sum by day can tell: streaks, best hands, biggest pots, curves.

A stretch is some hands in a row, in the order in which they ended: at level 1 some dozens of hands, at each further level some stretches
of the level below. Between two stretches of a level there is no hand. The first begins with the person's first hand; the newest hands, a
hundred or so, are in none. So whatever is asked of hands between two times is put together from some dozens of stretches and the few hands
at both ends, however many hands there are.

Each stretch has a row for all games and one for each game. Where it holds hands of private tables the same is kept once more for the public
ones alone. A reader who knows some of its private tables and not others has its hands looked through.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

LEVELS = 5
HANDS_OF_STRETCH = 64
"""So many hands are in a stretch of level 1 when it is made."""
PARTS_OF_STRETCH = 8
"""So many stretches of the level below are in one of a further level."""


class Figures(NamedTuple):
    """What some hands of one person show, in the order in which they ended. `Figures()` is that of no hand.

    Attributes:
        net: chips won less chips put in.
        opening, closing, longest: hands won net in a row: the first ones, the last ones, the most.
        first, last: the first and the last of them.
        won: the most chips that one hand paid, and `won_by` the first that did.
        rarity, rarest: the rarest hand that won a pot at a showdown, and the first of such; 0 for none.
        share, value, best: the best of one game: by its first share, then by its value, the first of such.
    """

    hands: int = 0
    net: int = 0
    opening: int = 0
    closing: int = 0
    longest: int = 0
    first: int = 0
    last: int = 0
    won: int = 0
    won_by: int = 0
    rarity: int = 0
    rarest: int = 0
    share: int = 0
    value: int = 0
    best: int = 0


class Stretch(NamedTuple):
    """A stretch that stands for hands from `first` to `last`: what a reader can know of them, of the game that is asked for.

    `is_part`: it also holds hands that the reader cannot know of, of whatever game; they are left out.
    """

    first: int
    last: int
    figures: Figures
    is_part: bool = False


class Hands(NamedTuple):
    """Hands that are in no stretch, or that a reader can know of in part: from `first` on, those before `end`."""

    first: int
    end: int


Piece: TypeAlias = Stretch | Hands

_COLUMNS = (
    "hands", "net", "opening", "closing", "longest", "first_hand", "last_hand",
    "won", "won_by", "rarity", "rarest", "share", "value", "best",
)  # fmt: skip
"""The columns of `stretch` for the fields of `Figures`."""
_FIGURES = ", ".join(_COLUMNS)
_ADD = f"""
    INSERT INTO stretch (person, level, game, public, first, last, tables, {_FIGURES})
    VALUES ({", ".join("?" * (7 + len(_COLUMNS)))})
"""
_OF_GAME = f"""
    SELECT every.first, every.last, every.tables, {", ".join(f"of_game.{name}" for name in _COLUMNS)}
    FROM stretch AS every LEFT JOIN stretch AS of_game
    ON of_game.person = every.person AND of_game.level = every.level AND of_game.first = every.first
    AND of_game.game = :game AND of_game.public = 0
    WHERE every.person = :person AND every.level = :level AND every.first >= :first AND every.first < :end AND every.last < :end
    AND every.game = 0 AND every.public = 0 ORDER BY every.first
"""
_OF_PUBLIC_TABLES = (
    f"SELECT {_FIGURES} FROM stretch WHERE person = ? AND level = ? AND first = ? AND game = ? AND public = 1"
)
_NARROWED = f"SELECT first, last, tables, game, public, {_FIGURES} FROM stretch"
_HANDS_FROM = """
    SELECT hand, hands, game, net, won, rarity, share, value, CASE private WHEN 1 THEN table_id ELSE 0 END
    FROM player_hand LEFT JOIN counted_table ON counted_table.id = table_id WHERE person = ? AND hand > ?
"""
_HANDS = f"{_HANDS_FROM} ORDER BY hand LIMIT ?"


def joined(each: Iterable[Figures]) -> Figures:
    """Return what hands show that follow each other."""
    hands = net = opening = closing = longest = first = last = won = won_by = rarity = rarest = share = value = best = 0
    for more in each:
        if not more.hands:
            continue
        if opening == hands:
            opening += more.opening
        longest = max(longest, closing + more.opening, more.longest)
        closing = closing + more.hands if more.closing == more.hands else more.closing
        hands, net, first, last = hands + more.hands, net + more.net, first or more.first, more.last
        if more.won > won:
            won, won_by = more.won, more.won_by
        if more.rarity > rarity:
            rarity, rarest = more.rarity, more.rarest
        if more.value and (not value or (more.share, -more.value) < (share, -value)):
            share, value, best = more.share, more.value, more.best
    return Figures(hands, net, opening, closing, longest, first, last, won, won_by, rarity, rarest, share, value, best)


_NONE = Figures()


# reading


def pieces(
    db: sqlite3.Connection,
    person: int,
    game: int,
    between: tuple[int, int],
    unknown: frozenset[int],
    *,
    level: int = LEVELS,
) -> list[Piece]:
    """Return what stands for the hands of a person between two numbers of hands, in order; the second is not included.

    Args:
        game: the game that is asked for; 0 for all.
        unknown: the private tables that the reader cannot know of.
        level: the largest stretches that are wanted; with 0 there are none.
    """
    first, end = between
    if first >= end:
        return []
    if not level:
        return [Hands(first, end)]
    found = list(_stretches(db, person, game, between, unknown, level))
    if not found:
        return pieces(db, person, game, between, unknown, level=level - 1)
    every: list[Piece] = []
    if first:
        every += pieces(db, person, game, (first, found[0].first), unknown, level=level - 1)
    for one in found:
        if isinstance(one, Stretch):
            every.append(one)
        else:
            every += pieces(db, person, game, one, unknown, level=level - 1)
    last = found[-1]
    behind = last.last + 1 if isinstance(last, Stretch) else last.end
    return [*every, *pieces(db, person, game, (behind, end), unknown, level=level - 1)]


def _stretches(
    db: sqlite3.Connection, person: int, game: int, between: tuple[int, int], unknown: frozenset[int], level: int
) -> Iterator[Piece]:
    """Return the stretches of a level that lie between two hands; where a reader knows of a part of one, its hands."""
    known = {"person": person, "level": level, "game": game, "first": between[0], "end": between[1]}
    for first, last, tables, *figures in db.execute(_OF_GAME, known).fetchall():
        hidden = len(unknown.intersection(map(int, tables.split(",")))) if tables and unknown else 0
        if not hidden:
            yield Stretch(first, last, Figures(*figures) if figures[0] else _NONE)
        elif hidden <= tables.count(","):
            yield Hands(first, last + 1)
        else:
            row = db.execute(_OF_PUBLIC_TABLES, (person, level, first, game)).fetchone()
            yield Stretch(first, last, Figures(*row) if row is not None else _NONE, is_part=True)


# writing


class StretchWriter:
    """Keeps the stretches of the people whose hands change, in the caller's transaction.

    It remembers how many hands of somebody follow their last stretch: forget it when a transaction was rolled back.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._newest: dict[int, tuple[int, int]] = {}

    def note(self, person: int, hands: Sequence[int]) -> None:
        """Note that hands of a person have been added. A hand that ended before others that are in stretches makes them anew from there."""
        ends_at, following = self._newest.get(person) or self._look(person)
        if min(hands) <= ends_at:
            drop_from(self._db, person, min(hands))
            ends_at, following = self._look(person)
        else:
            following += len(hands)
        if following >= 2 * HANDS_OF_STRETCH:
            make(self._db, person)
            ends_at, following = self._look(person)
        self._newest[person] = ends_at, following

    def _look(self, person: int) -> tuple[int, int]:
        """Return with which hand the last stretch of a person ends, and how many hands follow it."""
        ends_at = _end(self._db, person, 1)
        (following,) = self._db.execute(
            "SELECT count(*) FROM player_hand WHERE person = ? AND hand > ?", (person, ends_at)
        ).fetchone()
        return ends_at, following


def are_right(db: sqlite3.Connection, person: int) -> bool:
    """Return whether the smallest stretches of a person hold each of their hands up to the newest ones once, and show what these show."""
    kept = db.execute(f"{_NARROWED} WHERE person = ? AND level = 1 ORDER BY first, game, public", (person,)).fetchall()
    behind = 0
    for (first, last), some in groupby(kept, itemgetter(0, 1)):
        rows = list(some)
        hands = db.execute(f"{_HANDS_FROM} AND hand <= ? ORDER BY hand", (person, behind, last)).fetchall()
        sums, tables = _figures_of(hands)
        sums.setdefault((0, 0), Figures())
        found = {(game, public): Figures(*figures) for _, _, _, game, public, *figures in rows}
        if not hands or hands[0][0] != first or found != sums or _tables(rows[0][2]) != tables:
            return False
        behind = last
    return True


def make_anew(db: sqlite3.Connection, person: int) -> None:
    """Make all stretches of a person from their hands."""
    db.execute("DELETE FROM stretch WHERE person = ?", (person,))
    make(db, person)


def drop_from(db: sqlite3.Connection, person: int, hand: int) -> None:
    """Delete the stretches of a person that hold a hand, or come after it."""
    for level in range(1, LEVELS + 1):
        db.execute(
            """
            DELETE FROM stretch WHERE person = :person AND level = :level AND last >= :hand AND first >= coalesce((
                SELECT max(first) FROM stretch AS before
                WHERE before.person = :person AND before.level = :level AND before.first <= :hand
            ), 0)
            """,
            {"person": person, "level": level, "hand": hand},
        )


def make(db: sqlite3.Connection, person: int) -> None:
    """Make stretches of the hands that are in none, but for the newest ones."""
    ends_at = _end(db, person, 1)
    rows = db.execute(_HANDS, (person, ends_at, 2 * HANDS_OF_STRETCH)).fetchall()
    if len(rows) < 2 * HANDS_OF_STRETCH:
        return
    while len(rows) >= 2 * HANDS_OF_STRETCH:
        some, rows = rows[:HANDS_OF_STRETCH], rows[HANDS_OF_STRETCH:]
        _write(db, person, 1, some[0][0], some[-1][0], _figures_of(some))
        rows += db.execute(_HANDS, (person, rows[-1][0], HANDS_OF_STRETCH)).fetchall()
    for level in range(2, LEVELS + 1):
        _make_larger(db, person, level)


def _make_larger(db: sqlite3.Connection, person: int, level: int) -> None:
    """Make stretches of a level from those of the level below that are in none, but for the newest ones."""
    rows = db.execute(
        f"{_NARROWED} WHERE person = ? AND level = ? AND first > ? ORDER BY first, game, public",
        (person, level - 1, _end(db, person, level)),
    )
    parts = [list(part) for _, part in groupby(rows, itemgetter(0))]
    while len(parts) >= 2 * PARTS_OF_STRETCH:
        some, parts = parts[:PARTS_OF_STRETCH], parts[PARTS_OF_STRETCH:]
        _write(db, person, level, some[0][0][0], some[-1][0][1], _figures_of_parts(some))


_Sums: TypeAlias = tuple[dict[tuple[int, int], Figures], frozenset[int]]
"""What a stretch shows, by game and by whether it is of public tables alone; and its private tables."""


def _figures_of(rows: Sequence[tuple[int, ...]]) -> _Sums:
    each: dict[tuple[int, int], list[Figures]] = {}
    tables = frozenset(row[8] for row in rows if row[8])
    for hand, counts, game, net, won, rarity, share, value, private in rows:
        if not counts:
            continue
        wins = int(net > 0)
        one = Figures(1, net, wins, wins, wins, hand, hand, won, hand, rarity, hand, share, value, hand)
        for of_game in (0, game):
            each.setdefault((of_game, 0), []).append(one)
            if tables and not private:
                each.setdefault((of_game, 1), []).append(one)
    return {narrowed: joined(some) for narrowed, some in each.items()}, tables


def _figures_of_parts(parts: Sequence[Sequence[tuple[Any, ...]]]) -> _Sums:
    each: dict[tuple[int, int], list[Figures]] = {}
    held = [_tables(rows[0][2]) for rows in parts]
    tables = frozenset[int]().union(*held)
    for rows, private in zip(parts, held, strict=True):
        for _, _, _, game, public, *figures in rows:
            each.setdefault((game, public), []).append(Figures(*figures))
            if tables and not private:
                each.setdefault((game, 1), []).append(Figures(*figures))
    return {narrowed: joined(some) for narrowed, some in each.items()}, tables


def _write(db: sqlite3.Connection, person: int, level: int, first: int, last: int, sums: _Sums) -> None:
    figures, tables = sums
    held = ",".join(map(str, sorted(tables)))
    figures.setdefault((0, 0), Figures())  # where no hand counts, it is a stretch all the same
    db.executemany(
        _ADD,
        [
            (person, level, game, public, first, last, held if not game and not public else "", *each)
            for (game, public), each in figures.items()
        ],
    )


def _tables(written: str) -> frozenset[int]:
    return frozenset(map(int, written.split(","))) if written else frozenset()


def _end(db: sqlite3.Connection, person: int, level: int) -> int:
    """Return with which hand the last stretch of a level ends; 0 for none."""
    row = db.execute(
        "SELECT last FROM stretch WHERE person = ? AND level = ? ORDER BY first DESC LIMIT 1", (person, level)
    ).fetchone()
    return int(row[0]) if row is not None else 0
