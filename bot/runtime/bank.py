"""The bank of the house: holdings, gifts, history, leaderboard, what staff give and take, house rules, audit."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.ledger.accounts import Book, Transfer
from bot.ledger.house import Gift, HouseRules, changed_house_rules, claim_daily, claim_relief, staff_grant, staff_take
from bot.runtime.clock import AlarmClock, SystemClock
from bot.runtime.request import Request
from bot.runtime.store_errors import StaleClaims
from bot.runtime.store_protocol import Store
from bot.runtime.store_types import Cause, ClaimChange, Commit, Leaderboard, LedgerAudit, PlayerHoldings, WalletHistory
from bot.runtime.tables import Tables
from bot.table.refusals import ReasonMissing, StaffOnly

LINES_PER_PAGE = 10
GiftRule: TypeAlias = Callable[[HouseRules, PlayerHoldings, int], Gift]
"""Decides on a gift by the house rules, the player's holdings and the time in ms."""


class GiftResult(Struct, frozen=True, gc=False):
    """A gift of the house, in chips, and the player's holdings after it. If `repeated`, the same request had been granted before."""

    chips: int
    holdings: PlayerHoldings
    repeated: bool = False

    @property
    def streak(self) -> int:
        """For how many days in a row the daily chips have been claimed."""
        return self.holdings.claims.streak


