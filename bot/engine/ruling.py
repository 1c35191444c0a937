"""What a seat may do now, and the ruling on what it asks for.

`legal` is the one source of what is allowed; `decide` rules on a command and adds everything the dealer does after it. A refusal leaves no
trace: the hand given is never changed.

Source: laws A8, A9, TL-2 to TL-6, TL-17 to TL-22, TL-34, TL-35, I-8.
"""

from collections.abc import Callable
from typing import Any

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine.betting import raise_bounds, raise_forbidden, sizes, unopened, wager
from bot.engine.choosing import AT_ONCE, NO, YES, legal_choice, rule_places, rule_word
from bot.engine.dealer import deal_on
from bot.engine.drawing import legal_draw, rule_discard
from bot.engine.errors import LawError
from bot.engine.evolve import APPLY, begin
from bot.engine.hand import Hand
from bot.engine.happening import Happened
from bot.engine.legal import Decision, Duty, Legal
from bot.engine.offering import legal_offer, rule_accept, rule_decline
from bot.engine.options import Checking, FirstOpener, Limit, MinRaise, OutOfTurn
from bot.engine.reading import common_places, has_to_say, may_stand_for, opening_rank, to_be_named, words_at_show
from bot.engine.showdown import must_show
from bot.engine.stakes import CHIPS_MAX
from bot.engine.steps import Draw
from bot.engine.straddling import legal_straddle, rule_straddle

_BET, _DRAW, _NONE = Decision.BET, Decision.DRAW, Decision.NONE  # found once, see evolve
_FREE, _ALLOWED = Duty.FREE, Checking.ALLOWED


def start(started: e.HandStarted, deck: tuple[int, ...]) -> tuple[tuple[e.Event, ...], Hand]:
    """Begin a deal: post, deal, and find the first to act. Returns all events, `started` first, and the hand after them."""
    hand = begin(started, deck)
    happened: Happened = [started]
    deal_on(hand, happened)
    return tuple(happened), hand


def legal(hand: Hand, seat: int) -> Legal:
    """What the seat may do now; with nothing allowed when it is not its turn."""
    if seat != hand.to_act or hand.decision is _NONE:
        if hand.decision in AT_ONCE and hand.unserved & hand.live & 1 << seat:
            return legal_choice(hand, seat)
        return Legal(seat, pot=hand.pot, level=hand.level, stack=hand.stacks[seat])
    if hand.decision is not _BET:
        return legal_draw(hand, seat) if hand.decision is _DRAW else _LEGAL[hand.decision](hand, seat)
    level, stack = hand.level, hand.stacks[seat]
    owe = level - hand.bets[seat]
    least, most, barred = wager(hand, seat)
    if hand.duty is not _FREE:
        bring_in = min(hand.rules.bring_in, stack)
        return Legal(
            seat, Decision.BET, hand.duty is Duty.OPEN_OR_DROP, False, 0, False, least, most, True, 0, 0, hand.pot, stack,
            bring_in=bring_in if bring_in < least or not most else 0,
        )  # fmt: skip
    if owe <= 0:
        check = hand.rules.options.check is _ALLOWED or not _check_barred(hand, seat)
        return Legal(
            seat, _BET, True, check, 0, False, least, most, not level, level, 0, hand.pot, stack, barred,
        )  # fmt: skip
    if hand.held:
        owe -= hand.held[seat]  # lies in front of him already (I-8)
    call = owe
    if owe >= stack:
        call = stack if owe == stack or hand.rules.all_in else 0
    if hand.opener < 0 and unopened(hand):
        call = 0
    return Legal(
        seat, _BET, True, False, call, call == stack, least, most, False, level, owe, hand.pot, stack, barred,
    )  # fmt: skip


def decide(hand: Hand, seat: int, command: c.Command) -> tuple[e.Event, ...]:
    """Rule on a command: what happens because of it, down to the next decision or the end of the hand.

    Raises:
        LawError: the command is not lawful now; nothing has changed. `legal` is filled in.
    """
    return rule(hand, seat, command)[0]


