"""A sit-and-go and its one table in one transaction: what each decides, and what follows from it at the other.

The table tells how its hands end; the sit-and-go says who sits, what the next hand is played for, who is out, and who is paid. Both are
saved in one commit, so a kill at any moment leaves them agreed.

Laws: SG-1 to SG-3, SG-9 to SG-11, SG-13 to SG-15, BO-1.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.hand import Hand
from bot.engine.mixes import Game, Rotation
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.last_chip import winners_of_last_chip
from bot.engine.units import SeatNumber
from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go import events as e
from bot.events.sit_and_go.decide import decide
from bot.events.sit_and_go.duel import winner_of
from bot.events.sit_and_go.evolve import evolve, evolve_all
from bot.events.sit_and_go.refusals import ClockTooSlow
from bot.events.sit_and_go.stakes import event_options, level_stakes, require_game_for_events
from bot.events.sit_and_go.state import SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import Level
from bot.ledger.accounts import Transfer, TransferReason, escrow_account, transfers_for, wallet_account
from bot.ledger.pot_flows import Flow, flows_of_changes
from bot.runtime.commands import BuyInWithGifts, PlayerCommand
from bot.runtime.request import Request
from bot.runtime.snapshot import NamedPlayer, TableAddress
from bot.runtime.store_types import DuelWon, OccasionChange, SavedOccasion, SavedTable
from bot.table import commands as tc
from bot.table import events as te
from bot.table import in_event
from bot.table.in_event import SeatedEntrant
from bot.table.picture_colours import Felt
from bot.table.queries import is_absent
from bot.table.settings import ChipKind, RebuyRule, TableSettings
from bot.table.state import Table

KIND, DUEL = "sit-and-go", "duel"
"""Of which kind of occasion it is."""
LOBBY_MS = 2 * 60 * 60_000
"""One that has not started so long after somebody last entered is cancelled: nobody comes any more."""
CHALLENGE_MS = 30 * 60_000
"""A challenge to a duel that nobody has answered lapses so long after it was made."""


class PlayedSitAndGo(Struct, frozen=True, gc=False):
    """A sit-and-go that is played at a table: the id of its occasion, its next event's number, and what it is."""

    id: int
    seq: int
    event: SitAndGo


def read_sit_and_go(saved: SavedOccasion | None) -> PlayedSitAndGo | None:
    """Return the sit-and-go of a saved table, worked out from its events; None where there is none."""
    if saved is None or saved.record.kind not in (KIND, DUEL):
        return None
    return PlayedSitAndGo(saved.record.id, saved.seq, evolve_all(None, saved.events))  # type: ignore[arg-type]


def games_of(settings: TableSettings) -> tuple[tuple[RuleCard, Options], ...]:
    """Return the games of a table, each with its options: those of a mixture, or the one game."""
    if settings.rotation is None:
        return ((settings.rule_card, settings.options),)
    return tuple([(one.rule_card, one.options) for one in settings.rotation.games])


def table_settings_for(settings: TableSettings, wanted: SitAndGoSettings) -> TableSettings:
    """Return the settings of the table at which a sit-and-go is played: table chips, and its first level.

    Raises:
        GameNotInEvents, ClockTooSlow.
    """
    if settings.is_slow:
        raise ClockTooSlow(duel=wanted.duel is not None)
    for card, options in games_of(settings):
        require_game_for_events(card, options)
    options = replace(event_options(settings.options), max_seats=wanted.seats)
    rotation = settings.rotation
    if rotation is not None:
        games = [
            replace(one, options=replace(event_options(one.options), max_seats=wanted.seats)) for one in rotation.games
        ]
        rotation = replace(rotation, games=tuple(games))
    prepared = replace(
        settings,
        options=options,
        rotation=rotation,
        bomb_pot=None,
        practice=False,
        chips=ChipKind.TABLE,
        starting_stack=wanted.structure.starting_stack,
        rebuy=RebuyRule.NEVER,
        figures=False,
        auto_start=True,
        ask_show=False,
        is_event=True,
        ante_first=wanted.ante_first,
        felt=Felt.TOURNAMENT,
    )
    return at_level(prepared, wanted.structure.level(1))


def at_level(settings: TableSettings, level: Level) -> TableSettings:
    """Return the settings of a table at a level: of every game of a mixture (SG-2)."""
    stakes = level_stakes(settings.rule_card, settings.options, level, settings.stakes)
    rotation = settings.rotation
    return replace(settings, stakes=stakes, rotation=_rotation_at(rotation, level) if rotation is not None else None)


def _rotation_at(rotation: Rotation, level: Level) -> Rotation:
    def at(game: Game) -> Game:
        return replace(game, stakes=level_stakes(game.rule_card, game.options, level, game.stakes))

    return replace(rotation, games=tuple([at(game) for game in rotation.games]))


