"""A server saves house games under a name and has them again after a restart."""

import pytest
from msgspec.structs import replace

from bot.runtime.house_games import HouseGames
from bot.table.refusals import InvalidHouseGameName, StaffOnly, UnknownHouseGame
from tests.runtime.evening import GUILD, Evening, settings


@pytest.mark.law("H-2")
async def test_a_house_game_is_kept_replaced_and_forgotten_by_staff(evening: Evening) -> None:
    games = HouseGames(evening.store, evening.clock)
    staff = evening.request("Ida", staff=True)
    with pytest.raises(StaffOnly):
        await games.save(evening.request("Ann"), "Friday", settings())
    with pytest.raises(InvalidHouseGameName):
        await games.save(staff, "   ", settings())
    await games.save(staff, "Friday", replace(settings("omaha"), practice=True))
    await games.save(staff, "friday", settings("omaha"))
    await evening.crash()
    again = HouseGames(evening.store, evening.clock)
    (kept,) = await again.games(GUILD)
    assert (kept.name, kept.settings.rule_card.key, kept.settings.practice) == ("friday", "omaha", False)
    assert await again.find(GUILD, "FRIDAY") == kept
    assert await again.find(GUILD, "Saturday") is None
    assert await again.games(GUILD + 1) == ()
    with pytest.raises(UnknownHouseGame):
        await again.delete(evening.request("Ida", staff=True), "Saturday")
    with pytest.raises(StaffOnly):
        await again.delete(evening.request("Ann"), "Friday")
    assert await again.games(GUILD) == (kept,)
    await again.delete(evening.request("Ida", staff=True), "Friday")
    assert await HouseGames(evening.store).games(GUILD) == ()
