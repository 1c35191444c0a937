"""kill -9 before any statement of closing a season: results are written once and stay, chips change once, no save is lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.sqlite  # the connection that kills counts SQLite's statements


def kill(folder: Path, kills: int) -> str:
    """Let `tests.runtime.killed_season` kill dealers. Returns what it says."""
    command = [sys.executable, "-m", "tests.runtime.killed_season", str(folder), str(kills)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_dealer_killed_while_closing_a_season_closes_it_once(tmp_path: Path) -> None:
    told = re.match(r"(\d+) kills", kill(tmp_path, 4))
    assert told is not None and int(told[1]), "a run that has fewer statements can come to its end first"


@pytest.mark.full
def test_a_dealer_killed_before_every_statement_of_closing(tmp_path: Path) -> None:
    print(f"\n{kill(tmp_path, 10**6)}")
