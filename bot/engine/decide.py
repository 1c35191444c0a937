"""What a seat can do now, and the ruling on what it asks for.

`legal` is the one source of what is allowed; `decide` rules on a command and adds everything that the dealer does
after it. A refusal leaves no trace: the hand given is never changed.

Laws: A8, A9, TL-2 to TL-6, TL-17 to TL-22, TL-34, TL-35, I-8.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine.betting.bet_sizes import (
    awaits_opening_bet,
    can_bet_to,
    full_bet_limits,
    raise_forbidden_law,
    raise_limits,
    wager_limits,
)
from bot.engine.betting.straddles import decide_straddle, legal_straddle
from bot.engine.choices.offers import decide_accept, decide_decline, legal_offer
from bot.engine.choices.secret_choices import (
    NO,
    YES,
    decide_chosen_cards,
    decide_declaration,
    legal_choice,
)
from bot.engine.dealing.dealer import run_until_decision
from bot.engine.dealing.draws import decide_discard, legal_draw
from bot.engine.errors import LawError
from bot.engine.evolve import APPLY_EVENT, EmittedEvents, begin_hand
from bot.engine.hand import Hand, is_asked, one_seat_left
from bot.engine.legal import Decision, LegalActions, OpeningDuty
from bot.engine.options.values import Checking, FirstOpener, Limit, MinRaise, OutOfTurn
from bot.engine.showdown.hand_values import (
    ace_words_at_show,
    check_designation,
    common_card_indices,
    designable_indices,
    min_openers_rank,
    must_designate,
)
from bot.engine.showdown.settle import forced_show_law
from bot.engine.stakes import MAX_CHIPS
from bot.engine.steps import Draw
from bot.engine.units import CardIndex, SeatIndex

_BET, _DRAW, _NONE = Decision.BET, Decision.DRAW, Decision.NONE  # looked up once, see evolve
_FREE, _ALLOWED = OpeningDuty.FREE, Checking.ALLOWED


def start(started: e.HandStarted, deck: tuple[int, ...]) -> tuple[tuple[e.HandEvent, ...], Hand]:
    """Begin a hand: post, deal, and find the first to act. Returns all events, `started` first, and the hand after
    them."""
    hand = begin_hand(started, deck)
    events: EmittedEvents = [started]
    run_until_decision(hand, events)
    return tuple(events), hand


def legal(hand: Hand, seat: SeatIndex) -> LegalActions:
    """What the seat can do now; nothing when it is not its turn."""
    if seat != hand.to_act or hand.decision is _NONE:
        if hand.choice_open and is_asked(hand, seat):
            return legal_choice(hand, seat)
        return LegalActions(seat, pot=hand.pot, current_bet=hand.current_bet, stack=hand.stacks[seat])
    if hand.decision is not _BET:
        return legal_draw(hand, seat) if hand.decision is _DRAW else _LEGAL_BY_DECISION[hand.decision](hand, seat)
    level, stack = hand.current_bet, hand.stacks[seat]
    to_call = level - hand.bets[seat]
    minimum, maximum, no_raise_law = wager_limits(hand, seat)
    if hand.opening_duty is not _FREE:
        bring_in = min(hand.rules.amounts.bring_in, stack)
        return LegalActions(
            seat,
            _BET,
            minimum,
            maximum,
            pot=hand.pot,
            stack=stack,
            fold=hand.opening_duty is OpeningDuty.OPEN_OR_FOLD,
            opening=True,
            bring_in=bring_in if bring_in < minimum or not maximum else 0,
            completes=hand.rules.has_fixed_sizes and bool(maximum) and bring_in < minimum,
        )
    fixed = hand.rules.has_fixed_sizes
    if to_call <= 0:
        return LegalActions(
            seat,
            _BET,
            minimum,
            maximum,
            no_raise_law,
            level,
            0,
            hand.pot,
            stack,
            fold=True,
            check=hand.rules.options.check is _ALLOWED or _check_refusal(hand, seat) is None,
            opening=not level,
            two_sizes=fixed and minimum < maximum,
        )
    if hand.out_of_turn_chips:
        to_call -= hand.out_of_turn_chips[seat]  # they lie in front of the seat already (I-8)
    call = to_call
    if to_call >= stack:
        call = stack if to_call == stack or hand.rules.allows_all_in else 0
    if hand.opener < 0 and awaits_opening_bet(hand):
        call = 0
    return LegalActions(
        seat,
        _BET,
        minimum,
        maximum,
        no_raise_law,
        level,
        to_call,
        hand.pot,
        stack,
        fold=True,
        call_chips=call,
        call_all_in=call == stack,
        two_sizes=fixed and minimum < maximum,
        completes=fixed and not hand.last_full_bet and bool(maximum) and _card_opened(hand),
    )


def _card_opened(hand: Hand) -> bool:
    """Whether a card on show has opened this betting round with a forced bet (F-6, F-7)."""
    return hand.in_first_betting_round and hand.rules.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def legal_as_if_in_turn(hand: Hand, seat: SeatIndex) -> LegalActions:
    """What the seat could do if it were its turn now. Only the first to act has a duty to open with a card on show."""
    if seat == hand.to_act:
        return legal(hand, seat)
    as_if: Hand = hand.copy()
    as_if.to_act, as_if.opening_duty = seat, _FREE
    return legal(as_if, seat)


def legal_out_of_turn(hand: Hand, seat: SeatIndex) -> LegalActions | None:
    """What the seat can do before its turn: sizes as if it were its turn now; no fold and no check where only chips are
    held. None where an early bet changes nothing, and for a seat that has put chips in early (I-8, TL-34)."""
    if seat == hand.to_act:
        return None
    if _holds_out_of_turn(hand, seat):
        return replace(legal_as_if_in_turn(hand, seat), fold=False, check=False)
    return legal_as_if_in_turn(hand, seat) if _can_note_out_of_turn(hand, seat, c.Call()) else None


def decide(hand: Hand, seat: SeatIndex, command: c.HandCommand) -> tuple[e.HandEvent, ...]:
    """Rule on a command. Returns what happens because of it, down to the next decision or the end of the hand.

    Raises:
        LawError: the command is not lawful now; nothing has changed. `legal` is filled in.
    """
    return decide_and_evolve(hand, seat, command)[0]


def decide_and_evolve(hand: Hand, seat: SeatIndex, command: c.HandCommand) -> tuple[tuple[e.HandEvent, ...], Hand]:
    """As `decide`, and the hand after those events. It is the hand that `evolve` would make of them, so nobody needs
    to work it out twice.

    Raises:
        LawError: the command is not lawful now; nothing has changed. `legal` is filled in.
    """
    try:
        if seat != hand.to_act and _can_note_out_of_turn(hand, seat, command):
            events = _note_out_of_turn(hand, seat, command)
        else:
            events = _DECIDE_BY_COMMAND[type(command)](hand, seat, command)
    except LawError as refusal:
        if 0 <= seat < hand.seat_count:
            refusal.legal = legal(hand, seat)
        raise
    after: Hand = hand.__copy__()  # type: ignore[attr-defined]  # as `copy`, without the cost of a call
    for event in events:
        APPLY_EVENT[type(event)](after, event)
    if seat == hand.to_act or hand.to_act < 0 or hand.choice_open or one_seat_left(after.live_seats):
        run_until_decision(after, events)
    return tuple(events), after


def void(hand: Hand, law: str, reason: str, kept: tuple[int, ...] = ()) -> tuple[e.HandEvent, ...]:
    """End the hand as if it had not been: everybody takes back what they put in (I-1, I-2, TL-29, TL-38), but for
    `kept`, by seat (I-3).

    Raises:
        HandOver: the hand is over; what was wrong in it is put right by a new transfer.
    """
    if hand.over:
        raise r.HandOver
    return (e.HandVoided(law, reason, kept),)


def _check_refusal(hand: Hand, seat: SeatIndex) -> LawError | None:
    """The refusal of a check where the game has no checking, or the seat has used its only check; else None."""
    if hand.current_bet and hand.bets[seat] >= hand.current_bet:
        return None
    check = hand.rules.options.check
    if check is Checking.FORBIDDEN:
        return r.CheckingNotAllowed()
    if check is Checking.STAND_ONCE and hand.seats_checked >> seat & 1:
        return r.AlreadyCheckedOnce()
    return None


def _require_turn(hand: Hand, seat: SeatIndex, decision: Decision = Decision.BET) -> None:
    """Refuse a seat that is not to act, or is asked for something else (B-10, TL-35)."""
    if seat == hand.to_act and hand.decision is decision:
        return
    if hand.over:
        raise r.HandOver
    if not 0 <= seat < hand.seat_count:
        raise r.NotDealtIn
    if seat != hand.to_act:
        if not hand.live_seats >> seat & 1:
            raise r.HandIsDead(law="B-10")
        raise r.NotYourTurn(seat_number=hand.started.seat_numbers[hand.to_act] if hand.to_act >= 0 else 0)
    if hand.decision is not decision:
        raise r.NotAskedNow(expected=hand.decision)


def _fold(hand: Hand, seat: SeatIndex, _command: c.Fold) -> EmittedEvents:
    _require_turn(hand, seat)
    if hand.opening_duty is OpeningDuty.OPEN:
        raise r.MustOpen(law=_forced_opener_law(hand), minimum=min(hand.rules.amounts.bring_in, hand.stacks[seat]))
    return [e.Folded(seat)]


def _check(hand: Hand, seat: SeatIndex, _command: c.Check) -> EmittedEvents:
    _require_turn(hand, seat)
    to_call = hand.current_bet - hand.bets[seat]
    if to_call > 0:
        raise r.CannotCheck(to_call=to_call)
    if hand.opening_duty is not _FREE:
        raise r.MustOpen(law=_forced_opener_law(hand), minimum=min(hand.rules.amounts.bring_in, hand.stacks[seat]))
    if hand.rules.options.check is not _ALLOWED:
        refusal = _check_refusal(hand, seat)
        if refusal:
            raise refusal
    return [e.Checked(seat)]


def _forced_opener_law(hand: Hand) -> str:
    return "F-6" if hand.rules.options.first_1 is FirstOpener.LOW_CARD else "F-7"


def _call(hand: Hand, seat: SeatIndex, command: c.Call) -> EmittedEvents:
    if seat != hand.to_act and (early := _put_in_out_of_turn(hand, seat, hand.current_bet)):
        return early
    if hand.decision is not _BET or seat != hand.to_act:
        _require_turn(hand, seat)
    to_call = hand.current_bet - hand.bets[seat]
    if to_call <= 0:  # a call of nothing is a check (TL-18)
        return _check(hand, seat, c.Check())
    if hand.opener < 0 and awaits_opening_bet(hand):
        raise r.NothingToCallYet(minimum=full_bet_limits(hand, seat)[0])
    chips = hand.stacks[seat]
    if hand.out_of_turn_chips:
        chips += hand.out_of_turn_chips[seat]
    if to_call < chips:
        return [e.Called(seat, to_call)]
    if to_call > chips and not hand.rules.allows_all_in:
        raise r.CannotCall(to_call=to_call, stack=chips)
    return [e.Called(seat, chips, True)]


def _raise_to(hand: Hand, seat: SeatIndex, command: c.Bet | c.RaiseTo) -> EmittedEvents:
    to = command.to
    if not 0 < to <= MAX_CHIPS:
        raise r.NotAnAmount(to=to)
    if seat != hand.to_act:
        early = _put_in_out_of_turn(hand, seat, to)
        if early:
            return early
    if hand.decision is not _BET or seat != hand.to_act:
        _require_turn(hand, seat)
    if hand.opening_duty is not _FREE and to == min(hand.rules.amounts.bring_in, hand.stacks[seat]):
        bet = e.BetTo(seat, to, to, to == hand.stacks[seat])
        is_forced = hand.opening_duty is OpeningDuty.OPEN and seat in hand.started.absent_seats
        is_dead = is_forced and bet.all_in and not one_seat_left(hand.live_seats)
        return [bet, e.Folded(seat)] if is_dead else [bet]  # who is absent has a dead hand then (SG-3)
    if not can_bet_to(hand, seat, to):
        raise _bet_refusal(hand, seat, to, *raise_limits(hand, seat))
    own = hand.bets[seat]
    chips = to - own
    make = e.RaisedTo if hand.current_bet else e.BetTo
    return [make(seat, to, chips, chips == hand.stacks[seat])]


def _bet_refusal(hand: Hand, seat: SeatIndex, to: int, minimum: int, maximum: int) -> LawError:
    """The refusal that fits an amount outside the limits."""
    rules, opening = hand.rules, not hand.current_bet
    if not maximum:
        law = raise_forbidden_law(hand, seat)
        if law == "L-10":
            return r.RaisesCapped(cap=rules.raise_cap)
        if law == "VC-20":
            return r.NoOpeners(rank=min_openers_rank(hand))
        refusal = {
            "VC-11": r.NoCheckRaise,
            "TL-4": r.BettingNotReopened,
            "TL-42": r.NobodyCanCallMore if hand.seats_with_chips & ~(1 << seat) else r.NobodyToRaise,
            "I-8": r.ActedOutOfTurn,
            "B-17": r.OnlyCallOrFoldNow,
        }.get(law)
        if refusal:
            return refusal()
        total = hand.bets[seat] + hand.stacks[seat]
        if to > total:
            return r.StackTooShort(to=to, maximum=total)
        return r.RaiseTooSmall(
            law=law,
            to=to,
            minimum=full_bet_limits(hand, seat)[0],
            opening=opening,
        )
    total = hand.bets[seat] + hand.stacks[seat]
    if to > total:
        return r.StackTooShort(to=to, maximum=total)
    if rules.has_fixed_sizes:
        law = "L-7" if rules.limit is Limit.LIMIT else "L-6"
        alternative = maximum if minimum < maximum else 0
        return r.WrongSize(law=law, to=to, required=minimum, or_required=alternative, opening=opening)
    stake_limit = rules.limit is Limit.STAKE_LIMIT
    if to > maximum:
        law = "TL-19" if rules.limit is Limit.POT_LIMIT else _stake_limit_law(hand)
        return r.RaiseTooLarge(law=law, to=to, maximum=maximum, opening=opening)
    if stake_limit:
        law = _stake_limit_law(hand)
        if hand.current_bet and not awaits_opening_bet(hand):
            law = "L-9" if rules.options.min_raise is MinRaise.MATCH_CALL else "B-8"
    else:
        law = "L-8" if rules.limit is Limit.NO_LIMIT else "TL-2"
    return r.RaiseTooSmall(law=law, to=to, minimum=minimum, opening=opening)


def _stake_limit_law(hand: Hand) -> str:
    if awaits_opening_bet(hand):
        return "L-4"
    return "L-2" if hand.current_bet or hand.in_first_betting_round else "L-5"


def _all_in(hand: Hand, seat: SeatIndex, _command: c.AllIn) -> EmittedEvents:
    """The whole stack, or as much as the betting allows: the largest raise, else the call (TL-3)."""
    if seat != hand.to_act and _holds_out_of_turn(hand, seat):
        hand = hand.copy()  # only the first to act has a duty to open with a card on show
        hand.opening_duty = _FREE
        total = hand.bets[seat] + hand.stacks[seat]
        early = _put_in_out_of_turn(hand, seat, raise_limits(hand, seat)[1] or min(hand.current_bet, total))
        if early:
            return early
    _require_turn(hand, seat)
    maximum = raise_limits(hand, seat)[1]
    if maximum:
        return _raise_to(hand, seat, c.RaiseTo(maximum))
    if hand.current_bet <= hand.bets[seat]:  # nothing to call either: not a chip would go in
        raise _bet_refusal(hand, seat, hand.bets[seat] + hand.stacks[seat], 0, 0)
    return _call(hand, seat, c.Call())


def _holds_out_of_turn(hand: Hand, seat: SeatIndex) -> bool:
    """Whether chips that the seat puts in out of turn wait for its turn, where the table plays `OUT_OF_TURN`=hold
    (I-8): those of a seat that has still to act, once."""
    return (
        hand.rules.options.out_of_turn is OutOfTurn.HOLD
        and hand.decision is Decision.BET
        and 0 <= seat < hand.seat_count
        and bool(hand.seats_to_act >> seat & 1)
        and not (hand.out_of_turn_chips and hand.out_of_turn_chips[seat])
    )


def _put_in_out_of_turn(hand: Hand, seat: SeatIndex, to: int) -> EmittedEvents:
    """Chips put in out of turn, held for the turn (I-8); nothing where the table does not hold them (TL-34)."""
    if not _holds_out_of_turn(hand, seat):
        return []
    chips = to - hand.bets[seat]
    if chips <= 0:
        return []
    if chips > hand.stacks[seat]:
        raise r.StackTooShort(to=to, maximum=hand.bets[seat] + hand.stacks[seat])
    if not hand.current_bet and not can_bet_to(hand, seat, to):  # if all before check, this is the bet: it must be one
        raise _bet_refusal(hand, seat, to, *raise_limits(hand, seat))
    return [e.OutOfTurnChipsPutIn(seat, chips)]


def _can_note_out_of_turn(hand: Hand, seat: SeatIndex, command: c.HandCommand) -> bool:
    """Whether an action out of turn is kept for the turn, where the table plays `OUT_OF_TURN`=tda53: the first action
    of a seat that has still to act, and a fold at any time (TL-34)."""
    if hand.rules.options.out_of_turn is not OutOfTurn.TDA53 or not 0 <= seat < hand.seat_count:
        return False
    can_act = hand.seats_with_chips & hand.live_seats if type(command) is c.Fold else hand.seats_to_act
    return (
        hand.decision is Decision.BET
        and not hand.draw_open
        and hand.opening_duty is OpeningDuty.FREE
        and bool(can_act >> seat & 1)
        and type(command) in _BETTING_COMMANDS
        and all(seat != noted[0] for noted in hand.out_of_turn_actions)
    )


def _note_out_of_turn(hand: Hand, seat: SeatIndex, command: c.HandCommand) -> EmittedEvents:
    """What would happen if it were the seat's turn. A fold happens at once, because it binds whatever the others do
    (TDA 53)."""
    in_turn = hand.copy()
    in_turn.to_act = seat
    (action,) = _DECIDE_BY_COMMAND[type(command)](in_turn, seat, command)
    assert isinstance(action, e.BettingAction)
    return [action] if isinstance(action, e.Folded) else [e.OutOfTurnActionNoted(seat, action)]


def _show(hand: Hand, seat: SeatIndex, command: c.Show) -> EmittedEvents:
    if not 0 <= seat < hand.seat_count:
        raise r.NotDealtIn
    if hand.over:
        _refuse_designations(hand, command)
        return _show_after_hand(hand, seat, command.card_indices)
    if hand.decision is not Decision.SHOW:
        raise r.WaitUntilTheEnd
    _require_show_turn(hand, seat)
    if command.card_indices:
        raise r.WholeHandIsShown
    if hand.rules.designates_at_showdown and must_designate(hand, seat):
        return _designate(hand, seat, command)
    _refuse_designations(hand, command)
    return [e.Shown(seat, hand.down_indices[seat])]


def _show_after_hand(hand: Hand, seat: SeatIndex, card_indices: tuple[CardIndex, ...]) -> EmittedEvents:
    """Show the seat's cards, or some of them; those that were shuffled back are gone (Z-4, X-7)."""
    own = hand.down_indices[seat]
    if hand.voided or hand.shown_seats >> seat & 1 or not hand.reshuffled_indices.isdisjoint(own):
        raise r.AlreadyShown
    if not set(card_indices) <= {*own, *hand.up_indices[seat]} or len(set(card_indices)) < len(card_indices):
        raise r.NotYourCard
    hidden = [card_index for card_index in own if card_index not in hand.shown_indices]
    shows = [card_index for card_index in hidden if not card_indices or card_index in card_indices]
    if card_indices and not shows:
        raise r.AlreadyShown
    return [e.Shown(seat, own) if shows == hidden else e.CardsShown(seat, tuple(shows))]


