"""What of a table's live message is saved between runs."""

from __future__ import annotations

import msgspec

from bot.render.hand.result import HandLine
from bot.runtime.saved_values import OF_A_TABLE, SavedKind
from bot.surfaces.keeper import Location

NO_HAND = 0
"""The hand number of a message that shows the open table."""


class MessagePicture(msgspec.Struct, frozen=True):
    """What a message has of a picture, as far as is known.

    Attributes:
        is_there: the message has a picture: its file can be named without being sent again.
        moment: what it shows (`bot.surfaces.table.pictures`); empty where that is not known.
    """

    is_there: bool = False
    moment: bytes = b""


NO_PICTURE = MessagePicture()


class SavedMessage(msgspec.Struct, frozen=True):
    """A table's live message, as it is saved between runs.

    Attributes:
        hand: the hand that it shows; 0 for the open table.
        sent_at, nonce, outdated: as in `Location`.
        temporary_messages: what earlier versions still have to delete.
        introduced: the keys of the games that the table has introduced.
        introducing: the hand, and the street of it, at which the message introduces its game.
        picture: what the message has of a picture.
        hands: what is left of the hands that it has shown and that are over.
        last_hand: how the last of them ended.
        left: what is left of hands in the messages that are outdated, in the order of `outdated`.
        called: the hand, and the decision in it, for which the message called its players, where turns can take hours.
        silently: those of them whom it called without a sound.
    """

    channel: int
    message: int
    hand: int
    sent_at: int
    temporary_messages: tuple[int, ...] = ()
    introduced: tuple[str, ...] = ()
    introducing: tuple[int, str] = (0, "")
    picture: MessagePicture = NO_PICTURE
    nonce: str = ""
    outdated: tuple[int, ...] = ()
    hands: tuple[HandLine, ...] = ()
    last_hand: str = ""
    left: tuple[tuple[HandLine, ...], ...] = ()
    called: tuple[int, int] = (0, 0)
    silently: tuple[int, ...] = ()

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, self.sent_at, self.nonce, self.outdated)


SAVED_MESSAGES = SavedKind[int, SavedMessage]("stage.", OF_A_TABLE, SavedMessage)
