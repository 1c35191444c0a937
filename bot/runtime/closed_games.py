"""Games that have ended lately: a table that closes and opens again is the same game, and nobody returns to it with fewer chips (TL-27).

It is the same game if it is dealt in the same channel or by the same host of the server, has a game in common, and is played for more than
half and less than twice the stakes. What is remembered is saved with the end of the table, and forgotten after an hour.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from bot.engine.units import NO_SEAT_NUMBER
from bot.ledger.accounts import Book
from bot.runtime.saved_values import OF_A_TABLE, SavedKind
from bot.runtime.snapshot import TableAddress
from bot.runtime.transfers import book_of
from bot.table.queries import RATHOLE_MS, host_of
from bot.table.settings import TableSettings
from bot.table.state import Departure, Table


class ClosedGame(Struct, frozen=True):
    """What is remembered of a table that has closed. It is stored.

    Attributes:
        hosts: who opened it, and who was its host at the end.
        games: the keys of its games, without what was laid over them.
        unit: the chips that its buy-ins were counted in.
        players: users who left or were paid out, with what they took away, and when in ms.
    """

    guild: int
    channel: int
    hosts: tuple[int, ...]
    games: tuple[str, ...]
    unit: int
    closed_at: int
    players: tuple[tuple[int, int, int], ...]

    def is_continued_by(self, guild: int, channel: int, host: int, settings: TableSettings) -> bool:
        """Tell whether a table that opens is the same game."""
        return (
            self.guild == guild
            and (self.channel == channel or host in self.hosts)
            and book_of(settings) is Book.PEOPLE
            and not set(self.games).isdisjoint(_game_keys(settings))
            and self.unit < 2 * settings.buy_in_unit
            and settings.buy_in_unit < 2 * self.unit
        )


CLOSED_GAMES = SavedKind[int, ClosedGame]("closed.", OF_A_TABLE, ClosedGame, holds_people=True)


class ClosedGames:
    """The games that have ended within the hour, in all servers."""

    def __init__(self) -> None:
        self._games: dict[int, ClosedGame] = {}

    def load(self, saved: Mapping[int, ClosedGame]) -> None:
        """Take up what was saved."""
        self._games |= saved

    def add(self, address: TableAddress, table: Table) -> None:
        """Remember a table that has closed."""
        game = closed_game(address, table)
        if game is not None:
            self._games[address.id] = game

    def forget_old(self, now: int) -> tuple[int, ...]:
        """Forget the games that ended more than an hour ago. Returns their tables."""
        old = [table for table, game in self._games.items() if now >= game.closed_at + RATHOLE_MS]
        for table in old:
            del self._games[table]
        return tuple(old)

    def forget_guild(self, guild: int) -> tuple[int, ...]:
        """Forget the games of a server. Returns their tables."""
        found = [table for table, game in self._games.items() if game.guild == guild]
        for table in found:
            del self._games[table]
        return tuple(found)

    def departures(
        self, guild: int, channel: int, host: int, settings: TableSettings, open_tables: Iterable[tuple[int, Table]]
    ) -> tuple[Departure, ...]:
        """Return what players took away from a game that goes on at a table that opens now.

        Args:
            open_tables: the open tables of the server with their channels: where the game goes on already, its players have brought
                back their chips.
        """
        latest: dict[int, Departure] = {}
        seated: dict[int, int] = {}
        for game in self._games.values():
            if game.is_continued_by(guild, channel, host, settings):
                _add_latest(latest, [_departure(*player) for player in game.players])
        for other_channel, table in open_tables:
            is_same = _game(guild, other_channel, table, 0).is_continued_by(guild, channel, host, settings)
            if is_same and book_of(table.settings) is Book.PEOPLE:
                _add_latest(latest, [_departure(one.player, one.chips, one.at) for one in table.departures])
                seated |= {seat.player: max(seat.seated_at, seated.get(seat.player, 0)) for seat in table.seats}
        return tuple([one for one in latest.values() if one.chips and one.at > seated.get(one.player, 0)])


def closed_game(address: TableAddress, table: Table) -> ClosedGame | None:
    """Return what is remembered of a table that closes; None where nobody took chips away. Practice chips are free for everybody, and table
    chips end with their game."""
    closed_at = max((one.at for one in table.departures), default=0)
    game = _game(address.guild, address.channel, table, closed_at)
    return game if game.players and book_of(table.settings) is Book.PEOPLE else None


def kept_value(address: TableAddress, table: Table) -> tuple[tuple[str, bytes | None], ...]:
    """Return what is saved with the end of a table: at most one key with its value."""
    game = closed_game(address, table)
    return (CLOSED_GAMES.entry(address.id, game),) if game is not None else ()


def _game(guild: int, channel: int, table: Table, closed_at: int) -> ClosedGame:
    settings = table.settings
    players = tuple([(one.player, one.chips, one.at) for one in table.departures if closed_at < one.at + RATHOLE_MS])
    hosts = tuple({table.opened_by, host_of(table)})
    return ClosedGame(guild, channel, hosts, _game_keys(settings), settings.buy_in_unit, closed_at, players)


def _game_keys(settings: TableSettings) -> tuple[str, ...]:
    cards = [settings.rule_card]
    if settings.rotation is not None:
        cards += [game.rule_card for game in settings.rotation.games]
    return tuple(sorted({card.key.partition("+")[0] for card in cards}))


def _departure(player: int, chips: int, at: int) -> Departure:
    """A departure from an earlier table. At this one the player is new, and owes no blind."""
    return Departure(player, NO_SEAT_NUMBER, chips, at, newcomer=True)


def _add_latest(latest: dict[int, Departure], departures: Sequence[Departure]) -> None:
    for one in departures:
        if one.player not in latest or latest[one.player].at < one.at:
            latest[one.player] = one
