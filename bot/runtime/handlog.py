"""A hand as it was played, told from the journal: for `/hand`.

Source: issue 2 "`/hand` (last hand in words)"; design §6.
"""

from bot.engine import events as e
from bot.engine.evolve import begin, evolve
from bot.engine.hand import Hand
from bot.engine.seeing import view
from bot.engine.view import HandView
from bot.runtime.context import Context
from bot.runtime.decks import deck_of
from bot.runtime.errors import HandUnreadable
from bot.runtime.journal import DealtIn
from bot.runtime.now import Place, Player
from bot.runtime.outcome import HandLog
from bot.runtime.ports import SavedHand
from bot.table.events import HandBegan


def hand_log(context: Context, place: Place, saved: SavedHand, user: int) -> HandLog:
    """Tell a hand as `user` may see it.

    Raises:
        HandUnreadable: the secret its cards came from is lost.
    """
    if saved.started_at <= context.master_since:
        raise HandUnreadable(hand=saved.number)
    happened = tuple(event for event in saved.events if isinstance(event, e.Event))
    started = happened[0]
    assert isinstance(started, e.HandStarted), "a hand begins with HandStarted"
    players: tuple[tuple[int, str], ...] = next((one.players for one in saved.events if isinstance(one, DealtIn)), ())
    seat = next((place for place, (player, _) in enumerate(players) if player == user), None)
    began = next((one for one in saved.events if isinstance(one, HandBegan)), None)
    assert began is not None, "a hand begins at its table"
    hand = begin(started, deck_of(context.master, saved.table, saved.nonce, began, started))
    streets, hand = _streets(hand, happened[1:], seat)
    return HandLog(
        place=place,
        number=saved.number,
        started_at=saved.started_at,
        people={number: Player(*player) for number, player in zip(started.seats, players, strict=False)},
        events=happened,  # type: ignore[arg-type]
        streets=streets,
        view=view(hand, seat),
        mixture=began.mixture,
    )


def _streets(hand: Hand, happened: tuple[e.Event, ...], seat: int | None) -> tuple[tuple[HandView, ...], Hand]:
    """The hand at the end of each interval and each draw that was opened, and at its end."""
    streets: list[HandView] = []
    opened = False
    for event in happened:
        if isinstance(event, e.IntervalOpened):
            opened = True
        elif isinstance(event, e.IntervalClosed | e.PotsPaid) and opened:
            streets.append(view(hand, seat))
            opened = False
        elif isinstance(event, e.DrawClosed):
            streets.append(view(hand, seat))
        hand = evolve(hand, event)
    return tuple(streets), hand
