"""The lobby's board fits a message however many tables there are, and says of each what somebody needs who looks for a seat."""

from msgspec.structs import replace

from bot.render.table.lobby_board import ListedTable, board_panel, list_panel, watch_panel
from bot.table.state import WaitingPlayer
from bot.variants.draw import FIVE_CARD_DRAW
from tests.render.test_lobby import FOUR, SETTINGS, seat, table
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text


def listed(number: int, *seats: object, **changes: object) -> ListedTable:
    view = table(*seats, **changes)  # type: ignore[arg-type]
    return ListedTable(70 + number, 900 + number, replace(view, number=number))


def board_text(*tables: ListedTable) -> str:
    return panel_as_text(within_limits(board_panel(tables)))


def test_empty_board_says_how_to_open_a_table() -> None:
    assert board_text() == (
        "### Tables\n"
        "No table is open. **Open a table** asks what you want to play; your friends can then join here.\n"
        "[…Open a table] [Tell me of new tables]"
    )


def test_board_says_who_sits_where_and_what_is_free() -> None:
    nine = tuple(seat(number, f"P{number}", 5_000) for number in range(1, 10))
    full = listed(2, *nine, waiting=(WaitingPlayer(7, "Zoë", 1),))
    assert board_text(full, listed(1, *FOUR)) == (
        "### Tables\n"
        "-# 2 tables · 13 players · 5 free seats\n"
        "———\n"
        "**Table 1 · No-Limit Hold'em** 50/100\n"
        "Mia, bob\\_the\\_builder, Ayşe, river\\_rat\n"
        "-# <#901> · 5 free seats · buy-in 2,000–20,000 · 30 s per action\n"
        "[+Join table 1] [Watch]\n"
        "———\n"
        "**Table 2 · No-Limit Hold'em** 50/100\n"
        "P1, P2, P3, P4, P5, P6, P7, P8, P9\n"
        "-# <#902> · no free seat · 1 waits for a seat · buy-in 2,000–20,000 · 30 s per action\n"
        "[Wait for table 2] [Watch]\n"
        "———\n"
        "[…Open a table] [Tell me of new tables]"
    )


def test_seat_kept_for_the_waiting_list_is_not_free() -> None:
    eight = tuple(seat(number, f"P{number}", 5_000) for number in range(1, 9))
    one = listed(1, *eight, waiting=(WaitingPlayer(7, "Zoë", 1),))
    assert "no free seat" in board_text(one) and "[Wait for table 1]" in board_text(one)


def test_board_of_many_tables_shows_the_fullest_with_free_seats() -> None:
    nine = tuple(seat(number, f"P{number}", 5_000) for number in range(1, 10))
    crowd = [listed(number, *nine[: number % 10]) for number in range(1, 31)]
    practice = listed(40, *nine[:8], settings=replace(SETTINGS, practice=True))
    text = board_text(practice, *crowd)
    assert text.count("[Watch]") == 8 and "23 more tables are open: **All tables**" in text
    assert "[All tables]" in text and "Table 40" not in text
    assert "Table 8 ·" in text and "Table 9 ·" not in text, "table 9 is full"


def test_board_with_the_longest_names_fits_a_message() -> None:
    settings = replace(SETTINGS, rule_card=FIVE_CARD_DRAW, options=replace(SETTINGS.options, max_seats=14))
    people = tuple(seat(number, "*" * 32, 5_000) for number in range(1, 15))
    waiting = tuple(WaitingPlayer(number, "Zoë", 1) for number in range(500, 560))
    for count in (1, 6, 8, 9, 250):
        tables = [listed(10_000 + n, *people, settings=settings, waiting=waiting) for n in range(count)]
        within_limits(board_panel(tables))
        within_limits(list_panel(tables, 1))


def test_list_is_paged_and_offers_to_look_at_a_table() -> None:
    tables = [listed(number, *FOUR) for number in range(1, 24)]
    text = panel_as_text(within_limits(list_panel(tables, 99)))
    assert "`23`" in text and "`20`" not in text and "3 / 3" in text and "Choose a table…" in text


def test_whoever_watches_sees_the_table_and_the_way_there() -> None:
    text = panel_as_text(within_limits(watch_panel(listed(1, *FOUR), "https://d/1/2", is_seated=False)))
    assert "Watch in <#901>" in text and "[+Join table 1]" in text and "Go to table" in text
