"""The tables as Discord shows them: one live message for each, a new one for each hand, the old one shrunk to its result.

The runtime's changes come in under a table's lock, so taking one only notes it. What is due is sent by one worker for each table:
redraws are coalesced, the newest state wins, what would change nothing is dropped, and the bot's token is spent at most once in 1.1 s
for each table. A click that redraws its own message pays for the redraw, and the worker has nothing to do.

Source: design §5; ui §3, §5; discord.md §2, §3.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import aiohttp
import discord
import msgspec

from bot.engine.events import HandVoided
from bot.render import ceremonies, escape, lobby, notices
from bot.render.panel import Panel, Raw, payload
from bot.render.table import awaited
from bot.render.table import nudge as nudge_text
from bot.runtime.clock import Alarm, Clock
from bot.runtime.now import TableNow
from bot.runtime.outcome import Change
from bot.table.events import CloseReason, TableClosed
from bot.table.settings import Nudge
from cogs.ui.letters import Letters
from cogs.ui.scenes import Deck, hand_panel, lobby_panel, scene_of, shrunk_panel
from cogs.ui.wire import (
    NOT_ALLOWED,
    OLD_EDITS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    Wire,
    layout,
)

log = logging.getLogger(__name__)

EDIT_SECONDS = 1.1
"""Between two edits of a table by the bot's token."""
OLD_MS = 50 * 60 * 1000
"""A message this old is left for a new one: edits of messages older than an hour are throttled (30046)."""
NUDGE_SECONDS = 8
AGAIN_SECONDS = 10.0
"""After Discord has failed, the table is drawn again so much later."""

_KEY = "stage."
LOBBY = 0
"""The hand that a message shows between hands."""


class Memory(Protocol):
    """Where the ids of messages are kept between runs. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class Kept(msgspec.Struct, frozen=True):
    """A table's live message, as it is remembered between runs: its hand (0: the open table), when it was sent, and what goes with it."""

    channel: int
    message: int
    hand: int
    sent_at: int
    passing: tuple[int, ...] = ()


class Stage:
    """One table's place in Discord.

    Attributes:
        now: the newest state; shown: the one last drawn; last: the newest one of the hand that the message shows.
        message, hand, sent_at: the live message, the hand it shows, when it was sent (ms).
        note: what is said in small print until something else happens.
        drawn: its components as last sent; None when unknown.
        resting: nothing happens by itself any more: the result has been seen, the open table is shown again.
        passing: messages that go with the hand: word of a restart.
        answers: clicks that are redrawing the message at this moment.
    """

    __slots__ = (
        "answers", "called", "changes", "closed", "dirty", "drawn", "edited", "hand", "last", "message", "note",
        "now", "nudge", "overlapped", "passing", "quiet", "restarted", "resting", "sent_at", "shown", "timer", "worker",
    )  # fmt: skip

    def __init__(self, now: TableNow) -> None:
        self.now = now
        self.last: TableNow | None = None
        self.shown: TableNow | None = None
        self.message = 0
        self.hand = -1
        self.sent_at = 0
        self.drawn: list[Raw] | None = None
        self.changes = 0
        self.note = ""
        self.dirty = False
        self.closed: CloseReason | None = None
        self.resting = self.restarted = False
        self.answers = 0
        self.overlapped = False
        self.quiet = asyncio.Event()
        self.edited = 0.0
        self.worker: asyncio.Task[None] | None = None
        self.timer: Alarm | None = None
        self.called: tuple[int, int] = (-1, -1)
        self.nudge: asyncio.Task[int] | None = None
        self.passing: list[int] = []

    @property
    def channel(self) -> int:
        return self.now.place.channel


