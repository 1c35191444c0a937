"""What a table asks for between two deals: shown where its options ask for it, and within Discord's limits at the worst."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine.mixes import Bomb, BombWhen, Change, Game
from bot.engine.options import Cut, FirstDealer
from bot.engine.usual import usual_stakes
from bot.render import ceremonies, lobby, mixing
from bot.render.cards import SIGNS
from bot.render.limits import check, form_faults
from bot.render.panel import LOBBY, Panel, Text
from bot.render.plain import plain
from bot.render.proposals import proposed_lines
from bot.table.events import ButtonDrawn, ReplayDropped
from bot.table.house_games import HouseGame
from bot.table.state import Exchange, Lot, Mixed, Proposal, Replay
from bot.table.view import TableView
from bot.variants import CATALOGUE, compose, game
from tests.render.test_lobby import SETTINGS, seat, table

PLAIN = (seat(1, "Mia", 10_000), seat(2, "Bo", 10_000), seat(3, "Cy", 10_000))


def shown(view: TableView, exchange: Exchange | None = None) -> str:
    return plain(check(Panel(LOBBY, (Text("Table"), *ceremonies.between_blocks(77, view, exchange, SIGNS)))))


def ruled(**options: Any) -> Any:
    return replace(SETTINGS, options=replace(SETTINGS.options, **options))


def test_a_plain_table_asks_for_nothing() -> None:
    assert ceremonies.between_blocks(77, table(*PLAIN, next_hand_at=5_000), None, SIGNS) == []


def test_the_cut_is_asked_of_the_right_hand_player_until_the_deal() -> None:
    view = table(*PLAIN, settings=ruled(cut=Cut.MUST), drawn_button=2, next_hand_at=6_000)
    assert "▶ **Mia** cuts the pack <t:6:R>" in shown(view)
    assert "Cut…" in shown(view) and "[Shuffle]" in shown(view)


def test_cards_that_were_cut_for_the_deal_are_told() -> None:
    view = table(*PLAIN, settings=ruled(first_dealer=FirstDealer.LOW_CUT), lots=(Lot(1, 17, 51),))
    assert "the lowest card deals. Mia `A♠`" in shown(view)


@pytest.mark.law("TL-29")
def test_who_waits_for_the_end_of_a_replay_is_named() -> None:
    said = shown(table(*PLAIN, next_hand_at=6_000, replay=Replay(players=(PLAIN[0].player, PLAIN[2].player))))
    assert "The deal is played again: same players, the button stays · **Bo** joins at the next hand after it" in said
    both = shown(table(*PLAIN, seat(4, "x_x", 500), replay=Replay(players=(PLAIN[0].player, PLAIN[1].player))))
    assert r"**Cy** and **x\_x** join at the next hand after it · Law TL-29" in both
    view = table(*PLAIN, replay=Replay(players=(PLAIN[0].player, PLAIN[2].player)))
    waits = lobby.seated_panel(77, view, view.seats[1], by_dm=True)
    assert "you join at the next hand after it" in plain(check(waits))
    assert "an ordinary one" in ceremonies.told((ReplayDropped(),), {}, {}, SIGNS)


def test_the_worst_that_may_be_asked_at_once_fits_a_message() -> None:
    """Fourteen long names, twenty-five games to choose from, a cut, a bomb pot and an exchange of seats."""
    cards = [card for card in CATALOGUE if len(card.name) > 12][:25]
    rotation = compose("A mixture of very many games", cards, 100, Change.CHOICE)
    card = game("holdem+bomb")
    settings = replace(
        SETTINGS,
        rotation=rotation,
        bomb=Bomb(Game(card, card.options, usual_stakes(card))),
        options=replace(SETTINGS.options, cut=Cut.MUST, max_seats=14),
    )
    people = [seat(number, f"{number}" + "_" * 30, 10_000) for number in range(1, 15)]
    view = table(
        *people, settings=settings, drawn_button=2, next_hand_at=6_000, mixed=Mixed(chooser=4, due=9_000, deals=1)
    )
    said = shown(view, Exchange(101, 102, 7_000))
    assert "chooses the next game" in said and "cuts the pack" in said and "exchange seats" in said


def test_forms_and_lists_fit_their_limits() -> None:
    assert not form_faults(ceremonies.cut_form(77, 3, 5, 53)) and not form_faults(ceremonies.lot_form(77, 3, 5, 53))
    assert not form_faults(mixing.games_form(77, 3, "A game" * 40, 5))
    for choice in mixing.mix_choices(replace(SETTINGS, rotation=compose("Mix", CATALOGUE[:25]))):
        assert len(choice.values) <= 25


@pytest.mark.law("H-2", "VC-29")
@pytest.mark.parametrize(
    ("when", "key", "words"),
    [
        (BombWhen.VOTE, "bomb_pot", " · bomb pot by vote"),
        (BombWhen.LAP, "bomb_pot", " · bomb pot once a lap"),
        (BombWhen.VOTE, "holdem + bomb + double board", " · bomb pot by vote, two boards"),
        (BombWhen.LAP, "holdem + bomb + double board", " · bomb pot once a lap, two boards"),
        (None, "", ""),
    ],
)
def test_a_saved_house_game_says_its_bomb_pot(when: BombWhen | None, key: str, words: str) -> None:
    bomb = Bomb(Game(card := game(key), card.options, usual_stakes(card)), when) if when is not None else None
    saved = HouseGame("Friday", replace(SETTINGS, bomb=bomb), 101, 1)
    assert f"**Friday** No-Limit Hold'em 50/100{words} · by <@101>" in plain(check(mixing.house_games_panel((saved,))))
    assert plain(check(mixing.house_game_panel(saved))).startswith(
        f"Saved: **Friday**, No-Limit Hold'em 50/100{words}. `/table open`"
    )


def test_a_claimed_misdeal_says_who_and_how_many() -> None:
    blocks = ceremonies.claim_blocks(77, table(*PLAIN), (101, 102), (101, 102, 103, -5))
    assert "**Mia, Bo** say that this deal was irregular (2 of 3)" in plain(check(Panel(LOBBY, tuple(blocks))))


def test_a_proposal_says_what_it_would_change() -> None:
    other = replace(SETTINGS, options=replace(SETTINGS.options, cut=Cut.MUST))
    view = table(*PLAIN, proposal=Proposal(101, 1, other, (), (101,)))
    assert proposed_lines(view) == ("Cut: may → **must**",)


@pytest.mark.parametrize("at", [2, 3, 14, 52])
def test_who_deals_first_is_told_on_one_short_line(at: int) -> None:
    """However many cards were drawn: two or three by name, of more the one that decided."""
    seats = {number: f"Player number {number}" for number in range(1, 15)}
    cards = tuple((place % min(at, 14) + 1, place) for place in range(at))
    line = ceremonies.told((ButtonDrawn(cards, cards[-1][0]),), {}, seats, SIGNS)
    assert line.startswith("First deal: ")
    assert line.endswith(f" · {seats[cards[-1][0]]} deals")
    assert len(line) <= 120
    assert SIGNS.one(cards[-1][1]) in line
    assert (f"of {at} cards drawn" in line) is (at > 3)
