"""What is wrong with a rule card that a file brings, in words."""

from __future__ import annotations

from bot.history.validate_card import CardFault, CardFaultKind
from bot.text import escape
from bot.text.language import Message, message, t

CARD_FAULTS: dict[CardFaultKind, Message] = {
    CardFaultKind.TEXT_LENGTH: message("“{where}” needs 1 to {maximum} letters"),
    CardFaultKind.NOT_A_RANK: message(
        "“{where}” is {value}, which isn't a rank; ranks go from 0, a deuce, to 12, an ace"
    ),
    CardFaultKind.BOARDS: message("a game has one board or two, not {value}"),
    CardFaultKind.UNKNOWN_AMOUNT: message("no amount is called “{where}”"),
    CardFaultKind.NOT_A_WILD_CARD: message("“{where}” names a wild card that is in no deck"),
    CardFaultKind.STEP_COUNT: message("a game has 1 to {maximum} steps, not {value}"),
    CardFaultKind.LAST_STEP: message("the last step has to be the showdown"),
    CardFaultKind.SEVERAL_SHOWDOWNS: message("there can be only one showdown"),
    CardFaultKind.FORCED_BETS: message("the forced bets have to be the first step, and come only once"),
    CardFaultKind.TOO_MANY_DRAWS: message("a game has at most {maximum} draws"),
    CardFaultKind.CARD_COUNT: message("step {step} needs a number of cards from 1 to {maximum}"),
    CardFaultKind.WORDS_TO_DECLARE: message(
        "step {step} needs two words or more to choose from, with the default among them"
    ),
    CardFaultKind.STREET_NAME: message("the street of step {step} needs a name"),
    CardFaultKind.SEATS_TO_LEFT: message("step {step} can't pass cards {value} seats to the left"),
    CardFaultKind.NO_CARDS_HELD: message("nobody has cards at step {step}"),
    CardFaultKind.TOO_FEW_CARDS_HELD: message("step {step} passes {value} cards, but players have {maximum}"),
    CardFaultKind.UNRANKABLE: message("{value} hole cards and {maximum} on the board can't be ranked"),
    CardFaultKind.SHARES: message("a pot has one share, or two with different names"),
    CardFaultKind.RANKS: message("“{where}” needs five ranks or more, from the lowest up"),
    CardFaultKind.HAND_SIZE: message("a hand for “{where}” has 2 to 5 cards, not {value}"),
    CardFaultKind.BADUGI_SIZE: message("“{where}” is a badugi, which has only its usual size"),
    CardFaultKind.QUALIFIER: message("“{where}” can't have a qualifier: only a five-card low has one"),
    CardFaultKind.HOLE_CARDS_PLAYED: message(
        "the hole cards played for “{where}” have to be at most five, and one or more"
    ),
    CardFaultKind.SEAT_COUNT: message("the game is for {value} to {maximum} players, and only 2 to 14 can play"),
    CardFaultKind.NO_CARD_SHOWING: message("a card showing opens the betting, but none is dealt up before it"),
    CardFaultKind.DECK_TOO_SMALL: message("a deck of {value} cards is too small for {maximum} players"),
}
"""Every fault of a rule card."""


def card_fault(fault: CardFault) -> str:
    """What is wrong with a rule card, as the end of a sentence."""
    values = {
        "where": escape.text(fault.where, 60),
        "step": fault.step,
        "value": fault.value,
        "maximum": fault.maximum,
    }
    return t(CARD_FAULTS[fault.kind], **values)
