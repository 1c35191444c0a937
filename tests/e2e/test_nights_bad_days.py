"""Bad days of game nights: a season ends in the middle, a player or the host is banned, people and channels are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_full_deletion import member_of_both
from tests.e2e.test_nights import choose, plan, play_a_hand, until_night
from tests.support.discord_double import Player
from tests.support.menus import set_rules


async def wallets(room: BotSession, *players: Player) -> list[tuple[int, int]]:
    """Return what everybody has in their wallet, and on tables."""
    guild = int(next(iter(room.discord.stand_in.world.guilds)))
    found = [await room.dealer.store.holdings(guild, int(player.me["id"])) for player in players]
    return [(one.wallet, one.total - one.wallet) for one in found]


async def night_for_server_chips(room: BotSession, *players: Player) -> None:
    """A night for server chips is planned, everybody sits down, and a hand is played and another one dealt."""
    await plan(room, players[0], name="Friday game", chips="server", players=2)
    await until_night(room, "19:56")
    for player in players:
        await player.slash("sit")
    await play_a_hand(room, *players)
    await room.deal()


async def fold(room: BotSession, *players: Player) -> None:
    folder = room.to_act(*players)
    assert folder is not None, "nobody is to act"
    await folder.slash("fold")
    await room.wait_until_idle()


def nets(room: BotSession) -> dict[str, int]:
    """What everybody won in the nights that were played."""
    (one,) = room.dealer.services.nights.all()
    return {score.name: score.net for result in one.series.results for score in result.scores}


async def test_a_seasons_end_closes_a_night_after_its_hand(tmp_path: Path) -> None:
    """For server chips: what lay on its table is of the old season. The night counts, and the next one has its date."""
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await set_rules(you, "season", season_start=5_000, ranking_hands=1)
        await you.fill_in("season", page="open", name="Winter", order="net")
        await night_for_server_chips(room, ann, bo)
        await you.slash("season", page="close")
        await you.click("Close the season")
        assert await wallets(room, ann, bo) == [(5_000, 10_050), (5_000, 9_950)], "the hand is played to its end"
        await fold(room, ann, bo)
        await ann.until("Closed because the season is over. Its news says what became of chips.")
        await ann.until("[Standings]")
        assert await wallets(room, ann, bo) == [(5_000, 0), (5_000, 0)]
        assert nets(room) == {"Ann": 0, "Bo": 0}, "each won a blind"


async def test_a_seasons_end_leaves_a_night_of_table_chips_alone(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await set_rules(you, "season", season_start=5_000, ranking_hands=1)
        await you.fill_in("season", page="open", name="Winter", order="net")
        await plan(room, ann, name="Friday game", players=2, hands=2)
        await until_night(room, "19:56")
        for player in (ann, bo):
            await player.slash("sit")
        await play_a_hand(room, ann, bo)
        await you.slash("season", page="close")
        await you.click("Close the season")
        await play_a_hand(room, ann, bo)
        await ann.until("### Friday game is over")
        await ann.until("[Standings]")
        assert await wallets(room, ann, bo) == [(0, 0), (0, 0)], "nobody ever had any"
        assert nets(room) == {"Ann": 0, "Bo": 0}


async def test_a_ban_in_the_middle_pays_out_and_counts(tmp_path: Path) -> None:
    """Bo's wallet stands still from then on: they get every chip, can use none, and the night goes on without them."""
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await night_for_server_chips(room, ann, bo, cy)
        await you.fill_in("house", page="ban", player=bo, why="two accounts")
        assert "banned" in await bo.click("I'm in")
        while room.now.hand_running:
            await fold(room, *[player for player in (ann, bo, cy) if player is room.to_act(ann, cy)] or [ann])
        assert sum(map(sum, await wallets(room, ann, bo, cy))) == 30_000
        (left,) = await wallets(room, bo)
        assert left[1] == 0 and {seat.name for seat in room.now.table.seats} == {"Ann", "Cy"}
        await play_a_hand(room, ann, cy)
        await ann.close_table()
        await ann.until("[Standings]")
        found = nets(room)
        assert (found["Bo"], sum(found.values())) == (left[0] - 10_000, 0)
        assert "### Friday game · 1 night" in await ann.click("Standings")


