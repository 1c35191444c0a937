"""A table can choose the options of the register, and nothing else passes for a house rule."""

import re
from collections.abc import Iterator
from enum import StrEnum

import msgspec
import pytest

from bot.engine.dealing.decks import DECKS, joker_count
from bot.engine.options.presets import PRESETS, preset_options
from bot.engine.options.register import (
    OPTION_TYPES,
    REGISTER,
    JokerNeedsMethod,
    MethodsHaveNoOrder,
    OptionDifference,
    RegisteredOption,
    TooFewSeats,
    TooManySeats,
    UnknownHouseRule,
    UnknownHouseRuleValue,
    WildCardsNotInDeck,
    compare_options,
    option_code,
    parse_option,
    validate_options,
    with_option,
)
from bot.engine.options.types import Group, Options
from bot.engine.options.values import DeckKind, JokerMethod, Limit, OddChip, OutOfTurn, Showing, StakesRule
from bot.engine.options.wild_cards import UnknownWildCards
from bot.engine.ranking.spec import AceStraight, SuitRank, WildMethod
from bot.engine.stakes import NotWholeChips
from tests.support.data import LAW_BOOK

DOUBLED_FOURTH = RegisteredOption(name="stud.doubled_fourth", group=Group.GAME, laws=("VC-5",), values=("off", "on"))


def test_every_field_of_the_options_is_declared() -> None:
    declared = {option.field for option in REGISTER}
    assert set(OPTION_TYPES) - declared == {"sheet", "wild_ranks"}  # `WILD_CARDS` is both lists of wild cards
    assert declared - set(OPTION_TYPES) == {"min_bet", "notes"}  # `Stakes` and the settings of the table hold them
    written = {option.field: option.is_text for option in REGISTER if not option.values}
    assert written == {"max_seats": False, "min_bet": False, "wild_cards": True, "notes": True}


def test_every_value_of_an_option_can_be_chosen() -> None:
    """The only exception is the ace that a stripped deck makes high: no table chooses that."""
    for option in REGISTER:
        if option.values:
            value_type = OPTION_TYPES[option.field]
            assert issubclass(value_type, StrEnum), option.name
            assert {*value_type} - {*option.values} <= {AceStraight.HIGH_ONLY}, option.name
    with pytest.raises(UnknownHouseRuleValue):
        validate_options(Options(ace_straight=AceStraight.HIGH_ONLY))


def test_the_register_is_the_written_one() -> None:
    """Every option of the law book's 0.5 has every value that the book names."""
    text = LAW_BOOK.read_text(encoding="utf-8").partition("### 0.5")[2].partition("### 0.6")[0]
    rows = re.findall(r"^\| ((?:`[A-Z_0-9]+`(?:, | \([a-z ]+\))?)+) \| (.*) \|$", text, re.MULTILINE)
    assert len([name for left, _ in rows for name in re.findall(r"`([A-Z_0-9]+)`", left)]) == 43
    built = {option.name: {*option.values} for option in REGISTER}
    missing = set()
    for left, right in rows:
        for name, values in written_values(re.findall(r"`([A-Z_0-9]+)`", left), right):
            if name not in built:
                missing.add((name, ""))
            elif built[name]:
                missing |= {(name, value) for value in values - built[name]}
    assert missing == set()


def written_values(names: list[str], cell: str) -> Iterator[tuple[str, set[str]]]:
    """Return the options and values of a row of the written register: values in backticks, or the first word of each alternative."""
    for name, part in zip(names, [cell] if len(names) == 1 else cell.split("; "), strict=False):
        quoted = re.findall(r"`([A-Za-z0-9_]+)(?:\([^`]*\))?`(?!=)", part)
        yield name, {word.lower() for word in quoted or re.findall(r"(?:^|/ )(\w+)", part)}


