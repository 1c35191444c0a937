"""A table closes and opens again: who took chips away brings them back, as to a table that had stayed open (TL-27)."""

import pytest
from msgspec.structs import replace

from bot.table.commands import CloseTable, LeaveTable, TakeSeat
from bot.table.refusals import MustBringChipsBack
from bot.table.settings import TableSettings
from bot.variants import game
from tests.runtime.evening import CHANNEL, GUILD, USERS, Evening, settings
from tests.runtime.manual_clock import MINUTE

pytestmark = pytest.mark.law("TL-27")
ANN, BO = USERS["Ann"], USERS["Bo"]


async def leave_with_20000_and_close(evening: Evening) -> None:
    """Bo leaves with 20,000, and Ann closes the table."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=20_000)
    await evening.ask("Bo", LeaveTable)
    await evening.ask("Ann", CloseTable)


async def reopen(
    evening: Evening, chosen: TableSettings | None = None, name: str = "Ann", channel: int = CHANNEL
) -> None:
    outcome = await evening.tables.open(evening.request(name, channel=channel), chosen or settings())
    evening.table = outcome.snapshot.id


async def sits(evening: Evening, chips: int) -> None:
    request = replace(evening.request("Bo"), table=evening.table)
    await evening.tables.ask(request, TakeSeat(BO, "Bo", chips))


async def test_reopened_table_asks_for_the_chips_taken_away(evening: Evening) -> None:
    await leave_with_20000_and_close(evening)
    until = evening.clock.now() + 60 * MINUTE
    await reopen(evening)
    with pytest.raises(MustBringChipsBack) as refused:
        await sits(evening, 2_000)
    assert (refused.value.minimum, refused.value.until) == (20_000, until)
    await sits(evening, 20_000)


@pytest.mark.parametrize("channel", [CHANNEL, CHANNEL + 1])
async def test_same_channel_or_same_host_is_the_same_game(evening: Evening, channel: int) -> None:
    await leave_with_20000_and_close(evening)
    await reopen(evening, settings(blinds=(30, 60)), "Cy" if channel == CHANNEL else "Ann", channel)
    with pytest.raises(MustBringChipsBack):
        await sits(evening, 2_000)


async def test_rule_survives_a_crash_and_ends_after_an_hour(evening: Evening) -> None:
    await leave_with_20000_and_close(evening)
    await evening.crash(away_ms=59 * MINUTE)
    await reopen(evening)
    with pytest.raises(MustBringChipsBack):
        await sits(evening, 2_000)
    await evening.ask("Ann", CloseTable)
    evening.clock.move_to(evening.clock.now() + 2 * MINUTE)
    await reopen(evening)
    await sits(evening, 2_000)
    assert await evening.store.values("closed.") == {}, "what is over is forgotten"


async def test_other_games_and_stakes_are_other_games(evening: Evening) -> None:
    await leave_with_20000_and_close(evening)
    for chosen in (settings(blinds=(5, 10)), settings("omaha")):
        await reopen(evening, chosen)
        await evening.fund("Bo", 2_000)
        await sits(evening, chosen.min_buyin)
        await evening.ask("Ann", CloseTable)
    await evening.tables.open(replace(evening.request("Cy"), guild=GUILD + 1), settings())
    assert game("holdem").key == settings().rule_card.key


async def test_losses_at_the_reopened_table_count(evening: Evening) -> None:
    """Bo brings the 20,000 back and leaves with them after another closing: only the latest end counts."""
    await leave_with_20000_and_close(evening)
    await reopen(evening)
    await sits(evening, 20_000)
    await evening.wait(10)
    await evening.ask("Ann", CloseTable)
    first_end = evening.clock.now()
    await reopen(evening)
    with pytest.raises(MustBringChipsBack) as refused:
        await sits(evening, 19_999)
    assert refused.value.until == first_end + 60 * MINUTE


async def test_everybody_paid_out_by_the_closing_brings_back_theirs(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=20_000)
    await evening.ask("Ann", CloseTable)
    await reopen(evening)
    with pytest.raises(MustBringChipsBack):
        await sits(evening, 2_000)


async def test_practice_chips_are_free_at_every_table(evening: Evening) -> None:
    await evening.open(settings(practice=True))
    await evening.ask("Bo", TakeSeat(BO, "Bo", 10_000))
    await evening.ask("Bo", LeaveTable)
    await evening.ask("Ann", CloseTable)
    assert await evening.store.values("closed.") == {}
    await reopen(evening, settings(practice=True))
    await sits(evening, 2_000)
