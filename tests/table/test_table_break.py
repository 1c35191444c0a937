"""A break for the whole table: who can call it, when it begins, that every clock stands still, and how it ends."""

from msgspec.structs import replace

from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import next_due_at
from bot.table.way_on import Awaited, WayOn, way_on
from tests.table.evening import MINUTE_MS, SECOND_MS, Evening, player_id


def three() -> Evening:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    return evening


def wants_break(evening: Evening, name: str, minutes: int = 10) -> tuple[e.TableEvent, ...]:
    return evening.ask(c.AskForBreak(player_id(name), minutes))


def test_majority_of_those_seated_begins_a_break_between_hands() -> None:
    evening = three()
    wants_break(evening, "Ann", 15)
    assert not evening.table.on_break and evening.table.next_hand_at
    wants_break(evening, "Bo", 5)
    assert evening.table.on_break and not evening.table.next_hand_at
    ends_at = evening.now + 15 * MINUTE_MS
    assert way_on(evening.table) == WayOn(Awaited.BREAK, at=ends_at)
    assert next_due_at(evening.table) == ends_at
    evening.assert_replays()


def test_break_asked_for_in_a_hand_begins_after_it() -> None:
    evening = three()
    evening.begin_hand()
    wants_break(evening, "Ann")
    wants_break(evening, "Cy")
    assert not evening.table.on_break
    events = evening.end_hand()
    assert e.BreakBegan(evening.now, evening.now + 10 * MINUTE_MS) in events
    assert evening.table.on_break


def test_break_without_a_majority_lapses_with_the_hand() -> None:
    evening = three()
    evening.begin_hand()
    wants_break(evening, "Ann")
    evening.end_hand()
    assert evening.table.table_break is None


def test_break_ends_by_itself_and_the_next_hand_comes() -> None:
    evening = three()
    wants_break(evening, "Ann")
    wants_break(evening, "Bo")
    evening.wait(10 * 60)
    assert e.BreakEnded(evening.now) in evening.ask(c.Tick())
    assert evening.table.table_break is None
    assert evening.table.next_hand_at == evening.now + 6 * SECOND_MS


def test_everybody_who_wanted_the_break_can_end_it() -> None:
    evening = three()
    wants_break(evening, "Ann")
    wants_break(evening, "Bo")
    refusal = evening.refuses(c.EndBreak(player_id("Cy")), refusals.BreakNotYours)
    assert refusal.value.until == evening.now + 10 * MINUTE_MS
    evening.ask(c.EndBreak(player_id("Bo")))
    assert evening.table.next_hand_at
    evening.refuses(c.EndBreak(player_id("Bo")), refusals.NoBreak)


def test_a_break_stops_every_clock_of_the_table() -> None:
    evening = Evening(idle_minutes=10, absent_minutes=20)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.sit_out("Cy")
    evening.wait(60)
    wants_break(evening, "Ann", 30)
    wants_break(evening, "Bo")
    out_since = evening.seat("Cy").out_since
    evening.wait(29 * 60)
    assert evening.ask(c.Tick()) == ()
    evening.wait(60)
    evening.ask(c.Tick())
    assert evening.seat("Cy").out_since == out_since + 30 * MINUTE_MS
    assert evening.table.active_at == evening.now


def test_practice_players_go_along_with_a_break() -> None:
    evening = Evening(practice=True)
    evening.sit("Ann", 1)
    for number in (2, 3, 4):
        evening.ask(c.TakeSeat(-number, f"Practice {number}", 10_000, number, practice=True))
    wants_break(evening, "Ann", 5)
    assert evening.table.on_break


def test_a_break_lasts_five_to_thirty_minutes() -> None:
    evening = three()
    for minutes in (4, 31):
        refusal = evening.refuses(c.AskForBreak(player_id("Ann"), minutes), refusals.BreakLengthOutOfBounds)
        assert (refusal.value.minimum, refusal.value.maximum) == (5, 30)
    evening.refuses(c.AskForBreak(player_id("Zoe")), refusals.NotSeated)


def test_no_hand_is_asked_for_during_a_break() -> None:
    evening = three()
    wants_break(evening, "Ann")
    wants_break(evening, "Bo")
    evening.refuses(c.StartHand(player_id("Cy")), refusals.AlreadyOnBreak)
    evening.refuses(c.AskForBreak(player_id("Cy")), refusals.AlreadyOnBreak)


def test_an_offered_seat_is_kept_through_the_break() -> None:
    evening = three()
    evening.apply(
        e.WaitingListJoined(player_id("Di"), "Di", evening.now), e.SeatOffered(player_id("Di"), evening.now + 60_000)
    )
    wants_break(evening, "Ann", 10)
    wants_break(evening, "Bo")
    evening.wait(10 * 60)
    evening.ask(c.Tick())
    assert evening.table.waiting[0].offered_until == evening.now + 60_000
    assert replace(evening.table) == evening.table
