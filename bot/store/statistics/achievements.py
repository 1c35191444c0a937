"""Read what somebody has achieved, and in which hand, from what was counted. Plain functions on a connection that cannot write.

Sums answer first whether there is anything to look for.
"""

import sqlite3
from collections.abc import Callable, Collection
from typing import TypeAlias

from bot.statistics.achievements import (
    GAMES_OF_A_WEEK,
    GAMES_WON,
    ROYAL_FLUSH_RARITY,
    SHOWDOWNS,
    WEEKS,
    Achievement,
    Earned,
)
from bot.statistics.periods import DAY_MS
from bot.store.statistics.answers import hand_key
from bot.store.statistics.write import first_id, time_of

Look: TypeAlias = Callable[[sqlite3.Connection, int], int]
LOOK_FOR: dict[Achievement, Look] = {}
"""Return the number of the hand in which a person has achieved something; 0 if they have not."""
_FIRST = "SELECT min(hand) FROM player_hand WHERE person = :person"


def earned(
    db: sqlite3.Connection, guild: int, user: int, among: Collection[Achievement] = tuple(Achievement)
) -> tuple[Earned, ...]:
    """Return what a user has achieved of what is asked for, in the order of `Achievement`."""
    row = db.execute(
        'SELECT person.id FROM person JOIN server ON server.id = server WHERE guild = ? AND "user" = ? AND practice = 0',
        (guild, user),
    ).fetchone()
    if row is None:
        return ()
    found: list[Earned] = []
    for achievement in Achievement:
        hand = LOOK_FOR[achievement](db, row[0]) if achievement in among else 0
        if hand:
            found.append(Earned(achievement, hand_key(db, hand), time_of(hand)))
    return tuple(found)


def _finds(achievement: Achievement) -> Callable[[Look], Look]:
    def decorate(look: Look) -> Look:
        LOOK_FOR[achievement] = look
        return look

    return decorate


def _one(db: sqlite3.Connection, query: str, person: int, **values: int) -> int:
    row = db.execute(query, {"person": person, **values}).fetchone()
    return int(row[0]) if row is not None and row[0] is not None else 0


@_finds(Achievement.ROYAL_FLUSH)
def _royal_flush(db: sqlite3.Connection, person: int) -> int:
    return _one(db, f"{_FIRST} AND rarity >= :royal AND hands", person, royal=ROYAL_FLUSH_RARITY)


@_finds(Achievement.HUNDRED_SHOWDOWNS)
def _hundred_showdowns(db: sqlite3.Connection, person: int) -> int:
    if _one(db, "SELECT sum(showdowns) FROM total WHERE person = :person AND kind = 0", person) < SHOWDOWNS:
        return 0
    query = "SELECT hand FROM player_hand WHERE person = :person AND showdowns AND hands ORDER BY hand LIMIT 1 OFFSET :before"
    return _one(db, query, person, before=SHOWDOWNS - 1)


@_finds(Achievement.TEN_GAMES)
def _ten_games(db: sqlite3.Connection, person: int) -> int:
    won = "SELECT count(DISTINCT game) FROM total WHERE person = :person AND kind = 0 AND pots_won"
    if _one(db, won, person) < GAMES_WON:
        return 0
    query = """
        SELECT min(hand) AS first FROM player_hand WHERE person = :person AND pots_won AND hands
        GROUP BY game ORDER BY first LIMIT 1 OFFSET :before
    """
    return _one(db, query, person, before=GAMES_WON - 1)


@_finds(Achievement.TEN_WEEKS)
def _ten_weeks(db: sqlite3.Connection, person: int) -> int:
    query = """
        SELECT which FROM standing WHERE person = :person AND kind = 1 AND game = 0 AND hands ORDER BY which LIMIT 1 OFFSET :before
    """
    week = _one(db, query, person, before=WEEKS - 1)
    return _one(db, f"{_FIRST} AND hand >= :first AND hands", person, first=first_id(week * DAY_MS)) if week else 0


@_finds(Achievement.FIVE_IN_A_WEEK)
def _five_in_a_week(db: sqlite3.Connection, person: int) -> int:
    query = """
        SELECT which FROM standing WHERE person = :person AND kind = 1 AND game > 0 AND hands
        GROUP BY which HAVING count(*) >= :games ORDER BY which LIMIT 1
    """
    week = _one(db, query, person, games=GAMES_OF_A_WEEK)
    if not week:
        return 0
    query = """
        SELECT min(hand) AS first FROM player_hand WHERE person = :person AND hand >= :first AND hand < :end AND hands
        GROUP BY game ORDER BY first LIMIT 1 OFFSET :before
    """
    bounds = {"first": first_id(week * DAY_MS), "end": first_id((week + 7) * DAY_MS)}
    return _one(db, query, person, before=GAMES_OF_A_WEEK - 1, **bounds)


@_finds(Achievement.SHARED_POT)
def _shared_pot(db: sqlite3.Connection, person: int) -> int:
    query = """
        SELECT hand FROM player_hand JOIN counted_hand ON counted_hand.id = hand
        WHERE person = :person AND showdowns_won AND hands AND won < pot ORDER BY hand LIMIT 1
    """
    return _one(db, query, person)
