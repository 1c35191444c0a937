"""What the buttons at a table ask for, the bet sizes they offer, and the labels of a hand's buttons and of those that several pages share.

A label is at most 24 characters long in English, so that a phone shows all of it; it carries the amount that will happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from bot.engine.legal import Decision, LegalActions
from bot.engine.options.values import Limit
from bot.table.settings import USUAL_RAISE_SIZES, RaiseSize
from bot.text.language import Message, Plural, message, plural, t


class Verb(StrEnum):
    """What a click at a table asks for. The values stand in ids on old messages, so they never change."""

    # on the player's turn; the amount of a call, bet or raise is what the label says
    FOLD = "fold"
    FOLD_ANYWAY = "foldanyway"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "allin"
    OPEN_BET_FORM = "size"  # opens the form
    STRADDLE = "straddle"
    DECLINE = "decline"
    ACCEPT = "accept"
    OPEN_CHOICE = "discards"  # opens the private choice
    CARDS_MARKED = "chosen"  # a select of cards, on messages of earlier versions
    MARK = "mark"  # a card as a toggle; the amount holds the cards that are marked after it
    DISCARD = "draw"
    STAND_PAT = "pat"
    OPEN_DECLARATION = "declare"  # opens the private choice
    DECLARE_WORD = "word"  # the word chosen, by its number
    NEXT_IN_ORDER = "order"  # the next card to be turned up; the amount holds those named before
    ARRANGE = "arrange"  # that order is final
    WILD_RANK = "meaning"  # the rank that a wild card stands for; the amount holds what was chosen before
    WILD_SUIT = "settled"  # the suit, which completes a wild card's meaning
    SHOW = "show"
    SHOW_CARD = "showcard"  # one card after the hand: the amount is its number among the player's own, from 1
    SHOW_NONE = "shownone"
    MUCK = "muck"
    # ahead of the turn, on private messages only; the amount of the call is what the label says
    PRESELECT_CHECK_OR_FOLD = "precheck"
    PRESELECT_CALL = "precall"
    PRESELECT_FOLD = "predrop"
    PRESELECT_FOLD_ANYWAY = "predropany"
    PRESELECT_CALL_UP_TO = "preupto"  # opens the form for the most chips
    PRESELECT_CHECK_DOWN = "precheckdown"
    CLEAR_PRESELECTION = "preclear"
    # any time
    MY_HAND = "peek"
    TIME_BANK = "time"
    SIT = "sit"
    SEAT = "seat"  # the select "Choose a seat number…"
    BUY_IN = "buyin"  # opens the form
    REBUY = "rebuy"  # the amount is what the label says
    TOP_UP = "topup"
    PLAY_ON = "playon"  # takes what the house gives and buys in with it; the amount is what the label says
    LOWER_TABLE = "lower"
    WATCH = "watch"  # leaves the seat, and looks on
    MENU = "menu"  # what the presser can do at the table
    BOOK = "book"
    GRANT_REBUY = "grantrebuy"  # the amount is the user who asks
    REFUSE_REBUY = "refuserebuy"
    LEAVE = "leave"
    SIT_OUT = "sitout"
    BACK = "back"
    POST = "post"
    WAIT = "wait"
    BUY_BUTTON = "buybutton"
    WAITING_LIST = "queue"
    LEAVE_WAITING_LIST = "unqueue"
    DEAL = "deal"
    ASK_FOR_BREAK = "break"
    END_BREAK = "endbreak"
    AGREE = "agree"
    OBJECT = "object"
    RULES = "rules"
    SETTINGS = "settings"
    # the ceremonies of the deal and the seats
    CUT = "cut"  # opens the form
    SHUFFLE = "shuffle"
    CUT_FOR_DEAL = "lot"  # cut for the first deal; opens the form
    DRAW_FOR_DEAL = "drawdeal"
    CHOOSE_GAME = "game"  # the select of dealer's choice
    BOMB_POT = "bomb"
    MISDEAL = "misdeal"
    EXCHANGE = "exchange"  # the amount is the seat number of the player who asked
    CLOSE = "close"  # asks first; with an amount, it closes the table
    DM_OFF = "dmoff"
    DM_ON = "dmon"
    SHOW_IN_DM = "mycards"  # in the direct message that says that the cards are in the panel
    SHOW_HERE = "here"
    INVITE = "invite"  # opens the select of people; with values, invites them
    ADD_PRACTICE_PLAYER = "addpractice"
    HOLD_SEAT = "holdseat"  # opens the selects of a seat and a person; the amount is the seat, 0 for any; with a value, holds it
    SEAT_TO_HOLD = "seattohold"  # the select of the seat
    KEEP_OUT = "keepout"  # opens the select of players; with a value, removes that one


FOLD = message("Fold")
CHECK = message("Check")
STAND = message("Stand")
CHECK_OR_FOLD = message("Check / fold")
CALL_UP_TO = message("Call up to…")
CHECK_DOWN = message("Check it down")
CALL = message("Call {chips:,}")
CALL_ALL_IN = message("Call all-in {chips:,}")
BRING_IN = message("Open for {to:,}")
BET = message("Bet {to:,}")
RAISE = message("Raise to {to:,}")
COMPLETE = message("Complete to {to:,}")
OPEN = message("Open for {to:,}")
OPEN_BET_FORM = message("Bet…")
OPEN_RAISE_FORM = message("Raise…")
OPEN_OPENING_FORM = message("Open…")
OF_POT: dict[RaiseSize, Message] = {
    RaiseSize.THIRD: message("⅓ pot {to:,}"),
    RaiseSize.HALF: message("½ pot {to:,}"),
    RaiseSize.TWO_THIRDS: message("⅔ pot {to:,}"),
    RaiseSize.THREE_QUARTERS: message("¾ pot {to:,}"),
    RaiseSize.POT: message("Pot {to:,}"),
}
MAXIMUM = message("Max {to:,}")
ALL_IN = message("All-in {to:,}")
MY_HAND = message("My hand")
TAKE_A_SEAT = message("Take a seat")
FOLD_ANYWAY = message("Fold anyway")
CLEAR = message("Clear")

CHOOSE_DISCARDS = message("Choose discards")
STAND_PAT = message("Stand pat")
ARRANGE = message("Arrange cards…")
DECLARE = message("Declare…")
STRADDLE = message("Straddle {chips:,}")
NO_STRADDLE = message("No straddle")
PAY = message("Pay {chips:,}")
TURN_UP = message("Turn it up")
KEEP_DOWN = message("Keep it down")
SHOW = message("Show")
OPEN_SHOW = message("Show…")
MUCK = message("Muck")

SHOW_MY_CARDS = message("Show my cards")
SHOW_ONE_CARD = message("Show {card}")  # Translators: the card is a rank beside its picture, or a sign such as A♥
SHOW_BOTH = message("Show both")
SHOW_ALL = message("Show all")
SHOW_NONE = message("Show none")
BACK = message("I'm back")
STAY = message("Stay")
SIT_OUT = message("Sit out")
LEAVE = message("Leave")
BUY_IN = message("Buy-in…")

GO_TO_TABLE = message("Go to table")
STOP_DMS = message("Stop sending DMs")
SEND_DMS_AGAIN = message("Send DMs again")

KEEP_ORDER = message("Keep this order")
AS_DEALT = message("As they were dealt")
OBJECT = message("Object")
BOMB_POT = message("Bomb pot")
START_OVER = message("Start over")
MARKED = message("✓ {card}")  # Translators: a card that is chosen, on its button
BEST_HAND = message("Show best hand")
SHOW_LIKE_THIS = message("Show like this")
SHOW_WITH_WORD = message("{show}, {word}")
OF_SUIT = message("of {suit}")

SHOW_HERE = message("Show here")
PREVIOUS = message("‹ Prev")
PAGE = message("{number} / {count}")
NEXT = message("Next ›")

_OPEN_CHOICE: dict[Decision, Plural] = {
    Decision.GIVE_UP: plural("Discard {count} card…", "Discard {count} cards…"),
    Decision.PASS_CARDS: plural("Pass {count} card…", "Pass {count} cards…"),
}
_DO_CHOICE: dict[Decision, Plural] = {
    Decision.DRAW: plural("Draw {count}", "Draw {count}"),
    Decision.GIVE_UP: plural("Discard {count}", "Discard {count}"),
    Decision.PASS_CARDS: plural("Pass {count}", "Pass {count}"),
}


def call_label(legal: LegalActions) -> str:
    """The button that calls: ``Call 1,025``, ``Call all-in 640``."""
    return t(CALL_ALL_IN if legal.call_all_in else CALL, chips=legal.call_chips)


def open_choice_label(decision: Decision, count: int) -> str:
    """The button that opens a choice of cards: ``Pass 3 cards…``."""
    return t(_OPEN_CHOICE[decision], count=count)


def do_choice_label(decision: Decision, count: int) -> str:
    """The button that carries a choice of cards out: ``Draw 3``."""
    return t(_DO_CHOICE[decision], count=count)


def bet_wording(legal: LegalActions) -> Message:
    """The button for one size: a bet, a raise, a completion (VC-5), or the opening over a forced stake that nobody can call (L-4)."""
    if legal.completes:
        return COMPLETE
    if legal.to_call and not legal.call_chips:
        return OPEN
    return BET if legal.opening else RAISE


def bet_form_wording(legal: LegalActions) -> Message:
    """The button that opens the form for an amount."""
    if legal.to_call and not legal.call_chips:
        return OPEN_OPENING_FORM
    return OPEN_BET_FORM if legal.opening else OPEN_RAISE_FORM


class BetSizes(Struct, frozen=True, gc=False):
    """The sizes that a seat can choose, as street totals in chips (TL-2, TL-19); 0 where a size does not apply.

    Attributes:
        fixed: the only size there is (limit play), when it is not all-in; the smaller one where there are two.
        fixed_larger: the larger one of two sizes, when it is not all-in (VC-5).
        of_pot: the parts of the pot that the table offers, as far as they lie within the limits, no total twice; the smallest first. The
            whole pot can be the maximum.
        maximum: the largest size, when it is neither the pot nor all-in (a stake limit).
        all_in: the whole stack, when the betting allows it.
        has_range: there is a range to choose from, so that a form makes sense.
    """

    fixed: int = 0
    fixed_larger: int = 0
    of_pot: tuple[tuple[RaiseSize, int], ...] = ()
    maximum: int = 0
    all_in: int = 0
    has_range: bool = False


_PARTS: dict[RaiseSize, tuple[int, int]] = {
    RaiseSize.THIRD: (1, 3),
    RaiseSize.HALF: (1, 2),
    RaiseSize.TWO_THIRDS: (2, 3),
    RaiseSize.THREE_QUARTERS: (3, 4),
    RaiseSize.POT: (1, 1),
}


def part_of_pot_total(legal: LegalActions, over: int, under: int) -> int:
    """A bet or raise of a part of the pot, as a street total: the current bet and that part of everything in the middle after the call
    (TL-19). A part of a chip is left out."""
    return legal.current_bet + (legal.pot + legal.to_call) * over // under


def all_in_total(legal: LegalActions) -> int:
    """The seat's whole stack, as a street total."""
    return legal.current_bet - legal.to_call + legal.stack


