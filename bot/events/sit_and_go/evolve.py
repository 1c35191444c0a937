"""Apply what has happened in a sit-and-go. This never refuses and never decides anything."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from bot.events.sit_and_go import events as e
from bot.events.sit_and_go.clock import ran_ms
from bot.events.sit_and_go.state import (
    Entrant,
    LevelClock,
    RebuyQuestion,
    SitAndGo,
    SitAndGoStatus,
    StopReason,
)


def evolve(event_state: SitAndGo | None, event: e.SitAndGoEvent) -> SitAndGo:
    """Return the sit-and-go after an event. Only `SitAndGoOpened` applies while there is none yet."""
    if isinstance(event, e.SitAndGoOpened):
        return SitAndGo(settings=event.settings, opened_by=event.opened_by, opened_at=event.at)
    assert event_state is not None, "the first event of a sit-and-go is SitAndGoOpened"
    return _apply(event_state, event)


def evolve_all(event_state: SitAndGo | None, events: Iterable[e.SitAndGoEvent]) -> SitAndGo:
    """Apply several events in turn. There must be a sit-and-go or at least one event."""
    for event in events:
        event_state = evolve(event_state, event)
    assert event_state is not None, "no sit-and-go and no event"
    return event_state


def _apply(now: SitAndGo, event: e.SitAndGoEvent) -> SitAndGo:
    match event:
        case e.SitAndGoOpened():
            return now
        case e.StructureChosen(settings):
            return replace(now, settings=settings)
        case e.PlayerEntered(player, name, at, practice, seat_number):
            bounty = 0 if practice else now.settings.bounty
            entered = Entrant(player, name, at, practice, seat_number, bounty=bounty, bounties_paid=bounty)
            return replace(now, entrants=(*now.entrants, entered), idle_hands=0)
        case e.EntryWithdrawn(player):
            return replace(now, entrants=tuple([one for one in now.entrants if one.player != player]))
        case e.SitAndGoStarted(seats, at):
            numbers = dict(seats)
            entrants = tuple([replace(one, seat_number=numbers.get(one.player, 0)) for one in now.entrants])
            clock = LevelClock(running_since=at)
            running = SitAndGoStatus.RUNNING
            return replace(now, status=running, entrants=entrants, started_at=at, level=1, clock=clock)
        case e.LevelRose(level, at, ran):
            clock = replace(now.clock, ran_ms=ran, running_since=at if now.clock.running_since else 0)
            return replace(now, level=level, hands_in_level=0, clock=clock)
        case e.HandCounted(_, own_will):
            return replace(
                now,
                hands=now.hands + 1,
                hands_in_level=now.hands_in_level + 1,
                idle_hands=0 if own_will else now.idle_hands + 1,
                redeals=False,
                bounties_of_hand=(),
            )
        case e.HandVoid():
            return replace(now, redeals=True)
        case e.PlayersOut(stacks):
            order = {player: (at, stack) for at, (player, stack) in enumerate(stacks)}
            return replace(now, entrants=tuple([_out(now, one, order.get(one.player)) for one in now.entrants]))
        case e.BountyWon(player, winners):
            return _with_bounty_won(now, player, winners)
        case e.RebuysAsked(waiting, stacks, until):
            return replace(now, rebuy_question=RebuyQuestion(until, waiting, stacks))
        case e.PlayerRebought(player, _, bounty):
            return _with_rebuy(now, player, bounty)
        case e.RebuyDeclined(player):
            return replace(now, rebuy_question=_answered(now, player, 0))
        case e.RebuyTimeMoved(until):
            assert now.rebuy_question is not None, "nobody is asked"
            return replace(now, rebuy_question=replace(now.rebuy_question, until=until))
        case e.RebuysClosed():
            return replace(now, rebuy_question=None)
        case e.MatchWon(player):
            return replace(
                now, entrants=tuple([replace(one, wins=one.wins + (one.player == player)) for one in now.entrants])
            )
        case e.MatchBegan(at):
            running_since = at if now.clock.running_since else 0
            clock = replace(now.clock, ran_ms=0, running_since=running_since, last_break=0)
            offers = tuple([(player, 0) for player, _ in now.offers])  # they stay counted: old buttons name their offer
            return replace(now, level=1, hands_in_level=0, clock=clock, offers=offers)
        case e.LeftByChoice(player):
            return _with_left(now, player, left=True)
        case e.CameBackToPlay(player):
            return _with_left(now, player, left=False)
        case e.LevelClockStopped(reason, at, until):
            return replace(now, clock=_stopped(now, reason, at, until))
        case e.LevelClockStarted(at, stood_since):
            return replace(now, clock=_started(now.clock, at, stood_since))
        case e.AgreementOffered(agreement):
            return replace(now, agreement=agreement, offers=(*now.offers, (agreement.player, now.level)))
        case e.AgreementConsented(player):
            assert now.agreement is not None, "nothing is offered"
            return replace(now, agreement=replace(now.agreement, consents=(*now.agreement.consents, player)))
        case e.AgreementLapsed():
            return replace(now, agreement=None)
        case e.SitAndGoEnded(reason, stacks, prizes, at, bounties):
            order = {player: (number, stack) for number, (player, stack) in enumerate(stacks)}
            return replace(
                now,
                status=SitAndGoStatus.OVER,
                entrants=tuple([_at_the_end(one, order.get(one.player)) for one in now.entrants]),
                ended_at=at,
                end_reason=reason,
                prizes_paid=prizes,
                bounties=bounties,
            )
        case e.SitAndGoCancelled(reason, _, refunds, at, bounties):
            cancelled = SitAndGoStatus.CANCELLED
            return replace(
                now, status=cancelled, ended_at=at, end_reason=reason, prizes_paid=refunds, bounties=bounties
            )
        case _:
            assert_never(event)


def _out(now: SitAndGo, one: Entrant, found: tuple[int, int] | None) -> Entrant:
    return replace(one, out_in=now.hands, stack=found[1], order=found[0]) if found is not None else one


def _at_the_end(one: Entrant, found: tuple[int, int] | None) -> Entrant:
    return replace(one, stack=found[1], order=found[0]) if found is not None else one


def _with_bounty_won(now: SitAndGo, out: int, winners: tuple[tuple[int, int], ...]) -> SitAndGo:
    """The bounty on a player is gone, and is its winners' (SG-10)."""
    shares = dict(winners)
    return replace(
        now,
        bounties_of_hand=(*now.bounties_of_hand, (out, winners)),
        entrants=tuple(
            [
                replace(
                    one,
                    bounty=0 if one.player == out else one.bounty,
                    bounties_won=one.bounties_won + shares.get(one.player, 0),
                )
                for one in now.entrants
            ]
        ),
    )