def _refuse_designations(hand: Hand, command: c.Show) -> None:
    """Refuse words on wild cards and aces where nothing is asked: they would count for nothing (W-7, W-8, LO-3)."""
    if command.designations:
        raise r.NothingToDesignate(law="W-7" if hand.rules.declares_wild else "W-8")
    if command.ace_word:
        raise r.NothingToDesignate(law="LO-3")


def _designate(hand: Hand, seat: SeatIndex, command: c.Show) -> EmittedEvents:
    """What a holder announces of their wild cards and aces before hands are compared (W-7, LO-3)."""
    wild = designable_indices(hand, seat) if hand.rules.declares_wild else ()
    within_reach = {*hand.down_indices[seat], *hand.up_indices[seat], *wild}
    meanings: dict[int, int] = {}
    for card_index, card in command.designations:
        if card_index not in within_reach or hand.deck[card_index] in meanings:
            raise r.NotYourCard
        check_designation(hand, seat, hand.deck[card_index], card, meanings)  # refuses a card that is not wild (W-1)
        meanings[hand.deck[card_index]] = card
    words = ace_words_at_show(hand, seat)
    if command.ace_word and command.ace_word not in words:
        raise r.UnknownDeclaration(law="LO-3", words=words)
    return [e.Designated(seat, command.designations, command.ace_word or (words[0] if words else ""))]


