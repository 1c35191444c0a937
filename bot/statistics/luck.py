"""All-in luck: what the pots paid a player, less the share that was to be expected when the betting was over.

Expected is the mean over everything that could still come, each card that nobody could know as likely as the others. Up to
`MAX_EXACT` boards are all looked at; of more, `DRAWN_BOARDS` are drawn from a number of the hand, and the result is an estimate. A pot that
does not divide is shared in fractions: an odd chip counts as luck. The results are thousandths of a chip; expectations are rounded down,
and the thousandths that are then missing go to those who lost the largest fractions, so that luck adds up to zero over the players.

Two boards pay half a pot each, so the expectation of a pot is the mean of both boards': each is looked at alone. Boards that are run twice
are as likely as one another, so the expectation is that of one.
"""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm, prod
from typing import NamedTuple

from msgspec import Struct

from bot.engine.betting.pots import Pot
from bot.engine.cards import JOKER
from bot.engine.custom import WildRanks
from bot.engine.options.types import Options
from bot.engine.ranking import Evaluator
from bot.engine.ranking.counters import FLUSH_BITS, SUIT_BITS
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import RulesInForce, rules_in_force
from bot.engine.stakes import Stakes
from bot.engine.units import SeatIndex
from bot.statistics.all_in_hand import NO_BOARD, AllInHand
from bot.statistics.best_hands import BestHands, BoardValues, as_exact, counters_of, learn_hands, without_hearts

MAX_EXACT = 1_000
DRAWN_BOARDS = 2_000
_MAX_COUNTED = 7
"""More cards of one suit than that overflow the counters."""

Cards = tuple[int, ...]
Outcome = tuple[tuple[int, ...], ...]
"""Who wins: by share and pot, a mask of players in the order of `PotLayers`."""


class AllInLuck(Struct, frozen=True, gc=False):
    """The luck of one hand.

    Attributes:
        seats: the live seats.
        luck: of each of them, in thousandths of a chip.
        is_estimate: boards were drawn, because there were too many.
    """

    seats: tuple[SeatIndex, ...]
    luck: tuple[int, ...]
    is_estimate: bool


def all_in_luck(hand: AllInHand) -> AllInLuck | None:
    """Return the luck of everybody who was in to the end; None where the hand could not have counted on any board (VC-23)."""
    ways = ways_to_end(hand)
    if ways is None:
        return None
    rounded = _round_to_thousandths(ways.mean(ways.pots.mean_paid))
    luck = tuple(1_000 * paid - share for paid, share in zip(hand.paid, rounded, strict=True))
    return AllInLuck(hand.seats, luck, ways.is_estimate)


class _AlikeBoards(NamedTuple):
    """Boards that are alike, and how often who wins on one.

    Attributes:
        boards: how many they are.
        groups: how many cards one lacks, see `_board_count`.
    """

    boards: int
    groups: tuple[int, ...]
    outcomes: Counter[Outcome]


class WaysToEnd(NamedTuple):
    """How a hand can go on, as far as everybody can know.

    Attributes:
        parts: by board, or one for all of them where cards come to players.
        is_estimate: boards were drawn, because there were too many.
    """

    pots: PotLayers
    parts: list[_AlikeBoards]
    is_estimate: bool

    def mean(self, of_part: Callable[[Counter[Outcome]], Sequence[Fraction]]) -> list[Fraction]:
        """Return the mean over the boards of what is asked of each, item by item."""
        weight = sum(part.boards for part in self.parts)
        found = [[value * part.boards / weight for value in of_part(part.outcomes)] for part in self.parts]
        return [sum(values, Fraction(0)) for values in zip(*found, strict=True)]


def ways_to_end(hand: AllInHand) -> WaysToEnd | None:
    """Look at how a hand can go on; None where it could not count on any board (VC-23)."""
    rules = rules_in_force(hand.rule_card, hand.options, hand.stakes)
    layers = PotLayers(hand.pots, hand.seats)
    if rules.wild_cards_vary or any(deal.board == NO_BOARD for deal in hand.to_come):
        own = _OwnCardsToCome(rules, hand, layers)
        parts = [_AlikeBoards(1, own.groups, _count_outcomes_of_own_cards(own, hand))]
    else:
        parts = _count_outcomes_of_boards(rules, hand, layers)
    if not all(part.outcomes for part in parts):
        return None
    is_estimate = any(_board_count(len(hand.unknown), part.groups) > MAX_EXACT for part in parts)
    return WaysToEnd(layers, parts, is_estimate)


