"""The house's bank: balances, gifts, history, leaderboard, staff's grants and takings, house rules, the audit. What the chips cogs talk to.

Source: issue 2 "Chips"; design §3.
"""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.ledger.accounts import Book, Transfer
from bot.ledger.house import Gift, HouseRules, change_rules, claim_daily, claim_relief, staff_grant, staff_take
from bot.runtime.asked import Asked
from bot.runtime.clock import Clock, SystemClock
from bot.runtime.ports import Audit, Cause, ClaimChange, Commit, History, Leaderboard, Purse, StaleClaims, Store
from bot.runtime.tables import Tables
from bot.table.errors import ReasonMissing, StaffOnly

PAGE_LINES = 10
GiftRule: TypeAlias = Callable[[HouseRules, Purse, int], Gift]
"""What a player is given, by the rules, what he has, and the time."""


class Given(Struct, frozen=True, gc=False):
    """A gift of the house: what was given and what the player has now. `repeated`: the same request had been granted before."""

    chips: int
    purse: Purse
    repeated: bool = False

    @property
    def streak(self) -> int:
        """Days in a row, for the daily chips."""
        return self.purse.claims.streak


class Bank:
    """One bank for all servers."""

    def __init__(self, store: Store, tables: Tables, clock: Clock | None = None) -> None:
        self._store = store
        self._tables = tables
        self._clock: Clock = clock or SystemClock()
        self._rules: dict[int, HouseRules] = {}  # asked for at every click; changed only here

    # players

    async def purse(self, guild: int, user: int, book: Book = Book.PEOPLE) -> Purse:
        """What a player has; who is seen for the first time gets the opening grant."""
        await self._tables.wallets.open(guild, user, book)
        return await self._store.purse(guild, user, book)

    async def practice_chips(self, guild: int, user: int) -> int:
        """What a player has on the practice books; 0 for who never played there."""
        return (await self._store.purse(guild, user, Book.PRACTICE)).total

    async def daily(self, asked: Asked) -> Given:
        """Claim the daily chips.

        Raises:
            TooEarly, NothingToClaim.
        """

        def gift(rules: HouseRules, purse: Purse, now: int) -> Gift:
            return claim_daily(rules, purse.claims, asked.user, now)

        return await self._claim(asked, "daily", gift)

    async def relief(self, asked: Asked) -> Given:
        """Claim relief: for players without a chip in wallet, stacks and bets.

        Raises:
            NotBroke, TooEarly, NothingToClaim.
        """

        def gift(rules: HouseRules, purse: Purse, now: int) -> Gift:
            return claim_relief(rules, purse.claims, asked.user, total=purse.total, now=now)

        return await self._claim(asked, "relief", gift)

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = PAGE_LINES, book: Book = Book.PEOPLE
    ) -> History:
        """Where a player's chips came from and went, newest first; `before` is the `older` of the page before."""
        return await self._store.history(guild, user, before=before, limit=limit, book=book)

    async def leaderboard(
        self, guild: int, user: int, *, page: int = 0, lines: int = PAGE_LINES, book: Book = Book.PEOPLE
    ) -> Leaderboard:
        """Players by wallet and tables together, most first; pages count from 0. With the line of who asks."""
        return await self._store.leaderboard(guild, offset=max(page, 0) * lines, limit=lines, user=user, book=book)

    # staff

    async def house_rules(self, guild: int) -> HouseRules:
        """What staff have set for a server."""
        rules = self._rules.get(guild)
        if rules is None:
            rules = self._rules[guild] = await self._store.house_rules(guild)
        return rules

    async def change_house_rules(self, asked: Asked, **changes: int) -> HouseRules:
        """Change the house rules.

        Raises:
            StaffOnly: who asks is none.
            RuleOutOfBounds: a value makes no sense.
        """
        self._staff_only(asked)
        after = change_rules(await self._store.house_rules(asked.guild), **changes)
        await self._store.commit(Commit(guild=asked.guild, cause=self._cause(asked, "house rules"), rules=after))
        self._rules.pop(asked.guild, None)  # read anew: another change may have been saved meanwhile
        return after

    async def grant(self, asked: Asked, user: int, chips: int, reason: str) -> Purse:
        """Give a player chips.

        Raises:
            StaffOnly, ReasonMissing, NoSuchAmount, TooManyChips.
        """
        self._staff_only(asked, reason)
        purse = await self.purse(asked.guild, user)
        return await self._move(asked, user, staff_grant(user, chips, total=purse.total, note=reason.strip()), "grant")

    async def take(self, asked: Asked, user: int, chips: int, reason: str) -> Purse:
        """Take chips back from a player's wallet.

        Raises:
            StaffOnly, ReasonMissing, NoSuchAmount, NotEnoughChips.
        """
        self._staff_only(asked, reason)
        purse = await self.purse(asked.guild, user)
        return await self._move(
            asked, user, staff_take(user, chips, in_wallet=purse.wallet, note=reason.strip()), "take"
        )

    async def audit(self, asked: Asked) -> Audit:
        """Add up all accounts of the server, and hold the engine's chips against the ledger's.

        Raises:
            StaffOnly.
        """
        self._staff_only(asked)
        on_tables = await self._tables.audit(asked.guild)
        books = await self._store.audit(asked.guild)
        return replace(books, faults=(*books.faults, *on_tables))

    # inside

    async def _claim(self, asked: Asked, what: str, gift: GiftRule) -> Given:
        await self._tables.wallets.open(asked.guild, asked.user)
        try:
            return await self._claim_once(asked, what, gift)
        except StaleClaims:  # two clicks at once: the second is ruled on by what the first has left
            return await self._claim_once(asked, what, gift)
        except TableError:
            if await self._store.receipt(asked.key) is None:
                raise
            return Given(0, await self._store.purse(asked.guild, asked.user), repeated=True)

    async def _claim_once(self, asked: Asked, what: str, gift: GiftRule) -> Given:
        purse = await self._store.purse(asked.guild, asked.user)
        rules = await self._store.house_rules(asked.guild)
        given = gift(rules, purse, self._clock.now())
        claims = (ClaimChange(asked.user, purse.claims, given.claims),)
        commit = Commit(guild=asked.guild, cause=self._cause(asked, what), transfers=given.transfers, claims=claims)
        receipt = await self._store.commit(commit)
        after = await self._store.purse(asked.guild, asked.user)
        return Given(sum(transfer.chips for transfer in given.transfers), after, receipt.repeated)

    async def _move(self, asked: Asked, user: int, transfer: Transfer, what: str) -> Purse:
        await self._store.commit(Commit(guild=asked.guild, cause=self._cause(asked, what), transfers=(transfer,)))
        return await self._store.purse(asked.guild, user)

    def _cause(self, asked: Asked, what: str) -> Cause:
        return Cause(asked.key, asked.user, self._clock.now(), what)

    def _staff_only(self, asked: Asked, reason: str | None = None) -> None:
        if not asked.staff:
            raise StaffOnly
        if reason is not None and not reason.strip():
            raise ReasonMissing
