"""Taking a seat, giving it up, changing it."""

import pytest

from bot.engine.cards import parse
from bot.engine.options import FirstDealer, Options, Straddle, Switch
from bot.engine.packs import seats_served
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.draws import draw_button, draw_seats
from bot.table.pack import SeatAdvice, seat_advice
from bot.table.queries import vacant
from bot.table.state import AfterHand, SeatState
from bot.variants.holdem import NO_LIMIT_HOLDEM
from tests.table.story import PACK, SECOND, START, Evening, player, settings

HOUR = 3600 * SECOND


def two() -> Evening:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    return evening


@pytest.mark.law("P-7", "P-11")
def test_a_player_takes_a_free_seat_of_his_choice_or_one_by_lot() -> None:
    evening = two()
    evening.sit("Cy", 7)
    assert evening.seat("Cy").number == 7
    assert vacant(evening.table) == (3, 4, 5, 6, 8, 9, 10)
    evening.ask(c.Sit(player("Di"), "Di", 10_000, lot=4 + 7 * 1000))
    assert evening.seat("Di").number == 8


@pytest.mark.law("P-7")
def test_a_taken_seat_is_refused_before_the_first_deal() -> None:
    evening = two()
    refusal = evening.refuses(c.Sit(player("Cy"), "Cy", 10_000, 2), errors.SeatOccupied)
    assert refusal.value.law == "P-7"
    assert 2 not in refusal.value.free


@pytest.mark.law("P-11")
def test_and_after_it() -> None:
    evening = two()
    evening.hand()
    assert evening.refuses(c.Sit(player("Cy"), "Cy", 10_000, 2), errors.SeatOccupied).value.law == "P-11"
    evening.refuses(c.Sit(player("Cy"), "Cy", 10_000, 11), errors.NoSuchSeat)
    evening.refuses(c.Sit(player("Cy"), "Cy", 10_000, -1), errors.NoSuchSeat)


@pytest.mark.law("E-1", "TL-37")
def test_one_player_one_seat() -> None:
    evening = two()
    assert evening.refuses(c.Sit(player("Ann"), "Ann", 10_000, 5), errors.AlreadySeated).value.seat == 1
    evening.refuses(c.JoinWaitingList(player("Ann"), "Ann"), errors.AlreadySeated)


@pytest.mark.law("P-6")
def test_holdem_serves_twenty_two_from_one_pack_less_the_burns() -> None:
    """P-6 counts 22 for the source's deal; with the three burns of TL-28 it is 22 as well: 2 x 22 + 5 + 3 = 52."""
    assert seats_served(NO_LIMIT_HOLDEM) == 22


@pytest.mark.law("P-2", "P-6")
def test_fourteen_may_play_holdem() -> None:
    evening = Evening(Options(max_seats=14))
    for number in range(1, 15):
        evening.sit(f"P{number:02}", number)
    evening.begin()
    assert len(evening.dealt) == 14
    refusal = evening.refuses(c.Sit(player("Zoe"), "Zoe", 10_000), errors.TableFull)
    assert refusal.value.law == "P-6"


@pytest.mark.law("P-4", "P-5")
def test_the_sources_advice_on_the_number_of_players_is_only_advice() -> None:
    assert seat_advice(Options(), 6) is None
    assert seat_advice(Options(), 9) == SeatAdvice("P-5", 5, 7)
    assert seat_advice(Options(straddle=Straddle.CHAIN), 7) == SeatAdvice("P-4", 2, 6)
    Evening(Options(max_seats=2))


@pytest.mark.law("P-3")
def test_a_full_table_is_full() -> None:
    evening = Evening(Options(max_seats=2))
    evening.seats(Ann=1, Bo=2)
    assert evening.refuses(c.Sit(player("Cy"), "Cy", 10_000), errors.TableFull).value.law == "P-3"


@pytest.mark.law("TL-40")
def test_between_deals_one_leaves_at_once_with_all_chips() -> None:
    evening = two()
    assert evening.leave("Bo")[0] == e.SeatLeft(2, player("Bo"), 10_000, START)
    evening.refuses(c.Leave(player("Bo")), errors.NotSeated)


@pytest.mark.law("TL-40")
def test_during_a_deal_one_leaves_after_it() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin()
    assert evening.leave("Bo") == (e.LeaveAsked(2, evening.now),)
    evening.refuses(c.Leave(player("Bo")), errors.AlreadyLeaving)
    happened = evening.end({"Bo": -50, "Cy": 50})
    assert e.SeatLeft(2, player("Bo"), 9_950, evening.now) in happened


