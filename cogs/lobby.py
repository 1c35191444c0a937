"""`/lobby`, and the buttons of the lobby: join a table, watch one, open one, be told of what is new."""

from bot.line.interaction import InteractionInfo
from bot.render.message.custom_ids import PagePress
from bot.render.message.panel import Panel, payload
from bot.render.table import lobby_board
from bot.render.table.open_form import Where
from bot.runtime.errors import TableGone
from bot.runtime.snapshot import TableOutline
from bot.surfaces.lobby.boards import listed
from bot.table.commands import JoinWaitingList
from bot.text import lobby_board as words
from bot.text.language import t
from cogs.cog import ServicesCog
from cogs.open import OpenCog
from cogs.presses import seating
from cogs.support import confirmations
from cogs.support.commands import Invocation, slash_command
from cogs.support.services import PageClick, Services


class LobbyCog(ServicesCog):
    """`/lobby`, and the clicks on the board."""

    def __init__(self, services: Services, opening: OpenCog) -> None:
        self.services = services
        self._opening = opening

    @slash_command("lobby")
    async def lobby(self, invocation: Invocation) -> Panel:
        return await self._list_panel(invocation.info, 1)

    async def page(self, click: PageClick) -> None:
        """Answer a click on the board, on the list of tables, or on a table that somebody looks at. Each is answered in private.

        Raises:
            TableGone: the table is closed, or the reader cannot know of it.
        """
        info, press = click.info, click.press
        number = press.number()
        match press.verb:
            case "open":
                await click.reply.form(await self._opening.form(info, where=Where.ROOM))
            case "all":
                panel = await self._list_panel(info, number or 1)
                if info.message_is_private:
                    await click.reply.redraw(payload(panel))
                else:
                    await click.reply.private(panel)
            case "choose":
                chosen = info.values[0] if info.values else ""
                table = int(chosen) if chosen.isdecimal() and len(chosen) <= 18 else 0
                await click.reply.private(self._watch_panel(info, await self._table(info, table)))
            case "watch":
                await click.reply.private(self._watch_panel(info, await self._table(info, number)))
            case "join" | "called":
                await click.reply.private(await self._join(info, (await self._table(info, number)).id))
            case "tell" | "untell":
                await click.reply.private(await self._tell_of_seat(info, number, wanted=press.verb == "tell"))
            case "tables":
                await click.reply.private(await self._tell_of_tables(info, press))
            case _:
                await click.reply.acknowledge()

    async def _tell_of_seat(self, info: InteractionInfo, table: int, *, wanted: bool) -> Panel:
        """Tell somebody of a free seat at a table that is full, or no more."""
        if not wanted:
            await self.services.seat_pings.stop(table, info.user)
            return confirmations.done(t(words.NOT_TOLD_OF_SEAT))
        snapshot = await self._table(info, table)
        if seating.seat_of(snapshot, info.user) is not None:
            request = await self.services.request(info, table=table)
            return await seating.own_menu(self.services, request, self.services.tables.snapshot(table))
        quiet_until = 0
        if not snapshot.seats_for_newcomers:
            quiet_until = await self.services.seat_pings.ask(snapshot, info.user)
        return lobby_board.told_of_seat_panel(listed(snapshot), quiet_until)

    async def _tell_of_tables(self, info: InteractionInfo, press: PagePress) -> Panel:
        """Tell somebody of new tables in a server, or no more. In a direct message the button says in which."""
        wanted = press.words[:1] == ("on",) and info.guild != 0
        guild = info.guild or (press.number(1) if not wanted else 0)
        if guild:
            await self.services.table_calls.set_wanted(guild, info.user, wanted=wanted)
        return lobby_board.told_of_tables_panel(guild, wanted=wanted)

    async def _table(self, info: InteractionInfo, table: int) -> TableOutline:
        """Return a table by its id.

        Raises:
            TableGone: it is closed, or the reader cannot know of it: somebody has made up the id.
        """
        for snapshot in self.services.tables.tables_seen_by(await self.services.request(info)):
            if snapshot.id == table:
                return snapshot
        raise TableGone

    async def _list_panel(self, info: InteractionInfo, page: int) -> Panel:
        seen = self.services.tables.tables_seen_by(await self.services.request(info))
        tables = [one for one in seen if not one.is_challenge]
        return lobby_board.list_panel([listed(snapshot) for snapshot in tables], page)

    def _watch_panel(self, info: InteractionInfo, snapshot: TableOutline) -> Panel:
        is_seated = seating.seat_of(snapshot, info.user) is not None
        asks = self.services.seat_pings.asks(snapshot.id, info.user)
        link = self.services.display.link_to(snapshot)
        return lobby_board.watch_panel(listed(snapshot), link, is_seated=is_seated, asks=asks)

    async def _join(self, info: InteractionInfo, table: int) -> Panel:
        """Take a seat with the usual buy-in; where none is free, wait for one. Whoever sits there gets their own menu."""
        services = self.services
        request, snapshot = await services.request(info, table=table), services.tables.snapshot(table)
        note = words.SEATED_AT
        if seating.seat_of(snapshot, info.user) is not None:
            panel = await seating.own_menu(services, request, snapshot)
        elif snapshot.table.free_seats:
            panel = await seating.sit_down(services, request, snapshot)
        else:
            command = JoinWaitingList(info.user, info.name)
            panel, note = confirmations.waiting(await services.tables.ask(request, command)), words.WAITING_AT
        there = t(note, channel=f"<#{snapshot.address.channel}>")
        return lobby_board.with_way_there(panel, there, services.display.link_to(snapshot))
