"""The settings of a table: their names, their values, and what is said when one changes."""

from __future__ import annotations

from bot.table.picture_colours import Deck, Felt
from bot.table.settings import Nudge, Pictures, RaiseSize, TableSettings
from bot.table.view import TableView
from bot.text.language import Message, message, number, t
from bot.text.legal_actions import number_range
from bot.text.lobby import table_title
from bot.text.options import OptionWords, ValueWords
from bot.text.table_chips import REBUY_SETTING

CHANGE = message("Change…")
HOUSE_RULES = message("House rules")
_RULES_HEADING = message(
    "### Table {number} · house rules\nEach line says what is played now. Choose one to change it.\n"
    "-# Rules change between hands, once everyone seated agrees."
)
CHANGE_A_LAW = message("Change a house rule…")
MORE_LAWS = message("More house rules…")
CHOOSE_VALUE = message("{setting}…")
CONSENT_NEEDED = message("-# Rules and stakes change between hands, once everyone seated agrees.")
_SETTING = message("{setting}: **{value}**")
_SETTING_NOW = message("### {setting}\nNow **{value}**.")
_SETTING_ASKED = message("### {setting}\n{question}\nNow **{value}**.")
_BUY_IN = message("Buy-in")
_PROPOSED = message("Proposed: {setting} **{value}**. It counts once everyone seated agrees.")
_CHANGED = message("Changed: {setting} **{value}**.")
_HEADING = message("### Table {number} · settings\n{game}")

SETTING_NAMES: dict[str, Message] = {
    "max_seats": message("Seats"),
    "turn_seconds": message("Time to act"),
    "bank_seconds": message("Time bank"),
    "min_buyin": message("Minimum buy-in"),
    "max_buyin": message("Maximum buy-in"),
    "starting_stack": message("Starting stack"),
    "figures": message("Hands count in home-game figures"),
    "nudge": message("Turn reminder"),
    "raise_sizes": message("Raise buttons"),
    "auto_start": message("Deal next hand automatically"),
    "pause_seconds": message("Pause between hands"),
    "ask_show": message("Ask before showing"),
}
STAKE_NAMES: dict[str, Message] = {
    "big_blind": message("Blinds"),
    "small_blind": message("Small blind"),
    "ante": message("Ante"),
    "straddle": message("Forced straddle"),
    "button_blind": message("Button blind"),
    "bring_in": message("Bring-in"),
    "small_bet": message("Small bet"),
    "big_bet": message("Big bet"),
    "min_bet": message("Minimum bet"),
    "limit": message("Maximum raise"),
    "limit_after_draw": message("Maximum raise after the draw"),
    "doublings": message("Number of doublings"),
    "price": message("Price of a card"),
    "cap": message("Maximum to match"),
}
"""What a table plays for. Both blinds are one setting."""
LADDER_UNIT = message("Unit of the doubling ladder")
"""The ante where nobody antes: a doubling ladder counts in it (L-6)."""
NUDGES: dict[Nudge, Message] = {
    Nudge.AT_ONCE: message("at once"),
    Nudge.LATER: message("after 8 s"),
    Nudge.NEVER: message("never"),
}
RAISE_SIZES: dict[RaiseSize, Message] = {
    RaiseSize.THIRD: message("⅓ pot"),
    RaiseSize.HALF: message("½ pot"),
    RaiseSize.TWO_THIRDS: message("⅔ pot"),
    RaiseSize.THREE_QUARTERS: message("¾ pot"),
    RaiseSize.POT: message("pot"),
}
PICTURE_SETTINGS: dict[str, OptionWords] = {
    "pictures": OptionWords(
        message("Pictures"),
        message("When is the table shown as a picture?"),
        {
            Pictures.PER_STREET: ValueWords(
                message("per street"), message("A picture comes with the deal, with each street and with the result.")
            ),
            Pictures.TEXT_ONLY: ValueWords(message("text only"), message("No picture is sent; the text says it all.")),
        },
    ),
    "picture_deck": OptionWords(
        message("Cards in the picture"),
        message("Which colours do the suits have in the picture?"),
        {
            Deck.FOUR_COLOURS: ValueWords(
                message("four colours"), message("Spades are black, hearts red, diamonds blue and clubs green.")
            ),
            Deck.TWO_COLOURS: ValueWords(
                message("two colours"), message("Spades and clubs are black, hearts and diamonds red.")
            ),
            Deck.FILLED: ValueWords(
                message("filled"), message("Each card is filled with the colour of its suit, one of four.")
            ),
        },
    ),
    "felt": OptionWords(
        message("Felt"),
        message("Which colour does the table have in the picture?"),
        {
            Felt.CASH: ValueWords(message("green"), message("The table is green.")),
            Felt.TOURNAMENT: ValueWords(message("blue"), message("The table is blue.")),
        },
    ),
}
"""How the table is drawn: the name of each setting, the question that its values answer, and the words of each value."""
WORD_SETTINGS: dict[str, OptionWords] = {**PICTURE_SETTINGS, "rebuy": REBUY_SETTING}
"""Every setting whose value is one of a few words, each with what it means."""
_VALUE_MEANS = message("{value}: {meaning}")
_ON, _OFF = message("on"), message("off")
_NONE = message("none")
_TEXT_HINTS: dict[str, Message] = {
    "wild_cards": message("Cards or kinds of cards: Qs, black deuces, hearts, one-eyed jacks. Or none."),
    "notes": message("Rules of your own, one on each line. They are shown with the laws."),
}
_BIG_BLIND = message("big blind")


