"""`cardroom export` writes what is kept, in a form that other programs read, and no card that is still in play."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.__main__ import main
from bot.store.backup import copy_data
from bot.surfaces.people.profiles import Preferences
from tests.runtime.evening import GUILD, MASTER, USERS, Evening


def exported(file: Path, *options: str) -> list[dict[str, Any]]:
    assert main(["export", str(file), *options]) == 0
    return [msgspec.json.decode(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def test_server_and_person_are_written_without_cards_in_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.setenv("DISCORD_TOKEN", "")
    local = tmp_path / "local"
    local.mkdir()
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("folds")
    await evening.deal()
    copy_data(evening.path, local / "cardroom.db")
    (local / "master.key").write_bytes(MASTER)
    audit = await evening.store.audit(GUILD)
    await evening.end()

    everything = exported(tmp_path / "all.jsonl", "--server", str(GUILD))
    kinds = [line["line"] for line in everything]
    assert (kinds.count("server"), kinds.count("table"), kinds.count("transfer")) == (1, 1, audit.transfers)
    assert sum(line["chips"] for line in everything if line["line"] == "balance") == 0
    (hand,) = [line for line in everything if line["line"] == "hand"]
    assert hand["hand"] == 1, "the second one is being played"
    assert not re.search(r"d dh p\d [2-9TJQKA]", hand["phh"]), "nobody has shown a card"
    assert stat.S_IMODE((tmp_path / "all.jsonl").stat().st_mode) == 0o600

    archive = exported(tmp_path / "archive.jsonl", "--older-than", "90")
    assert [line for line in archive if line["line"] == "hand"] == [hand], "it was dealt years ago"
    assert {line["line"] for line in archive} == {"server", "table", "hand"}
    young = exported(tmp_path / "young.jsonl", "--older-than", "36500")
    assert {line["line"] for line in young} == {"server", "table"}
    assert main(["export", str(tmp_path / "no.jsonl"), "--older-than", "-1"]) == 2
    assert not (tmp_path / "no.jsonl").exists()

    own = exported(tmp_path / "ann.jsonl", "--person", str(USERS["Ann"]))
    (hand,) = [line for line in own if line["line"] == "hand"]
    assert len(re.findall(r"d dh p\d [2-9TJQKA]", hand["phh"])) == 1, "their own cards"
    assert {line["line"] for line in own} == {"preferences", "holdings", "transfer", "hand"}

    assert main(["export", str(tmp_path / "all.jsonl")]) == 1, "no file is written over"


async def test_person_gets_every_value_that_is_saved_about_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.setenv("DISCORD_TOKEN", "")
    local, ann = tmp_path / "local", USERS["Ann"]
    local.mkdir()
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=10_000)
    preferences = Preferences(evening.store)
    await preferences.set_large_cards(ann, wanted=True)
    await preferences.set_statistics(ann, private=True)
    await preferences.set_quiet_hours(ann, "23:00-07:00")
    await evening.store.keep(f"opens.{GUILD}.{ann}", b"1")  # they want to hear of new tables here
    await evening.store.keep(f"opens.{GUILD}.{USERS['Bo']}", b"1")
    await evening.store.keep(f"achieved.{GUILD}.{ann}", b"\xc1")  # unreadable: an earlier fault of ours
    copy_data(evening.path, local / "cardroom.db")
    (local / "master.key").write_bytes(MASTER)
    await evening.end()

    lines = exported(tmp_path / "ann.jsonl", "--person", str(ann))
    everywhere, here = [line for line in lines if line["line"] == "preferences"]
    assert everywhere == {
        "line": "preferences", "person": ann, "quiet": "23:00-07:00", "size": "large", "statistics": "private",
    }  # fmt: skip
    assert here == {"line": "preferences", "person": ann, "server": GUILD, "opens": "1"}