def opening(player: int, settings: SitAndGoSettings, now: int) -> OccasionChange:
    """Return what a commit saves that opens a sit-and-go together with its table."""
    kind = KIND if settings.duel is None else DUEL
    return OccasionChange(kind=kind, events=decide(None, c.OpenSitAndGo(player, settings), now), at_this_table=True)


def event_command(opened: PlayedSitAndGo, request: Request, command: PlayerCommand) -> PlayerCommand:
    """Return what somebody asks of a sit-and-go who asks its table for a seat, chips, to leave, or to close; other commands as they are."""
    event = opened.event
    if not event.is_open:
        return command
    match command:
        case BuyInWithGifts(command=tc.TakeSeat()) | tc.TakeSeat():
            return c.Enter(request.user, request.name)
        case BuyInWithGifts(command=tc.TopUp()) | tc.TopUp() if event.rebuy_question is not None:
            return c.AnswerRebuyOffer(request.user, rebuys=True)
        case tc.LeaveTable(player) if event.is_running:
            return c.LeaveByChoice(player)
        case tc.LeaveTable(player) | c.WithdrawEntry(player) if event.awaits(player):
            return c.CancelSitAndGo(player)
        case tc.LeaveTable(player):
            return c.WithdrawEntry(player)
        case tc.CloseTable(player, staff):
            return c.CancelSitAndGo(player, staff)
        case _:
            return command


def lobby_closes_at(event: SitAndGo) -> int:
    """Return when a sit-and-go that does not start is cancelled; 0 once it has started."""
    if event.started_at or not event.is_open:
        return 0
    if event.settings.duel is not None:
        return event.opened_at + CHALLENGE_MS
    return LOBBY_MS + max([event.opened_at, *[one.entered_at for one in event.entrants]])


def in_escrow(event: SitAndGo) -> int:
    """Return the chips that lie in escrow: buy-ins, rebuys and bounties (SG-1, SG-10)."""
    return event.pool + event.bounty_chips if event.is_open else 0


def rebuys_close_at(event: SitAndGo) -> int:
    """Return when those who are asked whether they rebuy can answer no more; 0 where nobody is (SG-9)."""
    return event.rebuy_question.until if event.is_open and event.rebuy_question is not None else 0


def transfers_of(table: int, before: SitAndGo, event: e.SitAndGoEvent) -> tuple[Transfer, ...]:
    """Return the chips that an event moves between wallets and escrow. `before` is the sit-and-go without it."""
    escrow, wanted = escrow_account(table), before.settings
    match event:
        case e.PlayerEntered(player=player, practice=False):
            return transfers_for(wallet_account(player), escrow, wanted.entry_cost, TransferReason.ENTRY)
        case e.PlayerRebought(player=player, bounty=bounty):
            return transfers_for(wallet_account(player), escrow, wanted.buy_in + bounty, TransferReason.ENTRY)
        case e.EntryWithdrawn(player=player) if player > 0:
            return transfers_for(escrow, wallet_account(player), wanted.entry_cost, TransferReason.ENTRY_BACK)
        case e.SitAndGoEnded(prizes=shares, bounties=bounties):
            return _paid(table, shares, TransferReason.PRIZE) + _paid(table, bounties, TransferReason.BOUNTY)
        case e.SitAndGoCancelled(refunds=shares, bounties=bounties):
            reason = TransferReason.BOUNTY if before.hands else TransferReason.ENTRY_BACK
            return _paid(table, shares, TransferReason.ENTRY_BACK) + _paid(table, bounties, reason)
        case _:
            return ()


def _paid(table: int, shares: Iterable[tuple[int, int]], reason: TransferReason) -> tuple[Transfer, ...]:
    paid: list[Transfer] = []
    for player, chips in shares:
        paid += transfers_for(escrow_account(table), wallet_account(player), chips, reason)
    return tuple(paid)


def flows_of(event: SitAndGo) -> tuple[Flow, ...]:
    """Return who has won from whom by one that is over: each gain is taken from the losers in proportion to their losses (BO-1)."""
    prizes, bounties, buy_in = dict(event.prizes_paid), dict(event.bounties), event.settings.buy_in
    return flows_of_changes(
        {
            one.player: prizes.get(one.player, 0)
            + bounties.get(one.player, 0)
            - buy_in * (1 + one.rebuys)
            - one.bounties_paid
            for one in event.entrants
            if not one.practice
        }
    )


def duel_won(event: SitAndGo) -> DuelWon | None:
    """Return who has won a duel between two people; None for anything else, and where nobody has won."""
    found = winner_of(event)
    if found is None or any(one.player < 0 for one in found):
        return None
    winner, loser = found
    return DuelWon(winner.player, loser.player, event.settings.buy_in)


