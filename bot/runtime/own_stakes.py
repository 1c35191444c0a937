"""A house game for other stakes, seats or clocks than it was saved with: what the host of a new table wishes, laid over what was saved.

Source: laws H-2, H-4; issue 3 "Tables of one's own making".
"""

from msgspec.structs import replace

from bot.engine.mixes import Game
from bot.engine.options import Ante, Switch
from bot.engine.register import with_option
from bot.engine.stakes import Stakes
from bot.runtime.house_table import AMOUNTS, Wishes
from bot.table.settings import TableSettings

_SIZES = (*(name for name in AMOUNTS if name != "doublings"), "big_blind", "min_buyin", "max_buyin")
"""The stakes that are chips of the game, and grow with its big blind; how often a ladder doubles does not."""


def wished(settings: TableSettings, wishes: Wishes) -> TableSettings:
    """The settings as they were saved, but for what the host wishes; whether it goes together is ruled on when the table is opened.

    Another big blind, or small bet, changes every amount in proportion, in all games of a mixture and in the bomb pot.
    """
    after, big = settings, wishes.big_blind or 2 * wishes.small_blind
    if big:
        after = _in_proportion(after, big)
    if wishes.ante:
        after = _in_every_game(after, ante=wishes.ante)
    if wishes.seats:
        after = _with_seats(after, wishes.seats)
    own = after.stakes
    return replace(
        after,
        stakes=replace(
            own,
            min_buyin=wishes.least or (min(own.min_buyin, wishes.most) if wishes.most else own.min_buyin),
            max_buyin=wishes.most or (max(own.max_buyin, wishes.least) if own.max_buyin else 0),
            turn_seconds=wishes.turn_seconds or own.turn_seconds,
            bank_seconds=own.bank_seconds if wishes.bank_seconds is None else wishes.bank_seconds,
        ),
        practice=wishes.practice,
    )


def _in_proportion(settings: TableSettings, big: int) -> TableSettings:
    """Every amount as much larger or smaller as the big blind is, at least a chip."""
    unit, rotation, bomb = settings.unit, settings.rotation, settings.bomb

    def scaled(stakes: Stakes) -> Stakes:
        sizes = {name: getattr(stakes, name) for name in _SIZES}
        return replace(stakes, **{name: max(1, chips * big // unit) for name, chips in sizes.items() if chips})

    def other(game: Game) -> Game:
        stakes = scaled(game.stakes)
        if game.options.ante is Ante.BLINDS and game.options.house_blinds is Switch.OFF:
            small = max(1, stakes.big_blind // 2)
            stakes = replace(
                stakes, small_blind=small, big_blind=2 * small
            )  # rounding leaves one the double of the other
        return replace(game, stakes=stakes)

    own = scaled(settings.stakes)
    if rotation is not None:
        games = (replace(one, stakes=own) if one.card == settings.card else other(one) for one in rotation.games)
        rotation = replace(rotation, games=tuple(games))
    return replace(
        settings, stakes=own, rotation=rotation, bomb=replace(bomb, game=other(bomb.game)) if bomb is not None else None
    )


def _in_every_game(settings: TableSettings, **amounts: int) -> TableSettings:
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
