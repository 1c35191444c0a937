"""What a table agrees on, who may change it, waiting lists, voiding and closing."""

import pytest
from msgspec.structs import replace

from bot.engine.options import Options, Switch
from bot.engine.stakes import BigBlindNotDouble, Stakes, StakesNotAgreed
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.decide import decide
from bot.table.queries import check_void, due_at, may_void
from bot.table.settings import Nudge
from bot.table.state import Status
from tests.table.story import MINUTE, SECOND, START, Evening, player, settings

BIGGER = settings(stakes=Stakes(small_blind=100, big_blind=200, bank_seconds=60))


def two(**house: object) -> Evening:
    evening = Evening(**house)  # type: ignore[arg-type]
    evening.seats(Ann=1, Bo=2)
    return evening


@pytest.mark.law("H-4")
def test_a_table_opens_only_with_its_stakes_agreed() -> None:
    with pytest.raises(StakesNotAgreed) as caught:
        decide(None, c.Open(1, settings(stakes=Stakes())), START)
    assert caught.value.missing == ("small_blind", "big_blind")
    with pytest.raises(BigBlindNotDouble):
        decide(None, c.Open(1, settings(stakes=Stakes(small_blind=50, big_blind=120))), START)


@pytest.mark.law("P-6")
def test_no_more_seats_than_the_pack_serves() -> None:
    omaha_like = replace(settings().card, steps=(*settings().card.steps, *settings().card.steps), seats_max=8)
    with pytest.raises(errors.PackCannotServe) as caught:
        decide(None, c.Open(1, settings(Options(max_seats=12), card=omaha_like)), START)
    assert caught.value.most == 9  # 4 each, two boards' worth of cards and burns: (52 - 16) / 4


@pytest.mark.law("P-1")
def test_no_fewer_seats_than_the_game_needs() -> None:
    with pytest.raises(errors.GameSeats) as caught:
        decide(None, c.Open(1, settings(Options(max_seats=2), card=replace(settings().card, seats_min=3))), START)
    assert caught.value.law == "VB-6"


@pytest.mark.law("TL-30", "TL-31")
@pytest.mark.parametrize("seconds", [14, 24 * 3600 + 1])
def test_a_turn_has_fifteen_seconds_to_a_day(seconds: int) -> None:
    with pytest.raises(errors.SettingOutOfBounds):
        decide(None, c.Open(1, settings(stakes=Stakes(small_blind=1, big_blind=2, turn_seconds=seconds))), START)


@pytest.mark.law("H-1")
def test_before_the_first_deal_the_host_alone_sets_the_laws() -> None:
    evening = two()
    evening.refuses(c.ChangeSettings(player("Bo"), BIGGER), errors.HostOnly)
    evening.ask(c.ChangeSettings(player("Ann"), BIGGER))
    assert evening.table.settings.stakes.big_blind == 200


@pytest.mark.law("H-1")
def test_later_they_change_only_with_everybodys_consent() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.hand()
    evening.ask(c.ChangeSettings(player("Ann"), BIGGER, staff=True))
    assert evening.table.settings.stakes.big_blind == 100
    evening.ask(c.Consent(player("Bo")))
    evening.ask(c.Consent(player("Bo")))
    happened = evening.ask(c.Consent(player("Cy")))
    assert e.SettingsChanged(BIGGER, evening.now) in happened
    assert evening.table.proposal is None
    evening.replays()


@pytest.mark.law("H-1")
def test_the_laws_do_not_change_during_a_deal() -> None:
    evening = two()
    evening.begin()
    evening.ask(c.ChangeSettings(player("Bo"), BIGGER))
    evening.ask(c.Consent(player("Ann")))
    assert evening.table.settings.stakes.big_blind == 100
    evening.end()
    assert evening.table.settings.stakes.big_blind == 200
    assert evening.begin().started.stakes.big_blind == 200


@pytest.mark.law("H-1")
def test_one_objection_is_enough() -> None:
    evening = two()
    evening.hand()
    evening.ask(c.ChangeSettings(player("Ann"), BIGGER))
    evening.refuses(c.ChangeSettings(player("Bo"), settings(Options(straddle="live"))), errors.ProposalPending)  # type: ignore[arg-type]
    evening.ask(c.Object(player("Bo")))
    evening.refuses(c.Consent(player("Ann")), errors.NothingProposed)
    evening.refuses(c.Object(player("Ann")), errors.NothingProposed)


@pytest.mark.law("H-1")
def test_who_sits_down_meanwhile_is_asked_too_and_who_leaves_is_not() -> None:
    evening = two()
    evening.hand()
    evening.ask(c.ChangeSettings(player("Ann"), BIGGER))
    evening.sit("Cy", 3)
    evening.ask(c.Consent(player("Bo")))
    assert evening.table.proposal is not None
    evening.leave("Cy")
    assert evening.table.settings == BIGGER


@pytest.mark.law("H-1")
def test_house_matters_are_the_hosts() -> None:
    evening = two()
    evening.hand()
    quiet = replace(evening.table.settings, nudge=Nudge.NEVER, pause_seconds=10)
    evening.refuses(c.ChangeSettings(player("Bo"), quiet), errors.HostOnly)
    evening.ask(c.ChangeSettings(player("Ann"), quiet))
    assert evening.table.settings.nudge is Nudge.NEVER
    evening.refuses(c.ChangeSettings(player("Ann"), quiet), errors.NothingToChange)
    evening.refuses(c.ChangeSettings(player("Ann"), replace(quiet, practice=True)), errors.PracticeIsForGood)


@pytest.mark.law("H-2")
def test_a_house_rule_stands_in_writing() -> None:
    evening = two()
    noted = replace(evening.table.settings, options=Options(run_twice=Switch.OFF), notes=("No phones at the table.",))
    evening.ask(c.ChangeSettings(player("Ann"), noted))
    assert evening.table.settings.notes == ("No phones at the table.",)


