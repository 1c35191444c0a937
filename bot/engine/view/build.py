"""The hand as a seat, or the public, can see it (laws TL-22, TL-37, TL-39). `view/redact.py` does the same for
histories.

A street can have hundreds of actions, and every view of the hand shows them. So they are worked out once: the hand
keeps what an earlier view made of them (`SeenActions`), and a later view adds only what has happened since (laws C-5,
VC-5, VC-20, VC-24).
"""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.betting.bet_sizes import full_bet_limits, raise_forbidden_law
from bot.engine.betting.pots import pots
from bot.engine.cards import JOKER
from bot.engine.customs import LosersMatchPot
from bot.engine.decide import legal, legal_out_of_turn
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, LegalActions, OfferKind
from bot.engine.options.values import Checking, FirstOpener, Switch
from bot.engine.ranking import Evaluator, HandName
from bot.engine.showdown.hand_values import (
    cards_that_play,
    evaluators_for,
    min_openers_rank,
    seat_of_opener,
    splits_openers,
    wild_card_indices,
)
from bot.engine.steps import (
    BettingRound,
    Burn,
    DealBoard,
    DeclareInSecret,
    Draw,
    GiveUpCards,
    Showdown,
)
from bot.engine.units import NO_CARD, NO_SEAT, CardIndex, SeatIndex, SeatNumber
from bot.engine.view.types import (
    SPLITTING_OPENERS,
    ActionVerb,
    CardView,
    HandSeatState,
    HandView,
    LastAction,
    PaymentView,
    PotView,
    SeatView,
    SeenActions,
    ShareView,
)

_BET, _STAND_ONCE = Decision.BET, Checking.STAND_ONCE  # looked up once, see evolve
_LIVE, _ALL_IN, _FOLDED = HandSeatState.LIVE, HandSeatState.ALL_IN, HandSeatState.FOLDED


def view(hand: Hand, viewer: SeatIndex | None) -> HandView:
    """What `viewer` (a seat of this hand, or None for the public) can see."""
    seen = seen_actions(hand)
    won = [0] * hand.seat_count
    for payment in hand.payments:
        won[payment.seat] += payment.chips
    over, rules = hand.over, hand.rules
    seat_view = _seat_view_face_down if _nothing_is_shown(hand) else _seat_view
    evaluators = evaluators_for(hand, viewer if viewer is not None else NO_SEAT)
    return HandView(
        viewer=viewer,
        game=hand.rules.rule_card.name,
        stakes=rules.stakes,
        ante_rule=rules.options.ante,
        street="showdown" if over and hand.showdown else hand.street,
        seats=tuple([seat_view(hand, seat, viewer, seen.last_by_seat.get(seat), won[seat]) for seat in hand.seats]),
        boards=tuple([hand.board_cards(number) for number in range(len(hand.board_indices))]),
        pot=sum(payment.chips for payment in hand.payments) if over else hand.pot,
        pots=_pot_views(hand),
        current_bet=hand.current_bet,
        to_act=hand.to_act,
        decision_number=hand.decision_number,
        button_seat_number=hand.started.button_seat_number,
        street_actions=seen.actions,
        legal=legal(hand, viewer) if viewer is not None else None,
        legal_to_act=_public_legal_actions(hand) if hand.to_act >= 0 else None,
        over=over,
        voided=hand.voided,
        void_reason=hand.void_reason,
        showdown=hand.showdown,
        payments=_payment_views(hand) if over else (),
        carried_to_next_hand=hand.carried_to_next_hand,
        rabbit_cards=_rabbit_cards(hand) if over else (),
        wild_ranks=(*hand.rules.options.wild_ranks, *hand.current_wild_ranks),
        wild_cards=rules.options.wild_cards,
        joker_count=rules.joker_count,
        family=hand.rules.rule_card.family,
        limit=str(rules.limit),
        check_called_stand=rules.options.check is _STAND_ONCE,
        equalising=hand.decision is _BET and hand.draw_open,
        shares=tuple(
            [
                ShareView(share.name, evaluator.ranking)
                for share, evaluator in zip(rules.rule_card.shares, evaluators, strict=True)
            ]
        ),
        cards_to_come=rules.cards_to_come[hand.step_index],
        draw_progress=_draw_progress(hand) if hand.draw_open else (0, 0),
        draws_left=0 if over else rules.draws_left[hand.step_index],
        openers_rank=min_openers_rank(hand) if rules.openers is not None and hand.opener < 0 and not over else -1,
        joker_kind=_joker_kind(hand, evaluators[0]),
        wild_common_cards=_wild_common_cards(hand, evaluators[0]),
        seat_of_opener=seat_of_opener(hand),
        passed_out=hand.passed_out,
        uncalled_bet_returned=hand.uncalled_bet_returned if over else None,
        legal_out_of_turn=legal_out_of_turn(hand, viewer) if viewer is not None else None,
    )


