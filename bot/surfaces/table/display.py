"""The tables as Discord shows them: one live message per table, in which one hand follows the other.

The runtime's changes come in under a table's lock, so `TableDisplay.on_update` only notes them. The table's `LiveMessage` sends what is
due: it draws the newest state, skips a redraw that would change nothing, and edits by a click's token, or more rarely by the bot's own.
A click that redraws its own message pays for that redraw, and nothing else has to be done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from msgspec import Struct

from bot.engine.events import HandVoided
from bot.line.api import DiscordApi
from bot.line.budgets import FollowUp
from bot.line.by_token import Token
from bot.line.interaction import InteractionInfo
from bot.line.site import DealerSite
from bot.pictures.maker import PictureMaker
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock, MovingAlarm
from bot.runtime.ended_tables import EndedTable
from bot.runtime.saved_values import SavedValues, ValueStorage
from bot.runtime.snapshot import TableAddress, TableOutline, TableSnapshot, TableUpdate
from bot.runtime.tables import Tables
from bot.signals import (
    CalledInQuiet,
    ChannelChanged,
    EndShown,
    LastMessageShown,
    MessagesDeleted,
    PanelChanged,
    PersonWrote,
    Signals,
    SlowTurnChanged,
    TableAsleep,
    TableAwake,
    TableChannelGone,
    TablePosted,
    TimeBankStarted,
)
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.evenings.sheets import EveningSheets
from bot.surfaces.keeper import Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.avatars import Avatars
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.private_answers import LivePanels
from bot.surfaces.replies import Reply
from bot.surfaces.scenes import EmojiDecks
from bot.surfaces.table.last_messages import LastMessages
from bot.surfaces.table.message import SleepingMessage, TableMessage, kept_asleep, take_up
from bot.surfaces.table.passing import PassingMessages
from bot.surfaces.table.pictures import TablePainter
from bot.surfaces.table.run_out_odds import RunOutOdds
from bot.surfaces.table.saved import SAVED_MESSAGES, SavedMessage
from bot.surfaces.table.turn_calls import PlayerCalls, SleepingCalls, TurnCalls
from bot.table.events import BreakEnded
from bot.text.hand import DEALER_AWAY
from bot.text.language import reading, t

log = logging.getLogger(__name__)

RENEW_MS = 5 * 60_000
"""A table's token that is older is replaced by that of the next press on its message, whatever that asks for."""
AGAIN_MS = 60_000
"""So often a table that sleeps is looked at whose message cannot be put away yet: a click's token can edit it for a quarter of an hour."""

SOON_MS = 1_500
"""What is drawn within this time is about to be drawn."""


class ShownTable:
    """A table with its message, and the calls to its players."""

    def __init__(self, message: TableMessage, calls: TurnCalls) -> None:
        self.message = message
        self.calls = PlayerCalls(calls, self.message)


class _PutAway(Struct, frozen=True):
    """What is kept of a table that sleeps."""

    channel: int
    message: SleepingMessage
    calls: SleepingCalls


