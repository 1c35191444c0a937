"""The settings that the next hand of a mixed table is played by, and whether the button stands still for it.

Laws: VC-28, VC-29; WSOP-T 67-b.
"""

from msgspec.structs import replace

from bot.engine.mixes import BombPotTrigger, RotationChange
from bot.engine.options.values import Ante, FirstOpener
from bot.table.settings import TableSettings, settings_for_game
from bot.table.state import RotationState, Table

_OPENED_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def initial_rotation_state(settings: TableSettings, now: int) -> RotationState:
    """Return where a table with these settings begins. Under dealer's choice a choice is due before the first hand."""
    rotation = settings.rotation
    if rotation is None:
        return RotationState()
    games = [game.rule_card for game in rotation.games]
    return RotationState(
        game_index=games.index(settings.rule_card) if settings.rule_card in games else 0,
        hands_dealt=int(rotation.change is RotationChange.DEALERS_CHOICE),
        began_at=now,
    )


def settings_for_blinds(table: Table) -> TableSettings | None:
    """Return the settings whose blinds missed blinds count in: the current game's, else the next game's with blinds.

    None when no game of the table has blinds.
    """
    settings = table.settings
    if settings.options.ante is Ante.BLINDS:
        return settings
    if settings.rotation is None:
        return None
    games, game_index = settings.rotation.games, table.rotation_state.game_index
    for game in (*games[game_index:], *games[:game_index]):
        if game.options.ante is Ante.BLINDS:
            return settings_for_game(settings, game)
    return None


def bomb_pot_is_due(table: Table) -> bool:
    """Tell whether the next hand is a bomb pot: everyone who plays has voted for one, or a lap has passed since the last (VC-29).

    A replay is of the same game as the hand it replays (TL-29). Where there is no all-in, each player must be able to pay for it (VB-13).
    """
    if table.replay is not None:
        return table.replay.bomb_pot
    bomb_pot, players = table.settings.bomb_pot, table.seats_for_next_hand
    if bomb_pot is None or len(players) > bomb_pot.game.rule_card.seats_max:
        return False
    votes = [seat.player in table.bomb_pot_votes for seat in players if not seat.practice]
    all_voted = bool(votes) and all(votes)
    lap_passed = bomb_pot.trigger is BombPotTrigger.LAP and table.hands_since_bomb_pot >= len(players)
    if not (all_voted or lap_passed):
        return False
    forced_chips = settings_for_game(table.settings, bomb_pot.game).forced_chips
    return all(seat.stack >= forced_chips for seat in players)


def next_hand_settings(table: Table) -> TableSettings:
    """Return the settings of the next hand: the table's, or the bomb pot's."""
    bomb_pot = table.settings.bomb_pot
    if bomb_pot is None or not bomb_pot_is_due(table):
        return table.settings
    return settings_for_game(table.settings, bomb_pot.game)


def with_next_hand_settings(table: Table) -> Table:
    """Return the table with the settings of its next hand."""
    settings = next_hand_settings(table)
    return table if settings is table.settings else replace(table, settings=settings)


def button_stands_still(table: Table) -> bool:
    """Tell whether the button, once it has moved, stands still: for stud at a mixed table, and for a bomb pot (VC-28, VC-29)."""
    if bomb_pot_is_due(table):
        return True
    return table.settings.rotation is not None and table.settings.options.first_1 in _OPENED_BY_CARD
