"""A season in the life of a server, told as a diary: twelve people, a thousand hands (with the mark `full`), a tie for first, one who
left and one who had their data deleted. Every number that the dealer shows is compared with a recount from nothing but stacks.

``SCREENSHOTS=folder pytest tests/e2e/test_season_diary.py`` puts pictures of the panels into a folder, as phones and screens show them.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from bot.house.rules import HouseRules
from bot.pictures.maker import PictureMaker
from bot.settings import SECRET_FILE
from bot.statistics.types import Scope
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.many_hands import ManyHands, Recount
from tests.e2e.test_seasons import until
from tests.support.browser import DESKTOP, PHONE, chromium
from tests.support.discord_double import Player
from tests.support.menus import set_rules

SHOTS = os.environ.get("SCREENSHOTS", "")
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
RICH = HouseRules(account_days=0, member_days=0, opening_grant=10_000_000)
DAY_MS, EVENING_MS = 24 * 3_600_000, 18 * 3_600_000
MONDAY = 4
"""Days from the epoch to the first Monday."""
MIN_HANDS = 20
LINE = re.compile(r"(?P<rank>🥇|🥈|🥉|`\d+`)\s(?P<name>.+?) · (?P<net>[+−]?[\d,]+) · (?P<hands>[\d,]+) hands?")
MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3}


class Server:
    """Twelve people of one server, by name, and what is written down beside the dealer."""

    def __init__(self, room: BotSession, people: Sequence[Player]) -> None:
        self.room, self.staff, self.people = room, room.discord.you, {player.name: player for player in people}
        self.many = ManyHands(room)
        self.season = self.many.recounts[0]
        self.guild = int(next(iter(room.discord.stand_in.world.guilds)))
        self.names = {int(player.me["id"]): player.name for player in people}
        for name in ("red", "blue"):
            room.discord.controls.add_channel(name)

    async def until_monday_evening(self, weeks: int) -> None:
        """Let the days pass until six in the evening, UTC, of a Monday."""
        now = self.room.clock.now()
        monday = (now // DAY_MS - MONDAY) // 7 * 7 + MONDAY + 7 * weeks
        self.room.clock.skip((monday * DAY_MS + EVENING_MS - now) / 1000)

    async def evening(self, channel: str, hands: int, *names: str) -> None:
        """Some of them meet in a channel, play so many hands and go home."""
        await self.begin_evening(channel, *names)
        await self.many.play(self.room.discord.channel(channel), hands)
        await self._close(channel, *names)

    async def last_evening(self, channel: str) -> tuple[str, str]:
        """The two in the lead meet, and the first loses to the second until they are level. Returns their names."""
        (_, first, net, _), (_, second, other_net, _), *_ = self.ranked(self.season)
        where, players = self.room.discord.channel(channel), (self.people[first], self.people[second])
        await self.begin_evening(channel, first, second)
        half = (net - other_net) // 2
        await self.many.pay(where, players[0], players[1], 1_000 + half)
        await self.many.pay(where, players[1], players[0], 1_000)
        await self._close(channel, first, second)
        return first, second

    async def begin_evening(self, channel: str, *names: str) -> None:
        """Some of them open a table and sit down."""
        players = [self.people[name] for name in names]
        self.room.clock.skip(2 * 3_600)  # by then nobody has to bring back what they went home with
        await players[0].go(channel).slash("play", sit=False)
        await self.many.sit(self.room.discord.channel(channel), *players)

    async def _close(self, channel: str, *names: str) -> None:
        where, players = self.room.discord.channel(channel), [self.people[name] for name in names]
        await self.many.leave(where, *players)
        await self.room.wait_until(lambda: self.many.is_empty(where))
        await players[0].close_table()
        await self.room.wait_until_idle()

    def ranked(self, counted: Recount, min_hands: int = 1) -> list[tuple[int, str, int, int]]:
        """The recount as the panels show it: rank, name, net chips, hands."""
        return [(rank, self.names[user], net, counted.hands[user]) for rank, user, net in counted.ranked(min_hands)]


def shown(panel: str) -> list[tuple[int, str, int, int]]:
    """Read the lines of a ranking: rank, name, net chips, hands."""
    return [
        (
            MEDALS.get(found["rank"]) or int(found["rank"].strip("`")),
            found["name"].lstrip("@").removesuffix(" (you)").replace("**", ""),
            int(found["net"].replace(",", "").replace("−", "-")),
            int(found["hands"].replace(",", "")),
        )
        for found in LINE.finditer(panel)
    ]


async def whole_list(player: Player, command: str, **options: Any) -> list[tuple[int, str, int, int]]:
    """Read a ranking page by page."""
    lines = shown(panel := await player.slash(command, **options))
    while "[Next ›]" in panel:
        lines += shown(panel := await player.click("Next ›"))
    return lines


@pytest.mark.parametrize("week_hands", [pytest.param(250, marks=pytest.mark.full), 40])
async def test_season_of_twelve_people_as_a_diary(tmp_path: Path, week_hands: int) -> None:
    how: dict[str, Any] = {"pictures": PictureMaker()} if SHOTS else {}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / SECRET_FILE).write_bytes(b"the same season every time, all ")
    async with bot_session(tmp_path, default_rules=RICH, requests_per_second=10_000, **how) as room:
        nonces = itertools.count()
        room.dealer.tables._context.make_nonce = lambda: next(nonces).to_bytes(16, "big")
        server = Server(room, await room.people(*NAMES))
        staff, people, many = server.staff, server.people, server.many
        ann, half = people["Ann"], week_hands // 2
        many.timid = {int(people[name].me["id"]) for name in ("Kim", "Lou")}

        # Monday, the first week. Staff open a season: who wins the most chips gets the role Champion.
        await server.until_monday_evening(1)
        champion = room.discord.controls.add_role("Champion")
        room.discord.controls.raise_bot(["manage_roles"])
        await set_rules(staff, "season", season_role=champion["id"], ranking_hands=MIN_HANDS)
        assert "Season 1 · Autumn Cup begins" in await staff.fill_in(
            "season", page="open", name="Autumn Cup", order="net"
        )
        await server.evening("red", half, *NAMES[:6])
        await server.evening("blue", half, *NAMES[6:])
        assert await whole_list(ann, "stats", page="leaderboard", by="net", period="week") == server.ranked(
            server.season, MIN_HANDS
        )

        # The second week. They sit down otherwise; the week's board begins anew, the season's goes on.
        await server.until_monday_evening(1)
        many.recounts.append(week := Recount())
        await server.evening("red", half, *NAMES[::2])
        await server.evening("blue", half, *NAMES[1::2])
        assert await whole_list(ann, "stats", page="leaderboard", by="net", period="week") == server.ranked(
            week, MIN_HANDS
        )
        assert await whole_list(ann, "stats", page="leaderboard", by="net", period="season") == server.ranked(
            server.season, MIN_HANDS
        )

        # The third week. Kim has left the server; their line stays, and says so.
        room.discord.controls.remove_member(people["Kim"].me["id"])
        await server.until_monday_evening(1)
        server.names[int(people["Kim"].me["id"])] = "Kim (left)"
        assert await whole_list(ann, "stats", page="leaderboard", by="net", period="season") == server.ranked(
            server.season, MIN_HANDS
        )

        # Lou plays too, and then has their data deleted: their hands stay, under no name.
        await server.evening("red", half, "Ann", "Cy", "Eve", "Gus", "Ida")
        await server.evening("blue", half, "Bo", "Dee", "Flo", "Hal", "Jo", "Lou")
        await people["Lou"].slash("me", page="delete")
        assert "deleted" in await people["Lou"].click("Delete it all")
        server.names[int(people["Lou"].me["id"])] = "a former player"
        assert await whole_list(ann, "stats", page="leaderboard", by="net", period="season") == server.ranked(
            server.season, MIN_HANDS
        )
        assert "haven't played" in await ann.slash("stats", player=people["Lou"])

        # The fourth week. On the last evening the two in the lead come level, to the chip.
        await server.until_monday_evening(1)
        await server.evening("red", half, "Ann", "Bo", "Cy", "Dee", "Eve")
        await server.evening("blue", half, "Flo", "Gus", "Hal", "Ida", "Jo")
        first, second = await server.last_evening("red")
        (_, one, net, _), (rank, other, same_net, _), *_ = server.ranked(server.season)
        assert {one, other} == {first, second} and net == same_net and rank == 1
        assert sum(server.season.net.values()) == 0

        # Staff close the season. Both have won it, both get the role, and it is written down for good.
        question = await staff.slash("season", page="close")
        assert "### Close Season 1 · Autumn Cup?" in question
        await staff.click("Close the season")
        ann.here = staff.here
        await ann.until("won it together.")
        roles = room.discord.controls.roles_of
        for name in (first, second):
            await until(lambda name=name: champion["id"] in roles(people[name].me["id"]))  # type: ignore[misc]
        members = [name for name in people if name != "Kim"]
        assert [name for name in members if champion["id"] in roles(people[name].me["id"])] == sorted((first, second))
        final = server.ranked(server.season, MIN_HANDS)
        assert await whole_list(ann, "season", page="results") == final
        hall = await ann.slash("season", page="hall")
        assert [line[1:3] for line in shown(hall)] == [(one, net), (other, net)]

        # What is played afterwards changes nothing of it.
        await server.evening("red", 10, "Ann", "Bo", "Cy")
        assert await whole_list(ann, "season", page="results") == final

        # Everybody's own numbers, and two against each other.
        for name, player in people.items():
            if name not in {"Kim", "Lou"}:
                numbers = await player.slash("stats")
                user = int(player.me["id"])
                assert (
                    f"**{server.season.hands[user]:,}** hands" in numbers and signed(server.season.net[user]) in numbers
                )
        if SHOTS:
            await take_pictures(server, ann, people[other if other != "Ann" else one])


def signed(chips: int) -> str:
    """Write a gain or a loss as the panels do."""
    return f"{'+' if chips > 0 else '−' if chips else ''}{abs(chips):,}"


async def take_pictures(server: Server, player: Player, rival: Player) -> None:
    """Take pictures of what this player is shown, on a phone and on a screen."""
    room = server.room
    await room.dealer.parts.get(PictureMaker).wait_until_ready()
    await server.begin_evening("red", "Ann", "Bo", "Cy", "Dee")
    await server.begin_evening("blue", "Flo", "Gus")
    player.here = room.discord.you.here
    numbers = await room.dealer.services.statistics.player(server.guild, int(player.me["id"]), Scope())
    pot = numbers.biggest_pot_at
    assert pot is not None
    commands: list[tuple[str, str, dict[str, Any]]] = [
        ("leaderboard", "stats", {"page": "leaderboard", "by": "net", "period": "ever"}),
        ("results", "season", {"page": "results"}),
        ("hall", "season", {"page": "hall"}),
        ("stats", "stats", {}),
        ("against", "stats", {"player": rival}),
        ("hands", "hand", {"player": player}),
        ("replay", "hand", {"number": f"{pot.table_number}-{pot.number}-9"}),
    ]
    async with chromium() as browser:
        for size in (PHONE, DESKTOP):
            viewport: Any = size | {"height": 1_600}  # a whole panel
            context = await browser.new_context(viewport=viewport, locale="en-GB", device_scale_factor=2)
            page = await context.new_page()
            await page.goto(player.page)

            async def take(name: str, page: Page = page, width: int = size["width"]) -> None:
                await page.wait_for_timeout(1_500)
                await page.locator("#log article").last.screenshot(path=Path(SHOTS) / f"{name}-{width}.png")

            for name, command, options in commands:
                await player.slash(command, **options)
                await take(name)
            await room.discord.you.slash("house", page="lobby")
            await player.until("### Tables")
            await take("lobby")
            await room.discord.you.slash("house", page="nolobby")
