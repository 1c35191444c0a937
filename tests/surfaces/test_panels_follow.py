"""The table moves below what people write, and each live panel moves below the table: the new one first, then the old one goes."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.line.budgets import FollowUp
from bot.line.by_token import Token
from bot.surfaces.my_hand.panel import HandPanel
from bot.surfaces.private_answers import LivePanels
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_faults import chat, live_messages
from tests.e2e.test_my_hand import dealt, panel, press, private
from tests.support.discord_double import Player

BELOW = "Your cards are below."


def panels(player: Player) -> list[str]:
    """The ids of the panels on a player's screen."""
    return [message["id"] for message in private(player) if "My hand #" in player.render(message)]


def left(player: Player) -> list[str]:
    """The ids of the panels that say that they go on below."""
    return [message["id"] for message in private(player) if BELOW in player.render(message)]


def shown(player: Player, message: str) -> dict[str, Any]:
    return next(one for one in player.visible() if one["id"] == message)


async def with_panels(room: BotSession, *names: str, **how: Any) -> list[Player]:
    """These players are dealt in, and each has opened their panel. The one to act comes first."""
    people = await dealt(room, *names, **how)
    for player in people:
        await player.click("👁", within="▶ `")
    await room.wait_until_idle()
    return people


async def fold_and_bury(room: BotSession, *people: Player) -> None:
    """The hand ends by folds, and people write three lines: the table moves at the next deal."""
    while room.now.hand_running:
        await room.act("Fold", *people)
    await room.wait_until_idle()
    await chat(room, people[0], "one", "two", "three")


async def deal(room: BotSession) -> None:
    await room.next_hand()
    await room.wait_until_idle()


async def five_seconds(room: BotSession, *people: Player) -> None:
    """Let the time pass after which panels that were left go."""
    await room.wait_until_idle()
    room.clock.skip(5)
    for player in people:
        await player.wait_for(lambda p=player: not left(p), "the panels that were left to go")  # type: ignore[misc]
    await room.wait_until_idle()


async def moved_at_the_deal(room: BotSession, *people: Player) -> tuple[Player, list[Player]]:
    """The table has moved at a deal. Returns who is to act, and the others."""
    await fold_and_bury(room, *people)
    await deal(room)
    asked = room.to_act(*people)
    assert asked is not None
    return asked, [player for player in people if player is not asked]


async def test_panels_move_below_the_table_that_has_moved(tmp_path: Path) -> None:
    """The one whose owner is to act waits until they have acted. Nobody has pressed My hand again."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo", "Cy")
        before = {player.name: panels(player) for player in people}
        room.discord.forget_requests()
        asked, others = await moved_at_the_deal(room, *people)
        (table,) = live_messages(room, asked)
        assert panels(asked) == before[asked.name], "no panel moves during its owner's turn"
        live, table_id = room.dealer.parts.get(LivePanels), room.now.id
        has_panel_below = {
            player.name: live.has_live_panel(table_id, int(player.me["id"]), below=int(table)) for player in people
        }
        assert has_panel_below == {player.name: player is not asked for player in people}
        for player in others:
            (now,) = panels(player)
            assert int(now) > int(table) > int(before[player.name][0])
            assert left(player) == before[player.name]
            assert "My hand #2" in panel(player)
        await room.act("Call", *people)
        await room.wait_until_idle()
        (now,) = panels(asked)
        assert int(now) > int(table) and left(asked) == before[asked.name]
        await five_seconds(room, *people)
        for player in people:
            assert len(panels(player)) == 1
        room.check_leaks()


async def test_the_new_panel_comes_before_the_old_one_goes(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo")
        await fold_and_bury(room, *people)
        room.discord.forget_requests()
        await deal(room)
        await five_seconds(room, *people)
        asked = room.to_act(*people)
        (other,) = [player for player in people if player is not asked]
        told = [
            one
            for one in room.discord.requests
            if "/webhooks/" in one.path and (one.method != "PATCH" or BELOW in str(one.request_body))
        ]
        posts = [one for one in told if one.method == "POST"]
        assert [one.method for one in told] == ["POST", "POST", "PATCH", "DELETE"]
        assert "▶ `" in str(posts[0].request_body), "the table first"
        assert "My hand #" in str(posts[1].request_body) and posts[1].request_body["flags"] & 64
        assert len(panels(other)) == 1


async def test_a_panel_can_be_played_from_where_it_moved(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo")
        asked, (other,) = await moved_at_the_deal(room, *people)
        assert "You call 50." in await press(asked, "Call 50")
        await room.wait_until_idle()
        assert "You call 50." in panel(asked), "the answer moves with the panel"
        await other.until("▶ **Your turn**")
        assert "You check." in await press(other, "Check")
        await room.wait_for_text("### Flop")
        await room.wait_until_idle()
        assert all("\nBoard " in panel(player) for player in people)


async def test_a_press_on_the_old_panel_counts_once(tmp_path: Path) -> None:
    """They press just before the panel moves away under their finger, and press the new one then too."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo", "Cy")
        before = {player.name: panels(player)[0] for player in people}
        _, others = await moved_at_the_deal(room, *people)
        third = others[-1]
        (now,) = panels(third)
        custom_id = dict(third.labelled_buttons(shown(third, now)))["Fold"]
        old = shown(third, before[third.name])
        await room.late_click(third, old, custom_id)
        await third.until("**Noted: fold to any bet.**")
        assert panels(third) == [now], "the panel stays below"
        assert left(third) == [old["id"]]
        await room.act("Call", *people)
        room.check_leaks()


