"""Draw what a player's hands add up to (`/stats`), two players against each other, and a session at a table."""

import re
import zlib
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import LawError
from bot.engine.ranking import Category, HandName, evaluator
from bot.events.sit_and_go.state import DuelRecord
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    OPTION_TEXT_MAX,
    RANKINGS,
    RESULT,
    Block,
    Button,
    Buttons,
    Option,
    Panel,
    Picture,
    Section,
    Select,
    Text,
)
from bot.statistics.types import BestHand, CountedChips, HandKey, PeriodKind, PlayerNumbers, SessionNumbers, Versus
from bot.text import buttons as labels
from bot.text import duels as duel_words
from bot.text import statistics as words
from bot.text.formatting import shorten
from bot.text.game_names import game_name
from bot.text.hand_names import hand_name
from bot.text.language import t
from bot.variants import game

PAGE = "stats"
GAMES_MAX = 24
"""The most games in the select, beside all of them together."""
MOMENT_CATEGORIES = frozenset(
    {Category.FULL_HOUSE, Category.FOUR_OF_A_KIND, Category.STRAIGHT_FLUSH, Category.FIVE_OF_A_KIND}
)
"""Hands that are a better story than the pot they won."""

_PERIOD_LETTERS = {PeriodKind.EVER: "e", PeriodKind.MONTH: "m", PeriodKind.WEEK: "w", PeriodKind.SEASON: "s"}
_CHIPS_LETTERS = {CountedChips.SERVER: "c", CountedChips.PRACTICE: "p", CountedChips.TABLE: "h"}
_WHOSE = re.compile("([1-9][0-9]{0,18})\\.([emws])([cph])([ot])(m?)", re.ASCII)
_WHAT = re.compile("([0-9a-z]{1,4})(?:\\.([1-9][0-9]{0,18}))?", re.ASCII)
_TOKEN_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
ALL_GAMES = "0"
"""The token of all games together."""


class StatisticsPage(Struct, frozen=True):
    """Whose statistics a page shows, and which of their hands.

    Attributes:
        period: the current one of its kind.
        chips: the kind of chips that the hands were played for.
        by_game: the chart shows games beside each other instead of one line.
        game: the token of a game (`game_token`); `ALL_GAMES` for every game.
        more: it shows the figures behind *More figures*.
        guild: the server, where the page is in a direct message; else 0.
    """

    user: int
    period: PeriodKind = PeriodKind.EVER
    chips: CountedChips = CountedChips.SERVER
    by_game: bool = False
    game: str = ALL_GAMES
    guild: int = 0
    more: bool = False

    def button_id(self, verb: str = "show") -> str:
        """Write the id of a button or select that leads on from this page."""
        return page_id(PAGE, verb, *self._words())

    def _words(self) -> tuple[str, str]:
        flags = _PERIOD_LETTERS[self.period] + _CHIPS_LETTERS[self.chips] + ("t" if self.by_game else "o")
        flags += "m" if self.more else ""
        return f"{self.user}.{flags}", f"{self.game}.{self.guild}" if self.guild else self.game

    def versus_id(self, other: int, verb: str = "versus") -> str:
        """Write the id of a button that compares this page's player with another one."""
        return page_id(PAGE, verb, self._words()[0], other)


def read_page(words: Sequence[str]) -> StatisticsPage | None:
    """Read a page from the words of a button; None if no page has written them."""
    whose = _WHOSE.fullmatch(words[0]) if words else None
    what = _WHAT.fullmatch(words[1]) if len(words) > 1 else None
    if whose is None:
        return None
    user, period, book, chart, more = whose.groups()
    kind = next(kind for kind, letter in _PERIOD_LETTERS.items() if letter == period)
    chips = next(chips for chips, letter in _CHIPS_LETTERS.items() if letter == book)
    page = StatisticsPage(int(user), kind, chips, chart == "t", more=bool(more))
    return page if what is None else replace(page, game=what[1], guild=int(what[2] or 0))


def game_token(key: str) -> str:
    """Return four letters that stand for the key of a game in an id, which has no room for a long one."""
    number, token = zlib.crc32(key.encode()) % len(_TOKEN_DIGITS) ** 4, ""
    for _ in range(4):
        number, digit = divmod(number, len(_TOKEN_DIGITS))
        token += _TOKEN_DIGITS[digit]
    return token


