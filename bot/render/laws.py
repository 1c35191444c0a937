"""The pages of `/laws`: the set in force at a table, one law by its id, what a search found (laws H-2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.mixes import Change
from bot.engine.options import Ante, Options
from bot.engine.register import compare
from bot.laws import Law
from bot.render import escape
from bot.render.ids import page
from bot.render.limits import OPTION_TEXT_MAX, OPTIONS_MAX, TEXT_MAX, cut
from bot.render.lobby import FIRST_RUNG, clocks, stakes_short
from bot.render.panel import FINISHED, GREY, LOBBY, Block, Button, Buttons, Option, Panel, Select, Text
from bot.render.words_house import plain_word
from bot.table.settings import TableSettings
from bot.variants.finding import UnknownGame, game
from bot.variants.listing import Listed
from bot.variants.telling import deal_told, in_force, own_rules

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
    """Print what is dealt at a table and the laws in force, in plain words, and where they differ from the game's own; only what the game
    honours is told.

    `table` False: of a game as it would be dealt, with nobody at it.
    """
    card, options = settings.card, settings.options
    title = "Laws at this table" if table else f"Laws of {card.name}"
    lines = [f"### {title}\n**{card.name}** {stakes_short(settings)} · sheet {card.sheet}"]
    if table:
        lines.append("-# " + " · ".join(clocks(settings)))
    lines.append(f"**Stakes:** {_amounts(settings)}.")
    played = replace(card, options=options)
    lines += [f"**{heading}:** {line}" for heading, line in deal_told(played)]
    own = own_rules(played)
    if own:
        lines.append(f"**Of its own:** {' '.join(own)}")
    lines += [f"**{group}:** {' '.join(said)}" for group, said in in_force(card, options).items()]
    lines.append(_compared(card, options))
    if settings.notes:
        lines.append("**House notes:** " + " · ".join([escape.text(note) for note in settings.notes]))
    lines.append(_NOT_DECIDED)
    buttons = [Button(f"Sheet {card.sheet}", page("laws", "one", card.sheet), GREY)]
    if table:
        buttons.append(Button("Show here", page("laws", "here"), GREY))
    return Panel(LOBBY, (Text(_fitted(lines)), Buttons(tuple(buttons))))


_NOT_DECIDED = (
    "-# Not to choose here: `ANNOUNCE`, for one message is one whole action and its chips go in with it (TL-35), "
    "and `CHOP_BLINDS`, for pots are not divided by agreement (E-2)."
)
"""Options of the register that decide nothing where a machine takes the chips; the set in force says so (H-2)."""

_CLOCKS = ("turn_seconds", "bank_seconds", "min_buyin", "max_buyin")


def _amounts(settings: TableSettings) -> str:
    """Every amount that has been agreed on (H-4), and the buy-in."""
    stakes = settings.stakes
    said = [
        f"{FIRST_RUNG if name == 'ante' and settings.options.ante is Ante.NONE else plain_word(name)} {getattr(stakes, name):,}"
        for name in stakes.__struct_fields__
        if name not in _CLOCKS and getattr(stakes, name)
    ]
    return ", ".join([*said, f"buy-in {settings.min_buyin:,}–{settings.max_buyin:,}"])


def _compared(card: RuleCard, options: Options) -> str:
    """Where the options depart from those of the game's sheet, whatever has been laid over it."""
    differences = compare(options, _sheets_own(card))
    if not differences:
        return "-# As its sheet says, without a change."
    told = [f"`{one.name}` {plain_word(one.value)} (the sheet: {plain_word(one.default)})" for one in differences]
    return "**Differs from the sheet:** " + ", ".join(told)


def mixture_panel(mixture: Listed) -> Panel:
    """The games of a mixture in their order, each with its sheet (VC-28)."""
    lines = [f"### Laws of {mixture.name}", f"{_CHANGES[mixture.change]} The table seats what its smallest game seats."]
    lines += [
        f"{number}. **{card.name}** · sheet {card.sheet} · {card.seats_min} to {card.seats_max} players"
        for number, card in enumerate(mixture.games, 1)
    ]
    lines.append("-# `/laws` with the name of a game tells that game.")
    sheets = {card.sheet: card for card in mixture.games}
    options = tuple(Option(cut(f"{sheet} · {card.name}", OPTION_TEXT_MAX), sheet) for sheet, card in sheets.items())
    return Panel(LOBBY, (Text(_fitted(lines)), Select(page("laws", "open"), "Open a sheet…", options[:OPTIONS_MAX])))


_CHANGES = {
    Change.DEALS: "The games are dealt in turn, each for some deals.",
    Change.LAP: "The games are dealt in turn, each for a lap.",
    Change.TIME: "The games are dealt in turn, each for some time.",
    Change.CHOICE: "Before each deal the dealer chooses one of these.",
}


def _sheets_own(card: RuleCard) -> Options:
    """The options of the game as its sheet has it, with nothing laid over it; of a game that is in no catalogue, its own."""
    try:
        return game(card.key.partition("+")[0]).options
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
