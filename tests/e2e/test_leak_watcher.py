"""The watcher knows a card in every way of writing and reports whoever shows one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.view.redact import ALL_KNOWING
from bot.line.payloads import AttachedFile, message_data
from bot.line.request_queue import line_of
from bot.pictures.maker import PictureMaker
from bot.pictures.types import PictureCard
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Picture, Text, payload
from bot.render.table import lobby_board
from bot.runtime import hand_log
from bot.runtime.replays import HandReplay
from bot.text import statistics as words_of_statistics
from cogs.presses import finding
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.leak_watcher import Json, card_numbers, cards_named, check_log
from tests.e2e.test_lobby import until_board
from tests.support.bot_log import bot_log
from tests.support.discord_double import Player
from tests.support.pictures import Painter


@pytest.mark.parametrize(
    "text", ["the ace of spades", "<:ace_of_spades:123>", "`A♠`", "As Kd", "ace_of_spades_2c.png", "cards:AsKd"]
)
def test_a_card_is_known_in_every_way_of_writing(text: str) -> None:
    assert cards.parse_card("As") in cards_named(text)


def test_ordinary_words_are_not_cards() -> None:
    assert not cards_named("As they say, pass. The aces are high; a pair of kings beats Th and 2s")


@pytest.mark.parametrize("text", ["[3, 17, 50]", "(0, 51)", "deck=[12, 4]", "3 17 50", "cards 3,17"])
def test_cards_by_their_numbers_are_known(text: str) -> None:
    assert card_numbers(text)


@pytest.mark.parametrize("text", ["10,000 and 2,500", "seat 3 of 10", "2026-11-22 13:38:39", "[3, 99]", "<t:12:R> 4"])
def test_ordinary_numbers_are_not_cards(text: str) -> None:
    assert not card_numbers(text)


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("dealt_ace_of_spades", {}),
        ("hand_dealt", {"shuffled": [3, 17, 50]}),
        ("hand_dealt", {"top": 17}),
        ("hand_dealt", {"shown": "A♠"}),
        ("answered", {"with": "sesame-sesame"}),
    ],
)
def test_a_card_or_a_token_in_the_log_is_detected(line: str, extra: dict[str, object]) -> None:
    with bot_log("DEBUG") as log:
        logging.getLogger("bot").debug("hand_dealt", extra={"table": 1, "hand": 17, "seat": 3, "late_ms": 12})
        check_log(log.getvalue())
        logging.getLogger("bot").debug(line, extra=extra)
    with pytest.raises(AssertionError, match="the log"):
        check_log(log.getvalue(), ("sesame-sesame",))


async def hole_cards(room: BotSession, ann: Player, bo: Player) -> tuple[int, int]:
    """Deal a hand in which nobody has leaked anything; return Ann's cards."""
    await room.open_and_sit(ann, bo)
    await room.next_hand()
    await bo.click("👁")
    await room.wait_until_idle()
    room.check_leaks()
    own = room.now.seen_by(int(ann.me["id"]))
    assert own is not None and own.viewer is not None
    first, second = (seen.card for seen in own.seats[own.viewer].cards)
    assert first is not None and second is not None
    return first, second


async def test_a_leak_to_a_person_or_the_log_is_detected(tmp_path: Path) -> None:
    """Ann's cards in a public message, by name and by number; in Bo's own panel, edited by token; and in the log at DEBUG."""
    with pytest.raises(AssertionError, match=r"the log names .*hand_dealt"):
        async with bot_session(tmp_path) as room:
            ann, bo = await room.people("Ann", "Bo")
            card, other = await hole_cards(room, ann, bo)
            name = cards.card_name(card)
            await room.dealer.services.discord_api.send(
                line_of(room.now), int(ann.here), a_notice(f"Hand #1: {card}, {other}")
            )
            await bo.until(f"{card}, {other}")
            with pytest.raises(AssertionError, match="by their numbers"):
                room.check_leaks()
            room.watcher.skip_to_now()

            panel = room.dealer.services.hand_panels._tables[room.now.id].panels[int(bo.me["id"])].shown
            assert panel is not None
            await room.dealer.services.discord_api.by_token.edit(
                panel.access, panel.message, a_notice(f"Hand #1: your {name}")
            )
            await bo.until(f"your {name}")
            with pytest.raises(AssertionError, match=r"sees|told of"):
                room.check_leaks()
            room.watcher.skip_to_now()

            logging.getLogger("bot.runtime").debug("hand_dealt", extra={"order": [card, other]})


async def test_a_leak_in_public_and_in_the_files_is_detected(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="a reader of the files sees"):
        async with bot_session(tmp_path) as room:
            ann, bo = await room.people("Ann", "Bo")
            name = cards.card_name((await hole_cards(room, ann, bo))[0])
            await room.dealer.services.discord_api.send(line_of(room.now), int(ann.here), a_notice(f"Hand #1: {name}"))
            await bo.until(name)
            with pytest.raises(AssertionError, match="sees"):
                room.check_leaks()
            room.watcher.skip_to_now()


