"""People use an unmodified discord.py bot through the stand-in."""

from __future__ import annotations

import asyncio

import discord
import pytest

from tests.local.sample_bot import PIXEL, SampleBot
from tests.support.discord_double import Discord, Refused


async def test_bot_logs_in_and_sees_its_server(double: Discord, bot: SampleBot) -> None:
    (guild,) = bot.guilds
    assert guild.name == "Cardroom"
    assert [channel.name for channel in guild.text_channels] == ["poker", "lobby"]
    assert guild.me.guild_permissions.manage_messages
    assert double.counts["PUT /applications/{application}/commands"] == 1


async def test_everybody_sees_answer_to_slash_command(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    assert await ann.slash("hello") == "hello @Ann"
    await bo.until("hello @Ann")
    message = ann.visible()[-1]
    assert message["interaction_metadata"]["name"] == "hello"
    assert message["interaction_metadata"]["user"]["id"] == ann.me["id"]
    assert message["mentions"] == []  # the bot allows no mentions
    assert bot.observed == [int(message["id"])]


async def test_menus_of_messages_and_people_have_commands(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await bo.slash("hello")
    chosen = bo.visible()[-1]
    assert await ann.menu("Read aloud", chosen) == "it says hello @Bo\n(Only you can see this)"
    answer = ann.visible()[-1]
    assert answer["type"] == 23
    assert answer["interaction_metadata"]["target_message_id"] == chosen["id"]
    assert await ann.menu("Wave at", bo) == "@Ann waves at @Bo"
    await bo.until("@Ann waves at @Bo")
    assert ann.visible()[-1]["interaction_metadata"]["target_user"]["id"] == bo.me["id"]
    read, waved = bot.observed[-2:]
    assert (read.id, read.author.id, waved.id) == (int(chosen["id"]), bot.user and bot.user.id, int(bo.me["id"]))
    with pytest.raises(Refused, match="That message is gone"):
        await bo.menu("Read aloud", answer)  # only Ann sees it
    with pytest.raises(Refused, match="That does not exist here"):
        await ann.ask("menu", channel_id=ann.here, name="Wave at", type=2, target_id="77")
    with pytest.raises(Refused, match="There is no Wave at here"):
        await ann.ask("menu", channel_id=ann.here, name="Wave at", type=3, target_id=chosen["id"])


async def test_ephemeral_answer_is_visible_to_one_person_only(double: Discord, bot: SampleBot) -> None:
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


async def test_deferred_answer_is_completed_and_followed_up(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    assert "thought" in await ann.slash("think")
    await ann.until("and more")
    assert "thinking" not in ann.screen()
    loading = [f["message"] for f in ann.frames if f["t"] == "create" and f["message"]["flags"] & 128]
    assert len(loading) == 1


async def test_click_redraws_table_for_everybody_with_one_request(double: Discord, bot: SampleBot) -> None:
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


async def test_button_opens_modal_that_redraws_table(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    await ann.slash("table open")
    assert await ann.click("Raise…") == "= Raise to =\nAmount: []\nOr: [Half pot | Pot]"
    with pytest.raises(Refused, match="Amount: this field is required"):
        await ann.submit({"Or": "Pot"})
    await ann.click("Raise…")
    assert "raise to 300, pot" in await ann.submit({"Amount": "300", "Or": "Pot"})
    await ann.until("raise to 300, pot")


async def test_select_sends_its_value(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    await ann.slash("table open")
    assert "you sit in seat 2" in await ann.select("Choose a seat", "Seat 2")


async def test_two_people_have_separate_modals(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    await ann.slash("table open")
    await bo.until("[Raise…]")
    await asyncio.gather(ann.click("Raise…"), bo.click("Raise…"))
    assert "raise to 7" in await ann.submit({"Amount": "7"})
    assert "raise to 8" in await bo.submit({"Amount": "8"})


async def test_options_enforce_bounds_and_offer_suggestions(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    with pytest.raises(Refused, match="between 10 and 1000"):
        await ann.slash("table open", amount=5)
    assert await ann.autocomplete("game", "name", "o") == ["hold'em", "omaha"]
    assert "playing omaha" in await ann.slash("game", name="omaha")


async def test_command_of_old_reaches_the_bot(double: Discord, bot: SampleBot) -> None:
    """A client offers a command for a while after it has gone; of the two names of one with a subcommand either can be gone."""
    assert "There is no old now." in await double.you.types_of_old("old")
    assert "There is no table shut now." in await double.you.types_of_old("table shut")


async def test_only_staff_can_use_staff_commands(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    assert "house" not in ann.commands
    with pytest.raises(Refused, match="no /house here"):
        await ann.ask("slash", channel_id=ann.here, name="house", options=[])
    assert "staff only" in await double.you.slash("house")
    assert "pot" not in double.you.commands


async def test_bot_is_told_permissions(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    await ann.slash("table open")
    await double.you.slash("table open")
    (ann_permissions, bot_permissions, channel), (owner_permissions, *_) = bot.observed
    assert not ann_permissions.manage_guild
    assert owner_permissions.manage_guild
    assert bot_permissions.attach_files
    assert channel.name == "poker"


async def test_direct_messages_reach_person_who_allows_them(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    assert "sent" in await ann.slash("whisper", to=bo)
    await bo.until("psst")
    assert bo.visible(bo.dm_channels[0])[-1]["flags"] & 1 << 12  # silent
    assert ann.dms() == ""
    await bo.dms_open(value=False)
    assert "refused: 50007" in await ann.slash("whisper", to=bo)


async def test_person_who_left_gets_no_direct_message(double: Discord, bot: SampleBot) -> None:
    bo = await double.person("Bo")
    user = await bot.fetch_user(int(bo.me["id"]))
    double.controls.remove_member(bo.me["id"])
    with pytest.raises(discord.Forbidden) as caught:
        await user.send("still there?")
    assert caught.value.code == 50007
    with pytest.raises(discord.NotFound) as gone:
        await bot.guilds[0].fetch_member(user.id)
    assert gone.value.code == 10007


async def test_picture_is_uploaded_served_and_kept_by_edit(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    assert await ann.slash("picture") == "(picture: a table)"
    shown = ann.visible()[-1]
    media = shown["components"][0]["items"][0]["media"]
    assert (media["width"], media["height"], media["content_type"]) == (1, 1, "image/png")
    message = await bot.get_partial_messageable(int(ann.here)).fetch_message(int(shown["id"]))
    assert await message.attachments[0].read() == PIXEL
    await message.edit(attachments=message.attachments)  # attachments that are listed stay
    assert ann.visible()[-1]["components"][0]["items"][0]["media"]["url"] == media["url"]


async def test_application_emoji_is_uploaded_used_and_deleted(double: Discord, bot: SampleBot) -> None:
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


async def test_messages_are_sent_edited_listed_and_deleted(double: Discord, bot: SampleBot) -> None:
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


async def test_only_allowed_users_are_mentioned(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    allowed = discord.AllowedMentions(users=[discord.Object(int(ann.me["id"]))])
    await bot.guilds[0].text_channels[0].send(f"<@{ann.me['id']}> and <@{bo.me['id']}>", allowed_mentions=allowed)
    await ann.until("@Ann and @Bo")
    assert [user["id"] for user in ann.visible()[-1]["mentions"]] == [ann.me["id"]]


async def test_thread_is_created_archived_and_reopened(double: Discord, bot: SampleBot) -> None:
    channel = bot.guilds[0].text_channels[0]
    thread = await channel.create_thread(name="Table 3", type=discord.ChannelType.public_thread)
    await thread.send("welcome")
    await double.you.wait_for(lambda: str(thread.id) in double.you.messages, "the thread")
    assert "welcome" in double.you.go("Table 3").screen()
    assert (await thread.edit(archived=True)).archived
    await thread.send("open again")
    assert (await bot.fetch_channel(thread.id)).archived is False  # type: ignore[union-attr]


async def test_forum_has_posts_with_tags(double: Discord, bot: SampleBot) -> None:
    forum = bot.guilds[0].forums[0]
    double.controls.set_overwrite(str(forum.id), allow=["manage_channels"])
    await forum.edit(available_tags=[discord.ForumTag(name="Hold'em"), discord.ForumTag(name="Practice")])
    await double.you.wait_for(lambda: bool(double.you.channels[str(forum.id)]["available_tags"]), "the tags")
    tag = (await bot.fetch_channel(forum.id)).available_tags[0]  # type: ignore[union-attr]
    post = await forum.create_thread(name="Table 3", content="welcome", applied_tags=[tag])
    assert post.message.id == post.thread.id
    await double.you.wait_for(lambda: str(post.thread.id) in double.you.messages, "the post")
    edited = await post.thread.edit(archived=True, name="closed")
    assert (edited.name, edited.archived, [one.name for one in edited.applied_tags]) == ("closed", True, ["Hold'em"])
    with pytest.raises(discord.HTTPException, match="archived"):
        await post.message.edit(content="too late")
    await post.thread.delete()
    await double.you.wait_for(lambda: str(post.thread.id) not in double.you.channels, "the post to go")
    double.stand_in.world.channels[str(forum.id)]["flags"] = 1 << 4
    with pytest.raises(discord.HTTPException, match="tag is required"):
        await forum.create_thread(name="Table 4", content="no tag")


async def test_only_members_see_private_thread(double: Discord, bot: SampleBot) -> None:
    ann, bo = await double.person("Ann"), await double.person("Bo")
    thread = await bot.guilds[0].text_channels[0].create_thread(name="Private game")
    await thread.add_user(discord.Object(int(ann.me["id"])))
    await thread.send("just us")
    await ann.wait_for(lambda: str(thread.id) in ann.messages, "the thread")
    await ann.go("Private game").until("just us")
    assert "just us" not in str(bo.frames)
    await thread.remove_user(discord.Object(int(ann.me["id"])))
    await ann.wait_for(lambda: str(thread.id) not in ann.channels, "the thread to go")


async def test_commands_keep_their_ids_when_synced_again(double: Discord, bot: SampleBot) -> None:
    first = {command.name: command.id for command in await bot.tree.fetch_commands()}
    second = {command.name: command.id for command in await bot.tree.sync()}
    assert first == second
    bot.tree.remove_command("hello")
    await bot.tree.sync()
    await double.you.wait_for(lambda: "hello" not in double.you.commands, "the command to go")
