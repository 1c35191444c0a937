"""A player's chips over time, by game and by position, as the values of charts, and their descriptions."""

from collections.abc import Sequence

from bot.pictures.types import BarsPicture, ChartBar, ChartMark, CurvePicture, Look
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.statistics.types import ChipsPoint, Counts
from bot.text import statistics as words
from bot.text.formatting import join_list, shorten
from bot.text.language import t

CURVE_PICTURE, BARS_PICTURE, POSITIONS_PICTURE = "plot.webp", "games.webp", "positions.webp"
LEVELS_MAX = 5
BARS_MAX = 7


def curve_picture(points: Sequence[ChipsPoint], look: Look, counts: Counts | None = None) -> CurvePicture | None:
    """Return net chips over time; None where no hand has been played.

    Args:
        points: the first one before any hand.
        counts: of these hands; None where nothing is told of big blinds.
    """
    if len(points) < 2:
        return None
    nets = [point.net for point in points]
    last = points[-1]
    return CurvePicture(
        look,
        t(words.CHIPS_OVER_TIME),
        words.curve_small_print(last.hands, last.net, counts),
        tuple([(point.hands, point.net) for point in points]),
        tuple([ChartMark(level, words.short_signed(level)) for level in levels(min(nets), max(nets))]),
        hand_marks(last.hands),
    )


def curve_text(points: Sequence[ChipsPoint]) -> str:
    """Describe a curve for whoever cannot see it: where it went, and where it ended."""
    nets = [point.net for point in points]
    last = points[-1]
    return shorten(words.curve_described(last.hands, last.net, min(nets), max(nets)), PICTURE_TEXT_MAX)


def bars_picture(by_game: Sequence[tuple[str, Counts]], look: Look) -> BarsPicture | None:
    """Return net chips by game; None where no hand has been played.

    Args:
        by_game: what games are called, and the numbers of each, most hands first. Those that do not fit are put together.
    """
    lines = _bars(by_game)
    if not lines:
        return None
    hands, net = sum([counts.hands for _, counts in by_game]), sum([counts.net for _, counts in by_game])
    bars = [ChartBar(name, chips, words.short_signed(chips)) for name, chips in lines]
    return BarsPicture(look, t(words.CHIPS_BY_GAME), words.curve_small_print(hands, net), tuple(bars))


def bars_text(by_game: Sequence[tuple[str, Counts]]) -> str:
    """Describe the bars for whoever cannot see them."""
    lines = [t(words.GAME_CHIPS, game=name, chips=words.signed(chips)) for name, chips in _bars(by_game)]
    return shorten(t(words.BARS_DESCRIBED, games=join_list(lines)), PICTURE_TEXT_MAX)


def positions_picture(counts: Counts, look: Look) -> BarsPicture | None:
    """Return big blinds per 100 hands by position; None where somebody has sat nowhere often."""
    bars = [ChartBar(name, tenths, written) for name, tenths, written in words.positions(counts)]
    return (
        BarsPicture(look, t(words.RESULTS_BY_POSITION), words.positions_small_print(counts), tuple(bars))
        if bars
        else None
    )


def positions_text(counts: Counts) -> str:
    """Describe these bars for whoever cannot see them."""
    return shorten(words.positions_described(counts), PICTURE_TEXT_MAX)


def _bars(by_game: Sequence[tuple[str, Counts]]) -> list[tuple[str, int]]:
    lines = [(name, counts.net) for name, counts in by_game]
    if len(lines) <= BARS_MAX:
        return lines
    others = sum([chips for _, chips in lines[BARS_MAX - 1 :]])
    return [*lines[: BARS_MAX - 1], (t(words.OTHER_GAMES), others)]


def levels(low: int, high: int) -> list[int]:
    """Return round numbers with steps of 1, 2 or 5 and zeros, from one at or below `low` to one at or above `high`, 0 among them.

    There are two to `LEVELS_MAX` + 1 of them.
    """
    low, high = min(low, 0), max(high, 0)
    if low == high:
        high = 1
    step, power = 1, 1
    while -(-high // step) - low // step > LEVELS_MAX:
        for factor in (2, 5, 10):
            step = power * factor
            if -(-high // step) - low // step <= LEVELS_MAX:
                break
        else:
            power *= 10
    return [at * step for at in range(low // step, -(-high // step) + 1)]


def hand_marks(hands: int) -> tuple[ChartMark, ...]:
    """Return what stands below a chart over hands: the first hand, one in the middle, the last."""
    marks = [ChartMark(0, t(words.FIRST_HAND))]
    if hands >= 4:
        marks.append(ChartMark(hands // 2, words.hand_mark(hands // 2)))
    return (*marks, ChartMark(hands, words.hand_mark(hands)))
