"""When a new picture of a table is due, and of which view it is made.

A picture shows what stays true while one thing is asked of the table: a betting round, a draw, a choice. So it is made from the view with
which that began; what the seats have done since is told by the text beside it.
"""

from collections.abc import Iterable
from enum import StrEnum

from bot.engine.legal import Decision, OfferKind
from bot.engine.view.types import HandSeatState, HandView


class Stage(StrEnum):
    """What a hand is doing. The words are stored."""

    STRADDLES = "straddles"
    BETTING = "betting"
    DRAW = "draw"
    CHOICE = "choice"  # all choose in secret
    OFFER = "offer"  # each in turn can turn a card up
    DEAL = "deal"  # cards come one by one, and what they cost is asked
    RUN_OUT = "run-out"  # the hands are open, and the rest is dealt
    SHOW = "show"  # each in turn shows
    OVER = "over"


def stage_of(view: HandView) -> Stage:
    """Return what the hand is doing."""
    if view.over:
        return Stage.OVER
    if view.showdown:
        return Stage.RUN_OUT if all(_live_cards(view)) else Stage.SHOW
    if view.draw_progress[0] or view.equalising:
        return Stage.DRAW
    match view.legal_to_act.decision if view.legal_to_act is not None else Decision.NONE:
        case Decision.BET:
            return Stage.BETTING
        case Decision.STRADDLE:
            return Stage.STRADDLES
        case Decision.DRAW:
            return Stage.DRAW
        case Decision.SHOW:
            return Stage.SHOW
        case Decision.OFFER if view.legal_to_act is not None and view.legal_to_act.offer_kind is OfferKind.TURN_UP:
            return Stage.OFFER
        case Decision.OFFER | Decision.NONE:
            return Stage.DEAL
        case _:
            return Stage.CHOICE


def picture_moment(view: HandView) -> tuple[str | int, ...]:
    """Return the moment of a public view: a new picture is due when it changes, and only then.

    It changes with the deal and each street, when a draw or a secret choice opens and when it is complete, with each card of an all-in
    run-out, with each hand that a table asks to show, and with the result; never at a single action. It holds words and whole numbers only.
    """
    stage = stage_of(view)
    if stage is Stage.OVER:  # after a showdown, players can still open what they mucked (Z-4)
        return (stage.value, "voided" if view.voided else "", sum(_live_cards(view)) if view.showdown else 0)
    gathered = sum([pot.chips for pot in view.pots])
    moment: tuple[str | int, ...] = (stage.value, view.street, view.draw_progress[0], gathered)
    match stage:
        case Stage.DEAL:
            live = sum([seat.state is not HandSeatState.FOLDED for seat in view.seats])
            return (*moment, live, _cards_on_table(view))
        case Stage.CHOICE if view.legal_to_act is not None:
            return (*moment, view.legal_to_act.decision.value, view.legal_to_act.max_cards, _cards_on_table(view))
        case Stage.RUN_OUT | Stage.CHOICE | Stage.OFFER:
            return (*moment, len(view.boards), _cards_on_table(view))
        case Stage.SHOW:
            return (*moment, sum(_live_cards(view)), _cards_on_table(view))
        case _:
            return moment


def moment_began(views: Iterable[HandView]) -> HandView:
    """Return the public view with which the newest moment began.

    Args:
        views: as the hand stands now, then as it stood before each decision of its street, the last one first.
    """
    earlier = iter(views)
    began = next(earlier)
    now = picture_moment(began)
    for view in earlier:
        if picture_moment(view) != now:
            break
        began = view
    return began


def _live_cards(view: HandView) -> list[bool]:
    """Return for each card of the hands that are still in whether it lies open."""
    live = [seat for seat in view.seats if seat.state is not HandSeatState.FOLDED]
    return [card.card is not None for seat in live for card in seat.cards]


def _cards_on_table(view: HandView) -> int:
    return sum(map(len, view.boards)) + sum([len(seat.cards) for seat in view.seats])
