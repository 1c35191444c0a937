"""Change single options of a game, on its card too where the option is the game's own.

Source: laws H-1, H-2, 0.5.
"""

from functools import lru_cache

from msgspec.structs import replace

from bot.engine.options.applicable import applicable_options, raise_cap_after_limit, reconcile_options
from bot.engine.options.register import RegisteredOption, option_code, with_option
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.variants.catalogue import UnknownGame, base_game
from bot.variants.sheet_options import apply_sheet_options, sheet_options

SHEET_PREFIX = "sheet."
"""Stands before the word of a game's own option, where its whole name would be too long."""
_REMEMBERED = 100
"""A page of settings asks several times what a table's game offers, and every part of a change does again: each takes 0.3 ms."""
LAW_PREFIX = "law."
"""Stands before an option that has the name of an amount: who pays the ante is an option, how much it is a stake."""


@lru_cache(maxsize=_REMEMBERED)
def offered_options(card: RuleCard, options: Options) -> tuple[tuple[str, RegisteredOption, str], ...]:
    """List what can be changed at this game: a short name for each option, the option, and its value now.

    The options of the register come first, then the game's own.
    """
    found = [
        (option.field, option, option_code(options, option.field))
        for option in applicable_options(card, options)
        if option.field in Options.__struct_fields__  # an amount is agreed on with the stakes
    ]
    own = dict(options.sheet)
    of_the_game = sheet_options(replace(card, options=options))
    found += [(short_option_name(option), option, own.get(option.name, option.values[0])) for option in of_the_game]
    return tuple(found)


def short_option_name(option: RegisteredOption) -> str:
    """Return the short name of a game's own option: ``sheet.pair_doubles``."""
    return SHEET_PREFIX + option.name.partition(".")[2]


def change_option(card: RuleCard, options: Options, name: str, value: str) -> tuple[RuleCard, Options]:
    """Change one option of a game, and with it whatever does not go with the change; `name` as in `offered_options`.

    Raises:
        LawError: there is no such option, or it has no such value.
    """
    plain = _without_sheet_options(card)
    option = next((option for known, option, _ in offered_options(card, options) if known == name), None)
    if option is not None and name.startswith(SHEET_PREFIX):
        chosen = with_option(options, option.name, value, (option,))
    else:
        chosen = with_option(options, name, value)
        if chosen.limit is not options.limit:
            cap = raise_cap_after_limit(options, chosen.limit, plain.options.raise_cap)
            chosen = replace(chosen, raise_cap=cap)
    return _reconcile_card_and_options(plain, chosen)


def _reconcile_card_and_options(plain: RuleCard, options: Options) -> tuple[RuleCard, Options]:
    """Return the card to play under these options, and the options as they go with it and with one another."""
    for _ in range(_MAX_RECONCILE_ROUNDS):
        with_options = replace(plain, options=options)
        own = {option.name for option in sheet_options(with_options)}
        sheet = tuple(one for one in options.sheet if one[0] in own)
        card = replace(apply_sheet_options(with_options, options), options=plain.options)
        after = reconcile_options(card, replace(options, sheet=sheet))
        if after == options:
            return card, options
        options = after
    raise AssertionError(f"options that never settle: {plain.key}, {options}")


_MAX_RECONCILE_ROUNDS = 10
"""One option can bring another with it, and that one a third; none of them goes in a circle."""


def _without_sheet_options(card: RuleCard) -> RuleCard:
    """Return the game with none of its own options set; a game outside the catalogue is itself."""
    try:
        return base_game(card)
    except UnknownGame:
        return card
