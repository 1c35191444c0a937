"""Where the operator lets *My hand* come first: cards are there, a direct message leads there once, and brings the cards of who asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.line.by_token import TOKEN_MS
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_budget import requests_spent
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_direct_messages import messages_in_dms
from tests.e2e.test_my_hand import panel
from tests.support.discord_double import Player
from tests.support.menus import choose_for_oneself

LEADS = "Press **My hand** there to see your cards in each hand."


@asynccontextmanager
async def evening(tmp_path: Path) -> AsyncIterator[BotSession]:
    async with bot_session(tmp_path, my_hand_first=True) as room:
        yield room
        room.check_leaks()


async def next_hand(room: BotSession, *players: Player) -> None:
    """Everybody folds, and the next hand is dealt."""
    await room.wait_until_idle()
    while room.now.hand_running:
        await room.act("Fold", *players)
    await room.next_hand()
    await room.wait_until_idle()


async def test_one_message_leads_to_my_hand(tmp_path: Path) -> None:
    """Nothing more is sent for three hands. Bo, who opens no panel, acts by the table's buttons and is called when slow."""
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, seconds=60)
        for player in (ann, bo):
            seated = await player.slash("sit")
            assert "**My hand** at the table shows your cards." in seated and "[Send DMs too" in seated
        await room.next_hand()
        for player in (ann, bo):
            await player.wait_for(lambda p=player: LEADS in p.dms(), "the way to the cards")  # type: ignore[misc]
            assert "Hand #1" not in player.dms() and "[Show my cards]" in player.dms()
        await room.open_panel(ann)
        room.discord.forget_requests()
        for _ in range(2):
            await next_hand(room, ann, bo)
        assert requests_spent(room)["direct messages"] == 0
        assert messages_in_dms(ann) == messages_in_dms(bo) == 1
        while room.to_act(ann, bo) is not bo:
            await room.act("Call", ann, bo)
        room.clock.skip(8)
        await room.wait_for_text("@Bo, your turn")
        assert room.own_buttons(bo) and "My hand #" in await bo.click("👁", within="▶ `")


async def test_open_panel_needs_no_message(tmp_path: Path) -> None:
    """Both open *My hand* before they are dealt in. Once a panel has ended, its player is told where their cards are."""
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, seconds=3599)
        for player in (ann, bo):
            await player.slash("myhand")
        await room.next_hand()
        await room.wait_until_idle()
        assert messages_in_dms(ann) == messages_in_dms(bo) == 0
        room.clock.skip(TOKEN_MS / 1000 + 1)
        for player in (ann, bo):
            await player.wait_for(lambda p=player: LEADS in p.dms(), "the way to the cards")  # type: ignore[misc]
        assert messages_in_dms(ann) == messages_in_dms(bo) == 1


async def test_who_asks_gets_cards_by_message_from_then_on(tmp_path: Path) -> None:
    """Also after the dealer was killed. Bo, who does not ask, is told nothing a second time."""
    async with restarting_bot(tmp_path, my_hand_first=True) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo, seconds=3599)
            await room.next_hand()
            await ann.wait_for(lambda: LEADS in ann.dms(), "the way to the cards")
            await ann.click("Show my cards", within=LEADS)
            assert "Hand #1" in ann.dms() and LEADS not in ann.dms()
            await next_hand(room, ann, bo)
            assert "Hand #2" in ann.dms()
        async with told.life() as room:
            await room.wait_until_idle()
            assert "Hand #2" in ann.dms() and LEADS in bo.dms()
            await next_hand(room, ann, bo)
            assert "Hand #3" in ann.dms() and "Hand #" not in bo.dms()
            assert messages_in_dms(ann) == messages_in_dms(bo) == 1


async def test_choice_of_every_hand_stays_the_rule(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "**when you ask**" in await ann.slash("me")
        assert "**in every hand**" in await choose_for_oneself(ann, every_hand=True)
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        await room.open_panel(ann)
        await next_hand(room, ann, bo)
        assert "Hand #2" in ann.dms()
        assert "Your cards will come by DM" in await bo.click("Send DMs too")
        await next_hand(room, ann, bo)
        assert "Hand #3" in bo.dms()


async def test_closed_messages_leave_nobody_without_cards(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await bo.dms_open(value=False)
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await bo.until("Use **My hand** on the table message")
        assert "My hand #1" in await bo.click("👁", within="▶ `") and panel(bo)
        await next_hand(room, ann, bo)
        assert "My hand #2" in panel(bo) and not bo.dms()
