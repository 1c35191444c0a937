"""What the host of a sit-and-go chooses until somebody else enters, and what players answer about chips. Laws: SG-5, SG-9 to SG-12."""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.refusals import NoEventHere, NoOpenOffer
from bot.events.sit_and_go.state import AgreementKind, SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import Speed, structure_of
from bot.render.message.panel import RESULT, Panel, Text
from bot.render.table import rebuys as panels
from bot.render.table.sit_and_go import own_panel, read_structure
from bot.runtime.request import Request
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.table.settings import TableSettings
from bot.text import rebuys as words
from bot.text import sit_and_go as event_words
from bot.text.language import t
from cogs.support.services import PageClick

USUAL_SPEED = Speed.TURBO
"""The structure of one that is opened without a choice; its host chooses another until somebody else enters."""
SEATS = 6
SEATS_MAX = 10
REBUYS_UNTIL = 4
"""The level until which people rebuy, where none was named."""
Handler = Callable[[PageClick, Request, TableSnapshot], Awaitable[Panel | None]]


def settings_for(settings: TableSettings, seats: int, *, for_chips: bool) -> SitAndGoSettings:
    """Return what a sit-and-go is played by that somebody opens: turbo, and for chips the minimum buy-in of its stakes.

    Args:
        settings: those of a table with this game and these stakes.
        seats: as chosen; 0 for the usual six, or as many as the game has.
    """
    count = min(seats or SEATS, settings.seat_count, SEATS_MAX)
    buy_in = settings.min_buyin if for_chips else 0
    return SitAndGoSettings(speed=USUAL_SPEED, structure=structure_of(USUAL_SPEED), seats=count, buy_in=buy_in)


def require_event(snapshot: TableSnapshot) -> SitAndGo:
    """Return what is played at a table.

    Raises:
        NoEventHere: it is no sit-and-go.
    """
    if snapshot.sit_and_go is None:
        raise NoEventHere
    return snapshot.sit_and_go


def told(snapshot: TableSnapshot, text: str) -> Panel:
    """Tell whoever pressed that it is done. It goes with the next hand, if there is one."""
    event = require_event(snapshot)
    return Panel(RESULT, (Text(text),), until_my_hand=snapshot.id if event.is_open else 0)


def not_rebought(outcome: RequestOutcome) -> str:
    """Tell somebody who does not rebuy so, and whether they have to wait for their rank."""
    entrant = require_event(outcome.snapshot).entrant(outcome.user)
    return t(words.NO_REBUY_NO_RANK if entrant is not None and entrant.is_in else words.NO_REBUY_TAKEN)


def choosing(user: int, settings: SitAndGoSettings, **changes: Any) -> c.ChooseStructure:
    """Return the command by which the host changes some of what they have chosen."""
    command = c.ChooseStructure(
        user,
        settings.speed,
        settings.structure.counted_in,
        settings.prizes,
        settings.late_until,
        settings.rebuys,
        settings.bounty,
        settings.percents,
        settings.ante_first,
    )
    return replace(command, **changes)


async def _choose(click: PageClick, request: Request, snapshot: TableSnapshot, **changes: Any) -> SitAndGo:
    command = choosing(request.user, require_event(snapshot).settings, **changes)
    return require_event((await click.services.tables.ask(request, command)).snapshot)


def _done(request: Request, event: SitAndGo, what: str) -> Panel:
    return own_panel(request.table, event, request.user, t(event_words.STRUCTURE_CHOSEN, speed=what))


def _chosen(click: PageClick) -> str:
    return click.info.values[0] if click.info.values else ""


