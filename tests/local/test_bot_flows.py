"""An unmodified discord.py bot and the people who use it, through the stand-in."""

from __future__ import annotations

import asyncio

import discord
import pytest

from tests.local.throwaway_bot import PIXEL, Throwaway
from tests.support.discord_double import Discord, Refused


async def test_the_bot_logs_in_and_sees_its_server(double: Discord, bot: Throwaway) -> None:
    (guild,) = bot.guilds
    assert guild.name == "Cardroom"
    assert [channel.name for channel in guild.text_channels] == ["poker", "lobby"]
    assert guild.me.guild_permissions.manage_messages
    assert double.counts["PUT /applications/{application}/commands"] == 1


async def test_a_slash_command_is_answered_for_all_to_see(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    assert await ann.slash("hello") == "hello @Ann"
    await bo.until("hello @Ann")
    message = ann.visible()[-1]
    assert message["interaction_metadata"]["name"] == "hello"
    assert message["interaction_metadata"]["user"]["id"] == ann.me["id"]
    assert message["mentions"] == []  # the bot allows none
    assert bot.seen == [int(message["id"])]


async def test_an_ephemeral_answer_is_seen_by_one_person_and_by_no_channel_route(
    double: Discord, bot: Throwaway
) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    assert "ace of spades" in await ann.slash("secret")
    await bo.slash("hello")
    assert "ace of spades" not in bo.screen()
    message = next(m for m in ann.visible() if "ace" in m["content"])
    channel = bot.get_partial_messageable(int(message["channel_id"]))
    with pytest.raises(discord.NotFound) as caught:
        await channel.fetch_message(int(message["id"]))
    assert caught.value.code == 10008
    assert message["id"] not in {str(m.id) async for m in channel.history()}


async def test_a_deferred_answer_is_filled_in_and_followed_up(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    assert "thought" in await ann.slash("think")
    await ann.until("and more")
    assert "thinking" not in ann.screen()
    loading = [f["message"] for f in ann.frames if f["t"] == "create" and f["message"]["flags"] & 128]
    assert len(loading) == 1


async def test_a_click_redraws_the_table_for_everybody_in_one_call(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("table open", amount=40)
    await bo.until("[Call 40]")
    double.forget_requests()
    assert "Pot 100\n@Bo calls" in await bo.click("Call")
    await ann.until("[Call 50] [Raise…]")
    await bo.until("your cards")
    assert "your cards" not in ann.screen()
    assert double.counts == {
        "POST /interactions/{id}/{token}/callback": 1,
        "POST /webhooks/{application}/{token}": 1,
    }


async def test_a_form_opens_from_a_button_and_redraws_the_table(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    await ann.slash("table open")
    assert await ann.click("Raise…") == "= Raise to =\nAmount: []\nOr: [Half pot | Pot]"
    with pytest.raises(Refused, match="Amount: this field is required"):
        await ann.submit({"Or": "Pot"})
    await ann.click("Raise…")
    assert "raise to 300, pot" in await ann.submit({"Amount": "300", "Or": "Pot"})
    await ann.until("raise to 300, pot")


async def test_a_select_brings_its_value(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    await ann.slash("table open")
    assert "you sit in seat 2" in await ann.select("Choose a seat", "Seat 2")


async def test_two_people_hold_their_own_forms(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("table open")
    await bo.until("[Raise…]")
    await asyncio.gather(ann.click("Raise…"), bo.click("Raise…"))
    assert "raise to 7" in await ann.submit({"Amount": "7"})
    assert "raise to 8" in await bo.submit({"Amount": "8"})


async def test_options_keep_their_bounds_and_complete_themselves(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    with pytest.raises(Refused, match="between 10 and 1000"):
        await ann.slash("table open", amount=5)
    assert await ann.autocomplete("game", "name", "o") == ["hold'em", "omaha"]
    assert "playing omaha" in await ann.slash("game", name="omaha")


async def test_staff_commands_are_there_for_staff_only(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    assert "house" not in ann.commands
    with pytest.raises(Refused, match="no /house here"):
        await ann.ask("slash", channel_id=ann.here, name="house", options=[])
    assert "staff only" in await double.you.slash("house")
    assert "pot" not in double.you.commands


async def test_the_bot_knows_who_may_do_what(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    await ann.slash("table open")
    await double.you.slash("table open")
    (ann_may, bot_may, channel), (owner_may, *_) = bot.seen
    assert not ann_may.manage_guild
    assert owner_may.manage_guild
    assert bot_may.attach_files
    assert channel.name == "poker"


async def test_direct_messages_reach_one_person_and_closed_ones_are_refused(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    assert "sent" in await ann.slash("whisper", to=bo)
    await bo.until("psst")
    assert bo.visible(bo.dm_channels[0])[-1]["flags"] & 1 << 12  # silent
    assert ann.dms() == ""
    await bo.dms_open(value=False)
    assert "refused: 50007" in await ann.slash("whisper", to=bo)


async def test_who_has_left_the_server_gets_no_direct_message(double: Discord, bot: Throwaway) -> None:
    bo = await double.person("Bo")
    user = await bot.fetch_user(int(bo.me["id"]))
    double.controls.remove_member(bo.me["id"])
    with pytest.raises(discord.Forbidden) as caught:
        await user.send("still there?")
    assert caught.value.code == 50007
    with pytest.raises(discord.NotFound) as gone:
        await bot.guilds[0].fetch_member(user.id)
    assert gone.value.code == 10007


async def test_a_picture_is_uploaded_served_and_replaced(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    assert await ann.slash("picture") == "(picture: a table)"
    shown = ann.visible()[-1]
    media = shown["components"][0]["items"][0]["media"]
    assert (media["width"], media["height"], media["content_type"]) == (1, 1, "image/png")
    message = await bot.get_partial_messageable(int(ann.here)).fetch_message(int(shown["id"]))
    assert await message.attachments[0].read() == PIXEL
    await message.edit(attachments=message.attachments)  # what is named stays
    assert ann.visible()[-1]["components"][0]["items"][0]["media"]["url"] == media["url"]


async def test_application_emojis_are_uploaded_once_and_used(double: Discord, bot: Throwaway) -> None:
    emoji = await bot.create_application_emoji(name="ace_of_hearts", image=PIXEL)
    assert [e.name for e in await bot.fetch_application_emojis()] == ["ace_of_hearts"]
    assert await emoji.read() == PIXEL
    view = discord.ui.LayoutView()
    view.add_item(discord.ui.ActionRow(discord.ui.Button(emoji=emoji, label="Peek")))
    await bot.get_partial_messageable(int(double.you.here)).send(view=view)
    await double.you.until("[:ace_of_hearts: Peek]")
    with pytest.raises(discord.HTTPException) as taken:
        await bot.create_application_emoji(name="ace_of_hearts", image=PIXEL)
    assert taken.value.code == 50035
    await emoji.delete()
    with pytest.raises(discord.HTTPException) as unknown:
        await bot.get_partial_messageable(int(double.you.here)).send(view=view)
    assert unknown.value.code == 50035


async def test_messages_are_sent_edited_listed_and_deleted(double: Discord, bot: Throwaway) -> None:
    channel = bot.guilds[0].text_channels[0]
    message = await channel.send("Ann to act")
    edited = await message.edit(content="Bo to act")
    assert [m.content async for m in channel.history()] == ["Bo to act"]
    assert edited.edited_at is not None
    assert double.you.screen() == "Bo to act"
    await message.delete()
    await double.you.until_gone("Bo to act")
    with pytest.raises(discord.NotFound) as caught:
        await message.edit(content="too late")
    assert caught.value.code == 10008


async def test_only_the_one_who_is_allowed_is_called(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    allowed = discord.AllowedMentions(users=[discord.Object(int(ann.me["id"]))])
    await bot.guilds[0].text_channels[0].send(f"<@{ann.me['id']}> and <@{bo.me['id']}>", allowed_mentions=allowed)
    await ann.until("@Ann and @Bo")
    assert [user["id"] for user in ann.visible()[-1]["mentions"]] == [ann.me["id"]]


async def test_threads_are_opened_written_in_and_closed(double: Discord, bot: Throwaway) -> None:
    channel = bot.guilds[0].text_channels[0]
    thread = await channel.create_thread(name="Table 3", type=discord.ChannelType.public_thread)
    await thread.send("welcome")
    await double.you.wait_for(lambda: str(thread.id) in double.you.messages, "the thread")
    assert "welcome" in double.you.go("Table 3").screen()
    assert (await thread.edit(archived=True)).archived
    await thread.send("open again")
    assert (await bot.fetch_channel(thread.id)).archived is False  # type: ignore[union-attr]


async def test_a_private_thread_is_seen_by_its_members(double: Discord, bot: Throwaway) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    thread = await bot.guilds[0].text_channels[0].create_thread(name="Private game")
    await thread.add_user(discord.Object(int(ann.me["id"])))
    await thread.send("just us")
    await ann.wait_for(lambda: str(thread.id) in ann.messages, "the thread")
    await ann.go("Private game").until("just us")
    assert "just us" not in str(bo.frames)
    await thread.remove_user(discord.Object(int(ann.me["id"])))
    await ann.wait_for(lambda: str(thread.id) not in ann.channels, "the thread to go")


async def test_commands_keep_their_ids_when_synced_again(double: Discord, bot: Throwaway) -> None:
    first = {command.name: command.id for command in await bot.tree.fetch_commands()}
    second = {command.name: command.id for command in await bot.tree.sync()}
    assert first == second
    bot.tree.remove_command("hello")
    await bot.tree.sync()
    await double.you.wait_for(lambda: "hello" not in double.you.commands, "the command to go")
