"""A club of thousands for days: members who come and go, a farmer, a flooder, a host who never returns, and a dealer that is killed.

The real engine, tables, ledger, bank and SQLite store, and the queue of the bot's requests; only Discord and the time are simulated. A
table asks for what the surfaces ask for: a message and DMs at a deal, a nudge for whoever thinks long, a redraw where nobody clicked.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec import Struct

from bot.engine import commands as c
from bot.engine.decide import legal
from bot.engine.errors import TableError
from bot.engine.legal import Decision
from bot.engine.timeout import default_action
from bot.ledger.gifts import DAY_MS, DISCORD_EPOCH_MS, HOUR_MS
from bot.line.request_queue import Priority, RequestQueue, line_of
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND
from bot.runtime.bank import Bank
from bot.runtime.commands import PlayerCommand
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import CloseTable, ComeBack, Consent, LeaveTable, ProposeStackAdjustment, TakeSeat, TopUp
from bot.table.state import SeatStatus, StackChange
from bot.variants import game
from tests.runtime.manual_clock import MINUTE, SECOND, START, ManualClock
from tests.support.engines import data_at

MASTER = b"m" * 32
GAMES = ("holdem", "pot_limit_omaha", "limit_holdem", "stud", "badugi", "jackpots")
CLUB, QUIET, FLOODED = 1, 2, 3
"""The servers: the club, one with a single table, and the flooder's own."""
ALTS = 10
SEATS_WANTED = 6
STEP_MS = 250
"""Tables that act within the same quarter of a second are served together."""
FLOOD_TABLES = 250
"""How many tables the flooder wants."""


def user_id(account_days: float, number: int) -> int:
    """Return the Discord id of somebody whose account is so old when the club begins."""
    return (START - int(account_days * DAY_MS) - DISCORD_EPOCH_MS << 22) | number


class Wait(Struct):
    """How long requests of one kind waited, in seconds."""

    count: int = 0
    total: float = 0.0
    longest: float = 0.0


