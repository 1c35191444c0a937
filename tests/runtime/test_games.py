"""Every game of the catalogue through the runtime: dealt, played, killed in the middle, paid; the books stay right."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.options import Ante, Limit
from bot.engine.stakes import Stakes
from bot.players.practice import PracticePlayers
from bot.table.pack import seats_allowed
from bot.table.preselected import Choice
from bot.table.settings import TableSettings
from bot.variants import CATALOGUE
from tests.runtime.evening import USERS, Evening
from tests.runtime.test_machine import Machine

HANDS = 3


def _settings(card: RuleCard) -> TableSettings:
    """A table of this game, with every amount that it may ask for."""
    options = card.options
    options = replace(options, max_seats=min(options.max_seats, seats_allowed(card, options.deck)))
    blinds, limit = options.ante is Ante.BLINDS, options.limit
    stakes = Stakes(
        ante=0 if blinds else 10,
        small_blind=10 if blinds else 0,
        big_blind=20 if blinds else 0,
        small_bet=20 if limit is Limit.LIMIT else 0,
        big_bet=40 if limit is Limit.LIMIT else 0,
        bring_in=5 if "bring_in" in card.amounts else 0,
        limit=40 if limit is Limit.STAKE_LIMIT else 0,
        doublings=3 if limit is Limit.DOUBLING_FLAT else 0,
        price=20,
        cap=200 if card.family == "guts" or card.key.startswith("guts") else 0,
        min_buyin=200,
        max_buyin=2_000,
        bank_seconds=60,
    )
    return TableSettings(card=card, options=options, stakes=stakes)


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
async def test_every_game_is_played_killed_and_paid(tmp_path: Path, card: RuleCard) -> None:
    machine = Machine(tmp_path, 1)
    evening: Evening = machine.evening
    await evening.begin()
    try:
        luck, early, mind = random.Random(2), random.Random(3), PracticePlayers()
        await evening.open(_settings(card))
        names = ("Ann", "Bo", "Cy", "Dee")[: max(card.seats_min, min(4, card.seats_max))]
        await evening.seat(**dict.fromkeys(names, evening.now.table.max_buyin // 2))
        for hand in range(HANDS):
            for name, stack in evening.stacks().items():
                if not stack:
                    await evening.fund(name, evening.now.table.min_buyin)
                    await evening.tables.rebuy(evening.asked(name), evening.now.table.min_buyin)
            await evening.deal()
            turns = 0
            while evening.playing():
                turns += 1
                assert turns < 400
                name = evening.to_act
                await _choose_early(evening, names, early)
                view = evening.tables.peek(evening.asked(name))
                await evening.act(name, mind.policy(-101).choose(view, luck))
                if turns % 7 == hand:
                    await evening.crash(1_000)
                await machine.check()
        await evening.audit()
    finally:
        await evening.end()


async def _choose_early(evening: Evening, names: tuple[str, ...], luck: random.Random) -> None:
    """Now and then somebody chooses before his turn what he is offered; it is always granted (TL-34)."""
    for name in names:
        early = evening.now.early(USERS[name])
        if early is None or early.may is None or luck.random() < 0.8:
            continue
        offered = [Choice.CHECK_OR_DROP] * early.may.check_or_drop + [Choice.CALL] * bool(early.may.call)
        choice = luck.choice(offered or [Choice.DROP])
        to_act = evening.to_act
        await evening.tables.preselect(evening.asked(name), choice, early.may.call if choice is Choice.CALL else 0)
        assert evening.to_act == to_act