def _public_legal_actions(hand: Hand) -> LegalActions:
    """What the seat to act can do, without what its hidden cards tell about it: openers, aces and wild cards show in
    nothing here."""
    seat = hand.to_act
    can = legal(hand, seat)
    if can.decision is _BET and can.max_to:
        return can
    match can.decision:
        case Decision.BET if raise_forbidden_law(hand, seat) == "VC-20":
            minimum, maximum = full_bet_limits(hand, seat)
            total = hand.bets[seat] + hand.stacks[seat]
            if total <= hand.current_bet or (total < minimum and not hand.rules.allows_all_in):  # not even with openers
                return replace(can, no_raise_law="TL-3" if total <= hand.current_bet else "B-7")
            return replace(can, min_to=min(minimum, total), max_to=min(maximum, total), no_raise_law="")
        case Decision.DRAW:
            step = hand.rules.steps[hand.step_index]
            maximum = step.max_cards if isinstance(step, Draw) else can.max_cards
            return replace(can, max_cards=maximum, deck_is_short=False)  # an ace can let them draw one more
        case Decision.SHOW if can.designable_indices or can.declarable_words:
            return replace(can, declarable_words=(), designable_indices=(), offer_kind=OfferKind.DESIGNATE)
        case _:
            return can


def _draw_progress(hand: Hand) -> tuple[int, int]:
    """The number of the open draw, and how many draws there are."""
    draws = [index for index, step in enumerate(hand.rules.steps) if isinstance(step, Draw)]
    return (draws.index(hand.step_index) + 1, len(draws)) if hand.step_index in draws else (0, 0)


def _joker_kind(hand: Hand, evaluator: Evaluator) -> str:
    """What the deck's joker is."""
    if not hand.rules.joker_count:
        return ""
    return {"bug": "bug", "none": ""}.get(evaluator.ranking.wild.method_of(JOKER).value, "wild")


def _wild_common_cards(hand: Hand, evaluator: Evaluator) -> tuple[int, ...]:
    if not hand.rules.plays_wild_cards:
        return ()
    common = dict.fromkeys(card for number in range(len(hand.board_indices)) for card in hand.board_cards(number))
    return tuple(card for card in common if evaluator.ranking.wild.method_of(card).value != "none")


def _nothing_is_shown(hand: Hand) -> bool:
    """Whether the seats are seen as they are dealt: nobody has shown, mucked or announced anything, nothing is wild and no chips wait."""
    return not (
        hand.over
        or hand.shown_seats
        or hand.mucked_seats
        or hand.shown_indices
        or hand.proven_opener_indices
        or hand.out_of_turn_chips
        or hand.rules.plays_wild_cards
    )


