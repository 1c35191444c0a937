"""A game with private choices, end to end: five-card draw, with the cards as toggle buttons that only their player sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.text import cards
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import toggles
from tests.support.discord_double import Player


async def test_cards_are_changed_in_private(tmp_path: Path) -> None:
    """A player marks cards privately and is dealt new ones. The table learns how many, and never which."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, game="five_card_draw")
        await room.next_hand()
        await _until_drawing(room, ann, bo)
        drawer = room.to_act(ann, bo)
        assert drawer is not None
        drawn_for_the_first = next(one for one in drawer.visible() if "[Choose discards]" in drawer.render(one))
        choice = await drawer.click("Choose discards")
        assert "Only you can see this" in choice and "[Stand pat]" in choice
        own = room.now.seen_by(int(drawer.me["id"]))
        assert own is not None and own.viewer is not None
        before = {seen.card for seen in own.seats[own.viewer].cards}
        await drawer.press(*toggles(drawer)[0])
        assert "[Draw 2]" in await drawer.press(*toggles(drawer)[1])
        receipt = await drawer.click("Draw 2")
        assert "You draw 2." in receipt
        await room.wait_for_text("drew 2")
        await drawer.wait_for(lambda: "are in **My hand**" in drawer.dms(), "one direct message, edited")
        assert "Hand #1" not in drawer.dms(), "they have other cards now"
        other = room.to_act(ann, bo)
        assert other is not None and other is not drawer
        open_choice = dict(drawer.labelled_buttons(drawn_for_the_first))["Choose discards"]
        await room.late_click(other, drawn_for_the_first, open_choice)
        await other.until("My hand #")  # it opens their choice
        await other.click("Stand pat")
        await room.wait_for_text("stood pat")
        await room.late_click(other, drawn_for_the_first, open_choice)
        await other.until("That was for an earlier action.")
        after = room.now.seen_by(int(drawer.me["id"]))
        assert after is not None
        held = [seen.card for seen in after.seats[own.viewer].cards if seen.card is not None]
        assert len({*held} & before) == 3
        assert all(cards.card_name(card) in receipt for card in held)
        await room.check_down(ann, bo)
        await room.wait_for_text("wins")
        room.check_leaks()


async def dm_of(player: Player) -> str:
    """Return a player's direct messages as soon as there are any."""
    await player.wait_for(lambda: bool(player.dms()), "a direct message")
    return player.dms()


async def _until_drawing(room: BotSession, *players: Player) -> None:
    """Check or call until the draw."""
    while "[Choose discards]" not in (screen := players[0].screen()):
        player = room.to_act(*players)
        assert player is not None, screen
        labels = [label for label in player.buttons() if label == "Check" or label.startswith("Call")]
        await player.click(labels[-1])


@pytest.mark.law("A-5")
async def test_no_direct_message_comes_before_there_are_cards(tmp_path: Path) -> None:
    """In old English draw straddles are offered before the cards. Each direct message comes with the cards."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people, game="old_english")
        await room.next_hand()
        await room.wait_until_idle()
        assert all("Hand #1" not in player.dms() for player in people)
        while (player := room.to_act(*people)) is not None and "No straddle" in player.screen():
            await player.click("No straddle")
        for player in people:
            assert "Hand #1" in (await dm_of(player)) and "no cards" not in player.dms()
        room.check_leaks()
