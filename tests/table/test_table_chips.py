"""Table chips: everybody starts with the same, buys again as the host allows, and the book of the game sums to zero at every moment."""

from contextlib import suppress

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.engine.options.types import Options
from bot.engine.options.values import StakesRule
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.book import rebuy_offer, standings
from bot.table.finish_hand import finish_hand
from bot.table.queries import next_due_at
from bot.table.settings import ChipKind, RebuyRule
from bot.table.state import RebuyOffer, SeatStatus, StackChange, Standing, TableStatus
from tests.table.evening import MINUTE_MS, Evening, player_id

ANN, BO, CY, DEE = (player_id(name) for name in ("Ann", "Bo", "Cy", "Dee"))
STAFF = player_id("Sue")
ROBOT = -101


def home(rebuy: RebuyRule = RebuyRule.FREE, **house: object) -> Evening:
    """A game of table chips at 50/100, hosted by Ann. Everybody starts with 10,000."""
    return Evening(chips=ChipKind.TABLE, rebuy=rebuy, **house)


def three(rebuy: RebuyRule = RebuyRule.FREE) -> Evening:
    evening = home(rebuy)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    return evening


def line(evening: Evening, name: str) -> Standing:
    return next(one for one in standings(evening.table) if one.player == player_id(name))


def bust(evening: Evening, loser: str, winner: str) -> None:
    """The loser loses everything to the winner."""
    evening.begin_hand()
    chips = evening.seat(loser).stack
    evening.end_hand({loser: -chips, winner: chips})


def rebuy(name: str) -> c.TopUp:
    return c.TopUp(player_id(name), 0)


def answers(name: str, asker: str, *, yes: bool) -> c.AnswerRebuy:
    return c.AnswerRebuy(player_id(name), player_id(asker), yes)


# Buying in


@pytest.mark.law("TC-2")
def test_everybody_starts_with_a_hundred_big_blinds() -> None:
    evening = home()
    assert evening.table.settings.starting_stack == 10_000
    evening.sit("Ann", 1, 10_000)
    refused = evening.refuses(c.TakeSeat(BO, "Bo", 5_000), refusals.StartingStackOnly)
    assert (refused.value.chips, refused.value.returning) == (10_000, False)
    assert line(evening, "Ann") == Standing(ANN, "Ann", 1, 10_000, 10_000, 0, 0, True)


@pytest.mark.law("TC-3", "TC-4")
@pytest.mark.parametrize(
    ("rule", "offer"),
    [(RebuyRule.FREE, RebuyOffer.NOW), (RebuyRule.HOST, RebuyOffer.ASK), (RebuyRule.NEVER, RebuyOffer.SPENT)],
)
def test_player_without_chips_is_offered_what_the_game_allows(rule: RebuyRule, offer: RebuyOffer) -> None:
    evening = three(rule)
    assert rebuy_offer(evening.table, evening.seat("Bo")) is RebuyOffer.NONE, "with a whole stack"
    bust(evening, "Bo", "Ann")
    assert rebuy_offer(evening.table, evening.seat("Bo")) is offer
    if offer is RebuyOffer.ASK:
        with suppress(refusals.HostIsAsked):
            evening.ask(rebuy("Bo"))
        assert rebuy_offer(evening.table, evening.seat("Bo")) is RebuyOffer.ASKED


@pytest.mark.law("TC-2")
@pytest.mark.parametrize(("chips", "fits"), [(1_999, False), (2_000, True), (100_000, True), (100_001, False)])
def test_starting_stack_is_twenty_to_a_thousand_big_blinds(chips: int, fits: bool) -> None:
    if fits:
        assert home(starting_stack=chips).table.settings.starting_stack == chips
    else:
        with pytest.raises(refusals.SettingOutOfBounds):
            home(starting_stack=chips)


@pytest.mark.law("TC-2")
def test_change_of_stakes_leaves_the_starting_stack() -> None:
    evening = home()
    doubled = replace(evening.table.settings, stakes=Stakes(small_blind=1_000, big_blind=2_000))
    evening.ask(c.ChangeSettings(ANN, doubled))
    assert evening.table.settings.stakes.big_blind == 2_000
    assert evening.table.settings.starting_stack == 10_000
    evening.sit("Ann", 1, 10_000)


