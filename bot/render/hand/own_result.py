"""How a hand ended for one of its players: what they won or lost, and with which hand."""

from bot.engine.view.types import HandSeatState, SeatView
from bot.render.hand.scene import Scene, hands_won_with
from bot.text import hand as hand_words
from bot.text import own_cards as words
from bot.text.formatting import join_and, join_list
from bot.text.language import t


def own_result_lines(scene: Scene) -> list[str]:
    """Tell the viewer how the hand ended for them: ``**You win 2,500** with two pair, aces and threes.``"""
    view, seat = scene.view, scene.own_seat()
    assert seat is not None, "only a player of the hand can be told how it ended for them"
    if view.voided:
        reason = hand_words.void_reason(view.void_reason)
        return [t(hand_words.BETS_RETURNED_BECAUSE, reason=reason) if reason else t(hand_words.BETS_RETURNED)]
    if len({payment.board_index for payment in view.payments}) > 1:
        return _lines_by_board(scene, seat)
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


def _won_with(scene: Scene, seat: SeatView, board: int | None = None) -> str:
    """The hands that a seat was paid for, each once; empty where nobody contested. `board`: on that one alone."""
    if not scene.view.showdown:
        return ""
    return join_and(hands_won_with(scene.view, seat, board))


def _lines_by_board(scene: Scene, seat: SeatView) -> list[str]:
    """Each board with its winners; in one line where the same player wins them all."""
    paid = [payment for payment in scene.view.payments if payment.chips]
    winners = {payment.seat_index for payment in paid}
    boards = sorted({payment.board_index for payment in paid})
    if len(winners) == 1 and len(boards) == 2:
        winner = scene.view.seats[winners.pop()]
        hands = [
            t(words.HAND_ON_BOARD, hand=hand, number=board + 1) if hand else ""
            for board in boards
            for hand in (_won_with(scene, winner, board),)
        ]
        if all(hands):
            wins = {"chips": winner.won, "hands": join_list(hands)}
            if winner.seat_index == seat.seat_index:
                return [t(words.YOU_WIN_BOTH_BOARDS, **wins)]
            own = [_own_line(scene, seat)]
            return [*own, t(words.OTHER_WINS_BOTH_BOARDS, name=scene.name(winner.seat_number), **wins)]
    lines = [] if seat.won else [_own_line(scene, seat)]
    for board in boards:
        on_board = [payment for payment in paid if payment.board_index == board]
        for index in dict.fromkeys(payment.seat_index for payment in on_board):
            chips = sum(payment.chips for payment in on_board if payment.seat_index == index)
            lines.append(_line_on_board(scene, scene.view.seats[index], board, chips, is_own=index == seat.seat_index))
    return lines


def _line_on_board(scene: Scene, seat: SeatView, board: int, chips: int, *, is_own: bool) -> str:
    """``Board 1: Ada wins 500 with aces and deuces.``"""
    hand = _won_with(scene, seat, board)
    facts = {"number": board + 1, "chips": chips, "hand": hand}
    if is_own:
        return t(words.YOU_WIN_ON_BOARD_WITH if hand else words.YOU_WIN_ON_BOARD, **facts)
    wording = words.OTHER_WINS_ON_BOARD_WITH if hand else words.OTHER_WINS_ON_BOARD
    return t(wording, name=scene.name(seat.seat_number), **facts)
