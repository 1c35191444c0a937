"""What ten throw-away accounts gain for one main account in 30 days, and what an honest newcomer gains in the same time.

Everything is played: the real tables, bank and store, by a clock that is moved. Each way has 30 days in a server of its own. The main
account and its table are there already; the ten join Discord and the server on the first day, and try every day what the way is about.
Then the day's chips are counted in the main account's wallet. What the house has given to the main account itself is no gain.

    python -m tests.benchmarks.bench_farm [--days 30] [--accounts 10] [--clubs 20]

Then farms of five bought accounts of each age are laid beside honest members (`farms_on_boards.py`, `honest_clubs.py`): the main
account must not be in the first quarter of honest regulars on the season's leaderboard, each farm must raise an alarm within a day, and
honest members at most 20 in 200,000 days of one member. What is not met is printed as MISSED, and ends with 1.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.house.rules import HouseRules
from bot.ledger.gifts import DAY_MS, DISCORD_EPOCH_MS
from bot.runtime.bank import Bank
from bot.runtime.commands import PlayerCommand
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table import commands as tc
from bot.table.settings import TableSettings
from bot.table.state import StackChange
from tests.runtime.evening import GUILD, MASTER, settings
from tests.runtime.manual_clock import ManualClock

MAIN, MULE = 101, 102
HANDS_A_VISIT = 40
"""An account gives up for the day if it still has chips after so many hands."""


class Farm:
    """A main account with its table, and its throw-away accounts."""

    def __init__(self, folder: Path, accounts: int, rules: HouseRules) -> None:
        self.clock = ManualClock()
        self.joined_at = self.clock.now()
        self.alts = [((self.joined_at - DISCORD_EPOCH_MS) << 22) + number for number in range(1, accounts + 1)]
        self.rules = rules
        self.store = Store(folder / "farm.sqlite", EventCodec(JournalEvent), default_rules=rules)
        self.table = self.keys = self.asked = self.hands = 0
        self.sink = MAIN
        self.refused: Counter[str] = Counter()

    async def begin(self, chosen: TableSettings) -> None:
        await self.store.open()
        self.tables = Tables(self.store, MASTER, on_update=lambda _: None, clock=self.clock, rng=random.Random(1))
        self.bank = Bank(self.store, self.tables, self.clock)
        await self.tables.restore()
        await self.bank.holdings(GUILD, MAIN)
        self.table = (await self.tables.open(self.request(MAIN), chosen)).snapshot.id

    async def end(self) -> None:
        await self.tables.drain()
        await self.store.close()
        self.clock.cancel_all()

    def request(self, user: int) -> Request:
        self.keys += 1
        joined = self.joined_at if user in self.alts else 1
        return Request(
            key=f"k{self.keys}", guild=GUILD, channel=1, user=user, name=str(user), table=self.table, joined_at=joined
        )

    async def tries(self, work: Awaitable[object]) -> bool:
        """Try something. What is refused is counted by its reason."""
        self.asked += 1
        try:
            await work
        except TableError as refusal:
            self.refused[type(refusal).__name__] += 1
            return False
        return True

    async def ask(self, user: int, command: PlayerCommand) -> bool:
        return await self.tries(self.tables.ask(self.request(user), command))

    async def gifts(self, user: int) -> int:
        """Claim everything that the house gives. Returns the chips in the wallet."""
        await self.tries(self.bank.daily(self.request(user)))
        await self.tries(self.bank.relief(self.request(user)))
        return (await self.bank.holdings(GUILD, user)).wallet

    async def sits(self, user: int) -> bool:
        """Sit down with all that the table lets the user bring."""
        snapshot, wallet = self.tables.snapshot(self.table), (await self.bank.holdings(GUILD, user)).wallet
        chips = min(wallet, snapshot.buy_in(user, self.clock.now()).maximum)
        return await self.ask(user, tc.TakeSeat(user, str(user), chips))

    def stack(self, user: int) -> int:
        seats = self.tables.snapshot(self.table).table.seats
        return next((seat.stack for seat in seats if seat.player == user), 0)

    async def play(self, decide: Callable[[Farm, int], c.HandCommand], starter: int = MAIN) -> None:
        """Play one hand. The dealer waits for no pause: a player asks for it."""
        await self.ask(starter, tc.StartHand(starter))
        self.clock.move_to(self.clock.now() + 1)
        while self.clock.ring_due():
            await self.tables.wait_until_idle()
        self.hands += self.tables.snapshot(self.table).hand_running
        while (snapshot := self.tables.snapshot(self.table)).hand_running:
            turn = snapshot.current_turn
            if turn is None:
                break
            user = turn.user
            if not await self.ask(user, decide(self, user)) and not await self.ask(user, c.Check()):
                await self.ask(user, c.Fold())

    async def next_day(self) -> None:
        """Let the rest of the day pass. The table stays open: a host can do something now and then."""
        self.clock.move_to((self.clock.now() // DAY_MS + 1) * DAY_MS + 1)

    async def gained(self) -> tuple[int, int]:
        """What old accounts can bring to other tables beyond what the house gave to themselves, and what is held besides."""
        given = 0
        for user in {MAIN, self.sink}:
            before = -1
            while before:
                page = await self.bank.history(GUILD, user, before=max(0, before), limit=200)
                gifts = [entry.chips for entry in page.entries if entry.reason.value in {"grant", "daily", "relief"}]
                given += sum(gifts)
                before = page.older
        wallets = [await self.bank.holdings(GUILD, user) for user in {MAIN, self.sink}]
        locked = [min(one.wallet, (await self.bank.held(GUILD, one.user)).chips) for one in wallets]
        return sum(one.total for one in wallets) - given - sum(locked), sum(locked)


def dumping(farm: Farm, user: int) -> c.HandCommand:
    """One account bets all but a little and folds to the raise of the one that is to get its chips; a short stack calls it off."""
    snapshot = farm.tables.snapshot(farm.table)
    view = snapshot.seen_by(user)
    assert view is not None and view.viewer is not None
    legal = view.legal
    assert legal is not None
    if user == farm.sink:
        if view.current_bet > 300 and legal.max_to:
            return c.AllIn()
        return c.Check() if legal.check else c.Call()
    if view.current_bet <= 300 and legal.max_to > 400:
        return c.RaiseTo(legal.max_to - 100) if view.current_bet else c.Bet(legal.max_to - 100)
    return c.Fold() if view.current_bet > 300 else c.AllIn()


def shoving(farm: Farm, user: int) -> c.HandCommand:
    """Everybody is all-in in every hand: luck decides each, and the longer purse wins in the end."""
    return c.AllIn()


def blinds_only(farm: Farm, user: int) -> c.HandCommand:
    return c.Call() if user != MAIN else c.Check()


async def visit(farm: Farm, user: int, decide: Callable[[Farm, int], c.HandCommand]) -> None:
    """One account takes its gifts to the main account's table and loses them in real hands."""
    if not await farm.gifts(user) or not await farm.sits(user):
        return
    for _ in range(HANDS_A_VISIT):
        if not farm.stack(MAIN) and not await farm.ask(MAIN, tc.TopUp(MAIN, 20_000)):
            break
        if not farm.stack(user):
            break
        await farm.play(decide)
    await farm.ask(user, tc.LeaveTable(user))


