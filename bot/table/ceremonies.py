"""The ceremonies of the deal and of the seats: shuffle, cut, drawing for the first deal, choosing before seats are drawn, substitutes.

Source: laws D-1 to D-7, D-12, D-13, I-2, P-8, P-9, P-11.
"""

from bot.engine.cards import JOKER, rank_of
from bot.engine.options import Cut, FirstDealer
from bot.engine.packs import PACKS
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.cutting import check_cut
from bot.table.draws import draw_button
from bot.table.next_game import as_dealt
from bot.table.positions import placement
from bot.table.queries import host_of
from bot.table.state import AfterHand, Seat, Table

Happened = tuple[e.Any, ...]


def seat_of(table: Table, player: int) -> Seat:
    """The seat of a player.

    Raises:
        NotSeated.
    """
    seat = table.seat_of(player)
    if seat is None:
        raise errors.NotSeated(player=player)
    return seat


def _before_the_deal(table: Table, law: str) -> None:
    if table.running is not None:
        raise errors.CardsAreOut(law=law)


# The pack


def shuffle(table: Table, command: c.Shuffle, now: int) -> Happened:
    """Any player may have the pack shuffled before the deal; after the cut it is as it is (D-3).

    Raises:
        NotSeated, CardsAreOut, PackIsCut.
    """
    seat_of(table, command.player)
    _before_the_deal(table, "D-3")
    if table.pack.points:
        raise errors.PackIsCut
    return (e.Shuffled(command.player, now),)


def right_of_dealer(table: Table) -> int:
    """The seat at the next dealer's right, which cuts; 0 while nobody knows who deals (D-5)."""
    dealt = as_dealt(table)
    placed = placement(dealt)
    return placed.dealt[-2] if placed is not None else 0


def cut_pack(table: Table, command: c.CutPack, now: int) -> Happened:
    """The player at the dealer's right cuts; where he has declined, whoever asks first (D-5, D-6, D-7).

    Raises:
        NotSeated, CardsAreOut, PackIsCut, NotYoursToCut, PacketTooThin.
    """
    seat = seat_of(table, command.player)
    _before_the_deal(table, "D-5")
    if table.pack.points:
        raise errors.PackIsCut
    right = right_of_dealer(table)
    may = table.pack.declined and seat in table.players
    if not right or not (seat.number == right or may):
        raise errors.NotYoursToCut(seat=right)
    size = len(PACKS[as_dealt(table).settings.options.deck])
    return (e.PackCut(seat.number, check_cut(size, command.points), now),)


def decline_cut(table: Table, command: c.DeclineCut, now: int) -> Happened:
    """The player at the dealer's right may let the cut go, where the table does not demand it (D-6).

    Raises:
        NotSeated, CardsAreOut, PackIsCut, NotYoursToCut, MustCut.
    """
    seat = seat_of(table, command.player)
    _before_the_deal(table, "D-6")
    if table.pack.points:
        raise errors.PackIsCut
    right = right_of_dealer(table)
    if seat.number != right or table.pack.declined:
        raise errors.NotYoursToCut(seat=right)
    if as_dealt(table).settings.options.cut is Cut.MUST:
        raise errors.MustCut
    return (e.CutDeclined(seat.number, now),)


# The first deal


def _first_deal_open(table: Table) -> None:
    dealer = table.positions.dealer if table.positions else table.drawn_button
    if dealer:
        raise errors.DealIsSettled(dealer=dealer)
    if len(table.players) < 2:
        raise errors.TooFewPlayers(players=len(table.players))


def draw_for_deal(table: Table, command: c.DrawForDeal) -> Happened:
    """Find the first dealer at once, in the table's way (D-1, D-2, D-13).

    Raises:
        NotSeated, DealIsSettled, TooFewPlayers.
    """
    seat_of(table, command.player)
    _first_deal_open(table)
    return (button_drawn(table, command.pack),)


def button_drawn(table: Table, pack: tuple[int, ...]) -> e.ButtonDrawn:
    """The drawing for the first button; who has cut already keeps his card (D-2)."""
    how = table.settings.options.first_dealer
    players = [seat.number for seat in table.players]
    if how is not FirstDealer.LOW_CUT or not table.lots:
        return e.ButtonDrawn(*draw_button(how, players, pack))
    earlier = tuple((lot.seat, lot.card) for lot in table.lots)
    used = {lot.card for lot in table.lots}
    left = [card for card in pack if card != JOKER and card not in used]
    held = dict(this_round(table))
    cutting = [seat for seat in table.cutting or players if seat in players] or players
    for seat in cutting:
        if seat not in held:
            held[seat] = left.pop(0)
            earlier += ((seat, held[seat]),)
    lowest = min(rank_of(held[seat]) for seat in cutting)
    tied = [seat for seat in cutting if rank_of(held[seat]) == lowest]
    if len(tied) == 1:
        return e.ButtonDrawn(earlier, tied[0])
    again, dealer = draw_button(how, tied, left)
    return e.ButtonDrawn(earlier + again, dealer)


def this_round(table: Table) -> tuple[tuple[int, int], ...]:
    """Seats and cards of the cuts since the last tie."""
    return tuple((lot.seat, lot.card) for lot in table.lots if lot.position)


