"""The showdown: who shows, in which order, and how every pot is shared to the last chip (laws A11: Z, Q; TL-15, TL-20
to TL-23, TL-43)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.engine import events as e
from bot.engine.betting.pots import Pot, pots
from bot.engine.customs import LosersMatchPot
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand, next_seat_in, one_seat_left, seats_in
from bot.engine.legal import Decision
from bot.engine.options.values import OddChip, Showing
from bot.engine.ranking import Category
from bot.engine.ranking.layout import hand_layout
from bot.engine.ranking.value import face_of
from bot.engine.showdown.hand_values import (
    evaluators_for,
    next_designation_request,
    openers_card_indices,
    values_by_share,
)
from bot.engine.steps import BOTH
from bot.engine.units import SeatIndex

HandValues = list[list[list[int]]]
"""The value of each seat's hand, by share and board; 0 where it does not qualify or is not live."""


def first_to_show(hand: Hand) -> SeatIndex:
    """The last aggressor of the final street, else the seat that acted first there (TL-20)."""
    if hand.street_aggressor >= 0 and hand.live_seats >> hand.street_aggressor & 1:
        return hand.street_aggressor
    return next_seat_in(hand.live_seats, max(hand.first_to_act, 0) - 1)


def forced_show_law(hand: Hand) -> str:
    """The id of the law that turns every live hand up here, or "" (Z-1, TL-21)."""
    if hand.rules.options.show is Showing.ALL:
        return "Z-1"
    return "TL-21" if hand.live_seats & ~hand.seats_with_chips else ""


def continue_showdown(hand: Hand, events: EmittedEvents) -> bool:
    """Turn hands up in order until a seat must choose (True) or all pots are paid (False).

    Without `ask_show`, the first to show and every hand that beats or ties what has been shown are shown; a beaten
    hand is mucked (TL-41).
    """
    if hand.rules.designates_at_showdown and (asked := next_designation_request(hand)) is not None:
        emit(hand, events, asked)
        return True
    values = _hand_values(hand)
    everyone, ask = bool(forced_show_law(hand)), hand.started.ask_show
    layers = pots(hand.put_in, hand.live_seats, hand.dead_chips)
    races = [] if everyone or ask else _contested_shares(hand, values, layers)
    start = hand.first_to_show - 1
    waiting = hand.live_seats & ~hand.shown_seats & ~hand.mucked_seats
    while waiting:
        seat = next_seat_in(_seats_in_last_pot(hand, waiting) if everyone else waiting, start)
        if everyone:
            shows = True
        elif hand.live_seats & ~hand.mucked_seats == 1 << seat:
            break
        elif ask:
            emit(hand, events, e.DecisionRequested(seat, Decision.SHOW))
            return True
        else:
            shows = _is_first_or_wins(hand, seat, races)
            if shows:
                _record_shown(races, seat)
        emit(hand, events, e.Shown(seat, hand.down_indices[seat]) if shows else e.Mucked(seat))
        start = seat
        waiting &= ~(1 << seat)
    settle_pots(hand, events, values, layers)
    return False


def _seats_in_last_pot(hand: Hand, seats: int) -> int:
    """The seats among these that play for the last pot: side-pot contenders show before the all-in player of the main
    pot (TL-20)."""
    maximum = max(hand.put_in[seat] for seat in seats_in(seats))
    return sum(1 << seat for seat in seats_in(seats) if hand.put_in[seat] == maximum)


def should_show(hand: Hand, seat: SeatIndex) -> bool:
    """Whether a hand should be shown: it is the first, or it wins or ties some share so far (TL-41)."""
    return _is_first_or_wins(
        hand, seat, _contested_shares(hand, _hand_values(hand), pots(hand.put_in, hand.live_seats, hand.dead_chips))
    )


