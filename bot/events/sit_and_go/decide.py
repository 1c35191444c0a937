"""Rule on the commands of a sit-and-go: events, or a refusal that leaves no trace.

Laws: SG-1 to SG-3, SG-9 to SG-13, SG-15, SG-16.
"""

from typing import assert_never

from msgspec.structs import replace

from bot.engine.errors import BrokenInvariant
from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go import events as e
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.clock import level_due, pause_ms_left
from bot.events.sit_and_go.duel import accept, agreement_kinds, chances, has_given_up, is_decided, why_cancelled
from bot.events.sit_and_go.evolve import evolve_all
from bot.events.sit_and_go.finishes import bounties_due, finishes, prize_table, prizes_by_rank
from bot.events.sit_and_go.prizes import PrizeTable, by_chips, by_icm, is_prize_table, shared_evenly
from bot.events.sit_and_go.state import (
    Agreement,
    AgreementKind,
    Duel,
    EndReason,
    Entrant,
    SitAndGo,
    SitAndGoStatus,
    StopReason,
)
from bot.events.sit_and_go.structures import structure_of

SitAndGoEvents = tuple[e.SitAndGoEvent, ...]
IDLE_LAPS = 2
"""Where nobody has acted of their own will for so many laps the event ends (SG-3)."""
REBUY_MS = 30_000
"""So long is somebody without chips asked whether they rebuy (SG-9)."""


def decide(event: SitAndGo | None, command: c.SitAndGoCommand, now: int) -> SitAndGoEvents:
    """Rule on a command at the time `now`. The sit-and-go itself never changes.

    Raises:
        LawError: the refusal, see `bot.events.sit_and_go.refusals`.
    """
    if isinstance(command, c.OpenSitAndGo):
        if event is not None:
            raise BrokenInvariant("a sit-and-go is opened once")
        return (e.SitAndGoOpened(command.settings, command.player, now),)
    assert event is not None, "the first command of a sit-and-go is OpenSitAndGo"
    if not event.is_open:
        raise refusals.EventIsOver(duel=event.is_duel)
    return _decide(event, command, now)


def _decide(event: SitAndGo, command: c.SitAndGoCommand, now: int) -> SitAndGoEvents:
    match command:
        case c.OpenSitAndGo():
            return ()
        case c.ChooseStructure():
            return _choose_structure(event, command, now)
        case c.Enter():
            return _enter(event, command, now)
        case c.WithdrawEntry(player):
            _require_not_started(event)
            if event.settings.duel is not None:  # nobody enters one who could withdraw
                raise refusals.NotChallenged(opponent=event.settings.duel.opponent.player)
            _require_in(event, player)
            return (e.EntryWithdrawn(player, now),)
        case c.StartSitAndGo():
            return _start(event, command, now)
        case c.BeginHand():
            level, ran = level_due(event, now)
            lapsed = (e.AgreementLapsed(0, now),) if event.agreement is not None else ()
            return (*lapsed, e.LevelRose(level, now, ran)) if level != event.level else lapsed
        case c.CountHand():
            return _count_hand(event, command, now)
        case c.AnswerRebuyOffer():
            return _answer_rebuy(event, command, now)
        case c.CloseRebuys():
            return _close_rebuys(event, now) if event.rebuy_question is not None else ()
        case c.VoidHandInEvent():
            return () if event.redeals else (e.HandVoid(now),)
        case c.LeaveByChoice():
            return _leave(event, command, now)
        case c.PlayOn(player):
            return (e.CameBackToPlay(player, now),) if _require_in(event, player).left else ()
        case c.PauseEvent(player, minutes):
            return _pause(event, player, minutes, now)
        case c.ResumeEvent(player):
            return _resume(event, player, now)
        case c.DealerReturned(down_since):
            return _after_return(event, down_since, now)
        case c.OfferAgreement():
            return _offer_agreement(event, command, now)
        case c.AnswerAgreement():
            return _answer_agreement(event, command, now)
        case c.CancelSitAndGo():
            return _cancel(event, command, now)
        case _:
            assert_never(command)


def _require_not_started(event: SitAndGo) -> None:
    if event.status is not SitAndGoStatus.REGISTERING:
        raise refusals.EventHasStarted(duel=event.is_duel)


