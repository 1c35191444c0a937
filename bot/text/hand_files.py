"""Words about hands as files: which file to choose, and what came of a file that somebody gave."""

from __future__ import annotations

from enum import StrEnum

from bot.text.language import message


class FileForm(StrEnum):
    """How a hand is written down. The values stand in the ids of buttons and in the choices of commands."""

    POKERSTARS = "pokerstars"
    PHH = "phh"
    TEXT = "text"


CHOOSE_FILE = message("Hand #{number} as a file, with the cards you can see.")
FORM_LABELS = {
    FileForm.POKERSTARS: message("PokerStars text"),
    FileForm.PHH: message("PHH"),
    FileForm.TEXT: message("Plain text"),
}
FORMS_EXPLAINED = message(
    "PokerStars text: for trackers. PHH: for poker programs, and every game. Plain text: to read."
)
