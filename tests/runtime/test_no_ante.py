"""A table where nobody antes is made, described, dealt and played (0.5 `ANTE`=none)."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.options.values import Ante
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import AmountOutOfBounds, StakesNotAgreed
from bot.engine.view.build import view
from bot.house.rules import HouseRules
from bot.render.house import house_pages
from bot.runtime.table_settings import NewTableRequest
from bot.table.commands import OpenTable
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.settings import TableSettings
from bot.table.validate_settings import validate_settings
from bot.table.view import TableView
from bot.table.view import view_table as table_view
from bot.text.lobby import table_stakes
from bot.text.stakes import short_stakes
from bot.variants import CATALOGUE
from bot.variants.customise import offered_options
from cogs.presses import table_settings
from tests.engine.random_table import any_deal
from tests.engine.test_all_games_machine import offered
from tests.support.panel_text import laws_as_text
from tests.table.evening import Evening
from tests.table.evening import player_id as user


def opened(key: str) -> TableSettings:
    return table_settings.new_table_settings(key, HouseRules(), NewTableRequest(big_blind=100), None, "off")


def without(key: str) -> TableSettings:
    """Return a table of this game whose host wants no antes."""
    return table_settings.with_setting(opened(key), "law.ante", "none")


def offers(key: str) -> bool:
    settings = opened(key)
    antes = [option for field, option, _ in offered_options(settings.rule_card, settings.options) if field == "ante"]
    return any("none" in option.values for option in antes)


def view_of(settings: TableSettings) -> TableView:
    return table_view(evolve_all(None, decide(None, OpenTable(1, settings), 1)))


def words(settings: TableSettings) -> str:
    return laws_as_text(settings)


@pytest.mark.law("H-1", "A-1", "VC-20", "VC-27", "VC-29")
def test_it_is_offered_wherever_something_is_left_to_play_for() -> None:
    """It is not offered where antes are all there is to win, where a pair must open, where the button's blind depends on them, or in a bomb
    pot."""
    left_out = {card.key for card in CATALOGUE if not offers(card.key)}
    assert left_out == {
        "jackpots", "short_deck", "short_deck_trips", "guts", "guts_two", "guts_five", "bomb_pot", "bomb_pot_holdem",
        "double_board_bomb",
    }  # fmt: skip


@pytest.mark.law("H-4")
@pytest.mark.parametrize(
    ("key", "amounts", "stakes_text"),
    [
        ("holdem", {"min_bet": 100}, "no ante, bets from 100"),
        ("omaha", {"min_bet": 100}, "no ante, bets from 100"),
        ("limit_holdem", {"small_bet": 100, "big_bet": 200}, "100/200 no ante"),
        ("hoyle_draw", {"limit": 100}, "no ante, raises up to 100"),
        ("basic_draw", {"ante": 25, "doublings": 3}, "no ante, bets from 50"),
        ("stud", {"small_bet": 100, "big_bet": 200, "bring_in": 25}, "100/200 no ante"),
    ],
)
def test_option_brings_its_bet_sizes_and_describes_them(key: str, amounts: dict[str, int], stakes_text: str) -> None:
    """Without blind and ante nothing else says how large a bet is. A ladder still counts in an ante that nobody pays."""
    settings = without(key)
    validate_settings(settings)
    for name, chips in amounts.items():
        assert getattr(settings.stakes, name) == chips
    assert (settings.stakes.big_blind, settings.buy_in_unit) == (0, 100)
    assert table_stakes(settings) == stakes_text
    said = words(settings)
    assert stakes_text in said and "Nobody antes." in said
    assert not any(f"{posted}, " in said for posted in ("blinds", "antes", "an ante")), (
        "nothing is posted before the cards"
    )
    shown = view(start(*any_deal(random.Random(1), settings))[1], None)
    assert short_stakes(shown.stakes, ante=shown.ante_rule, limit=shown.limit) == stakes_text


@pytest.mark.law("H-4", "H-2")
def test_minimum_bet_can_be_set_and_is_required() -> None:
    settings = table_settings.with_setting(without("holdem"), "min_bet", "40")
    validate_settings(settings)
    assert settings.buy_in_unit == 40
    with pytest.raises(StakesNotAgreed) as refusal:
        validate_settings(table_settings.with_setting(settings, "min_bet", "0"))
    assert refusal.value.missing == ("min_bet",)
    with pytest.raises(AmountOutOfBounds):
        validate_settings(replace(settings, stakes=replace(settings.stakes, ante=5)))
    back = table_settings.with_setting(settings, "law.ante", "blinds")
    validate_settings(back)
    assert back.options.ante is Ante.BLINDS
    assert back.stakes.big_blind == 2 * back.stakes.small_blind


@pytest.mark.law("H-4")
def test_who_antes_is_law_and_amount_is_stakes() -> None:
    """Both are called ante, as limit and straddle are. Each is changed by its own choice."""
    settings = opened("hoyle_draw")
    for field in ("ante", "limit"):
        assert field in {choice.field for choice in house_pages.table_setting_choices(view_of(settings))}
        assert f"law.{field}" in {choice.field for choice in house_pages.law_setting_choices(settings)}
    dearer = table_settings.with_setting(table_settings.with_setting(settings, "ante", 40), "limit", 200)
    validate_settings(dearer)
    assert (dearer.stakes.ante, dearer.stakes.limit, dearer.options) == (40, 200, settings.options)


@pytest.mark.law("D-11", "B-3", "B-18")
def test_the_button_moves_and_nobody_owes_a_blind() -> None:
    settings = without("holdem")
    evening = Evening(settings.options, settings.stakes)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    buttons = []
    for _ in range(4):
        deal = evening.begin_hand()
        assert deal.started.posts == ()
        buttons.append(deal.started.button_seat_number)
        evening.end_hand()
    assert buttons == [1, 2, 3, 1]
    evening.sit_out("Bo")
    evening.play_hand()
    evening.play_hand()
    evening.come_back("Bo")
    assert not evening.seat("Bo").owes_big
    evening.begin_hand()
    assert evening.seat("Bo").number in evening.dealt
    assert evening.table.dealt_in(user("Bo"))


@pytest.mark.law("H-1", "B-18", "N-2", "TL-16")
@pytest.mark.parametrize("card", [card for card in CATALOGUE if offers(card.key)], ids=lambda card: card.key)
def test_every_game_that_offers_it_is_played_to_the_end(card: RuleCard) -> None:
    """Random hands, some with nothing in the pot to the end, make and lose no chip, and each can be drawn at any time."""
    settings = without(card.key)
    assert any(choice.field == "law.ante" for choice in house_pages.law_setting_choices(settings))
    for seed in range(12):
        rng = random.Random(seed)
        started, deck = any_deal(rng, settings)
        hand = start(started, deck)[1]
        assert hand.pot == started.carried and not started.posts
        while not hand.over:
            view(hand, hand.to_act)
            seat = hand.to_act
            hand = decide_and_evolve(hand, seat, rng.choice(offered(rng, hand, seat, legal(hand, seat))))[1]
        assert sum(hand.stacks) + hand.carried_to_next_hand == sum(started.stacks) + started.carried