@pytest.mark.law("TC-7")
def test_table_chips_need_table_stakes() -> None:
    with pytest.raises(refusals.TableChipsNeedTableStakes):
        Evening(Options(stakes=StakesRule.OPEN_PURSE), chips=ChipKind.TABLE)


@pytest.mark.law("TC-1")
def test_kind_of_chips_stays() -> None:
    evening = home()
    server = replace(evening.table.settings, chips=ChipKind.SERVER, starting_stack=0)
    evening.refuses(c.ChangeSettings(ANN, server), refusals.ChipsCannotChange)


# Buying again


@pytest.mark.law("TC-3")
def test_bust_player_buys_again_and_plays_the_next_deal() -> None:
    evening = three()
    bust(evening, "Cy", "Ann")
    assert evening.seat("Cy").status is SeatStatus.SITTING_OUT
    evening.ask(rebuy("Cy"))
    assert evening.seat("Cy").stack == 10_000
    assert evening.seat("Cy").status is SeatStatus.PLAYING
    assert line(evening, "Cy") == Standing(CY, "Cy", 2, 20_000, 10_000, -10_000, 1, True)
    evening.begin_hand()
    assert 3 in evening.dealt


@pytest.mark.law("TC-3")
@pytest.mark.parametrize(("lost", "fits"), [(4_999, False), (5_000, True), (7_300, True)])
def test_half_the_starting_stack_may_be_filled_up(lost: int, fits: bool) -> None:
    evening = three()
    evening.play_hand({"Cy": -lost, "Ann": lost})
    if fits:
        evening.ask(rebuy("Cy"))
        assert evening.seat("Cy").stack == 10_000
        assert line(evening, "Cy").bought == 10_000 + lost
    else:
        assert evening.refuses(rebuy("Cy"), refusals.StackTooLargeForRebuy).value.stack == 10_000 - lost


@pytest.mark.law("TC-3", "TL-1")
@pytest.mark.parametrize(("result", "filled"), [(-6_000, True), (-10_000, True), (-4_000, False), (3_000, False)])
def test_rebuy_asked_for_in_a_deal_is_judged_afterwards(result: int, filled: bool) -> None:
    evening = three()
    evening.begin_hand()
    evening.ask(rebuy("Cy"))
    evening.ask(rebuy("Cy"))  # pressed twice
    assert evening.seat("Cy").stack == 10_000
    evening.end_hand({"Cy": result, "Ann": -result})
    assert evening.seat("Cy").stack == (10_000 if filled else 10_000 + result)
    assert line(evening, "Cy").buy_ins == 1 + filled
    assert evening.seat("Cy").queued_top_up == 0


@pytest.mark.law("TC-3")
@pytest.mark.parametrize(("rule", "times"), [(RebuyRule.NEVER, 0), (RebuyRule.ONCE, 1), (RebuyRule.THREE, 3)])
def test_host_limits_the_rebuys_of_each_person(rule: RebuyRule, times: int) -> None:
    evening = three(rule)
    for _ in range(times):
        bust(evening, "Cy", "Ann")
        evening.ask(rebuy("Cy"))
    bust(evening, "Cy", "Ann")
    assert evening.refuses(rebuy("Cy"), refusals.NoMoreRebuys).value.maximum == times
    bust(evening, "Bo", "Ann")
    assert line(evening, "Bo").buy_ins == 1


@pytest.mark.law("TC-3", "TL-12")
def test_rebuy_leaves_missed_blinds_owed() -> None:
    evening = three()
    evening.play_hand({"Cy": -6_000, "Ann": 6_000})
    evening.sit_out("Cy")
    for _ in range(3):
        evening.play_hand()
    assert evening.seat("Cy").owes_big
    evening.ask(rebuy("Cy"))
    assert evening.seat("Cy").owes_big
    assert evening.seat("Cy").status is SeatStatus.SITTING_OUT


# The host is asked


@pytest.mark.law("TC-4")
def test_host_says_yes() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Cy", "Bo")
    assert evening.ask(rebuy("Cy")) == (e.RebuyAsked(CY, "Cy", evening.now),)
    assert evening.refuses(rebuy("Cy"), refusals.HostIsAsked).value.host == ANN
    assert evening.refuses(answers("Bo", "Cy", yes=True), refusals.RebuyNotYours).value.host == ANN
    evening.ask(answers("Ann", "Cy", yes=True))
    assert evening.seat("Cy").stack == 10_000
    evening.refuses(answers("Ann", "Cy", yes=False), refusals.RebuyAnsweredAlready)


