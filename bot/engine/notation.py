"""A hand as PHH, the poker hand history format: any game, from its events and its pack, with no more cards than the reader may know.

What the standard has words for is written in them; the rest in the extension fields of `bot.engine.phh_table` and the extension verbs of
`bot.engine.phh`. `bot.engine.recorded` plays the result again to the same stacks.

Source: design §2 "notation"; laws TL-22, TL-37, Q-2.
"""

from collections.abc import Iterable, Sequence
from enum import Enum

from bot.engine import events as e
from bot.engine import phh, steps
from bot.engine.cards import texts
from bot.engine.early import binds
from bot.engine.evolve import begin, evolve
from bot.engine.hand import Hand
from bot.engine.legal import Decision, Duty
from bot.engine.options import OddChip
from bot.engine.phh_table import fields_of
from bot.engine.pots import pots


class Reader(Enum):
    """Who may read a history, beside a seat."""

    PUBLIC = "public"
    ALL_KNOWING = "all-knowing"


PUBLIC, ALL_KNOWING = Reader.PUBLIC, Reader.ALL_KNOWING
Viewer = int | Reader
"""A seat of the deal, who knows what he held; the public, who knows what was opened; or an auditor, who knows every card."""


def recorded(
    happened: Sequence[e.Event], deck: tuple[int, ...], viewer: Viewer = PUBLIC, names: Sequence[str] = ()
) -> phh.RecordedHand:
    """Write a hand down as a record of PHH. `phh.write` makes a file's text of it.

    Args:
        happened: every event of the hand, the first one first.
        deck: the whole pack as it was dealt from.
        viewer: who will read it; a card he may not know is ``??``.
        names: of the players by seat, where they are to be named.
    """
    first = happened[0]
    assert isinstance(first, e.HandStarted)
    writer = _Writer(begin(first, deck), Known(happened, deck, viewer))
    for event in happened[1:]:
        writer.follow(event)
    writer.deal()
    hand = writer.hand
    fields = fields_of(first)
    extensions: dict[str, object] = {"players": list(names)} if names else {}
    extensions |= fields.pop("metadata")
    if (
        viewer is ALL_KNOWING
    ):  # with every card known, who shows and who mucks comes out by itself where nobody was asked
        extensions["_ask_show"] = first.ask_show
    if hand.voided:
        voided = next(event for event in happened if isinstance(event, e.HandVoided))
        extensions["_voided"] = [voided.law, voided.reason]
    if lot := lot_of(hand):
        extensions["_lot"] = texts(lot)
    ended = hand.over and not hand.voided
    return phh.RecordedHand(
        **fields,
        actions=tuple(writer.actions),
        finishing_stacks=tuple(hand.stacks) if hand.over else None,
        pots_by_street=tuple(writer.by_street) if ended else None,
        final_pots=tuple([pot.chips for pot in pots(hand.put_in, hand.live, hand.dead)]) if ended else None,
        metadata=extensions,
    )


def to_phh(
    happened: Sequence[e.Event], deck: tuple[int, ...], viewer: Viewer = PUBLIC, names: Sequence[str] = ()
) -> str:
    """Write a hand as the text of a PHH file. Arguments as for `recorded`."""
    return phh.write(recorded(happened, deck, viewer, names))


