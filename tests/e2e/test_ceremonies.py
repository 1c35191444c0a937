"""People carry out the ceremonies of the old books: cutting, drawing, choosing the game, agreeing that a hand was misdealt."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.play_by_buttons import play_hand
from tests.support.discord_double import Player


def who(room: BotSession, seat: int, *players: Player) -> Player:
    """Return the player in a seat."""
    line = next(line for line in room.now.table.seats if line.number == seat)
    return next(player for player in players if int(player.me["id"]) == line.player)


async def play(room: BotSession, *players: Player) -> None:
    await room.next_hand()
    await play_hand(room, list(players), random.Random(room.now.hand_number))


@pytest.mark.law("D-5", "D-6", "D-7")
async def test_the_right_hand_player_cuts_before_the_deal(tmp_path: Path) -> None:
    """Basic draw requires the cut. Its player gets a button with a deadline. A thin packet, another player and a second cut are refused."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy, game="basic_draw")
        await play(room, *people)
        await room.wait_for_text("cuts the deck")
        right = who(room, room.now.table.deck.cutter_seat, *people)
        other = next(player for player in people if player is not right)
        menu = await other.click("Cut…")
        assert "'s turn to cut.\nYou're in seat" in menu and "[Leave]" in menu
        await right.click("Cut…")
        assert "Leave at least 5 cards in each packet" in await right.submit({"Cards from the top": "3"})
        await right.click("Cut…")
        assert "You cut the deck at 12 and 30" in await right.submit({"Cards from the top": "30 12"})
        await room.wait_for_text("has cut the deck at 12 and 30")
        assert "The deck has already been cut." in await other.fill_in("table", page="cut", at="20")
        await room.next_hand()
        await room.wait_for_text(f"{right.name} cut the deck at 12 and 30")
        assert "the cards are out." in await right.fill_in("table", page="cut", at="20")
        await play_hand(room, people, random.Random(5))


@pytest.mark.law("D-3", "D-6", "D-12")
async def test_plain_holdem_table_hides_ceremonies_but_allows_them(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy)
        await play(room, *people)
        await room.wait_for_text("Next hand")
        labels = {label for player in people for label in player.buttons()}
        assert not labels & {"Cut…", "Shuffle", "Draw for first deal", "Bomb pot"}
        right = who(room, room.now.table.deck.cutter_seat, *people)
        other = next(player for player in people if player is not right)
        assert "shuffled 1 extra time" in await other.slash("table", page="shuffle")
        assert "'s turn to cut." in await other.fill_in("table", page="cut", at="20")
        assert "You pass on the cut" in await right.slash("table", page="nocut")
        assert "You cut the deck at 20" in await other.fill_in("table", page="cut", at="20")
        assert "The deck has already been cut." in await right.slash("table", page="shuffle")
        assert "you can't pass up the deal" in (await other.slash("table", page="skip")).lower()
        await room.next_hand()
        await room.wait_for_text("cut the deck at 20")


