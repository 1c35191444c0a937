"""Mixed tables: which game comes next and when, dealer's choice, bomb pots, and what openers are asked for after deals passed out.

Source: laws VC-20, VC-28, VC-29; WSOP-T 67-b.
"""

from bot.engine.card import RuleCard
from bot.engine.cards import ACE
from bot.engine.mixes import Change
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.positions import clockwise
from bot.table.state import Status, Table


def game_is_over(table: Table, now: int) -> bool:
    """Tell whether the mixed table goes on to another game before its next deal (VC-28)."""
    rotation, mixed = table.settings.rotation, table.mixed
    if rotation is None or table.running is not None or not mixed.deals:
        return False
    match rotation.change:
        case Change.DEALS:
            return mixed.deals >= rotation.deals
        case Change.LAP:
            return mixed.deals >= mixed.lap
        case Change.TIME:
            return now >= mixed.began + 60_000 * rotation.minutes
        case Change.CHOICE:
            return True


def changes(table: Table, now: int) -> tuple[e.Any, ...]:
    """What a finished game brings by itself: the next one of the rotation, or a question to the one who chooses."""
    rotation, mixed = table.settings.rotation, table.mixed
    if rotation is None or table.status is not Status.OPEN or table.running is not None or table.replay is not None:
        return ()
    if rotation.change is not Change.CHOICE:
        if game_is_over(table, now):
            return (e.GameChanged((mixed.place + 1) % len(rotation.games), now),)
        return ()
    players = [seat.number for seat in table.players]
    if mixed.due and mixed.chooser not in players and players:
        return (_ask(table, players, now),)
    if not mixed.due and game_is_over(table, now) and len(players) >= 2:
        return (_ask(table, players, now),)
    return ()


def _ask(table: Table, players: list[int], now: int) -> e.ChoiceAsked:
    rotation = table.settings.rotation
    assert rotation is not None
    seat = clockwise(players, table.mixed.chooser)[0] if table.mixed.chooser else min(players)
    holder = table.seat(seat)
    waits = 0 if holder is not None and holder.practice else 1000 * rotation.choice_seconds
    return e.ChoiceAsked(seat, now + waits)  # nobody waits for a practice player: the default game is played


def choose_game(table: Table, command: c.ChooseGame, now: int) -> tuple[e.Any, ...]:
    """Rule on the dealer's choice of the next game, before forced bets (VC-28).

    Raises:
        NotSeated, ChooseOneOf, NotYourChoice.
    """
    rotation, mixed = table.settings.rotation, table.mixed
    seat = table.seat_of(command.player)
    if seat is None:
        raise errors.NotSeated(player=command.player)
    if table.running is not None:
        raise errors.HandRunning(law="VC-28", what="choosing the next game")
    names = tuple(game.card.name for game in rotation.games) if rotation is not None else ()
    if rotation is None or not mixed.due:
        raise errors.ChooseOneOf(games=names, chooser=0)
    if seat.number != mixed.chooser:
        raise errors.NotYourChoice(chooser=mixed.chooser)
    if not 0 <= command.place < len(rotation.games):
        raise errors.ChooseOneOf(games=names, chooser=mixed.chooser)
    return (e.GameChanged(command.place, now),)


def choice_left_out(table: Table, now: int) -> tuple[e.GameChanged, ...]:
    """The deal is due and nobody has chosen: the default game is played (VC-28, TL-41)."""
    rotation = table.settings.rotation
    if rotation is None or not table.mixed.due:
        return ()
    return (e.GameChanged(rotation.default, now),)


def vote_bomb(table: Table, command: c.VoteBomb, now: int) -> tuple[e.Any, ...]:
    """Rule on a vote for a bomb pot; it is dealt next when all who play want it (VC-29).

    Raises:
        NotSeated, NoBombPot.
    """
    if table.seat_of(command.player) is None:
        raise errors.NotSeated(player=command.player)
    if table.settings.bomb is None:
        raise errors.NoBombPot
    if (command.player in table.bomb_votes) == command.on:
        return ()
    return (e.BombVoted(command.player, command.on, now),)


def openers_asked(card: RuleCard, passed: int) -> int:
    """The pair that opens after so many deals in a row that nobody could open, -1 where the game asks for none (VC-20).

    A rank higher each time, up to aces; then it stays, or goes down again where the card says so.
    """
    if card.openers is None:
        return -1
    span = ACE - card.openers
    if not card.openers_back or not span:
        return card.openers + min(passed, span)
    at = passed % (2 * span)
    return card.openers + (at if at <= span else 2 * span - at)
