"""The ceremonies of the old books as people do them in a chat: cutting, drawing, choosing the game, agreeing that a deal was wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.e2e.evening import Room, evening
from tests.e2e.sheets import play_hand
from tests.support.discord_double import Player


def who(room: Room, seat: int, *players: Player) -> Player:
    """Who sits in a seat."""
    line = next(line for line in room.now.table.seats if line.number == seat)
    return next(player for player in players if int(player.me["id"]) == line.player)


async def play(room: Room, *players: Player) -> None:
    await room.dealt()
    await play_hand(room, list(players), random.Random(room.now.hand_number))


@pytest.mark.law("D-5", "D-6", "D-7")
async def test_the_right_hand_player_cuts_before_the_deal(tmp_path: Path) -> None:
    """Basic draw demands the cut: its player gets a button with a deadline; a thin packet, another player and a second cut are refused."""
    async with evening(tmp_path) as room:
        ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
        await room.seat(ann, bo, cy, game="basic_draw")
        await play(room, *people)
        await room.seen("cuts the pack")
        right = who(room, room.now.table.pack.cutter, *people)
        other = next(player for player in people if player is not right)
        assert "The cut is for the player in seat" in await other.click("Cut…")
        await right.click("Cut…")
        assert "Each packet needs five cards" in await right.submit({"Cards from the top": "3"})
        await right.click("Cut…")
        assert "You have cut the pack at 12 and 30" in await right.submit({"Cards from the top": "30 12"})
        await room.seen("has cut the pack at 12 and 30")
        assert "The pack has been cut" in await other.slash("deal cut", at="20")
        await room.dealt()
        await room.seen(f"{right.name} cut the pack at 12 and 30")
        assert "The cards are out" in await right.slash("deal cut", at="20")
        await play_hand(room, people, random.Random(5))


@pytest.mark.law("D-3", "D-6", "D-12")
async def test_a_plain_holdem_table_shows_no_ceremony_and_yet_grants_them(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
        await room.seat(ann, bo, cy)
        await play(room, *people)
        await room.seen("Next hand")
        labels = {label for player in people for label in player.buttons()}
        assert not labels & {"Cut…", "Shuffle", "Draw for deal", "Bomb pot"}
        right = who(room, room.now.table.pack.cutter, *people)
        other = next(player for player in people if player is not right)
        assert "shuffled once on demand" in await other.slash("deal shuffle")
        assert "The cut is for the player" in await other.slash("deal cut", at="20")
        assert "You let the cut go" in await right.slash("deal nocut")
        assert "You have cut the pack at 20" in await other.slash("deal cut", at="20")
        assert "The pack has been cut" in await right.slash("deal shuffle")
        assert "the deal may not be declined" in (await other.slash("deal skip")).lower()
        await room.dealt()
        await room.seen("cut the pack at 20")


@pytest.mark.law("D-1")
async def test_the_first_jack_deals(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo, game="basic_draw")
        await room.seen("The first jack makes its receiver dealer")
        drawn = await bo.click("Draw for deal")
        assert "First deal: " in drawn and "deals" in drawn
        assert "first deal is settled" in await ann.slash("deal first")
        await room.dealt()
        dealer = room.now.people[room.now.table.button].name
        assert f"{dealer} deals" in drawn


@pytest.mark.law("D-2")
async def test_the_lowest_cut_deals_at_old_english_draw(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo, game="old_english_draw")
        await room.seen("the lowest card deals")
        await ann.click("Cut for the deal…")
        assert "You have cut for the first deal" in await ann.submit({"Place in the pack": "17"})
        assert "Position taken" in await bo.slash("deal lot", at=17)
        await room.seen("Cut for the first deal: the lowest card deals. Ann")
        assert "You have cut" in await bo.slash("deal lot", at=18)
        await room.dealt()
        assert room.now.table.button in {1, 2}


@pytest.mark.law("TL-29", "I-2")
async def test_everybody_agrees_that_the_deal_was_wrong(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo, cy, eve = await room.people("Ann", "Bo", "Cy", "Eve")
        people = ann, bo, cy
        await room.seat(ann, bo, cy)
        await room.dealt()
        button = room.now.table.button
        assert "once everybody dealt in says so" in await ann.slash("deal misdeal")
        await room.seen("this deal was irregular (1 of 3)")
        await bo.click("Misdeal")
        assert "the deal does not count" in await cy.slash("deal misdeal")
        assert {line.stack for line in room.now.table.seats} == {10_000}
        await room.seen("The deal is played again: same players, the button stays")
        assert "you join at the next hand after it" in await eve.slash("sit", chips="10k")
        await room.seen("**Eve** joins at the next hand after it")
        await room.dealt()
        assert room.now.table.button == button, "the same dealer deals it again"
        assert len(room.now.players) == 3, "and to nobody else"
        await room.act("Call", *people)
        await room.act("Call", *people)
        assert "Law TL-29" in await ann.slash("deal misdeal")
        assert room.now.running


@pytest.mark.law("VC-28", "TL-41")
async def test_the_dealer_chooses_the_game_or_the_default_is_dealt(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = people = await room.people("Ann", "Bo")
        await room.seat(ann, bo, game="holdem / razz / badugi", change="choice")
        await room.seen("chooses the next game")
        mixed = room.now.table.mixed
        assert mixed is not None
        chooser = who(room, mixed.chooser, *people)
        other = bo if chooser is ann else ann
        assert "chooses the next game" in await other.slash("deal choose", game="Limit Razz")
        assert await chooser.autocomplete("deal choose", "game", "bad") == ["Limit Badugi"]
        assert "The next game is **Limit Razz**" in await chooser.select("Choose the next game…", "Limit Razz")
        await play(room, *people)
        assert room.now.settings.card.key == "razz"
        await room.seen(f"**{other.name}** chooses the next game")
        await room.dealt()
        assert room.now.settings.card.key == "holdem", "nobody chose: the first of the list"


@pytest.mark.law("VC-29")
async def test_a_bomb_pot_is_voted_by_all(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = people = await room.people("Ann", "Bo")
        await room.seat(ann, bo, bomb="vote.2")
        await room.seen("[Bomb pot]")
        assert "You ask for a bomb pot" in await ann.click("Bomb pot")
        await room.seen("[Bomb pot 1/2]")
        assert "the next hand is a bomb pot" in await bo.click("Bomb pot 1/2")
        await room.seen("The next hand is a bomb pot")
        await room.dealt()
        view = room.now.hand
        assert view is not None and view.street == "flop" and len(view.boards) == 2
        await room.check_down(*people)
        await room.dealt()
        assert room.now.hand is not None and room.now.hand.street == "pre-flop"


@pytest.mark.law("P-8", "P-10", "P-11", "P-12")
async def test_seats_are_drawn_exchanged_and_given_to_a_substitute(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo, cy, dee = await room.people("Ann", "Bo", "Cy", "Dee")
        await room.seat(ann, bo, cy)
        assert "yours is seat 5" in await ann.slash("seats choose", seat=5)
        assert "Law P-8" in await bo.slash("seats choose", seat=4)
        assert "Seats are drawn" in await cy.slash("seats draw")
        assert room.now.table.seats[-1].name == "Ann" and room.now.table.seats[-1].number == 5
        places = {line.name: line.number for line in room.now.table.seats}
        assert "Asked" in await bo.slash("seats exchange", seat=places["Cy"])
        await room.seen("**Bo** asks **Cy** to exchange seats")
        assert "had time to object" in await cy.click("Exchange seats")
        await room.seen("[Object]")
        await room.dealt()
        assert {line.name: line.number for line in room.now.table.seats} == places, "not during a deal"
        await room.check_down(ann, bo, cy)
        await room.dealt()
        after = {line.name: line.number for line in room.now.table.seats}
        assert (after["Bo"], after["Cy"]) == (places["Cy"], places["Bo"])
        await room.check_down(ann, bo, cy)
        assert "Law P-10" in await bo.slash("seats draw")
        assert "may take your seat" in await bo.slash("seats substitute", player=dee)
        assert "Law P-11" in await dee.slash("sit", seat=9)
        assert f"You are in seat {after['Bo']}" in await dee.slash("sit")


@pytest.mark.law("H-3")
async def test_an_adjustment_is_made_once_everybody_agrees(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.seat(ann, bo, cy)
        assert "does not have that many" in await ann.slash("seats adjust", changes="Ann -50k Bo +50k")
        assert "off by 100" in await ann.slash("seats adjust", changes="Ann -500 Bo +300 Cy +100")
        assert "is no player here" in await ann.slash("seats adjust", changes="Ann -500 Zoe +500")
        assert "Ann -500, Bo +500" in await ann.autocomplete("seats adjust", "changes", "Ann -500")
        mentioned = [f"<@{one.me['id']}>" for one in (ann, bo, cy)]
        changes = f"{mentioned[0]} -500 {mentioned[1]} +300 {mentioned[2]} +200"
        assert "Proposed: Ann −500, Bo +300, Cy +200." in await ann.slash("seats adjust", changes=changes)
        await room.seen("Ann proposes an adjustment:** Ann −500, Bo +300, Cy +200")
        await bo.click("Agree")
        assert "it is done" in await cy.click("Agree")
        assert {line.name: line.stack for line in room.now.table.seats} == {"Ann": 9_500, "Bo": 10_300, "Cy": 10_200}
        await room.seen("Everybody agreed to an adjustment")
        assert "Adjusted by everybody's consent" in await room.discord.you.slash("house audit")


async def test_staff_remove_a_player(tmp_path: Path) -> None:
    async with evening(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.seat(ann, bo)
        assert "has been removed" in await room.discord.you.slash("house remove", player=bo)
        assert {line.name for line in room.now.table.seats} == {"Ann"}
        assert "Your chips: 10,000" in await bo.slash("chips balance")
