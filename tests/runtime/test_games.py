"""Every game of the catalogue is dealt, played, killed in the middle and paid, and the books stay right."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.options.values import Ante, Limit
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.players.practice import PracticePlayers
from bot.runtime.commands import Preselect
from bot.table.commands import TopUp
from bot.table.preselection.types import PreselectedAction
from bot.table.seat_limits import seats_allowed
from bot.table.settings import TableSettings
from bot.variants import CATALOGUE
from tests.runtime.evening import USERS, Evening
from tests.runtime.test_machine import Machine

HANDS = 3


def _settings(card: RuleCard) -> TableSettings:
    """Return a table of this game, with every amount that it can ask for."""
    options = card.options
    options = replace(options, max_seats=min(options.max_seats, seats_allowed(card, options.deck)))
    blinds, limit = options.ante is Ante.BLINDS, options.limit
    stakes = Stakes(
        ante=0 if blinds else 10,
        small_blind=10 if blinds else 0,
        big_blind=20 if blinds else 0,
        small_bet=20 if limit is Limit.LIMIT else 0,
        big_bet=40 if limit is Limit.LIMIT else 0,
        bring_in=5 if "bring_in" in card.required_amounts else 0,
        limit=40 if limit is Limit.STAKE_LIMIT else 0,
        doublings=3 if limit is Limit.DOUBLING_FLAT else 0,
        price=20,
        cap=200 if card.family == "guts" or card.key.startswith("guts") else 0,
        min_buyin=200,
        max_buyin=2_000,
        bank_seconds=60,
    )
    return TableSettings(rule_card=card, options=options, stakes=stakes)


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
async def test_every_game_is_played_killed_and_paid(tmp_path: Path, card: RuleCard) -> None:
    machine = Machine(tmp_path, 1)
    evening: Evening = machine.evening
    await evening.begin()
    try:
        rng, early, mind = random.Random(2), random.Random(3), PracticePlayers()
        await evening.open(_settings(card))
        names = ("Ann", "Bo", "Cy", "Dee")[: max(card.seats_min, min(4, card.seats_max))]
        await evening.seat(**dict.fromkeys(names, evening.snapshot.table.max_buyin // 2))
        for hand in range(HANDS):
            for name, stack in evening.stacks().items():
                if not stack:
                    await evening.fund(name, evening.snapshot.table.min_buyin)
                    await evening.ask(name, TopUp, evening.snapshot.table.min_buyin)
            await evening.deal()
            turns = 0
            while evening.playing():
                turns += 1
                assert turns < 400
                name = evening.to_act
                await _choose_early(evening, names, early)
                view = evening.view(name)
                await evening.ask(name, mind.policy(-101).choose(view, rng))
                if turns % 7 == hand:
                    await evening.crash(1_000)
                await machine.check()
        await evening.audit()
    finally:
        await evening.end()


async def _choose_early(evening: Evening, names: tuple[str, ...], rng: random.Random) -> None:
    """Let somebody preselect what they are offered now and then. It is always granted (TL-34)."""
    for name in names:
        early = evening.snapshot.preselection_for(USERS[name])
        if early is None or early.options is None or rng.random() < 0.8:
            continue
        offered = [PreselectedAction.CHECK_OR_FOLD] * early.options.check_or_fold + [PreselectedAction.CALL] * bool(
            early.options.call
        )
        choice = rng.choice(offered or [PreselectedAction.FOLD])
        to_act = evening.to_act
        await evening.ask(name, Preselect(choice, early.options.call if choice is PreselectedAction.CALL else 0))
        assert evening.to_act == to_act