class Known:
    """Which cards a reader may know, and where: to know a card in the end is not to know whether it was dealt, drawn or passed."""

    def __init__(self, happened: Sequence[e.Event], deck: tuple[int, ...], viewer: Viewer) -> None:
        first = happened[0]
        assert isinstance(first, e.HandStarted)
        self.all = viewer is ALL_KNOWING
        self.viewer = viewer if isinstance(viewer, int) else -1
        self._mixed = any(isinstance(step, steps.Draw | steps.PassCards) for step in first.card.steps)
        self._open: set[tuple[int, int]] = set()  # seat and place: opened to all while the seat held it
        self._always: set[int] = set()  # places dealt face up, common cards, proved openers
        self._own: set[int] = set()  # places the viewer has held
        self._shown = 0  # seats whose hands were shown
        hand = begin(first, deck)
        for event in happened[1:]:
            hand = evolve(hand, event)
            self._look(hand, event)

    def _look(self, hand: Hand, event: e.Event) -> None:
        for board in hand.boards:
            self._always.update(board)
        if isinstance(event, e.DealtUp | e.DealtUpTo | e.DealtEither | e.ExtraDealt):
            for places in hand.up:
                self._always.update(places)
        if isinstance(event, e.OpenersShown):
            self._always.update(event.places)
        for seat in range(hand.number_of):
            opened = (*hand.up[seat], *hand.down[seat]) if hand.shown >> seat & 1 else hand.up[seat]
            self._open.update((seat, place) for place in opened)
        self._shown |= hand.shown
        if self.viewer >= 0:
            self._own.update(hand.down[self.viewer])

    def dealt(self, seat: int, place: int) -> bool:
        """Whether the reader knows that the seat was dealt this card."""
        return (
            self.all or seat == self.viewer or place in self._always
            or (not self._mixed and (seat, place) in self._open)
        )  # fmt: skip

    def held(self, seat: int, place: int) -> bool:
        """Whether the reader knows that the seat holds this card at the show, or in the order in which it turns cards up."""
        return self.all or seat == self.viewer or place in self._always or (seat, place) in self._open

    def said(self, seat: int) -> bool:
        """Whether the reader knows what the seat said of its wild cards and its aces: of a hand mucked after all, only its holder."""
        return self.all or seat == self.viewer or bool(self._shown >> seat & 1)

    def gave(self, seat: int, place: int, *, passed: bool = False) -> bool:
        """Whether the reader knows that the seat laid this card away, or passed it on."""
        return self.all or seat == self.viewer or place in self._always or (passed and place in self._own)


def lot_of(hand: Hand) -> tuple[int, ...]:
    """The cards that drew the odd chips by lot, one to each of the tied (Q-2); none where there was nothing to draw for."""
    if hand.rules.options.odd_chip is not OddChip.LOT or not any(paid.odd for paid in hand.payments):
        return ()
    stub = hand.deck[hand.place :] + hand.deck[: hand.place]
    return stub[: hand.live.bit_count()]


