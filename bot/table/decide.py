"""Rule on the commands of a table: events, or a refusal that leaves no trace.

Laws: H-1 to H-4, P-1 to P-12, E-1, D-12, I-2, TL-1, TL-13, TL-27, TL-31 to TL-33, TL-40, TC-1 to TC-9.
"""

from typing import assert_never

from bot.engine.errors import BrokenInvariant
from bot.engine.options.values import StraddleRule
from bot.engine.units import SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.adjustments import validate_stack_adjustment
from bot.table.book import (
    answer_rebuy,
    ask_for_rebuy,
    can_practise,
    rebuy,
    rebuys_due,
    table_chips_bought,
    validate_table_chips,
)
from bot.table.ceremonies import deck, first_deal, seat_draw
from bot.table.corrections import correct_chips
from bot.table.entry import come_back, newcomers_owe_big_blind
from bot.table.finish_hand import close_table, with_consequences
from bot.table.held_seats import (
    INVITED_MAX,
    hold_seat,
    require_seat_free_for,
    require_unreserved_seat,
    seats_to_choose,
)
from bot.table.in_event import decide_in_event
from bot.table.mixed.next_game import settings_for_blinds
from bot.table.mixed.rotation import choose_game, vote_for_bomb_pot
from bot.table.next_hand import seat_exchange, straddle_seats
from bot.table.queries import (
    RATHOLE_MS,
    absence_ends_at,
    admits,
    buy_in_limits,
    can_deal,
    departure_of,
    earliest_hand_at,
    exchange_due_at,
    free_seats,
    host_of,
    idle_close_at,
    require_admitted,
    require_seat,
    top_up_room,
)
from bot.table.seat_limits import seats_allowed
from bot.table.settings import needs_consent, with_starting_stack
from bot.table.state import AfterHand, Seat, SeatStatus, Table, TableStatus
from bot.table.table_break import ask_for_break, end_break
from bot.table.vacation import end_vacation, start_vacation, vacations_over
from bot.table.validate_settings import validate_settings, validate_settings_change, validate_starting_stack

TableEvents = tuple[e.TableEvent, ...]


def decide(table: Table | None, command: c.TableCommand, now: int) -> TableEvents:
    """Rule on a command at the time `now`. Returns what happens and everything that follows from it. The table itself never changes.

    Raises:
        LawError, TableError: the refusal, see `bot.table.refusals`. `OpenTable` and `ChangeSettings` also raise what `validate_settings`
            raises.
    """
    if isinstance(command, c.OpenTable):
        if table is not None:
            raise BrokenInvariant("a table is opened once")
        settings = with_starting_stack(command.settings)
        validate_settings(settings)
        if not settings.is_event:  # the structure of an event decides about it
            validate_starting_stack(settings)
        invited = _people(command.invited, command.player) if command.private else ()
        return (e.TableOpened(command.player, settings, now, command.departures, command.private, invited),)
    assert table is not None, "the first command of a table is OpenTable"
    if table.status is TableStatus.CLOSED:
        raise refusals.TableIsClosed(closing=False)
    return with_consequences(table, _decide_command(table, command, now), now)