@pytest.mark.law("P-3")
def test_a_cap_is_never_below_the_players_seated() -> None:
    evening = two()
    evening.sit("Cy", 9)
    refusal = evening.refuses(c.ChangeSettings(player("Ann"), settings(Options(max_seats=8))), errors.CapBelowSeated)
    assert refusal.value.seated == 9


# Waiting list


def full() -> Evening:
    evening = Evening(Options(max_seats=2))
    evening.seats(Ann=1, Bo=2)
    evening.ask(c.JoinWaitingList(player("Cy"), "Cy"))
    evening.ask(c.JoinWaitingList(player("Di"), "Di"))
    return evening


def test_the_next_in_line_is_offered_the_seat() -> None:
    evening = full()
    happened = evening.leave("Bo")
    assert e.SeatOffered(player("Cy"), evening.now + MINUTE) in happened
    refusal = evening.refuses(c.Sit(player("Zoe"), "Zoe", 10_000), errors.SeatsKept)
    assert refusal.value.waiting == 2
    evening.refuses(c.Sit(player("Di"), "Di", 10_000), errors.SeatsKept)
    evening.sit("Cy", 2)
    assert [one.name for one in evening.table.waiting] == ["Di"]


def test_an_offer_lapses_and_goes_to_the_next() -> None:
    evening = full()
    evening.leave("Bo")
    assert due_at(evening.table) == evening.now + MINUTE
    evening.later(60)
    happened = evening.ask(c.Tick())
    assert happened[:2] == (e.WaitingLeft(player("Cy"), lapsed=True), e.SeatOffered(player("Di"), evening.now + MINUTE))
    evening.ask(c.LeaveWaitingList(player("Di")))
    evening.sit("Zoe", 2)


def test_nobody_waits_twice_or_for_nothing() -> None:
    evening = full()
    assert evening.refuses(c.JoinWaitingList(player("Di"), "Di"), errors.AlreadyWaiting).value.place == 2
    evening.refuses(c.LeaveWaitingList(player("Zoe")), errors.NotWaiting)
    evening = two()
    evening.refuses(c.JoinWaitingList(player("Cy"), "Cy"), errors.SeatIsFree)


# Closing


def test_the_host_closes_and_everybody_is_paid() -> None:
    evening = two()
    evening.refuses(c.Close(player("Bo")), errors.HostOnly)
    happened = evening.ask(c.Close(player("Ann")))
    paid = [one.chips for one in happened if isinstance(one, e.SeatLeft)]
    assert paid == [10_000, 10_000]
    assert evening.table.status is Status.CLOSED
    evening.refuses(c.Sit(player("Cy"), "Cy", 10_000), errors.TableIsClosed)
    assert due_at(evening.table) == 0


def test_during_a_hand_a_table_closes_after_it() -> None:
    evening = two()
    evening.begin()
    evening.ask(c.Close(player("Zoe"), staff=True))
    assert evening.table.status is Status.CLOSING
    evening.refuses(c.Close(player("Ann")), errors.TableIsClosed)
    evening.refuses(c.Sit(player("Cy"), "Cy", 10_000), errors.TableIsClosed)
    happened = evening.end({"Ann": 400, "Bo": -400})
    assert isinstance(happened[-1], e.TableClosed)
    assert [one.chips for one in evening.table.departures] == [10_400, 9_600]
    evening.replays()


def test_an_idle_table_closes_itself() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    evening.later(10 * 60 - 1)
    assert evening.ask(c.Tick()) == ()
    evening.later(1)
    happened = evening.ask(c.Tick())
    assert happened[-1] == e.TableClosed(evening.now, reason=e.CloseReason.IDLE)
    assert evening.table.seats == ()


def test_a_table_in_play_is_not_idle() -> None:
    evening = two()
    for _ in range(20):
        evening.hand()
        assert evening.ask(c.Tick()) == ()
    evening.begin()
    evening.later(3600)
    assert evening.ask(c.Tick()) == ()


# Voiding


@pytest.mark.law("I-1")
def test_only_staff_who_are_not_dealt_in_void_a_hand_and_say_why() -> None:
    evening = two()
    staff = player("Zoe")
    with pytest.raises(errors.NoHandRunning):
        check_void(evening.table, staff, "fouled pack", staff=True)
    evening.begin()
    assert may_void(evening.table, staff, staff=True)
    assert not may_void(evening.table, player("Ann"), staff=True)
    assert not may_void(evening.table, staff, staff=False)
    check_void(evening.table, staff, "fouled pack", staff=True)
    with pytest.raises(errors.StaffOnly):
        check_void(evening.table, staff, "fouled pack", staff=False)
    with pytest.raises(errors.DealtInMayNotVoid):
        check_void(evening.table, player("Ann"), "fouled pack", staff=True)
    with pytest.raises(errors.ReasonMissing):
        check_void(evening.table, staff, "  ", staff=True)


@pytest.mark.law("I-1", "TL-38")
def test_a_voided_hand_leaves_stacks_as_they_were_and_play_goes_on() -> None:
    evening = two()
    evening.begin()
    evening.leave("Bo")
    evening.sit("Cy", 3)
    happened = evening.void()
    assert evening.seat("Ann").stack == 10_000
    assert e.SeatLeft(2, player("Bo"), 10_000, evening.now) in happened
    assert evening.table.next_hand_at == evening.now + 6 * SECOND


def test_times_are_due_in_order() -> None:
    evening = two()
    assert due_at(evening.table) == START + 6 * SECOND
    evening.begin()
    assert due_at(evening.table) == 0
