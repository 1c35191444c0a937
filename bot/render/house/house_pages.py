"""Draw what staff see of their house (`/house`): its rules, the audit, granted chips, cancelled hands; and the settings of a table."""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.customs import ButtonBlind
from bot.engine.options.register import NOTES
from bot.engine.options.values import Ante, Limit, StraddleRule, Switch
from bot.engine.stakes import Stakes, required_amounts
from bot.house.rules import HOUSE_RULES, LISTED, HouseRules
from bot.ledger.books import BookFault
from bot.render.house.rule_controls import rule_controls, rule_lines
from bot.render.message import custom_ids
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import (
    BLURPLE,
    FORM_TITLE_MAX,
    GREY,
    LOBBY,
    OPTION_TEXT_MAX,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    Form,
    Option,
    Panel,
    Select,
    Text,
    TextField,
)
from bot.render.table.open_form import SECONDS
from bot.runtime.store_types import LedgerAudit, StackAdjustment
from bot.table.settings import NOTE_LENGTH_MAX, NOTES_MAX, TableSettings
from bot.table.view import TableView
from bot.text import house, stakes, table_settings
from bot.text.buttons import Verb
from bot.text.durations import duration
from bot.text.formatting import shorten
from bot.text.language import number, t
from bot.text.options import OptionWords, option_choice, option_meaning, option_name, option_question, option_value
from bot.variants.customise import LAW_PREFIX, offered_options

VALUE_FIELD = "value"
EVERYDAY = (
    "games",
    "turning",
    *table_settings.STAKE_NAMES,
    "min_buyin",
    "max_buyin",
    "starting_stack",
    "rebuy",
    "turn_seconds",
    "raise_sizes",
    "run_twice",
    "bomb",
    *table_settings.PICTURE_SETTINGS,
)
"""The settings that tables change every day, by their codes, in the order in which `/table page:settings` offers them."""
_NO_LINE = frozenset({"games", "max_buyin", "raise_sizes", "picture_deck", "felt"})
"""Those that have no line of their own: the heading names the game, one line both bounds of a buy-in, and the table shows its buttons
and its colours."""


class SettingChoice(Struct, frozen=True):
    """One setting that can be changed, in the reader's language.

    Attributes:
        field: the setting's code.
        label: its name.
        value_text: its value now, in words.
        options: the code and the words of each value it can have; empty for a number or a text to write.
        value: the code of its value now; of several, with commas between them.
        several: any number of the options can be chosen.
        question: what its value answers; empty where the name says it.
        meaning: what its value means, as a sentence; empty for a number.
        is_unset: an amount that this table does not play for.
    """

    field: str
    label: str
    value_text: str
    options: tuple[tuple[str, str], ...] = ()
    value: str = ""
    several: bool = False
    question: str = ""
    meaning: str = ""
    is_unset: bool = False


def house_rules_panel(rules: HouseRules) -> Panel:
    """Return the rules of the house, with a select to change one."""
    options = tuple(
        Option(house.rule_name(field), field, description=number(getattr(rules, field))) for field in LISTED
    )
    row = (Button(t(house.AUDIT), page_id("house", "audit"), GREY),)
    return Panel(
        LOBBY,
        (
            Text(house.house_rules(rules)),
            Select(page_id("house", "change"), t(house.CHANGE_A_RULE), options),
            Buttons(row),
        ),
    )


def house_server_panel(rules: HouseRules) -> Panel:
    """Return the roles, channels and looks of a server, with a select for each."""
    page = "house.server"
    return Panel(LOBBY, (rule_lines(page, rules), *rule_controls(page, rules)))


def house_rule_form(field: str, value: int, user: int, page: str = "house") -> Form:
    """Ask for a house rule's new value. `page` answers it."""
    label, rule = shorten(house.rule_name(field), FORM_TITLE_MAX), HOUSE_RULES[field]
    hint = shorten(t(house.RULE_BOUNDS, minimum=rule.minimum, maximum=rule.maximum, value=value), OPTION_TEXT_MAX)
    return Form(
        label, page_id(page, "set", field, user), (TextField(VALUE_FIELD, label, description=hint, max_length=24),)
    )