def bet_sizes(legal: LegalActions, limit: str = "", offered: Sequence[RaiseSize] = USUAL_RAISE_SIZES) -> BetSizes:
    """Work out what to offer; nothing when the seat can neither bet nor raise.

    Args:
        limit: the view's. Under pot-limit the largest bet is the pot, with dead and short blinds counted as TL-19 says.
        offered: the parts of the pot that the table offers, the smallest first. Under pot-limit the pot is always offered.
    """
    if not legal.max_to:
        return BetSizes()
    everything = all_in_total(legal)
    all_in = everything if everything == legal.max_to else 0
    if legal.min_to == legal.max_to:
        return BetSizes(fixed=0 if all_in else legal.max_to, all_in=all_in)
    if legal.two_sizes:
        return BetSizes(fixed=legal.min_to, fixed_larger=0 if all_in else legal.max_to, all_in=all_in)
    ends_with_pot = limit == Limit.POT_LIMIT and not all_in
    found: dict[int, RaiseSize] = {}
    for size in (*offered, RaiseSize.POT) if ends_with_pot else offered:
        is_pot = size is RaiseSize.POT
        to = legal.max_to if ends_with_pot and is_pot else part_of_pot_total(legal, *_PARTS[size])
        if legal.min_to <= to <= legal.max_to and to != all_in and (is_pot or to < legal.max_to):
            found.setdefault(to, size)
    return BetSizes(
        of_pot=tuple([(size, to) for to, size in found.items()]),
        maximum=0 if all_in or legal.max_to in found else legal.max_to,
        all_in=all_in,
        has_range=True,
    )
