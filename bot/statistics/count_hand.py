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

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from types import GenericAlias
from typing import Any, TypeAlias

from msgspec import Raw, Struct
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.legal import OpeningDuty
from bot.statistics.count_play import Act, PlayCounter
from bot.statistics.events import part_of
from bot.statistics.terms import Terms, TermsReader
from bot.statistics.types import HOME_GAMES, TOLD_LATER, CountedChips, CountedHand, CountedSeat, Counts
from bot.table import events as table_events


class _DealtIn(Struct, frozen=True, gc=False, tag="DealtIn"):
    """The players of the hand that begins: user id and name, by seat index. It is an event of the runtime's journal."""

    players: tuple[tuple[int, str], ...]


_HandStarted = part_of(e.HandStarted, "seat_numbers", "stacks", "posts", rule_card=Raw, options=Raw, stakes=Raw)
_HandFinished = part_of(table_events.HandFinished, "number", "stacks", "at")
_HandUndone = part_of(table_events.HandUndone, "number")
_Payment = part_of(e.Payment, "share", "seat", "chips", "value")


class CountedSettings(Struct, frozen=True, gc=False):
    """Of a table's settings what says where its hands count."""

    practice: bool = False
    chips: str = ""  # a `bot.table.settings.ChipKind`; tables of earlier versions say nothing
    figures: bool = True

    @property
    def counted_chips(self) -> CountedChips:
        if self.practice:
            return CountedChips.PRACTICE
        if self.chips != "table":
            return CountedChips.SERVER
        return CountedChips.TABLE if self.figures else CountedChips.NOTHING


_TableOpened = part_of(table_events.TableOpened, settings=CountedSettings)
_SettingsChanged = part_of(table_events.SettingsChanged, settings=CountedSettings)


class UndoneHand(Struct, frozen=True, gc=False):
    """A hand that does not count."""

    table: int
    number: int


class TableFacts(Struct, frozen=True, gc=False):
    """What is known of a table beside its journal. `chips`: what its hands count as where reading begins."""

    guild: int
    table: int
    chips: CountedChips


ALL_SHOWN_FROM, SHARED_BY, FULL_FROM, MANY_HANDS = 4, 3, 6, 100
"""Players of a hand that all show; winners of a pot that many share; seats of a full table; the hand of a table that is celebrated."""
COUNTED = tuple(name for name in Counts.__struct_fields__ if name not in TOLD_LATER)
"""The numbers that a hand says itself."""


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
            apply = _READ[kind]
            if apply is not None:
                if hand is not None:
                    apply(hand, event)
            elif kind is _DealtIn:
                self._users = tuple([user for user, _ in event.players])
            elif kind is _HandStarted:
                terms = self._terms.terms(event.rule_card, event.options, event.stakes)
                hand = _Hand(event, terms, self._users)
            elif kind is _HandFinished:
                if hand is not None and not self._is_before_the_book(hand):
                    ended.append((at + 1, hand.finish(self._table, event)))
                hand = None
            elif kind is _HandUndone:
                ended.append((at + 1, UndoneHand(self._table.table, event.number)))
                hand = None
            else:  # the table opens, or its settings change: from then on its hands count so
                self._table = replace(self._table, chips=event.settings.counted_chips)
        self._hand = hand
        return ended

    def _is_before_the_book(self, hand: "_Hand") -> bool:
        """Tell whether a hand counts nowhere: a practice player sat where the book of a home game had not begun (TC-8)."""
        return self._table.chips in HOME_GAMES and any(user < 0 for user in hand.users)

    @property
    def running(self) -> bool:
        return self._hand is not None

    @property
    def chips(self) -> CountedChips:
        """What the hands of the table count as from here on, as long as its settings stay."""
        return self._table.chips


