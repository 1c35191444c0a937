"""Hole cards by direct message: one for an evening, edited; a limit of Discord's is not a player's closed door."""

from __future__ import annotations

from pathlib import Path

from cogs.ui.direct_messages import DirectMessages
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player

LIMITED = {"message": "You are opening direct messages too fast.", "code": 40003}


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


async def test_limit_on_opening_channels_keeps_the_players_choice(tmp_path: Path) -> None:
    """40003 says nothing about Ann: she is told nothing, her choice stays, and My hand serves."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        room.discord.fails("POST", r"/users/@me/channels", status=400, body=LIMITED, times=99)
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        users = [int(player.me["id"]) for player in (ann, bo)]
        assert all(room.dealer.room.preferences.wants_dms(user) for user in users)
        assert not any("privacy settings" in player.screen() for player in (ann, bo))
        assert not ann.dms() and not bo.dms()
        assert "### Your cards" in await ann.click("👁")


async def test_channels_are_opened_at_the_seat_and_remembered(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.wait_until_idle()
        assert room.discord.counts["POST /users/@me/channels"] == 2
        await room.next_hand()
        await room.wait_until_idle()
        assert room.discord.counts["POST /users/@me/channels"] == 2
        dealer = room.dealer
        later = DirectMessages(
            dealer.wire, dealer.room.private_answers, dealer.room.emoji_decks, dealer.room.preferences, dealer.store, ""
        )
        await later.load()
        assert await later._channel(int(ann.me["id"])) == int(ann.dm_channels[0])
        assert room.discord.counts["POST /users/@me/channels"] == 2
