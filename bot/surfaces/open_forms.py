"""Forms that people have filled in: what is refused comes back as it was typed, to be corrected.

Discord opens no form as the answer to another, so the refusal has a button for it. The forms are kept in memory: after a restart the button
has expired.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.render.message.panel import Form

REMEMBERED_MAX = 1_000
"""So many forms are remembered at most: the oldest go first."""


class OpenForms:
    """Those that people have before them, and those that came back."""

    def __init__(self) -> None:
        self._opened: dict[tuple[int, str], Form] = {}
        self._refused: dict[int, tuple[int, Form]] = {}
        self._messages: dict[int, int] = {}

    def opened(self, user: int, form: Form) -> None:
        """Somebody has a form before them."""
        self._opened.pop((user, form.custom_id), None)
        self._opened[user, form.custom_id] = form
        while len(self._opened) > REMEMBERED_MAX:
            del self._opened[next(iter(self._opened))]

    def refused(self, user: int, custom_id: str, fields: Mapping[str, str], number: int) -> bool:
        """What somebody filled in was refused. Returns whether it can come back, by this number."""
        form = self._opened.get((user, custom_id))
        if form is None or not fields:
            return False
        self._refused[number] = user, form.filled(fields)
        while len(self._refused) > REMEMBERED_MAX:
            del self._refused[next(iter(self._refused))]
        return True

    def shown_in(self, user: int, message: int) -> None:
        """A private message says that what somebody filled in was refused."""
        self._messages[message] = user
        while len(self._messages) > REMEMBERED_MAX:
            del self._messages[next(iter(self._messages))]

    def corrects(self, user: int, message: int) -> bool:
        """Whether a form that was opened from this message corrects what it refuses: its answer takes that one's place."""
        return self._messages.get(message) == user

    def again(self, user: int, number: int) -> Form | None:
        """Return a form with what its reader has typed; None where it is not known any more."""
        owner, form = self._refused.get(number, (0, None))
        return form if owner == user else None

    def forget(self, user: int) -> None:
        """Forget what a person has typed."""
        self._opened = {key: form for key, form in self._opened.items() if key[0] != user}
        self._messages = {message: whose for message, whose in self._messages.items() if whose != user}
        self._refused = {number: one for number, one in self._refused.items() if one[0] != user}
