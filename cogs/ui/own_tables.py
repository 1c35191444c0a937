"""Tables of one's own making: from the words somebody types to settings, and one change of them after another.

Source: issue 3 "Tables of one's own making"; laws H-1, H-2, VC-28, VC-29.
"""

from __future__ import annotations

from msgspec.structs import replace

from bot import variants
from bot.engine.card import RuleCard
from bot.engine.errors import LawError
from bot.engine.mixes import BombWhen, Change
from bot.ledger.house import HouseRules
from bot.render import mixing
from bot.runtime.house_table import NUMBERS, Wishes, changed_settings, house_settings, with_laws
from bot.runtime.mixed_table import Turning, mixed_settings, of_the_mixture, other_games, turned, with_bomb
from bot.runtime.own_stakes import wished
from bot.table.errors import NotEnoughGames
from bot.table.house_games import HouseGame
from bot.table.settings import TableSettings
from bot.variants.listing import listed
from bot.variants.tailoring import LAW, tailored, taste_of

MIX_FIELDS = frozenset({mixing.GAMES_FIELD, "turning", "default", "choice", "bomb"})
CHANGES = {"lap": Change.LAP, "deals": Change.DEALS, "time": Change.TIME, "choice": Change.CHOICE}
"""How a mixed table goes on to its next game, in one word."""


def new_table(
    words: str, rules: HouseRules, wishes: Wishes, turning: Turning | None, bomb: str | None
) -> TableSettings:
    """The settings of a new table for what somebody typed: a game, a mixture, games in turn. Without a word about bomb pots there are none.

    Raises:
        LawError: nothing goes by that name, or it does not go together.
    """
    asked = listed(words)
    if asked.mixed:
        settings = mixed_settings(asked.name, asked.games, rules, wishes, turning or Turning(asked.change))
    elif turning is not None:
        raise NotEnoughGames(why="a mixed table needs two games or more")
    else:
        settings = house_settings(asked.games[0], rules, wishes)
    return with_bomb_word(settings, bomb or "off")


def house_table(game: HouseGame, wishes: Wishes, *, turning: Turning | None, bomb: str | None) -> TableSettings:
    """The settings of a new table that plays a house game: as it was saved, but for what is wished.

    Raises:
        LawError: it is no mixture, and games were to change.
    """
    settings = wished(game.settings, wishes)
    if turning is not None:
        if settings.rotation is None:
            raise NotEnoughGames(why="a mixed table needs two games or more")
        settings = replace(settings, rotation=turned(settings.rotation, turning))
    return settings if bomb is None else with_bomb_word(settings, bomb)


def changed(settings: TableSettings, field: str, value: str | int) -> TableSettings:
    """The settings with one of them changed: the games, a stake, a clock, a custom, or an option of the game's laws, by the field of the
    choice that was offered.

    Raises:
        LawError: the value is none for that field.
    """
    if field in MIX_FIELDS:
        return _mixed(settings, field, str(value))
    law = field.removeprefix(LAW)
    if field not in NUMBERS and any(law == known for known, _, _ in taste_of(settings.card, settings.options)):
        return of_the_mixture(
            settings, with_laws(settings, *tailored(settings.card, settings.options, law, str(value)))
        )
    return of_the_mixture(settings, changed_settings(settings, field, value))


def _mixed(settings: TableSettings, field: str, value: str) -> TableSettings:
    rotation = settings.rotation
    if field == mixing.GAMES_FIELD:
        asked = listed(value)
        return other_games(settings, asked.name, asked.games, Turning(asked.change))
    if field == "bomb":
        return with_bomb_word(settings, value)
    if rotation is None:
        raise NotEnoughGames(why="a mixed table needs two games or more")
    if field == "turning":
        return replace(settings, rotation=turned(rotation, read_turning(value)))
    number = int(value) if value.isdecimal() else -1
    return replace(
        settings, rotation=replace(rotation, **{"default" if field == "default" else "choice_seconds": number})
    )


def read_turning(word: str) -> Turning:
    """Read ``deals.6``, ``time.20``, ``lap``, ``choice``.

    Raises:
        NotEnoughGames: it is none of them.
    """
    kind, _, every = word.partition(".")
    if kind not in CHANGES or (every and not every.isdecimal()):
        raise NotEnoughGames(why="games change after a lap, so many hands or minutes, or by the dealer's choice")
    return Turning(CHANGES[kind], int(every or 0))


def with_bomb_word(settings: TableSettings, word: str) -> TableSettings:
    """The settings with a bomb pot as the word says: ``off``, ``vote``, ``lap``; with ``.2`` on two boards."""
    if word == "off":
        return with_bomb(settings, None)
    when, _, boards = word.partition(".")
    return with_bomb(settings, _bomb_card(settings.card, double=boards == "2"), BombWhen(when))


def _bomb_card(card: RuleCard, *, double: bool) -> RuleCard:
    """The table's own game as a bomb pot; hold'em where that has no flop."""
    over = "+bomb+double_board" if double else "+bomb"
    try:
        return variants.game(card.key + over)
    except LawError:
        return variants.game("holdem" + over)


__all__ = ["CHANGES", "MIX_FIELDS", "NUMBERS", "changed", "house_table", "new_table", "read_turning", "with_bomb_word"]
