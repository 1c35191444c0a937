"""One table's live message: what it shows now, what is saved of it, and what becomes of the message it leaves."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec
from msgspec import Struct

from bot.background_tasks import BackgroundTasks
from bot.line.budgets import FollowUp
from bot.line.by_token import TOKEN_MS, Token
from bot.line.failures import ChannelGone, DiscordFailed, EditsLimited, Gone, NotAllowed, ThreadArchived, TryLater
from bot.line.payloads import message_data
from bot.line.request_queue import Priority, RequestLine, line_of
from bot.render.hand.result import HandLine
from bot.runtime.ended_tables import EndedTable
from bot.runtime.snapshot import HandLog, TableSnapshot, TableUpdate
from bot.surfaces.keeper import NOWHERE, Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.private_answers import LivePanels
from bot.surfaces.scenes import EmojiDecks
from bot.surfaces.table import contents as table_contents
from bot.surfaces.table.called_players import CalledPlayers, with_calls
from bot.surfaces.table.contents import TableContents
from bot.surfaces.table.pace import CLICK_MS, Drawn, Moment, TablePace, TablePosition, drawn
from bot.surfaces.table.pictures import LivePicture, PictureShown, TablePainter
from bot.surfaces.table.run_out_odds import RunOutOdds
from bot.surfaces.table.saved import NO_HAND, SavedMessage


class MessageRecord:
    """What is saved of one table's message: where it is, and the hands of the messages that it leaves.

    Args:
        save: saves it.

    Attributes:
        location: where the message is, or is about to be.
        hand: the hand that it shows; -1 for none yet.
    """

    def __init__(
        self,
        contents: TableContents,
        called: CalledPlayers,
        picture: LivePicture,
        save: Callable[[SavedMessage], Awaitable[None]],
        tasks: BackgroundTasks,
    ) -> None:
        self._contents, self._called, self._picture, self._keep, self._tasks = contents, called, picture, save, tasks
        self.location, self.hand = NOWHERE, -1
        self._left: dict[int, tuple[HandLine, ...]] = {}
        self._is_over = False

    def restore(self, saved: SavedMessage) -> None:
        """Take up what an earlier run has saved."""
        self.location, self.hand = saved.location, saved.hand
        self._called.restore(saved.called, saved.silently)
        self._left = dict(zip(saved.outdated, saved.left, strict=False))
        self._picture.restore(saved.picture)

    def note_new(self, location: Location) -> None:
        """The table has a new message. The one that it leaves keeps its hands."""
        self._called.posted()
        before = self.location.message
        if before in location.outdated or self._contents.closed is not None:
            self._left[before] = self._contents.leave_hands()
        self._left = {message: self._left.get(message, ()) for message in location.outdated}
        self._picture.forget()
        self.location = location

    def show(self, hand: int) -> bool:
        """The message shows a hand. Returns whether it is another one than before."""
        before, self.hand = self.hand, hand
        return before != hand

    def hands_of(self, message: int) -> tuple[HandLine, ...]:
        """Return the hands of a message that the table has left."""
        return self._left.get(message, ())

    def end(self) -> None:
        """The table has closed, and nothing is left to do: nothing is saved of its message any more."""
        self._is_over = True

    async def save(self, location: Location) -> None:
        """Save it. The message is there, or about to be."""
        self.location = location
        await self._save()

    def save_later(self) -> None:
        """Save it soon: it has another picture, or shows another hand."""
        self._tasks.run(self._save(), "remember")

    async def _save(self) -> None:
        if not self._is_over:
            await self._keep(self.saved())

    def saved(self) -> SavedMessage:
        """Return what is saved of it."""
        location, contents = self.location, self._contents
        return SavedMessage(
            location.channel,
            location.message,
            max(self.hand, NO_HAND),
            location.sent_at,
            introduced=tuple(contents.introduced),
            introducing=contents.introducing,
            picture=self._picture.has,
            nonce=location.nonce,
            outdated=location.outdated,
            hands=contents.hands,
            last_hand=contents.last_hand,
            left=tuple([self.hands_of(message) for message in location.outdated]),
            called=self._called.decision,
            silently=self._called.silently,
        )


log = logging.getLogger(__name__)

END_WAIT_SECONDS = 3.0
"""How long what tells the end of a hand waits for the table's message to tell it first."""


FinishedHand = Callable[[int, int], Awaitable[HandLog | None]]


