"""A person's data is deleted whole or not at all, whatever happens meanwhile, and the table plays on."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.ledger.accounts import Book
from bot.runtime import privacy
from bot.runtime.deletions import RETRY_MS
from bot.runtime.errors import ExportedToday
from bot.runtime.privacy import Privacy
from bot.runtime.store_errors import DataBeingDeleted, PersonSeated, StoreFailed
from bot.runtime.store_types import FIRST_FORMER_PLAYER, Forgotten
from bot.store import former_players, person_rows
from bot.store import store as stores
from bot.store.connection import connect
from bot.store.database import DATABASE_FAILED, Database
from bot.store.finished_hands import exchange_hand, journal_rows, read_hand
from bot.store.migrate import apply_migrations, migrations
from bot.store.person_rows import USER_COLUMNS, DeletedPerson, FoundRows, SearchPoint
from bot.store.store import Store
from bot.table.commands import JoinWaitingList, LeaveTable, TakeSeat
from tests.runtime import evening as evenings
from tests.runtime.evening import GUILD, Evening
from tests.support.engines import allow, dump, opened
from tests.support.saved_kinds import every_saved_kind

CY = 1_574_118_484_827_176_960
NO_PERSON = {
    *(
        "id",
        "kept_seq",
        "ends_at",
        "people",
        "listed",
        "epoch",
        "followed",
        "line",
        "below",
        "tie",
        "months",
        "min_hands",
        "span",
        "cap",
        "state",
        "counted",
        "uncounted",
        "season",
        "rank",
        "hands",
        "net",
        "carried",
        "start",
        "reached",
        "guild",
        "tables",
        "number",
        "channel",
        "opened_at",
        "closed_at",
        "at",
        "table_id",
        "occasion",
        "opened_by",  # the number of a cause
        "seq",
        "count",
        "private",
        "last_hand",
        "cause",
        "part",
        "won",
    ),
    *(
        "chips",
        "kind",
        "debit_kind",
        "debit_table",
        "credit_kind",
        "credit_table",
        "wallet",
        "staked",
        "started_at",
        "book",
    ),
    *("granted_at", "day", "streak", "relief_at", "total", "answers", "card", "dictionary", "part_at", "format"),
}
"""Columns that hold no id of a person."""


@pytest.fixture(autouse=True)
def ids_as_discord_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(evenings.USERS, "Cy", CY)


def privacy_of(evening: Evening) -> Privacy:
    return Privacy(evening.store, evening.tables, evening.clock, every_saved_kind())


async def played(evening: Evening) -> None:
    """Cy is dealt into a hand, folds, and leaves while the others play it to its end."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=9_000)
    await evening.store.keep(f"dm.{CY}", b"off")
    await evening.store.keep(f"panel.{evening.table}.{CY}", b"token")
    await fold_around(evening)


async def fold_around(evening: Evening) -> None:
    await evening.deal()
    while evening.snapshot.hand_running:
        due = evening.snapshot.current_turn
        assert due is not None
        name = next(name for name, user in evenings.USERS.items() if user == due.user)
        await evening.acts(f"{name} folds")


async def test_deleting_is_refused_while_seated(evening: Evening) -> None:
    await played(evening)
    with pytest.raises(PersonSeated) as refused:
        await privacy_of(evening).delete(evening.request("Cy"))
    assert refused.value.tables == (1,)
    await evening.ask("Cy", LeaveTable)


