"""The laws of the showdown: who shows, who can see, who is paid (A11, Q, TL-20 to TL-23, TL-43)."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.cards import card_text
from bot.engine.decide import decide_and_evolve
from bot.engine.options.values import LowScale
from bot.engine.ranking import Category, Ranking, Scale
from bot.engine.ranking.layout import hand_layout
from bot.engine.refusals import (
    AlreadyShown,
    HandOver,
    MustShow,
    NotDealtIn,
    NothingToDesignate,
    NotYourCard,
    ShowsFirst,
    WaitUntilTheEnd,
    WholeHandIsShown,
)
from bot.engine.rule_card import Share
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.stakes import Stakes
from bot.variants.holdem import LIMIT_HOLDEM
from tests.support.told import Told, deal

THREE = {"Ann": 1000, "Bo": 1000, "Cy": 1000}
ACES, KINGS, QUEENS = "As Ad", "Ks Kd", "Qs Qd"
DULL = "2c 7d 8h 3s 4c"


def at_the_river(*, ask: bool = True, cards: dict[str, str] | None = None, **options: object) -> Told:
    """Return a hand of three players at 5/10, checked down to the river. Ann acts first there."""
    hand = deal(
        "no-limit hold'em 5/10",
        button="Cy",
        stacks=THREE,
        cards=cards or {"Ann": KINGS, "Bo": ACES, "Cy": QUEENS},
        board=DULL,
        options=options,
        ask_show=ask,
    )
    hand.play("Cy calls", "Ann calls", "Bo checks")
    for _ in range(2):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    return hand


@pytest.mark.law("Z-1")
def test_where_all_show_every_live_hand_is_turned_up() -> None:
    hand = at_the_river(show="all")
    hand.play("Ann checks", "Bo bets 10", "Cy calls", "Ann calls")
    assert sorted(hand.shown) == ["Ann", "Bo", "Cy"]
    assert hand.wins == {"Bo": 60}


@pytest.mark.law("Z-1", "TL-20")
def test_where_all_show_nobody_is_asked_and_nobody_mucks() -> None:
    hand = at_the_river(show="all")
    hand.refuses("Ann mucks", MustShow, law="Z-1")
    hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.over


@pytest.mark.law("Z-2", "Z-3")
def test_cards_speak() -> None:
    """The dealer reads every hand: no command claims a hand or objects to one, and the best hand is paid."""
    hand = at_the_river(ask=False, cards={"Ann": KINGS, "Bo": "5d 6d", "Cy": QUEENS})
    hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Bo": 30}
    made = hand.view().payments[0].made_hand
    assert made is not None
    assert made.category is Category.STRAIGHT
    assert [one for one in c.HandCommand.__args__ if "claim" in one.__name__.lower()] == []


@pytest.mark.law("Z-4", "TL-22")
def test_uncontested_winner_shows_only_by_choice() -> None:
    hand = at_the_river()
    hand.play("Ann bets 50")
    hand.refuses("Ann shows", WaitUntilTheEnd, law="Z-4")
    hand.play("Bo folds", "Cy folds")
    assert hand.shown == []
    assert all(card.card is None for card in hand.view().seats[hand.seat("Ann")].cards)
    hand.play("Ann shows")
    assert [card.card for card in hand.view().seats[hand.seat("Ann")].cards] == list(hand.hand.held_cards(0))
    hand.refuses("Ann shows", AlreadyShown)


def seen(hand: Told, name: str, viewer: str | None = None) -> str:
    """Return a player's cards as a viewer sees them, ``??`` for a hidden one."""
    cards = hand.view(viewer).seats[hand.seat(name)].cards
    return " ".join("??" if seen.card is None else card_text(seen.card) for seen in cards)


