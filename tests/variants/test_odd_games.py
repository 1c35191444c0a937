"""The special rules of single games, in hands with chosen cards: changing wild cards, bought cards, rolling out, declaring."""

import pytest

from bot.engine.cards import card_text
from bot.engine.choices.designations import best_designation, designable_wild_cards
from bot.engine.commands import Show
from bot.engine.decide import decide_and_evolve
from bot.engine.events import OpenersShown
from bot.engine.stakes import Stakes
from bot.text.hand_names import hand_name
from tests.support.told import Told, deal

STUD = Stakes(ante=1, small_bet=10, big_bet=20, bring_in=5, price=30)


def deal_three(game: str, cards: dict[str, str], **stacks: int) -> Told:
    return deal(game, button="C", stacks=dict.fromkeys("ABC", 500) | stacks, cards=cards, stakes=STUD)


def all_call(hand: Told) -> None:
    """Let the opener bring in and the others call."""
    street = hand.street
    hand.play(f"{hand.to_act} brings in 5")
    while hand.street == street and any(word.startswith("call") for word in hand.options):
        hand.play(f"{hand.to_act} calls")


@pytest.mark.law("VC-23", "VB-9", "F-6")
def test_a_wild_door_card_is_not_the_lowest() -> None:
    """A queen, then a six: sixes are wild and so count as aces; the seven brings in."""
    hand = deal_three("follow_the_queen", {"A": "2c 3c Qs", "B": "2d 3d 6c", "C": "2h 3h 7c"})
    assert hand.hand.current_wild_ranks == (4,)
    assert hand.to_act == "C"


@pytest.mark.law("VC-23", "VB-9", "S-5", "F-7")
def test_up_cards_are_ranked_again_after_every_deal() -> None:
    """An eight follows the queen. On the next street a second eight is dealt: a pair of wild cards acts before queen and ten."""
    hand = deal_three("follow_the_queen", {"A": "2c 3c 7s 9h", "B": "2d 3d Qc Th", "C": "2h 3h 8c 8d"})
    assert hand.hand.current_wild_ranks == (6,)
    all_call(hand)
    assert hand.to_act == "C"


@pytest.mark.law("VC-23")
def test_another_queen_replaces_the_wild_rank() -> None:
    """Sixes follow the first queen. The second is the last up card of its street, so only queens are wild until the next card is dealt."""
    cards = {"A": "2c 3c Qs 9h 4d", "B": "2d 3d 6c Th 5d", "C": "2h 3h 7c Qd 7d"}
    hand = deal_three("follow_the_queen", cards)
    assert hand.view().wild_ranks == (10, 4)
    all_call(hand)
    assert hand.view().wild_ranks == (10,)
    for _ in range(3):
        hand.play(f"{hand.to_act} checks")
    assert hand.view().wild_ranks == (10, 2), "a four was the first card up after it"


@pytest.mark.law("VC-23")
def test_a_last_queen_up_leaves_only_queens_wild() -> None:
    cards = {"A": "2c 3c Qs 9h 4d 8h", "B": "2d 3d 6c Th 5d 9s", "C": "2h 3h 7c 9d 7d Qd"}
    hand = deal_three("follow_the_queen", cards)
    all_call(hand)
    for _ in range(6):
        assert hand.hand.current_wild_ranks == (4,)
        hand.play(f"{hand.to_act} checks")
    assert hand.street == "sixth street"
    assert hand.hand.current_wild_ranks == ()


@pytest.mark.law("VC-24", "F-6")
def test_a_four_up_brings_a_card_and_stays_door() -> None:
    """A's four brings a king, which is not the door card: the four is lower than the six."""
    hand = deal_three("baseball", {"A": "2c 5c 4s Kh", "B": "2d 5d 6c", "C": "2h 5h 7c"})
    assert [len(up) for up in hand.hand.up_indices] == [2, 1, 1]
    assert hand.to_act == "A"


@pytest.mark.law("VC-24")
def test_a_three_among_extra_cards_is_paid_for() -> None:
    hand = deal_three("baseball", {"A": "Ac Kc 4s 4h 3h", "B": "2d 5d 8c", "C": "2h 6h 9c"})
    assert hand.cards("A") == "Ac Kc 4s 4h 3h"
    assert (hand.to_act, hand.legal("A").offer_amount) == ("A", 30)
    hand.play("A pays")
    assert (hand.pot, hand.highest_bet, hand.bets) == (33, 0, {}), "dead money: no call, no raise"


