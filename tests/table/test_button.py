"""Where the button and the blinds go."""

import pytest

from bot.engine.options import Ante, Button, Options, Straddle
from bot.engine.stakes import Stakes
from bot.table import events as e
from bot.table.state import Positions
from tests.table.story import PACK, Evening


def four(options: Options | None = None) -> Evening:
    """Seats 1 to 4; Ann draws the highest card and has the button."""
    evening = Evening(options)
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    return evening


@pytest.mark.law("AT-21", "TL-9")
def test_the_dead_button_of_the_law_book() -> None:
    evening = four()
    evening.begin()
    assert evening.places == (1, 2, 3)
    evening.leave("Cy")
    evening.end()
    evening.begin()
    assert evening.places == (2, 3, 4)
    assert evening.posted == {4: {"big blind": 100}}  # the small blind is dead on seat 3
    evening.end()
    evening.begin()
    assert evening.places == (3, 4, 1)  # the button rests on the empty seat 3
    assert evening.posted == {4: {"small blind": 50}, 1: {"big blind": 100}}
    assert evening.dealt == (4, 1, 2)
    assert evening.deal is not None and evening.deal.started.button == 3


@pytest.mark.law("AT-21", "TL-8")
def test_two_players_the_button_posts_the_small_blind() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    evening.begin()
    assert evening.places == (1, 1, 2)
    assert evening.posted == {1: {"small blind": 50}, 2: {"big blind": 100}}
    assert evening.dealt == (2, 1)  # the button is dealt last
    evening.end()
    evening.begin()
    assert evening.places == (2, 2, 1)


@pytest.mark.law("TL-8")
@pytest.mark.parametrize("leaver", ["Ann", "Bo", "Cy"])
def test_going_heads_up_nobody_posts_the_big_blind_twice_running(leaver: str) -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.begin()
    big = evening.places[2]
    evening.leave(leaver)
    evening.end()
    evening.begin()
    assert len(evening.dealt) == 2
    assert evening.places[2] != big
    button, small, _ = evening.places
    assert button == small and evening.posted[button] == {"small blind": 50}


@pytest.mark.law("TL-7")
def test_the_small_blind_is_left_of_the_button_and_the_big_blind_next() -> None:
    evening = four()
    deal = evening.begin()
    assert deal.started.seats == (2, 3, 4, 1)
    assert evening.posted == {2: {"small blind": 50}, 3: {"big blind": 100}}


@pytest.mark.law("TL-7")
def test_a_short_blind_is_posted_all_the_same() -> None:
    """The engine takes what the stack has; the table asks for the whole blind."""
    evening = four()
    evening.hand({"Di": -9_970, "Ann": 9_970})
    evening.begin()
    assert evening.posted[4] == {"big blind": 100}
    assert evening.deal is not None and evening.deal.started.stacks[evening.dealt.index(4)] == 30


@pytest.mark.law("TL-9")
def test_the_moving_button_goes_to_the_next_player() -> None:
    evening = four(Options(button=Button.MOVING))
    evening.begin()
    assert evening.places == (1, 2, 3)
    evening.leave("Cy")
    evening.end()
    evening.begin()
    assert evening.places == (2, 4, 1)
    assert evening.posted == {4: {"small blind": 50}, 1: {"big blind": 100}}


@pytest.mark.law("D-11", "D-12")
def test_without_blinds_the_deal_passes_to_the_left() -> None:
    evening = Evening(Options(ante=Ante.EVERYONE), Stakes(ante=50))
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    buttons = []
    for _ in range(5):
        evening.begin()
        assert evening.dealt[-1] == evening.places[0]
        assert evening.posted == {seat: {"ante": 50} for seat in (1, 2, 3, 4)}
        buttons.append(evening.places[0])
        evening.end()
    assert buttons == [1, 2, 3, 4, 1]


@pytest.mark.law("D-12")
def test_an_absent_players_deal_passes_on() -> None:
    evening = Evening(Options(ante=Ante.EVERYONE), Stakes(ante=50))
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.hand()
    evening.sit_out("Bo")
    evening.begin()
    assert evening.places[0] == 3


@pytest.mark.law("A-2", "A-10")
def test_ante_and_forced_straddle_of_basic_draw() -> None:
    evening = Evening(Options(ante=Ante.LEFT_OF_DEALER, straddle=Straddle.FORCED_DOUBLE), Stakes(ante=50))
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.begin()
    assert evening.posted == {2: {"ante stake": 50}, 3: {"straddle": 100}}
    evening.leave("Cy")
    evening.end()
    evening.begin()
    assert evening.places[0] == 2
    assert evening.posted == {2: {"ante stake": 50}, 1: {"straddle": 100}}  # two players: the dealer antes


@pytest.mark.law("D-13")
def test_the_highest_card_takes_the_first_button() -> None:
    evening = Evening()
    evening.seats(Ann=2, Bo=5, Cy=9)
    nine_of_clubs, nine_of_spades, deuce = 7 * 4, 7 * 4 + 3, 0
    deal = evening.begin((nine_of_clubs, nine_of_spades, deuce, *PACK))
    assert deal.events[0] == e.ButtonDrawn(((2, nine_of_clubs), (5, nine_of_spades), (9, deuce)), 5)
    assert evening.places == (5, 9, 2)


@pytest.mark.law("D-13", "I-1")
def test_a_first_hand_that_does_not_count_is_dealt_again_from_the_same_button() -> None:
    evening = four()
    evening.begin((0, 51, 1, 2))
    assert evening.places == (2, 3, 4)
    evening.void()
    assert evening.table.positions is None
    evening.begin()
    assert evening.places == (2, 3, 4)


@pytest.mark.law("TL-29", "I-1")
def test_after_a_hand_that_does_not_count_the_button_stays() -> None:
    evening = four()
    evening.hand()
    before = evening.table.positions
    evening.begin()
    assert evening.table.positions == Positions(2, 3, 4)
    evening.void()
    assert evening.table.positions == before
    evening.begin()
    assert evening.places == (2, 3, 4)
    evening.replays()


@pytest.mark.law("N-1")
def test_chips_that_stay_in_the_pot_are_carried_into_the_next_deal() -> None:
    evening = Evening(Options(ante=Ante.EVERYONE), Stakes(ante=50))
    evening.seats(Ann=1, Bo=2)
    evening.begin()
    evening.end({"Ann": -50, "Bo": -50}, carried=100)
    deal = evening.begin()
    assert deal.started.carried == 100
    assert evening.places[0] == 2
    evening.end(carried=100, same_dealer=True)
    evening.begin()
    assert evening.places[0] == 2


def test_a_game_that_breaks_up_draws_for_the_button_again() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    evening.hand()
    evening.leave("Ann")
    evening.leave("Bo")
    evening.later(2 * 3600)
    evening.seats(Cy=3, Di=4)
    deal = evening.begin()
    assert isinstance(deal.events[0], e.ButtonDrawn)
