"""The laws of draw poker: antes and straddles, the draw itself, and the games of the founding texts (A, X, VB-1 to VB-3, VC-14)."""

import pytest

from bot.engine.dealing.draws import shuffle_indices
from bot.engine.events import DealtDown
from bot.engine.refusals import AlreadyDrew, CannotCheck, DrawsFirst, NotYourCard, TooManyCards, WrongSize
from bot.engine.stakes import Stakes
from bot.engine.view.build import view
from tests.support.told import Told, deal

FOUR = dict.fromkeys("ABCD", 200)


def basic(**options: object) -> Told:
    """Basic draw: A is the ante, B puts the straddle down, C acts first."""
    return deal("basic_draw", button="D", stacks=FOUR, options=options, stakes=Stakes(ante=1, doublings=3))


def hoyle(**cards: str) -> Told:
    return deal("hoyle_draw", button="D", stacks=FOUR, cards=cards, stakes=Stakes(ante=1, limit=10))


@pytest.mark.law("VB-2", "A-2", "A-10", "F-4", "L-6", "AT-7")
def test_basic_draw_goes_by_the_doubling_ladder() -> None:
    """Ante 1, straddle 2, raises of 4, 8 and 8: the level runs 2, 6, 14, 22. After the draw the first bet is 4, then to 12 and 20."""
    hand = basic()
    assert hand.bets == {"A": 1, "B": 2}
    assert (hand.to_act, hand.options) == ("C", {"fold", "call 2", "raise to 6"})
    hand.refuses("C raises to 5", WrongSize, law="L-6")
    hand.play("C raises to 6", "D raises to 14", "A raises to 22", "B folds", "C calls", "D calls")
    hand.play("A stands pat", "C stands pat", "D stands pat")
    assert (hand.to_act, hand.options) == ("A", {"fold", "check", "bet 4"})
    hand.play("A bets 4", "C raises to 12")
    assert hand.options == {"fold", "call 12", "raise to 20"}


@pytest.mark.law("VB-2", "C-3", "A-13")
def test_before_the_draw_only_the_straddler_can_check() -> None:
    hand = basic()
    hand.refuses("C checks", CannotCheck, law="B-12")
    hand.play("C calls", "D calls", "A calls 1")
    assert (hand.to_act, hand.options) == ("B", {"fold", "check", "raise to 6"})


@pytest.mark.law("VB-12", "L-6")
@pytest.mark.parametrize("ladder", ["sizes", "levels"])
def test_doubling_ladder_can_count_sizes_or_levels(ladder: str) -> None:
    hand = basic(stake_ladder=ladder)
    assert hand.legal("C").max_to == (6 if ladder == "sizes" else 4)


@pytest.mark.law("D-10", "D-9", "VB-3", "A-1")
def test_five_cards_each_and_the_rest_lies_before_the_dealer() -> None:
    hand = hoyle()
    (dealt,) = hand.events_of(DealtDown)
    assert dealt.count == 5
    assert [len(places) for places in hand.hand.down_indices] == [5] * 4
    assert hand.hand.next_card_index == 20
    assert hand.pot == 4


@pytest.mark.law("VB-3", "F-5", "C-1")
def test_hoyles_draw_is_opened_left_of_the_dealer_or_checked() -> None:
    hand = hoyle()
    assert (hand.to_act, hand.options) == ("A", {"fold", "check", "bet 1..10"})


def to_the_draw(**cards: str) -> Told:
    hand = hoyle(**cards)
    hand.play("A bets 2", "B calls", "C calls", "D folds")
    assert (hand.to_act, hand.options) == ("A", {"draw 0..3"})
    return hand


@pytest.mark.law("X-1", "X-2", "B-10")
def test_draw_goes_in_turn_with_at_most_three_cards() -> None:
    hand = to_the_draw(A="As Ad 2c 7d 9h", B="Ks Kd Kh 4c 5c")
    hand.refuses("B draws 2", DrawsFirst, law="X-1")
    hand.refuses("A draws 4", TooManyCards, law="X-2")
    assert not hand.legal("A").deck_is_short
    hand.refuses("A discards Ks", NotYourCard, law="X-2")
    hand.play("A draws 3", "B draws 2", "C stands pat")
    assert hand.hand.draw_counts[:3] == ((3,), (2,), (0,))


@pytest.mark.law("X-2", "X-7", "P-6")
def test_short_deck_is_the_reason_for_a_small_draw() -> None:
    """Ten have five cards each: two are left for the first to draw, and for the next what the first has discarded."""
    names = [f"P{number}" for number in range(1, 11)]
    hand = deal("morehead", button="P10", stacks=dict.fromkeys(names, 100), stakes=Stakes(ante=1, limit=10))
    hand.play("P1 bets 1", *(f"{name} calls" for name in names[1:]))
    assert hand.options == {"draw 0..2"}
    assert hand.legal("P1").deck_is_short
    refusal = hand.refuses("P1 draws 3", TooManyCards, law="X-7")
    assert (refusal.maximum, refusal.deck_is_short) == (2, True)
    hand.play("P1 draws 2")
    hand.refuses("P2 draws 3", TooManyCards, law="X-7")
    hand.play("P2 draws 2")


