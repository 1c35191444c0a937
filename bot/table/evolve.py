"""Apply what has happened to a table. Never refuses, never decides.

Source: design §2.
"""

from collections.abc import Iterable
from typing import Any, assert_never

from msgspec.structs import replace

from bot.table import events as e
from bot.table.next_game import begun
from bot.table.preselected import Ended, Preselection
from bot.table.queries import RATHOLE_MS
from bot.table.settings import laws_differ, playing
from bot.table.state import (
    AfterHand,
    Departure,
    Exchange,
    Lot,
    Mark,
    Mixed,
    PackState,
    Positions,
    Proposal,
    Replay,
    Running,
    Seat,
    SeatState,
    SeatWish,
    Status,
    Table,
    Waiting,
)


def evolve(table: Table | None, event: e.Any) -> Table:
    """Return the table after an event. Only `TableOpened` applies where there is no table yet."""
    if isinstance(event, e.TableOpened):
        return Table(
            settings=event.settings,
            opener=event.player,
            opened_at=event.at,
            active_at=event.at,
            seated_at=event.at,
            mixed=begun(event.settings, event.at),
        )
    assert table is not None, "the first event of a table is TableOpened"
    return _applied(table, event)


def evolve_all(table: Table | None, happened: tuple[e.Any, ...]) -> Table:
    """Apply several events in turn; there is at least one, or a table."""
    for event in happened:
        table = evolve(table, event)
    assert table is not None, "no table and no event"
    return table


