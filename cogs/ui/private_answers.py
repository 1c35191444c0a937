"""The private answers that people have on their screens: one at a time for each person, a newer one replaces the last.

An answer whose buttons are about its reader's seat goes away once something else about that seat has changed: *I'm back* is nothing to
press for somebody who is back.

A private message can be changed only by the token of the interaction that made it, and only for fifteen minutes. Older ones are left alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord
from msgspec import Struct

from bot.render.message.panel import Panel, payload
from bot.runtime.clock import AlarmClock
from cogs.ui.discord_api import AttachedFile, DiscordApi, message_data, private_message_data

log = logging.getLogger(__name__)

TOKEN_MS = 14 * 60 * 1000
"""How long a token is used after its interaction. Discord allows fifteen minutes."""
REMEMBERED_MAX = 20_000
"""The most people whose last click is remembered."""


class PrivateMessage(Struct, frozen=True, gc=False):
    """A private message, and the token that can change it.

    Attributes:
        message: its id; 0 if Discord has not told.
        is_original: it is what the token's interaction was answered with, or the message that was clicked; else it followed.
        at: when the interaction began, in ms since the epoch.
    """

    token: str
    message: int
    is_original: bool
    at: int

    def __repr__(self) -> str:
        """Tell which message it is, without the token: this can end up in a log."""
        return f"<private message {self.message}>"

    def is_alive(self, now: int) -> bool:
        """Whether it can still be changed."""
        return now < self.at + TOKEN_MS


class PrivateAnswers:
    """Remembers each person's last private answer and the token of their last interaction.

    Attributes:
        situation_of: what is so of a person's seat at a table: an answer about it is outdated when this is another.
    """

    def __init__(self, discord_api: DiscordApi, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._clock = clock
        self._last: dict[int, tuple[PrivateMessage, ...]] = {}
        self._tokens: dict[int, tuple[str, int]] = {}
        self._about_seats: dict[int, dict[int, tuple[int, object]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.situation_of: Callable[[int, int], object] | None = None

    @property
    def pending_tasks(self) -> set[asyncio.Task[Any]]:
        """Requests that are on their way."""
        return set(self._tasks)

    def now(self) -> int:
        return self._clock.now()

    def remember_token(self, user: int, token: str) -> None:
        """Remember the token of a person's newest interaction: for a while it reaches them privately."""
        self._tokens[user] = token, self._clock.now()
        if len(self._tokens) > REMEMBERED_MAX:
            for known in (self._tokens, self._last):
                for each in list(known)[: REMEMBERED_MAX // 2]:
                    del known[each]

    def forget_token(self, user: int) -> None:
        """Forget how a person can be reached privately."""
        self._tokens.pop(user, None)

    def replace(self, user: int, answers: tuple[PrivateMessage, ...], beside: int = 0, table: int = 0) -> None:
        """A person has new answers: take the last ones away.

        Args:
            beside: the message whose button was answered. It stays: a page is not gone because one of its buttons was pressed.
            table: the newest answer is about the person's seat at this table; 0 for another.
        """
        if table and self.situation_of is not None:
            self._about_seats.setdefault(table, {})[user] = answers[-1].message, self.situation_of(table, user)
        kept = {answer.message for answer in answers} | {beside}
        stays = []
        for old in self._last.get(user, ()):
            if old.message not in kept:
                self.delete(old)
            elif old.message == beside:
                stays.append(old)
        self._last[user] = (*stays, *answers)

    def dismiss(self, user: int, message: int) -> None:
        """Take one of a person's answers away: what it asked is done."""
        for old in self._last.get(user, ()):
            if old.message == message:
                self.delete(old)
        self.forget(user, message)

    def seats_changed(self, table: int, situation_of: Callable[[int], object]) -> None:
        """Take away the answers that are about somebody's seat at this table and no longer true.

        Args:
            situation_of: what is so of a person's seat now.
        """
        about = self._about_seats.get(table, {})
        for user, (message, situation) in list(about.items()):
            if situation_of(user) != situation:
                del about[user]
                for answer in self._last.get(user, ()):
                    if answer.message == message:
                        self.delete(answer)
                        self.forget(user, message)
        if not about:
            self._about_seats.pop(table, None)

    def is_about_seats(self, table: int) -> bool:
        """Whether somebody has an answer that is about their seat at this table."""
        return table in self._about_seats

    def forget(self, user: int, message: int) -> None:
        """A message is no answer any more: it has become something else."""
        left = tuple([answer for answer in self._last.get(user, ()) if answer.message != message])
        if left:
            self._last[user] = left
        else:
            self._last.pop(user, None)

    async def show(self, user: int, panel: Panel, file: AttachedFile | None = None) -> bool:
        """Show a person a panel that they did not ask for: instead of their last answer, else by the token of their last interaction.

        Returns whether that was possible.

        Args:
            file: the picture in the panel.
        """
        if await self._edit_last(user, panel, file):
            return True
        message = await self.follow_up(user, panel, file)
        if message is not None:
            self.replace(user, (message,))
        return message is not None

    async def follow_up(self, user: int, panel: Panel, file: AttachedFile | None = None) -> PrivateMessage | None:
        """Show a person a panel by the token of their last interaction; None if that was not possible."""
        token, at = self._tokens.get(user, ("", 0))
        if not token or self._clock.now() >= at + TOKEN_MS:
            return None
        try:
            message = await self._discord_api.follow_up(token, private_message_data(payload(panel), file), file)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("private_follow_up_failed", extra={"user": user, "error": repr(error)})
            return None
        return PrivateMessage(token, message, is_original=False, at=at)

    async def _edit_last(self, user: int, panel: Panel, file: AttachedFile | None) -> bool:
        last = self._last.get(user, ())
        if not last or not last[-1].is_alive(self._clock.now()):
            return False
        try:
            data = message_data(payload(panel), file, keeps_files=False)
            await self._discord_api.edit_private(last[-1], data, file)
        except (
            discord.HTTPException,
            aiohttp.ClientError,
            OSError,
        ):  # its reader has taken it away, or the token has ended
            self._last.pop(user, None)
            return False
        return True

    def delete(self, old: PrivateMessage) -> None:
        """Take a private message away, if that is still possible. Nobody waits for it."""
        if old.is_alive(self._clock.now()):
            self._spawn(self._delete(old), "delete-private")

    async def _delete(self, old: PrivateMessage) -> None:
        try:
            await self._discord_api.delete_private(old)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("private_delete_failed", extra={"error": repr(error)})

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
