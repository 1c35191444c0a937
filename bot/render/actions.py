"""What seats did, in words: for the seat list, the last actions of the street and the log of a hand.

A raise names both numbers: the total it makes and the chips put in (laws 0.2).
"""

from __future__ import annotations

from bot.engine.events import PostKind
from bot.engine.legal import Decision, Legal
from bot.engine.view import LastAction, SeatState, SeatView

_COUNTED = {Decision.DROP: "to give up", Decision.PASS: "to pass"}
_TO_DO = {
    Decision.DRAW: "to draw",
    Decision.ARRANGE: "to arrange the cards",
    Decision.DECLARE: "to declare",
    Decision.OFFER: "to answer",
    Decision.STRADDLE: "may straddle",
    Decision.RUN_TWICE: "to say whether the board runs twice",
    Decision.SHOW: "to show",
}


def did(action: LastAction) -> str:
    """Tell an action as the dealer says it, after the name: ``raises to 4,000 (puts in 2,975)``."""
    match action.verb:
        case "fold":
            return "folds"
        case "check":
            return "checks"
        case "stand":
            return "stands"
        case "chose":
            return "has chosen"
        case "bring in":
            return f"brings in {action.to:,}" + (" all-in" if action.all_in else "")
        case "complete":
            return f"completes to {action.to:,} (puts in {action.chips:,})"
        case "call":
            return f"calls {action.chips:,}" + (" all-in" if action.all_in else "")
        case "bet":
            return ("is all-in, betting " if action.all_in else "bets ") + f"{action.to:,}"
        case "raise" if action.all_in:
            return f"is all-in, raising to {action.to:,} (puts in {action.chips:,})"
        case "raise":
            return f"raises to {action.to:,} (puts in {action.chips:,})"
        case "post":
            return f"posts {_posted(action) or 'a bet'} {action.chips:,}"
        case "draw" if action.cards:
            return f"draws {action.cards}" + (f", {action.note}" if action.note else "")
        case "draw" | "pat":
            return "stands pat"
        case "straddle":
            return f"straddles to {action.to:,} (puts in {action.chips:,})"
        case "no straddle":
            return "does not straddle"
        case "turn up":
            return f"turns up the {action.note}"
        case "leave down":
            return "leaves the card down"
        case "pay":
            return f"pays {action.chips:,}{' all-in' if action.all_in else ''} for the {action.note}"
        case "extra":
            return f"gets a card for the {action.note}"
        case other:
            return f"{other} {action.note}".rstrip()


def note(action: LastAction) -> str:
    """Tell a seat's last action in a list, beside its name: ``bet 1,025``."""
    match action.verb:
        case "check" | "fold" | "stand" as verb:
            return verb
        case "chose":
            return "chosen"
        case "bring in":
            return f"brought in {action.to:,}"
        case "complete":
            return f"completed to {action.to:,}"
        case "call":
            return f"call {action.chips:,}"
        case "bet":
            return f"bet {action.to:,}"
        case "raise":
            return f"raise to {action.to:,}"
        case "post":
            return f"{_posted(action) or 'posted'} {action.chips:,}"
        case "draw" if action.cards:
            return f"drew {action.cards}"
        case "draw" | "pat":
            return "stood pat"
        case "straddle":
            return f"straddle {action.to:,}"
        case "turn up":
            return f"turned up the {action.note}"
        case "leave down":
            return "left the card down"
        case "pay":
            return f"paid {action.chips:,}"
        case "extra":
            return "got a card more"
        case other:
            return action.note or other


def owes(legal: Legal, *, equalising: bool = False) -> str:
    """Tell what the seat to act faces: ``1,025 to call``."""
    match legal.decision:
        case Decision.BET:
            pass
        case Decision.STRADDLE:
            return f"to {legal.offer:,}"
        case Decision.OFFER if legal.offer:
            return f"{legal.offer:,} to pay for the card, or drop"
        case Decision.OFFER:
            return "turn the hidden card up, or keep it down"
        case Decision.DROP | Decision.PASS:
            return ""
        case _:
            return legal.about
    if legal.bring_in:
        return f"{legal.bring_in:,} or more to bring in"
    if not legal.call:
        return "nothing to call" if legal.check else f"{legal.min_to:,} to open" if legal.max_to else ""
    if equalising:
        return f"{legal.call:,} to put in before the draw"
    if legal.call_all_in and legal.call < legal.owe:
        return f"{legal.call:,} to call, all-in for less"
    return f"{legal.call:,} to call"


def to_do(legal: Legal | None) -> str:
    """What is asked of the seat to act: ``to act``, ``to draw`` …"""
    if legal is None:
        return "to act"
    counted = _COUNTED.get(legal.decision)
    return f"{counted} {_card_count(legal)}" if counted else _TO_DO.get(legal.decision, "to act")


def chosen(legal: Legal | None) -> str:
    """What is publicly said of a seat that has made its secret choice, while others are still asked."""
    if legal is None:
        return "chosen"
    return {Decision.DECLARE: "declared", Decision.RUN_TWICE: "answered"}.get(legal.decision, "chosen")


def _card_count(legal: Legal) -> str:
    return f"{legal.most} card" + ("" if legal.most == 1 else "s")


def _posted(action: LastAction) -> str:
    """What a post is called at the table: the live ante of the old draw games is an ante like any other."""
    return "ante" if action.note == PostKind.STAKE else action.note


def draws(seat: SeatView) -> str:
    """Tell what a seat drew so far: ``drew 3, 1, pat``; empty in a game without draws."""
    if not seat.drew:
        return ""
    if seat.drew == (0,):
        return "stood pat"
    return "drew " + ", ".join([str(cards) if cards else "pat" for cards in seat.drew])


def stack(seat: SeatView) -> str:
    """A seat's chips behind, or the word all-in."""
    return "all-in" if seat.state is SeatState.ALL_IN else f"{seat.stack:,}"
