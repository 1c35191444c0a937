"""Where everybody came in, for the sheet of an event. Laws: SG-9, SG-10."""

from bot.events.sit_and_go.duel import winner_of
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.state import EndReason, SitAndGo, SitAndGoStatus
from bot.table.ended_game import DuelEnd, DuelTold, FinishTold


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
                one.entrant.wins,
                bounties.get(one.entrant.player, 0),
                one.entrant.rebuys,
            )
            for one in finishes(event)
        ]
    )


def shares_told(event: SitAndGo) -> tuple[FinishTold, ...]:
    """Return what everybody got of an event that was cancelled in its middle, in the order in which they entered (SG-13)."""
    if event.status is not SitAndGoStatus.CANCELLED or not event.hands:
        return ()
    prizes, bounties = dict(event.prizes_paid), dict(event.bounties)
    told = [
        FinishTold(0, one.player, one.name, prizes.get(one.player, 0), bounties=bounties.get(one.player, 0))
        for one in event.entrants
    ]
    return tuple([one for one in told if one.prize or one.bounties])


_DUEL_ENDS = {
    EndReason.WON: DuelEnd.WON,
    EndReason.GIVEN_UP: DuelEnd.GIVEN_UP,
    EndReason.ASLEEP: DuelEnd.NO_WINNER,
    EndReason.AGREED: DuelEnd.NO_WINNER,
    EndReason.DECLINED: DuelEnd.DECLINED,
    EndReason.TAKEN_BACK: DuelEnd.TAKEN_BACK,
    EndReason.EMPTY: DuelEnd.LAPSED,
    EndReason.CANCELLED: DuelEnd.CANCELLED,
}


def duel_told(event: SitAndGo, *, named: bool) -> DuelTold | None:
    """Return what there is to tell of a duel that is over; None for another event.

    Args:
        named: the two are named here, because they have played no hand and so stand nowhere else in the sheet.
    """
    duel, reason = event.settings.duel, event.end_reason
    if duel is None or reason is None:
        return None
    end = _DUEL_ENDS[reason]
    if end is DuelEnd.GIVEN_UP and winner_of(event) is None:  # both have
        end = DuelEnd.NO_WINNER
    is_named = named and event.status is SitAndGoStatus.CANCELLED
    names = (duel.challenger.name, duel.opponent.name) if is_named else ("", "")
    return DuelTold(end, duel.best_of, not event.settings.is_free, *names)
