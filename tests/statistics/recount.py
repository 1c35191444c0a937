"""Count hands anew, in two other ways than the program: from the states of the engine's hand, and from the lines of a PHH file."""

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

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
from bot.statistics.types import CountedChips, CountedHand
from bot.store.codec import EventCodec
from bot.table.events import HandBegan, HandFinished
from bot.variants import game

GUILD, TABLE, NUMBER, AT = 7, 3, 11, 1_790_000_000_000
USUAL_SEATS = game("holdem").options.max_seats
_encode = EventCodec(JournalEvent).encode
_decode = statistics_decoder()


Did: TypeAlias = tuple[int, str]
"""A seat, and what it did at its turn: fold, check, call or raise; a bet is a raise."""


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
    hands_on_button: bool = False
    won_on_button: int = 0
    hands_on_cutoff: bool = False
    won_on_cutoff: int = 0
    hands_early: bool = False
    won_early: int = 0
    hands_in_small_blind: bool = False
    won_in_small_blind: int = 0
    hands_in_big_blind: bool = False
    won_in_big_blind: int = 0
    three_bet_chances: bool = False
    three_bets: bool = False
    three_bets_faced: bool = False
    folds_to_three_bet: bool = False
    steal_chances: bool = False
    steals: bool = False
    continuation_chances: bool = False
    continuation_bets: bool = False
    continuation_bets_faced: bool = False
    folds_to_continuation_bet: bool = False
    all_shown: bool = False
    shared_by_three: bool = False
    full_tables: bool = False
    hundredth_hands: bool = False
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
    (hand,) = ended_in(journal, rows)
    assert isinstance(hand, CountedHand)
    return hand


def ended_in(journal: Sequence[JournalEvent], rows: int = 7) -> list[CountedHand | UndoneHand]:
    """Return the hands that end in rows of a journal, none of which goes on."""
    counter = HandCounter(TableFacts(GUILD, TABLE, CountedChips.SERVER), TermsReader())
    ended: list[CountedHand | UndoneHand] = []
    for first in range(0, len(journal), rows):
        ended += [hand for _, hand in counter.read(_decode(_encode(journal[first : first + rows])))]
    assert not counter.running
    return ended


def as_recounts(hand: CountedHand) -> list[Recount]:
    """Return a counted hand in the form of these tests."""
    assert all(player.counts.hands == 1 and not player.counts.lucky_hands for player in hand.players)
    return [Recount(*[getattr(player.counts, name) for name in RECOUNTED]) for player in hand.players]


# what a table has done together


def together(
    number: int, players: int, seats: int, shown: Collection[int], won: Sequence[int], *, seat: int
) -> dict[str, bool]:
    """Return what a seat has done together with the others: what achievements of a table ask for."""
    winners = [one for one in shown if won[one] > 0]
    return {
        "all_shown": players > 3 and len(shown) == players,
        "shared_by_three": len(winners) > 2 and seat in winners,
        "full_tables": players == seats and players > 5,
        "hundredth_hands": number == 100,
    }


# what people compare, from a list of who did what


class Blinds(Struct, frozen=True):
    """Who posts the blinds of a hand of so many players, and how many chips the big one is; seat -1 for nobody."""

    count: int
    small: int
    big: int
    chips: int

    def place_of(self, seat: int) -> str:
        """Return the end of the names of the numbers that a seat's result belongs to."""
        last = self.count - 1
        places = {self.small: "in_small_blind", self.big: "in_big_blind", last: "on_button"}
        return places.get(seat, "on_cutoff" if seat == last - 1 else "early")


