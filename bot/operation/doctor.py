"""Check in one channel of Discord what the dealer expects and cannot see from outside: `cardroom doctor`.

Everything that is posted is deleted again. Requests are made without discord.py's queues, so that the limits which Discord names in its
headers can be read.
"""

import asyncio
import base64
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.line.failures import CANNOT_SEND_DM
from bot.line.payloads import COMPONENTS_V2, MESSAGE, SUPPRESS_NOTIFICATIONS, Raw, message_data, private_message_data
from bot.line.site import Endpoints
from bot.operation.data_folder import data_of_slots
from bot.operation.runner import describe_error
from bot.render.card_tiles import tile_names, tile_png
from bot.render.message.custom_ids import page_id
from bot.render.message.notice import notice_panel
from bot.render.message.panel import GREEN, Button, Buttons, Panel, payload
from bot.settings import DATA_FILE, SettingsError, load
from bot.store.data_source import channels_with_tables, forums_of_tables
from bot.text import doctor as words
from bot.text.formatting import join_and
from bot.text.greeting import PERMISSIONS, SERVER_PERMISSIONS, THREAD_PERMISSIONS
from bot.text.language import Message, t

CONNECT_SECONDS, EVENT_SECONDS, PRESS_SECONDS = 30.0, 5.0, 60.0
TRIES = 3
EMOJI_NAME = "cardroom_doctor"

Say = Callable[[str], None]


class _Failed(Exception):
    """An expectation did not hold. The text says why."""


class _NotChecked(Exception):
    """It could not be checked. The text says why."""


class _Refused(_Failed):
    """Discord refused a request."""

    def __init__(self, status: int, body: Any) -> None:
        self.code = body.get("code", 0) if isinstance(body, dict) else 0
        error = body.get("message", "") if isinstance(body, dict) else ""
        super().__init__(t(words.REFUSED, status=status, code=self.code, error=error))


def check_discord(channel: int) -> int:
    """Check a channel with the token of the settings, and print what held. Returns the exit code."""
    try:
        settings = load()
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if settings.local:
        sys.stderr.write(t(words.NO_TOKEN) + "\n")
        return 2
    if settings.rest and settings.gateway and settings.cdn:
        Endpoints(settings.rest, settings.gateway, settings.cdn).use()
    token = settings.discord_token.reveal()
    try:
        is_there = settings.database.reveal() or (settings.folder / DATA_FILE).is_file()
        slots = [one.source for one in data_of_slots(settings, made=True)] if is_there else []
        tables = [channel for data in slots for channel in channels_with_tables(data)]
        forums = [forum for data in slots for forum in forums_of_tables(data)]
        work = examine(token, channel, lambda line: print(line, flush=True), tables=tables, forums=forums)
        return 0 if asyncio.run(work) else 1
    except Exception as error:
        explanation = describe_error(error, settings)
        if explanation is None:
            raise  # the fault is ours: the traceback helps
        sys.stderr.write(explanation + "\n")
        return 1


