"""What `/me` says: a person's chips and place, three lines of their play, and all that they can choose for themselves."""

from __future__ import annotations

from bot.text.durations import ordinal
from bot.text.language import Message, message, t
from bot.text.quiet_hours import hours_text

_CHIPS = message("**{chips:,}** chips")
_PLACE = message("**{chips:,}** chips · **{rank}** of {players:,}")
_SEATED = message("-# Seat {seat} at {channel} with {chips:,} of them")
_SEATED_WITH_ALL = message("-# Seat {seat} at {channel} with all of them")
CHIPS = message("Chips…")
STATISTICS = message("All statistics")
ACHIEVEMENTS = message("Achievements")

CARDS = message("### Cards\n# {cards}\nFour colours, one for each suit")
CARDS_TWO = message("### Cards\n# {cards}\nTwo colours, black and red")
TWO_COLOURS = message("Two colours")
FOUR_COLOURS = message("Four colours")
LARGE = message("Large cards · **{state}**\n-# A picture of your cards in My hand")
DMS = message("Cards by DM · **{state}**\n-# A silent message at the first deal, and when you don't play from My hand")
DMS_OFFERED = message(
    "Cards by DM · **when you ask**\n-# My hand shows them. A silent message at the first deal leads there"
)
DMS_EVERY = message("Cards by DM · **in every hand**\n-# One silent message per table, filled at each deal")
LARGE_ON, LARGE_OFF = message("Make them large"), message("Text only")
DMS_ON, DMS_OFF = message("Send DMs"), message("No DMs")
EVERY_ON, EVERY_OFF = message("DM every hand"), message("DM only when needed")

TABLES = message(
    "### Pings\nNew tables here · **{state}**\n-# Your own turn always pings you, the way the table is set."
)
TABLES_ON, TABLES_OFF = message("Tell me"), message("Don't tell me")
_QUIET = message(
    "Quiet hours · **{hours}**\n-# No other pings and no invitations. A turn of an hour or more pings you at their end."
)
_QUIET_SERVER = message("Quiet hours · **{hours}**\n-# This server's: {server}")
CHANGE_QUIET = message("Quiet hours…")
RESULTS = message("Achievements under a result · **{state}**")
RESULTS_SERVER = message("Achievements under a result · **off**\n-# This server tells nobody's.")
RESULTS_ON, RESULTS_OFF = message("Announce mine"), message("Not mine")

PRIVACY = message("### Privacy")
_SEEN: dict[bool, Message] = {
    False: message("My statistics: everybody here"),
    True: message("My statistics: only me"),
}
MY_DATA = message("My data…")

ON, OFF = message("on"), message("off")


def chips_line(chips: int, rank: int, players: int) -> str:
    """``**24,200** chips · **2nd** of 31``; without a rank the chips alone."""
    return t(_PLACE, chips=chips, rank=ordinal(rank), players=players) if rank else t(_CHIPS, chips=chips)


def seated_line(seat: int, channel: int, chips: int, *, of_chips: int) -> str:
    """Where somebody sits, in small print, and with how many of all their chips, which stand above."""
    where = f"<#{channel}>"
    if chips == of_chips:
        return t(_SEATED_WITH_ALL, seat=seat, channel=where)
    return t(_SEATED, seat=seat, channel=where, chips=chips)


def switched(line: Message, *, on: bool) -> str:
    """A line that says whether something is on."""
    return t(line, state=t(ON if on else OFF))


def quiet_line(own: str, server: str) -> str:
    """Somebody's own quiet hours, and the server's."""
    hours = hours_text(own)
    return t(_QUIET_SERVER, hours=hours, server=hours_text(server)) if server else t(_QUIET, hours=hours)


def seen_by(*, private: bool) -> str:
    """Who can look up somebody's statistics."""
    return t(_SEEN[private])
