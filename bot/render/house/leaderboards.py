"""Draw leaderboards: by what finished hands add up to, or by chips as they are today, with selects for order, period and game.

Only people who have played as many hands as the house asks for are listed (BO-2); those for practice chips stand apart.
"""

import zlib
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.render.house.statistics_pages import own_statistics_button
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.page_turns import page_turns
from bot.render.message.panel import (
    BLURPLE,
    GREY,
    OPTION_TEXT_MAX,
    RANKINGS,
    Block,
    Button,
    Buttons,
    Option,
    Panel,
    Picture,
    Select,
    Separator,
    Text,
)
from bot.runtime.store_types import Leaderboard
from bot.statistics.types import PeriodKind, RankedPlayers, RankingOrder
from bot.text import buttons as labels
from bot.text import chips as chip_words
from bot.text import leaderboards as words
from bot.text.formatting import shorten
from bot.text.game_names import game_name
from bot.text.language import t

PAGE_LINES = 10
CHIPS = "chips"
"""The order by chips as they are today: no hands are counted for it, so it has no period and no game."""
HOME_GAMES = "home"
"""The order by net table chips: home games have standings of their own, for those who played in them."""
_ORDER_CODES = {
    RankingOrder.NET: "n",
    RankingOrder.NET_PER_100: "r",
    RankingOrder.HANDS: "h",
    CHIPS: "c",
    HOME_GAMES: "t",
}
_PERIOD_CODES = {PeriodKind.EVER: "e", PeriodKind.WEEK: "w", PeriodKind.MONTH: "m", PeriodKind.SEASON: "s"}
_ORDERS = {code: order for order, code in _ORDER_CODES.items()}
_PERIODS = {code: period for period, code in _PERIOD_CODES.items()}
ALL_GAMES = "all"


class Board(Struct, frozen=True):
    """Which leaderboard somebody looks at. `game` is a code of `game_code`."""

    order: str = RankingOrder.NET
    period: PeriodKind = PeriodKind.EVER
    game: str = ALL_GAMES

    @property
    def code(self) -> str:
        """Write it as a word of a button's id."""
        return f"{_ORDER_CODES[self.order]}.{_PERIOD_CODES[self.period]}.{self.game}"

    @property
    def by_chips(self) -> bool:
        return self.order == CHIPS

    @property
    def ranking(self) -> RankingOrder:
        """The order of a leaderboard of statistics."""
        return RankingOrder.NET if self.by_chips or self.is_of_home_games else RankingOrder(self.order)

    @property
    def is_capped(self) -> bool:
        """Whether what one opponent adds counts up to a cap alone (BO-1): of chips, and of net chips in a season or of all time."""
        if self.by_chips:
            return True
        in_span = self.period in (PeriodKind.EVER, PeriodKind.SEASON) and self.game == ALL_GAMES
        return in_span and self.order in (RankingOrder.NET, RankingOrder.NET_PER_100)

    @property
    def is_of_home_games(self) -> bool:
        return self.order == HOME_GAMES


def read_board(code: str) -> Board:
    """Read the word of a button's id. What nobody has written is the usual leaderboard."""
    order, _, rest = code.partition(".")
    period, _, game = rest.partition(".")
    if order not in _ORDERS or period not in _PERIODS or not game:
        return Board()
    return Board(_ORDERS[order], _PERIODS[period], game)


def game_code(key: str) -> str:
    """Return a short word for the key of a game, which can be too long for an id."""
    return f"{zlib.crc32(key.encode()):08x}"


def changed_board(board: Board, verb: str, value: str) -> Board:
    """Return the leaderboard that a select chooses. A period or a game of hands leads away from the order by chips."""
    if verb == "order" and value in _ORDERS:
        return replace(board, order=_ORDERS[value])
    if verb == "period" and value in _PERIODS:
        return replace(board, order=board.ranking if board.by_chips else board.order, period=_PERIODS[value])
    if verb == "game":
        return replace(board, order=board.ranking if board.by_chips else board.order, game=value)
    return board


class BoardFrame(Struct, frozen=True):
    """What stands around the lines of a leaderboard.

    Attributes:
        games: key and name of the games that have been played, the most played first.
        season: what the season is called that runs; empty for none.
        departed: names of those who have left the server.
        shared: everybody reads it, so it has nobody's own line and no selects.
        cap: up to how many chips from one opponent count (BO-1); 0 where all do.
    """

    board: Board
    page: int
    user: int
    games: Sequence[tuple[str, str]] = ()
    season: str = ""
    departed: Mapping[int, str] = {}
    shared: bool = False
    cap: int = 0
    picture: Picture | None = None

    def is_own(self, user: int) -> bool:
        """Return whether a line is the reader's own, and says so."""
        return user == self.user and not self.shared


