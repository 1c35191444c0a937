"""``cardroom games``: list every game the dealer knows, or explain one in plain words."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.engine.errors import TableError
from bot.text import cli as words
from bot.text.describe_game import describe_game
from bot.text.formatting import join_list, join_or
from bot.text.game_names import family_name, game_name, modifier_description
from bot.text.introductions import introduction
from bot.text.language import t
from bot.text.refusals.wording import law_book_line
from bot.variants import CATALOGUE, MIXES, MODIFIERS, UnknownGame, find_mix, game
from bot.variants.closest import closest_game_names

_KEY_WIDTH = 26


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the subcommand takes."""
    parser.description = t(words.GAMES_DESCRIPTION)
    parser.add_argument("--laws", action="store_true", help=t(words.LAWS_OPTION))
    parser.add_argument("name", nargs="*", metavar="NAME", help=t(words.GAME_ARGUMENT))


def run(options: argparse.Namespace) -> int:
    """Print the list, or one game. Returns 1 for a game that is not dealt here."""
    if not options.name:
        _print_list(laws=options.laws)
        return 0
    name = " ".join(options.name)
    try:
        print("\n".join(_game_lines(name)))
    except UnknownGame:
        similar = [game_name(meant) for meant, _ in closest_game_names(name)]
        explanation = (
            t(words.NO_SUCH_GAME_LIKE, name=name, games=join_or(similar))
            if similar
            else t(words.NO_SUCH_GAME, name=name)
        )
        print(t(words.ERROR, command="games", error=explanation), file=sys.stderr)
        return 1
    except TableError as refusal:
        print(t(words.ERROR, command="games", error=law_book_line(refusal)), file=sys.stderr)
        return 1
    return 0


def _print_list(*, laws: bool) -> None:
    """Tables in a terminal, plain columns in a file or a pipe. `laws`: with the law of each line."""
    console = Console()
    law_heading = t(words.COLUMN_LAW)
    for title, all_headings, all_rows in _tables():
        kept = [index for index, heading in enumerate(all_headings) if laws or heading != law_heading]
        headings = [all_headings[index] for index in kept]
        rows = [[row[index] for index in kept] for row in all_rows]
        if console.is_terminal:
            table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
            for heading in headings:
                table.add_column(heading)
            for row in rows:
                table.add_row(*map(Text, row))
            console.print(table)
            console.print()
        else:
            width = max(len(row[1]) for row in rows)
            print(title)
            print(
                "\n".join(
                    f"  {key:{_KEY_WIDTH}} {first:{width}} {' '.join(rest)}".rstrip() for key, first, *rest in rows
                )
            )


def _tables() -> Iterator[tuple[str, Sequence[str], Sequence[Sequence[str]]]]:
    """Title, headings and rows: the games of each family, the mixed games, the modifiers."""
    headings = [t(each) for each in (words.COLUMN_KEY, words.COLUMN_GAME, words.COLUMN_LAW, words.COLUMN_SEATS)]
    by_family = sorted(CATALOGUE, key=lambda card: card.family)
    for family, cards in groupby(by_family, key=lambda card: card.family):
        yield (
            family_name(family),
            headings,
            [
                (
                    card.key,
                    game_name(card.name),
                    card.law_id,
                    t(words.SEATS, minimum=card.seats_min, maximum=card.seats_max),
                )
                for card in cards
            ],
        )
    yield t(words.MIXED_GAMES), headings[:3], [(mix.key, game_name(mix.name), mix.sheet) for mix in MIXES]
    yield (
        t(words.MODIFIERS),
        [t(words.COLUMN_KEY), t(words.COLUMN_LAW), t(words.COLUMN_EFFECT)],
        [
            *((f"+{each.key}", each.law, modifier_description(each)) for each in MODIFIERS),
            ("+qs_wild", "W-1", t(words.ANY_CARDS_WILD)),
        ],
    )


def _game_lines(name: str) -> list[str]:
    """Return a game in plain words, or the games of a mixed one."""
    mix = find_mix(name)
    if mix is None:
        card = game(name)
        heading, *lines = describe_game(card)
        return [heading, introduction(card), *[line for line in lines if line]]
    games = join_list([game_name(game(key).name) for key in mix.games])
    return [
        t(words.MIX, name=game_name(mix.name), law=mix.sheet),
        t(words.MIX_GAMES, games=games),
        t(words.MIX_CHANGES[mix.change]),
    ]
