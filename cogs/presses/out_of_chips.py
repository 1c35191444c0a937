"""Clicks of somebody who has too few chips for a table: what the house gives, lower stakes, looking on."""

import contextlib

from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, Text
from bot.render.table.open_form import Where
from bot.render.table.way_on import is_out_of_chips
from bot.runtime.buy_ins import lower_settings
from bot.table.commands import LeaveTable, TopUp
from bot.text import confirmations as words
from bot.text import own_menu as menu_words
from bot.text.buttons import Verb
from bot.text.language import t
from cogs.presses import opening, seating
from cogs.support import confirmations
from cogs.support.services import Click, Handler


async def play_on(click: Click) -> None:
    """Take what the house gives now, and buy in or sit down with it."""
    services, user, snapshot, request = click.services, click.info.user, click.snapshot, click.request_any_time
    seat = seating.seat_of(snapshot, user)
    if seat is None:
        await click.reply.private(await seating.sit_down(services, request, snapshot, takes_gifts=True))
        return
    ways = await services.buy_ins.ways(snapshot, request)
    if not is_out_of_chips(snapshot.table, seat) or not ways.buy_in:
        await seating.open_own_menu(click)
        return
    command = TopUp(user, min(ways.buy_in, snapshot.top_up_maximum(user)))
    outcome = await services.bank.buy_in_with_gifts(request, command)
    await seating.answer_at_seat(click, confirmations.top_up(outcome))


async def play_lower(click: Click) -> None:
    """Sit down at a table for lower stakes; where none is open, one is opened. The seat at this table is given up after that."""
    services, snapshot, request = click.services, click.snapshot, click.request_any_time
    seat = seating.seat_of(snapshot, request.user)
    ways = await services.buy_ins.ways(snapshot, request)
    if seat is None:
        is_offered = bool(snapshot.seats_for_newcomers) and (ways.gift > 0 or not ways.buy_in)
    else:
        is_offered = is_out_of_chips(snapshot.table, seat)
    if not is_offered or not ways.lower:
        await seating.open_own_menu(click)
        return
    lower = await services.buy_ins.lower_table(snapshot, request)
    if lower is not None:
        found = services.tables.snapshot(lower.id)
        seat_request = replace(request, table=found.id)
        panel = (
            await seating.own_menu(services, seat_request, found)
            if seating.seat_of(found, request.user) is not None
            else await seating.sit_down(services, seat_request, found, takes_gifts=True)
        )
        where = Text(t(words.SEATED_IN_CHANNEL, channel=f"<#{found.address.channel}>"))
        await click.reply.private(Panel(panel.accent, (where, *panel.blocks)))
    elif not await _open_lower_table(click):
        return
    if seat is not None:
        with contextlib.suppress(TableError):  # they have left by themselves
            leave_request = replace(request, key=f"{request.key}:leave", table=snapshot.id)
            await services.tables.ask(leave_request, LeaveTable(request.user))


async def _open_lower_table(click: Click) -> bool:
    """Open the same game for stakes that the presser can pay, in a thread, for the same people. Returns whether they sit there."""
    services, snapshot, request = click.services, click.snapshot, click.request_any_time
    reach = await services.buy_ins.reach(click.guild, request)
    settings = lower_settings(snapshot.settings, reach)
    if settings is None:
        await seating.open_own_menu(click)
        return False
    private = snapshot.is_private
    guests = {snapshot.host, *snapshot.invited, *(seat.player for seat in snapshot.table.seats)} - {request.user}
    new = opening.TableToOpen(
        settings,
        host_sits=True,
        takes_gifts=True,
        where=Where.PRIVATE if private else Where.ROOM,
        invited=tuple(sorted(guests)) if private else (),
    )
    info = replace(click.info, guild=click.guild, channel=snapshot.address.channel)
    open_request = replace(request, table=0, channel=snapshot.address.channel)
    return await opening.open_table(services, open_request, click.reply, new, info)


async def watch(click: Click) -> None:
    """Give up the seat and look on."""
    note = t(menu_words.WATCHING)
    if seating.seat_of(click.snapshot, click.info.user) is None:
        await click.reply.private(notice_panel(note))
        return
    services, table = click.services, click.press.table
    await seating.leave_table(services, click.info, click.reply, click.request_any_time, table, note)


HANDLERS: dict[Verb, Handler] = {Verb.PLAY_ON: play_on, Verb.LOWER_TABLE: play_lower, Verb.WATCH: watch}
