"""A hand of a file as it was played here, written down so that another process can show it step by step."""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct

from bot.engine import events as e
from bot.engine import steps
from bot.engine.dealing.decks import DECKS
from bot.engine.hand import Hand
from bot.engine.old_cards import CardDecoder
from bot.history.replay import ReplayedHand

EVENTS_MAX = 800
"""A hand with more events is told street by street only: a hand of cards has some hundred."""
ENCODED_BYTES_MAX = 32_768
"""How long such a hand can be, compressed; others take a tenth of it."""
_DECODED_BYTES_MAX = 1 << 20


class PlayedFileHand(Struct, frozen=True):
    """A hand of a file with all that happened in it.

    Attributes:
        deck: its deck, with cards that were filled in where the file names none.
        known: the indices of the cards that the file names as dealt.
        names: who sits where, by seat index; empty where the file does not say.
    """

    events: tuple[e.HandEvent, ...]
    deck: tuple[int, ...]
    known: frozenset[int]
    names: tuple[str, ...]

    def __repr__(self) -> str:
        """Tell what it is, without a card (TL-37)."""
        return f"<hand of a file, {len(self.events)} events>"


class NotStepByStep(Exception):
    """A hand of a file cannot be shown step by step: it is too long, leaves open cards unnamed, or was written by another version."""


_decoder = CardDecoder[PlayedFileHand](PlayedFileHand)


def played_file_hand(played: ReplayedHand, names: tuple[str, ...]) -> PlayedFileHand:
    """Return what a replay of a recorded hand came to.

    Raises:
        NotStepByStep: a card lies open that the file does not name. What was filled in there would look like what was dealt.
    """
    started = played.events[0]
    assert isinstance(started, e.HandStarted)
    changes = any(isinstance(step, steps.Draw | steps.PassCards) for step in started.rule_card.steps)
    named = played.dealt_indices | played.held_indices
    if not named.issuperset(_open_indices(played.hand)):
        raise NotStepByStep
    known = played.dealt_indices if changes else named
    deck = played.hand.deck[: len(DECKS[started.options.deck])]  # cards that were shuffled in later come behind them
    return PlayedFileHand(played.events, deck, known, names)


def _open_indices(hand: Hand) -> set[int]:
    """Return the indices of the cards that lie open at the end of a hand."""
    found = {card_index for board in hand.board_indices for card_index in board}
    found.update(*hand.up_indices, hand.shown_indices, hand.proven_opener_indices)
    for seat, down in enumerate(hand.down_indices):
        if hand.shown_seats >> seat & 1:
            found.update(down)
    return found


def encode(hand: PlayedFileHand) -> bytes:
    """Write a hand down.

    Raises:
        NotStepByStep: it is too long.
    """
    if len(hand.events) > EVENTS_MAX:
        raise NotStepByStep
    encoded = zlib.compress(msgspec.msgpack.encode(hand), 6)
    if len(encoded) > ENCODED_BYTES_MAX:
        raise NotStepByStep
    return encoded


def decode(encoded: bytes) -> PlayedFileHand:
    """Read what `encode` wrote.

    Raises:
        NotStepByStep: another version wrote it.
    """
    try:
        unpacked = zlib.decompressobj().decompress(encoded, _DECODED_BYTES_MAX)
        return _decoder.decode(unpacked)
    except (zlib.error, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise NotStepByStep from error
