"""The amounts that a table plays for have names."""

import pytest

from bot.engine.options.values import Ante, Limit
from bot.engine.stakes import Stakes
from bot.text.stakes import AMOUNT_NAMES, amount_name, named_amount, short_stakes


def test_every_amount_has_a_name() -> None:
    assert list(AMOUNT_NAMES) == list(Stakes.__struct_fields__)
    assert len({amount_name(field) for field in AMOUNT_NAMES}) == len(AMOUNT_NAMES)
    assert named_amount("big_blind", 1_000) == "big blind 1,000"


@pytest.mark.parametrize(
    ("stakes", "ante", "limit", "words"),
    [
        (Stakes(small_blind=50, big_blind=100), Ante.BLINDS, Limit.NO_LIMIT, "50/100"),
        (Stakes(small_blind=50, big_blind=100, ante=5), Ante.BLINDS, Limit.NO_LIMIT, "50/100 ante 5"),
        (Stakes(small_blind=50, big_blind=100), Ante.BLINDS, Limit.LIMIT, "100/200"),
        (Stakes(ante=25, small_bet=100), Ante.EVERYONE, Limit.LIMIT, "100/200 ante 25"),
        (Stakes(ante=25, limit=200), Ante.EVERYONE, Limit.STAKE_LIMIT, "ante 25, raises up to 200"),
        (Stakes(ante=1_000), Ante.EVERYONE, Limit.POT_LIMIT, "ante 1,000"),
        (Stakes(min_bet=100), Ante.NONE, Limit.NO_LIMIT, "no ante, bets from 100"),
        (Stakes(small_bet=100), Ante.NONE, Limit.LIMIT, "100/200 no ante"),
        (Stakes(limit=100), Ante.NONE, Limit.STAKE_LIMIT, "no ante, raises up to 100"),
        (Stakes(ante=25, doublings=3), Ante.NONE, Limit.DOUBLING_FLAT, "no ante, bets from 50"),
    ],
)
def test_stakes_are_shown_in_a_few_signs(stakes: Stakes, ante: Ante, limit: Limit, words: str) -> None:
    assert short_stakes(stakes, ante=ante, limit=limit) == words
