"""What becomes of chips when a season ends, as the house rules say it. `bot.ledger.seasons` moves them."""

from msgspec import Struct

KEEP_ALL = 100
"""Percent."""


class SeasonChips(Struct, frozen=True, gc=False):
    """What a house does with chips at the end of a season.

    Attributes:
        start: the wallet of everybody who has played holds so many chips afterwards, and nobody's holds more; 0 to go by `carried`.
        carried: so many percent of everybody's chips are carried over; 100 for all.
    """

    start: int = 0
    carried: int = KEEP_ALL

    @property
    def keeps(self) -> bool:
        """Whether nobody's chips change."""
        return not self.start and self.carried >= KEEP_ALL

    @property
    def carried_from_tables(self) -> int:
        """Return how many percent of the chips on tables come back to wallets."""
        return 0 if self.start else self.carried

    def wallet_after(self, chips: int, *, has_played: bool = True) -> int:
        """Return what a wallet holds afterwards that has held so many chips. Who has not played in the season is given nothing (BO-2)."""
        if self.start:
            return self.start if has_played else min(chips, self.start)
        return chips * self.carried // 100
