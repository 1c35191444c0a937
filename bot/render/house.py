"""What staff see of their house (`/house`): its rules, the audit, grants, cancelled hands; and the settings of a table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.options import Ante, Limit, Straddle, Switch
from bot.engine.stakes import Stakes, amounts_needed
from bot.ledger.books import Fault
from bot.ledger.house import HouseRules
from bot.render import escape, ids
from bot.render.ids import Verb, page
from bot.render.limits import OPTION_TEXT_MAX, OPTIONS_MAX, cut
from bot.render.lobby import FIRST_RUNG, clocks, duration, stakes_short
from bot.render.panel import (
    GREY,
    LOBBY,
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
from bot.render.shifts import signed
from bot.render.words_house import plain_word
from bot.runtime.ports import Audit
from bot.table.settings import TableSettings
from bot.table.view import TableView
from bot.variants.tailoring import LAW, taste_of

VALUE_FIELD = "value"
FAULTS_LISTED = 10


class Choice(Struct, frozen=True):
    """One thing that may be changed: its field, what it is called, what it is now, and (for a select) what it may be.

    Attributes:
        field: as the settings name it.
        label: as people call it.
        now: its value in words.
        values: value and words of each choice; empty for a number to write.
        current: the value now, as in `values`.
    """

    field: str
    label: str
    now: str
    values: tuple[tuple[str, str], ...] = ()
    current: str = ""


def rules_panel(rules: HouseRules) -> Panel:
    """The rules of the house, with a select to change one."""
    daily = f"**{rules.daily:,}**, +{rules.daily_step:,} per day in a row up to {max(rules.daily, rules.daily_most):,}"
    nudge = {-1: "never", 0: "at once"}.get(rules.nudge_seconds, f"after {duration(rules.nudge_seconds)}")
    lines = [
        "### House rules",
        f"Opening chips **{rules.opening_grant:,}**",
        f"Daily chips {daily}" if rules.daily else "Daily chips **none**",
        f"Relief **{rules.relief:,}** each {rules.relief_hours:,} h" if rules.relief else "Relief **none**",
        f"Staff: Manage Server{f' or <@&{rules.staff_role}>' if rules.staff_role else ''}",
        f"New tables: blinds **{rules.small_blind:,}/{rules.big_blind:,}**, buy-in "
        f"{rules.buyin_least:,}–{rules.buyin_most:,} big blinds, {duration(rules.turn_seconds)} per action, "
        f"time bank {duration(rules.bank_seconds)}, call by name {nudge}",
        f"Idle tables close after {duration(60 * rules.idle_close_minutes)}",
    ]
    options = tuple(
        Option(_capital(plain_word(field)), field, description=f"{getattr(rules, field):,}")
        for field in HouseRules.__struct_fields__
        if field != "staff_role"
    )
    blocks: list[Block] = [Text("\n".join(lines)), Select(page("house", "change"), "Change a rule…", options)]
    blocks.append(Buttons((Button("Audit", page("house", "audit"), GREY),)))
    return Panel(LOBBY, tuple(blocks))


def rule_form(field: str, value: int, least: int, most: int, user: int) -> Form:
    """Ask for a house rule's new value."""
    label = _capital(plain_word(field))
    hint = cut(f"Between {least:,} and {most:,}; now {value:,}", 100)
    custom_id = page("house", "set", field, user)
    return Form(cut(label, 45), custom_id, (TextField(VALUE_FIELD, cut(label, 45), description=hint, most=24),))


def rule_changed_panel(field: str, before: int, after: int) -> Panel:
    """The answer to a changed house rule."""
    return Panel(RESULT, (Text(f"{_capital(plain_word(field))} is now **{after:,}** (it was {before:,})."),))


def moved_panel(user: int, chips: int, wallet: int, reason: str, *, taken: bool) -> Panel:
    """The answer to a grant or a take by staff."""
    verb = "Taken from" if taken else "Granted to"
    text = f"{verb} <@{user}>: **{chips:,}**. The wallet holds {wallet:,} now."
    return Panel(RESULT, (Text(text + (f"\n-# {escape.text(reason)}" if reason.strip() else "")),))


def voided_panel(number: int, reason: str) -> Panel:
    """The answer to staff who cancelled a hand."""
    text = f"Hand #{number} is cancelled and all bets are returned.\n-# Law I-1 · {escape.text(reason)}"
    return Panel(RESULT, (Text(text),))


