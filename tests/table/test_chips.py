"""Chips that come to the table and leave it."""

import pytest

from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.queries import buy_in, host_of
from bot.table.state import ChipShift, SeatState
from tests.table.story import MINUTE, Evening, player

ANN, BO = player("Ann"), player("Bo")


def two(**house: object) -> Evening:
    evening = Evening(**house)  # type: ignore[arg-type]
    evening.seats(Ann=1, Bo=2)
    return evening


@pytest.mark.law("TL-1")
@pytest.mark.parametrize(
    ("chips", "fits"), [(1_999, False), (2_000, True), (20_000, True), (20_001, False), (0, False), (-5, False)]
)
def test_one_sits_down_with_twenty_to_two_hundred_big_blinds(chips: int, fits: bool) -> None:
    evening = Evening()
    if fits:
        evening.sit("Ann", 1, chips)
        assert evening.seat("Ann").stack == chips
    else:
        refusal = evening.refuses(c.Sit(player("Ann"), "Ann", chips, 1), errors.BuyInOutOfBounds)
        assert (refusal.value.least, refusal.value.most) == (2_000, 20_000)


@pytest.mark.law("TL-1", "H-4")
def test_unless_the_table_says_otherwise() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, min_buyin=5_000, max_buyin=5_000))
    limits = buy_in(evening.table, player("Ann"), evening.now)
    assert (limits.least, limits.most) == (5_000, 5_000)


@pytest.mark.law("TL-1")
def test_between_deals_chips_are_added_at_once_up_to_the_maximum() -> None:
    evening = two()
    assert evening.ask(c.TopUp(player("Ann"), 4_000))[0] == e.ToppedUp(1, 4_000, evening.now)
    assert evening.seat("Ann").stack == 14_000
    assert evening.refuses(c.TopUp(player("Ann"), 6_001), errors.TopUpTooLarge).value.most == 6_000
    evening.refuses(c.TopUp(player("Ann"), 0), errors.TopUpTooLarge)
    evening.refuses(c.TopUp(player("Zoe"), 100), errors.NotSeated)


@pytest.mark.law("TL-1")
def test_during_a_deal_they_are_queued_for_the_next_up_to_the_maximum() -> None:
    evening = two()
    evening.wallets = {player("Ann"): 50_000}
    evening.begin()
    evening.ask(c.TopUp(player("Ann"), 8_000))
    assert evening.ask(c.TopUp(player("Ann"), 12_000)) == (e.TopUpQueued(1, 20_000, evening.now),)
    assert evening.seat("Ann").stack == 10_000
    happened = evening.end({"Ann": -3_000, "Bo": 3_000})
    assert e.ToppedUp(1, 13_000, evening.now) in happened
    assert evening.seat("Ann").stack == 20_000


@pytest.mark.law("TL-1")
def test_a_queued_top_up_is_only_as_large_as_the_wallet() -> None:
    evening = two()
    evening.wallets = {player("Ann"): 700}
    evening.begin()
    evening.ask(c.TopUp(player("Ann"), 5_000))
    evening.ask(c.TopUp(player("Bo"), 5_000))
    happened = evening.end()
    assert e.ToppedUp(1, 700, evening.now) in happened
    assert e.TopUpDropped(2, 5_000) in happened
    assert evening.seat("Bo").queued == 0


@pytest.mark.law("TL-1")
def test_who_has_lost_everything_sits_out_until_he_buys_in_again() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin()
    happened = evening.end({"Ann": -10_000, "Bo": 10_000})
    assert e.Busted(1, evening.now + 5 * MINUTE, evening.now) in happened
    assert evening.seat("Ann").state is SeatState.OUT
    assert evening.refuses(c.Back(player("Ann")), errors.RebuyFirst).value.least == 2_000
    evening.refuses(c.TopUp(player("Ann"), 1_999), errors.BuyInOutOfBounds)
    evening.ask(c.TopUp(player("Ann"), 2_000))
    assert evening.seat("Ann").state is SeatState.IN
    evening.begin()
    assert 1 in evening.dealt


@pytest.mark.law("TL-1")
def test_a_rebuy_announced_during_the_hand_keeps_him_in() -> None:
    evening = two()
    evening.wallets = {player("Ann"): 9_000}
    evening.begin()
    evening.ask(c.TopUp(player("Ann"), 5_000))
    evening.end({"Ann": -10_000, "Bo": 10_000})
    assert evening.seat("Ann").stack == 5_000
    assert evening.seat("Ann").state is SeatState.IN


@pytest.mark.law("TL-1")
def test_but_not_for_less_than_the_minimum() -> None:
    evening = two()
    evening.wallets = {player("Ann"): 9_000}
    evening.begin()
    evening.ask(c.TopUp(player("Ann"), 500))
    happened = evening.end({"Ann": -10_000, "Bo": 10_000})
    assert e.TopUpDropped(1, 500) in happened
    assert evening.seat("Ann").state is SeatState.OUT


@pytest.mark.law("TL-1", "TL-33")
def test_an_empty_seat_is_kept_for_a_rebuy_for_a_while() -> None:
    evening = two()
    evening.hand({"Ann": -10_000, "Bo": 10_000})
    evening.later(5 * 60)
    assert e.SeatLeft(1, player("Ann"), 0, evening.now, e.LeaveReason.BUSTED) in evening.ask(c.Tick())


