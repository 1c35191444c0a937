"""The transfers that a hand's events are booked as: each says for what the chips went into the pot."""

import pytest

from bot.engine import events as e
from bot.engine.stakes import Stakes
from bot.engine.usual_stakes import usual_stakes
from bot.ledger.accounts import Book, TransferReason
from bot.runtime.transfers import TableAccounts, hand_transfers
from bot.variants import game
from tests.support.told import Told, deal

BET, POST = TransferReason.BET, TransferReason.POST


def booked(hand: Told) -> list[tuple[str, TransferReason, int]]:
    """Return who paid or got what for what reason, in the order of the hand."""
    users = list(range(101, 101 + len(hand.names)))
    names = dict(zip(users, hand.names, strict=True))
    started = hand.events[0]
    assert isinstance(started, e.HandStarted)
    transfers = hand_transfers(TableAccounts(1, Book.PEOPLE), users, started.stacks, 0, hand.events, hand.hand)
    return [(names[one.debit.user or one.credit.user], one.reason, one.chips) for one in transfers]


@pytest.mark.law("A-5", "TL-37")
def test_straddle_is_booked_as_a_post() -> None:
    card = game("old_english")
    hand = deal(card, button="D", stacks=dict.fromkeys("ABCD", 1000), stakes=usual_stakes(card))
    hand.play("B straddles")
    assert booked(hand) == [("A", POST, 10), ("B", POST, 20)]


@pytest.mark.law("VC-24", "TL-37")
def test_price_of_a_card_is_booked_as_a_bet() -> None:
    stakes = Stakes(ante=1, small_bet=10, big_bet=20, bring_in=3, price=30)
    cards = {"A": "? ? 5s", "B": "? ? 3h", "C": "? ? Kd"}
    hand = deal(game("baseball"), button="C", stacks=dict.fromkeys("ABC", 500), stakes=stakes, cards=cards)
    hand.play("B pays")
    assert booked(hand) == [("A", POST, 1), ("B", POST, 1), ("C", POST, 1), ("B", BET, 30)]


def test_uncalled_bet_is_booked_as_returned() -> None:
    hand = deal(
        "no-limit hold'em", button="A", stacks=dict.fromkeys("AB", 100), stakes=Stakes(small_blind=1, big_blind=2)
    )
    hand.play("A raises to 50", "B folds")
    assert booked(hand)[-2:] == [("A", TransferReason.RETURNED, 48), ("A", TransferReason.WON, 4)]