class TableOwner(Protocol):
    """What a table's message needs, and whom it tells what happens (`bot.surfaces.table.display.TableDisplay`)."""

    keeper: Keeper
    emoji_decks: EmojiDecks
    painter: TablePainter
    live_panels: LivePanels
    odds: RunOutOdds
    quiet: QuietTimes

    async def save(self, table: int, saved: SavedMessage) -> None:
        """Save a message."""

    def over(self, ended: EndedTable, message: int) -> None:
        """A table has closed, and its message is done. `message`: its id if it shows the sheet of the game; else 0."""

    @property
    def finished_hand(self) -> FinishedHand:
        """Returns a hand of a table from the journal, by its number; None if that does not have it."""

    def end_shown(self, table: int) -> None:
        """Everybody can see how the hand of a table ended."""

    def posted(self, table: TableMessage) -> None:
        """A table has a new message."""

    def lost_channel(self, table: int) -> None:
        """The channel of an open table is gone."""


class _Mark(Struct, frozen=True):
    """What a drawing shows: of the play, the last hand whose end can be seen, the moment of its picture, that the table has closed; whom
    it calls without a sound."""

    drawn: Drawn
    end: int
    moment: bytes
    is_closed: bool
    silently: tuple[int, ...]


class SleepingMessage(Struct, frozen=True):
    """What is kept in memory of the message of a table that sleeps.

    Attributes:
        saved: what is saved of it between runs, encoded.
        shown: what Discord shows of it (`Drawing.seen`).
        says: see `bot.surfaces.table.contents.kept_asleep`.
        written_below: how many messages people have written below it.
        hand_in_text: the hand that goes on without pictures.
    """

    saved: bytes
    shown: bytes
    says: tuple[str, bool, bool]
    written_below: int
    hand_in_text: int

    @property
    def location(self) -> Location:
        """Where the message is."""
        return _SAVED.decode(self.saved).location


_SAVED = msgspec.msgpack.Decoder(SavedMessage)


class ShownEnds:
    """The hands of a table whose end everybody can see.

    Args:
        tell: called when that is one more.
    """

    def __init__(self, last: int, tell: Callable[[], None]) -> None:
        self._last, self._tell = last, tell
        self._awaited: list[asyncio.Future[None]] = []

    def show(self, hand: int) -> None:
        """Everybody can see how this hand ended."""
        if hand > self._last:
            self._last = hand
            awaited, self._awaited = self._awaited, []
            for each in awaited:
                if not each.done():
                    each.set_result(None)
            self._tell()

    def has_shown(self, hand: int) -> bool:
        return self._last >= hand

    @property
    def are_awaited(self) -> bool:
        """Whether anybody waits for one."""
        return bool(self._awaited)

    async def wait(self, hand: int) -> None:
        """Wait for that, not for long."""
        if not self.has_shown(hand):
            shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._awaited.append(shown)
            await asyncio.wait({shown}, timeout=END_WAIT_SECONDS)


