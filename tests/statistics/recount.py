"""Count hands anew, in two other ways than the program: from the states of the engine's hand, and from the lines of a PHH file."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bot.engine import events as e
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.legal import Decision, OpeningDuty
from bot.engine.units import SeatNumber
from bot.runtime.journal import DealtIn, JournalEvent
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.transfers import chips_put_in
from bot.statistics.count_hand import HandCounter, TableFacts, UndoneHand
from bot.statistics.terms import TermsReader
from bot.statistics.types import CountedHand, PlayedFor
from bot.store.codec import EventCodec
from bot.table.events import HandBegan, HandFinished

GUILD, TABLE, NUMBER, AT = 7, 3, 11, 1_790_000_000_000
_encode = EventCodec(JournalEvent).encode
_decode = statistics_decoder()


class Recount(Struct, frozen=True):
    """What one seat did, as these tests see it: numbers of `Counts`, and the value of their best hand if that is compared."""

    net: int
    voluntary: bool
    voluntary_chances: bool
    raised_first: bool
    bets: int
    raises: int
    calls: int
    past_first_round: bool
    showdowns: bool
    showdowns_won: bool
    pots_won: bool
    value: int | None = None


RECOUNTED = tuple(name for name in Recount.__struct_fields__ if name != "value")


def journal_of(events: Sequence[e.HandEvent], hand: Hand, *, number: int = NUMBER, at: int = AT) -> list[JournalEvent]:
    """Return what a table's journal holds of a hand: its users are 101 and up by seat index."""
    numbers = hand.started.seat_numbers
    players = tuple((101 + seat, f"P{seat}") for seat in range(len(numbers)))
    began = HandBegan(number, at - 60_000, numbers, numbers[-1])
    finished = HandFinished(
        number,
        tuple(zip(numbers, hand.stacks, strict=True)),
        at,
        hand.carried_to_next_hand,
        put_in=tuple(zip(map(SeatNumber, numbers), chips_put_in(hand), strict=True)),
    )
    return [began, DealtIn(players), *events, finished]


def counted(journal: Sequence[JournalEvent], rows: int = 7) -> CountedHand:
    """Return a hand as the program counts it, from rows of a journal."""
    counter = HandCounter(TableFacts(GUILD, TABLE, PlayedFor.SERVER_CHIPS), TermsReader())
    ended: list[CountedHand | UndoneHand] = []
    for first in range(0, len(journal), rows):
        ended += [hand for _, hand in counter.read(_decode(_encode(journal[first : first + rows])))]
    (hand,) = ended
    assert isinstance(hand, CountedHand)
    assert not counter.running
    return hand


def as_recounts(hand: CountedHand) -> list[Recount]:
    """Return a counted hand in the form of these tests."""
    assert all(player.counts.hands == 1 and not player.counts.lucky_hands for player in hand.players)
    return [Recount(*[getattr(player.counts, name) for name in RECOUNTED]) for player in hand.players]


# from the states of the hand


class _Watcher:
    """Follows the states of a hand, and notes what each seat has done from how chips and bets change."""

    def __init__(self, started: e.HandStarted, deck: tuple[int, ...]) -> None:
        self.hand = begin_hand(started, deck)
        seats = self.hand.seat_count
        self.voluntary, self.chance, self.raised, self.past = set[int](), set[int](), set[int](), set[int]()
        self.bets, self.raises, self.calls = [0] * seats, [0] * seats, [0] * seats
        self.round_begun = False
        self.won = [0] * seats
        self.forced = -1

    def see(self, event: e.HandEvent) -> None:
        before = self.hand
        self.hand = after = evolve(before, event)
        self.round_begun = self.round_begun or isinstance(event, e.BettingRoundOpened)
        if before.opening_duty is OpeningDuty.FREE and after.opening_duty is OpeningDuty.OPEN:
            self.forced = after.to_act
        if before.in_first_betting_round and not after.in_first_betting_round and after.live_seats.bit_count() > 1:
            self.past.update(seat for seat in after.seats if after.live_seats >> seat & 1)
        if isinstance(event, e.PotsPaid):
            self.won = [new - old for new, old in zip(after.stacks, before.stacks, strict=True)]
        seat = getattr(event, "seat", -1)
        if isinstance(event, e.BettingAction) and (before.decision is Decision.BET or before.draw_open):
            self._act(seat, before, after)

    def _act(self, seat: int, before: Hand, after: Hand) -> None:
        paid = after.put_in[seat] > before.put_in[seat]
        forced = before.rules.amounts.bring_in if before.opening_duty is not OpeningDuty.FREE else 0
        is_forced = bool(forced) and after.bets[seat] <= forced
        level = after.current_bet > before.current_bet
        if not before.in_first_betting_round:
            if level:
                (self.raises if before.current_bet else self.bets)[seat] += 1
            elif paid:
                self.calls[seat] += 1
            return
        if not self.round_begun:
            return
        self.chance.add(seat)
        if paid and not (is_forced and seat == self.forced):
            self.voluntary.add(seat)
        if level and not is_forced:
            self.raised.add(seat)


