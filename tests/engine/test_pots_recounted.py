"""Every pot recounted from the record of the hand alone: who can win it, who does, and where each odd chip goes.

The engine's own pots are not asked. Hands come from the machine that plays every game at any lawful table.

Source: laws TL-15, TL-16, TL-22, TL-23, TL-43, Q-1 to Q-4, B-6, B-18, TL-10, TL-14, I-8.
"""

import random
from collections import defaultdict

import pytest

from bot.engine import events as e
from bot.engine.hand import Hand
from bot.engine.options import values as o
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.hand_values import values_by_share
from bot.variants import CATALOGUE
from tests.engine.test_all_games_machine import UncheckedMachine

SLICE, FULL = 6, 400
_DECLARED = ("high", "low", "both")


class Recount:
    """The chips and actions of each seat, by the events alone."""

    def __init__(self, events: list[e.HandEvent]) -> None:
        started = events[0]
        assert isinstance(started, e.HandStarted)
        count = len(started.seat_numbers)
        self.put_in, self.early = [0] * count, [0] * count
        self.dead = started.carried
        self.live, self.mucked = set(range(count)), set[int]()
        self.last_aggressor = -1
        self.paid: tuple[e.Payment, ...] = ()
        for event in events[1:]:
            self.follow(event)

    def follow(self, event: e.HandEvent) -> None:
        match event:
            case e.Posted(seat, e.PostKind.DEAD, chips):
                self.dead += chips
            case e.PricePaid(seat=seat, chips=chips):
                self.dead += chips
            case (
                e.Posted(seat=seat, chips=chips)
                | e.Straddled(seat=seat, chips=chips)
                | e.Called(seat=seat, chips=chips)
            ):
                self.pay_in(seat, chips)
            case e.BetTo(seat=seat, chips=chips) | e.RaisedTo(seat=seat, chips=chips):
                self.pay_in(seat, chips)
                self.last_aggressor = seat
            case e.OutOfTurnChipsPutIn(seat=seat, chips=chips):
                self.early[seat] += chips
            case e.OutOfTurnChipsForfeited(seat=seat, chips=chips):
                self.dead += chips
                self.early[seat] = 0
            case e.OutOfTurnChipsReturned(seat=seat):
                self.early[seat] = 0
            case e.BettingRoundClosed(seat=seat, returned=chips) if chips:
                self.put_in[seat] -= chips
            case e.Folded(seat=seat):
                self.live.discard(seat)
                self.dead += self.early[seat]
                self.early[seat] = 0
            case e.Mucked(seat=seat):
                self.mucked.add(seat)
            case e.PotsPaid(payments=payments):
                self.paid = payments
            case _:
                pass

    def pay_in(self, seat: int, chips: int) -> None:
        """Chips that lay there early are among those an action puts in."""
        self.put_in[seat] += chips
        self.early[seat] = max(0, self.early[seat] - chips)

    def layers(self) -> list[tuple[int, set[int]]]:
        """Return the layers, main pot first: their chips, and the seats that filled them and have not folded."""
        levels = sorted({self.put_in[seat] for seat in self.live})
        found: list[tuple[int, set[int]]] = []
        below = 0
        for level in levels:
            upto = max(self.put_in) if level == levels[-1] else level
            chips = sum(min(paid, upto) - min(paid, below) for paid in self.put_in)
            found.append(
                (chips + (0 if found else self.dead), {seat for seat in self.live if self.put_in[seat] >= level})
            )
            below = level
        return [(chips, seats) for chips, seats in found if chips]


def recounted(hand: Hand, events: list[e.HandEvent]) -> int:
    """Recount a paid hand. Returns the number of contested pots."""
    count = Recount(events)
    if not count.paid:
        return 0
    standing = count.live - count.mucked
    if len(standing) == 1:
        assert {paid.seat for paid in count.paid} == standing
        assert sum(paid.chips for paid in count.paid) == sum(count.put_in) + count.dead
        return 0
    layers = count.layers()
    by_pot: dict[int, list[e.Payment]] = defaultdict(list)
    for paid in count.paid:
        by_pot[paid.pot_index].append(paid)
    assert set(by_pot) <= set(range(len(layers)))
    worth = values_by_share(hand, sorted(standing))
    for number, (chips, filled) in enumerate(layers):
        payments = by_pot[number]
        assert sum(paid.chips for paid in payments) == chips, f"pot {number}"
        eligible = filled & standing or standing
        assert {paid.seat for paid in payments} <= eligible
        if len(eligible) > 1:
            shared_out(hand, chips, sorted(eligible), payments, worth, count.last_aggressor)
    return sum(len(filled & standing) > 1 for _, filled in layers)


