"""Setup for all tests: hypothesis draws the same examples every time, and new ones where the long tests are asked for."""

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Choose hypothesis' profile by the marks asked for."""
    asked = str(config.getoption("markexpr"))
    settings.load_profile("new" if asked.startswith("full") else "same")
