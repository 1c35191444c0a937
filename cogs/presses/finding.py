"""Find hands that have been played: by table, player, game and day, newest first, and open one of them."""

import datetime
import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.line.interaction import InteractionInfo
from bot.render.hand.found_hands import (
    LINES,
    FoundHandLine,
    HandSearch,
    found_hands_panel,
    hands_in_a_row_panel,
    parse_found_hand,
    parse_search_words,
)
from bot.render.hand.replay_ids import FILE_WORD, ReplayPress
from bot.render.hand.result import hand_in_a_line
from bot.render.house.statistics_pages import game_token
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import NoSuchTable, UnreadableHandNumber
from bot.runtime.replays import HandReplay
from bot.runtime.request import Request
from bot.statistics.types import FoundHand, HandQuery
from bot.text import hand as hand_words
from bot.text import replay as words
from bot.text.game_names import game_name
from bot.text.language import t
from bot.text.refusals.wording import EXPIRED_BUTTON
from bot.variants import game as game_named
from cogs.presses import replaying
from cogs.support.dates import DAY_MS
from cogs.support.services import Effort, PageClick, Services

PAGES_READ = 4
"""The most pages of the statistics that are read for one page of the list: hands that somebody may not see are left out of it."""
_REFERENCE = re.compile(r"#?([0-9]{1,9})(?:[-–. ]#?([0-9]{1,9})(?:[-–. ]([0-9]{1,5}))?)?", re.ASCII)
_EPOCH = datetime.date(1970, 1, 1)


class HandReference(Struct, frozen=True, gc=False):
    """A hand as somebody typed it: ``1284``, ``3-1284``, or with a step of its replay ``3-1284-9``. 0 for what was not said.

    Attributes:
        in_file: it is in the file that they gave last: ``file-2-9``.
    """

    hand: int
    table: int = 0
    step: int = 0
    in_file: bool = False


def parse_reference(typed: str) -> HandReference:
    """Read what somebody typed for a hand.

    Raises:
        UnreadableHandNumber: it is none.
    """
    text = typed.casefold().strip(" `").removeprefix("hand").strip()
    in_file = text.startswith(FILE_WORD)
    found = _REFERENCE.fullmatch(text.replace(FILE_WORD, "1", 1) if in_file else text)
    numbers = [int(number) for number in found.groups() if number is not None] if found is not None else []
    if not numbers or not all(numbers) or (in_file and numbers[0] != 1):
        raise UnreadableHandNumber(typed=typed)
    if in_file:
        return HandReference(numbers[1] if len(numbers) > 1 else 1, 0, numbers[2] if len(numbers) > 2 else 1, True)
    if len(numbers) == 1:
        return HandReference(numbers[0])
    return HandReference(numbers[1], numbers[0], numbers[2] if len(numbers) > 2 else 0)


async def find_game(services: Services, guild: int, typed: str) -> str:
    """Return the key of a game by what somebody typed: one that was played in the server, else one of the catalogue.

    Raises:
        UnknownGame: there is no such game.
    """
    wanted = typed.strip().casefold()
    for key, name in await services.statistics.games(guild):
        if wanted in {key.casefold(), name.casefold(), game_name(name).casefold()}:
            return key
    return game_named(typed).key


async def found_hands(services: Services, info: InteractionInfo, search: HandSearch) -> Panel:
    """Return a page of the hands that somebody looks for.

    Raises:
        OneMoment: they look for too much.
        StatisticsUnavailable: nothing can be found for the time being.
    """
    services.spend_time(Effort.SEARCH, info.user)
    request = await services.request(info)
    games = dict(await services.statistics.games(info.guild)) if search.game else {}
    game = next((key for key in games if game_token(key) == search.game), "")
    query = HandQuery(
        guild=info.guild,
        table_number=search.table,
        user=search.user,
        game=game,
        since=search.first_day * DAY_MS,
        until=search.end_day * DAY_MS,
        before=search.before,
        limit=LINES,
    )
    lines, older = ([], 0) if search.game and not game else await _page(services, request, query)
    return found_hands_panel(lines, search, _narrowed_to(search, games.get(game, "")), older)


