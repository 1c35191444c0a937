"""Newcomers, missed blinds and straddles."""

import pytest
from msgspec.structs import replace

from bot.engine.options import BlindsAnte, Limit, MinRaise, Misdeal, NewcomerPosts, Options, Straddle, StraddleSeat
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.deal import straddle_seats
from bot.table.state import Entry, SeatState
from tests.table.story import PACK, SECOND, Evening, player

POSTS = Options(newcomer_posts=NewcomerPosts.ON)
LIMIT = Options(limit=Limit.LIMIT, min_raise=MinRaise.BY_LIMIT)


def three(options: Options | None = None, **seats: int) -> Evening:
    """Three play and one hand is over: button 1, small blind 3, big blind 6 unless told otherwise."""
    evening = Evening(options)
    evening.seats(**(seats or {"Ann": 1, "Cy": 3, "Flo": 6}))
    evening.hand()
    return evening


@pytest.mark.law("TL-11")
def test_in_no_limit_a_newcomer_plays_without_posting() -> None:
    evening = three()
    evening.sit("Gus", 2)  # next deal: big blind 1, small 6, button 3
    evening.begin()
    assert evening.places == (3, 6, 1)
    assert evening.dealt == (6, 1, 2, 3)
    assert 2 not in evening.posted


@pytest.mark.law("TL-11")
def test_no_hand_between_button_and_small_blind() -> None:
    evening = three()
    evening.sit("Eve", 4)
    evening.begin()
    assert evening.places == (3, 6, 1)
    assert 4 not in evening.dealt
    evening.end()
    evening.begin()  # the button has passed
    assert evening.places == (6, 1, 3)
    assert 4 in evening.dealt


@pytest.mark.law("TL-11", "TL-9")
def test_a_newcomer_does_not_take_over_a_dead_small_blind() -> None:
    evening = three()
    evening.leave("Flo")
    evening.sit("Eve", 6)
    evening.sit("Gus", 2)
    evening.begin()
    assert evening.places == (3, 6, 1)
    assert set(evening.dealt) == {1, 2, 3}
    assert evening.posted == {1: {"big blind": 100}}


@pytest.mark.law("TL-11")
def test_who_sits_between_may_buy_the_button() -> None:
    evening = three()
    evening.sit("Eve", 4)
    evening.back("Eve", Entry.BUY_BUTTON)
    evening.begin()
    assert evening.places == (4, 6, 1)
    assert evening.dealt == (6, 1, 3, 4)
    assert evening.posted[4] == {"live post": 100, "dead post": 50}
    evening.end()
    evening.begin()
    assert evening.places == (6, 1, 3)
    assert 4 not in evening.posted


@pytest.mark.law("TL-11")
def test_the_button_is_not_for_sale_elsewhere() -> None:
    evening = three()
    evening.sit("Gus", 2)
    refusal = evening.refuses(c.Back(player("Gus"), Entry.BUY_BUTTON), errors.CannotBuyButton)
    assert (refusal.value.button, refusal.value.small) == (3, 6)


@pytest.mark.law("TL-11")
@pytest.mark.parametrize("options", [POSTS, LIMIT], ids=["by option", "in limit games"])
def test_a_newcomer_waits_for_the_big_blind(options: Options) -> None:
    evening = three(options)
    evening.sit("Gus", 2)
    assert evening.seat("Gus").state is SeatState.WAITING
    evening.begin()
    assert evening.places == (3, 6, 1) and 2 not in evening.dealt
    evening.end()
    evening.begin()
    assert evening.places == (6, 1, 2)
    assert evening.posted[2] == {"big blind": 100}
    assert evening.seat("Gus").state is SeatState.IN


@pytest.mark.law("TL-11")
def test_or_posts_a_big_blind() -> None:
    evening = three(POSTS)
    evening.sit("Gus", 2)
    evening.back("Gus", Entry.POST)
    evening.begin()
    assert evening.posted[2] == {"live post": 100}
    evening.end()
    evening.begin()
    assert evening.posted[2] == {"big blind": 100}


@pytest.mark.law("TL-11")
def test_at_the_first_deal_nobody_is_new() -> None:
    evening = Evening(POSTS)
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.begin()
    assert evening.posted == {2: {"small blind": 50}, 3: {"big blind": 100}}
    assert len(evening.dealt) == 3


