"""Whom a table's message has called to act, where turns can take hours: such a table moves with each action, and the new message calls.

Whoever has quiet hours is named without a sound. They are called when these are over (`bot.surfaces.waiting.reminders`); the clock runs.
"""

from __future__ import annotations

import logging

from bot.line.payloads import SUPPRESS_NOTIFICATIONS, Raw
from bot.runtime.store_errors import StoreError
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.table.contents import TableContents
from bot.table.settings import Nudge

log = logging.getLogger(__name__)


class CalledPlayers:
    """The calls of one table's messages.

    Attributes:
        decision: the hand, and the decision in it, for which the live message called its players.
        silently: those of them whom it called without a sound.
    """

    def __init__(self, contents: TableContents, quiet: QuietTimes) -> None:
        self._contents, self._quiet = contents, quiet
        self.decision = self._posting = (0, 0)
        self.silently: tuple[int, ...] = ()
        self._posting_silently: tuple[int, ...] = ()

    @property
    def awaits_people(self) -> bool:
        """Whether the table waits for somebody whose turn can take hours: nobody notices that the dealer is away for a moment."""
        return self._contents.newest.settings.is_slow and any(user > 0 for user in self._contents.awaited_users)

    def is_due(self) -> bool:
        """Return whether the hand waits for people whom the live message has not called."""
        newest = self._contents.newest
        return (newest.hand_number, newest.decision_number) != self.decision and self.awaits_people

    async def prepare(self) -> None:
        """Find out whose quiet hours it can be."""
        guild = self._contents.newest.address.guild
        try:
            await self._quiet.learn(guild)
        except StoreError as error:  # their own quiet hours are known all the same
            log.warning("quiet_hours_not_read", extra={"guild": guild, "error": repr(error)})

    def due_users(self) -> tuple[list[int], tuple[int, ...]]:
        """Return whom a new message calls to act, and those whom it names without a sound instead; nobody, where the table calls nobody.

        Who has written a line ahead is called like everybody: Discord shows each reader of a message whom it mentions (WT-2).
        """
        newest = self._contents.newest
        is_called = self.is_due() and newest.settings.nudge is not Nudge.NEVER
        users = [user for user in self._contents.awaited_users if user > 0] if is_called else []
        silently = tuple([user for user in users if self._quiet.known_now(newest.address.guild, user)])
        return [user for user in users if user not in silently], silently

    def restore(self, decision: tuple[int, int], silently: tuple[int, ...]) -> None:
        """Take up what an earlier run has saved."""
        self.decision, self.silently = decision, silently

    def posting(self, decision: tuple[int, int], silently: tuple[int, ...]) -> None:
        """A new message is sent that shows this decision. `silently`: whom it calls without a sound."""
        self._posting, self._posting_silently = decision, silently

    def posted(self) -> None:
        """It is there."""
        self.decision, self.silently = self._posting, self._posting_silently


def with_calls(data: Raw, called: list[int], silently: tuple[int, ...]) -> Raw:
    """Return a new message as it calls players; where all of them have quiet hours it makes no sound at all."""
    flags = data["flags"] | (SUPPRESS_NOTIFICATIONS if silently and not called else 0)
    return data | {"flags": flags, "allowed_mentions": {"parse": [], "users": [str(user) for user in called]}}
