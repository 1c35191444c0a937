"""Choosing before one's turn: in My hand, by command, by a button pressed too early; and nobody else hears of it (TL-34)."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.e2e.bot_session import BotSession, bot_session, logged_in_bot
from tests.e2e.leak_watcher import LeakWatcher
from tests.e2e.movable_clock import MovableClock
from tests.e2e.test_budget import requests_spent
from tests.support.discord_double import Json, Player, discord_double

_SECRET = re.compile(r"[Nn]oted|:pre[a-z]+|before (?:your|their) turn|lapsed|[Dd]ecide ahead|[Yy]ou'd planned")
"""Words and custom ids that tell of a choice before the turn."""


async def four(room: BotSession, **how: object) -> tuple[Player, Player, Player, Player]:
    """Return four players dealt in at 50/100: the first to act, the dealer, the small blind and the big blind."""
    people = await room.people("Ann", "Bo", "Cy", "Dee")
    await room.open_and_sit(*people, **how)
    await room.next_hand()
    await room.wait_until_idle()
    by_user = {int(player.me["id"]): player for player in people}
    small, big, first, dealer = (by_user[user] for user in room.now.dealt_users)
    return first, dealer, small, big


def texts_shown_to(player: Player, since: int = 0) -> str:
    """Return every text that a person's page got, private ones included."""
    return "\n".join(msgspec.json.encode(frame).decode() for frame in player.frames[since:])


