"""Apply what has happened. Nothing here refuses or decides; this is the only code that changes a hand, and it changes
a copy.

A copy shares its lists with the hand it was made from, so a list is never changed: it is replaced.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bot.engine import events as e
from bot.engine.betting.bet_sizes import is_full_raise
from bot.engine.choices.choice_effects import apply_choices
from bot.engine.custom import WildRanks
from bot.engine.hand import Hand, new_hand, next_seat_in, seats_in
from bot.engine.legal import Decision, OpeningDuty
from bot.engine.options.values import Checking, Limit
from bot.engine.rules_in_force import rules_in_force
from bot.engine.steps import BettingRound, Burn, Showdown
from bot.engine.units import NO_SEAT, SeatIndex

# Members of enums looked up once: each look-up costs as much as a call.
_BET, _NONE, _FREE = Decision.BET, Decision.NONE, OpeningDuty.FREE
_STAND_ONCE, _DOUBLING_FLAT = Checking.STAND_ONCE, Limit.DOUBLING_FLAT
_ANTE, _DEAD = e.PostKind.ANTE, e.PostKind.DEAD


EmittedEvents = list[e.HandEvent]


def begin_hand(started: e.HandStarted, deck: tuple[int, ...]) -> Hand:
    """The hand right after its first event. `deck` is the whole deck in its order, shuffled and cut."""
    return new_hand(started, rules_in_force(started.rule_card, started.options, started.stakes), deck)


def evolve(hand: Hand, event: e.HandEvent) -> Hand:
    """Apply one event to a copy of the hand."""
    after = hand.copy()
    APPLY_EVENT[type(event)](after, event)
    return after


def evolve_all(hand: Hand, events: Iterable[e.HandEvent]) -> Hand:
    """Apply events, oldest first, to one copy of the hand."""
    after = hand.copy()
    for event in events:
        APPLY_EVENT[type(event)](after, event)
    return after


def emit(hand: Hand, events: EmittedEvents, event: e.HandEvent) -> None:
    """Apply an event to the dealer's working copy and append it."""
    APPLY_EVENT[type(event)](hand, event)
    events.append(event)


def replay(events: Iterable[e.HandEvent], deck: tuple[int, ...]) -> Hand:
    """Apply stored events again, from the first one on."""
    rest = iter(events)
    started = next(rest)
    assert isinstance(started, e.HandStarted)
    return evolve_all(begin_hand(started, deck), rest)


def _with_chips_added(chips: Sequence[int], seat: SeatIndex, by: int) -> list[int]:
    """Chips with `by` more, or fewer, at one seat. The list given is shared with earlier hands and stays as it is."""
    changed = [*chips]
    changed[seat] += by
    return changed


def _pay_in(hand: Hand, seat: SeatIndex, chips: int) -> None:
    stacks, bets, put_in = [*hand.stacks], [*hand.bets], [*hand.put_in]
    stacks[seat] -= chips
    bets[seat] += chips
    put_in[seat] += chips
    hand.stacks, hand.bets, hand.put_in = stacks, bets, put_in
    hand.pot += chips
    if not stacks[seat] and hand.rules.allows_all_in:
        # At a strict table nobody is all-in: a player with nothing left folds when they must call (VB-13).
        hand.seats_with_chips &= ~(1 << seat)


def _posted(hand: Hand, event: e.Posted) -> None:
    seat, chips = event.seat, event.chips
    kind = event.kind
    if kind is _ANTE or kind is _DEAD:
        hand.stacks = _with_chips_added(hand.stacks, seat, -chips)
        hand.pot += chips
        if not hand.stacks[seat]:
            hand.seats_with_chips &= ~(1 << seat)
        if kind is _ANTE:
            hand.put_in = _with_chips_added(hand.put_in, seat, chips)
        else:
            hand.dead_chips += chips
    else:
        _pay_in(hand, seat, chips)
        if not hand.stacks[seat]:
            hand.seats_with_chips &= ~(1 << seat)
        hand.current_bet = max(hand.current_bet, event.owed)
        hand.last_full_bet = hand.current_bet
    hand.street_actions += (event,)


