"""Validate the settings of a table, and changes of settings.

Laws: H-1, H-2, H-4, P-1 to P-6, 0.4, TC-1, TC-2, TC-7.
"""

from bot.engine.dealing.decks import max_seats_before_betting, max_seats_served
from bot.engine.mixes import Game, RotationChange
from bot.engine.options.register import validate_options
from bot.engine.options.values import StakesRule
from bot.engine.stakes import MAX_CHIPS, validate_stakes
from bot.table.adjustments import adjustment_is_possible
from bot.table.refusals import (
    ChipsCannotChange,
    DeckTooSmall,
    FirstGameNotInMix,
    InvalidNote,
    LossCapMissing,
    NotEnoughGames,
    NothingToChange,
    PracticeCannotChange,
    SeatCountBelowSeated,
    SeatCountOutOfBounds,
    SettingOutOfBounds,
    TableChipsNeedTableStakes,
    TooManyNotes,
)
from bot.table.seat_limits import seats_allowed
from bot.table.settings import (
    BANK_SECONDS_MAX,
    NOTE_LENGTH_MAX,
    NOTES_MAX,
    TURN_SECONDS_MAX,
    TURN_SECONDS_MIN,
    TableSettings,
    settings_for_game,
    starting_stack_bounds,
)
from bot.table.state import Proposal, Table

ROTATION_GAMES_MAX = 100
"""The most games of a mixture. There is room for every game of the catalogue, and all of them are stored with each table."""
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


def validate_settings(settings: TableSettings) -> None:
    """Check the settings of a table, as a whole.

    Raises:
        LawError: from the options (`validate_options`) or the stakes (`validate_stakes`).
        SeatCountOutOfBounds, DeckTooSmall: the game cannot be played by so many players, or so few.
        LossCapMissing: players can lose more than a pot, and the stakes have no cap.
        NotEnoughGames, FirstGameNotInMix: the mixture is incomplete.
        SettingOutOfBounds: a clock or another number is out of bounds.
        TooManyNotes, InvalidNote: the house rules in writing are too long.
        TableChipsNeedTableStakes: table chips, and a game without table stakes.
    """
    stakes = settings.stakes
    _validate_chips(settings)
    validate_game(Game(settings.rule_card, settings.options, stakes), settings.seat_count)
    _validate_rotation(settings)
    if len(settings.notes) > NOTES_MAX:
        raise TooManyNotes(maximum=NOTES_MAX)
    if any(not 0 < len(note) <= NOTE_LENGTH_MAX for note in settings.notes):
        raise InvalidNote(maximum=NOTE_LENGTH_MAX)
    if settings.bomb_pot is not None:
        bomb_pot_game = settings.bomb_pot.game
        seat_count = min(settings.seat_count, bomb_pot_game.rule_card.seats_max)  # it is not dealt to more players
        _validate_mixed_game(settings, bomb_pot_game, seat_count)
    _validate_range("turn_seconds", stakes.turn_seconds, TURN_SECONDS_MIN, TURN_SECONDS_MAX)
    _validate_range("bank_seconds", stakes.bank_seconds, 0, BANK_SECONDS_MAX)
    for name, minimum, maximum in _BOUNDS:
        _validate_range(name, getattr(settings, name), minimum, maximum)


def validate_starting_stack(settings: TableSettings) -> None:
    """Check a starting stack when it is chosen; a change of stakes leaves it as it is (TC-2).

    Raises:
        SettingOutOfBounds.
    """
    if settings.has_table_chips:
        minimum, maximum = starting_stack_bounds(settings)
        _validate_range("starting_stack", settings.starting_stack, minimum, min(maximum, MAX_CHIPS))


def _validate_chips(settings: TableSettings) -> None:
    if not settings.has_table_chips:
        return
    rotation, bomb_pot = settings.rotation, settings.bomb_pot
    games = [settings.options, *(game.options for game in (rotation.games if rotation is not None else ()))]
    games += [bomb_pot.game.options] if bomb_pot is not None else []
    if settings.practice or any(options.stakes is not StakesRule.TABLE for options in games):
        raise TableChipsNeedTableStakes


