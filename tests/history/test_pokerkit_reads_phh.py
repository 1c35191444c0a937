"""PokerKit reads our PHH files of every game of the standard, and comes to the same stacks and pots."""

import random
import warnings

import pytest
from pokerkit import HandHistory

from bot.engine import events as e
from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer
from bot.history.phh_fields import GAME_KEY_BY_CODE
from bot.history.record import to_phh
from bot.variants import game
from tests.history.test_pokerstars import readable_by_pokerkit
from tests.support.random_hands import PlainHand

STANDARD = ("FT", "NT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")
"""The eleven games of PHH 0.1."""


def plays_within_pokerkits_cap(hand: PlainHand) -> bool:
    """PokerKit lets nobody raise more than three times, two players neither; two can here (TL-17)."""
    raises = 0
    for event in hand.events:
        if isinstance(event, e.BettingRoundOpened):
            raises = 0
        raises += isinstance(event, e.BetTo | e.RaisedTo)
        if raises > 3 and hand.started.options.limit == "limit":
            return False
    return True


def check_standard(code: str, count: int) -> None:
    read = unpaid = 0
    for number in range(count):
        hand = PlainHand(random.Random(number * 31 + 7), game(GAME_KEY_BY_CODE[code]), odd=False, shallow=False)
        hand.play()
        if not (readable_by_pokerkit(hand) and plays_within_pokerkits_cap(hand)):
            continue
        viewer: HistoryViewer = (ALL_KNOWING, PUBLIC, number % hand.hand.seat_count)[number % 3]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, state = HandHistory.loads(to_phh(hand.events, hand.deck, viewer))
        read += 1
        left = sum(pot.amount for pot in state.pots)
        if left and not state.status:  # when all others have mucked, it can leave the pot where it is
            unpaid += 1
            assert left == sum(paid.chips for paid in hand.hand.payments)
        else:
            odd = sum(paid.odd_chips for paid in hand.hand.payments)  # PokerKit gives all of a pot's to one player
            off = max(abs(theirs - ours) for theirs, ours in zip(state.stacks, hand.hand.stacks, strict=True))
            assert off <= odd, (code, viewer, list(state.stacks), hand.hand.stacks)
        assert sum(state.stacks) + left == sum(hand.started.stacks)
    assert read > count // 3 and unpaid <= 1 + count // 12, f"{read} of {count} read, {unpaid} pots unpaid"


@pytest.mark.parametrize("code", STANDARD)
def test_pokerkit_reads_our_phh_to_the_same_stacks(code: str) -> None:
    check_standard(code, 30)


@pytest.mark.full
@pytest.mark.parametrize("code", STANDARD)
def test_pokerkit_reads_1000_hands_of_each_game(code: str) -> None:
    check_standard(code, 1_000)
