"""People write to each other in a channel, as they do in Discord; the bot does not read it."""

from __future__ import annotations

import asyncio

import discord
import pytest

from bot.local import permissions
from tests.local.sample_bot import SampleBot, run_sample_bot
from tests.support.discord_double import Discord, Player, Refused


async def say(player: Player, text: str) -> None:
    await player.ask("say", channel_id=player.here, text=text)


def last_message_id(player: Player) -> str:
    return str(player.visible()[-1]["id"])


async def test_everybody_in_the_channel_reads_what_ann_writes(double: Discord) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await say(ann, "  nice hand, Bo  ")
    await bo.until("nice hand, Bo")
    assert bo.visible()[-1]["author"]["id"] == ann.me["id"]
    cy = await double.person("Cy")
    assert "nice hand, Bo" in cy.screen()


async def test_mentioned_player_is_named_in_the_message(double: Discord) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await say(ann, f"your turn, <@{bo.me['id']}>")
    await bo.until("your turn, @Bo")
    assert [user["id"] for user in bo.visible()[-1]["mentions"]] == [bo.me["id"]]


@pytest.mark.parametrize(
    ("text", "answer"), [("   ", "Write something first"), ("x" * 2001, "at most 2,000"), (7, "Write something first")]
)
async def test_empty_or_endless_messages_are_refused(double: Discord, text: object, answer: str) -> None:
    ann = await double.person("Ann")
    with pytest.raises(Refused, match=answer):
        await ann.ask("say", channel_id=ann.here, text=text)


async def test_sixth_message_in_a_row_has_to_wait(double: Discord) -> None:
    ann = await double.person("Ann")
    for number in range(5):
        await say(ann, f"hello {number}")
    with pytest.raises(Refused, match="too fast"):
        await say(ann, "hello again")
    double.stand_in.clock.advance(6)
    await say(ann, "hello again")


async def test_nobody_writes_where_they_cannot(double: Discord) -> None:
    ann = await double.person("Ann")
    with pytest.raises(Refused, match="not there any more"):
        await ann.ask("say", channel_id="1", text="hello")
    world = double.stand_in.world
    channel = world.channels[ann.here]
    everyone = {"id": channel["guild_id"], "type": 0, "allow": "0", "deny": str(permissions.SEND_MESSAGES)}
    channel["permission_overwrites"] = [everyone]
    world._permission_cache.clear()
    with pytest.raises(Refused, match="can't write in this channel"):
        await say(ann, "hello")


async def test_people_delete_only_their_own_messages(double: Discord) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await say(ann, "wrong channel")
    await bo.until("wrong channel")
    where = {"channel_id": ann.here, "message_id": last_message_id(ann)}
    with pytest.raises(Refused, match="Only your own"):
        await bo.ask("delete", **where)
    await ann.ask("delete", **where)
    await bo.until_gone("wrong channel")
    with pytest.raises(Refused, match="not there any more"):
        await ann.ask("delete", **where)


async def test_owner_can_delete_the_message_of_the_bot(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    await ann.slash("hello")
    await double.you.ask("delete", channel_id=ann.here, message_id=last_message_id(ann))
    await ann.until_gone("hello @Ann")


async def test_bot_hears_that_somebody_wrote_but_not_what(double: Discord) -> None:
    ann = await double.person("Ann")
    heard: asyncio.Queue[discord.Message] = asyncio.Queue()
    async with run_sample_bot(double, intents=discord.Intents(guilds=True, guild_messages=True)) as bot:
        bot.on_message = heard.put  # type: ignore[attr-defined]
        await say(ann, "a secret between us")
        message = await asyncio.wait_for(heard.get(), 10)
        assert (message.author.id, message.content) == (int(ann.me["id"]), "")


async def test_bot_cannot_edit_what_ann_wrote(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    await say(ann, "mine")
    channel = await bot.fetch_channel(int(ann.here))
    assert isinstance(channel, discord.TextChannel)
    message = await channel.fetch_message(int(last_message_id(ann)))
    with pytest.raises(discord.Forbidden) as refused:
        await message.edit(content="yours")
    assert refused.value.code == 50005


async def test_invitation_says_when_it_works_here_only(double: Discord) -> None:
    assert (await double.you.ask("invite", name="Bo"))["this_computer_only"] is True
    double.stand_in.page_server._invitation = lambda friend, host: f"http://192.168.1.7:8765/p/{friend.link}"
    assert (await double.you.ask("invite", name="Cy"))["this_computer_only"] is False
