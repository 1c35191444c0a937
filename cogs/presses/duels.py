"""Challenges to duels: made, called out, made again from a sheet. Accepting and the rest is done by the buttons of any sit-and-go."""

from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.events.sit_and_go.refusals import OpponentCannotPlay
from bot.events.sit_and_go.state import Duel, Duellist, SitAndGoSettings
from bot.ledger.refusals import NewcomerMustWait, NotEnoughChips
from bot.line.interaction import InteractionInfo
from bot.render.message.panel import RESULT, Panel, Text
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot
from bot.table import commands as tc
from bot.text import duels as words
from bot.text.language import t
from cogs.support.services import Effort, Services


async def duellist(services: Services, guild: int, user: int, name: str) -> Duellist:
    """Return one of the two, with the duels that they have won and lost if they show it."""
    shown = services.preferences.shows_duels(user)
    return Duellist(user, name, await services.tables.duel_record(guild, user) if shown else None)


async def require_may_challenge(services: Services, info: InteractionInfo, wanted: SitAndGoSettings) -> None:
    """Refuse a challenge that could not be accepted.

    Raises:
        OpponentCannotPlay, NotEnoughChips, NewcomerMustWait.
        InAnotherEvent: a practice player accepts at once.
        OneMoment: they have made several a moment ago.
    """
    duel, guild, chips = _duel(wanted), info.guild, wanted.buy_in
    if services.tables.staff_log.is_banned(guild, duel.opponent.player):
        raise OpponentCannotPlay(opponent=duel.opponent.player)
    if duel.opponent.player < 0:
        services.tables.require_in_no_event(guild, info.user)
    if chips:
        # When it is accepted they are not there to take what the house gives.
        has = await services.buy_ins.in_wallet(guild, info.user)
        if has < chips and (until := await services.bank.opening_grant_at(guild, info.user)):
            raise NewcomerMustWait(until=until)
        if has < chips:
            raise NotEnoughChips(has=has, needs=chips, user=info.user)
    services.spend(Effort.CHALLENGE, info.user)


async def call(services: Services, request: Request) -> None:
    """Call whoever is challenged to the table that a request has opened, once."""
    await services.duel_calls.call(await services.tables.opened_by(request.key))


async def begin(services: Services, request: Request, opened: TableSnapshot) -> Panel:
    """Return what whoever challenges is told. Against a practice player it begins at once.

    Raises:
        TableError: they cannot play it now; then there is no table.
    """
    assert opened.sit_and_go is not None, "no duel"
    if _duel(opened.sit_and_go.settings).opponent.player > 0:
        return Panel(RESULT, (Text(t(words.SENT)),), until_my_hand=opened.id)
    services.direct_messages.open_channel(opened, request.user)
    asked = replace(request, key=f"{request.key}:practice", table=opened.id, staff=False)
    try:
        await services.tables.ask(asked, SeatPracticePlayers(1))
    except TableError:
        await services.tables.ask(replace(asked, key=f"{request.key}:close"), tc.CloseTable(request.user))
        raise
    return Panel(RESULT, (Text(t(words.STARTED)),), until_my_hand=opened.id)


async def again(services: Services, guild: int, wanted: SitAndGoSettings, user: int) -> SitAndGoSettings:
    """Return a duel as it was played, with whoever asks for it again as the challenger."""
    duel = _duel(wanted)
    other = duel.other(user)
    own = duel.challenger if other == duel.opponent else duel.opponent
    one = await duellist(services, guild, own.player, own.name)
    two = await duellist(services, guild, other.player, other.name)
    return replace(wanted, duel=replace(duel, challenger=one, opponent=two))


def _duel(wanted: SitAndGoSettings) -> Duel:
    assert wanted.duel is not None, "no duel"
    return wanted.duel
