"""What a table may choose, and that nothing else passes for a house rule."""

import re
from enum import StrEnum
from pathlib import Path

import msgspec
import pytest

from bot.engine.options import Deck, Limit, OddChip, Options, OutOfTurn, Purse, Showing, SuitRank, WildMethod
from bot.engine.presets import PRESETS, preset
from bot.engine.register import (
    OPTION_TYPES,
    Difference,
    JokerNeedsMethod,
    TooFewSeats,
    TooManySeats,
    UnknownHouseRule,
    UnknownHouseRuleValue,
    check_option,
    check_options,
    compare,
    find,
    honoured,
    plain,
    with_option,
)
from bot.engine.register_entries import REGISTER, Choice, Entry
from bot.engine.stakes import NotWholeChips

WRITTEN = Path(__file__).resolve().parents[2].parent / "shared" / "laws.md"
HOLDEM = frozenset({"every", "holdem", "table"})
DOUBLED_FOURTH = Entry(
    name="stud.doubled_fourth",
    group="This game",
    about="whether an open pair on fourth street doubles the bet",
    choices=(Choice("off", "An open pair changes nothing."), Choice("on", "An open pair may be bet double.")),
    laws=("VC-5",),
    marks=("stud",),
)


def test_the_register_describes_every_field_and_every_value() -> None:
    for entry in REGISTER:
        if entry.choices:
            made = OPTION_TYPES[entry.field]
            assert issubclass(made, StrEnum), entry.name
            assert {choice.value for choice in entry.choices} == {value.value for value in made}, entry.name
            assert all(choice.meaning.endswith(".") for choice in entry.choices), entry.name
    described = {entry.field for entry in REGISTER}
    assert set(OPTION_TYPES) - described == {"sheet", "wild_ranks", "wild_cards"}  # lists, which W-1 leaves open
    assert described - set(OPTION_TYPES) == {"min_bet"}  # an amount, which `Stakes` holds


def test_the_register_is_the_written_one() -> None:
    """Every OPTION of the law book's 0.5 is here, with every value it names."""
    if not WRITTEN.is_file():
        pytest.skip("the written law book is not beside this repository")
    text = WRITTEN.read_text(encoding="utf-8").partition("### 0.5")[2].partition("### 0.6")[0]
    rows = re.findall(r"^\| ((?:`[A-Z_0-9]+`(?:, | \([a-z ]+\))?)+) \| (.*) \|$", text, re.MULTILINE)
    names = [name for left, _ in rows for name in re.findall(r"`([A-Z_0-9]+)`", left)]
    assert len(names) == 39
    for name in names:
        find(name)
    for left, right in rows:
        (name, *others) = re.findall(r"`([A-Z_0-9]+)`", left)
        if not others and find(name).choices:
            known = {choice.value for choice in find(name).choices}
            written = {word.lower() for word in re.findall(r"`([A-Za-z0-9_]+)(?:\([^`]*\))?`(?!=)", right)}
            stray = {"stakes", "stake_limit", "limit", "doubling_flat", "pot_limit", "no_limit"} - known
            assert written - stray <= known, name


@pytest.mark.parametrize("letters", PRESETS)
def test_every_preset_is_made_of_registered_values(letters: str) -> None:
    for field, value in PRESETS[letters].items():
        assert check_option(field, value) == (field, value)
    check_options(preset(letters))


def test_columns_of_the_book() -> None:
    """A few cells of 0.6, one from each column."""
    assert preset("OE").suit_rank is SuitRank.HEARTS_FIRST
    assert preset("BD").limit is Limit.DOUBLING_FLAT
    assert preset("HD").odd_chip is OddChip.LOT
    assert preset("SL").first_1 == "low_card"
    assert preset("SH").min_raise == "match_call"
    assert preset("TH") == Options()
    assert preset("LB").show is Showing.IN_ORDER
    assert preset("HL").first_n == "opener"
    assert preset("HL_STUD").first_n == "high_showing"


def test_strict_is_laid_over_another_preset() -> None:
    strict = preset("SH", "strict")
    assert (strict.wild_call, strict.out_of_turn, strict.stakes) == ("declare", OutOfTurn.HOLD, Purse.OPEN_PURSE)
    assert strict.odd_chip is OddChip.LAST_AGGRESSOR


@pytest.mark.law("H-1")
def test_the_law_set_in_force_cannot_change_under_a_deal() -> None:
    """Options are a frozen value: a change makes another law set, and the deal keeps its own."""
    in_force = Options()
    changed = with_option(in_force, "ODD_CHIP", "lot")
    assert (in_force.odd_chip, changed.odd_chip) == (OddChip.LEFT_OF_DEALER, OddChip.LOT)
    with pytest.raises(AttributeError):
        in_force.odd_chip = OddChip.LOT  # type: ignore[misc]
    assert hash(in_force) != hash(changed)


