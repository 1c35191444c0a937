"""Open a table: by its commands, and by the button of the dealer's greeting."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.events.sit_and_go.state import SitAndGoSettings
from bot.ledger.refusals import NewcomerMustWait, StakesAboveWallet
from bot.line.interaction import InteractionInfo
from bot.render.message.notice import notice_panel, refusal_panel
from bot.render.message.panel import Panel, Separator, Text
from bot.render.table import sit_and_go as sit_and_go_panels
from bot.render.table.open_form import (
    BIG_BLINDS,
    PRACTICE_PLAYERS_INSTEAD,
    EntryKind,
    OpenFormAnswer,
    Where,
    read_answer,
)
from bot.render.table.rooms import opened_panel
from bot.runtime.caps import TooMany
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.errors import NoPracticeTable
from bot.runtime.guests import TableGuests
from bot.runtime.house_game_settings import with_request
from bot.runtime.mixed_table_settings import GameChangeRule
from bot.runtime.request import Request
from bot.runtime.snapshot import TableOutline, TableSnapshot
from bot.runtime.store_errors import ChannelTaken
from bot.runtime.table_settings import NewTableRequest
from bot.surfaces.replies import Reply
from bot.surfaces.rooms.refusals import CannotOpenRoom
from bot.surfaces.scenes import lobby_panel
from bot.table.settings import TableSettings
from bot.text import confirmations as words
from bot.text.language import t
from bot.variants.catalogue import UnknownGame
from cogs.presses import duels, seating, table_settings
from cogs.presses.sit_and_go_choices import settings_for
from cogs.support.services import Effort, PageClick, Services


async def new_settings(
    services: Services,
    guild: int,
    game: str,
    table_request: NewTableRequest,
    game_change: GameChangeRule | None = None,
    bomb_pot: str | None = None,
) -> TableSettings:
    """Return the settings of a new table of a house game, a game, a mixture, or a list of games.

    Raises:
        TableError: no game has that name, or the settings do not fit together.
    """
    saved = await services.house_games.find(guild, game)
    if saved is not None:
        return table_settings.house_game_table_settings(
            saved, table_request, game_change=game_change, bomb_pot=bomb_pot
        )
    rules = await services.bank.house_rules(guild)
    try:
        return table_settings.new_table_settings(game, rules, table_request, game_change, bomb_pot)
    except UnknownGame as unknown:
        names = tuple([one.name for one in await services.house_games.games(guild)])
        raise UnknownGame(word=unknown.word, house_games=names) from None


class TableToOpen(Struct, frozen=True):
    """A table that somebody wants to open.

    Attributes:
        practice_players: how many of them sit down.
        host_sits: whoever opens the table takes the first seat, and is told so privately.
        takes_gifts: they take what the house gives now, where the buy-in needs it.
        where: it opens.
        invited: who can come to a private table from the start.
        sit_and_go: what is played there instead of an ordinary game.
    """

    settings: TableSettings
    practice_players: int = 0
    host_sits: bool = False
    takes_gifts: bool = False
    where: Where = Where.HERE
    invited: tuple[int, ...] = ()
    sit_and_go: SitAndGoSettings | None = None


async def open_table(
    services: Services, request: Request, reply: Reply, new: TableToOpen, info: InteractionInfo | None = None
) -> bool:
    """Open a table. In this channel, the answer becomes the table's first message. Returns whether it is open.

    Args:
        info: who asks, where a table does not open in their channel.

    Raises:
        TableError: it is refused.
    """
    rules = await services.bank.house_rules(request.guild)
    if new.settings.is_slow and new.where in {Where.HERE, Where.USUAL}:
        new = replace(new, where=Where.ROOM)  # it waits for hours: not in the way of what people write
    new = replace(new, where=services.rooms.resolve(new.where, request.guild, rules.forum_channel))
    if info is not None and new.where is not Where.HERE:
        try:
            await _open_in_room(services, info, request, reply, new, rules.forum_channel)
        except CannotOpenRoom as refused:
            await reply.private(refused.panel)
            return False
        return True
    if info is not None and not info.bot_can_write:
        await reply.private(notice_panel(t(words.CANNOT_WRITE_HERE)))
        return False
    services.display.answers.begin_opening(request.key)
    message = 0
    opened: TableSnapshot | None = None
    seated = None
    try:
        opened = (await services.tables.open(request, new.settings, sit_and_go=new.sit_and_go)).snapshot
        seated = await _take_seats(services, request, opened, new)
        opened = services.tables.snapshot(opened.id)
        with services.in_server_language(request.guild):
            panel = lobby_panel(opened, services.emoji_decks.four_colour)
        message = await reply.public(panel)
    finally:
        token = reply.token_for(message) if message else None
        services.display.answers.end_opening(request.key, message, token)
    if seated is not None:
        await reply.private(seated)
    return True


async def open_duel(
    services: Services,
    info: InteractionInfo,
    reply: Reply,
    settings: TableSettings,
    wanted: SitAndGoSettings,
    *,
    in_room: bool = False,
) -> None:
    """Open the table of a challenge, and call whoever is challenged: here, or where a table is in this channel, or this is a thread of
    one that is over, in a thread of its own.

    Args:
        in_room: this is the thread of a table that is over.

    Raises:
        TableError: it is refused.
    """
    request = await services.request(info)
    await duels.require_may_challenge(services, info, wanted)
    has_table = services.tables.table_in_channel(info.guild, info.channel) is not None
    where = Where.ROOM if in_room else Where.THREAD if has_table else Where.USUAL
    new = TableToOpen(settings, where=where, sit_and_go=wanted)
    if await open_table(services, request, reply, new, info):
        await duels.call(services, request)


async def _take_seats(services: Services, request: Request, opened: TableSnapshot, new: TableToOpen) -> Panel | None:
    """Let those sit down who sit at a new table at once. Returns what its host is told of their seat."""
    event = opened.sit_and_go
    if event is not None:
        if event.settings.duel is not None:
            return await duels.begin(services, request, opened)
        if new.practice_players and event.settings.is_free:
            practice = replace(request, key=f"{request.key}:practice", table=opened.id, name="")
            opened = (await services.tables.ask(practice, SeatPracticePlayers(new.practice_players))).snapshot
        return sit_and_go_panels.host_panel(opened.id, opened.sit_and_go or event)
    if new.practice_players:
        seating_request = replace(request, key=f"{request.key}:practice", name="", staff=False)
        opened = (await services.tables.ask(seating_request, SeatPracticePlayers(new.practice_players))).snapshot
    if not new.host_sits:
        return None
    seat_request = replace(request, key=f"{request.key}:seat", table=opened.id)
    return await seating.sit_down(services, seat_request, opened, takes_gifts=new.takes_gifts)


async def _open_in_room(
    services: Services, info: InteractionInfo, request: Request, reply: Reply, new: TableToOpen, forum: int
) -> None:
    """Open a table in a thread or a post of its own; its host is told where.

    Raises:
        CannotOpenRoom: it cannot be made.
        TableError: the table is refused; then nothing is left of the thread.
    """
    await services.tables.require_may_open(request, new.settings)
    services.spend(Effort.ROOM, info.user)
    services.spend(Effort.ROOM_OF_SERVER, info.guild)
    guests = TableGuests(new.where is Where.PRIVATE, new.invited)
    settings = replace(new.settings, is_event=new.sit_and_go is not None)
    is_duel = new.sit_and_go is not None and new.sit_and_go.duel is not None
    room = await services.rooms.make(info, settings, new.where, forum, duel=is_duel)
    room_request = replace(request, channel=room.thread)
    try:
        opened = (await services.tables.open(room_request, new.settings, guests, new.sit_and_go)).snapshot
    except Exception:
        await services.rooms.discard(room)
        raise
    await services.rooms.used(room, opened)
    try:
        seated = await _take_seats(services, room_request, opened, new)
    except TableError as error:  # the table is open: its host is told where, and why they have no seat
        seated = refusal_panel(error)
    panel = opened_panel(opened.id, room.thread, private=guests.private)
    if (
        seated is not None and opened.sit_and_go is not None and guests.private
    ):  # whom to invite stays, the other one goes
        await reply.private(panel)
        await reply.private(seated)
    elif seated is None:
        await reply.private(panel)
    else:
        until = opened.id if opened.sit_and_go is not None else 0
        await reply.private(Panel(seated.accent, (*panel.blocks, Separator(), *seated.blocks), until_my_hand=until))


async def open_as_answered(
    services: Services, info: InteractionInfo, reply: Reply, fields: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Open the table that a form describes, and seat its host. Without a form it is the usual table.

    Raises:
        NewcomerMustWait: the host has no chips yet.
        StakesAboveWallet: the host has too few chips to sit down at it.
        TableError: no game has that name, or the channel has a table.
    """
    answer = read_answer(fields)
    settings = await _settings_of(services, info.guild, answer)
    is_cash = not (settings.practice or settings.has_table_chips) and answer.sit_and_go is None
    if is_cash and not answer.unseated:
        await _require_buy_in(services, info, answer, settings)
    if answer.sit_and_go is not None:
        wanted = settings_for(settings, answer.seats, for_chips=answer.sit_and_go is EntryKind.CHIPS)
        new = TableToOpen(settings, where=answer.where, sit_and_go=wanted)
        await open_table(services, await services.request(info), reply, new, info)
        return
    practice = min(answer.practice, settings.seat_count - 1)
    if settings.has_table_chips and not answer.unseated:
        practice = 1  # until somebody comes (TC-8)
    new = TableToOpen(settings, practice, host_sits=not answer.unseated, where=answer.where)
    await open_table(services, await services.request(info), reply, new, info)