@pytest.mark.law("TL-34")
async def test_choice_made_in_my_hand_happens_at_the_turn(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        others = {player: len(player.frames) for player in (first, small, big, room.discord.you)}
        peeked = await dealer.click("👁")
        assert "Decide ahead if you like. Nobody else sees it." in peeked
        assert "[Fold] [Call 100]" in peeked
        noted = await dealer.click("Call 100", within="My hand #")
        assert "**Noted: call 100, if it is still 100.**" in noted and "[Fold] [Clear]" in noted
        for player, since in others.items():
            assert texts_shown_to(player, since) == "", "nobody's page has stirred"
        await first.click("Call", within="Pre-flop")
        await room.wait_for_text("· call 100")
        assert room.to_act(small) is small
        for player, since in others.items():
            assert not _SECRET.search(texts_shown_to(player, since))
        assert "Noted" not in await dealer.click("👁")
        room.check_leaks()


@pytest.mark.law("TL-34")
async def test_preselection_can_be_changed_and_cleared(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await big.click("👁")
        assert "Noted: check, or fold if there is a bet." in await big.click("Check / fold")
        question = await big.click("Fold", within="Noted")
        assert "Fold anyway?" in question
        assert "Noted: fold to any bet." in await big.click("Fold anyway")
        assert "Decide ahead if you like" in await big.click("Clear")
        assert "Noted: check, or fold if there is a bet." in await big.click("Check / fold")
        await room.act("Fold", first, dealer, small, big)
        await room.act("Fold", first, dealer, small, big)
        await room.act("Call", first, dealer, small, big)
        await room.wait_for_text("### Flop")
        assert room.now.hand is not None and room.now.hand.pot == 200


@pytest.mark.law("TL-34")
async def test_commands_out_of_turn_are_noted_and_bets_are_refused(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        whose = f"It's **{first.name}**'s turn"
        noted = await big.slash("check")
        assert "**Noted: check, or fold if there is a bet.**" in noted
        assert "Kept until the next card." in noted
        assert "Only you can see this" in noted and "[Fold] [Clear]" in noted
        assert "Noted: call 100, if it is still 100." in await dealer.slash("call")
        assert "Noted: fold to any bet." in await small.slash("fold")
        for command, said in (("bet", {"to": "300"}), ("raise", {"to": "300"}), ("allin", {})):
            assert f"{whose}." in await small.slash(command, **said)
        assert "There's a bet: it's 50 to call." in await small.slash("check")
        assert "There's no bet to call yet." in await big.slash("call")
        assert "Decide ahead if you like." in await big.slash("act", what="take back")
        assert "Noted: check, or fold" in await big.slash("act", what="check or fold")
        assert "You call 100" in await first.slash("call")
        await room.wait_for_text("### Flop")
        room.check_leaks()


@pytest.mark.law("TL-34")
async def test_preselected_call_lapses_after_a_raise_and_player_learns_it(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, _ = await four(room)
        await dealer.slash("call")
        since = len(small.frames)
        await first.slash("raise", to="300")
        await dealer.until("You'd planned to call 100, but it's 300 now.")
        assert room.to_act(dealer) is dealer
        peeked = await dealer.click("👁")
        assert "You'd planned to call 100" in peeked and "[Fold] [Call 300]" in peeked
        await room.wait_until_idle()
        assert not _SECRET.search(texts_shown_to(small, since))


@pytest.mark.law("TL-34", "B-10")
async def test_early_button_does_nothing_and_offers_preselection(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        offered = await dealer.click("Call", within="Pre-flop")
        assert f"It's **{first.name}**'s turn." in offered
        assert "[Fold] [Call 100]" in offered
        assert "Noted:" in await dealer.click("Call 100", within=f"It's **{first.name}**'s turn")
        await first.click("Call", within="Pre-flop")
        await room.wait_for_text("· call 100")
        await room.act("Call", small)
        await room.act("Check", big)
        await room.wait_for_text("### Flop")
        assert f"It's **{small.name}**'s turn." in await big.click("Fold", within="### Flop")


@pytest.mark.law("TL-34")
async def test_choice_pressed_as_turn_comes_is_confirmed_as_action(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, *_ = await four(room)
        await dealer.click("👁")
        panel = my_hand_of(dealer)
        await first.slash("call")
        await room.late_click(dealer, panel, _id_of(panel, "precall"))
        await dealer.until("You call 100")


@pytest.mark.law("TL-34", "TL-35")
async def test_button_for_another_call_or_street_preselects_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await big.click("👁")
        early = my_hand_of(big)
        await small.click("👁")
        await first.slash("raise", to="300")
        refused = await small.click("Call 50")
        assert "You chose to call 50, but it's 250 now." in refused
        assert "[Fold] [Call 250]" in refused
        await small.click("Call 250")
        await dealer.slash("fold")
        await room.wait_for_text("· call 300")
        await big.slash("call")
        await room.wait_for_text("### Flop")
        await room.late_click(big, my_hand_of(big), _id_of(early, "predrop"))
        await big.until("That was for an earlier action")


@pytest.mark.law("TL-34", "TL-36")
async def test_fold_pressed_as_turn_comes_asks_when_check_is_free(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await big.click("👁")
        panel = my_hand_of(big)
        for player, command in ((first, "call"), (dealer, "fold"), (small, "call")):
            await player.slash(command)
        await room.late_click(big, panel, _id_of(panel, "predrop"))
        await big.until("Checking is free here")
        assert "You check" in await big.click("Check", within="Checking is free")
        await room.wait_for_text("### Flop")


@pytest.mark.law("TL-34")
async def test_chain_of_preselections_is_shown_by_one_click(tmp_path: Path) -> None:
    """Three players have chosen. One click is one redraw, without an edit by the bot's token or another message."""
    async with bot_session(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await dealer.slash("call")
        await small.slash("call")
        await big.slash("check")
        await room.wait_until_idle()
        room.discord.forget_requests()
        await first.click("Call", within="Pre-flop")
        await room.wait_for_text("### Flop · Pot 400")
        await room.wait_until_idle()
        spent = requests_spent(room)
        assert (spent["callbacks"], spent["edits"], spent["new messages"], spent["others"]) == (1, 0, 0, 0)
        assert spent["panel edits"] == 3, "those who have a panel see the flop there"
        room.check_leaks()


@pytest.mark.law("TL-34", "TL-32")
async def test_a_choice_outlives_the_bot_and_its_buttons_still_work(tmp_path: Path) -> None:
    clock = MovableClock()
    async with discord_double(tmp_path / "discord") as discord:
        async with logged_in_bot(discord, tmp_path / "data", clock) as bot:
            with LeakWatcher(discord, bot) as watcher:
                first, dealer, small, big = await four(BotSession(discord, bot, clock, watcher))
                await dealer.click("👁")
                await dealer.click("Call 100", within="My hand #")
                await big.click("👁")
        await discord.bot_gone()
        async with logged_in_bot(discord, tmp_path / "data", clock) as bot:
            with LeakWatcher(discord, bot) as watcher:
                room = BotSession(discord, bot, clock, watcher)
                assert "**Noted:" in await dealer.click("👁")
                assert "**Noted:" in await big.click("Check / fold")
                await first.click("Call", within="Pre-flop")
                await room.wait_for_text("· call 100")
                await small.click("Call", within="Pre-flop")
                await room.wait_for_text("### Flop")
                room.check_leaks()


def my_hand_of(player: Player) -> Json:
    """The player's one panel."""
    (panel,) = [message for message in player.visible() if "My hand #" in player.render(message)]
    return panel


def _id_of(message: dict[str, object], verb: str) -> str:
    found = re.search(rf"t:[0-9:]+:{verb}\b[0-9:]*", msgspec.json.encode(message).decode())
    assert found is not None
    return found.group()
