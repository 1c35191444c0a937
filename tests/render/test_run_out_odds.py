"""Odds of a run-out in words: beside each open hand, in a few letters, and the same for whoever reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from bot.engine.hand import Hand
from bot.engine.view.build import view
from bot.pictures.types import Look
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.running_hand import running_hand_panel
from bot.render.message.panel import payload
from bot.render.pictures.table import table_picture
from bot.statistics.all_in_hand import hand_run_out
from bot.statistics.odds import odds_of
from bot.statistics.types import Odds
from bot.variants import game
from tests.render.pictures.random_hands import SEAT_COUNT, new_hand, scene_of, states
from tests.render.pictures.test_leaks import with_other_hidden_cards
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.told import deal

GAMES = ("holdem", "omaha8", "stud", "razz", "double_board_holdem", "short_deck", "follow_the_queen")


def opened() -> Hand:
    """Three are all-in before the flop, and asked whether to run it twice: their hands lie open."""
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 1_000),
        cards={"Ann": "As Ad", "Bo": "Ks Kd", "Cy": "Qs Qd"}, ask_run_twice=True,
    )  # fmt: skip
    hand.play("Ann is all-in", "Bo calls all-in", "Cy calls all-in")
    assert hand_run_out(hand.hand, b"") is not None
    return hand.hand


def table(odds: Odds | None) -> list[str]:
    """What the table tells, line by line."""
    return panel_as_text(within_limits(running_hand_panel(replace(scene_of(view(opened(), None)), odds=odds)))).split(
        "\n"
    )


def told_odds(**how: object) -> Odds:
    return Odds(hand_run_out(opened(), b"").seats, (20, 15, 65), **how)  # type: ignore[union-attr, arg-type]


def test_chance_stands_beside_each_hand() -> None:
    lines = [line.replace("\u00a0", " ") for line in table(told_odds())]
    assert [line.rsplit(" · ", 1)[1] for line in lines if "to win" in line] == [
        "65 % to win",
        "20 % to win",
        "15 % to win",
    ]
    assert not any("call" in line for line in lines if "to win" in line), "what they did last is of no interest now"
    assert not any("Split" in line for line in lines)


def test_estimate_split_and_shares_say_so() -> None:
    lines = "\n".join(table(told_odds(is_estimate=True))).replace("\u00a0", " ")
    assert "≈ 65 % to win" in lines
    lines = "\n".join(table(Odds((0, 1, 2), (20, 10, 65), 5, is_estimate=True))).replace("\u00a0", " ")  # type: ignore[arg-type]
    assert "-# Split pot: ≈ 5 %" in lines
    lines = "\n".join(table(told_odds(is_share=True))).replace("\u00a0", " ")
    assert "65 % of the pot" in lines and "to win" not in lines


def test_without_odds_nothing_is_told() -> None:
    assert not any("%" in line for line in table(None))


def test_panel_tells_ones_own_chance_and_those_of_the_others() -> None:
    hand = opened()
    scene = replace(scene_of(view(hand, 0)), odds=told_odds())  # type: ignore[arg-type]
    lines = panel_as_text(within_limits(my_hand_panel(scene))).replace("\u00a0", " ").split("\n")
    facts = next(line for line in lines if "Pot" in line)
    assert "20 % to win" in facts
    assert sum("% to win" in line for line in lines) == 3


def run_outs() -> Iterator[tuple[Hand, random.Random]]:
    for key in GAMES:
        for seed in range(12):
            dice = random.Random(f"odds {key} {seed}")
            for state in states(new_hand(game(key), dice), dice):
                if hand_run_out(state, b"seed") is not None:
                    yield state, dice


told_of = lru_cache(maxsize=2)(odds_of)
"""Odds are counted from what it is given alone: of equal hands they need not be counted twice."""


def everything_shown(hand: Hand) -> list[bytes]:
    """The table's message, its picture and every panel of somebody still in, with the odds that are told of this hand."""
    seen = hand_run_out(hand, b"seed")
    odds = told_of(seen) if seen is not None else None
    public = replace(scene_of(view(hand, None)), odds=odds)
    shown: list[object] = [payload(running_hand_panel(public)), table_picture(public, Look(), seat_count=SEAT_COUNT)]
    in_hand = [seat for seat in hand.seats if hand.live_seats >> seat & 1]
    shown += [payload(my_hand_panel(replace(scene_of(view(hand, seat)), odds=odds))) for seat in in_hand]
    return [msgpack.encode(one) for one in shown]


@pytest.mark.law("TL-21", "TL-37")
def test_other_hidden_cards_change_nothing_that_is_shown() -> None:
    """Folded hands, burned cards and the order of the deck: with any others, text, picture and panels are the same, byte for byte."""
    count = 0
    for hand, dice in run_outs():
        assert everything_shown(with_other_hidden_cards(hand, dice)) == everything_shown(hand), hand.rules.rule_card.key
        count += 1
    assert count >= 40, "run-outs came up"
