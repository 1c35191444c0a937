"""Packages import only what they are allowed to: every import of the program is checked.

Source: .github/ARCHITECTURE.md, "The packages".
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = tuple(sorted(path for room in ("bot", "cogs") for path in (ROOT / room).rglob("*.py")))

PURE = (
    "bot.engine",
    "bot.history",
    "bot.variants",
    "bot.laws",
    "bot.table",
    "bot.events",
    "bot.house",
    "bot.ledger",
    "bot.fair",
    "bot.statistics",
)
"""Packages that take and return values. They know nothing outside but the standard library and msgspec."""

DOORS = {
    "bot.engine": (),
    "bot.history": ("bot.engine", "bot.variants"),
    "bot.variants": ("bot.engine",),
    "bot.laws": ("bot.engine.errors",),
    "bot.table": ("bot.engine",),
    "bot.events": ("bot.engine", "bot.table"),
    "bot.house": ("bot.engine.errors", "bot.engine.stakes"),
    "bot.ledger": ("bot.engine.errors", "bot.engine.stakes", "bot.house"),
    "bot.fair": (),
    "bot.statistics": ("bot.engine", "bot.table"),
    "bot.runtime": (
        "bot.allowances", "bot.background_tasks", "bot.child_process", "bot.measures", "bot.signals",
        "bot.engine", "bot.events", "bot.history", "bot.table", "bot.house", "bot.ledger", "bot.fair", "bot.statistics",
        "bot.store.store", "bot.store.statistics.statistics",  # their classes alone: they are asked by methods
    ),
    "bot.store": ("bot.allowances", "bot.engine.old_cards", "bot.measures", "bot.signals", "bot.statistics",
                  "bot.runtime.store_errors", "bot.runtime.store_types",
                  "bot.runtime.staff_log_types", "bot.runtime.saved_values", "bot.runtime.passed_clicks", "bot.runtime.taken",
                  "bot.runtime.awaited",
                  "bot.house", "bot.ledger", "bot.version"),
    "bot.text": (
        # what it has words for: values, views, refusals, laws; and nothing that could see a hidden card
        *(f"bot.engine.{values}" for values in ("cards", "customs", "errors", "events", "legal", "mixes", "options", "ranking")),
        *(f"bot.engine.{values}" for values in ("refusals", "rule_card", "stakes", "steps", "view.types", "choices.designations")),
        "bot.engine.showdown.ranking_in_force",
        "bot.events", "bot.history", "bot.table", "bot.house", "bot.ledger", "bot.laws", "bot.variants", "bot.runtime.errors",
        "bot.runtime.store_errors",
        "bot.runtime.store_types", "bot.runtime.staff_log_types", "bot.statistics.types",
        "bot.statistics.seasons", "bot.statistics.achievements",
    ),
    "bot.render": (
        # what a view holds, what works on views alone
        *(f"bot.engine.{values}" for values in ("betting.pots", "cards", "choices.designations", "customs", "errors")),
        *(f"bot.engine.{values}" for values in ("events", "legal", "mixes")),
        *(f"bot.engine.{values}" for values in ("options", "ranking", "refusals", "rule_card", "stakes", "units", "view.types")),
        "bot.engine.showdown.examples_in_force",
        "bot.events",
        "bot.history.steps",  # what a step of a replay is
        "bot.table.refusals", "bot.table.events", "bot.table.house_games", "bot.table.preselection.types", "bot.table.settings",
        "bot.table.ended_game", "bot.table.state", "bot.table.view", "bot.table.way_on",
        "bot.laws", "bot.house", "bot.ledger", "bot.pictures.names", "bot.pictures.types", "bot.text", "bot.variants",
        "bot.runtime.errors", "bot.runtime.store_types", "bot.runtime.staff_log_types", "bot.statistics.types",
        "bot.statistics.seasons",
    ),
    "bot.line": (
        "bot.background_tasks", "bot.measures", "bot.signals", "bot.runtime.clock", "bot.runtime.errors", "bot.runtime.request",
        "bot.runtime.saved_values", "bot.runtime.snapshot", "bot.runtime.store_errors", "bot.text.language",
    ),
    "bot.pictures": ("bot.allowances", "bot.child_process", "bot.engine.cards", "bot.measures", "bot.table.picture_colours"),
    "bot.players": ("bot.engine",),
    "bot.local": (),
    "bot.operation": (
        # it starts, examines and looks after all the others: only what is of them or above them stays shut
        "bot.dealer", "bot.foundation", "bot.backups", "bot.log", "bot.measures", "bot.settings", "bot.stopping", "bot.line",
        "bot.engine", "bot.fair", "bot.history", "bot.house", "bot.ledger", "bot.pictures", "bot.players", "bot.render", "bot.runtime",
        "bot.store", "bot.text", "bot.variants", "bot.version",
    ),
    "bot.cli": ("bot.engine", "bot.history", "bot.text", "bot.variants", "bot.operation", "bot.version"),
    "bot.surfaces": (
        "bot.allowances", "bot.background_tasks", "bot.child_process",
        "bot.line", "bot.measures", "bot.signals", "bot.engine", "bot.events", "bot.table",
        "bot.house", "bot.ledger", "bot.variants", "bot.pictures", "bot.runtime", "bot.render",
        "bot.statistics", "bot.store.statistics.statistics",  # the class alone
        "bot.text",
    ),
    "cogs": (
        "bot.allowances", "bot.background_tasks", "bot.child_process",
        "bot.surfaces", "bot.line", "bot.measures", "bot.engine", "bot.events", "bot.table",
        "bot.house", "bot.ledger", "bot.laws", "bot.variants", "bot.pictures", "bot.runtime", "bot.render",
        "bot.statistics", "bot.store.statistics.statistics",  # the class alone
        "bot.text",
    ),
}  # fmt: skip
"""The packages that each package can import beside itself. Files of ``bot/`` itself start the program and can import everything."""

PLAYERS_SEE = (
    "bot.engine.hand",
    "bot.engine.decide",
    "bot.engine.evolve",
    "bot.engine.dealing.dealer",
    "bot.engine.view.build",
)
"""The modules that a practice player can import: it sees its own view, never a hand."""

KNOW_DISCORD = ("bot.__main__", "bot.operation.runner", "bot.operation.doctor")
"""Files of ``bot/`` that can import discord.py: they start it, stop it and check it. The cogs are made of it."""

MAKE_DISCORDS_FAILURES = ("bot.line", "bot.__main__", "bot.operation", "bot.local")
"""Who can name what discord.py and aiohttp raise: the line, which makes a `DiscordFailed` of it, and what talks to Discord before
there is a dealer. The local cardroom is no part of the dealer."""

DISCORD_RAISES = frozenset(
    {"HTTPException", "NotFound", "Forbidden", "DiscordServerError", "RateLimited", "DiscordException"}
)

NIGHT_DATES = "bot.events.nights.schedule"
"""The module that reads rules of recurrence (RFC 5545)."""

CHANCE_AND_TIME = frozenset({"random", "secrets", "time", "asyncio", "uuid", "threading", "socket"})
"""Names that a pure package cannot use: deck order, seats and time come to it as arguments."""


def module_of(path: Path) -> str:
    """Return the module of a file: ``bot/engine/hand.py`` is ``bot.engine.hand``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """Return the package of a module, or its own name for the files of ``bot/`` itself."""
    return next((room for room in DOORS if module == room or module.startswith(f"{room}.")), module)


