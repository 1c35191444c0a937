"""What each player has chosen for himself: whether his cards come by direct message. Kept between runs.

Source: ui §5 f, §8.
"""

from __future__ import annotations

from typing import Protocol

OFF, REFUSED = b"off", b"refused"
_KEY = "dm."


class Memory(Protocol):
    """Where choices are kept. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class Preferences:
    """Direct messages are on until somebody turns them off, or Discord refuses them (50007)."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._without: dict[int, bytes] = {}

    async def load(self) -> None:
        """Read what was chosen in runs before."""
        kept = await self._memory.values(_KEY)
        self._without = {int(key.removeprefix(_KEY)): value for key, value in kept.items()}

    def by_dm(self, user: int) -> bool:
        """Whether his cards come by direct message."""
        return user not in self._without

    async def choose(self, user: int, *, by_dm: bool) -> None:
        """Turn direct messages on or off."""
        await self._set(user, None if by_dm else OFF)

    async def refused(self, user: int) -> None:
        """Discord refused one: none is tried until he turns them on."""
        await self._set(user, REFUSED)

    async def _set(self, user: int, value: bytes | None) -> None:
        if value is None:
            self._without.pop(user, None)
        else:
            self._without[user] = value
        await self._memory.keep(f"{_KEY}{user}", value)