async def by_hands(farm: Farm, decide: Callable[[Farm, int], c.HandCommand]) -> None:
    await farm.gifts(MAIN)
    await farm.sits(MAIN)
    for user in farm.alts:
        await visit(farm, user, decide)
    await farm.ask(MAIN, tc.LeaveTable(MAIN))


async def through_a_second_account(farm: Farm) -> None:
    """The main account passes on what it has won, at the same table, to another account that is old enough."""
    hands, farm.sink = farm.hands, MAIN
    await farm.gifts(MAIN)
    await farm.sits(MAIN)
    for user in farm.alts:
        await visit(farm, user, dumping)
    farm.sink = MULE
    if farm.hands == hands:
        return
    await farm.gifts(MULE)
    if await farm.sits(MULE):
        for _ in range(HANDS_A_VISIT):
            if not farm.stack(MAIN):
                break
            if not farm.stack(MULE) and not await farm.ask(MULE, tc.TopUp(MULE, 2_000)):
                break
            await farm.play(dumping)
        await farm.ask(MULE, tc.LeaveTable(MULE))
    await farm.ask(MAIN, tc.LeaveTable(MAIN))


async def without_a_hand(farm: Farm) -> None:
    """As in the review: gifts, a seat, an adjustment of all to the main account, its consent."""
    await farm.gifts(MAIN)
    await farm.sits(MAIN)
    for user in farm.alts:
        await farm.gifts(user)
        if await farm.sits(user):
            await adjust(farm, user, farm.stack(user))
            await farm.ask(user, tc.LeaveTable(user))
    await farm.ask(MAIN, tc.LeaveTable(MAIN))


async def adjust(farm: Farm, user: int, chips: int) -> None:
    changes = (StackChange(user, -chips), StackChange(MAIN, chips))
    if chips and await farm.ask(user, tc.ProposeStackAdjustment(user, changes)):
        await farm.ask(MAIN, tc.Consent(MAIN))