class ShownTables:
    """The shown tables by id and by channel: everything that anybody writes or presses anywhere asks what its channel has.

    Args:
        make: makes what is shown of a table.
        tables: whoever asks for a table that sleeps wakes it there.
    """

    def __init__(
        self, make: Callable[[TableSnapshot], ShownTable], tables: Tables, clock: AlarmClock, signals: Signals
    ) -> None:
        self._make, self._running, self._clock = make, tables, clock
        self._by_id: dict[int, ShownTable] = {}
        self._by_channel: dict[int, dict[int, ShownTable]] = {}
        self._put_away: dict[int, _PutAway] = {}
        self._put_away_in: dict[int, int] = {}
        self._drowsy: set[int] = set()
        self._again = MovingAlarm(clock, self._look_again)
        self._bank_alarm = MovingAlarm(clock, self._on_time_bank)
        signals.on(TableAsleep, lambda signal: self._on_asleep(signal.table))
        signals.on(TableAwake, lambda signal: self._on_awake(signal.table))

    def __iter__(self) -> Iterator[ShownTable]:
        """The tables that are awake."""
        return iter(self._by_id.values())

    def get(self, table: int) -> ShownTable | None:
        """Return what is shown of a table. One that sleeps wakes."""
        shown = self._by_id.get(table)
        if shown is None and table in self._put_away:
            self._running.snapshot(table)  # it is awake now: see `_on_awake`
            shown = self._by_id.get(table)
        return shown

    def message_id(self, table: int) -> int:
        """Return the id of a table's live message; 0 while it has none. It wakes no table."""
        kept, shown = self._put_away.get(table), self._by_id.get(table)
        if kept is not None:
            return kept.message.location.message
        return shown.message.message if shown is not None else 0

    def show(self, snapshot: TableSnapshot) -> ShownTable:
        """Show a table from now on."""
        address, shown = snapshot.address, self._make(snapshot)
        self._by_id[address.id] = shown
        self._by_channel.setdefault(address.channel, {})[address.id] = shown
        return shown

    def remove(self, address: TableAddress) -> None:
        """Remove a table, if it is shown."""
        self._drowsy.discard(address.id)
        if self._by_id.pop(address.id, None) is not None:
            tables = self._by_channel[address.channel]
            del tables[address.id]
            if not tables:
                del self._by_channel[address.channel]

    def in_channel(self, channel: int) -> list[ShownTable]:
        """Return the open table of a channel, and those that have closed and still show their end. One that sleeps wakes."""
        if channel in self._put_away_in:
            self.get(self._put_away_in[channel])
        return list(self._by_channel.get(channel, {}).values())

    def stop(self) -> None:
        """Put nothing away any more."""
        self._again.stop()
        self._bank_alarm.stop()

    # asleep

    def _on_asleep(self, table: int) -> None:
        if not self._puts_away(table):
            self._drowsy.add(table)
            if not self._again.at:
                self._again.set(self._clock.now() + AGAIN_MS)

    def _look_again(self) -> None:
        drowsy = tuple(self._drowsy)  # putting one away takes it out of the set
        self._drowsy = {table for table in drowsy if self._running.is_asleep(table) and not self._puts_away(table)}
        if self._drowsy:
            self._again.set(self._clock.now() + AGAIN_MS)

    def _puts_away(self, table: int) -> bool:
        """Put away what is shown of a table, if nothing is under way there. Returns whether there is nothing left to put away."""
        shown = self._by_id.get(table)
        if shown is None:
            return True
        message, calls = kept_asleep(shown.message), shown.calls.kept_asleep()
        if message is None or calls is None:
            return False
        shown.message.stop()
        shown.calls.stop()
        address = shown.message.contents.newest.address
        self.remove(address)
        self._put_away[table] = _PutAway(address.channel, message, calls)
        self._put_away_in[address.channel] = table
        if calls.bank_at and not 0 < self._bank_alarm.at <= calls.bank_at:
            self._bank_alarm.set(calls.bank_at)
        return True

    def _on_awake(self, table: int) -> None:
        """A table is awake, and nothing has changed there yet: what is shown of it is as it was."""
        self._drowsy.discard(table)
        kept = self._put_away.pop(table, None)
        if kept is None:
            return
        del self._put_away_in[kept.channel]
        snapshot = self._running.snapshot(table)
        shown = self.show(snapshot)
        take_up(shown.message, kept.message)
        shown.calls.take_up(kept.calls)

    def _on_time_bank(self) -> None:
        """The time bank of a turn begins: whoever sleeps then wakes, and says so."""
        now = self._clock.now()
        for table in [table for table, kept in self._put_away.items() if 0 < kept.calls.bank_at <= now]:
            self.get(table)
        if due := [kept.calls.bank_at for kept in self._put_away.values() if kept.calls.bank_at]:
            self._bank_alarm.set(min(due))


