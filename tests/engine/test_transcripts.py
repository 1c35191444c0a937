"""Every hand in ``tests/transcripts`` is played again, to the letter. A bug's fix begins with its hand there."""

from pathlib import Path

import pytest

from tests.support.transcript import played_again

TRANSCRIPTS = sorted(Path(__file__).resolve().parents[1].joinpath("transcripts").glob("*.hand"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_recorded_hand_plays_as_it_is_told(path: Path) -> None:
    told = path.read_text(encoding="utf-8")
    assert played_again(told) == told


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 3
