"""The process that tells all-in luck and odds: reads hands from its standard input and writes what is asked to its standard output.

    python -m bot.runtime.luck_worker

A hand takes up to a tenth of a second of pure processor time, for which a thread would hold the interpreter away from the event loop. It
gets what everybody could see of a hand that is over or is being run out (`AllInHand`), and neither the deck nor what decks come from.
Before the first hand of a game comes the game itself (`PlayedGame`), so that how its hands rank is learned before somebody's hand is told.

A request and an answer begin with a byte that says what they are.
"""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bot.child_process import LENGTH_BYTES, describe_error, prepare_child, read_length, set_alarm, write_frame
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.luck import AllInLuck, all_in_luck, prepare_luck
from bot.statistics.odds import odds_of
from bot.statistics.types import Odds

NICENESS = 10
"""Pictures come first, and the dealer before them: nobody waits for luck, and for odds not long."""
ALARM_SECONDS = 60
"""A hand that takes so long ends the process. The bot has given it up long before, unless it was killed itself."""


class PlayedGame(Struct, frozen=True, gc=False):
    """A game as it is played at a table: all that the ranking of hands follows from."""

    rule_card: RuleCard
    options: Options
    stakes: Stakes


class LuckRequest(IntEnum):
    """The first byte of a request, and what follows it."""

    PREPARE = 1
    """A `PlayedGame` of which a hand will follow."""
    TELL = 2
    """An `AllInHand` whose luck is asked."""
    ODDS = 3
    """An `AllInHand` whose odds are asked."""


class LuckAnswer(IntEnum):
    """The first byte of an answer, and what follows it."""

    READY = 1
    """The process takes requests, or has prepared for a game; nothing follows."""
    TOLD = 2
    """An `AllInLuck` as msgpack, or nil where there is none."""
    ODDS = 4
    """`Odds` as msgpack, or nil where there are none."""
    FAILED = 3
    """It could not be done: the kind of error and where it was raised: no values, because these can be cards."""


_encoder = msgspec.msgpack.Encoder()
_games = msgspec.msgpack.Decoder(PlayedGame)
_hands = msgspec.msgpack.Decoder(AllInHand)
_lucks: msgspec.msgpack.Decoder[AllInLuck | None] = msgspec.msgpack.Decoder(AllInLuck | None)
_odds: msgspec.msgpack.Decoder[Odds | None] = msgspec.msgpack.Decoder(Odds | None)


def encode_game(game: PlayedGame) -> bytes:
    """Return the request to prepare for a game."""
    return bytes([LuckRequest.PREPARE]) + _encoder.encode(game)


def encode_hand(hand: AllInHand) -> bytes:
    """Return the request to tell the luck of a hand."""
    return bytes([LuckRequest.TELL]) + _encoder.encode(hand)


def encode_odds_request(hand: AllInHand) -> bytes:
    """Return the request to tell the odds of a hand."""
    return bytes([LuckRequest.ODDS]) + _encoder.encode(hand)


def decode_odds(body: bytes) -> Odds | None:
    """Return the odds in an answer.

    Raises:
        msgspec.DecodeError: the bytes are none.
    """
    return _odds.decode(body)


def decode_luck(body: bytes) -> AllInLuck | None:
    """Return the luck in an answer.

    Raises:
        msgspec.DecodeError: the bytes are none.
    """
    return _lucks.decode(body)


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
    """Answer one request after another until the input ends.

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
            kind, answer = _answer_to(body)
        except Exception as error:  # one hand that cannot be told leaves the next ones alone
            kind, answer = LuckAnswer.FAILED, describe_error(error).encode()
        set_alarm(0)
        _answer(answers, kind, answer)


def _answer_to(request: bytes) -> tuple[LuckAnswer, bytes]:
    if request[0] == LuckRequest.PREPARE:
        game = _games.decode(request[1:])
        prepare_luck(game.rule_card, game.options, game.stakes)
        return LuckAnswer.READY, b""
    hand = _hands.decode(request[1:])
    if request[0] == LuckRequest.ODDS:
        return LuckAnswer.ODDS, _encoder.encode(odds_of(hand))
    return LuckAnswer.TOLD, _encoder.encode(all_in_luck(hand))


def _answer(answers: BinaryIO, kind: LuckAnswer, body: bytes = b"") -> None:
    answers.write(write_frame(bytes([kind]) + body))
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
