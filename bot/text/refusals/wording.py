"""The whole text of a refusal: what is wrong, what can be done now, that no chips have moved, and the law where it could be disputed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.engine import refusals as hand
from bot.engine.errors import LawError, TableError
from bot.engine.ranking import errors as ranking
from bot.laws import UnknownLaw
from bot.laws import law as law_of
from bot.table import refusals as table
from bot.text.language import message, t, translate
from bot.text.legal_actions import legal_sentence
from bot.text.refusals import events as _events  # noqa: F401  # these register their sentences
from bot.text.refusals import hand as _hand  # noqa: F401
from bot.text.refusals import house as _house  # noqa: F401
from bot.text.refusals import nights as _nights  # noqa: F401
from bot.text.refusals import table as _table  # noqa: F401
from bot.text.refusals.explain import explain
from bot.text.refusals.runtime import CHANGE_IT, EXPIRED_BUTTON

INTERNAL_FAULT = message("Something went wrong on our side, and it's been noted. Nothing has changed.")
_CHIPS_NOT_MOVED = message("Your chips have not moved.")
_LAW = message("-# Law {law}")
_LAW_BOOK_LINE = message("Law {law} ({title}): {text}")

DISPUTABLE: tuple[type[LawError], ...] = (
    # sizes and reopening
    hand.CheckingNotAllowed, hand.MustOpen, hand.CannotCall, hand.NothingToCallYet, hand.RaiseTooSmall, hand.RaiseTooLarge,
    hand.WrongSize, hand.RaisesCapped, hand.BettingNotReopened, hand.NoCheckRaise, hand.NobodyToRaise, hand.NobodyCanCallMore,
    hand.ActedOutOfTurn, hand.OnlyCallOrFoldNow, hand.NoOpeners, hand.StraddleClosed, hand.WrongStraddle, table.StraddleMustBeFull,
    # misdeals and voided hands
    hand.PlayStands, table.MisdealClaimNotYours, table.DealtInCannotVoid,
    # the showdown: who shows first, who has to show, what a wild card is
    hand.ShowsFirst, hand.MustShow, ranking.NotWild, ranking.NoSuchCard, ranking.AlreadyHeld, ranking.BugCannotBe,
    # what a player owes or gives up
    table.BlindsOwed, table.CannotBuyButton, table.MustBringChipsBack,
)  # fmt: skip
"""Refusals that name their law, because a player could dispute the ruling."""

NO_NAMES: Mapping[int, str] = {}


def refusal_text(refusal: TableError, names: Mapping[int, str] = NO_NAMES) -> str:
    """The whole refusal as markdown. `names` are markdown-safe, by seat number."""
    if not isinstance(refusal, DISPUTABLE):  # the buttons beside it say what can be done
        return explain(refusal, names)
    return f"{_with_legal_actions(refusal, names)}\n{t(_LAW, law=refusal.law)}"


def law_book_line(refusal: TableError) -> str:
    """The refusal on one line without markdown, as the law book prints it: law, title, what is wrong, what can be done.

    ``Law B-8 (raise): The minimum raise is to 12. You can fold, call 5, or raise to 12–24. Your chips have not moved.``
    """
    text = _without_markdown(_with_legal_actions(refusal, NO_NAMES))
    if not isinstance(refusal, LawError):
        return text
    return t(_LAW_BOOK_LINE, law=refusal.law, title=law_title(refusal.law), text=text)


def is_law(law_id: str) -> bool:
    """Whether the book has a law of this id."""
    try:
        law_of(law_id)
    except UnknownLaw:
        return False
    return True


def law_title(law_id: str) -> str:
    """The law's title inside a sentence: ``raise``; the id itself where the book has no such law."""
    try:
        title = translate(law_of(law_id).title)
    except UnknownLaw:
        return law_id
    return title[:1].lower() + title[1:]


def _with_legal_actions(refusal: TableError, names: Mapping[int, str]) -> str:
    parts = [explain(refusal, names)]
    if isinstance(refusal, hand.BettingRefused):
        parts += [legal_sentence(refusal.legal), t(_CHIPS_NOT_MOVED)]
    return " ".join(part for part in parts if part)


def _without_markdown(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", re.sub(r"\*\*|`", "", text)).replace("\u00a0", " ")


__all__ = [
    "CHANGE_IT",
    "EXPIRED_BUTTON",
    "INTERNAL_FAULT",
    "NO_NAMES",
    "explain",
    "law_book_line",
    "law_title",
    "refusal_text",
]
