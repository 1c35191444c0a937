"""Count finished hands: from the events of a table's journal to what each player did.

What the numbers mean is said in `bot.statistics.types.Counts`. Beyond that:

- The first betting round lasts until its bets have been gathered in; where they are evened at the draw (B-17), the draw belongs to it.
- A bring-in is forced: the seat whose card opens has a turn, but has put chips in voluntarily only with more than that. Blinds,
  straddles, antes, the stake of old English draw, posts and prices of cards are no bets of a betting round either.
- Chips put in out of turn count once the action that they stand for is made; an early action counts at its turn.
- Chips won are those that the pots paid. What came back uncalled was never won, and what a hand carried into its pot is won by whoever
  wins that pot; who leaves chips behind for the next hand (VC-20, VC-27, N-1) has lost them.
- A hand that was voided does not count. Where antes stay in the pot for the next one (I-3) their chips have moved: they are in `net`, in a
  hand of nobody's (`CountedHand.counts` is False).
- Who declares themselves out or folds to the price of a card has folded. A hand at a showdown is one that was still in when the pots were
  shared, shown or mucked.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from bot.statistics import events as e
from bot.statistics.terms import Terms, TermsReader
from bot.statistics.types import CountedHand, CountedSeat, Counts

_DEALT = frozenset(
    {
        e.JournalDealtBoard,
        e.JournalDealtDown,
        e.JournalDealtUp,
        e.JournalDealtUpOrDown,
        e.JournalDealtUpToSeat,
    }
)
_FORCED = "open"
"""The value of `bot.engine.legal.OpeningDuty.OPEN`: the seat must bet, as its card says."""


class UndoneHand(Struct, frozen=True, gc=False):
    """A hand that does not count."""

    table: int
    number: int


class TableFacts(Struct, frozen=True, gc=False):
    """What is known of a table beside its journal."""

    guild: int
    table: int
    practice: bool


class HandCounter:
    """Reads the journal of one table, event by event, and says what each hand comes to when it ends.

    Attributes:
        running: a hand has begun and has not ended.
    """

    __slots__ = ("_hand", "_table", "_terms", "_users")

    def __init__(self, table: TableFacts, terms: TermsReader) -> None:
        self._table, self._terms = table, terms
        self._users: tuple[int, ...] = ()
        self._hand: _Hand | None = None

    def read(self, events: Iterable[Any]) -> list[tuple[int, CountedHand | UndoneHand]]:
        """Return the hands that end in these events, each with the number of events up to and with its end."""
        ended: list[tuple[int, CountedHand | UndoneHand]] = []
        hand = self._hand
        for at, event in enumerate(events):
            kind = type(event)
            if kind not in _READ:  # two events of three say nothing that is counted
                continue
            apply = _APPLY.get(kind)
            if apply is not None:
                if hand is not None:
                    apply(hand, event)
            elif kind is e.JournalDealtIn:
                self._users = tuple([user for user, _ in event.players])
            elif kind is e.JournalHandStarted:
                hand = _Hand(event, self._terms.terms(event), self._users)
            elif kind is e.JournalHandFinished:
                if hand is not None:
                    ended.append((at + 1, hand.finish(self._table, event)))
                hand = None
            elif kind is e.JournalHandUndone:
                ended.append((at + 1, UndoneHand(self._table.table, event.number)))
                hand = None
        self._hand = hand
        return ended

    @property
    def running(self) -> bool:
        return self._hand is not None


class _Hand:
    """What has happened in a hand so far. Sets of seats are bit masks."""

    __slots__ = (
        "all_in_early",
        "bets",
        "calls",
        "duty",
        "first_round_open",
        "first_round_over",
        "had_turn",
        "left_over",
        "live",
        "past_first_round",
        "payments",
        "raised_first",
        "raises",
        "showdown",
        "showdown_all_in",
        "started",
        "terms",
        "users",
        "voided",
        "voluntary",
    )

    def __init__(self, started: e.JournalHandStarted, terms: Terms, users: tuple[int, ...]) -> None:
        count = len(started.stacks)
        self.started, self.terms, self.users = started, terms, users
        self.live = (1 << count) - 1
        self.first_round_open = self.first_round_over = self.showdown = self.showdown_all_in = False
        self.all_in_early = self.voided = False
        self.had_turn = self.voluntary = self.raised_first = self.past_first_round = 0
        self.bets, self.raises, self.calls = [0] * count, [0] * count, [0] * count
        self.duty = -1
        self.payments: tuple[e.JournalPayment, ...] = ()
        self.left_over = 0

    def finish(self, table: TableFacts, finished: e.JournalHandFinished) -> CountedHand:
        """Return the hand as it is counted."""
        terms, stacks = self.terms, dict(finished.stacks)
        count = len(self.users)
        won, values, shares = [0] * count, [0] * count, [0] * count
        for paid in self.payments:
            won[paid.seat] += paid.chips
            if paid.value and paid.chips and self.showdown:
                share = terms.shares.index(paid.share) if paid.share in terms.shares else 0
                seat = paid.seat
                if not values[seat] or (-share, paid.value) > (-shares[seat], values[seat]):
                    values[seat], shares[seat] = paid.value, share
        at_showdown = self.live if self.showdown and self.live & (self.live - 1) else 0
        past = (self.past_first_round | at_showdown) if not self.first_round_over else self.past_first_round
        players = []
        for seat, (user, number, before) in enumerate(
            zip(self.users, self.started.seat_numbers, self.started.stacks, strict=True)
        ):
            bit = 1 << seat
            net = stacks[number] - before
            if self.voided:
                players.append(CountedSeat(user, Counts(net=net)))
                continue
            showdown = bool(at_showdown & bit)
            counts = Counts(
                1,
                net,
                int(bool(self.voluntary & bit)),
                int(bool(self.had_turn & bit)),
                int(bool(self.raised_first & bit)),
                self.bets[seat],
                self.raises[seat],
                self.calls[seat],
                int(bool(past & bit)),
                int(showdown),
                int(showdown and won[seat] > 0),
                int(won[seat] > 0),
            )
            value, share = (values[seat], shares[seat]) if at_showdown else (0, 0)
            rarity = terms.rarities[share] if value else None
            players.append(CountedSeat(user, counts, won[seat], value, share, rarity(value) if rarity else 0))
        return CountedHand(
            guild=table.guild,
            table=table.table,
            number=finished.number,
            at=finished.at,
            game=terms.game,
            game_name=terms.game_name,
            limit=terms.limit,
            stakes=terms.stakes,
            practice=table.practice,
            pot=sum(won) + self.left_over,
            players=tuple(players),
            counts=not self.voided,
            all_in_early=self.all_in_early and bool(at_showdown) and not self.voided,
        )


def _round_opened(hand: _Hand, event: e.JournalRoundOpened) -> None:
    if not hand.first_round_over:
        hand.first_round_open = True
        hand.duty = event.first_to_act if event.opening_duty == _FORCED else -1


def _round_closed(hand: _Hand, _event: e.JournalRoundClosed) -> None:
    if not hand.first_round_over:
        hand.first_round_over, hand.first_round_open = True, False
        if hand.live & (hand.live - 1):
            hand.past_first_round = hand.live


def _folded(hand: _Hand, event: e.JournalFolded) -> None:
    bit = 1 << event.seat
    hand.live &= ~bit
    if hand.first_round_open:
        hand.had_turn |= bit


def _checked(hand: _Hand, event: e.JournalChecked) -> None:
    if hand.first_round_open:
        hand.had_turn |= 1 << event.seat


def _called(hand: _Hand, event: e.JournalCalled) -> None:
    if hand.first_round_over:
        hand.calls[event.seat] += 1
    else:
        bit = 1 << event.seat
        hand.had_turn |= bit
        hand.voluntary |= bit


def _bet(hand: _Hand, event: e.JournalBetTo) -> None:
    seat = event.seat
    if hand.first_round_over:
        hand.bets[seat] += 1
        return
    bit = 1 << seat
    is_bring_in = event.to <= hand.terms.bring_in
    hand.had_turn |= bit
    if not (is_bring_in and hand.duty == seat):
        hand.voluntary |= bit
    if not is_bring_in:
        hand.raised_first |= bit
    hand.duty = -1


def _raised(hand: _Hand, event: e.JournalRaisedTo) -> None:
    if hand.first_round_over:
        hand.raises[event.seat] += 1
        return
    bit = 1 << event.seat
    hand.had_turn |= bit
    hand.voluntary |= bit
    hand.raised_first |= bit


def _showdown_opened(hand: _Hand, event: e.JournalShowdownOpened) -> None:
    hand.showdown, hand.showdown_all_in = True, event.all_in


def _dealt(hand: _Hand, _event: Any) -> None:
    if hand.showdown_all_in:
        hand.all_in_early = True


def _pots_paid(hand: _Hand, event: e.JournalPotsPaid) -> None:
    hand.payments = event.payments


def _passed_out(hand: _Hand, event: e.JournalPassedOut) -> None:
    hand.left_over = event.chips


def _voided(hand: _Hand, _event: e.JournalHandVoided) -> None:
    hand.voided = True


_APPLY: dict[type[Struct], Any] = {
    e.JournalRoundOpened: _round_opened,
    e.JournalRoundClosed: _round_closed,
    e.JournalFolded: _folded,
    e.JournalChecked: _checked,
    e.JournalCalled: _called,
    e.JournalBetTo: _bet,
    e.JournalRaisedTo: _raised,
    e.JournalShowdownOpened: _showdown_opened,
    e.JournalPotsPaid: _pots_paid,
    e.JournalPassedOut: _passed_out,
    e.JournalHandVoided: _voided,
    **dict.fromkeys(_DEALT, _dealt),
}
_READ = frozenset(e.READ_EVENTS)
