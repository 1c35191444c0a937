"""Play hands of any game until everybody is all-in, as rough players do."""

from __future__ import annotations

import random

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.hand import Hand, is_asked, seats_in
from bot.engine.legal import Decision
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.timeout import default_action
from bot.engine.units import SeatNumber
from bot.engine.usual_stakes import usual_stakes

UNIT = 10_080
"""Every amount is a multiple of it: two boards, two shares and up to ten winners leave no odd chip."""
AMOUNTS = ("ante", "straddle", "small_blind", "big_blind", "small_bet", "big_bet", "bring_in", "limit", "min_bet", "price", "cap",
           "limit_after_draw", "button_blind")  # fmt: skip

Played = tuple[tuple[e.HandEvent, ...], tuple[int, ...]]
"""The events of a hand, and its deck."""


def rough_hand(
    rng: random.Random,
    card: RuleCard,
    players: int,
    *,
    stacks: tuple[int, ...] = (),
    options: Options | None = None,
    calm_rounds: int = 0,
    folds: float = 0.0,
    runs_twice: bool = False,
    deck: tuple[int, ...] = (),
) -> Played:
    """Play a hand in which everybody puts all they have in.

    Args:
        stacks: chips of each, multiples of `UNIT`; random ones of a few bets if there are none.
        options: in force; the game's own if None.
        calm_rounds: betting rounds in which everybody checks and calls before that.
        folds: how likely somebody folds instead, if there is something to call.
        runs_twice: the board is run twice, where it can be.
        deck: in its order; a random one if empty.
    """
    options = options or card.options
    usual = usual_stakes(card)
    stakes = replace(usual, **{name: UNIT * getattr(usual, name) for name in AMOUNTS})
    bet = max(usual.big_blind, usual.ante, usual.small_bet, 1)
    stacks = stacks or tuple(UNIT * (bet * rng.randint(1, 10) + rng.randint(0, bet)) for _ in range(players))
    if not deck:
        cards = list(DECKS[options.deck])
        rng.shuffle(cards)
        deck = tuple(cards)
    started = e.HandStarted(
        card,
        options,
        stakes,
        tuple(SeatNumber(number) for number in range(1, players + 1)),
        stacks,
        tuple(regular_posts(card, options, stakes, players)),
        SeatNumber(players),
        ask_run_twice=runs_twice,
    )
    events, hand = start(started, deck)
    while not hand.over:
        seat = next(seat for seat in seats_in(hand.live_seats) if is_asked(hand, seat))
        more, hand = decide_and_evolve(hand, seat, _command(rng, hand, seat, events, calm_rounds, folds))
        events += more
    return events, deck


def _command(
    rng: random.Random, hand: Hand, seat: int, events: tuple[e.HandEvent, ...], calm_rounds: int, folds: float
) -> c.HandCommand:
    if hand.decision is Decision.RUN_TWICE:
        return c.Accept()
    if hand.decision is Decision.DRAW:
        held = hand.down_indices[seat]
        return c.ChooseCards(tuple(held[: rng.randint(0, min(3, legal(hand, seat).max_cards))]))  # type: ignore[arg-type]
    if hand.choice_open:
        asked = hand.copy()
        asked.to_act = seat  # type: ignore[assignment]
        return default_action(asked)
    if hand.decision is Decision.OFFER:
        return c.Accept() if rng.random() < 0.5 else c.Decline()
    if hand.decision is not Decision.BET:
        return default_action(hand)
    can = legal(hand, seat)  # type: ignore[arg-type]
    if can.call_chips and can.fold and rng.random() < folds:
        return c.Fold()
    rounds = sum(isinstance(event, e.BettingRoundOpened) for event in events)
    if rounds > calm_rounds and (can.max_to or can.call_chips):
        return c.AllIn()
    if can.check:
        return c.Check()
    if can.call_chips:
        return c.Call()
    return c.AllIn() if can.max_to else c.Fold()
