"""Play a recorded hand through the engine: every recorded action is ruled on like a player's own, nothing is taken on trust.

The pack is found by dealing: wherever the engine deals a card other than the recorded one, the recorded card is put into that place
of the pack and the hand begins again, so that the order of dealing stays the engine's alone. A card nobody saw is any card left over;
where discards are shuffled back under the pack, they are laid in the order in which the record deals them again. (With unseen cards
and a pack that ran out, a record may leave open whose discards came back, and then be refused.)

Source: design §2; laws TL-7, TL-10, TL-13, TL-14, TL-21, X-7.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine import phh
from bot.engine.card import RuleCard
from bot.engine.cards import parse_all, text
from bot.engine.dealer import deal_on
from bot.engine.errors import LawError, TableError
from bot.engine.events import Post, PostKind
from bot.engine.evolve import begin, evolve_all
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options import Ante, Limit, Options, Straddle, Switch
from bot.engine.packs import PACKS
from bot.engine.phh_table import check_brought, options_of, posts_of, seats_of, stakes_of, whole_number
from bot.engine.pots import pots
from bot.engine.reading import common_places, has_to_say
from bot.engine.register import check_options
from bot.engine.ruling import rule, start, void
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
        PhhError: an extension field of the record cannot be read.
    """
    started = starting_point(record, card)
    dealt = _dealt(record)
    pack = _Pack(dealt, started)
    while True:
        try:
            return _Replay(record, started, dealt, pack).run()
        except _AnotherPack:
            continue


def starting_point(record: phh.RecordedHand, card: RuleCard) -> e.HandStarted:
    """The first event of a recorded hand: its stakes, options, seats and forced bets, as the record's extensions tell them, else as its
    standard fields do.

    Raises:
        NotAsRecorded: the stakes, the options or the number of players break a law.
        PhhError: an extension field cannot be read.
    """
    most = max(card.seats_max, card.seats_most)
    if not card.seats_min <= record.players <= most:
        raise NotAsRecorded(
            action=0, law=card.sheet, why=f"{card.name} seats {card.seats_min} to {most}, not {record.players}"
        )
    blinds = record.by_player(record.blinds_or_straddles) if record.blinds_or_straddles else ()
    big = record.min_bet or record.small_bet or max(blinds, default=0)
    posts = (*_antes(record, first=True), *_blinds(record, blinds, big), *_antes(record, first=False))
    posts = told if (told := posts_of(record)) is not None else posts
    options = options_of(record) or _options(card, posts)
    check_brought(record, card, options)
    stakes = stakes_of(record) or _stakes(record, card, posts, big)
    try:
        check_options(options)
        check_stakes(stakes, options)
    except LawError as refusal:
        raise NotAsRecorded(action=0, law=refusal.law, why=refusal.why) from refusal
    shown = any(isinstance(action, phh.ShowMuck) for action in record.best_actions)
    return e.HandStarted(
        card, options, stakes, seats_of(record), record.starting_stacks, posts,
        whole_number(record, "_button", record.players),
        ask_show=record.metadata.get("_ask_show", shown) is True,
        carried=whole_number(record, "_carried", 0),
        openers=whole_number(record, "_openers", -1),
        ask_run_twice=record.metadata.get("_ask_run_twice") is True,
    )  # fmt: skip


def _options(card: RuleCard, posts: Sequence[Post]) -> Options:
    """The card's own law set, with the straddles and the odd blinds that a record shows to be the custom of its table."""
    straddled = any(post.kind is PostKind.STRADDLE for post in posts)
    return replace(
        card.options,
        house_blinds=Switch.ON if card.options.ante is Ante.BLINDS else card.options.house_blinds,
        straddle=Straddle.LIVE if straddled else card.options.straddle,
    )