def rule(hand: Hand, seat: int, command: c.Command) -> tuple[tuple[e.Event, ...], Hand]:
    """As `decide`, and the hand after those events, which is what `evolve` would make of them: who keeps the hand need not work it out
    a second time.

    Raises:
        LawError: the command is not lawful now; nothing has changed. `legal` is filled in.
    """
    try:
        if seat != hand.to_act and _may_note(hand, seat, command):
            happened = _note(hand, seat, command)
        else:
            happened = _RULE[type(command)](hand, seat, command)
    except LawError as refusal:
        if 0 <= seat < hand.number_of:
            refusal.legal = legal(hand, seat)
        raise
    after: Hand = hand.__copy__()  # type: ignore[attr-defined]  # as `copy`, without the price of a call
    for event in happened:
        APPLY[type(event)](after, event)
    if seat == hand.to_act or hand.to_act < 0 or hand.decision in AT_ONCE or not after.live & (after.live - 1):
        deal_on(after, happened)
    return tuple(happened), after


def void(hand: Hand, law: str, reason: str, kept: tuple[int, ...] = ()) -> tuple[e.Event, ...]:
    """End the deal as if it had not been: each takes back what he put in (I-1, I-2, TL-29, TL-38), but for `kept`, by seat (I-3).

    Raises:
        HandOver: the deal is over; what was wrong in it is put right by a new transfer.
    """
    if hand.over:
        raise r.HandOver
    return (e.HandVoided(law, reason, kept),)


def _check_barred(hand: Hand, seat: int) -> str:
    """The id of the law that bars this seat from checking, or ""."""
    if hand.level and hand.bets[seat] >= hand.level:
        return ""
    check = hand.rules.options.check
    if check is Checking.FORBIDDEN:
        return "C-2"
    if check is Checking.STAND_ONCE and hand.stood >> seat & 1:
        return "C-5"
    return ""


def _in_turn(hand: Hand, seat: int, decision: Decision = Decision.BET) -> None:
    """Refuse whoever is not to act, or is asked for something else (B-10, TL-35)."""
    if seat == hand.to_act and hand.decision is decision:
        return
    if hand.over:
        raise r.HandOver
    if not 0 <= seat < hand.number_of:
        raise r.NotDealtIn
    if seat != hand.to_act:
        if not hand.live >> seat & 1:
            raise r.HandIsDead(law="B-10")
        raise r.NotYourTurn(to_act=hand.started.seats[hand.to_act] if hand.to_act >= 0 else 0)
    if hand.decision is not decision:
        raise r.NotAskedNow(asked=hand.decision)


def _fold(hand: Hand, seat: int, _command: c.Fold) -> Happened:
    _in_turn(hand, seat)
    if hand.duty is Duty.OPEN:
        raise r.MustOpen(law=_opener_law(hand), least=min(hand.rules.bring_in, hand.stacks[seat]))
    return [e.Folded(seat)]


def _check(hand: Hand, seat: int, _command: c.Check) -> Happened:
    _in_turn(hand, seat)
    owe = hand.level - hand.bets[seat]
    if owe > 0:
        raise r.CannotCheck(level=hand.level, owe=owe)
    if hand.duty is not _FREE:
        raise r.MustOpen(law=_opener_law(hand), least=min(hand.rules.bring_in, hand.stacks[seat]))
    if hand.rules.options.check is not _ALLOWED:
        barred = _check_barred(hand, seat)
        if barred:
            raise r.CheckingBarred(law=barred)
    return [e.Checked(seat)]


def _opener_law(hand: Hand) -> str:
    return "F-6" if hand.rules.options.first_1 is FirstOpener.LOW_CARD else "F-7"


def _call(hand: Hand, seat: int, command: c.Call) -> Happened:
    if seat != hand.to_act and (early := _early(hand, seat, hand.level)):
        return early
    if hand.decision is not _BET or seat != hand.to_act:
        _in_turn(hand, seat)
    owe = hand.level - hand.bets[seat]
    if owe <= 0:  # a call of nothing is a check (TL-18)
        return _check(hand, seat, c.Check())
    if hand.opener < 0 and unopened(hand):
        raise r.NothingToCallYet(least=sizes(hand, seat)[0])
    chips = hand.stacks[seat]
    if hand.held:
        chips += hand.held[seat]
    if owe < chips:
        return [e.Called(seat, owe)]
    if owe > chips and not hand.rules.all_in:
        raise r.CannotCall(owe=owe, stack=chips)
    return [e.Called(seat, chips, True)]


