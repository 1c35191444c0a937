"""The laws of running the board twice (TL-25), and of the cards that nobody sees (TL-26)."""

import pytest

from bot.engine import events as e
from bot.engine.refusals import AlreadyChosen, NothingOffered, UnknownDeclaration
from tests.support.told import Told, deal


def all_in(board: str, stacks: dict[str, int] | None = None, **options: object) -> Told:
    """Return a hand of Ann's aces against Bo's kings, all-in before the flop at a table that asks."""
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks=stacks or {"Ann": 501, "Bo": 501}, ask_run_twice=True, carried=1,
        cards={"Ann": "As Ad", "Bo": "Ks Kd"}, board=board, options=options,
    )  # fmt: skip
    hand.play("Ann is all-in", "Bo calls all-in")
    return hand


@pytest.mark.law("TL-25", "TL-23", "E-2")
def test_each_board_pays_its_share_of_the_pot() -> None:
    """Ann wins the first board, Bo the second: half the pot each, the odd chip to the first board."""
    hand = all_in("2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c", {"Ann": 501, "Bo": 501})
    assert hand.options == {"accept", "decline"}
    hand.play("Bo runs it twice", "Ann runs it twice")
    assert hand.board() == "2c 7d 8h 3s 4c"
    assert hand.board(1) == "Kh 9d 9h 3d 5c"
    assert hand.wins == {"Ann": 502, "Bo": 501}
    dealt = [place for board in hand.hand.board_indices for place in board]
    assert len(set(dealt) | set(hand.hand.burn_indices)) == len(dealt) + len(hand.hand.burn_indices), (
        "both from the same stock"
    )


@pytest.mark.law("TL-25")
@pytest.mark.parametrize("no", ["Bo declines", "Bo says nothing"])
def test_one_no_or_timeout_is_enough(no: str) -> None:
    hand = all_in("2c 7d 8h 3s 4c")
    hand.play(no)
    assert hand.over
    assert len(hand.hand.board_indices) == 1
    assert hand.wins == {"Ann": 1003}


@pytest.mark.law("TL-25")
def test_nobody_is_asked_twice_or_before_betting_is_over() -> None:
    hand = all_in("2c 7d 8h 3s 4c")
    hand.refuses("Bo declares maybe", UnknownDeclaration, law="TL-25")
    hand.play("Bo accepts")
    hand.refuses("Bo declines", AlreadyChosen)
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500}, ask_run_twice=True)
    hand.refuses("Ann runs it twice", NothingOffered, law="TL-35")


@pytest.mark.law("TL-25")
def test_nobody_is_asked_when_running_twice_is_off() -> None:
    hand = all_in("2c 7d 8h 3s 4c", run_twice="off")
    assert hand.over
    assert hand.events_of(e.SecretChoiceOpened) == []


@pytest.mark.law("TL-26")
def test_the_undealt_cards_stay_hidden() -> None:
    """A hand that ends on the flop has no turn and no river, for anybody, also after it is over."""
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500})
    hand.play("Ann calls", "Bo checks", "Bo bets 10", "Ann folds")
    for viewer in (None, "Ann", "Bo"):
        seen = hand.view(viewer)
        assert [len(board) for board in seen.boards] == [3]
        cards = [card.card for seat in seen.seats for card in seat.cards if card.card is not None]
        assert not set(cards) & set(hand.hand.deck[hand.hand.next_card_index :])


@pytest.mark.law("TL-26")
def test_rabbit_cards_are_shown_after_the_hand() -> None:
    """With RABBIT=on the turn and the river that never came are seen, once the pot is paid and not before."""
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500},
        options={"rabbit": "on"},
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks")
    assert hand.view(None).rabbit_cards == ()
    hand.play("Bo bets 10", "Ann folds")
    deck, place = hand.hand.deck, hand.hand.next_card_index
    assert hand.view(None).rabbit_cards == (deck[place + 1], deck[place + 3])  # a burn before each
    assert [len(board) for board in hand.view(None).boards] == [3]
