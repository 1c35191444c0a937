"""Random hands of every game, played to their end, for whoever looks at each of their states."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.decide import decide, legal
from bot.engine.errors import LawError
from bot.engine.evolve import evolve
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.view.types import HandView
from bot.render.hand.scene import Person, Scene
from tests.engine.test_all_games_machine import offered
from tests.render.test_every_game import dealt

SEAT_COUNT = 10
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")
PEOPLE = {number: Person(name, 100 + number) for number, name in enumerate(NAMES, 1)}
_DEALT = (e.DealtBoard, e.DealtDown, e.DealtUp, e.DealtUpToSeat)


def scene_of(view: HandView) -> Scene:
    return Scene(5, 1, 1284, view, PEOPLE, picture=True)


def new_hand(card: RuleCard, dice: random.Random) -> Hand:
    """Deal a hand to as many players as can sit at a table that is drawn."""
    return dealt(card, dice.randint(card.seats_min, min(card.seats_max, SEAT_COUNT)), dice)


def states(hand: Hand, dice: random.Random) -> Iterator[Hand]:
    """Play a hand by lawful commands, and yield each state that people see, also of an all-in run-out and after the end."""
    while not hand.over:
        yield hand
        asked = [seat for seat in range(hand.seat_count) if legal(hand, seat).decision is not Decision.NONE]
        seat = dice.choice(asked)
        lawful = []
        for command in offered(dice, hand, seat, legal(hand, seat)):
            try:
                lawful.append((command, decide(hand, seat, command)))
            except LawError:
                continue
        weights = [1 if isinstance(command, c.Fold | c.AllIn) else 6 for command, _ in lawful]
        _, events = dice.choices(lawful, weights)[0]
        for event in events:
            if hand.all_in_showdown and isinstance(event, _DEALT):
                yield hand
            hand = evolve(hand, event)
    yield hand
    for seat in dice.sample(range(hand.seat_count), 2):  # some show what they folded or mucked (Z-4)
        try:
            (shown,) = decide(hand, seat, c.Show())
        except LawError:
            continue
        hand = evolve(hand, shown)
        yield hand
