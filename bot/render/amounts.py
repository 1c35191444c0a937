"""Amounts as players write them: ``200``, ``1,500``, ``1.5k``, ``½``, ``half``, ``pot``, ``all``, ``min``, ``max``, ``2x``, ``3bb``.

The one place where they are read. Nothing here is ever a float: a fraction is multiplied out in whole numbers, and what would not be
whole chips is refused.

Source: design §5, laws H-5.
"""

from __future__ import annotations

import re

from bot.engine.errors import LawError
from bot.engine.legal import Legal
from bot.engine.stakes import CHIPS_MAX
from bot.render.betting import all_in_total, half_total, pot_total

_NUMBER = re.compile(r"(?P<whole>\d[\d,_ ]*)?(?:\.(?P<part>\d+))?\s*(?P<unit>k|m|b|thousand|million|bb|x)?", re.ASCII)
_GROUPS = re.compile(r"\d{1,3}(?:[,_ ]\d{3})+|\d+", re.ASCII)
_UNITS = {"": 1, "k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000, "b": 1_000_000_000}
_FRACTIONS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "1/2": (1, 2), "1/3": (1, 3), "2/3": (2, 3),
              "1/4": (1, 4), "3/4": (3, 4)}  # fmt: skip
_HALF = {"half", "halfpot", "half pot", "½ pot", "1/2 pot", "½pot"}
_POT = {"pot", "full pot", "the pot"}
_ALL = {"all", "all in", "all-in", "allin", "shove", "jam", "everything"}
_MIN = {"min", "minimum", "least"}
_MAX = {"max", "maximum", "most"}
_LONGEST = 40


class BadAmount(LawError):
    """Something that is no amount here. `kind` is ``unreadable``, ``fraction``, ``large``, ``zero`` or ``nothing to multiply``.

    What is no whole number of chips is Law H-5; a bet that does not say how much is Law B-13.

    Attributes:
        word: what was written.
        legal: what the seat may do, or None where the amount is not for a bet.
    """

    law = "H-5"

    def __init__(self, *, word: str, kind: str, legal: Legal | None = None) -> None:
        self.word, self.kind = word[:_LONGEST], kind
        says_nothing = legal is not None and kind not in _NOT_WHOLE
        super().__init__("say how much" if says_nothing else f"chips are whole; {self.word!r} is not an amount")
        if says_nothing:
            self.law = "B-13"  # type: ignore[misc]
        self.legal = legal


_NOT_WHOLE = ("fraction", "large", "zero")


def street_total(word: str, legal: Legal, big_blind: int = 0) -> int:
    """Read what a player writes as a bet or raise, as a street total in chips.

    Words follow what the seat may do: ``all`` is its whole stack, ``pot`` and ``max`` end at what the betting allows, ``min`` is the
    least. Numbers are taken as written, and ruled on by the engine. ``2x`` multiplies the level, ``3bb`` the big blind.

    Raises:
        BadAmount: it cannot be read, is not whole chips, or is beyond any table.
    """
    plain = _plain(word)
    if plain in _ALL:
        return _within(word, all_in_total(legal), legal)
    if plain in _MIN:
        return _within(word, legal.min_to, legal)
    if plain in _MAX:
        return _within(word, legal.max_to, legal)
    if plain in _POT:
        return _within(word, _capped(pot_total(legal), legal), legal)
    if plain in _HALF:
        return _within(word, _capped(half_total(legal), legal), legal)
    share = plain.removesuffix("pot").strip()
    if share in _FRACTIONS:
        over, under = _FRACTIONS[share]
        return _within(word, _capped(legal.level + (legal.pot + legal.owe) * over // under, legal), legal)
    if plain.endswith("%"):
        return _within(word, _percent(word, plain[:-1].strip(), legal), legal)
    return _number(word, plain, legal, {"bb": big_blind, "x": legal.level})


def chips(word: str) -> int:
    """Read a plain number of chips, for buy-ins, grants and settings: ``200``, ``1,500``, ``1.5k``.

    Raises:
        BadAmount: it cannot be read, is not whole chips, or is beyond any table.
    """
    return _number(word, _plain(word), None, {})


def _plain(word: str) -> str:
    return " ".join(word[: _LONGEST * 2].replace("\u00a0", " ").replace("\u202f", " ").casefold().split())


def _capped(total: int, legal: Legal) -> int:
    """A word for a share of the pot never means more than may be bet; nor less than the least."""
    return max(legal.min_to, min(total, legal.max_to)) if legal.max_to else total


def _percent(word: str, digits: str, legal: Legal) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        raise BadAmount(word=word, kind="unreadable", legal=legal)
    return _capped(legal.level + (legal.pot + legal.owe) * int(digits) // 100, legal)


def _number(word: str, plain: str, legal: Legal | None, multiples: dict[str, int]) -> int:
    if plain[:1] in ("-", "\u2212") and plain[1:] and _NUMBER.fullmatch(plain[1:].strip()):
        raise BadAmount(word=word, kind="zero", legal=legal)
    found = _NUMBER.fullmatch(plain)
    if found is None or len(plain) > _LONGEST:
        raise BadAmount(word=word, kind="unreadable", legal=legal)
    whole, part, unit = found["whole"], found["part"] or "", found["unit"] or ""
    if whole is None and not part:
        raise BadAmount(word=word, kind="unreadable", legal=legal)
    digits = (whole or "0").strip()
    if not _GROUPS.fullmatch(digits):
        raise BadAmount(word=word, kind="unreadable", legal=legal)
    digits = re.sub("[,_ ]", "", digits)
    if unit in {"bb", "x"}:
        times = multiples.get(unit, 0)
        if not times:
            raise BadAmount(word=word, kind="nothing to multiply", legal=legal)
    else:
        times = _UNITS[unit]
    part = part.rstrip("0")
    if len(digits) + len(part) > 20:
        raise BadAmount(word=word, kind="large", legal=legal)
    scaled = int(digits + part) * times
    total, over = divmod(scaled, 10 ** len(part))
    if over:
        raise BadAmount(word=word, kind="fraction", legal=legal)
    return _within(word, total, legal)


def _within(word: str, total: int, legal: Legal | None) -> int:
    if total > CHIPS_MAX:
        raise BadAmount(word=word, kind="large", legal=legal)
    if total <= 0:
        raise BadAmount(word=word, kind="zero", legal=legal)
    return total


def wants_all_in(word: str) -> bool:
    """Say whether a player wrote ``all`` or the like: that is the command AllIn, which is a call where a raise is not possible."""
    return _plain(word) in _ALL
