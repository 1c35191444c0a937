"""Taking, leaving and changing seats."""

import pytest

from bot.engine.cards import parse_card
from bot.engine.dealing.decks import max_seats_served
from bot.engine.options.types import Options
from bot.engine.options.values import FirstDealer, Misses, Switch
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.ceremonies.first_deal import draw_button
from bot.table.ceremonies.seat_draw import seating_order
from bot.table.decide import decide
from bot.table.queries import free_seats, next_due_at, players_needed
from bot.table.state import AfterHand, SeatStatus
from bot.variants.holdem import NO_LIMIT_HOLDEM
from tests.table.evening import DECK, SECOND_MS, START_MS, Evening, player_id, settings

HOUR = 3600 * SECOND_MS


def two(misses: str = "2") -> Evening:
    evening = Evening(Options(misses=Misses(misses)))
    evening.sit_all(Ann=1, Bo=2)
    return evening


@pytest.mark.law("P-7", "P-11")
def test_player_takes_a_chosen_or_random_free_seat() -> None:
    evening = two()
    evening.sit("Cy", 7)
    assert evening.seat("Cy").number == 7
    assert free_seats(evening.table) == (3, 4, 5, 6, 8, 9, 10)
    evening.ask(c.TakeSeat(player_id("Di"), "Di", 10_000, random_number=4 + 7 * 1000))
    assert evening.seat("Di").number == 8


@pytest.mark.law("P-7")
def test_taken_seat_is_refused_before_the_first_hand() -> None:
    evening = two()
    refusal = evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000, 2), refusals.SeatOccupied)
    assert refusal.value.law == "P-7"
    assert 2 not in refusal.value.free_seats


@pytest.mark.law("P-11")
def test_taken_seat_is_refused_after_the_first_hand() -> None:
    evening = two()
    evening.play_hand()
    assert evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000, 2), refusals.SeatOccupied).value.law == "P-11"
    evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000, 11), refusals.NoSuchSeat)
    evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000, -1), refusals.NoSuchSeat)


@pytest.mark.law("E-1", "TL-37")
def test_player_has_one_seat_only() -> None:
    evening = two()
    assert (
        evening.refuses(c.TakeSeat(player_id("Ann"), "Ann", 10_000, 5), refusals.AlreadySeated).value.seat_number == 1
    )
    evening.refuses(c.JoinWaitingList(player_id("Ann"), "Ann"), refusals.AlreadySeated)


@pytest.mark.law("P-6")
def test_holdem_serves_twenty_two_players_from_one_deck() -> None:
    """P-6 counts 22 players. With the three burn cards of TL-28 it is 22 as well: 2 x 22 + 5 + 3 = 52."""
    assert max_seats_served(NO_LIMIT_HOLDEM) == 22


@pytest.mark.law("P-2", "P-6")
def test_fourteen_players_can_play_holdem() -> None:
    evening = Evening(Options(max_seats=14))
    for number in range(1, 15):
        evening.sit(f"P{number:02}", number)
    evening.begin_hand()
    assert len(evening.dealt) == 14
    refusal = evening.refuses(c.TakeSeat(player_id("Zoe"), "Zoe", 10_000), refusals.TableFull)
    assert refusal.value.law == "P-6"


@pytest.mark.law("P-4", "P-5")
def test_table_opens_outside_the_advised_seat_counts() -> None:
    assert len(free_seats(Evening(Options(max_seats=2)).table)) == 2
    assert len(free_seats(Evening(Options(max_seats=9)).table)) == 9


@pytest.mark.law("P-3")
def test_full_table_refuses_another_player() -> None:
    evening = Evening(Options(max_seats=2))
    evening.sit_all(Ann=1, Bo=2)
    assert evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000), refusals.TableFull).value.law == "P-3"


@pytest.mark.law("TL-40")
def test_player_leaves_at_once_between_hands_with_all_chips() -> None:
    evening = two()
    assert evening.leave("Bo")[0] == e.SeatLeft(2, player_id("Bo"), 10_000, START_MS)
    evening.refuses(c.LeaveTable(player_id("Bo")), refusals.NotSeated)


@pytest.mark.law("TL-40")
def test_player_leaving_during_a_hand_leaves_after_it() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin_hand()
    assert evening.leave("Bo") == (e.LeaveRequested(2, evening.now),)
    evening.refuses(c.LeaveTable(player_id("Bo")), refusals.AlreadyLeaving)
    events = evening.end_hand({"Bo": -50, "Cy": 50})
    assert e.SeatLeft(2, player_id("Bo"), 9_950, evening.now) in events