def _stakes(record: phh.RecordedHand, card: RuleCard, posts: Sequence[Post], big: int) -> Stakes:
    small = next((post.chips for post in posts if post.kind is PostKind.SMALL_BLIND), max(1, big // 2))
    with_blinds = card.options.ante is Ante.BLINDS
    return Stakes(
        ante=min(record.antes, default=0) or max(record.antes, default=0),
        small_blind=small if with_blinds else 0,
        big_blind=big if with_blinds else 0,
        small_bet=record.small_bet or 0,
        big_bet=record.big_bet or 0,
        bring_in=record.bring_in or 0,
        min_bet=(record.min_bet or 0) if card.options.limit is not Limit.LIMIT else 0,
    )


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


def _dealt(record: phh.RecordedHand) -> list[list[int | None]]:
    """By seat, the board last, every card the record deals to it; None for one that nobody saw."""
    found: list[list[int | None]] = [[] for _ in range(record.players + 1)]
    for action in record.best_actions:
        if isinstance(action, phh.DealHole):
            found[action.player - 1] += action.cards
        elif isinstance(action, phh.DealBoard):
            found[-1] += action.cards
    return found


class _Pack:
    """The pack as far as the record tells it: places fixed by a recorded card, all others filled with what is left.

    Attributes:
        deck: every card, by place.
        fixed: places whose card the record tells.
        under: cards that the record tells of dead ones shuffled back under the pack, by their new places.
    """

    def __init__(self, dealt: list[list[int | None]], started: e.HandStarted) -> None:
        recorded = {card for cards in dealt for card in cards}
        self.deck = tuple(sorted(PACKS[started.options.deck], key=recorded.__contains__))  # recorded cards last
        self.fixed: set[int] = set()
        self.under: dict[int, int] = {}

    def put(self, place: int, card: int) -> bool:
        """Have this card lie at this place; whether the pack had to be changed.

        Raises:
            NotAsRecorded: the record deals one card twice, or a card that is not in the pack.
        """
        if place >= len(self.deck):
            if self.under.setdefault(place, card) == card and place in self.fixed:
                raise NotAsRecorded(action=0, law="TL-38", why=f"{text(card)} is dealt twice")
            self.fixed.add(place)
            return True
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


class _Replay:
    """One pass through the record with one order of the pack."""

    def __init__(
        self, record: phh.RecordedHand, started: e.HandStarted, dealt: list[list[int | None]], pack: _Pack
    ) -> None:
        self.record, self.dealt, self.pack = record, dealt, pack
        self.received: list[list[int]] = [[] for _ in dealt]  # places, in the order in which they were dealt
        self.seen: set[int] = set()
        self.told: set[int] = set()  # of those, the ones whose card the record names
        self.says = {action.player - 1 for action in record.best_actions if isinstance(action, phh.Designate)}
        self.shown: dict[int, phh.ShowMuck] = {}  # by seat, what it did first at the showdown
        self.ordered: dict[int, phh.Arrange] = {}  # by seat, the order it put its cards in
        for action in record.best_actions:
            if isinstance(action, phh.ShowMuck):
                self.shown.setdefault(action.player - 1, action)
            elif isinstance(action, phh.Arrange):
                self.ordered[action.player - 1] = action
        self.events: list[e.Event] = []
        self.hand = begin(started, pack.deck)
        happened, after = start(started, pack.deck)
        dealt_on, self.hand = self._stacked(happened[1:], after)  # all may be all-in at once, and the pack run out
        self._after((happened[0], *dealt_on))

    def run(self) -> Played:
        """Rule on every action; then let silence decide what the record leaves open of the showdown."""
        number = 0
        for number, action in enumerate(self.record.best_actions, start=1):
            self._play(number, action)
        self.says.clear()
        while self.hand.decision is Decision.SHOW:
            self._say_nothing(number)
            self._show_down(number)
        self._void()
        if not self.hand.over:
            raise NotAsRecorded(action=number + 1, why=f"the record ends while seat {self.hand.to_act + 1} is to act")
        for received, recorded in zip(self.received, self.dealt, strict=True):
            if len(recorded) > len(received):
                raise NotAsRecorded(action=number, why="the record deals more cards than the game")
        self._draw_lots()
        return self._played()

    def _play(self, number: int, action: phh.Action) -> None:
        if isinstance(action, phh.DealHole | phh.DealBoard):
            return  # the engine deals by itself; `_after` compares the cards
        seat = action.player - 1
        if isinstance(action, phh.Designate | phh.ShowMuck):
            for who, shown in self.shown.items():
                self.places(who, shown.cards)
            self._say_nothing(number)
        if (
            isinstance(action, phh.Designate)
            and not action.as_cards
            and not (self._asked_to_say() and self.hand.to_act == seat)
        ):
            return  # of cards nobody ever saw
        if isinstance(action, phh.ShowMuck):
            self._show_down(number)
            self.places(seat, action.cards)
            if self.hand.over and action.shown and not self.hand.shown >> seat & 1:
                self._rule(number, seat, c.Show())
            return
        self._rule(number, seat, self._command(seat, action))

    def _command(self, seat: int, action: phh.Action) -> c.Command:
        """What the seat asks for; read as the moment has it, whether or not that is lawful."""
        hand = self.hand
        match action:
            case phh.Fold():
                return c.Fold()
            case phh.CheckCall():
                return c.Call() if hand.level > hand.bets[seat] else c.Check()
            case phh.BetRaiseTo(_, to) | phh.PutInEarly(_, to):
                return c.RaiseTo(to) if hand.level else c.Bet(to)
            case phh.PostBringIn():
                return c.Bet(min(hand.rules.bring_in, hand.stacks[seat]))
            case phh.StandOrDiscard(_, cards) | phh.GiveUp(_, cards) | phh.Arrange(_, cards):
                return c.Discard(self.places(seat, cards))
            case phh.Answer(_, yes):
                return c.Accept() if yes else c.Decline()
            case phh.Declare(_, word):
                return c.Declare(word)
            case phh.Designate(_, as_cards, word):
                common = {hand.deck[place]: place for place in common_places(hand)}
                own = [card for card, _ in as_cards if card not in common]
                places = common | dict(zip(own, self.places(seat, own), strict=True))
                return c.Show(tuple((places[card], meant) for card, meant in as_cards), word)
            case _:
                raise AssertionError(action)

    def _show_down(self, number: int) -> None:
        """Answer for every seat that is asked to show, as recorded, in the order in which the engine asks (TL-20)."""
        while self.hand.decision is Decision.SHOW and not self._asked_to_say():
            seat = self.hand.to_act
            recorded = self.shown.get(seat)
            answer: c.Command = c.Show() if recorded is not None and recorded.shown else c.Muck()
            self._rule(number, seat, silent(self.hand) if recorded is None else answer)

    def _say_nothing(self, number: int) -> None:
        """Have seats say nothing of wild cards and aces that the record does not know of."""
        while self._asked_to_say() and self.hand.to_act not in self.says:
            self._rule(number, self.hand.to_act, silent(self.hand))

    def _asked_to_say(self) -> bool:
        return self.hand.decision is Decision.SHOW and has_to_say(self.hand, self.hand.to_act)

    def _rule(self, number: int, seat: int, command: c.Command) -> None:
        try:
            happened, after = rule(self.hand, seat, command)
        except LawError as refusal:
            raise NotAsRecorded(action=number, law=refusal.law, why=refusal.why) from refusal
        happened, self.hand = self._stacked(happened, after)
        self._after(happened)

    def _stacked(self, happened: tuple[e.Event, ...], after: Hand) -> tuple[tuple[e.Event, ...], Hand]:
        """What happens, with the dead cards shuffled back as the record tells, however often it was."""
        at = 0
        while (found := next((n for n in range(at, len(happened)) if isinstance(happened[n], e.Reshuffled)), -1)) >= 0:
            happened, after = self._stack(happened, found)
            at = found + 1
        return happened, after

    def _stack(self, happened: tuple[e.Event, ...], at: int) -> tuple[tuple[e.Event, ...], Hand]:
        """Shuffle the dead cards so that they come out as recorded, and go on from there (X-7)."""
        shuffled = happened[at]
        assert isinstance(shuffled, e.Reshuffled)
        before = evolve_all(self.hand, happened[:at])
        base = len(before.deck)
        places = list(shuffled.places)
        wanted = {at: card for at in range(len(places)) if (card := self.pack.under.get(base + at)) is not None}
        kept = {place for place in places if before.deck[place] in wanted.values()}
        order: list[int] = []
        for number in range(len(places)):
            card = wanted.get(number)
            if card is None:
                order.append(next(place for place in places if place not in kept and place not in order))
                continue
            found = next((place for place in places if before.deck[place] == card), None)
            if found is None:
                self._bring(card, [place for place in places if place not in kept])
                raise _AnotherPack
            order.append(found)
        first = (*happened[:at], e.Reshuffled(tuple(order)), happened[at + 1])
        hand = evolve_all(self.hand, first)
        rest: list[e.Event] = []
        deal_on(hand, rest)
        return (*first, *rest), hand

    def _bring(self, card: int, dead: Sequence[int]) -> None:
        """Have this card be one of the dead ones."""
        free = [place for place in dead if place < len(self.pack.deck) and place not in self.pack.fixed]
        if not free:
            raise NotAsRecorded(action=0, law="TL-38", why=f"{text(card)} is dealt twice")
        self.pack.put(free[0], card)

    def _fresh(self, hand: Hand) -> list[tuple[int, int, int | None]]:
        """Cards dealt since the last look, in the order of dealing: place, seat (-1 for the board), and the card recorded there."""
        found = [(place, seat) for seat in range(hand.number_of) for place in (*hand.down[seat], *hand.up[seat])]
        found += [(place, -1) for board in hand.boards for place in board]
        fresh: list[tuple[int, int, int | None]] = []
        count = [len(received) for received in self.received]
        for place, seat in sorted(set(found)):
            if place not in self.seen:
                recorded = self.dealt[seat]
                fresh.append((place, seat, recorded[count[seat]] if count[seat] < len(recorded) else None))
                count[seat] += 1
        return fresh

    def _after(self, happened: tuple[e.Event, ...]) -> None:
        """Compare the cards dealt with the recorded ones; a difference means another order of the pack."""
        self.events += happened
        hand, changed = self.hand, False
        bought = hand.rules.card.extra is not None
        for place, seat, card in self._fresh(hand):
            self.received[seat].append(place)
            self.seen.add(place)
            if card is not None:
                self.told.add(place)
            if card is not None and (place < len(self.pack.deck) or hand.deck[place] != card):
                changed |= self.pack.put(place, card)
                if changed and bought:
                    break  # whether a card brings another is decided by what it is
        if changed:
            raise _AnotherPack

    def places(self, seat: int, cards: Sequence[int | None]) -> tuple[int, ...]:
        """Where named cards lie among a seat's own; one it does not seem to hold is one of those it got unseen. An unnamed card is
        the first that it does not show later."""
        hand = self.hand
        own = {hand.deck[place]: place for place in (*hand.up[seat], *hand.down[seat])}
        named = {card: own.pop(card, -1) for card in cards if card is not None}
        unseen = [place for place in hand.down[seat] if place not in named.values()]
        for card, place in named.items():
            if place < 0:
                self._hold(card, [place for place in unseen if place not in self.told])
            self.pack.fixed.add(place)
        unnamed = iter(self._spare(seat, unseen))
        return tuple(named[card] if card is not None else next(unnamed, -1) for card in cards)

    def _spare(self, seat: int, places: Sequence[int]) -> list[int]:
        """These cards of a seat in the order in which they are taken for those that it gave up unnamed: last the ones that it puts in
        order later, and as many cards that nobody saw as it names there beside those it is known to hold."""
        ranked = sorted(places, key=lambda place: (self._wanted_later(seat, place), place))
        later = self.ordered.get(seat)
        if later is None:
            return ranked
        named = {card for card in later.cards if card is not None}
        known = {place: self.hand.deck[place] for place in ranked if place in self.told}
        unseen = [place for place in ranked if place not in known]
        needed = len(named.difference(known.values()))
        kept = {place for place, card in known.items() if card in named}.union(unseen[max(0, len(unseen) - needed) :])
        return sorted(ranked, key=kept.__contains__)

    def _wanted_later(self, seat: int, place: int) -> int:
        """How sure it is that a seat keeps this card: 0 where it shows others in the end, 1 for one nobody saw, 2 where it shows it."""
        if place not in self.told:
            return 1
        shown = self.shown.get(seat)
        return 2 if shown is None or not shown.cards or self.hand.deck[place] in shown.cards else 0

    def _hold(self, card: int, unseen: Sequence[int]) -> None:
        """Have this card be one of those a seat got unseen: where it lies in the pack, or back from the dead cards."""
        size, fixed = len(self.pack.deck), self.pack.fixed
        back = card in self.pack.deck and self.pack.deck.index(card) in fixed
        free = [place for place in unseen if place not in fixed and (place >= size) >= back]
        if free:
            self.pack.put(free[0], card)
            raise _AnotherPack

    def _void(self) -> None:
        """The record says that the deal did not count (I-1)."""
        told = self.record.metadata.get("_voided")
        if isinstance(told, list) and len(told) == 2 and not self.hand.over:
            happened = void(self.hand, str(told[0]), str(told[1]))
            self.hand = evolve_all(self.hand, happened)
            self.events += happened

    def _draw_lots(self) -> None:
        """The cards that drew an odd chip by lot lie on top of what was left (Q-2)."""
        told = self.record.metadata.get("_lot")
        if isinstance(told, str):
            hand = self.hand
            stub = [*range(hand.place, len(hand.deck)), *range(hand.place)]
            for place, card in zip(stub, parse_all(told), strict=False):
                if place not in self.pack.fixed and place < len(self.pack.deck) and self.pack.put(place, card):
                    raise _AnotherPack

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
