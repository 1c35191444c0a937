"""What a player is told privately when what he asked for was done.

Source: ui §6.
"""

from __future__ import annotations

from bot.engine.legal import Decision
from bot.render import notices, wording
from bot.render.panel import RESULT, Panel, Text
from bot.runtime.outcome import Outcome

DONE_ALREADY = "That has been done already. Nothing happened twice."


def receipt(outcome: Outcome, asked: Decision = Decision.NONE) -> Panel:
    """One line for an action in a hand: ``You raise to 4,000 (put in 2,975).`` `asked`: what the player had been asked."""
    if outcome.repeated:
        return wording.notice(DONE_ALREADY)
    return Panel(RESULT, (Text(notices.receipt(outcome.events, asked)),))
