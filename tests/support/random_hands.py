"""Random hands as tables play them with a game's own rules: forced bets of every kind, short stacks, boards run twice, shows and mucks.

Where `tests.engine.random_table` makes any table that people can open, these keep to the game as everybody knows it, so that other
programs' readers know it too.
"""

import random
from collections.abc import Sequence

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import start
from bot.engine.options.values import Ante, BlindsAnte, StraddleRule, Switch
from bot.engine.rule_card import RuleCard
from bot.engine.usual_stakes import usual_stakes
from tests.engine.test_all_games_machine import UncheckedMachine


class PlainHand(UncheckedMachine):
    """A random hand of a game by its own rules.

    Args:
        odd: forced bets and runs that not every reader knows can happen: dead posts, straddles, antes beside blinds, two boards.
        shallow: stacks are short, so that most hands are all-in.
    """

    def __init__(self, rng: random.Random, card: RuleCard, *, odd: bool = True, shallow: bool | None = None) -> None:
        self.rng = rng
        self.started, self.deck = _deal(rng, card, odd=odd, shallow=rng.random() < 0.4 if shallow is None else shallow)
        self.chips = sum(self.started.stacks)
        happened, self.hand = start(self.started, self.deck)
        self.events = list(happened)

    def act_early(self) -> None:
        """Nobody acts out of turn."""

    def void(self) -> None:
        """Nobody cancels the hand."""
        self.play()

    def ended(self) -> None:
        """The test looks at the hand."""


def _deal(rng: random.Random, card: RuleCard, *, odd: bool, shallow: bool) -> tuple[e.HandStarted, tuple[int, ...]]:
    stakes, options = usual_stakes(card), card.options
    players = rng.randint(max(2, card.seats_min), min(card.seats_max, rng.choice((2, 3, 6, 10))))
    with_blinds = options.ante is Ante.BLINDS
    if odd and with_blinds and rng.random() < 0.2:
        stakes = replace(stakes, ante=max(1, stakes.big_blind // 10))
        options = replace(options, blinds_ante=rng.choice((BlindsAnte.EVERYONE, BlindsAnte.BIG_BLIND)))
    posts = list(regular_posts(card, options, stakes, players))
    if odd and with_blinds and players > 3:
        if rng.random() < 0.2:  # somebody comes in
            posts.append(e.Post(players - 1, e.PostKind.LIVE, stakes.big_blind))
            if rng.random() < 0.5 and stakes.small_blind:
                posts.append(e.Post(players - 1, e.PostKind.DEAD, stakes.small_blind))
        elif rng.random() < 0.2:
            options = replace(options, straddle=StraddleRule.LIVE)
            posts.append(e.Post(2, e.PostKind.STRADDLE, 2 * stakes.big_blind))
    unit = stakes.big_blind or stakes.small_bet or stakes.min_bet or 10 * stakes.ante
    most = 12 * unit if shallow else 200 * unit
    numbers = sorted(rng.sample(range(1, max(players, 9) + 1), players))
    turn = rng.randrange(players)
    seats = (*numbers[turn:], *numbers[:turn])
    started = e.HandStarted(
        card,
        replace(options, run_twice=Switch.ON) if odd and card.has_single_board else options,
        stakes,
        seats,
        tuple(rng.randint(1 if shallow else 20 * unit, most) for _ in range(players)),
        tuple(posts),
        seats[-1],
        ask_show=rng.random() < 0.5,
        ask_run_twice=odd and card.has_single_board and rng.random() < 0.7,
    )  # fmt: skip
    deck = list(DECKS[options.deck])
    rng.shuffle(deck)
    return started, tuple(deck)


def random_hands(cards: Sequence[RuleCard], count: int, seed: int = 0, *, odd: bool = True) -> list[PlainHand]:
    """Play random hands, the games in turn."""
    found = []
    for number in range(count):
        hand = PlainHand(random.Random(seed * 1_000_003 + number), cards[number % len(cards)], odd=odd)
        hand.play()
        found.append(hand)
    return found
