"""The showdown: who shows, in which order, and how every pot is shared to the last chip.

Source: laws A11 (Z, Q), TL-15, TL-20 to TL-23, TL-43.
"""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine import events as e
from bot.engine.choosing_effect import BOTH
from bot.engine.hand import Hand, next_in, seats_in
from bot.engine.happening import Happened, happen
from bot.engine.legal import Decision
from bot.engine.options import OddChip
from bot.engine.pots import Pot, pots
from bot.engine.reading import judges_for, next_to_say, openers_of, worths

Values = list[list[list[int]]]
"""Rank of each seat's hand, by share and board; 0 where it does not qualify or is not live."""


def first_to_show(hand: Hand) -> int:
    """The last aggressor of the final interval, else who spoke first there (TL-20)."""
    if hand.aggressor >= 0 and hand.live >> hand.aggressor & 1:
        return hand.aggressor
    return next_in(hand.live, max(hand.spoke_first, 0) - 1)


def must_show(hand: Hand) -> str:
    """The id of the law that turns every live hand up here, or "" (Z-1, TL-21)."""
    if hand.rules.show_all:
        return "Z-1"
    return "TL-21" if hand.live & ~hand.able else ""


def show_next(hand: Hand, happened: Happened) -> bool:
    """Turn hands up in order until a seat must choose (True) or all pots are paid (False).

    Without `ask_show`, the first to show and whoever beats or ties what has been shown are shown; a beaten hand is mucked (TL-41).
    """
    if hand.rules.asks_at_show and (asked := next_to_say(hand)) is not None:
        happen(hand, happened, asked)
        return True
    values = _values(hand)
    everyone, ask = bool(must_show(hand)), hand.started.ask_show
    layers = pots(hand.put_in, hand.live, hand.dead)
    races = [] if everyone or ask else _races(hand, values, layers)
    start = hand.spoke_first - 1
    waiting = hand.live & ~hand.shown & ~hand.mucked
    while waiting:
        seat = next_in(_deepest(hand, waiting) if everyone else waiting, start)
        if everyone:
            shows = True
        elif hand.live & ~hand.mucked == 1 << seat:
            break
        elif ask:
            happen(hand, happened, e.Asked(seat, Decision.SHOW))
            return True
        else:
            shows = _holds_up(hand, seat, races)
            if shows:
                _run(races, seat)
        happen(hand, happened, e.Shown(seat, hand.down[seat]) if shows else e.Mucked(seat))
        start = seat
        waiting &= ~(1 << seat)
    settle(hand, happened, values, layers)
    return False


def _deepest(hand: Hand, seats: int) -> int:
    """Of these seats those that play for the last pot: side-pot contenders show before the all-in of the main pot (TL-20)."""
    most = max(hand.put_in[seat] for seat in seats_in(seats))
    return sum(1 << seat for seat in seats_in(seats) if hand.put_in[seat] == most)


def would_show(hand: Hand, seat: int) -> bool:
    """Whether a hand should be shown: it is the first, or it wins or ties some share so far (TL-41)."""
    return _holds_up(hand, seat, _races(hand, _values(hand), pots(hand.put_in, hand.live, hand.dead)))


def _values(hand: Hand) -> Values:
    rules, live = hand.rules, seats_in(hand.live)
    if rules.changing or rules.asks_at_show:
        return worths(hand, live)
    deck, down, up = hand.deck, hand.down, hand.up
    holes = [[deck[place] for place in down[seat] + up[seat]] for seat in live]
    found: Values = []
    for evaluator in rules.evaluators:
        by_board = []
        for board in hand.boards:
            ranks = [0] * hand.number_of
            for seat, worth in zip(live, evaluator.values(holes, [deck[place] for place in board]), strict=True):
                ranks[seat] = worth
            by_board.append(ranks)
        found.append(by_board)
    return found


class _Race(Struct, gc=False):
    """One share of one pot on one board: who may win it, the rank of each, and the best rank shown so far."""

    eligible: int
    ranks: list[int]
    best: int


def _races(hand: Hand, values: Values, layers: Sequence[Pot]) -> list[_Race]:
    """All that the hands on the table run for."""
    races = [_Race(pot.eligible, ranks, 0) for pot in layers for by_board in values for ranks in by_board]
    for seat in seats_in(hand.shown & hand.live):
        _run(races, seat)
    return races


def _run(races: Sequence[_Race], seat: int) -> None:
    """A hand is shown: in each race it may win, it is the one to beat if it is the best."""
    for race in races:
        if race.eligible >> seat & 1 and race.ranks[seat] > race.best:
            race.best = race.ranks[seat]


def _holds_up(hand: Hand, seat: int, races: Sequence[_Race]) -> bool:
    """Whether a hand is the first shown, or wins or ties some share against the hands shown so far."""
    if not hand.shown & hand.live:
        return True
    for race in races:
        own = race.ranks[seat]
        if own and own >= race.best and race.eligible >> seat & 1:
            return True
    return False


def settle(hand: Hand, happened: Happened, values: Values | None = None, layers: tuple[Pot, ...] | None = None) -> None:
    """Pay every pot, the last side pot first, and end the hand (TL-15, TL-22)."""
    standing = hand.live & ~hand.mucked
    if standing & (standing - 1) == 0:
        paid = [e.Payment(0, "pot", standing.bit_length() - 1, hand.pot)]
    else:
        assert values is not None
        layers, paid = layers or pots(hand.put_in, hand.live, hand.dead), []
        for number in range(len(layers) - 1, -1, -1):
            pot = layers[number]
            paid += _share_out(hand, number, pot.chips, pot.eligible & standing or standing, values)
    happen(hand, happened, e.PotsPaid(tuple(paid)))
    if hand.rules.openers is not None and hand.opener >= 0 and (proof := openers_of(hand)):
        happen(hand, happened, e.OpenersShown(hand.opener, proof))
    if hand.rules.card.match_pot and values is not None:
        _match_pot(hand, happened, paid, standing)
    happen(hand, happened, e.HandEnded())


