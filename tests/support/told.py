"""Play hands that are written as players describe them: who holds what, what each does, and how the dealer answers.

A story is one hand. Its cards come as the story names them: each player's in the order they get them, the board's in the order it is
dealt; every other card comes from the rest of the deck. After every line the chips are counted. A finished hand is replayed from its
events alone and must come out the same.

    hand = deal("no-limit hold'em 100/200", button="Ann", stacks={"Ann": 5000, "Bo": 5000, "Cy": 1300})
    hand.play("Ann raises to 1000", "Bo calls", "Cy is all-in to 1300")
    assert hand.options == {"fold", "call 300"}
    hand.refuses("Ann raises to 3000", BettingNotReopened)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import pytest

from bot.engine import cards as engine_cards
from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.betting.pots import pots
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.errors import LawError
from bot.engine.evolve import replay
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.register import with_option
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.timeout import default_action
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.laws import law as law_of
from bot.variants import game as named

Refusal = TypeVar("Refusal", bound=LawError)
EventType = TypeVar("EventType", bound=e.HandEvent)
EventsAndHand = tuple[tuple[e.HandEvent, ...], Hand]

_BLINDS = re.compile(r"^(?P<game>.*?)\s+(?P<small>\d+)/(?P<big>\d+)$")
STATE = [name for name in Hand.__annotations__ if name != "rules"]


def deal(
    game: str | RuleCard,
    *,
    button: str,
    stacks: Mapping[str, int],
    cards: Mapping[str, str] | None = None,
    board: str = "",
    options: Options | Mapping[str, object] | None = None,
    stakes: Stakes | None = None,
    posts: Iterable[str] = (),
    unposted: Iterable[str] = (),
    deck_order: tuple[int, ...] = (),
    **started: int | bool,
) -> Told:
    """Deal a hand.

    Args:
        game: the name that people use, with its blinds if it has any (``"no-limit hold'em 50/100"``), or a rule card.
        button: the dealer.
        stacks: chips of each player, clockwise around the table.
        cards: for each player the cards they get, in order; ``?`` leaves one to the deck.
        board: the common cards in the order they are dealt; a second board after ``/``.
        options: the options in force, or those that differ from the card's own.
        stakes: the stakes, if the game's name does not give them all.
        posts: forced bets beside the regular ones: ``"Dee posts 100"``, ``"Dee posts 50 dead"``, ``"Cy straddles 200"``.
        unposted: kinds of regular posts that nobody pays: ``"small blind"``.
        deck_order: the order in which all other cards come.
        started: further fields of `HandStarted`: ``ask_show=True``, ``carried=30``.
    """
    if isinstance(game, str):
        blinds = _BLINDS.match(game)
        card = named(blinds["game"] if blinds else game)
        if blinds and stakes is None:
            stakes = Stakes(small_blind=int(blinds["small"]), big_blind=int(blinds["big"]))
    else:
        card = game
    stakes = stakes or Stakes()
    options_in_force = options if isinstance(options, Options) else card.options
    if started.get("ask_run_twice"):
        options_in_force = with_option(options_in_force, "run_twice", "on")
    if isinstance(options, Mapping):
        for name, value in options.items():
            options_in_force = with_option(options_in_force, name, value)
    around = list(stacks)
    left = around.index(button) + 1
    names = (*around[left:], *around[:left])
    owed = [
        post for post in regular_posts(card, options_in_force, stakes, len(names)) if post.kind not in set(unposted)
    ]
    first = e.HandStarted(
        card,
        options_in_force,
        stakes,
        tuple(around.index(name) + 1 for name in names),
        tuple(stacks[name] for name in names),
        (*owed, *(_post(line, names) for line in posts)),
        around.index(button) + 1,
        **started,  # type: ignore[arg-type]
    )
    return Told(first, names, cards or {}, board, deck_order or DECKS[options_in_force.deck])


def _post(line: str, names: tuple[str, ...]) -> e.Post:
    name, verb, chips, *dead = line.split()
    kind = e.PostKind.STRADDLE if verb == "straddles" else e.PostKind.DEAD if dead else e.PostKind.LIVE
    return e.Post(names.index(name), kind, int(chips))


class Told:
    """A hand that is played line by line.

    Attributes:
        hand: the engine's own hand.
        names: the players by seat index.
        events: everything that has happened.
    """

    def __init__(
        self,
        first: e.HandStarted,
        names: tuple[str, ...],
        cards: Mapping[str, str],
        board: str,
        deck_order: tuple[int, ...],
    ) -> None:
        self.names = names
        self._wanted_cards = {names.index(name): _cards(text) for name, text in cards.items()}
        self._wanted_boards = [_cards(text) for text in board.split("/")]
        self._dealt: dict[int, int] = {}
        self.events: tuple[e.HandEvent, ...] = ()
        self._chips = sum(first.stacks) + first.carried
        named_cards = [
            card for text in (*self._wanted_cards.values(), *self._wanted_boards) for card in text if card >= 0
        ]
        assert len(set(named_cards)) == len(named_cards), "a card is named twice"
        deck = (*(card for card in deck_order if card not in named_cards), *named_cards)
        assert len(deck) == len(deck_order), "a card is named that is not in the deck"
        self._deck = deck
        self._apply_with_stacked_deck(0, lambda fresh: start(first, fresh))

    def play(self, *lines: str) -> None:
        """Play the lines in order. Each must be lawful."""
        for line in lines:
            seat, command, check = self.read(line)
            before = self.hand.copy()
            next_card_index = len(self._deck) if self.hand.over else self.hand.next_card_index
            try:
                self._apply_with_stacked_deck(
                    next_card_index,
                    lambda fresh, before=before, seat=seat, command=command: decide_and_evolve(  # type: ignore[misc]
                        _with_deck(before, fresh), seat, command
                    ),
                )
            except LawError as refusal:
                raise AssertionError(f"{line!r}: {refusal} Options: {sorted(self.options)}") from refusal
            difference = check(before, seat, self)
            assert not difference, f"{line!r}: {difference}"

    def refuses(self, line: str, error: type[Refusal], law: str = "") -> Refusal:
        """Check that the line is refused with this error, which names a law and what is legal instead, and that nothing has changed."""
        seat, command, _ = self.read(line)
        before = state_of(self.hand)
        with pytest.raises(error) as caught:
            decide_and_evolve(self.hand, seat, command)
        refusal = caught.value
        assert state_of(self.hand) == before, f"{line!r} left a trace"
        assert refusal.law == law_of(refusal.law).id
        assert not law or refusal.law == law, f"{line!r} is refused by {refusal.law}"
        assert refusal.legal == legal(self.hand, seat)
        if seat == self.hand.to_act:
            assert describe_options(refusal.legal), f"{line!r} leaves nothing to do"
        return refusal

    @property
    def to_act(self) -> str:
        """The player to act; "" when nobody is."""
        return self.names[self.hand.to_act] if self.hand.to_act >= 0 else ""

    @property
    def options(self) -> set[str]:
        """The legal actions of the player to act: ``fold``, ``call 300``, ``raise to 2200..5000``, ``all-in to 150``."""
        return describe_options(self.legal(self.to_act)) if self.to_act else set()

    def legal(self, name: str) -> LegalActions:
        """Return the legal actions of a player."""
        return legal(self.hand, self.seat(name))

    def view(self, name: str | None = None) -> HandView:
        """Return the hand as a player, or everybody, can see it."""
        return view(self.hand, self.seat(name) if name else None)

    def seat(self, name: str) -> int:
        """Return a player's seat index; ``No. 1`` is the second from the dealer's left, as in source 002."""
        return int(name.removeprefix("No. ")) if name.startswith("No. ") else self.names.index(name)

    @property
    def stacks(self) -> dict[str, int]:
        """Chips behind, by player."""
        return dict(zip(self.names, self.hand.stacks, strict=True))

    @property
    def bets(self) -> dict[str, int]:
        """Chips put in on this street, by player who has put in any."""
        return {name: chips for name, chips in zip(self.names, self.hand.bets, strict=True) if chips}

    @property
    def pot(self) -> int:
        """All chips in the middle, live bets included."""
        return self.hand.pot

    @property
    def highest_bet(self) -> int:
        """The highest street total."""
        return self.hand.current_bet

    @property
    def street(self) -> str:
        """The name of the betting round."""
        return self.hand.street

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self.hand.over

    @property
    def pots(self) -> tuple[tuple[int, str], ...]:
        """The chips of each pot, live bets included, and the players who can win it (``"Ann Bo"``); the main pot comes first."""
        hand = self.hand
        return tuple(
            (pot.chips, " ".join(self.names[seat] for seat in seats_in(pot.eligible_seats)))
            for pot in pots(hand.put_in, hand.live_seats, hand.dead_chips)
        )

    @property
    def wins(self) -> dict[str, int]:
        """Chips that the pots paid, by player who was paid."""
        won: dict[str, int] = {}
        for paid in self.hand.payments:
            won[self.names[paid.seat]] = won.get(self.names[paid.seat], 0) + paid.chips
        return won

    @property
    def shown(self) -> list[str]:
        """The players whose cards have been turned up, in that order."""
        return [self.names[event.seat] for event in self.events if isinstance(event, e.Shown)]

    @property
    def live(self) -> list[str]:
        """The players who have not folded, from the dealer's left."""
        return [self.names[seat] for seat in seats_in(self.hand.live_seats)]

    def cards(self, name: str) -> str:
        """Return a player's own cards, down ones first."""
        return " ".join(map(engine_cards.card_text, self.hand.held_cards(self.seat(name))))

    def board(self, number: int = 0) -> str:
        """Return the common cards."""
        return " ".join(map(engine_cards.card_text, self.hand.board_cards(number)))

    def events_of(self, kind: type[EventType]) -> list[EventType]:
        """Return all events of one kind, oldest first."""
        return [event for event in self.events if isinstance(event, kind)]

    def read(self, line: str) -> tuple[int, c.HandCommand, _Check]:
        """Read a line: the seat that acts, its command, and a check of the amounts that the line states."""
        who, does = _split(line, self.names)
        return self._command(line, self.seat(who), does)

    def _command(self, line: str, seat: int, does: str) -> tuple[int, c.HandCommand, _Check]:
        for pattern, make, check in _VERBS:
            found = pattern.fullmatch(does)
            if found:
                return seat, make(self, seat, *found.groups()), check(*found.groups())
        raise AssertionError(f"no action reads {line!r}")

    def _apply_with_stacked_deck(self, next_card_index: int, rule: Callable[[tuple[int, ...]], EventsAndHand]) -> None:
        """Apply a ruling with the undealt cards stacked so that everybody gets the cards of the story."""
        deck = list(self._deck)
        while True:
            events, after = rule(tuple(deck))
            wrong = self._first_wrong_card(next_card_index, after)
            if wrong is None:
                break
            at, card = wrong
            there = deck.index(card)
            assert there > at, f"{engine_cards.card_text(card)} is dealt already"
            deck[at], deck[there] = deck[there], deck[at]
        for seat in range(len(self.names)):
            self._dealt[seat] = self._dealt.get(seat, 0) + len(
                _newly_dealt_indexes(next_card_index, after, seat, len(deck))
            )
        self._deck = tuple(deck)
        self.hand = after
        self.events += events
        on_table = sum(after.stacks) + after.pot + after.carried_to_next_hand
        assert on_table == self._chips, f"{on_table - self._chips} chips were made"
        if after.over:
            again = replay(self.events, self._deck)
            assert state_of(again) == state_of(after), "the events replay to another hand"

    def _first_wrong_card(self, next_card_index: int, after: Hand) -> tuple[int, int] | None:
        """Return the first undealt card index that holds another card than the story wants there, and the card it wants."""
        size = len(self._deck)
        for seat, wanted in self._wanted_cards.items():
            done = self._dealt.get(seat, 0)
            for at, card in zip(_newly_dealt_indexes(next_card_index, after, seat, size), wanted[done:], strict=False):
                if card >= 0 and after.deck[at] != card:
                    return at, card
        for card_indexes, wanted in zip(after.board_indices, self._wanted_boards, strict=False):
            for at, card in zip(card_indexes, wanted, strict=False):
                if at >= next_card_index and card >= 0 and after.deck[at] != card:
                    return at, card
        return None


