"""Work out how many players one deck can serve.

Laws: P-2, P-3, P-6.
"""

from bot.engine.dealing.decks import DECKS, max_seats_before_betting, max_seats_served
from bot.engine.options.values import DeckKind
from bot.engine.rule_card import RuleCard
from bot.table.settings import SEATS_MAX


def seats_allowed(rule_card: RuleCard, deck: DeckKind) -> int:
    """Return how many seats a host can set: what the game seats, or more where its card leaves that to the deck (P-2, P-3, P-6).

    A card can seat more players than its own deck serves at once if it says what happens when the deck runs out (X-7, VC-5).
    """
    wanted = rule_card.seats_max_on_request or rule_card.seats_max
    if len(DECKS[deck]) < len(DECKS[rule_card.options.deck]) or wanted > rule_card.seats_max:
        wanted = min(wanted, max_seats_served(rule_card, deck))
    return min(SEATS_MAX, wanted, max_seats_before_betting(rule_card, deck))
