"""The stakes of a table: every amount agreed before the first hand, in whole chips, and the clocks, in seconds.

Source: laws H-4, H-5, 0.5 ("amounts"), A-2, A-10, A-12, L-6, L-7.
"""

import msgspec

from bot.engine.errors import LawError
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, FirstOpener, Limit, StraddleRule, Switch

MAX_CHIPS = 10**12
"""The maximum of any amount, in chips; a ledger of whole numbers needs an end somewhere."""


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """What a table plays for. 0 means the amount is not set: the game does not use it, or the law derives it.

    Attributes:
        ante: paid by everyone, by one player or by the big blind, as `ANTE` and `BLINDS_ANTE` say.
        straddle: the forced straddle of basic draw; 0 stands for twice the ante (A-10).
        button_blind: the live blind of the button in short deck; 0 stands for one ante (VC-17).
        small_bet: the small size of limit play; 0 stands for the big blind (L-7).
        big_bet: the big size of limit play; 0 stands for twice the small one.
        bring_in: the forced bet of stud, up to the small bet.
        limit: L of `stake_limit`, the maximum that one raise adds (L-2).
        limit_after_draw: another L for the betting rounds after the first; 0: the same (VB-3).
        doublings: n of `doubling_flat`, 3 or 4 (L-6).
        min_bet: the smallest first bet of a betting round where the house wants more than the law's own (`MIN_BET`).
        price: what a bought card costs (VC-24).
        cap: the maximum that one hand can cost a player (VC-27).
        min_buyin: the minimum that a player sits down with.
        max_buyin: the maximum that a player sits down with.
        turn_seconds: the clock for one action (TL-30).
        bank_seconds: the reserve behind the clock (TL-31).
    """

    ante: int = 0
    straddle: int = 0
    small_blind: int = 0
    big_blind: int = 0
    small_bet: int = 0
    big_bet: int = 0
    bring_in: int = 0
    limit: int = 0
    doublings: int = 0
    min_bet: int = 0
    price: int = 0
    cap: int = 0
    limit_after_draw: int = 0
    min_buyin: int = 0
    max_buyin: int = 0
    turn_seconds: int = 30
    bank_seconds: int = 0
    button_blind: int = 0


class StakesNotAgreed(LawError, law="H-4"):
    """Amounts that the game needs have not been set. `missing` are fields of `Stakes`."""

    missing: tuple[str, ...]


class NotWholeChips(LawError, law="H-5"):
    """An amount that is not a whole number of at least one chip. `name` is a field of `Stakes` or an option."""

    name: str
    value: str


class AmountOutOfBounds(LawError, law="H-4"):
    """An amount is outside the bounds that another amount, or the register, sets. `name` is a field of `Stakes` or an option."""

    name: str
    value: int
    minimum: int
    maximum: int


class AnteTooLarge(LawError, law="A-2"):
    """Under a stake limit the ante is at most half of it (`maximum`): nobody could open at double."""

    maximum: int


class StraddleTooSmall(LawError, law="A-10"):
    """A forced straddle does not exceed the ante."""

    ante: int


class BigBlindNotDouble(LawError, law="A-12"):
    """The blinds are in another ratio than one to two, without the house rule for it. `required` is double the small blind."""

    required: int