@pytest.mark.parametrize("letters", PRESETS)
def test_every_preset_is_made_of_registered_values(letters: str) -> None:
    for field, value in PRESETS[letters].items():
        assert parse_option(field, value) == (field, value)
    validate_options(preset_options(letters))


def test_columns_of_the_book() -> None:
    """A few cells of 0.6 are checked, one from each column."""
    assert preset_options("OE").suit_rank is SuitRank.HEARTS_FIRST
    assert preset_options("BD").limit is Limit.DOUBLING_FLAT
    assert preset_options("HD").odd_chip is OddChip.LOT
    assert preset_options("SL").first_1 == "low_card"
    assert preset_options("SH").min_raise == "match_call"
    assert preset_options("TH") == Options()
    assert preset_options("LB").show is Showing.IN_ORDER
    assert preset_options("HL").first_n == "opener"
    assert preset_options("HL_STUD").first_n == "high_showing"


def test_strict_is_laid_over_another_preset() -> None:
    strict = preset_options("SH", "strict")
    assert (strict.wild_call, strict.out_of_turn, strict.stakes) == ("declare", OutOfTurn.HOLD, StakesRule.OPEN_PURSE)
    assert strict.odd_chip is OddChip.LAST_AGGRESSOR


@pytest.mark.law("H-1")
def test_options_in_force_cannot_change_during_a_hand() -> None:
    """Options are frozen values: a change makes new ones, and the hand keeps its own."""
    in_force = Options()
    changed = with_option(in_force, "ODD_CHIP", "lot")
    assert (in_force.odd_chip, changed.odd_chip) == (OddChip.LEFT_OF_DEALER, OddChip.LOT)
    with pytest.raises(AttributeError):
        in_force.odd_chip = OddChip.LOT  # type: ignore[misc]
    assert hash(in_force) != hash(changed)


@pytest.mark.law("H-2")
def test_a_house_rule_is_in_the_register() -> None:
    assert parse_option("SUIT_RANK", "hearts_first") == ("suit_rank", SuitRank.HEARTS_FIRST)
    assert parse_option("suit-rank", " Hearts first ") == ("suit_rank", SuitRank.HEARTS_FIRST)
    assert parse_option("low_scale", "A5") == ("low_scale", "a5")
    with pytest.raises(UnknownHouseRule) as refusal:
        parse_option("MULLIGAN", "on")
    assert refusal.value.law == "H-2"
    assert "ODD_CHIP" in refusal.value.known
    with pytest.raises(UnknownHouseRuleValue) as refused:
        parse_option("ODD_CHIP", "dealer")
    assert refused.value.known == ("left_of_dealer", "high_suit", "last_aggressor", "lot")


def test_a_law_set_is_compared_with_its_preset() -> None:
    table = with_option(with_option(Options(), "show", "all"), "rabbit", "on")
    assert compare_options(table, preset_options("TH")) == (
        OptionDifference("SHOW", "all", "in_order"),
        OptionDifference("RABBIT", "on", "off"),
    )
    assert compare_options(Options(), preset_options("TH")) == ()


def test_a_sheet_brings_its_own_options() -> None:
    mine = (DOUBLED_FOURTH,)
    table = with_option(preset_options("SL"), "stud.doubled-fourth", "on", mine)
    assert table.sheet == (("stud.doubled_fourth", "on"),)
    assert compare_options(table, preset_options("SL")) == (OptionDifference("stud.doubled_fourth", "on", "off"),)
    with pytest.raises(UnknownHouseRule):
        with_option(Options(), "stud.doubled_fourth", "on")


def test_an_amount_is_no_option() -> None:
    assert parse_option("MIN_BET", "5") == ("min_bet", 5)
    with pytest.raises(UnknownHouseRule):
        with_option(Options(), "MIN_BET", "5")


