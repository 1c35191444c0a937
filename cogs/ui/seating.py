"""Clicks around the hands: sitting down, chips, pausing, leaving, agreeing, and the buttons of private messages.

Source: ui §5 a, f; laws TL-1, TL-10, TL-33, TL-40, H-1.
"""

from __future__ import annotations

from bot.render import amounts, laws, lobby, private, wording
from bot.render.ids import FormPress, Verb
from bot.render.panel import Panel
from bot.runtime.asked import Asked
from bot.runtime.house_table import usual_chips
from bot.runtime.now import TableNow
from bot.table.errors import BlindsOwed, NotSeated, TopUpTooLarge
from bot.table.state import Entry
from bot.table.view import SeatLine
from cogs.ui import said
from cogs.ui.click import Click, Handler
from cogs.ui.room import Room


def seat_of(now: TableNow, user: int) -> SeatLine | None:
    """The seat of a player, or None."""
    return next((seat for seat in now.table.seats if seat.player == user), None)


async def sit_down(room: Room, asked: Asked, now: TableNow, chips: int = 0, seat: int = 0) -> Panel:
    """Take a seat, with the usual chips where none are named; the answer says seat, chips, and how the cards will come."""
    if not chips:
        bounds = now.buy_in(asked.user, room.clock.now())
        chips = usual_chips(now.settings, bounds.least, bounds.most, await _at_hand(room, asked.guild, asked.user, now))
    outcome = await room.tables.sit(asked, chips, seat)
    line = seat_of(outcome.now, asked.user)
    if line is None:
        raise NotSeated(player=asked.user)
    return lobby.seated_panel(now.id, outcome.now.table, line, by_dm=room.preferences.by_dm(asked.user))


async def _at_hand(room: Room, guild: int, user: int, now: TableNow) -> int:
    """The chips somebody can sit down with. Practice chips are free: who has too few is given the opening grant anew."""
    purse = await room.bank.purse(guild, user, room.book(now))
    least = now.settings.min_buyin
    if not now.settings.practice or purse.total >= least:
        return purse.wallet
    return max((await room.bank.house_rules(guild)).opening_grant, least)


async def come_back(room: Room, asked: Asked, now: TableNow, entry: Entry | None = None) -> Panel:
    """Play on; who owes blinds is asked how."""
    try:
        outcome = await room.tables.back(asked, entry)
    except BlindsOwed as owed:
        return lobby.entry_question(now.id, now.table, owed.live, owed.dead, owed.entries)
    return said.back(outcome)


async def sit(click: Click) -> None:
    await click.reply.private(await sit_down(click.room, click.asked_any_time, click.now))


async def take_numbered_seat(click: Click) -> None:
    """A seat was chosen by its number."""
    seat = int(click.deed.values[0]) if click.deed.values and click.deed.values[0].isdecimal() else 0
    await click.reply.private(await sit_down(click.room, click.asked_any_time, click.now, seat=seat))


async def ask_buy_in(click: Click) -> None:
    """Open the form for the chips to sit down with, or to add for who sits."""
    room, user, now = click.room, click.deed.user, click.now
    purse = await room.bank.purse(click.deed.guild, user, room.book(now))
    if seat_of(now, user) is not None:
        await _ask_top_up(click, now, purse.wallet)
        return
    bounds = now.buy_in(user, room.clock.now())
    wallet = await _at_hand(room, click.deed.guild, user, now)
    await click.reply.form(
        lobby.buy_in_form(now.id, now.table, user, wallet=wallet, least=bounds.least, most=bounds.most)
    )


async def bought_in(click: Click) -> None:
    """The form for a seat has come back."""
    assert isinstance(click.press, FormPress)
    chips = _chips(click)
    await click.reply.private(
        await sit_down(click.room, click.asked_any_time, click.now, chips=chips, seat=click.press.extra)
    )


async def ask_top_up(click: Click) -> None:
    now = click.now
    purse = await click.room.bank.purse(click.deed.guild, click.deed.user, click.room.book(now))
    await _ask_top_up(click, now, purse.wallet)