MODULES = {module_of(path): path for path in FILES}


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))


@cache
def imports_of(module: str) -> tuple[tuple[str, int], ...]:
    """Return all that a module imports, with the line; ``from bot.engine import cards`` imports ``bot.engine.cards``."""
    return tuple(_imports(module))


def _imports(module: str) -> Iterator[tuple[str, int]]:
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in nodes_of(path):
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield name.name, node.lineno
            case ast.ImportFrom(module=source, names=names, level=level):
                base = ".".join(package.split(".")[: len(package.split(".")) - level + 1]) if level else ""
                whole = ".".join(part for part in (base, source) if part)
                for name in names:
                    yield f"{whole}.{name.name}", node.lineno


def within(imported: str, doors: tuple[str, ...]) -> bool:
    return any(imported == door or imported.startswith(f"{door}.") for door in doors)


def outsider(imported: str) -> str:
    """Return the outside library of an import; "" for our own code and the standard library."""
    top = imported.partition(".")[0]
    return "" if top in {"bot", "cogs"} or top in sys.stdlib_module_names else top


@pytest.mark.parametrize("room", DOORS)
def test_room_imports_only_what_it_is_allowed_to(room: str) -> None:
    wrong = [
        f"{module}:{line} imports {imported}"
        for module in MODULES
        if room_of(module) == room
        for imported, line in imports_of(module)
        if imported.partition(".")[0] in {"bot", "cogs"} and not within(imported, (room, *DOORS[room]))
    ]
    assert wrong == []