def _seat_view_face_down(
    hand: Hand, seat: SeatIndex, viewer: SeatIndex | None, last: LastAction | None, won: int
) -> SeatView:
    """As `_seat_view`, while `_nothing_is_shown`: for nearly every seat of nearly every redraw, in a third of the time."""
    if seat == viewer:
        return _seat_view(hand, seat, viewer, last, won)
    bit = 1 << seat
    dealt = _cards_as_dealt(hand, seat)
    is_live = bool(hand.live_seats & bit)
    return SeatView(
        seat,
        hand.started.seat_numbers[seat],
        hand.stacks[seat],
        hand.bets[seat],
        hand.put_in[seat],
        (_LIVE if hand.seats_with_chips & bit else _ALL_IN) if is_live else _FOLDED,
        dealt if is_live else (),
        last,
        None,
        won,
        hand.started.stacks[seat],
        hand.draw_counts[seat],
        hand.choice_open and bool(hand.seats_to_choose & bit),
        hand.declarations[seat],
        folded_cards=() if is_live else dealt,
    )


def _seat_view(hand: Hand, seat: SeatIndex, viewer: SeatIndex | None, last: LastAction | None, won: int) -> SeatView:
    bit = 1 << seat
    deck = hand.deck
    own = seat == viewer
    open_to_all = bool(hand.shown_seats & bit)
    folded = not hand.live_seats & bit and not open_to_all
    down, shown = hand.down_indices[seat], hand.shown_indices
    if own:
        cards = tuple(
            [
                CardView(deck[card_index], open_to_all or card_index in shown, CardIndex(card_index))
                for card_index in down
            ]
        )
    elif open_to_all:
        cards = tuple([CardView(deck[card_index], True) for card_index in down])
    elif shown and not shown.isdisjoint(down):
        cards = tuple(CardView(deck[card_index], True) if card_index in shown else _HIDDEN_CARD for card_index in down)
    elif folded or hand.mucked_seats & bit:
        cards = ()
    else:
        cards = (_HIDDEN_CARD,) * len(hand.down_indices[seat])
    if hand.up_indices[seat] and (own or not folded):
        cards += tuple(
            [
                CardView(deck[card_index], True, CardIndex(card_index) if own else NO_CARD)
                for card_index in hand.up_indices[seat]
            ]
        )
    state = _FOLDED if not hand.live_seats & bit else _LIVE if hand.seats_with_chips & bit else _ALL_IN
    names_hand = own or (open_to_all and hand.showdown)
    passed_cards = hand.passed_cards if own else ()
    # In the order of its fields as far as `declaration`: Python makes a call with many names by way of a dictionary.
    return SeatView(
        seat,
        hand.started.seat_numbers[seat],
        hand.stacks[seat],
        hand.bets[seat],
        hand.put_in[seat],
        state,
        cards,
        last,
        made_hand(hand, seat) if names_hand else None,
        won,
        hand.started.stacks[seat],
        hand.draw_counts[seat],
        hand.choice_open and bool(hand.seats_to_choose & bit),
        hand.declarations[seat],
        designations=_designations(hand, seat),
        wild_cards=_visible_wild_cards(hand, seat, cards),
        openers_shown=tuple([deck[card_index] for card_index in hand.proven_opener_indices])
        if hand.opener == seat
        else (),
        shown_alone=tuple([deck[card_index] for card_index in down if card_index in shown])
        if shown and not open_to_all
        else (),
        made_by_share=_made_by_share(hand, seat) if names_hand else (),
        made_by_board=_made_by_board(hand, seat) if names_hand else (),
        pot_matched=_pot_matched(hand, seat, won),
        held_chips=hand.out_of_turn_chips[seat] if hand.out_of_turn_chips else 0,
        received_cards=tuple([deck[index] for _, to, passed in passed_cards if to == seat for index in passed]),
        received_from=next(
            (hand.started.seat_numbers[giver] for giver, to, _ in passed_cards if to == seat), SeatNumber(0)
        )
        if passed_cards
        else SeatNumber(0),
        folded_cards=_cards_as_dealt(hand, seat) if folded else (),
    )


