"""A server saves house games under a name and has them again after a restart."""

import pytest
from msgspec.structs import replace

from bot.runtime.house_games import HouseGames
from bot.table.refusals import InvalidHouseGameName, OffInEvents, StaffOnly, UnknownHouseGame
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


async def test_house_game_of_a_night_or_event_leaves_those_behind(evening: Evening) -> None:
    games = HouseGames(evening.store, evening.clock)
    staff = evening.request("Ida", staff=True)
    of_night = replace(settings("omaha"), first_hand_players=3, first_hand_at=evening.clock.now())
    kept = await games.save(staff, "Friday", of_night)
    assert kept.settings == settings("omaha")
    with pytest.raises(OffInEvents):
        await games.save(evening.request("Ida", staff=True), "Sunday", replace(settings(), is_event=True))
    assert await games.find(GUILD, "Sunday") is None
