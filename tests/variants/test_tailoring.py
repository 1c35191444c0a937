"""Games to a table's own taste: whatever is offered for a game can be set, and makes a table that can be opened."""

import pytest
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.errors import LawError
from bot.engine.options import Limit, Straddle, WildMethod
from bot.engine.ranking import Order
from bot.ledger.house import HouseRules
from bot.render import house, laws
from bot.render.limits import check
from bot.runtime.house_table import Wishes, changed_settings, house_settings, with_laws
from bot.table.commands import Open
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.rules import check_settings
from bot.table.settings import TableSettings
from bot.table.state import Table
from bot.table.view import view
from bot.variants import CATALOGUE, game
from bot.variants.tailoring import LAW, tailored, taste_of


@pytest.mark.law("H-1", "H-2", "H-4")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_choice_that_is_offered_makes_a_lawful_table(card: RuleCard) -> None:
    settings = house_settings(card, HouseRules(), Wishes(big_blind=100))
    check_settings(settings)
    offered = house.law_choices(settings)
    assert offered
    for choice in offered:
        check(house.setting_panel(10**15, choice))
        law = choice.field.removeprefix(LAW)
        for value, _ in choice.values:
            changed = with_laws(settings, *tailored(settings.card, settings.options, law, value))
            check_settings(changed)
            check(laws.law_set_panel(changed))
            assert next(now for field, _, now in taste_of(settings.card, changed.options) if field == law) == value


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
def test_an_amount_that_a_law_leaves_to_the_host_can_be_set(name: str, law: str, value: str, amount: str) -> None:
    settings = house_settings(game(name), HouseRules(), Wishes(big_blind=100))
    changed = with_laws(settings, *tailored(settings.card, settings.options, law, value))
    offered = {choice.field for choice in house.table_choices(view(_opened(changed)))}
    assert amount in offered
    if name == "holdem" and law == "house_blinds":
        assert amount not in {choice.field for choice in house.table_choices(view(_opened(settings)))}
        check_settings(changed_settings(changed, "small_blind", 30))


def _opened(settings: TableSettings) -> Table:
    return evolve_all(None, decide(None, Open(1, settings), 1))


@pytest.mark.law("H-1", "K-3", "A-10")
def test_what_no_longer_goes_with_a_change_follows_it() -> None:
    """Blinds take the forced straddle away; a joker that comes in is wild, and with it its method goes again."""
    card = game("basic_draw")
    _, options = tailored(card, card.options, "ante", "blinds")
    assert options.straddle is Straddle.OFF
    draw = game("five_card_draw")
    _, options = tailored(draw, draw.options, "deck", "53")
    assert options.wild_method is WildMethod.FREE
    _, options = tailored(draw, options, "wild_method", "bug")
    _, options = tailored(draw, options, "deck", "52")
    assert options.wild_method is WildMethod.NONE


def test_an_option_of_a_stripped_pack_goes_with_the_pack() -> None:
    holdem = game("holdem")
    card, options = tailored(holdem, holdem.options, "deck", "36")
    card, options = tailored(card, options, "sheet.flush_first", "on")
    assert card.shares[0].ranking.order is Order.SHORT_DECK
    card, options = tailored(card, options, "deck", "52")
    assert (card, options) == (holdem, holdem.options)


def test_an_option_of_a_sheet_changes_the_card_and_back() -> None:
    card = game("stud")
    doubled, options = tailored(card, card.options, "sheet.pair_doubles", "on")
    assert doubled != card
    assert options.sheet == (("stud.pair_doubles", "on"),)
    plain, _ = tailored(doubled, options, "sheet.pair_doubles", "off")
    assert plain == card


@pytest.mark.parametrize(("field", "value"), [("sheet.pair_doubles", "maybe"), ("no_such", "on"), ("limit", "sky")])
def test_what_there_is_not_is_refused(field: str, value: str) -> None:
    card = game("stud")
    with pytest.raises(LawError):
        tailored(card, card.options, field, value)


@pytest.mark.law("L-6", "A-11", "TL-1")
@pytest.mark.parametrize("word", ["basic_draw", "holdem + doubling", "hoyle_draw + doubling"])
def test_buy_ins_of_doubling_stakes_are_counted_in_the_first_raise(word: str) -> None:
    """Ante 25, straddle 50, first raise 100: that is what a big blind of 100 is elsewhere, with blinds as without."""
    settings = house_settings(game(word), HouseRules(), Wishes(big_blind=100))
    assert settings.unit == 100
    own = replace(settings, stakes=replace(settings.stakes, min_buyin=0, max_buyin=0))
    assert (own.min_buyin, own.max_buyin) == (2_000, 20_000)
    other = with_laws(settings, settings.card, replace(settings.options, limit=Limit.STAKE_LIMIT))
    assert other.stakes.limit == 100
