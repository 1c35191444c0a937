"""Words for what goes wrong around a table: saving, racing clicks, channels (`bot.runtime`)."""

from __future__ import annotations

from bot.engine.errors import TableError
from bot.runtime import ports as no

OLD_BUTTON = "That was for an earlier action. Nothing happened."


def explain_runtime(error: TableError) -> str | None:
    """Say what was wrong; None for an error that does not come from here."""
    match error:
        case no.StaleVersion():
            return OLD_BUTTON
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
