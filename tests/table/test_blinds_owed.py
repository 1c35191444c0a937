"""Newcomers, missed blinds and straddles."""

import pytest
from msgspec.structs import replace

from bot.engine.options.types import Options
from bot.engine.options.values import BlindsAnte, Limit, MinRaise, Misdeal, NewcomerPosts, StraddleRule, StraddleSeat
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.next_hand import straddle_seats
from bot.table.state import EntryMethod, SeatStatus
from tests.table.evening import DECK, SECOND_MS, Evening, player_id

POSTS = Options(newcomer_posts=NewcomerPosts.ON)
LIMIT = Options(limit=Limit.LIMIT, min_raise=MinRaise.BY_LIMIT)


def three(options: Options | None = None, **seats: int) -> Evening:
    """Three players after one hand: button 1, small blind 3, big blind 6, unless the arguments say otherwise."""
    evening = Evening(options)
    evening.sit_all(**(seats or {"Ann": 1, "Cy": 3, "Flo": 6}))
    evening.play_hand()
    return evening


@pytest.mark.law("TL-11")
def test_no_limit_newcomer_plays_without_posting() -> None:
    evening = three()
    evening.sit("Gus", 2)  # next hand: big blind 1, small 6, button 3
    evening.begin_hand()
    assert evening.positions == (3, 6, 1)
    assert evening.dealt == (6, 1, 2, 3)
    assert 2 not in evening.posted


@pytest.mark.law("TL-11")
def test_newcomer_between_button_and_small_blind_waits() -> None:
    evening = three()
    evening.sit("Eve", 4)
    evening.begin_hand()
    assert evening.positions == (3, 6, 1)
    assert 4 not in evening.dealt
    evening.end_hand()
    evening.begin_hand()  # the button has passed
    assert evening.positions == (6, 1, 3)
    assert 4 in evening.dealt


@pytest.mark.law("TL-11", "TL-9")
def test_newcomer_does_not_take_over_dead_small_blind() -> None:
    evening = three()
    evening.leave("Flo")
    evening.sit("Eve", 6)
    evening.sit("Gus", 2)
    evening.begin_hand()
    assert evening.positions == (3, 6, 1)
    assert set(evening.dealt) == {1, 2, 3}
    assert evening.posted == {1: {"big blind": 100}}


@pytest.mark.law("TL-11")
def test_newcomer_between_button_and_small_blind_can_buy_button() -> None:
    evening = three()
    evening.sit("Eve", 4)
    evening.come_back("Eve", EntryMethod.BUY_BUTTON)
    evening.begin_hand()
    assert evening.positions == (4, 6, 1)
    assert evening.dealt == (6, 1, 3, 4)
    assert evening.posted[4] == {"live post": 100, "dead post": 50}
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (6, 1, 3)
    assert 4 not in evening.posted


@pytest.mark.law("TL-11")
def test_button_is_not_for_sale_in_other_seats() -> None:
    evening = three()
    evening.sit("Gus", 2)
    evening.refuses(c.ComeBack(player_id("Gus"), EntryMethod.BUY_BUTTON), refusals.CannotBuyButton)


@pytest.mark.law("TL-11")
@pytest.mark.parametrize("options", [POSTS, LIMIT], ids=["by option", "in limit games"])
def test_limit_newcomer_waits_for_the_big_blind(options: Options) -> None:
    evening = three(options)
    evening.sit("Gus", 2)
    assert evening.seat("Gus").status is SeatStatus.WAITING_FOR_BIG_BLIND
    evening.begin_hand()
    assert evening.positions == (3, 6, 1) and 2 not in evening.dealt
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (6, 1, 2)
    assert evening.posted[2] == {"big blind": 100}
    assert evening.seat("Gus").status is SeatStatus.PLAYING


