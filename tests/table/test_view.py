"""The view of a table shows what is public."""

from bot.table import commands as c
from bot.table.state import SeatStatus
from bot.table.view import view_table
from tests.table.evening import SECOND_MS, START_MS, Evening, player_id, settings
from tests.table.legal import table_legal


def test_an_open_table() -> None:
    evening = Evening(host="Zoe")
    evening.sit("Ann", 1)
    shown = view_table(evening.table, 3)
    assert (shown.number, shown.game, shown.small_blind, shown.big_blind) == (3, "No-Limit Hold'em", 50, 100)
    assert (shown.min_buyin, shown.max_buyin, shown.turn_seconds, shown.bank_seconds) == (2_000, 20_000, 30, 60)
    assert shown.free_seats == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert (shown.host, shown.players_needed, shown.button_seat, shown.next_hand_at) == (player_id("Zoe"), 1, 0, 0)
    (ann,) = shown.seats
    assert (ann.number, ann.name, ann.stack, ann.bank_seconds) == (1, "Ann", 10_000, 60)


def test_a_table_in_play() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.sit_out("Cy")
    evening.begin_hand()
    shown = view_table(evening.table)
    assert shown.hand_running and shown.hand_number == 1
    assert (shown.button_seat, shown.small_blind_seat, shown.big_blind_seat) == (1, 1, 2)
    assert [line.status for line in shown.seats] == [SeatStatus.PLAYING, SeatStatus.PLAYING, SeatStatus.SITTING_OUT]
    evening.end_hand()
    assert view_table(evening.table).next_hand_at == evening.now + 6 * SECOND_MS


def test_view_shows_whose_consent_is_missing() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.play_hand()
    evening.ask(c.ChangeSettings(player_id("Ann"), settings(pause_seconds=9, ask_show=True)))
    shown = view_table(evening.table).proposal
    assert shown is not None
    assert (shown.consents, shown.yet_to_consent) == ((player_id("Ann"),), (player_id("Bo"),))


def test_legal_differs_for_visitors_and_seated_players() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    passer_by = table_legal(evening.table, player_id("Cy"), START_MS)
    assert passer_by.free_seats[0] == 3 and passer_by.buy_in_limits is not None
    assert not passer_by.leave
    seated = table_legal(evening.table, player_id("Ann"), START_MS)
    assert seated.leave and seated.sit_out and not seated.come_back
    assert seated.close_table and not seated.free_seats