def _raise_to(hand: Hand, seat: int, command: c.Bet | c.RaiseTo) -> Happened:
    to = command.to
    if not 0 < to <= CHIPS_MAX:
        raise r.NotAnAmount(to=to)
    if seat != hand.to_act:
        early = _early(hand, seat, to)
        if early:
            return early
    if hand.decision is not _BET or seat != hand.to_act:
        _in_turn(hand, seat)
    least, most = raise_bounds(hand, seat)
    if hand.duty is not _FREE and to == min(hand.rules.bring_in, hand.stacks[seat]):
        return [e.BetTo(seat, to, to, to == hand.stacks[seat])]
    if not least <= to <= most or most == 0:
        raise _why_not(hand, seat, to, least, most)
    own = hand.bets[seat]
    chips = to - own
    make = e.RaisedTo if hand.level else e.BetTo
    return [make(seat, to, chips, chips == hand.stacks[seat])]


def _why_not(hand: Hand, seat: int, to: int, least: int, most: int) -> LawError:
    """The refusal that fits an amount outside the bounds."""
    rules, opening = hand.rules, not hand.level
    if not most:
        law = raise_forbidden(hand, seat)
        if law == "L-10":
            return r.RaisesCapped(cap=rules.raise_cap)
        if law == "VC-20":
            return r.NoOpeners(rank=opening_rank(hand))
        refusal = {
            "VC-11": r.NoCheckRaise,
            "TL-4": r.BettingNotReopened,
            "TL-42": r.NobodyToRaise,
            "I-8": r.ActedOutOfTurn,
            "B-17": r.OnlyEqualNow,
        }.get(law)
        if refusal:
            return refusal()
        own, total = hand.bets[seat], hand.bets[seat] + hand.stacks[seat]
        if to > total:
            return r.StackTooShort(to=to, max_to=total)
        return r.RaiseTooSmall(
            law=law, to=to, min_to=sizes(hand, seat)[0], opening=opening, own=own, owe=max(0, hand.level - own)
        )
    total = hand.bets[seat] + hand.stacks[seat]
    if to > total:
        return r.StackTooShort(to=to, max_to=total)
    if rules.fixed:
        law = "L-7" if rules.limit is Limit.LIMIT else "L-6"
        return r.WrongSize(law=law, to=to, only_to=most, opening=opening)
    stake_limit = rules.limit is Limit.STAKE_LIMIT
    if to > most:
        law = "TL-19" if rules.limit is Limit.POT_LIMIT else _stake_limit_law(hand)
        return r.RaiseTooLarge(law=law, to=to, max_to=most, opening=opening)
    if stake_limit:
        law = _stake_limit_law(hand)
        if hand.level and not unopened(hand):
            law = "L-9" if rules.min_raise is MinRaise.MATCH_CALL else "B-8"
    else:
        law = "L-8" if rules.limit is Limit.NO_LIMIT else "TL-2"
    own = hand.bets[seat]
    return r.RaiseTooSmall(law=law, to=to, min_to=least, opening=opening, own=own, owe=max(0, hand.level - own))


def _stake_limit_law(hand: Hand) -> str:
    if unopened(hand):
        return "L-4"
    return "L-2" if hand.level or hand.first_interval else "L-5"


def _all_in(hand: Hand, seat: int, _command: c.AllIn) -> Happened:
    """The whole stack, or as much as the betting allows: the largest raise, else the call (TL-3)."""
    _in_turn(hand, seat)
    most = raise_bounds(hand, seat)[1]
    if most:
        return _raise_to(hand, seat, c.RaiseTo(most))
    if hand.level <= hand.bets[seat]:  # nothing to call either: not a chip would go in
        raise _why_not(hand, seat, hand.bets[seat] + hand.stacks[seat], 0, 0)
    return _call(hand, seat, c.Call())


def _early(hand: Hand, seat: int, to: int) -> Happened:
    """Chips put in out of turn wait for the turn, where the table plays `OUT_OF_TURN`=hold (I-8); elsewhere nothing happens (TL-34)."""
    if (
        hand.rules.options.out_of_turn is not OutOfTurn.HOLD
        or hand.decision is not Decision.BET
        or not hand.pending >> seat & 1
        or (hand.held and hand.held[seat])
    ):
        return []
    chips = to - hand.bets[seat]
    if chips <= 0:
        return []
    if chips > hand.stacks[seat]:
        raise r.StackTooShort(to=to, max_to=hand.bets[seat] + hand.stacks[seat])
    if not hand.level:  # if all before him check he has bet it, so it must be a bet
        least, most = raise_bounds(hand, seat)
        if not least <= to <= most:
            raise _why_not(hand, seat, to, least, most)
    return [e.PutInOutOfTurn(seat, chips)]


