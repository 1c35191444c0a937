"""*My hand*: the one private message from which a player plays. Cards, board, what they make, what there is to call, and the buttons.

It is drawn from the player's own view, so it can show what nobody else sees. It is redrawn through the hand; when the hand is over, it
tells how that ended for its reader.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.legal import Decision
from bot.engine.view.types import HandSeatState, HandView, SeatView
from bot.render.hand import action_buttons, preselection_panels
from bot.render.hand.own_result import own_result_lines
from bot.render.hand.private_choices import (
    CARDS_MAX,
    NOTHING_CHOSEN,
    PrivateChoice,
    choice_part,
    in_rows,
    is_private_choice,
)
from bot.render.hand.private_panels import best_wild_lines, card_lines, hand_name_lines, own_seat
from bot.render.hand.running_hand import boards_as_text
from bot.render.hand.scene import Scene, sort_key
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
from bot.text.formatting import relative_time
from bot.text.language import t


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


PLAIN = PanelState()


def my_hand_panel(scene: Scene, early: PreselectionView | None = None, state: PanelState = PLAIN) -> Panel:
    """Draw a player's panel.

    Args:
        scene: the hand as the player sees it.
        early: what the player can choose before their turn, and has chosen (TL-34).
    """
    seat, view = own_seat(scene), scene.view
    blocks = _top(state)
    lines = [t(words.HEADING, number=scene.hand_number), *card_lines(scene, seat, large=state.picture is None)]
    if state.picture is not None:
        blocks.append(state.picture)
    if seat.received_cards and not view.over:
        giver = scene.name(seat.received_from)
        lines.append(t(words.RECEIVED, name=giver, cards=cards_in_words(seat.received_cards)))
    if seat.state is HandSeatState.FOLDED and not view.over:
        lines.append(t(words.FOLDED))
    elif seat.state is not HandSeatState.FOLDED:
        made = hand_name_lines(scene, seat)
        lines += [*made, *best_wild_lines(scene, seat)] if made and not view.over else made
    lines += board_lines(scene)
    asked, controls = _controls(scene, early, state)
    if state.hides_end:
        lines.append(t(words.HAND_IS_OVER))
        return Panel(WAITING, (*blocks, Text("\n".join(lines))))
    lines += [*own_result_lines(scene), *asked] if view.over else [*_turn_lines(scene, early), *asked]
    rule = words.cards_that_play(view.shares)
    if rule and not view.over:
        lines.append(f"-# {rule}")
    lines.append(_facts(scene, seat))
    blocks += [Text("\n".join(lines)), *controls]
    if state.resting:
        blocks += [Text(t(words.PANEL_RESTS)), Buttons((action_buttons.my_hand_button(scene),))]
    return Panel(FINISHED if view.voided else RESULT if view.over else WAITING, tuple(blocks))


def _top(state: PanelState) -> list[Block]:
    """What stands above the hand: what the player has to know first."""
    note: tuple[Block, ...] = (Text(state.note),) if state.note else ()
    return [*state.notice, *note, *state.answer]


def no_cards_panel(scene: Scene, state: PanelState = PLAIN) -> Panel:
    """The panel of somebody who is not in the hand: the table in words, without anybody's cards."""
    blocks = _top(state)
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


def board_lines(scene: Scene) -> list[str]:
    """The common cards, as tiles and in words, a pair of lines for each board."""
    written = boards_as_text(scene)
    boards = [board for board in scene.view.boards if board]
    return [
        line
        for tiles, board in zip(written, boards, strict=True)
        for line in (t(words.BOARD, cards=tiles), f"-# {cards_in_words(board)}")
    ]


def _controls(scene: Scene, early: PreselectionView | None, state: PanelState) -> tuple[list[str], list[Block]]:
    """What the player can press now, with the lines that explain it."""
    view = scene.view
    if view.over:
        return _after_hand_part(scene, state)
    legal = view.legal
    if legal is not None and legal.decision is not Decision.NONE:
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
    """Whose turn it is, until when, and what is decided ahead."""
    view = scene.view
    legal = view.legal
    if legal is not None and legal.decision is not Decision.NONE:
        facts = [actions.own_turn(legal), actions.facing(legal, before_draw=view.equalising)]
        if scene.deadline:
            facts.append(actions.turn_end(relative_time(scene.deadline), on_time_bank=scene.on_time_bank))
        lapsed = early.chosen if early is not None else None
        lines = [preselection_words.lapsed(lapsed)] if lapsed is not None and lapsed.lapse_reason is not None else []
        lines.append(FACT_SEPARATOR.join([fact for fact in facts if fact]))
        if view.openers_rank >= 0 and legal.decision is Decision.BET and not legal.max_to:
            lines.append(t(words.NO_OPENERS, ranks=rank_plural(view.openers_rank)))
        return lines
    if view.legal_out_of_turn is not None:
        return [t(words.EARLY_ACTIONS_BIND if view.legal_out_of_turn.fold else words.EARLY_CHIPS_ARE_HELD)]
    lines = preselection_panels.preselection_lines(scene, early) if early is not None else []
    seat = own_seat(scene)
    waits = view.legal_to_act is not None and seat.state is HandSeatState.LIVE and not seat.choice_awaited
    return lines or ([t(words.NOT_YOUR_TURN)] if waits else [])


def _facts(scene: Scene, seat: SeatView) -> str:
    """Small print: that only the reader sees this, their chips, the pot, what there is to call."""
    view = scene.view
    all_in = seat.state is HandSeatState.ALL_IN and not view.over
    facts = [
        t(words.YOU_ARE_ALL_IN) if all_in else t(words.STACK, chips=seat.stack),
    ]
    if view.over or seat.state is not HandSeatState.FOLDED:  # a folded player's panel rests until the result
        facts.append(t(hand_words.POT_CHIPS, chips=view.pot))
    if seat.held_chips:
        facts.append(held_note(seat))
    own_turn = view.legal is not None and view.legal.decision is not Decision.NONE
    if not own_turn and seat.state is HandSeatState.LIVE and view.current_bet > seat.bet and _call_is_open(view):
        facts.append(t(TO_CALL, chips=min(view.current_bet - seat.bet, seat.stack)))
    return f"{t(words.ONLY_YOU)} {FACT_SEPARATOR.join(facts)}"


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