def _decide_command(table: Table, command: c.TableCommand, now: int) -> TableEvents:
    if table.settings.is_event and (ruling := decide_in_event(table, command, now)) is not None:
        return ruling
    match command:
        case c.OpenTable():
            return ()
        case c.InvitePlayers():
            return _invite_players(table, command, now)
        case c.HoldSeat():
            return hold_seat(table, command, now)
        case c.TakeSeat():
            return _take_seat(table, command, now)
        case c.LeaveTable(player):
            return _leave_table(table, player, now)
        case c.SitOut(player):
            return _sit_out(table, player, now)
        case c.ComeBack(player, entry_method):
            return come_back(table, player, entry_method, now)
        case c.StartVacation():
            return start_vacation(table, command, now)
        case c.EndVacation(player) if any(one.player == player and one.vacation_until for one in table.waiting):
            return (e.WaitsOnVacation(player, 0),)
        case c.EndVacation(player):
            seat = table.seat_of(player)
            return end_vacation(table, seat, now) if seat is not None and seat.vacation_until else ()
        case c.TopUp(player, chips):
            return _top_up(table, player, chips, now)
        case c.AnswerRebuy():
            return answer_rebuy(table, command, now)
        case c.AskForRebuy():
            return ask_for_rebuy(table, command, now)
        case c.PledgeStraddle(player, wanted):
            return _pledge_straddle(table, player, now, wanted=wanted)
        case c.ChangeSettings():
            return _change_settings(table, command, now)
        case c.ProposeStackAdjustment():
            return _propose_stack_adjustment(table, command, now)
        case c.CorrectChips():
            return correct_chips(table, command, now)
        case c.Consent(player):
            return _consent(table, player, now)
        case c.RaiseObjection(player):
            return _raise_objection(table, player)
        case c.JoinWaitingList():
            return _join_waiting_list(table, command, now)
        case c.LeaveWaitingList(player):
            return _leave_waiting_list(table, player)
        case c.ExchangeSeats(player, seat_number):
            return _exchange_seats(table, player, seat_number, now)
        case c.DrawSeats():
            return seat_draw.draw_seats(table, command, now)
        case c.ChooseSeat():
            return seat_draw.choose_seat(table, command, now)
        case c.ChooseDealerSeat():
            return seat_draw.choose_dealer_seat(table, command, now)
        case c.NameSubstitute():
            return _name_substitute(table, command, now)
        case c.RemovePlayer():
            return _remove_player(table, command, now)
        case c.DrawForFirstDeal():
            return first_deal.draw_for_first_deal(table, command)
        case c.CutForFirstDeal():
            return first_deal.cut_for_first_deal(table, command, now)
        case c.ShuffleDeck():
            return deck.shuffle_deck(table, command, now)
        case c.CutDeck():
            return deck.cut_deck(table, command, now)
        case c.DeclineCut():
            return deck.decline_cut(table, command, now)
        case c.DeclineDeal(player):
            require_seat(table, player)
            raise refusals.DealCannotBeDeclined
        case c.ClaimMisdeal(player):
            return _claim_misdeal(table, player, now)
        case c.ChooseGame():
            return choose_game(table, command, now)
        case c.VoteForBombPot():
            return vote_for_bomb_pot(table, command, now)
        case c.AskForBreak():
            return ask_for_break(table, command, now)
        case c.EndBreak(player):
            return end_break(table, player, now)
        case c.StartHand(player):
            return _start_hand(table, player, now)
        case c.CloseTable(player, staff):
            return _close_table(table, player, now, staff=staff)
        case c.CallTime(player, seat_number_to_act):
            return _call_time(table, player, seat_number_to_act, now)
        case c.TimeOutPlayer(seat_number):
            return _time_out_player(table, seat_number)
        case c.NoteOwnAction(player):
            return _note_own_action(table, player)
        case c.Tick():
            return _tick(table, now)
        case _:
            assert_never(command)


# Taking a seat and leaving it


def _require_open(table: Table) -> None:
    if table.status is not TableStatus.OPEN:
        raise refusals.TableIsClosed(closing=table.status is TableStatus.CLOSING)


def _take_seat(table: Table, command: c.TakeSeat, now: int) -> TableEvents:
    """Seat a player: in a free seat, once per person, with chips within the limits and the blinds they owe (P-7, P-11, E-1, TL-1)."""
    _require_open(table)
    settings = table.settings
    if command.practice and not (settings.practice or (settings.has_table_chips and can_practise(table))):
        raise refusals.PracticeTablesOnly
    own_seat = table.seat_of(command.player)
    if own_seat is not None:
        raise refusals.AlreadySeated(seat_number=own_seat.number)
    if not 0 <= command.seat_number <= settings.seat_count:
        raise refusals.NoSuchSeat(seat_number=command.seat_number, seat_count=settings.seat_count)
    if not command.practice:
        require_admitted(table, command.player)
    given_seat = _seat_for_substitute(table, command.player)
    if given_seat is not None:
        return _take_seat_as_substitute(table, command, given_seat, now)
    if not free_seats(table):
        if settings.seat_count == seats_allowed(settings.rule_card, settings.options.deck):
            raise refusals.DeckServesNoMore(seat_count=settings.seat_count)
        raise refusals.TableFull(seat_count=settings.seat_count)
    number = require_seat_free_for(table, command.player, command.seat_number)
    require_unreserved_seat(table, command.player)
    _validate_buy_in(table, command, now)
    if not number:
        seats = seats_to_choose(table, command.player)
        number = seats[command.random_number % len(seats)]
    return (_seat_taken(table, command, number, now),)