@pytest.mark.law("TL-40")
def test_player_can_cancel_leaving() -> None:
    evening = two()
    evening.begin_hand()
    evening.leave("Bo")
    evening.come_back("Bo")
    evening.end_hand()
    assert evening.seat("Bo").after_hand is AfterHand.STAY


@pytest.mark.law("TL-33")
def test_sitting_out_takes_effect_after_this_hand() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin_hand()
    evening.sit_out("Cy")
    assert evening.seat("Cy").status is SeatStatus.PLAYING
    assert evening.refuses(c.SitOut(player_id("Cy")), refusals.AlreadySittingOut).value.after_hand
    evening.end_hand()
    assert evening.seat("Cy").status is SeatStatus.SITTING_OUT
    evening.begin_hand()
    assert 3 not in evening.dealt


@pytest.mark.law("TL-32")
def test_second_missed_turn_in_a_row_sits_a_player_out() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin_hand()
    evening.ask(c.TimeOutPlayer(1))
    evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.PLAYING
    evening.begin_hand()
    evening.ask(c.TimeOutPlayer(1))
    evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT
    assert evening.seat("Ann").out_by_timeout
    evening.come_back("Ann")
    assert not evening.seat("Ann").missed_turns and not evening.seat("Ann").out_by_timeout


@pytest.mark.law("TL-32")
def test_any_own_action_ends_a_row_of_missed_turns() -> None:
    evening = two()
    for _ in range(4):
        evening.begin_hand()
        evening.ask(c.TimeOutPlayer(1))
        evening.ask(c.NoteOwnAction(player_id("Ann")))
        evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.PLAYING
    assert evening.ask(c.NoteOwnAction(player_id("Ann"))) == ()


@pytest.mark.law("TL-32")
def test_player_who_acts_again_in_the_hand_stays() -> None:
    evening = two(misses="1")
    evening.begin_hand()
    evening.ask(c.TimeOutPlayer(1))
    evening.ask(c.TimeOutPlayer(2))
    evening.ask(c.NoteOwnAction(player_id("Ann")))
    evening.come_back("Bo")
    evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.PLAYING
    assert evening.seat("Bo").status is SeatStatus.PLAYING


@pytest.mark.law("TL-32")
def test_requested_sit_out_happens_although_the_player_acts() -> None:
    evening = two(misses="1")
    evening.begin_hand()
    evening.sit_out("Ann")
    evening.ask(c.TimeOutPlayer(1))
    evening.ask(c.NoteOwnAction(player_id("Ann")))
    evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT
    assert not evening.seat("Ann").out_by_timeout


@pytest.mark.law("TL-32")
@pytest.mark.parametrize(("misses", "missed"), [("1", 1), ("3", 3), ("5", 5)])
def test_table_chooses_how_many_turns_a_player_can_miss(misses: str, missed: int) -> None:
    evening = two(misses=misses)
    for turn in range(1, missed + 1):
        assert evening.seat("Ann").status is SeatStatus.PLAYING, turn
        evening.begin_hand()
        evening.ask(c.TimeOutPlayer(1))
        evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.SITTING_OUT


@pytest.mark.law("TL-32")
def test_missed_turns_do_not_count_at_clocks_of_an_hour() -> None:
    evening = Evening(stakes=Stakes(small_blind=50, big_blind=100, turn_seconds=3600))
    evening.sit_all(Ann=1, Bo=2)
    for _ in range(6):
        evening.begin_hand()
        evening.ask(c.TimeOutPlayer(1))
        evening.end_hand()
    assert evening.seat("Ann").status is SeatStatus.PLAYING


@pytest.mark.law("TL-32")
def test_player_who_missed_a_turn_says_that_they_are_there() -> None:
    evening = two()
    evening.begin_hand()
    evening.ask(c.TimeOutPlayer(1))
    assert evening.come_back("Ann") == (e.ActedAgain(1),)
    evening.refuses(c.ComeBack(player_id("Ann")), refusals.AlreadyPlaying)


@pytest.mark.law("TL-40")
def test_leaving_player_who_times_out_still_leaves() -> None:
    evening = two()
    evening.begin_hand()
    evening.leave("Ann")
    assert evening.ask(c.TimeOutPlayer(1)) == ()
    evening.end_hand()
    assert not evening.is_seated("Ann")


@pytest.mark.law("TL-33")
def test_absent_player_does_not_stop_a_table() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand()
    evening.sit_out("Ann")
    evening.play_hand()
    assert set(evening.dealt) == {2, 3}


