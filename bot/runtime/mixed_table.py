"""Tables of several games, and bomb pots: composed from settings of single games, each with its own options and stakes.

Source: laws VC-28, VC-29, H-4; issue 3 "Tables of one's own making".
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.mixes import Bomb, BombWhen, Change, Game, Rotation
from bot.engine.usual import usual_stakes
from bot.ledger.house import HouseRules
from bot.runtime.house_table import Wishes, house_settings
from bot.table.errors import NotEnoughGames
from bot.table.pack import seats_allowed
from bot.table.settings import TableSettings


class Turning(Struct, frozen=True):
    """When a mixed table goes on to its next game: after `every` deals or minutes; 0 where the change counts by itself."""

    change: Change = Change.LAP
    every: int = 0


DEALS_USUAL, MINUTES_USUAL = 6, 20
"""How many deals, or minutes, a game lasts where nobody says."""


def mixed_settings(
    name: str, cards: Sequence[RuleCard], rules: HouseRules, wishes: Wishes, turning: Turning
) -> TableSettings:
    """The settings of a new table that plays these games in turn, beginning with the first.

    Raises:
        NotEnoughGames: fewer than two.
    """
    if len(cards) < 2:
        raise NotEnoughGames(why="a mixed table needs two games or more")
    seats = wishes.seats or min(min(card.options.max_seats, seats_allowed(card, card.options.deck)) for card in cards)
    singly = [house_settings(card, rules, replace(wishes, seats=seats)) for card in cards]
    games = tuple(Game(one.card, one.options, one.stakes) for one in singly)
    return replace(singly[0], rotation=turned(Rotation(name, games), turning))


def turned(rotation: Rotation, turning: Turning) -> Rotation:
    """The same games with another rule for changing them."""
    every = turning.every
    return replace(
        rotation,
        change=turning.change,
        deals=(every or DEALS_USUAL) if turning.change is Change.DEALS else 0,
        minutes=(every or MINUTES_USUAL) if turning.change is Change.TIME else 0,
    )


def other_games(settings: TableSettings, name: str, cards: Sequence[RuleCard], turning: Turning) -> TableSettings:
    """The settings with other games: one, or several in turn. Amounts are the usual ones for what the table plays for now; buy-ins and
    clocks stay, and the seats as far as the games allow."""
    own = settings.stakes
    unit = settings.unit + settings.unit % 2
    seats = min(settings.seats, *(seats_allowed(card, card.options.deck) for card in cards))
    games = []
    for card in cards:
        stakes = replace(
            usual_stakes(card, unit),
            min_buyin=own.min_buyin,
            max_buyin=own.max_buyin,
            turn_seconds=own.turn_seconds,
            bank_seconds=own.bank_seconds,
        )
        games.append(Game(card, replace(card.options, max_seats=seats), stakes))
    first = games[0]
    rotation = turned(Rotation(name, tuple(games)), turning) if len(games) > 1 else None
    return replace(settings, card=first.card, options=first.options, stakes=first.stakes, rotation=rotation)


def with_bomb(settings: TableSettings, card: RuleCard | None, when: BombWhen = BombWhen.VOTE) -> TableSettings:
    """The settings with this bomb pot, everybody's ante a big blind (VC-29); None takes it away."""
    if card is None:
        return replace(settings, bomb=None)
    unit = settings.unit + settings.unit % 2
    options = replace(card.options, max_seats=settings.seats)
    return replace(settings, bomb=Bomb(Game(card, options, usual_stakes(card, unit)), when))


def of_the_mixture(before: TableSettings, after: TableSettings) -> TableSettings:
    """At a mixed table, laws and stakes are changed for the game that is played now: it is changed in the rotation too."""
    rotation = before.rotation
    if rotation is None or after.rotation is not rotation:
        return after
    now = Game(after.card, after.options, after.stakes)
    games = tuple(now if one.card == before.card else one for one in rotation.games)
    return replace(after, rotation=replace(rotation, games=games))
