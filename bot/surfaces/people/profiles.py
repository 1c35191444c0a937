"""What is known of each person: what they prefer, saved between runs, and their names and pictures in a server, in memory alone."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from enum import Enum, auto
from functools import partial

from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.request_queue import LONG_LINE_SECONDS
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import PERSONAL, PersonalNews, PersonalStorage, SavedKind, SavedValues
from bot.surfaces.part import Part
from bot.text.language import ENGLISH, Language, language_for
from bot.text.people import is_former

log = logging.getLogger(__name__)

REMEMBERED_MAX = 20_000
"""The most names that are remembered. They are in memory alone."""
KNOWN_MS = 3_600_000
"""How long a name is taken for granted. Then it is looked up again: its owner can have left the server, and Discord does not tell."""
LOOK_UP_SECONDS = 0.7
"""How long an answer waits for names that have to be looked up."""

OFF, REFUSED, TWO_COLOUR, LARGE, PRIVATE = "off", "refused", "two", "large", "private"
EVERY, NEEDED, SHOWN = "every", "needed", "shown"
_DMS = SavedKind[int, str]("dm.", PERSONAL, str)
_DECKS = SavedKind[int, str]("deck.", PERSONAL, str)
_SIZES = SavedKind[int, str]("size.", PERSONAL, str)
_LOCALES = SavedKind[int, str]("locale.", PERSONAL, str)
_STATISTICS = SavedKind[int, str]("statistics.", PERSONAL, str)
_QUIET_HOURS = SavedKind[int, str]("quiet.", PERSONAL, str)
_ACHIEVEMENTS = SavedKind[int, str]("achievements.", PERSONAL, str)
_LESSONS = SavedKind[int, str]("lessons.", PERSONAL, str)
_DM_RULES = SavedKind[int, str]("dmrule.", PERSONAL, str)
_DUELS = SavedKind[int, str]("duels.", PERSONAL, str)
_ALL = (_DMS, _DECKS, _SIZES, _LOCALES, _STATISTICS, _QUIET_HOURS, _ACHIEVEMENTS, _DM_RULES, _LESSONS, _DUELS)


class CardsCome(Enum):
    """How the hole cards of people come who have chosen nothing."""

    BY_DM = auto()
    IN_MY_HAND = auto()
    """In *My hand*: a direct message leads there, once."""


class Preferences(Part):
    """The preferences of all players, and the language of their Discord.

    Direct messages are on until a player turns them off or Discord refuses them (50007). Cards have four colours unless a player asks
    for two, and stand in the text of *My hand* alone unless they want them drawn large too. Everybody in a server can look up statistics
    unless their player keeps them private. Duels won and lost are shown to nobody else until a player wants it.

    Args:
        news: tells what was changed by the dealers of other servers, where there are any.
    """

    def __init__(
        self, storage: PersonalStorage, cards: CardsCome = CardsCome.BY_DM, news: PersonalNews | None = None
    ) -> None:
        self._cards = cards
        self._saved = {kind: SavedValues(kind, storage) for kind in _ALL}
        self._chosen: dict[SavedKind[int, str], dict[int, str]] = {kind: {} for kind in _ALL}
        if news is not None:
            for kind in _ALL:
                news.follow(kind, partial(_hear, self._chosen, kind), self.load)

    async def load(self) -> None:
        """Read what earlier runs saved."""
        for kind, saved in self._saved.items():
            self._chosen[kind] = await saved.load()

    def wants_dms(self, user: int) -> bool:
        """Return whether the player can be sent direct messages."""
        return user not in self._chosen[_DMS]

    def gets_cards_by_dm(self, user: int) -> bool:
        """Return whether the player's hole cards come by direct message: where *My hand* comes first, to those who have asked for it."""
        return self.wants_dms(user) and (self._cards is CardsCome.BY_DM or user in self._chosen[_DM_RULES])

    def wants_every_dm(self, user: int) -> bool:
        """Return whether their hole cards come by direct message also while they play from their panel."""
        return self._chosen[_DM_RULES].get(user) == EVERY

    async def set_every_dm(self, user: int, *, wanted: bool) -> None:
        """Send the player's hole cards by direct message in every hand, or only while they do not play from their panel."""
        await self._set(_DM_RULES, user, EVERY if wanted else NEEDED)

    def wants_two_colours(self, user: int) -> bool:
        """Return whether the player wants a red and black deck where only they see it."""
        return self._chosen[_DECKS].get(user) == TWO_COLOUR

    def wants_large_cards(self, user: int) -> bool:
        """Return whether the player's panel shows their cards also as one large picture."""
        return self._chosen[_SIZES].get(user) == LARGE

    def keeps_statistics_private(self, user: int) -> bool:
        """Return whether nobody else can look up the player's statistics."""
        return user in self._chosen[_STATISTICS]

    async def set_statistics(self, user: int, *, private: bool) -> None:
        """Keep the player's statistics private, or let others look them up."""
        await self._set(_STATISTICS, user, PRIVATE if private else None)

    def shows_duels(self, user: int) -> bool:
        """Return whether others see how many duels the player has won and lost."""
        return user in self._chosen[_DUELS]

    async def set_duels(self, user: int, *, shown: bool) -> None:
        """Let others see how many duels the player has won and lost, or not."""
        await self._set(_DUELS, user, SHOWN if shown else None)

    async def set_dms(self, user: int, *, wanted: bool) -> None:
        """Turn direct messages on or off. Who turns them on has asked for their cards."""
        await self._set(_DMS, user, None if wanted else OFF)
        if not self.wants_every_dm(user):
            await self._set(_DM_RULES, user, NEEDED if wanted else None)

    async def set_deck(self, user: int, *, two_colour: bool) -> None:
        """Choose between four colours and two."""
        await self._set(_DECKS, user, TWO_COLOUR if two_colour else None)

    async def set_large_cards(self, user: int, *, wanted: bool) -> None:
        """Choose whether the player's panel shows their cards also as one large picture."""
        await self._set(_SIZES, user, LARGE if wanted else None)

    def hears_of_achievements(self, user: int) -> bool:
        """Return whether a hand's result tells what the player has achieved in it."""
        return user not in self._chosen[_ACHIEVEMENTS]

    async def set_achievements(self, user: int, *, told: bool) -> None:
        """Tell the player's achievements after a hand, or not."""
        await self._set(_ACHIEVEMENTS, user, None if told else OFF)

    async def takes_lesson(self, user: int, game: str) -> bool:
        """Return whether the player has not been taught a game, by its key, before; from now on they find it under *Rules*."""
        known = self._chosen[_LESSONS].get(user, "").split()
        if game in known:
            return False
        await self._set(_LESSONS, user, " ".join([*known, game]))
        return True

    def quiet_hours(self, user: int) -> str:
        """Return a player's own quiet hours, as `QuietHours` writes them; empty for none."""
        return self._chosen[_QUIET_HOURS].get(user, "")

    async def set_quiet_hours(self, user: int, hours: str) -> None:
        """Set a player's own quiet hours, as `QuietHours` writes them; empty for none."""
        await self._set(_QUIET_HOURS, user, hours or None)

    async def dms_refused(self, user: int) -> None:
        """Discord refused a direct message: send none until the player turns them on again."""
        await self._set(_DMS, user, REFUSED)

    async def forget(self, guild: int, user: int) -> None:
        for chosen in self._chosen.values():
            chosen.pop(user, None)

    def language(self, user: int) -> Language:
        """Return the language of the player's Discord, as their last interaction named it."""
        locale = self._chosen[_LOCALES].get(user)
        return language_for(locale) if locale is not None else ENGLISH

    async def remember_locale(self, user: int, locale: str) -> None:
        """Remember the locale of a player's Discord. It is saved when it changes; English needs no saving."""
        value = None if locale == ENGLISH.code else locale
        if self._chosen[_LOCALES].get(user) != value:
            await self._set(_LOCALES, user, value)

    async def _set(self, kind: SavedKind[int, str], user: int, value: str | None) -> None:
        if value is None:
            self._chosen[kind].pop(user, None)
            await self._saved[kind].forget(user)
        else:
            self._chosen[kind][user] = value
            await self._saved[kind].keep(user, value)