_Check = Callable[[Hand, int, Told], str]


def state_of(hand: Hand) -> list[object]:
    """Return every field of a hand, copied so that a later change shows."""
    return [list(value) if isinstance(value := getattr(hand, name), list) else value for name in STATE]


def describe_options(can: LegalActions) -> set[str]:
    """Return the legal actions in the words of players."""
    words: set[str] = set()
    if can.fold:
        words.add("fold")
    if can.check:
        words.add("check")
    if can.call_chips:
        words.add(f"call {can.call_chips}{' all-in' if can.call_all_in else ''}")
    if can.bring_in:
        words.add(f"bring in {can.bring_in}")
    if can.max_to:
        verb = "bet" if can.opening else "raise to"
        amounts = f"{can.min_to} or {can.max_to}" if can.two_sizes else f"{can.min_to}..{can.max_to}"
        if can.min_to == can.max_to:
            amounts = str(can.max_to)
            if can.max_to == can.current_bet - can.to_call + can.stack:
                verb = "all-in to"
        words.add(f"{verb} {amounts}")
    if can.show:
        words.add("show")
    if can.muck:
        words.add("muck")
    if can.decision is Decision.STRADDLE:
        words |= {f"straddle {can.offer_amount}", "decline"}
    elif can.decision in (Decision.OFFER, Decision.RUN_TWICE):
        words |= {"accept", "decline"}
    elif can.decision is Decision.DRAW:
        words.add(f"draw {can.min_cards}..{can.max_cards}")
    elif can.decision in (Decision.GIVE_UP, Decision.PASS_CARDS, Decision.ARRANGE):
        words.add(f"choose {can.max_cards}")
    if can.decision is not Decision.RUN_TWICE:  # yes and no: accept and decline
        words |= {f"declare {word}" for word in can.declarable_words}
    return words


