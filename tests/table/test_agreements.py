"""A table agrees on its rules and changes them by consent; waiting lists, voided hands, closing."""

import pytest
from msgspec.structs import replace

from bot.engine.options.types import Options
from bot.engine.options.values import StraddleRule, Switch
from bot.engine.stakes import BigBlindNotDouble, Stakes, StakesNotAgreed
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.decide import decide
from bot.table.picture_colours import Deck, Felt
from bot.table.queries import next_due_at, validate_void
from bot.table.settings import Nudge, Pictures
from bot.table.state import TableStatus
from bot.table.way_on import Awaited, WayOn, way_on
from tests.table.evening import MINUTE_MS, SECOND_MS, START_MS, Evening, player_id, settings

BIGGER = settings(stakes=Stakes(small_blind=100, big_blind=200, bank_seconds=60))


def two(**house: object) -> Evening:
    evening = Evening(**house)  # type: ignore[arg-type]
    evening.sit_all(Ann=1, Bo=2)
    return evening


@pytest.mark.law("H-4")
def test_table_opens_only_with_valid_stakes() -> None:
    with pytest.raises(StakesNotAgreed) as caught:
        decide(None, c.OpenTable(1, settings(stakes=Stakes())), START_MS)
    assert caught.value.missing == ("small_blind", "big_blind")
    with pytest.raises(BigBlindNotDouble):
        decide(None, c.OpenTable(1, settings(stakes=Stakes(small_blind=50, big_blind=120))), START_MS)


@pytest.mark.law("P-6")
def test_seat_count_is_limited_by_the_deck() -> None:
    omaha_like = replace(
        settings().rule_card, steps=(*settings().rule_card.steps, *settings().rule_card.steps), seats_max=8
    )
    with pytest.raises(refusals.DeckTooSmall) as caught:
        decide(None, c.OpenTable(1, settings(Options(max_seats=12), rule_card=omaha_like)), START_MS)
    assert caught.value.maximum == 9  # 4 each, two boards' worth of cards and burns: (52 - 16) / 4


@pytest.mark.law("P-1")
def test_table_has_at_least_the_seats_a_game_needs() -> None:
    with pytest.raises(refusals.SeatCountOutOfBounds) as caught:
        decide(
            None,
            c.OpenTable(1, settings(Options(max_seats=2), rule_card=replace(settings().rule_card, seats_min=3))),
            START_MS,
        )
    assert caught.value.law == "VB-6"


@pytest.mark.law("TL-30", "TL-31")
@pytest.mark.parametrize("seconds", [14, 7 * 24 * 3600 + 1])
def test_turn_lasts_fifteen_seconds_to_seven_days(seconds: int) -> None:
    with pytest.raises(refusals.SettingOutOfBounds):
        decide(
            None, c.OpenTable(1, settings(stakes=Stakes(small_blind=1, big_blind=2, turn_seconds=seconds))), START_MS
        )


@pytest.mark.law("H-1")
def test_host_alone_changes_laws_before_the_first_hand() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    evening.refuses(c.ChangeSettings(player_id("Bo"), BIGGER), refusals.HostOnly)
    evening.ask(c.ChangeSettings(player_id("Ann"), BIGGER))
    assert evening.table.settings.stakes.big_blind == 200


@pytest.mark.law("H-1")
def test_somebody_else_seated_consents_before_the_first_hand() -> None:
    """Bo sat down at blinds of 50/100: Ann cannot make them 100/200 without a word from Bo."""
    evening = two()
    evening.ask(c.ChangeSettings(player_id("Ann"), BIGGER))
    assert evening.table.settings.stakes.big_blind == 100
    evening.ask(c.Consent(player_id("Bo")))
    assert evening.table.settings.stakes.big_blind == 200


@pytest.mark.law("H-1")
def test_laws_change_later_only_with_everyones_consent() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand()
    evening.ask(c.ChangeSettings(player_id("Ann"), BIGGER, staff=True))
    assert evening.table.settings.stakes.big_blind == 100
    evening.ask(c.Consent(player_id("Bo")))
    evening.ask(c.Consent(player_id("Bo")))
    events = evening.ask(c.Consent(player_id("Cy")))
    assert e.SettingsChanged(BIGGER, evening.now) in events
    assert evening.table.proposal is None
    evening.assert_replays()


@pytest.mark.law("H-1")
def test_laws_do_not_change_during_a_hand() -> None:
    evening = two()
    evening.begin_hand()
    evening.ask(c.ChangeSettings(player_id("Bo"), BIGGER))
    evening.ask(c.Consent(player_id("Ann")))
    assert evening.table.settings.stakes.big_blind == 100
    evening.end_hand()
    assert evening.table.settings.stakes.big_blind == 200
    assert evening.begin_hand().started.stakes.big_blind == 200


