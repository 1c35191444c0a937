"""People look at tables that wait when they are awake: nobody is dropped for sleeping, and nobody waits for ever (WT-1, TL-32)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.view.types import HandView
from bot.house.vacations import Vacation, days_left, running, taken
from bot.table.commands import TopUp
from bot.table.state import SeatStatus
from bot.table.view import SeatedPlayerView
from tests.runtime.evening import USERS, Evening, name_of, settings

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NAMES = ("Ann", "Bo", "Cy")


class Person:
    """When somebody looks: some times a day, never while they sleep, seldom at weekends, never on vacation."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name, self.rng = name, rng
        self.zone_ms = rng.randrange(-8, 10) * HOUR_MS
        self.pause_ms = rng.choice([1, 3, 8]) * HOUR_MS
        self.has_weekends = rng.random() < 0.5
        self.vacations: tuple[Vacation, ...] = ()

    def next_look(self, now: int) -> int:
        at = now + self.rng.randint(HOUR_MS // 4, 2 * self.pause_ms)
        while not self._is_awake(at):
            at += HOUR_MS
        return at

    def _is_awake(self, at: int) -> bool:
        local = at + self.zone_ms
        hour, weekday = local // HOUR_MS % 24, (local // DAY_MS + 3) % 7
        on_weekend = self.has_weekends and weekday >= 5
        return 7 <= hour < 23 and not on_weekend and running(self.vacations, at) is None


class Month:
    """A table in front of three people for some weeks. The clock jumps from what is due to what is due."""

    def __init__(self, evening: Evening, seed: int) -> None:
        self.evening, self.rng = evening, random.Random(seed)
        self.people = [Person(name, self.rng) for name in NAMES]
        self.seconds = self.rng.choice([3_600, 86_400, 3 * 86_400, 7 * 86_400])
        self.hands = self.turns = 0

    async def pass_by(self, days: int) -> None:
        evening, chosen = self.evening, settings()
        await evening.open(replace(chosen, stakes=replace(chosen.stakes, turn_seconds=self.seconds)))
        await evening.seat(**dict.fromkeys(NAMES, 20_000))
        end = evening.clock.now() + days * DAY_MS
        looks = {person: person.next_look(evening.clock.now()) for person in self.people}
        while evening.clock.now() < end:
            person = min(looks, key=lambda one: looks[one])
            due = evening.session._wake_at()
            if due and due < looks[person]:
                await self._jump(due)
                if due <= evening.clock.now() and evening.session._wake_at() == due:
                    await self._jump(due + 1_000)
            else:
                await self._jump(looks[person])
                await self._look(person)
                looks[person] = person.next_look(evening.clock.now())
            self._check()

    async def _jump(self, at: int) -> None:
        self.evening.clock.move_to(at)
        while self.evening.clock.ring_due():
            pass
        await self.evening.tables.wait_until_idle()
        self.evening.updates.clear()

    async def _look(self, person: Person) -> None:
        evening, now = self.evening, self.evening.clock.now()
        if self.rng.random() < 0.01 and (left := days_left(person.vacations, now)):
            person.vacations = taken(person.vacations, self.rng.randint(1, left), now)
            own = person.vacations[-1]
            await evening.tables.set_vacation(USERS[person.name], own.begins_at, own.ends_at)
            return
        seat = self._seat(person.name)
        if seat.stack < 2_000 and not self._plays(person.name):
            await evening.fund(person.name, 10_000)
            await evening.ask(person.name, TopUp, 10_000)
        if evening.to_act == person.name:
            view = evening.view(person.name)
            await evening.acts(f"{person.name} {self._choice(view)}")
            self.turns += 1

    def _choice(self, view: HandView) -> str:
        legal = view.legal
        assert legal is not None
        if legal.check:
            return f"bets {legal.min_to}" if legal.opening and self.rng.random() < 0.3 else "checks"
        return self.rng.choice(["calls", "calls", "folds"])

    def _seat(self, name: str) -> SeatedPlayerView:
        found = [seat for seat in self.evening.snapshot.table.seats if seat.player == USERS[name]]
        assert found, f"{name} has lost their seat"
        return found[0]

    def _plays(self, name: str) -> bool:
        return self.evening.playing() and USERS[name] in self.evening.snapshot.dealt_users

    def _check(self) -> None:
        """Nobody is dropped; only a vacation sits anybody out; the table waits for nobody longer than their clock."""
        evening, now = self.evening, self.evening.clock.now()
        for person in self.people:
            seat = self._seat(person.name)
            is_away = running(person.vacations, now) is not None
            assert is_away or not seat.stack or seat.status is not SeatStatus.SITTING_OUT, person.name
        turn = evening.snapshot.current_turn
        if turn is not None:
            assert turn.bank_ends_at - turn.began_at <= 1_000 * (self.seconds + 60)
            assert now <= turn.bank_ends_at + 2_000, f"the table waits for {name_of(turn.user)}"
        self.hands = max(self.hands, evening.snapshot.hand_number)
        ready = [seat for seat in evening.snapshot.table.seats if seat.stack and seat.status is SeatStatus.PLAYING]
        assert (
            turn is not None or len(ready) < 2 or evening.snapshot.next_hand_at or evening.session.run_out is not None
        )


@pytest.mark.law("WT-1", "TL-32")
@pytest.mark.parametrize("seed", range(4))
async def test_nobody_is_dropped_and_nobody_waits_for_ever(tmp_path: Path, seed: int) -> None:
    evening = await Evening(tmp_path, seed=seed).begin()
    month = Month(evening, seed)
    await month.pass_by(days=10)
    assert month.hands and month.turns
    await evening.audit()
    await evening.end()


@pytest.mark.full
@pytest.mark.law("WT-1", "TL-32")
async def test_thousand_people_sleep_and_nobody_is_dropped(tmp_path: Path) -> None:
    """334 tables of three, thirty days each."""
    for seed in range(334):
        folder = tmp_path / str(seed)
        folder.mkdir()
        evening = await Evening(folder, seed=seed).begin()
        await Month(evening, 1_000 + seed).pass_by(days=30)
        await evening.audit()
        await evening.end()
