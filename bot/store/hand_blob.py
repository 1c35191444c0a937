"""Encode the journal rows of a hand that is over as one compressed blob, and decode it to the same rows, byte for byte.

Format 1 is a zstd frame, made with a trained dictionary, of a MessagePack list (`_Content`). A version that writes another format keeps
reading this one. The dictionary lies in the data file too, so that a blob can be read without the program that wrote it.
"""

import functools
import hashlib
import re
import threading
from collections.abc import Sequence
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

import msgspec
import zstandard

FORMAT = 1
DICTIONARY = 1
"""The dictionary that new blobs are compressed with. A dictionary never changes: a better one gets the next number."""
LEVEL = 12
"""Twenty times quicker than the highest level, for blobs that are three percent longer."""
MAX_BLOB_BYTES = 1 << 26
"""No hand comes near it: a blob that says it is longer is damaged."""
_CARD_KEY = b"\xa9rule_card"
_TIME = re.compile(rb"\xcf\x00\x00\x01(.{5})", re.DOTALL)
"""A time in ms since the epoch, as MessagePack has it, from 2004 to 2039."""
_TIME_BYTES = 5
_encode = msgspec.msgpack.Encoder().encode


class JournalRow(NamedTuple):
    """The events of one commit, as the journal has them. `size` is their number."""

    seq: int
    size: int
    cause: int
    blob: bytes


class StoredCause(NamedTuple):
    """Who asked for a commit, when (ms since the epoch), and for what."""

    id: int
    who: int
    at: int
    what: str


class PackedHand(NamedTuple):
    """A blob, and the rule card that was left out of it; None if nothing was."""

    blob: bytes
    card: bytes | None


class UnpackedHand(NamedTuple):
    """The rows of a blob, and the causes of those rows."""

    rows: tuple[JournalRow, ...]
    causes: tuple[StoredCause, ...]


class BlobUnreadable(Exception):
    """A blob that is damaged, or of a format that this program does not know."""


class _Content(msgspec.Struct, array_like=True):
    """What is compressed.

    Attributes:
        counts: the number of events of each row.
        causes: of each row's cause the id, as the difference from the row before it, the time, as the difference from the first time in
            its events, the index of who asked, and what for.
        users: everybody who asked for something, in the order in which they did.
        card_at: where the rule card was cut out of `events`; -1 if it was not.
        events: the events of all rows, one after the other. Of every time but the first the difference from the time before it is written:
            clocks run for a set time, so most differences are the same.
    """

    counts: list[int]
    causes: list[tuple[int, int, int, str]]
    users: list[int]
    card_at: int
    events: bytes


_decode_content = msgspec.msgpack.Decoder(_Content).decode
_decode_events = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode


def shipped_dictionary() -> bytes:
    """Return the dictionary that new blobs are compressed with. `tests/store/train_dictionary.py` has made it."""
    return (resources.files("bot.store") / "dictionaries" / f"{DICTIONARY}.zdict").read_bytes()


class _Compressors(threading.local):
    """zstd's own objects, which must not be used by two threads at once."""

    def __init__(self) -> None:
        self.compress = functools.lru_cache(8)(self._compressor)
        self.decompress = functools.lru_cache(8)(self._decompressor)

    def _compressor(self, dictionary: bytes) -> zstandard.ZstdCompressor:
        trained = zstandard.ZstdCompressionDict(dictionary)
        return zstandard.ZstdCompressor(level=LEVEL, dict_data=trained, write_dict_id=False, write_checksum=True)

    def _decompressor(self, dictionary: bytes) -> zstandard.ZstdDecompressor:
        return zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(dictionary))


_compressors = _Compressors()


def encode_content(rows: Sequence[JournalRow], causes: Sequence[StoredCause]) -> tuple[bytes, bytes | None]:
    """Return what is compressed, and the rule card that was cut out of it; None if none was.

    Args:
        causes: those of the rows, in the same order.

    Raises:
        msgspec.MsgspecError: a row is no list of events.
    """
    events = b"".join(row.blob[len(_list_header(row.size)) :] for row in rows)
    card = _rule_card(rows)
    card_at = events.find(card) if card is not None else -1
    if card is not None and card_at >= 0:
        events = events[:card_at] + events[card_at + len(card) :]
    else:
        card = None
    users = list(dict.fromkeys(cause.who for cause in causes))
    content = _Content(
        counts=[row.size for row in rows],
        causes=[
            (cause.id - last.id, cause.at - _first_time(row.blob), users.index(cause.who), cause.what)
            for row, (last, cause) in zip(rows, pairwise([StoredCause(0, 0, 0, ""), *causes]), strict=True)
        ],
        users=users,
        card_at=card_at,
        events=_times_as_differences(events),
    )
    return _encode(content), card


