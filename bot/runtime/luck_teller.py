"""Tells the odds of hands that are run out, and the luck of all-in hands that are over, one after the other, in a process of its own.

Nobody waits for luck, so odds go first: at most one hand whose luck is being told is before them. The process is started when somebody is
all-in, and learns how the hands of that game rank while the others still decide, or while the streets are shown.

The statistics know which hands are due. A hand stays due until its luck is written, so nothing is lost if the process or the bot is
killed, and what is written is not told again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from bot.background_tasks import BackgroundTasks
from bot.child_process import ChildFailed, describe_error, end_child, read_frame, send_frame, start_child
from bot.measures import Distribution, LuckMeasures
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import HandUnreadable
from bot.runtime.hand_log import DeckSecret, decoded_hand
from bot.runtime.luck_worker import (
    LuckAnswer,
    PlayedGame,
    decode_luck,
    decode_odds,
    encode_game,
    encode_hand,
    encode_odds_request,
)
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.store_errors import StatisticsBeingCounted, StatisticsUnavailable, StoreError
from bot.runtime.store_types import SavedHand
from bot.statistics.all_in_hand import AllInHand, all_in_hand, seed_of
from bot.statistics.luck import AllInLuck
from bot.statistics.types import Odds
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store

log = logging.getLogger(__name__)

LUCK_WORKER = (sys.executable, "-m", "bot.runtime.luck_worker")
HANDS_AT_ONCE = 20
IDLE_SECONDS = 120.0
"""So long the process waits for another hand before it is ended: it holds memory, and starts in a third of a second."""
HANG_SECONDS = 30.0
"""How long the process can take for one hand before it is ended. On a machine that is only busy, a new one would help nobody."""
START_SECONDS = 120.0
RETRY_SECONDS = 10.0
"""So long after the statistics, the store or the process have failed it is tried again."""
MAX_FAILURES = 2
"""A hand at which the process has failed so often is left alone until the bot starts again: the others come first."""

MAX_PREPARED = 64
"""So many games are remembered as prepared; the tables that evaluators keep are about as many."""

_Hand = tuple[int, int]


class LuckTeller:
    """Tells the luck of hands that are due, and odds that are asked for. Until it is started, hands wait, and there are no odds.

    Args:
        statistics: knows which hands are due, and keeps what is told.
        store: has the hands.
        secret: returns what their decks come from.
        command: what runs as the process.
        idle_seconds, hang_seconds, retry_seconds: see the constants of these names.

    Attributes:
        measures: what has been told.
        waiting_count: hands whose luck is due, given-up ones included; of many no more than `HANDS_AT_ONCE` are known at a time.
    """

    def __init__(
        self,
        statistics: Statistics,
        store: Store,
        secret: Callable[[], RuntimeContext | DeckSecret],
        command: Sequence[str] = LUCK_WORKER,
        *,
        idle_seconds: float = IDLE_SECONDS,
        hang_seconds: float = HANG_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._statistics, self._store, self._secret = statistics, store, secret
        self._command, self._idle, self._hang, self._retry = command, idle_seconds, hang_seconds, retry_seconds
        self.measures = LuckMeasures()
        self.waiting_count = 0
        self._due = asyncio.Event()
        self._turn = asyncio.Lock()
        """Whoever holds it talks to the process."""
        self._talker: asyncio.Task[object] | None = None
        self._odds = BackgroundTasks()
        self._used_at = 0.0
        self._runner: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._expected: dict[PlayedGame, None] = {}
        """Games of which a hand will be due soon."""
        self._prepared: set[PlayedGame] = set()
        """Games that the process has been told of."""
        self._failures: dict[_Hand, int] = {}
        self._logged: set[str] = set()

    @property
    def worker_pid(self) -> int | None:
        """The process that tells luck at the moment; None for none."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Begin to tell the luck of hands that are due, in the background."""
        if self._runner is None:
            self._statistics.on_luck_due = self._due.set
            self._due.set()
            self._runner = asyncio.get_running_loop().create_task(self._run(), name="luck")

    def prepare(self, snapshot: TableSnapshot) -> None:
        """Prepare for a hand in which somebody is all-in: its odds can be asked soon, and its luck be due once its last card is shown."""
        rules = snapshot.rules_of_hand
        if self._runner is not None and rules is not None and not rules.designates_at_showdown:
            self._expected[PlayedGame(rules.rule_card, rules.options, rules.stakes)] = None
            self._due.set()

    async def luck_of(self, hand: AllInHand) -> AllInLuck | None:
        """Return the luck of one hand now, and write nothing down; None where it cannot be told, or while no luck is told at all."""
        if self._runner is None:
            return None
        told = asyncio.ensure_future(self._told_by_worker(hand))
        try:
            return await asyncio.shield(told)  # whoever stops waiting leaves no answer behind for the next question
        except (ChildFailed, _LuckFailed) as error:
            if self._is_new(cause := str(error)):
                log.warning("luck_failed", extra={"cause": cause})
            return None

    async def odds(self, hand: AllInHand) -> Odds | None:
        """Return the odds of a hand; None where there are none, or where the process fails.

        Whoever stops waiting disturbs nobody: the process finishes what it has begun, and what has not come to its turn is dropped.
        """
        if self._runner is None:
            return None
        answer = self._odds.run(self._tell_odds(hand), "odds")
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            if self._talker is not answer:
                answer.cancel()
            raise

    async def _tell_odds(self, hand: AllInHand) -> Odds | None:
        began_at = time.monotonic()
        try:
            odds = decode_odds(await self._ask(hand, encode_odds_request(hand), LuckAnswer.ODDS))
        except (ChildFailed, _LuckFailed, msgspec.DecodeError) as error:
            self.measures.odds_failed += 1
            cause = describe_error(error) if isinstance(error, msgspec.DecodeError) else str(error)
            if self._is_new(cause):
                log.warning("odds_failed", extra={"cause": cause})
            return None
        self.measures.odds_told += 1
        self.measures.odds_seconds.add(time.monotonic() - began_at)
        return odds

    async def close(self) -> None:
        """End the process. What is being told stays due."""
        runner, self._runner = self._runner, None
        if runner is not None:
            self._statistics.on_luck_due = lambda: None
            runner.cancel()
            await asyncio.wait({runner})
            await self._odds.stop()
            await self._end_worker()  # an answer that was asked for meanwhile has started another one

    async def _run(self) -> None:
        try:
            while True:
                if not await self._wait_until_due():
                    if time.monotonic() - self._used_at >= self._idle and not self._turn.locked():
                        await self._end_worker()
                    continue
                self._due.clear()
                try:
                    await self._prepare_for_expected()
                    while await self._tell_some():
                        await self._prepare_for_expected()
                except (StatisticsBeingCounted, StatisticsUnavailable, StoreError, ChildFailed) as error:
                    cause = str(error) or type(error).__name__
                    if self._is_new(cause):
                        log.warning("luck_not_told", extra={"cause": cause})
                    self._due.set()
                    await asyncio.sleep(self._retry)
        finally:
            await self._end_worker()

    async def _wait_until_due(self) -> bool:
        """Return whether a hand may be due; False where the process has waited too long for one."""
        try:
            async with asyncio.timeout(self._idle if self._process is not None else None):
                await self._due.wait()
        except TimeoutError:
            return False
        return True

    async def _prepare_for_expected(self) -> None:
        while self._expected:
            game = next(iter(self._expected))
            del self._expected[game]
            async with self._talking() as process:
                await self._prepare(process, game)

    @contextlib.asynccontextmanager
    async def _talking(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """Inside, nobody else talks to the process. It is started if it does not run, and ended if something goes wrong: what it would
        still write is nobody's answer.

        Raises:
            ChildFailed: the process cannot be used any more.
        """
        async with self._turn:
            self._talker = asyncio.current_task()
            try:
                yield await self._worker()
            except BaseException:
                await self._end_worker()
                raise
            finally:
                self._talker, self._used_at = None, time.monotonic()

    async def _prepare(self, process: asyncio.subprocess.Process, game: PlayedGame) -> None:
        """Let the process learn what it needs to know of a game, if it does not know it. A hand can be told without."""
        if game in self._prepared:
            return
        if len(self._prepared) >= MAX_PREPARED:
            self._prepared.clear()
        self._prepared.add(game)
        send_frame(process, encode_game(game))
        body = await read_frame(process, self._hang)
        if body[0] == LuckAnswer.FAILED and self._is_new(cause := body[1:].decode(errors="replace")[:200]):
            log.warning("luck_not_prepared", extra={"cause": cause})

    async def _tell_some(self) -> bool:
        """Tell the luck of some hands. Returns whether there were any."""
        given_up = {hand for hand, failures in self._failures.items() if failures >= MAX_FAILURES}
        due = await self._statistics.hands_without_luck(HANDS_AT_ONCE + len(given_up))
        hands = [hand for hand in due if hand not in given_up]
        self.waiting_count = len(due)
        for hand in hands:
            began_at = time.monotonic()
            try:
                await self._tell(hand)
            except (StatisticsBeingCounted, StatisticsUnavailable, StoreError, ChildFailed):
                raise
            except _LuckFailed as error:
                self._give_up(hand, str(error))
            except Exception as error:  # one hand that cannot be told leaves the next ones alone
                self._give_up(hand, describe_error(error))
            else:
                self.measures.told += 1
                self.waiting_count -= 1
            await asyncio.sleep(time.monotonic() - began_at)  # of many hands that are due at once none is in a hurry
        return bool(hands)

    async def _tell(self, hand: _Hand) -> None:
        """Tell the luck of a hand and write it down.

        Raises:
            _LuckFailed: the process could not tell it.
        """
        table, number = hand
        counted = self._all_in_hand(await self._store.hand(table, number))
        if counted is None:  # it was dropped for its age, its cards are lost, or somebody had still to decide something
            await self._statistics.write_luck(table, number, None)
            return
        try:
            luck = await self._told_by_worker(counted)
        except ChildFailed:
            self._failures[hand] = self._failures.get(hand, 0) + 1
            self.measures.failed += 1
            raise
        if luck is None:
            await self._statistics.write_luck(table, number, None)
        else:
            by_seat = dict(zip(map(int, luck.seats), luck.luck, strict=True))
            await self._statistics.write_luck(table, number, by_seat, is_estimate=luck.is_estimate)
        self._failures.pop(hand, None)

    def _all_in_hand(self, saved: SavedHand | None) -> AllInHand | None:
        if saved is None:
            return None
        try:
            played = decoded_hand(self._secret(), saved, 0)
        except HandUnreadable:
            return None
        return all_in_hand(played.events, played.deck, seed_of(saved.table, saved.number))

    async def _told_by_worker(self, hand: AllInHand) -> AllInLuck | None:
        """Return what the process answers.

        Raises:
            ChildFailed: the process cannot be used any more.
            _LuckFailed: it could not tell the luck of this hand.
        """
        while pending := self._odds.pending:
            await asyncio.wait(pending)
        body = await self._ask(hand, encode_hand(hand), LuckAnswer.TOLD, self.measures.seconds)
        try:
            return decode_luck(body)
        except msgspec.DecodeError:
            raise ChildFailed("wrote something that is no answer") from None

    async def _ask(
        self, hand: AllInHand, request: bytes, wanted: LuckAnswer, seconds: Distribution | None = None
    ) -> bytes:
        """Return what the process answers to a request about a hand.

        Args:
            seconds: counts how long that has taken.

        Raises:
            ChildFailed: the process cannot be used any more.
            _LuckFailed: it could not do it.
        """
        async with self._talking() as process:
            await self._prepare(process, PlayedGame(hand.rule_card, hand.options, hand.stakes))
            began_at = time.monotonic()
            send_frame(process, request)
            body = await read_frame(process, self._hang)
            if body[0] not in {wanted, LuckAnswer.FAILED}:
                raise ChildFailed("wrote something that is no answer")
        if seconds is not None:
            seconds.add(time.monotonic() - began_at)
        if body[0] == LuckAnswer.FAILED:
            raise _LuckFailed(body[1:].decode(errors="replace")[:200])
        return body[1:]

    async def _worker(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is not None:  # it was killed while nothing was due
            await self._end_worker()
        return self._process or await self._start_worker()

    async def _start_worker(self) -> asyncio.subprocess.Process:
        self.measures.worker_starts += 1
        process = self._process = await start_child(self._command)
        if (await read_frame(process, START_SECONDS))[0] != LuckAnswer.READY:
            raise ChildFailed("did not start")
        return process

    async def _end_worker(self) -> None:
        process, self._process = self._process, None
        self._prepared.clear()
        if process is not None:
            await end_child(process)

    def _give_up(self, hand: _Hand, cause: str) -> None:
        """Leave a hand alone until the bot starts again: it stays due."""
        self._failures[hand] = MAX_FAILURES
        self.measures.failed += 1
        if self._is_new(cause):
            log.warning("luck_failed", extra={"cause": cause})

    def _is_new(self, cause: str) -> bool:
        """Whether a cause was not logged before."""
        is_new = cause not in self._logged
        self._logged.add(cause)
        return is_new


class _LuckFailed(Exception):
    """The luck of one hand cannot be told. The text says why, for the log, and names no card."""
