"""Files of hands that people give: checked in a process of its own, and kept for a day so that they can look at them.

A file from outside can be anything. So nothing of it is read in the bot's own process: another one, which can take only so much time and
memory, reads the file, plays each hand and writes down what to say (`bot.operation.hand_check`). What it wrote of a person's newest file is
kept in the store for a day, so that its buttons work after a restart; it is deleted then, or with the person's data. Imported hands touch
no chips, no statistics and no server's hands.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.allowances import in_thread
from bot.background_tasks import BackgroundTasks
from bot.child_process import end_child
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.errors import FileTooHard, ImportForgotten
from bot.runtime.replays import HandReplay, NotStepByStep, replay_of_file
from bot.runtime.saved_values import PERSONAL, SavedKind, SavedValues, ValueStorage
from bot.runtime.store_errors import StoreError
from bot.surfaces.imports.checker_turns import CheckerTurns
from bot.surfaces.part import Part
from bot.text.checked_hands import CheckedFile
from bot.text.hand_files import Verdict
from bot.text.language import t
from bot.text.privacy import GIVEN_FILE

log = logging.getLogger(__name__)

CHECKER = (sys.executable, "-m", "bot.operation.hand_check")
NOT_FOR_THE_CHECKER = ("DISCORD_", "CARDROOM_")
"""The settings of the bot, its token among them."""
FILE_SECONDS = 8.0
"""So many processor seconds a file takes at most: the system ends a checker that takes more."""
LIMIT_SECONDS = 20.0
"""How long the bot waits for the checker, which waits for the processor, too."""
MAX_ANSWER_BYTES = 8_000_000
FILES_REMEMBERED = 40
"""So many people's newest files are remembered at once."""
REMEMBERED_MS = 30 * 60_000
"""How long a file is remembered that is not kept."""
KEPT_MS = 24 * 3_600_000
KEPT_BYTES_MAX = 400_000
"""So much is kept of a file, as the checker wrote it: some two hundred hands. A longer one is remembered only."""
FILES_KEPT = 500
"""So many people's files are kept at once, 200 MB at most. Nobody's file gives way to another's: a new one is then remembered only."""
REPLAYS_REMEMBERED = 20


class ImportedFile(Struct, frozen=True):
    """A file that somebody has given. This is what is kept of it.

    Attributes:
        id: when it was given, in ms since the epoch, so that none has the same after a restart.
        expires_at: when it is forgotten, in ms since the epoch.
        kept: it is, also over a restart.
    """

    id: int
    user: int
    name: str
    checked: CheckedFile
    expires_at: int
    kept: bool = True


def _told(file: ImportedFile) -> str:
    """Tell a kept file to the person who gave it: its name, when it was given, and its hands street by street."""
    lines = [t(GIVEN_FILE, name=file.name, date=datetime.fromtimestamp(file.id / 1000, UTC))]
    for hand in file.checked.hands:
        lines += [
            f"{hand.number} {hand.title} {hand.fault}".rstrip(),
            *[f"{one.title}\n{one.text}" for one in hand.pages()],
        ]
    return "\n".join(lines)


_FILES = SavedKind[int, ImportedFile]("import.", PERSONAL, ImportedFile, told=_told)
"""The newest file of a person."""


