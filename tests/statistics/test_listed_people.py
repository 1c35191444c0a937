"""A large server's leaderboard by chips lists who has played enough hands, and looks at few of them for a page (law BO-2)."""

from __future__ import annotations

import random
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime import listed_people
from bot.runtime.listed_people import ListedPeople
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.store_types import Cause, Forgetting, Listing
from bot.statistics.types import CountedChips
from bot.store.statistics.check import check_statistics
from bot.table.commands import CloseTable, LeaveTable, TakeSeat
from tests.runtime import evening as evenings
from tests.runtime.evening import GUILD, USERS, settings
from tests.statistics.evening_with_statistics import CountedEvening
from tests.statistics.test_private_games import open_privately
from tests.support.engines import source_at

ANN, BO, CY, DEE = (USERS[name] for name in ("Ann", "Bo", "Cy", "Dee"))
pytestmark = pytest.mark.law("BO-2")


@pytest.fixture(autouse=True)
def every_server_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed_people, "FEW", 0)
    monkeypatch.setattr(listed_people, "PEOPLE_AT_ONCE", 2)


class LargeEvening(CountedEvening):
    """Ann, Bo and Cy play; Dee has chips and no hands."""

    async def begin(self) -> LargeEvening:
        await super().begin()
        self.listed = ListedPeople(self.store, self.statistics)
        return self

    async def end(self) -> None:
        await self.listed.close()
        await super().end()

    async def listed_people(self, min_hands: int) -> set[int]:
        """Return who is on the leaderboard by their marks, which must be as if they were named."""
        self.tell()
        named = await self.listed.named(GUILD, min_hands)
        if named is not None:
            await self.listed.wait_until_idle()
            assert await self.listed.named(GUILD, min_hands) is None, "everybody has been looked at"
        return await self.compared(min_hands, named)

    async def followed(self, min_hands: int) -> set[int]:
        """The same, where nobody has to be looked at who has not changed."""
        self.tell()
        assert await self.listed.named(GUILD, min_hands) is None
        return await self.compared(min_hands)

    async def compared(self, min_hands: int, named: tuple[int, ...] | None = None) -> set[int]:
        enough = await self.statistics.people_with_hands(GUILD, CountedChips.SERVER, min_hands)
        assert enough is not None and (named is None or set(named) == set(enough))
        for user in (ANN, BO, CY, DEE):
            expected = await self.bank.leaderboard(GUILD, user, among=enough)
            assert await self.bank.leaderboard(GUILD, user, only_listed=True) == expected
        return {line.user for line in expected.lines}

    async def hands_of(self, user: int) -> int:
        self.tell()
        return await self.statistics.hands_of(GUILD, user, CountedChips.SERVER)

    async def leave(self, *names: str) -> None:
        for name in names:
            await self.ask(name, LeaveTable)


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[LargeEvening]:
    """Ann and Bo have played two hands."""
    evening = await LargeEvening(tmp_path).begin()
    try:
        await evening.open(settings(pause_seconds=1))
        await evening.seat(Ann=10_000, Bo=10_000)
        for name, chips in (("Cy", 10_000), ("Dee", 30_000)):
            await evening.fund(name, chips)
        for seed in range(2):
            await evening.play_hand(random.Random(seed))
        yield evening
    finally:
        await evening.end()


async def test_first_hand_that_is_enough_lists_its_player(evening: LargeEvening) -> None:
    assert await evening.listed_people(3) == set()
    await evening.ask("Cy", TakeSeat, 10_000, 3)
    await evening.play_hand(random.Random(2))
    assert await evening.followed(3) == {ANN, BO}
    while await evening.hands_of(CY) < 3:
        await evening.play_hand(random.Random(2))
    assert await evening.followed(3) == {ANN, BO, CY}


async def test_another_number_of_hands_lists_others(evening: LargeEvening) -> None:
    await evening.ask("Cy", TakeSeat, 10_000, 3)
    while not await evening.hands_of(CY):
        await evening.play_hand(random.Random(2))
    assert await evening.listed_people(2) == {ANN, BO}
    assert await evening.listed_people(1) == {ANN, BO, CY}
    assert await evening.listed_people(9) == set()
    await evening.play_hand(random.Random(3))
    assert await evening.listed_people(2) == {ANN, BO, CY}, "whoever has come to have two in between is listed"


