"""Which cards are wild and how, told: single cards and classes of cards, a joker with a method of its own, two jokers (A4 W, K-3)."""

import pytest

from bot.engine.cards import JOKER, SECOND_JOKER
from bot.engine.choices.designations import best_designation
from bot.engine.events import Designated
from bot.engine.ranking.value import Category
from bot.engine.refusals import NotYourCard
from bot.engine.stakes import Stakes
from bot.engine.view.redact import ALL_KNOWING
from bot.history.lines import history_lines
from bot.history.phh import parse, write
from bot.history.phh_fields import rule_card_of
from bot.history.record import to_phh
from bot.history.replay import replay_record
from bot.text.hand_history import hand_as_text
from tests.support.told import Told, deal

STACKS = {"Ann": 1000, "Bo": 1000}
STAKES = Stakes(ante=5, limit=50)


def drawn_out(game: str, ann: str, bo: str, **options: object) -> Told:
    """Ann and Bo are dealt these hands of five-card draw, nobody bets, both stand pat, and they show."""
    hand = deal(
        f"hoyle draw{game}", button="Bo", stacks=STACKS, stakes=STAKES, cards={"Ann": ann, "Bo": bo}, options=options
    )
    hand.play("Ann bets 5", "Bo calls", "Ann stands pat", "Bo stands pat", "Ann checks", "Bo checks")
    return hand


def names_of(hand: Told) -> dict[str, Category]:
    return {hand.names[seat.seat_index]: seat.made_hand.category for seat in hand.view().seats if seat.made_hand}


@pytest.mark.law("W-1")
@pytest.mark.parametrize(
    ("wild", "ann", "bo"),
    [
        ("queen of spades wild", "Ah Ad Qs 7c 3d", "Kh Kd 9c 9s 4d"),  # three aces beat kings up
        ("suicide king wild", "Ah Ad Kh 7c 3d", "Qh Qd Kc Ks 4d"),
        ("black twos wild", "Ah Ad 2c 7c 3d", "Kd Kc 9c 9s 2h"),  # the red deuce is a deuce
        ("hearts wild", "Ac Ad 7h 3h 4d", "Kc Kd Ks 9s 9c"),  # four aces beat a full house
        ("one-eyed jacks wild", "Ah Ad Jh 7c 3d", "Kh Kd Jc Jd 4d"),
    ],
)
def test_any_card_or_class_is_wild(wild: str, ann: str, bo: str) -> None:
    assert set(drawn_out(f" + {wild}", ann, bo).wins) == {"Ann"}
    typed = wild.removesuffix(" wild")
    assert set(drawn_out("", ann, bo, wild_method="free", wild_cards=typed).wins) == {"Ann"}
    assert set(drawn_out("", ann, bo).wins) == {"Bo"}, "without it the better hand is the other one"


@pytest.mark.law("W-1", "W-4")
@pytest.mark.parametrize("name", [" + deuces wild + joker bug", " + joker bug + deuces wild"])
def test_deuces_stay_free_beside_a_bug(name: str) -> None:
    """Kings and queens with a deuce are a full house; with the bug they are two pairs."""
    hand = drawn_out(name, "Kh Kd Qc Qd 2c", "Ah Ad As 4c 9s")
    assert set(hand.wins) == {"Ann"}
    hand = drawn_out(name, "Kh Kd Qc Qd Jk", "Ah Ad As 4c 9s")
    assert set(hand.wins) == {"Bo"}
    assert names_of(hand) == {"Ann": Category.TWO_PAIR, "Bo": Category.THREE_OF_A_KIND}


@pytest.mark.law("W-1", "W-4")
def test_bug_stays_a_bug_when_a_table_makes_deuces_wild() -> None:
    hand = drawn_out(" + joker bug", "Kh Kd Qc Qd Jk", "Ah Ad 2s 4c 9s", wild_cards="deuces")
    assert set(hand.wins) == {"Bo"}


@pytest.mark.law("K-3", "R-2")
def test_two_jokers_make_five_of_a_kind() -> None:
    hand = drawn_out(" + two jokers", "Ah Ad As Jk Jo", "9h 8h 7h 6h 5h")
    assert set(hand.wins) == {"Ann"}
    assert names_of(hand)["Ann"] == Category.FIVE_OF_A_KIND


@pytest.mark.law("K-3", "K-4")
def test_stripped_deck_takes_a_joker() -> None:
    hand = drawn_out(" + 36 + joker bug", "Ah Ad Kc Qs Jk", "Kh Kd 9c 9s 6d")
    assert set(hand.wins) == {"Ann"}, "the bug is the third ace"
    assert len(hand.hand.deck) == 37


@pytest.mark.law("K-3", "W-7")
def test_two_jokers_are_named_each_for_itself() -> None:
    hand = drawn_out(" + two jokers + strict", "Ah Ad 7s Jk Jo", "9h 8h 7h 6h 5h")
    hand.refuses("Ann shows, Jk as As, Jk as Ac", NotYourCard)
    proposed = best_designation(hand.view("Ann"), hand.legal("Ann"))
    assert {hand.hand.deck[card_index] for card_index, _ in proposed} == {JOKER, SECOND_JOKER}
    hand.play("Ann shows, Jk as As, Jo as Ac")
    named = hand.events_of(Designated)[0]
    assert [hand.hand.deck[card_index] for card_index, _ in named.designations] == [JOKER, SECOND_JOKER]
    assert names_of(hand)["Ann"] == Category.FOUR_OF_A_KIND
    assert set(hand.wins) == {"Bo"}, "a straight flush beats four aces"


@pytest.mark.law("K-3", "W-1")
@pytest.mark.parametrize(
    ("game", "ann", "wild"),
    [
        (" + two jokers", "Ah Ad As Jk Jo", "Wild: the jokers"),
        (" + 32 + two jokers + joker bug", "Ah Ad As Jk Jo", "The jokers are bugs"),
        (" + Qs, black twos wild", "Ah Ad Qs 2c 2s", "Wild: black deuces, the queen of spades"),
        (" + hearts wild + joker bug", "Ah Ad 7h Jk 8c", "Wild: hearts · The joker is a bug"),
    ],
)
def test_wild_cards_are_exported_and_read_back(game: str, ann: str, wild: str) -> None:
    hand = drawn_out(game, ann, "Kh Kd 9c 9s 8d")
    text = to_phh(hand.events, hand.hand.deck, ALL_KNOWING)
    record = parse(text)
    card = rule_card_of(record)
    again = replay_record(record, card if card is not None else hand.hand.rules.rule_card)
    assert again.hand.rules.options == hand.hand.rules.options
    assert again.hand.stacks == hand.hand.stacks
    assert write(record) == text
    told = hand_as_text(history_lines(hand.events, hand.hand.deck, ALL_KNOWING))
    assert f"\n{wild}\n" in told
