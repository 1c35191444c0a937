"""The role of whoever won the last season: given to the winners, and taken from those who had it before.

What has been given is remembered, so that a restart goes on where it was. Where Discord refuses, staff read how to put it right, and it is
tried again; nothing else waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

import aiohttp
import discord
import msgspec

from bot.runtime.bank import Bank
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.seasons import Seasons
from bot.text import seasons as words
from bot.text.language import t
from bot.text.people import is_former
from cogs.ui.discord_api import UNKNOWN_MEMBER, UNKNOWN_USER, DiscordApi

log = logging.getLogger(__name__)

TROPHY_KEY = "season.trophy."
"""The kept value of a server's winners is under this and its id: pairs of a role and a user who has it."""
AGAIN_MS = 3_600_000
"""How long after Discord has refused a role is tried again."""
UNKNOWN_ROLE = 10011
_POWERS = discord.Permissions(
    administrator=True, manage_guild=True, manage_roles=True, manage_channels=True, manage_messages=True, manage_webhooks=True,
    manage_threads=True, manage_nicknames=True, kick_members=True, ban_members=True, moderate_members=True, mention_everyone=True,
    view_audit_log=True, manage_expressions=True, manage_events=True, mute_members=True, deafen_members=True, move_members=True,
)  # fmt: skip


def is_powerful(role: discord.Role) -> bool:
    """Return whether a role lets people do more than a prize should, or is no role that can be given."""
    return bool(role.permissions.value & _POWERS.value) or role.is_default() or role.managed


class TrophyStorage(Protocol):
    """Where it is remembered who has the role. The store is one."""

    async def value(self, key: str) -> bytes | None: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class Trophies:
    """Gives and takes the winners' role."""

    def __init__(
        self, discord_api: DiscordApi, seasons: Seasons, bank: Bank, storage: TrophyStorage, clock: AlarmClock
    ) -> None:
        self._discord_api, self._seasons, self._bank = discord_api, seasons, bank
        self._storage, self._clock = storage, clock
        self._waiting: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._refused: dict[int, str] = {}
        self._again: dict[int, Alarm] = {}
        self._closing = False

    async def close(self) -> None:
        """Stop. What has not been done waits for the next run."""
        self._closing = True
        for alarm in self._again.values():
            alarm.cancel()
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    @property
    def pending_tasks(self) -> set[asyncio.Task[None]]:
        """Roles that are being given and taken."""
        return set(self._tasks.values())

    def wake(self, guild: int) -> None:
        """Give and take in a server what is due. Returns at once."""
        if self._closing:
            return
        self._waiting.add(guild)
        if guild not in self._tasks:
            task = asyncio.get_running_loop().create_task(self._settle(guild), name=f"trophies-{guild}")
            self._tasks[guild] = task

    def permissions_changed(self, guild: int) -> None:
        """A role of a server has changed: what Discord refused can be right now."""
        if guild in self._refused or guild in self._tasks:
            self.wake(guild)

    async def problem(self, guild: int) -> str:
        """Return what staff have to put right, in words; empty for nothing."""
        role = (await self._bank.house_rules(guild)).season_role
        match self._refused.get(guild, ""):
            case "gone":
                return t(words.ROLE_GONE)
            case "refused":
                return t(words.ROLE_PROBLEM, role=f"<@&{role}>")
            case _:
                return ""

    async def held_by(self, guild: int, user: int) -> tuple[int, ...]:
        """Return the roles that somebody was given here."""
        return tuple(role for role, holder in await self._given(guild) if holder == user)

    async def take_back(self, guild: int, user: int, roles: tuple[int, ...]) -> None:
        """Take roles from somebody whose data was deleted."""
        for role in roles:
            await self._change(guild, user, role, give=False)

    async def _settle(self, guild: int) -> None:
        try:
            while guild in self._waiting:
                self._waiting.discard(guild)
                await self._give_and_take(guild)
        except Exception:  # nobody waits for this task
            log.exception("trophies_failed", extra={"guild": guild})
        finally:
            del self._tasks[guild]

    async def _give_and_take(self, guild: int) -> None:
        rules = await self._bank.house_rules(guild)
        _, winners = await self._seasons.last_winners(guild)
        role, given = rules.season_role, await self._given(guild)
        if not role and not given:
            return
        self._refused.pop(guild, None)
        wanted = [(role, user) for user in winners if role and not is_former(user)]
        if role and not self._discord_api.can_be_given(guild, role, is_powerful):
            self._refused[guild], wanted = "gone", []
        for of, user in given:
            if (of, user) in wanted:
                continue
            if is_former(user) or await self._change(guild, user, of, give=False):
                await self._remember(guild, [pair for pair in await self._given(guild) if pair != (of, user)])
        for of, user in wanted:
            if (of, user) not in given and await self._change(guild, user, of, give=True):
                await self._remember(guild, [*await self._given(guild), (of, user)])
        earlier = self._again.pop(guild, None)
        if earlier is not None:
            earlier.cancel()
        if guild in self._refused:
            self._again[guild] = self._clock.call_at(self._clock.now() + AGAIN_MS, lambda: self.wake(guild))

    async def _change(self, guild: int, user: int, role: int, *, give: bool) -> bool:
        """Give or take a role. Returns whether that is done; somebody who has left needs none."""
        try:
            await self._discord_api.change_role(guild, user, role, give=give)
        except discord.HTTPException as error:
            if error.code in {UNKNOWN_MEMBER, UNKNOWN_USER} or (error.code == UNKNOWN_ROLE and not give):
                return True
            self._refused[guild] = "gone" if error.code == UNKNOWN_ROLE else "refused"
            fields = {"guild": guild, "role": role, "status": error.status, "code": error.code}
            log.info("trophy_role_refused", extra=fields)
            return False
        except (aiohttp.ClientError, OSError) as error:
            self._refused[guild] = "refused"
            log.info("trophy_role_failed", extra={"guild": guild, "error": repr(error)})
            return False
        return True

    async def _given(self, guild: int) -> list[tuple[int, int]]:
        kept = await self._storage.value(f"{TROPHY_KEY}{guild}")
        return msgspec.msgpack.decode(kept, type=list[tuple[int, int]]) if kept else []

    async def _remember(self, guild: int, pairs: list[tuple[int, int]]) -> None:
        await self._storage.keep(f"{TROPHY_KEY}{guild}", msgspec.msgpack.encode(pairs))
