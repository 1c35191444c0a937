"""`/cards`: how a player's own cards look to them, in text or also as a large picture, and whether they come by direct message."""

from bot.render.hand import private_panels
from bot.render.message.panel import Panel
from cogs.cog import ServicesCog
from cogs.support.commands import Invocation, slash_command

TWO_COLOURS = "two"
"""The value of the option `colours` for a deck of red and black."""


class PreferencesCog(ServicesCog):
    """`/cards`."""

    @slash_command("cards")
    async def cards(
        self,
        invocation: Invocation,
        colours: str | None = None,
        dms: bool | None = None,
        every_hand: bool | None = None,
        large: bool | None = None,
    ) -> Panel:
        preferences, user = self.services.preferences, invocation.info.user
        if colours is not None:
            await preferences.set_deck(user, two_colour=colours == TWO_COLOURS)
        if dms is not None:
            await preferences.set_dms(user, wanted=dms)
            if dms:
                self.services.direct_messages.reset_user(user)
        if every_hand is not None:
            await preferences.set_every_dm(user, wanted=every_hand)
        if large is not None:
            await preferences.set_large_cards(user, wanted=large)
        return private_panels.preferences_panel(
            self.services.emojis_for(user),
            two_colour=preferences.wants_two_colours(user),
            wants_dms=preferences.wants_dms(user),
            every_dm=preferences.wants_every_dm(user),
            large_cards=preferences.wants_large_cards(user),
        )
