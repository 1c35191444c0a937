"""PokerKit as a second judge of hold'em: the same hand played on both sides, decision by decision, and every difference named.

A difference that is one of PokerKit's known faults (`BookFault`) is excused; each of them is pinned by a test of its own. Every amount is a
multiple of `USUAL_BIG_BLIND` chips, which two to nine players share without an odd chip:
PokerKit gives all odd chips of a pot to one player.
"""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Any

from pokerkit import Automation, BettingStructure, FixedLimitTexasHoldem, NoLimitTexasHoldem, State

from bot.engine import commands as c
from bot.engine.cards import card_text, cards_text
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.events import BetTo, HandStarted, Post, PostKind, RaisedTo
from bot.engine.hand import Hand
from bot.engine.legal import LegalActions
from bot.engine.options.values import Limit
from bot.engine.stakes import Stakes
from bot.variants import game

UNIT = 2520
"""The smallest number that every number of players from 2 to 10 divides."""

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)


class Fault(Enum):
    """A departure of PokerKit from the law book."""

    SHORT_BIG_BLIND = "TL-7: a big blind posted short lowers the bet to call"
    SHORT_SMALL_BLIND = "TL-19: a short small blind makes the pot limit smaller"
    HALF_BET = "TL-6: in limit play a short all-in counts neither as a full bet nor may it be completed"
    CAP = "L-10, TL-17: the big blind is not counted as the bet before the flop, and two players are capped too"
    REOPENING = "TL-4, TL-5: whether a short all-in reopens the betting is not judged by what each player last answered"


@dataclass(frozen=True)
class Deal:
    """The beginning of a hand. Amounts are chips; seat 0 is the first left of the dealer."""

    game: str
    small: int
    big: int
    ante: int
    stacks: tuple[int, ...]
    straddle: bool
    deck: tuple[int, ...]


@dataclass
class Report:
    """The result of a hand on both sides: faults met, and differences that no known fault explains."""

    deal: Deal
    faults: set[Fault] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    whole: bool = False  # both played it to the end


