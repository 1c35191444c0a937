"""Words for what goes wrong around a table: saving, racing clicks, channels (`bot.runtime`)."""

from __future__ import annotations

from bot.engine.errors import TableError
from bot.runtime import errors as late
from bot.runtime import ports as no

OLD_BUTTON = "That was for an earlier action. Nothing happened."


def explain_runtime(error: TableError) -> str | None:
    """Say what was wrong; None for an error that does not come from here."""
    match error:
        case no.StaleVersion() | late.StaleButton():
            return OLD_BUTTON
        case late.NoTableHere():
            return "No table is open in this channel. `/table open` opens one."
        case late.TableGone():
            return "That table is closed. Nothing happened."
        case late.NoSuchTable(number=number, known=known):
            opened = f"Open: {', '.join(map(str, known))}." if known else "None is open."
            return f"There is no open table {number:,}. {opened}"
        case late.NoHandYet(hands=hands):
            dealt = "nothing has been dealt yet" if not hands else f"{hands:,} dealt so far"
            return f"There is no such hand at this table: {dealt}."
        case late.HandUnreadable(hand=hand):
            return f"The cards of hand #{hand} cannot be known any more: the secret they came from is lost."
        case late.DealerStopping():
            return "The bot is about to restart and starts nothing new. What is on the tables is kept."
        case late.TableBroken():
            return "This table stands still after a fault of ours and is being put right. Its chips are safe."
        case no.StaleClaims():
            return "You claimed that a moment ago. Nothing happened."
        case no.ChannelTaken(number=number):
            return f"Table {number:,} is open in this channel; one channel, one table. Close it first, or open one elsewhere."
        case no.StoreClosed():
            return "The bot is restarting. Nothing has changed; try again in a moment."
        case no.StoreFailed():
            return "That could not be saved, so it did not happen. Nothing has changed; try again in a moment."
        case _:
            return None
