"""An evening at a table, and what its hands add up to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.types import Counts, HandQuery, RankingQuery, Scope
from bot.store.statistics.statistics import Statistics
from tests.runtime.evening import GUILD, USERS, Evening
from tests.support.engines import source_at

ANN, BO, CY = USERS["Ann"], USERS["Bo"], USERS["Cy"]


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    opened = await Evening(tmp_path, show_run_outs=True).begin()
    yield opened
    await opened.end()


@pytest.fixture
async def statistics(evening: Evening) -> AsyncIterator[Statistics]:
    opened = statistics_of(evening)
    await opened.open()
    yield opened
    await opened.close()


def statistics_of(evening: Evening) -> Statistics:
    """Return statistics that are told of each hand, as the bot tells them."""
    path = evening.path.with_name("statistics.sqlite3")

    def unshown() -> dict[int, int]:
        return evening.sessions.unshown_hands()  # a restart makes other tables

    return Statistics(path, source_at(evening.path), statistics_decoder(), unshown=unshown, now=evening.clock.now)


async def test_first_hands_are_counted_found_and_ranked(evening: Evening, statistics: Statistics) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    raiser = evening.to_act
    await evening.next_player_acts("raises to 300", "folds", "calls", "checks")
    caller = next(name for name in ("Ann", "Bo", "Cy") if name != raiser and evening.stacks()[name] == 9_700)
    await evening.acts(f"{raiser} bets 400", f"{caller} folds")
    statistics.note(evening.table)

    won = await statistics.player(GUILD, USERS[raiser], Scope())
    assert won.counts == Counts(
        1, 350, voluntary=1, voluntary_chances=1, raised_first=1, bets=1, past_first_round=1, pots_won=1,
        hands_on_button=1, won_on_button=3_500, steal_chances=1, steals=1, continuation_chances=1, continuation_bets=1,
    )  # fmt: skip
    assert (won.biggest_pot, won.longest_streak, won.best_hand) == (650, 1, None)
    lost = await statistics.player(GUILD, USERS[caller], Scope())
    assert lost.counts == Counts(
        1, -300, voluntary=1, voluntary_chances=1, past_first_round=1, hands_in_big_blind=1, won_in_big_blind=-3_000,
        three_bet_chances=1, continuation_bets_faced=1, folds_to_continuation_bet=1,
    )  # fmt: skip

    (found,) = (await statistics.find_hands(HandQuery(GUILD))).hands
    assert (found.pot, found.stakes, found.winners) == (650, "50/100", ((USERS[raiser], 650),))
    ranked = await statistics.ranking(RankingQuery(GUILD, Scope(), user=USERS[caller]))
    assert ranked.lines[0].user == USERS[raiser]
    assert ranked.own is not None and (ranked.own.rank, ranked.own.net) == (3, -300)
    assert await statistics.games(GUILD) == (("holdem", "No-Limit Hold'em"),)
