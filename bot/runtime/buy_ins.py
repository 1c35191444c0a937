"""What a player can bring to a table."""

from bot.runtime.bank import Bank
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.table_settings import default_buy_in
from bot.runtime.transfers import book_of


class BuyIns:
    """Says how many chips players can bring."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank

    async def available(self, guild: int, user: int, snapshot: TableSnapshot) -> int:
        """Return the chips that a player can bring. Practice chips are free: a player with too few gets the opening grant again.

        Table chips are bought at the table: no wallet is asked (TC-1).
        """
        if snapshot.settings.has_table_chips:
            return max(snapshot.settings.starting_stack, snapshot.taken_away(user))
        holdings = await self._bank.holdings(guild, user, book_of(snapshot.settings))
        minimum = snapshot.settings.min_buyin
        if not snapshot.settings.practice:
            return max(0, holdings.wallet - (await self._bank.held(guild, user)).chips)
        if holdings.wallet >= minimum:
            return holdings.wallet
        return max((await self._bank.house_rules(guild)).opening_grant, minimum)

    async def usual(self, snapshot: TableSnapshot, user: int) -> int:
        """Return the chips for which a player can buy in with one press; 0 where their wallet has less than the minimum."""
        settings = snapshot.settings
        chips = await self.available(snapshot.address.guild, user, snapshot)
        return (
            default_buy_in(settings, settings.min_buyin, settings.max_buyin, chips)
            if chips >= settings.min_buyin
            else 0
        )
