"""A screen reader that reads a player's panel in order tells them a decision in few words, in every game."""

from __future__ import annotations

import contextlib
import random
import re

import pytest

from bot import engine
from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.timeout import default_action
from bot.engine.view.build import view
from bot.engine.view.types import HandSeatState
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.private_choices import is_private_choice
from bot.render.hand.private_panels import own_seat
from bot.render.hand.scene import Person, Scene
from bot.render.message.panel import Text
from bot.text.cards import card_name
from bot.variants import CATALOGUE
from tests.render.sample_hands import EMOJIS
from tests.render.test_every_game import awaited, buttons, command_of, dealt, private_choice_panels

WORDS, WORDS_FOR_EACH_OTHER = 40, 5
"""The most words for a decision against two opponents, and for each other one."""
BOARD_AND_HAND, HAND, WILD_CARD, QUESTION = 12, 6, 6, 14
"""What a second board, a second half, a wild card, and a question other than a bet can add."""
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Joe", "Kim", "Lou", "Max", "Ned")
PEOPLE = {number: Person(name, 10**17 + number) for number, name in enumerate(NAMES, 1)}
_EMOJI, _TIME, _MARKS = re.compile(r"<:(\w*):\d+>"), re.compile(r"<t:\d+:R>"), re.compile(r"[*`#]")


def spoken(scene: Scene) -> list[str]:
    """Return the words of a panel as they are read, in order. A card on its tile is one word.

    Cards that are read before, or at the table too, do not count: the own ones in words, and those that lie open before opponents.
    """
    text = "\n".join(block.content for block in my_hand_panel(scene).blocks if isinstance(block, Text))
    own = own_seat(scene)
    for card in sorted({seen.card for seat in scene.view.seats for seen in seat.cards if seen.card is not None}):
        text = text.replace(f"{card_name(card)}, ", "").replace(card_name(card), "")
    others = [EMOJIS.write_one(seen.card) for seat in scene.view.seats if seat is not own for seen in seat.cards]
    lines = text.split("\n")
    for mark in others:
        lines = [line if line.startswith(("#", "Board")) else line.replace(mark, "") for line in lines]
    text = _EMOJI.sub(r" \1 ", _TIME.sub("in 24 seconds", "\n".join(lines)))
    return [
        word for word in _MARKS.sub("", text).split() if re.search(r"\w", word) and word not in {"Hidden:", "Open:"}
    ]


def most_words(scene: Scene) -> int:
    """Return how many words a decision can take: what a game adds to one board, one hand to name and a bet has words of its own."""
    view, own = scene.view, own_seat(scene)
    opponents = [seat for seat in view.seats if seat is not own and seat.state is not HandSeatState.FOLDED]
    boards = sum(bool(board) for board in view.boards)
    return (
        WORDS
        + WORDS_FOR_EACH_OTHER * max(0, len(opponents) - 2)
        + BOARD_AND_HAND * max(0, boards - 1)
        + HAND * max(0, len(own.made_by_share) - 1)
        + WILD_CARD
        * (len(own.wild_cards) + len(view.wild_common_cards) + sum(len(seat.wild_cards) for seat in opponents))
        + sum(1 + len(seat.draw_counts) for seat in opponents if seat.draw_counts)
        + (0 if view.legal is not None and view.legal.decision is Decision.BET else QUESTION)
    )


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_decision_is_told_in_few_words(card: RuleCard) -> None:
    dice = random.Random(card.key)
    told = 0
    for players in sorted({max(3, card.seats_min), min(6, card.seats_max), card.seats_max}):
        hand = dealt(card, players, dice)
        while not hand.over:
            seat = dice.choice(awaited(hand))
            scene = Scene(5, 1, 7, view(hand, seat), PEOPLE, 1_800_000_000, emojis=EMOJIS)
            words = spoken(scene)
            assert len(words) <= most_words(scene), f"{len(words)} of {most_words(scene)}: {' '.join(words)}"
            told += 1
            hand = engine.decide_and_evolve(hand, seat, dice.choice(lawful(hand, seat, scene, dice)))[1]
    assert told


def lawful(hand: Hand, seat: int, scene: Scene, dice: random.Random) -> list[c.HandCommand]:
    """Return what the panel's buttons do now; folds and all-ins seldom."""
    presses = buttons(my_hand_panel(scene))
    if scene.view.legal is not None and is_private_choice(scene.view.legal):
        presses += [press for panel in private_choice_panels(scene, dice) for press in buttons(panel)]
    commands = [command for press in presses if (command := command_of(press, scene)) is not None]
    often = [command for command in commands if not isinstance(command, c.Fold | c.AllIn) or dice.random() < 0.1]
    found = []
    for command in often or commands:
        with contextlib.suppress(LawError):
            engine.decide(hand, seat, command)
            found.append(command)
    return found or [default_action(hand)]
