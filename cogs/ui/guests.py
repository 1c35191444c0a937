"""Who can come to a table: inviting people, and removing somebody."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel
from bot.runtime.request import Request
from bot.table.commands import InvitePlayers, KeepOut
from bot.table.events import PlayersInvited
from bot.text import confirmations as words
from bot.text.language import t
from bot.text.lists import join_and
from cogs.ui import confirmations, seating
from cogs.ui.services import Services


async def invite(services: Services, request: Request, people: Sequence[int]) -> Panel:
    """Invite people to the table of a request: to a private one, or to one from which they had been removed.

    Raises:
        HostOnly, OpenToEverybody, TooManyInvited.
    """
    banned = [user for user in people if services.tables.staff_log.is_banned(request.guild, user)]
    if banned:
        return notice_panel(t(words.CANNOT_INVITE_BANNED, players=_mentions(banned)))
    outcome = await services.tables.ask(request, InvitePlayers(request.user, tuple(people), request.staff))
    invited = [user for event in outcome.events if isinstance(event, PlayersInvited) for user in event.players]
    if not invited:
        return notice_panel(t(words.ALREADY_INVITED))
    return confirmations.done(t(words.INVITED, players=_mentions(invited)))


async def remove(services: Services, request: Request, user: int) -> Panel:
    """Remove somebody from the table of a request: after the hand that they are in, with all their chips.

    Raises:
        HostOnly, CannotKeepOut, NotAtTable.
    """
    before = services.tables.table_for(request)
    was_seated = seating.seat_of(before, user) is not None
    outcome = await services.tables.ask(request, KeepOut(request.user, user, request.staff))
    if seating.seat_of(outcome.snapshot, user) is not None:
        text = words.REMOVED_AFTER_HAND
    else:
        text = words.REMOVED_FROM_TABLE if was_seated else words.NO_LONGER_INVITED
    return confirmations.done(t(text, player=f"<@{user}>"))


def _mentions(users: Sequence[int]) -> str:
    return join_and([f"<@{user}>" for user in users])