def removed_panel(user: int, *, still: bool) -> Panel:
    """The answer to staff who removed a player; `still`: he is dealt in, and goes after the hand."""
    when = " leaves after this hand" if still else " has been removed"
    return Panel(RESULT, (Text(f"<@{user}>{when}, with all chips paid out."),))


def audit_panel(audit: Audit, faults: Sequence[Fault] = ()) -> Panel:
    """The books of a server, added up; `faults` are those found between engine and ledger."""
    every = [*audit.faults, *faults]
    held = audit.wallets + audit.stacks + audit.pots + audit.house
    lines = [
        "### ✅ The books agree" if not every else f"### ❌ The books do not agree ({len(every)})",
        f"Handed out **{audit.minted:,}** · held **{held:,}**",
        f"Wallets {audit.wallets:,} · stacks {audit.stacks:,} · pots {audit.pots:,} · house {audit.house:,}",
    ]
    if audit.practice:
        lines.append(f"Practice books {audit.practice:,} (kept apart)")
    lines += [f"✘ {_fault(fault)}" for fault in every[:FAULTS_LISTED]]
    if len(every) > FAULTS_LISTED:
        lines.append(f"✘ and {len(every) - FAULTS_LISTED} more")
    if audit.adjustments:
        lines.append("**Adjusted by everybody's consent** · Law H-3")
        lines += [
            f"Table {one.table} <t:{one.at // 1000}:d>: {', '.join([f'<@{user}> {signed(chips)}' for user, chips in one.shifts])}"
            for one in audit.adjustments
        ]
    lines.append(f"-# {audit.transfers:,} transfers. The sum over all accounts is {'zero' if not every else 'wrong'}.")
    return Panel(RESULT if not every else WAITING, (Text("\n".join(lines)),))


def settings_panel(
    table: int, view: TableView, choices: Sequence[Choice], laws: Sequence[Choice] = (), *, may_change: bool
) -> Panel:
    """The settings of a table; who may change them gets selects of what there is: settings, and the options of its laws."""
    settings = view.settings
    lines = [
        f"### Table {view.number} · settings",
        f"**{settings.card.name}** {stakes_short(settings)} · buy-in {view.min_buyin:,}–{view.max_buyin:,}",
        "-# " + " · ".join(clocks(settings)),
    ]
    lines += [f"{choice.label}: **{choice.now}**" for choice in choices]
    blocks: list[Block] = []
    if may_change:
        lines.append("-# Laws and stakes change between hands, with everybody's consent (Law H-1).")
        options = tuple(
            Option(cut(choice.label, OPTION_TEXT_MAX), choice.field, description=cut(choice.now, OPTION_TEXT_MAX))
            for choice in choices[:OPTIONS_MAX]
        )
        if options:
            blocks.append(Select(page("table", "change", table), "Change…", options))
        for at in range(0, min(len(laws), 2 * OPTIONS_MAX), OPTIONS_MAX):
            some = tuple(
                Option(cut(choice.label, OPTION_TEXT_MAX), choice.field, description=cut(choice.now, OPTION_TEXT_MAX))
                for choice in laws[at : at + OPTIONS_MAX]
            )
            more = "Change a law…" if not at else "More laws…"
            blocks.append(Select(page("table", "law", table, at), more, some))
    return Panel(LOBBY, (Text("\n".join(lines)), *blocks))


def setting_panel(table: int, choice: Choice) -> Panel:
    """Ask what one setting shall be, from a list."""
    options = tuple(
        Option(cut(_capital(words), OPTION_TEXT_MAX), value, default=value == choice.current)
        for value, words in choice.values[:OPTIONS_MAX]
    )
    select = Select(page("table", "set", table, choice.field), f"{choice.label}…", options)
    return Panel(LOBBY, (Text(f"### {choice.label}\nNow **{choice.now}**."), select))


def setting_form(table: int, hand: int, choice: Choice, user: int, hint: str) -> Form:
    """Ask what one setting shall be, as a number or a word to write."""
    field = TextField(choice.field, cut(choice.label, 45), description=cut(hint, 100), most=24)
    return Form(cut(choice.label, 45), ids.form(table, hand, 0, Verb.SETTINGS, user), (field,))


def setting_changed_panel(label: str, value: str, *, proposed: bool) -> Panel:
    """The answer to a changed setting; `proposed` where everybody seated has to agree first."""
    if proposed:
        text = f"Proposed: {label} **{value}**. It counts when everybody seated has agreed.\n-# Law H-1"
        return Panel(WAITING, (Text(text),))
    return Panel(RESULT, (Text(f"{label} is now **{value}**."),))