def cut_for_deal(table: Table, command: c.CutForDeal, now: int) -> Happened:
    """Cut for the first deal: one place each, none twice; those tied for the lowest cut again (D-2).

    Raises:
        NotSeated, DealIsSettled, TooFewPlayers, NoCutForDeal, BadLot.
    """
    seat = seat_of(table, command.player)
    _first_deal_open(table)
    how = table.settings.options.first_dealer
    if how is not FirstDealer.LOW_CUT:
        raise errors.NoCutForDeal(how=how.value)
    size = len(PACKS[table.settings.options.deck])
    if not 1 <= command.position <= size:
        raise errors.BadLot(position=command.position, most=size, why=f"cut at a place from 1 to {size}")
    known = [lot for lot in table.lots if lot.position]
    if any(lot.seat == seat.number for lot in known) or (table.cutting and seat.number not in table.cutting):
        raise errors.BadLot(position=command.position, most=size, why="you have cut")
    if any(lot.position == command.position for lot in known):
        raise errors.BadLot(position=command.position, most=size, why="position taken")
    used = {lot.card for lot in table.lots}
    card = next(card for card in command.pack if card != JOKER and card not in used)
    return (e.CutForDeal(seat.number, command.position, card, now),)


def lots_are_drawn(table: Table) -> tuple[e.Any, ...]:
    """What follows once all have cut for the deal: the lowest deals, those tied cut again (D-2)."""
    if not table.lots or table.positions is not None or table.drawn_button:
        return ()
    players = [seat.number for seat in table.players]
    cutting = [seat for seat in table.cutting or players if seat in players]
    held = dict(this_round(table))
    if not cutting or any(seat not in held for seat in cutting):
        return ()
    lowest = min(rank_of(held[seat]) for seat in cutting)
    tied = tuple(seat for seat in cutting if rank_of(held[seat]) == lowest)
    if len(tied) > 1:
        return (e.CutAgain(tied),)
    return (e.ButtonDrawn(tuple((lot.seat, lot.card) for lot in table.lots), tied[0]),)


# Seats


def banker_of(table: Table) -> Seat | None:
    """Who keeps the bank and chooses his seat first: the host, if he is seated (P-8)."""
    return table.seat_of(host_of(table))


def first_dealer_of(table: Table) -> Seat | None:
    """Who deals, or has drawn the first deal; None before anybody has (P-8, P-9)."""
    button = table.positions.dealer if table.positions else table.drawn_button
    return table.seat(button) if button else None


def choose_seat(table: Table, command: c.ChooseSeat, now: int) -> Happened:
    """Before seats are drawn the banker chooses a seat; without a banker the dealer does (P-8, P-9).

    Raises:
        NotSeated, HandRunning, NoSuchSeat, OnlyTheirChoice.
    """
    seat_of(table, command.player)
    if table.running is not None:
        raise errors.HandRunning(law="P-8", what="choosing a seat")
    banker, dealer = banker_of(table), first_dealer_of(table)
    chooser = banker or dealer
    if chooser is None or chooser.player != command.player:
        raise errors.OnlyTheirChoice(law="P-8" if banker else "P-9", chooser=chooser.player if chooser else 0)
    if not 1 <= command.seat <= table.settings.seats:
        raise errors.NoSuchSeat(seat=command.seat, seats=table.settings.seats)
    return (e.SeatWished(command.player, command.seat, table.wish.left, now),)


def choose_place(table: Table, command: c.ChoosePlace, now: int) -> Happened:
    """Before seats are drawn the first dealer takes the seat left of the banker, or joins the draw (P-8).

    Raises:
        NotSeated, HandRunning, OnlyTheirChoice.
    """
    seat_of(table, command.player)
    if table.running is not None:
        raise errors.HandRunning(law="P-8", what="choosing a seat")
    banker, dealer = banker_of(table), first_dealer_of(table)
    if banker is None or dealer is None or dealer.player != command.player or dealer.player == banker.player:
        raise errors.OnlyTheirChoice(law="P-8", chooser=dealer.player if dealer and banker else 0)
    return (e.SeatWished(command.player, table.wish.banker, command.left, now),)


def name_substitute(table: Table, command: c.NameSubstitute, now: int) -> Happened:
    """A player names who is to take his seat; the substitute takes that one and no other (P-11).

    Raises:
        NotSeated, AlreadySeated, AlreadyLeaving.
    """
    seat = seat_of(table, command.player)
    if seat.after is AfterHand.LEAVE:
        raise errors.AlreadyLeaving(seat=seat.number)
    there = table.seat_of(command.substitute)
    if there is not None:
        raise errors.AlreadySeated(seat=there.number)
    return (e.SubstituteNamed(command.player, command.substitute, now),)


def replaced_by(table: Table, player: int) -> Seat | None:
    """The seat that a player who comes as a substitute is to take; None if he is nobody's (P-11)."""
    given = next((seated for seated, substitute in table.substitutes if substitute == player), 0)
    return table.seat_of(given)


def claim_misdeal(table: Table, command: c.ClaimMisdeal, now: int) -> Happened:
    """Note that a player who is dealt in says the deal was irregular (I-2, TL-29).

    Raises:
        NoHandRunning, ClaimNotYours.
    """
    if table.running is None:
        raise errors.NoHandRunning
    if not table.dealt_in(command.player):
        raise errors.ClaimNotYours
    return () if command.player in table.running.claims else (e.MisdealClaimed(command.player, now),)
