"""The table's message has a picture at each street, and goes on in text where there can be none."""

from __future__ import annotations

import asyncio
import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.surfaces.table import pace
from bot.surfaces.table import pictures as table_pictures
from bot.surfaces.table.message import TableMessage
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_budget import ACTIONS, NAMES, requests_spent
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import live_messages
from tests.support.discord_double import EPHEMERAL, Json, Player, _flat
from tests.support.pictures import USUAL_BYTES, InProcessMaker, Painter, picture_file

ALT_MAX = 256
BY_CLICK = r"/webhooks/.*/messages/@original"
"""Where the picture of a street goes that a click has begun."""
STREET = 4.0
"""Seconds between two streets of a run-out."""
REFUSALS = [(413, 40005), (403, 50013), (400, 50035)]
"""What Discord can say to a file: too large, not allowed, not valid."""


def newest(player: Player) -> Json:
    """The newest message about the table that everybody sees."""
    public = [message for message in player.visible() if not message["flags"] & EPHEMERAL]
    found = [message for message in public if "Table 1" in player.render(message)]
    return (
        found[-1] if found else {"id": "", "content": "", "components": [], "embeds": [], "attachments": [], "flags": 0}
    )


def gallery(message: Json) -> Json | None:
    """The one picture that a message shows; None for none."""
    shown = [item for part in _flat(message["components"]) if part["type"] == 12 for item in part["items"]]
    assert len(shown) <= 1
    return shown[0] if shown else None


def picture(message: Json) -> str:
    """The id of the picture that a message shows; empty for none. It has no other file."""
    shown, files = gallery(message), message["attachments"]
    if shown is None:
        assert not files, "a file that nobody sees"
        return ""
    assert [file["id"] for file in files] == [shown["media"]["id"]]
    assert files[0]["filename"] == "table.webp" and files[0]["content_type"] == "image/webp"
    assert shown["description"] and len(shown["description"]) <= ALT_MAX
    return str(files[0]["id"])


async def is_webp(room: BotSession, message: Json) -> tuple[int, int]:
    """The size of the picture that a message shows, as Discord has it."""
    file = await room.discord.stand_in.world.storage.read_file(int(message["attachments"][0]["id"]))
    assert file is not None
    image = Image.open(io.BytesIO(file.body))
    assert image.format == "WEBP"
    return image.size


def shows(player: Player, heading: str) -> bool:
    """Whether the newest message has this heading and a picture."""
    message = newest(player)
    return heading in player.render(message) and gallery(message) is not None


async def until_picture(player: Player, heading: str, *, after: str = "") -> str:
    """Wait until the table shows a picture under a heading, another one than `after`. Returns the id of the picture."""
    await player.wait_for(
        lambda: shows(player, heading) and picture(newest(player)) != after, f"a picture of {heading}"
    )
    return picture(newest(player))


async def until_text(player: Player, heading: str) -> None:
    """Wait until the table shows a heading and no picture."""
    await player.wait_for(
        lambda: heading in player.render(newest(player)) and not picture(newest(player)), f"{heading} in text"
    )


async def two(room: BotSession, *, deal: bool = True, **how: Any) -> tuple[Player, Player]:
    """Two people at a table, and their first hand."""
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo, **how)
    stack_next_deck(room, no_two_tie(2))
    if deal:
        await room.next_hand()
        await room.wait_until_idle()
    return ann, bo


def uploads(room: BotSession) -> list[str]:
    """How pictures have come to Discord so far, whether it took them or not."""
    places = [(one.method, one.path.split("/")[1]) for one in room.discord.requests if one.request_bytes >= USUAL_BYTES]
    return [f"{method} {place}" for method, place in places if place != "applications"]


async def check_street(room: BotSession, *players: Player) -> None:
    """Both check or call: the street ends."""
    street = room.now.hand.street if room.now.hand is not None else ""
    while room.now.hand_running and room.now.hand is not None and room.now.hand.street == street:
        labels = [label for label, _ in room.table_buttons(players[0])]
        await room.act("Check" if "Check" in labels else "Call", *players)
    await room.wait_until_idle()


