"""The hand as a seat, or the public, may see it. Cards leave the engine only here.

Source: design §2, laws TL-22, TL-37, TL-39.
"""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.betting import raise_forbidden, sizes
from bot.engine.cards import JOKER, name
from bot.engine.choosing import AT_ONCE
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, Legal
from bot.engine.options import Ante, Checking, FirstOpener, Limit, Switch, WildMethod
from bot.engine.pots import pots
from bot.engine.ranking import Evaluator, HandName
from bot.engine.reading import judges_for, opening_rank, wild_places
from bot.engine.ruling import legal
from bot.engine.splitting import opened_by, splits_openers
from bot.engine.stakes import no_ante_line
from bot.engine.steps import BetStep, Burn, DealBoard, DealDown, DealEither, DealUp, DealUpInTurn, Draw, Drop, Showdown
from bot.engine.view import CardSeen, HandView, LastAction, PaymentView, PotView, SeatState, SeatView, ShareView

_VERBS = {
    e.Folded: "fold",
    e.Checked: "check",
    e.Called: "call",
    e.BetTo: "bet",
    e.RaisedTo: "raise",
    e.Posted: "post",
    e.Drew: "draw",
    e.Straddled: "straddle",
    e.StraddleDeclined: "no straddle",
    e.Chosen: "chose",
    e.TurnedUp: "turn up",
    e.Declined: "leave down",
    e.PricePaid: "pay",
    e.ExtraDealt: "extra",
}

SPLITS = "splitting openers"


def view(hand: Hand, viewer: int | None) -> HandView:
    """What `viewer` (a seat of this deal, or None for everybody) may see."""
    actions = _actions(hand)
    last = {action.seat: action for action in actions}
    won = [0] * hand.number_of
    for payment in hand.payments:
        won[payment.seat] += payment.chips
    over, rules = hand.over, hand.rules
    judges = judges_for(hand, viewer if viewer is not None else -1)
    return HandView(
        viewer=viewer,
        game=hand.rules.card.name,
        stakes=stakes_line(hand),
        street="showdown" if over and hand.showdown else hand.street,
        seats=tuple(_seat_view(hand, seat, viewer, last.get(seat), won[seat]) for seat in range(hand.number_of)),
        boards=tuple(hand.board(number) for number in range(len(hand.boards))),
        pot=sum(payment.chips for payment in hand.payments) if over else hand.pot,
        pots=_pots(hand),
        level=hand.level,
        to_act=hand.to_act,
        turn=hand.turn,
        button=hand.started.button,
        actions=actions,
        legal=legal(hand, viewer) if viewer is not None else None,
        acting=_known_of_acting(hand) if hand.to_act >= 0 else None,
        over=over,
        voided=hand.voided,
        void_reason=hand.void_reason,
        showdown=hand.showdown,
        payments=_payments(hand) if over else (),
        carried=hand.carried_on,
        rabbit=_rabbit(hand) if over else (),
        wild_ranks=(*hand.rules.options.wild_ranks, *hand.wild_now),
        family=hand.rules.card.family,
        limit=str(rules.limit),
        stands=rules.options.check is Checking.STAND_ONCE,
        completes=bool(hand.level) and not hand.full_level and rules.fixed and _card_opens(hand),
        equalising=hand.decision is Decision.BET and hand.unserved >= 0,
        shares=tuple(
            ShareView(share.name, judge.ranking) for share, judge in zip(rules.card.shares, judges, strict=True)
        ),
        to_come=_to_come(hand),
        draw=_draw(hand) if hand.decision is Decision.DRAW or hand.unserved >= 0 else (0, 0),
        draws_left=0 if over else sum(isinstance(step, Draw) for step in rules.steps[hand.step :]),
        openers=opening_rank(hand) if rules.openers is not None and hand.opener < 0 and not over else -1,
        joker=_joker(hand, judges[0]),
        wild_common=_wild_common(hand, judges[0]),
        opened=opened_by(hand),
        passed_out=hand.passed_out,
        returned=hand.returned if over else None,
    )


