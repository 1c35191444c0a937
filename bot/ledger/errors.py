"""Refusals of the ledger: typed facts; the words for people are `bot.render.wording`'s.

Nothing has moved when one is raised.
"""

from bot.engine.errors import TableError


class NotEnoughChips(TableError):
    """An account holds fewer chips than it should give. `user` is its owner (0: nobody's, a pot or the house)."""

    def __init__(self, *, has: int, needs: int, user: int = 0) -> None:
        super().__init__(f"{needs} chips are needed, {has} are there")
        self.has, self.needs, self.user = has, needs, user


class TooManyChips(TableError):
    """A grant that would take a player past the most chips the dealer counts (`CHIPS_MAX`)."""

    def __init__(self, *, total: int, most: int) -> None:
        super().__init__(f"with {total} chips already, a player may hold at most {most}")
        self.total, self.most = total, most


class NoSuchAmount(TableError):
    """An amount that is not a whole number of chips from 1 to `most`."""

    def __init__(self, *, chips: int, most: int) -> None:
        super().__init__(f"{chips} is not a number of chips from 1 to {most}")
        self.chips, self.most = chips, most


class TooEarly(TableError):
    """A claim before its time. `until` is when it opens, in ms since the epoch."""

    def __init__(self, *, until: int) -> None:
        super().__init__(f"not before {until}")
        self.until = until


class NotBroke(TableError):
    """Relief is for players without a chip. `total` counts wallet, seats and bets."""

    def __init__(self, *, total: int) -> None:
        super().__init__(f"relief is for players without chips; {total} are left")
        self.total = total


class NothingToClaim(TableError):
    """The house has set this gift to nothing. `gift` is ``daily`` or ``relief``."""

    def __init__(self, *, gift: str) -> None:
        super().__init__(f"this house gives no {gift} chips")
        self.gift = gift


class RuleOutOfBounds(TableError):
    """A house rule outside what makes sense. `name` is its field in `HouseRules`."""

    def __init__(self, *, name: str, value: int, least: int, most: int) -> None:
        super().__init__(f"{name} {value} is outside {least} to {most}")
        self.name, self.value, self.least, self.most = name, value, least, most


class ImpossibleTransfer(ValueError):
    """A transfer that no lawful play makes: a bug of ours, never something a player typed."""