def _muck(hand: Hand, seat: SeatIndex, _command: c.Muck) -> EmittedEvents:
    if hand.over:
        raise r.HandOver
    if not 0 <= seat < hand.seat_count:
        raise r.NotDealtIn
    if hand.decision is not Decision.SHOW:
        law = forced_show_law(hand)
        if hand.showdown or law == "Z-1":
            raise r.MustShow(law=law or "TL-21")
        raise r.NotAskedNow(expected=hand.decision)
    _require_show_turn(hand, seat)
    if must_designate(hand, seat):
        raise r.MustShow(law=forced_show_law(hand) or "TL-22")
    if seat == hand.street_aggressor:
        raise r.MustShow(law="Z-5")
    return [e.Mucked(seat)]


def _require_show_turn(hand: Hand, seat: SeatIndex) -> None:
    if seat != hand.to_act:
        if not hand.live_seats >> seat & 1:
            raise r.HandIsDead
        raise r.ShowsFirst(seat_number=hand.started.seat_numbers[hand.to_act])


def _legal_show(hand: Hand, seat: SeatIndex) -> LegalActions:
    designates = must_designate(hand, seat)
    muck = not designates and seat != hand.street_aggressor
    designate = designable_indices(hand, seat) if designates and hand.rules.declares_wild else ()
    common = common_card_indices(hand) if designate else ()
    return LegalActions(
        seat,
        Decision.SHOW,
        pot=hand.pot,
        stack=hand.stacks[seat],
        show=True,
        muck=muck,
        declarable_words=ace_words_at_show(hand, seat) if designates else (),
        designable_indices=designate,
        common_wild_cards=tuple(
            (card_index, hand.deck[card_index]) for card_index in designate if card_index in common
        ),
    )