class Club:
    """Everything that happens, at the simulated times at which it happens.

    Args:
        folder: of the data file.
        members, tables: how many there are.
        hours: how long the tables of the club are busy each day.
    """

    def __init__(self, folder: Path, *, members: int, tables: int, hours: float, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.path = folder / "cardroom.sqlite"
        self.clock = ManualClock()
        self.members = [user_id(self.rng.uniform(30, 3000), number) for number in range(members)]
        self.staff, self.farmer, self.flooder, self.absent, *self.regulars = [
            user_id(400, 500_000 + number) for number in range(4 + SEATS_WANTED)
        ]
        self.alts = [user_id(0, 900_000 + number) for number in range(ALTS)]
        self.channels = range(1_000, 1_000 + tables)
        self.evening_ms = int(hours * HOUR_MS)
        self.hands = self.actions = self.kills = self.timeouts = 0
        self.refusals: Counter[tuple[str, str]] = Counter()
        self.waits: defaultdict[tuple[int, Priority], Wait] = defaultdict(Wait)
        self.flood_tables = 0
        self._keys = itertools.count(1)
        self._order = itertools.count()
        self._agenda: list[tuple[int, int, Callable[[], Awaitable[object]]]] = []
        self._turns_seen: dict[int, tuple[int, int]] = {}
        self._drawn_at: dict[int, int] = {}
        self._queue: RequestQueue[tuple[int, Priority]] = RequestQueue(REQUESTS_PER_SECOND, BURST)
        self._queue_at = 0.0

    # the dealer

    async def begin(self) -> None:
        """Start the dealer, again too."""
        self.store = Store(data_at(self.path), EventCodec(JournalEvent))
        await self.store.open()
        rng = random.Random(self.rng.random())
        self.tables = Tables(self.store, MASTER, on_update=self._shown, clock=self.clock, rng=rng)
        self.bank = Bank(self.store, self.tables, self.clock)
        await self.tables.restore()

    async def end(self) -> None:
        await self.tables.drain()
        await self.store.close()
        self.clock.cancel_all()

    async def kill(self) -> None:
        """Kill the dealer in the middle of its hands, and start it again half a minute later."""
        self.kills += 1
        self.clock.cancel_all()
        await self.store.close()
        self.clock.move_to(self.clock.now() + 30 * SECOND)
        self._turns_seen.clear()
        self._queue = RequestQueue(REQUESTS_PER_SECOND, BURST)
        await self.begin()

    async def run(self, days: float) -> None:
        """Let the club live, from noon to noon."""
        end = START + int(days * DAY_MS)
        for day in range(-(-int(days * 24) // 24)):
            self.at(START + day * DAY_MS, self._begin_day)
        while True:
            due = [at for at in (self.clock.next_at(), self._agenda[0][0] if self._agenda else 0) if at]
            at = min(due, default=end)
            if at >= end:
                break
            self._send_requests(before=at)
            self.clock.move_to(at)
            while self.clock.ring_due():
                pass
            now = []
            while self._agenda and self._agenda[0][0] <= at:
                now.append(heapq.heappop(self._agenda)[2]())
            await asyncio.gather(*now)
            await self.tables.wait_until_idle()
        self.clock.move_to(end)
        await self.check()

    async def check(self) -> None:
        """Check the books of every server, and that no running hand stands still."""
        for guild in (CLUB, QUIET, FLOODED):
            audit = await self.bank.audit(self.request(self.staff, guild=guild, staff=True))
            assert audit.faults == ()
            assert audit.minted == audit.wallets + audit.stacks + audit.pots + audit.house
        now = self.clock.now()
        for snapshot in self.tables.all_tables():
            if snapshot.hand_running:
                assert snapshot.current_turn is not None and now <= snapshot.current_turn.bank_ends_at + SECOND

    # people

    def at(self, when: int, do: Callable[[], Awaitable[object]]) -> None:
        heapq.heappush(self._agenda, (-(-when // STEP_MS) * STEP_MS, next(self._order), do))

    def after(self, seconds: float, do: Callable[[], Awaitable[object]]) -> None:
        self.at(self.clock.now() + int(seconds * SECOND), do)

    def request(
        self, user: int, *, guild: int = CLUB, channel: int = 0, table: int = 0, staff: bool = False
    ) -> Request:
        joined_at = START if user in self.alts else START - 100 * DAY_MS
        return Request(
            key=f"k{next(self._keys)}", guild=guild, channel=channel, user=user, name=f"User {user & 0xFFFFF}", staff=staff,
            table=table, joined_at=joined_at,
        )  # fmt: skip

    def _table(self, table: int) -> TableSnapshot | None:
        session = self.tables._sessions.get(table)
        return session.snapshot() if session is not None else None

    async def tries(self, user: int, asked: Awaitable[object]) -> bool:
        """Let somebody ask for something that can be refused. Returns whether it was granted."""
        who = "flooder" if user == self.flooder else "farmer" if user == self.farmer or user in self.alts else "member"
        try:
            await asked
        except TableError as refusal:
            self.refusals[who, type(refusal).__name__] += 1
            return False
        return True

    async def asks(self, user: int, snapshot: TableSnapshot, command: PlayerCommand) -> bool:
        address = snapshot.address
        request = self.request(user, guild=address.guild, channel=address.channel, table=address.id)
        return await self.tries(user, self.tables.ask(request, command))

    async def open(
        self, host: int, guild: int, channel: int, name: str = "holdem", **wanted: int
    ) -> TableSnapshot | None:
        """Open a table unless one is open in the channel."""
        if self.tables.table_in_channel(guild, channel) is None:
            rules = await self.bank.house_rules(guild)
            settings = default_table_settings(game(name), rules, NewTableRequest(**wanted))
            await self.tries(host, self.tables.open(self.request(host, guild=guild, channel=channel), settings))
        return self.tables.table_in_channel(guild, channel)

    async def sits(self, user: int, snapshot: TableSnapshot) -> bool:
        """Sit down with a part of one's chips, after claiming what the house gives."""
        request = self.request(user, guild=snapshot.address.guild)
        if self.rng.random() < 0.3:
            await self.tries(user, self.bank.daily(request))
        wallet = (await self.bank.holdings(request.guild, user)).wallet
        if not wallet and await self.tries(user, self.bank.relief(request)):
            wallet = (await self.bank.holdings(request.guild, user)).wallet
        least, most = snapshot.table.min_buyin, snapshot.table.max_buyin
        if wallet < least:
            return False
        return await self.asks(user, snapshot, TakeSeat(user, request.name, max(least, min(most, wallet * 3 // 5))))

    # days

    async def _begin_day(self) -> None:
        """At noon: the books are checked, and the evening is planned."""
        await self.check()
        room = 2 * len(self.channels) + 10
        await self.bank.change_house_rules(self.request(self.staff, staff=True), tables_per_server=room)
        evening = self.clock.now() + 7 * HOUR_MS
        for channel in self.channels:
            at = evening + self.rng.randrange(30 * MINUTE)
            self.at(at, lambda channel=channel: self._begin_table(CLUB, channel))  # type: ignore[misc]
        self.at(evening, lambda: self._begin_table(QUIET, 2_000))
        self.at(evening + self.rng.randrange(self.evening_ms), self.kill)
        self.at(evening + MINUTE, self._flood)
        self.at(evening + 2 * MINUTE, self._farm)
        self.at(evening + 3 * MINUTE, self._leave_a_table_alone)

    async def _begin_table(self, guild: int, channel: int) -> None:
        name = GAMES[channel % len(GAMES)]
        host = self.rng.choice(self.members) if guild == CLUB else self.regulars[0]
        snapshot = await self.open(host, guild, channel, name)
        if snapshot is not None:
            await self._look_after(snapshot.id, self.clock.now() + self.evening_ms)

    async def _look_after(self, table: int, until: int) -> None:
        """Once a minute: people come, go, buy in again and come back, until the evening is over."""
        snapshot = self._table(table)
        if snapshot is None:
            return
        here = [seat for seat in snapshot.table.seats if seat.player > 0]
        if self.clock.now() >= until:
            if self.rng.random() < 0.9:  # else they simply go, and the table has to end by itself
                for seat in here:
                    await self.asks(seat.player, snapshot, LeaveTable(seat.player))
            return
        people = self.members if snapshot.address.guild == CLUB else self.regulars
        for _ in range(SEATS_WANTED - len(here)):
            await self.sits(self.rng.choice(people), snapshot)
        for seat in here:
            if not seat.stack and not snapshot.hand_running:
                if not await self.asks(seat.player, snapshot, TopUp(seat.player, snapshot.table.min_buyin)):
                    await self.asks(seat.player, snapshot, LeaveTable(seat.player))
            elif seat.status is SeatStatus.SITTING_OUT and self.rng.random() < 0.5:
                await self.asks(seat.player, snapshot, ComeBack(seat.player))
            elif self.rng.random() < 0.02:
                await self.asks(seat.player, snapshot, LeaveTable(seat.player))
        self.after(60, lambda: self._look_after(table, until))

    async def _flood(self) -> None:
        """One person opens as many tables as they can in their own server, with a friend at each, and never stops clicking."""
        friends = [user_id(90, 800_000 + number) for number in range(60)]
        for number in range(FLOOD_TABLES):
            host = self.flooder if number % 2 else self.rng.choice(friends)
            snapshot = await self.open(host, FLOODED, 3_000 + number, small_blind=1, big_blind=2)
            if snapshot is not None:
                for user in (host, *self.rng.sample(friends, 3)):
                    await self.sits(user, snapshot)
        self.flood_tables = max(self.flood_tables, len(self.tables.tables_in_guild(FLOODED)))
        self.at(self.clock.now() + self.evening_ms, self._flood_ends)

    async def _flood_ends(self) -> None:
        for snapshot in self.tables.tables_in_guild(FLOODED):
            await self.asks(snapshot.table.host, snapshot, CloseTable(snapshot.table.host))

    async def _farm(self) -> None:
        """Ten new accounts claim what they can, and lose it to the farmer: by a correction of stacks, and hand by hand."""
        snapshot = await self.open(self.farmer, CLUB, 900)
        if snapshot is None:
            return
        await self.sits(self.farmer, snapshot)
        for alt in self.alts:
            request = self.request(alt)
            for claim in (self.bank.daily(request), self.bank.relief(request)):
                await self.tries(alt, claim)
            if await self.sits(alt, snapshot):
                correction = (StackChange(alt, -2_000), StackChange(self.farmer, 2_000))
                await self.asks(alt, snapshot, ProposeStackAdjustment(alt, correction))
                await self.asks(self.farmer, snapshot, Consent(self.farmer))
        self.at(self.clock.now() + self.evening_ms, self._farm_ends)

    async def _farm_ends(self) -> None:
        snapshot = self.tables.table_in_channel(CLUB, 900)
        if snapshot is not None:
            await self.asks(self.farmer, snapshot, CloseTable(self.farmer))

    async def farmed(self) -> int:
        """Return what the farmer holds, who has claimed nothing but the starting chips and some days' chips."""
        return (await self.bank.holdings(CLUB, self.farmer)).total

    async def _leave_a_table_alone(self) -> None:
        """A host opens a table, sits down with others, and is never seen again."""
        snapshot = await self.open(self.absent, CLUB, 901)
        if snapshot is not None:
            for user in (self.absent, *self.rng.sample(self.members, 3)):
                await self.sits(user, snapshot)

    # turns

    async def _act(self, table: int, hand_number: int, decision_number: int) -> None:
        snapshot = self._table(table)
        turn = snapshot.current_turn if snapshot is not None else None
        if (
            snapshot is None
            or turn is None
            or (snapshot.hand_number, turn.decision_number) != (hand_number, decision_number)
        ):
            return
        if await self.asks(turn.user, snapshot, self._command(table, turn.user)):
            self.actions += 1

    def _command(self, table: int, user: int) -> c.HandCommand:
        hand = self.tables._sessions[table].state.hand
        assert hand is not None
        can = legal(hand, hand.to_act)
        if hand.decision is not Decision.BET:
            return default_action(hand)
        if user in self.alts and can.max_to:  # all but a chip goes in, and then they fold
            return c.Bet(can.max_to - 1) if can.opening else c.RaiseTo(max(can.min_to, can.max_to - 1))
        if user in self.alts:
            return c.Check() if can.check else c.Fold()
        if user == self.farmer:
            return c.AllIn() if can.max_to else c.Call() if can.call_chips else default_action(hand)
        at = self.rng.random()
        if can.max_to and at < 0.12:
            to = can.min_to if at > 0.01 else self.rng.randint(can.min_to, can.max_to)
            return c.Bet(to) if can.opening else c.RaiseTo(to)
        if can.check:
            return c.Check()
        return c.Call() if can.call_chips and at < 0.6 else default_action(hand)

    # what everybody sees, and asks of Discord

    def _shown(self, update: TableUpdate) -> None:
        snapshot = update.snapshot
        turn, seen = snapshot.current_turn, self._turns_seen.get(snapshot.id, (0, -1))
        if update.closed:
            self._turns_seen.pop(snapshot.id, None)
            self._drawn_at.pop(snapshot.id, None)
            return
        self.timeouts += update.timed_out_seat > 0
        if snapshot.hand_running and snapshot.hand_number != seen[0]:
            self.hands += 1
            self._ask_discord(snapshot, Priority.TABLE)
            for _ in snapshot.dealt_users:
                self._ask_discord(snapshot, Priority.PRIVATE)
        elif not update.requested_by and self.clock.now() - self._drawn_at.get(snapshot.id, 0) >= 1_100:
            self._drawn_at[snapshot.id] = self.clock.now()
            self._ask_discord(snapshot, Priority.REDRAW)
        if turn is None or (snapshot.hand_number, turn.decision_number) == seen:
            return
        self._turns_seen[snapshot.id] = at = snapshot.hand_number, turn.decision_number
        is_away = turn.user == self.absent or (snapshot.address.guild == CLUB and self.rng.random() < 0.01)
        thinks = 0.2 if snapshot.address.guild == FLOODED else 0.7 + self.rng.expovariate(1 / 3)
        if not is_away:
            self.after(thinks, lambda: self._act(snapshot.id, *at))
        if is_away or thinks > 8:
            self._ask_discord(snapshot, Priority.PRIVATE)

    def _ask_discord(self, snapshot: TableSnapshot, priority: Priority) -> None:
        self._queue.add((snapshot.address.guild, priority), line_of(snapshot), priority, self.clock.now() / SECOND)

    def _send_requests(self, *, before: int) -> None:
        """Send what can go before the next thing happens, each request at its own moment."""
        while (at := self._queue.next_at) is not None and (at := max(at, self._queue_at)) * SECOND < before:
            self._queue_at = max(at, self.clock.now() / SECOND)
            ticket = self._queue.take(self._queue_at)
            if ticket is None:
                return
            wait = self.waits[ticket.item]
            waited = max(0.0, self._queue_at - ticket.since)
            wait.count, wait.total, wait.longest = wait.count + 1, wait.total + waited, max(wait.longest, waited)
