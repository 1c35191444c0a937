"""Apply what has happened to a table. This never refuses and never decides anything."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec.structs import replace

from bot.engine.units import NO_SEAT_NUMBER, SeatNumber
from bot.table import events as e
from bot.table.adjustments import hands_after_adjustment, hands_remembered
from bot.table.book import (
    book_after_buy_in,
    book_after_closing,
    book_after_hand,
    book_after_leaving,
    book_after_top_up,
    new_book,
)
from bot.table.corrections import apply_chips_corrected, without_correction
from bot.table.mixed.next_game import initial_rotation_state
from bot.table.preselection.types import Preselection, PreselectionEndReason
from bot.table.queries import NEW_STAKES_PAUSE_MS, RATHOLE_MS
from bot.table.settings import laws_differ, settings_for_game, stakes_differ
from bot.table.state import (
    AfterHand,
    DeckState,
    Departure,
    FirstDealLot,
    PlayerBeforeHand,
    Positions,
    Proposal,
    RebuyRequest,
    ReplaySetup,
    RotationState,
    RunningHand,
    Seat,
    SeatDrawChoices,
    SeatExchange,
    SeatStatus,
    Table,
    TableBreak,
    TableStatus,
    WaitingPlayer,
)
from bot.table.table_break import apply_break_ended, apply_break_wanted, without_unwanted_break


def evolve(table: Table | None, event: e.TableEvent) -> Table:
    """Return the table after an event. Only `TableOpened` applies while there is no table yet."""
    if isinstance(event, e.TableOpened):
        return Table(
            settings=event.settings,
            opened_by=event.player,
            opened_at=event.at,
            active_at=event.at,
            seated_at=event.at,
            departures=event.departures,
            private=event.private,
            invited=event.invited,
            rotation_state=initial_rotation_state(event.settings, event.at),
        )
    assert table is not None, "the first event of a table is TableOpened"
    return _apply_event(table, event)


def evolve_all(table: Table | None, events: tuple[e.TableEvent, ...]) -> Table:
    """Apply several events in turn. There must be a table or at least one event."""
    for event in events:
        table = evolve(table, event)
    assert table is not None, "no table and no event"
    return table


def _apply_event(table: Table, event: e.TableEvent) -> Table:
    """One case for each event, so that the type checker reports a missing one. Long cases have a function below."""
    match event:
        case e.TableOpened():
            return table
        case e.PlayersInvited(players, at):
            return _with_activity(_apply_players_invited(table, players), at)
        case e.PlayerKeptOut(player, at):
            return _with_activity(_apply_player_kept_out(table, player), at)
        case e.SeatTaken():
            return _apply_seat_taken(table, event)
        case e.SeatLeft():
            return _apply_seat_left(table, event)
        case e.LeaveRequested(number, at):
            return _with_activity(_with_seat(table, replace(_seat(table, number), after_hand=AfterHand.LEAVE)), at)
        case e.SitOutRequested(number, at):
            return _with_activity(_with_seat(table, replace(_seat(table, number), after_hand=AfterHand.SIT_OUT)), at)
        case e.TurnTimedOut():
            return _with_seat(table, _seat_after_timeout(_seat(table, event.seat_number), event))
        case e.ActedAgain(number):
            return _with_seat(table, _seat_acting_again(_seat(table, number)))
        case e.WentAway(number, at):
            return _with_activity(_with_seat(table, replace(_seat(table, number), away=True)), at)
        case e.StayRequested(number, at):
            staying = replace(
                _seat(table, number),
                after_hand=AfterHand.STAY,
                timed_out=False,
                missed_turns=0,
                out_by_timeout=False,
                vacation_returns=False,
            )
            return _with_activity(_with_seat(table, staying), at)
        case e.SatOut(number, at):
            away = _sitting_out(replace(_seat(table, number), after_hand=AfterHand.STAY, timed_out=False), at)
            return _with_activity(_with_seat(table, away), at)
        case e.CameBack(number, status, at, owes_big):
            seat = _seat(table, number)
            owes_big = owes_big or seat.owes_big
            back = replace(
                seat,
                status=status,
                owes_big=owes_big,
                out_since=0,
                orbits_missed=0,
                missed_turns=0,
                out_by_timeout=False,
                vacation_returns=False,
            )
            return _with_activity(_with_seat(table, back), at)
        case e.VacationBegan(number, until, returns):
            seat = _seat(table, number)
            return _with_seat(table, replace(seat, vacation_until=until, vacation_returns=returns))
        case e.VacationEnded(number, at):
            seat = _seat(table, number)
            out_since = max(seat.out_since, min(at, seat.vacation_until)) if seat.out_since else 0
            return _with_seat(table, replace(seat, vacation_until=0, vacation_returns=False, out_since=out_since))
        case e.TopUpQueued(number, chips, at):
            return _with_activity(_with_seat(table, replace(_seat(table, number), queued_top_up=chips)), at)
        case e.ToppedUp(number, chips, at):
            seat = _seat(table, number)
            topped_up = _with_seat(table, replace(seat, stack=seat.stack + chips, queued_top_up=0))
            return _with_activity(replace(topped_up, book=book_after_top_up(table, seat.player, chips)), at)
        case e.TopUpCancelled(number):
            return _with_seat(table, replace(_seat(table, number), queued_top_up=0))
        case e.BookBegan():
            return _apply_book_began(table, event)
        case e.RebuyAsked(player, name, at):
            return _with_activity(_with_rebuy_request(table, player, RebuyRequest(player, name, at)), at)
        case e.RebuyPassedOn(player, step):
            return _with_rebuy_request(table, player, replace(_rebuy_request(table, player), step=step))
        case e.RebuyAnswered():
            return _apply_rebuy_answered(table, event)
        case e.RebuyLapsed(player):
            return _with_rebuy_request(table, player, None)
        case e.StraddlePledged(number, wanted, at):
            return _with_activity(_with_seat(table, replace(_seat(table, number), wants_straddle=wanted)), at)
        case e.SettingsChanged(_, at):
            return _with_activity(_apply_settings_changed(table, event), at)
        case e.LevelBegan(settings):
            return replace(table, settings=settings)
        case e.CarriedPotSettled(shares):
            return _apply_carried_pot_settled(table, dict(shares))
        case e.StacksReset(changes):
            return _apply_stacks_reset(table, {change.player: change.chips for change in changes})
        case e.EventProgressed(at):
            return _with_activity(table, at)
        case e.RebuyTimeBegan(until):
            next_hand_at = max(table.next_hand_at, until) if table.next_hand_at else 0
            return replace(table, rebuys_until=until, next_hand_at=next_hand_at)
        case e.RebuyTimeEnded():
            return replace(table, rebuys_until=0, next_hand_at=0)
        case e.ChangeProposed(player, at, settings, stack_changes):
            proposal = Proposal(player, at, settings, stack_changes, consents=(player,))
            return _with_activity(replace(table, proposal=proposal), at)
        case e.Consented(player, at):
            return _with_activity(_apply_consent(table, player), at)
        case e.ProposalWithdrawn():
            return replace(table, proposal=None)
        case e.StacksAdjusted(_, at):
            return _with_activity(_apply_stacks_adjusted(table, event), at)
        case e.CorrectionQueued(correction, at):
            return _with_activity(replace(table, corrections=(*table.corrections, correction)), at)
        case e.ChipsCorrected(correction, at):
            return _with_activity(apply_chips_corrected(table, correction), at)
        case e.CorrectionLapsed(correction):
            return replace(table, corrections=without_correction(table, correction))
        case e.WaitingListJoined(player, name, at):
            return _with_activity(replace(table, waiting=(*table.waiting, WaitingPlayer(player, name, at))), at)
        case e.WaitingListLeft(player):
            return replace(table, waiting=tuple(one for one in table.waiting if one.player != player))
        case e.WaitsOnVacation(player, until):
            no_offer = {"offered_until": 0, "offered_seat": NO_SEAT_NUMBER, "vacation_until": until}
            kept = (replace(one, **no_offer) if one.player == player else one for one in table.waiting)
            return replace(table, waiting=tuple(kept))
        case e.SeatOffered(player, until, number):
            offer = {"offered_until": until, "offered_seat": number}
            offered = (replace(one, **offer) if one.player == player else one for one in table.waiting)
            return replace(table, waiting=tuple(offered))
        case e.SeatExchangeRequested(player, other_player, at):
            return _with_activity(replace(table, exchange=SeatExchange(player, other_player)), at)
        case e.SeatExchangeAgreed(due_at):
            assert table.exchange is not None, "nobody asked for an exchange"
            return replace(table, exchange=replace(table.exchange, due_at=due_at))
        case e.SeatExchangeCancelled():
            return replace(table, exchange=None)
        case e.SeatsExchanged(number, other_number):
            exchanged = {number: other_number, other_number: number}
            seats = (replace(seat, number=exchanged.get(seat.number, seat.number)) for seat in table.seats)
            return replace(_with_seats(table, seats), exchange=None)
        case e.SeatsDrawn(_, _, at):
            return _with_activity(_apply_seats_drawn(table, event), at)
        case e.ButtonDrawn(_, number):
            return replace(table, drawn_button_seat=number, first_deal_lots=(), seats_to_cut=())
        case e.GameChanged():
            return _apply_game_changed(table, event)
        case e.GameChoiceRequested(number, due_at):
            rotation = replace(table.rotation_state, chooser_seat=number, choice_due_at=due_at)
            next_hand_at = max(table.next_hand_at, due_at) if table.next_hand_at else 0
            return replace(table, rotation_state=rotation, next_hand_at=next_hand_at)
        case e.BombPotVoted(player, wanted, at):
            others = tuple(voter for voter in table.bomb_pot_votes if voter != player)
            return _with_activity(replace(table, bomb_pot_votes=(*others, player) if wanted else others), at)
        case e.DeckShuffled(_, at):
            return _with_activity(replace(table, deck=replace(table.deck, shuffles=table.deck.shuffles + 1)), at)
        case e.DeckCut(number, points, at):
            return _with_activity(replace(table, deck=replace(table.deck, cut_points=points, cut_by_seat=number)), at)
        case e.CutDeclined(_, at):
            return _with_activity(replace(table, deck=replace(table.deck, cut_declined=True)), at)
        case e.FirstDealCut(number, position, card, at):
            lots = (*table.first_deal_lots, FirstDealLot(number, position, card))
            return _with_activity(replace(table, first_deal_lots=lots), at)
        case e.FirstDealCutTied(numbers):
            lots = tuple(replace(lot, deck_position=0) for lot in table.first_deal_lots)
            return replace(table, seats_to_cut=numbers, first_deal_lots=lots)
        case e.SeatDrawChoiceMade(_, banker_seat, left_of_banker, at):
            return _with_activity(replace(table, seat_draw_choices=SeatDrawChoices(banker_seat, left_of_banker)), at)
        case e.SubstituteNamed(player, substitute, at):
            named = tuple(pair for pair in table.substitutes if pair[0] != player)
            named = (*named, (player, substitute)) if substitute else named
            return _with_activity(replace(table, substitutes=named), at)
        case e.MisdealClaimed(player, at):
            running = _running_hand(table)
            claims = (*running.misdeal_claims, player)
            return _with_activity(replace(table, running_hand=replace(running, misdeal_claims=claims)), at)
        case e.Preselected(number, action, call):
            return _with_preselection(table, number, Preselection(number, action, call))
        case e.PreselectionEnded():
            return _apply_preselection_ended(table, event)
        case e.BlindMissed():
            return _apply_blind_missed(table, event)
        case e.HandBegan():
            return _apply_hand_began(table, event)
        case e.HandFinished():
            return without_unwanted_break(_apply_hand_finished(table, event))
        case e.HandUndone():
            return without_unwanted_break(_apply_hand_undone(table, event))
        case e.ReplayCancelled():
            return replace(table, replay=None)
        case e.TimeBankSpent(number, ms):
            seat = _seat(table, number)
            return _with_seat(table, replace(seat, bank_ms=max(0, seat.bank_ms - ms)))
        case e.TimeCalled(_, _, at):
            return _with_activity(table, at)
        case e.TimeBankRefilled(number, ms):
            seat = _seat(table, number)
            return _with_seat(table, replace(seat, bank_ms=seat.bank_ms + ms, hands_since_refill=0))
        case e.PlayerBusted(number, _, at):
            return _with_seat(table, _sitting_out(_seat(table, number), at))
        case e.BreakWanted(_, _, at):
            return _with_activity(apply_break_wanted(table, event), at)
        case e.BreakBegan(at, ends_at):
            taken = table.table_break or TableBreak(0, ())  # that of an event is asked for by nobody
            return replace(table, table_break=replace(taken, began_at=at, ends_at=ends_at))
        case e.BreakEnded():
            return apply_break_ended(table, event)
        case e.HandScheduled(at):
            return replace(table, next_hand_at=at)
        case e.HandUnscheduled():
            return replace(table, next_hand_at=0)
        case e.ClosingRequested(_, at):
            return _with_activity(replace(table, status=TableStatus.CLOSING), at)
        case e.TableClosed():
            return replace(
                table,
                status=TableStatus.CLOSED,
                next_hand_at=0,
                waiting=(),
                proposal=None,
                exchange=None,
                book=book_after_closing(table),
                rebuy_requests=(),
            )
        case _:
            assert_never(event)


# Parts of a table


def _with_activity(table: Table, at: int) -> Table:
    return replace(table, active_at=max(table.active_at, at))


def _seat(table: Table, number: SeatNumber) -> Seat:
    seat = table.seat(number)
    assert seat is not None, f"nobody sits in seat {number}"
    return seat


def _running_hand(table: Table) -> RunningHand:
    assert table.running_hand is not None, "no hand is running"
    return table.running_hand


def _with_seat(table: Table, changed: Seat) -> Table:
    """Return the table with this seat instead of the one of the same number."""
    return replace(table, seats=tuple(changed if seat.number == changed.number else seat for seat in table.seats))


def _with_seats(table: Table, seats: Iterable[Seat]) -> Table:
    return replace(table, seats=tuple(sorted(seats, key=lambda seat: seat.number)))


def _sitting_out(seat: Seat, at: int) -> Seat:
    return replace(seat, status=SeatStatus.SITTING_OUT, out_since=at, orbits_missed=0, wants_straddle=False)


def _seat_after_timeout(seat: Seat, event: e.TurnTimedOut) -> Seat:
    """A seat that has missed a turn. A player who asked to sit out does so because they asked."""
    seat = replace(seat, timed_out=True, missed_turns=seat.missed_turns + 1)
    if not event.sits_out or seat.after_hand is AfterHand.SIT_OUT:
        return seat
    return replace(seat, after_hand=AfterHand.SIT_OUT, out_by_timeout=True)


def _seat_acting_again(seat: Seat) -> Seat:
    """A seat whose player acts again in time: they stay, if nothing but missed turns would have had them sit out."""
    seat = replace(seat, timed_out=False, missed_turns=0, away=False)
    if seat.after_hand is AfterHand.SIT_OUT and seat.out_by_timeout:
        return replace(seat, after_hand=AfterHand.STAY, out_by_timeout=False)
    return seat


# Taking a seat and leaving it


def _apply_seat_taken(table: Table, event: e.SeatTaken) -> Table:
    seat = Seat(
        number=event.seat_number,
        player=event.player,
        name=event.name,
        stack=event.chips,
        seated_at=event.at,
        status=event.status,
        newcomer=event.newcomer,
        owes_small=event.owes_small,
        owes_big=event.owes_big,
        bank_ms=event.bank_ms,
        practice=event.practice,
    )
    after = replace(
        _with_seats(table, (*table.seats, seat)),
        departures=tuple(departure for departure in table.departures if departure.player != event.player),
        waiting=tuple(waiting for waiting in table.waiting if waiting.player != event.player),
        substitutes=tuple(pair for pair in table.substitutes if pair[1] != event.player),
        opened_by_left=table.opened_by_left and event.player != table.opened_by,
    )
    if not event.practice:
        book = book_after_buy_in(table, event.player, event.name, event.chips)
        after = replace(_with_rebuy_request(after, event.player, None), book=book)
    return after if event.practice else _with_activity(after, event.at)


def _apply_players_invited(table: Table, players: tuple[int, ...]) -> Table:
    new = tuple([player for player in players if player not in table.invited]) if table.private else ()
    kept_out = tuple([player for player in table.kept_out if player not in players])
    return replace(table, invited=table.invited + new, kept_out=kept_out)


def _apply_player_kept_out(table: Table, kept_out: int) -> Table:
    return replace(
        table,
        invited=tuple([player for player in table.invited if player != kept_out]),
        kept_out=(*[player for player in table.kept_out if player != kept_out], kept_out),
        substitutes=tuple([pair for pair in table.substitutes if kept_out not in pair]),
    )


def _apply_seat_left(table: Table, event: e.SeatLeft) -> Table:
    seat = _seat(table, event.seat_number)
    remembered = (one for one in table.departures if event.at < one.at + RATHOLE_MS or one.owes_small or one.owes_big)
    departure = Departure(
        seat.player, seat.number, event.chips, event.at, seat.owes_small, seat.owes_big, seat.newcomer
    )
    after = replace(
        table,
        seats=tuple(other for other in table.seats if other.number != event.seat_number),
        departures=(*remembered, departure),
        substitutes=tuple(pair for pair in table.substitutes if pair[0] != event.player),
        bomb_pot_votes=tuple(voter for voter in table.bomb_pot_votes if voter != event.player),
        first_deal_lots=tuple(lot for lot in table.first_deal_lots if lot.seat_number != event.seat_number),
        opened_by_left=table.opened_by_left or event.player == table.opened_by,
        replay=_replay_without(table.replay, event.player),
        book=table.book if seat.practice else book_after_leaving(table, event.player, event.chips),
        rebuy_requests=tuple(one for one in table.rebuy_requests if one.player != event.player or not one.is_pending),
    )
    if not after.seats:  # the game broke up; the next one draws for the button
        after = replace(after, positions=None, drawn_button_seat=NO_SEAT_NUMBER, frozen_button=NO_SEAT_NUMBER)
    return _with_activity(after, event.at) if event.reason is e.LeaveReason.REQUESTED else after


def _apply_book_began(table: Table, event: e.BookBegan) -> Table:
    """The game begins: nothing of the deals before counts (TC-8)."""
    seats = tuple(
        replace(
            seat,
            stack=event.starting_stack,
            status=SeatStatus.SITTING_OUT
            if seat.stack and seat.status is SeatStatus.SITTING_OUT
            else SeatStatus.PLAYING,
            out_since=seat.out_since if seat.stack else 0,
            newcomer=True,
            owes_small=False,
            owes_big=False,
            queued_top_up=0,
            orbits_missed=0,
        )
        for seat in table.seats
    )
    after = replace(
        table,
        seats=seats,
        departures=(),
        positions=None,
        drawn_button_seat=NO_SEAT_NUMBER,
        frozen_button=NO_SEAT_NUMBER,
        carried_chips=0,
        passed_out_hands=0,
        replay=None,
        played_hands=(),
        rebuy_requests=(),
    )
    return _with_activity(replace(after, book=new_book(after)), event.at)


def _rebuy_request(table: Table, player: int) -> RebuyRequest:
    request = table.rebuy_request(player)
    assert request is not None, "nobody asked for this rebuy"
    return request


def _with_rebuy_request(table: Table, player: int, request: RebuyRequest | None) -> Table:
    """Return the table with this request of a player instead of any earlier one; None for no request."""
    others = tuple(one for one in table.rebuy_requests if one.player != player)
    if request is None and len(others) == len(table.rebuy_requests):
        return table
    return replace(table, rebuy_requests=others if request is None else (*others, request))


def _apply_rebuy_answered(table: Table, event: e.RebuyAnswered) -> Table:
    """A yes is used up at once by who is seated, and kept for who is not; a no stands for a while (TC-4)."""
    request = _rebuy_request(table, event.player)
    if event.refused_until:
        answered = replace(request, refused_until=event.refused_until)
        return _with_activity(_with_rebuy_request(table, event.player, answered), event.at)
    kept = None if table.seat_of(event.player) is not None else replace(request, granted_at=event.at)
    return _with_activity(_with_rebuy_request(table, event.player, kept), event.at if event.by else table.active_at)


def _replay_without(replay: ReplaySetup | None, player: int) -> ReplaySetup | None:
    """A player who has left is not dealt into the replay, even if they sit down again before it (TL-29)."""
    if replay is None:
        return None
    return replace(replay, players=tuple(other for other in replay.players if other != player))


def _apply_seats_drawn(table: Table, event: e.SeatsDrawn) -> Table:
    number_by_player = dict(event.seats)
    seats = (replace(seat, number=number_by_player[seat.player]) for seat in table.seats)
    return replace(
        _with_seats(table, seats),
        positions=None,
        drawn_button_seat=NO_SEAT_NUMBER,
        seated_at=event.at,
        exchange=None,
        frozen_button=NO_SEAT_NUMBER,
        seat_draw_choices=SeatDrawChoices(),
        first_deal_lots=(),
        seats_to_cut=(),
        deck=DeckState(),
    )


# What the table agrees on


def _apply_settings_changed(table: Table, event: e.SettingsChanged) -> Table:
    settings, rotation_state = event.settings, table.rotation_state
    full_bank_ms = 1000 * settings.stakes.bank_seconds
    if table.settings.stakes.bank_seconds == 0:  # the table had no time banks: everyone gets a full one
        seats = tuple(replace(seat, bank_ms=full_bank_ms) for seat in table.seats)
    else:
        seats = tuple(replace(seat, bank_ms=min(seat.bank_ms, full_bank_ms)) for seat in table.seats)
    proposal = table.proposal
    if proposal is not None and proposal.settings == event.settings:
        proposal = None
    if settings.rotation != table.settings.rotation:
        rotation_state = initial_rotation_state(settings, event.at)
    elif settings.rotation is not None:  # the table can have gone on to another game since the change was proposed
        settings = settings_for_game(settings, settings.rotation.games[rotation_state.game_index])
    replay = None if laws_differ(table.settings, settings) else table.replay  # another game cannot replay this one
    new_stakes_until, next_hand_at = table.new_stakes_until, table.next_hand_at
    if stakes_differ(table.settings, settings) and sum(not seat.practice for seat in table.seats) > 1:
        new_stakes_until = event.at + NEW_STAKES_PAUSE_MS
        next_hand_at = max(next_hand_at, new_stakes_until) if next_hand_at else 0
    return replace(
        table,
        settings=settings,
        seats=seats,
        proposal=proposal,
        rotation_state=rotation_state,
        replay=replay,
        new_stakes_until=new_stakes_until,
        next_hand_at=next_hand_at,
    )


def _apply_carried_pot_settled(table: Table, shares: dict[int, int]) -> Table:
    seats = [replace(seat, stack=seat.stack + shares.get(seat.player, 0)) for seat in table.seats]
    book = tuple([replace(line, in_pot=0) for line in table.book])
    return replace(_with_seats(table, seats), carried_chips=0, book=book)


def _apply_consent(table: Table, player: int) -> Table:
    proposal = table.proposal
    assert proposal is not None, "nothing is proposed"
    return replace(table, proposal=replace(proposal, consents=(*proposal.consents, player)))


def _apply_stacks_adjusted(table: Table, event: e.StacksAdjusted) -> Table:
    for change in event.stack_changes:
        seat = table.seat_of(change.player)
        assert seat is not None, "an adjustment for somebody who is not seated"
        table = _with_seat(table, replace(seat, stack=seat.stack + change.chips))
    return replace(table, proposal=None, played_hands=hands_after_adjustment(table.played_hands, event.stack_changes))


def _apply_stacks_reset(table: Table, changes: Mapping[int, int]) -> Table:
    bank_ms = 1000 * table.settings.stakes.bank_seconds
    seats = [replace(one, stack=one.stack + changes.get(one.player, 0), bank_ms=bank_ms) for one in table.seats]
    return replace(table, seats=tuple(seats))


def _apply_game_changed(table: Table, event: e.GameChanged) -> Table:
    """The table goes on to another game. A dealer's choice made before its time is up brings the next hand forward."""
    rotation, before = table.settings.rotation, table.rotation_state
    assert rotation is not None, "a table of one game"
    next_hand_at = table.next_hand_at
    if before.choice_due_at and next_hand_at:
        next_hand_at = min(next_hand_at, event.at + 1000 * table.settings.pause_seconds)
        next_hand_at = max(
            next_hand_at, table.new_stakes_until, 0 if table.hands_dealt else table.settings.first_hand_at
        )
    return replace(
        table,
        settings=settings_for_game(table.settings, rotation.games[event.game_index]),
        rotation_state=RotationState(event.game_index, began_at=event.at, chooser_seat=before.chooser_seat),
        passed_out_hands=0,
        next_hand_at=next_hand_at,
    )


