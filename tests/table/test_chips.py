"""Chips come to a table by buy-ins and leave it with their players."""

import pytest

from bot.engine.errors import TableError
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import buy_in_limits, host_of
from bot.table.state import SeatStatus, StackChange
from tests.table.evening import MINUTE_MS, Evening, player_id

ANN, BO = player_id("Ann"), player_id("Bo")


def two(**house: object) -> Evening:
    evening = Evening(**house)  # type: ignore[arg-type]
    evening.sit_all(Ann=1, Bo=2)
    return evening


@pytest.mark.law("TL-1")
@pytest.mark.parametrize(
    ("chips", "fits"), [(1_999, False), (2_000, True), (20_000, True), (20_001, False), (0, False), (-5, False)]
)
def test_default_buy_in_is_twenty_to_two_hundred_big_blinds(chips: int, fits: bool) -> None:
    evening = Evening()
    if fits:
        evening.sit("Ann", 1, chips)
        assert evening.seat("Ann").stack == chips
    else:
        refusal = evening.refuses(c.TakeSeat(player_id("Ann"), "Ann", chips, 1), refusals.BuyInOutOfBounds)
        assert (refusal.value.minimum, refusal.value.maximum) == (2_000, 20_000)


@pytest.mark.law("TL-1", "H-4")
def test_table_can_set_its_own_buy_in() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, min_buyin=5_000, max_buyin=5_000))
    limits = buy_in_limits(evening.table, player_id("Ann"), evening.now)
    assert (limits.minimum, limits.maximum) == (5_000, 5_000)


@pytest.mark.law("TL-1")
def test_top_up_between_hands_is_immediate_up_to_maximum() -> None:
    evening = two()
    assert evening.ask(c.TopUp(player_id("Ann"), 4_000))[0] == e.ToppedUp(1, 4_000, evening.now)
    assert evening.seat("Ann").stack == 14_000
    assert evening.refuses(c.TopUp(player_id("Ann"), 6_001), refusals.TopUpTooLarge).value.maximum == 6_000
    evening.refuses(c.TopUp(player_id("Ann"), 0), refusals.TopUpTooLarge)
    evening.refuses(c.TopUp(player_id("Zoe"), 100), refusals.NotSeated)


@pytest.mark.law("TL-1", "TDA 27")
def test_top_up_during_a_hand_is_queued_up_to_maximum() -> None:
    evening = two()
    evening.wallets = {player_id("Ann"): 50_000}
    evening.begin_hand()
    evening.ask(c.TopUp(player_id("Ann"), 8_000))
    assert evening.ask(c.TopUp(player_id("Ann"), 12_000)) == (e.TopUpQueued(1, 20_000, evening.now),)
    assert evening.seat("Ann").stack == 10_000
    events = evening.end_hand({"Ann": -3_000, "Bo": 3_000})
    assert e.ToppedUp(1, 13_000, evening.now) in events
    assert evening.seat("Ann").stack == 20_000


@pytest.mark.law("TL-1")
def test_queued_top_up_is_limited_by_the_wallet() -> None:
    evening = two()
    evening.wallets = {player_id("Ann"): 700}
    evening.begin_hand()
    evening.ask(c.TopUp(player_id("Ann"), 5_000))
    evening.ask(c.TopUp(player_id("Bo"), 5_000))
    events = evening.end_hand()
    assert e.ToppedUp(1, 700, evening.now) in events
    assert e.TopUpCancelled(2, 5_000) in events
    assert evening.seat("Bo").queued_top_up == 0


