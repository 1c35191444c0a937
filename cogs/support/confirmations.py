"""Short private answers: what players are told when the table has done what they asked for."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.view.types import HandSeatState
from bot.render.message.custom_ids import button_id
from bot.render.message.notice import notice_panel
from bot.render.message.panel import GREY, RESULT, Button, Buttons, Panel, Text
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.table.events import RebuyAsked, SeatLeft, SettingsChanged, ToppedUp
from bot.table.state import AfterHand
from bot.table.view import SeatedPlayerView
from bot.table.way_on import Awaited
from bot.text import buttons, escape, sit_and_go, table_chips, way_on
from bot.text import confirmations as words
from bot.text.buttons import Verb
from bot.text.durations import duration
from bot.text.language import t
from bot.text.lobby import entry_note


def done(text: str) -> Panel:
    """Something was done."""
    return Panel(RESULT, (Text(text),))


def _until_next_hand(outcome: RequestOutcome, text: str) -> Panel:
    """Something was done that is of no interest once *My hand* shows the next hand: there it would stand between table and cards."""
    return Panel(RESULT, (Text(text),), until_my_hand=outcome.snapshot.id, stands_beside=True)


def _with_way_back(outcome: RequestOutcome, text: str, label: str) -> Panel:
    """Something was done that one button takes back."""
    snapshot = outcome.snapshot
    button = Button(label, button_id(snapshot.id, snapshot.hand_number, 0, Verb.BACK), GREY)
    return Panel(RESULT, (Text(text), Buttons((button,))))


def already_done() -> Panel:
    """The same request came twice, and was carried out once."""
    return notice_panel(t(words.ALREADY_DONE))


def leaving(outcome: RequestOutcome) -> Panel:
    """The player has left, or will leave after the hand."""
    if outcome.repeated:
        return already_done()
    left = next((one for one in outcome.events if isinstance(one, SeatLeft) and one.player == outcome.user), None)
    if left is not None or _own_seat(outcome) is None:
        chips = left.chips if left is not None else 0
        if outcome.snapshot.settings.has_table_chips and chips:
            return done(t(words.LEFT_GAME))
        return done(t(words.LEFT_WITH_CHIPS, chips=chips) if chips else t(words.LEFT))
    own = outcome.own_hand
    folded = own is not None and own.viewer is not None and own.seats[own.viewer].state is HandSeatState.FOLDED
    return _with_way_back(outcome, t(words.LEAVES_FOLDED if folded else words.LEAVES_AFTER_HAND), t(buttons.STAY))


def sitting_out(outcome: RequestOutcome) -> Panel:
    """The player sits out, now or after the hand."""
    if outcome.snapshot.settings.is_event:
        return _with_way_back(outcome, t(sit_and_go.IS_AWAY), t(buttons.BACK))
    seat = _own_seat(outcome)
    later = seat is not None and seat.after_hand is AfterHand.SIT_OUT
    return _with_way_back(outcome, t(words.SITS_OUT_AFTER_HAND if later else words.SITS_OUT), t(buttons.BACK))


def coming_back(outcome: RequestOutcome) -> Panel:
    """The player is in again, with a note on the blinds they owe."""
    if outcome.snapshot.settings.is_event:
        return _until_next_hand(outcome, t(sit_and_go.IS_BACK))
    seat = _own_seat(outcome)
    note = entry_note(outcome.snapshot.table, seat) if seat is not None else ""
    return _until_next_hand(outcome, t(words.BACK_HOW, entry_note=note) if note else t(words.BACK))


def top_up(outcome: RequestOutcome) -> Panel:
    """Chips were added, or will be before the next hand."""
    seat, settings = _own_seat(outcome), outcome.snapshot.settings
    if outcome.repeated or seat is None:
        return already_done()
    if any(isinstance(event, RebuyAsked) for event in outcome.events):
        return done(t(table_chips.HOST_ASKED))
    if settings.has_table_chips and seat.queued_top_up:
        return _until_next_hand(outcome, table_chips.rebuy_later(settings))
    if any(isinstance(event, ToppedUp) for event in outcome.events):
        return _until_next_hand(outcome, t(words.TOPPED_UP, chips=seat.stack))
    return _until_next_hand(outcome, t(words.TOPS_UP_LATER, chips=seat.queued_top_up))


def waiting(outcome: RequestOutcome) -> Panel:
    """Return the player's number on the waiting list."""
    waiting_list = enumerate(outcome.snapshot.table.waiting, 1)
    number = next((number for number, entry in waiting_list if entry.player == outcome.user), 0)
    return done(t(words.WAITING, number=number))


def consent(outcome: RequestOutcome) -> Panel:
    """The player agrees to a proposal; with the last one to agree it is done."""
    if any(isinstance(event, SettingsChanged) for event in outcome.events) or outcome.snapshot.table.proposal is None:
        return done(t(words.ALL_AGREE))
    return done(t(words.AGREED))


def break_wanted(outcome: RequestOutcome) -> Panel:
    """A player asked for a break: it begins, or it waits for the hand or for the others."""
    view = outcome.snapshot.table
    if view.way_on is not None and view.way_on.awaited is Awaited.BREAK:
        return done(t(way_on.BREAK_BEGINS, when=f"<t:{-(-view.way_on.at // 1000)}:R>"))
    asked = view.break_wanted
    if asked is None or asked.votes >= asked.needed:
        return done(t(way_on.BREAK_BEGINS_LATER))
    return done(t(way_on.BREAK_ASKED, votes=asked.votes, needed=asked.needed))


def time_bank(outcome: RequestOutcome) -> Panel:
    """Return how long the player still has."""
    turn = outcome.snapshot.current_turn
    if turn is None:
        return already_done()
    bank = duration(round((turn.bank_ends_at - turn.turn_ends_at) / 1000))
    return done(t(words.TIME_BANK, bank=bank, ends=f"<t:{-(-turn.bank_ends_at // 1000)}:R>"))


def names_by_user(snapshot: TableSnapshot) -> dict[int, str]:
    """Return names of the seated players, safe for markdown, by Discord id."""
    names = names_by_seat(snapshot)
    return {seat.player: names[seat.number] for seat in snapshot.table.seats}


def names_by_seat(snapshot: TableSnapshot) -> Mapping[int, str]:
    """Return names of the seated players, safe for markdown, by seat number."""
    return escape.names_by_seat((seat.number, seat.name) for seat in snapshot.table.seats)


def _own_seat(outcome: RequestOutcome) -> SeatedPlayerView | None:
    return next((seat for seat in outcome.snapshot.table.seats if seat.player == outcome.user), None)
