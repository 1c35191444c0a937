"""What a player can bring to a table: from their wallet, with what the house gives now, or at lower stakes."""

from bot.engine.errors import LawError
from bot.ledger.accounts import TransferReason
from bot.ledger.gifts import WaysToPlay, gifts_needed
from bot.runtime.bank import Bank
from bot.runtime.house_game_settings import with_request
from bot.runtime.request import Request
from bot.runtime.snapshot import TableOutline, TableSnapshot
from bot.runtime.table_settings import NewTableRequest, default_buy_in
from bot.runtime.tables import Tables
from bot.runtime.transfers import book_of
from bot.table.settings import TableSettings
from bot.table.validate_settings import validate_settings

LOWER_BIG_BLINDS = (500, 200, 100, 50, 20, 10, 2)
"""The stakes at which a table is opened for a player who cannot pay for theirs, the highest first."""


class BuyIns:
    """Says how many chips players can bring."""

    def __init__(self, bank: Bank, tables: Tables) -> None:
        self._bank, self._tables = bank, tables

    async def available(self, guild: int, user: int, snapshot: TableSnapshot) -> int:
        """Return the chips that a player can bring. Practice chips are free: a player with too few gets the opening grant again.

        Table chips are bought at the table: no wallet is asked (TC-1).
        """
        if snapshot.settings.has_table_chips:
            return max(snapshot.settings.starting_stack, snapshot.taken_away(user))
        if not snapshot.settings.practice:
            return await self.in_wallet(guild, user)
        holdings = await self._bank.holdings(guild, user, book_of(snapshot.settings))
        minimum = snapshot.settings.min_buyin
        if holdings.wallet >= minimum:
            return holdings.wallet
        return max((await self._bank.house_rules(guild)).opening_grant, minimum)

    async def ways(self, snapshot: TableSnapshot, request: Request) -> WaysToPlay:
        """Return how a person can get chips onto a table, with no seat or none left on theirs."""
        user, guild, settings = request.user, snapshot.address.guild, snapshot.settings
        bounds = snapshot.buy_in(user, self._bank.now)
        has = await self.available(guild, user, snapshot)
        if has >= bounds.minimum:
            usual = default_buy_in(settings, bounds.minimum, bounds.maximum, has)
            return WaysToPlay(usual, minimum=bounds.minimum)
        due = await self._bank.next_gifts(guild, user, request.joined_at)
        gifts = gifts_needed(due, bounds.minimum - has)
        gift = sum([due.relief if kind is TransferReason.RELIEF else due.daily for kind in gifts])
        chips = default_buy_in(settings, bounds.minimum, bounds.maximum, has + gift) if gift else 0
        lower = await self.lower_table(snapshot, request) is not None
        lower = lower or lower_settings(settings, has + due.now) is not None
        later = [at for at in (due.daily_at if due.daily else 0, due.relief_at if due.relief else 0) if at]
        next_gift_at = 0 if due.now or not later else min(later)
        return WaysToPlay(chips, gift, gifts, bounds.minimum, lower, next_gift_at)

    async def reach(self, guild: int, request: Request) -> int:
        """Return the chips that somebody can bring to any table with all that the house gives now."""
        due = await self._bank.next_gifts(guild, request.user, request.joined_at)
        return await self.in_wallet(guild, request.user) + due.now

    async def lower_table(self, snapshot: TableSnapshot, request: Request) -> TableOutline | None:
        """Return the open table for lower stakes that somebody can pay for and sit down at: with most players, then the highest stakes."""
        reach = await self.reach(snapshot.address.guild, request)
        unit = snapshot.settings.buy_in_unit
        found = [
            one
            for one in self._tables.tables_seen_by(request)
            if one.id != snapshot.id
            and not one.settings.practice
            and not one.settings.has_table_chips
            and one.settings.buy_in_unit < unit
            and one.buy_in(request.user, self._bank.now).minimum <= reach
            and (one.seats_for_newcomers or any(seat.player == request.user for seat in one.table.seats))
        ]
        return max(found, key=lambda one: (len(one.table.seats), one.settings.buy_in_unit), default=None)

    async def in_wallet(self, guild: int, user: int) -> int:
        """Return the chips that somebody can bring without what the house gives now."""
        holdings = await self._bank.holdings(guild, user)
        return max(0, holdings.wallet - (await self._bank.held(guild, user)).chips)


def lower_settings(settings: TableSettings, reach: int) -> TableSettings | None:
    """Return the settings of a table of the same game for the highest stakes that somebody with so many chips can pay for; None if there
    are none below."""
    for big in LOWER_BIG_BLINDS:
        if big >= settings.buy_in_unit:
            continue
        lower = with_request(settings, NewTableRequest(big_blind=big, practice=settings.practice))
        if lower.min_buyin > reach:
            continue
        try:
            validate_settings(lower)
        except LawError:  # chips cannot be split so small in this game
            return None
        return lower
    return None
