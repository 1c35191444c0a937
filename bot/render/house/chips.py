"""Draw a player's chips (balance, daily chips, relief, history) and the leaderboard. All of it is private until shown on purpose."""

from collections.abc import Mapping

from bot.ledger.gifts import HeldChips
from bot.render.message.custom_ids import page_id
from bot.render.message.notice import practice_button
from bot.render.message.panel import (
    FINISHED,
    GREEN,
    GREY,
    RESULT,
    Button,
    Buttons,
    Panel,
    Text,
)
from bot.runtime.store_types import PlayerHoldings, WalletHistory
from bot.text import buttons as labels
from bot.text import chips as words
from bot.text.language import t

PAGE_LINES = 10
NONE_HELD = HeldChips()


def balance_panel(
    purse: PlayerHoldings,
    *,
    daily_at: int,
    daily_chips: int,
    relief_at: int,
    relief_chips: int,
    opening_at: int = 0,
    opening_chips: int = 0,
    held: HeldChips = NONE_HELD,
    practice: int = 0,
    shared: bool = False,
) -> Panel:
    """Return a player's chips, and what the house gives next.

    Args:
        daily_at: when the next daily chips can be claimed, in Unix seconds; 0 for now.
        daily_chips: how many they will be; 0 where the house gives none.
        relief_at, relief_chips: the same for relief; 0 for a player who has chips of their own.
        opening_at, opening_chips: when somebody who is new to Discord gets their first chips, and how many; 0 for everybody else.
        held: chips of the wallet that cannot be brought to a table yet.
        practice: chips on the books of practice tables, wallet and tables together; 0 for who never played there.
        shared: everybody reads it, so it has no buttons.
    """
    lines = [
        t(words.CHIPS_OF, player=f"<@{purse.user}>", chips=purse.total)
        if shared
        else t(words.YOUR_CHIPS, chips=purse.total),
        t(words.IN_WALLET, wallet=purse.wallet, on_tables=purse.on_tables),
    ]
    if practice:
        lines.append(t(words.PRACTICE_CHIPS, chips=practice))
    if shared:
        return Panel(RESULT, (Text("\n".join(lines)),))
    buttons: list[Button] = []
    if held.chips and purse.wallet:
        lines.append(words.held_line(min(held.chips, purse.wallet), -(-held.until // 1000)))
    if opening_at:
        lines.append(words.opening_line(opening_chips, opening_at))
        buttons.append(practice_button())
    if daily_chips:
        lines.append(words.daily_line(daily_chips, daily_at, purse.claims.streak))
        if not daily_at:
            buttons.append(Button(t(words.CLAIM_DAILY, chips=daily_chips), page_id("chips", "daily"), GREEN))
    if relief_chips:
        lines.append(words.relief_line(relief_chips, relief_at))
        if not relief_at:
            buttons.append(Button(t(words.CLAIM_RELIEF, chips=relief_chips), page_id("chips", "relief"), GREEN))
    buttons.append(Button(t(words.HISTORY), page_id("chips", "history"), GREY))
    buttons.append(Button(t(words.LEADERBOARD), page_id("board", "page", 1), GREY))
    buttons.append(Button(t(labels.SHOW_HERE), page_id("chips", "here"), GREY))
    return Panel(RESULT, (Text("\n".join(lines)), Buttons(tuple(buttons))))


def gift_claimed_panel(gift: str, chips: int, wallet: int, *, streak: int = 0, next_at: int = 0) -> Panel:
    """Return the answer to a claim. `gift` is ``daily`` or ``relief``; `next_at` in Unix seconds."""
    return Panel(RESULT, (Text(words.gift_claimed(gift, chips, wallet, streak=streak, next_at=next_at)),))


def history_panel(history: WalletHistory, *, names: Mapping[int, str] | None = None, first: bool = True) -> Panel:
    """Return one page of a player's wallet, newest first."""
    lines = [t(words.YOUR_HISTORY)]
    lines += [words.history_line(entry, names or {}) for entry in history.entries]
    if not history.entries:
        lines.append(t(words.NO_HISTORY))
    buttons: list[Button] = []
    if not first:
        buttons.append(Button(t(words.NEWEST), page_id("chips", "history"), GREY))
    if history.older:
        buttons.append(Button(t(words.OLDER), page_id("chips", "history", history.older), GREY))
    buttons.append(Button(t(words.BALANCE), page_id("chips", "balance"), GREY))
    return Panel(FINISHED, (Text("\n".join(lines)), Buttons(tuple(buttons))))
