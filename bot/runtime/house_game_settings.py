"""Open a table of a house game with other stakes, seats or clocks than it was saved with. Laws: H-2, H-4."""

from msgspec.structs import replace

from bot.engine.mixes import Game
from bot.engine.options.register import with_option
from bot.engine.options.values import Ante, Switch
from bot.engine.stakes import Stakes
from bot.runtime.table_settings import AMOUNT_FIELDS, NewTableRequest
from bot.table.settings import TableSettings

_SCALED_AMOUNTS = (*(name for name in AMOUNT_FIELDS if name != "doublings"), "big_blind", "min_buyin", "max_buyin")
"""Fields of `Stakes` that grow with the big blind. `doublings` is a count and does not."""


def with_request(settings: TableSettings, table_request: NewTableRequest) -> TableSettings:
    """Return the saved settings with the changes that the host asks for. Opening the table validates them.

    Another big blind changes every amount in proportion, in all games of a mixture and in the bomb pot.
    """
    after, big = settings, table_request.big_blind or 2 * table_request.small_blind
    if big:
        after = _scaled_to_big_blind(after, big)
    if table_request.ante:
        after = _with_stakes_in_every_game(after, ante=table_request.ante)
    if table_request.seats:
        after = _with_seats(after, table_request.seats)
    own = after.stakes
    return replace(
        after,
        stakes=replace(
            own,
            min_buyin=table_request.min_buyin
            or (min(own.min_buyin, table_request.max_buyin) if table_request.max_buyin else own.min_buyin),
            max_buyin=table_request.max_buyin or (max(own.max_buyin, table_request.min_buyin) if own.max_buyin else 0),
            turn_seconds=table_request.turn_seconds or own.turn_seconds,
            bank_seconds=own.bank_seconds if table_request.bank_seconds is None else table_request.bank_seconds,
        ),
        practice=table_request.practice,
        chips=table_request.chip_kind,
        starting_stack=after.starting_stack if table_request.chip_kind is after.chips and not big else 0,
    )


def _scaled_to_big_blind(settings: TableSettings, big_blind: int) -> TableSettings:
    """Scale every amount in proportion to the big blind, to at least one chip."""
    unit, rotation, bomb = settings.buy_in_unit, settings.rotation, settings.bomb_pot

    def scaled(stakes: Stakes) -> Stakes:
        amounts = {name: getattr(stakes, name) for name in _SCALED_AMOUNTS}
        return replace(stakes, **{name: max(1, chips * big_blind // unit) for name, chips in amounts.items() if chips})

    def scaled_game(game: Game) -> Game:
        stakes = scaled(game.stakes)
        if game.options.ante is Ante.BLINDS and game.options.house_blinds is Switch.OFF:
            small = max(1, stakes.big_blind // 2)
            stakes = replace(
                stakes, small_blind=small, big_blind=2 * small
            )  # after rounding, one is still twice the other
        return replace(game, stakes=stakes)

    own = scaled(settings.stakes)
    if rotation is not None:
        games = (
            replace(one, stakes=own) if one.rule_card == settings.rule_card else scaled_game(one)
            for one in rotation.games
        )
        rotation = replace(rotation, games=tuple(games))
    return replace(
        settings,
        stakes=own,
        rotation=rotation,
        bomb_pot=replace(bomb, game=scaled_game(bomb.game)) if bomb is not None else None,
    )


def _with_stakes_in_every_game(settings: TableSettings, **amounts: int) -> TableSettings:
    rotation = settings.rotation
    if rotation is not None:
        games = (replace(one, stakes=replace(one.stakes, **amounts)) for one in rotation.games)
        rotation = replace(rotation, games=tuple(games))
    return replace(settings, stakes=replace(settings.stakes, **amounts), rotation=rotation)


def _with_seats(settings: TableSettings, seats: int) -> TableSettings:
    options = with_option(settings.options, "max_seats", seats)
    rotation = settings.rotation
    if rotation is not None:
        games = (replace(one, options=with_option(one.options, "max_seats", seats)) for one in rotation.games)
        rotation = replace(rotation, games=tuple(games))
    return replace(settings, options=options, rotation=rotation)