@pytest.mark.law("P-1", "P-2")
def test_two_to_ten_can_play_and_fourteen_on_request() -> None:
    assert Options().max_seats == 10
    assert parse_option("MAX_SEATS", "14") == ("max_seats", 14)
    with pytest.raises(TooFewSeats) as few:
        parse_option("MAX_SEATS", 1)
    assert few.value.law == "P-1"
    with pytest.raises(TooManySeats) as many:
        validate_options(Options(max_seats=15))
    assert many.value.law == "P-2"
    with pytest.raises(NotWholeChips):
        parse_option("MAX_SEATS", "six")


@pytest.mark.law("K-3", "W-2")
def test_a_joker_needs_a_wild_card_method() -> None:
    with pytest.raises(JokerNeedsMethod) as refusal:
        validate_options(Options(deck=DeckKind.WITH_JOKER_53))
    assert refusal.value.law == "K-3"
    validate_options(Options(deck=DeckKind.WITH_JOKER_53, wild_method=WildMethod.BUG))


@pytest.mark.law("K-1")
def test_deck_is_52_cards_unless_the_house_chooses_otherwise() -> None:
    assert Options().deck is DeckKind.STANDARD_52
    assert parse_option("DECK", 36) == ("deck", DeckKind.STRIPPED_36)
    with pytest.raises(UnknownHouseRuleValue):
        parse_option("DECK", 55)


@pytest.mark.law("K-3")
def test_any_deck_takes_a_joker_or_two() -> None:
    for plain in (52, 36, 32):
        for jokers in (1, 2):
            _, deck = parse_option("DECK", plain + jokers)
            assert isinstance(deck, DeckKind)
            assert len(DECKS[deck]) == plain + jokers
            assert joker_count(deck) == jokers
            with pytest.raises(JokerNeedsMethod):
                validate_options(Options(deck=deck))
            validate_options(Options(deck=deck, joker_method=JokerMethod.BUG))


@pytest.mark.law("W-3")
def test_methods_that_have_no_order_do_not_go_together() -> None:
    with pytest.raises(MethodsHaveNoOrder):
        validate_options(Options(wild_method=WildMethod.FREE, joker_method=JokerMethod.NO_DUPLICATE))


@pytest.mark.law("W-1")
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("queen of spades", "Qs"),
        ("Qs, 2c 2s", "black 2, Qs"),
        ("suicide king", "Kh"),
        ("black twos", "black 2"),
        ("hearts", "hearts"),
        ("one-eyed jacks", "one-eyed J"),
        ("One eyes are wild", "one-eyed"),
        ("the king with the axe", "Kd"),
        ("deuces, red kings and the A♠", "2, red K, As"),
        ("J one-eyed", "one-eyed J"),
        ("K suicide", "Kh"),
        ("face cards", "J, Q, K"),
        ("none", "none"),
    ],
)
def test_any_card_or_class_of_cards_can_be_wild(typed: str, code: str) -> None:
    assert parse_option("WILD_CARDS", typed) == ("wild_cards", code)
    chosen = with_option(Options(), "wild_cards", typed)
    assert option_code(chosen, "wild_cards") == code
    assert with_option(Options(), "wild_cards", code) == chosen


@pytest.mark.law("W-1")
@pytest.mark.parametrize("typed", ["fish", "king of hats", "joker", "36", "x" * 300])
def test_words_that_name_no_card_are_refused(typed: str) -> None:
    with pytest.raises(UnknownWildCards):
        with_option(Options(), "wild_cards", typed)


@pytest.mark.law("W-1")
def test_wild_cards_are_in_the_deck() -> None:
    with pytest.raises(WildCardsNotInDeck):
        with_option(Options(deck=DeckKind.STRIPPED_36), "wild_cards", "deuces")


def test_options_are_stored_whole() -> None:
    """A stored hand keeps its options even if our defaults change, so defaults are stored too."""
    stored = msgspec.json.encode(preset_options("OE"))
    assert msgspec.json.decode(stored, type=Options) == preset_options("OE")
    assert msgspec.json.decode(stored).keys() == set(OPTION_TYPES)
