"""The bank of the house: holdings, gifts, history, leaderboard, what staff give and take, house rules, audit."""

import hashlib
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.house.quiet_hours import year_at
from bot.house.rules import HouseRules, changed_house_rules
from bot.ledger.accounts import Book, Transfer, TransferReason
from bot.ledger.books import BookFault
from bot.ledger.flow import PairFlow
from bot.ledger.gifts import (
    DAY_MS,
    HOUR_MS,
    Gift,
    HeldChips,
    NextGifts,
    claim_daily,
    claim_relief,
    gifts_needed,
    next_gifts,
    require_tenure,
    staff_grant,
    staff_take,
)
from bot.runtime.clock import AlarmClock, SystemClock
from bot.runtime.commands import BuyInWithGifts
from bot.runtime.request import Request
from bot.runtime.run_out import RunOut
from bot.runtime.snapshot import RequestOutcome
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_errors import StaleClaims
from bot.runtime.store_types import (
    Cause,
    ClaimChange,
    Commit,
    Leaderboard,
    LedgerAudit,
    PlayerHoldings,
    StackAdjustment,
    WalletHistory,
)
from bot.runtime.tables import Tables
from bot.store.store import Store
from bot.table.commands import TakeSeat, TopUp
from bot.table.refusals import ReasonMissing, StaffOnly

log = logging.getLogger(__name__)

