"""Hands from a file (`/hand hands:import`), read, played and ruled on. Nothing of them counts, and only who gave them sees them."""

from bot.line.interaction import InteractionInfo
from bot.render.hand.hand_imports import FILE_FIELD, checked_panel, hand_panel, import_form, verdict
from bot.render.hand.replay_ids import FileStep, parse_file_step_words
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import FileNotFetched, ImportForgotten
from bot.surfaces.imports.hand_imports import ImportedFile
from bot.surfaces.replies import Reply
from bot.text.hand_files import MAX_FILE_BYTES
from bot.text.language import current
from cogs.presses import replaying
from cogs.support.services import Effort, PageClick, Services

_PAGES = frozenset({"first", "back", "next", "last"})
_STEPS = {f"step{verb}" for verb in (*replaying.TURNS, "open")}


class ImportPages:
    """Shows hands from a file."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def page(self, click: PageClick) -> None:
        """Answer a click about imported hands: open the form, take its file, show a hand.

        Raises:
            FileTooHard, FileNotFetched, ImportForgotten: there is nothing to show.
            FileBeingRead, WorkTimeUsed, OneMoment: they have to wait first.
        """
        info, press, reply = click.info, click.press, click.reply
        match press.verb:
            case "open":
                await reply.form(import_form(info.id))
            case "given":
                await reply.private(await self._checked(click))
            case "list":
                id_, first = _numbers(press.words)
                await reply.redraw(payload(_list(await self.services.imports.find(id_, info.user), first)))
            case "hand":
                id_, _ = _numbers(press.words)
                _, number = _numbers(("", info.values[0] if info.values else ""))
                await self.show_step(info, reply, FileStep(id_, number))
            case verb if verb in _STEPS or verb == "steplog":
                at = parse_file_step_words(press.words)
                if at is None:
                    raise ImportForgotten
                if verb == "steplog":
                    await reply.redraw(payload(await self._streets(info.user, at.file, at.hand, 1)))
                    return
                step = replaying.chosen_step(info.values) if verb == "stepstreet" else at.step
                await self.show_step(info, reply, FileStep(at.file, at.hand, step))
            case verb if verb in _PAGES:
                file_and_hand, _, page = "|".join(press.words).partition("|")
                id_, number = _numbers(tuple(file_and_hand.split(".")))
                _, page_number = _numbers(("", page))
                await reply.redraw(payload(await self._streets(info.user, id_, number, page_number)))
            case _:
                raise ImportForgotten

    async def show_step(self, info: InteractionInfo, reply: Reply, at: FileStep) -> None:
        """Answer with a step of a hand; with its streets where it cannot be told step by step.

        Args:
            at: its file can be 0: then it is the one that is kept of whoever asks.

        Raises:
            ImportForgotten: the person has given no such hand.
        """
        imports = self.services.imports
        file = await imports.find(at.file, info.user)
        replay = await imports.replay(file, at.hand)
        if replay is None:
            panel = await self._streets(info.user, file.id, at.hand, 1)
            await (reply.redraw(payload(panel)) if info.message_is_private else reply.private(panel))
            return
        hand = next(one for one in file.checked.hands if one.number == at.hand)
        await replaying.show_file_step(self.services, info, reply, replay, at.step, file.id, verdict(hand))

    async def _checked(self, click: PageClick) -> Panel:
        info = click.info
        given = info.files.get(info.fields.get(FILE_FIELD, ""))
        if given is None:
            raise FileNotFetched
        self.services.imports.turns.require_may_give(info.user)
        self.services.spend(Effort.IMPORT, info.user)
        self.services.spend(Effort.FILE_OF_SERVER, info.guild)
        content = b" " * (MAX_FILE_BYTES + 1)  # one that is too long is not fetched
        if given.size <= MAX_FILE_BYTES:
            content = await self.services.discord_api.by_token.fetch_file(given.url, MAX_FILE_BYTES)
        return _list(await self.services.imports.check(info.user, given.name, content, current().code))

    async def _streets(self, user: int, id_: int, number: int, page: int) -> Panel:
        """Return a street of a hand.

        Raises:
            ImportForgotten: the person has given no such hand.
        """
        file = await self.services.imports.find(id_, user)
        hand = next((one for one in file.checked.hands if one.number == number), None)
        if hand is None:
            raise ImportForgotten
        return hand_panel(id_, hand, hand.pages(), page)


def _list(file: ImportedFile, first: int = 0) -> Panel:
    return checked_panel(file.id, file.name, file.checked, first, until=file.expires_at // 1000, kept=file.kept)


def _numbers(words: tuple[str, ...]) -> tuple[int, int]:
    """Read up to two numbers of a button; what is none is 0."""
    first, second = (
        int(word) if word.isdecimal() and word.isascii() and len(word) < 18 else 0 for word in (*words, "", "")[:2]
    )
    return first, second