@pytest.mark.law("TL-11")
def test_who_sat_down_before_the_first_deal_and_sat_it_out_is_a_newcomer() -> None:
    evening = Evening(POSTS)
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.sit_out("Cy")
    evening.hand()
    assert evening.refuses(c.Back(player("Cy")), errors.BlindsOwed).value.live == 100
    evening.back("Cy", Entry.POST)
    evening.hand()
    evening.begin()
    assert 3 in evening.dealt and (evening.places[2] == 3 or "live post" in evening.posted[3])


@pytest.mark.law("TL-8", "TL-11")
def test_a_third_player_joins_two_at_his_big_blind() -> None:
    """Between two players every empty seat on one side lies before the small blind: he is in when the big blind reaches him."""
    evening = Evening()
    evening.seats(Ann=1, Bo=5)
    evening.hand()
    evening.sit("Cy", 3)
    evening.begin()
    assert evening.places == (5, 5, 1)  # seat 3 would need the button
    evening.end()
    evening.begin()
    assert evening.places == (5, 1, 3)
    assert evening.dealt == (1, 3, 5)


def sits_out_for_a_lap() -> Evening:
    """Four play; Bo misses big and small blind while the others play on. Next deal: button 3, small blind 4, big 1."""
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    for _ in range(2):
        evening.hand()  # big blinds 3, 4
    evening.sit_out("Bo")
    for _ in range(3):
        evening.hand()  # big blinds 1, 3 (passing 2), 4
    return evening


@pytest.mark.law("TL-10", "TL-33")
def test_missed_blinds_are_noted_and_the_absent_gets_no_cards() -> None:
    evening = sits_out_for_a_lap()
    assert 2 not in evening.dealt
    assert evening.seat("Bo").owes_big
    assert not evening.seat("Ann").owes_big
    assert evening.seat("Bo").orbits_missed == 1


@pytest.mark.law("TL-10")
def test_who_owes_blinds_says_how_he_comes_back() -> None:
    evening = sits_out_for_a_lap()
    refusal = evening.refuses(c.Back(player("Bo")), errors.BlindsOwed)
    assert (refusal.value.live, refusal.value.dead) == (100, 50)
    assert refusal.value.entries == (Entry.WAIT, Entry.POST)


@pytest.mark.law("TL-10")
def test_post_all_missed_the_big_blind_live_the_small_dead() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()  # button 1, small 2, big 3
    evening.leave("Ann")
    evening.leave("Bo")
    evening.sit("Eve", 5)
    evening.sit("Flo", 6)
    evening.sit_out("Cy")  # he has had the big blind and owes the small one
    evening.hand()  # big 4, small dead on 3
    assert (evening.seat("Cy").owes_small, evening.seat("Cy").owes_big) == (True, False)
    for _ in range(3):
        evening.hand()  # big 5, 6, 4: it passes Cy
    assert (evening.seat("Cy").owes_small, evening.seat("Cy").owes_big) == (True, True)
    evening.hand()
    evening.back("Cy", Entry.POST)
    evening.begin()  # big 6, small 5, button 4: Cy is in front of the button
    assert evening.places == (4, 5, 6)
    assert evening.posted[3] == {"live post": 100, "dead post": 50}
    assert [post.kind.value for post in evening.deal.started.posts][-2:] == ["live post", "dead post"]  # type: ignore[union-attr]
    assert not evening.seat("Cy").owes_big


@pytest.mark.law("TL-10")
def test_or_wait_for_the_big_blind_and_owe_nothing_more() -> None:
    evening = sits_out_for_a_lap()
    evening.back("Bo", Entry.WAIT)
    evening.hand()  # big blind 1
    assert 2 not in evening.dealt
    evening.begin()
    assert evening.places[2] == 2
    assert evening.posted[2] == {"big blind": 100}
    assert evening.seat("Bo").settled


@pytest.mark.law("TL-10", "TL-33")
def test_who_missed_no_blind_is_back_at_once() -> None:
    evening = three()
    evening.sit_out("Ann")
    assert evening.back("Ann")[0] == e.CameBack(1, SeatState.IN, evening.now)
    evening.refuses(c.Back(player("Ann")), errors.AlreadyIn)


