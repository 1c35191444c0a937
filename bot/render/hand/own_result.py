"""How a hand ended for one of its players: what they won or lost, and with which hand."""

from bot.engine.view.types import HandSeatState, SeatView
from bot.render.hand.scene import Scene, hands_won_with
from bot.text import hand as hand_words
from bot.text import own_cards as words
from bot.text.formatting import join_and
from bot.text.language import t


def own_result_lines(scene: Scene) -> list[str]:
    """Tell the viewer how the hand ended for them: ``**You win 2,500** with two pair, aces and threes.``"""
    view, seat = scene.view, scene.own_seat()
    assert seat is not None, "only a player of the hand can be told how it ended for them"
    if view.voided:
        reason = hand_words.void_reason(view.void_reason)
        return [t(hand_words.BETS_RETURNED_BECAUSE, reason=reason) if reason else t(hand_words.BETS_RETURNED)]
    lines = [_own_line(scene, seat)]
    others = [other for other in view.seats if other.won and other.seat_index != seat.seat_index]
    lines += [_winner_line(scene, other) for other in sorted(others, key=lambda other: -other.won)]
    return lines


def _own_line(scene: Scene, seat: SeatView) -> str:
    lost = seat.starting_stack - seat.stack
    if seat.won:
        hand = _won_with(scene, seat)
        return t(words.YOU_WIN_WITH, chips=seat.won, hand=hand) if hand else t(words.YOU_WIN, chips=seat.won)
    if seat.state is HandSeatState.FOLDED:
        return t(words.YOU_FOLDED_LOSING, chips=lost) if lost > 0 else t(words.YOU_FOLDED)
    return t(words.YOU_LOSE, chips=lost) if lost > 0 else t(words.YOU_WIN_NOTHING)


def _winner_line(scene: Scene, seat: SeatView) -> str:
    name, hand = scene.name(seat.seat_number), _won_with(scene, seat)
    if hand:
        return t(words.OTHER_WINS_WITH, name=name, chips=seat.won, hand=hand)
    return t(words.OTHER_WINS, name=name, chips=seat.won)


def _won_with(scene: Scene, seat: SeatView) -> str:
    """The hands that a seat was paid for, each once; empty where nobody contested."""
    if not scene.view.showdown:
        return ""
    return join_and(hands_won_with(scene.view, seat))