_HIDDEN_CARD = CardView(None)


def _cards_as_dealt(hand: Hand, seat: SeatIndex) -> tuple[CardView, ...]:
    """What lies before a seat that has shown nothing, or lay there until it folded, as everybody sees it."""
    up = hand.up_indices[seat]
    backs = (_HIDDEN_CARD,) * len(hand.down_indices[seat])
    return (*backs, *[CardView(hand.deck[card_index], True) for card_index in up]) if up else backs


def _designations(hand: Hand, seat: SeatIndex) -> tuple[tuple[int, int], ...]:
    """What a seat has announced of its wild cards; known to all once they lie open."""
    if not hand.designated or not hand.shown_seats >> seat & 1:
        return ()
    deck = hand.deck
    return tuple(
        (deck[card_index], card) for who, pairs, _ in hand.designated if who == seat for card_index, card in pairs
    )


def _visible_wild_cards(hand: Hand, seat: SeatIndex, cards: tuple[CardView, ...]) -> tuple[int, ...]:
    """The wild ones among the cards seen: the joker, and what the game makes wild now."""
    if not hand.rules.plays_wild_cards:
        return ()
    seen = {card.card for card in cards if card.card is not None}
    deck = hand.deck
    return tuple([deck[card_index] for card_index in wild_card_indices(hand, seat) if deck[card_index] in seen])


def made_hand(hand: Hand, seat: SeatIndex) -> HandName | None:
    """The best hand a seat has so far by the first ranking of the game; None while it holds no cards."""
    hole = _own_cards(hand, seat)
    if not hole:
        return None
    evaluator = evaluators_for(hand, seat)[0]
    value = evaluator.best(hole, hand.board_cards())
    return evaluator.name(value) if value else None


def _own_cards(hand: Hand, seat: SeatIndex) -> tuple[int, ...]:
    """A seat's own cards; none once a folded hand has been shuffled back, because its cards can now be others' (X-7)."""
    return (
        ()
        if hand.reshuffled_indices and not hand.reshuffled_indices.isdisjoint(hand.down_indices[seat])
        else hand.held_cards(seat)
    )


def _made_by_share(hand: Hand, seat: SeatIndex) -> tuple[tuple[str, HandName], ...]:
    """What a seat holds for each share of the pot, where there are several; a low that does not qualify is left out."""
    return _made_on_board(hand, seat, 0) if len(hand.rules.rule_card.shares) > 1 else ()


def _made_by_board(hand: Hand, seat: SeatIndex) -> tuple[tuple[tuple[str, HandName], ...], ...]:
    """What a seat holds on each board, where there are several."""
    boards = range(len(hand.board_indices))
    return tuple(_made_on_board(hand, seat, board) for board in boards) if len(boards) > 1 else ()


def _made_on_board(hand: Hand, seat: SeatIndex, board: int) -> tuple[tuple[str, HandName], ...]:
    hole = _own_cards(hand, seat)
    if not hole:
        return ()
    found = []
    for share, evaluator in zip(hand.rules.rule_card.shares, evaluators_for(hand, seat), strict=True):
        value = evaluator.best(hole, hand.board_cards(board))
        if value:
            found.append((share.name, evaluator.name(value)))
    return tuple(found)


def _pot_matched(hand: Hand, seat: SeatIndex, won: int) -> int:
    """Chips a loser has put in again for the next hand (VC-27)."""
    if not hand.over or hand.voided or not hand.rules.rule_card.has_custom(LosersMatchPot) or hand.passed_out:
        return 0
    return max(0, hand.started.stacks[seat] - hand.put_in[seat] + won - hand.stacks[seat])


