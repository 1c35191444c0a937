"""The live message of a table while a hand is played (ui §5 b, e), the nudge (c) and the picture's description (§8)."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine import cards
from bot.engine.legal import Decision
from bot.engine.view import HandView, SeatState, SeatView
from bot.render import actions, controls
from bot.render.cards import SIGNS
from bot.render.limits import DESCRIPTION_MAX, TEXT_MAX, cut
from bot.render.panel import WAITING, Block, Gallery, Panel, Text
from bot.render.scene import NBSP, Scene, ago, cards_on_show, in_seat_order

LAST_ACTIONS = 3


def table_panel(scene: Scene, picture: Gallery | None = None) -> Panel:
    """Draw a running hand for everybody. Without a picture the board stands in a big line of cards.

    Where emojis would burst Discord's 4,000 characters (many players with many open cards), cards are written as signs.

    `scene.view` must be the public view: what one player may see never stands in a public message.
    """
    view = scene.view
    assert view.viewer is None, "a player's own view in a public message"
    blocks: list[Block] = [Text(_heading(scene))]
    if picture is not None:
        blocks.append(picture)
    elif view.boards and any(view.boards):
        blocks.append(Text(boards_big(scene)))
    seats = _seats(scene)
    if seats:
        blocks.append(Text(seats))
    now = _now(scene)
    if now:
        blocks.append(Text(now))
    if scene.emojis.marks and sum([len(block.content) for block in blocks if type(block) is Text]) > TEXT_MAX:
        return table_panel(replace(scene, emojis=SIGNS), picture)
    return Panel(WAITING, (*blocks, *controls.rows(scene)))


def nudge(scene: Scene) -> str:
    """The plain message that calls the player to act, or all who choose at once; the caller allows the mention of those only (ui §5 c)."""
    asked = awaited(scene.view)
    assert asked, "a nudge with nobody to act"
    legal = scene.view.acting
    what = _asked(scene) if legal is not None and legal.decision not in _PRIVATE else actions.to_do(legal)
    called = ", ".join([scene.mention(seat.number) for seat in asked])
    return f"{called} your turn — " + " · ".join([part for part in (what, _until(scene)) if part])


def _until(scene: Scene) -> str:
    """When the turn ends; said so of the time bank. Empty where there is no clock."""
    if not scene.deadline:
        return ""
    return f"time bank ends {ago(scene.deadline)}" if scene.hurried else ago(scene.deadline)


def description(scene: Scene) -> str:
    """Describe the picture for who cannot see it: street, board in words, pot, who is to act, who is in.

    At most 256 characters.

    Everybody who gets the message can read it, so it is made from the public view.
    """
    view = scene.view
    assert view.viewer is None, "a player's own view in a picture's description"
    parts = [street_name(view)]
    parts += ["board " + ", ".join([cards.name(card) for card in board]) for board in view.boards if board]
    parts.append(f"pot {view.pot:,}")
    acting = scene.acting()
    if acting is not None:
        parts.append(f"seat {acting.number} {scene.plain_name(acting.number)} {actions.to_do(view.acting)}")
    inside = [str(seat.number) for seat in in_seat_order(view) if seat.state is not SeatState.FOLDED]
    parts.append("in the hand: seats " + ", ".join(inside))
    text = parts[0] + ". " + ". ".join(part[:1].upper() + part[1:] for part in parts[1:]) + "."
    return cut(text, DESCRIPTION_MAX)


def street_name(view: HandView) -> str:
    """The street with a capital: ``Pre-flop``, ``Turn``, ``Draw 1 of 3``."""
    if view.draw[0]:
        return f"Draw {view.draw[0]} of {view.draw[1]}"
    return view.street[:1].upper() + view.street[1:] if view.street else "Deal"


def boards_big(scene: Scene) -> str:
    """The common cards as heading lines, one for each board."""
    return "\n".join(["# " + scene.emojis.row(board) for board in scene.view.boards if board])


def boards_small(scene: Scene) -> str:
    """The common cards at body size, one line for each board."""
    return "\n".join([scene.emojis.row(board) for board in scene.view.boards if board])


def pot_names(count: int) -> list[str]:
    """What pots are called, the main pot first: ``Pot``; ``Main pot``, ``Side pot``; ``Side pot A``, ``Side pot B``."""
    if count <= 1:
        return ["Pot"]
    if count == 2:
        return ["Main pot", "Side pot"]
    return ["Main pot", *(f"Side pot {chr(ord('A') + at)}" for at in range(count - 1))]


def wild_line(view: HandView) -> str:
    """What is wild at this moment: ``Wild: queens, sevens``; empty where nothing is."""
    wild = [cards.RANK_PLURALS[rank] for rank in dict.fromkeys(view.wild_ranks)]
    wild += [f"the {cards.name(card)}" for card in view.wild_common if card >> 2 not in view.wild_ranks]
    bug = view.joker == "bug"
    if view.joker == "wild":
        wild.append("the joker")
    told = f"Wild: {', '.join(wild)}" if wild else ""
    if bug:
        told += f"{' · ' if told else ''}The joker is a bug"
    return told


def _openers(view: HandView) -> str:
    """What it takes to open, until somebody has (VC-20)."""
    if view.openers < 0:
        return ""
    return f"Openers: a pair of {cards.RANK_PLURALS[view.openers]} or better"


def _heading(scene: Scene) -> str:
    view = scene.view
    lines = f"### {street_name(view)} · Pot {view.pot:,}\n-# {scene.small_print()}"
    for told in (wild_line(view), _openers(view)):
        if told:
            lines += f"\n-# {told}"
    if len(view.pots) > 1:
        names = pot_names(len(view.pots))
        parts = [
            f"{name[0].lower()}{name[1:].replace(' pot', '')} {pot.chips:,}"
            for name, pot in zip(names, view.pots, strict=True)
        ]
        waiting = view.pot - sum([pot.chips for pot in view.pots])
        if waiting > 0:
            parts.append(f"bets {waiting:,}")
        lines += "\n-# " + " · ".join(parts)
    return lines


def _seats(scene: Scene) -> str:
    view = scene.view
    lines: list[str] = []
    folded: list[str] = []
    for seat in in_seat_order(view):
        if seat.state is SeatState.FOLDED:
            dealer = " (dealer)" if seat.number == view.button else ""
            folded.append(f"{seat.number}{NBSP}{scene.name(seat.number)}{dealer}")
        else:
            lines.append(_seat_line(scene, seat))
    if folded:
        lines.append("-# Folded: " + ", ".join(folded))
    if view.button and not any(seat.number == view.button for seat in view.seats):
        lines.append(f"-# Dealer button at seat{NBSP}{view.button}")  # it may rest on an empty seat (TL-9)
    return "\n".join(lines)


def _seat_line(scene: Scene, seat: SeatView) -> str:
    view = scene.view
    number = seat.number
    name = scene.name(number)
    if number == view.button:
        name += " (dealer)"
    chips = "all-in" if seat.state is SeatState.ALL_IN else f"{seat.stack:,}"
    shown = cards_on_show(scene, seat)
    if shown:
        shown = "  " + shown
    if seat.seat == view.to_act and not seat.awaited:
        what = _asked(scene)
        return f"▶ `{number}`{NBSP}**{name}  {chips}**{shown}" + (f" · {what}" if what else "")
    what = _did(view, seat)
    mark = "▶ " if seat.awaited else ""
    return f"{mark}`{number}`{NBSP}{name}  **{chips}**{shown}" + (f" · {what}" if what else "")


def _did(view: HandView, seat: SeatView) -> str:
    """What a seat that is not to act did: its last action of the interval, what it drew, or that it waits."""
    if seat.awaited:
        return "choosing"
    last = seat.last
    if last is not None and last.verb == "chose" and view.to_act >= 0:
        return actions.chosen(view.acting)
    drawn = actions.draws(seat)
    acting = view.acting
    if acting is not None and acting.decision is Decision.DRAW:
        if len(seat.drew) < view.draw[0]:  # of the earlier draws, in this one its turn has not come
            return f"{drawn} · waiting" if drawn else "waiting"
        return drawn or "waiting"
    done = actions.note(last) if last is not None else ""
    told = f"{done} · {drawn}" if done and drawn and done != drawn else done or drawn
    return " · ".join(part for part in (told, f"declares {seat.word}" if seat.word else "") if part)


def _asked(scene: Scene) -> str:
    """What the seat to act faces, in a few words."""
    legal = scene.view.acting
    if legal is None:
        return ""
    if legal.decision in _PRIVATE:
        return "choosing"
    return actions.owes(legal, equalising=scene.view.equalising)


_PRIVATE = frozenset(
    {Decision.DRAW, Decision.DROP, Decision.PASS, Decision.ARRANGE, Decision.DECLARE, Decision.RUN_TWICE}
)
"""Decisions made in private."""


def _now(scene: Scene) -> str:
    """The last actions of the street, and whose turn it is until when."""
    view = scene.view
    lines: list[str] = []
    if scene.news:
        lines.append(f"-# {scene.news}")
    number_of = {seat.seat: seat.number for seat in view.seats}
    if view.actions:
        latest = [
            f"{scene.name(number_of[action.seat])} {actions.did(action)}" for action in view.actions[-LAST_ACTIONS:]
        ]
        lines.append("-# " + " · ".join(latest))
    asked = awaited(view)
    if asked:
        parts = [f"▶ {', '.join([scene.mention(seat.number) for seat in asked])} **{actions.to_do(view.acting)}**"]
        if view.acting is not None:
            owed = actions.owes(view.acting, equalising=view.equalising)
            if owed:
                parts.append(owed)
        if scene.deadline:
            parts.append(f"{'time bank ends' if scene.hurried else 'ends'} {ago(scene.deadline)}")
        lines.append(" · ".join(parts))
        if scene.bank and not scene.hurried:
            lines.append(f"-# Time bank {scene.bank} s")
    return "\n".join(lines)


def awaited(view: HandView) -> list[SeatView]:
    """The seats that the dealer waits for, by their numbers: all who choose at once, or the one to act."""
    together = [seat for seat in in_seat_order(view) if seat.awaited]
    return together or ([view.seats[view.to_act]] if view.to_act >= 0 else [])