async def test_an_action_that_crosses_the_move_counts_once(tmp_path: Path) -> None:
    """They call at the table; their panel moves after it, and their second press was on its way to the old panel."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo")
        asked, _ = await moved_at_the_deal(room, *people)
        old = shown(asked, panels(asked)[0])
        call = dict(asked.labelled_buttons(old))["Call 50"]
        await room.act("Call 50", *people)
        await room.wait_until_idle()
        assert left(asked) == [old["id"]]
        decision = room.now.decision_number
        await room.late_click(asked, old, call)
        await asked.until("earlier action")
        assert room.now.decision_number == decision
        assert "earlier action" in panel(asked)
        (now,) = panels(asked)
        assert int(now) > int(old["id"])


async def test_a_press_while_the_panel_moves_counts(tmp_path: Path) -> None:
    """The reply to the new message is lost; by the time it is sent again its owner has pressed the old one."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo", "Cy")
        await fold_and_bury(room, *people)
        await room.deal()
        await room.wait_for_text("Hand #2")
        asked = room.to_act(*people)
        assert asked is not None
        await asked.until("▶ **Your turn**")
        await room.wait_until_idle()
        old = shown(asked, panels(asked)[0])
        call = dict(asked.labelled_buttons(old))["Call 100"]
        room.discord.fails("POST", r"/webhooks/[^/]+/[^/]+", drop=True)
        await asked.press(old, call)
        await room.wait_until(lambda: room.to_act(*people) is not asked)
        await room.wait_until_idle()
        (now,) = panels(asked)
        assert int(now) > int(old["id"]) and "You call 100." in panel(asked)


async def test_my_hand_while_panels_move_leaves_one(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo")
        await fold_and_bury(room, *people)
        await room.next_hand()
        for player in people:
            await player.click("👁", within="▶ `")
        await five_seconds(room, *people)
        for player in people:
            assert len(panels(player)) == 1
        await room.act("Call", *people)
        await room.wait_until_idle()
        (table,) = live_messages(room, people[0])
        assert all(int(panels(player)[0]) > int(table) for player in people)


async def test_panels_wait_for_room_in_the_channel(tmp_path: Path) -> None:
    """Half of a minute's follow-ups are kept for the table and for who is to act. Once the rest is used up, panels stay and are drawn."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo", "Cy", seconds=3599)
        before = {player.name: panels(player) for player in people}
        budget, channel = room.dealer.services.discord_api.by_token.budget, room.now.address.channel
        while budget.possible_at(channel, FollowUp.REST, room.clock.now()) <= room.clock.now():
            budget.spend(channel, room.clock.now())
        await fold_and_bury(room, *people)
        await deal(room)
        assert {player.name: panels(player) for player in people} == before
        assert all(f"My hand #{room.now.hand_number}" in panel(player) for player in people)
        (table,) = live_messages(room, people[0])
        room.clock.skip(60)
        asked = room.to_act(*people)
        for player in people:
            if player is not asked:
                await player.wait_for(lambda p=player: int(panels(p)[-1]) > int(table), "the panel below the table")  # type: ignore[misc]
        assert asked is not None and panels(asked) == before[asked.name]


async def test_clicks_elsewhere_in_the_channel_keep_a_panel_alive(tmp_path: Path) -> None:
    """Ann plays in her panel and asks for her chips now and then: nobody tells her to press My hand again."""
    async with bot_session(tmp_path) as room:
        first, second = await with_panels(room, "Ann", "Bo", seconds=3599)
        before = {player.name: panels(player) for player in (first, second)}
        await room.act("Call", first, second)
        room.clock.skip(10 * 60)
        await first.slash("me", page="chips")
        room.clock.skip(3 * 60 + 1)
        await room.wait_until_idle()
        await first.wait_for(lambda: left(first) == before[first.name] != panels(first), "the panel to be renewed")
        assert "stops following" not in panel(first)
        assert panels(second) == before[second.name] and "stops following" in panel(second), "it is their turn"
        room.clock.skip(8 * 60)
        await first.slash("me", page="chips")
        room.clock.skip(2 * 60)
        await first.wait_for(lambda: len(left(first)) == 1, "the panel to be renewed once more")
        assert "stops following" not in panel(first)
        await room.act("Check", second)
        await room.wait_for_text("### Flop")
        await room.wait_until_idle()
        assert "\nBoard " in panel(first)


async def test_a_click_in_the_last_minute_renews_the_panel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await with_panels(room, "Ann", "Bo", seconds=3599)
        room.clock.skip(13 * 60 + 1)
        await second.until("stops following the hand in a minute")
        await second.slash("me", page="chips")
        await room.wait_until_idle()
        assert "stops following" not in panel(second) and len(left(second)) == 1
        assert "stops following" in panel(first)


async def test_the_panel_of_somebody_who_has_left_does_not_follow(tmp_path: Path) -> None:
    """It has become the sheet of their session."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo", "Cy")
        while room.now.hand_running:
            await room.act("Fold", *people)
        await people[0].slash("leave")
        await room.wait_until(lambda: len(room.now.table.seats) == 2)
        await room.wait_until_idle()
        await chat(room, people[1], "one", "two", "three")
        await deal(room)
        assert not panels(people[0]) and not left(people[0])
        assert sum(len(left(player)) for player in people) == 1