class _Writer:
    """Follows a hand and writes down what was dealt and what each seat asked for; what the dealer did by himself needs no line."""

    def __init__(self, hand: Hand, known: Known) -> None:
        self.hand = hand
        self.known = known
        self.actions: list[phh.Action] = []
        self.by_street: list[int] = []
        self.dealt: dict[int, list[int]] = {}  # by seat, places dealt since the last line
        self.seen: set[int] = set()
        self.chosen: list[phh.Action] = []  # secret until all have chosen
        self.opened = False
        self.bound: e.Event | None = None

    def follow(self, event: e.Event) -> None:
        """Write one event down and go on."""
        before = self.hand
        line = None if event is self.bound else self._line(before, event)
        if line is not None:
            self.deal()
            (self.chosen if isinstance(event, e.Chosen) else self.actions).append(line)
        if isinstance(event, e.ChoicesSettled):
            self.actions += self.chosen
            self.chosen = []
        if isinstance(event, e.IntervalOpened):
            self.opened = True
        self.hand = after = evolve(before, event)
        if isinstance(event, e.IntervalClosed):
            if self.opened:
                self.by_street.append(after.interval_pots[-1])
            self.opened = False
        self._note_deal(after)

    def deal(self) -> None:
        """Write down the cards dealt since the last line."""
        for seat, places in sorted(self.dealt.items()):
            dealt = tuple(self.hand.deck[place] if self.known.dealt(seat, place) else None for place in places)
            self.actions.append(phh.DealHole(seat + 1, dealt))
        self.dealt = {}

    def _note_deal(self, hand: Hand) -> None:
        common: list[int] = []
        for board in hand.boards:
            common += [place for place in board if place not in self.seen and place not in common]
        if common:
            self.deal()
            self.actions.append(phh.DealBoard(tuple(hand.deck[place] for place in common)))
            self.seen.update(common)
        for seat in range(hand.number_of):
            fresh = [place for place in (*hand.down[seat], *hand.up[seat]) if place not in self.seen]
            if fresh:
                self.dealt.setdefault(seat, []).extend(sorted(fresh))
                self.seen.update(fresh)

    def _held(self, seat: int, places: Iterable[int]) -> tuple[int | None, ...]:
        deck = self.hand.deck
        return tuple(deck[place] if self.known.held(seat, place) else None for place in places)

    def _gave(self, seat: int, places: Iterable[int], *, passed: bool = False) -> tuple[int | None, ...]:
        deck = self.hand.deck
        return tuple(deck[place] if self.known.gave(seat, place, passed=passed) else None for place in places)

    def _line(self, hand: Hand, event: e.Event) -> phh.Action | None:
        """The line of what a seat asked for; None for what follows by itself."""
        match event:
            case e.Folded(seat):
                return self._folded(hand, seat)
            case e.Checked(seat) | e.Called(seat):
                return None if _by_itself(hand, seat) else phh.CheckCall(seat + 1)
            case e.BetTo(seat, to) | e.RaisedTo(seat, to):
                return None if _by_itself(hand, seat) else _wager(hand, seat, to)
            case e.PutInOutOfTurn(seat, chips):
                return phh.PutInEarly(seat + 1, hand.bets[seat] + chips)
            case e.NotedOutOfTurn(seat, action):
                return self._line(hand, action)
            case e.NoteSettled(seat):
                self.bound = next(
                    (said for who, level, said in hand.noted if who == seat and binds(hand, seat, level, said)), None
                )
                return None
            case e.Straddled(seat) | e.TurnedUp(seat) | e.PricePaid(seat):
                return phh.Answer(seat + 1, yes=True)
            case e.StraddleDeclined(seat) | e.Declined(seat):
                return phh.Answer(seat + 1, yes=False)
            case e.Drew(seat, laid):
                return phh.StandOrDiscard(seat + 1, self._gave(seat, laid))
            case e.Chosen(seat, places, word):
                return self._chosen(hand, seat, places, word)
            case e.Designated(seat) if not self.known.said(seat):
                return phh.Designate(seat + 1, (), "")
            case e.Designated(seat, as_cards, word):
                return phh.Designate(seat + 1, tuple((hand.deck[place], card) for place, card in as_cards), word)
            case e.Shown(seat):
                own = sorted((*hand.down[seat], *hand.up[seat]))
                return phh.ShowMuck(seat + 1, self._held(seat, own), shown=True)
            case e.Mucked(seat):
                return phh.ShowMuck(seat + 1, shown=False)
            case _:
                return None

    def _folded(self, hand: Hand, seat: int) -> phh.Action | None:
        """A fold, or the no to a price; who has declared himself out drops without a further word."""
        if hand.decision is Decision.BET:
            return phh.Fold(seat + 1)
        return phh.Answer(seat + 1, yes=False) if hand.decision is Decision.OFFER else None

    def _chosen(self, hand: Hand, seat: int, places: tuple[int, ...], word: str) -> phh.Action:
        match hand.decision:
            case Decision.RUN_TWICE:
                return phh.Answer(seat + 1, yes=word == "yes")
            case Decision.DECLARE:
                return phh.Declare(seat + 1, word)
            case Decision.ARRANGE:
                return phh.Arrange(seat + 1, self._held(seat, places))
            case decision:
                return phh.GiveUp(seat + 1, self._gave(seat, places, passed=decision is Decision.PASS))


def _by_itself(hand: Hand, seat: int) -> bool:
    """Whether a seat's action at its turn is what it had put in early (I-8)."""
    if not (hand.held and hand.held[seat]):
        return False
    return hand.held[seat] >= hand.level - hand.bets[seat] or not hand.stacks[seat]


def _wager(hand: Hand, seat: int, to: int) -> phh.Action:
    if hand.duty is not Duty.FREE and to == min(hand.rules.bring_in, hand.stacks[seat]):
        return phh.PostBringIn(seat + 1)
    return phh.BetRaiseTo(seat + 1, to)
