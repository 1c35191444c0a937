"""Wild cards that their holder designates, and designations that are refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import JOKER, STANDARD_52, TWO, WITH_JOKER_53, parse_card, parse_cards
from bot.engine.errors import LawError
from bot.engine.ranking import (
    EXACTLY_TWO,
    AceStraight,
    Ranking,
    Scale,
    SpecialHands,
    SuitRank,
    WildCall,
    WildMethod,
    WildPolicy,
    evaluator,
)
from bot.engine.ranking.designation import designated_value, validate_designation
from bot.engine.ranking.errors import AlreadyHeld, BugCannotBe, NoSuchCard, NotWild
from bot.text.hand_names import hand_name

DECLARE = WildCall.DECLARE
DEUCES = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,), call=DECLARE))
STRICT = Ranking(wild=WildPolicy(method=WildMethod.NO_DUPLICATE, call=DECLARE))
FREE = Ranking(wild=WildPolicy(method=WildMethod.FREE, call=DECLARE))
BUG = Ranking(wild=WildPolicy(method=WildMethod.BUG, call=DECLARE))


def designated_value_of(ranking: Ranking, hand: str, designations: str = "", board: str = "") -> int:
    words = [word.split("=") for word in designations.split()]
    designations = {parse_card(card): parse_card(as_card) for card, as_card in words}
    return designated_value(evaluator(ranking), parse_cards(hand), designations, parse_cards(board))


def designated_name(ranking: Ranking, hand: str, designations: str = "", board: str = "") -> str:
    return hand_name(evaluator(ranking).name(designated_value_of(ranking, hand, designations, board)))


@pytest.mark.law("AT-12", "W-7")
def test_undesignated_deuces_are_deuces() -> None:
    assert designated_name(DEUCES, "9h9dKc4s2s") == "a pair of nines"
    facts = evaluator(DEUCES).name(designated_value_of(DEUCES, "9h9dKc4s2s"))
    assert facts.ranks == (7, 11, 2, 0)
    assert designated_name(DEUCES, "9h9dKc4s2s", "2s=9c") == "three of a kind, nines"


@pytest.mark.law("W-7")
def test_an_undesignated_joker_ranks_below_a_deuce_and_pairs_nothing() -> None:
    assert designated_name(FREE, "9h9dKc4sJk") == "a pair of nines"
    assert designated_value_of(FREE, "9h9dKc4sJk") < designated_value_of(FREE, "9h9dKc4s2s")
    assert designated_name(FREE, "KsQsJsTsJk") == "no pair, king high"
    assert designated_name(FREE, "9h9d9c9sJk") == "four of a kind, nines"
    assert designated_value_of(FREE, "9h9d9c9sJk") < designated_value_of(FREE, "9h9d9c9s2s")
    assert designated_name(FREE, "KsKdQsQdJk") == "two pair, kings and queens"
    assert designated_value_of(FREE, "Jk7s5d3h2c") < designated_value_of(FREE, "7s5d4c3h2c")


@pytest.mark.law("W-7")
def test_an_undesignated_joker_among_seven_does_no_harm() -> None:
    assert designated_name(FREE, "As Ks Qs Js Ts 2d Jk") == "royal flush"


@pytest.mark.law("W-7", "VB-7")
def test_for_low_an_undesignated_joker_is_the_lowest_missing_rank() -> None:
    low = Ranking(scale=Scale.ACE_TO_FIVE, wild=STRICT.wild)
    assert designated_name(low, "7s5d4h2cJk") == "7-5-4-2-A"
    assert designated_value_of(low, "7s5d4h2cJk", "Jk=Ks") < designated_value_of(low, "7s5d4h2cJk")


@pytest.mark.law("W-5", "W-7")
def test_a_free_wild_card_can_repeat_a_card() -> None:
    facts = evaluator(FREE).name(designated_value_of(FREE, "AcKc9c6cJk", "Jk=Ac"))
    assert facts.ranks == (12, 12, 11, 7, 4)
    assert designated_name(FREE, "AcKc9c6cJk", "Jk=Ad") == "a pair of aces"


@pytest.mark.law("W-7")
def test_designated_hands_follow_the_hole_card_rule() -> None:
    omaha = Ranking(wild=DEUCES.wild, from_hole=EXACTLY_TWO)
    assert designated_name(omaha, "2sKdQcJh", "2s=Kc", "KhKs5c9d4d") == "four of a kind, kings"
    assert designated_name(omaha, "2sKdQcJh", "", "KhKs5c9d4d") == "three of a kind, kings"


@pytest.mark.law("VC-15", "W-7")
def test_designated_badugi() -> None:
    badugi = Ranking(scale=Scale.BADUGI, wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,), call=DECLARE))
    assert designated_name(badugi, "5c4d3h2s") == "four-card badugi, 5-4-3-2"
    assert designated_name(badugi, "5c4d3h2s", "2s=As") == "four-card badugi, 5-4-3-A"


@pytest.mark.law("T-11", "W-7")
def test_a_designated_heart_counts_as_a_heart() -> None:
    old = Ranking(suit_rank=SuitRank.HEARTS_FIRST, ace_straight=AceStraight.LOW_ONLY, wild=FREE.wild)
    assert designated_value_of(old, "KsJk9c7d4c", "Jk=Kh") > designated_value_of(old, "KsJk9c7d4c", "Jk=Kd")
    assert designated_value_of(old, "KsJk9c7d4c", "Jk=Kh") == evaluator(old).value(parse_cards("KsJk9c7d4c"))


@pytest.mark.law("W-3")
def test_no_duplicate_refuses_a_card_that_is_held() -> None:
    game_evaluator = evaluator(STRICT)
    held = parse_cards("AcKc9c6cJk")
    with pytest.raises(AlreadyHeld) as refusal:
        validate_designation(game_evaluator, held, JOKER, parse_card("Ac"))
    assert refusal.value.law == "W-3"
    validate_designation(game_evaluator, held, JOKER, parse_card("Qc"))
    validate_designation(game_evaluator, held, JOKER, parse_card("Ad"))


@pytest.mark.law("W-3", "W-9")
def test_no_duplicate_allows_the_fifth_of_a_kind() -> None:
    validate_designation(evaluator(STRICT), parse_cards("AcAdAhAsJk"), JOKER, parse_card("Ad"))


@pytest.mark.law("W-3")
def test_two_wild_cards_cannot_be_the_same_card() -> None:
    deuces = Ranking(wild=WildPolicy(method=WildMethod.NO_DUPLICATE, ranks=(TWO,), call=DECLARE))
    held = parse_cards("2c2dKs9h4d")
    game_evaluator = evaluator(deuces)
    validate_designation(game_evaluator, held, parse_card("2c"), parse_card("Kd"))
    with pytest.raises(AlreadyHeld):
        validate_designation(
            game_evaluator, held, parse_card("2d"), parse_card("Kd"), {parse_card("2c"): parse_card("Kd")}
        )
    with pytest.raises(AlreadyHeld):
        validate_designation(game_evaluator, held, parse_card("2d"), parse_card("2c"))
    validate_designation(game_evaluator, held, parse_card("2d"), parse_card("2d"))


@pytest.mark.law("W-4")
def test_the_bug_is_an_ace_or_completes_something() -> None:
    game_evaluator = evaluator(BUG)
    held = parse_cards("KcKdQhQsJk")
    validate_designation(game_evaluator, held, JOKER, parse_card("Ac"))
    with pytest.raises(BugCannotBe) as refusal:
        validate_designation(game_evaluator, held, JOKER, parse_card("Kh"))
    assert refusal.value.law == "W-4"
    validate_designation(game_evaluator, parse_cards("QsJhTd9cJk"), JOKER, parse_card("8d"))
    validate_designation(game_evaluator, parse_cards("QsJhTd9cJk"), JOKER, parse_card("Kd"))
    with pytest.raises(BugCannotBe):
        validate_designation(game_evaluator, parse_cards("QsJhTd9cJk"), JOKER, parse_card("7d"))
    validate_designation(game_evaluator, parse_cards("AcKc9c6cJk"), JOKER, parse_card("2c"))
    with pytest.raises(BugCannotBe):
        validate_designation(game_evaluator, parse_cards("AcKc9c6cJk"), JOKER, parse_card("Ac"))
    validate_designation(game_evaluator, parse_cards("AcAdAhAsJk"), JOKER, parse_card("Ac"))
    with pytest.raises(BugCannotBe):
        validate_designation(game_evaluator, parse_cards("Kc9cJk"), JOKER, parse_card("2c"))


@pytest.mark.law("W-4", "SP-1")
def test_the_bug_can_complete_a_special_hand() -> None:
    held = parse_cards("7s5d4h2cJk")
    with pytest.raises(BugCannotBe):
        validate_designation(evaluator(BUG), held, JOKER, parse_card("6d"))
    validate_designation(
        evaluator(Ranking(wild=BUG.wild, special=SpecialHands.CATS_DOGS)), held, JOKER, parse_card("6d")
    )


@pytest.mark.law("W-4", "VB-7")
def test_for_low_the_bug_is_any_card() -> None:
    low = Ranking(scale=Scale.ACE_TO_FIVE, wild=BUG.wild)
    validate_designation(evaluator(low), parse_cards("7s5d4h2cJk"), JOKER, parse_card("3d"))


@pytest.mark.law("W-5", "W-1")
def test_only_wild_cards_become_only_cards_of_the_deck() -> None:
    game_evaluator = evaluator(Ranking(wild=FREE.wild, ranks=tuple(range(4, 13))))
    held = parse_cards("AcKc9c6cJk")
    validate_designation(game_evaluator, held, JOKER, parse_card("Ac"))
    for nothing in (parse_card("2c"), JOKER):
        with pytest.raises(NoSuchCard):
            validate_designation(game_evaluator, held, JOKER, nothing)
    with pytest.raises(NotWild):
        validate_designation(game_evaluator, held, parse_card("Ac"), parse_card("Kd"))
    with pytest.raises(NotWild):
        validate_designation(game_evaluator, parse_cards("AcKc"), JOKER, parse_card("Kd"))


GAMES = {
    "free": FREE,
    "strict": STRICT,
    "bug": BUG,
    "cats": Ranking(wild=BUG.wild, special=SpecialHands.CATS_DOGS),
    "27": Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=BUG.wild),
    "ace low": Ranking(scale=Scale.LOW_ACE_LOW, wild=STRICT.wild),
    "A5": Ranking(scale=Scale.ACE_TO_FIVE, wild=FREE.wild),
}


@pytest.mark.law("W-6", "W-8")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_best_designation_equals_the_automatic_value(game: str, data: st.DataObject) -> None:
    """`auto_best` is the maximum of `declare` over every card the method allows."""
    ranking = GAMES[game]
    game_evaluator = evaluator(ranking)
    suits = data.draw(st.sampled_from([(0, 1, 2, 3), (2,)]))
    deck = [card for card in WITH_JOKER_53 if card != JOKER and card % 4 in suits]
    held = [JOKER, *data.draw(st.lists(st.sampled_from(deck), min_size=4, max_size=5, unique=True))]
    best = 0
    for as_card in STANDARD_52:
        try:
            validate_designation(game_evaluator, held, JOKER, as_card)
        except LawError:
            continue
        best = max(best, designated_value(game_evaluator, held, {JOKER: as_card}))
    assert best == game_evaluator.value(held)
