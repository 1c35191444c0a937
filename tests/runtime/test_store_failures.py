"""When the disk fails, or the store has a newer state, nothing is half done, and play goes on as soon as it can."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from bot.engine import commands as c
from bot.log import record_fields
from bot.runtime.journal import JournalEvent
from bot.runtime.store_errors import StoreFailed
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table import events as te
from bot.table.commands import SitOut
from tests.runtime.evening import GUILD, USERS, Evening
from tests.runtime.failing_stores import FailingStore
from tests.support.engines import data_at, opened


@pytest.fixture
async def troubled(tmp_path: Path) -> AsyncIterator[Evening]:
    """An evening on a store that can be made to fail."""

    def make(path: Path) -> Store:
        return cast(Store, FailingStore(Store(data_at(path), EventCodec(JournalEvent))))

    opened = await Evening(tmp_path, store=make).begin()
    yield opened
    await opened.end()


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
    before, name, shown = troubled.hand, troubled.to_act, len(troubled.updates)
    _disk(troubled).full = True
    with pytest.raises(StoreFailed):
        await troubled.ask(name, c.RaiseTo(300), key="click")
    assert troubled.hand == before and len(troubled.updates) == shown
    (said,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert (said.getMessage(), record_fields(said)["request"]) == ("table_request_failed", "raise to")
    assert said.exc_info is None, "no fault of ours: a line tells it, without a traceback"
    _disk(troubled).full = False
    outcome = await troubled.ask(name, c.RaiseTo(300), key="click")
    assert not outcome.repeated, "the same click can be tried again"
    assert troubled.hand.current_bet == 300
    await troubled.audit()


async def test_falsely_reported_save_failure_is_detected(troubled: Evening) -> None:
    await _dealt(troubled)
    name = troubled.to_act
    _disk(troubled).reports_false_failure = True
    with pytest.raises(StoreFailed):
        await troubled.ask(name, c.RaiseTo(300), key="click")
    _disk(troubled).reports_false_failure = False
    again = await troubled.ask(name, c.RaiseTo(300), key="click")
    assert again.repeated
    assert troubled.hand.current_bet == 300 and troubled.to_act != name
    await troubled.next_player_acts("calls")
    await troubled.audit()


async def test_request_after_false_failure_uses_stored_state(troubled: Evening) -> None:
    await _dealt(troubled)
    name = troubled.to_act
    _disk(troubled).reports_false_failure = True
    with pytest.raises(StoreFailed):
        await troubled.ask(name, c.RaiseTo(300))
    _disk(troubled).reports_false_failure = False
    await troubled.ask("Ann", SitOut)
    assert troubled.hand.current_bet == 300, "the table was read anew"
    await troubled.audit()


async def test_clock_action_that_failed_to_save_is_retried(troubled: Evening) -> None:
    await _dealt(troubled)
    sleeper = troubled.to_act
    _disk(troubled).full = True
    await troubled.wait(200)
    assert troubled.to_act == sleeper
    assert 3 < _disk(troubled).refused < 30, "again and again, with longer and longer pauses"
    _disk(troubled).full = False
    await troubled.wait(61)
    assert troubled.to_act != sleeper
    assert troubled.snapshot.hand_running, "a full disk is no reason to void a hand"
    await troubled.audit()


async def test_hand_that_crashes_dealer_is_voided_and_refunded(
    troubled: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _dealt(troubled)
    monkeypatch.setattr("bot.runtime.transaction.TableTransaction.time_out_turn", lambda _draft: 1 // 0)
    await troubled.wait(100)
    monkeypatch.undo()
    assert not troubled.snapshot.hand_running or troubled.snapshot.hand_number > 1
    undone = [event for change in troubled.updates for event in change.events if isinstance(event, te.HandUndone)]
    assert len(undone) == 1
    assert sum(troubled.stacks().values()) + (troubled.hand.pot if troubled.snapshot.hand_running else 0) == 30_000
    await troubled.audit()


async def test_internal_error_is_no_refusal_and_table_plays_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _dealt(evening)
    before = evening.hand
    monkeypatch.setattr("bot.runtime.transaction.TableTransaction.do_automatic_actions", lambda _draft: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        await evening.next_player_acts("calls")
    monkeypatch.undo()
    assert evening.hand == before
    await evening.next_player_acts("calls")


async def test_engine_ledger_mismatch_pays_out_by_ledger(evening: Evening) -> None:
    await _dealt(evening)
    await evening.next_player_acts("raises to 300")
    raiser = next(change.requested_by for change in reversed(evening.updates) if change.requested_by)
    await evening.tables.drain()
    await evening.store.close()
    evening.tells_every_way = False
    with opened(evening.path) as db:  # somebody has been at the file: 1,000 chips lie elsewhere
        db.execute('UPDATE balance SET chips = chips - 1000 WHERE kind = 4 AND "user" = ?', (USERS["Ann"],))
        db.execute('UPDATE balance SET chips = chips + 1000 WHERE kind = 4 AND "user" = ?', (USERS["Bo"],))
        db.commit()
    evening.clock.cancel_all()
    await evening.begin()
    assert evening.tables.all_tables() == ()
    all_held = {name: await evening.bank.holdings(GUILD, USERS[name]) for name in ("Ann", "Bo", "Cy")}
    assert {name: held.total for name, held in all_held.items()} == {"Ann": 9_000, "Bo": 11_000, "Cy": 10_000}
    assert all(held.on_tables == 0 for held in all_held.values())
    assert raiser in USERS.values()


async def test_unreadable_journal_pays_out_by_ledger(evening: Evening) -> None:
    await _dealt(evening)
    await evening.next_player_acts("raises to 300")
    await evening.tables.drain()
    await evening.store.close()
    with opened(evening.path) as db:
        db.execute("UPDATE snapshot SET blob = ?", (b"\0",))
        db.commit()
    evening.clock.cancel_all()
    await evening.begin()
    assert evening.tables.all_tables() == ()
    for name in ("Ann", "Bo", "Cy"):
        held = await evening.bank.holdings(GUILD, USERS[name])
        assert (held.wallet, held.on_tables) == (10_000, 0)
    await evening.audit()
