"""A hand as the common hand-history text: one line for everything that happened, in the layout players and their
tools are used to.

It shows no more cards than the reader can know, as in `bot.history.record`.

Laws: TL-22, TL-37, Z-4; 0.2 (what is put in, and the total it makes).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from bot.engine import cards
from bot.engine import events as e
from bot.engine.betting.openers import splits_openers
from bot.engine.betting.pots import pots
from bot.engine.cards import JOKER
from bot.engine.dealing.decks import joker_count
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, OfferKind
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, Limit
from bot.engine.options.wild_cards import WildCards, wild_classes
from bot.engine.ranking.spec import WildMethod
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.stakes import Stakes, bet_sizes
from bot.engine.units import SeatIndex
from bot.engine.view.redact import PUBLIC, HistoryViewer, KnownCards
from bot.history.hand_names import long_name


def to_text(
    events: Sequence[e.HandEvent],
    deck: tuple[int, ...],
    viewer: HistoryViewer = PUBLIC,
    names: Sequence[str] = (),
    title: str = "Hand",
) -> str:
    """Write a hand as text, ending with a summary once it is over.

    Args:
        events: every event of the hand, the first one first.
        deck: the whole deck as it was dealt from.
        viewer: who will read it; a card they cannot know is not shown.
        names: of the players by seat; without them they are ``Player 1`` and so on.
        title: what the hand is called in the first line: ``Hand #12``.
    """
    first = events[0]
    assert isinstance(first, e.HandStarted)
    players = [" ".join(name.split()) for name in names] or [
        f"Player {at}" for at in range(1, len(first.seat_numbers) + 1)
    ]
    teller = _TextWriter(begin_hand(first, deck), KnownCards(events, deck, viewer), players)
    teller.write_header(title)
    for event in events[1:]:
        teller.add_event(event)
    if teller.hand.over:
        teller.write_summary()
    return "\n".join(teller.lines) + "\n"


class _TextWriter:
    """Follows a hand and tells it."""

    def __init__(self, hand: Hand, known: KnownCards, names: Sequence[str]) -> None:
        self.hand = hand
        self.known = known
        self.names = names
        self.lines: list[str] = []
        self.new_by_seat: dict[SeatIndex, list[int]] = {}  # by seat, cards dealt since the last line
        self.seen_indices: set[int] = set()

    def write_header(self, title: str) -> None:
        """The head: game, stakes, button and stacks."""
        started = self.hand.started
        self.lines.append(f"{title}: {started.rule_card.name}, {_stakes_line(self.hand)}")
        self.lines.append(f"Seat {started.button_seat_number} has the button")
        for name, number, chips in zip(self.names, started.seat_numbers, started.stacks, strict=True):
            self.lines.append(f"Seat {number}: {name} ({chips:,} in chips)")
        wild = _wild_cards_text(self.hand)
        if wild:
            self.lines.append(f"Wild: {wild}")
        if started.carried:
            self.lines.append(f"In the pot from before: {started.carried:,}")

    def add_event(self, event: e.HandEvent) -> None:
        """Tell one event and go on."""
        before = self.hand
        self.hand = evolve(before, event)
        write_line = _LINE_BY_EVENT.get(type(event))
        line = write_line(self, before, event) if write_line is not None else ""
        if line:
            self._write_dealt_cards()
            self.lines.append(line)
        self._note_dealt_cards(event)

    def write_summary(self) -> None:
        """The end: pots, boards, and how each seat came out."""
        hand = self.hand
        self.lines.append("*** SUMMARY ***")
        if hand.voided:
            self.lines.append(f"The hand does not count: {hand.void_reason}")
        else:
            layers = [pot.chips for pot in pots(hand.put_in, hand.live_seats, hand.dead_chips)]
            sides = "".join(f" | side pot {chips:,}" for chips in layers[1:])
            self.lines.append(f"Pot {sum(layers):,} | main pot {layers[0]:,}{sides}")
        for number, board in enumerate(hand.board_indices):
            if board:
                which = f"Board {number + 1}" if len(hand.board_indices) > 1 else "Board"
                self.lines.append(f"{which} {self.cards_text(board)}")
        for seat in hand.seats:
            self.lines.append(f"Seat {hand.started.seat_numbers[seat]}: {self.names[seat]} {self._outcome_text(seat)}")

    def cards_text(self, card_indices: Iterable[int], known: Callable[[int], bool] = lambda _index: True) -> str:
        """Cards in brackets; one the reader cannot know is ``??``. Where they know none, how many there are."""
        deck, held = self.hand.deck, list(card_indices)
        if not any(map(known, held)):
            return f"{len(held)} card{'s' if len(held) > 1 else ''}"
        return (
            "["
            + " ".join(cards.card_text(deck[card_index]) if known(card_index) else "??" for card_index in held)
            + "]"
        )

    def held_text(self, hand: Hand, seat: SeatIndex) -> str:
        """Return all cards of a seat as far as the reader can know them at the showdown."""
        return self.cards_text(
            sorted((*hand.down_indices[seat], *hand.up_indices[seat])), partial(self.known.knows_held, seat)
        )

    def made_text(self, seat: SeatIndex) -> str:
        """Return the hand a seat has, by every share of the pot it qualifies for, in brackets; "" without common cards to be sure of."""
        hand = self.hand
        values = []
        for evaluator in evaluators_for(hand, seat):
            for number in range(len(hand.board_indices)):
                value = evaluator.best(hand.held_cards(seat), hand.board_cards(number))
                if value:
                    values.append(long_name(evaluator.name(value)))
        return f" ({'; '.join(dict.fromkeys(values))})" if values else ""

    def _outcome_text(self, seat: SeatIndex) -> str:
        hand = self.hand
        won = sum(paid.chips for paid in hand.payments if paid.seat == seat)
        if not hand.live_seats >> seat & 1:
            how = "folded"
        elif hand.shown_seats >> seat & 1:
            how = f"showed {self.held_text(hand, seat)}"
        else:
            how = "mucked" if hand.mucked_seats >> seat & 1 else "did not show"
        return f"{how}{f', won {won:,}' if won else ''}, has {hand.stacks[seat]:,}"

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
            self._write_dealt_cards()
            card_indices = range(event.first_card_index, event.first_card_index + event.count)
            which = f" on board {event.board_index + 1}" if len(hand.board_indices) > 1 else ""
            self.lines.append(f"Dealt to the table{which} {self.cards_text(card_indices)}")

    def _write_dealt_cards(self) -> None:
        for seat, card_indices in sorted(self.new_by_seat.items()):
            self.lines.append(
                f"Dealt to {self.names[seat]} {self.cards_text(card_indices, partial(self.known.knows_dealt, seat))}"
            )
        self.new_by_seat = {}

    # What each kind of event sounds like: a line, or "" for nothing. `_before` is the hand as it was.

    def posted(self, _before: Hand, event: e.Posted) -> str:
        short = " and is all-in" if not self.hand.stacks[event.seat] else ""
        return f"{self.names[event.seat]}: posts {event.kind} {event.chips:,}{short}"

    def betting_round(self, _before: Hand, event: e.BettingRoundOpened) -> str:
        return f"*** {event.street.upper()} ***"

    def folded(self, before: Hand, event: e.Folded) -> str:
        if before.decision is Decision.OFFER:
            return f"{self.names[event.seat]}: does not pay and folds"
        return f"{self.names[event.seat]}: folds" if before.decision is Decision.BET else ""

    def checked(self, _before: Hand, event: e.Checked) -> str:
        return f"{self.names[event.seat]}: checks"

    def called(self, _before: Hand, event: e.Called) -> str:
        return f"{self.names[event.seat]}: calls {event.chips:,}{_all_in(event.all_in)}"

    def bet(self, before: Hand, event: e.BetTo) -> str:
        verb = "brings in for" if before.opening_duty != "free" and event.to <= before.rules.bring_in else "bets"
        return f"{self.names[event.seat]}: {verb} {event.to:,}{_all_in(event.all_in)}"

    def raised(self, before: Hand, event: e.RaisedTo) -> str:
        return (
            f"{self.names[event.seat]}: raises {event.to - before.current_bet:,} to {event.to:,}{_all_in(event.all_in)}"
        )

    def put_in_out_of_turn(self, _before: Hand, event: e.OutOfTurnChipsPutIn) -> str:
        return f"{self.names[event.seat]}: puts in {event.chips:,} out of turn"

    def noted_out_of_turn(self, _before: Hand, event: e.OutOfTurnActionNoted) -> str:
        return f"{self.names[event.seat]}: has acted out of turn"

    def out_of_turn_forfeited(self, _before: Hand, event: e.OutOfTurnChipsForfeited) -> str:
        return f"{self.names[event.seat]}: leaves {event.chips:,} put in out of turn in the pot"

    def betting_round_closed(self, _before: Hand, event: e.BettingRoundClosed) -> str:
        return f"Uncalled bet of {event.returned:,} goes back to {self.names[event.seat]}" if event.returned else ""

    def straddled(self, _before: Hand, event: e.Straddled) -> str:
        return f"{self.names[event.seat]}: straddles to {event.to:,}"

    def no_straddle(self, _before: Hand, event: e.StraddleDeclined) -> str:
        return f"{self.names[event.seat]}: does not straddle"

    def draw_opened(self, _before: Hand, event: e.DrawOpened) -> str:
        return f"*** {event.street.upper()} ***"

    def drew(self, before: Hand, event: e.Drew) -> str:
        if not event.discards:
            return f"{self.names[event.seat]}: stands pat"
        splits = ", splitting openers" if splits_openers(before, event.seat, event.discards) else ""
        discards = self.cards_text(event.discards, partial(self.known.knows_given_up, event.seat))
        return f"{self.names[event.seat]}: discards {discards}{splits}"

    def reshuffled(self, _before: Hand, event: e.Reshuffled) -> str:
        return f"The deck runs out: {len(event.card_indices)} dead cards are shuffled in"

    def secret_choices(self, before: Hand, _event: e.SecretChoicesApplied) -> str:
        """Return what was chosen in secret, written once all had chosen."""
        lines = []
        for seat, (card_indices, word) in sorted(before.secret_choices):
            if before.decision is Decision.RUN_TWICE:
                said = "runs it twice" if word == "yes" else "wants one board"
            elif word:
                said = f"declares {word}"
            else:
                passed = before.decision is Decision.PASS_CARDS
                knows = partial(self.known.knows_given_up, seat, passed=passed)
                if before.decision is Decision.ARRANGE:
                    knows = partial(self.known.knows_held, seat)
                verb = {Decision.PASS_CARDS: "passes", Decision.GIVE_UP: "gives up"}.get(before.decision, "arranges")
                said = f"{verb} {self.cards_text(card_indices, knows)}"
            lines.append(f"{self.names[seat]}: {said}")
        return "\n".join(lines)

    def turned_up(self, _before: Hand, event: e.CardTurnedUp) -> str:
        return f"{self.names[event.seat]}: turns up {self.cards_text((event.card_index,))}"

    def declined(self, before: Hand, event: e.OfferDeclined) -> str:
        return f"{self.names[event.seat]}: leaves it down" if before.offer_kind is OfferKind.TURN_UP else ""

    def rolled_out(self, before: Hand, _event: e.CardsRolledOut) -> str:
        return "\n".join(
            f"{self.names[seat]}: turns up {self.cards_text(before.down_indices[seat][:1])}"
            for seat in seats_in(before.live_seats)
        )

    def paid_price(self, _before: Hand, event: e.PricePaid) -> str:
        all_in = _all_in(not self.hand.stacks[event.seat])
        return f"{self.names[event.seat]}: pays {event.chips:,} for {self.cards_text((event.card_index,))}{all_in}"

    def run_twice(self, _before: Hand, event: e.BoardRunTwice) -> str:
        return f"The rest of the board is run {event.board_count} times"

    def showdown(self, _before: Hand, event: e.ShowdownOpened) -> str:
        return "*** ALL-IN: HANDS ARE TURNED UP ***" if event.all_in else "*** SHOWDOWN ***"

    def designated(self, before: Hand, event: e.Designated) -> str:
        if not self.known.knows_designation(event.seat):
            return ""
        said = [
            f"{cards.card_text(before.deck[card_index])} is {cards.card_text(card)}"
            for card_index, card in event.designations
        ]
        said += [event.ace_word] if event.ace_word else []
        return f"{self.names[event.seat]}: says {', '.join(said)}" if said else ""

    def shown(self, before: Hand, event: e.Shown) -> str:
        seat = event.seat
        made = self.made_text(seat) if before.showdown and not before.all_in_showdown else ""
        return f"{self.names[seat]}: shows {self.held_text(before, seat)}{made}"

    def mucked(self, _before: Hand, event: e.Mucked) -> str:
        return f"{self.names[event.seat]}: mucks"

    def pots_paid(self, before: Hand, event: e.PotsPaid) -> str:
        """Return who takes what of which pot, with which hand; the last side pot first."""
        shares = {share.name: at for at, share in enumerate(before.rules.rule_card.shares)}
        several = len({payment.pot_index for payment in event.payments}) > 1
        lines = []
        for payment in event.payments:
            pot = (
                ("the main pot" if not payment.pot_index else f"side pot {payment.pot_index}") if several else "the pot"
            )
            share = f" ({payment.share})" if payment.share != "pot" else ""
            board = f" on board {payment.board_index + 1}" if len(before.board_indices) > 1 and payment.value else ""
            hand = ""
            if payment.value:
                evaluator = evaluators_for(before, payment.seat)[shares[payment.share]]
                hand = f" with {long_name(evaluator.name(payment.value))}"
            odd = ", an odd chip among them" if payment.odd_chips else ""
            lines.append(f"{self.names[payment.seat]} takes {payment.chips:,} from {pot}{share}{board}{hand}{odd}")
        return "\n".join(lines)

    def openers_shown(self, _before: Hand, event: e.OpenersShown) -> str:
        return f"{self.names[event.seat]}: opened on {self.cards_text(event.card_indices)}"

    def pot_matched(self, _before: Hand, event: e.PotMatched) -> str:
        return f"{self.names[event.seat]}: matches the pot for the next hand, {event.chips:,}"

    def passed_out(self, _before: Hand, event: e.HandPassedOut) -> str:
        return f"Nobody opens: {event.chips:,} wait for the next hand"

    def voided(self, _before: Hand, event: e.HandVoided) -> str:
        return f"The hand is void ({event.law}: {event.reason}); all chips go back"


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


_LINE_BY_EVENT: dict[type[e.HandEvent], Callable[[_TextWriter, Hand, Any], str]] = {
    e.Posted: _TextWriter.posted,
    e.BettingRoundOpened: _TextWriter.betting_round,
    e.Folded: _TextWriter.folded,
    e.Checked: _TextWriter.checked,
    e.Called: _TextWriter.called,
    e.BetTo: _TextWriter.bet,
    e.RaisedTo: _TextWriter.raised,
    e.OutOfTurnChipsPutIn: _TextWriter.put_in_out_of_turn,
    e.OutOfTurnActionNoted: _TextWriter.noted_out_of_turn,
    e.OutOfTurnChipsForfeited: _TextWriter.out_of_turn_forfeited,
    e.BettingRoundClosed: _TextWriter.betting_round_closed,
    e.Straddled: _TextWriter.straddled,
    e.StraddleDeclined: _TextWriter.no_straddle,
    e.DrawOpened: _TextWriter.draw_opened,
    e.Drew: _TextWriter.drew,
    e.Reshuffled: _TextWriter.reshuffled,
    e.SecretChoicesApplied: _TextWriter.secret_choices,
    e.CardTurnedUp: _TextWriter.turned_up,
    e.OfferDeclined: _TextWriter.declined,
    e.CardsRolledOut: _TextWriter.rolled_out,
    e.PricePaid: _TextWriter.paid_price,
    e.BoardRunTwice: _TextWriter.run_twice,
    e.ShowdownOpened: _TextWriter.showdown,
    e.Designated: _TextWriter.designated,
    e.Shown: _TextWriter.shown,
    e.Mucked: _TextWriter.mucked,
    e.PotsPaid: _TextWriter.pots_paid,
    e.OpenersShown: _TextWriter.openers_shown,
    e.PotMatched: _TextWriter.pot_matched,
    e.HandPassedOut: _TextWriter.passed_out,
    e.HandVoided: _TextWriter.voided,
}


_SILENT_EVENTS = frozenset(
    {
        e.HandStarted,  # is the header
        e.AllPosted, e.ActionOn, e.DecisionRequested, e.SecretChoiceOpened, e.SecretChoiceMade, e.OffersOpened, e.OffersClosed,
        e.DealtDown, e.DealtUp, e.DealtUpToSeat, e.DealtUpOrDown, e.DealtBoard, e.ExtraCardDealt,  # cards dealt are gathered
        e.Burned, e.BetsLeftUntilDraw, e.StraddlesClosed, e.DrawClosed, e.OutOfTurnActionResolved, e.OutOfTurnChipsReturned,
        e.HandEnded,
    }
)  # fmt: skip
"""Events that have no line of their own."""


def _wild_cards_text(hand: Hand) -> str:
    """Return what the options make wild: ``2, Qs, joker as bug``; empty where nothing is."""
    options, wild = hand.rules.options, hand.rules.evaluators[0].ranking.wild
    parts = [one.code for one in wild_classes(WildCards(options.wild_ranks, options.wild_cards))]
    jokers, method = joker_count(options.deck), wild.method_of(JOKER)
    if jokers and method is not WildMethod.NONE:
        name = "joker" if jokers == 1 else "jokers"
        parts.append(f"{name} as bug" if method is WildMethod.BUG else name)
    return ", ".join(parts)


def _stakes_line(hand: Hand) -> str:
    """Return the stakes in short: blinds ``50/100``, or the bets ``100/200`` of limit play; with the ante if there is one."""
    rules, stakes = hand.rules, hand.rules.stakes
    if rules.options.ante is Ante.NONE:
        return _stakes_line_without_ante(rules.options, stakes)
    if rules.limit is Limit.LIMIT:
        line = f"{rules.small_bet:,}/{rules.big_bet:,}"
    elif stakes.big_blind:
        line = f"{stakes.small_blind:,}/{stakes.big_blind:,}"
    elif rules.limit is Limit.STAKE_LIMIT:
        return f"ante {stakes.ante:,}, limit {stakes.limit:,}"
    else:
        return f"ante {stakes.ante:,}"
    return f"{line} ante {stakes.ante:,}" if stakes.ante else line


def _stakes_line_without_ante(options: Options, stakes: Stakes) -> str:
    """Return the stakes in short where nobody puts anything in before the cards: ``no ante, bets from 100``."""
    match options.limit:
        case Limit.LIMIT:
            small, big = bet_sizes(stakes)
            return f"{small:,}/{big:,} no ante"
        case Limit.STAKE_LIMIT:
            return f"no ante, limit {stakes.limit:,}"
        case Limit.DOUBLING_FLAT:
            return f"no ante, bets from {2 * stakes.ante:,}"  # the first step of the ladder (L-6)
        case _:
            return f"no ante, bets from {stakes.min_bet:,}"