def settings_heading(view: TableView) -> str:
    """The table, and its game or mixture."""
    return t(_HEADING, number=view.number, game=table_title(view))


def house_rules_heading(view: TableView) -> str:
    """What stands over the house rules of a table."""
    return t(_RULES_HEADING, number=view.number)


def setting_line(name: str, value: str) -> str:
    """A setting and its value."""
    return t(_SETTING, setting=name, value=value)


def buy_in_line(minimum: int, maximum: int) -> str:
    """Both bounds of a buy-in, in chips."""
    return setting_line(t(_BUY_IN), number_range(minimum, maximum))


def setting_now(name: str, value: str, question: str = "") -> str:
    """Ask what a setting should be, with the question that its values answer."""
    if not question:
        return t(_SETTING_NOW, setting=name, value=value)
    return t(_SETTING_ASKED, setting=name, value=value, question=question)


def setting_changed(name: str, value: str, *, proposed: bool) -> str:
    """The answer to a changed setting; `proposed` where everyone seated must agree first."""
    return t(_PROPOSED if proposed else _CHANGED, setting=name, value=value)


def setting_name(field: str) -> str:
    """The name of a setting that is neither a stake nor an option."""
    return t(WORD_SETTINGS[field].name if field in WORD_SETTINGS else SETTING_NAMES[field])


def word_setting_values(field: str) -> tuple[tuple[str, str], ...]:
    """Every value of a setting of a few words: the value, and its words with what it means."""
    values = WORD_SETTINGS[field].values
    return tuple(
        (value, t(_VALUE_MEANS, value=t(words.name), meaning=t(words.meaning))) for value, words in values.items()
    )


def stake_name(field: str, *, ladder_unit: bool = False) -> str:
    """The name of an amount that a table plays for. `ladder_unit`: nobody antes, and the ladder counts in the ante."""
    return t(LADDER_UNIT if ladder_unit and field == "ante" else STAKE_NAMES[field])


def stake_value(field: str, settings: TableSettings) -> str:
    """An amount that a table plays for, in words where it is 0."""
    if chips := getattr(settings.stakes, field):
        return number(chips)
    return t(_BIG_BLIND) if field == "min_bet" and settings.stakes.big_blind else t(_NONE)


def no_notes() -> str:
    """Stands for house notes where there are none."""
    return t(_NONE)


def text_hint(field: str) -> str:
    """How a setting that is written in words can be written; empty for numbers."""
    return t(_TEXT_HINTS[field]) if field in _TEXT_HINTS else ""


def on_or_off(value: bool) -> str:
    """The value of a setting that is on or off."""
    return t(_ON if value else _OFF)


def on_off_values() -> tuple[tuple[str, str], ...]:
    """Both values of such a setting, as the setting has them and in words."""
    return ("on", t(_ON)), ("off", t(_OFF))


def raise_sizes(sizes: tuple[RaiseSize, ...]) -> str:
    """The parts of the pot that have a button: ``½ pot · pot``."""
    return " · ".join([t(RAISE_SIZES[size]) for size in sizes]) if sizes else t(_NONE)


def raise_size_values() -> tuple[tuple[str, str], ...]:
    """Every part of the pot that can have a button: the value and its words."""
    return tuple((size.value, t(words)) for size, words in RAISE_SIZES.items())


def nudge_values() -> tuple[tuple[str, str], ...]:
    """When the player to act is reminded: the value and its words."""
    return tuple((nudge.value, t(words)) for nudge, words in NUDGES.items())
