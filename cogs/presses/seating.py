"""Clicks around the hands: sitting down, chips, breaks, leaving, agreeing, and the buttons of private messages.

Laws: TL-1, TL-10, TL-33, TL-40, H-1.
"""

from collections.abc import Callable

from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.line.interaction import InteractionInfo
from bot.render.hand import private_panels
from bot.render.hand.my_hand import PanelState
from bot.render.house import law_pages
from bot.render.message.custom_ids import FormSubmission
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, Text
from bot.render.table import lobby
from bot.render.table.duel import give_up_question
from bot.render.table.own_menu import own_menu_panel, too_few_chips_panel
from bot.render.table.way_on import is_out_of_chips
from bot.runtime.request import Request
from bot.runtime.snapshot import RequestOutcome, TableOutline, TableSnapshot
from bot.surfaces.people.seat_situation import has_offer
from bot.surfaces.replies import Reply
from bot.table.commands import (
    AskForBreak,
    AskForRebuy,
    CallTime,
    ComeBack,
    Consent,
    EndBreak,
    JoinWaitingList,
    LeaveTable,
    LeaveWaitingList,
    RaiseObjection,
    SitOut,
    StartHand,
    TableCommand,
    TakeSeat,
    TopUp,
)
from bot.table.refusals import (
    AlreadyLeaving,
    AlreadyPlaying,
    AlreadySittingOut,
    BlindsOwed,
    BreakNotYours,
    HostIsAsked,
    NoBreak,
    NotSeated,
    RebuyRequired,
)
from bot.table.state import EntryMethod
from bot.table.view import SeatedPlayerView
from bot.text import amounts, table_chips
from bot.text import confirmations as words
from bot.text import way_on as way_on_words
from bot.text.buttons import Verb
from bot.text.introductions import table_introduction
from bot.text.language import t
from bot.text.refusals.wording import EXPIRED_BUTTON
from cogs.presses import my_hand, sit_and_go
from cogs.presses.playing import button_amount
from cogs.support import confirmations
from cogs.support.services import Click, Handler, Services


def seat_of(snapshot: TableOutline, user: int) -> SeatedPlayerView | None:
    """Return the seat of a player, or None."""
    return next((seat for seat in snapshot.table.seats if seat.player == user), None)


async def sit_down(
    services: Services,
    request: Request,
    snapshot: TableSnapshot,
    chips: int = 0,
    seat: int = 0,
    *,
    takes_gifts: bool = False,
) -> Panel:
    """Take a seat, with the default buy-in if no chips are named. The confirmation says seat, chips, and how the cards will come.

    Somebody who has too few chips is told what they can do instead.

    Args:
        takes_gifts: they take what the house gives now, where the buy-in needs it.
    """
    if snapshot.sit_and_go is not None:
        return await sit_and_go.enter(services, request, snapshot)
    if not chips:
        ways = await services.buy_ins.ways(snapshot, request)
        has_room = snapshot.seats_for_newcomers or has_offer(snapshot, request.user)
        if (
            (not ways.buy_in or (ways.gift and not takes_gifts))
            and has_room
            and not await services.bank.opening_grant_at(request.guild, request.user)
        ):
            return too_few_chips_panel(snapshot.id, snapshot.table, ways)
        chips = ways.buy_in or snapshot.buy_in(request.user, services.clock.now()).minimum
    services.direct_messages.open_channel(snapshot, request.user)
    command = TakeSeat(request.user, request.name, chips, seat)
    try:
        outcome = await (services.bank.buy_in_with_gifts if takes_gifts else services.tables.ask)(request, command)
    except HostIsAsked as refused:  # who took nothing away from a game of table chips needs a rebuy to sit (TC-5)
        if refused.until:
            raise
        asking_request = replace(request, key=f"{request.key}:rebuy")
        await services.tables.ask(asking_request, AskForRebuy(request.user, request.name))
        return confirmations.done(t(table_chips.HOST_ASKED))
    seated = seat_of(outcome.snapshot, request.user)
    if seated is None:
        raise NotSeated
    lesson = await _lesson(services, request.user, snapshot)
    by_dm, come_soon = (
        services.preferences.gets_cards_by_dm(request.user),
        services.direct_messages.come_soon(request.user),
    )
    return lobby.seated_panel(
        snapshot.id, outcome.snapshot.table, seated, by_dm=by_dm, dms_wait=not come_soon, lesson=lesson
    )


