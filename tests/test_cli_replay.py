"""`cardroom replay`: one JSON line a file, and an exit code that tells."""

import json
from pathlib import Path

import pytest

from bot.cli_replay import run

HANDS = Path(__file__).parent / "hands"


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_hand_that_ends_as_stated_gives_its_stacks_and_pots(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(HANDS / "nt-157.phh")
    assert run([file, file]) == 0
    assert (
        lines(capsys)
        == [
            {
                "file": file,
                "finishing_stacks": [10_113, 9_775, 10_000, 10_000, 10_112, 10_000],
                "pots_by_street": [675, 675, 675, 1_349],
                "final_pots": [1_349],
            }
        ]
        * 2
    )


def test_what_the_file_states_otherwise_is_a_mismatch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "odd.phh"
    told = (HANDS / "nt-157.phh").read_text(encoding="utf-8")
    file.write_text(told.replace("10113, 9775", "10112, 9776"), encoding="utf-8")
    assert run([str(file)]) == 1
    (line,) = lines(capsys)
    assert line["finishing_stacks"] == [10_113, 9_775, 10_000, 10_000, 10_112, 10_000]
    assert line["mismatch"] == {
        "finishing_stacks": {
            "file": [10_112, 9_776, 10_000, 10_000, 10_112, 10_000],
            "engine": [10_113, 9_775, 10_000, 10_000, 10_112, 10_000],
        }
    }


def test_an_unlawful_action_is_named_with_its_law_and_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "short.phh"
    told = (HANDS / "nt-061.phh").read_text(encoding="utf-8")
    file.write_text(told.replace("p4 cbr 225", "p4 cbr 125"), encoding="utf-8")
    assert run([str(HANDS / "nt-061.phh"), str(file)]) == 1
    good, bad = lines(capsys)
    assert "error" not in good
    assert bad["file"] == str(file)
    error = bad["error"]
    assert isinstance(error, dict)
    assert (error["law"], error["action"]) == ("L-8", 8)


@pytest.mark.parametrize(
    ("text", "why"),
    [("variant = 'NT'", "antes: missing"), ("no = toml = at all", "not a TOML file"), (None, "cannot be read")],
)
def test_a_file_that_is_no_hand_is_told_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str | None, why: str
) -> None:
    file = tmp_path / "none.phh"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert run([str(file)]) == 1
    (line,) = lines(capsys)
    error = line["error"]
    assert isinstance(error, dict)
    assert why in error["why"]
    assert error["law"] is None


def test_a_game_that_is_not_dealt_is_said_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "unknown.phh"
    told = (HANDS / "nt-157.phh").read_text(encoding="utf-8")
    file.write_text(told.replace("variant = 'NT'", "variant = 'XX'"), encoding="utf-8")
    assert run([str(file)]) == 1
    assert "'XX' is not dealt here" in str(lines(capsys)[0]["error"])
