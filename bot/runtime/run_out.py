"""All-in run-outs: a hand whose betting is over is dealt to its end at once, and shown street by street with the hands open.

The end is decided and saved before the first street is shown. Until the last card lies open the table's snapshots, logs and everybody's
chips stay as they were before the end. After a restart the result simply stands.

Law: TL-21.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.evolve import evolve
from bot.engine.hand import Hand
from bot.ledger.pot_flows import Flow
from bot.runtime.clock import Alarm
from bot.runtime.snapshot import RUN_OUT_STREET_MS, TableSnapshot, TableUpdate
from bot.runtime.store_types import UnshownChips
from bot.table.state import Table

_DEALT = e.DealtBoard | e.DealtDown | e.DealtUp | e.DealtUpOrDown


class RunOutStreet(Struct, frozen=True):
    """The table as it stands before a street of a run-out.

    Attributes:
        event_count: how many events of the same transaction came before.
    """

    table: Table
    hand: Hand
    event_count: int


class RunOut:
    """A hand that is being shown.

    Args:
        updates: what is still to be shown, the end last.

    Attributes:
        shown: the table as far as it has been shown.
        unshown: what separates the chips that are saved from those that have been shown.
        saved_at: when the end was saved, in ms. The streets follow at equal distances.
        flows: who has won chips from whom by its end, as leaderboards count them.
        alarm: rings when the next street is due.
    """

    __slots__ = ("_street_number", "_updates", "alarm", "flows", "saved_at", "shown", "unshown")

    def __init__(
        self,
        shown: TableSnapshot,
        updates: Sequence[TableUpdate],
        unshown: tuple[UnshownChips, ...],
        saved_at: int,
        flows: tuple[Flow, ...] = (),
    ) -> None:
        self.shown, self.unshown, self.saved_at, self.flows = shown, unshown, saved_at, flows
        self.alarm: Alarm | None = None
        self._updates = tuple(updates)
        self._street_number = 0

    @property
    def next_at(self) -> int:
        """When the next street is due, or the end, in ms."""
        return self.saved_at + RUN_OUT_STREET_MS * (self._street_number + 1)

    @property
    def is_over(self) -> bool:
        """Whether the end has been taken."""
        return self._street_number == len(self._updates)

    def take_until(self, now: int) -> TableUpdate:
        """Take all that is due at a time: the newest street, with the events of those that nobody has seen."""
        due = max((now - self.saved_at) // RUN_OUT_STREET_MS, self._street_number + 1)
        first, self._street_number = self._street_number, min(due, len(self._updates))
        taken = self._updates[first : self._street_number]
        self.shown = taken[-1].snapshot
        return replace(
            taken[-1],
            events=tuple(event for update in taken for event in update.events),
            users_with_new_cards=tuple(dict.fromkeys(user for update in taken for user in update.users_with_new_cards)),
        )

    def take_all(self) -> TableUpdate:
        """Take the end."""
        return self.take_until(self.saved_at + RUN_OUT_STREET_MS * len(self._updates))


def run_out_streets(hand: Hand, events: Sequence[e.HandEvent]) -> list[tuple[int, Hand]]:
    """Return the hand before each street that is dealt with all betting over and the hands open, and the events before it.

    A street is a card of the board, of both boards at a table that plays with two, or the next card of each player.
    """
    if not hand.all_in_showdown and not any(isinstance(event, e.ShowdownOpened) and event.all_in for event in events):
        return []
    found: list[tuple[int, Hand]] = []
    for count, event in enumerate(events):
        if hand.all_in_showdown and isinstance(event, _DEALT):
            on_second_board = hand.rules.rule_card.boards > 1 and isinstance(event, e.DealtBoard) and event.board_index
            if not on_second_board:
                found.append((count, hand))
        hand = evolve(hand, event)
    return found


def seats_with_new_cards(hands: Sequence[Hand]) -> list[list[int]]:
    """Return for each hand but the first the seats that got face-down cards since the one before."""
    return [
        [
            seat
            for seat, (old, new) in enumerate(zip(first.down_indices, then.down_indices, strict=True))
            if {*new} - {*old}
        ]
        for first, then in pairwise(hands)
    ]
