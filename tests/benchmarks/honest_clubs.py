"""Honest members of a server, day by day: who suspects them, and what counts of what they win in a season.

Every hand is played by the engine: a pool of evenings of two to six players, some of whom call everything or are all-in now and then,
most of whom play like the practice players, each a little different. A club draws its evenings from the pool again and again, with
other people of the same kind in the seats. So each evening is real in itself; what one would learn of another over weeks is not in it.

A club has a hundred members: sixty regulars, twenty who come seldom, five couples who come together and often play alone, a home game
of six that meets once a week, a pair that plays heads-up nearly every evening, and two newcomers. What the house gives they claim on
the days they come.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.ledger.accounts import AccountKind, Transfer, TransferReason
from bot.ledger.flow import FlowBook, PairFlow
from bot.ledger.pot_flows import Flow, flows_of_pot
from bot.store.board_sums import uncounted_part
from tests.benchmarks.bench_flow import DAY_MS, Club, Policy, calls, practised, shoves

HANDS = 24
WINDOW_DAYS, SEASON_DAYS = 7, 30
KINDS = ("calls", "shoves", "practised")
FIRST_ID = 1 << 40
Moved = tuple[int, str, int, int, int, int, int]
"""When after the beginning, why, and from whom to whom: kinds of accounts, seats from 0, and the chips."""


@dataclass
class Recorded(Club):
    """Keeps what one evening moves."""

    moved: list[tuple[int, Transfer]] = field(default_factory=list)

    def add(self, at: int, transfers: Sequence[Transfer]) -> None:
        self.moved += [(at, one) for one in transfers]


@dataclass(frozen=True)
class PlayedEvening:
    """An evening of the pool: the kind of player in each seat, all transfers, and who won from whom in all."""

    kinds: tuple[str, ...]
    moved: tuple[Moved, ...]
    flows: tuple[Flow, ...]


def play_evening(rng: random.Random, size: int) -> PlayedEvening:
    """Let the engine play an evening."""
    kinds = tuple(rng.choices(KINDS, (1, 1, 8), k=size))
    policies: dict[str, Policy] = {"calls": calls, "shoves": shoves}
    club = Recorded(rng)
    club.play(0, {seat + 1: policies.get(kind) or practised(rng) for seat, kind in enumerate(kinds)}, HANDS)
    moved = tuple(
        (
            at,
            str(one.reason),
            int(one.debit.kind),
            one.debit.user - 1,
            int(one.credit.kind),
            one.credit.user - 1,
            one.chips,
        )
        for at, one in club.moved
    )
    return PlayedEvening(kinds, moved, tuple(_flows(moved)))


def _flows(moved: Sequence[Moved]) -> Iterator[Flow]:
    """Return who won from whom in an evening, from its transfers alone."""
    total, put_in, won, pot = Counter[tuple[int, int]](), Counter[int](), Counter[int](), 0
    for _, reason, debit_kind, debit, credit_kind, credit, chips in moved:
        if credit_kind == AccountKind.POT:
            pot, put_in[debit] = pot + chips, put_in[debit] + chips
        elif debit_kind == AccountKind.POT:
            pot -= chips
            if reason == TransferReason.WON:
                won[credit] += chips
            else:
                put_in[credit] -= chips
            if not pot:
                for winner, loser, paid in flows_of_pot(put_in, won):
                    total[winner, loser] += paid
                    total[loser, winner] -= paid
                put_in.clear()
                won.clear()
    return ((winner, loser, chips) for (winner, loser), chips in total.items() if chips > 0)


@dataclass
class HonestClub:
    """A hundred members, day by day."""

    rng: random.Random
    pool: dict[int, list[PlayedEvening]]
    number: int
    tables: int = 0
    hands: int = 0

    def __post_init__(self) -> None:
        first = FIRST_ID + (self.number << 54)
        ids = [first + (place << 42) + self.rng.randrange(1 << 41) for place in range(100)]
        self.kinds = {user: self.rng.choices(KINDS, (1, 1, 8))[0] for user in ids}
        self.regulars, self.seldom = ids[:60], ids[60:80]
        self.couples = [(ids[at], ids[at + 1]) for at in range(80, 90, 2)]
        self.home_game, self.heads_up, self.newcomers = ids[90:96], ids[96:98], ids[98:]
        self.days: list[list[tuple[int, int, str, int, int, int, int, int]]] = []
        self.pairs: defaultdict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
        self.played: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.alarms: set[tuple[int, int, int]] = set()

    def play_day(self, day: int) -> None:
        """Let everybody who comes claim their chips and play, at tables that fill up as they come."""
        rng, day_moved = self.rng, list[tuple[int, int, str, int, int, int, int, int]]()
        self.days.append(day_moved)
        came = [user for user in self.regulars if rng.random() < 0.35] + [
            one for one in self.seldom if rng.random() < 0.1
        ]
        came += [user for user in self.newcomers if 40 * self.newcomers.index(user) <= day % 97 and rng.random() < 0.5]
        alone: list[tuple[int, ...]] = [tuple(self.heads_up)] if rng.random() < 0.8 else []
        for couple in self.couples:
            if rng.random() < 0.4:
                if rng.random() < 0.5:
                    alone.append(couple)
                else:
                    came += couple
        if day % 7 == self.number % 7:
            alone.append(tuple(self.home_game))
        rng.shuffle(came)
        while len(came) >= 2:
            size = min(len(came), rng.choice((2, 3, 4, 5, 6, 6)))
            alone.append(tuple(came[:size]))
            came = came[size:]
        for group in alone:
            self._sit(day, group, day_moved)

    def _sit(
        self, day: int, group: Sequence[int], day_moved: list[tuple[int, int, str, int, int, int, int, int]]
    ) -> None:
        """Draw an evening of the pool for people of these kinds; the one that fits best of some."""
        rng, season = self.rng, day // SEASON_DAYS
        wanted = sorted(self.kinds[user] for user in group)
        drawn = rng.choices(self.pool[len(group)], k=12)
        evening = min(drawn, key=lambda one: sum(a != b for a, b in zip(sorted(one.kinds), wanted, strict=True)))
        people, left = [0] * len(group), list(group)
        for seat, kind in enumerate(evening.kinds):
            chosen = next((user for user in left if self.kinds[user] == kind), left[0])
            left.remove(chosen)
            people[seat] = chosen
        self.tables += 1
        self.hands += HANDS
        begins = day * DAY_MS + rng.randrange(12 * 3_600_000, 20 * 3_600_000)
        for user in people:
            reason = TransferReason.DAILY if self.played[-1][user] else TransferReason.GRANT
            self.played[-1][user] += HANDS
            self.played[season][user] += HANDS
            gift = begins - rng.randrange(4 * 3_600_000)
            chips = 1_500 if reason is TransferReason.DAILY else 10_000
            day_moved.append((gift, 0, str(reason), AccountKind.MINT, 0, AccountKind.WALLET, user, chips))
        for at, why, debit_kind, debit, credit_kind, credit, chips in evening.moved:
            giver, taker = (people[seat] if seat >= 0 else 0 for seat in (debit, credit))
            day_moved.append((begins + at, self.tables, why, debit_kind, giver, credit_kind, taker, chips))
        for winner, loser, chips in evening.flows:
            self.pairs[season][people[winner], people[loser]] += chips
            self.pairs[season][people[loser], people[winner]] -= chips

    def look(self, day: int) -> list[PairFlow]:
        """Look at the flow as the dealer does, at the end of a day. Returns the alarms that are new in this season."""
        book = FlowBook()
        first = max(0, day + 1 - WINDOW_DAYS, day // SEASON_DAYS * SEASON_DAYS)
        for moved in self.days[first : day + 1]:
            for at, table, why, debit_kind, debit, credit_kind, credit, chips in sorted(moved, key=lambda one: one[1]):
                book.add(at, why, table, debit_kind, debit, credit_kind, credit, chips)
        new = []
        for flow in book.flows():
            key = day // SEASON_DAYS, flow.giver, flow.taker
            if flow.is_alarm and key not in self.alarms:
                self.alarms.add(key)
                new.append(flow)
        return new

    def counted(self, season: int, cap: int, min_hands: int) -> list[int]:
        """Return what counts in a season of everybody who has played enough hands."""
        net, uncounted = Counter[int](), Counter[int]()
        for (user, _), chips in self.pairs[season].items():
            net[user] += chips
            uncounted[user] += uncounted_part(chips, cap)
        return [net[user] - uncounted[user] for user, hands in self.played[season].items() if hands >= min_hands]


def pool_of_evenings(rng: random.Random, each: int) -> dict[int, list[PlayedEvening]]:
    """Let the engine play so many evenings of each size."""
    return {size: [play_evening(rng, size) for _ in range(each)] for size in range(2, 7)}
