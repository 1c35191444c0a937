"""What the dealer does between two decisions: posts, deals, closes betting rounds, opens the next one, shows and
pays.

`run_until_decision` runs down the rule card until somebody must decide or the hand is over. Each step type has one
function; there is no branch on a game's name.

Laws: B-9, B-18, D-9, F-1 to F-7, I-8, N-2, N-3, TL-7, TL-14, TL-16, TL-19, TL-21.
"""

from collections.abc import Callable
from typing import Any

from bot.engine import events as e
from bot.engine import steps
from bot.engine.betting.first_to_act import first_to_act
from bot.engine.betting.out_of_turn import apply_out_of_turn
from bot.engine.betting.pots import close_betting_round
from bot.engine.betting.straddles import offer_straddles
from bot.engine.choices.offers import ask_price, last_dealt_unsettled, offer_turn_up
from bot.engine.choices.secret_choices import run_secret_choice
from bot.engine.dealing.draws import missing_card_count, reshuffled_order, run_draw, shuffle_indices
from bot.engine.dealing.run_twice import can_run_twice, run_boards_twice, was_declined
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import SEATS, Hand, next_seat_in, one_seat_left, seats_in
from bot.engine.legal import Decision
from bot.engine.options.values import Ante, PassedOutRule
from bot.engine.showdown.settle import continue_showdown, first_to_show, settle_pots
from bot.engine.units import SeatIndex

_BET_DECISION, _RUN_TWICE = Decision.BET, Decision.RUN_TWICE  # looked up once, see evolve
_SMALL_BLIND, _BIG_BLIND, _STRADDLE = e.PostKind.SMALL_BLIND, e.PostKind.BIG_BLIND, e.PostKind.STRADDLE
_ANTE, _DEAD = e.PostKind.ANTE, e.PostKind.DEAD
_BLINDS, _ANTE_AND_STRADDLE = (_SMALL_BLIND, _BIG_BLIND), (e.PostKind.STAKE, _STRADDLE)
_LEFT_OF_DEALER = Ante.LEFT_OF_DEALER


def run_until_decision(hand: Hand, events: EmittedEvents) -> None:
    """Do everything that needs no decision, and append what happened. `hand` is the dealer's own copy and is changed."""
    while not hand.over:
        live = hand.live_seats
        if not live & (live - 1):  # `one_seat_left`, written out: this runs after every action
            _end_uncontested(hand, events)
            return
        decision = hand.decision
        if decision is _BET_DECISION:
            if hand.seats_to_act and not hand.draw_open and _ask_next_to_act(hand, events):
                return
        elif decision is _RUN_TWICE:
            if hand.seats_to_choose & hand.live_seats and not was_declined(hand):
                return
            run_boards_twice(hand, events)
        elif hand.all_in_showdown and not hand.run_twice_asked and can_run_twice(hand):
            emit(hand, events, e.SecretChoiceOpened(Decision.RUN_TWICE))
            return
        step = hand.rules.steps[hand.step_index]
        if _RUN_STEP[type(step)](hand, events, step):
            return


def has_betting_decision(hand: Hand, seat: SeatIndex) -> bool:
    """Whether the seat still has something to decide: somebody else can bet, or has put in more."""
    others = ~(1 << seat)
    if hand.seats_with_chips & others:
        return True
    own = hand.bets[seat]
    return any(hand.bets[other] > own for other in seats_in(hand.live_seats & others))


def _ask_next_to_act(hand: Hand, events: EmittedEvents) -> bool:
    """Ask the next seat that has still to act in this betting round; False when there is none."""
    while True:
        ahead = hand.seats_to_act >> hand.to_act + 1  # `next_seat_in`, written out: this runs after every action
        seat = SEATS[(ahead & -ahead).bit_length() + hand.to_act] if ahead else next_seat_in(hand.seats_to_act, -1)
        if not hand.seats_with_chips & ~(1 << seat) and not has_betting_decision(hand, seat):
            return False
        emit(hand, events, e.ActionOn(seat))
        if not (hand.out_of_turn_chips or hand.out_of_turn_actions) or not apply_out_of_turn(hand, events, seat):
            return True
        if not hand.seats_to_act or one_seat_left(hand.live_seats):
            return False


def _show_all_in_hands(hand: Hand, events: EmittedEvents) -> None:
    """With betting over for good, all live hands are turned up before the rest of the board is run (TL-21)."""
    rules = hand.rules
    if (
        one_seat_left(hand.seats_with_chips & hand.live_seats)
        and not one_seat_left(hand.live_seats)
        and rules.allows_all_in
        and not hand.showdown
        and hand.step_index > rules.last_choice_step
        and not isinstance(rules.steps[hand.step_index], steps.Showdown)
    ):
        emit(hand, events, e.ShowdownOpened(first_to_show(hand), all_in=True))
        for seat in seats_in(hand.live_seats):
            emit(hand, events, e.Shown(seat, hand.down_indices[seat]))


