"""What `cardroom fleet` prints, and what a dealer of several says of the others."""

from __future__ import annotations

from bot.text.formatting import join_and
from bot.text.language import message, plural, t

FLEET_HELP = message("show which dealers serve which servers, where there are several")
FLEET_DESCRIPTION = message(
    "Show the slots of the database, who serves each, and who stands by. Ends with 1 if a slot has no dealer."
)
SLOTS_OPTION = message("deal the servers out to 1, 2, 4, 8 or 16 slots, in a database in which nobody has played yet")
FORGET_KEY_OPTION = message(
    "let the next dealer that starts deal from its own master.key; for when that of all others is lost for good"
)
NEEDS_DATABASE = message("this needs a database (CARDROOM_DATABASE); a file of chips and hands belongs to one process")
LOCAL_HAS_ONE_SLOT = message(
    "the local cardroom has one dealer, and one slot. Set DISCORD_TOKEN to choose slots for Discord"
)
SLOTS_CHOSEN = plural("The database has {count} slot.", "The database has {count} slots.")
KEY_FORGOTTEN = message(
    "The next dealer that starts deals from the master.key of its own machine, and so do all others."
)
NOT_SET_UP = message("no dealer has run with this database yet")

SLOT_HEADING = message("slot")
OWNER_HEADING = message("dealer")
VERSION_HEADING = message("version")
FORMAT_HEADING = message("format")
SINCE_HEADING = message("since")
TABLES_HEADING = message("tables")
HANDS_HEADING = message("hands")
EPOCH_HEADING = message("owners so far")
NOBODY = message("nobody")
STANDBY = message("Stands by: {process}, version {version}, since {since}.")
WARM_STANDBY = message("Stands by, warm for slot {slot}: {process}, version {version}, since {since}.")
NO_STANDBY = message("Nobody stands by: the servers of a dealer that ends are unserved until it is back.")

UNSERVED = plural(
    "Slot {slots} has no dealer: its servers are unserved.", "Slots {slots} have no dealer: their servers are unserved."
)
OTHER_VERSION = message("Not all run the same version: {versions}.")
LEFT_TO_NEWER = plural(
    "{process} cannot deal in slot {slots}: its tables are of a newer version than {version}. It leaves that slot to others.",
    "{process} cannot deal in slots {slots}: their tables are of a newer version than {version}. It leaves those slots to others.",
)
CLOCK_OFF = message("The clock of {process} is {seconds:,} s off. Set it by the network's time (NTP).")
SILENT = message("{process} serves slot {slot}, but says nothing of itself. Look at its log.")
NO_SYNCHRONOUS_STANDBY = message(
    "The database has no synchronous standby: actions that were answered can be lost with its machine."
)
NOT_SEEN = message("The database has not answered for {seconds:,} s.")


def unserved_sentence(slots: tuple[int, ...]) -> str:
    """Say which slots have no dealer."""
    return t(UNSERVED, count=len(slots), slots=join_and([str(slot) for slot in slots]))