async def test_picture_of_a_street_comes_by_its_clicks_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for no pause between edits: those are the bot's own."""
    monkeypatch.setattr(pace, "EDIT_SECONDS", 60.0)
    painter = Painter()
    async with bot_session(tmp_path, first_evening=True, pictures=painter) as room:
        ann, bo = await two(room)
        seen = [await until_picture(ann, "Pre-flop")]
        for heading in ("Flop", "Turn", "River", "Showdown"):
            await check_street(room, ann, bo)
            seen.append(await until_picture(ann, heading))
        assert len(set(seen)) == 5 == len(painter.drawn)
        assert uploads(room) == ["PATCH webhooks"] * 5
        storage = room.discord.stand_in.world.storage
        kept = [await storage.read_file(int(each)) for each in seen]
        assert kept[:4] == [None] * 4 and kept[4] is not None and kept[4].body == picture_file(painter.drawn[-1])
        with_cards = [line for line in ann.render(newest(ann)).splitlines() if re.search("_of_|[♠♥♦♣]", line)]
        assert with_cards and not [line for line in with_cards if line.startswith("# ")]
        room.check_leaks()


async def test_hand_is_played_on_a_strip_and_won_large(tmp_path: Path) -> None:
    """What a click of the hand needs stays in sight under a flat picture; the result fills the message."""
    async with bot_session(tmp_path, pictures=InProcessMaker()) as room:
        ann, bo = await two(room)
        sizes = [await is_webp(room, newest(ann))]
        while room.now.hand_running:
            await check_street(room, ann, bo)
            sizes.append(await is_webp(room, newest(ann)))
        assert sizes == [(1100, 480)] * 4 + [(1100, 820)]
        room.check_leaks()


async def test_actions_change_the_description_and_upload_nothing(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        first, before = picture(newest(ann)), gallery(newest(ann))
        await room.act("Call", ann, bo)
        await room.wait_for_text("[Check]")
        after = gallery(newest(ann))
        assert before is not None and after is not None and before["description"] != after["description"]
        assert picture(newest(ann)) == first and len(painter.drawn) == len(uploads(room)) == 1


async def test_old_hands_and_the_open_table_have_no_picture(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room)
        assert await room.check_down(ann, bo)
        await until_picture(ann, "Showdown")
        await room.next_hand()
        await until_picture(ann, "Hand #2")
        await room.wait_until_idle()
        assert "Last hand: " in ann.render(newest(ann))
        assert [message["id"] for message in ann.visible() if picture(message)] == [newest(ann)["id"]]
        await room.act("Fold", ann, bo)
        await ann.slash("leave")
        await room.wait_until_idle()
        room.clock.skip(30)
        await room.wait_for_text("Waiting for one more player")
        await room.wait_until_idle()
        await ann.wait_for(lambda: not picture(newest(ann)), "the open table without a picture")
        await bo.slash("leave")
        await ann.close_table()
        await room.wait_for_text("is closed")
        await room.wait_until_idle()
        assert not [message for message in ann.visible() if not message["flags"] & EPHEMERAL and picture(message)]


async def test_run_out_shows_a_picture_for_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("bot.runtime.run_out", "bot.runtime.transaction"):
        monkeypatch.setattr(f"{module}.RUN_OUT_STREET_MS", round(1000 * STREET))
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        seen = await until_picture(ann, "Pre-flop")
        await room.act("All-in", ann, bo)
        await room.act("Call", ann, bo)
        seen = await until_picture(ann, "All-in · Pot 20,000", after=seen)
        room.discord.forget_requests()
        for common in (3, 4):
            room.clock.skip(STREET)
            await room.wait_until(lambda common=common: _shown_cards(room) == common)  # type: ignore[misc]
            seen = await until_picture(ann, "All-in · Pot 20,000", after=seen)
            assert [len(board.cards) for board in painter.drawn[-1].boards] == [common]
        room.clock.skip(STREET)
        await until_picture(ann, "Showdown", after=seen)
        assert uploads(room) == ["PATCH webhooks"] * 3
        assert len([one for one in room.discord.requests if one.method == "PATCH" and "/channels/" in one.path]) == 0
        room.check_leaks()


async def test_run_out_shows_no_street_beside_an_older_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The street waits for its picture for a moment. If that is late, it is told in text alone, and the picture follows."""
    for module in ("bot.runtime.run_out", "bot.runtime.transaction"):
        monkeypatch.setattr(f"{module}.RUN_OUT_STREET_MS", round(1000 * STREET))
    monkeypatch.setattr(table_pictures, "RUN_OUT_WAIT_SECONDS", 0.3)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        before = await until_picture(ann, "Pre-flop")
        await room.act("All-in", ann, bo)
        contradictions = []

        def look() -> None:
            message = newest(ann)
            if "All-in · Pot" in ann.render(message) and picture(message) == before:
                contradictions.append(ann.render(message))

        await room.act("Call", ann, bo)
        await ann.wait_for(lambda: look() is None and "All-in · Pot" in ann.render(newest(ann)), "the run-out")
        await until_picture(ann, "All-in · Pot 20,000", after=before)
        painter.gate.clear()
        room.clock.skip(STREET)
        await room.wait_until(lambda: _shown_cards(room) == 3)
        await until_text(ann, "All-in · Pot 20,000")
        painter.gate.set()
        await until_picture(ann, "All-in · Pot 20,000")
        assert [len(board.cards) for board in painter.drawn[-1].boards] == [3] and not contradictions


def _shown_cards(room: BotSession) -> int:
    """How many common cards the table shows."""
    (now,) = room.dealer.tables.all_tables()
    return len(now.hand.boards[0]) if now.hand is not None and now.hand.boards else 0


async def test_late_picture_delays_no_click_and_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The street is told in text under the old picture; the new one is sent by itself, once."""
    monkeypatch.setattr(table_pictures, "WAIT_SECONDS", 0.02)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        first = await until_picture(ann, "Pre-flop")
        await room.act("Call", ann, bo)
        painter.gate.clear()
        room.discord.forget_requests()
        await room.act("Check", ann, bo)
        await room.wait_for_text("### Flop")
        assert picture(newest(ann)) == first and not uploads(room)
        await room.act("Check", ann, bo)
        await room.wait_for_text("[Check]")
        assert picture(newest(ann)) == first and len(painter.drawn) == 2
        painter.gate.set()
        await until_picture(ann, "Flop", after=first)
        await room.wait_until_idle()
        assert uploads(room) == ["PATCH webhooks"] and len(painter.drawn) == 2


async def test_late_picture_delays_no_deal_and_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_pictures, "WAIT_SECONDS", 0.02)
    painter = Painter()
    painter.gate.clear()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room, deal=False)
        await room.next_hand()
        await until_text(ann, "Pre-flop")
        await room.act("Call", ann, bo)
        await until_text(ann, "[Check]")
        painter.gate.set()
        await until_picture(ann, "Pre-flop")
        await room.wait_until_idle()
        assert uploads(room) == ["PATCH webhooks"] and len(painter.drawn) == 1


