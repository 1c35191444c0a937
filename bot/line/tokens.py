"""The token of an interaction, with which messages can be sent, edited and deleted for a while."""

from __future__ import annotations

from msgspec import Struct

TOKEN_MS = 14 * 60_000
"""How long a token is used after its interaction. Discord allows fifteen minutes, and sometimes less."""


class Token(Struct):
    """What one interaction lets the bot do without its own token. It can be saved between runs, sealed.

    Attributes:
        application: the application that the token is of.
        interaction: the id of its interaction.
        at: when the interaction arrived, in ms since the epoch.
        channel: where it was: messages that are sent with the token appear there.
        original: the message that was clicked, or that the interaction was answered with; 0 for none.
        messages: the messages that were sent with it.
        ended: Discord has said that it is over.
    """

    application: int
    interaction: int
    token: str
    at: int
    channel: int
    original: int = 0
    messages: tuple[int, ...] = ()
    ended: bool = False

    def __repr__(self) -> str:
        """Tell which token it is, not what it is: this can end up in a log."""
        return f"<token of interaction {self.interaction}>"

    def is_open(self, now: int) -> bool:
        """Return whether it can be used."""
        return not self.ended and now < self.at + TOKEN_MS

    def can_edit(self, message: int, now: int) -> bool:
        """Return whether it can edit and delete a message."""
        return message != 0 and (message == self.original or message in self.messages) and self.is_open(now)

    def has_sent(self, message: int) -> None:
        """A message was sent with it, which it can edit from now on."""
        if message not in self.messages:
            self.messages = (*self.messages, message)

    def end(self) -> None:
        """Discord has said that it is over: use it no more."""
        self.ended = True
