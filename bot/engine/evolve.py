"""Apply what has happened. Never refuses, never decides; the only code that changes a hand, and only a copy of it.

A copy shares its lists with the hand it was made from, so a list is never changed: it is replaced.

Source: design §2.
"""

from collections.abc import Callable, Iterable
from typing import Any

from bot.engine import events as e
from bot.engine.betting import is_full
from bot.engine.card import WildBoard
from bot.engine.choosing_effect import settle_choices
from bot.engine.hand import Hand, new_hand, next_in, seats_in
from bot.engine.legal import Decision, Duty
from bot.engine.options import Checking, Limit
from bot.engine.rules import rules_for
from bot.engine.steps import BetStep, Burn, Showdown

# Members of enums found once: to look one up costs as much as a call.
_BET, _NONE, _FREE = Decision.BET, Decision.NONE, Duty.FREE
_STAND_ONCE, _DOUBLING_FLAT = Checking.STAND_ONCE, Limit.DOUBLING_FLAT
_ANTE, _DEAD = e.PostKind.ANTE, e.PostKind.DEAD


def begin(started: e.HandStarted, deck: tuple[int, ...]) -> Hand:
    """The hand right after its first event. `deck` is the whole pack in its order, shuffled and cut."""
    return new_hand(started, rules_for(started.card, started.options, started.stakes), deck)


def evolve(hand: Hand, event: e.Event) -> Hand:
    """Apply one event to a copy of the hand."""
    after = hand.copy()
    APPLY[type(event)](after, event)
    return after


def evolve_all(hand: Hand, happened: Iterable[e.Event]) -> Hand:
    """Apply events, oldest first, to one copy of the hand."""
    after = hand.copy()
    for event in happened:
        APPLY[type(event)](after, event)
    return after


def replay(happened: Iterable[e.Event], deck: tuple[int, ...]) -> Hand:
    """Play stored events again, from the first one on."""
    rest = iter(happened)
    started = next(rest)
    assert isinstance(started, e.HandStarted)
    return evolve_all(begin(started, deck), rest)


def _changed(chips: list[int], seat: int, by: int) -> list[int]:
    """So many chips more, or fewer, at one seat. The list given is shared with the hands before and stays as it is."""
    chips = chips.copy()
    chips[seat] += by
    return chips


def _pay_in(hand: Hand, seat: int, chips: int) -> None:
    stacks, bets, put_in = hand.stacks.copy(), hand.bets.copy(), hand.put_in.copy()
    stacks[seat] -= chips
    bets[seat] += chips
    put_in[seat] += chips
    hand.stacks, hand.bets, hand.put_in = stacks, bets, put_in
    hand.pot += chips
    if not stacks[seat] and hand.rules.all_in:
        # At a strict table nobody is all-in: who has nothing left drops when he must call (VB-13).
        hand.able &= ~(1 << seat)


def _posted(hand: Hand, event: e.Posted) -> None:
    seat, chips = event.seat, event.chips
    kind = event.kind
    if kind is _ANTE or kind is _DEAD:
        hand.stacks = _changed(hand.stacks, seat, -chips)
        hand.pot += chips
        if not hand.stacks[seat]:
            hand.able &= ~(1 << seat)
        if kind is _ANTE:
            hand.put_in = _changed(hand.put_in, seat, chips)
        else:
            hand.dead += chips
    else:
        _pay_in(hand, seat, chips)
        if not hand.stacks[seat]:
            hand.able &= ~(1 << seat)
        hand.level = max(hand.level, event.owed)
        hand.full_level = hand.level
    hand.actions += (event,)


def _all_posted(hand: Hand, event: e.AllPosted) -> None:
    hand.shortfall = event.shortfall
    hand.step += 1


def _dealt_down(hand: Hand, event: e.DealtDown) -> None:
    hand.down = _deal(hand, hand.down, event.count, event.place, event.first)
    hand.step += 1