async def practise(services: Services, info: InteractionInfo, reply: Reply, beside: int = 0) -> None:
    """Seat somebody at a practice table: at this channel's, at one that is opened here, else at another one of the server.

    Args:
        beside: a table at which they wait for others; where nobody practises its game, a practice table of it opens in a thread.

    Raises:
        NoPracticeTable: there is none, and the channel has a table for people's chips.
        TableError: they host a practice table in another server, or there are too many tables.
    """
    request, refused = await services.request(info), None
    tables = [one for one in services.tables.tables_seen_by(info.request()) if one.settings.practice]
    tables.sort(key=lambda one: (seating.seat_of(one, info.user) is None, one.address.channel != info.channel))
    new = await _practice_table(services, request, info, tables, beside)
    if new is not None:
        try:
            await open_table(services, request, reply, new, info)
        except TooMany as error:
            refused = error
        else:
            return
    for snapshot in tables:
        table_request = replace(request, key=f"{request.key}:practice", table=snapshot.id)
        if seating.seat_of(snapshot, info.user) is not None:
            await reply.private(await seating.own_menu(services, table_request, services.tables.snapshot(snapshot.id)))
            return
        if len(snapshot.table.seats) < snapshot.settings.seat_count:
            panel = await seating.sit_down(services, table_request, services.tables.snapshot(snapshot.id))
            if snapshot.address.channel != info.channel:
                where = Text(t(words.SEATED_IN_CHANNEL, channel=f"<#{snapshot.address.channel}>"))
                panel = Panel(panel.accent, (where, *panel.blocks))
            await reply.private(panel)
            return
    raise refused or NoPracticeTable


