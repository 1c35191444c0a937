"""An equitable adjustment in words says who gives and who gets, between any number of players."""

import pytest

from bot.render.house import house_pages
from bot.runtime.store_types import LedgerAudit, StackAdjustment
from bot.table.events import StacksAdjusted
from bot.table.refusals import AdjustmentUnreadable
from bot.table.state import StackChange
from bot.text import adjustments
from bot.text.amounts import BadAmount
from bot.text.cards import SIGNS
from bot.text.ceremonies import ceremony_text
from tests.render.test_lobby import seat, table
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text

VIEW = table(
    seat(1, "Ann", 10_000), seat(2, "Jean-Luc", 10_000), seat(3, "Cy 2", 10_000), seat(5, "x-2", 500), seat(7, "7", 700)
)
ANN, JEAN, CY, X, SEVEN = (line.player for line in VIEW.seats)
EVEN = (StackChange(ANN, -500), StackChange(JEAN, 300), StackChange(CY, 200))


@pytest.mark.law("H-3")
@pytest.mark.parametrize(
    "words",
    [
        f"<@{ANN}> -500 <@!{JEAN}> +300 <@{CY}> +200",
        f"<@{ANN}>-500,<@{JEAN}>+300,<@{CY}>+200",
        "Ann -500, Jean-Luc +300, Cy 2 +200",
        "ann −0.5k; @jean-luc + 300; seat 3 +200",
        "1 -500 2 +300 #3 +200",
        "1 -1,000, 2 +300, 3 +200, Ann +500",
    ],
)
def test_same_adjustment_can_be_written_in_many_ways(words: str) -> None:
    assert adjustments.parse_adjustment(words, VIEW.seats) == EVEN


@pytest.mark.law("H-3")
@pytest.mark.parametrize("words", ["Ann", "Ann 500", "Zoe -500", "8 -500", "Ann -500 Bo", "-500", "<@> +1", "Ann -x"])
def test_text_without_player_and_chips_is_refused(words: str) -> None:
    with pytest.raises(AdjustmentUnreadable):
        adjustments.parse_adjustment(words, VIEW.seats)


@pytest.mark.parametrize(
    "words", ["," * 3_000 + "a" + " " * 3_000 + "b", ", " * 3_000 + "a", "a " * 3_000, "a -" * 2_000]
)
def test_parsing_time_is_linear_in_the_text(words: str) -> None:
    """Two parts of the pattern could match the same letters, so that long texts took minutes."""
    with pytest.raises(AdjustmentUnreadable):
        adjustments.parse_adjustment(words, VIEW.seats)


@pytest.mark.law("H-5")
@pytest.mark.parametrize("words", ["Ann -0", "Ann -0.5", "Ann +1,50"])
def test_chips_are_whole(words: str) -> None:
    with pytest.raises(BadAmount):
        adjustments.parse_adjustment(words, VIEW.seats)


def test_numeric_name_wins_over_the_seat_number() -> None:
    other = table(seat(1, "Ann", 1_000), seat(2, "1", 1_000))
    assert adjustments.parse_adjustment("1 +5", other.seats) == (StackChange(other.seats[1].player, 5),)


@pytest.mark.law("H-3")
def test_adjustment_is_announced_and_listed_in_the_audit() -> None:
    said = ceremony_text((StacksAdjusted(EVEN, 1),), {ANN: "Ann", JEAN: "Jean-Luc", CY: "Cy 2"}, {}, SIGNS)
    assert said == "Everyone agreed to correct the stacks: Ann −500, Jean-Luc +300, Cy 2 +200 · Law H-3"
    moved = StackAdjustment(1, 5_000, 3, ((ANN, -500), (JEAN, 300), (CY, 200)))
    audit = LedgerAudit(1_000, 0, 1_000, 0, 0, 0, 0, 9, (), (moved,))
    listed = panel_as_text(within_limits(house_pages.audit_panel(audit)))
    assert (
        f"**Stacks corrected, as everyone agreed** · Law H-3\nTable 3 <t:5:D>: <@{ANN}> −500, <@{JEAN}> +300" in listed
    )
