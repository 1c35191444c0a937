"""Discord's rules for interactions: three seconds for one answer, then fifteen minutes for edits and follow-ups."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import aiohttp
import discord
import pytest

from tests.local.sample_bot import SampleBot
from tests.support.discord_double import Discord, Player, Refused


async def unanswered(double: Discord, bot: SampleBot, person: Player) -> tuple[Any, asyncio.Task[str]]:
    """Return an interaction that the bot has received but not answered, and the task of the person who waits for it."""
    waiting = asyncio.create_task(person.slash("silent"))
    interaction = await bot.wait_for("interaction", timeout=5)
    return interaction, waiting


async def test_interaction_without_answer_fails_after_three_seconds(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    double.clock.advance(2.9)
    await asyncio.sleep(0)
    assert not waiting.done()
    double.clock.advance(0.2)
    with pytest.raises(Refused, match="The application did not respond"):
        await waiting
    with pytest.raises(discord.NotFound) as caught:
        await interaction.response.send_message("too late")
    assert caught.value.code == 10062


async def test_failed_click_shows_discords_text(double: Discord, bot: SampleBot) -> None:
    await double.you.slash("table open")
    double.fails("POST", "/interactions/", status=404, body={"message": "Unknown interaction", "code": 10062})
    clicking = asyncio.create_task(double.you.click("Raise…"))
    await bot.wait_for("interaction", timeout=5)
    double.clock.advance(3)
    with pytest.raises(Refused, match="This interaction failed"):
        await clicking


async def test_interaction_also_fails_in_real_time(
    double: Discord, bot: SampleBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.local.interactions.ANSWER_SECONDS", 0.1)
    _, waiting = await unanswered(double, bot, double.you)
    with pytest.raises(Refused):
        await waiting


async def test_time_in_which_the_machine_stood_still_does_not_count(
    double: Discord, bot: SampleBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.local.interactions.ANSWER_SECONDS", 0.3)
    interaction, waiting = await unanswered(double, bot, double.you)
    time.sleep(0.6)  # nothing in this process runs
    await interaction.response.send_message("in time")
    assert await waiting == "in time"


async def test_interaction_can_be_answered_once(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    await interaction.response.send_message("first")
    assert await waiting == "first"
    interaction.response._response_type = None  # otherwise discord.py refuses a second answer itself
    with pytest.raises(discord.HTTPException) as caught:
        await interaction.response.send_message("second")
    assert caught.value.code == 40060


async def test_token_expires_after_fifteen_minutes(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    await interaction.response.send_message("first")
    await waiting
    double.clock.advance(14 * 60)
    await interaction.followup.send("still good")
    double.clock.advance(61)
    with pytest.raises(discord.HTTPException) as caught:
        await interaction.followup.send("over")
    assert (caught.value.status, caught.value.code) == (401, 50027)
    with pytest.raises(discord.HTTPException):
        await interaction.edit_original_response(content="over")


async def test_follow_up_before_answer_is_refused(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    with pytest.raises(discord.NotFound) as caught:
        await interaction.followup.send("too early")
    assert caught.value.code == 10015
    await interaction.response.send_message("now")
    await waiting


async def test_first_follow_up_replaces_deferred_answer(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    await interaction.response.defer(ephemeral=True, thinking=True)
    await interaction.followup.send("done", ephemeral=False)
    assert "Only you" in await waiting  # the deferred answer decided who sees the message
    assert len(double.you.visible()) == 1


async def test_original_answer_can_be_read_edited_and_deleted(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    await interaction.response.send_message("one", ephemeral=True)
    await waiting
    assert (await interaction.original_response()).content == "one"
    await interaction.edit_original_response(content="two")
    await double.you.until("two")
    await interaction.delete_original_response()
    await double.you.until_gone("two")
    with pytest.raises(discord.NotFound) as caught:
        await interaction.edit_original_response(content="three")
    assert caught.value.code == 10008


async def test_token_gives_access_to_own_messages_only(double: Discord, bot: SampleBot) -> None:
    other = await bot.guilds[0].text_channels[0].send("not yours")
    interaction, waiting = await unanswered(double, bot, double.you)
    await interaction.response.send_message("mine")
    await waiting
    with pytest.raises(discord.NotFound) as caught:
        await interaction.followup.edit_message(other.id, content="stolen")
    assert caught.value.code == 10008


async def test_slash_command_refuses_answers_meant_for_components(double: Discord, bot: SampleBot) -> None:
    interaction, waiting = await unanswered(double, bot, double.you)
    for kind, data in ((6, None), (7, {"content": "x"}), (8, {"choices": []}), (1, None), (99, None)):
        status, answer = await callback(double, interaction, {"type": kind, "data": data})
        assert (status, answer["code"]) == (400, 50035), kind
        assert "type" in answer["errors"]
    await interaction.response.send_message("fine")
    await waiting


async def test_modal_submit_cannot_be_answered_with_modal(double: Discord, bot: SampleBot) -> None:
    await double.you.slash("table open")
    await double.you.click("Raise…")
    double.fails("POST", "/interactions/", status=502, times=1, after=False, delay=0)
    submitting = asyncio.create_task(double.you.submit({"Amount": "300"}))
    interaction = await bot.wait_for("interaction", timeout=5)
    status, answer = await callback(double, interaction, {"type": 9, "data": {}})
    assert (status, answer["code"]) == (400, 50035)
    assert "raise to 300" in await submitting  # discord.py retries after the planted 502


async def test_update_of_deleted_message_is_refused(double: Discord, bot: SampleBot) -> None:
    await double.you.slash("table open")
    shown = double.you.visible()[-1]
    double.fails("POST", "/interactions/", status=404, body={"message": "held back", "code": 0})
    clicking = asyncio.create_task(double.you.press(shown, "call:40"))
    interaction = await bot.wait_for("interaction", timeout=5)
    await double.controls.delete_message(shown["channel_id"], shown["id"])
    status, answer = await callback(double, interaction, {"type": 7, "data": {"flags": 1 << 15, "components": []}})
    assert (status, answer["code"]) == (404, 10008)
    double.clock.advance(3)
    with pytest.raises(Refused):
        await clicking


async def test_repeated_answer_gets_error_40060(double: Discord, bot: SampleBot) -> None:
    """Discord has taken the answer, but its response was lost. When discord.py repeats the request, it gets 40060."""
    interaction, waiting = await unanswered(double, bot, double.you)
    double.fails("POST", "/interactions/", status=500, after=True)
    with pytest.raises(discord.HTTPException) as caught:
        await interaction.response.send_message("once")
    assert caught.value.code == 40060
    assert await waiting == "once"
    assert [m["content"] for m in double.you.visible()] == ["once"]


async def test_no_commands_before_bot_connects(double: Discord) -> None:
    with pytest.raises(AssertionError, match="finds no /hello"):
        await double.you.slash("hello")


async def test_disabled_or_invisible_button_cannot_be_pressed(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="No", custom_id="no", disabled=True))
    interaction, waiting = await unanswered(double, bot, double.you)
    await interaction.response.send_message("private", view=view, ephemeral=True)
    await waiting
    shown = double.you.visible()[-1]
    with pytest.raises(Refused, match="no longer there"):
        await double.you.press(shown, "no")
    with pytest.raises(Refused, match="gone"):
        await ann.press(shown, "no")
    with pytest.raises(Refused, match="no longer there"):
        await double.you.press(shown, "invented")


async def test_button_of_deleted_message_cannot_be_pressed(double: Discord, bot: SampleBot) -> None:
    await double.you.slash("table open")
    shown = double.you.visible()[-1]
    await double.controls.delete_message(shown["channel_id"], shown["id"])
    with pytest.raises(Refused, match="gone"):
        await double.you.press(shown, "call:40")


async def callback(double: Discord, interaction: Any, payload: dict[str, Any]) -> tuple[int, Any]:
    """Answer an interaction without discord.py and its checks."""
    url = f"{double.stand_in.rest_url}/interactions/{interaction.id}/{interaction.token}/callback"
    async with aiohttp.ClientSession() as session, session.post(url, json=payload) as response:
        return response.status, await response.json()
