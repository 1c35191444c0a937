"""Hands of baseball: players are dealt to one after the other, and each card's effect is settled before the next card (VC-24)."""

import pytest
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.cards import FOUR, STANDARD_52, THREE, card_text
from bot.engine.customs import ExtraCardRank, PricedRank
from bot.engine.refusals import NothingOffered, NotYourTurn
from bot.engine.rule_card import RuleCard, with_custom
from bot.engine.stakes import Stakes
from bot.engine.steps import AnyStep as Step
from bot.engine.steps import BettingRound, DealDown, DealUp, DealUpInTurn, PostForcedBets, Showdown
from bot.history import phh
from bot.history import record as notation
from bot.history.game_of_record import differences
from bot.history.game_of_record import replay as replay_record
from bot.history.lines import history_lines
from bot.text.actions import action_told
from bot.text.hand_history import hand_as_text
from bot.variants import game
from tests.support.told import Told, deal

STAKES = Stakes(ante=1, small_bet=10, big_bet=20, bring_in=3, price=30)
DECK = tuple(sorted(STANDARD_52, key=lambda card: card >> 2 in (THREE, FOUR)))
"""A deck with threes and fours at the bottom, so that none comes unless the story names it."""
BASEBALL = game("baseball")
MATCHING = with_custom(BASEBALL, PricedRank(THREE, costs_pot=True))


def around(cards: str, card: RuleCard = BASEBALL, stakes: Stakes = STAKES, **stacks: int) -> Told:
    """Return a hand with one player for each card and D as dealer: two cards down, then these up. ``4s Kh`` is a four and its extra."""
    ups = [up.strip() for up in cards.split("|")]
    names = "ABCDEFGHI"[: len(ups)]
    told = {name: f"? ? {up}" for name, up in zip(names, ups, strict=True) if up}
    return deal(
        card, button=names[-1], stacks=dict.fromkeys(names, 500) | stacks, stakes=stakes, cards=told, deck_order=DECK,
    )  # fmt: skip


def showing(hand: Told) -> str:
    """Return the up cards of each player: ``7s | 3h | - | -``."""
    seats = hand.view().seats
    return " | ".join(
        " ".join(card_text(one.card) for one in seat.cards if one.card is not None) or "-" for seat in seats
    )


def said(hand: Told) -> list[str]:
    return [
        action_told(action, hand.names[action.seat_index])
        for action in hand.view().street_actions
        if action.verb != "post"
    ]


def all_in_turn(hand: Told, bring_in: int = 3) -> None:
    """Let the opener bring in and the others call, or let all check."""
    street = hand.street
    while not hand.over and hand.street == street and not hand.legal(hand.to_act).offer_kind:
        may = hand.legal(hand.to_act)
        hand.play(f"{hand.to_act} " + (f"brings in {bring_in}" if may.bring_in else "checks" if may.check else "calls"))


@pytest.mark.law("VC-24")
def test_three_is_paid_for_before_the_next_player_is_dealt() -> None:
    """B's three is the second of four cards: C and D have no up card until it is paid for."""
    hand = around("7s | 3h | 9d | Ts")
    assert showing(hand) == "7s | 3h | - | -"
    assert (hand.to_act, hand.legal("B").offer_amount, hand.options) == ("B", 30, {"accept", "decline"})
    assert [len(hand.view(name).seats[hand.seat(name)].cards) for name in "ABCD"] == [3, 3, 2, 2]
    assert hand.hand.next_card_index == 8 + 2, "no further card has left the deck"
    hand.refuses("C folds", NotYourTurn)
    hand.refuses("C pays", NothingOffered)
    hand.play("B pays")
    assert showing(hand) == "7s | 3h | 9d | Ts"
    assert said(hand) == ["B pays 30 for the three of hearts"]
    assert (hand.pot, hand.highest_bet, hand.bets) == (4 + 30, 0, {}), "dead money: no call, no raise"
    assert hand.street == "third street"


@pytest.mark.law("VC-24")
def test_extra_card_and_its_price_are_settled_at_once() -> None:
    """The extra card for a four is a three. It is paid for while C still waits."""
    hand = around("7s | 4h 3h | 9d")
    assert (showing(hand), hand.to_act) == ("7s | 4h 3h | -", "B")
    hand.play("B pays")
    assert showing(hand) == "7s | 4h 3h | 9d"
    assert [type(event) for event in hand.events if isinstance(event, e.DealtUpToSeat | e.ExtraCardDealt | e.PricePaid)] == [
        e.DealtUpToSeat, e.DealtUpToSeat, e.ExtraCardDealt, e.PricePaid, e.DealtUpToSeat,
    ]  # fmt: skip
    assert said(hand) == ["B gets a card for the four of hearts", "B pays 30 for the three of hearts"]