# Choices before the turn


def _with_preselection(table: Table, number: SeatNumber, preselection: Preselection | None) -> Table:
    """Return the table with this choice of a seat instead of any earlier one; None for no choice."""
    running = _running_hand(table)
    others = tuple(other for other in running.preselections if other.seat_number != number)
    preselections = others if preselection is None else (*others, preselection)
    return replace(table, running_hand=replace(running, preselections=preselections))


def _apply_preselection_ended(table: Table, event: e.PreselectionEnded) -> Table:
    """A choice that was carried out or taken back is gone. One that lapsed stays, so that its player can be told why."""
    choices = _running_hand(table).preselections
    preselection = next((choice for choice in choices if choice.seat_number == event.seat_number), None)
    assert preselection is not None, "nothing was chosen before the turn"
    if event.reason in (PreselectionEndReason.DONE, PreselectionEndReason.CLEARED):
        return _with_preselection(table, event.seat_number, None)
    lapsed = replace(preselection, lapse_reason=event.reason, call_at_turn=event.call)
    return _with_preselection(table, event.seat_number, lapsed)


# A hand


def _apply_blind_missed(table: Table, event: e.BlindMissed) -> Table:
    seat = table.seat_of(event.player)
    if seat is not None:
        missed = replace(
            seat,
            owes_small=seat.owes_small or event.small_blind,
            owes_big=seat.owes_big or event.big_blind,
            orbits_missed=seat.orbits_missed + event.big_blind,
        )
        return _with_seat(table, missed)
    departures = (
        replace(one, owes_small=one.owes_small or event.small_blind, owes_big=one.owes_big or event.big_blind)
        if one.player == event.player
        else one
        for one in table.departures
    )
    return replace(table, departures=tuple(departures))