@pytest.mark.law("VC-24", "TL-41", "TL-32")
def test_a_priced_card_is_paid_folded_or_all_in() -> None:
    cards = {"A": "2c 5c 3s", "B": "2d 5d 3c", "C": "2h 5h 3h"}
    hand = deal_three("baseball", cards, B=20, C=1)
    assert hand.legal("A").offer_amount == 30
    hand.play("A says nothing")
    assert (hand.to_act, hand.live, hand.legal("B").offer_amount) == ("B", ["B", "C"], 19)
    hand.play("B pays")
    assert hand.stacks["B"] == 0
    assert not hand.bets
    assert hand.over, "C is all-in for the ante and owes nothing; the cards are run"


@pytest.mark.law("VC-24")
def test_threes_and_nines_are_wild_and_down_threes_free() -> None:
    cards = {"A": "3c 9c As Ah Kd Qc 8d", "B": "2d 5d 8c Td Jh 6s 7s", "C": "2h 6h 7c Ts Jd 5s Kc"}
    hand = deal_three("baseball", cards)
    assert hand.legal(hand.to_act).offer_kind == ""
    all_call(hand)
    while not hand.over:
        hand.play(f"{hand.to_act} checks")
    assert set(hand.wins) == {"A"}
    made = hand.view("A").seats[0].made_hand
    assert made is not None
    assert hand_name(made) == "four of a kind, aces"


@pytest.mark.law("VC-22", "F-7")
def test_a_joker_up_is_an_ace_for_acting_first() -> None:
    assert deal_three("mexican_stud", {"A": "2c Ks", "B": "2d Jk", "C": "2h Kc"}).to_act == "B"
    assert deal_three("mexican_stud", {"A": "2c Kc", "B": "2d Ks", "C": "2h Qc"}).to_act == "A", "no suit decides"


@pytest.mark.law("VC-22", "TL-41")
def test_turning_the_down_card_up_deals_the_next_down() -> None:
    """Everybody gets five cards in the end, and has exactly one of them down in every betting round."""
    hand = deal_three("mexican_stud", {"A": "2c Ks", "B": "3d 4d", "C": "2h Qc"})
    all_call(hand)
    for street in ("third street", "fourth street", "fifth street"):
        assert hand.options == {"accept", "decline"}
        hand.play("A turns up", "B stays down", "C says nothing")
        assert hand.street == street
        assert [len(down) for down in hand.hand.down_indices] == [1, 1, 1]
        while not hand.over and hand.street == street and "check" in hand.options:
            hand.play(f"{hand.to_act} checks")
    assert hand.over
    assert [len(up) for up in hand.hand.up_indices] == [4, 4, 4]
    assert hand.hand.down_indices[1] == (1,), "a player who stays down keeps the first card hidden"


@pytest.mark.law("VC-22", "W-4", "W-5")
@pytest.mark.parametrize(("cards", "wins"), [("Jk Kd Kh 4c 5d", True), ("Kd Jk Kh 4c 5d", False)])
def test_a_joker_is_wild_down_and_a_bug_up(cards: str, wins: bool) -> None:
    """Down it makes three kings, which beat two pairs; up it is an ace beside a pair."""
    hand = deal(
        "mexican_stud", button="B", stacks={"A": 500, "B": 500}, stakes=STUD,
        cards={"A": cards, "B": "Qd Qc 6c 6d 2s"},
    )  # fmt: skip
    all_call(hand)
    while not hand.over:
        hand.play(f"{hand.to_act} {'declines' if 'decline' in hand.options else 'checks'}")
    assert set(hand.wins) == {"A" if wins else "B"}


ONES = Stakes(ante=1, limit=10)
PASSED = {"A": "As Ad Ac 2c 2d 3h 7s", "B": "Ks Kd Kc 4c 4d 3s 8s", "C": "2s 2h 4s 5c 6d 3d 9s"}


def everybody_does(hand: Told, does: str = "says nothing") -> None:
    for _ in hand.live:
        hand.play(f"{hand.to_act} {does}")


