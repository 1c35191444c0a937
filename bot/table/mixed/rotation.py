"""Mixed tables: which game comes next and when, dealer's choice, votes for bomb pots, and the openers needed after passed-out hands.

Laws: VC-20, VC-28, VC-29.
"""

from collections.abc import Sequence

from bot.engine.customs import Openers
from bot.engine.mixes import RotationChange
from bot.engine.rule_card import RuleCard
from bot.engine.units import SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.positions import clockwise
from bot.table.queries import require_seat
from bot.table.state import Table, TableStatus


def game_change_is_due(table: Table, now: int) -> bool:
    """Tell whether a mixed table goes on to another game before its next hand (VC-28)."""
    rotation, state = table.settings.rotation, table.rotation_state
    if rotation is None or table.running_hand is not None or not state.hands_dealt:
        return False
    match rotation.change:
        case RotationChange.HANDS:
            return state.hands_dealt >= rotation.hands
        case RotationChange.LAP:
            return state.hands_dealt >= state.hands_per_lap
        case RotationChange.TIME:
            return now >= state.began_at + 60_000 * rotation.minutes
        case RotationChange.DEALERS_CHOICE:
            return True


def next_game_events(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """Return what follows when a game is over: the next one of the rotation, or a question to the player who chooses (VC-28)."""
    rotation, state = table.settings.rotation, table.rotation_state
    if rotation is None or table.status is not TableStatus.OPEN:
        return ()
    if table.running_hand is not None or table.replay is not None:
        return ()
    if rotation.change is not RotationChange.DEALERS_CHOICE:
        if game_change_is_due(table, now):
            return (e.GameChanged((state.game_index + 1) % len(rotation.games), now),)
        return ()
    players = tuple(seat.number for seat in table.seats_for_next_hand)
    if state.choice_due_at:
        chooser_left = bool(players) and state.chooser_seat not in players
        return (_request_game_choice(table, players, now),) if chooser_left else ()
    if game_change_is_due(table, now) and len(players) >= 2:
        return (_request_game_choice(table, players, now),)
    return ()


def _request_game_choice(table: Table, players: Sequence[SeatNumber], now: int) -> e.GameChoiceRequested:
    """Ask the next player clockwise. Nobody waits for a practice player: the default game is played."""
    rotation, chooser = table.settings.rotation, table.rotation_state.chooser_seat
    assert rotation is not None, "a table of one game"
    number = clockwise(players, chooser)[0] if chooser else min(players)
    seat = table.seat(number)
    waits = seat is None or not seat.practice
    return e.GameChoiceRequested(number, now + (table.settings.choice_ms(rotation.choice_seconds) if waits else 0))


def choose_game(table: Table, command: c.ChooseGame, now: int) -> tuple[e.TableEvent, ...]:
    """Rule on a dealer's choice of the next game. It is made before forced bets (VC-28).

    Raises:
        NotSeated, HandRunning, NoGameChoiceNow, NotYourGameChoice, InvalidGameChoice.
    """
    rotation, state = table.settings.rotation, table.rotation_state
    seat = require_seat(table, command.player)
    if table.running_hand is not None:
        raise refusals.HandRunning(law="VC-28")
    names = tuple(game.rule_card.name for game in rotation.games) if rotation is not None else ()
    if rotation is None or not state.choice_due_at:
        raise refusals.NoGameChoiceNow
    if seat.number != state.chooser_seat:
        raise refusals.NotYourGameChoice(chooser_seat=state.chooser_seat)
    if not 0 <= command.game_index < len(rotation.games):
        raise refusals.InvalidGameChoice(games=names)
    return (e.GameChanged(command.game_index, now),)


def default_game_choice(table: Table, now: int) -> tuple[e.GameChanged, ...]:
    """If nobody has chosen when the hand is due, the default game is played (VC-28, TL-41)."""
    rotation = table.settings.rotation
    if rotation is None or not table.rotation_state.choice_due_at:
        return ()
    return (e.GameChanged(rotation.default_game_index, now),)


def vote_for_bomb_pot(table: Table, command: c.VoteForBombPot, now: int) -> tuple[e.TableEvent, ...]:
    """Rule on a vote for a bomb pot. It is dealt next when everyone who plays wants it (VC-29).

    Raises:
        NotSeated, NoBombPot.
    """
    require_seat(table, command.player)
    if table.settings.bomb_pot is None:
        raise refusals.NoBombPot
    if (command.player in table.bomb_pot_votes) == command.wanted:
        return ()
    return (e.BombPotVoted(command.player, command.wanted, now),)


def required_openers(rule_card: RuleCard, passed_out_hands: int) -> int:
    """Return the rank of the pair that opens after so many passed-out hands in a row; -1 if the game needs no openers (VC-20)."""
    openers = rule_card.custom(Openers)
    return openers.rank_after(passed_out_hands) if openers is not None else -1
