"""The joker that loses its power when it is seen: Mexican stud (laws VC-22)."""

from bot.engine.custom import Custom


class FaceUpJokerIsBug(Custom, frozen=True):
    """A joker face up is only a bug."""

    varies_ranking = rules_joker = True
