"""Until when a misdeal may be claimed, and what a whole pack is.

Source: laws I-1, I-2, K-6, TL-29, TL-38; TDA 35-36.
"""

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine.hand import Hand
from bot.engine.options import Misdeal
from bot.engine.ruling import void


def substantial_action(hand: Hand) -> bool:
    """Whether play stands: two actions in turn, one of them with chips, or three of any kind; forced money does not count (TL-29)."""
    return _actions(hand) >= 3 or (_actions(hand) == 2 and hand.pot > _forced(hand))


def misdeal(hand: Hand, reason: str) -> tuple[e.Event, ...]:
    """Rule on the claim that the deal was irregular: in time, it is void and each takes back what he put in; where the next dealer deals,
    the antes stay in the pot (I-3).

    Where the table replays a misdeal the claim stands until there is substantial action; where the next dealer deals, until anybody has
    acted at all.

    Raises:
        HandOver: the deal is over. PlayStands: the claim comes too late.
    """
    replayed = hand.rules.options.misdeal is Misdeal.REPLAY
    law = "TL-29" if replayed else "I-2"
    if not hand.over and (substantial_action(hand) if replayed else _actions(hand) > 0):
        raise r.PlayStands(law=law)
    return void(hand, law, reason, () if replayed else _antes(hand))


def fouled(hand: Hand) -> bool:
    """Whether the pack lacks a card, has one twice or one that is not its own: then all bets go back, whatever the action (TL-38)."""
    pack = hand.rules.pack
    return sorted(hand.deck[: len(pack)]) != sorted(pack)


def _actions(hand: Hand) -> int:
    """Decisions taken since the cards; what is said before them, a straddle, is no action."""
    return hand.turn - sum(isinstance(event, e.Straddled | e.StraddleDeclined) for event in hand.actions)


def _antes(hand: Hand) -> tuple[int, ...]:
    """What each seat put in as an ante, dead money among it; blinds and straddles are no antes."""
    antes, left = [0] * hand.number_of, list(hand.started.stacks)
    for post in hand.started.posts:
        chips = min(post.chips, left[post.seat])
        left[post.seat] -= chips
        if post.kind in (e.PostKind.ANTE, e.PostKind.STAKE, e.PostKind.DEAD):
            antes[post.seat] += chips
    return tuple(antes)


def _forced(hand: Hand) -> int:
    """Chips in the pot that nobody chose to put there after he had cards."""
    owed = [0] * hand.number_of
    for post in hand.started.posts:
        owed[post.seat] += post.chips
    posted = sum(min(chips, stack) for chips, stack in zip(owed, hand.started.stacks, strict=True))
    straddled = sum(event.chips for event in hand.actions if isinstance(event, e.Straddled))
    return hand.started.carried + posted + straddled