def _apply_hand_began(table: Table, event: e.HandBegan) -> Table:
    players = tuple(_seat(table, number).player for number in event.dealt_seats)
    running = RunningHand(
        number=event.number,
        dealt_seats=event.dealt_seats,
        players=players,
        positions_before=table.positions,
        players_before=_players_before_hand(table),
        carried_before=table.carried_chips,
        rotation_before=table.rotation_state,
        frozen_button_before=table.frozen_button,
        hands_since_bomb_pot_before=table.hands_since_bomb_pot,
        bomb_pot=event.bomb_pot,
        replay=_replay_setup(event, players),
    )
    keeps_debts = _blinds_are_deferred(table, event)
    seats = tuple(
        _seat_after_deal(seat, keeps_debts=keeps_debts)
        if seat.number in event.dealt_seats
        else replace(seat, wants_straddle=False)
        for seat in table.seats
    )
    exchange = table.exchange
    if exchange is not None and not exchange.due_at:
        exchange = None  # a request that nobody has answered ends with the next hand
    after = replace(
        table,
        exchange=exchange,
        seats=seats,
        positions=_positions_after_deal(table, event),
        frozen_button=_frozen_button_after_deal(table, event),
        deck=DeckState(),
        hands_dealt=event.number,
        running_hand=running,
        next_hand_at=0,
        new_stakes_until=0,
        carried_chips=0,
        replay=None,
        mixture_name=event.mixture_name,
    )
    if event.bomb_pot:
        return replace(after, hands_since_bomb_pot=0, bomb_pot_votes=())
    rotation = replace(
        table.rotation_state,
        hands_dealt=table.rotation_state.hands_dealt + 1,
        hands_per_lap=table.rotation_state.hands_per_lap or len(event.dealt_seats),
        choice_due_at=0,
    )
    return replace(after, hands_since_bomb_pot=table.hands_since_bomb_pot + 1, rotation_state=rotation)