def _with_deck(hand: Hand, deck: tuple[int, ...]) -> Hand:
    """Return the same hand with its undealt cards in another order."""
    after = hand.copy()
    after.deck = (*deck, *hand.deck[len(deck) :])
    return after


def _newly_dealt_indexes(next_card_index: int, after: Hand, seat: int, size: int) -> list[int]:
    """Return the card indices from `next_card_index` on that a seat has been dealt, in the order of dealing."""
    return sorted(at for at in (*after.down_indices[seat], *after.up_indices[seat]) if next_card_index <= at < size)


def _cards(text: str) -> list[int]:
    """Return the cards of a story; -1 for one that is left to the deck."""
    return [-1 if word == "?" else engine_cards.parse_card(word) for word in text.split()]


def _split(line: str, names: tuple[str, ...]) -> tuple[str, str]:
    numbered = re.match(r"(No\. \d+) (.*)", line)
    if numbered:
        return numbered[1], numbered[2]
    who, _, does = line.partition(" ")
    assert who in names, f"{who} is not at the table: {line!r}"
    return who, does


def _amount(text: str) -> int:
    return int(text.replace(",", ""))


def _checks_nothing(*_words: str | None) -> _Check:
    return lambda _before, _seat, _told: ""


def _checks_chips_added(chips: str | None = None, *_rest: str | None) -> _Check:
    """Make the check of a line that names the chips put in."""

    def check(before: Hand, seat: int, told: Told) -> str:
        went_in = _chips_put_in(before, seat, told)
        return "" if chips is None or went_in == _amount(chips) else f"{went_in} went in"

    return check


