"""Hands of a private table: while it is open nobody else learns from any number who plays there; then they are in the sums alone."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.runtime.guests import TableGuests
from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.types import INSIDER, STRANGER, CountedChips, RankingQuery, Reader, Scope
from bot.store.statistics.check import check_statistics
from bot.table.commands import ChangeSettings, CloseTable, LeaveTable
from bot.table.settings import ChipKind, TableSettings
from tests.runtime.evening import GUILD, USERS, settings
from tests.statistics.evening_with_statistics import CountedEvening
from tests.statistics.test_kept_statistics import counted_anew, numbers
from tests.support.engines import source_at

ANN, BO = USERS["Ann"], USERS["Bo"]
EVER = Scope()
GUEST = Reader(frozenset({2}))


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[CountedEvening]:
    """Ann and Bo have played two hands at table 1, which everybody sees, and three at table 2, which is private."""
    evening, rng = await CountedEvening(tmp_path).begin(), random.Random(3)
    try:
        await evening.open(settings(pause_seconds=1))
        await evening.seat(Ann=10_000, Bo=10_000)
        for _ in range(2):
            await evening.play_hand(rng)
        await close_table(evening)
        await open_privately(evening, settings(pause_seconds=1))
        for _ in range(3):
            await evening.play_hand(rng)
        yield evening
    finally:
        await evening.end()


async def open_privately(evening: CountedEvening, chosen: TableSettings) -> None:
    guests = TableGuests(private=True, invited=(BO,))
    evening.table = (await evening.tables.open(evening.request("Ann"), chosen, guests)).snapshot.id
    await evening.seat(Ann=20_000, Bo=20_000)


async def close_table(evening: CountedEvening) -> None:
    for name in ("Ann", "Bo"):
        await evening.ask(name, LeaveTable)
    await evening.ask("Ann", CloseTable)
    evening.statistics.note(evening.table)


async def hands(evening: CountedEvening, reader: Reader, scope: Scope = EVER) -> tuple[int, int, int, int]:
    """How many hands a reader finds: of Ann, of Ann against Bo, in Ann's curve, in the ranking."""
    statistics = evening.statistics
    player = await statistics.player(GUILD, ANN, scope, reader)
    assert player.counts.hands == sum(counts.hands for _, counts in player.by_game)
    versus = await statistics.versus(GUILD, ANN, BO, scope, reader)
    curve = await statistics.curve(GUILD, ANN, scope, reader=reader)
    ranking = await statistics.ranking(RankingQuery(GUILD, scope, user=ANN))
    return player.counts.hands, versus.hands, curve[-1].hands if curve else 0, ranking.own_hands


async def test_open_private_game_is_in_no_number_of_strangers(evening: CountedEvening) -> None:
    assert await hands(evening, STRANGER) == (2, 2, 2, 2)
    assert await hands(evening, INSIDER) == (5, 5, 5, 2), "their own numbers have it at once; a ranking is everybody's"
    assert await hands(evening, GUEST) == (5, 5, 5, 2)
    assert [await evening.statistics.hands_of(GUILD, user, CountedChips.SERVER) for user in (ANN, BO)] == [2, 2]
    assert set(await evening.statistics.people_with_hands(GUILD, CountedChips.SERVER, 2) or ()) == {ANN, BO}
    assert await evening.statistics.people_with_hands(GUILD, CountedChips.SERVER, 3) == ()
    seen = await evening.statistics.player(GUILD, ANN, Scope())
    assert seen.biggest_pot_at is None or seen.biggest_pot_at.table_number == 1
    assert await evening.statistics.held_by_player(GUILD, Scope()) == {
        user: (3, (await evening.statistics.player(GUILD, user, Scope(), INSIDER)).counts.net
               - (await evening.statistics.player(GUILD, user, Scope())).counts.net)
        for user in (ANN, BO)
    }  # fmt: skip


