"""What of a table is shown."""

from bot.table import commands as c
from bot.table.legal import table_legal
from bot.table.state import SeatState
from bot.table.view import view
from tests.table.story import SECOND, START, Evening, player, settings


def test_an_open_table() -> None:
    evening = Evening(host="Zoe")
    evening.sit("Ann", 1)
    shown = view(evening.table, 3)
    assert (shown.number, shown.game, shown.small_blind, shown.big_blind) == (3, "No-Limit Hold'em", 50, 100)
    assert (shown.min_buyin, shown.max_buyin, shown.turn_seconds, shown.bank_seconds) == (2_000, 20_000, 30, 60)
    assert shown.open_seats == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert (shown.host, shown.needs_players, shown.button, shown.next_hand_at) == (player("Zoe"), 1, 0, 0)
    (ann,) = shown.seats
    assert (ann.number, ann.name, ann.stack, ann.bank_seconds, ann.host) == (1, "Ann", 10_000, 60, False)


def test_a_table_in_play() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.sit_out("Cy")
    evening.begin()
    shown = view(evening.table)
    assert shown.running and shown.hand == 1
    assert (shown.button, shown.small, shown.big) == (1, 1, 2)
    assert [line.in_hand for line in shown.seats] == [True, True, False]
    assert [line.state for line in shown.seats] == [SeatState.IN, SeatState.IN, SeatState.OUT]
    evening.end()
    assert view(evening.table).next_hand_at == evening.now + 6 * SECOND


def test_a_proposal_shows_whose_consent_is_missing() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    evening.hand()
    evening.ask(c.ChangeSettings(player("Ann"), settings(pause_seconds=9, ask_show=True)))
    shown = view(evening.table).proposal
    assert shown is not None
    assert (shown.consents, shown.missing) == ((player("Ann"),), (player("Bo"),))


def test_what_a_passer_by_and_a_player_may_do() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    passer_by = table_legal(evening.table, player("Cy"), START)
    assert passer_by.seats[0] == 3 and passer_by.buy_in is not None
    assert not passer_by.leave
    seated = table_legal(evening.table, player("Ann"), START)
    assert seated.leave and not seated.leave_after_hand and seated.sit_out and not seated.back
    assert (seated.top_up_min, seated.top_up_max) == (1, 10_000)
    assert seated.settings and seated.close and not seated.seats