@pytest.mark.law("TL-40")
def test_who_thinks_better_of_it_stays() -> None:
    evening = two()
    evening.begin()
    evening.leave("Bo")
    evening.back("Bo")
    evening.end()
    assert evening.seat("Bo").after is AfterHand.STAY


@pytest.mark.law("TL-33")
def test_sitting_out_takes_effect_after_this_deal() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin()
    evening.sit_out("Cy")
    assert evening.seat("Cy").state is SeatState.IN
    assert evening.refuses(c.SitOut(player("Cy")), errors.AlreadyOut).value.after_hand
    evening.end()
    assert evening.seat("Cy").state is SeatState.OUT
    evening.begin()
    assert 3 not in evening.dealt


@pytest.mark.law("TL-32")
def test_who_lets_his_turn_pass_sits_out_after_the_hand_unless_he_is_back() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin()
    evening.ask(c.TimedOut(1))
    evening.ask(c.TimedOut(2))
    assert evening.ask(c.TimedOut(2)) == ()
    evening.back("Bo")
    evening.end()
    assert evening.seat("Ann").state is SeatState.OUT
    assert evening.seat("Bo").state is SeatState.IN


@pytest.mark.law("TL-40")
def test_a_leaver_who_times_out_still_leaves() -> None:
    evening = two()
    evening.begin()
    evening.leave("Ann")
    assert evening.ask(c.TimedOut(1)) == ()
    evening.end()
    assert not evening.seated("Ann")


@pytest.mark.law("TL-33")
def test_nobodys_absence_stops_a_table() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.hand()
    evening.sit_out("Ann")
    evening.hand()
    assert set(evening.dealt) == {2, 3}


@pytest.mark.law("TL-33")
def test_who_sits_out_too_long_is_paid_and_loses_the_seat() -> None:
    evening = Evening(idle_minutes=0)
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.hand()
    evening.sit_out("Ann")
    evening.later(20 * 60 - 1)
    evening.ask(c.Tick())
    assert evening.seated("Ann")
    evening.later(1)
    assert e.SeatLeft(1, player("Ann"), 10_000, evening.now, e.LeaveReason.ABSENT) in evening.ask(c.Tick())


@pytest.mark.law("TL-33")
def test_or_after_so_many_big_blinds() -> None:
    evening = Evening(absent_orbits=2, absent_minutes=0)
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.hand()
    evening.sit_out("Ann")
    for _ in range(3):  # the big blind passes her in the first and the third
        assert evening.seated("Ann")
        evening.hand()
        evening.ask(c.Tick())
    assert not evening.seated("Ann")


@pytest.mark.law("P-12")
def test_two_exchange_seats_if_nobody_objects() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.hand()
    evening.ask(c.ExchangeSeats(player("Ann"), 3))
    assert evening.ask(c.ExchangeSeats(player("Cy"), 1)) == (e.ExchangeAgreed(evening.now + 6 * SECOND),)
    evening.begin()
    assert (evening.seat("Ann").number, evening.seat("Cy").number) == (3, 1)
    evening.replays()


@pytest.mark.law("P-12")
def test_an_objection_ends_it() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.hand()
    evening.ask(c.ExchangeSeats(player("Ann"), 3))
    evening.ask(c.ExchangeSeats(player("Cy"), 1))
    evening.ask(c.Object(player("Bo")))
    evening.begin()
    assert evening.seat("Ann").number == 1


@pytest.mark.law("P-12", "I-5")
def test_seats_are_not_exchanged_during_a_deal() -> None:
    evening = two()
    evening.begin()
    assert evening.refuses(c.ExchangeSeats(player("Ann"), 2), errors.HandRunning).value.law == "P-12"
    evening.end()
    evening.refuses(c.ExchangeSeats(player("Ann"), 5), errors.NobodyThere)
    evening.refuses(c.ExchangeSeats(player("Ann"), 1), errors.NobodyThere)


@pytest.mark.law("P-12")
def test_one_exchange_at_a_time() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.ask(c.ExchangeSeats(player("Ann"), 3))
    evening.refuses(c.ExchangeSeats(player("Bo"), 3), errors.ExchangePending)
    evening.leave("Cy")
    assert evening.table.exchange is None


@pytest.mark.law("AT-11", "P-8")
def test_the_drawing_of_seats_in_the_law_book() -> None:
    """Banker X, first dealer D at his left; P Q R get 9, K, 9: Q sits right of X, then P, then R."""
    x, d, p, q, r = range(1, 6)
    clockwise_from_x = draw_seats(x, d, (p, q, r), (parse("9c"), parse("Kh"), parse("9s")))
    assert clockwise_from_x == (x, d, r, p, q)


