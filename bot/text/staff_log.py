"""The staff log in words: who cancelled, gave, took, changed, banned; what players report; who is banned."""

from __future__ import annotations

from typing import assert_never

from bot.ledger.books import BookProblem
from bot.runtime.staff_log_types import Ban, StaffLogEntry, StaffLogKind, StaffLogLine
from bot.text import escape
from bot.text.adjustments import signed_chips
from bot.text.formatting import join_list
from bot.text.house import BOOK_PROBLEMS, rule_name, rule_value
from bot.text.language import Message, message, plural, t
from bot.text.lobby_board import ended as lobby_ended
from bot.text.seasons import season_title

REPORT = message("Report…")
REPORT_TITLE = message("Report hand #{hand}")
REPORT_FIELD = message("What happened?")
REPORT_HINT = message("Staff read it with the hand. Cards that nobody showed stay hidden.")
REPORTED = message("Thanks. Staff will look at hand #{hand}.")
LOOK_AT_HAND = message("Look at the hand")
MARK_DONE = message("Done")
MORE_REPORTS = message("More ›")
REPORT_DONE = message("The report of hand #{hand} is done.")
NO_REPORTS = message("No report is waiting.")
LIFT_A_BAN = message("Lift a ban…")
NO_BANS = message("Nobody is banned.")

_REPORTS = plural("### {count:,} report is waiting", "### {count:,} reports are waiting")
_BANS = plural("### {count:,} person is banned", "### {count:,} people are banned")
_BAN = message("{player}, <t:{at}:D>, by {by}")
_BANNED = message("{player} is banned: no seat, no table, no chips, until `/house page:unban`.")
_BANNED_AFTER_HAND = message(
    "{player} is banned: no seat, no table, no chips, until `/house page:unban`. They leave after this hand."
)
_UNBANNED = message("{player} can play here again.")
_WITH_REASON = message("{line}\n-# {reason}")
_WHEN = message("{line}\n-# <t:{at}:f>")
_TABLE = message("table {number} (<#{channel}>)")
_CHANGE = message("{player} {change}")

_HAND_VOIDED = message("{who} cancelled hand #{hand} of {table}.")
_GRANTED = message("{who} gave {player} {chips:,} chips.")
_TOOK = message("{who} took {chips:,} chips from {player}.")
_RULE_CHANGED = message("{who} changed a house rule: {rule} is {after} now (was {before}).")
_PLAYER_REMOVED = message("{who} removed {player} from {table}.")
_TABLE_CLOSED = message("{who} closed {table}.")
_STACKS_ADJUSTED = message(
    "Stacks corrected at {table} after hand #{hand}: {changes}. {who} proposed it, {agreed} agreed."
)
_CHIPS_CORRECTED = message("{who} corrected the book of {table}: {changes}.")
_CORRECTION_LAPSED = message(
    "{who} wanted to correct the book of {table}, but after the hand it wasn't possible any more: {changes}."
)
_GAME_SAVED = message("{who} saved the house game **{name}**.")
_GAME_DELETED = message("{who} deleted the house game **{name}**.")
_PLAYER_BANNED = message("{who} banned {player}.")
_BAN_LIFTED = message("{who} lifted the ban of {player}.")
_BOOKS_DISAGREE = message(
    "⚠️ The books do not agree: {problem}. `/house page:books` lists all of it. Whoever runs the bot can put a backup back."
)
_HAND_REPORTED = message("🚩 {who} reports hand #{hand} of {table}.")
_REPORT_SETTLED = message("{who} marked the report of hand #{hand} by {player} as done.")

_FLOW_ALARM = message(
    "⚠️ **{chips:,}** chips went from {giver} to {taker} in a way that stands out. Leaderboards don't count them until staff have looked."
)
_FLOW_LOOKED = message(
    "{who} looked at the chips that went from {giver} to {taker}. They count on leaderboards, up to the cap."
)
_FLOW_ASIDE = message(
    "{who} set aside the chips that went from {giver} to {taker}. They don't count this season, nor this year."
)

_SEASON_OPENED = message("{who} opened {season}.")
_SEASON_OPENED_ITSELF = message("The calendar opened {season}.")
_SEASON_CLOSED = message("{who} closed {season}. Its results are final.")
_SEASON_CLOSED_ITSELF = message("{season} is over. Its results are final.")

DELAYED_MS = 60_000
"""A line that is told later than this after it happened says when it was."""


