"""Months of random nights: people answer, hosts change their minds, the dealer is down now and then."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.errors import TableError
from bot.events.nights import commands as c
from bot.events.nights import events as e
from bot.events.nights.due import next_due_at, work_due
from bot.events.nights.evolve import evolve_all
from bot.events.nights.schedule import Recurrence, local_time
from bot.events.nights.state import LATE_MS, MINUTE_MS, NightAnswer, NightPhase
from tests.events.nights.diary import Diary
from tests.table.evening import player_id

PEOPLE = ("Ada", "Bo", "Cy", "Di", "Ed")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("says"), st.sampled_from(PEOPLE), st.sampled_from(list(NightAnswer))),
        st.tuples(st.just("waits"), st.integers(1, 12 * 24 * 60), st.booleans()),
        st.tuples(st.just("plays"), st.integers(0, 40), st.integers(0, 3)),
        st.tuples(
            st.sampled_from(["skips", "goes on", "leaves", "moves", "hands over", "other dates"]),
            st.integers(1, 20_000),
            st.none(),
        ),
    ),
    max_size=30,
)


@settings(max_examples=50, deadline=None)
@given(zone=st.sampled_from(ZONES), recurrence=st.sampled_from(list(Recurrence)), steps=STEPS)
def test_random_months_keep_their_order(
    zone: str, recurrence: Recurrence, steps: list[tuple[str, object, object]]
) -> None:
    diary = Diary(recurrence=recurrence, zone=zone)
    for step in steps:
        if diary.series.has_ended:
            break
        _take(diary, *step)
        _check(diary)
    assert evolve_all(None, diary.journal) == diary.series
    told = [one.number for one in diary.journal if isinstance(one, e.LineAdded)]
    assert told == list(range(1, len(told) + 1)), "every line has a number of its own"
    numbers = [one.number for one in diary.journal if isinstance(one, e.NightPlanned)]
    assert numbers == list(range(1, len(numbers) + 1)), "one night after the other"
    _check_reminders(diary.journal)


def _take(diary: Diary, what: str, one: object, other: object) -> None:
    try:
        match what, one, other:
            case "says", str(name), NightAnswer() as answer:
                diary.says(name, answer)
            case "waits", int(minutes), bool(awake):
                diary.until(local_time(diary.zone, diary.now + minutes * MINUTE_MS), awake=awake)
                diary.until(local_time(diary.zone, diary.now))
            case "plays", int(hands), int(came):
                if hands:
                    diary.ask(c.NoteDealt())
                diary.closes(hands, **dict.fromkeys(PEOPLE[:came], 0))
            case "skips", _, _:
                diary.ask(c.SkipNight(0, staff=True))
            case "goes on", _, _:
                diary.ask(c.GoOn(0, staff=True))
            case "moves", int(minutes), _:
                diary.ask(c.MoveNight(0, local_time(diary.zone, diary.now + minutes * MINUTE_MS), staff=True))
            case "other dates", int(minutes), _:
                first, recurrence = (
                    local_time(diary.zone, diary.now + minutes * MINUTE_MS),
                    list(Recurrence)[minutes % 4],
                )
                diary.ask(c.ChangeDates(0, first, recurrence, staff=True))
            case "hands over", _, _:
                diary.ask(c.HandOverSeries(0, player_id("Di"), "Di", staff=True))
            case _:
                diary.ask(c.NoteGone(diary.series.host))
    except TableError:
        pass


def _check(diary: Diary) -> None:
    night = diary.series.night
    if night is None:
        return
    assert len({one.player for one in night.answers}) == len(night.answers)
    assert len(diary.series.seated()) <= diary.terms.seats
    assert not diary.series.waiting() or len(diary.series.seated()) == diary.terms.seats
    if night.phase is NightPhase.PLANNED:
        assert diary.now <= night.opens_at + LATE_MS or next_due_at(diary.series) <= diary.now
    else:
        assert work_due(diary.series, diary.now) is None or next_due_at(diary.series) <= diary.now


def _check_reminders(journal: list[e.NightEvent]) -> None:
    due: set[object] = set()
    for event in journal:
        if isinstance(event, e.NightPlanned | e.NightMoved | e.DatesChanged):
            due.clear()
        if isinstance(event, e.ReminderDue):
            assert event.reminder not in due, "a reminder is sent once"
            due.add(event.reminder)
