"""Whatever kills the dealer as a game ends, the game has one sheet if two people have played a hand, and none otherwise."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from bot.text.sheet import PLAYERS_LISTED
from tests.e2e.faulty_evening import Fault, FaultyEvening, Guest, Harm, faulty_evening
from tests.e2e.screen_judge import text_of
from tests.support.discord_double import Json
from tests.support.quick_loop import QuickLoop, run_quickly
from tests.surfaces.shown_things import close_table

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo")
SEEDS, ALL_SEEDS = 20, 1_000
MEND_SECONDS = 30.0
LINE = re.compile(r"\*\*(?P<sign>[+−±])(?P<chips>[\d,]+)\*\* · \d+ buy-ins? · \d+ hands?")


def sheets(evening: FaultyEvening) -> list[Json]:
    return [one for one in evening.public() if "p:again:play:" in str(one["components"])]


def nets(sheet: Json) -> list[int]:
    """Return what everybody is up or down, as it stands in a sheet."""
    found = LINE.finditer(text_of(sheet))
    return [int(one["chips"].replace(",", "")) * (-1 if one["sign"] == "−" else 1) for one in found]


def draw_faults(dice: random.Random) -> list[Fault]:
    """Draw where the dealer is killed while it ends the game: once or twice, at a step of its tasks or at a request."""
    faults = []
    for _ in range(dice.choice((0, 1, 1, 1, 2))):
        if dice.random() < 0.7:
            faults.append(Fault(None, steps=dice.randint(1, 240), away=0.0))
        else:
            harm = dice.choice((Harm.KILLED_BEFORE, Harm.KILLED_AFTER, Harm.REPLY_LOST))
            faults.append(Fault(harm, skip=dice.randint(0, 3), away=0.0))
    return faults


async def play_hands(evening: FaultyEvening, hands: int) -> int:
    """Play so many hands to their ends, by folding. Returns how many have been dealt."""
    for _ in range(hands):
        for _ in range(200):
            if evening.table is not None and evening.table.hand_running:
                break
            await asyncio.sleep(0.5)
        while evening.table is not None and evening.table.hand_running:
            if not await evening.act(lambda offered: "fold" if "fold" in offered else ""):
                await asyncio.sleep(0.5)
    return evening.hand_number


async def end_of_evening(evening: FaultyEvening, dice: random.Random, hands: int) -> bool:
    """Play, and close the table while the dealer is killed. Returns whether two people have played a hand."""
    dealt = await play_hands(evening, hands)
    if dealt and dice.random() < 0.3:  # some have gone before
        for guest in evening.guests[:: dice.choice((1, 2))]:
            await evening.slash(guest, "leave")
        await asyncio.sleep(1)
    evening.line.faults = draw_faults(dice)
    for _ in range(3):  # a close that was not saved is asked for again
        await close_table(evening)
        await evening.mend()
        if evening.table is None:
            break
        await play_hands(evening, 1)
    evening.line.faults = []
    await evening.mend()
    await asyncio.sleep(MEND_SECONDS)
    assert evening.dealer is not None
    record = await evening.dealer.store.table(1)
    return record is not None and record.hand_count > 0 and len(evening.guests) > 1


def judge(folder: Path, seed: int) -> None:
    dice = random.Random(f"sheet {seed}")
    guests = [Guest(name, "") for name in NAMES[: dice.choice((1, 2, 2, 3, 3, 4, 6, 10))]]
    hands = dice.choice((0, 1, 1, 2, 3)) if len(guests) > 1 else 0

    async def story(loop: QuickLoop) -> None:
        async with faulty_evening(loop, folder, dice, guests) as evening:
            is_due = await end_of_evening(evening, dice, hands)
            assert evening.table is None, f"{seed}: the table is open"
            found = sheets(evening)
            assert len(found) == is_due, f"{seed}: {len(found)} sheets"
            for sheet in found:
                assert sum(nets(sheet)) == 0 and 2 <= len(nets(sheet)) <= PLAYERS_LISTED, text_of(sheet)
            assert not evening.errors.texts, f"{seed}: {evening.errors.texts}"
            assert evening.dealer is not None and not await evening.dealer.store.values("ended.")

    run_quickly(story)


@pytest.mark.law("TC-1")
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_game_that_two_have_played_has_one_sheet(seed: int, tmp_path: Path) -> None:
    judge(tmp_path, seed)


@pytest.mark.full
@pytest.mark.law("TC-1")
@pytest.mark.parametrize("seed", range(SEEDS, ALL_SEEDS, 20))
def test_every_game_of_a_thousand_has_one_sheet(seed: int, tmp_path: Path) -> None:
    for one in range(seed, seed + 20):
        judge(tmp_path / str(one), one)