@pytest.mark.law("Z-4", "TL-22")
def test_winner_shows_one_card_and_keeps_the_other() -> None:
    """What one player sees, all see; the card that was not turned up stays hidden, until it is turned up too."""
    hand = at_the_river()
    hand.refuses("Ann shows Ks alone", WaitUntilTheEnd, law="Z-4")
    hand.play("Ann bets 50", "Bo folds", "Cy folds", "Ann shows Ks alone")
    assert [seen(hand, "Ann", viewer) for viewer in (None, "Bo", "Cy", "Ann")] == ["Ks ??", "Ks ??", "Ks ??", "Ks Kd"]
    assert [one.face_up for one in hand.view("Ann").seats[hand.seat("Ann")].cards] == [True, False]
    assert hand.view().seats[hand.seat("Ann")].made_hand is None
    hand.refuses("Ann shows Ks alone", AlreadyShown, law="TL-22")
    hand.refuses("Ann shows Qs alone", NotYourCard)
    hand.play("Ann shows Kd alone")
    assert seen(hand, "Ann") == "Ks Kd"
    assert hand.shown == ["Ann"]
    hand.refuses("Ann shows", AlreadyShown)


@pytest.mark.law("Z-4")
def test_folded_player_shows_one_card_after_the_hand() -> None:
    hand = deal(
        "pot-limit omaha 5/10", button="Cy", stacks=THREE, cards={"Bo": "As Ad 7c 6c", "Cy": "Ks Kd 2c 2d"}
    )  # fmt: skip
    hand.play("Cy raises to 30", "Ann folds", "Bo folds", "Bo shows Ad alone", "Cy shows Ks 2d alone")
    assert (seen(hand, "Bo"), seen(hand, "Cy"), seen(hand, "Ann")) == ("?? Ad ?? ??", "Ks ?? ?? 2d", "")


@pytest.mark.law("TL-22")
def test_at_the_showdown_the_whole_hand_is_shown() -> None:
    hand = at_the_river()
    hand.play("Ann bets 50", "Bo calls", "Cy folds")
    hand.refuses("Ann shows Ks alone", WholeHandIsShown, law="TL-22")
    hand.play("Ann shows", "Bo mucks", "Bo shows Ad alone")
    assert (seen(hand, "Ann"), seen(hand, "Bo")) == ("Ks Kd", "?? Ad")
    assert hand.wins == {"Ann": 130}


@pytest.mark.law("X-7", "TL-22")
def test_a_hand_shuffled_back_is_not_shown() -> None:
    """Ann folds, and her cards are dealt again to those who draw: they are nobody's to show."""
    players = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay")
    hand = deal("2-7 triple draw 5/10", button="Fay", stacks=dict.fromkeys(players, 1000))
    hand.play("Cy folds", "Dee calls", "Eve calls", "Fay calls", "Ann calls", "Bo checks")
    rest = [name for name in players if name != "Cy"]
    hand.play(*(f"{name} draws 5" for name in rest), *(f"{name} checks" for name in rest))
    for _ in range(2):
        hand.play(*(f"{name} stands pat" for name in rest), *(f"{name} checks" for name in rest))
    assert hand.events_of(e.Reshuffled)
    hand.refuses("Cy shows", AlreadyShown, law="TL-22")


@pytest.mark.law("Z-5", "TL-22")
def test_called_player_must_show() -> None:
    """Ann bets the river and is called: the callers can see her hand, so she cannot throw it away."""
    hand = at_the_river()
    hand.play("Ann bets 50", "Bo calls", "Cy folds")
    assert (hand.to_act, hand.options) == ("Ann", {"show"})
    hand.refuses("Ann mucks", MustShow, law="Z-5")
    hand.play("Ann shows", "Bo shows")
    assert hand.wins == {"Bo": 130}


@pytest.mark.law("TL-20")
def test_the_last_aggressor_shows_first_and_then_the_next_left() -> None:
    hand = at_the_river()
    hand.play("Ann bets 20", "Bo raises to 60", "Cy calls", "Ann calls")
    assert hand.to_act == "Bo"
    hand.refuses("Cy shows", ShowsFirst, law="TL-20")
    hand.refuses("Ann mucks", ShowsFirst, law="TL-20")
    hand.play("Bo shows", "Cy mucks", "Ann mucks")
    assert hand.shown == ["Bo"]
    assert hand.wins == {"Bo": 210}


