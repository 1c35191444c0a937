"""What the dealer does by himself between two decisions: posts, deals, closes intervals, opens the next one, shows and pays.

`deal_on` runs down the rule card until somebody must decide or the hand is over. Each step type has one function; there is no branch on
a game's name.

Source: laws B-9, B-18, D-9, F-1 to F-7, I-8, N-2, N-3, TL-7, TL-14, TL-16, TL-19, TL-21.
"""

from collections.abc import Callable
from typing import Any

from bot.engine import events as e
from bot.engine import steps
from bot.engine.choosing import choose
from bot.engine.drawing import draw, short_by, shuffle, shuffled_back
from bot.engine.early import take_early
from bot.engine.first import first_to_act
from bot.engine.hand import Hand, next_in, seats_in
from bot.engine.happening import Happened, close_interval, happen
from bot.engine.legal import Decision
from bot.engine.offering import ask_price, just_dealt, offer_exposure, serve_bought
from bot.engine.options import Switch
from bot.engine.running import fork_boards, may_run_twice, refused
from bot.engine.showdown import first_to_show, settle, show_next
from bot.engine.straddling import offer_straddles

_BETTING, _RUN_TWICE = Decision.BET, Decision.RUN_TWICE  # found once, see evolve
_SMALL_BLIND, _BIG_BLIND, _STRADDLE = e.PostKind.SMALL_BLIND, e.PostKind.BIG_BLIND, e.PostKind.STRADDLE


def deal_on(hand: Hand, happened: Happened) -> None:
    """Do everything that needs no decision, adding what happened. `hand` is the dealer's own copy and is changed."""
    while not hand.over:
        if hand.live & (hand.live - 1) == 0:
            _end_uncontested(hand, happened)
            return
        decision = hand.decision
        if decision is _BETTING:
            if hand.pending and hand.unserved < 0 and _ask_next_speaker(hand, happened):
                return
        elif decision is _RUN_TWICE:
            if hand.unserved & hand.live and not refused(hand):
                return
            fork_boards(hand, happened)
        elif hand.all_in_show and not hand.run_asked and may_run_twice(hand):
            happen(hand, happened, e.ChoiceOpened(Decision.RUN_TWICE))
            return
        step = hand.rules.steps[hand.step]
        if _DO[type(step)](hand, happened, step):
            return


def contested(hand: Hand, seat: int) -> bool:
    """Whether the seat still has something to decide: somebody else can bet, or has put in more."""
    others = ~(1 << seat)
    if hand.able & others:
        return True
    own = hand.bets[seat]
    return any(hand.bets[other] > own for other in seats_in(hand.live & others))


def _ask_next_speaker(hand: Hand, happened: Happened) -> bool:
    """Ask the next who has still to speak in this interval; False when nobody has."""
    while True:
        ahead = hand.pending >> hand.to_act + 1  # `next_in`, written out: this is asked after every action
        seat = (ahead & -ahead).bit_length() + hand.to_act if ahead else next_in(hand.pending, -1)
        if not hand.able & ~(1 << seat) and not contested(hand, seat):
            return False
        happen(hand, happened, e.ActionOn(seat))
        if not (hand.held or hand.noted) or not take_early(hand, happened, seat):
            return True
        if not hand.pending or not hand.live & (hand.live - 1):
            return False


def _turn_up_all_in(hand: Hand, happened: Happened) -> None:
    """With betting over for good, all live hands are turned up before the rest of the board is run (TL-21)."""
    rules = hand.rules
    able = hand.able & hand.live
    if (
        able & (able - 1) == 0
        and hand.live & (hand.live - 1)
        and rules.all_in
        and not hand.showdown
        and hand.step > rules.choices_end
        and not isinstance(rules.steps[hand.step], steps.Showdown)
    ):
        happen(hand, happened, e.ShowdownOpened(first_to_show(hand), all_in=True))
        for seat in seats_in(hand.live):
            happen(hand, happened, e.Shown(seat, hand.down[seat]))