def _players_before_hand(table: Table) -> tuple[PlayerBeforeHand, ...]:
    seated = tuple(
        PlayerBeforeHand(seat.player, seat.status, seat.newcomer, seat.owes_small, seat.owes_big, seat.orbits_missed)
        for seat in table.seats
    )
    gone = tuple(
        PlayerBeforeHand(one.player, SeatStatus.SITTING_OUT, one.newcomer, one.owes_small, one.owes_big)
        for one in table.departures
    )
    return seated + gone


def _replay_setup(event: e.HandBegan, players: tuple[int, ...]) -> ReplaySetup:
    return ReplaySetup(
        players=players,
        button_seat=event.button_seat,
        small_blind_seat=event.small_blind_seat,
        big_blind_seat=event.big_blind_seat,
        posting_seats=event.posting_seats,
        button_buyer_seat=event.button_buyer_seat,
        straddle_seat=event.straddle_seat,
        button_stands_still=event.button_stands_still,
        bomb_pot=event.bomb_pot,
    )


def _blinds_are_deferred(table: Table, event: e.HandBegan) -> bool:
    """Tell whether blinds and missed blinds wait for a later hand.

    That is so while the button stands still, and while a mixed table plays a game without blinds.
    """
    return event.button_stands_still or (table.settings.rotation is not None and not event.big_blind_seat)


