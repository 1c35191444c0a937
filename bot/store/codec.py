"""Encode a journal's events as MessagePack of a tagged union, so that a row can be read without anything else."""

from collections.abc import Sequence
from typing import Any

import msgspec

from bot.engine.old_cards import CardDecoder
from bot.runtime.store_types import StoredEvent


class EventCodec:
    """The codec of one tagged union of structs, for example ``bot.engine.events.HandEvent | bot.table.events.TableEvent``.

    A field that a later version adds must have a default. A field that it drops is skipped in old rows.

    Raises:
        TypeError: two structs of the union have the same tag.
    """

    def __init__(self, union: Any) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = CardDecoder[tuple[StoredEvent, ...]](tuple[union, ...])

    def encode(self, events: Sequence[StoredEvent]) -> bytes:
        return self._encoder.encode(events)

    def decode(self, blob: bytes) -> tuple[StoredEvent, ...]:
        return self._decoder.decode(blob)
