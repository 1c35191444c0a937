"""Hole cards by direct message: one for an evening, edited; a limit of Discord's is not a player's closed door."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import toggles
from tests.e2e.test_rooms import follow, threads
from tests.support.discord_double import Player
from tests.support.menus import choose_for_oneself

LIMITED = {"message": "You are opening direct messages too fast.", "code": 40003}
QUARANTINED = {"message": "Your bot has been flagged by our anti-spam system for abusive behavior.", "code": 20026}
HOUR = 60 * 60


async def two(room: BotSession) -> tuple[Player, Player]:
    """Two players who sit down and are dealt in."""
    ann, bo = await room.people("Ann", "Bo")
    await room.open_and_sit(ann, bo)
    await room.next_hand()
    await room.wait_until_idle()
    return ann, bo


def messages_in_dms(player: Player) -> int:
    return sum(len(player.visible(channel)) for channel in player.dm_channels)


async def test_one_message_serves_a_whole_session(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        for number in (1, 2, 3):
            for player in (ann, bo):
                await player.wait_for(lambda p=player, n=number: f"Hand #{n}" in p.dms(), "the hole cards")  # type: ignore[misc]
                assert messages_in_dms(player) == 1
            await room.act("Fold", ann, bo)
            await room.next_hand()
            await room.wait_until_idle()
        room.check_leaks()


async def test_message_older_than_fifty_minutes_gets_a_successor(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await room.act("Fold", ann, bo)
        room.clock.skip(51 * 60)
        await room.wait_until(lambda: room.now.hand_number == 2)
        await ann.wait_for(lambda: "Hand #2" in ann.dms(), "the hole cards")
        assert messages_in_dms(ann) == 2


async def open_for_days(room: BotSession, *players: Player) -> None:
    """Open a table whose turns outlast every pause; its people go to its thread."""
    await players[0].slash("play", sit=False, seconds=24 * HOUR)
    (thread,) = threads(room)
    await follow(thread["id"], *players, room.discord.you)


@pytest.mark.parametrize(("status", "limit", "pause"), [(400, LIMITED, 60), (403, QUARANTINED, HOUR)])
async def test_limit_on_opening_channels_keeps_the_players_choice(
    tmp_path: Path, status: int, limit: dict[str, object], pause: int
) -> None:
    """It says nothing about Ann and Bo: their choice stays, My hand opens instead, and after a pause the DMs come by themselves."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        room.discord.fails("POST", r"/users/@me/channels", status=status, body=limit)
        await open_for_days(room, ann, bo)
        await ann.slash("sit", seat=1)
        await room.wait_until_idle()
        assert "They come by DM too once Discord lets me open one." in await bo.slash("sit", seat=2)
        await room.next_hand()
        for player in (ann, bo):
            await player.until("My hand #")
        await room.wait_until_idle()
        users = [int(player.me["id"]) for player in (ann, bo)]
        assert all(room.dealer.services.preferences.wants_dms(user) for user in users)
        assert not any("privacy settings" in player.screen() for player in (ann, bo))
        assert not ann.dms() and not bo.dms()
        room.clock.skip(pause - 10)
        await room.wait_until_idle()
        assert "POST /users/@me/channels" not in room.discord.counts, "nothing but the request that was refused"
        for player, seconds in ((ann, 10), (bo, 3)):  # one by one
            room.clock.skip(seconds)
            await player.wait_for(lambda p=player: "Hand #1" in p.dms(), "the hole cards")  # type: ignore[misc]
        await room.wait_until_idle()
        await folds_by_command(room, ann, bo)
        await room.next_hand()
        for player in (ann, bo):
            await player.wait_for(lambda p=player: "Hand #2" in p.dms(), "the hole cards")  # type: ignore[misc]
        room.check_leaks()


