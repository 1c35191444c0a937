"""Play again from the sheet of a game: the same game for the same people."""

import discord
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, Text
from bot.render.table.open_form import Where
from bot.render.table.sheet import PRACTICE
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.evenings.sheet import SheetMessage
from bot.table.settings import TableSettings, without_appointment
from bot.text import confirmations
from bot.text import duels as duel_words
from bot.text import sheet as words
from bot.text.language import t
from cogs.presses import duels, opening, seating
from cogs.support.services import PageClick


async def press(click: PageClick) -> None:
    """Open the same game again and call those who have played it; where somebody has done that already, go there.

    Raises:
        TableError: whoever presses cannot open or join it.
    """
    services, info = click.services, click.info
    if click.press.verb == PRACTICE:
        await _practise_again(click)
        return
    async with services.sheets.again(info.guild, click.press.number()) as sheet:
        settings = await services.tables.last_settings(sheet.address.id) if sheet is not None else None
        if sheet is None or settings is None:
            await click.reply.private(notice_panel(t(words.TOO_OLD)))
            return
        game = sheet.kept.game
        if game.duel is not None and info.user not in game.people:
            await click.reply.private(notice_panel(t(duel_words.ONLY_THE_TWO)))
            return
        if game.private and info.user not in (*game.people, *game.invited):
            await click.reply.private(notice_panel(t(words.ONLY_GUESTS)))
            return
        request = replace(await services.request(info), key=f"again.{sheet.address.id}.{sheet.kept.again}")
        running = await _running(click, sheet, request.key)
        if running is not None:
            await _join(click, running)
            return
        try:
            await _open(click, sheet, settings, request)
        finally:  # also where the table is open, and whoever has opened it gets no seat
            await _note(click, sheet, request)


async def _practise_again(click: PageClick) -> None:
    """Play a duel against a practice player again, as it was."""
    services, info, table = click.services, click.info, click.press.number()
    settings, wanted = await services.tables.last_settings(table), await services.tables.last_sit_and_go(table)
    if settings is None or wanted is None or wanted.duel is None or wanted.duel.opponent.player > 0:
        await click.reply.private(notice_panel(t(words.TOO_OLD)))
        return
    if info.user != wanted.duel.challenger.player:
        await click.reply.private(notice_panel(t(duel_words.ONLY_THE_TWO)))
        return
    wanted = await duels.again(services, info.guild, wanted, info.user)
    in_room = isinstance(services.discord_api.servers.channel_or_thread(info.guild, info.channel), discord.Thread)
    await opening.open_duel(services, info, click.reply, without_appointment(settings), wanted, in_room=in_room)


async def _running(click: PageClick, sheet: SheetMessage, key: str) -> TableSnapshot | None:
    """Return the table that was opened from a sheet before, if it is open: also by a dealer that was killed then."""
    tables = click.services.tables
    for table in (sheet.kept.again, await tables.opened_by(key)):
        try:
            return tables.snapshot(table)
        except TableError:
            continue
    return None


async def _open(click: PageClick, sheet: SheetMessage, settings: TableSettings, request: Request) -> None:
    services, info, game = click.services, click.info, sheet.kept.game
    wanted = await services.tables.last_sit_and_go(sheet.address.id) if settings.is_event else None
    if wanted is not None and wanted.duel is not None:
        wanted = await duels.again(services, info.guild, wanted, info.user)
        await duels.require_may_challenge(services, info, wanted)
    can_sit = settings.has_table_chips or await services.buy_ins.reach(info.guild, info.request()) >= settings.min_buyin
    where = _where(click, sheet)
    channel = info.channel if where is Where.HERE else _parent(sheet)
    new = opening.TableToOpen(
        without_appointment(settings),
        practice_players=int(settings.has_table_chips),  # until somebody comes (TC-8)
        host_sits=can_sit,
        takes_gifts=True,
        where=where,
        invited=tuple(sorted({*game.people, *game.invited} - {info.user})) if game.private else (),
        sit_and_go=wanted,
    )
    await opening.open_table(services, request, click.reply, new, replace(info, channel=channel))


def _where(click: PageClick, sheet: SheetMessage) -> Where:
    """Return the kind of room that the game had; where another table is in its channel, a thread there."""
    services, address = click.services, sheet.address
    if sheet.kept.game.private:
        return Where.PRIVATE
    is_free = services.tables.table_in_channel(address.guild, address.channel) is None
    return Where.HERE if not sheet.kept.room_of and is_free else Where.THREAD


def _parent(sheet: SheetMessage) -> int:
    """Return the channel in which a room like that of the game is made."""
    return sheet.kept.room_of or sheet.address.channel


async def _note(click: PageClick, sheet: SheetMessage, request: Request) -> None:
    """Remember the table that was opened, and call the others to it."""
    services = click.services
    table = await services.tables.opened_by(request.key)
    if not table or table == sheet.kept.again:
        return
    await services.sheets.note_again(sheet, table)
    snapshot = services.tables.snapshot(table)
    if sheet.kept.game.duel is not None:
        await services.duel_calls.call(table)
    elif not snapshot.is_private:  # there they are invited
        await services.return_calls.call(snapshot, click.info.user, sheet.kept.game.people)


async def _join(click: PageClick, running: TableSnapshot) -> None:
    """Seat whoever presses at the table that is open already."""
    services, info = click.services, click.info
    request = replace(await services.request(info), table=running.id, channel=running.address.channel)
    if seating.seat_of(running, info.user) is not None:
        panel = await seating.own_menu(services, request, running)
    else:
        panel = await seating.sit_down(services, request, running)
    where = Text(t(confirmations.SEATED_IN_CHANNEL, channel=f"<#{running.address.channel}>"))
    await click.reply.private(
        panel if running.address.channel == info.channel else Panel(panel.accent, (where, *panel.blocks))
    )
