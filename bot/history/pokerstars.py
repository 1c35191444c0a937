"""A hand in the form of PokerStars' hand histories, which most trackers and replayers read.

Its lines are a grammar of their own, in English whatever the reader's language: a header, the table, the seats, the forced bets, each
street under its ``*** … ***``, the showdown and the summary. What is written here keeps to what those readers look for. Chips are play
chips: amounts have no currency, and there is no rake. Whoever was not dealt in has no line.

Games that PokerStars never had, and rules that its lines cannot tell, are refused: `PokerStarsGap` says which. The plain text
(`bot.history.lines`) and PHH (`bot.history.record`) have every game.

Laws: TL-22, TL-37.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any

from msgspec import Struct

from bot.engine import events as e
from bot.engine.betting.pots import pots
from bot.engine.cards import card_text
from bot.engine.errors import TableError
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, OpeningDuty
from bot.engine.options.values import Limit
from bot.engine.ranking import HandName
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.units import SeatIndex
from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer, KnownCards
from bot.history.phh_fields import plays_as_published
from bot.history.player_names import names_in_grammar
from bot.history.pokerstars_names import hand_in_words


class Layout(Enum):
    """How the streets of a family of games are written."""

    FLOP = "flop"
    STUD = "stud"
    SINGLE_DRAW = "single draw"
    TRIPLE_DRAW = "triple draw"


class PokerStarsGame(Struct, frozen=True):
    """A game that PokerStars had.

    Attributes:
        name: as its headers call it.
        button_blind: its stakes are an ante and a blind of the button.
        split: two boards are dealt from the start.
    """

    name: str
    layout: Layout
    button_blind: bool = False
    split: bool = False


_HOLDEM, _OMAHA, _OMAHA8 = (PokerStarsGame(name, Layout.FLOP) for name in ("Hold'em", "Omaha", "Omaha Hi/Lo"))
_FIVE_CARD_DRAW = PokerStarsGame("5 Card Draw", Layout.SINGLE_DRAW)
POKERSTARS_GAMES: Mapping[str, PokerStarsGame] = {
    "holdem": _HOLDEM,
    "pot_limit_holdem": _HOLDEM,
    "limit_holdem": _HOLDEM,
    "short_deck": PokerStarsGame("6+ Hold'em", Layout.FLOP, button_blind=True),
    "double_board_holdem": PokerStarsGame("Split Hold'em", Layout.FLOP, split=True),
    "omaha": _OMAHA,
    "limit_omaha": _OMAHA,
    "omaha8": _OMAHA8,
    "limit_omaha8": _OMAHA8,
    "no_limit_omaha8": _OMAHA8,
    "omaha5": PokerStarsGame("5 Card Omaha", Layout.FLOP),
    "big_o": PokerStarsGame("5 Card Omaha Hi/Lo", Layout.FLOP),
    "omaha6": PokerStarsGame("6 Card Omaha", Layout.FLOP),
    "courchevel": PokerStarsGame("Courchevel", Layout.FLOP),
    "courchevel8": PokerStarsGame("Courchevel Hi/Lo", Layout.FLOP),
    "stud": PokerStarsGame("7 Card Stud", Layout.STUD),
    "stud8": PokerStarsGame("7 Card Stud Hi/Lo", Layout.STUD),
    "razz": PokerStarsGame("Razz", Layout.STUD),
    "five_card_draw": _FIVE_CARD_DRAW,
    "pot_limit_five_card_draw": _FIVE_CARD_DRAW,
    "no_limit_five_card_draw": _FIVE_CARD_DRAW,
    "single_draw_27": PokerStarsGame("Single Draw 2-7 Lowball", Layout.SINGLE_DRAW),
    "triple_draw_27": PokerStarsGame("Triple Draw 2-7 Lowball", Layout.TRIPLE_DRAW),
    "badugi": PokerStarsGame("Badugi", Layout.TRIPLE_DRAW),
}
"""The games that PokerStars had, by the key of ours."""

LIMIT_NAMES = {Limit.NO_LIMIT: "No Limit", Limit.POT_LIMIT: "Pot Limit", Limit.LIMIT: "Limit"}
STUD_STREETS = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
DRAW_MARKS = ("FIRST DRAW", "SECOND DRAW", "THIRD DRAW")
_BOARD_MARKS = {3: "FLOP", 4: "TURN", 5: "RIVER"}
_RUNS = ("FIRST", "SECOND")
_FOLDED_IN_STUD = ("on the 3rd Street", "on the 4th Street", "on the 5th Street", "on the 6th Street", "on the River")
_FOLDED_AT_BOARD = {0: "before Flop", 1: "before Flop", 3: "on the Flop", 4: "on the Turn", 5: "on the River"}


class PokerStarsGap(StrEnum):
    """Why a hand cannot be written in PokerStars' form."""

    GAME = "game"  # PokerStars never had it
    RULES = "rules"  # the table's rules change the game
    CARRIED_POT = "carried pot"  # chips of an earlier hand were in the pot
    FORFEITED_CHIPS = "forfeited chips"  # chips put in out of turn were lost
    NOT_OVER = "not over"  # the hand is being played


