"""The refusals of the ledger. No chip has moved when one is raised."""

from bot.engine.errors import TableError


class NotEnoughChips(TableError):
    """An account holds fewer chips than it should give. `user` is its owner, 0 for a pot or the house."""

    has: int
    needs: int
    user: int = 0


class StakesAboveWallet(TableError):
    """The host of a new table could not sit down at it. Chips.

    Attributes:
        has: what the host has in the wallet.
        minimum, maximum: the buy-in of the table.
        fitting: big blinds of smaller stakes that the host can buy in for, the largest first.
    """

    has: int
    minimum: int
    maximum: int
    fitting: tuple[int, ...] = ()


class TooManyChips(TableError):
    """A grant would take a player, who has `total` chips, past the most chips that the dealer counts (`MAX_CHIPS`)."""

    total: int
    maximum: int


class InvalidChipAmount(TableError):
    """An amount that is not a whole number of chips from 1 to `maximum`."""

    chips: int
    maximum: int


class ClaimTooEarly(TableError):
    """A claim before its time, which is in ms since the epoch."""

    until: int


class NewcomerMustWait(TableError):
    """The house gives to accounts and members of some age; this one is old enough at `until`, in ms since the epoch."""

    until: int


class ChipsHeld(TableError):
    """Part of the wallet was won from young accounts and is held; `available` chips are not. The first are free `until`, in ms."""

    available: int
    until: int


class StillHasChips(TableError):
    """Relief is for players without chips of their own: daily chips are left out. `total` counts wallet, seats and bets."""

    total: int


class NothingToClaim(TableError):
    """The house has set this gift, ``daily`` or ``relief``, to nothing."""

    gift: str


class ImpossibleTransfer(ValueError):
    """A transfer that no lawful play makes: a bug of ours, never something that a player typed."""
