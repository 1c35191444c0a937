"""What only tests and benchmarks may do: move the clock, break things, look behind the curtain, click fast.

Everything is a method of `Controls` and, for another process, a POST of ``{"do": name, ...arguments}``.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable
from typing import Any

import msgspec
from aiohttp import web

from bot.local import permissions
from bot.local.commands import NotPossible
from bot.local.errors import ApiError, Json
from bot.local.standin import StandIn
from bot.local.world import Guild
from tests.support.faults import Fault, Faults


class Controls:
    """The hand behind the curtain. Ids are strings; what is returned can be written as JSON."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._world = stand_in.world
        self._messages = stand_in.messages
        self._interactions = stand_in.interactions
        self._gateway = stand_in.gateway
        self._viewers = stand_in.viewers
        self._exchanges = stand_in.exchanges
        self._faults = Faults(stand_in.exchanges)

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Do what a POST asks."""
        asked = msgspec.json.decode(await request.read())
        name = asked.pop("do", "")
        if name.startswith("_") or name == "serve" or not hasattr(self, name):
            return web.json_response({"error": f"there is no {name!r}"}, status=404)
        try:
            result = getattr(self, name)(**asked)
            if isinstance(result, Awaitable):
                result = await result
        except (ApiError, NotPossible, KeyError, TypeError, ValueError) as error:
            return web.json_response({"error": repr(error)}, status=400)
        return web.Response(body=msgspec.json.encode(result), content_type="application/json")

    # -- time and faults ------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> float:
        """Move the clock; answers with the new time."""
        self._world.clock.advance(seconds)
        return self._world.clock.now()

    def now(self) -> float:
        return self._world.clock.now()

    def fault(self, **what: Any) -> None:
        """Let coming requests go wrong; see `Fault` for the arguments."""
        self._faults.planted.append(Fault(**what))

    def clear_faults(self) -> None:
        self._faults.planted.clear()

    def rate_limits(self, *, on: bool) -> None:
        self._stand_in.limits.on = on

    # -- the gateway ----------------------------------------------------------------------------------------------------

    async def hang_up(self, code: int = 4000) -> None:
        """Close the bot's websockets; with the default code it may resume."""
        await self._gateway.hang_up(code)

    def cut(self) -> None:
        """Break the bot's websockets off."""
        self._gateway.cut()

    def ask_reconnect(self) -> None:
        self._gateway.ask_reconnect()

    def invalidate(self, *, resumable: bool = False) -> None:
        self._gateway.invalidate(resumable=resumable)

    def refuse_gateway(self, *, on: bool) -> None:
        """Let nobody connect for a while."""
        self._gateway.refusing = on

    def gateway_state(self) -> Json:
        gateway = self._gateway
        return {"online": gateway.online, "identifies": gateway.identifies, "resumes": gateway.resumes}

    # -- people, places, permissions ---------------------------------------------------------------------------------------

    def _guild(self, guild: str | None) -> Guild:
        return self._world.guild(guild) if guild else next(iter(self._world.guilds.values()))

    def add_person(self, name: str, guild: str | None = None, locale: str = "en-US") -> Json:
        """A new member; answers with id, link and page address."""
        person = self._world.add_person(name)
        person.locale = locale
        self._world.save_person(person)
        self._world.join(self._guild(guild), person)
        self._stand_in.pages.people_changed()
        return {"id": person.id, "link": person.link, "page": f"{self._stand_in.base_url}/p/{person.link}"}

    def people(self) -> list[Json]:
        """Everybody but the bot, with their links."""
        found = [person for person in self._world.people.values() if person.link]
        return [
            {
                "id": person.id,
                "name": person.user["global_name"],
                "link": person.link,
                "page": f"{self._stand_in.base_url}/p/{person.link}",
            }
            for person in found
        ]

    def channels(self, guild: str | None = None) -> list[Json]:
        return list(self._world.guild_channels(self._guild(guild).id))

    def guilds(self) -> list[Json]:
        return [
            {"id": guild.id, "name": guild.name, "owner_id": guild.owner_id} for guild in self._world.guilds.values()
        ]

    def add_guild(self, name: str, owner: str) -> Json:
        guild = self._world.add_guild(name, self._world.people[owner])
        event = self._gateway.guild_event(guild)
        del event["unavailable"]  # only a server that comes back after an outage says so
        self._gateway.dispatch("GUILD_CREATE", event)
        return {"id": guild.id, "name": guild.name}

    def add_channel(self, name: str, guild: str | None = None) -> Json:
        channel = self._world.add_channel(self._guild(guild), name)
        self._gateway.dispatch("CHANNEL_CREATE", channel, channel)
        self._viewers.tell_channel(channel, {"t": "channel", "channel": channel})
        self._viewers.tell_channel(channel, {"t": "history", "channel_id": channel["id"], "messages": []})
        return channel

    def delete_channel(self, channel: str) -> None:
        found = self._world.channel(channel)
        self._viewers.tell_channel(found, {"t": "channel_gone", "id": channel})
        self._world.remove_channel(found)
        self._gateway.dispatch("CHANNEL_DELETE", found, found)

    async def delete_message(self, channel: str, message: str) -> None:
        """As if a moderator had deleted it."""
        self._messages.take_back(await self._world.message(channel, message))

    def add_role(self, name: str, grants: list[str] | None = None, guild: str | None = None) -> Json:
        """A role with permissions named as in discord.py."""
        found = self._guild(guild)
        role = self._world.add_role(found, name, permissions.bits(grants or ()))
        self._gateway.dispatch("GUILD_ROLE_CREATE", {"guild_id": found.id, "role": role})
        return role

    def give_role(self, person: str, role: str, guild: str | None = None) -> None:
        found = self._guild(guild)
        found.members[person]["roles"] = [*found.members[person]["roles"], role]
        self._world.save_guild(found)

    def permit(
        self, channel: str, who: str = "", allow: list[str] | None = None, deny: list[str] | None = None
    ) -> None:
        """Set a channel's overwrite for a user or role (default: the bot). Empty lists take it away."""
        found = self._world.channel(channel)
        who = who or self._world.bot.id
        overwrites = [each for each in found["permission_overwrites"] if each["id"] != who]
        if allow or deny:
            bits = [str(permissions.bits(names or ())) for names in (allow, deny)]
            kind = 1 if who in self._world.people else 0
            overwrites.append({"id": who, "type": kind, "allow": bits[0], "deny": bits[1]})
        found["permission_overwrites"] = overwrites
        self._world.save_channel(found)
        self._gateway.dispatch("CHANNEL_UPDATE", found, found)

    def dms(self, person: str, *, open: bool) -> None:  # noqa: A002 - the word on Discord's own switch
        found = self._world.people[person]
        found.dms_open = open
        self._world.save_person(found)

    def remove_member(self, person: str, guild: str | None = None) -> None:
        """Somebody leaves the server, or is thrown out; the bot itself can be."""
        found = self._guild(guild)
        del found.members[person]
        self._world.save_guild(found)
        if person == self._world.bot.id:
            self._gateway.dispatch("GUILD_DELETE", {"id": found.id})
        else:
            event = {"guild_id": found.id, "user": self._world.people[person].user}
            self._gateway.dispatch("GUILD_MEMBER_REMOVE", event)

    def add_member(self, person: str, guild: str | None = None) -> None:
        self._world.join(self._guild(guild), self._world.people[person])

    # -- looking --------------------------------------------------------------------------------------------------------

    def record(self, *, on: bool) -> None:
        """Whether requests are logged with their bodies. Costs time; off unless asked for."""
        self._exchanges.recording = on

    def requests(self, *, clear: bool = False) -> list[Json]:
        """The requests logged so far, oldest first."""
        result = [exchange._asdict() for exchange in self._exchanges.log]
        if clear:
            self._exchanges.log.clear()
        return result

    def counts(self, *, clear: bool = False) -> dict[str, int]:
        """Requests so far by ``METHOD /route/{with}/braces``."""
        result = dict(self._exchanges.counts)
        if clear:
            self._exchanges.counts.clear()
        return result

    def messages(self, channel: str) -> list[Json]:
        """The public messages of a channel that are in memory, oldest first."""
        return list(self._world.messages[channel].values())

    # -- clicking fast ----------------------------------------------------------------------------------------------------

    async def fire(self, person: str, channel: str, message: str, custom_id: str) -> Json:
        """One click; answers how it ended and after how many milliseconds the bot's callback was there."""
        started = time.perf_counter()
        frame = await self._click(person, channel, message, custom_id)
        return {"ms": (time.perf_counter() - started) * 1000, "end": frame["t"]}

    async def _click(self, person: str, channel: str, message: str, custom_id: str) -> Json:
        done: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        await self._interactions.click(self._world.people[person], channel, message, custom_id, done.set_result)
        return await done

    async def load(self, lanes: list[Json], seconds: float = 5.0, clicks: int = 0) -> Json:
        """Click as fast as the bot answers, in parallel lanes, one click at a time in each.

        A lane is ``{"channel": id, "pick": [regex, ...], "user": id, "who": regex}``. Each time it takes the newest
        message of the channel with a button whose custom id or label matches a `pick` (the first that matches wins).
        The clicker is `user`, or, if `who` is given, the user id that its first group finds in the message.

        Args:
            seconds: how long to go on.
            clicks: stop earlier, after so many clicks in all.
        """
        took: list[float] = []
        lost: list[str] = []
        loop = asyncio.get_running_loop()
        started = time.perf_counter()
        ends = started + seconds

        async def lane(plan: Json) -> None:
            picks = [re.compile(pick) for pick in plan["pick"]]
            who = re.compile(plan["who"]) if plan.get("who") else None
            while time.perf_counter() < ends and not (clicks and len(took) >= clicks):
                target = self._target(plan["channel"], picks, who, plan.get("user", ""))
                if target is None:  # nobody is to act; look again after the bot's next redraw
                    await asyncio.sleep(0.002)
                    continue
                begun = time.perf_counter()
                done: asyncio.Future[Json] = loop.create_future()
                person, message, custom_id = target
                await self._interactions.click(
                    self._world.people[person], plan["channel"], message, custom_id, done.set_result
                )
                frame = await done
                if frame["t"] == "failed":
                    lost.append(custom_id)
                else:
                    took.append(time.perf_counter() - begun)

        async with asyncio.TaskGroup() as group:
            for plan in lanes:
                group.create_task(lane(plan))
        spent = time.perf_counter() - started
        took.sort()
        return {
            "clicks": len(took),
            "failed": len(lost),
            "seconds": spent,
            "per_second": len(took) / spent,
            "p50_ms": _percentile(took, 0.50),
            "p99_ms": _percentile(took, 0.99),
            "max_ms": _percentile(took, 1.0),
        }

    def _target(
        self, channel: str, picks: list[re.Pattern[str]], who: re.Pattern[str] | None, user: str
    ) -> tuple[str, str, str] | None:
        """Who clicks what next: (user id, message id, custom id)."""
        for message in reversed(self._world.messages[channel].values()):
            buttons = list(_buttons(message["components"]))
            for pick in picks:
                for button in buttons:
                    if pick.search(button["custom_id"]) or pick.search(button.get("label", "")):
                        found = who.search(_texts(message)) if who else None
                        person = found[1] if found else user
                        return (person, message["id"], button["custom_id"]) if person else None
        return None


def _buttons(components: list[Json]) -> Any:
    for component in components:
        if component["type"] == 2 and component.get("custom_id") and not component.get("disabled"):
            yield component
        if "components" in component:
            yield from _buttons(component["components"])
        if "accessory" in component:
            yield from _buttons([component["accessory"]])


def _texts(message: Json) -> str:
    found = [message["content"]]

    def walk(components: list[Json]) -> None:
        for component in components:
            if "content" in component:
                found.append(component["content"])
            walk(component.get("components", []))

    walk(message["components"])
    return "\n".join(found)


def _percentile(ordered: list[float], share: float) -> float:
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000 if ordered else 0.0
