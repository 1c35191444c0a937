"""Every customised game that is offered can be set, and makes a table that can be opened."""

from enum import StrEnum

import pytest
from msgspec.structs import replace

from bot.engine.errors import LawError
from bot.engine.options.register import UnknownHouseRuleValue
from bot.engine.options.values import Limit, StraddleRule
from bot.engine.ranking import CategoryOrder
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard
from bot.house.rules import HouseRules
from bot.render.house import house_pages
from bot.runtime.table_settings import (
    NewTableRequest,
    default_table_settings,
    with_card_and_options,
    with_changed_field,
)
from bot.table.commands import OpenTable
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.picture_colours import Deck, Felt
from bot.table.settings import Nudge, Pictures, TableSettings
from bot.table.state import Table
from bot.table.validate_settings import validate_settings
from bot.table.view import view_table
from bot.variants import CATALOGUE, game
from bot.variants.customise import LAW_PREFIX, change_option, offered_options
from tests.support.message_limits import within_limits
from tests.support.panel_text import laws_as_text


@pytest.mark.law("H-1", "H-2", "H-4")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_offered_value_makes_a_lawful_table(card: RuleCard) -> None:
    settings = default_table_settings(card, HouseRules(), NewTableRequest(big_blind=100))
    validate_settings(settings)
    offered = house_pages.law_setting_choices(settings)
    assert offered
    for choice in offered:
        if not choice.options:  # it is written in words
            continue
        within_limits(house_pages.setting_panel(10**15, choice))
        law = choice.field.removeprefix(LAW_PREFIX)
        for value, _ in choice.options:
            changed = with_card_and_options(settings, *change_option(settings.rule_card, settings.options, law, value))
            validate_settings(changed)
            laws_as_text(changed)
            assert (
                next(now for field, _, now in offered_options(settings.rule_card, changed.options) if field == law)
                == value
            )


@pytest.mark.law("H-4", "A-12", "VB-3")
@pytest.mark.parametrize(
    ("name", "law", "value", "amount"),
    [
        ("holdem", "house_blinds", "on", "small_blind"),
        ("holdem", "limit", "stake_limit", "limit_after_draw"),
        ("hoyle_draw", "limit", "pot_limit", "min_bet"),
        ("basic_draw", "limit", "no_limit", "straddle"),
    ],
)
def test_amounts_left_to_the_host_can_be_set(name: str, law: str, value: str, amount: str) -> None:
    settings = default_table_settings(game(name), HouseRules(), NewTableRequest(big_blind=100))
    changed = with_card_and_options(settings, *change_option(settings.rule_card, settings.options, law, value))
    offered = {choice.field for choice in house_pages.table_setting_choices(view_table(_opened(changed)))}
    assert amount in offered
    if name == "holdem" and law == "house_blinds":
        assert amount not in {
            choice.field for choice in house_pages.table_setting_choices(view_table(_opened(settings)))
        }
        validate_settings(with_changed_field(changed, "small_blind", 30))


@pytest.mark.law("VC-17", "H-4")
def test_button_blind_can_be_set_at_short_deck_alone() -> None:
    settings = default_table_settings(game("short_deck"), HouseRules(), NewTableRequest(big_blind=100))
    offered = {choice.field for choice in house_pages.table_setting_choices(view_table(_opened(settings)))}
    assert "button_blind" in offered
    changed = with_changed_field(settings, "button_blind", 2 * settings.stakes.ante)
    validate_settings(changed)
    assert "button_blind" not in {
        choice.field
        for choice in house_pages.table_setting_choices(
            view_table(_opened(default_table_settings(game("holdem"), HouseRules())))
        )
    }


@pytest.mark.parametrize(
    ("field", "typed", "kept"),
    [
        ("pictures", "text only", Pictures.TEXT_ONLY),
        ("pictures", "per street", Pictures.PER_STREET),
        ("pictures", "every action", Pictures.PER_STREET),
        ("picture_deck", "filled", Deck.FILLED),
        ("felt", "blue", Felt.TOURNAMENT),
        ("nudge", "at once", Nudge.AT_ONCE),
    ],
)
def test_settings_of_a_few_words_take_their_words(field: str, typed: str, kept: StrEnum) -> None:
    settings = default_table_settings(game("holdem"), HouseRules())
    assert getattr(with_changed_field(settings, field, typed), field) is kept
    with pytest.raises(UnknownHouseRuleValue):
        with_changed_field(settings, field, "pink")


