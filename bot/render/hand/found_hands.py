"""The list of hands that were found, newest first, and what its buttons carry: the whole question, so that they work after a restart."""

import re
from collections.abc import Sequence

from msgspec import Struct

from bot.render.hand.hand_imports import import_button
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import FINISHED, GREY, Block, Button, Buttons, Option, Panel, Select, SmallText, Text
from bot.text import hand as hand_words
from bot.text import replay as words
from bot.text.language import t
from bot.text.statistics import signed

PAGE = "found"
"""The name of the page in the ids of its buttons."""
LINES = 8
DAYS_MAX = 100_000
"""Days since the epoch that no hand is played after."""


class HandSearch(Struct, frozen=True, gc=False):
    """Which hands are looked for. Empty fields do not narrow it.

    Attributes:
        table: the number of the table in the server.
        user: somebody dealt in.
        game: the token of a game (`game_token` of `bot.render.house.statistics_pages`).
        first_day, end_day: days since the epoch, in UTC; the end is not included.
        before: where the page begins; 0 for the newest hands.
    """

    table: int = 0
    user: int = 0
    game: str = ""
    first_day: int = 0
    end_day: int = 0
    before: int = 0


class FoundHandLine(Struct, frozen=True):
    """One hand of the list.

    Attributes:
        table: the table's id; `table_number`: what people call it.
        at: when it ended, in Unix seconds; 0 leaves it out.
        game: its name and stakes, safe for markdown.
        outcome: who won how much with what.
        net: what the reader won in it, or lost below zero; None if they were not dealt in.
    """

    table: int
    table_number: int
    number: int
    at: int
    game: str
    outcome: str
    net: int | None = None


_WHOSE = re.compile("([0-9]{1,9})[.]([0-9]{1,19})", re.ASCII)
_WHAT = re.compile("([0-9A-Za-z_-]{4}|0)[.]([0-9]{1,6})[.]([0-9]{1,6})", re.ASCII)
_BEFORE = re.compile("[0-9]{1,18}", re.ASCII)
_HAND = re.compile("([1-9][0-9]{0,15})[.]([1-9][0-9]{0,8})", re.ASCII)


def search_id(verb: str, search: HandSearch) -> str:
    """Write the id of a button of the list."""
    what = f"{search.game or 0}.{search.first_day}.{search.end_day}"
    return page_id(PAGE, verb, f"{search.table}.{search.user}", what, search.before)


def parse_search_words(written: Sequence[str]) -> HandSearch | None:
    """Read the words of an id; None where `search_id` cannot have written them."""
    if len(written) != 3:
        return None
    whose, what = _WHOSE.fullmatch(written[0]), _WHAT.fullmatch(written[1])
    if whose is None or what is None or not _BEFORE.fullmatch(written[2]):
        return None
    game = "" if what[1] == "0" else what[1]
    search = HandSearch(int(whose[1]), int(whose[2]), game, int(what[2]), int(what[3]), int(written[2]))
    is_span = search.first_day < search.end_day <= DAYS_MAX or search.first_day == search.end_day == 0
    return search if is_span and search.user < 2**63 else None


def parse_found_hand(value: str) -> tuple[int, int] | None:
    """Read what was chosen in the select: the table's id and the hand's number; None where the list cannot have offered it."""
    found = _HAND.fullmatch(value)
    return (int(found[1]), int(found[2])) if found is not None else None


def found_hands_panel(
    lines: Sequence[FoundHandLine], search: HandSearch, narrowed_to: Sequence[str], older: int
) -> Panel:
    """Draw a page of found hands.

    Args:
        narrowed_to: what was asked for, in words.
        older: `before` of the next page; 0 if this is the last one.
    """
    heading = t(words.FOUND)
    if narrowed_to:
        heading += "\n-# " + " · ".join(narrowed_to)
    nothing = t(words.NO_MORE if search.before else words.FOUND_NOTHING)
    blocks: list[Block] = [Text("\n".join([heading, *map(_line, lines)] if lines else [heading, nothing]))]
    if lines:
        blocks.append(_select(lines))
    row: list[Button] = []
    if search.before:
        row.append(Button(t(words.NEWEST), search_id("newest", _from(search, 0)), GREY))
    if older:
        row.append(Button(t(words.OLDER), search_id("older", _from(search, older)), GREY))
    row.append(import_button())
    blocks.append(Buttons(tuple(row)))
    return Panel(FINISHED, tuple(blocks))


def hands_in_a_row_panel(lines: Sequence[FoundHandLine], first: int, last: int) -> Panel:
    """Draw several hands in a row of one table to choose from: the latest ones, newest first.

    Args:
        first, last: the numbers of all of them.
    """
    heading = t(words.HANDS_IN_A_ROW, first=first, last=last)
    blocks: list[Block] = [Text("\n".join([heading, *map(_line, lines)]))]
    left_out = last - first + 1 - len(lines)
    if left_out > 0:
        blocks.append(SmallText(t(words.EARLIER_HANDS, count=left_out).removeprefix("-# ")))
    if lines:
        blocks.append(_select(lines))
    return Panel(FINISHED, tuple(blocks))


def _from(search: HandSearch, before: int) -> HandSearch:
    return HandSearch(search.table, search.user, search.game, search.first_day, search.end_day, before)


def _line(line: FoundHandLine) -> str:
    table = t(hand_words.TABLE, number=line.table_number)
    when = f"<t:{line.at}:d> <t:{line.at}:t>"  # in one line of a phone in every language; :f writes the month out
    head = t(words.FOUND_LINE, number=line.number, table=table, when=when)
    if line.net is None:
        return head + "\n" + t(words.FOUND_OUTCOME, game=line.game, outcome=line.outcome)
    return head + "\n" + t(words.FOUND_OUTCOME_AND_NET, game=line.game, outcome=line.outcome, net=signed(line.net))


def _select(lines: Sequence[FoundHandLine]) -> Select:
    options = [
        Option(
            t(words.OPTION, number=line.number, table=t(hand_words.TABLE, number=line.table_number)),
            f"{line.table}.{line.number}",
        )
        for line in lines[:OPTIONS_MAX]
    ]
    return Select(page_id(PAGE, "show"), t(words.OPEN_HAND), tuple(options))
