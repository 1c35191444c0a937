"""Words for choosing ahead of one's turn. Only the player who chooses reads them (TL-34)."""

from __future__ import annotations

from bot.table.preselection.types import PreselectedAction, Preselection, PreselectionEndReason, PreselectionView
from bot.text.language import Message, message, t

DECIDE_AHEAD = message("-# Decide ahead if you like. Nobody else sees it.")
WRITE_A_LINE = message(
    "-# Write ahead what you'll do, if you like. Nobody else ever sees it. It acts some minutes after your turn comes."
)
CAN_BE_CHANGED = message("-# Kept until the next card.")
KEPT_UNTIL_BET = message("-# Kept until somebody bets.")
CALL_UP_TO_FORM = message("Call up to, else fold")
CALL_UP_TO_FIELD = message("The most chips you put in")
CALL_UP_TO_HINT = message("What you add at your turn, such as 400. If you can check, you check.")
FOLD_QUESTION = message("**You may be able to check for free.** Fold anyway?")
_NOTED: dict[PreselectedAction, Message] = {
    PreselectedAction.CHECK_OR_FOLD: message("Noted: check, or fold if there is a bet."),
    PreselectedAction.FOLD: message("Noted: fold to any bet."),
    PreselectedAction.CHECK_DOWN: message("Noted: check it down."),
}
_NOTED_CALL_UP_TO = message("Noted: call up to {chips:,}, else fold.")
_NOTED_CALL = message("Noted: call {chips:,}, if it is still {chips:,}.")
_NOTED_CALL_CHANGED = message("Noted: call {chips:,}, if it is still {chips:,}. It's {now:,} now: choose again.")

_CALL_CHANGED: dict[PreselectedAction, Message] = {
    PreselectedAction.CHECK_OR_FOLD: message("You'd planned to check or fold, but it's {now:,} to call now."),
    PreselectedAction.CALL: message("You'd planned to call {chips:,}, but it's {now:,} now."),
    PreselectedAction.FOLD: message("You'd planned to fold, but it's {now:,} to call now."),
}
_STREET_OVER: dict[PreselectedAction, Message] = {
    PreselectedAction.CHECK_OR_FOLD: message("You'd planned to check or fold, but the street ended before your turn."),
    PreselectedAction.CALL: message("You'd planned to call {chips:,}, but the street ended before your turn."),
    PreselectedAction.FOLD: message("You'd planned to fold, but the street ended before your turn."),
    PreselectedAction.CALL_UP_TO: message(
        "You'd planned to call up to {chips:,}, but the street ended before your turn."
    ),
    PreselectedAction.CHECK_DOWN: message("You'd planned to check it down, but the hand went another way."),
}
_NOT_LAWFUL: dict[PreselectedAction, Message] = {
    PreselectedAction.CHECK_OR_FOLD: message("You'd planned to check or fold, but that isn't possible here."),
    PreselectedAction.CALL: message("You'd planned to call {chips:,}, but that isn't possible here."),
    PreselectedAction.FOLD: message("You'd planned to fold, but that isn't possible here."),
    PreselectedAction.CALL_UP_TO: message("You'd planned to call up to {chips:,}, but that isn't possible here."),
    PreselectedAction.CHECK_DOWN: message("You'd planned to check it down, but that isn't possible here."),
}
_BET: dict[PreselectedAction, Message] = {
    PreselectedAction.CHECK_DOWN: message("You'd planned to check it down, but it's {now:,} to call now."),
}
_LAPSED = {
    PreselectionEndReason.CALL_CHANGED: _CALL_CHANGED,
    PreselectionEndReason.STREET_OVER: _STREET_OVER,
    PreselectionEndReason.BET: _BET,
}
"""Why a choice came to nothing; every other reason is that the law forbids it at the turn."""


def noted(early: PreselectionView) -> str:
    """What is noted: ``Noted: call 20, if it is still 20.``

    No bet is ever taken back, so a noted call whose price has gone up will come to nothing; the text says so.
    """
    chosen = early.chosen
    assert chosen is not None, "nothing is noted"
    if chosen.action is PreselectedAction.CALL_UP_TO:
        return t(_NOTED_CALL_UP_TO, chips=chosen.chosen_call)
    if chosen.action is not PreselectedAction.CALL:
        return t(_NOTED[chosen.action])
    call = early.options.call if early.options is not None else 0
    if call not in (0, chosen.chosen_call):
        return t(_NOTED_CALL_CHANGED, chips=chosen.chosen_call, now=call)
    return t(_NOTED_CALL, chips=chosen.chosen_call)


def lapsed(chosen: Preselection) -> str:
    """Why a choice came to nothing: ``You'd planned to call 20, but it's 60 now.``"""
    assert chosen.lapse_reason is not None, "the choice still holds"
    wordings = _LAPSED.get(chosen.lapse_reason, _NOT_LAWFUL)
    return t(wordings[chosen.action], chips=chosen.chosen_call, now=chosen.call_at_turn)
