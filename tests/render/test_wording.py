"""Every refusal has words: what was wrong, what is legal, that nothing changed, and its law."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from enum import EnumMeta
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import bot
from bot.engine import refusals
from bot.engine.errors import LawError, TableError
from bot.engine.legal import Decision, Legal
from bot.laws import laws
from bot.render import wording
from bot.render.amounts import BadAmount
from bot.render.limits import check
from bot.render.plain import plain
from bot.table import errors as table_errors

FACING_A_BET = Legal(
    6, Decision.BET, fold=True, call=1025, min_to=2050, max_to=13700, level=1025, owe=1025, pot=10475, stack=13700
)
OUTSIDE = {"bot.__main__", "bot.app", "bot.local"}  # start-up, discord.py, and the stand-in that knows no table


def _all_errors() -> Iterator[type[TableError]]:
    """Every refusal there is in bot.*, after importing all of it."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if not any(module.name == one or module.name.startswith(one + ".") for one in OUTSIDE):
            importlib.import_module(module.name)

    def below(cls: type[TableError]) -> Iterator[type[TableError]]:
        for sub in cls.__subclasses__():
            yield sub
            yield from below(sub)

    yield from dict.fromkeys(
        cls for cls in below(TableError) if cls is not LawError and cls.__module__.startswith("bot.")
    )


ERRORS = sorted(_all_errors(), key=lambda cls: (cls.__module__, cls.__name__))


def _some_value(name: str, kind: Any) -> Any:
    """A likely value of a constructor's argument."""
    if name == "law":
        return "L-7"
    if isinstance(kind, EnumMeta):
        return next(iter(kind))
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return tuple(inner) if isinstance(inner, EnumMeta) else (_some_value(name, inner), _some_value("second", inner))
    if kind is bool:
        return True
    if kind is int:
        return 7
    if kind is str:
        return "fraction" if name == "why" else "*word*"
    return None


def _made(cls: type[TableError]) -> TableError:
    hints = get_type_hints(cls.__init__)
    hints.pop("return", None)
    return cls(**{name: _some_value(name, kind) for name, kind in hints.items()})


