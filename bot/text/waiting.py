"""What is said at tables that wait for hours or days."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.engine.legal import Decision
from bot.engine.view.types import HandView
from bot.text import buttons
from bot.text.formatting import relative_time_ms
from bot.text.language import Message, message, plural, t

_CHECKS = message("It's still your turn in {channel}. It ends {until}; then the dealer checks for you.")
_FOLDS = message("It's still your turn in {channel}. It ends {until}; then the dealer folds your hand.")
_ANSWERS = message("It's still your turn in {channel}. It ends {until}; then the dealer answers for you.")
NEXT_TABLE = message("Next table")
_WAITING = plural(
    "{count} table waits for you: {channel}. Your turn ends {until}.",
    "{count} tables wait for you. The next is {channel}: your turn ends {until}.",
)
VACATION = message("Vacation…")
_ON_VACATION = message(
    "Vacation · **ends {until}**\n-# No clock of yours runs at tables that wait, and you aren't dealt in there. "
    "Sit-and-gos, duels and game nights go on without you: withdraw from those you can't come to"
)
_NO_VACATION = plural(
    "Vacation · **none**\n-# {count} day left, in which no clock of yours runs at tables that wait",
    "Vacation · **none**\n-# {count} days left, in which no clock of yours runs at tables that wait",
)
_OFF = frozenset({"0", "off", "none", "no", "end", "back"})
_LINKED = message("{sentence} [{label}]({link})")


def reminder_text(channel: int, ends_at: int, view: HandView | None, link: str) -> str:
    """Remind somebody of their turn: until when they have time, in ms since the epoch, and what the dealer does for them then (TL-41)."""
    sentence = t(_silence(view), channel=f"<#{channel}>", until=relative_time_ms(ends_at))
    return t(_LINKED, sentence=sentence, label=t(buttons.GO_TO_TABLE), link=link)


def waiting_tables(count: int, channel: int, ends_at: int) -> str:
    """How many tables wait for somebody, and where the first turn of theirs ends, in ms since the epoch."""
    return t(_WAITING, count=count, channel=f"<#{channel}>", until=relative_time_ms(ends_at))


def table_link(channel: int, link: str) -> str:
    """Lead to a table, by its thread and its message."""
    return t(_LINKED, sentence=f"<#{channel}>", label=t(buttons.GO_TO_TABLE), link=link)


def vacations_text(spans: Iterable[tuple[int, int]]) -> str:
    """From when until when somebody was on vacation, as UTC dates."""
    dates = [[datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M") for at in span] for span in spans]
    return ", ".join([f"{begins} – {ends} UTC" for begins, ends in dates])


def vacation_line(until: int, days: int) -> str:
    """Somebody's vacation from tables that wait: until when, in ms since the epoch, 0 for none; else the days that they can take."""
    return t(_ON_VACATION, until=relative_time_ms(until)) if until else t(_NO_VACATION, count=days)


def parse_vacation(typed: str) -> int:
    """Read how many days of vacation somebody wants; 0 for none any more, -1 for what is no number."""
    word = typed.strip().casefold()
    if word in _OFF:
        return 0
    number = word.removesuffix("days").removesuffix("day").strip()
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= 3 else -1


def _silence(view: HandView | None) -> Message:
    legal = view.legal_to_act if view is not None else None
    if legal is None or legal.decision is not Decision.BET:
        return _ANSWERS
    if legal.check:
        return _CHECKS
    return _FOLDS if legal.fold else _ANSWERS