LINES_PER_PAGE = 10
ADJUSTMENTS_PER_PAGE = 8
ADJUSTMENTS_LISTED_MS = 30 * DAY_MS
"""How far back adjustments of stacks are listed."""
LOGGED_FAULTS = 20
"""So many faults of a server's books are logged; staff see them all counted in its books."""
GiftRule: TypeAlias = Callable[[HouseRules, PlayerHoldings, int, int], Gift]
"""Decides on a gift by the house rules, the player's holdings, the chips that they have or seem to have, and the time in ms."""
T = TypeVar("T")


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
    """The bank of all servers.

    Attributes:
        audits, audit_faults: how many audits there have been, by staff and at the start, and how many faults they found.
    """

    def __init__(self, store: Store, tables: Tables, clock: AlarmClock | None = None) -> None:
        self._store = store
        self._tables = tables
        self._clock: AlarmClock = clock or SystemClock()
        self.audits = self.audit_faults = 0
        self._rules_by_guild: dict[int, HouseRules] = {}  # needed at every click, and changed only here

    @property
    def now(self) -> int:
        """The time, in ms."""
        return self._clock.now()

    # players

    async def holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        """Return a player's holdings. A player who is new in the server, and not in Discord, gets the opening grant first."""
        await self._tables.wallets.open(guild, user, book)
        return await self._shown_holdings(guild, user, book)

    async def opening_grant_at(self, guild: int, user: int) -> int:
        """Return when a player will be old enough for the opening grant, in ms; 0 for one who has nothing to wait for."""
        return await self._tables.wallets.open(guild, user)

    async def held(self, guild: int, user: int) -> HeldChips:
        """Return the chips that a player cannot bring to a table yet, because they came from young accounts.

        None while an all-in hand of theirs is being run out: they would tell its end.
        """
        held, run_outs = await self._beside_run_outs(
            guild, Book.PEOPLE, lambda run_outs: self._tables.wallets.held(guild, user)
        )
        if any(unshown.user == user for run_out in run_outs for unshown in run_out.unshown):
            return HeldChips()
        return held

    async def next_gifts(self, guild: int, user: int, joined_at: int = 0) -> NextGifts:
        """Return what the house gives a player next. `joined_at` is when they joined the server, in ms; 0 where Discord does not say."""
        holdings, total = await self._holdings_and_total(guild, user)
        return next_gifts(
            await self.house_rules(guild),
            holdings.claims,
            user,
            total=total,
            joined_at=joined_at,
            now=self._clock.now(),
            unplayed_daily=await self._unplayed_daily(guild, user),
        )

    async def buy_in_with_gifts(self, request: Request, command: TakeSeat | TopUp) -> RequestOutcome:
        """Sit down or buy in again with what the wallet holds and the house gives now: relief first, daily chips where that is too little.

        Gifts and buy-in are saved together; a repeated request is answered and gives nothing.

        Raises:
            NotEnoughChips: even with all gifts the chips are too few.
            TableError: as of `Tables.ask`.
        """
        await self._tables.wallets.open(request.guild, request.user)
        try:
            return await self._tables.ask(request, await self._with_gifts(request, command))
        except StaleClaims:  # of two clicks at the same time the second is decided on what the first has left
            return await self._tables.ask(request, await self._with_gifts(request, command))

    async def _with_gifts(self, request: Request, command: TakeSeat | TopUp) -> TakeSeat | TopUp | BuyInWithGifts:
        """Return a buy-in with the gifts that it needs."""
        if await self._store.receipt(request.key) is not None:
            return command
        guild, user, now = request.guild, request.user, self._clock.now()
        rules, holdings = await self.house_rules(guild), await self._store.holdings(guild, user)
        due = await self.next_gifts(guild, user, request.joined_at)
        has = holdings.wallet - (await self.held(guild, user)).chips
        claims, transfers = holdings.claims, list[Transfer]()
        for kind in gifts_needed(due, command.chips - has):
            gift = (
                claim_daily(rules, claims, user, now)
                if kind is TransferReason.DAILY
                else claim_relief(rules, claims, user, total=0, now=now)
            )
            claims = gift.claims
            transfers += gift.transfers
        if not transfers:
            return command
        return BuyInWithGifts(command, tuple(transfers), (ClaimChange(user, holdings.claims, claims),))

    async def practice_chips(self, guild: int, user: int) -> int:
        """Return a player's practice chips; 0 if they never played at a practice table."""
        return (await self._shown_holdings(guild, user, Book.PRACTICE)).total

    async def daily(self, request: Request) -> GiftResult:
        """Claim the daily chips.

        Raises:
            Banned, NewcomerMustWait, ClaimTooEarly, NothingToClaim.
        """

        def decide(rules: HouseRules, holdings: PlayerHoldings, total: int, now: int) -> Gift:
            require_tenure(rules, holdings.claims, request.user, request.joined_at, now)
            return claim_daily(rules, holdings.claims, request.user, now)

        return await self._claim_gift(request, "daily", decide)

    async def relief(self, request: Request) -> GiftResult:
        """Claim relief, for a player who has nothing but daily chips in wallet, stacks and bets.

        Raises:
            Banned, NewcomerMustWait, StillHasChips, ClaimTooEarly, NothingToClaim.
        """
        unplayed_daily = await self._unplayed_daily(request.guild, request.user)

        def decide(rules: HouseRules, holdings: PlayerHoldings, total: int, now: int) -> Gift:
            require_tenure(rules, holdings.claims, request.user, request.joined_at, now)
            return claim_relief(
                rules, holdings.claims, request.user, total=total, now=now, unplayed_daily=unplayed_daily
            )

        return await self._claim_gift(request, "relief", decide)

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = LINES_PER_PAGE, book: Book = Book.PEOPLE
    ) -> WalletHistory:
        """Return a page of a player's wallet history, newest first; `before` is `older` of the previous page."""
        found, run_outs = await self._beside_run_outs(
            guild, book, lambda run_outs: self._store.history(guild, user, before=before, limit=limit, book=book)
        )
        unshown = {(one.shown.address.number, one.saved_at) for one in run_outs}
        entries = tuple(entry for entry in found.entries if (entry.table, entry.at) not in unshown)
        return WalletHistory(entries, found.older)

    async def leaderboard(
        self,
        guild: int,
        user: int,
        *,
        among: Sequence[int] | None = None,
        only_listed: bool = False,
        page: int = 0,
        lines: int = LINES_PER_PAGE,
        book: Book = Book.PEOPLE,
    ) -> Leaderboard:
        """Return a page of the players with the most chips, on tables and off, and the line of `user`. Pages count from 0. The order is by
        the chips that count (BO-1).

        Chips at a private table that is open are shown as if their owner had never brought them there: nobody learns from a number
        that they play, or how.

        Args:
            among: the people who are on it, who have played enough hands (BO-2); None for everybody.
            only_listed: those are on it whom the store has marked: see `bot.runtime.listed_people`.
        """
        clock = (await self.house_rules(guild)).year_clock
        offset = max(page, 0) * lines

        def read(run_outs: Sequence[RunOut]) -> Awaitable[Leaderboard]:
            unshown = [chips for run_out in run_outs for chips in run_out.unshown]
            for table in self._tables.tables_in_guild(guild):
                if (
                    table.is_private
                    and not table.settings.has_table_chips
                    and table.settings.practice == (book is Book.PRACTICE)
                ):
                    unshown += table.chips_without_game
            return self._store.leaderboard(
                guild,
                among=among,
                only_listed=only_listed,
                offset=offset,
                limit=lines,
                user=user,
                book=book,
                unshown=unshown,
                unshown_flows=[flow for run_out in run_outs for flow in run_out.flows],
                year=year_at(clock, self._clock.now()),
            )

        board, _ = await self._beside_run_outs(guild, book, read)
        return board

    # staff

    async def house_rules(self, guild: int) -> HouseRules:
        """Return the house rules of a server."""
        rules = self._rules_by_guild.get(guild)
        if rules is None:
            rules = self._rules_by_guild[guild] = await self._store.house_rules(guild)
        return rules

    def known_house_rules(self, guild: int) -> HouseRules | None:
        """Return the house rules of a server, if they have been read in this run."""
        return self._rules_by_guild.get(guild)

    async def change_house_rules(self, request: Request, **changes: int | str) -> HouseRules:
        """Change house rules, by their fields.

        Raises:
            StaffOnly, HouseRuleOutOfBounds.
        """
        self._require_staff(request)
        before = await self._store.house_rules(request.guild)
        after = changed_house_rules(before, **changes)
        told = tuple(
            StaffLogEntry(
                kind=StaffLogKind.RULE_CHANGED, name=name, before=getattr(before, name), after=getattr(after, name)
            )
            for name in changes
            if getattr(after, name) != getattr(before, name)
        )
        cause = self._cause(request, "house rules")
        await self._tables.staff_log.save(Commit(guild=request.guild, cause=cause, rules=after, staff_log=told))
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
        return await self._commit_transfer(request, user, transfer, StaffLogKind.GRANTED)

    async def take(self, request: Request, user: int, chips: int, reason: str) -> PlayerHoldings:
        """Take chips back from a player's wallet.

        Raises:
            StaffOnly, ReasonMissing, NoSuchAmount, NotEnoughChips.
        """
        self._require_staff(request, reason)
        holdings = await self._saved_holdings(request.guild, user)
        transfer = staff_take(user, chips, in_wallet=holdings.wallet, note=reason.strip())
        return await self._commit_transfer(request, user, transfer, StaffLogKind.TOOK)

    async def audit(self, request: Request) -> LedgerAudit:
        """Add up all accounts of the server, and compare the engine's chips with the ledger's at every table.

        Raises:
            StaffOnly.
        """
        self._require_staff(request)
        on_tables = await self._tables.audit(request.guild)
        books = await self._store.audit(request.guild)
        faults = (*books.faults, *on_tables)
        self.audits += 1
        self.audit_faults += len(faults)
        return replace(books, faults=faults, adjustments=await self.adjustments(request))

    async def flow(self, request: Request, days: int) -> tuple[PairFlow, ...]:
        """Return who gave chips to whom in the last days, the most suspicious first. For staff.

        Raises:
            StaffOnly.
        """
        self._require_staff(request)
        today = self._clock.now() // HOUR_MS * HOUR_MS  # who asks twice within an hour shares one look at the books
        return await self._store.flow(request.guild, since=today - days * DAY_MS)

    async def adjustments(self, request: Request, *, before: int = 0) -> tuple[StackAdjustment, ...]:
        """Return a page of the adjustments of stacks in the last 30 days, newest first, and one more where there is another page.

        Args:
            before: id of the last one of the previous page; 0 for the first page.

        Raises:
            StaffOnly.
        """
        self._require_staff(request)
        since = self._clock.now() - ADJUSTMENTS_LISTED_MS
        return await self._store.adjustments(request.guild, since=since, before=before, limit=ADJUSTMENTS_PER_PAGE + 1)

    async def check_books(self, on_faults: Callable[[int, tuple[BookFault, ...]], None] | None = None) -> None:
        """Check the books of every server, one after the other, beside all play.

        What does not agree is logged, told to `on_faults`, and told to the server's staff: once, however often the dealer is started.
        """
        for guild in await self._store.guilds():
            faults = (await self._store.audit(guild)).faults
            self.audits += 1
            self.audit_faults += len(faults)
            if not faults:
                continue
            for fault in faults[:LOGGED_FAULTS]:
                about = fault.account
                fields = {"kind": about.kind.name.lower(), "table": about.table, "user": about.user} if about else {}
                log.error(
                    "books_disagree",
                    extra={"guild": guild, "problem": fault.problem.value, "chips": fault.chips, **fields},
                )
            if on_faults is not None:
                on_faults(guild, faults)
            key = f"books:{guild}:{hashlib.sha256(msgspec.json.encode(faults)).hexdigest()[:32]}"
            told = StaffLogEntry(kind=StaffLogKind.BOOKS_DISAGREE, name=faults[0].problem.value)
            cause = Cause(key, 0, self._clock.now(), "books checked")
            await self._tables.staff_log.save(Commit(guild=guild, cause=cause, staff_log=(told,)))

    # inside

    async def _saved_holdings(self, guild: int, user: int) -> PlayerHoldings:
        """A player's chips as staff move them: those that are saved, shown or not."""
        await self._tables.wallets.open(guild, user)
        return await self._store.holdings(guild, user)

    async def _shown_holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        """Return a player's chips as they were before the end of an all-in hand that is still being run out."""
        holdings, run_outs = await self._beside_run_outs(
            guild, book, lambda run_outs: self._store.holdings(guild, user, book)
        )
        return _as_shown(holdings, run_outs)

    async def _holdings_and_total(self, guild: int, user: int) -> tuple[PlayerHoldings, int]:
        """Return a player's chips as they are saved, and how many they have or seem to have, whichever is more.

        The loser of an all-in hand learns of it with everybody else.
        """
        saved, run_outs = await self._beside_run_outs(
            guild, Book.PEOPLE, lambda run_outs: self._store.holdings(guild, user)
        )
        return saved, max(saved.total, _as_shown(saved, run_outs).total)

    async def _beside_run_outs(
        self, guild: int, book: Book, read: Callable[[Sequence[RunOut]], Awaitable[T]]
    ) -> tuple[T, Sequence[RunOut]]:
        """Read what is saved, and return it with the all-in hands whose end is in it and has not been shown.

        Where such an end is saved meanwhile nobody knows whether it was read, and everything is read once more.
        """
        while True:
            run_outs = await self._tables.saved_run_outs(guild, book)
            found = await read(run_outs)
            if await self._tables.saved_run_outs(guild, book) == run_outs:
                return found, run_outs

    async def _unplayed_daily(self, guild: int, user: int) -> int:
        """Return the daily chips that a player has claimed since anything else moved their wallet."""
        history = await self._store.history(guild, user, before=0, limit=LINES_PER_PAGE, book=Book.PEOPLE)
        newest = itertools.takewhile(lambda entry: entry.reason is TransferReason.DAILY, history.entries)
        return sum([entry.chips for entry in newest])

    async def _claim_gift(self, request: Request, label: str, decide: GiftRule) -> GiftResult:
        self._tables.staff_log.require_not_banned(request.guild, request.user)
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
        before, total = await self._holdings_and_total(request.guild, request.user)
        rules = await self._store.house_rules(request.guild)
        gift = decide(rules, before, total, self._clock.now())
        claims = (ClaimChange(request.user, before.claims, gift.claims),)
        commit = Commit(guild=request.guild, cause=self._cause(request, label), transfers=gift.transfers, claims=claims)
        receipt = await self._store.commit(commit)
        after = await self._shown_holdings(request.guild, request.user)
        return GiftResult(sum(transfer.chips for transfer in gift.transfers), after, receipt.repeated)

    async def _commit_transfer(
        self, request: Request, user: int, transfer: Transfer, kind: StaffLogKind
    ) -> PlayerHoldings:
        told = StaffLogEntry(kind=kind, about=user, chips=transfer.chips, reason=transfer.note)
        cause = self._cause(request, "grant" if kind is StaffLogKind.GRANTED else "take")
        commit = Commit(guild=request.guild, cause=cause, transfers=(transfer,), staff_log=(told,))
        await self._tables.staff_log.save(commit)
        return await self._store.holdings(request.guild, user)

    def _cause(self, request: Request, label: str) -> Cause:
        return Cause(request.key, request.user, self._clock.now(), label)

    def _require_staff(self, request: Request, reason: str | None = None) -> None:
        if not request.staff:
            raise StaffOnly
        if reason is not None and not reason.strip():
            raise ReasonMissing


def _as_shown(holdings: PlayerHoldings, run_outs: Sequence[RunOut]) -> PlayerHoldings:
    """Return a player's chips as they were before the end of all-in hands that have not been shown."""
    for unshown in [chips for run_out in run_outs for chips in run_out.unshown if chips.user == holdings.user]:
        holdings = replace(
            holdings,
            wallet=holdings.wallet + unshown.wallet,
            stacks=holdings.stacks + unshown.stacks,
            bets=holdings.bets + unshown.bets,
        )
    return holdings