@pytest.mark.law("TL-11")
def test_limit_newcomer_can_post_a_big_blind() -> None:
    evening = three(POSTS)
    evening.sit("Gus", 2)
    evening.come_back("Gus", EntryMethod.POST)
    evening.begin_hand()
    assert evening.posted[2] == {"live post": 100}
    evening.end_hand()
    evening.begin_hand()
    assert evening.posted[2] == {"big blind": 100}


@pytest.mark.law("TL-11")
def test_nobody_is_new_in_the_first_hand() -> None:
    evening = Evening(POSTS)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.begin_hand()
    assert evening.posted == {2: {"small blind": 50}, 3: {"big blind": 100}}
    assert len(evening.dealt) == 3


@pytest.mark.law("TL-11")
def test_player_who_sat_out_the_first_hand_is_a_newcomer() -> None:
    evening = Evening(POSTS)
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.sit_out("Cy")
    evening.play_hand()
    assert evening.refuses(c.ComeBack(player_id("Cy")), refusals.BlindsOwed).value.live == 100
    evening.come_back("Cy", EntryMethod.POST)
    evening.play_hand()
    evening.begin_hand()
    assert 3 in evening.dealt and (evening.positions[2] == 3 or "live post" in evening.posted[3])


@pytest.mark.law("TL-8", "TL-11")
def test_third_player_joins_heads_up_at_the_big_blind() -> None:
    """Heads-up, an empty seat can lie before the small blind. A player there comes in when the big blind reaches them."""
    evening = Evening()
    evening.sit_all(Ann=1, Bo=5)
    evening.play_hand()
    evening.sit("Cy", 3)
    evening.begin_hand()
    assert evening.positions == (5, 5, 1)  # seat 3 would need the button
    evening.end_hand()
    evening.begin_hand()
    assert evening.positions == (5, 1, 3)
    assert evening.dealt == (1, 3, 5)


def sits_out_for_a_lap() -> Evening:
    """Four players; Bo misses both blinds while the others play on. Next hand: button 3, small blind 4, big blind 1."""
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    for _ in range(2):
        evening.play_hand()  # big blinds 3, 4
    evening.sit_out("Bo")
    for _ in range(3):
        evening.play_hand()  # big blinds 1, 3 (passing 2), 4
    return evening


@pytest.mark.law("TL-10", "TL-33")
def test_absent_player_misses_blinds_and_gets_no_cards() -> None:
    evening = sits_out_for_a_lap()
    assert 2 not in evening.dealt
    assert evening.seat("Bo").owes_big
    assert not evening.seat("Ann").owes_big
    assert evening.seat("Bo").orbits_missed == 1
    evening.come_back("Bo", EntryMethod.POST)
    assert evening.seat("Bo").orbits_missed == 0


@pytest.mark.law("TL-10")
def test_player_owing_blinds_chooses_an_entry_method() -> None:
    evening = sits_out_for_a_lap()
    refusal = evening.refuses(c.ComeBack(player_id("Bo")), refusals.BlindsOwed)
    assert (refusal.value.live, refusal.value.dead) == (100, 50)
    assert refusal.value.entry_methods == (EntryMethod.WAIT, EntryMethod.POST)


@pytest.mark.law("TL-10")
def test_missed_big_blind_is_live_and_small_dead() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()  # button 1, small 2, big 3
    evening.leave("Ann")
    evening.leave("Bo")
    evening.sit("Eve", 5)
    evening.sit("Flo", 6)
    evening.sit_out("Cy")  # Cy has had the big blind and owes the small one
    evening.play_hand()  # big 4, small dead on 3
    assert (evening.seat("Cy").owes_small, evening.seat("Cy").owes_big) == (True, False)
    for _ in range(3):
        evening.play_hand()  # big 5, 6, 4: it passes Cy
    assert (evening.seat("Cy").owes_small, evening.seat("Cy").owes_big) == (True, True)
    evening.play_hand()
    evening.come_back("Cy", EntryMethod.POST)
    evening.begin_hand()  # big 6, small 5, button 4: Cy is in front of the button
    assert evening.positions == (4, 5, 6)
    assert evening.posted[3] == {"live post": 100, "dead post": 50}
    assert [post.kind.value for post in evening.deal.started.posts][-2:] == ["live post", "dead post"]  # type: ignore[union-attr]
    assert not evening.seat("Cy").owes_big