@pytest.mark.law("VC-24")
def test_each_four_takes_the_card_right_after_it() -> None:
    hand = around("4s 4h Kd | 4c Qd | 9d")
    assert showing(hand) == "4s 4h Kd | 4c Qd | 9d"
    assert [event.card_index for event in hand.events_of(e.ExtraCardDealt)] == [7, 8, 10]
    assert [event.card_index for event in hand.events_of(e.DealtUpToSeat)] == [6, 9, 11]


@pytest.mark.law("VC-24")
def test_a_card_that_a_four_brings_face_down_costs_nothing() -> None:
    hand = around("7s | 4h 3h | 9d", with_custom(BASEBALL, ExtraCardRank(FOUR, face_down=True)))
    assert showing(hand) == "7s | 4h | 9d"
    assert len(hand.hand.down_indices[1]) == 3
    assert hand.street == "third street"


@pytest.mark.law("VC-24", "TL-41")
@pytest.mark.parametrize("answer", ["B does not pay", "B says nothing"])
def test_refusing_the_price_folds_and_dealing_continues(answer: str) -> None:
    hand = around("7s | 3h | | Ts")
    top = hand.hand.next_card_index
    hand.play(answer)
    assert hand.hand.up_indices[2] == (top,), "the card on top of the deck is C's"
    assert (hand.live, hand.pot) == (["A", "C", "D"], 4)
    assert hand.street == "third street"
    assert hand.view().seats[1].cards == (), "the cards are gone"
    assert said(hand) == ["B folds"]


@pytest.mark.law("VC-24")
def test_fold_at_a_price_is_shown_on_a_later_street() -> None:
    """Actions before the bets disappear with them. A player who has not paid since is among the last actions."""
    hand = around("7s 3c | 8h 9h | 9d Ts | Jd Qd")
    all_in_turn(hand)
    assert hand.to_act == "A"
    hand.play("A does not pay")
    assert hand.street == "fourth street"
    assert said(hand) == ["A folds"]


@pytest.mark.law("VC-24")
def test_two_fold_and_the_street_continues_with_the_others() -> None:
    hand = around("7s | 3h | 3d | Ts")
    hand.play("B does not pay")
    assert (showing(hand), hand.to_act) == ("7s | - | 3d | -", "C")
    hand.play("C does not pay")
    assert (showing(hand), hand.live) == ("7s | - | - | Ts", ["A", "D"])
    assert hand.street == "third street"


@pytest.mark.law("VC-24", "B-18")
def test_the_last_one_left_wins_without_another_card() -> None:
    """A and B do not pay. C has had no up card yet and gets none."""
    hand = around("3s | 3h |")
    hand.play("A does not pay")
    place = hand.hand.next_card_index
    hand.play("B does not pay")
    assert (hand.over, hand.wins, hand.shown) == (True, {"C": 3}, [])
    assert (hand.hand.up_indices[2], hand.hand.next_card_index) == ((), place)


@pytest.mark.law("VC-24", "TL-32")
def test_all_in_player_pays_nothing_and_gets_the_extra_card() -> None:
    """B is all-in for the ante."""
    hand = around("7s | 4h 3h | 9d", B=1)
    assert showing(hand) == "7s | 4h 3h | 9d"
    assert not hand.events_of(e.PricePaid)
    assert hand.street == "third street"


@pytest.mark.law("VC-24", "TL-3")
def test_price_above_the_stack_puts_the_player_all_in() -> None:
    """A player pays nineteen of thirty. A second three on the next street finds them without chips and costs nothing."""
    hand = around("7s 8c | 3h 3d | 9d Tc", B=20)
    assert hand.legal("B").offer_amount == 19
    hand.play("B pays")
    assert (hand.stacks["B"], hand.pot, hand.bets) == (0, 3 + 19, {})
    assert showing(hand) == "7s | 3h | 9d"
    assert "pays 19 all-in for the three of hearts" in hand_as_text(history_lines(hand.events, hand.hand.deck))
    assert said(hand) == ["B pays 19 all-in for the three of hearts"]
    all_in_turn(hand)
    assert showing(hand) == "7s 8c | 3h 3d | 9d Tc", "nothing was asked"


