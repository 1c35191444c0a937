"""The buttons that lead to a replay, and what stands in their ids: everything that is needed to draw it again after a restart."""

import re
from collections.abc import Sequence

from msgspec import Struct

from bot.render.message.custom_ids import page_id
from bot.render.message.panel import GREY, Button
from bot.text import replay as words
from bot.text.language import t

PAGE = "replay"
"""The name of the page in the ids of its buttons."""


class ReplayPress(Struct, frozen=True, gc=False):
    """What a button of a replay names: a hand by the table's id, a step, and who leads a shared replay; 0 for a private one.

    Of several hands in a row it names the last one, and the number of the first one as `step`.
    """

    table: int
    hand: int
    step: int = 1
    leader: int = 0


def replay_id(verb: str, press: ReplayPress) -> str:
    """Write the id of a button or select of a replay."""
    step = f"{press.step}.{press.leader}" if press.leader else str(press.step)
    return page_id(PAGE, verb, f"{press.table}.{press.hand}", step)


FILE_PAGE = "import"
"""The name of the pages about files of hands that people give."""
FILE_WORD = "file"
"""What stands for such a file where people type the number of a table."""
HANDS_LISTED = 25
"""So many hands of a file are listed at once: a select takes no more options."""


class FileStep(Struct, frozen=True, gc=False):
    """What a button of the replay of a file's hand names: the file by its id, the hand by its number there, and a step."""

    file: int
    hand: int
    step: int = 1


def file_step_id(verb: str, file: int, hand: int, step: int) -> str:
    """Write the id of a button or select of the replay of a file's hand. The verb is that of a replay of ours."""
    return page_id(FILE_PAGE, f"step{verb}", f"{file}.{hand}", step)


def file_hands_id(file: int, hand: int) -> str:
    """Write the id of the button that goes back to the list of a file's hands, where this one stands."""
    return page_id(FILE_PAGE, "list", file, (hand - 1) // HANDS_LISTED * HANDS_LISTED)


def parse_file_step_words(words: Sequence[str]) -> FileStep | None:
    """Read the words of an id; None where `file_step_id` cannot have written them."""
    press = parse_replay_words(words)
    return FileStep(press.table, press.hand, press.step) if press is not None and not press.leader else None


_HAND = re.compile("([1-9][0-9]{0,15})[.]([1-9][0-9]{0,8})", re.ASCII)
_STEP = re.compile("([1-9][0-9]{0,8})(?:[.]([1-9][0-9]{0,18}))?", re.ASCII)


def parse_replay_words(words: Sequence[str]) -> ReplayPress | None:
    """Read the words of an id; None where `replay_id` cannot have written them."""
    if len(words) != 2:
        return None
    hand, step = _HAND.fullmatch(words[0]), _STEP.fullmatch(words[1])
    if hand is None or step is None:
        return None
    return ReplayPress(int(hand[1]), int(hand[2]), int(step[1]), int(step[2] or 0))


def replay_button(table: int, hand: int, step: int = 1) -> Button:
    """Return the button that opens the replay of a hand at a step."""
    return Button(t(words.REPLAY), replay_id("open", ReplayPress(table, hand, step)), GREY)


def hands_button(table: int, first: int, last: int) -> Button:
    """Return the button that lets somebody choose one of several hands in a row."""
    return Button(t(words.REPLAY), replay_id("row", ReplayPress(table, last, first)), GREY)
