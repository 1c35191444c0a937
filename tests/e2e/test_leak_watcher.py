"""The watcher knows a card in every way of writing and reports whoever shows one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine import cards
from bot.render.message.notice import notice_panel
from bot.render.message.panel import payload
from cogs.ui.discord_api import message_data
from tests.e2e.bot_session import bot_session
from tests.e2e.leak_watcher import cards_named


@pytest.mark.parametrize(
    "text", ["the ace of spades", "<:ace_of_spades:123>", "`A♠`", "As Kd", "ace_of_spades_2c.png", "cards:AsKd"]
)
def test_a_card_is_known_in_every_way_of_writing(text: str) -> None:
    assert cards.parse_card("As") in cards_named(text)


def test_ordinary_words_are_not_cards() -> None:
    assert not cards_named("As they say, pass. The aces are high; a pair of kings beats Th and 2s")


async def test_showing_a_hidden_card_is_detected(tmp_path: Path) -> None:
    """A public message or a line of the log that names one of Ann's cards is reported."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        room.check_leaks()
        own = room.now.seen_by(int(ann.me["id"]))
        assert own is not None and own.viewer is not None
        card = own.seats[own.viewer].cards[0].card
        assert card is not None
        leak = message_data(payload(notice_panel(f"Hand #1: {cards.card_name(card)}")))
        await room.dealer.wire.send(int(ann.here), leak)
        await bo.until(cards.card_name(card))
        with pytest.raises(AssertionError, match=r"sees|names"):
            room.check_leaks()
        room.watcher.skip_to_now()


async def test_strange_card_in_a_panel_is_detected(tmp_path: Path) -> None:
    """Bo's own panel, edited by token so that it names one of Ann's cards."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await bo.click("👁")
        await room.wait_until_idle()
        room.check_leaks()
        own = room.now.seen_by(int(ann.me["id"]))
        assert own is not None and own.viewer is not None
        card = own.seats[own.viewer].cards[0].card
        assert card is not None
        panel = room.dealer.panels._tables[room.now.id].panels[int(bo.me["id"])].shown
        assert panel is not None
        leak = message_data(payload(notice_panel(f"Hand #1: {cards.card_name(card)}")))
        await room.dealer.wire.edit_private(panel, leak)
        await bo.until(cards.card_name(card))
        with pytest.raises(AssertionError, match=r"sees|told of"):
            room.check_leaks()
        room.watcher.skip_to_now()
