"""A rule card that is in no list is played, described, ranked and customised like any other."""

import pytest
from msgspec.structs import replace

from bot.engine.cards import EIGHT, NINE, parse_cards
from bot.engine.options.presets import preset_options
from bot.engine.options.register import with_option
from bot.engine.options.types import Options
from bot.engine.options.values import LaterOpener, LowScale
from bot.engine.ranking import Ranking, Scale
from bot.engine.rule_card import RuleCard, Share
from bot.engine.showdown.ranking_in_force import ranking_in_force
from bot.engine.steps import BettingRound, DealBoard, DealDown, PostForcedBets, Showdown
from bot.engine.usual_stakes import usual_stakes
from bot.history.validate_card import CardFault, CardFaultKind, find_fault
from bot.table.settings import TableSettings
from bot.table.validate_settings import validate_settings
from bot.text.describe_game import describe_game
from bot.variants import CATALOGUE, game
from bot.variants.customise import change_option, offered_options
from tests.variants.play_hand import DealtHand, play_hand

CINCINNATI = RuleCard(
    key="cincinnati",
    name="Cincinnati",
    law_id="VC-18",
    family="home",
    seats_min=2,
    seats_max=8,
    steps=(
        PostForcedBets(),
        DealDown(5),
        *(step for at in range(1, 6) for step in (DealBoard(1), BettingRound(f"common card {at}"))),
        Showdown(),
    ),
    shares=(Share("pot", Ranking()),),
    options=replace(preset_options("HD"), first_n=LaterOpener.OPENER, max_seats=8),
)
"""Five cards each and five common ones, which are turned up one by one with betting after each. The best five of the ten win."""

TWO_LOWS = replace(
    game("hilo_draw"),
    key="deuce_and_five",
    name="Deuce and Five",
    shares=(Share("27", Ranking(scale=Scale.DEUCE_TO_SEVEN)), Share("a5", Ranking(scale=Scale.ACE_TO_FIVE))),
    options=replace(game("hilo_draw").options, low_scale=LowScale.DEUCE_TO_SEVEN),
    aliases=(),
)
"""A pot that is split between the best hand from deuce to seven and the best from ace to five."""


@pytest.mark.parametrize("card", [CINCINNATI, TWO_LOWS], ids=lambda card: card.key)
def test_a_written_rule_card_is_played_and_described(card: RuleCard) -> None:
    validate_settings(TableSettings(rule_card=card, options=card.options, stakes=usual_stakes(card)))
    assert find_fault(card, card.options) is None
    for seed in range(30):
        play_hand(card, seed)
    assert describe_game(card)[0].startswith(f"{card.name} (law ")


@pytest.mark.law("F-5")
@pytest.mark.parametrize("card", [CINCINNATI, *CATALOGUE], ids=lambda card: card.key)
def test_every_change_of_an_option_can_be_taken_back(card: RuleCard) -> None:
    """Whatever a table chooses, the game's own value stays among the choices."""
    for name, option, now in offered_options(card, card.options):
        for value in option.values:
            changed, options = change_option(card, card.options, name, value)
            back = next(found for known, found, _ in offered_options(changed, options) if known == name)
            assert now in back.values, (name, value)
            assert change_option(changed, options, name, now)


def test_the_opener_acts_first_again_when_the_table_wishes() -> None:
    """Cincinnati has no draw, so only its own options say that the opener can act first."""
    card, options = change_option(CINCINNATI, CINCINNATI.options, "first_n", "left_of_dealer")
    offered = {name: option.values for name, option, _ in offered_options(card, options)}
    assert offered["first_n"] == ("left_of_dealer", "opener")
    assert change_option(card, options, "first_n", "opener") == (CINCINNATI, CINCINNATI.options)


def _scales(card: RuleCard, options: Options) -> list[Scale]:
    return [ranking_in_force(share.ranking, card, options).scale for share in card.shares]


@pytest.mark.law("LO-5")
def test_a_rule_cards_own_low_scale_counts() -> None:
    holdem = game("holdem")
    card = replace(
        holdem,
        shares=(Share("high", Ranking()), Share("low", Ranking(scale=Scale.DEUCE_TO_SEVEN))),
    )
    assert card.options.low_scale is LowScale.ACE_LOW
    assert _scales(card, card.options) == [Scale.HIGH, Scale.DEUCE_TO_SEVEN]
    assert "low_scale" not in {name for name, _, _ in offered_options(card, card.options)}
    assert any("deuce to seven" in line for line in describe_game(card))


@pytest.mark.law("LO-5", "TL-23")
def test_a_pot_is_split_between_two_low_scales() -> None:
    """Bo's straight is the best from ace to five and a poor hand from deuce to seven, where Ann's 7-5 wins."""
    card = TWO_LOWS
    assert _scales(card, card.options) == [Scale.DEUCE_TO_SEVEN, Scale.ACE_TO_FIVE]
    dealt = DealtHand(card, 2)
    two_to_seven, ace_to_five = dealt.hand.rules.evaluators
    ann, bo = parse_cards("7s5d4h3c2s"), parse_cards("5s4d3d2hAc")
    assert two_to_seven.value(ann) > two_to_seven.value(bo)
    assert ace_to_five.value(bo) > ace_to_five.value(ann)


@pytest.mark.law("H-1", "LO-1", "LO-2")
def test_a_tables_low_scale_changes_the_low_it_names() -> None:
    draw = game("hilo_draw")
    card, options = change_option(draw, draw.options, "low_scale", "27")
    assert _scales(card, options) == [Scale.HIGH, Scale.DEUCE_TO_SEVEN]
    card, options = change_option(TWO_LOWS, TWO_LOWS.options, "low_scale", "ace_high")
    assert _scales(card, options) == [Scale.LOW_ACE_HIGH, Scale.ACE_TO_FIVE]
    assert _scales(card, with_option(options, "low_scale", "27")) == [Scale.DEUCE_TO_SEVEN, Scale.ACE_TO_FIVE]


def test_a_qualifier_on_a_high_share_is_refused() -> None:
    """Nothing enforces a floor for high hands or badugis, so a card that asks for one cannot be dealt."""
    for scale, rank in ((Scale.HIGH, NINE), (Scale.HIGH_ACE_LOW, NINE), (Scale.BADUGI, EIGHT)):
        shares = (Share("pot", Ranking(scale=scale, qualifier=rank)),)
        fault = find_fault(replace(game("holdem"), shares=shares), game("holdem").options)
        assert fault == CardFault(CardFaultKind.QUALIFIER, "pot")
    low = (Share("pot", Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT)),)
    assert find_fault(replace(game("holdem"), shares=low), game("holdem").options) is None


def test_no_game_of_the_catalogue_has_a_fault() -> None:
    for card in CATALOGUE:
        assert find_fault(card, card.options) is None