def parse_chips(name: str, value: object) -> int:
    """Read one amount as whole chips, from a number or its digits.

    Raises:
        NotWholeChips: it is no whole number, or less than one.
        AmountOutOfBounds: it is more than `MAX_CHIPS`.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise NotWholeChips(name=name, value=str(value))
    digits = str(value).strip().replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit()) or not digits.strip("0"):
        raise NotWholeChips(name=name, value=str(value))
    if len(digits) > len(str(MAX_CHIPS)) + 1 or int(digits) > MAX_CHIPS:
        raise AmountOutOfBounds(name=name, value=MAX_CHIPS + 1, minimum=1, maximum=MAX_CHIPS)
    return int(digits)


def required_amounts(options: Options) -> tuple[str, ...]:
    """Name the amounts that these options need, as fields of `Stakes`. A game can need more."""
    needed: list[str] = []
    if options.ante is Ante.BLINDS:
        needed += ["small_blind", "big_blind"]
    elif options.ante is not Ante.NONE:
        needed.append("ante")
    if options.limit is Limit.STAKE_LIMIT:
        needed.append("limit")
    elif options.limit is Limit.DOUBLING_FLAT:
        needed.append("doublings")
        if options.ante is Ante.NONE:
            needed.append("ante")  # the ladder counts in antes; where there are blinds, in small blinds (L-6)
    elif options.limit is Limit.LIMIT and options.ante is not Ante.BLINDS:
        needed += ["small_bet", "big_bet"]
    elif options.ante is Ante.NONE:
        needed.append("min_bet")  # without blind and ante nothing else says what a bet is
    return tuple(needed)


def validate_stakes(stakes: Stakes, options: Options, also_required: tuple[str, ...] = ()) -> None:
    """Refuse stakes that a table cannot play for. `also_required` names further amounts that its game or the table needs.

    Raises:
        NotWholeChips: an amount is negative.
        StakesNotAgreed: an amount that is needed is missing.
        BigBlindNotDouble, AnteTooLarge, StraddleTooSmall, AmountOutOfBounds: amounts that do not fit one another.

    Source: laws H-4, H-5, A-2, A-10, A-12, L-6, L-7, 0.5.
    """
    for name in stakes.__struct_fields__:
        value = getattr(stakes, name)
        if value < 0:
            raise NotWholeChips(name=name, value=str(value))
        _require_within(name, value, 0, MAX_CHIPS)
    needed = (*required_amounts(options), *also_required, "turn_seconds")
    missing = tuple(name for name in dict.fromkeys(needed) if not getattr(stakes, name))
    if missing:
        raise StakesNotAgreed(missing=missing)
    _validate_forced_bets(stakes, options)
    _validate_bet_sizes(stakes, options)
    if stakes.max_buyin:
        _require_within("min_buyin", stakes.min_buyin, 0, stakes.max_buyin)


def bet_sizes(stakes: Stakes) -> tuple[int, int]:
    """Return the small and the big bet of limit play, in chips: as set, else the big blind and double (L-7)."""
    small = stakes.small_bet or stakes.big_blind
    return small, stakes.big_bet or 2 * small


def forced_straddle_chips(stakes: Stakes) -> int:
    """Return the forced straddle of basic draw: as set, else twice the ante (A-10)."""
    return stakes.straddle or 2 * stakes.ante


def smallest_open_bet(stakes: Stakes, options: Options) -> int:
    """Return the law's own smallest bet at no limit and pot limit, in chips: the big blind, or the forced straddle, which counts as one;
    without them the ante (0.5 `MIN_BET`, VB-2)."""
    if options.ante is Ante.LEFT_OF_DEALER and options.straddle is StraddleRule.FORCED_DOUBLE:
        return forced_straddle_chips(stakes)
    return stakes.big_blind or stakes.ante or 1


def _validate_forced_bets(stakes: Stakes, options: Options) -> None:
    if options.ante is Ante.BLINDS:
        if options.house_blinds is Switch.ON:
            _require_within("small_blind", stakes.small_blind, 1, stakes.big_blind)
        elif stakes.big_blind != 2 * stakes.small_blind:
            raise BigBlindNotDouble(required=2 * stakes.small_blind)
    if options.ante is Ante.NONE and options.limit is not Limit.DOUBLING_FLAT:
        _require_within(
            "ante", stakes.ante, 0, 0
        )  # somebody would have to pay an ante that is set; a ladder only counts in it
    if options.ante is Ante.LEFT_OF_DEALER and options.limit is Limit.STAKE_LIMIT and 2 * stakes.ante > stakes.limit:
        raise AnteTooLarge(maximum=stakes.limit // 2)
    if options.straddle is StraddleRule.FORCED_DOUBLE and forced_straddle_chips(stakes) <= stakes.ante:
        raise StraddleTooSmall(ante=stakes.ante)
    if stakes.button_blind:
        _require_within("button_blind", stakes.button_blind, stakes.ante, MAX_CHIPS)


def _validate_bet_sizes(stakes: Stakes, options: Options) -> None:
    if options.limit is Limit.DOUBLING_FLAT:
        _require_within("doublings", stakes.doublings, 3, 4)
    if options.limit is Limit.LIMIT:
        small, big = bet_sizes(stakes)
        _require_within("big_bet", big, small, MAX_CHIPS)
    if stakes.min_bet:
        _require_within("min_bet", stakes.min_bet, *min_bet_bounds(stakes, options))
    if stakes.bring_in:
        _require_within("bring_in", stakes.bring_in, 1, _max_bring_in(stakes, options))


def min_bet_bounds(stakes: Stakes, options: Options) -> tuple[int, int]:
    """The minimum and maximum that a house can ask for as the smallest first bet, in chips: within the law's own minimum and the limit.

    The other amounts must have been checked. At pot limit the pot bounds the bet at the table. Here it does so only where the bet is
    forced by a card, whatever the pot: at least two antes are in it.

    Source: law 0.5 `MIN_BET`.
    """
    match options.limit:
        case Limit.STAKE_LIMIT:
            return 1, min(stakes.limit, stakes.limit_after_draw or stakes.limit)
        case Limit.LIMIT:
            small, _ = bet_sizes(stakes)
            return small, small  # limit play has one size, nothing to choose
        case Limit.DOUBLING_FLAT:
            posted = options.ante is Ante.BLINDS or options.straddle is StraddleRule.FORCED_DOUBLE
            size = (4 if posted else 2) * ladder_unit(stakes, options)
            return size, size
        case _:
            minimum = smallest_open_bet(stakes, options)
            by_card = options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
            forced = options.limit is Limit.POT_LIMIT and by_card and stakes.ante and not stakes.bring_in
            return minimum, 2 * stakes.ante if forced else MAX_CHIPS


def _max_bring_in(stakes: Stakes, options: Options) -> int:
    """The maximum of a bring-in, which is a first bet too (L-2, L-6, L-7); without bet sizes only the stacks bound it."""
    match options.limit:
        case Limit.STAKE_LIMIT:
            return min(stakes.limit, stakes.limit_after_draw or stakes.limit)
        case Limit.LIMIT:
            return bet_sizes(stakes)[0]
        case Limit.DOUBLING_FLAT:
            return 2 * ladder_unit(stakes, options)
        case _:
            return MAX_CHIPS


def ladder_unit(stakes: Stakes, options: Options) -> int:
    """What the doubling ladder counts in: the ante, or with blinds the small one (L-6)."""
    return stakes.small_blind if options.ante is Ante.BLINDS else stakes.ante


def _require_within(name: str, value: int, minimum: int, maximum: int) -> None:
    if not minimum <= value <= maximum:
        raise AmountOutOfBounds(name=name, value=value, minimum=minimum, maximum=maximum)