def _actions(hand: Hand) -> tuple[LastAction, ...]:
    """The interval's actions; what a card on show forces out is brought in, and what makes it a full bet completes it (VC-5)."""
    actions = [_last(event, hand) for event in hand.actions if type(event) in _VERBS]
    rules = hand.rules
    if rules.options.check is Checking.STAND_ONCE:
        actions = [replace(action, verb="stand") if action.verb == "check" else action for action in actions]
    if _opened_by_card(hand) and rules.stakes.bring_in:
        small = [at for at, action in enumerate(actions) if action.verb == "bet" and action.to <= rules.bring_in]
        if small:
            actions[small[0]] = replace(actions[small[0]], verb="bring in")
            raised = next((at for at, action in enumerate(actions) if action.verb == "raise"), -1)
            if rules.fixed and raised >= 0:
                actions[raised] = replace(actions[raised], verb="complete")
    return tuple(actions)


def _opened_by_card(hand: Hand) -> bool:
    """Whether a card on show opened the interval whose actions are told, which may be over: cards of the next street come first."""
    first = next((step.street for step in hand.rules.steps if isinstance(step, BetStep)), None)
    return hand.street == first and hand.rules.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def _card_opens(hand: Hand) -> bool:
    """Whether this is an interval that a card on show has opened with a forced bet (F-6, F-7)."""
    return hand.first_interval and hand.rules.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def _known_of_acting(hand: Hand) -> Legal:
    """What the seat to act may do, without what its hidden cards say about it: openers, aces and wild cards show in nothing here."""
    seat = hand.to_act
    may = legal(hand, seat)
    match may.decision:
        case Decision.BET if not may.max_to and raise_forbidden(hand, seat) == "VC-20":
            least, most = sizes(hand, seat)
            total = hand.bets[seat] + hand.stacks[seat]
            if total <= hand.level or (total < least and not hand.rules.all_in):  # nor could it with openers
                return replace(may, no_raise="TL-3" if total <= hand.level else "B-7")
            return replace(may, min_to=min(least, total), max_to=min(most, total), no_raise="")
        case Decision.DRAW:
            step = hand.rules.steps[hand.step]
            return replace(may, most=step.most if isinstance(step, Draw) else may.most)
        case Decision.SHOW if may.designate or may.words:
            return replace(may, words=(), designate=(), about=SAY_AT_SHOW)
        case _:
            return may


SAY_AT_SHOW = "what its cards stand for"
"""What is asked of a seat at the show where wild cards or aces are declared (W-7, LO-3)."""


def _to_come(hand: Hand) -> tuple[int, int, int]:
    """Cards still to come to each seat and to each board, and cards each will have to give up."""
    own = common = given_up = 0
    for step in hand.rules.steps[hand.step + 1 :]:
        match step:
            case DealDown(count) | DealUp(count):
                own += count
            case DealEither() | DealUpInTurn():
                own += 1
            case DealBoard(count):
                common += count
            case Drop(count):
                given_up += count
            case _:
                pass
    return own, common, given_up


def _draw(hand: Hand) -> tuple[int, int]:
    """Which draw it is, and of how many."""
    places = [at for at, step in enumerate(hand.rules.steps) if isinstance(step, Draw)]
    return (places.index(hand.step) + 1, len(places)) if hand.step in places else (0, 0)


def _joker(hand: Hand, judge: Evaluator) -> str:
    """What the pack's joker is."""
    if JOKER not in hand.rules.pack:
        return ""
    return {"bug": "bug", "none": ""}.get(judge.ranking.wild.method_of(JOKER).value, "wild")


def _wild_common(hand: Hand, judge: Evaluator) -> tuple[int, ...]:
    if hand.rules.options.wild_method is WildMethod.NONE:
        return ()
    common = dict.fromkeys(card for number in range(len(hand.boards)) for card in hand.board(number))
    return tuple(card for card in common if judge.ranking.wild.method_of(card).value != "none")