@pytest.mark.law("TL-10")
def test_waiting_for_the_big_blind_clears_the_debt() -> None:
    evening = sits_out_for_a_lap()
    evening.come_back("Bo", EntryMethod.WAIT)
    evening.play_hand()  # big blind 1
    assert 2 not in evening.dealt
    evening.begin_hand()
    assert evening.positions[2] == 2
    assert evening.posted[2] == {"big blind": 100}
    assert evening.seat("Bo").is_settled


@pytest.mark.law("TL-10", "TL-33")
def test_player_who_missed_no_blind_returns_at_once() -> None:
    evening = three()
    evening.sit_out("Ann")
    assert evening.come_back("Ann")[0] == e.CameBack(1, SeatStatus.PLAYING, evening.now)
    evening.refuses(c.ComeBack(player_id("Ann")), refusals.AlreadyPlaying)


@pytest.mark.law("TL-12")
def test_leaving_and_returning_does_not_cancel_a_debt() -> None:
    evening = sits_out_for_a_lap()
    evening.leave("Bo")
    evening.sit("Bo", 2)
    assert evening.seat("Bo").owes_big
    assert evening.seat("Bo").status is SeatStatus.WAITING_FOR_BIG_BLIND


@pytest.mark.law("TL-12")
def test_blind_that_passes_an_empty_seat_is_still_owed() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()  # big 3
    evening.leave("Di")  # the next big blind
    evening.play_hand()
    evening.sit("Di", 4)
    assert evening.seat("Di").owes_big


@pytest.mark.law("TL-12")
def test_another_seat_does_not_cancel_a_debt() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()
    evening.leave("Di")  # the next big blind
    evening.sit("Di", 9)
    assert evening.seat("Di").owes_big


@pytest.mark.law("TL-12")
def test_player_returning_before_a_missed_blind_owes_nothing() -> None:
    evening = three()
    evening.leave("Ann")
    evening.sit("Ann", 1)
    assert evening.seat("Ann").is_settled
    evening.begin_hand()
    assert evening.posted[1] == {"big blind": 100}


@pytest.mark.law("TL-12", "I-1")
def test_voided_hand_leaves_no_missed_blinds() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()
    evening.sit_out("Di")
    evening.begin_hand()
    assert evening.seat("Di").owes_big
    evening.void_hand()
    assert not evening.seat("Di").owes_big


@pytest.mark.law("TL-10")
def test_heads_up_player_who_owes_takes_the_big_blind() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.play_hand()  # big 3
    evening.sit_out("Ann")
    evening.play_hand()  # heads-up: big 2, passing 1
    assert evening.seat("Ann").owes_big
    evening.leave("Bo")
    evening.come_back("Ann")  # no game goes on without Ann, so she has nothing to choose
    evening.begin_hand()
    assert evening.posted == {3: {"small blind": 50}, 1: {"big blind": 100}}


@pytest.mark.law("TL-14")
def test_big_blind_is_paid_before_the_big_blind_ante() -> None:
    evening = Evening(Options(blinds_ante=BlindsAnte.BIG_BLIND), Stakes(small_blind=50, big_blind=100, ante=100))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    deal = evening.begin_hand()
    assert [(post.kind.value, post.chips) for post in deal.started.posts] == [
        ("small blind", 50),
        ("big blind", 100),
        ("dead post", 100),
    ]
    assert evening.posted[3] == {"big blind": 100, "dead post": 100}


