"""Rule on what is asked of a table between hands: events, or a refusal that leaves no trace.

Source: laws H-1 to H-4, P-1 to P-12, E-1, TL-1, TL-10 to TL-13, TL-27, TL-31 to TL-33, TL-40; issue 2 "Table between hands".
"""

from typing import assert_never

from msgspec.structs import replace

from bot.engine.cards import JOKER
from bot.engine.options import Limit, NewcomerPosts, Straddle
from bot.table import ceremonies, errors
from bot.table import commands as c
from bot.table import events as e
from bot.table.deal import exchange_now, straddle_seats
from bot.table.draws import draw_seats, seats_from
from bot.table.finish import close_now, with_consequences
from bot.table.mixing import choose_game, vote_bomb
from bot.table.next_game import blinds_of
from bot.table.pack import seats_allowed
from bot.table.positions import clockwise, owing_at_the_start, placement
from bot.table.queries import (
    RATHOLE_MS,
    absent_until,
    buy_in,
    departure,
    exchange_due,
    host_of,
    idle_until,
    offered_to,
    owed,
    ready,
    top_up_room,
    vacant,
)
from bot.table.rules import check_change, check_settings, check_shifts
from bot.table.settings import laws_differ
from bot.table.state import AfterHand, Entry, Seat, SeatState, Status, Table

Happened = tuple[e.Any, ...]

_STATES = {Entry.WAIT: SeatState.WAITING, Entry.POST: SeatState.POSTING, Entry.BUY_BUTTON: SeatState.BUYING}


def decide(table: Table | None, command: c.Any, now: int) -> Happened:
    """Rule on a command at `now` (ms). Answers with what happens and all that follows from it by itself; the table is never changed.

    Raises:
        LawError, TableError: the refusal; see `bot.table.errors`, `bot.engine.stakes` and `bot.engine.register` for `Open` and
            `ChangeSettings`.
    """
    if isinstance(command, c.Open):
        assert table is None, "a table is opened once"
        check_settings(command.settings)
        return (e.TableOpened(command.player, command.settings, now),)
    assert table is not None, "the first command of a table is Open"
    if table.status is Status.CLOSED:
        raise errors.TableIsClosed(closing=False)
    return with_consequences(table, _ruled(table, command, now), now)


def _ruled(table: Table, command: c.Any, now: int) -> Happened:
    match command:
        case c.Open():
            return ()
        case c.Sit():
            return _sit(table, command, now)
        case c.Leave(player):
            return _leave(table, player, now)
        case c.SitOut(player):
            return _sit_out(table, player, now)
        case c.Back(player, entry):
            return _back(table, player, entry, now)
        case c.TopUp(player, chips):
            return _top_up(table, player, chips, now)
        case c.PledgeStraddle(player, on):
            return _pledge_straddle(table, player, now, on=on)
        case c.ChangeSettings():
            return _change_settings(table, command, now)
        case c.ProposeAdjustment(player, shifts):
            _seat_of(table, player)
            check_shifts(table, shifts)
            _nothing_pending(table)
            return (e.ChangeProposed(player, now, shifts=shifts),)
        case c.Consent(player):
            return _consent(table, player, now)
        case c.Object(player):
            return _object(table, player)
        case c.JoinWaitingList():
            return _join_waiting_list(table, command, now)
        case c.LeaveWaitingList(player):
            if all(one.player != player for one in table.waiting):
                raise errors.NotWaiting
            return (e.WaitingLeft(player),)
        case c.ExchangeSeats(player, seat):
            return _exchange_seats(table, player, seat, now)
        case c.DrawSeats():
            return _draw_seats(table, command, now)
        case c.ChooseSeat():
            return ceremonies.choose_seat(table, command, now)
        case c.ChoosePlace():
            return ceremonies.choose_place(table, command, now)
        case c.NameSubstitute():
            return ceremonies.name_substitute(table, command, now)
        case c.Remove():
            return _remove(table, command, now)
        case c.DrawForDeal():
            return ceremonies.draw_for_deal(table, command)
        case c.CutForDeal():
            return ceremonies.cut_for_deal(table, command, now)
        case c.Shuffle():
            return ceremonies.shuffle(table, command, now)
        case c.CutPack():
            return ceremonies.cut_pack(table, command, now)
        case c.DeclineCut():
            return ceremonies.decline_cut(table, command, now)
        case c.SkipDeal(player):
            _seat_of(table, player)
            raise errors.DealNotDeclined
        case c.ClaimMisdeal():
            return ceremonies.claim_misdeal(table, command, now)
        case c.ChooseGame():
            return choose_game(table, command, now)
        case c.VoteBomb():
            return vote_bomb(table, command, now)
        case c.StartHand(player):
            _seat_of(table, player)
            if table.running is not None:
                raise errors.HandRunning(law="TL-29", what="starting a deal")
            if not ready(table):
                raise errors.TooFewPlayers(players=len(table.players))
            return (e.HandScheduled(max(now, table.mixed.due)),)  # who chooses the game has his time (VC-28)
        case c.Close(player, staff):
            if not staff and player != host_of(table):
                raise errors.HostOnly(host=host_of(table))
            if table.status is Status.CLOSING:
                raise errors.TableIsClosed(closing=True)
            return (e.ClosingAsked(player, now),)
        case c.CallTime(player, to_act):
            return _call_time(table, player, to_act, now)
        case c.TimedOut(number):
            late = table.seat(number)
            assert late is not None, "the clock ran for an empty seat"
            return () if late.silent or late.after is AfterHand.LEAVE else (e.TurnMissed(number),)
        case c.Tick():
            return _tick(table, now)
        case _:
            assert_never(command)


