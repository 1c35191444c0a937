"""What staff read about their house: its rules, the audit, granted chips, cancelled hands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.house.rules import HOUSE_RULES, HouseRules, RuleKind
from bot.ledger.books import BookFault, BookProblem
from bot.runtime.store_types import LedgerAudit, StackAdjustment
from bot.text import escape
from bot.text.adjustments import signed_chips
from bot.text.durations import duration
from bot.text.formatting import join_list
from bot.text.language import Message, message, number, plural, t
from bot.text.quiet_hours import hours_text, zone_text
from bot.text.word_table import word_table


class RuleWords(Struct, frozen=True):
    """The words of one house rule.

    Attributes:
        name: what it is called in a list.
        in_sentence: what it is called inside a sentence, after "the".
        meaning: what it is for; empty for a rule that `/house page:rules` lists.
    """

    name: Message
    in_sentence: Message = Message("")
    meaning: Message = Message("")


_ON, _OFF = message("on"), message("off")
_RULE_VALUE = message("{rule}: {value}")
_RULE_LINE = message("{rule}: **{value}**\n-# {meaning}")
CHANGE_A_RULE = message("Change a rule…")
AUDIT = message("Check the books")
RULE_BOUNDS = message("{minimum:,} to {maximum:,}. It is {value:,} now.")
RULE_CHANGED = message("Changed: {rule} **{after:,}** (was {before:,}).")
_RULE_TABLE = word_table(
    """
    opening_grant | Starting chips | starting chips
    daily | Daily chips | daily chips
    daily_step | Daily chips: more per day in a row | extra daily chips for each day in a row
    daily_max | Daily chips: maximum | maximum daily chips
    relief | Free chips | free chips
    relief_hours | Hours between free chips | hours between free chips
    account_days | Chips: days since joining Discord | days that an account must be old
    member_days | Daily, free chips: days in the server | days that a member must have been here
    young_days | Days that an account counts as new | days that an account counts as new
    young_chips | Chips won from new accounts, not held | chips won from new accounts that are not held
    counted_per_opponent | Counted per opponent (0: usual, -1: all) | chips from one opponent that count on leaderboards
    idle_close_minutes | Minutes until idle tables close (0: never) | minutes until an idle table closes
    tables_per_host | Open tables of one host | number of tables of one host
    practice_tables_per_host | Open practice tables of one host | number of practice tables of one host
    seats_per_person | Seats of one player at a time | number of seats of one player
    tables_per_server | Open tables on this server | number of tables on this server
    small_blind | Small blind of a new table | small blind
    big_blind | Big blind of a new table | big blind
    buyin_min | Minimum buy-in in big blinds | minimum buy-in in big blinds
    buyin_max | Maximum buy-in in big blinds | maximum buy-in in big blinds
    turn_seconds | Seconds per action | seconds per action
    bank_seconds | Seconds of time bank | time bank
    nudge_seconds | Seconds until the turn reminder | seconds until a reminder
    staff_role | Staff role | staff role | A role that is staff, besides Manage Server
    player_role | Role of players | role of players | Only people with this role play here, such as 18+. Without one, everybody can
    staff_channel | Staff channel | staff channel | A channel that tells who cancelled, added, took, changed, banned; and reports
    theme | Theme of the pictures | theme of the pictures | How the pictures of this server's tables look
        classic | classic (dark table)
        light | light (bright table, strong contrast)
    achievements | Achievements under a result | setting for achievements | \
            Whether a result tells what somebody has achieved in the hand
    forum_channel | Forum of tables | forum of tables | The forum
    quiet_hours | Quiet hours | quiet hours | From when to when and where, as 22:00-08:00 Berlin or 22:00-08:00 +01:00; or off
    time_zone | Time zone | time zone | The time zone of game nights, as Berlin or America/New_York
    season_months | Calendar of seasons | months of a season | \
            Seasons that open and close by themselves, at midnight UTC on the first
        off | none: staff open and close seasons
        month | a season every month
        quarter | a season every quarter
    season_start | Everyone's chips after a season | chips that everyone has after a season | \
            Chips after a season for all who played, the most for others; 0: they keep a part of theirs
    season_carried | Percent of chips kept after a season | percent of chips that everyone keeps | \
            How many percent of their chips everyone keeps after a season
    ranking_hands | Hands it takes to be ranked | number of hands it takes to be ranked | Hands it takes to be ranked
    season_role | Role of the season's winner | role of the season's winner | A role for whoever won the last season
    season_channel | Channel for seasons | channel for seasons | The channel that tells of seasons
    """
)
RULE_WORDS = {row.code: RuleWords(*row.messages) for row in _RULE_TABLE}
"""The words of every house rule, by its field."""
RULE_CHOICES = {row.code: {each.code: each.messages[0] for each in row.rows} for row in _RULE_TABLE if row.rows}
"""What the values of a rule are called that can be chosen, by its field and their code words."""
THEMES = RULE_CHOICES["theme"]
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
_COUNTED = message(
    "Leaderboards count up to **{chips:,}** chips that one player wins from another, in a season or in a year (BO-1)"
)
_ALL_COUNTED = message("Leaderboards count all chips that one player wins from another (BO-1)")
_CAPS = message(
    "One player: {hosted} tables as host, {practice} for practice, {seats} seats. This server: {tables} tables"
)
_STAFF = message("Staff: Manage Server")
_STAFF_OR_ROLE = message("Staff: Manage Server or {role}")
_SHOW_TO_ROLE = message(
    "-# So that {role} can see `/house`: Server Settings → Integrations → this bot → `/house` → add the role."
)
_STAFF_CHANNEL = message("Staff channel: {channel}")
_NO_STAFF_CHANNEL = message("Staff channel: none. `/house page:server` names one")
_FORUM = message("New tables are posts in {channel}")
_NOBODY = message("none")
MORE_ADJUSTMENTS = message("Older ones ›")
_EVERYBODY_READS = message("-# Everyone can read that channel. Choose one for staff alone.")
_CANNOT_TELL = message(
    "⚠️ I can't write in the staff channel {channel}. Let me send messages there, or name another: `/house page:server`"
)
_LINES_WAIT = plural("-# {count:,} message is waiting.", "-# {count:,} messages are waiting.")
_REPORTS_WAIT = plural(
    "🚩 {count:,} report is waiting: `/house page:reports`", "🚩 {count:,} reports are waiting: `/house page:reports`"
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
_QUIET = message("Quiet hours: {hours}. `/house page:quiet` changes them")

_CHIPS_MOVED = message("{player}: **{change}** chips. Their wallet holds {wallet:,} now.")
_REASON = message("-# {reason}")
_VOIDED = message("Hand #{hand} is cancelled. All bets are returned.\n-# Law I-1 · {reason}")

_BOOKS_AGREE = message("### ✅ The books agree")
_BOOKS_DISAGREE = plural(
    "### ❌ The books don't agree ({count} fault)", "### ❌ The books don't agree ({count} faults)"
)
_HANDED_OUT = message("Handed out **{minted:,}** · held **{held:,}**")
_HELD = message("Wallets {wallets:,} · stacks {stacks:,} · pots {pots:,} · house {house:,}")
_ESCROW = message("Entries of sit-and-gos and duels: {chips:,}.")
_PRACTICE = message("Practice chips {chips:,} (kept apart)")
_TABLE_CHIPS = message("Table chips {chips:,} (each game has a book of its own)")
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
    BookProblem.GAME_NOT_ZERO: message("the book of a game of table chips does not sum to zero"),
    BookProblem.ACCOUNT_OWES: message("an account owes chips"),
    BookProblem.BET_OUTSIDE_POT: message("chips are marked as bet where none can be"),
    BookProblem.BET_IN_EMPTY_POT: message("a bet is remembered in an empty pot"),
    BookProblem.TABLE_DIFFERS: message("the game and the ledger differ"),
    BookProblem.LEADERBOARD_DIFFERS: message("the leaderboard counts other chips than a player has"),
    BookProblem.COUNTED_DIFFERS: message("a leaderboard counts other chips than were won"),
    BookProblem.RANKS_DIFFER: message("the ranks of a leaderboard count other people than are on it"),
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
    lines.append(t(_COUNTED, chips=rules.counted_cap) if rules.counted_cap else t(_ALL_COUNTED))
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
    """The name of a house rule: ``Starting chips``."""
    return t(RULE_WORDS[field].name)


def rule_values(field: str) -> list[tuple[str, str]]:
    """The values that can be chosen for a rule: what is stored, and what it is called."""
    if HOUSE_RULES[field].kind is RuleKind.SWITCH:
        return [("1", t(_ON)), ("0", t(_OFF))]
    stored = HOUSE_RULES[field].choices
    return [(str(stored.get(code, code)), t(name)) for code, name in RULE_CHOICES.get(field, {}).items()]


def rule_choice(field: str, value: str) -> str:
    """A value of a rule in its select, with the rule's name: ``Achievements under a result: on``."""
    return t(_RULE_VALUE, rule=rule_name(field), value=value)


