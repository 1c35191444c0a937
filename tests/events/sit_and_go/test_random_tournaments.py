"""Random tournaments: everybody is ranked, every chip is paid, and they end, whatever people do."""

from __future__ import annotations

import random

import pytest

from bot.engine.errors import LawError
from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import EndReason, SitAndGoStatus
from bot.events.sit_and_go.structures import LevelLength, Speed
from tests.events.sit_and_go.told import ID, MINUTE, NAMES, Told

HANDS_MAX = 5_000


class Tournament:
    """A random sit-and-go. Hands are told by the chips that change hands alone."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.names = list(NAMES[: rng.randint(2, 10)])
        self.told = Told(
            len(self.names),
            buy_in=rng.choice([0, 1, 7, 101, 1_000_003]),
            speed=rng.choice(list(Speed)),
            counted_in=rng.choice(list(LevelLength)),
            prizes=rng.choice(list(PrizeTable)),
        )
        self.stacks: dict[str, int] = {}
        self.went_out: list[tuple[int, int, str]] = []

    def play(self) -> None:
        settings, rng = self.told.event.settings, self.rng
        late = rng.choice([0, 0, 3, 6])
        speed, counted_in = settings.speed, settings.structure.counted_in
        self.told.do(c.ChooseStructure(ID["Ann"], speed, counted_in, settings.prizes, late))
        at_the_start = self.names[: rng.randint(2, len(self.names))] if late else self.names
        self.told.start(*at_the_start)
        self.stacks = dict.fromkeys(at_the_start, settings.structure.starting_stack)
        for _ in range(HANDS_MAX):
            if not self.told.event.is_running:
                return
            self._disturb()
            if self.told.event.is_running:
                self._hand()
        raise AssertionError("it never ends")

    def _disturb(self) -> None:
        rng, told = self.rng, self.told
        name = rng.choice(self.names)
        if told.event.takes_late_entries and told.event.entrant(ID[name]) is None and rng.random() < 0.3:
            told.do(c.Enter(ID[name], name, seat_number=1))
            self.stacks[name] = told.event.settings.structure.starting_stack
        some = [
            c.LeaveByChoice(ID[name]),
            c.PlayOn(ID[name]),
            c.PauseEvent(ID[name], rng.randint(1, 11)),
            c.ResumeEvent(ID[name]),
            c.DealerReturned(told.now - rng.randint(0, 3) * MINUTE),
            c.VoidHandInEvent(),
        ]
        if rng.random() < 0.2:
            try:
                told.do(rng.choice(some))
            except LawError:
                return
        if rng.random() < 0.002:
            stacks = tuple((ID[one], chips) for one, chips in self.stacks.items())
            told.do(c.CancelSitAndGo(99, staff=True, stacks=stacks))

    def _hand(self) -> None:
        rng, told = self.rng, self.told
        if told.event.clock.stopped_for is not None:
            told.now = max(told.now, told.event.clock.resumes_at)
            told.do(c.ResumeEvent(0))
        told.do(c.BeginHand())
        told.now += rng.randint(5, 90) * 1_000
        big = told.event.current_level.big_blind
        order = list(self.stacks)
        rng.shuffle(order)
        before = dict(self.stacks)
        winner, losers = order[0], order[1 : 1 + rng.randint(1, 3)]
        for loser in losers:
            at_stake = self.stacks[loser] if rng.random() < 0.2 else rng.randint(1, 5) * big
            lost = min(at_stake, self.stacks[loser], before[winner])
            self.stacks[loser] -= lost
            self.stacks[winner] += lost
        told.do(
            c.CountHand(tuple((ID[one], before[one], self.stacks[one]) for one in order), own_will=rng.random() < 0.9)
        )
        hand = told.event.hands
        self.went_out += [(hand, before[one], one) for one in order if not self.stacks[one]]
        self.stacks = {one: chips for one, chips in self.stacks.items() if chips}


def check(seed: int) -> None:
    tournament = Tournament(seed)
    tournament.play()
    event = tournament.told.event
    paid = dict(event.prizes_paid)
    assert sum(paid.values()) == event.pool, "every chip of the buy-ins is paid"
    assert all(chips > 0 for chips in paid.values())
    if event.status is SitAndGoStatus.CANCELLED:
        return
    worth = {one: (hand, stack) for hand, stack, one in tournament.went_out}
    worth |= {one: (event.hands + 1, chips) for one, chips in tournament.stacks.items()}
    recounted = {ID[one]: 1 + sum(other > mine for other in worth.values()) for one, mine in worth.items()}
    told = {one.entrant.player: one.rank for one in finishes(event)}
    assert told == recounted, "ranked by law"
    assert event.end_reason in (EndReason.WON, EndReason.ASLEEP)
    if event.end_reason is EndReason.WON:
        assert len(tournament.stacks) == 1


@pytest.mark.law("SG-9", "SG-10")
def test_random_tournaments_pay_every_chip_by_rank() -> None:
    for seed in range(25):
        check(seed)


@pytest.mark.full
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_tournaments_pay_every_chip(part: int) -> None:
    for seed in range(1_000 * part, 1_000 * (part + 1)):
        check(seed)