def _seat_of(table: Table, player: int) -> Seat:
    seat = table.seat_of(player)
    if seat is None:
        raise errors.NotSeated(player=player)
    return seat


def _open_for_newcomers(table: Table) -> None:
    if table.status is not Status.OPEN:
        raise errors.TableIsClosed(closing=table.status is Status.CLOSING)


def _sit(table: Table, command: c.Sit, now: int) -> Happened:
    """Seat a player: a free seat, one per person, chips within the limits, and the blinds he owes with him (P-7, P-11, E-1, TL-1)."""
    _open_for_newcomers(table)
    settings = table.settings
    if command.practice and not settings.practice:
        raise errors.PracticeTablesOnly
    there = table.seat_of(command.player)
    if there is not None:
        raise errors.AlreadySeated(seat=there.number)
    if not 0 <= command.seat <= settings.seats:
        raise errors.NoSuchSeat(seat=command.seat, seats=settings.seats)
    given = ceremonies.replaced_by(table, command.player)
    if given is not None:
        return _take_over(table, command, given, now)
    free = vacant(table)
    if not free:
        raise errors.TableFull(
            seats=settings.seats, pack_limit=settings.seats == seats_allowed(settings.card, settings.options.deck)
        )
    if command.seat and command.seat not in free:
        raise errors.SeatOccupied(seat=command.seat, free=free, begun=table.hands > 0)
    kept = [one for one in offered_to(table) if one.player != command.player]
    if len(kept) >= len(free):
        raise errors.SeatsKept(waiting=len(table.waiting), until=max(one.offered_until for one in kept))
    _check_buy_in(table, command, now)
    number = command.seat or free[command.lot % len(free)]
    return (_seat_taken(table, command, number, now),)


def _check_buy_in(table: Table, command: c.Sit, now: int) -> None:
    """Chips within the table's limits, and whoever left within the hour brings back what he took away (TL-1, TL-27)."""
    limits = buy_in(table, command.player, now)
    if limits.until and command.chips < limits.least:
        raise errors.BringBack(chips=command.chips, least=limits.least, until=limits.until)
    if not limits.least <= command.chips <= limits.most:
        raise errors.BuyInOutOfBounds(chips=command.chips, least=limits.least, most=limits.most)


def _take_over(table: Table, command: c.Sit, given: Seat, now: int) -> Happened:
    """A substitute takes the seat of the player he replaces, between deals, with the blinds that are owed there (P-11)."""
    if command.seat not in (0, given.number):
        raise errors.SubstituteTakesSeat(seat=given.number)
    if table.dealt_in(given.player):
        raise errors.HandRunning(law="P-11", what="taking a seat over")
    _check_buy_in(table, command, now)
    left = e.SeatLeft(given.number, given.player, given.stack, now, e.LeaveReason.REPLACED)
    taken = e.SeatTaken(
        seat=given.number,
        player=command.player,
        name=command.name,
        chips=command.chips,
        at=now,
        state=SeatState.WAITING if given.owes_small or given.owes_big else SeatState.IN,
        fresh=given.fresh,
        owes_small=given.owes_small,
        owes_big=given.owes_big,
        bank_ms=1000 * table.settings.stakes.bank_seconds,
    )
    return left, taken


def _remove(table: Table, command: c.Remove, now: int) -> Happened:
    """Staff removes a player: at once, or after the hand he is in."""
    if not command.staff:
        raise errors.StaffOnly
    seat = _seat_of(table, command.target)
    if not table.dealt_in(command.target):
        return (e.SeatLeft(seat.number, seat.player, seat.stack, now, e.LeaveReason.REMOVED),)
    return () if seat.after is AfterHand.LEAVE else (e.LeaveAsked(seat.number, now),)