def staff_log_line(line: StaffLogLine, now: int = 0) -> str:
    """Tell a line of the staff log, with its reason; with the time `now` in ms, also when it was, if that is a while ago."""
    entry = line.entry
    text = _what_happened(line, entry)
    if entry.reason:
        text = t(_WITH_REASON, line=text, reason=escape.text(entry.reason))
    if now - line.at > DELAYED_MS:
        text = t(_WHEN, line=text, at=line.at // 1000)
    return text


def _what_happened(line: StaffLogLine, entry: StaffLogEntry) -> str:
    who, player, hand = _person(line.who), _person(entry.about), entry.hand
    table = t(_TABLE, number=line.table_number, channel=line.channel)
    match entry.kind:
        case StaffLogKind.HAND_VOIDED:
            return t(_HAND_VOIDED, who=who, hand=hand, table=table)
        case StaffLogKind.GRANTED:
            return t(_GRANTED, who=who, player=player, chips=entry.chips)
        case StaffLogKind.TOOK:
            return t(_TOOK, who=who, player=player, chips=entry.chips)
        case StaffLogKind.RULE_CHANGED:
            before, after = rule_value(entry.name, entry.before), rule_value(entry.name, entry.after)
            return t(_RULE_CHANGED, who=who, rule=rule_name(entry.name), before=before, after=after)
        case StaffLogKind.PLAYER_REMOVED:
            return t(_PLAYER_REMOVED, who=who, player=player, table=table)
        case StaffLogKind.TABLE_CLOSED:
            return t(_TABLE_CLOSED, who=who, table=table)
        case StaffLogKind.STACKS_ADJUSTED:
            agreed = join_list([_person(user) for user in entry.agreed if user != line.who])
            changes = stack_changes(entry.shifts)
            return t(_STACKS_ADJUSTED, table=table, hand=hand, changes=changes, who=who, agreed=agreed)
        case StaffLogKind.CHIPS_CORRECTED:
            return t(_CHIPS_CORRECTED, who=who, table=table, changes=stack_changes(entry.shifts))
        case StaffLogKind.CORRECTION_LAPSED:
            return t(_CORRECTION_LAPSED, who=who, table=table, changes=stack_changes(entry.shifts))
        case StaffLogKind.GAME_SAVED:
            return t(_GAME_SAVED, who=who, name=escape.text(entry.name, 60))
        case StaffLogKind.GAME_DELETED:
            return t(_GAME_DELETED, who=who, name=escape.text(entry.name, 60))
        case StaffLogKind.BANNED:
            return t(_PLAYER_BANNED, who=who, player=player)
        case StaffLogKind.UNBANNED:
            return t(_BAN_LIFTED, who=who, player=player)
        case StaffLogKind.BOOKS_DISAGREE:
            return t(_BOOKS_DISAGREE, problem=t(BOOK_PROBLEMS[BookProblem(entry.name)]))
        case StaffLogKind.REPORTED:
            return t(_HAND_REPORTED, who=who, hand=hand, table=table)
        case StaffLogKind.REPORT_DONE:
            return t(_REPORT_SETTLED, who=who, hand=hand, player=player)
        case StaffLogKind.LOBBY_ENDED:
            return lobby_ended(entry.channel, gone=entry.name == "gone")
        case StaffLogKind.SEASON_OPENED:
            return _season(_SEASON_OPENED, _SEASON_OPENED_ITSELF, line)
        case StaffLogKind.SEASON_CLOSED:
            return _season(_SEASON_CLOSED, _SEASON_CLOSED_ITSELF, line)
        case StaffLogKind.FLOW_ALARM:
            return t(_FLOW_ALARM, chips=entry.chips, **_pair(entry))
        case StaffLogKind.FLOW_LOOKED:
            return t(_FLOW_LOOKED, who=who, **_pair(entry))
        case StaffLogKind.FLOW_ASIDE:
            return t(_FLOW_ASIDE, who=who, **_pair(entry))
        case _:
            assert_never(entry.kind)


def _pair(entry: StaffLogEntry) -> dict[str, str]:
    (giver, _), (taker, _) = entry.shifts
    return {"giver": _person(giver), "taker": _person(taker)}


def _season(by_staff: Message, by_itself: Message, line: StaffLogLine) -> str:
    name = season_title(line.entry.season, line.entry.name)
    return t(by_staff, who=_person(line.who), season=name) if line.who else t(by_itself, season=name)


def is_report(entry: StaffLogEntry) -> bool:
    """Return whether a line is a report that staff can look at."""
    return entry.kind is StaffLogKind.REPORTED


def is_alarm(entry: StaffLogEntry) -> bool:
    """Return whether a line is an alarm of the flow of chips."""
    return entry.kind is StaffLogKind.FLOW_ALARM


def reports_heading(count: int) -> str:
    return t(_REPORTS, count=count)


def bans_heading(count: int) -> str:
    return t(_BANS, count=count)


def ban_line(ban: Ban) -> str:
    """One ban: who, since when, by whom, why."""
    text = t(_BAN, player=_person(ban.user), at=ban.at // 1000, by=_person(ban.by))
    return t(_WITH_REASON, line=text, reason=escape.text(ban.reason, 120)) if ban.reason else text


def banned(user: int, *, leaves_later: bool) -> str:
    """The answer to a ban."""
    return t(_BANNED_AFTER_HAND if leaves_later else _BANNED, player=_person(user))


def unbanned(user: int) -> str:
    """The answer to a lifted ban."""
    return t(_UNBANNED, player=_person(user))


def stack_changes(shifts: tuple[tuple[int, int], ...]) -> str:
    """Who gave and who got chips: ``@Ann −500, @Bo +500``."""
    return join_list([t(_CHANGE, player=_person(user), change=signed_chips(chips)) for user, chips in shifts])


def _person(user: int) -> str:
    """A person, as Discord shows them. Nobody is called by it: every message allows no mentions."""
    return f"<@{user}>" if user > 0 else "–"