async def test_picture_of_a_hand_goes_before_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first picture of a hand is drawn, its message is text alone: another hand's board would pass for its own."""
    monkeypatch.setattr(table_pictures, "WAIT_SECONDS", 0.02)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        await room.act("Call", ann, bo)
        await room.check_down(ann, bo)
        before = await until_picture(ann, "Showdown")
        painter.gate.clear()
        await room.next_hand()
        await until_text(ann, "Pre-flop")
        painter.gate.set()
        await until_picture(ann, "Pre-flop", after=before)


async def test_picture_that_nobody_needs_any_more_is_never_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawing the flop takes until the turn: only the picture of the turn is sent."""
    monkeypatch.setattr(table_pictures, "WAIT_SECONDS", 0.02)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        painter.gate.clear()
        first = await until_picture(ann, "Pre-flop")
        room.discord.forget_requests()
        for heading, clicks in (("### Flop", ("Call", "Check")), ("### Turn", ("Check", "Check"))):
            for label in clicks:
                await room.act(label, ann, bo)
            await room.wait_for_text(heading)
        painter.gate.set()
        await until_picture(ann, "Turn", after=first)
        await room.wait_until_idle()
        assert uploads(room) == ["PATCH webhooks"] and len(painter.drawn[-1].boards[0].cards) == 4


@pytest.mark.parametrize("fault", ["none", "error", "late"])
async def test_hand_goes_on_in_text_where_drawing_fails(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flop cannot be drawn: the hand has no picture any more, and nothing is drawn for it. The next hand has pictures."""
    monkeypatch.setattr(table_pictures, "DRAWING_SECONDS", 0.1)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        await until_picture(ann, "Pre-flop")
        painter.fault = {"none": "no picture", "error": ValueError("no picture"), "late": None}[fault]
        if fault == "late":
            painter.gate.clear()
        await check_street(room, ann, bo)
        await until_text(ann, "Flop")
        assert re.search(r"^## ", ann.render(newest(ann)), re.MULTILINE), "the board stands large again"
        painter.fault = None
        painter.gate.set()
        await room.check_down(ann, bo)
        await until_text(ann, "Showdown")
        assert len(painter.drawn) == 2 and len(uploads(room)) == 1
        await room.next_hand(2)
        await until_picture(ann, "Hand #2")


