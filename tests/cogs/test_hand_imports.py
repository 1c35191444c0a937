"""The checker's process: whatever becomes of it, whoever gave the file gets an answer, and the bot goes on."""

import asyncio
import sys
from pathlib import Path

import pytest

from bot.runtime.errors import FileTooHard, ImportForgotten, OneMoment
from bot.text.hand_files import Verdict
from cogs.ui import hand_imports
from cogs.ui.hand_imports import FILES_REMEMBERED, MAX_WAITING, REMEMBERED_MS, HandImports
from tests.e2e.movable_clock import MovableClock
from tests.history.test_read_file import STORY

ANN, BO = 11, 12


def imports(program: str = "", *, limit: float = 20.0, clock: MovableClock | None = None) -> HandImports:
    """Return imports whose checker is this program; the real one by default."""
    command = (sys.executable, "-c", program) if program else hand_imports.CHECKER
    return HandImports(clock or MovableClock(), command, limit_seconds=limit)


async def test_a_file_is_checked_in_a_process_and_remembered() -> None:
    clock = MovableClock()
    importing = imports(clock=clock)
    file = await importing.check(ANN, "a.txt", STORY.encode(), "en-US")
    (hand,) = file.checked.hands
    assert (hand.verdict, hand.fault) == (Verdict.PLAYS, "")
    assert [page.title for page in hand.pages()] == ["The deal", "Pre-flop", "Summary"]
    assert importing.find(file.id, ANN) is file
    with pytest.raises(ImportForgotten):
        importing.find(file.id, BO)
    clock.skip(REMEMBERED_MS / 1000 + 1)
    with pytest.raises(ImportForgotten):
        importing.find(file.id, ANN)


@pytest.mark.parametrize(
    "program",
    [
        "import os; os.kill(os.getpid(), 9)",
        "raise SystemExit(3)",
        "print('nonsense')",
        "import sys; sys.stdout.write('x' * 9_000_000)",
        "import time; time.sleep(60)",
        "import sys; sys.stdin.close(); import time; time.sleep(60)",
    ],
    ids=["killed", "fails", "writes nonsense", "writes too much", "hangs", "reads nothing"],
)
async def test_a_checker_that_dies_leaves_a_friendly_answer(program: str) -> None:
    importing = imports(program, limit=1.0)
    with pytest.raises(FileTooHard):
        await importing.check(ANN, "a.txt", b"x" * 2_000_000, "en-US")


async def test_the_checker_gets_no_token_and_no_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("CARDROOM_DATA", "somewhere")
    seen = tmp_path / "seen"
    program = f"import os; open({str(seen)!r}, 'w').write(' '.join(os.environ))"
    with pytest.raises(FileTooHard):
        await imports(program).check(ANN, "a.txt", b"x", "en-US")
    assert "DISCORD_TOKEN" not in seen.read_text() and "CARDROOM_DATA" not in seen.read_text()


async def test_files_wait_for_one_another_and_not_too_many() -> None:
    importing = imports("import time; time.sleep(60)", limit=0.2)
    waiting = [asyncio.create_task(importing.check(ANN, "a.txt", b"x", "en-US")) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(OneMoment):
        await importing.check(BO, "b.txt", b"x", "en-US")
    assert all(isinstance(one, FileTooHard) for one in await asyncio.gather(*waiting, return_exceptions=True))


async def test_only_the_newest_files_are_remembered() -> None:
    program = (
        "import sys, msgspec; from bot.text.checked_hands import CheckedFile; "
        "sys.stdout.buffer.write(msgspec.msgpack.encode(CheckedFile(error='x')))"
    )
    importing = imports(program)
    files = [await importing.check(ANN, "a.txt", b"x", "en-US") for _ in range(3)]
    importing._files.update({1000 + at: files[0] for at in range(FILES_REMEMBERED)})
    newest = await importing.check(ANN, "a.txt", b"x", "en-US")
    assert importing.find(newest.id, ANN) is newest
    with pytest.raises(ImportForgotten):
        importing.find(files[0].id, ANN)