@pytest.mark.law("TL-27")
def test_within_the_hour_one_brings_back_what_one_took_away() -> None:
    evening = two()
    evening.hand({"Ann": 5_000, "Bo": -5_000})
    evening.leave("Ann")
    left_at = evening.now
    evening.later(59 * 60)
    refusal = evening.refuses(c.Sit(player("Ann"), "Ann", 10_000, 1), errors.BringBack)
    assert (refusal.value.least, refusal.value.until) == (15_000, left_at + 60 * MINUTE)
    evening.sit("Ann", 1, 15_000)


@pytest.mark.law("TL-27")
def test_even_above_the_maximum() -> None:
    evening = Evening()
    evening.sit("Ann", 1, 20_000)
    evening.seats(Bo=2, Cy=3)
    evening.hand({"Ann": 10_000, "Cy": -10_000})
    evening.leave("Ann")
    evening.refuses(c.Sit(player("Ann"), "Ann", 20_000, 1), errors.BringBack)
    evening.sit("Ann", 1, 30_000)
    assert evening.seat("Ann").stack == 30_000


@pytest.mark.law("TL-27")
def test_after_an_hour_the_tables_limits_are_back() -> None:
    evening = two()
    evening.hand({"Ann": 5_000, "Bo": -5_000})
    evening.leave("Ann")
    evening.later(3600)
    evening.sit("Ann", 1, 2_000)


@pytest.mark.law("TL-27")
def test_chips_are_not_skimmed() -> None:
    """Nothing takes chips from a stack but the hands, an adjustment that everybody agrees to, and getting up."""
    evening = two()
    evening.hand()
    evening.refuses(c.TopUp(player("Ann"), -500), errors.TopUpTooLarge)


@pytest.mark.law("H-3")
def test_an_equitable_adjustment_needs_everybodys_consent() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.hand()
    evening.ask(c.ProposeAdjustment(player("Ann"), (ChipShift(ANN, -300), ChipShift(BO, 300))))
    evening.refuses(c.ProposeAdjustment(player("Bo"), (ChipShift(ANN, -1), ChipShift(BO, 1))), errors.ProposalPending)
    evening.ask(c.Consent(player("Bo")))
    assert evening.seat("Bo").stack == 10_000
    evening.ask(c.Consent(player("Cy")))
    assert (evening.seat("Ann").stack, evening.seat("Bo").stack) == (9_700, 10_300)
    evening.replays()


@pytest.mark.law("H-3")
def test_an_adjustment_may_concern_as_many_as_it_has_to() -> None:
    """Ann and Bo were paid what was Cy's and Di's."""
    evening = two()
    evening.seats(Cy=3, Di=4)
    evening.hand()
    shifts = (("Ann", -300), ("Bo", -200), ("Cy", 400), ("Di", 100))
    evening.ask(c.ProposeAdjustment(player("Cy"), tuple(ChipShift(player(name), chips) for name, chips in shifts)))
    for name in ("Ann", "Bo", "Di"):
        assert evening.seat("Cy").stack == 10_000
        evening.ask(c.Consent(player(name)))
    assert {seat.name: seat.stack for seat in evening.table.seats} == {
        "Ann": 9_700,
        "Bo": 9_800,
        "Cy": 10_400,
        "Di": 10_100,
    }
    evening.replays()


@pytest.mark.law("H-3")
def test_and_it_comes_only_between_deals() -> None:
    evening = two()
    evening.begin()
    evening.ask(c.ProposeAdjustment(player("Ann"), (ChipShift(ANN, -300), ChipShift(BO, 300))))
    evening.ask(c.Consent(player("Bo")))
    assert evening.seat("Bo").stack == 10_000
    happened = evening.end({"Ann": -9_800, "Bo": 9_800})
    assert e.ProposalDropped(0) in happened  # Ann no longer has the chips
    assert evening.seat("Ann").stack == 200


@pytest.mark.law("H-3")
@pytest.mark.parametrize("shifts", [(), (ChipShift(ANN, 5),), (ChipShift(ANN, -20_000), ChipShift(BO, 20_000))])
def test_an_adjustment_makes_no_chips(shifts: tuple[ChipShift, ...]) -> None:
    evening = two()
    evening.refuses(c.ProposeAdjustment(player("Ann"), shifts), errors.ChipsFromNowhere)
    evening.refuses(c.ProposeAdjustment(ANN, (ChipShift(ANN, -5), ChipShift(player("Zoe"), 5))), errors.NotSeated)


def test_the_host_is_who_opened_the_table_else_the_longest_seated() -> None:
    evening = Evening(host="Zoe")
    evening.seats(Bo=2)
    evening.later(5)
    evening.seats(Ann=1)
    assert host_of(evening.table) == player("Zoe")
    evening.sit("Zoe", 3)
    evening.leave("Zoe")
    assert host_of(evening.table) == player("Bo")
    evening.leave("Bo")
    assert host_of(evening.table) == player("Ann")
    evening.sit("Zoe", 3)
    assert host_of(evening.table) == player("Zoe")