def validate_game(game: Game, seat_count: int) -> None:
    """Check one game: its options and amounts must fit each other and the rule card, and so must the number of seats (H-2, H-4, P-6).

    Raises:
        LawError: from the options or the stakes.
        LossCapMissing, SeatCountOutOfBounds, DeckTooSmall.
    """
    rule_card, options, stakes = game.rule_card, game.options, game.stakes
    validate_options(options)
    needed = tuple(
        name for name in rule_card.required_amounts if all(custom.requires(name) for custom in rule_card.customs)
    )
    validate_stakes(stakes, options, needed)
    if "cap" in rule_card.amounts and not stakes.cap and options.stakes is not StakesRule.TABLE:
        raise LossCapMissing
    allowed = seats_allowed(rule_card, options.deck)
    if rule_card.seats_min <= seat_count <= allowed:
        return
    if seat_count > allowed and allowed in (
        max_seats_served(rule_card, options.deck),
        max_seats_before_betting(rule_card, options.deck),
    ):
        raise DeckTooSmall(seat_count=seat_count, maximum=allowed)
    raise SeatCountOutOfBounds(
        law=rule_card.law_id, seat_count=seat_count, minimum=rule_card.seats_min, maximum=allowed
    )


def _validate_rotation(settings: TableSettings) -> None:
    rotation = settings.rotation
    if rotation is None:
        return
    if len(rotation.games) < 2:
        raise NotEnoughGames
    _validate_range("number_of_games", len(rotation.games), 2, ROTATION_GAMES_MAX)
    if all(game.rule_card != settings.rule_card for game in rotation.games):
        raise FirstGameNotInMix
    for game in rotation.games:
        _validate_mixed_game(settings, game, settings.seat_count)
    if rotation.change is RotationChange.HANDS:
        _validate_range("deals", rotation.hands, 1, 1000)
    if rotation.change is RotationChange.TIME:
        _validate_range("minutes", rotation.minutes, 1, _DAY_MINUTES)
    if rotation.change is RotationChange.DEALERS_CHOICE:
        _validate_range("default", rotation.default_game_index, 0, len(rotation.games) - 1)
        _validate_range("choice_seconds", rotation.choice_seconds, 5, 3600)


def _validate_mixed_game(settings: TableSettings, game: Game, seat_count: int) -> None:
    """Check a game of a mixed table, or a bomb pot, with the settings that it will be played by."""
    played = settings_for_game(settings, game)
    validate_game(Game(played.rule_card, played.options, played.stakes), seat_count)


def validate_settings_change(table: Table, settings: TableSettings) -> None:
    """Check new settings of a table, no matter who asks for them.

    Raises:
        NothingToChange, PracticeCannotChange, ChipsCannotChange, SeatCountBelowSeated, and what `validate_settings` raises.
    """
    if settings == table.settings:
        raise NothingToChange
    if settings.practice != table.settings.practice:
        raise PracticeCannotChange
    if settings.chips is not table.settings.chips:
        raise ChipsCannotChange
    validate_settings(settings)
    if settings.starting_stack != table.settings.starting_stack:
        validate_starting_stack(settings)
    highest = _highest_taken_seat(table)
    if highest > settings.seat_count:
        raise SeatCountBelowSeated(seat_count=settings.seat_count, highest_taken_seat=highest)


def _highest_taken_seat(table: Table) -> int:
    return max((seat.number for seat in table.seats), default=0)


def proposal_is_possible(table: Table, proposal: Proposal) -> bool:
    """Tell whether a proposal is still possible: its player is there, and there are enough seats, or chips in the stacks."""
    if table.seat_of(proposal.player) is None:
        return False
    if proposal.settings is not None:
        return _highest_taken_seat(table) <= proposal.settings.seat_count
    return adjustment_is_possible(table, proposal.stack_changes)


def _validate_range(name: str, value: int, minimum: int, maximum: int) -> None:
    if not minimum <= value <= maximum:
        raise SettingOutOfBounds(name=name, value=value, minimum=minimum, maximum=maximum)
