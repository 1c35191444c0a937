"""Open a table: its first commit, and its session. Law: H-4."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from bot.events.sit_and_go.evolve import evolve as evolve_event
from bot.events.sit_and_go.state import SitAndGoSettings
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import TableGone
from bot.runtime.guests import EVERYBODY, TableGuests, new_guests
from bot.runtime.request import Request
from bot.runtime.restore import saved_table_reader
from bot.runtime.session import TableSession
from bot.runtime.sit_and_go import PlayedSitAndGo, opening, table_settings_for
from bot.runtime.snapshot import RequestOutcome, TableAddress
from bot.runtime.store_types import Cause, Commit, NewTable
from bot.runtime.transaction import SessionState
from bot.table import commands as t
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.settings import TableSettings
from bot.table.state import Departure


async def open_table(
    context: RuntimeContext,
    request: Request,
    settings: TableSettings,
    sessions: Mapping[int, TableSession],
    departures: tuple[Departure, ...] = (),
    guests: TableGuests = EVERYBODY,
    sit_and_go: SitAndGoSettings | None = None,
) -> tuple[TableSession | None, RequestOutcome]:
    """Open a table. The session is None if the same request has opened it before.

    Args:
        departures: what players took away from the same game when it closed (TL-27).
        guests: who can come to it.
        sit_and_go: what is played there instead of an ordinary game.

    Raises:
        ChannelTaken: a table is open in that channel.
        LawError: the settings contradict each other.
        TableGone: the same request has opened a table that is closed by now.
    """
    now = context.clock.now()
    occasion = None
    if sit_and_go is not None:
        settings, occasion = table_settings_for(settings, sit_and_go), opening(request.user, sit_and_go, now)
    command = t.OpenTable(request.user, settings, departures, guests.private, guests.invited)
    events = decide(None, command, now)
    table = evolve_all(None, events)
    receipt = await context.store.commit(
        Commit(
            guild=request.guild,
            cause=Cause(request.key, request.user, now, "open"),
            seq=1,
            events=events,
            saved_state=msgspec.msgpack.encode(table),
            new_table=NewTable(request.channel, msgspec.msgpack.encode(settings), guests.private),
            guests=new_guests(table, events) if guests.private else (),
            occasion=occasion,
        )
    )
    if receipt.repeated:
        known = sessions.get(receipt.table)
        if known is None:
            raise TableGone
        return None, RequestOutcome(snapshot=known.snapshot(), user=request.user, repeated=True)
    address = TableAddress(receipt.table, receipt.number, request.guild, request.channel)
    state = SessionState(table, None, (), None, receipt.seq, receipt.seq)
    if occasion is not None:
        event = evolve_event(None, occasion.events[0])  # type: ignore[arg-type]
        state = replace(state, sit_and_go=PlayedSitAndGo(receipt.occasion, 2, event))
    session = TableSession(context, address, state, saved_table_reader(context))
    return session, RequestOutcome(snapshot=session.snapshot(), events=events, user=request.user)