def _checks_all_in_total(to: str | None = None, *_rest: str | None) -> _Check:
    """Make the check of a line that puts in a whole stack, perhaps with the street total."""

    def check(before: Hand, seat: int, told: Told) -> str:
        if _chips_put_in(before, seat, told) != before.stacks[seat]:
            return "that is not all-in"
        total = before.bets[seat] + before.stacks[seat]
        return "" if to is None or total == _amount(to) else f"all-in is to {total}"

    return check


def _chips_put_in(before: Hand, seat: int, told: Told) -> int:
    """Return the chips that a seat's own last action put in."""
    for event in told.events[::-1]:
        if (
            isinstance(event, e.Called | e.BetTo | e.RaisedTo | e.Straddled | e.OutOfTurnChipsPutIn)
            and event.seat == seat
        ):
            return event.chips
    return 0


def _puts_in(told: Told, seat: int, chips: str) -> c.HandCommand:
    """Read ``puts in 5``: it is a call, a bet or a raise, as in sources 000 and 002."""
    total = told.hand.bets[seat] + _amount(chips)
    return c.Call() if total == told.hand.current_bet else c.RaiseTo(total)


def _card_indexes(told: Told, seat: int, text: str) -> tuple[int, ...]:
    """Return the card indices of the cards that a player names; -1 for one they do not hold."""
    own = {told.hand.deck[card_index]: card_index for card_index in told.hand.down_indices[seat]}
    return tuple(own.get(card, -1) for card in engine_cards.parse_cards(text))


def _draws(told: Told, seat: int, what: str) -> c.HandCommand:
    """Read a draw: ``draws 2`` discards the last two; ``draws As Kd`` discards as many cards and gets these."""
    down = told.hand.down_indices[seat]
    if what.isdigit():
        return c.ChooseCards(down[len(down) - int(what) :])
    fresh = engine_cards.parse_cards(what)
    dealt = told._dealt.get(seat, 0)
    held = told._wanted_cards.get(seat, [])
    told._wanted_cards[seat] = [*(held + [-1] * dealt)[:dealt], *fresh]
    return c.ChooseCards(down[len(down) - len(fresh) :])