@pytest.mark.law("TL-33")
def test_player_sitting_out_too_long_is_paid_and_unseated() -> None:
    evening = Evening(idle_minutes=0)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.play_hand()
    evening.sit_out("Ann")
    evening.wait(20 * 60 - 1)
    evening.ask(c.Tick())
    assert evening.is_seated("Ann")
    evening.wait(1)
    assert e.SeatLeft(1, player_id("Ann"), 10_000, evening.now, e.LeaveReason.ABSENT) in evening.ask(c.Tick())


@pytest.mark.law("TL-33")
def test_player_missing_too_many_big_blinds_is_unseated() -> None:
    evening = Evening(absent_orbits=2, absent_minutes=0)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.play_hand()
    evening.sit_out("Ann")
    for _ in range(3):  # the big blind passes Ann in the first and the third hand
        assert evening.is_seated("Ann")
        evening.play_hand()
        evening.ask(c.Tick())
    assert not evening.is_seated("Ann")


@pytest.mark.law("P-12")
def test_two_players_exchange_seats_if_nobody_objects() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand()
    evening.ask(c.ExchangeSeats(player_id("Ann"), 3))
    assert evening.ask(c.ExchangeSeats(player_id("Cy"), 1)) == (e.SeatExchangeAgreed(evening.now + 6 * SECOND_MS),)
    evening.begin_hand()
    assert (evening.seat("Ann").number, evening.seat("Cy").number) == (3, 1)
    evening.assert_replays()


@pytest.mark.law("P-12")
def test_objection_ends_a_seat_exchange() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.play_hand()
    evening.ask(c.ExchangeSeats(player_id("Ann"), 3))
    evening.ask(c.ExchangeSeats(player_id("Cy"), 1))
    evening.ask(c.RaiseObjection(player_id("Bo")))
    evening.begin_hand()
    assert evening.seat("Ann").number == 1


@pytest.mark.law("P-12", "I-5")
def test_seats_are_not_exchanged_during_a_hand() -> None:
    evening = two()
    evening.begin_hand()
    assert evening.refuses(c.ExchangeSeats(player_id("Ann"), 2), refusals.HandRunning).value.law == "P-12"
    evening.end_hand()
    evening.refuses(c.ExchangeSeats(player_id("Ann"), 5), refusals.SeatIsEmpty)
    evening.refuses(c.ExchangeSeats(player_id("Ann"), 1), refusals.SeatIsEmpty)


@pytest.mark.law("P-12")
def test_only_one_seat_exchange_at_a_time() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.ask(c.ExchangeSeats(player_id("Ann"), 3))
    evening.refuses(c.ExchangeSeats(player_id("Bo"), 3), refusals.SeatExchangePending)
    evening.leave("Cy")
    assert evening.table.exchange is None


@pytest.mark.law("AT-11", "P-8")
def test_seats_are_drawn_as_in_the_law_book() -> None:
    """Banker X has the first dealer D at the left; P, Q, R get 9, K, 9: Q sits right of X, then P, then R."""
    x, d, p, q, r = range(1, 6)
    clockwise_from_x = seating_order((x, d), (p, q, r), (parse_card("9c"), parse_card("Kh"), parse_card("9s")))
    assert clockwise_from_x == (x, d, r, p, q)


@pytest.mark.law("P-8", "P-9")
def test_dealer_chooses_without_banker_and_others_draw() -> None:
    assert seating_order((9,), (1, 2, 3), (parse_card("2c"), parse_card("Ah"), parse_card("3s"))) == (9, 1, 3, 2)


@pytest.mark.law("P-7", "P-8")
def test_any_player_can_ask_to_draw_seats_first() -> None:
    evening = Evening(host="Ann")
    evening.sit_all(Ann=4, Bo=2, Cy=7)
    evening.ask(
        c.DrawSeats(player_id("Bo"), (parse_card("9c"), parse_card("Kh")))
    )  # Cy, left of Ann, gets the nine, Bo the king
    assert [evening.seat(name).number for name in ("Ann", "Cy", "Bo")] == [4, 7, 2]
    evening.ask(c.DrawSeats(player_id("Bo"), (parse_card("Kc"), parse_card("9h"))))
    assert [evening.seat(name).number for name in ("Ann", "Bo", "Cy")] == [4, 7, 2]
    evening.assert_replays()


@pytest.mark.law("P-10")
def test_reseating_waits_for_an_hour() -> None:
    evening = two()
    evening.sit("Cy", 3)
    evening.begin_hand()
    evening.refuses(c.DrawSeats(player_id("Bo"), DECK), refusals.HandRunning)
    evening.end_hand()
    refusal = evening.refuses(c.DrawSeats(player_id("Bo"), DECK), refusals.ReseatingTooSoon)
    assert refusal.value.until == START_MS + HOUR
    evening.now = START_MS + HOUR
    evening.ask(c.DrawSeats(player_id("Bo"), DECK))
    assert evening.table.seated_at == evening.now


