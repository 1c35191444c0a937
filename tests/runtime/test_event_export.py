"""A sit-and-go is an entry of its own in what people and operators take along, and each of its hands says where it belongs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bot.__main__ import main
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.structures import LevelLength, Speed, structure_of
from bot.history import phh
from bot.runtime.privacy import Privacy
from bot.runtime.saved_values import declared_kinds
from bot.store.backup import copy_data
from cogs.privacy import export_text
from tests.runtime.duel_evening import BO, DuelEvening, wanted
from tests.runtime.evening import MASTER
from tests.runtime.sit_and_go_evening import GUILD, USERS, SitAndGoEvening

NAMES = ("Ann", "Bo", "Cy")


def exported(file: Path, *options: str) -> list[dict[str, Any]]:
    assert main(["export", str(file), *options]) == 0
    return [msgspec.json.decode(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.sqlite
@pytest.mark.law("SG-2", "SG-9", "SG-10")
@pytest.mark.parametrize("buy_in", [400, 0])
async def test_sit_and_go_is_exported_with_ranks_prizes_and_levels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, buy_in: int
) -> None:
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.setenv("DISCORD_TOKEN", "")
    local, ann = tmp_path / "local", USERS["Ann"]
    local.mkdir()
    evening = await SitAndGoEvening(tmp_path).begin()
    structure = replace(structure_of(Speed.HYPER, LevelLength.HANDS), level_length=2)
    await evening.open_sit_and_go(buy_in=buy_in, structure=structure)
    await evening.enter(*NAMES)
    await evening.deal()
    await evening.play_on(random.Random(5))
    event = await evening.saved_event()
    own = await Privacy(evening.store, evening.tables, evening.clock, declared_kinds()).gather(GUILD, ann)
    request = evening.request("Ann")
    header = (await evening.tables.read_past_hand(request, evening.table, 1)).pokerstars.splitlines()[0]
    copy_data(evening.path, local / "cardroom.db")
    (local / "master.key").write_bytes(MASTER)
    await evening.end()

    lines = exported(tmp_path / "all.jsonl", "--server", str(GUILD))
    (told,) = [line for line in lines if line["line"] == "event"]
    assert (told["status"], told["end_reason"], told["buy_in"]) == ("over", "won", buy_in)
    assert [one["rank"] for one in told["entrants"]] == [1, 2, 3]
    assert [one["prize"] for one in told["entrants"]] == [3 * buy_in, 0, 0]
    hands = [line for line in lines if line["line"] == "hand"]
    assert {hand["event"] for hand in hands} == {told["event"]} and len(hands) == event.hands
    assert [hand["level"] for hand in hands] == [1 + at // 2 for at in range(event.hands)], "two hands a level"
    for hand in hands:
        about = phh.parse(hand["phh"]).metadata
        assert (about["event"], about["level"]) == (f"sit-and-go {told['event']}", hand["level"])

    (mine,) = [line for line in exported(tmp_path / "ann.jsonl", "--person", str(ann)) if line["line"] == "event"]
    (same,) = own.events
    assert (mine["rank"], mine["prize"], mine["entrants"]) == (same.rank, same.prize, 3)
    assert "Bo" not in str(mine), "what the others did is theirs"
    assert f"sit-and-go · table 1 · 3 players{' · buy-in 400' if buy_in else ''} · " in export_text(own)
    assert phh.parse(own.hands[-1].record.phh).metadata["level"] == 1
    entry = "400+0" if buy_in else "Freeroll"
    assert f": Tournament #{told['event']}, {entry} Hold'em No Limit - Level I (10/20) - " in header


@pytest.mark.sqlite
@pytest.mark.law("SG-16")
async def test_duel_is_exported_with_its_matches_and_winner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.setenv("DISCORD_TOKEN", "")
    local, ann = tmp_path / "local", USERS["Ann"]
    local.mkdir()
    evening = await DuelEvening(tmp_path).begin()
    await evening.challenge(wanted(buy_in=500))
    await evening.ask("Bo", sc.WithdrawEntry(BO))
    await evening.challenge(wanted(buy_in=500, best_of=3))
    await evening.accept()
    await evening.play_on(random.Random(5))
    won = await evening.tables.duel_record(GUILD, ann)
    event = await evening.saved_event()
    copy_data(evening.path, local / "cardroom.db")
    (local / "master.key").write_bytes(MASTER)
    await evening.end()

    lines = exported(tmp_path / "all.jsonl", "--server", str(GUILD))
    declined, played = [line for line in lines if line["line"] == "event"]
    assert (declined["kind"], declined["end_reason"], declined["entrants"]) == ("duel", "declined", [])
    assert declined["duel"] == {"challenger": ann, "opponent": BO, "best_of": 1, "winner": 0}
    assert played["duel"]["best_of"] == 3 and played["duel"]["winner"] == played["entrants"][0]["player"]
    assert {one["player"]: one["wins"] for one in played["entrants"]} == {
        one.player: one.wins for one in event.entrants
    }
    assert [one["prize"] for one in played["entrants"]] == [1_000, 0]
    hands = [line for line in lines if line["line"] == "hand"]
    assert {hand["event"] for hand in hands} == {played["event"]}

    own = exported(tmp_path / "ann.jsonl", "--person", str(ann))
    told = [(line["kind"], line["status"], line["entrants"]) for line in own if line["line"] == "event"]
    assert told == [("duel", "cancelled", 2), ("duel", "over", 2)], "a challenge names its two, whoever entered"
    (record,) = [line for line in own if line["line"] == "duels"]
    assert record == {"line": "duels", "server": GUILD, "person": ann, "won": won.won, "lost": won.lost}
    assert [line["person"] for line in lines if line["line"] == "duels"] == sorted((ann, BO)) and record in lines
