"""The ceremonies between two hands are shown where the table's options ask for them, and keep Discord's limits at the worst."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine.mixes import BombPot, BombPotTrigger, Game, RotationChange
from bot.engine.options.values import Cut, FirstDealer
from bot.engine.usual_stakes import usual_stakes
from bot.render.message.panel import LOBBY, Panel, Text
from bot.render.table import ceremonies, lobby, mixed_games
from bot.render.table.proposals import proposal_text
from bot.table.events import ButtonDrawn, ReplayCancelled
from bot.table.house_games import HouseGame
from bot.table.state import FirstDealLot, Proposal, ReplaySetup, RotationState, SeatExchange
from bot.table.view import TableView
from bot.text.cards import SIGNS
from bot.text.ceremonies import ceremony_text
from bot.variants import CATALOGUE, compose_rotation, game
from tests.render.test_lobby import SETTINGS, seat, table
from tests.support.message_limits import form_faults, within_limits
from tests.support.panel_text import panel_as_text

PLAIN = (seat(1, "Mia", 10_000), seat(2, "Bo", 10_000), seat(3, "Cy", 10_000))


def shown(view: TableView, exchange: SeatExchange | None = None) -> str:
    return panel_as_text(
        within_limits(Panel(LOBBY, (Text("Table"), *ceremonies.between_hands_blocks(77, view, exchange, SIGNS))))
    )


def table_with_ceremonies(**options: Any) -> Any:
    return replace(SETTINGS, options=replace(SETTINGS.options, **options))


def test_a_plain_table_asks_for_nothing() -> None:
    assert ceremonies.between_hands_blocks(77, table(*PLAIN, next_hand_at=5_000), None, SIGNS) == []


def test_right_hand_player_is_asked_to_cut_until_the_deal() -> None:
    view = table(*PLAIN, settings=table_with_ceremonies(cut=Cut.MUST), drawn_button_seat=2, next_hand_at=6_000)
    assert "▶ **Mia** cuts the deck <t:6:R>" in shown(view)
    assert "Cut…" in shown(view) and "[Shuffle]" in shown(view)


def test_nobody_is_asked_while_a_practice_player_cuts() -> None:
    seats = (seat(1, "Robo", 10_000, practice=True), *PLAIN[1:])
    view = table(*seats, settings=table_with_ceremonies(cut=Cut.MUST), drawn_button_seat=2, next_hand_at=6_000)
    assert shown(view) == "Table"


def test_cards_cut_for_the_deal_are_listed() -> None:
    view = table(
        *PLAIN,
        settings=table_with_ceremonies(first_dealer=FirstDealer.LOW_CUT),
        first_deal_lots=(FirstDealLot(1, 17, 51),),
    )
    assert "the lowest card deals. Mia `A♠`" in shown(view)


@pytest.mark.law("TL-29")
def test_players_waiting_for_a_replay_are_named() -> None:
    said = shown(table(*PLAIN, next_hand_at=6_000, replay=ReplaySetup(players=(PLAIN[0].player, PLAIN[2].player))))
    assert "The hand is played again: same players, same button · **Bo** joins after it · Law TL-29" in said
    both = shown(table(*PLAIN, seat(4, "x_x", 500), replay=ReplaySetup(players=(PLAIN[0].player, PLAIN[1].player))))
    assert r"**Cy** and **x\_x** join after it · Law TL-29" in both
    view = table(*PLAIN, replay=ReplaySetup(players=(PLAIN[0].player, PLAIN[2].player)))
    waits = lobby.seated_panel(77, view, view.seats[1], by_dm=True)
    assert "You join after it." in panel_as_text(within_limits(waits))
    assert "The next one is an ordinary hand" in ceremony_text((ReplayCancelled(),), {}, {}, SIGNS)


def test_all_ceremonies_at_once_fit_one_message() -> None:
    """There are fourteen long names, twenty-five games to choose from, a cut, a bomb pot and an exchange of seats."""
    cards = [card for card in CATALOGUE if len(card.name) > 12][:25]
    rotation = compose_rotation("A mixture of very many games", cards, 100, RotationChange.DEALERS_CHOICE)
    card = game("holdem+bomb")
    settings = replace(
        SETTINGS,
        rotation=rotation,
        bomb_pot=BombPot(Game(card, card.options, usual_stakes(card))),
        options=replace(SETTINGS.options, cut=Cut.MUST, max_seats=14),
    )
    people = [seat(number, f"{number}" + "_" * 30, 10_000) for number in range(1, 15)]
    view = table(
        *people,
        settings=settings,
        drawn_button_seat=2,
        next_hand_at=6_000,
        rotation_state=RotationState(chooser_seat=4, choice_due_at=9_000, hands_dealt=1),
    )
    said = shown(view, SeatExchange(101, 102, 7_000))
    assert "is choosing the next game" in said and "cuts the deck" in said and "exchange seats" in said


def test_forms_and_lists_fit_their_limits() -> None:
    assert not form_faults(ceremonies.cut_form(77, 3, 5, 53)) and not form_faults(
        ceremonies.cut_for_deal_form(77, 3, 5, 53)
    )
    assert not form_faults(mixed_games.games_form(77, 3, "A game" * 40, 5))
    for choice in mixed_games.mixed_game_choices(replace(SETTINGS, rotation=compose_rotation("Mix", CATALOGUE[:25]))):
        assert len(choice.options) <= 25


@pytest.mark.law("H-2", "VC-29")
@pytest.mark.parametrize(
    ("when", "key", "words"),
    [
        (BombPotTrigger.VOTE, "bomb_pot", " · bomb pot when everyone asks"),
        (BombPotTrigger.LAP, "bomb_pot", " · bomb pot once a round"),
        (BombPotTrigger.VOTE, "holdem + bomb + double board", " · bomb pot when everyone asks, two boards"),
        (BombPotTrigger.LAP, "holdem + bomb + double board", " · bomb pot once a round, two boards"),
        (None, "", ""),
    ],
)
def test_saved_house_game_shows_its_bomb_pot(when: BombPotTrigger | None, key: str, words: str) -> None:
    bomb = BombPot(Game(card := game(key), card.options, usual_stakes(card)), when) if when is not None else None
    saved = HouseGame("Friday", replace(SETTINGS, bomb_pot=bomb), 101, 1)
    assert f"**Friday** No-Limit Hold'em 50/100{words} · by <@101>" in panel_as_text(
        within_limits(mixed_games.house_games_panel((saved,)))
    )
    assert panel_as_text(within_limits(mixed_games.house_game_panel(saved))).startswith(
        f"Saved: **Friday**, No-Limit Hold'em 50/100{words}. `/play`"
    )


def test_misdeal_claim_names_and_counts_its_claimants() -> None:
    blocks = ceremonies.misdeal_claim_blocks(77, table(*PLAIN), (101, 102), (101, 102, 103, -5))
    assert "**Mia and Bo** say that this hand was dealt wrong (2 of 3)" in panel_as_text(
        within_limits(Panel(LOBBY, tuple(blocks)))
    )


def test_proposal_lists_its_changes() -> None:
    other = replace(SETTINGS, options=replace(SETTINGS.options, cut=Cut.MUST))
    view = table(*PLAIN, proposal=Proposal(101, 1, other, (), (101,)))
    assert proposal_text(view) == "Proposed: Cutting the deck: optional → **required**"


@pytest.mark.parametrize("at", [2, 3, 14, 52])
def test_first_dealer_is_announced_on_one_short_line(at: int) -> None:
    """Two or three drawn cards are named; of more, only the one that decided."""
    seats = {number: f"Player number {number}" for number in range(1, 15)}
    cards = tuple((place % min(at, 14) + 1, place) for place in range(at))
    line = ceremony_text((ButtonDrawn(cards, cards[-1][0]),), {}, seats, SIGNS)
    assert line.startswith("First deal: ")
    name, card = seats[cards[-1][0]], SIGNS.write_one(cards[-1][1])
    assert line.endswith(f" · {name} deals" if at <= 3 else f": {name} drew {card} and deals")
    assert len(line) <= 120
    assert SIGNS.write_one(cards[-1][1]) in line
    listed = sum(SIGNS.write_one(card) in line for _, card in cards)
    assert listed == (at if at <= 3 else 1)
