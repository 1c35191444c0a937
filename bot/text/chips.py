"""A player's chips and the leaderboard, in words."""

from __future__ import annotations

from collections.abc import Mapping

from bot.ledger.accounts import TransferReason
from bot.runtime.store_types import HistoryEntry, LeaderboardLine
from bot.text import escape
from bot.text.adjustments import signed_chips
from bot.text.durations import ordinal
from bot.text.formatting import NBSP, relative_time
from bot.text.language import Message, message, number, plural, t
from bot.text.people import person

CLAIM_DAILY = message("Daily {chips:,}")
CLAIM_RELIEF = message("Free chips {chips:,}")
HISTORY = message("History")
LEADERBOARD = message("Leaderboard")
NEWEST = message("Newest")
OLDER = message("Older")
BALANCE = message("Balance")
MY_PLACE = message("My place")

YOUR_CHIPS = message("### Your chips: {chips:,}")
CHIPS_OF = message("### Chips of {player}: {chips:,}")
IN_WALLET = message("In the wallet **{wallet:,}** · on tables **{on_tables:,}**")
PRACTICE_CHIPS = message("Practice chips **{chips:,}** (kept apart)")
_OPENING_AT = message("Starting chips **{chips:,}** {when}")
_HELD = message("Held **{chips:,}**, won from new Discord accounts · the first are free {when}")
_DAILY_NOW = message("Daily chips **{chips:,}** now")
_DAILY_AT = message("Daily chips **{chips:,}** {when}")
_DAYS_IN_A_ROW = plural("{count} day in a row", "{count} days in a row")
_RELIEF_NOW = message("Free chips **{chips:,}** now")
_RELIEF_AT = message("Free chips **{chips:,}** {when}")

_DAILY_CLAIMED = message("### Daily chips: +{chips:,}")
_RELIEF_CLAIMED = message("### Free chips: +{chips:,}")
_WALLET_HOLDS = message("Your wallet now holds **{chips:,}**.")
_AGAIN = message("Your next daily chips: {when}.")

YOUR_HISTORY = message("### Your chips: history")
NO_HISTORY = message("No entries yet.")
_AT_TABLE = message("table {table}")
_BY = message("by {player}")
REASONS: dict[TransferReason, Message] = {
    TransferReason.GRANT: message("starting chips"),
    TransferReason.DAILY: message("daily chips"),
    TransferReason.RELIEF: message("free chips"),
    TransferReason.STAFF_GRANT: message("added by staff"),
    TransferReason.STAFF_TAKE: message("removed by staff"),
    TransferReason.BUY_IN: message("buy-in"),
    TransferReason.TOP_UP: message("added at the table"),
    TransferReason.CASH_OUT: message("left the table"),
    TransferReason.POST: message("forced bet"),
    TransferReason.BET: message("bet"),
    TransferReason.RETURNED: message("uncalled bet returned"),
    TransferReason.WON: message("won"),
    TransferReason.RAKE: message("rake"),
    TransferReason.VOID_REFUND: message("cancelled hand"),
    TransferReason.ADJUSTED: message("stacks corrected"),
    TransferReason.CORRECTED: message("corrected by staff"),
    TransferReason.SEASON: message("end of the season"),
    TransferReason.BOUGHT: message("table chips bought"),
    TransferReason.GAME_OVER: message("end of the game"),
    TransferReason.ENTRY: message("entry"),  # Translators: the buy-in of a sit-and-go
    TransferReason.ENTRY_BACK: message("entry returned"),
    TransferReason.PRIZE: message("prize"),
    TransferReason.BOUNTY: message("bounty"),
}
_BY_STAFF = frozenset({TransferReason.STAFF_GRANT, TransferReason.STAFF_TAKE, TransferReason.CORRECTED})
_NOTE_LENGTH_MAX = 80

