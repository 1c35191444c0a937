"""A hand as PHH, the poker hand history format: any game, from its events and its deck, with no more cards than the
reader can know.

What the standard can express is written so; the rest goes into the extension fields of `bot.history.phh_fields` and
the extension verbs of `bot.history.phh`. `bot.history.replay` plays the result again to the same stacks.

Laws: TL-22, TL-37, Q-2.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.betting.out_of_turn import is_binding
from bot.engine.betting.pots import pots
from bot.engine.cards import card_text
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.legal import Decision, OpeningDuty
from bot.engine.showdown.settle import lot_card_indices
from bot.engine.units import SeatIndex
from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer, KnownCards
from bot.history import phh
from bot.history.phh_fields import record_fields


def record_hand(
    events: Sequence[e.HandEvent], deck: tuple[int, ...], viewer: HistoryViewer = PUBLIC, names: Sequence[str] = ()
) -> phh.RecordedHand:
    """Write a hand down as a PHH record. `phh.write` makes the text of a file of it.

    Args:
        events: every event of the hand, the first one first.
        deck: the whole deck as it was dealt from.
        viewer: who will read it; a card they cannot know is ``??``.
        names: of the players by seat, where they are to be named.
    """
    first = events[0]
    assert isinstance(first, e.HandStarted)
    writer = _PhhWriter(begin_hand(first, deck), KnownCards(events, deck, viewer))
    last_deal = max((at for at, event in enumerate(events) if isinstance(event, _DEALT_TO_SEATS)), default=0)
    for at, event in enumerate(events[1:], start=1):
        writer.add_event(event, deals_follow=at < last_deal)
    writer.write_dealt_cards()
    hand = writer.hand
    fields = record_fields(first)
    extensions: dict[str, object] = {"players": list(names)} if names else {}
    extensions |= fields.pop("metadata")
    # With every card known, it follows who shows and who mucks where nobody was asked.
    if viewer is ALL_KNOWING:
        extensions["_ask_show"] = first.ask_show
    if hand.voided:
        voided = next(event for event in events if isinstance(event, e.HandVoided))
        extensions["_voided"] = [voided.law, voided.reason]
    if lot := lot_card_indices(hand):
        # to draw a lot opens a card of the rest of the deck, but no card that was dealt: lots come to those where the rest is short
        extensions["_lot"] = "".join(
            card_text(hand.deck[at]) if at >= hand.next_card_index or writer.known.knows_opened(at) else "??"
            for at in lot
        )
    ended = hand.over and not hand.voided
    return phh.RecordedHand(
        **fields,
        actions=tuple(writer.actions),
        finishing_stacks=tuple(hand.stacks) if hand.over else None,
        pots_by_street=tuple(writer.pots_by_street) if ended else None,
        final_pots=tuple([pot.chips for pot in pots(hand.put_in, hand.live_seats, hand.dead_chips)]) if ended else None,
        metadata=extensions,
    )


def to_phh(
    events: Sequence[e.HandEvent],
    deck: tuple[int, ...],
    viewer: HistoryViewer = PUBLIC,
    names: Sequence[str] = (),
    about: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Write a hand as the text of a PHH file. Arguments as for `record_hand`.

    Args:
        about: more fields of the format that say where it was played: `event`, `level`.
    """
    record = record_hand(events, deck, viewer, names)
    return phh.write(replace(record, metadata={**about, **record.metadata}))


_DEALT_TO_SEATS = (e.DealtDown, e.DealtUp, e.DealtUpToSeat, e.DealtUpOrDown, e.ExtraCardDealt)


