"""Whose file is checked next. One person who gives hard files as fast as they can keeps nobody else waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from bot.runtime.errors import FileBeingRead, OneMoment, WorkTimeUsed
from bot.surfaces.imports.checker_turns import (
    LITTLE_SECONDS,
    MAX_WAITING,
    SECONDS_AT_ONCE,
    SECONDS_FOR_ONE,
    TRY_AGAIN_SECONDS,
    CheckerTurns,
)

ANN, BO, CY, MAL = 11, 12, 13, 666
HARD = 8.0
"""Processor seconds that a file can take at most."""


class Room:
    """People who give files, and a clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.turns = CheckerTurns(lambda: self.now)
        self._ends: dict[int, asyncio.Event] = {}
        self._given: dict[int, asyncio.Task[None]] = {}

    async def give(self, *users: int) -> None:
        """Each of these people gives a file, one after the other."""
        for user in users:
            self._ends[user] = asyncio.Event()
            self._given[user] = asyncio.create_task(self._check(user))
            await self._settle()

    async def checked(self, user: int, seconds: float) -> None:
        """A person's file has been checked and took so many processor seconds."""
        assert user in self.turns.working
        self.turns.spend(user, seconds)
        self._ends[user].set()
        await self._given[user]
        await self._settle()

    async def told(self, user: int) -> BaseException | None:
        """Return what a person was refused with."""
        (outcome,) = await asyncio.gather(self._given[user], return_exceptions=True)
        return outcome

    async def give_up(self, user: int) -> None:
        self._given[user].cancel()
        await self.told(user)
        await self._settle()

    async def _check(self, user: int) -> None:
        async with self.turns.turn(user):
            await self._ends[user].wait()

    async def _settle(self) -> None:
        for _ in range(4):
            await asyncio.sleep(0)


@asynccontextmanager
async def room() -> AsyncIterator[Room]:
    room = Room()
    yield room
    for user in (*room.turns.working, *room.turns.waiting):
        await room.give_up(user)
    assert not room.turns.working and not room.turns.waiting


async def test_one_file_of_a_person_at_a_time() -> None:
    async with room() as told:
        await told.give(MAL)
        for _ in range(3):
            with pytest.raises(FileBeingRead):
                told.turns.require_may_give(MAL)
        assert told.turns.working == (MAL,)
        await told.checked(MAL, 0.5)
        told.turns.require_may_give(MAL)


async def test_second_checker_is_kept_for_those_who_used_little() -> None:
    async with room() as told:
        for user in (BO, CY):
            told.turns.spend(user, LITTLE_SECONDS + 1)
        await told.give(BO, CY)
        assert told.turns.working == (BO,) and told.turns.waiting == (CY,)
        await told.give(ANN)
        assert told.turns.working == (BO, ANN), "she has used nothing"
        await told.checked(ANN, 0.1)
        assert told.turns.waiting == (CY,), "the second checker stays free for the next one like her"
        await told.checked(BO, 0.1)
        assert told.turns.working == (CY,)


async def test_who_used_least_comes_first() -> None:
    async with room() as told:
        told.turns.spend(CY, 1.5)
        told.turns.spend(MAL, 1.0)
        await told.give(ANN, BO, CY, MAL, 14)
        assert told.turns.working == (ANN, BO) and told.turns.waiting == (CY, MAL, 14)
        await told.checked(ANN, 0.1)
        assert told.turns.working == (BO, 14)
        await told.checked(BO, 0.1)
        assert told.turns.working == (14, MAL)


async def test_used_seconds_are_told_and_come_back() -> None:
    async with room() as told:
        for _ in range(3):
            await told.give(MAL)
            await told.checked(MAL, HARD)
        with pytest.raises(WorkTimeUsed) as refused:
            told.turns.require_may_give(MAL)
        assert (refused.value.used, refused.value.seconds) == (SECONDS_AT_ONCE, SECONDS_FOR_ONE)
        await told.give(MAL)
        assert isinstance(await told.told(MAL), WorkTimeUsed)
        told.now += SECONDS_FOR_ONE
        told.turns.require_may_give(MAL)


async def test_full_line_refuses_those_who_used_most() -> None:
    async with room() as told:
        told.turns.spend(MAL, HARD)
        await told.give(1, 2, MAL, *range(100, 99 + MAX_WAITING))
        assert len(told.turns.waiting) == MAX_WAITING
        await told.give(ANN)
        refused = await told.told(MAL)
        assert isinstance(refused, OneMoment) and refused.seconds == TRY_AGAIN_SECONDS
        assert ANN in told.turns.waiting and len(told.turns.waiting) == MAX_WAITING
        await told.give(BO)
        assert isinstance(await told.told(BO), OneMoment), "nobody in the line has used more"


async def test_who_gives_up_leaves_their_turn_to_others() -> None:
    async with room() as told:
        await told.give(ANN, BO, CY, MAL)
        await told.give_up(CY)
        await told.give_up(ANN)
        assert told.turns.working == (BO, MAL) and not told.turns.waiting


async def test_hard_files_of_one_account_keep_nobody_waiting() -> None:
    """One account gives files of eight seconds for ten minutes; every twelve seconds somebody else gives an evening's hands."""
    async with room() as told:
        spent, waits, given = 0.0, 0, 0
        ends_at: float | None = None
        start = told.now
        for second in range(600):
            told.now = start + second
            if ends_at is not None and told.now >= ends_at:
                await told.checked(MAL, HARD)
                spent, ends_at = spent + HARD, None
            with suppress(FileBeingRead, WorkTimeUsed):
                told.turns.require_may_give(MAL)
                await told.give(MAL)
                ends_at = told.now + 20  # a busy machine
            if second % 12 == 0:
                honest = 1_000 + given
                await told.give(honest)
                given += 1
                waits += honest in told.turns.waiting
                await told.checked(honest, 1.0)
        assert given == 50 and waits == 0
        assert spent <= SECONDS_AT_ONCE + HARD + 600 / SECONDS_FOR_ONE, "one processor second in twelve"
