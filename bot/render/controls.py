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
            _betting(scene, start, legal, first, second)
        else:
            _choosing(start, legal, first)
    if not scene.view.over:
        second.append(Button("Peek", start + "peek", GREY, emoji=EYE))
    if scene.seats_open:
        second.append(Button("Take a seat", start + "sit", GREEN))
    if not first:
        return (Buttons(tuple(second)),) if second else ()
    if len(first) + len(second) <= 3:
        return (Buttons((*first, *second)),)
    return (Buttons(tuple(first)), Buttons(tuple(second)))


def _betting(scene: Scene, start: str, legal: Legal, first: list[Button], second: list[Button]) -> None:
    view = scene.view
    if legal.fold:
        first.append(Button("Drop" if view.equalising else "Fold", start + "fold", GREY))
    if legal.check:
        first.append(Button("Stand" if view.stands else "Check", start + "check", GREEN))
    elif legal.call:
        first.append(Button(_call_words(legal, view.equalising), f"{start}call:{legal.call}", GREEN))
    if legal.bring_in:
        first.append(Button(f"Bring in {legal.bring_in:,}", f"{start}bet:{legal.bring_in}", GREEN))
    offered = sizes(legal, view.limit)
    verb, word = ("bet", "Bet") if legal.opening else ("raise", "Raise")
    if legal.owe and not legal.call:  # nobody can merely call the forced stake: it is opened at double or more (L-4)
        word = "Open"
    between = "" if legal.opening else " to"
    if offered.only:
        whole = legal.bring_in or view.completes
        does = f"Complete to {offered.only:,}" if whole else f"{word}{between} {offered.only:,}"
        first.append(Button(does, f"{start}{verb}:{offered.only}", GREY))
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


def _call_words(legal: Legal, equalising: bool) -> str:
    if equalising:  # before the draw the stake is made equal
        return f"Put in {legal.call:,}{' all-in' if legal.call_all_in else ' more'}"
    return f"Call all-in {legal.call:,}" if legal.call_all_in else f"Call {legal.call:,}"


def _choosing(start: str, legal: Legal, row: list[Button]) -> None:
    """Buttons of the decisions that are not betting (ui §5 e)."""
    match legal.decision:
        case Decision.DRAW:
            row.append(Button("Choose discards", start + "discards", BLURPLE))
            row.append(Button("Stand pat", start + "pat", GREEN))
        case Decision.DROP:
            row.append(Button(_cards("Give up", legal.most), start + "discards", BLURPLE))
        case Decision.PASS:
            row.append(Button(_cards("Pass", legal.most), start + "discards", BLURPLE))
        case Decision.ARRANGE:
            row.append(Button("Arrange cards…", start + "discards", BLURPLE))
        case Decision.DECLARE:
            row.append(Button("Declare…", start + "discards", BLURPLE))
        case Decision.STRADDLE:
            row.append(Button(f"Straddle {legal.offer:,}", f"{start}straddle:{legal.offer}", BLURPLE))
            row.append(Button("No straddle", start + "decline", GREY))
        case Decision.RUN_TWICE:
            row.append(Button("Run it twice", start + "accept", BLURPLE))
            row.append(Button("Once", start + "decline", GREY))
        case Decision.OFFER if legal.offer:
            row.append(Button("Drop", start + "decline", GREY))
            row.append(Button(f"Pay {legal.offer:,}", start + "accept", GREEN))
        case Decision.OFFER:
            row.append(Button("Turn it up", start + "accept", BLURPLE))
            row.append(Button("Keep it down", start + "decline", GREEN))
        case Decision.SHOW if legal.about:
            row.append(Button("Show…", start + "discards", GREEN))
        case Decision.SHOW:
            if legal.show:
                row.append(Button("Show", start + "show", GREEN))
            if legal.muck:
                row.append(Button("Muck", start + "muck", GREY))
        case _:
            pass


def _cards(verb: str, count: int) -> str:
    return f"{verb} {count} card…" if count == 1 else f"{verb} {count} cards…"


def fold_question(scene: Scene) -> Buttons:
    """Check or fold all the same: asked once, privately, when a fold would give up a free check (TL-36)."""
    turn = scene.view.turn
    return Buttons(
        (
            Button("Check", press(scene.table, scene.hand, turn, Verb.CHECK), GREEN),
            Button("Fold anyway", press(scene.table, scene.hand, turn, Verb.FOLD_ANYWAY), RED),
        )
    )
