"""The odds of run-outs, told as hands: each open hand's chance at the main pot, on each street, in whole percent.

The engine is the judge, as of luck: it deals and settles every way in which a street can go on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine import events as e
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.rule_card import RuleCard
from bot.statistics import luck
from bot.statistics import odds as odds_module
from bot.statistics.all_in_hand import all_in_hand, hand_run_out, seed_of
from bot.statistics.luck import all_in_luck
from bot.statistics.odds import odds_of, whole_percents
from bot.statistics.types import Odds
from bot.variants import CATALOGUE, game
from tests.render.pictures.test_leaks import with_other_hidden_cards
from tests.statistics.all_in_hands import UNIT, Played, rough_hand
from tests.statistics.test_luck import WITH_LUCK
from tests.support.told import Told, deal

SEED = seed_of(2, 3)
ALL_IN = ("Ann is all-in", "Bo calls all-in")
ON_THE_FLOP = ("Ann calls", "Bo checks", "Bo is all-in", "Ann calls all-in")
ON_THE_TURN = ("Ann calls", "Bo checks", "Bo checks", "Ann checks", "Bo is all-in", "Ann calls all-in")


def states(events: tuple[e.HandEvent, ...], deck: tuple[int, ...]) -> Iterator[Hand]:
    """Yield a hand as it stands after each event."""
    first = events[0]
    assert isinstance(first, e.HandStarted)
    hand = begin_hand(first, deck)
    for event in events[1:]:
        hand = evolve(hand, event)
        yield hand


def streets(events: tuple[e.HandEvent, ...], deck: tuple[int, ...]) -> list[Odds]:
    """Return the odds of each street that has other cards than the one before."""
    found: dict[object, Odds] = {}
    for hand in states(events, deck):
        if (seen := hand_run_out(hand, SEED)) is not None:
            odds = odds_of(seen)
            assert odds is not None
            found[hand.board_indices, hand.up_indices, hand.down_indices] = odds
    return list(found.values())


def odds_on_streets(hand: Told) -> list[dict[str, int]]:
    """The same by the players' names."""
    found = []
    for odds in streets(hand.events, hand.hand.deck):
        told = {hand.names[seat]: percent for seat, percent in zip(odds.seats, odds.percents, strict=True)}
        found.append(told | ({"split": odds.split} if odds.split else {}))
    return found


def heads_up(cards: dict[str, str], board: str, *lines: str, name: str = "no-limit hold'em 5/10", **how: bool) -> Told:
    hand = deal(name, button="Ann", stacks={"Ann": 1_000, "Bo": 1_000}, cards=cards, board=board, **how)
    hand.play(*(lines or ALL_IN))
    assert hand.over
    return hand


# Hands as players tell them


@pytest.mark.law("TL-21")
def test_aces_against_kings_street_by_street() -> None:
    """Before the flop about 82 %; 990 boards remain on the flop, 44 on the turn: two kings. On the river there are no odds."""
    hand = heads_up({"Ann": "As Ad", "Bo": "Kh Kd"}, "2c 7d 8h 3s 4c")
    before, flop, turn = odds_on_streets(hand)
    assert before["Ann"] + before["Bo"] == 100
    assert abs(before["Ann"] - 82) <= 3, "2,000 boards are drawn: one percent is a deviation"
    wins = 1 - Fraction(2 * 43 - 1, 990) + Fraction(2 * 2, 990)  # a king comes, and no ace
    assert abs(flop["Ann"] - 100 * wins) <= 1
    assert turn == {"Ann": 95, "Bo": 5}, "2 of 44"
    assert [odds.is_estimate for odds in streets(hand.events, hand.hand.deck)] == [True, False, False]


@pytest.mark.law("TL-21")
def test_set_over_set_has_one_card_left() -> None:
    """Bo needs the last seven, on one of two streets, and Ann neither a king nor a board that pairs; it is looked at in full."""
    hand = heads_up({"Ann": "Ks Kd", "Bo": "7s 7d"}, "Kc 7c 2h 9d Jd", *ON_THE_FLOP)
    (flop, turn) = odds_on_streets(hand)
    # 7h comes in 44 of 990 boards; with Kh beside it Ann has four kings.
    assert flop == {"Ann": 96, "Bo": 4}
    assert Fraction(43, 990) < Fraction(5, 100)
    assert turn == {"Ann": 98, "Bo": 2}, "1 of 44"


