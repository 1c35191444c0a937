"""Play a ceremony step by step with a dealer who is killed at one of its store calls, restarts, and gets the same request again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast

import msgspec

from bot.engine import commands as c
from bot.engine.view.types import HandView
from bot.runtime.commands import PlayerCommand
from bot.runtime.journal import JournalEvent
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import TableCommandBase
from bot.table.settings import TableSettings
from tests.runtime.evening import NAMES, USERS, Evening, name_of
from tests.runtime.failing_stores import DyingStore
from tests.support.engines import data_at

Observation: TypeAlias = dict[str, Any]
TIME_FIELDS = frozenset(
    {"at", "began", "began_at", "due", "since", "next_hand_at", "offered_until", "seated_at", "bank_seconds"}
)
"""Fields that a restart changes: times, and durations."""


class CeremonyRun:
    """One ceremony at one table. After each step the views of everybody are recorded.

    Args:
        dies_at: the store call of the ceremony at which the dealer dies, counted from 1; 0 for never.
        saved: whether that call was saved before the end.
    """

    def __init__(self, folder: Path, dies_at: int, *, saved: bool) -> None:
        self.stores: list[DyingStore] = []
        self.dies_at, self.saved = dies_at, saved
        self.evening = Evening(folder, store=self._store, seed=3)
        self.observations: list[Observation] = []
        self.deaths = 0
        self._before = 0
        self._asked = 0

    def _store(self, path: Path) -> Store:
        self.stores.append(DyingStore(Store(data_at(path), EventCodec(JournalEvent)), 0, saved=self.saved))
        return cast(Store, self.stores[-1])

    async def sit(self, settings: TableSettings, *, deal: bool, players: int = 3) -> None:
        """Open the table and let people sit down."""
        await self.evening.begin()
        await self.evening.open(settings)
        await self.evening.seat(**dict.fromkeys(NAMES[:players], 10_000))
        if deal:
            await self.evening.deal()

    def begin(self) -> None:
        """From here on the dealer can be killed."""
        store = self.stores[-1]
        self._before = store.commits
        store.dies_at = store.commits + self.dies_at if self.dies_at else 0
        self.observations = [self.observe()]

    @property
    def calls(self) -> int:
        """Return how many store calls the ceremony took."""
        return self.stores[-1].commits - self._before

    async def ask(self, name: str, command: PlayerCommand | type[TableCommandBase], *fields: object) -> None:
        """Make a player's request as `Evening.ask` does, and make it again if the dealer is killed during it."""
        self._asked += 1
        key = f"step{self._asked}"
        await self._survive(lambda: self.evening.ask(name, command, *fields, key=key))
        self.observations.append(self.observe())

    async def acts(self, *commands: c.HandCommand) -> None:
        """Let the player to act take an action."""
        for command in commands:
            await self.ask(self.evening.to_act, command)

    async def wait_for_deal(self) -> None:
        """Wait until the next hand is dealt."""
        number = self.evening.snapshot.hand_number
        await self._survive(partial(self._deal, number))
        self.observations.append(self.observe())

    async def _deal(self, number: int) -> None:
        if self.evening.snapshot.hand_number == number:
            await self.evening.deal()

    async def _survive(self, step: Callable[[], Awaitable[object]]) -> None:
        store = self.stores[-1]
        doing = asyncio.ensure_future(step())
        death = asyncio.ensure_future(store.dead.wait())
        await asyncio.wait({doing, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        if not store.dead.is_set():
            await doing
            return
        self.deaths += 1
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            if task.get_name() != "store-writer":
                task.cancel()
        await asyncio.sleep(0)
        await self.evening.crash()
        if not self.saved:
            assert self.observe() == self.observations[-1], "what had been acknowledged is as it was"
        await self._survive(step)

    # what one sees

    def observe(self) -> Observation:
        """Return everything that anybody at the table can see now, except times."""
        now = self.evening.snapshot
        seen: Observation = {
            "table": _without_times(now.table),
            "claims": now.misdeal_claims,
            "exchange": _without_times(now.seat_exchange),
        }
        public = now.hand
        if public is not None and now.hand_running:  # a hand that is over is shown until the dealer dies
            seen["hand"] = msgspec.to_builtins(public)
            for name in NAMES:
                own = now.seen_by(USERS[name])
                seen[name] = msgspec.to_builtins(own)
                if own is not None:
                    _assert_others_hidden(own, public)
        return seen

    def down_card_indices(self, name: str) -> list[int]:
        """Return the card indices of a player's own cards that lie face down."""
        own = self.evening.view(name)
        assert own.viewer is not None
        return [seen.card_index for seen in own.seats[own.viewer].cards if not seen.face_up]

    @property
    def awaited_players(self) -> list[str]:
        """The players that the dealer waits for, in the order of the seats."""
        now = self.evening.snapshot
        return [now.players_by_seat[seat.seat_number].name for seat in self.evening.hand.seats if seat.choice_awaited]

    def name_in_seat(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return name_of(next(line.player for line in self.evening.snapshot.table.seats if line.number == seat))


def _assert_others_hidden(own: HandView, public: HandView) -> None:
    """Check that a player's view holds no card of another that does not lie open to all."""
    for theirs, open_ in zip(own.seats, public.seats, strict=True):
        if theirs.seat_index != own.viewer:
            assert [seen.card for seen in theirs.cards] == [seen.card for seen in open_.cards]
            assert theirs.declaration == open_.declaration


def _without_times(value: object) -> Any:
    def without(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: without(inner) for key, inner in part.items() if key not in TIME_FIELDS}
        return [without(inner) for inner in part] if isinstance(part, list | tuple) else part

    return without(msgspec.to_builtins(value))
