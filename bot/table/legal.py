"""What a person may do at a table now: buttons, practice players and fuzzers read this, and nothing else.

Source: design §2 "`legal` is the one source", laws 0.3 (c).
"""

from typing import Any

from msgspec import Struct

from bot.engine.options import Cut, FirstDealer
from bot.engine.packs import PACKS
from bot.table.ceremonies import banker_of, first_dealer_of, right_of_dealer
from bot.table.deal import straddle_seats
from bot.table.decide import debts_count, entries, owes_as_newcomer
from bot.table.next_game import as_dealt, blinds_of
from bot.table.queries import BuyIn, Owed, buy_in, host_of, offered_to, owed, top_up_room, vacant
from bot.table.state import AfterHand, Entry, Seat, SeatState, Status, Table


class TableLegal(Struct, frozen=True):
    """What one person may do; False, 0 and empty where he may not. Amounts are chips.

    Attributes:
        seats: free seats he may take, with `buy_in`.
        join_list, leave_list: the waiting list.
        leave, leave_after_hand: get up; the second says that it takes effect after the hand.
        sit_out, back: the same for sitting out and coming back (or staying after all).
        entries: how he may come back, where he owes blinds: `owes`.
        top_up_min, top_up_max: chips he may add; `top_up_queued`: they count from the next deal.
        straddle: the amount he may pledge to post, as a total, 0 for none; pledged: he has.
        consent, object_to: a proposal, or an exchange of seats.
        shuffle: he may have the pack shuffled; cut: cards of the pack he may cut, 0 for not; decline_cut: he may let it go (D-3 to D-7).
        draw_for_deal: he may have the first deal drawn for; cut_for_deal: cards he may cut among for it, 0 for not (D-1, D-2, D-13).
        choose_seat, choose_place: before seats are drawn, as banker or as first dealer (P-8, P-9).
        games: names of the games he may choose from now, in the rotation's order (VC-28).
        vote_bomb: he may ask for a bomb pot; bomb_voted: he has (VC-29).
        claim_misdeal: he may say that the running deal was irregular, if the engine finds it in time (I-2, TL-29).
        settings, close: he is the host; laws then change at once before the first deal only.
    """

    seats: tuple[int, ...] = ()
    buy_in: BuyIn | None = None
    join_list: bool = False
    leave_list: bool = False
    leave: bool = False
    leave_after_hand: bool = False
    sit_out: bool = False
    back: bool = False
    entries: tuple[Entry, ...] = ()
    owes: Owed | None = None
    top_up_min: int = 0
    top_up_max: int = 0
    top_up_queued: bool = False
    straddle: int = 0
    pledged: bool = False
    consent: bool = False
    object_to: bool = False
    shuffle: bool = False
    cut: int = 0
    decline_cut: bool = False
    draw_for_deal: bool = False
    cut_for_deal: int = 0
    choose_seat: bool = False
    choose_place: bool = False
    games: tuple[str, ...] = ()
    vote_bomb: bool = False
    bomb_voted: bool = False
    claim_misdeal: bool = False
    settings: bool = False
    close: bool = False


def table_legal(table: Table, player: int, now: int) -> TableLegal:
    """Say what a person may do at the table now. Staff may close besides, and void as `queries.may_void` says."""
    if table.status is Status.CLOSED:
        return TableLegal()
    host, seated = player == host_of(table), table.seat_of(player) is not None
    settings = host and (seated or table.hands == 0)
    close = host and table.status is Status.OPEN
    return (
        _seated(table, player, settings=settings, close=close)
        if seated
        else _standing(table, player, now, settings=settings, close=close)
    )


def _standing(table: Table, player: int, now: int, *, settings: bool, close: bool) -> TableLegal:
    waits = any(one.player == player for one in table.waiting)
    kept = sum(one.player != player for one in offered_to(table))
    free = vacant(table) if table.status is Status.OPEN else ()
    seats = free if len(free) > kept else ()
    return TableLegal(
        seats=seats,
        buy_in=buy_in(table, player, now) if seats else None,
        join_list=not waits and not seats and table.status is Status.OPEN,
        leave_list=waits,
        settings=settings,
        close=close,
    )


