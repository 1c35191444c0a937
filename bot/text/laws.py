"""What `/laws` says around the law book's own words: the rules in force at a table, one law, what a search found."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.mixes import RotationChange
from bot.engine.options.register import OptionDifference
from bot.engine.options.values import Ante
from bot.engine.rule_card import RuleCard
from bot.laws import Law
from bot.table.settings import TableSettings
from bot.text import escape, stakes
from bot.text.formatting import join_and, join_list
from bot.text.game_names import game_name
from bot.text.language import Message, message, plural, t, translate
from bot.text.lobby import table_stakes
from bot.text.mixed_games import game_or_mixture_name
from bot.text.options import option_difference
from bot.text.table_chips import rebuys

FULL_RULES = message("Full rules")
LAW_BUTTON = message("Law {law}")
OPEN_A_GAME = message("Open a game's law…")
OPEN_A_LAW = message("Open a law…")
LAW_OPTION = message("{law} · {title}")

OPEN_A_SECTION = message("More laws…")
RANKING_SECTION = message("What beats what")
_SECTION = message("**{heading}**\n{text}")
_LAWS_OF_TABLE = message("### Laws at this table")
_SHORT = message("### Rules · {game}")
_GAMES_IN_TURN = message("**Games:** {games}.")
_LAWS_OF_GAME = message("### Laws of {game}")
_MIXTURE = message("**{mixture}**, now:")
_GAME = message("**{game}** {stakes} · law {law}")
_STAKES = message("**Stakes:** {amounts}.")
_BUY_IN = message("buy-in {minimum:,}–{maximum:,}")
_TABLE_CHIPS = message("**Table chips:** everybody starts with {chips:,} · {rebuys} · laws TC-1 to TC-9")
_LADDER_UNIT = message("doubling ladder from {chips:,}")
SPECIAL_SECTION = message("Special rules")
_PART = message("{heading} ({number})")
_HOUSE_NOTES = message("**House notes:**\n{notes}")
_STANDARD = message("-# Standard rules.")
_DIFFERENCES = message("**Differs from the standard rules:** {differences}")

_MIXTURE_GAME = message("{index}. **{game}** · law {law} · {minimum} to {maximum} players")
_MIXTURE_HINT = message("-# `/laws` with the name of a game explains that game.")
MIXTURES: dict[RotationChange, Message] = {
    RotationChange.HANDS: message("The games take turns, each for some hands."),
    RotationChange.LAP: message("The games take turns, each for a round of the button."),
    RotationChange.TIME: message("The games take turns, each for some time."),
    RotationChange.DEALERS_CHOICE: message("The dealer chooses one of these before each hand."),
}
_MIXTURE_SEATS = message("The table has as many seats as its smallest game.")

_LAW = message("### Law {law} · {title}")
_ACCEPTED = message("**Accepted:** {text}")
_OTHERWISE = message("**Otherwise:** {text}")
_SOURCE = message("-# Part {part}, {part_title} · {kinds} · source {source}")
_OUR_OWN = message("ours")
PARTS: dict[str, Message] = {
    "A": message("the founding texts"),
    "B": message("the games of the founding texts"),
    "C": message("modern games"),
    "D": message("table law"),
    "E": message("games of the house"),
}
KINDS: dict[str, Message] = {
    "P": message("players"),
    "H": message("the host"),
    "E": message("the dealer"),
    "adv": message("advice"),
    "sheet": message("game"),
    "test": message("acceptance test"),
}
_DID_YOU_MEAN = message("No law matches “{typed}”. Did you mean **{similar}**?")
_NOTHING_FOUND = message("No law matches “{typed}”. Laws are written like **B-8** or **TL-4**.")
_FOUND = message("### Laws: {typed}")
_ALL_LAWS = message("### All laws")
_FOUND_LAW = message("**{law}** {title}")
_MORE_FOUND = plural(
    "-# and {count} more; add a word to narrow it down", "-# and {count} more; add a word to narrow it down"
)

_CLOCKS = ("turn_seconds", "bank_seconds", "min_buyin", "max_buyin")


def game_heading(settings: TableSettings, *, table: bool) -> str:
    """The game, its stakes and its law. `table` False: the game as it would be dealt, with nobody at it."""
    card = settings.rule_card
    title = t(_LAWS_OF_TABLE) if table else t(_LAWS_OF_GAME, game=game_name(card.name))
    game = t(_GAME, game=game_name(card.name), stakes=table_stakes(settings), law=card.law_id)
    if settings.rotation is None:
        return f"{title}\n{game}"
    return f"{title}\n{t(_MIXTURE, mixture=escape.name(game_name(settings.rotation.name)))}\n{game}"


def short_heading(settings: TableSettings) -> str:
    """The game or mixture of a table. Its stakes follow in words."""
    return t(_SHORT, game=escape.text(game_or_mixture_name(settings)))


def games_in_turn(games: Sequence[RuleCard]) -> str:
    """The games that a table plays in turn."""
    return t(_GAMES_IN_TURN, games=join_list([game_name(game.name) for game in games]))


def stakes_line(settings: TableSettings) -> str:
    """Every amount that was agreed on (H-4), and the buy-in."""
    amounts = settings.stakes
    parts: list[str] = []
    for field in amounts.__struct_fields__:
        chips = getattr(amounts, field)
        if not chips or field in _CLOCKS:
            continue
        if field == "ante" and settings.options.ante is Ante.NONE:
            parts.append(t(_LADDER_UNIT, chips=chips))
        else:
            parts.append(stakes.named_amount(field, chips))
    if not settings.has_table_chips:
        parts.append(t(_BUY_IN, minimum=settings.min_buyin, maximum=settings.max_buyin))
        return t(_STAKES, amounts=join_list(parts))
    chips = t(_TABLE_CHIPS, chips=settings.starting_stack, rebuys=rebuys(settings))
    return f"{t(_STAKES, amounts=join_list(parts))}\n{chips}"


def section(heading: str, text: str) -> str:
    """A section of the laws in force, below its heading."""
    return t(_SECTION, heading=heading, text=text)


def part_heading(heading: str, number: int) -> str:
    """The heading of a part of a section that is too long for one: ``Betting (2)``; the first one has no number."""
    return t(_PART, heading=heading, number=number) if number > 1 else heading


def house_notes(notes: Sequence[str]) -> str:
    """The table's own rules, in its players' words, a line each."""
    return t(_HOUSE_NOTES, notes="\n".join([f"• {escape.text(note)}" for note in notes]))


def differences_line(differences: Sequence[OptionDifference]) -> str:
    """Where the options depart from the game's own."""
    if not differences:
        return t(_STANDARD)
    return t(
        _DIFFERENCES,
        differences=join_list([option_difference(one.name, one.value, one.default) for one in differences]),
    )


