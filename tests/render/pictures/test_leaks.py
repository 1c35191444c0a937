"""No hidden card can be told from a picture or its description: of hands that differ only in hidden cards they are equal, byte for byte."""

from __future__ import annotations

import random

import pytest
from msgspec import msgpack

from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.view.build import view
from bot.pictures.draw import draw
from bot.pictures.types import Look
from bot.render.hand.running_hand import running_hand_panel
from bot.render.message.panel import Picture
from bot.render.pictures.alt_text import picture_alt_text
from bot.render.pictures.moment import picture_moment
from bot.render.pictures.table import table_picture
from bot.variants import CATALOGUE, game
from tests.engine.test_all_games_machine import seen_by
from tests.render.pictures.random_hands import SEAT_COUNT, new_hand, scene_of, states

DRAWN = (
    "holdem", "omaha8", "five_card_draw", "triple_draw_27", "badugi", "stud8", "mexican_stud", "baseball", "anaconda_hilo", "guts",
    "double_board_omaha", "drawmaha",
)  # fmt: skip
"""A game of each family, for what costs more: drawing."""
SLICE, FULL = 4, 36
"""Hands of each game: 250 by default, 2,268 more in the long run."""


def with_other_hidden_cards(hand: Hand, dice: random.Random) -> Hand:
    """Return the hand with every card replaced that the public has not seen: in hands, folded or given up, burned, still in the deck."""
    hidden = sorted(set(range(len(hand.deck))) - set(seen_by(hand, None)) - set(hand.reshuffled_indices))
    cards = [hand.deck[at] for at in hidden]
    dice.shuffle(cards)
    twin, deck = hand.copy(), list(hand.deck)
    for at, card in zip(hidden, cards, strict=True):
        deck[at] = card
    twin.deck = tuple(deck)
    return twin


def what_is_shown(hand: Hand) -> tuple[bytes, str, tuple[str | int, ...]]:
    """Return the picture as it travels to the drawing process, the description and the moment."""
    seen = view(hand, None)
    scene = scene_of(seen)
    return (
        msgpack.encode(table_picture(scene, Look(), seat_count=SEAT_COUNT)),
        picture_alt_text(scene),
        picture_moment(seen),
    )


def nothing_leaks(card: RuleCard, seed: int) -> None:
    dice = random.Random(f"leak {card.key} {seed}")
    hand = new_hand(card, dice)
    for state in states(hand, dice):
        if state.decision is Decision.SHOW and state.rules.designates_at_showdown:
            continue  # to be asked tells that there is something to announce
        assert what_is_shown(with_other_hidden_cards(state, dice)) == what_is_shown(state), f"{card.key}, seed {seed}"
        if not state.over:
            shown = [
                block for block in running_hand_panel(scene_of(view(state, None))).blocks if isinstance(block, Picture)
            ]
            assert [block.file_name for block in shown] == ["table.webp"]


@pytest.mark.law("TL-37", "TL-22")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_picture_tells_no_hidden_card(card: RuleCard) -> None:
    for seed in range(SLICE):
        nothing_leaks(card, seed)


@pytest.mark.full
@pytest.mark.law("TL-37", "TL-22")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_picture_tells_no_hidden_card_in_many_hands(card: RuleCard) -> None:
    for seed in range(SLICE, SLICE + FULL):
        nothing_leaks(card, seed)


@pytest.mark.law("TL-37", "TL-22")
@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.full if at % 3 else ()) for at, key in enumerate(DRAWN)]
)
def test_pixels_tell_no_hidden_card(key: str) -> None:
    """The first, the middle and the last picture of a hand, drawn: the files of both hands are equal."""
    dice = random.Random(f"pixels {key}")
    every = list(states(new_hand(game(key), dice), dice))
    for state in (every[0], every[len(every) // 2], every[-1]):
        files = set()
        for hand in (state, with_other_hidden_cards(state, dice)):
            picture = table_picture(scene_of(view(hand, None)), Look(), seat_count=SEAT_COUNT)
            assert picture is not None
            files.add(draw(picture))
        assert len(files) == 1


@pytest.mark.law("TL-37")
def test_leak_test_sees_a_card_that_was_turned() -> None:
    """A planted leak: were one hole card open, the pictures of the two hands would differ."""
    dice = random.Random(5)
    hand = new_hand(CATALOGUE[0], dice)
    open_hand = hand.copy()
    open_hand.shown_seats = 1
    twin = with_other_hidden_cards(hand, dice)
    open_twin = twin.copy()
    open_twin.shown_seats = 1
    assert what_is_shown(hand)[0] == what_is_shown(twin)[0]
    assert what_is_shown(open_hand)[0] != what_is_shown(open_twin)[0]
    pictures = [
        table_picture(scene_of(view(one, None)), Look(), seat_count=SEAT_COUNT) for one in (open_hand, open_twin)
    ]
    assert len({draw(picture) for picture in pictures if picture is not None}) == 2, (
        "an open card is seen in the pixels"
    )
