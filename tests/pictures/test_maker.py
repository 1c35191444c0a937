"""Pictures come from a process of their own, and nothing that happens to it stops a table."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from bot.allowances import WORK
from bot.child_process import LARGEST_FRAME, LENGTH_BYTES, describe_error, read_length, write_frame
from bot.engine.cards import STANDARD_52
from bot.pictures import maker, sprites, worker
from bot.pictures.draw import draw, warm_up, warm_up_answers
from bot.pictures.frames import AnswerKind, encode_picture
from bot.pictures.maker import WORKER, PictureMaker
from bot.pictures.sketch import Sprite
from bot.pictures.sprites import SPRITES_BYTES_MAX, SPRITES_MAX, PictureStore
from bot.pictures.types import Look, PictureBoard, PictureCard, TablePicture
from bot.pictures.worker import serve
from tests.support.stand_in_process import ROOT
from tests.test_stopping import lines_written

STRANGE = (sys.executable, "-m", "tests.pictures.strange_worker")
COLD_WORKER = """
import sys
from bot.pictures import draw, worker
draw.preparations = lambda: ()
sys.exit(worker.main())
"""
COLD = (sys.executable, "-c", COLD_WORKER)
"""The drawing process itself, which makes nothing ready: that takes seconds."""
SHORT, LONG = 0.2, 20.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these tests signal processes")


def picture(small_print: str = "", heading: str = "") -> TablePicture:
    cards = (PictureCard(card=51), PictureCard(card=0), PictureCard(card=None))
    return TablePicture(
        Look(), seat_count=6, seats=(), boards=(PictureBoard(cards),), heading=heading, small_print=small_print
    )


@asynccontextmanager
async def running(
    command: tuple[str, ...] = STRANGE,
    limit_seconds: float = LONG,
    hang_seconds: float = LONG,
    pauses: tuple[float, ...] = (0.0,),
) -> AsyncIterator[PictureMaker]:
    pictures = PictureMaker(command, limit_seconds=limit_seconds, hang_seconds=hang_seconds, pauses_seconds=pauses)
    pictures.start()
    try:
        yield pictures
    finally:
        await pictures.close()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():
            await asyncio.sleep(0.001)


async def drawn_at_last(pictures: PictureMaker, small_print: str) -> bytes:
    """Ask again until a picture is there in time: a busy machine can be later than these tests allow."""
    async with asyncio.timeout(LONG):
        while (file := await pictures.draw(picture(small_print))) is None:
            pass
    return file


def is_there(pid: int) -> bool:
    """Whether a process runs; one that ended and waits for its parent to look does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


async def test_picture_from_the_process_is_the_picture_drawn_here() -> None:
    async with running(WORKER) as pictures:
        assert await pictures.draw(picture()) == draw(picture())
        assert pictures.measures.drawn == 1 and pictures.measures.seconds.total > 0


async def test_no_picture_before_the_start_nor_after_the_end() -> None:
    pictures = PictureMaker(STRANGE)
    assert not pictures.can_draw and await pictures.draw(picture()) is None
    pictures.start()
    assert pictures.can_draw and await pictures.draw(picture("now")) == b"now"
    await pictures.close()
    assert not pictures.can_draw and await pictures.draw(picture()) is None
    await pictures.close()


async def test_asked_for_during_the_start_it_comes_when_ready() -> None:
    async with running() as pictures:
        assert await pictures.draw(picture("first")) == b"first"


@pytest.mark.parametrize("fault", ["die", "garbage", "wrong kind"])
async def test_faulty_process_costs_one_picture_and_is_replaced(fault: str) -> None:
    async with running() as pictures:
        with lines_written() as lines:
            assert await pictures.draw(picture("ann", fault)) is None
            assert await pictures.draw(picture("next")) == b"next"
            assert await pictures.draw(picture("bo", fault)) is None
            assert await pictures.draw(picture("next")) == b"next"
        assert pictures.measures.worker_starts == 3 and pictures.measures.failed == 2
        assert len([line for line in lines if "picture_worker_failed" in line]) == 1, "once for one cause"


async def test_failed_preparing_is_logged_and_costs_no_picture() -> None:
    async with running() as pictures:
        with lines_written() as lines:
            assert await pictures.draw(picture("ann", "unprepared")) == b"ann"
        assert len([line for line in lines if "pictures_not_prepared" in line and "OSError at fonts.py:7" in line]) == 1
        assert pictures.measures.worker_starts == 1