@pytest.mark.law("H-1")
def test_new_stakes_call_players_by_name_for_thirty_seconds() -> None:
    """Bo agrees to 100/200. Nobody, not even the host with Deal, brings the first hand forward; later hands follow as usual."""
    evening = two()
    evening.play_hand()
    evening.ask(c.ChangeSettings(player_id("Ann"), BIGGER))
    evening.ask(c.Consent(player_id("Bo")))
    due = evening.now + 30_000
    assert evening.table.next_hand_at == due
    assert way_on(evening.table) == WayOn(Awaited.NEW_STAKES, (1, 2), at=due)
    evening.ask(c.StartHand(player_id("Ann")))
    assert evening.table.next_hand_at == due
    evening.ask(c.SitOut(player_id("Bo")))
    assert evening.table.next_hand_at == 0
    evening.ask(c.ComeBack(player_id("Bo")))
    assert evening.table.next_hand_at == due
    evening.wait(30)
    evening.play_hand()
    assert evening.table.next_hand_at == evening.now + 6_000
    evening.assert_replays()


@pytest.mark.law("H-1")
def test_agreed_clock_needs_no_pause() -> None:
    evening = two()
    evening.play_hand()
    due, calm = evening.table.next_hand_at, evening.table.settings
    evening.ask(c.ChangeSettings(player_id("Ann"), replace(calm, stakes=replace(calm.stakes, turn_seconds=60))))
    evening.ask(c.Consent(player_id("Bo")))
    assert evening.table.settings.stakes.turn_seconds == 60
    assert evening.table.next_hand_at == due


@pytest.mark.law("H-1")
@pytest.mark.parametrize("field", ["absent_minutes", "absent_orbits", "rebuy_minutes"])
def test_host_does_not_shorten_how_long_seats_are_kept(field: str) -> None:
    evening = two()
    evening.ask(c.ChangeSettings(player_id("Ann"), replace(evening.table.settings, **{field: 1})))
    assert getattr(evening.table.settings, field) > 1
    evening.ask(c.Consent(player_id("Bo")))
    assert getattr(evening.table.settings, field) == 1


@pytest.mark.law("H-1")
def test_single_objection_ends_a_proposal() -> None:
    evening = two()
    evening.play_hand()
    evening.ask(c.ChangeSettings(player_id("Ann"), BIGGER))
    evening.refuses(
        c.ChangeSettings(player_id("Bo"), settings(Options(straddle=StraddleRule.LIVE))), refusals.ProposalPending
    )
    evening.ask(c.RaiseObjection(player_id("Bo")))
    evening.refuses(c.Consent(player_id("Ann")), refusals.NothingProposed)
    evening.refuses(c.RaiseObjection(player_id("Ann")), refusals.NothingProposed)


@pytest.mark.law("H-1")
def test_consent_is_asked_of_everyone_seated_now() -> None:
    evening = two()
    evening.play_hand()
    evening.ask(c.ChangeSettings(player_id("Ann"), BIGGER))
    evening.sit("Cy", 3)
    evening.ask(c.Consent(player_id("Bo")))
    assert evening.table.proposal is not None
    evening.leave("Cy")
    assert evening.table.settings == BIGGER


@pytest.mark.law("H-1")
def test_host_changes_house_settings_alone() -> None:
    evening = two()
    evening.play_hand()
    quiet = replace(
        evening.table.settings,
        nudge=Nudge.NEVER,
        pause_seconds=10,
        pictures=Pictures.TEXT_ONLY,
        picture_deck=Deck.FILLED,
        felt=Felt.TOURNAMENT,
    )
    evening.refuses(c.ChangeSettings(player_id("Bo"), quiet), refusals.HostOnly)
    evening.ask(c.ChangeSettings(player_id("Ann"), quiet))
    assert evening.table.settings == quiet
    evening.refuses(c.ChangeSettings(player_id("Ann"), quiet), refusals.NothingToChange)
    evening.refuses(c.ChangeSettings(player_id("Ann"), replace(quiet, practice=True)), refusals.PracticeCannotChange)


@pytest.mark.law("H-2")
def test_house_rule_is_written_in_the_settings() -> None:
    evening = Evening()
    noted = replace(evening.table.settings, options=Options(run_twice=Switch.ON), notes=("No phones at the table.",))
    evening.ask(c.ChangeSettings(player_id("Ann"), noted))
    assert evening.table.settings.notes == ("No phones at the table.",)


@pytest.mark.law("P-3")
def test_seat_count_cannot_drop_below_taken_seats() -> None:
    evening = two()
    evening.sit("Cy", 9)
    refusal = evening.refuses(
        c.ChangeSettings(player_id("Ann"), settings(Options(max_seats=8))), refusals.SeatCountBelowSeated
    )
    assert refusal.value.highest_taken_seat == 9
    evening.leave("Cy")
    evening.sit("Dee", 8)
    assert evening.ask(c.ChangeSettings(player_id("Ann"), settings(Options(max_seats=8)))), "seat 8 stays"


# Waiting list


def full() -> Evening:
    evening = Evening(Options(max_seats=2))
    evening.sit_all(Ann=1, Bo=2)
    evening.ask(c.JoinWaitingList(player_id("Cy"), "Cy"))
    evening.ask(c.JoinWaitingList(player_id("Di"), "Di"))
    return evening


