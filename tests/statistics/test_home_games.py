"""Hands for table chips are counted by themselves: nothing of them is added to the numbers of server chips or of practice."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.players import PracticePlayers
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.types import CountedChips, RankingQuery, Scope
from bot.store.statistics.rebuild import rebuild
from bot.table.commands import ChangeSettings, TakeSeat
from bot.table.settings import ChipKind
from tests.runtime.evening import GUILD, USERS, settings
from tests.statistics.evening_with_statistics import CountedEvening, kept_in
from tests.support.engines import source_at

HOME = Scope(chips=CountedChips.TABLE)


@pytest.fixture
async def game(tmp_path: Path) -> AsyncIterator[CountedEvening]:
    """A game of table chips, with Ann, Bo and Cy at the table."""
    evening = await CountedEvening(tmp_path, policies=PracticePlayers()).begin()
    await evening.open(settings(chips=ChipKind.TABLE))
    yield evening
    await evening.end()


async def sit(evening: CountedEvening, *names: str) -> None:
    for name in names:
        await evening.ask(name, TakeSeat, 10_000)


async def hands_of(evening: CountedEvening, name: str, scope: Scope) -> int:
    return (await evening.statistics.player(GUILD, USERS[name], scope)).counts.hands


async def play(evening: CountedEvening, hands: int) -> None:
    """Play hands in which everybody calls."""
    for _ in range(hands):
        await evening.deal()
        while evening.snapshot.hand_running:
            may = evening.hand.legal_to_act
            assert may is not None
            await evening.acts(f"{evening.to_act} {'calls' if may.call_chips else 'checks'}")
        await evening.show_end()


async def test_hands_of_a_home_game_are_counted_apart(game: CountedEvening) -> None:
    await sit(game, "Ann", "Bo", "Cy")
    await play(game, 3)
    assert await hands_of(game, "Ann", HOME) == 3
    for other in (CountedChips.SERVER, CountedChips.PRACTICE, CountedChips.NOTHING):
        assert await hands_of(game, "Ann", Scope(chips=other)) == 0
    assert await game.statistics.kinds_of_chips(GUILD, USERS["Ann"]) == (CountedChips.TABLE,)
    net = (await game.statistics.player(GUILD, USERS["Bo"], HOME)).counts.net
    assert net == next(one.net for one in game.snapshot.table.standings if one.player == USERS["Bo"])


async def test_home_games_have_standings_of_their_own(game: CountedEvening) -> None:
    await sit(game, "Ann", "Bo", "Cy")
    await play(game, 2)
    assert (await game.statistics.ranking(RankingQuery(GUILD, Scope()))).players == 0
    found = await game.statistics.ranking(RankingQuery(GUILD, HOME, user=USERS["Ann"]))
    assert found.players == 3
    assert sum(line.net for line in found.lines) == 0
    assert found.own_hands == 2


async def test_host_keeps_a_game_out_of_all_figures(game: CountedEvening) -> None:
    await game.ask("Ann", ChangeSettings, replace(game.snapshot.settings, figures=False))
    await sit(game, "Ann", "Bo", "Cy")
    await play(game, 2)
    assert await hands_of(game, "Ann", HOME) == 0
    assert await game.statistics.kinds_of_chips(GUILD, USERS["Ann"]) == ()
    assert (await game.statistics.ranking(RankingQuery(GUILD, HOME))).players == 0


async def test_a_host_decides_from_the_next_hand_on(game: CountedEvening) -> None:
    await sit(game, "Ann", "Bo", "Cy")
    await play(game, 2)
    assert await hands_of(game, "Ann", HOME) == 2
    await game.ask("Ann", ChangeSettings, replace(game.snapshot.settings, figures=False))
    await play(game, 2)
    assert await hands_of(game, "Ann", HOME) == 2
    await game.ask("Ann", ChangeSettings, replace(game.snapshot.settings, figures=True))
    await play(game, 1)
    assert await hands_of(game, "Ann", HOME) == 3

    rebuild(source_at(game.path), game.path.with_name("new"), statistics_decoder())
    assert kept_in(game.path.with_name("new")) == kept_in(game.statistics_path)


@pytest.mark.law("TC-8")
async def test_hands_before_the_book_begins_count_nowhere(game: CountedEvening) -> None:
    await sit(game, "Ann")
    await game.ask("Ann", SeatPracticePlayers(1))
    await game.wait(400)
    assert game.snapshot.hand_number and not game.snapshot.hand_running
    game.tell()
    for kind in CountedChips:
        assert await hands_of(game, "Ann", Scope(chips=kind)) == 0
