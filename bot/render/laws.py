"""The pages of `/laws`: the set in force at a table, one law by its id, what a search found (laws H-2)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.card import RuleCard
from bot.engine.options import Options
from bot.engine.register import compare, find
from bot.laws import Law
from bot.render import escape
from bot.render.ids import page
from bot.render.limits import OPTION_TEXT_MAX, OPTIONS_MAX, TEXT_MAX, cut
from bot.render.lobby import clocks, stakes_short
from bot.render.panel import FINISHED, GREY, LOBBY, Block, Button, Buttons, Option, Panel, Select, Text
from bot.render.words_house import plain_word
from bot.table.settings import TableSettings
from bot.variants.finding import UnknownGame, base_game
from bot.variants.tailoring import taste_of

_ROOM = TEXT_MAX - 400
_PARTS = {
    "A": "the founding texts",
    "B": "the games of the founding texts",
    "C": "modern games",
    "D": "table law",
}
_KINDS = {
    "P": "players",
    "H": "the host",
    "E": "the dealer",
    "adv": "advice",
    "sheet": "game sheet",
    "test": "acceptance test",
}


def law_set_panel(settings: TableSettings, *, table: bool = True) -> Panel:
    """Print the laws in force at a table, in plain words, and where they differ from the game's own; only what the game honours is told.

    `table` False: of a game as it would be dealt, with nobody at it.
    """
    card, options = settings.card, settings.options
    title = "Laws at this table" if table else f"Laws of {card.name}"
    lines = [f"### {title}\n**{card.name}** {stakes_short(settings)} · sheet {card.sheet}"]
    if table:
        lines.append("-# " + " · ".join(clocks(settings)))
    groups: dict[str, list[str]] = {}
    for _, entry, value in taste_of(card, options):
        known = next((choice.meaning for choice in entry.choices if choice.value == value), "")
        said = (
            f"At most {options.max_seats} seats."
            if entry.field == "max_seats"
            else known or find(entry.name).meaning(value)
        )
        groups.setdefault(entry.group, []).append(said)
    lines += [f"**{group}:** {' '.join(said)}" for group, said in groups.items()]
    differences = compare(options, _sheets_own(card))
    if differences:
        told = [f"`{one.name}` {plain_word(one.value)} (the sheet: {plain_word(one.default)})" for one in differences]
        lines.append("**Differs from the sheet:** " + ", ".join(told))
    else:
        lines.append("-# As its sheet says, without a change.")
    if settings.notes:
        lines.append("**House notes:** " + " · ".join([escape.text(note) for note in settings.notes]))
    buttons = [Button(f"Sheet {card.sheet}", page("laws", "one", card.sheet), GREY)]
    if table:
        buttons.append(Button("Show here", page("laws", "here"), GREY))
    return Panel(LOBBY, (Text(_fitted(lines)), Buttons(tuple(buttons))))


def _sheets_own(card: RuleCard) -> Options:
    """The options of the game as its sheet has it; of a game that is in no catalogue, its own."""
    try:
        return base_game(card).options
    except UnknownGame:
        return card.options


def law_panel(law: Law) -> Panel:
    """Print one law with its source: what it says, what is accepted, what a bad entry is told."""
    lines = [f"### Law {law.id} · {law.title}", law.text]
    if law.valid:
        lines.append(f"**Accepted:** {law.valid}")
    if law.refusal:
        lines.append(f"**Else:** {law.refusal}")
    kinds = " and ".join([_KINDS.get(kind, kind) for kind in law.kind.split("/")])
    lines.append(f"-# Part {law.part}, {_PARTS.get(law.part, '')} · {kinds} · source {law.source or 'ours'}")
    share = Button("Show here", page("laws", "share", law.id), GREY)
    return Panel(LOBBY, (Text(_fitted([_safe(line) for line in lines])), Buttons((share,))))


def found_panel(typed: str, found: Sequence[Law]) -> Panel:
    """List what a search found, with a select to open one."""
    if not found:
        text = f"No law matches “{escape.text(typed, 60)}”. Laws are written like **B-8** or **TL-4**."
        return Panel(FINISHED, (Text(text),))
    lines = [f"### Laws: {escape.text(typed, 60) or 'all'}"]
    lines += [f"**{law.id}** {law.title}" for law in found[:OPTIONS_MAX]]
    if len(found) > OPTIONS_MAX:
        lines.append(f"-# and {len(found) - OPTIONS_MAX} more; add a word to narrow it down")
    options = tuple(
        Option(
            cut(f"{law.id} · {law.title}", OPTION_TEXT_MAX),
            law.id,
            description=cut(law.text.replace("\n", " "), OPTION_TEXT_MAX),
        )
        for law in found[:OPTIONS_MAX]
    )
    blocks: tuple[Block, ...] = (Text(_fitted(lines)), Select(page("laws", "open"), "Open a law…", options))
    return Panel(LOBBY, blocks)


def _safe(line: str) -> str:
    """Keep the book's own signs from becoming mentions or lists; its `code` and its words stay as they are."""
    return line.replace("@", "@\u200b").replace("\n- ", "\n• ")


def _fitted(lines: Sequence[str]) -> str:
    """Join lines up to what one message takes."""
    text = "\n".join(line for line in lines if line)
    return text if len(text) <= _ROOM else text[: text.rfind(" ", 0, _ROOM)] + " …"
