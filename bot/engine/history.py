"""A hand as the common hand-history text: one line for everything that happened, in the layout players and their tools are used to.

No more cards are told than the reader may know, as in `bot.engine.notation`.

Source: laws TL-22, TL-37, Z-4; 0.2 (what is put in, and the total it makes).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from bot.engine import cards
from bot.engine import events as e
from bot.engine.evolve import begin, evolve
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision
from bot.engine.notation import PUBLIC, Known, Viewer
from bot.engine.offering import TURN_UP
from bot.engine.pots import pots
from bot.engine.ranking import long_name
from bot.engine.reading import judges_for
from bot.engine.seeing import SPLITS, stakes_line
from bot.engine.splitting import splits_openers


def to_text(
    happened: Sequence[e.Event],
    deck: tuple[int, ...],
    viewer: Viewer = PUBLIC,
    names: Sequence[str] = (),
    title: str = "Hand",
) -> str:
    """Write a hand as text, ending with a summary once it is over.

    Args:
        happened: every event of the hand, the first one first.
        deck: the whole pack as it was dealt from.
        viewer: who will read it; a card he may not know is not told.
        names: of the players by seat; without them they are ``Player 1`` and so on.
        title: what the hand is called in the first line: ``Hand #12``.
    """
    first = happened[0]
    assert isinstance(first, e.HandStarted)
    players = [" ".join(name.split()) for name in names] or [f"Player {at}" for at in range(1, len(first.seats) + 1)]
    teller = _Teller(begin(first, deck), Known(happened, deck, viewer), players)
    teller.open(title)
    for event in happened[1:]:
        teller.follow(event)
    if teller.hand.over:
        teller.summary()
    return "\n".join(teller.lines) + "\n"


class _Teller:
    """Follows a hand and tells it."""

    def __init__(self, hand: Hand, known: Known, names: Sequence[str]) -> None:
        self.hand = hand
        self.known = known
        self.names = names
        self.lines: list[str] = []
        self.fresh: dict[int, list[int]] = {}  # by seat, places dealt since the last line
        self.seen: set[int] = set()
        self.common: set[int] = set()

    def open(self, title: str) -> None:
        """The head: game, stakes, button and stacks."""
        started = self.hand.started
        self.lines.append(f"{title}: {started.card.name}, {stakes_line(self.hand)}")
        self.lines.append(f"Seat {started.button} has the button")
        for name, number, chips in zip(self.names, started.seats, started.stacks, strict=True):
            self.lines.append(f"Seat {number}: {name} ({chips:,} in chips)")
        if started.carried:
            self.lines.append(f"In the pot from before: {started.carried:,}")

    def follow(self, event: e.Event) -> None:
        """Tell one event and go on."""
        before = self.hand
        self.hand = evolve(before, event)
        tell = _TELL.get(type(event))
        if tell is not None:
            said = tell(self, before, event)
            if said:
                self._tell_deal()
                self.lines.append(said)
        self._note_deal(event)

    def summary(self) -> None:
        """The end: pots, boards, and how each seat came out."""
        hand = self.hand
        self.lines.append("*** SUMMARY ***")
        if hand.voided:
            self.lines.append(f"The deal does not count: {hand.void_reason}")
        else:
            layers = [pot.chips for pot in pots(hand.put_in, hand.live, hand.dead)]
            sides = "".join(f" | side pot {chips:,}" for chips in layers[1:])
            self.lines.append(f"Pot {sum(layers):,} | main pot {layers[0]:,}{sides}")
        for number, board in enumerate(hand.boards):
            if board:
                which = f"Board {number + 1}" if len(hand.boards) > 1 else "Board"
                self.lines.append(f"{which} {self.cards(board)}")
        for seat in range(hand.number_of):
            self.lines.append(f"Seat {hand.started.seats[seat]}: {self.names[seat]} {self._came_out(seat)}")

    def cards(self, places: Iterable[int], known: Callable[[int], bool] = lambda _place: True) -> str:
        """Cards in brackets; one the reader may not know is ``??``. Where he knows none, how many there are."""
        deck, held = self.hand.deck, list(places)
        if not any(map(known, held)):
            return f"{len(held)} card{'s' if len(held) > 1 else ''}"
        return "[" + " ".join(cards.text(deck[place]) if known(place) else "??" for place in held) + "]"

    def own(self, hand: Hand, seat: int) -> str:
        """All cards of a seat as far as the reader may know them at the show."""
        return self.cards(sorted((*hand.down[seat], *hand.up[seat])), partial(self.known.held, seat))

    def made(self, seat: int) -> str:
        """The hand a seat has, by every share of the pot it qualifies for, in brackets; "" without common cards to be sure of."""
        hand = self.hand
        worths = []
        for judge in judges_for(hand, seat):
            for number in range(len(hand.boards)):
                worth = judge.best(hand.hole_cards(seat), hand.board(number))
                if worth:
                    worths.append(long_name(judge.name(worth)))
        return f" ({'; '.join(dict.fromkeys(worths))})" if worths else ""

    def _came_out(self, seat: int) -> str:
        hand = self.hand
        won = sum(paid.chips for paid in hand.payments if paid.seat == seat)
        if not hand.live >> seat & 1:
            how = "folded"
        elif hand.shown >> seat & 1:
            how = f"showed {self.own(hand, seat)}"
        else:
            how = "mucked" if hand.mucked >> seat & 1 else "did not show"
        return f"{how}{f', won {won:,}' if won else ''}, has {hand.stacks[seat]:,}"

    def _note_deal(self, event: e.Event) -> None:
        """Gather what each seat was dealt; a street of common cards gets its own line at once."""
        hand = self.hand
        for seat in range(hand.number_of):
            fresh = [place for place in (*hand.down[seat], *hand.up[seat]) if place not in self.seen]
            if fresh:
                self.fresh.setdefault(seat, []).extend(sorted(fresh))
                self.seen.update(fresh)
        if isinstance(event, e.DealtBoard):
            self._tell_deal()
            places = range(event.place, event.place + event.count)
            which = f" on board {event.board + 1}" if len(hand.boards) > 1 else ""
            self.lines.append(f"Dealt to the table{which} {self.cards(places)}")

    def _tell_deal(self) -> None:
        for seat, places in sorted(self.fresh.items()):
            self.lines.append(f"Dealt to {self.names[seat]} {self.cards(places, partial(self.known.dealt, seat))}")
        self.fresh = {}

    # What each kind of event sounds like: a line, or "" for nothing. `_before` is the hand as it was.

    def posted(self, _before: Hand, event: e.Posted) -> str:
        short = " and is all-in" if not self.hand.stacks[event.seat] else ""
        return f"{self.names[event.seat]}: posts {event.kind} {event.chips:,}{short}"

    def interval(self, _before: Hand, event: e.IntervalOpened) -> str:
        return f"*** {event.street.upper()} ***"

    def folded(self, before: Hand, event: e.Folded) -> str:
        if before.decision is Decision.OFFER:
            return f"{self.names[event.seat]}: does not pay and drops"
        return f"{self.names[event.seat]}: folds" if before.decision is Decision.BET else ""

    def checked(self, _before: Hand, event: e.Checked) -> str:
        return f"{self.names[event.seat]}: checks"

    def called(self, _before: Hand, event: e.Called) -> str:
        return f"{self.names[event.seat]}: calls {event.chips:,}{_all_in(event.all_in)}"

    def bet(self, before: Hand, event: e.BetTo) -> str:
        verb = "brings in for" if before.duty != "free" and event.to <= before.rules.bring_in else "bets"
        return f"{self.names[event.seat]}: {verb} {event.to:,}{_all_in(event.all_in)}"

    def raised(self, before: Hand, event: e.RaisedTo) -> str:
        return f"{self.names[event.seat]}: raises {event.to - before.level:,} to {event.to:,}{_all_in(event.all_in)}"

    def early(self, _before: Hand, event: e.PutInOutOfTurn) -> str:
        return f"{self.names[event.seat]}: puts in {event.chips:,} out of turn"

    def noted(self, _before: Hand, event: e.NotedOutOfTurn) -> str:
        return f"{self.names[event.seat]}: has spoken out of turn"

    def forfeited(self, _before: Hand, event: e.HeldForfeited) -> str:
        return f"{self.names[event.seat]}: leaves {event.chips:,} put in out of turn in the pot"

    def closed(self, _before: Hand, event: e.IntervalClosed) -> str:
        return f"Uncalled bet of {event.returned:,} goes back to {self.names[event.seat]}" if event.returned else ""

    def straddled(self, _before: Hand, event: e.Straddled) -> str:
        return f"{self.names[event.seat]}: straddles to {event.to:,}"

    def no_straddle(self, _before: Hand, event: e.StraddleDeclined) -> str:
        return f"{self.names[event.seat]}: does not straddle"

    def draw_opened(self, _before: Hand, event: e.DrawOpened) -> str:
        return f"*** {event.street.upper()} ***"

    def drew(self, before: Hand, event: e.Drew) -> str:
        if not event.laid:
            return f"{self.names[event.seat]}: stands pat"
        splits = f", {SPLITS}" if splits_openers(before, event.seat, event.laid) else ""
        return (
            f"{self.names[event.seat]}: discards {self.cards(event.laid, partial(self.known.gave, event.seat))}{splits}"
        )

    def reshuffled(self, _before: Hand, event: e.Reshuffled) -> str:
        return f"The pack runs out: {len(event.places)} dead cards are shuffled in"

    def settled(self, before: Hand, _event: e.ChoicesSettled) -> str:
        """What was chosen in secret, told when all had chosen."""
        lines = []
        for seat, (places, word) in sorted(before.choices):
            if before.decision is Decision.RUN_TWICE:
                said = "runs it twice" if word == "yes" else "wants one board"
            elif word:
                said = f"declares {word}"
            else:
                passed = before.decision is Decision.PASS
                knows = partial(self.known.gave, seat, passed=passed)
                if before.decision is Decision.ARRANGE:
                    knows = partial(self.known.held, seat)
                verb = {Decision.PASS: "passes", Decision.DROP: "drops"}.get(before.decision, "arranges")
                said = f"{verb} {self.cards(places, knows)}"
            lines.append(f"{self.names[seat]}: {said}")
        return "\n".join(lines)

    def turned_up(self, _before: Hand, event: e.TurnedUp) -> str:
        return f"{self.names[event.seat]}: turns up {self.cards((event.place,))}"

    def declined(self, before: Hand, event: e.Declined) -> str:
        return f"{self.names[event.seat]}: leaves it down" if before.about == TURN_UP else ""

    def rolled(self, before: Hand, _event: e.RolledOut) -> str:
        return "\n".join(
            f"{self.names[seat]}: turns up {self.cards(before.down[seat][:1])}" for seat in seats_in(before.live)
        )

    def paid_price(self, _before: Hand, event: e.PricePaid) -> str:
        all_in = _all_in(not self.hand.stacks[event.seat])
        return f"{self.names[event.seat]}: pays {event.chips:,} for {self.cards((event.place,))}{all_in}"

    def forked(self, _before: Hand, event: e.BoardsForked) -> str:
        return f"The rest of the board is run {event.boards} times"

    def showdown(self, _before: Hand, event: e.ShowdownOpened) -> str:
        return "*** ALL-IN: HANDS ARE TURNED UP ***" if event.all_in else "*** SHOWDOWN ***"

    def designated(self, before: Hand, event: e.Designated) -> str:
        if not self.known.said(event.seat):
            return ""
        said = [f"{cards.text(before.deck[place])} is {cards.text(card)}" for place, card in event.as_cards]
        said += [event.word] if event.word else []
        return f"{self.names[event.seat]}: says {', '.join(said)}" if said else ""

    def shown(self, before: Hand, event: e.Shown) -> str:
        seat = event.seat
        made = self.made(seat) if before.showdown and not before.all_in_show else ""
        return f"{self.names[seat]}: shows {self.own(before, seat)}{made}"

    def mucked(self, _before: Hand, event: e.Mucked) -> str:
        return f"{self.names[event.seat]}: mucks"

    def paid(self, before: Hand, event: e.PotsPaid) -> str:
        """Who takes what of which pot, with which hand; the last side pot first."""
        shares = {share.name: at for at, share in enumerate(before.rules.card.shares)}
        several = len({payment.pot for payment in event.payments}) > 1
        lines = []
        for payment in event.payments:
            pot = ("the main pot" if not payment.pot else f"side pot {payment.pot}") if several else "the pot"
            share = f" ({payment.share})" if payment.share != "pot" else ""
            board = f" on board {payment.board + 1}" if len(before.boards) > 1 and payment.value else ""
            hand = ""
            if payment.value:
                judge = judges_for(before, payment.seat)[shares[payment.share]]
                hand = f" with {long_name(judge.name(payment.value))}"
            odd = ", an odd chip among them" if payment.odd else ""
            lines.append(f"{self.names[payment.seat]} takes {payment.chips:,} from {pot}{share}{board}{hand}{odd}")
        return "\n".join(lines)

    def openers(self, _before: Hand, event: e.OpenersShown) -> str:
        return f"{self.names[event.seat]}: opened on {self.cards(event.places)}"

    def matched(self, _before: Hand, event: e.PotMatched) -> str:
        return f"{self.names[event.seat]}: matches the pot for the next deal, {event.chips:,}"

    def passed_out(self, _before: Hand, event: e.PassedOut) -> str:
        return f"Nobody opens: {event.chips:,} wait for the next deal"

    def voided(self, _before: Hand, event: e.HandVoided) -> str:
        return f"The deal is void ({event.law}: {event.reason}); all chips go back"


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


_TELL: dict[type[e.Event], Callable[[_Teller, Hand, Any], str]] = {
    e.Posted: _Teller.posted,
    e.IntervalOpened: _Teller.interval,
    e.Folded: _Teller.folded,
    e.Checked: _Teller.checked,
    e.Called: _Teller.called,
    e.BetTo: _Teller.bet,
    e.RaisedTo: _Teller.raised,
    e.PutInOutOfTurn: _Teller.early,
    e.NotedOutOfTurn: _Teller.noted,
    e.HeldForfeited: _Teller.forfeited,
    e.IntervalClosed: _Teller.closed,
    e.Straddled: _Teller.straddled,
    e.StraddleDeclined: _Teller.no_straddle,
    e.DrawOpened: _Teller.draw_opened,
    e.Drew: _Teller.drew,
    e.Reshuffled: _Teller.reshuffled,
    e.ChoicesSettled: _Teller.settled,
    e.TurnedUp: _Teller.turned_up,
    e.Declined: _Teller.declined,
    e.RolledOut: _Teller.rolled,
    e.PricePaid: _Teller.paid_price,
    e.BoardsForked: _Teller.forked,
    e.ShowdownOpened: _Teller.showdown,
    e.Designated: _Teller.designated,
    e.Shown: _Teller.shown,
    e.Mucked: _Teller.mucked,
    e.PotsPaid: _Teller.paid,
    e.OpenersShown: _Teller.openers,
    e.PotMatched: _Teller.matched,
    e.PassedOut: _Teller.passed_out,
    e.HandVoided: _Teller.voided,
}
