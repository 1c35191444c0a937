"""Seasons: opened and closed by staff or by the calendar, and their results, written down for good.

A season has an end before it is closed: hands that end from then on are not in it, whenever the dealer notices. Closing waits until every
hand that ended before has been shown and counted, and then saves results, what becomes of chips, the next season of the calendar and the
line of the staff log in one transaction. A dealer that is killed in between finds the end, and closes again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.allowances import in_thread
from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.house.rules import HouseRules
from bot.house.seasons import SeasonChips
from bot.runtime.bank import Bank
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.errors import NoSeason, NoSuchSeason, SeasonRuns
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.request import Request
from bot.runtime.snapshot import TableUpdate
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_errors import SeasonResultsStale, StatisticsBeingCounted, StoreClosed
from bot.runtime.store_types import (
    Cause,
    Commit,
    SeasonEnd,
    SeasonEndChips,
    SeasonHall,
    SeasonResultsPage,
)
from bot.runtime.tables import Tables
from bot.signals import SeasonChanged, Signals, StaffLogWritten
from bot.statistics.seasons import Season, SeasonResult, next_boundary, season_results
from bot.statistics.types import (
    Period,
    PeriodKind,
    RankedPlayers,
    RankingLine,
    RankingOrder,
    RankingQuery,
    Scope,
)
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from bot.table.refusals import StaffOnly

log = logging.getLogger(__name__)

SEASON_NAME_MAX = 40
LINES_READ_AT_ONCE = 1_000
END_AHEAD_MS = 200
"""The end that staff set is so far ahead that it is saved before any hand can end after it."""
CLOSING_PATIENCE = 3
COUNTING_PATIENCE = 10
"""So often results are asked for while there is much to count; each time that waits a moment."""
RETRY_MS = 30_000
"""So long after a failure closing is tried again."""


class SeasonStanding(Struct, frozen=True):
    """The season that runs: who leads, and what the house does with chips at its end."""

    season: Season
    leaders: RankedPlayers
    chips: SeasonChips


class Seasons:
    """The seasons of all servers.

    Args:
        signals: hear of seasons that were opened or closed, and of their lines in the staff log.
    """

    def __init__(
        self, store: Store, tables: Tables, bank: Bank, statistics: Statistics, clock: AlarmClock, signals: Signals
    ) -> None:
        self._store, self._tables, self._bank = store, tables, bank
        self._statistics, self._clock, self._signals = statistics, clock, signals
        self._locks = KeyedLocks[int]()
        self._alarms: dict[int, Alarm] = {}
        self._tasks = BackgroundTasks()
        self._old_tables: dict[int, int] = {}
        self._stopping = False

    # starting and stopping

    async def open(self) -> None:
        """Close what is due since the dealer stopped, and wait for what is due next. Tables must be restored."""
        self._old_tables = await self._store.season_tables()
        for guild in {season.guild for season in await self._store.unfinished_seasons()}:
            self._wake(guild)
        for table in self._old_tables:
            self._in_background(self._close_old_table(table))

    async def close(self) -> None:
        """Stop. What is under way is taken up again after a restart."""
        self._stopping = True
        for alarm in self._alarms.values():
            alarm.cancel()
        await self._tasks.stop()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being closed."""
        while pending := self._tasks.pending:
            await asyncio.wait(pending)

    # reading

    async def servers(self) -> tuple[int, ...]:
        """Return the servers that have seasons."""
        return await self._store.guilds_with_seasons()

    async def seasons(self, guild: int) -> tuple[Season, ...]:
        """Return the seasons of a server, oldest first."""
        return await self._store.seasons(guild)

    async def running(self, guild: int) -> Season | None:
        """Return the season that runs."""
        now = self._clock.now()
        for season in reversed(await self._store.seasons(guild)):
            if not season.closed_at:
                return season if not season.ends_at or now < season.ends_at else None
        return None

    async def standing(self, guild: int, user: int, limit: int = 3) -> SeasonStanding | None:
        """Return how the season that runs stands, with the line of whoever asks; None if none runs."""
        season = await self.running(guild)
        if season is None:
            if (await self._bank.house_rules(guild)).season_months:
                self._wake(guild)  # it was killed before it opened the first one
            return None
        rules = await self._bank.house_rules(guild)
        query = RankingQuery(guild, season_scope(season.number), season.ranked_by, rules.ranking_hands, 0, limit, user)
        return SeasonStanding(
            replace(season, min_hands=rules.ranking_hands),
            await self._statistics.ranking(query),
            rules.season_chips,
        )

    async def end_chips(self, guild: int) -> SeasonEndChips:
        """Return what the end of a season would do to chips now."""
        season, rule = await self.running(guild), (await self._bank.house_rules(guild)).season_chips
        played = [line.user for line in await self._everybody(season)] if season is not None and rule.start else []
        return await self._store.season_end_chips(guild, rule, played)

    async def results(
        self, guild: int, number: int, user: int, *, page: int = 0, lines: int = 10
    ) -> tuple[Season, SeasonResultsPage]:
        """Return a page of the results of a season that is over; pages count from 0, and number 0 is the last season.

        Raises:
            NoSuchSeason: there is none of that number, or it is not over.
        """
        over = [season for season in await self._store.seasons(guild) if season.closed_at]
        season = next((one for one in reversed(over) if number in (0, one.number)), None)
        if season is None:
            raise NoSuchSeason(number=number, last=over[-1].number if over else 0)
        found = await self._store.season_results_page(guild, season.number, offset=page * lines, limit=lines, user=user)
        return season, found

    async def hall(self, guild: int, *, page: int = 0, lines: int = 8) -> SeasonHall:
        """Return a page of the hall of fame: seasons that are over, newest first, with their winners. Pages count from 0."""
        return await self._store.season_winners(guild, offset=page * lines, limit=lines)

    async def last_winners(self, guild: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of the last season that is over, 0 for none, and the users who won it."""
        hall = await self._store.season_winners(guild, limit=1)
        if not hall.lines:
            return 0, ()
        season, winners, _ = hall.lines[0]
        return season.number, tuple(result.user for result in winners)

    async def own_results(self, guild: int, user: int) -> tuple[tuple[int, SeasonResult], ...]:
        """Return what somebody did in each season that is over, by its number."""
        return await self._store.own_season_results(guild, user)

    async def winners(self, guild: int, number: int) -> tuple[tuple[int, ...], int]:
        """Return the users who won a season that is over, and how many were ranked in it."""
        hall = await self._store.season_winners(guild, number=number)
        if not hall.lines:
            return (), 0
        _, winners, ranked = hall.lines[0]
        return tuple(result.user for result in winners), ranked

    # staff

    async def begin(
        self, request: Request, name: str, channel: int = 0, ranked_by: RankingOrder = RankingOrder.NET
    ) -> Season:
        """Open a season. For staff.

        Raises:
            StaffOnly.
            SeasonRuns: one is open already.
        """
        _require_staff(request)
        guild = request.guild
        async with self._lock(guild):
            await self._close_due(guild)
            seasons = await self._store.seasons(guild)
            if seasons and not seasons[-1].closed_at:
                if await self._store.receipt(request.key) is not None:
                    return seasons[-1]
                raise SeasonRuns(number=seasons[-1].number, name=seasons[-1].name)
            rules = await self._bank.house_rules(guild)
            return await self._save_new(guild, request.key, request.user, rules, name.strip(), channel, ranked_by)

    async def end(self, request: Request, number: int = 0) -> Season:
        """Close the season that runs, and write its results down. For staff.

        Args:
            number: of the season that staff have looked at; 0 for whichever runs.

        Raises:
            StaffOnly.
            NoSeason: none runs.
            SeasonResultsStale: it is closed already.
        """
        _require_staff(request)
        guild = request.guild
        async with self._lock(guild):
            await self._close_due(guild)
            season = next((one for one in reversed(await self._store.seasons(guild)) if not one.closed_at), None)
            if season is None or number not in (0, season.number):
                over = [one for one in await self._store.seasons(guild) if one.closed_at and one.number == number]
                if not over:
                    raise NoSeason
                if await self._store.receipt(f"{request.key}.end") is not None:
                    return over[0]
                raise SeasonResultsStale
            ended = await self._set_end(season, request)
            self._wake_at(guild, self._clock.now() + RETRY_MS)  # should closing fail
            closed = await self._close(ended, request.user)
            await self._close_due(guild)
            return closed

    async def change_rules(self, request: Request, **changes: int | str) -> HouseRules:
        """Change house rules that seasons go by. A calendar that begins opens a season at once. For staff.

        Raises:
            StaffOnly, HouseRuleOutOfBounds.
        """
        after = await self._bank.change_house_rules(request, **changes)
        async with self._lock(request.guild):
            await self._close_due(request.guild)
            await self._follow_calendar(request.guild)
        self._changed(request.guild)
        return after

    # what goes by itself

    def on_update(self, update: TableUpdate) -> None:
        """A table has changed: one with chips of a season that is over closes as soon as its hand is."""
        table = update.snapshot.id
        if table in self._old_tables:
            if update.closed:
                self._in_background(self._forget_old_table(table))
            elif not update.snapshot.hand_running:
                self._in_background(self._close_old_table(table))

    async def _settle(self, guild: int) -> None:
        async with self._lock(guild):
            await self._close_due(guild)
            await self._follow_calendar(guild)

    async def _close_due(self, guild: int) -> None:
        """Close, in order, every season whose end has come, and wait for the next end."""
        while True:
            season = next((one for one in await self._store.seasons(guild) if not one.closed_at), None)
            if season is None or not season.ends_at:
                return
            if self._clock.now() < season.ends_at:
                self._wake_at(guild, season.ends_at)
                return
            await self._close(season, 0)

    async def _follow_calendar(self, guild: int) -> None:
        """Let the season that runs end when the calendar says so, and open one where the calendar wants one and none runs."""
        rules, now = await self._bank.house_rules(guild), self._clock.now()
        seasons = await self._store.seasons(guild)
        season = next((one for one in seasons if not one.closed_at), None)
        if season is None:
            if rules.season_months:
                key = f"season:{guild}:{len(seasons) + 1}:opened"
                await self._save_new(guild, key, 0, rules, "", 0, RankingOrder.NET)
            return
        if season.months != rules.season_months:
            ends_at = next_boundary(now, rules.season_months) if rules.season_months else 0
            changed = replace(season, months=rules.season_months, ends_at=ends_at)
            cause = Cause(f"season:{guild}:{season.number}:calendar:{now}", 0, now, "season calendar")
            await self._store.commit(Commit(guild=guild, cause=cause, season=changed))
        if rules.season_months:
            self._wake_at(guild, next_boundary(now, rules.season_months))

    async def _save_new(
        self, guild: int, key: str, user: int, rules: HouseRules, name: str, channel: int, ranked_by: RankingOrder
    ) -> Season:
        now = self._clock.now()
        seasons = await self._store.seasons(guild)
        opened_at = max(now, seasons[-1].ends_at if seasons else 0)
        months = rules.season_months
        season = Season(
            guild=guild,
            number=len(seasons) + 1,
            name=name[:SEASON_NAME_MAX],
            opened_at=opened_at,
            ends_at=next_boundary(opened_at, months) if months else 0,
            months=months,
            ranked_by=ranked_by,
            min_hands=rules.ranking_hands,
            channel=channel,
        )
        told = StaffLogEntry(kind=StaffLogKind.SEASON_OPENED, name=season.name, season=season.number)
        commit = Commit(guild=guild, cause=Cause(key, user, now, "season opened"), season=season, staff_log=(told,))
        await self._tables.staff_log.save(commit)
        if season.ends_at:
            self._wake_at(guild, season.ends_at)
        self._changed(guild)
        return season

    async def _set_end(self, season: Season, request: Request) -> Season:
        """Give a season its end, a moment ahead, and wait for it."""
        for attempt in range(5):
            now = self._clock.now()
            ends_at = max(now + END_AHEAD_MS * 4**attempt, season.opened_at + 1)
            if season.ends_at and ends_at >= season.ends_at:
                break  # the calendar's end comes first
            season = replace(season, ends_at=ends_at)
            key = f"{request.key}.end{attempt}" if attempt else f"{request.key}.end"
            cause = Cause(key, request.user, now, "season ends")
            await self._store.commit(Commit(guild=season.guild, cause=cause, season=season))
            if self._clock.now() < ends_at:
                break
        rung = asyncio.Event()
        alarm = self._clock.call_at(season.ends_at, rung.set)
        try:
            await rung.wait()
        finally:
            alarm.cancel()
        return season

    async def _close(self, season: Season, user: int) -> Season:
        """Write down the results of a season that has ended, with all that goes with it.

        If somebody's data is deleted meanwhile, the results are read again: they must not name them.
        """
        for _ in range(CLOSING_PATIENCE):
            with contextlib.suppress(SeasonResultsStale):
                return await self._try_to_close(season, user)
        return await self._try_to_close(season, user)

    async def _try_to_close(self, season: Season, user: int) -> Season:
        guild = season.guild
        await self._tables.wait_for_ended_hands(guild)
        rules = await self._bank.house_rules(guild)
        former = await self._store.former_player_count(guild)
        now = self._clock.now()
        closed = replace(season, min_hands=rules.ranking_hands, closed_at=max(now, 1))
        following = None
        if season.months:
            following = replace(
                season,
                number=season.number + 1,
                name="",
                opened_at=season.ends_at,
                ends_at=next_boundary(season.ends_at, season.months),
                ranked_by=RankingOrder.NET,
            )
        everybody = await self._everybody(season)
        results = await in_thread(season_results, everybody, season.ranked_by, rules.ranking_hands)
        tables = await self._store.close_season(
            SeasonEnd(
                season=closed,
                results=results,
                cause=Cause(f"season:{guild}:{season.number}:closed", user, now, "season closed"),
                staff_log=StaffLogEntry(
                    kind=StaffLogKind.SEASON_CLOSED, by=user, name=season.name, season=season.number
                ),
                following=following,
                chips=rules.season_chips,
                former_players=former,
            )
        )
        log.info("season_closed", extra={"guild": guild, "season": season.number})
        self._signals.send(StaffLogWritten(guild))
        if not rules.season_chips.keeps:
            await self._tables.forget_closed_games(guild)
            self._old_tables |= dict.fromkeys(tables, guild)
            for table in tables:
                self._in_background(self._close_old_table(table))
        self._changed(guild)
        return closed

    async def _everybody(self, season: Season) -> list[RankingLine]:
        """Return the numbers of everybody who has played in a season."""
        lines: list[RankingLine] = []
        scope = season_scope(season.number)
        while True:
            query = RankingQuery(season.guild, scope, RankingOrder.NET, 1, len(lines), LINES_READ_AT_ONCE)
            page = await self._rank(query)
            lines += page.lines
            if len(page.lines) < LINES_READ_AT_ONCE:
                break
        held = await self._statistics.held_by_player(season.guild, scope)  # nobody leaves a loss out of a season
        counted = {line.user: line for line in lines}
        for user, (hands, net) in held.items():
            line = counted.get(user, RankingLine(0, user, 0, 0))
            counted[user] = replace(line, hands=line.hands + hands, net=line.net + net)
        uncounted = await self._store.uncounted_of_season(season.guild, season.number)
        return [replace(line, uncounted=uncounted.get(line.user, 0)) for line in counted.values()]

    async def _rank(self, query: RankingQuery) -> RankedPlayers:
        """Return a page of a leaderboard. After a start there can be much to count first."""
        for _ in range(COUNTING_PATIENCE):
            with contextlib.suppress(StatisticsBeingCounted):
                return await self._statistics.ranking(query)
        return await self._statistics.ranking(query)

    async def _close_old_table(self, table: int) -> None:
        if await self._tables.close_between_hands(table):
            await self._forget_old_table(table)

    async def _forget_old_table(self, table: int) -> None:
        """A table with chips of a season that is over has closed: nobody has to bring back what they took away from it."""
        guild = self._old_tables.pop(table, 0)
        if guild:
            await self._tables.forget_closed_games(guild)

    # inside

    def _lock(self, guild: int) -> asyncio.Lock:
        return self._locks.of(guild)

    def _changed(self, guild: int) -> None:
        self._signals.send(SeasonChanged(guild))

    def _wake_at(self, guild: int, at: int) -> None:
        earlier = self._alarms.pop(guild, None)
        if earlier is not None:
            earlier.cancel()
        if not self._stopping:
            self._alarms[guild] = self._clock.call_at(at, lambda: self._wake(guild))

    def _wake(self, guild: int) -> None:
        self._in_background(self._try_to_settle(guild))

    async def _try_to_settle(self, guild: int) -> None:
        try:
            await self._settle(guild)
        except StoreClosed:
            return
        except Exception as error:  # whatever it is: the end stands, and what is left is done later
            trace = None if isinstance(error, TableError) else error
            log.error("season_not_closed", exc_info=trace, extra={"guild": guild, "error": repr(error)})
            self._wake_at(guild, self._clock.now() + RETRY_MS)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreClosed, TableError) as error:
            log.info("season_work_put_off", extra={"error": repr(error)})
        except Exception:
            log.exception("season_work_failed")

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        if self._stopping:
            work.close()
            return
        self._tasks.run(self._guarded(work), "season")


def season_scope(number: int) -> Scope:
    """Return the hands of a season."""
    return Scope(Period(PeriodKind.SEASON, number))


def _require_staff(request: Request) -> None:
    if not request.staff:
        raise StaffOnly
