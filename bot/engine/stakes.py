"""The stakes of a table: every amount agreed before the first deal, in whole chips, and the clocks, in seconds.

Source: laws H-4, H-5, 0.5 ("amounts"), A-2, A-10, A-12, L-6, L-7.
"""

import msgspec

from bot.engine.errors import LawError
from bot.engine.options import Ante, FirstOpener, Limit, Options, Straddle, Switch

CHIPS_MAX = 10**12
"""The most chips any amount may be; a ledger of whole numbers needs an end somewhere."""


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """What a table plays for. 0 means the amount is not set: the game does not use it, or the law derives it.

    Attributes:
        ante: put in by everyone, by one player or by the big blind, as `ANTE` and `BLINDS_ANTE` say.
        straddle: the forced straddle of basic draw; 0 stands for twice the ante (A-10).
        small_bet, big_bet: the two sizes of limit play; 0 stands for the big blind and twice as much (L-7).
        bring_in: the forced bet of stud, up to the small bet.
        limit: L of `stake_limit`, the most that one raise may add (L-2); limit_after_draw: another L for the intervals after the first,
            0: the same (VB-3).
        doublings: n of `doubling_flat`, 3 or 4 (L-6).
        min_bet: the smallest first bet of an interval where the house wants more than the law's own (`MIN_BET`).
        price: what a bought card costs (VC-24).
        cap: the most that one deal may cost a player (VC-27).
        min_buyin, max_buyin: chips one may sit down with.
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


class StakesNotAgreed(LawError):
    """Amounts the game needs have not been set. `missing` names them as `Stakes` does."""

    law = "H-4"

    def __init__(self, *, missing: tuple[str, ...]) -> None:
        super().__init__(f"stakes not agreed: missing {', '.join(missing)}")
        self.missing = missing


class NotWholeChips(LawError):
    """An amount that is no whole number of at least one chip."""

    law = "H-5"

    def __init__(self, *, name: str, value: str) -> None:
        super().__init__(f"chips are whole; {value} is not a valid {name}")
        self.name, self.value = name, value


class AmountOutOfBounds(LawError):
    """An amount that another amount, or the register, bounds."""

    law = "H-4"

    def __init__(self, *, name: str, value: int, least: int, most: int) -> None:
        super().__init__(f"{name} {value} is outside {least} to {most}")
        self.name, self.value, self.least, self.most = name, value, least, most


class AnteTooLarge(LawError):
    """Under a stake limit, an ante of more than half of it: nobody could open at double."""

    law = "A-2"

    def __init__(self, *, ante: int, limit: int) -> None:
        super().__init__(f"an ante of {ante} is too large for the limit of {limit}; half the limit is the most")
        self.ante, self.limit = ante, limit


class StraddleTooSmall(LawError):
    """A forced straddle that does not exceed the ante."""

    law = "A-10"

    def __init__(self, *, straddle: int, ante: int) -> None:
        super().__init__(f"a straddle of {straddle} does not exceed the ante of {ante}")
        self.straddle, self.ante = straddle, ante


class BigBlindNotDouble(LawError):
    """Blinds in another ratio than one to two, without the house rule for it."""

    law = "A-12"

    def __init__(self, *, small_blind: int, big_blind: int) -> None:
        super().__init__(
            f"the big blind must be double the small: {2 * small_blind}, not {big_blind} (unless HOUSE_BLINDS is on)"
        )
        self.small_blind, self.big_blind = small_blind, big_blind


def whole_chips(name: str, value: object) -> int:
    """Read one amount as whole chips, from a number or its digits.

    Raises:
        NotWholeChips: it is no whole number, or less than one.
        AmountOutOfBounds: it is more than `CHIPS_MAX`.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise NotWholeChips(name=name, value=str(value))
    digits = str(value).strip().replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit()) or not digits.strip("0"):
        raise NotWholeChips(name=name, value=str(value))
    if len(digits) > len(str(CHIPS_MAX)) + 1 or int(digits) > CHIPS_MAX:
        raise AmountOutOfBounds(name=name, value=CHIPS_MAX + 1, least=1, most=CHIPS_MAX)
    return int(digits)


