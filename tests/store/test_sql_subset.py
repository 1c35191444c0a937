"""New SQL of the store keeps to what SQLite and PostgreSQL both take.

What another database would not take is found here, with what to write instead. What is noted for now becomes less, never more.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

STORE = Path(__file__).parents[2] / "bot" / "store"
SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|JOIN|AND|PRAGMA|CREATE|ORDER BY|VALUES)\b|= [?:]|^(BEGIN|COMMIT|ROLLBACK)\b"
)
"""What makes a text of the program SQL, or a part of it."""


def matches(pattern: str) -> Callable[[str], int]:
    return lambda text: len(re.findall(pattern, text))


def several(text: str) -> int:
    """Return how often `max` or `min` compares several values, not the rows of a group."""
    count = 0
    for call in re.finditer(r"\b(?:max|min)\(", text):
        depth = 1
        for sign in text[call.end() :]:
            depth += (sign == "(") - (sign == ")")
            if not depth:
                break
            if sign == "," and depth == 1:
                count += 1
                break
    return count


BARRED: dict[str, tuple[Callable[[str], int], str]] = {
    "bare user": (
        matches(r"""(?<!["\w.:${])user(?!["\w])"""),
        'write `"user"`: PostgreSQL answers a bare one with the name of the login',
    ),
    "INSERT OR": (matches(r"\bINSERT OR \w+"), "write `INSERT … ON CONFLICT (key) DO UPDATE SET …`, or `DO NOTHING`"),
    "ON CONFLICT without a key": (
        matches(r"\bON CONFLICT DO UPDATE"),
        "name the key, and the table of what is added to: `ON CONFLICT (id) DO UPDATE SET tables = guild.tables + 1`",
    ),
    "max of several": (several, "write CASE, or compare in Python"),
    "PRAGMA": (matches(r"\bPRAGMA\b|\bpragma_"), "let a method of `bot.store.database.Database` do it"),
    "BEGIN": (
        matches(r"^\s*(BEGIN|COMMIT|ROLLBACK)\b"),
        "use `db.transaction()`, or `db.begin()`, `db.commit()` and `db.rollback()`",
    ),
}
"""What another database would not take: how often a text has it, and what to write instead."""

# Migrations that dealers have applied stay as they are. The statistics are a file of SQLite on either engine, recognised by their schema.
NOTED: dict[tuple[str, str], int] = {
    ("migrations/0001_first.sql", "bare user"): 4,
    ("migrations/0003_player_totals.sql", "bare user"): 8,
    ("migrations/0007_flow.sql", "bare user"): 2,
    ("migrations/0008_deletion.sql", "bare user"): 2,
    ("migrations/0009_seasons.sql", "bare user"): 6,
    ("migrations/0010_private_tables.sql", "bare user"): 2,
    ("migrations/0011_season_resets.sql", "bare user"): 2,
    ("statistics/check.py", "BEGIN"): 1,
    ("statistics/keeper.py", "BEGIN"): 4,
    ("statistics/rebuild.py", "BEGIN"): 2,
    ("statistics/keeper.py", "PRAGMA"): 7,
    ("statistics/rebuild.py", "PRAGMA"): 1,
    ("statistics/schema.sql", "bare user"): 4,
}
"""What stays for now: how often a file has it."""


def texts_of(path: Path) -> Iterator[str]:
    """Return the pieces of SQL in a file. What is filled in when the program runs stands there as `{}`."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".sql":
        yield re.sub(r"--.*", "", source)
        return
    nodes = list(ast.walk(ast.parse(source)))
    joined = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    told = {id(part) for node in joined for part in node.values}
    told |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    texts = [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values) for node in joined
    ]
    texts += [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]
    for text in texts:
        if SQL.search(text):
            yield re.sub(r"--.*", "", text)


def found_in_store() -> Counter[tuple[str, str]]:
    """Return how often each file holds what is barred."""
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted((*STORE.rglob("*.py"), *STORE.rglob("*.sql"))):
        for text in texts_of(path):
            for name, (count, _) in BARRED.items():
                if name not in {"PRAGMA", "BEGIN"} or not speaks_to_one_engine(path):
                    found[path.relative_to(STORE).as_posix(), name] += count(text)
    return +found


def speaks_to_one_engine(path: Path) -> bool:
    """Return whether a file is what makes an engine a `Database`: only there transactions have words."""
    return path == STORE / "connection.py" or path.parent == STORE / "postgres"


def test_new_sql_keeps_to_what_both_databases_take() -> None:
    more = [
        f"bot/store/{file} has {count} × {name}, {NOTED.get((file, name), 0)} are noted: {BARRED[name][1]}"
        for (file, name), count in found_in_store().items()
        if count > NOTED.get((file, name), 0)
    ]
    assert more == []


def test_what_is_noted_is_still_there() -> None:
    found = found_in_store()
    fewer = [
        f"bot/store/{file} has {found[file, name]} × {name}: write that into NOTED, or take the line out for 0"
        for (file, name), count in NOTED.items()
        if found[file, name] < count
    ]
    assert fewer == []


def test_barred_sql_is_found_and_plain_sql_is_not(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        "def read(db, table, more):\n"
        "    'SELECT user FROM a docstring'\n"
        '    db.execute(f"SELECT user, max(chips, 0) FROM {table} WHERE {more}")\n'
        '    db.execute("INSERT OR IGNORE INTO kept VALUES (:user) ON CONFLICT DO UPDATE SET value = 1")\n'
        '    db.execute("PRAGMA synchronous = OFF")\n'
        """    db.execute('SELECT "user", early.user, coalesce(max(chips), 0) FROM balance WHERE "user" = :user')\n"""
        '    db.execute("BEGIN IMMEDIATE")\n'
        '    raise ValueError("the user has no chips")\n',
        encoding="utf-8",
    )
    texts = list(texts_of(file))
    assert {name: sum(map(count, texts)) for name, (count, _) in BARRED.items()} == dict.fromkeys(BARRED, 1)