class Surface:
    """Shows every change, and hands each click the drawing it answers with."""

    def __init__(self, wire: Wire, letters: Letters, deck: Deck, memory: Memory, clock: Clock) -> None:
        self._wire = wire
        self._clock = clock
        self._letters = letters
        self._deck = deck
        self._memory = memory
        self._stages: dict[int, Stage] = {}
        self._answering: set[str] = set()
        self._opening: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._open = False
        self.channel_gone: Callable[[int], Awaitable[None]] | None = None

    # what happens

    def take(self, change: Change) -> None:
        """Note a change. Called under the table's lock: nothing is awaited."""
        now = change.now
        stage = self._stages.get(now.id)
        if stage is None:
            stage = self._stages[now.id] = Stage(now)
        if change.key in self._opening:  # the answer to a command becomes its message: wait for that
            stage.answers += 1
        before, stage.now = stage.now, now
        stage.changes += 1
        if before.place.channel != now.place.channel:
            stage.message, stage.hand = 0, -1
        if now.running:
            stage.resting = False
        elif not before.running and before is not now and not now.next_hand_at:
            stage.resting = True
        if now.hand_number == stage.hand:
            stage.last = now
        stage.note = _time_over(change) if change.timed_out else self._told(change)
        if change.closed:
            ended = next((event for event in change.events if isinstance(event, TableClosed)), None)
            stage.closed = ended.reason if ended is not None else CloseReason.ASKED
        if change.restored:
            stage.restarted = bool(now.running or any(isinstance(event, HandVoided) for event in change.events))
            return
        self._watch(stage)
        if change.dealt:
            self._letters.deal(now, change.dealt)
        if change.lapsed:
            self._letters.lapsed(now, change.lapsed)
        if change.key not in self._answering or self._wanted(stage) != stage.hand:
            self.redraw(now.id)

    def redraw(self, table: int) -> None:
        """Let the worker draw a table anew, if that would change anything."""
        stage = self._stages.get(table)
        if stage is None:
            return
        stage.dirty = True
        if stage.worker is None and self._open:
            stage.worker = self._spawn(self._work(stage), f"stage-{table}")

    async def open(self) -> None:
        """Take up the messages of a run before, and begin to send. Connecting again changes nothing."""
        if self._open:
            return
        kept = await self._memory.values(_KEY)
        for stage in self._stages.values():
            known = kept.pop(f"{_KEY}{stage.now.id}", None)
            if known is not None:
                self._recall(stage, msgspec.msgpack.decode(known, type=Kept))
        self._open = True
        for stage in self._stages.values():
            self._watch(stage)
            self.redraw(stage.now.id)
            if stage.restarted:
                self._spawn(self._tell_restart(stage), f"restart-{stage.now.id}")
        for key in kept:  # their tables are closed
            await self._memory.keep(key, None)

    async def close(self) -> None:
        """Send what is due, and stop."""
        self._open = False
        for stage in self._stages.values():
            if stage.timer is not None:
                stage.timer.cancel()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=5.0)
            for task in late:
                task.cancel()
        await self._letters.close()

    async def quiet(self) -> None:
        """Wait until nothing is on its way to Discord."""
        while self._tasks or self._letters.busy:
            await asyncio.wait(self._tasks | self._letters.busy)

    # for clicks

    def answering(self, key: str, table: int) -> None:
        """A click is going to redraw the live message with its answer: the change it makes need not be drawn by the worker."""
        self._answering.add(key)
        stage = self._stages.get(table)
        if stage is not None:
            stage.overlapped = stage.answers > 0
            stage.answers += 1
            stage.quiet.clear()

    def drawing(self, table: int, message: int) -> list[Raw] | None:
        """The components to answer a click on `message` with; None where that is not the table's live message any more."""
        stage = self._stages.get(table)
        if stage is None or stage.closed is not None:
            return None
        if not stage.message and stage.hand == -1:  # a restart has forgotten which message it was; now it is known
            stage.message, stage.hand, stage.sent_at = message, self._wanted(stage), _sent_at(message)
        if message != stage.message or self._wanted(stage) != stage.hand or self._old(stage):
            return None
        components = payload(self._panel(stage))
        stage.drawn, stage.shown = components, stage.now
        return components

    def answered(self, key: str, table: int, *, drawn: bool | None) -> None:
        """The click has been answered: with a redraw that reached Discord, or did not, or (None) without one."""
        self._answering.discard(key)
        stage = self._stages.get(table)
        if stage is None:
            return
        stage.answers -= 1
        if drawn is False or (drawn and stage.overlapped):
            stage.drawn = (
                None  # it did not arrive, or two answers may have crossed on the way: what Discord shows is not known
            )
        if not stage.answers:
            stage.quiet.set()
            stage.overlapped = False
            if stage.drawn is None or stage.shown is not stage.now:
                self.redraw(table)

    def opening(self, key: str) -> None:
        """The answer to this request is going to be the first message of the table that it opens."""
        self._opening.add(key)

    def opened(self, key: str, table: int, message: int) -> None:
        """The answer is there: `message` is the table's. 0: it did not arrive; `table` 0: no table was opened."""
        self._opening.discard(key)
        stage = self._stages.get(table)
        if stage is None:
            return
        stage.answers -= 1
        if message:
            stage.message, stage.hand, stage.sent_at = message, LOBBY, self._clock.now()
            self._remember(stage)
        stage.quiet.set()
        self.redraw(table)

    def knows(self, table: int, message: int) -> bool:
        """Whether that is the live message of the table."""
        stage = self._stages.get(table)
        return stage is not None and message != 0 and (stage.message == message or not stage.message)

    # the worker of one table

    async def _work(self, stage: Stage) -> None:
        loop = asyncio.get_running_loop()
        try:
            while stage.dirty:
                if stage.answers:
                    stage.quiet.clear()
                    await stage.quiet.wait()
                    continue
                pause = stage.edited + EDIT_SECONDS - loop.time()
                if pause > 0 and self._wanted(stage) == stage.hand:
                    await asyncio.sleep(pause)
                    continue
                stage.dirty = False
                await self._show(stage)
        except Exception:
            log.exception("a table could not be drawn", extra={"table": stage.now.id})
            self._again(stage)
        finally:
            stage.worker = None
        if stage.closed is not None and not stage.dirty:
            self._stages.pop(stage.now.id, None)
            self._letters.forget(stage.now.id)

    async def _show(self, stage: Stage) -> None:
        """Bring what Discord shows of a table up to date."""
        try:
            if stage.closed is not None:
                await self._show_closed(stage)
            elif self._wanted(stage) != stage.hand or not stage.message or self._old(stage):
                await self._show_anew(stage)
            else:
                await self._edit(stage)
        except discord.HTTPException as error:
            await self._trouble(stage, error)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("the line broke while drawing: %r", error, extra={"table": stage.now.id})
            stage.drawn = None
            self._again(stage)

    async def _edit(self, stage: Stage) -> None:
        components = payload(self._panel(stage))
        if components == stage.drawn:
            return
        now, changes, message = stage.now, stage.changes, stage.message
        stage.drawn, stage.shown = components, now
        stage.edited = asyncio.get_running_loop().time()
        await self._wire.edit(stage.channel, message, layout(components))
        if stage.changes != changes and stage.drawn is not components:
            # a click was answered while this edit was on its way: which of them Discord applied last is not known
            stage.drawn = None
            stage.dirty = True

    async def _show_anew(self, stage: Stage) -> None:
        """Send a new message, then shrink or take away the old one."""
        old_message, old_hand, last = stage.message, stage.hand, stage.last
        wanted = self._wanted(stage)
        now = stage.now
        components = payload(self._panel(stage))
        message = await self._wire.send(stage.channel, layout(components))
        stage.message, stage.hand, stage.sent_at = message, wanted, self._clock.now()
        stage.drawn, stage.shown, stage.last = components, now, now
        stage.edited = 0.0
        passing, stage.passing = stage.passing, []
        self._remember(stage)
        if stage.now is not now:
            stage.dirty = True
        for each in passing:
            await self._delete(stage.channel, each)
        if old_message:
            await self._put_away(stage.channel, old_message, old_hand, wanted, last)

    async def _put_away(self, channel: int, message: int, hand: int, wanted: int, last: TableNow | None) -> None:
        """An open table's message, and one that only grew old, goes; a played hand's shrinks to its result."""
        view = last.hand if last is not None else None
        if hand in {LOBBY, wanted} or last is None or view is None or not view.over:
            await self._delete(channel, message)
            return
        components = payload(shrunk_panel(last, self._deck.emojis))
        try:
            await self._wire.edit(channel, message, layout(components))
        except discord.HTTPException as error:
            if error.code not in {UNKNOWN_MESSAGE, OLD_EDITS, *NOT_ALLOWED}:
                raise
            log.info("a played hand's message could not be shrunk: %s", error.text, extra={"channel": channel})

    async def _show_closed(self, stage: Stage) -> None:
        assert stage.closed is not None
        components = payload(lobby.closed_panel(stage.now.table, stage.closed))
        last = stage.last.hand if stage.last is not None else None
        if stage.message and stage.hand != LOBBY and last is not None and last.over and stage.last is not None:
            await self._put_away(stage.channel, stage.message, stage.hand, LOBBY, stage.last)
            stage.message = 0
        if stage.message:
            await self._wire.edit(stage.channel, stage.message, layout(components))
        else:
            await self._wire.send(stage.channel, layout(components))
        await self._memory.keep(f"{_KEY}{stage.now.id}", None)

    async def _trouble(self, stage: Stage, error: discord.HTTPException) -> None:
        """Discord said no."""
        fields = {"table": stage.now.id, "channel": stage.channel, "code": error.code}
        stage.drawn = None
        if error.code == UNKNOWN_CHANNEL:
            log.warning("a table's channel is gone", extra=fields)
            stage.message = 0
            if self.channel_gone is not None and stage.closed is None:
                await self.channel_gone(stage.now.id)
        elif error.code in {UNKNOWN_MESSAGE, OLD_EDITS}:
            log.info("a table's message is gone or too old; it gets a new one", extra=fields)
            stage.message, stage.hand = 0, -1
            stage.dirty = True
        elif error.code in NOT_ALLOWED:
            log.warning("the bot may not write where a table stands", extra=fields)
            if stage.message and stage.hand != self._wanted(stage):  # the old message can still be edited, and clicked
                stage.hand, stage.sent_at = self._wanted(stage), self._clock.now()
                stage.dirty = True
        elif error.status >= 500 or error.status == 429:
            log.warning("Discord failed to draw a table: %s", error.text, extra=fields)
            self._again(stage)
        else:
            log.error("Discord refused a table's drawing", exc_info=error, extra=fields)

    def _again(self, stage: Stage) -> None:
        if self._open:
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self.redraw, stage.now.id)

    # what a table shows

    def _wanted(self, stage: Stage) -> int:
        """The hand that the live message is to show; `LOBBY` between hands."""
        now = stage.now
        if now.running:
            return now.hand_number
        return LOBBY if stage.resting or not now.has_hand else now.hand_number

    def _panel(self, stage: Stage) -> Panel:
        if self._wanted(stage) == LOBBY:
            return lobby_panel(stage.now, self._deck.emojis, stage.note)
        return hand_panel(stage.now, self._deck.emojis, self._clock.now(), stage.note)

    def _old(self, stage: Stage) -> bool:
        return stage.message != 0 and self._clock.now() - stage.sent_at > OLD_MS

    def _told(self, change: Change) -> str:
        """What was done before everybody's eyes, beside the play: cards drawn for the first deal or for seats, a cut."""
        now = change.now
        by_user = {player.user: escape.name(player.name) for player in now.people.values()}
        by_seat = {number: escape.name(player.name) for number, player in now.people.items()}
        return ceremonies.told(change.events, by_user, by_seat, self._deck.emojis)

    # the player to act is called

    def _watch(self, stage: Stage) -> None:
        """Set the alarm of a new turn; take back the call of the turn that is over."""
        if not self._open:
            return
        due = stage.now.due
        turn = (stage.now.hand_number, due.turn) if due is not None else (-1, -1)
        if turn == stage.called:
            return
        stage.called = turn
        if stage.timer is not None:
            stage.timer.cancel()
            stage.timer = None
        if stage.nudge is not None:
            self._spawn(self._take_back(stage.channel, stage.nudge), "take back")
            stage.nudge = None
        if due is None or not _awaited(stage.now):
            return
        nudge = stage.now.settings.nudge
        wait = {Nudge.AT_ONCE: 0, Nudge.LATER: NUDGE_SECONDS}.get(nudge)
        if wait is not None:
            self._alarm(stage, due.began + 1000 * wait, self._call)
        elif due.turn_ends < due.ends:
            self._alarm(stage, due.turn_ends, self._hurry)

    def _alarm(self, stage: Stage, at: int, then: Callable[[Stage], None]) -> None:
        stage.timer = self._clock.call_at(at, lambda: then(stage))

    def _call(self, stage: Stage) -> None:
        """Call the player to act by name, then wait for the plain clock to run out."""
        now, due = stage.now, stage.now.due
        if due is None or stage.closed is not None or not _awaited(now):
            return
        stage.nudge = self._spawn(self._nudge(now), "nudge")
        if due.turn_ends < due.ends:
            self._alarm(stage, due.turn_ends, self._hurry)

    def _hurry(self, stage: Stage) -> None:
        """The plain clock has run out and the time bank runs: the message says until when."""
        stage.timer = None
        if stage.now.due is not None:
            self.redraw(stage.now.id)
            if stage.nudge is not None:
                self._spawn(self._nudge_again(stage, stage.nudge), "nudge again")

    def _nudging(self, now: TableNow) -> Raw:
        view, due = now.hand, now.due
        assert view is not None and due is not None
        scene = scene_of(now, view, self._deck.emojis, self._clock.now())
        return {
            "content": nudge_text(scene),
            "allowed_mentions": {"parse": [], "users": [str(user) for user in _awaited(now)]},
        }

    async def _nudge(self, now: TableNow) -> int:
        try:
            return await self._wire.send(now.place.channel, self._nudging(now))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("a player could not be called: %r", error, extra={"table": now.id})
            return 0

    async def _nudge_again(self, stage: Stage, nudge: asyncio.Task[int]) -> None:
        """The call says how long the time bank lasts: a moment gone by would read as if it were too late."""
        message = await nudge
        if not message or stage.nudge is not nudge or stage.now.due is None:
            return
        try:
            await self._wire.edit(stage.channel, message, self._nudging(stage.now))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("a call could not be prolonged: %r", error, extra={"table": stage.now.id})

    async def _take_back(self, channel: int, nudge: asyncio.Task[int]) -> None:
        message = await nudge
        if message:
            await self._delete(channel, message)

    async def _tell_restart(self, stage: Stage) -> None:
        now = stage.now
        view = now.hand
        assert view is not None
        scene = scene_of(now, view, self._deck.emojis, self._clock.now())
        try:
            message = await self._wire.send(stage.channel, layout(payload(notices.restarted_panel(scene))))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("a restart could not be told: %r", error, extra={"table": now.id})
            return
        stage.passing.append(message)
        self._remember(stage)

    async def _delete(self, channel: int, message: int) -> None:
        try:
            await self._wire.delete(channel, message)
        except discord.HTTPException as error:
            log.info("a message could not be deleted: %s", error.text, extra={"channel": channel, "code": error.code})

    # remembering

    def _remember(self, stage: Stage) -> None:
        kept = Kept(stage.channel, stage.message, stage.hand, stage.sent_at, tuple(stage.passing))
        self._spawn(self._memory.keep(f"{_KEY}{stage.now.id}", msgspec.msgpack.encode(kept)), "remember")

    def _recall(self, stage: Stage, kept: Kept) -> None:
        if kept.channel == stage.channel:
            stage.message, stage.hand, stage.sent_at = kept.message, kept.hand, kept.sent_at
            stage.passing = list(kept.passing)
            if kept.hand == stage.now.hand_number:
                stage.last = stage.now

    def _spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _sent_at(message: int) -> int:
    """When a message was sent, in ms since the epoch: its id says so."""
    return int(discord.utils.snowflake_time(message).timestamp() * 1000)


def _awaited(now: TableNow) -> list[int]:
    """The people that the dealer waits for: the one to act, or all who choose at once."""
    view = now.hand
    if view is None:
        return []
    users = [now.people[seat.number].user for seat in awaited(view)]
    return [user for user in users if user > 0]


def _time_over(change: Change) -> str:
    """``Time is up: river_rat folds.``"""
    player = change.now.people.get(change.timed_out)
    name = escape.name(player.name) if player is not None else f"Seat {change.timed_out}"
    return notices.time_over(name, change.events)
