"""Plays a game from posts to pots, by random lawful actions, and looks at chips, cards and the journal on the way."""

import random

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.card import RuleCard
from bot.engine.choosing import AT_ONCE
from bot.engine.evolve import replay
from bot.engine.hand import Hand
from bot.engine.legal import Decision, Legal
from bot.engine.options import Options
from bot.engine.posts import regular_posts
from bot.engine.rules import rules_for
from bot.engine.ruling import legal, rule, start
from bot.engine.silence import silent
from bot.engine.stakes import Stakes
from bot.engine.usual import usual_stakes

Cards = tuple[int, ...]


class Dealt:
    """A deal with chosen cards: `deck` from the top, the rest of the pack below it; everybody has `stacks` chips."""

    def __init__(
        self,
        card: RuleCard,
        players: int,
        deck: Cards = (),
        *,
        options: Options | None = None,
        stakes: Stakes | None = None,
        stacks: int | Cards = 10_000,
        carried: int = 0,
        openers: int = -1,
    ) -> None:
        options = options or card.options
        stakes = stakes or usual_stakes(card)
        pack = rules_for(card, options, stakes).pack
        self.deck = (*deck, *(one for one in pack if one not in deck))
        chips = (stacks,) * players if isinstance(stacks, int) else stacks
        started = e.HandStarted(
            card=card, options=options, stakes=stakes, seats=tuple(range(1, players + 1)), stacks=chips,
            posts=regular_posts(card, options, stakes, players), button=players, carried=carried, openers=openers,
        )  # fmt: skip
        events, self.hand = start(started, self.deck)
        self.events = list(events)

    def does(self, *commands: c.Command) -> "Dealt":
        """Each command is the next seat's."""
        for command in commands:
            events, self.hand = rule(self.hand, self.hand.to_act, command)
            self.events += events
        return self

    def silent(self, times: int = 1) -> "Dealt":
        for _ in range(times):
            self.does(silent(self.hand))
        return self

    @property
    def legal(self) -> Legal:
        return legal(self.hand, self.hand.to_act)


def play(card: RuleCard, seed: int, players: int = 0) -> Hand:
    """Play one hand to its end; everything that must hold, holds."""
    dice = random.Random(seed)
    stakes = usual_stakes(card)
    count = players or dice.randint(card.seats_min, card.seats_max)
    deck = list(rules_for(card, card.options, stakes).pack)
    dice.shuffle(deck)
    stacks = tuple(dice.choice((500, 2_000, 10_000)) for _ in range(count))
    dealt = Dealt(card, count, tuple(deck), stakes=stakes, stacks=stacks)
    for _ in range(600):
        hand = dealt.hand
        if hand.over:
            break
        assert sum(hand.stacks) + hand.pot == sum(stacks)
        dealt.does(choice(dice, hand))
    hand = dealt.hand
    assert hand.over, "the hand does not end"
    assert sum(hand.stacks) + hand.carried_on == sum(stacks)
    places = [place for held in (*hand.down, *hand.up, *hand.boards[:1]) for place in held]
    assert len(places) == len(set(places))
    again = replay(dealt.events, dealt.deck)
    assert (again.stacks, again.down, again.up, again.payments) == (hand.stacks, hand.down, hand.up, hand.payments)
    return hand


def choice(dice: random.Random, hand: Hand) -> c.Command:
    """Something lawful for the seat to act."""
    seat = hand.to_act
    may = legal(hand, seat)
    if hand.decision in AT_ONCE and may.words:
        return c.Declare(dice.choice(may.words))
    if hand.decision in AT_ONCE:
        return c.Discard(tuple(dice.sample(hand.down[seat], may.most)))
    if hand.decision is Decision.DRAW:
        return c.Discard(tuple(dice.sample(hand.down[seat], dice.randint(0, may.most))))
    if hand.decision in (Decision.STRADDLE, Decision.OFFER):
        return dice.choice((c.Accept(), c.Decline()))
    if hand.decision is not Decision.BET:
        return silent(hand)
    choices: list[c.Command] = [silent(hand)]
    if may.check:
        choices += [c.Check()] * 2
    if may.call:
        choices += [c.Call()] * 4
    if may.max_to:
        choices.append(c.RaiseTo(may.min_to))
    return dice.choice(choices)