def _may_note(hand: Hand, seat: int, command: c.Command) -> bool:
    """Whether what is said out of turn is kept for the turn, as where the table plays `OUT_OF_TURN`=tda53: the first word of a seat that
    has still to speak, and a drop at any time (TL-34)."""
    if hand.rules.options.out_of_turn is not OutOfTurn.TDA53 or not 0 <= seat < hand.number_of:
        return False
    may_speak = hand.able & hand.live if type(command) is c.Fold else hand.pending
    return (
        hand.decision is Decision.BET
        and hand.unserved < 0
        and hand.duty is Duty.FREE
        and bool(may_speak >> seat & 1)
        and type(command) in _SPOKEN
        and all(seat != noted[0] for noted in hand.noted)
    )


def _note(hand: Hand, seat: int, command: c.Command) -> Happened:
    """What would happen if it were the seat's turn; a drop happens at once, for it binds whatever the others do (TDA 53)."""
    in_turn = hand.copy()
    in_turn.to_act = seat
    (action,) = _RULE[type(command)](in_turn, seat, command)
    assert isinstance(action, e.Spoken)
    return [action] if isinstance(action, e.Folded) else [e.NotedOutOfTurn(seat, action)]


def _show(hand: Hand, seat: int, command: c.Show) -> Happened:
    if not 0 <= seat < hand.number_of:
        raise r.NotDealtIn
    if hand.over:
        if hand.voided or hand.shown >> seat & 1:
            raise r.AlreadyShown
        _say_nothing(hand, command)
        return [e.Shown(seat, hand.down[seat])]
    if hand.decision is not Decision.SHOW:
        raise r.WaitUntilTheEnd
    _in_show_turn(hand, seat)
    if hand.rules.asks_at_show and has_to_say(hand, seat):
        return _say_at_show(hand, seat, command)
    _say_nothing(hand, command)
    return [e.Shown(seat, hand.down[seat])]


def _say_nothing(hand: Hand, command: c.Show) -> None:
    """Refuse words on wild cards and aces where nothing is asked: they would count for nothing (W-7, W-8, LO-3)."""
    if command.as_cards:
        raise r.NothingToSay(law="W-7" if hand.rules.declares_wild else "W-8")
    if command.word:
        raise r.NothingToSay(law="LO-3")


def _say_at_show(hand: Hand, seat: int, command: c.Show) -> Happened:
    """What a holder says of his wild cards and his aces, before hands are compared (W-7, LO-3)."""
    wild = to_be_named(hand, seat) if hand.rules.declares_wild else ()
    within_reach = {*hand.down[seat], *hand.up[seat], *wild}
    said: dict[int, int] = {}
    for place, card in command.as_cards:
        if place not in within_reach or hand.deck[place] in said:
            raise r.NotYourCard
        may_stand_for(hand, seat, hand.deck[place], card, said)  # refuses a card that is not wild (W-1)
        said[hand.deck[place]] = card
    words = words_at_show(hand, seat)
    if command.word and command.word not in words:
        raise r.UnknownWord(law="LO-3", words=words)
    return [e.Designated(seat, command.as_cards, command.word or (words[0] if words else ""))]


def _muck(hand: Hand, seat: int, _command: c.Muck) -> Happened:
    if hand.over:
        raise r.HandOver
    if not 0 <= seat < hand.number_of:
        raise r.NotDealtIn
    if hand.decision is not Decision.SHOW:
        law = must_show(hand)
        if hand.showdown or law == "Z-1":
            raise r.MustShow(law=law or "TL-21")
        raise r.NotAskedNow(asked=hand.decision)
    _in_show_turn(hand, seat)
    if has_to_say(hand, seat):
        raise r.MustShow(law=must_show(hand) or "TL-22")
    if seat == hand.aggressor:
        raise r.MustShow(law="Z-5")
    return [e.Mucked(seat)]


def _in_show_turn(hand: Hand, seat: int) -> None:
    if seat != hand.to_act:
        if not hand.live >> seat & 1:
            raise r.HandIsDead
        raise r.ShowsFirst(seat=hand.started.seats[hand.to_act])


def _legal_show(hand: Hand, seat: int) -> Legal:
    says = has_to_say(hand, seat)
    muck = not says and seat != hand.aggressor
    designate = to_be_named(hand, seat) if says and hand.rules.declares_wild else ()
    common = common_places(hand) if designate else ()
    return Legal(
        seat, Decision.SHOW, pot=hand.pot, stack=hand.stacks[seat], show=True, muck=muck,
        words=words_at_show(hand, seat) if says else (),
        designate=designate,
        common=tuple((place, hand.deck[place]) for place in designate if place in common),
    )  # fmt: skip


