"""The table between hands as everyone can see it. Everything in it is public. `bot.render` draws it.

During a hand the engine's view shows stacks and cards. This one still shows who sits where and what is due.
"""

from msgspec import Struct

from bot.engine.units import NO_SEAT_NUMBER, SeatNumber
from bot.table.book import can_answer_rebuy, rebuy_offer, standings
from bot.table.ceremonies.deck import right_of_next_dealer
from bot.table.mixed.next_game import bomb_pot_is_due
from bot.table.mixed.rotation import required_openers
from bot.table.queries import (
    free_seats,
    host_of,
    owed_blinds,
    players_needed,
    players_yet_to_consent,
    rebuy_chips,
)
from bot.table.seat_limits import seats_allowed
from bot.table.settings import TableSettings
from bot.table.state import AfterHand, RebuyOffer, SeatStatus, StackChange, Standing, Table, TableStatus
from bot.table.table_break import break_votes
from bot.table.way_on import WayOn, way_on


class SeatedPlayerView(Struct, frozen=True):
    """A seated player.

    Attributes:
        owed_dead, owed_live: the chips of missed blinds that they owe.
        bank_seconds: the time bank that they have left.
        missed_turns: the turns that they have missed in a row (TL-32).
        out_by_timeout: they sit out, or will after this hand, because they missed turns.
        kept_out_of_replay: they want a hand, but the next one replays a hand that they were not in (TL-29).
        seated_at: when they sat down, in ms.
        rebuy, rebuy_chips: at a table of table chips, what they can do for more, and how many these are (TC-3, TC-4).
        away: in an event, they have chosen *Away* (SG-3).
    """

    number: SeatNumber
    player: int
    name: str
    stack: int
    status: SeatStatus
    after_hand: AfterHand
    queued_top_up: int
    owed_dead: int
    owed_live: int
    bank_seconds: int
    newcomer: bool
    wants_straddle: bool
    practice: bool
    missed_turns: int = 0
    out_by_timeout: bool = False
    kept_out_of_replay: bool = False
    seated_at: int = 0
    rebuy: RebuyOffer = RebuyOffer.NONE
    rebuy_chips: int = 0
    away: bool = False


class WaitingPlayerView(Struct, frozen=True):
    """A player on the waiting list. `offered_until` is 0 while no seat is offered to them; `offered_seat` is the one, 0 for any."""

    player: int
    name: str
    offered_until: int
    offered_seat: SeatNumber = NO_SEAT_NUMBER


class RebuyQuestionView(Struct, frozen=True):
    """A rebuy that nobody has answered. `can_grant` and `can_refuse` are those who can say yes and no (TC-4)."""

    player: int
    name: str
    is_seated: bool
    can_grant: tuple[int, ...]
    can_refuse: tuple[int, ...]


class ProposalView(Struct, frozen=True):
    """A change that needs consent. `yet_to_consent` are the seated players who have not consented yet."""

    player: int
    settings: TableSettings | None
    stack_changes: tuple[StackChange, ...]
    consents: tuple[int, ...]
    yet_to_consent: tuple[int, ...]


class BreakWantedView(Struct, frozen=True):
    """A break that players ask for: how long, who wants it, how many of the seated people do, and how many it takes."""

    minutes: int
    wanted_by: tuple[int, ...]
    votes: int
    needed: int


class RotationView(Struct, frozen=True):
    """Where a mixed table is in its games.

    Attributes:
        game_index: the current game among `games`, from 0.
        hands_dealt, hands_per_lap: hands of this game so far, and how many make a lap.
        chooser_seat, choice_due_at: under dealer's choice, the seat that chooses and until when; 0 when nobody is asked.
    """

    name: str
    games: tuple[str, ...]
    game_index: int
    hands_dealt: int
    hands_per_lap: int
    chooser_seat: SeatNumber
    choice_due_at: int


class DeckView(Struct, frozen=True):
    """The deck before the next hand (D-2 to D-7).

    Attributes:
        shuffles: how many extra shuffles players have asked for.
        cut_points, cut_by_seat: where the deck is cut, and by which seat.
        cutter_seat: the seat that cuts; 0 while it is not known.
        first_deal_lots: the cuts for the first deal so far, as seat and card.
    """

    shuffles: int
    cut_points: tuple[int, ...]
    cut_by_seat: SeatNumber
    cutter_seat: SeatNumber
    first_deal_lots: tuple[tuple[SeatNumber, int], ...]


