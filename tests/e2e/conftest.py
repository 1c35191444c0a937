"""Tables are redrawn as soon as something happens, except where the pace of the redraws is tested."""

import pytest

from cogs.ui import table_display

AT_DISCORDS_PACE = frozenset(
    {"test_bad_evening", "test_budget", "test_faults", "test_floods", "test_request_order", "test_whole_hand"}
)
"""Modules about how many requests there are and when they go, and whole evenings as people have them."""


@pytest.fixture(autouse=True)
def quick_redraws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pause of 1.1 seconds between two redraws of a table: tests would wait minutes for it, all in all."""
    if request.path.stem not in AT_DISCORDS_PACE:
        monkeypatch.setattr(table_display, "EDIT_SECONDS", 0.05)