def house_rule_changed_panel(field: str, before: int, after: int) -> Panel:
    """Return the answer to a changed house rule."""
    return Panel(RESULT, (Text(house.rule_changed(field, before, after)),))


def chips_moved_panel(user: int, chips: int, wallet: int, reason: str, *, taken: bool) -> Panel:
    """Return the answer to chips that staff granted or took."""
    return Panel(RESULT, (Text(house.chips_moved(user, -chips if taken else chips, wallet, reason)),))


def hand_voided_panel(hand_number: int, reason: str) -> Panel:
    """Return the answer to staff who cancelled a hand."""
    return Panel(RESULT, (Text(house.hand_voided(hand_number, reason)),))


def audit_panel(audit: LedgerAudit, faults: Sequence[BookFault] = ()) -> Panel:
    """Return the books of a server, added up. `faults` are those found between the engine and the ledger."""
    every = (*audit.faults, *faults)
    text = Text(house.audit(audit, every))
    return Panel(WAITING if every else RESULT, (text, *_older_adjustments(audit.adjustments)))


def adjustments_panel(page: Sequence[StackAdjustment]) -> Panel:
    """Return a page of the corrections of stacks; one more than fit says that there are older ones."""
    return Panel(RESULT, (Text(house.adjustments(page[: house.ADJUSTMENTS_LISTED])), *_older_adjustments(page)))


def _older_adjustments(page: Sequence[StackAdjustment]) -> tuple[Block, ...]:
    if len(page) <= house.ADJUSTMENTS_LISTED:
        return ()
    last = page[house.ADJUSTMENTS_LISTED - 1].id
    return (Buttons((Button(t(house.MORE_ADJUSTMENTS), page_id("house", "adjusted", last), GREY),)),)


def with_note(panel: Panel, note: str) -> Panel:
    """Return a panel with something below that staff have to know."""
    return Panel(panel.accent, (*panel.blocks, Text(note))) if note else panel


def settings_panel(
    table: int,
    view: TableView,
    choices: Sequence[SettingChoice],
    laws: Sequence[SettingChoice] = (),
    *,
    may_change: bool,
) -> Panel:
    """Return the everyday settings of a table; whoever can change them gets a select of all settings, and *House rules* by a button."""
    everyday = [choice for field in EVERYDAY for choice in (*choices, *laws) if choice.field == field]
    rest = [choice for choice in choices if choice not in everyday]
    lines = [table_settings.settings_heading(view)]
    for choice in everyday:
        if choice.field == "min_buyin":
            lines.append(table_settings.buy_in_line(view.min_buyin, view.max_buyin))
        elif choice.field not in _NO_LINE and not choice.is_unset:
            lines.append(table_settings.setting_line(choice.label, choice.value_text))
    blocks: list[Block] = []
    if may_change:
        lines.append(t(table_settings.CONSENT_NEEDED))
        select_id = page_id("table", "change", table)
        every = (*everyday, *rest)
        blocks.append(Select(select_id, t(table_settings.CHANGE), _options(every[:OPTIONS_MAX])))
        if laws:
            blocks.append(Buttons((Button(t(table_settings.HOUSE_RULES), page_id("table", "rules", table), BLURPLE),)))
    return Panel(LOBBY, (Text("\n".join(lines)), *blocks))


def table_rules_panel(table: int, view: TableView, laws: Sequence[SettingChoice]) -> Panel:
    """Return the house rules of a table to choose from, each with what it means now."""
    selects: list[Block] = []
    for start in range(0, min(len(laws), 2 * OPTIONS_MAX), OPTIONS_MAX):
        label = t(table_settings.MORE_LAWS if start else table_settings.CHANGE_A_LAW)
        part = laws[start : start + OPTIONS_MAX]
        selects.append(Select(page_id("table", "law", table, start), label, _options(part)))
    return Panel(LOBBY, (Text(table_settings.house_rules_heading(view)), *selects))


def _options(choices: Sequence[SettingChoice]) -> tuple[Option, ...]:
    return tuple(
        Option(
            shorten(choice.label, OPTION_TEXT_MAX),
            choice.field,
            description=shorten(choice.meaning or choice.value_text, OPTION_TEXT_MAX),
        )
        for choice in choices
    )


