"""The order of a deck, from a secret that never leaves the data directory.

Each hand's secret is S = HMAC-SHA256(master, table | hand | nonce); the nonce is stored with the hand, the master
secret in a file of its own. So the deck of a running hand can be derived again after a restart, and a stolen data file
shows no card.

Source: design §6, first clause.
"""

import hmac
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

MASTER_BYTES = 32
SHUFFLES = 3
"""Times the pack is shuffled for one deal: three at the least (D-4)."""
NONCE_BYTES = 16


class MissingSecret(Exception):
    """The master secret of these hands is not there, or not whole: their decks cannot be derived again.

    Hands that were being dealt are voided and paid back (I-1).
    """


def master_secret(path: Path, *, create: bool) -> bytes:
    """Read the master secret, or make it once if `create` allows.

    A caller that has open hands does not create: a new secret would give them other cards.

    Raises:
        MissingSecret: there is none and none may be made, or the file holds anything but 32 bytes.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        if not create:
            raise MissingSecret(f"{path} is not there") from None
        return _create(path)
    if len(secret) != MASTER_BYTES:
        raise MissingSecret(f"{path} holds {len(secret)} bytes, not {MASTER_BYTES}")
    if os.name == "posix":
        path.chmod(0o600)
    return secret


def _create(path: Path) -> bytes:
    """Write a new secret so that it is there whole or not at all, and on the disk before the first hand is dealt from it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    secret = secrets.token_bytes(MASTER_BYTES)
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return secret


def new_nonce() -> bytes:
    """A nonce for one hand; stored with it.

    It keeps two hands of the same number from sharing a deck, should a table's count be lost.
    """
    return secrets.token_bytes(NONCE_BYTES)


def hand_secret(master: bytes, table: int, hand: int, nonce: bytes) -> bytes:
    """S of one hand, 32 bytes. `table` is the store's id of the table, `hand` the hand's number there."""
    return hmac.digest(master, b"%d|%d|%b" % (table, hand, nonce), "sha256")


def deck_order(
    master: bytes, table: int, hand: int, nonce: bytes, pack: Sequence[int], shuffles: int = SHUFFLES
) -> tuple[int, ...]:
    """The pack in dealing order, top card first: the same for the same arguments, and every order equally likely.

    The pack is shuffled `SHUFFLES` times (D-4), or oftener where players demand it (D-3); each shuffle by itself makes
    every order equally likely. Packs of up to 256 cards.

    Raises:
        ValueError: the pack is larger.
    """
    if len(pack) > 256:
        raise ValueError(f"a pack of {len(pack)} cards; 256 is the most")
    secret = hand_secret(master, table, hand, nonce)
    deck = list(pack)
    for number in range(shuffles):
        shuffle(deck, secret, number)
    return tuple(deck)


def shuffle(deck: list[int], secret: bytes, number: int) -> None:
    """Fisher–Yates from the last place down; each place is drawn from a stream of bytes keyed by the hand's secret and
    the shuffle's number. Bytes that would favour some places are passed over."""
    stream = _stream(secret, number, 0)
    block, at = 0, 0
    for last in range(len(deck) - 1, 0, -1):
        places = last + 1
        fair = 256 - 256 % places  # bytes from here up would make the first places likelier
        while True:
            if at == len(stream):
                block += 1
                stream, at = _stream(secret, number, block), 0
            byte = stream[at]
            at += 1
            if byte < fair:
                break
        other = byte % places
        deck[last], deck[other] = deck[other], deck[last]


def _stream(secret: bytes, number: int, block: int) -> bytes:
    """The `block`-th 32 bytes of one shuffle's stream."""
    return hmac.digest(secret, number.to_bytes(4, "big") + block.to_bytes(8, "big"), "sha256")
