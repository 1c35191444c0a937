"""The open pages, by person, and which of them are sent what."""

from typing import Protocol

import msgspec

from bot.local.errors import Json
from bot.local.world import DM_CHANNEL, World


class OpenPage(Protocol):
    """One page, open in one browser tab."""

    person_id: str

    def send(self, frame: bytes) -> None:
        """Queue one JSON frame. Never waits."""


class OpenPages:
    """Every open page. A person can have several."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_person: dict[str, list[OpenPage]] = {}

    def add(self, page: OpenPage) -> None:
        self._by_person.setdefault(page.person_id, []).append(page)

    def remove(self, page: OpenPage) -> None:
        pages = self._by_person[page.person_id]
        pages.remove(page)
        if not pages:
            del self._by_person[page.person_id]

    @property
    def person_ids(self) -> list[str]:
        return list(self._by_person)

    def send_to_person(self, person_id: str, frame: Json) -> None:
        pages = self._by_person.get(person_id)
        if pages:
            encoded = msgspec.json.encode(frame)
            for page in pages:
                page.send(encoded)

    def send_to_all(self, frame: Json) -> None:
        encoded = msgspec.json.encode(frame)
        for pages in self._by_person.values():
            for page in pages:
                page.send(encoded)

    def send_to_channel(self, channel: Json, frame: Json) -> None:
        """Send a frame to everybody who can see the channel."""
        if not self._by_person:
            return
        if channel["type"] == DM_CHANNEL:
            self.send_to_person(channel["recipients"][0]["id"], frame)
            return
        encoded = msgspec.json.encode(frame)
        for person_id, pages in self._by_person.items():
            if self._world.can_view(person_id, channel):
                for page in pages:
                    page.send(encoded)