def _require_started(event: SitAndGo) -> None:
    if event.status is SitAndGoStatus.REGISTERING:
        raise refusals.EventNotStarted(duel=event.is_duel)


def _require_in(event: SitAndGo, player: int) -> Entrant:
    found = event.entrant(player)
    if found is None or not found.is_in:
        raise refusals.NotEntered(duel=event.is_duel)
    return found


def _choose_structure(event: SitAndGo, command: c.ChooseStructure, now: int) -> SitAndGoEvents:
    """Those who enter have agreed to what they saw: nothing of it changes once somebody else has entered."""
    _require_not_started(event)
    if command.player != event.opened_by:
        raise refusals.EventHostOnly(host=event.opened_by, duel=event.is_duel)
    is_agreed = any(one.player != event.opened_by and not one.practice for one in event.entrants)
    if is_agreed or event.is_duel:
        raise refusals.StructureAgreed(duel=event.is_duel)
    structure = structure_of(command.speed, command.counted_in)
    late_until = command.late_until if 0 < command.late_until <= len(structure.levels) else 0
    is_own = command.prizes is PrizeTable.OWN
    if is_own and not is_prize_table(command.percents):
        raise refusals.NotAPrizeTable
    _require_bounty(event, command.bounty)
    settings = replace(
        event.settings,
        speed=command.speed,
        structure=structure,
        prizes=command.prizes,
        late_until=late_until,
        rebuys=command.rebuys and late_until > 0,
        bounty=command.bounty,
        percents=command.percents if is_own else (),
        ante_first=command.ante_first,
    )
    return (e.StructureChosen(settings, now),) if settings != event.settings else ()


def _require_bounty(event: SitAndGo, bounty: int) -> None:
    """Everybody has paid the same for theirs."""
    if not 0 <= bounty <= event.settings.buy_in:
        raise refusals.BountyTooLarge(maximum=event.settings.buy_in)
    if bounty != event.settings.bounty and event.entrants:
        raise refusals.BountyAgreed


def _enter(event: SitAndGo, command: c.Enter, now: int) -> SitAndGoEvents:
    if event.entrant(command.player) is not None:
        raise refusals.EnteredAlready(duel=event.is_duel)
    if command.practice or not event.takes_late_entries:
        _require_not_started(event)
    if len(event.players_in) >= event.settings.seats:
        raise refusals.EventIsFull(seats=event.settings.seats)
    if command.practice and not event.settings.is_free:
        raise refusals.NoPracticeInEvent
    if event.settings.duel is not None:
        return accept(event.settings.duel, command, now)
    seat_number = command.seat_number if event.is_running else 0
    return (e.PlayerEntered(command.player, command.name, now, command.practice, seat_number),)


def _leave(event: SitAndGo, command: c.LeaveByChoice, now: int) -> SitAndGoEvents:
    """Leave by choice (SG-13). A duel that is given up ends between deals."""
    _require_started(event)
    if _is_asked(event, command.player):  # leaving is an answer too
        return _rebuy_answered(event, e.RebuyDeclined(command.player, now), now)
    if _require_in(event, command.player).left:
        return ()
    events: SitAndGoEvents = (e.LeftByChoice(command.player, now),)
    after = evolve_all(event, events)
    if has_given_up(after) and command.stacks:
        return (*events, *_end(after, EndReason.GIVEN_UP, command.stacks, now))
    return events


def _start(event: SitAndGo, command: c.StartSitAndGo, now: int) -> SitAndGoEvents:
    """Draw the seats. The first button is drawn with the first hand, as at every table (SG-1, D-13)."""
    _require_not_started(event)
    if command.player not in (0, event.opened_by):
        raise refusals.EventHostOnly(host=event.opened_by, duel=event.is_duel)
    if len(event.entrants) < 2:
        raise refusals.TooFewEntrants(entrants=len(event.entrants))
    players = [one.player for one in event.entrants]
    return (e.SitAndGoStarted(tuple(zip(players, command.seat_numbers, strict=False)), now),)


