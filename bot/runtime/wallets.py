"""Wallets: opened with the opening grant when a player is first seen, read before a top-up."""

import asyncio
from collections.abc import Iterable

from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.house import claim_opening_grant
from bot.runtime.clock import AlarmClock
from bot.runtime.store_protocol import Store
from bot.runtime.store_types import Cause, ClaimChange, Commit, PlayerHoldings

MAX_KNOWN_PLAYERS = 200_000
"""Players who are remembered to have an opened wallet; beyond so many the memory is cleared."""


class Wallets:
    """Opens and reads the wallets of all servers."""

    def __init__(self, store: Store, clock: AlarmClock) -> None:
        self._store = store
        self._clock = clock
        self._known_players: set[tuple[int, int, Book]] = set()

    async def open(self, guild: int, user: int, book: Book = Book.PEOPLE) -> None:
        """Give the opening grant to a player who is new in a server. The key of its cause is always the same, so it is given once."""
        player = guild, user, book
        if player in self._known_players:
            return
        holdings = await self._store.holdings(guild, user, book)
        rules = await self._store.house_rules(guild)
        now = self._clock.now()
        gift = claim_opening_grant(rules, holdings.claims, user, now, book)
        if gift is not None:
            cause = Cause(f"grant:{guild}:{int(book)}:{user}", user, now, "opening grant")
            claims = (ClaimChange(user, holdings.claims, gift.claims, book),)
            await self._store.commit(Commit(guild=guild, cause=cause, transfers=gift.transfers, claims=claims))
        if len(self._known_players) >= MAX_KNOWN_PLAYERS:
            self._known_players.clear()
        self._known_players.add(player)

    async def open_for_practice(self, guild: int, user: int, minimum: int) -> None:
        """Practice chips are free: a player who has fewer than `minimum`, on tables and off, gets the opening grant again."""
        await self.open(guild, user, Book.PRACTICE)
        holdings = await self._store.holdings(guild, user, Book.PRACTICE)
        if holdings.total >= minimum:
            return
        rules = await self._store.house_rules(guild)
        now = self._clock.now()
        fresh = max(rules.opening_grant, minimum) - holdings.total
        gift = Transfer(mint_account(Book.PRACTICE), wallet_account(user, Book.PRACTICE), fresh, TransferReason.RELIEF)
        cause = Cause(f"practice:{guild}:{user}:{now}", user, now, "practice chips")
        await self._store.commit(Commit(guild=guild, cause=cause, transfers=(gift,)))

    async def wallet_chips(self, guild: int, users: Iterable[int], book: Book) -> dict[int, int]:
        """Return the chips in the wallets of these players, by user."""
        holdings: list[PlayerHoldings] = await asyncio.gather(
            *(self._store.holdings(guild, user, book) for user in users)
        )
        return {one.user: one.wallet for one in holdings}