@dataclass(slots=True)
class _Hand:
    """What has happened in a hand so far. Sets of seats are bit masks.

    What is called as a field of `Counts` is that number: a mask of the seats for which it is 1, or a list by seat index. What a hand says
    only at its end is worked out by `finish`. The other numbers are those of `play`.
    """

    started: Any
    terms: Terms
    users: tuple[int, ...]
    live: int = field(init=False)
    first_round_open: bool = False
    first_round_over: bool = False
    showdown: bool = False
    showdown_all_in: bool = False
    all_in_early: bool = False
    voided: bool = False
    duty: int = -1
    second_round: bool = False
    payments: tuple[e.Payment, ...] = ()
    left_over: int = 0
    play: PlayCounter = field(default_factory=PlayCounter)

    hands: int = field(init=False)
    net: list[int] = field(init=False)
    voluntary: int = 0
    voluntary_chances: int = 0
    raised_first: int = 0
    bets: list[int] = field(init=False)
    raises: list[int] = field(init=False)
    calls: list[int] = field(init=False)
    past_first_round: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    pots_won: int = 0
    all_shown: int = 0
    shared_by_three: int = 0
    full_tables: int = 0
    hundredth_hands: int = 0

    def __post_init__(self) -> None:
        count = len(self.users)
        self.live = self.hands = (1 << count) - 1
        self.bets, self.raises, self.calls = [0] * count, [0] * count, [0] * count
        self.play.begin(self.started.posts, count)

    def finish(self, table: TableFacts, finished: Any) -> CountedHand:
        """Return the hand as it is counted."""
        terms, stacks = self.terms, dict(finished.stacks)
        count = len(self.users)
        numbers, before = self.started.seat_numbers, self.started.stacks
        self.net = [stacks[number] - chips for number, chips in zip(numbers, before, strict=True)]
        self.play.finish(self.net)
        won, values, shares = [0] * count, [0] * count, [0] * count
        for paid in self.payments:
            won[paid.seat] += paid.chips
            if paid.chips and self.showdown:
                share = terms.shares.index(paid.share) if paid.share in terms.shares else 0
                winner = paid.seat
                if not values[winner] or (-share, paid.value) > (-shares[winner], values[winner]):
                    values[winner], shares[winner] = paid.value, share
        self.showdowns = self.live if self.showdown and self.live & (self.live - 1) else 0
        self.pots_won = sum([1 << seat for seat, chips in enumerate(won) if chips > 0])
        self.showdowns_won = self.showdowns & self.pots_won
        if not self.first_round_over:
            self.past_first_round |= self.showdowns
        everybody = self.hands
        self.all_shown = everybody if self.showdowns == everybody and count >= ALL_SHOWN_FROM else 0
        self.shared_by_three = self.showdowns_won if self.showdowns_won.bit_count() >= SHARED_BY else 0
        self.full_tables = everybody if count == terms.seats >= FULL_FROM else 0
        self.hundredth_hands = everybody if finished.number == MANY_HANDS else 0
        players = []
        for seat, (user, net, counts) in enumerate(zip(self.users, self.net, self._counts(), strict=True)):
            if self.voided:
                players.append(CountedSeat(user, Counts(net=net)))
                continue
            value, share = (values[seat], shares[seat]) if self.showdowns else (0, 0)
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
            chips=table.chips,
            pot=sum(won) + self.left_over,
            players=tuple(players),
            counts=not self.voided,
            all_in_early=self.all_in_early and bool(self.showdowns) and not self.voided,
        )

    def _counts(self) -> Iterable[Counts]:
        """Return the numbers of each seat."""
        count = len(self.users)
        return map(Counts, *[one if type(one) is list else _by_seat(one, count) for one in _columns(self)])


_OF_PLAY = frozenset(PlayCounter.__slots__)
_columns = attrgetter(*[f"play.{name}" if name in _OF_PLAY else name for name in COUNTED])


@lru_cache(4_096)
def _by_seat(mask: int, count: int) -> tuple[int, ...]:
    """Return 1 for each seat of a set of seats and 0 for the others, by seat index."""
    return tuple([mask >> seat & 1 for seat in range(count)])


_Apply: TypeAlias = Callable[[_Hand, Any], None]
_APPLY: dict[type[Struct], _Apply] = {}


def _reads(event: type[Struct], *fields: str, **types: Any) -> Callable[[_Apply], _Apply]:
    """Let a function apply an event to the hand. Of its fields only those named are decoded."""

    def decorate(apply: _Apply) -> _Apply:
        _APPLY[part_of(event, *fields, **types)] = apply
        return apply

    return decorate