@pytest.mark.law("TL-1")
def test_busted_player_sits_out_until_rebuy() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin_hand()
    events = evening.end_hand({"Ann": -10_000, "Bo": 10_000})
    assert e.PlayerBusted(1, evening.now + 5 * MINUTE_MS, evening.now) in events
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT
    assert evening.refuses(c.ComeBack(player_id("Ann")), refusals.RebuyRequired).value.minimum == 2_000
    evening.refuses(c.TopUp(player_id("Ann"), 1_999), refusals.BuyInOutOfBounds)
    evening.ask(c.TopUp(player_id("Ann"), 2_000))
    assert evening.seat("Ann").status is SeatStatus.PLAYING
    evening.begin_hand()
    assert 1 in evening.dealt


@pytest.mark.law("TL-1")
def test_rebuy_announced_during_the_hand_keeps_the_player_in() -> None:
    evening = two()
    evening.wallets = {player_id("Ann"): 9_000}
    evening.begin_hand()
    evening.ask(c.TopUp(player_id("Ann"), 5_000))
    evening.end_hand({"Ann": -10_000, "Bo": 10_000})
    assert evening.seat("Ann").stack == 5_000
    assert evening.seat("Ann").status is SeatStatus.PLAYING


@pytest.mark.law("TL-1")
def test_announced_rebuy_below_the_minimum_is_cancelled() -> None:
    evening = two()
    evening.wallets = {player_id("Ann"): 9_000}
    evening.begin_hand()
    evening.ask(c.TopUp(player_id("Ann"), 500))
    events = evening.end_hand({"Ann": -10_000, "Bo": 10_000})
    assert e.TopUpCancelled(1, 500) in events
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT


@pytest.mark.law("TL-1", "TL-33")
def test_busted_players_seat_is_kept_for_a_rebuy() -> None:
    evening = two()
    evening.play_hand({"Ann": -10_000, "Bo": 10_000})
    evening.wait(5 * 60)
    assert e.SeatLeft(1, player_id("Ann"), 0, evening.now, e.LeaveReason.BUSTED) in evening.ask(c.Tick())


@pytest.mark.law("TL-27")
def test_returning_within_an_hour_requires_chips_taken_away() -> None:
    evening = two()
    evening.play_hand({"Ann": 5_000, "Bo": -5_000})
    evening.leave("Ann")
    left_at = evening.now
    evening.wait(59 * 60)
    refusal = evening.refuses(c.TakeSeat(player_id("Ann"), "Ann", 10_000, 1), refusals.MustBringChipsBack)
    assert (refusal.value.minimum, refusal.value.until) == (15_000, left_at + 60 * MINUTE_MS)
    evening.sit("Ann", 1, 15_000)


@pytest.mark.law("TL-27")
def test_returning_player_can_exceed_the_maximum_buy_in() -> None:
    evening = Evening()
    evening.sit("Ann", 1, 20_000)
    evening.sit_all(Bo=2, Cy=3)
    evening.play_hand({"Ann": 10_000, "Cy": -10_000})
    evening.leave("Ann")
    evening.refuses(c.TakeSeat(player_id("Ann"), "Ann", 20_000, 1), refusals.MustBringChipsBack)
    evening.sit("Ann", 1, 30_000)
    assert evening.seat("Ann").stack == 30_000


@pytest.mark.law("TL-27")
def test_table_limits_apply_again_after_an_hour() -> None:
    evening = two()
    evening.play_hand({"Ann": 5_000, "Bo": -5_000})
    evening.leave("Ann")
    evening.wait(3600)
    evening.sit("Ann", 1, 2_000)


@pytest.mark.law("TL-27")
def test_nothing_skims_chips_from_a_stack() -> None:
    """Chips leave a stack only in a hand, by an adjustment that everyone agrees to, and when the player leaves."""
    evening = two()
    evening.play_hand()
    evening.refuses(c.TopUp(player_id("Ann"), -500), refusals.TopUpTooLarge)


