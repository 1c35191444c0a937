"""No option is offered that decides nothing: wherever a game offers a value, there is a deal that goes another way because of it.

The same players with the same stacks get the same pack, and do the same as long as they may; the option alone differs.

Source: laws H-1, H-2, 0.5, 0.6.
"""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.card import RuleCard
from bot.engine.legal import Decision
from bot.engine.options import Ante
from bot.engine.packs import PACKS
from bot.engine.ruling import legal, rule, start
from bot.engine.seeing import view
from bot.ledger.house import HouseRules
from bot.runtime.house_table import Wishes, with_laws
from bot.table import commands as t
from bot.table.deal import next_hand, straddle_seats
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.pack import seats_allowed
from bot.table.settings import TableSettings
from bot.variants import CATALOGUE
from bot.variants.tailoring import tailored, taste_of
from cogs.ui import own_tables
from tests.engine.any_table import HOST, START
from tests.engine.test_all_games_machine import offered

DEALS = 3_000
"""So many deals are tried before an option is said to decide nothing."""
AT_THE_TABLE = {
    "max_seats": "how many may sit down",
    "first_dealer": "how the first dealer is found",
    "cut": "whether the pack is cut",
    "misdeal": "who deals after a misdeal",
    "button": "where the button goes when somebody leaves",
    "newcomer_posts": "what a newcomer pays",
    "house_blinds": "which blinds may be agreed on",
    "out_of_turn": "what becomes of an early action",
    "straddle_seat": "who may straddle",
    "jackpots.back_down": "what the next deal opens with",
}
"""Decided between deals, or by acting out of turn: told in `tests/table` and in the tests of the irregular."""
RARE = "odd_chip"
"""Decides wherever two hands tie, which some games do once in ten thousand deals: one game of many ties stands for all."""
ALIKE = {
    ("passed_out", "same_dealer_reante", "next_dealer_reante"),
    ("passed_out", "next_dealer_reante", "same_dealer_reante"),
}
"""Values that differ only in who deals next."""


def taste(card: RuleCard) -> Iterator[tuple[str, str, str]]:
    """What may be changed at a table of this game: option, its value, and another."""
    settings = opened(card)
    for name, entry, now in taste_of(settings.card, settings.options):
        for choice in entry.choices:
            if (
                name not in AT_THE_TABLE
                and entry.name not in AT_THE_TABLE
                and choice.value != now
                and (name, now, choice.value) not in ALIKE
            ):
                yield name, now, choice.value


def opened(card: RuleCard) -> TableSettings:
    """A table of this game, with an ante beside the blinds, so that it matters who pays it."""
    settings = own_tables.new_table(card.key, HouseRules(), Wishes(big_blind=100), None, "off")
    stakes = settings.stakes
    if settings.options.ante is Ante.BLINDS:
        stakes = replace(stakes, ante=25)
    return replace(settings, stakes=stakes, ask_run_twice=True)


def changed(settings: TableSettings, name: str, value: str) -> TableSettings:
    """The table with this one option chosen otherwise."""
    return with_laws(settings, *tailored(settings.card, settings.options, name, value))


def decides(settings: TableSettings, name: str, value: str) -> bool:
    """Whether some deal goes another way because of it."""
    other = changed(settings, name, value)
    return any(played(settings, seed) != played(other, seed) for seed in range(DEALS))


def played(settings: TableSettings, seed: int) -> list[object]:
    """All that may be done and happens in a deal, and what everybody sees at its end. Players do the same as long as they may."""
    rng = random.Random(seed)
    most = min(seats_allowed(settings.card, settings.options.deck), settings.card.seats_max)
    hand = start(*_deal(settings, rng, rng.choice((2, 3, 3, max(2, most)))))[1]
    told: list[object] = []
    for number in range(400):
        if hand.over:
            break
        asked = hand.to_act
        may = legal(hand, asked)
        told.append(may)
        dice = random.Random(seed * 1_000 + number)
        choices = offered(dice, hand, asked, may)
        quiet = may.decision is Decision.BET and dice.random() < 0.8  # to the showdown, where most is decided
        weights = [3 if quiet and type(choice).__name__ in ("Check", "Call") else 0.3 for choice in choices]
        happened, hand = rule(hand, asked, dice.choices(choices, weights)[0])
        told += happened
    return [*told, view(hand, None)]


def _deal(settings: TableSettings, rng: random.Random, players: int) -> tuple[e.HandStarted, tuple[int, ...]]:
    table = evolve_all(None, decide(None, t.Open(HOST, settings), START))
    for number in range(1, players + 1):
        table = evolve_all(table, decide(table, t.Sit(number, f"P{number}", settings.min_buyin, number), START))
    deep = [rng.choice((3_000, 7_001)) for _ in range(2)]
    chips = deep + [rng.choice((3_000, rng.randint(1, 700), rng.randint(1_500, 20_000))) for _ in table.seats[2:]]
    if players == 2:
        chips[rng.randrange(2)] = rng.choice((450, 3_000))
    table = replace(table, seats=tuple(replace(seat, stack=own) for seat, own in zip(table.seats, chips, strict=True)))
    table = replace(table, drawn_button=rng.randint(1, players), carried=rng.choice((0, 1, 1, 2)))
    for number in straddle_seats(table):
        table = evolve_all(table, decide(table, t.PledgeStraddle(number), START))
    deal = next_hand(table, START, ())
    assert deal is not None
    pack = list(PACKS[settings.options.deck])
    rng.shuffle(pack)
    if rng.random() < 0.5:
        pack = _alike(pack, players)
    return replace(deal.started, ask_show=rng.random() < 0.2), tuple(pack)


def _alike(pack: list[int], players: int) -> list[int]:
    """A pack that deals players the same ranks, so that they tie."""
    by_rank: dict[int, list[int]] = {}
    for card in pack:
        by_rank.setdefault(card >> 2, []).append(card)
    first = [card for cards in by_rank.values() if len(cards) >= players for card in cards[:players]]
    return first + [card for card in pack if card not in first]


def _one_game_for_each() -> Iterator[tuple[RuleCard, str, str, str]]:
    """Every option and value once, at the first game that offers it."""
    met = set()
    for card in CATALOGUE:
        for name, now, value in taste(card):
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
    asked = [(name, value) for name, _, value in taste(card) if name != RARE]
    idle = [f"{name} {value}" for name, value in asked if not decides(settings, name, value)]
    assert idle == []
