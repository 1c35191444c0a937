"""Everybody sees what seats do between two betting rounds: cards turned up, extra cards, prices paid (VC-22, VC-24)."""

import pytest

from bot.engine.cards import JOKER
from bot.engine.events import OpenersShown
from bot.engine.stakes import Stakes
from bot.text.actions import action_note, action_told
from tests.support.told import Told, deal


def told(hand: Told) -> list[str]:
    """Return the last actions as everybody reads them."""
    return [action_told(action, "ABC"[action.seat_index]) for action in hand.view(None).street_actions]


def three(game: str, cards: dict[str, str]) -> Told:
    stakes = Stakes(ante=1, small_bet=10, big_bet=20, bring_in=3, price=30)
    return deal(game, button="C", stacks=dict.fromkeys("ABC", 500), stakes=stakes, cards=cards)


@pytest.mark.law("VC-24")
def test_prices_and_extra_cards_are_public() -> None:
    """They are listed in the betting round that they come before. The next one begins without them."""
    hand = three("baseball", {"A": "Ac Kc 3s 4d 7c 8c", "B": "2d 5d 8d 3h", "C": "2h 6h 9d Ts"})
    hand.play("A pays")
    assert told(hand)[-1] == "A pays 30 for the three of spades"
    assert action_note(hand.view(None).seats[0].last_action) == "paid 30"  # type: ignore[arg-type]
    hand.play("B brings in 3", "C calls", "A calls")
    assert (hand.to_act, hand.legal("B").offer_amount) == ("B", 30)
    assert told(hand)[-2:] == ["A calls 3", "A gets a card for the four of diamonds"]
    hand.play("B pays")
    since = ["A gets a card for the four of diamonds", "B pays 30 for the three of hearts"]
    assert told(hand) == since, "what was before the bets is gone with them"
    hand.play(f"{hand.to_act} checks")
    assert told(hand)[:-1] == since


@pytest.mark.law("VC-22")
def test_a_card_turned_up_is_named_to_all() -> None:
    hand = three("mexican_stud", {"A": "Kc 5c", "B": "Ad 6d", "C": "2h 7h"})
    while not hand.legal(hand.to_act).offer_kind:
        may = hand.legal(hand.to_act)
        hand.play(f"{hand.to_act} " + ("checks" if may.check else f"bets {may.bring_in}" if may.bring_in else "calls"))
    card = hand.cards(hand.to_act).split()[0]
    who = hand.to_act
    hand.play(f"{who} turns up")
    named = {"Kc": "king of clubs", "Ad": "ace of diamonds", "2h": "deuce of hearts"}[card]
    assert told(hand)[-1] == f"{who} turns up the {named}"
    assert action_note(hand.view(None).seats["ABC".index(who)].last_action) == f"turned up the {named}"  # type: ignore[arg-type]


@pytest.mark.law("VC-22")
def test_card_left_down_is_announced_without_naming_it() -> None:
    """It is listed before the bets that follow it, and beside them."""
    hand = three("mexican_stud", {"A": "Kc 5c", "B": "Ad 6d", "C": "2h 7h"})
    while not hand.legal(hand.to_act).offer_kind:
        may = hand.legal(hand.to_act)
        hand.play(f"{hand.to_act} " + ("checks" if may.check else f"bets {may.bring_in}" if may.bring_in else "calls"))
    answers = []
    while hand.to_act and hand.legal(hand.to_act).offer_kind:
        answers.append(f"{hand.to_act} keeps the card down")
        hand.play(f"{hand.to_act} declines")
    assert len(answers) == 3 and told(hand) == answers
    assert action_note(hand.view(None).seats[0].last_action) == "kept it down"  # type: ignore[arg-type]
    hand.play(f"{hand.to_act} checks")
    assert told(hand)[:-1] == answers, "of this betting round"


@pytest.mark.law("VC-22")
def test_ranking_for_everybody_is_nobodys_own() -> None:
    """A joker that lies open is a bug in its owner's hand alone. What everybody is told of the ranking stays the same."""
    hand = three("mexican_stud", {"A": "Kc 5c", "B": "Ad 6d", "C": "Jk 7h"})
    before = hand.view(None).shares
    while not hand.legal(hand.to_act).offer_kind:
        may = hand.legal(hand.to_act)
        hand.play(f"{hand.to_act} " + ("checks" if may.check else f"bets {may.bring_in}" if may.bring_in else "calls"))
    while hand.to_act != "C":
        hand.play(f"{hand.to_act} declines")
    hand.play("C turns up")
    assert any(seen.card is not None and seen.card >= JOKER for seen in hand.view(None).seats[2].cards)
    assert hand.view(None).shares == before
    assert hand.view("C").shares != before


@pytest.mark.law("VC-20", "TL-41")
@pytest.mark.parametrize(
    ("cards", "laid", "splits"),
    [
        ("Js Jd 2c 5d 9c", "2c 5d 9c", False),
        ("Js Jd 2c 5d 9c", "Jd 9c", True),  # for a straight or a flush
        ("Js Jd Jc 5d 9c", "Jc 5d 9c", False),  # two jacks open as well
        ("Ts Td 5c 5d 9c", "9c", False),  # opened on two pairs, and keeps them
        ("Ts Td 5c 5d 9c", "5c 5d 9c", True),  # tens open nothing
        ("6s 7s 8d 9c Th", "6s", True),
    ],
)  # fmt: skip
def test_splitting_openers_is_announced(cards: str, laid: str, splits: bool) -> None:
    """Nothing else of the discards is public. The default stands pat."""
    hand = deal(
        "jackpots", button="D", stacks=dict.fromkeys("ABCD", 200), stakes=Stakes(ante=1, limit=10),
        cards={"A": "Ks 4d 7c 3d 2h", "B": cards, "C": "As Kd 2d 7d 8h", "D": "Qs 4c 3c Kh 8s"},
    )  # fmt: skip
    hand.play("A checks", "B bets 5", "C calls", "D folds", "A calls", "A stands pat")
    assert hand.view("B").seat_of_opener == 1
    hand.play(f"B discards {laid}")
    count = len(laid.split())
    assert told(hand)[-1] == f"B draws {count}" + (", splitting openers" if splits else "")
    hand.play("C stands pat", "B bets 5", "C folds", "A folds")
    assert len(hand.events_of(OpenersShown)) == 1
