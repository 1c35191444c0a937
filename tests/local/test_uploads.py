"""A form takes files: they go to the stand-in first, which keeps few, small and for a short time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from bot.local.errors import InvalidAction
from bot.local.message_body import MAX_UPLOAD_BYTES
from bot.local.modals import collect_answers, given_files, validate_modal
from bot.local.stand_in import DiscordStandIn
from bot.local.uploads import KEPT_SECONDS, MAX_BYTES, MAX_FILES_OF_PERSON

MODAL = {
    "title": "Import", "custom_id": "m",
    "components": [{"type": 18, "label": "File", "component": {"type": 19, "custom_id": "f", "min_values": 1, "max_values": 1}}],
}  # fmt: skip


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordStandIn]:
    async with DiscordStandIn(tmp_path, port=0) as stand_in:
        yield stand_in


async def send(
    room: DiscordStandIn, body: bytes, *, link: str = "", origin: str | None = None, name: str = "a.phh"
) -> aiohttp.ClientResponse:
    url = f"{room.base_url}/p/{link or room.owner.link}/files"
    headers = {"Origin": room.base_url if origin is None else origin}
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, params={"name": name}, data=body, headers=headers) as answer,
    ):
        await answer.read()
        return answer


async def test_a_file_is_kept_and_served_as_nothing_that_runs(room: DiscordStandIn) -> None:
    answer = await (await send(room, b"<script>", name="../x y.html")).json()
    assert (answer["filename"], answer["size"]) == (".._x_y.html", 8)
    (attachment,) = room.uploads.resolve(room.owner.id, [answer["id"]]).values()
    async with aiohttp.ClientSession() as session, session.get(attachment["url"]) as got:
        assert await got.read() == b"<script>"
        assert got.headers["Content-Type"] == "application/octet-stream"
        assert (
            got.headers["Content-Disposition"] == "attachment" and got.headers["Content-Security-Policy"] == "sandbox"
        )


async def test_files_of_others_and_unknown_ids_are_refused(room: DiscordStandIn) -> None:
    answer = await (await send(room, b"x")).json()
    friend = room.page_server.invite(room.owner, "Bo")
    for ids in ([answer["id"]], ["1"], [7], [None]):
        with pytest.raises(InvalidAction, match="Choose it again"):
            room.uploads.resolve(friend.id, ids)


@pytest.mark.parametrize(("origin", "link"), [("http://evil.example", ""), ("", ""), (None, "nobody")])
async def test_only_a_persons_own_page_sends_files(room: DiscordStandIn, origin: str | None, link: str) -> None:
    assert (await send(room, b"x", origin=origin, link=link)).status in (403, 404)


async def test_large_files_are_refused_before_they_are_read(room: DiscordStandIn) -> None:
    body = b"x" * (MAX_UPLOAD_BYTES + 1)
    with pytest.raises(InvalidAction, match="10 MB"):
        room.uploads.add(room.owner.id, "a", body)
    url = f"{room.base_url}/p/{room.owner.link}/files"

    async def endless() -> AsyncIterator[bytes]:
        yield b"x"

    async with (
        aiohttp.ClientSession() as session,
        session.post(url, data=endless(), headers={"Origin": room.base_url}) as answer,
    ):
        assert "10 MB" in (await answer.json())["error"]


async def test_few_files_are_kept_and_not_for_long(room: DiscordStandIn) -> None:
    uploads, owner = room.uploads, room.owner.id
    ids = [uploads.add(owner, "a", b"x")["id"] for _ in range(MAX_FILES_OF_PERSON + 1)]
    with pytest.raises(InvalidAction):
        uploads.resolve(owner, ids[:1])
    assert uploads.resolve(owner, ids[1:])
    big = b"x" * MAX_UPLOAD_BYTES
    for person in range(MAX_BYTES // MAX_UPLOAD_BYTES):
        uploads.add(f"1{person}", "a", big)
    with pytest.raises(InvalidAction):
        uploads.resolve(owner, ids[-1:])
    room.clock.advance(KEPT_SECONDS + 1)
    newest = uploads.add(owner, "a", b"x")["id"]
    assert list(uploads._uploads) == [newest]


def test_answers_name_files_and_nothing_else() -> None:
    modal = validate_modal(MODAL, ("data",), lambda _: False)

    def submitted(values: object) -> list[dict[str, object]]:
        return [{"type": 18, "component": {"type": 19, "custom_id": "f", "values": values}}]

    assert given_files(collect_answers(modal, submitted(["7"]))) == ["7"]
    for values in ([], ["7", "8"], [7], "7", {"7": 1}, None):
        with pytest.raises(InvalidAction):
            collect_answers(modal, submitted(values))