def stakes_line(hand: Hand) -> str:
    """The stakes in short: blinds ``50/100``, or the bets ``100/200`` of limit play; with the ante if there is one."""
    rules, stakes = hand.rules, hand.rules.stakes
    if rules.options.ante is Ante.NONE:
        return no_ante_line(rules.options, stakes)
    if rules.limit is Limit.LIMIT:
        line = f"{rules.small:,}/{rules.big:,}"
    elif stakes.big_blind:
        line = f"{stakes.small_blind:,}/{stakes.big_blind:,}"
    elif rules.limit is Limit.STAKE_LIMIT:
        return f"ante {stakes.ante:,}, limit {stakes.limit:,}"
    else:
        return f"ante {stakes.ante:,}"
    return f"{line} ante {stakes.ante:,}" if stakes.ante else line


def _last(event: e.Event, hand: Hand) -> LastAction:
    verb, deck = _VERBS[type(event)], hand.deck
    match event:
        case e.TurnedUp(seat, place):
            return LastAction(seat, verb, note=name(deck[place]))
        case e.PricePaid(seat, place, chips):
            return LastAction(seat, verb, chips=chips, all_in=_took_the_stack(hand, event), note=name(deck[place]))
        case e.ExtraDealt(seat, cause):
            return LastAction(seat, verb, cards=1, note=name(deck[cause]))
        case e.Called(seat, chips, all_in):
            return LastAction(seat, verb, chips=chips, all_in=all_in)
        case e.BetTo(seat, to, chips, all_in) | e.RaisedTo(seat, to, chips, all_in):
            return LastAction(seat, verb, to, chips, all_in)
        case e.Posted(seat, kind, chips):
            return LastAction(seat, verb, chips=chips, note=str(kind))
        case e.Drew(seat, laid):
            return LastAction(seat, verb, cards=len(laid), note=SPLITS if splits_openers(hand, seat, laid) else "")
        case e.Straddled(seat, to, chips):
            return LastAction(seat, verb, to, chips)
        case e.Folded(seat) | e.Checked(seat) | e.StraddleDeclined(seat) | e.Declined(seat) | e.Chosen(seat):
            return LastAction(seat, verb)
        case _:
            raise AssertionError(event)


def _took_the_stack(hand: Hand, price: e.PricePaid) -> bool:
    """Whether these were the payer's last chips: he is all-in, and has put nothing in since (VC-24)."""
    bit = 1 << price.seat
    if not hand.live & bit or hand.able & bit:
        return False
    later = hand.actions[hand.actions.index(price) + 1 :]
    return not any(isinstance(event, _PUTS_IN) and event.seat == price.seat for event in later)


_PUTS_IN = (e.Called, e.BetTo, e.RaisedTo, e.PricePaid)


def _seat_view(hand: Hand, seat: int, viewer: int | None, last: LastAction | None, won: int) -> SeatView:
    bit = 1 << seat
    deck = hand.deck
    own = seat == viewer
    open_to_all = bool(hand.shown & bit)
    gone = not hand.live & bit and not open_to_all
    if own:
        cards = tuple(CardSeen(deck[place], open_to_all, place) for place in hand.down[seat])
    elif open_to_all:
        cards = tuple(CardSeen(deck[place], True) for place in hand.down[seat])
    elif gone or hand.mucked & bit:
        cards = ()
    else:
        cards = (_HIDDEN,) * len(hand.down[seat])
    if hand.up[seat] and (own or not gone):
        cards += tuple(CardSeen(deck[place], True, place if own else -1) for place in hand.up[seat])
    state = SeatState.FOLDED if not hand.live & bit else SeatState.LIVE if hand.able & bit else SeatState.ALL_IN
    return SeatView(
        seat=seat,
        number=hand.started.seats[seat],
        stack=hand.stacks[seat],
        bet=hand.bets[seat],
        put_in=hand.put_in[seat],
        state=state,
        cards=cards,
        last=last,
        made=made_hand(hand, seat) if own or (open_to_all and hand.showdown) else None,
        won=won,
        stack_start=hand.started.stacks[seat],
        drew=hand.drew[seat],
        awaited=hand.unserved >= 0 and bool(hand.unserved & bit) and hand.decision in AT_ONCE,
        word=hand.words[seat],
        says=_says(hand, seat),
        wild=_wild(hand, seat, cards),
        proof=tuple(deck[place] for place in hand.openers_shown) if hand.opener == seat else (),
        halves=_halves(hand, seat) if own or (open_to_all and hand.showdown) else (),
        matched=_matched(hand, seat, won),
    )


