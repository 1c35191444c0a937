"""A hand line by line, as facts: what happened, in order, with no more cards than the reader can know.

`bot.text.hand_history` writes the lines in words. Which cards the reader knows is decided here, as in `bot.history.record`.

Laws: TL-22, TL-37, Z-4; 0.2 (what is put in, and the total it makes).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from bot.engine import events as e
from bot.engine.betting.pots import pots
from bot.engine.cards import JOKER
from bot.engine.dealing.decks import joker_count
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, OfferKind
from bot.engine.options.wild_cards import WildCards
from bot.engine.ranking import HandName
from bot.engine.ranking.spec import WildMethod
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.stakes import Stakes
from bot.engine.units import NO_SEAT, SeatIndex
from bot.engine.view.build import seen_actions
from bot.engine.view.redact import PUBLIC, HistoryViewer, KnownCards
from bot.engine.view.types import LastAction

Cards: TypeAlias = tuple[int | None, ...]
"""Cards in a row; None for one that the reader cannot know."""


class LineKind(StrEnum):
    """What a line tells. Beside each, the fields of `HistoryLine` that it uses."""

    # the head
    GAME = "game"  # word: the game's name; stakes
    BUTTON = "button"  # number: of the seat
    STACK = "stack"  # seat, number, chips
    WILD = "wild"  # wild_cards; number: of jokers that are wild or a bug, word: ``bug`` where they are
    CARRIED = "carried"  # chips
    # the hand
    STREET = "street"  # word
    ACTION = "action"  # seat, action; cards: those that were discarded
    DEALT = "dealt"  # seat, cards
    BOARD = "board"  # cards, number: of the board, 0 for the only one
    FOLDED_TO_PRICE = "folded to price"  # seat
    CHIPS_OUT_OF_TURN = "chips out of turn"  # seat, chips
    ACTED_OUT_OF_TURN = "acted out of turn"  # seat
    CHIPS_FORFEITED = "chips forfeited"  # seat, chips
    UNCALLED = "uncalled"  # seat, chips
    RESHUFFLED = "reshuffled"  # number: of cards
    WANTS_TWO_BOARDS = "wants two boards"  # seat
    WANTS_ONE_BOARD = "wants one board"  # seat
    DECLARED = "declared"  # seat, word
    PASSED_CARDS = "passed cards"  # seat, cards
    GAVE_UP_CARDS = "gave up cards"  # seat, cards
    ARRANGED = "arranged"  # seat, cards
    ROLLED_OUT = "rolled out"  # seat, cards
    RUN_OUT = "run out"  # number: of boards
    # the end
    SHOWDOWN = "showdown"
    ALL_IN_SHOWDOWN = "all-in showdown"
    NAMED_CARDS = "named cards"  # seat, cards: each wild card and what it stands for, in turn; word: on aces
    SHOWED = "showed"  # seat, cards, hands
    MUCKED = "mucked"  # seat
    WON = "won"  # seat, chips; number: of the pot, pot_count; board; word: the share; hands; odd_chips
    OPENED_ON = "opened on"  # seat, cards
    MATCHED = "matched"  # seat, chips
    NOBODY_OPENED = "nobody opened"  # chips
    CANCELLED = "cancelled"  # word: the reason
    # the summary
    SUMMARY = "summary"
    POTS = "pots"  # pots
    FINAL_BOARD = "final board"  # cards, number
    FINAL_FOLDED = "final folded"  # seat, number, chips: the stack; won
    FINAL_SHOWED = "final showed"  # seat, number, cards, chips, won
    FINAL_MUCKED = "final mucked"  # seat, number, chips, won
    FINAL_NOT_SHOWN = "final not shown"  # seat, number, chips, won


class HistoryLine(Struct, frozen=True):
    """One line. Which fields it uses, `LineKind` says.

    Attributes:
        hands: the names of the hand that a seat has, for each share of the pot that it qualifies for.
        board: the number of the board, from 1, where there are several.
        ante_rule, limit: values of the options `Ante` and `Limit`.
    """

    kind: LineKind
    seat: SeatIndex = NO_SEAT
    chips: int = 0
    number: int = 0
    cards: Cards = ()
    word: str = ""
    action: LastAction | None = None
    hands: tuple[HandName, ...] = ()
    board: int = 0
    pot_count: int = 0
    odd_chips: bool = False
    won: int = 0
    pots: tuple[int, ...] = ()
    stakes: Stakes | None = None
    ante_rule: str = ""
    limit: str = ""
    wild_cards: WildCards | None = None


def history_lines(
    events: Sequence[e.HandEvent], deck: tuple[int, ...], viewer: HistoryViewer = PUBLIC
) -> tuple[HistoryLine, ...]:
    """Tell a hand line by line, with a summary once it is over.

    Args:
        events: every event of the hand, the first one first.
        deck: the whole deck as it was dealt from.
        viewer: who will read it; a card they cannot know is not told.
    """
    first = events[0]
    assert isinstance(first, e.HandStarted)
    teller = _HandTeller(begin_hand(first, deck), KnownCards(events, deck, viewer))
    teller.tell_head()
    for event in events[1:]:
        teller.tell(event)
    if teller.hand.over:
        teller.tell_summary()
    return tuple(teller.lines)


def _wild_line(hand: Hand) -> HistoryLine:
    """Return what the options make wild, and what jokers are."""
    options, ranking = hand.rules.options, hand.rules.evaluators[0].ranking
    method = ranking.wild.method_of(JOKER)
    jokers = 0 if method is WildMethod.NONE else joker_count(options.deck)
    wild = WildCards(options.wild_ranks, options.wild_cards)
    return HistoryLine(LineKind.WILD, number=jokers, word="bug" if method is WildMethod.BUG else "", wild_cards=wild)


class _HandTeller:
    """Follows a hand and tells it."""

    def __init__(self, hand: Hand, known: KnownCards) -> None:
        self.hand = hand
        self.known = known
        self.lines: list[HistoryLine] = []
        self.new_by_seat: dict[SeatIndex, list[int]] = {}  # by seat, cards dealt since the last line
        self.seen_indices: set[int] = set()

    def tell_head(self) -> None:
        """The head: game, stakes, button and stacks."""
        started, rules = self.hand.started, self.hand.rules
        self.lines.append(
            HistoryLine(
                LineKind.GAME,
                word=started.rule_card.name,
                stakes=rules.stakes,
                ante_rule=rules.options.ante,
                limit=rules.limit,
            )
        )
        self.lines.append(HistoryLine(LineKind.BUTTON, number=started.button_seat_number))
        for seat, (number, chips) in enumerate(zip(started.seat_numbers, started.stacks, strict=True)):
            self.lines.append(HistoryLine(LineKind.STACK, SeatIndex(seat), chips, number))
        wild = _wild_line(self.hand)
        if wild.wild_cards != WildCards() or wild.number:
            self.lines.append(wild)
        if started.carried:
            self.lines.append(HistoryLine(LineKind.CARRIED, chips=started.carried))

    def tell(self, event: e.HandEvent) -> None:
        """Tell one event and go on."""
        before = self.hand
        self.hand = evolve(before, event)
        lines = tuple(_LINES_BY_EVENT.get(type(event), _HandTeller.action)(self, before, event))
        if lines:
            self._tell_dealt_cards()
            self.lines += lines
        self._note_dealt_cards(event)

    def tell_summary(self) -> None:
        """The end: pots, boards, and how each seat came out."""
        hand = self.hand
        self.lines.append(HistoryLine(LineKind.SUMMARY))
        if not hand.voided:
            layers = tuple(pot.chips for pot in pots(hand.put_in, hand.live_seats, hand.dead_chips))
            self.lines.append(HistoryLine(LineKind.POTS, chips=sum(layers), pots=layers))
        for number, board in enumerate(hand.board_indices):
            if board:
                number_or_0 = number + 1 if len(hand.board_indices) > 1 else 0
                self.lines.append(HistoryLine(LineKind.FINAL_BOARD, cards=self._cards(board), number=number_or_0))
        self.lines += [self._outcome(seat) for seat in hand.seats]

    def _outcome(self, seat: SeatIndex) -> HistoryLine:
        hand = self.hand
        cards: Cards = ()
        if not hand.live_seats >> seat & 1:
            kind = LineKind.FINAL_FOLDED
        elif hand.shown_seats >> seat & 1:
            kind, cards = LineKind.FINAL_SHOWED, self._held(hand, seat)
        else:
            kind = LineKind.FINAL_MUCKED if hand.mucked_seats >> seat & 1 else LineKind.FINAL_NOT_SHOWN
        won = sum(paid.chips for paid in hand.payments if paid.seat == seat)
        return HistoryLine(kind, seat, hand.stacks[seat], hand.started.seat_numbers[seat], cards, won=won)

    def _cards(self, card_indices: Iterable[int], known: Callable[[int], bool] = lambda _index: True) -> Cards:
        return tuple(self.hand.deck[index] if known(index) else None for index in card_indices)

    def _held(self, hand: Hand, seat: SeatIndex) -> Cards:
        """All cards of a seat as far as the reader can know them at the showdown."""
        held = sorted((*hand.down_indices[seat], *hand.up_indices[seat]))
        return self._cards(held, partial(self.known.knows_held, seat))

    def _made_hands(self, seat: SeatIndex) -> tuple[HandName, ...]:
        """The hand a seat has, by every share of the pot it qualifies for, on every board."""
        hand = self.hand
        return tuple(
            evaluator.name(value)
            for evaluator in evaluators_for(hand, seat)
            for number in range(len(hand.board_indices))
            if (value := evaluator.best(hand.held_cards(seat), hand.board_cards(number)))
        )

    def _note_dealt_cards(self, event: e.HandEvent) -> None:
        """Gather what each seat was dealt; a street of common cards gets its own line at once."""
        hand = self.hand
        for seat in hand.seats:
            fresh = [
                card_index
                for card_index in (*hand.down_indices[seat], *hand.up_indices[seat])
                if card_index not in self.seen_indices
            ]
            if fresh:
                self.new_by_seat.setdefault(seat, []).extend(sorted(fresh))
                self.seen_indices.update(fresh)
        if isinstance(event, e.DealtBoard):
            self._tell_dealt_cards()
            card_indices = range(event.first_card_index, event.first_card_index + event.count)
            number = event.board_index + 1 if len(hand.board_indices) > 1 else 0
            self.lines.append(HistoryLine(LineKind.BOARD, cards=self._cards(card_indices), number=number))

    def _tell_dealt_cards(self) -> None:
        for seat, card_indices in sorted(self.new_by_seat.items()):
            cards = self._cards(card_indices, partial(self.known.knows_dealt, seat))
            self.lines.append(HistoryLine(LineKind.DEALT, seat, cards=cards))
        self.new_by_seat = {}

    # What each kind of event tells. `_before` is the hand as it was.

    def action(self, before: Hand, event: e.HandEvent) -> Iterator[HistoryLine]:
        """What everybody saw a seat do, if the event is an action."""
        if self.hand.street_actions and self.hand.street_actions[-1] is event:
            actions = seen_actions(self.hand).actions
            if len(actions) > len(seen_actions(before).actions):
                yield HistoryLine(LineKind.ACTION, actions[-1].seat_index, action=actions[-1])

    def folded(self, before: Hand, event: e.Folded) -> Iterator[HistoryLine]:
        if before.decision is Decision.OFFER:
            yield HistoryLine(LineKind.FOLDED_TO_PRICE, event.seat)
        elif before.decision is Decision.BET:
            yield from self.action(before, event)

    def betting_round(self, _before: Hand, event: e.BettingRoundOpened) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.STREET, word=event.street)

    def draw_opened(self, _before: Hand, event: e.DrawOpened) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.STREET, word=event.street)

    def put_in_out_of_turn(self, _before: Hand, event: e.OutOfTurnChipsPutIn) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.CHIPS_OUT_OF_TURN, event.seat, event.chips)

    def noted_out_of_turn(self, _before: Hand, event: e.OutOfTurnActionNoted) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.ACTED_OUT_OF_TURN, event.seat)

    def out_of_turn_forfeited(self, _before: Hand, event: e.OutOfTurnChipsForfeited) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.CHIPS_FORFEITED, event.seat, event.chips)

    def betting_round_closed(self, _before: Hand, event: e.BettingRoundClosed) -> Iterator[HistoryLine]:
        if event.returned:
            yield HistoryLine(LineKind.UNCALLED, event.seat, event.returned)

    def drew(self, before: Hand, event: e.Drew) -> Iterator[HistoryLine]:
        known = partial(self.known.knows_given_up, event.seat)
        for line in self.action(before, event):
            discards = self._cards(event.discards, known) if any(map(known, event.discards)) else ()
            yield HistoryLine(line.kind, line.seat, action=line.action, cards=discards)

    def reshuffled(self, _before: Hand, event: e.Reshuffled) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.RESHUFFLED, number=len(event.card_indices))

    def secret_choices(self, before: Hand, _event: e.SecretChoicesApplied) -> Iterator[HistoryLine]:
        """What was chosen in secret, told once all had chosen."""
        for seat, (card_indices, word) in sorted(before.secret_choices):
            match before.decision:
                case Decision.RUN_TWICE:
                    yield HistoryLine(LineKind.WANTS_TWO_BOARDS if word == "yes" else LineKind.WANTS_ONE_BOARD, seat)
                case _ if word:
                    yield HistoryLine(LineKind.DECLARED, seat, word=word)
                case Decision.PASS_CARDS:
                    knows = partial(self.known.knows_given_up, seat, passed=True)
                    yield HistoryLine(LineKind.PASSED_CARDS, seat, cards=self._cards(card_indices, knows))
                case Decision.GIVE_UP:
                    knows = partial(self.known.knows_given_up, seat)
                    yield HistoryLine(LineKind.GAVE_UP_CARDS, seat, cards=self._cards(card_indices, knows))
                case _:
                    knows = partial(self.known.knows_held, seat)
                    yield HistoryLine(LineKind.ARRANGED, seat, cards=self._cards(card_indices, knows))

    def secret_choice_made(self, _before: Hand, _event: e.SecretChoiceMade) -> Iterator[HistoryLine]:
        """Told with the others' (`secret_choices`)."""
        yield from ()

    def declined(self, before: Hand, event: e.OfferDeclined) -> Iterator[HistoryLine]:
        if before.offer_kind is OfferKind.TURN_UP:
            yield from self.action(before, event)

    def rolled_out(self, before: Hand, _event: e.CardsRolledOut) -> Iterator[HistoryLine]:
        for seat in seats_in(before.live_seats):
            yield HistoryLine(LineKind.ROLLED_OUT, seat, cards=self._cards(before.down_indices[seat][:1]))

    def run_twice(self, _before: Hand, event: e.BoardRunTwice) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.RUN_OUT, number=event.board_count)

    def showdown(self, _before: Hand, event: e.ShowdownOpened) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.ALL_IN_SHOWDOWN if event.all_in else LineKind.SHOWDOWN)

    def designated(self, before: Hand, event: e.Designated) -> Iterator[HistoryLine]:
        if self.known.knows_designation(event.seat) and (event.designations or event.ace_word):
            cards = tuple(
                card for card_index, meaning in event.designations for card in (before.deck[card_index], meaning)
            )
            yield HistoryLine(LineKind.NAMED_CARDS, event.seat, cards=cards, word=event.ace_word)

    def shown(self, before: Hand, event: e.Shown) -> Iterator[HistoryLine]:
        hands = self._made_hands(event.seat) if before.showdown and not before.all_in_showdown else ()
        yield HistoryLine(LineKind.SHOWED, event.seat, cards=self._held(before, event.seat), hands=hands)

    def cards_shown(self, before: Hand, event: e.CardsShown) -> Iterator[HistoryLine]:
        cards = tuple(before.deck[card_index] for card_index in event.card_indices)
        yield HistoryLine(LineKind.SHOWED, event.seat, cards=cards)

    def mucked(self, _before: Hand, event: e.Mucked) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.MUCKED, event.seat)

    def pots_paid(self, before: Hand, event: e.PotsPaid) -> Iterator[HistoryLine]:
        """Who takes what of which pot, with which hand; the last side pot first."""
        shares = {share.name: at for at, share in enumerate(before.rules.rule_card.shares)}
        pot_count = len({payment.pot_index for payment in event.payments})
        for payment in event.payments:
            hands: tuple[HandName, ...] = ()
            if payment.value:
                evaluator = evaluators_for(before, payment.seat)[shares[payment.share]]
                hands = (evaluator.name(payment.value),)
            yield HistoryLine(
                LineKind.WON,
                payment.seat,
                payment.chips,
                payment.pot_index,
                word=payment.share if payment.share != "pot" else "",
                hands=hands,
                board=payment.board_index + 1 if len(before.board_indices) > 1 and payment.value else 0,
                pot_count=pot_count,
                odd_chips=bool(payment.odd_chips),
            )

    def openers_shown(self, _before: Hand, event: e.OpenersShown) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.OPENED_ON, event.seat, cards=self._cards(event.card_indices))

    def pot_matched(self, _before: Hand, event: e.PotMatched) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.MATCHED, event.seat, event.chips)

    def passed_out(self, _before: Hand, event: e.HandPassedOut) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.NOBODY_OPENED, chips=event.chips)

    def voided(self, _before: Hand, event: e.HandVoided) -> Iterator[HistoryLine]:
        yield HistoryLine(LineKind.CANCELLED, word=event.reason)


