"""Who won chips from whom: what the losers of a hand lost is divided among its winners, each by what they won."""

from collections.abc import Mapping
from typing import TypeAlias

from bot.table import events as te
from bot.table.state import Table

Flow: TypeAlias = tuple[int, int, int]
"""Winner, loser, and the chips that went from one to the other."""


def flows_of_event(table: Table, event: te.TableEvent) -> tuple[Flow, ...]:
    """Return the flows of a hand that counted, or of a correction of stacks; none of anything else. `table` is the state before it."""
    match event:
        case te.HandFinished(stacks=stacks):
            before = {seat.number: seat for seat in table.seats}
            return net_flows({before[number].player: chips - before[number].stack for number, chips in stacks})
        case te.StacksAdjusted(stack_changes=changes):
            results: dict[int, int] = {}
            for change in changes:
                results[change.player] = results.get(change.player, 0) + change.chips
            return net_flows(results)
        case _:
            return ()


def net_flows(results: Mapping[int, int]) -> tuple[Flow, ...]:
    """Divide what some lost among those who won. `results` are net chips by user.

    >>> net_flows({1: 300, 2: 100, 3: -400})
    ((1, 3, 300), (2, 3, 100))
    >>> net_flows({1: -50, 2: 0})
    ()
    """
    winners = {user: chips for user, chips in results.items() if chips > 0}
    won = sum(winners.values())
    flows = [
        (winner, loser, -lost * chips // won)
        for loser, lost in results.items()
        if lost < 0
        for winner, chips in winners.items()
    ]
    return tuple([flow for flow in flows if flow[2]])
