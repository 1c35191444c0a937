"""Who came in where, and what each rank gets. Laws: SG-9, SG-10."""

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from bot.events.sit_and_go.prizes import percents_of, prizes_of, shared_evenly
from bot.events.sit_and_go.state import Entrant, SitAndGo

STILL_IN = 1 << 40
"""Who is in at the end is ranked as if they went out after all others, by what they have."""


class Finish(Struct, frozen=True, gc=False):
    """Where somebody came in. `last_rank` is the last one that those share who have it; equal to `rank` for one alone."""

    rank: int
    last_rank: int
    entrant: Entrant


def finishes(event: SitAndGo) -> tuple[Finish, ...]:
    """Return where those came in who are out, the best first; at the end, where all did.

    Players who go out in one deal are ranked by their stacks at its start; equal stacks share their ranks (SG-9). In a duel who has left by
    choice comes last, and matches won go before stacks.
    """
    is_duel = event.settings.duel is not None

    def worth(one: Entrant) -> tuple[int, bool, int, int]:
        return -(one.out_in or STILL_IN), is_duel and one.left, -one.wins, -one.stack

    those = [one for one in event.entrants if not (event.is_open and one.is_in)]
    rank = len(event.players_in) + 1 if event.is_open else 1
    found: list[Finish] = []
    for _, group in groupby(sorted(those, key=worth), key=worth):
        tied = sorted(group, key=lambda one: one.order)
        found += [Finish(rank, rank + len(tied) - 1, one) for one in tied]
        rank += len(tied)
    return tuple(found)


def prize_table(event: SitAndGo) -> tuple[int, ...]:
    """Return the prizes of the ranks as things stand, the first first; () where nothing is played for."""
    if not event.pool:
        return ()
    settings = event.settings
    return prizes_of(event.pool, percents_of(settings.prizes, len(event.entrants), settings.percents))


def prizes_by_rank(event: SitAndGo, done: Iterable[Finish]) -> dict[int, int]:
    """Return what each player gets by where they came in, nothing left out; shared ranks share their prizes evenly (SG-9)."""
    table = prize_table(event)
    found: dict[int, int] = {}
    for (rank, last), group in groupby(done, key=lambda one: (one.rank, one.last_rank)):
        chips = sum(table[rank - 1 : last])
        players = [one.entrant.player for one in group]
        if chips:
            found |= {player: share for player, share in shared_evenly(chips, players).items() if share}
    return found


def bounties_due(event: SitAndGo) -> dict[int, int]:
    """Return what each player gets for bounties when it is over: those they have won, and their own if nobody has (SG-10)."""
    due = {one.player: one.bounties_won + one.bounty for one in event.entrants}
    return {player: chips for player, chips in due.items() if chips}
