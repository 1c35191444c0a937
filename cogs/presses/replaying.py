"""Replays: a finished hand step by step, for one person or led by one for everybody, and the hands to choose from.

Everything that a button needs stands in its id, so it works after a restart; and whoever presses sees what they may see, whatever it names.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.line.interaction import InteractionInfo
from bot.pictures.types import Picture
from bot.render.hand.hand_log import hand_log_panel
from bot.render.hand.replay import ReplayStep, moment_heading, replay_panel
from bot.render.hand.replay_ids import PAGE, ReplayPress, parse_replay_words
from bot.render.hand.scene import Scene
from bot.render.message.custom_ids import PagePress, Press, parse_custom_id
from bot.render.message.notice import notice_panel
from bot.render.message.panel import TABLE_PICTURE, Panel, payload
from bot.render.pictures.alt_text import picture_alt_text
from bot.render.pictures.table import table_picture
from bot.runtime.errors import HandNotOver, ShownAtTableOnly, TableGone
from bot.runtime.replays import EVERYBODY, HandReplay, ReplayMoment
from bot.runtime.request import Request
from bot.runtime.snapshot import HandLog
from bot.surfaces.answer_pictures import AnswerPicture, FileToCome
from bot.surfaces.replies import Reply
from bot.surfaces.scenes import hand_log_scene
from bot.text.cards import Emojis
from bot.text.language import t
from bot.text.refusals.wording import EXPIRED_BUTTON
from cogs.presses import hand_files
from cogs.support.services import Effort, PageClick, Services

TURNS = frozenset({"first", "back", "next", "last", "street"})
"""What turns the steps of a replay."""
_VERBS = TURNS | {"open", "here", "log", "file"}


async def show_replay(services: Services, info: InteractionInfo, reply: Reply, hand: ReplayPress) -> None:
    """Answer with a step of a hand, for one person alone. A hand that is being played is told as far as it has come.

    Raises:
        TableError: they cannot see it; see `Tables.read_hand_log`.
    """
    services.spend_time(Effort.REPLAY, info.user)
    request = await services.request(info, table=hand.table)
    try:
        if not hand.hand:
            await show_hand_log(services, info, reply, await services.tables.read_hand_log(request))
            return
        replay = await services.tables.read_replay(request, hand.hand)
    except HandNotOver:
        await show_hand_log(services, info, reply, await services.tables.read_hand_log(request, hand.hand))
        return
    await _show(services, info, reply, replay.at(hand.step, info.user))


async def show_hand_log(
    services: Services, info: InteractionInfo, reply: Reply, log: HandLog, page: int = 1, *, step: int = 1
) -> None:
    """Answer with a hand in words, for one person alone. `step` is where its replay is opened from there."""
    panel, file = await hand_log_page(services, info, log, page, step=step)
    if info.message_is_private:
        await reply.redraw(payload(panel), file)
    else:
        await reply.private(panel, file)


async def hand_log_page(
    services: Services, info: InteractionInfo, log: HandLog, page: int, *, shared: bool = False, step: int = 1
) -> tuple[Panel, FileToCome | None]:
    """Return a page of a hand in words, and the table at its end.

    Args:
        log: as the one reader sees it; the public one for everybody (`shared`).
    """
    picture = None
    if log.view.over and services.pictures.possible(info):
        public = log
        if log.view.viewer is not None:
            request = Request(key="", guild=info.guild, channel=info.channel, user=EVERYBODY, staff=True)
            public = await services.tables.read_public_hand(request, log.address.id, log.number)
        picture = await _picture(services, info, hand_log_scene(public, services.emoji_decks.four_colour))
    emojis = services.emoji_decks.four_colour if shared else services.emojis_for(info.user)
    block, file = (picture.block, picture.file) if picture is not None else (None, None)
    panel = hand_log_panel(hand_log_scene(log, emojis), log.street_views, page, shared=shared, picture=block, step=step)
    return panel, file


async def press(click: PageClick) -> None:
    """Answer a click on a replay, or on a button that leads to one."""
    services, info, reply, verb = click.services, click.info, click.reply, click.press.verb
    hand = parse_replay_words(click.press.words)
    if hand is None or verb not in _VERBS:
        await reply.private(notice_panel(t(EXPIRED_BUTTON)))
        return
    if verb in TURNS:
        if verb == "street":
            hand = replace(hand, step=chosen_step(info.values))
        if hand.leader == info.user:
            await _lead(services, info, reply, hand, redraw=True)
        else:
            await show_replay(services, info, reply, hand)
    elif verb == "here":
        await _show_to_everybody(services, info, reply, hand)
    elif verb == "log":
        request = await services.request(info, table=hand.table)
        log = await services.tables.read_hand_log(request, hand.hand)
        await show_hand_log(services, info, reply, log, step=hand.step)
    elif verb == "file":
        await hand_files.offer_hand(reply, hand.table, hand.hand)
    else:
        await show_replay(services, info, reply, hand)


async def show_file_step(
    services: Services, info: InteractionInfo, reply: Reply, replay: HandReplay, step: int, file: int, verdict: str
) -> None:
    """Answer with a step of a hand from a file, for the person alone who gave it.

    Args:
        file: its id. verdict: what the dealer says of the hand, as markdown.
    """
    services.spend_time(Effort.REPLAY, info.user)
    shown = replace(
        _step(services, replay.at(step, EVERYBODY), services.emojis_for(info.user)), file=file, verdict=verdict
    )
    picture = await _picture(services, info, shown.scene, moment_heading(shown))
    await _answer(info, reply, shown, picture)


def hand_shown(custom_ids: Sequence[str]) -> ReplayPress | None:
    """Return the hand that a message of the dealer shows, by the ids of its buttons; None if they name none.

    The hand's number is 0 where the message shows a table between hands. Of several hands it is the last one.
    """
    found: ReplayPress | None = None
    for custom_id in custom_ids:
        match parse_custom_id(custom_id):
            case Press(table=table, hand=hand) if table and (found is None or not found.hand):
                found = ReplayPress(table, hand)
            case PagePress(page=page, words=words) if page == PAGE:
                named = parse_replay_words(words)
                if named is not None:
                    return replace(named, leader=0)
            case PagePress(page="hand") as press_of_hand:
                if (of_hand := press_of_hand.hand()) is not None:
                    return ReplayPress(*of_hand)
            case _:
                pass
    return found


def shows_hands_in_a_row(custom_ids: Sequence[str]) -> bool:
    """Return whether a message is what is left of several hands."""
    presses = [parse_custom_id(custom_id) for custom_id in custom_ids]
    return any(isinstance(one, PagePress) and one.page == PAGE and one.verb == "row" for one in presses)


def chosen_step(values: Sequence[str]) -> int:
    """Return the step that was chosen in the select of streets."""
    value = values[0] if values else ""
    return int(value) if value.isdecimal() and len(value) < 6 else 1


async def _show(services: Services, info: InteractionInfo, reply: Reply, moment: ReplayMoment) -> None:
    step = _step(services, moment, services.emojis_for(info.user))
    picture = await _picture(services, info, scene_of_moment(services, moment, public=True), moment_heading(step))
    await _answer(info, reply, step, picture)


async def _answer(info: InteractionInfo, reply: Reply, step: ReplayStep, picture: AnswerPicture | None) -> None:
    panel = replay_panel(step, picture=picture.block if picture is not None else None)
    file = picture.file if picture is not None else None
    if info.message_is_private:
        await reply.redraw(payload(panel), file)
    else:
        await reply.private(panel, file)


async def _show_to_everybody(services: Services, info: InteractionInfo, reply: Reply, hand: ReplayPress) -> None:
    """Post a replay that whoever asks leads.

    Raises:
        ShownAtTableOnly: it was played at a private table, and this is another channel.
    """
    request = await services.request(info, table=hand.table)
    replay = await services.tables.read_replay(request, hand.hand)
    if replay.private and replay.address.channel != info.channel:
        raise ShownAtTableOnly
    services.spend(Effort.SHARED_HAND, info.user)
    await _lead(services, info, reply, replace(hand, leader=info.user), redraw=False)


async def _lead(services: Services, info: InteractionInfo, reply: Reply, hand: ReplayPress, *, redraw: bool) -> None:
    """Show a step to everybody, as everybody could see it then."""
    services.spend_time(Effort.REPLAY, info.user)
    request = await services.request(info, table=hand.table)
    replay = await services.tables.read_replay(request, hand.hand)
    moment = replay.at(hand.step, EVERYBODY)
    with services.in_server_language(info.guild):
        step = _step(services, moment, services.emoji_decks.four_colour)
        picture = await _picture(services, info, scene_of_moment(services, moment, public=True), moment_heading(step))
        block = picture.block if picture is not None else None
        panel = replay_panel(step, leader=hand.leader, leader_name=info.name, picture=block)
    file = picture.file if picture is not None else None
    if redraw:
        await reply.redraw(payload(panel), file)
    else:
        await reply.public(panel, file)


def scene_of_moment(
    services: Services, moment: ReplayMoment, emojis: Emojis | None = None, *, public: bool = False
) -> Scene:
    """Return a step of a hand as its reader could see it then, or as everybody could."""
    return Scene(
        moment.address.id,
        moment.address.number,
        moment.number,
        moment.public if public else moment.view,
        moment.players_by_seat,
        emojis=emojis or services.emoji_decks.four_colour,
        mixture_name=moment.mixture,
    )


def _step(services: Services, moment: ReplayMoment, emojis: Emojis) -> ReplayStep:
    return ReplayStep(
        scene=scene_of_moment(services, moment, emojis),
        public=moment.public,
        before=moment.before,
        number=moment.step,
        count=moment.step_count,
        kind=moment.kind,
        seat=moment.seat,
        new_actions=moment.new_actions,
        street=moment.street,
        streets=moment.streets,
    )


async def _picture(services: Services, info: InteractionInfo, scene: Scene, moment: str = "") -> AnswerPicture | None:
    """Return the table of a past hand as everybody could see it; None for an answer in text. `moment`: as in `table_picture`."""
    pictures = services.pictures
    if not pictures.possible(info):
        return None
    look, seat_count = await pictures.look(info.guild), max([int(seat.seat_number) for seat in scene.view.seats])
    try:
        settings = services.tables.snapshot(scene.table_id).settings
    except TableGone:
        settings = None
    if settings is not None:
        look = replace(look, deck=settings.picture_deck, felt=settings.felt)
        seat_count = max(seat_count, settings.seat_count)

    def describe() -> tuple[Picture, str, str] | None:
        picture = table_picture(scene, look, seat_count=seat_count, moment=moment)
        return (picture, TABLE_PICTURE, picture_alt_text(scene, moment)) if picture is not None else None

    return await pictures.answer(info, describe)
