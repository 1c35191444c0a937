"""Shuffling and cutting the deck before a hand. Nothing here is random: a cut only rearranges a deck.

Laws: D-3, D-5, D-6, D-7.
"""

from collections.abc import Sequence
from itertools import pairwise

from bot.engine.dealing.decks import DECKS
from bot.engine.options.values import Cut
from bot.engine.units import NO_SEAT_NUMBER, SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.mixed.next_game import next_hand_settings, with_next_hand_settings
from bot.table.positions import next_hand_positions
from bot.table.queries import require_seat
from bot.table.state import Seat, Table

CUT_PACKET_MIN = 5
"""The fewest cards in each packet (D-7)."""


# Cutting a deck of cards


def validate_cut(deck_size: int, cut_points: Sequence[int]) -> tuple[int, ...]:
    """Check where a deck of `deck_size` cards is cut, counted from the top. Returns the points in order.

    Raises:
        CutPacketTooSmall: there is not one point or two, or a packet has fewer than five cards (D-7).
    """
    ordered = tuple(sorted(cut_points))
    edges = (0, *ordered, deck_size)
    packets = [after - before for before, after in pairwise(edges)]
    if len(ordered) not in (1, 2) or min(packets) < CUT_PACKET_MIN:
        raise refusals.CutPacketTooSmall(maximum=deck_size - CUT_PACKET_MIN)
    return ordered


def card_order_after_cut(deck_size: int, cut_points: Sequence[int]) -> tuple[int, ...]:
    """Return which card lies at each position after the cut, both counted from 0 at the top.

    The packets change order: the bottom one comes to the top and the top one to the bottom (D-7). Without points nothing changes.
    """
    edges = (0, *cut_points, deck_size)
    packets = [range(before, after) for before, after in pairwise(edges)]
    return tuple(position for packet in reversed(packets) for position in packet)


def cut_cards(deck: Sequence[int], cut_points: Sequence[int]) -> tuple[int, ...]:
    """Cut a deck."""
    return tuple(deck[position] for position in card_order_after_cut(len(deck), cut_points))


def default_cut(deck_size: int) -> tuple[int, ...]:
    """Cut in the middle. The dealer does so for a player who must cut and does not (D-5, TL-41).

    It makes no difference: a shuffled deck is as random after any cut.
    """
    return (deck_size // 2,)


# What players ask for


def shuffle_deck(table: Table, command: c.ShuffleDeck, now: int) -> tuple[e.TableEvent, ...]:
    """Shuffle the deck once more: any player can ask for it before the cut (D-3).

    Raises:
        NotSeated, CardsAlreadyDealt, DeckAlreadyCut.
    """
    require_seat(table, command.player)
    _require_uncut_deck(table, "D-3")
    return (e.DeckShuffled(command.player, now),)


def cut_deck(table: Table, command: c.CutDeck, now: int) -> tuple[e.TableEvent, ...]:
    """Cut the deck: the player at the dealer's right does it or, if they have declined, whoever asks (D-5, D-6, D-7).

    Among those who ask, the one nearest the dealer's right cuts: until the cards are dealt, they take the cut over from a player farther
    away.

    Raises:
        NotSeated, CardsAlreadyDealt, DeckAlreadyCut, NotYoursToCut, CutPacketTooSmall.
    """
    seat = require_seat(table, command.player)
    if not can_cut(table, seat):
        _require_uncut_deck(table, "D-5")
        raise refusals.NotYoursToCut(seat_number=right_of_next_dealer(table))
    return (e.DeckCut(seat.number, validate_cut(next_deck_size(table), command.points), now),)


def decline_cut(table: Table, command: c.DeclineCut, now: int) -> tuple[e.TableEvent, ...]:
    """Decline to cut: the player at the dealer's right can, unless the table demands a cut (D-6).

    Raises:
        NotSeated, CardsAlreadyDealt, DeckAlreadyCut, NotYoursToCut, CutRequired.
    """
    seat = require_seat(table, command.player)
    _require_uncut_deck(table, "D-6")
    cutter = right_of_next_dealer(table)
    if seat.number != cutter or table.deck.cut_declined:
        raise refusals.NotYoursToCut(seat_number=cutter)
    if next_hand_settings(table).options.cut is Cut.MUST:
        raise refusals.CutRequired
    return (e.CutDeclined(seat.number, now),)


def _require_uncut_deck(table: Table, law: str) -> None:
    """Before the cards are out players can shuffle and cut. After the cut the deck stays as it is (D-3)."""
    if table.running_hand is not None:
        raise refusals.CardsAlreadyDealt(law=law)
    if table.deck.cut_points:
        raise refusals.DeckAlreadyCut


def right_of_next_dealer(table: Table) -> SeatNumber:
    """Return the seat at the next dealer's right, which cuts; 0 while the dealer is not known (D-5)."""
    order = cut_order(table)
    return order[0] if order else NO_SEAT_NUMBER


def cut_order(table: Table) -> tuple[SeatNumber, ...]:
    """Return the seats of the next hand in the order in which they can cut: from the dealer's right on, the dealer last (D-6)."""
    positions = next_hand_positions(with_next_hand_settings(table))
    if positions is None:
        return ()
    *others, dealer = positions.dealt_seats
    return (*reversed(others), dealer)


def can_cut(table: Table, seat: Seat) -> bool:
    """Tell whether this seat can cut the deck of the next hand now (D-5, D-6)."""
    order, deck = cut_order(table), table.deck
    if seat.number not in order or table.running_hand is not None:
        return False
    if not deck.cut_points:
        return seat.number == order[0] or deck.cut_declined
    if not deck.cut_declined or seat.number == order[0]:
        return False  # the player at the dealer's right has cut, or has left the cut to the others
    farther = order[order.index(deck.cut_by_seat) :] if deck.cut_by_seat in order else ()
    return seat.number not in farther


def next_deck_size(table: Table) -> int:
    """Return the number of cards in the deck of the next hand."""
    return len(DECKS[next_hand_settings(table).options.deck])


def deck_size_to_cut(table: Table, player: int) -> int:
    """Return the number of cards in the deck that a player can cut now; 0 if they cannot (D-5, D-6)."""
    seat = table.seat_of(player)
    return next_deck_size(table) if seat is not None and can_cut(table, seat) else 0
