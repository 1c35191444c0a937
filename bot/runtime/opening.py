"""Opening a table: its first commit, and the session that keeps it.

Source: design §4; law H-4.
"""

from collections.abc import Mapping

import msgspec

from bot.runtime.asked import Asked
from bot.runtime.context import Context
from bot.runtime.draft import Standing
from bot.runtime.errors import TableGone
from bot.runtime.now import Place
from bot.runtime.outcome import Outcome
from bot.runtime.ports import Cause, Commit, NewTable
from bot.runtime.restore import reader
from bot.runtime.session import TableSession
from bot.table import commands as t
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.settings import TableSettings


async def open_table(
    context: Context, asked: Asked, settings: TableSettings, sessions: Mapping[int, TableSession]
) -> tuple[TableSession | None, Outcome]:
    """Open a table. The session is None where the same request had opened it before.

    Raises:
        ChannelTaken: a table is open in that channel.
        LawError: the settings do not go together.
        TableGone: the same request opened a table that is closed by now.
    """
    now = context.clock.now()
    events = decide(None, t.Open(asked.user, settings), now)
    table = evolve_all(None, events)
    receipt = await context.store.commit(
        Commit(
            guild=asked.guild,
            cause=Cause(asked.key, asked.user, now, "open"),
            seq=1,
            events=events,
            snapshot=msgspec.msgpack.encode(table),
            opens=NewTable(asked.channel, msgspec.msgpack.encode(settings)),
        )
    )
    if receipt.repeated:
        known = sessions.get(receipt.table)
        if known is None:
            raise TableGone(table=receipt.table)
        return None, Outcome(now=known.now(), user=asked.user, repeated=True)
    place = Place(receipt.table, receipt.number, asked.guild, asked.channel)
    standing = Standing(table, None, (), None, receipt.seq, receipt.seq)
    session = TableSession(context, place, standing, reader(context))
    return session, Outcome(now=session.now(), events=events, user=asked.user)
