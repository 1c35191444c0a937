"""The drawing process: reads pictures from its standard input, and writes WebP files to its standard output, until the input ends.

    python -m bot.pictures.worker

Drawing takes tens of milliseconds of pure processor time, for which a thread would hold the interpreter away from the event loop.
"""

import gc
import os
import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from bot.child_process import LENGTH_BYTES, describe_error, prepare_child, read_length, set_alarm, write_frame
from bot.pictures.frames import AnswerKind, decode_picture
from bot.pictures.types import Picture

NICENESS = 5
"""The dealer comes first: a picture can wait, a click cannot."""
IDLE_SECONDS = 5.0
"""Nothing is made ready until so long no picture was asked for: whoever plays, when the dealer has just started, has the processor."""
REST = 3.0
"""After each step of making ready, the process rests so many times as long as that took: it takes a quarter of a processor, and less where
others need it."""
ALARM_SECONDS = 10
"""A picture that takes so long ends the process. The bot has given it up long before, unless it was killed itself."""


def main() -> int:
    """Draw until the input ends, because the bot closed it or was killed. Returns the exit code."""
    prepare_child(NICENESS)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed by mistake is no answer
    try:
        from PIL import Image

        from bot.pictures.draw import draw, preparations

        Image.preinit()
    except Exception as error:  # the bot logs why there are no pictures
        _answer(answers, AnswerKind.FAILED, describe_error(error).encode())
        return 1
    gc.freeze()
    try:
        _answer(answers, AnswerKind.READY)
        serve(requests, answers, draw, preparations(), idle_seconds=IDLE_SECONDS)
    except BrokenPipeError:  # the bot is gone
        os._exit(0)  # closing the pipe once more would complain
    return 0


def serve(
    requests: BinaryIO,
    answers: BinaryIO,
    draw: Callable[[Picture], bytes],
    preparations: Iterable[None] = (),
    *,
    idle_seconds: float = 0.0,
) -> None:
    """Answer one request after another until the input ends.

    Args:
        preparations: what can be made ready before it is asked for, in steps that are taken while no request waits.
        idle_seconds: see `IDLE_SECONDS`.

    Raises:
        BrokenPipeError: nobody reads the answers any more.
        ValueError: the input holds no frames.
    """
    steps = iter(preparations)
    while True:
        _prepare(requests, answers, steps, idle_seconds)
        header = requests.read(LENGTH_BYTES)
        if len(header) < LENGTH_BYTES:
            return
        body = requests.read(read_length(header))
        set_alarm(ALARM_SECONDS)
        try:
            kind, answer = AnswerKind.DRAWN, draw(decode_picture(body))
        except Exception as error:  # one picture that cannot be drawn leaves the next ones alone
            kind, answer = AnswerKind.FAILED, describe_error(error).encode()
        set_alarm(0)
        _answer(answers, kind, answer)


def _prepare(requests: BinaryIO, answers: BinaryIO, steps: Iterator[None], idle_seconds: float) -> None:
    """Take steps until a request comes or none is left. The bot asks again only once it is answered, so no request hides in a buffer."""
    rest = idle_seconds
    if sys.platform == "win32":  # pipes cannot tell there whether something waits
        return
    try:
        while not select.select([requests], [], [], rest)[0]:
            began_at = time.monotonic()
            next(steps)
            rest = REST * (time.monotonic() - began_at)
    except StopIteration:
        return
    except Exception as error:  # preparing ends here; the bot logs why, before the next picture
        _answer(answers, AnswerKind.UNPREPARED, describe_error(error).encode())


def _answer(answers: BinaryIO, kind: AnswerKind, body: bytes = b"") -> None:
    answers.write(write_frame(bytes([kind]) + body))
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
