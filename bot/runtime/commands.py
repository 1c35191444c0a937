"""Commands that the runtime itself carries out; those of a hand and of a table are in `bot.engine.commands` and `bot.table.commands`."""

from typing import TypeAlias

from msgspec import Struct

from bot.engine.commands import HandCommand
from bot.events.sit_and_go.commands import SitAndGoCommand
from bot.ledger.accounts import Transfer
from bot.runtime.store_types import ClaimChange
from bot.table.commands import TableCommand, TakeSeat, TopUp
from bot.table.preselection.types import PreselectedAction


class RuntimeCommandBase(Struct, frozen=True):
    """Something that a player or staff ask of the runtime. The player is the one of the request."""


class Preselect(RuntimeCommandBase, frozen=True):
    """Choose an action before one's turn, for this street only (TL-34). Other players do not see it.

    Attributes:
        choice: None takes the choice back.
        chips: the call that the button offered; 0 for whatever the call costs now.
    """

    choice: PreselectedAction | None
    chips: int = 0


class VoidHand(RuntimeCommandBase, frozen=True):
    """Void the running hand: every player takes back the chips they put in. For staff who are not dealt in (I-1).

    Attributes:
        reason: why; everybody reads it.
    """

    reason: str


class SeatPracticePlayers(RuntimeCommandBase, frozen=True):
    """Seat practice players at a practice table, as far as seats are free. For the host and staff."""

    players: int


class BuyInWithGifts(RuntimeCommandBase, frozen=True):
    """Sit down, or buy in again, with chips that the house gives at this moment. Both are saved together, or neither is.

    Attributes:
        transfers, claims: the gifts, as the bank has decided them.
    """

    command: TakeSeat | TopUp
    transfers: tuple[Transfer, ...]
    claims: tuple[ClaimChange, ...]

    @property
    def gifted(self) -> int:
        """The chips of the gifts."""
        return sum([transfer.chips for transfer in self.transfers])


PlayerCommand: TypeAlias = (
    HandCommand | TableCommand | Preselect | VoidHand | SeatPracticePlayers | BuyInWithGifts | SitAndGoCommand
)
"""Everything that a `Request` can ask of a table."""
