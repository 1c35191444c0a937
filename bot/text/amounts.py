"""Amounts as players write them: ``200``, ``1,500``, ``1.5k``, ``½``, ``half``, ``pot``, ``all``, ``min``, ``max``, ``2x``, ``3bb``.

This is the only place that reads them. Nothing here is ever a float: a fraction is multiplied out in whole numbers, and an amount that is
not whole chips is refused.

Source: law H-5.
"""

from __future__ import annotations

import re

from bot.engine.errors import LawError
from bot.engine.legal import LegalActions
from bot.engine.stakes import MAX_CHIPS
from bot.text.buttons import all_in_total, part_of_pot_total

_NUMBER = re.compile(r"(?P<whole>\d[\d,_ ]*)?(?:\.(?P<part>\d+))?\s*(?P<unit>k|m|b|thousand|million|bb|x)?", re.ASCII)
_GROUPS = re.compile(r"\d{1,3}(?:[,_ ]\d{3})+|\d+", re.ASCII)
_UNITS = {"": 1, "k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000, "b": 1_000_000_000}
_FRACTIONS = {
    name.replace("_", " "): fraction
    for names, fraction in (
        ("½ 1/2 half", (1, 2)),
        ("⅓ 1/3 third", (1, 3)),
        ("⅔ 2/3 two_thirds", (2, 3)),
        ("¼ 1/4 quarter", (1, 4)),
        ("¾ 3/4 three_quarters", (3, 4)),
    )
    for name in names.split()
}
_POT_WORDS = {"pot", "full pot", "the pot"}
_ALL_IN_WORDS = {"all", "all in", "all-in", "allin", "shove", "jam", "everything"}
_MINIMUM_WORDS = {"min", "minimum", "least"}
_MAXIMUM_WORDS = {"max", "maximum", "most"}
_LENGTH_MAX = 40


class BadAmount(LawError, law="H-5"):
    """Something that is not an amount here. `legal` is what the seat can do, or None where the amount is not for a bet."""

    word: str


class UnreadableAmount(BadAmount):
    """Neither a number nor a word for an amount. In a bet that does not say how much this is B-13."""


class NothingToMultiply(UnreadableAmount):
    """A multiple of a bet or a big blind where there is none."""


class NotWholeAmount(BadAmount):
    """A part of a chip."""


class AmountTooLarge(BadAmount):
    """More chips than any table holds."""


class AmountBelowOne(BadAmount):
    """No chip, or less."""


def _refuse(kind: type[BadAmount], word: str, legal: LegalActions | None) -> BadAmount:
    law = "B-13" if legal is not None and issubclass(kind, UnreadableAmount) else kind.law
    return kind(law=law, word=word[:_LENGTH_MAX], legal=legal)


def parse_street_total(word: str, legal: LegalActions, big_blind: int = 0) -> int:
    """Read what a player writes as a bet or raise, as a street total in chips.

    Words follow what the seat can do: ``all`` is its whole stack, ``pot`` and ``max`` end at the maximum, ``min`` is the minimum.
    Numbers are taken as written, and the engine rules on them. ``2x`` multiplies the current bet, ``3bb`` the big blind.

    Raises:
        BadAmount: the amount cannot be read, is not whole chips, or is more than any table holds.
    """
    plain = _normalised(word)
    if plain in _ALL_IN_WORDS:
        return _in_chip_range(word, all_in_total(legal), legal)
    if plain in _MINIMUM_WORDS:
        return _in_chip_range(word, legal.min_to, legal)
    if plain in _MAXIMUM_WORDS:
        return _in_chip_range(word, legal.max_to, legal)
    if plain in _POT_WORDS:
        return _in_chip_range(word, _within_limits(part_of_pot_total(legal, 1, 1), legal), legal)
    share = plain.removesuffix("pot").strip()
    if share in _FRACTIONS:
        over, under = _FRACTIONS[share]
        return _in_chip_range(word, _within_limits(part_of_pot_total(legal, over, under), legal), legal)
    if plain.endswith("%"):
        return _in_chip_range(word, _percent(word, plain[:-1].strip(), legal), legal)
    return _number(word, plain, legal, {"bb": big_blind, "x": legal.current_bet})


def parse_chips(word: str) -> int:
    """Read a plain number of chips, for buy-ins, grants and settings: ``200``, ``1,500``, ``1.5k``.

    Raises:
        BadAmount: the amount cannot be read, is not whole chips, or is more than any table holds.
    """
    return _number(word, _normalised(word), None, {})


def _normalised(word: str) -> str:
    return " ".join(word[: _LENGTH_MAX * 2].replace("\u00a0", " ").replace("\u202f", " ").casefold().split())


def _within_limits(total: int, legal: LegalActions) -> int:
    """A word for a share of the pot never means more than the maximum bet or less than the minimum."""
    if legal.two_sizes and total < legal.max_to:
        return legal.min_to
    return max(legal.min_to, min(total, legal.max_to)) if legal.max_to else total


def _percent(word: str, digits: str, legal: LegalActions) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        raise _refuse(UnreadableAmount, word, legal)
    return _within_limits(part_of_pot_total(legal, int(digits), 100), legal)


def _number(word: str, plain: str, legal: LegalActions | None, multiples: dict[str, int]) -> int:
    if plain[:1] in ("-", "\u2212") and plain[1:] and _NUMBER.fullmatch(plain[1:].strip()):
        raise _refuse(AmountBelowOne, word, legal)
    found = _NUMBER.fullmatch(plain)
    if found is None or len(plain) > _LENGTH_MAX:
        raise _refuse(UnreadableAmount, word, legal)
    whole, part, unit = found["whole"], found["part"] or "", found["unit"] or ""
    if whole is None and not part:
        raise _refuse(UnreadableAmount, word, legal)
    digits = (whole or "0").strip()
    if not _GROUPS.fullmatch(digits):
        raise _refuse(UnreadableAmount, word, legal)
    digits = re.sub("[,_ ]", "", digits)
    if unit in {"bb", "x"}:
        times = multiples.get(unit, 0)
        if not times:
            raise _refuse(NothingToMultiply, word, legal)
    else:
        times = _UNITS[unit]
    part = part.rstrip("0")
    if len(digits) + len(part) > 20:
        raise _refuse(AmountTooLarge, word, legal)
    scaled = int(digits + part) * times
    total, over = divmod(scaled, 10 ** len(part))
    if over:
        raise _refuse(NotWholeAmount, word, legal)
    return _in_chip_range(word, total, legal)


def _in_chip_range(word: str, total: int, legal: LegalActions | None) -> int:
    if total > MAX_CHIPS:
        raise _refuse(AmountTooLarge, word, legal)
    if total <= 0:
        raise _refuse(AmountBelowOne, word, legal)
    return total


def means_all_in(word: str) -> bool:
    """Say whether a player wrote ``all`` or the like: that is the command AllIn, which is a call where a raise is not possible."""
    return _normalised(word) in _ALL_IN_WORDS
