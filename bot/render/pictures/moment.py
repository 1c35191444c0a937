"""When a new picture of a table is due, and what of a view stays true until the next one.

A picture shows what stays true while one thing is asked of the table: a betting round, a draw, a choice. So it can be worked out from any
view of that time: what the seats have done since is taken back, and is told by the text beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from bot.engine.betting.pots import pots
from bot.engine.legal import Decision, OfferKind
from bot.engine.view.types import ActionVerb, CardView, HandSeatState, HandView, LastAction, SeatView


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


class SeatAtMoment(Struct, frozen=True):
    """A seat as it stood when the moment began.

    Attributes:
        stack: chips behind.
        bet: chips before the seat.
        is_in: it had not folded.
        cards: what lay before it.
    """

    stack: int
    bet: int
    is_in: bool
    cards: tuple[CardView, ...]


def stage_of(view: HandView) -> Stage:
    """Return what the hand is doing."""
    if view.over:
        return Stage.OVER
    if view.showdown:
        return Stage.RUN_OUT if _hands_are_open(view) else Stage.SHOW
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
        return (stage.value, "voided" if view.voided else "", _open_cards(view) if view.showdown else 0)
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
            return (*moment, _open_cards(view), _cards_on_table(view))
        case _:
            return moment


def pots_at_moment(view: HandView) -> list[int]:
    """Return the chips of the pots when the moment of the view began, the main pot first, without the bets before the seats.

    A seat that has folded since could still win its part.
    """
    if view.over:
        return [pot.chips for pot in view.pots]
    live = sum([1 << seat.seat_index for seat in view.seats if seat_at_moment(view, seat).is_in])
    gathered = [seat.put_in - seat.bet for seat in view.seats]
    dead = sum([pot.chips for pot in view.pots]) - sum(gathered)
    return [pot.chips for pot in pots(gathered, live, dead) if pot.chips]


def seat_at_moment(view: HandView, seat: SeatView) -> SeatAtMoment:
    """Return a seat as it stood when the moment of the view began."""
    stage = stage_of(view)
    gathered = not any(one.bet for one in view.seats)
    since = [] if gathered and stage is not Stage.BETTING else _since_moment_began(view, seat, stage)
    put_in = sum([action.chips for action in since if action.verb in _PUTS_IN])
    folded_since = any(action.verb is ActionVerb.FOLD for action in since) and seat.declaration != "out"
    is_in = seat.state is not HandSeatState.FOLDED or folded_since
    cards = seat.folded_cards if folded_since and not seat.cards else seat.cards
    if stage is Stage.OFFER:
        cards = _before_offer(view, seat)
    return SeatAtMoment(seat.stack + put_in + seat.held_chips, seat.bet - put_in, is_in, cards if is_in else ())


_PUTS_IN = frozenset(
    {
        ActionVerb.CALL,
        ActionVerb.BRING_IN,
        ActionVerb.BET,
        ActionVerb.RAISE,
        ActionVerb.COMPLETE,
        ActionVerb.STRADDLE,
    }
)
"""What a seat does that puts chips before it."""
_FOR_A_CARD = (ActionVerb.PAY, ActionVerb.GET_EXTRA_CARD)


def _since_moment_began(view: HandView, seat: SeatView, stage: Stage) -> Sequence[LastAction]:
    """Return what a seat has done since. Straddles lie before the seats like blinds once the cards are dealt."""
    if stage not in (Stage.BETTING, Stage.DRAW, Stage.STRADDLES):
        return ()
    actions = view.street_actions
    if stage is Stage.BETTING:  # what cards have cost came before the betting
        paid = [at for at, action in enumerate(actions, 1) if action.verb in _FOR_A_CARD]
        actions = actions[paid[-1] if paid else 0 :]
    straddled = stage is not Stage.STRADDLES
    return [
        action
        for action in actions
        if action.seat_index == seat.seat_index and not (straddled and action.verb is ActionVerb.STRADDLE)
    ]


def _before_offer(view: HandView, seat: SeatView) -> tuple[CardView, ...]:
    """Return the cards of a seat as they lay before the offer that goes round from the dealer's left reached it."""
    answered = [action for action in view.street_actions if action.seat_index == seat.seat_index]
    if seat.seat_index >= view.to_act or not answered or answered[-1].verb is not ActionVerb.TURN_UP:
        return seat.cards
    down = [card for card in seat.cards if not card.face_up]
    up = [card for card in seat.cards if card.face_up and card.card != answered[-1].card]
    return (CardView(None), *down, *up)


def _hands_are_open(view: HandView) -> bool:
    """Whether every hand that is still in lies open."""
    return all(
        card.card is not None for seat in view.seats if seat.state is not HandSeatState.FOLDED for card in seat.cards
    )


def _open_cards(view: HandView) -> int:
    return sum(
        card.card is not None for seat in view.seats if seat.state is not HandSeatState.FOLDED for card in seat.cards
    )


def _cards_on_table(view: HandView) -> int:
    return sum(map(len, view.boards)) + sum([len(seat.cards) for seat in view.seats])