def _end_uncontested(hand: Hand, happened: Happened) -> None:
    """One live player is left: he takes the pot unseen (B-18)."""
    if hand.decision is Decision.BET or any(hand.bets):
        close_interval(hand, happened)
    settle(hand, happened)


def _post_forced(hand: Hand, happened: Happened, _step: steps.Step) -> bool:
    """Forced money goes in; a stack too short posts what it has (TL-7, TL-42)."""
    blinds, has_big = 0, False
    for post in hand.started.posts:
        seat, kind, owed = post.seat, post.kind, post.chips
        chips = min(owed, hand.stacks[seat])
        if chips:
            if kind is _STRADDLE:
                owed = max(owed, hand.rules.come_in)
            happen(hand, happened, e.Posted(seat, kind, chips, owed))
        if kind is _BIG_BLIND or kind is _SMALL_BLIND:
            blinds += chips
            has_big = has_big or kind is _BIG_BLIND
    happen(hand, happened, e.AllPosted(_shortfall(hand, blinds) if has_big else 0))
    return False


def _shortfall(hand: Hand, paid: int) -> int:
    """Chips that dead or short blinds lack of the full ones, in a game with blinds of which `paid` were put in (TL-19)."""
    stakes = hand.rules.stakes
    small = stakes.big_blind if hand.rules.options.small_counts_as_big is Switch.ON else stakes.small_blind
    return small + stakes.big_blind - paid


def _deal_down(hand: Hand, happened: Happened, step: steps.DealDown) -> bool:
    if not _stock_suffices(hand, happened, step.count * hand.live.bit_count()):
        return _deal_common(hand, happened)
    happen(hand, happened, e.DealtDown(step.count, hand.place))
    return False


def _deal_up(hand: Hand, happened: Happened, step: steps.DealUp) -> bool:
    if not _stock_suffices(hand, happened, step.count * hand.live.bit_count()):
        return _deal_common(hand, happened)
    happen(hand, happened, e.DealtUp(step.count, hand.place))
    return False


def _deal_up_in_turn(hand: Hand, happened: Happened, _step: steps.DealUpInTurn) -> bool:
    """Serve the live players one after the other from the dealer's left; the card just dealt is settled before the next leaves the pack
    (VC-24).

    Whether all can be served is asked before the first card: one common card lies for all or for nobody (VC-5). Then a card that is due
    to somebody still unserved is nobody's extra card: where the burns do not help, none is brought.
    """
    if hand.unserved < 0:
        if not _stock_suffices(hand, happened, hand.live.bit_count()):
            return _deal_common(hand, happened)
        happen(hand, happened, e.OffersOpened())
    while True:
        found, waiting = just_dealt(hand), hand.unserved & hand.live
        if found is None:
            if not waiting:
                happen(hand, happened, e.OffersClosed())
                return False
            happen(hand, happened, e.DealtUpTo(next_in(waiting, -1), hand.place))
            continue
        (seat, cause), card = found, hand.rules.card
        if hand.deck[cause] >> 2 != card.extra:
            ask_price(hand, happened, seat)
            return True
        if _stock_suffices(hand, happened, waiting.bit_count() + 1):
            happen(hand, happened, e.ExtraDealt(seat, cause, hand.place, up=not card.extra_down))
        else:
            happen(hand, happened, e.ExtraDealt(seat, cause, -1))


def _stock_suffices(hand: Hand, happened: Happened, needed: int) -> bool:
    """Whether the pack has so many cards left; burned cards are shuffled in first if it has not (VC-5)."""
    if needed > len(hand.deck) - hand.place:
        burns = [place for place in hand.burns if place not in hand.spent]
        if burns:
            happen(hand, happened, e.Reshuffled(shuffle(hand.deck, burns)))
    return needed <= len(hand.deck) - hand.place