class BrokenShares(Struct, frozen=True, gc=False):
    """How a sit-and-go is paid out whose table cannot go on: transfers out of escrow, flows, and what is saved of it."""

    transfers: tuple[Transfer, ...] = ()
    flows: tuple[Flow, ...] = ()
    change: OccasionChange | None = None


def shares_of_broken(saved: SavedTable, now: int) -> BrokenShares:
    """Return how a sit-and-go is paid out by the ledger alone, because its table cannot be read: it is cancelled (SG-13)."""
    opened = read_sit_and_go(saved.occasion)
    if opened is None or not opened.event.is_open:
        return BrokenShares()
    chips = saved.chips
    stacks = {user: chips.stacks.get(user, 0) + chips.in_pot.get(user, 0) for user in {**chips.stacks, **chips.in_pot}}
    players = [one.player for one in opened.event.players_in]
    command = c.CancelSitAndGo(0, stacks=tuple([(player, stacks.get(player, 0)) for player in players]))
    events = decide(opened.event, command, now)
    transfers = [one for event in events for one in transfers_of(saved.record.id, opened.event, event)]
    after = evolve_all(opened.event, events)
    flows = flows_of(after) if after.started_at else ()
    change = OccasionChange(id=opened.id, seq=opened.seq, events=events, closes=True)
    return BrokenShares(tuple(transfers), flows, change)


class EventTable(Protocol):
    """What the desk needs of the transaction of its table (`bot.runtime.transaction`)."""

    address: TableAddress
    now: int
    table: Table
    transfers: list[Transfer]
    flows: list[Flow]
    dealt_players: tuple[NamedPlayer, ...]

    @property
    def shown_at(self) -> int:
        """When everybody has seen what has happened so far, in ms: streets of an all-in hand are shown one after the other."""

    def follow_event(self, events: Sequence[te.TableEvent]) -> None:
        """Let happen at the table what the event has decided."""

    def void_hand_of_event(self, law: str) -> None:
        """Void the running hand."""

    def drawn_seats(self, count: int) -> tuple[int, ...]:
        """Return the numbers of seats in a drawn order."""


