"""What is left to tell of a game that is over: where everybody stands, how long it took, who ended it."""

from collections.abc import Iterable

from msgspec import Struct

from bot.engine.options.values import Ante, Limit
from bot.engine.stakes import Stakes
from bot.table import events as e
from bot.table.book import standings
from bot.table.state import Standing, Table


class EndedGame(Struct, frozen=True):
    """A game that is over. It is stored until its sheet is posted.

    Attributes:
        number: of the table in its server.
        game: the name of the game, or of the mixture.
        unit: what its buy-ins were counted in, in chips: the big blind where there is one.
        hands: how many were dealt.
        opened_at, ended_at: when the table opened, and when the last person did something there, in ms since the epoch.
        closed_by: id of the person who asked for it; 0 where nobody did.
        standings: where everybody stands who was dealt a hand, the best first. Their nets sum to zero.
    """

    number: int
    game: str
    is_mixture: bool
    stakes: Stakes
    ante: Ante
    limit: Limit
    practice: bool
    table_chips: bool
    private: bool
    unit: int
    hands: int
    opened_at: int
    ended_at: int
    reason: e.CloseReason = e.CloseReason.REQUESTED
    closed_by: int = 0
    closed_by_name: str = ""
    standings: tuple[Standing, ...] = ()

    @property
    def has_sheet(self) -> bool:
        """Whether at least two people have played a hand, for chips that are not practice chips."""
        people = [one for one in self.standings if one.player > 0 and one.hands]
        return self.hands > 0 and not self.practice and len(people) > 1

    @property
    def seconds(self) -> int:
        """How long it took."""
        return max(0, self.ended_at - self.opened_at) // 1000


def ended_game(table: Table, number: int, events: Iterable[e.TableEvent]) -> EndedGame:
    """Return what is left to tell of a table that has closed by these events. `number`: of the table in its server."""
    settings, reason, closed_by, ended_at = table.settings, e.CloseReason.REQUESTED, 0, table.active_at
    for event in events:
        if isinstance(event, e.ClosingRequested):
            closed_by = event.player
        elif isinstance(event, e.TableClosed):
            reason = event.reason
            if reason is e.CloseReason.REQUESTED:
                ended_at = event.at
    line = table.book_line(closed_by)
    return EndedGame(
        number=number,
        game=settings.rule_card.name if settings.rotation is None else settings.rotation.name,
        is_mixture=settings.rotation is not None,
        stakes=settings.stakes,
        ante=settings.options.ante,
        limit=settings.options.limit,
        practice=settings.practice,
        table_chips=settings.has_table_chips,
        private=table.private,
        unit=settings.buy_in_unit,
        hands=table.hands_dealt,
        opened_at=table.opened_at,
        ended_at=ended_at,
        reason=reason,
        closed_by=closed_by,
        closed_by_name=line.name if line is not None else "",
        standings=tuple([one for one in standings(table) if one.hands or one.net]),
    )
