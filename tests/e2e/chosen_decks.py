"""Decks that a test chooses, so that it does not depend on the luck of the cards."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from bot.engine.ranking import evaluator
from bot.engine.rules_in_force import rules_in_force
from bot.fair.deck_order import deck_order
from bot.table.next_hand import SHUFFLES_MIN
from bot.variants import game
from tests.e2e.bot_session import BotSession

HoleCards = Sequence[int]


def stack_next_deck(room: BotSession, fits: Callable[[tuple[int, ...]], bool]) -> None:
    """Make the next hand come from the first deck that fits."""
    tables, now = room.dealer.tables, room.now
    context = tables._context
    cards = rules_in_force(now.settings.rule_card, now.settings.options, now.settings.stakes).deck_cards

    def fitting() -> bytes:
        for number in itertools.count(1):
            nonce = number.to_bytes(16, "big")
            deck = deck_order(context.master_secret, now.id, room.now.hand_number + 1, nonce, cards, SHUFFLES_MIN)
            if fits(deck):
                return nonce
        raise AssertionError("no end of numbers")

    context.make_nonce = fitting


def stack_next_hole_cards(room: BotSession, each: int, fits: Callable[[HoleCards, HoleCards], bool]) -> None:
    """Make the next hand deal two players the first cards that fit, one by one to each, either way round."""

    def either_way_round(deck: tuple[int, ...]) -> bool:
        one, other = deck[0 : 2 * each : 2], deck[1 : 2 * each : 2]
        return fits(one, other) or fits(other, one)

    stack_next_deck(room, either_way_round)


def no_two_tie(players: int) -> Callable[[tuple[int, ...]], bool]:
    """Return whether a deck gives no two players hands that tie on the river. A card is burned before each street."""
    first = 2 * players
    high = evaluator(game("holdem").shares[0].ranking)

    def fits(deck: tuple[int, ...]) -> bool:
        board = (*deck[first + 1 : first + 4], deck[first + 5], deck[first + 7])
        return len({high.best((deck[at], deck[at + players]), board) for at in range(players)}) == players

    return fits
