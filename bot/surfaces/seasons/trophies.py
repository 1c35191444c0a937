"""The role of whoever won the last season: given to the winners, and taken from those who had it before.

What has been given is remembered, so that a restart goes on where it was. Where Discord refuses, staff read how to put it right, and it is
tried again; nothing else waits for it.
"""

from __future__ import annotations

import logging

import discord

from bot.background_tasks import Workers
from bot.line.api import DiscordApi
from bot.line.failures import UNKNOWN_MEMBER, UNKNOWN_ROLE, UNKNOWN_USER, DiscordFailed
from bot.runtime.bank import Bank
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.saved_values import OF_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.runtime.seasons import Seasons
from bot.signals import RolesChanged, SeasonChanged, Signals
from bot.surfaces.part import Part
from bot.text import seasons as words
from bot.text.language import t
from bot.text.people import is_former

log = logging.getLogger(__name__)

_TROPHIES = SavedKind[int, list[tuple[int, int]]](
    "season.trophy.", OF_A_SERVER, list[tuple[int, int]], holds_people=True
)
"""A server's winners: pairs of a role and a user who has it."""
AGAIN_MS = 3_600_000
"""How long after Discord has refused a role is tried again."""
_POWERS = discord.Permissions(
    administrator=True, manage_guild=True, manage_roles=True, manage_channels=True, manage_messages=True, manage_webhooks=True,
    manage_threads=True, manage_nicknames=True, kick_members=True, ban_members=True, moderate_members=True, mention_everyone=True,
    view_audit_log=True, manage_expressions=True, manage_events=True, mute_members=True, deafen_members=True, move_members=True,
)  # fmt: skip


def is_powerful(role: discord.Role) -> bool:
    """Return whether a role lets people do more than a prize should, or is no role that can be given."""
    return bool(role.permissions.value & _POWERS.value) or role.is_default() or role.managed


class Trophies(Part):
    """Gives and takes the winners' role."""

    def __init__(
        self,
        discord_api: DiscordApi,
        seasons: Seasons,
        bank: Bank,
        storage: ValueStorage,
        clock: AlarmClock,
        signals: Signals,
    ) -> None:
        self._discord_api, self._seasons, self._bank = discord_api, seasons, bank
        self._saved, self._clock = SavedValues(_TROPHIES, storage), clock
        self.tasks = self.workers = Workers(self._give_and_take, "trophies")
        self._refused: dict[int, str] = {}
        self._again: dict[int, Alarm] = {}
        self._open = False
        signals.on(SeasonChanged, lambda signal: self.wake(signal.guild))
        signals.on(RolesChanged, lambda signal: self.permissions_changed(signal.guild))

    async def open(self) -> None:
        """Give and take what an earlier run has not."""
        self._open = True
        for guild in await self._seasons.servers():
            self.wake(guild)

    async def close(self) -> None:
        """Stop. What has not been done waits for the next run."""
        self._open = False
        for alarm in self._again.values():
            alarm.cancel()
        await self.workers.stop()

    def wake(self, guild: int) -> None:
        """Give and take in a server what is due. Returns at once."""
        if not self._open:
            return
        self.workers.wake(guild)

    def permissions_changed(self, guild: int) -> None:
        """A role of a server has changed: what Discord refused can be right now."""
        if guild in self._refused or self.workers.is_busy(guild):
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

    async def _give_and_take(self, guild: int) -> None:
        rules = await self._bank.house_rules(guild)
        _, winners = await self._seasons.last_winners(guild)
        role, given = rules.season_role, await self._given(guild)
        if not role and not given:
            return
        self._refused.pop(guild, None)
        wanted = [(role, user) for user in winners if role and not is_former(user)]
        if role and not self._discord_api.servers.can_be_given(guild, role, is_powerful):
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
        except DiscordFailed as error:
            if error.code in {UNKNOWN_MEMBER, UNKNOWN_USER} or (error.code == UNKNOWN_ROLE and not give):
                return True
            self._refused[guild] = "gone" if error.code == UNKNOWN_ROLE else "refused"
            fields = {"guild": guild, "role": role, "status": error.status, "code": error.code}
            log.info("trophy_role_refused", extra=fields)
            return False
        return True

    async def _given(self, guild: int) -> list[tuple[int, int]]:
        return await self._saved.get(guild) or []

    async def _remember(self, guild: int, pairs: list[tuple[int, int]]) -> None:
        await self._saved.keep(guild, pairs)
