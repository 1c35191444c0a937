"""Days, and references to hands, as people type them."""

from __future__ import annotations

import datetime

import pytest

from bot.runtime.errors import UnreadableDate, UnreadableHandNumber
from cogs.presses.finding import HandReference, parse_reference
from cogs.support.dates import DAY_MS, parse_days

MONDAY = datetime.date(2026, 11, 23)
NOW = (MONDAY - datetime.date(1970, 1, 1)).days * DAY_MS + 8 * 3_600_000


def days(typed: str) -> str:
    """Return the first and the last day that are meant."""
    first, end = [datetime.date(1970, 1, 1) + datetime.timedelta(days=day) for day in parse_days(typed, NOW)]
    last = end - datetime.timedelta(days=1)
    return str(first) if first == last else f"{first} {last}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("today", "2026-11-23"),
        (" Yesterday ", "2026-11-22"),
        ("2026-11-20", "2026-11-20"),
        ("2026/1/2", "2026-01-02"),
        ("20 Nov", "2026-11-20"),
        ("20. november", ""),
        ("20th of November 2025", "2025-11-20"),
        ("Nov 20", "2026-11-20"),
        ("Nov 20, 2024", "2024-11-20"),
        ("nov 24", "2025-11-24"),
        ("20.11.", "2026-11-20"),
        ("3.4.26", "2026-04-03"),
        ("11/20", "2026-11-20"),
        ("20/11", "2026-11-20"),
        ("5/5", "2026-05-05"),
        ("3/4", ""),
        ("29 Feb", "2024-02-29"),
        ("31 Nov", ""),
        ("monday", "2026-11-23"),
        ("last monday", "2026-11-16"),
        ("Sun", "2026-11-22"),
        ("this week", "2026-11-23 2026-11-29"),
        ("last week", "2026-11-16 2026-11-22"),
        ("last month", "2026-10-01 2026-10-31"),
        ("december", "2025-12-01 2025-12-31"),
        ("Nov 2026", "2026-11-01 2026-11-30"),
        ("2026-02", "2026-02-01 2026-02-28"),
        ("24 Nov 2026", ""),
        ("tomorrow", ""),
        ("9999-99-99", ""),
        ("0001-01-01", ""),
        ("", ""),
        ("marchpane 3", ""),
        ("1" * 5_000, ""),
        ("٢٠ nov", ""),
    ],
)
def test_days_are_read_as_people_type_them(typed: str, meant: str) -> None:
    if meant:
        assert days(typed) == meant
    else:
        with pytest.raises(UnreadableDate):
            days(typed)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1284", HandReference(1284)),
        (" #1284", HandReference(1284)),
        ("Hand #1284", HandReference(1284)),
        ("3-1284", HandReference(1284, 3)),
        ("`3-1284-9`", HandReference(1284, 3, 9)),
        ("3 – 1284", None),
        ("3–1284", HandReference(1284, 3)),
        ("3-0", None),
        ("0", None),
        ("-5", None),
        ("3-1284-9-1", None),
        ("9" * 30, None),
        ("", None),
        ("x", None),
        ("١٢", None),
    ],
)
def test_hands_are_named_as_people_type_them(typed: str, meant: HandReference | None) -> None:
    if meant is not None:
        assert parse_reference(typed) == meant
    else:
        with pytest.raises(UnreadableHandNumber):
            parse_reference(typed)
