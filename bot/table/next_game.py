"""Where a mixed table begins, what the next deal is played by, and whether the button stands still for it.

Source: laws VC-28, VC-29; WSOP-T 67-b.
"""

from msgspec.structs import replace

from bot.engine.mixes import BombWhen, Change
from bot.engine.options import Ante, FirstOpener
from bot.table.settings import TableSettings, playing
from bot.table.state import Mixed, Table

_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def begun(settings: TableSettings, now: int) -> Mixed:
    """Where a table is that begins with these settings. Under dealer's choice a choice is due before the first deal."""
    rotation = settings.rotation
    if rotation is None:
        return Mixed()
    place = next((at for at, game in enumerate(rotation.games) if game.card == settings.card), 0)
    return Mixed(place=place, deals=int(rotation.change is Change.CHOICE), began=now)


def blinds_of(table: Table) -> TableSettings | None:
    """What blinds are owed by: the game that is played, or where it has none the next one of the mixture that has; None without blinds."""
    settings = table.settings
    if settings.options.ante is Ante.BLINDS:
        return settings
    if settings.rotation is None:
        return None
    games, place = settings.rotation.games, table.mixed.place
    coming = (playing(settings, game) for game in (*games[place:], *games[:place]))
    return next((one for one in coming if one.options.ante is Ante.BLINDS), None)


def bomb_is_due(table: Table) -> bool:
    """Tell whether the next deal is a bomb pot: all people who play have asked for one, or a lap has passed since the last (VC-29)."""
    if table.replay is not None:
        return table.replay.bomb  # an exact replay is of the same game (TL-29)
    bomb, players = table.settings.bomb, table.players
    if bomb is None or len(players) > bomb.game.card.seats_max:
        return False
    asked = [seat.player in table.bomb_votes for seat in players if not seat.practice]
    by_lap = bomb.when is BombWhen.LAP and table.since_bomb >= len(players)
    if not by_lap and not (asked and all(asked)):
        return False
    # it is for all who play: where there is no all-in, each of them must be able to pay for it (VB-13)
    entry = playing(table.settings, bomb.game).entry
    return all(seat.stack >= entry for seat in players)


def next_settings(table: Table) -> TableSettings:
    """What the next deal is played by: the table's settings, or the bomb pot's."""
    bomb = table.settings.bomb
    return playing(table.settings, bomb.game) if bomb is not None and bomb_is_due(table) else table.settings


def as_dealt(table: Table) -> Table:
    """The table with the settings of its next deal."""
    settings = next_settings(table)
    return table if settings is table.settings else replace(table, settings=settings)


def button_stands(table: Table) -> bool:
    """Tell whether the button, once advanced, stands still for the next deal: stud at a mixed table, or a bomb pot (VC-28, VC-29)."""
    if bomb_is_due(table):
        return True
    return table.settings.rotation is not None and table.settings.options.first_1 in _BY_CARD