def _all_posted(hand: Hand, event: e.AllPosted) -> None:
    hand.blind_shortfall = event.blind_shortfall
    hand.step_index += 1


def _dealt_down(hand: Hand, event: e.DealtDown) -> None:
    hand.down_indices = _dealt_to_all(hand, hand.down_indices, event.count, event.first_card_index, event.first_seat)
    hand.step_index += 1


def _dealt_up(hand: Hand, event: e.DealtUp) -> None:
    hand.up_indices = _dealt_to_all(hand, hand.up_indices, event.count, event.first_card_index, event.first_seat)
    if hand.rules.wild_card_customs:
        for card_index in range(event.first_card_index, hand.next_card_index):
            _update_wild_ranks(hand, card_index)
    hand.step_index += 1


def _dealt_up_to_seat(hand: Hand, event: e.DealtUpToSeat) -> None:
    seat, card_index = event.seat, event.card_index
    hand.up_indices = _with_seat_replaced(hand.up_indices, seat, (*hand.up_indices[seat], card_index))
    hand.next_card_index = card_index + 1
    hand.seats_to_offer &= ~(1 << seat)
    if hand.rules.wild_card_customs:
        _update_wild_ranks(hand, card_index)


def _update_wild_ranks(hand: Hand, card_index: int) -> None:
    """Let the customs say what is wild after a card is dealt face up (VC-23)."""
    wild = WildRanks(hand.current_wild_ranks, hand.next_up_card_names_wild)
    for custom in hand.rules.wild_card_customs:
        wild = custom.wild_after_up_card(hand.deck[card_index] >> 2, wild)
    hand.current_wild_ranks, hand.next_up_card_names_wild = wild


def _dealt_to_all(
    hand: Hand, held: tuple[tuple[int, ...], ...], count: int, card_index: int, first: int
) -> tuple[tuple[int, ...], ...]:
    order = seats_in(hand.live_seats)
    if first:
        order = tuple([seat for seat in order if seat >= first] + [seat for seat in order if seat < first])
    each = len(order)
    hand.next_card_index = end = card_index + count * each
    after = list(held)
    if count == 1:
        for seat in order:
            after[seat] += (card_index,)
            card_index += 1
    else:
        for seat in order:
            after[seat] += tuple(range(card_index, end, each))
            card_index += 1
    return tuple(after)


def _burned(hand: Hand, event: e.Burned) -> None:
    hand.next_card_index = event.card_index + 1
    hand.burn_indices = (*hand.burn_indices, event.card_index)
    if type(hand.rules.steps[hand.step_index]) is Burn:  # a board run twice is dealt to its end at once (TL-25)
        hand.step_index += 1


def _dealt_board(hand: Hand, event: e.DealtBoard) -> None:
    boards, number = hand.board_indices, event.board_index
    end = event.first_card_index + event.count
    cards = (*boards[number], *range(event.first_card_index, end))
    hand.board_indices = (*boards[:number], cards, *boards[number + 1 :])
    hand.next_card_index = end
    if not boards[number]:
        for custom in hand.rules.wild_card_customs:
            hand.current_wild_ranks = (
                custom.wild_board_ranks(hand.deck[event.first_card_index]) or hand.current_wild_ranks
            )
    if number == len(boards) - 1 and type(hand.rules.steps[hand.step_index]) is not Showdown:
        hand.step_index += 1


def _betting_round_opened(hand: Hand, event: e.BettingRoundOpened) -> None:
    hand.street = event.street
    hand.to_act = hand.first_to_act = event.first_to_act
    hand.decision, hand.opening_duty = _BET, event.opening_duty
    hand.seats_to_act = hand.seats_with_chips
    hand.seats_acted = hand.seats_checked = 0
    hand.street_aggressor = NO_SEAT
    hand.raises_uncapped = hand.seats_with_chips.bit_count() < 3 and not hand.started.keeps_cap  # TL-17, SG-6
    if not hand.in_first_betting_round:
        actions = hand.street_actions
        hand.street_actions = (
            _actions_since_betting(actions) if actions and type(actions[-1]) in _EVENTS_BETWEEN_ROUNDS else ()
        )


