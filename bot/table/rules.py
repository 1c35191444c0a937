"""What a table's settings, and a change of them, must satisfy.

Source: laws H-1 to H-4, P-1 to P-6, 0.4.
"""

from bot.engine.mixes import Change, Game
from bot.engine.options import Purse
from bot.engine.packs import seats_dealt, seats_served
from bot.engine.register import check_options
from bot.engine.stakes import CHIPS_MAX, check_stakes
from bot.table.errors import (
    CapBelowSeated,
    CapMissing,
    ChipsFromNowhere,
    GameSeats,
    NotEnoughGames,
    NothingToChange,
    NotSeated,
    PackCannotServe,
    PracticeIsForGood,
    SettingOutOfBounds,
)
from bot.table.pack import seats_allowed
from bot.table.settings import TURN_SECONDS_MAX, TURN_SECONDS_MIN, TableSettings, playing
from bot.table.state import ChipShift, Proposal, Table

GAMES_MOST = 100
"""Games of a mixture: room for every game there is; and all of them go with each record of the table."""
_DAY_MINUTES = 24 * 60
_BOUNDS = (
    ("bank_refill_seconds", 0, 3600),
    ("bank_refill_hands", 0, 1000),
    ("pause_seconds", 0, 3600),
    ("idle_minutes", 0, 7 * _DAY_MINUTES),
    ("absent_minutes", 0, 7 * _DAY_MINUTES),
    ("absent_orbits", 0, 1000),
    ("rebuy_minutes", 1, 7 * _DAY_MINUTES),
    ("offer_seconds", 10, 24 * 3600),
)


def check_settings(settings: TableSettings) -> None:
    """Rule on the settings of a table before its first deal, or on new ones.

    Raises:
        LawError: of the options (`check_options`) or the stakes (`check_stakes`).
        GameSeats, PackCannotServe: the game cannot be played by so many or so few.
        SettingOutOfBounds: a clock or another whole number is out of bounds.
    """
    stakes = settings.stakes
    check_game(Game(settings.card, settings.options, stakes), settings.seats)
    _check_rotation(settings)
    if settings.bomb is not None:
        _check_part(settings, settings.bomb.game, min(settings.seats, settings.bomb.game.card.seats_max))
    _within("turn_seconds", stakes.turn_seconds, TURN_SECONDS_MIN, TURN_SECONDS_MAX)
    _within("bank_seconds", stakes.bank_seconds, 0, TURN_SECONDS_MAX)
    for name, least, most in _BOUNDS:
        _within(name, getattr(settings, name), least, most)


def check_game(game: Game, seats: int) -> None:
    """Rule on one game: options and amounts that fit one another and its sheet, and so many seats (H-2, H-4, P-6).

    Raises:
        LawError: of the options or the stakes. GameSeats, PackCannotServe, CapMissing.
    """
    card, options, stakes = game.card, game.options, game.stakes
    check_options(options)
    needed = tuple(name for name in card.amounts if not (name == "price" and card.price_is_pot))
    check_stakes(stakes, options, needed)
    if card.match_pot and not stakes.cap and options.stakes is not Purse.TABLE:
        raise CapMissing
    allowed = seats_allowed(card, options.deck)
    if card.seats_min <= seats <= allowed:
        return
    if seats > allowed and allowed in (seats_served(card, options.deck), seats_dealt(card, options.deck)):
        raise PackCannotServe(seats=seats, most=allowed)
    raise GameSeats(sheet=card.sheet, seats=seats, least=card.seats_min, most=allowed)


def _check_rotation(settings: TableSettings) -> None:
    rotation = settings.rotation
    if rotation is None:
        return
    if len(rotation.games) < 2:
        raise NotEnoughGames(why="a mixed table needs two games or more")
    _within("number_of_games", len(rotation.games), 2, GAMES_MOST)
    if all(game.card != settings.card for game in rotation.games):
        raise NotEnoughGames(why="a mixed table begins with one of its own games")
    for game in rotation.games:
        _check_part(settings, game, settings.seats)
    if rotation.change is Change.DEALS:
        _within("deals", rotation.deals, 1, 1000)
    if rotation.change is Change.TIME:
        _within("minutes", rotation.minutes, 1, _DAY_MINUTES)
    if rotation.change is Change.CHOICE:
        _within("default", rotation.default, 0, len(rotation.games) - 1)
        _within("choice_seconds", rotation.choice_seconds, 5, 3600)


def _check_part(settings: TableSettings, game: Game, seats: int) -> None:
    """Rule on a game of a mixed table as it will be played, or on a bomb pot, which is dealt when no more than it seats play."""
    played = playing(settings, game)
    check_game(Game(played.card, played.options, played.stakes), seats)


def check_change(table: Table, settings: TableSettings) -> None:
    """Rule on new settings of a table, whoever asks for them.

    Raises:
        NothingToChange, PracticeIsForGood, CapBelowSeated, and what `check_settings` raises.
    """
    if settings == table.settings:
        raise NothingToChange
    if settings.practice != table.settings.practice:
        raise PracticeIsForGood
    check_settings(settings)
    highest = max((seat.number for seat in table.seats), default=0)
    if highest > settings.seats:
        raise CapBelowSeated(seats=settings.seats, seated=highest)


def check_shifts(table: Table, shifts: tuple[ChipShift, ...]) -> None:
    """Rule on an equitable adjustment: it moves chips between seats, makes none, and takes from nobody what he has not (H-3).

    Raises:
        NotSeated, ChipsFromNowhere.
    """
    total = sum(shift.chips for shift in shifts)
    if total or not shifts:
        raise ChipsFromNowhere(total=total)
    stacks = {seat.player: seat.stack for seat in table.seats}
    for shift in shifts:
        if shift.player not in stacks:
            raise NotSeated(player=shift.player)
        stacks[shift.player] += shift.chips
    for player, stack in stacks.items():
        if stack < 0:
            raise ChipsFromNowhere(total=total, player=player)


def proposal_fits(table: Table, proposal: Proposal) -> bool:
    """Tell whether what is proposed can still be done: who proposed it is there, the seats and stacks suffice."""
    if table.seat_of(proposal.player) is None:
        return False
    if proposal.settings is not None:
        return max((seat.number for seat in table.seats), default=0) <= proposal.settings.seats
    stacks = {seat.player: seat.stack for seat in table.seats}
    for shift in proposal.shifts:
        stacks[shift.player] = (
            stacks.get(shift.player, -CHIPS_MAX) + shift.chips
        )  # who has left has nothing to give or take
    return all(stack >= 0 for stack in stacks.values())


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise SettingOutOfBounds(name=name, value=value, least=least, most=most)
