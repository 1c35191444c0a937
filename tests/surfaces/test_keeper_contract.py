"""Every surface stands every fault of the line: soon afterwards it shows what is so, once, and nothing was asked without end."""

from __future__ import annotations

import ast
import asyncio
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bot.surfaces
from bot.settings import DATA_FILE
from tests.e2e.faulty_evening import FaultyEvening, Guest, faulty_evening
from tests.e2e.planted_keepers import NOT_OF_MESSAGES
from tests.support.line_faults import CLOSES_TOKEN, ONCE, LineFault, ScriptedLine
from tests.support.quick_loop import QuickLoop, run_quickly
from tests.surfaces.shown_things import SHOWN, TOLD_ELSEWHERE, ShownThing, channel_named

SURFACES = Path(bot.surfaces.__path__[0])
MEND_SECONDS = 15.0
"""So long after a fault the surface is right again."""
REQUESTS = 40
"""How many requests there can be in half a minute, whatever goes wrong. A restart alone takes ten."""

A_CALL_OF_EACH_KIND = (
    "POST /interactions/1/t/callback",
    "POST /webhooks/1/t",
    "PATCH /webhooks/1/t/messages/1",
    "POST /channels/1/messages",
    "PATCH /channels/1/messages/1",
    "POST /channels/2/messages",
    "PATCH /channels/2/messages/1",
    "POST /users/@me/channels",
)
"""Channel 1 is the table's."""


def can_meet(thing: ShownThing, fault: LineFault) -> bool:
    """Return whether a fault can meet the request that carries the change."""
    at = thing.request.replace("{table}", "1").replace("{news}", "2")
    return any(re.match(at, called) and fault.can_meet(called) for called in A_CALL_OF_EACH_KIND)


CASES = [
    pytest.param(thing, fault, id=f"{thing}: {fault}") for thing in SHOWN for fault in ONCE if can_meet(thing, fault)
]


GUESTS = Guest("Ann", ""), Guest("Bo", ""), Guest("Cy", "")


def what_is_wrong(evening: FaultyEvening, thing: ShownThing) -> str:
    """Return what is wrong with a surface; empty if nothing."""
    shown = thing.shown(evening)
    if len(shown) != 1:
        return f"{len(shown)} messages are shown: {shown}"
    return "" if thing.is_right(evening, shown[0]) else f"it shows {shown[0]['components']}"


async def change_and_judge(evening: FaultyEvening, thing: ShownThing, fault: LineFault | None) -> None:
    """Make the change of a surface while a fault is due, and look at it some time later."""
    line = ScriptedLine(evening.stand_in, evening.kill)
    await thing.prepare(evening)
    if fault is not None:
        line.plant(fault, thing.request_in(evening))
    line.asked.clear()
    await thing.change(evening)
    for _ in range(int(thing.seconds / 0.5)):
        if line.met:
            break
        await asyncio.sleep(0.5)
    if fault is not None and not line.met:
        assert line.asked, "nothing was asked"
        pytest.skip(f"the surface does not use this line: {line.asked}")
    await evening.mend()
    if fault is not None:
        await asyncio.sleep(MEND_SECONDS + thing.seconds)
    if thing.is_private and fault in CLOSES_TOKEN:
        await evening.open_panel(evening.guests[0])
        assert thing.is_right(evening, thing.shown(evening)[-1])
        return
    if thing.goes_after_kill and fault is not None and fault.kills:
        assert not thing.shown(evening)
        return
    wrong = what_is_wrong(evening, thing)
    assert not wrong, f"after {line.met}: {wrong}"
    assert not evening.errors.texts
    assert len(line.asked) <= REQUESTS, line.asked


def judge_surface(folder: Path, thing: ShownThing, fault: LineFault | None) -> None:
    async def story(loop: QuickLoop) -> None:
        async with faulty_evening(loop, folder, random.Random(str(thing)), GUESTS) as evening:
            evening.away = 0.0
            await change_and_judge(evening, thing, fault)

    run_quickly(story)


