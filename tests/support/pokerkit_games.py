"""PokerKit as a second judge of every game that both know. Its table is built from our rule card, street by street, with its own hand
types.

Differences that are known faults of PokerKit are excused, as for hold'em in `pokerkit_judge`, and pinned by tests of their own. Every
amount is a multiple of `USUAL_BIG_BLIND`, so that halves and shares leave no odd chip.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

import pokerkit as pk
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine import steps
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import cards_text
from bot.engine.customs import ButtonBlind
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions, OpeningDuty
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, DeckKind, FirstOpener, LaterOpener, Limit, StraddleRule
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import rules_in_force
from bot.engine.stakes import Stakes
from bot.variants import game
from tests.support.pokerkit_judge import AUTOMATIONS, Fault, has_short_wager, random_command, their_bounds

UNIT = 5_040
"""Halves of a unit are shared by two to ten players without an odd chip."""

_HIGH, _OMAHA = pk.StandardHighHand, pk.OmahaHoldemHand
_A5, _27 = pk.RegularLowHand, pk.StandardLowHand
HAND_TYPES: dict[str, tuple[type[pk.Hand], ...]] = {
    "holdem": (_HIGH,),
    "pot_limit_holdem": (_HIGH,),
    "limit_holdem": (_HIGH,),
    "bomb_pot_holdem": (_HIGH,),
    "short_deck": (pk.ShortDeckHoldemHand,),
    "omaha": (_OMAHA,),
    "limit_omaha": (_OMAHA,),
    "omaha5": (_OMAHA,),
    "omaha6": (_OMAHA,),
    "courchevel": (_OMAHA,),
    "bomb_pot": (_OMAHA,),
    "omaha8": (_OMAHA, pk.OmahaEightOrBetterLowHand),
    "limit_omaha8": (_OMAHA, pk.OmahaEightOrBetterLowHand),
    "no_limit_omaha8": (_OMAHA, pk.OmahaEightOrBetterLowHand),
    "big_o": (_OMAHA, pk.OmahaEightOrBetterLowHand),
    "courchevel8": (_OMAHA, pk.OmahaEightOrBetterLowHand),
    "stud": (_HIGH,),
    "stud8": (_HIGH, pk.EightOrBetterLowHand),
    "razz": (_A5,),
    "five_card_draw": (_HIGH,),
    "pot_limit_five_card_draw": (_HIGH,),
    "no_limit_five_card_draw": (_HIGH,),
    "single_draw_27": (_27,),
    "triple_draw_27": (_27,),
    "triple_draw_a5": (_A5,),
    "california_lowball": (_A5,),
    "badugi": (pk.BadugiHand,),
    "basic_draw+no_limit": (_HIGH,),
    "basic_draw+pot_limit": (_HIGH,),
}
"""The games that PokerKit can deal too, by key, with its hand types for them, high first."""

_STRUCTURES = {
    Limit.NO_LIMIT: pk.BettingStructure.NO_LIMIT,
    Limit.POT_LIMIT: pk.BettingStructure.POT_LIMIT,
    Limit.LIMIT: pk.BettingStructure.FIXED_LIMIT,
}
_OPENS_FIRST = {FirstOpener.LOW_CARD: pk.Opening.LOW_CARD, FirstOpener.HIGH_CARD: pk.Opening.HIGH_CARD}
_OPENS_LATER = {LaterOpener.HIGH_SHOWING: pk.Opening.HIGH_HAND, LaterOpener.LOW_SHOWING: pk.Opening.LOW_HAND}


class GameFault(Enum):
    """A departure of PokerKit from the law book in games other than hold'em."""

    SHORT_BRING_IN = "VC-5: a bring-in posted short lowers the call, instead of leaving the others to owe the full one"
    STANDS_IN = "VC-5, TL-42: who stands in for an opener that is all-in may not drop"
    LOW_OF_POT = (
        "TL-43: the low half of a pot none of whose contenders qualifies is shared among them, not won by the best high"
    )


_LOWER_CALL = {Fault.SHORT_BIG_BLIND, GameFault.SHORT_BRING_IN}


@dataclass(frozen=True)
class Deal:
    """The beginning of a hand. Amounts are chips; seat 0 is the first left of the dealer."""

    card: RuleCard
    options: Options
    stakes: Stakes
    stacks: tuple[int, ...]
    deck: tuple[int, ...]


@dataclass
class Report:
    """The result of a hand on both sides: faults met, and differences that no known fault explains."""

    deal: Deal
    faults: set[Fault | GameFault] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    whole: bool = False  # both played it to the end