async def test_killed_in_the_middle_of_a_picture(tmp_path: Path) -> None:
    async with running() as pictures:
        door = tmp_path / "door"
        waits = asyncio.create_task(pictures.draw(picture(str(door), "wait for file")))
        await until(door.exists)
        assert pictures.worker_pid is not None
        os.kill(pictures.worker_pid, signal.SIGKILL)
        assert await waits is None
        assert await pictures.draw(picture("next")) == b"next"


async def test_hanging_process_is_given_up_and_replaced() -> None:
    async with running(limit_seconds=SHORT, hang_seconds=2 * SHORT) as pictures:
        await pictures.wait_until_ready()
        hanging = pictures.worker_pid
        assert hanging is not None
        assert await pictures.draw(picture(heading="hang")) is None
        await until(lambda: not is_there(hanging))
        await until(lambda: pictures.worker_pid not in (None, hanging))
        await pictures.wait_until_ready()
        assert pictures.measures.late == 1
        assert await drawn_at_last(pictures, "next") == b"next"


async def test_late_picture_does_not_cost_the_process(tmp_path: Path) -> None:
    """On a machine that is only busy, a new process would be later still."""
    async with running(limit_seconds=SHORT) as pictures:
        await pictures.wait_until_ready()
        door = tmp_path / "door"
        assert await pictures.draw(picture(str(door), "wait for file")) is None
        await asyncio.to_thread(door.write_text, "open")
        assert await drawn_at_last(pictures, "next") == b"next"
        assert pictures.measures.worker_starts == 1


async def test_error_in_one_picture_leaves_the_process_running() -> None:
    """The line in the log says where it was raised; the message of an error can name a card."""
    async with running() as pictures:
        with lines_written() as lines:
            assert await pictures.draw(picture(heading="raise")) is None
            assert await pictures.draw(picture("next")) == b"next"
            assert await pictures.draw(picture(heading="raise")) is None
        assert pictures.measures.worker_starts == 1 and pictures.measures.failed == 2
        (line,) = [line for line in lines if "picture_failed" in line]
        assert "KeyError at strange_worker.py:" in line and "nobody can see" not in line


async def test_process_that_never_starts_is_tried_less_and_less() -> None:
    """While it rests, nobody waits: the table goes on in text at once."""
    async with running((*STRANGE, "never ready"), pauses=(0.0, 3600.0)) as pictures:
        waits = asyncio.create_task(pictures.draw(picture()))
        assert await waits is None
        assert pictures.measures.worker_starts == 2 and not pictures.can_draw
        assert await pictures.draw(picture()) is None


async def test_command_that_does_not_exist_leaves_text() -> None:
    async with running(("/nowhere/to/be/found",), pauses=(3600.0,)) as pictures:
        with lines_written() as lines:
            assert await pictures.draw(picture()) is None
        assert any("cannot be started" in line for line in lines)


async def test_pictures_come_in_the_order_asked_for() -> None:
    ended: list[str] = []
    async with running() as pictures:

        async def ask(number: int) -> None:
            file = await pictures.draw(picture(str(number)))
            assert file is not None
            ended.append(file.decode())

        await asyncio.gather(*(ask(number) for number in range(50)))
    assert ended == [str(number) for number in range(50)]


async def test_newest_of_one_table_wins_and_keeps_its_turn() -> None:
    """While one picture is drawn, table 1 asks three times and table 2 once: table 1 is drawn once, before table 2."""
    async with running() as pictures:
        asked = [
            asyncio.create_task(pictures.draw(picture(text), key))
            for key, text in ((0, "busy"), (1, "old"), (1, "older"), (2, "other"), (1, "newest"))
        ]
        assert await asyncio.gather(*asked) == [b"busy", None, None, b"other", b"newest"]
        assert pictures.measures.skipped == 2 and pictures.measures.drawn == 3


async def test_list_of_waiting_pictures_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "MAX_WAITING", 3)
    async with running() as pictures:
        asked = [asyncio.create_task(pictures.draw(picture(str(number)), number)) for number in range(5)]
        await asyncio.sleep(0)
        assert pictures.waiting_count == 3
        assert await asyncio.gather(*asked) == [None, None, b"2", b"3", b"4"]


