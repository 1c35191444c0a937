"""The checker of files: reads a file of hands from its standard input, plays each by the rules, and writes what to say of it.

    python -m bot.operation.hand_check LANGUAGE

It runs as a process of its own, for one file, with little time and memory, because anything can stand in a file that somebody gives. It
knows no server, no chips and no secret. The bot's side is `bot.surfaces.imports.hand_imports`.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator

import msgspec

from bot.engine.dealing.decks import DECKS
from bot.engine.errors import TableError
from bot.engine.events import HandStarted
from bot.engine.rule_card import RuleCard
from bot.engine.steps import BettingRound, DeclareInSecret, Draw
from bot.history.file_hands import FileHand, UnreadableHand
from bot.history.game_of_record import card_for, differences, replay
from bot.history.lines import HistoryLine, LineKind, history_lines
from bot.history.phh import PhhError
from bot.history.phh_fields import has_own_rules
from bot.history.played_file_hand import NotStepByStep, encode, played_file_hand
from bot.history.read_file import MAX_BYTES, FileFault, FileKind, FileUnreadable, decode_file, file_kind, read_hands
from bot.history.replay import NotAsRecorded, ReplayedHand
from bot.text import escape
from bot.text import hand_files as words
from bot.text.checked_hands import CheckedFile, CheckedHand, ToldPage, compress_pages
from bot.text.formatting import shorten
from bot.text.game_words import street_title
from bot.text.hand_files import Verdict
from bot.text.hand_history import hand_as_text
from bot.text.language import language_for, reading, t
from bot.text.refusals.wording import NO_NAMES, explain
from bot.variants import CATALOGUE

NICENESS = 10
WORK_SECONDS = 6
"""So many processor seconds it works on a file: then it says what it has read until then."""
LIMIT_SECONDS = 8
"""After so many processor seconds the system ends it, whatever it is doing."""
MEMORY_BYTES = 1 << 30
MAX_HANDS = 1_000
PAGE_LENGTH_MAX, TITLE_LENGTH_MAX = 2_800, 80
MAX_PAGES_BYTES = 4_000_000
"""So much is told of all hands of a file together, compressed. Of what comes after that only the verdict is told."""
GAMES_KNOWN = frozenset(card.name for card in CATALOGUE)
_NEW_PAGE = frozenset(
    {LineKind.STREET, LineKind.SHOWDOWN, LineKind.ALL_IN_SHOWDOWN, LineKind.SUMMARY, LineKind.RUN_OUT}
)


def main() -> int:
    """Check one file. Returns the exit code."""
    _bind()
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed by mistake is no answer
    with reading(language_for(sys.argv[1] if len(sys.argv) > 1 else "en")):
        checked = check_file(content, seconds=WORK_SECONDS)
    answers.write(msgspec.msgpack.encode(msgspec.structs.replace(checked, seconds=time.process_time())))
    answers.flush()
    return 0


def _bind() -> None:
    """Take little: memory, processor time, and the processor only when nobody else needs it."""
    for number in (signal.SIGINT, signal.SIGTERM):  # they are meant for the bot, which ends this process itself
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError):  # a sandbox can refuse it
        os.nice(NICENESS)
    for what, limit in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, LIMIT_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (limit, limit))


def check_file(content: bytes, seconds: float) -> CheckedFile:
    """Read a file and check its hands.

    Args:
        seconds: of the processor. Once they are used, the hands that are left are not read.
    """
    until = time.process_time() + seconds
    try:
        text = decode_file(content)
        kind = file_kind(text)
    except TableError as error:
        return CheckedFile(error=explain(error, NO_NAMES))
    hands: list[CheckedHand] = []
    more, stopped, told = 0, False, 0
    for number, hand in enumerate(read_hands(text), start=1):
        if len(hands) == MAX_HANDS or stopped:
            more += 1
            continue
        checked = _check_hand(number, hand, kind)
        told += len(checked.compressed_pages) + len(checked.replay)
        if told > MAX_PAGES_BYTES:
            checked = msgspec.structs.replace(checked, compressed_pages=b"", replay=b"")
        hands.append(checked)
        if time.process_time() > until:
            stopped = True
            break
    if not hands:
        return CheckedFile(error=explain(FileUnreadable(fault=FileFault.NO_HANDS), NO_NAMES))
    return CheckedFile(kind, tuple(hands), more, stopped)


def _check_hand(number: int, hand: FileHand | UnreadableHand, kind: FileKind) -> CheckedHand:
    if isinstance(hand, UnreadableHand):
        fault = words.fault_in_words("", explain(hand.error, NO_NAMES), "", hand.line, 0)
        return CheckedHand(number, hand.line, Verdict.UNREADABLE, fault=fault)
    try:
        return _rule_on(number, hand, kind)
    except Exception:  # whatever a file has found, the next hand is checked all the same
        return CheckedHand(number, hand.line, Verdict.FAULT)


def _rule_on(number: int, hand: FileHand, kind: FileKind) -> CheckedHand:
    record = hand.record
    try:
        name = card_for(record).name
        titles = escape.text(name, 80), escape.plain_name(name, 80)
        played = replay(record, hand.limit)
    except NotAsRecorded as error:
        does = words.action_in_words(record, error.action_number)
        line = hand.line_of(error.action_number) or hand.line
        at = error.action_number if kind is FileKind.PHH and does else 0
        fault = words.fault_in_words(does, explain(error, NO_NAMES), error.law, line, at)
        return CheckedHand(number, hand.line, Verdict.REFUSED, *titles, fault)
    except PhhError as error:
        fault = words.fault_in_words("", explain(error, NO_NAMES), "", hand.line, 0)
        return CheckedHand(number, hand.line, Verdict.UNREADABLE, fault=fault)
    except TableError as error:
        return CheckedHand(number, hand.line, Verdict.REFUSED, fault=explain(error, NO_NAMES))
    found = [words.difference_in_words(*each) for each in differences(record, played)]
    verdict = Verdict.DIFFERS if found else Verdict.PLAYS
    pages = compress_pages(tuple(_pages(number, hand, played)))
    return CheckedHand(number, hand.line, verdict, *titles, " ".join(found), pages, _step_by_step(hand, played))


def _step_by_step(hand: FileHand, played: ReplayedHand) -> bytes:
    """Write a hand down for a replay; nothing where it is too long, or a game of the file's own has words that could be anything."""
    started = played.events[0]
    assert isinstance(started, HandStarted)
    if has_own_rules(hand.record):
        if not all(escape.text(word) == word for word in _words_of(started.rule_card)):
            return b""
        name = started.rule_card.name
        named = msgspec.structs.replace(started.rule_card, name=name if name in GAMES_KNOWN else escape.text(name, 80))
        first = msgspec.structs.replace(started, rule_card=named)
        played = msgspec.structs.replace(played, events=(first, *played.events[1:]))
    try:
        return encode(played_file_hand(played, _names(hand)))
    except NotStepByStep:
        return b""


