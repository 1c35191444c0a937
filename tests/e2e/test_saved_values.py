"""Something that the dealer has saved cannot be read any more: it starts, and takes up everything else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.runtime.saved_values import SavedValues, declared_kinds
from tests.e2e.bot_session import BotSession
from tests.e2e.test_choices_survive_restart import restarting_bot

UNREADABLE = b"\xc1"
STRANGER = 77
"""An id that stands in every key: of a table, a server and a person that are not there."""


async def saved(room: BotSession, prefix: str) -> set[str]:
    return set(await room.dealer.store.values(prefix))


async def test_bot_starts_with_an_unreadable_value_of_every_kind(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Any bytes can be read as the digest of the commands.
    kinds = [kind for kind in declared_kinds() if kind.prefix != "discord.commands"]
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            staff = room.discord.you
            here = staff.here
            await staff.go("lobby").slash("house", page="lobby")
            staff.here = here
            await room.open_and_sit(ann, bo)
            await room.next_hand()
            await ann.click("My hand")
            await room.wait_until_idle()
            before = await saved(room, "panel."), await saved(room, "lobby."), await saved(room, "stage.")
            assert all(before)
        keys = [kind.key(tuple(STRANGER for _ in kind.parts)) for kind in kinds]
        with closing(sqlite3.connect(tmp_path / "data" / "cardroom.db")) as db, db:
            db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", [(key, UNREADABLE) for key in keys])
        caplog.clear()
        async with told.life() as room:
            assert all(room.dealer.conditions().values())
            await room.wait_until_idle()
            assert before == (
                await saved(room, "panel."),
                await saved(room, "lobby."),
                await saved(room, "stage."),
            )
            for kind in kinds:  # some are read only when they are needed
                await SavedValues(kind, room.dealer.store).get(tuple(STRANGER for _ in kind.parts))
            dropped = [vars(line)["key"] for line in caplog.records if line.message == "saved_value_unreadable"]
            assert sorted(dropped) == sorted(keys)
            left = await room.dealer.store.values("")
            assert UNREADABLE not in left.values()
            await room.act("Fold", ann, bo)
