"""What one person adds to another's place on the leaderboards counts up to a cap, in a season and in a year (BO-1)."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.house.quiet_hours import year_at
from bot.house.rules import HouseRules
from bot.ledger.accounts import wallet_account
from bot.ledger.books import BookProblem
from bot.ledger.gifts import DAY_MS
from bot.runtime.store_types import Commit, NewTable, UnshownChips
from bot.statistics.seasons import Season
from tests.store.desk import ANN, BO, CY, GUILD, NOON, Desk, sqlite_store

PEOPLE = (ANN, BO, CY, 104, 105)
SEASON = Season(GUILD, 1, "Winter", NOON)
RULES = HouseRules(counted_per_opponent=1_000)
NEXT_YEAR = NOON + 400 * DAY_MS


class Boards(Desk):
    """Everybody has been granted 10,000 chips."""

    async def begin(self) -> None:
        for user in PEOPLE:
            await self.grant(user, 10_000)
        await self.save(Commit(guild=GUILD, cause=self.cause("rules"), rules=RULES, season=SEASON))

    async def wins(self, winner: int, loser: int, chips: int, *, at: int = NOON, table: int = 0) -> None:
        """Let a hand pass chips from one to the other, as far as the leaderboards know: no balance changes."""
        cause = replace(self.cause("hand"), at=at)
        flows = ((winner, loser, chips),)
        await self.save(
            Commit(guild=GUILD, cause=cause, table=table, seq=self.seqs.get(table, 0), flows=flows, private=table > 0)
        )

    async def set_cap(self, chips: int) -> None:
        rules = replace(RULES, counted_per_opponent=chips)
        await self.save(Commit(guild=GUILD, cause=self.cause("rules"), rules=rules))

    async def uncounted(self) -> dict[int, int]:
        """What the leaderboard by chips does not count."""
        board = await self.store.leaderboard(GUILD, limit=100)
        assert (await self.store.audit(GUILD)).faults == ()
        return {line.user: line.uncounted for line in board.lines if line.uncounted}

    async def of_season(self) -> dict[int, int]:
        found = await self.store.uncounted_of_season(GUILD, 1)
        return {user: chips for user, chips in found.items() if chips}


@pytest.fixture
async def boards(tmp_path: Path) -> AsyncIterator[Boards]:
    store = sqlite_store(tmp_path)
    await store.open()
    boards = Boards(store)
    await boards.begin()
    yield boards
    await store.close()


@pytest.mark.law("BO-1")
async def test_one_opponent_adds_up_to_the_cap(boards: Boards) -> None:
    """Ann wins 3,000 from Bo and 800 from Cy: 1,800 of it count. What Bo has lost, Bo has lost."""
    await boards.wins(ANN, BO, 2_000)
    await boards.wins(ANN, BO, 1_000)
    await boards.wins(ANN, CY, 800)
    assert await boards.uncounted() == {ANN: 2_000} == await boards.of_season()
    await boards.wins(BO, ANN, 2_500)
    assert await boards.uncounted() == {} == await boards.of_season(), "the net counts"
    await boards.wins(BO, ANN, 2_500)
    assert await boards.uncounted() == {BO: 1_000} == await boards.of_season()


@pytest.mark.law("BO-1")
async def test_leaderboard_goes_by_what_counts(boards: Boards) -> None:
    await boards.grant(ANN, 5_000)
    await boards.grant(BO, 100)
    await boards.wins(ANN, CY, 6_000)
    lines = (await boards.store.leaderboard(GUILD, user=ANN, limit=3)).lines
    assert [(one.rank, one.user, one.total, one.counted) for one in lines] == [
        (1, BO, 10_100, 10_100), (2, ANN, 15_000, 10_000), (2, CY, 10_000, 10_000),
    ]  # fmt: skip
    page = await boards.store.leaderboard(GUILD, user=ANN, limit=1, offset=1)
    assert page.own == lines[1] == page.lines[0]


@pytest.mark.law("BO-1")
async def test_changed_cap_counts_for_the_whole_season(boards: Boards) -> None:
    await boards.wins(ANN, BO, 9_000)
    await boards.wins(CY, BO, 1_500)
    assert await boards.uncounted() == {ANN: 8_000, CY: 500}
    await boards.set_cap(2_000)
    assert await boards.uncounted() == {ANN: 7_000} == await boards.of_season()
    await boards.set_cap(-1)
    assert await boards.uncounted() == {} == await boards.of_season()
    await boards.set_cap(0)
    assert await boards.uncounted() == {ANN: 4_000}, "half the opening grant"


@pytest.mark.law("BO-1")
async def test_each_year_and_each_season_begins_anew(boards: Boards) -> None:
    """The year before stays as it was counted, whatever becomes of the cap."""
    await boards.wins(ANN, BO, 3_000)
    over = replace(SEASON, ends_at=NOON + DAY_MS)
    await boards.save(Commit(guild=GUILD, cause=boards.cause("ends"), season=over))
    await boards.wins(ANN, BO, 3_000, at=NEXT_YEAR)
    assert await boards.uncounted() == {ANN: 4_000}
    assert await boards.of_season() == {ANN: 2_000}, "no season runs by then"
    await boards.save(Commit(guild=GUILD, cause=replace(boards.cause("rules"), at=NEXT_YEAR), rules=HouseRules()))
    assert await boards.uncounted() == {ANN: 2_000}


def test_year_turns_at_midnight_of_the_servers_clock() -> None:
    """2023 begins in Sydney eleven hours before it does in London."""
    last_noon = 1_672_488_000_000  # of 2022, in UTC
    clocks = ("", "22:00-08:00 Australia/Sydney", "22:00-08:00 +12:00", "22:00-08:00 -12:00")
    assert [year_at(clock, last_noon) for clock in clocks] == [2022, 2022, 2023, 2022]
    assert [year_at(clock, last_noon + DAY_MS // 24) for clock in clocks] == [2022, 2023, 2023, 2022]
    assert [year_at(clock, last_noon + DAY_MS // 2) for clock in clocks] == [2023, 2023, 2023, 2022]
    assert [year_at(clock, last_noon + DAY_MS // 24) for clock in ("Australia/Sydney", "Nowhere/At_All")] == [
        2023,
        2022,
    ]


@pytest.mark.law("BO-1")
async def test_year_turns_by_a_new_time_zone_from_then_on(boards: Boards) -> None:
    """At one in the afternoon of the last day, by the clock of London, it is next year in Sydney."""
    last_day = 1_672_491_600_000
    over = replace(SEASON, ends_at=NOON + DAY_MS)
    await boards.save(Commit(guild=GUILD, cause=boards.cause("ends"), season=over))
    quiet = replace(RULES, quiet_hours="22:00-08:00 Europe/London")
    await boards.save(Commit(guild=GUILD, cause=boards.cause("rules"), rules=quiet))
    await boards.wins(ANN, BO, 3_000, at=last_day)
    assert await boards.uncounted() == {ANN: 2_000}
    moved = replace(quiet, time_zone="Australia/Sydney")
    await boards.save(Commit(guild=GUILD, cause=replace(boards.cause("rules"), at=last_day), rules=moved))
    await boards.wins(ANN, BO, 1_500, at=last_day)
    assert await boards.uncounted() == {ANN: 2_500}, "what was won before stays in the year in which it was"


@pytest.mark.law("BO-1")
async def test_private_table_counts_when_it_closes(boards: Boards) -> None:
    """Until then no number tells of it, but for the results of a season that closes meanwhile."""
    commit = Commit(guild=GUILD, cause=boards.cause("open"), new_table=NewTable(1, b"settings", private=True))
    table = (await boards.store.commit(commit)).table
    boards.seqs[table] = 1
    await boards.wins(ANN, BO, 900)
    await boards.wins(ANN, BO, 900, table=table)
    assert await boards.uncounted() == {}
    assert await boards.of_season() == {ANN: 800}
    await boards.store.commit(
        Commit(guild=GUILD, cause=boards.cause("close"), table=table, seq=boards.seqs[table], closes=True)
    )
    assert await boards.uncounted() == {ANN: 800} == await boards.of_season()
    with closing(sqlite3.connect(boards.store.path)) as db:
        assert db.execute("SELECT count(*) FROM board_pair_held").fetchone() == (0,)


async def test_sums_are_those_of_a_recount(boards: Boards, tmp_path: Path) -> None:
    """Many flows in few batches, with changes of the cap in between; then a restart."""
    rng, net = random.Random(5), Counter[tuple[int, int]]()
    cap = 1_000
    for _ in range(120):
        winner, loser = rng.sample(PEOPLE, 2)
        chips = rng.randint(1, 900)
        await boards.wins(winner, loser, chips)
        net[winner, loser] += chips
        net[loser, winner] -= chips
        if rng.random() < 0.05:
            cap = rng.choice([1_000, 1_700, 4_000])
            await boards.set_cap(cap)
    expected = Counter[int]()
    for (user, _), chips in net.items():
        expected[user] += max(0, chips - cap)
    assert await boards.uncounted() == +expected == await boards.of_season()
    await boards.store.close()
    again = Boards(sqlite_store(tmp_path))
    await again.store.open()
    try:
        assert await again.uncounted() == +expected
    finally:
        await again.store.close()


async def test_unshown_hand_changes_no_place(boards: Boards) -> None:
    """An all-in hand is being shown: what it brings over the cap does not count less yet, nor what it takes away more."""
    await boards.wins(ANN, BO, 1_500)
    before = (await boards.store.leaderboard(GUILD, limit=9)).lines
    await boards.wins(ANN, BO, 700)
    await boards.wins(CY, ANN, 300)
    flows = ((ANN, BO, 700), (CY, ANN, 300))
    unshown = [UnshownChips(user, 0, 0, 0) for user in (ANN, BO, CY)]
    year = year_at("", NOON)
    shown = await boards.store.leaderboard(GUILD, limit=9, unshown=unshown, unshown_flows=flows, year=year)
    assert shown.lines == before != (await boards.store.leaderboard(GUILD, limit=9)).lines


async def test_audit_finds_what_was_counted_wrong(boards: Boards) -> None:
    await boards.wins(ANN, BO, 1_500)
    assert (await boards.store.audit(GUILD)).faults == ()
    for change in (
        "UPDATE player_total SET counted = counted + 1 WHERE user = 101",
        "UPDATE uncounted SET chips = chips + 1 WHERE user = 101 AND span = 1",
        "UPDATE board_pair SET chips = chips + 1 WHERE user = 101 AND span < 0",
    ):
        with closing(sqlite3.connect(boards.store.path, isolation_level=None)) as db:
            db.execute(change)
        (fault,) = (await boards.store.audit(GUILD)).faults
        assert (fault.problem, fault.account) == (BookProblem.COUNTED_DIFFERS, wallet_account(ANN))
        with closing(sqlite3.connect(boards.store.path, isolation_level=None)) as db:
            db.execute(change.replace("+ 1", "- 1"))
    assert (await boards.store.audit(GUILD)).faults == ()


async def test_audit_finds_ranks_that_count_others(boards: Boards) -> None:
    await boards.wins(ANN, BO, 1_500)
    await boards.store.mark_listed(GUILD, {ANN: True}, None)
    assert (await boards.store.audit(GUILD)).faults == ()
    for blocks in ("board_block", "listed_block"):
        for change in ("people = people + 1", "people = people - 1"):
            with closing(sqlite3.connect(boards.store.path, isolation_level=None)) as db:
                db.execute(f"UPDATE {blocks} SET {change}")
            found = [fault.problem for fault in (await boards.store.audit(GUILD)).faults]
            assert found == [BookProblem.RANKS_DIFFER] * (change == "people = people + 1")