def _rabbit_cards(hand: Hand) -> tuple[tuple[int, ...], ...]:
    """The common cards that would have come, by board, after a hand that ended before them, where the table plays so
    (TL-26). It stops at a draw and at a player's next card, which nobody can foresee, and before cards that somebody
    has held (X-7)."""
    if hand.rules.options.rabbit is not Switch.ON or hand.voided:
        return ()
    card_index, deck = hand.next_card_index, hand.deck[: len(hand.rules.deck_cards)]
    found: list[list[int]] = [[] for _ in hand.board_indices]
    for step in hand.rules.steps[hand.step_index :]:
        if isinstance(step, Burn):
            card_index += 1
        elif isinstance(step, DealBoard):
            for board in found:
                board.extend(deck[card_index : card_index + step.count])
                card_index += step.count
        elif not isinstance(step, _TAKES_NO_CARD):
            break
    return tuple(map(tuple, found)) if any(found) else ()


_TAKES_NO_CARD = (BettingRound, GiveUpCards, DeclareInSecret, Showdown)
"""Steps that leave the deck as it is, whatever the players would have done."""


def _pot_views(hand: Hand) -> tuple[PotView, ...]:
    """The pots without the live bets of this street."""
    if hand.put_in == hand.bets and not hand.dead_chips and not hand.over:
        return ()  # the first street
    if hand.over:
        layers = pots(hand.put_in, hand.live_seats, hand.dead_chips)
    else:
        gathered = [chips - bet for chips, bet in zip(hand.put_in, hand.bets, strict=True)]
        layers = pots(gathered, hand.live_seats, hand.dead_chips)
    return tuple([PotView(pot.chips, tuple(seats_in(pot.eligible_seats))) for pot in layers if pot.chips])


def _payment_views(hand: Hand) -> tuple[PaymentView, ...]:
    shares = {share.name: at for at, share in enumerate(hand.rules.rule_card.shares)}
    views = []
    for paid in hand.payments:
        made: HandName | None = None
        if paid.value:
            made = evaluators_for(hand, paid.seat)[shares[paid.share]].name(paid.value)
        playing: tuple[int, ...] = ()
        if hand.showdown and hand.shown_seats >> paid.seat & 1:
            playing = cards_that_play(hand, paid.seat, shares[paid.share] if paid.value else 0, paid.board_index)
        views.append(
            PaymentView(
                paid.pot_index, paid.share, paid.seat, paid.chips, made, paid.odd_chips, paid.board_index, playing
            )
        )
    return tuple(views)


def seen_actions(hand: Hand) -> SeenActions:
    """The actions of the street so far, and the last one of each seat. What is already known of them is reused."""
    events, known = hand.street_actions, hand.seen_actions
    if known.events is events:
        return known
    count = len(known.events)
    if not count or count > len(events) or events[count - 1] is not known.events[-1]:
        known, count = SeenActions(), 0  # another street has begun since
    new = [action for event in events[count:] if (action := _seen(hand, event)) is not None]
    if _opened_by_card(hand) and hand.rules.stakes.bring_in:
        new = _with_bring_in(hand, known.actions, new)
    last_by_seat = known.last_by_seat.copy()
    for action in new:
        last_by_seat[action.seat_index] = action
    hand.seen_actions = SeenActions(events, (*known.actions, *new), last_by_seat)
    return hand.seen_actions


def _opened_by_card(hand: Hand) -> bool:
    """Whether a card on show opened the betting round whose actions are listed. The round can be over: its actions
    are listed until the next one begins."""
    if hand.rules.options.first_1 not in _OPENED_BY_CARD:
        return False
    return hand.street == next((step.street for step in hand.rules.steps if isinstance(step, BettingRound)), None)


