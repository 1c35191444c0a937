"""Choose a practice player's bets: they weigh the strength of the hand, the price of going on and the personality, and sometimes bluff."""

from random import Random

from bot.engine import commands as c
from bot.engine.legal import LegalActions
from bot.engine.view.types import ActionVerb, HandView
from bot.players.personality import Personality
from bot.players.strength import expected_pot_share, opponents_counted

_RAISES = frozenset({ActionVerb.BET, ActionVerb.RAISE, ActionVerb.COMPLETE})


def choose_betting_action(view: HandView, legal: LegalActions, personality: Personality, rng: Random) -> c.HandCommand:
    """Choose an action at a turn to bet."""
    against = opponents_counted(view)
    fair = 1 / (against + 1)
    chance = expected_pot_share(view, rng) - _discount_for_bets(view, legal, personality)
    if view.equalising:  # the player calls what is missing before the draw, or folds
        return (
            c.Call()
            if legal.call_chips and chance > 0.8 * legal.call_chips / (legal.pot + legal.call_chips)
            else c.Fold()
        )
    if legal.bring_in and chance < 1.4 * fair:
        return c.Bet(legal.bring_in)
    if legal.to_call > 0 or not legal.check:
        return _facing_a_bet(view, legal, personality, rng, chance, fair)
    value_bet = chance > fair * (1.45 - 0.35 * personality.bold) and rng.random() < 0.45 + 0.5 * personality.bold
    bluff = not value_bet and against <= 2 and rng.random() < personality.bluffs * _position_factor(view)
    if legal.max_to and (value_bet or bluff):
        return _bet_or_raise(view, legal, rng, chance=chance, fair=fair)
    return c.Check()


def _facing_a_bet(
    view: HandView, legal: LegalActions, personality: Personality, rng: Random, chance: float, fair: float
) -> c.HandCommand:  # fmt: skip
    price = legal.call_chips / (legal.pot + legal.call_chips) if legal.call_chips else 1.0
    raises = sum(action.verb in _RAISES for action in view.street_actions)
    strong = chance > max(fair * (1.9 - 0.4 * personality.bold), price + 0.08)
    if legal.max_to and strong and rng.random() < (0.3 + 0.6 * personality.bold) / (1 + 0.5 * max(0, raises - 1)):
        return _bet_or_raise(view, legal, rng, chance=chance, fair=fair)
    if legal.call_chips and chance > price * (1.12 - 0.25 * personality.loose):
        return c.Call()
    cheap = legal.call_chips and legal.call_chips * 12 < legal.stack and raises <= 1
    if legal.max_to and cheap and rng.random() < personality.bluffs * 0.35 * _position_factor(view):
        return _bet_or_raise(view, legal, rng, chance=chance, fair=fair)
    if legal.fold:
        return c.Fold()
    return _forced_action(legal)


def _forced_action(legal: LegalActions) -> c.HandCommand:
    """Return the smallest action, where neither folding nor checking is allowed."""
    if legal.check:
        return c.Check()
    return c.Bet(legal.bring_in or legal.min_to) if legal.max_to or legal.bring_in else c.Call()


def _discount_for_bets(view: HandView, legal: LegalActions, personality: Personality) -> float:
    """Return what to take off the chance because somebody bets: a player who bets much has more than a random hand."""
    if not legal.to_call:
        return 0.0
    blinds_only = not any(action.verb in _RAISES for action in view.street_actions)
    if blinds_only:
        return 0.02 * (1 - personality.loose)
    size = min(1.5, legal.to_call / max(1, legal.pot - legal.to_call))
    raises = sum(action.verb in _RAISES for action in view.street_actions)
    return (0.05 + 0.07 * size + 0.05 * (raises - 1)) * (1.2 - 0.5 * personality.loose)


def _position_factor(view: HandView) -> float:
    """Return how late the player acts, from 0.4 (first) to 1.6 (last): bluffs are better with position."""
    assert view.viewer is not None
    return 0.4 + 1.2 * view.viewer / max(1, len(view.seats) - 1)


def _bet_or_raise(view: HandView, legal: LegalActions, rng: Random, *, chance: float, fair: float) -> c.HandCommand:
    """Bet or raise a part of the pot, larger with a better hand; all-in when little would be left behind."""
    part = rng.choice((0.4, 0.5, 0.66, 0.75, 1.0)) * (0.8 + 0.4 * min(1.0, max(0.0, chance - fair) / (1 - fair)))
    to = legal.current_bet + round(part * (legal.pot + legal.to_call))
    to = max(legal.min_to, min(legal.max_to, to))
    own = view.seats[legal.seat].bet
    if legal.min_to < to < legal.max_to:
        to = legal.min_to if legal.two_sizes else max(legal.min_to, _round_down(to, legal.min_to))
    if to - own > 0.6 * legal.stack and chance > 1.3 * fair:
        to = legal.max_to
    return c.Bet(to) if legal.opening else c.RaiseTo(to)


def _round_down(to: int, minimum: int) -> int:
    """Round down to an amount that people would bet: a multiple of half the leading unit of the minimum bet."""
    unit = max(1, int(10 ** (len(str(minimum)) - 1)) // 2)
    return to // unit * unit
