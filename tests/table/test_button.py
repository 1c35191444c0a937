"""The button and the blinds move round the table."""

import pytest

from bot.engine.options.types import Options
from bot.engine.options.values import Ante, ButtonRule, StraddleRule
from bot.engine.stakes import Stakes
from bot.table import events as e
from bot.table.state import Positions
from tests.table.evening import DECK, Evening


def four(options: Options | None = None) -> Evening:
    """Seats 1 to 4; Ann draws the highest card and has the button."""
    evening = Evening(options)
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    return evening


@pytest.mark.law("AT-21", "TL-9", "TDA 32")
def test_dead_button_moves_as_in_the_law_book() -> None:
    evening = four()
    evening.begin_hand()
    assert evening.positions == (1, 2, 3)
    evening.leave("Cy")
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (2, 3, 4)
    assert evening.posted == {4: {"big blind": 100}}  # the small blind is dead on seat 3
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (3, 4, 1)  # the button rests on the empty seat 3
    assert evening.posted == {4: {"small blind": 50}, 1: {"big blind": 100}}
    assert evening.dealt == (4, 1, 2)
    assert evening.deal is not None and evening.deal.started.button_seat_number == 3


@pytest.mark.law("AT-21", "TL-8")
def test_heads_up_button_posts_the_small_blind() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.begin_hand()
    assert evening.positions == (1, 1, 2)
    assert evening.posted == {1: {"small blind": 50}, 2: {"big blind": 100}}
    assert evening.dealt == (2, 1)  # the button is dealt last
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (2, 2, 1)


@pytest.mark.law("TL-8", "TDA 34-B")
@pytest.mark.parametrize("leaver", ["Ann", "Bo", "Cy"])
def test_nobody_posts_big_blind_twice_going_heads_up(leaver: str) -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.begin_hand()
    big = evening.positions[2]
    evening.leave(leaver)
    evening.end_hand()
    evening.begin_hand()
    assert len(evening.dealt) == 2
    assert evening.positions[2] != big
    button, small, _ = evening.positions
    assert button == small and evening.posted[button] == {"small blind": 50}


@pytest.mark.law("TL-7")
def test_blinds_are_the_two_seats_left_of_the_button() -> None:
    evening = four()
    deal = evening.begin_hand()
    assert deal.started.seat_numbers == (2, 3, 4, 1)
    assert evening.posted == {2: {"small blind": 50}, 3: {"big blind": 100}}


@pytest.mark.law("TL-7")
def test_table_asks_short_stack_for_the_full_blind() -> None:
    """The engine takes what the stack has; the table asks for the whole blind."""
    evening = four()
    evening.play_hand({"Di": -9_970, "Ann": 9_970})
    evening.begin_hand()
    assert evening.posted[4] == {"big blind": 100}
    assert evening.deal is not None and evening.deal.started.stacks[evening.dealt.index(4)] == 30


@pytest.mark.law("TL-9")
def test_moving_button_goes_to_the_next_player() -> None:
    evening = four(Options(button=ButtonRule.MOVING))
    evening.begin_hand()
    assert evening.positions == (1, 2, 3)
    evening.leave("Cy")
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (2, 4, 1)
    assert evening.posted == {4: {"small blind": 50}, 1: {"big blind": 100}}


@pytest.mark.law("D-11", "D-12")
def test_deal_passes_left_without_blinds() -> None:
    evening = Evening(Options(ante=Ante.EVERYONE), Stakes(ante=50))
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    buttons = []
    for _ in range(5):
        evening.begin_hand()
        assert evening.dealt[-1] == evening.positions[0]
        assert evening.posted == {seat: {"ante": 50} for seat in (1, 2, 3, 4)}
        buttons.append(evening.positions[0])
        evening.end_hand()
    assert buttons == [1, 2, 3, 4, 1]


@pytest.mark.law("D-12")
def test_absent_players_deal_passes_on() -> None:
    evening = Evening(Options(ante=Ante.EVERYONE), Stakes(ante=50))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.play_hand()
    evening.sit_out("Bo")
    evening.begin_hand()
    assert evening.positions[0] == 3


@pytest.mark.law("A-2", "A-10")
def test_ante_and_forced_straddle_of_basic_draw() -> None:
    evening = Evening(Options(ante=Ante.LEFT_OF_DEALER, straddle=StraddleRule.FORCED_DOUBLE), Stakes(ante=50))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.begin_hand()
    assert evening.posted == {2: {"ante stake": 50}, 3: {"straddle": 100}}
    evening.leave("Cy")
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions[0] == 2
    assert evening.posted == {
        1: {"ante stake": 50},
        2: {"straddle": 100},
    }  # with two players the dealer straddles (VB-2)


@pytest.mark.law("D-13")
def test_highest_card_takes_the_first_button() -> None:
    evening = Evening()
    evening.sit_all(Ann=2, Bo=5, Cy=9)
    nine_of_clubs, nine_of_spades, deuce = 7 * 4, 7 * 4 + 3, 0
    deal = evening.begin_hand((nine_of_clubs, nine_of_spades, deuce, *DECK))
    assert deal.events[0] == e.ButtonDrawn(((2, nine_of_clubs), (5, nine_of_spades), (9, deuce)), 5)
    assert evening.positions == (5, 9, 2)


@pytest.mark.law("D-13", "I-1")
def test_voided_first_hand_is_redealt_from_the_same_button() -> None:
    evening = four()
    evening.begin_hand((0, 51, 1, 2))
    assert evening.positions == (2, 3, 4)
    evening.void_hand()
    assert evening.table.positions is None
    evening.begin_hand()
    assert evening.positions == (2, 3, 4)


@pytest.mark.law("TL-29", "I-1")
def test_button_stays_after_a_voided_hand() -> None:
    evening = four()
    evening.play_hand()
    before = evening.table.positions
    evening.begin_hand()
    assert evening.table.positions == Positions(2, 3, 4)
    evening.void_hand()
    assert evening.table.positions == before
    evening.begin_hand()
    assert evening.positions == (2, 3, 4)
    evening.assert_replays()


@pytest.mark.law("N-1")
def test_chips_left_in_the_pot_carry_into_next_hand() -> None:
    evening = Evening(Options(ante=Ante.EVERYONE), Stakes(ante=50))
    evening.sit_all(Ann=1, Bo=2)
    evening.begin_hand()
    evening.end_hand({"Ann": -50, "Bo": -50}, carried_chips=100)
    deal = evening.begin_hand()
    assert deal.started.carried == 100
    assert evening.positions[0] == 2
    evening.end_hand(carried_chips=100, same_dealer=True)
    evening.begin_hand()
    assert evening.positions[0] == 2


def test_game_that_broke_up_draws_for_button_again() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.play_hand()
    evening.leave("Ann")
    evening.leave("Bo")
    evening.wait(2 * 3600)
    evening.sit_all(Cy=3, Di=4)
    deal = evening.begin_hand()
    assert isinstance(deal.events[0], e.ButtonDrawn)
