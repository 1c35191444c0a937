"""Those who are looking on: open pages, and what each of them may be shown."""

from __future__ import annotations

from typing import Protocol

import msgspec

from bot.local.errors import Json
from bot.local.world import DM_CHANNEL, World


class Viewer(Protocol):
    """One open page."""

    person_id: str

    def send(self, frame: bytes) -> None:
        """Hand over one JSON frame; never waits."""


class Viewers:
    """Every open page, by person."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._open: dict[str, list[Viewer]] = {}

    def add(self, viewer: Viewer) -> None:
        self._open.setdefault(viewer.person_id, []).append(viewer)

    def remove(self, viewer: Viewer) -> None:
        views = self._open[viewer.person_id]
        views.remove(viewer)
        if not views:
            del self._open[viewer.person_id]

    @property
    def people(self) -> list[str]:
        return list(self._open)

    def tell(self, person_id: str, frame: Json) -> None:
        """Send to every page of one person."""
        views = self._open.get(person_id)
        if views:
            encoded = msgspec.json.encode(frame)
            for viewer in views:
                viewer.send(encoded)

    def tell_all(self, frame: Json) -> None:
        encoded = msgspec.json.encode(frame)
        for views in self._open.values():
            for viewer in views:
                viewer.send(encoded)

    def tell_channel(self, channel: Json, frame: Json) -> None:
        """Send to everybody who sees the channel."""
        if not self._open:
            return
        if channel["type"] == DM_CHANNEL:
            self.tell(channel["recipients"][0]["id"], frame)
            return
        encoded = msgspec.json.encode(frame)
        for person_id, views in self._open.items():
            if self._world.sees(person_id, channel):
                for viewer in views:
                    viewer.send(encoded)
