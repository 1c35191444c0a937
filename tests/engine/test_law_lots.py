"""Odd chips that are drawn by lot: every lot has cards of its own, and nobody gets two odd chips of one pot.

Laws: Q-2, TL-23, TL-22 (source 000).
"""

import random

import pytest

from bot.engine.cards import STANDARD_52, card_text
from bot.engine.events import PotsPaid
from bot.engine.stakes import Stakes
from bot.history.record import record_hand
from bot.history.replay import replay_record
from tests.support.told import Told, deal

NAMES = ("Ann", "Bo", "Cy", "Dee")
STAKES = Stakes(small_blind=1, big_blind=2)


def shuffled(seed: int) -> tuple[int, ...]:
    """The cards that no story names, in an order that the seed decides."""
    deck = list(STANDARD_52)
    random.Random(seed).shuffle(deck)
    return tuple(deck)


def odd_chips(hand: Told) -> list[tuple[str, int, str]]:
    """Who got an odd chip, of which pot and share."""
    (paid,) = hand.events_of(PotsPaid)
    return [(hand.names[one.seat], one.pot_index, one.share) for one in paid.payments if one.odd_chips]


def high_and_low_share_one_player(seed: int) -> Told:
    """Ann and Bo tie for the high half of 7, Ann and Cy for the low half of 7."""
    hand = deal(
        "limit_omaha8", button="Dee", stacks=dict.fromkeys(NAMES, 100), stakes=STAKES, carried=6,
        cards={"Ann": "Ac 2c Kd Qd", "Bo": "9s Td Ks Qs", "Cy": "Ad 2d Jc Jd", "Dee": "6c 6d 9d Js"},
        board="3c 4d 7h Kc Qh", options={"odd_chip": "lot"}, deck_order=shuffled(seed),
    )  # fmt: skip
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    return hand


@pytest.mark.law("Q-2", "TL-23")
def test_nobody_gets_two_odd_chips_of_one_pot() -> None:
    """Source 000: a player gets at most one by lot. Whoever is lucky in the high half leaves the low one to the other."""
    for seed in range(12):
        hand = high_and_low_share_one_player(seed)
        lucky = [name for name, _, _ in odd_chips(hand)]
        assert len(lucky) == len(set(lucky)) == 2, f"deck {seed}: {hand.wins}"


@pytest.mark.law("Q-2", "TL-15")
def test_each_pot_has_a_lot_of_its_own() -> None:
    """Bo and Cy tie for both pots. Who is lucky in one is not thereby lucky in the other."""
    seen = set()
    for seed in range(24):
        hand = side_pots_of_two(seed)
        seen.add(tuple(name for name, _, _ in odd_chips(hand)))
    assert seen == {(one, other) for one in ("Bo", "Cy") for other in ("Bo", "Cy")}


def side_pots_of_two(seed: int) -> Told:
    """Bo and Cy beat Ann, who is all-in, and Dee, who is all-in for more: 17 in the main pot, 15 in the first side pot."""
    hand = deal(
        "no-limit hold'em", button="Dee", stacks={"Ann": 4, "Bo": 100, "Cy": 100, "Dee": 9}, stakes=STAKES, carried=1,
        cards={"Ann": "4c 5d", "Bo": "Ad Kh", "Cy": "Ah Kd", "Dee": "4d 5h"}, board="As Ks 9d 8d 2h",
        options={"odd_chip": "lot"}, deck_order=shuffled(seed),
    )  # fmt: skip
    hand.play("Cy raises to 9", "Dee calls all-in", "Ann is all-in", "Bo calls")
    for _ in range(3):
        hand.play("Bo checks", "Cy checks")
    assert [chips for chips, _ in hand.pots] == [17, 15]
    return hand


@pytest.mark.law("Q-2")
def test_hands_with_several_lots_replay_from_their_record() -> None:
    for seed in range(12):
        for hand in (side_pots_of_two(seed), high_and_low_share_one_player(seed)):
            record = record_hand(hand.events, hand.hand.deck)
            assert replay_record(record, hand.hand.rules.rule_card).finishing_stacks == tuple(hand.hand.stacks), (
                f"deck {seed}"
            )


@pytest.mark.law("Q-2", "TL-22", "TL-37")
def test_lot_names_no_card_that_a_folded_player_held() -> None:
    """Ten players at draw poker: two cards are left, so that a lot of three takes a card that lies with a player."""
    names = [*NAMES, "Eve", "Flo", "Gus", "Hal", "Ida", "Jo"]
    hand = deal(
        "morehead", button="Jo", stacks=dict.fromkeys(names, 100), stakes=Stakes(ante=1, limit=10),
        cards={"Bo": "Ac Kc Qc Jc 9d", "Cy": "Ad Kd Qd Jd 9h", "Dee": "Ah Kh Qh Jh 9s"}, options={"odd_chip": "lot"},
    )  # fmt: skip
    hand.play("Ann checks", "Bo bets 1", "Cy calls", "Dee calls", *(f"{name} folds" for name in (*names[4:], "Ann")))
    hand.play("Bo stands pat", "Cy stands pat", "Dee stands pat", "Bo checks", "Cy checks", "Dee checks")
    assert sum(hand.wins.values()) % 3 == 1
    lot = str(record_hand(hand.events, hand.hand.deck).metadata["_lot"])
    held = {card_text(card) for card in hand.hand.held_cards(hand.seat("Ann"))}
    assert len(lot) == 6 and not held & {lot[at : at + 2] for at in (0, 2, 4)}
