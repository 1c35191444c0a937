"""Read what somebody has achieved, and in which hand, from what was counted. Plain functions on a connection that cannot write.

Sums answer first whether there is anything to look for.
"""

import sqlite3
from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from bot.statistics.achievements import (
    GAMES_OF_A_WEEK,
    GAMES_WON,
    GOALS,
    ROYAL_FLUSH_RARITY,
    SHOWDOWNS,
    WEEKS,
    Achievement,
    Earned,
)
from bot.statistics.periods import DAY_MS
from bot.statistics.types import CountedChips
from bot.store.statistics.answers import hand_key
from bot.store.statistics.write import first_id, time_of

Look: TypeAlias = Callable[[sqlite3.Connection, int], int]
LOOK_FOR: dict[Achievement, Look] = {}
"""Return the number of the hand in which a person has achieved something; 0 if they have not."""
HOW_FAR: dict[Achievement, Look] = {}
"""Return how far a person has come with something that has a goal (`GOALS`)."""
_FIRST = "SELECT min(hand) FROM player_hand WHERE person = :person"


def earned(
    db: sqlite3.Connection, guild: int, user: int, among: Collection[Achievement] = tuple(Achievement)
) -> tuple[Earned, ...]:
    """Return what a user has achieved of what is asked for, in the order of `Achievement`."""
    person = _person(db, guild, user)
    if not person:
        return ()
    found: list[Earned] = []
    for achievement in Achievement:
        hand = LOOK_FOR[achievement](db, person) if achievement in among else 0
        if hand:
            found.append(Earned(achievement, hand_key(db, hand), time_of(hand)))
    return tuple(found)


def earned_by(
    db: sqlite3.Connection, asked: Mapping[tuple[int, int], Collection[Achievement]]
) -> dict[tuple[int, int], tuple[Earned, ...]]:
    """Return the same of several people at once, by server and user; whoever has achieved nothing of it is left out."""
    found = {(guild, user): earned(db, guild, user, among) for (guild, user), among in asked.items()}
    return {person: new for person, new in found.items() if new}


def progress(db: sqlite3.Connection, guild: int, user: int) -> dict[Achievement, int]:
    """Return how far a user has come with what takes more than one hand, at most as far as it takes; all of it from sums."""
    person = _person(db, guild, user)
    return {one: min(HOW_FAR[one](db, person) if person else 0, goal) for one, goal in GOALS.items()}


def _person(db: sqlite3.Connection, guild: int, user: int) -> int:
    """Return the number of somebody who plays for server chips; 0 for nobody."""
    row = db.execute(
        'SELECT person.id FROM person JOIN server ON server.id = server WHERE guild = ? AND "user" = ? AND chips = ?',
        (guild, user, CountedChips.SERVER),
    ).fetchone()
    return int(row[0]) if row is not None else 0


def _counts(achievement: Achievement) -> Callable[[Look], Look]:
    def decorate(look: Look) -> Look:
        HOW_FAR[achievement] = look
        return look

    return decorate


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


@_counts(Achievement.HUNDRED_SHOWDOWNS)
def _showdowns(db: sqlite3.Connection, person: int) -> int:
    return _sum_of(db, person, "showdowns")


@_finds(Achievement.HUNDRED_SHOWDOWNS)
def _hundred_showdowns(db: sqlite3.Connection, person: int) -> int:
    if _showdowns(db, person) < SHOWDOWNS:
        return 0
    query = "SELECT hand FROM player_hand WHERE person = :person AND showdowns AND hands ORDER BY hand LIMIT 1 OFFSET :before"
    return _one(db, query, person, before=SHOWDOWNS - 1)


@_counts(Achievement.TEN_GAMES)
def _games_won(db: sqlite3.Connection, person: int) -> int:
    return _one(db, "SELECT count(DISTINCT game) FROM total WHERE person = :person AND kind = 0 AND pots_won", person)


@_finds(Achievement.TEN_GAMES)
def _ten_games(db: sqlite3.Connection, person: int) -> int:
    if _games_won(db, person) < GAMES_WON:
        return 0
    query = """
        SELECT min(hand) AS first FROM player_hand WHERE person = :person AND pots_won AND hands
        GROUP BY game ORDER BY first LIMIT 1 OFFSET :before
    """
    return _one(db, query, person, before=GAMES_WON - 1)


@_counts(Achievement.TEN_WEEKS)
def _weeks(db: sqlite3.Connection, person: int) -> int:
    return _one(db, "SELECT count(*) FROM standing WHERE person = :person AND kind = 1 AND game = 0 AND hands", person)


@_finds(Achievement.TEN_WEEKS)
def _ten_weeks(db: sqlite3.Connection, person: int) -> int:
    query = """
        SELECT which FROM standing WHERE person = :person AND kind = 1 AND game = 0 AND hands ORDER BY which LIMIT 1 OFFSET :before
    """
    week = _one(db, query, person, before=WEEKS - 1)
    return _one(db, f"{_FIRST} AND hand >= :first AND hands", person, first=first_id(week * DAY_MS)) if week else 0


@_counts(Achievement.FIVE_IN_A_WEEK)
def _most_games_of_a_week(db: sqlite3.Connection, person: int) -> int:
    query = """
        SELECT count(*) AS games FROM standing WHERE person = :person AND kind = 1 AND game > 0 AND hands
        GROUP BY which ORDER BY games DESC LIMIT 1
    """
    return _one(db, query, person)


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


def _sum_of(db: sqlite3.Connection, person: int, number: str) -> int:
    return _one(db, f"SELECT sum({number}) FROM total WHERE person = :person AND kind = 0", person)


def _first_with(db: sqlite3.Connection, person: int, number: str) -> int:
    """Return the first hand in which a number of a person is above 0."""
    return _one(db, f"{_FIRST} AND {number} AND hands", person) if _sum_of(db, person, number) else 0


@_finds(Achievement.THREE_WINNERS)
def _three_winners(db: sqlite3.Connection, person: int) -> int:
    return _first_with(db, person, "shared_by_three")


@_finds(Achievement.HUNDREDTH_HAND)
def _hundredth_hand(db: sqlite3.Connection, person: int) -> int:
    return _first_with(db, person, "hundredth_hands")


@_finds(Achievement.EVERYBODY_SHOWED)
def _everybody_showed(db: sqlite3.Connection, person: int) -> int:
    return _first_with(db, person, "all_shown")


@_finds(Achievement.FULL_TABLE)
def _full_table(db: sqlite3.Connection, person: int) -> int:
    return _first_with(db, person, "full_tables")


@_finds(Achievement.SHARED_POT)
def _shared_pot(db: sqlite3.Connection, person: int) -> int:
    query = """
        SELECT hand FROM player_hand JOIN counted_hand ON counted_hand.id = hand
        WHERE person = :person AND showdowns_won AND hands AND won < pot ORDER BY hand LIMIT 1
    """
    return _one(db, query, person)