async def test_closed_private_game_is_in_sums_and_not_in_versus(evening: CountedEvening) -> None:
    own = await evening.statistics.player(GUILD, ANN, Scope(), INSIDER)
    await close_table(evening)
    assert await hands(evening, STRANGER) == (5, 2, 5, 5)
    assert await hands(evening, GUEST) == (5, 5, 5, 5)
    seen = await evening.statistics.player(GUILD, ANN, Scope())
    assert seen.counts == own.counts and seen.last_at < own.last_at, "the sums alone"
    curve = await evening.statistics.curve(GUILD, ANN, Scope())
    assert [point.net for point in curve[2:]] == [curve[2].net] * 3 + [own.counts.net], "the whole game, at its end"
    assert curve[-1].at == own.last_at and await evening.statistics.held_by_player(GUILD, Scope()) == {}


async def test_game_that_only_a_private_table_plays_is_not_completed(evening: CountedEvening) -> None:
    await close_table(evening)
    await open_privately(evening, settings("omaha", pause_seconds=1))
    await evening.play_hand(random.Random(4))
    assert {key for key, _ in await evening.statistics.games(GUILD)} == {"holdem"}
    await close_table(evening)
    assert {key for key, _ in await evening.statistics.games(GUILD)} == {"holdem", "omaha"}


async def test_held_hands_survive_restart_undoing_and_counting_anew(evening: CountedEvening) -> None:
    await evening.statistics.games(GUILD)
    assert check_statistics(evening.statistics_path, source_at(evening.path), statistics_decoder()) == 0
    anew = counted_anew(evening)
    assert anew == await numbers(evening), "counted anew, they are held as well"
    await evening.crash()
    assert await hands(evening, STRANGER) == (2, 2, 2, 2)
    await close_table(evening)
    assert await hands(evening, STRANGER) == (5, 2, 5, 5)
    assert counted_anew(evening) == await numbers(evening)
    assert check_statistics(evening.statistics_path, source_at(evening.path), statistics_decoder()) == 0


async def test_table_closed_while_the_dealer_was_away_is_released(evening: CountedEvening) -> None:
    await evening.statistics.games(GUILD)
    await evening.statistics.close()
    for name in ("Ann", "Bo"):
        await evening.ask(name, LeaveTable)
    await evening.ask("Ann", CloseTable)
    await evening.crash()
    assert await hands(evening, STRANGER) == (5, 2, 5, 5)


async def test_game_kept_out_of_figures_stays_out_for_good(evening: CountedEvening) -> None:
    """The host decides it at the end of the evening: what was played before counts nowhere either, not even for the players."""
    await close_table(evening)
    home = Scope(chips=CountedChips.TABLE)
    await open_privately(evening, settings(pause_seconds=1, chips=ChipKind.TABLE, starting_stack=20_000))
    await evening.play_hand(random.Random(4))
    assert await hands(evening, INSIDER, home) == (1, 1, 1, 0)
    await evening.ask("Ann", ChangeSettings, replace(evening.snapshot.settings, figures=False))
    await close_table(evening)
    for reader in (STRANGER, INSIDER):
        assert await hands(evening, reader, home) == (0, 0, 0, 0)
    assert check_statistics(evening.statistics_path, source_at(evening.path), statistics_decoder()) == 0


async def test_leaderboard_shows_chips_as_if_nobody_played_privately(evening: CountedEvening) -> None:
    async def board() -> dict[int, tuple[int, int]]:
        found = await evening.bank.leaderboard(GUILD, ANN)
        return {line.user: (line.total, line.wallet) for line in found.lines}

    held = {user: await evening.bank.holdings(GUILD, user) for user in (ANN, BO)}
    assert all(one.on_tables for one in held.values())
    won = {user: net for user, (_, net) in (await evening.statistics.held_by_player(GUILD, Scope())).items()}
    shown = await board()
    assert shown == {user: (held[user].total - won[user],) * 2 for user in (ANN, BO)}, "all in the wallet, as before"
    await evening.play_hand(random.Random(5))
    assert await board() == shown, "no hand of it moves a number"
    await close_table(evening)
    assert await board() == {user: ((await evening.bank.holdings(GUILD, user)).wallet,) * 2 for user in (ANN, BO)}