@pytest.mark.law("TC-4")
def test_no_stands_for_ten_minutes() -> None:
    evening = three(RebuyRule.HOST)
    evening.play_hand({"Cy": -6_000, "Bo": 6_000})
    evening.ask(rebuy("Cy"))
    evening.ask(answers("Ann", "Cy", yes=False))
    evening.wait(599)
    assert evening.refuses(rebuy("Cy"), refusals.RebuyRefused).value.until == evening.now + 1_000
    evening.wait(1)
    evening.ask(rebuy("Cy"))
    assert evening.table.rebuy_requests[0].is_pending


@pytest.mark.law("TC-4")
def test_host_never_answers_for_themselves() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Ann", "Bo")
    evening.ask(rebuy("Ann"))
    assert evening.refuses(answers("Ann", "Ann", yes=True), refusals.RebuyNotYours).value.host == BO
    evening.ask(answers("Bo", "Ann", yes=True))
    assert evening.seat("Ann").stack == 10_000


@pytest.mark.law("TC-4")
def test_question_goes_on_to_next_host_then_to_everybody() -> None:
    evening = home(RebuyRule.HOST)
    evening.sit_all(Ann=1, Bo=2, Cy=3, Dee=4)
    bust(evening, "Dee", "Bo")
    evening.ask(rebuy("Dee"))
    asked = evening.now
    assert next_due_at(evening.table) <= asked + MINUTE_MS

    evening.now = asked + MINUTE_MS
    assert evening.ask(c.Tick()) == (e.RebuyPassedOn(DEE, 1, evening.now),)
    evening.refuses(answers("Cy", "Dee", yes=True), refusals.RebuyNotYours)

    evening.now = asked + 2 * MINUTE_MS
    assert evening.ask(c.Tick()) == (e.RebuyPassedOn(DEE, 2, evening.now),)
    assert evening.refuses(answers("Cy", "Dee", yes=False), refusals.RebuyNotYours).value.only_yes
    evening.ask(answers("Cy", "Dee", yes=True))
    assert evening.seat("Dee").stack == 10_000


@pytest.mark.law("TC-4")
def test_next_host_can_say_no_after_a_minute() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Cy", "Bo")
    evening.ask(rebuy("Cy"))
    evening.wait(60)
    evening.ask(c.Tick())
    evening.ask(answers("Bo", "Cy", yes=False))
    evening.refuses(rebuy("Cy"), refusals.RebuyRefused)


@pytest.mark.law("TC-4")
def test_no_answer_in_five_minutes_is_a_yes() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Cy", "Bo")
    evening.ask(rebuy("Cy"))
    asked = evening.now
    for _ in range(3):
        evening.now = min(asked + 5 * MINUTE_MS, evening.now + 2 * MINUTE_MS)
        evening.ask(c.Tick())
    assert evening.seat("Cy").stack == 10_000, "the seat is kept while the host is asked"
    assert evening.table.rebuy_requests == ()


@pytest.mark.law("TC-4", "TC-3")
def test_yes_in_a_deal_counts_from_the_next() -> None:
    evening = three(RebuyRule.HOST)
    evening.begin_hand()
    evening.ask(rebuy("Cy"))
    evening.ask(answers("Ann", "Cy", yes=True))
    assert evening.seat("Cy").queued_top_up
    evening.end_hand({"Cy": -10_000, "Bo": 10_000})
    assert evening.seat("Cy").stack == 10_000


@pytest.mark.law("TC-4")
def test_break_stops_the_clock_of_a_question() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Cy", "Bo")
    evening.ask(rebuy("Cy"))
    evening.wait(10)
    for name in ("Ann", "Bo"):
        evening.ask(c.AskForBreak(player_id(name), 10))
    assert evening.table.on_break
    evening.wait(600)
    evening.ask(c.Tick())
    assert not evening.table.on_break
    assert evening.ask(c.Tick()) == ()
    evening.wait(50)
    assert evening.ask(c.Tick()) == (e.RebuyPassedOn(CY, 1, evening.now),)