@pytest.mark.law("TL-12")
def test_leaving_and_returning_does_not_cancel_what_is_owed() -> None:
    evening = sits_out_for_a_lap()
    evening.leave("Bo")
    evening.sit("Bo", 2)
    assert evening.seat("Bo").owes_big
    assert evening.seat("Bo").state is SeatState.WAITING


@pytest.mark.law("TL-12")
def test_a_blind_that_passes_the_empty_seat_is_owed_all_the_same() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()  # big 3
    evening.leave("Di")  # the next big blind
    evening.hand()
    evening.sit("Di", 4)
    assert evening.seat("Di").owes_big


@pytest.mark.law("TL-12")
def test_nor_does_another_seat() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()
    evening.leave("Di")  # the next big blind
    evening.sit("Di", 9)
    assert evening.seat("Di").owes_big


@pytest.mark.law("TL-12")
def test_who_returns_before_anything_passed_him_owes_nothing() -> None:
    evening = three()
    evening.leave("Ann")
    evening.sit("Ann", 1)
    assert evening.seat("Ann").settled
    evening.begin()
    assert evening.posted[1] == {"big blind": 100}


@pytest.mark.law("TL-12", "I-1")
def test_blinds_missed_in_a_hand_that_does_not_count_are_not_missed() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()
    evening.sit_out("Di")
    evening.begin()
    assert evening.seat("Di").owes_big
    evening.void()
    assert not evening.seat("Di").owes_big


@pytest.mark.law("TL-10")
def test_two_left_over_where_one_owes_play_on_and_he_takes_the_big_blind() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.hand()  # big 3
    evening.sit_out("Ann")
    evening.hand()  # heads-up: big 2, passing 1
    assert evening.seat("Ann").owes_big
    evening.leave("Bo")
    evening.back("Ann")  # no game goes on without her: nothing to choose
    evening.begin()
    assert evening.posted == {3: {"small blind": 50}, 1: {"big blind": 100}}


@pytest.mark.law("TL-14")
def test_the_big_blind_is_paid_before_the_ante_it_pays_for_all() -> None:
    evening = Evening(Options(blinds_ante=BlindsAnte.BIG_BLIND), Stakes(small_blind=50, big_blind=100, ante=100))
    evening.seats(Ann=1, Bo=2, Cy=3)
    deal = evening.begin()
    assert [(post.kind.value, post.chips) for post in deal.started.posts] == [
        ("small blind", 50), ("big blind", 100), ("dead post", 100)]  # fmt: skip
    assert evening.posted[3] == {"big blind": 100, "dead post": 100}


@pytest.mark.law("A-1", "TL-14")
def test_antes_of_everyone_come_before_the_blinds() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, ante=10))
    evening.seats(Ann=1, Bo=2, Cy=3)
    deal = evening.begin()
    assert [post.kind.value for post in deal.started.posts] == ["ante", "ante", "ante", "small blind", "big blind"]


@pytest.mark.law("TL-14")
def test_one_ante_left_of_the_button() -> None:
    evening = Evening(Options(blinds_ante=BlindsAnte.LEFT_OF_DEALER), Stakes(small_blind=50, big_blind=100, ante=30))
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.begin()
    assert evening.posted == {2: {"small blind": 50, "dead post": 30}, 3: {"big blind": 100}}


# The live straddle


def straddling(seat: StraddleSeat = StraddleSeat.UNDER_THE_GUN, options: Options | None = None) -> Evening:
    evening = Evening(replace(options or Options(), straddle=Straddle.LIVE, straddle_seat=seat))
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()  # next deal: button 2, small 3, big 4, under the gun 1
    return evening


@pytest.mark.law("TL-13")
def test_under_the_gun_straddles_for_twice_the_big_blind() -> None:
    evening = straddling()
    evening.ask(c.PledgeStraddle(player("Ann")))
    evening.begin()
    assert evening.posted[1] == {"straddle": 200}
    assert evening.deal is not None and evening.deal.started.posts[-1].chips == 200
    evening.end()
    evening.begin()  # it was for that deal only
    assert all("straddle" not in kinds for kinds in evening.posted.values())


