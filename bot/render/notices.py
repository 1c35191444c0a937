"""Short texts around a hand: answers to a slash command, time over, a restart, help."""

from __future__ import annotations

from bot.engine.view import LastAction, SeatState
from bot.render.ids import page
from bot.render.panel import FINISHED, GREY, LOBBY, WAITING, Button, Buttons, Panel, Text
from bot.render.scene import Scene, ago

_HELP = (
    (
        "At the table",
        (
            ("/sit", "take a seat, with the chips you choose"),
            ("/fold /check /call", "your turn; the buttons under the table do the same"),
            ("/bet /raise", "a total for this street: `200`, `1.5k`, `½`, `pot`, `all`"),
            ("/allin", "everything you have"),
            ("/peek", "your cards, seen by you alone"),
            ("/show /muck", "your cards at the end"),
            ("/time", "your time bank, on your turn"),
            ("/straddle", "the live straddle, before the deal"),
        ),
    ),
    (
        "Between hands",
        (
            ("/leave", "get up with your chips"),
            ("/sitout /back", "pause, and play on"),
            ("/rebuy", "add chips, up to the most the table takes"),
            ("/hand", "the last hand in words"),
        ),
    ),
    (
        "Chips and laws",
        (
            ("/chips", "your chips, daily chips, relief, history"),
            ("/leaderboard", "who has most"),
            ("/laws", "the laws in force here, or one law by its id"),
        ),
    ),
    (
        "Tables",
        (
            ("/table open", "open one here; you are its host"),
            ("/table list", "the tables of this server"),
            ("/table info", "this table in words"),
            ("/table settings", "what it has agreed on"),
            ("/table close", "close it; everybody is paid out"),
        ),
    ),
)
_STAFF = ("Staff", (("/house", "settings, grant, take, void, audit"),))


def help_panel(*, staff: bool = False, table_channel: int = 0) -> Panel:
    """What can be done, command by command. `table_channel` is an open table to go to, 0 for none."""
    lines = ["### How to play"]
    if table_channel:
        lines.append(
            f"Go to <#{table_channel}> and press **Take a seat**. Everything else is a button under the table."
        )
    else:
        lines.append("`/table open` opens a table in this channel. Then press **Take a seat**.")
    for heading, commands in (*_HELP, _STAFF) if staff else _HELP:
        lines.append(f"**{heading}**")
        lines += [f"`{command}` {about}" for command, about in commands]
    lines.append("-# Your cards come by DM and by Peek. Nobody else sees them.")
    return Panel(LOBBY, (Text("\n".join(lines)), Buttons((Button("Show here", page("help", "here"), GREY),))))


def receipt(scene: Scene, action: LastAction) -> str:
    """What a slash command answers when it did what it was asked: ``You raise to 4,000 (put in 2,975).``"""
    all_in = " You are all-in." if action.all_in else ""
    match action.verb:
        case "fold":
            return "You fold."
        case "check":
            return "You check."
        case "call":
            return f"You call {action.chips:,}.{all_in}"
        case "bet":
            return f"You bet {action.to:,}.{all_in}"
        case "raise":
            return f"You raise to {action.to:,} (put in {action.chips:,}).{all_in}"
        case "draw":
            return f"You draw {action.cards}."
        case "pat":
            return "You stand pat."
        case _:
            return f"Done, in hand #{scene.hand}."


def time_over(name: str, *, folded: bool) -> str:
    """``Time is up: river_rat folds.`` `name` is safe for markdown."""
    return f"Time is up: {name} {'folds' if folded else 'checks'}."


def restarted_panel(scene: Scene) -> Panel:
    """Told after a restart: the hand goes on, or it was cancelled and the bets are back."""
    if scene.view.voided:
        text = f"The bot restarted. Hand #{scene.hand} was cancelled, all bets returned."
        return Panel(FINISHED, (Text(text + "\n-# Law I-1"),))
    acting = scene.acting()
    whose = f", it is **{scene.name(acting.number)}**'s turn" if acting is not None else ""
    ends = f"\n-# The turn ends {ago(scene.deadline)}" if acting is not None and scene.deadline else ""
    return Panel(WAITING, (Text(f"The bot restarted. Hand #{scene.hand} goes on{whose}.{ends}"),))


def still_in(scene: Scene) -> int:
    """How many seats have not folded."""
    return sum(seat.state is not SeatState.FOLDED for seat in scene.view.seats)
