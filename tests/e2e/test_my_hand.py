"""*My hand* as players use it: one panel from which a hand is played, that follows the hand, and in which everything is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.engine.cards import card_name, card_text
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import toggles
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import EPHEMERAL, Player

Json = dict[str, Any]


def private(player: Player) -> list[Json]:
    """The private messages on a player's screen, oldest first."""
    return [message for message in player.visible() if message["flags"] & EPHEMERAL]


def panel(player: Player) -> str:
    """The player's one panel, as text."""
    found = [player.render(message) for message in private(player) if "My hand #" in player.render(message)]
    assert len(found) == 1, f"{len(found)} panels on the screen:\n{player.screen()}"
    return found[0]


async def dealt(room: BotSession, *names: str, **how: Any) -> list[Player]:
    """These players are dealt in; the one to act comes first."""
    people = await room.people(*names)
    await room.open_and_sit(*people, **how)
    await room.next_hand()
    await room.wait_until_idle()
    first = room.to_act(*people)
    assert first is not None
    return [first, *(player for player in people if player is not first)]


async def press(player: Player, label: str) -> str:
    """Press a button of the player's own panel."""
    return await player.click(label, within="My hand #")


async def check_down_in_panels(room: BotSession, *players: Player) -> None:
    """Play the hand to its end with the buttons of the panels; each player waits until theirs says that it is their turn."""
    while room.now.hand_running:
        player = room.to_act(*players)
        assert player is not None
        await player.wait_for(lambda p=player: "▶ **Your turn**" in panel(p), "the turn in the panel")  # type: ignore[misc]
        await press(player, "Check")


async def test_chips_added_are_told_until_the_next_hand(tmp_path: Path) -> None:
    """What a stack was then stands under nobody's cards: the panel of the next hand is alone again."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        for player in (first, second):
            await player.click("👁")
        await room.grant(first, 20_000)
        await first.slash("rebuy", chips="2000")
        assert "**2,000** will be added before the next hand." in first.screen()
        await room.act("Fold", first, second)
        await room.next_hand()
        await first.wait_for(lambda: "My hand #2" in first.screen(), "the next hand")
        await first.wait_for(lambda: "before the next hand" not in first.screen(), "the panel alone")
        assert len(private(first)) == 1


async def test_a_whole_hand_is_played_from_two_panels(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        opened = await first.click("👁")
        assert "50 to call" in opened and "[Fold] [Call 50] [Raise…]" in opened
        assert f"▶ {first.name} **to act** · My hand #1" in await second.click("👁")
        assert "You call 50." in await press(first, "Call 50")
        await second.until("can check")
        assert "You check." in await press(second, "Check")
        await room.wait_for_text("### Flop")
        await check_down_in_panels(room, first, second)
        await room.wait_until_idle()
        for player in (first, second):
            assert re.search(r"\*\*You (?:win|lose) \d+", panel(player)), panel(player)
            assert len(private(player)) == 1, "the answer to sitting down has gone"
        await room.next_hand()
        await room.wait_until_idle()
        assert all("My hand #2" in panel(player) for player in (first, second))
        room.check_leaks()


async def test_panel_takes_the_place_of_the_answer_to_sitting_down(tmp_path: Path) -> None:
    """Between table and panel it would push the table off a phone. Whoever opens no panel keeps it."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        assert ["You're in seat" in first.render(message) for message in private(first)] == [True]
        await first.click("👁")
        await room.wait_until_idle()
        assert ["My hand #1" in first.render(message) for message in private(first)] == [True]
        assert "You're in seat" in second.screen()


