"""The panel of a sit-and-go whose table has a room of its own: a message in the channel above, where people enter and follow it.

Before the start it takes entries. While it is played it tells what the table's message has no room for: who is in with how much, who is
out, the next level, the prizes. It is redrawn at most once a hand and in two minutes, sooner for a level, a pause, or somebody who goes
out, after everything that the tables send. When the event is over it goes: the line that leads to the sheet says who has won. A table in
the channel needs none.
"""

from __future__ import annotations

import logging

import discord
from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.by_token import Token
from bot.line.failures import ChannelGone, DiscordFailed, NotAllowed
from bot.line.payloads import message_data
from bot.line.request_queue import Priority, RequestLine
from bot.line.site import DealerSite
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import payload
from bot.render.table.rebuys import PAGE
from bot.render.table.sit_and_go import panel_above
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import OF_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.runtime.tables import Tables
from bot.signals import ChannelDeleted, GuildLeft, MessagesDeleted, Signals, TablePosted
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.part import Part
from bot.surfaces.rooms.saved_rooms import TableRooms
from bot.text.language import reading

log = logging.getLogger(__name__)

EDIT_MS, PLAYED_MS = 5_000, 120_000
"""The time between two edits, where something else has happened than another hand, and where nothing has."""


class SavedPanel(Struct, frozen=True):
    """A panel, as it is saved between runs. `message`, `nonce`, `outdated` as in `Location`."""

    guild: int
    channel: int
    message: int = 0
    nonce: str = ""
    outdated: tuple[int, ...] = ()

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, nonce=self.nonce, outdated=self.outdated)


_PANELS = SavedKind[int, SavedPanel]("eventpanel.", OF_A_TABLE, SavedPanel)


class EventPanel(Surface):
    """One of them. `table`: the id of its table."""

    new_message = redraw = Priority.BACKGROUND
    replaces_old = False

    def __init__(self, panels: EventPanels, table: int, saved: SavedPanel) -> None:
        self._panels, self.table, self.saved = panels, table, saved
        self.mark = page_id(PAGE, "levels", table)
        self.live = LiveMessage(panels.keeper, self, saved.location)
        self.seen: tuple[object, int] = (None, 0)
        self._shown: object = None
        self._drawn_at = 0

    @property
    def line(self) -> RequestLine:
        return RequestLine(self.saved.guild)

    async def find_channel(self) -> int:
        return self.saved.channel

    def draw(self, location: Location) -> Drawing | None:
        return self._panels.drawing(self)

    def possible_at(self, now: int, *, by_token: bool) -> int:
        return max(now, self._drawn_at + (PLAYED_MS if self.seen[0] == self._shown else EDIT_MS))

    async def goes(self, drawing: Drawing, location: Location) -> None:
        self._drawn_at = self._panels.keeper.clock.now()

    def arrived(self, drawing: Drawing, location: Location) -> None:
        self._shown = drawing.mark

    def look(self, facts: tuple[object, int]) -> None:
        """Redraw it if it shows something else now."""
        if facts != self.seen:
            self.seen = facts
            self.live.work.wake()

    async def save(self, location: Location, token: Token | None) -> None:
        self.saved = replace(self.saved, message=location.message, nonce=location.nonce, outdated=location.outdated)
        await self._panels.save(self)

    async def take_away(self, location: Location, message: int) -> None:
        await self._panels.keeper.discord_api.delete(self.line, location.channel, message)

    def ended(self) -> None:
        self._panels.forget_panel(self)

    async def failed(self, error: DiscordFailed) -> bool:
        if not isinstance(error, ChannelGone | NotAllowed):
            return False
        log.info("event_panel_refused", extra={"table": self.table, "channel": self.saved.channel})
        self._panels.forget_panel(self)
        return True