async def _lesson(services: Services, user: int, snapshot: TableSnapshot) -> str:
    """Return what teaches a game to somebody who sits down at it for the first time; empty where the open table does."""
    game, lesson = snapshot.settings.rule_card.key, table_introduction(snapshot.settings)
    if not lesson or not await services.preferences.takes_lesson(user, game):
        return ""
    return lesson if snapshot.hand_number else ""


async def come_back(
    services: Services, request: Request, snapshot: TableSnapshot, entry: EntryMethod | None = None
) -> Panel:
    """Play again. A player who owes blinds is asked how they come in."""
    try:
        outcome = await services.tables.ask(request, ComeBack(request.user, entry))
    except BlindsOwed as owed:
        return lobby.entry_question_panel(snapshot.id, snapshot.table, owed.live, owed.dead, owed.entry_methods)
    return confirmations.coming_back(outcome)


async def answer_at_seat(click: Click, answer: Panel) -> None:
    """Answer a button about the presser's seat: in their panel where it stood there, as what they were told; else beside it."""
    table, info = click.press.table, click.info
    if click.services.hand_panels.is_panel(table, info.user, info.message):
        await my_hand.show(click, click.services.tables.snapshot(table), PanelState(answer=answer.blocks))
    else:
        await click.reply.private(answer)


async def own_menu(services: Services, request: Request, snapshot: TableSnapshot) -> Panel:
    """What a person can do at the table: the answer to a public button that was meant for somebody else."""
    user = request.user
    if snapshot.sit_and_go is not None:
        return sit_and_go.menu(snapshot, user)
    ways = await services.buy_ins.ways(snapshot, request)
    return own_menu_panel(snapshot.id, snapshot.table, user, room=snapshot.top_up_maximum(user), ways=ways)


async def open_own_menu(click: Click, note: str = "") -> None:
    """Answer a click with the menu of whoever clicked. `note` says first why the button was not meant for them."""
    menu = await own_menu(click.services, click.request_any_time, click.snapshot)
    await click.reply.private(Panel(menu.accent, (Text(note), *menu.blocks)) if note else menu)


def for_seated_players(handler: Handler) -> Handler:
    """A public button for those who sit at the table: everybody else gets their own menu."""

    async def handle(click: Click) -> None:
        if seat_of(click.snapshot, click.info.user) is None:
            await open_own_menu(click)
        else:
            await handler(click)

    return handle


def or_own_menu(handler: Handler, *not_now: type[TableError]) -> Handler:
    """A public button for those who sit at the table: everybody else, and who is refused so, gets their own menu."""

    async def handle(click: Click) -> None:
        try:
            await handler(click)
        except not_now:
            await open_own_menu(click)

    return for_seated_players(handle)


def asking(command: Callable[[int], TableCommand], answer: Callable[[RequestOutcome], Panel]) -> Handler:
    """Return the handler of a button that asks the table for something, and answers its presser alone with what came of it."""

    async def handle(click: Click) -> None:
        outcome = await click.services.tables.ask(click.request_any_time, command(click.info.user))
        await click.reply.private(answer(outcome))

    return handle


def coming_back(entry: EntryMethod | None = None) -> Handler:
    """Return the handler of a button that plays again, and enters in this way."""

    async def handle(click: Click) -> None:
        await answer_at_seat(click, await come_back(click.services, click.request_any_time, click.snapshot, entry))

    return handle


async def sit(click: Click) -> None:
    """Take a seat; a seated player gets their own menu."""
    if seat_of(click.snapshot, click.info.user) is not None:
        await open_own_menu(click)
    else:
        await click.reply.private(await sit_down(click.services, click.request_any_time, click.snapshot))


