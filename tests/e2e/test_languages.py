"""A private answer is in the language of its reader, and the table in that of its server, whoever clicked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.people.profiles import Preferences
from bot.text import language
from tests.e2e.bot_session import bot_session
from tests.e2e.play_by_buttons import play_hand
from tests.support.discord_double import EPHEMERAL, Player
from tests.support.pseudo_language import GREEK, pseudo_language

Json = dict[str, Any]

SERVER, READER, OTHER = "de", "fr", "it"
OF_SERVER, OF_READER, OF_OTHER = ("⟦", "⟧"), ("⟪", "⟫"), ("⸢", "⸣")


@pytest.fixture(autouse=True)
def two_languages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One made-up language for the server, one for Ann and one for Bo."""
    monkeypatch.setitem(language.KNOWN, SERVER, pseudo_language(SERVER))
    monkeypatch.setitem(language.KNOWN, READER, pseudo_language(READER, GREEK, "⟪⟫"))
    monkeypatch.setitem(language.KNOWN, OTHER, pseudo_language(OTHER, brackets="⸢⸣"))
    yield


def has_any(text: str, signs: tuple[str, str]) -> bool:
    return any(sign in text for sign in signs)


def check_messages(player: Player, own: tuple[str, str]) -> tuple[int, int]:
    """Check every message that a page ever got: private ones in one language, public ones in the server's.

    Returns:
        how many were public, and how many private.
    """
    public = private = 0
    for frame in player.frames:
        if frame["t"] == "modal":
            private += 1
            assert has_any(str(frame["modal"]), own) and not has_any(str(frame["modal"]), OF_SERVER), frame
        if frame["t"] not in {"create", "update"} or frame["message"]["author"]["id"] == player.me["id"]:
            continue
        message = frame["message"]
        text = player.render(message)
        if message["flags"] & EPHEMERAL or message["channel_id"] in player.dm_channels:
            private += 1
            assert not text or (has_any(text, own) and not has_any(text, OF_SERVER)), text
        else:
            public += 1
            assert has_any(text, OF_SERVER) and not has_any(text, own), text
    return public, private


async def test_private_answers_and_table_keep_their_own_languages(tmp_path: Path) -> None:
    async with bot_session(tmp_path, server_locale=SERVER) as room:
        (ann,) = await room.people("Ann", locale=READER)
        (bo,) = await room.people("Bo", locale=OTHER)
        await room.open_and_sit(ann, bo, seconds=30)
        await room.deal()
        await play_hand(room, [ann, bo], random.Random(1))
        await bo.slash("sit")
        await bo.slash("myhand")
        await ann.slash("hand")
        for command in ("stats page:leaderboard", "help", "laws", "me page:chips"):
            await ann.types(command)
            shared = next(button for button in reversed(_ids(ann)) if ":here" in button[1])
            await ann.press(*shared)
        await ann.slash("stats", versus=bo)
        await ann.press(*next(button for button in reversed(_ids(ann)) if ":bothhere" in button[1]))
        _, period = next(select for select in reversed(_ids(ann)) if ":span" in select[1] or ":vs" in select[1])
        await ann.select(period, "week")
        await room.wait_until_idle()
        assert has_any(await ann.slash("seat", what="sit out"), OF_READER)
        for player, own in ((ann, OF_READER), (bo, OF_OTHER)):
            public, private = check_messages(player, own)
            assert public > 5 and private > 2
        again = Preferences(room.dealer.store)
        await again.load()
        users = [int(player.me["id"]) for player in (ann, bo)]
        assert [again.language(user).code for user in users] == [READER, OTHER]


def _ids(player: Player) -> list[tuple[Json, str]]:
    return [
        (message, part["custom_id"])
        for message in player.visible()
        for part in _flat(message["components"])
        if "custom_id" in part
    ]


def _flat(components: list[Json]) -> list[Json]:
    return [part for each in components for part in (each, *_flat(each.get("components", [])))]
