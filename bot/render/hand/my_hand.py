"""*My hand*: the one private message from which a player plays. It has all that a decision takes, and each own action once.

In this order: whose turn it is, the own cards and what they make, the board, a line for each opponent still in, pot and price, the buttons.

It is drawn from the player's own view, so it can show what nobody else sees. It is redrawn through the hand; when the hand is over, it
tells how that ended for its reader.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import HandSeatState, HandView, SeatView
from bot.render.hand import action_buttons, preselection_panels
from bot.render.hand.own_result import own_result_lines
from bot.render.hand.private_choices import (
    CARDS_MAX,
    NOTHING_CHOSEN,
    PrivateChoice,
    cards_are_buttons,
    choice_part,
    in_rows,
    is_private_choice,
)
from bot.render.hand.private_panels import (
    best_wild_lines,
    card_lines,
    hand_name_lines,
    hand_names_on_board,
    own_seat,
)
from bot.render.hand.running_hand import awaited_seats
from bot.render.hand.scene import Scene, sort_key
from bot.render.hand.seat_notes import odds_note, opponent_lines, split_note
from bot.render.message.custom_ids import button_id
from bot.render.message.panel import FINISHED, GREY, RESULT, WAITING, Block, Button, Buttons, Panel, Picture, Text
from bot.table.preselection.types import PreselectionView
from bot.text import actions, buttons
from bot.text import hand as hand_words
from bot.text import own_cards as words
from bot.text import preselection as preselection_words
from bot.text.actions import FACT_SEPARATOR, TO_CALL, held_note
from bot.text.buttons import Verb
from bot.text.cards import cards_in_words, rank_plural
from bot.text.confirmations import NO_CARDS_YET
from bot.text.formatting import join_list, relative_time
from bot.text.language import number, t


class Question(StrEnum):
    """What the panel asks back before it does what was pressed."""

    NONE = ""
    FOLD = "fold"
    """Checking is free (TL-36)."""
    PRESELECTED_FOLD = "preselected fold"
    """Checking might be free at the player's turn (TL-36)."""


class PanelState(Struct, frozen=True):
    """What a panel shows beside the hand.

    Attributes:
        note: the answer to what was pressed last: a refusal or a confirmation, as markdown.
        answer: the same where it has buttons of its own.
        notice: what the player has to be told unasked, as long as it is true.
        choice: what the player has chosen so far and not yet confirmed.
        question: what is asked back.
        keeps_hidden: the player has said that they show nothing after the hand.
        hides_end: the hand is over, and the table has still to tell how it ended.
        resting: the panel is about to stop following the hand, and offers the button that wakes it.
        picture: the player's cards drawn large; None for none.
        stack: what they have by now, once the hand is over; None for what they had at its end.
    """

    note: str = ""
    answer: tuple[Block, ...] = ()
    notice: tuple[Block, ...] = ()
    choice: PrivateChoice = NOTHING_CHOSEN
    question: Question = Question.NONE
    keeps_hidden: bool = False
    hides_end: bool = False
    resting: bool = False
    picture: Picture | None = None
    stack: int | None = None


PLAIN = PanelState()


def my_hand_panel(scene: Scene, early: PreselectionView | None = None, state: PanelState = PLAIN) -> Panel:
    """Draw a player's panel.

    Args:
        scene: the hand as the player sees it.
        early: what the player can choose before their turn, and has chosen (TL-34).
    """
    seat, view = own_seat(scene), scene.view
    blocks = _top(state)
    lines = [_heading(scene)]
    if state.picture is not None:
        blocks += [Text("\n".join(lines)), state.picture]
        lines = []
    folded = seat.state is HandSeatState.FOLDED
    made = hand_name_lines(scene, seat) if not folded else []
    meanings = best_wild_lines(scene, seat) if not folded and not view.over else []
    cards = card_lines(scene, seat, made, large=state.picture is None, name_wild=not meanings)
    lines += cards[1:] if state.picture is None and cards_are_buttons(scene) else cards
    if seat.received_cards and not view.over:
        giver = scene.name(seat.received_from)
        lines.append(t(words.RECEIVED, name=giver, cards=cards_in_words(seat.received_cards)))
    lines += meanings
    lines += board_lines(scene, seat if not folded else None)
    asked, controls = _controls(scene, early, state)
    if state.hides_end:
        lines.append(t(words.HAND_IS_OVER))
        return Panel(WAITING, (*blocks, Text("\n".join(lines))))
    if view.over:
        lines += [
            *own_result_lines(scene),
            *asked,
            t(words.STACK, chips=seat.stack if state.stack is None else state.stack),
        ]
    elif folded:
        lines.append(t(words.FOLDED))  # it rests until the result
    else:
        rule = (
            words.cards_that_play(view.shares) if not any(view.boards) else ""
        )  # later, the hand that they make tells it
        lines += [f"-# {rule}"] if rule else []
        lines += [*opponent_lines(scene, seat), _facts(scene, seat), *_turn_lines(scene, early), *asked]
    blocks += [Text("\n".join(lines)), *controls]
    if state.resting:
        blocks += [Text(t(words.PANEL_RESTS)), Buttons((action_buttons.my_hand_button(scene),))]
    return Panel(FINISHED if view.voided else RESULT if view.over else WAITING, tuple(blocks))


