"""Each player's preferences, saved between runs: direct messages, the look of their cards, who can look up their statistics, quiet
hours, the language of their Discord."""

from __future__ import annotations

from typing import Protocol

from bot.text.language import ENGLISH, Language, language_for

OFF, REFUSED, TWO_COLOUR, LARGE = b"off", b"refused", b"two", b"large"
PRIVATE = b"private"
_DM_PREFIX, _DECK_PREFIX, _SIZE_PREFIX, _LOCALE_PREFIX = "dm.", "deck.", "size.", "locale."
_STATISTICS_PREFIX = "statistics."
_QUIET_PREFIX = "quiet."
_ACHIEVEMENTS_PREFIX = "achievements."


class PreferenceStorage(Protocol):
    """Where preferences are saved. The store is one."""

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class Preferences:
    """The preferences of all players.

    Direct messages are on until a player turns them off or Discord refuses them (50007). Cards have four colours unless a player asks
    for two, and stand in the text of *My hand*
    alone unless they want them drawn large too. Everybody in a server can look up statistics unless their player keeps them private.
    """

    def __init__(self, storage: PreferenceStorage) -> None:
        self._storage = storage
        self._dm_choices: dict[int, bytes] = {}
        self._deck_choices: dict[int, bytes] = {}
        self._sizes: dict[int, bytes] = {}
        self._locales: dict[int, bytes] = {}
        self._statistics: dict[int, bytes] = {}
        self._quiet_hours: dict[int, bytes] = {}
        self._achievements: dict[int, bytes] = {}

    async def load(self) -> None:
        """Read what earlier runs saved."""
        self._dm_choices = await self._load_values(_DM_PREFIX)
        self._deck_choices = await self._load_values(_DECK_PREFIX)
        self._sizes = await self._load_values(_SIZE_PREFIX)
        self._locales = await self._load_values(_LOCALE_PREFIX)
        self._statistics = await self._load_values(_STATISTICS_PREFIX)
        self._quiet_hours = await self._load_values(_QUIET_PREFIX)
        self._achievements = await self._load_values(_ACHIEVEMENTS_PREFIX)

    def wants_dms(self, user: int) -> bool:
        """Return whether the player's hole cards come by direct message."""
        return user not in self._dm_choices

    def wants_two_colours(self, user: int) -> bool:
        """Return whether the player wants a red and black deck where only they see it."""
        return self._deck_choices.get(user) == TWO_COLOUR

    def wants_large_cards(self, user: int) -> bool:
        """Return whether the player's panel shows their cards also as one large picture."""
        return self._sizes.get(user) == LARGE

    def keeps_statistics_private(self, user: int) -> bool:
        """Return whether nobody else can look up the player's statistics."""
        return user in self._statistics

    async def set_statistics(self, user: int, *, private: bool) -> None:
        """Keep the player's statistics private, or let others look them up."""
        await self._set(self._statistics, _STATISTICS_PREFIX, user, PRIVATE if private else None)

    async def set_dms(self, user: int, *, wanted: bool) -> None:
        """Turn direct messages on or off."""
        await self._set(self._dm_choices, _DM_PREFIX, user, None if wanted else OFF)

    async def set_deck(self, user: int, *, two_colour: bool) -> None:
        """Choose between four colours and two."""
        await self._set(self._deck_choices, _DECK_PREFIX, user, TWO_COLOUR if two_colour else None)

    async def set_large_cards(self, user: int, *, wanted: bool) -> None:
        """Choose whether the player's panel shows their cards also as one large picture."""
        await self._set(self._sizes, _SIZE_PREFIX, user, LARGE if wanted else None)

    def hears_of_achievements(self, user: int) -> bool:
        """Return whether a hand's result tells what the player has achieved in it."""
        return user not in self._achievements

    async def set_achievements(self, user: int, *, told: bool) -> None:
        """Tell the player's achievements after a hand, or not."""
        await self._set(self._achievements, _ACHIEVEMENTS_PREFIX, user, None if told else OFF)

    def quiet_hours(self, user: int) -> str:
        """Return a player's own quiet hours, as `QuietHours` writes them; empty for none."""
        return self._quiet_hours.get(user, b"").decode()

    async def set_quiet_hours(self, user: int, hours: str) -> None:
        """Set a player's own quiet hours, as `QuietHours` writes them; empty for none."""
        await self._set(self._quiet_hours, _QUIET_PREFIX, user, hours.encode() or None)

    async def dms_refused(self, user: int) -> None:
        """Discord refused a direct message: send none until the player turns them on again."""
        await self._set(self._dm_choices, _DM_PREFIX, user, REFUSED)

    def forget(self, user: int) -> None:
        """A player's data was deleted, also where it is saved."""
        for chosen in (
            self._dm_choices,
            self._deck_choices,
            self._sizes,
            self._locales,
            self._statistics,
            self._quiet_hours,
            self._achievements,
        ):
            chosen.pop(user, None)

    def language(self, user: int) -> Language:
        """Return the language of the player's Discord, as their last interaction named it."""
        locale = self._locales.get(user)
        return language_for(locale.decode()) if locale is not None else ENGLISH

    async def remember_locale(self, user: int, locale: str) -> None:
        """Remember the locale of a player's Discord. It is saved when it changes; English needs no saving."""
        value = None if locale == ENGLISH.code else locale.encode()
        if self._locales.get(user) != value:
            await self._set(self._locales, _LOCALE_PREFIX, user, value)

    async def _load_values(self, prefix: str) -> dict[int, bytes]:
        kept = await self._storage.values(prefix)
        return {int(key.removeprefix(prefix)): value for key, value in kept.items()}

    async def _set(self, chosen: dict[int, bytes], prefix: str, user: int, value: bytes | None) -> None:
        if value is None:
            chosen.pop(user, None)
        else:
            chosen[user] = value
        await self._storage.keep(f"{prefix}{user}", value)