def _hand_values(hand: Hand) -> HandValues:
    rules, live = hand.rules, seats_in(hand.live_seats)
    if rules.wild_cards_vary or rules.designates_at_showdown:
        return values_by_share(hand, live)
    deck, down, up = hand.deck, hand.down_indices, hand.up_indices
    holes = [[deck[card_index] for card_index in down[seat] + up[seat]] for seat in live]
    found: HandValues = []
    for evaluator in rules.evaluators:
        by_board = []
        for board in hand.board_indices:
            ranks = [0] * hand.seat_count
            for seat, value in zip(
                live, evaluator.values(holes, [deck[card_index] for card_index in board]), strict=True
            ):
                ranks[seat] = value
            by_board.append(ranks)
        found.append(by_board)
    return found


class _ContestedShare(Struct, gc=False):
    """One share of one pot on one board: who can win it, the value of each hand, and the best value shown so far."""

    eligible_seats: int
    values: list[int]
    best_shown: int


def _contested_shares(hand: Hand, values: HandValues, layers: Sequence[Pot]) -> list[_ContestedShare]:
    """Everything that the hands on the table play for."""
    races = [
        _ContestedShare(pot.eligible_seats, ranks, 0) for pot in layers for by_board in values for ranks in by_board
    ]
    for seat in seats_in(hand.shown_seats & hand.live_seats):
        _record_shown(races, seat)
    return races


def _record_shown(races: Sequence[_ContestedShare], seat: SeatIndex) -> None:
    """A hand is shown: in each share it can win, it is the one to beat if it is the best."""
    for race in races:
        if race.eligible_seats >> seat & 1 and race.values[seat] > race.best_shown:
            race.best_shown = race.values[seat]


def _is_first_or_wins(hand: Hand, seat: SeatIndex, races: Sequence[_ContestedShare]) -> bool:
    """Whether a hand is the first shown, or wins or ties some share against the hands shown so far."""
    if not hand.shown_seats & hand.live_seats:
        return True
    for race in races:
        own = race.values[seat]
        if own and own >= race.best_shown and race.eligible_seats >> seat & 1:
            return True
    return False


class _Lots:
    """The lots of one hand: the cards that would be dealt next decide, one to each of the tied, and every lot has cards
    of its own. It is the deck's own order, which nobody can steer (Q-2).

    Attributes:
        drawn: how many cards the lots have taken so far.
    """

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._had_odd_chip: set[SeatIndex] = set()
        self.drawn = 0

    def begin_pot(self) -> None:
        """A player gets at most one odd chip of each pot."""
        self._had_odd_chip = set()

    def draw(self, seats: Sequence[SeatIndex], odd_chips: int) -> list[SeatIndex]:
        """Put the seats in the order in which they get odd chips: those first that have none of this pot yet."""
        cards = [self._hand.deck[card_index] for card_index in lot_order(self._hand)]
        card_of = {seat: cards[at % len(cards)] for at, seat in enumerate(seats, self.drawn)}
        self.drawn += len(seats)
        order = sorted(seats, key=lambda seat: (seat in self._had_odd_chip, -card_of[seat]))
        self._had_odd_chip.update(order[:odd_chips])
        return order


def lot_order(hand: Hand) -> list[int]:
    """The card indices of the rest of the deck, then of what was dealt; a card that was shuffled back lies there once."""
    indices: dict[int, int] = {}
    for card_index in (*range(hand.next_card_index, len(hand.deck)), *range(hand.next_card_index)):
        indices.setdefault(hand.deck[card_index], card_index)
    return list(indices.values())


def lot_card_indices(hand: Hand) -> tuple[int, ...]:
    """The indices of the cards that drew odd chips by lot, in a hand whose pots are paid; none where nothing was
    drawn for (Q-2)."""
    if hand.rules.options.odd_chip is not OddChip.LOT or not any(paid.odd_chips for paid in hand.payments):
        return ()
    lots = _Lots(hand)
    _share_pots(hand, pots(hand.put_in, hand.live_seats, hand.dead_chips), _hand_values(hand), lots)
    return tuple(lot_order(hand)[: lots.drawn])