@pytest.mark.law("TC-4", "TC-9")
def test_question_lapses_with_another_rule() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Cy", "Bo")
    evening.ask(rebuy("Cy"))
    evening.ask(c.ChangeSettings(ANN, replace(evening.table.settings, rebuy=RebuyRule.FREE)))
    evening.ask(c.Consent(BO))
    evening.ask(c.Consent(CY))
    assert evening.table.rebuy_requests == ()
    evening.ask(rebuy("Cy"))
    assert evening.seat("Cy").stack == 10_000


# Leaving and coming back


@pytest.mark.law("TC-5")
@pytest.mark.parametrize("minutes", [1, 61, 300])
def test_who_returns_brings_exactly_what_they_took(minutes: int) -> None:
    evening = three()
    evening.play_hand({"Cy": 3_500, "Ann": -3_500})
    evening.leave("Cy")
    evening.wait(60 * minutes)
    for chips in (10_000, 13_499, 13_501):
        assert evening.refuses(c.TakeSeat(CY, "Cy", chips), refusals.StartingStackOnly).value.returning
    evening.ask(c.TakeSeat(CY, "Cynthia", 13_500, 3))
    assert line(evening, "Cy") == Standing(CY, "Cynthia", 1, 10_000, 13_500, 3_500, 1, True)


@pytest.mark.law("TC-5", "TC-3")
def test_who_took_nothing_away_needs_a_rebuy() -> None:
    evening = three(RebuyRule.ONCE)
    for times in (1, 2):
        bust(evening, "Cy", "Ann")
        evening.leave("Cy")
        if times == 1:
            evening.sit("Cy", 3, 10_000)
            assert line(evening, "Cy").buy_ins == 2
    evening.refuses(c.TakeSeat(CY, "Cy", 10_000, 3), refusals.NoMoreRebuys)


@pytest.mark.law("TC-5", "TC-4")
def test_host_is_asked_for_who_took_nothing_away() -> None:
    evening = three(RebuyRule.HOST)
    bust(evening, "Cy", "Bo")
    evening.leave("Cy")
    assert not evening.refuses(c.TakeSeat(CY, "Cy", 10_000, 3), refusals.HostIsAsked).value.until
    evening.ask(c.AskForRebuy(CY, "Cy"))
    assert evening.refuses(c.TakeSeat(CY, "Cy", 10_000, 3), refusals.HostIsAsked).value.until
    evening.ask(answers("Ann", "Cy", yes=True))
    evening.sit("Cy", 3, 10_000)
    assert line(evening, "Cy").buy_ins == 2
    bust(evening, "Cy", "Bo")
    evening.leave("Cy")
    evening.refuses(c.TakeSeat(CY, "Cy", 10_000, 3), refusals.HostIsAsked)


# Inside the book


@pytest.mark.law("TC-6", "H-3")
def test_adjustment_stays_in_the_book() -> None:
    evening = three()
    evening.play_hand({"Cy": -2_000, "Ann": 2_000})
    evening.ask(c.ProposeStackAdjustment(ANN, (StackChange(ANN, -1_500), StackChange(CY, 1_500))))
    evening.ask(c.Consent(BO))
    evening.ask(c.Consent(CY))
    assert [line(evening, name).net for name in ("Ann", "Bo", "Cy")] == [500, 0, -500]


@pytest.mark.law("TC-6", "I-1")
def test_cancelled_deal_changes_nothing() -> None:
    evening = three()
    before = standings(evening.table)
    evening.begin_hand()
    assert standings(evening.table) == before, "chips in the pot count to who put them in"
    evening.void_hand()
    assert standings(evening.table) == before


@pytest.mark.law("TC-6", "N-1")
def test_carried_pot_counts_to_who_put_it_in() -> None:
    evening = three()
    evening.begin_hand()
    evening.end_hand({"Ann": -300, "Bo": -300, "Cy": -300}, carried_chips=900)
    assert [one.net for one in standings(evening.table)] == [0, 0, 0]
    evening.begin_hand()
    evening.end_hand({"Ann": -100, "Bo": 1_000, "Cy": 0})
    assert [line(evening, name).net for name in ("Ann", "Bo", "Cy")] == [-400, 700, -300]