def _applied(table: Table, event: e.Any) -> Table:
    match event:
        case e.TableOpened():
            return table
        case e.SeatTaken():
            return _seat_taken(table, event)
        case e.SeatLeft():
            return _seat_left(table, event)
        case e.LeaveAsked(seat, at):
            return _active(_seat(table, seat, after=AfterHand.LEAVE), at)
        case e.SitOutAsked(seat, at):
            return _active(_seat(table, seat, after=AfterHand.SIT_OUT), at)
        case e.TurnMissed(seat):
            return _seat(table, seat, after=AfterHand.SIT_OUT, silent=True)
        case e.StayAsked(seat, at):
            return _active(_seat(table, seat, after=AfterHand.STAY, silent=False), at)
        case e.SatOut(seat, at):
            out = _seat(
                table,
                seat,
                state=SeatState.OUT,
                after=AfterHand.STAY,
                silent=False,
                out_since=at,
                orbits_missed=0,
                straddles=False,
            )
            return _active(out, at)
        case e.CameBack(seat, state, at, owes_big):
            owing = _at(table, seat).owes_big or owes_big
            return _active(_seat(table, seat, state=state, owes_big=owing, out_since=0, orbits_missed=0), at)
        case e.TopUpQueued(seat, chips, at):
            return _active(_seat(table, seat, queued=chips), at)
        case e.ToppedUp(seat, chips, at):
            return _active(_seat(table, seat, stack=_at(table, seat).stack + chips, queued=0), at)
        case e.TopUpDropped(seat, _):
            return _seat(table, seat, queued=0)
        case e.StraddlePledged(seat, on, at):
            return _active(_seat(table, seat, straddles=on), at)
        case e.SettingsChanged(_, at):
            return _active(_settings_changed(table, event), at)
        case e.ChangeProposed(player, at, settings, shifts):
            return _active(replace(table, proposal=Proposal(player, at, settings, shifts, (player,))), at)
        case e.Consented(player, at):
            asked = table.proposal
            assert asked is not None, "consent to nothing"
            return _active(replace(table, proposal=replace(asked, consents=(*asked.consents, player))), at)
        case e.ProposalDropped():
            return replace(table, proposal=None)
        case e.Adjusted(shifts, at):
            for shift in shifts:
                one = table.seat_of(shift.player)
                assert one is not None, "an adjustment for somebody who is not seated"
                table = _seat(table, one.number, stack=one.stack + shift.chips)
            return _active(replace(table, proposal=None), at)
        case e.WaitingJoined(player, name, at):
            return _active(replace(table, waiting=(*table.waiting, Waiting(player, name, at))), at)
        case e.WaitingLeft(player):
            return replace(table, waiting=tuple(one for one in table.waiting if one.player != player))
        case e.SeatOffered(player, until):
            offered = (replace(one, offered_until=until) if one.player == player else one for one in table.waiting)
            return replace(table, waiting=tuple(offered))
        case e.ExchangeAsked(player, other, at):
            return _active(replace(table, exchange=Exchange(player, other)), at)
        case e.ExchangeAgreed(due):
            asked_exchange = table.exchange
            assert asked_exchange is not None, "agreement without a question"
            return replace(table, exchange=replace(asked_exchange, due=due))
        case e.ExchangeDropped():
            return replace(table, exchange=None)
        case e.SeatsExchanged(seat, other):
            moved = (_renumbered(one, {seat: other, other: seat}.get(one.number, one.number)) for one in table.seats)
            return replace(_seated(table, moved), exchange=None)
        case e.SeatsDrawn(_, seats, at):
            drawn = dict(seats)
            moved = (_renumbered(one, drawn[one.player]) for one in table.seats)
            return _active(
                replace(
                    _seated(table, moved),
                    positions=None,
                    drawn_button=0,
                    seated_at=at,
                    exchange=None,
                    frozen=0,
                    wish=SeatWish(),
                    lots=(),
                    cutting=(),
                    pack=PackState(),
                ),
                at,
            )
        case e.ButtonDrawn(_, seat):
            return replace(table, drawn_button=seat, lots=(), cutting=())
        case e.GameChanged():
            return _game_changed(table, event)
        case e.ChoiceAsked(seat, due):
            waits = table.next_hand_at
            return replace(
                table, mixed=replace(table.mixed, chooser=seat, due=due), next_hand_at=waits and max(waits, due)
            )
        case e.BombVoted(player, on, at):
            votes = tuple(one for one in table.bomb_votes if one != player)
            return _active(replace(table, bomb_votes=(*votes, player) if on else votes), at)
        case e.Shuffled(_, at):
            return _active(replace(table, pack=replace(table.pack, shuffles=table.pack.shuffles + 1)), at)
        case e.PackCut(seat, points, at):
            return _active(replace(table, pack=replace(table.pack, points=points, by=seat)), at)
        case e.CutDeclined(_, at):
            return _active(replace(table, pack=replace(table.pack, declined=True)), at)
        case e.CutForDeal(seat, position, card, at):
            return _active(replace(table, lots=(*table.lots, Lot(seat, position, card))), at)
        case e.CutAgain(seats):
            return replace(table, cutting=seats, lots=tuple(replace(lot, position=0) for lot in table.lots))
        case e.SeatWished(_, banker, left, at):
            return _active(replace(table, wish=SeatWish(banker, left)), at)
        case e.SubstituteNamed(player, substitute, at):
            given = tuple(one for one in table.substitutes if one[0] != player)
            return _active(replace(table, substitutes=(*given, (player, substitute)) if substitute else given), at)
        case e.MisdealClaimed(player, at):
            playing_now = table.running
            assert playing_now is not None, "no hand is running"
            return _active(replace(table, running=replace(playing_now, claims=(*playing_now.claims, player))), at)
        case e.Preselected(seat, choice, chips):
            return _preselected(table, seat, Preselection(seat, choice, chips))
        case e.PreselectionEnded():
            return _preselection_ended(table, event)
        case e.BlindMissed():
            return _blind_missed(table, event)
        case e.HandBegan():
            return _hand_began(table, event)
        case e.HandFinished():
            return _hand_finished(table, event)
        case e.HandUndone():
            return _hand_undone(table, event)
        case e.ReplayDropped():
            return replace(table, replay=None)
        case e.BankSpent(seat, ms):
            return _seat(table, seat, bank_ms=max(0, _at(table, seat).bank_ms - ms))
        case e.TimeCalled(_, _, at):
            return _active(table, at)
        case e.BankRefilled(seat, ms):
            return _seat(table, seat, bank_ms=_at(table, seat).bank_ms + ms, bank_hands=0)
        case e.Busted(seat, _, at):
            return _seat(table, seat, state=SeatState.OUT, out_since=at, orbits_missed=0, straddles=False)
        case e.HandScheduled(at):
            return replace(table, next_hand_at=at)
        case e.HandUnscheduled():
            return replace(table, next_hand_at=0)
        case e.ClosingAsked(_, at):
            return _active(replace(table, status=Status.CLOSING), at)
        case e.TableClosed():
            return replace(table, status=Status.CLOSED, next_hand_at=0, waiting=(), proposal=None, exchange=None)
        case _:
            assert_never(event)


