"""Clicks around a sit-and-go: entering and withdrawing, starting, standings and levels, pauses. Laws: SG-1, SG-2, SG-13, SG-15."""

from msgspec.structs import replace

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.refusals import NoEventHere
from bot.render.message.panel import RESULT, Panel, Text, payload
from bot.render.table import sit_and_go as panels
from bot.render.table.duel import challenge_panel
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.errors import TableGone
from bot.runtime.request import Request
from bot.runtime.sit_and_go import lobby_closes_at
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.table.commands import LeaveTable
from bot.text import duels as duel_words
from bot.text import sit_and_go as words
from bot.text.language import Message, t
from bot.text.lobby_board import WAITING_AT
from cogs.presses import my_hand
from cogs.presses.sit_and_go_choices import HANDLERS, Handler, not_rebought, require_event, told
from cogs.support.services import PageClick, Services


async def enter(services: Services, request: Request, snapshot: TableSnapshot) -> Panel:
    """Enter a sit-and-go, and say when it starts.

    Raises:
        TableError: they cannot enter.
    """
    services.direct_messages.open_channel(snapshot, request.user)
    outcome = await services.tables.ask(request, c.Enter(request.user, request.name))
    event, was = require_event(outcome.snapshot), require_event(snapshot)
    if event.is_running and event.settings.duel is not None:
        text = t(duel_words.ACCEPTED)
    elif event.is_running:
        text = t(words.ENTERED_LATE if was.is_running else words.STARTED)
    else:
        text = t(words.ENTERED)
    if request.channel != snapshot.address.channel:
        where = t(WAITING_AT, channel=f"<#{snapshot.address.channel}>")
        text = f"{text} {where}"
    return panels.own_panel(snapshot.id, event, request.user, text)


def menu(snapshot: TableSnapshot, user: int) -> Panel:
    """What a person can do at the table of a sit-and-go: enter before the start, their seat afterwards."""
    event, table = require_event(snapshot), snapshot.id
    if event.is_running:
        return standings(snapshot, user)
    if event.settings.duel is not None:
        return challenge_panel(table, snapshot.table, event, lobby_closes_at(event))
    panel = panels.entry_panel(table, snapshot.table, event)
    own = panels.host_blocks(table, event) if user == event.opened_by else []
    return Panel(panel.accent, (*panel.blocks, *own), until_my_hand=table)


def standings(snapshot: TableSnapshot, user: int) -> Panel:
    """Where everybody stands, as everybody sees the table now."""
    event = require_event(snapshot)
    if not event.is_running:
        return menu(snapshot, user)
    view = snapshot.table
    stacks: dict[int, int] = {seat.number: seat.stack for seat in view.seats}
    if snapshot.hand_running and (hand := snapshot.hand) is not None:
        stacks |= {seat.seat_number: seat.stack for seat in hand.seats}
    return panels.standings_panel(snapshot.id, view, event, stacks, user, snapshot.average_stack)


def left(outcome: RequestOutcome) -> Panel:
    """The answer to leaving: the buy-in is back before the start, and stays afterwards (SG-13)."""
    event = require_event(outcome.snapshot)
    if event.settings.duel is not None:
        return Panel(RESULT, (Text(t(duel_words.LEFT[event.end_reason])),))
    if event.started_at:
        entrant = event.entrant(outcome.user)
        if entrant is not None and not entrant.left:  # they have no chips, and do not rebuy
            return told(outcome.snapshot, not_rebought(outcome))
        return panels.left_panel(outcome.snapshot.id, outcome.snapshot.hand_number, event)
    text = words.WITHDRAWN_FREE if event.settings.is_free else words.WITHDRAWN
    return panels.own_panel(outcome.snapshot.id, event, outcome.user, t(text))


