"""What `/help` says: how to begin, and every command, on one screen of a phone."""

from __future__ import annotations

from bot.text.language import message, t
from bot.text.word_table import WordRow, word_table

START = message("### How to play")
GO_TO_TABLE = message("Go to <#{channel}> and press **Take a seat**. Everything else is a button.")
SEATED_HERE = message("You're seated at the table in this channel. Everything is a button.")
TABLE_HERE = message("Press **Take a seat** under the table in this channel. Everything else is a button.")
GO_BACK = message("You're seated in <#{channel}>. Everything is a button there.")
OPEN_TABLE = message("`/play` opens a table here and seats you. Friends press **Take a seat**.")
YOUR_CARDS = message("Your cards come by DM and by **My hand**. Nobody else sees them.")
_LINE = message("{commands} {words}")

_LINES = word_table(
    """
    play | open a table
    lobby | find a table
    night | game nights
    duel | heads-up challenge
    sit leave rebuy | seat, chips
    seat | break, back, waiting list
    myhand | your cards
    fold check call | stay or go
    bet raise allin | `1.5k`, `½`, `pot`
    draw act | cards; all the rest
    hand | replays, files, reports
    stats | numbers, leaderboard
    season | who leads, results
    me | chips, cards, DMs, pings
    laws | rules of a table
    table | settings, guests, deal
    help | this page
    house | for staff
    """
)
_FOR_STAFF = frozenset({"house"})


def _rows(*, staff: bool) -> list[WordRow]:
    return [row for row in _LINES if staff or row.code not in _FOR_STAFF]


def listed_commands(*, staff: bool) -> list[tuple[str, ...]]:
    """The commands of each line, in their order; those for staff only for them."""
    return [tuple(row.code.split()) for row in _rows(staff=staff)]


def command_lines(*, staff: bool) -> list[str]:
    """A line for each command, or for several that belong together."""
    return [
        t(_LINE, commands=" ".join([f"`/{name}`" for name in row.code.split()]), words=t(row.messages[0]))
        for row in _rows(staff=staff)
    ]