def test_flush_draw_with_one_card_to_come() -> None:
    """Seven of 44 cards give Bo the flush, as luck counts it too; four clubs pair the board or are Ann's."""
    hand = heads_up({"Ann": "Ks Kd", "Bo": "Ac Qc"}, "Kc 7c 2d 3h 9c", *ON_THE_TURN)
    assert odds_on_streets(hand) == [{"Ann": 84, "Bo": 16}]


def test_equal_hands_mostly_split() -> None:
    """Only two more hearts, of ten, separate them: 45 of 990 boards."""
    hand = heads_up({"Ann": "Ah Kd", "Bo": "As Kc"}, "2h 7h 8s 3s 4h", *ON_THE_FLOP)
    assert odds_on_streets(hand) == [{"Ann": 5, "Bo": 0, "split": 95}, {"Ann": 0, "Bo": 0, "split": 100}]


def test_split_that_hardly_ever_happens_is_not_told() -> None:
    odds = streets(*played(heads_up({"Ann": "As Ad", "Bo": "Kh Kd"}, "2c 7d 8h 3s 4c")))[1]
    assert odds.split == 0
    assert sum(odds.percents) == 100


def played(hand: Told) -> Played:
    return hand.events, hand.hand.deck


def test_hand_that_is_drawing_dead_has_no_chance() -> None:
    hand = heads_up({"Ann": "As Ad", "Bo": "2c 7d"}, "Ah Ac 9s 8h 3d", *ON_THE_FLOP)
    assert odds_on_streets(hand) == [{"Ann": 100, "Bo": 0}] * 2


def test_high_low_odds_are_shares_of_the_pot() -> None:
    """With one card to come, 12 of 40 give Bo a low and so half the pot, and the four fives a straight beside it: all of it."""
    hand = heads_up(
        {"Ann": "As Ad Kc Kd", "Bo": "2s 3s 9c Tc"}, "Ah Kh 4c Td Jd", *ON_THE_TURN, name="no_limit_omaha8 5/10"
    )
    (odds,) = streets(*played(hand))
    assert odds.is_share
    assert dict(zip((hand.names[seat] for seat in odds.seats), odds.percents, strict=True))["Bo"] == 25
    assert sum(odds.percents) == 100


