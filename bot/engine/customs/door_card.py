"""Equal door cards: modern stud (laws VC-5)."""

from bot.engine.custom import Custom


class DoorCardTiesBySuit(Custom, frozen=True):
    """Of equal door cards the suit decides who brings in, whatever `STUD_TIE` says of later streets."""