def _take_straddle(hand: Hand, seat: SeatIndex, command: c.TakeStraddle) -> EmittedEvents:
    if hand.over:
        raise r.HandOver
    return decide_straddle(hand, seat, command.to)


def _has_secret_choice(hand: Hand, seat: SeatIndex) -> bool:
    """Whether this seat still has a secret choice to make."""
    if not 0 <= seat < hand.seat_count:
        raise r.NotDealtIn
    if hand.over:
        raise r.HandOver
    if not hand.choice_open:
        return False
    if not hand.live_seats >> seat & 1:
        raise r.HandIsDead
    if not hand.seats_to_choose >> seat & 1:
        raise r.AlreadyChosen
    return True


def _declare(hand: Hand, seat: SeatIndex, command: c.Declare) -> EmittedEvents:
    if _has_secret_choice(hand, seat) and hand.decision in (Decision.DECLARE, Decision.RUN_TWICE):
        return decide_declaration(hand, seat, command.word)
    raise r.NotAskedNow(expected=hand.decision)


def _accept(hand: Hand, seat: SeatIndex, command: c.Accept) -> EmittedEvents:
    if hand.decision is Decision.RUN_TWICE and _has_secret_choice(hand, seat):
        return decide_declaration(hand, seat, YES)
    if hand.decision is Decision.STRADDLE:
        return _take_straddle(hand, seat, c.TakeStraddle())
    if hand.decision is Decision.OFFER and seat == hand.to_act:
        return decide_accept(hand, seat)
    return _refuse_offer_answer(hand, seat, command)


