"""The buttons that lead to a replay, and what stands in their ids: everything that is needed to draw it again after a restart."""

from __future__ import annotations

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
