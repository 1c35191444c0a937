"""Keep a ranking of many people in its order: a page, and one's own rank, cost the same with ten thousand people and with a million.

A ranking of few people is made when somebody asks. One of many is kept from the first time on that somebody has asked for it: everybody
is put into it, some at a time beside counting, and triggers of the schema keep it in the transaction that changes a standing. Until it
is complete everybody is looked at. It goes by one number of hands; for another one it is dropped, some people at a time, and made anew.
"""

import sqlite3
from typing import NamedTuple

from bot.statistics.types import RankingOrder
from bot.store.board import BoardKind

LONG = 2_048
"""A ranking is kept if more people have played in its period."""
PEOPLE_AT_ONCE = 500
"""So many people are put into a ranking, or taken out of it, in one transaction."""
RANKED = BoardKind("ranked", "score", "person", "ranked_block", ("ranking",))
SCORES = {
    RankingOrder.NET: "counted",
    RankingOrder.NET_PER_100: "100.0 * counted / hands",
    RankingOrder.HANDS: "hands",
}
"""What rankings go by, of a standing. The schema has the same, by their place here."""
OF_SCOPE = "standing.server = :server AND standing.chips = :chips AND kind = :kind AND which = :which AND game = :game"
_COMPLETE = 1 << 62
_ORDERS = tuple(SCORES)


class RankingKey(NamedTuple):
    """Which ranking: of which people, in which period and game, in which order and from how many hands on."""

    server: int
    chips: int
    kind: int
    which: int
    game: int
    order: RankingOrder
    min_hands: int

    @property
    def parameters(self) -> dict[str, int]:
        """What the queries of a ranking ask for."""
        return {
            "server": self.server,
            "chips": self.chips,
            "kind": self.kind,
            "which": self.which,
            "game": self.game,
            "order": _ORDERS.index(self.order),
            "min_hands": self.min_hands,
        }


_KEPT = f"""
    SELECT id, min_hands, reached FROM long_ranking AS standing WHERE {OF_SCOPE} AND ordered_by = :order
"""


def kept_ranking(db: sqlite3.Connection, key: RankingKey) -> int:
    """Return the number of a ranking that is kept and complete; 0 if it is not."""
    row = db.execute(_KEPT, key.parameters).fetchone()
    return int(row[0]) if row is not None and row[1:] == (key.min_hands, _COMPLETE) else 0


def is_long(db: sqlite3.Connection, key: RankingKey) -> bool:
    """Return whether a ranking is of so many people that it is to be kept."""
    row = db.execute(f"SELECT 1 FROM standing WHERE {OF_SCOPE} LIMIT 1 OFFSET :long", {**key.parameters, "long": LONG})
    return row.fetchone() is not None


def begin_ranking(db: sqlite3.Connection, key: RankingKey) -> None:
    """Begin to keep a ranking, if it is not kept yet. In the caller's transaction."""
    row = db.execute(_KEPT, key.parameters).fetchone()
    if row is not None and row[1] != key.min_hands:
        db.execute("UPDATE long_ranking SET server = -id WHERE id = ?", row[:1])
    if row is None or row[1] != key.min_hands:
        db.execute(
            """
            INSERT INTO long_ranking (server, chips, kind, which, game, ordered_by, min_hands, reached)
            VALUES (:server, :chips, :kind, :which, :game, :order, :min_hands, 0)
            """,
            key.parameters,
        )


def extend_rankings(db: sqlite3.Connection) -> bool:
    """Put the next people into a ranking that is not complete, or take some out of one that is dropped. In the caller's transaction.

    Returns:
        whether there can be more to do.
    """
    row = db.execute(
        """
        SELECT id, server, chips, kind, which, game, ordered_by, min_hands, reached FROM long_ranking
        WHERE server < 0 OR reached < ? LIMIT 1
        """,
        (_COMPLETE,),
    ).fetchone()
    if row is None:
        return False
    id_, server, chips, kind, which, game, ordered_by, min_hands, reached = row
    if server < 0:
        _drop_some(db, id_)
        return True
    key = RankingKey(server, chips, kind, which, game, _ORDERS[ordered_by], min_hands)
    asked = {**key.parameters, "ranking": id_, "reached": reached, "some": PEOPLE_AT_ONCE}
    (last, count) = db.execute(
        f"""
        SELECT max(person), count(*) FROM (
            SELECT person FROM standing WHERE {OF_SCOPE} AND person > :reached ORDER BY person LIMIT :some
        )
        """,
        asked,
    ).fetchone()
    asked["last"] = last or 0
    db.execute(
        f"""
        INSERT INTO ranked (ranking, score, person) SELECT :ranking, {SCORES[key.order]}, person FROM standing
        WHERE {OF_SCOPE} AND person > :reached AND person <= :last AND hands >= :min_hands
        """,
        asked,
    )
    to = last if count == PEOPLE_AT_ONCE else _COMPLETE
    db.execute("UPDATE long_ranking SET reached = ? WHERE id = ?", (to, id_))
    return True


def _drop_some(db: sqlite3.Connection, ranking: int) -> None:
    db.execute("DELETE FROM ranked_block WHERE ranking = ?", (ranking,))
    dropped = db.execute(
        """
        DELETE FROM ranked WHERE ranking = :ranking AND (score, person) IN (
            SELECT score, person FROM ranked WHERE ranking = :ranking LIMIT :some
        )
        """,
        {"ranking": ranking, "some": PEOPLE_AT_ONCE},
    )
    if dropped.rowcount < PEOPLE_AT_ONCE:
        db.execute("DELETE FROM long_ranking WHERE id = ?", (ranking,))


def wrong_rankings(db: sqlite3.Connection) -> int:
    """Return how many of the rankings that are kept and complete are not what the standings say."""
    rows = db.execute(
        """
        SELECT id, server, chips, kind, which, game, ordered_by, min_hands FROM long_ranking WHERE server > 0 AND reached = ?
        """,
        (_COMPLETE,),
    ).fetchall()
    return sum(
        _is_wrong(db, id_, RankingKey(server, chips, kind, which, game, _ORDERS[ordered_by], min_hands))
        for id_, server, chips, kind, which, game, ordered_by, min_hands in rows
    )


def _is_wrong(db: sqlite3.Connection, ranking: int, key: RankingKey) -> bool:
    kept = "SELECT score, person FROM ranked WHERE ranking = :ranking"
    said = f"SELECT {SCORES[key.order]}, person FROM standing WHERE {OF_SCOPE} AND hands >= :min_hands"
    blocks = """
        SELECT 1 FROM (
            SELECT below, tie, people FROM ranked_block WHERE ranking = :ranking
            UNION ALL SELECT {below}, {tie}, -1 FROM ranked AS one WHERE ranking = :ranking
        ) GROUP BY below, tie HAVING sum(people) <> 0
    """
    begin = """(
        SELECT {} FROM ranked_block AS block WHERE block.ranking = one.ranking AND (below, tie) <= (-one.score, one.person)
        ORDER BY below DESC, tie DESC LIMIT 1
    )"""
    differences = (
        f"SELECT 1 FROM ({kept} EXCEPT {said})",
        f"SELECT 1 FROM ({said} EXCEPT {kept})",
        blocks.format(below=begin.format("below"), tie=begin.format("tie")),
    )
    asked = {**key.parameters, "ranking": ranking}
    return any(db.execute(f"{query} LIMIT 1", asked).fetchone() is not None for query in differences)
