"""What a new statistic or a new achievement still lacks is named in words. The recipes are in .github/CONTRIBUTING.md."""

import re
from dataclasses import fields

from msgspec.structs import replace

from bot.render.house.statistics_pages import PageChoices, PlayerShown, StatisticsPage, statistics_panel
from bot.statistics import count_hand
from bot.statistics.achievements import CAN_CHANGE, Achievement
from bot.statistics.count_hand import COUNTED
from bot.statistics.count_play import PlayCounter
from bot.statistics.types import TOLD_LATER, Counts, PlayerNumbers
from bot.store.statistics.achievements import LOOK_FOR
from bot.text.achievements import WORDS
from tests.statistics.recount import RECOUNTED

NOT_SHOWN = dict.fromkeys(
    ("pots_won", "all_shown", "shared_by_three", "full_tables", "hundredth_hands"), "achievements ask for it"
)
"""Numbers that no sentence tells, and why they are kept."""
COUNTED_ONCE = {"hands": "every hand that a player is dealt into is one"}
"""Numbers that the tests do not count in a second way."""


def missing_for_numbers(numbers: tuple[str, ...]) -> list[str]:
    """Return what numbers of `Counts` lack."""
    counted = {field.name for kind in (count_hand._Hand, PlayCounter) for field in fields(kind)}
    described = Counts.__doc__ or ""
    missing = [
        f"{name}: say in the docstring of `Counts` what is counted"
        for name in numbers
        if not re.search(rf"\b{name}\b", described)
    ]
    of_hand = [name for name in numbers if name not in TOLD_LATER]
    missing += [
        f"{name}: count it, in a field of that name of `_Hand` (bot/statistics/count_hand.py)"
        for name in of_hand
        if name not in counted
    ]
    missing += [
        f"{name}: count it in another way too, in tests/statistics/recount.py"
        for name in of_hand
        if name not in {*RECOUNTED, *COUNTED_ONCE}
    ]
    missing += [
        f"{name}: tell it on the page of /stats, in a line of `more_lines` of bot/text/statistics.py"
        for name in numbers
        if name not in NOT_SHOWN and not is_told(name)
    ]
    return missing


def is_told(name: str) -> bool:
    """Return whether the page of a player shows something else when a number is another one."""
    if name not in Counts.__struct_fields__:
        return False
    page, player = StatisticsPage(101), PlayerShown(101, "Ann")
    others = Counts(*[4_000] * len(Counts.__struct_fields__))
    counts = [replace(others, **{name: value}) for value in (0, 4_000, 7_000)]
    return any(
        len({str(statistics_panel(each, PlayerNumbers(101, one), player, PageChoices())) for one in counts}) > 1
        for each in (page, replace(page, more=True))
    )


def missing_for_achievements(achievements: tuple[str, ...]) -> list[str]:
    """Return what achievements lack."""
    return [
        f"{name}: {what}"
        for name in achievements
        for known, what in (
            (CAN_CHANGE, "say in `CAN_CHANGE` (bot/statistics/achievements.py) which hands can bring it"),
            (WORDS, "give it its name and its line in `WORDS` (bot/text/achievements.py)"),
            (LOOK_FOR, "find its hand with `@_finds` (bot/store/statistics/achievements.py)"),
        )
        if name not in known
    ]


def test_every_number_is_counted_described_and_told() -> None:
    assert "\n".join(missing_for_numbers(Counts.__struct_fields__)) == ""


def test_numbers_told_later_come_last() -> None:
    """A counted hand fills the fields of `Counts` from the first one on."""
    assert Counts.__struct_fields__[: len(COUNTED)] == COUNTED, "put a new number before `lucky_hands`"


def test_every_achievement_is_looked_for_and_has_words() -> None:
    assert "\n".join(missing_for_achievements(tuple(Achievement))) == ""


def test_words_of_stored_achievements_stay() -> None:
    """People who were told of one would be told again: what somebody has been told is kept by its word."""
    stored = {
        "royal flush", "ten games", "hundred showdowns", "ten weeks", "five games in a week", "shared pot",
        "three winners", "hundredth hand", "everybody showed", "full table",
    }  # fmt: skip
    lost = stored - {*Achievement}
    assert not lost, f"give these achievements their words back, in bot/statistics/achievements.py: {sorted(lost)}"


def test_what_an_addition_lacks_is_named() -> None:
    assert [line.partition(":")[2] for line in missing_for_numbers(("yawns",))] == [
        " say in the docstring of `Counts` what is counted",
        " count it, in a field of that name of `_Hand` (bot/statistics/count_hand.py)",
        " count it in another way too, in tests/statistics/recount.py",
        " tell it on the page of /stats, in a line of `more_lines` of bot/text/statistics.py",
    ]
    assert len(missing_for_achievements(("hundred pots",))) == 3
