"""Control a stand-in from tests and benchmarks: move its clock, plant faults, change its state, click fast.

Each public method of `StandInControls` can also be called from another process, by a POST of
``{"do": name, ...arguments}``.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Iterator
from itertools import islice
from typing import Any

import msgspec
from aiohttp import web

from bot.local import permissions
from bot.local.errors import ApiError, InvalidAction, Json
from bot.local.message_body import LOADING
from bot.local.stand_in import DiscordStandIn
from bot.local.world import PUBLIC_THREAD, Guild
from tests.support.faults import Fault, Faults

NEWEST_MESSAGES = 4
"""Where the loaders look for a button. Searching all messages of every channel would take longer than the bot takes to answer."""


class StandInControls:
    """Controls one stand-in. Ids are strings. All results can be encoded as JSON."""

    def __init__(self, stand_in: DiscordStandIn) -> None:
        self._stand_in = stand_in
        self._world = stand_in.world
        self._messages = stand_in.messages
        self._interactions = stand_in.interactions
        self._gateway = stand_in.gateway
        self._pages = stand_in.open_pages
        self._rest_server = stand_in.rest_server
        self._faults = Faults(stand_in.rest_server)

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Call the method that a POST names."""
        arguments = msgspec.json.decode(await request.read())
        name = arguments.pop("do", "")
        if name.startswith("_") or name == "serve" or not hasattr(self, name):
            return web.json_response({"error": f"there is no method {name!r}"}, status=404)
        try:
            result = getattr(self, name)(**arguments)
            if isinstance(result, Awaitable):
                result = await result
        except (ApiError, InvalidAction, KeyError, TypeError, ValueError) as error:
            return web.json_response({"error": repr(error)}, status=400)
        return web.Response(body=msgspec.json.encode(result), content_type="application/json")

    # -- time and faults ------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> float:
        """Move the clock forward. Returns the new time."""
        self._world.clock.advance(seconds)
        return self._world.clock.now()

    def now(self) -> float:
        return self._world.clock.now()

    def plant_fault(self, **fields: Any) -> None:
        """Make coming requests fail. The arguments are the fields of `BookFault`."""
        self._faults.planted.append(Fault(**fields))

    def clear_faults(self) -> None:
        self._faults.planted.clear()

    def set_rate_limits(self, *, enabled: bool) -> None:
        self._stand_in.rate_limiter.enabled = enabled

    # -- the gateway ----------------------------------------------------------------------------------------------------

    async def close_gateway(self, code: int = 4000) -> None:
        """Close the bot's websockets. After the default code it can resume its sessions."""
        await self._gateway.close_connections(code)

    def drop_gateway(self) -> None:
        """Drop the bot's websockets without a close frame."""
        self._gateway.drop_connections()

    def request_reconnect(self) -> None:
        self._gateway.request_reconnect()

    def invalidate_sessions(self, *, resumable: bool = False) -> None:
        self._gateway.invalidate_sessions(resumable=resumable)

    def refuse_gateway(self, *, on: bool) -> None:
        """Refuse new connections of the bot, or accept them again."""
        self._gateway.refuses_connections = on

    def limit_identifies(self, *, max_concurrency: int = 1) -> None:
        """From now on let so many shards identify in five seconds, one of each group."""
        self._gateway.limits_identifies, self._gateway.max_concurrency = True, max_concurrency

    def refused_identifies(self) -> int:
        return self._gateway.refused_identifies

    def gateway_state(self) -> Json:
        gateway = self._gateway
        return {"online": gateway.online, "identifies": gateway.identify_count, "resumes": gateway.resume_count}

    # -- people, channels, permissions -------------------------------------------------------------------------------------

    def _guild(self, guild: str | None) -> Guild:
        return self._world.find_guild(guild) if guild else next(iter(self._world.guilds.values()))

    def add_person(self, name: str, guild: str | None = None, locale: str = "en-US") -> Json:
        """Add a member. Returns their id, link and page address."""
        person = self._world.add_person(name)
        person.locale = locale
        self._world.save_person(person)
        self._world.add_member(self._guild(guild), person)
        self._stand_in.page_server.send_people()
        return {"id": person.id, "link": person.link, "page": f"{self._stand_in.base_url}/p/{person.link}"}

    def dm_channel(self, person: str) -> str:
        """Return the id of the bot's DM channel with a person; it is opened if there is none."""
        found: str = self._world.dm_channel_of(self._world.people[person])["id"]
        return found

    def people(self) -> list[Json]:
        """Return everybody except the bot, with their links."""
        people = [person for person in self._world.people.values() if person.link]
        return [
            {
                "id": person.id,
                "name": person.user["global_name"],
                "link": person.link,
                "page": f"{self._stand_in.base_url}/p/{person.link}",
            }
            for person in people
        ]

    def channels(self, guild: str | None = None) -> list[Json]:
        return list(self._world.guild_channels(self._guild(guild).id))

    def guilds(self) -> list[Json]:
        return [
            {"id": guild.id, "name": guild.name, "owner_id": guild.owner_id} for guild in self._world.guilds.values()
        ]

    def add_guild(
        self,
        name: str,
        owner: str,
        channels: list[str] | None = None,
        deny: list[str] | None = None,
        *,
        bot_only: list[str] | None = None,
        system_channel: str = "",
        without: list[str] | None = None,
    ) -> Json:
        """Add the bot to a new server.

        Args:
            channels: the names of its text channels.
            deny: permissions that the bot does not have in them; after a colon the name of one channel that this is about.
            bot_only: channels in which the bot can write, and everybody else cannot.
            system_channel: the channel in which Discord welcomes people.
            without: permissions that the bot does not have in the whole server.
        """
        guild = self._world.add_guild(name, self._world.people[owner])
        role = next(each for each in guild.roles if each["managed"])
        role["permissions"] = str(int(role["permissions"]) & ~permissions.bits(without or []))
        self._world.save_guild(guild)
        for channel_name in channels or ():
            channel = self._world.add_channel(guild, channel_name)
            send = str(permissions.bits(["send_messages"]))
            denied = [each.partition(":")[0] for each in deny or () if each.partition(":")[2] in ("", channel_name)]
            bits = str(permissions.bits(denied))
            allowed = send if channel_name in (bot_only or ()) else "0"
            channel["permission_overwrites"] = [{"id": self._world.bot.id, "type": 1, "allow": allowed, "deny": bits}]
            if channel_name in (bot_only or ()):
                channel["permission_overwrites"].append({"id": guild.id, "type": 0, "allow": "0", "deny": send})
            self._world.save_channel(channel)
        event = self._gateway.guild_create_data(guild)
        event["system_channel_id"] = next(
            (each["id"] for each in self._world.guild_channels(guild.id) if each["name"] == system_channel), None
        )
        del event["unavailable"]  # only a server that returns after an outage has this field
        self._gateway.dispatch("GUILD_CREATE", event)
        return {"id": guild.id, "name": guild.name}

    def add_channel(self, name: str, guild: str | None = None) -> Json:
        channel = self._world.add_channel(self._guild(guild), name)
        self._gateway.dispatch("CHANNEL_CREATE", channel, channel)
        self._pages.send_to_channel(channel, {"t": "channel", "channel": channel})
        self._pages.send_to_channel(channel, {"t": "history", "channel_id": channel["id"], "messages": []})
        return channel

    def add_forum(self, name: str, guild: str | None = None) -> Json:
        """Add a forum to a server."""
        forum = self._world.add_forum(self._guild(guild), name)
        self._gateway.dispatch("CHANNEL_CREATE", forum, forum)
        self._pages.send_to_channel(forum, {"t": "channel", "channel": forum})
        return forum

    def add_thread(self, parent: str, name: str) -> Json:
        """Add a public thread to a channel."""
        found = self._world.find_channel(parent)
        thread = self._world.add_thread(found, name, self._stand_in.owner.id, thread_id=None, kind=PUBLIC_THREAD)
        self._gateway.dispatch("THREAD_CREATE", {**thread, "newly_created": True}, thread)
        self._pages.send_to_channel(thread, {"t": "channel", "channel": thread})
        self._pages.send_to_channel(thread, {"t": "history", "channel_id": thread["id"], "messages": []})
        return thread

    def archive_thread(self, thread: str, *, archived: bool = True, locked: bool = False) -> None:
        """Archive a thread, as Discord does after a day without a message, or open it again. A moderator can also lock it."""
        found = self._world.find_channel(thread)
        found["thread_metadata"] |= {"archived": archived, "locked": locked}
        self._world.save_channel(found)
        self._gateway.dispatch("THREAD_UPDATE", found, found)

    def delete_thread(self, thread: str) -> None:
        found = self._world.find_channel(thread)
        self._pages.send_to_channel(found, {"t": "channel_gone", "id": thread})
        self._world.delete_channel(found)
        event = {"id": thread, "guild_id": found["guild_id"], "parent_id": found["parent_id"], "type": found["type"]}
        self._gateway.dispatch("THREAD_DELETE", event, found)

    def delete_channel(self, channel: str) -> None:
        found = self._world.find_channel(channel)
        self._pages.send_to_channel(found, {"t": "channel_gone", "id": channel})
        self._world.delete_channel(found)
        self._gateway.dispatch("CHANNEL_DELETE", found, found)

    async def delete_message(self, channel: str, message: str) -> None:
        """Delete a message as a moderator does."""
        self._messages.delete(await self._world.find_message(channel, message))

    def add_role(self, name: str, grants: list[str] | None = None, guild: str | None = None) -> Json:
        """Add a role. Permissions are named as in discord.py."""
        found = self._guild(guild)
        role = self._world.add_role(found, name, permissions.bits(grants or ()))
        self._gateway.dispatch("GUILD_ROLE_CREATE", {"guild_id": found.id, "role": role})
        return role

    def raise_bot(self, grants: list[str], guild: str | None = None) -> None:
        """Put the bot's role above all others, and let it do more. Permissions are named as in discord.py."""
        found = self._guild(guild)
        role = next(each for each in found.roles if each["managed"])
        role["position"] = max(each["position"] for each in found.roles) + 1
        role["permissions"] = str(int(role["permissions"]) | permissions.bits(grants))
        self._world.save_guild(found)
        self._gateway.dispatch("GUILD_ROLE_UPDATE", {"guild_id": found.id, "role": role})

    def take_from_bot(self, names: list[str], guild: str | None = None) -> None:
        """Let the bot do less. Permissions are named as in discord.py."""
        found = self._guild(guild)
        role = next(each for each in found.roles if each["managed"])
        role["permissions"] = str(int(role["permissions"]) & ~permissions.bits(names))
        self._world.save_guild(found)
        self._gateway.dispatch("GUILD_ROLE_UPDATE", {"guild_id": found.id, "role": role})

    def roles_of(self, person: str, guild: str | None = None) -> list[str]:
        """Return the ids of the roles that somebody has."""
        return list(self._guild(guild).members[person]["roles"])

    def give_role(self, person: str, role: str, guild: str | None = None) -> None:
        found = self._guild(guild)
        found.members[person]["roles"] = [*found.members[person]["roles"], role]
        self._world.save_guild(found)

    def scheduled_events(self) -> list[Json]:
        """Return the scheduled events of all servers, oldest first."""
        return list(self._world.scheduled_events.values())

    def set_interested(self, event: str, person: str, *, interested: bool = True) -> None:
        """Let somebody press *Interested* at an event, or take it back."""
        self._stand_in.rest_routes.scheduled_events.set_interested(
            self._world.scheduled_events[event], person, interested=interested
        )

    def change_event(self, event: str, **fields: Any) -> None:
        """Let somebody change an event."""
        self._stand_in.rest_routes.scheduled_events.change(self._world.scheduled_events[event], fields)

    def delete_event(self, event: str) -> None:
        """Let somebody delete an event."""
        self._stand_in.rest_routes.scheduled_events.delete(self._world.scheduled_events[event])

    def set_overwrite(
        self, channel: str, who: str = "", allow: list[str] | None = None, deny: list[str] | None = None
    ) -> None:
        """Set a channel's overwrite for a user or role; by default for the bot. Empty lists remove it."""
        found = self._world.find_channel(channel)
        who = who or self._world.bot.id
        overwrites = [each for each in found["permission_overwrites"] if each["id"] != who]
        if allow or deny:
            bits = [str(permissions.bits(names or ())) for names in (allow, deny)]
            kind = 1 if who in self._world.people else 0
            overwrites.append({"id": who, "type": kind, "allow": bits[0], "deny": bits[1]})
        found["permission_overwrites"] = overwrites
        self._world.save_channel(found)
        self._gateway.dispatch("CHANNEL_UPDATE", found, found)

    def set_dms_open(self, person: str, *, open: bool) -> None:  # noqa: A002 - the name that the page uses too
        found = self._world.people[person]
        found.dms_open = open
        self._world.save_person(found)

    def remove_member(self, person: str, guild: str | None = None) -> None:
        """Remove a person, or the bot itself, from a server."""
        found = self._guild(guild)
        del found.members[person]
        self._world.save_guild(found)
        if person == self._world.bot.id:
            self._gateway.dispatch("GUILD_DELETE", {"id": found.id})
        else:
            event = {"guild_id": found.id, "user": self._world.people[person].user}
            self._gateway.dispatch("GUILD_MEMBER_REMOVE", event)

    def add_member(self, person: str, guild: str | None = None) -> None:
        self._world.add_member(self._guild(guild), self._world.people[person])

    # -- recorded requests ------------------------------------------------------------------------------------------------

    def set_recording(self, *, on: bool) -> None:
        """Record requests with their bodies, or stop recording. It takes time, so it is off by default."""
        self._rest_server.recording = on

    def request_records(self, *, clear: bool = False) -> list[Json]:
        """Return the requests recorded so far, oldest first."""
        result = [record._asdict() for record in self._rest_server.records]
        if clear:
            self._rest_server.records.clear()
        return result

    def counts(self, *, clear: bool = False) -> dict[str, int]:
        """Return the number of requests so far by route: ``METHOD /path/{with}/braces``."""
        result = dict(self._rest_server.counts)
        if clear:
            self._rest_server.counts.clear()
        return result

    def messages(self, channel: str) -> list[Json]:
        """Return the messages of a channel that are in memory, oldest first, without ephemeral ones."""
        return list(self._world.messages[channel].values())

    # -- clicking fast ----------------------------------------------------------------------------------------------------

    async def click(self, person: str, channel: str, message: str, custom_id: str) -> Json:
        """Click once. Returns how the interaction ended, and after how many milliseconds the bot had answered."""
        started = time.perf_counter()
        frame = await self._click(person, channel, message, custom_id)
        return {"ms": (time.perf_counter() - started) * 1000, "end": frame["t"]}

    async def _click(self, person: str, channel: str, message: str, custom_id: str) -> Json:
        ended: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        await self._interactions.click(self._world.people[person], channel, message, custom_id, ended.set_result)
        return await ended

    async def click_unanswered(self, lane: Json) -> None:
        """Click once in a lane, as described at `click_repeatedly`, and do not wait for the answer."""
        target = self._find_target(lane["channel"], *_patterns_of(lane), lane.get("user", ""))
        assert target is not None, lane
        person = self._world.people[target[0]]
        await self._interactions.click(person, lane["channel"], target[1], target[2], lambda frame: None)

    async def click_repeatedly(
        self, lanes: list[Json], seconds: float = 5.0, clicks: int = 0, *, timeline: bool = False
    ) -> Json:
        """Click as fast as the bot answers, in parallel lanes, with one click at a time in each.

        A lane is ``{"channel": id, "buttons": [regex, ...], "user": id, "user_pattern": regex}``. It takes the newest
        message in the channel that has a button whose custom id or label matches one of `buttons`; an earlier pattern
        is preferred. The user who clicks is `user` or, with `user_pattern`, the id that its first group finds in the
        message. With ``"pause": seconds`` they think before each click.

        Args:
            seconds: how long to click.
            clicks: stop earlier, after this many clicks in all; 0 for no limit.
            timeline: tell of each click when it was made (seconds since 1970), how long it took, and whether it was answered.
        """
        durations: list[float] = []
        told: list[tuple[float, float, bool]] = []
        failed = 0
        started = time.perf_counter()
        ends_at = started + seconds

        async def run_lane(lane: Json) -> None:
            nonlocal failed
            patterns, user_pattern = _patterns_of(lane)
            while time.perf_counter() < ends_at and not (clicks and len(durations) >= clicks):
                target = self._find_target(lane["channel"], patterns, user_pattern, lane.get("user", ""))
                if target is None:  # nobody is to act; look again after the bot's next redraw
                    await asyncio.sleep(0.05 if "pause" in lane else 0.002)
                    continue
                if "pause" in lane:
                    await asyncio.sleep(lane["pause"])
                    target = self._find_target(lane["channel"], patterns, user_pattern, lane.get("user", ""))
                    if target is None:
                        continue
                user, message, custom_id = target
                begun = time.perf_counter()
                made = time.time()
                frame = await self._click(user, lane["channel"], message, custom_id)
                took = time.perf_counter() - begun
                if timeline:
                    told.append((made, took, frame["t"] != "failed"))
                if frame["t"] == "failed":
                    failed += 1
                else:
                    durations.append(took)

        async with asyncio.TaskGroup() as group:
            for lane in lanes:
                group.create_task(run_lane(lane))
        report = _click_report(durations, failed, time.perf_counter() - started)
        return report | {"timeline": told} if timeline else report

    async def click_at_rate(self, lanes: list[Json], per_second: float, seconds: float, seed: int = 1) -> Json:
        """Click at times that do not depend on the answers (an open loop): at random, `per_second` on average.

        The lanes are those of `click_repeatedly`. Each click is made in one drawn by lot, as people at many tables do who know nothing of
        each other: if the lanes took turns, the hands of all tables would end at the same moment. One that has nothing to click, or whose
        last click is not answered yet, is passed over. The time of an answer counts from when its click was due, also where that was before
        it could be made.

        Args:
            seed: of the times and lots; the same seed gives the same times.
        """
        rng = random.Random(seed)
        durations: list[float] = []
        failed = 0
        free = [(lane, *_patterns_of(lane)) for lane in lanes]

        async def click(due: float) -> None:
            nonlocal failed
            while True:
                rng.shuffle(free)
                for at, (lane, patterns, user_pattern) in enumerate(free):
                    target = self._find_target(lane["channel"], patterns, user_pattern, lane.get("user", ""))
                    if target is not None:
                        del free[at]
                        frame = await self._click(target[0], lane["channel"], target[1], target[2])
                        durations.append(time.perf_counter() - due)
                        failed += frame["t"] == "failed"
                        free.append((lane, patterns, user_pattern))
                        return
                await asyncio.sleep(0.001)

        started = due = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            while due < started + seconds:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                group.create_task(click(due))
                due += rng.expovariate(per_second)
        return _click_report(durations, failed, time.perf_counter() - started)

    # -- asking for anything -------------------------------------------------------------------------------------------------

    async def use(self, person: str, channel: str, what: Json) -> Json:
        """Ask for something once. Returns after how many milliseconds all of the answer was there, and its end: ``done``, ``failed`` ….

        Args:
            what: ``{"command": name, "options": […]}``, ``{"typing": name, "options": […]}``, ``{"menu": name, "type": 2, "target": id}``,
                or ``{"press": custom id, "values": […], "message": id}``, with ``form`` where it is one. Nothing looks whether
                there is such a button.
        """
        began = time.perf_counter()
        frame = await self._use(person, channel, what)
        answer = frame.get("message_id")
        while answer and time.perf_counter() < began + 5 and self._is_loading(channel, answer):
            await asyncio.sleep(0.001)
        return {"ms": (time.perf_counter() - began) * 1000, "end": frame["t"]}

    async def use_at_rate(self, person: str, channel: str, what: list[Json], per_second: float, seconds: float) -> int:
        """Ask for these things in turn, so many a second whether they are answered or not. Returns how often that was."""
        began, count = time.perf_counter(), 0
        asked: set[asyncio.Task[Json]] = set()
        while time.perf_counter() < began + seconds:
            task = asyncio.create_task(self._use(person, channel, what[count % len(what)]))
            asked.add(task)
            task.add_done_callback(asked.discard)
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # what was refused was asked for
            count += 1
            await asyncio.sleep(max(0.0, began + count / per_second - time.perf_counter()))
        for task in asked:
            task.cancel()
        return count

    async def _use(self, person: str, channel: str, what: Json) -> Json:
        ended: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        who, where = self._world.people[person], self._world.channels[channel]

        def take(frame: Json) -> None:
            if not ended.done():  # nobody may wait for it any more
                ended.set_result(frame)

        match what:
            case {"command": name, "options": options}:
                self._interactions.use_command(who, channel, name, options, take)
            case {"typing": name, "options": options}:
                self._interactions.use_command(who, channel, name, options, take, autocomplete=True)
            case {"menu": name, "type": kind, "target": target}:
                await self._interactions.use_menu(who, channel, name, kind, target, take)
            case {"press": custom_id, "values": values, "message": message}:
                pressed = await self._world.find_message(channel, message)
                data: Json = {"component_type": 3 if values else 2, "custom_id": custom_id, "id": 1, "values": values}
                if what.get("form"):
                    data = {"custom_id": custom_id, "components": []}
                self._interactions.start(5 if what.get("form") else 3, who, where, data, take, message=pressed)
            case _:
                raise ValueError(what)
        return await ended

    def _is_loading(self, channel: str, message: str) -> bool:
        found = self._messages.ephemeral.get(message, (None,))[0] or self._world.messages[channel].get(message)
        return found is not None and bool(found["flags"] & LOADING)

    def commands(self) -> list[Json]:
        """Return every command that the bot has registered."""
        return list(self._world.all_commands())

    def _find_target(
        self, channel: str, patterns: list[re.Pattern[str]], user_pattern: re.Pattern[str] | None, user: str
    ) -> tuple[str, str, str] | None:
        """Return the next click: the ids of the user and the message, and the custom id. A private message is clicked by its reader."""
        for message in islice(reversed(self._world.messages[channel].values()), NEWEST_MESSAGES):
            if custom_id := _first_button(message, patterns):
                found = user_pattern.search(_text_of(message)) if user_pattern else None
                clicker = found[1] if found else user
                return (clicker, message["id"], custom_id) if clicker else None
        if user_pattern is not None:
            for message, reader in reversed(self._interactions._messages.ephemeral.values()):
                if message["channel_id"] == channel and (custom_id := _first_button(message, patterns)):
                    return reader, message["id"], custom_id
        return None


