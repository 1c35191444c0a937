"""What the host of nights could not be told otherwise stands above their next answer."""

from __future__ import annotations

from msgspec.structs import replace

from bot.render.message.panel import Panel, Text
from cogs.support.commands import Invocation


async def with_host_news(invocation: Invocation, panel: Panel | None) -> Panel | None:
    """Show a panel below what its reader has to be told as a host of nights. Returns it if there is nothing to tell."""
    news = invocation.services.host_news
    owed = news.owed(invocation.info.user)
    if panel is None or not owed:
        return panel
    if await invocation.reply.private(replace(panel, blocks=(Text(news.text(owed)), *panel.blocks))):
        await news.note_told(owed)
    return None
