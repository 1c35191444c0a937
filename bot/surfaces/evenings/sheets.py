"""The sheets with which games end, and those of games that take a long rest: shown, kept, and changed when somebody's name has to go."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import discord
from msgspec.structs import replace

from bot.line.api import DiscordApi
from bot.line.site import DealerSite
from bot.runtime.clock import AlarmClock
from bot.runtime.ended_tables import ENDED_TABLES, EndedTable
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.luck_teller import LuckTeller
from bot.runtime.nights import Nights
from bot.runtime.saved_values import SavedValues, ValueStorage
from bot.runtime.snapshot import TableAddress, TableUpdate
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.signals import ChannelChanged, GuildLeft, LastMessageShown, RolesChanged, Signals
from bot.surfaces.answer_pictures import AnswerPictures
from bot.surfaces.evenings.rests import Rests
from bot.surfaces.evenings.saved import KEPT_MS, SHEETS, KeptSheet, TableSheets
from bot.surfaces.evenings.sheet import SheetMessage
from bot.surfaces.evenings.teller import EveningTeller
from bot.surfaces.keeper import NOWHERE, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.rooms.saved_rooms import TableRooms
from bot.surfaces.scenes import EmojiDecks
from bot.table.ended_game import EndedGame

log = logging.getLogger(__name__)


class EveningSheets(Part):
    """Shows them.

    Attributes:
        keeper, emoji_decks, teller: what its messages are kept, written and drawn with.
        nights: the game nights that are planned.
        link: what the addresses of messages begin with.
    """

    def __init__(
        self,
        tables: Tables,
        luck: LuckTeller,
        discord_api: DiscordApi,
        emoji_decks: EmojiDecks,
        pictures: AnswerPictures,
        rooms: TableRooms,
        nights: Nights,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
        signals: Signals,
    ) -> None:
        self._tables, self._servers, self._signals, self._clock = tables, discord_api.servers, signals, clock
        self._rooms, self.nights = rooms, nights
        self.keeper, self.emoji_decks, self.link = Keeper(discord_api, clock), emoji_decks, site.link
        self.tasks = self.keeper.tasks
        self.teller = EveningTeller(tables, luck, discord_api, pictures)
        self._saved, self._ended = SavedValues(SHEETS, storage), SavedValues(ENDED_TABLES, storage)
        self._sheets: dict[int, list[SheetMessage]] = {}
        self._due: set[int] = set()
        self._calling = KeyedLocks[int]()
        self._rests = Rests(tables, clock, self.tasks, self._show_rest)
        self._is_open = False
        signals.on(ChannelChanged, lambda signal: self._try_again(signal.guild))
        signals.on(RolesChanged, lambda signal: self._try_again(signal.guild))
        signals.on(GuildLeft, self._on_guild_left)

    # between runs

    async def load(self) -> None:
        """Read which sheets an earlier run has left to be shown."""
        self._due = {table for table, ended in (await self._ended.load()).items() if ended.game.has_sheet}
        for table, saved in (await self._saved.load()).items():
            messages = [SheetMessage(self, saved.address, kept.without_names()) for kept in saved.sheets]
            self._sheets[table] = messages

    async def open(self) -> None:
        """Take up the sheets of earlier runs, and forget those that are too old."""
        if self._is_open:
            return
        self._is_open = True
        self.teller.open()
        self._forget_old()
        for sheet in tuple(self._all()):
            self._take_up(sheet)
        await self._rests.open({table: self._hands_told(table) for table in self._sheets})

    def _take_up(self, sheet: SheetMessage) -> None:
        kept = sheet.kept
        if not kept.is_shown:
            sheet.start()
        elif kept.former != kept.former_players:  # killed while somebody's data was being deleted
            sheet.change(kept)
            sheet.line_above.change()
        sheet.line_above.start()

    def _forget_old(self) -> None:
        for table, messages in tuple(self._sheets.items()):
            young = [one for one in messages if one.kept.due_at + KEPT_MS > self._clock.now()]
            if young:
                self._sheets[table] = young
            else:
                del self._sheets[table]
                self.tasks.run(self._saved.forget(table), f"forget-sheet-{table}")

    async def close(self) -> None:
        self._is_open = False
        self._rests.stop()
        await self.tasks.finish(seconds=2.0)
        for sheet in self._all():
            sheet.stop()

    def on_update(self, update: TableUpdate) -> None:
        self._rests.follow(update)

    def _all(self) -> Iterator[SheetMessage]:
        return (sheet for sheets in self._sheets.values() for sheet in sheets)

    # what is due

    def owes(self, table: int) -> bool:
        """Whether the sheet of a table that has closed is still to be shown in its room."""
        return table in self._due or any(not one.kept.is_shown and not one.kept.game.rests for one in self._of(table))

    def game_of(self, table: int) -> EndedGame | None:
        """Return what a table that has closed has come to, as its sheet says; None where it has none."""
        return next((one.kept.game for one in self._of(table) if not one.kept.game.rests), None)

    def _of(self, table: int) -> list[SheetMessage]:
        return self._sheets.get(table, [])

    def _hands_told(self, table: int) -> int:
        """Return after how many hands the newest sheet of a table was shown; 0 for none."""
        return max((one.kept.game.hands for one in self._of(table)), default=0)

    async def take_over(self, ended: EndedTable, message: int) -> None:
        """A table has closed, and its own message is done. If people have played there, the sheet follows.

        Args:
            message: the last one of the table, if it shows the sheet already; 0 where another one is due.
        """
        address, game = ended.address, ended.game
        if not game.has_sheet:
            return
        self._due.discard(address.id)
        if any(not one.kept.game.rests for one in self._of(address.id)):  # killed in the middle of this
            return
        location = Location(address.channel, message, self._clock.now()) if message else NOWHERE
        await self._begin(address, game, location)

    async def _show_rest(self, address: TableAddress, game: EndedGame) -> None:
        if game.has_sheet and self._hands_told(address.id) < game.hands:
            await self._begin(address, game, NOWHERE)

    async def _begin(self, address: TableAddress, game: EndedGame, location: Location) -> None:
        self._forget_old()
        room_of, is_private = self._room_of(address)
        is_for_all = not (is_private or game.private or game.rests)
        above = self._servers.channel_or_thread(address.guild, room_of) if is_for_all else None
        parent = room_of if isinstance(above, discord.TextChannel) else 0
        kept = KeptSheet(game, self._clock.now(), location, room_of, parent, is_told=not parent)
        sheet = SheetMessage(self, address, kept)
        self._sheets.setdefault(address.id, []).append(sheet)
        try:
            await self._save(address.id)
        except StoreError as error:  # it is saved before it is sent, or later
            log.warning("sheet_not_saved", extra={"table": address.id, "error": repr(error)})
        sheet.start()
        sheet.line_above.start()

    def _room_of(self, address: TableAddress) -> tuple[int, bool]:
        """Return the channel or forum that a room is a thread of, 0 for none; and whether only some people can find it."""
        made = self._rooms.of(address.id)
        if made is not None and made.title:
            return made.parent, made.private
        room = self._servers.channel_or_thread(address.guild, address.channel)
        return (room.parent_id, room.is_private()) if isinstance(room, discord.Thread) else (0, False)

    # what its sheets tell

    async def keep(self, sheet: SheetMessage) -> None:
        await self._save(sheet.address.id)

    async def keep_line(self, sheet: SheetMessage, location: Location, *, is_told: bool) -> None:
        sheet.note(line=location, is_told=is_told)
        await self._save(sheet.address.id)

    def shown(self, sheet: SheetMessage) -> None:
        self.tasks.run(self._save(sheet.address.id), f"save-sheet-{sheet.address.id}")
        if not sheet.kept.game.rests:
            self._signals.send(LastMessageShown(sheet.address.id))

    async def _save(self, table: int) -> None:
        """Save the sheets of a table. Raises `StoreError`."""
        messages = self._of(table)
        if messages:
            await self._saved.keep(table, TableSheets(messages[0].address, tuple([one.kept for one in messages])))

    # what happens

    def _try_again(self, guild: int) -> None:
        """What the bot can do in a server has changed."""
        for sheet in self._all():
            if sheet.address.guild == guild and not sheet.kept.is_shown:
                sheet.try_again()

    def _on_guild_left(self, signal: GuildLeft) -> None:
        for table, messages in tuple(self._sheets.items()):
            if messages[0].address.guild == signal.guild:
                for sheet in self._sheets.pop(table):
                    sheet.stop()
                self.tasks.run(self._saved.forget(table), f"forget-sheet-{table}")

    async def forget(self, guild: int, user: int) -> None:
        """Somebody's data was deleted: their sheets lose the name at once, and so do the lines above."""
        for table, messages in tuple(self._sheets.items()):
            if messages[0].address.guild != guild:
                continue
            saved = await self._saved.get(table)
            stored = {(one.game.hands, one.game.rests): one.game for one in saved.sheets} if saved is not None else {}
            changed: list[SheetMessage] = []
            for sheet in messages:
                known = sheet.kept.game
                game = stored.get((known.hands, known.rests), known)
                kept = replace(sheet.kept, game=game).forgetting(user)
                if kept.game != known or sheet.is_behind:
                    sheet.change(kept)
                    changed.append(sheet)
            if changed:
                await self._save(table)
            for sheet in changed:
                sheet.line_above.change()

    # playing again

    @asynccontextmanager
    async def again(self, guild: int, table: int) -> AsyncIterator[SheetMessage | None]:
        """Within the ``with`` block one person alone plays again from a sheet; None where nobody can any more."""
        async with self._calling.of(table):
            yield next((one for one in self._of(table) if one.address.guild == guild and not one.kept.game.rests), None)

    async def note_again(self, sheet: SheetMessage, table: int) -> None:
        """A table was opened from a sheet."""
        sheet.note(again=table)
        await self._save(sheet.address.id)
