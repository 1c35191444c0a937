"""`/import`: hands from a file, read, played and ruled on. Nothing of them counts, and nothing of them is kept."""

from __future__ import annotations

from discord.ext import commands

from bot.render.hand.hand_imports import FILE_FIELD, checked_panel, hand_panel, import_form
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import FileNotFetched, ImportForgotten
from bot.text.hand_files import MAX_FILE_BYTES
from bot.text.language import current
from cogs.ui.click import PageClick
from cogs.ui.commands import Invocation, slash_command
from cogs.ui.hand_imports import HandImports
from cogs.ui.person_limits import Effort
from cogs.ui.services import Services

_PAGES = frozenset({"first", "back", "next", "last"})


class ImportCog(commands.Cog):
    """`/import`."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.imports = HandImports(services.clock)

    @slash_command("import")
    async def import_hands(self, invocation: Invocation) -> None:
        await invocation.reply.form(import_form(invocation.info.id))

    async def page(self, click: PageClick) -> None:
        """Answer a click about imported hands: open the form, take its file, show a hand.

        Raises:
            FileTooHard, FileNotFetched, ImportForgotten: there is nothing to show.
            OneMoment: they gave many files a moment ago, or others wait.
        """
        info, press = click.info, click.press
        match press.verb:
            case "open":
                await click.reply.form(import_form(info.id))
            case "given":
                await click.reply.private(await self._checked(click))
            case "list":
                id_, first = _numbers(press.words)
                file = self.imports.find(id_, info.user)
                await click.reply.redraw(payload(checked_panel(id_, file.name, file.checked, first)))
            case "hand":
                id_, _ = _numbers(press.words)
                await click.reply.redraw(payload(self._hand(info.user, id_, info.values[0] if info.values else "", 1)))
            case verb if verb in _PAGES:
                file_and_hand, _, page = "|".join(press.words).partition("|")
                id_text, _, number = file_and_hand.partition(".")
                id_, page_number = _numbers((id_text, page))
                await click.reply.redraw(payload(self._hand(info.user, id_, number, page_number)))
            case _:
                raise ImportForgotten

    async def _checked(self, click: PageClick) -> Panel:
        info = click.info
        given = info.files.get(info.fields.get(FILE_FIELD, ""))
        if given is None:
            raise FileNotFetched
        self.services.spend(Effort.IMPORT, info.user)
        self.services.spend(Effort.FILE_OF_SERVER, info.guild)
        content = b" " * (MAX_FILE_BYTES + 1)  # one that is too long is not fetched
        if given.size <= MAX_FILE_BYTES:
            content = await self.services.discord_api.fetch_file(given.url, MAX_FILE_BYTES)
        file = await self.imports.check(info.user, given.name, content, current().code)
        return checked_panel(file.id, file.name, file.checked)

    def _hand(self, user: int, id_: int, number: str, page: int) -> Panel:
        """Return a page of a hand.

        Raises:
            ImportForgotten: the person has given no such hand.
        """
        hands = {str(hand.number): hand for hand in self.imports.find(id_, user).checked.hands}
        if number not in hands:
            raise ImportForgotten
        return hand_panel(id_, hands[number], hands[number].pages(), page)


def _numbers(words: tuple[str, ...]) -> tuple[int, int]:
    """Read up to two numbers of a button; what is none is 0."""
    first, second = (int(word) if word.isdecimal() and word.isascii() else 0 for word in (*words, "", "")[:2])
    return first, second
