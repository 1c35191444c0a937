"""What each player has chosen for himself: whether his cards come by direct message, and the colours they have. Kept between runs.

Source: ui §2, §5 f, §8.
"""

from __future__ import annotations

from typing import Protocol

OFF, REFUSED, TWO_COLOUR = b"off", b"refused", b"two"
_DM, _DECK = "dm.", "deck."


class Memory(Protocol):
    """Where choices are kept. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class Preferences:
    """Direct messages are on until somebody turns them off, or Discord refuses them (50007). Cards have four colours unless two are
    asked for."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._without: dict[int, bytes] = {}
        self._decks: dict[int, bytes] = {}

    async def load(self) -> None:
        """Read what was chosen in runs before."""
        self._without = await self._kept(_DM)
        self._decks = await self._kept(_DECK)

    def by_dm(self, user: int) -> bool:
        """Whether his cards come by direct message."""
        return user not in self._without

    def two_colour(self, user: int) -> bool:
        """Whether he wants diamonds as red as hearts, and clubs as black as spades, where only he sees them."""
        return self._decks.get(user) == TWO_COLOUR

    async def choose(self, user: int, *, by_dm: bool) -> None:
        """Turn direct messages on or off."""
        await self._set(self._without, _DM, user, None if by_dm else OFF)

    async def choose_deck(self, user: int, *, two_colour: bool) -> None:
        """Choose the colours of one's cards."""
        await self._set(self._decks, _DECK, user, TWO_COLOUR if two_colour else None)

    async def refused(self, user: int) -> None:
        """Discord refused a direct message: none is tried until he turns them on."""
        await self._set(self._without, _DM, user, REFUSED)

    async def _kept(self, prefix: str) -> dict[int, bytes]:
        kept = await self._memory.values(prefix)
        return {int(key.removeprefix(prefix)): value for key, value in kept.items()}

    async def _set(self, chosen: dict[int, bytes], prefix: str, user: int, value: bytes | None) -> None:
        if value is None:
            chosen.pop(user, None)
        else:
            chosen[user] = value
        await self._memory.keep(f"{prefix}{user}", value)
