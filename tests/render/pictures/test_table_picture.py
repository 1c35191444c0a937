"""What a picture of the table shows, seat by seat, from the deal to the result."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import TWO, cards_text, parse_cards
from bot.engine.decide import decide_and_evolve, start
from bot.engine.errors import BrokenInvariant
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.ranking.spec import WildCall
from bot.engine.ranking.value import Category, HandName, is_rarest
from bot.engine.stakes import Stakes
from bot.engine.usual_stakes import usual_stakes
from bot.engine.view.build import view
from bot.engine.view.types import PotView
from bot.pictures.types import Canvas, CardMark, Look, PictureSeat, SeatState, TablePicture
from bot.render import pictures
from bot.render.pictures.moment import moment_began
from bot.render.pictures.table import table_picture
from bot.text.pictures import short_number
from bot.variants import CATALOGUE, game
from tests.render.pictures.random_hands import new_hand, scene_of, states
from tests.render.sample_hands import mid_hand, scene, showdown

DECKS = {
    # dealt one at a time to three seats, then a burn, the flop, a burn, the turn, a burn, the river
    "kings full": "Ks 7c Qh Kh 2d Qs 3c 9c 9s Kd 4c Ah 5c 2h",
}


def drawn(*street: Hand) -> TablePicture:
    """Draw a hand that stood like this before each decision of a street, oldest first."""
    began = moment_began(view(hand, None) for hand in reversed(street))
    picture = table_picture(scene_of(began), Look(), seat_count=6)
    assert picture is not None
    return picture


def seats(picture: TablePicture) -> dict[int, PictureSeat]:
    return {seat.number: seat for seat in picture.seats}


def deal(key: str, stacks: tuple[int, ...], first_cards: str, **stakes: int) -> Hand:
    """Deal a hand with these cards on top of the deck; the dealer sits at the last seat."""
    card = game(key)
    played_for = Stakes(**stakes) if stakes else usual_stakes(card)
    started = HandStarted(
        rule_card=card,
        options=card.options,
        stakes=played_for,
        seat_numbers=tuple(range(1, len(stacks) + 1)),
        stacks=stacks,
        posts=regular_posts(card, card.options, played_for, len(stacks)),
        button_seat_number=len(stacks),
    )
    top = parse_cards(first_cards)
    rest = [card for card in range(52) if card not in top]
    return start(started, (*top, *rest))[1]


def play(hand: Hand, *commands: c.HandCommand) -> Hand:
    for command in commands:
        hand = decide_and_evolve(hand, hand.to_act, command)[1]
    return hand


def test_street_shows_chips_at_the_deal_and_no_live_bet() -> None:
    bet = mid_hand()
    seats_then = tuple(replace(seat, stack=seat.stack + seat.bet, bet=0) for seat in bet.seats)
    turn = replace(bet, seats=seats_then, street_actions=())
    picture = table_picture(scene(moment_began([bet, turn])), Look(), seat_count=9)
    assert picture is not None
    assert (picture.heading, picture.pot, picture.pot_chips, picture.pots) == ("TURN", "POT", "9,450", "")
    assert picture.small_print == "chips at the deal · Hand #1284"
    by_number = seats(picture)
    assert by_number[4] == replace(by_number[2], number=4, name="Ayşe", chips="23,365"), (
        "the bet of 1,025 is back in the stack"
    )
    assert (by_number[5].state, by_number[5].chips) == (SeatState.ALL_IN, "ALL-IN")
    assert (by_number[1].state, by_number[1].chips, by_number[1].cards) == (SeatState.FOLDED, "fold", ())
    assert [seat.number for seat in picture.seats if seat.is_dealer] == [3]
    (board,) = picture.boards
    assert (len(board.cards), board.size) == (4, 5)


def test_blinds_lie_before_their_seats_on_the_first_street() -> None:
    hand = deal("holdem", (5_000, 5_000, 5_000), DECKS["kings full"], small_blind=50, big_blind=100)
    raised = play(hand, c.RaiseTo(300))
    by_number = seats(drawn(hand, raised))
    assert [(by_number[at].chips, by_number[at].bet) for at in (1, 2, 3)] == [
        ("4,950", "50"),
        ("4,900", "100"),
        ("5,000", ""),
    ]
    assert drawn(hand, raised) == drawn(hand), "a raise changes nothing"
    assert (drawn(hand).pot, drawn(hand).pot_chips) == ("", "")


def test_fold_is_seen_from_the_next_street_on() -> None:
    hand = deal("holdem", (5_000, 5_000, 5_000), DECKS["kings full"], small_blind=50, big_blind=100)
    folded = play(hand, c.Fold())
    assert seats(drawn(hand, folded))[3].state is SeatState.IN
    assert len(seats(drawn(hand, folded))[3].cards) == 2
    flop = play(folded, c.Call(), c.Check())
    assert (seats(drawn(hand, folded, flop))[3].state, seats(drawn(flop))[3].cards) == (SeatState.FOLDED, ())


@pytest.mark.law("TL-22")
def test_cards_that_play_are_marked_and_the_rest_dimmed() -> None:
    hand = deal("holdem", (5_000, 5_000, 5_000), DECKS["kings full"], small_blind=50, big_blind=100)
    hand = play(hand, c.Call(), c.Call(), c.Check())
    while not hand.over:
        hand = play(hand, c.Check())
    picture = drawn(hand)
    (winner,) = [seat for seat in picture.seats if seat.won]
    assert (winner.number, winner.won, winner.chips) == (1, "+300", "5,200")
    assert (winner.hand, winner.banners) == ("Full house, kings full of nines", ()), "the board tells the hand"
    assert picture.banners == ("Full house, kings full of nines",)
    (board,) = picture.boards
    shown = {CardMark.PLAYS: "", CardMark.DIMMED: "", CardMark.NONE: ""}
    for card in (*winner.cards, *board.cards):
        assert card.card is not None
        shown[card.mark] += cards_text([card.card])
    assert shown[CardMark.PLAYS] == "KsKh9c9sKd"
    assert shown[CardMark.DIMMED] == "Ah2h"
    assert shown[CardMark.NONE] == ""


def test_hand_that_everybody_folded_shows_no_cards() -> None:
    hand = play(
        deal("holdem", (5_000, 5_000, 5_000), DECKS["kings full"], small_blind=50, big_blind=100), c.Fold(), c.Fold()
    )
    picture = drawn(hand)
    assert picture.heading == "NO SHOWDOWN"
    assert [(seat.number, seat.won) for seat in picture.seats if seat.won] == [(2, "+100")]
    assert all(seat.cards == () for seat in picture.seats)
    assert picture.banners == ()


def test_side_pots_stay_as_they_were_when_the_street_began() -> None:
    hand = deal("holdem", (5_000, 5_000, 500), DECKS["kings full"], small_blind=50, big_blind=100)
    flop = play(hand, c.AllIn(), c.RaiseTo(1_000), c.Call())
    assert (drawn(flop).pot_chips, drawn(flop).pots) == ("2,500", "Main 1,500 · Side 1,000")
    bet = play(flop, c.Bet(400))
    assert drawn(flop, bet) == drawn(flop)
    four = table_picture(
        scene(replace(showdown(), pots=tuple(PotView(chips, ()) for chips in (9_450, 4_100, 120_000, 2_340_000)))),
        Look(),
        seat_count=9,
    )
    assert four is not None
    assert four.pots == "Main 9,450 · Side A 4,100 · Side B 120k · Side C 2.34M"


def test_draw_is_noted_when_it_is_complete() -> None:
    hand = deal("five_card_draw", (5_000, 5_000, 5_000), "")
    hand = play(hand, c.Call(), c.Call(), c.Check())
    first = hand.down_indices[hand.to_act][:2]
    once = play(hand, c.ChooseCards(first))
    assert drawn(hand, once) == drawn(hand), "no picture for each player"
    after = play(once, c.ChooseCards(), c.ChooseCards())
    assert [seats(drawn(after))[at].note for at in (1, 2, 3)] == ["drew 2", "stood pat", "stood pat"]


def test_folded_seat_has_no_note_of_an_earlier_draw() -> None:
    hand = deal("triple_draw_27", (5_000, 5_000, 5_000), "")
    hand = play(hand, c.Call(), c.Call(), c.Check())
    hand = play(hand, c.ChooseCards(), c.ChooseCards(), c.ChooseCards())
    hand = play(hand, c.Check(), c.Bet(100), c.Call(), c.Fold(), c.ChooseCards(), c.ChooseCards())
    shown = {seat.state: seat.note for seat in drawn(hand).seats if seat.state is not SeatState.AWAY}
    assert shown == {SeatState.IN: "stood pat", SeatState.FOLDED: ""}


def test_stud_shows_open_cards_and_the_number_of_hidden_ones() -> None:
    hand = deal("stud", (5_000, 5_000, 5_000), "")
    for seat in drawn(hand).seats[:3]:
        assert [card.card is None for card in seat.cards] == [True, True, False]
        assert seat.hidden_count == 2
    bring_in = view(hand, None).legal_to_act
    assert bring_in is not None
    folded = play(hand, c.Bet(bring_in.bring_in), c.Fold())
    assert drawn(hand, folded) == drawn(hand), "open cards lie there as long as the street lasts"


def test_who_is_not_in_the_hand_is_away_or_waits() -> None:
    shown = scene(mid_hand())
    people = {**shown.people, 10: shown.people[1]}
    view_without_first = replace(mid_hand(), seats=mid_hand().seats[1:], pots=(), to_act=-1, legal_to_act=None)
    view_without_first = replace(
        view_without_first,
        seats=tuple(replace(seat, seat_index=at) for at, seat in enumerate(view_without_first.seats)),
        street_actions=(),
    )
    picture = table_picture(replace(shown, view=view_without_first, people=people), Look(), seat_count=10, away={1})
    assert picture is not None
    assert (seats(picture)[1].state, seats(picture)[1].chips) == (SeatState.AWAY, "away")
    assert (seats(picture)[10].state, seats(picture)[10].chips) == (SeatState.AWAY, "waiting")


@pytest.mark.parametrize("key", ["holdem", "stud8", "triple_draw_27", "double_board_omaha", "anaconda_hilo"])
def test_running_hand_is_a_strip_and_its_result_is_not(key: str) -> None:
    """Hands that are turned up are looked at, so they are drawn as large as the result; so is every step of a replay."""
    drawn_on = set()
    for seed in range(4):
        dice = random.Random(f"strip {key} {seed}")
        for state in states(new_hand(game(key), dice), dice):
            seen = view(state, None)
            picture = table_picture(scene_of(seen), Look(), seat_count=10)
            step = table_picture(scene_of(seen), Look(), seat_count=10, moment="Ann bets")
            assert picture is not None and step is not None
            assert picture.canvas is (Canvas.FULL if seen.over or seen.showdown else Canvas.STRIP)
            assert picture.canvas is Canvas.FULL or not picture.banners
            assert step.canvas is Canvas.FULL
            drawn_on.add(picture.canvas)
    assert drawn_on == set(Canvas)


def test_larger_table_has_no_picture() -> None:
    assert table_picture(scene(mid_hand()), Look(), seat_count=11) is None


@pytest.mark.law("TL-37")
def test_player_s_own_view_is_never_drawn() -> None:
    with pytest.raises(BrokenInvariant):
        table_picture(scene(replace(mid_hand(), viewer=3)), Look(), seat_count=9)


@pytest.mark.law("TL-23")
def test_both_halves_of_a_pot_are_named() -> None:
    """A high-low hand has a banner for each half that was won, and the cards of both halves play."""
    met = 0
    for seed in range(30):
        dice = random.Random(f"halves {seed}")
        *_, final = states(new_hand(game("omaha8"), dice), dice)
        seen = view(final, None)
        shares = {payment.share for payment in seen.payments if payment.pot_index == 0}
        picture = table_picture(scene_of(seen), Look(), seat_count=10)
        assert picture is not None
        if shares == {"high", "low"}:
            met += 1
            high, low = picture.banners
            assert high.startswith("High: ")
            assert low.startswith("Low: ")
            for seat in picture.seats:
                playing = [card for card in seat.cards if card.mark is CardMark.PLAYS]
                assert len(playing) in ((2, 3, 4) if seat.won else (0,))
    assert met >= 3


@pytest.mark.law("TL-23")
def test_winners_without_a_board_have_their_hands_before_them() -> None:
    """Each half of a stud high-low pot is told at the seat that won it, both where one wins both."""
    met = set()
    for seed in range(40):
        dice = random.Random(f"stud halves {seed}")
        *_, final = states(new_hand(game("stud8"), dice), dice)
        picture = table_picture(scene_of(view(final, None)), Look(), seat_count=10)
        assert picture is not None
        told = [words for seat in picture.seats for words in seat.banners]
        assert all(seat.won for seat in picture.seats if seat.banners)
        assert set(picture.banners) <= set(told)
        met |= {len(seat.banners) for seat in picture.seats if seat.won}
    assert {1, 2} <= met


@pytest.mark.parametrize(
    ("deck", "hand_in_words", "is_rare"),
    [
        ("Ks 7c Qh Kh 2d Qs 3c 9c 9s Kd 4c Ah 5c 2h", "Full house, kings full of nines", False),
        ("Ks 7c Qh Kh 2d Qs 3c 9c 9s Kd 4c Kc 5c 2h", "Four of a kind, kings", True),
        ("As 7c Qh Ks 2d Qd 3c Qs Js Ts 4c Ah 5c 2h", "Royal flush", True),
    ],
)
def test_rarest_hands_have_a_frame_of_their_own(deck: str, hand_in_words: str, is_rare: bool) -> None:
    hand = play(deal("holdem", (5_000, 5_000, 5_000), deck, small_blind=50, big_blind=100), c.Call(), c.Call())
    assert not drawn(hand).is_rare
    while not hand.over:
        hand = play(hand, c.Check())
    assert (drawn(hand).banners, drawn(hand).is_rare) == ((hand_in_words,), is_rare)


def test_quads_are_no_rarity_among_wild_cards_or_for_low() -> None:
    fours = HandName(Category.FOUR_OF_A_KIND, (TWO,))
    assert is_rarest(fours, with_wild_cards=False)
    assert not is_rarest(fours, with_wild_cards=True)
    assert is_rarest(HandName(Category.FIVE_OF_A_KIND, (TWO,)), with_wild_cards=True)
    assert not is_rarest(HandName(Category.STRAIGHT_FLUSH, (TWO,), is_low=True), with_wild_cards=False)
    assert not is_rarest(HandName(Category.BADUGI, (TWO,)), with_wild_cards=False)


def test_wild_cards_carry_the_star() -> None:
    starred = 0
    for seed in range(6):
        dice = random.Random(f"wild {seed}")
        *_, final = states(new_hand(game("deuces_wild"), dice), dice)
        picture = table_picture(scene_of(view(final, None)), Look(), seat_count=10)
        assert picture is not None
        for card in (card for seat in picture.seats for card in seat.cards if card.card is not None):
            assert card.is_wild == (card.card is not None and card.card >> 2 == 0)
            starred += card.is_wild
    assert starred


@pytest.mark.law("W-7")
def test_declared_wild_card_says_what_it_stands_for() -> None:
    card = game("deuces_wild")
    card = replace(card, options=replace(card.options, wild_call=WildCall.DECLARE))
    named = 0
    for seed in range(40):
        dice = random.Random(f"declared {seed}")
        for state in states(new_hand(card, dice), dice):
            seen = view(state, None)
            picture = table_picture(scene_of(seen), Look(), seat_count=10)
            assert picture is not None
            shown = [one for seat in picture.seats for one in seat.cards if one.stands_for is not None]
            assert state.over or not shown, "what is announced one after another is shown with the result"
            assert all(one.is_wild and one.card is not None and one.card >> 2 == TWO for one in shown)
            announced = {meaning for seat in seen.seats for _, meaning in seat.designations}
            assert {one.stands_for for one in shown} <= announced
            named += len(shown)
    assert named


@pytest.mark.parametrize(
    ("chips", "written"),
    [
        (0, "0"), (9_450, "9,450"), (99_999, "99,999"), (100_000, "100k"), (123_999, "123k"), (999_999, "999k"),
        (1_000_000, "1M"), (1_234_567, "1.23M"), (1_200_000, "1.2M"), (12_345_678, "12.3M"), (123_456_789, "123M"),
        (1_234_567_890, "1,234M"),
    ],
)  # fmt: skip
def test_numbers_are_short(chips: int, written: str) -> None:
    assert short_number(chips) == written


def test_no_game_is_known_by_its_name() -> None:
    names = {word.lower() for card in CATALOGUE for word in (card.key, card.name, *card.aliases, card.family)}
    names -= {"draw"}  # a stage of many games
    for path in Path(pictures.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value.lower() not in names, f"{path.name} names {node.value}"
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("game", "family", "rule_card"), f"{path.name} asks for the game"