def _dealt_up(hand: Hand, event: e.DealtUp) -> None:
    hand.up = _deal(hand, hand.up, event.count, event.place, event.first)
    if hand.rules.card.follow is not None:
        for place in range(event.place, hand.place):
            _follow(hand, place)
    hand.step += 1


def _dealt_up_to(hand: Hand, event: e.DealtUpTo) -> None:
    seat, place = event.seat, event.place
    hand.up = _replaced(hand.up, seat, (*hand.up[seat], place))
    hand.place = place + 1
    hand.unserved &= ~(1 << seat)
    if hand.rules.card.follow is not None:
        _follow(hand, place)


def _follow(hand: Hand, place: int) -> None:
    """The follow rank was dealt up: the next card up makes its rank wild in place of the one before; as the last one up it leaves only
    itself wild (VC-23)."""
    rank, card = hand.deck[place] >> 2, hand.rules.card
    if rank in (card.follow, card.clears):
        hand.follows, hand.wild_now = rank == card.follow, ()
    elif hand.follows:
        hand.follows, hand.wild_now = False, (rank,)


def _deal(
    hand: Hand, held: tuple[tuple[int, ...], ...], count: int, place: int, first: int
) -> tuple[tuple[int, ...], ...]:
    order = seats_in(hand.live)
    if first:
        order = tuple([seat for seat in order if seat >= first] + [seat for seat in order if seat < first])
    each = len(order)
    hand.place = end = place + count * each
    after = list(held)
    if count == 1:
        for seat in order:
            after[seat] += (place,)
            place += 1
    else:
        for seat in order:
            after[seat] += tuple(range(place, end, each))
            place += 1
    return tuple(after)


def _burned(hand: Hand, event: e.Burned) -> None:
    hand.place = event.place + 1
    hand.burns = (*hand.burns, event.place)
    if type(hand.rules.steps[hand.step]) is Burn:  # a forked board is run to its end in one go (TL-25)
        hand.step += 1


def _dealt_board(hand: Hand, event: e.DealtBoard) -> None:
    boards, number = hand.boards, event.board
    end = event.place + event.count
    cards = (*boards[number], *range(event.place, end))
    hand.boards = (*boards[:number], cards, *boards[number + 1 :])
    hand.place = end
    if hand.rules.card.wild_board is WildBoard.RANK and not boards[number]:
        hand.wild_now = (hand.deck[event.place] >> 2,)
    if number == len(boards) - 1 and type(hand.rules.steps[hand.step]) is not Showdown:
        hand.step += 1


def _interval_opened(hand: Hand, event: e.IntervalOpened) -> None:
    hand.street = event.street
    hand.to_act = hand.spoke_first = event.first
    hand.decision, hand.duty = _BET, event.duty
    hand.pending = hand.able
    hand.acted = hand.stood = 0
    hand.aggressor = -1
    hand.two_handed = hand.live.bit_count() == 2  # TL-17
    if not hand.first_interval:
        actions = hand.actions
        hand.actions = _since_the_bets(actions) if actions and type(actions[-1]) in _ANSWERS else ()


