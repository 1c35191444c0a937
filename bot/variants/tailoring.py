"""Making a game to a table's own taste: one option of its laws changed, on its card too where the option is its own sheet's.

Source: laws H-1, H-2, 0.5; issue 3, point 6.
"""

from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.options import Options
from bot.engine.register import with_option
from bot.engine.register_entries import Entry
from bot.variants.finding import UnknownGame, base_game
from bot.variants.honoured import honoured, settled
from bot.variants.sheet_options import played_by, sheet_entries

SHEET = "sheet."
"""What stands before the word of a sheet's own option, where its whole name would be too long."""
LAW = "law."
"""What stands before an option that is called as an amount is: who pays the ante is a law, how much it is a stake."""


def taste_of(card: RuleCard, options: Options) -> tuple[tuple[str, Entry, str], ...]:
    """What may be changed at this game: a short name for each option, its entry, and its value now."""
    own = dict(options.sheet)
    found = []
    for entry in honoured(card, options):
        if entry.field in Options.__struct_fields__:
            found.append((entry.field, entry, str(getattr(options, entry.field))))
        elif entry.choices:  # what has none is an amount, and agreed on with the stakes
            found.append((short(entry), entry, own.get(entry.name, entry.choices[0].value)))
    return tuple(found)


def short(entry: Entry) -> str:
    """The short name of a sheet's own option: ``sheet.pair_doubles``."""
    return SHEET + entry.name.partition(".")[2]


def tailored(card: RuleCard, options: Options, name: str, value: str) -> tuple[RuleCard, Options]:
    """The game with one option changed, and with it whatever does not go with that; `name` as `taste_of` has it.

    Raises:
        LawError: there is no such option, or it has no such value.
    """
    plain = _plain(card)
    entry = next((entry for known, entry, _ in taste_of(card, options) if known == name), None)
    if entry is not None and name.startswith(SHEET):
        chosen = with_option(options, entry.name, value, (entry,))
    else:
        chosen = with_option(options, name, value)
    return _together(plain, chosen)


def _together(plain: RuleCard, options: Options) -> tuple[RuleCard, Options]:
    """The card to play by these options, and the options as they go with it and with one another."""
    for _ in range(_SETTLES_WITHIN):
        under = replace(plain, options=options)
        own = {entry.name for entry in sheet_entries(under)}
        sheet = tuple(one for one in options.sheet if one[0] in own)
        card = replace(played_by(under, options), options=plain.options)
        after = settled(card, replace(options, sheet=sheet))
        if after == options:
            return card, options
        options = after
    raise AssertionError(f"options that never settle: {plain.key}, {options}")


_SETTLES_WITHIN = 10
"""One option may bring another with it, and that a third; there is no circle among them."""


def _plain(card: RuleCard) -> RuleCard:
    """The game without any option of its sheet set; one that is in no catalogue is itself."""
    try:
        return base_game(card)
    except UnknownGame:
        return card