def _validate_buy_in(table: Table, command: c.TakeSeat, now: int) -> None:
    """The chips must be within the table's limits. A player who left within the hour brings back what they took away (TL-1, TL-27)."""
    if table.settings.has_table_chips:
        validate_table_chips(table, command, now)
        return
    limits = buy_in_limits(table, command.player, now)
    if limits.until and command.chips < limits.minimum:
        raise refusals.MustBringChipsBack(minimum=limits.minimum, until=limits.until)
    if not limits.minimum <= command.chips <= limits.maximum:
        raise refusals.BuyInOutOfBounds(minimum=limits.minimum, maximum=limits.maximum)


def _seat_taken(table: Table, command: c.TakeSeat, number: SeatNumber, now: int) -> e.SeatTaken:
    """Seat a player, free to play or waiting for a big blind because they are new (TL-11) or owe blinds (TL-12)."""
    departure = departure_of(table, command.player)
    returns = departure is not None and not departure.newcomer and now < departure.at + RATHOLE_MS
    owes_small = departure is not None and departure.owes_small
    owes_big = departure is not None and departure.owes_big
    if table.positions is not None or table.replay is not None:
        if not returns:
            owes_big = owes_big or newcomers_owe_big_blind(table)
        elif departure is not None and number != departure.seat_number:
            owes_big = True  # nobody dodges the big blind by moving to a seat behind it
    if settings_for_blinds(table) is None:
        owes_small = owes_big = False
    return e.SeatTaken(
        seat_number=number,
        player=command.player,
        name=command.name,
        chips=command.chips,
        at=now,
        status=SeatStatus.WAITING_FOR_BIG_BLIND if owes_small or owes_big else SeatStatus.PLAYING,
        newcomer=not returns,
        owes_small=owes_small,
        owes_big=owes_big,
        bank_ms=1000 * table.settings.stakes.bank_seconds,
        practice=command.practice,
        bought=table_chips_bought(table, command.player, command.chips),
    )


def _name_substitute(table: Table, command: c.NameSubstitute, now: int) -> TableEvents:
    """A player names somebody to take their seat. The substitute takes that seat and no other (P-11)."""
    seat = require_seat(table, command.player)
    if seat.after_hand is AfterHand.LEAVE:
        raise refusals.AlreadyLeaving
    substitute_seat = table.seat_of(command.substitute)
    if substitute_seat is not None:
        raise refusals.AlreadySeated(seat_number=substitute_seat.number)
    if command.substitute:
        require_admitted(table, command.substitute)
    return (e.SubstituteNamed(command.player, command.substitute, now),)


def _seat_for_substitute(table: Table, player: int) -> Seat | None:
    """Return the seat that this player is to take as a substitute; None if nobody named them (P-11)."""
    replaced = next((replaced for replaced, substitute in table.substitutes if substitute == player), 0)
    return table.seat_of(replaced)


def _take_seat_as_substitute(table: Table, command: c.TakeSeat, given_seat: Seat, now: int) -> TableEvents:
    """A substitute takes the seat of the player they replace, between hands, with the blinds that are owed there (P-11)."""
    if command.seat_number not in (0, given_seat.number):
        raise refusals.SubstituteMustTakeSeat(seat_number=given_seat.number)
    if table.dealt_in(given_seat.player):
        raise refusals.HandRunning(law="P-11")
    _validate_buy_in(table, command, now)
    left = e.SeatLeft(given_seat.number, given_seat.player, given_seat.stack, now, e.LeaveReason.REPLACED)
    taken = e.SeatTaken(
        seat_number=given_seat.number,
        player=command.player,
        name=command.name,
        chips=command.chips,
        at=now,
        status=SeatStatus.WAITING_FOR_BIG_BLIND if given_seat.owes_blinds else SeatStatus.PLAYING,
        newcomer=given_seat.newcomer,
        owes_small=given_seat.owes_small,
        owes_big=given_seat.owes_big,
        bank_ms=1000 * table.settings.stakes.bank_seconds,
        bought=table_chips_bought(table, command.player, command.chips),
    )
    return left, taken


def _leave_table(table: Table, player: int, now: int) -> TableEvents:
    seat = require_seat(table, player)
    if not table.dealt_in(player):
        return (e.SeatLeft(seat.number, player, seat.stack, now),)
    if seat.after_hand is AfterHand.LEAVE:
        raise refusals.AlreadyLeaving
    return (e.LeaveRequested(seat.number, now),)


