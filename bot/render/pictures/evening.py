"""Who was up and down over an evening, as the values of a chart, and its description."""

from collections.abc import Sequence
from typing import Protocol

from bot.pictures.names import clean_name
from bot.pictures.types import ChartLine, ChartMark, LinesPicture, Look
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.render.pictures.charts import hand_marks, levels
from bot.table.ended_game import EndedGame
from bot.text import sheet as words
from bot.text.formatting import shorten
from bot.text.language import t
from bot.text.statistics import short_signed

EVENING_PICTURE = "evening.webp"
NAMED_MAX = 10
"""So many lines have a colour and a name; the others are grey."""
POINTS_MAX = 220
"""More points of a line than that lie closer together than it is thick."""
RINGS_MAX = 12


class Curve(Protocol):
    """How one person's chips came and went (`bot.runtime.evening.EveningCurve`)."""

    @property
    def player(self) -> int: ...

    @property
    def points(self) -> tuple[tuple[int, int], ...]: ...

    @property
    def rebuys(self) -> tuple[tuple[int, int], ...]: ...


def evening_picture(game: EndedGame, curves: Sequence[Curve], look: Look) -> LinesPicture | None:
    """Return who was up and down over a game; None where too little has been played.

    Named are those who won or lost the most; where there are more of them than names fit, the others are grey. Of an event it names the
    winner, the rank of everybody, the prizes, and behind each name what that player got for bounties.
    """
    by_player = {curve.player: curve for curve in curves if len(curve.points) > 1}
    if game.finishes:
        finished = [one for one in game.finishes if one.player in by_player]
        names = {one.player: _drawn(one.player, one.name, at) for at, one in enumerate(finished, 1)}
        lines = [
            _line(
                words.with_rank(one.rank, names[one.player]),
                by_player[one.player],
                short_signed(one.bounties) if one.bounties else "",
            )
            for one in finished[:NAMED_MAX]
        ]
        heading = words.won_by([names[one.player] for one in finished if one.rank == 1], game)
        small_print = words.prizes_small_print(game)
    else:
        shown = [one for one in game.standings if one.player in by_player]
        named = {one.player for one in sorted(shown, key=lambda one: -abs(one.net))[:NAMED_MAX]}
        lines = [
            _line(_drawn(one.player, one.name, rank) if one.player in named else "", by_player[one.player])
            for rank, one in enumerate(shown, 1)
        ]
        heading = t(words.PICTURE_HEADING)
        small_print = words.picture_small_print(game.hands, has_rings=any(line.rings for line in lines))
    if len(lines) < 2:
        return None
    nets = [net for line in lines for _, net in line.points]
    return LinesPicture(
        look,
        heading,
        small_print,
        tuple(lines),
        tuple([ChartMark(level, short_signed(level)) for level in levels(min(nets), max(nets))]),
        hand_marks(max(at for line in lines for at, _ in line.points)),
    )


def evening_text(game: EndedGame) -> str:
    """Describe the picture for whoever cannot see it: where everybody ended."""
    if game.finishes:
        return shorten(words.finishes_described(game), PICTURE_TEXT_MAX)
    return shorten(words.picture_described(game.hands, game.standings), PICTURE_TEXT_MAX)


def _drawn(player: int, name: str, rank: int) -> str:
    """Return what somebody is called in the picture; their rank in the list where no font has their name."""
    name = words.plain_player_name(player, name)
    return clean_name(name) or words.unnamed(rank)


def _line(name: str, curve: Curve, note: str = "") -> ChartLine:
    """Return somebody's line; a grey one without a name."""
    return ChartLine(name, _fewer(curve.points), curve.rebuys[-RINGS_MAX:] if name else (), note)


def _fewer(points: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return as many points as can be told apart, the first and the last among them."""
    step = -(-len(points) // POINTS_MAX)
    return points if step < 2 else tuple(dict([*points[::step], points[-1]]).items())