class NotInPokerStarsForm(TableError):
    """A hand that PokerStars' hand histories have no lines for. `game` is the game's name."""

    gap: PokerStarsGap
    game: str


class Tournament(Struct, frozen=True):
    """A tournament of play money: its number, what it costs to enter, in chips, 0 for a free one, and the level, from 1."""

    number: int
    buy_in: int
    level: int


class HandOrigin(Struct, frozen=True):
    """Where and when a hand was played.

    Attributes:
        hand_id: a number that no other hand has.
        table: the table's name, without quotation marks.
        seats: how many seats the table has.
        started_at: ms since the epoch.
        tournament: that it belongs to; None for a hand of a table for chips.
    """

    hand_id: int
    table: str
    seats: int
    started_at: int
    tournament: Tournament | None = None


def to_pokerstars(
    events: Sequence[e.HandEvent],
    deck: tuple[int, ...],
    viewer: HistoryViewer,
    names: Sequence[str],
    origin: HandOrigin,
) -> str:
    """Write a hand that is over in the form of PokerStars.

    Args:
        events: every event of the hand, the first one first.
        deck: the whole deck as it was dealt from.
        viewer: who will read it. Cards are dealt ``to`` a seat that reads its own hand; others' cards are those that were shown.
        names: of the players by seat index. They are made plain, and different from one another.

    Raises:
        NotInPokerStarsForm: PokerStars has no lines for such a hand.
    """
    first = events[0]
    assert isinstance(first, e.HandStarted)
    game_of_hand = pokerstars_game(first)
    writer = _HandWriter(begin_hand(first, deck), game_of_hand, KnownCards(events, deck, viewer), viewer, names, origin)
    writer.head()
    for event in events[1:]:
        writer.tell(event)
    if not writer.hand.over:
        raise NotInPokerStarsForm(gap=PokerStarsGap.NOT_OVER, game=first.rule_card.name)
    writer.end()
    return "\n".join(writer.lines) + "\n"


def pokerstars_game(started: e.HandStarted) -> PokerStarsGame:
    """Return the game of a hand as PokerStars had it.

    Raises:
        NotInPokerStarsForm: it never had it, or the table's rules change it.
    """
    card, found = started.rule_card, POKERSTARS_GAMES.get(started.rule_card.key)
    if found is None or card.boards != 1 + found.split:
        raise NotInPokerStarsForm(gap=PokerStarsGap.GAME, game=card.name)
    if not plays_as_published(started, limit=False) or started.options.limit not in LIMIT_NAMES:
        raise NotInPokerStarsForm(gap=PokerStarsGap.RULES, game=card.name)
    if started.carried:
        raise NotInPokerStarsForm(gap=PokerStarsGap.CARRIED_POT, game=card.name)
    return found