def _invite_players(table: Table, command: c.InvitePlayers, now: int) -> TableEvents:
    """Let people come. At a table for everybody, only those need it whom the host has removed."""
    _require_open(table)
    _require_host_or_staff(table, command.player, staff=command.staff)
    new = tuple([player for player in _people(command.invited, host_of(table)) if not admits(table, player)])
    if table.private and len(table.invited) + len(new) > INVITED_MAX:
        raise refusals.TooManyInvited(maximum=INVITED_MAX)
    if not new and not table.private:
        raise refusals.OpenToEverybody
    return (e.PlayersInvited(new, now),) if new else ()


def _remove_player(table: Table, command: c.RemovePlayer, now: int) -> TableEvents:
    """Remove a player. Somebody who is kept out plays the hand that they are in to its end: no host folds the hand of another player.
    Somebody whom staff remove without that leaves as if they had asked to (TL-40).
    """
    player, keep_out = command.removed_player, command.keep_out
    if keep_out:
        _require_host_or_staff(table, command.player, staff=command.staff)
        if player <= 0 or player in (command.player, host_of(table)):
            raise refusals.CannotKeepOut
    elif not command.staff:
        raise refusals.StaffOnly
    seat = table.seat_of(player)
    is_waiting = any(waiting.player == player for waiting in table.waiting)
    is_kept_out = player in table.kept_out
    if seat is None and not is_waiting and not (keep_out and table.private and player in table.invited):
        if keep_out and is_kept_out:
            return ()
        raise refusals.NotAtTable(player=player)
    events: list[e.TableEvent] = [e.PlayerKeptOut(player, now)] if keep_out and not is_kept_out else []
    if is_waiting:
        events.append(e.WaitingListLeft(player))
    if seat is not None and not table.dealt_in(player):
        reason = e.LeaveReason.KEPT_OUT if keep_out else e.LeaveReason.REMOVED
        events.append(e.SeatLeft(seat.number, player, seat.stack, now, reason))
    elif seat is not None and not keep_out and seat.after_hand is not AfterHand.LEAVE:
        events.append(e.LeaveRequested(seat.number, now))
    return tuple(events)


def _require_host_or_staff(table: Table, player: int, *, staff: bool) -> None:
    if not staff and player != host_of(table):
        raise refusals.HostOnly(host=host_of(table))


def _people(players: tuple[int, ...], host: int) -> tuple[int, ...]:
    """Return whom the host can invite of these, each once.

    Raises:
        TooManyInvited: they are too many.
    """
    people = tuple(dict.fromkeys(player for player in players if player > 0 and player != host))
    if len(people) > INVITED_MAX:
        raise refusals.TooManyInvited(maximum=INVITED_MAX)
    return people


def _sit_out(table: Table, player: int, now: int) -> TableEvents:
    seat = require_seat(table, player)
    if seat.after_hand is AfterHand.LEAVE:
        raise refusals.AlreadyLeaving
    if seat.status is SeatStatus.SITTING_OUT or seat.after_hand is AfterHand.SIT_OUT:
        raise refusals.AlreadySittingOut(after_hand=seat.status is not SeatStatus.SITTING_OUT)
    return (e.SitOutRequested(seat.number, now),) if table.dealt_in(player) else (e.SatOut(seat.number, now),)


def _time_out_player(table: Table, seat_number: int) -> TableEvents:
    seat = table.seat(seat_number)
    assert seat is not None, "the clock ran for an empty seat"
    if seat.after_hand is AfterHand.LEAVE:
        return ()
    misses = table.settings.misses
    return (e.TurnTimedOut(seat.number, sits_out=0 < misses <= seat.missed_turns + 1),)


def _note_own_action(table: Table, player: int) -> TableEvents:
    seat = table.seat_of(player)
    return (e.ActedAgain(seat.number),) if seat is not None and (seat.has_missed_turns or seat.away) else ()


