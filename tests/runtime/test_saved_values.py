"""A saved value that cannot be read is dropped and stops nothing; one that concerns a person cannot be forgotten."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from bot.runtime import saved_values
from bot.runtime.privacy import Privacy
from bot.runtime.saved_values import AT_A_TABLE, OF_A_SERVER, OF_A_TABLE, OF_THE_BOT, PERSONAL, SavedKind, SavedValues
from bot.runtime.store_errors import StoreFailed
from bot.store.sealed_values import SealedValues
from bot.table.commands import LeaveTable
from tests.runtime.evening import GUILD, Evening
from tests.runtime.test_privacy import CY, ids_as_discord_has_them, played
from tests.store.test_sealed_values import SECRET, Shelf
from tests.support.saved_kinds import every_saved_kind

__all__ = ["ids_as_discord_has_them"]  # a fixture
ROOT = Path(__file__).parents[2]
UNREADABLE = b"\xc1"
"""The one byte that MessagePack never uses, and no UTF-8."""


class Board(Struct, frozen=True):
    channel: int


@pytest.fixture
def own_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare kinds for this test alone."""
    monkeypatch.setattr(saved_values, "_declared", {})


@pytest.fixture
def boards(own_kinds: None) -> SavedKind[int, Board]:
    return SavedKind[int, Board]("board.", OF_A_SERVER, Board)


class FullShelf(Shelf):
    """A store whose disk is full."""

    async def keep(self, key: str, value: bytes | None) -> None:
        raise StoreFailed(reason="the disk is full")


@pytest.mark.usefixtures("own_kinds")
async def test_values_are_stored_as_earlier_versions_stored_them() -> None:
    shelf = Shelf()
    board, word = Board(5), "off"
    await SavedValues(SavedKind[int, Board]("lobby.", OF_A_SERVER, Board), shelf).keep(7, board)
    await SavedValues(SavedKind[int, str]("dm.", PERSONAL, str), shelf).keep(8, word)
    await SavedValues(SavedKind[tuple[int, int], int]("seatping.", AT_A_TABLE, int), shelf).keep((1, 9), 1200)
    await SavedValues(SavedKind[tuple[()], bytes]("discord.commands", OF_THE_BOT, bytes), shelf).keep((), b"\x00\xff")
    assert shelf.kept == {
        "lobby.7": msgspec.msgpack.encode(board),
        "dm.8": b"off",
        "seatping.1.9": b"1200",
        "discord.commands": b"\x00\xff",
    }


@pytest.mark.usefixtures("own_kinds")
async def test_values_come_back_until_forgotten() -> None:
    shelf = Shelf()
    asked = SavedValues(SavedKind[tuple[int, int], int]("seatping.", AT_A_TABLE, int), shelf)
    alive = SavedValues(SavedKind[tuple[()], int]("runtime.alive", OF_THE_BOT, int), shelf)
    await asked.keep((1, 9), 1200)
    await alive.keep((), 5)
    assert await asked.load() == {(1, 9): 1200} and await asked.get((1, 9)) == 1200
    assert await alive.get(()) == 5 and await alive.load() == {(): 5}
    await asked.forget((1, 9))
    assert await asked.get((1, 9)) is None and await asked.load() == {}


@pytest.mark.parametrize(
    ("key", "value"), [("board.7", UNREADABLE), ("board.x", b"\x81\xa7channel\x01"), ("board.1.2", b"")]
)
async def test_unreadable_value_or_key_is_dropped_and_logged_once(
    boards: SavedKind[int, Board], caplog: pytest.LogCaptureFixture, key: str, value: bytes
) -> None:
    shelf = Shelf()
    saved = SavedValues(boards, shelf)
    await saved.keep(8, Board(1))
    shelf.kept[key] = value
    assert await saved.load() == {8: Board(1)} == await saved.load()
    assert shelf.kept.keys() == {"board.8"}
    (line,) = caplog.records
    assert (line.message, vars(line)["kind"], vars(line)["key"]) == ("saved_value_unreadable", "board", key)


async def test_unreadable_value_that_is_asked_for_is_dropped(boards: SavedKind[int, Board]) -> None:
    shelf = Shelf()
    shelf.kept["board.7"] = UNREADABLE
    assert await SavedValues(boards, shelf).get(7) is None
    assert not shelf.kept


async def test_full_disk_keeps_nobody_from_reading_on(
    boards: SavedKind[int, Board], caplog: pytest.LogCaptureFixture
) -> None:
    shelf = FullShelf()
    shelf.kept = {"board.7": UNREADABLE, "board.8": msgspec.msgpack.encode(Board(1))}
    assert await SavedValues(boards, shelf).load() == {8: Board(1)}
    assert [line.message for line in caplog.records] == ["saved_value_unreadable", "saved_value_not_deleted"]


async def test_sealed_value_that_cannot_be_opened_is_logged(
    boards: SavedKind[int, Board], caplog: pytest.LogCaptureFixture
) -> None:
    shelf = Shelf()
    saved = SavedValues(boards, SealedValues(shelf, SECRET))
    await saved.keep(8, Board(1))
    shelf.kept["board.7"] = UNREADABLE
    assert await saved.load() == {8: Board(1)} and await saved.get(8) == Board(1)
    assert shelf.kept.keys() == {"board.8"}
    assert [(line.message, vars(line)["key"]) for line in caplog.records] == [("saved_value_unreadable", "board.7")]


