"""Every answer is what one gets by looking through all hands, one by one."""

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import astuple

from bot.runtime.journal import JournalEvent
from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.periods import period_at, span
from bot.statistics.types import (
    BestHand,
    ChipsPoint,
    CountedChips,
    CountedHand,
    CountedSeat,
    Counts,
    HandKey,
    HandQuery,
    Period,
    PeriodKind,
    RankingOrder,
    RankingQuery,
    Scope,
    Versus,
)
from bot.store.codec import EventCodec
from bot.store.statistics import answers
from bot.store.statistics.keeper import StatisticsKeeper, connect_to_statistics, create_file
from bot.store.store import Store

GUILD, OTHER_GUILD = 7, 8
DAY_MS = 86_400_000
NOW = 1_790_000_000_000
GAMES = {"holdem": True, "razz": False, "omaha8": True}
"""Whether the hands of a game are on the scale of rarity."""
STAKES = ("1/2", "50/100")
USERS = (*range(101, 109), -1)


def random_hands(rng: random.Random, count: int) -> Iterator[CountedHand]:
    """Return hands of two servers, some for practice chips, over two months; few amounts, so that many are equal."""
    for number in range(count):
        table = rng.randrange(1, 9)
        practice = table == 8
        game, seated = rng.choice(list(GAMES)), rng.sample(USERS[:-1], rng.randint(2, 5)) + [-1] * practice
        won = [rng.choice((0, 0, 100, 300)) for _ in seated]
        seats = []
        for user, chips in zip(seated, won, strict=True):
            shows = rng.random() < 0.4
            value = rng.randrange(1, 9) if shows and chips else 0
            counts = Counts(
                1, chips - rng.choice((0, 100, 200)), *[rng.randrange(2) for _ in range(3)], *[rng.randrange(4) for _ in range(3)],
                1, int(shows), int(shows and chips > 0), int(chips > 0),
            )  # fmt: skip
            seats.append(CountedSeat(user, counts, chips, value, rng.randrange(2) if value else 0, value * GAMES[game]))
        at = NOW - rng.randrange(60 * DAY_MS) // 1_000_000 * 1_000_000  # some end at the same time
        guild = OTHER_GUILD if table == 7 else GUILD
        yield CountedHand(
            guild,
            table,
            number + 1,
            at,
            game,
            game.title(),
            "no_limit",
            rng.choice(STAKES),
            CountedChips(practice),
            sum(won),
            tuple(seats),
        )


class Looked:
    """Looks through hands, one by one."""

    def __init__(self, hands: list[CountedHand]) -> None:
        self.hands = sorted(hands, key=lambda hand: (hand.at, (hand.table * 7919 + hand.number) & 0xFFFFF))

    def of(self, guild: int, scope: Scope) -> list[CountedHand]:
        begins_at, ends_at = (0, 1 << 60) if scope.period.kind is PeriodKind.EVER else span(scope.period)
        return [
            hand
            for hand in self.hands
            if (hand.guild, hand.chips) == (guild, scope.chips)
            and scope.game in ("", hand.game)
            and scope.stakes in ("", hand.stakes)
            and begins_at <= hand.at < ends_at
        ]

    def played(self, guild: int, user: int, scope: Scope) -> list[tuple[CountedHand, CountedSeat]]:
        return [(hand, seat) for hand in self.of(guild, scope) for seat in hand.players if seat.user == user]


def added(each: list[Counts]) -> Counts:
    return Counts(*map(sum, zip(*map(astuple, each), strict=True))) if each else Counts()


def key(hand: CountedHand) -> HandKey:
    return HandKey(hand.table, hand.table, hand.number)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[sqlite3.Connection, Looked]]:
    """A file of random hands, and the hands."""
    folder = tmp_path_factory.mktemp("answers")
    make_data(folder)
    hands = list(random_hands(random.Random(1), 600))
    db = file_with(folder, hands)
    yield db, Looked(hands)
    db.close()


def make_data(folder: Path) -> None:
    """Make a data file in which nothing has happened yet."""

    async def open_once() -> None:
        store = Store(folder / "data.db", EventCodec(JournalEvent))
        await store.open()
        await store.close()

    asyncio.run(open_once())


def file_with(folder: Path, hands: list[CountedHand]) -> sqlite3.Connection:
    path = folder / "statistics.sqlite3"
    with closing(connect_to_statistics(path)) as db:
        create_file(db)
    keeper = StatisticsKeeper(path, folder / "data.db", statistics_decoder())
    for first in range(0, len(hands), 37):
        with keeper.transaction():
            keeper.add(hands[first : first + 37])
    with keeper.transaction():
        for table in range(1, 9):
            server = keeper.writer.server(OTHER_GUILD if table == 7 else GUILD)
            keeper.db.execute(
                "INSERT INTO counted_table VALUES (?, ?, ?, ?, 1, 1, 0, 0)", (table, server, table, table == 8)
            )
    keeper.close()
    return connect_to_statistics(path)


