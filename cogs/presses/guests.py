"""What a host does at their table: inviting people, holding a seat for somebody, removing somebody, adding practice players, closing it."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.render.table import rooms as room_panels
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot
from bot.table.commands import CloseTable, HoldSeat, InvitePlayers, RemovePlayer
from bot.table.events import PlayersInvited, SeatOffered
from bot.table.refusals import HostOnly
from bot.text import confirmations as words
from bot.text import rooms as room_words
from bot.text.buttons import Verb
from bot.text.formatting import join_and
from bot.text.language import t
from cogs.presses import playing, seating
from cogs.support import confirmations
from cogs.support.services import Click, Effort, Handler, Services

NAMED_MAX = 30
"""So many of the people who are invited are named."""


async def invite(services: Services, request: Request, people: Sequence[int]) -> Panel:
    """Invite people to the table of a request: to a private one, or to one from which they had been removed.

    Raises:
        HostOnly, OpenToEverybody, TooManyInvited.
        OneMoment: they have invited many already.
    """
    banned = [user for user in people if services.tables.staff_log.is_banned(request.guild, user)]
    if banned:
        return notice_panel(t(words.CANNOT_INVITE_BANNED, players=_mentions(banned)))
    snapshot = services.tables.table_for(request)
    for user in people:
        if not snapshot.admits(user):
            services.spend(Effort.INVITATION, request.user)
    outcome = await services.tables.ask(request, InvitePlayers(request.user, tuple(people), request.staff))
    invited = [user for event in outcome.events if isinstance(event, PlayersInvited) for user in event.players]
    if not invited:
        return notice_panel(t(words.ALREADY_INVITED))
    return confirmations.done(t(words.INVITED, players=_mentions(invited)))


async def remove(services: Services, request: Request, user: int, *, reason: str = "", keep_out: bool = True) -> Panel:
    """Remove somebody from the table of a request: after the hand that they are in, with all their chips.

    Raises:
        HostOnly, StaffOnly, CannotKeepOut, NotAtTable.
    """
    was_seated = seating.seat_of(services.tables.table_for(request), user) is not None
    command = RemovePlayer(request.user, user, request.staff, reason, keep_out)
    outcome = await services.tables.ask(request, command)
    if seating.seat_of(outcome.snapshot, user) is not None:
        text = words.REMOVED_AFTER_HAND if keep_out else words.REMOVED_BY_STAFF_AFTER_HAND
    elif keep_out:
        text = words.REMOVED_FROM_TABLE if was_seated else words.NO_LONGER_INVITED
    else:
        text = words.REMOVED_BY_STAFF
    return confirmations.done(t(text, player=f"<@{user}>"))


async def press_invite(click: Click) -> None:
    """Ask whom to invite; with people chosen, invite them. Everybody sees the button: who is not the host gets their own menu."""
    request = await _request(click)
    people = [int(value) for value in click.info.values if value.isdecimal() and len(value) <= 19]
    if people:
        await click.reply.private(await invite(click.services, request, people))
    elif request.user != click.snapshot.host and not request.staff:
        await seating.open_own_menu(click)
    else:
        await click.reply.private(invite_question(click.snapshot, request))


async def press_hold_seat(click: Click) -> None:
    """Ask who gets a seat, and which; with a person chosen, hold it for them."""
    request = await _request(click)
    chosen = click.info.values[0] if click.info.values else ""
    if chosen.isdecimal() and int(chosen) in click.info.bots:
        await click.reply.private(notice_panel(t(words.NO_PERSON, player=_mentions((int(chosen),)))))
        return
    if chosen.isdecimal() and len(chosen) <= 19:
        answer = await hold_seat(click.services, request, int(chosen), playing.button_amount(click))
        await click.reply.redraw(payload(answer))  # the question is answered
        return
    _require_host(click.snapshot, request)
    await click.reply.private(room_panels.hold_seat_panel(click.press.table, click.snapshot.table))


async def press_seat_to_hold(click: Click) -> None:
    """Choose which seat is held."""
    _require_host(click.snapshot, await _request(click))
    chosen = click.info.values[0] if click.info.values else ""
    number = int(chosen) if chosen.isdecimal() else 0
    await click.reply.redraw(payload(room_panels.hold_seat_panel(click.press.table, click.snapshot.table, number)))


async def hold_seat(services: Services, request: Request, user: int, seat_number: int) -> Panel:
    """Hold a seat at the table of a request for somebody, who is told; seat number 0 is any.

    Raises:
        HostOnly, SittingHere, TableFull, SeatOccupied, SeatsReserved, SeatHeld, TooManyInvited.
        OneMoment: the host has called many people already.
    """
    if services.tables.staff_log.is_banned(request.guild, user):
        return notice_panel(t(words.CANNOT_INVITE_BANNED, players=_mentions((user,))))
    name = (await services.display_names.of(request.guild, (user,))).get(user, "")
    if not name:
        return notice_panel(t(words.NOT_IN_SERVER, player=f"<@{user}>"))
    services.spend(Effort.INVITATION, request.user)
    command = HoldSeat(request.user, user, name, seat_number, request.staff)
    outcome = await services.tables.ask(request, command)
    offered = next((event for event in outcome.events if isinstance(event, SeatOffered)), None)
    if offered is None:  # the same click, delivered again
        return confirmations.already_done()
    return confirmations.done(room_words.seat_held(user, offered.seat_number, offered.until))


async def press_remove(click: Click) -> None:
    """Ask who has to leave; with somebody chosen, remove them."""
    request = await _request(click)
    chosen = click.info.values[0] if click.info.values else ""
    if chosen.isdecimal() and len(chosen) <= 19:
        await click.reply.private(await remove(click.services, request, int(chosen)))
        return
    await click.reply.private(remove_question(click.snapshot, request))


async def press_add_practice_player(click: Click) -> None:
    """Seat one more practice player."""
    await click.services.tables.ask(await _request(click), SeatPracticePlayers(1))
    await click.reply.private(confirmations.done(t(room_words.PRACTICE_PLAYER_ADDED)))


async def press_close(click: Click) -> None:
    """Ask whether the table is to be closed; then close it, after the hand that runs, and say so where the question stood."""
    request = await _request(click)
    if not playing.button_amount(click):
        await click.reply.private(close_question(click.snapshot, request))
        return
    await click.reply.redraw(payload(await close(click.services, request)))


async def close(services: Services, request: Request) -> Panel:
    """Close a table, after the hand that runs.

    Raises:
        HostOnly, TableIsClosed.
    """
    closed = (await services.tables.ask(request, CloseTable(request.user, request.staff))).snapshot
    text = words.TABLE_CLOSES_AFTER_HAND if closed.hand_running else words.TABLE_CLOSES
    return confirmations.done(t(text, number=closed.address.number))


async def _request(click: Click) -> Request:
    """Return a request that is good at any time, and says whether the user is staff."""
    request = click.request_any_time
    return replace(request, staff=(await click.services.request(click.info)).staff) if click.info.guild else request


def close_question(snapshot: TableSnapshot, request: Request) -> Panel:
    """Ask the host of a table, or staff, whether it is to be closed.

    Raises:
        HostOnly: it is somebody else who asks.
    """
    _require_host(snapshot, request)
    return room_panels.close_question_panel(snapshot.id, snapshot.table)


def invite_question(snapshot: TableSnapshot, request: Request) -> Panel:
    """Ask the host of a table, or staff, whom to invite.

    Raises:
        HostOnly: it is somebody else who asks.
    """
    _require_host(snapshot, request)
    return room_panels.invite_panel(snapshot.id)


def remove_question(snapshot: TableSnapshot, request: Request) -> Panel:
    """Ask the host of a table, or staff, who has to leave.

    Raises:
        HostOnly: it is somebody else who asks.
    """
    _require_host(snapshot, request)
    return room_panels.remove_panel(snapshot.id, snapshot.table, request.user)


def _require_host(snapshot: TableSnapshot, request: Request) -> None:
    """Raise HostOnly for somebody who is neither the host nor staff."""
    host = snapshot.host
    if request.user != host and not request.staff:
        raise HostOnly(host=host)


def invited_text(snapshot: TableSnapshot) -> str:
    """Say who is invited to a private table."""
    return t(words.INVITED, players=_mentions(snapshot.invited[:NAMED_MAX]))


def _mentions(users: Sequence[int]) -> str:
    return join_and([f"<@{user}>" for user in users])


HANDLERS: dict[Verb, Handler] = {
    Verb.INVITE: press_invite,
    Verb.HOLD_SEAT: press_hold_seat,
    Verb.SEAT_TO_HOLD: press_seat_to_hold,
    Verb.KEEP_OUT: press_remove,
    Verb.ADD_PRACTICE_PLAYER: press_add_practice_player,
    Verb.CLOSE: press_close,
}
