"""Deal every game of the catalogue to its end through the bot, with pictures on, and write what everybody saw.

    python -m tests.pictures.every_game FOLDER [GAME …]

For each game the folder gets its pictures in order, ``stud8-1.webp``, ``stud8-2.webp`` …, as they were uploaded.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Hashable
from pathlib import Path

from bot.engine.rule_card import RuleCard
from bot.pictures.types import Picture
from bot.surfaces.table import pace
from bot.variants import CATALOGUE
from tests.e2e.bot_session import bot_session
from tests.e2e.play_by_buttons import play_hand
from tests.support.pictures import InProcessMaker

PEOPLE = ("Mia", "bob_the_builder", "Jürgen K", "Ayşe", "Олег", "Zoë")


class Album(InProcessMaker):
    """Draws in this process and keeps every file."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[bytes] = []

    async def draw(self, picture: Picture, key: Hashable | None = None) -> bytes | None:
        file = await super().draw(picture, key)
        if file is not None:
            self.files.append(file)
        return file


async def play(card: RuleCard, data: Path) -> list[bytes]:
    """Play one hand of a game by clicks. Returns its pictures in order."""
    album = Album()
    async with bot_session(data, pictures=album) as room:
        seats = max(card.seats_min, min(len(PEOPLE), card.seats_max))
        players = await room.people(*PEOPLE[:seats])
        await room.open_and_sit(*players, game=card.name, seats=seats)
        await room.next_hand()
        await play_hand(room, players, random.Random(card.key))
        await room.wait_until_idle()
        view = room.now.hand
        assert view is not None and view.over and not view.voided, card.key
        assert room.watcher.pictures_checked >= 1, card.key
        room.check_leaks()
    return album.files


def main(folder: Path, keys: list[str]) -> None:
    """Play the games, all or those named."""
    folder.mkdir(parents=True, exist_ok=True)
    pace.EDIT_SECONDS = 0.01
    for card in CATALOGUE:
        if keys and card.key not in keys:
            continue
        with tempfile.TemporaryDirectory() as data:
            files = asyncio.run(play(card, Path(data)))
        for number, file in enumerate(files, start=1):
            (folder / f"{card.key}-{number}.webp").write_bytes(file)
        print(f"{card.name}: {len(files)} pictures, {sum(map(len, files)) // 1000} kB", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