def shared_out(
    hand: Hand, chips: int, eligible: list[int], payments: list[e.Payment], worth: list[list[list[int]]], aggressor: int
) -> None:
    boards, shares = len(hand.board_indices), [share.name for share in hand.rules.rule_card.shares]
    declared = any(word in _DECLARED for word in hand.declarations)
    won_shares: list[tuple[int, list[int], dict[int, int]]] = []  # chips, who ties for them, who got what
    for board in range(boards):
        of_board = chips // boards + (board < chips % boards)  # the odd chip to the first board
        on_board = [paid for paid in payments if paid.board_index == board]
        assert sum(paid.chips for paid in on_board) == of_board
        if declared:
            for paid in on_board:
                assert (
                    hand.declarations[paid.seat] in (paid.share, "both")
                    or hand.declarations[paid.seat] not in _DECLARED
                )
            continue
        best = [max(worth[at][board][seat] for seat in eligible) for at in range(len(shares))]
        contested = [at for at in range(len(shares)) if best[at]]
        for place, at in enumerate(contested):
            of_share = of_board // len(contested) + (
                place < of_board % len(contested)
            )  # the odd chip to the first share
            won = {paid.seat: paid.chips for paid in on_board if paid.share == shares[at]}
            tied = [seat for seat in eligible if worth[at][board][seat] == best[at]]
            assert sum(won.values()) == of_share
            assert set(won) <= set(tied)
            if of_share:  # a share without a chip is nobody's: two chips on two boards leave none for the low hands
                won_shares.append((of_share, tied, won))
    same_hands = all(tied == won_shares[0][1] for _, tied, _ in won_shares)
    dealt, odd_in_all = 0, sum(of_share % len(tied) for of_share, tied, _ in won_shares)
    for of_share, tied, won in won_shares:
        each, odd = divmod(of_share, len(tied))
        lucky = {seat for seat in tied if won.get(seat, 0) == each + 1}
        assert all(won.get(seat, 0) in (each, each + 1) for seat in tied)
        assert len(lucky) == odd
        first = [aggressor] if aggressor in tied and hand.rules.options.odd_chip is o.OddChip.LAST_AGGRESSOR else []
        if same_hands and odd_in_all % len(tied) == 0:
            first = []  # nobody gets more than the others in the end
        order = [*first, *(seat for seat in tied if seat not in first)]
        if odd and hand.rules.options.odd_chip in (o.OddChip.LEFT_OF_DEALER, o.OddChip.LAST_AGGRESSOR):
            assert lucky == {order[(dealt + at) % len(order)] for at in range(odd)}
        if same_hands:  # the odd chips of what the same hands win go round them, from one share to the next (TL-23)
            dealt += odd
    if same_hands and won_shares:
        totals = [sum(won.get(seat, 0) for _, _, won in won_shares) for seat in won_shares[0][1]]
        assert max(totals) - min(totals) <= 1


def recount_many(card: RuleCard, first: int, hands: int) -> int:
    contested = 0
    for seed in range(first, first + hands):
        machine = UncheckedMachine(random.Random(seed), card)
        try:
            machine.play()
            if not machine.hand.voided:
                contested += recounted(machine.hand, machine.events)
        except Exception as fault:
            fault.add_note(f"{card.key}, seed {seed}")
            raise
    return contested


@pytest.mark.law("TL-15", "TL-16", "TL-22", "TL-23", "TL-43", "Q-1", "Q-3", "Q-4", "B-18")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_pot_goes_to_its_best_eligible_hand(card: RuleCard) -> None:
    recount_many(card, 7_000, SLICE)


@pytest.mark.full
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_pot_of_many_hands(card: RuleCard) -> None:
    assert recount_many(card, 7_000_000, FULL)