_LINES_BY_EVENT: dict[type[e.HandEvent], Callable[[_HandTeller, Hand, Any], Iterator[HistoryLine]]] = {
    e.Folded: _HandTeller.folded,
    e.BettingRoundOpened: _HandTeller.betting_round,
    e.OutOfTurnChipsPutIn: _HandTeller.put_in_out_of_turn,
    e.OutOfTurnActionNoted: _HandTeller.noted_out_of_turn,
    e.OutOfTurnChipsForfeited: _HandTeller.out_of_turn_forfeited,
    e.BettingRoundClosed: _HandTeller.betting_round_closed,
    e.DrawOpened: _HandTeller.draw_opened,
    e.Drew: _HandTeller.drew,
    e.Reshuffled: _HandTeller.reshuffled,
    e.SecretChoiceMade: _HandTeller.secret_choice_made,
    e.SecretChoicesApplied: _HandTeller.secret_choices,
    e.OfferDeclined: _HandTeller.declined,
    e.CardsRolledOut: _HandTeller.rolled_out,
    e.BoardRunTwice: _HandTeller.run_twice,
    e.ShowdownOpened: _HandTeller.showdown,
    e.Designated: _HandTeller.designated,
    e.Shown: _HandTeller.shown,
    e.CardsShown: _HandTeller.cards_shown,
    e.Mucked: _HandTeller.mucked,
    e.PotsPaid: _HandTeller.pots_paid,
    e.OpenersShown: _HandTeller.openers_shown,
    e.PotMatched: _HandTeller.pot_matched,
    e.HandPassedOut: _HandTeller.passed_out,
    e.HandVoided: _HandTeller.voided,
}
"""Events with lines of their own. Every other event is told as the action that everybody saw, if it is one."""
