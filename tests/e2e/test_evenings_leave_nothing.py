"""Evening after evening, month after month: what the dealer remembers of one goes when its time is over."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from bot.runtime.keyed_locks import KeyedLocks
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_duels import id_of
from tests.e2e.test_duels import play_to_the_end as play_duel
from tests.e2e.test_nights import plan, play_a_hand, until_night
from tests.support.discord_double import Player

MONTH = 32 * 86_400
BOUNDED = {"ClickListener._handled_ids", "StatisticsKeeper._reached", "StatisticsKeeper._tables"}
"""What keeps a number of the newest."""


def sizes(room: BotSession) -> Counter[str]:
    """How much every part of the dealer keeps, by where it is kept."""
    found: Counter[str] = Counter()
    waiting, seen = list(room.dealer.parts._made.values()), set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen or not type(one).__module__.startswith(("bot.", "cogs.")):
            continue
        seen.add(id(one))
        for name, value in getattr(one, "__dict__", {}).items():
            if isinstance(value, dict | list | set | KeyedLocks):
                found[f"{type(one).__name__}.{name}"] += len(value)
            else:
                waiting.append(value)
    return found


async def a_night(room: BotSession, ann: Player, bo: Player) -> None:
    await plan(room, ann, name="Friday game", every="once", players=2, hands=1)
    await bo.click("I'm in")
    await until_night(room, "19:56")
    for player in (ann, bo):
        await player.slash("sit")
    room.clock.skip(300)
    await play_a_hand(room, ann, bo)
    await room.wait_until_idle()
    await bo.click("Play again")
    await room.wait_until_idle()
    await bo.close_table()
    await room.wait_until_idle()
    room.clock.skip(60)
    await room.wait_until_idle()


async def a_duel(room: BotSession, ann: Player, bo: Player) -> None:
    await ann.slash("duel", player=id_of(bo), blinds="hyper")
    await bo.until("**Ann** challenges")
    await bo.click("Accept")
    await room.deal()
    await play_duel(room, ann, bo)
    await room.wait_until_idle()
    room.clock.skip(60)
    await room.wait_until_idle()


async def grown(tmp_path: Path, evenings: int) -> dict[str, int]:
    """Play evenings, and return what has grown with them: by how much, from the third on."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        before: Counter[str] = Counter()
        for number in range(1, evenings + 1):
            await a_night(room, ann, bo)
            await a_duel(room, ann, bo)
            room.clock.skip(MONTH)  # sheets are kept for a month
            await asyncio.sleep(1_200)  # nobody asks for more than a person can
            if number == 3:
                before = sizes(room)
        after = sizes(room)
        more = {name: count - before[name] for name, count in after.items() if name not in BOUNDED}
        return {name: count for name, count in more.items() if count >= (evenings - 3) / 2}


async def test_evenings_leave_nothing_in_memory(tmp_path: Path) -> None:
    assert await grown(tmp_path, 9) == {}


@pytest.mark.full
async def test_two_hundred_evenings_leave_nothing_in_memory(tmp_path: Path) -> None:
    assert await grown(tmp_path, 100) == {}, "each is a night and a duel"


async def test_cards_that_were_never_sent_leave_no_message_behind(tmp_path: Path) -> None:
    """The duel is over before the first direct message is on its way, so none says that the table has closed."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await a_duel(room, ann, bo)
        assert list(room.dealer.services.direct_messages._messages) == []
