"""The refusals of what a player names a wild card to be. Cards are numbered as in `bot.engine.cards`."""

from bot.engine.errors import LawError


class NotWild(LawError, law="W-1"):
    """The card is not wild in this game, or its player does not hold it."""

    card: int


class NoSuchCard(LawError, law="W-5"):
    """A wild card must stand for a card of the deck. `as_card` can be no card at all."""

    as_card: int


class AlreadyHeld(LawError, law="W-3"):
    """Under `no_duplicate` a wild card stands for a card that its holder does not hold."""

    as_card: int


class BugCannotBe(LawError, law="W-4"):
    """The bug is an ace, or completes a straight, a flush, a straight flush or a special hand."""

    as_card: int
