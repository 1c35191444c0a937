"""An equitable adjustment in words: who gives and who gets, between as many players as it concerns."""

import pytest

from bot.render import ceremonies, house, shifts
from bot.render.amounts import BadAmount
from bot.render.cards import SIGNS
from bot.render.limits import check
from bot.render.plain import plain
from bot.runtime.ports import Adjustment, Audit
from bot.table.errors import ShiftUnreadable
from bot.table.events import Adjusted
from bot.table.state import ChipShift
from tests.render.test_lobby import seat, table

VIEW = table(
    seat(1, "Ann", 10_000), seat(2, "Jean-Luc", 10_000), seat(3, "Cy 2", 10_000), seat(5, "x-2", 500), seat(7, "7", 700)
)
ANN, JEAN, CY, X, SEVEN = (line.player for line in VIEW.seats)
EVEN = (ChipShift(ANN, -500), ChipShift(JEAN, 300), ChipShift(CY, 200))


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
def test_the_same_adjustment_may_be_written_in_many_ways(words: str) -> None:
    assert shifts.read(words, VIEW.seats) == EVEN


@pytest.mark.law("H-3")
@pytest.mark.parametrize("words", ["Ann", "Ann 500", "Zoe -500", "8 -500", "Ann -500 Bo", "-500", "<@> +1", "Ann -x"])
def test_what_names_no_player_with_his_chips_is_refused(words: str) -> None:
    with pytest.raises(ShiftUnreadable):
        shifts.read(words, VIEW.seats)


@pytest.mark.parametrize(
    "words", ["," * 3_000 + "a" + " " * 3_000 + "b", ", " * 3_000 + "a", "a " * 3_000, "a -" * 2_000]
)
def test_however_much_is_typed_it_is_read_once(words: str) -> None:
    """With letters that two parts could both take, it was gone through again for every way to part them: for minutes."""
    with pytest.raises(ShiftUnreadable):
        shifts.read(words, VIEW.seats)


@pytest.mark.law("H-5")
@pytest.mark.parametrize("words", ["Ann -0", "Ann -0.5", "Ann +1,50"])
def test_chips_are_whole(words: str) -> None:
    with pytest.raises(BadAmount):
        shifts.read(words, VIEW.seats)


def test_what_would_make_it_even_is_offered_while_it_is_written() -> None:
    assert shifts.offered("", VIEW.seats) == ("Ann -", "Jean-Luc -", "Cy 2 -", "5 -", "7 -"), "x-2 reads as x less 2"
    assert shifts.offered("ann -500", VIEW.seats)[:2] == ("ann -500, Jean-Luc +500", "ann -500, Cy 2 +500")
    assert shifts.offered("ann -500, 2 +300 ", VIEW.seats)[0] == "ann -500, 2 +300, Cy 2 +200"
    assert shifts.offered("ann -500, 2 +500", VIEW.seats) == ("ann -500, 2 +500",)
    assert shifts.offered("ann -", VIEW.seats) == ()
    long = "ann -500, 2 +500" + ", ann -1, 2 +1" * 8
    assert shifts.read(long, VIEW.seats)
    assert shifts.offered(long, VIEW.seats) == (), "Discord takes no choice of more than a hundred letters"


def test_a_name_that_is_a_number_comes_before_the_seat_of_that_number() -> None:
    other = table(seat(1, "Ann", 1_000), seat(2, "1", 1_000))
    assert shifts.read("1 +5", other.seats) == (ChipShift(other.seats[1].player, 5),)


@pytest.mark.law("H-3")
def test_an_adjustment_is_told_to_the_table_and_listed_in_the_audit() -> None:
    said = ceremonies.told((Adjusted(EVEN, 1),), {ANN: "Ann", JEAN: "Jean-Luc", CY: "Cy 2"}, {}, SIGNS)
    assert said == "Everybody agreed to an adjustment: Ann −500, Jean-Luc +300, Cy 2 +200 · Law H-3"
    moved = Adjustment(5_000, 3, ((ANN, -500), (JEAN, 300), (CY, 200)))
    audit = Audit(1_000, 0, 1_000, 0, 0, 0, 9, (), (moved,))
    listed = plain(check(house.audit_panel(audit)))
    assert f"**Adjusted by everybody's consent** · Law H-3\nTable 3 <t:5:d>: <@{ANN}> −500, <@{JEAN}> +300" in listed
