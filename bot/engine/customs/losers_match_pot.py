"""The losers' payment: guts (laws VC-27)."""

from bot.engine.custom import Custom


class LosersMatchPot(Custom, frozen=True):
    """A player who stays in and loses puts the pot in again for the next hand."""

    amounts = ("cap",)

    def owed(self, pot: int, cap: int, stack: int) -> int:
        """Return what a loser puts in: the pot, up to the loss cap (0: none) and their stack."""
        return min(pot, cap or pot, stack)