def _active(table: Table, at: int) -> Table:
    return replace(table, active_at=max(table.active_at, at))


def _at(table: Table, number: int) -> Seat:
    seat = table.seat(number)
    assert seat is not None, f"nobody sits in seat {number}"
    return seat


def _seat(table: Table, number: int, **changes: Any) -> Table:
    return replace(table, seats=tuple(replace(one, **changes) if one.number == number else one for one in table.seats))


def _seated(table: Table, seats: Iterable[Seat]) -> Table:
    return replace(table, seats=tuple(sorted(seats, key=lambda seat: seat.number)))


def _seat_taken(table: Table, event: e.SeatTaken) -> Table:
    seat = Seat(
        number=event.seat,
        player=event.player,
        name=event.name,
        stack=event.chips,
        seated_at=event.at,
        state=event.state,
        fresh=event.fresh,
        owes_small=event.owes_small,
        owes_big=event.owes_big,
        bank_ms=event.bank_ms,
        practice=event.practice,
    )
    after = replace(
        _seated(table, (*table.seats, seat)),
        departures=tuple(one for one in table.departures if one.player != event.player),
        waiting=tuple(one for one in table.waiting if one.player != event.player),
        substitutes=tuple(one for one in table.substitutes if one[1] != event.player),
        opener_left=table.opener_left and event.player != table.opener,
    )
    return after if event.practice else _active(after, event.at)


def _seat_left(table: Table, event: e.SeatLeft) -> Table:
    seat = _at(table, event.seat)
    kept = (one for one in table.departures if event.at < one.at + RATHOLE_MS or one.owes_small or one.owes_big)
    left = Departure(seat.player, seat.number, event.chips, event.at, seat.owes_small, seat.owes_big, seat.fresh)
    after = replace(
        table,
        seats=tuple(one for one in table.seats if one.number != event.seat),
        departures=(*kept, left),
        substitutes=tuple(one for one in table.substitutes if one[0] != event.player),
        bomb_votes=tuple(one for one in table.bomb_votes if one != event.player),
        lots=tuple(lot for lot in table.lots if lot.seat != event.seat),
        opener_left=table.opener_left or event.player == table.opener,
        replay=_replay_without(table.replay, event.player),
    )
    if not after.seats:
        after = replace(
            after, positions=None, drawn_button=0, frozen=0
        )  # the game broke up; the next one draws for the button
    return _active(after, event.at) if event.reason is e.LeaveReason.ASKED else after


def _replay_without(replay: Replay | None, player: int) -> Replay | None:
    """Who has left is not dealt into the replay, even if he sits down again before it (TL-29)."""
    if replay is None:
        return None
    return replace(replay, players=tuple(one for one in replay.players if one != player))


def _settings_changed(table: Table, event: e.SettingsChanged) -> Table:
    bank_ms = 1000 * event.settings.stakes.bank_seconds
    seats = tuple(replace(one, bank_ms=min(one.bank_ms, bank_ms)) for one in table.seats)
    if table.settings.stakes.bank_seconds == 0:
        seats = tuple(replace(one, bank_ms=bank_ms) for one in seats)
    proposal = table.proposal
    if proposal is not None and proposal.settings == event.settings:
        proposal = None
    settings, mixed, rotation = event.settings, table.mixed, event.settings.rotation
    if rotation != table.settings.rotation:
        mixed = begun(settings, event.at)
    elif rotation is not None:  # the table may have gone on to another game since the change was proposed
        settings = playing(settings, rotation.games[mixed.place])
    replay = None if laws_differ(table.settings, settings) else table.replay  # another game cannot replay this one
    return replace(table, settings=settings, seats=seats, proposal=proposal, mixed=mixed, replay=replay)


