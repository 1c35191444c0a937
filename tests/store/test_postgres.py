"""A store in PostgreSQL has one owner at a time, and nothing that was lost on the way is said to be saved, or saved twice."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import threading
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.events import ActionOn, Called
from bot.ledger.accounts import TransferReason, mint_account, wallet_account
from bot.runtime.store_errors import StoreFailed, StoreInUse, StoreUnusable
from bot.runtime.store_types import ROLLED_BACK_KEY, Commit, Receipt
from bot.store.database import ConnectionLost, Database
from bot.store.store import Store
from tests.store.desk import ANN, BO, CODEC, CY, GUILD, Desk
from tests.support.held_line import Line
from tests.support.postgres import postgres_server, restart

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres import connecting
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.engine import PostgresEngine
from bot.store.postgres.ownership import writer_name
from tests.support.postgres_store import asking, postgres_engine


@pytest.fixture
def schema(tmp_path: Path) -> str:
    return f"story_{zlib.crc32(str(tmp_path).encode())}"


@pytest.fixture
async def house(postgres: str, schema: str, tmp_path: Path) -> AsyncIterator[Store]:
    opened = _store(postgres, schema, tmp_path)
    await opened.open()
    yield opened
    await opened.close()


def _store(
    address: str, schema: str, folder: Path, *, lease: float = 30.0, lost: Callable[[], None] = lambda: None
) -> Store:
    return Store(postgres_engine(address, schema, folder, lease=lease, lost=lost), CODEC)


def _stand_still(store: Store) -> None:
    """Let the owner renew no more, as a process that was killed or has stopped."""
    assert isinstance(store.engine, PostgresEngine)
    ownership = store.engine._ownership
    ownership._good_until += 3_600
    ownership._ending.set()


def _cut(address: str, schema: str, name: str) -> None:
    """Cut connections by the beginning of their name."""
    with asking(address, schema) as db:
        ended = db.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE %s", (f"{name}%",)
        ).fetchall()
        assert ended and set(ended) == {(True,)}


async def _grant(store: Store, key: str = "grant") -> Receipt:
    desk = Desk(store)
    commit = desk.move(mint_account(), wallet_account(ANN), 500, TransferReason.GRANT)
    return await store.commit(replace(commit, cause=desk.cause("grant", key=key)))


async def _chips(store: Store) -> int:
    return (await store.holdings(GUILD, ANN)).wallet


# one owner


async def test_second_process_is_refused_while_first_renews(postgres: str, schema: str, tmp_path: Path) -> None:
    first, second = (_store(postgres, schema, tmp_path, lease=0.6) for _ in range(2))
    await first.open()
    with pytest.raises(StoreInUse, match="in use by process"):
        await second.open()
    await _grant(first)
    await first.close()
    await second.open()
    assert await _chips(second) == 500
    await second.close()


async def test_killed_owner_is_followed_when_its_lease_ends(postgres: str, schema: str, tmp_path: Path) -> None:
    killed, follower = (_store(postgres, schema, tmp_path, lease=0.5) for _ in range(2))
    await killed.open()
    await _grant(killed)
    _stand_still(killed)
    await follower.open()
    assert await _chips(follower) == 500
    await follower.close()
    await killed.close()


async def test_former_owner_writes_nothing_and_ends(postgres: str, schema: str, tmp_path: Path) -> None:
    ended = threading.Event()
    former, owner = _store(postgres, schema, tmp_path, lease=3.0, lost=ended.set), _store(postgres, schema, tmp_path)
    await former.open()
    await _grant(former)
    with asking(postgres, schema) as db:
        db.execute("UPDATE owner SET until = '-infinity'")
    await owner.open()
    with pytest.raises(StoreFailed, match="taken the data over"):
        await _grant(former, "late")
    with pytest.raises(StoreFailed):
        await former.keep("late", b"1")
    assert await asyncio.to_thread(ended.wait, 5)
    assert await _chips(owner) == 500
    assert await owner.value("late") is None
    await former.close()
    assert not (await _grant(owner, "second")).repeated, "a former owner that closes takes nothing away"
    await owner.close()


async def test_owner_that_cannot_renew_ends_within_its_lease(postgres: str, schema: str, tmp_path: Path) -> None:
    ended = threading.Event()
    store = _store(postgres, schema, tmp_path, lease=0.5, lost=ended.set)
    await store.open()
    with asking(postgres, schema) as db, db.transaction():
        db.execute("SELECT * FROM owner FOR UPDATE")  # a renewal waits for this for ever
        assert await asyncio.to_thread(ended.wait, 2)
    await store.close()


async def test_renewal_that_comes_late_keeps_nobody_out(postgres: str, schema: str, tmp_path: Path) -> None:
    ended, line = threading.Event(), Line(postgres)
    await line.listen()
    store = _store(line.address, schema, tmp_path, lease=0.5, lost=ended.set)
    await store.open()
    assert isinstance(store.engine, PostgresEngine)
    renewing = store.engine._ownership._threads[0]
    line.hold()
    with asking(postgres, schema) as db:
        (before,) = db.execute("SELECT until FROM owner").fetchone() or (None,)
        assert await asyncio.to_thread(ended.wait, 2)
        line.release()  # its last renewal was on the way, and comes now
        await asyncio.to_thread(renewing.join)
        assert db.execute("SELECT until - %s < interval '0.4 s' FROM owner", (before,)).fetchone() == (True,)
    await store.close()


async def test_owner_renews_during_a_long_change(postgres: str, schema: str, tmp_path: Path) -> None:
    ended = threading.Event()
    store = _store(postgres, schema, tmp_path, lease=0.6, lost=ended.set)
    await store.open()
    await _grant(store)

    def delete_slowly(db: Database) -> None:
        with db.transaction():
            db.execute("DELETE FROM kept WHERE key = 'none'")
            db.execute("SELECT pg_sleep(1.5)").fetchone()

    await store._write_connection.run_in_thread(delete_slowly)
    assert not ended.is_set()
    assert not (await _grant(store, "second")).repeated
    await store.close()


async def test_half_sent_batch_does_not_keep_a_follower_out(postgres: str, schema: str, tmp_path: Path) -> None:
    stopped, follower = _store(postgres, schema, tmp_path, lease=0.5), _store(postgres, schema, tmp_path)
    await stopped.open()
    _stand_still(stopped)
    with asking(postgres, schema, name=writer_name(schema, 1)) as half, half.transaction():
        half.execute("SELECT 1 FROM owner WHERE epoch = 1 FOR KEY SHARE")  # the rest never comes
        await asyncio.wait_for(follower.open(), 5)
        assert not (await _grant(follower)).repeated
        half.close()
    await follower.close()
    await stopped.close()


# an outcome that nobody has heard of


def _lose_next(monkeypatch: pytest.MonkeyPatch, *, after_commit: bool) -> list[bool]:
    """Let the connection be lost with the next commit: before it reaches the server, or before anybody hears of it."""
    send = PostgresDatabase._send_waiting
    lost: list[bool] = []

    def send_and_lose(db: PostgresDatabase, *, commits: bool = False) -> None:
        if not commits or lost:
            send(db, commits=commits)
            return
        if after_commit:
            send(db, commits=True)
        lost.append(True)
        db.close()
        raise ConnectionLost("the server closed the connection unexpectedly")

    monkeypatch.setattr(PostgresDatabase, "_send_waiting", send_and_lose)
    return lost


@pytest.mark.parametrize("after_commit", [False, True], ids=["before the commit", "after the commit"])
async def test_batch_lost_on_the_way_is_saved_once(
    house: Store, monkeypatch: pytest.MonkeyPatch, after_commit: bool
) -> None:
    await _grant(house)
    lost = _lose_next(monkeypatch, after_commit=after_commit)
    receipt = await _grant(house, "second")
    assert lost and not receipt.repeated
    assert await _chips(house) == 1_000
    assert (await _grant(house, "second")).repeated
    assert (await _grant(house, "third")).repeated is False
    assert await _chips(house) == 1_500
    assert not (await house.audit(GUILD)).faults


async def test_refusals_of_a_lost_batch_are_answered_as_decided(house: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(house)
    table = await desk.open(7)
    lost = _lose_next(monkeypatch, after_commit=True)
    desk.seqs[table] = 99
    answers = await asyncio.gather(
        _grant(house), house.commit(desk.acted(table)), house.keep("key", b"1"), return_exceptions=True
    )
    assert lost and isinstance(answers[0], Receipt) and type(answers[1]).__name__ == "StaleVersion"
    assert await house.value("key") == b"1"


async def test_connection_cut_between_batches_is_made_anew(house: Store, postgres: str, schema: str) -> None:
    await _grant(house)
    _cut(postgres, schema, f"cardroom writer {schema} ")
    assert not (await _grant(house, "second")).repeated
    _cut(postgres, schema, "cardroom reader")
    assert await _chips(house) == 1_000


async def test_database_that_restarts_costs_no_commit(postgres: str, tmp_path: Path) -> None:
    with postgres_server() as address:  # one of its own
        store = _store(address, "house", tmp_path)
        await store.open()
        await _grant(store)
        await asyncio.to_thread(restart, address)
        assert not (await _grant(store, "second")).repeated
        assert await _chips(store) == 1_000
        await store.close()


async def test_database_that_was_put_back_is_noticed(house: Store, tmp_path: Path, schema: str) -> None:
    await _grant(house)
    await house.close()
    (tmp_path / f"{schema}.newest").write_text("7")  # six more changes were saved before somebody put a copy back
    await house.open()
    assert house.lost_changes == 6
    assert await house.value(ROLLED_BACK_KEY) is not None


# what is refused


async def test_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    store = _store(f"postgresql://me:hush@/postgres?host={tmp_path}", "house", tmp_path)
    with pytest.raises(StoreFailed, match="CARDROOM_DATABASE cannot be used") as refused:
        await store.open()
    assert "hush" not in str(refused.value)


async def test_old_server_and_wrong_clock_are_refused(
    postgres: str, schema: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connecting, "OLDEST_VERSION", 99)
    with pytest.raises(StoreFailed, match="99 or newer is needed"):
        await _store(postgres, schema, tmp_path).open()
    monkeypatch.undo()
    monkeypatch.setattr(connecting, "CLOCKS_DIFFER_SECONDS", -1.0)
    with pytest.raises(StoreFailed, match="clock of this machine"):
        await _store(postgres, schema, tmp_path).open()


async def test_tables_of_another_version_are_refused(house: Store, postgres: str, schema: str) -> None:
    await house.close()
    with asking(postgres, schema) as db:
        db.execute("INSERT INTO migration VALUES (999, '0999_later.sql', 'x', 0)")
    with pytest.raises(StoreUnusable, match="newer version"):
        await house.open()
    with asking(postgres, schema) as db:
        db.execute("DELETE FROM migration WHERE number = 999")
        db.execute("UPDATE migration SET sha256 = 'x' WHERE number = 1")
    with pytest.raises(StoreUnusable, match="differs from the one"):
        await house.open()


# many rows in few journeys


async def test_an_action_at_one_table_is_one_journey(house: Store) -> None:
    desk = Desk(house)
    table = await desk.open(7)
    await desk.sit(table, ANN, 1_000)
    assert isinstance(house.engine, PostgresEngine)
    before = house.engine.trips
    for _ in range(10):
        await desk.save(desk.acted(table, Called(0, 5), ActionOn(1), transfers=(desk.bet(table, ANN, 5),)))
    assert house.engine.trips - before <= 11


async def test_repeated_request_is_found_without_a_look_before(house: Store) -> None:
    desk = Desk(house)
    table = await desk.open(7)
    act = desk.acted(table, ActionOn(1), key="click")
    first = await desk.save(act)
    refused_as_stale, moves_no_table = await asyncio.gather(house.commit(act), _grant(house))
    assert refused_as_stale == replace(first, repeated=True) and not moves_no_table.repeated
    again = await asyncio.gather(_grant(house), _grant(house, "other"), house.keep("key", b"1"))
    assert [again[0].repeated, again[1].repeated] == [True, False]
    assert await _chips(house) == 1_000 and await house.value("key") == b"1"


async def test_rows_of_one_key_add_up_in_order(house: Store, postgres: str, schema: str) -> None:
    desk = Desk(house)
    table = await desk.open(7)
    acts = [desk.acted(table, ActionOn(1), saved_state=b"%d" % at) for at in range(3)]
    acts = [replace(act, seq=act.seq + at) for at, act in enumerate(acts)]
    flows = [Commit(guild=GUILD, cause=desk.cause("flow"), flows=((ANN, BO, 5), (BO, CY, 1))) for _ in range(3)]
    await asyncio.gather(*[house.commit(one) for one in (*acts, *flows)])
    with asking(postgres, schema) as db:
        assert db.execute("SELECT blob, seq FROM snapshot").fetchall() == [(b"2", 4)]
        rows = db.execute('SELECT "user", other, chips FROM flow ORDER BY 1, 2').fetchall()
    assert rows == [(ANN, BO, 15), (BO, ANN, -15), (BO, CY, 3), (CY, BO, -3)]
