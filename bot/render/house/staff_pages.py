"""Draw what staff read about people: the messages of the staff channel, reports, bans; and the form of a report."""

from collections.abc import Sequence

from bot.ledger.flow import PairFlow
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import TEXT_MAX
from bot.render.message.panel import (
    FINISHED,
    FORM_TITLE_MAX,
    GREEN,
    GREY,
    LOBBY,
    OPTION_TEXT_MAX,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    Form,
    Option,
    Panel,
    Select,
    Text,
    TextField,
)
from bot.runtime.staff_log_types import Ban, StaffLogLine
from bot.text import flow as flow_words
from bot.text import staff_log as words
from bot.text.formatting import shorten
from bot.text.language import t

REPORT_FIELD = "report"
BANS_LISTED = 10
FLOWS_PER_PAGE = 6
FLOW_DAYS, FLOW_SPANS = 30, (1, 7, 30, 90)
"""The days that `/house page:flow` looks at first, and those that it offers."""
REPORT_LENGTH_MAX = 300
_ROOM = TEXT_MAX - 200
"""Letters of a message; the rest is kept free for what follows the last line."""


def staff_log_panel(lines: Sequence[StaffLogLine], now: int) -> tuple[Panel, int]:
    """Return one message for the staff channel, and how many of the lines it tells: as many as fit, at least one."""
    blocks: list[Block] = []
    used = told = 0
    for line in lines:
        text = words.staff_log_line(line, now)
        if told and used + len(text) > _ROOM:
            break
        used, told = used + len(text), told + 1
        blocks.append(Text(text[:TEXT_MAX]))
        if words.is_report(line.entry):
            blocks.append(_report_buttons(line))
        elif words.is_alarm(line.entry):
            blocks.append(_alarm_buttons(line))
    return Panel(FINISHED, tuple(blocks)), told


def _report_buttons(line: StaffLogLine) -> Buttons:
    hand = f"{line.entry.table}.{line.entry.hand}"
    return Buttons(
        (
            Button(t(words.LOOK_AT_HAND), page_id("house", "look", hand, line.id), GREY),
            Button(t(words.MARK_DONE), page_id("house", "done", line.id), GREEN),
        )
    )


def _alarm_buttons(line: StaffLogLine) -> Buttons:
    return Buttons(
        (
            Button(t(flow_words.LOOK), page_id("house", "flowlook", line.id), GREY),
            Button(t(flow_words.SET_ASIDE), page_id("house", "flowaside", line.id), GREY),
        )
    )


def gone_hand_panel(table: int, hand: int, why: str) -> Panel:
    """Say why a hand cannot be shown any more; it can be reported all the same. `table` is the table's id."""
    report = Button(t(words.REPORT), page_id("hand", "report", f"{table}.{hand}"), GREY)
    return Panel(FINISHED, (Text(why), Buttons((report,))))


def reports_panel(reports: Sequence[StaffLogLine], count: int) -> Panel:
    """Return the reports that wait, a page of them, each with its buttons; `count` wait in all."""
    if not reports:
        return Panel(RESULT, (Text(t(words.NO_REPORTS)),))
    blocks: list[Block] = [Text(words.reports_heading(count))]
    for line in reports:
        blocks += [Text(words.staff_log_line(line, line.at + words.DELAYED_MS + 1)), _report_buttons(line)]
    if count > len(reports):
        more = Button(t(words.MORE_REPORTS), page_id("house", "reports", reports[-1].id), GREY)
        blocks.append(Buttons((more,)))
    return Panel(LOBBY, tuple(blocks))


def report_form(table: int, hand: int, user: int) -> Form:
    """Ask what was wrong with a hand."""
    field = TextField(
        REPORT_FIELD,
        t(words.REPORT_FIELD),
        description=t(words.REPORT_HINT),
        max_length=REPORT_LENGTH_MAX,
        long=True,
    )
    title = shorten(t(words.REPORT_TITLE, hand=hand), FORM_TITLE_MAX)
    return Form(title, page_id("hand", "reported", f"{table}.{hand}", user), (field,))


def reported_panel(hand: int) -> Panel:
    """Return the answer to a report."""
    return Panel(RESULT, (Text(t(words.REPORTED, hand=hand)),))


def report_done_panel(hand: int) -> Panel:
    """Return the answer to staff who marked a report as done."""
    return Panel(RESULT, (Text(t(words.REPORT_DONE, hand=hand)),))


def bans_panel(bans: Sequence[Ban]) -> Panel:
    """Return the bans of a server, the latest first, with a select to lift one; older ones are lifted by `/house page:unban`."""
    if not bans:
        return Panel(RESULT, (Text(t(words.NO_BANS)),))
    shown = bans[:BANS_LISTED]
    lines = [words.bans_heading(len(bans)), *map(words.ban_line, shown)]
    options = tuple(
        Option(
            shorten(ban.name or str(ban.user), OPTION_TEXT_MAX),
            str(ban.user),
            shorten(ban.reason, OPTION_TEXT_MAX),
        )
        for ban in shown
    )
    return Panel(LOBBY, (Text("\n".join(lines)), Select(page_id("house", "unban"), t(words.LIFT_A_BAN), options)))


def flow_panel(
    flows: Sequence[PairFlow], days: int, first: int = 0, waiting: Sequence[StaffLogLine] = (), waiting_count: int = 0
) -> Panel:
    """Return a page of who gives chips to whom, from line `first`: the alarms, then the largest sums.

    Args:
        waiting, waiting_count: alarms that nobody has looked at, each with its buttons, and how many there are.
    """
    page = flows[first : first + FLOWS_PER_PAGE]
    alarms = sum(flow.is_alarm for flow in flows)
    lines = [flow_words.heading(days, alarms), *map(flow_words.flow_line, page)]
    if not flows:
        lines.append(t(flow_words.NOTHING))
    blocks: list[Block] = [Text(flow_words.alarms_heading(waiting_count))] if waiting else []
    for line in waiting:
        blocks += [Text(words.staff_log_line(line)), _alarm_buttons(line)]
    blocks += [Text("\n".join(lines)), Text(t(flow_words.NO_PROOF))]
    row = [Button(flow_words.span(each), page_id("house", "flow", each), GREY) for each in FLOW_SPANS if each != days]
    if len(flows) > first + FLOWS_PER_PAGE:
        row.append(Button(t(words.MORE_REPORTS), page_id("house", "flow", days, first + FLOWS_PER_PAGE), GREY))
    blocks.append(Buttons(tuple(row)))
    return Panel(WAITING if alarms else RESULT, tuple(blocks))


def alarm_settled_panel(line: StaffLogLine, *, aside: bool) -> Panel:
    """Return the answer to staff who set the chips of an alarm aside, or let them count again."""
    (giver, _), (taker, _) = line.entry.shifts
    text = Text(flow_words.settled(giver, taker, aside=aside))
    verb, label = ("flowback", flow_words.COUNT_AGAIN) if aside else ("flowaside", flow_words.SET_ASIDE)
    return Panel(RESULT, (text, Buttons((Button(t(label), page_id("house", verb, line.id), GREY),))))


def banned_panel(user: int, *, leaves_later: bool) -> Panel:
    """Return the answer to a ban."""
    return Panel(RESULT, (Text(words.banned(user, leaves_later=leaves_later)),))


def unbanned_panel(user: int) -> Panel:
    """Return the answer to a lifted ban."""
    return Panel(RESULT, (Text(words.unbanned(user)),))
