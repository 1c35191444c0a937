"""Farms of bought accounts against the leaderboards: where the main account ends among honest regulars, and when staff are told.

Everything is played at real tables, with the real bank and store, by a clock that is moved; the dealer looks at the flow every four
hours, as it does by itself, and nobody of the staff reacts. A season runs from the first day.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from bot.engine import commands as c
from bot.house.rules import HouseRules
from bot.ledger.gifts import DAY_MS, DISCORD_EPOCH_MS
from bot.runtime.flow_alarms import FlowAlarms
from bot.runtime.store_types import Cause, Commit
from bot.statistics.seasons import Season
from bot.table import commands as tc
from tests.benchmarks.bench_farm import MAIN, Farm
from tests.benchmarks.honest_clubs import HonestClub, pool_of_evenings
from tests.runtime.evening import GUILD, settings

LOOKS_A_DAY = 6
HANDS_A_VISIT = 12


class FarmResult(NamedTuple):
    """What a farm came to: the main account's net chips, what counts of them, what would count by the cap alone, the first alarm's day."""

    won: int
    counted: int
    by_cap: int
    alarm_day: int


def account_of(farm: Farm, number: int, days: int) -> int:
    """An account of Discord's that is so many days old now."""
    return ((farm.clock.now() - days * DAY_MS - DISCORD_EPOCH_MS) << 22) + number


def giving(farm: Farm, user: int) -> c.HandCommand:
    """The giver bets as much as the taker can still raise, and folds to the raise."""
    view = farm.tables.snapshot(farm.table).seen_by(user)
    assert view is not None and view.viewer is not None and view.legal is not None
    legal = view.legal
    if user == farm.sink:
        if view.current_bet > 300 and legal.max_to:
            return c.AllIn()
        return c.Check() if legal.check else c.Call()
    taker = next(seat for number, seat in enumerate(view.seats) if number != view.viewer)
    most = min(legal.max_to, taker.starting_stack) - 100
    if view.current_bet <= 300 and most >= max(legal.min_to, 400):
        return c.RaiseTo(most) if view.current_bet else c.Bet(most)
    return c.Check() if legal.check else c.Fold()


async def sits_with_free_chips(farm: Farm, user: int) -> bool:
    """Sit down with all that the table takes and that is not held."""
    snapshot, wallet = farm.tables.snapshot(farm.table), (await farm.bank.holdings(GUILD, user)).wallet
    free = wallet - (await farm.bank.held(GUILD, user)).chips
    return await farm.ask(
        user, tc.TakeSeat(user, str(user), min(free, snapshot.buy_in(user, farm.clock.now()).maximum))
    )


async def pass_on(farm: Farm, giver: int, taker: int) -> None:
    """Two accounts sit down alone, and one bets all it has and folds, until little is left."""
    farm.sink = taker
    if not await sits_with_free_chips(farm, taker) or not await sits_with_free_chips(farm, giver):
        await farm.ask(taker, tc.LeaveTable(taker))
        return
    for _ in range(HANDS_A_VISIT):
        if farm.stack(giver) < 200 or not (farm.stack(taker) or await farm.ask(taker, tc.TopUp(taker, 2_000))):
            break
        await farm.play(giving, starter=taker)
    for user in (giver, taker):
        await farm.ask(user, tc.LeaveTable(user))
    farm.clock.move_to(farm.clock.now() + 61 * 60_000)  # who left brings back what they took away for an hour


async def straight(farm: Farm, hops: Sequence[int]) -> None:
    """Each account gives the main account what the house gives it, at first hand or by accounts that pass it on."""
    chain = (*hops, MAIN)
    for user in (MAIN, *hops):
        await farm.gifts(user)
    for user in farm.alts:
        if await farm.gifts(user) >= 2_000:
            await pass_on(farm, user, chain[0])
    for giver, taker in pairwise(chain):
        await pass_on(farm, giver, taker)


async def by_mules(farm: Farm, mules: Sequence[int]) -> None:
    """Each mule is given a little by one of the accounts, and gives all it has to the main account."""
    await farm.gifts(MAIN)
    for number, mule in enumerate(mules):
        user = farm.alts[number % len(farm.alts)]
        if await farm.gifts(user) >= 2_000:
            await pass_on(farm, user, mule)
        if await farm.gifts(mule) >= 2_000:
            await pass_on(farm, mule, MAIN)


Day = Callable[[Farm], Awaitable[None]]