@pytest.mark.law("A-1", "TL-14")
def test_antes_of_everyone_come_before_the_blinds() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, ante=10))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    deal = evening.begin_hand()
    assert [post.kind.value for post in deal.started.posts] == ["ante", "ante", "ante", "small blind", "big blind"]


@pytest.mark.law("TL-14")
def test_single_ante_is_posted_left_of_the_button() -> None:
    evening = Evening(Options(blinds_ante=BlindsAnte.LEFT_OF_DEALER), Stakes(small_blind=50, big_blind=100, ante=30))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.begin_hand()
    assert evening.posted == {2: {"small blind": 50, "dead post": 30}, 3: {"big blind": 100}}


# The live straddle


def straddling(seat: StraddleSeat = StraddleSeat.UNDER_THE_GUN, options: Options | None = None) -> Evening:
    evening = Evening(replace(options or Options(), straddle=StraddleRule.LIVE, straddle_seat=seat))
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()  # next hand: button 2, small 3, big 4, under the gun 1
    return evening


@pytest.mark.law("TL-13")
def test_under_the_gun_straddles_for_twice_the_big_blind() -> None:
    evening = straddling()
    evening.ask(c.PledgeStraddle(player_id("Ann")))
    evening.begin_hand()
    assert evening.posted[1] == {"straddle": 200}
    assert evening.deal is not None and evening.deal.started.posts[-1].chips == 200
    evening.end_hand()
    evening.begin_hand()  # the pledge was for one hand only
    assert all("straddle" not in kinds for kinds in evening.posted.values())


@pytest.mark.law("TL-13")
def test_button_has_priority_for_the_only_straddle() -> None:
    evening = straddling(StraddleSeat.BOTH)
    assert straddle_seats(evening.table) == (2, 1)
    evening.ask(c.PledgeStraddle(player_id("Ann")))
    evening.ask(c.PledgeStraddle(player_id("Bo")))
    evening.begin_hand()
    assert evening.posted[2] == {"straddle": 200}
    assert 1 not in evening.posted


@pytest.mark.law("TL-13")
def test_no_button_straddle_in_limit_games() -> None:
    evening = straddling(StraddleSeat.BOTH, LIMIT)
    assert straddle_seats(evening.table) == (1,)


@pytest.mark.law("TL-13")
def test_other_seats_cannot_straddle_and_learn_which_can() -> None:
    evening = straddling()
    refusal = evening.refuses(c.PledgeStraddle(player_id("Cy")), refusals.StraddleNotYours)
    assert (refusal.value.seat_numbers, refusal.value.to) == ((1,), 200)


@pytest.mark.law("TL-13")
def test_no_straddle_at_a_table_without_straddles() -> None:
    evening = three()
    evening.refuses(c.PledgeStraddle(player_id("Ann")), refusals.NoStraddle)


@pytest.mark.law("TL-13", "TL-42")
def test_straddle_is_posted_in_full_or_not_at_all() -> None:
    evening = straddling()
    evening.begin_hand()
    evening.end_hand({"Bo": -9_850, "Cy": 9_850})  # Bo, next under the gun, has 150
    refusal = evening.refuses(c.PledgeStraddle(player_id("Bo")), refusals.StraddleMustBeFull)
    assert refusal.value.stack == 150


@pytest.mark.law("TL-13")
def test_straddle_can_be_taken_back_before_the_cards() -> None:
    evening = straddling()
    evening.ask(c.PledgeStraddle(player_id("Ann")))
    evening.ask(c.PledgeStraddle(player_id("Ann"), wanted=False))
    evening.wait(6)
    evening.begin_hand()
    assert 1 not in evening.posted
    assert evening.table.next_hand_at == 0 and evening.now % SECOND_MS == 0


# Misdeals that the next dealer deals anew, and new seats


