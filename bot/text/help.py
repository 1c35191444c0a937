"""What `/help` says: a start page that fits a phone, and the commands by topic. What a command does is in `bot.text.commands`."""

from __future__ import annotations

from msgspec import Struct

from bot.text.commands import COMMANDS, GROUPS
from bot.text.language import Message, message, t

START = message("### How to play")
GO_TO_TABLE = message("Go to <#{channel}> and press **Take a seat**. Everything else is a button under the table.")
OPEN_TABLE = message("`/table open` opens a table in this channel. Then press **Take a seat**.")
YOUR_CARDS = message("Your cards come by DM and by **Peek**. Nobody else sees them.")
BETS = message("A bet is your total for the street: `200`, `1.5k`, `½`, `pot` or `all`.")
RULES = message("`/laws` shows the rules of a table, `/hand` shows the last hand.")
_COMMAND = message("`/{name}` {description}")


class HelpTopic(Struct, frozen=True):
    """Some commands under one button.

    Attributes:
        label: of the button.
        heading: of the page.
        commands: whole names, or the name of a group for all of it.
        staff: only staff see the topic.
    """

    label: Message
    heading: Message
    commands: tuple[str, ...]
    staff: bool = False


TOPICS: dict[str, HelpTopic] = {
    "play": HelpTopic(
        message("Play"),
        message("### Playing a hand"),
        (
            "fold",
            "check",
            "call",
            "bet",
            "raise",
            "allin",
            "peek",
            "preselect",
            "time",
            "straddle",
            "draw",
            "standpat",
            "discard",
            "declare",
            "runtwice",
            "answer",
            "show",
            "muck",
        ),
    ),
    "seats": HelpTopic(
        message("Seats"),
        message("### Seats and the deal"),
        ("sit", "leave", "sitout", "back", "rebuy", "waitinglist", "seats", "deal"),
    ),
    "chips": HelpTopic(
        message("Chips"), message("### Chips, rules and cards"), ("chips", "leaderboard", "hand", "laws", "cards")
    ),
    "tables": HelpTopic(
        message("Tables"),
        message("### Tables"),
        ("table open", "table list", "table info", "table settings", "table games", "table close"),
    ),
    "staff": HelpTopic(
        message("Staff"),
        message("### For staff"),
        (
            "house settings",
            "house grant",
            "house take",
            "house void",
            "house audit",
            "house save",
            "house forget",
            "house remove",
        ),
        staff=True,
    ),
}
"""The topics by the word in the ids of their buttons."""
BACK = message("‹ Back")


def topic_lines(topic: HelpTopic) -> list[str]:
    """The page of a topic: a command a line."""
    return [t(topic.heading), *[_command_line(name) for name in topic.commands]]


def _command_line(name: str) -> str:
    description = GROUPS[name] if name in GROUPS else COMMANDS[name].description
    return t(_COMMAND, name=name, description=t(description))