class UnknownAmount(LawError):
    """No amount of that name. `known` lists the names there are."""

    law = "H-2"

    def __init__(self, *, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown amount {name}; known: {', '.join(known)}")
        self.name, self.known = name, known


def check_amount(name: str, value: object) -> tuple[str, int]:
    """Rule on one amount as a host may type it. Returns its field in `Stakes` and the number.

    What amounts must be to one another is `check_stakes`'.

    Raises:
        UnknownAmount: no amount has that name.
        NotWholeChips, AmountOutOfBounds: not a number of at least one.
    """
    field = name.strip().lower().replace("-", "_").replace(" ", "_")
    field = {"l": "limit", "n": "doublings", "small": "small_bet", "big": "big_bet"}.get(field, field)
    if field not in Stakes.__struct_fields__:
        raise UnknownAmount(name=name, known=Stakes.__struct_fields__)
    if field == "bank_seconds" and str(value).strip() == "0":
        return field, 0
    return field, whole_chips(field, value)


def amounts_needed(options: Options) -> tuple[str, ...]:
    """Name the amounts that these options cannot do without, as fields of `Stakes`. A sheet may need more."""
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


def check_stakes(stakes: Stakes, options: Options, also: tuple[str, ...] = ()) -> None:
    """Rule on a table's stakes before its first deal. `also` names further amounts its sheet or its table needs.

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
        _within(name, value, 0, CHIPS_MAX)
    needed = (*amounts_needed(options), *also, "turn_seconds")
    missing = tuple(name for name in dict.fromkeys(needed) if not getattr(stakes, name))
    if missing:
        raise StakesNotAgreed(missing=missing)
    _check_forced_bets(stakes, options)
    _check_sizes(stakes, options)
    if stakes.max_buyin:
        _within("min_buyin", stakes.min_buyin, 0, stakes.max_buyin)


def bet_sizes(stakes: Stakes) -> tuple[int, int]:
    """Return the small and the big bet of limit play, in chips: as set, else the big blind and double (L-7)."""
    small = stakes.small_bet or stakes.big_blind
    return small, stakes.big_bet or 2 * small


def no_ante_line(options: Options, stakes: Stakes) -> str:
    """The stakes in short where nobody puts anything in before the cards: ``no ante, bets from 100``."""
    match options.limit:
        case Limit.LIMIT:
            small, big = bet_sizes(stakes)
            return f"{small:,}/{big:,} no ante"
        case Limit.STAKE_LIMIT:
            return f"no ante, limit {stakes.limit:,}"
        case Limit.DOUBLING_FLAT:
            return f"no ante, bets from {2 * stakes.ante:,}"  # the first rung of the ladder (L-6)
        case _:
            return f"no ante, bets from {stakes.min_bet:,}"


def straddle_chips(stakes: Stakes) -> int:
    """Return the forced straddle of basic draw: as set, else twice the ante (A-10)."""
    return stakes.straddle or 2 * stakes.ante


def _check_forced_bets(stakes: Stakes, options: Options) -> None:
    if options.ante is Ante.BLINDS:
        if options.house_blinds is Switch.ON:
            _within("small_blind", stakes.small_blind, 1, stakes.big_blind)
        elif stakes.big_blind != 2 * stakes.small_blind:
            raise BigBlindNotDouble(small_blind=stakes.small_blind, big_blind=stakes.big_blind)
    if options.ante is Ante.NONE and options.limit is not Limit.DOUBLING_FLAT:
        _within("ante", stakes.ante, 0, 0)  # an ante that is set is one that somebody pays; a ladder only counts in it
    if options.ante is Ante.LEFT_OF_DEALER and options.limit is Limit.STAKE_LIMIT and 2 * stakes.ante > stakes.limit:
        raise AnteTooLarge(ante=stakes.ante, limit=stakes.limit)
    if options.straddle is Straddle.FORCED_DOUBLE and straddle_chips(stakes) <= stakes.ante:
        raise StraddleTooSmall(straddle=stakes.straddle, ante=stakes.ante)


def _check_sizes(stakes: Stakes, options: Options) -> None:
    if options.limit is Limit.DOUBLING_FLAT:
        _within("doublings", stakes.doublings, 3, 4)
    if options.limit is Limit.LIMIT:
        small, big = bet_sizes(stakes)
        _within("big_bet", big, small, CHIPS_MAX)
    if stakes.min_bet:
        _within("min_bet", stakes.min_bet, *min_bet_bounds(stakes, options))
    if stakes.bring_in:
        _within("bring_in", stakes.bring_in, 1, _bring_in_most(stakes, options))


def min_bet_bounds(stakes: Stakes, options: Options) -> tuple[int, int]:
    """The least and most a house may ask for as the smallest first bet, in chips: never less than the law's own, never above the limit.

    The other amounts are in order. At pot limit the pot bounds it at the table; here only where it is a card's forced bet, whatever the
    pot: two antes are the least there can be in it.

    Source: law 0.5 `MIN_BET`.
    """
    match options.limit:
        case Limit.STAKE_LIMIT:
            return 1, min(stakes.limit, stakes.limit_after_draw or stakes.limit)
        case Limit.LIMIT:
            small, _ = bet_sizes(stakes)
            return small, small  # limit play has one size, nothing to choose
        case Limit.DOUBLING_FLAT:
            posted = options.ante is Ante.BLINDS or options.straddle is Straddle.FORCED_DOUBLE
            due = (4 if posted else 2) * _ladder_unit(stakes, options)
            return due, due
        case _:
            least = stakes.big_blind or stakes.ante or 1
            by_card = options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
            forced = options.limit is Limit.POT_LIMIT and by_card and stakes.ante and not stakes.bring_in
            return least, 2 * stakes.ante if forced else CHIPS_MAX


def _bring_in_most(stakes: Stakes, options: Options) -> int:
    """A forced bet is a first bet too (L-2, L-6, L-7); without sizes nothing but the stacks bounds it."""
    match options.limit:
        case Limit.STAKE_LIMIT:
            return min(stakes.limit, stakes.limit_after_draw or stakes.limit)
        case Limit.LIMIT:
            return bet_sizes(stakes)[0]
        case Limit.DOUBLING_FLAT:
            return 2 * _ladder_unit(stakes, options)
        case _:
            return CHIPS_MAX


def _ladder_unit(stakes: Stakes, options: Options) -> int:
    """What the doubling ladder counts in: the ante, or with blinds the small one (L-6)."""
    return stakes.small_blind if options.ante is Ante.BLINDS else stakes.ante


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise AmountOutOfBounds(name=name, value=value, least=least, most=most)
