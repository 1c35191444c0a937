"""What is told of game nights in their channels."""

from bot.events.nights.state import NightAnswer, NightLine, NightLineKind
from bot.text.nights import PEOPLE_NAMED, line_text
from tests.events.nights.diary import Diary

MESSAGE_MAX = 2_000
MANY = tuple(range(100_000_000_000_000_000, 100_000_000_000_000_200))


def test_a_line_to_everybody_fits_one_message() -> None:
    diary = Diary()
    diary.says("Bo", NightAnswer.MAYBE)
    for kind in NightLineKind:
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
