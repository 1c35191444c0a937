"""When a new picture is due: at the deal, each street, each draw and the result, and never at a single action."""

from __future__ import annotations

import json
import random

import pytest

from bot.engine import commands as c
from bot.engine.decide import decide_and_evolve
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.view.build import view
from bot.pictures.types import Look
from bot.render.pictures.moment import moment_began, picture_moment
from bot.render.pictures.table import table_picture
from bot.runtime.snapshot import with_decision
from bot.variants import CATALOGUE, game
from tests.render.pictures.random_hands import SEAT_COUNT, new_hand, scene_of, states
from tests.render.test_every_game import dealt

FULL = 40


def stay_equal(card: RuleCard, seed: int) -> None:
    """Play a hand, and check that every view of a moment makes the picture of its beginning, as the seats stood then."""
    dice = random.Random(f"{card.key} {seed}")
    hand = new_hand(card, dice)
    moment, picture = None, None
    met = set()
    street: tuple[Hand, ...] = ()
    for state in states(hand, dice):
        street = with_decision(street, state)
        seen = view(state, None)
        now = picture_moment(seen)
        if now != moment:
            assert now not in met, "a moment that was over came back"
            picture = table_picture(scene_of(seen), Look(), seat_count=SEAT_COUNT)
        began = moment_began(view(one, None) for one in reversed(street))
        drawn = table_picture(scene_of(began), Look(), seat_count=SEAT_COUNT)
        assert drawn is not None
        assert drawn == picture, f"{card.key}, seed {seed}, {now}"
        met.add(now)
        moment = now
        assert tuple(json.loads(json.dumps(now))) == now


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_views_of_one_moment_make_one_picture(card: RuleCard) -> None:
    for seed in range(3):
        stay_equal(card, seed)


@pytest.mark.full
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_views_of_one_moment_make_one_picture_in_many_hands(card: RuleCard) -> None:
    for seed in range(3, 3 + FULL):
        stay_equal(card, seed)


def called_down(hand: Hand) -> tuple[int, int]:
    """Let everybody check, call, stand pat and choose what comes first. Returns how many actions and how many pictures the hand had."""
    actions, moments = 0, [picture_moment(view(hand, None))]
    while not hand.over:
        seen = view(hand, None)
        legal = seen.legal_to_act
        assert legal is not None
        seat = next((one.seat_index for one in seen.seats if one.choice_awaited), seen.to_act)
        match legal.decision:
            case Decision.BET if legal.check:
                command: c.HandCommand = c.Check()
            case Decision.BET:
                command = c.Call() if legal.call_chips else c.Bet(legal.bring_in or legal.min_to)
            case Decision.GIVE_UP | Decision.PASS_CARDS | Decision.ARRANGE:
                command = c.ChooseCards(hand.down_indices[seat][: legal.max_cards])
            case Decision.DRAW:
                command = c.ChooseCards()
            case Decision.DECLARE:
                command = c.Declare(legal.declarable_words[0])
            case Decision.SHOW:
                command = c.Show()
            case _:
                command = c.Decline()
        hand = decide_and_evolve(hand, seat, command)[1]
        actions += 1
        now = picture_moment(view(hand, None))
        if now != moments[-1]:
            moments.append(now)
    return actions, len(moments)


@pytest.mark.parametrize(
    ("key", "pictures"),
    [
        ("holdem", 5),  # deal, flop, turn, river, result
        ("omaha8", 5),
        ("bomb_pot", 4),
        ("double_board_bomb", 4),
        ("five_card_draw", 4),  # deal, the draw, after it, result
        ("triple_draw_27", 8),
        ("stud", 6),
        ("razz", 6),
        ("guts", 2),
        ("crazy_pineapple", 6),
    ],
)
def test_pictures_of_a_hand_that_is_called_down(key: str, pictures: int) -> None:
    dice = random.Random(11)
    card = game(key)
    while True:
        hand = dealt(card, min(6, card.seats_max), dice)
        if min(hand.stacks) >= 2_000 and not hand.started.ask_show:
            break
    actions, found = called_down(hand)
    assert found == pictures
    assert found <= actions, "no picture at a single action"
