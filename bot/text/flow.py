"""Who gives chips to whom, in words: a line for each pair, and a plain sentence for each pattern. A pattern is no proof."""

from __future__ import annotations

from collections.abc import Callable

from bot.ledger.flow import FlowPattern, PairFlow
from bot.text.language import message, plural, t

NOTHING = message("Nobody has lost chips to anybody.")
NO_PROOF = message(
    "-# From what everyone at the tables could see. A pattern is a reason to look, not a proof: friends who play alone can look like this."
)

LOOK = message("Look")
SET_ASIDE = message("Set aside for this season")
COUNT_AGAIN = message("Count them again")
_WAITING = plural("### {count:,} alarm that nobody has looked at", "### {count:,} alarms that nobody has looked at")
_WAITS = plural(
    "⚠️ {count:,} alarm about chips waits for staff: `/house page:flow`. A staff channel would tell it.",
    "⚠️ {count:,} alarms about chips wait for staff: `/house page:flow`. A staff channel would tell them.",
)
_ASIDE = message(
    "Set aside: the chips that went from {giver} to {taker} don't count on leaderboards, this season and this year."
)
_COUNTED = message("The chips that went from {giver} to {taker} count on leaderboards again, up to the cap.")

_SPAN = plural("{count} day", "{count} days")
_HEADING = plural("### Flow of chips in the last {count:,} day", "### Flow of chips in the last {count:,} days")
_ALARMS = plural("{count:,} pair to look at", "{count:,} pairs to look at")
_NO_ALARMS = message("No pair stands out")
_FLOW = plural(
    "{giver} → {taker} **{chips:,}** in {count:,} hand", "{giver} → {taker} **{chips:,}** in {count:,} hands"
)
_ALARM = message("⚠️ {line}")
_SENTENCE = message("-# {sentence}")
_ALWAYS_LOSES = message("Loses nearly every big pot to them: {lost:,} of {count:,}.")
_GIVES_UP = message("Put in most of the stack and folded to them {count:,} times, {chips:,} chips.")
_COLLECTS = message("Chips of {count:,} players end with them in this way.")
_CORRECTED = message("{count:,} corrections of stacks, all one way.")
_AFTER_GIFTS = message("{count:,} times most of their free chips went there within an hour.")
_EMPTIED = message("Nearly all they brought to tables went there, in a few hands.")
_ALONE = message("They play at tables that nobody else joins.")
_TOGETHER = message("Both accounts came within ten minutes of each other.")

SENTENCES: dict[FlowPattern, Callable[[PairFlow], str]] = {
    FlowPattern.ALWAYS_LOSES: lambda flow: t(
        _ALWAYS_LOSES, lost=flow.sizeable - flow.sizeable_won, count=flow.sizeable
    ),
    FlowPattern.GIVES_UP: lambda flow: t(_GIVES_UP, count=flow.gave_up, chips=flow.gave_up_chips),
    FlowPattern.COLLECTS: lambda flow: t(_COLLECTS, count=flow.collected_from),
    FlowPattern.CORRECTED: lambda flow: t(_CORRECTED, count=flow.corrections),
    FlowPattern.AFTER_GIFTS: lambda flow: t(_AFTER_GIFTS, count=flow.after_gifts),
    FlowPattern.EMPTIED: lambda flow: t(_EMPTIED),
    FlowPattern.ALONE: lambda flow: t(_ALONE),
    FlowPattern.TOGETHER: lambda flow: t(_TOGETHER),
}
"""A sentence for each pattern; *they* is the player who has the chips."""


def span(days: int) -> str:
    """A button that looks at the last days."""
    return t(_SPAN, count=days)


def heading(days: int, alarms: int) -> str:
    """Over which days, and how many pairs stand out."""
    return f"{t(_HEADING, count=days)}\n{t(_ALARMS, count=alarms) if alarms else t(_NO_ALARMS)}"


def alarms_heading(count: int) -> str:
    """How many alarms wait for staff, above the first of them."""
    return t(_WAITING, count=count)


def alarms_waiting(count: int) -> str:
    """How many alarms wait, where no channel tells staff of them."""
    return t(_WAITS, count=count)


def settled(giver: int, taker: int, *, aside: bool) -> str:
    """The answer to staff who set the chips of a pair aside, or let them count again."""
    return t(_ASIDE if aside else _COUNTED, giver=f"<@{giver}>", taker=f"<@{taker}>")


def flow_line(flow: PairFlow) -> str:
    """Tell one pair, with its patterns."""
    line = t(_FLOW, giver=f"<@{flow.giver}>", taker=f"<@{flow.taker}>", chips=flow.chips, count=flow.hands)
    first = t(_ALARM, line=line) if flow.is_alarm else line
    return "\n".join([first, *(t(_SENTENCE, sentence=SENTENCES[pattern](flow)) for pattern in flow.patterns)])