def _straddle(hand: Hand, seat: int, command: c.Straddle) -> Happened:
    if hand.over:
        raise r.HandOver
    return rule_straddle(hand, seat, command.to)


def _at_once(hand: Hand, seat: int) -> bool:
    """Whether this seat still has a secret choice to make."""
    if not 0 <= seat < hand.number_of:
        raise r.NotDealtIn
    if hand.over:
        raise r.HandOver
    if hand.decision not in AT_ONCE:
        return False
    if not hand.live >> seat & 1:
        raise r.HandIsDead
    if not hand.unserved >> seat & 1:
        raise r.HasChosen
    return True


def _declare(hand: Hand, seat: int, command: c.Declare) -> Happened:
    if _at_once(hand, seat) and hand.decision in (Decision.DECLARE, Decision.RUN_TWICE):
        return rule_word(hand, seat, command.word)
    raise r.NotAskedNow(asked=hand.decision)


def _accept(hand: Hand, seat: int, command: c.Accept) -> Happened:
    if hand.decision is Decision.RUN_TWICE and _at_once(hand, seat):
        return rule_word(hand, seat, YES)
    if hand.decision is Decision.STRADDLE:
        return _straddle(hand, seat, c.Straddle())
    if hand.decision is Decision.OFFER and seat == hand.to_act:
        return rule_accept(hand, seat)
    return _nothing_offered(hand, seat, command)


def _decline(hand: Hand, seat: int, command: c.Decline) -> Happened:
    if hand.decision is Decision.RUN_TWICE and _at_once(hand, seat):
        return rule_word(hand, seat, NO)
    if hand.decision is Decision.OFFER and seat == hand.to_act:
        return rule_decline(hand, seat)
    if hand.decision is Decision.STRADDLE and seat == hand.to_act:
        return [e.StraddleDeclined(seat)]
    return _nothing_offered(hand, seat, command)


def _discard(hand: Hand, seat: int, command: c.Discard) -> Happened:
    if hand.decision is _DRAW and seat == hand.to_act:
        return rule_discard(hand, seat, command.places)
    if hand.decision in AT_ONCE and _at_once(hand, seat):
        if hand.decision in (Decision.DECLARE, Decision.RUN_TWICE):
            raise r.NotAskedNow(asked=hand.decision)
        return rule_places(hand, seat, command.places)
    if hand.over:
        raise r.HandOver
    if not 0 <= seat < hand.number_of:
        raise r.NotDealtIn
    if not hand.live >> seat & 1:
        raise r.HandIsDead
    if isinstance(hand.rules.steps[hand.step], Draw):
        if not hand.unserved >> seat & 1:
            raise r.AlreadyServed
        if seat == hand.to_act:
            raise r.EqualFirst(owe=hand.level - hand.bets[seat])
        raise r.DrawsFirst(seat=hand.started.seats[hand.to_act])
    if hand.drew[seat]:
        raise r.AlreadyServed
    raise r.NotAskedNow(asked=hand.decision)


def _nothing_offered(hand: Hand, seat: int, _command: c.Command) -> Happened:
    if hand.over:
        raise r.HandOver
    raise r.NothingOffered


_LEGAL: dict[Decision, Callable[[Hand, int], Legal]] = {
    Decision.SHOW: _legal_show,
    Decision.STRADDLE: legal_straddle,
    Decision.OFFER: legal_offer,
    Decision.DROP: legal_choice,
    Decision.PASS: legal_choice,
    Decision.ARRANGE: legal_choice,
    Decision.DECLARE: legal_choice,
    Decision.RUN_TWICE: legal_choice,
}

_SPOKEN = frozenset({c.Fold, c.Check, c.Call, c.Bet, c.RaiseTo, c.AllIn})

_RULE: dict[type[c.Command], Callable[[Hand, int, Any], Happened]] = {
    c.Fold: _fold,
    c.Check: _check,
    c.Call: _call,
    c.Bet: _raise_to,
    c.RaiseTo: _raise_to,
    c.AllIn: _all_in,
    c.Show: _show,
    c.Muck: _muck,
    c.Straddle: _straddle,
    c.Decline: _decline,
    c.Discard: _discard,
    c.Declare: _declare,
    c.Accept: _accept,
}
