"""What the checker of files says of a file of hands, in the reader's words (`bot.operation.hand_check` says it, `bot.render` shows it)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct


class ToldPage(Struct, frozen=True):
    """A street of an imported hand in words: its title and its lines, as markdown."""

    title: str
    text: str


class CheckedHand(Struct, frozen=True):
    """What the dealer says of one hand of a file.

    Attributes:
        number: of the hand in the file, from 1. line: the number of its first line.
        title: the game, as markdown; empty where it cannot be read. plain_title: the same as plain text.
        verdict: a `bot.text.hand_files.Verdict`.
        fault: what is wrong with it, as markdown; empty for nothing.
        compressed_pages: the hand street by street, compressed: see `pages`.
        replay: the hand step by step, as `bot.history.played_file_hand` encodes it; empty where it can be told by street only.
    """

    number: int
    line: int
    verdict: str
    title: str = ""
    plain_title: str = ""
    fault: str = ""
    compressed_pages: bytes = b""
    replay: bytes = b""

    def pages(self) -> tuple[ToldPage, ...]:
        """Return the hand street by street; nothing where it cannot be played."""
        if not self.compressed_pages:
            return ()
        return msgspec.msgpack.decode(zlib.decompress(self.compressed_pages), type=tuple[ToldPage, ...])


def compress_pages(pages: Sequence[ToldPage]) -> bytes:
    """Compress pages."""
    return zlib.compress(msgspec.msgpack.encode(pages), 6)


class CheckedFile(Struct, frozen=True):
    """What the dealer says of a file.

    Attributes:
        kind: a `bot.history.read_file.FileKind`.
        hands: as far as it was read. more: how many further hands it has. stopped: the time was up.
        error: why nothing of it can be read, as markdown; empty where something can.
        seconds: of the processor that it took.
    """

    kind: str = ""
    hands: tuple[CheckedHand, ...] = ()
    more: int = 0
    stopped: bool = False
    error: str = ""
    seconds: float = 0.0