class EventDesk:
    """The sit-and-go in a transaction of its table.

    Attributes:
        before: as it stood before the transaction.
        played: as it stands after what has happened in the transaction so far.
        events: what has happened of it in the transaction.
    """

    def __init__(self, transaction: EventTable, before: PlayedSitAndGo) -> None:
        self._transaction, self.before = transaction, before
        self.played = before
        self.events: list[e.SitAndGoEvent] = []

    @property
    def event(self) -> SitAndGo:
        return self.played.event

    def ask(self, command: c.SitAndGoCommand) -> None:
        """Rule on a command, and let the table follow.

        Raises:
            LawError: it is refused.
        """
        for event in decide(self.event, command, self._transaction.now):
            self._apply(event)
        event_now = self.event
        if (
            isinstance(command, c.Enter)
            and not event_now.started_at
            and len(event_now.entrants) == event_now.settings.seats
        ):
            self.ask(c.StartSitAndGo(0, self._transaction.drawn_seats(event_now.settings.seats)))

    def _apply(self, event: e.SitAndGoEvent) -> None:
        transaction, before = self._transaction, self.event
        self.events.append(event)
        self.played = replace(self.played, seq=self.played.seq + 1, event=evolve(before, event))
        transaction.transfers += transfers_of(transaction.address.id, before, event)
        table, now = transaction.table, transaction.now
        match event:
            case e.StructureChosen(settings=chosen):
                stack = chosen.structure.starting_stack
                changed = replace(table.settings, starting_stack=stack, ante_first=chosen.ante_first)
                first = at_level(changed, chosen.structure.level(1))
                transaction.follow_event(in_event.level_begins(table, first, now) or (te.EventProgressed(now),))
            case e.PlayerEntered(player, name, _, practice, seat_number) if before.is_running:
                late = SeatedEntrant(player, name, SeatNumber(seat_number), practice)
                transaction.follow_event(in_event.seat_entrants(table, (late,), now))
            case e.SitAndGoStarted():
                transaction.follow_event(in_event.seat_entrants(table, self._seated(event), now))
            case e.LevelRose():
                settings = at_level(table.settings, self.event.current_level)
                transaction.follow_event(in_event.level_begins(table, settings, now))
            case e.PlayersOut(stacks):
                transaction.follow_event(in_event.players_go_out(table, [player for player, _ in stacks], now))
            case e.RebuysAsked(until=until) | e.RebuyTimeMoved(until=until):
                transaction.follow_event(in_event.rebuy_time_begins(table, until, now))
            case e.RebuysClosed():
                transaction.follow_event(in_event.rebuy_time_ends(table, now))
            case e.PlayerRebought(player=player):
                transaction.follow_event(in_event.player_rebuys(table, player, now))
            case e.MatchBegan():
                settings = at_level(table.settings, self.event.current_level)
                transaction.follow_event(in_event.next_match(table, settings, now))
            case e.LevelClockStopped(until=until) if table.running_hand is None:
                transaction.follow_event(in_event.break_begins(table, until, now))
            case e.LevelClockStarted() if table.on_break:
                transaction.follow_event(in_event.break_ends(table, now))
            case e.SitAndGoEnded():
                transaction.flows += flows_of(self.event)
                transaction.follow_event(in_event.event_is_over(transaction.table, now))
            case e.SitAndGoCancelled():
                if self.event.started_at:
                    transaction.flows += flows_of(self.event)
                transaction.follow_event(in_event.event_is_over(transaction.table, now))
            case e.HandCounted() | e.HandVoid() | e.MatchWon() | e.BountyWon():
                pass  # the table has told that the hand is over
            case _:
                transaction.follow_event((te.EventProgressed(now),))

    def _seated(self, started: e.SitAndGoStarted) -> Sequence[SeatedEntrant]:
        numbers = dict(started.seats)
        return [
            SeatedEntrant(one.player, one.name, SeatNumber(numbers[one.player]), one.practice)
            for one in self.event.entrants
        ]

    def cancel(self, player: int, *, staff: bool = False, nobody_came: bool = False) -> None:
        """Cancel it, and void a running hand: stacks are those at its start (SG-13).

        Raises:
            LawError: they cannot.
        """
        transaction = self._transaction
        stacks = stacks_from_button(transaction.table)
        command = c.CancelSitAndGo(player, staff=staff, stacks=stacks, nobody_came=nobody_came)
        decide(self.event, command, transaction.now)  # refused before anything is void
        if transaction.table.running_hand is not None:
            transaction.void_hand_of_event("SG-13")
        self.ask(command)

    def plays_on(self, player: int) -> None:
        """Somebody who had left by choice has done something of their own."""
        entrant = self.event.entrant(player) if self.event.is_running else None
        if entrant is not None and entrant.is_in and entrant.left:
            self.ask(c.PlayOn(player))

    def before_hand(self) -> None:
        """The level that is due applies to the hand that begins (SG-2)."""
        if self.event.is_running and self._transaction.table.replay is None:
            self.ask(c.BeginHand())

    def after_hand(self, hand: Hand, *, counts: bool) -> None:
        """Count a hand that is over, and place those who went out in it."""
        if not self.event.is_running:
            return
        transaction = self._transaction
        if not counts:
            self.ask(c.VoidHandInEvent())
        else:
            settled = in_event.settle_carried_pot(transaction.table, transaction.now, passed_out=hand.passed_out)
            transaction.follow_event(settled)
            after = {seat.player: seat.stack for seat in transaction.table.seats}
            players = [player.user for player in transaction.dealt_players]
            stacks = tuple(
                [(user, before, after[user]) for user, before in zip(players, hand.started.stacks, strict=True)]
            )
            stacks += tuple([(user, chips, chips) for user, chips in after.items() if user not in players])
            put_out = tuple(
                [
                    (players[seat], tuple([players[winner] for winner in winners_of_last_chip(hand, seat)]))
                    for seat in hand.seats
                    if not after[players[seat]]
                ]
            )
            own_will = _plays_of_own_will(transaction.table)
            self.ask(c.CountHand(stacks, own_will, put_out, transaction.shown_at))
        stopped = self.event.clock
        if stopped.stopped_for is not None and self.event.is_running:  # the host paused during the hand
            until = max(stopped.resumes_at, transaction.now)
            transaction.follow_event(in_event.break_begins(transaction.table, until, transaction.now))

    def close_rebuys(self) -> None:
        """The time is over in which those without chips are asked whether they rebuy (SG-9)."""
        self.ask(c.CloseRebuys())

    def break_has_ended(self) -> None:
        """The table goes on by itself after a break or a pause."""
        if self.event.is_open and self.event.clock.stopped_for is not None:
            self.ask(c.ResumeEvent(0))

    def change(self) -> OccasionChange | None:
        """Return what the commit saves of it."""
        if not self.events:
            return None
        return OccasionChange(
            id=self.played.id,
            seq=self.before.seq,
            events=tuple(self.events),
            closes=not self.event.is_open,
            duel_won=duel_won(self.event),
        )


def _plays_of_own_will(table: Table) -> bool:
    """Tell whether somebody at the table is there: neither absent nor about to be (SG-3). Practice players always are."""
    return any(seat.practice or not (is_absent(table, seat) or seat.has_missed_turns) for seat in table.seats)


def stacks_from_button(table: Table) -> tuple[tuple[int, int], ...]:
    """Return players and stacks in the order of their seats from the left of the button."""
    button = table.dealer_seat
    seats = sorted(table.seats, key=lambda seat: (seat.number <= button, seat.number))
    return tuple([(seat.player, seat.stack) for seat in seats])