def _end_uncontested(hand: Hand, events: EmittedEvents) -> None:
    """One live player is left: they take the pot unseen (B-18)."""
    if hand.decision is Decision.BET or any(hand.bets):
        close_betting_round(hand, events)
    settle_pots(hand, events)


def _post_forced_bets(hand: Hand, events: EmittedEvents, _step: steps.Step) -> bool:
    """Forced money goes in; a stack too short posts what it has (TL-7, TL-42).

    A live blind whose poster has nothing left for it is posted too, with no chips: the others must still meet it in
    full.
    """
    small, big = _BLINDS if hand.rules.options.ante is not _LEFT_OF_DEALER else _ANTE_AND_STRADDLE  # VB-2
    paid, has_big = 0, False
    for post in hand.started.posts:
        seat, kind, owed = post.seat, post.kind, post.chips
        chips = min(owed, hand.stacks[seat])
        if chips or (kind is not _ANTE and kind is not _DEAD):
            if kind is _STRADDLE:
                owed = max(owed, hand.rules.ladder.come_in_price)
            emit(hand, events, e.Posted(seat, kind, chips, owed))
        if kind is big or kind is small:
            paid += chips
            has_big = has_big or kind is big
    blinds = hand.rules.amounts.full_blinds
    emit(hand, events, e.AllPosted(sum(blinds) - paid if blinds and has_big else 0))
    for seat in hand.started.absent_seats:  # their hand is dead, unless nobody else stays (SG-3)
        if not hand.stacks[seat] and not one_seat_left(hand.live_seats):
            emit(hand, events, e.Folded(seat))
    return False


def _deal_down(hand: Hand, events: EmittedEvents, step: steps.DealDown) -> bool:
    if not _ensure_cards(hand, events, step.count * hand.live_seats.bit_count()):
        return _deal_common_card(hand, events)
    emit(hand, events, e.DealtDown(step.count, hand.next_card_index))
    return False


def _deal_up(hand: Hand, events: EmittedEvents, step: steps.DealUp) -> bool:
    if not _ensure_cards(hand, events, step.count * hand.live_seats.bit_count()):
        return _deal_common_card(hand, events)
    emit(hand, events, e.DealtUp(step.count, hand.next_card_index))
    return False


def _deal_up_in_turn(hand: Hand, events: EmittedEvents, _step: steps.DealUpInTurn) -> bool:
    """Deal to the live players one after the other from the dealer's left; each card is settled before the next
    leaves the deck (VC-24).

    Before the first card the dealer checks that the deck suffices for all: one common card lies for all or for nobody
    (VC-5). After that, a card that is due to somebody else is nobody's extra card: where the burns do not help, none
    is dealt.
    """
    if not hand.offers_open:
        if not _ensure_cards(hand, events, hand.live_seats.bit_count()):
            return _deal_common_card(hand, events)
        emit(hand, events, e.OffersOpened())
    while True:
        found, waiting = last_dealt_unsettled(hand), hand.seats_to_offer & hand.live_seats
        if found is None:
            if not waiting:
                emit(hand, events, e.OffersClosed())
                return False
            emit(hand, events, e.DealtUpToSeat(next_seat_in(waiting, -1), hand.next_card_index))
            continue
        (seat, cause), extra = found, hand.rules.extra_card
        if extra is None or hand.deck[cause] >> 2 != extra.rank:
            ask_price(hand, events, seat)
            return True
        if _ensure_cards(hand, events, waiting.bit_count() + 1):
            emit(
                hand,
                events,
                e.ExtraCardDealt(seat, cause, hand.next_card_index, face_up=not extra.face_down),
            )
        else:
            emit(hand, events, e.ExtraCardDealt(seat, cause, -1))


def _ensure_cards(hand: Hand, events: EmittedEvents, needed: int) -> bool:
    """Whether the deck has `needed` cards left; if it has not, burned cards are shuffled in first (VC-5)."""
    if needed > len(hand.deck) - hand.next_card_index:
        burns = [card_index for card_index in hand.burn_indices if card_index not in hand.reshuffled_indices]
        if burns:
            emit(hand, events, e.Reshuffled(shuffle_indices(hand.deck, burns)))
    return needed <= len(hand.deck) - hand.next_card_index