@pytest.mark.law("TC-6")
def test_carried_pot_goes_back_when_the_game_ends() -> None:
    evening = three()
    evening.begin_hand()
    evening.end_hand({"Ann": -300, "Bo": -100, "Cy": 0}, carried_chips=400)
    evening.ask(c.CloseTable(ANN))
    assert evening.table.status is TableStatus.CLOSED
    assert [(one.chips, one.net) for one in standings(evening.table)] == [(10_000, 0)] * 3


def correction(*changes: tuple[str, int], staff: bool = True, reason: str = "Miscounted") -> c.CorrectChips:
    """What a staff member corrects who does not play: what each of these gains, or loses below zero."""
    shifts = tuple(StackChange(player_id(name), chips) for name, chips in changes)
    return c.CorrectChips(STAFF, shifts, reason, staff)


def nets(evening: Evening, *names: str) -> list[int]:
    return [line(evening, name).net for name in names]


@pytest.mark.law("TC-6")
def test_correction_between_two_players_moves_their_nets() -> None:
    evening = three()
    evening.ask(correction(("Ann", -1_500), ("Cy", 1_500)))
    assert nets(evening, "Ann", "Bo", "Cy") == [-1_500, 0, 1_500]
    assert [line(evening, name).bought for name in ("Ann", "Cy")] == [10_000, 10_000]
    assert evening.seat("Cy").stack == 11_500


@pytest.mark.law("TC-6")
@pytest.mark.parametrize("chips", [-4_000, 2_500])
def test_correction_of_one_player_alone_changes_what_they_bought(chips: int) -> None:
    evening = three()
    evening.ask(correction(("Cy", chips)))
    assert line(evening, "Cy") == Standing(CY, "Cy", 1, 10_000 + chips, 10_000 + chips, 0, 0, True)


@pytest.mark.law("TC-6")
def test_whoever_has_left_is_corrected_in_what_they_took_away() -> None:
    evening = three()
    evening.leave("Cy")
    evening.ask(correction(("Cy", 700), ("Bo", -700)))
    assert nets(evening, "Ann", "Bo", "Cy") == [0, -700, 700]
    evening.sit("Cy", 3, 10_700)


@pytest.mark.law("TC-6")
def test_correction_in_a_deal_waits_for_its_end() -> None:
    evening = three()
    evening.begin_hand()
    evening.ask(correction(("Ann", -1_000), ("Bo", 1_000)))
    assert evening.seat("Ann").stack == 10_000
    evening.end_hand({"Ann": -2_000, "Cy": 2_000})
    assert nets(evening, "Ann", "Bo", "Cy") == [-3_000, 1_000, 2_000]
    assert evening.table.corrections == ()


@pytest.mark.law("TC-6")
def test_correction_lapses_whose_chips_were_lost_in_the_deal() -> None:
    evening = three()
    evening.begin_hand()
    evening.ask(correction(("Ann", -1_000), ("Bo", 1_000)))
    ended = evening.end_hand({"Ann": -10_000, "Cy": 10_000})
    assert any(isinstance(event, e.CorrectionLapsed) for event in ended)
    assert nets(evening, "Ann", "Bo", "Cy") == [-10_000, 0, 10_000]


@pytest.mark.law("TC-6")
def test_correction_brings_one_player_back_and_busts_another() -> None:
    evening = three()
    bust(evening, "Cy", "Ann")
    evening.ask(correction(("Bo", -10_000), ("Cy", 10_000)))
    assert evening.seat("Cy").status is SeatStatus.PLAYING
    assert evening.seat("Bo").status is SeatStatus.SITTING_OUT
    evening.ask(rebuy("Bo"))
    assert evening.seat("Bo").stack == 10_000


@pytest.mark.law("TC-6")
def test_correction_names_both_sides_or_one_player_of_the_book() -> None:
    evening = three()
    assert evening.refuses(correction(("Ann", 500), ("Bo", -300)), refusals.AdjustmentNotBalanced).value.total == 200
    evening.refuses(correction(("Ann", 0)), refusals.AdjustmentEmpty)
    evening.refuses(correction(("Dee", 500)), refusals.NotInBook)
    evening.refuses(correction(("Ann", -10_001), ("Bo", 10_001)), refusals.AdjustmentTooLarge)
    evening.play_hand({"Ann": 5_000, "Bo": -5_000})
    assert evening.refuses(correction(("Ann", -12_000)), refusals.BoughtTooLittle).value.maximum == 10_000
    evening.refuses(correction(("Ann", 500), staff=False), refusals.StaffOnly)
    evening.refuses(correction(("Ann", 500), reason=" "), refusals.ReasonMissing)


