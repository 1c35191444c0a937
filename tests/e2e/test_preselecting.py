"""Choosing before one's turn, as people do it: in Peek, by command, by a button pressed too early; and nobody else hears of it (TL-34)."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.e2e.clock import MovableClock
from tests.e2e.evening import Room, dealer_at, evening
from tests.e2e.test_budget import costs
from tests.e2e.watcher import Watcher
from tests.support.discord_double import Player, discord_double

_SECRET = re.compile(r"[Nn]oted|:pre[a-z]+|before (?:your|his) turn|lapsed")
"""What is told of a choice before the turn, in words or in the ids of its buttons."""


async def four(room: Room, **how: object) -> tuple[Player, Player, Player, Player]:
    """Four players are dealt in at 50/100: who speaks first, the dealer, the small blind, the big blind."""
    people = await room.people("Ann", "Bo", "Cy", "Dee")
    await room.seat(*people, **how)
    await room.dealt()
    await room.quiet()
    by_user = {int(player.me["id"]): player for player in people}
    small, big, first, dealer = (by_user[user] for user in room.now.players)
    return first, dealer, small, big


def heard(player: Player, since: int = 0) -> str:
    """Everything that a person's page was told, private things of his own included."""
    return "\n".join(msgspec.json.encode(frame).decode() for frame in player.frames[since:])