def rule_line(field: str, value: int | str) -> str:
    """A rule with its value, and what it is for."""
    words = dict(rule_values(field)).get(str(value)) or rule_value(field, value)
    return t(_RULE_LINE, rule=rule_name(field), value=words, meaning=t(RULE_WORDS[field].meaning))


def rule_value(field: str, value: int | str) -> str:
    """The value of a house rule: a number, a role, a channel, a theme, hours."""
    match HOUSE_RULES[field].kind:
        case RuleKind.HOURS:
            return hours_text(str(value))
        case RuleKind.ZONE:
            return zone_text(str(value))
        case RuleKind.THEME:
            return t(THEMES[str(value)]) if value in THEMES else str(value)
        case RuleKind.ROLE:
            return f"<@&{value}>" if value else t(_NOBODY)
        case RuleKind.CHANNEL:
            return f"<#{value}>" if value else t(_NOBODY)
        case RuleKind.NUMBER | RuleKind.SWITCH:
            return number(int(value))


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


def audit(books: LedgerAudit, faults: Sequence[BookFault]) -> str:
    """The books of a server, added up, with what is wrong in them."""
    held = books.wallets + books.stacks + books.pots + books.house + books.escrow
    lines = [t(_BOOKS_DISAGREE, count=len(faults)) if faults else t(_BOOKS_AGREE)]
    lines.append(t(_HANDED_OUT, minted=books.minted, held=held))
    lines.append(t(_HELD, wallets=books.wallets, stacks=books.stacks, pots=books.pots, house=books.house))
    if books.escrow:
        lines.append(t(_ESCROW, chips=books.escrow))
    if books.practice:
        lines.append(t(_PRACTICE, chips=books.practice))
    if books.table_chips:
        lines.append(t(_TABLE_CHIPS, chips=books.table_chips))
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
    date = f"<t:{adjustment.at // 1000}:D>"
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
