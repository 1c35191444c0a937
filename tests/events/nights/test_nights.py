"""Game nights from the first post to the next date, told by their dates."""

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from bot.events.nights import commands as c
from bot.events.nights import events as e
from bot.events.nights import refusals
from bot.events.nights.decide import clash, next_starts
from bot.events.nights.due import NightWork, next_due_at, work_due
from bot.events.nights.schedule import Recurrence, Schedule, local_time, moment
from bot.events.nights.state import MINUTE_MS, NightAnswer, NightLineKind, NightPhase, NightSeries, StandingsRule
from bot.table.settings import with_seat_count
from tests.events.nights.diary import BERLIN, TABLE, Diary
from tests.table.evening import player_id

ADA, BO = player_id("Ada"), player_id("Bo")


def names(people: tuple[object, ...]) -> list[str]:
    return [one.name for one in people]  # type: ignore[attr-defined]


# answers


def test_seats_go_in_the_order_of_answers() -> None:
    diary = Diary(seats=3)
    for name in ("Ada", "Bo", "Cy", "Di", "Ed"):
        diary.says(name)
    diary.says("Flo", NightAnswer.MAYBE)
    assert (names(diary.series.seated()), names(diary.series.waiting())) == (["Ada", "Bo", "Cy"], ["Di", "Ed"])


def test_the_waiting_list_moves_up_and_is_told() -> None:
    diary = Diary(seats=3)
    for name in ("Ada", "Bo", "Cy", "Di", "Ed"):
        diary.says(name)
    diary.says("Bo", NightAnswer.CANT)
    assert names(diary.series.seated()) == ["Ada", "Cy", "Di"]
    assert [(one.kind, one.people) for one in diary.series.lines] == [(NightLineKind.SEAT_FREE, (player_id("Di"),))]


def test_who_comes_back_in_is_the_last_in_line() -> None:
    diary = Diary(seats=3)
    for name, answer in (
        ("Ada", NightAnswer.IN),
        ("Bo", NightAnswer.IN),
        ("Ada", NightAnswer.MAYBE),
        ("Ada", NightAnswer.IN),
    ):
        diary.says(name, answer)
    assert names(diary.series.seated()) == ["Bo", "Ada"]


def test_the_same_answer_twice_changes_nothing() -> None:
    diary = Diary()
    diary.says("Bo")
    assert diary.ask(c.AnswerNight(BO, "Bo", 1, NightAnswer.IN)) == ()


def test_a_button_of_an_earlier_night_is_refused() -> None:
    diary = Diary()
    diary.ask(c.SkipNight(ADA))
    diary.refuses(c.AnswerNight(BO, "Bo", 1, NightAnswer.IN), refusals.NightOver)


def test_interested_counts_as_maybe_until_somebody_answers() -> None:
    diary = Diary()
    diary.ask(c.NoteInterest(BO, "Bo", is_interested=True))
    assert names(diary.night.said(NightAnswer.MAYBE)) == ["Bo"]
    diary.ask(c.NoteInterest(BO, "Bo", is_interested=False))
    assert names(diary.night.answers) == ["Ada"]
    diary.says("Bo")
    assert diary.ask(c.NoteInterest(BO, "Bo", is_interested=True)) == ()
    assert diary.ask(c.NoteInterest(BO, "Bo", is_interested=False)) == ()
    assert names(diary.series.seated()) == ["Ada", "Bo"]


# reminders


def test_reminders_come_once_a_day_and_an_hour_before() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.until("2026-12-03T19:59")
    assert diary.told == []
    diary.until("2026-12-03T20:00")
    assert diary.told == [NightLineKind.DAY_REMINDER]
    diary.until("2026-12-04T18:59")
    diary.until("2026-12-04T19:00")
    diary.until("2026-12-04T19:54")
    assert diary.told == [NightLineKind.DAY_REMINDER, NightLineKind.HOUR_REMINDER]