@pytest.mark.law("D-6")
async def test_cut_is_taken_over_by_whoever_asks_nearer_the_right(tmp_path: Path) -> None:
    """The player at the dealer's right passes. The dealer asks to cut at 20, then the third player at 30: the deck is cut at 30."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people)
        await play(room, *people)
        await room.wait_for_text("Next hand")
        seat = room.now.table.deck.cutter_seat
        right, dealer, third = (who(room, (seat - 1 + at) % 3 + 1, *people) for at in range(3))
        await right.slash("table", page="nocut")
        assert "You cut the deck at 20" in await dealer.fill_in("table", page="cut", at="20")
        assert "You cut the deck at 30" in await third.fill_in("table", page="cut", at="30")
        assert "The deck has already been cut." in await dealer.fill_in("table", page="cut", at="40")
        await room.next_hand()
        await room.wait_for_text(f"{third.name} cut the deck at 30")


@pytest.mark.law("D-1")
async def test_the_first_jack_deals(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, game="basic_draw")
        await room.wait_for_text("The player who is dealt the first jack deals first.")
        drawn = await bo.click("Draw for first deal")
        assert "First deal: " in drawn and "deals" in drawn
        assert "first dealer has already been drawn" in await ann.slash("table", page="first")
        await room.next_hand()
        dealer = room.now.players_by_seat[room.now.table.button_seat].name
        assert f"{dealer} deals" in drawn or f"{dealer} drew" in drawn


@pytest.mark.law("D-2")
async def test_the_lowest_cut_deals_at_old_english_draw(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, game="old_english_draw")
        await room.wait_for_text("the lowest card deals")
        await ann.click("Cut for first deal…")
        assert "You cut for the first deal" in await ann.submit({"Which card, from the top": "17"})
        assert "Someone has already cut there." in await bo.fill_in("table", page="lot", at=17)
        await room.wait_for_text("Cut for the first deal: the lowest card deals. Ann")
        assert "You cut" in await bo.fill_in("table", page="lot", at=18)
        await room.next_hand()
        assert room.now.table.button_seat in {1, 2}


@pytest.mark.law("TL-29", "I-2")
async def test_everybody_agrees_that_the_deal_was_wrong(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy, eve = await room.people("Ann", "Bo", "Cy", "Eve")
        people = ann, bo, cy
        await room.open_and_sit(ann, bo, cy)
        await room.next_hand()
        button = room.now.table.button_seat
        assert "The deck is whole. The hand won't count if everyone dealt in agrees" in await ann.slash(
            "table", page="misdeal"
        )
        await room.wait_for_text("this hand was dealt wrong (1 of 3)")
        assert "You're not at this table.\n[Take a seat]" in await eve.click("Misdeal")
        await bo.click("Misdeal")
        assert "the hand doesn't count" in await cy.slash("table", page="misdeal")
        assert {line.stack for line in room.now.table.seats} == {10_000}
        await room.wait_for_text("The hand is played again: same players, same button")
        assert "You join after it" in await eve.slash("sit", chips="10k")
        await room.wait_for_text("**Eve** joins after it")
        await room.next_hand()
        assert room.now.table.button_seat == button, "the same dealer deals it again"
        assert len(room.now.dealt_users) == 3, "and to nobody else"
        await room.act("Call", *people)
        await room.act("Call", *people)
        assert "Law TL-29" in await ann.slash("table", page="misdeal")
        assert room.now.hand_running


@pytest.mark.law("VC-28", "TL-41")
async def test_the_dealer_chooses_the_game_or_the_default_is_dealt(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, visitor = await room.people("Ann", "Bo", "Cy")
        people = ann, bo
        await room.open_and_sit(ann, bo, game="holdem / razz / badugi", change="choice")
        await room.wait_for_text("is choosing the next game")
        mixed = room.now.table.rotation
        assert mixed is not None
        chooser = who(room, mixed.chooser_seat, *people)
        other = bo if chooser is ann else ann
        assert "'s turn to choose the game." in await other.fill_in("table", page="next", game="Limit Razz")
        menu = await other.select("Choose the next game…", "Limit Razz")
        assert "'s turn to choose the game.\nYou're in seat" in menu and "[Leave]" in menu
        assert "You're not at this table.\n[Take a seat]" in await visitor.select("Choose the next game…", "Limit Razz")

        refused = {"message": "Missing Permissions", "code": 50013}
        ended = {"message": "Invalid Webhook Token", "code": 50027}
        room.discord.fails("PATCH", r"/webhooks/.*", status=401, body=ended)  # neither by a click's token
        room.discord.fails("PATCH", r"/channels/\d+/messages/\d+", status=403, body=refused)  # nor by the bot's own
        assert "The next game is **Limit Razz**" in await chooser.select("Choose the next game…", "Limit Razz")
        await room.wait_until_idle()
        assert "[Choose the next game" in other.screen(), "the table could not be redrawn"
        await other.select("Choose the next game…", "Limit Badugi")
        await other.until("Nobody is choosing a game right now.")
        assert "[Choose the next game" not in other.screen(), "the click on the outdated drawing has redrawn it"
        await play(room, *people)
        assert room.now.settings.rule_card.key == "razz"
        await room.wait_for_text(f"**{other.name}** is choosing the next game")
        await room.next_hand()
        assert room.now.settings.rule_card.key == "holdem", "nobody chose: the first of the list"


@pytest.mark.law("VC-29")
async def test_a_bomb_pot_is_voted_by_all(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = people = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, bomb="vote.2")
        await room.wait_for_text("[Bomb pot]")
        assert "You ask for a bomb pot" in await ann.click("Bomb pot")
        await room.wait_for_text("[Bomb pot 1/2]")
        assert "the next hand is a bomb pot" in await bo.click("Bomb pot 1/2")
        await room.wait_for_text("The next hand is a bomb pot")
        await room.next_hand()
        view = room.now.hand
        assert view is not None and view.street == "flop" and len(view.boards) == 2
        await room.check_down(*people)
        await room.next_hand()
        assert room.now.hand is not None and room.now.hand.street == "pre-flop"


@pytest.mark.law("P-8", "P-10", "P-11", "P-12")
async def test_seats_are_drawn_exchanged_and_given_to_a_substitute(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy, dee = await room.people("Ann", "Bo", "Cy", "Dee")
        await room.open_and_sit(ann, bo, cy)
        assert "yours is seat 5" in await ann.fill_in("table", page="choose", seat=5)
        assert "Before seats are drawn" in await bo.fill_in("table", page="choose", seat=4)
        assert "Seats are drawn" in await cy.slash("table", page="seats")
        assert room.now.table.seats[-1].name == "Ann" and room.now.table.seats[-1].number == 5
        places = {line.name: line.number for line in room.now.table.seats}
        assert "Asked" in await bo.fill_in("table", page="exchange", seat=places["Cy"])
        await room.wait_for_text("**Bo** asks **Cy** to exchange seats")
        assert "had time to object" in await cy.click("Exchange seats")
        await room.wait_for_text("[Object]")
        await room.next_hand()
        assert {line.name: line.number for line in room.now.table.seats} == places, "not during a hand"
        await room.check_down(ann, bo, cy)
        await room.next_hand()
        after = {line.name: line.number for line in room.now.table.seats}
        assert (after["Bo"], after["Cy"]) == (places["Cy"], places["Bo"])
        await room.check_down(ann, bo, cy)
        assert "Seats were drawn within the hour." in await bo.slash("table", page="seats")
        assert "can take your seat" in await bo.fill_in("table", page="substitute", player=dee)
        assert "You can take only the seat kept for you" in await dee.slash("sit", seat=9)
        assert f"You're in seat {after['Bo']}" in await dee.slash("sit")


@pytest.mark.law("H-3")
async def test_an_adjustment_is_made_once_everybody_agrees(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy)
        assert "only among players who were in one hand here" in await ann.fill_in(
            "table", page="adjust", changes="Ann -5 Bo +5"
        )
        stack_next_deck(room, no_two_tie(3))
        await room.next_hand()
        player = room.to_act(ann, bo, cy)
        assert player is not None
        await player.slash("raise", to="600")
        await room.check_down(ann, bo, cy)
        before = {line.name: line.stack for line in room.now.table.seats}
        winner, *losers = sorted((ann, bo, cy), key=lambda one: -before[one.name])
        won, one, other = winner.name, losers[0].name, losers[1].name
        assert f"{one} can get at most 1,800" in await ann.fill_in(
            "table", page="adjust", changes=f"{won} -1900 {one} +1900"
        )
        assert f"{other} can give at most 0" in await ann.fill_in(
            "table", page="adjust", changes=f"{other} -100 {one} +100"
        )
        assert "doesn't have that many" in await ann.fill_in("table", page="adjust", changes=f"{won} -50k {one} +50k")
        assert "off by 100" in await ann.fill_in("table", page="adjust", changes=f"{won} -500 {one} +300 {other} +100")
        assert "doesn't name a player here" in await ann.fill_in("table", page="adjust", changes=f"{won} -500 Zoe +500")
        mentioned = [f"<@{who.me['id']}>" for who in (winner, *losers)]
        changes = f"{mentioned[0]} -500 {mentioned[1]} +300 {mentioned[2]} +200"
        proposed = f"{won} −500, {one} +300, {other} +200"
        assert f"Proposed: {proposed}. It's done once" in await winner.fill_in("table", page="adjust", changes=changes)
        await room.wait_for_text(f"{won} proposes to correct the stacks:** {proposed}")
        await losers[0].click("Agree")
        assert "it's done" in await losers[1].click("Agree")
        changed = {won: -500, one: 300, other: 200}
        assert {line.name: line.stack - before[line.name] for line in room.now.table.seats} == changed
        await room.wait_for_text("Everyone agreed to correct the stacks")
        you = room.discord.you
        assert "Stacks corrected, as everyone agreed" in await you.slash("house", page="books")
        assert "No stacks were corrected" in await room.late_click(you, you.visible()[-1], "p:house:adjusted:1"), (
            "before"
        )


async def test_staff_remove_a_player(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        assert "has left the table" in await room.discord.you.fill_in("house", page="remove", player=bo, why="")
        assert {line.name for line in room.now.table.seats} == {"Ann"}
        assert "Your chips: 10,000" in await bo.slash("me", page="chips")
