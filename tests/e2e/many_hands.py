"""Many hands at the tables of a bot, played by lot, and counted beside it by nothing but the players' stacks.

The clicks of a thousand hands would take minutes, so the players ask the tables themselves, as every click does in the end.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence

from bot.engine import commands as c
from bot.engine.legal import LegalActions
from bot.runtime.commands import PlayerCommand
from bot.runtime.request import Request
from bot.runtime.session import TableSession
from bot.runtime.snapshot import TableSnapshot
from bot.table import commands as tc
from tests.e2e.bot_session import BotSession
from tests.support.discord_double import Player

BUY_IN = 10_000
TOPPED_UP_BELOW = 5_000
LARGEST_BET = 4_000
"""Everybody at a table has more."""


class Recount:
    """Hands and net chips by the id of the player: their chips after each hand less their chips before it."""

    def __init__(self) -> None:
        self.hands: Counter[int] = Counter()
        self.net: Counter[int] = Counter()

    def add(self, before: dict[int, int], after: dict[int, int]) -> None:
        """Add a hand, by the stacks of everybody dealt in."""
        for user, chips in before.items():
            self.hands[user] += 1
            self.net[user] += after[user] - chips

    def ranked(self, min_hands: int = 1) -> list[tuple[int, int, int]]:
        """Rank, player and net, the best first. Equal numbers share a rank."""
        enough = [user for user, hands in self.hands.items() if hands >= min_hands]
        enough.sort(key=lambda user: (-self.net[user], user))
        return [
            (1 + sum(self.net[other] > self.net[user] for other in enough), user, self.net[user]) for user in enough
        ]


class ManyHands:
    """Plays at the tables of one bot, one table after the other.

    Attributes:
        recounts: what every hand that is played is added to.
        timid: users who never put in more than they must.
    """

    def __init__(self, room: BotSession, seed: int = 1) -> None:
        self.room, self.rng, self.recounts = room, random.Random(seed), [Recount()]
        self.timid: set[int] = set()
        self._keys = itertools.count(1)

    async def sit(self, channel: str, *players: Player) -> None:
        """Sit down with the usual chips, each in the first free seat."""
        for player in players:
            user = int(player.me["id"])
            seat = min(self._now(channel).table.free_seats)
            await self._ask(channel, user, tc.TakeSeat(user, player.name, BUY_IN, seat), name=player.name)

    async def leave(self, channel: str, *players: Player) -> None:
        """Get up between two hands."""
        for player in players:
            await self._ask(channel, int(player.me["id"]), tc.LeaveTable(int(player.me["id"])))

    def is_empty(self, channel: str) -> bool:
        """Whether nobody sits at the table of a channel any more."""
        return not self._now(channel).table.seats

    async def play(self, channel: str, hands: int) -> None:
        """Play so many hands. Who is short of chips buys some before the next."""
        for _ in range(hands):
            await self._top_up(channel)
            await self.hand(channel)

    async def _top_up(self, channel: str) -> None:
        for seat in self._now(channel).table.seats:
            if seat.stack < TOPPED_UP_BELOW:
                await self._ask(channel, seat.player, tc.TopUp(seat.player, BUY_IN - seat.stack))

    async def hand(self, channel: str, decides: Callable[[TableSnapshot], c.HandCommand] | None = None) -> None:
        """Play a hand. Whoever is to act does what `decides` says, else what the lot says."""
        before = await self._deal(channel)
        while (now := self._now(channel)).hand_running:
            if (turn := now.current_turn) is None:
                await self.room.next_change()
                continue
            await self._ask(channel, turn.user, (decides or self._by_lot)(now))
        after = {seat.player: seat.stack for seat in self._now(channel).table.seats}
        for recount in self.recounts:
            recount.add(before, after)

    async def pay(self, channel: str, giver: Player, taker: Player, chips: int) -> None:
        """Let one of two players lose exactly so many chips to the other, from 200 on: they bet them before the flop and fold after it."""
        while chips:
            part = chips if chips <= LARGEST_BET else min(LARGEST_BET, chips - 200)
            await self._top_up(channel)
            await self.hand(channel, lambda now, part=part: _give(now, int(giver.me["id"]), part))  # type: ignore[misc]
            chips -= part

    async def _deal(self, channel: str) -> dict[int, int]:
        """Let the next hand begin. Returns the stacks with which it began, of everybody dealt in."""
        now = self._now(channel)
        stacks, number = {seat.player: seat.stack for seat in now.table.seats}, now.hand_number + 1
        self.room.clock.skip(max(0, now.table.next_hand_at - self.room.clock.now()) / 1000)
        await self.room.wait_until(lambda: self._now(channel).hand_number == number)
        return {user: stacks[user] for user in self._now(channel).dealt_users}

    def _by_lot(self, now: TableSnapshot) -> c.HandCommand:
        """Mostly check or fold, sometimes call, seldom raise: a hand is over after five actions or so."""
        assert now.hand is not None
        assert now.hand.legal_to_act is not None
        legal: LegalActions = now.hand.legal_to_act
        assert now.current_turn is not None
        drawn = self.rng.random() if now.current_turn.user not in self.timid else 1.0
        if drawn < 0.12 and legal.max_to:
            return c.RaiseTo(legal.min_to) if legal.current_bet else c.Bet(legal.min_to)
        if legal.check:
            return c.Check()
        return c.Call() if drawn < 0.45 else c.Fold()

    def _session(self, channel: str) -> TableSession:
        sessions: Sequence[TableSession] = tuple(self.room.dealer.tables._sessions.values())
        return next(one for one in sessions if str(one.address.channel) == channel)

    def _now(self, channel: str) -> TableSnapshot:
        return self._session(channel).saved_snapshot()

    async def _ask(self, channel: str, user: int, command: PlayerCommand, *, name: str = "") -> None:
        at = self._session(channel).address
        key = f"many-{next(self._keys)}"
        request = Request(key=key, guild=at.guild, channel=at.channel, user=user, name=name, table=at.id)
        await self.room.dealer.tables.ask(request, command)


def _give(now: TableSnapshot, giver: int, chips: int) -> c.HandCommand:
    """Raise to so many chips before the flop and call; then the one who is to lose them folds to a bet."""
    assert now.hand is not None and now.hand.legal_to_act is not None and now.current_turn is not None
    legal = now.hand.legal_to_act
    if not now.hand.boards or not now.hand.boards[0]:
        return c.Call() if legal.current_bet == chips else c.RaiseTo(chips)
    if now.current_turn.user != giver:
        return c.Bet(legal.min_to)
    return c.Check() if legal.check else c.Fold()
