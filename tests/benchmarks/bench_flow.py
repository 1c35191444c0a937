"""Measure how often `/house page:flow` suspects honest players, and how often it finds planted chip dumping.

Run with ``python -m tests.benchmarks flow`` (``--clubs 8`` for more of them). Each club has thirty honest players of different
strength, who meet at tables of two to six in the evenings of ten days, and beside them four pairs of friends of unequal strength who
play alone every evening. Then a farm is planted, in four styles of dumping. The transfers are those that the runtime would make.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.decide import decide_and_evolve, start
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.stakes import Stakes
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account
from bot.ledger.flow import FlowBook, PairFlow
from bot.players import PracticePlayer
from bot.players.personality import Personality
from bot.runtime.transfers import TableAccounts, chips_in_pot, hand_transfers
from bot.variants import game

Policy = Callable[[HandView, random.Random], c.HandCommand]

CARD = game("holdem")
STAKES = Stakes(small_blind=50, big_blind=100)
BUY_IN, GIFT = 10_000, 10_000
DAYS, DAY_MS, HAND_MS = 10, 86_400_000, 60_000
HANDS_AN_EVENING = 12
PEOPLE, FRIENDS, FARM = 30, 4, 10
FIRST_SEED = 100  # the bounds of the patterns were chosen on clubs 0 to 7
FIRST_USER = 1 << 40  # made years apart


def calls(seen: HandView, _: random.Random) -> c.HandCommand:
    """An honest player who is no good: calls whatever comes."""
    legal = seen.legal
    assert legal is not None
    return c.Show() if legal.decision is Decision.SHOW else c.Check() if legal.check else c.Call()


def shoves(seen: HandView, rng: random.Random) -> c.HandCommand:
    """An honest player who is worse: calls, and goes all-in now and then."""
    legal = seen.legal
    assert legal is not None
    return c.AllIn() if legal.decision is Decision.BET and rng.random() < 0.1 else calls(seen, rng)


def puts_in_and_folds(share: float) -> Policy:
    """A dumper: bets this share of the stack, and folds to the answer."""

    def choose(seen: HandView, _: random.Random) -> c.HandCommand:
        legal = seen.legal
        assert legal is not None and seen.viewer is not None
        if legal.decision is not Decision.BET:
            return c.Show()
        stack = seen.seats[seen.viewer].starting_stack
        put_in = stack - seen.seats[seen.viewer].stack
        wanted = max(legal.min_to, int(share * stack))
        if put_in < share * stack * 0.9 and wanted <= legal.max_to:
            return c.Bet(wanted) if legal.opening else c.RaiseTo(wanted)
        return c.Fold() if legal.fold else c.Check()

    return choose


def takes(seen: HandView, _: random.Random) -> c.HandCommand:
    """Who collects: raises all-in against a bet."""
    legal = seen.legal
    assert legal is not None
    if legal.decision is not Decision.BET:
        return c.Show()
    if legal.call_chips > STAKES.big_blind:
        return c.AllIn()
    return c.Check() if legal.check else c.Call()


def practised(rng: random.Random) -> Policy:
    """An honest player as the practice players are, each a little different."""
    loose, bold, bluffs = rng.uniform(0.15, 0.9), rng.uniform(0.2, 0.9), rng.uniform(0.0, 0.25)
    return PracticePlayer(Personality("somebody", loose=loose, bold=bold, bluffs=bluffs, slow=0.5)).choose


@dataclass
class Club:
    """One server for ten days."""

    rng: random.Random
    book: FlowBook = field(default_factory=FlowBook)
    hands: int = 0
    transfers: int = 0
    tables: int = 0

    def add(self, at: int, transfers: Sequence[Transfer]) -> None:
        self.transfers += len(transfers)
        for one in transfers:
            table = one.debit.table or one.credit.table
            debit, credit = one.debit, one.credit
            self.book.add(at, one.reason, table, debit.kind, debit.user, credit.kind, credit.user, one.chips)

    def gift(self, at: int, user: int, reason: TransferReason = TransferReason.DAILY) -> None:
        wallet = TableAccounts(0, Book.PEOPLE).wallet(user)
        self.add(at, [Transfer(mint_account(), wallet, GIFT, reason)])

    def play(self, at: int, players: dict[int, Policy], hands: int) -> None:
        """Open a table, let everybody buy in, play, and pay out. Who is broke buys in again."""
        self.tables += 1
        accounts, stacks = TableAccounts(self.tables, Book.PEOPLE), dict.fromkeys(players, 0)
        for number in range(hands):
            for user in [user for user, chips in stacks.items() if not chips]:
                seat = Transfer(accounts.wallet(user), accounts.seat(user), BUY_IN, TransferReason.BUY_IN)
                self.add(at, [seat])
                stacks[user] = BUY_IN
            turned = list(players)[number % len(players) :] + list(players)[: number % len(players)]
            stacks |= self._hand(at + number * HAND_MS, accounts, {user: players[user] for user in turned}, stacks)
        for user, chips in stacks.items():
            if chips:
                self.add(at, [Transfer(accounts.seat(user), accounts.wallet(user), chips, TransferReason.CASH_OUT)])

    def _hand(
        self, at: int, accounts: TableAccounts, players: dict[int, Policy], stacks: dict[int, int]
    ) -> dict[int, int]:
        self.hands += 1
        users, held, deck = list(players), [stacks[user] for user in players], list(range(52))
        self.rng.shuffle(deck)
        posts = regular_posts(CARD, CARD.options, STAKES, len(users))
        seats = tuple(range(1, len(users) + 1))
        events, hand = start(
            HandStarted(CARD, CARD.options, STAKES, seats, tuple(held), posts, len(users)), tuple(deck)
        )
        self.add(at, hand_transfers(accounts, users, held, 0, events, hand))
        while not hand.over:
            seat = hand.to_act
            command = players[users[seat]](view(hand, seat), self.rng)
            before, pot = list(hand.stacks), chips_in_pot(hand)
            events, hand = self._decided(hand, seat, command)
            self.add(at, hand_transfers(accounts, users, before, pot, events, hand))
        return dict(zip(users, hand.stacks, strict=True))

    def _decided(self, hand: Hand, seat: int, command: c.HandCommand) -> tuple[Sequence[object], Hand]:
        return decide_and_evolve(hand, seat, command)  # type: ignore[arg-type, return-value]


def play_honestly(club: Club) -> set[int]:
    """Ten days of the honest: those who meet, and friends who play alone. Returns the friends."""
    rng = club.rng
    people = {
        FIRST_USER + (number << 50): calls if number % 10 == 0 else shoves if number % 10 == 5 else practised(rng)
        for number in range(1, PEOPLE + 1)
    }
    friends = {
        FIRST_USER + (number << 50): (calls if number % 2 else practised(rng))
        for number in range(100, 100 + 2 * FRIENDS)
    }
    for number, user in enumerate((*people, *friends)):
        club.gift(number * 3 * 3_600_000, user, TransferReason.GRANT)
    for day in range(1, DAYS + 1):
        evening = day * DAY_MS
        for user in (*people, *friends):
            club.gift(evening - rng.randrange(8 * 3_600_000), user)
        there = rng.sample(list(people), rng.randrange(12, PEOPLE))
        while len(there) >= 2:
            size = min(len(there), rng.choice((2, 3, 4, 5, 6, 6)))
            club.play(evening, {user: people[user] for user in there[:size]}, HANDS_AN_EVENING)
            there = there[size:]
        pairs = list(friends)
        for first, second in zip(pairs[::2], pairs[1::2], strict=True):
            club.play(evening, {first: friends[first], second: friends[second]}, 2 * HANDS_AN_EVENING)
    return set(friends)


STYLES = (
    "alone, bets most and folds",
    "alone, bets a third and folds",
    "among strangers, bets most and folds",
    "through a third account",
)


def plant(club: Club, style: int) -> set[tuple[int, int]]:
    """A farm of ten that gives one account what the house gives it. Returns who gives to whom."""
    rng = club.rng
    main = FIRST_USER + (1000 << 50)
    farm = [main + ((number + 1) << 50) for number in range(FARM)]
    honest = {main + ((number + 50) << 50): practised(rng) for number in range(2)}
    planted: set[tuple[int, int]] = set()
    for number, user in enumerate((main, *farm, *honest)):
        club.gift(number * 3 * 3_600_000, user, TransferReason.GRANT)
    for day in range(1, DAYS + 1):
        for number, alt in enumerate(farm):
            at = day * DAY_MS + number * 3_600_000
            to = farm[0] if style == 3 and number else main
            club.gift(at - HAND_MS, alt)
            players: dict[int, Policy] = {alt: puts_in_and_folds(0.33 if style == 1 else 0.8), to: takes}
            club.play(at, players | (honest if style == 2 else {}), 3)
            planted.add((alt, to))
    return planted


def report(flows: Sequence[PairFlow], pairs: set[tuple[int, int]]) -> str:
    found = {(flow.giver, flow.taker) for flow in flows if flow.is_alarm}
    return f"{len(found & pairs)} of {len(pairs)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clubs", type=int, default=4)
    clubs = parser.parse_args().clubs
    alarms = pairs = alone_alarms = alone = hands = transfers = 0
    began = time.process_time()
    for seed in range(clubs):
        club = Club(random.Random(FIRST_SEED + seed))
        friends = play_honestly(club)
        flows = club.book.flows(1_000_000)
        hands, transfers = hands + club.hands, transfers + club.transfers
        for flow in flows:
            is_friends = flow.giver in friends
            pairs, alone = pairs + (not is_friends), alone + is_friends
            alarms, alone_alarms = (
                alarms + (flow.is_alarm and not is_friends),
                alone_alarms + (flow.is_alarm and is_friends),
            )
            if flow.is_alarm:
                facts = f"{flow.hands} hands, won {flow.sizeable_won} of {flow.sizeable} big pots"
                print(f"  false alarm: {flow.points} points, {facts}, {', '.join(flow.patterns)}")
    print(
        f"{hands:,} honest hands in {clubs} clubs, {transfers:,} transfers, {time.process_time() - began:.0f} s of CPU time"
    )
    print(f"false alarms: {alarms} of {pairs:,} honest pairs ({alarms / pairs:.2%})")
    print(f"false alarms: {alone_alarms} of {alone} pairs of friends of unequal strength who play alone")
    for style, name in enumerate(STYLES):
        club = Club(random.Random(style))
        planted = plant(club, style)
        print(f"found: {report(club.book.flows(1_000_000), planted)} pairs of a farm that plays {name}")


if __name__ == "__main__":
    main()