class HandImports(Part):
    """Has files checked, and keeps what came of them.

    Args:
        store: where the newest file of each person is kept.
        command: what runs as the checker.
        limit_seconds: see `LIMIT_SECONDS`.

    Attributes:
        turns: whose file is checked next.
    """

    def __init__(
        self,
        store: ValueStorage,
        clock: AlarmClock,
        command: Sequence[str] = CHECKER,
        *,
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        self._saved, self._clock = SavedValues(_FILES, store), clock
        self._command, self._limit = tuple(command), limit_seconds
        self.turns = CheckerTurns(lambda: clock.now() / 1000)
        self._files: OrderedDict[int, ImportedFile] = OrderedDict()
        self._replays: OrderedDict[tuple[int, int], HandReplay] = OrderedDict()
        self._kept: dict[int, int] = {}  # when the kept file of a person is forgotten
        self._forgotten: set[int] = set()  # whose data was deleted while a file of theirs was checked
        self._last_id = 0
        self._alarm: Alarm | None = None
        self.tasks = BackgroundTasks()

    async def open(self) -> None:
        """Learn after a start which files are kept, and forget those whose time is over. Nobody waits for that."""
        self.tasks.run(self._load(), "imports")

    async def _load(self) -> None:
        for user, file in (await self._saved.load()).items():
            self._kept.setdefault(user, file.expires_at if file.user == user else 0)
        await self._forget_old()

    async def check(self, user: int, name: str, content: bytes, language: str) -> ImportedFile:
        """Have a file checked, and keep it for the person who gave it.

        Args:
            language: in which the checker writes.

        Raises:
            FileBeingRead, WorkTimeUsed, OneMoment: they have to wait first; see `CheckerTurns.turn`.
            FileTooHard: it takes too much time or memory.
        """
        self._forgotten.discard(user)
        async with self.turns.turn(user):
            seconds, began_at = FILE_SECONDS, time.monotonic()
            try:
                checked = await self._check(content, language)
                seconds = checked.seconds
            finally:  # of one that was ended nobody knows more than how long it ran
                self.turns.spend(user, min(seconds, FILE_SECONDS, time.monotonic() - began_at))
            return await self._remember_checked(user, name, replace(checked, seconds=0.0))

    async def _remember_checked(self, user: int, name: str, checked: CheckedFile) -> ImportedFile:
        now = self._clock.now()
        self._last_id = id_ = max(now, self._last_id + 1)
        file = ImportedFile(id_, user, name[:200], checked, now + REMEMBERED_MS, kept=False)
        if checked.hands and user not in self._forgotten:
            file = await self._keep(file)
        self._remember(file)
        return file

    async def find(self, id_: int, user: int) -> ImportedFile:
        """Return a file that a person has given; with 0 the one that is kept of them.

        Raises:
            ImportForgotten: there is no such file any more, or it is somebody else's.
        """
        file = self._files.get(id_)
        if file is None:
            file = await self._saved.get(user)
            if file is not None and file.user == user and id_ in {0, file.id} and user not in self._forgotten:
                id_ = file.id
                self._remember(file)
        if file is None or (file.id, file.user) != (id_, user) or self._clock.now() >= file.expires_at:
            raise ImportForgotten
        return file

    async def replay(self, file: ImportedFile, number: int) -> HandReplay | None:
        """Return the replay of a hand of a file; None where it can be told street by street only.

        Raises:
            ImportForgotten: the file has no such hand.
        """
        hand = next((one for one in file.checked.hands if one.number == number), None)
        if hand is None:
            raise ImportForgotten
        known = self._replays.pop((file.id, number), None)
        if known is None and hand.replay:
            try:
                known = await in_thread(replay_of_file, hand.replay, number)
            except NotStepByStep:  # another version of the program has checked it
                return None
        if known is not None and file.id in self._files:
            self._replays[file.id, number] = known
            if len(self._replays) > REPLAYS_REMEMBERED:
                self._replays.popitem(last=False)
        return known

    async def forget(self, guild: int, user: int) -> None:
        """Forget the files of a person whose data was deleted. What was kept of them is gone from the store."""
        self._kept.pop(user, None)
        self._forgotten.add(user)
        for id_ in [id_ for id_, file in self._files.items() if file.user == user]:
            self._forget_file(id_)
        if len(self._forgotten) > FILES_REMEMBERED and not self.turns.working:
            self._forgotten.clear()

    async def close(self) -> None:
        """Stop forgetting by the clock."""
        if self._alarm is not None:
            self._alarm.cancel()
        await self.tasks.finish(0)

    async def _keep(self, file: ImportedFile) -> ImportedFile:
        """Keep a file instead of the person's file before it. Returns it as it was where it is too long or there is no room for it."""
        kept = replace(file, expires_at=file.id + KEPT_MS, kept=True)
        has_room = file.user in self._kept or len(self._kept) < FILES_KEPT
        can_be_kept = has_room and len(await in_thread(_FILES.encode, kept)) <= KEPT_BYTES_MAX
        try:
            if can_be_kept:
                await self._saved.keep(file.user, kept)
            elif file.user in self._kept:
                await self._saved.forget(file.user)
                del self._kept[file.user]
        except StoreError as error:
            log.warning("imported_file_not_kept", extra={"cause": type(error).__name__})
            return file
        if not can_be_kept:
            return file
        self._kept[file.user] = kept.expires_at
        self._wake()
        return kept

    async def _forget_old(self) -> None:
        """Delete the files whose time is over, and wake for the next one."""
        now = self._clock.now()
        for id_ in [id_ for id_, file in self._files.items() if file.expires_at <= now]:
            self._forget_file(id_)
        for user in [user for user, until in self._kept.items() if until <= now]:
            await self._forget_kept(user)
        self._wake()

    async def _forget_kept(self, user: int) -> None:
        try:
            await self._saved.forget(user)
        except StoreError as error:
            log.warning("imported_file_not_deleted", extra={"cause": type(error).__name__})
            self._kept[user] = self._clock.now() + REMEMBERED_MS  # tried again; nobody is shown it in between
            return
        self._kept.pop(user, None)

    def _wake(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._kept:
            self._alarm = self._clock.call_at(min(self._kept.values()), self._on_alarm)

    def _on_alarm(self) -> None:
        self._alarm = None
        self.tasks.run(self._forget_old(), "imports")

    def _remember(self, file: ImportedFile) -> None:
        """Remember a file instead of the person's file before it. One that is kept gives way first: it can be read again."""
        for id_ in [id_ for id_, other in self._files.items() if other.user == file.user]:
            self._forget_file(id_)
        if len(self._files) >= FILES_REMEMBERED:
            self._forget_file(next((id_ for id_, other in self._files.items() if other.kept), next(iter(self._files))))
        self._files[file.id] = file

    def _forget_file(self, id_: int) -> None:
        self._files.pop(id_, None)
        for key in [key for key in self._replays if key[0] == id_]:
            del self._replays[key]

    async def _check(self, content: bytes, language: str) -> CheckedFile:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                language,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,  # a traceback can hold what the file says
                env={name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_THE_CHECKER)},
            )
        except OSError as error:
            log.warning("check_hands_not_started", extra={"cause": str(error.strerror)})
            raise FileTooHard from error
        try:
            async with asyncio.timeout(self._limit):
                answer = await _exchange(process, content)
        except TimeoutError:
            answer = b""
        finally:
            await end_child(process)
        try:
            checked = await in_thread(msgspec.msgpack.decode, answer, type=CheckedFile)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            log.info("hand_file_not_checked", extra={"bytes": len(content), "code": process.returncode})
            raise FileTooHard from error
        if faults := sum([hand.verdict == Verdict.FAULT for hand in checked.hands]):
            log.error("hands_of_file_failed", extra={"hands": faults, "bytes": len(content)})
        return checked


async def _exchange(process: asyncio.subprocess.Process, content: bytes) -> bytes:
    """Give the process the file, and return what it writes; nothing where it writes too much."""
    assert process.stdin is not None and process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    async def give() -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stdin.write(content)
            await stdin.drain()
            stdin.close()

    giving = asyncio.create_task(give(), name="hand-file")
    answer = bytearray()
    try:
        while part := await stdout.read(1 << 16):
            answer += part
            if len(answer) > MAX_ANSWER_BYTES:
                return b""
    finally:
        giving.cancel()
    return bytes(answer)