def _decline(hand: Hand, seat: SeatIndex, command: c.Decline) -> EmittedEvents:
    if hand.decision is Decision.RUN_TWICE and _has_secret_choice(hand, seat):
        return decide_declaration(hand, seat, NO)
    if hand.decision is Decision.OFFER and seat == hand.to_act:
        return decide_decline(hand, seat)
    if hand.decision is Decision.STRADDLE and seat == hand.to_act:
        return [e.StraddleDeclined(seat)]
    return _refuse_offer_answer(hand, seat, command)


def _choose_cards(hand: Hand, seat: SeatIndex, command: c.ChooseCards) -> EmittedEvents:
    if hand.decision is _DRAW and seat == hand.to_act:
        return decide_discard(hand, seat, command.card_indices)
    if hand.choice_open and _has_secret_choice(hand, seat):
        if hand.decision in (Decision.DECLARE, Decision.RUN_TWICE):
            raise r.NotAskedNow(expected=hand.decision)
        return decide_chosen_cards(hand, seat, command.card_indices)
    if hand.over:
        raise r.HandOver
    if not 0 <= seat < hand.seat_count:
        raise r.NotDealtIn
    if not hand.live_seats >> seat & 1:
        raise r.HandIsDead
    if isinstance(hand.rules.steps[hand.step_index], Draw):
        if not hand.seats_to_draw >> seat & 1:
            raise r.AlreadyDrew
        if seat == hand.to_act:
            raise r.CallBeforeDraw
        raise r.DrawsFirst(seat_number=hand.started.seat_numbers[hand.to_act])
    if hand.draw_counts[seat]:
        raise r.AlreadyDrew
    raise r.NotAskedNow(expected=hand.decision)