def _count_hand(event: SitAndGo, command: c.CountHand, now: int) -> SitAndGoEvents:
    """Count a hand, give bounties, and ask those without chips whether they rebuy. Where nobody is asked, place who went out at once."""
    if event.settings.duel is not None:
        return _count_hand_of_duel(event, event.settings.duel, command, now)
    events: SitAndGoEvents = (e.HandCounted(now, command.own_will),)
    for player, winners in command.put_out:
        bounty = _require_in(event, player).bounty
        shares = shared_evenly(bounty, winners) if bounty and winners else {}
        if shares:
            won = tuple([(winner, chips) for winner, chips in shares.items() if chips])
            events += (e.BountyWon(player, won, now),)
    asked = tuple([player for player, _, chips in command.stacks if not chips and _can_rebuy(event, player)])
    if asked:
        until = max(now, command.shown_at) + REBUY_MS
        events += (e.RebuysAsked(asked, command.stacks, until, now),)
    else:
        events += _ranks(evolve_all(event, events), command.stacks, now)
    after = evolve_all(event, events)
    return (*events, *_break_due(after, now)) if after.is_running else events


def _ranks(event: SitAndGo, stacks: tuple[tuple[int, int, int], ...], now: int) -> SitAndGoEvents:
    """Place those who went out in the last hand, and end the event where one is left or everybody sleeps."""
    out = tuple([(player, before) for player, before, chips in stacks if not chips])
    events: SitAndGoEvents = (e.PlayersOut(out, now),) if out else ()
    after = evolve_all(event, events)
    left = tuple([(player, chips) for player, _, chips in stacks if chips])
    if len(after.players_in) < 2:
        return (*events, *_end(after, EndReason.WON, left, now))
    practice = {one.player for one in event.entrants if one.practice}
    if after.idle_hands >= IDLE_LAPS * len(left) or all(one.player in practice for one in after.players_in):
        return (*events, *_end(after, EndReason.ASLEEP, left, now))
    return events


def _is_asked(event: SitAndGo, player: int) -> bool:
    return event.rebuy_question is not None and player in event.rebuy_question.waiting


def _can_rebuy(event: SitAndGo, player: int) -> bool:
    """Tell whether somebody without chips is asked: practice players, and who has left by choice, are not."""
    entrant = event.entrant(player)
    return event.rebuys_are_open and entrant is not None and not (entrant.practice or entrant.left)


def _answer_rebuy(event: SitAndGo, command: c.AnswerRebuyOffer, now: int) -> SitAndGoEvents:
    question = event.rebuy_question
    is_late = question is None or now >= question.until or command.hand not in (0, event.hands)
    if is_late or not _is_asked(event, command.player):
        raise refusals.NoRebuyOffered
    if not command.rebuys:
        return _rebuy_answered(event, e.RebuyDeclined(command.player, now), now)
    bounty = event.settings.bounty if command.bounty else 0
    return _rebuy_answered(event, e.PlayerRebought(command.player, now, bounty), now)


def _rebuy_answered(event: SitAndGo, answer: e.SitAndGoEvent, now: int) -> SitAndGoEvents:
    """Take an answer down; after the last one the ranks of the hand are given."""
    after = evolve_all(event, (answer,))
    assert after.rebuy_question is not None, "nobody was asked"
    return (answer,) if after.rebuy_question.waiting else (answer, *_close_rebuys(after, now))


def _close_rebuys(event: SitAndGo, now: int) -> SitAndGoEvents:
    question = event.rebuy_question
    assert question is not None, "nobody is asked"
    closed = e.RebuysClosed(now)
    return (closed, *_ranks(evolve_all(event, (closed,)), question.stacks, now))


def _after_return(event: SitAndGo, down_since: int, now: int) -> SitAndGoEvents:
    """No clock has run while the dealer was down: neither that of levels (SG-15), nor that of an answer. Where nobody knows since when it
    was down, those who are asked have all their time again."""
    events: SitAndGoEvents = (e.LevelClockStarted(now, down_since),) if event.clock.running_since else ()
    if event.rebuy_question is not None:
        until = event.rebuy_question.until + max(0, now - down_since) if down_since else now + REBUY_MS
        events += (e.RebuyTimeMoved(until, now),)
    return events