def _top(state: PanelState) -> list[Block]:
    """What stands above the hand: what the player has to know first."""
    note: tuple[Block, ...] = (Text(state.note),) if state.note else ()
    return [*state.notice, *note, *state.answer]


def no_cards_panel(scene: Scene, state: PanelState = PLAIN, *, is_out: bool = False) -> Panel:
    """The panel of somebody who is not in the hand: the table in words, without anybody's cards.

    Args:
        is_out: they have gone out of an event, which is all there is to tell them.
    """
    blocks = _top(state)
    if is_out and blocks:
        return Panel(FINISHED, tuple(blocks))
    lines = [
        t(words.NOT_IN_HAND, number=scene.hand_number),
        *board_lines(scene),
        t(words.POT_LINE, chips=scene.view.pot),
    ]
    return Panel(FINISHED, (*blocks, Text("\n".join(lines))))


def before_first_hand_panel(state: PanelState = PLAIN, *, dealt_before: bool = False) -> Panel:
    """The panel of a player where there is no hand to show: before the first one, or `dealt_before`, after a restart between two."""
    blocks = _top(state)
    return Panel(FINISHED, (*blocks, Text(t(words.NO_HAND_NOW if dealt_before else NO_CARDS_YET))))


def board_lines(scene: Scene, seat: SeatView | None = None) -> list[str]:
    """The common cards, a line for each board; several are numbered, each with what a seat makes on it."""
    boards = scene.view.boards
    if len(boards) < 2:
        return [t(words.BOARD, cards=scene.emojis.write(board)) for board in boards if board]
    lines: list[str] = []
    for index, board in enumerate(boards):
        if board:
            made = hand_names_on_board(scene, seat, index) if seat is not None else []
            cards = t(words.NUMBERED_BOARD, number=index + 1, cards=scene.emojis.write(board))
            lines.append(FACT_SEPARATOR.join((cards, *made)))
    return lines


def _controls(scene: Scene, early: PreselectionView | None, state: PanelState) -> tuple[list[str], list[Block]]:
    """What the player can press now, with the lines that explain it."""
    view = scene.view
    if view.over:
        return _after_hand_part(scene, state)
    legal = own_decision(view)
    if legal is not None:
        if state.question is Question.FOLD and legal.check:
            return [t(words.FOLD_QUESTION)], [action_buttons.fold_question_buttons(scene)]
        if is_private_choice(legal):
            return choice_part(scene, state.choice)
        return [], list(action_buttons.own_rows(scene, legal))
    if view.legal_out_of_turn is not None:
        return [], list(action_buttons.own_rows(scene, view.legal_out_of_turn))
    if early is None:
        return [], []
    if state.question is Question.PRESELECTED_FOLD:
        row = preselection_panels.fold_question_buttons(scene)
        return [t(preselection_words.FOLD_QUESTION)], [row]
    return [], list(preselection_panels.preselection_buttons(scene, early))


def _turn_lines(scene: Scene, early: PreselectionView | None) -> list[str]:
    """What became of a decision ahead of the turn, what can be decided ahead, and why the reader cannot do what they might expect."""
    view = scene.view
    legal = own_decision(view)
    if legal is not None:
        lapsed = early.chosen if early is not None else None
        lines = [preselection_words.lapsed(lapsed)] if lapsed is not None and lapsed.lapse_reason is not None else []
        if view.openers_rank >= 0 and legal.decision is Decision.BET and not legal.max_to:
            lines.append(t(words.NO_OPENERS, ranks=rank_plural(view.openers_rank)))
        return lines
    if view.legal_out_of_turn is not None:
        return [t(words.EARLY_ACTIONS_BIND if view.legal_out_of_turn.fold else words.EARLY_CHIPS_ARE_HELD)]
    return preselection_panels.preselection_lines(scene, early) if early is not None else []


