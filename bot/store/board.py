"""Find ranks and pages of a leaderboard without counting everybody.

The people of a board are ordered by a number, the most first, then by id; an index is in this order. It is cut into blocks, of which a
table says where they begin and how many people they hold; triggers keep that in the transaction that changes a number
(`migrations/0014_board_blocks.sql`, `0015_listed_people.sql`). So a rank is the sum of some hundred numbers and a look into one block, and
a line far down is found by passing over the blocks before it, whether the server has ten thousand wallets or a million.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from bot.store.database import Parameters, Rows

PEOPLE_OF_BLOCK = 2_048
"""So many people stay in a block when it is split: one that holds more than twice as many, which the indexes of full blocks say too."""
_NEVER = 1 << 62


class Reads(Protocol):
    """What a board asks of a connection."""

    def execute(self, sql: str, parameters: Parameters = ..., /) -> Rows:
        """Carry out one statement."""


class BoardKind(NamedTuple):
    """Where boards of a kind are kept.

    Attributes:
        people: the table of those who are on them.
        score: its column with the number that people are ordered by.
        who: its column with their ids.
        blocks: the table of the blocks.
        key: the columns, of both, that say which board it is.
        only: who of the table is on a board; empty for everybody.
    """

    people: str
    score: str
    who: str
    blocks: str
    key: tuple[str, ...]
    only: str = ""

    @property
    def of_board(self) -> str:
        """What is asked of the blocks of one board."""
        return " AND ".join(f"{column} = :{column}" for column in self.key)

    @property
    def on_board(self) -> str:
        """What is asked of the people of one board."""
        return f"{self.of_board} AND {self.only}" if self.only else self.of_board


EVERYBODY = BoardKind("player_total", "counted", '"user"', "board_block", ("guild", "book"))
"""All people of a book, by the chips that count."""
LISTED_PEOPLE = EVERYBODY._replace(blocks="listed_block", only="listed = 1")
"""Those of them who have played enough hands (BO-2). See `bot.store.listed_people`."""


class Listed(NamedTuple):
    """Somebody on a leaderboard, with the number, of chips in most, that they are ordered by."""

    user: int
    chips: float


def ranked(people: Sequence[Listed], first: int, rank_of: Callable[[float], int]) -> list[tuple[int, int, float]]:
    """Return rank, user and chips of people who follow each other; equal chips share a rank. `first`: the number of the first line."""
    lines: list[tuple[int, int, float]] = []
    for number, one in enumerate(people, first):
        tied = bool(lines) and lines[-1][2] == one.chips
        lines.append((lines[-1][0] if tied else number if lines else rank_of(one.chips), *one))
    return lines


class BoardOrder:
    """The people of one board, in order. They are counted from 0.

    Args:
        of: which board of its kind, by the columns of its key.
        changes: what is added to the chips of some people of the board, by user, until it is shown.
    """

    def __init__(
        self, db: Reads, kind: BoardKind, of: Mapping[str, int], changes: Mapping[int, int] | None = None
    ) -> None:
        self._db, self._kind, self._of = db, kind, dict(of)
        changes = changes or {}
        saved = ((user, self._saved(user)) for user in changes)
        self._moved = {user: chips for user, chips in saved if chips is not None}
        self._shown = sorted(
            (Listed(user, chips + changes[user]) for user, chips in self._moved.items()),
            key=lambda one: (-one.chips, one.user),
        )

    def people(self) -> int:
        """Return how many people there are."""
        kind = self._kind
        row = self._db.execute(
            f"SELECT coalesce(sum(people), 0) FROM {kind.blocks} WHERE {kind.of_board}", self._of
        ).fetchone()
        return int(row[0])

    def chips_of(self, user: int) -> float | None:
        """Return with how many chips somebody is shown; None for nobody of the board."""
        shown = {one.user: one.chips for one in self._shown}
        return shown[user] if user in shown else self._saved(user)

    def rank_of(self, chips: float) -> int:
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

    def _saved(self, user: int) -> float | None:
        kind = self._kind
        row = self._db.execute(
            f"SELECT {kind.score} FROM {kind.people} WHERE {kind.on_board} AND {kind.who} = :who",
            {**self._of, "who": user},
        ).fetchone()
        return row[0] if row is not None else None

    def _before(self, below: float, tie: int) -> int:
        """Return how many people come before a point of the order: chips with a minus, and an id."""
        kind = self._kind
        of_before = " AND ".join(f"before.{column} = :{column}" for column in kind.key)
        row = self._db.execute(
            f"""
            SELECT below, tie, (
                SELECT coalesce(sum(people), 0) FROM {kind.blocks} AS before
                WHERE {of_before} AND (before.below, before.tie) < (block.below, block.tie)
            ) FROM {kind.blocks} AS block WHERE {kind.of_board} AND (below, tie) <= (:below, :tie)
            ORDER BY below DESC, tie DESC LIMIT 1
            """,
            {**self._of, "below": below, "tie": tie},
        ).fetchone()
        if row is None:
            return 0
        begins, begins_tie, before = row
        here = {**self._of, "most": -begins, "least": -below, "from": begins_tie, "to": tie}
        score, who = kind.score, kind.who
        if begins == below:
            among = f"{score} = :most AND {who} >= :from AND {who} < :to"
            return int(before) + self._count(among, here)
        of_first = self._count(f"{score} = :most AND {who} >= :from", here)
        between = self._count(f"{score} < :most AND {score} > :least", here)
        return int(before) + of_first + between + self._count(f"{score} = :least AND {who} < :to", here)

    def _count(self, where: str, parameters: dict[str, float]) -> int:
        kind = self._kind
        (found,) = self._db.execute(
            f"SELECT count(*) FROM {kind.people} WHERE {kind.on_board} AND {where}", parameters
        ).fetchone()
        return int(found)

    def _page(self, offset: int, limit: int) -> list[Listed]:
        kind, below, tie = self._kind, -_NEVER, 0
        if offset > PEOPLE_OF_BLOCK:
            row = self._db.execute(
                f"""
                SELECT below, tie, before FROM (
                    SELECT below, tie, sum(people) OVER (ORDER BY below, tie) - people AS before
                    FROM {kind.blocks} WHERE {kind.of_board}
                ) AS block WHERE before <= :offset ORDER BY below DESC, tie DESC LIMIT 1
                """,
                {**self._of, "offset": offset},
            ).fetchone()
            if row is None:
                return []
            below, tie, before = row
            offset -= before
        return _following(self._db, kind, self._of, (below, tie), offset, limit)


def _following(
    db: Reads, kind: BoardKind, board: dict[str, int], begin: tuple[float, int], offset: int, limit: int
) -> list[Listed]:
    """Return people from a point of the order on, passing over some: those with as many chips first, then those with fewer."""
    asked = {**board, "chips": -begin[0], "tie": begin[1]}
    found: list[Listed] = []
    for where in (f"{kind.score} = :chips AND {kind.who} >= :tie", f"{kind.score} < :chips"):
        passed = min(offset, _count_up_to(db, kind, asked, where, offset)) if offset else 0
        if passed < offset:
            offset -= passed
            continue
        rows = db.execute(
            f"""
            SELECT {kind.who}, {kind.score} FROM {kind.people} WHERE {kind.on_board} AND {where}
            ORDER BY {kind.score} DESC, {kind.who} LIMIT :limit OFFSET :offset
            """,
            {**asked, "limit": limit - len(found), "offset": offset},
        )
        found += [Listed(user, chips) for user, chips in rows]
        offset = 0
    return found


def _count_up_to(db: Reads, kind: BoardKind, asked: dict[str, float], where: str, most: int) -> int:
    (found,) = db.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM {kind.people} WHERE {kind.on_board} AND {where} LIMIT :most) AS passed",
        {**asked, "most": most},
    ).fetchone()
    return int(found)


def split_full_blocks(db: Reads, *kinds: BoardKind) -> None:
    """Split blocks that have become too large, and put empty ones of the same board to those before them. In the caller's transaction."""
    for kind in kinds:
        while _split_one(db, kind):
            pass