def test_first_waiting_player_is_offered_the_seat() -> None:
    evening = full()
    events = evening.leave("Bo")
    assert e.SeatOffered(player_id("Cy"), evening.now + MINUTE_MS) in events
    refusal = evening.refuses(c.TakeSeat(player_id("Zoe"), "Zoe", 10_000), refusals.SeatsReserved)
    assert refusal.value.waiting_count == 2
    evening.refuses(c.TakeSeat(player_id("Di"), "Di", 10_000), refusals.SeatsReserved)
    evening.sit("Cy", 2)
    assert [one.name for one in evening.table.waiting] == ["Di"]


def test_offer_lapses_and_goes_to_the_next_player() -> None:
    evening = full()
    evening.leave("Bo")
    assert next_due_at(evening.table) == evening.now + MINUTE_MS
    evening.wait(60)
    events = evening.ask(c.Tick())
    assert events[:2] == (
        e.WaitingListLeft(player_id("Cy"), lapsed=True),
        e.SeatOffered(player_id("Di"), evening.now + MINUTE_MS),
    )
    evening.ask(c.LeaveWaitingList(player_id("Di")))
    evening.sit("Zoe", 2)


def test_nobody_waits_twice_or_while_seats_are_free() -> None:
    evening = full()
    assert (
        evening.refuses(c.JoinWaitingList(player_id("Di"), "Di"), refusals.AlreadyOnWaitingList).value.waiting_position
        == 2
    )
    evening.refuses(c.LeaveWaitingList(player_id("Zoe")), refusals.NotOnWaitingList)
    evening = two()
    evening.refuses(c.JoinWaitingList(player_id("Cy"), "Cy"), refusals.SeatsAreFree)


# Closing


def test_host_closes_table_and_everyone_is_paid() -> None:
    evening = two()
    evening.refuses(c.CloseTable(player_id("Bo")), refusals.HostOnly)
    events = evening.ask(c.CloseTable(player_id("Ann")))
    paid = [one.chips for one in events if isinstance(one, e.SeatLeft)]
    assert paid == [10_000, 10_000]
    assert evening.table.status is TableStatus.CLOSED
    evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000), refusals.TableIsClosed)
    assert next_due_at(evening.table) == 0


def test_table_closed_during_a_hand_closes_after_it() -> None:
    evening = two()
    evening.begin_hand()
    evening.ask(c.CloseTable(player_id("Zoe"), staff=True))
    assert evening.table.status is TableStatus.CLOSING
    evening.refuses(c.CloseTable(player_id("Ann")), refusals.TableIsClosed)
    evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000), refusals.TableIsClosed)
    events = evening.end_hand({"Ann": 400, "Bo": -400})
    assert isinstance(events[-1], e.TableClosed)
    assert [one.chips for one in evening.table.departures] == [10_400, 9_600]
    evening.assert_replays()


def test_idle_table_closes_itself() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    evening.wait(10 * 60 - 1)
    assert evening.ask(c.Tick()) == ()
    evening.wait(1)
    events = evening.ask(c.Tick())
    assert events[-1] == e.TableClosed(evening.now, reason=e.CloseReason.IDLE)
    assert evening.table.seats == ()


def test_table_in_play_is_not_idle() -> None:
    evening = two()
    for _ in range(20):
        evening.play_hand()
        assert evening.ask(c.Tick()) == ()
    evening.begin_hand()
    evening.wait(3600)
    assert evening.ask(c.Tick()) == ()


# Voiding


@pytest.mark.law("I-1")
def test_only_uninvolved_staff_void_a_hand_with_a_reason() -> None:
    evening = two()
    staff = player_id("Zoe")
    with pytest.raises(refusals.NoHandRunning):
        validate_void(evening.table, staff, "fouled deck", staff=True)
    evening.begin_hand()
    validate_void(evening.table, staff, "fouled deck", staff=True)
    with pytest.raises(refusals.StaffOnly):
        validate_void(evening.table, staff, "fouled deck", staff=False)
    with pytest.raises(refusals.DealtInCannotVoid):
        validate_void(evening.table, player_id("Ann"), "fouled deck", staff=True)
    with pytest.raises(refusals.ReasonMissing):
        validate_void(evening.table, staff, "  ", staff=True)


@pytest.mark.law("I-1", "TL-38")
def test_voided_hand_restores_stacks_and_play_continues() -> None:
    evening = two()
    evening.begin_hand()
    evening.leave("Bo")
    evening.sit("Cy", 3)
    events = evening.void_hand()
    assert evening.seat("Ann").stack == 10_000
    assert e.SeatLeft(2, player_id("Bo"), 10_000, evening.now) in events
    assert evening.table.next_hand_at == evening.now + 6 * SECOND_MS


def test_next_due_time_is_the_earliest() -> None:
    evening = two()
    assert next_due_at(evening.table) == START_MS + 6 * SECOND_MS
    evening.begin_hand()
    assert next_due_at(evening.table) == 0
