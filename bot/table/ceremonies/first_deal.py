"""Finding the first dealer of a game: one card each, the first jack, or a cut. The deck comes in shuffled; nothing here is random.

Laws: D-1, D-2, D-13.
"""

from collections.abc import Sequence

from bot.engine.cards import JACK, JOKER, rank_of
from bot.engine.dealing.decks import DECKS
from bot.engine.options.values import FirstDealer
from bot.engine.units import SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import require_seat
from bot.table.state import Seat, Table

SeatCards = tuple[tuple[SeatNumber, int], ...]
"""Seats and the card that each was dealt or cut, in order."""


# What players ask for


def draw_for_first_deal(table: Table, command: c.DrawForFirstDeal) -> tuple[e.TableEvent, ...]:
    """Find the first dealer now, by the table's own method (D-1, D-2, D-13).

    Raises:
        NotSeated, FirstDealerAlreadyFound, TooFewPlayers.
    """
    require_seat(table, command.player)
    _require_no_dealer(table)
    return (draw_first_button(table, command.deck),)


def cut_for_first_deal(table: Table, command: c.CutForFirstDeal, now: int) -> tuple[e.TableEvent, ...]:
    """Cut for the first deal: one cut each, no position twice; those tied for the lowest card cut again (D-2).

    Raises:
        NotSeated, FirstDealerAlreadyFound, TooFewPlayers, NoFirstDealCut, InvalidFirstDealCut.
    """
    seat = require_seat(table, command.player)
    _require_no_dealer(table)
    method = table.settings.options.first_dealer
    if method is not FirstDealer.LOW_CUT:
        raise refusals.NoFirstDealCut
    size, position = len(DECKS[table.settings.options.deck]), command.deck_position
    if not 1 <= position <= size:
        raise refusals.CutPointOutsideDeck(maximum=size)
    if not can_cut_for_first_deal(table, seat):
        raise refusals.AlreadyCutForFirstDeal
    if any(lot.deck_position == position for lot in table.first_deal_lots):
        raise refusals.CutPointTaken
    used = {lot.card for lot in table.first_deal_lots}
    card = next(card for card in command.deck if card < JOKER and card not in used)
    return (e.FirstDealCut(seat.number, position, card, now),)


def _require_no_dealer(table: Table) -> None:
    if table.dealer_seat:
        raise refusals.FirstDealerAlreadyFound
    if len(table.seats_for_next_hand) < 2:
        raise refusals.TooFewPlayers(player_count=len(table.seats_for_next_hand))


def can_cut_for_first_deal(table: Table, seat: Seat) -> bool:
    """Tell whether this seat still has to cut: it has not cut since the last tie and, after a tie, it is among the tied (D-2)."""
    if table.seats_to_cut and seat.number not in table.seats_to_cut:
        return False
    return seat.number not in dict(_cuts_that_count(table))


def deck_size_to_cut_for_first_deal(table: Table, player: int) -> int:
    """Return the number of cards in the deck in which a player can cut for the first deal; 0 if they cannot (D-2)."""
    seat, options = table.seat_of(player), table.settings.options
    if seat is None or table.running_hand is not None or table.dealer_seat or len(table.seats_for_next_hand) < 2:
        return 0
    if options.first_dealer is not FirstDealer.LOW_CUT or not can_cut_for_first_deal(table, seat):
        return 0
    return len(DECKS[options.deck])


# How the first dealer is found


def draw_button(method: FirstDealer, seats: Sequence[SeatNumber], deck: Sequence[int]) -> tuple[SeatCards, SeatNumber]:
    """Find the first button with a shuffled deck. Returns the cards that were dealt or cut, and the seat that has the button.

    `seats` are in dealing order. Jokers are passed over.

    - `high_card` (D-13): everyone gets one card; the highest has the button, and suits decide between equal ranks.
    - `jack` (D-1): cards go round until the first jack.
    - `low_cut` (D-2): everyone cuts; the lowest card has the button, and those tied for it cut again.
    """
    cards = [card for card in deck if card < JOKER]
    match method:
        case FirstDealer.JACK:
            jack_at = next(index for index, card in enumerate(cards) if rank_of(card) == JACK)
            dealt = tuple((seats[index % len(seats)], cards[index]) for index in range(jack_at + 1))
            return dealt, dealt[-1][0]
        case FirstDealer.HIGH_CARD:
            dealt = tuple(zip(seats, cards, strict=False))
            return dealt, max(dealt, key=lambda seat_card: seat_card[1])[0]
        case FirstDealer.LOW_CUT:
            return _draw_low_cut(tuple(seats), cards)


