"""A house game opened for other stakes, seats, buy-ins and clocks than it was saved with."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import Bomb, BombWhen, Game
from bot.engine.options import Limit, MinRaise, Switch
from bot.engine.stakes import BigBlindNotDouble
from bot.engine.usual import usual_stakes
from bot.ledger.house import HouseRules
from bot.runtime.house_table import Wishes, house_settings
from bot.runtime.mixed_table import Turning, mixed_settings
from bot.runtime.own_stakes import wished
from bot.table.errors import GameSeats, PackCannotServe
from bot.table.rules import check_settings
from bot.table.settings import TableSettings
from bot.variants import CATALOGUE, game

NOBODY = Wishes()


def saved(name: str = "holdem") -> TableSettings:
    """50/100 with an ante of 10, 2,000 to 20,000 chips, two minutes to think, cards cut by hand."""
    settings = house_settings(game(name), HouseRules(), Wishes(big_blind=100, ante=10, turn_seconds=120))
    return replace(settings, notes=("No phones",), pause_seconds=9)


@pytest.mark.law("H-2")
def test_without_a_wish_it_is_opened_as_it_was_saved() -> None:
    assert wished(saved(), NOBODY) == saved()
    assert wished(saved(), Wishes(practice=True)) == replace(saved(), practice=True)


@pytest.mark.law("H-2", "H-4")
def test_another_big_blind_changes_every_amount_in_proportion() -> None:
    after = wished(saved(), Wishes(big_blind=300))
    stakes = after.stakes
    assert (stakes.small_blind, stakes.big_blind, stakes.ante) == (150, 300, 30)
    assert (after.min_buyin, after.max_buyin) == (3 * saved().min_buyin, 3 * saved().max_buyin)
    assert (stakes.turn_seconds, after.notes, after.pause_seconds) == (120, ("No phones",), 9)
    check_settings(after)


@pytest.mark.law("H-4", "A-12")
def test_blinds_that_do_not_fit_are_refused_as_anywhere() -> None:
    with pytest.raises(BigBlindNotDouble):
        check_settings(wished(saved(), Wishes(big_blind=25)))
    own = replace(saved(), options=replace(saved().options, house_blinds=Switch.ON))
    own = replace(own, stakes=replace(own.stakes, small_blind=100, big_blind=100))
    after = wished(own, Wishes(big_blind=25))
    assert (after.stakes.small_blind, after.stakes.big_blind) == (25, 25), "its own blinds keep their ratio"
    check_settings(after)


@pytest.mark.law("H-4")
@pytest.mark.parametrize(
    ("wishes", "least", "most"),
    [
        (Wishes(least=500), 500, 20_000),
        (Wishes(most=1_000), 1_000, 1_000),
        (Wishes(least=50_000), 50_000, 50_000),
        (Wishes(big_blind=200, least=500), 500, 40_000),
    ],
)
def test_buy_ins_are_as_wished_and_fit_one_another(wishes: Wishes, least: int, most: int) -> None:
    after = wished(saved(), wishes)
    assert (after.min_buyin, after.max_buyin) == (least, most)
    check_settings(after)


def test_ante_seats_and_clocks() -> None:
    after = wished(saved(), Wishes(ante=25, seats=4, turn_seconds=60, bank_seconds=0))
    assert (after.stakes.ante, after.seats, after.stakes.turn_seconds, after.stakes.bank_seconds) == (25, 4, 60, 0)
    check_settings(after)
    with pytest.raises((GameSeats, PackCannotServe)):
        check_settings(wished(saved("five_card_draw"), Wishes(seats=14)))


@pytest.mark.law("VC-28", "H-4")
def test_in_a_mixture_all_games_and_the_bomb_pot_keep_their_proportions() -> None:
    names = ("limit_holdem", "stud", "basic_draw", "holdem")
    mix = mixed_settings("Ours", [game(name) for name in names], HouseRules(), Wishes(big_blind=100), Turning())
    bomb = game("bomb_pot")
    mix = replace(mix, bomb=Bomb(Game(bomb, bomb.options, usual_stakes(bomb)), BombWhen.LAP))
    after = wished(mix, Wishes(big_blind=30, seats=5))
    check_settings(after)
    assert after.rotation is not None and after.bomb is not None
    first, stud, draw, last = (one.stakes for one in after.rotation.games)
    assert (first.small_blind, first.big_blind, first.small_bet, first.big_bet) == (15, 30, 30, 60)
    assert (stud.ante, stud.bring_in, stud.small_bet, stud.big_bet) == (3, 7, 30, 60)
    assert (draw.ante, draw.doublings) == (7, 3)
    assert (last.small_blind, last.big_blind) == (15, 30)
    assert after.bomb.game.stakes.ante == 30
    assert {one.options.max_seats for one in after.rotation.games} == {5}


@pytest.mark.law("H-2", "H-4")
@pytest.mark.parametrize("big", [2, 30, 1_000])
def test_every_game_can_be_opened_for_other_stakes(big: int) -> None:
    for card in CATALOGUE:
        check_settings(wished(house_settings(card, HouseRules(), Wishes(big_blind=100)), Wishes(big_blind=big)))


def test_a_stake_limit_is_what_its_amounts_are_counted_in() -> None:
    options = replace(game("hoyle_draw").options, limit=Limit.STAKE_LIMIT, min_raise=MinRaise.ONE_CHIP)
    base = house_settings(replace(game("hoyle_draw"), options=options), HouseRules(), Wishes(big_blind=100))
    after = wished(base, Wishes(big_blind=40))
    assert (after.stakes.limit, after.stakes.ante) == (40, 4)