def _since_the_bets(actions: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """What was turned up, brought or paid for after the bets of the last interval: it belongs to the one that opens now (VC-22, VC-24)."""
    first = len(actions)
    while first and type(actions[first - 1]) in _ANSWERS:
        first -= 1
    if not first or type(actions[first - 1]) is not e.OffersOpened:
        while first < len(actions) and type(actions[first]) is e.Folded:  # to a bet, and so before the cards
            first += 1
    return actions[first:]


_ANSWERS = frozenset({e.TurnedUp, e.Declined, e.PricePaid, e.ExtraDealt, e.Folded})
"""What a seat does, or gets, between two intervals."""


def _action_on(hand: Hand, event: e.ActionOn) -> None:
    hand.to_act = event.seat
    hand.decision = _BET


def _asked(hand: Hand, event: e.Asked) -> None:
    hand.to_act = event.seat
    hand.decision, hand.offer, hand.about = event.decision, event.offer, event.about


def _choice_opened(hand: Hand, event: e.ChoiceOpened) -> None:
    hand.unserved, hand.choices = hand.live, ()
    hand.decision, hand.to_act = event.decision, next_in(hand.live, -1)
    if event.decision is Decision.RUN_TWICE:
        hand.run_asked = True


def _chosen(hand: Hand, event: e.Chosen) -> None:
    hand.choices = (*hand.choices, (event.seat, (event.places, event.word)))
    hand.unserved &= ~(1 << event.seat)
    hand.to_act = next_in(hand.unserved & hand.live, -1)
    hand.actions += (event,)


def _choices_settled(hand: Hand, _event: e.ChoicesSettled) -> None:
    if hand.decision is not Decision.RUN_TWICE:
        settle_choices(hand)
        hand.step += 1
    hand.turn += 1  # only now: a button drawn when the question was put stays good for all who are asked
    hand.unserved, hand.choices = -1, ()
    hand.to_act, hand.decision = -1, _NONE


def _offers_opened(hand: Hand, event: e.OffersOpened) -> None:
    hand.unserved = hand.live
    hand.actions += (event,)  # who drops after it has not dropped to a bet


def _offers_closed(hand: Hand, _event: e.OffersClosed) -> None:
    hand.unserved = -1
    hand.to_act, hand.decision = -1, _NONE
    hand.step += 1


def _turned_up(hand: Hand, event: e.TurnedUp) -> None:
    seat, place = event.seat, event.place
    hand.down = _replaced(hand.down, seat, tuple(held for held in hand.down[seat] if held != place))
    hand.up = _replaced(hand.up, seat, (*hand.up[seat], place))
    hand.actions += (event,)
    _answered(hand, seat)


def _declined(hand: Hand, event: e.Declined) -> None:
    hand.actions += (event,)
    _answered(hand, event.seat)


def _answered(hand: Hand, seat: int) -> None:
    hand.unserved &= ~(1 << seat)
    hand.turn += 1
    hand.to_act, hand.decision = -1, _NONE


def _rolled_out(hand: Hand, _event: e.RolledOut) -> None:
    for seat in seats_in(hand.live):
        first, *rest = hand.down[seat]
        hand.down = _replaced(hand.down, seat, tuple(rest))
        hand.up = _replaced(hand.up, seat, (*hand.up[seat], first))
    hand.step += 1


def _dealt_either(hand: Hand, event: e.DealtEither) -> None:
    place = event.place
    for seat in seats_in(hand.live):
        if hand.down[seat]:
            hand.up = _replaced(hand.up, seat, (*hand.up[seat], place))
        else:
            hand.down = _replaced(hand.down, seat, (place,))
        place += 1
    hand.place = place
    hand.step += 1


def _extra_dealt(hand: Hand, event: e.ExtraDealt) -> None:
    hand.settled |= {event.cause}
    seat, place = event.seat, event.place
    if place >= 0:
        if event.up:
            hand.up = _replaced(hand.up, seat, (*hand.up[seat], place))
            if hand.rules.card.follow is not None:
                _follow(hand, place)
        else:
            hand.down = _replaced(hand.down, seat, (*hand.down[seat], place))
        hand.place = place + 1
        hand.actions += (event,)


def _price_paid(hand: Hand, event: e.PricePaid) -> None:
    seat = event.seat
    hand.settled |= {event.place}
    hand.stacks = _changed(hand.stacks, seat, -event.chips)
    hand.dead += event.chips
    hand.pot += event.chips
    if not hand.stacks[seat]:
        hand.able &= ~(1 << seat)
    hand.turn += 1
    hand.to_act, hand.decision = -1, _NONE
    hand.actions += (event,)


def _boards_forked(hand: Hand, event: e.BoardsForked) -> None:
    hand.boards = hand.boards * event.boards
    hand.step = event.step


def _designated(hand: Hand, event: e.Designated) -> None:
    hand.designated = (*hand.designated, (event.seat, event.as_cards, event.word))
    hand.turn += 1
    hand.to_act, hand.decision = -1, _NONE


def _openers_shown(hand: Hand, event: e.OpenersShown) -> None:
    hand.openers_shown = event.places


def _pot_matched(hand: Hand, event: e.PotMatched) -> None:
    hand.stacks = _changed(hand.stacks, event.seat, -event.chips)
    hand.carried_on += event.chips


def _replaced(of_seats: tuple[tuple[int, ...], ...], seat: int, places: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*of_seats[:seat], places, *of_seats[seat + 1 :])


def _bets_stand(hand: Hand, _event: e.BetsStand) -> None:
    hand.pending = 0
    hand.to_act, hand.decision = -1, _NONE
    hand.step += 1


def _straddled(hand: Hand, event: e.Straddled) -> None:
    _pay_in(hand, event.seat, event.chips)
    hand.level = hand.full_level = event.to
    hand.turn += 1
    hand.to_act, hand.decision = -1, _NONE
    hand.actions += (event,)


def _straddle_declined(hand: Hand, event: e.StraddleDeclined) -> None:
    hand.turn += 1
    hand.actions += (event,)


def _straddles_closed(hand: Hand, _event: e.StraddlesClosed) -> None:
    hand.to_act, hand.decision = -1, _NONE
    hand.step += 1


def _draw_opened(hand: Hand, event: e.DrawOpened) -> None:
    hand.street = event.street
    hand.unserved = hand.live
    hand.actions = ()


def _reshuffled(hand: Hand, event: e.Reshuffled) -> None:
    hand.deck += tuple(hand.deck[place] for place in event.places)
    hand.spent |= frozenset(event.places)


def _drew(hand: Hand, event: e.Drew) -> None:
    seat, laid = event.seat, event.laid
    count = len(laid)
    if count:
        place = event.place
        hand.place = place + count
        down = list(hand.down)
        fresh = list(down[seat])
        for gone in laid:
            fresh.remove(gone)
        fresh += range(place, place + count)
        down[seat] = tuple(fresh)
        hand.down = tuple(down)
        hand.laid += ((seat, laid),)
    drew = list(hand.drew)
    drew[seat] += (count,)
    hand.drew = tuple(drew)
    hand.unserved &= ~(1 << seat)
    hand.turn += 1
    hand.decision = _NONE
    hand.actions += (event,)


def _draw_closed(hand: Hand, _event: e.DrawClosed) -> None:
    for _, places in hand.laid:
        hand.discarded += places
    hand.laid = ()
    hand.unserved = -1
    hand.to_act, hand.decision = -1, _NONE
    hand.step += 1


def _spoke(hand: Hand, seat: int, event: e.Event) -> None:
    bit = 1 << seat
    hand.pending &= ~bit
    hand.acted |= bit
    hand.turn += 1
    hand.actions += (event,)


def _folded(hand: Hand, event: e.Folded) -> None:
    seat = event.seat
    keep = ~(1 << seat)
    hand.live &= keep
    hand.able &= keep
    hand.pending &= keep
    hand.turn += 1
    hand.actions += (event,)
    if hand.held and hand.held[seat]:
        hand.dead += hand.held[seat]
        _release(hand, seat)


def _checked(hand: Hand, event: e.Checked) -> None:
    bit = 1 << event.seat
    hand.stood |= bit
    _spoke(hand, event.seat, event)
    if (
        not hand.level and hand.rules.options.check is _STAND_ONCE
    ):  # the turn comes back: he must then bet or drop (C-5)
        hand.pending |= bit


def _called(hand: Hand, event: e.Called) -> None:
    seat = event.seat
    if hand.held:
        _take_held(hand, seat, event.chips)
    _pay_in(hand, seat, event.chips)
    bit = 1 << seat
    hand.pending &= ~bit
    hand.acted |= bit
    hand.turn += 1
    hand.actions += (event,)


def _bet_to(hand: Hand, event: e.BetTo | e.RaisedTo) -> None:
    seat, to, rules = event.seat, event.to, hand.rules
    full = is_full(hand, seat, to)
    if hand.held:
        _take_held(hand, seat, event.chips)
    if full:
        if not rules.fixed:
            hand.last_full = to - hand.level
        elif rules.limit is _DOUBLING_FLAT:
            hand.rung += 1
        if hand.full_level:
            hand.raises += 1
        hand.full_level = to
        hand.acted = 0
    hand.level = to
    if hand.duty is not _FREE:  # a short bring-in stands, the others owe the full one (VC-5)
        hand.level = max(to, rules.bring_in)
        hand.duty = _FREE
    _pay_in(hand, seat, event.chips)
    hand.aggressor = hand.last_aggressor = seat
    if hand.opener < 0:
        hand.opener = seat
        if rules.openers is not None and hand.first_interval:
            hand.opening_places = hand.down[seat]
    _spoke(hand, seat, event)
    if not rules.once[hand.step]:
        hand.pending = hand.able & ~(1 << seat)


def _put_in_early(hand: Hand, event: e.PutInOutOfTurn) -> None:
    seat = event.seat
    held = list(hand.held or (0,) * hand.number_of)
    held[seat] += event.chips
    hand.held = tuple(held)
    hand.stacks = _changed(hand.stacks, seat, -event.chips)
    hand.pot += event.chips


def _noted(hand: Hand, event: e.NotedOutOfTurn) -> None:
    hand.noted = (*hand.noted, (event.seat, hand.level, event.action))


def _note_settled(hand: Hand, event: e.NoteSettled) -> None:
    hand.noted = tuple(noted for noted in hand.noted if noted[0] != event.seat)


def _take_held(hand: Hand, seat: int, chips: int) -> None:
    """Chips put in early lie in front of the seat already: give back what the action now pays in again."""
    if hand.held[seat]:
        back = min(chips, hand.held[seat])
        hand.stacks = _changed(hand.stacks, seat, back)
        hand.pot -= back
        _release(hand, seat, back)


def _release(hand: Hand, seat: int, chips: int = 0) -> None:
    held = list(hand.held)
    held[seat] = held[seat] - chips if chips else 0
    hand.held = tuple(held) if any(held) else ()


def _held_forfeited(hand: Hand, event: e.HeldForfeited) -> None:
    hand.dead += event.chips
    _release(hand, event.seat)
    if not hand.stacks[event.seat]:
        hand.able &= ~(1 << event.seat)


def _held_returned(hand: Hand, event: e.HeldReturned) -> None:
    hand.stacks = _changed(hand.stacks, event.seat, event.chips)
    hand.pot -= event.chips
    _release(hand, event.seat)


def _interval_closed(hand: Hand, event: e.IntervalClosed) -> None:
    seat, chips = event.seat, event.returned
    if chips:
        hand.stacks = _changed(hand.stacks, seat, chips)
        hand.put_in = _changed(hand.put_in, seat, -chips)
        hand.pot -= chips
        hand.able |= 1 << seat
        hand.returned = (seat, chips)
    hand.bets = [0] * hand.number_of
    hand.level = hand.full_level = hand.raises = hand.shortfall = hand.pending = 0
    hand.noted = ()
    hand.rung = hand.rules.first_rung
    hand.last_full = hand.rules.min_bet
    hand.first_interval = False
    if type(hand.rules.steps[hand.step]) is BetStep:  # stakes evened at a draw are gathered in by the draw
        hand.step += 1
    hand.to_act, hand.decision = -1, _NONE
    hand.interval_pots = (*hand.interval_pots, hand.pot)


def _showdown_opened(hand: Hand, event: e.ShowdownOpened) -> None:
    hand.showdown = True
    hand.all_in_show = event.all_in
    hand.spoke_first = event.first
    hand.to_act = -1


def _shown(hand: Hand, event: e.Shown) -> None:
    hand.shown |= 1 << event.seat
    hand.decision = _NONE
    hand.turn += 1


def _mucked(hand: Hand, event: e.Mucked) -> None:
    hand.mucked |= 1 << event.seat
    hand.decision = _NONE
    hand.turn += 1


def _pots_paid(hand: Hand, event: e.PotsPaid) -> None:
    hand.payments = event.payments
    hand.stacks = stacks = hand.stacks.copy()
    for payment in event.payments:
        stacks[payment.seat] += payment.chips
        hand.pot -= payment.chips
    hand.to_act, hand.decision = -1, _NONE


def _passed_out(hand: Hand, event: e.PassedOut) -> None:
    hand.passed_out = True
    hand.pot -= event.chips
    hand.carried_on += event.chips


def _hand_ended(hand: Hand, _event: e.HandEnded) -> None:
    hand.over = True
    hand.to_act, hand.decision = -1, _NONE


def _hand_voided(hand: Hand, event: e.HandVoided) -> None:
    kept = event.kept or (0,) * hand.number_of
    hand.stacks = [stack - chips for stack, chips in zip(hand.started.stacks, kept, strict=True)]
    hand.pot = hand.started.carried
    if any(kept):  # the pot waits for the next deal, antes and all (I-3)
        hand.carried_on, hand.pot = hand.started.carried + sum(kept), 0
    hand.bets = [0] * hand.number_of
    hand.over = hand.voided = True
    hand.void_reason = event.reason
    hand.to_act, hand.decision = -1, _NONE


APPLY: dict[type[e.Event], Callable[[Hand, Any], None]] = {  # each changes the very hand it is given
    e.Posted: _posted,
    e.AllPosted: _all_posted,
    e.DealtDown: _dealt_down,
    e.DealtUp: _dealt_up,
    e.DealtUpTo: _dealt_up_to,
    e.Burned: _burned,
    e.DealtBoard: _dealt_board,
    e.IntervalOpened: _interval_opened,
    e.ActionOn: _action_on,
    e.Asked: _asked,
    e.ChoiceOpened: _choice_opened,
    e.Chosen: _chosen,
    e.ChoicesSettled: _choices_settled,
    e.OffersOpened: _offers_opened,
    e.OffersClosed: _offers_closed,
    e.TurnedUp: _turned_up,
    e.Declined: _declined,
    e.RolledOut: _rolled_out,
    e.DealtEither: _dealt_either,
    e.ExtraDealt: _extra_dealt,
    e.PricePaid: _price_paid,
    e.BoardsForked: _boards_forked,
    e.Designated: _designated,
    e.OpenersShown: _openers_shown,
    e.PotMatched: _pot_matched,
    e.BetsStand: _bets_stand,
    e.StraddlesClosed: _straddles_closed,
    e.Straddled: _straddled,
    e.StraddleDeclined: _straddle_declined,
    e.DrawOpened: _draw_opened,
    e.Reshuffled: _reshuffled,
    e.Drew: _drew,
    e.DrawClosed: _draw_closed,
    e.Folded: _folded,
    e.Checked: _checked,
    e.Called: _called,
    e.BetTo: _bet_to,
    e.RaisedTo: _bet_to,
    e.PutInOutOfTurn: _put_in_early,
    e.NotedOutOfTurn: _noted,
    e.NoteSettled: _note_settled,
    e.HeldForfeited: _held_forfeited,
    e.HeldReturned: _held_returned,
    e.IntervalClosed: _interval_closed,
    e.ShowdownOpened: _showdown_opened,
    e.Shown: _shown,
    e.Mucked: _mucked,
    e.PotsPaid: _pots_paid,
    e.PassedOut: _passed_out,
    e.HandEnded: _hand_ended,
    e.HandVoided: _hand_voided,
}
