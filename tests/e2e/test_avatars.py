"""People's own pictures: fetched once they sit down, shown when they are there, and never waited for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.pictures.avatars import avatar_file
from bot.runtime.errors import FileNotFetched
from bot.surfaces.people import avatars as avatars_module
from bot.surfaces.people.avatars import BYTES_MAX, Avatars
from tests.e2e.bot_session import BotSession, bot_session
from tests.pictures.some_avatars import some_avatar
from tests.support.discord_double import Player
from tests.support.pictures import Painter

Fetch = Callable[[str], bytes]


class Shelf:
    """Where the dealer fetches pictures in a test, and what it has asked for.

    Attributes:
        gate: pictures arrive once it is open.
    """

    def __init__(self, room: BotSession, fetch: Fetch) -> None:
        self._fetch = fetch
        self.asked: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        room.dealer.parts.get(Avatars)._discord_api.by_token.fetch_avatar = self.fetch  # type: ignore[method-assign]

    async def fetch(self, url: str, maximum: int) -> bytes:
        self.asked.append(url)
        await self.gate.wait()
        return self._fetch(url)


def give_avatar(room: BotSession, player: Player, key: str = "ab" * 16) -> None:
    """Let somebody have a picture in Discord."""
    room.discord.stand_in.world.people[player.me["id"]].user["avatar"] = key


def drawn_avatars(painter: Painter) -> list[bytes]:
    """The avatars of the newest picture, by seat."""
    return [seat.avatar for seat in painter.drawn[-1].seats]


async def play_a_hand(room: BotSession, painter: Painter, *players: Player) -> None:
    drawn = len(painter.drawn)
    await room.next_hand()
    await room.act("Fold", *players)
    await room.wait_until_idle()
    assert len(painter.drawn) > drawn


async def test_picture_that_was_fetched_at_sit_down_is_shown(tmp_path: Path) -> None:
    """From the stand-in, by the dealer's own way. Who has none keeps their initials, and nothing of theirs is fetched."""
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        give_avatar(room, ann)
        await room.open_and_sit(ann, bo)
        avatars = room.dealer.parts.get(Avatars)
        await asyncio.wait(avatars.tasks.pending or {asyncio.ensure_future(asyncio.sleep(0))})
        await play_a_hand(room, painter, ann, bo)
        shown, initials = drawn_avatars(painter)
        assert shown[:4] == b"RIFF" and not initials
        assert [disc.user for disc in avatars._discs.values()] == [int(ann.me["id"])]
        room.check_leaks()


async def test_table_never_waits_for_a_picture(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        give_avatar(room, ann)
        shelf = Shelf(room, lambda _: some_avatar())
        shelf.gate.clear()
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        await room.wait_for_text("wins")
        assert drawn_avatars(painter) == [b"", b""]
        assert len(shelf.asked) == 1 and "?size=128" in shelf.asked[0]
        shelf.gate.set()
        await room.wait_until_idle()
        await play_a_hand(room, painter, ann, bo)
        assert drawn_avatars(painter) == [avatar_file(some_avatar()), b""]
        assert len(shelf.asked) == 1, "once"


@pytest.mark.parametrize(
    "content", [b"no picture", some_avatar()[:100], b"\0" * (BYTES_MAX + 1)], ids=["text", "cut off", "too large"]
)
async def test_bad_picture_leaves_initials_and_is_tried_later(tmp_path: Path, content: bytes) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        give_avatar(room, ann)
        shelf = Shelf(room, lambda _: content)
        await room.open_and_sit(ann, bo)
        for _ in range(2):
            await play_a_hand(room, painter, ann, bo)
        assert drawn_avatars(painter) == [b"", b""] and len(shelf.asked) == 1
        room.clock.skip(avatars_module.RETRY_MS / 1000)
        await play_a_hand(room, painter, ann, bo)
        assert len(shelf.asked) == 2
        room.clock.skip(avatars_module.RETRY_MS / 1000)
        await play_a_hand(room, painter, ann, bo)
        assert len(shelf.asked) == 2, "each further time it takes much longer"


async def test_without_a_network_the_log_says_so_once_a_minute(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: str) -> bytes:
        raise FileNotFetched from OSError("no network")

    painter = Painter()
    with caplog.at_level(logging.INFO):
        async with bot_session(tmp_path, pictures=painter) as room:
            people = await room.people("Ann", "Bo", "Cy")
            for number, player in enumerate(people):
                give_avatar(room, player, f"{number}a" * 16)
            shelf = Shelf(room, fails)
            await room.open_and_sit(*people)
            await room.wait_until_idle()
            assert len(shelf.asked) == 3
            said = [record for record in caplog.records if record.message == "avatar_not_fetched"]
            assert [vars(record)["cause"] for record in said] == ["OSError"]


async def test_deleting_ones_data_drops_the_picture(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        give_avatar(room, ann)
        Shelf(room, lambda _: some_avatar())
        await room.open_and_sit(ann, bo)
        await room.wait_until_idle()
        avatars = room.dealer.parts.get(Avatars)
        assert avatars._discs
        await room.dealer.parts.forget(room.now.address.guild, int(ann.me["id"]))
        assert not avatars._discs and not avatars.of(room.now)


async def test_picture_that_comes_after_the_deletion_is_not_kept(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        give_avatar(room, ann)
        shelf = Shelf(room, lambda _: some_avatar())
        shelf.gate.clear()
        await room.open_and_sit(ann, bo)
        await room.dealer.parts.forget(room.now.address.guild, int(ann.me["id"]))
        shelf.gate.set()
        await room.wait_until_idle()
        assert not room.dealer.parts.get(Avatars)._discs


async def test_few_pictures_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avatars_module, "KEPT_MAX", 2)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        people = await room.people("Ann", "Bo", "Cy")
        for number, player in enumerate(people):
            give_avatar(room, player, f"{number}a" * 16)
        Shelf(room, lambda _: some_avatar())
        await room.open_and_sit(*people)
        await room.wait_until_idle()
        assert len(room.dealer.parts.get(Avatars)._discs) == 2


async def test_only_discord_is_asked_for_pictures(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        by_token = room.dealer.parts.get(Avatars)._discord_api.by_token
        base = room.discord.stand_in.cdn_url
        for address in (
            "http://169.254.169.254/latest", f"{base}.evil.example/avatars/1/ab.png", f"{base}/avatars/../attachments/1",
            f"{base}/attachments/1/2/a.png", "file:///etc/passwd",
        ):  # fmt: skip
            with pytest.raises(FileNotFetched):
                await by_token.fetch_avatar(address, BYTES_MAX)
        with pytest.raises(FileNotFetched):
            await by_token.fetch_avatar(f"{base}/avatars/1/nothing.png", BYTES_MAX)
        picture = await by_token.fetch_avatar(f"{base}/avatars/1/{'ab' * 16}.png?size=128", BYTES_MAX)
        assert avatar_file(picture)
        assert len(await by_token.fetch_avatar(f"{base}/avatars/1/{'ab' * 16}.png", 20)) == 21
