"""What the runtime itself refuses, as typed facts. Their words for people are `bot.render.wording`'s.

Source: design §4, §5; laws 0.3.
"""

from bot.engine.errors import LawError, TableError


class StaleButton(LawError):
    """The button was drawn for an earlier action. Nothing happened."""

    law = "TL-35"

    def __init__(self, *, hand: int, turn: int, now_hand: int, now_turn: int) -> None:
        super().__init__("that turn is over")
        self.hand, self.turn, self.now_hand, self.now_turn = hand, turn, now_hand, now_turn


class NoTableHere(TableError):
    """No table is open in this channel."""

    def __init__(self, *, channel: int) -> None:
        super().__init__(f"no table is open in channel {channel}")
        self.channel = channel


class TableGone(TableError):
    """The table of this button is closed."""

    def __init__(self, *, table: int) -> None:
        super().__init__(f"table {table} is closed")
        self.table = table


class NoSuchTable(TableError):
    """The server has no open table of that number. `known` are those it has."""

    def __init__(self, *, number: int, known: tuple[int, ...]) -> None:
        super().__init__(f"no open table has the number {number}; open: {', '.join(map(str, known)) or 'none'}")
        self.number, self.known = number, known


class NoHandYet(TableError):
    """Nothing has been dealt at this table, or not that hand. `hands` is how many have been."""

    def __init__(self, *, hands: int) -> None:
        super().__init__(f"no such hand; {hands} have been dealt")
        self.hands = hands


class HandUnreadable(TableError):
    """The cards of this hand cannot be known any more: the secret they came from is lost."""

    def __init__(self, *, hand: int) -> None:
        super().__init__(f"the cards of hand {hand} are lost with the secret they came from")
        self.hand = hand


class DealerStopping(TableError):
    """The dealer is about to stop: no table is opened and no hand begun. What is on the tables is kept."""

    def __init__(self) -> None:
        super().__init__("the dealer is stopping and starts nothing new")


class TableBroken(TableError):
    """The table stands still after a fault of ours; it is being put right. Its chips are safe."""

    def __init__(self, *, table: int) -> None:
        super().__init__(f"table {table} stands still after a fault")
        self.table = table