def setting_panel(table: int, choice: SettingChoice) -> Panel:
    """Ask what one setting should be, from a list."""
    now = choice.value.split(",") if choice.several else [choice.value]
    options = tuple(
        Option(shorten(text, OPTION_TEXT_MAX), value, default=value in now)
        for value, text in choice.options[:OPTIONS_MAX]
    )
    label = t(table_settings.CHOOSE_VALUE, setting=choice.label)
    minimum, maximum = (0, len(options)) if choice.several else (1, 1)
    select = Select(page_id("table", "set", table, choice.field), label, options, minimum, maximum)
    return Panel(LOBBY, (Text(table_settings.setting_now(choice.label, choice.value_text, choice.question)), select))


def setting_form(table: int, hand: int, choice: SettingChoice, user: int, hint: str) -> Form:
    """Ask what one setting should be, as a number or a word to write."""
    label = shorten(choice.label, FORM_TITLE_MAX)
    hint = table_settings.text_hint(choice.field) or hint
    field = TextField(
        choice.field,
        label,
        description=shorten(hint, OPTION_TEXT_MAX),
        value=choice.value if choice.field in _TEXT_LENGTHS else "",
        required=choice.field != NOTES.field,
        max_length=_TEXT_LENGTHS.get(choice.field, 24),
        long=choice.field == NOTES.field,
    )
    return Form(label, custom_ids.form_id(table, hand, 0, Verb.SETTINGS, user), (field,))


_TEXT_LENGTHS = {"wild_cards": 200, NOTES.field: NOTES_MAX * (NOTE_LENGTH_MAX + 1)}
"""Letters of what is written in words, not numbers."""


def setting_changed_panel(label: str, value: str, *, proposed: bool) -> Panel:
    """Return the answer to a changed setting; `proposed` where everybody seated must agree first."""
    text = table_settings.setting_changed(label, value, proposed=proposed)
    return Panel(WAITING if proposed else RESULT, (Text(text),))


def table_setting_choices(view: TableView) -> tuple[SettingChoice, ...]:
    """Return what a host can change at a table, with its values now; the options of its laws are `law_setting_choices`."""
    settings = view.settings
    clocks = settings.stakes
    found = [
        _seats_choice(view),
        _clock_choice(clocks.turn_seconds),
        _setting("bank_seconds", duration(clocks.bank_seconds)),
        *_buy_in_choices(settings),
        _setting(
            "nudge", t(table_settings.NUDGES[settings.nudge]), table_settings.nudge_values(), settings.nudge.value
        ),
        *_raise_size_choices(settings),
        *[_picture_choice(field, getattr(settings, field)) for field in table_settings.PICTURE_SETTINGS],
        _switch("auto_start", settings.auto_start),
        _setting("pause_seconds", duration(settings.pause_seconds)),
        _switch("ask_show", settings.ask_show),
    ]
    return (*_stake_choices(settings), *found)


def _buy_in_choices(settings: TableSettings) -> list[SettingChoice]:
    """Return the bounds of a buy-in; of table chips the starting stack, and who can buy again (TC-2, TC-3)."""
    if not settings.has_table_chips:
        return [
            _setting("min_buyin", number(settings.min_buyin)),
            _setting("max_buyin", number(settings.max_buyin)),
        ]
    words = table_settings.WORD_SETTINGS["rebuy"]
    return [
        _setting("starting_stack", number(settings.starting_stack)),
        _word_choice("rebuy", settings.rebuy, words),
        _switch("figures", settings.figures),
    ]


def _raise_size_choices(settings: TableSettings) -> list[SettingChoice]:
    """Return the parts of the pot that have a button; nothing where all bets have fixed sizes."""
    if settings.options.limit in (Limit.LIMIT, Limit.DOUBLING_FLAT) and settings.rotation is None:
        return []
    sizes, name = settings.raise_sizes, table_settings.setting_name("raise_sizes")
    now, values = table_settings.raise_sizes(sizes), table_settings.raise_size_values()
    return [SettingChoice("raise_sizes", name, now, values, ",".join(sizes), several=True)]


def _picture_choice(field: str, value: str) -> SettingChoice:
    """Return a setting that tells how the table is drawn."""
    return _word_choice(field, value, table_settings.PICTURE_SETTINGS[field])


