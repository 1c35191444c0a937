"""How many raises a betting round has: three, four, without end; and whom the cap binds.

Laws: L-10, TL-17 (RR Betting and Raising 3, WSOP-L 125-127).
"""

import pytest

from bot.engine.options.values import RaiseCap
from bot.engine.refusals import RaisesCapped
from bot.engine.stakes import Stakes
from bot.variants import game
from bot.variants.customise import change_option
from tests.support.told import Told, deal

LIMIT = Stakes(small_blind=5, big_blind=10)


def raise_on(hand: Told, *names: str, size: int, times: int) -> None:
    """The players raise by one bet, in turn and so many times in all."""
    for at in range(times):
        hand.play(f"{names[at % len(names)]} raises to {hand.highest_bet + size}")


@pytest.mark.law("TL-17", "L-10")
def test_cap_counts_players_who_are_not_all_in() -> None:
    """Bo is all-in before the flop. On it Ann and Cy alone have chips, so nothing caps their raises."""
    hand = deal("limit hold'em", button="Cy", stacks={"Ann": 1000, "Bo": 20, "Cy": 1000}, stakes=LIMIT)
    hand.play("Cy raises to 20", "Ann calls", "Bo calls all-in", "Ann bets 10")
    raise_on(hand, "Cy", "Ann", size=10, times=6)
    assert hand.highest_bet == 70


@pytest.mark.law("TL-17", "TL-7")
def test_blind_all_in_is_not_counted_for_the_cap() -> None:
    """The big blind has put in its last chips before anybody acts: two are left who can raise."""
    hand = deal("limit hold'em", button="Cy", stacks={"Ann": 1000, "Bo": 7, "Cy": 1000}, stakes=LIMIT)
    raise_on(hand, "Cy", "Ann", size=10, times=6)
    assert hand.highest_bet == 70


@pytest.mark.law("TL-17", "L-10")
def test_all_in_during_the_round_leaves_the_cap() -> None:
    """Three with chips began it: that one goes all-in in it lifts nothing."""
    hand = deal("limit hold'em", button="Cy", stacks={"Ann": 1000, "Bo": 20, "Cy": 1000}, stakes=LIMIT)
    hand.play("Cy raises to 20", "Ann raises to 30", "Bo calls all-in", "Cy raises to 40")
    hand.refuses("Ann raises to 50", RaisesCapped, law="L-10")


@pytest.mark.law("TL-17", "L-10")
def test_fold_in_the_round_leaves_the_cap() -> None:
    """Three began it: the cap stays when a fold leaves two. It goes in the next round, which two begin."""
    hand = deal("limit hold'em", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 1000), stakes=LIMIT)
    hand.play("Cy raises to 20", "Ann raises to 30", "Bo folds", "Cy raises to 40")
    hand.refuses("Ann raises to 50", RaisesCapped, law="L-10")
    hand.play("Ann calls", "Ann bets 10")
    raise_on(hand, "Cy", "Ann", size=10, times=6)


@pytest.mark.law("TL-17", "L-10")
def test_three_with_chips_are_capped_beside_an_all_in() -> None:
    hand = deal("limit hold'em", button="Dee", stacks={"Ann": 1000, "Bo": 20, "Cy": 1000, "Dee": 1000}, stakes=LIMIT)
    hand.play("Cy raises to 20", "Dee calls", "Ann calls", "Bo calls all-in", "Ann bets 10")
    raise_on(hand, "Cy", "Dee", "Ann", size=10, times=3)
    hand.refuses("Cy raises to 50", RaisesCapped, law="L-10")


@pytest.mark.law("L-10", "TL-17")
@pytest.mark.parametrize(("game", "raises"), [("five-card draw", 4), ("limit hold'em", 3), ("triple_draw_27", 3)])
def test_two_betting_rounds_allow_four_raises(game: str, raises: int) -> None:
    """`3_4`: three raises, and four in a game of two betting rounds (RR)."""
    hand = deal(
        game, button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 1000), stakes=LIMIT, options={"raise_cap": "3_4"}
    )
    raise_on(hand, "Cy", "Ann", "Bo", size=10, times=raises)
    refusal = hand.refuses(f"{hand.to_act} raises to {hand.highest_bet + 10}", RaisesCapped, law="L-10")
    assert refusal.cap == raises


@pytest.mark.law("VB-12", "L-6", "L-10")
@pytest.mark.parametrize("players", [("Ann", "Bo", "Cy"), ("Ann", "Bo", "Cy", "Dee")])
def test_doubling_regime_knows_no_cap(players: tuple[str, ...]) -> None:
    """Source 003: "thereafter each raise would be 8", without end. Blinds 1/2: to 6, 14, 22, 30 and so on."""
    hand = deal(
        "holdem + doubling", button="Cy", stacks=dict.fromkeys(players, 1000),
        stakes=Stakes(small_blind=1, big_blind=2, doublings=3),
    )  # fmt: skip
    for to in (6, 14, 22, 30, 38, 46, 54):
        hand.play(f"{hand.to_act} raises to {to}")


@pytest.mark.law("L-2", "L-10")
def test_stake_limit_knows_no_cap() -> None:
    hand = deal(
        "limit hold'em + stake limit", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 1000),
        stakes=Stakes(small_blind=5, big_blind=10, limit=10),
    )  # fmt: skip
    raise_on(hand, "Cy", "Ann", "Bo", size=10, times=7)


@pytest.mark.law("L-10", "VB-12", "H-2")
def test_house_can_cap_the_doubling_regime() -> None:
    """Houses allow only a few doublings: where the table sets a cap, it binds."""
    hand = deal(
        "holdem + doubling", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 1000),
        stakes=Stakes(small_blind=1, big_blind=2, doublings=3), options={"raise_cap": "3"},
    )  # fmt: skip
    hand.play("Cy raises to 6", "Ann raises to 14", "Bo raises to 22")
    hand.refuses("Cy raises to 30", RaisesCapped, law="L-10")


@pytest.mark.law("L-10", "L-6", "L-2", "H-2")
@pytest.mark.parametrize("limit", ["doubling_flat", "stake_limit"])
def test_change_of_the_limit_takes_the_cap_along(limit: str) -> None:
    """A table that goes over to it plays without a cap, can set one, and has its own again afterwards."""
    card = game("limit hold'em")
    _, uncapped = change_option(card, card.options, "limit", limit)
    assert uncapped.raise_cap is RaiseCap.NONE
    _, capped = change_option(card, uncapped, "raise_cap", "4")
    assert (capped.limit, capped.raise_cap) == (limit, RaiseCap.FOUR)
    _, again = change_option(card, capped, "check", "forbidden")
    assert again.raise_cap is RaiseCap.FOUR
    _, back = change_option(card, uncapped, "limit", "limit")
    assert back == card.options
