"""Table settings from what players type and choose: for a new table, and one change after another.

Laws: H-1, H-2, VC-28, VC-29.
"""

from msgspec.structs import replace

from bot import variants
from bot.engine.errors import LawError
from bot.engine.mixes import BombPotTrigger, RotationChange
from bot.engine.rule_card import RuleCard
from bot.house.rules import HouseRules
from bot.render.table import mixed_games
from bot.runtime.house_game_settings import with_request
from bot.runtime.mixed_table_settings import (
    GameChangeRule,
    copied_into_rotation,
    mixed_settings,
    with_bomb_pot,
    with_change_rule,
    with_games,
)
from bot.runtime.table_settings import (
    NUMBER_FIELDS,
    NewTableRequest,
    default_table_settings,
    with_card_and_options,
    with_changed_field,
)
from bot.table.house_games import HouseGame
from bot.table.refusals import NotEnoughGames, UnknownGameChange
from bot.table.settings import TableSettings
from bot.variants.customise import LAW_PREFIX, change_option, offered_options
from bot.variants.game_list import parse_game_list

MIXED_GAME_FIELDS = frozenset({mixed_games.GAMES_FIELD, "turning", "default", "choice", "bomb"})
GAME_CHANGES = {
    "lap": RotationChange.LAP,
    "deals": RotationChange.HANDS,
    "time": RotationChange.TIME,
    "choice": RotationChange.DEALERS_CHOICE,
}
"""How a mixed table changes its game, by the value of the option or select."""


def new_table_settings(
    text: str,
    rules: HouseRules,
    table_request: NewTableRequest,
    game_change: GameChangeRule | None,
    bomb_pot: str | None,
) -> TableSettings:
    """Return the settings of a new table for a typed game, mixture or list of games.

    Args:
        bomb_pot: the option for bomb pots; None for no bomb pots.

    Raises:
        LawError: no game has that name, or the settings do not fit together.
    """
    games = parse_game_list(text)
    if games.is_mixed:
        settings = mixed_settings(
            games.name, games.games, rules, table_request, game_change or GameChangeRule(games.change)
        )
    elif game_change is not None:
        raise NotEnoughGames
    else:
        settings = default_table_settings(games.games[0], rules, table_request)
    return with_bomb_pot_option(settings, bomb_pot or "off")


def house_game_table_settings(
    game: HouseGame, table_request: NewTableRequest, *, game_change: GameChangeRule | None, bomb_pot: str | None
) -> TableSettings:
    """Return the settings of a new table that plays a house game: as saved, apart from what is requested.

    Raises:
        LawError: the game is to change, but the house game is no mixture.
    """
    settings = with_request(game.settings, table_request)
    if game_change is not None:
        if settings.rotation is None:
            raise NotEnoughGames
        settings = replace(settings, rotation=with_change_rule(settings.rotation, game_change))
    return settings if bomb_pot is None else with_bomb_pot_option(settings, bomb_pot)


def with_setting(settings: TableSettings, field: str, value: str | int) -> TableSettings:
    """Return the settings with one of them changed: the games, a stake, a clock, or an option of the game.

    Args:
        field: of the setting that was chosen.

    Raises:
        LawError: the field does not take that value.
    """
    if field in MIXED_GAME_FIELDS:
        return _with_mixed_game_setting(settings, field, str(value))
    law = field.removeprefix(LAW_PREFIX)
    if field not in NUMBER_FIELDS and any(
        law == known for known, _, _ in offered_options(settings.rule_card, settings.options)
    ):
        return copied_into_rotation(
            settings,
            with_card_and_options(settings, *change_option(settings.rule_card, settings.options, law, str(value))),
        )
    return copied_into_rotation(settings, with_changed_field(settings, field, value))


def _with_mixed_game_setting(settings: TableSettings, field: str, value: str) -> TableSettings:
    rotation = settings.rotation
    if field == mixed_games.GAMES_FIELD:
        games = parse_game_list(value)
        return with_games(settings, games.name, games.games, GameChangeRule(games.change))
    if field == "bomb":
        return with_bomb_pot_option(settings, value)
    if rotation is None:
        raise NotEnoughGames
    if field == "turning":
        return replace(settings, rotation=with_change_rule(rotation, parse_game_change(value)))
    number = int(value) if value.isdecimal() else -1
    return replace(
        settings,
        rotation=replace(rotation, **{"default_game_index" if field == "default" else "choice_seconds": number}),
    )


def parse_game_change(value: str) -> GameChangeRule:
    """Read ``deals.6``, ``time.20``, ``lap``, ``choice``.

    Raises:
        UnknownGameChange: the value is something else.
    """
    kind, _, every = value.partition(".")
    if kind not in GAME_CHANGES or (every and not every.isdecimal()):
        raise UnknownGameChange
    return GameChangeRule(GAME_CHANGES[kind], int(every or 0))


def with_bomb_pot_option(settings: TableSettings, option: str) -> TableSettings:
    """Return the settings with a bomb pot by option: ``off``, ``vote``, ``lap``; with ``.2`` on two boards."""
    if option == "off":
        return with_bomb_pot(settings, None)
    when, _, boards = option.partition(".")
    return with_bomb_pot(settings, _bomb_pot_card(settings.rule_card, two_boards=boards == "2"), BombPotTrigger(when))


def _bomb_pot_card(card: RuleCard, *, two_boards: bool) -> RuleCard:
    """Return the table's own game as a bomb pot; hold'em if the game has no flop."""
    modifiers = "+bomb+double_board" if two_boards else "+bomb"
    try:
        return variants.game(card.key + modifiers)
    except LawError:
        return variants.game("holdem" + modifiers)