def test_every_room_is_known() -> None:
    """A new package must list its imports here. Files beside the packages are few."""
    folders = {f"bot.{path.name}" for path in (ROOT / "bot").iterdir() if (path / "__init__.py").exists()}
    assert folders <= set(DOORS)


@pytest.mark.parametrize("room", PURE)
def test_pure_room_imports_only_standard_library_and_msgspec(room: str) -> None:
    """And nights a library of recurrence, which takes and returns values too."""
    wrong = [
        f"{module}:{line} imports {imported}"
        for module in MODULES
        if room_of(module) == room
        for imported, line in imports_of(module)
        if outsider(imported) not in {"", "msgspec", *(("dateutil",) if module == NIGHT_DATES else ())}
    ]
    assert wrong == []


@pytest.mark.parametrize("room", PURE)
def test_pure_room_uses_neither_randomness_nor_clock(room: str) -> None:
    """Secrets are made where decks come from, and nowhere else."""
    barred = CHANCE_AND_TIME - {"secrets"} if room == "bot.fair" else CHANCE_AND_TIME
    wrong = [
        f"{module}:{line} imports {imported}"
        for module in MODULES
        if room_of(module) == room
        for imported, line in imports_of(module)
        if imported.partition(".")[0] in barred
    ]
    wrong += [
        f"{module}:{node.lineno} asks the time"
        for module, path in MODULES.items()
        if room_of(module) == room
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today"}
        if isinstance(node.value, ast.Name | ast.Attribute) and ast.unparse(node.value).endswith(("datetime", "date"))
    ]
    assert wrong == []


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_waits_for_nothing(room: str) -> None:
    wrong = [
        f"{module}:{node.lineno}"
        for module, path in MODULES.items()
        if room_of(module) == room
        for node in nodes_of(path)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    ]
    assert wrong == []


def imported_modules(module: str) -> set[str]:
    """Return the files of the program that a file imports, also for type checking only."""
    found = set()
    for imported, _ in imports_of(module):
        name = imported
        while name and name not in MODULES:
            name = name.rpartition(".")[0]
        found.add(name)
    return found - {"", module}


def in_circles(imports: Mapping[str, set[str]]) -> list[str]:
    """Return the files that import one another in a circle, and those between two circles."""
    left = dict(imports)
    while outside := {one for one in left if not left[one] & left.keys()} | left.keys() - set().union(*left.values()):
        left = {one: imported for one, imported in left.items() if one not in outside}
    return sorted(left)


def test_no_files_import_one_another_in_a_circle() -> None:
    """What two files need of each other belongs to a third. `cogs` still has a circle of its own."""
    in_bot = {module: imported_modules(module) for module in MODULES if not module.startswith("cogs")}
    assert in_circles(in_bot) == []


def test_only_start_up_line_and_cogs_import_discord() -> None:
    wrong = [
        f"{module}:{line}"
        for module in MODULES
        if module not in KNOW_DISCORD and room_of(module) not in {"bot.line", "bot.surfaces", "cogs"}
        for imported, line in imports_of(module)
        if imported.partition(".")[0] == "discord"
    ]
    assert wrong == []


def test_nobody_above_the_line_names_a_librarys_failure() -> None:
    """There they are `bot.line.failures.DiscordFailed`, caught by what to do about them."""
    wrong = [
        f"{module}:{line} names {name}"
        for module in MODULES
        if not within(module, MAKE_DISCORDS_FAILURES)
        for name, line in library_failures_of(module)
    ]
    assert wrong == []


def library_failures_of(module: str) -> Iterator[tuple[str, int]]:
    """Return the failures of discord.py and aiohttp that a module names, with the line."""
    for imported, line in imports_of(module):
        if imported.startswith(("discord.", "aiohttp.")) and _is_failure(imported):
            yield imported, line
    for node in nodes_of(MODULES[module]):
        if isinstance(node, ast.Attribute) and _is_failure(name := ast.unparse(node)):
            yield name, node.lineno


