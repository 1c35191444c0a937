"""Who may do what where."""

from __future__ import annotations

import io
from typing import Any

import discord
import pytest

from bot.local import permissions
from tests.local.throwaway_bot import PIXEL, Throwaway
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
    assert allowed(see | send, (USER, 0, see)) == 0, "who cannot see can do nothing"
    assert allowed(see, (USER, 0, see), role=permissions.ADMINISTRATOR) == permissions.ALL


async def refused(doing: Any) -> int:
    with pytest.raises(discord.Forbidden) as caught:
        await doing
    return caught.value.code


async def test_the_bot_is_refused_what_the_channel_forbids(double: Discord, bot: Throwaway) -> None:
    channel = bot.guilds[0].text_channels[0]
    message = await channel.send("first")
    place = str(channel.id)
    double.controls.permit(place, deny=["send_messages"])
    assert await refused(channel.send("second")) == 50013
    await message.edit(content="its own message it may still edit")
    double.controls.permit(place, deny=["attach_files"])
    assert await refused(channel.send(file=discord.File(__file__))) == 50013
    double.controls.permit(place, deny=["manage_messages", "pin_messages"])
    assert await refused(message.pin()) == 50013
    double.controls.permit(place, deny=["create_public_threads"])
    assert await refused(channel.create_thread(name="x", type=discord.ChannelType.public_thread)) == 50013
    double.controls.permit(place, deny=["view_channel"])
    assert await refused(channel.send("second")) == 50001
    assert await refused(message.edit(content="x")) == 50001
    assert await refused(message.delete()) == 50001
    double.controls.permit(place)
    await message.delete()


async def test_interactions_work_where_the_bot_may_not_send(double: Discord, bot: Throwaway) -> None:
    double.controls.permit(double.channel("poker"), deny=["send_messages", "view_channel"])
    assert await double.you.slash("hello") == "hello @Guest"


async def test_a_channel_that_is_hidden_from_a_person_is_not_on_their_page(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    double.controls.permit(double.channel("poker"), who=ann.me["id"], deny=["view_channel"])
    await bot.guilds[0].text_channels[0].send("not for Ann")
    await double.you.until("not for Ann")
    assert "not for Ann" not in ann.screen()
    await ann.open_page()
    assert [channel["name"] for channel in ann.channels.values()] == ["lobby"]
    with pytest.raises(Refused, match="cannot use that channel"):
        await ann.ask("slash", channel_id=double.channel("poker"), name="hello", options=[])


async def test_commands_can_be_taken_from_a_person(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    for name in ("poker", "lobby"):
        double.controls.permit(double.channel(name), who=ann.me["id"], deny=["use_application_commands"])
    await ann.open_page()
    assert ann.commands == {}


async def test_a_role_makes_staff(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    role = double.controls.add_role("Floor", ["manage_guild"])
    double.controls.give_role(ann.me["id"], role["id"])
    await ann.open_page()
    assert "staff only" in await ann.slash("house")


async def test_a_bot_that_was_thrown_out_finds_nothing(double: Discord, bot: Throwaway) -> None:
    guild = bot.guilds[0]
    double.controls.remove_member(str(bot.application_id))
    assert await refused(bot.fetch_guild(guild.id)) == 50001
    assert await refused(guild.text_channels[0].send("hello?")) == 50001


async def test_only_its_own_messages_can_be_edited(double: Discord, bot: Throwaway) -> None:
    channel = bot.guilds[0].text_channels[0]
    message = await channel.send("mine", file=discord.File(io.BytesIO(PIXEL), "a.png"))
    double.stand_in.world.messages[str(channel.id)][str(message.id)]["author"] = double.you.me
    assert await refused(message.edit(content="stolen")) == 50005
