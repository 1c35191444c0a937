"""The live blind of the button: short deck (laws VC-17)."""

from bot.engine.custom import Custom
from bot.engine.stakes import Stakes


class ButtonBlind(Custom, frozen=True):
    """The button posts a live blind beside its ante."""

    fixes_ante = posts_blind = True

    def chips(self, stakes: Stakes) -> int:
        """Return the blind: as set, else one ante."""
        return stakes.button_blind or stakes.ante
