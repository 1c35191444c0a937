"""Every option that is offered decides something: wherever a game offers a value, some hand goes another way because of it.

The same players with the same stacks get the same deck, and do the same as long as they can; the option alone differs.

Source: laws H-1, H-2, 0.5, 0.6.
"""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.legal import Decision
from bot.engine.options.values import Ante
from bot.engine.rule_card import RuleCard
from bot.engine.view.build import view
from bot.house.rules import HouseRules
from bot.runtime.table_settings import NewTableRequest, with_card_and_options
from bot.table import commands as t
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.next_hand import next_hand, straddle_seats
from bot.table.seat_limits import seats_allowed
from bot.table.settings import TableSettings
from bot.variants import CATALOGUE, game
from bot.variants.customise import change_option, offered_options
from cogs.presses import table_settings
from tests.engine.random_table import HOST, START
from tests.engine.test_all_games_machine import offered

HANDS = 3_000
"""The number of hands that are tried before an option counts as one that decides nothing."""
AT_THE_TABLE = {
    "max_seats": "how many can sit down",
    "first_dealer": "how the first dealer is found",
    "cut": "whether the deck is cut",
    "misdeal": "who deals after a misdeal",
    "button": "where the button goes when somebody leaves",
    "misses": "when a silent player sits out",
    "newcomer_posts": "what a newcomer pays",
    "house_blinds": "which blinds can be agreed on",
    "out_of_turn": "what becomes of an early action",
    "straddle_seat": "who can straddle",
    "jackpots.back_down": "what the next deal opens with",
}
"""These decide between hands, or when somebody acts out of turn: `tests/table` and `test_law_irregular.py` test them."""
WRITTEN = {"wild_cards": ("Qs, black aces, hearts",)}
"""Values of the options that are written in words."""
WITH_MORE_LAID_OVER = tuple(game(key) for key in ("five_card_draw+deuces_wild+joker_bug",))
"""Games for what no game of the catalogue brings: a joker beside other wild cards."""
RARE = "odd_chip"
"""An option that decides only where two hands tie, which some games do once in ten thousand hands. One game of many ties stands for all."""
ALIKE = {
    ("passed_out", "same_dealer_reante", "next_dealer_reante"),
    ("passed_out", "next_dealer_reante", "same_dealer_reante"),
}
"""Values that differ only in who deals next."""


def other_values(card: RuleCard) -> Iterator[tuple[str, str, str]]:
    """Return what can be changed at a table of this game: an option, its value, and another value."""
    settings = opened(card)
    for name, option, now in offered_options(settings.rule_card, settings.options):
        for value in option.values or WRITTEN.get(name, ()):
            if (
                name not in AT_THE_TABLE
                and option.name not in AT_THE_TABLE
                and value != now
                and (name, now, value) not in ALIKE
            ):
                yield name, now, value


def opened(card: RuleCard) -> TableSettings:
    """Return a table of this game, with an ante beside the blinds, so that it matters who pays it."""
    settings = table_settings.new_table_settings(card.key, HouseRules(), NewTableRequest(big_blind=100), None, "off")
    stakes = settings.stakes
    if settings.options.ante is Ante.BLINDS:
        stakes = replace(stakes, ante=25)
    return replace(settings, stakes=stakes)


def changed(settings: TableSettings, name: str, value: str) -> TableSettings:
    """Return the table with this one option chosen otherwise."""
    return with_card_and_options(settings, *change_option(settings.rule_card, settings.options, name, value))


def decides(settings: TableSettings, name: str, value: str) -> bool:
    """Return whether some hand goes another way because of it."""
    other = changed(settings, name, value)
    return any(played(settings, seed) != played(other, seed) for seed in range(HANDS))


def played(settings: TableSettings, seed: int) -> list[object]:
    """Return all legal actions and events of a hand, and its public view at the end. Players do the same as long as they can."""
    rng = random.Random(seed)
    seats = min(seats_allowed(settings.rule_card, settings.options.deck), settings.rule_card.seats_max)
    hand = start(*_deal(settings, rng, rng.choice((2, 3, 3, max(2, seats)))))[1]
    record: list[object] = []
    for number in range(400):
        if hand.over:
            break
        seat = hand.to_act
        legal_actions = legal(hand, seat)
        record.append(legal_actions)
        action_rng = random.Random(seed * 1_000 + number)
        choices = offered(action_rng, hand, seat, legal_actions)
        # Most is decided at the showdown, so most hands go there.
        quiet = legal_actions.decision is Decision.BET and action_rng.random() < 0.8
        weights = [3 if quiet and type(choice).__name__ in ("Check", "Call") else 0.3 for choice in choices]
        events, hand = decide_and_evolve(hand, seat, action_rng.choices(choices, weights)[0])
        record += events
    return [*record, view(hand, None)]


def _deal(settings: TableSettings, rng: random.Random, players: int) -> tuple[e.HandStarted, tuple[int, ...]]:
    table = evolve_all(None, decide(None, t.OpenTable(HOST, settings), START))
    for number in range(1, players + 1):
        table = evolve_all(table, decide(table, t.TakeSeat(number, f"P{number}", settings.min_buyin, number), START))
    deep = [rng.choice((3_000, 7_001)) for _ in range(2)]
    chips = deep + [rng.choice((3_000, rng.randint(1, 700), rng.randint(1_500, 20_000))) for _ in table.seats[2:]]
    if players == 2:
        chips[rng.randrange(2)] = rng.choice((450, 3_000))
    table = replace(table, seats=tuple(replace(seat, stack=own) for seat, own in zip(table.seats, chips, strict=True)))
    table = replace(table, drawn_button_seat=rng.randint(1, players), carried_chips=rng.choice((0, 1, 1, 2)))
    for number in straddle_seats(table):
        table = evolve_all(table, decide(table, t.PledgeStraddle(number), START))
    next_deal = next_hand(table, START, ())
    assert next_deal is not None
    deck = list(DECKS[settings.options.deck])
    rng.shuffle(deck)
    if rng.random() < 0.5:
        deck = _alike(deck, players)
    return replace(next_deal.started, ask_show=rng.random() < 0.2), tuple(deck)


def _alike(deck: list[int], players: int) -> list[int]:
    """Return a deck that deals players the same ranks, so that they tie."""
    by_rank: dict[int, list[int]] = {}
    for card in deck:
        by_rank.setdefault(card >> 2, []).append(card)
    first = [card for cards in by_rank.values() if len(cards) >= players for card in cards[:players]]
    return first + [card for card in deck if card not in first]


def _one_game_for_each() -> Iterator[tuple[RuleCard, str, str, str]]:
    """Return every option and value once, with the first game that offers it."""
    met = set()
    for card in (*CATALOGUE, *WITH_MORE_LAID_OVER):
        for name, now, value in other_values(card):
            if (name, value) not in met:
                met.add((name, value))
                yield card, name, now, value


@pytest.mark.law("H-1", "H-2")
@pytest.mark.parametrize(
    ("card", "name", "value"),
    [
        pytest.param(card, name, value, id=f"{card.key}-{name}-{now}-{value}")
        for card, name, now, value in _one_game_for_each()
    ],
)
def test_an_option_that_is_offered_decides_something(card: RuleCard, name: str, value: str) -> None:
    assert decides(opened(card), name, value), f"{name} {value} changes no deal of {card.key}"


@pytest.mark.full
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_option_that_a_game_offers_decides_something_there(card: RuleCard) -> None:
    settings = opened(card)
    asked = [(name, value) for name, _, value in other_values(card) if name != RARE]
    idle = [f"{name} {value}" for name, value in asked if not decides(settings, name, value)]
    assert idle == []
