"""What somebody has achieved follows from the hands that are counted, whatever order they are counted in."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.engine.cards import parse_cards
from bot.engine.ranking import Evaluator
from bot.statistics.achievements import GOALS, ROYAL_FLUSH_RARITY, Achievement, AchievementWatch
from bot.statistics.periods import DAY_MS, week_of
from bot.statistics.terms import rarity_of
from bot.statistics.types import CountedChips, CountedHand, CountedSeat, Counts
from bot.store.statistics.achievements import HOW_FAR, earned, earned_by, progress
from bot.store.statistics.keeper import connect_to_statistics, create_file
from bot.store.statistics.write import HandWriter, take_out
from bot.variants import game

GUILD, PEOPLE = 7, (11, 12, 13, 14)
GAMES = tuple(f"game {number}" for number in range(12))
MONDAY = 1_794_787_200_000 // DAY_MS * DAY_MS


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    path = tmp_path / "statistics.sqlite3"
    found = connect_to_statistics(path)
    create_file(found)
    found.execute("INSERT INTO server (id, guild) VALUES (1, ?)", (GUILD,))
    found.execute(
        "INSERT INTO counted_table (id, server, number, chips, opened_at, position) VALUES (1, 1, 1, 0, 0, 1)"
    )
    yield found
    found.close()


def random_hands(rng: random.Random, count: int) -> list[CountedHand]:
    """Hands over some months, with showdowns, shared pots and a royal flush now and then."""
    hands = []
    at = MONDAY
    for number in range(1, count + 1):
        at += rng.randrange(1, 2 * DAY_MS // 3)
        dealt = rng.sample(PEOPLE, rng.randint(2, 4))
        showdown = rng.random() < 0.7
        several = showdown and rng.random() < 0.05
        winners = rng.sample(dealt, rng.randint(2, min(3, len(dealt))) if several else 1)
        seats = []
        for user in dealt:
            won = 100 // len(winners) if user in winners else 0
            counts = Counts(
                hands=1,
                net=won - 50,
                showdowns=int(showdown),
                showdowns_won=int(showdown and won > 0),
                pots_won=int(won > 0),
                all_shown=int(showdown and len(dealt) == 4 and number % 3 == 0),
                shared_by_three=int(won > 0 and len(winners) > 2),
                full_tables=int(number % 40 == 0),
                hundredth_hands=int(number == 100),
            )
            rarity = ROYAL_FLUSH_RARITY if showdown and won and rng.random() < 0.01 else 5
            seats.append(CountedSeat(user, counts, won, 1, 0, rarity))
        played = GAMES[min(int(rng.expovariate(0.4)), len(GAMES) - 1)]
        hands.append(
            CountedHand(
                GUILD, 1, number, at, played, played, "no limit", "50/100", CountedChips.SERVER, 100, tuple(seats)
            )
        )
    return hands


def recount(hands: list[CountedHand], user: int) -> dict[Achievement, int]:
    """Return the number of the hand in which a user has achieved what they have achieved, read slowly from the beginning."""
    found: dict[Achievement, int] = {}
    showdowns, games, weeks = 0, set(), set()
    of_week: dict[int, set[str]] = {}
    for hand in hands:
        seat = next((one for one in hand.players if one.user == user), None)
        if seat is None:
            continue
        week = week_of(hand.at)
        weeks.add(week)
        of_week.setdefault(week, set()).add(hand.game)
        showdowns += seat.counts.showdowns
        games |= {hand.game} if seat.won else set()
        for achievement, is_so in (
            (Achievement.ROYAL_FLUSH, seat.rarity == ROYAL_FLUSH_RARITY),
            (Achievement.TEN_GAMES, len(games) >= 10),
            (Achievement.HUNDRED_SHOWDOWNS, showdowns >= 100),
            (Achievement.TEN_WEEKS, len(weeks) >= 10),
            (Achievement.FIVE_IN_A_WEEK, len(of_week[week]) >= 5),
            (Achievement.THREE_WINNERS, bool(seat.counts.shared_by_three)),
            (Achievement.HUNDREDTH_HAND, hand.number == 100),
            (Achievement.EVERYBODY_SHOWED, bool(seat.counts.all_shown)),
            (Achievement.FULL_TABLE, hand.number % 40 == 0),
            (Achievement.SHARED_POT, bool(seat.counts.showdowns_won) and seat.won < hand.pot),
        ):
            if is_so:
                found.setdefault(achievement, hand.number)
    return found


def stored(db: sqlite3.Connection, user: int) -> dict[Achievement, int]:
    return {one.achievement: one.hand.number for one in earned(db, GUILD, user)}


def test_many_people_are_looked_up_as_each_alone(db: sqlite3.Connection) -> None:
    HandWriter(db, lambda _guild, _at: 0).add(random_hands(random.Random(5), 300))
    some = (Achievement.HUNDRED_SHOWDOWNS, Achievement.SHARED_POT)
    asked = {(GUILD, 11): tuple(Achievement), (GUILD, 12): some, (GUILD, 13): (), (GUILD, 99): some}
    found = earned_by(db, asked)
    assert found == {(guild, user): earned(db, guild, user, asked[guild, user]) for guild, user in found}
    assert set(found) == {(GUILD, 11), (GUILD, 12)}


@pytest.mark.parametrize("seed", range(4))
def test_achievements_agree_with_a_plain_recount(db: sqlite3.Connection, seed: int) -> None:
    hands = random_hands(random.Random(seed), 300)
    writer = HandWriter(db, lambda _guild, _at: 0)
    shuffled = hands.copy()
    random.Random(seed).shuffle(shuffled)
    writer.add(shuffled)
    for user in PEOPLE:
        found, expected = stored(db, user), recount(hands, user)
        other = sorted(one for one in Achievement if found.get(one) != expected.get(one))
        assert not other, f"`@_finds` and `recount` of this file find other hands of {user} for {other}: tell both"
    if seed == 0:
        assert {one for user in PEOPLE for one in stored(db, user)} >= {*Achievement} - {Achievement.ROYAL_FLUSH}


def test_progress_is_how_far_somebody_has_come(db: sqlite3.Connection) -> None:
    """It grows hand by hand, and is never more than it takes."""
    hands, writer = random_hands(random.Random(5), 160), HandWriter(db, lambda _guild, _at: 0)
    assert HOW_FAR.keys() == GOALS.keys(), "tell of each goal how far somebody has come, by `@_counts`"
    assert progress(db, GUILD, 999) == dict.fromkeys(GOALS, 0)
    for end in range(0, 160, 40):
        writer.add(hands[end : end + 40])
        for user in PEOPLE:
            own = [(hand, seat) for hand in hands[: end + 40] for seat in hand.players if seat.user == user]
            weeks = {week_of(hand.at) for hand, _ in own}
            games_of = [len({hand.game for hand, _ in own if week_of(hand.at) == week}) for week in weeks]
            assert progress(db, GUILD, user) == {
                Achievement.TEN_GAMES: min(10, len({hand.game for hand, seat in own if seat.won})),
                Achievement.HUNDRED_SHOWDOWNS: min(100, sum(seat.counts.showdowns for _, seat in own)),
                Achievement.TEN_WEEKS: min(10, len(weeks)),
                Achievement.FIVE_IN_A_WEEK: min(5, max(games_of)),
            }


def test_a_hand_that_is_undone_takes_its_achievement_along(db: sqlite3.Connection) -> None:
    hands = random_hands(random.Random(1), 200)
    HandWriter(db, lambda _guild, _at: 0).add(hands)
    user = next(user for user in PEOPLE if Achievement.SHARED_POT in stored(db, user))
    undone = stored(db, user)[Achievement.SHARED_POT]
    take_out(db, 1, undone, lambda _guild, _at: 0)
    assert stored(db, user) == recount([hand for hand in hands if hand.number != undone], user)


def test_the_watch_passes_over_nothing_that_is_achieved() -> None:
    hands, watch = random_hands(random.Random(2), 250), AchievementWatch()
    for at, hand in enumerate(hands, 1):
        can_be = dict(watch.changed_by(hand))
        for seat in hand.players:
            now = {one for one, number in recount(hands[:at], seat.user).items() if number == hand.number}
            assert now <= set(can_be.get(seat.user, ()))


def test_practice_chips_achieve_nothing() -> None:
    (hand,) = random_hands(random.Random(3), 1)
    practice = CountedHand(
        *[getattr(hand, name) for name in hand.__struct_fields__[:8]], CountedChips.PRACTICE, 100, hand.players
    )
    assert not list(AchievementWatch().changed_by(practice))


def test_a_royal_flush_is_the_rarest_hand() -> None:
    for name in ("holdem", "omaha", "seven_card_stud", "five_card_draw", "short_deck"):
        for share in game(name).shares:
            rarity = rarity_of(share.ranking)
            assert rarity is not None
            evaluator = Evaluator(share.ranking)
            assert rarity(evaluator.value(parse_cards("As Ks Qs Js Ts"))) == ROYAL_FLUSH_RARITY
            assert rarity(evaluator.value(parse_cards("Ks Qs Js Ts 9s"))) < ROYAL_FLUSH_RARITY
