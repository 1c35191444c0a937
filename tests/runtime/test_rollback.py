"""A copy of the data is put back after people have played on: no hand goes on with cards that people have seen."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.engine.events import HandVoided, VoidReason
from bot.fair.deck_order import new_nonce
from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.store import backup
from bot.store.newest_cause import NewestCause
from tests.runtime.evening import Evening

pytestmark = pytest.mark.sqlite


async def flop_of(evening: Evening) -> tuple[int, ...]:
    """Deal a hand and go to the flop. Returns its cards."""
    await evening.deal()
    await evening.next_player_acts("calls", "calls", "checks")
    assert evening.hand.street == "flop"
    return evening.hand.boards[0]


async def three_on_the_flop(evening: Evening) -> tuple[int, ...]:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    return await flop_of(evening)


def voids(evening: Evening) -> list[str]:
    return [event.reason for update in evening.updates for event in update.events if isinstance(event, HandVoided)]


async def put_back(evening: Evening, copy: Path) -> None:
    """Stop the dealer, restore a copy, start again."""
    await evening.end()
    backup.put_back(copy, evening.path, evening.clock.now())
    evening.updates.clear()
    await evening.begin()


@pytest.mark.law("I-1")
async def test_hand_of_restored_copy_is_cancelled(evening: Evening, tmp_path: Path) -> None:
    await three_on_the_flop(evening)
    found = backup.copy_data(evening.path, tmp_path / "copy.db")
    assert found.open_tables == 1
    await evening.next_player_acts("bets 500", "folds", "folds")  # played on after the copy was taken
    await put_back(evening, tmp_path / "copy.db")
    assert voids(evening) == [VoidReason.ROLLED_BACK]
    assert evening.stacks() == {"Ann": 10_000, "Bo": 10_000, "Cy": 10_000}
    await evening.audit()
    await evening.crash()
    assert voids(evening) == [], "only once"
    await evening.deal()
    assert evening.snapshot.hand_running


async def test_copied_file_is_noticed_as_rolled_back(evening: Evening, tmp_path: Path) -> None:
    """Somebody copies the files by hand, without `cardroom backup`, and copies them back later."""
    await three_on_the_flop(evening)
    with contextlib.closing(sqlite3.connect(evening.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(evening.path, tmp_path / "old.db")
    await evening.next_player_acts("bets 500", "folds", "folds")
    await evening.end()
    shutil.copy(tmp_path / "old.db", evening.path)
    await evening.begin()
    assert evening.store.lost_changes > 0  # type: ignore[attr-defined]
    assert voids(evening) == [VoidReason.ROLLED_BACK]
    await evening.crash()
    assert evening.store.lost_changes == 0  # type: ignore[attr-defined]


@pytest.mark.law("I-1")
async def test_hand_after_a_rollback_has_other_cards(evening: Evening, tmp_path: Path) -> None:
    """Who puts back a copy that was taken between two hands does not know what comes."""
    evening.make_nonce = new_nonce
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    backup.copy_data(evening.path, tmp_path / "copy.db")
    await evening.deal()
    dealt, number = evening.session.state.hand, evening.snapshot.hand_number
    assert dealt is not None
    await put_back(evening, tmp_path / "copy.db")
    await evening.deal()
    again = evening.session.state.hand
    assert again is not None and evening.snapshot.hand_number == number, "the same hand of the same table"
    assert again.deck != dealt.deck and sorted(again.deck) == sorted(dealt.deck)


async def test_kill_during_cancelling_cancels_the_rest(evening: Evening, tmp_path: Path) -> None:
    await three_on_the_flop(evening)
    backup.copy_data(evening.path, tmp_path / "copy.db")
    await evening.end()
    backup.put_back(tmp_path / "copy.db", evening.path, evening.clock.now())
    store = evening._make_store(evening.path)
    await store.open()  # killed after the store was opened, before any hand was cancelled
    await store.close()
    evening.updates.clear()
    await evening.begin()
    assert voids(evening) == [VoidReason.ROLLED_BACK]


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", range(6))
async def test_killed_restore_leaves_the_old_file_or_the_new(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """The old file still has its log beside it, as after a kill. No step leaves a folder in which a dealer would begin an empty house."""
    await three_on_the_flop(evening)
    copied = backup.copy_data(evening.path, tmp_path / "copy.db").newest_cause
    await evening.next_player_acts("bets 500")
    folder = tmp_path / "killed"
    folder.mkdir()
    for file in evening.path.parent.glob(f"{evening.path.name}*"):
        if not file.name.endswith(("-shm", ".lock")):
            shutil.copy(file, folder)
    path = folder / evening.path.name
    assert path.with_name(f"{path.name}-wal").stat().st_size
    steps = 0

    def dies(change: Callable[..., object]) -> Callable[..., object]:
        def changed(*arguments: object, **named: object) -> object:
            nonlocal steps
            if steps == step:
                raise Killed
            steps += 1
            return change(*arguments, **named)

        return changed

    with monkeypatch.context() as patch:
        for name in ("replace", "link", "unlink"):
            patch.setattr(os, name, dies(getattr(os, name)))
        with contextlib.suppress(Killed):
            backup.put_back(tmp_path / "copy.db", path, evening.clock.now())
    store = evening._make_store(path)
    await store.open()
    await store.close()
    assert backup.check_data(path).newest_cause in {copied, backup.check_data(evening.path).newest_cause}


async def test_ordinary_restart_cancels_nothing(evening: Evening) -> None:
    board = await three_on_the_flop(evening)
    await evening.crash()
    assert evening.store.lost_changes == 0  # type: ignore[attr-defined]
    assert evening.hand.boards[0] == board


async def test_main_file_is_never_an_empty_house(evening: Evening, tmp_path: Path) -> None:
    """Who copies `cardroom.db` alone, right after the first start, has its tables and rules in it."""
    await evening.end()
    await evening.begin()
    shutil.copy(evening.path, tmp_path / "alone.db")
    assert backup.check_data(tmp_path / "alone.db").problems == ()


async def test_copy_is_taken_while_the_dealer_writes(evening: Evening, tmp_path: Path) -> None:
    await three_on_the_flop(evening)
    before = backup.copy_data(evening.path, tmp_path / "first.db")
    await evening.next_player_acts("checks")
    after = backup.copy_data(evening.path, tmp_path / "second.db")
    assert after.newest_cause > before.newest_cause
    assert not list(tmp_path.glob("*.partial"))
    assert (tmp_path / "first.db").stat().st_mode & 0o777 == 0o600
    with pytest.raises(StoreInUse):
        backup.put_back(tmp_path / "first.db", evening.path, 1)


async def test_unsound_copy_is_neither_made_nor_put_back(evening: Evening, tmp_path: Path) -> None:
    await three_on_the_flop(evening)
    backup.copy_data(evening.path, tmp_path / "copy.db")
    await evening.end()
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db", isolation_level=None)) as db:
        db.execute("UPDATE balance SET chips = chips + 1000 WHERE kind = 3")
    with pytest.raises(StoreUnusable, match="cannot be put back"):
        backup.put_back(tmp_path / "copy.db", evening.path, 1)
    with pytest.raises(StoreUnusable, match="not sound"):
        backup.copy_data(tmp_path / "copy.db", tmp_path / "again.db")
    (tmp_path / "text.db").write_text("no data at all, only words, and many of them " * 100)
    assert backup.check_data(tmp_path / "text.db").problems
    with pytest.raises(StoreFailed):
        backup.copy_data(tmp_path / "missing.db", tmp_path / "again.db")
    assert not (tmp_path / "again.db").exists()
    await evening.begin()
    assert evening.snapshot.hand_running, "nothing has changed"


def test_number_of_latest_change_survives_unreadable_file(tmp_path: Path) -> None:
    newest = NewestCause(tmp_path / "cardroom.db")
    newest.write(41)
    newest.write(42)
    assert NewestCause(tmp_path / "cardroom.db").read() == 42
    (tmp_path / "cardroom.db.newest").write_text("?")
    assert newest.read() == 0
    newest.close()
