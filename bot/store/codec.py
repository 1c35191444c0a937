"""How a journal's events become bytes: MessagePack of a tagged union, so a row needs nothing but its blob to be read again."""

from collections.abc import Sequence
from typing import Any

import msgspec

from bot.runtime.ports import JournalEvent


class EventCodec:
    """The codec of one tagged union of structs, for example ``bot.engine.events.Any | bot.table.events.Any``.

    A field that a later version adds must have a default; a field it drops is skipped in old rows.

    Raises:
        TypeError: two structs of the union have the same tag.
    """

    def __init__(self, union: Any) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder: msgspec.msgpack.Decoder[tuple[JournalEvent, ...]] = msgspec.msgpack.Decoder(tuple[union, ...])

    def encode(self, events: Sequence[JournalEvent]) -> bytes:
        return self._encoder.encode(events)

    def decode(self, blob: bytes) -> tuple[JournalEvent, ...]:
        return self._decoder.decode(blob)
