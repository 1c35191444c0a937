"""A process that tells luck as its first argument says: what can go wrong with a real one, on demand. It writes its hands to a file."""

import os
import signal
import sys
from pathlib import Path

from bot.child_process import LENGTH_BYTES, read_length, write_frame
from bot.runtime.luck_worker import LuckAnswer, LuckRequest, serve

if __name__ == "__main__":
    habit, log = sys.argv[1], Path(sys.argv[2])
    if habit == "never ready":
        sys.exit(1)
    os.write(1, write_frame(bytes([LuckAnswer.READY])))
    if habit == "good":
        serve(sys.stdin.buffer, sys.stdout.buffer)
        sys.exit(0)
    while header := sys.stdin.buffer.read(LENGTH_BYTES):
        request = sys.stdin.buffer.read(read_length(header))
        with log.open("a") as file:
            file.write("game\n" if request[0] == LuckRequest.PREPARE else "hand\n")
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