def _draw_low_cut(seats: tuple[SeatNumber, ...], cards: Sequence[int]) -> tuple[SeatCards, SeatNumber]:
    """Let everyone cut until one card is the lowest. If the cards run out before that, the first of the tied seats has the button."""
    all_cuts: SeatCards = ()
    while len(seats) > 1 and len(cards) >= len(seats):
        cuts = tuple(zip(seats, cards, strict=False))
        cards = cards[len(seats) :]
        all_cuts += cuts
        seats = _seats_with_lowest(dict(cuts), seats)
    return all_cuts, seats[0]


def draw_first_button(table: Table, deck: tuple[int, ...]) -> e.ButtonDrawn:
    """Draw for the first button. A player who has already cut keeps their card (D-2)."""
    method = table.settings.options.first_dealer
    players = tuple(seat.number for seat in table.seats_for_next_hand)
    lots = table.first_deal_lots
    if method is not FirstDealer.LOW_CUT or not lots:
        return e.ButtonDrawn(*draw_button(method, players, deck))
    used = {lot.card for lot in lots}
    cards_left = [card for card in deck if card < JOKER and card not in used]
    all_cuts = tuple((lot.seat_number, lot.card) for lot in lots)
    card_by_seat = dict(_cuts_that_count(table))
    cutting = _seats_cutting(table) or players
    for seat in cutting:
        if seat not in card_by_seat:
            card_by_seat[seat] = cards_left.pop(0)
            all_cuts += ((seat, card_by_seat[seat]),)
    tied = _seats_with_lowest(card_by_seat, cutting)
    if len(tied) == 1:
        return e.ButtonDrawn(all_cuts, tied[0])
    further_cuts, dealer = draw_button(method, tied, cards_left)
    return e.ButtonDrawn(all_cuts + further_cuts, dealer)


def first_deal_cut_result(table: Table) -> tuple[e.TableEvent, ...]:
    """Once everyone has cut, the lowest card has the deal, and those tied for it cut again (D-2). Nothing happens before that."""
    if not table.first_deal_lots or table.positions is not None or table.drawn_button_seat:
        return ()
    cutting, card_by_seat = _seats_cutting(table), dict(_cuts_that_count(table))
    if not cutting or any(seat not in card_by_seat for seat in cutting):
        return ()
    tied = _seats_with_lowest(card_by_seat, cutting)
    if len(tied) > 1:
        return (e.FirstDealCutTied(tied),)
    return (e.ButtonDrawn(tuple((lot.seat_number, lot.card) for lot in table.first_deal_lots), tied[0]),)


def _seats_cutting(table: Table) -> tuple[SeatNumber, ...]:
    """The seats that cut in this round: those tied in the last one, else everyone who plays."""
    players = tuple(seat.number for seat in table.seats_for_next_hand)
    return tuple(seat for seat in table.seats_to_cut or players if seat in players)


def _cuts_that_count(table: Table) -> SeatCards:
    """Return the cuts since the last tie."""
    return tuple((lot.seat_number, lot.card) for lot in table.first_deal_lots if lot.deck_position)


def _seats_with_lowest(card_by_seat: dict[SeatNumber, int], seats: tuple[SeatNumber, ...]) -> tuple[SeatNumber, ...]:
    lowest = min(rank_of(card_by_seat[seat]) for seat in seats)
    return tuple(seat for seat in seats if rank_of(card_by_seat[seat]) == lowest)
