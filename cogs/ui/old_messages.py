"""What becomes of a table's old messages: a played hand is shrunk to its result, everything else is taken away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.render.hand import result
from bot.render.hand.result import uncontested_hands_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.clock import AlarmClock
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.updates import HandLog
from cogs.ui.discord_api import NOT_ALLOWED, TOO_MANY_OLD_EDITS, UNKNOWN_MESSAGE, DiscordApi, message_data
from cogs.ui.request_queue import RequestLine
from cogs.ui.scenes import EmojiDecks, hand_log_scene, is_uncontested, shrunk_panel
from cogs.ui.table_message import (
    MESSAGE_AGE_MAX_MS,
    NO_HAND,
    SavedMessages,
    TableMessage,
    UncontestedHands,
    sent_at_of,
)

log = logging.getLogger(__name__)

FinishedHand = Callable[[int, int], Awaitable[HandLog | None]]


async def delete_quietly(discord_api: DiscordApi, line: RequestLine, channel: int, message: int) -> None:
    """Delete a message; one that Discord does not let go stays."""
    try:
        await discord_api.delete(line, channel, message)
    except discord.HTTPException as error:
        fields = {"channel": channel, "code": error.code, "error": error.text}
        log.info("message_delete_failed", extra=fields)
    except (aiohttp.ClientError, OSError) as error:
        log.info("message_delete_failed", extra={"channel": channel, "error": repr(error)})


class OldMessages:
    """Shrinks and deletes what a newer message has replaced.

    Args:
        finished_hand: the hand of a table by its number, from the journal; None if that does not have it.
    """

    def __init__(
        self,
        discord_api: DiscordApi,
        emoji_decks: EmojiDecks,
        clock: AlarmClock,
        saved: SavedMessages,
        finished_hand: FinishedHand,
    ) -> None:
        self._discord_api = discord_api
        self._emoji_decks = emoji_decks
        self._clock = clock
        self._saved = saved
        self._finished_hand = finished_hand

    async def clear_away(
        self,
        table_message: TableMessage,
        earlier: set[asyncio.Task[None]],
        passing: list[int],
        message: int,
        hand: int,
        wanted: int,
        last: TableSnapshot | None,
    ) -> None:
        """Take away what belongs to an old message, in order. The worker does not wait: the next hand's message goes first."""
        if earlier:
            await asyncio.wait(earlier)
        try:
            for each in passing:
                await delete_quietly(self._discord_api, table_message.line, table_message.channel, each)
            if message:
                await self.retire(table_message, message, hand, wanted, last)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            fields = {"table": table_message.newest.id, "channel": table_message.channel, "error": repr(error)}
            log.warning("old_table_message_left", extra=fields)

    async def retire(
        self, table_message: TableMessage, message: int, hand: int, wanted: int, last: TableSnapshot | None
    ) -> None:
        """Shrink the message of a played hand to its result, or into that of the uncontested hands before it; delete any other."""
        channel = table_message.channel
        view = last.hand if last is not None else None
        if view is None and hand not in {NO_HAND, wanted}:  # it ended before a restart
            log_of_hand = await self._finished_hand(table_message.newest.id, hand)
            if log_of_hand is not None and log_of_hand.view.over:
                await self._shrink(
                    table_message.line,
                    channel,
                    message,
                    result.shrunk_panel(hand_log_scene(log_of_hand, self._emoji_decks.four_colour)),
                )
                return
        if hand in {NO_HAND, wanted} or last is None or view is None or not view.over:
            await delete_quietly(self._discord_api, table_message.line, channel, message)
            return
        if not is_uncontested(last):
            table_message.uncontested = UncontestedHands()
            await self._shrink(table_message.line, channel, message, shrunk_panel(last, self._emoji_decks.four_colour))
            return
        before = table_message.uncontested
        if before.last == hand - 1 and self._clock.now() - sent_at_of(before.message) <= MESSAGE_AGE_MAX_MS:
            table_message.uncontested = UncontestedHands(before.message, before.first, hand)
            if await self._shrink(
                table_message.line,
                channel,
                before.message,
                uncontested_hands_panel(table_message.newest.id, before.first, hand),
            ):
                await delete_quietly(self._discord_api, table_message.line, channel, message)
                self._saved.save(table_message)
                return
        table_message.uncontested = UncontestedHands(message, hand, hand)
        await self._shrink(table_message.line, channel, message, shrunk_panel(last, self._emoji_decks.four_colour))
        self._saved.save(table_message)

    async def _shrink(self, line: RequestLine, channel: int, message: int, panel: Panel) -> bool:
        """Draw what is left of hands that are over, without a picture. Returns whether Discord took it."""
        try:
            data = message_data(payload(panel), keeps_files=False)
            await self._discord_api.edit(line, channel, message, data)
        except discord.HTTPException as error:
            if error.code not in {UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS, *NOT_ALLOWED}:
                raise
            log.info("hand_message_shrink_failed", extra={"channel": channel, "error": error.text})
            return False
        return True