def _is_failure(name: str) -> bool:
    library, _, raised = name.partition(".")
    raised = raised.rpartition(".")[2]
    return (library == "discord" and raised in DISCORD_RAISES) or (library == "aiohttp" and raised.endswith("Error"))


def test_only_the_store_knows_sql() -> None:
    """The stand-in keeps its own data, because it imports nothing of the dealer."""
    wrong = [
        f"{module}:{line}"
        for module in MODULES
        if room_of(module) not in {"bot.store", "bot.local"}
        for imported, line in imports_of(module)
        if imported.partition(".")[0] in {"sqlite3", "aiosqlite"}
    ]
    assert wrong == []


def test_practice_players_import_only_their_own_view() -> None:
    wrong = [
        f"{module}:{line} imports {imported}"
        for module in MODULES
        if room_of(module) == "bot.players"
        for imported, line in imports_of(module)
        if within(imported, PLAYERS_SEE)
    ]
    assert wrong == []


def test_no_code_branches_on_the_name_of_a_game() -> None:
    """A game's rule card says what it does differently. A comparison with its name means that a field is missing."""
    wrong = [
        f"{module}:{node.lineno} {ast.unparse(node)}"
        for module, path in MODULES.items()
        if room_of(module) != "bot.variants"
        for node in nodes_of(path)
        if isinstance(node, ast.Compare) and _names_a_game(node)
    ]
    wrong += [
        f"{module}:{node.lineno} match {ast.unparse(node.subject)}"
        for module, path in MODULES.items()
        if room_of(module) != "bot.variants"
        for node in nodes_of(path)
        if isinstance(node, ast.Match) and _is_name_of_a_game(node.subject)
    ]
    wrong += [
        f"{module}:{node.lineno} {ast.unparse(node)}"
        for module, path in MODULES.items()
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and _asks_how_a_game_is_called(node)
    ]
    assert wrong == []


def _asks_how_a_game_is_called(node: ast.Call) -> bool:
    """Return whether a call asks for a game's name: ``card.key.startswith("short_deck")``."""
    asks = isinstance(node.func, ast.Attribute) and node.func.attr in {"startswith", "endswith", "find", "count"}
    return asks and isinstance(node.func, ast.Attribute) and _is_name_of_a_game(node.func.value)


def _names_a_game(node: ast.Compare) -> bool:
    """Return whether a comparison names a game: ``card.key == "holdem"``. Two cards can be compared with one another."""
    sides = (node.left, *node.comparators)
    return any(map(_is_name_of_a_game, sides)) and any(map(_is_written_out, sides))


def _is_name_of_a_game(node: ast.expr) -> bool:
    if not (isinstance(node, ast.Attribute) and node.attr in {"key", "name", "law_id", "family", "aliases"}):
        return False
    of = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return of in {"card", "game", "variant"} or of.endswith("_card")


def _is_written_out(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_is_written_out, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_architecture_tests_detect_violations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A wrong import is found however it is written."""
    path = tmp_path / "wrong.py"
    path.write_text(
        "import random\n"
        "from bot import store\n"
        "from ..runtime import session\n"
        "from . import hand\n"
        "def late() -> None:\n    import discord.ext.commands\n"
        "WRONG = card.key == 'holdem' or settings.card.family in ('stud', 'draw')\n"
        "try: ...\nexcept (discord.errors.NotFound, aiohttp.ClientError): ...\n"
        "from discord import Forbidden\n",
        encoding="utf-8",
    )
    monkeypatch.setitem(MODULES, "bot.engine.wrong", path)
    assert [imported for imported, _ in imports_of("bot.engine.wrong")] == [
        "random", "bot.store", "bot.runtime.session", "bot.engine.hand", "discord.Forbidden",
        "discord.ext.commands",
    ]  # fmt: skip
    assert [name for name, _ in library_failures_of("bot.engine.wrong")] == [
        "discord.Forbidden", "discord.errors.NotFound", "aiohttp.ClientError",
    ]  # fmt: skip
    assert imported_modules("bot.engine.wrong") == {"bot.store", "bot.runtime.session", "bot.engine.hand"}
    assert in_circles({"a": {"b"}, "b": {"c", "x"}, "c": {"a"}, "x": set(), "y": {"a"}}) == ["a", "b", "c"]
    compared = [node for node in nodes_of(path) if isinstance(node, ast.Compare)]
    assert [_names_a_game(node) for node in compared] == [True, True]
