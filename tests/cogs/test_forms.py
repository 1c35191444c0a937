"""A form belongs to the person who opened it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.text.refusals import wording
from tests.e2e.bot_session import PATIENCE, BotSession, bot_session
from tests.support.discord_double import Json, Player, filled_in

FORM = 5


async def send_forged(room: BotSession, player: Player, opener: Player) -> None:
    """Send a form that somebody else has opened, and wait for the answer."""
    interactions, form = room.discord.stand_in.interactions, opener.form
    opened = interactions._open_modals[opener._form_of]
    assert form is not None
    ended: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
    interactions.start(
        FORM,
        room.discord.stand_in.world.people[player.me["id"]],
        opened.channel,
        {"custom_id": form["custom_id"], "components": filled_in(form)},
        ended.set_result,
        message=next(one for one in player.visible() if one["components"]),
        modal_opener=interactions._metadata(opened),
    )
    await asyncio.wait_for(ended, PATIENCE)


async def test_nobody_sends_a_form_that_another_opened(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False)
        await ann.click("Buy-in…")
        await send_forged(room, bo, ann)
        await bo.until(wording.EXPIRED_BUTTON)
        assert not room.now.table.seats
        assert "**2,500** chips" in await ann.submit({"Chips to sit down with": "2.5k"})
