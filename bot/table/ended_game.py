"""What is left to tell of a game that is over, or that rests: where everybody stands, how long it took, who ended it."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.options.values import Ante, Limit
from bot.engine.stakes import Stakes
from bot.table import events as e
from bot.table.book import standings
from bot.table.queries import host_of
from bot.table.state import Standing, Table


class FinishTold(Struct, frozen=True):
    """Where somebody came in, in an event, and the prize they got, in server chips; 0 for none.

    Attributes:
        wins: matches of a duel.
        bounties: what they got for those they have won, and for their own.
        rebuys: how often they have rebought.
    """

    rank: int
    player: int
    name: str
    prize: int = 0
    wins: int = 0
    bounties: int = 0
    rebuys: int = 0


class DuelEnd(StrEnum):
    """How a duel ended, or its challenge. The words are stored."""

    WON = "won"
    GIVEN_UP = "given up"
    NO_WINNER = "no winner"
    DECLINED = "declined"
    TAKEN_BACK = "taken back"
    LAPSED = "lapsed"
    CANCELLED = "cancelled"


class DuelTold(Struct, frozen=True):
    """What there is to tell of a duel beside who came in where.

    Attributes:
        best_of: so many matches at most.
        for_chips: both had paid for it.
        challenger, opponent: their names, where it was cancelled before they played; else empty: finishes or standings have them.
    """

    end: DuelEnd
    best_of: int = 1
    for_chips: bool = False
    challenger: str = ""
    opponent: str = ""


class EndedGame(Struct, frozen=True):
    """A game that is over, or that has dealt no hand for long. It is stored with its sheet.

    Attributes:
        number: of the table in its server.
        game: the name of the game, or of the mixture.
        unit: what its buy-ins were counted in, in chips: the big blind where there is one.
        hands: how many were dealt.
        opened_at, ended_at: when the table opened, and when the last person did something there, in ms since the epoch; of a game that
            rests when its last hand ended.
        closed_by: id of the person who asked for it; 0 where nobody did.
        standings: where everybody stands who was dealt a hand, the best first. Their nets sum to zero.
        invited: of a private game, ids of its host and of those who were invited.
        rests: the table is open, and the book goes on.
        finishes: of an event, who came in where, the best first; empty for another game, and for an event that was cancelled.
        is_event: it was an event.
        evening: the name of the evening with a date that it was; empty for none.
        duel: what there is to tell of it where the event was a duel; else None.
        shares: of an event that was cancelled in its middle, what everybody got.
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
    standings: tuple[Standing, ...] = ()
    invited: tuple[int, ...] = ()
    rests: bool = False
    finishes: tuple[FinishTold, ...] = ()
    is_event: bool = False
    evening: str = ""
    duel: DuelTold | None = None
    shares: tuple[FinishTold, ...] = ()

    @property
    def closed_by_name(self) -> str:
        """The name of the person who asked for it, if they have played."""
        return next((one.name for one in self.standings if one.player == self.closed_by), "")

    @property
    def people(self) -> tuple[int, ...]:
        """The ids of the people who were dealt a hand."""
        return tuple([one.player for one in self.standings if one.player > 0 and one.hands])

    @property
    def has_sheet(self) -> bool:
        """Whether at least two people have played a hand, for chips that are not practice chips."""
        return self.hands > 0 and not self.practice and len(self.people) > 1

    @property
    def seconds(self) -> int:
        """How long it took."""
        return max(0, self.ended_at - self.opened_at) // 1000


def ended_game(table: Table, number: int, events: Iterable[e.TableEvent]) -> EndedGame:
    """Return what is left to tell of a table that has closed by these events. `number`: of the table in its server."""
    reason, closed_by, ended_at = e.CloseReason.REQUESTED, 0, table.active_at
    for event in events:
        if isinstance(event, e.ClosingRequested):
            closed_by = event.player
        elif isinstance(event, e.TableClosed):
            reason = event.reason
            if reason is e.CloseReason.REQUESTED:
                ended_at = event.at
    return replace(_game(table, number, ended_at), reason=reason, closed_by=closed_by)


def resting_game(table: Table, number: int, last_hand_at: int) -> EndedGame:
    """Return what there is to tell of an open table that has dealt nothing since a time, in ms since the epoch."""
    return replace(_game(table, number, last_hand_at), rests=True)


def _game(table: Table, number: int, ended_at: int) -> EndedGame:
    settings = table.settings
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
        standings=tuple([one for one in standings(table) if one.hands or one.net]),
        is_event=settings.is_event,
        evening=settings.evening,
        invited=tuple(dict.fromkeys((table.opened_by, host_of(table), *table.invited))) if table.private else (),
    )
