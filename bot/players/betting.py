"""Bets, calls and raises of a practice player: hand strength against the price of going on, a temperament, and some bluffs."""

from random import Random

from bot.engine import commands as c
from bot.engine.legal import Legal
from bot.engine.view import HandView
from bot.players.strength import rivals_reckoned_with, strength
from bot.players.temper import Temper

_RAISES = frozenset({"bet", "raise", "complete"})


def bet(view: HandView, may: Legal, temper: Temper, rng: Random) -> c.Command:
    """What to do at a turn to bet."""
    against = rivals_reckoned_with(view)
    fair = 1 / (against + 1)
    chance = strength(view, rng) - _respect(view, may, temper)
    if view.equalising:  # the stake is made equal before the draw, or the hand dropped
        return c.Call() if may.call and chance > 0.8 * may.call / (may.pot + may.call) else c.Fold()
    if may.bring_in and chance < 1.4 * fair:
        return c.Bet(may.bring_in)
    if may.owe > 0 or not may.check:
        return _facing_a_bet(view, may, temper, rng, chance, fair)
    wants = chance > fair * (1.45 - 0.35 * temper.bold) and rng.random() < 0.45 + 0.5 * temper.bold
    bluff = not wants and against <= 2 and rng.random() < temper.bluffs * _lateness(view)
    if may.max_to and (wants or bluff):
        return _wager(view, may, rng, chance=chance, fair=fair)
    return c.Check()


def _facing_a_bet(
    view: HandView, may: Legal, temper: Temper, rng: Random, chance: float, fair: float
) -> c.Command:  # fmt: skip
    price = may.call / (may.pot + may.call) if may.call else 1.0
    raises = sum(action.verb in _RAISES for action in view.actions)
    strong = chance > max(fair * (1.9 - 0.4 * temper.bold), price + 0.08)
    if may.max_to and strong and rng.random() < (0.3 + 0.6 * temper.bold) / (1 + 0.5 * max(0, raises - 1)):
        return _wager(view, may, rng, chance=chance, fair=fair)
    if may.call and chance > price * (1.12 - 0.25 * temper.loose):
        return c.Call()
    cheap = may.call and may.call * 12 < may.stack and raises <= 1
    if may.max_to and cheap and rng.random() < temper.bluffs * 0.35 * _lateness(view):
        return _wager(view, may, rng, chance=chance, fair=fair)
    if may.fold:
        return c.Fold()
    return _forced(may)


def _forced(may: Legal) -> c.Command:
    """Where neither folding nor checking is allowed: the least that goes in."""
    if may.check:
        return c.Check()
    return c.Bet(may.bring_in or may.min_to) if may.max_to or may.bring_in else c.Call()


def _respect(view: HandView, may: Legal, temper: Temper) -> float:
    """What to take off one's chance because somebody bets: who bets much has more than a random hand."""
    if not may.owe:
        return 0.0
    blinds_only = not any(action.verb in _RAISES for action in view.actions)
    if blinds_only:
        return 0.02 * (1 - temper.loose)
    size = min(1.5, may.owe / max(1, may.pot - may.owe))
    raises = sum(action.verb in _RAISES for action in view.actions)
    return (0.05 + 0.07 * size + 0.05 * (raises - 1)) * (1.2 - 0.5 * temper.loose)


def _lateness(view: HandView) -> float:
    """How late one speaks, from 0.4 (first) to 1.6 (last): bluffs are better with position."""
    assert view.viewer is not None
    return 0.4 + 1.2 * view.viewer / max(1, len(view.seats) - 1)


def _wager(view: HandView, may: Legal, rng: Random, *, chance: float, fair: float) -> c.Command:
    """A bet or raise of a part of the pot, the larger the better the hand; all-in when little would be left behind."""
    part = rng.choice((0.4, 0.5, 0.66, 0.75, 1.0)) * (0.8 + 0.4 * min(1.0, max(0.0, chance - fair) / (1 - fair)))
    to = may.level + round(part * (may.pot + may.owe))
    to = max(may.min_to, min(may.max_to, to))
    own = view.seats[may.seat].bet
    if may.min_to < to < may.max_to:
        to = max(may.min_to, _rounded(to, may.min_to))
    if to - own > 0.6 * may.stack and chance > 1.3 * fair:
        to = may.max_to
    return c.Bet(to) if may.opening else c.RaiseTo(to)


def _rounded(to: int, least: int) -> int:
    """Round down to what a person would say: multiples of half the leading unit of the least bet."""
    unit = max(1, int(10 ** (len(str(least)) - 1)) // 2)
    return to // unit * unit
