"""A hand in words (`/hand`), street by street, from views its reader can see: it cannot tell more than the reader knows."""

from collections.abc import Sequence

from bot.engine.legal import Decision
from bot.engine.view.types import ActionVerb, HandSeatState, HandView, SeatView
from bot.render.hand.replay_ids import replay_button
from bot.render.hand.result import outcome_lines
from bot.render.hand.running_hand import awaited_seats
from bot.render.hand.scene import Scene, in_seat_order, sorted_cards
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import ROW_BUTTONS_MAX, TEXT_MAX
from bot.render.message.page_turns import page_turns
from bot.render.message.panel import FINISHED, GREY, Block, Button, Buttons, Panel, Picture, Text
from bot.text import actions, buttons
from bot.text import hand as words
from bot.text.actions import FACT_SEPARATOR, facing, turn_line
from bot.text.cards import SIGNS
from bot.text.formatting import join_list
from bot.text.game_words import street_heading
from bot.text.language import t
from bot.text.staff_log import REPORT

_PAGE_LENGTH = TEXT_MAX - 300


def hand_log_panel(
    scene: Scene,
    streets: Sequence[HandView],
    page_number: int = 1,
    *,
    shared: bool = False,
    picture: Picture | None = None,
    step: int = 1,
) -> Panel:
    """Tell a hand. A hand too long for one message is told on several pages.

    Args:
        scene: its view is the hand at its end, or now, as the reader can see it.
        streets: the hand at the end of each betting round, before the bets were gathered, for the same reader.
        page_number: the page to show, from 1.
        shared: everybody will read it, so the views must be public.
        picture: the table as everybody saw it at the end.
        step: where its replay is opened.
    """
    if shared:
        scene.public_view()
    told = [*street_lines(scene, streets), *outcome_lines(scene)] if scene.view.over else _so_far(scene, streets)
    pages = _pages([*_starting_lines(scene), *told])
    page_number = max(1, min(page_number, len(pages)))
    hand = f"{scene.table_id}.{scene.hand_number}"
    row: list[Button] = []
    if len(pages) > 1:
        verb = "shared" if shared else "page"
        row += page_turns(page_number, len(pages), lambda turn, to: page_id("hand", verb, hand, f"{to}.{turn}"))
    if scene.view.over:
        row.insert(0, replay_button(scene.table_id, scene.hand_number, step))
    if not shared:
        row.append(Button(t(buttons.SHOW_HERE), page_id("hand", "here", hand), GREY))
        if scene.view.over:
            row.append(Button(t(REPORT), page_id("hand", "report", hand), GREY))
    heading = t(words.LOG_HEADING, number=scene.hand_number)
    heading, page = f"{heading}\n-# {scene.small_print(named=True)}", "\n".join(pages[page_number - 1])
    told_blocks: tuple[Block, ...] = (Text(f"{heading}\n{page}"),)
    if picture is not None:
        told_blocks = (Text(heading), picture, Text(page))
    rows = [Buttons(tuple(row[start : start + ROW_BUTTONS_MAX])) for start in range(0, len(row), ROW_BUTTONS_MAX)]
    return Panel(FINISHED, (*told_blocks, *rows))


def _so_far(scene: Scene, streets: Sequence[HandView]) -> list[str]:
    """Tell a hand that is being played: its streets with the one that is open, and whom it waits for."""
    view = scene.view
    legal = view.legal_to_act
    is_open = legal is not None and legal.decision in (Decision.BET, Decision.DRAW)
    lines = street_lines(scene, [*streets, view] if is_open else streets)
    players = join_list([scene.name(seat.seat_number) for seat in awaited_seats(view)])
    facts = [turn_line(players, legal), facing(legal, before_draw=view.equalising) if legal is not None else ""]
    return [*lines, FACT_SEPARATOR.join([fact for fact in facts if fact])] if players else lines


def street_lines(scene: Scene, streets: Sequence[HandView]) -> list[str]:
    """Tell the streets, a line each: the open cards, the pot it began with, everything that was done."""
    lines: list[str] = []
    boards: tuple[tuple[int, ...], ...] = ()
    up_cards_before = ""
    for street in streets:
        pot = street.pot - sum([seat.bet for seat in street.seats])
        heading = [f"**{street_heading(street)}**"]
        if street.boards != boards and any(street.boards):
            boards = street.boards
            heading += [scene.emojis.write(board) for board in boards if board]
        if pot > 0:
            heading.append(t(words.POT_CHIPS, chips=pot))
        facts = [" ".join(heading)]
        up_cards = _up_cards(scene, street)
        if up_cards and up_cards != up_cards_before:
            facts.append(up_cards)
        up_cards_before = up_cards
        told = [
            actions.action_told(action, scene.name(street.seats[action.seat_index].seat_number))
            for action in street.street_actions
        ]
        done = FACT_SEPARATOR.join(told) if told else t(words.NO_BETTING)
        lines.append(t(words.LOG_STREET, street=FACT_SEPARATOR.join(facts), actions=done))
    final = scene.view.boards
    if final != boards and any(final):
        lines.append(t(words.LOG_BOARD, cards=" ".join([scene.emojis.write(board) for board in final if board])))
    return lines


def _up_cards(scene: Scene, street: HandView) -> str:
    """Return the cards that lay open before each player still in, where the game deals them so."""
    shown = [
        f"{scene.name(seat.seat_number)} {SIGNS.write(up)}"
        for seat in in_seat_order(street)
        if (up := [seen.card for seen in seat.cards if seen.face_up and seen.card is not None])
        and _began_street_in(seat)
    ]
    return join_list(shown)


def _began_street_in(seat: SeatView) -> bool:
    return seat.state is not HandSeatState.FOLDED or (
        seat.last_action is not None and seat.last_action.verb is ActionVerb.FOLD
    )


def _starting_lines(scene: Scene) -> list[str]:
    stacks: list[str] = []
    for seat in in_seat_order(scene.view):
        stack = t(words.NAME_CHIPS, name=scene.name(seat.seat_number), chips=seat.starting_stack)
        if seat.seat_number == scene.view.button_seat_number:
            stack = t(words.DEALER, name=stack)
        stacks.append(f"`{seat.seat_number}` {stack}")
    lines = [FACT_SEPARATOR.join(stacks)]
    own = scene.own_seat()
    if own is not None and own.cards:
        lines.append(t(words.LOG_OWN_CARDS, cards=scene.emojis.write(sorted_cards([seen.card for seen in own.cards]))))
    return lines


def _pages(lines: list[str]) -> list[list[str]]:
    """Put lines on pages; a line too long for any page is broken at a dot between two actions."""
    pages: list[list[str]] = [[]]
    used = 0
    for line in lines:
        for part in _broken_at_dots(line):
            if used + len(part) + 1 > _PAGE_LENGTH and pages[-1]:
                pages.append([])
                used = 0
            pages[-1].append(part)
            used += len(part) + 1
    return pages


def _broken_at_dots(line: str) -> list[str]:
    parts: list[str] = []
    while len(line) > _PAGE_LENGTH:
        end = line.rfind(FACT_SEPARATOR, 0, _PAGE_LENGTH)
        end = end if end > 0 else _PAGE_LENGTH
        parts.append(line[:end])
        line = line[end:].removeprefix(FACT_SEPARATOR)
    return [*parts, line]
