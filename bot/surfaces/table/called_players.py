"""Whom a table's message has called to act, where turns can take hours: such a table moves with each action, and the new message calls."""

from __future__ import annotations

from bot.line.payloads import Raw
from bot.surfaces.table.contents import TableContents
from bot.table.settings import Nudge


class CalledPlayers:
    """The calls of one table's messages.

    Attributes:
        decision: the hand, and the decision in it, for which the live message called its players.
    """

    def __init__(self, contents: TableContents) -> None:
        self._contents = contents
        self.decision = self._posting = (0, 0)

    @property
    def awaits_people(self) -> bool:
        """Whether the table waits for somebody whose turn can take hours: nobody notices that the dealer is away for a moment."""
        return self._contents.newest.settings.is_slow and any(user > 0 for user in self._contents.awaited_users)

    def is_due(self) -> bool:
        """Return whether the hand waits for people whom the live message has not called."""
        newest = self._contents.newest
        return (newest.hand_number, newest.decision_number) != self.decision and self.awaits_people

    def mentions(self) -> Raw:
        """Return whom a new message notifies: whom it calls to act, unless the table calls nobody.

        Who has written a line ahead is called like everybody: Discord shows each reader of a message whom it mentions (WT-2).
        """
        is_called = self.is_due() and self._contents.newest.settings.nudge is not Nudge.NEVER
        users = self._contents.awaited_users if is_called else []
        return {"parse": [], "users": [str(user) for user in users if user > 0]}

    def restore(self, decision: tuple[int, int]) -> None:
        """Take up what an earlier run has saved."""
        self.decision = decision

    def posting(self, decision: tuple[int, int]) -> None:
        """A new message is sent that shows this decision."""
        self._posting = decision

    def posted(self) -> None:
        """It is there."""
        self.decision = self._posting
