"""``cardroom replay FILE.phh …``: play recorded hands through the engine and compare with what the files state.

A file has one hand in PHH, or several: PHHS, or PokerStars' text.

The game is the one that the file's variant code stands for, or the one it names (`_game`), or the one whose whole rule card it holds
(`_rule_card`).

A person at a terminal reads the hand as a story, then whether it ends as the file says. With `--json`, in a pipe or in a file, there
is one JSON line per file: `file`, `finishing_stacks`, `pots_by_street`, `final_pots`; `mismatch` where the file states something else; or
`error` with `law`, `action` (its number, from 1) and `why`. The exit code is 2 when a file cannot be read as a hand (`field` is then the
field at fault), otherwise 1 when any file has an error or a mismatch.
"""

import argparse
import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bot.engine.dealing.decks import DECKS
from bot.engine.errors import TableError
from bot.engine.events import HandStarted
from bot.engine.options.values import Limit
from bot.history import phh
from bot.history.file_hands import FileHand, UnreadableHand
from bot.history.game_of_record import COMPARED_FIELDS, differences, replay
from bot.history.lines import history_lines
from bot.history.read_file import has_several_hands, read_hands
from bot.history.read_pokerstars import PokerStarsError
from bot.history.replay import NotAsRecorded, ReplayedHand
from bot.text import cli as words
from bot.text.formatting import join_list
from bot.text.hand_history import hand_as_text
from bot.text.language import number, t
from bot.text.refusals.wording import law_book_line

EXIT_MISMATCH, EXIT_UNREADABLE = 1, 2
MAX_FILE_BYTES = 1_000_000
MAX_MESSAGE_LENGTH = 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.REPLAY_DESCRIPTION)
    parser.add_argument("--json", action="store_true", help=t(words.JSON_OPTION))
    parser.add_argument("files", nargs="+", metavar="FILE.phh", help=t(words.FILE_ARGUMENT))


def run(options: argparse.Namespace) -> int:
    """Replay the files, and tell each hand or print a line of JSON for it. Returns the exit code."""
    code = 0
    tells = sys.stdout.isatty() and not options.json
    for name in _with_progress(options.files):
        for line, story in replay_file(name):
            error = line.get("error")
            unreadable = isinstance(error, dict) and "field" in error
            if unreadable:
                code = EXIT_UNREADABLE
            elif "error" in line or "mismatch" in line:
                code = max(code, EXIT_MISMATCH)
            written = _told(line, story) if tells else msgspec.json.encode(line).decode()
            sys.stdout.write(written + "\n")
    return code


def _told(line: Mapping[str, Any], story: str) -> str:
    """Return what a person reads of a file: the hand, and whether it ends as the file says; or what is wrong with the file."""
    name = line["file"] if "hand" not in line else f"{line['file']}:{line['line']}"
    if error := line.get("error"):
        action = error["action"]
        sentence = words.REPLAY_FAULT_AT_ACTION if action else words.REPLAY_FAULT
        return t(sentence, file=name, action=action, why=error["why"])
    ends = [t(words.REPLAY_AGREES, file=name)]
    if mismatch := line.get("mismatch"):
        ends = [
            t(words.REPLAY_DIFFERS, field=field, stated=_amounts(found["file"]), got=_amounts(found["engine"]))
            for field, found in mismatch.items()
        ]
    return "\n".join((story.rstrip("\n"), "", *ends, ""))


def _amounts(chips: Sequence[int]) -> str:
    return join_list([number(each) for each in chips])


def _printable(name: str) -> str:
    """Return a name of a file without signs that a terminal would carry out."""
    return "".join(sign for sign in name if sign.isprintable())


def _story(record: phh.RecordedHand, played: ReplayedHand) -> str:
    """Return a hand in words, with the names of the file where it has them."""
    started = played.events[0]
    assert isinstance(started, HandStarted)
    deck = played.hand.deck[: len(DECKS[started.options.deck])]  # cards that were shuffled in later come behind them
    named = record.metadata.get("players")
    names = [_printable(str(each)) for each in named] if isinstance(named, list | tuple) else []
    hand = record.metadata.get("hand")
    hand_number = hand if isinstance(hand, int) else 1
    return hand_as_text(history_lines(played.events, deck, played.reader), names, hand_number)