@pytest.mark.law("TL-13")
def test_the_button_is_asked_first_and_there_is_one_straddle() -> None:
    evening = straddling(StraddleSeat.BOTH)
    assert straddle_seats(evening.table) == (2, 1)
    evening.ask(c.PledgeStraddle(player("Ann")))
    evening.ask(c.PledgeStraddle(player("Bo")))
    evening.begin()
    assert evening.posted[2] == {"straddle": 200}
    assert 1 not in evening.posted


@pytest.mark.law("TL-13")
def test_no_button_straddle_in_limit_games() -> None:
    evening = straddling(StraddleSeat.BOTH, LIMIT)
    assert straddle_seats(evening.table) == (1,)


@pytest.mark.law("TL-13")
def test_others_may_not_straddle_and_are_told_who_may() -> None:
    evening = straddling()
    refusal = evening.refuses(c.PledgeStraddle(player("Cy")), errors.StraddleNotYours)
    assert (refusal.value.seats, refusal.value.to) == ((1,), 200)


@pytest.mark.law("TL-13")
def test_no_straddle_where_the_table_has_none() -> None:
    evening = three()
    evening.refuses(c.PledgeStraddle(player("Ann")), errors.NoStraddle)


@pytest.mark.law("TL-13", "TL-42")
def test_a_straddle_is_posted_in_full_or_not_at_all() -> None:
    evening = straddling()
    evening.begin()
    evening.end({"Bo": -9_850, "Cy": 9_850})  # Bo, next under the gun, has 150
    refusal = evening.refuses(c.PledgeStraddle(player("Bo")), errors.StraddleInFull)
    assert refusal.value.stack == 150


@pytest.mark.law("TL-13")
def test_a_straddle_may_be_taken_back_before_the_cards() -> None:
    evening = straddling()
    evening.ask(c.PledgeStraddle(player("Ann")))
    evening.ask(c.PledgeStraddle(player("Ann"), on=False))
    evening.later(6)
    evening.begin()
    assert 1 not in evening.posted
    assert evening.table.next_hand_at == 0 and evening.now % SECOND == 0


# A misdeal that the next dealer puts right, and seats that are drawn anew


def owes_both() -> Evening:
    """Bo has missed both blinds, and posts them at the next deal; big blind 4, button 1."""
    evening = Evening(replace(Options(), misdeal=Misdeal.NEXT_DEALER))
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4, Ed=5)
    for _ in range(2):
        evening.hand()
    evening.sit_out("Bo")
    while not (evening.seat("Bo").owes_small and evening.seat("Bo").owes_big):
        evening.hand()
    evening.back("Bo", Entry.POST)
    while True:
        evening.begin()
        if evening.posted.get(2):
            return evening
        evening.end()


@pytest.mark.law("TL-12", "I-3", "TL-10")
def test_a_live_post_that_is_given_back_after_a_misdeal_is_owed_as_before() -> None:
    """The dead money stays in the pot for the next deal, and with it the small blind is paid."""
    evening = owes_both()
    assert evening.posted[2] == {"live post": 100, "dead post": 50}
    evening.end({"Bo": -50}, carried=50, passed_out=False, misdeal=True)
    bo = evening.seat("Bo")
    assert (bo.state, bo.owes_small, bo.owes_big) == (SeatState.POSTING, False, True)
    evening.begin()
    assert evening.posted[2] in ({"live post": 100}, {"big blind": 100})
    evening.end()
    assert evening.seat("Bo").settled
    evening.replays()


@pytest.mark.law("TL-12", "I-3", "TL-42")
def test_who_had_nothing_left_for_the_dead_post_owes_it_still() -> None:
    evening = owes_both()
    evening.end(carried=0, passed_out=False, misdeal=True)
    assert (evening.seat("Bo").owes_small, evening.seat("Bo").owes_big) == (True, True)


@pytest.mark.law("TL-12", "I-3", "TL-14")
def test_an_ante_that_stays_in_the_pot_pays_no_missed_blind() -> None:
    evening = Evening(replace(Options(), misdeal=Misdeal.NEXT_DEALER), Stakes(small_blind=50, big_blind=100, ante=10))
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    for _ in range(2):
        evening.hand()
    evening.sit_out("Bo")
    for _ in range(3):
        evening.hand()
    evening.back("Bo", Entry.WAIT)
    evening.hand()
    evening.begin()
    assert evening.posted[2]["big blind"] == 100
    names = [evening.at(number).name for number in evening.dealt]
    evening.end(dict.fromkeys(names, -10), carried=10 * len(names), passed_out=False, misdeal=True)
    bo = evening.seat("Bo")
    assert (bo.state, bo.owes_big) == (SeatState.WAITING, True), "the big blind he waited for he has back"
    assert all(evening.seat(name).settled for name in names if name != "Bo")
    evening.replays()


