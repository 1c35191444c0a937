"""The last messages of tables that an earlier run has closed and did not get to show as closed."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from bot.line.failures import DiscordFailed, EditsLimited, TryLater
from bot.line.payloads import message_data
from bot.line.request_queue import Priority, RequestLine
from bot.render.hand.result import HandLine, hand_line, shrunk_panel, with_hand
from bot.render.message.panel import payload
from bot.render.table.sheet import ended_panel
from bot.runtime.ended_tables import ENDED_TABLES, EndedTable
from bot.runtime.saved_values import SavedValues, ValueStorage
from bot.surfaces.due_work import DueWork
from bot.surfaces.keeper import NOWHERE, Drawing, LiveMessage, Location, Surface
from bot.surfaces.scenes import hand_log_scene
from bot.surfaces.table.message import TableOwner
from bot.surfaces.table.saved import NO_HAND, SavedMessage
from bot.text.language import reading

log = logging.getLogger(__name__)


class LastMessage(Surface):
    """The last message of one of them. A message with hands is left to them, as while the dealer runs: another one is posted, or the sheet
    of the game follows.

    Args:
        saved: the message of the table, as far as that is known.
        hands: what is left of the hands that it shows.
    """

    new_message = Priority.TABLE
    returns = False

    def __init__(
        self,
        owner: TableOwner,
        ended: EndedTable,
        saved: SavedMessage | None,
        hands: tuple[HandLine, ...],
    ) -> None:
        self._owner, self._ended, self._hands = owner, ended, hands
        location = saved.location if saved is not None and saved.channel == ended.address.channel else NOWHERE
        self._left = dict(zip(saved.outdated, saved.left, strict=False)) if saved is not None else {}
        self._message = location.message
        self._is_over = False
        self.live = LiveMessage(owner.keeper, self, location)

    @property
    def line(self) -> RequestLine:
        return RequestLine(self._ended.address.guild, self._ended.game.practice)

    async def find_channel(self) -> int:
        return self._ended.address.channel

    def is_new_due(self, location: Location) -> bool:
        return not self._is_over and (not location.message or (bool(self._hands) and not self._leaves_hands))

    @property
    def _leaves_hands(self) -> bool:
        """Whether the message makes room for the sheet of the game: its hands are left."""
        return self._ended.game.has_sheet and bool(self._hands)

    def draw(self, location: Location) -> Drawing | None:
        table = self._ended.address.id
        with reading(self._owner.keeper.discord_api.servers.language(self._ended.address.guild)):
            is_left = self._leaves_hands and location.message != 0
            panel = shrunk_panel(table, self._hands) if is_left else ended_panel(table, self._ended.game)
            return Drawing(message_data(payload(panel), keeps_files=False))

    def arrived(self, drawing: Drawing, location: Location) -> None:
        self._note_where(location)
        if location.is_settled:
            self._finish(is_shown=True)

    async def save(self, location: Location, token: object) -> None:
        self._note_where(location)
        if location.is_settled and self.live.is_up_to_date and not self._hands:
            self._finish(is_shown=True)
        saved = SavedMessage(
            location.channel,
            location.message,
            NO_HAND,
            location.sent_at,
            nonce=location.nonce,
            outdated=location.outdated,
            hands=self._hands,
            left=tuple([self._left.get(message, ()) for message in location.outdated]),
        )
        if not self._is_over:
            await self._owner.save(self._ended.address.id, saved)

    async def take_away(self, location: Location, message: int) -> None:
        """Shrink a message to its hands; one that has none is deleted."""
        api, language = self._owner.keeper.discord_api, self._owner.keeper.discord_api.servers
        if hands := self._left.get(message):
            with reading(language.language(self._ended.address.guild)):
                data = message_data(payload(shrunk_panel(self._ended.address.id, hands)), keeps_files=False)
            try:
                await api.edit(self.line, location.channel, message, data)
            except EditsLimited:
                log.info("hands_not_left", extra={"table": self._ended.address.id})
            else:
                return
        await api.delete(self.line, location.channel, message)

    async def failed(self, error: DiscordFailed) -> bool:
        if isinstance(error, TryLater | EditsLimited):
            return False
        log.info("last_message_failed", extra={"table": self._ended.address.id, "error": repr(error)})
        self._finish(is_shown=False)
        return True

    def _note_where(self, location: Location) -> None:
        """The table has a new message: the one before is left to its hands."""
        if location.message and location.message != self._message:
            self._left[self._message], self._hands = self._hands, ()
            self._message = location.message

    def _finish(self, *, is_shown: bool) -> None:
        if not self._is_over:
            self._is_over = True
            self.live.work.stop()
            shows_sheet = is_shown and not self._leaves_hands
            self._owner.over(self._ended, self.live.location.message if shows_sheet else 0)


class LastMessages:
    """All of them."""

    def __init__(self, owner: TableOwner, storage: ValueStorage) -> None:
        self._owner = owner
        self._saved = SavedValues(ENDED_TABLES, storage)
        self._messages: dict[int, LastMessage] = {}

    async def open(self, saved_messages: dict[int, SavedMessage]) -> None:
        """Show what an earlier run did not get to show. `saved_messages`: those of the tables that are closed."""
        for table, ended in (await self._saved.load()).items():
            saved = saved_messages.pop(table, None)
            message = LastMessage(self._owner, ended, saved, await self._hands_of(ended, saved))
            self._messages[table] = message
            message.live.work.start()
            message.live.work.wake()

    def owe(self, table: int) -> bool:
        """Return whether a table's last message is still to be shown."""
        return table in self._messages

    @property
    def works(self) -> Iterator[DueWork]:
        """What brings them to Discord."""
        return iter([message.live.work for message in self._messages.values()])

    async def forget(self, table: int) -> None:
        """A table's last message is there, or cannot be."""
        self._messages.pop(table, None)
        await self._saved.forget(table)

    def stop(self) -> None:
        """Show nothing more in this run."""
        for message in self._messages.values():
            message.live.work.stop()

    async def _hands_of(self, ended: EndedTable, saved: SavedMessage | None) -> tuple[HandLine, ...]:
        """Return what is left of the hands in a table's message, with the one that it shows."""
        if saved is None or saved.channel != ended.address.channel:
            return ()
        hands = saved.hands
        if saved.hand and not (hands and hands[-1].last >= saved.hand):
            log_of_hand = await self._owner.finished_hand(ended.address.id, saved.hand)
            if log_of_hand is not None and log_of_hand.view.over:
                with reading(self._owner.keeper.discord_api.servers.language(ended.address.guild)):
                    return with_hand(hands, hand_line(hand_log_scene(log_of_hand, self._owner.emoji_decks.four_colour)))
        return hands
