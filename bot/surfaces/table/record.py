"""What is saved of a table's message while it lives, and the hands of the messages that it leaves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.background_tasks import BackgroundTasks
from bot.render.hand.result import HandLine
from bot.surfaces.keeper import NOWHERE, Location
from bot.surfaces.table.contents import TableContents
from bot.surfaces.table.pictures import LivePicture
from bot.surfaces.table.saved import NO_HAND, SavedMessage


class MessageRecord:
    """What is saved of one table's message: where it is, and the hands of the messages that it leaves.

    Args:
        save: saves it; None: it is over.

    Attributes:
        location: where the message is, or is about to be.
        hand: the hand that it shows; -1 for none yet.
    """

    def __init__(
        self,
        contents: TableContents,
        picture: LivePicture,
        save: Callable[[SavedMessage | None], Awaitable[None]],
        tasks: BackgroundTasks,
    ) -> None:
        self._contents, self._picture, self._keep, self._tasks = contents, picture, save, tasks
        self.location, self.hand = NOWHERE, -1
        self._left: dict[int, tuple[HandLine, ...]] = {}
        self._is_over = False

    def restore(self, saved: SavedMessage) -> None:
        """Take up what an earlier run has saved."""
        self.location, self.hand = saved.location, saved.hand
        self._left = dict(zip(saved.outdated, saved.left, strict=False))
        self._picture.restore(saved.picture)

    def note_new(self, location: Location) -> None:
        """The table has a new message. The one that it leaves keeps its hands."""
        before = self.location.message
        if before in location.outdated or self._contents.closed is not None:
            self._left[before] = self._contents.leave_hands()
        self._left = {message: self._left.get(message, ()) for message in location.outdated}
        self._picture.forget()
        self.location = location

    def show(self, hand: int) -> bool:
        """The message shows a hand. Returns whether it is another one than before."""
        before, self.hand = self.hand, hand
        return before != hand

    def hands_of(self, message: int) -> tuple[HandLine, ...]:
        """Return the hands of a message that the table has left."""
        return self._left.get(message, ())

    def end(self) -> None:
        """The table has closed, and nothing is left to do."""
        self._is_over = True
        self.save_later()

    async def save(self, location: Location) -> None:
        """Save it. The message is there, or about to be."""
        self.location = location
        await self._save()

    def save_later(self) -> None:
        """Save it soon: it has another picture, or shows another hand."""
        self._tasks.run(self._save(), "remember")

    async def _save(self) -> None:
        location, contents = self.location, self._contents
        saved = SavedMessage(
            location.channel,
            location.message,
            max(self.hand, NO_HAND),
            location.sent_at,
            introduced=tuple(contents.introduced),
            introducing=contents.introducing,
            picture=self._picture.has,
            nonce=location.nonce,
            outdated=location.outdated,
            hands=contents.hands,
            last_hand=contents.last_hand,
            left=tuple([self.hands_of(message) for message in location.outdated]),
        )
        await self._keep(None if self._is_over else saved)
