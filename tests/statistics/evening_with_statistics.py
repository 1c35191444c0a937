"""An evening whose hands are counted as the bot counts them, and everything that the statistics file then says, in plain words."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.engine import commands as c
from bot.engine.legal import Decision
from bot.runtime.journal import JournalEvent
from bot.runtime.statistics_events import statistics_decoder
from bot.store.codec import EventCodec
from bot.store.statistics.statistics import Statistics
from bot.store.statistics.write import COUNTS
from bot.store.store import Store
from bot.table.commands import TopUp
from bot.table.events import HandFinished, HandUndone
from tests.runtime.evening import Evening


class CountedEvening(Evening):
    """A table, and statistics that are told of each hand whose end has been shown."""

    statistics: Statistics
    rebuild_from = 2_000
    decode = staticmethod(statistics_decoder())

    def __init__(self, folder: Path, **how: Any) -> None:
        make_store = how.pop("store", lambda path: Store(path, EventCodec(JournalEvent)))

        def counted_store(path: Path) -> Store:
            store: Store = make_store(path)
            store._count_hands = self.statistics.count_all
            return store

        super().__init__(folder, show_run_outs=True, store=counted_store, **how)
        self.statistics_path = folder / "statistics.sqlite3"
        self._told = 0
        self.bought: dict[str, int] = {}

    async def begin(self) -> CountedEvening:
        """Start the dealer and its statistics."""
        self.statistics = Statistics(
            self.statistics_path,
            self.path,
            self.decode,
            unshown=lambda: self.sessions.unshown_hands(),  # noqa: PLW0108  # they are made later
            unshown_since=lambda guild: self.sessions.unshown_since(guild),  # noqa: PLW0108  # they are made later
            now=self.clock.now,
            rebuild_from=self.rebuild_from,
        )
        await super().begin()
        self._told = 0
        await self.statistics.open()
        return self

    async def follow_deletions(self) -> None:
        await self.statistics.follow_deletions()

    async def end(self) -> None:
        """Stop the dealer."""
        await self.statistics.close()
        await super().end()

    async def crash(self, away_ms: int = 0) -> None:
        """Kill the dealer and restart it."""
        await self.statistics.close()
        await super().crash(away_ms)

    def tell(self) -> None:
        """Tell the statistics what has been shown since the last time."""
        for update in self.updates[self._told :]:
            if any(isinstance(event, HandFinished | HandUndone) for event in update.events):
                self.statistics.note(update.snapshot.id)
        self._told = len(self.updates)

    async def play_hand(self, rng: random.Random) -> None:
        """Play a hand in which everybody calls most of the time, and now and then bets, folds or is all-in."""
        await self.deal()
        while self.snapshot.hand_running and self.session.run_out is None:
            legal = self.hand.legal_to_act
            assert legal is not None
            choices: list[c.HandCommand] = [c.Call() if legal.call_chips else c.Check()] * 6
            if legal.decision is not Decision.BET:
                choices = [c.ChooseCards(())]
            else:
                if legal.max_to:
                    choices += [(c.Bet if legal.opening else c.RaiseTo)(legal.min_to)] * 2
                if legal.call_chips:
                    choices.append(c.Fold())
                choices += [c.AllIn()] if legal.max_to and rng.random() < 0.1 else []
            await self.ask(self.to_act, rng.choice(choices))
        await self.show_end()
        for name, chips in self.stacks().items():
            if not chips:
                await self.fund(name, 10_000)
                await self.ask(name, TopUp, 10_000)
                self.bought[name] = self.bought.get(name, 0) + 10_000

    async def show_end(self) -> None:
        """Wait until a hand whose players are all-in has been shown to its end."""
        while self.session.run_out is not None:
            await self.wait(1)
        self.tell()


def kept_in(path: Path) -> list[tuple[Any, ...]]:
    """Return everything that a statistics file says, without the numbers that it gives to names."""
    counts = ", ".join(f"sum({{table}}.{name})" for name in COUNTS)
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [row for query in _queries(counts) for row in db.execute(query)]


def _queries(counts: str) -> Iterator[str]:
    person = "JOIN person ON person.id = person JOIN server ON server.id = person.server"
    yield "SELECT 'table', id, number, chips, opened_at, position FROM counted_table ORDER BY id"
    yield """
        SELECT 'hand', counted_hand.id, table_id, number, key, name, bet_limit, words, pot, counts, luck FROM counted_hand
        JOIN terms ON terms.id = terms JOIN game ON game.id = terms.game JOIN stakes ON stakes.id = terms.stakes
        ORDER BY counted_hand.id
    """
    yield f"""
        SELECT 'player', guild, user, hand, table_id, seat, won, value, share, rarity, {counts.format(table="player_hand")}
        FROM player_hand {person} GROUP BY person, hand ORDER BY hand, user
    """
    yield f"""
        SELECT 'total', guild, user, person.chips, kind, which, key, words, {counts.format(table="total")} FROM total {person}
        JOIN game ON game.id = game JOIN stakes ON stakes.id = stakes GROUP BY person, kind, which, game.id, stakes.id
        ORDER BY user, person.chips, kind, which, key, words
    """
    yield f"""
        SELECT 'standing', guild, user, standing.chips, kind, which, key, standing.hands, net FROM standing {person}
        LEFT JOIN game ON game.id = game ORDER BY user, standing.chips, kind, which, key
    """
    yield "SELECT 'game', guild, key, hands FROM game JOIN server ON server.id = server WHERE hands > 0 ORDER BY guild, key"
    yield "SELECT 'season', guild, number, begins_at, ends_at FROM counted_season JOIN server ON server.id = server ORDER BY guild, number"