class TableView(Struct, frozen=True):
    """A table as everybody may see it.

    Attributes:
        number: the table's number in its server.
        game: the name of the game.
        limit: the value of the option `LIMIT`.
        small_blind, big_blind, ante: in chips; 0 in games without.
        reserved_seat_count: how many of the free seats are reserved for the waiting list.
        host: the user id of the host.
        button_seat, small_blind_seat, big_blind_seat: seat numbers in the running or last hand; 0 before the first.
        next_hand_at: when the next hand is due; 0 when none is.
        players_needed: how many more players the next hand needs.
        hand_number: the running hand, else the last one.
        rotation: None at a table of one game.
        required_openers: the rank that opens the next hand; -1 if the game needs no openers (VC-20).
        bomb_pot: a bomb pot is running, or due next.
        bomb_pot_votes: the players who have voted for one.
        replay: the next hand is the exact replay of one that did not count (TL-29).
        way_on: what the table waits for; None while a hand is being played.
        break_wanted: the break that players ask for; None where nobody does, and during a break.
        private: only those who are invited can come to the table.
        standings: who bought in for what in this game, and who is up or down, the best first (TC-1).
        rebuy_questions: the rebuys that wait for an answer (TC-4).
    """

    number: int
    status: TableStatus
    game: str
    limit: str
    small_blind: int
    big_blind: int
    ante: int
    min_buyin: int
    max_buyin: int
    turn_seconds: int
    bank_seconds: int
    seats: tuple[SeatedPlayerView, ...]
    free_seats: tuple[SeatNumber, ...]
    reserved_seat_count: int
    waiting: tuple[WaitingPlayerView, ...]
    host: int
    button_seat: SeatNumber
    small_blind_seat: SeatNumber
    big_blind_seat: SeatNumber
    next_hand_at: int
    players_needed: int
    hand_number: int
    hand_running: bool
    carried_chips: int
    proposal: ProposalView | None
    settings: TableSettings
    rotation: RotationView | None
    required_openers: int
    deck: DeckView
    bomb_pot: bool
    bomb_pot_votes: tuple[int, ...]
    replay: bool = False
    way_on: WayOn | None = None
    break_wanted: BreakWantedView | None = None
    private: bool = False
    standings: tuple[Standing, ...] = ()
    rebuy_questions: tuple[RebuyQuestionView, ...] = ()

    @property
    def seat_counts(self) -> range:
        """How many seats the table can have: as many as every game of it can be dealt to, and no fewer than are taken (P-3, P-6)."""
        settings, rotation = self.settings, self.settings.rotation
        games = rotation.games if rotation is not None else (settings,)
        most = min(seats_allowed(game.rule_card, game.options.deck) for game in games)
        return range(max((settings.rule_card.seats_min, *(seat.number for seat in self.seats))), most + 1)


def view_table(table: Table, number: int = 0) -> TableView:
    """Return what everyone can see of a table. `number` is its number in the server, which the store gives."""
    settings, stakes, positions, running = table.settings, table.settings.stakes, table.positions, table.running_hand
    return TableView(
        number=number,
        status=table.status,
        game=settings.rule_card.name,
        limit=settings.options.limit,
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        ante=stakes.ante,
        min_buyin=settings.min_buyin,
        max_buyin=settings.max_buyin,
        turn_seconds=stakes.turn_seconds,
        bank_seconds=stakes.bank_seconds,
        seats=_seat_views(table),
        free_seats=() if table.settings.is_event and table.seats else free_seats(table),
        reserved_seat_count=len(table.waiting_with_offer),
        waiting=tuple(
            WaitingPlayerView(one.player, one.name, one.offered_until, one.offered_seat) for one in table.waiting
        ),
        host=host_of(table),
        button_seat=table.frozen_button or (positions.dealer_seat if positions else NO_SEAT_NUMBER),
        small_blind_seat=positions.small_blind_seat if positions else NO_SEAT_NUMBER,
        big_blind_seat=positions.big_blind_seat if positions else NO_SEAT_NUMBER,
        next_hand_at=table.next_hand_at,
        players_needed=players_needed(table),
        hand_number=table.hands_dealt,
        hand_running=running is not None,
        carried_chips=table.carried_chips,
        proposal=_proposal_view(table),
        settings=settings,
        rotation=_rotation_view(table),
        required_openers=required_openers(settings.rule_card, table.passed_out_hands),
        deck=_deck_view(table),
        bomb_pot=running.bomb_pot if running is not None else bomb_pot_is_due(table),
        bomb_pot_votes=table.bomb_pot_votes,
        replay=table.replay is not None,
        way_on=way_on(table),
        break_wanted=_break_wanted_view(table),
        private=table.private,
        standings=standings(table),
        rebuy_questions=_rebuy_questions(table),
    )