def prepare_luck(rule_card: RuleCard, options: Options, stakes: Stakes) -> None:
    """Learn how the hands of a game rank, so that its first all-in hand takes no longer than the next ones: up to 0.2 s.

    Where the cards of a hand make others wild there is too much to learn.
    """
    rules = rules_in_force(rule_card, options, stakes)
    if not rules.wild_cards_vary:
        for evaluator in rules.evaluators:
            learn_hands(evaluator, rules.deck_cards)


def _round_to_thousandths(chips: Sequence[Fraction]) -> list[int]:
    """Return chips as thousandths whose sum is right: down, and up again where most was lost; of equals the first ones."""
    exact = [1_000 * share for share in chips]
    rounded = [int(share) for share in exact]
    missing = round(sum(exact)) - sum(rounded)
    order = sorted(range(len(exact)), key=lambda at: rounded[at] - exact[at])
    for at in order[:missing]:
        rounded[at] += 1
    return rounded


# The boards that could come


def _board_count(unknown: int, groups: Sequence[int]) -> int:
    """Return in how many ways groups of cards can come, if their order in a group does not matter."""
    return prod(comb(unknown - sum(groups[:at]), count) for at, count in enumerate(groups))


def _boards(unknown: Cards, groups: Sequence[int], seed: bytes) -> Iterable[Cards]:
    """Return the cards that could come, one group after the other: all ways, or drawn ones if these are too many."""
    if _board_count(len(unknown), groups) <= MAX_EXACT:
        return _all_boards(unknown, groups)
    return drawn_boards(unknown, sum(groups), seed, DRAWN_BOARDS)


def _all_boards(unknown: Cards, groups: Sequence[int]) -> Iterator[Cards]:
    if not groups:
        yield ()
        return
    for cards in combinations(unknown, groups[0]):
        rest = tuple(card for card in unknown if card not in cards) if len(groups) > 1 else ()
        for others in _all_boards(rest, groups[1:]):
            yield cards + others


def drawn_boards(unknown: Cards, count: int, seed: bytes, number: int) -> Iterator[Cards]:
    """Draw `number` times `count` different cards: the same for the same seed, on every machine and version."""
    numbers = struct.unpack(f"<{count * number}I", hashlib.shake_256(seed).digest(4 * count * number))
    cards = list(unknown)
    steps = [(at, len(cards) - at) for at in range(count)]
    for first in range(0, count * number, count):
        # A shuffle that stops after so many cards. Where the cards lie before it does not matter.
        for (at, left), value in zip(steps, numbers[first : first + count], strict=True):
            other = at + (value * left >> 32)
            cards[at], cards[other] = cards[other], cards[at]
        yield tuple(cards[:count])


# Who wins on a board