@pytest.mark.law("D-1")
def test_first_jack_makes_the_dealer() -> None:
    drawn, dealer = draw_button(
        FirstDealer.JACK, (1, 2, 3), tuple(map(parse_card, ("Ac", "2c", "Kd", "5s", "Jh", "Js")))
    )
    assert dealer == 2
    assert len(drawn) == 5


@pytest.mark.law("D-2")
def test_drawn_low_cut_deals_and_ties_cut_again() -> None:
    cards = tuple(map(parse_card, ("3c", "Ah", "3d", "9s", "8h", "2c")))
    drawn, dealer = draw_button(FirstDealer.LOW_CUT, (1, 2, 3), cards)
    assert dealer == 3
    assert drawn[3:] == ((1, parse_card("9s")), (3, parse_card("8h")))


@pytest.mark.law("P-1")
def test_single_player_cannot_start_a_hand() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    assert evening.table.next_hand_at == 0
    assert evening.refuses(c.StartHand(player_id("Ann")), refusals.TooFewPlayers).value.player_count == 1


def test_next_hand_starts_by_itself_without_the_host() -> None:
    evening = Evening(host="Zoe")
    evening.sit_all(Ann=1, Bo=2)
    assert evening.table.next_hand_at == START_MS + 6 * SECOND_MS
    evening.play_hand()
    assert evening.table.next_hand_at == evening.now + 6 * SECOND_MS
    evening.leave("Bo")
    assert evening.table.next_hand_at == 0


def test_without_auto_start_any_seated_player_deals() -> None:
    evening = Evening(host="Zoe", auto_start=False)
    evening.sit_all(Ann=1, Bo=2)
    assert evening.table.next_hand_at == 0
    evening.refuses(c.StartHand(player_id("Zoe")), refusals.NotSeated)
    evening.ask(c.StartHand(player_id("Bo")))
    assert evening.table.next_hand_at == evening.now


def test_practice_players_need_a_practice_table_and_a_person() -> None:
    evening = two()
    evening.refuses(c.TakeSeat(900, "Robo", 10_000, practice=True), refusals.PracticeTablesOnly)
    house = Evening(practice=True)
    for number in (1, 2, 3):
        house.ask(c.TakeSeat(900 + number, f"Robo {number}", 10_000, number, practice=True))
    assert house.table.next_hand_at == 0
    house.sit("Ann", 4)
    assert house.table.next_hand_at
    house.begin_hand()
    assert len(house.dealt) == 4


@pytest.mark.law("H-1")
def test_practice_players_consent_with_the_people() -> None:
    house = Evening(practice=True)
    house.ask(c.TakeSeat(900, "Robo", 10_000, 1, practice=True))
    house.sit("Ann", 4)
    house.play_hand()
    changed = settings(Options(run_twice=Switch.ON), practice=True)
    house.ask(c.ChangeSettings(player_id("Ann"), changed))
    assert house.table.settings == changed


def test_practice_players_stop_with_the_last_person() -> None:
    house = Evening(practice=True)
    for number in (1, 2):
        house.ask(c.TakeSeat(900 + number, f"Robo {number}", 10_000, number, practice=True))
    house.sit("Ann", 4)
    house.play_hand()
    house.sit_out("Ann")
    assert house.table.next_hand_at == 0
    house.wait(30 * 60)
    assert isinstance(house.ask(c.Tick())[-1], e.TableClosed)


# Seats that a host holds


def holds(name: str, seat: int = 0, host: str = "Ann", *, staff: bool = False) -> c.HoldSeat:
    return c.HoldSeat(player_id(host), player_id(name), name, seat, staff)


@pytest.mark.law("P-11")
def test_held_seat_is_kept_for_two_minutes() -> None:
    evening = two()
    evening.ask(holds("Cy", 4))
    offered = evening.now + 120 * SECOND_MS
    refused = evening.refuses(c.TakeSeat(player_id("Dee"), "Dee", 10_000, 4), refusals.SeatHeld)
    assert (refused.value.player, refused.value.until) == (player_id("Cy"), offered)
    evening.sit("Cy")
    assert evening.seat("Cy").number == 4, "any seat is the one that is held"
    assert evening.table.waiting == ()


