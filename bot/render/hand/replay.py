"""A hand step by step: the panel of one step, for one reader or for everybody."""

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.units import SeatIndex
from bot.engine.view.types import HandSeatState, HandView
from bot.history.steps import StepKind, StreetStep
from bot.render.hand.replay_ids import FILE_WORD, ReplayPress, file_hands_id, file_step_id, replay_id
from bot.render.hand.result import headline, outcome_lines
from bot.render.hand.running_hand import seat_lines, small_facts
from bot.render.hand.scene import Scene, in_seat_order, sorted_cards
from bot.render.message.limits import TEXT_MAX
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    Block,
    Button,
    Buttons,
    Option,
    Panel,
    Picture,
    Select,
    Text,
)
from bot.text import escape
from bot.text import hand as hand_words
from bot.text import replay as words
from bot.text.actions import FACT_SEPARATOR, action_told
from bot.text.buttons import SHOW_HERE
from bot.text.cards import SIGNS
from bot.text.formatting import join_list, shorten
from bot.text.game_words import STREET_HEADINGS, street_heading, street_title
from bot.text.language import t

ACTIONS_MAX = 16
"""The most actions of a street that are told; the latest ones, with … before them."""
STREETS_MAX = 25
_BUDGET = TEXT_MAX - 200


class ReplayStep(Struct, frozen=True):
    """One step of a hand as its reader could see it then.

    Attributes:
        scene: its view is the reader's; the public one for everybody.
        public: what everybody could see. `before`: the same at the end of the street before; None on the first street.
        number, count: which step it is, from 1, and how many there are.
        kind: what it is.
        seat: the seat index of whoever showed or mucked; below zero where that was nobody, or everybody at once.
        new_actions: how many of the street's last actions belong to the step.
        street: where it is. `streets`: all streets of the hand.
        file: the id of the file that the hand came from; 0 for a hand of ours. `verdict`: what the dealer says of such a hand.
    """

    scene: Scene
    public: HandView
    before: HandView | None
    number: int
    count: int
    kind: StepKind
    seat: SeatIndex
    new_actions: int
    street: StreetStep
    streets: tuple[StreetStep, ...]
    file: int = 0
    verdict: str = ""


def reference(table_number: int, hand: int, step: int = 0) -> str:
    """Return what people type to find a hand again, or one step of it: ``3-1284-9``; ``file-2-9`` of the file that they gave last."""
    where = table_number or FILE_WORD
    return f"{where}-{hand}-{step}" if step else f"{where}-{hand}"


def replay_panel(step: ReplayStep, *, leader: int = 0, leader_name: str = "", picture: Picture | None = None) -> Panel:
    """Draw one step of a hand.

    Args:
        leader: who turns the steps for everybody; 0 for a panel that one person reads. For everybody the view must be public.
        leader_name: what they are called.
        picture: the table at this step.
    """
    scene = step.scene
    if leader:
        scene.public_view()
    head = [t(words.HEADING, number=scene.hand_number, step=step.number, count=step.count), _now(step)]
    told = _told(step)
    ref = reference(scene.table_number, scene.hand_number, step.number)
    below = ["-# " + t(words.REFERENCE, small_print=scene.small_print(named=True), reference=ref)]
    if step.verdict:
        below.append(t(words.VERDICT, verdict=step.verdict))
    if leader:
        below.append(t(words.LED_BY, name=escape.name(leader_name)))
    text = "\n".join([*told, *below])
    if scene.emojis.marks and len("\n".join(head)) + len(text) > _BUDGET:
        in_signs = replace(step, scene=replace(scene, emojis=SIGNS))
        return replay_panel(in_signs, leader=leader, leader_name=leader_name, picture=picture)
    if len(text) > _BUDGET:  # nobody plays so many cards open with names so long
        text = shorten("\n".join(told), _BUDGET - sum(map(len, below))) + "\n" + "\n".join(below)
    blocks: tuple[Block, ...] = (Text("\n".join([*head, text])),)
    if picture is not None:
        blocks = (Text("\n".join(head)), picture, Text(text))
    return Panel(FINISHED, (*blocks, *_controls(step, leader)))


def _now(step: ReplayStep) -> str:
    """Return the street and what happens in the step, in small print."""
    return t(words.NOW, street=_street_name(step.street, step.public), what=_what(step))


def _what(step: ReplayStep) -> str:
    scene, view = step.scene, step.public
    match step.kind:
        case StepKind.START:
            return t(words.STARTS)
        case StepKind.DEAL:
            return t(words.DEALT)
        case StepKind.CHOICES:
            return t(words.CHOSEN)
        case StepKind.ACTION if view.street_actions:
            action = view.street_actions[-1]
            return action_told(action, scene.name(view.seats[action.seat_index].seat_number))
        case StepKind.SHOW if step.seat >= 0:
            seat = view.seats[step.seat]
            shows = any(card.card is not None for card in seat.cards) or bool(seat.openers_shown or seat.shown_alone)
            wording = words.SHOWS if shows else words.MUCKS
            return t(wording, name=scene.name(seat.seat_number))
        case StepKind.SHOW:
            return t(words.ALL_SHOWN)
        case _:
            return headline(scene) if view.over else ""