_OPENED_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def _with_bring_in(hand: Hand, before: tuple[LastAction, ...], new: list[LastAction]) -> list[LastAction]:
    """Call the forced bet of a card a bring-in, and in a game of fixed sizes the first raise over it a completion (VC-5)."""
    verbs = {action.verb for action in before[:_BRING_IN_SOUGHT_IN]}
    named: list[LastAction] = []
    for action in new:
        verb = action.verb
        if verb is ActionVerb.BET and ActionVerb.BRING_IN not in verbs and action.to <= hand.rules.amounts.bring_in:
            verb = ActionVerb.BRING_IN
        elif (
            verb is ActionVerb.RAISE
            and hand.rules.has_fixed_sizes
            and ActionVerb.BRING_IN in verbs
            and not verbs & {ActionVerb.COMPLETE, ActionVerb.RAISE}
        ):
            verb = ActionVerb.COMPLETE
        verbs.add(verb)
        named.append(action if verb is action.verb else _renamed(action, verb))
    return named


_BRING_IN_SOUGHT_IN = 40
"""The bring-in and the raise that completes it are among the first actions: ten posts, and two rounds of ten seats, are fewer."""


def _renamed(action: LastAction, verb: ActionVerb) -> LastAction:
    return LastAction(action.seat_index, verb, action.to, action.chips, action.all_in)


def _seen(hand: Hand, event: e.HandEvent) -> LastAction | None:
    """What everybody saw of one event; None where it was no action of a seat."""
    match event:
        case e.Folded(seat):
            return LastAction(seat, ActionVerb.FOLD)
        case e.Checked(seat):
            stands = hand.rules.options.check is Checking.STAND_ONCE
            return LastAction(seat, ActionVerb.STAND if stands else ActionVerb.CHECK)
        case e.Called(seat, chips, all_in):
            return LastAction(seat, ActionVerb.CALL, chips=chips, all_in=all_in)
        case e.BetTo(seat, to, chips, all_in):
            return LastAction(seat, ActionVerb.BET, to, chips, all_in)
        case e.RaisedTo(seat, to, chips, all_in):
            return LastAction(seat, ActionVerb.RAISE, to, chips, all_in)
        case e.Posted(seat, kind, chips):
            if not chips:  # the ante took the last chip: that it was posted is what everybody saw (TL-7)
                return None
            return LastAction(seat, ActionVerb.POST, chips=chips, note=kind.value)
        case e.Straddled(seat, to, chips):
            return LastAction(seat, ActionVerb.STRADDLE, to, chips)
        case e.StraddleDeclined(seat):
            return LastAction(seat, ActionVerb.DECLINE_STRADDLE)
        case e.Drew(seat, discards):
            note = SPLITTING_OPENERS if splits_openers(hand, seat, discards) else ""
            return LastAction(seat, ActionVerb.DRAW, card_count=len(discards), note=note)
        case e.SecretChoiceMade(seat):
            return LastAction(seat, ActionVerb.CHOOSE)
        case e.CardTurnedUp(seat, card_index):
            return LastAction(seat, ActionVerb.TURN_UP, card=hand.deck[card_index])
        case e.OfferDeclined(seat):
            return LastAction(seat, ActionVerb.LEAVE_DOWN)
        case e.PricePaid(seat, card_index, chips):
            all_in = _price_took_stack(hand, event)
            return LastAction(seat, ActionVerb.PAY, chips=chips, all_in=all_in, card=hand.deck[card_index])
        case e.ExtraCardDealt(seat, cause_index):
            return LastAction(seat, ActionVerb.GET_EXTRA_CARD, card_count=1, card=hand.deck[cause_index])
        case _:
            return None


def _price_took_stack(hand: Hand, price: e.PricePaid) -> bool:
    """Whether the price took the payer's last chips: they are all-in and have put nothing in since (VC-24)."""
    bit = 1 << price.seat
    if not hand.live_seats & bit or hand.seats_with_chips & bit:
        return False
    later = hand.street_actions[hand.street_actions.index(price) + 1 :]
    return not any(isinstance(event, _BETTING_CHIP_EVENTS) and event.seat == price.seat for event in later)


_BETTING_CHIP_EVENTS = (e.Called, e.BetTo, e.RaisedTo, e.PricePaid)