@pytest.mark.law("P-11")
def test_seat_can_be_held_until_a_certain_time() -> None:
    evening = Evening(idle_minutes=60)
    until = evening.now + 20 * 60 * SECOND_MS
    evening.ask(c.HoldSeat(player_id("Ann"), player_id("Cy"), "Cy", until=until))
    assert next_due_at(evening.table) == until
    evening.wait(20 * 60)
    assert evening.ask(c.Tick()) == (e.WaitingListLeft(player_id("Cy"), lapsed=True),)


def test_first_hand_can_wait_for_more_players() -> None:
    evening = Evening(first_hand_players=3)
    evening.sit_all(Ann=1, Bo=2)
    assert (evening.table.next_hand_at, players_needed(evening.table)) == (0, 1)
    evening.sit("Cy")
    evening.play_hand()
    evening.leave("Cy")
    assert players_needed(evening.table) == 0, "only the first waits"


def test_first_hand_can_wait_for_its_hour() -> None:
    begins_at = Evening().now + 5 * 60 * SECOND_MS
    evening = Evening(first_hand_at=begins_at)
    evening.sit_all(Ann=1, Bo=2)
    assert evening.table.next_hand_at == begins_at
    evening.ask(c.StartHand(player_id("Ann")))
    assert evening.table.next_hand_at == begins_at, "nobody deals before it"
    evening.wait(5 * 60)
    evening.play_hand()
    assert evening.table.next_hand_at < evening.now + 60 * SECOND_MS, "only the first waits"


@pytest.mark.law("P-11")
def test_others_get_another_seat_than_the_held_one() -> None:
    evening = two()
    evening.ask(holds("Cy", 3))
    for lot in range(6):
        command = c.TakeSeat(player_id("Dee"), "Dee", 10_000, 0, lot)
        taken = [event for event in decide(evening.state, command, evening.now) if isinstance(event, e.SeatTaken)]
        assert taken[0].seat_number != 3


@pytest.mark.law("P-11")
def test_held_seat_is_free_again_when_its_time_is_over() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    evening.ask(holds("Cy", 4))
    assert next_due_at(evening.table) == evening.now + 120 * SECOND_MS
    evening.wait(120)
    assert evening.ask(c.Tick()) == (e.WaitingListLeft(player_id("Cy"), lapsed=True),)
    evening.sit("Dee", 4)


@pytest.mark.law("P-11")
def test_seat_is_held_only_where_nobody_waits_for_it() -> None:
    evening = Evening(Options(max_seats=3))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.refuses(holds("Dee"), refusals.TableFull)
    evening.ask(c.JoinWaitingList(player_id("Eve"), "Eve"))
    evening.leave("Cy")
    evening.refuses(holds("Dee"), refusals.SeatsReserved)
    evening.sit("Eve")
    assert evening.seat("Eve").number == 3


@pytest.mark.law("P-11")
def test_last_free_seat_can_be_held_for_one_person_alone() -> None:
    evening = Evening(Options(max_seats=3))
    evening.sit_all(Ann=1, Bo=2)
    evening.ask(holds("Cy"))
    evening.refuses(holds("Dee"), refusals.SeatsReserved)
    evening.refuses(c.TakeSeat(player_id("Dee"), "Dee", 10_000), refusals.SeatsReserved)
    evening.ask(holds("Cy", 3))  # once more, for longer
    evening.sit("Cy")
    assert evening.seat("Cy").number == 3


@pytest.mark.law("P-11")
def test_only_host_and_staff_hold_free_seats_for_people() -> None:
    evening = two()
    evening.refuses(holds("Cy", host="Bo"), refusals.HostOnly)
    evening.ask(holds("Cy", 5, host="Sue", staff=True))
    evening.refuses(holds("Dee", 5), refusals.SeatHeld)
    evening.refuses(holds("Dee", 2), refusals.SeatOccupied)
    evening.refuses(holds("Dee", 99), refusals.NoSuchSeat)
    assert evening.refuses(holds("Bo", 6), refusals.SittingHere).value.seat_number == 2
    evening.refuses(c.HoldSeat(player_id("Ann"), -101, "Robin"), refusals.CannotHoldSeat)


@pytest.mark.law("P-11")
def test_held_seat_lets_its_guest_into_a_private_table() -> None:
    evening = Evening()
    evening.state = None
    evening.ask(c.OpenTable(player_id("Ann"), settings(), private=True))
    evening.sit("Ann", 1)
    evening.refuses(c.TakeSeat(player_id("Cy"), "Cy", 10_000), refusals.NotInvited)
    evening.ask(holds("Cy", 2))
    evening.sit("Cy")
    assert evening.seat("Cy").number == 2