def modules_that_show() -> set[str]:
    """Return the modules of `bot.surfaces` that have a `Surface` of their own, or send a message once."""
    found = set()
    for path in SURFACES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.ClassDef(bases=[*_, ast.Name(id="Surface" | "FollowingPanel")])
                    | ast.Call(func=ast.Name(id="PostOnce"))
                ):
                    found.add(".".join(path.relative_to(SURFACES).with_suffix("").parts))
    return found - {"post_once"}


def test_every_surface_is_in_the_contract() -> None:
    missing = sorted(modules_that_show() - {thing.module for thing in SHOWN} - TOLD_ELSEWHERE.keys())
    assert not missing, (
        f"nothing shows that {', '.join(missing)} of bot.surfaces stands faults:"
        " give it an entry in SHOWN of tests/surfaces/shown_things.py"
    )
    assert {thing.module for thing in SHOWN} <= modules_that_show(), "an entry of SHOWN has the name of no surface"


@pytest.mark.parametrize("thing", SHOWN, ids=str)
def test_surface_shows_a_change_where_nothing_goes_wrong(thing: ShownThing, tmp_path: Path) -> None:
    judge_surface(tmp_path, thing, None)


@pytest.mark.parametrize(("thing", "fault"), CASES)
def test_surface_stands_a_fault(thing: ShownThing, fault: LineFault, tmp_path: Path) -> None:
    judge_surface(tmp_path, thing, fault)


@pytest.mark.parametrize("thing", [each for each in SHOWN if each.place], ids=str)
def test_surface_comes_back_with_its_rights(thing: ShownThing, tmp_path: Path) -> None:
    """The dealer cannot write for a while. It does not ask again and again, and afterwards shows what is so."""

    async def story(loop: QuickLoop) -> None:
        async with faulty_evening(loop, tmp_path, random.Random(str(thing)), GUESTS) as evening:
            line = ScriptedLine(evening.stand_in)
            await thing.prepare(evening)
            place = channel_named(evening, thing.place)
            evening.controls.set_overwrite(place, deny=["send_messages", "view_channel"])
            line.asked.clear()
            await thing.change(evening)
            await asyncio.sleep(5)
            assert len(line.asked) <= REQUESTS, line.asked
            evening.controls.set_overwrite(place)
            await asyncio.sleep(MEND_SECONDS + thing.seconds)
            wrong = what_is_wrong(evening, thing)
            assert not wrong, (
                f"{wrong}. A surface hears of rights by `ChannelChanged` and `RolesChanged` (bot/signals.py)"
            )
            assert not evening.errors.texts

    run_quickly(story)


@pytest.mark.parametrize("thing", SHOWN, ids=str)
def test_saved_values_that_cannot_be_read_stop_nothing(thing: ShownThing, tmp_path: Path) -> None:
    """The dealer starts without them. What it had shown before can stay; what it shows now is right."""

    async def story(loop: QuickLoop) -> None:
        async with faulty_evening(loop, tmp_path, random.Random(str(thing)), GUESTS) as evening:
            evening.away = 0.0
            await thing.prepare(evening)
            evening.kill()
            await evening.bury_dealer()
            spoil_saved_values(evening.data / DATA_FILE)
            await evening.start_dealer()
            await thing.change(evening)
            await asyncio.sleep(MEND_SECONDS + thing.seconds)
            assert [each for each in thing.shown(evening) if thing.is_right(evening, each)] or thing.needs_saved
            assert not evening.errors.texts

    run_quickly(story)


def spoil_saved_values(path: Path) -> None:
    """Let no value of a message be readable."""
    with closing(sqlite3.connect(path)) as database, database:
        keys = [key for (key,) in database.execute("SELECT key FROM kept") if not key.startswith(NOT_OF_MESSAGES)]
        assert keys
        database.executemany("UPDATE kept SET value = x'C1' WHERE key = ?", [(key,) for key in keys])
