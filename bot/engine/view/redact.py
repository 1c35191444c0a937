"""Which cards the reader of a whole hand can know, for hand histories.

`view` shows one moment; a history tells every moment, and to know a card in the end is not to know whether it was
dealt, drawn or passed. No history is written from a deck without `KnownCards`.

Laws: TL-22, TL-37.
"""

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from bot.engine import events as e
from bot.engine import steps
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.units import SeatIndex


class HistoryReader(Enum):
    """Who can read a history, beside a seat."""

    PUBLIC = "public"
    ALL_KNOWING = "all-knowing"


PUBLIC, ALL_KNOWING = HistoryReader.PUBLIC, HistoryReader.ALL_KNOWING


class FileReader(Struct, frozen=True):
    """Whoever reads a recorded hand: they know the cards that the record names, and none that a replay filled in.

    Attributes:
        dealt_indices: cards that the record says were dealt.
        held_indices: those, and cards that it names when they are shown, discarded or passed on.
    """

    dealt_indices: frozenset[int]
    held_indices: frozenset[int]


HistoryViewer = int | HistoryReader | FileReader
"""A seat of the hand, which knows what it held; the public, which knows what was opened; an auditor, who knows every
card; or who reads it from a file."""


_NONE: frozenset[int] = frozenset()


class KnownCards:
    """Which cards a reader can know, and where: to know a card in the end is not to know whether it was dealt, drawn
    or passed."""

    def __init__(self, events: Sequence[e.HandEvent], deck: tuple[int, ...], viewer: HistoryViewer) -> None:
        first = events[0]
        assert isinstance(first, e.HandStarted)
        self.knows_all = viewer is ALL_KNOWING
        self.viewer = viewer if isinstance(viewer, int) else -1
        self._dealt_in_file = viewer.dealt_indices if isinstance(viewer, FileReader) else _NONE
        self._held_in_file = viewer.held_indices if isinstance(viewer, FileReader) else _NONE
        self._cards_change_hands = any(isinstance(step, steps.Draw | steps.PassCards) for step in first.rule_card.steps)
        self._opened: set[tuple[int, int]] = set()  # seat and card: open to all while the seat held it
        self._public_indices: set[int] = set()  # cards dealt face up, common cards, proved openers
        self._viewer_indices: set[int] = set()  # cards the viewer has held
        self._shown_seats = 0  # seats whose hands were shown
        hand = begin_hand(first, deck)
        for event in events[1:]:
            hand = evolve(hand, event)
            self._observe(hand, event)

    def _observe(self, hand: Hand, event: e.HandEvent) -> None:
        for board in hand.board_indices:
            self._public_indices.update(board)
        if isinstance(event, e.DealtUp | e.DealtUpToSeat | e.DealtUpOrDown | e.ExtraCardDealt):
            for card_indices in hand.up_indices:
                self._public_indices.update(card_indices)
        if isinstance(event, e.OpenersShown):
            self._public_indices.update(event.card_indices)
        for seat in range(hand.seat_count):
            opened = (
                (*hand.up_indices[seat], *hand.down_indices[seat])
                if hand.shown_seats >> seat & 1
                else (*hand.up_indices[seat], *hand.shown_indices.intersection(hand.down_indices[seat]))
            )
            self._opened.update((seat, card_index) for card_index in opened)
        self._shown_seats |= hand.shown_seats
        if self.viewer >= 0:
            self._viewer_indices.update(hand.down_indices[self.viewer])

    def knows_opened(self, card_index: int) -> bool:
        """Whether the reader knows this card because it was dealt face up to somebody, or to all."""
        return self.knows_all or card_index in self._public_indices

    def knows_dealt(self, seat: SeatIndex, card_index: int) -> bool:
        """Whether the reader knows that the seat was dealt this card."""
        return (
            self.knows_all
            or seat == self.viewer
            or card_index in self._public_indices
            or card_index in self._dealt_in_file
            or (not self._cards_change_hands and (seat, card_index) in self._opened)
        )

    def knows_held(self, seat: SeatIndex, card_index: int) -> bool:
        """Whether the reader knows that the seat holds this card at the show, or in the order in which it turns cards up."""
        return (
            self.knows_all
            or seat == self.viewer
            or card_index in self._public_indices
            or card_index in self._held_in_file
            or (seat, card_index) in self._opened
        )

    def knows_designation(self, seat: SeatIndex) -> bool:
        """Whether the reader knows what the seat announced of its wild cards and its aces: of a hand mucked after
        all, only its holder does."""
        return self.knows_all or seat == self.viewer or bool(self._shown_seats >> seat & 1)

    def knows_given_up(self, seat: SeatIndex, card_index: int, *, passed: bool = False) -> bool:
        """Whether the reader knows that the seat discarded this card, or passed it on."""
        return (
            self.knows_all
            or seat == self.viewer
            or card_index in self._public_indices
            or card_index in self._held_in_file
            or (passed and card_index in self._viewer_indices)
        )
