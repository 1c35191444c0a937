"""What is kept about a person, to have it as a file, and to have it deleted."""

from bot.allowances import in_thread
from bot.line.interaction import InteractionInfo
from bot.line.payloads import AttachedFile
from bot.render.house import privacy_pages as pages
from bot.render.message.panel import Panel, payload
from bot.runtime.privacy import PersonExport
from bot.runtime.store_types import DeletionState
from bot.surfaces.replies import Reply
from bot.text import privacy as words
from bot.text.hand_history import hand_as_text
from bot.text.language import t
from cogs.support.commands import Invocation
from cogs.support.services import Effort, PageClick, Services

TEXT_FILE, JSON_FILE = "cardroom-data.txt", "cardroom-data.json"


class PrivacyPages:
    """Tells people what is kept about them, gives it to them, and deletes it."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def about(self, invocation: Invocation) -> Panel:
        """Return what is kept."""
        return self._about(invocation.info)

    def _about(self, info: InteractionInfo) -> Panel:
        return pages.about_panel() if info.guild else pages.about_all_servers_panel()

    async def export(self, invocation: Invocation) -> None:
        """Send what is kept, as files."""
        await self._send_export(invocation.info, invocation.reply)

    async def question(self, invocation: Invocation) -> Panel:
        """Ask whether all of it is to be deleted."""
        return await self._question(invocation.info)

    async def page(self, click: PageClick) -> None:
        """Answer a click on these pages. Only the last one deletes."""
        info = click.info
        match click.press.verb:
            case "export" if info.guild:
                await self._send_export(info, click.reply)
            case "ask" if info.guild:
                await click.reply.redraw(payload(await self._question(info)))
            case "delete" if info.guild:
                roles = await self.services.trophies.held_by(info.guild, info.user)
                forgotten = await self.services.privacy.delete(info.request())
                await self.services.trophies.take_back(info.guild, info.user, roles)
                await click.reply.redraw(payload(pages.deleted_panel(forgotten.chips)))
            case "askall":
                await click.reply.redraw(payload(await self._full_question(info)))
            case "deleteall":
                await self._delete_everything(info, click.reply)
            case _:
                await click.reply.redraw(payload(self._about(info)))

    async def _question(self, info: InteractionInfo) -> Panel:
        return pages.confirm_deletion_panel(await self.services.privacy.chips(info.request()))

    async def full_question(self, invocation: Invocation) -> Panel:
        """Ask whether everything is to be deleted in all servers. Who has said so already is shown how far it is."""
        return await self._full_question(invocation.info)

    async def _full_question(self, info: InteractionInfo) -> Panel:
        state = await self.services.full_deletions.state(info.user)
        if state is not None:
            return pages.deleting_everything_panel(state, told_by_dm=True)
        return pages.confirm_full_deletion_panel()

    async def _delete_everything(self, info: InteractionInfo, reply: Reply) -> None:
        """Delete everything, and say so as it is done: here, or where it takes long by direct message."""
        deletions, user = self.services.full_deletions, info.user
        self.services.spend(Effort.MANY_HANDS, user)  # everything that is kept is looked through
        await deletions.ask(user, info.locale, 0 if info.guild else info.channel)
        begun = await deletions.state(user) or DeletionState()
        await reply.redraw(payload(pages.deleting_everything_panel(begun)))
        state = await deletions.wait(user)
        panel = (
            pages.everything_deleted_panel(state)
            if state.is_done
            else pages.deleting_everything_panel(state, told_by_dm=True)
        )
        is_shown = await reply.redraw(payload(panel))
        await deletions.answered(user, is_told=state.is_done and is_shown)

    async def _send_export(self, info: InteractionInfo, reply: Reply) -> None:
        self.services.spend_time(Effort.MANY_HANDS, info.user)
        export = await self.services.privacy.export(info.request())
        text, for_programs = await in_thread(export_text, export), await in_thread(export.as_json)
        await reply.private_file(t(words.FILES), AttachedFile(TEXT_FILE, text.encode()))
        await reply.private_file(t(words.FILE_FOR_PROGRAMS), AttachedFile(JSON_FILE, for_programs.encode()))


def export_text(export: PersonExport) -> str:
    """Write what is kept about a person to be read."""
    hands = [hand_as_text(hand.record.lines, hand.record.names, hand.record.number) for hand in export.hands]
    return words.export_as_text(
        export.guild,
        export.at,
        export.holdings,
        export.history,
        export.preferences,
        hands,
        older_hands=export.older_hands,
        counts={book: numbers.counts for book, numbers in export.statistics.items()},
        seasons=export.seasons,
        events=export.events,
    )
