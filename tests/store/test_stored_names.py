"""Stored values are renamed where their type says so, a failure leaves the file alone, and a migrated file is like one of today."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bot.engine.old_cards import CardDecoder, with_cards_upgraded
from bot.house.rules import HouseRules
from bot.runtime.journal import JournalEvent
from bot.runtime.store_errors import StoreUnusable
from bot.settings import DATA_FILE
from bot.store.connection import connect
from bot.store.migrate import Migration, apply_migrations, migrations
from bot.store.stored_names import Renaming, read_renaming
from bot.surfaces.table.saved import SavedMessage
from bot.table.house_games import HouseGame
from bot.table.settings import TableSettings
from bot.table.state import Table

VERSION_0_1_0 = Path(__file__).parents[1] / "data" / "v0_1_0" / "discord" / DATA_FILE
STEPS = migrations()
EVENTS = {
    "table": "event",
    "key": ["table_id", "seq"],
    "column": "blob",
    "form": "msgpack",
    "type": {"each": {"tagged": True}},
}
DROPPED_FIELDS = frozenset({"pictures", "ask_run_twice"})
"""The fields of 0.1.0 that nothing reads any more, or whose words of then mean nothing now."""


def renaming(**structs: dict[str, Any]) -> Renaming:
    return msgspec.convert({"purpose": "a test", "columns": [], "structs": structs}, Renaming)


SHAPES = renaming(
    Hand={"fields": {
        "card": ["rule_card", {"struct": "Card"}],
        "bets": ["bets", {"each": {"struct": "Bet"}}],
        "by_name": ["by_name", {"values": {"struct": "Bet"}}],
        "pair": ["pair", {"parts": [{"struct": "Card"}, {"words": {"drop": "fold"}}]}],
        "does": ["action", {"words": {"drop": "fold"}}],
    }},
    Card={"fields": {"pack": ["deck"]}},
    Bet={"tag": "BetMade", "fields": {"of": ["chips"]}},
)  # fmt: skip


@pytest.mark.parametrize(
    ("stored", "today"),
    [
        ({"card": {"pack": 52}}, {"rule_card": {"deck": 52}}),
        ({"card": None}, {"rule_card": None}),
        ({"bets": [{"type": "Bet", "of": 5}, {"of": 7}]}, {"bets": [{"type": "BetMade", "chips": 5}, {"chips": 7}]}),
        ({"by_name": {"of": {"of": 5}}}, {"by_name": {"of": {"chips": 5}}}),
        ({"pair": [{"pack": 1}, "drop"]}, {"pair": [{"deck": 1}, "fold"]}),
        ({"does": "drop"}, {"action": "fold"}),
        ({"does": "call"}, {"action": "call"}),
        ({"drop": "drop", "unknown": {"pack": 1}}, {"drop": "drop", "unknown": {"pack": 1}}),
    ],
)
def test_names_change_where_the_type_says_so(stored: Any, today: Any) -> None:
    assert SHAPES.renamed(stored, {"struct": "Hand"}) == today


def test_a_tag_says_which_struct_it_is() -> None:
    values = [{"type": "Bet", "of": 5}, {"type": "Unknown", "of": 5}]
    assert SHAPES.renamed(values, {"each": {"tagged": True}}) == [
        {"type": "BetMade", "chips": 5}, {"type": "Unknown", "of": 5},
    ]  # fmt: skip


def test_unknown_struct_stays_as_it_is() -> None:
    assert SHAPES.renamed({"pack": 1}, {"struct": "Nothing"}) == {"pack": 1}


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (5, {"struct": "Card"}),
        (5, {"tagged": True}),
        ({}, {"each": {"struct": "Card"}}),
        ([], {"values": {"struct": "Card"}}),
        ([1], {"parts": [{"struct": "Card"}, {"struct": "Card"}]}),
        (["drop"], {"words": {"drop": "fold"}}),
        ({}, {"list of": {"struct": "Card"}}),
    ],
)
def test_value_of_another_type_is_refused(value: Any, type_: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        SHAPES.renamed(value, type_)


def test_tagged_value_without_tag_is_refused() -> None:
    with pytest.raises(KeyError):
        SHAPES.renamed({"of": 5}, {"tagged": True})


# in a file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / DATA_FILE


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    """A file of today's format with 2,500 events in it."""
    with closing(connect(str(path))) as opened:
        apply_migrations(opened, path, STEPS)
        opened.executescript(
            "BEGIN; INSERT INTO guild VALUES (1, 1, NULL); INSERT INTO cause VALUES (1, 'k', 1, 1, 1, 'x', 1, 0, 1);"
            "INSERT INTO card_table VALUES (1, 1, 1, 7, x'', 'open', 0, NULL, 0);"
        )
        opened.executemany(
            "INSERT INTO event VALUES (1, ?, 1, 1, ?)",
            ((seq, msgspec.msgpack.encode([{"type": "Bet", "of": seq}])) for seq in range(1, 2_501)),
        )
        opened.execute("COMMIT")
        yield opened