async def test_banned_host_is_followed_and_banned_people_lose_seats(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await plan(room, ann, name="Friday game", seats=2, players=2)
        for player in (bo, cy):
            await player.click("I'm in")
        await you.fill_in("house", page="ban", player=ann, why="two accounts")
        await until_night(room, "19:56")
        await bo.until("@Bo · You host **Friday game** now.")
        await cy.until("@Cy · A seat of **Friday game** is free, and it's yours")
        await bo.until("-# Held for: Bo, Cy")
        assert room.now.table.host == int(bo.me["id"])


async def test_nights_of_a_banned_host_alone_end(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await room.discord.you.fill_in("house", page="ban", player=ann, why="two accounts")
        await until_night(room, "19:56")
        await ann.until("**Friday game** has no host any more, so it ends.")


async def test_a_channel_deleted_in_the_middle_ends_that_night_alone(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("games")
        ann, bo = await room.people("Ann", "Bo")
        first = ann.here
        for player in (ann, bo):
            player.go("games")
        await night_for_server_chips(room, ann, bo)
        room.discord.controls.delete_channel(ann.here)
        ann.here = bo.here = first
        await ann.until("The channel of **Friday game** is gone. Its nights are here from now on.")
        await ann.until("[Standings]")
        assert not room.dealer.tables.all_tables()
        found = nets(room)
        assert await wallets(room, ann, bo) == [(10_000 + found["Ann"], 0), (10_000 + found["Bo"], 0)]
        assert sum(found.values()) == 0


async def test_after_more_than_two_hours_a_night_is_called_off(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await plan(room, ann, name="Friday game")
            await bo.click("I'm in")
            await until_night(room, "12:00")
        told._ahead += 10 * 3_600_000
        async with told.life() as room:
            await ann.until("@Ann, @Bo · I was away at the time of **Friday game**, so it doesn't take place.")
            await ann.until("Seats 1 of 10")
            assert not room.dealer.tables.all_tables()


async def test_people_hear_what_else_they_are_in_for(tmp_path: Path) -> None:
    """Two nights at one hour in two servers: nothing is refused, and whoever says yes twice is told, to them alone."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            zoe = await member_of_both(room.discord, "Zoe")
            here = zoe.here
            await plan(room, zoe, name="Friday game")
            await plan(room, zoe.go("club"), name="Razz night")
            zoe.here = here
            await zoe.click("Can't")
            zoe.go("club")
            await zoe.click("Can't")
            await zoe.click("I'm in")
            await room.wait_until_idle()
            assert "also in" not in zoe.screen()
        async with told.life() as room:
            zoe.here = here
            await zoe.click("I'm in")
            await zoe.until("You're also in for **Razz night** in another server at that hour")
            export = await room.dealer.services.privacy.gather(room.dealer.client.guilds[0].id, int(zoe.me["id"]))
            assert "Razz night" in export.preferences["ownnights"]
            zoe.go("club")
            await zoe.click("Can't")
            await room.wait_until_idle()
            zoe.here = here
            await zoe.click("Maybe")
            await room.wait_until_idle()
            guilds = [int(guild.id) for guild in room.dealer.client.guilds]
            nights = [(one.guild, one.id) for one in room.dealer.services.nights.all()]
            own = [await room.dealer.services.own_nights.at_that_hour(int(zoe.me["id"]), *one) for one in nights]
            assert (len(guilds), own) == (2, [(), ()])


async def test_export_tells_of_nights_that_are_over(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await bo.click("Maybe")
        await bo.click("I'm in")
        await choose(ann, "Cancel the nights")
        await ann.click("Cancel all nights of it")
        await room.wait_until_idle()
        guild, privacy = room.dealer.client.guilds[0].id, room.dealer.services.privacy
        told = [(await privacy.gather(guild, int(one.me["id"]))).preferences.get("nights") for one in (ann, bo)]
        assert told == ["Friday game: host, answered 1, over", "Friday game: answered 2, over"]


async def soon(so: Callable[[], bool]) -> None:
    """Wait until something is true that no table tells of."""
    async with asyncio.timeout(5):
        while not so():
            await asyncio.sleep(0.01)


def guild_of(room: BotSession) -> str:
    return next(iter(room.discord.stand_in.world.guilds))


async def test_nights_of_a_hidden_channel_stay_among_its_people(tmp_path: Path) -> None:
    """Neither Discord's own list nor `/night` tells others of them, and they do not go on in public."""
    async with bot_session(tmp_path) as room:
        controls = room.discord.controls
        controls.add_channel("club")
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        first = ann.here
        member = controls.add_role("member")["id"]
        await plan(room, ann.go("club"), name="Friday game")
        club = ann.here
        await room.wait_until_idle()
        assert len(controls.scheduled_events()) == 1
        await cy.slash("night")
        controls.set_overwrite(club, allow=["view_channel"])
        controls.set_overwrite(club, member, allow=["view_channel"])
        controls.set_overwrite(club, guild_of(room), deny=["view_channel"])
        for player in (ann, bo):
            controls.give_role(player.me["id"], member)
        await soon(lambda: controls.scheduled_events() == [])
        assert "Those nights are over" in await cy.select("Choose a series", "Friday game")
        assert "Friday game" in await bo.slash("night")
        await cy.slash("night")
        assert cy.form is not None, "they can plan their own"
        controls.set_overwrite(club, guild_of(room))
        await soon(lambda: len(controls.scheduled_events()) == 1)
        controls.set_overwrite(club, guild_of(room), deny=["view_channel"])
        await soon(lambda: controls.scheduled_events() == [])
        controls.delete_channel(club)
        ann.here = first
        await soon(lambda: room.dealer.services.nights.all() == ())
        assert "Friday game" not in ann.screen()
        await ann.until("The channel of **Friday game** is gone, so there are no more of these nights.")
        assert "Friday game" not in cy.dms()
