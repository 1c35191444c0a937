"""Prizes sum exactly, however they are divided."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.events.sit_and_go.prizes import (
    PrizeTable,
    by_chips,
    by_fractions,
    by_icm,
    percents_of,
    prizes_of,
    shared_evenly,
)

STACKS = st.lists(st.integers(1, 10_000), min_size=2, max_size=5)


@pytest.mark.law("SG-10")
@settings(max_examples=50)
@given(st.integers(0, 10**9), st.integers(2, 10), st.sampled_from(PrizeTable))
def test_prize_tables_sum_to_the_pool(pool: int, entrants: int, table: PrizeTable) -> None:
    percents = percents_of(table, entrants)
    assert sum(percents) == 100 and len(percents) <= entrants
    prizes = prizes_of(pool, percents)
    assert sum(prizes) == pool
    assert list(prizes) == sorted(prizes, reverse=True)


@pytest.mark.law("SG-10")
def test_odd_chips_go_one_each_from_first_place_down() -> None:
    assert prizes_of(1_003, (50, 30, 20)) == (502, 301, 200)
    assert prizes_of(101, (65, 35)) == (66, 35)


@pytest.mark.law("SG-10")
def test_odd_chips_of_shares_go_to_the_largest_fractions() -> None:
    assert by_fractions(10, {1: Fraction(1), 2: Fraction(2), 3: Fraction(3)}) == {1: 2, 2: 3, 3: 5}
    assert by_fractions(2, {7: Fraction(1), 5: Fraction(1), 6: Fraction(1)}) == {7: 1, 5: 1, 6: 0}
    assert shared_evenly(11, (7, 5, 6)) == {7: 4, 5: 4, 6: 3}


@pytest.mark.law("SG-12")
def test_by_chips_everybody_first_gets_the_lowest_prize() -> None:
    assert by_chips((500, 300, 200), {1: 6_000, 2: 3_000, 3: 1_000}) == {1: 440, 2: 320, 3: 240}
    assert by_chips((650, 350), {1: 5_000, 2: 3_000, 3: 2_000}) == {1: 500, 2: 300, 3: 200}


@pytest.mark.law("SG-12")
@settings(max_examples=40, deadline=None)
@given(STACKS, st.lists(st.integers(0, 1_000), min_size=1, max_size=5))
def test_icm_is_what_all_orders_of_places_give(stacks: list[int], amounts: list[int]) -> None:
    """An independent recount: every order of places with its chance, one after the other."""
    prizes = sorted(amounts, reverse=True)[: len(stacks)]
    expected = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = Fraction(1), sum(stacks)
        for player in order:
            chance *= Fraction(stacks[player], left)
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            expected[player] += chance * prize
    found = by_icm(prizes, dict(enumerate(stacks)))
    assert sum(found.values()) == sum(prizes)
    assert all(abs(found[player] - share) < 1 for player, share in enumerate(expected))


@settings(max_examples=40)
@given(STACKS, st.lists(st.integers(0, 1_000), min_size=1, max_size=5))
def test_every_division_of_what_is_left_is_exact(stacks: list[int], amounts: list[int]) -> None:
    prizes = sorted(amounts, reverse=True)[: len(stacks)]
    shares = by_chips(prizes, dict(enumerate(stacks)))
    assert sum(shares.values()) == sum(prizes)
    assert all(share >= (prizes[-1] if len(prizes) == len(stacks) else 0) for share in shares.values())
