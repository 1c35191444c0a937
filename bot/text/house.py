"""What staff read about their house: its rules, the audit, granted chips, cancelled hands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ledger.books import BookFault, BookProblem
from bot.ledger.house import HouseRules
from bot.runtime.store_types import LedgerAudit, StackAdjustment
from bot.text import escape
from bot.text.adjustments import signed_chips
from bot.text.durations import duration
from bot.text.language import Message, message, number, plural, t
from bot.text.lists import join_list
from bot.text.quiet_hours import hours_text

CHANGE_A_RULE = message("Change a rule…")
AUDIT = message("Check the books")
RULE_BOUNDS = message("{minimum:,} to {maximum:,}. It is {value:,} now.")
RULE_CHANGED = message("Changed: {rule} **{after:,}** (was {before:,}).")
RULE_NAMES: dict[str, Message] = {
    "opening_grant": message("Starting chips"),
    "daily": message("Daily chips"),
    "daily_step": message("Daily chips: more per day in a row"),
    "daily_max": message("Daily chips: maximum"),
    "relief": message("Free chips"),
    "relief_hours": message("Hours between free chips"),
    "account_days": message("Chips: days since joining Discord"),
    "member_days": message("Daily, free chips: days in the server"),
    "staff_role": message("Staff role"),
    "staff_channel": message("Staff channel"),
    "forum_channel": message("Forum of tables"),
    "idle_close_minutes": message("Minutes until idle tables close (0: never)"),
    "young_days": message("Days that an account counts as new"),
    "young_chips": message("Chips won from new accounts, not held"),
    "tables_per_host": message("Open tables of one host"),
    "practice_tables_per_host": message("Open practice tables of one host"),
    "seats_per_person": message("Seats of one player at a time"),
    "tables_per_server": message("Open tables on this server"),
    "small_blind": message("Small blind of a new table"),
    "big_blind": message("Big blind of a new table"),
    "buyin_min": message("Minimum buy-in in big blinds"),
    "buyin_max": message("Maximum buy-in in big blinds"),
    "turn_seconds": message("Seconds per action"),
    "bank_seconds": message("Seconds of time bank"),
    "nudge_seconds": message("Seconds until the turn reminder"),
    "theme": message("Theme of the pictures"),
    "quiet_hours": message("Quiet hours"),
    "ranking_hands": message("Hands it takes to be ranked"),
    "season_months": message("Months of a season (0: no calendar)"),
    "season_start": message("Everyone's chips after a season"),
    "season_carried": message("Percent of chips kept after a season"),
    "season_role": message("Role of the season's winner"),
    "season_channel": message("Channel for seasons"),
    "achievements": message("Achievements are told (1: yes, 0: no)"),
}
"""Every field of `HouseRules`."""
THEMES: dict[str, Message] = {
    "classic": message("classic (dark table)"),
    "light": message("light (bright table, strong contrast)"),
}
"""Every theme of `bot.pictures`, by its key."""

_RULES = message("### House rules")
_OPENING_CHIPS = message("Starting chips **{chips:,}**")
_DAILY = message("Daily chips **{chips:,}**, +{step:,} for each day in a row, up to {maximum:,}")
_NO_DAILY = message("Daily chips **none**")
_RELIEF = message("Free chips **{chips:,}** for players who have none, once in {duration}")
_NO_RELIEF = message("Free chips **none**")
_ACCOUNT_AGE = plural(
    "Chips for accounts that are {count:,} day old or older", "Chips for accounts that are {count:,} days old or older"
)
_MEMBER_AGE = plural(
    "Daily and free chips after {count:,} day in the server", "Daily and free chips after {count:,} days in the server"
)
_YOUNG = plural(
    "Chips won from accounts younger than {count:,} day are held so long, but for **{chips:,}**",
    "Chips won from accounts younger than {count:,} days are held so long, but for **{chips:,}**",
)
_CAPS = message(
    "One player: {hosted} tables as host, {practice} for practice, {seats} seats. This server: {tables} tables"
)
_STAFF = message("Staff: Manage Server")
_STAFF_OR_ROLE = message("Staff: Manage Server or {role}")
_SHOW_TO_ROLE = message(
    "-# So that {role} can see `/house`: Server Settings → Integrations → this bot → `/house` → add the role."
)
_STAFF_CHANNEL = message("Staff channel: {channel}")
_NO_STAFF_CHANNEL = message("Staff channel: none. `/house settings staff_channel:` names one")
_FORUM = message("New tables are posts in {channel}")
_NOBODY = message("none")
NO_STAFF_CHANNEL = message("No staff channel")
MORE_ADJUSTMENTS = message("Older ones ›")
_EVERYBODY_READS = message("-# Everyone can read that channel. Choose one for staff alone.")
_CANNOT_TELL = message(
    "⚠️ I can't write in the staff channel {channel}. Let me send messages there, or name another: `/house settings staff_channel:`"
)
_LINES_WAIT = plural("-# {count:,} message is waiting.", "-# {count:,} messages are waiting.")
_REPORTS_WAIT = plural(
    "🚩 {count:,} report is waiting: `/house reports`", "🚩 {count:,} reports are waiting: `/house reports`"
)
_NEW_TABLES = message(
    "New tables: blinds **{small:,}/{big:,}**, buy-in {minimum:,}–{maximum:,} big blinds, {turn} per action, time bank {bank}"
)
_NUDGE = message("Turn reminder after {duration}")
_NUDGE_AT_ONCE = message("Turn reminder at once")
_NO_NUDGE = message("No turn reminder")
_IDLE = message("Idle tables close after {duration}")
_NEVER_IDLE = message("Idle tables stay open")
_THEME = message("Pictures: {theme}")
_NO_ACHIEVEMENTS = message("Achievements aren't told after hands")
_QUIET = message("Quiet hours: {hours}. `/house quiet` changes them")

_CHIPS_MOVED = message("{player}: **{change}** chips. Their wallet holds {wallet:,} now.")
_REASON = message("-# {reason}")
_VOIDED = message("Hand #{hand} is cancelled. All bets are returned.\n-# Law I-1 · {reason}")
_REMOVED = message("{player} has left the table. All their chips are back in their wallet.")
_REMOVED_LATER = message("{player} leaves after this hand. All their chips go back to their wallet.")

_BOOKS_AGREE = message("### ✅ The books agree")
_BOOKS_DISAGREE = plural(
    "### ❌ The books don't agree ({count} fault)", "### ❌ The books don't agree ({count} faults)"
)
_HANDED_OUT = message("Handed out **{minted:,}** · held **{held:,}**")
_HELD = message("Wallets {wallets:,} · stacks {stacks:,} · pots {pots:,} · house {house:,}")
_PRACTICE = message("Practice chips {chips:,} (kept apart)")
_AT_TABLE = message("table {table}: {problem}")
_FAULT = message("✘ {problem}")
_FAULT_WITH_CHIPS = message("✘ {problem} ({chips:,} chips)")
_MORE_FAULTS = plural("✘ and {count} more", "✘ and {count} more")
_ADJUSTED = message("**Stacks corrected, as everyone agreed** · Law H-3")
_ADJUSTMENT = message("Table {table} {date}: {changes}")
_ADJUSTMENT_AGREED = message(
    "Table {table} {date}, after hand #{hand}: {changes}\n-# {proposer} proposed it, {agreed} agreed."
)
_CHANGE = message("{player} {change}")
_NO_ADJUSTMENTS = message("No stacks were corrected in the last 30 days.")
_TRANSFERS = plural(
    "-# {count:,} transfer. The sum over all accounts is zero.",
    "-# {count:,} transfers. The sum over all accounts is zero.",
)
_TRANSFERS_WRONG = plural(
    "-# {count:,} transfer. The sum over all accounts is wrong.",
    "-# {count:,} transfers. The sum over all accounts is wrong.",
)
BOOK_PROBLEMS: dict[BookProblem, Message] = {
    BookProblem.PEOPLE_NOT_ZERO: message("the players' book does not sum to zero"),
    BookProblem.PRACTICE_NOT_ZERO: message("the practice book does not sum to zero"),
    BookProblem.ACCOUNT_OWES: message("an account owes chips"),
    BookProblem.BET_OUTSIDE_POT: message("chips are marked as bet where none can be"),
    BookProblem.BET_IN_EMPTY_POT: message("a bet is remembered in an empty pot"),
    BookProblem.TABLE_DIFFERS: message("the game and the ledger differ"),
    BookProblem.LEADERBOARD_DIFFERS: message("the leaderboard counts other chips than a player has"),
    BookProblem.TRANSFERS_DIFFER: message("a balance is not the sum of its transfers"),
}
FAULTS_LISTED = 10
ADJUSTMENTS_LISTED = 8


def house_rules(rules: HouseRules) -> str:
    """The rules of a house, one line for each matter."""
    lines = [t(_RULES), t(_OPENING_CHIPS, chips=rules.opening_grant)]
    if rules.daily:
        maximum = max(rules.daily, rules.daily_max)
        lines.append(t(_DAILY, chips=rules.daily, step=rules.daily_step, maximum=maximum))
    else:
        lines.append(t(_NO_DAILY))
    if rules.relief:
        lines.append(t(_RELIEF, chips=rules.relief, duration=duration(3600 * rules.relief_hours)))
    else:
        lines.append(t(_NO_RELIEF))
    if rules.account_days:
        lines.append(t(_ACCOUNT_AGE, count=rules.account_days))
    if rules.member_days:
        lines.append(t(_MEMBER_AGE, count=rules.member_days))
    if rules.young_days:
        lines.append(t(_YOUNG, count=rules.young_days, chips=rules.young_chips))
    if rules.staff_role:
        role = rule_value("staff_role", rules.staff_role)
        lines += [t(_STAFF_OR_ROLE, role=role), t(_SHOW_TO_ROLE, role=role)]
    else:
        lines.append(t(_STAFF))
    channel = rule_value("staff_channel", rules.staff_channel)
    lines.append(t(_STAFF_CHANNEL, channel=channel) if rules.staff_channel else t(_NO_STAFF_CHANNEL))
    if rules.forum_channel:
        lines.append(t(_FORUM, channel=rule_value("forum_channel", rules.forum_channel)))
    lines.append(
        t(
            _NEW_TABLES,
            small=rules.small_blind,
            big=rules.big_blind,
            minimum=rules.buyin_min,
            maximum=rules.buyin_max,
            turn=duration(rules.turn_seconds),
            bank=duration(rules.bank_seconds),
        )
    )
    lines.append(_nudge(rules.nudge_seconds))
    idle = rules.idle_close_minutes
    lines.append(t(_IDLE, duration=duration(60 * idle)) if idle else t(_NEVER_IDLE))
    lines.append(t(_THEME, theme=rule_value("theme", rules.theme)))
    if not rules.achievements:
        lines.append(t(_NO_ACHIEVEMENTS))
    lines.append(t(_QUIET, hours=rule_value("quiet_hours", rules.quiet_hours)))
    lines.append(
        t(
            _CAPS,
            hosted=rules.tables_per_host,
            practice=rules.practice_tables_per_host,
            seats=rules.seats_per_person,
            tables=rules.tables_per_server,
        )
    )
    return "\n".join(lines)


def _nudge(seconds: int) -> str:
    if seconds < 0:
        return t(_NO_NUDGE)
    return t(_NUDGE, duration=duration(seconds)) if seconds else t(_NUDGE_AT_ONCE)


def rule_name(field: str) -> str:
    """The name of a house rule: ``Opening chips``."""
    return t(RULE_NAMES[field])


def rule_value(field: str, value: int | str) -> str:
    """The value of a house rule: a number, a role, a channel, a theme, hours."""
    if field == "quiet_hours":
        return hours_text(str(value))
    if isinstance(value, str):
        return t(THEMES[value]) if value in THEMES else value
    if field in {"staff_role", "season_role"}:
        return f"<@&{value}>" if value else t(_NOBODY)
    if field in {"staff_channel", "forum_channel", "season_channel"}:
        return f"<#{value}>" if value else t(_NOBODY)
    return number(value)


def staff_channel_warning(channel: int, waiting: int) -> str:
    """Why staff are not told: the dealer cannot write in their channel, and so many lines wait."""
    text = t(_CANNOT_TELL, channel=f"<#{channel}>")
    return f"{text}\n{t(_LINES_WAIT, count=waiting)}" if waiting else text


def everybody_reads() -> str:
    """A warning about a staff channel that is open to all."""
    return t(_EVERYBODY_READS)


def reports_waiting(count: int) -> str:
    """How many reports wait, where no channel tells staff of them."""
    return t(_REPORTS_WAIT, count=count)


def rule_changed(field: str, before: int, after: int) -> str:
    """The answer to a changed house rule."""
    return t(RULE_CHANGED, rule=rule_name(field), before=before, after=after)


def chips_moved(user: int, chips: int, wallet: int, reason: str) -> str:
    """The answer to chips that staff granted (above zero) or took (below), with their reason."""
    line = t(_CHIPS_MOVED, player=f"<@{user}>", change=signed_chips(chips), wallet=wallet)
    return f"{line}\n{t(_REASON, reason=escape.text(reason))}" if reason.strip() else line


def hand_voided(hand: int, reason: str) -> str:
    """The answer to staff who cancelled a hand."""
    return t(_VOIDED, hand=hand, reason=escape.text(reason))


def player_removed(user: int, *, leaves_later: bool) -> str:
    """The answer to staff who removed a player; who is in a hand leaves after it."""
    return t(_REMOVED_LATER if leaves_later else _REMOVED, player=f"<@{user}>")


def audit(books: LedgerAudit, faults: Sequence[BookFault]) -> str:
    """The books of a server, added up, with what is wrong in them."""
    held = books.wallets + books.stacks + books.pots + books.house
    lines = [t(_BOOKS_DISAGREE, count=len(faults)) if faults else t(_BOOKS_AGREE)]
    lines.append(t(_HANDED_OUT, minted=books.minted, held=held))
    lines.append(t(_HELD, wallets=books.wallets, stacks=books.stacks, pots=books.pots, house=books.house))
    if books.practice:
        lines.append(t(_PRACTICE, chips=books.practice))
    lines += [_fault(fault) for fault in faults[:FAULTS_LISTED]]
    if len(faults) > FAULTS_LISTED:
        lines.append(t(_MORE_FAULTS, count=len(faults) - FAULTS_LISTED))
    if books.adjustments:
        lines.append(t(_ADJUSTED))
        lines += [_adjustment(adjustment) for adjustment in books.adjustments[:ADJUSTMENTS_LISTED]]
    lines.append(t(_TRANSFERS_WRONG if faults else _TRANSFERS, count=books.transfers))
    return "\n".join(lines)


def _fault(fault: BookFault) -> str:
    problem = t(BOOK_PROBLEMS[fault.problem])
    if fault.table:
        problem = t(_AT_TABLE, table=fault.table, problem=problem)
    return t(_FAULT_WITH_CHIPS, problem=problem, chips=fault.chips) if fault.chips else t(_FAULT, problem=problem)


def _adjustment(adjustment: StackAdjustment) -> str:
    changes = [t(_CHANGE, player=f"<@{user}>", change=signed_chips(chips)) for user, chips in adjustment.shifts]
    date = f"<t:{adjustment.at // 1000}:d>"
    if not adjustment.agreed:
        return t(_ADJUSTMENT, table=adjustment.table, date=date, changes=join_list(changes))
    return t(
        _ADJUSTMENT_AGREED,
        table=adjustment.table,
        date=date,
        hand=adjustment.hand,
        changes=join_list(changes),
        proposer=f"<@{adjustment.proposed_by}>",
        agreed=join_list([f"<@{user}>" for user in adjustment.agreed if user != adjustment.proposed_by]),
    )


def adjustments(page: Sequence[StackAdjustment]) -> str:
    """A page of the corrections of the last 30 days."""
    if not page:
        return t(_NO_ADJUSTMENTS)
    return "\n".join([t(_ADJUSTED), *map(_adjustment, page)])