def pack_hand(rows: Sequence[JournalRow], causes: Sequence[StoredCause], dictionary: bytes) -> PackedHand:
    """Encode rows that follow one another, with their causes. The rule card of the hand is cut out, to be stored once for all hands.

    Raises:
        msgspec.MsgspecError: a row is no list of events.
    """
    content, card = encode_content(rows, causes)
    return PackedHand(_compressors.compress(dictionary).compress(content), card)


def unpack_hand(seq: int, packed: PackedHand, dictionary: bytes, format_: int = FORMAT) -> UnpackedHand:
    """Decode a blob.

    Args:
        seq: the number of its first event.

    Raises:
        BlobUnreadable: it is damaged, or of a format that this program does not know.
    """
    try:
        content = _content(packed.blob, dictionary, format_)
        events = _times_from_differences(content.events)
        if content.card_at >= 0:
            events = events[: content.card_at] + (packed.card or b"") + events[content.card_at :]
        each = _decode_events(_list_header(sum(content.counts)) + events)
    except msgspec.MsgspecError as error:
        raise BlobUnreadable(f"a finished hand cannot be read: {error}") from error
    rows: list[JournalRow] = []
    causes: list[StoredCause] = []
    first = id_ = 0
    for count, (step, after, who, what) in zip(content.counts, content.causes, strict=True):
        blob = _list_header(count) + b"".join(bytes(event) for event in each[first : first + count])
        id_ += step
        rows.append(JournalRow(seq + first, count, id_, blob))
        causes.append(StoredCause(id_, content.users[who], _first_time(blob) + after, what))
        first += count
    return UnpackedHand(tuple(rows), tuple(causes))


def hand_events(blob: bytes, dictionary: bytes, card_id: int | None, format_: int = FORMAT) -> bytes:
    """Decode the events of a blob alone, as one MessagePack list. The id of the rule card stands where it was cut out.

    It is three times as fast as `unpack_hand`, for whoever reads many hands and knows their rule cards.

    Raises:
        BlobUnreadable: it is damaged, or of a format that this program does not know.
    """
    content = _content(blob, dictionary, format_)
    events = _times_from_differences(content.events)
    if content.card_at >= 0 and card_id is not None:
        events = events[: content.card_at] + _encode(card_id) + events[content.card_at :]
    return _list_header(sum(content.counts)) + events


def names_person(blob: bytes, dictionary: bytes, user: int, format_: int = FORMAT) -> bool:
    """Return whether a person's id stands in a blob, as somebody in its events or as who asked for something. No row is built.

    Raises:
        BlobUnreadable: it is damaged, or of a format that this program does not know.
    """
    content = _content(blob, dictionary, format_)
    return user in content.users or _encode(user) in _times_from_differences(content.events)


def _content(blob: bytes, dictionary: bytes, format_: int) -> _Content:
    if format_ != FORMAT:
        raise BlobUnreadable(f"a finished hand is of format {format_}, which only a newer program reads")
    try:
        return _decode_content(_compressors.decompress(dictionary).decompress(blob, max_output_size=MAX_BLOB_BYTES))
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise BlobUnreadable(f"a finished hand cannot be read: {error}") from error


def part_digest(part: bytes) -> bytes:
    """Return the name of a part that is stored once."""
    return hashlib.sha256(part).digest()


def _first_time(events: bytes) -> int:
    """Return the first time in encoded events; 0 if there is none."""
    found = _TIME.search(events)
    return int.from_bytes(found[0][1:], "big") if found is not None else 0


def _times_as_differences(events: bytes) -> bytes:
    """Write each time as the difference from the time before it. The length stays as it is, so the times are found again."""
    last = 0

    def difference(found: re.Match[bytes]) -> bytes:
        nonlocal last
        at = int.from_bytes(found[1], "big")
        changed, last = at - last, at
        return found[0][:-_TIME_BYTES] + (changed % (1 << 8 * _TIME_BYTES)).to_bytes(_TIME_BYTES, "big")

    return _TIME.sub(difference, events)


def _times_from_differences(events: bytes) -> bytes:
    last = 0

    def time(found: re.Match[bytes]) -> bytes:
        nonlocal last
        last = (last + int.from_bytes(found[1], "big")) % (1 << 8 * _TIME_BYTES)
        return found[0][:-_TIME_BYTES] + last.to_bytes(_TIME_BYTES, "big")

    return _TIME.sub(time, events)


def _list_header(count: int) -> bytes:
    """Return the first bytes of a MessagePack list, as every encoder writes them."""
    if count < 16:
        return bytes((0x90 | count,))
    return b"\xdc" + count.to_bytes(2, "big") if count < 1 << 16 else b"\xdd" + count.to_bytes(4, "big")


def _rule_card(rows: Sequence[JournalRow]) -> bytes | None:
    """Return the encoded rule card of the hand that the rows begin; None if they begin none."""
    for row in rows:
        if _CARD_KEY in row.blob:
            for event in msgspec.msgpack.decode(row.blob):
                if event.get("type") == "HandStarted":
                    return _encode(event["rule_card"])
    return None