async def test_drawing_process_that_warms_up_costs_no_hand_its_pictures(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        painter.warms_up, painter.fault = True, "too late"
        ann, bo = await two(room)
        await until_text(ann, "Pre-flop")
        painter.warms_up, painter.fault = False, None
        await room.act("Call", ann, bo)
        await until_picture(ann, "Pre-flop")


async def test_drawing_process_that_rests_is_not_asked(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        await until_picture(ann, "Pre-flop")
        painter.rests = True
        await check_street(room, ann, bo)
        await until_text(ann, "Flop")
        assert len(painter.drawn) == 1
        painter.rests = False
        await room.act("Check", ann, bo)
        await until_picture(ann, "Flop")


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_refused_picture_of_a_click_goes_on_in_text(status: int, code: int, tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room)
        await until_picture(ann, "Pre-flop")
        await room.act("Call", ann, bo)
        await room.wait_until_idle()
        room.discord.forget_requests()
        room.discord.fails("PATCH", BY_CLICK, status=status, body=refusal(code))
        await room.act("Check", ann, bo)
        await until_text(ann, "Flop")
        assert await room.check_down(ann, bo) == 6
        await until_text(ann, "Showdown")
        await room.wait_until_idle()
        assert len(uploads(room)) == 1, "no second try"
        edits = [one for one in room.discord.requests if one.method == "PATCH" and "/channels/" in one.path]
        assert not edits, "the street in text goes by the token too"
        await room.next_hand(2)
        await until_picture(ann, "Hand #2")


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_refused_message_with_a_picture_is_dealt_in_text(status: int, code: int, tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room, deal=False)
        room.clock.skip(3)  # what is drawn twice in a moment is drawn once more
        await room.wait_until_idle()
        room.discord.fails("PATCH", rf"/.*/messages/{newest(ann)['id']}", status=status, body=refusal(code))
        await room.next_hand()
        await until_text(ann, "Pre-flop")
        assert await room.check_down(ann, bo) == 8
        await until_text(ann, "Showdown")
        assert len(uploads(room)) == 1


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_refused_new_message_with_a_picture_is_sent_in_text(status: int, code: int, tmp_path: Path) -> None:
    """Somebody deletes the message in the middle of the hand."""
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room)
        await until_picture(ann, "Pre-flop")
        room.discord.forget_requests()
        room.discord.fails("POST", rf"/channels/{ann.here}/messages", status=status, body=refusal(code))
        await room.discord.controls.delete_message(ann.here, newest(ann)["id"])
        await until_text(ann, "Pre-flop")
        assert await room.check_down(ann, bo) == 8
        await until_text(ann, "Showdown")
        assert uploads(room) == ["POST channels"]


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_refused_edit_with_a_picture_goes_on_in_text(status: int, code: int, tmp_path: Path) -> None:
    """Nobody has clicked, and the time of the player to act runs out: the result comes by the bot's own token."""
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, _ = await two(room)
        await until_picture(ann, "Pre-flop")
        end_token(room)
        room.discord.forget_requests()
        table = newest(ann)["id"]  # the nudge beside it is edited too
        room.discord.fails("PATCH", rf"/channels/{ann.here}/messages/{table}", status=status, body=refusal(code))
        await run_out_of_time(room)
        await until_text(ann, "wins")
        await room.wait_until_idle()
        assert uploads(room) == ["PATCH channels"]


async def test_ended_token_of_a_click_delays_no_picture(tmp_path: Path) -> None:
    """Discord no longer knows the token: the picture goes by the bot's own, and so does the next one without a click."""
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room)
        first = await until_picture(ann, "Pre-flop")
        await room.act("Call", ann, bo)
        await room.wait_until_idle()
        room.discord.forget_requests()
        room.discord.fails("PATCH", BY_CLICK, status=404, body=refusal(10015))
        await room.act("Check", ann, bo)
        await until_picture(ann, "Flop", after=first)
        assert uploads(room) == ["PATCH webhooks", "PATCH channels"]