def random_deal(rng: random.Random, key: str) -> Deal:
    """Return a random beginning of a hand: any number of players, short and deep stacks, antes."""
    card = game(key)
    straddled = card.options.straddle is StraddleRule.FORCED_DOUBLE  # of two, PokerKit lets the button act first (VB-2)
    players = rng.randint(3 if straddled else card.seats_min, card.seats_max)
    small = rng.choice((1, 5, 50))
    unit = 2 * small
    stakes = stakes_of(
        card, small, rng.choice((0, 0, 0, small)), rng.randint(0, 3) if card.has_custom(ButtonBlind) else 0
    )
    deepest = rng.choice((9, 25, 100)) * unit

    def stack() -> int:
        return rng.choice((rng.randint(1, 3 * unit), rng.randint(unit, 12 * unit), rng.randint(5 * unit, deepest)))

    deck = list(DECKS[card.options.deck])
    rng.shuffle(deck)
    return Deal(card, card.options, stakes, tuple(UNIT * stack() for _ in range(players)), tuple(deck))


def stakes_of(card: RuleCard, small: int, ante: int, button_blind: int = 0) -> Stakes:
    """Stakes of a game for `small` units to the small blind."""
    options = card.options
    blinds, fixed = options.ante is Ante.BLINDS, options.limit is Limit.LIMIT
    by_card = options.first_1 in _OPENS_FIRST
    return Stakes(
        ante=UNIT * (ante if blinds else max(1, small // 2) if by_card else small),
        small_blind=UNIT * small if blinds else 0,
        big_blind=UNIT * 2 * small if blinds else 0,
        small_bet=UNIT * 2 * small if fixed else 0,
        big_bet=UNIT * 4 * small if fixed else 0,
        bring_in=UNIT * max(1, small // 2) if by_card else 0,
        button_blind=UNIT * small * button_blind if card.has_custom(ButtonBlind) else 0,
    )


def ours(deal: Deal) -> tuple[tuple[e.HandEvent, ...], Hand]:
    """Return the hand on our table, up to the first decision."""
    players = len(deal.stacks)
    posts = regular_posts(deal.card, deal.options, deal.stakes, players)
    seats = tuple(range(1, players + 1))
    return start(
        e.HandStarted(deal.card, deal.options, deal.stakes, seats, deal.stacks, posts, players), deal.deck
    )  # fmt: skip


def theirs(deal: Deal, types: tuple[type[pk.Hand], ...] = ()) -> pk.State:
    """Return the hand on PokerKit's table, before any card. `types` are its hand types, by default those of the game."""
    options, stakes, players = deal.options, deal.stakes, len(deal.stacks)
    blinds, antes = [0] * players, 0
    for post in regular_posts(deal.card, options, stakes, players):
        if post.kind is e.PostKind.ANTE:
            antes = post.chips
        else:
            blinds[post.seat] += post.chips
    if players == 2:
        blinds.reverse()
    deck = pk.Deck.SHORT_DECK_HOLDEM if options.deck is DeckKind.STRIPPED_36 else pk.Deck.STANDARD
    return pk.State(
        AUTOMATIONS, deck, types or HAND_TYPES[deal.card.key], streets(deal), _STRUCTURES[options.limit], True,
        antes, tuple(blinds), stakes.bring_in, deal.stacks, players,
    )  # fmt: skip


def streets(deal: Deal) -> tuple[pk.Street, ...]:
    """Return PokerKit's streets: everything that our rule card does between two betting rounds is one of them."""
    found: list[pk.Street] = []
    burn, draw, board, holes = False, False, 0, list[bool]()
    fixed, stakes = deal.options.limit is Limit.LIMIT, deal.stakes
    rules = rules_in_force(deal.card, deal.options, stakes)
    for step in deal.card.steps:
        match step:
            case steps.Burn():
                burn = True
            case steps.DealDown(count):
                holes += [False] * count
            case steps.DealUp(count):
                holes += [True] * count
            case steps.DealBoard(count):
                board += count
            case steps.Draw():
                draw = burn = True
            case steps.BettingRound(_, size):
                opens = (
                    _OPENS_LATER.get(deal.options.first_n, pk.Opening.POSITION)
                    if found
                    else _OPENS_FIRST.get(deal.options.first_1, pk.Opening.POSITION)
                )
                least = rules.amounts.min_bet if found else rules.amounts.forced_full_bet
                if fixed:
                    least = stakes.big_bet if size is steps.BetSize.BIG else stakes.small_bet
                found.append(pk.Street(burn, tuple(holes), board, draw, opens, least, 4 if fixed else None))
                burn, draw, board, holes = False, False, 0, []
            case _:
                pass
    return tuple(found)


@cache
def with_cache(plain: type[pk.Hand]) -> type[pk.Hand]:
    """Return the same hand type with a cache. PokerKit asks seven times for the value of each hand it settles."""
    known: dict[tuple[tuple[pk.Card, ...], ...], pk.Hand | ValueError] = {}

    class Remembering(plain):  # type: ignore[valid-type,misc]  # one class for each of theirs
        @classmethod
        def from_game(cls, hole_cards: Iterable[pk.Card], board_cards: Iterable[pk.Card] = ()) -> pk.Hand:
            cards = tuple(hole_cards), tuple(board_cards)
            if cards not in known:
                if len(known) >= _CACHE_SIZE:
                    known.clear()
                try:
                    known[cards] = super().from_game(*cards)
                except ValueError as unqualified:
                    known[cards] = unqualified
            found = known[cards]
            if isinstance(found, ValueError):
                raise found
            return found

    return Remembering


_CACHE_SIZE = 10_000


class Judge:
    """PokerKit's side of one hand. It gets our commands and the cards that our side dealt."""

    def __init__(self, deal: Deal) -> None:
        self.state = theirs(deal, tuple(map(with_cache, HAND_TYPES[deal.card.key])))
        self.received: list[list[int]] = [[] for _ in deal.stacks]  # cards dealt to each, in order
        self.given = [0] * len(deal.stacks)
        self.common: list[int] = []
        self.on_board = 0
        self.seen: set[int] = set()

    def dealt(self, hand: Hand) -> None:
        """Take note of what our side has dealt, and deal it where PokerKit waits for it."""
        for seat in range(hand.seat_count):
            fresh = sorted(
                place for place in (*hand.down_indices[seat], *hand.up_indices[seat]) if place not in self.seen
            )
            self.received[seat] += [hand.deck[place] for place in fresh]
            self.seen.update(fresh)
        fresh = [place for place in hand.board_indices[0] if place not in self.seen]
        self.common += [hand.deck[place] for place in fresh]
        self.seen.update(fresh)
        self._deal()

    def _deal(self) -> None:
        state = self.state
        while state.status and state.actor_index is None and state.stand_patter_or_discarder_index is None:
            if state.can_burn_card():
                state.burn_card("??")
            elif (seat := state.hole_dealee_index) is not None:
                count = len(state.hole_dealing_statuses[seat])
                cards = self.received[seat][self.given[seat] :][:count]
                if len(cards) < count:
                    return  # our side deals after each draw, PokerKit after all of them
                self.given[seat] += count
                state.deal_hole(cards_text(cards), seat)
            elif state.can_deal_board():
                count = state.street.board_dealing_count if state.street else 0
                cards = self.common[self.on_board :][:count]
                if len(cards) < count:
                    return
                self.on_board += count
                state.deal_board(cards_text(cards))
            else:
                return

    def tell(self, hand: Hand, command: c.HandCommand) -> None:
        """Give PokerKit the same command, before our side has done it.

        Raises:
            ValueError: it does not allow it.
        """
        match command:
            case c.ChooseCards(places):
                self.state.stand_pat_or_discard(cards_text(hand.deck[place] for place in places))
            case c.Bet(to) if hand.opening_duty is not OpeningDuty.FREE and to == hand.rules.amounts.bring_in:
                self.state.post_bring_in()
            case c.Bet(to) | c.RaiseTo(to):
                self.state.complete_bet_or_raise_to(to)
            case c.Fold():
                self.state.fold()
            case _:
                self.state.check_or_call()


def play_both(deal: Deal, rng: random.Random) -> Report:
    """Play random lawful commands on both tables and report on differences."""
    report = Report(deal)
    happened, hand = ours(deal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judge = Judge(deal)
        judge.dealt(hand)
        state = judge.state
        while not hand.over:
            seat = hand.to_act
            may = legal(hand, seat)
            while (
                may.decision is Decision.DRAW and state.actor_index is not None and not state.checking_or_calling_amount
            ):
                state.check_or_call()  # an empty check: nobody is left to bet against
                judge.dealt(hand)
            if not _same_decision(report, state, may, known_fault(hand, seat)):
                return report
            command = choose(rng, hand, may)
            report.actions.append(f"{seat} {command}")
            try:
                judge.tell(hand, command)
            except ValueError as refusal:
                if hand.opening_duty is OpeningDuty.OPEN_OR_FOLD:
                    report.faults.add(GameFault.STANDS_IN)
                if not report.faults:
                    report.differences.append(f"refused: {refusal}")
                return report
            happened, hand = decide_and_evolve(hand, seat, command)
            if any(isinstance(event, e.Reshuffled) for event in happened):
                return report  # each side shuffles for itself
            judge.dealt(hand)
        while state.status and state.checking_or_calling_amount == 0:
            state.check_or_call()
            judge.dealt(hand)
        while state.status and state.can_stand_pat_or_discard():
            state.stand_pat_or_discard()
            judge.dealt(hand)
    report.whole = not state.status
    if report.faults & _LOWER_CALL:
        return report  # other amounts went in
    if state.status:
        report.differences.append("PokerKit's hand goes on")
    elif has_pot_without_low(hand) and tuple(state.stacks) != tuple(hand.stacks):
        report.faults.add(GameFault.LOW_OF_POT)
    elif tuple(state.stacks) != tuple(hand.stacks):
        report.differences.append(f"stacks: ours {tuple(hand.stacks)}, theirs {tuple(state.stacks)}")
    return report


def has_pot_without_low(hand: Hand) -> bool:
    """Return whether one pot was halved, and another one with other contenders was not (TL-43)."""
    halved = {paid.pot_index for paid in hand.payments if paid.share == "low"}
    return bool(halved) and any(paid.pot_index not in halved for paid in hand.payments)


def choose(rng: random.Random, hand: Hand, may: LegalActions) -> c.HandCommand:
    """Choose a lawful action in whole units, and only draws that the deck can serve."""
    if may.decision is Decision.DRAW:
        count = min(may.max_cards, len(hand.deck) - hand.next_card_index, rng.choice((0, 1, 1, 2, 3, 5)))
        return c.ChooseCards(tuple(rng.sample(hand.down_indices[may.seat], count)))
    if may.bring_in and rng.random() < 0.6:
        return c.Bet(may.bring_in)
    command = random_command(rng, replace(may, min_to=may.min_to, max_to=may.max_to))
    if isinstance(command, c.RaiseTo) and may.opening:
        return c.Bet(command.to)
    return command


def _same_decision(report: Report, state: pk.State, may: LegalActions, fault: Fault | GameFault | None) -> bool:
    """Compare the player to act and what they can do. False means that the two hands have parted for good."""
    found = []
    asked = state.stand_patter_or_discarder_index if may.decision is Decision.DRAW else state.actor_index
    if asked != may.seat:
        found.append(f"to act: ours {may.seat}, theirs {asked}")
    elif may.decision is Decision.BET:
        call = state.checking_or_calling_amount
        if call != may.call_chips and not (may.opening and state.can_post_bring_in()):
            found.append(f"call: ours {may.call_chips}, theirs {call}")
        bounds = their_bounds(state)
        if bounds != (may.min_to, may.max_to):
            found.append(f"raise: ours {(may.min_to, may.max_to)} {may.no_raise_law}, theirs {bounds}")
    if fault is not None and found:
        report.faults.add(fault)
    if found and (not report.faults or (found[0][:4] == "call" and not report.faults & _LOWER_CALL)):
        report.differences += [f"{line} at action {len(report.actions)}" for line in found]
    return asked == may.seat and not report.differences


def known_fault(hand: Hand, seat: int) -> Fault | GameFault | None:
    """Return the fault that PokerKit can show at this decision, or None where it must agree."""
    stacks, posts = hand.started.stacks, hand.started.posts
    ante = next((post.chips for post in posts if post.kind is e.PostKind.ANTE), 0)
    big = next((post for post in posts if post.kind in (e.PostKind.BIG_BLIND, e.PostKind.STRADDLE)), None)
    if big is not None and stacks[big.seat] < big.chips + ante:
        return Fault.SHORT_BIG_BLIND
    if hand.decision is not Decision.BET:
        return None
    if hand.in_first_betting_round and hand.blind_shortfall and hand.rules.limit is Limit.POT_LIMIT:
        return Fault.SHORT_SMALL_BLIND
    if hand.opening_duty is OpeningDuty.OPEN_OR_FOLD:
        return GameFault.STANDS_IN
    first = next((event for event in hand.street_actions if isinstance(event, e.BetTo)), None)
    if (
        hand.in_first_betting_round
        and hand.rules.options.first_1 in _OPENS_FIRST
        and first
        and first.to < hand.rules.amounts.bring_in
    ):
        return GameFault.SHORT_BRING_IN
    short = has_short_wager(hand)
    if hand.rules.has_fixed_sizes:
        wagers = sum(isinstance(event, e.BetTo | e.RaisedTo) for event in hand.street_actions)
        if wagers >= 3 and (hand.raises_uncapped or (hand.in_first_betting_round and big is not None)):
            return Fault.CAP
        return Fault.HALF_BET if short else None
    return Fault.REOPENING if short else None