class TableDisplay(Part):
    """Shows every change, and hands each click the drawing it answers with.

    Attributes:
        keeper, emoji_decks, painter, odds, quiet: what its messages are kept and drawn with.
        answers: how clicks on them are answered.
        last_messages: those of tables that an earlier run has closed.
    """

    follows_play = True

    def __init__(
        self,
        discord_api: DiscordApi,
        direct_messages: DirectMessages,
        emoji_decks: EmojiDecks,
        storage: ValueStorage,
        clock: AlarmClock,
        site: DealerSite,
        tables: Tables,
        bank: Bank,
        quiet: QuietTimes,
        pictures: PictureMaker,
        live_panels: LivePanels,
        odds: RunOutOdds,
        avatars: Avatars,
        sheets: EveningSheets,
        signals: Signals,
    ) -> None:
        self.live_panels, self.odds, self._sheets = live_panels, odds, sheets
        self.keeper, self.emoji_decks, self.finished_hand = (
            Keeper(discord_api, clock),
            emoji_decks,
            tables.finished_hand,
        )
        self._discord_api, self._direct_messages = discord_api, direct_messages
        self._link, self.quiet, self._signals = site.link, quiet, signals
        self.tasks = self.keeper.tasks
        self.painter = TablePainter(pictures, discord_api, emoji_decks, bank.house_rules, self.tasks, odds, avatars)
        self._saved = SavedValues(SAVED_MESSAGES, storage)
        self.last_messages = LastMessages(self, storage)
        self._passing = PassingMessages(self.keeper, storage)
        self._calls = TurnCalls(
            self._passing,
            discord_api.servers,
            direct_messages.members,
            emoji_decks,
            self.tasks,
            site.link,
            lambda table: signals.send(TimeBankStarted(table)),
            lambda table: signals.send(SlowTurnChanged(table)),
        )
        self._tables = ShownTables(
            lambda snapshot: ShownTable(TableMessage(self, snapshot), self._calls), tables, clock, signals
        )
        self.answers = TableAnswers(self, tables)
        self._restarted: dict[int, bool] = {}
        self._open = False
        signals.on(PersonWrote, self._on_person_wrote)
        signals.on(MessagesDeleted, self._on_messages_deleted)
        signals.on(ChannelChanged, self._on_channel_changed)
        signals.on(PanelChanged, self._on_panel_changed)

    # changes of tables

    def on_update(self, change: TableUpdate) -> None:
        """Note a change. This is called under the table's lock, so it awaits nothing."""
        snapshot = change.snapshot
        table = self._tables.get(snapshot.id)
        if table is None:
            table = self._tables.show(snapshot)
            self.answers.note_opened(change.request_key, table.message)
            if self._open:
                table.message.live.work.start()
        table.message.change(change)
        if change.restored:
            voided = any(isinstance(event, HandVoided) for event in change.events)
            self._restarted[snapshot.id] = snapshot.hand_running or voided
            return
        if self._open:
            table.calls.watch()
        if change.closed:
            table.calls.close()
        if BreakEnded in map(type, change.events):
            self.tasks.run(table.calls.announce_end_of_break(self.quiet.are_now), f"break-{snapshot.id}")
        table.message.live.work.wake()

    def add_to_result(self, table: int, hand: int, user: int, words: Callable[[str], str]) -> None:
        """Add a line about a player to the result of a hand, while it is shown. `words` gets their name."""
        message = self.message_of(table)
        if message is None or message.contents.newest.hand_number != hand or not message.contents.newest.hand_over:
            return
        snapshot = message.contents.newest
        name = next((one.name for one in snapshot.players_by_seat.values() if one.user == user), "")
        if name:
            with reading(self._discord_api.servers.language(snapshot.address.guild)):
                message.contents.add(words(name))
            message.wake()

    def _on_panel_changed(self, signal: PanelChanged) -> None:
        """What a player can do stands in their panel while they have one, else on the table."""
        message = self.message_of(signal.table)
        if message is not None and signal.user in message.contents.awaited_users:
            message.wake()

    def redraw(self, table: int) -> None:
        """Redraw a table, if that changes anything."""
        message = self.message_of(table)
        if message is not None:
            message.wake()

    # what happens in the channel

    def _on_person_wrote(self, signal: PersonWrote) -> None:
        """Enough messages bury the table."""
        for table in self.messages_in(signal.channel):
            if 0 < table.message < signal.message:
                table.person_wrote()

    def _on_messages_deleted(self, signal: MessagesDeleted) -> None:
        """A table's live message comes back by itself."""
        for message in self.messages_in(signal.channel):
            if message.message in signal.messages and message.contents.closed is None:
                log.info(
                    "table_message_deleted", extra={"table": message.contents.newest.id, "channel": signal.channel}
                )
                message.lose()

    def _on_channel_changed(self, signal: ChannelChanged) -> None:
        """Show a table that could not be shown while its thread was locked, or while the bot lacked a permission."""
        for table in self.messages_in(signal.channel):
            table.wake(thread_archived=signal.archived)

    # between runs

    async def open(self) -> None:
        """Take up the messages of an earlier run, and start sending. A second call changes nothing."""
        if self._open:
            return
        saved = await self._saved.load()
        self._open = True
        await self._passing.open()
        for table in tuple(self._tables):
            await asyncio.sleep(0)  # after a restart with a thousand hands, each one is drawn in a moment of its own
            await self._open_table(table, saved.pop(table.message.contents.newest.id, None))
        await self.last_messages.open(saved)
        for closed_table in saved:
            await self._saved.forget(closed_table)

    async def _open_table(self, table: ShownTable, saved: SavedMessage | None) -> None:
        address = table.message.contents.newest.address
        for passing in saved.temporary_messages if saved is not None else ():
            self._passing.take_away(address.id, address.guild, saved.channel if saved is not None else 0, passing)
        restarted = self._restarted.pop(address.id, None)
        await table.message.open(saved, is_lost=saved is None and restarted is not None)
        _tell_silent_calls(table.message, self._signals)
        table.calls.watch()
        if restarted and not table.message.called.awaits_people:
            table.calls.announce_restart()

    async def close(self) -> None:
        """Send what is due, say at the tables where something is under way that the dealer is away, then stop."""
        self._tables.stop()
        for table in self._tables:
            snapshot = table.message.contents.newest
            table.calls.stop()
            if (
                self._open
                and not table.message.called.awaits_people
                and (snapshot.hand_running or snapshot.next_hand_at)
            ):
                with reading(self._discord_api.servers.language(snapshot.address.guild)):
                    table.message.stop(t(DEALER_AWAY))
            else:
                table.message.stop()
        self.last_messages.stop()
        self._open = False
        await self.tasks.finish(seconds=5.0)
        for table in self._tables:
            table.message.stop()
        self._passing.close()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being sent, or about to be."""
        while True:
            works = [*[table.message.live.work for table in self._tables], *self.last_messages.works]
            if pending := self.pending:
                await asyncio.wait(pending)
            elif any(work.is_held or work.is_due_within(SOON_MS) for work in works):
                await asyncio.sleep(0.01)
            else:
                return

    # what is shown

    def is_behind(self, table: int, message: int) -> bool:
        """Return whether a message is a table's live message and does not show its newest state, as far as is known."""
        shown = self.message_of(table)
        return shown is not None and message == shown.message != 0 and not shown.live.is_up_to_date

    def is_end_shown(self, snapshot: TableSnapshot) -> bool:
        """Return whether everybody can see how a hand that is over ended; also where no message will show it."""
        message = self.message_of(snapshot.id)
        if message is None or message.contents.closed is not None or not self._open:
            return True
        return message.ends.has_shown(snapshot.hand_number)

    async def until_end_shown(self, snapshot: TableSnapshot) -> None:
        """Wait, not for long, until everybody can see how the hand of a snapshot ended, if it is over."""
        message = self.message_of(snapshot.id)
        if message is not None and snapshot.hand_over and not self.is_end_shown(snapshot):
            await message.ends.wait(snapshot.hand_number)

    def link_to(self, snapshot: TableOutline) -> str:
        """Return the address of a table's live message; of its channel while it has none."""
        message = self._tables.message_id(snapshot.id)
        own = f"/{message}" if message else ""
        return f"{self._link}/{snapshot.address.guild}/{snapshot.address.channel}{own}"

    def message_link(self, snapshot: TableOutline) -> str:
        """Return the address of a table's live message; empty while it has none."""
        return self.link_to(snapshot) if self._tables.message_id(snapshot.id) else ""

    def is_table_message(self, channel: int, message: int) -> bool:
        """Return whether this is the live message of a table in a channel."""
        return message != 0 and any(one.message == message for one in self.messages_in(channel))

    def messages_in(self, channel: int) -> list[TableMessage]:
        """Return the messages of the tables in a channel."""
        return [table.message for table in self._tables.in_channel(channel)]

    def message_of(self, table: int) -> TableMessage | None:
        """Return the live message of a table; None of one that is closed."""
        shown = self._tables.get(table)
        return shown.message if shown is not None else None

    # what a table's message tells

    async def save(self, table: int, saved: SavedMessage) -> None:
        """Save a message."""
        await self._saved.keep(table, saved)

    def over(self, ended: EndedTable, message: int) -> None:
        """A table has closed, and its message is done: the sheet of the game follows, if there is one.

        Args:
            message: its id if it shows the sheet already; else 0.
        """
        table = ended.address.id

        async def hand_over() -> None:
            await self._sheets.take_over(ended, message)
            await self.last_messages.forget(table)  # first: without it, a next start has nothing more to show
            await self._saved.forget(table)

        self._tables.remove(ended.address)
        self.tasks.run(hand_over(), f"closed-{table}")
        if not ended.game.has_sheet:
            self._signals.send(LastMessageShown(table))

    def end_shown(self, table: int) -> None:
        """Everybody can see how the hand of a table ended."""
        self._signals.send(EndShown(table))

    def posted(self, table: TableMessage) -> None:
        """A table has a new message."""
        self._signals.send(TablePosted(table.contents.newest.address.guild, table.contents.newest.id))
        _tell_silent_calls(table, self._signals)
        shown = self._tables.get(table.contents.newest.id)
        if shown is not None:
            shown.calls.renew()

    def lost_channel(self, table: int) -> None:
        """The channel of an open table is gone."""
        self._signals.send(TableChannelGone(table))