def test_a_night_planned_for_today_has_no_reminder_of_yesterday() -> None:
    diary = Diary(written="2026-12-04T12:00")
    diary.says("Bo")
    diary.until("2026-12-04T19:30")
    assert diary.told == [NightLineKind.HOUR_REMINDER]


def test_after_a_downtime_one_reminder_is_told_not_two() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.until("2026-12-04T19:10", awake=False)
    diary.until("2026-12-04T19:11")
    assert diary.told == [NightLineKind.HOUR_REMINDER]


def test_a_table_planned_at_short_notice_does_not_open_late() -> None:
    diary = Diary(written="2026-12-04T19:59")
    diary.until("2026-12-04T20:00")
    assert diary.told[-1] is NightLineKind.TABLE_OPEN


def test_nobody_is_reminded_where_nobody_comes() -> None:
    diary = Diary()
    diary.says("Ada", NightAnswer.CANT)
    diary.until("2026-12-04T19:50")
    assert diary.told == []


# opening


def test_the_table_opens_five_minutes_early_and_seats_are_held() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.until("2026-12-04T19:54")
    assert diary.night.phase is NightPhase.PLANNED
    diary.until("2026-12-04T19:55")
    assert (diary.night.phase, diary.night.table) == (NightPhase.OPEN, TABLE)
    assert diary.night.held_until == diary.night.starts_at + 15 * MINUTE_MS
    assert diary.told[-1] is NightLineKind.TABLE_OPEN


@pytest.mark.parametrize(("back", "opens"), [("2026-12-04T21:55", True), ("2026-12-04T21:56", False)])
def test_after_a_downtime_it_opens_up_to_two_hours_late(back: str, opens: bool) -> None:
    diary = Diary()
    diary.says("Bo")
    diary.until(back, awake=False)
    diary.until(back)
    if opens:
        assert (diary.night.number, diary.told[-1]) == (1, NightLineKind.TABLE_OPEN_LATE)
        assert diary.night.held_until == diary.now + 20 * MINUTE_MS
        assert diary.night.gathers_until == diary.now + 30 * MINUTE_MS
    else:
        assert (diary.night.number, diary.told[-1]) == (2, NightLineKind.TOO_LATE)
        assert diary.starts == "2026-12-11T20:00"


def test_after_weeks_of_downtime_the_next_date_follows() -> None:
    diary = Diary()
    diary.until("2026-12-30T12:00", awake=False)
    diary.until("2026-12-30T12:01")
    assert (diary.night.number, diary.starts) == (2, "2027-01-01T20:00")


def test_too_few_after_half_an_hour_cancel_it() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.until("2026-12-04T20:24")
    assert diary.night.phase is NightPhase.OPEN
    diary.until("2026-12-04T20:25")
    assert (diary.night.number, diary.told[-1]) == (2, NightLineKind.TOO_FEW)


def test_after_two_empty_nights_the_host_is_asked() -> None:
    diary = Diary()
    diary.until("2026-12-12T12:00")
    assert (diary.series.empty, diary.night.phase, diary.told[-1]) == (2, NightPhase.ASKED, NightLineKind.HOST_ASKED)
    diary.refuses(c.GoOn(BO), refusals.NightHostOnly)
    diary.ask(c.GoOn(ADA))
    diary.refuses(c.GoOn(ADA), refusals.NoNightToConfirm)
    diary.until("2026-12-18T19:55")
    assert diary.night.phase is NightPhase.OPEN


def test_a_host_who_does_not_answer_ends_the_series() -> None:
    diary = Diary()
    diary.until("2026-12-18T19:55")
    assert diary.series.has_ended
    assert diary.told[-1] is NightLineKind.ENDED_UNANSWERED


def test_a_night_that_somebody_came_to_is_no_empty_one() -> None:
    diary = Diary()
    diary.until("2026-12-11T20:00")
    assert diary.series.empty == 1
    diary.ask(c.NoteClosed(0, (), came=1))
    assert diary.series.empty == 0


# playing


