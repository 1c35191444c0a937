"""What is said at tables that wait for hours or days."""

from __future__ import annotations

from bot.engine.legal import Decision
from bot.engine.view.types import HandView
from bot.runtime.snapshot import CurrentTurn
from bot.text import buttons
from bot.text.formatting import relative_time_ms
from bot.text.language import Message, message, t

_CHECKS = message("It's still your turn in {channel}. It ends {until}; then the dealer checks for you.")
_FOLDS = message("It's still your turn in {channel}. It ends {until}; then the dealer folds your hand.")
_ANSWERS = message("It's still your turn in {channel}. It ends {until}; then the dealer answers for you.")
_LINKED = message("{sentence} [{label}]({link})")


def reminder_text(channel: int, turn: CurrentTurn | None, view: HandView | None, link: str) -> str:
    """Remind somebody of their turn: until when they have time, and what the dealer does for them then (TL-41)."""
    until = relative_time_ms(turn.bank_ends_at if turn is not None else 0)
    sentence = t(_silence(view), channel=f"<#{channel}>", until=until)
    return t(_LINKED, sentence=sentence, label=t(buttons.GO_TO_TABLE), link=link)


def _silence(view: HandView | None) -> Message:
    legal = view.legal_to_act if view is not None else None
    if legal is None or legal.decision is not Decision.BET:
        return _ANSWERS
    if legal.check:
        return _CHECKS
    return _FOLDS if legal.fold else _ANSWERS
