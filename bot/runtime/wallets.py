"""Wallets, as the tables need them: opened when somebody is first seen, read before a top-up.

Source: issue 2 "Chips"; design §3.
"""

import asyncio
from collections.abc import Iterable

from bot.ledger.accounts import Book, Reason, Transfer, mint, wallet
from bot.ledger.house import open_wallet
from bot.runtime.clock import Clock
from bot.runtime.ports import Cause, ClaimChange, Commit, Purse, Store

KNOWN_MOST = 200_000
"""Players remembered as having had their opening grant; beyond it all are asked for again."""


class Wallets:
    """The opening grant, and what is in a wallet."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._opened: set[tuple[int, int, Book]] = set()

    async def open(self, guild: int, user: int, book: Book = Book.PEOPLE) -> None:
        """Give the opening grant to a player seen for the first time in a server. The grant's cause has one key for ever."""
        player = guild, user, book
        if player in self._opened:
            return
        purse = await self._store.purse(guild, user, book)
        rules = await self._store.house_rules(guild)
        now = self._clock.now()
        gift = open_wallet(rules, purse.claims, user, now, book)
        if gift is not None:
            cause = Cause(f"grant:{guild}:{int(book)}:{user}", user, now, "opening grant")
            claims = (ClaimChange(user, purse.claims, gift.claims, book),)
            await self._store.commit(Commit(guild=guild, cause=cause, transfers=gift.transfers, claims=claims))
        if len(self._opened) >= KNOWN_MOST:
            self._opened.clear()
        self._opened.add(player)

    async def open_for_practice(self, guild: int, user: int, least: int) -> None:
        """Practice chips are free: who has fewer than a buy-in of `least`, tables counted, is given the opening grant anew."""
        await self.open(guild, user, Book.PRACTICE)
        purse = await self._store.purse(guild, user, Book.PRACTICE)
        if purse.total >= least:
            return
        rules = await self._store.house_rules(guild)
        now = self._clock.now()
        fresh = max(rules.opening_grant, least) - purse.total
        gift = Transfer(mint(Book.PRACTICE), wallet(user, Book.PRACTICE), fresh, Reason.RELIEF)
        cause = Cause(f"practice:{guild}:{user}:{now}", user, now, "practice chips")
        await self._store.commit(Commit(guild=guild, cause=cause, transfers=(gift,)))

    async def chips(self, guild: int, users: Iterable[int], book: Book) -> dict[int, int]:
        """What is in the wallets of these players, by user."""
        wanted = tuple(users)
        purses: list[Purse] = await asyncio.gather(*(self._store.purse(guild, user, book) for user in wanted))
        return {purse.user: purse.wallet for purse in purses}
