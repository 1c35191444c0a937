"""A hand step by step, and the list of hands that were found."""

from __future__ import annotations

from bot.text.language import message, plural

HEADING = message("### Replay · Hand #{number} · step {step} of {count}")
REFERENCE = message(
    "{small_print} · `{reference}`"
)  # Translators: the reference is what people type to come back to this step
LED_BY = message("-# **{name}** leads this replay. For everyone else, the buttons open one of their own.")
STACKS = message("-# Stacks: {stacks}")
MUCKED = message("-# Mucked: {players}")
NOW = message("-# {street} · {what}")
STREET_WITH_POT = message("{street} · pot {chips:,}")
TOLD = message("{street} — {actions}")
CURRENT = message("{line} ◀")
MORE_BEFORE = message("…")

STARTS = message("the hand begins")
DEALT = message("cards are dealt")
CHOSEN = message("everyone has chosen")
SHOWS = message("{name} shows")
MUCKS = message("{name} mucks")
ALL_SHOWN = message("the hands are turned up")
RESULT = message("Result")

REPLAY = message("Replay")
FIRST = message("First")
BACK = message("Back")
NEXT = message("Next")
LAST = message("Last")
STREETS = message("Jump to a street…")
TEXT_LOG = message("Text log")
ALL_HANDS = message("All hands")
VERDICT = message("-# {verdict}")
DOWNLOAD = message("Download")

FOUND = message("### Hands found")
FOUND_NOTHING = message("No hand like that was found. Ask for less: only a player, a game or a date.")
NO_MORE = message("There are no older hands like that.")
FOUND_LINE = message("**Hand #{number}** · {table} · {when}")
FOUND_OUTCOME = message("-# {game} · {outcome}")
FOUND_OUTCOME_AND_NET = message("-# {game} · {outcome} · you {net}")
FOUND_GONE = message("its cards are gone")
OPEN_HAND = message("Open a hand…")
OPTION = message("Hand #{number} · {table}")
HANDS_IN_A_ROW = message("### Hands #{first}–{last}")
EARLIER_HANDS = plural("-# {count} hand before these", "-# {count} hands before these")
ON_DAY = message("{day} (UTC)")
FROM_DAY_TO_DAY = message("{first} to {last} (UTC)")
PRACTICE = message("{game} · practice")
NEWEST = message("Newest")
OLDER = message("Older")

DAYS = {
    "today": message("today"),
    "yesterday": message("yesterday"),
    "this week": message("this week"),
    "last week": message("last week"),
    "this month": message("this month"),
    "last month": message("last month"),
}
"""Days that are offered where a date is typed."""