async def test_click_of_long_ago_brings_no_picture(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room, seconds=1200)
        await room.act("Call", ann, bo)
        await room.wait_until_idle()
        room.discord.forget_requests()
        await run_out_of_time(room)
        await until_picture(ann, "Flop")
        assert uploads(room) == ["PATCH channels"]


def end_token(room: BotSession) -> None:
    """The token that the table was redrawn with last is over."""
    message = room.dealer.services.display.message_of(room.now.id)
    assert message is not None and message.live.token is not None
    message.live.token.end()


async def until_time_bank(room: BotSession) -> None:
    """Let the plain clock of the player to act run out. The table says so."""
    turn = room.now.current_turn
    assert turn is not None
    room.clock.skip((turn.turn_ends_at - room.clock.now()) / 1000 + 1)
    await room.wait_for_text("can check · time bank ends")
    await room.wait_until_idle()


async def run_out_of_time(room: BotSession) -> None:
    """Let the clock and the time bank of the player to act run out."""
    turn, decision = room.now.current_turn, room.now.decision_number
    assert turn is not None
    room.clock.skip((turn.bank_ends_at - room.clock.now()) / 1000 + 1)
    await room.wait_until(lambda: not room.now.hand_running or room.now.decision_number != decision)


def refusal(code: int) -> Json:
    return {"code": code, "message": "Refused."}