class PotLayers:
    """Pots, and the players in the order in which they are out of them: each pot is for the last so many of them.

    Attributes:
        order: positions of the live players, whoever is in the fewest pots first.
    """

    def __init__(self, layers: Sequence[Pot], seats: Sequence[SeatIndex]) -> None:
        depth = [sum(pot.eligible_seats >> seat & 1 for pot in layers) for seat in seats]
        self.order = sorted(range(len(seats)), key=depth.__getitem__)
        self._chips = [pot.chips for pot in layers]
        self._starts = [sum(1 for pots in depth if pots <= at) for at in range(len(layers))]

    def winners(self, values: BoardValues) -> tuple[int, ...]:
        """Return who wins one share of each pot, as masks; 0 where nobody qualifies."""
        starts = self._starts
        found: list[int] = []
        while len(found) < len(starts):
            start = starts[len(found)]
            best = max(values[start:])
            if not best:
                return (*found, *[0] * (len(starts) - len(found)))
            if values.count(best) == 1:
                last = values.index(best)
                mask = 1 << last
            else:
                mask = last = 0
                for at in range(start, len(values)):
                    if values[at] == best:
                        mask |= 1 << at
                        last = at
            while len(found) < len(starts) and starts[len(found)] <= last:
                found.append(mask >> starts[len(found)] << starts[len(found)])
        return tuple(found)

    def mean_paid(self, outcomes: Counter[Outcome]) -> list[Fraction]:
        """Return the mean of what each player is paid, in the players' own order."""
        return self._mean(outcomes, self._chips)

    def mean_share(self, outcomes: Counter[Outcome]) -> list[Fraction]:
        """Return the mean of each player's share of the main pot, in the players' own order."""
        return self._mean(outcomes, (1,))

    def chances(self, outcomes: Counter[Outcome]) -> list[Fraction]:
        """Return each player's chance to win the first share of the main pot alone, in the players' own order; last that it is split."""
        found = [Fraction(0)] * (len(self.order) + 1)
        for outcome, times in outcomes.items():
            winners = outcome[0][0] or self._players_of(0)
            alone = winners.bit_count() == 1
            found[self.order[winners.bit_length() - 1] if alone else -1] += Fraction(times, outcomes.total())
        return found

    def _players_of(self, pot: int) -> int:
        """Return the mask of the players who are in a pot."""
        return (1 << len(self.order)) - (1 << self._starts[pot])

    def _mean(self, outcomes: Counter[Outcome], pots: Sequence[int]) -> list[Fraction]:
        """Return the mean of what each player is paid of the first pots, which hold so many chips."""
        count = len(self.order)
        shares = len(next(iter(outcomes)))
        unit = lcm(*range(1, count + 1)) * lcm(*range(1, shares + 1))
        units = [0] * count
        for outcome, times in outcomes.items():
            for pot, (chips, winners) in enumerate(zip(pots, zip(*outcome, strict=True), strict=False)):
                # Where no hand qualifies for any share, the pot is its last player's alone.
                contested = [mask for mask in winners if mask] or [self._players_of(pot)]
                for mask in contested:
                    each = times * chips * (unit // (len(contested) * mask.bit_count()))
                    for at in range(count):
                        if mask >> at & 1:
                            units[at] += each
        paid = [Fraction(0)] * count
        for at, position in enumerate(self.order):
            paid[position] = Fraction(units[at], unit * outcomes.total())
        return paid


def _count_outcomes_of_boards(rules: RulesInForce, hand: AllInHand, layers: PotLayers) -> list[_AlikeBoards]:
    """Count who wins how often on boards."""
    lacking = [sum(deal.count for deal in hand.to_come if deal.board == at) for at in range(len(hand.boards))]
    alike = Counter(zip(hand.boards, lacking, strict=True))
    return [
        _AlikeBoards(number, (count,), _count_outcomes_of_board(rules, hand, layers, board, count))
        for (board, count), number in alike.items()
    ]


def _count_outcomes_of_board(
    rules: RulesInForce, hand: AllInHand, layers: PotLayers, board: Cards, count: int
) -> Counter[Outcome]:
    holes = [hand.down[at] + hand.up[at] for at in layers.order]
    best = [BestHands(evaluator, holes, board, len(board) + count) for evaluator in rules.evaluators]
    start, counters = _highest_start(best, count), counters_of(rules.evaluators[0]).__getitem__

    def evaluate(drawn: Cards, *, suits_matter: bool) -> tuple[list[BoardValues], Outcome]:
        values = [one.values(drawn, suits_matter=suits_matter) for one in best]
        return values, tuple(map(layers.winners, values))

    def without_ties(values: list[BoardValues], outcome: Outcome, drawn: Cards) -> Outcome:
        found = list(outcome)
        for share, one in enumerate(best):
            if one.breaks_ties and (tied := _tied(outcome[share])):
                exact = [
                    one.exact_value(at, value, drawn) if tied >> at & 1 else as_exact(value)
                    for at, value in enumerate(values[share])
                ]
                found[share] = layers.winners(tuple(exact))
        return tuple(found)

    breaks_ties = any(one.breaks_ties for one in best)
    outcomes: Counter[Outcome] = Counter()
    by_ranks: dict[int, tuple[list[BoardValues], Outcome]] = {}
    for drawn in _boards(hand.unknown, (count,), hand.seed):
        key = sum(map(counters, drawn))
        if key + start & FLUSH_BITS:
            known = evaluate(drawn, suits_matter=True)
        else:
            ranks = key >> SUIT_BITS
            known = by_ranks.get(ranks) or by_ranks.setdefault(ranks, evaluate(drawn, suits_matter=False))
        outcomes[without_ties(*known, drawn) if breaks_ties else known[1]] += 1
    return outcomes


def _tied(winners: Sequence[int]) -> int:
    """Return everybody who shares a pot."""
    tied = 0
    for mask in winners:
        if mask & (mask - 1):
            tied |= mask
    return tied


def _highest_start(best: Sequence[BestHands], count: int) -> int:
    """Return the counters from which suits can matter for any of these rankings."""
    if count > _MAX_COUNTED:
        return FLUSH_BITS
    return sum(max(one.flush_start >> shift & 15 for one in best) << shift for shift in (0, 4, 8, 12))


# Own cards to come


class _OwnCardsToCome:
    """Cards that come to players, and to the board where the deck runs out.

    Attributes:
        slots: who gets each of them, in the order in which they are dealt: a position in `layers.order`, or `NO_BOARD` for the board.
        face_up: whether each of them is face up.
        groups: how many cards each gets. Each card is a group where it matters when it comes.
    """

    def __init__(self, rules: RulesInForce, hand: AllInHand, layers: PotLayers) -> None:
        self.rules, self.layers = rules, layers
        self.down = [hand.down[at] for at in layers.order]
        self.up = [hand.up[at] for at in layers.order]
        seats = [hand.seats[at] for at in layers.order]
        self.slots: list[int] = []
        self.face_up: list[bool] = []
        for deal in hand.to_come:
            if deal.board == NO_BOARD:
                around = sorted(range(len(seats)), key=lambda at, first=deal.first_seat: (seats[at] < first, seats[at]))  # type: ignore[misc]
                self.slots += around * deal.count
                self.face_up += [deal.face_up] * len(around) * deal.count
            else:
                self.slots += [NO_BOARD] * deal.count
                self.face_up += [True] * deal.count
        if rules.wild_cards_vary:
            self.groups: tuple[int, ...] = (1,) * len(self.slots)
        else:
            # In which order their cards come to players does not matter: each gets theirs at once, the board last.
            at = sorted(range(len(self.slots)), key=lambda slot: (self.slots[slot] == NO_BOARD, self.slots[slot]))
            self.slots = [self.slots[slot] for slot in at]
            self.face_up = [self.face_up[slot] for slot in at]
            self.groups = tuple(Counter(self.slots).values())


def _count_outcomes_of_own_cards(own: _OwnCardsToCome, hand: AllInHand) -> Counter[Outcome]:
    """Count who wins how often."""
    boards = _boards(hand.unknown, own.groups, hand.seed)
    if own.rules.wild_cards_vary:
        return _count_outcomes_of_wild_cards(own, hand, boards)
    evaluators, players = own.rules.evaluators, range(len(own.down))
    slices = [_slice_of(own.slots, player) for player in players]
    common = _slice_of(own.slots, NO_BOARD)
    board = hand.boards[0]
    winners, counters = own.layers.winners, counters_of(evaluators[0]).__getitem__
    held = [own.down[player] + own.up[player] for player in players]
    if any(evaluator.ranking.from_hole is not None for evaluator in evaluators):
        return Counter(
            tuple(
                [
                    winners(
                        tuple(
                            [
                                evaluator.best(held[player] + drawn[slices[player]], board + drawn[common])
                                for player in players
                            ]
                        )
                    )
                    for evaluator in evaluators
                ]
            )
            for drawn in boards
        )
    best: list[list[BestHands]] = []
    for player in players:
        size = len(board) + len(own.slots[slices[player]]) + len(own.slots[common])
        best.append([BestHands(evaluator, [held[player]], board, size) for evaluator in evaluators])
    starts = [_highest_start(one, len(own.slots[slices[0]]) + len(own.slots[common])) for one in best]
    by_ranks: list[dict[int, Cards]] = [{} for _ in players]
    ties_broken = [share for share, one in enumerate(best[0]) if one.breaks_ties]
    each = list(zip(slices, best, starts, by_ranks, strict=True))
    outcomes: Counter[Outcome] = Counter()
    for drawn in boards:
        shared = drawn[common]
        values: list[Cards] = []
        for part, one, start, known_values in each:
            own_cards = drawn[part] + shared
            key = sum(map(counters, own_cards))
            if key + start & FLUSH_BITS:
                values.append(tuple([hands.values(own_cards, suits_matter=True)[0] for hands in one]))
                continue
            known = known_values.get(key >> SUIT_BITS)
            if known is None:
                known = tuple([hands.values(own_cards, suits_matter=False)[0] for hands in one])
                known_values[key >> SUIT_BITS] = known
            values.append(known)
        won = list(map(winners, zip(*values, strict=True)))
        for share in ties_broken:
            if tied := _tied(won[share]):
                exact = [
                    best[at][share].exact_value(0, value[share], drawn[slices[at]] + shared)
                    if tied >> at & 1
                    else as_exact(value[share])
                    for at, value in enumerate(values)
                ]
                won[share] = winners(tuple(exact))
        outcomes[tuple(won)] += 1
    return outcomes


def _slice_of(slots: Sequence[int], of: int) -> slice:
    """Return where the cards of one player, or of the board, lie among those to come."""
    first = slots.index(of) if of in slots else len(slots)
    return slice(first, first + slots.count(of))


class _WildCards:
    """Which cards are wild on a board, where the cards that come decide it (VC-21 to VC-23)."""

    def __init__(self, own: _OwnCardsToCome, hand: AllInHand) -> None:
        self._customs, self._hand = own.rules.wild_card_customs, hand
        self._may_be_void = any(custom.voids_hand(hand.up_ranks) for custom in self._customs)
        self._up_slots = [at for at, slot in enumerate(own.slots) if slot != NO_BOARD and own.face_up[at]]

    def wild_ranks(self, drawn: Cards, board: Cards) -> tuple[int, ...] | None:
        """Return the ranks that are wild once these cards have come; None where the hand is void, because no card made one wild."""
        wild = WildRanks(self._hand.wild_ranks, self._hand.next_up_card_names_wild)
        up_ranks = [drawn[slot] >> 2 for slot in self._up_slots]
        for custom in self._customs:
            for rank in up_ranks:
                wild = custom.wild_after_up_card(rank, wild)
            if self._may_be_void and custom.voids_hand((*self._hand.up_ranks, *up_ranks)):
                return None
        if not self._hand.boards[0] and board:
            for custom in self._customs:
                wild = WildRanks(custom.wild_board_ranks(board[0]) or wild.ranks)
        return wild.ranks

    def wild_cards(self, board: Cards) -> Cards:
        """Return the single cards that are wild."""
        return tuple([card for custom in self._customs for card in custom.wild_board_cards(board)])


def _count_outcomes_of_wild_cards(own: _OwnCardsToCome, hand: AllInHand, boards: Iterable[Cards]) -> Counter[Outcome]:
    """Count who wins how often where the cards that come can make others wild (VC-21 to VC-23). Boards that void the hand do not count."""
    wild, winners, joker_matters = _WildCards(own, hand), own.layers.winners, own.rules.face_up_joker_is_bug
    held = [down + up for down, up in zip(own.down, own.up, strict=True)]
    slots = [[at for at, slot in enumerate(own.slots) if slot == player] for player in range(len(held))]
    up_slots = [[at for at in of_player if own.face_up[at]] for of_player in slots]
    common_slots = [at for at, slot in enumerate(own.slots) if slot == NO_BOARD]
    plain: dict[tuple[Evaluator, ...], list[Callable[[Cards, Cards], int]]] = {}
    outcomes: Counter[Outcome] = Counter()
    for drawn in boards:
        board = hand.boards[0] + tuple([drawn[at] for at in common_slots])
        wild_ranks = wild.wild_ranks(drawn, board)
        if wild_ranks is None:
            continue
        hands = [cards + tuple([drawn[at] for at in at_slots]) for cards, at_slots in zip(held, slots, strict=True)]
        evaluators = [own.rules.evaluators_for(wild_ranks, wild.wild_cards(board))] * len(hands)
        if joker_matters:
            for player, up in enumerate(own.up):
                if any(card >= JOKER for card in (*up, *[drawn[at] for at in up_slots[player]])):
                    evaluators[player] = own.rules.evaluators_for(wild_ranks, wild.wild_cards(board), joker_up=True)
        values: list[list[int]] = []
        for cards, asked in zip(hands, evaluators, strict=True):
            value_of = plain.get(asked)
            if value_of is None:
                value_of = plain[asked] = [_plain_value(one) for one in asked]
            values.append([of_share(cards, board) for of_share in value_of])
        won: list[tuple[int, ...]] = []
        for share, of_share in enumerate(zip(*values, strict=True)):
            best = winners(of_share)
            if evaluators[0][share].ranks_hearts and (tied := _tied(best)):
                exact = [
                    evaluators[at][share].best(hands[at], board) if tied >> at & 1 else as_exact(value)
                    for at, value in enumerate(of_share)
                ]
                best = winners(tuple(exact))
            won.append(best)
        outcomes[tuple(won)] += 1
    return outcomes


def _plain_value(ranking_evaluator: Evaluator) -> Callable[[Cards, Cards], int]:
    """Return what gives the value of own cards and common ones, hearts apart."""
    plain = without_hearts(ranking_evaluator)
    value = plain.value
    return plain.best if plain.ranking.from_hole is not None else lambda own, common: value(own + common)
