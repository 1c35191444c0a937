"""Hole cards by direct message: one for an evening, edited; a limit of Discord's is not a player's closed door."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player

LIMITED = {"message": "You are opening direct messages too fast.", "code": 40003}
QUARANTINED = {"message": "Your bot has been flagged by our anti-spam system for abusive behavior.", "code": 20026}
HOUR = 60 * 60


async def two(room: BotSession) -> tuple[Player, Player]:
    """Two players who sit down and are dealt in."""
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo)
    await room.next_hand()
    await room.wait_until_idle()
    return ann, bo


def messages_in_dms(player: Player) -> int:
    return sum(len(player.visible(channel)) for channel in player.dm_channels)


async def test_one_message_serves_a_whole_session(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        for number in (1, 2, 3):
            for player in (ann, bo):
                await player.wait_for(lambda p=player, n=number: f"Hand #{n}" in p.dms(), "the hole cards")  # type: ignore[misc]
                assert messages_in_dms(player) == 1
            await room.act("Fold", ann, bo)
            await room.next_hand()
            await room.wait_until_idle()
        room.check_leaks()


async def test_message_older_than_fifty_minutes_gets_a_successor(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await room.act("Fold", ann, bo)
        room.clock.skip(51 * 60)
        await room.wait_until(lambda: room.now.hand_number == 2)
        await ann.wait_for(lambda: "Hand #2" in ann.dms(), "the hole cards")
        assert messages_in_dms(ann) == 2


@pytest.mark.parametrize(("status", "limit", "pause"), [(400, LIMITED, 60), (403, QUARANTINED, HOUR)])
async def test_limit_on_opening_channels_keeps_the_players_choice(
    tmp_path: Path, status: int, limit: dict[str, object], pause: int
) -> None:
    """It says nothing about Ann and Bo: their choice stays, My hand opens instead, and after a pause the DMs come by themselves."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        room.discord.fails("POST", r"/users/@me/channels", status=status, body=limit)
        await room.open_and_sit(ann, seconds=24 * HOUR)
        await room.wait_until_idle()
        await bo.slash("sit", seat=2)
        await room.next_hand()
        for player in (ann, bo):
            await player.until("### Your cards")
        await room.wait_until_idle()
        users = [int(player.me["id"]) for player in (ann, bo)]
        assert all(room.dealer.room.preferences.wants_dms(user) for user in users)
        assert not any("privacy settings" in player.screen() for player in (ann, bo))
        assert not ann.dms() and not bo.dms()
        room.clock.skip(pause - 10)
        await room.wait_until_idle()
        assert "POST /users/@me/channels" not in room.discord.counts, "nothing but the request that was refused"
        for player, seconds in ((ann, 10), (bo, 3)):  # one by one
            room.clock.skip(seconds)
            await player.wait_for(lambda p=player: "Hand #1" in p.dms(), "the hole cards")  # type: ignore[misc]
        await room.wait_until_idle()
        await room.act("Fold", ann, bo)
        await room.next_hand()
        for player in (ann, bo):
            await player.wait_for(lambda p=player: "Hand #2" in p.dms(), "the hole cards")  # type: ignore[misc]
        room.check_leaks()


async def test_quarantine_is_noticed_when_a_message_is_refused(tmp_path: Path) -> None:
    """A channel that is open is not enough: in a quarantine only players who have had a DM before can be sent one."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, seconds=24 * HOUR)
        await room.wait_until_idle()
        room.discord.fails("POST", rf"/channels/{ann.dm_channels[0]}/messages", status=403, body=QUARANTINED)
        await room.next_hand()
        await ann.until("### Your cards")
        await bo.wait_for(lambda: "Hand #1" in bo.dms(), "the hole cards")
        assert not ann.dms() and "privacy settings" not in ann.screen()
        room.clock.skip(HOUR)
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")


async def test_channels_are_opened_at_the_seat(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.wait_until_idle()
        assert room.discord.counts["POST /users/@me/channels"] == 2
        await room.next_hand()
        await room.wait_until_idle()
        assert room.discord.counts["POST /users/@me/channels"] == 2