def _game_changed(table: Table, event: e.GameChanged) -> Table:
    rotation = table.settings.rotation
    assert rotation is not None, "a table of one game"
    mixed = Mixed(place=event.place, began=event.at, chooser=table.mixed.chooser)
    chosen_early = table.mixed.due and table.next_hand_at
    due = (
        min(table.next_hand_at, event.at + 1000 * table.settings.pause_seconds) if chosen_early else table.next_hand_at
    )
    return replace(
        table, settings=playing(table.settings, rotation.games[event.place]), mixed=mixed, passed=0, next_hand_at=due
    )


def _preselected(table: Table, number: int, chosen: Preselection | None) -> Table:
    """A seat's choice before its turn; None: it has none."""
    running = table.running
    assert running is not None, "no hand is running"
    others = tuple(one for one in running.preselections if one.seat != number)
    return replace(table, running=replace(running, preselections=others if chosen is None else (*others, chosen)))


def _preselection_ended(table: Table, event: e.PreselectionEnded) -> Table:
    """Gone; or lapsed, which its player is told as long as it matters."""
    running = table.running
    assert running is not None, "no hand is running"
    chosen = next((one for one in running.preselections if one.seat == event.seat), None)
    assert chosen is not None, "nothing was chosen before the turn"
    gone = event.why in (Ended.DONE, Ended.CLEARED)
    return _preselected(table, event.seat, None if gone else replace(chosen, lapsed=event.why, call=event.call))


def _blind_missed(table: Table, event: e.BlindMissed) -> Table:
    seat = table.seat_of(event.player)
    if seat is not None:
        return _seat(
            table,
            seat.number,
            owes_small=seat.owes_small or event.small,
            owes_big=seat.owes_big or event.big,
            orbits_missed=seat.orbits_missed + event.big,
        )
    departures = (
        replace(one, owes_small=one.owes_small or event.small, owes_big=one.owes_big or event.big)
        if one.player == event.player
        else one
        for one in table.departures
    )
    return replace(table, departures=tuple(departures))


def _hand_began(table: Table, event: e.HandBegan) -> Table:
    dealt = set(event.dealt)
    marks = tuple(
        Mark(one.player, one.state, one.fresh, one.owes_small, one.owes_big, one.orbits_missed) for one in table.seats
    )
    marks += tuple(Mark(one.player, SeatState.OUT, one.fresh, one.owes_small, one.owes_big) for one in table.departures)
    seats = tuple(
        _dealt_in(one, keeps=_blinds_wait(table, event)) if one.number in dealt else replace(one, straddles=False)
        for one in table.seats
    )
    players = tuple(_at(table, seat).player for seat in event.dealt)
    running = Running(
        event.number,
        event.dealt,
        players,
        table.positions,
        marks,
        table.carried,
        table.mixed,
        table.frozen,
        table.since_bomb,
        event.bomb,
        replay=_replay_of(event, players),
    )
    positions = _places(table, event)
    mixed = table.mixed
    if not event.bomb:
        mixed = replace(mixed, deals=mixed.deals + 1, lap=mixed.lap or len(event.dealt), due=0)
    agreed = (
        table.exchange if table.exchange is not None and table.exchange.due else None
    )  # a mere wish ends with the deal
    return replace(
        table,
        exchange=agreed,
        seats=seats,
        positions=positions,
        frozen=(table.frozen if event.bomb else event.button) if event.frozen else 0,
        mixed=mixed,
        since_bomb=0 if event.bomb else table.since_bomb + 1,
        bomb_votes=() if event.bomb else table.bomb_votes,
        pack=PackState(),
        hands=event.number,
        running=running,
        next_hand_at=0,
        carried=0,
        replay=None,
        mixture=event.mixture,
    )


def _replay_of(event: e.HandBegan, players: tuple[int, ...]) -> Replay:
    return Replay(
        players=players,
        button=event.button,
        small=event.small,
        big=event.big,
        posting=event.posting,
        bought=event.bought,
        straddle=event.straddle,
        stands=event.frozen,
        bomb=event.bomb,
    )