@pytest.mark.law("H-2")
def test_a_house_rule_is_in_the_register() -> None:
    assert check_option("SUIT_RANK", "hearts_first") == ("suit_rank", SuitRank.HEARTS_FIRST)
    assert check_option("suit-rank", " Hearts first ") == ("suit_rank", SuitRank.HEARTS_FIRST)
    assert check_option("low_scale", "A5") == ("low_scale", "a5")
    with pytest.raises(UnknownHouseRule) as refusal:
        check_option("MULLIGAN", "on")
    assert refusal.value.law == "H-2"
    assert "ODD_CHIP" in refusal.value.known
    with pytest.raises(UnknownHouseRuleValue) as refused:
        check_option("ODD_CHIP", "dealer")
    assert refused.value.known == ("left_of_dealer", "high_suit", "last_aggressor", "lot")
    assert "known: left_of_dealer, high_suit, last_aggressor, lot" in refused.value.why


@pytest.mark.law("H-2")
def test_the_law_set_in_force_is_told_in_plain_words() -> None:
    told = plain(Options(), HOLDEM)
    assert told[0] == "Seats and pack: At most 10 seats."
    assert any(line.startswith("Betting: No limit:") for line in told)
    assert not any("wild" in line or "draw" in line.lower().split() for line in told)
    limit = plain(with_option(Options(), "LIMIT", "limit"), HOLDEM)
    assert any("at most three raises" in line for line in limit)
    assert not any("at most three raises" in line for line in told)  # no-limit play knows no cap


def test_a_law_set_is_compared_with_its_preset() -> None:
    table = with_option(with_option(Options(), "show", "all"), "rabbit", "on")
    assert compare(table, preset("TH")) == (
        Difference("SHOW", "all", "in_order"),
        Difference("RABBIT", "on", "off"),
    )
    assert compare(Options(), preset("TH")) == ()


def test_a_sheet_brings_its_own_options() -> None:
    mine = (DOUBLED_FOURTH,)
    table = with_option(preset("SL"), "stud.doubled-fourth", "on", mine)
    assert table.sheet == (("stud.doubled_fourth", "on"),)
    assert compare(table, preset("SL")) == (Difference("stud.doubled_fourth", "on", "off"),)
    assert plain(table)[-1] == "This game: stud.doubled_fourth on."
    with pytest.raises(UnknownHouseRule):
        with_option(Options(), "stud.doubled_fourth", "on")


def test_an_amount_is_no_option() -> None:
    assert check_option("MIN_BET", "5") == ("min_bet", 5)
    with pytest.raises(UnknownHouseRule):
        with_option(Options(), "MIN_BET", "5")


@pytest.mark.law("P-1", "P-2")
def test_two_to_ten_may_play_and_fourteen_where_the_house_says_so() -> None:
    assert Options().max_seats == 10
    assert check_option("MAX_SEATS", "14") == ("max_seats", 14)
    with pytest.raises(TooFewSeats) as few:
        check_option("MAX_SEATS", 1)
    assert (few.value.law, few.value.seats) == ("P-1", 1)
    with pytest.raises(TooManySeats) as many:
        check_options(Options(max_seats=15))
    assert (many.value.law, many.value.seats) == ("P-2", 15)
    with pytest.raises(NotWholeChips):
        check_option("MAX_SEATS", "six")


@pytest.mark.law("K-3", "W-2")
def test_a_joker_needs_a_wild_card_method() -> None:
    with pytest.raises(JokerNeedsMethod) as refusal:
        check_options(Options(deck=Deck.WITH_JOKER_53))
    assert str(refusal.value) == "Law K-3: a joker needs a wild-card method (W-2)."
    check_options(Options(deck=Deck.WITH_JOKER_53, wild_method=WildMethod.BUG))


@pytest.mark.law("K-1")
def test_the_pack_is_52_cards_unless_the_house_says_otherwise() -> None:
    assert Options().deck is Deck.STANDARD_52
    assert check_option("DECK", 36) == ("deck", Deck.STRIPPED_36)
    with pytest.raises(UnknownHouseRuleValue):
        check_option("DECK", 54)


def test_only_what_a_game_honours_is_offered() -> None:
    offered = {entry.name for entry in honoured(HOLDEM)}
    assert {"ODD_CHIP", "BUTTON", "LIMIT", "MAX_SEATS"} <= offered
    assert not {"DRAW_MAX", "STUD_TIE", "LOW_SCALE", "WILD_METHOD"} & offered


def test_options_are_stored_whole() -> None:
    """A stored hand keeps its law set even if our defaults change, so defaults are written too."""
    stored = msgspec.json.encode(preset("OE"))
    assert msgspec.json.decode(stored, type=Options) == preset("OE")
    assert msgspec.json.decode(stored).keys() == set(OPTION_TYPES)