async def _speed(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    chosen = read_structure(_chosen(click))
    if chosen is None:
        raise NoEventHere
    speed, counted_in = chosen
    event = await _choose(click, request, snapshot, speed=speed, counted_in=counted_in)
    structure = event.settings.structure
    label = event_words.structure_label(speed, counted_in, structure.starting_stack, structure.level_length)
    return _done(request, event, label)


async def _late(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    level, rebuys = panels.read_late(_chosen(click))
    event = await _choose(click, request, snapshot, late_until=level, rebuys=rebuys)
    return _done(request, event, words.late_label(event.settings.late_until, rebuys=event.settings.rebuys))


async def _bounty(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    chips = int(_chosen(click)) if _chosen(click).isdecimal() else 0
    event = await _choose(click, request, snapshot, bounty=chips)
    return _done(request, event, words.bounty_label(event.settings.bounty))


async def _prizes(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel | None:
    chosen = _chosen(click)
    if chosen not in set(PrizeTable):
        raise NoEventHere
    if chosen == PrizeTable.OWN:
        form = panels.prize_table_form(snapshot.id, require_event(snapshot), click.info.id % 1000)
        await click.reply.form(form)
        return None
    event = await _choose(click, request, snapshot, prizes=PrizeTable(chosen), percents=())
    return _done(request, event, t(event_words.PRIZE_TABLES[event.settings.prizes]))


async def _percents(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    percents = panels.read_percents(click.info.fields.get("percents", ""))
    event = await _choose(click, request, snapshot, prizes=PrizeTable.OWN, percents=percents)
    return _done(request, event, t(words.OWN_PRIZES_NOW, percents=words.percents_text(event.settings.percents)))


async def _short(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    event = await _choose(click, request, snapshot, ante_first=_chosen(click) == "1")
    return _done(request, event, t(words.SHORT_POSTS[event.settings.ante_first]))


def _rebuy(*, rebuys: bool, bounty: bool = False) -> Handler:
    async def answer(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
        command = c.AnswerRebuyOffer(request.user, rebuys, bounty, click.press.number(1))
        outcome = await click.services.tables.ask(request, command)
        stack = require_event(snapshot).settings.structure.starting_stack
        return told(outcome.snapshot, t(words.REBOUGHT, chips=stack) if rebuys else not_rebought(outcome))

    return answer


def _players(snapshot: TableSnapshot) -> dict[int, int]:
    """Return those still in and their stacks, by seat: the lines of a form of amounts."""
    in_it = {one.player for one in require_event(snapshot).players_in}
    return {seat.player: seat.stack for seat in snapshot.table.seats if seat.player in in_it}


async def _offer(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel | None:
    chosen, event = _chosen(click), require_event(snapshot)
    if chosen not in set(AgreementKind):
        raise NoOpenOffer
    kind = AgreementKind(chosen)
    if kind is AgreementKind.AMOUNTS:
        await click.reply.form(panels.amounts_form(snapshot.id, event, _players(snapshot), click.info.id % 1000))
        return None
    return await _offered(click, request, c.OfferAgreement(request.user, kind))


async def _amounts(click: PageClick, request: Request, snapshot: TableSnapshot) -> Panel:
    amounts = panels.read_amounts(click.info.fields.get("amounts", ""), tuple(_players(snapshot)))
    return await _offered(click, request, c.OfferAgreement(request.user, AgreementKind.AMOUNTS, amounts=amounts))


async def _offered(click: PageClick, request: Request, command: c.OfferAgreement) -> Panel:
    outcome = await click.services.tables.ask(request, command)
    event = outcome.snapshot.sit_and_go
    is_over = event is None or not event.is_open
    return told(outcome.snapshot, t(event_words.DEAL_DONE if is_over else event_words.OFFERED_DEAL))


class EventRequest(Struct, frozen=True):
    """What `/play` was asked of a sit-and-go, as Discord sends it; None leaves it to the usual choice.

    Attributes:
        entry: `free` or `chips`; where only others are given it is free.
    """

    entry: str | None = None
    structure: str | None = None
    late_until: int | None = None
    rebuys: bool | None = None
    bounty: str | None = None
    prizes: str | None = None

    @property
    def is_any(self) -> bool:
        """Whether it is to be a sit-and-go."""
        return any(one is not None for one in astuple(self))

    def settings(self, table: TableSettings, seats: int) -> SitAndGoSettings:
        """Return what the sit-and-go is played by. `table`: the settings of a table with its game and stakes; `seats`: 0 for the usual."""
        usual = settings_for(table, seats, for_chips=self.entry == "chips")
        speed, counted_in = read_structure(self.structure or "") or (usual.speed, usual.structure.counted_in)
        structure = structure_of(speed, counted_in)
        late_until = min(self.late_until or 0, len(structure.levels))
        if self.rebuys and not late_until:
            late_until = REBUYS_UNTIL
        percent = int(self.bounty) if self.bounty in words.BOUNTY_CHOICES else 0
        return replace(
            usual,
            speed=speed,
            structure=structure,
            late_until=late_until,
            rebuys=bool(self.rebuys),
            bounty=panels.bounty_chips(usual.buy_in, percent),
            prizes=PrizeTable(self.prizes) if self.prizes in event_words.PRIZE_CHOICES else usual.prizes,
        )


HANDLERS: dict[str, Handler] = {
    "speed": _speed,
    "late": _late,
    "bounty": _bounty,
    "prizes": _prizes,
    "percents": _percents,
    "short": _short,
    "rebuy": _rebuy(rebuys=True),
    "rebuybounty": _rebuy(rebuys=True, bounty=True),
    "norebuy": _rebuy(rebuys=False),
    "offer": _offer,
    "amounts": _amounts,
}
