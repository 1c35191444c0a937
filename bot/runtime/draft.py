"""One command worked out: what happens because of it, down to where the dealer waits again, and the commit that saves it.

A draft is a working copy of a table. A ruling asks things of it; if it is refused, or cannot be saved, the draft is dropped and nothing
has changed. All of it is synchronous and without I/O.

Source: design §3, §4; laws TL-30 to TL-33, TL-40, TL-41, I-1.
"""

import logging
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.choosing import AT_ONCE, silent_choice
from bot.engine.errors import LawError
from bot.engine.evolve import evolve_all
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.misdeal import fouled, misdeal
from bot.engine.options import Misdeal, PassedOut
from bot.engine.rules import rules_for
from bot.engine.ruling import legal, rule, start
from bot.engine.ruling import void as void_events
from bot.engine.seeing import view
from bot.engine.silence import silent
from bot.ledger.accounts import Book, Reason, Transfer, mint, move
from bot.runtime.chips import Accounts, hand_transfers, in_pot, table_transfers
from bot.runtime.context import Context
from bot.runtime.decks import deck_of
from bot.runtime.journal import DealtIn, JournalEvent, TimeUp, TurnClock
from bot.runtime.now import Due, Place, Player
from bot.runtime.ports import Cause, Commit, NewHand
from bot.table import commands as tc
from bot.table import events as te
from bot.table.bank import Clock as TurnTime
from bot.table.bank import clock as turn_time
from bot.table.bank import overdue, restored, spent
from bot.table.deal import draws_button, next_hand
from bot.table.decide import decide
from bot.table.evolve import evolve
from bot.table.finish import close_now, finish_hand, void_hand
from bot.table.preselected import Choice, Ended
from bot.table.preselecting import Lapse, at_turn, ended_by, preselected
from bot.table.queries import due_at, misdeal_agreed
from bot.table.state import AfterHand, Seat, Status, Table

log = logging.getLogger(__name__)
_snapshot = msgspec.msgpack.Encoder().encode
_settings = msgspec.msgpack.Encoder().encode

_OFFERS = frozenset({Decision.SHOW, Decision.STRADDLE, Decision.OFFER, Decision.RUN_TWICE})
"""Where silence is an answer like another: nobody has to sit out for it."""
SNAPSHOT_EVENTS = 200
"""Between hands, so many events after the last snapshot a new one is made: a restart never reads more than a hand and these."""


class Standing(Struct, frozen=True, gc=True):
    """What is remembered of a table between two commands: a value, replaced whole once a draft has been saved.

    Attributes:
        hand: the running hand, or the last one until the next begins; None before the first.
        dealt: who plays it, by place at the deal.
        due: whose turn it is; None between hands.
        seq: number of the table's next event; snapshot: number of the first event after the last snapshot.
        think_at: when the practice player to act has thought enough, 0 for no such.
    """

    table: Table
    hand: Hand | None
    dealt: tuple[Player, ...]
    due: Due | None
    seq: int
    snapshot: int
    think_at: int = 0


class Thought(Struct, frozen=True, gc=False):
    """What a practice player is to think about: the hand's number at the table, its action number, and his place at the deal."""

    hand: int
    turn: int
    place: int


