"""What an evening at a table was like, read back from its stored hands: who was up and down, and the hands that people will tell of.

Everything follows from the hands as everybody saw them, so it is the same after a kill, and there is no card in it that was not shown.

- The *hand of the night* is the largest pot, in big blinds, that was won by a hand that everybody saw.
- The *best hand* is the strongest that was shown at a showdown. Where one game was played, its own ranking says which;
  where several were, only hands on one scale are compared: five-card high hands without wild cards by how rare they are, and where there
  are none, those of the game in which hands were shown most often. Of games that share the pot the first share counts.
- The *worst beat* is the hand that lost everything though it had the largest expected share of its pots when the money went in, and at
  least three fifths: the same expectation as in all-in luck (`bot.statistics.luck`), exact or an estimate.

Of equal ones the first stays.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable

from msgspec import Struct

from bot.allowances import in_thread
from bot.engine import events as e
from bot.engine.evolve import begin_hand, evolve_all
from bot.engine.hand import Hand
from bot.engine.rules_in_force import RulesInForce
from bot.engine.showdown.hand_values import values_by_share
from bot.engine.units import SeatIndex
from bot.engine.view.build import view
from bot.engine.view.types import HandSeatState, HandView, SeatView
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import HandUnreadable
from bot.runtime.hand_log import DeckSecret, DecodedHand, decoded_hand
from bot.runtime.journal import DealtIn
from bot.runtime.snapshot import HandLog, TableAddress
from bot.runtime.store_types import SavedHand
from bot.statistics.all_in_hand import AllInHand, all_in_hand, may_have_luck, seed_of
from bot.statistics.beats import FAVOURITE, chances
from bot.statistics.luck import AllInLuck
from bot.statistics.terms import rarity_of
from bot.store.store import Store
from bot.table import events as te
from bot.table.ended_game import EndedGame
from bot.table.settings import unit_of_stakes

log = logging.getLogger(__name__)

HANDS_AT_ONCE = 20
"""So many hands are read at once, in a thread: some milliseconds each."""
BEATS_MAX = 100
"""Of so many hands that were all-in before their last card the odds are worked out, the largest pots first: a tenth of a second each."""

LuckOf = Callable[[AllInHand], Awaitable[AllInLuck | None]]


class EveningCurve(Struct, frozen=True):
    """How one person's chips came and went.

    Attributes:
        points: after how many hands they were up or down by how much, from the hand before their first one on.
        rebuys: where they bought in again: after how many hands, and what they were up or down then.
    """

    player: int
    points: tuple[tuple[int, int], ...]
    rebuys: tuple[tuple[int, int], ...] = ()


class ToldHand(Struct, frozen=True):
    """A hand that the sheet tells.

    Attributes:
        log: the hand as everybody saw it.
        seat_index: who it is about.
        chance: of a worst beat, what share of the pots was to be expected, in thousandths.
    """

    log: HandLog
    seat_index: SeatIndex
    chance: int = 0


class Evening(Struct, frozen=True):
    """What there is to show of an evening beside where everybody stands. None: there is no such hand."""

    curves: tuple[EveningCurve, ...] = ()
    hand_of_night: ToldHand | None = None
    worst_beat: ToldHand | None = None
    best_hand: ToldHand | None = None


class _Beaten(Struct, frozen=True):
    """A hand that was all-in before its last card, and that may be the worst beat."""

    hand: AllInHand
    log: HandLog


class _Curve:
    """One person's curve while it is being read."""

    def __init__(self, hand: int) -> None:
        self.net, self.taken = 0, 0
        self.points = [(hand, 0)]
        self.rebuys: list[tuple[int, int]] = []


