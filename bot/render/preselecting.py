"""Choosing before one's turn, for its player alone: what may be chosen, what is noted, and that it came to nothing.

None of it ever stands in a public message, nor do its buttons: their ids would tell.

Source: law TL-34; ui §1, §6, §8.
"""

from __future__ import annotations

from bot.render import escape
from bot.render.ids import Verb, press
from bot.render.panel import GREEN, GREY, RED, WAITING, Block, Button, Buttons, Panel, Text
from bot.render.scene import Scene
from bot.table.preselected import Choice, Early, Ended, Preselection

GOOD_FOR = "-# Only you can see this. It holds for this street; change or clear it until your turn.\n-# Law TL-34"


def lines(scene: Scene, early: Early, *, turn_told: bool = False) -> list[str]:
    """What Peek adds: what is noted, what has lapsed, or that something may be chosen. `turn_told`: whose turn it is has been said."""
    turn = "" if turn_told else f"It is {scene.name(early.to_act)}'s turn. "
    told: list[str] = []
    chosen = early.chosen
    if chosen is not None:
        told.append(lapsed(chosen) if chosen.lapsed is not None else f"**Noted:** {words(chosen)}.{_too_late(early)}")
    if early.may is not None and (chosen is None or chosen.lapsed is not None):
        told.append(f"-# {turn}You may choose now what you do at yours; nobody sees it.")
    return told


def buttons(scene: Scene, early: Early) -> tuple[Buttons, ...]:
    """What may be chosen now, but for what is noted already; and Clear, where something is."""
    may, chosen = early.may, early.chosen
    noted = chosen if chosen is not None and chosen.lapsed is None else None
    row = [_button(scene, Verb.PRE_DROP, "Fold", GREY)] if may is not None and not _is(noted, Choice.DROP) else []
    if may is not None and may.check_or_drop and not _is(noted, Choice.CHECK_OR_DROP):
        row.append(_button(scene, Verb.PRE_CHECK, "Check / fold", GREEN))
    if may is not None and may.call and not _is(noted, Choice.CALL, may.call):
        row.append(
            _button(scene, Verb.PRE_CALL, f"Call {'all-in ' if may.all_in else ''}{may.call:,}", GREEN, may.call)
        )
    if noted is not None:
        row.append(_button(scene, Verb.PRE_CLEAR, "Clear", GREY))
    return (Buttons(tuple(row)),) if row else ()


def noted_panel(scene: Scene, early: Early) -> Panel:
    """The answer to a command said out of turn: whose turn it is, and what is noted."""
    noted = early.chosen is not None and early.chosen.lapsed is None
    what = (
        f"Noted: {words(early.chosen)}.{_too_late(early)}"
        if early.chosen is not None and noted
        else "Nothing is noted."
    )
    text = f"It is **{scene.name(early.to_act)}**'s turn. {what}\n{GOOD_FOR}"
    return Panel(WAITING, (Text(text), *buttons(scene, early)))


def offer_panel(scene: Scene, early: Early, refusal: str) -> Panel:
    """The answer to a button pressed out of turn: nothing happened, and what may be chosen instead. `refusal` is markdown."""
    blocks: list[Block] = [Text("\n".join([refusal, *lines(scene, early, turn_told=True)]))]
    return Panel(WAITING, (*blocks, *buttons(scene, early)))


def drop_question(scene: Scene) -> Panel:
    """Asked once, privately, where a drop might give up a free check (TL-36)."""
    text = "**Nobody has bet: checking may be free at your turn.** Fold anyway?"
    row = (
        _button(scene, Verb.PRE_CHECK, "Check / fold", GREEN),
        _button(scene, Verb.PRE_DROP_ANYWAY, "Fold anyway", RED),
    )
    return Panel(WAITING, (Text(text), Buttons(row)))


def lapsed_panel(scene: Scene, chosen: Preselection) -> Panel:
    """Told as the turn comes and the choice does not fit it."""
    turn = f"**It is your turn** at {escape.name(scene.title)}, hand #{scene.hand}."
    return Panel(WAITING, (Text(f"{lapsed(chosen)} {turn}\n-# Law TL-34"),))


def words(chosen: Preselection) -> str:
    """What a choice is, to its player: ``you will check, or fold if there is a bet``."""
    match chosen.choice:
        case Choice.CHECK_OR_DROP:
            return "you will check, or fold if there is a bet"
        case Choice.CALL:
            return f"you will call {chosen.chips:,}, if it is still {chosen.chips:,}"
        case Choice.DROP:
            return "you will fold, whatever comes"


def lapsed(chosen: Preselection) -> str:
    """Why a choice has come to nothing: ``You had noted to call 20; it is 60 to call now, so that lapsed.``"""
    what = {Choice.CHECK_OR_DROP: "check or fold", Choice.DROP: "fold"}.get(chosen.choice, f"call {chosen.chips:,}")
    match chosen.lapsed:
        case Ended.CHANGED:
            why = f"it is {chosen.call:,} to call now"
        case Ended.STREET:
            why = "the street ended before your turn"
        case _:
            why = "that may not be done here"
    return f"You had noted to {what}; {why}, so that lapsed."


def _too_late(early: Early) -> str:
    """A noted call whose price has gone up already: no bet is ever taken back, so it will come to nothing."""
    chosen, may = early.chosen, early.may
    if chosen is None or may is None or chosen.choice is not Choice.CALL or may.call in (0, chosen.chips):
        return ""
    return f" It is {may.call:,} now: choose anew."


def _is(noted: Preselection | None, choice: Choice, chips: int = 0) -> bool:
    return noted is not None and (noted.choice, noted.chips) == (choice, chips)


def _button(scene: Scene, verb: Verb, label: str, style: int, amount: int = 0) -> Button:
    return Button(label, press(scene.table, scene.hand, scene.view.turn, verb, amount), style)