def _with_progress(files: Sequence[str]) -> Iterable[str]:
    """Show a bar for several files while the lines go to a file or a pipe; in a terminal the lines themselves show the progress."""
    if len(files) == 1 or sys.stdout.isatty() or not sys.stderr.isatty():
        return files
    from rich.console import Console
    from rich.progress import track

    return track(files, t(words.REPLAYING), console=Console(stderr=True), transient=True)


def replay_file(name: str) -> Iterator[tuple[dict[str, object], str]]:
    """Play the hands of one file. Yields for each the fields of its line of JSON, and the hand in words; no words if it cannot be played.

    In a file of several hands each line has the number of the hand, and of the line where it begins or where its fault is.
    """
    try:
        text = _read_text(Path(name))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have, or bytes that are not text
        why = t(words.UNREADABLE_FILE, error=_reason(error))
        yield {"file": name, "error": _error_fields(why=why) | {"field": ""}}, ""
        return
    if not has_several_hands(text):
        yield _replay_hand({"file": name}, lambda: (phh.parse(text), None))
        return
    for at, hand in enumerate(read_hands(text), start=1):
        yield _replay_hand({"file": name, "hand": at, "line": hand.line}, functools.partial(_read, hand))


def _read(hand: FileHand | UnreadableHand) -> tuple[phh.RecordedHand, Limit | None]:
    """Return a hand of a file.

    Raises:
        TableError: it cannot be read.
    """
    if isinstance(hand, UnreadableHand):
        raise hand.error
    return hand.record, hand.limit


def _replay_hand(
    line: dict[str, object], read: Callable[[], tuple[phh.RecordedHand, Limit | None]]
) -> tuple[dict[str, object], str]:
    try:
        record, limit = read()
        played = replay(record, limit)
    except phh.PhhError as error:
        fields = _error_fields(action=error.action_number, why=_one_line(error)) | {"field": error.field}
        return line | {"error": fields}, ""
    except NotAsRecorded as error:
        return line | {"error": _error_fields(error.law or None, error.action_number, _one_line(error))}, ""
    except PokerStarsError as error:
        return line | {"error": _error_fields(why=_one_line(error)) | {"field": ""}}, ""
    except TableError as error:
        return line | {"error": _error_fields(why=_one_line(error))}, ""
    line |= {field: getattr(played, field) for field in COMPARED_FIELDS}
    mismatch = {field: {"file": stated, "engine": got} for field, stated, got in differences(record, played)}
    return line | ({"mismatch": mismatch} if mismatch else {}), _story(record, played)


def _reason(error: OSError | ValueError) -> str:
    """Return why a file cannot be read."""
    match error:
        case FileNotFoundError():
            return t(words.NO_SUCH_FILE)
        case IsADirectoryError():
            return t(words.IS_A_FOLDER)
        case PermissionError():
            return t(words.NO_ACCESS)
        case UnicodeDecodeError():
            return t(words.NOT_TEXT)
        case OSError(strerror=str(reason)):
            return reason
        case _:
            return str(error)


def _read_text(path: Path) -> str:
    """Return the text of a file. That of a hand has a few thousand characters.

    Raises:
        OSError, ValueError: the file is missing, far too long, or not text.
    """
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError(t(words.FILE_TOO_LONG, count=MAX_FILE_BYTES))
    return content.decode("utf-8")


def _one_line(error: TableError) -> str:
    """Return the text of an error on one line of readable length."""
    line = " ".join(law_book_line(error).split())
    return line if len(line) <= MAX_MESSAGE_LENGTH else f"{line[:MAX_MESSAGE_LENGTH]}…"


def _error_fields(law: str | None = None, action: int | None = None, why: str = "") -> dict[str, object]:
    return {"law": law, "action": action, "why": why}