def own_decision(view: HandView) -> LegalActions | None:
    """Return what the viewer is asked now; None where it is not their turn."""
    legal = view.legal
    return legal if legal is not None and legal.decision is not Decision.NONE else None


def _heading(scene: Scene) -> str:
    """``▶ **Your turn** · My hand #13``: whose turn it is, in which hand."""
    view = scene.view
    hand = t(words.HEADING, number=scene.hand_number)
    if (legal := own_decision(view)) is not None:
        return FACT_SEPARATOR.join((actions.own_turn(legal), hand))
    if view.over or own_seat(scene).state is HandSeatState.FOLDED or not (awaited := awaited_seats(view)):
        return hand
    players = join_list([scene.name(seat.seat_number) for seat in awaited])
    return FACT_SEPARATOR.join((actions.turn_line(players, view.legal_to_act), hand))


def _facts(scene: Scene, seat: SeatView) -> str:
    """``Pot 1,350 · 450 to call · 8,650 behind · ends in 24 seconds``."""
    view = scene.view
    pots = [number(pot.chips) for pot in view.pots]
    parts = (
        FACT_SEPARATOR.join((t(hand_words.MAIN_CHIPS, chips=view.pots[0].chips), *pots[1:])) if len(pots) > 1 else ""
    )
    facts = [t(words.POTS, chips=view.pot, parts=parts) if parts else t(words.POT, chips=view.pot)]
    legal = own_decision(view)
    if legal is not None and legal.call_all_in:  # it is all that they have, so nothing is behind
        facts.append(t(words.TO_CALL_ALL_IN, chips=legal.call_chips))
    elif legal is not None:
        facts.append(actions.facing(legal, before_draw=view.equalising))
    elif seat.state is HandSeatState.LIVE and view.current_bet > seat.bet and _call_is_open(view):
        facts.append(t(TO_CALL, chips=min(view.current_bet - seat.bet, seat.stack)))
    if seat.state is HandSeatState.ALL_IN:
        facts.append(t(words.YOU_ARE_ALL_IN))
    elif legal is None or not legal.call_all_in:
        facts.append(t(words.BEHIND, chips=seat.stack))
    if legal is None and seat.bet:
        facts.append(t(words.PUT_IN, chips=seat.bet))
    facts += [held_note(seat), odds_note(scene, seat), split_note(scene)]
    if legal is not None and scene.deadline:
        facts.append(actions.turn_end(relative_time(scene.deadline), on_time_bank=scene.on_time_bank))
    return FACT_SEPARATOR.join([fact for fact in facts if fact])


def _call_is_open(view: HandView) -> bool:
    """Whether the current bet can be called now: not before a stake limit's opening, nor while something else is asked."""
    legal = view.legal_to_act
    return legal is not None and legal.decision is Decision.BET and not (legal.to_call and not legal.call_chips)


def _after_hand_part(scene: Scene, state: PanelState) -> tuple[list[str], list[Block]]:
    """Show one's cards after the hand: one of them, all, or none (Z-4), as long as some are hidden."""
    hidden = cards_to_show(scene)
    if not hidden:
        return [], []
    if state.keeps_hidden:
        return [t(words.CARDS_STAY_HIDDEN)], []
    row = [
        Button(
            t(buttons.SHOW_ONE_CARD, card=scene.emojis.button_label(card)),
            _own_id(scene, Verb.SHOW_CARD, number),
            GREY,
            emoji=scene.emojis.for_option(card),
        )
        for number, card in sorted(hidden.items(), key=lambda each: sort_key(each[1]))[:CARDS_MAX]
    ]
    if len(hidden) > 1:
        row.append(
            Button(t(buttons.SHOW_BOTH if len(hidden) == 2 else buttons.SHOW_ALL), _own_id(scene, Verb.SHOW), GREY)
        )
    row.append(Button(t(buttons.SHOW_NONE), _own_id(scene, Verb.SHOW_NONE), GREY))
    return [t(words.SHOW_QUESTION)], in_rows(row)


def cards_to_show(scene: Scene) -> dict[int, int]:
    """The viewer's cards that nobody has seen, by their number among the viewer's own from 1; none before the end of a hand."""
    view = scene.view
    if not view.over or view.voided:
        return {}
    numbered = enumerate(own_seat(scene).cards, start=1)
    return {number: seen.card for number, seen in numbered if seen.card is not None and not seen.face_up}


def _own_id(scene: Scene, verb: Verb, amount: int = 0) -> str:
    return button_id(scene.table_id, scene.hand_number, scene.view.decision_number, verb, amount)
