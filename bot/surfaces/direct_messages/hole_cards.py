"""Hole cards by direct message (DM): one silent message for each player and table, awaited by nobody.

It carries the cards at each deal and when its player gets further private cards, never for the board; after 50 minutes there is a new one.
Who plays from their panel reads in it where their cards are, with a button that shows them there. Where *My hand* comes first
(`CardsCome.IN_MY_HAND`) it says so once to whoever has not opened their panel, and carries the cards of those who ask. Cards of an earlier
hand do not stay: when a hand is dealt without its player it says so, and when the table closes. A player whose DMs are closed is told so
once, privately, and gets none until they turn them on again. Whatever else goes wrong says nothing about the player: their panel *My hand*
opens by itself instead, and the DM comes when it can.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.by_token import TOKEN_MS
from bot.line.dm_channels import DmChannels, is_dm_closed
from bot.line.failures import ChannelGone, ChannelsLimited, DiscordFailed, EditsLimited, Gone
from bot.line.interaction import InteractionInfo
from bot.line.payloads import COMPONENTS_V2, SUPPRESS_NOTIFICATIONS, AttachedFile, message_data
from bot.line.request_queue import Priority, RequestLine, line_of
from bot.line.site import DealerSite
from bot.render.hand import private_panels
from bot.render.message.panel import Panel, payload
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import AT_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableSnapshot, TableUpdate
from bot.runtime.store_errors import StoreError
from bot.runtime.tables import Tables
from bot.signals import CardsDelayed, Signals, TableAsleep, TableAwake
from bot.surfaces.direct_messages.cards_message import CardsMessage, SavedSessionMessage, SleepingCards, is_old
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.members import Members
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.post_once import PostOnce
from bot.surfaces.private_answers import LivePanels, PrivateAnswers
from bot.surfaces.replies import Reply
from bot.surfaces.scenes import EmojiDecks
from bot.text.language import reading

log = logging.getLogger(__name__)

_ASLEEP = msgspec.msgpack.Decoder(list[SleepingCards])
_SESSION_MESSAGES = SavedKind[tuple[int, int], SavedSessionMessage]("cards_dm.", AT_A_TABLE, SavedSessionMessage)


class _CardsMessages:
    """The messages by table: an action asks for those of its own table, however many others there are. Those of tables that sleep are put
    away.

    Args:
        make: makes the message of a player at a table.
    """

    def __init__(self, make: Callable[[int, int], CardsMessage], signals: Signals) -> None:
        self._make = make
        self._by_table: dict[int, dict[int, CardsMessage]] = {}
        self._asleep: dict[int, bytes] = {}
        signals.on(TableAsleep, lambda signal: self._put_away(signal.table))
        signals.on(TableAwake, lambda signal: self._take_up(signal.table))

    def _put_away(self, table: int) -> None:
        messages = self._by_table.get(table, {}).values()
        kept = [one for message in messages if (one := message.kept_asleep()) is not None]
        if kept and len(kept) == len(messages):
            self._asleep[table] = msgspec.msgpack.encode(kept)
            del self._by_table[table]

    def _take_up(self, table: int) -> None:
        kept = self._asleep.pop(table, None)
        for one in _ASLEEP.decode(kept) if kept is not None else ():
            message = self._make(table, one.user)
            message.take_up(one)
            self.add(message)

    def __iter__(self) -> Iterator[CardsMessage]:
        """Those of the tables that are awake."""
        return (message for of_table in self._by_table.values() for message in of_table.values())

    def get(self, table: int, user: int) -> CardsMessage | None:
        self._take_up(table)
        return self._by_table.get(table, {}).get(user)

    def at_table(self, table: int) -> tuple[CardsMessage, ...]:
        self._take_up(table)
        return tuple(self._by_table.get(table, {}).values())

    def add(self, message: CardsMessage) -> None:
        self._by_table.setdefault(message.table, {})[message.user] = message

    def remove(self, table: int, user: int) -> CardsMessage | None:
        """Remove a message. Returns it; None if there was none."""
        self._take_up(table)
        of_table = self._by_table.get(table, {})
        message = of_table.pop(user, None)
        if message is not None and not of_table:
            del self._by_table[table]
        return message


class DirectMessages(Part):
    """Sends hole cards.

    Attributes:
        members: finds out whom Discord refuses a message to because they have left the server.
        is_open: messages can be sent.
    """

    follows_play = True

    def __init__(
        self,
        discord_api: DiscordApi,
        answers: PrivateAnswers,
        emoji_decks: EmojiDecks,
        preferences: Preferences,
        live_panels: LivePanels,
        channels: DmChannels,
        members: Members,
        tables: Tables,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
        signals: Signals,
    ) -> None:
        self._saved = SavedValues(_SESSION_MESSAGES, storage)
        self.keeper = Keeper(discord_api, clock)
        self.preferences, self.emoji_decks, self.channels, self.link = preferences, emoji_decks, channels, site.link
        self._discord_api, self._answers, self._tables = discord_api, answers, tables
        self.live_panels = live_panels
        self.members = members
        self._messages = _CardsMessages(lambda table, user: CardsMessage(self, table, user), signals)
        self._hands: dict[int, int] = {}
        self.is_open = False
        self._unnotified: set[int] = set()
        self._waiting: set[tuple[int, int]] = set()
        self._signals = signals
        self.tasks = self.keeper.tasks

    async def load(self) -> None:
        """Read where the messages of an earlier run are: a restart sends nobody a second one."""
        await self.channels.load()
        for key, saved in (await self._saved.load()).items():
            self._messages.add(CardsMessage(self, *key, saved))

    async def open(self) -> None:
        """Begin to send. The tables are restored: the messages of those that have closed meanwhile say so."""
        self.is_open = True
        for message in tuple(self._messages):
            if self.snapshot(message.table) is None:
                message.live.work.wake()
            message.live.work.start()

    # what happens

    def on_update(self, change: TableUpdate) -> None:
        """Note a change. This is called under the table's lock, so it awaits nothing."""
        snapshot, table = change.snapshot, change.snapshot.id
        is_deal = self._hands.get(table) != snapshot.hand_number and snapshot.hand_running
        self._hands[table] = snapshot.hand_number
        if change.closed:
            del self._hands[table]
        if is_deal or change.closed or change.restored:
            for message in self._messages.at_table(table):
                is_dealt = message.user in snapshot.dealt_users and self.preferences.wants_dms(message.user)
                if change.closed or change.restored or not is_dealt:
                    message.live.work.wake()
        users = snapshot.dealt_users if change.restored and snapshot.hand_running else change.users_with_new_cards
        self.send_hole_cards(snapshot, users)

    def send_hole_cards(self, snapshot: TableSnapshot, users: tuple[int, ...]) -> None:
        """Send each of these players their own cards."""
        for user in users:
            if user > 0 and self.preferences.wants_dms(user):
                self._message(snapshot.id, user).deal(snapshot.hand_number)

    def note_panel_press(self, table: int, user: int) -> None:
        """A player has pressed a button of their panel, which can be edited for a while now."""
        message = self._messages.get(table, user)
        if message is not None:
            message.play_in_panel(self.keeper.clock.now() + TOKEN_MS)

    def panel_gone(self, table: int, user: int) -> None:
        """A player's panel can no longer be edited: their cards come by DM again."""
        message = self._messages.get(table, user)
        if message is not None:
            message.play_in_panel(0)

    async def show_cards(self, reply: Reply, info: InteractionInfo, table: int) -> None:
        """Answer the button that shows the cards in their DM. Where *My hand* comes first, they come there from now on."""
        if not self.preferences.gets_cards_by_dm(info.user):
            await self.preferences.set_dms(info.user, wanted=True)
        await self._message(table, info.user).answer(reply, info)

    # other messages to players

    def open_channel(self, snapshot: TableSnapshot, user: int) -> None:
        """Open the channel of a player who has just clicked, so that it is there when they are dealt in. Nobody waits for it."""
        if self.preferences.wants_dms(user):
            self.channels.open_ahead(user, line_of(snapshot))

    def come_soon(self, user: int) -> bool:
        """Return whether a player's cards can come by DM now, if they want that."""
        return self.channels.is_open_soon(user)

    async def send_notice(self, snapshot: TableSnapshot, user: int, panel: Panel) -> bool:
        """Send a player a message that notifies them, once. Returns whether they have it: not if they want no DMs or it was refused."""
        if not self.preferences.wants_dms(user):
            return False

        async def save(location: Location) -> None:
            """Another run does not send it again, whatever became of it."""

        line, drawings = line_of(snapshot), [Drawing(message_data(payload(panel)))]
        try:
            at = Location(await self.channels.channel(user, line))
            await PostOnce(self.keeper, line, at, drawings, save, priority=Priority.PRIVATE).send()
        except DiscordFailed as error:
            log.info("dm_notice_failed", extra={"table": snapshot.id, "user": user, "error": repr(error)})
            await self.on_refused(snapshot, user, error)
            return False
        return True

    def take_session(self, table: int, user: int) -> SavedSessionMessage | None:
        """Let the message of a player's cards become something else; None if there is none that can still be edited."""
        message = self._messages.remove(table, user)
        if message is None:
            return None
        message.live.work.stop()
        self.tasks.run(self._saved.forget((table, user)), "forget-dm")
        saved = SavedSessionMessage.of(message.live.location)
        return saved if saved.message and not is_old(saved.sent_at, self.keeper.clock.now()) else None

    async def end_session(
        self,
        table: int,
        line: RequestLine,
        user: int,
        panel: Panel,
        file: AttachedFile | None,
        instead: SavedSessionMessage | None,
        save: Callable[[Location], Awaitable[None]],
        nonce: str = "",
    ) -> bool:
        """Send a player what their session came to, silently, instead of the message of their cards. Returns whether it was sent.

        Args:
            file: the picture in the panel.
            instead: the message of their cards, where `take_session` has given it.
            save: saves that a message is about to be sent (`bot.surfaces.post_once`).
            nonce: of one that was about to be sent when a dealer was killed; empty for none.
        """
        if not self.preferences.wants_dms(user):
            return False
        instead = (instead or self.take_session(table, user)) if not nonce else None
        data = message_data(payload(panel), file, keeps_files=False)
        try:
            if instead is not None:
                try:
                    await self._discord_api.edit(line, instead.channel, instead.message, data, Priority.PRIVATE, file)
                except ChannelGone:
                    raise
                except (Gone, EditsLimited):
                    pass
                else:
                    return True
            channel = await self.channels.channel(user, line)
            silent = data | {"flags": COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS}
            at, drawings = Location(channel, nonce=nonce), [Drawing(silent, file)]
            await PostOnce(self.keeper, line, at, drawings, save, priority=Priority.PRIVATE).send()
        except ChannelsLimited as error:
            if error.code:
                self.channels.note_limit(error)
            return False
        except (DiscordFailed, StoreError) as error:
            log.info("dm_session_failed", extra={"table": table, "user": user, "error": repr(error)})
            return False
        return True

    # players whose DMs are closed

    async def on_refused(self, snapshot: TableSnapshot, user: int, error: DiscordFailed) -> bool:
        """Discord has refused a DM. Returns whether that is the player's: then they get no more, and are told so, at once if possible.

        Discord refuses a member who has left the server the same way; they leave its tables.
        """
        if isinstance(error, ChannelsLimited) and error.code:  # in a quarantine only who has had a DM can be sent one
            self.channels.note_limit(error)
        if isinstance(error, ChannelsLimited | ChannelGone) or is_dm_closed(error):
            self.channels.forget(user)
        if isinstance(error, ChannelsLimited) or not is_dm_closed(error):
            return False
        if await self.members.leave_if_gone(snapshot.address.guild, user):
            return True
        await self.preferences.dms_refused(user)
        with reading(self.preferences.language(user)):
            panel = private_panels.dm_refused_panel()
        if not await self._answers.show(user, panel):
            self._unnotified.add(user)
        return True

    def take_dm_closed_notice(self, user: int) -> bool:
        """Return whether a player still has to be told that their DMs are closed. The answer is True only once."""
        if user in self._unnotified:
            self._unnotified.discard(user)
            return True
        return False

    async def forget(self, guild: int, user: int) -> None:
        self.channels.forget(user)

    def reset_user(self, user: int) -> None:
        """Forget a player's DM channel: they have turned DMs on again, and it can be out of date."""
        self.channels.forget(user)
        self._unnotified.discard(user)

    # what a message asks for

    def snapshot(self, table: int) -> TableSnapshot | None:
        """Return a table as it stands; None once it is closed."""
        try:
            return self._tables.snapshot(table)
        except TableError:
            return None

    async def save(self, key: tuple[int, int], saved: SavedSessionMessage) -> None:
        """Save where a message is."""
        if self._messages.get(*key) is not None:
            await (self._saved.keep(key, saved) if saved.is_kept else self._saved.forget(key))

    def say_goodbye(self, key: tuple[int, int]) -> None:
        """The table of a message has closed, and it says so."""
        if self._messages.remove(*key) is not None:
            self.tasks.run(self._saved.forget(key), "forget-dm")

    def send_later(self, snapshot: TableSnapshot, user: int, *, is_limited: bool) -> None:
        """A DM cannot be sent: show the player their panel instead. Where Discord limits that, it is sent as soon as it can be."""
        if user in snapshot.dealt_users and snapshot.hand_running:
            self._signals.send(CardsDelayed(snapshot.id, user))
        if is_limited:
            self._waiting.add((snapshot.id, user))
            self.channels.call_when_possible(self._send_waiting)

    def _send_waiting(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for key in sorted(waiting):
            if (message := self._messages.get(*key)) is not None:
                message.live.work.wake()

    def _message(self, table: int, user: int) -> CardsMessage:
        message = self._messages.get(table, user)
        if message is None:
            message = CardsMessage(self, table, user)
            self._messages.add(message)
        return message

    @property
    def pending(self) -> set[asyncio.Task[Any]]:
        """Messages that are being sent, and channels that are being opened."""
        return self.tasks.pending | self.channels.tasks.pending

    async def close(self) -> None:
        """Wait a little for messages that are being sent."""
        for message in self._messages:
            message.live.work.stop()
        self.channels.close()
        await self.tasks.finish(3.0)