@pytest.mark.law("P-8", "P-9")
def test_without_a_banker_the_dealer_chooses_and_the_others_draw() -> None:
    assert draw_seats(9, 0, (1, 2, 3), (parse("2c"), parse("Ah"), parse("3s"))) == (9, 1, 3, 2)


@pytest.mark.law("P-7", "P-8")
def test_before_the_first_deal_any_player_may_demand_a_drawing() -> None:
    evening = Evening(host="Ann")
    evening.seats(Ann=4, Bo=2, Cy=7)
    evening.ask(c.DrawSeats(player("Bo"), (parse("9c"), parse("Kh"))))  # Cy, left of Ann, gets the nine, Bo the king
    assert [evening.seat(name).number for name in ("Ann", "Cy", "Bo")] == [4, 7, 2]
    evening.ask(c.DrawSeats(player("Bo"), (parse("Kc"), parse("9h"))))
    assert [evening.seat(name).number for name in ("Ann", "Bo", "Cy")] == [4, 7, 2]
    evening.replays()


@pytest.mark.law("P-10")
def test_reseating_waits_for_an_hour() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin()
    evening.refuses(c.DrawSeats(player("Bo"), PACK), errors.HandRunning)
    evening.end()
    refusal = evening.refuses(c.DrawSeats(player("Bo"), PACK), errors.ReseatingTooSoon)
    assert refusal.value.until == START + HOUR
    evening.now = START + HOUR
    evening.ask(c.DrawSeats(player("Bo"), PACK))
    assert evening.table.seated_at == evening.now


@pytest.mark.law("D-1")
def test_the_first_jack_makes_the_dealer() -> None:
    drawn, dealer = draw_button(FirstDealer.JACK, (1, 2, 3), tuple(map(parse, ("Ac", "2c", "Kd", "5s", "Jh", "Js"))))
    assert dealer == 2
    assert len(drawn) == 5


@pytest.mark.law("D-2")
def test_the_lowest_cut_deals_and_ties_cut_again() -> None:
    cards = tuple(map(parse, ("3c", "Ah", "3d", "9s", "8h", "2c")))
    drawn, dealer = draw_button(FirstDealer.LOW_CUT, (1, 2, 3), cards)
    assert dealer == 3
    assert drawn[3:] == ((1, parse("9s")), (3, parse("8h")))


@pytest.mark.law("P-1")
def test_one_player_does_not_make_a_game() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    assert evening.table.next_hand_at == 0
    assert evening.refuses(c.StartHand(player("Ann")), errors.TooFewPlayers).value.players == 1


def test_the_next_hand_starts_itself_and_needs_no_host() -> None:
    evening = Evening(host="Zoe")
    evening.seats(Ann=1, Bo=2)
    assert evening.table.next_hand_at == START + 6 * SECOND
    evening.hand()
    assert evening.table.next_hand_at == evening.now + 6 * SECOND
    evening.leave("Bo")
    assert evening.table.next_hand_at == 0


def test_without_auto_start_any_seated_player_deals() -> None:
    evening = Evening(host="Zoe", auto_start=False)
    evening.seats(Ann=1, Bo=2)
    assert evening.table.next_hand_at == 0
    evening.refuses(c.StartHand(player("Zoe")), errors.NotSeated)
    evening.ask(c.StartHand(player("Bo")))
    assert evening.table.next_hand_at == evening.now


def test_practice_players_sit_at_practice_tables_and_wait_for_a_person() -> None:
    evening = two()
    evening.refuses(c.Sit(900, "Robo", 10_000, practice=True), errors.PracticeTablesOnly)
    house = Evening(practice=True)
    for number in (1, 2, 3):
        house.ask(c.Sit(900 + number, f"Robo {number}", 10_000, number, practice=True))
    assert house.table.next_hand_at == 0
    house.sit("Ann", 4)
    assert house.table.next_hand_at
    house.begin()
    assert len(house.dealt) == 4


@pytest.mark.law("H-1")
def test_practice_players_go_along_with_what_people_agree_on() -> None:
    house = Evening(practice=True)
    house.ask(c.Sit(900, "Robo", 10_000, 1, practice=True))
    house.sit("Ann", 4)
    house.hand()
    changed = settings(Options(run_twice=Switch.OFF), practice=True)
    house.ask(c.ChangeSettings(player("Ann"), changed))
    assert house.table.settings == changed


def test_practice_players_stop_when_the_last_person_does() -> None:
    house = Evening(practice=True)
    for number in (1, 2):
        house.ask(c.Sit(900 + number, f"Robo {number}", 10_000, number, practice=True))
    house.sit("Ann", 4)
    house.hand()
    house.sit_out("Ann")
    assert house.table.next_hand_at == 0
    house.later(10 * 60)
    assert isinstance(house.ask(c.Tick())[-1], e.TableClosed)
