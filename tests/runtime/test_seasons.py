"""Seasons are opened and closed by staff or by the calendar, and their results stand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.house.seasons import SeasonChips
from bot.ledger.seasons import season_transfers, taken_on_return
from bot.runtime.errors import NoSeason, SeasonRuns
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_errors import SeasonResultsStale, StoreFailed
from bot.runtime.store_types import Cause, Commit, SeasonEnd
from bot.statistics.seasons import season_results
from bot.statistics.types import RankingLine, RankingOrder
from bot.store.database import DATABASE_FAILED
from bot.store.store import Store
from bot.table.refusals import StaffOnly
from tests.runtime.evening import GUILD, USERS
from tests.runtime.seasons_evening import SeasonsEvening, at
from tests.support.engines import allow, opened

ANN, BO, CY = USERS["Ann"], USERS["Bo"], USERS["Cy"]


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[SeasonsEvening]:
    opened = await SeasonsEvening(tmp_path).begin()
    opened.clock.move_to(at("2026-11-23 20:00"))
    yield opened
    await opened.end()


async def seated(evening: SeasonsEvening, **stacks: int) -> None:
    await evening.open()
    await evening.seat(**(stacks or {"Ann": 10_000, "Bo": 10_000}))


async def test_staff_open_and_close_a_season(evening: SeasonsEvening) -> None:
    """Hands before and after it are not in it. Its results are those of a recount, and stand."""
    await seated(evening)
    await evening.play("Ann")
    with pytest.raises(StaffOnly):
        await evening.seasons.begin(evening.request("Ann"), "Mine")
    with pytest.raises(NoSeason):
        await evening.seasons.end(evening.request("Ida", staff=True))
    season = await evening.open_season("Winter")
    with pytest.raises(SeasonRuns):
        await evening.open_season("Another")
    for loser in ("Ann", "Bo", "Ann", "Ann"):
        await evening.play(loser)
    closed = await evening.close_season()
    assert (closed.number, closed.name, await evening.running()) == (1, "Winter", "")
    results = await evening.results()
    assert {name: net for name, (_, net) in results.items()} == evening.recount(season.opened_at, closed.ends_at)
    await evening.play("Bo")
    await evening.crash()
    assert await evening.results(1) == results
    lines = await evening.store.staff_log(GUILD, after=0, limit=100)
    told = [line.entry.kind for line in lines if line.entry.kind.value.startswith("season")]
    assert told == [StaffLogKind.SEASON_OPENED, StaffLogKind.SEASON_CLOSED]
    await evening.audit()


async def test_a_running_hand_counts_for_the_season_it_ends_in(evening: SeasonsEvening) -> None:
    await seated(evening)
    await evening.open_season("First")
    await evening.play("Ann")
    await evening.deal()
    await evening.close_season()
    assert evening.snapshot.hand_running
    await evening.open_season("Second")
    await evening.play("Bo")
    await evening.close_season()
    first, second = await evening.results(1), await evening.results(2)
    assert first["Bo"][1] > 0 > first["Ann"][1]
    assert second["Ann"][1] > 0 > second["Bo"][1]


async def test_a_tie_for_first_has_two_winners(evening: SeasonsEvening) -> None:
    await seated(evening)
    await evening.open_season("Draw")
    await evening.play("Ann")
    await evening.play("Bo")
    await evening.close_season()
    nets = await evening.results()
    if nets["Ann"][1] == nets["Bo"][1]:
        assert await evening.seasons.last_winners(GUILD) == (1, (ANN, BO))
        assert nets == {"Ann": (1, 0), "Bo": (1, 0)}


async def test_too_few_hands_have_no_rank(evening: SeasonsEvening) -> None:
    evening.minimum = 3
    await seated(evening)
    await evening.open_season("Short")
    await evening.play("Ann")
    await evening.close_season()
    assert {rank for rank, _ in (await evening.results()).values()} == {0}
    assert await evening.seasons.last_winners(GUILD) == (1, ())


async def test_pages_of_results_hold_everybody_once(evening: SeasonsEvening) -> None:
    """The ranked come first, and a page can hold both."""
    season = await evening.open_season("Pages")
    lines = [RankingLine(0, 1_000 + number, number, 100 - number % 4) for number in range(1, 18)]
    results = season_results(lines, RankingOrder.NET, 6)
    ended = replace(season, ends_at=season.opened_at + 1, closed_at=season.opened_at + 1, min_hands=6)
    entry = StaffLogEntry(kind=StaffLogKind.SEASON_CLOSED, season=1)
    cause = Cause("pages", 0, 1, "season closed")
    await evening.store.close_season(SeasonEnd(season=ended, results=results, cause=cause, staff_log=entry))
    pages = [
        (await evening.store.season_results_page(GUILD, 1, offset=offset, limit=5)).results
        for offset in range(0, 20, 5)
    ]
    shown = [one for page in pages for one in page]
    assert shown == sorted(results, key=lambda one: (one.rank == 0, one.rank, one.user)) and len(shown) == 17
    with pytest.raises(SeasonResultsStale):
        await evening.store.close_season(SeasonEnd(season=ended, results=results, cause=cause, staff_log=entry))


async def test_calendar_opens_and_closes_at_midnight(evening: SeasonsEvening) -> None:
    staff = evening.request("Ida", staff=True)
    await evening.seasons.change_rules(staff, season_months=1, ranking_hands=1)
    assert await evening.running() == "1"
    await seated(evening)
    await evening.play("Ann")
    await evening.wait_until("2026-12-01 00:00:01")
    await evening.settled()
    assert await evening.running() == "2"
    first, second = await evening.seasons.seasons(GUILD)
    assert (first.ends_at, second.opened_at, second.ends_at) == (at("2026-12-01"), at("2026-12-01"), at("2027-01-01"))
    nets = {name: net for name, (_, net) in (await evening.results(1)).items()}
    assert nets == evening.recount(at("2026-11-23 20:00"), at("2026-12-01"))


async def test_calendar_catches_up_over_two_boundaries(evening: SeasonsEvening) -> None:
    """The dealer was away from February to April of a leap year: two seasons are closed, in order."""
    evening.clock.move_to(at("2028-02-29 23:00"))
    await evening.seasons.change_rules(evening.request("Ida", staff=True), season_months=1, ranking_hands=1)
    await seated(evening)
    await evening.play("Ann")
    await evening.crash(away_ms=at("2028-04-02") - evening.clock.now())
    await evening.settled()
    seasons = await evening.seasons.seasons(GUILD)
    assert [(season.opened_at, season.ends_at, bool(season.closed_at)) for season in seasons[1:]] == [
        (at("2028-03-01"), at("2028-04-01"), True),
        (at("2028-04-01"), at("2028-05-01"), False),
    ]
    assert seasons[0].ends_at == at("2028-03-01") and seasons[0].closed_at
    assert (await evening.results(1))["Bo"][0] == 1 and await evening.results(2) == {}


async def test_without_a_calendar_the_season_goes_on(evening: SeasonsEvening) -> None:
    staff = evening.request("Ida", staff=True)
    await evening.seasons.change_rules(staff, season_months=3)
    assert [season.ends_at for season in await evening.seasons.seasons(GUILD)] == [at("2027-01-01")]
    await evening.seasons.change_rules(evening.request("Ida", staff=True), season_months=0)
    evening.clock.move_to(at("2026-12-31 23:59"))
    await evening.wait_until("2027-01-01 00:02")
    assert await evening.running() == "1"


@pytest.mark.law("BO-2")
async def test_everybody_starts_again_with_the_same_chips(evening: SeasonsEvening) -> None:
    """Chips on tables do not count any more; the table closes after the hand that is being played. Who has not played is given nothing, and
    keeps no more than the others have (BO-2)."""
    await seated(evening, Ann=10_000, Bo=8_000)
    await evening.fund("Cy", 25_000)
    await evening.fund("Dee", 500)
    await evening.bank.take(evening.request("Ida", staff=True), USERS["Dee"], 9_500, "a correction")
    await evening.open_season("Reset")
    await evening.play("Ann")
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), season_start=5_000)
    await evening.deal()
    changes = await evening.seasons.end_chips(GUILD)
    assert changes.on_tables == 18_000 and len(changes.tables) == 1
    await evening.close_season()
    assert await totals(evening) == {
        "Cy": 5_000,
        "Dee": 500,
        "Ann": 5_000 + stack(evening, "Ann"),
        "Bo": 5_000 + stack(evening, "Bo"),
    }
    await evening.audit()
    await evening.finish_hand()
    assert not evening.tables.tables_in_guild(GUILD)
    assert await totals(evening) == dict.fromkeys(("Ann", "Bo", "Cy"), 5_000) | {"Dee": 500}
    await evening.audit()
    await evening.seasons.begin(evening.request("Ida", staff=True), "Next")
    await seated(evening, Ann=3_000, Bo=3_000)
    await evening.play("Ann")
    await evening.audit()


async def test_chips_brought_after_the_end_stay_whole(evening: SeasonsEvening) -> None:
    """Half is carried over; who tops up before the table closes loses none of it."""
    from bot.table.commands import TopUp

    await seated(evening, Ann=4_000, Bo=4_000)
    await evening.fund("Ann", 6_000)
    await evening.fund("Bo", 6_000)
    await evening.open_season("Half")
    await evening.play("Ann")
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), season_carried=50)
    await evening.deal()
    before = await totals(evening)
    await evening.close_season()
    await evening.ask("Ann", TopUp, 1_000)
    await evening.crash()
    await evening.finish_hand()
    after = await totals(evening)
    assert not evening.tables.tables_in_guild(GUILD)
    assert sum(after.values()) == sum(before.values()) // 2
    await evening.audit()


@pytest.mark.parametrize("moment", ["end set", "results read", "closed"])
async def test_a_kill_while_closing_loses_nothing(
    evening: SeasonsEvening, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    await seated(evening)
    await evening.open_season("Killed")
    await evening.play("Ann")
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), season_carried=50)
    total = sum((await totals(evening)).values())
    reached = asyncio.Event()
    close, commit = Store.close_season, Store.commit

    async def killed_close(self: Store, end: SeasonEnd) -> tuple[int, ...]:
        if moment == "closed":
            await close(self, end)
        reached.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def killed_commit(self: Store, one: Commit) -> object:
        receipt = await commit(self, one)
        if moment == "end set" and one.season is not None and one.season.ends_at:
            reached.set()
            await asyncio.Event().wait()
        return receipt

    with monkeypatch.context() as patched:
        patched.setattr(Store, "close_season", killed_close)
        patched.setattr(Store, "commit", killed_commit)
        closing_ = asyncio.ensure_future(evening.seasons.end(evening.request("Ida", staff=True)))
        while not reached.is_set():
            await asyncio.sleep(0)
            evening.clock.move_to(evening.clock.now() + 300)
            while evening.clock.ring_due():
                await asyncio.sleep(0)
        closing_.cancel()
    await evening.crash(1_000)
    await evening.settled()
    assert await evening.running() == ""
    assert {name: net for name, (_, net) in (await evening.results(1)).items()} == await evening.recounted(1)
    await evening.finish_hand()
    assert not evening.tables.tables_in_guild(GUILD)
    assert sum((await totals(evening)).values()) == total // 2, "once, and not twice"
    lines = await evening.store.staff_log(GUILD, after=0, limit=100)
    assert [line.entry.kind for line in lines].count(StaffLogKind.SEASON_CLOSED) == 1
    await evening.audit()


async def test_results_of_a_season_never_change(evening: SeasonsEvening) -> None:
    await seated(evening)
    await evening.open_season("Stone")
    await evening.play("Ann")
    await evening.close_season()
    with opened(evening.path) as db:
        allow(db)
        for change in (
            "UPDATE season_result SET net = net + 1",
            'UPDATE season_result SET "user" = "user" + 1',
            "DELETE FROM season_result",
            "UPDATE season SET name = 'Sand'",
            "DELETE FROM season",
        ):
            with pytest.raises(DATABASE_FAILED):
                db.execute(change)


async def totals(evening: SeasonsEvening) -> dict[str, int]:
    """Return what everybody has, on tables and off."""
    names = {user: name for name, user in USERS.items()}
    board = await evening.store.leaderboard(GUILD, limit=100)
    return {names[line.user]: line.total for line in board.lines if names[line.user] not in ("Ida",)}


def stack(evening: SeasonsEvening, name: str) -> int:
    seats = {seat.player: seat.stack for seat in evening.snapshot.table.seats}
    return seats[USERS[name]]


async def test_a_full_disk_puts_the_end_off_and_loses_nothing(
    evening: SeasonsEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seated(evening)
    await evening.open_season("Full")
    await evening.play("Ann")

    async def full(*_: object) -> tuple[int, ...]:
        raise StoreFailed(reason="the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "close_season", full)
        with pytest.raises(StoreFailed):
            await evening.close_season()
    assert await evening.running() == "", "hands that end from now on are not in it"
    await evening.wait(31)
    assert {name: net for name, (_, net) in (await evening.results(1)).items()} == await evening.recounted(1)


async def test_two_staff_who_close_at_once_close_once(evening: SeasonsEvening) -> None:
    await seated(evening)
    await evening.open_season("Twice")
    await evening.play("Ann")
    both = [asyncio.ensure_future(evening.seasons.end(evening.request(name, staff=True), 1)) for name in ("Ida", "Hal")]
    while not all(one.done() for one in both):
        await asyncio.sleep(0)
        await evening.wait(0.3)
    assert isinstance(both[1].exception(), SeasonResultsStale) and both[0].result().number == 1
    lines = await evening.store.staff_log(GUILD, after=0, limit=100)
    assert [line.entry.kind for line in lines].count(StaffLogKind.SEASON_CLOSED) == 1


@given(
    wallets=st.dictionaries(st.integers(1, 50), st.integers(0, 10**6), max_size=12),
    start=st.sampled_from((0, 1, 5_000)),
    carried=st.integers(0, 100),
)
def test_season_transfers_agree_with_a_plain_recount(wallets: dict[int, int], start: int, carried: int) -> None:
    rule = SeasonChips(start, carried)
    after = dict(wallets)
    mint = 0
    for transfer in season_transfers(rule, tuple(wallets.items()), "season 1", played=range(1, 26)):
        for account, change in ((transfer.debit, -transfer.chips), (transfer.credit, transfer.chips)):
            if account.user:
                after[account.user] += change
            else:
                mint += change
    assert after == {
        user: chips * carried // 100 if not start else start if user < 26 else min(start, chips)
        for user, chips in wallets.items()
    }
    assert mint == sum(wallets.values()) - sum(after.values())


@given(chips=st.integers(0, 10**6), brought=st.integers(0, 10**6), carried=st.integers(0, 100))
def test_what_is_brought_after_the_end_is_never_taken(chips: int, brought: int, carried: int) -> None:
    taken = taken_on_return(chips, brought, carried)
    assert 0 <= taken <= max(0, chips - brought)
    assert taken_on_return(chips, 0, 100) == 0 and taken_on_return(chips, 0, 0) == chips
