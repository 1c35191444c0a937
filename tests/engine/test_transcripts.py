"""Every hand in ``tests/transcripts`` is played again, to the letter. A bug's fix begins with its hand there."""

from pathlib import Path

import pytest

from tests.support.transcript import replay_transcript

TRANSCRIPTS = sorted(Path(__file__).resolve().parents[1].joinpath("transcripts").glob("*.hand"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_plays_as_written(path: Path) -> None:
    told = path.read_text(encoding="utf-8")
    assert replay_transcript(told) == told


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 3
