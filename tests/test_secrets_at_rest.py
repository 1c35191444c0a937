"""Whatever the process allows others, its files are the owner's alone; and what is printed of a value holds no card, token or key."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.fair.deck_order import master_secret
from bot.line.interaction import InteractionInfo
from bot.local.storage import Storage
from bot.runtime.journal import JournalEvent
from bot.settings import Secret, Settings
from bot.store.backup import copy_data, put_back
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.surfaces.private_answers import PrivateMessage
from tests.runtime.evening import MASTER, Evening
from tests.support.data import DATA

TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"


@pytest.fixture
def careless() -> Iterator[None]:
    """The process was started with ``umask 0``: nothing is taken from the modes that files are made with."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """The files that somebody else could read or write."""
    return [
        f"{path.name} {stat.S_IMODE(path.stat().st_mode):o}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]


@pytest.mark.skipif(os.name != "posix", reason="only there files have such modes")
async def test_every_file_is_the_owners_alone(tmp_path: Path, careless: None) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    assert {path.name for path in tmp_path.iterdir()} >= {
        f"{evening.path.name}{end}" for end in ("", "-wal", "-shm", ".lock")
    }
    copy = tmp_path / "backups" / "copy.db"
    copy.parent.mkdir(mode=0o700)
    copy_data(evening.path, copy)
    master_secret(tmp_path / "master.key", create=True)
    standin = Storage(tmp_path / "standin")
    await standin.open()
    standin.save("message", "1", "2", {"content": "7♣"})
    await standin.close()
    assert open_to_others(tmp_path) == []
    await evening.end()
    put_back(copy, evening.path, 1)
    assert open_to_others(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="only there files have such modes")
async def test_the_copy_before_a_migration_is_the_owners_alone(tmp_path: Path, careless: None) -> None:
    old = tmp_path / "cardroom.db"
    shutil.copyfile(DATA / "v0_1_0" / "discord" / "cardroom.db", old)
    store = Store(old, EventCodec(JournalEvent))
    await store.open()
    await store.close()
    assert [path.name for path in tmp_path.glob("*.before-*")], "it was migrated"
    assert open_to_others(tmp_path) == []


async def test_printed_values_hold_no_secret(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    hand = evening.session.state.hand
    assert hand is not None
    context = evening.tables._context
    view = evening.view("Ann")
    printed = f"{hand!r} {view!r} {view.seats!r} {view.seats[0].cards!r} {context!r} {evening.session!r}"
    info = InteractionInfo(id=1, token=TOKEN, guild=2, channel=3, user=4, name="Ann", fields={"reason": "mine"})
    printed += f"{info!r} {PrivateMessage(TOKEN, 5, True, 6)!r} {Settings(discord_token=Secret(TOKEN))!r}"
    assert TOKEN not in printed and repr(MASTER) not in printed
    assert not re.search(r"card=\d|ranks=|deck=", printed), "a card"
    await evening.end()
