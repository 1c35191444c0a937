"""The examples in the documentation of the public modules are true."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["bot.engine", "bot.text.language"])
def test_examples_are_true(module: str) -> None:
    found = doctest.testmod(
        importlib.import_module(module), optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert found.attempted > 0
    assert found.failed == 0
