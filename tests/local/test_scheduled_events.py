"""The scheduled events of a server, as the bot reads them."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Any

import discord

from bot.line.request_queue import Priority, RequestLine
from bot.line.scheduled_events import PAGE, PAGES_MAX, ScheduledEventRequests
from tests.local.sample_bot import SampleBot
from tests.support.discord_double import Discord


async def test_people_interested_in_an_event_come_in_pages(double: Discord, bot: SampleBot) -> None:
    begins = datetime.now(UTC) + timedelta(days=1)
    event = await bot.guilds[0].create_scheduled_event(
        name="Friday game",
        start_time=begins,
        end_time=begins + timedelta(hours=3),
        entity_type=discord.EntityType.external,
        privacy_level=discord.PrivacyLevel.guild_only,
        location="#poker",
    )
    people = [double.controls.add_person(f"P{number}")["id"] for number in range(PAGE + 3)]
    for person in people[::-1]:
        double.controls.set_interested(str(event.id), person)
    wanted = sorted(map(int, people))
    page = await bot.http.get_scheduled_event_users(bot.guilds[0].id, event.id, 2, with_member=False, before=wanted[5])
    assert [int(one["user_id"]) for one in page] == wanted[3:5], "in the order of ids"

    def request(line: RequestLine, priority: Priority, route: Any, **how: Any) -> Awaitable[Any]:
        return bot.http.request(route, **how)

    found = await ScheduledEventRequests(request).interested(bot.guilds[0].id, event.id)
    assert (sorted(found.users), found.is_all) == (wanted, True)


async def test_no_end_of_people_is_read_without_end() -> None:
    pages: list[int] = []

    async def request(line: RequestLine, priority: Priority, route: Any, **how: Any) -> list[dict[str, str]]:
        pages.append(how["params"]["after"])
        return [{"user_id": str(pages[-1] + number)} for number in range(1, PAGE + 1)]

    found = await ScheduledEventRequests(request).interested(1, 2)
    assert (len(pages), len(found.users), found.is_all) == (PAGES_MAX, PAGE * PAGES_MAX, False)