@pytest.mark.law("H-3")
def test_stack_adjustment_needs_consent_of_everyone() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand(put_in={"Ann": 400, "Bo": 400})
    evening.ask(c.ProposeStackAdjustment(player_id("Ann"), (StackChange(ANN, -300), StackChange(BO, 300))))
    evening.refuses(
        c.ProposeStackAdjustment(player_id("Bo"), (StackChange(ANN, -1), StackChange(BO, 1))), refusals.ProposalPending
    )
    evening.ask(c.Consent(player_id("Bo")))
    assert evening.seat("Bo").stack == 10_000
    evening.ask(c.Consent(player_id("Cy")))
    assert (evening.seat("Ann").stack, evening.seat("Bo").stack) == (9_700, 10_300)
    evening.assert_replays()


@pytest.mark.law("H-3")
def test_stack_adjustment_can_concern_several_players() -> None:
    """Ann and Bo got chips that belong to Cy and Di."""
    evening = two()
    evening.sit_all(Cy=3, Di=4)
    evening.play_hand(put_in=dict.fromkeys(("Ann", "Bo", "Cy", "Di"), 400))
    shifts = (("Ann", -300), ("Bo", -200), ("Cy", 400), ("Di", 100))
    evening.ask(
        c.ProposeStackAdjustment(player_id("Cy"), tuple(StackChange(player_id(name), chips) for name, chips in shifts))
    )
    for name in ("Ann", "Bo", "Di"):
        assert evening.seat("Cy").stack == 10_000
        evening.ask(c.Consent(player_id(name)))
    assert {seat.name: seat.stack for seat in evening.table.seats} == {
        "Ann": 9_700,
        "Bo": 9_800,
        "Cy": 10_400,
        "Di": 10_100,
    }
    evening.assert_replays()


@pytest.mark.law("H-3")
def test_stack_adjustment_waits_for_the_end_of_a_hand() -> None:
    evening = two()
    evening.play_hand(put_in={"Ann": 400, "Bo": 400})
    evening.begin_hand()
    evening.ask(c.ProposeStackAdjustment(player_id("Ann"), (StackChange(ANN, -300), StackChange(BO, 300))))
    evening.ask(c.Consent(player_id("Bo")))
    assert evening.seat("Bo").stack == 10_000
    events = evening.end_hand({"Ann": -9_800, "Bo": 9_800})
    assert e.ProposalWithdrawn(0) in events  # Ann no longer has the chips
    assert evening.seat("Ann").stack == 200


@pytest.mark.law("H-3")
@pytest.mark.parametrize(
    ("shifts", "refusal"),
    [
        ((), refusals.AdjustmentEmpty),
        ((StackChange(ANN, 5),), refusals.AdjustmentNotBalanced),
        ((StackChange(ANN, -20_000), StackChange(BO, 20_000)), refusals.AdjustmentTooLarge),
    ],
)
def test_stack_adjustment_creates_no_chips(shifts: tuple[StackChange, ...], refusal: type[TableError]) -> None:
    evening = two()
    evening.play_hand(put_in={"Ann": 20_000, "Bo": 20_000})
    evening.refuses(c.ProposeStackAdjustment(player_id("Ann"), shifts), refusal)
    evening.refuses(
        c.ProposeStackAdjustment(ANN, (StackChange(ANN, -5), StackChange(player_id("Zoe"), 5))), refusals.NotSeated
    )


def test_host_opened_the_table_or_has_sat_longest() -> None:
    evening = Evening(host="Zoe")
    evening.sit_all(Bo=2)
    evening.wait(5)
    evening.sit_all(Ann=1)
    assert host_of(evening.table) == player_id("Zoe")
    evening.sit("Zoe", 3)
    evening.leave("Zoe")
    assert host_of(evening.table) == player_id("Bo")
    evening.leave("Bo")
    assert host_of(evening.table) == player_id("Ann")
    evening.sit("Zoe", 3)
    assert host_of(evening.table) == player_id("Zoe")


