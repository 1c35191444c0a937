"""Every test has cards of its own that are the same in each run, and tables are redrawn as soon as something happens.

The redraws keep their pace where it is tested.
"""

import hashlib
import itertools
import random
from types import SimpleNamespace

import pytest

from bot.fair import deck_order
from bot.runtime import tables
from bot.surfaces.table import pace

AT_DISCORDS_PACE = frozenset(
    {
        "test_bad_evening",
        "test_budget",
        "test_exactly_once",
        "test_faults",
        "test_floods",
        "test_request_order",
        "test_requests_of_a_hand",
        "test_whole_hand",
    }
)
"""Modules about how many requests there are and when they go, and whole evenings as people have them."""


@pytest.fixture(autouse=True)
def quick_redraws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pause of 1.1 seconds between two redraws of a table: tests would wait minutes for it, all in all."""
    if request.path.stem not in AT_DISCORDS_PACE:
        monkeypatch.setattr(pace, "EDIT_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def same_cards(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal a test the same cards and lots in each run. The tests marked `full` look for new ones, and so do processes of their own.

    A deck then depends on the test, the table and the number of the hand alone: not on which of several tables deals first.
    """
    if str(request.config.getoption("markexpr")).startswith("full"):
        return
    name, made = request.node.nodeid.encode(), itertools.count()

    def same_bytes(length: int) -> bytes:
        """Return a new master secret each time; every hand's nonce is the same."""
        return (
            hashlib.sha256(b"%d" % next(made) + name).digest() if length == deck_order.MASTER_BYTES else bytes(length)
        )

    monkeypatch.setattr(deck_order, "secrets", SimpleNamespace(token_bytes=same_bytes))
    monkeypatch.setattr(tables, "secrets", SimpleNamespace(SystemRandom=lambda: random.Random(name)))