class EveningReader:
    """Reads the hands of a table, the oldest first.

    Args:
        context: what their decks are derived from.
    """

    def __init__(self, context: RuntimeContext | DeckSecret, address: TableAddress) -> None:
        self._context, self._address = context, address
        self._curves: dict[int, _Curve] = {}
        self._seats: dict[int, int] = {}
        self._hands = 0
        self._biggest: tuple[int, ToldHand | None] = (0, None)
        self._best_by_ranking: dict[str, tuple[int, ToldHand]] = {}
        self._shown_by_ranking: Counter[str] = Counter()
        self._rarest: tuple[int, ToldHand | None] = (0, None)
        self._beaten: list[_Beaten] = []

    def read(self, saved: SavedHand) -> None:
        """Read one more hand, with what happened until the next one."""
        self._follow_chips(saved)
        try:
            self._look_at(saved)
        except HandUnreadable:  # the secret that its cards came from is lost: its chips count
            log.info("hand_not_told", extra={"table": saved.table, "hand": saved.number})

    def curves(self, game: EndedGame) -> tuple[EveningCurve, ...]:
        """Return how the chips of everybody in a game came and went, in the order of its standings. They end where these say; in a duel,
        whose standings know its last match alone, they add the matches up."""
        found = []
        for one in game.standings:
            curve = self._curves.get(one.player)
            if curve is not None:
                net = one.net if game.duel is None else curve.net
                points = [*curve.points, (max(self._hands, curve.points[-1][0]), net)]
                found.append(EveningCurve(one.player, tuple(dict(points).items()), tuple(curve.rebuys)))
        return tuple(found)

    @property
    def hand_of_night(self) -> ToldHand | None:
        """The largest pot that was won by a hand that everybody saw."""
        return self._biggest[1]

    @property
    def best_hand(self) -> ToldHand | None:
        """The strongest hand that won and that everybody saw."""
        if len(self._best_by_ranking) > 1 and self._rarest[1] is not None:
            return self._rarest[1]
        for ranking, _ in self._shown_by_ranking.most_common(1):
            return self._best_by_ranking[ranking][1]
        return None

    async def worst_beat(self, luck_of: LuckOf) -> ToldHand | None:
        """Return the hand that lost though it was to be expected to win. `luck_of`: tells the luck of a hand."""
        worst: ToldHand | None = None
        beaten = sorted(self._beaten, key=lambda one: -sum([pot.chips for pot in one.hand.pots]))[:BEATS_MAX]
        for one in sorted(beaten, key=lambda one: one.log.number):
            luck = await luck_of(one.hand)
            for seat, paid, chance in chances(one.hand, luck) if luck is not None else ():
                is_seen = all(seen.card is not None for seen in one.log.view.seats[seat].cards)
                if not paid and is_seen and chance >= FAVOURITE and (worst is None or chance > worst.chance):
                    worst = ToldHand(one.log, seat, chance)
        return worst

    # chips

    def _follow_chips(self, saved: SavedHand) -> None:
        players: tuple[tuple[int, str], ...] = ()
        started: e.HandStarted | None = None
        for event in saved.events:
            match event:
                case DealtIn():
                    players = event.players
                case e.HandStarted():
                    started = event
                    self._seats = {
                        number: player for number, (player, _) in zip(event.seat_numbers, players, strict=False)
                    } | {number: who for number, who in self._seats.items() if number not in event.seat_numbers}
                case te.HandFinished() if started is not None:
                    self._hands = max(self._hands, saved.number)
                    before = dict(zip(started.seat_numbers, started.stacks, strict=True))
                    for number, chips in event.stacks:
                        if number in before and number in self._seats:
                            self._move(self._seats[number], chips - before[number])
                case te.SeatTaken():
                    self._sit_down(event)
                case te.SeatLeft() if event.player in self._curves:
                    self._curves[event.player].taken += event.chips
                case te.ToppedUp() if event.seat_number in self._seats:
                    self._buy_again(self._seats[event.seat_number])
                case te.SeatsExchanged():
                    first, second = event.seat_number, event.other_seat_number
                    swapped = {first: self._seats.get(second, 0), second: self._seats.get(first, 0)}
                    self._seats |= {number: who for number, who in swapped.items() if who}
                case te.SeatsDrawn():
                    self._seats = {number: player for player, number in event.seats}
                case te.StacksAdjusted():
                    for change in event.stack_changes:
                        self._move(change.player, change.chips)
                case te.BookBegan():  # the hands before count nowhere (TC-8)
                    self._curves.clear()
                case _:
                    pass

    def _move(self, player: int, chips: int) -> None:
        curve = self._curves.get(player)
        if curve is None:
            curve = self._curves[player] = _Curve(max(0, self._hands - 1))
        curve.net += chips
        if curve.points[-1][0] == self._hands:
            curve.points.pop()
        curve.points.append((self._hands, curve.net))

    def _sit_down(self, event: te.SeatTaken) -> None:
        self._seats[event.seat_number] = event.player
        curve = self._curves.get(event.player)
        if curve is None:
            return
        brought = min(curve.taken, event.chips)
        curve.taken -= brought
        if event.chips > brought:
            self._buy_again(event.player)

    def _buy_again(self, player: int) -> None:
        curve = self._curves.get(player)
        if curve is not None and (not curve.rebuys or curve.rebuys[-1][0] != self._hands):
            curve.rebuys.append((self._hands, curve.net))

    # hands

    def _look_at(self, saved: SavedHand) -> None:
        events = saved.events
        if not any(isinstance(event, e.ShowdownOpened) for event in events):
            return
        if not any(isinstance(event, te.HandFinished) for event in events) or any(
            isinstance(event, e.HandVoided) for event in events
        ):
            return
        played = decoded_hand(self._context, saved, 0)
        if any(player < 0 for player, _ in played.players):  # a practice player, before the book began (TC-8)
            return
        hand = evolve_all(begin_hand(played.started, played.deck), played.events[1:])
        seen = view(hand, None)
        told = _log_of(self._address, saved, played, seen)
        pot = 1000 * sum([payment.chips for payment in seen.payments])
        pot //= max(1, unit_of_stakes(played.started.stakes, played.started.options))
        winner = _seen_winner(seen)
        if winner is not None and pot > self._biggest[0]:
            self._biggest = pot, ToldHand(told, winner.seat_index)
        self._compare(hand, told)
        if may_have_luck(played.events):
            beaten = all_in_hand(played.events, played.deck, seed_of(saved.table, saved.number))
            if beaten is not None and not all(beaten.paid):
                self._beaten.append(_Beaten(beaten, told))

    def _compare(self, hand: Hand, told: HandLog) -> None:
        """Compare the hands that everybody saw, as they counted for the first share of the pots."""
        shown = [seat.seat_index for seat in told.view.seats if _is_seen(seat)]
        by_board = values_by_share(hand, shown)[0]
        ranking = hand.rules.rule_card.key
        for seat in shown:
            value = max(values[seat] for values in by_board)
            if not value:
                continue
            self._shown_by_ranking[ranking] += 1
            one = ToldHand(told, seat)
            if value > self._best_by_ranking.get(ranking, (0, one))[0]:
                self._best_by_ranking[ranking] = value, one
            rarity = _rarity(hand.rules, value)
            if rarity > self._rarest[0]:
                self._rarest = rarity, one