def _with_rebuy(now: SitAndGo, player: int, bounty: int) -> SitAndGo:
    """Somebody has rebought, which is something of their own will (SG-3)."""
    entrants = [
        replace(one, rebuys=one.rebuys + 1, bounty=one.bounty + bounty, bounties_paid=one.bounties_paid + bounty)
        if one.player == player
        else one
        for one in now.entrants
    ]
    stack = now.settings.structure.starting_stack
    return replace(now, entrants=tuple(entrants), idle_hands=0, rebuy_question=_answered(now, player, stack))


def _answered(now: SitAndGo, player: int, stack: int) -> RebuyQuestion:
    """The question without one who has answered, who has this stack now."""
    question = now.rebuy_question
    assert question is not None, "nobody is asked"
    waiting = tuple([one for one in question.waiting if one != player])
    stacks = tuple([(one, before, stack if one == player else after) for one, before, after in question.stacks])
    return replace(question, waiting=waiting, stacks=stacks)


def _with_left(now: SitAndGo, player: int, *, left: bool) -> SitAndGo:
    return replace(
        now, entrants=tuple([replace(one, left=left) if one.player == player else one for one in now.entrants])
    )


def _stopped(now: SitAndGo, reason: StopReason, at: int, until: int) -> LevelClock:
    return replace(
        now.clock,
        ran_ms=ran_ms(now.clock, at),
        running_since=0,
        stopped_for=reason,
        stopped_at=at,
        resumes_at=until,
        last_break=now.level if reason is StopReason.BREAK else now.clock.last_break,
    )


def _started(clock: LevelClock, at: int, stood_since: int) -> LevelClock:
    """The clock runs again. What it seems to have run while the dealer was down does not count."""
    ran = ran_ms(clock, stood_since) if stood_since and clock.running_since else clock.ran_ms
    paused = clock.paused_ms + (at - clock.stopped_at if clock.stopped_for is StopReason.PAUSE else 0)
    return replace(clock, ran_ms=ran, running_since=at, stopped_for=None, stopped_at=0, resumes_at=0, paused_ms=paused)