async def examine(
    token: str,
    channel: int,
    say: Say,
    press_seconds: float = PRESS_SECONDS,
    *,
    tables: Sequence[int] = (),
    forums: Sequence[int] = (),
) -> bool:
    """Check everything in one channel, and say what held. Returns whether nothing failed.

    Args:
        tables: the channels that have an open table: whether pictures can be shown there.
        forums: the forums in which tables become posts.
        press_seconds: how long to wait for somebody who presses the button.

    Raises:
        discord.LoginFailure: Discord does not know the token.
        aiohttp.ClientError: Discord cannot be reached.
    """
    async with _Client() as client, aiohttp.ClientSession() as session:
        await client.login(token)
        gateway = asyncio.create_task(client.connect(reconnect=False))
        ready = asyncio.create_task(client.wait_until_ready())
        try:
            done, _ = await asyncio.wait({gateway, ready}, timeout=CONNECT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if gateway in done:
                gateway.result()
            if ready not in done:
                raise TimeoutError
            return await _Examination(client, session, token, channel, say, press_seconds, tables, forums).run()
        finally:
            ready.cancel()
            await client.close()
            await asyncio.gather(gateway, return_exceptions=True)


def for_threads(channel: discord.TextChannel | discord.ForumChannel) -> tuple[str, ...]:
    """Return the permissions that tables in rooms of their own need in a channel or forum, by discord.py's names."""
    if isinstance(channel, discord.ForumChannel):
        return ("view_channel", "send_messages", "send_messages_in_threads", "manage_threads")
    return ("view_channel", *THREAD_PERMISSIONS)


class _Client(discord.Client):
    """Hears presses of the doctor's button, and of messages that are deleted."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True, guild_messages=True), max_messages=None)
        self.presses: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()
        self.deleted: asyncio.Queue[int] = asyncio.Queue()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type is discord.InteractionType.component:
            await self.presses.put(interaction)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self.deleted.put(event.message_id)


@dataclass(slots=True)
class _Examination:
    """The checks of one channel, in order, and what has to be deleted afterwards."""

    _client: _Client
    _session: aiohttp.ClientSession
    _token: str
    _channel: int
    _say: Say
    _press_seconds: float
    _tables: Sequence[int]
    _forums: Sequence[int]
    _left_behind: list[str] = field(default_factory=list)
    _limits: dict[str, tuple[str, str]] = field(default_factory=dict)
    _counts: dict[Message, int] = field(default_factory=lambda: {words.HELD: 0, words.FAILED: 0, words.NOT_CHECKED: 0})
    _message: str = ""
    _press: discord.Interaction[Any] | None = None

    async def run(self) -> bool:
        """Check everything. Returns whether nothing failed."""
        self._tell(words.HELD, words.CONNECTED)
        try:
            await self._check(words.PERMISSIONS, self._permissions)
            await self._check(words.THREADS, self._threads)
            await self._check(words.EVENTS, self._events)
            if any(isinstance(self._client.get_channel(each), discord.Thread) for each in self._tables):
                await self._check(words.TABLES_IN_THREADS, self._tables_in_threads)
            if self._tables:
                await self._check(words.PICTURES, self._pictures)
            if await self._check(words.SENT, self._send):
                await self._check(words.EDITED, self._edit)
                await self._check(words.EMOJI, self._emoji)
                await self._check(words.PRESSED, self._wait_for_press)
                await self._check(words.ANSWERED, self._answer)
                await self._check(words.EDITED_BY_TOKEN, self._edit_by_token)
                await self._check(words.DM, self._direct_message)
                await self._check(words.DELETED, self._delete)
        finally:
            await self._clean_up()
        self._say(t(words.LIMITS))
        for request, (limit, seconds) in sorted(self._limits.items()):
            self._say(t(words.LIMIT, request=request, limit=limit, seconds=seconds))
        if not self._limits:
            self._say(t(words.NO_LIMITS))
        held, failed, left = self._counts.values()
        self._say(t(words.SUMMARY, held=held, failed=failed, left=left))
        return not failed

    async def _check(self, check: Message, work: Callable[[], Awaitable[None]]) -> bool:
        try:
            await work()
        except _NotChecked as reason:
            self._tell(words.NOT_CHECKED, check, str(reason))
        except _Failed as reason:
            self._tell(words.FAILED, check, str(reason))
        except (aiohttp.ClientError, OSError) as error:
            self._tell(words.FAILED, check, t(words.NO_ANSWER, error=repr(error)))
        else:
            self._tell(words.HELD, check)
            return True
        return False

    def _tell(self, verdict: Message, check: Message, reason: str = "") -> None:
        self._counts[verdict] += 1
        if verdict == words.HELD:
            self._say(t(words.HELD, check=t(check)))
        elif verdict == words.FAILED:
            self._say(t(words.FAILED, check=t(check), reason=reason))
        else:
            self._say(t(words.NOT_CHECKED, check=t(check), reason=reason))

    # the checks

    async def _permissions(self) -> None:
        channel = self._client.get_channel(self._channel)
        if not isinstance(channel, discord.abc.GuildChannel):
            raise _Failed(t(words.NOT_SEEN))
        permissions = channel.permissions_for(channel.guild.me)
        missing = [t(name) for attribute, name in PERMISSIONS.items() if not getattr(permissions, attribute)]
        if missing:
            raise _Failed(t(words.MISSING, permissions=join_and(missing)))

    async def _threads(self) -> None:
        """Name what is missing for tables in threads, in the channel and in the forums of tables. That is no failure: others do without."""
        forums = [self._client.get_channel(each) for each in self._forums]
        lacking = []
        for found in dict.fromkeys([self._client.get_channel(self._channel), *forums]):
            channel = found.parent if isinstance(found, discord.Thread) else found
            if isinstance(channel, discord.TextChannel | discord.ForumChannel):
                lacking += self._lacking(channel, for_threads(channel))
        if lacking:
            raise _NotChecked("; ".join(lacking))

    async def _events(self) -> None:
        """Say what is missing for game nights among the events of the server. That is no failure: nights do without."""
        channel = self._client.get_channel(self._channel)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            raise _NotChecked(t(words.NOT_SEEN))
        mine = channel.guild.me.guild_permissions
        missing = [t(name) for attribute, name in SERVER_PERMISSIONS.items() if not getattr(mine, attribute)]
        if missing:
            raise _NotChecked(t(words.MISSING_IN_SERVER, permissions=join_and(missing)))

    async def _tables_in_threads(self) -> None:
        """Name the threads with a table in which the dealer cannot write."""
        lacking = []
        for each in self._tables:
            thread = self._client.get_channel(each)
            if isinstance(thread, discord.Thread) and thread.parent is not None:
                lacking += self._lacking(thread, ("view_channel", "send_messages_in_threads"))
        if lacking:
            raise _Failed("; ".join(lacking))

    def _lacking(self, channel: discord.abc.GuildChannel | discord.Thread, needed: Sequence[str]) -> list[str]:
        """Say which of these permissions the dealer lacks in a channel; nothing if it has them all."""
        mine = channel.permissions_for(channel.guild.me)
        names = {**PERMISSIONS, **THREAD_PERMISSIONS}
        missing = [t(names[one]) for one in needed if not getattr(mine, one)]
        return [t(words.MISSING_IN, channel=f"#{channel.name}", permissions=join_and(missing))] if missing else []

    async def _pictures(self) -> None:
        """Name the channels whose tables are told in text because the dealer cannot attach files there. That is no failure."""
        channels = [self._client.get_channel(each) for each in self._tables]
        in_text = [
            f"#{channel.name}"
            for channel in channels
            if isinstance(channel, discord.abc.GuildChannel)
            and not channel.permissions_for(channel.guild.me).attach_files
        ]
        if in_text:
            raise _NotChecked(t(words.WITHOUT_PICTURES, channels=join_and(in_text)))

    async def _send(self) -> None:
        self._message = await self._post(self._channel, notice_panel(t(words.TEST_MESSAGE)))

    async def _edit(self) -> None:
        data = message_data(payload(notice_panel(t(words.TEST_EDITED))))
        await self._ask("PATCH", f"/channels/{self._channel}/messages/{self._message}", data)

    async def _emoji(self) -> None:
        picture = base64.b64encode(tile_png(tile_names()[0])).decode()
        path = f"/applications/{self._client.application_id}/emojis"
        emoji = await self._ask("POST", path, {"name": EMOJI_NAME, "image": f"data:image/png;base64,{picture}"})
        self._left_behind.append(f"{path}/{emoji['id']}")
        await self._remove(self._left_behind[-1])

    async def _wait_for_press(self) -> None:
        button = Buttons((Button(t(words.PRESS_ME), page_id("doctor", "press"), GREEN),))
        please = notice_panel(t(words.PRESS_PLEASE))
        await self._post(self._channel, Panel(please.accent, (*please.blocks, button)))
        self._say(t(words.PRESS_PLEASE))
        try:
            self._press = await asyncio.wait_for(self._client.presses.get(), self._press_seconds)
        except TimeoutError:
            raise _NotChecked(t(words.NOBODY_PRESSED)) from None

    async def _answer(self) -> None:
        press = self._pressed()
        data = private_message_data(payload(notice_panel(t(words.PRIVATE_ANSWER))))
        await self._ask("POST", f"/interactions/{press.id}/{press.token}/callback", {"type": MESSAGE, "data": data})

    async def _edit_by_token(self) -> None:
        press = self._pressed()
        path = f"/webhooks/{self._client.application_id}/{press.token}/messages/@original"
        await self._ask("PATCH", path, message_data(payload(notice_panel(t(words.TEST_EDITED)))))
        await self._ask("DELETE", path)

    async def _direct_message(self) -> None:
        user = self._press.user.id if self._press is not None else self._owner()
        try:
            channel = (await self._ask("POST", "/users/@me/channels", {"recipient_id": str(user)}))["id"]
            message = await self._post(channel, notice_panel(t(words.TEST_MESSAGE)))
        except _Refused as refused:
            if refused.code == CANNOT_SEND_DM:
                raise _NotChecked(t(words.DM_CLOSED)) from None
            raise
        path = f"/channels/{channel}/messages/{message}"
        await self._ask("PATCH", path, message_data(payload(notice_panel(t(words.TEST_EDITED)))))
        await self._remove(path)

    async def _delete(self) -> None:
        await self._remove(f"/channels/{self._channel}/messages/{self._message}")
        try:
            async with asyncio.timeout(EVENT_SECONDS):
                while await self._client.deleted.get() != int(self._message):
                    pass
        except TimeoutError:
            raise _Failed(t(words.NOT_TOLD, seconds=EVENT_SECONDS)) from None

    def _pressed(self) -> discord.Interaction[Any]:
        if self._press is None:
            raise _NotChecked(t(words.NOBODY_PRESSED))
        return self._press

    def _owner(self) -> int:
        application = self._client.application
        assert application is not None, "not logged in"
        team = application.team
        return team.owner_id if team is not None and team.owner_id is not None else application.owner.id

    # requests

    async def _post(self, channel: int | str, panel: Panel) -> str:
        """Post a silent message that is deleted at the end. Returns its id."""
        data = message_data(payload(panel)) | {"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS}
        message: str = (await self._ask("POST", f"/channels/{channel}/messages", data))["id"]
        self._left_behind.append(f"/channels/{channel}/messages/{message}")
        return message

    async def _remove(self, path: str) -> None:
        await self._ask("DELETE", path)
        self._left_behind.remove(path)

    async def _clean_up(self) -> None:
        for path in list(self._left_behind):
            try:
                await self._remove(path)
            except (_Refused, aiohttp.ClientError, OSError) as error:
                self._say(t(words.LEFT_BEHIND, error=error))

    async def _ask(self, method: str, path: str, data: Raw | None = None) -> Any:
        """Make a request, and note the limits that the answer names.

        Raises:
            _Refused: Discord refused it.
        """
        headers = {"User-Agent": self._client.http.user_agent}
        if not path.startswith(("/interactions/", "/webhooks/")):
            headers["Authorization"] = f"Bot {self._token}"
        status, body = 0, None
        for _ in range(TRIES):
            async with self._session.request(method, Route.BASE + path, json=data, headers=headers) as answer:
                status = answer.status
                body = await answer.json() if answer.content_type == "application/json" else None
                limit, seconds = (answer.headers.get(f"X-RateLimit-{name}") for name in ("Limit", "Reset-After"))
            if limit is not None and seconds is not None:
                self._limits[f"{method} {_kind(path)}"] = limit, seconds
            if status < 400:
                return body
            if status != 429:
                break
            await asyncio.sleep(body["retry_after"] if isinstance(body, dict) else 1.0)
        raise _Refused(status, body)


def _kind(path: str) -> str:
    """Return the kind of a request without ids and tokens: ``/channels/messages``."""
    return "/" + "/".join(part for part in path.split("/") if part.isalpha() or part.startswith("@"))