def _word_choice(field: str, value: str, words: OptionWords) -> SettingChoice:
    """Return a setting whose value is one of a few words."""
    now = words.values[value]
    options = table_settings.word_setting_values(field)
    return SettingChoice(
        field, t(words.name), t(now.name), options, value, question=t(words.question), meaning=t(now.meaning)
    )


def _seats_choice(view: TableView) -> SettingChoice:
    count = view.settings.seat_count
    return _setting(
        "max_seats", number(count), tuple((str(each), number(each)) for each in view.seat_counts), str(count)
    )


def _clock_choice(now: int) -> SettingChoice:
    """Return the clock of an action: one of those that the form of a new table offers, or what it is now."""
    offered = sorted({*SECONDS, now})
    return _setting("turn_seconds", duration(now), tuple((str(each), duration(each)) for each in offered), str(now))


def _setting(field: str, value_text: str, options: tuple[tuple[str, str], ...] = (), value: str = "") -> SettingChoice:
    return SettingChoice(field, table_settings.setting_name(field), value_text, options, value)


def _switch(field: str, value: bool) -> SettingChoice:
    return _setting(field, table_settings.on_or_off(value), table_settings.on_off_values(), "on" if value else "off")


def _stake_choices(settings: TableSettings) -> tuple[SettingChoice, ...]:
    """Return what is played for, as far as this game asks for it (H-4). Both blinds are one choice."""
    needed = _amounts_asked_for(settings)
    unforced = settings.options.ante is Ante.NONE
    found: list[SettingChoice] = []
    for field in table_settings.STAKE_NAMES:
        name = table_settings.stake_name(field, ladder_unit=unforced)
        if field == "big_blind":
            if settings.stakes.big_blind:
                found.append(SettingChoice(field, name, stakes.blinds(settings.stakes)))
        elif field in needed or (getattr(settings.stakes, field) and field != "small_blind"):
            is_unset = not getattr(settings.stakes, field)
            found.append(SettingChoice(field, name, table_settings.stake_value(field, settings), is_unset=is_unset))
    return tuple(found)


def _amounts_asked_for(settings: TableSettings) -> set[str]:
    """Return the amounts, as fields of `Stakes`, that decide something at this table, whether they are set or not."""
    options = settings.options
    needed = {*required_amounts(options), *settings.rule_card.required_amounts}
    if options.ante is not Ante.NONE and (options.limit is not Limit.LIMIT or options.ante is not Ante.BLINDS):
        needed.add("ante")
    if options.limit is Limit.STAKE_LIMIT:
        needed.add("limit_after_draw")
    if options.limit not in (Limit.LIMIT, Limit.DOUBLING_FLAT):
        needed.add("min_bet")
    if options.straddle is StraddleRule.FORCED_DOUBLE:
        needed.add("straddle")
    if settings.rule_card.has_custom(ButtonBlind) and options.ante is Ante.EVERYONE:
        needed.add("button_blind")
    if options.house_blinds is Switch.OFF:
        needed.discard("small_blind")  # it is half the big blind, and changes with it
    return needed


def law_setting_choices(settings: TableSettings) -> tuple[SettingChoice, ...]:
    """Return the options that apply to this game under its present laws, with what each value means."""
    found: list[SettingChoice] = []
    for field, option, now in offered_options(settings.rule_card, settings.options):
        if option.is_text:
            found.append(_law_choice(field, option.name, now))
        if not option.values:
            continue
        values = tuple((value, option_choice(option.name, value)) for value in option.values)
        code = LAW_PREFIX + field if field in Stakes.__struct_fields__ else field
        found.append(_law_choice(code, option.name, now, values))
    return (*found, notes_choice(settings))


def _law_choice(code: str, option: str, now: str, values: tuple[tuple[str, str], ...] = ()) -> SettingChoice:
    """An option of the law book, with its value now."""
    return SettingChoice(
        code,
        option_name(option),
        option_value(option, now),
        values,
        now,
        question=option_question(option),
        meaning=option_meaning(option, now) if values else "",
    )


def notes_choice(settings: TableSettings) -> SettingChoice:
    """The house rules in writing, as people wrote them: not safe in markdown."""
    notes = " · ".join(settings.notes) or table_settings.no_notes()
    return SettingChoice(NOTES.field, option_name(NOTES.name), notes, value="\n".join(settings.notes))
