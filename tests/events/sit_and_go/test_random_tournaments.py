"""Random tournaments, duels among them: everybody is ranked, every chip is paid, and they end, whatever people do."""

from __future__ import annotations

import random

import pytest

from bot.engine.errors import LawError
from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import AgreementKind, EndReason, SitAndGoStatus
from bot.events.sit_and_go.structures import LevelLength, Speed
from tests.events.sit_and_go.random_duel import check_duel
from tests.events.sit_and_go.told import ID, MINUTE, NAMES, Told

HANDS_MAX = 5_000
OWN_TABLES = ((), (100,), (60, 40), (40, 30, 20, 10), (25, 25, 25, 25))
Chips = dict[str, int]


def preset_percents(table: PrizeTable, entrants: int) -> tuple[int, ...]:
    """The presets as people read them: about one in three is paid, and nobody who is not there."""
    if table is PrizeTable.TWO or (table is PrizeTable.USUAL and 3 < entrants < 7):
        return (65, 35)
    return (50, 30, 20) if table is PrizeTable.USUAL and entrants > 6 else (100,)


class Tournament:
    """A random sit-and-go. Hands are told by the chips that change hands alone; beside it all is counted again.

    Attributes:
        went_out: the hand in which each went out, and their stack before it; who rebuys has not gone out.
        rows: who was in each hand, from the left of the button.
        paid: by player what they have paid, bounties apart.
        heads, hunted: the bounty on each, and what each has won of others.
        agreed: the amounts that were agreed on.
    """

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.names = list(NAMES[: rng.randint(2, 10)])
        self.buy_in = rng.choice([0, 1, 7, 101, 1_000_003])
        self.told = Told(
            len(self.names),
            buy_in=self.buy_in,
            speed=rng.choice(list(Speed)),
            counted_in=rng.choice(list(LevelLength)),
        )
        self.stacks: Chips = {}
        self.went_out: dict[str, tuple[int, int]] = {}
        self.rows: dict[int, list[str]] = {}
        self.paid: Chips = {}
        self.heads: Chips = {}
        self.hunted: Chips = {}
        self.agreed: Chips = {}

    def play(self) -> None:
        settings, rng = self.told.event.settings, self.rng
        late, own = rng.choice([0, 0, 3, 6]), rng.choice(OWN_TABLES)
        preset = rng.choice([PrizeTable.USUAL, PrizeTable.WINNER, PrizeTable.TWO])
        self.bounty = rng.choice([0, 0, 1, self.buy_in // 2, self.buy_in]) if self.buy_in else 0
        self.own, self.preset = own, preset
        self.told.do(
            c.ChooseStructure(
                ID["Ann"],
                settings.speed,
                settings.structure.counted_in,
                PrizeTable.OWN if own else preset,
                late,
                rebuys=rng.random() < 0.7,
                bounty=self.bounty,
                percents=own,
            )
        )
        at_the_start = self.names[: rng.randint(2, len(self.names))] if late else self.names
        self.told.start(*at_the_start)
        for name in at_the_start:
            self._pay(name, self.bounty)
        for _ in range(HANDS_MAX):
            if not self.told.event.is_running:
                return
            self._disturb()
            if self.told.event.is_running:
                self._hand()
            if self.told.event.is_running:
                self._answers()
            if self.told.event.is_running and rng.random() < 0.004:
                self._agree()
        raise AssertionError("it never ends")

    def _pay(self, name: str, bounty: int) -> None:
        self.stacks[name] = self.told.event.settings.structure.starting_stack
        self.paid[name] = self.paid.get(name, 0) + self.buy_in
        self.heads[name] = self.heads.get(name, 0) + bounty
        self.hunted.setdefault(name, 0)

    def _disturb(self) -> None:
        rng, told = self.rng, self.told
        name = rng.choice(self.names)
        if told.event.takes_late_entries and told.event.entrant(ID[name]) is None and rng.random() < 0.3:
            told.do(c.Enter(ID[name], name, seat_number=1))
            self._pay(name, self.bounty)
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
            self._cancel()

    def _cancel(self) -> None:
        stacks = tuple((ID[one], chips) for one, chips in self.stacks.items())
        self.told.do(c.CancelSitAndGo(99, staff=True, stacks=stacks))

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
        row = order[rng.randrange(len(order)) :] + order  # the button is anywhere
        row = list(dict.fromkeys(row))
        with_chips = [one for one in row if self.stacks[one]]
        hunters = {
            one: [winner]
            if rng.random() < 0.7
            else sorted(rng.sample(with_chips, min(2, len(with_chips))), key=row.index)
            for one in row
            if not self.stacks[one]
        }
        stacks = tuple((ID[one], before[one], self.stacks[one]) for one in row)
        put_out = tuple((ID[one], tuple(ID[other] for other in those)) for one, those in hunters.items())
        told.do(c.CountHand(stacks, rng.random() < 0.9, put_out))
        hand = self.rows[told.event.hands] = row
        for one, those in hunters.items():
            self.went_out[one] = (told.event.hands, before[one])
            for at, other in enumerate(those):  # the odd chips go to the first
                self.hunted[other] += self.heads[one] // len(those) + (at < self.heads[one] % len(those))
            self.heads[one] = 0
        self.stacks = {one: self.stacks[one] for one in hand if self.stacks[one]}

    def _answers(self) -> None:
        """Some rebuy, some say no, some leave, some are silent; now and then it is cancelled meanwhile."""
        rng, told = self.rng, self.told
        while told.asked and told.event.is_running:
            name = rng.choice(told.asked)
            match rng.choice(["rebuy", "rebuy", "rebuy", "no", "leave", "silence", "cancel"]):
                case "rebuy":
                    bounty = rng.random() < 0.5
                    told.answer(name, bounty=bounty)
                    self._pay(name, self.bounty if bounty else 0)
                    del self.went_out[name]
                case "no":
                    told.answer(name, rebuys=False)
                case "leave":
                    told.do(c.LeaveByChoice(ID[name]))
                case "silence":
                    told.now += 30_000
                    told.do(c.CloseRebuys())
                case _ if rng.random() < 0.05:
                    self._cancel()

    def _agree(self) -> None:
        """Somebody offers to divide the prizes; mostly all agree."""
        rng, told = self.rng, self.told
        kind, row = rng.choice(list(AgreementKind)), list(self.stacks)
        stacks = tuple((ID[one], self.stacks[one]) for one in row)
        left = sum(self.table()[: len(row)])
        cuts = sorted(rng.randint(0, left) for _ in row[1:])
        amounts = [high - low for low, high in zip([0, *cuts], [*cuts, left], strict=True)]
        self.agreed = dict(zip(row, amounts, strict=True)) if kind is AgreementKind.AMOUNTS else {}
        given = tuple((ID[one], chips) for one, chips in self.agreed.items())
        try:
            told.do(c.OfferAgreement(ID[rng.choice(row)], kind, stacks, given))
            for name in row:
                if told.event.is_running and ID[name] in told.event.voters:
                    told.do(c.AnswerAgreement(ID[name], rng.random() < 0.9))
        except LawError:
            return

    # counted again

    def table(self) -> list[int]:
        """The prizes, the first first, counted again."""
        pool, entrants = sum(self.paid.values()), len(self.paid)
        percents = self.own[:entrants] or preset_percents(self.preset, entrants)
        prizes = [pool * percent // sum(percents) for percent in percents]
        for at in range(pool - sum(prizes)):
            prizes[at] += 1
        return prizes + [0] * (entrants - len(prizes))

    def worth(self) -> dict[str, tuple[int, int]]:
        """What the ranks go by: the hand that each went out in, and their stack before it."""
        last = self.told.event.hands + 1
        return self.went_out | {one: (last, chips) for one, chips in self.stacks.items()}

    def prizes(self) -> Chips:
        """What everybody gets by rank."""
        worth, table, paid = self.worth(), self.table(), {}
        for value in set(worth.values()):
            above = sum(other > value for other in worth.values())
            row = self.rows.get(value[0], list(self.stacks))
            tied = sorted([one for one, other in worth.items() if other == value], key=row.index)
            chips = sum(table[above : above + len(tied)])
            paid |= {one: chips // len(tied) + (at < chips % len(tied)) for at, one in enumerate(tied)}
        return {one: chips for one, chips in paid.items() if chips}


def check(seed: int) -> SitAndGoStatus:
    tournament = Tournament(seed)
    tournament.play()
    told, event = tournament.told, tournament.told.event
    assert sum(told.paid.values()) == event.pool == sum(tournament.paid.values()), "every buy-in and rebuy is paid"
    assert all(chips > 0 for chips in (*told.paid.values(), *told.bounties.values()))
    due = {one: chips + tournament.hunted[one] for one, chips in tournament.heads.items()}
    assert told.bounties == {one: chips for one, chips in due.items() if chips}, "bounties, apart from it"
    if event.status is SitAndGoStatus.CANCELLED:
        return event.status
    worth = tournament.worth()
    recounted = {ID[one]: 1 + sum(other > mine for other in worth.values()) for one, mine in worth.items()}
    assert {one.entrant.player: one.rank for one in finishes(event)} == recounted, "ranked by law"
    if event.end_reason is EndReason.AGREED:
        amounts = {one: told.paid.get(one, 0) for one in tournament.agreed}
        assert amounts == tournament.agreed
        return event.status
    assert event.end_reason in (EndReason.WON, EndReason.ASLEEP)
    assert told.paid == tournament.prizes(), "prizes by rank"
    if event.end_reason is EndReason.WON:
        assert len(tournament.stacks) == 1
    return event.status


DUEL_EACH = 5
"""So often one of them is a duel."""


def check_any(seed: int) -> None:
    """Play a tournament or a duel, and compare what it came to."""
    if seed % DUEL_EACH:
        check(seed)
    else:
        check_duel(seed)


@pytest.mark.law("SG-9", "SG-10", "SG-11", "SG-12", "SG-13")
def test_random_tournaments_pay_every_chip_by_rank() -> None:
    for seed in range(25):
        check(seed)


@pytest.mark.law("SG-12", "SG-13", "SG-16", "BO-1")
def test_random_duels_end_and_pay_every_chip() -> None:
    ends = {check_duel(seed) for seed in range(120)}
    assert ends == set(EndReason)


@pytest.mark.full
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_tournaments_pay_every_chip(part: int) -> None:
    for seed in range(1_000 * part, 1_000 * (part + 1)):
        check_any(seed)