def test_break_and_end_come_by_the_clock() -> None:
    diary = Diary(minutes=180)
    diary.until("2026-12-04T19:55", people=3)
    assert next_due_at(diary.series) == diary.now + 90 * MINUTE_MS
    diary.until("2026-12-04T21:25", people=3)
    assert diary.night.had_break
    diary.until("2026-12-04T22:59", people=3)
    assert diary.night.number == 1
    diary.now += MINUTE_MS
    assert work_due(diary.series, diary.now) is NightWork.CLOSE_TABLE


def test_there_is_no_break_shortly_before_the_end() -> None:
    diary = Diary(minutes=100)
    diary.until("2026-12-04T21:39", people=3)
    assert not diary.night.had_break


def test_a_played_night_names_the_next_date() -> None:
    diary = Diary()
    diary.until("2026-12-04T20:00", people=3)
    diary.until("2026-12-04T23:00", people=3)
    diary.closes(Ada=300, Bo=-300)
    assert (diary.night.number, diary.starts, names(diary.night.answers)) == (2, "2026-12-11T20:00", ["Ada"])


def test_a_single_night_ends_its_series() -> None:
    diary = Diary(recurrence=Recurrence.ONCE)
    diary.until("2026-12-04T20:00", people=3)
    diary.closes(Ada=300, Bo=-300)
    assert diary.series.has_ended
    diary.refuses(c.SkipNight(ADA), refusals.NoSuchNight)


def test_a_long_night_does_not_run_into_its_successor() -> None:
    diary = Diary()
    diary.until("2026-12-04T20:00", people=3)
    diary.now += 8 * 24 * 60 * MINUTE_MS
    diary.closes(Ada=300, Bo=-300)
    assert diary.starts == "2026-12-18T20:00"


# the host


def test_skip_move_and_cancel_belong_to_host_and_staff() -> None:
    diary = Diary()
    for command in (
        c.SkipNight(BO),
        c.MoveNight(BO, "2026-12-05T20:00"),
        c.CancelSeries(BO),
        c.HandOverSeries(BO, BO, "Bo"),
    ):
        diary.refuses(command, refusals.NightHostOnly)
    diary.ask(c.SkipNight(BO, staff=True))
    assert diary.starts == "2026-12-11T20:00"


def test_moving_a_night_that_was_skipped_moves_no_other() -> None:
    diary = Diary()
    first = diary.night.number
    diary.ask(c.SkipNight(BO, staff=True))
    diary.refuses(c.MoveNight(ADA, "2026-12-05T21:00", number=first), refusals.NightOver)
    diary.ask(c.MoveNight(ADA, "2026-12-12T21:00", number=first + 1))
    assert diary.starts == "2026-12-12T21:00"


def test_a_moved_night_keeps_answers_and_the_later_dates() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.ask(c.MoveNight(ADA, "2026-12-05T21:00"))
    assert (diary.starts, names(diary.series.seated()), diary.told) == (
        "2026-12-05T21:00",
        ["Ada", "Bo"],
        [NightLineKind.MOVED],
    )
    diary.until("2026-12-05T21:30", people=3)
    diary.closes(Ada=100, Bo=-100)
    assert diary.starts == "2026-12-11T20:00"


def test_other_dates_hold_from_the_next_night_on() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.ask(c.ChangeDates(ADA, "2026-12-03T21:00", Recurrence.FORTNIGHTLY))
    assert (diary.starts, names(diary.series.seated()), diary.told) == (
        "2026-12-03T21:00",
        ["Ada", "Bo"],
        [NightLineKind.NEW_DATES],
    )
    diary.until("2026-12-03T21:30", people=3)
    diary.closes(Ada=100, Bo=-100)
    assert diary.starts == "2026-12-17T21:00"


def test_other_dates_leave_the_open_night_alone() -> None:
    """A single night is being played, and becomes a series: the first of its dates comes next."""
    diary = Diary(recurrence=Recurrence.ONCE)
    diary.until("2026-12-04T21:00", people=3)
    diary.ask(c.ChangeDates(ADA, "2026-12-06T18:00", Recurrence.WEEKLY))
    assert (diary.starts, diary.night.phase) == ("2026-12-04T20:00", NightPhase.PLAYED)
    diary.closes(Ada=100, Bo=-100)
    assert diary.starts == "2026-12-06T18:00"