@pytest.mark.parametrize("cls", ERRORS, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_every_refusal_has_words_of_its_own(cls: type[TableError]) -> None:
    """No refusal falls back on the general words, blames, shouts, or breaks a message."""
    error = _made(cls)
    if isinstance(error, LawError):
        error.legal = FACING_A_BET
    words = wording.explain(error, {7: "Ayşe"})
    assert words != wording.FALLBACK
    assert "!" not in words
    assert "\n" not in words
    assert "*word*" not in re.sub("`[^`]*`", "", words), "somebody's text in a refusal without being escaped"
    assert words[-1] in ".*"
    check(wording.refusal(error))


@pytest.mark.parametrize("cls", [cls for cls in ERRORS if issubclass(cls, LawError)], ids=lambda cls: cls.__name__)
def test_every_law_error_names_its_law_in_one_line(cls: type[LawError]) -> None:
    """The one-line form of laws 0.3: law, title, what was wrong, what is legal."""
    error = _made(cls)
    assert isinstance(error, LawError)
    error.legal = FACING_A_BET
    line = wording.one_line(error)
    assert line.startswith(f"Law {error.law} (")
    assert line.endswith("You may: drop, call 1025, raise to 2050..13700.")
    assert wording.law_line(error) == f"-# Law {error.law}"


RESTS_ON_NO_LAW = {
    # The shell's and the reader's of recorded hands: no table is there.
    "PhhError", "NotAsRecorded", "UnknownCard", "UnknownLaw",
    # The bank of the house, which the laws leave to it.
    "NotEnoughChips", "TooManyChips", "NoSuchAmount", "TooEarly", "NotBroke", "NothingToClaim", "RuleOutOfBounds",
    # Channels, saving, stopping.
    "ChannelTaken", "DealerStopping", "HandUnreadable", "NoHandYet", "NoSuchTable", "NoTableHere", "StaleClaims", "StaleVersion",
    "StoreClosed", "StoreFailed", "TableBroken", "TableGone", "TableIsClosed",
    # House custom: staff, the waiting list, practice.
    "AlreadyWaiting", "NotWaiting", "PracticeIsForGood", "PracticeTablesOnly", "StaffOnly",
}  # fmt: skip


def test_every_refusal_of_play_names_its_law() -> None:
    """Laws 0.3: what is refused at a table is refused by a law. What is no matter of play is named here, one by one."""
    assert {cls.__name__ for cls in ERRORS if not issubclass(cls, LawError)} - RESTS_ON_NO_LAW == set()
    ids = {one.id for one in laws()}
    for cls in ERRORS:
        if issubclass(cls, LawError):
            assert cls.law in ids, cls.__name__


def test_the_law_books_own_example_of_a_refusal() -> None:
    """Laws 0.3 prints one refusal in full; so does the dealer."""
    error = refusals.RaiseTooSmall(law="B-8", to=10, min_to=12, opening=False, own=6, owe=5)
    error.legal = Legal(0, Decision.BET, fold=True, call=5, min_to=12, max_to=24, level=11, owe=5, pot=30, stack=18)
    assert wording.one_line(error) == (
        "Law B-8 (raise): you put in 4; you owe 5 to call and at least 1 more to raise. "
        "You may: drop, call 5, raise to 12..24."
    )


def test_a_refusal_without_words_yet_still_says_that_nothing_happened() -> None:
    class Newcomer(TableError):
        """Not in the catalogue."""

    assert wording.explain(Newcomer("odd")) == "That is not possible right now. Nothing has changed."
    assert wording.one_line(Newcomer("something odd")) == "Something odd."


def test_the_refusals_of_the_ui_guide() -> None:
    """Ui §6, word for word."""
    too_small = refusals.RaiseTooSmall(law="TL-2", to=1500, min_to=2050, opening=False, own=0, owe=1025)
    too_small.legal = FACING_A_BET
    assert wording.refusal_text(too_small) == (
        "The minimum raise is to 2,050. You may fold, call 1,025, or raise to 2,050–13,700. Your chips have not moved.\n"
        "-# Law TL-2"
    )
    assert wording.explain(refusals.NotYourTurn(to_act=4), {4: "Ayşe"}) == "It is **Ayşe**'s turn. Nothing happened."
    assert wording.explain(refusals.NotYourTurn(to_act=4)) == "It is seat\u00a04's turn. Nothing happened."
    assert wording.explain(table_errors.NotSeated(player=5)) == (
        "You are not at this table. Use **Take a seat** first."
    )
    assert wording.OLD_BUTTON == "That was for an earlier action. Nothing happened."
    assert plain(wording.refusal(refusals.HandOver())) == "That hand is over. Nothing happened.\n-# Law TL-35"


def test_an_amount_that_cannot_be_read_says_what_can() -> None:
    error = BadAmount(word="lots*", kind="unreadable", legal=FACING_A_BET)
    assert wording.explain(error) == (
        "“lots\\*” is not an amount. Write a number like 4000, 4k, ½, pot or all. "
        "You may fold, call 1,025, or raise to 2,050–13,700. Your chips have not moved."
    )


@pytest.mark.parametrize(
    ("legal", "words", "listed"),
    [
        (Legal(0), "", ""),
        (
            Legal(0, Decision.BET, fold=True, check=True, min_to=100, max_to=900, opening=True),
            "You may fold, check, or bet 100–900.",
            "You may: drop, check, bet 100..900.",
        ),
        (
            Legal(0, Decision.BET, fold=True, call=640, call_all_in=True),
            "You may fold or call 640 all-in.",
            "You may: drop, call 640.",
        ),
        (
            Legal(0, Decision.BET, fold=True, call=100, min_to=200, max_to=200),
            "You may fold, call 100, or raise to 200.",
            "You may: drop, call 100, raise to 200.",
        ),
        (
            Legal(0, Decision.DRAW, most=3),
            "You may change 1–3 cards or stand pat.",
            "You may: change 1–3 cards, stand pat.",
        ),
        (Legal(0, Decision.SHOW, show=True, muck=True), "You may show or muck.", "You may: show, muck."),
        (
            Legal(0, Decision.DECLARE, words=("high", "low", "both")),
            "You may declare high, low, or both.",
            "You may: declare high, low, or both.",
        ),
        (Legal(0, Decision.PASS, least=2, most=2), "You may pass 2 cards.", "You may: pass 2 cards."),
        (
            Legal(0, Decision.STRADDLE, offer=200),
            "You may straddle to 200 or decline.",
            "You may: straddle to 200, decline.",
        ),
    ],
)
def test_what_is_legal_in_words(legal: Legal, words: str, listed: str) -> None:
    assert wording.you_may(legal) == words
    assert wording.you_may_list(legal) == listed
