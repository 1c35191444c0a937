"""Who gives chips to whom is told from what everybody could see, and a pattern needs more than bad luck."""

from __future__ import annotations

import copy
from itertools import count

import pytest

from bot.ledger.accounts import AccountKind, TransferReason
from bot.ledger.flow import GIFT_MS, FlowBook, FlowPattern, PairFlow

ANN, BO, CY = (place << 60 for place in (1, 2, 3))  # accounts that were made years apart
MINT, WALLET, SEAT, POT = AccountKind.MINT, AccountKind.WALLET, AccountKind.SEAT, AccountKind.POT
R = TransferReason


class Evening:
    """Transfers as hands make them, a minute for each hand."""

    def __init__(self) -> None:
        self.book, self.now, self.tables = FlowBook(), 0, count(1)

    def gift(self, user: int, chips: int = 1_000, reason: R = R.DAILY) -> None:
        self.book.add(self.now, reason, 0, MINT, 0, WALLET, user, chips)

    def open(self, *users: int, chips: int = 1_000) -> int:
        table = next(self.tables)
        for user in users:
            self.book.add(self.now, R.BUY_IN, table, WALLET, user, SEAT, user, chips)
        return table

    def put_in(self, table: int, user: int, chips: int, reason: R = R.BET) -> None:
        self.book.add(self.now, reason, table, SEAT, user, POT, 0, chips)

    def gets(self, table: int, user: int, chips: int, reason: R = R.WON) -> None:
        self.book.add(self.now, reason, table, POT, 0, SEAT, user, chips)

    def folds_to(self, table: int, giver: int, taker: int, chips: int) -> None:
        """The giver puts in chips and folds to the taker's raise, which comes back."""
        self.now += 60_000
        self.put_in(table, giver, 10, R.POST)
        self.put_in(table, giver, chips - 10)
        self.put_in(table, taker, chips + 50)
        self.gets(table, taker, 50, R.RETURNED)
        self.gets(table, taker, 2 * chips)

    def loses_showdown(self, table: int, giver: int, taker: int, chips: int) -> None:
        self.now += 60_000
        self.put_in(table, giver, 10, R.POST)
        self.put_in(table, giver, chips - 10)
        self.put_in(table, taker, chips)
        self.gets(table, taker, 2 * chips)

    def leave(self, table: int, user: int, chips: int) -> None:
        self.book.add(self.now, R.CASH_OUT, table, SEAT, user, WALLET, user, chips)

    def flow(self, giver: int, taker: int) -> PairFlow:
        (found,) = [flow for flow in copy.deepcopy(self.book).flows() if (flow.giver, flow.taker) == (giver, taker)]
        return found


def test_pair_that_folds_big_bets_alone_is_an_alarm() -> None:
    evening = Evening()
    for _ in range(3):
        evening.gift(ANN)
        table = evening.open(ANN, BO)
        evening.folds_to(table, ANN, BO, 900)
        evening.leave(table, ANN, 100)
    flow = evening.flow(ANN, BO)
    assert flow.patterns == (FlowPattern.GIVES_UP, FlowPattern.AFTER_GIFTS, FlowPattern.EMPTIED, FlowPattern.ALONE)
    assert (flow.chips, flow.hands, flow.gave_up, flow.gave_up_chips, flow.after_gifts) == (2_700, 3, 3, 2_700, 3)
    assert flow.is_alarm and evening.book.flows()[0] == flow


def test_friends_who_win_and_lose_alone_are_no_alarm() -> None:
    evening = Evening()
    table = evening.open(ANN, BO, chips=10_000)
    for _ in range(10):
        evening.loses_showdown(table, ANN, BO, 300)
        evening.loses_showdown(table, BO, ANN, 200)
    flow = evening.flow(ANN, BO)
    assert (flow.chips, flow.sizeable, flow.sizeable_won, flow.patterns) == (1_000, 20, 10, (FlowPattern.ALONE,))
    assert not flow.is_alarm


def test_losing_every_big_pot_and_every_gift_is_an_alarm() -> None:
    evening = Evening()
    table = evening.open(ANN, BO, CY, chips=10_000)
    for _ in range(15):
        evening.loses_showdown(table, ANN, BO, 400)
    assert evening.flow(ANN, BO).patterns == (FlowPattern.ALWAYS_LOSES,)
    for _ in range(3):
        evening.gift(ANN, 500)
        evening.loses_showdown(table, ANN, BO, 400)
    flow = evening.flow(ANN, BO)
    assert flow.patterns == (FlowPattern.ALWAYS_LOSES, FlowPattern.AFTER_GIFTS) and flow.is_alarm


def test_gift_lost_hours_later_counts_for_nothing() -> None:
    evening = Evening()
    table = evening.open(ANN, BO, CY, chips=10_000)
    for _ in range(4):
        evening.gift(ANN, 500)
        evening.now += GIFT_MS
        evening.loses_showdown(table, ANN, BO, 500)
    assert evening.flow(ANN, BO).after_gifts == 0


def test_all_in_for_less_is_not_given_up() -> None:
    """Ann is all-in for 1,000 and Bo's 1,050 come back in part: nobody has folded."""
    evening = Evening()
    for _ in range(3):
        evening.folds_to(evening.open(ANN, BO), ANN, BO, 1_000)
    assert evening.flow(ANN, BO).gave_up == 0


