"""Short texts around a hand: answers to a slash command, time over, a restart, help."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import events as was
from bot.engine.legal import Decision
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
            ("/cards", "their colours to you, and whether they come by DM"),
            ("/preselect", "before your turn: check or fold, call, fold; seen by you alone"),
            ("/show /muck", "your cards at the end"),
            ("/time", "your time bank, on your turn"),
            ("/straddle", "the straddle, before the deal"),
            ("/draw /standpat", "change cards, or keep them: `7h 4c 2s`"),
            ("/discard", "cards to give up or pass on"),
            ("/declare /runtwice /answer", "say what is asked of you"),
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
        "The deal and the seats",
        (
            ("/deal", "cut, shuffle, draw for the first deal, choose the game, ask for a bomb pot, claim a misdeal"),
            ("/seats", "draw for seats, exchange them, name a substitute, put chips right by consent"),
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
            ("/table open", "open one here, of one game or several in turn; you are its host"),
            ("/table list", "the tables of this server"),
            ("/table info", "this table in words"),
            ("/table settings", "what it has agreed on"),
            ("/table games", "the rules this server has saved"),
            ("/table close", "close it; everybody is paid out"),
        ),
    ),
)
_STAFF = ("Staff", (("/house", "settings, grant, take, void, audit; save and forget house games, remove a player"),))


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


def receipt(events: Iterable[object], asked: Decision = Decision.NONE) -> str:
    """What a slash command answers when it did what it was asked: ``You raise to 4,000 (put in 2,975).``

    `events` are those that happened because of it; the first that is an action is the player's own. `asked`: what he had been asked.
    """
    happened = tuple(events)
    for event in happened:
        match event:
            case was.Folded():
                return "You fold."
            case was.Checked():
                return "You check."
            case was.Called(chips=chips, all_in=all_in):
                return f"You call {chips:,}." + _all_in(all_in)
            case was.BetTo(to=to, all_in=all_in):
                return f"You bet {to:,}." + _all_in(all_in)
            case was.RaisedTo(to=to, chips=chips, all_in=all_in):
                return f"You raise to {to:,} (put in {chips:,})." + _all_in(all_in)
            case was.Straddled(to=to):
                return f"You straddle to {to:,}."
            case was.StraddleDeclined():
                return "You do not straddle."
            case was.Drew(laid=laid):
                return f"You draw {len(laid)}." if laid else "You stand pat."
            case was.Shown():
                return "Your cards are open to all."
            case was.Mucked():
                return "Your cards are gone unseen."
            case was.Chosen():
                return _chosen(event, asked, settled=any(isinstance(one, was.ChoicesSettled) for one in happened))
            case was.TurnedUp():
                return "Your card is turned up; the next one comes down."
            case was.Declined():
                return "You say no."
            case was.PricePaid(chips=chips):
                return f"You pay {chips:,} for your card."
            case was.Designated():
                return "What your cards stand for is said."
            case was.PutInOutOfTurn(chips=chips):
                return f"Noted: {chips:,} wait in front of you until your turn."
            case _:
                pass
    return "Done."


def _chosen(choice: was.Chosen, asked: Decision, *, settled: bool) -> str:
    """What becomes of a secret choice: a word is told once everybody has chosen (`settled`), cards given up never are."""
    count = f"{len(choice.places)} card" + ("" if len(choice.places) == 1 else "s")
    match asked:
        case Decision.DROP:
            return f"You give up {count}. Nobody sees {'it' if len(choice.places) == 1 else 'them'}."
        case Decision.PASS:
            return f"You pass {count}." + ("" if settled else " They go on when everybody has chosen.")
        case Decision.ARRANGE:
            return "Your cards are in order; they are turned up one by one."
        case _:
            said = f"You say {choice.word}." if choice.word else "You have chosen."
            return said if settled else f"{said} Nobody sees it before everybody has chosen."


def time_over(name: str, events: Iterable[object]) -> str:
    """``Time is up: river_rat folds.`` `name` is safe for markdown; `events` are those that silence stood for (TL-41)."""
    return f"Time is up: {name} {next((did for did in map(_silently, events) if did), 'says nothing')}."


def _silently(event: object) -> str:
    """What silence did, if this event says so."""
    match event:
        case was.Folded():
            return "folds"
        case was.Checked():
            return "checks"
        case was.BetTo(to=to):
            return f"opens with {to:,}"
        case was.StraddleDeclined():
            return "does not straddle"
        case was.Drew():
            return "stands pat"
        case was.Declined():
            return "keeps the card down"
        case was.Chosen():
            return "has chosen by silence"
        case was.Shown() | was.Designated():
            return "shows"
        case was.Mucked():
            return "mucks"
        case _:
            return ""


def restarted_panel(scene: Scene) -> Panel:
    """Told after a restart: the hand goes on, or it was cancelled and the bets are back."""
    if scene.view.voided:
        text = f"The bot restarted. Hand #{scene.hand} was cancelled, all bets returned."
        return Panel(FINISHED, (Text(text + "\n-# Law I-1"),))
    acting = scene.acting()
    whose = f", it is **{scene.name(acting.number)}**'s turn" if acting is not None else ""
    ends = f"\n-# The turn ends {ago(scene.deadline)}" if acting is not None and scene.deadline else ""
    return Panel(WAITING, (Text(f"The bot restarted. Hand #{scene.hand} goes on{whose}.{ends}"),))


def _all_in(all_in: bool) -> str:
    return " You are all-in." if all_in else ""
