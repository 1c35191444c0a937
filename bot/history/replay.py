"""Play a recorded hand through the engine: every recorded action is ruled on like a player's own, nothing is taken on
trust.

The deck is found by dealing. Wherever the engine deals a card other than the recorded one, the recorded card is put
at that index of the deck and the hand begins again, so that the order of dealing stays the engine's alone. A card
nobody saw is any card left over. Where discards are shuffled back under the deck, they are laid in the order in which
the record deals them again; what was dead in one pass stays dead in the next. Of cards that a seat gives up unnamed,
those go first that another seat names later. (With unseen cards and several passes, a record can leave open which cards
they were: one in ten to thirty of such hands is refused, or ends otherwise. Of hands whose deck ran out it is one in
thousands.)

Laws: TL-7, TL-10, TL-13, TL-14, TL-21, X-7.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.pots import pots
from bot.engine.cards import parse_card
from bot.engine.dealing.dealer import run_until_decision
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, start, void
from bot.engine.errors import LawError, TableError
from bot.engine.events import Post, PostKind
from bot.engine.evolve import begin_hand, evolve_all
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options.register import validate_options
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, Limit, StraddleRule, Switch
from bot.engine.refusals import NobodyCanCallMore, NoOpeners
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.hand_values import common_card_indices, must_designate
from bot.engine.showdown.settle import lot_order
from bot.engine.stakes import Stakes, validate_stakes
from bot.engine.timeout import default_action
from bot.engine.units import CardIndex, SeatIndex, SeatNumber
from bot.engine.view.redact import FileReader
from bot.history import phh
from bot.history.phh_fields import check_own_rules, options_of, posts_of, seat_numbers_of, stakes_of, whole_number_of


class ReplayedHand(Struct, frozen=True):
    """A recorded hand as the engine played it.

    Attributes:
        finishing_stacks: by player, in chips, without rake.
        pots_by_street: the pot after each betting round in which somebody was to act, uncalled bets returned.
        final_pots: the main pot and the side pots at the end.
        events: everything that happened, the first event first.
        hand: the hand after them.
        dealt_indices, held_indices: the cards that the record names, by their index: where they are dealt, and anywhere.
    """

    finishing_stacks: tuple[int, ...]
    pots_by_street: tuple[int, ...]
    final_pots: tuple[int, ...]
    events: tuple[e.HandEvent, ...]
    hand: Hand
    dealt_indices: frozenset[int] = frozenset()
    held_indices: frozenset[int] = frozenset()

    @property
    def reader(self) -> FileReader:
        """Return who reads the hand from its file: with the cards that the record names, and none that were filled in."""
        return FileReader(self.dealt_indices, self.held_indices)


class NotAsRecorded(TableError):
    """The record says something that the engine does not let happen.

    Attributes:
        action_number: the action at fault, from 1; 0 for the stakes, one beyond the last when the record ends too early.
        law: id of the law that refuses it; empty where it only contradicts what the engine dealt.
    """

    action_number: int = 0
    law: str = ""


class RecordRefused(NotAsRecorded):
    """A law forbids an action of the record, or its stakes or options."""

    refusal: LawError


class RecordedSeatsOutOfBounds(NotAsRecorded):
    """The game is played by `minimum` to `maximum` players."""

    game: str
    minimum: int
    maximum: int


class RecordedCardTwice(NotAsRecorded):
    """The record deals a card twice (TL-38)."""

    card: int
    law: str = "TL-38"


class RecordedCardNotInDeck(NotAsRecorded):
    """The record deals a card that the deck of the game does not have (K-6)."""

    card: int
    law: str = "K-6"


class RecordEndsEarly(NotAsRecorded):
    """The record ends while a player, numbered as in the file, is to act."""

    player_number: int


class RecordDealsMoreCards(NotAsRecorded):
    """The record deals more cards than the game does."""


_NEVER = 1 << 30
_NAMING = (phh.RecordedDraw, phh.RecordedGiveUp, phh.RecordedArrangement, phh.RecordedShowOrMuck)
"""The actions in which a seat names cards that it holds."""


class _DeckChanged(Exception):
    """A recorded card was put at its index: deal again."""


def replay_record(record: phh.RecordedHand, rule_card: RuleCard) -> ReplayedHand:
    """Play a recorded hand by a rule card, down to its end.

    Raises:
        NotAsRecorded: an action, the stakes or the cards break a law, or the record ends before the hand.
        PhhError: an extension field of the record cannot be read.
    """
    started = first_event(record, rule_card)
    dealt = _recorded_cards(record)
    deck = _RecordedDeck(dealt, started)
    while True:
        try:
            return _Replay(record, started, dealt, deck).replay()
        except _DeckChanged:
            continue


def first_event(record: phh.RecordedHand, rule_card: RuleCard) -> e.HandStarted:
    """Return the first event of a recorded hand: its stakes, options, seats and forced bets, from the record's extensions,
    else from its standard fields.

    Raises:
        NotAsRecorded: the stakes, the options or the number of players break a law.
        PhhError: an extension field cannot be read.
    """
    maximum = max(rule_card.seats_max, rule_card.seats_max_on_request)
    if not rule_card.seats_min <= record.player_count <= maximum:
        raise RecordedSeatsOutOfBounds(
            law=rule_card.law_id, game=rule_card.name, minimum=rule_card.seats_min, maximum=maximum
        )
    blinds = record.by_player(record.blinds_or_straddles) if record.blinds_or_straddles else ()
    big = record.min_bet or record.small_bet or max(blinds, default=0)
    posts = (*_ante_posts(record, first=True), *_blind_posts(record, blinds, big), *_ante_posts(record, first=False))
    own_posts = posts_of(record)
    if own_posts is not None:
        posts = own_posts
    options = options_of(record) or _options_from(rule_card, posts)
    asked = record.metadata.get("_ask_run_twice") is True
    if asked and not _names_option(record, "run_twice"):  # version 0.1.0 wrote it only where it was off
        options = replace(options, run_twice=Switch.ON)
    check_own_rules(record, rule_card, options)
    stakes = stakes_of(record) or _stakes_from(record, rule_card, posts, big)
    try:
        validate_options(options)
        validate_stakes(stakes, options)
    except LawError as refusal:
        raise RecordRefused(law=refusal.law, refusal=refusal) from refusal
    shown = any(isinstance(action, phh.RecordedShowOrMuck) for action in record.best_actions)
    return e.HandStarted(
        rule_card,
        options,
        stakes,
        seat_numbers_of(record),
        record.starting_stacks,
        posts,
        SeatNumber(whole_number_of(record, "_button", record.player_count)),
        ask_show=record.metadata.get("_ask_show", shown) is True,
        carried=whole_number_of(record, "_carried", 0),
        openers_rank=whole_number_of(record, "_openers", -1),
        ask_run_twice=asked,
    )


def _names_option(record: phh.RecordedHand, name: str) -> bool:
    options = record.metadata.get("_options")
    return isinstance(options, dict) and name in options


def _options_from(rule_card: RuleCard, posts: Sequence[Post]) -> Options:
    """Return the card's own options, with the straddles and the odd blinds that a record shows to be the custom of its
    table."""
    straddled = any(post.kind is PostKind.STRADDLE for post in posts)
    return replace(
        rule_card.options,
        house_blinds=Switch.ON if rule_card.options.ante is Ante.BLINDS else rule_card.options.house_blinds,
        straddle=StraddleRule.LIVE if straddled else rule_card.options.straddle,
    )


def _stakes_from(record: phh.RecordedHand, rule_card: RuleCard, posts: Sequence[Post], big: int) -> Stakes:
    small = next((post.chips for post in posts if post.kind is PostKind.SMALL_BLIND), max(1, big // 2))
    with_blinds = rule_card.options.ante is Ante.BLINDS
    return Stakes(
        ante=min(record.antes, default=0) or max(record.antes, default=0),
        small_blind=small if with_blinds else 0,
        big_blind=big if with_blinds else 0,
        small_bet=record.small_bet or 0,
        big_bet=record.big_bet or 0,
        bring_in=record.bring_in or 0,
        min_bet=(record.min_bet or 0) if rule_card.options.limit is not Limit.LIMIT else 0,
    )


def _ante_posts(record: phh.RecordedHand, *, first: bool) -> Iterator[Post]:
    """What every player antes comes before the blinds; what single players put in on top is dead and comes after them
    (TL-14)."""
    antes = record.by_player(record.antes)
    shared = min(antes)
    kind = PostKind.ANTE if record.ante_trimming_status else PostKind.DEAD
    for seat, ante in enumerate(antes):
        chips = shared if first else ante - shared
        if chips:
            yield Post(SeatIndex(seat), kind if first else PostKind.DEAD, chips)


def _blind_posts(record: phh.RecordedHand, blinds: Sequence[int], big: int) -> list[Post]:
    """Blinds and straddles from the smallest up; the big blind is the last that is no more than `big`. Live posts follow."""
    order = range(record.player_count)[::-1] if record.player_count == 2 else range(record.player_count)
    forced = sorted([seat for seat in order if blinds and blinds[seat] > 0], key=lambda seat: blinds[seat])
    at_big = max((at for at, seat in enumerate(forced) if blinds[seat] <= big), default=0)
    if len(forced) == 1 and blinds[forced[0]] < big:
        at_big = 1
    kinds = [PostKind.SMALL_BLIND] * at_big + [PostKind.BIG_BLIND]
    kinds += [PostKind.STRADDLE] * (len(forced) - len(kinds))
    posts = [Post(SeatIndex(seat), kind, blinds[seat]) for seat, kind in zip(forced, kinds, strict=False)]
    return posts + [Post(SeatIndex(seat), PostKind.LIVE, -chips) for seat, chips in enumerate(blinds) if chips < 0]


def _recorded_cards(record: phh.RecordedHand) -> list[list[int | None]]:
    """By seat, the board last, every card that the record deals to it; None for one that nobody saw."""
    found: list[list[int | None]] = [[] for _ in range(record.player_count + 1)]
    for action in record.best_actions:
        if isinstance(action, phh.RecordedHoleCards):
            found[action.player - 1] += action.cards
        elif isinstance(action, phh.RecordedBoard):
            found[-1] += action.cards
    return found


class _RecordedDeck:
    """The deck as far as the record shows it: indices fixed by a recorded card, all others filled with what is left.

    Attributes:
        deck: every card, by index.
        fixed_indices: those whose card the record shows.
        reshuffled_cards: dead cards that were shuffled back under the deck, by their new indices, as far as the
            record shows them.
        given_up_at: the action in which a card that comes back was given up unnamed, by its first index; `_NEVER` for a burned card and
            for one that its seat folded with.
    """

    def __init__(self, dealt: list[list[int | None]], started: e.HandStarted) -> None:
        recorded = {card for cards in dealt for card in cards}
        self.deck = tuple(sorted(DECKS[started.options.deck], key=recorded.__contains__))  # recorded cards last
        self.fixed_indices: set[int] = set()
        self.reshuffled_cards: dict[int, int] = {}
        self.given_up_at: dict[int, int] = {}

    def put_card(self, card_index: int, card: int) -> bool:
        """Put this card at this index. Returns whether the deck had to be changed.

        Raises:
            NotAsRecorded: the record deals one card twice, or a card that is not in the deck.
        """
        if card_index >= len(self.deck):
            if self.reshuffled_cards.setdefault(card_index, card) == card and card_index in self.fixed_indices:
                raise RecordedCardTwice(card=card)
            self.fixed_indices.add(card_index)
            return True
        if self.deck[card_index] == card:
            self.fixed_indices.add(card_index)
            return False
        if card not in self.deck:
            raise RecordedCardNotInDeck(card=card)
        other = self.deck.index(card)
        if card_index in self.fixed_indices or other in self.fixed_indices:
            raise RecordedCardTwice(card=card)
        deck = list(self.deck)
        deck[card_index], deck[other] = deck[other], deck[card_index]
        self.deck = tuple(deck)
        self.fixed_indices.add(card_index)
        return True

    def keep_card(self, card_index: int, card: int) -> None:
        """Keep this card where it lies: also where it was shuffled back to by chance, so that the next pass shuffles it there."""
        self.fixed_indices.add(card_index)
        if card_index >= len(self.deck):
            self.reshuffled_cards.setdefault(card_index, card)


class _RecordedReshuffle(Struct, frozen=True):
    """Dead cards that were shuffled back under the deck: the first of their new indices, their old ones, and the cards."""

    first_index: int
    dead_indices: tuple[int, ...]
    cards: frozenset[int]


class _Replay:
    """One pass through the record with one order of the deck."""

    def __init__(
        self, record: phh.RecordedHand, started: e.HandStarted, dealt: list[list[int | None]], deck: _RecordedDeck
    ) -> None:
        self.record, self.recorded_cards, self.deck = record, dealt, deck
        self.action_number = 0  # of the action that is ruled on, from 1
        self.received_indices: list[list[int]] = [[] for _ in dealt]  # by seat, in the order in which they were dealt
        self.seen_indices: set[int] = set()
        self.given_up_at: dict[int, int] = {}  # the action in which each card was given up
        self.reshuffles: list[_RecordedReshuffle] = []
        self.named_indices: set[int] = set()  # of those, the ones whose card the record names
        self.designating_seats = {
            action.player - 1 for action in record.best_actions if isinstance(action, phh.RecordedDesignation)
        }
        self.shown_by_seat: dict[SeatIndex, phh.RecordedShowOrMuck] = {}  # by seat, what it did first at the showdown
        self.arrangement_by_seat: dict[int, phh.RecordedArrangement] = {}  # by seat, the order it put its cards in
        for action in record.best_actions:
            if isinstance(action, phh.RecordedShowOrMuck):
                self.shown_by_seat.setdefault(SeatIndex(action.player - 1), action)
            elif isinstance(action, phh.RecordedArrangement):
                self.arrangement_by_seat[action.player - 1] = action
        self.events: list[e.HandEvent] = []
        self.hand = begin_hand(started, deck.deck)
        events, after = start(started, deck.deck)
        # everybody can be all-in at once, and the deck run out
        dealt_on, self.hand = self._with_recorded_reshuffles(events[1:], after)
        self._compare_cards((events[0], *dealt_on))

    def replay(self) -> ReplayedHand:
        """Rule on every action; then take the default action for whatever the record leaves open of the showdown."""
        number = 0
        for number, action in enumerate(self.record.best_actions, start=1):
            self._replay_action(number, action)
        self.designating_seats.clear()
        while self.hand.decision is Decision.SHOW:
            self._decline_designations(number)
            self._answer_shows(number)
        self._apply_void()
        if not self.hand.over:
            raise RecordEndsEarly(action_number=number + 1, player_number=self.hand.to_act + 1)
        for received, recorded in zip(self.received_indices, self.recorded_cards, strict=True):
            if len(recorded) > len(received):
                raise RecordDealsMoreCards(action_number=number)
        self._draw_lots()
        return self._result()

    def _replay_action(self, number: int, action: phh.RecordedAction) -> None:
        self.action_number = number
        if isinstance(action, phh.RecordedHoleCards | phh.RecordedBoard):
            return  # the engine deals by itself; `_compare_cards` compares the cards
        seat = SeatIndex(action.player - 1)
        if isinstance(action, phh.RecordedDesignation | phh.RecordedShowOrMuck):
            for who, shown in self.shown_by_seat.items():
                self.card_indices_of(who, shown.cards)
            self._decline_designations(number)
        if (
            isinstance(action, phh.RecordedDesignation)
            and not action.designations
            and not (self._awaits_designation() and self.hand.to_act == seat)
        ):
            return  # of cards nobody ever saw
        if isinstance(action, phh.RecordedShowOrMuck):
            self._answer_shows(number)
            card_indices = self.card_indices_of(seat, action.cards)
            if self.hand.over and action.shown and not self.hand.shown_seats >> seat & 1:
                self._decide(number, seat, c.Show(card_indices=_shown_alone(action, card_indices)))
            return
        self._decide(number, seat, self._command(seat, action))

    def _command(self, seat: SeatIndex, action: phh.RecordedAction) -> c.HandCommand:
        """Return what the seat asks for, in the sense it has at this moment, whether or not that is lawful."""
        hand = self.hand
        match action:
            case phh.RecordedFold():
                return c.Fold()
            case phh.RecordedCheckOrCall():
                return c.Call() if hand.current_bet > hand.bets[seat] else c.Check()
            case phh.RecordedBetOrRaise(_, to) | phh.RecordedOutOfTurnChips(_, to):
                return c.RaiseTo(to) if hand.current_bet else c.Bet(to)
            case phh.RecordedBringIn():
                return c.Bet(min(hand.rules.amounts.bring_in, hand.stacks[seat]))
            case phh.RecordedDraw(_, cards) | phh.RecordedGiveUp(_, cards) | phh.RecordedArrangement(_, cards):
                return c.ChooseCards(self.card_indices_of(seat, cards))
            case phh.RecordedAnswer(_, yes):
                return c.Accept() if yes else c.Decline()
            case phh.RecordedDeclaration(_, word):
                return c.Declare(word)
            case phh.RecordedDesignation(_, as_cards, word):
                common = {hand.deck[card_index]: CardIndex(card_index) for card_index in common_card_indices(hand)}
                own = [card for card, _ in as_cards if card not in common]
                card_indices = common | dict(zip(own, self.card_indices_of(seat, own), strict=True))
                return c.Show(tuple((card_indices[card], meant) for card, meant in as_cards), word)
            case _:
                raise AssertionError(action)

    def _answer_shows(self, number: int) -> None:
        """Answer for every seat that is asked to show, as recorded, in the order in which the engine asks (TL-20)."""
        while self.hand.decision is Decision.SHOW and not self._awaits_designation():
            seat = self.hand.to_act
            recorded = self.shown_by_seat.get(seat)
            answer: c.HandCommand = c.Show() if recorded is not None and recorded.shown else c.Muck()
            self._decide(number, seat, default_action(self.hand) if recorded is None else answer)

    def _decline_designations(self, number: int) -> None:
        """Have seats announce nothing of wild cards and aces that the record does not know of."""
        while self._awaits_designation() and self.hand.to_act not in self.designating_seats:
            self._decide(number, self.hand.to_act, default_action(self.hand))

    def _awaits_designation(self) -> bool:
        return self.hand.decision is Decision.SHOW and must_designate(self.hand, self.hand.to_act)

    def _decide(self, number: int, seat: SeatIndex, command: c.HandCommand) -> None:
        if isinstance(command, c.ChooseCards):
            self.given_up_at.update(dict.fromkeys(command.card_indices, number))
        try:
            events, after = decide_and_evolve(self.hand, seat, command)
        except NobodyCanCallMore as refusal:
            if not self._came_back_whole(seat, command):
                raise RecordRefused(action_number=number, law=refusal.law, refusal=refusal) from refusal
            events, after = decide_and_evolve(self.hand, seat, c.Call())
        except NoOpeners as refusal:
            if seat == self.hand.to_act or self._knows_cards_of(seat):
                raise RecordRefused(action_number=number, law=refusal.law, refusal=refusal) from refusal
            events, after = self._bet_on_unseen_openers(seat, command)
        except LawError as refusal:
            raise RecordRefused(action_number=number, law=refusal.law, refusal=refusal) from refusal
        events, self.hand = self._with_recorded_reshuffles(events, after)
        self._compare_cards(events)

    def _knows_cards_of(self, seat: SeatIndex) -> bool:
        return self.named_indices.issuperset(self.received_indices[seat])

    def _bet_on_unseen_openers(self, seat: SeatIndex, command: c.HandCommand) -> tuple[tuple[e.HandEvent, ...], Hand]:
        """Bet out of turn with openers that nobody has seen: whoever opens then, in turn, proves theirs, and they need not (VC-20)."""
        as_if_opened = self.hand.copy()
        as_if_opened.opener = seat
        events, after = decide_and_evolve(as_if_opened, seat, command)
        after.opener = self.hand.opener
        return events, after

    def _came_back_whole(self, seat: SeatIndex, command: c.HandCommand) -> bool:
        """Return whether a seat had the chips for a raise that nobody could call more of. Version 0.1.0 allowed it, other programs may;
        what it added came back, so it is a call (TL-42)."""
        total = self.hand.bets[seat] + self.hand.stacks[seat]
        return isinstance(command, c.RaiseTo) and self.hand.current_bet < command.to <= total

    def _with_recorded_reshuffles(
        self, events: tuple[e.HandEvent, ...], after: Hand
    ) -> tuple[tuple[e.HandEvent, ...], Hand]:
        """Return what happens, with the dead cards shuffled back as the record shows, however often they were."""
        at = 0
        while (found := next((n for n in range(at, len(events)) if isinstance(events[n], e.Reshuffled)), -1)) >= 0:
            events, after = self._with_recorded_reshuffle(events, found)
            at = found + 1
        return events, after

    def _with_recorded_reshuffle(
        self, events: tuple[e.HandEvent, ...], at: int
    ) -> tuple[tuple[e.HandEvent, ...], Hand]:
        """Shuffle the dead cards so that they come out as recorded, and go on from there (X-7)."""
        reshuffled = events[at]
        assert isinstance(reshuffled, e.Reshuffled)
        order = self._recorded_order(evolve_all(self.hand, events[:at]), reshuffled.card_indices)
        first = (*events[:at], e.Reshuffled(order), events[at + 1])
        hand = evolve_all(self.hand, first)
        rest: list[e.HandEvent] = []
        run_until_decision(hand, rest)
        return (*first, *rest), hand

    def _recorded_order(self, before: Hand, dead: Sequence[int]) -> tuple[int, ...]:
        """Return the dead cards in the order in which the record deals them again. Cards that it does not show fill the gaps
        as they lie.

        Raises:
            _DeckChanged: a card that the record deals again was not among the dead ones; now it is.
        """
        first_new_index = len(before.deck)
        cards = frozenset([before.deck[card_index] for card_index in dead])
        self.reshuffles.append(_RecordedReshuffle(first_new_index, tuple(dead), cards))
        wanted = [self.deck.reshuffled_cards.get(first_new_index + number) for number in range(len(dead))]
        index_of_card = {before.deck[card_index]: card_index for card_index in dead}
        spare = [card_index for card_index in dead if before.deck[card_index] not in wanted]
        for card in wanted:
            if card is not None and card not in index_of_card:
                self._put_among_dead(card, spare)
                raise _DeckChanged
        fillers = iter(spare)
        return tuple([next(fillers) if card is None else index_of_card[card] for card in wanted])

    def _put_among_dead(self, card: int, dead: Sequence[int]) -> None:
        """Make this card one of the dead ones. One that was dealt before died again after a reshuffle."""
        size, fixed = len(self.deck.deck), self.deck.fixed_indices
        first = self._first_index_again(card)
        fitting = range(size) if first is None else range(first, 1 + max(dead, default=0))
        free = [card_index for card_index in dead if card_index in fitting and card_index not in fixed]
        if not free:
            raise RecordedCardTwice(card=card)
        self.deck.put_card(free[0], card)
        self.deck.given_up_at[free[0]] = self.given_up_at.get(free[0], _NEVER)

    def _new_cards(self, hand: Hand) -> list[tuple[int, int, int | None]]:
        """Return cards dealt since the last look, in the order of dealing: index, seat (-1 for the board), and the card
        recorded there."""
        found = [
            (card_index, seat)
            for seat in range(hand.seat_count)
            for card_index in (*hand.down_indices[seat], *hand.up_indices[seat])
        ]
        found += [(card_index, -1) for board in hand.board_indices for card_index in board]
        fresh: list[tuple[int, int, int | None]] = []
        count = [len(received) for received in self.received_indices]
        for card_index, seat in sorted(set(found)):
            if card_index not in self.seen_indices:
                recorded = self.recorded_cards[seat]
                fresh.append((card_index, seat, recorded[count[seat]] if count[seat] < len(recorded) else None))
                count[seat] += 1
        return fresh

    def _compare_cards(self, events: tuple[e.HandEvent, ...]) -> None:
        """Compare the cards dealt with the recorded ones. A difference means another order of the deck."""
        self.events += events
        hand, changed = self.hand, False
        bought = hand.rules.extra_card is not None
        for card_index, seat, card in self._new_cards(hand):
            self.received_indices[seat].append(card_index)
            self.seen_indices.add(card_index)
            if card is not None:
                self.named_indices.add(card_index)
            if card is not None and (card_index < len(self.deck.deck) or hand.deck[card_index] != card):
                changed |= self.deck.put_card(card_index, card)
                if changed and bought:
                    break  # whether a card brings another is decided by what it is
        if changed:
            raise _DeckChanged

    def card_indices_of(self, seat: SeatIndex, cards: Sequence[int | None]) -> tuple[CardIndex, ...]:
        """Return the indices of these cards among a seat's own.

        A named card that the seat does not seem to hold is made one of those it got unseen. An unnamed card is the
        first that the seat does not show later.
        """
        hand = self.hand
        own = {hand.deck[card_index]: card_index for card_index in (*hand.up_indices[seat], *hand.down_indices[seat])}
        named = {card: own.pop(card, -1) for card in cards if card is not None}
        unseen = [card_index for card_index in hand.down_indices[seat] if card_index not in named.values()]
        # first those that were dealt before: fewer of the indices are theirs, and none is kept for a card that lies there by chance
        for card, card_index in sorted(named.items(), key=lambda one: self._first_index_again(one[0]) is None):
            if card_index < 0:
                self._put_among_unseen(
                    card, [card_index for card_index in unseen if card_index not in self.named_indices]
                )
            self.deck.keep_card(card_index, card)
        unnamed = iter(self._unnamed_in_order(seat, unseen))
        return tuple(CardIndex(named[card] if card is not None else next(unnamed, -1)) for card in cards)

    def _unnamed_in_order(self, seat: SeatIndex, card_indices: Sequence[int]) -> list[int]:
        """Return a seat's cards in the order in which they are taken for those that it gave up unnamed.

        Last come the cards that it arranges later: those it is known to hold, and as many unseen ones as its
        arrangement names beside them.
        """
        ranked = sorted(card_indices, key=lambda card_index: (self._kept_likelihood(seat, card_index), card_index))
        later = self.arrangement_by_seat.get(seat)
        if later is None:
            return ranked
        named = {card for card in later.cards if card is not None}
        known = {card_index: self.hand.deck[card_index] for card_index in ranked if self._is_named(card_index)}
        unseen = [card_index for card_index in ranked if card_index not in known]
        needed = len(named.difference(known.values()))
        kept = {card_index for card_index, card in known.items() if card in named}.union(
            unseen[max(0, len(unseen) - needed) :]
        )
        return sorted(ranked, key=kept.__contains__)

    def _holder_later(self, card: int) -> int | None:
        """Return the seat that names this card next, when it gives it up, arranges or shows it; None if nobody does."""
        for action in self.record.best_actions[self.action_number :]:
            if isinstance(action, _NAMING) and card in action.cards:
                return action.player - 1
        return None

    def _is_named(self, card_index: int) -> bool:
        """Return whether the record names this card, where it is dealt or anywhere else."""
        return card_index in self.named_indices or card_index in self.deck.fixed_indices

    def _kept_likelihood(self, seat: SeatIndex, card_index: int) -> int:
        """Return how likely it is that a seat keeps this card: 0 where it shows others in the end, 1 where nobody saw the
        card, 2 where it shows it. A card that another seat names later goes first, one that it names itself last; what comes back from the
        dead cards goes when it went before."""
        given_up = self.deck.given_up_at.get(card_index)
        if given_up is not None:
            return 4 if given_up > self.action_number else -2
        if not self._is_named(card_index):
            return 1
        holder = self._holder_later(self.hand.deck[card_index])
        if holder is not None:
            return 3 if holder == seat else -1
        shown = self.shown_by_seat.get(seat)
        if shown is not None and None in shown.cards and self.hand.deck[card_index] not in shown.cards:
            return 1
        return 2 if shown is None or not shown.cards or self.hand.deck[card_index] in shown.cards else 0

    def _put_among_unseen(self, card: int, unseen: Sequence[int]) -> None:
        """Make this card one of those that a seat got unseen: where it lies in the deck, or back from the dead cards.

        A card that was dealt before can lie from the first reshuffle on that had it. Any other lies in the deck where it can, else in the
        last reshuffle with an unknown card: the earlier ones are left to cards that must lie there.
        """
        size, fixed = len(self.deck.deck), self.deck.fixed_indices
        free = [card_index for card_index in unseen if card_index not in fixed]
        first = self._first_index_again(card)
        if first is None:
            back = [card_index for card_index in free if card_index >= size and self._has_unknown(card_index)]
            fitting = [card_index for card_index in free if card_index < size] or back[::-1]
        else:
            fitting = [card_index for card_index in free if card_index >= first]
        if fitting:
            self.deck.put_card(fitting[0], card)
            raise _DeckChanged

    def _first_index_again(self, card: int) -> int | None:
        """Return from where on a card can lie that was dealt before: the first reshuffle that had it. None for any other card."""
        size = len(self.deck.deck)
        if card not in self.deck.deck or self.deck.deck.index(card) not in self.deck.fixed_indices:
            return None
        return next((one.first_index for one in self.reshuffles if card in one.cards), size)

    def _has_unknown(self, card_index: int) -> bool:
        """Return whether the record leaves a card open of the reshuffle that a card comes from."""
        reshuffle = next(one for one in reversed(self.reshuffles) if one.first_index <= card_index)
        return any(
            dead < len(self.deck.deck) and dead not in self.deck.fixed_indices for dead in reshuffle.dead_indices
        )

    def _apply_void(self) -> None:
        """The record says that the hand did not count (I-1)."""
        voided = self.record.metadata.get("_voided")
        if isinstance(voided, list) and len(voided) == 2 and not self.hand.over:
            events = void(self.hand, str(voided[0]), str(voided[1]))
            self.hand = evolve_all(self.hand, events)
            self.events += events

    def _draw_lots(self) -> None:
        """The cards that drew odd chips by lot lie on top of the rest of the deck, those of each lot below the last (Q-2)."""
        lot = self.record.metadata.get("_lot")
        if isinstance(lot, str):
            drawn = [lot[at : at + 2] for at in range(0, len(lot), 2)]
            for card_index, card in zip(lot_order(self.hand), drawn, strict=False):
                if (
                    card != "??"
                    and card_index not in self.deck.fixed_indices
                    and (card_index < len(self.deck.deck) or self.hand.deck[card_index] != parse_card(card))
                    and self.deck.put_card(card_index, parse_card(card))
                ):
                    raise _DeckChanged

    def _result(self) -> ReplayedHand:
        hand = self.hand
        opened, by_street = False, []
        totals = iter(hand.pots_by_betting_round)
        for event in self.events:
            if isinstance(event, e.BettingRoundOpened):
                opened = True
            elif isinstance(event, e.BettingRoundClosed):
                total = next(totals)
                if opened:
                    by_street.append(total)
                opened = False
        layers = pots(hand.put_in, hand.live_seats, hand.dead_chips)
        return ReplayedHand(
            tuple(hand.stacks),
            tuple(by_street),
            tuple([pot.chips for pot in layers]),
            tuple(self.events),
            hand,
            frozenset(self.named_indices),
            frozenset(self.deck.fixed_indices | self.named_indices),
        )


def _shown_alone(action: phh.RecordedShowOrMuck, card_indices: tuple[CardIndex, ...]) -> tuple[CardIndex, ...]:
    """The cards that a player shows after the hand while others of theirs stay hidden; none where they show them all (Z-4)."""
    named = [card_index for card_index, card in zip(card_indices, action.cards, strict=True) if card is not None]
    return tuple(named) if len(named) < len(card_indices) else ()