@pytest.mark.law("TL-20", "N-2")
def test_without_a_bet_the_first_to_act_shows_first() -> None:
    """A bet of an earlier betting round does not count."""
    hand = at_the_river()
    hand.play("Ann checks", "Bo checks", "Cy checks")
    assert (hand.to_act, hand.options) == ("Ann", {"show", "muck"})
    hand.play("Ann shows", "Bo shows", "Cy mucks")
    assert hand.wins == {"Bo": 30}


@pytest.mark.law("TL-20", "TL-21", "TL-15")
def test_side_pot_contenders_show_before_the_all_in() -> None:
    """Bo is all-in for the main pot, Ann and Cy bet on: they turn up first, from the last aggressor, though Bo sits between them."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks=THREE | {"Bo": 50},
        cards={"Ann": KINGS, "Bo": ACES, "Cy": QUEENS}, board=DULL,
    )  # fmt: skip
    hand.play("Cy raises to 50", "Ann calls", "Bo calls all-in")
    hand.play("Ann checks", "Cy checks", "Ann checks", "Cy checks", "Ann bets 100", "Cy calls")
    assert hand.shown == ["Ann", "Cy", "Bo"]
    assert hand.wins == {"Bo": 150, "Ann": 200}


@pytest.mark.law("TL-21")
def test_all_in_hands_are_shown_before_the_board_runs() -> None:
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500}, ask_show=True)
    hand.play("Ann is all-in to 500", "Bo calls all-in")
    kinds = [type(event) for event in hand.events]
    assert kinds.index(e.Shown) < kinds.index(e.DealtBoard)
    assert sorted(hand.shown) == ["Ann", "Bo"]


@pytest.mark.law("TL-21", "TL-25", "Z-1")
@pytest.mark.parametrize("show", ["in_order", "all"])
def test_all_in_hands_show_at_once_under_every_option(show: str) -> None:
    """The board is run over open cards, and can be run twice, also where every hand would be shown anyway."""
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500, "Cy": 500},
        options={"show": show}, ask_run_twice=True,
    )  # fmt: skip
    hand.play("Ann is all-in", "Bo calls all-in", "Cy folds")
    assert (hand.shown, hand.board()) == (["Bo", "Ann"], "")
    assert hand.options == {"accept", "decline"}
    hand.play("Bo accepts", "Ann accepts")
    assert len(hand.hand.board_indices) == 2
    assert hand.shown == ["Bo", "Ann"]


@pytest.mark.law("TL-21")
def test_an_all_in_hand_is_not_mucked() -> None:
    """Bo is all-in on the river and called: both hands are turned up, nobody is asked. Nor is a hand that lies open thrown away."""
    hand = at_the_river()
    hand.play("Ann checks", "Bo is all-in to 990", "Cy folds", "Ann calls all-in")
    assert sorted(hand.shown) == ["Ann", "Bo"]
    assert hand.events_of(e.DecisionRequested) == []
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500}, ask_run_twice=True)
    hand.play("Ann is all-in to 500", "Bo calls all-in")
    hand.refuses("Ann mucks", MustShow, law="TL-21")


@pytest.mark.law("TL-22")
def test_a_mucked_hand_wins_nothing_and_is_seen_by_nobody() -> None:
    """Bo holds the aces but throws them away: the kings win."""
    hand = at_the_river()
    hand.play("Ann checks", "Bo checks", "Cy checks", "Ann shows", "Bo mucks", "Cy mucks")
    assert hand.wins == {"Ann": 30}
    for viewer in (None, "Ann", "Cy"):
        assert [card.card for card in hand.view(viewer).seats[hand.seat("Bo")].cards] == []


@pytest.mark.law("TL-22")
def test_the_last_hand_left_wins_without_showing() -> None:
    hand = at_the_river()
    hand.play("Ann checks", "Bo checks", "Cy checks", "Ann mucks", "Bo mucks")
    assert hand.over
    assert hand.wins == {"Cy": 30}
    assert hand.shown == []


@pytest.mark.law("TL-22", "TL-41")
def test_without_asking_beaten_hands_are_mucked_and_winning_ones_shown() -> None:
    hand = at_the_river(ask=False)
    hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.shown == ["Ann", "Bo"]
    assert [hand.names[event.seat] for event in hand.events_of(e.Mucked)] == ["Cy"]


@pytest.mark.law("TL-22", "TL-37")
def test_a_card_shown_to_one_is_shown_to_all() -> None:
    """There is no way to show part of a hand, or to show it to one player only."""
    hand = at_the_river()
    hand.play("Ann checks", "Bo checks", "Cy checks", "Ann shows")
    for viewer in (None, "Bo", "Cy"):
        assert [card.card for card in hand.view(viewer).seats[0].cards] == list(hand.hand.held_cards(0))


@pytest.mark.law("W-7", "W-8", "LO-3")
@pytest.mark.parametrize(
    ("said", "law"),
    [(c.Show(designations=((0, 51),)), "W-8"), (c.Show(ace_word="aces low"), "LO-3")],
    ids=["wild", "aces"],
)
def test_designations_are_refused_when_none_are_asked(said: c.Show, law: str) -> None:
    """Cards speak: words that would count for nothing are refused, at the show and after it."""
    hand = at_the_river()
    hand.play("Ann checks", "Bo checks", "Cy checks")
    for over in (False, True):
        assert hand.hand.over is over
        seat = 1 if over else 0
        with pytest.raises(NothingToDesignate) as refused:
            decide_and_evolve(hand.hand, seat, said)
        assert refused.value.law == law
        hand.play(*(("Ann shows", "Bo mucks", "Cy mucks") if not over else ("Bo shows",)))
    assert hand.shown == ["Ann", "Bo"]


@pytest.mark.law("TL-24", "Z-3")
def test_a_paid_hand_is_closed() -> None:
    """The dealer has read all hands; nothing said afterwards, by anybody, moves its chips."""
    hand = at_the_river(ask=False)
    hand.play("Ann checks", "Bo checks", "Cy checks")
    for line in ("Cy mucks", "Cy calls", "Cy raises to 20"):
        hand.refuses(line, HandOver)
    with pytest.raises(NotDealtIn):
        decide_and_evolve(hand.hand, 7, c.Show())


@pytest.mark.law("M-4", "R-1")
@pytest.mark.parametrize(
    ("board", "wins", "playing"),
    [
        ("Ah Kh 9d 3c 4s", "Ann", 2),  # both own cards play
        ("Kh Qh Jd Ts 4s", "Ann", 1),  # one own card makes the straight
        ("Ac Kc Qc Jc Tc", "both", 0),  # the board is the best hand of all
    ],
)
def test_the_best_five_of_two_and_five_in_any_mix(board: str, wins: str, playing: int) -> None:
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 1000, "Bo": 1000},
        cards={"Ann": "As Ad", "Bo": "2d 7h"}, board=board,
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks", *("Bo checks", "Ann checks") * 3)
    assert set(hand.wins) == ({"Ann", "Bo"} if wins == "both" else {wins})
    held, common = hand.hand.held_cards(hand.seat("Ann")), hand.hand.board_cards()
    best = hand_layout(evaluators_for(hand.hand, hand.seat("Ann"))[0], held, common).cards
    assert len(best) == 5
    assert len(set(best) & set(held)) == playing


def split_three_ways(**options: object) -> Told:
    """Return a hand in which three equal hands share a pot of 31. Cy, on the button, was the last to bet."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks=THREE,
        cards={"Ann": "2c 3c", "Bo": "2d 3d", "Cy": "2h 3h"}, board="As Ks Qd Jd Th", options=options, carried=1,
    )  # fmt: skip
    hand.play("Cy raises to 20", "Ann calls", "Bo calls")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    return hand