def my_statistics_button(user: int, *, guild: int = 0, chips: CountedChips = CountedChips.SERVER) -> Button:
    """Return the button that leads to the reader's own statistics.

    Args:
        guild: the server, for a direct message.
    """
    page = StatisticsPage(user, chips=chips, guild=guild)
    return Button(t(words.MY_STATISTICS), page.button_id("open"), BLURPLE)


def own_statistics_button() -> Button:
    """Return the button that leads whoever presses it to their own statistics, on a message that everybody sees too."""
    return Button(t(words.MY_STATISTICS), page_id(PAGE, "mine"), GREY)


class PlayerShown(Struct, frozen=True):
    """The player whose statistics are shown.

    Attributes:
        name: their display name, as Discord has it; empty where it is not known.
        avatar: the address of their picture; empty where it is not known.
        is_private: nobody else can look their statistics up.
        is_reader: they are the one who reads it.
        duels: how many they have won and lost; None where they don't show it.
    """

    user: int
    name: str = ""
    avatar: str = ""
    is_private: bool = False
    is_reader: bool = False
    duels: DuelRecord | None = None

    @property
    def mention(self) -> str:
        return f"<@{self.user}>"


class PageChoices(Struct, frozen=True):
    """What can be chosen on a page: the periods, key and name of each game, the most played first, and the kinds of chips."""

    periods: Sequence[PeriodKind] = (PeriodKind.EVER, PeriodKind.MONTH, PeriodKind.WEEK)
    games: Sequence[tuple[str, str]] = ()
    chips: Sequence[CountedChips] = ()

    def game_name(self, token: str) -> str:
        """Return what the game of a token is called; empty for every game."""
        return next((game_name(name) for key, name in self.games if game_token(key) == token), "")

    def game_key(self, token: str) -> str:
        """Return the key of the game of a token; empty for every game."""
        return next((key for key, _ in self.games if game_token(key) == token), "")


def statistics_panel(
    page: StatisticsPage,
    numbers: PlayerNumbers,
    player: PlayerShown,
    choices: PageChoices,
    *,
    shared: bool = False,
    picture: Picture | None = None,
) -> Panel:
    """Return a player's statistics.

    Args:
        shared: everybody reads it.
        picture: the chart.
    """
    counts, is_own = numbers.counts, player.is_reader and not shared
    heading = t(words.YOURS) if is_own else t(words.OF_PLAYER, player=player.mention)
    scope = words.scope_line(choices.game_name(page.game), page.period, page.chips)
    blocks: list[Block] = []
    if not counts.hands:
        sentence = words.NO_HANDS_EVER if is_own else words.NO_HANDS_OF_PLAYER
        is_everything = page.period is PeriodKind.EVER and page.game == ALL_GAMES and page.chips is CountedChips.SERVER
        blocks.append(_headed(player, heading, scope, t(sentence if is_everything else words.NO_HANDS_THEN)))
    else:
        blocks.append(_headed(player, heading, scope, words.result_line(counts)))
        first = [*words.play_lines(counts), *_best_lines(numbers), words.luck_line(counts)]
        lines = words.more_lines(counts) if page.more else first
        blocks.append(Text("\n".join([line for line in lines if line])))
    if player.duels is not None and not page.more:
        blocks.append(Text(duel_words.own_line(player.duels)))
    if picture is not None:
        blocks.append(picture)
    if is_own and player.is_private:
        blocks.append(Text(t(words.PRIVATE_NOTE)))
    if not (shared and player.is_private):
        blocks += _choices(page, choices)
        blocks += _rows(_page_buttons(page, numbers, player, shared=shared))
    return Panel(RANKINGS, tuple(blocks))


def _headed(player: PlayerShown, heading: str, scope: str, result: str) -> Block:
    """Return the head of a page, with the player's picture where it is known."""
    if not player.avatar:
        return Text("\n".join([heading, scope, result]))
    return Section((Text(heading), Text(scope), Text(result)), player.avatar, player.name or player.mention)


