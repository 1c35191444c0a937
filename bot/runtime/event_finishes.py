"""Where everybody came in, for the sheet of an event. Laws: SG-9, SG-10."""

from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.state import SitAndGo, SitAndGoStatus
from bot.table.ended_game import FinishTold


def finishes_told(event: SitAndGo) -> tuple[FinishTold, ...]:
    """Return everybody's place and prize, the best first; nothing of an event that was cancelled."""
    if event.status is not SitAndGoStatus.OVER:
        return ()
    prizes, bounties = dict(event.prizes_paid), dict(event.bounties)
    return tuple(
        [
            FinishTold(
                one.rank,
                one.entrant.player,
                one.entrant.name,
                prizes.get(one.entrant.player, 0),
                bounties.get(one.entrant.player, 0),
                one.entrant.rebuys,
            )
            for one in finishes(event)
        ]
    )