@pytest.mark.law("Q-1", "Q-4", "TL-23", "TDA 20")
def test_odd_chip_of_a_tie_goes_left_of_the_dealer() -> None:
    assert split_three_ways(odd_chip="left_of_dealer").wins == {"Ann": 21, "Bo": 20, "Cy": 20}


@pytest.mark.law("Q-3")
def test_the_odd_chip_of_the_last_aggressor() -> None:
    assert split_three_ways(odd_chip="last_aggressor").wins == {"Ann": 20, "Bo": 20, "Cy": 21}


@pytest.mark.law("Q-3")
def test_odd_chip_when_last_aggressor_is_not_tied() -> None:
    """Then it goes to the first of the tied left of the dealer."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks=THREE, carried=1, options={"odd_chip": "last_aggressor"},
        cards={"Ann": "Ac 3c", "Bo": "Ad 3d", "Cy": "2h 4h"}, board="As Ks Qd Jd 9h",
    )  # fmt: skip
    hand.play("Cy raises to 20", "Ann calls", "Bo calls")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Ann": 31, "Bo": 30}


@pytest.mark.law("Q-4", "TL-23")
def test_the_odd_chip_of_the_high_suit() -> None:
    """The highest card by suit of the five played: Bo's ace of spades against hearts and clubs."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks=THREE, carried=1, options={"odd_chip": "high_suit"},
        cards={"Ann": "Ac 3c", "Bo": "As 3d", "Cy": "Ah 3h"}, board="Kc Qd Jd 9h 9s",
    )  # fmt: skip
    hand.play("Cy raises to 20", "Ann calls", "Bo calls")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Ann": 20, "Bo": 21, "Cy": 20}


