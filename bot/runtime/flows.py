"""Who won chips from whom by what happened at a table: hands, agreed corrections of stacks, carried pots.

Law: BO-1.
"""

from bot.ledger.pot_flows import Flow, flows_of_changes, flows_of_pot
from bot.table import events as te
from bot.table.adjustments import changes_by_player
from bot.table.book import book_after_hand, carried_pot_shares
from bot.table.state import BookLine, Table


def flows_of_event(table: Table, event: te.TableEvent) -> tuple[Flow, ...]:
    """Return the flows of an event of the table; none where no chips go from one player to another. `table` is the state before it.

    What lies in a carried pot counts to who put it in until it is paid (TC-6).
    """
    match event:
        case te.HandFinished():
            return _flows_of_hand(table, event)
        case te.StacksAdjusted(stack_changes=changes):
            return flows_of_changes(changes_by_player(changes))
        case te.ChipsCorrected(correction):
            return flows_of_changes(changes_by_player(correction.changes))
        case te.TableClosed():
            return flows_of_pot(_carried(table.book), carried_pot_shares(table))
        case _:
            return ()


def _flows_of_hand(table: Table, event: te.HandFinished) -> tuple[Flow, ...]:
    seats = {seat.number: seat for seat in table.seats}
    stacks = {seats[number].player: chips - seats[number].stack for number, chips in event.stacks}
    put_in = {seats[number].player: chips for number, chips in event.put_in}
    before, after = _carried(table.book), _carried(book_after_hand(table, event))
    won = {player: change + put_in.get(player, 0) for player, change in stacks.items()}
    paid_from = {
        player: put_in.get(player, 0) + before.get(player, 0) - after.get(player, 0)
        for player in {**put_in, **before}
    }  # fmt: skip
    return flows_of_pot(paid_from, won)


def _carried(book: tuple[BookLine, ...]) -> dict[int, int]:
    """Return what everybody has in a pot that is carried on."""
    return {line.player: line.in_pot for line in book if line.in_pot}