class EventPanels(Part):
    """The panels of all servers."""

    def __init__(
        self,
        discord_api: DiscordApi,
        tables: Tables,
        rooms: TableRooms,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
        signals: Signals,
    ) -> None:
        self._servers, self._tables, self._rooms, self._link = discord_api.servers, tables, rooms, site.link
        self.keeper = Keeper(discord_api, clock)
        self.tasks = self.keeper.tasks
        self._saved = SavedValues(_PANELS, storage)
        self._panels: dict[int, EventPanel] = {}
        self._refused: set[int] = set()
        self._is_open = False
        signals.on(TablePosted, lambda signal: self._look(signal.table))
        signals.on(MessagesDeleted, self._on_messages_deleted)
        signals.on(ChannelDeleted, self._on_channel_deleted)
        signals.on(GuildLeft, self._on_guild_left)

    async def open(self) -> None:
        """Take up the panels of an earlier run; those of events that are over go."""
        self._is_open = True
        for table, saved in (await self._saved.load()).items():
            panel = self._panels.setdefault(table, EventPanel(self, table, saved))
            if self._event_table(table) is None:
                panel.live.end()
        for snapshot in self._tables.all_tables():
            self._look(snapshot.id)

    async def close(self) -> None:
        self._is_open = False
        for panel in self._panels.values():
            panel.live.work.stop()
        await self.tasks.finish(seconds=1.0)

    def on_update(self, change: TableUpdate) -> None:
        """A table has changed. This is called under its lock: it compares a few facts, and awaits nothing."""
        snapshot = change.snapshot
        if snapshot.sit_and_go is None:
            return
        panel = self._panels.get(snapshot.id)
        if change.closed:
            self._refused.discard(snapshot.id)
            if panel is not None:
                panel.live.end()
        elif panel is None:
            self._look(snapshot.id)
        else:
            panel.look(_facts(snapshot))

    def _look(self, table: int) -> None:
        """Show the panel of an event, if it is to have one."""
        snapshot = self._event_table(table)
        if snapshot is None or not self._is_open or table in self._refused:
            return
        panel = self._panels.get(table)
        if panel is None:
            channel = self._channel_above(snapshot)
            if not channel:
                return
            self._panels[table] = panel = EventPanel(self, table, SavedPanel(snapshot.address.guild, channel))
        panel.live.work.start()
        panel.look(_facts(snapshot))

    def _event_table(self, table: int) -> TableSnapshot | None:
        """Return the open table of a sit-and-go; None for another one, and for a duel, which is between two."""
        try:
            snapshot = self._tables.snapshot(table)
        except TableError:
            return None
        event = snapshot.sit_and_go
        return snapshot if event is not None and event.is_open and event.settings.duel is None else None

    def _channel_above(self, snapshot: TableSnapshot) -> int:
        """Return the channel that the room of a table is a thread of, if everybody there can come in; 0 for none."""
        address, made = snapshot.address, self._rooms.of(snapshot.id)
        if snapshot.is_private or (made is not None and made.private):
            return 0
        room = self._servers.channel_or_thread(address.guild, address.channel)
        parent = room.parent_id if isinstance(room, discord.Thread) else made.parent if made is not None else 0
        above = self._servers.channel_or_thread(address.guild, parent) if parent else None
        return parent if isinstance(above, discord.TextChannel) else 0

    # what a panel asks for

    def drawing(self, panel: EventPanel) -> Drawing | None:
        """Draw a panel; None where its event is over."""
        snapshot = self._event_table(panel.table)
        event = snapshot.sit_and_go if snapshot is not None else None
        if snapshot is None or event is None:
            return None
        with reading(self._servers.language(panel.saved.guild)):
            link = f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}"
            drawn = panel_above(snapshot.id, snapshot.table, event, snapshot.average_stack, link)
            return Drawing(message_data(payload(drawn)), mark=panel.seen[0])

    async def save(self, panel: EventPanel) -> None:
        """Save a panel, if it is still shown. Raises `StoreError`."""
        if self._panels.get(panel.table) is panel:
            await self._saved.keep(panel.table, panel.saved)

    def forget_panel(self, panel: EventPanel) -> None:
        """A panel has gone, or cannot be shown."""
        panel.live.work.stop()
        self._refused.add(panel.table)
        if self._panels.pop(panel.table, None) is not None:
            self.tasks.run(self._saved.forget(panel.table), f"forget-event-panel-{panel.table}")

    # what happens

    def _on_messages_deleted(self, signal: MessagesDeleted) -> None:
        for panel in self._panels.values():
            if panel.saved.channel == signal.channel and panel.live.location.message in signal.messages:
                panel.live.lose()

    def _on_channel_deleted(self, signal: ChannelDeleted) -> None:
        for panel in [one for one in self._panels.values() if one.saved.channel == signal.channel]:
            self.forget_panel(panel)

    def _on_guild_left(self, signal: GuildLeft) -> None:
        for panel in [one for one in self._panels.values() if one.saved.guild == signal.guild]:
            self.forget_panel(panel)


def _facts(snapshot: TableSnapshot) -> tuple[object, int]:
    """What the panel shows, to compare with what it was, and the number of the hand: stacks can be another with each."""
    event = snapshot.sit_and_go
    assert event is not None, "no event"
    if not event.is_running:
        return (event.settings, tuple([one.player for one in event.entrants])), 0
    clock, players = event.clock, (len(event.entrants), len(event.players_in))
    return (event.level, clock.stopped_for, clock.resumes_at, players), snapshot.hand_number
