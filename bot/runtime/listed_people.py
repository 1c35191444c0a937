"""Tell who has played enough hands to be on the leaderboard by chips (law BO-2).

Hands are counted in the statistics, and chips are in the order of the leaderboard in the store. In a small server the people are named to
the store each time. In a large one the store keeps a mark of each, and a page costs the same whether the server has ten thousand people or
a million. The statistics number each change of who has played enough; the store says up to which number its marks follow. Everybody is
looked at, some at a time beside everything else, where the marks belong to other statistics or to another number of hands: until that is
done the people are named in a large server too.
"""

import asyncio
import logging

from bot.background_tasks import BackgroundTasks
from bot.runtime.keyed_locks import KeyedLocks
from bot.runtime.store_errors import StatisticsBeingCounted, StoreError
from bot.runtime.store_types import Listing
from bot.statistics.types import CountedChips
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store

log = logging.getLogger(__name__)

FEW = 2_048
"""In a server in which so many have played at most, people are named."""
PEOPLE_AT_ONCE = 500
"""So many people are looked at, and marked, at a time."""


class ListedPeople:
    """Keeps the marks in the store as the statistics say."""

    def __init__(self, store: Store, statistics: Statistics) -> None:
        self._store, self._statistics = store, statistics
        self._turns = KeyedLocks[int]()
        self._looking: set[int] = set()
        self._tasks = BackgroundTasks()

    async def named(self, guild: int, min_hands: int) -> tuple[int, ...] | None:
        """Return who has played enough hands; None where the marks in the store say it.

        Raises:
            StatisticsBeingCounted, StatisticsUnavailable, StoreFailed.
        """
        found = await self._statistics.people_with_hands(guild, CountedChips.SERVER, min_hands, FEW)
        if found is not None:
            return found
        async with self._turns.of(guild):
            if await self._follow(guild, min_hands):
                return None
        return await self._statistics.people_with_hands(guild, CountedChips.SERVER, min_hands)

    async def close(self) -> None:
        """Break off what is under way. It begins again when somebody asks."""
        await self._tasks.stop()

    async def wait_until_idle(self) -> None:
        """Wait until everybody has been looked at."""
        while pending := self._tasks.pending:
            await asyncio.wait(pending)

    async def _follow(self, guild: int, min_hands: int) -> bool:
        """Bring the marks up to date. Returns False if everybody has to be looked at first; that begins."""
        kept = await self._store.listing(guild)
        said = await self._statistics.crossings(guild, kept.followed if kept is not None else 0, PEOPLE_AT_ONCE)
        if said.listed_from != min_hands:
            await self._statistics.begin_listing(guild, min_hands)
        if kept is None or said.listed_from != min_hands or kept.epoch != said.epoch or kept.followed > said.last:
            if guild not in self._looking:
                self._looking.add(guild)
                self._tasks.run(self._look_at_everybody(guild), f"listed-people-{guild}")
            return False
        while kept.followed < said.last:
            await self._mark(guild, said.enough, Listing(kept.epoch, said.last))
            kept = Listing(kept.epoch, said.last)
            said = await self._statistics.crossings(guild, kept.followed, PEOPLE_AT_ONCE)
            if said.epoch != kept.epoch:  # a rule has changed meanwhile
                return False
        return True

    async def _look_at_everybody(self, guild: int) -> None:
        try:
            begun = await self._statistics.enough_hands(
                guild, ()
            )  # changes after this one are followed when it is done
            user = 0
            while people := await self._store.people_after(guild, user, PEOPLE_AT_ONCE):
                said = await self._statistics.enough_hands(guild, people)
                if said.epoch != begun.epoch:
                    return  # whoever asks next begins anew
                await self._store.mark_listed(
                    guild, {one: enough for one, enough in said.enough.items() if enough != people[one]}, None
                )
                user = max(people)
            await self._mark(guild, {}, Listing(begun.epoch, begun.last))
        except (StoreError, StatisticsBeingCounted) as error:
            log.warning("listed_people_put_off", extra={"guild": guild, "error": str(error)})
        finally:
            self._looking.discard(guild)

    async def _mark(self, guild: int, enough: dict[int, bool], done: Listing) -> None:
        """Write marks, and up to where they follow. A power cut must not take the statistics back to before that."""
        await self._statistics.bring_to_disk()
        await self._store.mark_listed(guild, enough, done)