async def _ask_top_up(click: Click, now: TableNow, wallet: int) -> None:
    user = click.deed.user
    room = now.top_up_room(user)
    if not room:
        raise TopUpTooLarge(chips=1, most=0, max_buyin=now.settings.max_buyin)
    has = max(wallet, room) if now.settings.practice else wallet
    await click.reply.form(lobby.buy_in_form(now.id, now.table, user, wallet=has, least=1, most=room, adds=True))


async def topped_up(click: Click) -> None:
    outcome = await click.room.tables.rebuy(click.asked_any_time, _chips(click))
    await click.reply.private(said.topped_up(outcome))


async def leave(click: Click) -> None:
    await click.reply.private(said.left(await click.room.tables.leave(click.asked_any_time)))


async def sit_out(click: Click) -> None:
    await click.reply.private(said.sat_out(await click.room.tables.sit_out(click.asked_any_time)))


async def back(click: Click) -> None:
    await click.reply.private(await come_back(click.room, click.asked_any_time, click.now))


async def post(click: Click) -> None:
    await _enter(click, Entry.POST)


async def wait(click: Click) -> None:
    await _enter(click, Entry.WAIT)


async def buy_button(click: Click) -> None:
    await _enter(click, Entry.BUY_BUTTON)


async def _enter(click: Click, entry: Entry) -> None:
    await click.reply.private(await come_back(click.room, click.asked_any_time, click.now, entry))


async def join_waiting_list(click: Click) -> None:
    await click.reply.private(said.waits(await click.room.tables.wait(click.asked_any_time)))


async def deal(click: Click) -> None:
    await click.room.tables.start_hand(click.asked_any_time)
    await click.reply.nothing()


async def agree(click: Click) -> None:
    await click.reply.private(said.agreed(await click.room.tables.consent(click.asked_any_time)))


async def object_to(click: Click) -> None:
    await click.room.tables.object_to(click.asked_any_time)
    await click.reply.private(wording.notice("You object; it does not happen."))


async def rules(click: Click) -> None:
    await click.reply.private(laws.law_set_panel(click.now.settings))


async def time_bank(click: Click) -> None:
    outcome = await click.room.tables.time(click.asked_any_time)
    await click.reply.private(said.time_bank(outcome))


async def stop_letters(click: Click) -> None:
    await _letters(click, by_dm=False)


async def send_letters(click: Click) -> None:
    await _letters(click, by_dm=True)


async def _letters(click: Click, *, by_dm: bool) -> None:
    room, user = click.room, click.deed.user
    await room.preferences.choose(user, by_dm=by_dm)
    if by_dm:
        room.letters.turned_on(user)
    await click.reply.private(private.dm_switched_panel(click.press.table, on=by_dm))


def _chips(click: Click) -> int:
    fields = click.deed.fields
    return amounts.chips(fields.get(lobby.CHIPS_FIELD, "").strip() or fields.get(lobby.SIZE_FIELD, ""))


HANDLERS: dict[Verb, Handler] = {
    Verb.SIT: sit,
    Verb.SEAT: take_numbered_seat,
    Verb.BUY_IN: ask_buy_in,
    Verb.REBUY: ask_top_up,
    Verb.TOP_UP: ask_top_up,
    Verb.LEAVE: leave,
    Verb.SIT_OUT: sit_out,
    Verb.BACK: back,
    Verb.POST: post,
    Verb.WAIT: wait,
    Verb.BUY_BUTTON: buy_button,
    Verb.WAITING_LIST: join_waiting_list,
    Verb.DEAL: deal,
    Verb.AGREE: agree,
    Verb.OBJECT: object_to,
    Verb.RULES: rules,
    Verb.TIME: time_bank,
    Verb.DM_OFF: stop_letters,
    Verb.DM_ON: send_letters,
}

FORMS: dict[Verb, Handler] = {Verb.BUY_IN: bought_in, Verb.TOP_UP: topped_up, Verb.REBUY: topped_up}