async def take_numbered_seat(click: Click) -> None:
    """Take the seat that was chosen by its number."""
    if seat_of(click.snapshot, click.info.user) is not None:
        await open_own_menu(click)
        return
    seat = int(click.info.values[0]) if click.info.values and click.info.values[0].isdecimal() else 0
    await click.reply.private(await sit_down(click.services, click.request_any_time, click.snapshot, seat=seat))


async def ask_buy_in(click: Click) -> None:
    """Open the form for the buy-in; for a seated player, the form for chips to add."""
    services, user, snapshot = click.services, click.info.user, click.snapshot
    if seat_of(snapshot, user) is not None:
        await ask_top_up(click)
        return
    bounds = snapshot.buy_in(user, services.clock.now())
    wallet = await services.buy_ins.available(click.guild, user, snapshot)
    await click.reply.form(
        lobby.buy_in_form(
            snapshot.id, snapshot.table, user, wallet=wallet, minimum=bounds.minimum, maximum=bounds.maximum
        )
    )


async def buy_in_again(click: Click) -> None:
    """Buy in for what the button says, or for the usual chips; everybody but a player without chips gets their own menu.

    So does one whose wallet has too few: it offers what they can do.
    """
    snapshot, user = click.snapshot, click.info.user
    seat = seat_of(snapshot, user)
    if seat is not None and snapshot.settings.has_table_chips:
        outcome = await click.services.tables.ask(click.request_any_time, TopUp(user, 0))
        await answer_at_seat(click, confirmations.top_up(outcome))
        return
    ways = await click.services.buy_ins.ways(snapshot, click.request_any_time)
    chips = button_amount(click) or ways.buy_in
    wallet = await click.services.buy_ins.available(click.guild, user, snapshot)
    if seat is None or not is_out_of_chips(snapshot.table, seat) or not chips or chips > wallet:
        await open_own_menu(click)
        return
    command = TopUp(user, min(chips, snapshot.top_up_maximum(user)))
    await answer_at_seat(click, confirmations.top_up(await click.services.tables.ask(click.request_any_time, command)))


async def buy_in_form_submitted(click: Click) -> None:
    """Sit down with the chips that the form says."""
    assert isinstance(click.press, FormSubmission)
    chips = _chips_in_form(click)
    await click.reply.private(
        await sit_down(click.services, click.request_any_time, click.snapshot, chips=chips, seat=click.press.extra)
    )


async def ask_top_up(click: Click) -> None:
    """Open the form for chips to add, with the bounds that hold; a player who can add none gets their own menu."""
    user, snapshot = click.info.user, click.snapshot
    seat, maximum = seat_of(snapshot, user), snapshot.top_up_maximum(user)
    minimum = snapshot.top_up_minimum(user)
    wallet = await click.services.buy_ins.available(click.guild, user, snapshot)
    if snapshot.settings.practice:
        wallet = max(wallet, maximum)
    if seat is None or not minimum <= min(maximum, wallet):
        await open_own_menu(click)
        return
    await click.reply.form(
        lobby.buy_in_form(
            snapshot.id, snapshot.table, user, wallet=wallet, minimum=minimum, maximum=maximum, is_top_up=True
        )
    )


async def top_up_form_submitted(click: Click) -> None:
    outcome = await click.services.tables.ask(click.request_any_time, TopUp(click.info.user, _chips_in_form(click)))
    await answer_at_seat(click, confirmations.top_up(outcome))


async def leave(click: Click) -> None:
    await leave_table(click.services, click.info, click.reply, click.request_any_time, click.press.table)


async def leave_table(
    services: Services, info: InteractionInfo, reply: Reply, request: Request, table: int, note: str = ""
) -> None:
    """Leave a table, now or after the hand, and answer with what the session came to.

    Args:
        note: what is said first.

    Raises:
        TableError: they cannot leave.
    """
    event = services.tables.snapshot(table).sit_and_go
    if event is not None and event.is_running and event.settings.duel is not None and event.entrant(info.user):
        await reply.private(give_up_question(table, event, info.user))
        return
    services.count_time(info.user)
    with services.session_sheets.leaving(table, info.user) as sessions:
        outcome = await services.tables.ask(request, LeaveTable(info.user))
    answer = await services.session_sheets.answer(info, sessions[-1]) if sessions else None
    left = sit_and_go.left if outcome.snapshot.settings.is_event else confirmations.leaving
    panel, picture = answer or (left(outcome), None)
    await reply.private(Panel(panel.accent, (Text(note), *panel.blocks)) if note else panel, picture)
    if sessions:
        services.session_sheets.told(sessions[-1])


