"""Clicks in direct messages on their way from the dealer that hears of them to the one whose message it was."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class PassedClick(Struct, frozen=True):
    """A click that waits for whoever handles it.

    Attributes:
        interaction: its id.
        slot: whose it is; None if that is not known.
        event: what the gateway has told, as JSON.
    """

    interaction: int
    slot: int | None
    event: bytes

    def __repr__(self) -> str:
        """Tell which it is, without the token."""
        return f"<passed click {self.interaction}>"


class PassedClicks(Protocol):
    """Where they wait. All raise a `StoreError` if that cannot be reached."""

    async def pass_on(self, click: PassedClick) -> None:
        """Let a click be taken by its dealer."""

    async def waiting(self) -> list[PassedClick]:
        """Return those that this dealer can take: its own, and those of which nobody knows whose they are."""

    async def take(self, interaction: int) -> bool:
        """Take a click. Returns False if another dealer has, or it came too late."""

    async def take_back(self, interaction: int) -> bool:
        """Take back what one has passed on. Returns False if it was taken meanwhile."""