def test_odds_are_those_of_the_main_pot() -> None:
    """Cy is in for the main pot alone and is drawing dead; Ann and Bo tie on every board."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 1_000, "Bo": 1_000, "Cy": 400},
        cards={"Ann": "As Kd", "Bo": "Ad Ks", "Cy": "2c 3d"}, board="Ac Kc Kh 9s 7h",
    )  # fmt: skip
    hand.play("Cy calls", "Ann calls", "Bo checks", "Ann is all-in", "Bo calls all-in", "Cy calls all-in")
    assert odds_on_streets(hand) == [{"Ann": 0, "Bo": 0, "Cy": 0, "split": 100}] * 2


@pytest.mark.law("TL-25")
def test_run_twice_tells_what_both_boards_can_bring() -> None:
    """The first board gives Ann her half for good; on the second they have what they have."""
    twice = heads_up(
        {"Ann": "As Ad", "Bo": "Ks Kd"}, "2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c",
        *ALL_IN, "Bo runs it twice", "Ann runs it twice", ask_run_twice=True,
    )  # fmt: skip
    told = streets(*played(twice))
    assert [odds.is_share for odds in told] == [False, *[True] * 6]
    # With the first board out, Ann has half the pot, and a half of what the second board brings.
    first_out = dict(zip((twice.names[seat] for seat in told[4].seats), told[4].percents, strict=True))
    assert abs(first_out["Ann"] - (50 + 82 / 2)) <= 3
    kings_on_second = told[5].percents[told[5].seats.index(twice.seat("Bo"))]  # type: ignore[arg-type]
    assert 40 <= kings_on_second <= 50


# Whole percents


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=15).filter(any))
def test_percents_add_up_to_one_hundred(weights: list[int]) -> None:
    total = sum(weights)
    parts = [Fraction(weight, total) for weight in weights]
    percents = whole_percents(parts)
    assert sum(percents) == 100
    for part, percent in zip(parts, percents, strict=True):
        assert (percent > 0) == (part > 0), "what can happen is never 0 %"
        assert (percent == 100) == (part == 1), "and nothing is certain before it is"


@given(st.lists(st.integers(2, 10), min_size=2, max_size=8))
def test_percents_are_less_than_one_off(weights: list[int]) -> None:
    parts = [Fraction(weight, sum(weights)) for weight in weights]
    assert all(abs(100 * part - percent) < 1 for part, percent in zip(parts, whole_percents(parts), strict=True)), (
        "where none is smaller than one percent"
    )


# Against luck and the engine


@pytest.mark.parametrize("key", WITH_LUCK)
def test_odds_are_what_luck_expects(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told from the same street, odds are the part of a lone pot that luck expects; the engine judges that in `test_luck`.

    Both ask for the ways to end, which are found once.
    """
    once = lru_cache(maxsize=1)(luck.ways_to_end)
    monkeypatch.setattr(luck, "ways_to_end", once)
    monkeypatch.setattr(odds_module, "ways_to_end", once)
    rng, card, seen = random.Random(f"odds {key}"), game(key), 0
    players = max(2, card.seats_min)
    for _ in range(40):
        events, deck = rough_hand(rng, card, players, stacks=(10 * UNIT,) * players)
        counted = all_in_hand(events, deck, SEED)
        if counted is None:
            continue
        run_out = next(found for hand in states(events, deck) if (found := hand_run_out(hand, SEED)) is not None)
        if run_out.unknown == counted.unknown:  # luck begins there too, and not with a decision before
            facts = ("seats", "down", "up", "boards", "wild_ranks", "next_up_card_names_wild", "up_ranks", "pots")
            assert [getattr(run_out, name) for name in facts] == [getattr(counted, name) for name in facts]
            assert sum(deal.count for deal in run_out.to_come) == sum(deal.count for deal in counted.to_come)
        odds, told = odds_of(run_out), all_in_luck(run_out)
        assert (odds is None) == (told is None)
        if odds is None or told is None or len(run_out.pots) > 1 or odds.split:
            continue
        expected = [Fraction(-luck_of, 1_000 * run_out.pots[0].chips) for luck_of in told.luck]  # nobody is paid yet
        assert all(abs(100 * one - percent) <= 1 for one, percent in zip(expected, odds.percents, strict=True))
        assert odds.is_estimate == told.is_estimate
        seen += 1
        if seen == 3:
            return
    assert seen, "no hand came up"


# What nobody can know


@pytest.mark.law("TL-21", "TL-37")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_odds_come_from_open_hands_alone(card: RuleCard) -> None:
    """With any other cards in folded hands, among the burned ones and in the deck, everything that odds are told from is the same."""
    rng = random.Random(f"odds leak {card.key}")
    open_streets = 0
    for _ in range(6):
        players = rng.randint(max(2, card.seats_min), card.seats_max)
        events, deck = rough_hand(rng, card, players, calm_rounds=rng.choice((0, 1, 2)), folds=0.3)
        for hand in states(events, deck):
            seen = hand_run_out(hand, SEED)
            if not hand.all_in_showdown or hand.over:
                assert seen is None
                continue
            assert seen is None or not hand.live_seats & ~hand.shown_seats
            open_streets += seen is not None
            assert hand_run_out(with_other_hidden_cards(hand, rng), SEED) == seen
    assert open_streets or card.key not in WITH_LUCK


def test_no_odds_where_luck_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that cannot count on any board (VC-23)."""
    hand = heads_up({"Ann": "As Ad", "Bo": "Kh Kd"}, "2c 7d 8h 3s 4c")
    seen = next(seen for state in states(*played(hand)) if (seen := hand_run_out(state, SEED)) is not None)
    monkeypatch.setattr(luck, "_boards", lambda *_: iter(()))
    assert odds_of(seen) is None
    assert seen.rule_card.key == "holdem"
