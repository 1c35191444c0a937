"""Stacks can be too short for what others do: these hands once went wrong."""

import pytest

from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import STANDARD_52
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.stakes import Stakes
from bot.variants import game


def deal(name: str, stacks: tuple[int, ...], *, small: int, big: int) -> Hand:
    """Deal an ordinary hand; seat 0 is the first left of the dealer."""
    card, stakes = game(name), Stakes(small_blind=small, big_blind=big)
    posts = regular_posts(card, card.options, stakes, len(stacks))
    seats = tuple(range(1, len(stacks) + 1))
    return start(HandStarted(card, card.options, stakes, seats, stacks, posts, len(stacks)), STANDARD_52)[1]


def after(hand: Hand, *commands: c.HandCommand) -> Hand:
    for command in commands:
        hand = decide_and_evolve(hand, hand.to_act, command)[1]
    return hand


@pytest.mark.law("TL-3")
def test_stack_below_the_minimum_raise_can_be_raised_all_in() -> None:
    """Blinds 50/100, a raise to 300, and a stack of 450: the minimum full raise is to 500, yet all-in to 450 is lawful."""
    hand = after(deal("holdem", (5_000, 5_000, 5_000, 450), small=50, big=100), c.RaiseTo(300))
    assert hand.to_act == 3
    may = legal(hand, 3)
    assert (may.min_to, may.max_to) == (450, 450)
    assert after(hand, c.RaiseTo(450)).current_bet == 450


@pytest.mark.law("TL-3", "TL-2")
def test_stack_below_the_minimum_bet_can_be_bet_all_in() -> None:
    """A stack of 175 after the flop of a 100/200 game: all-in opens for 175."""
    hand = after(deal("holdem", (5_000, 375), small=100, big=200), c.Call(), c.Check())
    assert hand.street == "flop"
    assert (legal(hand, 0).min_to, legal(hand, 0).max_to) == (200, 4_800)
    hand = after(hand, c.Check())
    assert (legal(hand, 1).min_to, legal(hand, 1).max_to) == (175, 175)