class Bank:
    """The bank of all servers."""

    def __init__(self, store: Store, tables: Tables, clock: AlarmClock | None = None) -> None:
        self._store = store
        self._tables = tables
        self._clock: AlarmClock = clock or SystemClock()
        self._rules_by_guild: dict[int, HouseRules] = {}  # needed at every click, and changed only here

    # players

    async def holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        """Return a player's holdings. A player who is new in the server gets the opening grant first."""
        await self._tables.wallets.open(guild, user, book)
        return await self._shown_holdings(guild, user, book)

    async def practice_chips(self, guild: int, user: int) -> int:
        """Return a player's practice chips; 0 if they never played at a practice table."""
        return (await self._shown_holdings(guild, user, Book.PRACTICE)).total

    async def daily(self, request: Request) -> GiftResult:
        """Claim the daily chips.

        Raises:
            TooEarly, NothingToClaim.
        """

        def decide(rules: HouseRules, holdings: PlayerHoldings, now: int) -> Gift:
            return claim_daily(rules, holdings.claims, request.user, now)

        return await self._claim_gift(request, "daily", decide)

    async def relief(self, request: Request) -> GiftResult:
        """Claim relief, for a player without chips in wallet, stacks and bets.

        Raises:
            NotBroke, TooEarly, NothingToClaim.
        """

        def decide(rules: HouseRules, holdings: PlayerHoldings, now: int) -> Gift:
            shown = self._as_shown(request.guild, holdings, Book.PEOPLE)
            total = max(holdings.total, shown.total)  # the loser of an all-in hand learns of it with everybody else
            return claim_relief(rules, holdings.claims, request.user, total=total, now=now)

        return await self._claim_gift(request, "relief", decide)

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = LINES_PER_PAGE, book: Book = Book.PEOPLE
    ) -> WalletHistory:
        """Return a page of a player's wallet history, newest first; `before` is `older` of the previous page."""
        found = await self._store.history(guild, user, before=before, limit=limit, book=book)
        unshown = {(one.shown.address.number, one.saved_at) for one in self._tables.run_outs(guild, book)}
        entries = tuple(entry for entry in found.entries if (entry.table, entry.at) not in unshown)
        return WalletHistory(entries, found.older)

    async def leaderboard(
        self, guild: int, user: int, *, page: int = 0, lines: int = LINES_PER_PAGE, book: Book = Book.PEOPLE
    ) -> Leaderboard:
        """Return a page of the players with the most chips, on tables and off, and the line of `user`. Pages count from 0."""
        unshown = [chips for run_out in self._tables.run_outs(guild, book) for chips in run_out.unshown]
        offset = max(page, 0) * lines
        return await self._store.leaderboard(guild, offset=offset, limit=lines, user=user, book=book, unshown=unshown)

    # staff

    async def house_rules(self, guild: int) -> HouseRules:
        """Return the house rules of a server."""
        rules = self._rules_by_guild.get(guild)
        if rules is None:
            rules = self._rules_by_guild[guild] = await self._store.house_rules(guild)
        return rules

    async def change_house_rules(self, request: Request, **changes: int) -> HouseRules:
        """Change the house rules.

        Raises:
            StaffOnly, HouseRuleOutOfBounds.
        """
        self._require_staff(request)
        after = changed_house_rules(await self._store.house_rules(request.guild), **changes)
        await self._store.commit(Commit(guild=request.guild, cause=self._cause(request, "house rules"), rules=after))
        self._rules_by_guild.pop(request.guild, None)  # another change can have been saved meanwhile: read them again
        return after

    async def grant(self, request: Request, user: int, chips: int, reason: str) -> PlayerHoldings:
        """Give a player chips.

        Raises:
            StaffOnly, ReasonMissing, NoSuchAmount, TooManyChips.
        """
        self._require_staff(request, reason)
        holdings = await self._saved_holdings(request.guild, user)
        transfer = staff_grant(user, chips, total=holdings.total, note=reason.strip())
        return await self._commit_transfer(request, user, transfer, "grant")

    async def take(self, request: Request, user: int, chips: int, reason: str) -> PlayerHoldings:
        """Take chips back from a player's wallet.

        Raises:
            StaffOnly, ReasonMissing, NoSuchAmount, NotEnoughChips.
        """
        self._require_staff(request, reason)
        holdings = await self._saved_holdings(request.guild, user)
        transfer = staff_take(user, chips, in_wallet=holdings.wallet, note=reason.strip())
        return await self._commit_transfer(request, user, transfer, "take")

    async def audit(self, request: Request) -> LedgerAudit:
        """Add up all accounts of the server, and compare the engine's chips with the ledger's at every table.

        Raises:
            StaffOnly.
        """
        self._require_staff(request)
        on_tables = await self._tables.audit(request.guild)
        books = await self._store.audit(request.guild)
        return replace(books, faults=(*books.faults, *on_tables))

    # inside

    async def _saved_holdings(self, guild: int, user: int) -> PlayerHoldings:
        """A player's chips as staff move them: those that are saved, shown or not."""
        await self._tables.wallets.open(guild, user)
        return await self._store.holdings(guild, user)

    async def _shown_holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        return self._as_shown(guild, await self._store.holdings(guild, user, book), book)

    def _as_shown(self, guild: int, holdings: PlayerHoldings, book: Book) -> PlayerHoldings:
        """Return a player's chips as they were before the end of an all-in hand that is still being run out."""
        for run_out in self._tables.run_outs(guild, book):
            for unshown in run_out.unshown:
                if unshown.user == holdings.user:
                    holdings = replace(
                        holdings,
                        wallet=holdings.wallet + unshown.wallet,
                        stacks=holdings.stacks + unshown.stacks,
                        bets=holdings.bets + unshown.bets,
                    )
        return holdings

    async def _claim_gift(self, request: Request, label: str, decide: GiftRule) -> GiftResult:
        await self._tables.wallets.open(request.guild, request.user)
        try:
            return await self._commit_gift(request, label, decide)
        except StaleClaims:  # of two clicks at the same time the second is decided on what the first has left
            return await self._commit_gift(request, label, decide)
        except TableError:
            if await self._store.receipt(request.key) is None:
                raise
            return GiftResult(0, await self._shown_holdings(request.guild, request.user), repeated=True)

    async def _commit_gift(self, request: Request, label: str, decide: GiftRule) -> GiftResult:
        before = await self._store.holdings(request.guild, request.user)
        rules = await self._store.house_rules(request.guild)
        gift = decide(rules, before, self._clock.now())
        claims = (ClaimChange(request.user, before.claims, gift.claims),)
        commit = Commit(guild=request.guild, cause=self._cause(request, label), transfers=gift.transfers, claims=claims)
        receipt = await self._store.commit(commit)
        after = await self._shown_holdings(request.guild, request.user)
        return GiftResult(sum(transfer.chips for transfer in gift.transfers), after, receipt.repeated)

    async def _commit_transfer(self, request: Request, user: int, transfer: Transfer, label: str) -> PlayerHoldings:
        await self._store.commit(Commit(guild=request.guild, cause=self._cause(request, label), transfers=(transfer,)))
        return await self._store.holdings(request.guild, user)

    def _cause(self, request: Request, label: str) -> Cause:
        return Cause(request.key, request.user, self._clock.now(), label)

    def _require_staff(self, request: Request, reason: str | None = None) -> None:
        if not request.staff:
            raise StaffOnly
        if reason is not None and not reason.strip():
            raise ReasonMissing