def _match_pot(hand: Hand, happened: Happened, paid: list[e.Payment], standing: int) -> None:
    """Who stayed in and won nothing puts the pot in again for the next deal, up to the loss cap and his stack (VC-27)."""
    won = sum(payment.chips for payment in paid)
    cap = hand.rules.stakes.cap or won
    for seat in seats_in(standing & ~sum({1 << payment.seat for payment in paid})):
        chips = min(won, cap, hand.stacks[seat])
        if chips:
            happen(hand, happened, e.PotMatched(seat, chips))


def _share_out(hand: Hand, number: int, chips: int, eligible: int, values: Values) -> list[e.Payment]:
    """Share one pot: over the boards, then over the shares somebody eligible qualifies for, then among the tied (TL-23, TL-43)."""
    if eligible & (eligible - 1) == 0:
        return [e.Payment(number, "pot", eligible.bit_length() - 1, chips)]
    seats = seats_in(eligible)
    paid: list[e.Payment] = []
    for board, of_board in enumerate(_parts(chips, len(hand.boards))):
        contests = _contests(hand, seats, [by_board[board] for by_board in values])
        for (name, winners, best), of_share in zip(contests, _parts(of_board, len(contests)), strict=True):
            if of_share:
                paid += _split(hand, e.Payment(number, name, winners[0], of_share, best, 0, board), winners)
    return paid


def _parts(chips: int, number: int) -> list[int]:
    """So many parts of a sum, as equal as chips can be; the first ones are the larger."""
    if number == 1:
        return [chips]
    each, odd = divmod(chips, number)
    return [each + (at < odd) for at in range(number)]


Contest = tuple[str, list[int], int]
"""A share, who wins it, and their rank."""


def _contests(hand: Hand, seats: Sequence[int], ranks: list[list[int]]) -> list[Contest]:
    """Each share somebody qualifies for, its winners and their rank. Where hands were declared, a seat contests what it declared, and
    who declared both wins both or nothing (VC-26)."""
    words, shares = hand.words, hand.rules.card.shares
    if not any(words):
        return [
            won for share, worth in zip(shares, ranks, strict=True) if (won := _contest(share.name, seats, worth))[2]
        ]
    while True:
        found: list[Contest] = []
        for share, worth in zip(shares, ranks, strict=True):
            able = [seat for seat in seats if words[seat] not in _WORDS or words[seat] in (share.name, BOTH)]
            won = _contest(share.name, able, worth)
            found += [won] if won[2] else []
        failed = [seat for seat in seats if words[seat] == BOTH and not all(seat in winners for _, winners, _ in found)]
        if not failed or len(failed) == len(seats):
            return found
        seats = [seat for seat in seats if seat not in failed]


def _contest(name: str, seats: Sequence[int], worth: list[int]) -> Contest:
    """Who of these seats wins the share: those with the best rank, which is 0 where nobody qualifies."""
    best = max([worth[seat] for seat in seats], default=0)
    return name, [seat for seat in seats if worth[seat] == best], best


_WORDS = ("high", "low", BOTH)


def _split(hand: Hand, won: e.Payment, winners: list[int]) -> list[e.Payment]:
    """Share what the first of the winners has won equally among tied hands; odd chips one by one, at most one each (Q-1 to Q-4, TL-23)."""
    if len(winners) == 1:
        return [won]
    each, odd = divmod(won.chips, len(winners))
    lucky = _ODD[hand.rules.options.odd_chip](hand, winners, won)[:odd] if odd else []
    return [
        e.Payment(won.pot, won.share, seat, each + (seat in lucky), won.value, int(seat in lucky), won.board)
        for seat in winners
        if each or seat in lucky
    ]


def _left_of_dealer(_hand: Hand, winners: list[int], _won: e.Payment) -> list[int]:
    return winners


def _last_aggressor(hand: Hand, winners: list[int], _won: e.Payment) -> list[int]:
    """The player who last bet or raised; if he is not among the tied, the first tied left of the dealer (Q-3)."""
    return sorted(winners, key=lambda seat: (seat != hand.last_aggressor, seat))


def _high_suit(hand: Hand, winners: list[int], won: e.Payment) -> list[int]:
    """Stud: the highest card by suit in the five played for this share (Q-4)."""
    share = next(at for at, one in enumerate(hand.rules.card.shares) if one.name == won.share)

    def highest(seat: int) -> int:
        judge = judges_for(hand, seat)[share]
        return max(judge.playing(hand.hole_cards(seat), hand.board(won.board)).cards)

    return sorted(winners, key=highest, reverse=True)


def _lot(hand: Hand, winners: list[int], _won: e.Payment) -> list[int]:
    """By lot (Q-2): the cards that would be dealt next, one to each of the tied, decide: the pack's own order, which nobody can steer."""
    stub = hand.deck[hand.place :] + hand.deck[: hand.place]
    return [seat for _, seat in sorted(zip(stub, winners, strict=False), reverse=True)]


_ODD = {
    OddChip.LEFT_OF_DEALER: _left_of_dealer,
    OddChip.LAST_AGGRESSOR: _last_aggressor,
    OddChip.HIGH_SUIT: _high_suit,
    OddChip.LOT: _lot,
}