async def test_deletion_that_fails_has_not_begun(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    before = dump(evening.path)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(former_players, "_drop_kept_values", fail)
        with pytest.raises(StoreFailed):
            await privacy_of(evening).delete(evening.request("Cy"))
    assert dump(evening.path) == before
    assert evening.snapshot.knows(CY)
    await evening.audit()


async def test_table_plays_on_and_restarts_with_a_former_player(evening: Evening) -> None:
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    held = await evening.bank.holdings(GUILD, CY)
    await evening.deal()
    running = evening.snapshot
    forgotten = await privacy_of(evening).delete(evening.request("Cy"))
    assert forgotten.chips == held.wallet
    assert evening.snapshot.hand_running and evening.snapshot.hand_number == running.hand_number
    assert evening.view("Ann") == running.seen_by(evenings.USERS["Ann"]), "the running hand is the same"
    assert not evening.snapshot.knows(CY) and evening.snapshot.knows(FIRST_FORMER_PLAYER)
    assert not any(update.restored for update in evening.updates)
    await evening.crash()
    await evening.next_player_acts("calls", "checks")
    await evening.audit()
    stored = "\n".join(dump(evening.path))
    assert str(CY) not in stored and msgspec.msgpack.encode(CY).hex().upper() not in stored.upper()
    assert b"Cy".hex().upper() not in "".join(line for line in stored.splitlines() if "DealtIn" in line)


async def test_hand_that_was_put_away_shows_a_former_player(evening: Evening) -> None:
    """Its events lie compressed by then. Others see the same hand as before, but for the name."""
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    for _ in range(2):
        await evening.deal()
        await evening.next_player_acts("folds")
    await evening.store.finish_spare_time_work()
    with opened(evening.path) as db:
        assert db.execute("SELECT count(*) FROM finished_hand").fetchone()[0] > 0
    asked = evening.request("Ann")
    before = await evening.tables.read_hand_record(asked, 1)
    await privacy_of(evening).delete(evening.request("Cy"))
    after = await evening.tables.read_hand_record(asked, 1)
    assert after.lines == before.lines
    assert after.names == tuple(name.replace("Cy", "") for name in before.names) and "Cy" in before.names
    with opened(evening.path) as db:
        causes = [
            cause for row in db.execute("SELECT id FROM finished_hand") for cause in read_hand(db, *row)[1].causes
        ]
        events = b"".join(row.blob for row in journal_rows(db, evening.table, 1, None))
    assert CY not in {cause.who for cause in causes} and FIRST_FORMER_PLAYER in {cause.who for cause in causes}
    assert msgspec.msgpack.encode(CY) not in events
    await evening.audit()


async def test_coming_back_brings_no_second_opening_grant(evening: Evening) -> None:
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    first = await evening.bank.holdings(GUILD, CY)
    await privacy_of(evening).delete(evening.request("Cy"))
    back = await evening.bank.holdings(GUILD, CY)
    assert (back.total, back.claims.granted_at) == (0, first.claims.granted_at)
    await privacy_of(evening).delete(evening.request("Cy"))
    again = await evening.bank.holdings(GUILD, CY)
    assert (again.total, again.claims.granted_at) == (0, first.claims.granted_at)
    assert (await evening.bank.holdings(GUILD, evenings.USERS["Dee"])).total > 0, "who is really new gets it"
    await evening.audit()


async def test_everything_can_be_taken_along_once_a_day(evening: Evening) -> None:
    await played(evening)
    own = privacy_of(evening)
    await evening.deal()
    export = await own.export(evening.request("Cy"))
    assert [hand.record.number for hand in export.hands] == [1], "none that is being played"
    assert export.preferences == {"dm": "off"}
    people = export.history[Book.PEOPLE.name.lower()]
    assert sum(entry.chips for entry in people) == export.holdings["people"].wallet
    with pytest.raises(ExportedToday) as refused:
        await own.export(evening.request("Cy"))
    await evening.wait((refused.value.until - evening.clock.now()) / 1000)
    assert await own.export(evening.request("Cy"))


async def test_hands_to_take_along_are_read_beside_everything_else(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few at a time, newest first; nobody's balance waits behind a thousand hands."""
    store = await put_away(evening)
    monkeypatch.setattr(privacy, "HANDS_AT_ONCE", 2)
    reads = 0
    read_long = store._read_long

    async def counted(guild: int, kind: str, *details: Any, **named: Any) -> Any:
        nonlocal reads
        reads += kind == "hands"
        return await read_long(guild, kind, *details, **named)

    monkeypatch.setattr(store, "_read_long", counted)
    export = await privacy_of(evening).gather(GUILD, evenings.USERS["Ann"])
    assert [hand.record.number for hand in export.hands] == [5, 4, 3, 2, 1] and reads == 3
    fewer = await privacy_of(evening).gather(GUILD, evenings.USERS["Ann"], hands_max=3)
    assert [hand.record.number for hand in fewer.hands] == [5, 4, 3] and fewer.older_hands


def test_each_column_holds_ids_of_people_or_not(tmp_path: Path) -> None:
    """Who adds a column with ids of people names it in `USER_COLUMNS`; `forget_person` then knows of it."""
    db = connect(str(tmp_path / "new.db"))
    apply_migrations(db, tmp_path / "new.db", migrations())
    numbers = {
        column[1]
        for (table,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migration'"
        ).fetchall()
        for column in db.execute(f'PRAGMA table_info("{table}")')
        if column[2] == "INTEGER"
    }
    db.close()
    assert numbers <= NO_PERSON | set(USER_COLUMNS)


async def stored(evening: Evening) -> list[str]:
    """Everything that is kept, but for times that a restart moves on."""
    await evening.tables.wait_until_idle()
    return [line for line in dump(evening.path) if "runtime.alive" not in line and '"migration"' not in line]


async def put_away(evening: Evening) -> Store:
    """Cy has played and left, and their hands lie compressed among others'."""
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    for _ in range(4):
        await evening.deal()
        await evening.next_player_acts("folds")
    await evening.store.finish_spare_time_work()
    return evening.store


async def under_way(evening: Evening, monkeypatch: pytest.MonkeyPatch, steps: int) -> asyncio.Task[Forgotten]:
    """Ask for Cy's deletion, and let it stand still after so many of its steps."""
    store, held, taken = evening.store, asyncio.Event(), 0
    rewrite = store._rewrite_step

    async def step(person: DeletedPerson, point: SearchPoint) -> SearchPoint | None:
        nonlocal taken
        taken += 1
        if taken > steps:
            held.set()
            await asyncio.get_running_loop().create_future()
        return await rewrite(person, point)

    monkeypatch.setattr(store, "_rewrite_step", step)
    asked = asyncio.create_task(privacy_of(evening).delete(evening.request("Cy")))
    await held.wait()
    return asked


async def ended(evening: Evening) -> None:
    """Wait for the deletions that were taken up after a restart."""
    while tasks := tuple(evening.tables._deletions._tasks.values()):
        await asyncio.wait(tasks)


@pytest.mark.parametrize("steps", [0, 1, 3, 6])
async def test_deletion_goes_on_after_the_dealer_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """It has begun, a part is rewritten, and the dealer dies. The outcome is that of a deletion that nothing broke off."""
    monkeypatch.setattr(person_rows, "STEP_HANDS", 2)
    outcomes = []
    for folder in ("whole", "killed"):
        (tmp_path / folder).mkdir()
        evening = await Evening(tmp_path / folder).begin()
        await put_away(evening)
        if folder == "killed":
            asked = await under_way(evening, monkeypatch, steps)
            assert (await evening.store.audit(GUILD)).faults == (), "half-way the books agree"
            asked.cancel()
            await evening.crash()
            await ended(evening)
        else:
            await privacy_of(evening).delete(evening.request("Cy"))
            await evening.crash()
        await evening.audit()
        outcomes.append(await stored(evening))
        assert await evening.store.deletions() == ()
        await evening.end()
    whole, killed = outcomes
    assert killed == whole
    text = "\n".join(whole)
    assert str(CY) not in text and msgspec.msgpack.encode(CY).hex().upper() not in text.upper()


async def test_deletion_goes_on_where_a_hand_is_put_away_meanwhile(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its events have been found, and lie in one compressed row before they are rewritten. That one is searched at the end."""
    for name in ("SPARE_TIME_PAUSE", "SPARE_TIME_OVERDUE"):
        monkeypatch.setattr(stores, name, 3600.0)
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    for _ in range(3):
        await evening.deal()
        await evening.next_player_acts("folds")
    rewrite, put_away = stores.rewrite_rows_of, 0

    def put_away_first(db: Database, cache: Any, codec: Any, person: DeletedPerson, found: FoundRows) -> None:
        nonlocal put_away
        while found.table == "event" and exchange_hand(db, evening.table):
            put_away += 1
        rewrite(db, cache, codec, person, found)

    monkeypatch.setattr(stores, "rewrite_rows_of", put_away_first)
    await privacy_of(evening).delete(evening.request("Cy"))
    assert put_away > 0
    assert await evening.store.deletions() == ()
    text = "\n".join(dump(evening.path))
    assert str(CY) not in text and msgspec.msgpack.encode(CY).hex().upper() not in text.upper()
    with opened(evening.path) as db:
        events = b"".join(row.blob for row in journal_rows(db, evening.table, 1, None))
    assert msgspec.msgpack.encode(CY) not in events and msgspec.msgpack.encode(FIRST_FORMER_PLAYER) in events
    await evening.audit()


async def test_two_people_deleted_at_once_both_go(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both were in the same hands: neither writes back what the other has just taken out."""
    bo = CY + 1
    monkeypatch.setitem(evenings.USERS, "Bo", bo)
    await played(evening)
    for _ in range(3):
        await fold_around(evening)
    for name in ("Cy", "Bo"):
        await evening.ask(name, LeaveTable)
    await evening.store.finish_spare_time_work()
    read, waiting = evening.store._read_long, asyncio.Event()

    async def read_together(*args: Any, **named: Any) -> Any:
        """Both have read before either writes, wherever the store allows that."""
        found = await read(*args, **named)
        if waiting.is_set():
            waiting.clear()
        else:
            waiting.set()
            for _ in range(200):
                await asyncio.sleep(0)
        return found

    monkeypatch.setattr(evening.store, "_read_long", read_together)
    both = privacy_of(evening)
    await asyncio.gather(both.delete(evening.request("Cy")), both.delete(evening.request("Bo")))
    await evening.store.finish_spare_time_work()
    with opened(evening.path) as db:
        events = b"".join(row.blob for row in journal_rows(db, evening.table, 1, None))
    for user in (CY, bo):
        assert msgspec.msgpack.encode(user) not in events
        assert str(user) not in "\n".join(dump(evening.path))
    await evening.audit()


async def test_nobody_plays_while_their_data_is_being_deleted(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others play on, and their hands that end meanwhile are in it."""
    store = await put_away(evening)
    rewrite = store._rewrite_step
    asked = await under_way(evening, monkeypatch, 1)
    for refused in (
        evening.ask("Cy", TakeSeat, 1_000, 3),
        evening.ask("Cy", JoinWaitingList),
        evening.bank.grant(evening.request("Ida", staff=True), CY, 500, "for the evening"),
    ):
        with pytest.raises(DataBeingDeleted):
            await refused
    assert (await evening.bank.holdings(GUILD, CY)).total == 0
    monkeypatch.setattr(former_players, "MAX_LAST_HANDS", 1)
    for _ in range(4):
        await evening.deal()
        await evening.next_player_acts("folds")
    await store.finish_spare_time_work()
    asked.cancel()
    monkeypatch.setattr(store, "_rewrite_step", rewrite)
    for task in tuple(evening.tables._deletions._tasks.values()):
        task.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await privacy_of(evening).delete(evening.request("Cy"))
    text = "\n".join(dump(evening.path))
    assert str(CY) not in text and msgspec.msgpack.encode(CY).hex().upper() not in text.upper()
    assert (await evening.bank.holdings(GUILD, CY)).total == 0
    await evening.audit()


async def test_full_disk_puts_a_deletion_off(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await put_away(evening)

    async def full(*_: object) -> None:
        raise StoreFailed(reason="could not save: disk full")

    with monkeypatch.context() as broken:
        broken.setattr(store, "end_deletion", full)
        with pytest.raises(StoreFailed):
            await privacy_of(evening).delete(evening.request("Cy"))
        assert evening.snapshot.knows(CY) and [one.user for one in await store.deletions()] == [CY]
        await evening.audit()
    await evening.wait(RETRY_MS / 1000)
    await ended(evening)
    assert not evening.snapshot.knows(CY) and await store.deletions() == ()
    await evening.audit()


async def test_deletion_waits_for_what_is_kept_elsewhere(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """What all dealers keep of Cy cannot be reached: the deletion goes on later, also after a restart, and not before."""
    store, answers, forgotten = await put_away(evening), iter([False, False, True]), []

    async def elsewhere(user: int) -> None:
        if not next(answers):
            raise StoreFailed(reason="the database is away")
        forgotten.append(user)

    monkeypatch.setattr(evening, "forget_elsewhere", elsewhere)
    with pytest.raises(StoreFailed):
        await privacy_of(evening).delete(evening.request("Cy"))
    assert [one.user for one in await store.deletions()] == [CY]
    await evening.crash()
    await ended(evening)
    assert evening.snapshot.knows(CY) and forgotten == []
    await evening.wait(RETRY_MS / 1000)
    await ended(evening)
    assert not evening.snapshot.knows(CY) and forgotten == [CY] and await evening.store.deletions() == ()


async def test_a_deletion_lets_nothing_else_change(evening: Evening) -> None:
    await put_away(evening)
    await privacy_of(evening).delete(evening.request("Cy"))
    with opened(evening.path) as db:
        allow(db, "person", "staff log")
        for change in (
            "transfer SET chips = chips + 1, owner = 5",
            "transfer SET note = 'x', owner = 5 WHERE owner > 0",
            "transfer SET note = ''",
            "cause SET what = 'x', who = 5",
            "cause SET key = 'x', who = 5",
            "finished_hand SET blob = substr(blob, 2)",
        ):
            with pytest.raises(DATABASE_FAILED, match="never change"):
                db.execute(f"UPDATE {change}")
