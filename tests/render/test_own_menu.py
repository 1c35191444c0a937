"""The menu that one person gets for themselves: how they stand, and what they can do now."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine.units import SeatNumber
from bot.ledger.accounts import TransferReason
from bot.ledger.gifts import WaysToPlay
from bot.render.table.own_menu import own_menu_panel, seat_offered_panel, timed_out_panel
from bot.render.table.rooms import hold_seat_panel
from bot.table.state import AfterHand, Seat, SeatStatus, WaitingPlayer
from tests.render.test_lobby import SETTINGS, seat, table
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text

MIA = seat(1, "Mia", 10_000)


USUAL = WaysToPlay(10_000)
FREE = WaysToPlay(2_000, 2_000, (TransferReason.RELIEF,), minimum=2_000)


def menu(*seats: Seat, user: int = 102, room: int = 10_000, ways: WaysToPlay = USUAL) -> str:
    return panel_as_text(within_limits(own_menu_panel(77, table(MIA, *seats), user, room=room, ways=ways)))


def test_a_visitor_can_take_a_seat() -> None:
    assert menu(user=5) == "You're not at this table.\n[+Take a seat] [Buy-in…]"


def test_a_visitor_of_a_full_table_can_wait() -> None:
    others = tuple(seat(number, f"P{number}", 5_000) for number in range(2, 10))
    assert (
        menu(*others, user=5)
        == "You're not at this table, and every seat is taken.\n[+Waiting list] [Tell me of a free seat]"
    )


def test_a_player_adds_chips_sits_out_or_leaves() -> None:
    text = menu(seat(2, "Bo", 9_000))
    assert text == "You're in seat 2 with **9,000** chips.\n[…Add chips…] [Sit out] [Leave] [More…]"
    assert "Add chips" not in menu(seat(2, "Bo", 20_000), room=0)


def test_who_sits_out_comes_back() -> None:
    away = seat(2, "Bo", 9_000, status=SeatStatus.SITTING_OUT)
    assert menu(away) == (
        "You're sitting out in seat 2 with **9,000** chips.\n[+I'm back] […Add chips…] [Leave] [More…]"
    )
    late = seat(2, "Bo", 9_000, status=SeatStatus.SITTING_OUT, out_by_timeout=True)
    assert menu(late).startswith("You ran out of time and sit out, in seat 2")


def test_who_is_about_to_leave_or_sit_out_can_stay() -> None:
    leaves = menu(seat(2, "Bo", 9_000, after_hand=AfterHand.LEAVE))
    assert leaves == "You're in seat 2 and leave after this hand.\n[+I'm back] [More…]"
    rests = menu(seat(2, "Bo", 9_000, after_hand=AfterHand.SIT_OUT))
    assert rests == "You're in seat 2 and sit out from the next hand.\n[+I'm back] […Add chips…] [Leave] [More…]"


def test_a_broke_player_is_offered_amounts_that_are_accepted() -> None:
    broke = seat(2, "Bo", 0, status=SeatStatus.SITTING_OUT)
    assert menu(broke) == "You're out of chips.\n[+Buy in 10,000] […Other amount…] [Leave]"
    assert "[+Buy in 2,340]" in menu(broke, ways=WaysToPlay(2_340))


def test_a_broke_player_is_offered_only_buttons_that_work() -> None:
    broke = seat(2, "Bo", 0, status=SeatStatus.SITTING_OUT)
    assert menu(broke, ways=FREE) == (
        "You're out of chips, but you can play on at once.\n[+Take 2,000 free chips and play on] [Watch] [Leave]"
    )
    both = WaysToPlay(3_000, 3_000, (TransferReason.RELIEF, TransferReason.DAILY), lower=True)
    assert "[+Take 3,000 chips and play on] [Lower table] [Watch] [Leave]" in menu(broke, ways=both)
    lower = WaysToPlay(lower=True, next_gift_at=1_800_000_000_000)
    assert menu(broke, ways=lower) == "You're out of chips.\n[+Lower table] [Watch] [Leave]"
    nothing = WaysToPlay(next_gift_at=1_800_000_000_000)
    assert menu(broke, ways=nothing) == (
        "You're out of chips. The house gives you more <t:1800000000:R>.\n[Watch] [Leave]"
    )


def test_a_visitor_without_chips_is_offered_free_ones() -> None:
    assert menu(user=5, ways=FREE) == (
        "You need 2,000 chips to sit down here. You can have them at once.\n[+Take 2,000 free chips and play on] [Watch]"
    )
    assert "[+" not in menu(user=5, ways=WaysToPlay())


HOST = "[…Game and stakes…] [Close table…]"


def host_menu(*seats: Seat, **changes: object) -> str:
    return panel_as_text(
        within_limits(own_menu_panel(77, table(MIA, *seats, **changes), 101, room=0, ways=USUAL))
    ).rsplit("\n", 1)[1]


def test_a_host_has_their_tools_in_the_same_menu() -> None:
    assert host_menu() == f"[Give a seat…] {HOST}"
    kept = tuple(WaitingPlayer(900 + number, f"W{number}", 1, 9) for number in table().free_seats)
    assert host_menu(waiting=kept) == f"[Remove a player…] {HOST}", "each free seat is kept for somebody"
    assert host_menu(seat(2, "Bo", 9_000)) == f"[Give a seat…] [Remove a player…] {HOST}"
    assert host_menu(private=True) == f"[…Invite…] [Give a seat…] {HOST}"
    practice = replace(SETTINGS, practice=True)
    robot = replace(seat(2, "Ada", 9_000, practice=True), player=-7701)
    assert host_menu(robot, settings=practice) == f"[Give a seat…] [Add a practice player] {HOST}"
    assert HOST not in menu(seat(2, "Bo", 9_000))


def test_missed_turn_is_told_with_the_way_back() -> None:
    view = table(
        MIA,
        seat(2, "Bo", 9_000, missed_turns=1),
        seat(3, "Cy", 9_000, missed_turns=2, out_by_timeout=True, after_hand=AfterHand.SIT_OUT),
        seat(4, "Dee", 9_000, missed_turns=2, out_by_timeout=True, status=SeatStatus.SITTING_OUT),
    )
    told = [panel_as_text(timed_out_panel(77, view, one)) for one in view.seats[1:]]
    assert told == [
        "You ran out of time.\n[+I'm back]",
        "You ran out of time and sit out from the next hand.\n[+I'm back]",
        "You ran out of time and sit out now.\n[+I'm back]",
    ]


def test_an_offered_seat_names_table_and_time() -> None:
    text = panel_as_text(seat_offered_panel(77, table(MIA), 1_800_000_000_000))
    assert text == ("A seat is free for you at Table 3. The offer ends <t:1800000000:R>.\n[+Take a seat] [No, thanks]")


def test_a_held_seat_names_who_holds_it() -> None:
    until = 1_800_000_000_000
    any_seat = panel_as_text(seat_offered_panel(77, table(MIA), until, 0, 101))
    assert "<@101> holds a seat for you at Table 3. The offer ends <t:1800000000:R>." in any_seat
    assert "<@101> holds seat 4 for you" in panel_as_text(seat_offered_panel(77, table(MIA), until, 4, 101))


def test_host_chooses_among_seats_that_nobody_has_or_holds() -> None:
    held = WaitingPlayer(900, "Cy", 1, 9, SeatNumber(4))
    text = panel_as_text(within_limits(hold_seat_panel(77, table(MIA, waiting=(held,)), 5)))
    assert "Who gets the seat? They're told, and it's held for them for 2 minutes." in text
    assert "Any free seat" in text and "Seat 3" in text and "Seat 4" not in text and "Seat 1" not in text
    full = tuple(WaitingPlayer(900 + number, "W", 1, 9) for number in table(MIA).free_seats)
    assert "Every seat is taken or kept" in panel_as_text(hold_seat_panel(77, table(MIA, waiting=full)))