@pytest.mark.law("X-2", "X-4")
def test_discards_are_replaced_from_the_top_of_the_deck() -> None:
    hand = to_the_draw(A="As Ad 2c 7d 9h")
    place = hand.hand.next_card_index
    hand.play("A discards 2c 7d 9h")
    assert hand.hand.down_indices[0][2:] == (place, place + 1, place + 2)
    assert hand.cards("A").split()[:2] == ["As", "Ad"]
    assert not {"2c", "7d", "9h"} & set(hand.cards("A").split())


@pytest.mark.law("X-5")
def test_discards_are_gone_and_each_player_draws_once() -> None:
    hand = to_the_draw()
    hand.play("A stands pat")
    hand.refuses("A draws 2", AlreadyDrew, law="X-5")
    hand.play("B draws 1")
    hand.refuses("B draws 1", AlreadyDrew, law="X-5")


@pytest.mark.law("X-5", "TL-41")
def test_timeout_at_the_draw_stands_pat() -> None:
    hand = to_the_draw()
    hand.play("A says nothing", "B says nothing", "C draws 3")
    assert hand.hand.draw_counts[:2] == ((0,), (0,))
    assert hand.street == "after the draw"


@pytest.mark.law("X-4", "TL-37")
def test_discards_lie_face_down() -> None:
    """Everybody sees how many cards were changed, nobody which."""
    hand = to_the_draw(A="As Ad 2c 7d 9h")
    hand.play("A draws 3")
    for viewer in (None, "B", "C"):
        seat = hand.view(viewer).seats[0]
        assert seat.draw_counts == (3,)
        assert all(card.card is None for card in seat.cards)


@pytest.mark.law("VC-14", "VB-7")
@pytest.mark.parametrize("game", ["five_card_draw", "lowball"])
def test_a_modern_draw_game_has_blinds(game: str) -> None:
    """Limit, small before the draw and big after it; up to five cards are changed."""
    hand = deal(game, button="D", stacks=FOUR, stakes=Stakes(small_blind=1, big_blind=2))
    assert (hand.to_act, hand.options) == ("C", {"fold", "call 2", "raise to 4"})
    hand.play("C calls", "D calls", "A calls", "B checks")
    assert hand.options == {"draw 0..5"}
    hand.play("A draws 5", "B stands pat", "C stands pat", "D stands pat")
    assert hand.options == {"check", "fold", "bet 4"}


@pytest.mark.law("B-15", "B-16", "VB-1")
def test_ante_acts_last_and_matches_the_player_on_the_right() -> None:
    hand = deal("old_english", button="A", stacks=dict.fromkeys("ABCD", 200), stakes=Stakes(ante=3, limit=12))
    hand.play("C does not straddle", "C opens for 6", "D calls", "A calls")
    assert (hand.to_act, hand.options) == ("B", {"fold", "call 3", "raise to 7..18"})
    hand.refuses("B checks", CannotCheck)


@pytest.mark.law("B-19", "TL-37")
def test_online_all_look_at_their_cards_at_once() -> None:
    """Source 002 has each look only when their turn comes; here each sees their own cards from the start, and nobody another's."""
    hand = deal("old_english", button="A", stacks=dict.fromkeys("ABCD", 200), stakes=Stakes(ante=3, limit=12))
    hand.play("C does not straddle")
    for name in "ABCD":
        for seat in hand.view(name).seats:
            assert all((card.card is not None) == (hand.names[seat.seat_index] == name) for card in seat.cards)


@pytest.mark.law("A-11", "A-10")
def test_coming_in_can_cost_four_antes() -> None:
    """The straddler has put 2 in and owes 2 more; everybody else owes 4."""
    hand = basic(come_in="four_antes")
    assert (hand.bets, hand.highest_bet) == ({"A": 1, "B": 2}, 4)
    assert hand.legal("C").call_chips == 4
    hand.play("C calls 4", "D calls 4", "A calls 3")
    assert hand.to_act == "B"
    assert hand.legal("B").call_chips == 2


@pytest.mark.law("X-7")
def test_dead_cards_of_any_deck_size_are_reshuffled() -> None:
    """Every card index comes back once, in an order that the deck alone decides. The order of small decks never changes."""
    deck = tuple(range(53)) * 100
    places = list(range(0, 5_300, 7))
    back = shuffle_indices(deck, places)
    assert sorted(back) == places
    assert back != tuple(places)
    assert back == shuffle_indices(deck, places)
    assert shuffle_indices(tuple(range(52)), list(range(8))) == (2, 4, 6, 5, 7, 3, 0, 1)


@pytest.mark.law("X-2", "X-7", "TL-37")
def test_short_deck_tells_nobody_of_an_ace() -> None:
    """Three cards are left. Who holds an ace could draw four, so the deck is short for them; others must not see that it is."""
    seen = []
    for ann in ("Ac 8d 9h Js Qd", "7c 8d 9h Js Qd"):
        hand = deal(
            "triple_draw_27", button="Flo", stacks=dict.fromkeys(("Ann", "Bo", "Cy", "Dee", "Eve", "Flo"), 100),
            cards={"Ann": ann}, options={"deck": "33", "draw_max": "4_with_ace"}, stakes=Stakes(small_blind=1, big_blind=2),
        )  # fmt: skip
        hand.play(*(f"{name} calls" for name in ("Cy", "Dee", "Eve", "Flo", "Ann")), "Bo checks")
        assert (hand.to_act, len(hand.hand.deck) - hand.hand.next_card_index) == ("Ann", 3)
        seen.append([view(hand.hand, viewer).legal_to_act for viewer in (None, hand.seat("Bo"))])
    assert seen[0] == seen[1]
