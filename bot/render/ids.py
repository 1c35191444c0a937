"""The ids of buttons, selects and forms: what was asked, of which table, hand and action number.

An id is public and comes back from outside, so it holds nothing secret and `parse` takes nothing on trust: what
does not look exactly like something we wrote is None.

    t:<table>:<hand>:<turn>:<verb>[:<amount>]      a click at a table
    p:<page>:<verb>[:<word>][:<word>]              a click on a page of one's own (chips, leaderboard, laws …)
    f:<table>:<hand>:<turn>:<verb>:<user>[:<extra>]  a form; with its opener's id, so that no two people share one form

Source: ui §1 "every button id holds table, hand and action number"; laws TL-35.
"""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

from bot.render.limits import CUSTOM_ID_MAX

NUMBER_MAX = 2**63 - 1
"""No number in an id is larger: it has to fit the store's integers."""


class Verb(StrEnum):
    """What a click at a table asks for."""

    # at one's turn; the amount of call, bet and raise_to is what the label promised
    FOLD = "fold"
    FOLD_ANYWAY = "foldanyway"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "allin"
    SIZE = "size"  # opens the form
    STRADDLE = "straddle"
    DECLINE = "decline"
    ACCEPT = "accept"
    DISCARDS = "discards"  # opens the private choice
    CHOSEN = "chosen"  # the select of that choice
    DRAW = "draw"
    PAT = "pat"
    DECLARE = "declare"  # opens the private choice
    WORD = "word"  # the word chosen, by its number
    ORDER = "order"  # the next card in the order in which cards are turned up; the amount says which were named before
    ARRANGE = "arrange"  # that order is final
    MEANING = "meaning"  # the rank that a wild card stands for; the amount says what has been settled before
    SETTLED = "settled"  # a wild card's meaning is settled
    SHOW = "show"
    MUCK = "muck"
    # before one's turn, on private messages only; the amount of the call is what the label promised
    PRE_CHECK = "precheck"
    PRE_CALL = "precall"
    PRE_DROP = "predrop"
    PRE_DROP_ANYWAY = "predropany"
    PRE_CLEAR = "preclear"
    # any time
    PEEK = "peek"
    TIME = "time"
    SIT = "sit"
    SEAT = "seat"  # the select "Choose a seat number…"
    BUY_IN = "buyin"  # opens the form
    REBUY = "rebuy"
    TOP_UP = "topup"
    LEAVE = "leave"
    SIT_OUT = "sitout"
    BACK = "back"
    POST = "post"
    WAIT = "wait"
    BUY_BUTTON = "buybutton"
    WAITING_LIST = "queue"
    DEAL = "deal"
    AGREE = "agree"
    OBJECT = "object"
    RULES = "rules"
    SETTINGS = "settings"
    # the ceremonies of the deal and the seats
    CUT = "cut"  # opens the form
    SHUFFLE = "shuffle"
    LOT = "lot"  # cut for the first deal; opens the form
    DRAW_DEAL = "drawdeal"
    CHOOSE_GAME = "game"  # the select of dealer's choice
    BOMB = "bomb"
    MISDEAL = "misdeal"
    EXCHANGE = "exchange"  # the amount is the seat of who asked
    CLOSE = "close"
    DM_OFF = "dmoff"
    DM_ON = "dmon"
    SHOW_HERE = "here"


class Press(Struct, frozen=True, gc=False):
    """A click at a table. `turn` is the action number the button was drawn for; `amount` 0 when it has none."""

    table: int
    hand: int
    turn: int
    verb: Verb
    amount: int = 0


class PagePress(Struct, frozen=True, gc=False):
    """A click on a page: which page, what is asked, and up to two plain words with it."""

    page: str
    verb: str
    words: tuple[str, ...] = ()


class FormPress(Struct, frozen=True, gc=False):
    """A form that was filled in. `user` is who opened it; `extra` what the opening click named, as a seat number, or 0."""

    table: int
    hand: int
    turn: int
    verb: Verb
    user: int
    extra: int = 0


_VERBS = {verb.value: verb for verb in Verb}
_NUMBER = "(0|[1-9][0-9]{0,18})"
_PRESS = re.compile(rf"t:{_NUMBER}:{_NUMBER}:{_NUMBER}:([a-z]{{1,12}})(?::([1-9][0-9]{{0,18}}))?", re.ASCII)
_FORM = re.compile(rf"f:{_NUMBER}:{_NUMBER}:{_NUMBER}:([a-z]{{1,12}}):{_NUMBER}(?::([1-9][0-9]{{0,18}}))?", re.ASCII)
_WORD = "[A-Za-z0-9_.-]{1,24}"
_PAGE = re.compile(rf"p:([a-z]{{1,12}}):([a-z]{{1,12}})(?::({_WORD}))?(?::({_WORD}))?", re.ASCII)
_IS_WORD = re.compile(_WORD, re.ASCII)
_IS_SLOT = re.compile("[a-z]{1,12}", re.ASCII)


def press(table: int, hand: int, turn: int, verb: Verb, amount: int = 0) -> str:
    """Write the id of a button or select at a table."""
    return f"t:{table}:{hand}:{turn}:{verb}:{amount}" if amount else f"t:{table}:{hand}:{turn}:{verb}"


def page(name: str, verb: str, *words: str | int) -> str:
    """Write the id of a button or select on a page. Words are our own: at most two, of letters, digits, ``_.-``.

    Raises:
        ValueError: a word that `parse` would not give back.
    """
    texts = [str(word) for word in words]
    if (
        len(texts) > 2
        or not (_IS_SLOT.fullmatch(name) and _IS_SLOT.fullmatch(verb))
        or not all(_IS_WORD.fullmatch(word) for word in texts)
    ):
        raise ValueError(f"not a page id: {name} {verb} {texts}")
    return ":".join(("p", name, verb, *texts))


def form(table: int, hand: int, turn: int, verb: Verb, user: int, extra: int = 0) -> str:
    """Write the id of a form opened by one user."""
    start = f"f:{table}:{hand}:{turn}:{verb}:{user}"
    return f"{start}:{extra}" if extra else start


def parse(custom_id: str) -> Press | PagePress | FormPress | None:
    """Read an id that came back from Discord; None when we cannot have written it."""
    if len(custom_id) > CUSTOM_ID_MAX:
        return None
    if found := _PRESS.fullmatch(custom_id):
        table, hand, turn, word, amount = found.groups()
        verb = _VERBS.get(word)
        if verb is None or _too_large(table, hand, turn, amount or "0"):
            return None
        return Press(int(table), int(hand), int(turn), verb, int(amount or 0))
    if found := _PAGE.fullmatch(custom_id):
        name, word, *rest = found.groups()
        return PagePress(name, word, tuple(one for one in rest if one is not None))
    if found := _FORM.fullmatch(custom_id):
        table, hand, turn, word, user, extra = found.groups()
        verb = _VERBS.get(word)
        if verb is None or _too_large(table, hand, turn, user, extra or "0"):
            return None
        return FormPress(int(table), int(hand), int(turn), verb, int(user), int(extra or 0))
    return None


def _too_large(*digits: str) -> bool:
    return any(int(number) > NUMBER_MAX for number in digits)
