"""Tables of several games, and bomb pots: composed from the settings of single games, each with its own options and stakes.

Laws: VC-28, VC-29, H-4.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.mixes import BombPot, BombPotTrigger, Game, Rotation, RotationChange
from bot.engine.rule_card import RuleCard
from bot.engine.usual_stakes import usual_stakes
from bot.house.rules import HouseRules
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.table.refusals import NotEnoughGames
from bot.table.seat_limits import seats_allowed
from bot.table.settings import TableSettings


class GameChangeRule(Struct, frozen=True):
    """When a mixed table goes on to its next game: after `every` hands or minutes. 0 is the default, or a change that needs no number."""

    change: RotationChange = RotationChange.LAP
    every: int = 0


DEFAULT_HANDS_PER_GAME, DEFAULT_MINUTES_PER_GAME = 6, 20
"""How many hands, or minutes, a game lasts by default."""


def mixed_settings(
    name: str, cards: Sequence[RuleCard], rules: HouseRules, table_request: NewTableRequest, change_rule: GameChangeRule
) -> TableSettings:
    """Return the settings of a new table that plays these games in turn, from the first on.

    Raises:
        NotEnoughGames: there are fewer than two.
    """
    if len(cards) < 2:
        raise NotEnoughGames
    seats = table_request.seats or min(
        min(card.options.max_seats, seats_allowed(card, card.options.deck)) for card in cards
    )
    singly = [default_table_settings(card, rules, replace(table_request, seats=seats)) for card in cards]
    games = tuple(Game(one.rule_card, one.options, one.stakes) for one in singly)
    return replace(singly[0], rotation=with_change_rule(Rotation(name, games), change_rule))


def with_change_rule(rotation: Rotation, change_rule: GameChangeRule) -> Rotation:
    """Return the same games with another rule for changing them."""
    every = change_rule.every
    return replace(
        rotation,
        change=change_rule.change,
        hands=(every or DEFAULT_HANDS_PER_GAME) if change_rule.change is RotationChange.HANDS else 0,
        minutes=(every or DEFAULT_MINUTES_PER_GAME) if change_rule.change is RotationChange.TIME else 0,
    )


def with_games(
    settings: TableSettings, name: str, cards: Sequence[RuleCard], change_rule: GameChangeRule
) -> TableSettings:
    """Return the settings with other games: one, or several in turn.

    Amounts are the usual ones for the table's present big blind. Buy-ins and clocks stay as they are, and so do the seats as far as the
    games allow."""
    own = settings.stakes
    unit = settings.buy_in_unit + settings.buy_in_unit % 2
    seats = min(settings.seat_count, *(seats_allowed(card, card.options.deck) for card in cards))
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
    rotation = with_change_rule(Rotation(name, tuple(games)), change_rule) if len(games) > 1 else None
    return replace(settings, rule_card=first.rule_card, options=first.options, stakes=first.stakes, rotation=rotation)


def with_bomb_pot(
    settings: TableSettings, card: RuleCard | None, when: BombPotTrigger = BombPotTrigger.VOTE
) -> TableSettings:
    """Return the settings with this bomb pot, in which every ante is a big blind (VC-29); None for no bomb pot."""
    if card is None:
        return replace(settings, bomb_pot=None)
    unit = settings.buy_in_unit + settings.buy_in_unit % 2
    options = replace(card.options, max_seats=settings.seat_count)
    return replace(settings, bomb_pot=BombPot(Game(card, options, usual_stakes(card, unit)), when))


def copied_into_rotation(before: TableSettings, after: TableSettings) -> TableSettings:
    """Copy changed options and stakes of a mixed table's present game into its rotation."""
    rotation = before.rotation
    if rotation is None or after.rotation is not rotation:
        return after
    current = Game(after.rule_card, after.options, after.stakes)
    games = tuple(current if one.rule_card == before.rule_card else one for one in rotation.games)
    return replace(after, rotation=replace(rotation, games=games))
