"""A drawing process that does what the heading of a picture says: what can go wrong with a real one, on demand."""

import os
import signal
import sys
from pathlib import Path

from bot.child_process import write_frame
from bot.pictures.frames import AnswerKind
from bot.pictures.types import Picture
from bot.pictures.worker import serve


def obey(picture: Picture) -> bytes:
    """Return the small print as if it were a file, or fail as the heading says."""
    match picture.heading:
        case "die":
            os._exit(3)
        case "hang":
            signal.pause()
        case "raise":
            raise KeyError("a card that nobody can see")
        case "garbage":
            os.write(1, b"what a parser never expects")
        case "wrong kind":
            os.write(1, write_frame(b"\x63abc"))
        case "unprepared":
            os.write(1, write_frame(bytes([AnswerKind.UNPREPARED]) + b"OSError at fonts.py:7"))
        case "wait for file":
            os.mkfifo(picture.small_print)
            Path(picture.small_print).read_text()
    return picture.small_print.encode()


if __name__ == "__main__":
    if sys.argv[1:] == ["never ready"]:
        sys.exit(1)
    os.write(1, write_frame(bytes([AnswerKind.READY])))
    serve(sys.stdin.buffer, sys.stdout.buffer, obey)
