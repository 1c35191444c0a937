"""The decks a table can play with, and how many players each serves (laws K-1 to K-4, P-6, VB-10, VC-22)."""

from functools import cache

from bot.engine import cards
from bot.engine.card_facts import CardSteps
from bot.engine.options.values import DeckKind
from bot.engine.steps import BettingRound, Burn, DealBoard, DealDown, DealUp, DealUpInTurn, DealUpOrDown

_JOKERS = (cards.JOKER, cards.SECOND_JOKER)
_WITH_JOKERS = {
    DeckKind.STANDARD_52: (DeckKind.STANDARD_52, DeckKind.WITH_JOKER_53, DeckKind.WITH_TWO_JOKERS_54),
    DeckKind.STRIPPED_36: (
        DeckKind.STRIPPED_36,
        DeckKind.STRIPPED_WITH_JOKER_37,
        DeckKind.STRIPPED_WITH_TWO_JOKERS_38,
    ),
    DeckKind.STRIPPED_32: (
        DeckKind.STRIPPED_32,
        DeckKind.STRIPPED_WITH_JOKER_33,
        DeckKind.STRIPPED_WITH_TWO_JOKERS_34,
    ),
}
"""Each deck without jokers, with one, with two (K-3)."""
_WITHOUT_JOKERS = {
    DeckKind.STANDARD_52: cards.STANDARD_52,
    DeckKind.STRIPPED_36: cards.STRIPPED_36,
    DeckKind.STRIPPED_32: cards.STRIPPED_32,
}
DECKS: dict[DeckKind, tuple[int, ...]] = {
    kind: (*_WITHOUT_JOKERS[plain], *_JOKERS[:count])
    for plain, kinds in _WITH_JOKERS.items()
    for count, kind in enumerate(kinds)
} | {DeckKind.MEXICAN_41: cards.MEXICAN_41}


@cache
def joker_count(deck: DeckKind) -> int:
    """How many jokers the deck has."""
    return sum(card >= cards.JOKER for card in DECKS[deck])


@cache
def without_jokers(deck: DeckKind) -> DeckKind:
    """The deck without its jokers. The Mexican deck keeps its own."""
    return next((plain for plain, kinds in _WITH_JOKERS.items() if deck in kinds), deck)


def with_jokers(deck: DeckKind, count: int) -> DeckKind:
    """The deck with so many jokers, up to two, instead of those it has. The Mexican deck keeps its own."""
    return _WITH_JOKERS[without_jokers(deck)][count] if deck is not DeckKind.MEXICAN_41 else deck


def max_seats_before_betting(rule_card: CardSteps, deck: DeckKind = DeckKind.STANDARD_52) -> int:
    """How many players the deck serves with the cards that come before anybody bets (P-6). More never sit down,
    whatever the game does where the deck runs out later (X-7, VC-5)."""
    first = next(
        (at for at, step in enumerate(rule_card.steps) if isinstance(step, BettingRound)), len(rule_card.steps)
    )
    each = sum([step.count for step in rule_card.steps[:first] if isinstance(step, DealDown | DealUp)])
    each += sum([isinstance(step, DealUpInTurn) for step in rule_card.steps[:first]])
    return len(DECKS[deck]) // max(1, each)


def max_seats_served(rule_card: CardSteps, deck: DeckKind = DeckKind.STANDARD_52) -> int:
    """How many players the deck serves at this game (P-6)."""
    for_the_table = cards_dealt(rule_card, 0)
    return (len(DECKS[deck]) - for_the_table) // (cards_dealt(rule_card, 1) - for_the_table)


def cards_dealt(rule_card: CardSteps, players: int) -> int:
    """How many cards a hand takes from the deck: (cards each × players) + boards + burns (P-6).

    Cards drawn are not counted: a draw can use the shuffled discards (X-7).
    """
    each = board = burns = 0
    for step in rule_card.steps:  # once, and not once for each kind: every change of a table's settings asks
        match step:
            case DealDown() | DealUp():
                each += step.count
            case DealUpOrDown() | DealUpInTurn():
                each += 1
            case DealBoard():
                board += step.count
            case Burn():
                burns += 1
    return each * players + rule_card.boards * board + burns