def compared(
    blinds: Blinds, nets: Sequence[int], first: Sequence[Did], second: Sequence[Did], *, board: bool
) -> list[dict[str, int]]:
    """Return for each seat the numbers of a hand that people compare.

    Args:
        first, second: who did what in the first two betting rounds, in order: ``(2, "raise")``.
        board: cards came to a board between the two.
    """
    if blinds.big < 0:
        return [{} for _ in nets]
    found = []
    raises = [seat for seat, did in first if did == "raise"]
    for seat, net in enumerate(nets):
        place = blinds.place_of(seat)
        own = {f"hands_{place}": 1, f"won_{place}": math.floor(Fraction(1_000 * net, blinds.chips) + Fraction(1, 2))}
        for at, (actor, did) in enumerate(first):
            before = [other for other, what in first[:at] if what == "raise"]
            if actor != seat:
                continue
            if len(before) == 1 and before[0] != seat:
                own["three_bet_chances"] = 1
                own["three_bets"] = int(did == "raise")
            if len(before) == 2 and before[0] == seat and before[1] != seat:
                own["three_bets_faced"] = 1
                own["folds_to_three_bet"] = int(did == "fold")
            nobody_in = all(what in {"fold", "check"} for _, what in first[:at])
            if nobody_in and place in {"on_button", "on_cutoff", "in_small_blind"} and seat != blinds.big:
                own["steal_chances"] = 1
                own["steals"] = int(did == "raise")
        if board and raises:
            bets = [at for at, (_, did) in enumerate(second) if did == "raise"]
            if seat == raises[-1]:
                turns = [at for at, (actor, _) in enumerate(second) if actor == seat]
                if turns and (not bets or turns[0] <= bets[0]):
                    own["continuation_chances"] = 1
                    own["continuation_bets"] = int(turns[0] in bets)
            elif bets and second[bets[0]][0] == raises[-1] and raises[-1] not in [one for one, _ in second[: bets[0]]]:
                until = bets[1] if len(bets) > 1 else len(second)
                faced = [did for actor, did in second[bets[0] + 1 : until + 1] if actor == seat]
                own["continuation_bets_faced"] = int(bool(faced))
                own["folds_to_continuation_bet"] = int(faced[:1] == ["fold"])
        found.append(own)
    return found


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
        self.rounds: list[list[Did]] = []
        self.board_after_first = False

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
        if isinstance(event, e.BettingRoundOpened):
            self.rounds.append([])
        if after.board_indices != before.board_indices and len(self.rounds) == 1:
            self.board_after_first = True
        seat = getattr(event, "seat", -1)
        if isinstance(event, e.BettingAction) and (before.decision is Decision.BET or before.draw_open):
            self._act(seat, before, after)

    def _act(self, seat: int, before: Hand, after: Hand) -> None:
        paid = after.put_in[seat] > before.put_in[seat]
        forced = before.rules.amounts.bring_in if before.opening_duty is not OpeningDuty.FREE else 0
        is_forced = bool(forced) and after.bets[seat] <= forced
        level = after.current_bet > before.current_bet
        if self.rounds:
            folded = before.live_seats >> seat & 1 and not after.live_seats >> seat & 1
            did = "fold" if folded else "raise" if level else "call" if paid else "check"
            self.rounds[-1].append((seat, did))
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


def recount_states(events: Sequence[e.HandEvent], deck: tuple[int, ...], number: int = NUMBER) -> list[Recount]:
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
    posted = {post.kind: (post.seat, post.chips) for post in started.posts}
    (small, _), (big, chips) = (posted.get(kind, (-1, 0)) for kind in (e.PostKind.SMALL_BLIND, e.PostKind.BIG_BLIND))
    first, second = (*watcher.rounds, [], [])[:2]
    nets = [hand.stacks[seat] - started.stacks[seat] for seat in hand.seats]
    blinds = Blinds(hand.seat_count, small, big, chips)
    others = compared(blinds, nets, first, second, board=watcher.board_after_first)
    seen = [seat for seat in hand.seats if shown >> seat & 1]
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
            **others[seat],
            **together(number, hand.seat_count, started.options.max_seats, seen, watcher.won, seat=seat),
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
    options: dict[str, Any] = msgspec.field(default_factory=dict, name="_options")


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
    rounds: list[list[Did]] = [[]]
    board = False

    def pay(seat: int, to: int) -> None:
        chips = min(to - street[seat], stacks[seat])
        stacks[seat] -= chips
        paid[seat] += chips
        street[seat] += chips

    for line in file.actions:
        who, verb, *rest = line.split()
        if who == "d":
            if begun:
                rounds.append([])
            board = board or (verb == "db" and len(rounds) == 2)
            if begun or verb == "db":  # cards after bets begin a street
                first, begun, level, street = _next_street(first, live, past), False, 0, [0] * count
            continue
        seat = int(who[1:]) - 1
        match verb:
            case "f":
                live.discard(seat)
                rounds[-1].append((seat, "fold"))
                if first:
                    chance.add(seat)
            case "pb":
                chance.add(seat)
                level = file.bring_in
                pay(seat, level)
            case "cc":
                called = level > street[seat] and stacks[seat] > 0
                rounds[-1].append((seat, "call" if called else "check"))
                if first:
                    chance.add(seat)
                    voluntary.update({seat} if called else ())
                elif called:
                    calls[seat] += 1
                pay(seat, level)
            case "cbr":
                rounds[-1].append((seat, "raise"))
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
                    rounds.append([])
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
    big = posts.index(max(posts)) if max(posts) else -1
    small = next((seat for seat in seats if posts[seat] and seat != big), -1)
    nets = [end - start for end, start in zip(file.finishing_stacks, file.starting_stacks, strict=True)]
    others = compared(Blinds(count, small, big, max(posts)), nets, *(*rounds, [], [])[:2], board=board)
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
            **others[seat],
            **together(NUMBER, count, file.options.get("max_seats", USUAL_SEATS), showdown, won, seat=seat),
        )
        for seat in seats
    ]


def _next_street(first: bool, live: set[int], past: set[int]) -> bool:
    """End a street; after the first one whoever is still in has come past it."""
    if first and len(live) > 1:
        past.update(live)
    return False
