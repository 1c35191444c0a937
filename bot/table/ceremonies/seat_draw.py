"""Drawing for seats, and what the banker and the first dealer can choose before it. The deck comes in shuffled; nothing here is random.

Laws: P-7 to P-10; AT-11.
"""

from collections.abc import Sequence

from bot.engine.cards import JOKER, rank_of
from bot.engine.units import SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.positions import clockwise
from bot.table.queries import RATHOLE_MS, host_of, require_seat
from bot.table.state import Seat, Table


def banker_of(table: Table) -> Seat | None:
    """Return the seat of the banker, who chooses a seat first: the host, if they are seated (P-8)."""
    return table.seat_of(host_of(table))


def first_dealer_of(table: Table) -> Seat | None:
    """Return the seat that deals, or has drawn the first deal; None before that (P-8, P-9)."""
    return table.seat(table.dealer_seat) if table.dealer_seat else None


# Choices before the draw


def choose_seat(table: Table, command: c.ChooseSeat, now: int) -> tuple[e.TableEvent, ...]:
    """Before seats are drawn, the banker chooses a seat. Without a banker, the dealer does (P-8, P-9).

    Raises:
        NotSeated, HandRunning, NotYourSeatChoice, NoSuchSeat.
    """
    require_seat(table, command.player)
    _require_no_hand(table)
    banker = banker_of(table)
    chooser = banker or first_dealer_of(table)
    if chooser is None or chooser.player != command.player:
        raise refusals.NotYourSeatChoice(law="P-8" if banker else "P-9", chooser=chooser.player if chooser else 0)
    seat_count = table.settings.seat_count
    if not 1 <= command.seat_number <= seat_count:
        raise refusals.NoSuchSeat(seat_number=command.seat_number, seat_count=seat_count)
    dealer_left_of_banker = table.seat_draw_choices.dealer_left_of_banker
    return (e.SeatDrawChoiceMade(command.player, SeatNumber(command.seat_number), dealer_left_of_banker, now),)


def choose_dealer_seat(table: Table, command: c.ChooseDealerSeat, now: int) -> tuple[e.TableEvent, ...]:
    """Before seats are drawn, the first dealer takes the seat left of the banker or joins the draw (P-8).

    Raises:
        NotSeated, HandRunning, NotYourSeatChoice.
    """
    require_seat(table, command.player)
    _require_no_hand(table)
    banker, dealer = banker_of(table), first_dealer_of(table)
    if banker is None or dealer is None or dealer.player != command.player or dealer.player == banker.player:
        raise refusals.NotYourSeatChoice(law="P-8", chooser=dealer.player if dealer and banker else 0)
    banker_seat = table.seat_draw_choices.banker_seat_number
    return (e.SeatDrawChoiceMade(command.player, banker_seat, command.left_of_banker, now),)


def _require_no_hand(table: Table) -> None:
    if table.running_hand is not None:
        raise refusals.HandRunning(law="P-8")


# The draw


def draw_seats(table: Table, command: c.DrawSeats, now: int) -> tuple[e.TableEvent, ...]:
    """Draw for seats: before the first hand, or an hour after the last draw (P-7 to P-10).

    The banker keeps their seat, or has the one they chose. Without a banker the dealer has that right and, before there is a dealer, the
    player who asked. The first dealer joins the draw, or sits left of the banker if they chose that.

    Raises:
        NotSeated, HandRunning, ReseatingTooSoon, TooFewPlayers.
    """
    asker = require_seat(table, command.player)
    _require_reseating(table, now)
    dealer, choices = first_dealer_of(table), table.seat_draw_choices
    first = banker_of(table) or dealer or asker
    seated_without_draw = [first.player]
    if choices.dealer_left_of_banker and dealer is not None and dealer.player != first.player:
        seated_without_draw.append(dealer.player)
    by_number = {seat.number: seat for seat in table.seats}
    dealing_order = [by_number[number].player for number in clockwise(by_number, (dealer or first).number)]
    drawing = [player for player in dealing_order if player not in seated_without_draw]
    cards = [card for card in command.deck if card < JOKER]
    players = seating_order(seated_without_draw, drawing, cards)
    first_seat = choices.banker_seat_number or first.number
    numbers = set(by_number)
    if first_seat not in numbers:
        numbers = numbers - {first.number} | {first_seat}  # the banker moves to a free seat
    seats = tuple(zip(players, _clockwise_from(numbers, first_seat), strict=True))
    return (e.SeatsDrawn(tuple(zip(drawing, cards, strict=False)), seats, now),)


def _require_reseating(table: Table, now: int) -> None:
    if table.running_hand is not None:
        raise refusals.HandRunning(law="P-10")
    if table.replay is not None:
        raise refusals.HandRunning(law="TL-29")
    if table.hands_dealt and now < table.seated_at + RATHOLE_MS:
        raise refusals.ReseatingTooSoon(until=table.seated_at + RATHOLE_MS)
    if len(table.seats) < 2:
        raise refusals.TooFewPlayers(player_count=len(table.seats))


def seating_order(seated_without_draw: Sequence[int], drawing: Sequence[int], cards: Sequence[int]) -> tuple[int, ...]:
    """Return the players clockwise: first those who sit without a draw, the banker at their head, then those who draw (P-8, P-9).

    `drawing` are players in dealing order, with their `cards`. The highest card sits right of the banker, the next highest right of that,
    and so on. Of equal ranks, the card dealt first is the higher.
    """
    drawn = zip(drawing, cards, strict=False)
    highest_first = sorted(
        drawn, key=lambda player_card: -rank_of(player_card[1])
    )  # a stable sort: first dealt comes first
    return (*seated_without_draw, *(player for player, _ in reversed(highest_first)))


def _clockwise_from(numbers: set[SeatNumber], first: SeatNumber) -> tuple[SeatNumber, ...]:
    """Order seat numbers clockwise, with `first` at the head."""
    *after, last = clockwise(numbers, first)
    return last, *after