@pytest.mark.law("TL-34")
async def test_in_peek_one_chooses_and_it_happens_at_the_turn(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, small, big = await four(room)
        others = {player: len(player.frames) for player in (first, small, big, room.discord.you)}
        peeked = await dealer.click("👁")
        assert f"It is {first.name}'s turn. You may choose now what you do at yours; nobody sees it." in peeked
        assert "[Fold] [Call 100]" in peeked
        noted = await dealer.click("Call 100", within="Your cards")
        assert "**Noted:** you will call 100, if it is still 100." in noted and "[Fold] [Clear]" in noted
        for player, since in others.items():
            assert heard(player, since) == "", "nobody's page has stirred"
        await first.click("Call", within="Pre-flop")
        await room.seen(f"{dealer.name} calls 100")
        assert room.to_act(small) is small
        for player, since in others.items():
            assert not _SECRET.search(heard(player, since))
        assert "Noted" not in await dealer.click("👁")
        room.check()


@pytest.mark.law("TL-34")
async def test_what_is_noted_is_changed_and_cleared(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await big.click("👁")
        assert "you will check, or fold if there is a bet" in await big.click("Check / fold")
        question = await big.click("Fold", within="Noted")
        assert "Fold anyway?" in question
        assert "you will fold, whatever comes" in await big.click("Fold anyway")
        assert "You may choose now" in await big.click("Clear")
        assert "you will check, or fold if there is a bet" in await big.click("Check / fold")
        await room.act("Fold", first, dealer, small, big)
        await room.act("Fold", first, dealer, small, big)
        await room.act("Call", first, dealer, small, big)
        await room.seen("### Flop")
        assert room.now.hand is not None and room.now.hand.pot == 200


@pytest.mark.law("TL-34")
async def test_commands_out_of_turn_are_noted_and_bets_are_refused(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, small, big = await four(room)
        whose = f"It is **{first.name}**'s turn"
        noted = await big.slash("check")
        assert f"{whose}. Noted: you will check, or fold if there is a bet." in noted
        assert "Only you can see this" in noted and "Law TL-34" in noted and "[Fold] [Clear]" in noted
        assert f"{whose}. Noted: you will call 100, if it is still 100." in await dealer.slash("call")
        assert f"{whose}. Noted: you will fold, whatever comes." in await small.slash("fold")
        for command, said in (("bet", {"to": "300"}), ("raise", {"to": "300"}), ("allin", {})):
            assert f"{whose}. Nothing happened." in await small.slash(command, **said)
        assert "it is 50 to call now. Nothing is noted." in await small.slash("check")
        assert "There is nothing to call now. Nothing is noted." in await big.slash("call")
        assert "Nothing is noted." in await big.slash("preselect", choice="nothing")
        assert "Noted: you will check, or fold" in await big.slash("preselect", choice="check or fold")
        assert "You call 100" in await first.slash("call")
        await room.seen("### Flop")
        room.check()


@pytest.mark.law("TL-34")
async def test_a_raise_makes_a_noted_call_lapse_and_its_player_is_told(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, small, _ = await four(room)
        await dealer.slash("call")
        since = len(small.frames)
        await first.slash("raise", to="300")
        await dealer.until("You had noted to call 100; it is 300 to call now, so that lapsed. **It is your turn**")
        assert room.to_act(dealer) is dealer
        peeked = await dealer.click("👁")
        assert "so that lapsed" in peeked and "You may fold, call 300" in peeked
        await room.quiet()
        assert not _SECRET.search(heard(small, since))


@pytest.mark.law("TL-34", "B-10")
async def test_a_button_pressed_too_early_does_nothing_and_offers_to_choose(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, _, _ = await four(room)
        offered = await dealer.click("Call", within="Pre-flop")
        assert f"It is **{first.name}**'s turn. Nothing happened." in offered
        assert "[Fold] [Call 100]" in offered
        assert "Noted:" in await dealer.click("Call 100", within="Nothing happened")
        await first.click("Call", within="Pre-flop")
        await room.seen(f"{dealer.name} calls 100")


@pytest.mark.law("TL-34", "TL-35")
async def test_a_button_for_another_call_or_another_street_notes_nothing(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await big.click("👁")
        await small.click("👁")
        await first.slash("raise", to="300")
        refused = await small.click("Call 50")
        assert "You chose to call 50, and it is 250 to call now. Nothing is noted." in refused
        assert "[Fold] [Call 250]" in refused
        await small.click("Call 250")
        await dealer.slash("fold")
        await room.seen(f"{small.name} calls 250")
        (peeked,) = [one for one in big.visible() if "[Check / fold]" in big.render(one)]
        await big.slash("call")
        await room.seen("### Flop")
        assert "That was for an earlier action" in await big.press(peeked, _id_of(peeked, "predrop"))


@pytest.mark.law("TL-34", "TL-36")
async def test_a_drop_pressed_as_the_turn_comes_is_asked_where_a_check_is_free(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await big.click("👁")
        for player, command in ((first, "call"), (dealer, "fold"), (small, "call")):
            await player.slash(command)
        assert "Checking is free here" in await big.click("Fold", within="You may choose now")
        assert "You check" in await big.click("Check", within="Checking is free")
        await room.seen("### Flop")


@pytest.mark.law("TL-34")
async def test_choices_that_happen_in_one_go_are_shown_by_the_click_that_set_them_off(tmp_path: Path) -> None:
    """Three players have chosen: one click, one redraw, no edit by the bot's token and no message more."""
    async with evening(tmp_path) as room:
        first, dealer, small, big = await four(room)
        await dealer.slash("call")
        await small.slash("call")
        await big.slash("check")
        await room.quiet()
        room.discord.forget_requests()
        await first.click("Call", within="Pre-flop")
        await room.seen("### Flop · Pot 400")
        await room.quiet()
        spent = costs(room)
        assert (spent["callbacks"], spent["edits"], spent["new messages"], spent["others"]) == (1, 0, 0, 0)
        room.check()


@pytest.mark.law("TL-34", "TL-32")
async def test_a_choice_outlives_the_bot_and_its_buttons_still_work(tmp_path: Path) -> None:
    clock = MovableClock()
    async with discord_double(tmp_path / "discord") as discord:
        async with dealer_at(discord, tmp_path / "data", clock) as bot:
            with Watcher(discord, bot) as watcher:
                first, dealer, small, big = await four(Room(discord, bot, clock, watcher))
                await dealer.click("👁")
                await dealer.click("Call 100", within="Your cards")
                await big.click("👁")
        await discord.bot_gone()
        async with dealer_at(discord, tmp_path / "data", clock) as bot:
            with Watcher(discord, bot) as watcher:
                room = Room(discord, bot, clock, watcher)
                assert "**Noted:**" in await dealer.click("👁")
                assert "**Noted:**" in await big.click("Check / fold")
                await first.click("Call", within="Pre-flop")
                await room.seen(f"{dealer.name} calls 100")
                await small.click("Call", within="Pre-flop")
                await room.seen("### Flop")
                room.check()


def _id_of(message: dict[str, object], verb: str) -> str:
    found = re.search(rf"t:[0-9:]+:{verb}\b[0-9:]*", msgspec.json.encode(message).decode())
    assert found is not None
    return found.group()
