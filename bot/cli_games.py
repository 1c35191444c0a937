"""``cardroom games``: lists every game the dealer knows, or tells one with its rule card in plain words."""

from __future__ import annotations

import argparse
import sys
from itertools import groupby

from bot.engine.errors import TableError
from bot.variants import CATALOGUE, MIXES, MODIFIERS, find_mix, game
from bot.variants.telling import told


def run(arguments: list[str]) -> int:
    """Run the command. Returns the exit status: 0; 1 for a game that is not dealt here; 2 for arguments that cannot be read."""
    try:
        asked = _parser().parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    if not asked.name:
        print("\n".join(_list()))
        return 0
    word = " ".join(asked.name)
    try:
        print("\n".join(_one(word)))
    except TableError as refusal:
        print(f"cardroom games: {refusal}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cardroom games",
        description="Lists every game with its law; a game's name tells its rule card, 'omaha + joker bug' one changed at will.",
    )
    parser.add_argument("name", nargs="*", help="a game's name, key or alias; behind a plus what is laid over it")
    return parser


def _list() -> list[str]:
    lines: list[str] = []
    width = max(len(card.name) for card in CATALOGUE)
    by_family = sorted(CATALOGUE, key=lambda card: card.family)
    for family, cards in groupby(by_family, key=lambda card: card.family):
        lines.append(f"{family[:1].upper()}{family[1:]}")
        lines += [
            f"  {card.key:26} {card.name:{width}} {card.sheet:6} {card.seats_min}-{card.seats_max}" for card in cards
        ]
    lines.append("Mixed")
    lines += [f"  {mix.key:26} {mix.name:{width}} {mix.sheet}" for mix in MIXES]
    lines.append("To be laid over any game, behind a plus")
    lines += [f"  +{one.word:25} {one.law:6} {one.about}" for one in MODIFIERS]
    return lines


def _one(word: str) -> list[str]:
    """The rule card of a game, or the games of a mixed one."""
    mix = find_mix(word)
    if mix is None:
        return [line for line in told(game(word)) if line]
    names = ", ".join(game(key).name for key in mix.games)
    return [f"{mix.name} (law {mix.sheet}, mixed)", f"Games: {names}.", f"Change: {mix.change}."]