def _shows_wild_cards_as(told: Told, seat: int, text: str) -> c.HandCommand:
    """Read ``shows, 2s as Kd, Jk as Ac``: what the wild cards stand for, own and common ones."""
    pairs = [engine_cards.parse_cards(pair.replace(" as ", " ")) for pair in text.split(", ")]
    boards = [card_index for board in told.hand.board_indices for card_index in board]
    held = {
        told.hand.deck[card_index]: card_index
        for card_index in (*boards, *told.hand.down_indices[seat], *told.hand.up_indices[seat])
    }
    return c.Show(tuple((held.get(card, -1), meaning) for card, meaning in pairs))


def _shows_alone(told: Told, seat: int, text: str) -> c.HandCommand:
    """Read ``shows As alone``: single cards after the hand."""
    held = {told.hand.deck[at]: at for at in (*told.hand.down_indices[seat], *told.hand.up_indices[seat])}
    return c.Show(card_indices=tuple(held.get(card, -1) for card in engine_cards.parse_cards(text)))


def _times_out(told: Told, seat: int) -> c.HandCommand:
    assert seat == told.hand.to_act, f"the clock runs for {told.to_act}"
    return default_action(told.hand)


_AMOUNT = r"(-?[\d,]+)"
_CARDS = r"((?:(?:[2-9TJQKA][cdhs]|Jk|Jo) ?)+)"
_AS = r"(?:[2-9TJQKA][cdhs]|Jk|Jo) as [2-9TJQKA][cdhs]"
_VERBS: tuple[tuple[re.Pattern[str], Callable[..., c.HandCommand], Callable[..., _Check]], ...] = tuple(
    (re.compile(pattern), make, check)
    for pattern, make, check in (
        (r"folds", lambda _t, _s: c.Fold(), _checks_nothing),
        (r"checks", lambda _t, _s: c.Check(), _checks_nothing),
        (rf"calls(?: {_AMOUNT})?", lambda _t, _s, _chips: c.Call(), _checks_chips_added),
        (r"calls all-in", lambda _t, _s: c.Call(), _checks_all_in_total),
        (rf"(?:bets|opens for|brings in) {_AMOUNT}", lambda _t, _s, to: c.Bet(_amount(to)), _checks_nothing),
        (rf"(?:raises|completes) to {_AMOUNT}", lambda _t, _s, to: c.RaiseTo(_amount(to)), _checks_nothing),
        (rf"puts in {_AMOUNT}", _puts_in, _checks_chips_added),
        (rf"is all-in(?: (?:to|for) {_AMOUNT})?", lambda _t, _s, _to: c.AllIn(), _checks_all_in_total),
        (r"shows", lambda _t, _s: c.Show(), _checks_nothing),
        (rf"shows {_CARDS}alone", _shows_alone, _checks_nothing),
        (r"shows, (aces high|aces low)", lambda _t, _s, word: c.Show(ace_word=word), _checks_nothing),
        (rf"shows, ({_AS}(?:, {_AS})*)", _shows_wild_cards_as, _checks_nothing),
        (r"mucks", lambda _t, _s: c.Muck(), _checks_nothing),
        (r"(?:runs out of time|says nothing)", _times_out, _checks_nothing),
        (r"straddles", lambda _t, _s: c.TakeStraddle(), _checks_nothing),
        (rf"straddles to {_AMOUNT}", lambda _t, _s, to: c.TakeStraddle(_amount(to)), _checks_nothing),
        (r"declines|does not straddle|does not pay|stays down", lambda _t, _s: c.Decline(), _checks_nothing),
        (r"accepts|pays|turns up|runs it twice", lambda _t, _s: c.Accept(), _checks_nothing),
        (r"stands pat", lambda _t, _s: c.ChooseCards(), _checks_nothing),
        (rf"draws (\d+|{_CARDS})", lambda t, s, what, _cards: _draws(t, s, what), _checks_nothing),
        (
            rf"(?:discards|gives up|passes|arranges) {_CARDS}",
            lambda t, s, what: c.ChooseCards(_card_indexes(t, s, what)),
            _checks_nothing,
        ),
        (r"declares (.+)", lambda _t, _s, word: c.Declare(word), _checks_nothing),
    )
)
