"""The disk fails, or the store knows better than we do: nothing is half done, and play goes on when it can."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from bot.engine import commands as c
from bot.runtime.journal import JournalEvent
from bot.runtime.ports import Store, StoreFailed
from bot.store.codec import EventCodec
from bot.store.sqlite import SqliteStore
from bot.table import events as te
from tests.runtime.evening import GUILD, USERS, Evening
from tests.runtime.mortal import FailingStore


@pytest.fixture
async def troubled(tmp_path: Path) -> AsyncIterator[Evening]:
    """An evening on a store that can be made to fail."""

    def make(path: Path) -> Store:
        return cast(Store, FailingStore(SqliteStore(path, EventCodec(JournalEvent))))

    told = await Evening(tmp_path, store=make).begin()
    yield told
    await told.end()


def _disk(evening: Evening) -> FailingStore:
    return cast(FailingStore, evening.store)


async def _dealt(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()


async def test_a_full_disk_refuses_the_action_and_changes_nothing(
    troubled: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    await _dealt(troubled)
    before, name, shown = troubled.hand, troubled.to_act, len(troubled.changes)
    _disk(troubled).full = True
    with pytest.raises(StoreFailed):
        await troubled.act(name, c.RaiseTo(300), key="click")
    assert troubled.hand == before and len(troubled.changes) == shown
    (said,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "a request failed: raiseto" in said.getMessage()
    assert said.exc_info is None, "no fault of ours: a line tells it, without a traceback"
    _disk(troubled).full = False
    outcome = await troubled.act(name, c.RaiseTo(300), key="click")
    assert not outcome.repeated, "the same click may be tried again"
    assert troubled.hand.level == 300
    await troubled.audit()


async def test_a_save_that_was_reported_lost_and_was_not_is_found_out(troubled: Evening) -> None:
    await _dealt(troubled)
    name = troubled.to_act
    _disk(troubled).lies = True
    with pytest.raises(StoreFailed):
        await troubled.act(name, c.RaiseTo(300), key="click")
    _disk(troubled).lies = False
    again = await troubled.act(name, c.RaiseTo(300), key="click")
    assert again.repeated
    assert troubled.hand.level == 300 and troubled.to_act != name
    await troubled.goes("calls")
    await troubled.audit()


async def test_another_request_after_such_a_save_is_ruled_on_by_what_the_store_holds(troubled: Evening) -> None:
    await _dealt(troubled)
    name = troubled.to_act
    _disk(troubled).lies = True
    with pytest.raises(StoreFailed):
        await troubled.act(name, c.RaiseTo(300))
    _disk(troubled).lies = False
    await troubled.tables.sit_out(troubled.asked("Ann"))
    assert troubled.hand.level == 300, "the table was read anew"
    await troubled.audit()


async def test_a_clock_that_could_not_be_saved_is_tried_again(troubled: Evening) -> None:
    await _dealt(troubled)
    sleeper = troubled.to_act
    _disk(troubled).full = True
    await troubled.wait(200)
    assert troubled.to_act == sleeper
    assert 3 < _disk(troubled).refused < 30, "again and again, with longer and longer pauses"
    _disk(troubled).full = False
    await troubled.wait(61)
    assert troubled.to_act != sleeper
    assert troubled.now.running, "a full disk is no reason to void a hand"
    await troubled.audit()


async def test_a_hand_that_breaks_the_dealer_is_voided_and_paid_back(
    troubled: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _dealt(troubled)
    monkeypatch.setattr("bot.runtime.draft.Draft.time_out", lambda _draft: 1 // 0)
    await troubled.wait(100)
    monkeypatch.undo()
    assert not troubled.now.running or troubled.now.hand_number > 1
    undone = [event for change in troubled.changes for event in change.events if isinstance(event, te.HandUndone)]
    assert len(undone) == 1
    assert sum(troubled.stacks().values()) + (troubled.hand.pot if troubled.now.running else 0) == 30_000
    await troubled.audit()


async def test_a_fault_of_ours_is_no_ruling_and_the_table_plays_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _dealt(evening)
    before = evening.hand
    monkeypatch.setattr("bot.runtime.draft.Draft.settle", lambda _draft: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        await evening.goes("calls")
    monkeypatch.undo()
    assert evening.hand == before
    await evening.goes("calls")


async def test_where_engine_and_ledger_differ_the_table_is_paid_out_by_the_ledger(evening: Evening) -> None:
    await _dealt(evening)
    await evening.goes("raises to 300")
    raiser = next(change.by for change in reversed(evening.changes) if change.by)
    await evening.tables.drain()
    await evening.store.close()
    with closing(sqlite3.connect(evening.path)) as db:  # somebody has been at the file: 1,000 chips lie elsewhere
        db.execute("UPDATE balance SET chips = chips - 1000 WHERE kind = 4 AND user = ?", (USERS["Ann"],))
        db.execute("UPDATE balance SET chips = chips + 1000 WHERE kind = 4 AND user = ?", (USERS["Bo"],))
        db.commit()
    evening.clock.forget()
    await evening.begin()
    assert evening.tables.all_tables() == ()
    purses = {name: await evening.bank.purse(GUILD, USERS[name]) for name in ("Ann", "Bo", "Cy")}
    assert {name: purse.total for name, purse in purses.items()} == {"Ann": 9_000, "Bo": 11_000, "Cy": 10_000}
    assert all(purse.on_tables == 0 for purse in purses.values())
    assert raiser in USERS.values()


async def test_a_journal_that_cannot_be_read_is_paid_out_by_the_ledger(evening: Evening) -> None:
    await _dealt(evening)
    await evening.goes("raises to 300")
    await evening.tables.drain()
    await evening.store.close()
    with closing(sqlite3.connect(evening.path)) as db:
        db.execute("UPDATE snapshot SET blob = x'00'")
        db.commit()
    evening.clock.forget()
    await evening.begin()
    assert evening.tables.all_tables() == ()
    for name in ("Ann", "Bo", "Cy"):
        purse = await evening.bank.purse(GUILD, USERS[name])
        assert (purse.wallet, purse.on_tables) == (10_000, 0)
    await evening.audit()