def _first_button(message: Json, patterns: list[re.Pattern[str]]) -> str:
    """Return the id of the button that fits the first pattern that any fits; empty for none."""
    buttons = list(_buttons(message["components"]))
    for pattern in patterns:
        for button in buttons:
            if pattern.search(button["custom_id"]) or pattern.search(button.get("label", "")):
                custom_id: str = button["custom_id"]
                return custom_id
    return ""


def _buttons(components: list[Json]) -> Iterator[Json]:
    """Yield the enabled buttons that have a custom id, at any depth."""
    for component in components:
        if component["type"] == 2 and component.get("custom_id") and not component.get("disabled"):
            yield component
        if "components" in component:
            yield from _buttons(component["components"])
        if "accessory" in component:
            yield from _buttons([component["accessory"]])


def _text_of(message: Json) -> str:
    texts = [message["content"]]

    def collect(components: list[Json]) -> None:
        for component in components:
            if "content" in component:
                texts.append(component["content"])
            collect(component.get("components", []))

    collect(message["components"])
    return "\n".join(texts)


def _patterns_of(lane: Json) -> tuple[list[re.Pattern[str]], re.Pattern[str] | None]:
    """Return the patterns of a lane's buttons, and of the user who clicks."""
    user_pattern = re.compile(lane["user_pattern"]) if lane.get("user_pattern") else None
    return [re.compile(pattern) for pattern in lane["buttons"]], user_pattern


def _click_report(durations: list[float], failed: int, elapsed: float) -> Json:
    durations.sort()
    return {
        "clicks": len(durations),
        "failed": failed,
        "seconds": elapsed,
        "per_second": len(durations) / elapsed,
        "p50_ms": _percentile_ms(durations, 0.50),
        "p99_ms": _percentile_ms(durations, 0.99),
        "max_ms": _percentile_ms(durations, 1.0),
    }


def _percentile_ms(sorted_seconds: list[float], fraction: float) -> float:
    if not sorted_seconds:
        return 0.0
    index = min(int(len(sorted_seconds) * fraction), len(sorted_seconds) - 1)
    return sorted_seconds[index] * 1000