def _words_of(card: RuleCard) -> Iterator[str]:
    """Yield the words of a game, without its name, that a reader could be shown."""
    yield card.family
    for share in card.shares:
        yield share.name
    for step in card.steps:
        match step:
            case BettingRound(street=street) | Draw(street=street):
                yield street
            case DeclareInSecret(words=declared):
                yield from declared
            case _:
                pass


def _names(hand: FileHand) -> tuple[str, ...]:
    """Return the names of the players as the file has them, cut to what is shown of a name; nothing if it does not name all."""
    named = hand.record.metadata.get("players")
    if not isinstance(named, list | tuple) or len(named) != hand.record.player_count:
        return ()
    return tuple(escape.plain_name(str(each)[:200] or escape.WORD_BREAK) for each in named)


def _pages(number: int, hand: FileHand, played: ReplayedHand) -> Iterator[ToldPage]:
    """Tell a hand street by street, with the cards that the file names and none that were filled in."""
    started = played.events[0]
    assert isinstance(started, HandStarted)
    deck = played.hand.deck[: len(DECKS[started.options.deck])]  # cards that were shuffled in later come behind them
    named = hand.record.metadata.get("players")
    names = [str(each) for each in named] if isinstance(named, list | tuple) else []
    if len(names) != hand.record.player_count:
        names = []
    for lines in _split(history_lines(played.events, deck, played.reader)):
        text = hand_as_text(lines, names, number).rstrip("\n")
        if lines[0].kind in _NEW_PAGE:
            title, _, text = text.partition("\n")
        else:
            title = t(words.THE_DEAL)
        if lines[0].kind is LineKind.STREET:
            title = street_title(lines[0].word)
        told = "\n".join(
            escape.text(line) for line in text.split("\n")
        )  # a game of a file's own can call things anything
        yield ToldPage(escape.text(title.strip("* "), TITLE_LENGTH_MAX), shorten(told, PAGE_LENGTH_MAX))


def _split(lines: Iterable[HistoryLine]) -> Iterator[list[HistoryLine]]:
    page: list[HistoryLine] = []
    for line in lines:
        if line.kind in _NEW_PAGE and page:
            yield page
            page = []
        page.append(line)
    if page:
        yield page


if __name__ == "__main__":
    sys.exit(main())