def _count_hand_of_duel(event: SitAndGo, duel: Duel, command: c.CountHand, now: int) -> SitAndGoEvents:
    """Count a hand. Who has all chips has won the match; the next one begins at once, until one has won enough of them."""
    events: SitAndGoEvents = (e.HandCounted(now, command.own_will),)
    out = tuple([(player, before) for player, before, chips in command.stacks if not chips])
    left = tuple([(player, chips) for player, _, chips in command.stacks if chips])
    if out:
        events += (e.MatchWon(left[0][0], now),)
    after = evolve_all(event, events)
    if out and is_decided(after, duel):
        events += (e.PlayersOut(out, now),)
        return (*events, *_end(evolve_all(event, events), EndReason.WON, left, now))
    if has_given_up(after):
        return (*events, *_end(after, EndReason.GIVEN_UP, left, now))
    if out:
        return (*events, e.MatchBegan(now))
    if after.idle_hands >= IDLE_LAPS * len(left):
        return (*events, *_end(after, EndReason.ASLEEP, left, now))
    return (*events, *_break_due(after, now))


def _end(event: SitAndGo, reason: EndReason, left: tuple[tuple[int, int], ...], now: int) -> SitAndGoEvents:
    """End it: who is still in is ranked by stacks (SG-3, SG-9), and everybody gets their prize."""
    ended = evolve_all(event, (e.SitAndGoEnded(reason, left, (), now),))
    prizes, bounties = prizes_by_rank(ended, finishes(ended)), bounties_due(event)
    return (e.SitAndGoEnded(reason, left, tuple(prizes.items()), now, tuple(bounties.items())),)


def _break_due(event: SitAndGo, now: int) -> SitAndGoEvents:
    """A break comes by the structure, once a level is over, and begins after the running deal (SG-15)."""
    structure, level = event.settings.structure, event.level
    if not structure.break_every or level % structure.break_every or event.clock.last_break == level:
        return ()
    if level_due(event, now)[0] == level:
        return ()
    return (e.LevelClockStopped(StopReason.BREAK, now, now + 60_000 * structure.break_minutes),)


