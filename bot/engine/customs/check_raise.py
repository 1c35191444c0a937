"""Check-raising forbidden: California lowball, where the house says so (laws VC-11)."""

from bot.engine.custom import Custom


class ForbidsCheckRaise(Custom, frozen=True):
    """Nobody can raise on a street on which they have checked."""

    restricts_raises = True