def _best_lines(numbers: PlayerNumbers | SessionNumbers) -> list[str]:
    lines = []
    if numbers.best_hand is not None:
        lines.append(words.best_hand_line(best_hand_name(numbers.best_hand), _where(numbers.best_hand.hand)))
    if numbers.biggest_pot and numbers.biggest_pot_at is not None:
        lines.append(words.biggest_pot_line(numbers.biggest_pot, _where(numbers.biggest_pot_at)))
    if isinstance(numbers, PlayerNumbers) and numbers.longest_streak > 1:
        lines.append(words.streak_line(numbers.longest_streak))
    return lines


def _where(hand: HandKey) -> str:
    return words.hand_reference(hand.number, hand.table_number)


def best_hand_name(best: BestHand) -> str:
    """Return what somebody's best hand is called; empty where its game is not known any more."""
    return _named(best)[0]


def _named(best: BestHand) -> tuple[str, HandName | None]:
    """Return the same with the facts of the hand."""
    try:
        facts = evaluator(game(best.game).shares[best.share].ranking).name(best.value)
        return hand_name(facts), facts
    except (LawError, LookupError, ValueError, AssertionError):  # a house game, or one that had other rules then
        return "", None


def _choices(page: StatisticsPage, choices: PageChoices) -> list[Block]:
    periods = tuple(
        [Option(t(words.PERIODS[kind]), kind, default=kind is page.period) for kind in choices.periods],
    )
    chosen = t(words.CHOOSE_PERIOD, period=t(words.PERIODS[page.period]))
    blocks: list[Block] = [Select(page.button_id("period"), chosen, periods)]
    others = [kind for kind in choices.chips if kind is not page.chips]
    if others:
        buttons = [Button(words.chips_label(kind), replace(page, chips=kind).button_id(), GREY) for kind in others]
        blocks.append(Buttons(tuple(buttons)))
    games = [(game_token(key), game_name(name)) for key, name in choices.games[:GAMES_MAX]]
    if len(games) < 2 and page.game == ALL_GAMES:
        return blocks
    every = [(ALL_GAMES, t(words.ALL_GAMES)), *games]
    options = tuple(
        [Option(shorten(name, OPTION_TEXT_MAX), token, default=token == page.game) for token, name in every]
    )
    label = t(words.CHOOSE_GAME, game=choices.game_name(page.game) or t(words.ALL_GAMES))
    return [*blocks, Select(page.button_id("game"), label, options)]


def _page_buttons(
    page: StatisticsPage, numbers: PlayerNumbers, player: PlayerShown, *, shared: bool
) -> list[list[Button]]:
    if page.more:
        back = Button(t(words.BACK), replace(page, more=False).button_id(), GREY)
        return [[back, Button(t(words.MEANING), page.button_id("meaning"), GREY)]]
    first: list[Button] = []
    if numbers.counts.hands:
        first.append(Button(t(words.MORE_FIGURES), replace(page, more=True).button_id(), GREY))
    if len(numbers.by_game) > 1 and page.game == ALL_GAMES:
        label = words.OVER_TIME if page.by_game else words.BY_GAME
        first.append(Button(t(label), replace(page, by_game=not page.by_game).button_id(), GREY))
    best, biggest = numbers.best_hand, numbers.biggest_pot_at
    if page.guild:  # in a direct message there is no table to ask about a hand
        best = biggest = None
    if best is not None:
        first.append(Button(t(words.BEST_HAND_BUTTON, number=best.hand.number), _hand_id("best", best.hand), GREY))
    if biggest is not None and (best is None or best.hand != biggest):
        first.append(Button(t(words.BIGGEST_POT_BUTTON, number=biggest.number), _hand_id("pot", biggest), GREY))
    second: list[Button] = []
    if (shared or not player.is_reader) and not page.guild:
        second.append(Button(words.against_label(player.name), page.versus_id(player.user), GREY))
    if numbers.counts.hands:
        second.append(Button(t(words.MEANING), page.button_id("meaning"), GREY))
    if not shared and not page.guild and numbers.counts.hands:
        second.append(Button(t(labels.SHOW_HERE), page.button_id("here"), GREY))
    if player.is_reader and not shared and page.chips is CountedChips.SERVER:
        label = words.SHOW_TO_OTHERS if player.is_private else words.KEEP_PRIVATE
        second.append(Button(t(label), page.button_id("publish" if player.is_private else "hide"), GREY))
    return [first, second]