def settle_pots(
    hand: Hand, events: EmittedEvents, values: HandValues | None = None, layers: tuple[Pot, ...] | None = None
) -> None:
    """Pay every pot, the last side pot first, and end the hand (TL-15, TL-22)."""
    standing = hand.live_seats & ~hand.mucked_seats
    if one_seat_left(standing):
        paid = [e.Payment(0, "pot", seats_in(standing)[-1], hand.pot)]
    else:
        assert values is not None
        paid = _share_pots(hand, layers or pots(hand.put_in, hand.live_seats, hand.dead_chips), values, _Lots(hand))
    emit(hand, events, e.PotsPaid(tuple(paid)))
    if hand.rules.openers is not None and hand.opener >= 0 and (proof := openers_card_indices(hand)):
        emit(hand, events, e.OpenersShown(hand.opener, proof))
    match = hand.rules.rule_card.custom(LosersMatchPot)
    if match is not None and values is not None:
        _match_pot(hand, events, match, paid, standing)
    emit(hand, events, e.HandEnded())


def _match_pot(hand: Hand, events: EmittedEvents, match: LosersMatchPot, paid: list[e.Payment], standing: int) -> None:
    """Players who stayed in and won nothing put the pot in again for the next hand (VC-27)."""
    won = sum(payment.chips for payment in paid)
    for seat in seats_in(standing & ~sum({1 << payment.seat for payment in paid})):
        chips = match.owed(won, hand.rules.stakes.cap, hand.stacks[seat])
        if chips:
            emit(hand, events, e.PotMatched(seat, chips))


def _share_pots(hand: Hand, layers: Sequence[Pot], values: HandValues, lots: _Lots) -> list[e.Payment]:
    """Share every pot, the last side pot first (TL-15)."""
    standing = hand.live_seats & ~hand.mucked_seats
    paid: list[e.Payment] = []
    for number in range(len(layers) - 1, -1, -1):
        pot = layers[number]
        lots.begin_pot()
        paid += _share_pot(hand, number, pot.chips, pot.eligible_seats & standing or standing, values, lots)
    return paid


def _share_pot(hand: Hand, number: int, chips: int, eligible: int, values: HandValues, lots: _Lots) -> list[e.Payment]:
    """Share one pot: over the boards, then over the shares that somebody eligible qualifies for, then among the tied
    (TL-23, TL-43)."""
    if one_seat_left(eligible):
        return [e.Payment(number, "pot", seats_in(eligible)[-1], chips)]
    seats = seats_in(eligible)
    won: list[_WonShare] = []
    for board, of_board in enumerate(_equal_parts(chips, len(hand.board_indices))):
        contests = _share_results(hand, seats, [by_board[board] for by_board in values])
        for (name, winners, best), of_share in zip(contests, _equal_parts(of_board, len(contests)), strict=True):
            if of_share:
                won.append((e.Payment(number, name, winners[0], of_share, best, 0, board), winners))
    if len(won) > 1 and all(winners == won[0][1] for _, winners in won):
        return _split_evenly(hand, won, lots)
    return [paid for share, winners in won for paid in _split_evenly(hand, [(share, winners)], lots)]


def _equal_parts(chips: int, number: int) -> list[int]:
    """A sum in `number` parts, as equal as chips can be; the first ones are the larger."""
    if number == 1:
        return [chips]
    each, odd = divmod(chips, number)
    return [each + (at < odd) for at in range(number)]


ShareResult = tuple[str, list[SeatIndex], int]
"""A share, who wins it, and their hand's value."""


def _share_results(hand: Hand, seats: Sequence[SeatIndex], ranks: list[list[int]]) -> list[ShareResult]:
    """Each share that somebody qualifies for, its winners and their value. Where hands were declared, a seat contests
    what it declared, and a seat that declared both wins both or nothing (VC-26)."""
    words, shares = hand.declarations, hand.rules.rule_card.shares
    if not any(words):
        return [
            won
            for share, value in zip(shares, ranks, strict=True)
            if (won := _share_result(share.name, seats, value))[2]
        ]
    while True:
        found: list[ShareResult] = []
        for share, value in zip(shares, ranks, strict=True):
            able = [seat for seat in seats if words[seat] not in _SHARE_WORDS or words[seat] in (share.name, BOTH)]
            won = _share_result(share.name, able, value)
            found += [won] if won[2] else []
        failed = [seat for seat in seats if words[seat] == BOTH and not all(seat in winners for _, winners, _ in found)]
        if not failed or len(failed) == len(seats):
            return found
        seats = [seat for seat in seats if seat not in failed]