def test_player_who_empties_several_others_is_an_alarm() -> None:
    """Ten mules each bring what they have and lose it in one hand. Two such are no reason to look, nor one who loses a part."""

    def farm(mules: int, lost: int = 2_000) -> list[PairFlow]:
        evening = Evening()
        for number in range(mules):
            evening.now += 24 * 3_600_000
            evening.loses_showdown(evening.open(ANN + (number << 50), BO, chips=2_000), ANN + (number << 50), BO, lost)
        return [flow for flow in evening.book.flows() if flow.is_alarm]

    assert len(farm(10)) == 10 and farm(10)[0].patterns == (
        FlowPattern.COLLECTS, FlowPattern.EMPTIED, FlowPattern.ALONE,
    )  # fmt: skip
    assert farm(2) == [] == farm(10, lost=1_500)


def test_losses_are_shared_among_those_who_won() -> None:
    evening = Evening()
    table = evening.open(ANN, BO, CY)
    for user in (ANN, BO, CY):
        evening.put_in(table, user, 300)
    evening.gets(table, BO, 500)
    evening.gets(table, CY, 400)
    assert [(flow.giver, flow.taker, flow.chips) for flow in evening.book.flows()] == [
        (ANN, BO, 167), (ANN, CY, 133), (CY, BO, 33),
    ]  # fmt: skip


def test_cancelled_hands_and_hands_begun_before_are_left_out() -> None:
    evening = Evening()
    table = evening.open(ANN, BO)
    evening.gets(table, BO, 700)  # the pot was filled before the first transfer that is read
    evening.put_in(table, ANN, 300)
    evening.put_in(table, BO, 300)
    evening.gets(table, ANN, 300, R.VOID_REFUND)
    evening.gets(table, BO, 300, R.VOID_REFUND)
    assert evening.book.flows() == ()


def test_one_who_collects_from_several_is_named() -> None:
    evening = Evening()
    givers = [place << 60 for place in range(4, 7)]
    for giver in givers:
        for _ in range(2):
            evening.folds_to(evening.open(giver, BO), giver, BO, 900)
    for flow in evening.book.flows():
        assert FlowPattern.COLLECTS in flow.patterns and flow.collected_from == 3


@pytest.mark.parametrize(
    ("other", "together"),
    [(ANN + (9 * 60_000 << 22), True), (ANN + (11 * 60_000 << 22), False)],
    ids=["9 min", "11 min"],
)
def test_accounts_made_in_the_same_minutes_are_told(other: int, together: bool) -> None:
    evening = Evening()
    evening.loses_showdown(evening.open(ANN, other, CY), ANN, other, 100)
    assert (FlowPattern.TOGETHER in evening.flow(ANN, other).patterns) is together


@pytest.mark.parametrize(("minutes", "together"), [(10, True), (11, False)])
def test_newcomers_of_the_same_minutes_are_told(minutes: int, together: bool) -> None:
    """They are known since their opening grant. Of somebody who has had none since, nothing is told."""
    evening = Evening()
    evening.gift(ANN, reason=R.GRANT)
    evening.now += minutes * 60_000
    evening.gift(BO, reason=R.GRANT)
    evening.gift(CY, reason=R.DAILY)
    table = evening.open(ANN, BO, CY)
    evening.loses_showdown(table, ANN, BO, 100)
    evening.loses_showdown(table, ANN, CY, 100)
    assert (FlowPattern.TOGETHER in evening.flow(ANN, BO).patterns) is together
    assert FlowPattern.TOGETHER not in evening.flow(ANN, CY).patterns


def test_one_who_gave_up_once_is_not_told() -> None:
    """Nor one whose stack nobody has seen: they were at the table before the first transfer that is read."""
    evening = Evening()
    evening.folds_to(evening.open(ANN, BO, CY), ANN, BO, 900)
    evening.folds_to(next(evening.tables), ANN, BO, 900)
    table = evening.open(ANN, BO, CY)
    evening.leave(table, ANN, 1_000)
    evening.folds_to(table, ANN, BO, 900)  # she came back with chips of which nothing is known
    flow = evening.flow(ANN, BO)
    assert flow.gave_up == 1 and FlowPattern.GIVES_UP not in flow.patterns and not flow.is_alarm


@pytest.mark.law("H-3")
def test_corrections_that_all_go_one_way_are_told() -> None:
    evening = Evening()
    table = evening.open(ANN, BO, CY)
    for _ in range(2):
        evening.book.add(evening.now, R.ADJUSTED, table, SEAT, ANN, SEAT, BO, 100)
    flow = evening.flow(ANN, BO)
    assert (flow.chips, flow.corrections, flow.patterns) == (200, 2, (FlowPattern.CORRECTED,))


@pytest.mark.law("BO-1")
def test_prizes_come_from_those_who_lost_by_them() -> None:
    """Three pay 1,000 to play a sit-and-go; the first gets 2,000, the second their own 1,000 back."""
    evening = Evening()
    for user in (ANN, BO, CY):
        evening.book.add(0, R.ENTRY, 7, WALLET, user, AccountKind.ESCROW, 0, 1_000)
    assert evening.book.flows() == ()
    for user, chips in ((ANN, 2_000), (BO, 1_000)):
        evening.book.add(1, R.PRIZE, 7, AccountKind.ESCROW, 0, WALLET, user, chips)
    (flow,) = evening.book.flows()
    assert (flow.giver, flow.taker, flow.chips) == (CY, ANN, 1_000)


def test_entries_that_come_back_are_no_flow() -> None:
    evening = Evening()
    for user in (ANN, BO):
        evening.book.add(0, R.ENTRY, 7, WALLET, user, AccountKind.ESCROW, 0, 1_000)
        evening.book.add(1, R.ENTRY_BACK, 7, AccountKind.ESCROW, 0, WALLET, user, 1_000)
    assert evening.book.flows() == ()