def _rebuy_questions(table: Table) -> tuple[RebuyQuestionView, ...]:
    people = tuple(dict.fromkeys([host_of(table), *[seat.player for seat in table.seats if not seat.practice]]))
    questions = []
    for request in table.rebuy_requests:
        if not request.is_pending:
            continue
        asker = request.player
        grant, refuse = (
            tuple([player for player in people if can_answer_rebuy(table, player, asker, granted=granted)])
            for granted in (True, False)
        )
        is_seated = table.seat_of(asker) is not None
        questions.append(RebuyQuestionView(asker, request.name, is_seated, grant, refuse))
    return tuple(questions)


def _seat_views(table: Table) -> tuple[SeatedPlayerView, ...]:
    kept_out, settings = {seat.number for seat in table.kept_out_of_replay}, table.settings
    views = []
    for seat in table.seats:
        debt = owed_blinds(table, seat)
        views.append(
            SeatedPlayerView(
                number=seat.number,
                player=seat.player,
                name=seat.name,
                stack=seat.stack,
                status=seat.status,
                after_hand=AfterHand.LEAVE if seat.player in table.kept_out else seat.after_hand,
                queued_top_up=seat.queued_top_up,
                owed_dead=debt.dead,
                owed_live=debt.live,
                bank_seconds=seat.bank_ms // 1000,
                newcomer=seat.newcomer,
                wants_straddle=seat.wants_straddle,
                practice=seat.practice,
                missed_turns=seat.missed_turns,
                away=seat.away,
                out_by_timeout=seat.out_by_timeout,
                kept_out_of_replay=seat.number in kept_out,
                seated_at=seat.seated_at,
                rebuy=rebuy_offer(table, seat),
                rebuy_chips=rebuy_chips(settings, seat.stack) if settings.has_table_chips else 0,
            )
        )
    return tuple(views)


def _proposal_view(table: Table) -> ProposalView | None:
    proposal = table.proposal
    if proposal is None:
        return None
    return ProposalView(
        player=proposal.player,
        settings=proposal.settings,
        stack_changes=proposal.stack_changes,
        consents=proposal.consents,
        yet_to_consent=players_yet_to_consent(table, proposal),
    )


def _deck_view(table: Table) -> DeckView:
    return DeckView(
        shuffles=table.deck.shuffles,
        cut_points=table.deck.cut_points,
        cut_by_seat=table.deck.cut_by_seat,
        cutter_seat=right_of_next_dealer(table) if table.running_hand is None else NO_SEAT_NUMBER,
        first_deal_lots=tuple((lot.seat_number, lot.card) for lot in table.first_deal_lots),
    )


def _break_wanted_view(table: Table) -> BreakWantedView | None:
    asked = table.table_break
    if asked is None or asked.ends_at:
        return None
    votes, needed = break_votes(table)
    return BreakWantedView(asked.minutes, asked.wanted_by, votes, needed)


def _rotation_view(table: Table) -> RotationView | None:
    rotation, state = table.settings.rotation, table.rotation_state
    if rotation is None:
        return None
    return RotationView(
        name=rotation.name,
        games=tuple(game.rule_card.name for game in rotation.games),
        game_index=state.game_index,
        hands_dealt=state.hands_dealt,
        hands_per_lap=state.hands_per_lap,
        chooser_seat=state.chooser_seat if state.choice_due_at else NO_SEAT_NUMBER,
        choice_due_at=state.choice_due_at,
    )
