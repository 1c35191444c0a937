"""The order of a deck, derived from a secret that never leaves the data directory.

Each hand has the secret S = HMAC-SHA256(master, table | hand | nonce). The nonce is stored with the hand, the master secret in a file of
its own. So the deck of a running hand can be derived again after a restart, and a stolen data file shows no card.
"""

import hmac
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

MASTER_BYTES = 32
NONCE_BYTES = 16


class MissingSecret(Exception):
    """The master secret of these hands is missing or incomplete: their decks cannot be derived again.

    Running hands are voided and refunded (I-1).
    """


def master_secret(path: Path, *, create: bool) -> bytes:
    """Read the master secret or, with `create`, make one if there is none.

    A caller that has running hands must not create one: a new secret would deal them other cards.

    Raises:
        MissingSecret: there is no secret and `create` is false, or the file does not hold 32 bytes.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        if not create:
            raise MissingSecret(f"{path} is not there") from None
        return _create_secret(path)
    if len(secret) != MASTER_BYTES:
        raise MissingSecret(f"{path} holds {len(secret)} bytes, not {MASTER_BYTES}")
    if os.name == "posix":
        path.chmod(0o600)
    return secret


def _create_secret(path: Path) -> bytes:
    """Write a new secret completely or not at all. It is on the disk before the first hand is dealt from it."""
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
    """Return a nonce for one hand. It is stored with the hand.

    If a table ever lost count of its hands, two hands of the same number would still have different decks.
    """
    return secrets.token_bytes(NONCE_BYTES)


def hand_secret(master: bytes, table: int, hand: int, nonce: bytes) -> bytes:
    """Return the secret S of one hand: 32 bytes. `table` is the store's id of the table, `hand` the number of the hand there."""
    return hmac.digest(master, b"%d|%d|%b" % (table, hand, nonce), "sha256")


def deck_order(
    master: bytes, table: int, hand: int, nonce: bytes, cards: Sequence[int], shuffles: int
) -> tuple[int, ...]:
    """Return the deck in dealing order, top card first. The same arguments give the same order, and every order is equally likely.

    The deck is shuffled `shuffles` times: at least three times for a hand (D-4), and more often if players ask for it (D-3). Each shuffle
    alone makes every order equally likely.

    Raises:
        ValueError: the deck has more than 256 cards.
    """
    if len(cards) > 256:
        raise ValueError(f"a deck of {len(cards)} cards; the maximum is 256")
    secret = hand_secret(master, table, hand, nonce)
    deck = list(cards)
    for number in range(shuffles):
        shuffle_once(deck, secret, number)
    return tuple(deck)


def shuffle_once(deck: list[int], secret: bytes, shuffle_number: int) -> None:
    """Shuffle a deck in place, by the Fisher-Yates method from the last card down.

    Each position is drawn from a stream of bytes that depends on the hand's secret and the number of the shuffle. Bytes that would make
    some positions more likely are skipped.
    """
    stream = _random_bytes(secret, shuffle_number, 0)
    block, next_byte = 0, 0
    for last in range(len(deck) - 1, 0, -1):
        remaining = last + 1
        fair = 256 - 256 % remaining  # bytes from here up would make the first positions more likely
        while True:
            if next_byte == len(stream):
                block += 1
                stream, next_byte = _random_bytes(secret, shuffle_number, block), 0
            byte = stream[next_byte]
            next_byte += 1
            if byte < fair:
                break
        other = byte % remaining
        deck[last], deck[other] = deck[other], deck[last]


def _random_bytes(secret: bytes, shuffle_number: int, block: int) -> bytes:
    """Return the `block`-th 32 bytes of the stream of one shuffle."""
    return hmac.digest(secret, shuffle_number.to_bytes(4, "big") + block.to_bytes(8, "big"), "sha256")