def test_a_single_other_date_is_the_last_one() -> None:
    diary = Diary()
    diary.until("2026-12-04T21:00", people=3)
    diary.ask(c.ChangeDates(ADA, "2026-12-31T21:00", Recurrence.ONCE))
    diary.closes(Ada=100, Bo=-100)
    assert diary.starts == "2026-12-31T21:00"
    diary.until("2026-12-31T22:00", people=3)
    diary.closes(Ada=100, Bo=-100)
    assert diary.series.has_ended


def test_a_night_that_runs_can_be_longer() -> None:
    diary = Diary(minutes=120)
    diary.until("2026-12-04T21:00", people=3)
    diary.ask(c.ChangeTerms(ADA, replace(diary.series.terms, minutes=180, break_after=60, break_minutes=5)))
    assert next_due_at(diary.series) <= diary.now, "its break is due"
    diary.until("2026-12-04T22:30", people=3)
    assert (diary.night.had_break, work_due(diary.series, diary.now)) == (True, None)


def test_more_seats_move_the_waiting_list_up() -> None:
    diary = Diary(seats=3)
    for name in ("Bo", "Cy", "Di", "Ed"):
        diary.says(name)
    wider = replace(diary.series.terms, settings=with_seat_count(diary.series.terms.settings, 4))
    diary.ask(c.ChangeTerms(ADA, wider))
    assert (names(diary.series.waiting()), diary.series.lines[-1].people) == (["Ed"], (player_id("Di"),))
    diary.until("2026-12-04T20:00")
    diary.ask(c.ChangeTerms(ADA, replace(wider, settings=with_seat_count(wider.settings, 5))))
    assert diary.told[-1] is NightLineKind.TABLE_OPEN, "its table has the seats that it has"


def test_dates_and_terms_belong_to_host_and_bounds() -> None:
    diary = Diary()
    diary.refuses(c.ChangeDates(BO, "2026-12-05T20:00", Recurrence.WEEKLY), refusals.NightHostOnly)
    diary.refuses(c.ChangeDates(ADA, "2026-11-05T20:00", Recurrence.WEEKLY), refusals.NightInPast)
    long = replace(diary.series.terms, break_minutes=61)
    assert diary.refuses(c.ChangeTerms(ADA, long), refusals.NightBreakTooLong).minutes == 60
    diary.refuses(c.ChangeTerms(ADA, replace(diary.series.terms, players_min=9)), refusals.NightPlayersOutOfBounds)
    assert diary.ask(c.ChangeTerms(ADA, diary.series.terms)) == ()


def test_an_open_night_is_neither_moved_nor_skipped() -> None:
    diary = Diary()
    diary.until("2026-12-04T19:56")
    diary.refuses(c.SkipNight(ADA), refusals.NightIsOpen)
    diary.refuses(c.MoveNight(ADA, "2026-12-05T20:00"), refusals.NightIsOpen)


def test_a_date_in_the_past_or_far_away_is_refused() -> None:
    diary = Diary()
    diary.refuses(c.MoveNight(ADA, "2026-11-01T20:00"), refusals.NightInPast)
    diary.refuses(c.MoveNight(ADA, "2028-11-01T20:00"), refusals.NightTooFar)
    with pytest.raises(refusals.NightInPast):
        Diary("2026-12-01T11:59")
    with pytest.raises(refusals.NightPlayersOutOfBounds):
        Diary(seats=4, players_min=5)


def test_whoever_is_in_first_follows_a_host_who_leaves() -> None:
    diary = Diary()
    for name in ("Ada", "Bo", "Cy"):
        diary.says(name)
    diary.ask(c.NoteGone(ADA))
    assert (diary.series.host_name, diary.told) == ("Bo", [NightLineKind.NEW_HOST])


