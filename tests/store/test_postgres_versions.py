"""Two versions of the program run with one database: the newer one changes slot by slot, and the older one deals on beside it.

A version that was never released is planted: one more migration, and one more text of the house.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import logging
import os
import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.runtime.store_errors import StoreInUse, StoreUnusable
from bot.store.connection import connect
from bot.store.migrate import Migration, check_format, goes_with, migrations
from tests.store.desk import ANN, CODEC, GUILD, Desk

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.copies import write_file
from bot.store.postgres import fleet
from bot.store.postgres.data import PostgresData
from bot.store.postgres.examine import examine_server
from bot.store.postgres.house import House, house_steps
from bot.store.postgres.slots import SlotTaker, look_at_slots, rows_of
from bot.store.store import Store
from tests.support.postgres_store import asking, drop, postgres_engine

STEPS = migrations()
NOW = STEPS[-1].number
NEXT = Migration(
    NOW + 1,
    f"{NOW + 1:04}_visits_with_{NOW:04}.sql",
    "CREATE TABLE visit (guild INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (guild, at)) WITHOUT ROWID;\n"
    "ALTER TABLE card_table ADD COLUMN visits INTEGER NOT NULL DEFAULT 0;",
)
LATER = Migration(
    NOW + 2,
    f"{NOW + 2:04}_guests_with_{NOW + 1:04}.sql",
    "ALTER TABLE visit ADD COLUMN guests INTEGER NOT NULL DEFAULT 0;",
)
HOUSE = int(house_steps()[-1][0].split("_")[0])
NEXT_OF_HOUSE = (
    f"{HOUSE + 1:04}_mood_with_{HOUSE:04}.sql",
    "ALTER TABLE process ADD COLUMN mood TEXT; CREATE TABLE mood (one INTEGER PRIMARY KEY);",
)
LATER_OF_HOUSE = (f"{HOUSE + 2:04}_moods_with_{HOUSE + 1:04}.sql", "ALTER TABLE mood ADD COLUMN two INTEGER;")


@contextmanager
def version(*more: Migration, house: tuple[tuple[str, str], ...] = ()) -> Iterator[None]:
    """What the block starts is of a version that has more migrations, and more texts of the house."""
    steps, texts = (*STEPS, *more), (*house_steps(), *house)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("store.postgres.engine", "store.migrate", "store.postgres.examine"):
            patch.setattr(f"bot.{module}.migrations", lambda: steps)
        patch.setattr("bot.store.postgres.house.house_steps", lambda: texts)
        yield


@pytest.fixture
async def named(postgres: str, tmp_path: Path) -> AsyncIterator[Callable[[int], str]]:
    """Names the schema of a slot."""
    prefix = f"versions_{zlib.crc32(str(tmp_path).encode())}"
    yield lambda number: f"{prefix}_{number}"
    for name in ("house", 0, 1):
        drop(postgres, f"{prefix}_{name}")


def _taker(address: str, named: Callable[[int], str], count: int = 1) -> SlotTaker:
    return SlotTaker(address, [named(number) for number in range(count)], lease=30.0, lost=lambda: None)


_KEYS = (f"{number}." for number in itertools.count())


async def _played(address: str, schema: str, folder: Path) -> None:
    """Open a slot, grant Ann five hundred chips, and leave it."""
    store = Store(postgres_engine(address, schema, folder, lease=30.0), CODEC)
    await store.open()
    before = (await store.holdings(GUILD, ANN)).wallet
    await Desk(store, prefix=next(_KEYS)).grant(ANN, 500)
    assert (await store.holdings(GUILD, ANN)).wallet == before + 500
    await store.close()


def _made(address: str, schema: str) -> int:
    with asking(address, schema) as db:
        ((number,),) = db.execute("SELECT max(number) FROM migration").fetchall()
        return int(number)


def test_step_says_by_its_name_who_can_go_on() -> None:
    assert goes_with("0017_visits_with_0016.sql") == 16
    assert goes_with("0017_visits.sql") == goes_with("0017_visits.json") == 17
    assert {goes_with(step.name) for step in STEPS} <= {step.number for step in STEPS}


async def test_both_versions_play_on_with_tables_of_the_newer_one(
    postgres: str, named: Callable[[int], str], tmp_path: Path
) -> None:
    schema = named(0)
    await _played(postgres, schema, tmp_path)
    with version(NEXT):
        assert examine_server(postgres, schema).is_older
        await _played(postgres, schema, tmp_path)
    assert _made(postgres, schema) == NOW + 1
    assert not list(tmp_path.glob("*.before-*")), "the way back is the version before: nobody waits for a copy"
    found = examine_server(postgres, schema)
    assert (found.format, found.problem, found.is_newer, found.is_older) == (NOW + 1, "", True, False)
    await _played(postgres, schema, tmp_path)
    with version(NEXT, LATER):
        await _played(postgres, schema, tmp_path)
    with pytest.raises(StoreUnusable, match=rf"written by a newer version \({LATER.name}\); update the program"):
        await _played(postgres, schema, tmp_path)
    with version(NEXT):
        await _played(postgres, schema, tmp_path)


async def test_copy_of_newer_tables_holds_what_is_known(
    postgres: str, named: Callable[[int], str], tmp_path: Path
) -> None:
    with version(NEXT):
        await _played(postgres, named(0), tmp_path)
    to = tmp_path / "copy.db"
    write_file(PostgresData(postgres, named(0)), to)
    with contextlib.closing(connect(str(to))) as db:
        assert check_format(db, to, STEPS) == NOW
        assert db.execute("SELECT sum(chips) FROM transfer").fetchone() == (500,)


async def test_older_standby_leaves_a_newer_slot_alone(
    postgres: str, named: Callable[[int], str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with version(NEXT, LATER):
        await _played(postgres, named(0), tmp_path)
    with pytest.raises(StoreUnusable, match=r"slot 0 .* a newer version"):
        _taker(postgres, named).take()
    assert _taker(postgres, named).free_slots() == 0
    other = _taker(postgres, named, 2).take()
    assert other is not None and other[0] == 1
    caplog.clear()
    standby = _taker(postgres, named, 2)
    standby.watch(0)
    with caplog.at_level(logging.WARNING):
        waiting = asyncio.create_task(asyncio.to_thread(standby.take, waits=True))
        await asyncio.sleep(0.4)
        assert not waiting.done()
        other[1].give_up()
        taken = await asyncio.wait_for(waiting, 5)
    assert taken is not None and taken[0] == 1
    taken[1].give_up()
    assert [record.message for record in caplog.records].count("slot_left_to_newer_version") == 1
    with asking(postgres, "public") as db:
        (state, _) = look_at_slots(partial(rows_of, db), [named(0), named(1)])
    assert (state.format, state.needs, state.epoch) == (NOW + 2, NOW + 1, 1)


async def test_older_standby_lets_a_newer_one_go_first(
    postgres: str, named: Callable[[int], str], tmp_path: Path
) -> None:
    """It hears the events of the slot and would take it at once; nobody else comes, so it deals there after all."""
    with version(NEXT):
        await _played(postgres, named(0), tmp_path)
    standby = _taker(postgres, named)
    standby.watch(0)
    with asking(postgres, named(0)) as db:
        db.execute("UPDATE owner SET until = clock_timestamp()")
    waiting = asyncio.create_task(asyncio.to_thread(standby.take, waits=True))
    await asyncio.sleep(0.4)
    assert not waiting.done()
    taken = await asyncio.wait_for(waiting, 5)
    assert taken is not None
    taken[1].give_up()


async def test_house_is_used_by_both_versions(postgres: str, named: Callable[[int], str]) -> None:
    schema = named(0).replace("_0", "_house")
    old, new = House(postgres, schema), House(postgres, schema)
    await old.open()
    await _say(old, "old")
    with version(house=(NEXT_OF_HOUSE,)):
        await new.open()
        await _say(new, "new")
    await _say(old, "old")
    late = House(postgres, schema)
    await late.open()
    known = {one.name: one.knows_house for one in (await late.run_in_thread(_read)).processes}
    assert known == {"old": HOUSE, "new": HOUSE + 1}
    assert await old.facts() == await new.facts()
    for house in (old, new, late):
        await house.close()


async def test_versions_further_apart_are_refused(postgres: str, named: Callable[[int], str]) -> None:
    """First the newer one, since a dealer of the version before the last still runs; then the older one, as the newer has come."""
    schema = named(0).replace("_0", "_house")
    old, new = House(postgres, schema), House(postgres, schema)
    await old.open()
    await _say(old, "process 7 of a machine")
    with version(house=(NEXT_OF_HOUSE, LATER_OF_HOUSE)):
        with pytest.raises(StoreInUse, match=r"process 7 of a machine \(version 0.*\) runs .* Nothing has changed"):
            await new.open()
        await old.run_in_thread(lambda db: fleet.say_farewell("process 7 of a machine", db))
        await new.open()
    with pytest.raises(StoreUnusable, match=rf"newer version .*{LATER_OF_HOUSE[0]}"):
        await House(postgres, schema).open()
    for house in (old, new):
        await house.close()


def test_texts_of_the_house_only_add() -> None:
    """A dealer of the version before runs on beside each of them."""
    allowed = re.compile(
        r"CREATE (UNLOGGED )?TABLE |CREATE INDEX |INSERT INTO |ALTER TABLE \w+ ADD COLUMN \w+ \w+( NOT NULL DEFAULT \S+)?$"
    )
    for name, text in house_steps():
        statements = re.sub(r"--.*", "", text).split(";")
        assert all(allowed.match(" ".join(one.split())) for one in statements if one.strip()), name
        assert goes_with(name) < int(name.split("_")[0]) or name < "0015", f"{name} does not say who can go on with it"


async def _say(house: House, name: str) -> None:
    from bot.store.postgres.house import newest_house_step

    me = fleet.ProcessState(name, "0.9.0", knows=NOW, knows_house=newest_house_step())
    await house.run_in_thread(lambda db: fleet.say(me, db))


def _read(db: object) -> fleet.Fleet:
    return fleet.read_fleet((), db)  # type: ignore[arg-type]