@pytest.mark.law("VC-26")
def test_passes_go_one_two_and_three_seats_left() -> None:
    """Four players: the third pass goes to the player on the right. Each time the cards given are the first dealt."""
    hand = deal("anaconda_three_passes", button="D", stacks=dict.fromkeys("ABCD", 200), stakes=ONES)
    hand.play("A bets 1", "B calls", "C calls", "D calls")
    for count, to in ((3, "B"), (2, "C"), (1, "D")):
        assert hand.options == {f"choose {count}"}
        given = set(hand.cards("A").split()[:count])
        everybody_does(hand)
        assert given <= set(hand.cards(to).split())
        assert all(len(down) == 7 for down in hand.hand.down_indices)
        everybody_does(hand, "checks")
    assert hand.options == {"choose 2"}


@pytest.mark.law("VC-26", "F-7", "TL-23")
@pytest.mark.parametrize(
    ("words", "wins"),
    [
        ({"A": "both", "B": "high", "C": "low"}, {"B": 3, "C": 3}),  # A is beaten for low, so A gets neither half
        ({"A": "high", "B": "high", "C": "low"}, {"A": 3, "C": 3}),
        ({"A": "high", "B": "low", "C": "high"}, {"A": 3, "B": 3}),  # the only one who declares low gets it
        ({"A": "high", "B": "high", "C": "high"}, {"A": 6}),
    ],
)
def test_declaring_both_wins_both_halves_or_nothing(words: dict[str, str], wins: dict[str, int]) -> None:
    hand = deal("anaconda_hilo", button="C", stacks=dict.fromkeys("ABC", 200), stakes=ONES, cards=PASSED)
    hand.play("A bets 1", "B calls", "C calls", "A passes 2c 2d 3h", "B passes 4c 4d 3s", "C passes 9s 2s 2h")
    everybody_does(hand, "checks")
    hand.play("A gives up 2s 2h", "B gives up 2c 2d", "C gives up 4c 4d")
    everybody_does(hand)
    for count in range(1, 5):
        assert [len(up) for up in hand.hand.up_indices] == [count] * 3
        assert hand.to_act == "A", "the highest hand on show: one, two and three aces"
        everybody_does(hand, "checks")
    hand.play(f"C declares {words['C']}")
    assert words["C"] not in str(hand.view("A").street_actions), "nothing is known before all have acted"
    hand.play(f"A declares {words['A']}", f"B declares {words['B']}")
    assert hand.wins == wins


@pytest.mark.law("VC-27", "Q-1")
def test_tied_guts_split_and_only_losers_match() -> None:
    cards = {"A": "As Kd 4c", "B": "Ah Kc 4d", "C": "Qs 7d 4h"}
    hand = deal("guts", button="C", stacks=dict.fromkeys("ABC", 200), cards=cards, stakes=Stakes(ante=10, cap=100))
    everybody_does(hand, "declares in")
    assert hand.wins == {"A": 15, "B": 15}
    assert hand.hand.carried_to_next_hand == 30
    assert hand.stacks == {"A": 205, "B": 205, "C": 160}


@pytest.mark.law("VC-27", "TL-1")
@pytest.mark.parametrize(("cap", "stack", "matched"), [(100, 200, 30), (12, 200, 12), (100, 25, 15)])
def test_a_loser_matches_the_pot_up_to_cap_and_stack(cap: int, stack: int, matched: int) -> None:
    cards = {"A": "As Ad 4c", "B": "Kh Kc 4d", "C": "Qs 7d 4h"}
    hand = deal(
        "guts", button="C", stacks={"A": 200, "B": stack, "C": 200}, cards=cards, stakes=Stakes(ante=10, cap=cap)
    )
    hand.play("C declares out", "A declares in", "B declares in")
    assert hand.hand.carried_to_next_hand == matched
    assert hand.stacks["B"] == stack - 10 - matched