async def _page(services: Services, request: Request, query: HandQuery) -> tuple[list[FoundHandLine], int]:
    """Return the hands of a page that somebody may see, and where the next one begins; 0 after the last one."""
    lines: list[FoundHandLine] = []
    for _ in range(PAGES_READ):
        found = await services.statistics.find_hands(query)
        replays = await services.tables.read_replays(
            request, [(one.hand.table, one.hand.number) for one in found.hands]
        )
        read = [_line(services, request.user, one, replay) for one, replay in zip(found.hands, replays, strict=True)]
        lines += [line for line in read if line is not None]
        query = replace(query, before=found.older, limit=LINES - len(lines))
        if not found.older or not query.limit:
            break
    return lines, query.before


async def hands_in_a_row(services: Services, info: InteractionInfo, hand: ReplayPress) -> Panel:
    """Return hands of one table in a row, of which one can be opened. Those that cannot be read are left out.

    Args:
        hand: the last of them, with the number of the first one as its step.

    Raises:
        TableError: none of them can be read; this is why the last one cannot.
    """
    services.spend_time(Effort.SEARCH, info.user)
    request = await services.request(info, table=hand.table)
    first = max(min(hand.step, hand.hand), hand.hand - LINES + 1)
    wanted = [(hand.table, number) for number in range(hand.hand, first - 1, -1)]
    replays = await services.tables.read_replays(request, wanted)
    lines = [_line_of(services, one, request.user) for one in replays if isinstance(one, HandReplay)]
    if not lines:
        raise next((one for one in replays if isinstance(one, TableError)), NoSuchTable(number=0, known=()))
    return hands_in_a_row_panel(lines, min(hand.step, hand.hand), hand.hand)


async def press(click: PageClick) -> None:
    """Answer a click on the list: another page, or one of its hands."""
    services, info = click.services, click.info
    if click.press.verb == "show":
        chosen = parse_found_hand(info.values[0]) if info.values else None
        if chosen is None:
            await click.reply.private(notice_panel(t(EXPIRED_BUTTON)))
            return
        request = await services.request(info, table=chosen[0])
        log = await services.tables.read_hand_log(request, chosen[1])
        await click.reply.private(*await replaying.hand_log_page(services, info, log, 1))
        return
    search = parse_search_words(click.press.words)
    if search is None:
        await click.reply.private(notice_panel(t(EXPIRED_BUTTON)))
        return
    panel = await found_hands(services, info, search)
    if info.message_is_private:
        await click.reply.redraw(payload(panel))
    else:  # what one person may see is never drawn for everybody
        await click.reply.private(panel)


def _line(
    services: Services, user: int, found: FoundHand, replay: HandReplay | TableError | None
) -> FoundHandLine | None:
    """Return the line of a found hand; None where whoever asks may not know of it."""
    if replay is None:
        return None
    if isinstance(replay, HandReplay):
        return replace(_line_of(services, replay, user), at=found.at // 1000)
    # it is too old, or its cards are lost: what is known of it without them
    won = [t(hand_words.WON, name=f"<@{winner}>", chips=chips) for winner, chips in found.winners if winner > 0]
    return FoundHandLine(
        found.hand.table,
        found.hand.table_number,
        found.hand.number,
        found.at // 1000,
        f"{game_name(found.game_name)} {found.stakes}",
        " · ".join([*won, t(words.FOUND_GONE)]),
    )


def _line_of(services: Services, replay: HandReplay, user: int) -> FoundHandLine:
    moment = replay.at(replay.step_count, user)
    scene = replaying.scene_of_moment(services, moment, public=True)
    viewer = moment.view.viewer
    own = moment.view.seats[viewer] if viewer is not None else None
    game = f"{scene.game_name()} {scene.stakes()}"
    if any(person.user < 0 for person in scene.people.values()):
        game = t(words.PRACTICE, game=game)
    return FoundHandLine(
        scene.table_id,
        scene.table_number,
        scene.hand_number,
        replay.started_at // 1000,
        game,
        hand_in_a_line(scene),
        own.stack - own.starting_stack if own is not None else None,
    )


def _narrowed_to(search: HandSearch, game: str) -> Sequence[str]:
    """Say what is looked for."""
    said = [t(hand_words.TABLE, number=search.table)] if search.table else []
    if search.user:
        said.append(f"<@{search.user}>")
    if search.game:
        said.append(game_name(game))
    if search.end_day:
        first = _EPOCH + datetime.timedelta(days=search.first_day)
        last = _EPOCH + datetime.timedelta(days=search.end_day - 1)
        days = t(words.ON_DAY, day=first) if first == last else t(words.FROM_DAY_TO_DAY, first=first, last=last)
        said.append(days)
    return [one for one in said if one]