def step(*columns: dict[str, Any], **structs: dict[str, Any]) -> Migration:
    """Return a migration that renames."""
    text = msgspec.json.encode({"purpose": "a test", "columns": columns, "structs": structs}).decode()
    return Migration(STEPS[-1].number + 1, f"{STEPS[-1].number + 1:04}_names.json", text)


BET_STEP = step(EVENTS, Bet={"tag": "BetMade", "fields": {"of": ["chips"]}})


def events(db: sqlite3.Connection) -> list[Any]:
    return [
        event for (blob,) in db.execute("SELECT blob FROM event ORDER BY seq") for event in msgspec.msgpack.decode(blob)
    ]


def test_every_row_is_renamed_once(db: sqlite3.Connection, path: Path) -> None:
    swap = step(EVENTS, Bet={"tag": "Call"}, Call={"tag": "Bet"})
    apply_migrations(db, path, (*STEPS, swap))
    assert events(db) == [{"type": "Call", "of": seq} for seq in range(1, 2_501)]


def test_a_pattern_restricts_the_rows(db: sqlite3.Connection, path: Path) -> None:
    values = {"house.games.1": {"of": 1}, "stage.1": {"of": 2}}
    db.executemany(
        "INSERT INTO kept VALUES (?, ?)", [(key, msgspec.msgpack.encode(one)) for key, one in values.items()]
    )
    games = {
        "table": "kept",
        "key": ["key"],
        "column": "value",
        "form": "msgpack",
        "like": "house.games.%",
        "type": {"struct": "Bet"},
    }
    apply_migrations(db, path, (*STEPS, step(games, Bet={"fields": {"of": ["chips"]}})))
    kept = {key: msgspec.msgpack.decode(value) for key, value in db.execute("SELECT key, value FROM kept")}
    assert kept == {"house.games.1": {"chips": 1}, "stage.1": {"of": 2}}


def test_events_cannot_be_changed_afterwards(db: sqlite3.Connection, path: Path) -> None:
    apply_migrations(db, path, (*STEPS, BET_STEP))
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        db.execute("UPDATE event SET blob = x'' WHERE seq = 1")


def test_second_opening_changes_nothing(db: sqlite3.Connection, path: Path) -> None:
    steps = (*STEPS, BET_STEP)
    assert apply_migrations(db, path, steps) == (BET_STEP.name,)
    dump = list(db.iterdump())
    assert apply_migrations(db, path, steps) == ()
    assert list(db.iterdump()) == dump


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda db: db.execute("INSERT INTO event VALUES (1, 2501, 1, 1, x'c1')"), id="no MessagePack"),
        pytest.param(lambda db: db.execute("INSERT INTO event VALUES (1, 2501, 1, 1, x'05')"), id="no list"),
        pytest.param(lambda db: db.execute("INSERT INTO event VALUES (1, 2501, 1, 1, x'9180')"), id="no tag"),
    ],
)
def test_failure_leaves_the_file_as_it_was(
    db: sqlite3.Connection, path: Path, spoil: Callable[[sqlite3.Connection], object]
) -> None:
    spoil(db)
    dump = list(db.iterdump())
    with pytest.raises(StoreUnusable, match="nothing of it was applied"):
        apply_migrations(db, path, (*STEPS, BET_STEP))
    assert list(db.iterdump()) == dump, "names, trigger and list of migrations"
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        db.execute("UPDATE event SET blob = x'' WHERE seq = 1")