class TableMessage(Surface):
    """The live message of one table.

    Attributes:
        live: keeps it.
        contents: what it says.
        called: whom it has called to act.
        ends: which ends of hands it has shown.
    """

    new_message = Priority.TABLE
    follow_up = FollowUp.TABLE
    retry_ms = 3_000

    def __init__(self, owner: TableOwner, snapshot: TableSnapshot) -> None:
        self._owner, self._api = owner, owner.keeper.discord_api
        clock, table = owner.keeper.clock, snapshot.id
        self.mark = f"t:{table}:"
        self.contents = TableContents(
            snapshot,
            owner.emoji_decks,
            self._api.servers,
            clock,
            owner.live_panels,
            owner.odds,
            introduced=lambda: self._record.save_later(),  # noqa: PLW0108  it comes after
            rests=self.wake,
        )
        self.ends = ShownEnds(self.contents.shown_end, lambda: owner.end_shown(table))
        self._picture = LivePicture(owner.painter, self.wake)
        self.called = CalledPlayers(self.contents, owner.quiet)
        self._record = MessageRecord(
            self.contents, self.called, self._picture, lambda saved: owner.save(table, saved), owner.keeper.tasks
        )
        self.live = LiveMessage(owner.keeper, self)
        self._position = TablePosition(clock, self.live.work.wake)
        self._pace = TablePace(clock, self._api.slots.queue, self.live.settle)
        self._is_posting = self._is_closed_shown = self._is_finished = False

    @property
    def message(self) -> int:
        """The id of the message; 0 while there is none."""
        return self.live.location.message

    @property
    def line(self) -> RequestLine:
        return line_of(self.contents.newest)

    # what happens

    def change(self, change: TableUpdate) -> None:
        """The table has changed. Whoever calls this wakes the message."""
        channel = self.contents.newest.address.channel
        self.contents.change(change)
        if channel != self.contents.newest.address.channel:
            self.lose()
        elif self.message:
            self._position.look(self._moment())
        if self.contents.lacks_buttons:
            self._pace.hurry()

    def person_wrote(self) -> None:
        """Somebody has written below the message. Chat alone moves no idle table."""
        self._position.person_wrote()
        if self.contents.newest.hand_running and self._position.look(self._moment()):
            self.live.work.wake()

    def wake(self, *, thread_archived: bool = False) -> None:
        """Something else than play has changed, or may have: show it soon. A new message opens a thread that is archived in mid-hand."""
        if thread_archived and self.contents.newest.hand_running:
            self._position.must_move()
        self._pace.hurry()
        self.live.work.wake()

    def lose(self) -> None:
        """The message is gone, or the table has another channel: there will be a new one."""
        self._record.show(-1)
        self._picture.forget()
        self.live.lose()

    def stop(self, note: str = "") -> None:
        """Show nothing more in this run; after this small print, if there is any."""
        for each in (self._pace, self._position, self.contents):
            each.stop()
        if note:
            self.contents.say(note)
            self.live.work.wake()
        else:
            self.live.work.stop()

    # between runs

    async def open(self, saved: SavedMessage | None, *, is_lost: bool) -> None:
        """Take up the message of an earlier run, and begin to show the table.

        Args:
            is_lost: there was one, and nobody knows which: it is looked for before another one is sent.
        """
        newest = self.contents.newest
        if is_lost:
            self.live.take_up(Location(newest.address.channel, nonce=secrets.token_hex(12)))
        if saved is not None:
            self.contents.restore(saved)
            if saved.channel == newest.address.channel:
                self._record.restore(saved)
                self.live.take_up(saved.location)
            ended = saved.hand < newest.hand_number or not newest.has_hand
            if saved.hand and ended and (log := await self._owner.finished_hand(newest.id, saved.hand)):
                self.contents.restore_hand(log)
        self.live.work.start()
        self.wake()

    async def save(self, location: Location, token: Token | None) -> None:
        if location.message and location.message != self._record.location.message:
            self._note_new(location)
        if location.is_settled and self._is_closed_shown:
            self._finish()
        await self._record.save(location)

    # what it shows

    async def find_channel(self) -> int:
        return self.contents.newest.address.channel

    async def prepare(self, location: Location) -> None:
        if not self._api.servers.hears_messages:
            await self._position.look_below(self._api, self.line, location, self._moment())
        if self.contents.newest.settings.is_slow:
            await self.called.prepare()
        if self.contents.shows_hand:
            newest = self.contents.newest
            await self._picture.prepare(newest, is_new=self.is_new_due(location))
            await self._owner.odds.wait(newest)  # asked for before the picture was begun, they are there before it

    async def prepare_answer(self) -> None:
        """In an all-in run-out a click's answer waits for its picture and odds too."""
        if self._picture.is_run_out(self.contents.newest):
            await self.prepare(self.live.location)

    def draw(self, location: Location) -> Drawing | None:
        contents, shown = self.contents, PictureShown.NONE
        if self.contents.shows_hand:
            shown = self._picture.show(self.contents.newest, is_new=not location.message)
        is_left = _leaves_hands(self.contents) and location.message != 0
        is_answer = self.live.work.is_held  # of a click, whose token can edit the message then
        by_street = location.message != 0 and self.live.live_token is None and not is_answer
        components = (
            contents.draw_left(contents.hands)
            if is_left
            else contents.draw(picture=shown is not PictureShown.NONE, by_street=by_street)
        )
        silently: tuple[int, ...] = ()
        file, moment = self._picture.new_file(components) if shown is PictureShown.NEW else (None, b"")
        data = message_data(components, file, keeps_files=shown is PictureShown.KEPT)
        if not location.message and contents.newest.settings.is_slow:
            called, silently = self.called.due_users()
            data = with_calls(data, called, silently)
        play = drawn(self.contents.newest, contents.hand_to_show)
        mark = _Mark(play, contents.shown_end, moment, contents.closed is not None, silently)
        return Drawing(data, file, shown is not PictureShown.NONE, mark)

    # when

    def is_new_due(self, location: Location) -> bool:
        contents = self.contents
        if contents.closed is not None:  # the message with the hands stays; a sheet comes by itself
            return not self._is_finished and (
                not location.message or (bool(contents.hands) and not _leaves_hands(self.contents))
            )
        return not location.message or self._position.is_move_due(location, self._moment())

    def _moment(self) -> Moment:
        is_deal = self.contents.newest.hand_running and self.contents.newest.hand_number != self._record.hand
        gains_token = is_deal and self.live.live_token is None and self.live.clicks.is_fresh(CLICK_MS)
        is_between_hands, is_slow = is_deal or self.contents.is_idle, self.contents.newest.settings.is_slow
        return Moment(is_between_hands, gains_token, is_slow, is_slow and self.called.is_due())

    def new_possible_at(self, now: int) -> int:
        return now if self.message else self._position.possible_at(now)

    def possible_at(self, now: int, *, by_token: bool) -> int:
        contents = self.contents
        acts_in_panel = not by_token and contents.acts_in_panel
        return self._pace.possible_at(
            now, contents.newest, contents.hand_to_show, by_token=by_token, acts_in_panel=acts_in_panel
        )

    # what becomes of it

    async def goes(self, drawing: Drawing, location: Location) -> None:
        mark, is_new = drawing.mark, not location.message
        assert isinstance(mark, _Mark)
        self._is_posting = is_new
        if is_new:
            self.called.posting(mark.drawn.decision, mark.silently)
        self._pace.goes(mark.drawn, is_new=is_new, by_token=self.live.live_token is not None)
        is_next = not is_new and self._record.show(mark.drawn.hand)
        if self._picture.goes(drawing, is_new=is_new) or is_next:
            self._record.save_later()

    def arrived(self, drawing: Drawing, location: Location) -> None:
        mark = drawing.mark
        assert isinstance(mark, _Mark)
        self._is_closed_shown = mark.is_closed
        if location.message != self._record.location.message:
            self._record.show(mark.drawn.hand)
            self._note_new(location)
        if self._picture.arrived(drawing, mark.moment):
            self._record.save_later()
        self.ends.show(mark.end)
        if mark.is_closed and location.is_settled:
            self._finish()

    def missed(self, drawing: Drawing, error: DiscordFailed | None) -> None:
        self._picture.missed(drawing, error, self.contents.newest)
        self._pace.hurry()

    async def take_away(self, location: Location, message: int) -> None:
        """Shrink a message to its hands; one that has none is deleted."""
        if hands := self._record.hands_of(message):
            data = message_data(self.contents.draw_left(hands), keeps_files=False)
            try:
                await self._api.edit(self.line, location.channel, message, data)
            except EditsLimited:
                log.info("hands_not_left", extra={"table": self.contents.newest.id})
            else:
                return
        await self._api.delete(self.line, location.channel, message)

    async def failed(self, error: DiscordFailed) -> bool:
        fields = {
            "table": self.contents.newest.id,
            "channel": self.contents.newest.address.channel,
            "error": repr(error),
        }
        is_gone = isinstance(error, Gone | EditsLimited) and not isinstance(error, ChannelGone)
        match error:
            case TryLater():
                return False
            case _ if self.contents.closed is not None and not is_gone:
                self._finish()
            case ChannelGone():
                log.warning("table_channel_missing", extra=fields)
                self._owner.lost_channel(self.contents.newest.id)
            case ThreadArchived() if self.message:  # a new message opens the thread again, unless it is locked
                if self._position.must_move():
                    self.live.work.mark_due()
            case NotAllowed() if self._is_posting and self.message:  # the old one can still be edited and clicked
                log.warning("table_channel_forbidden", extra=fields)
                self._position.cannot_move()
                self.live.work.mark_due()
            case _:
                return False
        return True

    def _note_new(self, location: Location) -> None:
        self._position.moved(was_there=self._record.location.message != 0)
        self._record.note_new(location)
        self._owner.posted(self)

    def _finish(self) -> None:
        """The table has closed, and that is shown, or cannot be."""
        if not self._is_finished:
            self._is_finished = True
            self.stop()
            self._record.end()
            closed, shows_sheet = self.contents.closed, self._is_closed_shown and not _leaves_hands(self.contents)
            assert closed is not None, "an open table is not finished"
            self._owner.over(EndedTable(self.contents.newest.address, closed), self.message if shows_sheet else 0)