def recount_states(events: Sequence[e.HandEvent], deck: tuple[int, ...]) -> list[Recount]:
    """Count a hand from the states that its events lead through."""
    started = events[0]
    assert isinstance(started, e.HandStarted)
    watcher = _Watcher(started, deck)
    for event in events[1:]:
        watcher.see(event)
    hand = watcher.hand
    shown = hand.live_seats if hand.showdown and hand.live_seats.bit_count() > 1 else 0
    if hand.in_first_betting_round:
        watcher.past.update(seat for seat in hand.seats if shown >> seat & 1)
    return [
        Recount(
            hand.stacks[seat] - started.stacks[seat],
            seat in watcher.voluntary,
            seat in watcher.chance,
            seat in watcher.raised,
            watcher.bets[seat],
            watcher.raises[seat],
            watcher.calls[seat],
            seat in watcher.past,
            bool(shown >> seat & 1),
            bool(shown >> seat & 1) and watcher.won[seat] > 0,
            watcher.won[seat] > 0,
        )
        for seat in hand.seats
    ]


# from the lines of a file


class PhhFile(msgspec.Struct):
    """A PHH file as far as it is counted here."""

    variant: str
    antes: list[int]
    starting_stacks: list[int]
    actions: list[str]
    finishing_stacks: list[int]
    blinds_or_straddles: list[int] = []
    bring_in: int = 0


def recount_file(file: PhhFile) -> list[Recount]:
    """Count a hand from the lines of its file. It must have no posts but antes and blinds."""
    count = len(file.starting_stacks)
    seats = range(count)
    posts = [abs(chips) for chips in file.blinds_or_straddles] or [0] * count
    antes = file.antes
    if count == 2:  # lists of posts are in the order of the blinds, and the button posts the small one
        posts, antes = posts[::-1], antes[::-1]
    stacks = list(file.starting_stacks)
    paid, street = [0] * count, [0] * count
    for seat in seats:
        ante = min(antes[seat], stacks[seat])
        blind = min(posts[seat], stacks[seat] - ante)
        stacks[seat] -= ante + blind
        paid[seat], street[seat] = ante + blind, blind
    level = max(posts)
    live, first, begun = set(seats), True, False
    voluntary, chance, raised, past = set[int](), set[int](), set[int](), set[int]()
    bets, raises, calls = [0] * count, [0] * count, [0] * count
    shown = False

    def pay(seat: int, to: int) -> None:
        chips = min(to - street[seat], stacks[seat])
        stacks[seat] -= chips
        paid[seat] += chips
        street[seat] += chips

    for line in file.actions:
        who, verb, *rest = line.split()
        if who == "d":
            if begun or verb == "db":  # cards after bets begin a street
                first, begun, level, street = _next_street(first, live, past), False, 0, [0] * count
            continue
        seat = int(who[1:]) - 1
        match verb:
            case "f":
                live.discard(seat)
                if first:
                    chance.add(seat)
            case "pb":
                chance.add(seat)
                level = file.bring_in
                pay(seat, level)
            case "cc":
                called = level > street[seat] and stacks[seat] > 0
                if first:
                    chance.add(seat)
                    voluntary.update({seat} if called else ())
                elif called:
                    calls[seat] += 1
                pay(seat, level)
            case "cbr":
                if first:
                    chance.add(seat)
                    voluntary.add(seat)
                    raised.add(seat)
                else:
                    (raises if level else bets)[seat] += 1
                pay(seat, int(rest[0]))
                level = max(level, int(rest[0]))
            case "sd":
                if begun:
                    first, begun, level, street = _next_street(first, live, past), False, 0, [0] * count
                continue
            case "sm":
                if first and begun:  # everybody is all-in
                    first = _next_street(first, live, past)
                begun, shown = False, True
                continue
        begun = True
    if first:
        _next_street(first, live, past)
    most, second = sorted(paid)[-1], sorted(paid)[-2]
    for seat in seats:
        if paid[seat] == most > second:
            paid[seat] = second  # nobody called the rest
    won = [
        end - (start - chips)
        for end, start, chips in zip(file.finishing_stacks, file.starting_stacks, paid, strict=True)
    ]
    showdown = live if len(live) > 1 else set[int]()
    assert not shown or showdown
    return [
        Recount(
            file.finishing_stacks[seat] - file.starting_stacks[seat],
            seat in voluntary,
            seat in chance,
            seat in raised,
            bets[seat],
            raises[seat],
            calls[seat],
            seat in past,
            seat in showdown,
            seat in showdown and won[seat] > 0,
            won[seat] > 0,
        )
        for seat in seats
    ]


def _next_street(first: bool, live: set[int], past: set[int]) -> bool:
    """End a street; after the first one whoever is still in has come past it."""
    if first and len(live) > 1:
        past.update(live)
    return False
