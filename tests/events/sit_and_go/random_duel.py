"""A random duel, counted beside: whatever its two do, who wins what is known without the rules of events."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from bot.engine.errors import LawError
from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.duel import duel_settings, winner_of
from bot.events.sit_and_go.state import AgreementKind, Duellist, EndReason, SitAndGoStatus
from bot.events.sit_and_go.structures import LevelLength, Speed
from bot.runtime.sit_and_go import flows_of
from tests.events.sit_and_go.told import ID, MINUTE, NAME, Told

HANDS_MAX = 5_000
BOTH = ("Ann", "Bo")
Chips = dict[str, int]


class RandomDuel:
    """One of them. Ann has challenged Bo.

    Attributes:
        stacks, wins: of the match that is being played, and matches won.
        left: who has left by choice, and has not come back.
        asleep: hands in a row in which nobody has acted.
        agreed: how they have agreed to divide the prize.
        order: of the seats from the left of the button.
    """

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.buy_in, self.best_of = rng.choice((0, 1, 7, 501, 1_000_003)), rng.choice((1, 3, 3))
        ann, bo = Duellist(ID["Ann"], "Ann"), Duellist(ID["Bo"], "Bo")
        speed, counted_in = rng.choice(list(Speed)), rng.choice(list(LevelLength))
        self.told = Told.of(
            duel_settings(ann, bo, buy_in=self.buy_in, best_of=self.best_of, speed=speed, counted_in=counted_in)
        )
        self.full = self.told.event.settings.structure.starting_stack
        self.stacks: Chips = dict.fromkeys(BOTH, self.full)
        self.wins: Chips = dict.fromkeys(BOTH, 0)
        self.left: set[str] = set()
        self.asleep, self.wakeful = 0, rng.choice((0.9, 0.9, 0.5))
        self.agreed: AgreementKind | None = None
        self.order: list[str] = list(BOTH)

    @property
    def is_running(self) -> bool:
        return self.told.event.is_running

    def play(self) -> None:
        if not self._accepted():
            return
        for _ in range(HANDS_MAX):
            if not self.is_running:
                return
            self._between_hands()
            if self.is_running:
                self._hand()
        raise AssertionError("it never ends")

    def _accepted(self) -> bool:
        rng, told = self.rng, self.told
        for name in ("Ann", "Cy"):
            try:
                told.do(c.Enter(ID[name], name))
            except LawError:
                continue
            raise AssertionError("only the one challenged accepts")
        match rng.randrange(12):
            case 0:
                told.do(c.CancelSitAndGo(ID[rng.choice(BOTH)]))
            case 1:
                told.now += 30 * MINUTE
                told.do(c.CancelSitAndGo(0, nobody_came=True))
            case 2:
                told.do(c.CancelSitAndGo(99, staff=True))
            case _:
                told.start_duel("Bo")
                return True
        return False

    def _stacks(self) -> tuple[tuple[int, int], ...]:
        return tuple((ID[name], self.stacks[name]) for name in self.order)

    def _between_hands(self) -> None:
        rng, told, name = self.rng, self.told, self.rng.choice(BOTH)
        what = rng.randrange(120)
        if what == 0:
            told.do(c.LeaveByChoice(ID[name], self._stacks()))
            self.left.add(name)
        elif what == 1:
            told.do(c.CancelSitAndGo(99, staff=True, stacks=self._stacks()))
        elif what < 5:
            self._agree(name)
        elif what < 20:
            some = [
                c.PauseEvent(ID[name], rng.randint(1, 11)),
                c.ResumeEvent(ID[name]),
                c.DealerReturned(told.now - rng.randint(0, 3) * MINUTE),
                c.VoidHandInEvent(),
                c.Enter(ID["Cy"], "Cy"),
                c.CancelSitAndGo(ID[name]),
                c.ChooseStructure(ID[name], Speed.DEEP),
            ]
            try:
                told.do(rng.choice(some))
            except LawError:
                return

    def _agree(self, name: str) -> None:
        kind = self.rng.choice(list(AgreementKind))
        given = tuple((ID[one], self.buy_in) for one in BOTH)
        try:
            self.told.do(c.OfferAgreement(ID[name], kind, self._stacks(), given))
        except LawError:
            return
        other = BOTH[name == "Ann"]
        self.told.do(c.AnswerAgreement(ID[other], agrees=self.rng.random() < 0.3))
        if not self.is_running:
            self.agreed = kind

    def _hand(self) -> None:
        rng, told = self.rng, self.told
        if told.event.clock.stopped_for is not None:
            told.now = max(told.now, told.event.clock.resumes_at)
            told.do(c.ResumeEvent(0))
        self.order.reverse()
        told.do(c.BeginHand())
        told.now += rng.randint(5, 90) * 1_000
        for name in BOTH:  # in the middle of it: some leave, and some of them come back
            if rng.random() < 0.01:
                told.do(c.LeaveByChoice(ID[name]))
                self.left.add(name)
            if name in self.left and rng.random() < 0.3:
                told.do(c.PlayOn(ID[name]))
                self.left.discard(name)
        winner, loser = rng.sample(BOTH, 2)
        most = min(self.stacks.values())
        lost = most if rng.random() < 0.1 else min(most, rng.randint(0, 5) * told.event.current_level.big_blind)
        before = dict(self.stacks)
        self.stacks[winner] += lost
        self.stacks[loser] -= lost
        own_will = rng.random() < self.wakeful
        self.asleep = 0 if own_will else self.asleep + 1
        told.do(c.CountHand(tuple((ID[one], before[one], self.stacks[one]) for one in self.order), own_will))
        if not self.stacks[loser]:
            self.wins[winner] += 1
            if self.is_running:
                self.stacks = dict.fromkeys(BOTH, self.full)

    # counted again

    @property
    def pool(self) -> int:
        return 2 * self.buy_in

    def _chance(self, name: str) -> Fraction:
        """The chance of one to win a duel that is cut short, by all ways in which the matches to come can go."""
        needed, other = self.best_of // 2 + 1, BOTH[name == "Ann"]
        share, chance = Fraction(self.stacks[name], 2 * self.full), Fraction(0)
        to_come = self.best_of - sum(self.wins.values())
        for won in product((True, False), repeat=to_come):
            if self.wins[name] + sum(won) >= needed:
                chance += (share if won[0] else 1 - share) * Fraction(1, 2) ** (to_come - 1)
        assert self.wins[other] < needed
        return chance

    def due(self) -> Chips:
        """What each gets, as SG-16 says."""
        event = self.told.event
        if event.status is SitAndGoStatus.CANCELLED and event.hands:
            return self._by_chance({one: self._chance(one) for one in BOTH})
        if event.status is SitAndGoStatus.CANCELLED:
            return dict.fromkeys(BOTH, self.buy_in) if event.started_at else {}
        if self.agreed is AgreementKind.CHIPS:
            return self._by_chance({one: Fraction(self.stacks[one]) for one in BOTH})
        if self.agreed is AgreementKind.EQUAL:
            return dict.fromkeys(BOTH, self.buy_in)
        worth = self.worth()
        if worth["Ann"] == worth["Bo"]:
            return dict.fromkeys(BOTH, self.buy_in)
        return {max(BOTH, key=lambda one: worth[one]): self.pool}

    def _by_chance(self, chances: dict[str, Fraction]) -> Chips:
        """Rounded down, the odd chip to the larger fraction, of equal ones to the first from the left of the button."""
        exact = {one: self.pool * chances[one] / sum(chances.values()) for one in self.order}
        shares = {one: int(chips) for one, chips in exact.items()}
        for one in sorted(self.order, key=lambda one: shares[one] - exact[one])[: self.pool - sum(shares.values())]:
            shares[one] += 1
        return shares

    def worth(self) -> dict[str, tuple[bool, bool, int, int]]:
        """What ranks go by: the duel won, not given up, matches, chips."""
        needed = self.best_of // 2 + 1
        return {one: (self.wins[one] == needed, one not in self.left, self.wins[one], self.stacks[one]) for one in BOTH}


def check_duel(seed: int) -> EndReason:
    """Play one, and compare what it came to. Returns why it ended."""
    duel = RandomDuel(seed)
    duel.play()
    told, event, worth = duel.told, duel.told.event, duel.worth()
    reason = event.end_reason
    assert reason is not None, "it ends"
    assert told.paid == {one: chips for one, chips in duel.due().items() if chips}
    assert sum(told.paid.values()) == event.pool == (duel.pool if event.started_at else 0), "every chip is paid"
    assert {NAME[one.player]: one.wins for one in event.entrants} == (duel.wins if event.started_at else {})
    net = {name: told.paid.get(name, 0) - duel.buy_in for name in BOTH} if event.started_at else {}
    flows = [(ID[one], ID[other], net[one]) for one, other in (BOTH, BOTH[::-1]) if net.get(one, 0) > 0]
    assert list(flows_of(event)) == flows, "in the flow that boards read (BO-1)"
    found = winner_of(event)
    match reason:
        case EndReason.WON | EndReason.GIVEN_UP if found is not None:
            won, lost = NAME[found[0].player], NAME[found[1].player]
            assert told.ranks == {won: 1, lost: 2} and worth[won] > worth[lost]
            assert (reason is EndReason.WON) == worth[won][0]
        case EndReason.GIVEN_UP:
            assert duel.left == set(BOTH), "both have"
        case EndReason.ASLEEP:
            assert found is None and duel.asleep >= 4
        case _:
            assert found is None and reason is not EndReason.WON
    return reason