def _actions_since_betting(actions: tuple[e.HandEvent, ...]) -> tuple[e.HandEvent, ...]:
    """What was turned up, dealt or paid for after the bets of the last street: it belongs to the betting round that
    opens now (VC-22, VC-24)."""
    first = len(actions)
    while first and type(actions[first - 1]) in _EVENTS_BETWEEN_ROUNDS:
        first -= 1
    if not first or type(actions[first - 1]) is not e.OffersOpened:
        while first < len(actions) and type(actions[first]) is e.Folded:  # a fold to a bet: it came before the cards
            first += 1
    return actions[first:]


_EVENTS_BETWEEN_ROUNDS = frozenset({e.CardTurnedUp, e.OfferDeclined, e.PricePaid, e.ExtraCardDealt, e.Folded})
"""What a seat does, or gets, between two betting rounds."""


def _action_on(hand: Hand, event: e.ActionOn) -> None:
    hand.to_act = event.seat
    hand.decision = _BET


def _decision_requested(hand: Hand, event: e.DecisionRequested) -> None:
    hand.to_act = event.seat
    hand.decision, hand.offer_amount, hand.offer_kind = event.decision, event.offer_amount, event.offer_kind


def _secret_choice_opened(hand: Hand, event: e.SecretChoiceOpened) -> None:
    hand.choice_open, hand.seats_to_choose, hand.secret_choices = True, hand.live_seats, ()
    hand.decision, hand.to_act = event.decision, next_seat_in(hand.live_seats, -1)
    if event.decision is Decision.RUN_TWICE:
        hand.run_twice_asked = True


def _secret_choice_made(hand: Hand, event: e.SecretChoiceMade) -> None:
    hand.secret_choices = (*hand.secret_choices, (event.seat, (event.card_indices, event.word)))
    hand.seats_to_choose &= ~(1 << event.seat)
    hand.to_act = next_seat_in(hand.seats_to_choose & hand.live_seats, -1)
    hand.street_actions += (event,)


def _secret_choices_applied(hand: Hand, _event: e.SecretChoicesApplied) -> None:
    if hand.decision is not Decision.RUN_TWICE:
        apply_choices(hand)
        hand.step_index += 1
    hand.decision_number += 1  # only now: a button drawn when the question came stays good for everybody asked
    hand.choice_open, hand.seats_to_choose, hand.secret_choices = False, 0, ()
    hand.to_act, hand.decision = NO_SEAT, _NONE


def _offers_opened(hand: Hand, event: e.OffersOpened) -> None:
    hand.offers_open, hand.seats_to_offer = True, hand.live_seats
    hand.street_actions += (event,)  # a fold after it is not a fold to a bet


def _offers_closed(hand: Hand, _event: e.OffersClosed) -> None:
    hand.offers_open, hand.seats_to_offer = False, 0
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.step_index += 1


def _card_turned_up(hand: Hand, event: e.CardTurnedUp) -> None:
    seat, card_index = event.seat, event.card_index
    hand.down_indices = _with_seat_replaced(
        hand.down_indices, seat, tuple(held for held in hand.down_indices[seat] if held != card_index)
    )
    hand.up_indices = _with_seat_replaced(hand.up_indices, seat, (*hand.up_indices[seat], card_index))
    hand.street_actions += (event,)
    _offer_answered(hand, seat)


def _offer_declined(hand: Hand, event: e.OfferDeclined) -> None:
    hand.street_actions += (event,)
    _offer_answered(hand, event.seat)


def _offer_answered(hand: Hand, seat: SeatIndex) -> None:
    hand.seats_to_offer &= ~(1 << seat)
    hand.decision_number += 1
    hand.to_act, hand.decision = NO_SEAT, _NONE


