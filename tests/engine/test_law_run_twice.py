"""The laws of running the board twice (TL-25), and of the cards that nobody sees (TL-26)."""

import pytest

from bot.engine import events as e
from bot.engine.cards import card_text
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
    assert hand.view(None).rabbit_cards == ((deck[place + 1], deck[place + 3]),)  # a burn before each
    assert [len(board) for board in hand.view(None).boards] == [3]


def undealt(hand: Told) -> list[str]:
    """What everybody can look at, board by board."""
    return [" ".join(map(card_text, board)) for board in hand.view(None).rabbit_cards]


def with_rabbit(game: str, *lines: str) -> Told:
    hand = deal(game, button="Ann", stacks={"Ann": 500, "Bo": 500}, options={"rabbit": "on"})
    hand.play(*lines)
    return hand


@pytest.mark.law("TL-26")
@pytest.mark.parametrize("game", ["double-board hold'em 5/10", "double board plo 5/10"])
def test_rabbit_cards_of_both_boards(game: str) -> None:
    """Ann folds on the flops, and everybody sees the very cards that would have come on both boards."""
    hand = with_rabbit(game, "Ann calls", "Bo checks")
    assert undealt(hand) == []
    hand.play("Bo bets 10", "Ann folds")
    played_on = with_rabbit(game, "Ann calls", "Bo checks", *["Bo checks", "Ann checks"] * 3)
    assert undealt(played_on) == []
    assert [f"{hand.board(number)} {cards}" for number, cards in enumerate(undealt(hand))] == [
        played_on.board(0),
        played_on.board(1),
    ]


@pytest.mark.law("TL-26", "Z-4")
def test_rabbit_cards_stay_when_the_winner_shows() -> None:
    hand = with_rabbit("no-limit hold'em 5/10", "Ann calls", "Bo checks", "Bo bets 10", "Ann folds")
    looked_at = undealt(hand)
    hand.play("Bo shows")
    assert undealt(hand) == looked_at != []
    assert hand.view(None).seats[hand.seat("Ann")].cards == ()


@pytest.mark.law("TL-26", "TL-25")
def test_run_twice_leaves_no_rabbit_cards() -> None:
    hand = all_in("2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c", rabbit="on")
    hand.play("Bo runs it twice", "Ann runs it twice")
    assert undealt(hand) == []


@pytest.mark.law("TL-26", "VC-19")
def test_rabbit_cards_pass_discards_but_not_draws() -> None:
    """Nobody's discards change the board of Irish; in Drawmaha the draw takes cards before the turn."""
    for game, cards in (("irish 5/10", 5), ("drawmaha 5/10", 3)):
        (board,) = with_rabbit(game, "Ann raises to 30", "Bo folds").view(None).rabbit_cards
        assert len(board) == cards