@pytest.mark.law("VC-24", "TL-3")
def test_a_price_before_an_all_in_is_no_all_in() -> None:
    """B pays 30 of 60 and calls with what is left: the call was all-in, the price was not."""
    hand = around("7s | 3h | Kd", B=60)
    hand.play("B pays")
    assert said(hand) == ["B pays 30 for the three of hearts"]
    hand.play(f"{hand.to_act} bets 10")
    while hand.stacks["B"]:
        may = hand.legal(hand.to_act)
        hand.play(f"{hand.to_act} " + (f"raises to {may.min_to}" if may.max_to else "calls"))
    told = said(hand)
    assert told[0] == "B pays 30 for the three of hearts"
    assert [line for line in told[1:] if line.startswith("B ") and "all-in" in line], told


@pytest.mark.law("VC-24", "TL-42")
def test_last_player_with_chips_still_pays_for_threes() -> None:
    hand = around("7s | 3h | 9d", A=1, C=1)
    hand.play("B pays")
    assert hand.over
    assert sum(hand.wins.values()) == 3 + 30


@pytest.mark.law("VC-24")
def test_matched_price_grows_with_each_three() -> None:
    """There are four antes. A matches them, and B matches the eight. C would have to pay sixteen and folds."""
    hand = around("3s | 3h | 3d | Ts", MATCHING)
    assert hand.legal("A").offer_amount == 4
    hand.play("A pays")
    assert hand.legal("B").offer_amount == 8
    hand.play("B pays")
    assert hand.legal("C").offer_amount == 16
    hand.play("C does not pay")
    assert (hand.pot, hand.stacks["A"], hand.stacks["B"]) == (16, 495, 491)


@pytest.mark.law("VC-24")
def test_empty_pot_makes_threes_free_for_good() -> None:
    hand = around("3s 8c | 7h 8d | 9d Tc", MATCHING, replace(STAKES, ante=0))
    assert (hand.street, hand.pot) == ("third street", 0)
    all_in_turn(hand)
    assert (hand.street, hand.pot) == ("fourth street", 9)
    assert not hand.events_of(e.DecisionRequested)


@pytest.mark.law("VC-24", "F-6")
def test_door_card_is_the_dealt_card_not_the_extra() -> None:
    hand = around("4s 2c | 5h | 9d")
    assert hand.to_act == "A"
    hand = around("8s | 4h Kd | 9d")
    assert hand.to_act == "B", "the four, and not the king that it brought"


def with_every_card_dealt(*more: Step) -> RuleCard:
    """Return baseball for thirteen players with three cards down and one up: they need every card of the deck."""
    steps = (PostForcedBets(), DealDown(3), DealUpInTurn(), BettingRound("third street"), *more, Showdown())
    return replace(BASEBALL, seats_max=13, steps=steps)


def thirteen(card: RuleCard, ups: dict[str, str]) -> Told:
    names = "ABCDEFGHIJKLM"
    cards = {name: f"? ? ? {up}" for name, up in ups.items()}
    return deal(card, button="M", stacks=dict.fromkeys(names, 500), stakes=STAKES, cards=cards, deck_order=DECK)


@pytest.mark.law("VC-24", "VC-5")
def test_four_brings_nothing_when_remaining_cards_are_due_to_others() -> None:
    """Everybody gets their card of the street. Nobody gets an extra card that another player needs."""
    hand = thirteen(with_every_card_dealt(), {"A": "4s", "E": "4h"})
    while hand.legal(hand.to_act).offer_kind:
        hand.play(f"{hand.to_act} pays")
    assert [len(up) for up in hand.hand.up_indices] == [1] * 13
    assert [event.card_index for event in hand.events_of(e.ExtraCardDealt)] == [-1] * 4, "all four fours are out"
    all_in_turn(hand)
    while not hand.over:
        hand.play(f"{hand.to_act} says nothing")