def owes_both() -> Evening:
    """Bo has missed both blinds and posts them in the next hand; big blind 4, button 1."""
    evening = Evening(replace(Options(), misdeal=Misdeal.NEXT_DEALER))
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4, Ed=5)
    for _ in range(2):
        evening.play_hand()
    evening.sit_out("Bo")
    while not (evening.seat("Bo").owes_small and evening.seat("Bo").owes_big):
        evening.play_hand()
    evening.come_back("Bo", EntryMethod.POST)
    while True:
        evening.begin_hand()
        if evening.posted.get(2):
            return evening
        evening.end_hand()


@pytest.mark.law("TL-12", "I-3", "TL-10")
def test_live_post_returned_after_misdeal_is_owed_again() -> None:
    """The dead money stays in the pot for the next hand, so the small blind is paid."""
    evening = owes_both()
    assert evening.posted[2] == {"live post": 100, "dead post": 50}
    evening.end_hand({"Bo": -50}, carried_chips=50, passed_out=False, misdeal=True)
    bo = evening.seat("Bo")
    assert (bo.status, bo.owes_small, bo.owes_big) == (SeatStatus.POSTING, False, True)
    evening.begin_hand()
    assert evening.posted[2] in ({"live post": 100}, {"big blind": 100})
    evening.end_hand()
    assert evening.seat("Bo").is_settled
    evening.assert_replays()


@pytest.mark.law("TL-12", "I-3", "TL-42")
def test_unpaid_dead_post_is_still_owed() -> None:
    evening = owes_both()
    evening.end_hand(carried_chips=0, passed_out=False, misdeal=True)
    assert (evening.seat("Bo").owes_small, evening.seat("Bo").owes_big) == (True, True)


@pytest.mark.law("TL-12", "I-3", "TL-14")
def test_ante_left_in_the_pot_pays_no_missed_blind() -> None:
    evening = Evening(replace(Options(), misdeal=Misdeal.NEXT_DEALER), Stakes(small_blind=50, big_blind=100, ante=10))
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    for _ in range(2):
        evening.play_hand()
    evening.sit_out("Bo")
    for _ in range(3):
        evening.play_hand()
    evening.come_back("Bo", EntryMethod.WAIT)
    evening.play_hand()
    evening.begin_hand()
    assert evening.posted[2]["big blind"] == 100
    names = [evening.seat_at(number).name for number in evening.dealt]
    evening.end_hand(dict.fromkeys(names, -10), carried_chips=10 * len(names), passed_out=False, misdeal=True)
    bo = evening.seat("Bo")
    assert (bo.status, bo.owes_big) == (SeatStatus.WAITING_FOR_BIG_BLIND, True), (
        "the big blind that they waited for is returned"
    )
    assert all(evening.seat(name).is_settled for name in names if name != "Bo")
    evening.assert_replays()


@pytest.mark.law("TL-11", "TL-12", "I-3")
def test_button_bought_before_a_misdeal_has_paid_the_small_blind() -> None:
    evening = Evening(replace(Options(), misdeal=Misdeal.NEXT_DEALER))
    evening.sit_all(Ann=1, Cy=3, Eve=4, Flo=6)
    evening.play_hand()
    evening.sit_out("Eve")
    while not (evening.seat("Eve").owes_small and evening.seat("Eve").owes_big):
        evening.play_hand()
    while evening.positions != (1, 3, 6):
        evening.play_hand()
    evening.come_back("Eve", EntryMethod.BUY_BUTTON)
    evening.begin_hand()
    assert evening.posted[4] == {"live post": 100, "dead post": 50}
    evening.end_hand({"Eve": -50}, carried_chips=50, passed_out=False, misdeal=True)
    assert (evening.seat("Eve").owes_small, evening.seat("Eve").owes_big) == (False, True)


@pytest.mark.law("I-3", "TL-40", "TL-12")
def test_player_leaving_after_a_misdeal_keeps_the_debt() -> None:
    evening = owes_both()
    evening.leave("Bo")
    evening.end_hand({"Bo": -50}, carried_chips=50, passed_out=False, misdeal=True)
    assert not evening.is_seated("Bo")
    evening.sit("Bo", 2)
    assert evening.seat("Bo").owes_big


