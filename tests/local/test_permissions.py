"""Permissions of the bot and of people in channels."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import discord
import pytest

from bot.local import permissions
from tests.local.sample_bot import PIXEL, SampleBot
from tests.support.discord_double import Discord, Refused

GUILD, USER, ROLE = "1", "7", "5"


def allowed(everyone: int, *overwrites: tuple[str, int, int], role: int = 0) -> int:
    roles: list[dict[str, Any]] = [{"id": GUILD, "permissions": str(everyone)}, {"id": ROLE, "permissions": str(role)}]
    listed = [{"id": who, "allow": str(allow), "deny": str(deny)} for who, allow, deny in overwrites]
    return permissions.member_permissions(
        user_id=USER, owner_id="2", guild_id=GUILD, role_ids=[ROLE], roles=roles, overwrites=listed
    )


def test_overwrites_apply_in_discords_order() -> None:
    see, send = permissions.VIEW_CHANNEL, permissions.SEND_MESSAGES
    assert allowed(see | send) == see | send
    assert allowed(see, (GUILD, send, 0)) == see | send
    assert allowed(see | send, (GUILD, 0, send), (ROLE, send, 0)) == see | send
    assert allowed(see | send, (ROLE, send, 0), (USER, 0, send)) == see
    assert allowed(see | send, (USER, 0, see)) == 0, "a member who cannot view the channel has no permissions in it"
    assert allowed(see, (USER, 0, see), role=permissions.ADMINISTRATOR) == permissions.ALL


async def refusal_code(request: Any) -> int:
    with pytest.raises(discord.Forbidden) as caught:
        await request
    return caught.value.code


async def test_bot_needs_permissions_in_channel(double: Discord, bot: SampleBot) -> None:
    channel = bot.guilds[0].text_channels[0]
    message = await channel.send("first")
    channel_id = str(channel.id)
    double.controls.set_overwrite(channel_id, deny=["send_messages"])
    assert await refusal_code(channel.send("second")) == 50013
    await message.edit(content="it can still edit its own message")
    double.controls.set_overwrite(channel_id, deny=["attach_files"])
    assert await refusal_code(channel.send(file=discord.File(__file__))) == 50013
    assert await refusal_code(message.edit(attachments=[discord.File(__file__)])) == 50013
    await message.edit(content="words need no permission to attach files")
    double.controls.set_overwrite(channel_id, deny=["manage_messages", "pin_messages"])
    assert await refusal_code(message.pin()) == 50013
    double.controls.set_overwrite(channel_id, deny=["create_public_threads"])
    assert await refusal_code(channel.create_thread(name="x", type=discord.ChannelType.public_thread)) == 50013
    double.controls.set_overwrite(channel_id, deny=["view_channel"])
    assert await refusal_code(channel.send("second")) == 50001
    assert await refusal_code(message.edit(content="x")) == 50001
    assert await refusal_code(message.delete()) == 50001
    double.controls.set_overwrite(channel_id)
    await message.delete()


async def test_interactions_work_where_bot_cannot_send(double: Discord, bot: SampleBot) -> None:
    double.controls.set_overwrite(double.channel("poker"), deny=["send_messages", "view_channel"])
    assert await double.you.slash("hello") == "hello @Guest"


async def test_click_says_whether_bot_can_attach_files(double: Discord, bot: SampleBot) -> None:
    for denied in ([], ["attach_files"]):
        double.controls.set_overwrite(double.channel("poker"), deny=denied)
        waiting = asyncio.create_task(double.you.slash("hello"))
        interaction = await bot.wait_for("interaction", timeout=5)
        assert interaction.app_permissions.attach_files is not bool(denied)
        await waiting


async def test_page_does_not_show_hidden_channel(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    double.controls.set_overwrite(double.channel("poker"), who=ann.me["id"], deny=["view_channel"])
    await bot.guilds[0].text_channels[0].send("not for Ann")
    await double.you.until("not for Ann")
    assert "not for Ann" not in ann.screen()
    await ann.open_page()
    assert [channel["name"] for channel in ann.channels.values()] == ["lobby", "all-tables"]
    with pytest.raises(Refused, match="cannot use that channel"):
        await ann.ask("slash", channel_id=double.channel("poker"), name="hello", options=[])


async def test_commands_can_be_denied_to_person(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    for name in ("poker", "lobby"):
        double.controls.set_overwrite(double.channel(name), who=ann.me["id"], deny=["use_application_commands"])
    await ann.open_page()
    assert ann.commands == {}


async def test_role_grants_staff_commands(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    role = double.controls.add_role("Floor", ["manage_guild"])
    double.controls.give_role(ann.me["id"], role["id"])
    await ann.open_page()
    assert "staff only" in await ann.slash("house")


async def test_removed_bot_has_no_access_to_server(double: Discord, bot: SampleBot) -> None:
    guild = bot.guilds[0]
    double.controls.remove_member(str(bot.application_id))
    assert await refusal_code(bot.fetch_guild(guild.id)) == 50001
    assert await refusal_code(guild.text_channels[0].send("hello?")) == 50001


async def test_bot_can_edit_own_messages_only(double: Discord, bot: SampleBot) -> None:
    channel = bot.guilds[0].text_channels[0]
    message = await channel.send("mine", file=discord.File(io.BytesIO(PIXEL), "a.png"))
    double.stand_in.world.messages[str(channel.id)][str(message.id)]["author"] = double.you.me
    assert await refusal_code(message.edit(content="stolen")) == 50005