_HIDDEN = CardSeen(None)


def _says(hand: Hand, seat: int) -> tuple[tuple[int, int], ...]:
    """What a seat has said of its wild cards; known to all once they lie open."""
    if not hand.designated or not hand.shown >> seat & 1:
        return ()
    deck = hand.deck
    return tuple((deck[place], card) for who, pairs, _ in hand.designated if who == seat for place, card in pairs)


def _wild(hand: Hand, seat: int, cards: tuple[CardSeen, ...]) -> tuple[int, ...]:
    """Those of the cards seen that are wild; the joker, and what the game of the moment makes so."""
    if hand.rules.options.wild_method is WildMethod.NONE:
        return ()
    seen = {card.card for card in cards if card.card is not None}
    return tuple(hand.deck[place] for place in wild_places(hand, seat) if hand.deck[place] in seen)


def made_hand(hand: Hand, seat: int) -> HandName | None:
    """The best hand a seat has so far by the first ranking of the game; None while it holds no cards."""
    hole = _still_held(hand, seat)
    if not hole:
        return None
    judge = judges_for(hand, seat)[0]
    value = judge.best(hole, hand.board())
    return judge.name(value) if value else None


def _still_held(hand: Hand, seat: int) -> tuple[int, ...]:
    """A seat's own cards; none once a dropped hand has been shuffled back, for its cards may now be others' (X-7)."""
    return () if hand.spent and not hand.spent.isdisjoint(hand.down[seat]) else hand.hole_cards(seat)


def _halves(hand: Hand, seat: int) -> tuple[tuple[str, HandName], ...]:
    """What a seat holds for each share of the pot, where there are several; a low that does not qualify is left out."""
    shares = hand.rules.card.shares
    hole = _still_held(hand, seat)
    if len(shares) < 2 or not hole:
        return ()
    found = []
    for share, judge in zip(shares, judges_for(hand, seat), strict=True):
        value = judge.best(hole, hand.board())
        if value:
            found.append((share.name, judge.name(value)))
    return tuple(found)


def _matched(hand: Hand, seat: int, won: int) -> int:
    """Chips a loser has put in again for the next deal (VC-27)."""
    if not hand.over or hand.voided or not hand.rules.card.match_pot or hand.passed_out:
        return 0
    return max(0, hand.started.stacks[seat] - hand.put_in[seat] + won - hand.stacks[seat])


def _rabbit(hand: Hand) -> tuple[int, ...]:
    """The common cards that would have come, after a deal that ended before them, where the table plays so (TL-26)."""
    rules = hand.rules
    if rules.options.rabbit is not Switch.ON or hand.voided or hand.showdown or len(hand.boards) != 1:
        return ()
    place = hand.place
    found: list[int] = []
    for step in rules.steps[hand.step :]:
        if isinstance(step, Burn):
            place += 1
        elif isinstance(step, DealBoard):
            found += hand.deck[place : place + step.count]
            place += step.count
        elif not isinstance(step, BetStep | Showdown):
            break
    return tuple(found)


def _pots(hand: Hand) -> tuple[PotView, ...]:
    """The pots without the live bets of this interval."""
    if hand.over:
        layers = pots(hand.put_in, hand.live, hand.dead)
    else:
        gathered = [chips - bet for chips, bet in zip(hand.put_in, hand.bets, strict=True)]
        layers = pots(gathered, hand.live, hand.dead)
    return tuple(PotView(pot.chips, tuple(seats_in(pot.eligible))) for pot in layers if pot.chips)


def _payments(hand: Hand) -> tuple[PaymentView, ...]:
    shares = {share.name: at for at, share in enumerate(hand.rules.card.shares)}
    views = []
    for paid in hand.payments:
        made: HandName | None = None
        playing: tuple[int, ...] = ()
        if paid.value:
            judge = judges_for(hand, paid.seat)[shares[paid.share]]
            made = judge.name(paid.value)
            if hand.shown >> paid.seat & 1:
                playing = judge.playing(hand.hole_cards(paid.seat), hand.board(paid.board)).cards
        views.append(PaymentView(paid.pot, paid.share, paid.seat, paid.chips, made, playing, paid.odd, paid.board))
    return tuple(views)
