"""The leaderboard: who has won the most, in a period, in a season, at a game, or has the most chips (law BO-2)."""

from msgspec.structs import replace

from bot.ledger.accounts import Book
from bot.line.interaction import InteractionInfo
from bot.render.house import leaderboards as pages
from bot.render.house.leaderboards import PAGE_LINES, Board, BoardFrame
from bot.render.message.panel import Panel, payload
from bot.render.pictures.podium import PodiumLine
from bot.statistics.periods import period_at
from bot.statistics.seasons import Season
from bot.statistics.types import CountedChips, PeriodKind, RankedPlayers, RankingOrder, RankingQuery, Scope
from bot.surfaces.answer_pictures import AnswerPicture, FileToCome
from bot.surfaces.seasons.podiums import podium_answer
from bot.text.seasons import title
from cogs.support.commands import Invocation
from cogs.support.services import Effort, PageClick, Services

PAGES_MAX = 1_000_000
"""More pages than any leaderboard has. An id that somebody has made up can name any page."""
ORDERS = {
    "net": RankingOrder.NET,
    "per100": RankingOrder.NET_PER_100,
    "hands": RankingOrder.HANDS,
    "chips": pages.CHIPS,
    "home": pages.HOME_GAMES,
}
NOBODY = RankedPlayers((), 0)


class LeaderboardPages:
    """Shows who has the most chips, or has won the most."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def open(self, invocation: Invocation, by: str, period: PeriodKind) -> None:
        """Answer with the first page, in an order of `ORDERS`: by net chips where none is chosen."""
        board = Board(ORDERS.get(by, RankingOrder.NET), period)
        panel, file = await leaderboard_page(self.services, invocation.info, board, 1)
        await invocation.reply.private(panel, file)

    async def board_page(self, click: PageClick) -> None:
        """Answer a click on the leaderboard: on one's own page, or on one shown to everybody."""
        words, verb = click.press.words, click.press.verb
        number = min(max(1, click.press.number()), PAGES_MAX)
        board = pages.read_board(words[1] if len(words) > 1 else "")
        if verb in {"order", "period", "game"}:
            chosen = click.info.values[0] if click.info.values else ""
            board, number = pages.changed_board(pages.read_board(words[0] if words else ""), verb, chosen), 1
        if verb != "here" and not verb.startswith("shared"):
            panel, file = await leaderboard_page(self.services, click.info, board, number)
            if click.info.message_is_private or verb != "page":
                await click.reply.redraw(payload(panel), file)
            else:  # a button of a message that everybody reads leads to a page of one's own
                await click.reply.private(panel, file)
            return
        if verb == "here":
            self.services.spend(Effort.SHARED_STATISTICS, click.info.user)
        with self.services.in_server_language(click.info.guild):
            panel, file = await leaderboard_page(self.services, click.info, board, number, shared=True)
        if verb == "here":
            await click.reply.public(panel, file)
        else:
            await click.reply.redraw(payload(panel), file)


async def leaderboard_page(
    services: Services, info: InteractionInfo, board: Board, number: int, *, shared: bool = False
) -> tuple[Panel, FileToCome | None]:
    """Return a page of a leaderboard, counted from 1, and the picture of its head."""
    guild, user = info.guild, info.user
    services.spend_time(Effort.LEADERBOARD, user)
    season = await services.seasons.running(guild)
    if board.period is PeriodKind.SEASON and season is None:
        board = replace(board, period=PeriodKind.EVER)
    games = await services.statistics.games(guild)
    if board.game != pages.ALL_GAMES and all(pages.game_code(key) != board.game for key, _ in games):
        board = replace(board, game=pages.ALL_GAMES)
    frame = BoardFrame(
        board, number, user, games=games, season=title(season) if season is not None else "", shared=shared
    )
    if board.is_capped:
        frame = replace(frame, cap=(await services.bank.house_rules(guild)).counted_cap)
    if board.by_chips:
        return await _chips_page(services, info, frame)
    return await _ranking_page(services, info, frame, season)


async def _chips_page(services: Services, info: InteractionInfo, frame: BoardFrame) -> tuple[Panel, FileToCome | None]:
    """A local cardroom also shows practice chips."""
    bank, guild, user, number = services.bank, info.guild, info.user, frame.page
    min_hands = (await bank.house_rules(guild)).ranking_hands
    hands = await services.statistics.hands_of(guild, user, CountedChips.SERVER)
    named = await services.listed_people.named(guild, min_hands)
    found = await bank.leaderboard(guild, user, page=number - 1, among=named, only_listed=named is None)
    practice = None
    if services.site.local and number == 1:
        practised = await services.statistics.people_with_hands(guild, CountedChips.PRACTICE, min_hands)
        practice = await bank.leaderboard(guild, user, book=Book.PRACTICE, among=practised)
    lines = [PodiumLine(line.rank, line.user, line.counted) for line in found.lines]
    picture = await podium_answer(services.pictures, services.display_names, info, lines) if number == 1 else None
    frame = await _completed(services, info, frame, [line.user for line in found.lines], picture)
    panel = pages.chips_board_panel(found, frame, min_hands, hands, practice)
    return panel, picture.file if picture is not None else None


async def _ranking_page(
    services: Services, info: InteractionInfo, frame: BoardFrame, season: Season | None
) -> tuple[Panel, FileToCome | None]:
    board, guild, number = frame.board, info.guild, frame.page
    min_hands = (await services.bank.house_rules(guild)).ranking_hands
    game = next((key for key, _ in frame.games if pages.game_code(key) == board.game), "")
    query = RankingQuery(
        guild,
        Scope(
            period_at(board.period, services.clock.now(), season.number if season is not None else 0),
            game,
            chips=CountedChips.TABLE if board.is_of_home_games else CountedChips.SERVER,
        ),
        board.ranking,
        min_hands,
        (number - 1) * PAGE_LINES,
        PAGE_LINES,
        info.user,
    )
    found, practice = await services.statistics.ranking(query), None
    if services.site.local and number == 1:
        scope = replace(query.scope, chips=CountedChips.PRACTICE)
        practice = await services.statistics.ranking(replace(query, scope=scope))
    picture = None
    is_shown = not board.is_of_home_games or (found.own_hands and not frame.shared)
    if not is_shown:
        found = RankedPlayers((), 0)
    if number == 1 and board.ranking is RankingOrder.NET and is_shown:
        lines = [PodiumLine(line.rank, line.user, line.counted) for line in found.lines]
        picture = await podium_answer(services.pictures, services.display_names, info, lines, signed=True)
    frame = await _completed(services, info, frame, [line.user for line in found.lines], picture)
    return pages.ranking_panel(found, frame, min_hands, practice), picture.file if picture is not None else None


async def _completed(
    services: Services, info: InteractionInfo, frame: BoardFrame, users: list[int], picture: AnswerPicture | None
) -> BoardFrame:
    departed = await services.display_names.departed(info.guild, users)
    return replace(frame, departed=departed, picture=picture.block if picture is not None else None)