class _HandWriter:
    """Follows a hand and writes its lines."""

    def __init__(
        self,
        hand: Hand,
        game: PokerStarsGame,
        known: KnownCards,
        viewer: HistoryViewer,
        names: Sequence[str],
        origin: HandOrigin,
    ) -> None:
        self.hand, self.game, self.known, self.viewer, self.origin = hand, game, known, viewer, origin
        self.names = names_in_grammar(names, hand.started.seat_numbers)
        self.lines: list[str] = []
        self.posted: list[e.Posted] = []
        self.street = 0  # of stud; in games with draws, how many draws have begun
        self.folded_when: dict[SeatIndex, str] = {}
        self.showdown_seats: list[tuple[SeatIndex, bool]] = []  # who showed or mucked, in their order
        self.run_lines: dict[int, list[str]] = {}  # by board, its streets since the board was run twice
        self.is_run_twice = False
        self.paid: tuple[e.Payment, ...] = ()
        self.is_paid = False

    # the head

    def head(self) -> None:
        """The header, the table and the seats."""
        started, origin = self.hand.started, self.origin
        game = f"{self.game.name} {LIMIT_NAMES[started.options.limit]}"
        if (of := origin.tournament) is None:
            about, money = f" {game} ({self._stakes()})", " (Play Money)"
        else:
            entry = f"{of.buy_in}+0" if of.buy_in else "Freeroll"
            about = f"Tournament #{of.number}, {entry} {game} - Level {roman(of.level)} ({self._stakes().strip()})"
            money = ""
        self.lines.append(f"PokerStars Hand #{origin.hand_id}: {about} - {_times(origin.started_at)}")
        seats = max(origin.seats, *started.seat_numbers)
        button = "" if self.game.layout is Layout.STUD else f" Seat #{started.button_seat_number} is the button"
        self.lines.append(f"Table '{origin.table}' {seats}-max{money}{button}")
        for number, seat in sorted((number, seat) for seat, number in enumerate(started.seat_numbers)):
            self.lines.append(f"Seat {number}: {self.names[seat]} ({started.stacks[seat]} in chips)")

    def _stakes(self) -> str:
        rules = self.hand.rules
        stakes = rules.stakes
        if self.game.button_blind:
            blind = next((post.chips for post in self.hand.started.posts if post.kind is e.PostKind.BIG_BLIND), 0)
            return f"Button Blind {blind} - Ante {stakes.ante} "
        if self.hand.started.options.limit is Limit.LIMIT:
            return f"{rules.amounts.small_bet}/{rules.amounts.big_bet}"
        return f"{stakes.small_blind}/{stakes.big_blind}"

    # the events

    def tell(self, event: e.HandEvent) -> None:
        """Write what one event means, and go on."""
        before, self.hand = self.hand, evolve(self.hand, event)
        tell = _TOLD.get(type(event))
        if tell is not None:
            tell(self, before, event)

    def _name(self, seat: SeatIndex) -> str:
        return self.names[seat]

    def _cards(self, card_indices: Iterable[int]) -> str:
        return f"[{' '.join(card_text(self.hand.deck[index]) for index in card_indices)}]"

    def _reads_hand_of(self, seat: SeatIndex) -> bool:
        return self.viewer is ALL_KNOWING or seat == self.viewer

    def _all_in(self, seat: SeatIndex) -> str:
        return "" if self.hand.stacks[seat] else " and is all-in"

    def note_post(self, _before: Hand, event: e.Posted) -> None:
        """Remember a forced bet: a dead blind and a live one of the same player are one line."""
        if event.chips:
            self.posted.append(event)

    def tell_posts(self, _before: Hand, _event: e.AllPosted) -> None:
        """The forced bets: antes first, then blinds."""
        kinds = e.PostKind
        big_blinds = {post.seat for post in self.posted if post.kind is kinds.BIG_BLIND}
        live = {post.seat: post for post in self.posted if post.kind is kinds.LIVE}
        small = self.hand.rules.stakes.small_blind
        last = {post.seat: at for at, post in enumerate(self.posted)}
        antes: list[str] = []
        blinds: list[str] = []
        for at, post in enumerate(self.posted):
            chips, seat, lines = post.chips, post.seat, blinds
            match post.kind:
                case kinds.ANTE:
                    what, lines = "the ante", antes
                case kinds.DEAD if seat in live and post.owed == small:
                    continue
                case kinds.DEAD if seat in big_blinds or post.owed != small or self.hand.rules.stakes.ante == post.owed:
                    what, lines = "the ante", antes
                case kinds.DEAD | kinds.SMALL_BLIND:
                    what = "small blind"
                case kinds.LIVE:
                    dead = sum(
                        each.chips
                        for each in self.posted
                        if (each.seat, each.kind, each.owed) == (seat, kinds.DEAD, small)
                    )
                    what, chips = ("small & big blinds", chips + dead) if dead else ("big blind", chips)
                case kinds.BIG_BLIND:
                    what = "button blind" if self.game.button_blind else "big blind"
                case _:
                    what = "straddle"
            suffix = self._all_in(seat) if last[seat] == at or "&" in what else ""
            lines.append(f"{self._name(seat)}: posts {what} {chips}{suffix}")
        self.lines += antes + blinds

    def dealt_down(self, before: Hand, event: e.DealtDown) -> None:
        """Cards face down: the beginning of a hand, or a street of stud."""
        if self.game.layout is Layout.STUD:
            if not any(before.down_indices):
                return  # the third street begins with the card face up
            self._stud_street(before)
            return
        self.lines.append("*** HOLE CARDS ***" if self.game.layout is Layout.FLOP else "*** DEALING HANDS ***")
        for seat in seats_in(self.hand.live_seats):
            if self._reads_hand_of(seat):
                self.lines.append(f"Dealt to {self._name(seat)} {self._cards(sorted(self.hand.down_indices[seat]))}")

    def dealt_up(self, before: Hand, _event: e.DealtUp) -> None:
        self._stud_street(before)

    def _stud_street(self, before: Hand) -> None:
        """Who has which cards now, in the order of dealing: all of them for whoever reads their own hand, else those face up."""
        hand = self.hand
        self.lines.append(f"*** {STUD_STREETS[self.street]} ***")
        for seat in seats_in(hand.live_seats):
            reads = self._reads_hand_of(seat)
            now = sorted((*hand.up_indices[seat], *(hand.down_indices[seat] if reads else ())))
            held = {*before.up_indices[seat], *(before.down_indices[seat] if self.street else ())}
            old, new = [index for index in now if index in held], [index for index in now if index not in held]
            if new:
                self.lines.append(
                    f"Dealt to {self._name(seat)} {f'{self._cards(old)} ' if old else ''}{self._cards(new)}"
                )
        self.street += 1

    def dealt_board(self, before: Hand, event: e.DealtBoard) -> None:
        """A street of common cards."""
        number, dealt = event.board_index, range(event.first_card_index, event.first_card_index + event.count)
        old = before.board_indices[number]
        if self.game.layout is Layout.STUD:  # the deck had too few cards for everybody
            self.lines.append(f"*** {STUD_STREETS[self.street]} *** {self._cards(dealt)}")
            self.street += 1
            return
        if len(old) + event.count == 1:  # the first card of courchevel lies open before anybody bets
            at = self.lines.index("*** HOLE CARDS ***")
            self.lines[at] += f" {self._cards(dealt)}"
            return
        runs = f"{_RUNS[number]} " if self.game.split or self.is_run_twice else ""
        earlier = f"{self._cards(old)} " if old else ""
        line = f"*** {runs}{_BOARD_MARKS[len(old) + event.count]} *** {earlier}{self._cards(dealt)}"
        (self.run_lines.setdefault(number, []) if self.is_run_twice else self.lines).append(line)

    def run_twice(self, _before: Hand, _event: e.BoardRunTwice) -> None:
        self.is_run_twice = True

    def draw_opened(self, _before: Hand, _event: e.DrawOpened) -> None:
        """A draw. Where there is only one, no line says so."""
        if self.game.layout is Layout.TRIPLE_DRAW:
            self.lines.append(f"*** {DRAW_MARKS[self.street]} ***")
        self.street += 1

    def drew(self, before: Hand, event: e.Drew) -> None:
        seat, reads = event.seat, self._reads_hand_of(event.seat)
        held = before.down_indices[seat]
        if not event.discards:
            cards = f" on {self._cards(sorted(held))}" if reads else ""
            self.lines.append(f"{self._name(seat)}: stands pat{cards}")
            return
        count = len(event.discards)
        cards = f" {self._cards(sorted(event.discards))}" if reads else ""
        self.lines.append(f"{self._name(seat)}: discards {count} card{'s' if count > 1 else ''}{cards}")
        if reads:
            kept = sorted(set(held).difference(event.discards))
            new = sorted(set(self.hand.down_indices[seat]).difference(kept))
            self.lines.append(
                f"Dealt to {self._name(seat)} {f'{self._cards(kept)} ' if kept else ''}{self._cards(new)}"
            )

    def reshuffled(self, _before: Hand, _event: e.Reshuffled) -> None:
        self.lines.append("The deck is reshuffled")

    def folded(self, before: Hand, event: e.Folded) -> None:
        if before.decision is not Decision.BET:
            return
        when = self._when(before)
        first_street = not any(before.board_indices) and self.street == (self.game.layout is Layout.STUD)
        if first_street and not before.bets[event.seat]:
            when += " (didn't bet)"
        self.folded_when[event.seat] = when
        self.lines.append(f"{self._name(event.seat)}: folds")

    def _when(self, hand: Hand) -> str:
        match self.game.layout:
            case Layout.FLOP:
                return _FOLDED_AT_BOARD[len(hand.board_indices[0])]
            case Layout.STUD:
                return _FOLDED_IN_STUD[max(0, self.street - 1)]
            case Layout.SINGLE_DRAW:
                return "after the Draw" if self.street else "before the Draw"
            case Layout.TRIPLE_DRAW:
                return ("before the Draw", "after the 1st Draw", "after the 2nd Draw", "after the 3rd Draw")[
                    self.street
                ]

    def checked(self, _before: Hand, event: e.Checked) -> None:
        self.lines.append(f"{self._name(event.seat)}: checks")

    def called(self, _before: Hand, event: e.Called) -> None:
        self.lines.append(f"{self._name(event.seat)}: calls {event.chips}{self._all_in(event.seat)}")

    def bet(self, before: Hand, event: e.BetTo) -> None:
        brings_in = before.opening_duty is not OpeningDuty.FREE and event.to == min(
            before.rules.amounts.bring_in, before.stacks[event.seat]
        )
        what = f"brings in for {event.to}" if brings_in else f"bets {event.to}"
        self.lines.append(f"{self._name(event.seat)}: {what}{self._all_in(event.seat)}")

    def raised(self, before: Hand, event: e.RaisedTo) -> None:
        more = event.to - before.current_bet
        self.lines.append(f"{self._name(event.seat)}: raises {more} to {event.to}{self._all_in(event.seat)}")

    def betting_round_closed(self, _before: Hand, event: e.BettingRoundClosed) -> None:
        if event.returned:
            self.lines.append(f"Uncalled bet ({event.returned}) returned to {self._name(event.seat)}")

    def forfeited(self, before: Hand, _event: e.OutOfTurnChipsForfeited) -> None:
        """Chips that nobody bet are in the pot: a reader of the lines would count another pot.

        Raises:
            NotInPokerStarsForm: always.
        """
        raise NotInPokerStarsForm(gap=PokerStarsGap.FORFEITED_CHIPS, game=before.started.rule_card.name)

    def shown(self, _before: Hand, event: e.Shown) -> None:
        if self.is_paid:
            self.lines.append(f"{self._name(event.seat)}: shows {self._held_cards(event.seat)}")
        else:  # an all-in hand is shown before all its cards are dealt, and told with the others
            self.showdown_seats.append((event.seat, True))

    def _held_cards(self, seat: SeatIndex) -> str:
        return self._cards(sorted((*self.hand.down_indices[seat], *self.hand.up_indices[seat])))

    def cards_shown(self, _before: Hand, event: e.CardsShown) -> None:
        """Some cards, after the hand."""
        self.lines.append(f"{self._name(event.seat)}: shows {self._cards(sorted(event.card_indices))}")

    def mucked(self, _before: Hand, event: e.Mucked) -> None:
        self.showdown_seats.append((event.seat, False))

    def pots_paid(self, _before: Hand, event: e.PotsPaid) -> None:
        """The showdown, board by board, and who takes which pot."""
        self.is_paid, self.paid = True, event.payments
        for number in sorted(self.run_lines):
            self.lines += self.run_lines[number]
        if not self.hand.showdown:
            self.lines += self._collected(event.payments)
        elif self.is_run_twice:
            for number, run in enumerate(_RUNS):
                self.lines.append(f"*** {run} SHOW DOWN ***")
                self.lines += self._showdown(number)
                self.lines += self._collected([paid for paid in event.payments if paid.board_index == number])
        else:
            self.lines.append("*** SHOW DOWN ***")
            self.lines += self._showdown(0)
            self.lines += self._collected(event.payments)

    def _showdown(self, board: int) -> Iterator[str]:
        for seat, shows in self.showdown_seats:
            if shows:
                yield f"{self._name(seat)}: shows {self._held_cards(seat)} ({self._hand_name(seat, board)})"
            elif not board:
                yield f"{self._name(seat)}: mucks hand"

    def _collected(self, payments: Iterable[e.Payment]) -> Iterator[str]:
        count = 1 + max((paid.pot_index for paid in self.paid), default=0)
        for paid in payments:
            if paid.chips:
                yield f"{self._name(paid.seat)} collected {paid.chips} from {_pot_name(paid.pot_index, count)}"

    def _hand_name(self, seat: SeatIndex, board: int) -> str:
        """What a seat has for each share of the pot, as PokerStars calls it; on both boards where two were dealt from the start."""
        hand = self.hand
        boards = range(len(hand.board_indices)) if self.game.split else (board,)
        found = []
        for number in boards:
            names: list[HandName | None] = [
                evaluator.name(value)
                if (value := evaluator.best(hand.held_cards(seat), hand.board_cards(number)))
                else None
                for evaluator in evaluators_for(hand, seat)
            ]
            found.append(hand_in_words(names))
        return ", and ".join(found)

    # the end

    def end(self) -> None:
        """What the winner of an uncontested pot shows, and the summary."""
        hand = self.hand
        if hand.voided:
            self.lines.append("Hand cancelled")
        elif not hand.showdown:
            for paid in self.paid:  # one player's, if anybody's
                if not hand.shown_count(paid.seat):
                    self.lines.append(f"{self._name(paid.seat)}: doesn't show hand")
        self.lines.append("*** SUMMARY ***")
        self.lines.append(self._total_pot())
        self.lines += self._boards()
        for number, seat in sorted((number, SeatIndex(at)) for at, number in enumerate(hand.started.seat_numbers)):
            self.lines.append(f"Seat {number}: {self._name(seat)} {self._position(seat)}{self._outcome(seat)}")

    def _total_pot(self) -> str:
        hand = self.hand
        if hand.voided:
            return "Total pot 0 | Rake 0"
        layers = [pot.chips for pot in pots(hand.put_in, hand.live_seats, hand.dead_chips)]
        parts = ""
        if len(layers) > 1:
            named = [f"{_pot_name(at, len(layers)).capitalize()} {chips}." for at, chips in enumerate(layers)]
            parts = f" {' '.join(named)}"
        return f"Total pot {sum(layers)}{parts} | Rake 0"

    def _boards(self) -> Iterator[str]:
        boards = [board for board in self.hand.board_indices if board]
        if self.is_run_twice:
            yield "Hand was run twice"
        for number, board in enumerate(boards):
            run = f"{_RUNS[number]} " if len(boards) > 1 else ""
            yield f"{run}Board {self._cards(board)}"

    def _position(self, seat: SeatIndex) -> str:
        if self.game.layout is Layout.STUD:
            return ""
        started = self.hand.started
        found = "(button) " if started.seat_numbers[seat] == started.button_seat_number else ""
        kinds = {post.kind for post in started.posts if post.seat == seat}
        if self.game.button_blind:
            return found
        found += "(small blind) " if e.PostKind.SMALL_BLIND in kinds else ""
        return found + ("(big blind) " if e.PostKind.BIG_BLIND in kinds else "")

    def _outcome(self, seat: SeatIndex) -> str:
        """How a seat came out: what it showed, won, lost or mucked. Unseen cards are named to their holder alone."""
        hand = self.hand
        if seat in self.folded_when:
            return f"folded {self.folded_when[seat]}"
        won = sum(paid.chips for paid in self.paid if paid.seat == seat)
        held = sorted((*hand.down_indices[seat], *hand.up_indices[seat]))
        if hand.showdown and hand.shown_seats >> seat & 1:
            return f"showed {self._cards(held)} and {self._came_out(seat, won)}"
        if won:
            return f"collected ({won})"
        if hand.mucked_seats >> seat & 1 and self._reads_hand_of(seat):
            return f"mucked {self._cards(held)}"
        return "mucked"

    def _came_out(self, seat: SeatIndex, won: int) -> str:
        if not self.is_run_twice:
            return f"{f'won ({won})' if won else 'lost'} with {self._hand_name(seat, 0)}"
        parts = []
        for number in range(len(_RUNS)):
            chips = sum(paid.chips for paid in self.paid if (paid.seat, paid.board_index) == (seat, number))
            parts.append(f"{f'won ({chips})' if chips else 'lost'} with {self._hand_name(seat, number)}")
        return ", and ".join(parts)