@_reads(e.BettingRoundOpened, "first_to_act", "opening_duty")
def _round_opened(hand: _Hand, event: e.BettingRoundOpened) -> None:
    if not hand.first_round_over:
        hand.first_round_open = True
        hand.duty = event.first_to_act if event.opening_duty is OpeningDuty.OPEN else -1
    elif not hand.second_round:
        hand.second_round = True
        hand.play.second_round_opens()


@_reads(e.BettingRoundClosed)
def _round_closed(hand: _Hand, _event: e.BettingRoundClosed) -> None:
    if not hand.first_round_over:
        hand.first_round_over, hand.first_round_open = True, False
        if hand.live & (hand.live - 1):
            hand.past_first_round = hand.live
    else:
        hand.play.second_round_closes()


def _acts(hand: _Hand, seat: int, act: Act) -> None:
    if hand.first_round_over:
        hand.play.acts_later(seat, act)
    elif hand.first_round_open:
        hand.play.acts_first_round(seat, act)


@_reads(e.Folded, "seat")
def _folded(hand: _Hand, event: e.Folded) -> None:
    bit = 1 << event.seat
    hand.live &= ~bit
    if hand.first_round_open:
        hand.voluntary_chances |= bit
    _acts(hand, event.seat, Act.FOLD)


@_reads(e.Checked, "seat")
def _checked(hand: _Hand, event: e.Checked) -> None:
    if hand.first_round_open:
        hand.voluntary_chances |= 1 << event.seat
    _acts(hand, event.seat, Act.CHECK)


@_reads(e.Called, "seat")
def _called(hand: _Hand, event: e.Called) -> None:
    if hand.first_round_over:
        hand.calls[event.seat] += 1
    else:
        bit = 1 << event.seat
        hand.voluntary_chances |= bit
        hand.voluntary |= bit
    _acts(hand, event.seat, Act.CALL)


@_reads(e.BetTo, "seat", "to")
def _bet(hand: _Hand, event: e.BetTo) -> None:
    seat = event.seat
    _acts(hand, seat, Act.RAISE)
    if hand.first_round_over:
        hand.bets[seat] += 1
        return
    bit = 1 << seat
    is_bring_in = event.to <= hand.terms.bring_in
    hand.voluntary_chances |= bit
    if not (is_bring_in and hand.duty == seat):
        hand.voluntary |= bit
    if not is_bring_in:
        hand.raised_first |= bit
    hand.duty = -1


@_reads(e.RaisedTo, "seat")
def _raised(hand: _Hand, event: e.RaisedTo) -> None:
    _acts(hand, event.seat, Act.RAISE)
    if hand.first_round_over:
        hand.raises[event.seat] += 1
        return
    bit = 1 << event.seat
    hand.voluntary_chances |= bit
    hand.voluntary |= bit
    hand.raised_first |= bit


@_reads(e.ShowdownOpened, "all_in")
def _showdown_opened(hand: _Hand, event: e.ShowdownOpened) -> None:
    hand.showdown, hand.showdown_all_in = True, event.all_in


@_reads(e.DealtBoard)
def _board_dealt(hand: _Hand, event: Any) -> None:
    if hand.first_round_over:
        hand.play.board_dealt()
    _dealt(hand, event)


@_reads(e.DealtDown)
@_reads(e.DealtUp)
@_reads(e.DealtUpOrDown)
@_reads(e.DealtUpToSeat)
def _dealt(hand: _Hand, _event: Any) -> None:
    if hand.showdown_all_in:
        hand.all_in_early = True


@_reads(e.PotsPaid, payments=GenericAlias(tuple, (_Payment, ...)))
def _pots_paid(hand: _Hand, event: e.PotsPaid) -> None:
    hand.payments = event.payments


@_reads(e.HandPassedOut, "chips")
def _passed_out(hand: _Hand, event: e.HandPassedOut) -> None:
    hand.left_over = event.chips


@_reads(e.HandVoided)
def _voided(hand: _Hand, _event: e.HandVoided) -> None:
    hand.voided = True


READ_EVENTS: tuple[type[Struct], ...] = (
    _DealtIn,
    _HandStarted,
    *_APPLY,
    _HandFinished,
    _HandUndone,
    _TableOpened,
    _SettingsChanged,
)
"""Everything that counting looks at, for `bot.statistics.events.decoder_of_events`."""
_READ = {struct: _APPLY.get(struct) for struct in READ_EVENTS}
