"""A hand in words (`/hand`), street by street, from views its reader may see: it cannot tell more than the reader knows."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.view import HandView, SeatState, SeatView
from bot.render import actions
from bot.render.cards import SIGNS
from bot.render.ids import page
from bot.render.limits import TEXT_MAX
from bot.render.panel import FINISHED, GREY, Button, Buttons, Panel, Text
from bot.render.result import outcome_lines
from bot.render.scene import Scene, in_seat_order
from bot.render.table import street_name

_ROOM = TEXT_MAX - 300


def log_panel(scene: Scene, streets: Sequence[HandView], number: int = 1, *, shared: bool = False) -> Panel:
    """Tell a hand.

    A hand too long for one message is told on several pages.

    Args:
        scene: its view is the hand at its end, or now, as the reader may see it.
        streets: the hand at the end of each betting interval, before the bets were gathered, for the same reader.
        number: the page to show, from 1.
        shared: for everybody to read, so the views must be public.
    """
    pages = _pages([*_opening(scene), *log_lines(scene, streets), *outcome_lines(scene)])
    number = max(1, min(number, len(pages)))
    hand = f"{scene.table}.{scene.hand}"
    way = "shared" if shared else "page"
    buttons: list[Button] = []
    if len(pages) > 1:
        buttons = [
            Button("‹ Prev", page("hand", way, hand, f"{max(1, number - 1)}.prev"), GREY, disabled=number == 1),
            Button(f"{number} / {len(pages)}", page("hand", way, hand, f"{number}.now"), GREY, disabled=True),
            Button("Next ›", page("hand", way, hand, f"{number + 1}.next"), GREY, disabled=number == len(pages)),
        ]
    if not shared:
        buttons.append(Button("Show here", page("hand", "here", hand), GREY))
    text = f"### Hand #{scene.hand}\n-# {scene.small_print()}\n" + "\n".join(pages[number - 1])
    return Panel(FINISHED, (Text(text), Buttons(tuple(buttons))) if buttons else (Text(text),))


def log_lines(scene: Scene, streets: Sequence[HandView]) -> list[str]:
    """Tell the streets, a line each: the cards lying open, the pot it began with, everything that was done."""
    lines: list[str] = []
    shown: tuple[tuple[int, ...], ...] = ()
    before_open = ""
    for street in streets:
        numbers = {seat.seat: seat.number for seat in street.seats}
        before = street.pot - sum(seat.bet for seat in street.seats)
        head = f"**{street_name(street)}**"
        if street.boards != shown and any(street.boards):
            head += " " + " ".join([SIGNS.row(board) for board in street.boards if board])
            shown = street.boards
        if before > 0:
            head += f" pot {before:,}"
        lie_open = _open_cards(scene, street)
        if lie_open != before_open and lie_open:
            head += f" · {lie_open}"
        before_open = lie_open
        done = [f"{scene.name(numbers[action.seat])} {actions.did(action)}" for action in street.actions]
        lines.append(f"{head} — {' · '.join(done)}" if done else f"{head} — no betting")
    final = scene.view.boards
    if final != shown and any(final):
        lines.append("**Board** " + " ".join([SIGNS.row(board) for board in final if board]))
    return lines


def _open_cards(scene: Scene, street: HandView) -> str:
    """The cards that lay open before each player still in, where the game deals them so."""
    told = [
        f"{scene.name(seat.number)} {SIGNS.row(up)}"
        for seat in in_seat_order(street)
        if (up := [seen.card for seen in seat.cards if seen.up and seen.card is not None]) and _in_game(seat)
    ]
    return ", ".join(told)


def _in_game(seat: SeatView) -> bool:
    return seat.state is not SeatState.FOLDED or (seat.last is not None and seat.last.verb == "fold")


def _opening(scene: Scene) -> list[str]:
    stacks = [
        f"`{seat.number}` {scene.name(seat.number)} {seat.stack_start:,}"
        + (" (dealer)" if seat.number == scene.view.button else "")
        for seat in in_seat_order(scene.view)
    ]
    own = scene.own()
    lines = [" · ".join(stacks)]
    if own is not None and own.cards:
        lines.append(f"Your cards {SIGNS.row([seen.card for seen in own.cards])}")
    return lines


def _pages(lines: list[str]) -> list[list[str]]:
    """Put lines on pages; a line too long for any page is broken at a dot between two actions."""
    pages: list[list[str]] = [[]]
    used = 0
    for line in lines:
        for part in _parts(line):
            if used + len(part) + 1 > _ROOM and pages[-1]:
                pages.append([])
                used = 0
            pages[-1].append(part)
            used += len(part) + 1
    return pages


def _parts(line: str) -> list[str]:
    parts: list[str] = []
    while len(line) > _ROOM:
        at = line.rfind(" · ", 0, _ROOM)
        at = at if at > 0 else _ROOM
        parts.append(line[:at])
        line = line[at:].removeprefix(" · ")
    return [*parts, line]
