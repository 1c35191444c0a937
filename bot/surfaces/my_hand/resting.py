"""How long a panel can be followed by the token of its owner's last click, and what is saved of that."""

from __future__ import annotations

from collections.abc import Callable

from bot.line.budgets import MINUTE_MS
from bot.line.by_token import TOKEN_MS
from bot.runtime.clock import Alarm, AlarmClock
from bot.surfaces.private_answers import PrivateMessage

REST_MS = TOKEN_MS - MINUTE_MS
"""How long after the owner's last click a panel says that it will rest."""
SAVE_AGAIN_MS = 4 * MINUTE_MS
"""A panel whose saved token is this much older than its newest is saved again; each token can edit it for its own time."""


class PanelRest:
    """Tells a panel when it is about to rest, and saves how it can be edited until then.

    Args:
        saved: by an earlier run.
        save: saves it; None: it cannot be edited any more.
        note: told of every message and token that the panel has; None: it cannot be edited any more.
        rest: called a minute before the token ends.
    """

    def __init__(
        self,
        clock: AlarmClock,
        saved: PrivateMessage | None,
        save: Callable[[PrivateMessage | None], None],
        note: Callable[[PrivateMessage | None], None],
        rest: Callable[[], None],
    ) -> None:
        self._clock, self._saved, self._save, self._note, self._rest = clock, saved, save, note, rest
        self._alarm: Alarm | None = None

    def begin(self, shown: PrivateMessage, *, is_saved: bool = False) -> None:
        """The panel can be edited by the token of a click. `is_saved`: that is saved already."""
        self._set_alarm(shown.at + REST_MS, lambda: self._ring(shown))
        self._note(shown)
        saved = self._saved
        if is_saved:
            self._saved = shown
        elif saved is None or saved.message != shown.message or shown.at - saved.at >= SAVE_AGAIN_MS:
            self._saved = shown
            self._save(shown)

    def _ring(self, shown: PrivateMessage) -> None:
        self._set_alarm(shown.at + TOKEN_MS, self.end)  # nothing can edit it then, until its owner clicks
        self._rest()

    def _set_alarm(self, at: int, ring: Callable[[], None]) -> None:
        self.stop()
        self._alarm = self._clock.call_at(at, ring)

    def end(self) -> None:
        """The panel cannot, or need not, be edited any more."""
        self.stop()
        self._note(None)
        if self._saved is not None:
            self._saved = None
            self._save(None)

    def stop(self) -> None:
        """Stop; what is saved stays."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
