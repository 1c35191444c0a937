"""What stands beside a seat: its chips, what it did last, and the line that each opponent has in a player's own panel."""

from msgspec.structs import replace

from bot.engine.legal import Decision
from bot.engine.view.types import ActionVerb, HandSeatState, HandView, LastAction, SeatView
from bot.render.hand.scene import Scene, known_cards
from bot.text import actions, own_cards
from bot.text import hand as words
from bot.text.actions import FACT_SEPARATOR
from bot.text.formatting import NBSP
from bot.text.language import number, t

ALONE_IN_A_LINE = 5
"""With more opponents than this, two stand in a line."""
BETWEEN_TWO = " | "


def opponent_lines(scene: Scene, seat: SeatView) -> list[str]:
    """Return a line for each opponent still in, in the order of play from the reader on; two in a line where they are many."""
    seats, own = scene.view.seats, scene.view.seats.index(seat)
    still_in = [one for one in (*seats[own + 1 :], *seats[:own]) if one.state is not HandSeatState.FOLDED]
    lines = [_opponent_line(scene, one) for one in still_in]
    if len(lines) <= ALONE_IN_A_LINE:
        return lines
    whole = [line.replace(" ", NBSP) for line in lines]
    return [BETWEEN_TWO.join(whole[start : start + 2]) for start in range(0, len(whole), 2)]


def _opponent_line(scene: Scene, seat: SeatView) -> str:
    """``Chiyo **8,300** · bet 450``, with the cards that lie open."""
    parts = [f"{scene.name(seat.seat_number)} **{chips_of(seat)}**"]
    cards = known_cards(scene, seat)
    if cards:
        parts[0] += " " + cards
    note = odds_note(scene, seat) or status_note(scene.view, seat)
    if note:
        parts.append(note)
    if seat.bet and number(seat.bet) not in note:
        parts.append(t(own_cards.BET, chips=seat.bet))
    return FACT_SEPARATOR.join(parts)


def odds_note(scene: Scene, seat: SeatView) -> str:
    """Return the chance of an open hand in a run-out: ``62 % to win``; empty where it is not told."""
    odds = scene.odds
    percent = odds.of(seat.seat_index) if odds is not None else None
    if odds is None or percent is None:
        return ""
    return words.chance(percent, of_pot=odds.is_share, is_estimate=odds.is_estimate)


def split_note(scene: Scene) -> str:
    """Return the chance that the hands of a run-out split the pot; empty where it is too small, or not told."""
    odds = scene.odds
    return words.split_chance(odds.split, is_estimate=odds.is_estimate) if odds is not None and odds.split else ""


def chips_of(seat: SeatView) -> str:
    """Return a seat's stack; that it is all-in, where it is."""
    return t(words.ALL_IN) if seat.state is HandSeatState.ALL_IN else number(seat.stack)


def status_note(view: HandView, seat: SeatView) -> str:
    """Return what a seat that is not to act did: its last action of the street, what it drew, or that it waits."""
    if seat.choice_awaited:
        return t(actions.CHOOSING)
    drawn = actions.draws_note(seat)
    legal = view.legal_to_act
    if legal is not None and legal.decision is Decision.DRAW:
        if (
            drawn and len(seat.draw_counts) < view.draw_progress[0]
        ):  # it drew before, and waits for its turn in this draw
            return FACT_SEPARATOR.join((drawn, t(actions.WAITING)))
        return drawn or t(actions.WAITING)
    did = last_action_note(seat.last_action, seat.bet)
    if not drawn and not seat.declaration and not seat.held_chips:
        return did
    notes = [did, drawn if drawn != did else "", actions.declaration_note(seat.declaration) if seat.declaration else ""]
    notes.append(actions.held_note(seat))
    return FACT_SEPARATOR.join([note for note in notes if note])


def last_action_note(action: LastAction | None, bet: int) -> str:
    """Return the last action of a seat that has put in `bet` on the street; empty where it has none.

    A call is noted with all that it makes, as bets and raises are: a small blind that completes calls 100.
    """
    if action is None:
        return ""
    if action.verb is ActionVerb.CALL and bet > action.chips:
        action = replace(action, chips=bet)
    return actions.action_note(action)