def _rarity(rules: RulesInForce, value: int) -> int:
    """Return how rare a hand is on the scale of all five-card high hands without wild cards; 0 for one that is not on it."""
    rarity = None if rules.plays_wild_cards else rarity_of(rules.evaluators[0].ranking)
    return rarity(value) if rarity is not None else 0


def _is_seen(seat: SeatView) -> bool:
    """Return whether everybody saw the cards of a seat, and what they make."""
    return (
        seat.state is not HandSeatState.FOLDED and bool(seat.cards) and all(one.card is not None for one in seat.cards)
    )


def _seen_winner(seen: HandView) -> SeatView | None:
    """Return who won most with a hand that everybody saw."""
    paid = Counter({payment.seat_index: 0 for payment in seen.payments})
    for payment in seen.payments:
        paid[payment.seat_index] += payment.chips
    shown = [seen.seats[seat] for seat, chips in paid.most_common() if chips and _is_seen(seen.seats[seat])]
    return shown[0] if shown else None


def _log_of(address: TableAddress, saved: SavedHand, hand: DecodedHand, seen: HandView) -> HandLog:
    return HandLog(
        address=address,
        number=saved.number,
        started_at=saved.started_at,
        players_by_seat=hand.players_by_seat,
        events=(),
        street_views=(),
        view=seen,
        mixture=hand.began.mixture_name,
    )


async def read_evening(
    context: RuntimeContext, store: Store, address: TableAddress, game: EndedGame, luck_of: LuckOf
) -> Evening:
    """Read an evening back from the hands of a table, some at a time, in a thread.

    Raises:
        StoreError: they cannot be read now.
    """
    reader = EveningReader(context, address)
    for first in range(1, game.hands + 1, HANDS_AT_ONCE):
        last = min(first + HANDS_AT_ONCE - 1, game.hands)
        hands = await store.hands(address.guild, address.id, first, last)
        await in_thread(_read_all, reader, reversed(hands))
    return Evening(
        curves=reader.curves(game),
        hand_of_night=reader.hand_of_night,
        worst_beat=await reader.worst_beat(luck_of),
        best_hand=reader.best_hand,
    )


def _read_all(reader: EveningReader, hands: Iterable[SavedHand]) -> None:
    for saved in hands:
        reader.read(saved)