# the folder of version 0.1.0


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """Return the data file of version 0.1.0, migrated and not yet played on."""
    path = tmp_path_factory.mktemp("migrated") / DATA_FILE
    shutil.copy(VERSION_0_1_0, path)
    with closing(connect(str(path))) as db:
        assert apply_migrations(db, path, STEPS), "there was something to migrate"
        yield db


STORED_TYPES = {
    "SELECT blob FROM event": tuple[JournalEvent, ...],
    "SELECT blob FROM snapshot": Table,
    "SELECT settings FROM card_table": TableSettings,
    "SELECT rules FROM guild WHERE rules IS NOT NULL": HouseRules,
    "SELECT value FROM kept WHERE key LIKE 'house.games.%'": tuple[HouseGame, ...],
    "SELECT value FROM kept WHERE key LIKE 'stage.%'": SavedMessage,
}


@pytest.mark.parametrize("query", STORED_TYPES)
def test_migrated_values_are_as_today_writes_them(migrated: sqlite3.Connection, query: str) -> None:
    """Every stored field is one of today's under today's name: read and written again, it is the same."""
    form: Any = msgspec.json if "rules" in query else msgspec.msgpack
    blobs = [blob for (blob,) in migrated.execute(query)]
    assert blobs
    for blob in blobs:
        read = form.decode(blob, type=HouseRules) if "rules" in query else CardDecoder(STORED_TYPES[query]).decode(blob)
        stored, today = with_cards_upgraded(without_dropped_fields(form.decode(blob))), form.decode(form.encode(read))
        assert differences(stored, today) == []


UNWRITTEN_OF_CARDS: tuple[Any, ...] = (1, [], 0)
"""One board, no alias, no custom: what a rule card has by default is not written."""


def without_dropped_fields(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: without_dropped_fields(inner) for name, inner in part.items() if name not in DROPPED_FIELDS}
    return [without_dropped_fields(inner) for inner in part] if isinstance(part, list) else part


def differences(stored: Any, today: Any, place: str = "") -> list[str]:
    """Return where stored values are not what today's program writes. It can write more: fields that 0.1.0 did not have."""
    if isinstance(stored, dict) and isinstance(today, dict):
        return [
            line
            for name, value in stored.items()
            if name in today or "law_id" not in stored or value not in UNWRITTEN_OF_CARDS
            for line in (differences(value, today[name], f"{place}.{name}") if name in today else [f"{place}.{name}"])
        ]
    if isinstance(stored, list) and isinstance(today, list) and len(stored) == len(today):
        return [
            line
            for index, (one, other) in enumerate(zip(stored, today, strict=True))
            for line in differences(one, other, f"{place}[{index}]")
        ]
    return [] if stored == today else [f"{place}: {stored!r} is not {today!r}"]


def test_new_names_of_events_are_those_of_today() -> None:
    """A misspelt new name would lose its field's value, and the folder may hold no value of a rare field."""
    today = {event.__struct_config__.tag: set(event.__struct_fields__) for event in get_args(JournalEvent)}
    (names,) = (read_renaming(one.text) for one in STEPS if one.name.endswith(".json"))
    checked = 0
    for old_tag, new in names.structs.items():
        fields = today.get(new.tag or old_tag)
        if fields is not None:
            assert {name for name, *_ in new.fields.values()} <= fields, old_tag
            checked += 1
    assert checked > 60
