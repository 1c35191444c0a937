"""What a table's settings, and a change of them, must satisfy.

Source: laws H-1 to H-4, P-1 to P-6, 0.4.
"""

from bot.engine.register import check_options
from bot.engine.stakes import CHIPS_MAX, check_stakes
from bot.table.errors import (
    CapBelowSeated,
    ChipsFromNowhere,
    GameSeats,
    NothingToChange,
    NotSeated,
    PackCannotServe,
    PracticeIsForGood,
    SettingOutOfBounds,
)
from bot.table.pack import seats_allowed
from bot.table.settings import TURN_SECONDS_MAX, TURN_SECONDS_MIN, TableSettings
from bot.table.state import ChipShift, Proposal, Table

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
    options, stakes, card = settings.options, settings.stakes, settings.card
    check_options(options)
    check_stakes(stakes, options)
    _within("turn_seconds", stakes.turn_seconds, TURN_SECONDS_MIN, TURN_SECONDS_MAX)
    _within("bank_seconds", stakes.bank_seconds, 0, TURN_SECONDS_MAX)
    for name, least, most in _BOUNDS:
        _within(name, getattr(settings, name), least, most)
    allowed = seats_allowed(card, options.deck)
    if settings.seats > allowed:
        raise PackCannotServe(seats=settings.seats, most=allowed)
    if settings.seats < card.seats_min:
        raise GameSeats(sheet=card.sheet, seats=settings.seats, least=card.seats_min, most=allowed)


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