def _pause(event: SitAndGo, player: int, minutes: int, now: int) -> SitAndGoEvents:
    _require_started(event)
    if player != event.opened_by:
        raise refusals.EventHostOnly(host=event.opened_by, duel=event.is_duel)
    if event.clock.stopped_for is not None:
        return ()
    left = pause_ms_left(event)
    if not 0 < 60_000 * minutes <= left:
        raise refusals.PauseUsedUp(minutes_left=left // 60_000)
    return (e.LevelClockStopped(StopReason.PAUSE, now, now + 60_000 * minutes),)


def _resume(event: SitAndGo, player: int, now: int) -> SitAndGoEvents:
    if player not in (0, event.opened_by):
        raise refusals.EventHostOnly(host=event.opened_by, duel=event.is_duel)
    if event.clock.stopped_for is None:
        raise refusals.NotPaused
    return (e.LevelClockStarted(now),)


def _offer_agreement(event: SitAndGo, command: c.OfferAgreement, now: int) -> SitAndGoEvents:
    """Offer to divide what is left: everybody still in gets a share, also who has no vote (SG-12)."""
    _require_started(event)
    _require_vote(event, command.player)
    if not event.pool:
        raise refusals.NothingToDivide
    if command.kind not in agreement_kinds(event.settings):
        raise refusals.NoOpenOffer
    if event.agreement is not None:
        raise refusals.AgreementPending
    if event.rebuy_question is not None:
        raise refusals.RebuysPending
    if (command.player, event.level) in event.offers:
        raise refusals.OfferedInThisLevel
    left = prize_table(event)[: len(command.stacks)]
    shares = _divided(command, left)
    offer = Agreement(command.player, command.kind, tuple(shares.items()), command.stacks, (command.player,))
    return _agreed(event, (e.AgreementOffered(offer, now),), now)


def _divided(command: c.OfferAgreement, prizes: tuple[int, ...]) -> dict[int, int]:
    """Return what each of those still in would get of the prizes that are left."""
    stacks = dict(command.stacks)
    match command.kind:
        case AgreementKind.EQUAL:
            return shared_evenly(sum(prizes), tuple(stacks))
        case AgreementKind.CHIPS:
            return by_chips(prizes, stacks)
        case AgreementKind.ICM:
            return by_icm(prizes, stacks)
        case AgreementKind.AMOUNTS:
            offered = dict(command.amounts)
            amounts = [offered.get(player, -1) for player in stacks]
            if len(command.amounts) != len(stacks) or min(amounts) < 0 or sum(amounts) != sum(prizes):
                raise refusals.AmountsDoNotSum(offered=sum(offered.values()), left=sum(prizes))
            return dict(zip(stacks, amounts, strict=True))


def _answer_agreement(event: SitAndGo, command: c.AnswerAgreement, now: int) -> SitAndGoEvents:
    _require_vote(event, command.player)
    if event.agreement is None or command.offer not in (0, len(event.offers)):
        raise refusals.NoOpenOffer
    if not command.agrees:
        return (e.AgreementLapsed(command.player, now),)
    if command.player in event.agreement.consents:
        return ()
    return _agreed(event, (e.AgreementConsented(command.player, now),), now)


def _agreed(event: SitAndGo, events: SitAndGoEvents, now: int) -> SitAndGoEvents:
    """End the event once everybody with a vote has agreed; ranks go by stacks (SG-12)."""
    after = evolve_all(event, events)
    offer = after.agreement
    if offer is None or not set(after.voters) <= set(offer.consents):
        return events
    won = prizes_by_rank(after, finishes(after))
    prizes = {player: chips for player, chips in (won | dict(offer.shares)).items() if chips}
    bounties = tuple(bounties_due(after).items())
    return (*events, e.SitAndGoEnded(EndReason.AGREED, offer.stacks, tuple(prizes.items()), now, bounties))


def _require_vote(event: SitAndGo, player: int) -> None:
    if player not in event.voters:
        raise refusals.NoVoteInAgreement


def _cancel(event: SitAndGo, command: c.CancelSitAndGo, now: int) -> SitAndGoEvents:
    """Before the first deal every buy-in comes back. Later only staff cancel, or a fault that cannot go on: those out keep what they won,
    the rest is shared by ICM among those still in (SG-13)."""
    started = event.is_running
    duel = event.settings.duel
    is_host = command.player == event.opened_by and not started
    if duel is not None and not started:
        is_host = duel.names(command.player)
        if command.player and not (is_host or command.staff):
            raise refusals.NotChallenged(opponent=duel.opponent.player)
    if command.player and not (is_host or command.staff):
        raise refusals.EventHostOnly(host=event.opened_by, staff_only=started, duel=event.is_duel)
    reason = EndReason.EMPTY if command.nobody_came and not started else EndReason.CANCELLED
    if duel is not None and not started:
        reason = why_cancelled(duel, command)
    first = _out_without_rebuy(event, now)
    event = evolve_all(event, first)
    if not started or not event.hands:
        buy_in = event.settings.buy_in
        refunds = {one.player: buy_in for one in event.entrants if buy_in and not one.practice}
    else:
        still_in = {one.player for one in event.players_in}
        refunds = shares_of_cancelled(event, tuple([one for one in command.stacks if one[0] in still_in]))
    bounties = tuple(bounties_due(event).items())
    return (*first, e.SitAndGoCancelled(reason, command.player, tuple(refunds.items()), now, bounties))


def _out_without_rebuy(event: SitAndGo, now: int) -> SitAndGoEvents:
    """Who has no chips and has not rebought is out, where it is cancelled before they answer (SG-13)."""
    question = event.rebuy_question
    if question is None:
        return ()
    out = tuple([(player, before) for player, before, chips in question.stacks if not chips])
    return (e.RebuysClosed(now), e.PlayersOut(out, now)) if out else (e.RebuysClosed(now),)


def shares_of_cancelled(event: SitAndGo, stacks: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """Return what everybody gets of a sit-and-go that is cancelled in its middle, by the stacks of those still in (SG-13)."""
    table = prize_table(event)
    won = prizes_by_rank(event, finishes(event))
    if event.settings.duel is not None and len(stacks) > 1:
        stacks = chances(event, event.settings.duel, stacks)
    shares = by_icm(table[: len(stacks)], dict(stacks)) if table else {}
    return {player: chips for player, chips in (won | shares).items() if chips}