async def join_waiting_list(click: Click) -> None:
    await click.reply.private(
        confirmations.waiting(
            await click.services.tables.ask(click.request_any_time, JoinWaitingList(click.info.user, click.info.name))
        )
    )


async def deal(click: Click) -> None:
    await click.services.tables.ask(click.request_any_time, StartHand(click.info.user))
    await click.reply.acknowledge()


async def rules(click: Click) -> None:
    settings = click.snapshot.settings
    picture = await click.services.pictures.ranking(click.info, settings)
    panel = law_pages.short_rules_panel(settings, picture=picture.block if picture is not None else None)
    await click.reply.private(panel, picture.file if picture is not None else None)


async def show_cards_in_dm(click: Click) -> None:
    if click.info.guild:  # a made-up id: the message would show their cards to everybody
        await click.reply.private(notice_panel(t(EXPIRED_BUTTON)))
        return
    await click.services.direct_messages.show_cards(click.reply, click.info, click.press.table)


def switching_dms(*, wanted: bool) -> Handler:
    """Return the handler of a button that turns direct messages on or off."""

    async def handle(click: Click) -> None:
        services, user = click.services, click.info.user
        await services.preferences.set_dms(user, wanted=wanted)
        if wanted:
            services.direct_messages.reset_user(user)
        await click.reply.private(private_panels.dm_switched_panel(click.press.table, on=wanted))

    return handle


def _chips_in_form(click: Click) -> int:
    fields = click.info.fields
    return amounts.parse_chips(fields.get(lobby.CHIPS_FIELD, "").strip() or fields.get(lobby.SIZE_FIELD, ""))


HANDLERS: dict[Verb, Handler] = {
    Verb.SIT: sit,
    Verb.SEAT: take_numbered_seat,
    Verb.BUY_IN: ask_buy_in,
    Verb.REBUY: buy_in_again,
    Verb.TOP_UP: ask_top_up,
    Verb.LEAVE: or_own_menu(leave, AlreadyLeaving),
    Verb.SIT_OUT: or_own_menu(asking(SitOut, confirmations.sitting_out), AlreadySittingOut, AlreadyLeaving),
    Verb.MENU: open_own_menu,
    Verb.BACK: or_own_menu(coming_back(), AlreadyPlaying, RebuyRequired),
    Verb.POST: coming_back(EntryMethod.POST),
    Verb.WAIT: coming_back(EntryMethod.WAIT),
    Verb.BUY_BUTTON: coming_back(EntryMethod.BUY_BUTTON),
    Verb.WAITING_LIST: join_waiting_list,
    Verb.LEAVE_WAITING_LIST: asking(LeaveWaitingList, lambda _: confirmations.done(t(words.OFF_WAITING_LIST))),
    Verb.DEAL: for_seated_players(deal),
    Verb.ASK_FOR_BREAK: for_seated_players(asking(AskForBreak, confirmations.break_wanted)),
    Verb.END_BREAK: or_own_menu(
        asking(EndBreak, lambda _: confirmations.done(t(way_on_words.BREAK_ENDED))), BreakNotYours, NoBreak
    ),
    Verb.AGREE: asking(Consent, confirmations.consent),
    Verb.OBJECT: asking(RaiseObjection, lambda _: notice_panel(t(words.OBJECTED))),
    Verb.RULES: rules,
    Verb.TIME_BANK: asking(CallTime, confirmations.time_bank),
    Verb.DM_OFF: switching_dms(wanted=False),
    Verb.DM_ON: switching_dms(wanted=True),
    Verb.SHOW_IN_DM: show_cards_in_dm,
}

FORMS: dict[Verb, Handler] = {
    Verb.BUY_IN: buy_in_form_submitted,
    Verb.TOP_UP: top_up_form_submitted,
}
