"""The process that tells all-in luck: reads hands from its standard input and writes their luck to its standard output.

    python -m bot.runtime.luck_worker

A hand takes up to a tenth of a second of pure processor time, for which a thread would hold the interpreter away from the event loop. It
gets what everybody could see of a hand that is over (`AllInHand`), and neither the deck nor what decks come from.

An answer begins with a byte that says what it is.
"""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from typing import BinaryIO

import msgspec

from bot.child_process import LENGTH_BYTES, describe_error, prepare_child, read_length, set_alarm, write_frame
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.luck import AllInLuck, all_in_luck

NICENESS = 10
"""Pictures come first, and the dealer before them: nobody waits for luck."""
ALARM_SECONDS = 60
"""A hand that takes so long ends the process. The bot has given it up long before, unless it was killed itself."""


class LuckAnswer(IntEnum):
    """The first byte of an answer, and what follows it."""

    READY = 1
    """The process takes hands; nothing follows."""
    TOLD = 2
    """An `AllInLuck` as msgpack, or nil where there is none."""
    FAILED = 3
    """The kind of error and where it was raised: no values, because these can be cards."""


_encoder = msgspec.msgpack.Encoder()
_hands = msgspec.msgpack.Decoder(AllInHand)
_answers: msgspec.msgpack.Decoder[AllInLuck | None] = msgspec.msgpack.Decoder(AllInLuck | None)


def encode_hand(hand: AllInHand) -> bytes:
    """Return a hand as a request."""
    return _encoder.encode(hand)


def decode_luck(body: bytes) -> AllInLuck | None:
    """Return the luck in an answer.

    Raises:
        msgspec.DecodeError: the bytes are none.
    """
    return _answers.decode(body)


def main() -> int:
    """Answer until the input ends, because the bot closed it or was killed. Returns the exit code."""
    prepare_child(NICENESS)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed by mistake is no answer
    try:
        _answer(answers, LuckAnswer.READY)
        serve(requests, answers)
    except BrokenPipeError:  # the bot is gone
        os._exit(0)  # closing the pipe once more would complain
    return 0


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one hand after another until the input ends.

    Raises:
        BrokenPipeError: nobody reads the answers any more.
        ValueError: the input holds no frames.
    """
    while True:
        header = requests.read(LENGTH_BYTES)
        if len(header) < LENGTH_BYTES:
            return
        body = requests.read(read_length(header))
        set_alarm(ALARM_SECONDS)
        try:
            kind, answer = LuckAnswer.TOLD, _encoder.encode(all_in_luck(_hands.decode(body)))
        except Exception as error:  # one hand that cannot be told leaves the next ones alone
            kind, answer = LuckAnswer.FAILED, describe_error(error).encode()
        set_alarm(0)
        _answer(answers, kind, answer)


def _answer(answers: BinaryIO, kind: LuckAnswer, body: bytes = b"") -> None:
    answers.write(write_frame(bytes([kind]) + body))
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