def scopes() -> Iterator[Scope]:
    for period in (
        Period(),
        period_at(PeriodKind.WEEK, NOW - 10 * DAY_MS),
        period_at(PeriodKind.MONTH, NOW - 20 * DAY_MS),
    ):
        for game in ("", *GAMES, "badugi"):
            for stakes in ("", "1/2", "9/9"):
                yield Scope(period, game, stakes)
    yield Scope(chips=CountedChips.PRACTICE)


def test_players_have_the_numbers_of_their_hands(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    for scope in scopes():
        for user in (101, 104, -1, 999):
            found, played = answers.player(db, GUILD, user, scope), looked.played(GUILD, user, scope)
            assert found.counts == added([seat.counts for _, seat in played])
            by_game = {name: added([seat.counts for hand, seat in played if hand.game == name]) for name in GAMES}
            assert dict(found.by_game) == {name: counts for name, counts in by_game.items() if counts.hands}
            assert [counts.hands for _, counts in found.by_game] == sorted(
                (counts.hands for _, counts in found.by_game), reverse=True
            )
            won = "".join("w" if seat.counts.net > 0 else " " for _, seat in played)
            assert found.longest_streak == max(map(len, won.split(" ")), default=0)
            biggest = max((seat.won for _, seat in played), default=0)
            assert found.biggest_pot == biggest
            first = next((key(hand) for hand, seat in played if biggest and seat.won == biggest), None)
            assert found.biggest_pot_at == first
            assert (found.first_at, found.last_at) == ((played[0][0].at, played[-1][0].at) if played else (0, 0))
            assert found.best_hand == best_hand(played, scope)


def best_hand(played: list[tuple[CountedHand, CountedSeat]], scope: Scope) -> BestHand | None:
    won = [(hand, seat) for hand, seat in played if seat.value]
    if rare := [one for one in won if one[1].rarity]:
        hand, seat = max(rare, key=lambda one: one[1].rarity)
    elif won and scope.game:
        hand, seat = min(won, key=lambda one: (one[1].share, -one[1].value))
    else:
        return None
    return BestHand(key(hand), hand.at, hand.game, seat.value, seat.share)


def test_two_players_are_compared_in_hands_of_both(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    for scope in scopes():
        for user, other in ((101, 102), (104, 101), (101, 999), (103, 103)):
            pairs = [
                (one, two)
                for hand in looked.of(GUILD, scope)
                for one in hand.players
                for two in hand.players
                if (one.user, two.user) == (user, other) and user != other
            ]
            shown = [(one, two) for one, two in pairs if one.counts.showdowns and two.counts.showdowns]
            assert answers.versus(db, GUILD, user, other, scope) == Versus(
                user,
                other,
                len(pairs),
                sum(one.counts.net for one, _ in pairs),
                sum(two.counts.net for _, two in pairs),
                len(shown),
                sum(one.won > 0 and not two.won for one, two in shown),
                sum(two.won > 0 and not one.won for one, two in shown),
            )


@pytest.mark.parametrize("at_once", [answers.CHARACTERS_AT_ONCE, 30])
def test_curves_run_through_the_sums_of_chips(
    kept: tuple[sqlite3.Connection, Looked], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(answers, "CHARACTERS_AT_ONCE", at_once)
    db, looked = kept
    for scope in scopes():
        played = looked.played(GUILD, 102, scope)
        whole = answers.curve(db, GUILD, 102, scope, 10_000)
        net, points = 0, []
        for number, (hand, seat) in enumerate(played, 1):
            net += seat.counts.net
            points.append(ChipsPoint(number, net, hand.at))
        assert whole == ((ChipsPoint(0, 0, points[0].at), *points) if points else ())
        thin = answers.curve(db, GUILD, 102, scope, 10)
        assert len(thin) <= 10
        assert set(thin) <= set(whole)
        assert thin[:1] + thin[-1:] == whole[:1] + whole[-1:]


def test_rankings_are_shared_by_equals_and_counted_on(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    ties = 0
    for scope in scopes():
        if scope.stakes:
            continue
        users = {seat.user for hand in looked.hands for seat in hand.players if seat.user > 0}
        sums = {user: added([seat.counts for _, seat in looked.played(GUILD, user, scope)]) for user in users}
        for order in RankingOrder:
            for min_hands in (1, 30):
                score = {
                    user: {"net": one.net, "net per 100": one.net / one.hands, "hands": one.hands}[order.value]
                    for user, one in sums.items()
                    if one.hands >= min_hands
                }
                ranks = {user: 1 + sum(more > own for more in score.values()) for user, own in score.items()}
                found = []
                for offset in range(0, 20, 3):
                    query = RankingQuery(GUILD, scope, order, min_hands, offset, 3, 103)
                    page = answers.ranking(db, query)
                    found += page.lines
                    assert page.players == len(score)
                    assert (page.own.rank if page.own else 0) == ranks.get(103, 0)
                    assert page.own_hands == sums[103].hands
                assert [(line.user, line.rank, line.hands, line.net) for line in found] == [
                    (user, rank, sums[user].hands, sums[user].net)
                    for user, rank in sorted(ranks.items(), key=lambda one: (one[1], -sums[one[0]].hands, one[0]))
                ]
                ties += len(set(ranks.values())) < len(ranks)
    assert ties > 3


def test_people_have_as_many_hands_as_they_were_dealt(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    for chips in CountedChips:
        dealt = [seat.user for hand in looked.of(GUILD, Scope(chips=chips)) for seat in hand.players]
        hands = Counter(user for user in dealt if user > 0)
        assert {user: answers.hands_of(db, GUILD, user, chips) for user in {*dealt, 999}} == hands | dict.fromkeys(
            {*dealt, 999} - hands.keys(), 0
        )
        for least in (1, 30):
            enough = {user for user, count in hands.items() if count >= least}
            assert set(answers.people_with_hands(db, GUILD, chips, least) or ()) == enough
            assert set(answers.people_with_hands(db, GUILD, chips, least, len(hands)) or ()) == enough
        if hands:
            assert answers.people_with_hands(db, GUILD, chips, 30, len(hands) - 1) is None


def test_hands_are_found_page_by_page(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    since, until = NOW - 30 * DAY_MS, NOW - 10 * DAY_MS
    for table in (0, 2, 8, 99):
        for user in (0, 101, -1, 999):
            for game in ("", "razz", "badugi"):
                for first, end in ((0, 0), (since, until)):
                    expected = [
                        hand
                        for hand in reversed(looked.hands)
                        if hand.guild == GUILD
                        and table in (0, hand.table)
                        and (not user or any(seat.user == user for seat in hand.players))
                        and game in ("", hand.game)
                        and first <= hand.at < (end or 1 << 60)
                    ]
                    found, before = [], 0
                    while True:
                        page = answers.find_hands(db, HandQuery(GUILD, table, user, game, first, end, before, 7))
                        found += page.hands
                        before = page.older
                        if not before:
                            break
                        assert len(page.hands) == 7
                    assert [one.hand for one in found] == [key(hand) for hand in expected]
                    for one, hand in zip(found[:5], expected, strict=False):
                        winners = sorted((-seat.won, seat.user) for seat in hand.players if seat.won)
                        assert one.winners == tuple((who, -chips) for chips, who in winners)
                        assert (one.at, one.game_name, one.stakes, one.pot, one.chips, one.player_count) == (
                            hand.at, hand.game_name, hand.stakes, hand.pot, hand.chips, len(hand.players),
                        )  # fmt: skip
                        assert one.net == sum(seat.counts.net for seat in hand.players if seat.user == user)


def test_session_is_one_table_between_two_times(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    since, until = NOW - 40 * DAY_MS, NOW - 5 * DAY_MS
    for table in (2, 8, 99):
        played = [
            (hand, seat)
            for hand, seat in looked.played(GUILD, 105, Scope(chips=CountedChips(table == 8)))
            if hand.table == table and since <= hand.at <= until
        ]
        found = answers.session(db, table, 105, since, until)
        assert found.counts == added([seat.counts for _, seat in played])
        assert found.until == (played[-1][0].at if played else since)
        assert len(found.curve) == (len(played) + 1 if played else 0)
        assert found.biggest_pot == max((seat.won for _, seat in played), default=0)
        if played:
            assert found.curve[-1] == ChipsPoint(len(played), found.counts.net, found.until)


def test_games_are_those_played_most(kept: tuple[sqlite3.Connection, Looked]) -> None:
    db, looked = kept
    for user in (0, 101):
        counts = {
            name: sum(
                hand.game == name and (not user or any(seat.user == user for seat in hand.players))
                for hand in looked.hands
                if hand.guild == GUILD
            )
            for name in GAMES
        }
        assert answers.games(db, GUILD, user) == tuple(
            (name, name.title()) for name in sorted(GAMES, key=lambda name: (-counts[name], name))
        )
    assert answers.games(db, 12345) == ()
