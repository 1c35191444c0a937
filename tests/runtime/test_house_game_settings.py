"""A house game can be opened for other stakes, seats, buy-ins and clocks than it was saved with."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import BombPot, BombPotTrigger, Game
from bot.engine.options.values import Limit, MinRaise, Switch
from bot.engine.stakes import BigBlindNotDouble
from bot.engine.usual_stakes import usual_stakes
from bot.house.rules import HouseRules
from bot.runtime.house_game_settings import with_request
from bot.runtime.mixed_table_settings import GameChangeRule, mixed_settings
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.table.refusals import DeckTooSmall, SeatCountOutOfBounds
from bot.table.settings import TableSettings
from bot.table.validate_settings import validate_settings
from bot.variants import CATALOGUE, game

EMPTY_REQUEST = NewTableRequest()


def saved(name: str = "holdem") -> TableSettings:
    """Return a game of 50/100 with an ante of 10, buy-ins of 2,000 to 20,000, two minutes to think, and a cut by hand."""
    settings = default_table_settings(
        game(name), HouseRules(), NewTableRequest(big_blind=100, ante=10, turn_seconds=120)
    )
    return replace(settings, notes=("No phones",), pause_seconds=9)


@pytest.mark.law("H-2")
def test_empty_request_opens_game_as_saved() -> None:
    assert with_request(saved(), EMPTY_REQUEST) == saved()
    assert with_request(saved(), NewTableRequest(practice=True)) == replace(saved(), practice=True)


@pytest.mark.law("H-2", "H-4")
def test_another_big_blind_changes_every_amount_in_proportion() -> None:
    after = with_request(saved(), NewTableRequest(big_blind=300))
    stakes = after.stakes
    assert (stakes.small_blind, stakes.big_blind, stakes.ante) == (150, 300, 30)
    assert (after.min_buyin, after.max_buyin) == (3 * saved().min_buyin, 3 * saved().max_buyin)
    assert (stakes.turn_seconds, after.notes, after.pause_seconds) == (120, ("No phones",), 9)
    validate_settings(after)


@pytest.mark.law("H-4", "A-12")
def test_mismatched_blinds_are_refused() -> None:
    with pytest.raises(BigBlindNotDouble):
        validate_settings(with_request(saved(), NewTableRequest(big_blind=25)))
    own = replace(saved(), options=replace(saved().options, house_blinds=Switch.ON))
    own = replace(own, stakes=replace(own.stakes, small_blind=100, big_blind=100))
    after = with_request(own, NewTableRequest(big_blind=25))
    assert (after.stakes.small_blind, after.stakes.big_blind) == (25, 25), "its own blinds keep their ratio"
    validate_settings(after)


@pytest.mark.law("H-4")
@pytest.mark.parametrize(
    ("table_request", "minimum", "maximum"),
    [
        (NewTableRequest(min_buyin=500), 500, 20_000),
        (NewTableRequest(max_buyin=1_000), 1_000, 1_000),
        (NewTableRequest(min_buyin=50_000), 50_000, 50_000),
        (NewTableRequest(big_blind=200, min_buyin=500), 500, 40_000),
    ],
)
def test_requested_buy_ins_are_used_and_consistent(table_request: NewTableRequest, minimum: int, maximum: int) -> None:
    after = with_request(saved(), table_request)
    assert (after.min_buyin, after.max_buyin) == (minimum, maximum)
    validate_settings(after)


def test_ante_seats_and_clocks() -> None:
    after = with_request(saved(), NewTableRequest(ante=25, seats=4, turn_seconds=60, bank_seconds=0))
    assert (after.stakes.ante, after.seat_count, after.stakes.turn_seconds, after.stakes.bank_seconds) == (25, 4, 60, 0)
    validate_settings(after)
    with pytest.raises((SeatCountOutOfBounds, DeckTooSmall)):
        validate_settings(with_request(saved("five_card_draw"), NewTableRequest(seats=14)))


@pytest.mark.law("VC-28", "H-4")
def test_mixed_games_and_bomb_pot_keep_their_proportions() -> None:
    names = ("limit_holdem", "stud", "basic_draw", "holdem")
    mix = mixed_settings(
        "Ours", [game(name) for name in names], HouseRules(), NewTableRequest(big_blind=100), GameChangeRule()
    )
    bomb = game("bomb_pot")
    mix = replace(mix, bomb_pot=BombPot(Game(bomb, bomb.options, usual_stakes(bomb)), BombPotTrigger.LAP))
    after = with_request(mix, NewTableRequest(big_blind=30, seats=5))
    validate_settings(after)
    assert after.rotation is not None and after.bomb_pot is not None
    first, stud, draw, last = (one.stakes for one in after.rotation.games)
    assert (first.small_blind, first.big_blind, first.small_bet, first.big_bet) == (15, 30, 30, 60)
    assert (stud.ante, stud.bring_in, stud.small_bet, stud.big_bet) == (3, 7, 30, 60)
    assert (draw.ante, draw.doublings) == (7, 3)
    assert (last.small_blind, last.big_blind) == (15, 30)
    assert after.bomb_pot.game.stakes.ante == 30
    assert {one.options.max_seats for one in after.rotation.games} == {5}


@pytest.mark.law("H-2", "H-4")
@pytest.mark.parametrize("big", [2, 30, 1_000])
def test_every_game_can_be_opened_for_other_stakes(big: int) -> None:
    for card in CATALOGUE:
        validate_settings(
            with_request(
                default_table_settings(card, HouseRules(), NewTableRequest(big_blind=100)),
                NewTableRequest(big_blind=big),
            )
        )


def test_stake_limit_is_the_unit_of_its_amounts() -> None:
    options = replace(game("hoyle_draw").options, limit=Limit.STAKE_LIMIT, min_raise=MinRaise.ONE_CHIP)
    base = default_table_settings(
        replace(game("hoyle_draw"), options=options), HouseRules(), NewTableRequest(big_blind=100)
    )
    after = with_request(base, NewTableRequest(big_blind=40))
    assert (after.stakes.limit, after.stakes.ante) == (40, 4)