async def test_a_panel_that_became_something_else_is_not_left(tmp_path: Path) -> None:
    """Its owner leaves the table while the new message is on its way: the old one has their session, and the new one goes."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo", "Cy")
        asked, others = await moved_at_the_deal(room, *people)
        await five_seconds(room, *people)
        live = room.dealer.services.hand_panels
        user = int(others[0].me["id"])
        (at_table,) = live._tables.values()
        moving = at_table.panels[user]
        (before,) = panels(others[0])
        sent = asyncio.Event()
        follow_up = live.keeper.discord_api.by_token.follow_up_privately

        async def taken_meanwhile(*what: Any) -> int:
            message = await follow_up(*what)
            assert live.take_panel(room.now.id, user) is not None
            sent.set()
            return message

        moving.live.clicks.can_follow(token_of(moving))
        moving._end_soon()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(live.keeper.discord_api.by_token, "follow_up_privately", taken_meanwhile)
            await asyncio.wait_for(sent.wait(), 30)
        await room.wait_until_idle()
        await others[0].wait_for(lambda: panels(others[0]) == [before], "the new message to go")
        assert not left(others[0]) and asked is room.to_act(*people)


def token_of(moving: HandPanel) -> Token:
    token = moving.live.live_token
    assert token is not None
    return token


async def test_a_token_that_ends_early_is_replaced(tmp_path: Path) -> None:
    """Discord lets some tokens end before their time. Who has clicked at the table since gets their panel anew by itself."""
    async with bot_session(tmp_path) as room:
        people = await with_panels(room, "Ann", "Bo")
        first, second = people
        await room.act("Call 50", *people)
        await first.slash("me", page="chips")
        await room.wait_until_idle()
        before = panels(first)
        ended = {"message": "Invalid Webhook Token", "code": 50027}
        room.discord.fails(
            "PATCH", rf"/webhooks/[^/]+/[^/]+/messages/(?:@original|{before[0]})", status=401, body=ended
        )
        await room.act("Check", second)
        await room.wait_for_text("### Flop")
        await first.wait_for(lambda: panels(first) != before, "the panel anew")
        await room.wait_until_idle()
        assert "\nBoard " in first.render(shown(first, panels(first)[-1]))


@pytest.mark.parametrize("is_left", [False, True], ids=["before the move", "while the old one says so"])
async def test_killed_dealer_leaves_one_panel(is_left: bool, tmp_path: Path) -> None:
    """The next one goes on with it, and takes the old one away."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            people = await with_panels(room, "Ann", "Bo")
            await fold_and_bury(room, *people)
            if is_left:
                await deal(room)
                assert sum(len(left(player)) for player in people) == 1
            await room.wait_until_idle()
        async with told.life() as room:
            if not is_left:
                await deal(room)
            await five_seconds(room, *people)
            for player in people:
                assert len(panels(player)) == 1, player.screen()
            await room.act("Call", *people)
            await room.wait_until_idle()
            assert all(re.search(r"My hand #2", panel(player)) for player in people)
