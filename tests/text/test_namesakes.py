"""Players who share a name are told apart by their seats."""

from __future__ import annotations

from bot.text.escape import names_by_seat


def test_namesakes_get_the_numbers_of_their_seats() -> None:
    assert names_by_seat([(1, "Ann"), (2, "Bo"), (5, "Ann")]) == {1: "Ann (seat 1)", 2: "Bo", 5: "Ann (seat 5)"}


def test_name_that_nobody_shares_stands_alone() -> None:
    assert names_by_seat([(1, "Ann"), (2, "Bo")]) == {1: "Ann", 2: "Bo"}