def drawn_anew(*, entry: EntryMethod = EntryMethod.WAIT) -> Evening:
    """Bo owes a big blind when seats are drawn again after an hour."""
    evening = sits_out_for_a_lap()
    evening.come_back("Bo", entry)
    evening.wait(3600)
    evening.ask(c.DrawSeats(player_id("Ann"), DECK))
    assert evening.table.positions is None
    return evening


@pytest.mark.law("TL-12", "P-10", "P-8")
def test_drawing_new_seats_cancels_no_owed_blind() -> None:
    """A player who waits is dealt in at their big blind and not before; nobody else is kept out."""
    evening = drawn_anew()
    for _ in range(4):
        evening.begin_hand()
        bo = evening.seat("Bo")
        assert {evening.seat(name).number for name in ("Ann", "Cy", "Di")} <= set(evening.dealt)
        if bo.number in evening.dealt:
            assert evening.positions[2] == bo.number
            assert evening.posted[bo.number] == {"big blind": 100}
            break
        assert bo.owes_big
        evening.end_hand()
    else:
        pytest.fail("the big blind never came to the player")
    assert evening.seat("Bo").is_settled
    evening.assert_replays()


@pytest.mark.law("TL-12", "P-10", "TL-10")
@pytest.mark.parametrize("button", range(1, 5))
def test_owed_blind_can_be_posted_after_any_new_button(button: int) -> None:
    evening = drawn_anew(entry=EntryMethod.POST)
    evening.apply(e.ButtonDrawn((), button))
    paid = 0
    for _ in range(4):
        evening.begin_hand()
        at = evening.seat("Bo").number
        assert len(set(evening.dealt)) == len(evening.dealt) >= 3
        paid += sum(chips for kind, chips in evening.posted.get(at, {}).items() if kind in ("live post", "big blind"))
        if at in evening.dealt:
            break
        evening.end_hand()
    assert paid == 100
    assert evening.seat("Bo").is_settled


@pytest.mark.law("TL-12", "P-10")
def test_player_sitting_out_a_seat_draw_chooses_entry_method() -> None:
    evening = sits_out_for_a_lap()
    evening.wait(3600)
    evening.ask(c.DrawSeats(player_id("Ann"), DECK))
    refusal = evening.refuses(c.ComeBack(player_id("Bo")), refusals.BlindsOwed)
    assert refusal.value.live == 100
    assert refusal.value.entry_methods == (EntryMethod.WAIT, EntryMethod.POST)


@pytest.mark.law("TL-12", "TL-8")
def test_two_players_restart_the_game_and_nobody_waits() -> None:
    evening = sits_out_for_a_lap()
    evening.come_back("Bo", EntryMethod.WAIT)
    evening.leave("Cy")
    evening.leave("Di")
    evening.wait(3600)
    evening.ask(c.DrawSeats(player_id("Ann"), DECK))
    evening.begin_hand()
    assert len(evening.dealt) == 2


@pytest.mark.law("TL-12")
def test_owed_blind_outlives_a_game_that_broke_up() -> None:
    """Everyone leaves and three come back within the hour: one still owes a blind, and the two others begin."""
    evening = sits_out_for_a_lap()
    for name in ("Ann", "Bo", "Cy", "Di"):
        evening.leave(name)
    for name, seat in {"Ann": 1, "Bo": 2, "Cy": 3}.items():
        evening.sit(name, seat)
    assert evening.seat("Bo").status is SeatStatus.WAITING_FOR_BIG_BLIND
    for _ in range(3):
        evening.begin_hand()
        if 2 in evening.dealt:
            assert evening.positions[2] == 2
            break
        evening.end_hand()
    assert evening.seat("Bo").is_settled
