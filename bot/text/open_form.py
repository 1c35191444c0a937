"""The form of `/play`: what is played, for how much, and who plays."""

from __future__ import annotations

from bot.text.durations import duration
from bot.text.language import message, plural, t

TITLE = message("Open a table")
GAME = message("Game")
STAKES = message("Stakes")
STAKES_HINT = message("You have {chips:,} chips. With fixed bets, the big blind is the small bet.")
SEATS = message("Seats")
CLOCK = message("Time to act")
CLOCK_WAITS = message("The table waits for its players, in a thread of its own.")
WHO = message("Who can sit")
WHO_HINT = message("Table chips touch no wallet: they exist in this game only.")
EVERYBODY = message("Everybody")
EVERYBODY_INVITED = message("Friends I invite, for server chips")
EVERYBODY_TABLE_CHIPS = message("Everybody, for table chips")
FRIENDS = message("Friends I invite (table chips)")
SERVER_CHIPS_MEAN = message("For the chips of people's wallets.")
TABLE_CHIPS_MEAN = message("Everybody starts with the same and can buy again.")
SIT_AND_GO_FREE = message("Everybody: a sit-and-go, free")
SIT_AND_GO_FREE_MEANS = message("A tournament of one table: the blinds rise until one has all chips.")
SIT_AND_GO = message("Everybody: a sit-and-go, for chips")
SIT_AND_GO_MEANS = message("Everybody pays the minimum buy-in of the stakes; the best are paid.")
PRACTICE_MEANS = message("They play by themselves, for practice chips that are kept apart.")
PLAYERS = plural("{count} practice player", "{count} practice players")
EVERY_SEAT = message("As many as the game has")
SEAT_COUNT = plural("{count} seat", "{count} seats")
HEADS_UP = message("2 seats: heads-up")
HOUSE_GAME = message("A house game of this server")
OWN_STAKES = message("The usual ones: {blinds}")
SMALLER_STAKES = message("Blinds {small:,}/{big:,}")
PRACTICE_NOW = message("Practice now")
PRACTISE_MEANWHILE = message("Practise meanwhile")
PRACTICE_INSTEAD = message("Use practice chips")
IN_A_THREAD = message("Open it in a new thread")
OPEN_ANYWAY = message("Open it anyway")
_BLINDS = message("Blinds {small:,}/{big:,} · buy-in {minimum:,}–{maximum:,}")
_USUAL = message("{duration}, as usual here")


def blinds(small: int, big: int, minimum: int, maximum: int) -> str:
    """The stakes of a table, in chips, with its buy-in."""
    return t(_BLINDS, small=small, big=big, minimum=minimum, maximum=maximum)


def clock(seconds: int, *, usual: bool = False) -> str:
    """The time that a player has to act."""
    return t(_USUAL, duration=duration(seconds)) if usual else duration(seconds)


def seats(count: int) -> str:
    """A number of seats; 0 for as many as the game has."""
    if not count:
        return t(EVERY_SEAT)
    return t(HEADS_UP) if count == 2 else t(SEAT_COUNT, count=count)
