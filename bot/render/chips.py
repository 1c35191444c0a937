"""A player's chips (balance, daily chips, relief, history) and the leaderboard (ui §5 g). All private until shown on purpose."""

from __future__ import annotations

from collections.abc import Mapping

from bot.ledger.accounts import Reason
from bot.render import escape
from bot.render.ids import page
from bot.render.panel import (
    BLURPLE,
    FINISHED,
    GREEN,
    GREY,
    RANKINGS,
    RESULT,
    Block,
    Button,
    Buttons,
    Panel,
    Separator,
    Text,
)
from bot.render.scene import NBSP, ago
from bot.runtime.ports import Entry, History, Leaderboard, Purse, Standing

PAGE_LINES = 10
_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
_REASONS = {
    Reason.GRANT: "opening chips",
    Reason.DAILY: "daily chips",
    Reason.RELIEF: "relief",
    Reason.STAFF_GRANT: "granted by staff",
    Reason.STAFF_TAKE: "taken by staff",
    Reason.BUY_IN: "buy-in",
    Reason.TOP_UP: "added at the table",
    Reason.CASH_OUT: "left the table",
    Reason.VOID_REFUND: "cancelled hand",
    Reason.CORRECTED: "corrected",
}


def balance_panel(
    purse: Purse,
    *,
    daily_at: int,
    daily_chips: int,
    relief_at: int,
    relief_chips: int,
    practice: int = 0,
    shared: bool = False,
) -> Panel:
    """A player's chips, and what the house gives next.

    Args:
        daily_at: when the next daily chips may be claimed, in Unix seconds; 0 for now.
        daily_chips: what they will be; 0 where the house gives none.
        relief_at, relief_chips: the same of relief, which only a player without a chip may claim.
        practice: chips on the books of practice tables, wallet and tables together; 0 for who never played there.
        shared: for everybody to read, so without buttons.
    """
    lines = [
        f"### {f'Chips of <@{purse.user}>' if shared else 'Your chips'}: {purse.total:,}",
        f"In the wallet **{purse.wallet:,}** · on tables **{purse.on_tables:,}**",
    ]
    if practice:
        lines.append(f"Practice chips **{practice:,}** (kept apart)")
    if shared:
        return Panel(RESULT, (Text("\n".join(lines)),))
    if daily_chips:
        when = f" {ago(daily_at)}" if daily_at else " now"
        streak = f" · {purse.claims.streak} days in a row" if purse.claims.streak > 1 else ""
        lines.append(f"Daily chips **{daily_chips:,}**{when}{streak}")
    buttons: list[Button] = []
    if daily_chips and not daily_at:
        buttons.append(Button(f"Daily {daily_chips:,}", page("chips", "daily"), GREEN))
    if relief_chips and not purse.total:
        lines.append(f"Relief **{relief_chips:,}** " + (ago(relief_at) if relief_at else "now"))
        if not relief_at:
            buttons.append(Button(f"Relief {relief_chips:,}", page("chips", "relief"), GREEN))
    buttons.append(Button("History", page("chips", "history"), GREY))
    buttons.append(Button("Leaderboard", page("board", "page", 1), GREY))
    buttons.append(Button("Show here", page("chips", "here"), GREY))
    return Panel(RESULT, (Text("\n".join(lines)), Buttons(tuple(buttons))))


def claimed_panel(gift: str, chips: int, wallet: int, *, streak: int = 0, next_at: int = 0) -> Panel:
    """The answer to a claim. `gift` is ``daily`` or ``relief``; `next_at` in Unix seconds."""
    name = "Daily chips" if gift == "daily" else "Relief"
    lines = [f"### {name}: +{chips:,}", f"Your wallet holds **{wallet:,}**."]
    small: list[str] = []
    if streak > 1:
        small.append(f"{streak} days in a row")
    if next_at:
        small.append(f"again {ago(next_at)}")
    if small:
        lines.append("-# " + " · ".join(small))
    return Panel(RESULT, (Text("\n".join(lines)),))


