"""`cardroom replay FILE.phh …`: play recorded hands through the engine and compare with what the files state.

The game is the one a file's variant code stands for, the one it names (`_game`), or the one whose whole rule card it brings (`_rule_card`).

One JSON line a file: `file`, `finishing_stacks`, `pots_by_street`, `final_pots`; `mismatch` where the file states something else; or
`error` with `law`, `action` (its number, from 1) and `why`. The exit code is 2 when a file cannot be read as a hand (`field` is the one
at fault), else 1 when any has an error or a mismatch.
"""

import argparse
import logging
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bot.engine import phh
from bot.engine.card import RuleCard
from bot.engine.errors import TableError
from bot.engine.phh_table import CODES, brings_its_own, card_of
from bot.engine.recorded import NotAsRecorded, Played, play
from bot.variants import UnknownGame, game

log = logging.getLogger(__name__)

OTHERWISE, UNREADABLE = 1, 2
BYTES_MOST = 1_000_000
WORDS_MOST = 300
COMPARED = ("finishing_stacks", "pots_by_street", "final_pots")


def run(arguments: list[str]) -> int:
    """Replay the files named and print one line for each. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="cardroom replay", description="Play recorded hands by the law book.")
    parser.add_argument("files", nargs="+", metavar="FILE.phh", help="a hand in PHH, the poker hand history format")
    code = 0
    for name in parser.parse_args(arguments).files:
        line = replay_file(name)
        error = line.get("error")
        unread = isinstance(error, dict) and "field" in error
        code = max(code, UNREADABLE if unread else OTHERWISE if "error" in line or "mismatch" in line else 0)
        sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
    return code


def replay_file(name: str) -> dict[str, object]:
    """Play one file. The answer is what `run` prints for it."""
    try:
        told = _text(Path(name))
    except (OSError, ValueError) as error:  # also a name that no file can have, and bytes that are no text
        return {"file": name, "error": _fault(why=f"cannot be read: {error}") | {"field": ""}}
    try:
        record = phh.parse(told)
        played = replay(record)
    except phh.PhhError as error:
        return {"file": name, "error": _fault(action=error.action, why=_short(error)) | {"field": error.field}}
    except NotAsRecorded as error:
        return {"file": name, "error": _fault(error.law or None, error.action, error.why)}
    except TableError as error:
        return {"file": name, "error": _fault(why=_short(error))}
    line: dict[str, object] = {"file": name} | {field: getattr(played, field) for field in COMPARED}
    mismatch = {field: {"file": stated, "engine": got} for field, stated, got in differences(record, played)}
    return line | ({"mismatch": mismatch} if mismatch else {})


def _text(path: Path) -> str:
    """A file's text, which for a hand is a few thousand letters.

    Raises:
        OSError, ValueError: it is not there, far more than that, or no text.
    """
    with path.open("rb") as file:
        told = file.read(BYTES_MOST + 1)
    if len(told) > BYTES_MOST:
        raise ValueError(f"more than {BYTES_MOST:,} bytes; that is no hand")
    return told.decode("utf-8")


def _short(error: TableError) -> str:
    """What is wrong, on one line that can be read."""
    words = " ".join(str(error).split())
    return words if len(words) <= WORDS_MOST else f"{words[:WORDS_MOST]}…"


def replay(record: phh.RecordedHand) -> Played:
    """Play a recorded hand by the rule card that it stands for.

    Raises:
        PhhError: no game goes by its code or its name, or an extension field cannot be read.
        NotAsRecorded: the record breaks a law.
    """
    card = card_for(record)
    try:
        return play(record, card)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        if not brings_its_own(record):
            raise  # a fault of ours
        log.debug("a card from outside", exc_info=error)
        field = "_rule_card" if "_rule_card" in record.metadata else "_options"
        raise phh.PhhError(why="this hand cannot be dealt to its end by what the file brings", field=field) from error


def card_for(record: phh.RecordedHand) -> RuleCard:
    """The rule card a record brings, or the game that it names or that its variant code stands for.

    Raises:
        PhhError: no game goes by either.
    """
    brought = card_of(record)
    if brought is not None:
        return brought
    named = record.metadata.get("_game")
    key = CODES.get(record.variant) or (named if isinstance(named, str) else record.variant)
    try:
        return game(key)
    except UnknownGame as unknown:
        known = ", ".join(CODES)
        raise phh.PhhError(why=f"{record.variant!r} is not dealt here; known: {known}", field="variant") from unknown


def differences(record: phh.RecordedHand, played: Played) -> Iterable[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Where the file states something and the engine found something else: field, stated, found."""
    for field in COMPARED:
        stated, got = getattr(record, field), getattr(played, field)
        if stated is not None and stated != got:
            yield field, stated, got


def _fault(law: str | None = None, action: int | None = None, why: str = "") -> dict[str, object]:
    return {"law": law, "action": action, "why": why}