async def test_quarantine_is_noticed_when_a_message_is_refused(tmp_path: Path) -> None:
    """A channel that is open is not enough: in a quarantine only players who have had a DM before can be sent one."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await open_for_days(room, ann, bo)
        for player in (ann, bo):
            await player.slash("sit")
        await room.wait_until_idle()
        room.discord.fails("POST", rf"/channels/{ann.dm_channels[0]}/messages", status=403, body=QUARANTINED)
        await room.next_hand()
        await ann.until("My hand #")
        await bo.wait_for(lambda: "Hand #1" in bo.dms(), "the hole cards")
        assert not ann.dms() and "privacy settings" not in ann.screen()
        room.clock.skip(HOUR)
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")


async def test_channels_are_opened_at_the_seat(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.wait_until_idle()
        assert room.discord.counts["POST /users/@me/channels"] == 2
        await room.next_hand()
        await room.wait_until_idle()
        assert room.discord.counts["POST /users/@me/channels"] == 2


async def test_cards_of_an_earlier_hand_go_when_another_is_dealt(tmp_path: Path) -> None:
    """Ann sits out after the first hand: her message shows no cards while Bo and Cy play the second."""
    async with bot_session(tmp_path) as room:
        people = ann, _, _ = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people)
        await room.next_hand()
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        await ann.slash("seat", what="sit out")
        while room.now.hand_running:
            await room.act("Fold", *people)
        await room.next_hand()
        await ann.wait_for(lambda: "You hold no cards at Table 1 now." in ann.dms(), "the cards to go")
        assert "Hand #1" not in ann.dms() and messages_in_dms(ann) == 1
        room.check_leaks()


async def test_a_card_that_was_given_up_stays_in_no_message(tmp_path: Path) -> None:
    """In pineapple each player is dealt three cards and gives one up. Three cards must not pass for their hand after that."""
    async with bot_session(tmp_path) as room:
        people = ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(*people, game="pineapple")
        await room.next_hand()
        for player in people:
            await player.wait_for(lambda p=player: "Hand #1" in p.dms(), "the hole cards")  # type: ignore[misc]
            assert player.dms().count(" of ") == 3
        await choose_for_oneself(ann, every_hand=True)
        await room.act("Call", *people)
        await room.act("Check", *people)
        for player in people:
            await player.click("Discard 1 card", within="Hand #1")
            await player.press(*toggles(player)[0])
            await player.click("Discard 1", within="My hand #")
        await ann.wait_for(lambda: ann.dms().count(" of ") == 2, "the two cards that she has")
        await bo.wait_for(lambda: "are in **My hand**" in bo.dms(), "the way to the cards")
        room.check_leaks()


async def test_message_of_a_stud_hand_shows_what_lies_hidden(tmp_path: Path) -> None:
    """The open cards are on the table for everybody, and more of them come than the message is edited for."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, game="razz")
        await room.next_hand()
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        assert ann.dms().count(" of ") == 2 and "Open" not in ann.dms()
        await room.act("Open", ann, bo)
        await room.check_down(ann, bo)
        await ann.wait_for(lambda: ann.dms().count(" of ") == 3, "the last card, which is dealt face down")


async def test_message_of_a_closed_table_says_so_without_a_button(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        await room.act("Fold", ann, bo)
        await ann.slash("leave")
        await room.wait_until(lambda: len(room.now.table.seats) == 1)
        await room.discord.you.close_table()
        await ann.wait_for(lambda: "This table is closed." in ann.dms(), "the end of the table")
        assert "Hand #1" not in ann.dms() and "[" not in ann.dms()
        await room.wait_until_idle()
        assert await room.dealer.store.values("cards_dm.") == {}


async def play_in_panels(room: BotSession, *people: Player) -> None:
    """Play a hand to its end, everybody in their panel."""
    for player in people:
        if "My hand #" not in player.screen():
            await player.click("👁", within="▶ `")
    while room.now.hand_running:
        player = room.to_act(*people)
        assert player is not None
        await player.until("▶ **Your turn**")
        await player.click("C", within="My hand #")  # check or call


async def test_who_plays_in_the_panel_reads_where_the_cards_are(tmp_path: Path) -> None:
    """In the first hand Ann and Bo play in their panels. In the second one their messages lead there, and show the cards at a press."""
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        await ann.wait_for(lambda: "Hand #1" in ann.dms(), "the hole cards")
        await play_in_panels(room, ann, bo)
        await room.next_hand()
        await ann.wait_for(lambda: "Your cards at Table 1 are in **My hand**." in ann.dms(), "the way to the cards")
        assert "Hand #1" not in ann.dms() and "Hand #2" not in ann.dms()
        await room.wait_until_idle()
        room.discord.forget_requests()
        await ann.click("Show my cards", within="Your cards at Table 1")
        assert "Hand #2" in ann.dms() and messages_in_dms(ann) == 1
        (answer,) = [one for one in room.discord.requests if one.path.endswith("/callback")]
        assert answer.request_body["type"] == 7
        room.check_leaks()


async def test_a_message_every_hand_for_who_wants_that(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await two(room)
        assert "Cards by DM · **in every hand**" in await choose_for_oneself(ann, every_hand=True)
        await play_in_panels(room, ann, bo)
        await room.next_hand()
        await ann.wait_for(lambda: "Hand #2" in ann.dms(), "the hole cards")
        await bo.wait_for(lambda: "are in **My hand**" in bo.dms(), "the way to the cards")
        assert messages_in_dms(ann) == 1


async def folds_by_command(room: BotSession, *players: Player) -> None:
    """The player to act folds, and not in the panel that has opened by itself: their cards come by DM again."""
    player = room.to_act(*players)
    assert player is not None
    await player.slash("fold")


async def test_panel_opens_where_discord_takes_no_message(tmp_path: Path) -> None:
    """Discord refuses Ann's cards: that says nothing about her. Her panel opens by itself, and the message comes with the next hand."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.wait_until_idle()
        room.discord.fails(
            "POST", rf"/channels/{ann.dm_channels[0]}/messages", status=400, body={"message": "no", "code": 0}
        )
        await room.next_hand()
        await ann.until("My hand #1")
        await room.wait_until_idle()
        assert not ann.dms() and "privacy settings" not in ann.screen()
        await folds_by_command(room, ann, bo)
        await room.next_hand()
        await ann.wait_for(lambda: "Hand #2" in ann.dms(), "the hole cards")
        assert messages_in_dms(ann) == 1