def _seated(table: Table, player: int, *, settings: bool, close: bool) -> TableLegal:
    seat = table.seat_of(player)
    assert seat is not None, "asked of a seated player"
    dealt, leaving = table.dealt_in(player), seat.after is AfterHand.LEAVE
    owes = seat.owes_small or seat.owes_big
    new = owes_as_newcomer(table, seat)
    debt = owed(table, seat) if owes else None
    if new:
        debt = Owed((blinds_of(table) or table.settings).stakes.big_blind, 0)
    away = seat.state is SeatState.OUT and seat.stack > 0
    if dealt:
        least, most = 1, max(0, table.settings.max_buyin - seat.queued)
    elif seat.stack:
        least, most = 1, top_up_room(table, seat)
    else:
        least, most = table.settings.min_buyin, table.settings.max_buyin
    can_add = most > 0 and not leaving
    proposal = table.proposal
    may_straddle = seat.number in straddle_seats(table) and (dealt or seat.stack >= 2 * table.settings.stakes.big_blind)
    ways: tuple[Entry, ...] = ()
    if seat.stack and (owes or seat.fresh) and seat.after is AfterHand.STAY and debts_count(table, seat):
        ways = entries(table, seat)
        if not (owes or new):
            ways = tuple(way for way in ways if way is Entry.BUY_BUTTON)
    return TableLegal(
        leave=not leaving,
        leave_after_hand=dealt and not leaving,
        sit_out=seat.state is not SeatState.OUT and seat.after is AfterHand.STAY,
        back=away or seat.after is not AfterHand.STAY,
        entries=ways,
        owes=debt,
        top_up_min=least if can_add else 0,
        top_up_max=most if can_add else 0,
        top_up_queued=dealt and can_add,
        straddle=2 * table.settings.stakes.big_blind if may_straddle else 0,
        pledged=seat.straddles,
        consent=proposal is not None and player not in proposal.consents,
        object_to=proposal is not None or table.exchange is not None,
        **_ceremonies(table, seat),
        games=_games(table, seat),
        vote_bomb=table.settings.bomb is not None and player not in table.bomb_votes,
        bomb_voted=player in table.bomb_votes,
        claim_misdeal=table.running is not None and dealt and player not in table.running.claims,
        settings=settings,
        close=close,
    )


def _ceremonies(table: Table, seat: Seat) -> dict[str, Any]:
    """What he may do to the pack, for the first deal and for the seats."""
    if table.running is not None:
        return {}
    options = as_dealt(table).settings.options
    size, right, pack = len(PACKS[options.deck]), right_of_dealer(table), table.pack
    its_cut = seat.number == right or (pack.declined and seat in table.players)
    may_cut = bool(right) and not pack.points and its_cut
    undrawn = table.positions is None and not table.drawn_button and len(table.players) >= 2
    low_cut = undrawn and options.first_dealer is FirstDealer.LOW_CUT
    waiting = not table.cutting or seat.number in table.cutting
    has_cut = any(lot.seat == seat.number and lot.position for lot in table.lots)
    banker, dealer = banker_of(table), first_dealer_of(table)
    chooser = banker or dealer
    return {
        "shuffle": not pack.points,
        "cut": size if may_cut else 0,
        "decline_cut": may_cut and seat.number == right and not pack.declined and options.cut is Cut.MAY,
        "draw_for_deal": undrawn,
        "cut_for_deal": size if low_cut and waiting and not has_cut else 0,
        "choose_seat": chooser is not None and chooser.player == seat.player,
        "choose_place": bool(banker and dealer and dealer.player == seat.player != banker.player),
    }


def _games(table: Table, seat: Seat) -> tuple[str, ...]:
    rotation = table.settings.rotation
    if rotation is None or not table.mixed.due or seat.number != table.mixed.chooser:
        return ()
    return tuple(game.card.name for game in rotation.games)
