"""Wild cards that their holder designates, and what may not be said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import JOKER, STANDARD_52, TWO, WITH_JOKER_53, parse, parse_all
from bot.engine.errors import LawError
from bot.engine.ranking import (
    EXACTLY_TWO,
    AceStraight,
    Ranking,
    Scale,
    Special,
    SuitRank,
    Wild,
    WildCall,
    WildMethod,
    evaluator,
    long_name,
)
from bot.engine.ranking.errors import AlreadyHeld, BugCannotBe, NoSuchCard, NotWild

DECLARE = WildCall.DECLARE
DEUCES = Ranking(wild=Wild(method=WildMethod.FREE, ranks=(TWO,), call=DECLARE))
STRICT = Ranking(wild=Wild(method=WildMethod.NO_DUPLICATE, call=DECLARE))
FREE = Ranking(wild=Wild(method=WildMethod.FREE, call=DECLARE))
BUG = Ranking(wild=Wild(method=WildMethod.BUG, call=DECLARE))


def declared(ranking: Ranking, hand: str, said: str = "", board: str = "") -> int:
    words = [word.split("=") for word in said.split()]
    designations = {parse(card): parse(as_card) for card, as_card in words}
    return evaluator(ranking).declared(parse_all(hand), designations, parse_all(board))


def name(ranking: Ranking, hand: str, said: str = "", board: str = "") -> str:
    return long_name(evaluator(ranking).name(declared(ranking, hand, said, board)))


@pytest.mark.law("AT-12", "W-7")
def test_deuces_shown_without_a_word_are_deuces() -> None:
    assert name(DEUCES, "9h9dKc4s2s") == "a pair of nines"
    facts = evaluator(DEUCES).name(declared(DEUCES, "9h9dKc4s2s"))
    assert facts.ranks == (7, 11, 2, 0)
    assert name(DEUCES, "9h9dKc4s2s", "2s=9c") == "three of a kind, nines"


@pytest.mark.law("W-7")
def test_a_silent_joker_plays_below_a_deuce_and_pairs_nothing() -> None:
    assert name(FREE, "9h9dKc4sJk") == "a pair of nines"
    assert declared(FREE, "9h9dKc4sJk") < declared(FREE, "9h9dKc4s2s")
    assert name(FREE, "KsQsJsTsJk") == "no pair, king high"
    assert name(FREE, "9h9d9c9sJk") == "four of a kind, nines"
    assert declared(FREE, "9h9d9c9sJk") < declared(FREE, "9h9d9c9s2s")
    assert name(FREE, "KsKdQsQdJk") == "two pair, kings and queens"
    assert declared(FREE, "Jk7s5d3h2c") < declared(FREE, "7s5d4c3h2c")


@pytest.mark.law("W-7")
def test_a_silent_joker_among_seven_does_no_harm() -> None:
    assert name(FREE, "As Ks Qs Js Ts 2d Jk") == "royal flush"


@pytest.mark.law("W-7", "VB-7")
def test_for_low_a_silent_joker_is_the_lowest_rank_not_held() -> None:
    low = Ranking(scale=Scale.ACE_TO_FIVE, wild=STRICT.wild)
    assert name(low, "7s5d4h2cJk") == "7-5-4-2-A"
    assert declared(low, "7s5d4h2cJk", "Jk=Ks") < declared(low, "7s5d4h2cJk")


@pytest.mark.law("W-5", "W-7")
def test_a_free_card_may_repeat_a_card() -> None:
    facts = evaluator(FREE).name(declared(FREE, "AcKc9c6cJk", "Jk=Ac"))
    assert facts.ranks == (12, 12, 11, 7, 4)
    assert name(FREE, "AcKc9c6cJk", "Jk=Ad") == "a pair of aces"


@pytest.mark.law("W-7")
def test_common_cards_and_own_cards_by_the_games_rule() -> None:
    omaha = Ranking(wild=DEUCES.wild, from_hole=EXACTLY_TWO)
    assert name(omaha, "2sKdQcJh", "2s=Kc", "KhKs5c9d4d") == "four of a kind, kings"
    assert name(omaha, "2sKdQcJh", "", "KhKs5c9d4d") == "three of a kind, kings"


@pytest.mark.law("VC-15", "W-7")
def test_declared_badugi() -> None:
    badugi = Ranking(scale=Scale.BADUGI, wild=Wild(method=WildMethod.FREE, ranks=(TWO,), call=DECLARE))
    assert name(badugi, "5c4d3h2s") == "four-card badugi, 5-4-3-2"
    assert name(badugi, "5c4d3h2s", "2s=As") == "four-card badugi, 5-4-3-A"


@pytest.mark.law("T-11", "W-7")
def test_a_declared_heart_counts_as_one() -> None:
    old = Ranking(suit_rank=SuitRank.HEARTS_FIRST, ace_straight=AceStraight.LOW_ONLY, wild=FREE.wild)
    assert declared(old, "KsJk9c7d4c", "Jk=Kh") > declared(old, "KsJk9c7d4c", "Jk=Kd")
    assert declared(old, "KsJk9c7d4c", "Jk=Kh") == evaluator(old).value(parse_all("KsJk9c7d4c"))


@pytest.mark.law("W-3")
def test_no_duplicate_refuses_a_card_that_is_held() -> None:
    judge = evaluator(STRICT)
    held = parse_all("AcKc9c6cJk")
    with pytest.raises(AlreadyHeld) as refusal:
        judge.may_stand_for(held, JOKER, parse("Ac"))
    assert str(refusal.value) == "Law W-3: you already hold that card, the ace of clubs."
    judge.may_stand_for(held, JOKER, parse("Qc"))
    judge.may_stand_for(held, JOKER, parse("Ad"))


@pytest.mark.law("W-3", "W-9")
def test_no_duplicate_allows_the_fifth_of_a_kind() -> None:
    evaluator(STRICT).may_stand_for(parse_all("AcAdAhAsJk"), JOKER, parse("Ad"))


@pytest.mark.law("W-3")
def test_two_wild_cards_may_not_be_the_same_card() -> None:
    deuces = Ranking(wild=Wild(method=WildMethod.NO_DUPLICATE, ranks=(TWO,), call=DECLARE))
    held = parse_all("2c2dKs9h4d")
    judge = evaluator(deuces)
    judge.may_stand_for(held, parse("2c"), parse("Kd"))
    with pytest.raises(AlreadyHeld):
        judge.may_stand_for(held, parse("2d"), parse("Kd"), {parse("2c"): parse("Kd")})
    with pytest.raises(AlreadyHeld):
        judge.may_stand_for(held, parse("2d"), parse("2c"))
    judge.may_stand_for(held, parse("2d"), parse("2d"))


@pytest.mark.law("W-4")
def test_the_bug_is_an_ace_or_completes_something() -> None:
    judge = evaluator(BUG)
    held = parse_all("KcKdQhQsJk")
    judge.may_stand_for(held, JOKER, parse("Ac"))
    with pytest.raises(BugCannotBe) as refusal:
        judge.may_stand_for(held, JOKER, parse("Kh"))
    assert refusal.value.law == "W-4"
    judge.may_stand_for(parse_all("QsJhTd9cJk"), JOKER, parse("8d"))
    judge.may_stand_for(parse_all("QsJhTd9cJk"), JOKER, parse("Kd"))
    with pytest.raises(BugCannotBe):
        judge.may_stand_for(parse_all("QsJhTd9cJk"), JOKER, parse("7d"))
    judge.may_stand_for(parse_all("AcKc9c6cJk"), JOKER, parse("2c"))
    with pytest.raises(BugCannotBe):
        judge.may_stand_for(parse_all("AcKc9c6cJk"), JOKER, parse("Ac"))
    judge.may_stand_for(parse_all("AcAdAhAsJk"), JOKER, parse("Ac"))
    with pytest.raises(BugCannotBe):
        judge.may_stand_for(parse_all("Kc9cJk"), JOKER, parse("2c"))


@pytest.mark.law("W-4", "SP-1")
def test_the_bug_may_complete_a_special_hand_where_they_count() -> None:
    held = parse_all("7s5d4h2cJk")
    with pytest.raises(BugCannotBe):
        evaluator(BUG).may_stand_for(held, JOKER, parse("6d"))
    evaluator(Ranking(wild=BUG.wild, special=Special.CATS_DOGS)).may_stand_for(held, JOKER, parse("6d"))


@pytest.mark.law("W-4", "VB-7")
def test_for_low_the_bug_is_any_card() -> None:
    low = Ranking(scale=Scale.ACE_TO_FIVE, wild=BUG.wild)
    evaluator(low).may_stand_for(parse_all("7s5d4h2cJk"), JOKER, parse("3d"))


@pytest.mark.law("W-5", "W-1")
def test_only_cards_of_the_pack_and_only_wild_cards() -> None:
    judge = evaluator(Ranking(wild=FREE.wild, ranks=tuple(range(4, 13))))
    held = parse_all("AcKc9c6cJk")
    judge.may_stand_for(held, JOKER, parse("Ac"))
    for nothing in (parse("2c"), JOKER):
        with pytest.raises(NoSuchCard):
            judge.may_stand_for(held, JOKER, nothing)
    with pytest.raises(NotWild):
        judge.may_stand_for(held, parse("Ac"), parse("Kd"))
    with pytest.raises(NotWild):
        judge.may_stand_for(parse_all("AcKc"), JOKER, parse("Kd"))


GAMES = {
    "free": FREE,
    "strict": STRICT,
    "bug": BUG,
    "cats": Ranking(wild=BUG.wild, special=Special.CATS_DOGS),
    "27": Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=BUG.wild),
    "ace low": Ranking(scale=Scale.LOW_ACE_LOW, wild=STRICT.wild),
    "A5": Ranking(scale=Scale.ACE_TO_FIVE, wild=FREE.wild),
}


@pytest.mark.law("W-6", "W-8")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_best_lawful_word_is_what_the_dealer_would_say(game: str, data: st.DataObject) -> None:
    """`auto_best` is the maximum of `declare` over every card the method allows."""
    ranking = GAMES[game]
    judge = evaluator(ranking)
    suits = data.draw(st.sampled_from([(0, 1, 2, 3), (2,)]))
    pack = [card for card in WITH_JOKER_53 if card != JOKER and card % 4 in suits]
    held = [JOKER, *data.draw(st.lists(st.sampled_from(pack), min_size=4, max_size=5, unique=True))]
    best = 0
    for as_card in STANDARD_52:
        try:
            judge.may_stand_for(held, JOKER, as_card)
        except LawError:
            continue
        best = max(best, judge.declared(held, {JOKER: as_card}))
    assert best == judge.value(held)
