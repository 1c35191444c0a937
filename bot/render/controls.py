"""The buttons of a hand, in an order that never changes: Fold · Check/Call · Raise… / ½ pot · Pot · All-in · Peek.

What does not apply is left out, not disabled; labels carry the amount that will happen; every id carries table, hand
and action number.

Source: ui §1, §5 b, e, §8.
"""

from __future__ import annotations

from bot.engine.legal import Decision, Legal
from bot.render.betting import sizes
from bot.render.ids import Verb, press
from bot.render.panel import BLURPLE, GREEN, GREY, RED, Button, Buttons
from bot.render.scene import Scene

EYE = "👁️"


def rows(scene: Scene) -> tuple[Buttons, ...]:
    """The rows under a running hand, from what the seat to act may do."""
    legal = scene.view.acting
    start = f"t:{scene.table}:{scene.hand}:{scene.view.turn}:"
    first: list[Button] = []
    second: list[Button] = []
    if legal is not None:
        if legal.decision is Decision.BET:
            _betting(start, legal, first, second)
        else:
            _choosing(start, legal, first)
    elif any(seat.awaited for seat in scene.view.seats):  # all choose at once; each is then shown his own choice
        first.append(Button("Choose…", start + "discards", BLURPLE))
    if not scene.view.over:
        second.append(Button("Peek", start + "peek", GREY, emoji=EYE))
    if scene.seats_open:
        second.append(Button("Take a seat", start + "sit", GREEN))
    if not first:
        return (Buttons(tuple(second)),) if second else ()
    if len(first) + len(second) <= 3:
        return (Buttons((*first, *second)),)
    return (Buttons(tuple(first)), Buttons(tuple(second)))


def _betting(start: str, legal: Legal, first: list[Button], second: list[Button]) -> None:
    if legal.fold:
        first.append(Button("Fold", start + "fold", GREY))
    if legal.check:
        first.append(Button("Check", start + "check", GREEN))
    elif legal.call:
        words = "Call all-in" if legal.call_all_in else "Call"
        first.append(Button(f"{words} {legal.call:,}", f"{start}call:{legal.call}", GREEN))
    if legal.bring_in:
        first.append(Button(f"Bring in {legal.bring_in:,}", f"{start}bet:{legal.bring_in}", GREEN))
    offered = sizes(legal)
    verb, word = ("bet", "Bet") if legal.opening else ("raise", "Raise")
    between = "" if legal.opening else " to"
    if offered.only:
        first.append(Button(f"{word}{between} {offered.only:,}", f"{start}{verb}:{offered.only}", GREY))
    if offered.free:
        first.append(Button(f"{word}…", start + "size", BLURPLE))
    if offered.half:
        second.append(Button(f"½ pot {offered.half:,}", f"{start}{verb}:{offered.half}", GREY))
    if offered.pot:
        second.append(Button(f"Pot {offered.pot:,}", f"{start}{verb}:{offered.pot}", GREY))
    if offered.most:
        second.append(Button(f"Most {offered.most:,}", f"{start}{verb}:{offered.most}", GREY))
    if offered.all_in:
        second.append(Button(f"All-in {offered.all_in:,}", f"{start}allin:{offered.all_in}", RED))


def _choosing(start: str, legal: Legal, row: list[Button]) -> None:
    """Buttons of the decisions that are not betting (ui §5 e)."""
    if legal.fold and legal.call:  # equalising before the draw
        row.append(Button("Fold", start + "fold", GREY))
    match legal.decision:
        case Decision.DRAW:
            row.append(Button("Choose discards", start + "discards", BLURPLE))
            row.append(Button("Stand pat", start + "pat", GREEN))
        case Decision.DROP | Decision.PASS | Decision.ARRANGE:
            row.append(Button("Choose cards", start + "discards", BLURPLE))
        case Decision.DECLARE:
            row.append(Button("Declare…", start + "declare", BLURPLE))
        case Decision.STRADDLE:
            row.append(Button(f"Straddle to {legal.offer:,}", f"{start}straddle:{legal.offer}", BLURPLE))
            row.append(Button("No straddle", start + "decline", GREY))
        case Decision.RUN_TWICE:
            row.append(Button("Run it twice", start + "accept", BLURPLE))
            row.append(Button("Once", start + "decline", GREY))
        case Decision.OFFER:
            row.append(Button(f"Yes, {legal.offer:,}" if legal.offer else "Yes", start + "accept", GREEN))
            row.append(Button("No", start + "decline", GREY))
        case Decision.SHOW:
            if legal.show:
                row.append(Button("Show", start + "show", GREEN))
            if legal.muck:
                row.append(Button("Muck", start + "muck", GREY))
        case _:
            pass


def fold_question(scene: Scene) -> Buttons:
    """Check or fold all the same: asked once, privately, when a fold would give up a free check (TL-36)."""
    turn = scene.view.turn
    return Buttons(
        (
            Button("Check", press(scene.table, scene.hand, turn, Verb.CHECK), GREEN),
            Button("Fold anyway", press(scene.table, scene.hand, turn, Verb.FOLD_ANYWAY), RED),
        )
    )