async def test_drawing_is_counted_for_whoever_asked() -> None:
    used: list[float] = []
    async with running() as pictures:
        assert await pictures.draw(picture("nobody's")) == b"nobody's"
        token = WORK.set(used.append)
        try:
            assert await pictures.draw(picture("hers")) == b"hers"
        finally:
            WORK.reset(token)
        assert await pictures.draw(picture("next")) == b"next"
        assert len(used) == 1


async def test_caller_that_goes_away_leaves_the_list() -> None:
    async with running() as pictures:
        gone = asyncio.create_task(pictures.draw(picture("gone")))
        await asyncio.sleep(0)
        assert pictures.waiting_count == 1
        gone.cancel()
        assert await pictures.draw(picture("next")) == b"next"
        assert pictures.waiting_count == 0 and pictures.measures.drawn == 1


async def test_close_ends_the_process_and_whoever_waits(tmp_path: Path) -> None:
    async with running() as pictures:
        door = tmp_path / "door"
        drawing, waiting = (
            asyncio.create_task(pictures.draw(one)) for one in (picture(str(door), "wait for file"), picture("waits"))
        )
        await until(door.exists)
        pid = pictures.worker_pid
        assert pid is not None
        await pictures.close()
        assert await asyncio.gather(drawing, waiting) == [None, None]
        assert not is_there(pid)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_process_ends_when_its_parent_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=ROOT, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_there(pid)
    parent.kill()
    parent.wait()
    asyncio.run(until(lambda: not is_there(pid)))
    parent.stdout.close()


PARENT = """
import asyncio
from bot.pictures.maker import PictureMaker

async def main() -> None:
    pictures = PictureMaker()
    pictures.start()
    await pictures.wait_until_ready()
    print(pictures.worker_pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
async def test_process_is_nice_deaf_to_signals_and_knows_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C reaches the whole group: the bot decides when the drawing ends."""
    monkeypatch.setenv("DISCORD_TOKEN", "not for others")
    async with running(COLD) as pictures:
        await pictures.wait_until_ready()
        pid = pictures.worker_pid
        assert pid is not None
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5)
        assert b"not for others" not in Path(f"/proc/{pid}/environ").read_bytes()
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGTERM)
        assert await pictures.draw(picture()) is not None
        assert pictures.worker_pid == pid


@pytest.mark.skipif(sys.platform == "win32", reason="has no niceness")
def test_process_draws_where_niceness_is_refused() -> None:
    """As a service manager does that filters system calls."""
    done = subprocess.run(
        [sys.executable, "-c", REFUSED + COLD_WORKER],
        input=b"",
        capture_output=True,
        timeout=LONG,
        cwd=ROOT,
        check=False,
    )
    assert done.stdout == write_frame(bytes([AnswerKind.READY])) and done.returncode == 0


REFUSED = """
import errno, os

def refuse(_: int) -> int:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

os.nice = refuse
"""


@pytest.mark.full
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
async def test_thousand_pictures_do_not_grow_the_process() -> None:
    """Once its stores of cards and words are full, which takes 800 pictures with words of their own."""
    async with running(WORKER) as pictures:

        async def draw_some(count: int) -> int:
            for number in range(count):
                assert await pictures.draw(picture(f"Hand #{number}")) is not None
            status = Path(f"/proc/{pictures.worker_pid}/status").read_text()
            return int(status.partition("VmRSS:")[2].split()[0])

        before = await draw_some(800)
        assert await draw_some(1_000) - before < 4_000, "kilobytes"
        assert pictures.measures.worker_starts == 1


@pytest.mark.parametrize(
    "sent", [write_frame(b"no picture"), (LARGEST_FRAME + 1).to_bytes(LENGTH_BYTES, "big"), b"\x00\x00", b""]
)
def test_whatever_comes_in_the_process_ends_with_its_input(sent: bytes) -> None:
    """What is no picture is refused, what is no frame ends it, and a frame that breaks off ends it quietly."""
    done = subprocess.run([*COLD], input=sent, capture_output=True, timeout=LONG, cwd=ROOT, check=False)
    ready = write_frame(bytes([AnswerKind.READY]))
    assert done.stdout.startswith(ready)
    answer = done.stdout.removeprefix(ready)
    if sent.endswith(b"no picture"):
        assert answer[LENGTH_BYTES] == AnswerKind.FAILED and done.returncode == 0
    else:
        assert answer == b"" and (done.returncode == 0) == (len(sent) < LENGTH_BYTES)