def _told(step: ReplayStep) -> list[str]:
    """Tell the street before in small print, this street with what is new in bold, the seats, and the reader's own cards."""
    scene, view, before = step.scene, step.public, step.before
    lines: list[str] = []
    told_again = before is not None and view.street_actions[: len(before.street_actions)] == before.street_actions
    if before is not None and before.street_actions and not told_again and not view.over:
        heading = " ".join([street_heading(before), *_boards(scene, before)])
        lines.append("-# " + t(words.TOLD, street=heading, actions=_actions(scene, before, 0)))
    if view.over:
        boards = _boards(scene, view)
        lines += [t(hand_words.LOG_BOARD, cards=" ".join(boards))] if boards else []
        if view.voided:
            reason = hand_words.void_reason(view.void_reason)
            returned = t(hand_words.BETS_RETURNED_BECAUSE, reason=reason) if reason else t(hand_words.BETS_RETURNED)
            lines.append(returned)
        return [*lines, *outcome_lines(replace(scene, view=view)), *_own_cards(scene), _stacks(scene)]
    street = " ".join([f"**{_street_name(step.street, view)}**", *_boards(scene, view)])
    line = t(words.STREET_WITH_POT, street=street, chips=view.pot)
    if step.street.kind is StepKind.DEAL and not step.street.all_in and view.street_actions:
        line = t(words.TOLD, street=line, actions=_actions(scene, view, step.new_actions))
    if step.kind is not StepKind.ACTION and not (step.kind is StepKind.START and step.new_actions):
        line = t(words.CURRENT, line=line)
    lines += [line, *small_facts(view), *_seats(step)]
    return [*lines, *_own_cards(scene)]


def _seats(step: ReplayStep) -> list[str]:
    """Tell the seats. Once the hands lie open, it is over what they did last, and who mucks has no cards any more."""
    scene, view = step.scene, step.public
    if step.street.kind is not StepKind.SHOW and not step.street.all_in:
        return [seat_lines(replace(scene, view=view), "")]
    seats = tuple([replace(seat, last_action=None) for seat in view.seats])
    live = [seat for seat in in_seat_order(view) if seat.state is not HandSeatState.FOLDED]
    mucked = [scene.numbered_name(seat.seat_number) for seat in live if not seat.cards]
    lines = [seat_lines(replace(scene, view=replace(view, seats=seats)), "")]
    return [*lines, t(words.MUCKED, players=join_list(mucked))] if mucked else lines


def moment_heading(step: ReplayStep) -> str:
    """Return what goes on at a step, as a picture of the table says it."""
    return _street_name(step.street, step.public)


def _boards(scene: Scene, view: HandView) -> list[str]:
    return [scene.emojis.write(board) for board in view.boards if board]


def _actions(scene: Scene, view: HandView, new: int) -> str:
    """Tell the latest actions of a street; the last `new` ones are what the step is about."""
    told = [
        action_told(action, scene.name(view.seats[action.seat_index].seat_number)) for action in view.street_actions
    ]
    if new:
        told[-new:] = [f"**{one}**" for one in told[-new:]]
        told[-1] = t(words.CURRENT, line=told[-1])
    return FACT_SEPARATOR.join(told if len(told) <= ACTIONS_MAX else [t(words.MORE_BEFORE), *told[-ACTIONS_MAX:]])


def _stacks(scene: Scene) -> str:
    """Tell the stacks after the hand."""
    stacks = [
        t(hand_words.NAME_CHIPS, name=scene.numbered_name(seat.seat_number), chips=seat.stack)
        for seat in in_seat_order(scene.view)
    ]
    return t(words.STACKS, stacks=FACT_SEPARATOR.join(stacks))


def _own_cards(scene: Scene) -> list[str]:
    own = scene.own_seat()
    if own is None or not own.cards:
        return []
    return [t(hand_words.LOG_OWN_CARDS, cards=scene.emojis.write(sorted_cards([seen.card for seen in own.cards])))]


def _street_name(street: StreetStep, view: HandView | None = None) -> str:
    """Return what a street is called, as a heading; with a view, the number of the draw too."""
    match street.kind:
        case StepKind.RESULT:
            return t(words.RESULT)
        case StepKind.SHOW:
            return t(STREET_HEADINGS["showdown"])
    if street.all_in:
        return t(hand_words.ALL_IN_HEADING)
    if view is not None:
        return street_heading(view)
    return street_title(street.street)


def _controls(step: ReplayStep, leader: int) -> list[Block]:
    """Return the buttons that turn the steps, the select of streets and, for one reader alone, what else can be done with the hand."""
    hand, last = step.scene.hand_number, step.count

    def id_of(verb: str, to: int) -> str:
        if step.file:
            return file_step_id(verb, step.file, hand, to)
        return replay_id(verb, ReplayPress(step.scene.table_id, hand, to, leader))

    def turn(label: str, verb: str, to: int, style: int = GREY) -> Button:
        to = max(1, min(to, last))
        return Button(label, id_of(verb, to), style, disabled=to == step.number)

    row = Buttons(
        (
            turn(t(words.FIRST), "first", 1),
            turn(t(words.BACK), "back", step.number - 1),
            turn(t(words.NEXT), "next", step.number + 1, BLURPLE),
            turn(t(words.LAST), "last", last),
        )
    )
    here = step.number
    streets = step.streets[:STREETS_MAX]
    options = [Option(_street_name(one), str(one.step), default=one.step == step.street.step) for one in streets]
    select = Select(id_of("street", here), t(words.STREETS), tuple(options))
    if leader:
        return [row, select]
    if step.file:
        of_file = (
            Button(t(words.TEXT_LOG), id_of("log", here), GREY),
            Button(t(words.ALL_HANDS), file_hands_id(step.file, hand), GREY),
        )
        return [row, select, Buttons(of_file)]
    more = (
        Button(t(words.TEXT_LOG), id_of("log", here), GREY),
        Button(t(words.DOWNLOAD), id_of("file", here), GREY),
        Button(t(SHOW_HERE), id_of("here", here), GREY),
    )
    return [row, select, Buttons(more)]
