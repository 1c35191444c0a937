"""A hand whose betting is over before its last card, as far as everybody can see it: what all-in luck and odds are told from.

Luck counts from the last decision on; where nobody had one, because the forced bets took every stack, from the moment at which the hands
are turned up (TL-21). Odds count from each street that is shown after that. Every live hand is open before such a hand ends, so nothing
here is anybody's secret: cards that were folded, burned, discarded or given up, and the order of the deck, are not in it and cannot change
it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from bot.engine import events as e
from bot.engine.betting.pots import Pot, pots
from bot.engine.dealing.dealer import run_until_decision
from bot.engine.evolve import begin_hand, emit, evolve, evolve_all
from bot.engine.hand import Hand, seats_in
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.steps import DealBoard
from bot.engine.units import SeatIndex

NO_BOARD = -1
_DECISIONS = e.BettingAction | e.Drew | e.SecretChoicesApplied | e.CardTurnedUp | e.OfferDeclined | e.PricePaid
"""What ends a decision that players make with cards in hand."""
_DEALS = (e.Burned, e.DealtDown, e.DealtUp, e.DealtBoard, e.Reshuffled)


class CardsToCome(Struct, frozen=True, gc=False):
    """Cards that were still to be dealt.

    Attributes:
        count: how many, to the board or to each live seat.
        board: which board gets them; `NO_BOARD` where each live seat does, one card at a time.
        face_up: each seat's cards are face up.
        first_seat: who gets the first one.
    """

    count: int
    board: int = NO_BOARD
    face_up: bool = False
    first_seat: int = 0


class AllInHand(Struct, frozen=True, gc=False):
    """What everybody can know of a hand at the moment from which luck counts, and what its pots paid in the end.

    Attributes:
        seats: the live seats.
        down, up: the cards of each of them, face down and face up.
        boards: the common cards, by board. For luck, boards that were run twice are one: both can be expected to pay the same.
        unknown: every card of the deck that is not in a live hand, on a board or face up before a seat that folded, in ascending order.
        to_come: what is dealt from then on, in this order.
        pots: the pots at that moment, the main pot first; seats as in the hand.
        paid: what the pots paid to each live seat; 0 while the hand is run out.
        wild_ranks: the ranks that cards of this hand have made wild by then (VC-21, VC-23).
        next_up_card_names_wild: the next card dealt face up makes its rank wild (VC-23).
        up_ranks: the ranks of the cards that lie face up.
        seed: what boards are drawn from where there are too many of them.
    """

    rule_card: RuleCard
    options: Options
    stakes: Stakes
    seats: tuple[SeatIndex, ...]
    down: tuple[tuple[int, ...], ...]
    up: tuple[tuple[int, ...], ...]
    boards: tuple[tuple[int, ...], ...]
    unknown: tuple[int, ...]
    to_come: tuple[CardsToCome, ...]
    pots: tuple[Pot, ...]
    paid: tuple[int, ...]
    wild_ranks: tuple[int, ...] = ()
    next_up_card_names_wild: bool = False
    up_ranks: tuple[int, ...] = ()
    seed: bytes = b""

    def __repr__(self) -> str:
        """Tell which game it is, without a card: this can end up in a log (TL-37)."""
        return f"<all-in hand of {self.rule_card.key}>"


def may_have_luck(events: Sequence[e.HandEvent]) -> bool:
    """Whether a hand was all-in before its last card, by its events alone: a quick look before its deck is made again."""
    return any(isinstance(event, e.ShowdownOpened) and event.all_in for event in events) and any(
        isinstance(event, e.HandEnded) for event in events
    )


def seed_of(table: int, number: int) -> bytes:
    """Return what boards of a hand are drawn from: the same for the same hand, and nothing that its cards follow from.

    Args:
        table: the id of the table, of which there is one in all servers.
        number: of the hand at that table.
    """
    return hashlib.sha256(b"all-in luck|%d|%d" % (table, number)).digest()


def all_in_hand(events: Sequence[e.HandEvent], deck: tuple[int, ...], seed: bytes) -> AllInHand | None:
    """Return what luck can be told from; None where a decision was still to come, or no card.

    Holders who name their wild cards or their aces at the showdown still decide something (W-7, LO-3), and so there is none.

    Args:
        events: of a finished hand, from its first one on.
        deck: the whole deck in its order.
        seed: see `seed_of`.
    """
    if not may_have_luck(events) or any(isinstance(event, e.HandVoided) for event in events):
        return None
    started = events[0]
    assert isinstance(started, e.HandStarted)
    shown_at = next(at for at, event in enumerate(events) if isinstance(event, e.ShowdownOpened))
    hand, at = _when_luck_begins(begin_hand(started, deck), events, shown_at)
    to_come = _cards_to_come(events[at:])
    if not to_come or hand.rules.designates_at_showdown or any(hand.declarations):
        return None
    paid = [0] * hand.seat_count
    for event in events[at:]:
        if isinstance(event, e.PotsPaid):
            for payment in event.payments:
                paid[payment.seat] += payment.chips
    return _as_everybody_sees(hand, to_come, paid, seed)


def hand_run_out(hand: Hand, seed: bytes) -> AllInHand | None:
    """Return what odds can be told from, as a hand stands; None unless its hands are turned up (TL-21) and cards are still to come.

    Where players are asked whether to run the board twice, it is taken as run once: each hand can expect the same of both ways.

    Args:
        seed: see `seed_of`.
    """
    if not are_hands_open(hand) or hand.rules.designates_at_showdown or any(hand.declarations):
        return None
    to_come = _cards_still_to_come(hand)
    return _as_everybody_sees(hand, to_come, [0] * hand.seat_count, seed) if to_come else None


def are_hands_open(hand: Hand) -> bool:
    """Whether nobody can bet any more and every live hand is turned up, before the end (TL-21)."""
    return hand.all_in_showdown and not hand.over and not hand.live_seats & ~hand.shown_seats


def _cards_still_to_come(hand: Hand) -> tuple[CardsToCome, ...]:
    """Return what is still to be dealt. How many cards it is, and to whom, follows from what everybody sees: which ones is not asked."""
    if len(hand.board_indices) > hand.rules.rule_card.boards:  # run twice
        whole = sum(step.count for step in hand.rules.steps if isinstance(step, DealBoard))
        missing = [whole - len(cards) for cards in hand.board_indices]
        return tuple(CardsToCome(count, number) for number, count in enumerate(missing) if count > 0)
    rest: Hand = hand.copy()
    events: list[e.HandEvent] = []
    if rest.choice_open:
        emit(rest, events, e.SecretChoicesApplied())
    run_until_decision(rest, events)
    return _cards_to_come(events)


def _as_everybody_sees(hand: Hand, to_come: tuple[CardsToCome, ...], paid: Sequence[int], seed: bytes) -> AllInHand:
    live = seats_in(hand.live_seats)
    up_cards = {hand.deck[card_index] for card_indices in hand.up_indices for card_index in card_indices}
    boards = tuple(hand.board_cards(number) for number in range(len(hand.board_indices)))
    known = up_cards.union(*(hand.held_cards(seat) for seat in live), *boards)
    started = hand.started
    return AllInHand(
        rule_card=started.rule_card,
        options=started.options,
        stakes=started.stakes,
        seats=live,
        down=tuple(_cards(hand, hand.down_indices[seat]) for seat in live),
        up=tuple(_cards(hand, hand.up_indices[seat]) for seat in live),
        boards=boards,
        unknown=tuple(sorted(set(hand.rules.deck_cards) - known)),
        to_come=to_come,
        pots=pots(hand.put_in, hand.live_seats, hand.dead_chips),
        paid=tuple(paid[seat] for seat in live),
        wild_ranks=hand.current_wild_ranks,
        next_up_card_names_wild=hand.next_up_card_names_wild,
        up_ranks=tuple(sorted({card >> 2 for card in up_cards})),
        seed=seed,
    )


def _when_luck_begins(hand: Hand, events: Sequence[e.HandEvent], shown_at: int) -> tuple[Hand, int]:
    """Return the hand at the moment from which luck counts, and which event comes next."""
    decided = [at for at in range(shown_at) if isinstance(events[at], _DECISIONS)]
    if not decided:
        return evolve_all(hand, events[1:shown_at]), shown_at
    at = decided[-1] + 1
    hand = evolve_all(hand, events[1:at])
    while at < shown_at and not (hand.step_index > hand.rules.last_choice_step and isinstance(events[at], _DEALS)):
        hand = evolve(hand, events[at])
        at += 1
    return hand, at


def _cards_to_come(events: Sequence[e.HandEvent]) -> tuple[CardsToCome, ...]:
    """Return what was dealt; of boards that were run twice the first one."""
    found: list[CardsToCome] = []
    run_twice = False
    for event in events:
        match event:
            case e.DealtDown():
                found.append(CardsToCome(event.count, NO_BOARD, first_seat=event.first_seat))
            case e.DealtUp():
                found.append(CardsToCome(event.count, NO_BOARD, face_up=True, first_seat=event.first_seat))
            case e.DealtBoard() if event.count and not (run_twice and event.board_index):
                found.append(CardsToCome(event.count, event.board_index))
            case e.BoardRunTwice():
                run_twice = True
            case _:
                pass
    return tuple(found)


def _cards(hand: Hand, card_indices: Sequence[int]) -> tuple[int, ...]:
    return tuple(hand.deck[card_index] for card_index in card_indices)