@pytest.mark.usefixtures("own_kinds")
async def test_kind_with_longer_prefix_is_another_kind(caplog: pytest.LogCaptureFixture) -> None:
    shelf = Shelf()
    rooms = SavedValues(SavedKind[int, int]("room.", OF_A_TABLE, int), shelf)
    empty = SavedValues(SavedKind[int, str]("room.empty.", ("thread",), str), shelf)
    await rooms.keep(1, 5)
    await empty.keep(1, "five")
    assert (await rooms.load(), await empty.load()) == ({1: 5}, {1: "five"})
    assert not caplog.records


async def test_long_value_comes_back(boards: SavedKind[int, Board]) -> None:
    texts = SavedValues(SavedKind[int, tuple[str, ...]]("text.", PERSONAL, tuple[str, ...]), Shelf())
    long = ("a word",) * saved_values.LARGE_BYTES
    await texts.keep(1, long)
    assert await texts.get(1) == long


@pytest.mark.parametrize(
    ("prefix", "parts", "holds_people"),
    [
        ("board.", OF_A_SERVER, False),  # declared already
        ("new.", ("person",), False),
        ("new.", ("user", "table"), False),
        ("new.", ("thread", "user"), False),
        ("new.", ("thread",), True),
    ],
)
def test_kind_that_nobody_would_delete_is_refused(
    boards: SavedKind[int, Board], prefix: str, parts: tuple[str, ...], holds_people: bool
) -> None:
    with pytest.raises(ValueError, match=boards.prefix if prefix == boards.prefix else "new"):
        SavedKind[int, int](prefix, parts, int, holds_people=holds_people)


# the whole program


def modules(*words: str) -> Iterator[tuple[Path, ast.Module]]:
    """Return the modules of the program in whose text each of these patterns is; to read all of them takes two seconds."""
    for folder in ("bot", "cogs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if all(re.search(word, text) for word in words):
                yield path, ast.parse(text)


def is_declaration(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
    return isinstance(called, ast.Name) and called.id == "SavedKind"


def test_every_declared_kind_is_found() -> None:
    """Privacy asks for the kinds once, when the bot is put together: what is declared later would not be deleted with a person's data."""
    found = {kind.prefix for kind in every_saved_kind()}
    assert len(found) > 25
    missing: list[str] = []
    for path, module in modules("SavedKind"):
        at_the_top = {id(one.value) for one in module.body if isinstance(one, ast.Assign | ast.AnnAssign)}
        for call in filter(is_declaration, ast.walk(module)):
            where = f"{path.relative_to(ROOT)}:{call.lineno}"  # type: ignore[attr-defined]
            if id(call) not in at_the_top:
                missing.append(f"{where}: declare a kind of saved value by itself at the top of its module")
        declared = [call for call in ast.walk(module) if is_declaration(call)]
        if declared:
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            known = [one for one in vars(importlib.import_module(name)).values() if isinstance(one, SavedKind)]
            missing += [
                f"{name}: nothing that bot.app imports declares {one.prefix!r}, so `/me page:delete` does not know of it"
                for one in known
                if one.prefix not in found
            ]
    assert not missing, "\n".join(missing)


def test_nobody_saves_values_past_their_declarations() -> None:
    """A key that is written by hand is in no declaration, and its value stays when a person's data is deleted."""
    doors = {"bot/runtime/saved_values.py", "bot/store/sealed_values.py", "bot/store/sqlite.py"}
    past: list[str] = []
    for path, module in modules(r"\b_*(store|storage)_*\b", r"\.\s*(keep|values?)\b"):
        where = path.relative_to(ROOT).as_posix()
        for call in ast.walk(module):
            if where in doors or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            of = call.func.value
            owner = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
            if call.func.attr in {"keep", "value", "values"} and owner.strip("_") in {"store", "storage"}:
                past.append(f"{where}:{call.lineno}: declare a SavedKind, and read and write it by SavedValues")
    allowed = [one for one in past if "bot/runtime/tables.py" in one]
    assert len(allowed) <= 2, "ROLLED_BACK_KEY is written by the store when data is put back, and read and deleted"
    assert past == allowed, "\n".join(past)


async def test_every_value_about_a_person_is_deleted_with_their_data(evening: Evening) -> None:
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    ids = {"user": CY, "server": GUILD, "table": evening.table}
    personal = [kind for kind in every_saved_kind() if "user" in kind.parts and not kind.is_of_deletion]
    with_people = [kind for kind in every_saved_kind() if kind.holds_people]
    for kind in personal:
        await evening.store.keep(kind.key(tuple(ids[part] for part in kind.parts)), b"1")
    for kind in with_people:
        await evening.store.keep(kind.key(ids[kind.parts[0]]), msgspec.msgpack.encode([[5, CY]]))
    privacy = Privacy(evening.store, evening.tables, evening.clock, every_saved_kind())
    await privacy.delete(evening.request("Cy"))
    while await evening.store.deletions():
        await evening.wait(1)
    left = await evening.store.values("")
    for kind in personal:
        assert not [key for key in left if key.startswith(kind.prefix)], f"{kind.name} is left of a person"
    for kind in with_people:
        value = left.get(kind.key(ids[kind.parts[0]]), b"")
        assert msgspec.msgpack.encode(CY) not in value, f"{kind.name} still holds the id of a person"


async def test_deletion_goes_on_past_an_unreadable_value(evening: Evening) -> None:
    await played(evening)
    await evening.ask("Cy", LeaveTable)
    await evening.store.keep(f"season.trophy.{GUILD}", msgspec.msgpack.encode(CY) + UNREADABLE)
    await Privacy(evening.store, evening.tables, evening.clock, every_saved_kind()).delete(evening.request("Cy"))
    while await evening.store.deletions():
        await evening.wait(1)
    assert await evening.store.value(f"season.trophy.{GUILD}") is None