def _blinds_wait(table: Table, event: e.HandBegan) -> bool:
    """Tell whether blinds and debts wait for a later deal: the button stands still, or a mixed table plays a game without blinds."""
    return event.frozen or (table.settings.rotation is not None and not event.big)


def _places(table: Table, event: e.HandBegan) -> Positions:
    """Where button and blinds are from this deal on; nobody skips a blind because other games are played in between (VC-28)."""
    last = table.positions
    if last is None or not _blinds_wait(table, event):
        return Positions(event.button, event.small, event.big)
    if event.frozen:
        return last
    return replace(last, deal=event.button) if last.big else Positions(event.button)


def _dealt_in(seat: Seat, *, keeps: bool) -> Seat:
    """Who is dealt in owes nothing more, and is of the game; but where the blinds keep their places he `keeps` his debts for the next."""
    if keeps:
        return replace(seat, straddles=False, bank_hands=seat.bank_hands + 1)
    return replace(
        seat,
        state=SeatState.IN,
        fresh=False,
        owes_small=False,
        owes_big=False,
        straddles=False,
        bank_hands=seat.bank_hands + 1,
    )


def _hand_finished(table: Table, event: e.HandFinished) -> Table:
    running = table.running
    assert running is not None, "no hand is running"
    stacks = dict(event.stacks)
    seats = tuple(replace(one, stack=stacks.get(one.number, one.stack), silent=False) for one in table.seats)
    if event.owing:
        seats = _owing_again(seats, running.marks, event.owing)
    after = replace(table, seats=seats, running=None, carried=event.carried)
    dealer = {"positions": running.before, "frozen": running.frozen} if event.same_dealer else {"drawn_button": 0}
    after = replace(after, **dealer)
    if not running.bomb:
        after = replace(after, passed=table.passed + 1 if event.passed_out else 0)
    people = any(one.player in running.players and not one.practice for one in table.seats)
    return _active(after, event.at) if people else after


def _owing_again(
    seats: tuple[Seat, ...], marks: tuple[Mark, ...], owing: tuple[tuple[int, bool, bool], ...]
) -> tuple[Seat, ...]:
    """After a misdeal whose posts were given back: who owes again comes in as he meant to before it (TL-12)."""
    before = {mark.player: mark for mark in marks}
    owes = {number: (small, big) for number, small, big in owing}
    return tuple(
        replace(
            one,
            state=before[one.player].state,
            fresh=before[one.player].fresh,
            owes_small=owes[one.number][0],
            owes_big=owes[one.number][1],
        )
        if one.number in owes
        else one
        for one in seats
    )


def _hand_undone(table: Table, event: e.HandUndone) -> Table:
    running = table.running
    assert running is not None, "no hand is running"
    marks = {mark.player: mark for mark in running.marks}
    seats = []
    for one in table.seats:
        seat, mark = replace(one, silent=False), marks.get(one.player)
        if mark is not None and one.player in running.players:
            seat = replace(seat, state=mark.state, bank_hands=max(0, one.bank_hands - 1))
        elif mark is not None and mark.fresh:
            mark = None  # a newcomer missed nothing in the deal; what he owes by now is for coming in (TL-11)
        if mark is not None:
            seat = replace(
                seat,
                fresh=mark.fresh,
                owes_small=mark.owes_small,
                owes_big=mark.owes_big,
                orbits_missed=mark.orbits_missed,
            )
        seats.append(seat)
    departures = tuple(
        replace(one, owes_small=marks[one.player].owes_small, owes_big=marks[one.player].owes_big)
        if one.player in marks
        else one
        for one in table.departures
    )
    return replace(
        table,
        seats=tuple(seats),
        departures=departures,
        running=None,
        positions=running.before,
        carried=running.carried,
        mixed=running.mixed,
        frozen=running.frozen,
        since_bomb=running.since_bomb,
        replay=running.replay if event.replay else None,
    )


def _renumbered(seat: Seat, number: int) -> Seat:
    return replace(seat, number=number)