def _deal_common(hand: Hand, happened: Happened) -> bool:
    """One common card instead of one for each, where even the burns do not suffice (VC-5; TDA RP-10-H): of dropped hands if nothing else
    is left (X-7), and none if nobody has dropped."""
    _refill(hand, happened, 1)
    happen(hand, happened, e.DealtBoard(min(1, len(hand.deck) - hand.place), hand.place, len(hand.boards) - 1))
    return False


def _burn(hand: Hand, happened: Happened, _step: steps.Step) -> bool:
    if hand.place >= len(hand.deck):
        _refill(hand, happened, 1)
    happen(hand, happened, e.Burned(hand.place))
    return False


def _refill(hand: Hand, happened: Happened, count: int) -> None:
    """Shuffle dead cards back where draws have left too few for the board (X-7)."""
    if short := short_by(hand, count):
        happen(hand, happened, e.Reshuffled(shuffled_back(hand, short)))


def _deal_board(hand: Hand, happened: Happened, step: steps.DealBoard) -> bool:
    boards = len(hand.boards)
    for number in range(boards):
        if boards > 1 and len(hand.boards[number]) > len(hand.boards[-1]):
            continue  # has its cards: a replay goes on here, where the pack ran out between two boards
        if hand.place + step.count > len(hand.deck):
            _refill(hand, happened, step.count)
        happen(hand, happened, e.DealtBoard(step.count, hand.place, number))
    return False


def _bet(hand: Hand, happened: Happened, step: steps.BetStep) -> bool:
    """Open an interval, and close it after the last has spoken."""
    if hand.decision is _BETTING:  # all have spoken
        if hand.rules.once[hand.step] and hand.live & (hand.live - 1) and any(hand.bets):
            happen(hand, happened, e.BetsStand())
            return False
    else:
        first, duty = first_to_act(hand)
        if first >= 0 and contested(hand, first):
            happen(hand, happened, e.IntervalOpened(step.street, first, duty))
            return True
    if (
        hand.first_interval
        and hand.rules.may_pass_out
        and not any(hand.bets)
        and hand.opener < 0
        and hand.live == hand.stood
    ):
        happen(hand, happened, e.PassedOut(hand.pot))
        happen(hand, happened, e.HandEnded())
        return True
    close_interval(hand, happened)
    _turn_up_all_in(hand, happened)
    return False


def _roll_out(hand: Hand, happened: Happened, _step: steps.RollOut) -> bool:
    happen(hand, happened, e.RolledOut())
    return False


def _deal_either(hand: Hand, happened: Happened, _step: steps.DealEither) -> bool:
    if not _stock_suffices(hand, happened, hand.live.bit_count()):
        return _deal_common(hand, happened)
    happen(hand, happened, e.DealtEither(hand.place))
    return False


def _showdown(hand: Hand, happened: Happened, _step: steps.Step) -> bool:
    card = hand.rules.card
    if card.redeal and all(hand.deck[place] >> 2 != card.follow for up in hand.up for place in up):
        happen(hand, happened, e.HandVoided(card.sheet, "no card came up that names a wild one"))
        return True
    if not hand.showdown:
        happen(hand, happened, e.ShowdownOpened(first_to_show(hand)))
    return show_next(hand, happened)


_DO: dict[type[steps.Step], Callable[[Hand, Happened, Any], bool]] = {
    steps.PostForced: _post_forced,
    steps.DealDown: _deal_down,
    steps.DealUp: _deal_up,
    steps.Burn: _burn,
    steps.DealBoard: _deal_board,
    steps.BetStep: _bet,
    steps.Showdown: _showdown,
    steps.OfferStraddles: offer_straddles,
    steps.Drop: choose,
    steps.PassCards: choose,
    steps.Arrange: choose,
    steps.DeclareStep: choose,
    steps.RollOut: _roll_out,
    steps.OfferExposure: offer_exposure,
    steps.DealEither: _deal_either,
    steps.BuyCards: serve_bought,
    steps.DealUpInTurn: _deal_up_in_turn,
    steps.Draw: draw,
}