def _cards_rolled_out(hand: Hand, _event: e.CardsRolledOut) -> None:
    for seat in seats_in(hand.live_seats):
        first, *rest = hand.down_indices[seat]
        hand.down_indices = _with_seat_replaced(hand.down_indices, seat, tuple(rest))
        hand.up_indices = _with_seat_replaced(hand.up_indices, seat, (*hand.up_indices[seat], first))
    hand.step_index += 1


def _dealt_up_or_down(hand: Hand, event: e.DealtUpOrDown) -> None:
    card_index = event.first_card_index
    for seat in seats_in(hand.live_seats):
        if hand.down_indices[seat]:
            hand.up_indices = _with_seat_replaced(hand.up_indices, seat, (*hand.up_indices[seat], card_index))
        else:
            hand.down_indices = _with_seat_replaced(hand.down_indices, seat, (card_index,))
        card_index += 1
    hand.next_card_index = card_index
    hand.step_index += 1


def _extra_card_dealt(hand: Hand, event: e.ExtraCardDealt) -> None:
    hand.settled_indices |= {event.cause_index}
    seat, card_index = event.seat, event.card_index
    if card_index >= 0:
        if event.face_up:
            hand.up_indices = _with_seat_replaced(hand.up_indices, seat, (*hand.up_indices[seat], card_index))
            if hand.rules.wild_card_customs:
                _update_wild_ranks(hand, card_index)
        else:
            hand.down_indices = _with_seat_replaced(hand.down_indices, seat, (*hand.down_indices[seat], card_index))
        hand.next_card_index = card_index + 1
        hand.street_actions += (event,)


def _price_paid(hand: Hand, event: e.PricePaid) -> None:
    seat = event.seat
    hand.settled_indices |= {event.card_index}
    hand.stacks = _with_chips_added(hand.stacks, seat, -event.chips)
    hand.dead_chips += event.chips
    hand.pot += event.chips
    if not hand.stacks[seat]:
        hand.seats_with_chips &= ~(1 << seat)
    hand.decision_number += 1
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.street_actions += (event,)


def _board_run_twice(hand: Hand, event: e.BoardRunTwice) -> None:
    hand.board_indices = hand.board_indices * event.board_count
    hand.step_index = event.showdown_step_index


def _designated(hand: Hand, event: e.Designated) -> None:
    hand.designated = (*hand.designated, (event.seat, event.designations, event.ace_word))
    hand.decision_number += 1
    hand.to_act, hand.decision = NO_SEAT, _NONE


def _openers_shown(hand: Hand, event: e.OpenersShown) -> None:
    hand.proven_opener_indices = event.card_indices


def _pot_matched(hand: Hand, event: e.PotMatched) -> None:
    hand.stacks = _with_chips_added(hand.stacks, event.seat, -event.chips)
    hand.carried_to_next_hand += event.chips


