"""The watcher itself: it knows a card in every way it can be written, and tells on whoever shows one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine import cards
from bot.render.panel import payload
from bot.render.wording import notice
from cogs.ui.wire import layout
from tests.e2e.evening import evening
from tests.e2e.watcher import cards_named


@pytest.mark.parametrize(
    "text", ["the ace of spades", "<:ace_of_spades:123>", "`A♠`", "As Kd", "ace_of_spades_2c.png", "cards:AsKd"]
)
def test_a_card_is_known_in_every_way_of_writing(text: str) -> None:
    assert cards.parse("As") in cards_named(text)


def test_words_are_no_cards() -> None:
    assert not cards_named("As they say, pass. The aces are high; a pair of kings beats Th and 2s")


async def test_whoever_shows_a_hidden_card_is_told_on(tmp_path: Path) -> None:
    """A message to everybody that names one of Ann's cards does not get past the watcher, neither does a line of the log."""
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        await room.dealt()
        await room.quiet()
        room.check()
        own = room.now.seen_by(int(ann.me["id"]))
        assert own is not None and own.viewer is not None
        card = own.seats[own.viewer].cards[0].card
        assert card is not None
        leak = layout(payload(notice(f"Hand #1: {cards.name(card)}")))
        await room.dealer.wire.send(int(ann.here), leak)
        await bo.until(cards.name(card))
        with pytest.raises(AssertionError, match=r"sees|names"):
            room.check()
        room.watcher.forgive()
