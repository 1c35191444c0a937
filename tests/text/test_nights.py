"""What is told of game nights in their channels."""

import pytest

from bot.events.nights.commands import AnswerNight, NoteInterest
from bot.events.nights.state import NightAnswer, NightLine, NightLineKind
from bot.render.table.nights import post_panel
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.text.nights import PEOPLE_NAMED, line_text, seats_lines
from tests.events.nights.diary import Diary
from tests.render.test_limits import HOSTILE
from tests.support.message_limits import faults

MESSAGE_MAX = 2_000
MANY = tuple(range(100_000_000_000_000_000, 100_000_000_000_000_200))


def test_a_line_to_everybody_fits_one_message() -> None:
    diary = Diary()
    diary.says("Bo", NightAnswer.MAYBE)
    for kind in set(NightLineKind) - {NightLineKind.ENDED_WITH_CHANNEL}:  # that one goes to the host alone
        text = line_text(diary.series, NightLine(1, kind, MANY, diary.night.starts_at), "<#5>")
        assert len(text) <= MESSAGE_MAX and f"and {len(MANY) - PEOPLE_NAMED} more" in text


def test_a_reminder_that_comes_late_names_no_wrong_day() -> None:
    diary = Diary()
    diary.says("Bo")
    diary.until("2026-12-04T10:00", awake=False)
    diary.until("2026-12-04T10:01")
    (line,) = diary.series.lines
    text = line_text(diary.series, line)
    assert line.kind is NightLineKind.DAY_REMINDER and "tomorrow" not in text
    assert f"<t:{diary.night.starts_at // 1000}:R>" in text


def test_somebody_whose_name_is_unknown_is_no_former_player() -> None:
    diary = Diary()
    diary.ask(NoteInterest(100, "", is_interested=True))
    assert "-# Maybe: <@100>" in seats_lines(diary.series, diary.night)
    diary.ask(NoteInterest(FIRST_FORMER_PLAYER, "", is_interested=True))
    assert "-# Maybe: <@100>, a former player" in seats_lines(diary.series, diary.night)


@pytest.mark.parametrize("name", HOSTILE)
def test_post_of_a_crowd_with_long_names_fits_one_message(name: str) -> None:
    diary = Diary(seats=14)
    for at, answer in enumerate((*NightAnswer, NightAnswer.IN) * 20):
        diary.ask(AnswerNight(10**18 + at, name, 1, answer))
    assert faults(post_panel(1, diary.series, diary.night)) == ()