def _with_seat_replaced(
    of_seats: tuple[tuple[int, ...], ...], seat: SeatIndex, card_indices: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    return (*of_seats[:seat], card_indices, *of_seats[seat + 1 :])


def _bets_left_until_draw(hand: Hand, _event: e.BetsLeftUntilDraw) -> None:
    hand.seats_to_act = 0
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.step_index += 1


def _straddled(hand: Hand, event: e.Straddled) -> None:
    _pay_in(hand, event.seat, event.chips)
    hand.current_bet = hand.last_full_bet = event.to
    hand.decision_number += 1
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.street_actions += (event,)


def _straddle_declined(hand: Hand, event: e.StraddleDeclined) -> None:
    hand.decision_number += 1
    hand.street_actions += (event,)


def _straddles_closed(hand: Hand, _event: e.StraddlesClosed) -> None:
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.step_index += 1


def _draw_opened(hand: Hand, event: e.DrawOpened) -> None:
    hand.street = event.street
    hand.draw_open, hand.seats_to_draw = True, hand.live_seats
    hand.street_actions = ()


def _reshuffled(hand: Hand, event: e.Reshuffled) -> None:
    hand.deck += tuple(hand.deck[card_index] for card_index in event.card_indices)
    hand.reshuffled_indices |= frozenset(event.card_indices)


def _drew(hand: Hand, event: e.Drew) -> None:
    seat, discards = event.seat, event.discards
    count = len(discards)
    if count:
        card_index = event.first_card_index
        hand.next_card_index = card_index + count
        down = list(hand.down_indices)
        held = list(down[seat])
        for discard in discards:
            held.remove(discard)
        held += range(card_index, card_index + count)
        down[seat] = tuple(held)
        hand.down_indices = tuple(down)
        hand.discards_this_draw += ((seat, discards),)
    draw_counts = list(hand.draw_counts)
    draw_counts[seat] += (count,)
    hand.draw_counts = tuple(draw_counts)
    hand.seats_to_draw &= ~(1 << seat)
    hand.decision_number += 1
    hand.decision = _NONE
    hand.street_actions += (event,)


def _draw_closed(hand: Hand, _event: e.DrawClosed) -> None:
    for _, card_indices in hand.discards_this_draw:
        hand.discard_indices += card_indices
    hand.discards_this_draw = ()
    hand.draw_open, hand.seats_to_draw = False, 0
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.step_index += 1


def _acted(hand: Hand, seat: SeatIndex, event: e.HandEvent) -> None:
    bit = 1 << seat
    hand.seats_to_act &= ~bit
    hand.seats_acted |= bit
    hand.decision_number += 1
    hand.street_actions += (event,)


def _folded(hand: Hand, event: e.Folded) -> None:
    seat = event.seat
    keep = ~(1 << seat)
    hand.live_seats &= keep
    hand.seats_with_chips &= keep
    hand.seats_to_act &= keep
    hand.decision_number += 1
    hand.street_actions += (event,)
    if hand.out_of_turn_chips and hand.out_of_turn_chips[seat]:
        hand.dead_chips += hand.out_of_turn_chips[seat]
        _release_held_chips(hand, seat)


def _checked(hand: Hand, event: e.Checked) -> None:
    bit = 1 << event.seat
    hand.seats_checked |= bit
    _acted(hand, event.seat, event)
    if (
        not hand.current_bet and hand.rules.options.check is _STAND_ONCE
    ):  # the turn comes back: then they must bet or fold (C-5)
        hand.seats_to_act |= bit


def _called(hand: Hand, event: e.Called) -> None:
    seat = event.seat
    if hand.out_of_turn_chips:
        _return_held_chips(hand, seat, event.chips)
    _pay_in(hand, seat, event.chips)
    bit = 1 << seat
    hand.seats_to_act &= ~bit
    hand.seats_acted |= bit
    hand.decision_number += 1
    hand.street_actions += (event,)


def _bet_to(hand: Hand, event: e.BetTo | e.RaisedTo) -> None:
    seat, to, rules = event.seat, event.to, hand.rules
    if hand.opening_duty is not _FREE:  # a short forced bet stands, the others owe the full one (VC-5)
        to = max(to, rules.amounts.bring_in)
    full = is_full_raise(hand, seat, to)
    if hand.out_of_turn_chips:
        _return_held_chips(hand, seat, event.chips)
    if full:
        if not rules.has_fixed_sizes:
            hand.min_raise_increment = to - hand.current_bet
        elif rules.limit is _DOUBLING_FLAT:
            hand.ladder_step += 1
        elif rules.pair_doubling_steps and hand.step_index in rules.pair_doubling_steps:
            added = to - hand.last_full_bet
            hand.big_bet_made |= (
                added > rules.amounts.small_bet and 2 * added >= rules.amounts.big_bet
            )  # all-in for half of it too (TL-6)
        if hand.last_full_bet:
            hand.raise_count += 1
        hand.last_full_bet = to
        hand.seats_acted = 0
    hand.current_bet = to
    hand.opening_duty = _FREE
    _pay_in(hand, seat, event.chips)
    hand.street_aggressor = hand.hand_aggressor = seat
    if hand.opener < 0:
        hand.opener = seat
        if rules.openers is not None and hand.in_first_betting_round:
            hand.opening_card_indices = hand.down_indices[seat]
    _acted(hand, seat, event)
    if not rules.single_action_steps[hand.step_index]:
        hand.seats_to_act = hand.seats_with_chips & ~(1 << seat)


def _out_of_turn_chips_put_in(hand: Hand, event: e.OutOfTurnChipsPutIn) -> None:
    seat = event.seat
    held = list(hand.out_of_turn_chips or (0,) * hand.seat_count)
    held[seat] += event.chips
    hand.out_of_turn_chips = tuple(held)
    hand.stacks = _with_chips_added(hand.stacks, seat, -event.chips)
    hand.pot += event.chips


def _out_of_turn_action_noted(hand: Hand, event: e.OutOfTurnActionNoted) -> None:
    hand.out_of_turn_actions = (*hand.out_of_turn_actions, (event.seat, hand.current_bet, event.action))


def _out_of_turn_action_resolved(hand: Hand, event: e.OutOfTurnActionResolved) -> None:
    hand.out_of_turn_actions = tuple(noted for noted in hand.out_of_turn_actions if noted[0] != event.seat)


def _return_held_chips(hand: Hand, seat: SeatIndex, chips: int) -> None:
    """Chips put in early lie in front of the seat already: give back what the action now pays in again."""
    if hand.out_of_turn_chips[seat]:
        back = min(chips, hand.out_of_turn_chips[seat])
        hand.stacks = _with_chips_added(hand.stacks, seat, back)
        hand.pot -= back
        _release_held_chips(hand, seat, back)


def _release_held_chips(hand: Hand, seat: SeatIndex, chips: int = 0) -> None:
    held = list(hand.out_of_turn_chips)
    held[seat] = held[seat] - chips if chips else 0
    hand.out_of_turn_chips = tuple(held) if any(held) else ()


def _out_of_turn_chips_forfeited(hand: Hand, event: e.OutOfTurnChipsForfeited) -> None:
    hand.dead_chips += event.chips
    _release_held_chips(hand, event.seat)
    if not hand.stacks[event.seat]:
        hand.seats_with_chips &= ~(1 << event.seat)


def _out_of_turn_chips_returned(hand: Hand, event: e.OutOfTurnChipsReturned) -> None:
    hand.stacks = _with_chips_added(hand.stacks, event.seat, event.chips)
    hand.pot -= event.chips
    _release_held_chips(hand, event.seat)


def _betting_round_closed(hand: Hand, event: e.BettingRoundClosed) -> None:
    seat, chips = event.seat, event.returned
    if chips:
        hand.stacks = _with_chips_added(hand.stacks, seat, chips)
        hand.put_in = _with_chips_added(hand.put_in, seat, -chips)
        hand.pot -= chips
        hand.seats_with_chips |= 1 << seat
        hand.uncalled_bet_returned = (seat, chips)
    hand.bets = [0] * hand.seat_count
    hand.current_bet = hand.last_full_bet = hand.raise_count = hand.blind_shortfall = hand.seats_to_act = 0
    hand.big_bet_made = False
    hand.out_of_turn_actions = ()
    hand.ladder_step = hand.rules.ladder.first_step
    hand.min_raise_increment = hand.rules.amounts.min_bet
    hand.in_first_betting_round = False
    if (
        type(hand.rules.steps[hand.step_index]) is BettingRound
    ):  # stakes evened at a draw are gathered in by the draw
        hand.step_index += 1
    hand.to_act, hand.decision = NO_SEAT, _NONE
    hand.pots_by_betting_round = (*hand.pots_by_betting_round, hand.pot)


def _showdown_opened(hand: Hand, event: e.ShowdownOpened) -> None:
    hand.showdown = True
    hand.all_in_showdown = event.all_in
    hand.first_to_show = event.first_to_show
    hand.to_act = NO_SEAT


def _shown(hand: Hand, event: e.Shown) -> None:
    hand.shown_seats |= 1 << event.seat
    hand.decision = _NONE
    hand.decision_number += 1


def _cards_shown(hand: Hand, event: e.CardsShown) -> None:
    hand.shown_indices |= frozenset(event.card_indices)
    hand.decision_number += 1


def _mucked(hand: Hand, event: e.Mucked) -> None:
    hand.mucked_seats |= 1 << event.seat
    hand.decision = _NONE
    hand.decision_number += 1


def _pots_paid(hand: Hand, event: e.PotsPaid) -> None:
    hand.payments = event.payments
    hand.stacks = stacks = [*hand.stacks]
    for payment in event.payments:
        stacks[payment.seat] += payment.chips
        hand.pot -= payment.chips
    hand.to_act, hand.decision = NO_SEAT, _NONE


def _hand_passed_out(hand: Hand, event: e.HandPassedOut) -> None:
    hand.passed_out = True
    hand.pot -= event.chips
    hand.carried_to_next_hand += event.chips


def _hand_ended(hand: Hand, _event: e.HandEnded) -> None:
    hand.over = True
    hand.to_act, hand.decision = NO_SEAT, _NONE


def _hand_voided(hand: Hand, event: e.HandVoided) -> None:
    kept = event.kept_antes or (0,) * hand.seat_count
    hand.stacks = [stack - chips for stack, chips in zip(hand.started.stacks, kept, strict=True)]
    hand.pot = hand.started.carried
    if any(kept):  # the pot waits for the next hand, antes and all (I-3)
        hand.carried_to_next_hand, hand.pot = hand.started.carried + sum(kept), 0
    hand.bets = [0] * hand.seat_count
    hand.over = hand.voided = True
    hand.choice_open = False
    hand.void_reason = event.reason
    hand.to_act, hand.decision = NO_SEAT, _NONE


APPLY_EVENT: dict[type[e.HandEvent], Callable[[Hand, Any], None]] = {  # each changes the hand it is given
    e.Posted: _posted,
    e.AllPosted: _all_posted,
    e.DealtDown: _dealt_down,
    e.DealtUp: _dealt_up,
    e.DealtUpToSeat: _dealt_up_to_seat,
    e.Burned: _burned,
    e.DealtBoard: _dealt_board,
    e.BettingRoundOpened: _betting_round_opened,
    e.ActionOn: _action_on,
    e.DecisionRequested: _decision_requested,
    e.SecretChoiceOpened: _secret_choice_opened,
    e.SecretChoiceMade: _secret_choice_made,
    e.SecretChoicesApplied: _secret_choices_applied,
    e.OffersOpened: _offers_opened,
    e.OffersClosed: _offers_closed,
    e.CardTurnedUp: _card_turned_up,
    e.OfferDeclined: _offer_declined,
    e.CardsRolledOut: _cards_rolled_out,
    e.DealtUpOrDown: _dealt_up_or_down,
    e.ExtraCardDealt: _extra_card_dealt,
    e.PricePaid: _price_paid,
    e.BoardRunTwice: _board_run_twice,
    e.Designated: _designated,
    e.OpenersShown: _openers_shown,
    e.PotMatched: _pot_matched,
    e.BetsLeftUntilDraw: _bets_left_until_draw,
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
    e.OutOfTurnChipsPutIn: _out_of_turn_chips_put_in,
    e.OutOfTurnActionNoted: _out_of_turn_action_noted,
    e.OutOfTurnActionResolved: _out_of_turn_action_resolved,
    e.OutOfTurnChipsForfeited: _out_of_turn_chips_forfeited,
    e.OutOfTurnChipsReturned: _out_of_turn_chips_returned,
    e.BettingRoundClosed: _betting_round_closed,
    e.ShowdownOpened: _showdown_opened,
    e.Shown: _shown,
    e.CardsShown: _cards_shown,
    e.Mucked: _mucked,
    e.PotsPaid: _pots_paid,
    e.HandPassedOut: _hand_passed_out,
    e.HandEnded: _hand_ended,
    e.HandVoided: _hand_voided,
}