@pytest.mark.law("VC-27")
@pytest.mark.parametrize(
    ("game", "best", "beaten"),
    [
        ("three-card guts", "2c 3c 4c", "As Ad Ah"),  # straight flush over threes
        ("three-card guts", "2c 2d 2h", "Ks Qd Ah"),  # threes over a straight
        ("three-card guts", "2c 3d 4h", "As Ks 9s"),  # a straight over a flush
        ("three-card guts", "2c 7c 4c", "As Ad Kh"),  # a flush over a pair
        ("two-card guts", "2c 2d", "As Ks"),
        ("five-card guts", "2c 3c 4c 5c 9c", "As Ks Qd Jh Td"),
    ],
)
def test_how_guts_rank(game: str, best: str, beaten: str) -> None:
    hand = deal(
        game, button="B", stacks={"A": 200, "B": 200}, cards={"A": beaten, "B": best}, stakes=Stakes(ante=10, cap=50)
    )
    everybody_does(hand, "declares in")
    assert hand.wins == {"B": 20}


@pytest.mark.law("VC-21", "X-7", "P-6")
def test_ten_may_draw_at_spit_in_the_ocean() -> None:
    """Forty-one cards are out; the discards of those served come back for the last."""
    names = "ABCDEFGHIJ"
    hand = deal("spit", button="J", stacks=dict.fromkeys(names, 200), stakes=ONES)
    hand.play("A bets 1", *(f"{name} calls" for name in names[1:]))
    for name in names:
        assert hand.options == {"draw 0..3"}, name
        hand.play(f"{name} draws 3")
    held = [card for name in names for card in hand.cards(name).split()] + hand.board().split()
    assert len(set(held)) == len(held) == 41


@pytest.mark.law("VC-20")
def test_split_openers_are_proved_from_the_discards() -> None:
    """B opens on two jacks and discards one to draw to a flush. Both are shown at the end."""
    hand = deal(
        "jackpots", button="C", stacks=dict.fromkeys("ABC", 200), stakes=ONES,
        cards={"A": "2s 4d 6c 8d Th", "B": "Js Jd 2d 5d 9d", "C": "As Kd 2c 7c 8h"},
    )  # fmt: skip
    hand.play("A checks", "B bets 5", "C calls", "A folds", "B discards Js", "C stands pat", "B bets 5", "C folds")
    (shown,) = hand.events_of(OpenersShown)
    assert {card_text(hand.hand.deck[card_index]) for card_index in shown.card_indices} == {"Js", "Jd"}
    assert shown.seat == hand.seat("B")


@pytest.mark.law("VC-20")
@pytest.mark.parametrize(
    ("cards", "opens"),
    [
        ("Ts Td 4c 7d 9h", False),
        ("As Kd Qc Jd 9h", False),
        ("Js Jd 2c 5d 9c", True),
        ("2s 2d 3c 3d 9c", True),
        ("2s 2d 2c 3d 9c", True),
        ("2s 3d 4c 5d 6c", True),
        ("2s 4s 6s 8s Ts", True),
    ],
)
def test_what_opens_a_jackpot(cards: str, opens: bool) -> None:
    """A pair of jacks or any better hand can open."""
    hand = deal("jackpots", button="C", stacks=dict.fromkeys("ABC", 200), stakes=ONES, cards={"A": cards})
    assert ("bet 1..10" in hand.options) == opens


@pytest.mark.law("VC-21", "W-7", "VB-13")
@pytest.mark.parametrize(("says", "wins"), [("best", "A"), ("nothing", "B")])
def test_the_turned_card_is_designated_where_wild_cards_are(says: str, wins: str) -> None:
    """A five is turned, and A holds one: four kings if A names it, otherwise two pairs. B has three aces with the common five."""
    hand = deal(
        "spit + strict", button="B", stacks={"A": 200, "B": 200}, stakes=ONES, board="5h",
        cards={"A": "Ks Kd 5c 2d", "B": "As Ad Qc Jd"},
    )  # fmt: skip
    hand.play("A bets 2", "B calls", "A stands pat", "B stands pat", "A checks", "B checks")
    for name in "AB":
        assert hand.to_act == name
        legal_actions, view = hand.legal(name), hand.view(name)
        named = designable_wild_cards(view, legal_actions)
        assert [card_text(card) for _, card in named] == (["5c", "5h"] if name == "A" else ["5h"])
        said = best_designation(view, legal_actions) if name == "B" or says == "best" else ()
        assert {meant >> 2 for _, meant in said} == ({12} if name == "B" else {11} if said else set())
        events, after = decide_and_evolve(hand.hand, hand.seat(name), Show(designations=said))
        hand.hand = after
        hand.events += events
    assert set(hand.wins) == {wins}
