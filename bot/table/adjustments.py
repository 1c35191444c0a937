"""Equitable adjustments: chips that players move between their stacks, all agreeing, because a hand went wrong (H-3).

They divide the pots of one hand again among its players: nobody gets more than all of them put in there, and nobody gives more than they
took out. Otherwise an adjustment would be a way to give chips away without a hand, or to lose the same pot twice.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bot.engine.errors import LawError
from bot.engine.units import SeatNumber
from bot.table import refusals
from bot.table.state import PlayedHand, RunningHand, StackChange, Table

_HANDS_MAX = 10
"""The most hands that are remembered. A hand replaces those whose players all played it, so at most tables it is one or two."""


def validate_stack_adjustment(table: Table, stack_changes: tuple[StackChange, ...]) -> None:
    """Check an adjustment: it moves chips between seats, creates none, takes from nobody more than they have, and puts one hand right.

    Raises:
        NotSeated, AdjustmentEmpty, AdjustmentNotBalanced, AdjustmentTooLarge, AdjustmentNotOfOneHand, AdjustmentGainsTooMuch,
        AdjustmentGivesTooMuch.
    """
    if not stack_changes:
        raise refusals.AdjustmentEmpty
    total = sum(change.chips for change in stack_changes)
    if total:
        raise refusals.AdjustmentNotBalanced(total=total)
    stacks = {seat.player: seat.stack for seat in table.seats}
    changes = changes_by_player(stack_changes)
    for player, chips in changes.items():
        if player not in stacks:
            raise refusals.NotSeated
        if stacks[player] + chips < 0:
            raise refusals.AdjustmentTooLarge(player=player)
    played = _hand_of(table.played_hands, changes)
    if played is None:
        raise refusals.AdjustmentNotOfOneHand
    shares = dict(zip(played.players, played.shares, strict=True))
    for player, chips in changes.items():
        maximum = max(0, sum(played.put_in) - shares[player])
        if chips > maximum:
            raise refusals.AdjustmentGainsTooMuch(player=player, maximum=maximum)
    for player, chips in changes.items():
        if -chips > max(0, shares[player]):
            raise refusals.AdjustmentGivesTooMuch(player=player, maximum=max(0, shares[player]))


def adjustment_is_possible(table: Table, stack_changes: tuple[StackChange, ...]) -> bool:
    """Tell whether an adjustment that was proposed can still be made."""
    try:
        validate_stack_adjustment(table, stack_changes)
    except LawError:
        return False
    return True


def hands_remembered(
    hands: tuple[PlayedHand, ...],
    running: RunningHand,
    put_in: Mapping[SeatNumber, int],
    results: Mapping[SeatNumber, int],
) -> tuple[PlayedHand, ...]:
    """Return the hands to remember after one that counted: it takes the place of those whose players have all played it.

    Args:
        put_in: the chips that each seat put into its pots.
        results: by how much the stack of each seat has grown.
    """
    players = set(running.players)
    kept = [hand for hand in hands if not players.issuperset(hand.players)]
    chips = tuple([put_in.get(number, 0) for number in running.dealt_seats])
    taken_out = tuple([put_in.get(number, 0) + results.get(number, 0) for number in running.dealt_seats])
    return (*kept, PlayedHand(running.players, chips, (0,) * len(chips), taken_out))[-_HANDS_MAX:]


def hands_after_adjustment(
    hands: tuple[PlayedHand, ...], stack_changes: tuple[StackChange, ...]
) -> tuple[PlayedHand, ...]:
    """Return the hands with what an adjustment gave to the players of the one that it puts right."""
    changes = changes_by_player(stack_changes)
    played = _hand_of(hands, changes)
    if played is None:
        return hands
    gained = [before + changes.get(player, 0) for player, before in zip(played.players, played.gained, strict=True)]
    return tuple([replace(hand, gained=tuple(gained)) if hand is played else hand for hand in hands])


def _hand_of(hands: Sequence[PlayedHand], changes: Mapping[int, int]) -> PlayedHand | None:
    """Return the last hand that all these players were dealt into."""
    return next((hand for hand in reversed(hands) if changes.keys() <= set(hand.players)), None)


def changes_by_player(stack_changes: Sequence[StackChange]) -> dict[int, int]:
    """Return what each player gains, or loses below zero, in the order in which they are named first."""
    changes: dict[int, int] = {}
    for change in stack_changes:
        changes[change.player] = changes.get(change.player, 0) + change.chips
    return changes