async def adjusted_hands(farm: Farm) -> None:
    """One hand for the blinds each, then as much as an adjustment takes."""
    await farm.gifts(MAIN)
    await farm.sits(MAIN)
    for user in farm.alts:
        await farm.gifts(user)
        if await farm.sits(user):
            await farm.play(blinds_only)
            for chips in (farm.stack(user), 1_000, 200, 100):
                await adjust(farm, user, chips)
            await farm.ask(user, tc.LeaveTable(user))
    await farm.ask(MAIN, tc.LeaveTable(MAIN))


async def practice(farm: Farm) -> None:
    """Practice chips are free for everybody: they are lost to the main account, which has none of them afterwards."""
    await farm.gifts(MAIN)
    for user in (MAIN, *farm.alts):
        await farm.ask(user, tc.TakeSeat(user, str(user), 10_000))
    for _ in range(3):
        await farm.play(shoving)
    for user in (MAIN, *farm.alts):
        await farm.ask(user, tc.LeaveTable(user))


async def run(
    name: str, day: Callable[[Farm], Awaitable[None]], days: int, accounts: int, rules: HouseRules, **chosen: bool
) -> None:
    """Farm for some days, and print the gain."""
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(Path(folder), accounts, rules)
        table = replace(settings(), auto_start=False, idle_minutes=0, **chosen)
        await farm.begin(replace(table, idle_minutes=7 * 24 * 60))
        for _ in range(days):
            await day(farm)
            await farm.next_day()
        gain, locked = await farm.gained()
        books = await farm.bank.audit(replace(farm.request(MAIN), staff=True))
        assert not books.faults, books.faults
        await farm.end()
    refusals = ", ".join(f"{count:,} {reason}" for reason, count in farm.refused.most_common(4))
    print(
        f"  {name:<46} {gain:>10,} chips, {locked:>9,} held  {farm.asked:>6,} requests {farm.hands:>6,} hands  refused: {refusals}"
    )


async def honest(days: int, rules: HouseRules, *, account_days: int, member_days: int) -> int:
    """What the house gives to one newcomer who claims their daily chips every day."""
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(Path(folder), 1, rules)
        born = farm.joined_at - account_days * DAY_MS
        newcomer = ((born - DISCORD_EPOCH_MS) << 22) + 1
        await farm.begin(settings())
        for _ in range(days):
            request = replace(farm.request(newcomer), joined_at=farm.joined_at - member_days * DAY_MS)
            await farm.tries(farm.bank.daily(request))
            await farm.next_day()
        held = (await farm.bank.holdings(GUILD, newcomer)).total
        await farm.end()
    return held


async def measure(days: int, accounts: int) -> None:
    old = HouseRules(account_days=0, member_days=0, young_days=0)
    for title, rules in (("by the usual rules", HouseRules()), ("by rules without floors", old)):
        print(f"{accounts} throw-away accounts, {days} days, {title}:")
        await run("without a hand: adjustments", without_a_hand, days, accounts, rules)
        await run("one hand each, then adjustments", adjusted_hands, days, accounts, rules)
        await run("practice chips", practice, days, accounts, rules, practice=True)
        await run("bet and fold, every chip", lambda farm: by_hands(farm, dumping), days, accounts, rules)
        await run("the same, passed on to a second old account", through_a_second_account, days, accounts, rules)
        await run("all-in in every hand", lambda farm: by_hands(farm, shoving), days, accounts, rules)
        print(f"An honest newcomer is given in {days} days, {title}:")
        for words, account, member in (
            ("a member for long", 400, 400),
            ("joins the server, an account for long", 400, 0),
            ("joins Discord and the server", 0, 0),
        ):
            print(f"  {words:<46} {await honest(days, rules, account_days=account, member_days=member):>10,} chips")


if __name__ == "__main__":
    from tests.benchmarks.farms_on_boards import measure_boards  # it needs what is above

    parser = argparse.ArgumentParser()
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--accounts", type=int, default=10)
    parser.add_argument("--clubs", type=int, default=20, help="of a hundred honest members, each for a hundred days")
    parser.add_argument("--club-days", type=int, default=100)
    parser.add_argument("--evenings", type=int, default=60, help="of each size, that the engine plays for the honest")
    parser.add_argument(
        "--no-verdict", action="store_true", help="end with 0 whatever is missed: for sizes that say nothing"
    )
    options = parser.parse_args()
    asyncio.run(measure(options.days, options.accounts))
    is_met = asyncio.run(measure_boards(options.days, options.clubs, options.club_days, options.evenings))
    sys.exit(not (is_met or options.no_verdict))
