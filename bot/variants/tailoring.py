"""Making a game to a table's own taste: one option of its laws changed, on its card too where the option is its own sheet's.

Source: laws H-1, H-2, 0.5; issue 3, point 6.
"""

from bot.engine.card import RuleCard
from bot.engine.options import Options
from bot.engine.register import with_option
from bot.engine.register_entries import Entry
from bot.variants.finding import UnknownGame, base_game
from bot.variants.honoured import honoured
from bot.variants.sheet_options import with_sheet_option

SHEET = "sheet."
"""What stands before the word of a sheet's own option, where its whole name would be too long."""


def taste_of(card: RuleCard, options: Options) -> tuple[tuple[str, Entry, str], ...]:
    """What may be changed at this game: a short name for each option, its entry, and its value now."""
    own = dict(options.sheet)
    found = []
    for entry in honoured(_plain(card), options):
        if entry.field in Options.__struct_fields__:
            found.append((entry.field, entry, str(getattr(options, entry.field))))
        elif entry.choices:  # what has none is an amount, and agreed on with the stakes
            found.append((short(entry), entry, own.get(entry.name, entry.choices[0].value)))
    return tuple(found)


def short(entry: Entry) -> str:
    """The short name of a sheet's own option: ``sheet.pair_doubles``."""
    return SHEET + entry.name.partition(".")[2]


def tailored(card: RuleCard, options: Options, name: str, value: str) -> tuple[RuleCard, Options]:
    """The game with one option changed; `name` as `taste_of` has it.

    Raises:
        LawError: there is no such option, or it has no such value.
    """
    plain = _plain(card)
    entry = next((entry for known, entry, _ in taste_of(card, options) if known == name), None)
    if entry is not None and name.startswith(SHEET):
        return with_sheet_option(plain, options, entry.name, value)
    return card, with_option(options, name, value)


def _plain(card: RuleCard) -> RuleCard:
    """The game without any option of its sheet set; one that is in no catalogue is itself."""
    try:
        return base_game(card)
    except UnknownGame:
        return card
