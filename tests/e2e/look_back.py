"""Look back at a hand as people do: the list of hands, the hand in words, every step of its replay, all its files, and the numbers.

Whoever does it only reads. What they see is for the watcher (`tests.e2e.leak_watcher`).
"""

from __future__ import annotations

import re

from tests.e2e.bot_session import BotSession
from tests.support.discord_double import Player


async def stand_in_lobby(room: BotSession) -> None:
    """Let a lobby board stand in the channel `lobby`; everybody who comes is in the channel `table`."""
    room.discord.controls.add_channel("table")
    await room.discord.you.go("lobby").slash("house", page="lobby")
    room.discord.you.go("table")


def without_limits(room: BotSession) -> None:
    """Let everybody ask as often as they like."""
    room.dealer.services.limits.wait_seconds = lambda *asked: 0.0  # type: ignore[method-assign]


async def look_back(room: BotSession, reader: Player, player: Player, other: Player, *, every_step: bool) -> int:
    """Let somebody read all that is told of the table's first hand and of two of its players.

    Args:
        every_step: of the replay, forth by *Next*; else its streets and its end.

    Returns:
        how many answers they read.
    """
    seen = [
        await reader.slash("hand", table=1),
        await reader.slash("hand", player=player),
        await reader.slash("hand", number="1-1"),
        *await _replay(reader, every_step=every_step),
    ]
    assert "**Hand #1**" in seen[0] and "**Hand #1**" in seen[1] and "### Hand #1\n" in seen[2]
    for form in ("phh", "text", "pokerstars"):
        told = await reader.slash("hand", number="1-1", file=form)
        assert "with the cards you can see" in told or "PokerStars" in told, told
        seen.append(told)
    await reader.slash("hand", hands="table", table=1, file="phh")
    await reader.until("1 hand, with the cards you can see")
    seen += [
        await reader.slash("stats"),
        await reader.slash("stats", player=player),
        await reader.slash("stats", player=player, versus=other),
        await reader.slash("stats", page="leaderboard", by="net"),
        await reader.slash("stats", page="achievements", player=player),
    ]
    assert "**1** hand" in seen[-4], seen[-4]
    return len(seen)


async def _replay(reader: Player, *, every_step: bool) -> list[str]:
    """Go through the replay of the first hand, and turn to its words at the end."""
    seen = [await reader.slash("hand", number="1-1-1")]
    found = re.search(r"step 1 of (\d+)", seen[0])
    assert found is not None, seen[0]
    last = int(found[1])
    if every_step:
        for step in range(2, last + 1):
            seen.append(await reader.click("Next", within="Replay · Hand #1"))
            assert f"step {step} of {last}" in seen[-1]
    else:
        seen.append(await reader.slash("hand", number=f"1-1-{last // 2}"))
        seen.append(await reader.click("Last", within="Replay · Hand #1"))
    assert f"step {last} of {last}" in seen[-1]
    return seen
