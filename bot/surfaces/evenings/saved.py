"""What is saved of the sheets with which games end: as long as one can change, and as long as people can play again from it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from bot.runtime.saved_values import OF_A_TABLE, SavedKind
from bot.runtime.snapshot import TableAddress
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.surfaces.keeper import NOWHERE, Location
from bot.table.ended_game import EndedGame
from bot.text.people import is_former

KEPT_MS = 30 * 24 * 3_600_000
"""So long a sheet is kept after its game has ended."""


class KeptSheet(Struct, frozen=True):
    """One sheet. It is saved.

    Attributes:
        location: its message.
        due_at: when it became due, in ms since the epoch.
        room_of: the channel, or forum, that the room is a thread of; 0 for none.
        parent: the channel that the room is a thread of, if everybody there can be told; 0 for none.
        line: the line in that channel which leads to the sheet.
        has_picture: the message has a picture.
        is_shown: the message shows all that there is to show, or nothing can be shown any more.
        is_told: the line is there, or cannot be, or there is none.
        former: how many of the players the message calls former ones.
        again: the table that was opened from it last; 0 for none.
    """

    game: EndedGame
    due_at: int
    location: Location
    room_of: int
    parent: int
    line: Location = NOWHERE
    has_picture: bool = False
    is_shown: bool = False
    is_told: bool = False
    former: int = 0
    again: int = 0

    @property
    def former_players(self) -> int:
        """How many of the players have had their data deleted; of an event those twice who stand in both of its lists."""
        game = self.game
        players = [one.player for one in game.standings] + [one.player for one in (*game.finishes, *game.shares)]
        return sum(map(is_former, players))

    def without_names(self) -> KeptSheet:
        """Return the sheet without the names of those who have had their data deleted."""
        standings = [replace(one, name="") if is_former(one.player) else one for one in self.game.standings]
        finishes = [replace(one, name="") if is_former(one.player) else one for one in self.game.finishes]
        shares = [replace(one, name="") if is_former(one.player) else one for one in self.game.shares]
        game = replace(self.game, standings=tuple(standings), finishes=tuple(finishes), shares=tuple(shares))
        return replace(self, game=game)

    def forgetting(self, user: int) -> KeptSheet:
        """Return the sheet without a person, should they still stand in it: a sheet that was being saved while they were deleted."""

        def former(player: int) -> int:
            return FIRST_FORMER_PLAYER if player == user else player

        game = self.game
        standings = [replace(one, player=former(one.player)) for one in game.standings]
        finishes = [replace(one, player=former(one.player)) for one in game.finishes]
        shares = [replace(one, player=former(one.player)) for one in game.shares]
        game = replace(
            game,
            standings=tuple(standings),
            finishes=tuple(finishes),
            shares=tuple(shares),
            closed_by=former(game.closed_by),
            invited=tuple([former(one) for one in game.invited]),
        )
        return replace(self, game=game).without_names()


class TableSheets(Struct, frozen=True):
    """The sheets of one table, the oldest first: those of long pauses, and the last one."""

    address: TableAddress
    sheets: tuple[KeptSheet, ...]


SHEETS = SavedKind[int, TableSheets]("sheet.", OF_A_TABLE, TableSheets, holds_people=True, told=None)
