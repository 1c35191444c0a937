"""Badugi, badeucey and badacey rank hands by the law book."""

import pytest

from bot.engine.ranking import Ranking, Scale, WildMethod, WildPolicy
from tests.engine.ranking.support import beats, name_of, ties

BADUGI = Ranking(scale=Scale.BADUGI)
BADEUCEY = Ranking(scale=Scale.BADUGI_ACE_HIGH)


@pytest.mark.law("VC-15", "LO-5")
def test_the_examples_of_the_law() -> None:
    assert ties("7s3s2hAd", "3c3d2sAh", BADUGI)
    assert beats("Ad2c3h6h", "Ac3d4h5h", BADUGI)


@pytest.mark.law("VC-15")
def test_more_cards_beat_fewer() -> None:
    assert beats("KcQdJhTs", "Ac2d3h3s", BADUGI)
    assert beats("KcQdJhJs", "Ac2d2hAs", BADUGI)
    assert beats("KcKdQhQs", "AcAdAhAs", BADUGI)
    assert beats("Ac2d3h4s", "Ac2d3h5s", BADUGI)
    assert beats("8c7d6h5s", "9c3d2hAs", BADUGI)


@pytest.mark.law("VC-15")
def test_the_best_choice_of_cards_is_found() -> None:
    assert name_of("Ac2c3c4c", BADUGI) == "one-card badugi, A"
    assert name_of("Kc2c3d4h", BADUGI) == "three-card badugi, 4-3-2"
    assert name_of("7s5d3h2c", BADUGI) == "four-card badugi, 7-5-3-2"


@pytest.mark.law("VC-16")
def test_badeucey_has_the_ace_high() -> None:
    assert name_of("5s4d3h2c", BADEUCEY) == "four-card badugi, 5-4-3-2"
    assert beats("5s4d3h2c", "4s3d2hAc", BADEUCEY)
    assert beats("Ks4d3h2c", "4s3d2hAc", BADEUCEY)
    assert name_of("5s4d3h2cAc", BADEUCEY) == "four-card badugi, 5-4-3-2"


@pytest.mark.law("VC-16")
def test_the_badugi_half_is_the_best_four_of_five() -> None:
    assert name_of("KsKd3h2cAs", BADUGI) == "four-card badugi, K-3-2-A"
    assert name_of("9s8s3h2cAd", BADUGI) == "four-card badugi, 8-3-2-A"


@pytest.mark.law("W-8")
def test_a_joker_is_the_lowest_card_that_fits() -> None:
    wild = Ranking(scale=Scale.BADUGI, wild=WildPolicy(method=WildMethod.FREE))
    assert name_of("4s3d2hJk", wild) == "four-card badugi, 4-3-2-A"
    assert name_of("KsKdKhJk", wild) == "two-card badugi, K-A"
