"""Small values that nobody can read without the master secret, which lies in another file than the data.

Who reads the data file alone finds noise. A value that was changed, moved to another key or sealed by another secret is not there.

The cipher is HMAC-SHA256 in counter mode under a fresh nonce, then HMAC-SHA256 over key, nonce and text (encrypt-then-MAC), each under a
key of its own that is derived from the master secret.
"""

from __future__ import annotations

import hmac
import secrets

from bot.runtime.saved_values import ValueStorage, delete_unreadable

NONCE_BYTES, MARK_BYTES = 16, 32
_BLOCK_BYTES = 32


class SealedValues:
    """Keeps values as `ValueStorage` does, sealed.

    Args:
        secret: the master secret.
    """

    def __init__(self, storage: ValueStorage, secret: bytes) -> None:
        self._storage = storage
        self._cipher_key = hmac.digest(secret, b"sealed values: cipher", "sha256")
        self._mark_key = hmac.digest(secret, b"sealed values: mark", "sha256")

    async def value(self, key: str) -> bytes | None:
        """Return the value under a key; None for none, or one that cannot be opened."""
        sealed = await self._storage.value(key)
        return await self._open(key, sealed) if sealed is not None else None

    async def values(self, prefix: str) -> dict[str, bytes]:
        """Return the values that can be opened, by key. One that cannot be is forgotten."""
        found: dict[str, bytes] = {}
        for key, sealed in (await self._storage.values(prefix)).items():
            value = await self._open(key, sealed)
            if value is not None:
                found[key] = value
        return found

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key; None deletes it."""
        await self._storage.keep(key, None if value is None else self._sealed(key, value))

    async def _open(self, key: str, sealed: bytes) -> bytes | None:
        value = self._opened(key, sealed)
        if value is None:
            await delete_unreadable(self._storage, key.partition(".")[0], key)
        return value

    def _sealed(self, key: str, value: bytes) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        text = self._ciphered(nonce, value)
        return nonce + text + self._mark(key, nonce, text)

    def _opened(self, key: str, sealed: bytes) -> bytes | None:
        nonce, text, mark = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:-MARK_BYTES], sealed[-MARK_BYTES:]
        if len(sealed) < NONCE_BYTES + MARK_BYTES or not hmac.compare_digest(mark, self._mark(key, nonce, text)):
            return None
        return self._ciphered(nonce, text)

    def _ciphered(self, nonce: bytes, text: bytes) -> bytes:
        """Encrypt or decrypt: both add the same stream."""
        blocks = range(-(-len(text) // _BLOCK_BYTES))
        stream = b"".join(
            [hmac.digest(self._cipher_key, nonce + number.to_bytes(8, "big"), "sha256") for number in blocks]
        )
        return bytes([one ^ other for one, other in zip(text, stream, strict=False)])

    def _mark(self, key: str, nonce: bytes, text: bytes) -> bytes:
        """What only the holder of the secret can write; lengths come first, so that no two triples have the same."""
        name = key.encode()
        return hmac.digest(self._mark_key, b"%d:%b%b%b" % (len(name), name, nonce, text), "sha256")