async def _practice_table(
    services: Services, request: Request, info: InteractionInfo, tables: Sequence[TableOutline], beside: int
) -> TableToOpen | None:
    """Return the practice table that is opened for somebody; None where they sit down at one that is open."""
    if beside:
        waits_at = services.tables.table_for(replace(request, table=beside))
        game = waits_at.settings.rule_card.key
        if any(seating.seat_of(one, info.user) or one.settings.rule_card.key == game for one in tables):
            return None
        settings, where = with_request(waits_at.settings, NewTableRequest(practice=True)), Where.ROOM
    elif services.tables.table_in_channel(info.guild, info.channel) is None and info.bot_can_write:
        answer = read_answer({"who": str(PRACTICE_PLAYERS_INSTEAD)})
        settings, where = await _settings_of(services, info.guild, answer), Where.HERE
    else:
        return None
    players = min(PRACTICE_PLAYERS_INSTEAD, settings.seat_count - 1)
    return TableToOpen(settings, players, host_sits=True, where=where)


async def _settings_of(services: Services, guild: int, answer: OpenFormAnswer) -> TableSettings:
    """Return the settings of the table that a form describes."""
    table_request = NewTableRequest(
        big_blind=answer.big_blind,
        seats=answer.seats,
        turn_seconds=answer.seconds,
        practice=answer.practice > 0,
        chips=answer.chips,
    )
    return await new_settings(services, guild, answer.game, table_request)


async def _require_buy_in(
    services: Services, info: InteractionInfo, answer: OpenFormAnswer, settings: TableSettings
) -> None:
    """Refuse a table at which its host could not sit down, and find smaller stakes that they can pay for.

    Raises:
        StakesAboveWallet: with all that the house gives now they have less than the minimum buy-in.
        NewcomerMustWait: they have no chips yet.
    """
    waits_until = await services.bank.opening_grant_at(info.guild, info.user)
    has = (await services.bank.holdings(info.guild, info.user)).wallet
    reach = await services.buy_ins.reach(info.guild, info.request())
    is_taken = answer.where in {Where.HERE, Where.USUAL} and services.tables.table_in_channel(info.guild, info.channel)
    if reach >= settings.min_buyin or is_taken:
        return  # that a channel has a table already is the first thing to say
    if waits_until:
        raise NewcomerMustWait(until=waits_until)
    fitting = [
        big
        for big in reversed(BIG_BLINDS)
        if (await _settings_of(services, info.guild, replace(answer, big_blind=big))).min_buyin <= reach
    ]
    raise StakesAboveWallet(has=has, minimum=settings.min_buyin, maximum=settings.max_buyin, fitting=tuple(fitting))


async def open_table_here(click: PageClick) -> None:
    """Open the usual table in this channel and seat whoever pressed; where one is open already, seat them there."""
    services, info = click.services, click.info
    if not info.bot_can_write:
        await click.reply.private(notice_panel(t(words.CANNOT_WRITE_HERE)))
        return

    async def ask(info: InteractionInfo, reply: Reply, fields: Mapping[str, str]) -> None:
        await open_as_answered(services, info, reply, {**fields, "where": Where.HERE})

    try:
        await services.corrections.answer(info, click.reply, ask, {})
    except ChannelTaken:
        request = await services.request(info)
        snapshot = services.table_here(info)
        if seating.seat_of(snapshot, info.user) is not None:
            await click.reply.private(await seating.own_menu(services, request, snapshot))
        else:
            seat_request = replace(request, key=f"{request.key}:seat", table=snapshot.id)
            await click.reply.private(await seating.sit_down(services, seat_request, snapshot))