def test_cards_stand_in_no_description_of_an_error() -> None:
    try:
        raise ValueError(f"the {51} is missing")
    except ValueError as error:
        assert describe_error(error).startswith("ValueError at test_maker.py:")


def test_equal_pictures_are_equal_bytes_on_the_way() -> None:
    assert encode_picture(picture()) == encode_picture(picture())
    assert encode_picture(picture()) != encode_picture(picture("other"))


def test_request_is_answered_between_two_steps_of_preparing() -> None:
    answers, seen = BytesIO(), list[str]()
    out, into = os.pipe()

    def steps() -> Iterator[None]:
        seen.append("first step")
        os.write(into, write_frame(encode_picture(picture("asked"))))
        yield
        seen.append(f"second step, {len(answers.getvalue())} bytes answered")
        yield
        os.close(into)
        yield
        raise AssertionError("nobody waits for this")

    with os.fdopen(out, "rb") as requests:
        serve(requests, answers, lambda _: b"drawn", steps())
    assert seen == ["first step", "second step, 10 bytes answered"]
    assert answers.getvalue() == write_frame(bytes([AnswerKind.DRAWN]) + b"drawn")


def test_nothing_is_prepared_until_nobody_has_asked_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pictures are asked for soon after each other; then nobody asks, and each step is followed by a rest."""
    out, into = os.pipe()
    waits, steps_taken, clock = list[float](), list[int](), [0.0]
    asked = iter([True, True, False, False, False, True])

    def select(requests: list[object], *_: object) -> tuple[list[object], list[object], list[object]]:
        waits.append(_[-1])  # type: ignore[arg-type]
        return (requests if next(asked) else [], [], [])

    def steps() -> Iterator[None]:
        for number in range(5):
            clock[0] += 0.02
            steps_taken.append(number)
            yield

    monkeypatch.setattr(worker.select, "select", select)
    monkeypatch.setattr(worker.time, "monotonic", lambda: clock[0])
    for words in ("one", "two"):
        os.write(into, write_frame(encode_picture(picture(words))))
    os.close(into)
    with os.fdopen(out, "rb") as requests:
        serve(requests, BytesIO(), lambda _: b"drawn", steps(), idle_seconds=5)
    assert steps_taken == [0, 1, 2]
    assert waits == [5, 5, 5, *[pytest.approx(worker.REST * 0.02)] * 3]


def test_error_while_preparing_does_not_end_the_process() -> None:
    out, into = os.pipe()
    answers = BytesIO()

    def steps() -> Iterator[None]:
        os.write(into, write_frame(encode_picture(picture("asked"))))
        os.close(into)
        yield from ()
        raise OSError("a font that cannot be read")

    with os.fdopen(out, "rb") as requests:
        serve(requests, answers, lambda _: b"drawn", steps())
    told, drawn = read_frames(answers.getvalue())
    assert (
        told[0] == AnswerKind.UNPREPARED and told[1:].startswith(b"OSError at test_maker.py:") and b"font" not in told
    )
    assert drawn == bytes([AnswerKind.DRAWN]) + b"drawn"


def read_frames(written: bytes) -> list[bytes]:
    """Return the bodies of frames that follow one another."""
    bodies = []
    while written:
        end = LENGTH_BYTES + read_length(written[:LENGTH_BYTES])
        bodies.append(written[LENGTH_BYTES:end])
        written = written[end:]
    return bodies


def test_answers_are_prepared_card_by_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step draws one card, so that whoever asks waits for one at most, and the tables' cards are there still.

    Eight cards stand for the deck.
    """
    monkeypatch.setattr(sprites, "STANDARD_52", STANDARD_52[::7])
    kept: PictureStore[Sprite] = PictureStore(SPRITES_MAX, SPRITES_BYTES_MAX)
    monkeypatch.setattr(sprites, "SPRITES", kept)
    warm_up()
    counts = [len(kept) for _ in warm_up_answers()]
    assert len(counts) == 3 * 8 and all(after - before in {1, 2} for before, after in pairwise(counts))
    warm_up()
    assert len(kept) == counts[-1]
