"""Commands that had another name: each is answered with the new one, and a button that does it.

Discord can offer a command for a while after it has gone, and people type what they know.
"""

from discord.ext import commands

from bot.line.interaction import command_info
from bot.render.menus import moved_panel
from bot.render.message.notice import notice_panel
from bot.surfaces.replies import Reply
from bot.text import confirmations as words
from bot.text.language import t
from bot.text.old_commands import NEW_NAMES
from bot.text.refusals.wording import EXPIRED_BUTTON
from cogs.act import ACTS
from cogs.cog import ServicesCog
from cogs.history import HistoryCog
from cogs.seats import do_at_seat
from cogs.support.commands import OLD_COMMAND, Interaction, Invocation
from cogs.support.services import PageClick, Services


class MovedCog(ServicesCog):
    """Answers commands that are no longer there."""

    def __init__(self, services: Services, history: HistoryCog) -> None:
        super().__init__(services)
        self._history = history

    @commands.Cog.listener(OLD_COMMAND)
    async def answer(self, interaction: Interaction, name: str) -> None:
        """Answer a command by its whole name."""
        info = command_info(interaction)
        if await self.services.refuse_flood(info):
            return
        reply = Reply(self.services.discord_api, info, self.services.private_answers)
        await self.services.handle(info, reply, self._tell(reply, name))

    async def _tell(self, reply: Reply, name: str) -> None:
        new = NEW_NAMES.get(name) or NEW_NAMES.get(name.partition(" ")[0])
        await reply.private(moved_panel(new) if new is not None else notice_panel(t(words.UNUSABLE_COMMAND)))

    async def page(self, click: PageClick) -> None:
        """Do what a button says: act in the hand, or at one's seat, or look for hands."""
        invocation = Invocation(self.services, click.info, click.reply)
        what = (click.press.words[0] if click.press.words else "").replace("-", " ")
        match click.press.verb:
            case "act" if what in ACTS:
                panel = await ACTS[what](invocation)
            case "seat":
                panel = await do_at_seat(invocation, what)
            case "hand":
                panel = await self._history.find(invocation, hands=what if what != "last" else "")
            case _:
                panel = notice_panel(t(EXPIRED_BUTTON))
        if panel is not None:
            await click.reply.private(panel)