@pytest.mark.parametrize("leak", ["description", "file name"])
async def test_leak_beside_a_picture_is_detected(leak: str, tmp_path: Path) -> None:
    with pytest.raises(
        AssertionError, match="a reader of the files sees" if leak == "description" else "a file is called"
    ):
        async with bot_session(tmp_path) as room:
            ann, bo = await room.people("Ann", "Bo")
            name = cards.card_name((await hole_cards(room, ann, bo))[0])
            file_name = "table.webp" if leak == "description" else f"{name.replace(' ', '_')}.webp"
            alt_text = f"Hand #1: {name}" if leak == "description" else "The flop"
            components = [block.raw() for block in (Picture(file_name, alt_text), Text("The flop"))]
            file = AttachedFile(file_name, b"RIFF", "image/webp")
            await room.dealer.services.discord_api.send(
                line_of(room.now), int(ann.here), message_data(components, file), file=file
            )
            await bo.until("The flop")
            with pytest.raises(AssertionError, match=r"sees|is called"):
                room.check_leaks()
            room.watcher.skip_to_now()


async def test_hidden_card_in_a_picture_is_detected(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="a picture shows"):
        async with bot_session(tmp_path, pictures=(painter := Painter())) as room:
            ann, bo = await room.people("Ann", "Bo")
            card, _ = await hole_cards(room, ann, bo)
            shown = painter.drawn[-1]
            seat = replace(shown.seats[0], cards=(PictureCard(card),))
            await room.dealer.parts.get(PictureMaker).draw(replace(shown, seats=(seat,)))


PLANTED = {
    "replay": (HandReplay, "_seat_of", lambda _: lambda _replay, user: 0 if user else None),
    "hands found": (finding, "hand_in_a_line", lambda real: lambda scene: f"{real(scene)} {SECRET}"),
    "PHH": (hand_log, "to_phh", lambda real: lambda *hand: real(*hand[:2], ALL_KNOWING, *hand[3:])),
    "PokerStars text": (hand_log, "to_pokerstars", lambda real: lambda *hand: real(*hand[:2], ALL_KNOWING, *hand[3:])),
    "plain text": (hand_log, "history_lines", lambda real: lambda *hand: real(*hand[:2], ALL_KNOWING)),
    "statistics": (words_of_statistics, "result_line", lambda real: lambda counts: f"{real(counts)} {SECRET}"),
    "lobby": (lobby_board, "_heading", lambda real: lambda tables: f"{real(tables)} {SECRET}"),
}
"""A fault for each way in which a past hand is told: what is changed, and how."""
SECRET = "‹secret›"


async def test_leak_in_a_past_hand_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann and Bo have folded their cards. Cy, who watches, reads everything; then once more with a fault planted in each place."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("table")
        people = ann, bo, cy, dee, eve = await room.people("Ann", "Bo", "Cy", "Dee", "Eve")
        watchers = iter(((cy, 3), (dee, 4), (eve, 5)))
        await room.discord.you.go("lobby").slash("house", page="lobby")
        for player in (*people, room.discord.you):
            player.go("table")
        hidden = await hole_cards(room, ann, bo)
        await room.act("Fold", ann, bo)
        await room.wait_until_idle()
        room.dealer.services.limits.wait_seconds = lambda *asked: 0.0  # type: ignore[method-assign]

        async def read(what: str) -> None:
            match what:
                case "replay":
                    await cy.slash("hand", number="1-1-3")
                case "hands found":
                    await cy.slash("hand", table=1)
                case "statistics":
                    await cy.slash("stats", player=ann)
                case "lobby":
                    watcher, seat = next(watchers)
                    await watcher.slash("sit", seat=seat)
                    await until_board(room, bo, f"{seat} players")
                case _:
                    form = {"PHH": "phh", "PokerStars text": "pokerstars", "plain text": "text"}[what]
                    await cy.slash("hand", number="1-1", file=form)
                    assert "Ann" in await cy.attached_text()

        for what, (place, name, fault) in PLANTED.items():
            await read(what)
            room.check_leaks()
            with monkeypatch.context() as planted:
                replaced = fault(getattr(place, name))
                planted.setattr(place, name, replaced)
                planted.setattr(f"{__name__}.SECRET", cards.card_symbol(hidden[0]))
                await read(what)
            with pytest.raises(AssertionError, match=r"sees \["):
                room.check_leaks()
            room.watcher.skip_to_now()
        await read("lobby")
        assert room.watcher.files_checked >= 6


def a_notice(text: str) -> Json:
    return message_data(payload(notice_panel(text)))
