"""Stakes are agreed before play, in whole chips, and fit one another."""

import pytest
from msgspec.structs import replace

from bot.engine.errors import LawError
from bot.engine.options.presets import preset_options
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, Switch
from bot.engine.stakes import (
    MAX_CHIPS,
    AmountOutOfBounds,
    AnteTooLarge,
    BigBlindNotDouble,
    NotWholeChips,
    Stakes,
    StakesNotAgreed,
    StraddleTooSmall,
    bet_sizes,
    forced_straddle_chips,
    parse_chips,
    required_amounts,
    validate_stakes,
)

HOLDEM = Stakes(small_blind=50, big_blind=100)


def refused(stakes: Stakes, options: Options, refusal: type[LawError]) -> None:
    with pytest.raises(refusal):
        validate_stakes(stakes, options)


@pytest.mark.law("H-4", "L-1")
def test_stakes_are_agreed_before_the_game_begins() -> None:
    validate_stakes(HOLDEM, Options())
    with pytest.raises(StakesNotAgreed) as refusal:
        validate_stakes(Stakes(small_blind=50), Options())
    assert refusal.value.missing == ("big_blind",)
    assert str(refusal.value) == "StakesNotAgreed(law='H-4', missing=('big_blind',))"
    with pytest.raises(StakesNotAgreed) as more:
        validate_stakes(HOLDEM, Options(), also_required=("min_buyin", "max_buyin"))
    assert more.value.missing == ("min_buyin", "max_buyin")


@pytest.mark.parametrize(
    ("letters", "needed"),
    [
        ("TH", ("small_blind", "big_blind")),
        ("LB", ("small_blind", "big_blind")),
        ("OE", ("ante", "limit")),
        ("BD", ("ante", "doublings")),
        ("HD", ("ante", "limit")),
        ("SL", ("ante", "small_bet", "big_bet")),
    ],
)
def test_each_family_asks_for_its_amounts(letters: str, needed: tuple[str, ...]) -> None:
    assert required_amounts(preset_options(letters)) == needed


@pytest.mark.law("H-5")
@pytest.mark.parametrize("word", ["2.5", "0", "-3", "", "ten", "½", "1e3", 2.5, 0, -3, True, None])
def test_chips_are_whole(word: object) -> None:
    with pytest.raises(NotWholeChips) as refusal:
        parse_chips("bet", word)
    assert refusal.value.law == "H-5"


@pytest.mark.law("H-5")
def test_whole_chips_are_read_as_people_write_them() -> None:
    assert [parse_chips("bet", word) for word in (1, "1", " 1,000 ", "10_000")] == [1, 1, 1000, 10000]
    with pytest.raises(AmountOutOfBounds):
        parse_chips("bet", MAX_CHIPS + 1)
    with pytest.raises(AmountOutOfBounds):
        parse_chips("bet", "9" * 5000)
    refused(Stakes(small_blind=-50, big_blind=-100), Options(), NotWholeChips)


@pytest.mark.law("A-12")
@pytest.mark.parametrize("big_blind", [9, 15])
def test_the_big_blind_is_double_the_small(big_blind: int) -> None:
    odd = Stakes(small_blind=5, big_blind=big_blind)
    with pytest.raises(BigBlindNotDouble) as refusal:
        validate_stakes(odd, Options())
    assert (refusal.value.law, refusal.value.required) == ("A-12", 10)
    validate_stakes(Stakes(small_blind=5, big_blind=10), Options())
    validate_stakes(odd, Options(house_blinds=Switch.ON))
    refused(Stakes(small_blind=5, big_blind=4), Options(house_blinds=Switch.ON), AmountOutOfBounds)


@pytest.mark.law("A-2")
def test_an_ante_is_at_most_half_the_limit() -> None:
    old_english = preset_options("OE")
    validate_stakes(Stakes(ante=6, limit=12), old_english)
    with pytest.raises(AnteTooLarge) as refusal:
        validate_stakes(Stakes(ante=7, limit=12), old_english)
    assert refusal.value.law == "A-2"
    refused(Stakes(limit=12), old_english, StakesNotAgreed)
    refused(Stakes(limit=12), preset_options("HD"), StakesNotAgreed)


@pytest.mark.law("A-1", "A-2")
def test_where_everyone_antes_no_opening_is_bound_to_the_ante() -> None:
    """A-2 bounds the ante that an opening doubles; an ante of everyone is any whole stake agreed on."""
    validate_stakes(Stakes(ante=7, limit=12), preset_options("HD"))
    validate_stakes(Stakes(ante=7, limit=12), preset_options("SH"))


def test_the_forced_straddle_is_twice_the_ante_unless_agreed_otherwise() -> None:
    basic = preset_options("BD")
    assert forced_straddle_chips(Stakes(ante=3)) == 6
    validate_stakes(Stakes(ante=3, straddle=4, doublings=3), basic)
    refused(Stakes(ante=3, straddle=3, doublings=3), basic, StraddleTooSmall)


def test_limit_bets_are_the_big_blind_and_double() -> None:
    assert bet_sizes(Stakes(small_blind=5, big_blind=10)) == (10, 20)
    assert bet_sizes(Stakes(ante=1, small_bet=4, big_bet=8)) == (4, 8)
    validate_stakes(
        Stakes(ante=1, bring_in=2, small_bet=4, big_bet=8), preset_options("SL"), also_required=("bring_in",)
    )
    refused(Stakes(ante=1, bring_in=5, small_bet=4, big_bet=8), preset_options("SL"), AmountOutOfBounds)
    refused(Stakes(ante=1, small_bet=8, big_bet=4), preset_options("SL"), AmountOutOfBounds)


@pytest.mark.parametrize("doublings", [2, 5])
def test_stakes_double_three_or_four_times(doublings: int) -> None:
    refused(Stakes(ante=1, doublings=doublings), preset_options("BD"), AmountOutOfBounds)
    validate_stakes(Stakes(ante=1, doublings=4), preset_options("BD"))


def test_buy_ins_and_house_minimum_are_in_order() -> None:
    validate_stakes(Stakes(small_blind=50, big_blind=100, min_buyin=2000, max_buyin=20000), Options())
    refused(Stakes(small_blind=50, big_blind=100, min_buyin=2000, max_buyin=1000), Options(), AmountOutOfBounds)
    refused(Stakes(ante=1, limit=12, min_bet=13), preset_options("HD"), AmountOutOfBounds)
    refused(replace(HOLDEM, min_bet=99), Options(), AmountOutOfBounds)
    validate_stakes(replace(HOLDEM, min_bet=300), Options())


def test_table_without_forced_bets_needs_a_minimum_bet() -> None:
    assert required_amounts(Options(ante=Ante.NONE)) == ("min_bet",)
