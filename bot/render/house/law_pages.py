"""Draw the pages of `/laws`: the rules in force at a table, one law by its id, what a search found (law H-2)."""

from collections.abc import Sequence

from bot import laws
from bot.engine.options.register import compare_options
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.examples_in_force import examples_in_force
from bot.laws import Law
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX, TEXT_MAX
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    LOBBY,
    OPTION_TEXT_MAX,
    Block,
    Button,
    Buttons,
    Option,
    Panel,
    Picture,
    Select,
    Text,
)
from bot.table.settings import TableSettings
from bot.text import buttons as labels
from bot.text import laws as words
from bot.text.describe_game import STEP_END, describe_deal_and_pot, describe_rules_in_force, special_rules
from bot.text.formatting import shorten
from bot.text.game_names import game_name
from bot.text.introductions import named_introduction, table_introduction
from bot.text.language import t, translate
from bot.text.lobby import clocks_line
from bot.text.rankings import order_lines
from bot.variants.catalogue import UnknownGame, game
from bot.variants.closest import closest_words
from bot.variants.game_list import GameList

SEATS_OPTION = "MAX_SEATS"
"""The number of seats changes no rule of the game, and the short card leaves it out."""
_SECTION_LENGTH = 350
"""Letters of a section, so that it fits a phone with what stands above and below it."""
RANKING = 1
"""The place of *What beats what* in `law_sections`."""
_TEXT_BUDGET = TEXT_MAX - 400


def short_rules_panel(settings: TableSettings, *, picture: Picture | None = None) -> Panel:
    """Return the game of a table in three sentences, its stakes, and what this table changes; *Full rules* says everything.

    Args:
        picture: what beats what.
    """
    card, options = settings.rule_card, settings.options
    changed = [one for one in compare_options(options, _catalogue_options(card)) if one.name != SEATS_OPTION]
    lines = [words.short_heading(settings), table_introduction(settings) or named_introduction(card)]
    if rotation := settings.rotation:
        lines.append(words.games_in_turn([game.rule_card for game in rotation.games]))
    lines.append(words.stakes_line(settings))
    lines += order_lines(examples_in_force(card, options))
    if changed:
        lines.append(words.differences_line(changed))
    if settings.notes:
        lines.append(words.house_notes(settings.notes))
    buttons = (
        Button(t(words.FULL_RULES), page_id("laws", "full"), BLURPLE),
        Button(t(labels.SHOW_HERE), page_id("laws", "short"), GREY),
    )
    return Panel(LOBBY, (Text(_fit_message(lines)), *_drawn(picture), Buttons(buttons)))


def _drawn(picture: Picture | None) -> tuple[Block, ...]:
    return () if picture is None else (picture,)


def law_sections(settings: TableSettings) -> list[tuple[str, str]]:
    """Return the laws in force under their headings, in plain words. Only options that apply to the game are described.

    First how it is dealt, then what beats what, what is won, and each group of options.
    """
    card, options = settings.rule_card, settings.options
    (deal, steps), (pot, shares) = describe_deal_and_pot(card, options)
    ranking = "\n".join(order_lines(examples_in_force(card, options)))
    dealt = _parts(deal, steps.split(STEP_END), STEP_END)
    sections = [*dealt[:1], (t(words.RANKING_SECTION), ranking), *dealt[1:], (pot, shares)]
    groups = describe_rules_in_force(card, options)
    if special := special_rules(card, options):
        groups = {t(words.SPECIAL_SECTION): list(special)} | groups
    for heading, sentences in groups.items():
        sections += _parts(heading, sentences, "\n")
    return sections


def _parts(heading: str, pieces: Sequence[str], glue: str) -> list[tuple[str, str]]:
    """Return what stands below a heading, in as many parts as it takes, each with its heading."""
    parts: list[list[str]] = [[]]
    for piece in pieces:
        if parts[-1] and sum(map(len, parts[-1])) + len(piece) > _SECTION_LENGTH:
            parts.append([])
        parts[-1].append(piece)
    return [(words.part_heading(heading, number), glue.join(part)) for number, part in enumerate(parts, start=1)]


def laws_in_force_panel(
    settings: TableSettings, *, table: bool = True, section: int = 0, picture: Picture | None = None
) -> Panel:
    """Return the game of a table, its stakes, and one section of the laws in force; a select opens the others.

    Args:
        table: False for the game as it would be dealt, with nobody at it.
        section: its place in `law_sections`.
        picture: what beats what.
    """
    return section_panel(settings, law_sections(settings), table=table, section=section, picture=picture)


