"""Requests by the bot's own token, through discord.py's HTTP code, and the two other ways of the line: `by_token` and `servers`.

All of them share the bot's global limit, so they wait for a slot. The call that uses up a bucket returns only when the window resets,
so none of these is awaited inside a table's turn.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any

import discord
import msgspec
from discord.http import Route

from bot.line.by_token import PAUSE_SECONDS, TRIES, DiscordTime, TokenRequests
from bot.line.failures import (
    FROM_LIBRARIES,
    UNKNOWN_MEMBER,
    UNKNOWN_USER,
    DiscordFailed,
    Gone,
    OutcomeUnknown,
    TryLater,
    failure_from,
)
from bot.line.gateway import Echoes, MessageCreated
from bot.line.payloads import AttachedFile, Raw, body_of
from bot.line.request_queue import HOUSE_LINE, Priority, RequestLine
from bot.line.request_slots import REQUESTS_PER_SECOND, RequestSlots
from bot.line.scheduled_events import ScheduledEventRequests
from bot.line.servers import Servers
from bot.line.shared_allowance import SharedAllowance
from bot.line.slot_marks import SlotMark


class DiscordApi:
    """The line to Discord. Nothing goes out before `open`. Every request that fails raises a `DiscordFailed`.

    Args:
        per_second: requests per second with the bot's token.
        allowance: says when they can go, where other processes use the bot's token too.
        mark: of this dealer, for what is pressed in direct messages; None where it is the only one.

    Attributes:
        by_token: requests by an interaction's token.
        servers: what is known of the servers that the bot is in.
        slots: when a request by the bot's token can go.
        echoes: the newest messages of bots, as the gateway has told of them.
        scheduled_events: requests about the scheduled events of servers.
    """

    def __init__(
        self,
        client: discord.Client,
        per_second: float = REQUESTS_PER_SECOND,
        allowance: SharedAllowance | None = None,
        mark: SlotMark | None = None,
    ) -> None:
        self._client, self._mark = client, mark
        self._time = DiscordTime()
        self.by_token = TokenRequests(client, self._time, mark)
        self.servers = Servers(client)
        self.slots = RequestSlots(per_second, allowance)
        self.echoes = Echoes()
        self.scheduled_events = ScheduledEventRequests(self._request)

    async def open(self, count: Callable[[int], None] | None = None) -> None:
        """The bot has logged in: let requests go.

        Args:
            count: is told of the status of every response to a request by an interaction's token.
        """
        await self.by_token.open(count)
        self.slots.open()

    async def close(self) -> None:
        """End all connections."""
        await self.slots.close()
        await self.by_token.close()

    # messages

    async def send(
        self,
        line: RequestLine,
        channel: int,
        data: Raw,
        priority: Priority | None = Priority.PRIVATE,
        file: AttachedFile | None = None,
        nonce: str = "",
    ) -> int:
        """Send a message to a channel. Returns its id. Without a `priority`, the caller has waited for a slot.

        Args:
            nonce: at most 25 characters. For some minutes Discord takes one nonce once: sent again, the message is the one that is there.
        """
        if nonce:
            data = data | {"nonce": nonce, "enforce_nonce": True}
        data = _marked(self._mark, self.servers, line, channel, data)
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        if priority is not None:
            await self.slots.wait(line, priority)
        sent_at = self._time.now()
        message = int((await self._request(line, None, route, **body_of(data, file)))["id"])
        if not nonce:  # with one, it can be older
            self._time.note_own(message, sent_at)
        return message

    async def edit(
        self,
        line: RequestLine,
        channel: int,
        message: int,
        data: Raw,
        priority: Priority | None = Priority.REDRAW,
        file: AttachedFile | None = None,
    ) -> None:
        """Edit a message. Without a `priority`, the caller has waited for a slot."""
        route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        await self._request(
            line, priority, route, **body_of(_marked(self._mark, self.servers, line, channel, data), file)
        )

    async def delete(self, line: RequestLine, channel: int, message: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        await self._request(line, Priority.REDRAW, route)

    async def own_messages(self, line: RequestLine, channel: int, custom_id: str = "", text: str = "") -> list[int]:
        """Return the bot's own messages among the last hundred of a channel, newest first.

        Args:
            custom_id: only those that have a component with this id.
            text: only those in whose components this stands.
        """
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel)
        messages = await self._request(line, Priority.BACKGROUND, route, params={"limit": "100"})
        mark = msgspec.json.encode(custom_id) if custom_id else msgspec.json.encode(text)[1:-1]
        own = [one for one in messages if one["author"]["id"] == str(self.by_token.application)]
        return [int(one["id"]) for one in own if mark in msgspec.json.encode(one["components"])]

    async def people_below(self, line: RequestLine, channel: int, message: int) -> int:
        """Return how many messages of people stand below a message; no more than ten are looked at."""
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel)
        found = await self._request(line, Priority.REDRAW, route, params={"limit": "10", "after": str(message)})
        events = msgspec.convert(found, tuple[MessageCreated, ...], strict=False)
        return sum(event.is_of_person for event in events)

    async def find_sent(
        self, line: RequestLine, channel: int, nonce: str = "", interaction: int = 0, after: int = 0
    ) -> int:
        """Look for a message of the bot whose response was lost: among what the gateway has told of, else in the channel's history.

        Args:
            nonce: that it was sent with.
            interaction: that it was sent for.
            after: an id that is older than it; 0 to look through the last hundred messages.

        Returns:
            its id; 0 if it is not there.
        """
        application = self.by_token.application
        if found := self.echoes.find(channel, application, nonce, interaction):
            return found
        params = {"limit": "100"} | ({"after": str(after)} if after else {})
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel)
        messages = await self._request(line, Priority.TABLE, route, params=params)
        for event in msgspec.convert(messages, tuple[MessageCreated, ...], strict=False):
            if event.author.id == application and event.is_sent_as(nonce, interaction):
                return event.id
        return 0

    async def follow_up_publicly(
        self,
        line: RequestLine,
        interaction: int,
        token: str,
        channel: int,
        data: Raw,
        file: AttachedFile | None = None,
    ) -> int:
        """Send a message that all can read for an interaction that has been answered. Returns its id.

        It is not sent again before it was looked for. An interaction has one such message.

        Raises:
            OutcomeUnknown: it may have arrived, and could not be looked for.
        """
        for tried in range(1, TRIES + 1):
            try:
                return await self.by_token.follow_up(token, channel, data, file)
            except OutcomeUnknown as error:
                unknown = error
            await asyncio.sleep(PAUSE_SECONDS * tried)
            try:
                found = await self.find_sent(line, channel, interaction=interaction, after=interaction)
            except DiscordFailed as error:
                raise unknown from error
            if found:
                return found
        raise unknown

    # channels, threads and people

    async def start_thread(self, line: RequestLine, parent: int, body: Raw) -> int:
        """Start a thread in a channel, or a post in a forum. Returns its id."""
        route = Route("POST", "/channels/{channel_id}/threads", channel_id=parent)
        started = await self._request(line, Priority.TABLE, route, json=body)
        return int(started["id"])

    async def find_thread(self, line: RequestLine, guild: int, parent: int, name: str, after: int) -> int:
        """Return the newest active thread of this name that the bot has started in a channel after another id; 0 if there is none."""
        found = await self._request(
            line, Priority.TABLE, Route("GET", "/guilds/{guild_id}/threads/active", guild_id=guild)
        )
        wanted = str(self.by_token.application), str(parent), name
        threads = [one for one in found["threads"] if (one["owner_id"], one["parent_id"], one["name"]) == wanted]
        return max((int(one["id"]) for one in threads if int(one["id"]) > after), default=0)

    async def edit_channel(self, line: RequestLine, channel: int, changes: Raw) -> Raw:
        """Change a channel or thread. Returns it."""
        route = Route("PATCH", "/channels/{channel_id}", channel_id=channel)
        edited: Raw = await self._request(line, Priority.REDRAW, route, json=changes)
        return edited

    async def delete_channel(self, line: RequestLine, channel: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}", channel_id=channel)
        await self._request(line, Priority.REDRAW, route)

    async def add_to_thread(self, line: RequestLine, thread: int, user: int) -> None:
        """Make somebody a member of a thread; who is one stays one."""
        route = Route("PUT", "/channels/{channel_id}/thread-members/{user_id}", channel_id=thread, user_id=user)
        await self._request(line, Priority.PRIVATE, route)

    async def remove_from_thread(self, line: RequestLine, thread: int, user: int) -> None:
        route = Route("DELETE", "/channels/{channel_id}/thread-members/{user_id}", channel_id=thread, user_id=user)
        await self._request(line, Priority.PRIVATE, route)

    async def open_dm(self, line: RequestLine, user: int) -> int:
        """Return the id of the DM channel with a user."""
        channel = await self._request(
            line, Priority.PRIVATE, Route("POST", "/users/@me/channels"), json={"recipient_id": user}
        )
        return int(channel["id"])

    async def change_role(self, guild: int, user: int, role: int, *, give: bool) -> None:
        """Give a member a role, or take it. Everything else goes first."""
        route = Route(
            "PUT" if give else "DELETE",
            "/guilds/{guild_id}/members/{user_id}/roles/{role_id}",
            guild_id=guild,
            user_id=user,
            role_id=role,
        )
        await self._request(RequestLine(guild), Priority.BACKGROUND, route)

    async def application_emojis(self) -> dict[str, int]:
        """Return the ids of the emojis that the application has, by name."""
        found: Raw = await self._request(HOUSE_LINE, Priority.BACKGROUND, _emojis("GET", self.by_token.application))
        return {emoji["name"]: int(emoji["id"]) for emoji in found["items"]}

    async def create_application_emoji(self, name: str, png: bytes) -> int:
        """Give the application an emoji. Returns its id."""
        image = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        body = {"name": name, "image": image}
        return int(
            (
                await self._request(
                    HOUSE_LINE, Priority.BACKGROUND, _emojis("POST", self.by_token.application), json=body
                )
            )["id"]
        )

    async def user_name(self, user: int) -> str:
        """Return the name of a user who can be anywhere; empty for somebody who is gone from Discord."""
        try:
            found: Raw = await self._request(
                HOUSE_LINE, Priority.PRIVATE, Route("GET", "/users/{user_id}", user_id=user)
            )
        except Gone:
            return ""
        return str(found["global_name"] or found["username"])

    async def is_member(self, guild: int, user: int) -> bool:
        """Return whether a user is in a server. Everything else goes first."""
        return await self._member(guild, user, Priority.BACKGROUND) is not None

    async def member_name(self, guild: int, user: int) -> str:
        """Return the display name of a member of a server; empty for somebody who is none."""
        member = await self._member(guild, user, Priority.PRIVATE)
        return (member["nick"] or member["user"]["global_name"] or member["user"]["username"]) if member else ""

    async def _member(self, guild: int, user: int, priority: Priority) -> Raw | None:
        route = Route("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=user)
        try:
            member: Raw = await self._request(RequestLine(guild), priority, route)
        except Gone as error:
            if error.code not in {UNKNOWN_MEMBER, UNKNOWN_USER}:
                raise
            return None
        return member

    # inside

    async def _request(self, line: RequestLine, priority: Priority | None, route: Route, **how: Any) -> Any:
        if priority is not None:
            await self.slots.wait(line, priority)
        if self._client.is_closed():  # the line was longer than there is time to stop
            raise TryLater("the dealer has left Discord")
        try:
            return await self._client.http.request(route, **how)
        except FROM_LIBRARIES as error:
            raise failure_from(error) from error


def _emojis(method: str, application: int) -> Route:
    return Route(method, "/applications/{application_id}/emojis", application_id=application)


def _marked(mark: SlotMark | None, servers: Servers, line: RequestLine, channel: int, data: Raw) -> Raw:
    """Return a message with the mark of this dealer if it is a direct one: its channel is none of the server's."""
    if mark is None or servers.channel_or_thread(line.guild, channel) is not None:
        return data
    return mark.on(data)