def _split_one(db: Reads, kind: BoardKind) -> bool:
    """Split a block that has become too large. Returns whether there was one."""
    columns = ", ".join(kind.key)
    row = db.execute(
        f"SELECT {columns}, below, tie, people FROM {kind.blocks} WHERE people > {2 * PEOPLE_OF_BLOCK} LIMIT 1"
    ).fetchone()
    if row is None:
        return False
    *of, below, tie, people = row
    board = dict(zip(kind.key, of, strict=True))
    before, first = _following(db, kind, board, (below, tie), PEOPLE_OF_BLOCK - 1, 2)
    new_tie = (before.user + first.user + 1) // 2 if before.chips == first.chips else 0
    db.execute(
        f"UPDATE {kind.blocks} SET people = :people WHERE {kind.of_board} AND below = :below AND tie = :tie",
        {**board, "people": PEOPLE_OF_BLOCK, "below": below, "tie": tie},
    )
    marks = ", ".join("?" for _ in row)
    db.execute(
        f"INSERT INTO {kind.blocks} ({columns}, below, tie, people) VALUES ({marks})",
        (*of, -first.chips, new_tie, people - PEOPLE_OF_BLOCK),
    )
    db.execute(
        f"""
        DELETE FROM {kind.blocks} WHERE {kind.of_board} AND people = 0
        AND below > (SELECT min(below) FROM {kind.blocks} WHERE {kind.of_board})
        """,
        board,
    )
    return True