async def test_picture_of_unknown_fate_is_sent_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line breaks when Discord has the picture of an edit: the same file is sent once more, and then it is known to be there."""
    monkeypatch.setattr(TableMessage, "retry_ms", 100)
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        await check_street(room, ann, bo)
        await room.act("Check", ann, bo)
        await until_time_bank(room)
        room.discord.forget_requests()
        room.discord.fails("PATCH", BY_CLICK, drop=True, after=True)
        await run_out_of_time(room)
        lost = await until_picture(ann, "Turn")
        turn = await until_picture(ann, "Turn", after=lost)
        room.discord.forget_requests()
        await room.act("Check", ann, bo)
        await room.wait_until_idle()
        assert picture(newest(ann)) == turn and not uploads(room) and len(painter.drawn) == 3


async def test_line_that_keeps_breaking_at_pictures_ends_in_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableMessage, "retry_ms", 100)
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room)
        await check_street(room, ann, bo)
        await room.act("Check", ann, bo)
        await until_time_bank(room)
        room.discord.forget_requests()
        room.discord.fails("PATCH", BY_CLICK, drop=True, times=2)
        await run_out_of_time(room)
        await until_text(ann, "Turn")
        await room.wait_until_idle()
        assert len(uploads(room)) == 2


async def test_missing_file_is_sent_again(tmp_path: Path) -> None:
    """A message that names a picture is refused when Discord has lost that: the click is answered in text, and the picture comes again."""
    async with bot_session(tmp_path, pictures=Painter()) as room:
        ann, bo = await two(room)
        first = await until_picture(ann, "Pre-flop")
        room.discord.fails("POST", r"/interactions/.*/callback", status=400, body=refusal(50035))
        await room.act("Call", ann, bo)
        await until_picture(ann, "[Check]", after=first)


async def test_without_attach_files_the_hand_is_in_text(tmp_path: Path) -> None:
    """The permission is taken away in the middle of a hand, and given back."""
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        await until_picture(ann, "Pre-flop")
        room.discord.controls.set_overwrite(ann.here, deny=["attach_files"])
        await check_street(room, ann, bo)
        await until_text(ann, "Flop")
        assert len(painter.drawn) == len(uploads(room)) == 1
        room.discord.controls.set_overwrite(ann.here)
        await until_picture(ann, "Flop")
        room.discord.controls.set_overwrite(ann.here, deny=["attach_files"])
        await room.check_down(ann, bo)
        await room.next_hand(2)
        await until_text(ann, "Hand #2")


async def test_large_tables_are_in_text(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room, seats=11)
        await until_text(ann, "Pre-flop")
        assert await room.check_down(ann, bo) == 8
        await until_text(ann, "Showdown")
        assert not painter.drawn and not uploads(room)


async def test_restart_keeps_the_picture_of_the_street(tmp_path: Path) -> None:
    """It is neither lost nor sent again; the next street brings its own."""
    async with restarting_bot(tmp_path, pictures=(first := Painter())) as told:
        async with told.life() as room:
            ann, bo = await two(room)
            await check_street(room, ann, bo)
            flop = await until_picture(ann, "Flop")
            assert len(first.drawn) == 2
            room.discord.forget_requests()
        async with told.life() as room:
            await room.wait_until_idle()
            assert await until_picture(ann, "Flop") == flop and not uploads(room) and len(first.drawn) == 2
            await room.act("Check", ann, bo)
            await room.wait_until_idle()
            assert picture(newest(ann)) == flop
            await room.act("Check", ann, bo)
            await until_picture(ann, "Turn", after=flop)
            assert uploads(room) == ["PATCH webhooks"]


async def test_killed_while_drawing_the_picture_comes_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_pictures, "WAIT_SECONDS", 0.02)
    async with restarting_bot(tmp_path, pictures=(painter := Painter())) as told:
        async with told.life(waits=False) as room:
            ann, bo = await two(room)
            before = await until_picture(ann, "Pre-flop")
            painter.gate.clear()
            await room.act("Call", ann, bo)
            await room.act("Check", ann, bo)
            await room.wait_for_text("### Flop")
            assert picture(newest(ann)) == before
        painter.gate.set()
        async with told.life() as room:
            await until_picture(ann, "Flop", after=before)


async def test_message_posted_again_has_the_picture_again(tmp_path: Path) -> None:
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, _ = await two(room)
        first = newest(ann)
        await room.discord.controls.delete_message(ann.here, first["id"])
        await ann.wait_for(lambda: newest(ann)["id"] != first["id"] and shows(ann, "Pre-flop"), "the table")
        await room.wait_until_idle()
        room.clock.skip(51 * 60)  # an old message can hardly be edited
        await room.wait_until(lambda: not room.now.hand_running)
        await room.next_hand(2)
        await until_picture(ann, "Hand #2")
        assert len(uploads(room)) == 3, "each of the three messages has been given its picture once"
        assert len(live_messages(room, ann)) == 1


@pytest.mark.parametrize("maker", [Painter, InProcessMaker])
async def test_hand_of_twelve_actions_keeps_within_its_budget(
    maker: type[Painter | InProcessMaker], tmp_path: Path
) -> None:
    """Pictures cost no request of their own, and together at most half a megabyte: of the usual size, and as they are drawn."""
    async with bot_session(tmp_path, pictures=(painter := maker())) as room:
        six = await room.people(*NAMES)
        await room.open_and_sit(*six, seats=6)
        await room.next_hand()
        await room.check_down(*six)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        room.discord.forget_requests()
        painter.drawn.clear()
        await room.next_hand()
        await room.wait_until_idle()
        for label in ACTIONS:
            await room.act(label, *six)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        spent = requests_spent(room)
        carrying = [one for one in room.discord.requests if one.upload_count]
        sent = sum(one.request_bytes for one in carrying)
        print(f"{len(painter.drawn)} pictures, {sent:,} bytes of uploads, {dict(spent)}")
        assert len(painter.drawn) == len(carrying) == 5 and sent <= 500_000
        assert spent["callbacks"] == len(ACTIONS) + 1, "one more opens the panel with the sizes of a bet"
        assert spent["new messages"] <= 3 and spent["direct messages"] == 6 and spent["edits"] <= 8
        assert spent["others"] == 0


async def test_clicks_never_wait_for_a_drawing_that_hangs(tmp_path: Path) -> None:
    """A street's click is answered within the usual wait, and each later one at once."""
    painter = Painter()
    async with bot_session(tmp_path, pictures=painter) as room:
        ann, bo = await two(room)
        await room.act("Call", ann, bo)
        painter.gate.clear()
        loop = asyncio.get_running_loop()
        took = []
        for _ in range(2):
            began = loop.time()
            await room.act("Check", ann, bo)
            took.append(loop.time() - began)
        assert took[0] < table_pictures.WAIT_SECONDS + 1 and took[1] < 1
        painter.gate.set()
        await until_picture(ann, "Flop")
