"""The bot's side of the drawing process: starts it, hands it one picture after another, and starts it again when it dies.

Nothing here ever stops a hand: where there is no picture, the answer is None, and the table goes on in text.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from bot.allowances import WORK
from bot.child_process import ChildFailed, end_child, read_frame, send_frame, start_child
from bot.measures import PictureMeasures
from bot.pictures.frames import AnswerKind, encode_picture
from bot.pictures.types import Picture

log = logging.getLogger(__name__)

WORKER = (sys.executable, "-m", "bot.pictures.worker")
LIMIT_SECONDS = 2.0
"""How long a caller waits for a picture: a click must be answered within three seconds."""
HANG_SECONDS = 8.0
"""How long the process can take for one picture before it is replaced. On a machine that is only busy, a new one would help nobody: it has
drawn no card yet. A process that the bot has left behind ends itself a little later."""
START_SECONDS = 120.0
"""How long the drawing process can take until it takes pictures: a moment, or long where everything else has the processor first."""
MAX_WAITING = 64
"""More than can be drawn within `LIMIT_SECONDS`."""
PAUSES_SECONDS = (0.0, 0.5, 2.0, 10.0, 60.0)
"""How long to wait before the process is started again, by how often it died without having drawn anything in between."""


@dataclass(eq=False, slots=True)
class _Request:
    body: bytes
    answer: asyncio.Future[bytes | None]
    count_seconds: Callable[[float], None] | None = field(default_factory=WORK.get)
    asked_at: float = field(default_factory=time.monotonic)

    def finish(self, file: bytes | None) -> bool:
        """Answer the caller, if it still waits."""
        if self.answer.done():
            return False
        self.answer.set_result(file)
        return True


class PictureMaker:
    """Draws pictures in a process of its own. Until it is started, and where it is never started, there are none.

    Args:
        command: what runs as the drawing process.
        limit_seconds: see `LIMIT_SECONDS`.
        hang_seconds: see `HANG_SECONDS`.
        pauses_seconds: see `PAUSES_SECONDS`.
    """

    def __init__(
        self,
        command: Sequence[str] = WORKER,
        *,
        limit_seconds: float = LIMIT_SECONDS,
        hang_seconds: float = HANG_SECONDS,
        pauses_seconds: Sequence[float] = PAUSES_SECONDS,
    ) -> None:
        self.measures = PictureMeasures()
        self._command, self._limit, self._hang = command, limit_seconds, hang_seconds
        self._pauses = pauses_seconds
        self._waiting: dict[Hashable, _Request] = {}
        self._something_waits = asyncio.Event()
        self._ready = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._rests = False
        self._logged: set[str] = set()

    @property
    def can_draw(self) -> bool:
        """Whether it makes sense to describe a picture: the process runs, or will in a moment."""
        return self._runner is not None and not self._runner.done() and not self._rests

    @property
    def is_ready(self) -> bool:
        """Whether the process takes pictures. Before, they can come too late though nothing is wrong."""
        return self._ready.is_set()

    @property
    def waiting_count(self) -> int:
        """How many pictures wait to be drawn."""
        return len(self._waiting)

    @property
    def worker_pid(self) -> int | None:
        """The process that draws at the moment; None for none."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the drawing process in the background. Nobody waits for it."""
        if self._runner is None:
            self._runner = asyncio.get_running_loop().create_task(self._run(), name="pictures")

    async def wait_until_ready(self) -> None:
        """Wait until the process takes pictures. It makes ready what the first ones need when nobody asks for some."""
        await self._ready.wait()

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        """Return the picture as a WebP file; None where it cannot be had in time. The drawing counts for whoever the task works for.

        Args:
            key: of those that wait under the same key, such as a table, only the newest is drawn: the caller of the older one
                gets None.
        """
        if not self.can_draw:
            self.measures.skipped += 1
            return None
        request = _Request(encode_picture(picture), asyncio.get_running_loop().create_future())
        slot = object() if key is None else key
        self._make_room(slot)
        self._waiting[slot] = request
        self._something_waits.set()
        try:
            async with asyncio.timeout(self._limit):
                return await request.answer
        except TimeoutError:
            self.measures.late += 1
            return None
        finally:
            if self._waiting.get(slot) is request:
                del self._waiting[slot]

    async def close(self) -> None:
        """End the drawing process. Whoever still waits gets None, and so does everybody who asks later."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.cancel()
            await asyncio.wait({runner})
        self._refuse_all()

    def _make_room(self, slot: Hashable) -> None:
        older = self._waiting.get(slot)
        if older is None and len(self._waiting) >= MAX_WAITING:  # the oldest would be late anyway
            older = self._waiting.pop(next(iter(self._waiting)))
        if older is not None and older.finish(None):
            self.measures.skipped += 1

    def _refuse_all(self) -> None:
        for request in self._waiting.values():
            if request.finish(None):
                self.measures.skipped += 1
        self._waiting.clear()

    async def _run(self) -> None:
        """Keep a process running until closed."""
        deaths = 0
        while True:
            drawn_before = self.measures.drawn
            try:
                await self._run_worker()
            except ChildFailed as error:
                if self._is_new(str(error)):
                    log.warning("picture_worker_failed", extra={"cause": str(error)})
            deaths = 1 if self.measures.drawn > drawn_before else deaths + 1
            pause = self._pauses[min(deaths, len(self._pauses)) - 1]
            if pause:
                self._rests = True
                self._refuse_all()
                await asyncio.sleep(pause)
                self._rests = False

    async def _run_worker(self) -> None:
        """Start a process and let it draw until it fails.

        Raises:
            ChildFailed: it cannot be started, ended, took too long or wrote something else than answers.
        """
        self.measures.worker_starts += 1
        process = self._process = await start_child(self._command)
        try:
            kind, said = await _read_answer(process, START_SECONDS)
            if kind is not AnswerKind.READY:
                raise ChildFailed(f"did not start: {said.decode(errors='replace')[:200]}")
            self._ready.set()
            log.info("picture_worker_ready")
            while True:
                request = await self._next_request()
                began_at = time.monotonic()
                try:
                    await self._draw_in(process, request)
                finally:
                    if request.count_seconds is not None:
                        request.count_seconds(time.monotonic() - began_at)
                    if request.finish(None):
                        self.measures.failed += 1
        finally:
            self._ready.clear()
            self._process = None
            await end_child(process)

    async def _next_request(self) -> _Request:
        while not self._waiting:
            self._something_waits.clear()
            await self._something_waits.wait()
        return self._waiting.pop(next(iter(self._waiting)))

    async def _draw_in(self, process: asyncio.subprocess.Process, request: _Request) -> None:
        send_frame(process, request.body)
        kind, answer = await _read_answer(process, self._hang)
        if kind is AnswerKind.UNPREPARED:
            log.warning("pictures_not_prepared", extra={"cause": answer.decode(errors="replace")[:200]})
            kind, answer = await _read_answer(process, self._hang)
        if kind is AnswerKind.DRAWN:
            if request.finish(answer):
                self.measures.drawn += 1
                self.measures.seconds.add(time.monotonic() - request.asked_at)
        elif kind is AnswerKind.FAILED:
            cause = answer.decode(errors="replace")[:200]
            if self._is_new(cause):
                log.warning("picture_failed", extra={"cause": cause})
        else:
            raise ChildFailed("answered out of turn")

    def _is_new(self, cause: str) -> bool:
        """Whether a cause was not logged before: a picture that cannot be drawn may be asked for at every table."""
        is_new = cause not in self._logged
        self._logged.add(cause)
        return is_new


async def _read_answer(process: asyncio.subprocess.Process, seconds: float) -> tuple[AnswerKind, bytes]:
    """Return the next answer.

    Raises:
        ChildFailed: there is none within the time, or it is no answer.
    """
    body = await read_frame(process, seconds)
    try:
        return AnswerKind(body[0]), body[1:]
    except ValueError:
        raise ChildFailed("wrote something that is no answer") from None
