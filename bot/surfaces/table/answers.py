"""How clicks on tables' messages are answered: by redrawing the message, whose next edits go by their tokens; and how a table is opened."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from bot.line.interaction import InteractionInfo
from bot.line.tokens import Token
from bot.runtime.tables import Tables
from bot.surfaces.keeper import Keeper, Location
from bot.surfaces.replies import Reply
from bot.surfaces.table.message import TableMessage


class ShownTables(Protocol):
    """The tables whose messages are clicked (`bot.surfaces.table.display.TableDisplay`)."""

    keeper: Keeper

    def message_of(self, table: int) -> TableMessage | None: ...


class TableAnswers:
    """Answers clicks on tables' messages."""

    def __init__(self, tables: ShownTables, running: Tables) -> None:
        self._tables, self._running, self._keeper = tables, running, tables.keeper
        self._opening: dict[str, TableMessage | None] = {}

    def answering(self, table: int) -> AbstractContextManager[None]:
        """Inside, a click is answered by redrawing the table's live message, so that need not be drawn otherwise."""
        message = self._tables.message_of(table)
        return message.live.answering() if message is not None else nullcontext()

    async def answer(self, reply: Reply, info: InteractionInfo, table: int) -> None:
        """Answer a click by redrawing the table's live message, inside `answering`.

        It waits for no picture, unless an all-in hand is run out: that of a new street follows by the click's token.
        If the message that was clicked is not, or no longer, the live one, a new one shows what has become of the click.
        """
        message, token = self._tables.message_of(table), self._token(info)
        if message is not None and message.message == info.message:
            await message.prepare_answer()
        while message is not None and message.message == info.message and message.contents.closed is None:
            drawing = await message.live.draw_answer()
            if drawing is None:
                break
            arrived = False
            try:
                arrived = await reply.redraw_table(drawing)
            finally:
                message.live.answered(drawing, token, arrived=arrived, refused=reply.refusal)
            if reply.refusal is None:
                return
        await reply.acknowledge()
        self.note_click(info)

    def note_press(self, info: InteractionInfo) -> None:
        """A press on a table's message was acknowledged without redrawing it: its token can edit the message for a while."""
        if (message := self._message_in(info)) is not None:
            message.live.can_edit(self._token(info))

    def note_click(self, info: InteractionInfo) -> None:
        """A click on a public message has been answered: for a while its token can post in the channel."""
        if (message := self._message_in(info)) is not None:
            message.live.clicks.can_follow(self._token(info))

    def _message_in(self, info: InteractionInfo) -> TableMessage | None:
        """Return the live message of the channel's table. It is asked at every click."""
        found = self._running.table_in_channel(info.guild, info.channel)
        return self._tables.message_of(found.id) if found is not None else None

    def _token(self, info: InteractionInfo) -> Token:
        application, now = self._keeper.discord_api.by_token.application, self._keeper.clock.now()
        return Token(application, info.id, info.token, now, info.channel, info.message)

    # opening a table

    def begin_opening(self, key: str) -> None:
        """The answer to this request will be the first message of the table that it opens."""
        self._opening[key] = None

    def note_opened(self, key: str, message: TableMessage) -> None:
        """A request has opened a table: its message waits, if the answer becomes that."""
        if key in self._opening:
            self._opening[key] = message
            message.live.work.hold()

    def end_opening(self, key: str, message: int, token: Token | None) -> None:
        """The request to open a table has been answered.

        Args:
            message: the answer, now the table's message; 0 if it did not reach Discord.
            token: what can edit it.
        """
        opened = self._opening.pop(key, None)
        if opened is not None:
            self._keeper.tasks.run(self._adopt(opened, message, token), "opened")

    async def _adopt(self, opened: TableMessage, message: int, token: Token | None) -> None:
        try:
            if message:
                location = Location(opened.contents.newest.address.channel, message, self._keeper.clock.now())
                await opened.live.adopt(location, token)
        finally:
            opened.live.work.release()
            opened.wake()