HOLDEM_EIGHT = replace(
    LIMIT_HOLDEM,
    key="holdem_eight",
    name="Hold'em high-low, eight or better",
    shares=(Share("high", Ranking()), Share("low", Ranking(scale=Scale.ACE_TO_FIVE, qualifier=6))),
    options=replace(LIMIT_HOLDEM.options, low_scale=LowScale.A5),
)


def high_low(board: str, stacks: dict[str, int], cards: dict[str, str], carried: int = 0) -> Told:
    return deal(
        HOLDEM_EIGHT, button="Cy", stacks=stacks, cards=cards, board=board, carried=carried,
        stakes=Stakes(small_blind=5, big_blind=10),
    )  # fmt: skip


@pytest.mark.law("TL-43", "TL-23")
def test_odd_chip_of_a_halved_pot_goes_high() -> None:
    hand = high_low("2c 7d 8h Ks Qc", THREE, {"Ann": "As 3d", "Bo": "Kh Kd", "Cy": "Qs Jd"}, carried=1)
    hand.play("Cy calls", "Ann calls", "Bo checks")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Bo": 16, "Ann": 15}


@pytest.mark.law("TL-43", "TL-15")
def test_each_pot_is_halved_by_itself() -> None:
    """Ann, all-in, holds the only low: the main pot is halved with her, the side pot goes whole to the best high of its own players."""
    hand = high_low("2c 7d 8h Ks Qc", THREE | {"Ann": 10}, {"Ann": "As 3d", "Bo": "Kh Kd", "Cy": "Qs Jd"})
    hand.play("Cy raises to 20", "Ann calls all-in", "Bo calls")
    for _ in range(3):
        hand.play("Bo checks", "Cy checks")
    assert hand.wins == {"Ann": 15, "Bo": 15 + 20}


@pytest.mark.law("TL-43", "TL-23")
def test_the_odd_chip_of_every_halved_pot_goes_high() -> None:
    """Main pot 29, side pot 59: Bo has the high of both, Cy the low. Both odd chips are Bo's, not one of them Cy's."""
    hand = high_low(
        "2c 7d 8h Ks Qc", {"Ann": 7, "Bo": 100, "Cy": 100, "Dee": 100},
        {"Ann": "Jc Td", "Bo": "Kh Kd", "Cy": "As 3d", "Dee": "Qs Jd"}, carried=1,
    )  # fmt: skip
    hand.play("Bo calls", "Cy calls", "Dee raises to 20", "Bo raises to 30", "Cy calls", "Dee folds")
    for _ in range(3):
        hand.play("Bo checks", "Cy checks")
    assert hand.wins == {"Bo": 15 + 30, "Cy": 14 + 29}