def _hear(
    chosen: dict[SavedKind[int, str], dict[int, str]], kind: SavedKind[int, str], user: int, value: str | None
) -> None:
    """Another dealer has changed something."""
    if value is None:
        chosen[kind].pop(user, None)
    else:
        chosen[kind][user] = value


class DisplayNames(Part):
    """Remembers the display names of people who use the dealer, for pictures, where a mention cannot stand, and looks up the others.

    Their own pictures (avatars) are remembered with them. Nothing waits for one.
    """

    def __init__(self, discord_api: DiscordApi, clock: AlarmClock) -> None:
        self._discord_api = discord_api
        self._clock = clock
        self._names: OrderedDict[tuple[int, int], str] = OrderedDict()  # empty: not a member
        self._known_until: dict[tuple[int, int], int] = {}
        self._avatars: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._departed: dict[int, str] = {}

    def remember(self, guild: int, user: int, name: str, avatar: str = "") -> None:
        """Somebody has used the dealer under this name. `avatar`: the address of their picture there; empty if not known."""
        person = guild, user
        self._names[person] = name
        self._names.move_to_end(person)
        self._known_until[person] = self._clock.now() + KNOWN_MS
        if len(self._names) > REMEMBERED_MAX:
            oldest, _ = self._names.popitem(last=False)
            del self._known_until[oldest]
            self._departed.pop(oldest[1], None)
        if avatar:
            self._avatars[person] = avatar
            self._avatars.move_to_end(person)
            if len(self._avatars) > REMEMBERED_MAX:
                self._avatars.popitem(last=False)

    def avatar(self, guild: int, user: int) -> str:
        """Return the address of somebody's picture; empty where it is not known."""
        return self._avatars.get((guild, user), "")

    async def forget(self, guild: int, user: int) -> None:
        for known in (self._names, self._avatars, self._known_until):
            for key in [key for key in known if key[1] == user]:
                del known[key]
        self._departed.pop(user, None)

    async def of(self, guild: int, users: Sequence[int]) -> dict[int, str]:
        """Return the names of these users; those that cannot be had soon, or who have left, are missing."""
        now = self._clock.now()
        unknown = [user for user in users if self._known_until.get((guild, user), 0) <= now]
        if unknown:
            try:
                async with asyncio.timeout(LOOK_UP_SECONDS):
                    await asyncio.gather(*[self._look_up(guild, user) for user in unknown])
            except TimeoutError:
                log.info("names_late", extra={"guild": guild})
        return {user: name for user in users if (name := self._names.get((guild, user)))}

    async def departed(self, guild: int, users: Sequence[int]) -> dict[int, str]:
        """Return those of these users who are known to have left the server, with their names; empty where nothing is known of them."""
        people = [user for user in users if not is_former(user)]
        if self._discord_api.slots.queue.seconds <= LONG_LINE_SECONDS:  # it can be spared
            await self.of(guild, people)
        return {user: self._departed.get(user, "") for user in people if self._names.get((guild, user)) == ""}

    async def _look_up(self, guild: int, user: int) -> None:
        try:
            name = await self._discord_api.member_name(guild, user)
            if not name:
                self._departed[user] = await self._discord_api.user_name(user)
        except DiscordFailed as error:
            log.info("name_lookup_failed", extra={"guild": guild, "user": user, "error": repr(error)})
            return
        self.remember(guild, user, name)
