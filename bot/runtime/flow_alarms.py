"""Alarms of the flow of chips: raised once each, told to staff, and what staff make of them (BO-1).

What one person has won from another in a way that stands out does not count on leaderboards until staff have looked. Then it counts, up to
the cap, or staff set it aside: then nothing of it counts in this season, nor on this year's leaderboards of all time.
"""

import contextlib
import logging

from bot.house.quiet_hours import year_at
from bot.ledger.flow import PairFlow
from bot.ledger.gifts import DAY_MS
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import NoSuchAlarm
from bot.runtime.request import Request
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind, StaffLogLine
from bot.runtime.store_errors import DataBeingDeleted
from bot.runtime.store_types import Cause, Commit, PairChange, PairState
from bot.runtime.tables import Tables
from bot.statistics.seasons import season_number_at
from bot.store.store import Store
from bot.table.refusals import StaffOnly

log = logging.getLogger(__name__)

WATCHED_MS = 7 * DAY_MS
"""How far back hands are looked at; never to before the season."""
ALARMS_LISTED = 3


class FlowAlarms:
    """The alarms of all servers."""

    def __init__(self, store: Store, tables: Tables, bank: Bank, clock: AlarmClock) -> None:
        self._store, self._tables, self._bank, self._clock = store, tables, bank, clock
        self._checked: dict[int, int] = {}  # by server the newest transfer that has been looked at

    async def check_all(self) -> None:
        """Look at the flow of every server in which chips have moved since it was looked at last, one after the other."""
        for guild in await self._store.guilds():
            newest = await self._store.newest_transfer(guild)
            if newest != self._checked.get(guild):
                await self.check(guild)
                self._checked[guild] = newest

    async def check(self, guild: int) -> int:
        """Raise an alarm for each pair that stands out, if it has not been raised in this season, or without one in this year.

        Returns:
            how many were raised.
        """
        now, rules = self._clock.now(), await self._bank.house_rules(guild)
        seasons = await self._store.seasons(guild)
        number = season_number_at(seasons, now)
        opened_at = next((one.opened_at for one in seasons if one.number == number), 0)
        flows = await self._store.flow(guild, since=max(now - WATCHED_MS, opened_at))
        raised = await self._store.raised_pairs(guild, number or -year_at(rules.year_clock, now))
        count = 0
        for flow in flows:
            if flow.is_alarm and (flow.taker, flow.giver) not in raised:
                with contextlib.suppress(DataBeingDeleted):
                    await self._raise(guild, flow, number, len(raised) + count)
                    count += 1
        return count

    async def _raise(self, guild: int, flow: PairFlow, season: int, at: int) -> None:
        now = self._clock.now()
        told = StaffLogEntry(
            kind=StaffLogKind.FLOW_ALARM,
            about=flow.taker,
            season=season,
            chips=flow.chips,
            shifts=((flow.giver, -flow.chips), (flow.taker, flow.chips)),
        )
        cause = Cause(f"flow:{guild}:{now}:{at}", 0, now, "flow alarm")
        change = PairChange(flow.taker, flow.giver, PairState.WAITING, now)
        await self._tables.staff_log.save(Commit(guild=guild, cause=cause, staff_log=(told,), pair_changes=(change,)))
        log.info("flow_alarm_raised", extra={"guild": guild})

    # staff

    async def waiting(self, request: Request) -> tuple[tuple[StaffLogLine, ...], int]:
        """Return some alarms that nobody has looked at, oldest first, and how many there are. For staff.

        Raises:
            StaffOnly.
        """
        _require_staff(request)
        lines = await self._store.open_alarms(request.guild, limit=ALARMS_LISTED)
        return lines, await self._store.open_alarm_count(request.guild)

    async def look(self, request: Request, line_id: int) -> StaffLogLine:
        """Somebody of the staff looks at an alarm. If nobody had, what it is about counts from now on. For staff.

        Raises:
            StaffOnly, NoSuchAlarm.
        """
        line = await self._line(request, line_id)
        if await self._state(request, line) is PairState.WAITING:
            await self._settle(request, line, PairState.LOOKED, StaffLogKind.FLOW_LOOKED)
        return line

    async def set_aside(self, request: Request, line_id: int) -> StaffLogLine:
        """Let nothing count of what an alarm is about. For staff.

        Raises:
            StaffOnly, NoSuchAlarm.
        """
        line = await self._line(request, line_id)
        if await self._state(request, line) is not PairState.ASIDE:
            await self._settle(request, line, PairState.ASIDE, StaffLogKind.FLOW_ASIDE)
        return line

    async def count_again(self, request: Request, line_id: int) -> StaffLogLine:
        """Let it count again. For staff.

        Raises:
            StaffOnly, NoSuchAlarm.
        """
        line = await self._line(request, line_id)
        if await self._state(request, line) is PairState.ASIDE:
            await self._settle(request, line, PairState.LOOKED, StaffLogKind.FLOW_LOOKED)
        return line

    async def _line(self, request: Request, line_id: int) -> StaffLogLine:
        _require_staff(request)
        if not 0 < line_id < 2**63:
            raise NoSuchAlarm
        found = await self._store.staff_log(request.guild, after=line_id - 1, limit=1)
        if not found or found[0].id != line_id or found[0].entry.kind is not StaffLogKind.FLOW_ALARM:
            raise NoSuchAlarm
        return found[0]

    async def _state(self, request: Request, line: StaffLogLine) -> PairState:
        giver, taker = giver_and_taker(line.entry)
        rules = await self._bank.house_rules(request.guild)
        span = line.entry.season or -year_at(rules.year_clock, line.at)
        return await self._store.pair_state(request.guild, span, taker, giver)

    async def _settle(self, request: Request, line: StaffLogLine, state: PairState, kind: StaffLogKind) -> None:
        giver, taker = giver_and_taker(line.entry)
        told = StaffLogEntry(
            kind=kind, about=taker, answers=line.id, season=line.entry.season, shifts=line.entry.shifts
        )
        cause = Cause(request.key, request.user, self._clock.now(), kind.value)
        change = PairChange(taker, giver, state, line.at)
        await self._tables.staff_log.save(
            Commit(guild=request.guild, cause=cause, staff_log=(told,), pair_changes=(change,))
        )


def giver_and_taker(entry: StaffLogEntry) -> tuple[int, int]:
    """Return whose chips went to whom, by a line of the staff log about an alarm."""
    (giver, _), (taker, _) = entry.shifts
    return giver, taker


def _require_staff(request: Request) -> None:
    if not request.staff:
        raise StaffOnly