def _seat_taken(table: Table, command: c.Sit, number: int, now: int) -> e.SeatTaken:
    """Work out how he comes in: free, or waiting for his big blind because he is new (TL-11) or owes one (TL-12)."""
    settings = table.settings
    left = departure(table, command.player)
    returns = left is not None and not left.fresh and now < left.at + RATHOLE_MS
    owes_small = left is not None and left.owes_small
    owes_big = left is not None and left.owes_big
    begun = table.positions is not None or table.replay is not None
    if left is not None and returns and number != left.seat and begun:
        owes_big = True  # another seat may lie behind the big blind: it is waited for or posted, so that moving cannot dodge it
    if not returns and begun and _newcomer_owes(table):
        owes_big = True
    if blinds_of(table) is None:
        owes_small = owes_big = False
    waits = owes_small or owes_big
    return e.SeatTaken(
        seat=number,
        player=command.player,
        name=command.name,
        chips=command.chips,
        at=now,
        state=SeatState.WAITING if waits else SeatState.IN,
        fresh=not returns,
        owes_small=owes_small,
        owes_big=owes_big,
        bank_ms=1000 * settings.stakes.bank_seconds,
        practice=command.practice,
    )


def _newcomer_owes(table: Table) -> bool:
    """Tell whether a newcomer waits for or posts a big blind here: by option, else in limit games only (TL-11)."""
    settings = blinds_of(table)
    if settings is None or settings.options.newcomer_posts is NewcomerPosts.OFF:
        return False
    options = settings.options
    return options.newcomer_posts is NewcomerPosts.ON or options.limit not in (Limit.NO_LIMIT, Limit.POT_LIMIT)


def owes_as_newcomer(table: Table, seat: Seat) -> bool:
    """Tell whether a seat that comes into a game under way owes a big blind because it is new (TL-11)."""
    return seat.fresh and seat.state is SeatState.OUT and game_goes_on(table) and _newcomer_owes(table)


def _leave(table: Table, player: int, now: int) -> Happened:
    seat = _seat_of(table, player)
    if not table.dealt_in(player):
        return (e.SeatLeft(seat.number, player, seat.stack, now),)
    if seat.after is AfterHand.LEAVE:
        raise errors.AlreadyLeaving(seat=seat.number)
    return (e.LeaveAsked(seat.number, now),)


def _sit_out(table: Table, player: int, now: int) -> Happened:
    seat = _seat_of(table, player)
    if seat.after is AfterHand.LEAVE:
        raise errors.AlreadyLeaving(seat=seat.number)
    if seat.state is SeatState.OUT or seat.after is AfterHand.SIT_OUT:
        raise errors.AlreadyOut(seat=seat.number, after_hand=seat.state is not SeatState.OUT)
    return (e.SitOutAsked(seat.number, now),) if table.dealt_in(player) else (e.SatOut(seat.number, now),)


def _back(table: Table, player: int, entry: Entry | None, now: int) -> Happened:
    """Bring a player back in: free if he owes nothing, else as he says (TL-10, TL-11)."""
    seat = _seat_of(table, player)
    if seat.after is not AfterHand.STAY:
        return (e.StayAsked(seat.number, now),)
    if not seat.stack:
        raise errors.RebuyFirst(least=table.settings.min_buyin, most=table.settings.max_buyin)
    new = owes_as_newcomer(table, seat)
    if entry is Entry.BUY_BUTTON and seat.state is not SeatState.BUYING:
        _check_button_for_sale(table, seat)
        return (e.CameBack(seat.number, SeatState.BUYING, now, new),)
    if not (seat.owes_small or seat.owes_big or new):
        if seat.state in (SeatState.IN, SeatState.BUYING):
            raise errors.AlreadyIn(seat=seat.number)
        return (e.CameBack(seat.number, SeatState.IN, now),)
    if seat.state is not SeatState.OUT and (entry is None or _STATES[entry] is seat.state):
        raise errors.AlreadyIn(seat=seat.number)
    if entry is None:
        if not debts_count(table, seat):
            return (e.CameBack(seat.number, SeatState.WAITING, now),)
        debt = owed(table, seat)
        live = (blinds_of(table) or table.settings).stakes.big_blind if new else debt.live
        raise errors.BlindsOwed(live=live, dead=debt.dead, entries=entries(table, seat))
    return (e.CameBack(seat.number, _STATES[entry], now, new),)


