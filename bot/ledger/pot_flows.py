"""Who is paid by whom: of a pot each winner is paid by each other player in proportion to what that player put in.

Every way in which chips pass between people is told by these flows: pots, agreed corrections of stacks, a carried pot that is shared when
its table closes. The cap of the leaderboards, the chips that are held and the report for staff read nothing else.

Laws: BO-1, H-3.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TypeAlias

Flow: TypeAlias = tuple[int, int, int]
"""Winner, loser, and the chips that went from one to the other on balance."""


def flows_of_pot(put_in: Mapping[int, int], won: Mapping[int, int]) -> tuple[Flow, ...]:
    """Return what went between each two players by the pots of a hand, by what each put in and what each was paid.

    The pots are told from what was put in: the main pot goes up to the smallest amount that somebody put in, and so on. Whoever put in
    less than others is paid from the lower pots first; players who put in as much share what they are paid from in proportion. Every chip
    has its way: what a player wins from all others, less what they lose to them, is what they were paid less what they put in.

    >>> flows_of_pot({1: 300, 2: 300, 3: 100}, {1: 700})
    ((1, 2, 300), (1, 3, 100))

    Player 3 is all-in for 100 and wins the main pot; the others play on for a side pot.

    >>> flows_of_pot({1: 1_100, 2: 1_100, 3: 100}, {3: 300, 1: 2_000})
    ((1, 2, 1000), (3, 1, 100), (3, 2, 100))
    """
    pots = _pots(put_in)
    paid: dict[tuple[int, int], int] = {}
    winners = sorted((put_in.get(user, 0), user) for user, chips in won.items() if chips > 0)
    for _, group in groupby(winners, key=lambda winner: winner[0]):
        owed = {user: won[user] for _, user in group}
        for pot in pots:
            due = min(sum(owed.values()), sum(pot.values()))
            if due:
                _pay(pot, owed, due, paid)
    found = [(winner, loser, chips - paid.get((loser, winner), 0)) for (winner, loser), chips in paid.items()]
    return tuple(sorted([flow for flow in found if flow[2] > 0]))


def flows_of_changes(changes: Mapping[int, int]) -> tuple[Flow, ...]:
    """Return what went between each two players where some gave chips and others got them: each giver gives to each in proportion.

    >>> flows_of_changes({1: 300, 2: 100, 3: -400})
    ((1, 3, 300), (2, 3, 100))
    >>> flows_of_changes({1: -50, 2: 0})
    ()
    """
    given = {user: -chips for user, chips in changes.items() if chips < 0}
    return flows_of_pot(given, {user: chips for user, chips in changes.items() if chips > 0})


def _pots(put_in: Mapping[int, int]) -> list[dict[int, int]]:
    """Return what each player put into the main pot and into each side pot."""
    pots, below = list[dict[int, int]](), 0
    for level in sorted({chips for chips in put_in.values() if chips > 0}):
        pots.append({user: level - below for user, chips in put_in.items() if chips >= level})
        below = level
    return pots


def _pay(pot: dict[int, int], owed: dict[int, int], due: int, paid: dict[tuple[int, int], int]) -> None:
    """Pay chips of a pot to those who are owed some, in proportion, and note whose they were."""
    total, left = sum(owed.values()), due
    for winner in tuple(owed):
        chips = -(-left * owed[winner] // total) if total else 0
        total, left = total - owed[winner], left - chips
        owed[winner] -= chips
        for user, share in _divided(chips, pot.items()):
            pot[user] -= share
            if user != winner and share:
                paid[winner, user] = paid.get((winner, user), 0) + share


def _divided(chips: int, by: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Divide chips in proportion, so that nobody gives more than they have, and the shares sum to the chips."""
    held = tuple(by)
    have = sum(each for _, each in held)
    shares: list[tuple[int, int]] = []
    for user, each in held:
        share = -(-chips * each // have) if have else 0
        shares.append((user, share))
        chips, have = chips - share, have - each
    return shares
