"""Chips put in before one's turn, as people do it: typed, all-in and by the form, where the table holds them or takes them as binding."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.text.options import option_name
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player


async def _dealt_in(room: BotSession, game: str, **options: object) -> list[Player]:
    """Three players are dealt in; the first of them is to act, then the second."""
    people = await room.people("Ann", "Bo", "Cy")
    await room.open_and_sit(*people, game=game, **options)
    await room.next_hand()
    await room.wait_until_idle()
    by_user = {int(player.me["id"]): player for player in people}
    hand = room.now.hand
    assert hand is not None
    users = room.now.dealt_users
    return [by_user[users[(hand.to_act + at) % 3]] for at in range(3)]


def _stacks(room: BotSession, *players: Player) -> list[int]:
    hand = room.now.hand
    assert hand is not None
    stacks = {room.now.dealt_users[seat.seat_index]: seat.stack for seat in hand.seats}
    return [stacks[int(player.me["id"])] for player in players]


@pytest.mark.law("I-8")
async def test_amounts_typed_out_of_turn_are_held(tmp_path: Path) -> None:
    """Cy bets 15 and Bo 5 while Ann is to act. Ann bets 5: Bo has called, Cy too, and 10 of Cy's chips stay in the pot."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await _dealt_in(room, "hoyle_draw + strict")
        hand = room.now.hand
        assert hand is not None
        antes, before = hand.pot, _stacks(room, ann, bo, cy)
        said = await cy.slash("bet", to="15")
        assert (
            "15 is held for your turn. You can't raise then; what's too much stays in the pot" in said
            and "Law I-8" in said
        )
        await room.wait_for_text("15 held")
        assert "5 is held for your turn." in await bo.slash("raise", to="5")
        assert f"It's **{ann.name}**'s turn" in await bo.slash("raise", to="10"), "chips are put in early once"
        await ann.slash("bet", to="5")
        hand = room.now.hand
        assert hand is not None
        assert hand.draw_progress == (1, 1), "all have bet or called: now they draw"
        assert hand.pot == antes + 5 + 5 + 15
        assert _stacks(room, ann, bo, cy) == [before[0] - 5, before[1] - 5, before[2] - 15]
        room.check_leaks()


@pytest.mark.law("I-8")
async def test_form_and_all_in_out_of_turn_are_held(tmp_path: Path) -> None:
    """At a stake limit all-in is the limit. Ann checks, so the 2 that Bo wrote into the form are the bet."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await _dealt_in(room, "hoyle_draw + strict")
        limit = room.now.settings.stakes.limit
        await bo.click("Bet…", within="▶ `")
        assert "2 is held for your turn." in await bo.submit({"Bet": "2"})
        assert f"{limit:,} is held for your turn." in await cy.slash("allin")
        await ann.click("Check", within="▶ `")
        await room.wait_for_text("· bet 2")
        assert room.to_act(ann) is ann
        room.check_leaks()


@pytest.mark.law("TL-34")
async def test_amounts_typed_out_of_turn_bind_under_tda53(tmp_path: Path) -> None:
    """Cy, first to act, calls: the raise that Bo typed before stands. Ann had noted all-in, which a raise lets lapse."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy")
        await people[0].slash("play", sit=False)
        await people[0].slash("table", page="settings")
        name = option_name("out_of_turn")
        await people[0].click("House rules")
        await people[0].select("Change a house rule…", name)
        await people[0].select(f"{name}…", "tda53")
        for number, player in enumerate(people, 1):
            await player.slash("sit", seat=number)
        await room.next_hand()
        await room.wait_until_idle()
        by_user = {int(player.me["id"]): player for player in people}
        small, big, dealer = (by_user[user] for user in room.now.dealt_users)
        assert room.to_act(dealer) is dealer
        panel = await small.slash("myhand")
        assert "Done now, kept for your turn." in panel
        assert "[Fold] [Call 50] [Raise…]" in panel
        said = await small.slash("raise", to="300")
        assert "Noted: you raise to 300 when your turn comes, unless someone raises first." in said
        assert "Noted: you raise to 10,000 when your turn comes" in await big.slash("allin")
        await dealer.slash("call")
        await room.wait_for_text("raise to 300")
        assert room.to_act(big) is big, "the raise has come in between, so the all-in does not bind"
        room.check_leaks()


@pytest.mark.law("I-8", "TL-34")
async def test_button_out_of_turn_says_what_is_held(tmp_path: Path) -> None:
    """Cy presses the button that was drawn for Bo."""
    async with bot_session(tmp_path) as room:
        ann, _, cy = await _dealt_in(room, "hoyle_draw + strict")
        await ann.slash("bet", to="5")
        await room.wait_for_text("· bet 5")
        assert "5 is held for your turn." in await cy.click("Call 5", within="▶ `")


@pytest.mark.law("I-8")
async def test_panel_offers_chips_before_the_turn(tmp_path: Path) -> None:
    """Where chips are held, the panel of a player who waits has the buttons that put them in, and neither fold nor check."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await _dealt_in(room, "hoyle_draw + strict")
        await ann.slash("bet", to="5")
        await room.wait_for_text("· bet 5")
        panel = await cy.slash("myhand")
        assert "You're acting early: chips that you put in now stay in." in panel
        assert "[Call 5]" in panel and "[Fold]" not in panel and "[Check]" not in panel
        said = await cy.click("Call 5", within="My hand #")
        assert "5 is held for your turn." in said and "5 held" in said
        assert "[Call" not in said
        await room.act("Fold", ann, bo, cy)
        hand = room.now.hand
        assert hand is not None
        assert (hand.draw_progress, hand.pot) == ((1, 1), 40), "the call counts, and the two who are left draw"
        room.check_leaks()