def game_goes_on(table: Table) -> bool:
    """Tell whether two or more play without owing a blind; if not, the next deal begins the game again and nobody waits."""
    if table.replay is not None:
        return True
    return table.positions is not None and sum(seat.settled for seat in table.players) >= 2


def debts_count(table: Table, seat: Seat) -> bool:
    """Tell whether this player has to wait or post for what he owes: two or more play on without him, or begin anew (TL-10, TL-12)."""
    if game_goes_on(table) or table.positions is not None:
        return game_goes_on(table)
    return seat.number in owing_at_the_start(_with_wish(table, seat, SeatState.WAITING))


def entries(table: Table, seat: Seat) -> tuple[Entry, ...]:
    """Return the ways in which who owes a blind may come in, as things stand (TL-10, TL-11)."""
    placed = placement(_with_wish(table, seat))
    buys = placed is not None and seat.number in placed.buyers
    return (Entry.WAIT, Entry.POST, Entry.BUY_BUTTON) if buys else (Entry.WAIT, Entry.POST)


def _with_wish(table: Table, seat: Seat, state: SeatState = SeatState.BUYING) -> Table:
    """The table as it would be if this player wanted to come in so, with the button if nothing else is said."""
    seats = tuple(replace(one, state=state) if one.number == seat.number else one for one in table.seats)
    return replace(table, seats=seats)


def _check_button_for_sale(table: Table, seat: Seat) -> None:
    placed = placement(_with_wish(table, seat))
    if placed is None or seat.number not in placed.buyers:
        raise errors.CannotBuyButton(button=placed.button if placed else 0, small=placed.small if placed else 0)


def _top_up(table: Table, player: int, chips: int, now: int) -> Happened:
    """Add chips now, or queue them for the next deal if he is dealt in; an empty stack needs a full buy-in (TL-1)."""
    seat = _seat_of(table, player)
    if seat.after is AfterHand.LEAVE:
        raise errors.AlreadyLeaving(seat=seat.number)
    settings = table.settings
    if table.dealt_in(player):
        room = max(0, settings.max_buyin - seat.queued)  # what he ends the hand with is not known yet
        if not 1 <= chips <= room:
            raise errors.TopUpTooLarge(chips=chips, most=room, max_buyin=settings.max_buyin)
        return (e.TopUpQueued(seat.number, seat.queued + chips, now),)
    if not seat.stack and not settings.min_buyin <= chips <= settings.max_buyin:
        raise errors.BuyInOutOfBounds(chips=chips, least=settings.min_buyin, most=settings.max_buyin)
    room = top_up_room(table, seat)
    if not 1 <= chips <= room:
        raise errors.TopUpTooLarge(chips=chips, most=room, max_buyin=settings.max_buyin)
    added = e.ToppedUp(seat.number, chips, now)
    if seat.stack or seat.state is not SeatState.OUT:
        return (added,)
    owes = seat.owes_small or seat.owes_big
    return added, e.CameBack(seat.number, SeatState.WAITING if owes else SeatState.IN, now)


def _pledge_straddle(table: Table, player: int, now: int, *, on: bool) -> Happened:
    """Note a straddle for the next deal: by the seat that may, in full, before the cards (TL-13, TL-42)."""
    seat = _seat_of(table, player)
    if not on:
        return (e.StraddlePledged(seat.number, False, now),) if seat.straddles else ()
    if table.settings.options.straddle is not Straddle.LIVE:
        raise errors.NoStraddle
    to = 2 * table.settings.stakes.big_blind
    seats = straddle_seats(table)
    if seat.number not in seats:
        raise errors.StraddleNotYours(seats=seats, to=to)
    if table.running is None and seat.stack < to:
        raise errors.StraddleInFull(to=to, stack=seat.stack)
    return (e.StraddlePledged(seat.number, True, now),)


def _change_settings(table: Table, command: c.ChangeSettings, now: int) -> Happened:
    """Change the settings: laws before the first deal by the host, then by consent of all seated; house matters by the host (H-1)."""
    check_change(table, command.settings)
    rules_here = command.staff or command.player == host_of(table)
    if table.hands == 0 or not laws_differ(table.settings, command.settings):
        if not rules_here:
            raise errors.HostOnly(host=host_of(table))
        return (e.SettingsChanged(command.settings, now),)
    _seat_of(table, command.player)
    _nothing_pending(table)
    return (e.ChangeProposed(command.player, now, settings=command.settings),)


def _nothing_pending(table: Table) -> None:
    if table.proposal is not None:
        raise errors.ProposalPending(player=table.proposal.player)


def _consent(table: Table, player: int, now: int) -> Happened:
    _seat_of(table, player)
    if table.proposal is None:
        raise errors.NothingProposed
    return () if player in table.proposal.consents else (e.Consented(player, now),)