@pytest.mark.law("VC-24", "VC-5", "X-7")
def test_unservable_street_is_one_free_common_card() -> None:
    """The deck is empty and nothing was burned. The folded cards are shuffled, and one of them is a common card for all."""
    hand = thirteen(with_every_card_dealt(DealUpInTurn(), BettingRound("fourth street")), {"A": "4s"})
    while hand.legal(hand.to_act).offer_kind:
        hand.play(f"{hand.to_act} does not pay")
    dropped = 13 - len(hand.live)
    assert dropped
    all_in_turn(hand)
    assert [len(up) for up in hand.hand.up_indices if up].count(1) == 13
    assert len(hand.hand.board_indices[0]) == 1
    (shuffled,) = hand.events_of(e.Reshuffled)
    assert len(shuffled.card_indices) == 3 * dropped
    assert hand.street == "fourth street"


@pytest.mark.law("VC-5")
def test_with_nothing_left_at_all_the_street_has_no_card() -> None:
    hand = thirteen(
        with_every_card_dealt(DealUpInTurn(), DealUp(1), DealDown(1), BettingRound("fourth street")), {"A": "4s"}
    )
    while not hand.over:
        may = hand.legal(hand.to_act)
        if may.offer_kind:
            action = "pays"
        elif may.bring_in:
            action = "brings in 3"
        elif may.show:
            action = "says nothing"
        else:
            action = "calls" if may.call_chips else "checks"
        hand.play(f"{hand.to_act} {action}")
    assert (hand.hand.board_indices, len(hand.shown) > 0) == (((),), True)


@pytest.mark.law("VC-24", "VC-5")
def test_burned_cards_are_used_before_an_extra_card_fails() -> None:
    """There are eight players. On sixth street the last card of the deck is H's four, and a burned card is dealt for it."""
    names = "ABCDEFGH"
    cards = {"A": "3c 3d", "C": "4d 4s", "D": "3h 3s", "B": "? ? 4c", "H": "? ? ? ? ? 4h"}
    hand = deal(
        replace(BASEBALL, seats_max=8), button="H", stacks=dict.fromkeys(names, 500), stakes=STAKES, cards=cards, deck_order=DECK,
    )  # fmt: skip
    for _ in range(3):
        all_in_turn(hand)
    (shuffled,) = hand.events_of(e.Reshuffled)
    assert len(shuffled.card_indices) == 3
    assert hand.events_of(e.ExtraCardDealt)[-1].card_index == 52
    assert [len(up) for up in hand.hand.up_indices] == [4, 5, 4, 4, 4, 4, 4, 5]


@pytest.mark.law("VC-24", "TL-37")
@pytest.mark.parametrize("reader", [notation.PUBLIC, notation.ALL_KNOWING, 0, 3])
def test_hand_is_recorded_and_replayed(reader: notation.HistoryViewer) -> None:
    hand = around("7s 3c 8s | 4h 3h 2h 4d Kh | 3d | Ts 5c 6c", with_custom(BASEBALL, PricedRank(THREE, costs_pot=True)))
    hand.play("B pays", "C does not pay")
    all_in_turn(hand)
    hand.play("A pays")
    while not hand.over:
        all_in_turn(hand)
    record = phh.parse(notation.to_phh(hand.events, hand.hand.deck, reader))
    played = replay_record(record)
    assert list(differences(record, played)) == []
    assert reader is not notation.ALL_KNOWING or len(played.events) == len(hand.events)
    told = [phh.write_action(action) for action in record.actions]
    at = told.index("p2 ok")
    assert any(line.startswith("d dh p2") and line.endswith("4h3h") for line in told[:at])
    assert told[at + 1] == "d dh p3 3d", "only now"


@pytest.mark.law("VC-24")
def test_history_text_shows_price_before_the_next_card() -> None:
    hand = around("7s | 3h | 9d")
    hand.play("B pays")
    lines = hand_as_text(history_lines(hand.events, hand.hand.deck), ("Ann", "Bo", "Cy")).splitlines()
    paid = lines.index("Bo pays 30 for the three of hearts")
    assert "Dealt to Bo [?? ?? 3h]" in lines[:paid]
    assert "Dealt to Cy 2 cards" in lines[:paid]
    assert lines[paid + 1] == "Dealt to Cy [9d]"


@pytest.mark.law("VC-5", "VC-24")
def test_completion_keeps_its_verb_while_next_street_is_paid() -> None:
    hand = around("5s 3h|Kh|Qd")
    hand.play("A brings in 3", "B completes to 10", "C calls", "A calls")
    assert hand.to_act == "A"
    assert [line for line in said(hand) if "B" in line] == ["B completes to 10 (puts in 10)"]
