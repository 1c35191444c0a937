"""One command and all that follows from it, until the dealer waits again, and the commit that saves it.

A transaction is a working copy of a table. An operation changes it. If the operation is refused, or cannot be saved, the transaction
is dropped and nothing has changed. All of it is synchronous and without I/O.

Laws: TL-30 to TL-33, TL-40, TL-41, I-1.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.choices.secret_choices import default_choice
from bot.engine.dealing.misdeal import claim_misdeal, is_deck_fouled
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.decide import void as void_events
from bot.engine.errors import BrokenInvariant, LawError
from bot.engine.events import VoidReason
from bot.engine.evolve import begin_hand, evolve_all
from bot.engine.hand import Hand, is_asked
from bot.engine.legal import Decision
from bot.engine.options.values import Misdeal, PassedOutRule
from bot.engine.rules_in_force import rules_in_force
from bot.engine.timeout import default_action
from bot.engine.units import NO_SEAT, SeatIndex
from bot.engine.view.build import view
from bot.ledger.accounts import Book, Transfer, TransferReason, transfers_for
from bot.ledger.pot_flows import Flow
from bot.runtime.closed_games import kept_value
from bot.runtime.context import RuntimeContext
from bot.runtime.ended_tables import kept_end
from bot.runtime.flows import flows_of_event
from bot.runtime.guests import new_guests
from bot.runtime.hand_deck import deck_for_hand
from bot.runtime.journal import DealtIn, JournalEvent, TimeUp, TurnClockStarted
from bot.runtime.run_out import RunOutStreet, run_out_streets
from bot.runtime.sit_and_go import EventDesk, PlayedSitAndGo, lobby_closes_at, rebuys_close_at
from bot.runtime.snapshot import RUN_OUT_STREET_MS, CurrentTurn, NamedPlayer, TableAddress, with_decision
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_types import Cause, ClaimChange, Commit, NewHand
from bot.runtime.transfers import TableAccounts, chips_in_pot, chips_put_in, hand_transfers, table_transfers
from bot.table import commands as tc
from bot.table import events as te
from bot.table.decide import decide
from bot.table.evolve import evolve
from bot.table.finish_hand import close_table, finish_hand, void_hand
from bot.table.next_hand import must_draw_button, next_hand
from bot.table.preselection.rules import (
    LapsedPreselection,
    command_at_turn,
    preselections_ended_by,
    validate_preselection,
)
from bot.table.preselection.types import PreselectedAction, PreselectionEndReason
from bot.table.queries import is_absent, misdeal_agreed, next_due_at
from bot.table.state import AfterHand, Seat, Table, TableStatus
from bot.table.time_bank import TurnTimer, bank_time_used, restore_turn_timer, start_turn_timer, turn_time_is_over

log = logging.getLogger(__name__)
_encode_table = msgspec.msgpack.Encoder().encode
_encode_settings = msgspec.msgpack.Encoder().encode
_PART_MARK = b"\xc1" * 16
"""Stands for the shared part while a state is encoded. This byte is never written by the encoder, and no text holds it."""

_OFFER_DECISIONS = frozenset({Decision.SHOW, Decision.STRADDLE, Decision.OFFER, Decision.RUN_TWICE})
"""Decisions at which a timeout is an ordinary answer: nobody has to sit out for it."""
RUN_TWICE_SECONDS = 10
"""How long players are asked whether the rest is dealt twice; no answer is a no (TL-25)."""
LINE_DELAY_MS = (20_000, 300_000)
"""A line that is written ahead acts so long after its turn has come, at least and at most: a time that is drawn whatever it does (WT-2)."""
EVENTS_PER_SAVED_STATE = 200
"""Between hands the state is saved after so many events: a restart reads at most these and one hand."""


class SessionState(Struct, frozen=True, gc=True):
    """A table between two commands: a value that is replaced whole once a transaction has been saved.

    Attributes:
        hand: the running hand, or the last one until the next begins; None before the first.
        dealt_players: the players of that hand, by seat index.
        current_turn: whose turn it is; None between hands.
        seq: number of the table's next event.
        saved_state_seq: number of the first event after the last saved state.
        think_until: when the practice player to act has been seen thinking long enough, in ms; 0 for none.
        line_at: when the line that the player to act has written ahead acts, in ms; 0 for none. Nobody is shown it.
        street: the hand as it stood before each decision of its street, oldest first.
        sit_and_go: what is played here; None at an ordinary table.
    """

    table: Table
    hand: Hand | None
    dealt_players: tuple[NamedPlayer, ...]
    current_turn: CurrentTurn | None
    seq: int
    saved_state_seq: int
    think_until: int = 0
    street: tuple[Hand, ...] = ()
    sit_and_go: PlayedSitAndGo | None = None
    line_at: int = 0


class PracticeDecision(Struct, frozen=True, gc=False):
    """A decision that a practice player has to make."""

    hand_number: int
    decision_number: int
    seat_index: SeatIndex


class TableTransaction:
    """A table while one command is carried out.

    Attributes:
        now: the time, in ms, at which everything in it happens.
        wallets: chips in the wallets of players who have queued a top-up, by user.
        events, transfers, claims, flows: what has happened so far.
        users_with_new_cards: ids of people whose private cards changed.
        timed_out_seat: table seat number whose time ran out, 0 for none.
        lapsed_users: ids of people whose preselection lapsed at their turn (TL-34).
        run_out: the streets that are shown one after the other; empty where the hand goes on, or ended without them.
        staff_log: what staff are told of it.
        transfers_of_hand: how many transfers there were at the end of that hand.
        desk: the sit-and-go that is played here; None at an ordinary table.
    """

    def __init__(
        self,
        context: RuntimeContext,
        address: TableAddress,
        accounts: TableAccounts,
        state: SessionState,
        now: int,
        wallets: Mapping[int, int],
    ) -> None:
        self._context, self.address, self._accounts, self._state = context, address, accounts, state
        self.now, self.wallets = now, wallets
        self.table, self.hand, self.dealt_players, self.current_turn = (
            state.table,
            state.hand,
            state.dealt_players,
            state.current_turn,
        )
        self.think_until, self._street, self.line_at = state.think_until, state.street, state.line_at
        self.events: list[JournalEvent] = []
        self.transfers: list[Transfer] = []
        self.claims: list[ClaimChange] = []
        self.flows: list[Flow] = []
        self.staff_log: list[StaffLogEntry] = []
        self.users_with_new_cards: tuple[int, ...] = ()
        self.timed_out_seat = 0
        self.lapsed_users: tuple[int, ...] = ()
        self.run_out: list[RunOutStreet] = []
        self.transfers_of_hand = 0
        self.desk = EventDesk(self, state.sit_and_go) if state.sit_and_go is not None else None
        self.settings_changed = False
        self._nonce = b""
        self._hand_event_index = -1
        self._hand_finished = False
        self._next_dealer_after_misdeal = False

    # what an operation can do

    def apply_table_command(self, command: tc.TableCommand) -> None:
        """Carry out a table's command.

        Raises:
            TableError: it is refused.
        """
        self._apply_table_events(decide(self.table, command, self.now))

    def note_own_action(self, user: int) -> None:
        """Turns that a player has missed count no longer: they have just done something of their own (TL-32)."""
        seat = self.table.seat_of(user)
        if seat is None or self.table.status is TableStatus.CLOSED:
            return
        if seat.has_missed_turns or seat.away:
            self.apply_table_command(tc.NoteOwnAction(user))
        if self.desk is not None:
            self.desk.plays_on(user)

    def play_command(self, seat_index: SeatIndex, command: c.HandCommand) -> None:
        """Carry out a seat's command in the hand. Time used beyond the plain clock is taken from the seat's time bank.

        Raises:
            LawError: it is refused.
        """
        hand = self.hand
        assert hand is not None, "no hand to play"
        events, after = decide_and_evolve(hand, seat_index, command)
        if self.current_turn is not None and is_asked(hand, seat_index):
            self._spend_time_bank(self._turn_of_seat(hand, seat_index, self.current_turn))
        self._apply_hand_events(events, after)

    def preselect(self, seat_index: SeatIndex, choice: PreselectedAction, chips: int = 0) -> None:
        """Record what a seat will do at its turn. If it is its turn by now, it does so at once; a written line soon (WT-2).

        Raises:
            LawError: refused; see `bot.table.preselection.rules.validate_preselection`.
        """
        hand = self.hand
        assert hand is not None, "no hand to choose in"
        chips = validate_preselection(hand, seat_index, choice, chips, is_written=self.table.settings.is_slow)
        number = hand.started.seat_numbers[seat_index]
        self._apply_table_events((te.Preselected(number, choice, chips),))
        command = self._preselected_command(hand) if seat_index == hand.to_act else None
        if command is not None:
            self.play_command(seat_index, command)

    def clear_preselection(self, seat_index: SeatIndex) -> None:
        """Take back a seat's preselection, if there is one."""
        hand, running = self.hand, self.table.running_hand
        if hand is None or running is None:
            return
        number = hand.started.seat_numbers[seat_index]
        if any(one.seat_number == number for one in running.preselections):
            self._apply_table_events((te.PreselectionEnded(number, PreselectionEndReason.CLEARED),))

    def deal_next_hand(self) -> bool:
        """Begin the next hand. Return False if no hand can be dealt."""
        if self.desk is not None:
            self.desk.before_hand()
        lots = self.shuffled_deck() if must_draw_button(self.table) else ()
        deal = next_hand(self.table, self.now, lots)
        if deal is None:
            return False
        self._apply_table_events(deal.events)
        self._nonce = self._context.make_nonce()
        began = next(event for event in deal.events if isinstance(event, te.HandBegan))
        self._hand_event_index = self.events.index(began)
        deck = deck_for_hand(self._context.master_secret, self.address.id, self._nonce, began, deal.started)
        seats = (self.table.seat(number) for number in deal.started.seat_numbers)
        self.dealt_players = tuple(NamedPlayer(seat.player, seat.name) for seat in seats if seat is not None)
        self.events.append(DealtIn(tuple((player.user, player.name) for player in self.dealt_players)))
        events, self.hand = start(deal.started, deck)
        self._street = (self.hand,)
        self._record_hand_events(events, deal.started.stacks, deal.started.carried, self.hand)
        self._note_run_out(begin_hand(deal.started, deck), events[1:], self.hand)
        self.users_with_new_cards = tuple(player.user for player in self.dealt_players if player.user > 0)
        return True

    def time_out_turn(self) -> None:
        """End the turn of a seat whose time is over with its default action (TL-30, TL-32, TL-41)."""
        hand, turn = self.hand, self.current_turn
        assert hand is not None and turn is not None, "it is nobody's turn"
        self.timed_out_seat = turn.seat_number
        self.events.append(TimeUp(turn.seat_number))
        if hand.decision not in _OFFER_DECISIONS:
            self._spend_time_bank(turn)
            self._apply_table_events(decide(self.table, tc.TimeOutPlayer(turn.seat_number), self.now))
        events, after = decide_and_evolve(hand, hand.to_act, default_action(hand))
        self._apply_hand_events(events, after)

    def void_current_hand(self, law: str, reason: str) -> None:
        """Void the running hand: every player takes back what they put in.

        Raises:
            HandOver: the pot is paid already.
        """
        hand = self.hand
        assert hand is not None, "no hand to void"
        events = void_events(hand, law, reason)
        self._apply_hand_events(events, evolve_all(hand, events))

    def claim_misdeal(self, player: int, reason: str) -> None:
        """Record a player's claim that the deal was irregular. The first claim must be in time. The hand is void once everybody dealt in
        agrees, or if the deck is not whole.

        Raises:
            NoHandRunning, ClaimNotYours.
            HandOver, PlayStands: the claim is too late (I-2, TL-29).
        """
        running = self.table.running_hand
        called_in_time = running is not None and bool(running.misdeal_claims)
        self.apply_table_command(tc.ClaimMisdeal(player))
        hand = self.hand
        assert hand is not None, "no hand to claim"
        if is_deck_fouled(hand):
            self.void_current_hand("TL-38", reason)
            return
        events = claim_misdeal(hand, reason, called_in_time=called_in_time)
        if misdeal_agreed(self.table):
            self._next_dealer_after_misdeal = hand.rules.options.misdeal is Misdeal.NEXT_DEALER
            self._apply_hand_events(events, evolve_all(hand, events))

    def void_lost_hand(self, law: str, reason: str) -> None:
        """Void a hand whose cards are lost. Nothing of it is shown any more."""
        self.void_current_hand(law, reason)
        self.do_automatic_actions()
        self.hand, self.dealt_players, self._street = None, (), ()

    def resume_clock(self, stopped_at: int) -> None:
        """Resume a turn after a restart. The clock stopped at `stopped_at`, in ms, and at least 15 seconds are left (TL-32)."""
        hand, turn = self.hand, self.current_turn
        assert hand is not None and turn is not None, "no clock is running"
        stopped = min(max(stopped_at, turn.began_at), self.now)
        self._start_clock(hand, restore_turn_timer(_timer_of(turn), stopped, self.now))

    def close_table(self, reason: te.CloseReason = te.CloseReason.REQUESTED) -> None:
        """Close the table between hands, and pay everybody out."""
        self._apply_table_events(close_table(self.table, self.now, reason))

    def mint_practice_chips(self, player: int, chips: int) -> None:
        """Mint practice chips into the wallet of a practice player. At a table of table chips they buy like everybody (TC-8)."""
        if self._accounts.book is Book.PRACTICE:
            self.transfers += transfers_for(
                self._accounts.mint, self._accounts.wallet(player), chips, TransferReason.GRANT
            )

    def take_gifts(self, transfers: Sequence[Transfer], claims: Sequence[ClaimChange]) -> None:
        """Take gifts of the house into a wallet. The store refuses them if they have been claimed meanwhile."""
        self.transfers += transfers
        self.claims += claims

    def is_waiting_for(self, decision: PracticeDecision) -> bool:
        """Return whether this decision still has to be made, by the same player."""
        hand = self.hand
        return (
            hand is not None
            and self.current_turn is not None
            and (self.table.hands_dealt, hand.decision_number) == (decision.hand_number, decision.decision_number)
            and is_asked(hand, decision.seat_index)
        )

    def play_practice_command(self, seat_index: SeatIndex, command: c.HandCommand) -> None:
        """Carry out a practice player's command. If it is refused, the default action takes its place."""
        hand = self.hand
        assert hand is not None, "nobody is thinking"
        try:
            self.play_command(seat_index, command)
        except LawError as refusal:
            fields = {"table": self.address.id, "seat": hand.started.seat_numbers[seat_index], "error": str(refusal)}
            log.warning("practice_command_refused", extra=fields)
            if seat_index == hand.to_act:
                self.play_command(seat_index, default_action(hand))
            else:
                card_indices, word = default_choice(hand, seat_index)
                self.play_command(seat_index, c.Declare(word) if word else c.ChooseCards(card_indices))

    # what is due

    def is_turn_overdue(self) -> bool:
        """Return whether the time of the seat to act is over."""
        turn = self.current_turn
        return turn is not None and turn_time_is_over(_timer_of(turn), self.now)

    def is_line_due(self) -> bool:
        """Return whether the line that the seat to act has written ahead acts now."""
        return 0 < self.line_at <= self.now

    def is_deal_due(self) -> bool:
        """Return whether the next hand is due."""
        return (
            self.table.running_hand is None and 0 < self.table.next_hand_at <= self.now and not self._context.stopping
        )

    def is_tick_due(self) -> bool:
        """Return whether anything else is due between hands."""
        return 0 < next_due_at(self.table) <= self.now

    def is_rebuy_time_over(self) -> bool:
        """Return whether the time is over in which those without chips are asked whether they rebuy (SG-9)."""
        return self.desk is not None and 0 < rebuys_close_at(self.desk.event) <= self.now

    def is_lobby_over(self) -> bool:
        """Return whether a sit-and-go has waited too long for its start."""
        return self.desk is not None and 0 < lobby_closes_at(self.desk.event) <= self.now

    # what follows without being asked

    def do_automatic_actions(self) -> None:
        """Do what the dealer does without being asked: fold for players who left, play preselections, end a hand, keep the clock."""
        while self.hand is not None and self.table.running_hand is not None:
            hand = self.hand
            if hand.over:
                self._finish_hand(hand)
                break
            if hand.to_act < 0:
                raise BrokenInvariant("a running hand has no seat to act")
            command: c.HandCommand | None
            seat = self._seat(hand.started.seat_numbers[hand.to_act])
            if seat.after_hand is AfterHand.LEAVE or (self.desk is not None and is_absent(self.table, seat)):
                command = c.Fold() if legal(hand, hand.to_act).fold else default_action(hand)  # TL-40, SG-3
            else:
                command = self._preselected_command(hand)
            if command is None:
                break
            events, after = decide_and_evolve(hand, hand.to_act, command)
            self._apply_hand_events(events, after)
        self._choose_game_for_practice_player()
        self._update_clock()

    def build_commit(self, cause: Cause) -> Commit:
        """Return the commit of everything that has changed."""
        state, part, part_at = self._encoded_state() if self._is_state_saved() else (None, b"", 0)
        return Commit(
            guild=self.address.guild,
            cause=cause,
            table=self.address.id,
            seq=self._state.seq,
            events=tuple(self.events),
            transfers=tuple(self.transfers),
            claims=tuple(self.claims),
            new_hand=NewHand(self.table.hands_dealt, self._nonce, self._hand_event_index)
            if self._hand_event_index >= 0
            else None,
            saved_state=state,
            shared_part=part,
            shared_part_at=part_at,
            staff_log=tuple(self.staff_log),
            settings=_encode_settings(self.table.settings) if self.settings_changed else None,
            closes=self.table.status is TableStatus.CLOSED,
            flows=tuple(self.flows),
            private=self.table.private,
            kept=self._kept_at_end() if self.table.status is TableStatus.CLOSED else (),
            guests=new_guests(self.table, self.events) if self.table.private else (),
            occasion=self.desk.change() if self.desk is not None else None,
        )

    @property
    def has_changes(self) -> bool:
        """Return whether anything must be saved."""
        return bool(self.events or self.transfers)

    @property
    def is_private(self) -> bool:
        """Return whether everything that happened is known to one player only."""
        return not self.transfers and all(isinstance(event, te.PrivateTableEvent) for event in self.events)

    def state_after_save(self, seq: int) -> SessionState:
        """Return the state of the table once this transaction is saved. `seq` is the number of its next event."""
        saved_state_seq = seq if self._is_state_saved() else self._state.saved_state_seq
        return SessionState(
            self.table,
            self.hand,
            self.dealt_players,
            self.current_turn,
            seq,
            saved_state_seq,
            self.think_until,
            self._street,
            self.desk.played if self.desk is not None else None,
            self.line_at,
        )

    def follow_event(self, events: Sequence[te.TableEvent]) -> None:
        """Let happen at the table what the event that is played here has decided."""
        self._apply_table_events(events)

    def void_hand_of_event(self, law: str) -> None:
        """Void the running hand because its event is cancelled (SG-13)."""
        self.void_current_hand(law, VoidReason.EVENT_CANCELLED)
        assert self.hand is not None, "the void hand"
        self._apply_table_events(void_hand(self.table, self.now, self.wallets))
        self._hand_finished = True

    def drawn_seats(self, count: int) -> tuple[int, ...]:
        """Return the numbers of seats in a drawn order (SG-1)."""
        numbers = list(range(1, count + 1))
        self._context.rng.shuffle(numbers)
        return tuple(numbers)

    @property
    def shown_at(self) -> int:
        """When everybody has seen what has happened so far, in ms."""
        return self.now + RUN_OUT_STREET_MS * len(self.run_out)

    # inside

    def _kept_at_end(self) -> tuple[tuple[str, bytes | None], ...]:
        return (*kept_value(self.address, self.table), kept_end(self.address, self.table, self.events))

    def _encoded_state(self) -> tuple[bytes, bytes, int]:
        """Return the encoded table without its longest part, that part, and where it belongs: the games of a mixture, or the one game.

        The part is encoded again only when it has changed: a hundred games are a quarter of a megabyte.
        """
        settings, known = self.table.settings, self._context.encoded_parts
        part: Struct = settings.rule_card if settings.rotation is None else settings.rotation
        encoded = known.get(self.address.id)
        if encoded is None or encoded[0] is not part:
            encoded = known[self.address.id] = part, _encode_settings(part)
        if self.table.status is TableStatus.CLOSED:
            known.pop(self.address.id, None)
        field = "rule_card" if settings.rotation is None else "rotation"
        without = replace(self.table, settings=replace(settings, **{field: msgspec.Raw(_PART_MARK)}))
        head, _, tail = _encode_table(without).partition(_PART_MARK)
        return head + tail, encoded[1], len(head)

    def _is_state_saved(self) -> bool:
        if self.table.running_hand is not None:
            return False
        return (
            self._hand_finished
            or self._state.seq + len(self.events) - self._state.saved_state_seq >= EVENTS_PER_SAVED_STATE
        )

    def _apply_table_events(self, events: Sequence[te.TableEvent]) -> None:
        if self.run_out:  # its streets are shown before the pause
            shown_ms = self.shown_at - self.now
            events = [
                replace(event, at=event.at + shown_ms) if isinstance(event, te.HandScheduled) else event
                for event in events
            ]
        for event in events:
            self.transfers += table_transfers(self._accounts, self.table, event)
            if self._accounts.book is Book.PEOPLE:
                self.flows += flows_of_event(self.table, event)
            if isinstance(event, te.StacksAdjusted):
                self._log_adjustment(event)
            elif isinstance(event, te.ChipsCorrected | te.CorrectionLapsed):
                self._log_correction(event)
            self.table = evolve(self.table, event)
            self.settings_changed = self.settings_changed or isinstance(event, te.SettingsChanged | te.LevelBegan)
        self.events += events
        if self.desk is not None and any(isinstance(event, te.BreakEnded) for event in events):
            self.desk.break_has_ended()

    def _log_adjustment(self, event: te.StacksAdjusted) -> None:
        """Write down who has agreed to what; practice chips and table chips are no concern of the staff (H-3)."""
        proposal = self.table.proposal
        assert proposal is not None, "stacks were adjusted that nobody proposed to adjust"
        if self._accounts.book is not Book.PEOPLE:
            return
        self.log_for_staff(
            StaffLogKind.STACKS_ADJUSTED,
            by=proposal.player,
            shifts=tuple((change.player, change.chips) for change in event.stack_changes),
            agreed=proposal.consents,
        )

    def _log_correction(self, event: te.ChipsCorrected | te.CorrectionLapsed) -> None:
        """Write down what staff have corrected in the book of this game, or could not after all (TC-6)."""
        made, correction = isinstance(event, te.ChipsCorrected), event.correction
        self.log_for_staff(
            StaffLogKind.CHIPS_CORRECTED if made else StaffLogKind.CORRECTION_LAPSED,
            by=correction.by,
            shifts=tuple((change.player, change.chips) for change in correction.changes),
            reason=correction.reason,
        )

    def log_for_staff(self, kind: StaffLogKind, **fields: Any) -> None:
        """Add a line about this table and its last hand to the staff log."""
        entry = StaffLogEntry(kind=kind, table=self.address.id, hand=self.table.hands_dealt, **fields)
        self.staff_log.append(entry)

    def _apply_hand_events(self, events: Sequence[e.HandEvent | e.HandEvent], after: Hand) -> None:
        before = self.hand
        assert before is not None
        self._record_hand_events(events, before.stacks, chips_in_pot(before), after)
        self._note_run_out(before, events, after)
        self.hand, self._street = after, with_decision(self._street, after)
        if self.table.running_hand is not None and self.table.running_hand.preselections and not after.over:
            ended = preselections_ended_by(self.table.running_hand.preselections, before.started.seat_numbers, events)
            self._apply_table_events([te.PreselectionEnded(number, why) for number, why in ended])
            if self.table.settings.is_slow:  # nobody looks at their panel for hours
                over = [number for number, why in ended if why is PreselectionEndReason.STREET_OVER]
                dealt = zip(before.started.seat_numbers, self.dealt_players, strict=True)
                self.lapsed_users += tuple([player.user for number, player in dealt if number in over])
        seen = self.run_out[0].hand if self.run_out else after  # cards of later streets come with them
        if before.down_indices != seen.down_indices:
            users = (
                player.user
                for player, old, new, up in zip(
                    self.dealt_players, before.down_indices, seen.down_indices, seen.up_indices, strict=True
                )
                if set(new) - set(old) or set(old) - set(new) - set(up)  # nothing is new about a card that is turned up
            )
            self.users_with_new_cards += tuple(
                user for user in users if user > 0 and user not in self.users_with_new_cards
            )

    def _preselected_command(self, hand: Hand) -> c.HandCommand | None:
        """Return the command that the seat to act has preselected; None if there is none, or if it lapses (TL-34)."""
        running = self.table.running_hand
        if running is None or not running.preselections:
            return None
        number = hand.started.seat_numbers[hand.to_act]
        chosen = next(
            (one for one in running.preselections if one.seat_number == number and one.lapse_reason is None), None
        )
        if chosen is None:
            return None
        is_written = self.table.settings.is_slow
        found = command_at_turn(hand, chosen, is_written=is_written)
        if not isinstance(found, LapsedPreselection):
            if is_written and not self.is_line_due():
                return None  # its time is drawn with the turn's clock, whatever it does
            self.line_at = 0
            return found
        self._apply_table_events((te.PreselectionEnded(number, found.reason, found.call),))
        self.lapsed_users += (self.dealt_players[hand.to_act].user,)
        return None

    def _record_hand_events(self, events: Sequence[e.HandEvent], stacks: Sequence[int], pot: int, after: Hand) -> None:
        users = [player.user for player in self.dealt_players]
        self.transfers += hand_transfers(self._accounts, users, stacks, pot, events, after)
        self.events += events

    def _note_run_out(self, before: Hand, events: Sequence[e.HandEvent], after: Hand) -> None:
        """Note the streets of an all-in hand that has just been dealt to its end; its events are the last that were recorded."""
        if after.over and after.all_in_showdown:
            first = len(self.events) - len(events)
            streets = run_out_streets(before, events)
            self.transfers_of_hand = len(self.transfers)
            self.run_out = [RunOutStreet(self.table, hand, first + count) for count, hand in streets]

    def _finish_hand(self, hand: Hand) -> None:
        if hand.voided and not self._next_dealer_after_misdeal:
            self._apply_table_events(void_hand(self.table, self.now, self.wallets))
        else:  # after a misdeal that the next dealer deals again, antes stay in the pot (I-3)
            numbers = hand.started.seat_numbers
            stacks = dict(zip(numbers, hand.stacks, strict=True))
            again = hand.passed_out and hand.rules.options.passed_out is PassedOutRule.SAME_DEALER_REANTE
            self._apply_table_events(
                finish_hand(
                    self.table,
                    stacks,
                    self.now,
                    self.wallets,
                    carried_chips=chips_in_pot(hand) if hand.voided else hand.carried_to_next_hand,
                    same_dealer=again,
                    passed_out=hand.passed_out,
                    misdeal=hand.voided,
                    put_in=dict(zip(numbers, chips_put_in(hand), strict=True)),
                )
            )
        counts = not hand.voided
        self._next_dealer_after_misdeal = False
        self._hand_finished = True
        if self.desk is not None:
            self.desk.after_hand(hand, counts=counts)
        self._rebuy_practice_players()

    def _choose_game_for_practice_player(self) -> None:
        """Under dealer's choice, a practice player chooses at once, any of the games (VC-28)."""
        rotation, state = self.table.settings.rotation, self.table.rotation_state
        if rotation is None or not state.choice_due_at or self.table.running_hand is not None:
            return
        seat = self.table.seat(state.chooser_seat)
        if seat is not None and seat.practice:
            game = self._context.rng.randrange(len(rotation.games))
            self.apply_table_command(tc.ChooseGame(seat.player, game))

    def _rebuy_practice_players(self) -> None:
        """Practice players without chips buy in again."""
        settings = self.table.settings
        buys = settings.practice or (settings.has_table_chips and not settings.is_event)
        if self.table.status is not TableStatus.OPEN or not buys:
            return
        for seat in self.table.seats:
            if seat.practice and not seat.stack:
                chips = settings.usual_buyin
                self.mint_practice_chips(seat.player, chips)
                self._apply_table_events(decide(self.table, tc.TopUp(seat.player, chips), self.now))

    def _spend_time_bank(self, turn: CurrentTurn) -> None:
        ms = bank_time_used(_timer_of(turn), self.now)
        if ms:
            self._apply_table_events((te.TimeBankSpent(turn.seat_number, ms),))

    def _update_clock(self) -> None:
        """Start the clock of a new turn; stop it if there is none."""
        hand, turn = self.hand, self.current_turn
        if hand is None or self.table.running_hand is None or hand.over:
            self.current_turn, self.think_until, self.line_at = None, 0, 0
            return
        seat_number = hand.started.seat_numbers[hand.to_act]
        same_decision = turn is not None and turn.decision_number == hand.decision_number
        if turn is not None and same_decision and turn.seat_number == seat_number:
            if hand.choice_open and self.think_until <= self.now:  # one seat has chosen, and the next one thinks
                self._schedule_practice_choice(hand, _timer_of(turn))
            self._schedule_line(seat_number)
            return
        shares_clock = turn is not None and same_decision and hand.choice_open  # of seats that choose at the same time
        began_at = turn.began_at if turn is not None and shares_clock else self.now
        timer = start_turn_timer(self.table.settings, self._seat(seat_number), began_at)
        is_quick = not self.table.settings.is_slow
        if hand.decision is Decision.RUN_TWICE and is_quick:  # the others do not wait for a time bank here
            ends_at = timer.began_at + 1000 * RUN_TWICE_SECONDS
            timer = TurnTimer(timer.began_at, ends_at, ends_at)
        self._start_clock(hand, timer)

    def _start_clock(self, hand: Hand, timer: TurnTimer) -> None:
        turn = self.current_turn = _turn_of(self._seat(hand.started.seat_numbers[hand.to_act]), hand, timer)
        self.events.append(TurnClockStarted(turn.seat_number, turn.began_at, turn.turn_ends_at, turn.bank_ends_at))
        self.line_at = 0
        self._schedule_line(turn.seat_number)
        self._schedule_practice_choice(hand, timer)

    def _schedule_line(self, seat_number: int) -> None:
        """Draw when the line of the seat to act acts, if it has one that stands."""
        running, hand = self.table.running_hand, self.hand
        if running is None or hand is None or not (running.preselections or self.line_at):
            return
        stands = any(one.seat_number == seat_number and one.lapse_reason is None for one in running.preselections)
        if not (stands and hand.decision is Decision.BET and self.table.settings.is_slow):
            self.line_at = 0
        elif not self.line_at:
            self.line_at = self.now + self._context.rng.randint(*LINE_DELAY_MS)

    def _schedule_practice_choice(self, hand: Hand, timer: TurnTimer) -> None:
        """Set how long the next practice player to decide is seen thinking."""
        self.think_until = 0
        seat_index, policies = practice_seat_to_act(self.table, hand), self._context.policies
        if seat_index >= 0 and policies is not None:
            policy = policies.policy(self.dealt_players[seat_index].user)
            think_ms = max(policy.think_ms(view(hand, seat_index), self._context.rng), 1)
            self.think_until = min(self.now + think_ms, max(timer.turn_ends_at, self.now + 1))

    def _turn_of_seat(self, hand: Hand, seat_index: SeatIndex, turn: CurrentTurn) -> CurrentTurn:
        """Return the turn of a seat that acts: the running turn, or at a simultaneous decision the seat's own."""
        if seat_index == hand.to_act:
            return turn
        seat = self._seat(hand.started.seat_numbers[seat_index])
        return _turn_of(seat, hand, start_turn_timer(self.table.settings, seat, turn.began_at))

    def _seat(self, number: int) -> Seat:
        seat = self.table.seat(number)
        assert seat is not None, "a player who is dealt in keeps their seat"
        return seat

    def shuffled_deck(self) -> tuple[int, ...]:
        """Return a shuffled deck for drawing lots; nobody plays with it."""
        options = self.table.settings.options
        deck = list(rules_in_force(self.table.settings.rule_card, options, self.table.settings.stakes).deck_cards)
        self._context.rng.shuffle(deck)
        return tuple(deck)

    def practice_name(self, number: int) -> str:
        """Return the name of a table's practice player by their number, from 1."""
        names = self._context.policies.names() if self._context.policies is not None else ()
        return names[(number - 1) % len(names)] if names else f"Practice {number}"

    def random_lot(self) -> int:
        """Return a random whole number."""
        return self._context.rng.randrange(1 << 30)


def _turn_of(seat: Seat, hand: Hand, timer: TurnTimer) -> CurrentTurn:
    return CurrentTurn(
        seat.number, seat.player, hand.decision_number, timer.began_at, timer.turn_ends_at, timer.bank_ends_at
    )


def _timer_of(turn: CurrentTurn) -> TurnTimer:
    return TurnTimer(turn.began_at, turn.turn_ends_at, turn.bank_ends_at)


def practice_seat_to_act(table: Table, hand: Hand) -> SeatIndex:
    """Return the seat of the practice player who has to decide next; `NO_SEAT` for none."""
    if not (table.settings.practice or table.settings.has_table_chips):
        return NO_SEAT
    for seat_index, number in zip(hand.seats, hand.started.seat_numbers, strict=True):
        seat = table.seat(number)
        if is_asked(hand, seat_index) and seat is not None and seat.practice:
            return seat_index
    return NO_SEAT