def section_panel(
    settings: TableSettings,
    sections: Sequence[tuple[str, str]],
    *,
    table: bool,
    section: int,
    picture: Picture | None = None,
) -> Panel:
    """The same with the sections of these settings, for whoever shows one after the other."""
    card = settings.rule_card
    lines = [words.game_heading(settings, table=table)]
    if table:
        lines.append(clocks_line(settings))
    lines.append(words.stakes_line(settings))
    if settings.notes:
        lines.append(words.house_notes(settings.notes))
    lines.append(words.differences_line(compare_options(settings.options, _catalogue_options(card))))
    at = section if section < len(sections) else 0
    heading, text = sections[at]
    game = "" if table else card.key
    options = tuple(
        Option(shorten(name, OPTION_TEXT_MAX), f"{number}.{game}", default=number == at)
        for number, (name, _) in enumerate(sections[:OPTIONS_MAX])
    )
    buttons = [Button(t(words.LAW_BUTTON, law=card.law_id), page_id("laws", "one", card.law_id), GREY)]
    if table:
        buttons.append(Button(t(labels.SHOW_HERE), page_id("laws", "here"), GREY))
    return Panel(
        LOBBY,
        (
            Text(_fit_message([*lines, words.section(heading, text)])),
            *_drawn(picture),
            Select(page_id("laws", "part"), t(words.OPEN_A_SECTION), options),
            Buttons(tuple(buttons)),
        ),
    )


def _catalogue_options(card: RuleCard) -> Options:
    """Return the options of the game in the catalogue, without any modifier; for a game that is not in it, its own."""
    try:
        return game(card.key.partition("+")[0]).options
    except UnknownGame:
        return card.options


def mixture_laws_panel(mixture: GameList) -> Panel:
    """Return the games of a mixture, with a select to open the law of one (VC-28)."""
    lines = words.mixture(mixture.name, mixture.change, mixture.games)
    cards = {card.law_id: card for card in mixture.games}
    options = tuple(
        Option(shorten(t(words.LAW_OPTION, law=law_id, title=game_name(card.name)), OPTION_TEXT_MAX), law_id)
        for law_id, card in cards.items()
    )
    select = Select(page_id("laws", "open"), t(words.OPEN_A_GAME), options[:OPTIONS_MAX])
    return Panel(LOBBY, (Text(_fit_message(lines)), select))


def law_panel(law: Law) -> Panel:
    """Return one law with its source: what it says, what is accepted, what is answered otherwise."""
    text = _fit_message([_without_markdown(line) for line in words.law_lines(law)])
    share = Button(t(labels.SHOW_HERE), page_id("laws", "share", law.id), GREY)
    return Panel(LOBBY, (Text(text), Buttons((share,))))


def law_search_panel(typed: str, found: Sequence[Law]) -> Panel:
    """List what a search found, with a select to open one."""
    if not found:
        similar = _similar_word(typed)
        if not similar:
            return Panel(FINISHED, (Text(words.nothing_found(typed)),))
        meant = laws.search_laws(similar)
        panel = law_search_panel(similar, meant)
        return Panel(panel.accent, (Text(words.did_you_mean(typed, meant[0])), *panel.blocks[1:]))
    listed = found[:OPTIONS_MAX]
    options = tuple(
        Option(
            shorten(words.law_option(law), OPTION_TEXT_MAX),
            law.id,
            description=shorten(translate(law.text).replace("\n", " "), OPTION_TEXT_MAX),
        )
        for law in listed
    )
    text = _fit_message(words.found_laws(typed, listed, len(found) - len(listed)))
    return Panel(LOBBY, (Text(text), Select(page_id("laws", "open"), t(words.OPEN_A_LAW), options)))


def _similar_word(typed: str) -> str:
    """Return the id or the word of a title that is most like what was typed; empty where none is."""
    words_of_titles = {
        word.strip("(),:") for law in laws.laws() for word in law.title.casefold().split() if len(word) > 2
    }
    known = (*[law.id for law in laws.laws()], *sorted(words_of_titles))
    return next(iter(closest_words(typed, known, 1)), "")


def _without_markdown(line: str) -> str:
    """Keep the book's own signs from becoming mentions or lists; its `code` and its words stay as they are."""
    return line.replace("@", "@\u200b").replace("\n- ", "\n• ")


def _fit_message(lines: Sequence[str]) -> str:
    """Join lines and cut them at what one message can hold."""
    text = "\n".join(line for line in lines if line)
    return text if len(text) <= _TEXT_BUDGET else text[: text.rfind(" ", 0, _TEXT_BUDGET)] + " …"
