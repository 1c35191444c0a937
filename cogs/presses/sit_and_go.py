"""Clicks around a sit-and-go: entering and withdrawing, starting, standings and levels, pauses. Laws: SG-1, SG-2, SG-13, SG-15."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.refusals import NoEventHere, NoOpenOffer
from bot.events.sit_and_go.state import AgreementKind, SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import Speed, structure_of
from bot.render.message.panel import RESULT, Panel, Text
from bot.render.table import sit_and_go as panels
from bot.render.table.duel import challenge_panel
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.request import Request
from bot.runtime.sit_and_go import lobby_closes_at
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.table.commands import LeaveTable
from bot.table.settings import TableSettings
from bot.text import duels as duel_words
from bot.text import sit_and_go as words
from bot.text.language import Message, t
from bot.text.lobby_board import WAITING_AT
from cogs.support.services import PageClick, Services

USUAL_SPEED = Speed.TURBO
"""The structure of one that is opened by the form; its host chooses another until somebody else enters."""
SEATS = 6
SEATS_MAX = 10


def settings_for(settings: TableSettings, seats: int, *, for_chips: bool) -> SitAndGoSettings:
    """Return what a sit-and-go is played by that somebody opens: turbo, and for chips the minimum buy-in of its stakes.

    Args:
        settings: those of a table with this game and these stakes.
        seats: as chosen; 0 for the usual six, or as many as the game has.
    """
    count = min(seats or SEATS, settings.seat_count, SEATS_MAX)
    buy_in = settings.min_buyin if for_chips else 0
    return SitAndGoSettings(speed=USUAL_SPEED, structure=structure_of(USUAL_SPEED), seats=count, buy_in=buy_in)


async def enter(services: Services, request: Request, snapshot: TableSnapshot) -> Panel:
    """Enter a sit-and-go, and say when it starts.

    Raises:
        TableError: they cannot enter.
    """
    services.direct_messages.open_channel(snapshot, request.user)
    outcome = await services.tables.ask(request, c.Enter(request.user, request.name))
    event, was = _event(outcome.snapshot), _event(snapshot)
    if event.is_running and event.settings.duel is not None:
        text = t(duel_words.ACCEPTED)
    elif event.is_running:
        text = t(words.ENTERED_LATE if was.is_running else words.STARTED)
    else:
        text = t(words.ENTERED, count=event.settings.seats - len(event.entrants))
    if request.channel != snapshot.address.channel:
        where = t(WAITING_AT, channel=f"<#{snapshot.address.channel}>")
        text = f"{text} {where}"
    return panels.own_panel(snapshot.id, event, request.user, text)


def menu(snapshot: TableSnapshot, user: int) -> Panel:
    """What a person can do at the table of a sit-and-go: enter before the start, their seat afterwards."""
    event, table = _event(snapshot), snapshot.id
    if event.is_running:
        return standings(snapshot, user)
    if event.settings.duel is not None:
        return challenge_panel(table, snapshot.table, event, lobby_closes_at(event))
    panel = panels.entry_panel(table, snapshot.table, event)
    own = panels.host_blocks(table, event) if user == event.opened_by else []
    return Panel(panel.accent, (*panel.blocks, *own), until_my_hand=table)


def standings(snapshot: TableSnapshot, user: int) -> Panel:
    """Where everybody stands, as everybody sees the table now."""
    event = _event(snapshot)
    if not event.is_running:
        return menu(snapshot, user)
    view = snapshot.table
    stacks: dict[int, int] = {seat.number: seat.stack for seat in view.seats}
    if snapshot.hand_running and (hand := snapshot.hand) is not None:
        stacks |= {seat.seat_number: seat.stack for seat in hand.seats}
    return panels.standings_panel(snapshot.id, view, event, stacks, user, snapshot.average_stack)


def left(outcome: RequestOutcome) -> Panel:
    """The answer to leaving: the buy-in is back before the start, and stays afterwards (SG-13)."""
    event = _event(outcome.snapshot)
    if event.settings.duel is not None:
        return Panel(RESULT, (Text(t(duel_words.LEFT[event.end_reason])),))
    if event.is_running:
        return Panel(RESULT, (Text(t(words.LEFT_BY_CHOICE_FREE if event.settings.is_free else words.LEFT_BY_CHOICE)),))
    text = words.WITHDRAWN_FREE if event.settings.is_free else words.WITHDRAWN
    return panels.own_panel(outcome.snapshot.id, event, outcome.user, t(text))


def _event(snapshot: TableSnapshot) -> SitAndGo:
    if snapshot.sit_and_go is None:
        raise NoEventHere
    return snapshot.sit_and_go


async def press(click: PageClick) -> None:
    """A button of a sit-and-go was pressed.

    Raises:
        TableError: it is refused.
    """
    services, info = click.services, click.info
    snapshot = services.tables.snapshot(click.press.number())
    request = replace(await services.request(info), table=snapshot.id)
    services.tables.table_for(request)  # only who can know of it
    handler = _HANDLERS.get(click.press.verb)
    if handler is None:
        raise NoEventHere
    await click.reply.private(await handler(click, request, snapshot))


async def _withdraw(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return left(await click.services.tables.ask(request, c.WithdrawEntry(request.user)))


async def _give_up(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return left(await click.services.tables.ask(request, LeaveTable(request.user)))


async def _enter(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return await enter(click.services, request, snapshot)


async def _start(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    if request.user != _event(snapshot).opened_by:
        return menu(snapshot, request.user)
    await click.services.tables.ask(request, c.StartSitAndGo(request.user, ()))
    return Panel(RESULT, (Text(t(words.STARTED_BY_HOST)),), until_my_hand=snapshot.id)


async def _levels(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return panels.levels_panel(snapshot.id, _event(snapshot), snapshot.settings)


async def _standings(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    return standings(snapshot, request.user)


async def _pause(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    await click.services.tables.ask(request, c.PauseEvent(request.user, panels.PAUSE_MINUTES))
    return Panel(RESULT, (Text(t(words.PAUSED, minutes=panels.PAUSE_MINUTES)),))


async def _resume(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    await click.services.tables.ask(request, c.ResumeEvent(request.user))
    return Panel(RESULT, (Text(t(words.GOES_ON)),))


async def _practice(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    outcome = await click.services.tables.ask(request, SeatPracticePlayers(_event(snapshot).settings.seats))
    event = _event(outcome.snapshot)
    if event.is_running:
        return Panel(RESULT, (Text(t(words.STARTED)),), until_my_hand=snapshot.id)
    came = sum([one.practice for one in event.entrants])
    return panels.own_panel(snapshot.id, event, request.user, t(words.PRACTICE_CAME, count=came))


async def _choose(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    chosen = panels.read_structure(click.info.values[0] if click.info.values else "")
    if chosen is None:
        raise NoEventHere
    speed, counted_in = chosen
    wanted = _event(snapshot).settings
    command = c.ChooseStructure(request.user, speed, counted_in, wanted.prizes, wanted.late_until)
    outcome = await click.services.tables.ask(request, command)
    event = _event(outcome.snapshot)
    structure = event.settings.structure
    label = words.structure_label(speed, counted_in, structure.starting_stack, structure.level_length)
    return panels.own_panel(snapshot.id, event, request.user, t(words.STRUCTURE_CHOSEN, speed=label))


async def _late(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    chosen = click.info.values[0] if click.info.values else ""
    level = int(chosen) if chosen.isdecimal() and int(chosen) in panels.LATE_LEVELS else 0
    wanted = _event(snapshot).settings
    command = c.ChooseStructure(request.user, wanted.speed, wanted.structure.counted_in, wanted.prizes, level)
    event = _event((await click.services.tables.ask(request, command)).snapshot)
    return panels.own_panel(snapshot.id, event, request.user, t(words.STRUCTURE_CHOSEN, speed=words.late_label(level)))


async def _offer(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    chosen = click.info.values[0] if click.info.values else ""
    if chosen not in set(AgreementKind):
        raise NoOpenOffer
    outcome = await click.services.tables.ask(request, c.OfferAgreement(request.user, AgreementKind(chosen)))
    return _agreement_answer(outcome, words.OFFERED_DEAL)


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
    return Panel(RESULT, (Text(t(words.DEAL_DONE if is_over else otherwise)),))


_HANDLERS: dict[str, Callable[[PageClick, Request, TableSnapshot], Awaitable[Panel]]] = {
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
    "speed": _choose,
    "late": _late,
    "offer": _offer,
    "agree": _agree,
    "refuse": _refuse,
}
