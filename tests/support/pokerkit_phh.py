"""PokerKit reads our PHH files: where it parts from a hand, and the known difference that explains it.

A hand that PokerKit reads to other stacks, or not to its end, must show one of `Difference` at the action where the two part. Each of them
has a predicate that is asked of our own hand there, never of what PokerKit came to.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

import pokerkit as pk

from bot.engine import events as e
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.legal import OpeningDuty
from bot.engine.options.values import FirstOpener, Limit
from bot.engine.view.redact import ALL_KNOWING, HistoryViewer
from bot.history.record import to_phh
from tests.support.pokerkit_games import has_pot_without_low
from tests.support.random_hands import PlainHand

_BETTING = (e.Folded, e.Checked, e.Called, e.BetTo, e.RaisedTo)
_BETTING_VERBS = ("f", "cc", "cbr", "pb")
_WAGERS = (e.BetTo, e.RaisedTo)


class Difference(Enum):
    """A departure of PokerKit 0.7.7 from the law book."""

    SHORT_BIG_BLIND = "TL-7: PokerKit lowers the bet to call to what a short big blind has posted."
    SHORT_BRING_IN = "VC-5: PokerKit lowers the bet to call to what a short bring-in has posted."
    SHORT_SMALL_BLIND = "TL-19: PokerKit counts a short small blind as it was posted, so that its pot limit is smaller."
    HALF_BET = "TL-6: PokerKit lets nobody raise again after an all-in of half a bet or more, and nobody complete a smaller one."
    CAP = "L-10, TL-17: PokerKit caps the raises of two players too, and does not count the big blind as the bet before the cap."
    STANDS_IN = "TL-42: PokerKit lets nobody fold who opens in place of a player who is all-in."
    ALL_IN_BY_ANTE = "VC-5: PokerKit asks the only player with chips left for a bring-in that nobody could call."
    LOW_OF_POT = "TL-43: PokerKit pays the low half of a pot that has no low to those who have the low of another pot."
    ODD_CHIPS = "TL-23: PokerKit gives all odd chips of a pot to one player."
    WINNER_UNSEEN = (
        "S-4: PokerKit pays only hands that it has seen, and leaves the pot where it is when all but one are mucked."
    )


@dataclass(frozen=True)
class Parting:
    """Where PokerKit parts from a hand: the hand before the action that it does not take, that action (None at the end), and the first
    bet of the hand."""

    hand: Hand
    action: e.HandEvent | None
    first_bet: e.BetTo | None

    @property
    def is_raise(self) -> bool:
        return isinstance(self.action, e.RaisedTo)


def _posted_short(parting: Parting) -> bool:
    started = parting.hand.started
    antes = sum(post.chips for post in started.posts if (post.seat, post.kind) == (0, e.PostKind.ANTE))
    return any(
        post.kind is e.PostKind.BIG_BLIND and started.stacks[post.seat] < post.chips + antes for post in started.posts
    )


def _brought_in_short(parting: Parting) -> bool:
    hand, opened = parting.hand, parting.first_bet
    return _opens_by_card(hand) and opened is not None and opened.all_in and opened.to < hand.rules.amounts.bring_in


def _small_blind_short(parting: Parting) -> bool:
    hand = parting.hand
    in_pot_limit = hand.rules.limit is Limit.POT_LIMIT
    return in_pot_limit and parting.is_raise and hand.in_first_betting_round and hand.blind_shortfall > 0


def _after_short_all_in(parting: Parting) -> bool:
    hand = parting.hand
    return parting.is_raise and hand.rules.has_fixed_sizes and _has_short_all_in(hand)


def _has_short_all_in(hand: Hand) -> bool:
    """Return whether somebody has gone all-in on this street for less than a full bet or raise more."""
    level = max((post.chips for post in hand.started.posts), default=0) if hand.in_first_betting_round else 0
    if _opens_by_card(hand):
        level = 0
    for event in hand.street_actions:
        if isinstance(event, _WAGERS):
            if event.all_in and event.to - level < hand.rules.bet_sizes[hand.step_index]:
                return True
            level = event.to
    return False


def _beyond_three_raises(parting: Parting) -> bool:
    """PokerKit takes four bets and raises on a street, with the big blind three raises."""
    hand = parting.hand
    wagers = sum(isinstance(event, _WAGERS) for event in hand.street_actions)
    uncounted_blind = hand.in_first_betting_round and not _opens_by_card(hand)
    return (
        parting.is_raise
        and hand.rules.has_fixed_sizes
        and wagers >= 3
        and (hand.raises_uncapped or uncounted_blind or wagers >= 4)
    )


def _folds_as_stand_in(parting: Parting) -> bool:
    return parting.hand.opening_duty is OpeningDuty.OPEN_OR_FOLD and isinstance(parting.action, e.Folded)


def _all_in_by_ante(parting: Parting) -> bool:
    hand = parting.hand
    ante = hand.rules.stakes.ante
    return _opens_by_card(hand) and sum(stack > ante for stack in hand.started.stacks) == 1


def _winner_unseen(parting: Parting) -> bool:
    hand = parting.hand
    live_unmucked = hand.live_seats & ~hand.mucked_seats
    return hand.showdown and live_unmucked.bit_count() == 1 and not live_unmucked & hand.shown_seats


def _opens_by_card(hand: Hand) -> bool:
    return hand.rules.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


_SHOWN_BY: Mapping[Difference, Callable[[Parting], bool]] = {
    Difference.SHORT_BIG_BLIND: _posted_short,
    Difference.SHORT_BRING_IN: _brought_in_short,
    Difference.SHORT_SMALL_BLIND: _small_blind_short,
    Difference.CAP: _beyond_three_raises,
    Difference.HALF_BET: _after_short_all_in,
    Difference.STANDS_IN: _folds_as_stand_in,
    Difference.ALL_IN_BY_ANTE: _all_in_by_ante,
    Difference.WINNER_UNSEEN: _winner_unseen,
    Difference.LOW_OF_POT: lambda parting: parting.action is None and has_pot_without_low(parting.hand),
    Difference.ODD_CHIPS: lambda parting: (
        parting.action is None and any(paid.odd_chips for paid in parting.hand.payments)
    ),
}


@dataclass(frozen=True)
class Reading:
    """What PokerKit makes of a file.

    Attributes:
        stacks: at the end; empty where it does not read the file to its end.
        left: chips of pots that it has paid to nobody.
        taken: how many of the hand's betting actions it has taken as they are written.
    """

    stacks: tuple[int, ...]
    left: int
    taken: int


def read_by_pokerkit(text: str) -> Reading:
    """Have PokerKit read a file, as its `HandHistory` does."""
    taken, parted, state = 0, False, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        history = pk.HandHistory.loads(text)
        try:
            for state, action in history.state_actions:
                words = (action or "").split()
                parted |= action is None and isinstance(state.operations[-1] if state.operations else None, pk.Folding)
                taken += not parted and len(words) > 1 and words[1] in _BETTING_VERBS
        except (
            KeyError,
            ValueError,
        ):  # a card that it does not know where it compares hands; an action that does not fit
            return Reading((), 0, taken)
    assert state is not None
    return Reading(tuple(state.stacks), sum(pot.amount for pot in state.pots), taken)


def difference_of(hand: PlainHand, viewer: HistoryViewer) -> Difference | None:
    """Return what keeps PokerKit from reading a hand's file to the stacks that the hand came to; None where it does.

    Raises:
        AssertionError: no known difference explains it.
    """
    text = to_phh(hand.events, hand.deck, viewer)
    reading = read_by_pokerkit(text)
    if reading.stacks == tuple(hand.hand.stacks):
        return None
    parting = parting_at(hand, reading.taken)
    found = next((difference for difference, shows in _SHOWN_BY.items() if shows(parting)), None)
    assert found is not None, f"{reading}: no known difference at {parting.action}\n{text}"
    if found is Difference.ODD_CHIPS:
        odd = sum(paid.odd_chips for paid in hand.hand.payments)
        assert all(abs(theirs - ours) <= odd for theirs, ours in zip(reading.stacks, hand.hand.stacks, strict=True)), (
            text
        )
    if found is Difference.WINNER_UNSEEN:
        check_shown_winner_is_paid(hand)
    else:
        assert not reading.left, f"{reading}: a pot is left unpaid\n{text}"
    return found


def check_shown_winner_is_paid(hand: PlainHand) -> None:
    """The same file with the winner's hand shown is read to the same stacks."""
    (winner,) = {paid.seat for paid in hand.hand.payments}
    shown = to_phh(hand.events, hand.deck, ALL_KNOWING).replace(
        "]\nfinishing_stacks", f", 'p{winner + 1} sm -']\nfinishing_stacks"
    )
    assert read_by_pokerkit(shown).stacks == tuple(hand.hand.stacks)


def parting_at(hand: PlainHand, taken: int) -> Parting:
    """Return the hand after so many betting actions, and the next one."""
    now, count = begin_hand(hand.started, hand.deck), 0
    first_bet = next((event for event in hand.events if isinstance(event, e.BetTo)), None)
    for event in hand.events[1:]:
        if isinstance(event, _BETTING):
            if count == taken:
                return Parting(now, event, first_bet)
            count += 1
        now = evolve(now, event)
    return Parting(now, None, first_bet)