@pytest.mark.law("TC-6")
def test_only_table_chips_have_a_book_to_correct() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.refuses(correction(("Ann", 500), ("Bo", -500)), refusals.NoBookToCorrect)


@pytest.mark.law("TC-9", "H-1")
@pytest.mark.parametrize("change", [{"starting_stack": 20_000}, {"rebuy": RebuyRule.NEVER}])
def test_everybody_seated_agrees_to_another_starting_stack_or_rule(change: dict[str, object]) -> None:
    evening = three()
    evening.play_hand()
    changed = replace(evening.table.settings, **change)
    evening.ask(c.ChangeSettings(ANN, changed))
    evening.ask(c.Consent(BO))
    assert evening.table.settings != changed
    evening.ask(c.Consent(CY))
    assert evening.table.settings == changed
    assert evening.seat("Bo").stack == 10_000


def test_book_of_server_chips_tells_the_same() -> None:
    evening = Evening()
    evening.sit("Ann", 1, 10_000)
    evening.sit("Bo", 2, 5_000)
    evening.play_hand({"Bo": -5_000, "Ann": 5_000})
    evening.ask(c.TopUp(BO, 4_000))
    evening.leave("Ann")
    evening.sit("Ann", 1, 16_000)
    assert line(evening, "Ann") == Standing(ANN, "Ann", 2, 11_000, 16_000, 5_000, 1, True)
    assert line(evening, "Bo") == Standing(BO, "Bo", 2, 9_000, 4_000, -5_000, 1, True)


# Alone at the table


def alone() -> Evening:
    evening = home(RebuyRule.NEVER)
    evening.sit("Ann", 1)
    evening.ask(c.TakeSeat(ROBOT, "Robin", 10_000, 2, practice=True))
    return evening


@pytest.mark.law("TC-8")
def test_practice_player_leaves_when_somebody_comes_and_the_book_begins() -> None:
    evening = alone()
    lose_to_robot(evening, 4_000)
    evening.begin_hand()
    evening.sit("Bo", 3)
    assert evening.table.seat_of(ROBOT) is not None, "the deal is played to its end"
    evening.end_hand()
    assert evening.table.seat_of(ROBOT) is None
    assert [(seat.name, seat.stack) for seat in evening.table.seats] == [("Ann", 10_000), ("Bo", 10_000)]
    assert [(one.name, one.bought, one.net, one.hands) for one in standings(evening.table)] == [
        ("Ann", 10_000, 0, 0),
        ("Bo", 10_000, 0, 0),
    ]


def lose_to_robot(evening: Evening, chips: int) -> None:
    """Ann loses chips to the practice player."""
    evening.begin_hand()
    stacks = {1: evening.seat("Ann").stack - chips, 2: evening.seat_at(2).stack + chips}
    evening.apply(*finish(evening, stacks))


def finish(evening: Evening, stacks: dict[int, int], carried: int = 0) -> tuple[e.TableEvent, ...]:
    return finish_hand(evening.table, stacks, evening.now, {}, carried_chips=carried)  # type: ignore[arg-type]


@pytest.mark.law("TC-8")
def test_practising_costs_no_rebuy() -> None:
    evening = alone()
    lose_to_robot(evening, 10_000)
    evening.ask(rebuy("Ann"))
    assert evening.seat("Ann").stack == 10_000
    evening.sit("Bo", 3)
    assert line(evening, "Ann").buy_ins == 1


@pytest.mark.law("TC-8")
def test_no_practice_player_where_a_book_is_kept() -> None:
    evening = home()
    evening.sit_all(Ann=1, Bo=2)
    evening.refuses(c.TakeSeat(ROBOT, "Robin", 10_000, 3, practice=True), refusals.PracticeTablesOnly)
    evening.leave("Bo")
    evening.refuses(c.TakeSeat(ROBOT, "Robin", 10_000, 3, practice=True), refusals.PracticeTablesOnly)
    one = alone()
    one.refuses(c.TakeSeat(ROBOT - 1, "Rob", 10_000, 3, practice=True), refusals.PracticeTablesOnly)


# Any evening


