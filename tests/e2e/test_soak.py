"""The bot does not become larger hand by hand, and leaves no more behind than it takes away."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec
import pytest

from bot.engine.commands import Fold
from bot.runtime.request import Request
from tests.benchmarks.bench_soak import WAITING_PER_TABLE_MAX, Sample, grown
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import EPHEMERAL
from tests.support.stand_in_process import ROOT

TABLES, HANDS, EVERY, RATE = 16, 780, 260, 1200
"""So many hands fill what has a ceiling, such as the last 256 messages of the gateway."""
STANDING = 1
"""The live message of a table, in which one hand follows the other."""


async def test_old_messages_do_not_pile_up_in_a_rush(tmp_path: Path) -> None:
    """The bot may send 20 requests a second, and hands follow each other faster than that: what is old is taken away all the same."""
    async with bot_session(tmp_path, requests_per_second=20) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        most = 0
        for number in range(1, 16):
            await room.next_hand(number)
            most = max(most, _public_messages(room))
            await _fold(room)
        await room.wait_until_idle()
        left = _public_messages(room)
    assert most == left == STANDING


def _public_messages(room: BotSession) -> int:
    """Count the messages of the table's channel that everybody sees."""
    messages = room.discord.stand_in.world.messages[str(room.now.address.channel)]
    return sum(not message["flags"] & EPHEMERAL for message in messages.values())


async def _fold(room: BotSession) -> None:
    """Whoever is to act folds, without a click that would redraw the table."""
    where, turn = room.now.address, room.now.current_turn
    assert turn is not None
    key = f"fold-{room.now.hand_number}"
    asked = Request(key=key, guild=where.guild, channel=where.channel, user=turn.user, table=room.now.id)
    await room.dealer.tables.ask(asked, Fold())


@pytest.mark.real_time
async def test_hands_leave_no_objects_and_no_tasks() -> None:
    """At sixteen heads-up tables, in a bot of its own: as many of the program's own after 780 hands as after 260."""
    options = f"--json --tables {TABLES} --hands {HANDS} --every {EVERY} --rate {RATE}".split()
    command = (sys.executable, "-m", "tests.benchmarks.bench_soak", *options)
    playing = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    output, _ = await asyncio.wait_for(playing.communicate(), 600)
    assert playing.returncode == 0
    samples = msgspec.json.decode(output, type=list[Sample])
    first, last = samples[0], samples[-1]
    assert last.hands - first.hands >= HANDS - EVERY
    more = last.own_object_count - first.own_object_count
    assert more < 0.1 * (last.hands - first.hands), grown(first, last)
    assert last.tasks <= first.tasks
    most = max(one.waiting for one in samples)
    assert most <= TABLES * WAITING_PER_TABLE_MAX, "what waits for Discord does not become more"
    assert last.lines == first.lines, "hands that go as they should are not worth a line of the log"
