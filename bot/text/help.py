"""What `/help` says: a start page that fits a phone, and a page for each topic. What a command does, and its topic, is in
`bot.text.commands`."""

from __future__ import annotations

from msgspec import Struct

from bot.text.commands import COMMANDS, GROUPS, Topic
from bot.text.language import Message, message, t

START = message("### How to play")
GO_TO_TABLE = message("Go to <#{channel}> and press **Take a seat**. Everything else is a button under the table.")
SEATED_HERE = message("You're seated at the table in this channel. Everything is a button under it.")
TABLE_HERE = message("Press **Take a seat** under the table in this channel. Everything else is a button too.")
GO_BACK = message("You're seated in <#{channel}>. Everything is a button under the table there.")
OPEN_TABLE = message("`/play` opens a table in this channel and seats you. Friends press **Take a seat**.")
YOUR_CARDS = message("Your cards come by DM and by **My hand**. Nobody else sees them.")
BETS = message("A bet is your total for the street: `200`, `1.5k`, `½`, `pot` or `all`.")
RULES = message("`/laws` shows the rules of a table, `/hand` shows the last hand.")
_COMMAND = message("`/{name}` {description}")


class HelpTopic(Struct, frozen=True):
    """Some commands under one button.

    Attributes:
        label: of the button.
        heading: of the page.
        staff: only staff see the topic.
    """

    label: Message
    heading: Message
    staff: bool = False


TOPICS: dict[Topic, HelpTopic] = {
    Topic.PLAY: HelpTopic(message("Play"), message("### Playing a hand")),
    Topic.BETS: HelpTopic(message("Bets"), message("### Betting")),
    Topic.SEATS: HelpTopic(message("Seats"), message("### Seats and the deal")),
    Topic.CHIPS: HelpTopic(message("Chips"), message("### Chips, rules and cards")),
    Topic.HANDS: HelpTopic(message("Hands"), message("### Hands and statistics")),
    Topic.TABLES: HelpTopic(message("Host"), message("### Hosting a table")),
    Topic.STAFF: HelpTopic(message("Staff"), message("### For staff"), staff=True),
}
BACK = message("‹ Back")


def topic_lines(topic: Topic) -> list[str]:
    """Return the page of a topic: one line for each command, or for a group of them."""
    return [t(TOPICS[topic].heading), *[_command_line(name) for name in topic_commands(topic)]]


def topic_commands(topic: Topic) -> tuple[str, ...]:
    """Return the commands of a topic, by their whole names, and the groups that are listed as one."""
    names: dict[str, None] = {}
    for name, text in COMMANDS.items():
        if text.topic is topic:
            group = name.partition(" ")[0]
            names[group if group in GROUPS and GROUPS[group].one_line else name] = None
    return tuple(names)


def _command_line(name: str) -> str:
    description = GROUPS[name].description if name in GROUPS else COMMANDS[name].description
    return t(_COMMAND, name=name, description=t(description))