def _leaves_hands(contents: TableContents) -> bool:
    """Return whether a table has closed with a sheet, for which its message makes room: the hands in it stay."""
    return contents.closed is not None and contents.closed.has_sheet and bool(contents.hands)


def kept_asleep(message: TableMessage) -> SleepingMessage | None:
    """Return what is to be kept of a message while its table sleeps; None while something is under way, or a click's token can edit it."""
    live, parts = message.live, (message._position, message._pace, message._picture, message.live.work)
    says, has_token = table_contents.kept_asleep(message.contents), live.live_token is not None
    is_quiet = live.location.is_settled and not message.ends.are_awaited and all(one.is_quiet for one in parts)
    if says is None or has_token or live.clicks.is_fresh(TOKEN_MS) or not is_quiet:
        return None
    saved = msgspec.msgpack.encode(message._record.saved())
    return SleepingMessage(saved, live.shown, says, message._position.written_below, message._picture.hand_in_text)


def take_up(message: TableMessage, kept: SleepingMessage) -> None:
    """Let a message go on as it was when its table fell asleep."""
    saved = _SAVED.decode(kept.saved)
    message.contents.restore(saved)
    table_contents.take_up(message.contents, kept.says)
    message._record.restore(saved)
    message._position.written_below, message._picture.hand_in_text = kept.written_below, kept.hand_in_text
    message.live.take_up(saved.location, kept.shown)
    message.live.work.start()