@pytest.mark.law("I-3", "TL-40", "TL-12")
def test_who_leaves_after_such_a_misdeal_takes_his_debt_with_him() -> None:
    evening = owes_both()
    evening.leave("Bo")
    evening.end({"Bo": -50}, carried=50, passed_out=False, misdeal=True)
    assert not evening.seated("Bo")
    evening.sit("Bo", 2)
    assert evening.seat("Bo").owes_big


def drawn_anew(*, entry: Entry = Entry.WAIT) -> Evening:
    """Bo owes a big blind when seats are drawn anew, an hour after the last time."""
    evening = sits_out_for_a_lap()
    evening.back("Bo", entry)
    evening.later(3600)
    evening.ask(c.DrawSeats(player("Ann"), PACK))
    assert evening.table.positions is None
    return evening


@pytest.mark.law("TL-12", "P-10", "P-8")
def test_drawing_seats_anew_cancels_no_blind_that_is_owed() -> None:
    """Who waits is dealt in at his big blind and not before; nobody else is kept out."""
    evening = drawn_anew()
    for _ in range(4):
        evening.begin()
        bo = evening.seat("Bo")
        assert {evening.seat(name).number for name in ("Ann", "Cy", "Di")} <= set(evening.dealt)
        if bo.number in evening.dealt:
            assert evening.places[2] == bo.number
            assert evening.posted[bo.number] == {"big blind": 100}
            break
        assert bo.owes_big
        evening.end()
    else:
        pytest.fail("the big blind never came to him")
    assert evening.seat("Bo").settled
    evening.replays()


@pytest.mark.law("TL-12", "P-10", "TL-10")
@pytest.mark.parametrize("button", range(1, 5))
def test_or_he_posts_it_wherever_the_new_button_is(button: int) -> None:
    evening = drawn_anew(entry=Entry.POST)
    evening.happen(e.ButtonDrawn((), button))
    paid = 0
    for _ in range(4):
        evening.begin()
        at = evening.seat("Bo").number
        assert len(set(evening.dealt)) == len(evening.dealt) >= 3
        paid += sum(chips for kind, chips in evening.posted.get(at, {}).items() if kind in ("live post", "big blind"))
        if at in evening.dealt:
            break
        evening.end()
    assert paid == 100
    assert evening.seat("Bo").settled


@pytest.mark.law("TL-12", "P-10")
def test_who_sat_out_while_seats_were_drawn_is_asked_how_he_comes_in() -> None:
    evening = sits_out_for_a_lap()
    evening.later(3600)
    evening.ask(c.DrawSeats(player("Ann"), PACK))
    refusal = evening.refuses(c.Back(player("Bo")), errors.BlindsOwed)
    assert refusal.value.live == 100
    assert refusal.value.entries == (Entry.WAIT, Entry.POST)


@pytest.mark.law("TL-12", "TL-8")
def test_where_one_of_two_owes_the_game_begins_again_and_nobody_waits() -> None:
    evening = sits_out_for_a_lap()
    evening.back("Bo", Entry.WAIT)
    evening.leave("Cy")
    evening.leave("Di")
    evening.later(3600)
    evening.ask(c.DrawSeats(player("Ann"), PACK))
    evening.begin()
    assert len(evening.dealt) == 2


@pytest.mark.law("TL-12")
def test_a_debt_outlives_the_game_that_broke_up() -> None:
    """All leave and three come back within the hour: who owed a blind owes it, and the two others begin."""
    evening = sits_out_for_a_lap()
    for name in ("Ann", "Bo", "Cy", "Di"):
        evening.leave(name)
    for name, seat in {"Ann": 1, "Bo": 2, "Cy": 3}.items():
        evening.sit(name, seat)
    assert evening.seat("Bo").state is SeatState.WAITING
    for _ in range(3):
        evening.begin()
        if 2 in evening.dealt:
            assert evening.places[2] == 2
            break
        evening.end()
    assert evening.seat("Bo").settled
