"""Until when a misdeal can be claimed, and what a complete deck is (laws I-1, I-2, K-6, TL-29, TL-38; TDA 35-36)."""

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine.decide import void
from bot.engine.hand import Hand
from bot.engine.options.values import Misdeal


def has_substantial_action(hand: Hand) -> bool:
    """Whether play stands: two actions in turn, one of them with chips, or three of any kind; forced money does not
    count (TL-29)."""
    return _action_count(hand) >= 3 or (_action_count(hand) == 2 and hand.pot > _forced_chips(hand))


def claim_misdeal(hand: Hand, reason: str, *, called_in_time: bool = False) -> tuple[e.HandEvent, ...]:
    """Rule on the claim that the deal was irregular. In time, the hand is void and everybody takes back what they put
    in; where the next dealer deals, the antes stay in the pot (I-3).

    Where the table replays a misdeal, the claim stands until there is substantial action; where the next dealer
    deals, until anybody has acted. Attention must be called in time; others can agree later.

    Args:
        called_in_time: somebody has claimed it in time before.

    Raises:
        HandOver: the hand is over.
        PlayStands: the claim comes too late.
    """
    replayed = hand.rules.options.misdeal is Misdeal.REPLAY
    law = "TL-29" if replayed else "I-2"
    too_late = has_substantial_action(hand) if replayed else _action_count(hand) > 0
    if too_late and not called_in_time and not hand.over:
        raise r.PlayStands(law=law)
    return void(hand, law, reason, () if replayed else _antes_by_seat(hand))


def is_deck_fouled(hand: Hand) -> bool:
    """Whether the deck lacks a card, has one twice or one that is not its own: then all bets go back, whatever the
    action (TL-38)."""
    cards = hand.rules.deck_cards
    return sorted(hand.deck[: len(cards)]) != sorted(cards)


def _action_count(hand: Hand) -> int:
    """Decisions made since the cards; a straddle comes before them and is no action."""
    return hand.decision_number - sum(
        isinstance(event, e.Straddled | e.StraddleDeclined) for event in hand.street_actions
    )


def _antes_by_seat(hand: Hand) -> tuple[int, ...]:
    """What each seat put in as an ante, dead money included; blinds and straddles are no antes."""
    antes, left = [0] * hand.seat_count, list(hand.started.stacks)
    for post in hand.started.posts:
        chips = min(post.chips, left[post.seat])
        left[post.seat] -= chips
        if post.kind in (e.PostKind.ANTE, e.PostKind.STAKE, e.PostKind.DEAD):
            antes[post.seat] += chips
    return tuple(antes)


def _forced_chips(hand: Hand) -> int:
    """Chips in the pot that nobody chose to put there after seeing cards."""
    owed = [0] * hand.seat_count
    for post in hand.started.posts:
        owed[post.seat] += post.chips
    posted = sum(min(chips, stack) for chips, stack in zip(owed, hand.started.stacks, strict=True))
    straddled = sum(event.chips for event in hand.street_actions if isinstance(event, e.Straddled))
    return hand.started.carried + posted + straddled