def _positions_after_deal(table: Table, event: e.HandBegan) -> Positions:
    """Return where the button and the blinds are from this hand on. Nobody skips a blind because other games come in between (VC-28)."""
    last = table.positions
    if last is None or not _blinds_are_deferred(table, event):
        return Positions(event.button_seat, event.small_blind_seat, event.big_blind_seat)
    if event.button_stands_still:
        return last
    if last.big_blind_seat:
        return replace(last, dealer_without_blinds=event.button_seat)
    return Positions(event.button_seat)


def _frozen_button_after_deal(table: Table, event: e.HandBegan) -> SeatNumber:
    """Return the button that stands still from this hand on. A bomb pot leaves it as it was."""
    if not event.button_stands_still:
        return NO_SEAT_NUMBER
    return table.frozen_button if event.bomb_pot else event.button_seat


def _seat_after_deal(seat: Seat, *, keeps_debts: bool) -> Seat:
    """A player who is dealt in is part of the game and owes no missed blind, unless the blinds are deferred: then they still owe it."""
    seat = replace(seat, wants_straddle=False, hands_since_refill=seat.hands_since_refill + 1)
    if keeps_debts:
        return seat
    return replace(seat, status=SeatStatus.PLAYING, newcomer=False, owes_small=False, owes_big=False)


