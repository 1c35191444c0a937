"""Play a recorded hand through the engine: every recorded action is ruled on like a player's own, nothing is taken on trust.

The pack is found by dealing: wherever the engine deals a card other than the recorded one, the recorded card is put into that place
of the pack and the hand begins again, so that the order of dealing stays the engine's alone. A card nobody saw is any card left over.

Source: design §2; laws TL-7, TL-10, TL-13, TL-14, TL-21.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine import phh
from bot.engine.card import RuleCard
from bot.engine.cards import text
from bot.engine.errors import LawError, TableError
from bot.engine.events import Post, PostKind
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options import Ante, Limit, Straddle, Switch
from bot.engine.packs import PACKS
from bot.engine.pots import pots
from bot.engine.ruling import rule, start
from bot.engine.silence import silent
from bot.engine.stakes import Stakes, check_stakes


class Played(Struct, frozen=True):
    """A recorded hand as the engine played it.

    Attributes:
        finishing_stacks: by player, in chips, without rake.
        pots_by_street: the pot after each interval in which somebody was to act, uncalled bets returned.
        final_pots: the main pot and the side pots at the end.
        events: everything that happened, the first event first.
        hand: the hand after them.
    """

    finishing_stacks: tuple[int, ...]
    pots_by_street: tuple[int, ...]
    final_pots: tuple[int, ...]
    events: tuple[e.Event, ...]
    hand: Hand


class NotAsRecorded(TableError):
    """The record says what the engine does not let happen.

    Attributes:
        action: the number of the action at fault, from 1; 0 for the stakes, one beyond the last when the record ends too early.
        law: id of the law that refuses it; "" where it only contradicts what the engine dealt.
        why: what is wrong with it.
    """

    def __init__(self, *, action: int, why: str, law: str = "") -> None:
        super().__init__(f"action {action}: {f'law {law}: ' if law else ''}{why}")
        self.action, self.law, self.why = action, law, why


class _AnotherPack(Exception):
    """A recorded card was put into its place: deal again."""


def play(record: phh.RecordedHand, card: RuleCard) -> Played:
    """Play a recorded hand by a rule card, down to its end.

    Raises:
        NotAsRecorded: an action, the stakes or the cards break a law, or the record ends before the hand.
    """
    started = starting_point(record, card)
    pack = _Pack(record, started)
    while True:
        try:
            return _Replay(record, started, pack).run()
        except _AnotherPack:
            continue


def starting_point(record: phh.RecordedHand, card: RuleCard) -> e.HandStarted:
    """The first event of a recorded hand: its stakes, options, seats and forced bets.

    Raises:
        NotAsRecorded: the stakes break a law.
    """
    blinds = record.by_player(record.blinds_or_straddles) if record.blinds_or_straddles else ()
    big = record.min_bet or record.small_bet or max(blinds, default=0)
    posts = (*_antes(record, first=True), *_blinds(record, blinds, big), *_antes(record, first=False))
    small = next((post.chips for post in posts if post.kind is PostKind.SMALL_BLIND), max(1, big // 2))
    with_blinds = card.options.ante is Ante.BLINDS
    stakes = Stakes(
        ante=min(record.antes, default=0) or max(record.antes, default=0),
        small_blind=small if with_blinds else 0,
        big_blind=big if with_blinds else 0,
        small_bet=record.small_bet or 0,
        big_bet=record.big_bet or 0,
        bring_in=record.bring_in or 0,
        min_bet=(record.min_bet or 0) if card.options.limit is not Limit.LIMIT else 0,
    )
    straddled = any(post.kind is PostKind.STRADDLE for post in posts)
    options = replace(
        card.options,
        house_blinds=Switch.ON if with_blinds else card.options.house_blinds,
        straddle=Straddle.LIVE if straddled else card.options.straddle,
    )
    try:
        check_stakes(stakes, options)
    except LawError as refusal:
        raise NotAsRecorded(action=0, law=refusal.law, why=refusal.why) from refusal
    return e.HandStarted(
        card, options, stakes, tuple(range(1, record.players + 1)), record.starting_stacks, posts, record.players,
        ask_show=any(isinstance(action, phh.ShowMuck) for action in record.best_actions),
    )  # fmt: skip


def _antes(record: phh.RecordedHand, *, first: bool) -> Iterator[Post]:
    """What every player antes comes before the blinds; what single players put in on top is dead and comes after them (TL-14)."""
    antes = record.by_player(record.antes)
    shared = min(antes)
    kind = PostKind.ANTE if record.ante_trimming_status else PostKind.DEAD
    for seat, ante in enumerate(antes):
        chips = shared if first else ante - shared
        if chips:
            yield Post(seat, kind if first else PostKind.DEAD, chips)


def _blinds(record: phh.RecordedHand, blinds: Sequence[int], big: int) -> list[Post]:
    """Blinds and straddles from the smallest up; the big blind is the last that is no more than `big`. Live posts follow."""
    order = range(record.players)[::-1] if record.players == 2 else range(record.players)
    forced = sorted([seat for seat in order if blinds and blinds[seat] > 0], key=lambda seat: blinds[seat])
    at_big = max((at for at, seat in enumerate(forced) if blinds[seat] <= big), default=0)
    if len(forced) == 1 and blinds[forced[0]] < big:
        at_big = 1
    kinds = [PostKind.SMALL_BLIND] * at_big + [PostKind.BIG_BLIND]
    kinds += [PostKind.STRADDLE] * (len(forced) - len(kinds))
    posts = [Post(seat, kind, blinds[seat]) for seat, kind in zip(forced, kinds, strict=False)]
    return posts + [Post(seat, PostKind.LIVE, -chips) for seat, chips in enumerate(blinds) if chips < 0]


class _Pack:
    """The pack as far as the record tells it: places fixed by a recorded card, all others filled with what is left.

    Attributes:
        deck: every card, by place.
    """

    def __init__(self, record: phh.RecordedHand, started: e.HandStarted) -> None:
        recorded = {card for _, cards in _dealt(record) for card in cards}
        self.deck = tuple(sorted(PACKS[started.options.deck], key=recorded.__contains__))  # recorded cards last
        self.fixed: set[int] = set()

    def put(self, place: int, card: int) -> bool:
        """Have this card lie at this place; whether the pack had to be changed.

        Raises:
            NotAsRecorded: the record deals one card twice, or a card that is not in the pack.
        """
        if self.deck[place] == card:
            self.fixed.add(place)
            return False
        if card not in self.deck:
            raise NotAsRecorded(action=0, law="K-6", why=f"{text(card)} is not in the pack")
        other = self.deck.index(card)
        if place in self.fixed or other in self.fixed:
            raise NotAsRecorded(action=0, law="TL-38", why=f"{text(card)} is dealt twice")
        deck = list(self.deck)
        deck[place], deck[other] = deck[other], deck[place]
        self.deck = tuple(deck)
        self.fixed.add(place)
        return True


def _dealt(record: phh.RecordedHand) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """Every recorded deal: seat (-1 for the board) and cards."""
    for action in record.best_actions:
        if isinstance(action, phh.DealHole):
            yield action.player - 1, action.cards
        elif isinstance(action, phh.DealBoard):
            yield -1, action.cards


class _Replay:
    """One pass through the record with one order of the pack."""

    def __init__(self, record: phh.RecordedHand, started: e.HandStarted, pack: _Pack) -> None:
        self.record, self.pack = record, pack
        self.recorded: list[list[int | None]] = [[] for _ in range(record.players + 1)]  # by seat, the board last
        for seat, cards in _dealt(record):
            self.recorded[seat] += cards
        self.received: list[list[int]] = [[] for _ in self.recorded]  # places, in the order in which they were dealt
        self.events: list[e.Event] = []
        happened, self.hand = start(started, pack.deck)
        self._after(happened)

    def run(self) -> Played:
        """Rule on every action; then let silence decide what the record leaves open of the showdown."""
        number = 0
        actions = self.record.best_actions
        shown = {action.player - 1: action for action in actions if isinstance(action, phh.ShowMuck)}
        for number, action in enumerate(actions, start=1):
            self._play(number, action, shown)
        self._show_down(number, shown)
        if not self.hand.over:
            raise NotAsRecorded(action=number + 1, why=f"the record ends while seat {self.hand.to_act + 1} is to act")
        for seat, cards in enumerate(self.recorded):
            if len(cards) > len(self.received[seat]):
                raise NotAsRecorded(action=number, why="the record deals more cards than the game")
        return self._played()

    def _play(self, number: int, action: phh.Action, shown: dict[int, phh.ShowMuck]) -> None:
        hand = self.hand
        match action:
            case phh.DealHole() | phh.DealBoard():
                return  # the engine deals by itself; `_after` compares the cards
            case phh.ShowMuck(player):
                self._show_down(number, shown)
                if self.hand.over and action.shown and not self.hand.shown >> player - 1 & 1:
                    self._rule(number, player - 1, c.Show())
                return
            case phh.Fold(player):
                command: c.Command = c.Fold()
            case phh.CheckCall(player):
                command = c.Call() if hand.level > hand.bets[player - 1] else c.Check()
            case phh.BetRaiseTo(player, to):
                command = c.RaiseTo(to) if hand.level else c.Bet(to)
            case phh.PostBringIn(player):
                command = c.Bet(self.record.bring_in or 0)
            case phh.StandOrDiscard(player, thrown):
                command = c.Discard(self._places(player - 1, thrown))
        self._rule(number, player - 1, command)

    def _show_down(self, number: int, shown: dict[int, phh.ShowMuck]) -> None:
        """Answer for every seat that is asked to show, as recorded, in the order in which the engine asks (TL-20)."""
        while self.hand.decision is Decision.SHOW:
            seat = self.hand.to_act
            recorded = shown.get(seat)
            answer: c.Command = c.Show() if recorded is not None and recorded.shown else c.Muck()
            self._rule(number, seat, silent(self.hand) if recorded is None else answer)

    def _rule(self, number: int, seat: int, command: c.Command) -> None:
        try:
            happened, self.hand = rule(self.hand, seat, command)
        except LawError as refusal:
            raise NotAsRecorded(action=number, law=refusal.law, why=refusal.why) from refusal
        self._after(happened)

    def _after(self, happened: tuple[e.Event, ...]) -> None:
        """Compare the cards dealt with the recorded ones; a difference means another order of the pack."""
        self.events += happened
        hand, changed = self.hand, False
        for seat in range(hand.number_of):
            changed |= self._compare(seat, sorted((*hand.down[seat], *hand.up[seat])))
        for board in hand.boards:
            changed |= self._compare(-1, board)
        if changed:
            raise _AnotherPack

    def _compare(self, seat: int, places: Sequence[int]) -> bool:
        received, recorded, changed = self.received[seat], self.recorded[seat], False
        for place in places:
            if place not in received:
                at = len(received)
                received.append(place)
                card = recorded[at] if at < len(recorded) else None
                if card is not None:
                    changed |= self.pack.put(place, card)
        return changed

    def _places(self, seat: int, thrown: Sequence[int | None]) -> tuple[int, ...]:
        """Where the thrown cards lie among a seat's own; a card nobody saw is the first that the record does not name."""
        own = {self.hand.deck[place]: place for place in self.hand.down[seat]}
        named = [own.pop(card) for card in thrown if card is not None and card in own]
        unnamed = list(own.values())
        return (*named, *unnamed[: sum(card is None for card in thrown)])

    def _played(self) -> Played:
        hand = self.hand
        opened, by_street = False, []
        totals = iter(hand.interval_pots)
        for event in self.events:
            if isinstance(event, e.IntervalOpened):
                opened = True
            elif isinstance(event, e.IntervalClosed):
                total = next(totals)
                if opened:
                    by_street.append(total)
                opened = False
        layers = pots(hand.put_in, hand.live, hand.dead)
        return Played(
            tuple(hand.stacks), tuple(by_street), tuple([pot.chips for pot in layers]), tuple(self.events), hand
        )