def _object(table: Table, player: int) -> Happened:
    """An objection ends a proposal, or an exchange of seats that is under way (H-1, P-12)."""
    _seat_of(table, player)
    if table.proposal is not None:
        return (e.ProposalDropped(player),)
    if table.exchange is not None:
        return (e.ExchangeDropped(player),)
    raise errors.NothingProposed


def _join_waiting_list(table: Table, command: c.JoinWaitingList, now: int) -> Happened:
    _open_for_newcomers(table)
    there = table.seat_of(command.player)
    if there is not None:
        raise errors.AlreadySeated(seat=there.number)
    for place, one in enumerate(table.waiting, 1):
        if one.player == command.player:
            raise errors.AlreadyWaiting(place=place)
    free = vacant(table)
    if len(free) > len(offered_to(table)):
        raise errors.SeatIsFree(free=free)
    return (e.WaitingJoined(command.player, command.name, now),)


def _exchange_seats(table: Table, player: int, number: int, now: int) -> Happened:
    """Two ask for one another's seats after a showdown and before the next deal; then the others may object for a while (P-12)."""
    seat, other = _seat_of(table, player), table.seat(number)
    if table.running is not None:
        raise errors.HandRunning(law="P-12", what="exchanging seats")
    if other is None or other.player == seat.player:
        raise errors.NobodyThere(seat=number)
    asked = table.exchange
    if asked is None or (asked.player == player and not asked.due):
        return (e.ExchangeAsked(player, other.player, now),)
    if asked.due or (asked.player, asked.other) != (other.player, player):
        raise errors.ExchangePending
    return (e.ExchangeAgreed(now + 1000 * table.settings.pause_seconds),)


def _draw_seats(table: Table, command: c.DrawSeats, now: int) -> Happened:
    """Draw for seats: before the first deal, or an hour after the last drawing (P-7 to P-10).

    The host banks and keeps his seat, or has the one he has chosen; where he is not seated, the dealer has first choice. The first dealer
    joins the draw, or sits left of the banker if he has chosen that.
    """
    asks = _seat_of(table, command.player)
    if table.running is not None:
        raise errors.HandRunning(law="P-10", what="reseating")
    if table.replay is not None:
        raise errors.HandRunning(law="TL-29", what="reseating")
    if table.hands and now < table.seated_at + RATHOLE_MS:
        raise errors.ReseatingTooSoon(until=table.seated_at + RATHOLE_MS)
    if len(table.seats) < 2:
        raise errors.TooFewPlayers(players=len(table.seats))
    dealer = ceremonies.first_dealer_of(table)
    first = ceremonies.banker_of(table) or dealer or asks
    left = dealer if table.wish.left and dealer is not None and dealer.player != first.player else None
    occupied = [seat.number for seat in table.seats]
    others = [number for number in clockwise(occupied, (dealer or first).number) if number != first.number]
    players = {seat.number: seat.player for seat in table.seats}
    drawing = [players[number] for number in others if left is None or number != left.number]
    pack = [card for card in command.pack if card != JOKER]
    order = draw_seats(first.player, left.player if left else 0, drawing, pack)
    cards = tuple(zip(drawing, pack, strict=False))
    start = table.wish.banker or first.number
    places = occupied if start in occupied else [start, *(number for number in occupied if number != first.number)]
    return (e.SeatsDrawn(cards, seats_from(places, start, order), now),)


def _call_time(table: Table, player: int, to_act: int, now: int) -> Happened:
    seat = _seat_of(table, player)
    if seat.number != to_act:
        raise errors.TimeNotYours(to_act=to_act)
    if not seat.bank_ms or seat.silent:
        raise errors.BankEmpty
    return (e.TimeCalled(seat.number, seat.bank_ms, now),)


def _tick(table: Table, now: int) -> Happened:
    """What time alone brings: an idle table closes, offers lapse, long absent players are paid, agreed exchanges happen."""
    idle = idle_until(table)
    if idle and now >= idle:
        return close_now(table, now, e.CloseReason.IDLE)
    happened: list[e.Any] = [
        e.WaitingLeft(one.player, lapsed=True) for one in offered_to(table) if now >= one.offered_until
    ]
    if 0 < exchange_due(table) <= now:
        happened += exchange_now(table)
    else:
        for seat in table.seats:
            until = absent_until(table, seat)
            if until and now >= until:
                reason = e.LeaveReason.ABSENT if seat.stack else e.LeaveReason.BUSTED
                happened.append(e.SeatLeft(seat.number, seat.player, seat.stack, now, reason))
    return tuple(happened)