names = st.sampled_from(("Ann", "Bo", "Cy", "Dee", "Eve"))


class AnyGame(RuleBasedStateMachine):
    """Buy-ins, rebuys, answers, corrections, hands, carried pots, voids, leaving, returns, removals, the end; any order, refused or not."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = home(RebuyRule.HOST)

    def try_to(self, command: c.TableCommand) -> None:
        with suppress(TableError):
            self.evening.ask(command)

    @property
    def over(self) -> bool:
        return self.evening.table.status is TableStatus.CLOSED

    @rule(rule_=st.sampled_from(RebuyRule), chips=st.sampled_from((5_000, 10_000, 20_000)))
    def change_rules(self, rule_: RebuyRule, chips: int) -> None:
        self.try_to(c.ChangeSettings(ANN, replace(self.evening.table.settings, rebuy=rule_, starting_stack=chips)))
        for seat in self.evening.table.seats:
            self.try_to(c.Consent(seat.player))

    @rule(name=names)
    def sit(self, name: str) -> None:
        taken = self.evening.table.book_line(player_id(name))
        chips = taken.taken if taken is not None and taken.taken else self.evening.table.settings.starting_stack
        self.try_to(c.TakeSeat(player_id(name), name, chips))

    @rule()
    def practise(self) -> None:
        self.try_to(c.TakeSeat(ROBOT, "Robin", self.evening.table.settings.starting_stack, practice=True))

    @rule(name=names)
    def buy_again(self, name: str) -> None:
        self.try_to(rebuy(name))
        self.try_to(c.AskForRebuy(player_id(name), name))

    @rule(name=names, asker=names, yes=st.booleans())
    def answer(self, name: str, asker: str, yes: bool) -> None:
        self.try_to(answers(name, asker, yes=yes))

    @rule(name=names)
    def leave(self, name: str) -> None:
        self.try_to(c.LeaveTable(player_id(name)))

    @rule(name=names)
    def remove(self, name: str) -> None:
        self.try_to(c.RemovePlayer(ANN, player_id(name), keep_out=True))
        self.try_to(c.InvitePlayers(ANN, (player_id(name),)))

    @rule(one=names, other=names, chips=st.integers(-12_000, 12_000), bought=st.booleans())
    def correct(self, one: str, other: str, chips: int, bought: bool) -> None:
        self.try_to(correction((one, chips)) if bought else correction((one, chips), (other, -chips)))

    @rule(seconds=st.sampled_from((1, 60, 120, 300, 700)))
    def wait(self, seconds: int) -> None:
        self.evening.wait(seconds)
        if not self.over and self.evening.table.running_hand is None:
            self.try_to(c.Tick())

    @rule(part=st.integers(0, 100), carried=st.booleans(), void=st.booleans(), press=names)
    def play(self, part: int, carried: bool, void: bool, press: str) -> None:
        evening = self.evening
        if self.over or evening.table.running_hand is not None or not evening.table.next_hand_at:
            return
        evening.begin_hand()
        self.buy_again(press)
        self.leave(press)
        self.correct(press, "Ann", part * 100, bought=carried)
        if void:
            evening.void_hand()
            return
        numbers = evening.dealt
        stacks = {number: evening.seat_at(number).stack for number in numbers}
        running = evening.table.running_hand
        pot = running.carried_before if running is not None else 0
        for number in numbers:
            lost = stacks[number] * part // 100
            stacks[number] -= lost
            pot += lost
        if not carried:
            stacks[numbers[0]] += pot
            pot = 0
        evening.wait(60)
        evening.apply(*finish(evening, stacks, pot))

    @rule()
    def close(self) -> None:
        if len(self.evening.journal) > 60:
            self.try_to(c.CloseTable(ANN))

    @invariant()
    def book_is_at_zero(self) -> None:
        table = self.evening.table
        if any(seat.practice for seat in table.seats):
            return  # the book has not begun (TC-8)
        assert sum(one.net for one in standings(table)) == 0
        assert all(one.chips >= 0 for one in standings(table))

    def teardown(self) -> None:
        self.evening.assert_replays()


AnyGame.TestCase.settings = hypothesis_settings(
    max_examples=60, stateful_step_count=50, deadline=None, derandomize=True
)
TestAnyGame = pytest.mark.law("TC-1", "TC-6")(AnyGame.TestCase)
