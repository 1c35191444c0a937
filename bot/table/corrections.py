"""Corrections by staff inside the book of a game of table chips: chips go from some to others, or one player has bought more or fewer.

Whoever has left the game is corrected in what they took away. Somebody who is dealt in is corrected after the hand, when it is known
what they have; what is not possible then lapses. The book sums to zero before and after.

Law: TC-6.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.engine.errors import LawError
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.adjustments import changes_by_player, hands_after_adjustment
from bot.table.state import ChipsCorrection, SeatStatus, StackChange, Table

CORRECTIONS_MAX = 10
"""So many corrections can wait for the end of a hand."""


def correct_chips(table: Table, command: c.CorrectChips, now: int) -> tuple[e.TableEvent, ...]:
    """Correct chips at once, or after the hand into which one of the players is dealt.

    Raises:
        StaffOnly, NoBookToCorrect, ReasonMissing, HandRunning, AdjustmentEmpty, AdjustmentNotBalanced, NotInBook, AdjustmentTooLarge,
        BoughtTooLittle.
    """
    if not command.staff:
        raise refusals.StaffOnly
    if not table.settings.has_table_chips:
        raise refusals.NoBookToCorrect
    if not command.reason.strip():
        raise refusals.ReasonMissing
    correction = ChipsCorrection(command.player, command.changes, command.reason.strip())
    changes = changes_by_player(command.changes)
    waits = any(table.dealt_in(player) for player in changes)
    _validate(table, command.changes, chips_are_known=not waits)
    if not waits:
        return _corrected(table, correction, now)
    if len(table.corrections) >= CORRECTIONS_MAX:
        raise refusals.HandRunning(law="TC-6")
    return (e.CorrectionQueued(correction, now),)


def corrections_due(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """Return the first of the corrections that waited for the end of the hand, between hands; or that it lapses."""
    if not table.corrections:
        return ()
    correction = table.corrections[0]
    try:
        _validate(table, correction.changes, chips_are_known=True)
    except LawError:
        return (e.CorrectionLapsed(correction, now),)
    return _corrected(table, correction, now)


def _validate(table: Table, given: Sequence[StackChange], *, chips_are_known: bool) -> None:
    changes = changes_by_player(given)
    if not any(changes.values()):
        raise refusals.AdjustmentEmpty
    total = sum(changes.values())
    if total and len(changes) > 1:
        raise refusals.AdjustmentNotBalanced(total=total)
    stacks = {seat.player: seat.stack for seat in table.seats}
    for player, chips in changes.items():
        line = table.book_line(player)
        if line is None:
            raise refusals.NotInBook(player=player)
        has = stacks.get(player, line.taken)
        if chips_are_known and has + chips < 0:
            raise refusals.AdjustmentTooLarge(player=player)
        if total and line.bought + chips < 0:
            raise refusals.BoughtTooLittle(player=player, maximum=line.bought)


def _corrected(table: Table, correction: ChipsCorrection, now: int) -> tuple[e.TableEvent, ...]:
    """Return the correction, and what it means for a seat that has chips again, or none any more."""
    events: list[e.TableEvent] = [e.ChipsCorrected(correction, now)]
    for player, chips in changes_by_player(correction.changes).items():
        seat = table.seat_of(player)
        if seat is None or not chips:
            continue
        if not seat.stack + chips and not seat.out_since:
            events.append(e.PlayerBusted(seat.number, now + table.settings.rebuy_ms, now))
        elif not seat.stack and seat.status is SeatStatus.SITTING_OUT:
            status = SeatStatus.WAITING_FOR_BIG_BLIND if seat.owes_blinds else SeatStatus.PLAYING
            events.append(e.CameBack(seat.number, status, now))
    return tuple(events)


def apply_chips_corrected(table: Table, correction: ChipsCorrection) -> Table:
    """Return the table after a correction."""
    changes = changes_by_player(correction.changes)
    buys = sum(changes.values()) != 0
    seated = {seat.player for seat in table.seats}
    played = table.played_hands if buys else hands_after_adjustment(table.played_hands, correction.changes)
    return replace(
        table,
        seats=tuple([replace(seat, stack=seat.stack + changes.get(seat.player, 0)) for seat in table.seats]),
        book=tuple(
            [
                replace(
                    line,
                    taken=line.taken + (changes.get(line.player, 0) if line.player not in seated else 0),
                    bought=line.bought + (changes.get(line.player, 0) if buys else 0),
                )
                for line in table.book
            ]
        ),
        played_hands=played,
        corrections=without_correction(table, correction),
    )


def without_correction(table: Table, correction: ChipsCorrection) -> tuple[ChipsCorrection, ...]:
    """Return the corrections that still wait once this one has been made, or has lapsed."""
    waiting = list(table.corrections)
    if correction in waiting:
        waiting.remove(correction)
    return tuple(waiting)