class _PhhWriter:
    """Follows a hand and writes down what was dealt and what each seat asked for; what the dealer did unasked needs
    no line."""

    def __init__(self, hand: Hand, known: KnownCards) -> None:
        self.hand = hand
        self.known = known
        self.actions: list[phh.RecordedAction] = []
        self.pots_by_street: list[int] = []
        self.dealt_by_seat: dict[SeatIndex, list[int]] = {}  # by seat, cards dealt since the last line
        self.seen_indices: set[int] = set()
        self.secret_lines: list[phh.RecordedAction] = []  # secret until all have chosen
        self.turned_up_seats: list[SeatIndex] = []  # all-in hands that get more cards, in the order of showing
        self.betting_opened = self.is_drawing = False
        self.bound_action: e.HandEvent | None = None

    def add_event(self, event: e.HandEvent, *, deals_follow: bool) -> None:
        """Write one event down and go on.

        Args:
            deals_follow: cards will be dealt to seats after it. The format has each street's cards on lines of their own, and a hand
                shown with all of its cards: hands of stud that are turned up before their last street are shown at the end.
        """
        before = self.hand
        if isinstance(event, e.Shown) and deals_follow:
            self.turned_up_seats.append(event.seat)
            self.hand = evolve(before, event)
            return
        line = None if event is self.bound_action else self._line(before, event)
        if line is not None:
            if not (isinstance(event, e.Drew) and self.is_drawing):  # the format has all discards of a draw first
                self.write_dealt_cards()
            self.is_drawing = isinstance(event, e.Drew)
            (self.secret_lines if isinstance(event, e.SecretChoiceMade) else self.actions).append(line)
        if isinstance(event, e.SecretChoicesApplied):
            self.actions += self.secret_lines
            self.secret_lines = []
        if isinstance(event, e.DrawOpened):
            self.is_drawing = False
        if isinstance(event, e.BettingRoundOpened):
            self.betting_opened = True
        self.hand = after = evolve(before, event)
        if isinstance(event, e.BettingRoundClosed):
            if self.betting_opened:
                self.pots_by_street.append(after.pots_by_betting_round[-1])
            self.betting_opened = False
            if self.turned_up_seats:
                self.write_dealt_cards()
        self._note_dealt_cards(after)
        if self.turned_up_seats and not deals_follow:
            self.write_dealt_cards()
            self.actions += [self._show(after, seat) for seat in self.turned_up_seats]
            self.turned_up_seats = []

    def write_dealt_cards(self) -> None:
        """Write down the cards dealt since the last line."""
        for seat, card_indices in sorted(self.dealt_by_seat.items()):
            dealt = tuple(
                self.hand.deck[card_index] if self.known.knows_dealt(seat, card_index) else None
                for card_index in card_indices
            )
            self.actions.append(phh.RecordedHoleCards(seat + 1, dealt))
        self.dealt_by_seat = {}

    def _note_dealt_cards(self, hand: Hand) -> None:
        common: list[int] = []
        for board in hand.board_indices:
            common += [
                card_index for card_index in board if card_index not in self.seen_indices and card_index not in common
            ]
        if common:
            self.write_dealt_cards()
            self.actions.append(phh.RecordedBoard(tuple(hand.deck[card_index] for card_index in common)))
            self.seen_indices.update(common)
        for seat in hand.seats:
            fresh = [
                card_index
                for card_index in (*hand.down_indices[seat], *hand.up_indices[seat])
                if card_index not in self.seen_indices
            ]
            if fresh:
                self.dealt_by_seat.setdefault(seat, []).extend(sorted(fresh))
                self.seen_indices.update(fresh)

    def _held_cards(self, seat: SeatIndex, card_indices: Iterable[int]) -> tuple[int | None, ...]:
        deck = self.hand.deck
        return tuple(
            deck[card_index] if self.known.knows_held(seat, card_index) else None for card_index in card_indices
        )

    def _given_up_cards(
        self, seat: SeatIndex, card_indices: Iterable[int], *, passed: bool = False
    ) -> tuple[int | None, ...]:
        deck = self.hand.deck
        return tuple(
            deck[card_index] if self.known.knows_given_up(seat, card_index, passed=passed) else None
            for card_index in card_indices
        )

    def _line(self, hand: Hand, event: e.HandEvent) -> phh.RecordedAction | None:
        """Return the line of what a seat asked for; None for what follows by itself."""
        match event:
            case e.Folded(seat):
                return self._folded(hand, seat)
            case e.Checked(seat) | e.Called(seat):
                return None if _follows_from_out_of_turn_chips(hand, seat) else phh.RecordedCheckOrCall(seat + 1)
            case e.BetTo(seat, to) | e.RaisedTo(seat, to):
                return None if _follows_from_out_of_turn_chips(hand, seat) else _bet_action(hand, seat, to)
            case e.OutOfTurnChipsPutIn(seat, chips):
                return phh.RecordedOutOfTurnChips(seat + 1, hand.bets[seat] + chips)
            case e.OutOfTurnActionNoted(seat, action):
                return self._line(hand, action)
            case e.OutOfTurnActionResolved(seat):
                self.bound_action = next(
                    (
                        said
                        for who, level, said in hand.out_of_turn_actions
                        if who == seat and is_binding(hand, seat, level, said)
                    ),
                    None,
                )
                return None
            case e.Straddled(seat) | e.CardTurnedUp(seat) | e.PricePaid(seat):
                return phh.RecordedAnswer(seat + 1, yes=True)
            case e.StraddleDeclined(seat) | e.OfferDeclined(seat):
                return phh.RecordedAnswer(seat + 1, yes=False)
            case e.Drew(seat, discards):
                return phh.RecordedDraw(seat + 1, self._given_up_cards(seat, discards))
            case e.SecretChoiceMade(seat, card_indices, word):
                return self._secret_choice(hand, seat, card_indices, word)
            case e.Designated(seat) if not self.known.knows_designation(seat):
                return phh.RecordedDesignation(seat + 1, (), "")
            case e.Designated(seat, as_cards, word):
                return phh.RecordedDesignation(
                    seat + 1, tuple((hand.deck[card_index], card) for card_index, card in as_cards), word
                )
            case e.Shown(seat):
                return self._show(hand, seat)
            case e.CardsShown(seat, shown):
                own = sorted((*hand.down_indices[seat], *hand.up_indices[seat]))
                return phh.RecordedShowOrMuck(
                    seat + 1, tuple([hand.deck[card_index] if card_index in shown else None for card_index in own])
                )
            case e.Mucked(seat):
                return phh.RecordedShowOrMuck(seat + 1, shown=False)
            case _:
                return None

    def _show(self, hand: Hand, seat: SeatIndex) -> phh.RecordedAction:
        own = sorted((*hand.down_indices[seat], *hand.up_indices[seat]))
        return phh.RecordedShowOrMuck(seat + 1, self._held_cards(seat, own), shown=True)

    def _folded(self, hand: Hand, seat: SeatIndex) -> phh.RecordedAction | None:
        """Return a fold, or the declined price; a player who has declared themselves out folds without a further word."""
        if hand.decision is Decision.BET:
            return phh.RecordedFold(seat + 1)
        return phh.RecordedAnswer(seat + 1, yes=False) if hand.decision is Decision.OFFER else None

    def _secret_choice(
        self, hand: Hand, seat: SeatIndex, card_indices: tuple[int, ...], word: str
    ) -> phh.RecordedAction:
        match hand.decision:
            case Decision.RUN_TWICE:
                return phh.RecordedAnswer(seat + 1, yes=word == "yes")
            case Decision.DECLARE:
                return phh.RecordedDeclaration(seat + 1, word)
            case Decision.ARRANGE:
                return phh.RecordedArrangement(seat + 1, self._held_cards(seat, card_indices))
            case decision:
                return phh.RecordedGiveUp(
                    seat + 1, self._given_up_cards(seat, card_indices, passed=decision is Decision.PASS_CARDS)
                )


def _follows_from_out_of_turn_chips(hand: Hand, seat: SeatIndex) -> bool:
    """Return whether a seat's action at its turn is what it had put in early (I-8)."""
    if not (hand.out_of_turn_chips and hand.out_of_turn_chips[seat]):
        return False
    return hand.out_of_turn_chips[seat] >= hand.current_bet - hand.bets[seat] or not hand.stacks[seat]


def _bet_action(hand: Hand, seat: SeatIndex, to: int) -> phh.RecordedAction:
    if hand.opening_duty is not OpeningDuty.FREE and to == min(hand.rules.amounts.bring_in, hand.stacks[seat]):
        return phh.RecordedBringIn(seat + 1)
    return phh.RecordedBetOrRaise(seat + 1, to)