def history_panel(history: History, *, names: Mapping[int, str] | None = None, first: bool = True) -> Panel:
    """One page of a player's wallet, newest first."""
    lines = ["### Your chips, entry by entry"]
    lines += [_entry(entry, names or {}) for entry in history.entries]
    if not history.entries:
        lines.append("Nothing has moved yet.")
    buttons: list[Button] = []
    if not first:
        buttons.append(Button("Newest", page("chips", "history"), GREY))
    if history.older:
        buttons.append(Button("Older", page("chips", "history", history.older), GREY))
    buttons.append(Button("Balance", page("chips", "balance"), GREY))
    return Panel(FINISHED, (Text("\n".join(lines)), Buttons(tuple(buttons))))


def leaderboard_panel(
    board: Leaderboard,
    number: int,
    *,
    user: int,
    updated_at: int = 0,
    shared: bool = False,
    practice: Leaderboard | None = None,
) -> Panel:
    """One page of the leaderboard by total chips, with one's own place below.

    Args:
        number: the page, from 1.
        user: who asks.
        shared: for everybody to read: nobody's own place, no *Show here*.
        practice: who has most on the books of practice tables, shown below where they matter.
    """
    pages = max(1, -(-board.players // PAGE_LINES))
    lines = [f"### Leaderboard\n-# Chips in the wallet and on tables · {_players(board.players)}"]
    lines += [_standing(line, own=line.user == user and not shared) for line in board.lines]
    if not board.lines:
        lines.append("Nobody has chips yet. `/sit` opens an account.")
    if practice is not None and practice.lines:
        lines.append("### Practice chips")
        lines += [_standing(line, own=line.user == user and not shared) for line in practice.lines]
    blocks: list[Block] = [Text("\n".join(lines))]
    below: list[str] = []
    if not shared and board.own is not None:
        below.append(f"You: **{ordinal(board.own.rank)}** of {board.players:,} · {board.own.total:,} chips")
    elif not shared:
        below.append("You have no chips here yet.")
    if updated_at:
        below.append(f"-# Updated {ago(updated_at)}")
    if below:
        blocks += [Separator(), Text("\n".join(below))]
    way = "shared" if shared else "page"
    buttons = [
        Button("‹ Prev", page("board", way, max(1, number - 1), "prev"), GREY, disabled=number <= 1),
        Button(f"{number} / {pages}", page("board", way, number, "now"), GREY, disabled=True),
        Button("Next ›", page("board", way, min(pages, number + 1), "next"), GREY, disabled=number >= pages),
    ]
    if not shared:
        if board.own is not None:
            mine = -(-board.own.rank // PAGE_LINES)
            buttons.append(Button("My place", page("board", way, mine, "mine"), BLURPLE))
        buttons.append(Button("Show here", page("board", "here", number), GREY))
    blocks.append(Buttons(tuple(buttons)))
    return Panel(RANKINGS, tuple(blocks))


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def _standing(line: Standing, *, own: bool) -> str:
    place = _MEDALS.get(line.rank, f"`{line.rank:,}`")
    you = " (you)" if own else ""
    away = f" · {line.total - line.wallet:,} on tables" if line.total > line.wallet else ""
    return f"{place}{NBSP}<@{line.user}>{you} · {line.total:,}{away}"


def _entry(entry: Entry, names: Mapping[int, str]) -> str:
    where = f" · table {entry.table:,}" if entry.table else ""
    note = f" · {escape.text(entry.note, 80)}" if entry.note else ""
    staff = entry.reason in {Reason.STAFF_GRANT, Reason.STAFF_TAKE, Reason.CORRECTED} and entry.by
    by = (f" · by {escape.name(names[entry.by])}" if entry.by in names else f" · by <@{entry.by}>") if staff else ""
    chips = f"{entry.chips:+,}".replace("-", "−")
    return f"**{chips}** {_REASONS.get(entry.reason, entry.reason.value)}{where}{by}{note} · {ago(entry.at // 1000)}"


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count:,} players"