def _share_result(name: str, seats: Sequence[SeatIndex], value: list[int]) -> ShareResult:
    """Which of these seats win the share: those with the best value, which is 0 where nobody qualifies."""
    best = max([value[seat] for seat in seats], default=0)
    return name, [seat for seat in seats if value[seat] == best], best


_SHARE_WORDS = ("high", "low", BOTH)


_WonShare = tuple[e.Payment, list[SeatIndex]]
"""What the first of the winners of a share would get alone, and all who tie for it."""


def _split_evenly(hand: Hand, shares: list[_WonShare], lots: _Lots) -> list[e.Payment]:
    """Share out what the same hands have won, one share or all those of a pot, so that no two get amounts more than a
    chip apart: the odd chips of one share after the other go round the tied (Q-1 to Q-4, TL-23)."""
    first, winners = shares[0]
    number = len(winners)
    if number == 1:
        return [share for share, _ in shares]
    left_over = sum(share.chips % number for share, _ in shares)
    odd_chips = left_over % number
    whole_rounds = left_over - odd_chips  # chips that all get alike in the end: nobody is told of them
    order = (
        _ODD_CHIP_ORDER[hand.rules.options.odd_chip](_TiedHands(hand, winners, first, odd_chips, lots))
        if odd_chips
        else winners
    )
    paid: list[e.Payment] = []
    dealt = 0
    for share, _ in shares:
        each, odd = divmod(share.chips, number)
        lucky = {order[at % number]: int(at >= whole_rounds) for at in range(dealt, dealt + odd)}
        dealt += odd
        paid += [
            e.Payment(
                share.pot_index,
                share.share,
                seat,
                each + (seat in lucky),
                share.value,
                lucky.get(seat, 0),
                share.board_index,
            )
            for seat in winners
            if each or seat in lucky
        ]
    return paid


class _TiedHands(Struct, frozen=True, gc=False):
    """Hands that tie for what does not divide: who holds them, what the first of them gets, and how many chips are odd."""

    hand: Hand
    winners: list[SeatIndex]
    won: e.Payment
    odd_chips: int
    lots: _Lots


def _left_of_dealer(tied: _TiedHands) -> list[SeatIndex]:
    return tied.winners


def _last_aggressor(tied: _TiedHands) -> list[SeatIndex]:
    """The player who last bet or raised; if they are not among the tied, the first tied left of the dealer (Q-3)."""
    return sorted(tied.winners, key=lambda seat: (seat != tied.hand.hand_aggressor, seat))


def _high_suit(tied: _TiedHands) -> list[SeatIndex]:
    """Stud: the highest card by suit in the five played for this share (Q-4). An ace that plays low is the lowest: in a
    low hand, and in 5-4-3-2-A (T-1)."""
    hand, won = tied.hand, tied.won
    share = next(at for at, one in enumerate(hand.rules.rule_card.shares) if one.name == won.share)

    def highest(seat: SeatIndex) -> tuple[int, int]:
        evaluator = evaluators_for(hand, seat)[share]
        cards = hand_layout(evaluator, hand.held_cards(seat), hand.board_cards(won.board_index)).cards
        if evaluator.name(won.value).category in _IN_SEQUENCE:
            cards = cards[:1]
        ace_is_low = evaluator.ranking.ace_is_low
        return max((face_of(card >> 2, ace_is_low=ace_is_low), card & 3) for card in cards)

    return sorted(tied.winners, key=highest, reverse=True)


_IN_SEQUENCE = (Category.STRAIGHT, Category.STRAIGHT_FLUSH)


def _by_lot(tied: _TiedHands) -> list[SeatIndex]:
    return tied.lots.draw(tied.winners, tied.odd_chips)


_ODD_CHIP_ORDER = {
    OddChip.LEFT_OF_DEALER: _left_of_dealer,
    OddChip.LAST_AGGRESSOR: _last_aggressor,
    OddChip.HIGH_SUIT: _high_suit,
    OddChip.LOT: _by_lot,
}
