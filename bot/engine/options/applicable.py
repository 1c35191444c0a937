"""Which options of the register decide anything for a game: only these are offered to a table.

Source: laws H-1, H-2, 0.5, 0.6.
"""

from msgspec.structs import replace

from bot.engine.options.register import REGISTER, RegisteredOption, with_option
from bot.engine.options.types import Options
from bot.engine.options.values import Limit, RaiseCap
from bot.engine.rule_card import RuleCard


def applicable_options(card: RuleCard, options: Options) -> tuple[RegisteredOption, ...]:
    """List the options that decide something at this game under these options, in the register's order.

    `card` is the game as it is played, with what its own options have changed. Each option holds only the values that the game can be
    played with; one with a single value is left out, because there is nothing to choose.
    """
    found = []
    for option in REGISTER:
        if not option.values:
            if option.where(card, options):
                found.append(option)
            continue
        there = _values_there(option, card, options)
        if len(there) > 1:
            found.append(replace(option, values=tuple(value for value in option.values if value in there)))
    return tuple(found)


def reconcile_options(card: RuleCard, options: Options) -> Options:
    """Change each option that no longer goes with the others: to the game's own value, else to the first that fits.

    When blinds come, for example, a forced straddle goes; a joker that is added is wild until the table says otherwise.
    """
    for option in REGISTER:
        there = _values_there(option, card, options)
        if there and str(getattr(options, option.field)) not in there:
            own = str(getattr(card.options, option.field))
            options = with_option(options, option.field, own if own in there else there[0])
    return options


_UNCAPPED_LIMITS = (Limit.DOUBLING_FLAT, Limit.STAKE_LIMIT)


def raise_cap_after_limit(before: Options, limit: Limit, own: RaiseCap) -> RaiseCap:
    """The raise cap when a game played under the options `before` goes over to another limit; `own` is the game's.

    A doubling ladder and a stake limit bring none. A table can set one there all the same (L-10).

    Source: laws 0.5 `RAISE_CAP`, VB-12.
    """
    if limit in _UNCAPPED_LIMITS:
        return RaiseCap.NONE
    return own if before.limit in _UNCAPPED_LIMITS else before.raise_cap


def _values_there(option: RegisteredOption, card: RuleCard, options: Options) -> tuple[str, ...]:
    """The values an option can have at this game, the preferred one first; none where it decides nothing or is an amount."""
    if option.values_there is not None:
        return option.values_there(card, options)
    return option.values if option.where(card, options) else ()