async def farm_for(days: int, accounts: int, age: int, make: Callable[[Farm], Day]) -> FarmResult:
    """Farm for some days of a season."""
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(Path(folder), accounts, HouseRules())
        farm.alts = [account_of(farm, number, age) for number in range(1, accounts + 1)]
        await farm.begin(replace(settings(), auto_start=False, idle_minutes=7 * 24 * 60))
        season = Season(GUILD, 1, "", farm.clock.now())
        await farm.store.commit(
            Commit(guild=GUILD, cause=Cause("season", 1, farm.clock.now(), "season"), season=season)
        )
        alarms, day, first_alarm = FlowAlarms(farm.store, farm.tables, farm.bank, farm.clock), make(farm), 0
        for number in range(1, days + 1):
            await day(farm)
            for _ in range(LOOKS_A_DAY):
                raised = await alarms.check(GUILD)
                first_alarm = first_alarm or number * bool(raised)
                farm.clock.move_to(farm.clock.now() + DAY_MS // 24 // LOOKS_A_DAY)
            await farm.next_day()
        uncounted = (await farm.store.uncounted_of_season(GUILD, 1)).get(MAIN, 0)
        assert not (await farm.store.audit(GUILD)).faults
        await farm.end()
        with closing(sqlite3.connect(Path(folder) / "farm.sqlite")) as db:
            won = [
                chips for (chips,) in db.execute('SELECT chips FROM board_pair WHERE span = 1 AND "user" = ?', (MAIN,))
            ]
    cap = HouseRules().counted_cap
    return FarmResult(sum(won), sum(won) - uncounted, sum(min(chips, cap) for chips in won), first_alarm)


def farms(accounts: int, mules: int) -> dict[str, Callable[[Farm], Day]]:
    """The ways in which accounts are farmed."""

    def hopping(hops: int) -> Callable[[Farm], Day]:
        def make(farm: Farm) -> Day:
            others = [account_of(farm, 100 + number, 400 + number) for number in range(hops)]
            return lambda farm: straight(farm, others)

        return make

    def with_mules(farm: Farm) -> Day:
        others = [account_of(farm, 200 + number, 400 + number) for number in range(mules)]
        return lambda farm: by_mules(farm, others)

    ways = {"straight": hopping(0)}
    ways |= {f"through {hops} other account{'s' * (hops > 1)}": hopping(hops) for hops in (1, 2, 3)}
    return ways | {f"by {mules} mules": with_mules}


def share_above(honest: Sequence[int], counted: int) -> float:
    """Return which share of sorted honest results is above a number."""
    return 1 - bisect_left(honest, counted + 1) / len(honest)


# laid beside the honest

AGES = (8, 61, 400)
ACCOUNTS, MULES = 5, 10
FIRST_QUARTER = 0.25
FALSE_ALARMS = 20 / 200_000
"""At most, for each day of one honest member."""


def judged(words: str, *, is_met: bool) -> bool:
    print(f"  {'met   ' if is_met else 'MISSED'} {words}")
    return is_met


async def measure_boards(days: int, clubs: int, club_days: int, evenings: int) -> bool:
    """Print how honest members and farms fare. Returns whether all is met."""
    rules, rng = HouseRules(), random.Random(20)
    pool = pool_of_evenings(rng, evenings)
    honest, patterns, member_days, hands = list[int](), Counter[str](), 0, 0
    for number in range(clubs):
        club = HonestClub(random.Random(number), pool, number)
        for day in range(club_days):
            club.play_day(day)
            patterns.update([", ".join(flow.patterns) for flow in club.look(day)])
        hands, member_days = hands + club.hands, member_days + 100 * club_days
        honest += club.counted(0, rules.counted_cap, rules.ranking_hands)
    honest.sort()
    print(
        f"{member_days:,} days of honest members: {clubs} clubs of a hundred, {hands:,} hands drawn from"
        f" {5 * evenings} evenings that the engine played (honest_clubs.py says how)"
    )
    alarms = patterns.total()
    for words, count in patterns.most_common(5):
        print(f"         {count} of: {words}")
    is_met = judged(
        f"{alarms} false alarms, at most {FALSE_ALARMS * member_days:.1f}", is_met=alarms <= FALSE_ALARMS * member_days
    )
    print(f"Farms of {ACCOUNTS} accounts, {days} days of a season, beside {len(honest):,} honest regulars:")
    for age in AGES:
        for name, make in farms(ACCOUNTS, MULES).items():
            won, counted, by_cap, alarm_day = await farm_for(days, ACCOUNTS, age, make)
            above, alone = share_above(honest, counted), share_above(honest, by_cap)
            words = (
                f"{age:>3} days old, {name:<26} wins {won:>9,}, counted {counted:>7,}: {above:.0%} of regulars are above"
                f" (by the cap alone {by_cap:,}: {alone:.0%}); first alarm on day {alarm_day or 'none'}"
            )
            is_met &= judged(words, is_met=above >= FIRST_QUARTER and alarm_day == 1)
    return is_met
