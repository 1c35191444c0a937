"""The words of a table picture: short enough to be read on a plate, and the description for those who cannot see it."""

from __future__ import annotations

from bot.engine.legal import Decision, LegalActions
from bot.text.language import Message, Plural, message, number, plural, t

# on the plates

FOLDED = message("fold")  # Translators: on the plate of a player who has folded
AWAY = message("away")  # Translators: on the plate of a player who sits out
WAITING = message("waiting")  # Translators: on the plate of a player who waits for the next hand
ALL_IN = message("ALL-IN")
WON = message("+{chips}")
DREW = message("drew {count}")
STOOD_PAT = message("stood pat")
MATCHED = message("matched {chips}")  # Translators: they lost, and put the pot in again for the next hand
ODD_CHIP = message("odd chip")

# on the felt

POT = message("POT")
MAIN_POT = message("Main {chips}")
SIDE_POT = message("Side {chips}")
LETTERED_SIDE_POT = message("Side {letter} {chips}")
BOARD = message("Board {number}")
CHIPS_AT_THE_DEAL = message("chips at the deal · Hand #{number}")
HAND = message("Hand #{number}")
SHARE_HAND = message("{share}: {hand}")
_CARD_CHOICE_HEADINGS: dict[Decision, Plural] = {
    Decision.GIVE_UP: plural("Discard {count} card", "Discard {count} cards"),
    Decision.PASS_CARDS: plural("Pass {count} card", "Pass {count} cards"),
}
_CHOICE_HEADINGS: dict[Decision, Message] = {
    Decision.ARRANGE: message("Arrange the cards"),
    Decision.DECLARE: message("Declare"),
    Decision.RUN_TWICE: message("Once or twice?"),
}
"""What all choose in secret."""

# the description: whole sentences, read aloud one after another

ALT_STREET = message("{street}.")
ALT_BOARD = message("Board: {cards}.")
ALT_BOARD_NUMBER = message("Board {number}: {cards}.")
ALT_POT = message("Pot {chips:,}.")
ALT_TO_ACT = message("{name} to act.")
ALT_ALL_CHOOSE = plural("{count} player is choosing.", "{count} players are choosing.")
ALT_IN = message("In: {names}.")  # Translators: who is in the hand
ALT_NAME_ALL_IN = message("{name} (all-in)")
ALT_COUNT_IN = plural("{count} player in.", "{count} players in.")
ALT_WINS = message("{name} wins {chips:,}.")
ALT_WINS_WITH = message("{name} wins {chips:,} with {hand}.")
ALT_MORE_WINNERS = plural("{count} more wins.", "{count} more win.")
ALT_CANCELLED = message("Hand #{number} was cancelled.")
ALT_NOBODY_WINS = message("Nobody wins.")

# numbers

_THOUSANDS = message("{count:,}k")
_MILLIONS = message("{count:,}M")
_MILLIONS_AND_PART = message(
    "{whole:,}.{part}M"
)  # Translators: 1.23M, with the sign that your language puts before decimals


def short_number(chips: int) -> str:
    """Write chips in few letters: ``9,450``, from 100,000 on ``123k``, from a million on ``1.23M``. What is cut is never rounded up."""
    if chips < 100_000:
        return number(chips)
    if chips < 1_000_000:
        return t(_THOUSANDS, count=chips // 1000)
    whole, rest = divmod(chips, 1_000_000)
    digits = max(0, 3 - len(str(whole)))
    part = f"{rest:06d}"[:digits].rstrip("0")
    return t(_MILLIONS_AND_PART, whole=whole, part=part) if part else t(_MILLIONS, count=whole)


def drew(count: int) -> str:
    """What a seat did at the last draw: ``drew 2``, ``stood pat``."""
    return t(DREW, count=count) if count else t(STOOD_PAT)


def choice_heading(legal: LegalActions) -> str:
    """What all are asked to choose, as a heading: ``Pass 3 cards``; empty for a choice that the street names."""
    if legal.decision in _CARD_CHOICE_HEADINGS:
        return t(_CARD_CHOICE_HEADINGS[legal.decision], count=legal.max_cards)
    if "in" in legal.declarable_words or legal.decision not in _CHOICE_HEADINGS:
        return ""
    return t(_CHOICE_HEADINGS[legal.decision])


def pot_line(index: int, count: int, chips: int) -> str:
    """One of several pots: ``Main 9,450``, ``Side 4,100``, ``Side A 4,100``."""
    written = short_number(chips)
    if not index:
        return t(MAIN_POT, chips=written)
    if count == 2:
        return t(SIDE_POT, chips=written)
    return t(LETTERED_SIDE_POT, letter=chr(ord("A") + index - 1), chips=written)


def capitalised(text: str) -> str:
    """Begin a line of its own with a capital letter: ``Full house, kings full of nines``."""
    return text[:1].upper() + text[1:]
