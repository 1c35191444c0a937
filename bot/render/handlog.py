"""The last hand in words (`/hand`), street by street, from its events and the cards its reader may see.

Cards are taken from the view alone, so the log cannot tell more than the reader knows.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import events as was
from bot.engine.view import LastAction
from bot.render import actions
from bot.render.cards import SIGNS
from bot.render.ids import page
from bot.render.limits import TEXT_MAX
from bot.render.panel import FINISHED, GREY, Button, Buttons, Panel, Text
from bot.render.result import outcome_lines
from bot.render.scene import Scene, in_seat_order

_ROOM = TEXT_MAX - 300


def log_panel(scene: Scene, events: Iterable[object], number: int = 1, *, shared: bool = False) -> Panel:
    """Tell a finished hand. A hand too long for one message is told on several pages; `number` is the one to show, from 1."""
    head = f"### Hand #{scene.hand}\n-# {scene.small_print()}"
    pages = _pages([*_opening(scene), *log_lines(scene, events), *outcome_lines(scene)])
    number = max(1, min(number, len(pages)))
    buttons: list[Button] = []
    way = "shared" if shared else "page"
    if len(pages) > 1:
        hand = f"{scene.table}.{scene.hand}"
        buttons = [
            Button("‹ Prev", page("hand", way, hand, f"{max(1, number - 1)}p"), GREY, disabled=number == 1),
            Button(f"{number} / {len(pages)}", page("hand", way, hand, f"{number}n"), GREY, disabled=True),
            Button("Next ›", page("hand", way, hand, f"{number + 1}x"), GREY, disabled=number == len(pages)),
        ]
    if not shared:
        buttons.append(Button("Show here", page("hand", "here", f"{scene.table}.{scene.hand}"), GREY))
    body = Text(head + "\n" + "\n".join(pages[number - 1]))
    return Panel(FINISHED, (body, Buttons(tuple(buttons))) if buttons else (body,))


def log_lines(scene: Scene, events: Iterable[object]) -> list[str]:
    """Tell the streets: one line each, with the new cards and everything that was done."""
    lines: list[str] = []
    done: list[str] = []
    street = "Deal"
    dealt = [0] * max(1, len(scene.view.boards))
    pot = 0

    def close() -> None:
        if done:
            lines.append(f"**{street}** " + " · ".join(done))
            done.clear()

    for event in events:
        action = _action(event)
        if action is not None:
            done.append(f"{_name(scene, action.seat)} {actions.did(action)}")
            pot += action.chips
            continue
        match event:
            case was.IntervalOpened(street=name):
                close()
                street = f"{name[:1].upper()}{name[1:]}, pot {pot:,}:"
            case was.DealtBoard(count=count, board=board):
                close()
                shown = scene.view.boards[board][dealt[board] : dealt[board] + count] if scene.view.boards else ()
                dealt[board] += count
                lines.append(SIGNS.row(shown))
            case was.IntervalClosed(seat=seat, returned=returned) if returned:
                done.append(f"{returned:,} back to {_name(scene, seat)}, uncalled")
                pot -= returned
            case was.Shown(seat=seat):
                done.append(f"{_name(scene, seat)} shows{_cards(scene, seat)}")
            case was.Mucked(seat=seat):
                done.append(f"{_name(scene, seat)} mucks")
            case was.ShowdownOpened():
                close()
                street = "Showdown:"
            case was.HandVoided(law=law, reason=reason):
                done.append(f"the hand is cancelled, all bets returned ({reason}; Law {law})")
            case _:
                pass
    close()
    return lines


def _action(event: object) -> LastAction | None:
    match event:
        case was.Posted(seat=seat, kind=kind, chips=chips):
            return LastAction(seat, "post", chips=chips, note=kind.value)
        case was.Folded(seat=seat):
            return LastAction(seat, "fold")
        case was.Checked(seat=seat):
            return LastAction(seat, "check")
        case was.Called(seat=seat, chips=chips, all_in=all_in):
            return LastAction(seat, "call", chips=chips, all_in=all_in)
        case was.BetTo(seat=seat, to=to, chips=chips, all_in=all_in):
            return LastAction(seat, "bet", to, chips, all_in)
        case was.RaisedTo(seat=seat, to=to, chips=chips, all_in=all_in):
            return LastAction(seat, "raise", to, chips, all_in)
        case _:
            return None


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


def _name(scene: Scene, seat: int) -> str:
    return scene.name(scene.view.seats[seat].number)


def _cards(scene: Scene, seat: int) -> str:
    known = [seen.card for seen in scene.view.seats[seat].cards if seen.card is not None]
    return " " + SIGNS.row(known) if known else ""


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
