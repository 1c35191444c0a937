"""Where the dealer deals: in Discord, or in a local cardroom that speaks Discord's protocol."""

from __future__ import annotations

import discord
import yarl
from msgspec import Struct


class DealerSite(Struct, frozen=True):
    """Where a dealer deals.

    Attributes:
        local: it is a local cardroom, and a table is opened for whoever comes first.
        link: the address of a channel, before ``/server/channel``.
    """

    local: bool = False
    link: str = "https://discord.com/channels"


IN_DISCORD = DealerSite()


class BotDuties(Struct, frozen=True):
    """What is done once for a bot: its commands are registered, and the emojis of its cards uploaded.

    Attributes:
        are_mine: this dealer does it. With several dealers it is the one of the first slot.
    """

    are_mine: bool = True


class Endpoints(Struct, frozen=True):
    """The addresses of Discord, or of the local cardroom, which speaks the same protocol."""

    rest: str
    gateway: str
    cdn: str

    def use(self) -> None:
        """Point discord.py at these addresses, for this process."""
        discord.http.Route.BASE = self.rest
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.gateway)
        discord.asset.Asset.BASE = self.cdn