def _join_waiting_list(table: Table, command: c.JoinWaitingList, now: int) -> TableEvents:
    _require_open(table)
    own_seat = table.seat_of(command.player)
    if own_seat is not None:
        raise refusals.AlreadySeated(seat_number=own_seat.number)
    for waiting_position, waiting in enumerate(table.waiting, 1):
        if waiting.player == command.player:
            raise refusals.AlreadyOnWaitingList(waiting_position=waiting_position)
    require_admitted(table, command.player)
    free = free_seats(table)
    if len(free) > len(table.waiting_with_offer):
        raise refusals.SeatsAreFree(free_seats=free)
    return (e.WaitingListJoined(command.player, command.name, now),)


def _leave_waiting_list(table: Table, player: int) -> TableEvents:
    if all(waiting.player != player for waiting in table.waiting):
        raise refusals.NotOnWaitingList
    return (e.WaitingListLeft(player),)


def _exchange_seats(table: Table, player: int, seat_number: int, now: int) -> TableEvents:
    """Two players ask for each other's seats between hands. Once both have asked, the others can object for a while (P-12)."""
    seat, other = require_seat(table, player), table.seat(seat_number)
    if table.running_hand is not None:
        raise refusals.HandRunning(law="P-12")
    if other is None or other.player == seat.player:
        raise refusals.SeatIsEmpty(seat_number=seat_number)
    exchange = table.exchange
    if exchange is None or (exchange.player == player and not exchange.due_at):
        return (e.SeatExchangeRequested(player, other.player, now),)
    if exchange.due_at or (exchange.player, exchange.other_player) != (other.player, player):
        raise refusals.SeatExchangePending
    return (e.SeatExchangeAgreed(now + 1000 * table.settings.pause_seconds),)


# Chips and the next hand


def _top_up(table: Table, player: int, chips: int, now: int) -> TableEvents:
    """Add chips now, or for the next hand if the player is dealt in. An empty stack needs a full buy-in (TL-1)."""
    seat = require_seat(table, player)
    if player in table.kept_out:
        raise refusals.KeptOutOfTable(host=host_of(table))
    if seat.after_hand is AfterHand.LEAVE:
        raise refusals.AlreadyLeaving
    settings = table.settings
    if settings.has_table_chips:
        return rebuy(table, seat, now)
    if table.dealt_in(player):
        room = max(0, settings.max_buyin - seat.queued_top_up)  # the stack after the hand is not known yet
        if not 1 <= chips <= room:
            raise refusals.TopUpTooLarge(maximum=room, max_buyin=settings.max_buyin)
        return (e.TopUpQueued(seat.number, seat.queued_top_up + chips, now),)
    if not seat.stack and not settings.min_buyin <= chips <= settings.max_buyin:
        raise refusals.BuyInOutOfBounds(minimum=settings.min_buyin, maximum=settings.max_buyin)
    room = top_up_room(table, seat)
    if not 1 <= chips <= room:
        raise refusals.TopUpTooLarge(maximum=room, max_buyin=settings.max_buyin)
    added = e.ToppedUp(seat.number, chips, now)
    if seat.stack or seat.status is not SeatStatus.SITTING_OUT:
        return (added,)
    status = SeatStatus.WAITING_FOR_BIG_BLIND if seat.owes_blinds else SeatStatus.PLAYING
    return added, e.CameBack(seat.number, status, now)


def _pledge_straddle(table: Table, player: int, now: int, *, wanted: bool) -> TableEvents:
    """Note a straddle for the next hand: from a seat that can straddle, in full, before the cards (TL-13, TL-42)."""
    seat = require_seat(table, player)
    if not wanted:
        return (e.StraddlePledged(seat.number, False, now),) if seat.wants_straddle else ()
    if table.settings.options.straddle is not StraddleRule.LIVE:
        raise refusals.NoStraddle
    to = 2 * table.settings.stakes.big_blind
    seats = straddle_seats(table)
    if seat.number not in seats:
        raise refusals.StraddleNotYours(seat_numbers=seats, to=to)
    if table.running_hand is None and seat.stack < to:
        raise refusals.StraddleMustBeFull(to=to, stack=seat.stack)
    return (e.StraddlePledged(seat.number, True, now),)


def _start_hand(table: Table, player: int, now: int) -> TableEvents:
    require_seat(table, player)
    if table.running_hand is not None:
        raise refusals.HandRunning(law="TL-29")
    if table.on_break and table.table_break is not None:
        raise refusals.AlreadyOnBreak(until=table.table_break.ends_at)
    if not can_deal(table):
        raise refusals.TooFewPlayers(player_count=len(table.seats_for_next_hand))
    return (e.HandScheduled(max(now, earliest_hand_at(table))),)