def test_the_seat_of_somebody_who_leaves_is_free() -> None:
    diary = Diary(seats=2, players_min=2)
    for name in ("Bo", "Cy"):
        diary.says(name)
    diary.ask(c.NoteGone(BO))
    assert (names(diary.series.seated()), diary.told) == (["Ada", "Cy"], [NightLineKind.SEAT_FREE])


def test_nights_go_on_in_another_channel() -> None:
    diary = Diary()
    diary.ask(c.NoteChannelGone(9))
    assert (diary.series.channel, diary.told) == (9, [NightLineKind.NEW_CHANNEL])
    diary.ask(c.NoteChannelGone(0))
    assert diary.series.has_ended


def test_nights_end_where_nobody_follows_the_host() -> None:
    diary = Diary()
    diary.ask(c.NoteGone(ADA))
    assert (diary.series.has_ended, diary.told) == (True, [NightLineKind.ENDED_WITHOUT_HOST])


def test_two_nights_at_one_hour_in_one_channel_clash() -> None:
    friday = Diary().series
    assert clash(friday, 5, next_starts(Schedule(BERLIN, "2026-12-11T20:30")))
    assert clash(friday, 5, next_starts(Schedule("Europe/London", "2026-12-04T19:00")))
    assert not clash(friday, 6, next_starts(Schedule(BERLIN, "2026-12-11T20:30")))
    assert not clash(friday, 5, next_starts(Schedule(BERLIN, "2026-12-05T20:30")))


# lines and the journal


def test_a_line_waits_until_it_has_been_told() -> None:
    diary = Diary()
    diary.ask(c.SkipNight(ADA))
    number = diary.series.lines[0].number
    diary.ask(c.NoteLine(number, "nonce"))
    assert diary.series.lines[0].nonce == "nonce"
    diary.ask(c.NoteLine(number))
    assert (diary.series.lines, diary.ask(c.NoteLine(number))) == ((), ())


def test_state_and_events_come_back_from_the_journal() -> None:
    diary = Diary(hands=40, minutes=120)
    diary.says("Bo")
    diary.until("2026-12-04T20:00", people=3)
    diary.closes(Ada=300, Bo=-300)
    diary.ask(c.ChangeStandings(ADA, StandingsRule((), 1)))
    assert msgpack.decode(msgpack.encode(diary.series), type=NightSeries) == diary.series
    stored = msgpack.decode(msgpack.encode(diary.journal), type=list[e.NightEvent])
    assert stored == diary.journal


@pytest.mark.parametrize(
    ("zone", "day", "doubled", "before", "after"),
    [
        (BERLIN, "2027-10-31", "02:30", "01:45", "03:15"),
        ("America/New_York", "2027-11-07", "01:30", "00:45", "02:15"),
        ("Australia/Lord_Howe", "2027-04-04", "01:45", "01:15", "02:15"),
    ],
)
def test_a_night_is_moved_to_either_of_a_doubled_hour(
    zone: str, day: str, doubled: str, before: str, after: str
) -> None:
    """Discord's own event tells the time itself; the clock on the wall shows the same twice."""
    diary = Diary(f"{day}T20:00", zone=zone, written=f"{day}T00:15")
    one, two, early, late = (moment(zone, f"{day}T{at}") for at in (doubled, doubled, before, after))
    two += next(
        minutes * 60_000 for minutes in (60, 30) if local_time(zone, one + minutes * 60_000) == f"{day}T{doubled}"
    )
    for at in (early, one, two, one, late, two, early, two, late, one, early):
        diary.ask(c.MoveNight(0, local_time(zone, at), staff=True, at=at))
        assert diary.night.starts_at == at
    diary.ask(c.MoveNight(0, "", staff=True, at=two))
    assert diary.ask(c.MoveNight(ADA, f"{day}T{doubled}")) == (), "what the form shows, sent back as it was"
    assert diary.night.starts_at == two
    diary.ask(c.MoveNight(ADA, f"{day}T{before}"))
    diary.ask(c.MoveNight(ADA, f"{day}T{doubled}"))
    assert diary.night.starts_at == one, "of a doubled hour that somebody types the first is meant"
