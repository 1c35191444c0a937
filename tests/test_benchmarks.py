"""Every measurement that a document names can be made again: each is run in tiny sizes."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.benchmarks.__main__ import NAMES, TINY, is_run

PEERS = {"engine": "texasholdem", "ranking": "eval7"}
"""What a measurement cannot do without, and what only `pip install -e '.[bench]'` brings."""


def test_every_measurement_has_tiny_sizes() -> None:
    assert set(TINY) == set(NAMES)


@pytest.mark.full
@pytest.mark.real_time
@pytest.mark.parametrize("name", NAMES)
def test_every_measurement_still_runs(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    peer = PEERS.get(name)
    if peer is not None and find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed")
    assert is_run(name, [], is_tiny=True), capfd.readouterr().out