def _call_time(table: Table, player: int, seat_number_to_act: int, now: int) -> TableEvents:
    seat = require_seat(table, player)
    if seat.number != seat_number_to_act:
        raise refusals.CallTimeNotYourTurn(seat_number_to_act=seat_number_to_act)
    if not seat.bank_ms or seat.timed_out:
        raise refusals.TimeBankEmpty
    return (e.TimeCalled(seat.number, seat.bank_ms, now),)


def _claim_misdeal(table: Table, player: int, now: int) -> TableEvents:
    """Note that a player who is dealt in says the deal was irregular (I-2, TL-29)."""
    if table.running_hand is None:
        raise refusals.NoHandRunning
    if not table.dealt_in(player):
        raise refusals.MisdealClaimNotYours
    return () if player in table.running_hand.misdeal_claims else (e.MisdealClaimed(player, now),)


# What the table agrees on


def _change_settings(table: Table, command: c.ChangeSettings, now: int) -> TableEvents:
    """Change the settings. Once a hand was dealt, or somebody else is seated, all must consent to a change of the laws, and
    of the times after which a seat is lost. The rest is the host's (H-1)."""
    validate_settings_change(table, command.settings)
    host = host_of(table)
    alone = table.hands_dealt == 0 and all(seat.practice or seat.player == host for seat in table.seats)
    if alone or not needs_consent(table.settings, command.settings):
        if not command.staff and command.player != host_of(table):
            raise refusals.HostOnly(host=host_of(table))
        return (e.SettingsChanged(command.settings, now),)
    require_seat(table, command.player)
    _require_no_proposal(table)
    return (e.ChangeProposed(command.player, now, settings=command.settings),)


def _propose_stack_adjustment(table: Table, command: c.ProposeStackAdjustment, now: int) -> TableEvents:
    require_seat(table, command.player)
    validate_stack_adjustment(table, command.stack_changes)
    _require_no_proposal(table)
    return (e.ChangeProposed(command.player, now, stack_changes=command.stack_changes),)


def _require_no_proposal(table: Table) -> None:
    if table.proposal is not None:
        raise refusals.ProposalPending(player=table.proposal.player)


def _consent(table: Table, player: int, now: int) -> TableEvents:
    require_seat(table, player)
    if table.proposal is None:
        raise refusals.NothingProposed
    return () if player in table.proposal.consents else (e.Consented(player, now),)


def _raise_objection(table: Table, player: int) -> TableEvents:
    """An objection ends a proposal or an exchange of seats (H-1, P-12)."""
    require_seat(table, player)
    if table.proposal is not None:
        return (e.ProposalWithdrawn(player),)
    if table.exchange is not None:
        return (e.SeatExchangeCancelled(player),)
    raise refusals.NothingProposed


def _close_table(table: Table, player: int, now: int, *, staff: bool) -> TableEvents:
    if not staff and player != host_of(table):
        raise refusals.HostOnly(host=host_of(table))
    if table.status is TableStatus.CLOSING:
        raise refusals.TableIsClosed(closing=True)
    return (e.ClosingRequested(player, now),)


# Time


def _tick(table: Table, now: int) -> TableEvents:
    """Do what is due: close an idle table, let offers lapse, exchange seats as agreed, pay players out who were absent too long."""
    taken = table.table_break
    if taken is not None and taken.ends_at:
        return (e.BreakEnded(now),) if now >= taken.ends_at else ()
    idle_at = idle_close_at(table)
    if idle_at and now >= idle_at:
        return close_table(table, now, e.CloseReason.IDLE)
    events: list[e.TableEvent] = [
        e.WaitingListLeft(waiting.player, lapsed=True)
        for waiting in table.waiting_with_offer
        if now >= waiting.offered_until
    ]
    events += rebuys_due(table, now)
    if over := vacations_over(table, now):
        return (*events, *over)  # who is back is not absent any more: the clock looks again
    if 0 < exchange_due_at(table) <= now:
        return (*events, *seat_exchange(table))
    for seat in table.seats:
        ends_at = absence_ends_at(table, seat)
        if ends_at and now >= ends_at:
            reason = e.LeaveReason.ABSENT if seat.stack else e.LeaveReason.BUSTED
            events.append(e.SeatLeft(seat.number, seat.player, seat.stack, now, reason))
    return tuple(events)