def _apply_hand_finished(table: Table, event: e.HandFinished) -> Table:
    running, stacks = _running_hand(table), dict(event.stacks)
    seats = tuple(replace(seat, stack=stacks.get(seat.number, seat.stack), timed_out=False) for seat in table.seats)
    if event.owing_seats:
        seats = _with_blinds_owed_again(seats, running.players_before, event.owing_seats)
    after = replace(
        table,
        seats=seats,
        running_hand=None,
        carried_chips=event.carried_chips,
        book=book_after_hand(table, event),
    )
    if event.same_dealer:
        after = replace(after, positions=running.positions_before, frozen_button=running.frozen_button_before)
    else:
        after = replace(after, drawn_button_seat=NO_SEAT_NUMBER)
    if not running.bomb_pot:
        after = replace(after, passed_out_hands=table.passed_out_hands + 1 if event.passed_out else 0)
    if event.put_in:
        results = {seat.number: stacks.get(seat.number, seat.stack) - seat.stack for seat in table.seats}
        hands = hands_remembered(table.played_hands, running, dict(event.put_in), results)
        after = replace(after, played_hands=hands)
    people_played = any(seat.player in running.players and not seat.practice for seat in table.seats)
    return _with_activity(after, event.at) if people_played else after


def _with_blinds_owed_again(
    seats: tuple[Seat, ...],
    players_before: tuple[PlayerBeforeHand, ...],
    owing_seats: tuple[tuple[SeatNumber, bool, bool], ...],
) -> tuple[Seat, ...]:
    """After a misdeal that gave posts back: players who owe again come in as they wanted to before the hand (TL-12)."""
    before = {one.player: one for one in players_before}
    owed = {number: (owes_small, owes_big) for number, owes_small, owes_big in owing_seats}
    return tuple(
        replace(
            seat,
            status=before[seat.player].status,
            newcomer=before[seat.player].newcomer,
            owes_small=owed[seat.number][0],
            owes_big=owed[seat.number][1],
        )
        if seat.number in owed
        else seat
        for seat in seats
    )


