"""`cardroom` runs as a process: started, killed in the middle of a street, started again; and its other commands work."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.stopping import STOP_SECONDS
from bot.store.connection import connect
from tests.e2e.leak_watcher import cards_named, check_log
from tests.e2e.local_process import cardroom, end_stand_in
from tests.support.discord_double import Player


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A folder for the cardroom's data. No process is left running on it."""
    yield tmp_path / "data"
    end_stand_in(tmp_path / "data")


@pytest.mark.real_time
async def test_a_kill_in_the_middle_of_a_street_loses_nothing(data: Path) -> None:
    """The dealer is killed with -9 and the stand-in stays. A new start goes on with the same hand, turn and cards."""
    async with aiohttp.ClientSession() as session:
        async with cardroom(data, log_level="DEBUG") as running:
            you = Player("You", session, await running.ready())
            await you.open_page()
            bo = Player("Bo", session, (await you.ask("invite", name="Bo"))["url"])
            await bo.open_page()
            for player in (you, bo):
                player.go("lobby")
            await you.slash("play", sit=False)
            await you.slash("sit", seat=1)
            await bo.slash("sit", seat=2)
            await you.until("▶ `", timeout=15)
            await _on_turn(you, bo)("Call")
            await you.until("Check")
            await you.wait_for(lambda: "Hand #1" in you.dms(), "the hole cards")
            cards, standing = you.dms(), _table(you)
            await running.stop(signal.SIGKILL)
            await you.wait_for(lambda: not you.bot_online, "the bot to be gone")
        async with cardroom(data, log_level="DEBUG") as running:
            assert await running.ready() == you.page
            await you.until("The bot restarted. Hand #1 goes on", timeout=10)
            assert _table(you) == standing
            assert you.dms() == cards
            assert cards_named(bo.dms()).isdisjoint(cards_named(you.dms()))
            await _on_turn(you, bo)("Check")
            await you.until("### Flop")
            assert await running.stop() == 0
        for player in (you, bo):
            await player.close_page()
    with closing(connect(str(data / "local" / "cardroom.db"))) as db:
        db.execute("UPDATE balance SET chips = chips + 1000 WHERE kind = 3 AND chips = 0 LIMIT 1")
    async with aiohttp.ClientSession() as session, cardroom(data, log_level="DEBUG", log_format="json") as running:
        again = Player("You", session, await running.ready())
        assert again.page.rsplit("/", 1)[1] == you.page.rsplit("/", 1)[1]
        await again.open_page()
        assert "on tables **10,000**" in await again.slash("me", page="chips")
        assert "do not agree: the players' book does not sum to zero" in await running.next_line()
        await again.close_page()
        os.kill(json.loads((data / "local" / "standin" / "ready.json").read_text())["pid"], signal.SIGSTOP)
        assert await asyncio.wait_for(running.stop(signal.SIGINT), 10) == 0, "it stops although nobody answers any more"
    check_log((data.parent / "cardroom.log").read_text())


def _on_turn(*players: Player) -> Callable[[str], Awaitable[str]]:
    """Return the click of whoever is to act, once their own page shows the button too."""
    name = re.findall(r"▶ `\d+`\xa0@(\w+)", players[0].screen())[-1]
    player = next(player for player in players if player.me["global_name"] == name)

    async def click(label: str) -> str:
        await player.until(f"[{label}")
        return await player.click(label)

    return click


def _table(player: Player) -> str:
    """Return the table as a player sees it, without the clock."""
    shown = [text for message in player.visible() if "### Pre-flop" in (text := player.render(message))]
    return re.sub(r"ends <t:\d+:R>", "", shown[-1])


@pytest.mark.real_time
async def test_second_dealer_process_is_refused_with_an_explanation(data: Path) -> None:
    async with cardroom(data) as running:
        await running.ready()
        async with cardroom(data) as second:
            assert await asyncio.wait_for(second.child.wait(), 15) == 1
        assert "Traceback" not in (data.parent / "cardroom.log").read_text()
        assert await running.stop() == 0


@pytest.mark.real_time
async def test_thread_that_still_warms_up_keeps_nobody_waiting(data: Path) -> None:
    planted = "import time\nimport bot.dealer\nbot.dealer.warm_up = lambda: time.sleep(60)"
    async with cardroom(data, planted=planted) as running:
        await running.ready()
        assert await asyncio.wait_for(running.stop(), STOP_SECONDS - 3) == 0
    assert "stop_deadline_passed" not in (data.parent / "cardroom.log").read_text()


def test_help_and_hands_on_the_command_line() -> None:
    said = subprocess.run([sys.executable, "-m", "bot", "--help"], capture_output=True, text=True, check=True).stdout
    assert "cardroom replay FILE.phh" in said and "DISCORD_TOKEN" in said
    ranked = subprocess.run(
        [sys.executable, "-m", "bot", "rank", "As Kd Qs Jc Th"], capture_output=True, text=True, check=True
    ).stdout
    assert "straight" in ranked
