"""Short private answers to what a player asks of a table between hands.

Source: ui §6.
"""

from __future__ import annotations

from bot.render import escape, wording
from bot.render.lobby import comes_in, duration
from bot.render.panel import RESULT, Panel, Text
from bot.runtime.now import TableNow
from bot.runtime.outcome import Outcome
from bot.table.events import SeatLeft, SettingsChanged, ToppedUp
from bot.table.state import AfterHand
from bot.table.view import SeatLine
from cogs.ui.receipts import DONE_ALREADY


def good(text: str) -> Panel:
    """Something was done."""
    return Panel(RESULT, (Text(text),))


def left(outcome: Outcome) -> Panel:
    """You got up, or will."""
    if outcome.repeated:
        return wording.notice(DONE_ALREADY)
    if any(isinstance(event, SeatLeft) for event in outcome.events) or _own(outcome) is None:
        return good("You have left the table. Your chips are in your wallet.")
    return good("You leave after this hand, with your chips. **I'm back** or `/back` keeps your seat.\n-# Law TL-40")


def sat_out(outcome: Outcome) -> Panel:
    own = _own(outcome)
    if own is not None and own.after is AfterHand.SIT_OUT:
        return good("You sit out after this hand. `/back` plays on.\n-# Law TL-33")
    return good("You sit out. `/back` plays on.\n-# Law TL-33")


def back(outcome: Outcome) -> Panel:
    """How one comes in."""
    own = _own(outcome)
    how = comes_in(outcome.now.table, own) if own is not None else ""
    return good(f"You are back in the game. {how}".strip())


def topped_up(outcome: Outcome) -> Panel:
    """Chips were added, or will be."""
    own = _own(outcome)
    if outcome.repeated or own is None:
        return wording.notice(DONE_ALREADY)
    if any(isinstance(event, ToppedUp) for event in outcome.events):
        return good(f"Added. You have **{own.stack:,}** in front of you.")
    return good(f"**{own.queued:,}** will be added before the next hand.\n-# Law TL-1")


def waits(outcome: Outcome) -> Panel:
    place = next((at for at, one in enumerate(outcome.now.table.waiting, 1) if one.player == outcome.user), 0)
    return good(f"You are number {place} on the waiting list. You will be called when a seat is free.")


def agreed(outcome: Outcome) -> Panel:
    if any(isinstance(event, SettingsChanged) for event in outcome.events) or outcome.now.table.proposal is None:
        return good("Everybody agrees; it is done.")
    return good("You agree. It counts when everybody seated has agreed.\n-# Law H-1")


def time_bank(outcome: Outcome) -> Panel:
    """How long one still has."""
    due = outcome.now.due
    if due is None:
        return wording.notice(DONE_ALREADY)
    bank = duration(round((due.ends - due.turn_ends) / 1000))
    ends = f"<t:{-(-due.ends // 1000)}:R>"
    return good(f"Your time bank of {bank} runs by itself after the clock. Your turn ends {ends}.\n-# Law TL-31")


def names_by_user(now: TableNow) -> dict[int, str]:
    """Names of who sits, safe for markdown, by Discord id."""
    return {seat.player: escape.name(seat.name) for seat in now.table.seats}


def names_by_seat(now: TableNow) -> dict[int, str]:
    """The same by seat number."""
    return {seat.number: escape.name(seat.name) for seat in now.table.seats}


def _own(outcome: Outcome) -> SeatLine | None:
    return next((seat for seat in outcome.now.table.seats if seat.player == outcome.user), None)