@pytest.mark.law("H-3")
def test_stacks_are_adjusted_for_a_hand_of_this_table() -> None:
    """Nobody gives chips away before a hand, nor to somebody who was in none with them."""
    evening = two()
    shift = c.ProposeStackAdjustment(ANN, (StackChange(ANN, -5), StackChange(BO, 5)))
    evening.refuses(shift, refusals.AdjustmentNotOfOneHand)
    evening.play_hand(put_in={"Ann": 100, "Bo": 100})
    evening.sit("Cy", 3)
    to_cy = c.ProposeStackAdjustment(ANN, (StackChange(ANN, -5), StackChange(player_id("Cy"), 5)))
    evening.refuses(to_cy, refusals.AdjustmentNotOfOneHand)
    evening.ask(shift)


@pytest.mark.law("H-3")
def test_nobody_gains_more_than_others_put_in() -> None:
    """Ann put in 150, Bo 100, Cy nothing: Bo can get 150, all adjustments together; Cy, who lost nothing, 250."""
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand(put_in={"Ann": 150, "Bo": 100, "Cy": 0})

    def give(chips: int, to: str) -> c.ProposeStackAdjustment:
        return c.ProposeStackAdjustment(ANN, (StackChange(ANN, -chips), StackChange(player_id(to), chips)))

    assert evening.refuses(give(151, "Bo"), refusals.AdjustmentGainsTooMuch).value.maximum == 150
    evening.refuses(give(251, "Cy"), refusals.AdjustmentGainsTooMuch)
    evening.ask(give(100, "Bo"))
    for name in ("Bo", "Cy"):
        evening.ask(c.Consent(player_id(name)))
    assert evening.seat("Bo").stack == 10_100
    assert evening.refuses(give(51, "Bo"), refusals.AdjustmentGainsTooMuch).value.maximum == 50
    evening.ask(give(50, "Bo"))
    evening.assert_replays()


@pytest.mark.law("H-3")
def test_adjustment_concerns_the_last_hand_of_its_players() -> None:
    """Ann and Bo go on alone: their next hand is the one that counts for them, an earlier one for Cy."""
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand(put_in={"Ann": 150, "Bo": 100, "Cy": 100})
    evening.ask(c.SitOut(player_id("Cy")))
    evening.play_hand(put_in={"Ann": 20, "Bo": 20})
    to_bo = c.ProposeStackAdjustment(ANN, (StackChange(ANN, -21), StackChange(BO, 21)))
    assert evening.refuses(to_bo, refusals.AdjustmentGainsTooMuch).value.maximum == 20
    evening.ask(c.ProposeStackAdjustment(ANN, (StackChange(ANN, -150), StackChange(player_id("Cy"), 150))))


@pytest.mark.law("H-3")
def test_pot_that_was_lost_cannot_be_given_away_again() -> None:
    """Ann loses 2,000 to Bo in a hand. An adjustment can give them back; it cannot take 2,000 more from Ann, or from Cy."""
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand({"Ann": -2_000, "Bo": 2_100, "Cy": -100})

    def give(giver: str, chips: int, to: str) -> c.ProposeStackAdjustment:
        return c.ProposeStackAdjustment(ANN, (StackChange(player_id(giver), -chips), StackChange(player_id(to), chips)))

    evening.refuses(give("Ann", 1, "Bo"), refusals.AdjustmentGainsTooMuch)
    assert evening.refuses(give("Cy", 1, "Ann"), refusals.AdjustmentGivesTooMuch).value.maximum == 0
    assert evening.refuses(give("Bo", 2_101, "Ann"), refusals.AdjustmentGainsTooMuch).value.maximum == 2_100
    evening.ask(give("Bo", 2_000, "Ann"))
    for name in ("Bo", "Cy"):
        evening.ask(c.Consent(player_id(name)))
    assert (evening.seat("Ann").stack, evening.seat("Bo").stack) == (10_000, 10_100)
    assert evening.refuses(give("Bo", 101, "Cy"), refusals.AdjustmentGivesTooMuch).value.maximum == 100
    evening.assert_replays()
