"""Wallets: opened with the opening grant when a player is first seen, read before a top-up."""

import asyncio
import hmac
from collections.abc import Iterable

from bot.ledger.accounts import WALLET_BOOKS, Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.gifts import GiftClaims, HeldChips, claim_opening_grant, held_chips, opening_grant_at, young_from
from bot.ledger.refusals import ChipsHeld
from bot.runtime.clock import AlarmClock
from bot.runtime.staff_log import StaffLog
from bot.runtime.store_types import Cause, ClaimChange, Commit, PlayerHoldings
from bot.store.store import Store

MAX_KNOWN_PLAYERS = 200_000
"""Players who are remembered to have an opened wallet; beyond so many the memory is cleared."""


class Wallets:
    """Opens and reads the wallets of all servers."""

    def __init__(self, store: Store, clock: AlarmClock, staff_log: StaffLog, secret: bytes) -> None:
        self._store = store
        self._staff_log = staff_log
        self._clock = clock
        self._mark_key = hmac.digest(secret, b"claims of former players", "sha256")
        self._known_players: set[tuple[int, int, Book]] = set()

    def mark(self, guild: int, user: int, book: Book) -> bytes:
        """Return what the times of somebody's gifts are kept under once their data is deleted.

        Nobody can tell from a mark who it was without the master secret, which lies in another file.
        """
        return hmac.digest(self._mark_key, b"%d:%d:%d" % (guild, user, book), "sha256")

    def forget(self, guild: int, user: int) -> None:
        """Forget that a player's wallet was opened: their data is deleted."""
        self._known_players.difference_update((guild, user, book) for book in WALLET_BOOKS)

    async def _came_back(self, guild: int, user: int, book: Book, now: int) -> bool:
        """Whether a player who seems new had their data deleted here. What the house gave them then still counts."""
        floor = await self._store.claim_floor(self.mark(guild, user, book))
        if floor is None:
            return False
        cause = Cause(f"grant:{guild}:{int(book)}:{user}", user, now, "came back")
        claims = (ClaimChange(user, GiftClaims(), floor, book),)
        await self._store.commit(Commit(guild=guild, cause=cause, claims=claims))
        return True

    async def open(self, guild: int, user: int, book: Book = Book.PEOPLE) -> int:
        """Give the opening grant to a player who is new in a server. The key of its cause is always the same, so it is given once.

        Whoever is banned gets none.

        Returns:
            when the player will be old enough for it, in ms; 0 where there is nothing to wait for. Practice chips wait for nobody.
        """
        player = guild, user, book
        if player in self._known_players or self._staff_log.is_banned(guild, user):
            return 0
        holdings = await self._store.holdings(guild, user, book)
        rules = await self._store.house_rules(guild)
        now = self._clock.now()
        if holdings.claims == GiftClaims() and await self._came_back(guild, user, book, now):
            holdings = await self._store.holdings(guild, user, book)
        if book is Book.PEOPLE and rules.opening_grant and not holdings.claims.granted_at:
            old_enough_at = opening_grant_at(rules, user)
            if now < old_enough_at:
                return old_enough_at
        gift = claim_opening_grant(rules, holdings.claims, user, now, book)
        if gift is not None:
            cause = Cause(f"grant:{guild}:{int(book)}:{user}", user, now, "opening grant")
            claims = (ClaimChange(user, holdings.claims, gift.claims, book),)
            await self._store.commit(Commit(guild=guild, cause=cause, transfers=gift.transfers, claims=claims))
        if len(self._known_players) >= MAX_KNOWN_PLAYERS:
            self._known_players.clear()
        self._known_players.add(player)
        return 0

    async def open_for_practice(self, guild: int, user: int, minimum: int) -> None:
        """Practice chips are free: a player whose wallet has fewer than `minimum` gets the opening grant again."""
        await self.open(guild, user, Book.PRACTICE)
        holdings = await self._store.holdings(guild, user, Book.PRACTICE)
        if holdings.wallet >= minimum:
            return
        rules = await self._store.house_rules(guild)
        now = self._clock.now()
        fresh = max(rules.opening_grant, minimum) - holdings.wallet
        gift = Transfer(mint_account(Book.PRACTICE), wallet_account(user, Book.PRACTICE), fresh, TransferReason.RELIEF)
        cause = Cause(f"practice:{guild}:{user}:{now}", user, now, "practice chips")
        await self._store.commit(Commit(guild=guild, cause=cause, transfers=(gift,)))

    async def held(self, guild: int, user: int) -> HeldChips:
        """Return the chips of a player that came from young accounts, and cannot be brought to a table yet."""
        rules = await self._store.house_rules(guild)
        if not rules.young_days:
            return HeldChips()
        young = young_from(rules, self._clock.now())
        return held_chips(rules, await self._store.won_from_young(guild, user, young, rules.young_chips))

    async def require_available(self, guild: int, user: int, chips: int) -> None:
        """Check that a player has so many chips in the wallet that are not held. Who has too few at all is refused by the ledger.

        Raises:
            ChipsHeld.
        """
        held = await self.held(guild, user)
        if not held.chips:
            return
        wallet = (await self._store.holdings(guild, user)).wallet
        available = max(0, wallet - held.chips)
        if available < chips <= wallet:
            raise ChipsHeld(available=available, until=held.until)

    async def wallet_chips(self, guild: int, users: Iterable[int], book: Book) -> dict[int, int]:
        """Return the chips that these players can bring from their wallets, by user."""
        users = tuple(users)
        holdings: list[PlayerHoldings] = await asyncio.gather(
            *(self._store.holdings(guild, user, book) for user in users)
        )
        chips = {one.user: one.wallet for one in holdings}
        if book is Book.PEOPLE:
            for user in users:
                chips[user] = max(0, chips[user] - (await self.held(guild, user)).chips)
        return chips