def mixture(name: str, change: RotationChange, games: Sequence[RuleCard]) -> list[str]:
    """The games of a mixture in their order, each with its law (VC-28)."""
    lines = [t(_LAWS_OF_GAME, game=game_name(name)), f"{t(MIXTURES[change])} {t(_MIXTURE_SEATS)}"]
    lines += [
        t(
            _MIXTURE_GAME,
            index=index,
            game=game_name(card.name),
            law=card.law_id,
            minimum=card.seats_min,
            maximum=card.seats_max,
        )
        for index, card in enumerate(games, 1)
    ]
    return [*lines, t(_MIXTURE_HINT)]


def law_lines(law: Law) -> list[str]:
    """One law: what it says, what is accepted, what is answered otherwise, and its source."""
    lines = [t(_LAW, law=law.id, title=translate(law.title)), translate(law.text)]
    if law.valid:
        lines.append(t(_ACCEPTED, text=translate(law.valid)))
    if law.refusal:
        lines.append(t(_OTHERWISE, text=translate(law.refusal)))
    kinds = join_and([t(KINDS[kind]) for kind in law.kind.split("/")])
    lines.append(
        t(_SOURCE, part=law.part, part_title=t(PARTS[law.part]), kinds=kinds, source=law.source or t(_OUR_OWN))
    )
    return lines


def law_option(law: Law) -> str:
    """A law in a select: ``TL-4 · A short all-in does not reopen``."""
    return t(LAW_OPTION, law=law.id, title=translate(law.title))


def nothing_found(typed: str) -> str:
    """The answer to a search that found no law."""
    return t(_NOTHING_FOUND, typed=escape.text(typed, 60))


def did_you_mean(typed: str, closest: Law) -> str:
    """The answer to a search that found no law, where a word of the law book is like it."""
    return t(_DID_YOU_MEAN, typed=escape.text(typed, 60), similar=law_option(closest))


def found_laws(typed: str, laws: Sequence[Law], more: int) -> list[str]:
    """The laws that a search found, and how many more there are."""
    searched = escape.text(typed, 60)
    lines = [t(_FOUND, typed=searched) if searched else t(_ALL_LAWS)]
    lines += [t(_FOUND_LAW, law=law.id, title=translate(law.title)) for law in laws]
    if more:
        lines.append(t(_MORE_FOUND, count=more))
    return lines