def _hand_id(verb: str, hand: HandKey) -> str:
    return page_id(PAGE, verb, f"{hand.table}.{hand.number}")


def _rows(rows: Sequence[Sequence[Button]]) -> list[Block]:
    return [Buttons(tuple(row)) for row in rows if row]


def meanings_panel(page: StatisticsPage | None = None) -> Panel:
    """Explain every number in plain words. `page`: where the button back leads; None for no way back."""
    text = Text("\n".join(words.meanings()))
    back = (Buttons((Button(t(words.BACK), page.button_id(), GREY),)),) if page is not None else ()
    return Panel(FINISHED, (text, *back))


def versus_panel(
    page: StatisticsPage,
    versus: Versus,
    player: PlayerShown,
    other: PlayerShown,
    choices: PageChoices,
    *,
    shared: bool = False,
) -> Panel:
    """Return two players against each other.

    Args:
        page: of the first of them.
        shared: everybody reads it.
    """
    is_own = player.is_reader and not shared
    if is_own:
        heading = t(words.YOU_AGAINST_PLAYER, player=other.mention)
    else:
        heading = t(words.ONE_AGAINST_OTHER, player=player.mention, other=other.mention)
    first, *others = words.versus_lines(versus, "" if is_own else player.mention, other.mention)
    below = (Text("\n".join(others)),) if others else ()
    scope = words.scope_line("", page.period, page.chips)
    periods = tuple(
        [Option(t(words.PERIODS[kind]), kind, default=kind is page.period) for kind in choices.periods],
    )
    chosen = t(words.CHOOSE_PERIOD, period=t(words.PERIODS[page.period]))
    buttons = [
        Button(_statistics_label(one), replace(page, user=one.user).button_id("open"), GREY) for one in (player, other)
    ]
    if not shared:
        buttons.append(Button(t(labels.SHOW_HERE), page.versus_id(other.user, "bothhere"), GREY))
    return Panel(
        RANKINGS,
        (
            _headed(other, heading, scope, first),
            *below,
            Select(page.versus_id(other.user, "span"), chosen, periods),
            Buttons(tuple(buttons)),
        ),
    )


def _statistics_label(player: PlayerShown) -> str:
    return t(words.MY_STATISTICS) if player.is_reader else words.statistics_label(player.name)


def session_blocks(
    session: SessionNumbers,
    table_number: int,
    user: int,
    *,
    picture: Picture | None = None,
    guild: int = 0,
    chips: CountedChips = CountedChips.SERVER,
) -> tuple[Block, ...]:
    """Return what a player's session at a table came to; nothing if they were dealt no hand.

    Args:
        chips: the kind that it was played for.
        guild: the server, where it is sent as a direct message.
        picture: their chips in the session.
    """
    if not session.counts.hands:
        return ()
    lines = [
        t(words.SESSION, number=table_number),
        words.session_line(session.counts, (session.until - session.since) // 1000),
    ]
    button = my_statistics_button(user, guild=guild, chips=chips)
    buttons, moment = [button], best_moment(session)
    if moment is not None:
        name, won, hand = moment
        lines.append(words.moment_line(name, won, _where(hand)))
        if not guild:
            buttons.append(Button(t(words.LOOK_AT_HAND, number=hand.number), _hand_id("best", hand), GREY))
    shown = (picture,) if picture is not None else ()
    return Text("\n".join(lines)), *shown, Buttons(tuple(buttons))


def best_moment(session: SessionNumbers) -> tuple[str, int, HandKey] | None:
    """Return the moment of a session that is worth a line: a great hand by its name, else the biggest pot; None if they never won one."""
    best = session.best_hand
    if best is not None:
        name, facts = _named(best)
        if facts is not None and facts.category in MOMENT_CATEGORIES and not facts.is_low:
            return name, 0, best.hand
    if session.biggest_pot and session.biggest_pot_at is not None:
        return "", session.biggest_pot, session.biggest_pot_at
    return None


def session_panel(left: str, blocks: Sequence[Block]) -> Panel:
    """Return the answer to leaving: the sentence that they have left, then what their session came to."""
    return Panel(RESULT, (Text(left), *blocks) if left else tuple(blocks))