async def test_open_private_game_lists_nobody(evening: LargeEvening) -> None:
    await evening.leave("Ann", "Bo")
    await evening.ask("Ann", CloseTable)
    assert await evening.listed_people(3) == set()
    await open_privately(evening, settings(pause_seconds=1))
    await evening.play_hand(random.Random(2))
    assert await evening.followed(3) == set()
    await evening.leave("Ann", "Bo")
    await evening.ask("Ann", CloseTable)
    evening.statistics.note(evening.table)
    assert await evening.followed(3) == {ANN, BO}


async def test_whoever_was_taken_out_of_the_data_is_not_listed(
    evening: LargeEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    cy, name_of = 1 << 60, evenings.name_of
    monkeypatch.setitem(USERS, "Cy", cy)
    monkeypatch.setattr(evenings, "name_of", lambda user: "Cy" if user == cy else name_of(user))
    await evening.fund("Cy", 10_000)
    await evening.ask("Cy", TakeSeat, 10_000, 3)
    while not await evening.hands_of(cy):
        await evening.play_hand(random.Random(2))
    assert await evening.listed_people(1) == {ANN, BO, cy}
    await evening.leave("Cy")
    cause = Cause("gone", cy, evening.clock.now(), "deleted")
    await evening.tables.forget(Forgetting(guild=GUILD, user=cy, cause=cause, marks=(b"a", b"b")))
    assert await evening.followed(1) == {ANN, BO}
    await evening.fund("Cy", 500)
    assert await evening.followed(1) == {ANN, BO}, "they come back without a hand"


async def test_dealer_killed_while_it_looks_at_everybody(evening: LargeEvening) -> None:
    """Some have a mark; nothing says that everybody has been looked at."""
    assert await evening.listed_people(2) == {ANN, BO}
    await evening.store.mark_listed(GUILD, {ANN: False, DEE: True}, None)
    await evening.crash()
    assert await evening.listed_people(2) == {ANN, BO}


async def test_statistics_that_are_counted_anew_mark_everybody_again(evening: LargeEvening) -> None:
    assert await evening.listed_people(2) == {ANN, BO}
    await evening.statistics.close()
    evening.statistics_path.unlink()
    await evening.crash()
    assert await evening.listed_people(2) == {ANN, BO}


async def test_older_copies_of_either_file_are_followed_up(evening: LargeEvening, tmp_path: Path) -> None:
    """The data is put back with marks of before; then the statistics are, by a power cut."""
    assert await evening.listed_people(3) == set()
    await evening.statistics.close()
    shutil.copy(evening.statistics_path, tmp_path / "older.sqlite3")
    before = await evening.store.listing(GUILD)
    assert before is not None
    await evening.crash()
    await evening.play_hand(random.Random(2))
    assert await evening.followed(3) == {ANN, BO}
    await evening.store.mark_listed(GUILD, {ANN: False, BO: False}, before)
    assert await evening.followed(3) == {ANN, BO}

    await evening.statistics.close()
    for ending in ("-wal", "-shm"):
        evening.statistics_path.with_name(evening.statistics_path.name + ending).unlink(missing_ok=True)
    shutil.copy(tmp_path / "older.sqlite3", evening.statistics_path)
    await evening.store.mark_listed(GUILD, {}, Listing(before.epoch, before.followed + 9))
    await evening.crash()
    assert await evening.listed_people(3) == {ANN, BO}


async def test_check_finds_a_mark_that_hands_do_not_bear_out(evening: LargeEvening) -> None:
    def wrong() -> int:
        return check_statistics(evening.statistics_path, source_at(evening.path), statistics_decoder())

    assert await evening.listed_people(2) == {ANN, BO}
    kept = await evening.store.listing(GUILD)
    assert wrong() == 0
    await evening.store.mark_listed(GUILD, {ANN: False}, kept)
    assert wrong() == 1
    await evening.store.mark_listed(GUILD, {}, None)
    assert wrong() == 0, "nobody goes by marks that do not follow"
