"""Commands that had another name: what each is now. Discord can offer the old ones for a while, and people type what they know."""

from __future__ import annotations

from msgspec import Struct

from bot.text.commands import COMMANDS
from bot.text.language import message, t

_IS_NOW = message("That's `{command}` now.")
_IS_NOW_FOR = message("That's `{command}` now: {words}.")
DO_IT = message("Do it")


class NewName(Struct, frozen=True):
    """What a command is now.

    Attributes:
        option: the option that chooses it, and its value; empty for none.
    """

    command: str
    option: str = ""
    value: str = ""

    def __str__(self) -> str:
        return f"/{self.command} {self.option}:{self.value}" if self.option else f"/{self.command}"


def _read(table: str) -> dict[str, NewName]:
    found = {}
    for line in table.strip().splitlines():
        old, _, new = (part.strip() for part in line.partition("|"))
        command, _, chosen = new.partition(" ")
        option, _, value = chosen.partition(":")
        found[old] = NewName(command, option, value)
    return found


NEW_NAMES = _read(
    """
    standpat | act what:stand pat
    discard | draw
    declare | act what:declare
    runtwice | act what:yes
    answer | act what:yes
    show | act what:show
    muck | act what:muck
    preselect | act what:check or fold
    time | act what:time
    straddle | act what:straddle
    sitout | seat what:sit out
    break | seat what:break
    back | seat what:back
    waitinglist | seat what:waiting list
    seats | table
    seats draw | table page:seats
    seats choose | table page:choose
    seats dealer | table page:left
    seats exchange | table page:exchange
    seats substitute | table page:substitute
    seats adjust | table page:adjust
    deal | table
    deal cut | table page:cut
    deal nocut | table page:nocut
    deal shuffle | table page:shuffle
    deal first | table page:first
    deal lot | table page:lot
    deal skip | table page:skip
    deal misdeal | table page:misdeal
    deal choose | table page:next
    deal bomb | table page:bomb
    chips | me page:chips
    chips balance | me page:chips
    chips daily | me page:daily
    chips free | me page:free
    chips history | me page:history
    privacy | me page:privacy
    privacy about | me page:privacy
    privacy export | me page:export
    privacy delete | me page:delete
    cards | me
    pings | me
    leaderboard | stats page:leaderboard
    achievements | stats page:achievements
    download | hand hands:evening
    import | hand hands:import
    report | hand
    table open | play
    table list | lobby
    table info | table page:info
    table settings | table page:settings
    table notes | table page:notes
    table games | table page:games
    table invite | table page:invite
    table remove | table page:remove
    table close | table page:close
    season status | season
    season results | season page:results
    season hall | season page:hall
    season open | season page:open
    season close | season page:close
    season settings | season page:settings
    house settings | house page:rules
    house forum | house page:server
    house grant | house page:grant
    house take | house page:take
    house cancel | house page:cancel
    house books | house page:books
    house save | house page:save
    house delete | house page:delete
    house remove | house page:remove
    house ban | house page:ban
    house unban | house page:unban
    house bans | house page:bans
    house reports | house page:reports
    house lobby | house page:lobby
    house quiet | house page:quiet
    house flow | house page:flow
    """
)
"""What each old command is now."""


def is_now(new: NewName) -> str:
    """``That's `/me page:daily` now: claim my daily chips.``"""
    if not new.option:
        return t(_IS_NOW, command=str(new))
    return t(_IS_NOW_FOR, command=str(new), words=t(COMMANDS[new.command].choices[new.option][new.value]))
