"""Words that one player alone reads in a hand: their cards, the forms and the private choices."""

from __future__ import annotations

from bot.engine.legal import Decision, LegalActions
from bot.engine.ranking import AT_MOST_TWO, EXACTLY_TWO
from bot.engine.view.types import ShareView
from bot.text.game_words import share_name
from bot.text.language import Message, Plural, message, plural, t

# the cards

DM_HEADING = message("### {table} · {game} · Hand #{number}")
SEAT = message("Seat {number}")
STAKES = message("stakes {stakes}")
YOU_DEAL = message("you are the dealer")
DEALER = message("dealer {name}")
DEALER_BUTTON = message("dealer button at seat {number}")

HEADING = message("My hand #{number}")  # Translators: as the button *My hand* is called
FOLDED = message("You have folded this hand.")
NO_CARDS_NOW = message("You hold no cards now.")
NO_HAND_NOW = message("Your cards come with the next hand.")
NOT_IN_HAND = message("You have no cards in hand #{number}.")
RECEIVED = message("-# From {name}: {cards}")
BOARD = message("Board {cards}")
NUMBERED_BOARD = message("Board {number} {cards}")
HIDDEN_AND_OPEN = message("{hidden}  ·  {open}")
HIDDEN_AND_OPEN_WORDS = message("Hidden: {hidden}. Open: {open}")
STACK = message("-# Your stack {chips:,}")
YOU_ARE_ALL_IN = message("You're all-in")
POT_LINE = message("-# Pot {chips:,}")
POT = message("Pot **{chips:,}**")
POTS = message("Pot **{chips:,}** ({parts})")  # Translators: main 900 · 450 · 120: the main pot, then the side pots
BEHIND = message("**{chips:,}** behind")
PUT_IN = message("**{chips:,}** in")  # Translators: chips that the reader has put in on this street
BET = message("bet {chips:,}")
TO_CALL_ALL_IN = message("{chips:,} to call, all-in")
NO_OPENERS = message("-# You need {ranks} or better to open.")
PANEL_IS_BELOW = message("Your cards are below.")
PANEL_RESTS = message("-# This stops following the hand in a minute. Press **My hand** to go on.")

# before one's turn, where the table holds or binds what is done early

EARLY_CHIPS_ARE_HELD = message("-# You're acting early: chips that you put in now stay in.")
EARLY_ACTIONS_BIND = message("-# Done now, kept for your turn. It lapses if somebody bets or raises. Folding is final.")

# showing after the hand

SHOW_QUESTION = message("Show the table what you had?")
CARDS_STAY_HIDDEN = message("Your cards stay hidden.")

# how the hand ended for its reader

HAND_IS_OVER = message("The hand is over. Here comes the result.")
YOU_WIN = message("**You win {chips:,}.**")
YOU_WIN_WITH = message("**You win {chips:,}** with {hand}.")
YOU_LOSE = message("**You lose {chips:,}.**")
YOU_WIN_BOTH_BOARDS = message("**You win {chips:,}**, both boards: {hands}.")
YOU_WIN_ON_BOARD = message("Board {number}: **you win {chips:,}**.")
YOU_WIN_ON_BOARD_WITH = message("Board {number}: **you win {chips:,}** with {hand}.")
YOU_WIN_NOTHING = message("**You win nothing and lose nothing.**")
YOU_FOLDED = message("You folded.")
YOU_FOLDED_LOSING = message("You folded and lose {chips:,}.")
OTHER_WINS = message("{name} wins {chips:,}.")
OTHER_WINS_WITH = message("{name} wins {chips:,} with {hand}.")
OTHER_WINS_BOTH_BOARDS = message("{name} wins {chips:,}, both boards: {hands}.")
OTHER_WINS_ON_BOARD = message("Board {number}: {name} wins {chips:,}.")
OTHER_WINS_ON_BOARD_WITH = message("Board {number}: {name} wins {chips:,} with {hand}.")
HAND_ON_BOARD = message("{hand} on {number}")

_USE_EXACTLY_TWO = message("Use exactly two of these.")
_USE_AT_MOST_TWO = message("Use at most two of these.")
_USE_ALL_FIVE = message("Use all five of these.")
_SHARE_EXACTLY_TWO = message("For {share}, use exactly two of these.")
_SHARE_AT_MOST_TWO = message("For {share}, use at most two of these.")
_SHARE_ALL_FIVE = message("For {share}, use all five of these.")
_CARDS_THAT_PLAY: dict[tuple[int, int] | None, tuple[Message, Message]] = {
    EXACTLY_TWO: (_USE_EXACTLY_TWO, _SHARE_EXACTLY_TWO),
    AT_MOST_TWO: (_USE_AT_MOST_TWO, _SHARE_AT_MOST_TWO),
    (5, 5): (_USE_ALL_FIVE, _SHARE_ALL_FIVE),
}

# questions and forms

FOLD_QUESTION = message("**Checking is free here.** Fold anyway?")

BET_FORM = message("Bet")
RAISE_FORM = message("Raise")
BET_FIELD = message("Bet")
RAISE_FIELD = message("Raise to")
SIZE_FIELD = message("…or pick a size")
SIZES: dict[str, Message] = {
    "min": message("Minimum · {to:,}"),
    "1/3": message("⅓ pot · {to:,}"),
    "1/2": message("½ pot · {to:,}"),
    "2/3": message("⅔ pot · {to:,}"),
    "3/4": message("¾ pot · {to:,}"),
    "pot": message("Pot · {to:,}"),
    "max": message("Maximum · {to:,}"),
    "all": message("All-in · {to:,}"),
}
"""The sizes of the form, by the word that `bot.text.amounts` reads."""
_BETWEEN_WITH_ALL = message("Write {minimum:,} to {maximum:,}, ½, pot or all.")
_BETWEEN_WITH_MAX = message("Write {minimum:,} to {maximum:,}, ½, pot or max.")

