"""The ace below the lowest card of a stripped deck (laws VB-10, VC-17)."""

from bot.engine.custom import Custom


class AceAlsoLow(Custom, frozen=True):
    """In a stripped deck the ace also ranks below its lowest card, A-9-8-7-6; else only above the king."""

    keeps_ranks = True
