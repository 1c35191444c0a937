"""An evening with seasons: the real statistics count what is played, and an independent recount reads the transfers."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.runtime.seasons import END_AHEAD_MS, Seasons
from bot.runtime.snapshot import TableUpdate
from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.seasons import Season
from bot.store.statistics.statistics import Statistics
from bot.table.events import HandFinished, HandUndone
from tests.runtime.evening import GUILD, Evening, name_of
from tests.support.engines import opened, source_at


def at(text: str) -> int:
    """A time in UTC: ``2024-02-29 23:59``."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


class SeasonsEvening(Evening):
    """An evening at a server with seasons. `minimum` hands are ranked."""

    minimum = 1

    async def begin(self) -> SeasonsEvening:
        await super().begin()
        self.statistics = Statistics(
            self.path.with_name("statistics.sqlite3"),
            source_at(self.path),
            statistics_decoder(),
            unshown=self.sessions.unshown_hands,
            unshown_since=self.sessions.unshown_since,
            now=self.clock.now,
        )
        await self.statistics.open()
        self.seasons = Seasons(self.store, self.tables, self.bank, self.statistics, self.clock, self.signals)
        self.tables._on_update = self._updated
        await self.seasons.open()
        return self

    def _updated(self, update: TableUpdate) -> None:
        self.updates.append(update)
        if any(isinstance(event, HandFinished | HandUndone) for event in update.events):
            self.statistics.note(update.snapshot.id)
        self.seasons.on_update(update)

    async def end(self) -> None:
        await self.seasons.close()
        await self.statistics.close()
        await super().end()

    async def crash(self, away_ms: int = 0) -> None:
        await self.seasons.close()
        await self.statistics.close()
        await super().crash(away_ms)

    async def settled(self) -> None:
        """Wait until seasons and tables have done what is due."""
        for _ in range(3):
            await self.tables.wait_until_idle()
            await self.seasons.wait_until_idle()

    async def wait(self, seconds: float) -> None:
        await super().wait(seconds)
        await self.settled()

    async def wait_until(self, time: str) -> None:
        """Let time pass until a time in UTC."""
        await self.wait((at(time) - self.clock.now()) / 1000)

    async def open_season(self, name: str, **how: Any) -> Season:
        rules = await self.bank.house_rules(GUILD)
        if rules.ranking_hands != self.minimum:
            await self.bank.change_house_rules(self.request("Ida", staff=True), ranking_hands=self.minimum)
        return await self.seasons.begin(self.request("Ida", staff=True), name, **how)

    async def close_season(self) -> Season:
        """Let staff close the season. The clock moves to its end only, however long the disk takes: nobody's turn ends meanwhile."""
        closing_ = asyncio.ensure_future(self.seasons.end(self.request("Ida", staff=True)))
        while not closing_.done():
            await asyncio.sleep(0)
            due = self.clock.next_at()
            if due and due - self.clock.now() <= END_AHEAD_MS:
                await super().wait((due - self.clock.now()) / 1000)
        await self.settled()
        return closing_.result()

    async def play(self, loser: str) -> None:
        """Play a hand of two players that one of them loses by folding at their first turn."""
        if not self.snapshot.hand_running:
            await self.deal()
        while self.snapshot.hand_running:
            if self.to_act == loser:
                await self.ask(loser, c.Fold())
            else:
                with contextlib.suppress(LawError):
                    await self.next_player_acts("calls")
                    continue
                await self.next_player_acts("checks")

    async def finish_hand(self) -> None:
        """Let the hand that is being played end, if there is one."""
        while self.tables.tables_in_guild(GUILD) and self.snapshot.hand_running:
            await self.next_player_acts("folds")
        await self.settled()

    def recount(self, first: int, end: int) -> dict[str, int]:
        """Count from transfers what everybody has won in the hands that ended in a time: a hand ends when its pot is empty again."""
        with opened(self.path) as db:
            rows = db.execute(
                """
                SELECT cause.at, CASE debit_table WHEN 0 THEN credit_table ELSE debit_table END, debit_kind, debit_user,
                       credit_user, chips
                FROM transfer JOIN cause ON cause.id = cause
                WHERE (debit_kind, credit_kind) IN ((4, 5), (5, 4)) ORDER BY cause, part
                """
            ).fetchall()
        won: Counter[str] = Counter()
        hands: dict[int, Counter[int]] = {}
        for time, table, debit_kind, giver, taker, chips in rows:
            hand = hands.setdefault(table, Counter())
            hand[giver if debit_kind == 4 else taker] += -chips if debit_kind == 4 else chips
            if not hand.total():
                for user, net in hands.pop(table).items():
                    if first <= time < end:
                        won[name_of(user)] += net
        return dict(won)

    async def recounted(self, number: int) -> dict[str, int]:
        """Count what everybody has won in a season that is over."""
        season = next(one for one in await self.seasons.seasons(GUILD) if one.number == number)
        return self.recount(season.opened_at, season.ends_at)

    async def results(self, number: int = 0) -> dict[str, tuple[int, int]]:
        """Return rank and net of everybody in a season that is over."""
        _, found = await self.seasons.results(GUILD, number, 0, lines=100)
        return {name_of(result.user): (result.rank, result.net) for result in found.results}

    async def running(self) -> str:
        season = await self.seasons.running(GUILD)
        return f"{season.number} {season.name}".strip() if season is not None else ""