@pytest.mark.law("L-10", "TL-17", "H-2")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("five_card_draw", ("3", "3_4", "4", "none")),
        ("limit_holdem", ("3", "4", "none")),
        ("holdem", ()),
    ],
)
def test_raise_cap_is_offered_where_it_decides(name: str, values: tuple[str, ...]) -> None:
    card = game(name)
    offered = {field: option.values for field, option, _ in offered_options(card, card.options)}
    assert offered.get("raise_cap", ()) == values


def _opened(settings: TableSettings) -> Table:
    return evolve_all(None, decide(None, OpenTable(1, settings), 1))


@pytest.mark.law("K-3", "K-4")
def test_every_deck_is_offered_with_jokers() -> None:
    card = game("five_card_draw")
    decks = next(option.values for field, option, _ in offered_options(card, card.options) if field == "deck")
    assert set(decks) == {"52", "53", "54", "36", "37", "38", "32", "33", "34"}


@pytest.mark.law("H-1", "K-3", "A-10")
def test_options_that_no_longer_fit_are_reconciled() -> None:
    """Blinds remove the forced straddle. A joker that comes in is wild, and its method goes again with it."""
    card = game("basic_draw")
    _, options = change_option(card, card.options, "ante", "blinds")
    assert options.straddle is StraddleRule.OFF
    draw = game("five_card_draw")
    _, options = change_option(draw, draw.options, "deck", "53")
    assert options.wild_method is WildMethod.FREE
    _, options = change_option(draw, options, "wild_method", "bug")
    _, options = change_option(draw, options, "deck", "52")
    assert options.wild_method is WildMethod.NONE


def test_an_option_of_a_stripped_deck_goes_with_it() -> None:
    holdem = game("holdem")
    card, options = change_option(holdem, holdem.options, "deck", "36")
    card, options = change_option(card, options, "sheet.flush_first", "on")
    assert card.shares[0].ranking.order is CategoryOrder.SHORT_DECK
    card, options = change_option(card, options, "deck", "52")
    assert (card, options) == (holdem, holdem.options)


def test_an_option_of_a_sheet_changes_the_card_and_back() -> None:
    card = game("stud")
    doubled, options = change_option(card, card.options, "sheet.pair_doubles", "on")
    assert doubled != card
    assert options.sheet == (("stud.pair_doubles", "on"),)
    plain, _ = change_option(doubled, options, "sheet.pair_doubles", "off")
    assert plain == card


@pytest.mark.parametrize(("field", "value"), [("sheet.pair_doubles", "maybe"), ("no_such", "on"), ("limit", "sky")])
def test_unknown_options_and_values_are_refused(field: str, value: str) -> None:
    card = game("stud")
    with pytest.raises(LawError):
        change_option(card, card.options, field, value)


@pytest.mark.law("VB-2", "H-4", "TL-1")
@pytest.mark.parametrize("limit", ["no_limit", "pot_limit"])
def test_straddle_is_what_a_big_blind_is_elsewhere(limit: str) -> None:
    settings = default_table_settings(game(f"basic_draw + {limit}"), HouseRules(), NewTableRequest(big_blind=100))
    assert (settings.stakes.ante, settings.buy_in_unit) == (50, 100)
    own = replace(settings, stakes=replace(settings.stakes, straddle=150, min_buyin=0, max_buyin=0))
    assert (own.buy_in_unit, own.min_buyin) == (150, 3_000)


@pytest.mark.law("L-6", "A-11", "TL-1")
@pytest.mark.parametrize("word", ["basic_draw", "holdem + doubling", "hoyle_draw + doubling"])
def test_doubling_buy_ins_count_in_first_raises(word: str) -> None:
    """Ante 25, straddle 50, first raise 100: that is what a big blind of 100 is elsewhere, with blinds as without."""
    settings = default_table_settings(game(word), HouseRules(), NewTableRequest(big_blind=100))
    assert settings.buy_in_unit == 100
    own = replace(settings, stakes=replace(settings.stakes, min_buyin=0, max_buyin=0))
    assert (own.min_buyin, own.max_buyin) == (2_000, 20_000)
    other = with_card_and_options(settings, settings.rule_card, replace(settings.options, limit=Limit.STAKE_LIMIT))
    assert other.stakes.limit == 100