async def test_panel_follows_streets_while_the_table_is_played(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second, third = await dealt(room, "Ann", "Bo", "Cy")
        for player in (first, second, third):
            await player.click("👁")
        for label in ("Call", "Call", "Check"):
            await room.act(label, first, second, third)
        await room.wait_until_idle()
        board = room.now.hand.boards[0] if room.now.hand is not None else ()
        assert len(board) == 3
        asked = room.to_act(first, second, third)
        for player in (first, second, third):
            assert "\nBoard " in panel(player)
            assert ("▶ **Your turn**" in panel(player)) is (player is asked)
        await room.act("Fold", first, second, third)
        assert asked is not None
        await asked.click("Fold anyway")
        await room.wait_until_idle()
        assert "You have folded this hand." in panel(asked)
        room.check_leaks()


async def test_refusals_replace_each_other_in_the_panel(tmp_path: Path) -> None:
    """Four wrong amounts leave one panel, which offers the form again."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        for amount in ("banana", "120", "99999999", "0"):
            await room.press_at_table(first, "Raise…")
            await first.submit({"Raise to": amount})
            await room.wait_until_idle()
            assert "[Raise…]" in panel(first) and "▶ **Your turn**" in panel(first)
            assert len(private(first)) == 1, "the answer to sitting down has gone"
        await press(first, "Raise…")
        assert "isn't an amount" in await first.submit({"Raise to": "banana"})
        await press(first, "Raise…")
        assert "You raise to 400" in await first.submit({"Raise to": "400"})
        await room.wait_for_text("raise to 400")
        assert len(private(first)) == 1
        assert room.to_act(first, second) is second
        room.check_leaks()


@pytest.mark.law("TL-35")
@pytest.mark.law("VC-5")
async def test_opening_of_stud_is_confirmed_in_its_own_words(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, *others = await dealt(room, "Ann", "Bo", "Cy", game="stud", ante="20")
        assert room.now.settings.stakes.ante == 20
        await room.open_panel(first)
        assert "You open for 25 (bring-in)." in await press(first, "Open for 25")
        second = room.to_act(*others)
        assert second is not None
        await room.open_panel(second)
        assert "You complete to 100 (put in 100)." in await press(second, "Complete to 100")


async def test_late_press_redraws_table_and_answers_in_the_panel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        await first.click("👁")
        table = next(m for m in reversed(first.visible()) if "▶ `" in first.render(m) and not m["flags"] & EPHEMERAL)
        call = dict(first.labelled_buttons(table))["Call 50"]
        await room.press_at_table(first, "Call 50")
        await room.wait_until_idle()
        room.discord.forget_requests()
        await room.late_click(first, table, call)
        await first.until("That was for an earlier action")
        await room.wait_until_idle()
        assert "earlier action" in panel(first)
        (answer,) = [one for one in room.discord.requests if one.path.endswith("/callback")]
        assert answer.request_body["type"] == 7
        assert room.to_act(first, second) is second


@pytest.mark.law("TL-35")
async def test_late_press_without_a_panel_replaces_the_last_answer(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, _ = await dealt(room, "Ann", "Bo")
        table = next(m for m in reversed(first.visible()) if "▶ `" in first.render(m))
        call = dict(first.labelled_buttons(table))["Call 50"]
        await room.press_at_table(first, "Call 50")
        for _ in range(3):
            await room.late_click(first, table, call)
            await first.until("That was for an earlier action")
            await room.wait_until_idle()
        assert len(private(first)) == 1
        assert "earlier action" in first.render(private(first)[0])


async def test_two_discards_take_three_clicks(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", game="five_card_draw")
        await first.click("👁")
        await second.click("👁")
        await room.act("Call", first, second)
        await room.act("Check", first, second)
        drawer = room.to_act(first, second)
        assert drawer is not None
        await drawer.until("▶ **Draw up to 5**")
        room.discord.forget_requests()
        await drawer.press(*toggles(drawer)[3])
        await drawer.press(*toggles(drawer)[4])
        drawn = await press(drawer, "Draw 2")
        assert "You draw 2." in drawn
        assert sum(one.path.endswith("/callback") for one in room.discord.requests) == 3
        await room.wait_for_text("drew 2")
        room.check_leaks()


async def test_marks_survive_what_others_choose_meanwhile(tmp_path: Path) -> None:
    """All pass at once: while Ann marks, Bo confirms; her marks stay."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people, game="anaconda")
        await room.next_hand()
        for command, how in (("bet", {"to": "pot"}), ("call", {}), ("call", {})):
            player = room.to_act(*people)
            assert player is not None
            await player.slash(command, **how)
        await room.wait_for_text("to pass")
        ann, bo, cy = people
        for player in (ann, bo):
            await player.click("👁")
            for number in range(3 if player is bo else 2):
                await player.press(*toggles(player)[number])
        marked = toggles(bo)[0]
        assert "You pass 3 cards." in await press(bo, "Pass 3")
        await room.late_click(bo, *marked)
        await bo.until("You've already chosen")
        await room.wait_until_idle()
        assert panel(ann).count("✓") == 2
        await ann.press(*toggles(ann)[2])
        await press(ann, "Pass 3")
        await cy.click("👁")
        for number in range(3):
            await cy.press(*toggles(cy)[number])
        assert "-# From Bo: " in await press(cy, "Pass 3")
        room.check_leaks()


async def test_my_hand_again_moves_the_one_panel_down(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, _ = await dealt(room, "Ann", "Bo")
        for _ in range(3):
            await first.click("👁", within="▶ `")
            await room.wait_until_idle()
            panel(first)
        await first.slash("myhand")
        await room.wait_until_idle()
        panel(first)


async def test_a_press_out_of_turn_is_told_in_the_panel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        _, second = await dealt(room, "Ann", "Bo")
        await second.click("👁", within="▶ `")
        await room.wait_until_idle()
        (before,) = [message["id"] for message in private(second) if "My hand #" in second.render(message)]
        room.discord.forget_requests()
        await room.press_at_table(second, "Call 50")
        await second.until("'s turn.")
        await room.wait_until_idle()
        assert "'s turn." in panel(second)
        (after,) = [message["id"] for message in private(second) if "My hand #" in second.render(message)]
        assert after == before
        assert not [one for one in room.discord.requests if one.method == "DELETE"]


async def test_a_gone_panel_is_opened_anew_for_a_refusal(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        _, second = await dealt(room, "Ann", "Bo")
        await second.click("👁", within="▶ `")
        room.discord.fails("PATCH", r"/webhooks/.*", status=404, body={"message": "Unknown Message", "code": 10008})
        await room.press_at_table(second, "Call 50")
        await second.until("'s turn.")
        await room.wait_until_idle()
        told = [second.render(message) for message in private(second) if "'s turn." in second.render(message)]
        assert len(told) == 1 and "My hand #" in told[0]


async def test_a_refusal_stands_beside_an_old_panel(tmp_path: Path) -> None:
    """Its owner may have dismissed it, which nobody tells the dealer: a note in it could go unseen."""
    async with bot_session(tmp_path) as room:
        _, second = await dealt(room, "Ann", "Bo", seconds=3599)
        await second.click("👁", within="▶ `")
        room.clock.skip(61)
        await room.wait_until_idle()
        room.discord.forget_requests()
        await room.press_at_table(second, "Call 50")
        await second.until("'s turn.")
        await room.wait_until_idle()
        assert "'s turn." not in panel(second)
        assert not [one for one in room.discord.requests if one.method == "DELETE"]


async def test_panel_rests_before_its_token_ends_and_wakes(tmp_path: Path) -> None:
    """13 minutes after the owner's last click it says so; after 14 it is left alone; a click on it draws it again."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", seconds=3599)
        await first.click("👁", within="▶ `")
        room.clock.skip(13 * 60 - 5)
        await room.wait_until_idle()
        assert "stops following" not in panel(first)
        room.clock.skip(6)
        await first.until("stops following the hand in a minute")
        room.clock.skip(61)
        room.discord.forget_requests()
        await room.act("Call", first, second)
        await room.act("Check", first, second)
        await room.wait_for_text("### Flop")
        await room.wait_until_idle()
        assert not edits(room)
        assert "\nBoard " in await press(first, "My hand")
        await room.act("Check", first, second)
        await room.wait_until_idle()
        asked = room.to_act(first, second)
        assert ("▶ **Your turn**" in panel(first)) is (asked is first)


async def test_rested_panel_of_a_seat_left_is_answered_in_place(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people, seconds=3599)
        await room.next_hand()
        by_user = {int(player.me["id"]): player for player in people}
        small, big, first = (by_user[user] for user in room.now.dealt_users)
        await big.click("👁", within="▶ `")
        for seconds in (13 * 60, 61):
            room.clock.skip(seconds)
            await room.wait_until_idle()
        for player, command in ((first, "fold"), (small, "fold"), (big, "leave")):
            await player.slash(command)
        await room.next_hand()
        there = len(private(big))
        assert "You have no cards in hand #2." in await press(big, "My hand")
        assert len(private(big)) == there and "My hand #" not in big.screen()


async def test_panel_that_was_dismissed_is_forgotten(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        await second.click("👁", within="▶ `")
        gone = {"message": "Unknown Message", "code": 10008}
        room.discord.fails("PATCH", r"/webhooks/.*", status=404, body=gone)
        await room.act("Call", first, second)
        await room.wait_until_idle()
        room.discord.forget_requests()
        await room.act("Check", first, second)
        await room.wait_until_idle()
        assert not [one for one in room.discord.requests if "/webhooks/" in one.path]


async def test_player_who_waits_sees_cards_come_into_the_panel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        assert "No cards have been dealt yet." in await ann.slash("myhand")
        await room.next_hand()
        await ann.until("My hand #1")
        room.check_leaks()


async def test_own_turns_are_shown_at_once_and_the_rest_waits(tmp_path: Path) -> None:
    """Six open panels and three quick hands: each turn is shown; of the rest, what is too much for a minute waits for the newest state."""
    async with bot_session(tmp_path) as room:
        people = await dealt(room, "Ann", "Bo", "Cy", "Dee", "Eve", "Flo", seats=6)
        for player in people:
            await player.slash("myhand")
        await room.wait_until_idle()
        room.discord.forget_requests()
        began = room.clock.now()
        for number in range(3):
            if number:
                await room.next_hand()
            for _ in range(5):
                asked = room.to_act(*people)
                assert asked is not None and "▶ **Your turn**" in panel(asked)
                await room.act("Fold", *people)
                room.clock.skip(1)
                await room.wait_until_idle()
        assert room.clock.now() - began < 60_000
        turns = sum("▶ **Your turn**" in shown for shown in edits(room))
        assert turns == 3 * 5 - 1, "the first one was shown when the panel was opened"
        assert 5 <= len(edits(room)) - turns <= 20
        room.clock.skip(60)
        await room.wait_until_idle()
        assert all(f"My hand #{room.now.hand_number}" in panel(player) for player in people)


def edits(room: BotSession) -> list[str]:
    """The edits of panels that Discord was asked for."""
    asked = [one for one in room.discord.requests if one.method == "PATCH" and "/webhooks/" in one.path]
    return [body for one in asked if "My hand #" in (body := str(one.request_body))]


@pytest.mark.law("VC-20")
async def test_bet_without_openers_is_refused_in_the_panel(tmp_path: Path) -> None:
    """Jackpots: everybody sees Bet…, so that it tells nothing. Who has no openers gets no form, but the reason."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", game="jackpots")
        for _ in range(20):
            player = room.to_act(first, second)
            assert player is not None
            own = room.now.seen_by(int(player.me["id"]))
            assert own is not None and own.legal is not None
            bet = next((label for label, _ in room.table_buttons(player) if label.startswith("Bet")), "")
            if not own.legal.max_to and bet:
                break
            await room.press_at_table(player, "Check")
            if not room.now.hand_running:
                await room.next_hand()
        else:
            raise AssertionError("nobody without openers was asked")
        refused = await room.press_at_table(player, bet)
        assert "or better to open" in refused and "My hand #" in refused and "Between 0" not in refused


async def test_made_up_button_of_another_server_tells_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, _ = await dealt(room, "Ann", "Bo")
        owner = room.discord.controls.add_person("Spy", None, "en-US")["id"]
        elsewhere = room.discord.controls.add_guild("Elsewhere", owner)["id"]
        room.discord.controls.add_channel("den", elsewhere)
        spy = await room.discord.person("Mole", guild=elsewhere)
        table = room.now
        public = [message for message in first.visible() if not message["flags"] & EPHEMERAL]
        message = public[-1] | {"channel_id": spy.here}
        for verb in ("peek", "rules", "call:50"):
            await room.late_click(spy, message, f"t:{table.id}:{table.hand_number}:{table.decision_number}:{verb}")
            await room.wait_until_idle()
            assert "Pot" not in spy.screen() and "Blinds" not in spy.screen(), verb
            assert "earlier action" in spy.screen()
        for page in ("rules", "change", "law", "set"):
            await room.late_click(spy, message, f"p:table:{page}:{table.id}")
            await spy.until("That table is closed.")
            assert "No-Limit" not in spy.screen() and "Choose" not in spy.screen(), page
        world = room.discord.stand_in.world
        in_dm = message | {"channel_id": world.dm_channel_of(world.people[spy.me["id"]])["id"]}
        for verb in ("rules", "peek", "sit"):  # a direct message is in no server
            told = await room.late_click(spy, in_dm, f"t:{table.id}:{table.hand_number}:{table.decision_number}:{verb}")
            assert "earlier action" in told, verb
        told = await room.late_click(spy, message, f"p:board:page:{2**63 - 1}")
        assert "Something went wrong" not in told
        assert room.now.decision_number == 0


async def test_form_of_another_person_bets_nothing(tmp_path: Path) -> None:
    """The form that a player sends in names the other one as whoever opened it."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        player = room.to_act(first, second)
        assert player is not None
        other = second if player is first else first
        await room.press_at_table(player, "Raise")
        assert player.form is not None
        opener = room.discord.stand_in.interactions._open_modals[player._form_of]
        assert opener.modal is not None
        opener.modal["custom_id"] = opener.modal["custom_id"].replace(player.me["id"], other.me["id"])
        assert "earlier action" in await player.submit({"Raise to": "300"})
        assert room.now.decision_number == 0
        assert room.to_act(first, second) is player


async def test_made_up_page_does_not_replace_the_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        table = next(m for m in reversed(first.visible()) if "▶ `" in first.render(m))
        await room.late_click(first, table, "p:chips:history")
        await room.wait_until_idle()
        assert "▶ `" in second.screen() and "[Fold]" in second.screen()


async def test_missed_turns_are_told_in_the_open_panel(tmp_path: Path) -> None:
    """Sitting out after two missed turns: the panel says so, its button brings the player back, and then the notice is gone."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo", seconds=30)
        for player in (first, second):
            await player.click("👁")
        room.clock.skip(100)
        await first.until("You ran out of time")
        assert "You ran out of time" in panel(first) and "You ran out of time" not in first.dms()
        await room.wait_until_idle()
        assert "[I'm back]" in panel(first)
        assert "You're back" in await press(first, "I'm back")
        await room.wait_until_idle()
        assert "You ran out of time" not in panel(first) and "You're back in" in panel(first)
        assert len(private(first)) == 1, "the answer to sitting down has gone"
        assert not any("You ran out of time" in player.screen() for player in (first, second, room.discord.you))


@pytest.mark.law("Z-4")
async def test_one_card_is_shown_and_the_other_stays_hidden(tmp_path: Path) -> None:
    """After a fold the winner shows one card in the panel, the other player names one with `/show`, and Cy shows none."""
    async with bot_session(tmp_path) as room:
        first, second, third = people = await dealt(room, "Ann", "Bo", "Cy")
        for player in people:
            await player.click("👁")
        await room.act("Fold", *people)
        await room.act("Fold", *people)
        await room.wait_until(lambda: not room.now.hand_running)
        await room.wait_until_idle()
        assert "Show the table what you had?" in panel(third)
        ours = {player.name: hole_cards(room, player) for player in people}
        assert "You showed 1 card." in await press(third, "Show ")
        await room.wait_for_text(f"{third.name} shows")
        assert open_cards(room, third) == [max(ours[third.name], key=lambda card: (card >> 2, card & 3))]
        assert "Your cards stay hidden." in await press(first, "Show none")
        assert "[Show" not in panel(first)
        names = await second.autocomplete("act", "cards", "")
        assert sorted(names) == sorted(card_name(card) for card in ours[second.name])
        await second.slash("act", what="show", cards=card_text(ours[second.name][1]))
        await room.wait_for_text(f"{second.name} shows")
        assert open_cards(room, second) == [ours[second.name][1]]
        await second.slash("act", what="show", cards=card_text(ours[second.name][1]))
        await room.wait_until_idle()
        assert "already shown" in panel(second)
        room.check_leaks()
        await press(third, "Show ")
        await room.wait_until_idle()
        assert open_cards(room, third) == ours[third.name] and open_cards(room, first) == []


def hole_cards(room: BotSession, player: Player) -> list[int]:
    own = room.now.seen_by(int(player.me["id"]))
    assert own is not None and own.viewer is not None
    return [seen.card for seen in own.seats[own.viewer].cards if seen.card is not None]


def open_cards(room: BotSession, player: Player) -> list[int]:
    """The player's hole cards that everybody sees."""
    own, view = room.now.seen_by(int(player.me["id"])), room.now.hand
    assert own is not None and own.viewer is not None and view is not None
    return [seen.card for seen in view.seats[own.viewer].cards if seen.card is not None]


async def test_no_panel_tells_the_result_before_the_table(tmp_path: Path) -> None:
    """The table's message is edited once in 1.1 s, so it can be a second late. Whoever folds sees that it is over, then how."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        for player in (first, second):
            await player.click("👁")
        await press(first, "Call 50")
        await second.until("can check")
        await press(second, "½ pot")
        await first.until("▶ **Your turn**")
        room.discord.forget_requests()
        folded = await press(first, "Fold")
        assert "You fold." in folded and "The hand is over. Here comes the result." in folded
        await room.wait_until_idle()
        told = [
            "panel" if "My hand #" in str(one.request_body) else "table"
            for one in room.discord.requests
            if re.search(r"wins|You (?:win|lose|folded)", str(one.request_body))
        ]
        assert told[0] == "table" and told.count("panel") == 2
        assert f"{second.name} wins 200." in panel(first) and "**You win 200.**" in panel(second)


async def test_panel_says_when_the_time_bank_ends(tmp_path: Path) -> None:
    """After thirty seconds the turn goes on in the time bank: the open panel says until when, and not that time was up long ago."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        for player in (first, second):
            await player.click("👁")
        waiting = panel(second)
        room.clock.skip(9)
        await room.wait_for_text("your turn")
        room.clock.skip(22)
        await first.until("50 to call · time bank ends")
        await first.wait_for(lambda: "time bank ends" in panel(first), "the time bank in the panel")
        await room.wait_until_idle()
        assert panel(second) == waiting


async def test_panels_tell_the_result_where_the_table_cannot(tmp_path: Path) -> None:
    """The bot can no longer write in the channel: after three seconds the panels tell how the hand ended."""
    async with bot_session(tmp_path) as room:
        first, second = await dealt(room, "Ann", "Bo")
        for player in (first, second):
            await player.click("👁")
        forbidden = {"message": "Missing Permissions", "code": 50013}
        room.discord.fails("PATCH", r"/channels/\d+/messages/\d+", status=403, body=forbidden, times=99)
        await press(first, "Fold")
        assert "You win" not in panel(second)
        room.clock.skip(3)
        await second.until("**You win 100.**")
        await first.until(f"{second.name} wins 100.")


async def test_open_panels_and_the_dm_outlive_a_kill(tmp_path: Path) -> None:
    """The dealer is killed on the flop: the panels go on by themselves, and the next hand is written into the same DM.

    Nothing in the data file tells the tokens that edit the panels: with one, a stranger could read a player's cards.
    """
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            first, second = await dealt(room, "Ann", "Bo")
            for player in (first, second):
                await player.click("👁")
            for label in ("Call", "Check"):
                await room.act(label, first, second)
            await room.wait_until_idle()
            asked = room.to_act(first, second)
            other = second if asked is first else first
            assert asked is not None and "▶ **Your turn**" in panel(asked)
            (open_at,) = room.dealer.services.hand_panels._tables.values()
            tokens = [one.shown.token for one in open_at.panels.values() if one.shown is not None]
            files = [file.read_bytes() for file in (tmp_path / "data").iterdir() if file.name.startswith("cardroom.db")]
            assert len(tokens) == 2
            assert any(b"panel." in file for file in files)
            assert not any(token.encode() in file for token in tokens for file in files)
        async with told.life() as room:
            await press(asked, "Check")
            await other.until("▶ **Your turn**")
            await room.wait_until_idle()
            assert "▶ **Your turn**" not in panel(asked) and "▶ **Your turn**" in panel(other)
            await check_down_in_panels(room, first, second)
            await room.wait_until_idle()
            assert all(re.search(r"\*\*You (?:win|lose) \d+", panel(player)) for player in (first, second))
            await room.next_hand()
            await room.wait_until_idle()
            for player in (first, second):
                assert "My hand #2" in panel(player)
                assert "are in **My hand**" in player.dms() and "Hand #1" not in player.dms()
            room.clock.skip(14 * 60 + 1)
            await room.wait_until(lambda: not room.now.hand_running)
            await room.wait_until_idle()
            assert await room.dealer.store.values("panel.") == {}
