"""A process that tells luck as its first argument says: what can go wrong with a real one, on demand. It writes its hands to a file."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.child_process import LENGTH_BYTES, read_length, write_frame
from bot.runtime.luck_worker import LuckAnswer, LuckRequest, serve
from bot.statistics import luck

ASKED = {LuckRequest.PREPARE: "game", LuckRequest.TELL: "hand", LuckRequest.ODDS: "odds"}
"""What is noted of each request."""


def stop_after_boards(count: int, log: Path) -> None:
    """Let the process stand still, as if it were stopped from outside, when it has looked at so many boards of a hand."""
    boards = luck._boards

    def stopped(*which: Any) -> Iterator[tuple[int, ...]]:
        for number, board in enumerate(boards(*which)):
            if number == count:
                with log.open("a") as file:
                    file.write(f"middle {os.getpid()}\n")
                os.kill(os.getpid(), signal.SIGSTOP)
            yield board

    vars(luck)["_boards"] = stopped


if __name__ == "__main__":
    habit, log = sys.argv[1], Path(sys.argv[2])
    if habit == "never ready":
        sys.exit(1)
    os.write(1, write_frame(bytes([LuckAnswer.READY])))
    if habit == "stop in the middle":
        stop_after_boards(1_000, log)
        serve(sys.stdin.buffer, sys.stdout.buffer)
        sys.exit(0)
    if habit == "good":
        serve(sys.stdin.buffer, sys.stdout.buffer)
        sys.exit(0)
    while header := sys.stdin.buffer.read(LENGTH_BYTES):
        request = sys.stdin.buffer.read(read_length(header))
        with log.open("a") as file:
            file.write(ASKED[LuckRequest(request[0])] + "\n")
        if request[0] == LuckRequest.PREPARE and habit != "die at once":
            os.write(1, write_frame(bytes([LuckAnswer.READY])))
            continue
        match habit:
            case "die" | "die at once":
                os._exit(3)
            case "hang":
                signal.pause()
            case "raise":
                os.write(1, write_frame(bytes([LuckAnswer.FAILED]) + b"KeyError at luck.py:7"))
            case "garbage":
                os.write(1, b"what a parser never expects")
            case "wrong kind":
                os.write(1, write_frame(b"\x63abc"))
            case "no luck":
                os.write(1, write_frame(bytes([LuckAnswer.TOLD]) + b"\xc0"))