def _deal_common_card(hand: Hand, events: EmittedEvents) -> bool:
    """One common card instead of one for each, where even the burns do not suffice (VC-5; TDA RP-10-H). It comes from
    folded hands if nothing else is left (X-7); there is none if nobody has folded."""
    _reshuffle_if_short(hand, events, 1)
    emit(
        hand,
        events,
        e.DealtBoard(min(1, len(hand.deck) - hand.next_card_index), hand.next_card_index, len(hand.board_indices) - 1),
    )
    return False


def _burn(hand: Hand, events: EmittedEvents, _step: steps.Step) -> bool:
    if hand.next_card_index >= len(hand.deck):
        _reshuffle_if_short(hand, events, 1)
    emit(hand, events, e.Burned(hand.next_card_index))
    return False


def _reshuffle_if_short(hand: Hand, events: EmittedEvents, count: int) -> None:
    """Shuffle dead cards back where draws have left too few for the board (X-7)."""
    if short := missing_card_count(hand, count):
        emit(hand, events, e.Reshuffled(reshuffled_order(hand, short)))


def _deal_board(hand: Hand, events: EmittedEvents, step: steps.DealBoard) -> bool:
    boards = len(hand.board_indices)
    for number in range(boards):
        if boards > 1 and len(hand.board_indices[number]) > len(hand.board_indices[-1]):
            continue  # has its cards: a replay goes on here where the deck ran out between two boards
        if hand.next_card_index + step.count > len(hand.deck):
            _reshuffle_if_short(hand, events, step.count)
        emit(hand, events, e.DealtBoard(step.count, hand.next_card_index, number))
    return False


def _run_betting_round(hand: Hand, events: EmittedEvents, step: steps.BettingRound) -> bool:
    """Open a betting round, and close it after the last seat has acted."""
    if hand.decision is _BET_DECISION:  # all have acted
        if hand.rules.single_action_steps[hand.step_index] and not one_seat_left(hand.live_seats) and any(hand.bets):
            emit(hand, events, e.BetsLeftUntilDraw())
            return False
    else:
        first, duty = first_to_act(hand)
        if first >= 0 and has_betting_decision(hand, first):
            emit(hand, events, e.BettingRoundOpened(step.street, first, duty))
            return True
    if (
        hand.in_first_betting_round
        and hand.rules.options.passed_out is not PassedOutRule.BLINDS_PLAY
        and not any(hand.bets)
        and hand.opener < 0
        and hand.live_seats == hand.seats_checked
    ):
        emit(hand, events, e.HandPassedOut(hand.pot))
        emit(hand, events, e.HandEnded())
        return True
    close_betting_round(hand, events)
    _show_all_in_hands(hand, events)
    return False


def _roll_out(hand: Hand, events: EmittedEvents, _step: steps.RollOut) -> bool:
    emit(hand, events, e.CardsRolledOut())
    return False


def _deal_up_or_down(hand: Hand, events: EmittedEvents, _step: steps.DealUpOrDown) -> bool:
    if not _ensure_cards(hand, events, hand.live_seats.bit_count()):
        return _deal_common_card(hand, events)
    emit(hand, events, e.DealtUpOrDown(hand.next_card_index))
    return False


def _run_showdown(hand: Hand, events: EmittedEvents, _step: steps.Step) -> bool:
    if hand.rules.wild_card_customs:
        up_ranks = {hand.deck[card_index] >> 2 for up in hand.up_indices for card_index in up}
        if any(custom.voids_hand(up_ranks) for custom in hand.rules.wild_card_customs):
            emit(hand, events, e.HandVoided(hand.rules.rule_card.law_id, e.VoidReason.NO_WILD_RANK))
            return True
    if not hand.showdown:
        emit(hand, events, e.ShowdownOpened(first_to_show(hand)))
    return continue_showdown(hand, events)


_RUN_STEP: dict[type[steps.AnyStep], Callable[[Hand, EmittedEvents, Any], bool]] = {
    steps.PostForcedBets: _post_forced_bets,
    steps.DealDown: _deal_down,
    steps.DealUp: _deal_up,
    steps.Burn: _burn,
    steps.DealBoard: _deal_board,
    steps.BettingRound: _run_betting_round,
    steps.Showdown: _run_showdown,
    steps.OfferStraddles: offer_straddles,
    steps.GiveUpCards: run_secret_choice,
    steps.PassCards: run_secret_choice,
    steps.ArrangeCards: run_secret_choice,
    steps.DeclareInSecret: run_secret_choice,
    steps.RollOut: _roll_out,
    steps.OfferTurnUp: offer_turn_up,
    steps.DealUpOrDown: _deal_up_or_down,
    steps.DealUpInTurn: _deal_up_in_turn,
    steps.Draw: run_draw,
}