PODIUM = message("The leaderboard's podium. {players}.")
PODIUM_PLAYER = message("{rank}: {name} with {chips} chips")
SOMEBODY = message("Player")  # Translators: on the podium, for a player whose name is not known
_OWN_PLACE = message("You: **{rank}** of {players:,} · {chips} chips")
_OF_WHICH_ON_TABLES = message("{total:,} ({chips:,} of it on tables)")
_ALL_ON_TABLES = message("{total:,} (all on tables)")
_COUNTED = message("{chips}, counted {counted:,}")
_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def opening_line(chips: int, at: int) -> str:
    """The starting chips of somebody who is new to Discord, and when they get them, in Unix seconds."""
    return t(_OPENING_AT, chips=chips, when=relative_time(at))


def held_line(chips: int, until: int) -> str:
    """The chips of the wallet that are held, and when the first of them are free, in Unix seconds."""
    return t(_HELD, chips=chips, when=relative_time(until))


def daily_line(chips: int, at: int, streak: int) -> str:
    """The next daily chips, when they can be claimed (in Unix seconds; 0 for now), and the days in a row."""
    line = t(_DAILY_AT, chips=chips, when=relative_time(at)) if at else t(_DAILY_NOW, chips=chips)
    return f"{line} · {t(_DAYS_IN_A_ROW, count=streak)}" if streak > 1 else line


def relief_line(chips: int, at: int) -> str:
    """The next relief and when it can be claimed, in Unix seconds; 0 for now."""
    return t(_RELIEF_AT, chips=chips, when=relative_time(at)) if at else t(_RELIEF_NOW, chips=chips)


def gift_claimed(gift: str, chips: int, wallet: int, *, streak: int, next_at: int) -> str:
    """The answer to a claim. `gift` is ``daily`` or ``relief``; `next_at` is in Unix seconds, 0 for unknown."""
    lines = [
        t(_DAILY_CLAIMED if gift == "daily" else _RELIEF_CLAIMED, chips=chips),
        t(_WALLET_HOLDS, chips=wallet),
    ]
    small_print = [t(_DAYS_IN_A_ROW, count=streak)] if streak > 1 else []
    if next_at:
        small_print.append(t(_AGAIN, when=relative_time(next_at)))
    lines += [f"-# {line}" for line in small_print]
    return "\n".join(lines)


_DAY = message("day {number}")


def history_line(entry: HistoryEntry, names: Mapping[int, str]) -> str:
    """One entry of a wallet: ``**−5,000** buy-in · table 3 · 2 hours ago``. `names` are by user id."""
    parts = [f"**{signed_chips(entry.chips)}** {t(REASONS[entry.reason])}"]
    if entry.table:
        parts.append(t(_AT_TABLE, table=entry.table))
    if entry.reason in _BY_STAFF and entry.requested_by:
        name = names.get(entry.requested_by)
        parts.append(t(_BY, player=f"<@{entry.requested_by}>" if name is None else escape.name(name)))
    day = entry.note.removeprefix("day ")
    if entry.reason is TransferReason.DAILY and day.isdecimal():
        parts.append(t(_DAY, number=int(day)))
    elif entry.note:
        parts.append(escape.text(entry.note, _NOTE_LENGTH_MAX))
    return " · ".join([*parts, relative_time(entry.at // 1000)])


def leaderboard_line(line: LeaderboardLine, *, own: bool, departed: Mapping[int, str] | None = None) -> str:
    """One player of the leaderboard: ``🥇 @Zoë · 50,000 (9,999 of it on tables)``."""
    rank = _MEDALS.get(line.rank, f"`{number(line.rank)}`")
    player = person(line.user, own=own, departed=departed)
    on_tables = line.total - line.wallet
    chips = number(line.total)
    if on_tables > 0 and line.wallet:
        chips = t(_OF_WHICH_ON_TABLES, total=line.total, chips=on_tables)
    elif on_tables > 0:
        chips = t(_ALL_ON_TABLES, total=line.total)
    if line.uncounted:
        chips = t(_COUNTED, chips=chips, counted=line.counted)
    return f"{rank}{NBSP}{player} · {chips}"


def own_place(own: LeaderboardLine, players: int) -> str:
    """The reader's own place among all players."""
    chips = number(own.total)
    if own.uncounted:
        chips = t(_COUNTED, chips=chips, counted=own.counted)
    return t(_OWN_PLACE, rank=ordinal(own.rank), players=players, chips=chips)