def chips_board_panel(
    found: Leaderboard, frame: BoardFrame, min_hands: int, own_hands: int, practice: Leaderboard | None = None
) -> Panel:
    """Return a page of the leaderboard by chips in wallets and on tables.

    Args:
        min_hands: people who have played fewer hands are not listed.
        own_hands: how many the reader has played.
        practice: the one of practice chips, shown below.
    """
    lines = _chips_lines(found, frame) or [words.empty()]
    if practice is not None and practice.lines:
        lines += [words.practice_heading(), *_chips_lines(practice, frame)]
    own, heading = found.own, words.chips_heading(min_hands, found.players, frame.cap)
    if own is None:
        return _panel(frame, heading, lines, words.short_of_hands(own_hands, min_hands), 0, found.players)
    return _panel(frame, heading, lines, chip_words.own_place(own, found.players), own.rank, found.players)


def _chips_lines(found: Leaderboard, frame: BoardFrame) -> list[str]:
    return [
        chip_words.leaderboard_line(line, own=frame.is_own(line.user), departed=frame.departed) for line in found.lines
    ]


def ranking_panel(
    found: RankedPlayers, frame: BoardFrame, min_hands: int, practice: RankedPlayers | None = None
) -> Panel:
    """Return a page of a leaderboard of finished hands.

    Args:
        min_hands: people who have played fewer hands are not listed.
        practice: the one of hands for practice chips, shown below.
    """
    board = frame.board
    game = next((game_name(name) for key, name in frame.games if game_code(key) == board.game), "")
    heading = words.heading(board.ranking, board.period, game, min_hands, found.players, frame.season, frame.cap)
    lines = _ranking_lines(found, frame) or [words.empty()]
    if board.is_of_home_games:
        heading = words.home_games_heading(heading)
        if not found.own_hands:  # only those who played there read who is up or down
            lines, found = [words.only_for_players()], RankedPlayers((), 0)
    if practice is not None and practice.lines:
        lines += [words.practice_heading(), *_ranking_lines(practice, frame)]
    own_text = words.own_place(found, board.ranking, min_hands)
    return _panel(frame, heading, lines, own_text, found.own.rank if found.own is not None else 0, found.players)


def _ranking_lines(found: RankedPlayers, frame: BoardFrame) -> list[str]:
    order = frame.board.ranking
    return [words.line(line, order, own=frame.is_own(line.user), departed=frame.departed) for line in found.lines]


def _panel(frame: BoardFrame, heading: str, lines: list[str], own_text: str, own_rank: int, players: int) -> Panel:
    blocks: list[Block] = [Text("\n".join([heading, *lines]))]
    if frame.picture is not None:
        blocks = [Text(heading), frame.picture, Text("\n".join(lines))]
    if not frame.shared:
        blocks += [Separator(), Text(own_text), *_selects(frame)]
    blocks += [Buttons(_buttons(frame, own_rank, players)), Buttons((own_statistics_button(),))]
    return Panel(RANKINGS, tuple(blocks))


def _selects(frame: BoardFrame) -> list[Block]:
    board = frame.board
    orders = [
        Option(words.order_name(order), code, default=order == board.order) for order, code in _ORDER_CODES.items()
    ]
    found: list[Block] = [
        Select(page_id("board", "order", board.code), words.choose_order(), tuple(orders)),
    ]
    if not frame.games:
        return found
    periods = [
        Option(
            shorten(words.period_name(period, frame.season), OPTION_TEXT_MAX),
            code,
            default=period is board.period and not board.by_chips,
        )
        for period, code in _PERIOD_CODES.items()
        if period is not PeriodKind.SEASON or frame.season
    ]
    found.append(Select(page_id("board", "period", board.code), words.choose_period(), tuple(periods)))
    games = [Option(words.all_games(), ALL_GAMES, default=board.game == ALL_GAMES and not board.by_chips)]
    games += [
        Option(
            shorten(game_name(name), OPTION_TEXT_MAX),
            game_code(key),
            default=board.game == game_code(key) and not board.by_chips,
        )
        for key, name in frame.games[: OPTIONS_MAX - 1]
    ]
    found.append(Select(page_id("board", "game", board.code), words.choose_game(), tuple(games)))
    return found


def _buttons(frame: BoardFrame, own_rank: int, players: int) -> tuple[Button, ...]:
    """Page buttons; a private leaderboard also leads to the reader's own place and can be shown to everybody."""
    code, page = frame.board.code, frame.page
    pages = max(1, -(-players // PAGE_LINES))
    kind = "shared" if frame.shared else "page"
    turns = page_turns(page, pages, lambda turn, to: page_id("board", kind + turn, to, code))
    if frame.shared:
        return turns
    here: tuple[Button, ...] = ()
    if not frame.board.is_of_home_games:  # those are for who played in them alone
        here = (Button(t(labels.SHOW_HERE), page_id("board", "here", page, code), GREY),)
    if not own_rank:
        return (*turns, *here)
    own_page = -(-own_rank // PAGE_LINES)
    return (*turns, Button(t(chip_words.MY_PLACE), page_id("board", "pagemine", own_page, code), BLURPLE), *here)