def _tell_silent_calls(message: TableMessage, signals: Signals) -> None:
    """Tell whom a message has called without a sound. After a restart that is told again: the run before may have been killed first."""
    for user in () if message.called.is_due() else message.called.silently:
        signals.send(CalledInQuiet(message.contents.newest.id, user))


class TableAnswers:
    """Answers clicks on tables' messages by redrawing them; their next edits go by the clicks' tokens. It also adopts new tables."""

    def __init__(self, tables: TableDisplay, running: Tables) -> None:
        self._tables, self._running, self._keeper = tables, running, tables.keeper
        self._opening: dict[str, TableMessage | None] = {}

    def answering(self, table: int) -> AbstractContextManager[None]:
        """Inside, a click is answered by redrawing the table's live message, so that need not be drawn otherwise."""
        message = self._tables.message_of(table)
        return message.live.answering() if message is not None else nullcontext()

    async def answer(self, reply: Reply, info: InteractionInfo, table: int) -> None:
        """Answer a click by redrawing the table's live message, inside `answering`.

        It waits for no picture, unless an all-in hand is run out: that of a new street follows by the click's token.
        If the message that was clicked is not, or no longer, the live one, a new one shows what has become of the click.
        """
        message, token = self._tables.message_of(table), self._token(info)
        if message is not None and message.message == info.message:
            await message.prepare_answer()
        while message is not None and message.message == info.message and message.contents.closed is None:
            drawing = await message.live.draw_answer()
            if drawing is None:
                break
            arrived = False
            try:
                arrived = await reply.redraw_table(drawing)
            finally:
                message.live.answered(drawing, token, arrived=arrived, refused=reply.refusal)
            if reply.refusal is None:
                return
        await reply.acknowledge()
        self.note_click(info)

    def wants_token(self, info: InteractionInfo) -> bool:
        """Return whether the table's message could use the token of a press on it: the one that it has is old, or over."""
        message, now = self._message_in(info), self._keeper.clock.now()
        if message is None or message.message != info.message:
            return False
        token = message.live.live_token
        if token is not None and now < token.at + RENEW_MS:
            return False
        return self._keeper.discord_api.by_token.budget.possible_at(info.channel, FollowUp.REST, now) <= now

    def note_press(self, info: InteractionInfo) -> None:
        """A press on a table's message was acknowledged without redrawing it: its token can edit the message for a while."""
        if (message := self._message_in(info)) is not None:
            message.live.can_edit(self._token(info))

    def note_click(self, info: InteractionInfo) -> None:
        """A click on a public message has been answered: for a while its token can post in the channel."""
        if (message := self._message_in(info)) is not None:
            message.live.clicks.can_follow(self._token(info))

    def _message_in(self, info: InteractionInfo) -> TableMessage | None:
        """Return the live message of the channel's table. It is asked at every click."""
        found = self._running.table_in_channel(info.guild, info.channel)
        return self._tables.message_of(found.id) if found is not None else None

    def _token(self, info: InteractionInfo) -> Token:
        application, now = self._keeper.discord_api.by_token.application, self._keeper.clock.now()
        return Token(application, info.id, info.token, now, info.channel, info.message)

    # opening a table

    def begin_opening(self, key: str) -> None:
        """The answer to this request will be the first message of the table that it opens."""
        self._opening[key] = None

    def note_opened(self, key: str, message: TableMessage) -> None:
        """A request has opened a table: its message waits, if the answer becomes that."""
        if key in self._opening:
            self._opening[key] = message
            message.live.work.hold()

    def end_opening(self, key: str, message: int, token: Token | None) -> None:
        """The request to open a table has been answered.

        Args:
            message: the answer, now the table's message; 0 if it did not reach Discord.
            token: what can edit it.
        """
        opened = self._opening.pop(key, None)
        if opened is not None:
            self._keeper.tasks.run(self._adopt(opened, message, token), "opened")

    async def _adopt(self, opened: TableMessage, message: int, token: Token | None) -> None:
        try:
            if message:
                location = Location(opened.contents.newest.address.channel, message, self._keeper.clock.now())
                await opened.live.adopt(location, token)
        finally:
            opened.live.work.release()
            opened.wake()
