"""Hole cards by direct message: one silent message for each player and hand, sent in parallel, awaited by nobody.

It is edited when its player is dealt further private cards in the same hand, never for the board. Who has closed his direct messages is
told so once, privately, and gets none until he turns them on again.

Source: ui §5 f; design §5.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

from bot.render import preselecting, private
from bot.render.cards import Emojis
from bot.render.panel import Panel, Raw, payload
from bot.runtime.now import TableNow
from cogs.ui.preferences import Preferences
from cogs.ui.scenes import Deck, scene_of
from cogs.ui.wire import DM_REFUSED, LAYOUT, NO_ACCESS, NOBODY, SILENT, UNKNOWN_USER, Wire, private_layout

log = logging.getLogger(__name__)

TOKEN_SECONDS = 14 * 60.0
"""How long a player's last click may carry word to him; Discord allows fifteen minutes."""
KNOWN_MOST = 20_000
"""Channels and tokens remembered before the oldest half is forgotten."""


class _Letter:
    """The direct message of one player's hand. `newest` is the newest state asked for; what is older is not sent any more."""

    __slots__ = ("channel", "hand", "message", "newest", "sending")

    def __init__(self, hand: int) -> None:
        self.hand = hand
        self.channel = self.message = self.newest = 0
        self.sending = asyncio.Lock()


class Letters:
    """Sends hole cards.

    Attributes:
        left: told of a server and of somebody who has left it.
    """

    def __init__(self, wire: Wire, deck: Deck, preferences: Preferences, link: str) -> None:
        self._wire = wire
        self._deck = deck
        self._preferences = preferences
        self._link = link
        self._channels: dict[int, int] = {}
        self._letters: dict[tuple[int, int], _Letter] = {}
        self._tokens: dict[int, tuple[str, float]] = {}
        self._untold: set[int] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.left: Callable[[int, int], Awaitable[None]] | None = None

    def deal(self, now: TableNow, users: tuple[int, ...]) -> None:
        """Send these players their cards, each on his own."""
        for user in users:
            if user > 0 and self._preferences.by_dm(user):
                task = asyncio.get_running_loop().create_task(self._send(now, user), name=f"letter-{user}")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def heard(self, user: int, token: str) -> None:
        """Somebody clicked something: for a while this token reaches him privately."""
        tokens = self._tokens
        tokens[user] = token, time.monotonic()
        if len(tokens) > KNOWN_MOST:
            for each in list(tokens)[: KNOWN_MOST // 2]:
                del tokens[each]

    def lapsed(self, now: TableNow, users: tuple[int, ...]) -> None:
        """Tell these players that what they had chosen for their turn does not fit it (TL-34): by a click of theirs, else Peek says so."""
        for user in users:
            task = asyncio.get_running_loop().create_task(self._tell_lapsed(now, user), name=f"lapsed-{user}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def owes_word(self, user: int) -> bool:
        """Whether somebody has still to be told that his direct messages are closed. Asked once, it is settled."""
        if user in self._untold:
            self._untold.discard(user)
            return True
        return False

    def turned_on(self, user: int) -> None:
        """He has turned direct messages on again: what was known of his channel may be out of date."""
        self._channels.pop(user, None)
        self._untold.discard(user)

    def forget(self, table: int) -> None:
        """A table has closed."""
        for key in [key for key in self._letters if key[0] == table]:
            del self._letters[key]

    @property
    def busy(self) -> set[asyncio.Task[Any]]:
        """What is on its way."""
        return set(self._tasks)

    async def close(self) -> None:
        """Wait a little for what is on its way."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=3.0)
            for task in late:
                task.cancel()

    async def _send(self, now: TableNow, user: int) -> None:
        fields = {"table": now.id, "hand": now.hand_number, "user": user}
        try:
            await self._deliver(now, user)
        except discord.HTTPException as error:
            if error.code in {DM_REFUSED, NO_ACCESS, UNKNOWN_USER} or error.status == 403:
                log.info("direct messages are closed", extra=fields)
                await self._refused(now, user)
            else:
                log.warning("hole cards could not be sent: %s", error.text, extra=fields)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("the line broke while sending hole cards: %r", error, extra=fields)
        except Exception:
            log.exception("hole cards could not be written", extra=fields)

    async def _deliver(self, now: TableNow, user: int) -> None:
        letter = self._letters.get((now.id, user))
        if letter is None or letter.hand != now.hand_number:
            letter = self._letters[now.id, user] = _Letter(now.hand_number)
        letter.newest = max(letter.newest, now.seq)
        async with letter.sending:
            own = now.seen_by(user)
            if own is None or letter.newest != now.seq:
                return
            if not letter.message and own.viewer is not None and not own.seats[own.viewer].cards:
                return  # straddles come before the cards: a letter without any would only be noise
            scene = scene_of(now, own, self._emojis_of(user), 0)
            link = f"{self._link}/{now.place.guild}/{now.place.channel}"
            data: Raw = {"components": payload(private.hole_cards_dm(scene, link)), "allowed_mentions": NOBODY}
            if letter.message:
                await self._wire.edit(letter.channel, letter.message, data | {"flags": LAYOUT})
                return
            letter.channel = await self._channel(user)
            letter.message = await self._wire.send(letter.channel, data | {"flags": LAYOUT | SILENT})

    def _emojis_of(self, user: int) -> Emojis:
        return self._deck.of(two_colour=self._preferences.two_colour(user))

    async def _channel(self, user: int) -> int:
        """The channel of a player's direct messages."""
        channel = self._channels.get(user)
        if channel is None:
            channel = await self._wire.open_dm(user)
            if len(self._channels) > KNOWN_MOST:
                self._channels.clear()
            self._channels[user] = channel
        return channel

    async def _refused(self, now: TableNow, user: int) -> None:
        """No more direct messages; and word of it, at once if a click of his can carry it, else with his next one.

        Who has left the server is refused the same way: he gets up from its tables.
        """
        self._channels.pop(user, None)
        if self.left is not None and not await self._wire.is_member(now.place.guild, user):
            await self.left(now.place.guild, user)
            return
        await self._preferences.refused(user)
        if not await self._by_click(user, private.dm_refused_panel()):
            self._untold.add(user)

    async def _tell_lapsed(self, now: TableNow, user: int) -> None:
        own, early = now.seen_by(user), now.early(user)
        if own is not None and early is not None and early.chosen is not None:
            await self._by_click(
                user, preselecting.lapsed_panel(scene_of(now, own, self._emojis_of(user), 0), early.chosen)
            )

    async def _by_click(self, user: int, panel: Panel) -> bool:
        """Tell somebody something privately, by his last click. Returns whether that could be done."""
        token, at = self._tokens.get(user, ("", 0.0))
        if not token or time.monotonic() - at > TOKEN_SECONDS:
            return False
        try:
            await self._wire.follow_up(token, private_layout(payload(panel)))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("private word has to wait: %r", error, extra={"user": user})
            return False
        return True