class Draft:
    """A table while a command is being ruled on.

    Attributes:
        now: the time, in ms, that everything in it happens at.
        wallets: chips in the wallets of players with an announced top-up.
        events, transfers: so far.
        dealt_to: ids of people whose private cards changed.
        timed_out: table seat number whose time ran out, 0 for none.
        lapsed: ids of people whose choice before their turn has come to nothing at it (TL-34).
    """

    __slots__ = (
        "_accounts", "_context", "_hand_at", "_next_dealer", "_nonce", "_snapshot_due", "_standing", "channel", "dealt", "dealt_to", "due",
        "events", "hand", "lapsed", "now", "place", "settings_changed", "table", "think_at", "timed_out", "transfers", "wallets",
    )  # fmt: skip

    def __init__(
        self,
        context: Context,
        place: Place,
        accounts: Accounts,
        standing: Standing,
        now: int,
        wallets: Mapping[int, int],
    ) -> None:
        self._context, self.place, self._accounts, self._standing = context, place, accounts, standing
        self.now, self.wallets = now, wallets
        self.table, self.hand, self.dealt, self.due = standing.table, standing.hand, standing.dealt, standing.due
        self.think_at = standing.think_at
        self.events: list[JournalEvent] = []
        self.transfers: list[Transfer] = []
        self.dealt_to: tuple[int, ...] = ()
        self.timed_out = 0
        self.lapsed: tuple[int, ...] = ()
        self.channel = 0
        self.settings_changed = False
        self._nonce = b""
        self._hand_at = -1
        self._snapshot_due = False
        self._next_dealer = False

    # what may be asked

    def ask_table(self, command: tc.Any) -> None:
        """Let the table rule on a command.

        Raises:
            TableError: refused.
        """
        self._at_table(decide(self.table, command, self.now))

    def play(self, seat: int, command: c.Command) -> None:
        """Let the engine rule on a command of a seat (its place at the deal); time spent beyond the plain clock comes off its bank.

        Raises:
            LawError: refused.
        """
        hand = self.hand
        assert hand is not None, "no hand to play"
        events, after = rule(hand, seat, command)
        if self.due is not None and awaited(hand, seat):
            self._spend_bank(self._due_of(hand, seat, self.due))
        self._in_hand(events, after)

    def preselect(self, seat: int, choice: Choice, chips: int = 0) -> None:
        """Let a seat (its place at the deal) choose now what it does at its turn; where that is there by now, it does it.

        Raises:
            LawError: refused; see `bot.table.preselecting.preselected`.
        """
        hand = self.hand
        assert hand is not None, "no hand to choose in"
        chips = preselected(hand, seat, choice, chips)
        number = hand.started.seats[seat]
        self._at_table((te.Preselected(number, choice, chips),))
        command = self._preselection(hand) if seat == hand.to_act else None
        if command is not None:
            self.play(seat, command)

    def forget_preselection(self, seat: int) -> None:
        """A seat (its place at the deal) takes back what it has chosen for its turn, if anything."""
        hand, running = self.hand, self.table.running
        if hand is None or running is None:
            return
        number = hand.started.seats[seat]
        if any(one.seat == number for one in running.preselections):
            self._at_table((te.PreselectionEnded(number, Ended.CLEARED),))

    def deal(self) -> bool:
        """Begin the next hand. False: none can be dealt."""
        pack: Sequence[int] = ()
        if draws_button(self.table):
            pack = self.shuffled()
        deal = next_hand(self.table, self.now, pack)
        if deal is None:
            return False
        self._at_table(deal.events)
        self._nonce = self._context.nonce()
        began = next(event for event in deal.events if isinstance(event, te.HandBegan))
        self._hand_at = self.events.index(began)
        deck = deck_of(self._context.master, self.place.id, self._nonce, began, deal.started)
        seats = (self.table.seat(number) for number in deal.started.seats)
        self.dealt = tuple(Player(seat.player, seat.name) for seat in seats if seat is not None)
        self.events.append(DealtIn(tuple((player.user, player.name) for player in self.dealt)))
        events, self.hand = start(deal.started, deck)
        self._record(events, deal.started.stacks, deal.started.carried, self.hand)
        self.dealt_to = tuple(player.user for player in self.dealt if player.user > 0)
        return True

    def time_out(self) -> None:
        """The time of the seat to act is over: what silence stands for happens (TL-30, TL-32, TL-41)."""
        hand, due = self.hand, self.due
        assert hand is not None and due is not None, "nobody's time can run out"
        self.timed_out = due.seat
        self.events.append(TimeUp(due.seat))
        if hand.decision not in _OFFERS:
            self._spend_bank(due)
            self._at_table(decide(self.table, tc.TimedOut(due.seat), self.now))
        events, after = rule(hand, hand.to_act, silent(hand))
        self._in_hand(events, after)

    def void(self, law: str, reason: str) -> None:
        """The running hand does not count: each takes back what he put in.

        Raises:
            HandOver: it is paid already.
        """
        hand = self.hand
        assert hand is not None, "no hand to void"
        events = void_events(hand, law, reason)
        self._in_hand(events, evolve_all(hand, events))

    def claim_misdeal(self, player: int, reason: str) -> None:
        """Somebody says that the deal was irregular. Once all people dealt in say so, in time, it does not count; a pack that is not
        whole needs nobody's word.

        Raises:
            NoHandRunning, ClaimNotYours. HandOver, PlayStands: it comes too late (I-2, TL-29).
        """
        self.ask_table(tc.ClaimMisdeal(player))
        hand = self.hand
        assert hand is not None, "no hand to claim"
        if fouled(hand):
            self.void("TL-38", reason)
            return
        events = misdeal(hand, reason)
        if misdeal_agreed(self.table):
            self._next_dealer = hand.rules.options.misdeal is Misdeal.NEXT_DEALER
            self._in_hand(events, evolve_all(hand, events))

    def void_unseen(self, law: str, reason: str) -> None:
        """As `void`, of a hand whose cards are lost: nothing of it is shown any more."""
        self.void(law, reason)
        self.settle()
        self.hand, self.dealt = None, ()

    def resume_clock(self, stopped_at: int) -> None:
        """Go on with a turn after a restart: the clock stood still since `stopped_at`, and there are at least 15 seconds (TL-32)."""
        hand, due = self.hand, self.due
        assert hand is not None and due is not None, "no clock is running"
        stopped = min(max(stopped_at, due.began), self.now)
        self._start_clock(hand, restored(TurnTime(due.began, due.turn_ends, due.ends), stopped, self.now))

    def close(self) -> None:
        """Close the table between hands; everybody is paid out."""
        self._at_table(close_now(self.table, self.now))

    def move_to(self, channel: int) -> None:
        """The table goes on in another channel."""
        self.channel = channel

    def pay_practice(self, player: int, chips: int) -> None:
        """Mint practice chips into the wallet of a practice player."""
        self.transfers += move(mint(Book.PRACTICE), self._accounts.wallet(player), chips, Reason.GRANT)

    def awaits(self, thought: Thought) -> bool:
        """Tell whether the choice that was thought about is still to be made, by the same player."""
        hand = self.hand
        return (
            hand is not None
            and self.due is not None
            and (self.table.hands, hand.turn) == (thought.hand, thought.turn)
            and awaited(hand, thought.place)
        )

    def play_practice(self, seat: int, command: c.Command) -> None:
        """A practice player, by his place at the deal, says what he does. What he may not do counts as silence."""
        hand = self.hand
        assert hand is not None, "nobody is thinking"
        try:
            self.play(seat, command)
        except LawError as refusal:
            log.warning(
                "a practice player asked for what he may not do: %s",
                refusal,
                extra={"table": self.place.id, "seat": hand.started.seats[seat]},
            )
            places, word = silent_choice(hand, seat) if seat != hand.to_act else ((), "")
            self.play(seat, silent(hand) if seat == hand.to_act else c.Declare(word) if word else c.Discard(places))

    # what is due

    def overdue(self) -> bool:
        """Tell whether the time of the seat to act is over."""
        due = self.due
        return due is not None and overdue(TurnTime(due.began, due.turn_ends, due.ends), self.now)

    def deal_due(self) -> bool:
        """Tell whether the next deal is due."""
        return self.table.running is None and 0 < self.table.next_hand_at <= self.now and not self._context.stopping

    def tick_due(self) -> bool:
        """Tell whether anything else is due between hands."""
        return 0 < due_at(self.table) <= self.now

    # what follows by itself

    def settle(self) -> None:
        """Do what the dealer does without being asked: drop the hands of those who left, do what was chosen before the turn, end a hand,
        keep the clock."""
        while self.hand is not None and self.table.running is not None:
            hand = self.hand
            if hand.over:
                self._finish(hand)
                break
            assert hand.to_act >= 0, "a hand that goes on has somebody to act"
            command: c.Command | None
            if self._seat(hand.started.seats[hand.to_act]).after is AfterHand.LEAVE:
                command = c.Fold() if legal(hand, hand.to_act).fold else silent(hand)  # TL-40
            else:
                command = self._preselection(hand)
            if command is None:
                break
            events, after = rule(hand, hand.to_act, command)
            self._in_hand(events, after)
        self._keep_clock()

    def commit(self, cause: Cause) -> Commit:
        """Everything this draft changes."""
        first = self._standing.seq
        snapshot: bytes | None = None
        if self._wants_snapshot():
            snapshot = _snapshot(self.table)
        return Commit(
            guild=self.place.guild,
            cause=cause,
            table=self.place.id,
            seq=first,
            events=tuple(self.events),
            transfers=tuple(self.transfers),
            hand=NewHand(self.table.hands, self._nonce, self._hand_at) if self._hand_at >= 0 else None,
            snapshot=snapshot,
            settings=_settings(self.table.settings) if self.settings_changed else None,
            channel=self.channel,
            closes=self.table.status is Status.CLOSED,
        )

    @property
    def changed(self) -> bool:
        """Whether there is anything to save."""
        return bool(self.events or self.transfers or self.channel)

    @property
    def secret(self) -> bool:
        """Whether all of it is one player's private affair."""
        return not (self.transfers or self.channel) and all(isinstance(event, te.PrivateEvent) for event in self.events)

    def standing(self, seq: int) -> Standing:
        """The table as it is to be remembered once this draft is saved; `seq` is the number of its next event."""
        snapshot = seq if self._wants_snapshot() else self._standing.snapshot
        return Standing(self.table, self.hand, self.dealt, self.due, seq, snapshot, self.think_at)

    # inside

    def _wants_snapshot(self) -> bool:
        if self.table.running is not None:
            return False
        return self._snapshot_due or self._standing.seq + len(self.events) - self._standing.snapshot >= SNAPSHOT_EVENTS

    def _at_table(self, events: Sequence[te.Any]) -> None:
        for event in events:
            self.transfers += table_transfers(self._accounts, self.table, event)
            self.table = evolve(self.table, event)
            self.settings_changed = self.settings_changed or isinstance(event, te.SettingsChanged)
        self.events += events

    def _in_hand(self, events: Sequence[e.Any | e.Event], after: Hand) -> None:
        before = self.hand
        assert before is not None
        self._record(events, before.stacks, in_pot(before), after)
        self.hand = after
        if self.table.running is not None and self.table.running.preselections and not after.over:
            ended = ended_by(self.table.running.preselections, before.started.seats, events)
            self._at_table([te.PreselectionEnded(number, why) for number, why in ended])
        if before.down != after.down:
            users = (  # cards turned up or given up tell their holder nothing new
                player.user
                for player, old, new in zip(self.dealt, before.down, after.down, strict=True)
                if set(new) - set(old)
            )
            self.dealt_to += tuple(user for user in users if user > 0 and user not in self.dealt_to)

    def _preselection(self, hand: Hand) -> c.Command | None:
        """What the seat to act has chosen before its turn; None where there is nothing, or it lapses (TL-34)."""
        running = self.table.running
        if running is None or not running.preselections:
            return None
        number = hand.started.seats[hand.to_act]
        chosen = next((one for one in running.preselections if one.seat == number and one.lapsed is None), None)
        if chosen is None:
            return None
        found = at_turn(hand, chosen)
        if not isinstance(found, Lapse):
            return found
        self._at_table((te.PreselectionEnded(number, found.why, found.call),))
        self.lapsed += (self.dealt[hand.to_act].user,)
        return None

    def _record(self, events: Sequence[e.Event], stacks: Sequence[int], pot: int, after: Hand) -> None:
        users = [player.user for player in self.dealt]
        self.transfers += hand_transfers(self._accounts, users, stacks, pot, events, after)
        self.events += events  # type: ignore[arg-type]

    def _finish(self, hand: Hand) -> None:
        if hand.voided and not self._next_dealer:
            self._at_table(void_hand(self.table, self.now, self.wallets))
        else:  # after a misdeal that the next dealer deals anew, antes stay in the pot (I-3)
            stacks = dict(zip(hand.started.seats, hand.stacks, strict=True))
            again = hand.passed_out and hand.rules.options.passed_out is PassedOut.SAME_DEALER_REANTE
            self._at_table(
                finish_hand(
                    self.table,
                    stacks,
                    self.now,
                    self.wallets,
                    carried=in_pot(hand) if hand.voided else hand.carried_on,
                    same_dealer=again,
                    passed_out=hand.passed_out,
                    misdeal=hand.voided,
                )
            )
        self._next_dealer = False
        self._snapshot_due = True
        self._refill_practice()

    def _refill_practice(self) -> None:
        """A practice player without chips buys in again by himself."""
        settings = self.table.settings
        if not settings.practice or self.table.status is not Status.OPEN:
            return
        for seat in self.table.seats:
            if seat.practice and not seat.stack:
                chips = usual_buy_in(self.table)
                self.pay_practice(seat.player, chips)
                self._at_table(decide(self.table, tc.TopUp(seat.player, chips), self.now))

    def _spend_bank(self, due: Due) -> None:
        ms = spent(TurnTime(due.began, due.turn_ends, due.ends), self.now)
        if ms:
            self._at_table((te.BankSpent(due.seat, ms),))

    def _keep_clock(self) -> None:
        """Start the clock of a new turn; stop it when there is none."""
        hand = self.hand
        if hand is None or self.table.running is None or hand.over:
            self.due, self.think_at = None, 0
            return
        number, due = hand.started.seats[hand.to_act], self.due
        if due is not None and (due.turn, due.seat) == (hand.turn, number):
            if hand.decision in AT_ONCE and self.think_at <= self.now:  # one of them has chosen: the next one thinks
                self._let_think(hand, TurnTime(due.began, due.turn_ends, due.ends))
            return
        at_once = due is not None and hand.decision in AT_ONCE and due.turn == hand.turn
        began = due.began if due is not None and at_once else self.now  # all who choose at once have the same time
        time = turn_time(self.table.settings, self._seat(number), began)
        if hand.decision is Decision.RUN_TWICE:  # a favour asked of all, so nobody's bank is waited for
            time = TurnTime(time.began, time.turn_ends, time.turn_ends)
        self._start_clock(hand, time)

    def _start_clock(self, hand: Hand, time: TurnTime) -> None:
        seat = self._seat(hand.started.seats[hand.to_act])
        self.due = Due(seat.number, seat.player, hand.turn, time.began, time.turn_ends, time.ends)
        self.events.append(TurnClock(seat.number, time.began, time.turn_ends, time.ends))
        self._let_think(hand, time)

    def _let_think(self, hand: Hand, time: TurnTime) -> None:
        """Say when the practice player who is asked, the first of those who choose at once, will have thought enough."""
        self.think_at = 0
        thinker, policies = thinker_of(self.table, hand), self._context.policies
        if thinker >= 0 and policies is not None:
            thinks = policies.policy(self.dealt[thinker].user).think_ms(view(hand, thinker), self._context.dice)
            self.think_at = min(self.now + max(thinks, 1), max(time.turn_ends, self.now + 1))

    def _due_of(self, hand: Hand, seat: int, due: Due) -> Due:
        """The clock of one of those who choose at once; else the clock that runs."""
        if seat == hand.to_act:
            return due
        its = self._seat(hand.started.seats[seat])
        time = turn_time(self.table.settings, its, due.began)
        return Due(its.number, its.player, due.turn, time.began, time.turn_ends, time.ends)

    def _seat(self, number: int) -> Seat:
        seat = self.table.seat(number)
        assert seat is not None, "a player who is dealt in keeps his seat"
        return seat

    def shuffled(self) -> tuple[int, ...]:
        """A shuffled pack for drawing lots; nobody plays with it."""
        options = self.table.settings.options
        pack = list(rules_for(self.table.settings.card, options, self.table.settings.stakes).pack)
        self._context.dice.shuffle(pack)
        return tuple(pack)

    def lot(self) -> int:
        """A whole number that nobody knew before."""
        return self._context.dice.randrange(1 << 30)


def awaited(hand: Hand, seat: int) -> bool:
    """Whether a place at the deal is to act, or is among those who choose at once and has not yet."""
    if hand.decision in AT_ONCE:
        return bool(hand.unserved & hand.live & 1 << seat)
    return seat == hand.to_act


def thinker_of(table: Table, hand: Hand) -> int:
    """The place at the deal of the practice player who is to act, or is the first among those who choose at once; -1 for none."""
    if not table.settings.practice:
        return -1
    for place, number in enumerate(hand.started.seats):
        seat = table.seat(number)
        if awaited(hand, place) and seat is not None and seat.practice:
            return place
    return -1


def usual_buy_in(table: Table) -> int:
    """What a practice player sits down with: a hundred big blinds, within the table's limits."""
    settings = table.settings
    return max(settings.min_buyin, min(100 * settings.unit, settings.max_buyin))