def _apply_hand_undone(table: Table, event: e.HandUndone) -> Table:
    running = _running_hand(table)
    before = {one.player: one for one in running.players_before}
    departures = tuple(
        replace(one, owes_small=before[one.player].owes_small, owes_big=before[one.player].owes_big)
        if one.player in before
        else one
        for one in table.departures
    )
    return replace(
        table,
        seats=tuple(_seat_before_hand(seat, before.get(seat.player), running) for seat in table.seats),
        departures=departures,
        running_hand=None,
        positions=running.positions_before,
        carried_chips=running.carried_before,
        rotation_state=running.rotation_before,
        frozen_button=running.frozen_button_before,
        hands_since_bomb_pot=running.hands_since_bomb_pot_before,
        replay=running.replay if event.replay else None,
    )


def _seat_before_hand(seat: Seat, before: PlayerBeforeHand | None, running: RunningHand) -> Seat:
    """A seat after a hand that does not count: its missed blinds are as they were before the hand."""
    seat = replace(seat, timed_out=False)
    if before is None:
        return seat
    if seat.player in running.players:
        seat = replace(seat, status=before.status, hands_since_refill=max(0, seat.hands_since_refill - 1))
    elif before.newcomer:
        return seat  # a newcomer missed nothing in the hand; what they owe by now is for coming in (TL-11)
    return replace(
        seat,
        newcomer=before.newcomer,
        owes_small=before.owes_small,
        owes_big=before.owes_big,
        orbits_missed=before.orbits_missed,
    )
