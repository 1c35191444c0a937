"""The ids of buttons, selects and forms: what is asked, of which table, hand and action number.

An id is public and comes back from outside. It holds nothing secret, and `parse_custom_id` trusts nothing: an id that this module cannot
have written is None.

    t:<table>:<hand>:<turn>:<verb>[:<amount>]        a click at a table
    t:<table>:<hand>:<turn>:<verb>:~<code>           the same where what was chosen so far is more than a number holds
    p:<page>:<verb>[:<word>][:<word>][:<word>]       a click on a page such as chips, leaderboard or laws
    f:<table>:<hand>:<turn>:<verb>:<user>[:<extra>]  a form, with the id of the user who opened it, so that no two users share one form

Source: law TL-35.
"""

import re

from msgspec import Struct

from bot.engine.errors import BrokenInvariant
from bot.render.message.limits import CUSTOM_ID_MAX
from bot.text.buttons import Verb

NUMBER_MAX = 2**63 - 1
"""The largest number in an id: it has to fit the store's integers."""
CODE_MAX = 64**27 - 1
"""The largest code of a choice, which is never stored: 26 wild cards with their meanings (`bot.render.hand.choice_codes`)."""


class Press(Struct, frozen=True, gc=False):
    """A click at a table. `turn` is the action number that the button was drawn for; `amount` is 0 where it has none. What
    wild cards stand for is the only amount that can exceed `NUMBER_MAX`."""

    table: int
    hand: int
    turn: int
    verb: Verb
    amount: int = 0


class PagePress(Struct, frozen=True, gc=False):
    """A click on a page: which page, what is asked, and up to three words."""

    page: str
    verb: str
    words: tuple[str, ...] = ()

    def number(self, index: int = 0) -> int:
        """Return a word as a whole number; 0 where there is none, or another word."""
        word = self.words[index] if index < len(self.words) else ""
        return int(word) if word.isdecimal() else 0

    def hand(self) -> tuple[int, int] | None:
        """Return the table's id and the hand's number of a first word like ``12.34``; None where it is another one."""
        table, _, hand = (self.words[0] if self.words else "").partition(".")
        return (int(table), int(hand)) if table.isdecimal() and hand.isdecimal() else None


class FormSubmission(Struct, frozen=True, gc=False):
    """A form that was filled in.

    Attributes:
        user: the Discord id of the user who opened it.
        extra: what the opening click named, such as a seat number; else 0.
    """

    table: int
    hand: int
    turn: int
    verb: Verb
    user: int
    extra: int = 0


_VERBS = {verb.value: verb for verb in Verb}
_WITH_CODE = frozenset({Verb.WILD_RANK, Verb.WILD_SUIT, Verb.SHOW})
"""The verbs whose amount is a code that can exceed every number (W-7)."""
_NUMBER = "(0|[1-9][0-9]{0,18})"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_DIGIT = "[0-9A-Za-z_-]"
_DIGITS_MAX = len(str(NUMBER_MAX))
_PRESS = re.compile(
    rf"t:{_NUMBER}:{_NUMBER}:{_NUMBER}:([a-z]{{1,12}})(?::([1-9][0-9]{{0,18}}|~{_DIGIT}{{11,27}}))?", re.ASCII
)
_FORM = re.compile(rf"f:{_NUMBER}:{_NUMBER}:{_NUMBER}:([a-z]{{1,12}}):{_NUMBER}(?::([1-9][0-9]{{0,18}}))?", re.ASCII)
_WORD = "[A-Za-z0-9_.-]{1,24}"
_PAGE = re.compile(rf"p:([a-z]{{1,12}}):([a-z]{{1,12}})(?::({_WORD}))?(?::({_WORD}))?(?::({_WORD}))?", re.ASCII)
_WORDS_MAX = 3
_NUMBERS = re.compile("[0-9]+", re.ASCII)
_IS_WORD = re.compile(_WORD, re.ASCII)
_IS_SLOT = re.compile("[a-z]{1,12}", re.ASCII)


def button_id(table: int, hand: int, turn: int, verb: Verb, amount: int = 0) -> str:
    """Write the id of a button or select at a table."""
    if amount > NUMBER_MAX:
        if verb not in _WITH_CODE or amount > CODE_MAX:
            raise BrokenInvariant(f"no id holds the amount of {verb}")
        return f"t:{table}:{hand}:{turn}:{verb}:~{_code_text(amount)}"
    return f"t:{table}:{hand}:{turn}:{verb}:{amount}" if amount else f"t:{table}:{hand}:{turn}:{verb}"


def _code_text(code: int) -> str:
    """Write a number in digits of six bits each, the highest first."""
    digits = ""
    while code:
        digits = _DIGITS[code & 63] + digits
        code >>= 6
    return digits


def _read_code(digits: str) -> int:
    code = 0
    for digit in digits:
        code = code << 6 | _DIGITS.index(digit)
    return code


def page_id(name: str, verb: str, *words: str | int) -> str:
    """Write the id of a button or select on a page, with at most three words of letters, digits and ``_.-``.

    Raises:
        ValueError: `parse_custom_id` would not give a word back.
    """
    texts = [str(word) for word in words]
    if (
        len(texts) > _WORDS_MAX
        or not (_IS_SLOT.fullmatch(name) and _IS_SLOT.fullmatch(verb))
        or not all(_IS_WORD.fullmatch(word) for word in texts)
    ):
        raise ValueError(f"not a page id: {name} {verb} {texts}")
    written = ":".join(("p", name, verb, *texts))
    if len(written) > CUSTOM_ID_MAX:
        raise ValueError(f"not a page id: {written}")
    return written


def form_id(table: int, hand: int, turn: int, verb: Verb, user: int, extra: int = 0) -> str:
    """Write the id of a form opened by one user."""
    start = f"f:{table}:{hand}:{turn}:{verb}:{user}"
    return f"{start}:{extra}" if extra else start


def parse_custom_id(custom_id: str) -> Press | PagePress | FormSubmission | None:
    """Read an id that came back from Discord; None when this module cannot have written it."""
    if len(custom_id) > CUSTOM_ID_MAX:
        return None
    if found := _PRESS.fullmatch(custom_id):
        table, hand, turn, word, amount = found.groups()
        verb = _VERBS.get(word)
        if amount is not None and amount.startswith("~"):
            code = _read_code(amount[1:])
            if verb not in _WITH_CODE or code <= NUMBER_MAX or amount[1] == "0" or _too_large(table, hand, turn):
                return None
            return Press(int(table), int(hand), int(turn), verb, code)
        if verb is None or _too_large(table, hand, turn, amount or "0"):
            return None
        return Press(int(table), int(hand), int(turn), verb, int(amount or 0))
    if found := _PAGE.fullmatch(custom_id):
        name, word, *rest = found.groups()
        words = tuple(one for one in rest if one is not None)
        if _too_large(*(number for one in words for number in _NUMBERS.findall(one))):
            return None
        return PagePress(name, word, words)
    if found := _FORM.fullmatch(custom_id):
        table, hand, turn, word, user, extra = found.groups()
        verb = _VERBS.get(word)
        if verb is None or _too_large(table, hand, turn, user, extra or "0"):
            return None
        return FormSubmission(int(table), int(hand), int(turn), verb, int(user), int(extra or 0))
    return None


def _too_large(*digits: str) -> bool:
    longest = max(digits, key=len, default="")
    return len(longest) >= _DIGITS_MAX and any(int(number) > NUMBER_MAX for number in digits)