def _refuse_offer_answer(hand: Hand, seat: SeatIndex, _command: c.HandCommand) -> EmittedEvents:
    if hand.over:
        raise r.HandOver
    raise r.NothingOffered


_LEGAL_BY_DECISION: dict[Decision, Callable[[Hand, SeatIndex], LegalActions]] = {
    Decision.SHOW: _legal_show,
    Decision.STRADDLE: legal_straddle,
    Decision.OFFER: legal_offer,
    Decision.GIVE_UP: legal_choice,
    Decision.PASS_CARDS: legal_choice,
    Decision.ARRANGE: legal_choice,
    Decision.DECLARE: legal_choice,
    Decision.RUN_TWICE: legal_choice,
}

_BETTING_COMMANDS = frozenset({c.Fold, c.Check, c.Call, c.Bet, c.RaiseTo, c.AllIn})

_DECIDE_BY_COMMAND: dict[type[c.HandCommand], Callable[[Hand, SeatIndex, Any], EmittedEvents]] = {
    c.Fold: _fold,
    c.Check: _check,
    c.Call: _call,
    c.Bet: _raise_to,
    c.RaiseTo: _raise_to,
    c.AllIn: _all_in,
    c.Show: _show,
    c.Muck: _muck,
    c.TakeStraddle: _take_straddle,
    c.Decline: _decline,
    c.ChooseCards: _choose_cards,
    c.Declare: _declare,
    c.Accept: _accept,
}
