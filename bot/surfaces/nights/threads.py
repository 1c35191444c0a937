"""Threads in which nights are planned. Discord archives one in which nobody has written for a while, and tells nothing of it any more."""

from bot.line.api import DiscordApi
from bot.line.failures import ChannelGone
from bot.line.request_queue import RequestLine


async def open_thread(api: DiscordApi, guild: int, channel: int) -> bool:
    """Open the thread again that a channel of which the gateway tells nothing may be; then it does. Returns whether the channel is there.

    Raises:
        NotAllowed: somebody has locked it, or the bot cannot see it.
        DiscordFailed: it cannot be opened now.
    """
    try:
        await api.edit_channel(RequestLine(guild), channel, {"archived": False})
    except ChannelGone:
        return False
    return True
