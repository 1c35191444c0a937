"""Find ranks and pages of a leaderboard without counting everybody.

The people of a book are ordered by `ORDERED_BY` of `player_total`, the most first, then by id; an index is in this order. It is cut into
blocks, of which `board_block` says where they begin and how many people they hold; triggers keep that in the transaction that changes a
total (`migrations/0014_board_blocks.sql`). So a rank is the sum of some hundred numbers and a look into one block, and a line far down is
found by passing over the blocks before it, whether the server has ten thousand wallets or a million.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.store.database import Database

ORDERED_BY = "counted"
"""The number that people are ordered by: a column of `player_total`, an index and the triggers."""
PEOPLE_OF_BLOCK = 2_048
"""So many people stay in a block when it is split: one that holds more than twice as many, which the index `full_block` says too."""
_NEVER = 1 << 62

_OF_BOARD = "guild = :guild AND book = :book"


class Listed(NamedTuple):
    """Somebody on a leaderboard, with the chips that they are ordered by."""

    user: int
    chips: int


def ranked(people: Sequence[Listed], first: int, rank_of: Callable[[int], int]) -> list[tuple[int, int, int]]:
    """Return rank, user and chips of people who follow each other; equal chips share a rank. `first`: the number of the first line."""
    lines: list[tuple[int, int, int]] = []
    for number, one in enumerate(people, first):
        tied = bool(lines) and lines[-1][2] == one.chips
        lines.append((lines[-1][0] if tied else number if lines else rank_of(one.chips), *one))
    return lines


class BoardOrder:
    """The people of one book of a server, in order. They are counted from 0.

    Args:
        changes: what is added to the chips of some people of the book, by user, until it is shown.
    """

    def __init__(self, db: Database, guild: int, book: int, changes: Mapping[int, int]) -> None:
        self._db, self._of = db, {"guild": guild, "book": book}
        saved = ((user, self._saved(user)) for user in changes)
        self._moved = {user: chips for user, chips in saved if chips is not None}
        self._shown = sorted(
            (Listed(user, chips + changes[user]) for user, chips in self._moved.items()),
            key=lambda one: (-one.chips, one.user),
        )

    def people(self) -> int:
        """Return how many people there are."""
        row = self._db.execute(
            f"SELECT coalesce(sum(people), 0) FROM board_block WHERE {_OF_BOARD}", self._of
        ).fetchone()
        return int(row[0])

    def chips_of(self, user: int) -> int | None:
        """Return with how many chips somebody is shown; None for nobody of the book."""
        shown = {one.user: one.chips for one in self._shown}
        return shown[user] if user in shown else self._saved(user)

    def rank_of(self, chips: int) -> int:
        """Return the rank of whoever is shown with so many chips: 1 and the people who are shown with more."""
        more = self._before(-chips, 0) - sum(saved > chips for saved in self._moved.values())
        return more + sum(one.chips > chips for one in self._shown) + 1

    def page(self, offset: int, limit: int) -> list[Listed]:
        """Return the people from an index on, so many at most."""
        if not self._shown:
            return self._page(offset, limit)
        shown_at = {}
        for number, one in enumerate(self._shown):
            not_there = sum((-saved, user) < (-one.chips, one.user) for user, saved in self._moved.items())
            shown_at[self._before(-one.chips, one.user) - not_there + number] = one
        # So many come before of those who are shown with what the file says; the index among all in the file follows.
        others = offset - sum(index < offset for index in shown_at)
        for index in sorted(self._before(-saved, user) for user, saved in self._moved.items()):
            others += index <= others
        rest = iter([one for one in self._page(others, limit + len(self._moved)) if one.user not in self._moved])
        found = [shown_at.get(index) or next(rest, None) for index in range(offset, offset + limit)]
        return [one for one in found if one is not None]

    # what the file says

    def _saved(self, user: int) -> int | None:
        row = self._db.execute(
            f'SELECT {ORDERED_BY} FROM player_total WHERE {_OF_BOARD} AND "user" = :user', {**self._of, "user": user}
        ).fetchone()
        return int(row[0]) if row is not None else None

    def _before(self, below: int, tie: int) -> int:
        """Return how many people come before a point of the order: chips with a minus, and an id."""
        row = self._db.execute(
            f"""
            SELECT below, tie, (
                SELECT coalesce(sum(people), 0) FROM board_block AS before
                WHERE before.guild = :guild AND before.book = :book AND (before.below, before.tie) < (block.below, block.tie)
            ) FROM board_block AS block WHERE {_OF_BOARD} AND (below, tie) <= (:below, :tie) ORDER BY below DESC, tie DESC LIMIT 1
            """,
            {**self._of, "below": below, "tie": tie},
        ).fetchone()
        if row is None:
            return 0
        begins, begins_tie, before = row
        here = {**self._of, "most": -begins, "least": -below, "from": begins_tie, "to": tie}
        if begins == below:
            among = f'{ORDERED_BY} = :most AND "user" >= :from AND "user" < :to'
            return int(before) + self._count(among, here)
        of_first = self._count(f'{ORDERED_BY} = :most AND "user" >= :from', here)
        between = self._count(f"{ORDERED_BY} < :most AND {ORDERED_BY} > :least", here)
        return int(before) + of_first + between + self._count(f'{ORDERED_BY} = :least AND "user" < :to', here)

    def _count(self, where: str, parameters: dict[str, int]) -> int:
        (found,) = self._db.execute(
            f"SELECT count(*) FROM player_total WHERE {_OF_BOARD} AND {where}", parameters
        ).fetchone()
        return int(found)

    def _page(self, offset: int, limit: int) -> list[Listed]:
        below, tie = -_NEVER, 0
        if offset > PEOPLE_OF_BLOCK:
            row = self._db.execute(
                f"""
                SELECT below, tie, before FROM (
                    SELECT below, tie, sum(people) OVER (ORDER BY below, tie) - people AS before FROM board_block WHERE {_OF_BOARD}
                ) AS block WHERE before <= :offset ORDER BY below DESC, tie DESC LIMIT 1
                """,
                {**self._of, "offset": offset},
            ).fetchone()
            below, tie, before = row
            offset -= before
        return following(self._db, self._of, (below, tie), offset, limit)


def following(db: Database, board: dict[str, int], begin: tuple[int, int], offset: int, limit: int) -> list[Listed]:
    """Return people from a point of the order on, passing over some: those with as many chips first, then those with fewer."""
    asked = {**board, "chips": -begin[0], "tie": begin[1]}
    found: list[Listed] = []
    for where in (f'{ORDERED_BY} = :chips AND "user" >= :tie', f"{ORDERED_BY} < :chips"):
        passed = min(offset, _count_up_to(db, asked, where, offset)) if offset else 0
        if passed < offset:
            offset -= passed
            continue
        rows = db.execute(
            f"""
            SELECT "user", {ORDERED_BY} FROM player_total WHERE {_OF_BOARD} AND {where}
            ORDER BY {ORDERED_BY} DESC, "user" LIMIT :limit OFFSET :offset
            """,
            {**asked, "limit": limit - len(found), "offset": offset},
        )
        found += [Listed(user, chips) for user, chips in rows]
        offset = 0
    return found


def _count_up_to(db: Database, asked: dict[str, int], where: str, most: int) -> int:
    (found,) = db.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM player_total WHERE {_OF_BOARD} AND {where} LIMIT :most) AS passed",
        {**asked, "most": most},
    ).fetchone()
    return int(found)


def split_full_blocks(db: Database) -> None:
    """Split blocks that have become too large, and put empty ones of the same board to those before them. In the caller's transaction."""
    while True:
        row = db.execute(
            f"SELECT guild, book, below, tie, people FROM board_block WHERE people > {2 * PEOPLE_OF_BLOCK} LIMIT 1"
        ).fetchone()
        if row is None:
            return
        guild, book, below, tie, people = row
        board = {"guild": guild, "book": book}
        before, first = following(db, board, (below, tie), PEOPLE_OF_BLOCK - 1, 2)
        new = -first.chips, (before.user + first.user + 1) // 2 if before.chips == first.chips else 0
        _resize(db, row[:4], PEOPLE_OF_BLOCK)
        db.execute(
            "INSERT INTO board_block (guild, book, below, tie, people) VALUES (?, ?, ?, ?, ?)",
            (guild, book, *new, people - PEOPLE_OF_BLOCK),
        )
        db.execute(
            f"DELETE FROM board_block WHERE {_OF_BOARD} AND people = 0 AND below > (SELECT min(below) FROM board_block WHERE {_OF_BOARD})",
            board,
        )


def _resize(db: Database, block: Sequence[int], people: int) -> None:
    db.execute(
        "UPDATE board_block SET people = ? WHERE guild = ? AND book = ? AND below = ? AND tie = ?", (people, *block)
    )