def table_choices(view: TableView) -> tuple[Choice, ...]:
    """What a host may change at a table, with its values now (the options of its laws come from the register)."""
    settings = view.settings
    stakes = settings.stakes
    on_off = (("on", "on"), ("off", "off"))
    found = [
        Choice("turn_seconds", "Seconds per action", duration(stakes.turn_seconds)),
        Choice("bank_seconds", "Time bank", duration(stakes.bank_seconds)),
        Choice("min_buyin", "Least buy-in", f"{view.min_buyin:,}"),
        Choice("max_buyin", "Most buy-in", f"{view.max_buyin:,}"),
        _listed("nudge", "Call the next to act", settings.nudge.value, ("at once", "after 8 s", "never")),
        _listed("pictures", "Picture", settings.pictures.value, ("text", "per street", "every action")),
        Choice("auto_start", "Next hand by itself", *_on(settings.auto_start, on_off)),
        Choice("pause_seconds", "Pause between hands", duration(settings.pause_seconds)),
        Choice("ask_show", "Ask before showing", *_on(settings.ask_show, on_off)),
    ]
    if settings.card.runs_one_board:
        found.append(Choice("ask_run_twice", "Ask to run it twice", *_on(settings.ask_run_twice, on_off)))
    return (*_amounts(settings), *found)


_AMOUNTS = (
    ("small_blind", "Small blind"),
    ("ante", "Ante"),
    ("straddle", "Forced straddle"),
    ("bring_in", "Bring-in"),
    ("small_bet", "Small bet"),
    ("big_bet", "Big bet"),
    ("min_bet", "Least bet"),
    ("limit", "Most a bet may add"),
    ("limit_after_draw", "Most it may add later"),
    ("doublings", "Doublings"),
    ("price", "Price of a card"),
    ("cap", "Most to match"),
)


def _amounts(settings: TableSettings) -> tuple[Choice, ...]:
    """What is played for, as far as this game asks for it (H-4)."""
    stakes, options = settings.stakes, settings.options
    found: list[Choice] = []
    if stakes.big_blind:
        found.append(Choice("big_blind", "Blinds", f"{stakes.small_blind:,}/{stakes.big_blind:,}"))
    asked = {*amounts_needed(options), *settings.card.amounts}
    if options.ante is not Ante.NONE and (options.limit is not Limit.LIMIT or options.ante is not Ante.BLINDS):
        asked.add("ante")
    if options.limit is Limit.STAKE_LIMIT:
        asked.add("limit_after_draw")
    if options.limit not in (Limit.LIMIT, Limit.DOUBLING_FLAT):
        asked.add("min_bet")
    if options.straddle is Straddle.FORCED_DOUBLE:
        asked.add("straddle")
    if options.house_blinds is Switch.OFF:
        asked.discard("small_blind")  # it is half the big one, and changes with it
    for field, known in _AMOUNTS:
        chips = getattr(stakes, field)
        label = _capital(FIRST_RUNG) if field == "ante" and options.ante is Ante.NONE else known
        if field in asked or (chips and field != "small_blind"):
            found.append(Choice(field, label, f"{chips:,}" if chips else "none"))
    return tuple(found)


def law_choices(settings: TableSettings) -> tuple[Choice, ...]:
    """The options that this game honours under its present laws, with what each value means."""
    found: list[Choice] = []
    for field, entry, now in taste_of(settings.card, settings.options):
        if not entry.choices:
            continue
        values = tuple((choice.value, f"{plain_word(choice.value)}: {choice.meaning}") for choice in entry.choices)
        label = _capital(plain_word(entry.name.rpartition(".")[2]))
        own = LAW + field if field in Stakes.__struct_fields__ else field
        found.append(Choice(own, label, plain_word(now), values, now))
    return tuple(found)


def _listed(field: str, label: str, now: str, values: tuple[str, ...]) -> Choice:
    return Choice(field, label, now, tuple((value, value) for value in values), now)


def _on(value: bool, values: tuple[tuple[str, str], ...]) -> tuple[str, tuple[tuple[str, str], ...], str]:
    word = "on" if value else "off"
    return word, values, word


def _fault(fault: Fault) -> str:
    chips = f" ({fault.chips:,} chips)" if fault.chips else ""
    return f"{escape.text(fault.what)}{chips}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