def random_deal(rng: random.Random) -> Deal:
    """Return a random beginning of a hold'em hand: any limit, two to nine players, short and deep stacks, antes, straddles."""
    name = rng.choice(("holdem", "pot_limit_holdem", "limit_holdem"))
    players = rng.randint(2, 9)
    small = rng.choice((1, 5, 50))
    big = 2 * small
    ante = rng.choice((0, 0, 0, small, max(1, big // 4)))
    deepest = rng.choice((9, 25, 100)) * big

    def stack() -> int:
        return rng.choice((rng.randint(1, 3 * big), rng.randint(big, 12 * big), rng.randint(5 * big, deepest)))

    stacks = tuple(UNIT * stack() for _ in range(players))
    fits = players >= 3 and stacks[2] >= UNIT * (ante + 2 * big)  # a straddle is posted in full or not at all (TL-42)
    straddle = fits and name != "limit_holdem" and rng.random() < 0.2
    deck = list(range(52))
    rng.shuffle(deck)
    return Deal(name, UNIT * small, UNIT * big, UNIT * ante, stacks, straddle, tuple(deck))


def ours(deal: Deal) -> Hand:
    """Return the hand on our table, up to the first decision."""
    card = game(deal.game)
    players = len(deal.stacks)
    small_seat, big_seat = (1, 0) if players == 2 else (0, 1)
    posts = [Post(seat, PostKind.ANTE, deal.ante) for seat in range(players) if deal.ante]
    posts += [Post(small_seat, PostKind.SMALL_BLIND, deal.small), Post(big_seat, PostKind.BIG_BLIND, deal.big)]
    if deal.straddle:
        posts.append(Post(2, PostKind.STRADDLE, 2 * deal.big))
    stakes = Stakes(small_blind=deal.small, big_blind=deal.big, ante=deal.ante)
    seats = tuple(range(1, players + 1))
    return start(
        HandStarted(card, card.options, stakes, seats, deal.stacks, tuple(posts), players), deal.deck
    )[1]  # fmt: skip


@cache
def _pot_limit() -> type[NoLimitTexasHoldem]:
    return type("PotLimitTexasHoldem", (NoLimitTexasHoldem,), {"betting_structure": BettingStructure.POT_LIMIT})


def theirs(deal: Deal) -> State:
    """Return the hand on PokerKit's table, up to the first decision."""
    players = len(deal.stacks)
    blinds = (deal.small, deal.big, *((2 * deal.big,) if deal.straddle else ()))
    made: Any = {"holdem": NoLimitTexasHoldem, "limit_holdem": FixedLimitTexasHoldem}.get(deal.game) or _pot_limit()
    sizes = (deal.big, 2 * deal.big) if deal.game == "limit_holdem" else (deal.big,)
    state: State = made.create_state(AUTOMATIONS, True, deal.ante, blinds, *sizes, deal.stacks, players)
    for seat in range(players):
        state.deal_hole(card_text(deal.deck[seat]) + card_text(deal.deck[players + seat]))
    deal_board(state, deal)
    return state


def deal_board(state: State, deal: Deal) -> None:
    """Deal what is due on PokerKit's table, and make its empty last check when nobody is left to bet against."""
    first = 2 * len(deal.stacks) + 1
    boards = {0: deal.deck[first : first + 3], 3: deal.deck[first + 4 : first + 5], 4: deal.deck[first + 6 : first + 7]}
    while state.status and state.actor_index is None:
        if state.can_burn_card():
            state.burn_card("??")
        else:
            state.deal_board(cards_text(boards[len(state.board_cards)]))


def their_bounds(state: State) -> tuple[int, int]:
    """Return PokerKit's minimum and maximum to raise to; 0 and 0 when nobody can raise."""
    least = state.min_completion_betting_or_raising_to_amount
    return (least, state.max_completion_betting_or_raising_to_amount or 0) if least is not None else (0, 0)


def random_command(rng: random.Random, may: LegalActions) -> c.HandCommand:
    """Choose a lawful action in whole units."""
    kinds = ["check"] * 3 * may.check + ["fold"] * 2 * (may.fold and not may.check)
    kinds += ["call"] * 4 * bool(may.call_chips) + ["raise"] * 3 * bool(may.max_to)
    match rng.choice(kinds):
        case "check":
            return c.Check()
        case "fold":
            return c.Fold()
        case "call":
            return c.Call()
        case _:
            between = UNIT * rng.randint(may.min_to // UNIT, may.max_to // UNIT)
            return c.RaiseTo(rng.choice((may.min_to, may.max_to, between, min(may.max_to, 2 * may.min_to))))


def tell(state: State, command: c.HandCommand) -> None:
    """Give PokerKit the same command.

    Raises:
        ValueError: it does not allow it.
    """
    match command:
        case c.RaiseTo(to):
            state.complete_bet_or_raise_to(to)
        case c.Fold():
            state.fold()
        case _:
            state.check_or_call()


def play_both(deal: Deal, rng: random.Random) -> Report:
    """Play random lawful commands on both tables and report on differences."""
    report = Report(deal)
    hand = ours(deal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        state = theirs(deal)
        while not hand.over:
            seat = hand.to_act
            may = legal(hand, seat)
            fault = known_fault(hand, seat)
            if not _same_decision(report, state, may, fault):
                return report
            command = random_command(rng, may)
            report.actions.append(f"{seat} {command}")
            try:
                tell(state, command)
            except ValueError as refusal:
                if not report.faults:
                    report.differences.append(f"refused: {refusal}")
                return report
            hand = decide_and_evolve(hand, seat, command)[1]
            deal_board(state, deal)
        while state.status and state.checking_or_calling_amount == 0:
            state.check_or_call()
            deal_board(state, deal)
    report.whole = not state.status
    if Fault.SHORT_BIG_BLIND in report.faults:
        return report  # other amounts went in
    if state.status:
        report.differences.append("PokerKit's hand goes on")
    elif tuple(state.stacks) != tuple(hand.stacks):
        report.differences.append(f"stacks: ours {tuple(hand.stacks)}, theirs {tuple(state.stacks)}")
    return report


def _same_decision(report: Report, state: State, may: LegalActions, fault: Fault | None) -> bool:
    """Compare the player to act and what they can do. False means that the two hands have parted for good."""
    found = []
    if state.actor_index != may.seat:
        found.append(f"to act: ours {may.seat}, theirs {state.actor_index}")
    else:
        if state.checking_or_calling_amount != may.call_chips:
            found.append(f"call: ours {may.call_chips}, theirs {state.checking_or_calling_amount}")
        bounds = their_bounds(state)
        if bounds != (may.min_to, may.max_to):
            found.append(f"raise: ours {(may.min_to, may.max_to)} {may.no_raise_law}, theirs {bounds}")
    if fault is not None and found:
        report.faults.add(fault)
    if found and (not report.faults or (found[0][:4] == "call" and Fault.SHORT_BIG_BLIND not in report.faults)):
        report.differences += [f"{line} at action {len(report.actions)}" for line in found]
    return state.actor_index == may.seat and not report.differences


def known_fault(hand: Hand, seat: int) -> Fault | None:
    """Return the fault that PokerKit can show at this decision, or None where it must agree."""
    posts = {post.kind: post.chips for post in hand.started.posts}
    big_seat = next(post.seat for post in hand.started.posts if post.kind is PostKind.BIG_BLIND)
    ante = posts.get(PostKind.ANTE, 0)
    if hand.started.stacks[big_seat] < posts[PostKind.BIG_BLIND] + ante:
        return Fault.SHORT_BIG_BLIND
    if hand.in_first_betting_round and hand.blind_shortfall and hand.rules.limit is Limit.POT_LIMIT:
        return Fault.SHORT_SMALL_BLIND
    short = has_short_wager(hand)
    if hand.rules.has_fixed_sizes:
        wagers = sum(isinstance(event, BetTo | RaisedTo) for event in hand.street_actions)
        if wagers >= 3 and (hand.raises_uncapped or wagers >= 4 or hand.in_first_betting_round):
            return Fault.CAP
        return Fault.HALF_BET if short else None
    return Fault.REOPENING if short else None


def has_short_wager(hand: Hand) -> bool:
    """Return whether somebody went all-in in this betting round for less than a full bet or raise."""
    level = max((post.chips for post in hand.started.posts), default=0) if hand.in_first_betting_round else 0
    rules = hand.rules
    unit = rules.amounts.forced_full_bet if hand.in_first_betting_round else rules.amounts.min_bet
    if rules.has_fixed_sizes:
        unit = rules.bet_sizes[hand.step_index]
    for event in hand.street_actions:
        if isinstance(event, BetTo | RaisedTo):
            if event.to - level < unit:
                return True
            if not rules.has_fixed_sizes:
                unit = event.to - level
            level = event.to
    return False