# how cards come

DM_REFUSED = message(
    "I couldn't send you a DM: your privacy settings block it.\nUse **My hand** on the table message. Only you see it."
)
CARDS_IN_PANEL = message("Your cards at {table} are in **My hand**.")
CARDS_COME_IN_PANEL = message(
    "You're playing at {table}. Press **My hand** there to see your cards in each hand.\n"
    "-# *Show my cards* shows them here, now and in the next hands."
)
NOT_DEALT_IN = message("You hold no cards at {table} now. They come here when you're dealt in.")
TABLE_CLOSED = message("This table is closed.")
DMS_ON = message("Your cards will come by DM, and by **My hand** on the table message.")
DMS_OFF = message("No more DMs. **My hand** on the table message shows your cards only to you.")

# the picture of one's own cards

OPEN_CARDS = message("open")  # Translators: above those cards of a player that everybody sees
PICTURE_CARDS = message("Your cards: {cards}.")
PICTURE_OPEN_CARDS = message("Open: {cards}.")
PICTURE_HAND = message("{hand}.")
PICTURE_BOARD_HAND = message("Board {number}: {hand}")

# wild cards

WILD_AT_BEST = message("-# Wild: {cards}")  # Translators: deuce of hearts as king of spades, …
WILD_AT_BEST_FOR = message("-# Wild for {share}: {cards}")

# private choices

_EXPLANATIONS: dict[Decision, Message] = {
    Decision.GIVE_UP: message("-# Discarded face down; you don't get new ones."),
    Decision.PASS_CARDS: message("-# They go to a player on your left when everyone has chosen."),
}
OPENER_WARNING = message("-# You opened. Discarding your openers is announced as splitting them.\n-# Law VC-20")
DECK_IS_SHORT = message("-# The deck is almost used up.")
_CHOOSE_UP_TO = plural("Choose up to {count} card to discard.", "Choose up to {count} cards to discard.")
_CHOOSE: dict[Decision, Plural] = {
    Decision.DRAW: plural("Choose {count} card to discard.", "Choose {count} cards to discard."),
    Decision.GIVE_UP: plural("Choose {count} card to discard.", "Choose {count} cards to discard."),
    Decision.PASS_CARDS: plural("Choose {count} card to pass.", "Choose {count} cards to pass."),
}

ORDER_EXPLAINED = message("-# They are turned up one by one in this order, with betting in between.")
ORDER = message("**Order** {cards}")
TURNED_UP = (
    message("Which card is first?"),
    message("Which card is second?"),
    message("Which card is third?"),
    message("Which card is fourth?"),
    message("Which card is fifth?"),
    message("Which card is sixth?"),
    message("Which card is seventh?"),
    message("Which card is eighth?"),
)
"""The question, by how many cards have been named."""

RUN_TWICE = message("**Deal the rest twice, half the pot each?**")
REVEALED_LATER = message("-# It's revealed when everyone has chosen.")

BEFORE_SHOW = message("**Before you show**: choose what your wild cards stand for.")
_UNNAMED = message("-# A wild card that you don't name counts as its face value.")
_UNNAMED_JOKER = message("-# A wild card that you don't name counts as its face value, a joker less than a deuce.")
ACES_BEFORE_SHOW = message("**Before you show**: choose how your aces count.")
STANDS_FOR = message("The {card} stands for…")
MEANS_NOTHING_YET = message("{card} as …")
MEANS_ITSELF = message("{card} as its face value")
FACE_VALUE = message("its face value")
ACES = message("-# Aces count high or low for both halves, as you declare.\n-# Law LO-3")


def unnamed_wild_cards(*, joker: bool) -> str:
    """What a wild card counts as that its holder does not name (W-7); `joker`: a joker is among them."""
    return t(_UNNAMED_JOKER if joker else _UNNAMED)


def cards_that_play(shares: tuple[ShareView, ...]) -> str:
    """How many own cards play, where the game says so: ``Use exactly two of these.``"""
    rules = [(share.name, share.ranking.from_hole) for share in shares]
    if len({rule for _, rule in rules}) == 1:
        known = _CARDS_THAT_PLAY.get(rules[0][1])
        return t(known[0]) if known is not None else ""
    return " ".join(
        [t(_CARDS_THAT_PLAY[rule][1], share=share_name(name)) for name, rule in rules if rule in _CARDS_THAT_PLAY]
    )


def bet_hint(legal: LegalActions, *, all_in: bool) -> str:
    """What can be written into the form for an amount."""
    return t(_BETWEEN_WITH_ALL if all_in else _BETWEEN_WITH_MAX, minimum=legal.min_to, maximum=legal.max_to)


def choice_explanation(decision: Decision) -> str:
    """What becomes of the chosen cards; empty where everyone knows."""
    known = _EXPLANATIONS.get(decision)
    return t(known) if known is not None else ""


def choose_cards(decision: Decision, minimum: int, maximum: int) -> str:
    """How many cards can be chosen: ``Choose up to 3 cards to discard.``, ``Choose 2 cards to pass.``"""
    return t(_CHOOSE_UP_TO if minimum < maximum else _CHOOSE[decision], count=maximum)
