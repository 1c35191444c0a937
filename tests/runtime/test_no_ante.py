"""A table where nobody puts anything in before the cards: made, told of, dealt and played (0.5 `ANTE`=none)."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.options import Ante
from bot.engine.ruling import legal, rule, start
from bot.engine.seeing import stakes_line, view
from bot.engine.stakes import AmountOutOfBounds, StakesNotAgreed
from bot.ledger.house import HouseRules
from bot.render import house, laws, lobby
from bot.render.panel import Text
from bot.runtime.house_table import Wishes
from bot.table.commands import Open
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.rules import check_settings
from bot.table.settings import TableSettings
from bot.table.view import TableView
from bot.table.view import view as table_view
from bot.variants import CATALOGUE
from bot.variants.tailoring import taste_of
from cogs.ui import own_tables
from tests.engine.any_table import any_deal
from tests.engine.test_all_games_machine import offered
from tests.table.story import Evening
from tests.table.story import player as user


def opened(key: str) -> TableSettings:
    return own_tables.new_table(key, HouseRules(), Wishes(big_blind=100), None, "off")


def without(key: str) -> TableSettings:
    """A table of this game whose host wants no antes."""
    return own_tables.changed(opened(key), "law.ante", "none")


def offers(key: str) -> bool:
    settings = opened(key)
    antes = [entry for field, entry, _ in taste_of(settings.card, settings.options) if field == "ante"]
    return any(choice.value == "none" for entry in antes for choice in entry.choices)


def view_of(settings: TableSettings) -> TableView:
    return table_view(evolve_all(None, decide(None, Open(1, settings), 1)))


def words(settings: TableSettings) -> str:
    return "\n".join(block.content for block in laws.law_set_panel(settings).blocks if isinstance(block, Text))


@pytest.mark.law("H-1", "A-1", "VC-20", "VC-27", "VC-29")
def test_it_is_offered_wherever_something_is_left_to_play_for() -> None:
    """Not where antes are all there is to win, where a pair must open, where the button's blind is reckoned by them, or in a bomb pot."""
    left_out = {card.key for card in CATALOGUE if not offers(card.key)}
    assert left_out == {
        "jackpots", "short_deck", "short_deck_trips", "guts", "guts_two", "guts_five", "bomb_pot", "bomb_pot_holdem",
        "double_board_bomb",
    }  # fmt: skip


@pytest.mark.law("H-4")
@pytest.mark.parametrize(
    ("key", "amounts", "told"),
    [
        ("holdem", {"min_bet": 100}, "no ante, bets from 100"),
        ("omaha", {"min_bet": 100}, "no ante, bets from 100"),
        ("limit_holdem", {"small_bet": 100, "big_bet": 200}, "100/200 no ante"),
        ("hoyle_draw", {"limit": 100}, "no ante, limit 100"),
        ("basic_draw", {"ante": 25, "doublings": 3}, "no ante, bets from 50"),
        ("stud", {"small_bet": 100, "big_bet": 200, "bring_in": 25}, "100/200 no ante"),
    ],
)
def test_what_a_bet_is_comes_with_it_and_is_told(key: str, amounts: dict[str, int], told: str) -> None:
    """Without blind and ante nothing else says what a bet is; a ladder still counts in an ante that nobody pays."""
    settings = without(key)
    check_settings(settings)
    for name, chips in amounts.items():
        assert getattr(settings.stakes, name) == chips
    assert (settings.stakes.big_blind, settings.unit) == (0, 100)
    assert lobby.stakes_short(settings) == told
    said = words(settings)
    assert told in said and "Nobody antes." in said
    assert "forced bets" not in said, "nothing is posted before the cards"
    assert stakes_line(start(*any_deal(random.Random(1), settings))[1]) == told


@pytest.mark.law("H-4", "H-2")
def test_the_least_bet_may_be_set_and_may_not_be_missing() -> None:
    settings = own_tables.changed(without("holdem"), "min_bet", "40")
    check_settings(settings)
    assert settings.unit == 40
    with pytest.raises(StakesNotAgreed) as refusal:
        check_settings(own_tables.changed(settings, "min_bet", "0"))
    assert refusal.value.missing == ("min_bet",)
    with pytest.raises(AmountOutOfBounds):
        check_settings(replace(settings, stakes=replace(settings.stakes, ante=5)))
    back = own_tables.changed(settings, "law.ante", "blinds")
    check_settings(back)
    assert back.options.ante is Ante.BLINDS
    assert back.stakes.big_blind == 2 * back.stakes.small_blind


@pytest.mark.law("H-4")
def test_who_antes_is_a_law_and_how_much_is_a_stake() -> None:
    """Both are called ante, as limit and straddle are called alike: each is changed by its own choice."""
    settings = opened("hoyle_draw")
    for field in ("ante", "limit"):
        assert field in {choice.field for choice in house.table_choices(view_of(settings))}
        assert f"law.{field}" in {choice.field for choice in house.law_choices(settings)}
    dearer = own_tables.changed(own_tables.changed(settings, "ante", 40), "limit", 200)
    check_settings(dearer)
    assert (dearer.stakes.ante, dearer.stakes.limit, dearer.options) == (40, 200, settings.options)


@pytest.mark.law("D-11", "B-3", "B-18")
def test_the_button_moves_and_nobody_owes_a_blind() -> None:
    settings = without("holdem")
    evening = Evening(settings.options, settings.stakes)
    evening.seats(Ann=1, Bo=2, Cy=3)
    buttons = []
    for _ in range(4):
        deal = evening.begin()
        assert deal.started.posts == ()
        buttons.append(deal.started.button)
        evening.end()
    assert buttons == [1, 2, 3, 1]
    evening.sit_out("Bo")
    evening.hand()
    evening.hand()
    evening.back("Bo")
    assert not evening.seat("Bo").owes_big
    evening.begin()
    assert evening.seat("Bo").number in evening.dealt
    assert evening.table.dealt_in(user("Bo"))


@pytest.mark.law("H-1", "B-18", "N-2", "TL-16")
@pytest.mark.parametrize("card", [card for card in CATALOGUE if offers(card.key)], ids=lambda card: card.key)
def test_every_game_that_offers_it_is_played_to_the_end(card: RuleCard) -> None:
    """Random deals, some with nothing in the pot to the end; no chip is made or lost, and each can be drawn at any time."""
    settings = without(card.key)
    assert any(choice.field == "law.ante" for choice in house.law_choices(settings))
    for seed in range(12):
        rng = random.Random(seed)
        started, pack = any_deal(rng, settings)
        hand = start(started, pack)[1]
        assert hand.pot == started.carried and not started.posts
        while not hand.over:
            view(hand, hand.to_act)
            seat = hand.to_act
            hand = rule(hand, seat, rng.choice(offered(rng, hand, seat, legal(hand, seat))))[1]
        assert sum(hand.stacks) + hand.carried_on == sum(started.stacks) + started.carried