_TOLD: dict[type[e.HandEvent], Callable[[_HandWriter, Hand, Any], None]] = {
    e.Posted: _HandWriter.note_post,
    e.AllPosted: _HandWriter.tell_posts,
    e.DealtDown: _HandWriter.dealt_down,
    e.DealtUp: _HandWriter.dealt_up,
    e.DealtBoard: _HandWriter.dealt_board,
    e.BoardRunTwice: _HandWriter.run_twice,
    e.DrawOpened: _HandWriter.draw_opened,
    e.Drew: _HandWriter.drew,
    e.Reshuffled: _HandWriter.reshuffled,
    e.Folded: _HandWriter.folded,
    e.Checked: _HandWriter.checked,
    e.Called: _HandWriter.called,
    e.BetTo: _HandWriter.bet,
    e.RaisedTo: _HandWriter.raised,
    e.BettingRoundClosed: _HandWriter.betting_round_closed,
    e.OutOfTurnChipsForfeited: _HandWriter.forfeited,
    e.Shown: _HandWriter.shown,
    e.CardsShown: _HandWriter.cards_shown,
    e.Mucked: _HandWriter.mucked,
    e.PotsPaid: _HandWriter.pots_paid,
}
"""What the events mean that have lines. The games of PokerStars have no other choices; what follows by itself needs no line."""