async def press(click: PageClick) -> None:
    """A button of a sit-and-go was pressed.

    Raises:
        TableError: it is refused.
    """
    services, info = click.services, click.info
    snapshot = services.tables.snapshot(click.press.number())
    request = replace(await services.request(info), table=snapshot.id)
    if not info.guild:  # a direct message, which only people who have been at the table have had
        if not snapshot.knows(info.user):
            raise TableGone
        name = snapshot.known_name(info.user) or info.name
        request = replace(request, guild=snapshot.address.guild, name=name)
    services.tables.table_for(request)  # only who can know of it
    handler = _HANDLERS.get(click.press.verb)
    if handler is None:
        raise NoEventHere
    panel = await handler(click, request, snapshot)
    if panel is None:
        return
    if click.press.verb in _ANSWERS and (now := services.hand_panels.snapshot(snapshot.id)) is not None:
        await my_hand.answer_in_panel(services, info, click.reply, now, panel)
    else:
        await click.reply.private(panel)


async def _withdraw(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return left(await click.services.tables.ask(request, c.WithdrawEntry(request.user)))


async def _give_up(click: PageClick, request: Request, snapshot: TableSnapshot) -> None:
    """Give a duel up. The answer replaces the question."""
    answer = left(await click.services.tables.ask(request, LeaveTable(request.user)))
    await click.reply.redraw(payload(answer))


async def _enter(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return await enter(click.services, request, snapshot)


async def _start(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    if request.user != require_event(snapshot).opened_by:
        return menu(snapshot, request.user)
    await click.services.tables.ask(request, c.StartSitAndGo(request.user, ()))
    return Panel(RESULT, (Text(t(words.STARTED_BY_HOST)),), until_my_hand=snapshot.id)


async def _levels(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return panels.levels_panel(snapshot.id, require_event(snapshot), snapshot.settings)


async def _standings(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return standings(snapshot, request.user)


async def _pause(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    outcome = await click.services.tables.ask(request, c.PauseEvent(request.user, panels.PAUSE_MINUTES))
    text = words.PAUSES_LATER if outcome.snapshot.hand_running else words.PAUSED
    return told(outcome.snapshot, t(text, minutes=panels.PAUSE_MINUTES))


async def _resume(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    await click.services.tables.ask(request, c.ResumeEvent(request.user))
    return told(snapshot, t(words.GOES_ON))


async def _practice(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    outcome = await click.services.tables.ask(request, SeatPracticePlayers(require_event(snapshot).settings.seats))
    event = require_event(outcome.snapshot)
    if event.is_running:
        return Panel(RESULT, (Text(t(words.STARTED)),), until_my_hand=snapshot.id)
    came = sum([one.practice for one in event.entrants])
    return panels.own_panel(snapshot.id, event, request.user, t(words.PRACTICE_CAME, count=came))


async def _agree(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    answer = c.AnswerAgreement(request.user, agrees=True, offer=click.press.number(1))
    outcome = await click.services.tables.ask(request, answer)
    return _agreement_answer(outcome, words.AGREED_TO_DEAL)


async def _refuse(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    answer = c.AnswerAgreement(request.user, agrees=False, offer=click.press.number(1))
    outcome = await click.services.tables.ask(request, answer)
    return _agreement_answer(outcome, words.REFUSED_DEAL)


def _agreement_answer(outcome: RequestOutcome, otherwise: Message) -> Panel:
    event = outcome.snapshot.sit_and_go
    is_over = event is None or not event.is_open
    return told(outcome.snapshot, t(words.DEAL_DONE if is_over else otherwise))


_ANSWERS = frozenset({"rebuy", "rebuybounty", "norebuy", "agree", "refuse"})
"""What answers a question that stands between two hands."""
_HANDLERS: dict[str, Handler] = {
    **HANDLERS,
    "enter": _enter,
    "leave": _withdraw,
    "decline": _withdraw,
    "giveup": _give_up,
    "start": _start,
    "levels": _levels,
    "standings": _standings,
    "pause": _pause,
    "resume": _resume,
    "practice": _practice,
    "agree": _agree,
    "refuse": _refuse,
}
