"""One person who asks for more than anybody can do with is told so, and nobody else notices."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from cogs.support import click_listener
from cogs.support.services import Effort
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player


def spend_all(room: BotSession, effort: Effort, player: Player) -> None:
    """A person has asked for all that they can have in the next minute."""
    limits, soon = room.dealer.services.limits, asyncio.get_running_loop().time() + 60
    while not limits.wait_seconds(effort, int(player.me["id"]), soon):
        pass


async def test_flooding_person_is_told_and_others_play_on(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        flooding, other = (ann, bo) if room.to_act(ann, bo) is bo else (bo, ann)
        spend_all(room, Effort.FILE, flooding)
        assert "One moment: that was a lot at once. Try again in " in await flooding.slash("hand", file="phh")
        spend_all(room, Effort.COMPLETION, flooding)
        assert not await flooding.autocomplete("laws", "law", "string")
        assert await other.autocomplete("laws", "law", "string")
        assert not await other.autocomplete("laws", "law", "string " * 20), "longer than any law's name"
        spend_all(room, Effort.REQUEST, flooding)
        assert "One moment" in await flooding.slash("help")
        await room.act("Fold", other)
        await room.wait_until(lambda: not room.now.hand_running)
        assert "Hand #1" in await other.slash("hand", file="phh")
        await room.wait_until_idle()


async def test_dealer_remembers_a_bounded_number_of_clicks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click_listener, "HANDLED_IDS_MAX", 2)
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False)
        for _ in range(4):
            await ann.click("Rules")
        assert len(room.dealer.parts.get(click_listener.ClickListener)._handled_ids) == 2


async def test_one_account_waits_for_seconds_it_has_used(tmp_path: Path) -> None:
    """Statistics, leaderboards, searches and downloads count together, by the seconds they take; nobody else's answer does."""
    async with bot_session(tmp_path) as room:
        ann, mal = await room.people("Ann", "Mal")
        limits, loop = room.dealer.services.limits, asyncio.get_running_loop()
        user = int(mal.me["id"])
        await mal.slash("stats")
        at_once, seconds = Effort.SECONDS.value
        limits.require_time(user, loop.time())
        limits.count_seconds(user, loop.time(), at_once)
        for command, options in (("stats", {}), ("stats", {"page": "leaderboard"}), ("hand", {"hands": "mine"})):
            assert "seconds for you lately. Try again in " in await mal.slash(command, **options)
            assert "seconds for you lately" not in await ann.slash(command, **options)
        assert "You used" not in await mal.slash("help")
        await asyncio.sleep((at_once + 5) * seconds)
        assert "You used" not in await mal.slash("stats")


async def test_seconds_of_a_download_grow_with_its_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hand is built and written into the file: both are counted for whoever asked, and for nobody else."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        limits, pieces = room.dealer.services.limits, Counter[int]()
        monkeypatch.setattr(limits, "count_seconds", lambda who, _now, _seconds: pieces.update([who]))
        cost = []
        for hands in (1, 3):
            while room.now.hand_number < hands or room.now.hand_running:
                if not room.now.hand_running:
                    await room.next_hand()
                await room.act("Fold", ann, bo)
            pieces.clear()
            await ann.slash("hand", hands="mine", file="phh")
            assert pieces.keys() == {int(ann.me["id"])}
            cost.append(pieces.total())
        assert cost[1] - cost[0] >= 2 * 2