def _pot_name(index: int, count: int) -> str:
    if count == 1:
        return "pot"
    if not index:
        return "main pot"
    return "side pot" if count == 2 else f"side pot-{index}"


_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number: int) -> str:
    """Write a level as tournaments do.

    >>> roman(4), roman(19)
    ('IV', 'XIX')
    """
    found = ""
    for value, sign in _ROMAN:
        times, number = divmod(number, value)
        found += sign * times
    return found


def _times(started_at: int) -> str:
    """The time of a hand in UTC, and as PokerStars keeps it, on the east coast of America: readers take the second."""
    utc = dt.datetime.fromtimestamp(started_at // 1000, dt.UTC)
    return f"{utc:%Y/%m/%d %H:%M:%S} UTC [{eastern_time(utc):%Y/%m/%d %H:%M:%S} ET]"


def eastern_time(utc: dt.datetime) -> dt.datetime:
    """Return the time in New York: five hours behind; four from the second Sunday of March to the first of November, as since 2007."""

    def sunday(month: int, nth: int, hour: int) -> dt.datetime:
        first = dt.datetime(utc.year, month, 1, hour, tzinfo=dt.UTC)
        return first + dt.timedelta(days=(6 - first.weekday()) % 7 + 7 * (nth - 1))

    summer = sunday(3, 2, 7) <= utc < sunday(11, 1, 6)
    return utc - dt.timedelta(hours=4 if summer else 5)


__all__ = (
    "PUBLIC",
    "HandOrigin",
    "NotInPokerStarsForm",
    "PokerStarsGap",
    "Tournament",
    "pokerstars_game",
    "to_pokerstars",
)