@pytest.mark.law("TL-43")
def test_with_no_low_the_high_hand_takes_all() -> None:
    hand = high_low("9c Td 8h Ks Qc", THREE, {"Ann": "As 3d", "Bo": "Kh Kd", "Cy": "Qs 2d"})
    hand.play("Cy calls", "Ann calls", "Bo checks")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Bo": 30}


@pytest.mark.law("E-2")
def test_no_command_divides_a_pot() -> None:
    """No command gives chips to anybody: the cards alone decide who is paid."""
    names = {one.__name__ for one in c.HandCommand.__args__}
    assert names == {
        "Fold", "Check", "Call", "Bet", "RaiseTo", "AllIn", "Show", "Muck",
        "TakeStraddle", "Decline", "ChooseCards", "Declare", "Accept",
    }  # fmt: skip
    hand = at_the_river()
    for word in ("chop", "split"):
        with pytest.raises(AssertionError, match="no action reads"):
            hand.play(f"Ann {word}s")


@pytest.mark.law("K-2", "H-6")
def test_the_ranks_from_the_ace_down_decide() -> None:
    """A pair of any rank beats the pair of the next lower one, from aces over kings to threes over deuces."""
    order = "AKQJT98765432"
    for higher, lower in pairwise(order):
        hand = deal(
            "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 100, "Bo": 100},
            cards={"Ann": f"{higher}h {higher}s", "Bo": f"{lower}h {lower}s"}, board=harmless_board(higher, lower),
        )  # fmt: skip
        hand.play("Ann calls", "Bo checks", *("Bo checks", "Ann checks") * 3)
        assert hand.wins == {"Ann": 20}, f"{higher} over {lower}"


def harmless_board(*held: str) -> str:
    """Return five cards that pair none of these ranks and give nobody a straight or flush."""
    around = "A23456789TJQK"
    ranks: list[str] = []
    for rank in "AJT7632K9":
        apart = all(abs(around.index(rank) - around.index(one)) > 1 for one in ranks)
        if rank not in held and apart and len(ranks) < 5:
            ranks.append(rank)
    return " ".join(rank + suit for rank, suit in zip(ranks, "cdcdc", strict=False))


@pytest.mark.law("Q-4", "TL-23", "VC-6", "LO-5")
def test_ace_of_a_low_hand_is_its_lowest_card() -> None:
    """Ann and Bo tie for the low with 7-6-4-2-A: the odd chip goes by the seven, and not by the ace."""
    hand = deal(
        "stud8", button="Cy", stacks=THREE, carried=4, stakes=Stakes(ante=1, small_bet=2, big_bet=4, bring_in=1),
        cards={"Ann": "Ac 2d 4h 6c 7d Kc Qd", "Bo": "Ad 2c 4s 6d 7c Kh Qs", "Cy": "Th Td 9s 9c Js Jd Tc"},
    )  # fmt: skip
    check_down_stud(hand)
    assert hand.wins == {"Cy": 5, "Ann": 3, "Bo": 2}


@pytest.mark.law("Q-4", "TL-23", "T-1")
def test_five_is_the_highest_card_of_a_wheel() -> None:
    """Ann and Bo tie with 5-4-3-2-A: Ann's five is a heart and Bo's a diamond, though Bo's ace is a spade."""
    hand = deal(
        "stud", button="Cy", stacks=THREE, carried=5, stakes=Stakes(ante=1, small_bet=2, big_bet=4, bring_in=1),
        cards={"Ann": "Ac 2d 4h 3c 5h Kc Qd", "Bo": "As 2c 4s 3d 5d Kh Qs", "Cy": "Th Td 9s 9c Js Jd 8c"},
    )  # fmt: skip
    check_down_stud(hand)
    assert hand.wins == {"Ann": 6, "Bo": 5}


def check_down_stud(hand: Told) -> None:
    """Everybody calls the bring-in, and nobody bets."""
    while not hand.over:
        plain = {"check": "checks", "call 1": "calls"}
        found = next((said for option, said in plain.items() if option in hand.options), "brings in 1")
        hand.play(f"{hand.to_act} {found}")
