"""Every refusal that the program raises has one sentence, and every sentence belongs to a refusal that is raised."""

import ast
import importlib
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from enum import EnumMeta
from itertools import combinations
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import bot
from bot.engine import refusals
from bot.engine.errors import LawError, TableError
from bot.engine.legal import Decision, LegalActions
from bot.history.phh import PhhError, PhhFault
from bot.history.validate_card import CardFault, CardFaultKind
from bot.laws import laws
from bot.render.message.notice import refusal_panel
from bot.table import refusals as table_refusals
from bot.table.state import EntryMethod
from bot.text.amounts import UnreadableAmount
from bot.text.legal_actions import legal_sentence
from bot.text.refusals import hand, house, table, wording
from bot.text.refusals.explain import UNEXPLAINED, explain
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text

ROOT = Path(__file__).resolve().parents[2]
FACING_A_BET = LegalActions(
    6,
    Decision.BET,
    fold=True,
    call_chips=1025,
    min_to=2050,
    max_to=13700,
    current_bet=1025,
    to_call=1025,
    pot=10475,
    stack=13700,
)
OUTSIDE = {"bot.__main__", "bot.app", "bot.local"}  # start-up, discord.py, and the stand-in that knows no table


def all_refusals() -> Iterator[type[TableError]]:
    """Return every refusal class of bot.*, after importing all of it."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if not any(module.name == one or module.name.startswith(one + ".") for one in OUTSIDE):
            importlib.import_module(module.name)

    def below(cls: type[TableError]) -> Iterator[type[TableError]]:
        for sub in cls.__subclasses__():
            yield sub
            yield from below(sub)

    yield from dict.fromkeys(cls for cls in below(TableError) if cls.__module__.startswith("bot."))


REFUSALS = sorted(all_refusals(), key=lambda cls: (cls.__module__, cls.__name__))


def names_that_are_raised() -> frozenset[str]:
    """Return the names that product code uses as values; imports, base classes, annotations and checks of a type are not counted.

    Files in which no refusal is named are left out.
    """
    found: set[str] = set()
    known = {cls.__name__ for cls in REFUSALS}

    def walk(node: ast.AST) -> None:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.MatchClass():
                return
            case ast.ExceptHandler(body=body) | ast.ClassDef(body=body):
                children: list[ast.AST] = list(body)
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
                children = list(body)
            case ast.AnnAssign(value=value):
                children = [value] if value is not None else []
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
                return
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
                children = list(ast.iter_child_nodes(node))
            case _:
                children = list(ast.iter_child_nodes(node))
        for child in children:
            walk(child)

    for folder in ("bot", "cogs"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            names_refusals = not known.isdisjoint(re.findall(r"\b[A-Z]\w+", text))
            if names_refusals and "refusals" not in path.parts:  # the sentences themselves
                walk(ast.parse(text))
    return frozenset(found)


EXPLAINED = [cls for cls in REFUSALS if cls in explain.registry]
"""Those that have a sentence: they are those that are raised, by the first test. To find what is raised takes a second of every worker."""
IDS = [f"{cls.__module__}.{cls.__name__}" for cls in EXPLAINED]


def some_value(name: str, kind: Any, *, empty: bool) -> Any:
    """Return a value of a field; `empty` makes numbers 0, texts and rows empty and flags false."""
    if isinstance(kind, EnumMeta):
        return next(iter(kind))
    if isinstance(kind, type) and issubclass(kind, TableError):
        return refusals.HandOver()
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return (
            ()
            if empty
            else tuple(inner)
            if isinstance(inner, EnumMeta)
            else (some_value(name, inner, empty=False),) * 2
        )
    if kind is bool:
        return not empty
    if kind is int or kind == int | None:
        return 0 if empty else 7
    if kind is str:
        known = {"gift": "daily", "law": "L-7"}
        return known.get(name, "" if empty else "*word*")
    return None


def example(cls: type[TableError], *, empty: bool = False) -> TableError:
    hints = get_type_hints(cls, localns={"LegalActions": LegalActions})
    facts = {name: some_value(name, hints[name], empty=empty) for name in cls.field_names}
    refusal = cls(**facts)
    if isinstance(refusal, LawError):
        refusal.legal = LegalActions(0) if empty else FACING_A_BET
    return refusal


def test_each_raised_refusal_has_exactly_one_sentence() -> None:
    explained = set(explain.registry) - {object, TableError}
    names = names_that_are_raised()
    raised = [cls for cls in REFUSALS if cls.__name__ in names]
    lacking = [
        f"{cls.__name__} is raised, but has no sentence in bot/text/refusals" for cls in raised if cls not in explained
    ]
    unused = [f"{cls.__name__} has a sentence, but nothing raises it" for cls in explained if cls not in raised]
    assert "\n".join([*lacking, *unused]) == ""


def test_no_refusal_is_explained_twice() -> None:
    """A second registration would silently replace the first."""
    count = 0
    for path in (ROOT / "bot" / "text" / "refusals").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="register_sentences"), args=[ast.Dict(keys=keys)]):
                    count += len(keys)
                case ast.FunctionDef(decorator_list=[ast.Attribute(attr="register")]):
                    count += 1
    assert count == len(set(explain.registry) - {object, TableError})


def test_no_two_refusals_share_a_sentence() -> None:
    sentences = {cls.__name__: explain(example(cls), {}) for cls in EXPLAINED if cls.__name__ != "RecordRefused"}
    assert [pair for pair in combinations(sentences, 2) if sentences[pair[0]] == sentences[pair[1]]] == []


@pytest.mark.parametrize("empty", [False, True], ids=["full", "empty"])
@pytest.mark.parametrize("cls", EXPLAINED, ids=IDS)
def test_sentence_is_complete_and_harmless(cls: type[TableError], empty: bool) -> None:
    """All placeholders are filled, typed texts are escaped, nobody is mentioned, and it fits a message."""
    refusal = example(cls, empty=empty)
    text = explain(refusal, {7: "Ayşe"})
    assert text != UNEXPLAINED or refusal.facts().get("expected") is Decision.NONE
    assert not re.search(r"[{}!\n]|\bNone\b", text)
    assert "*word*" not in re.sub("`[^`]*`", "", text), "somebody's text without being escaped"
    assert text[0].isupper() or not text[0].isalpha()
    assert text.endswith((".", "?"))
    within_limits(refusal_panel(refusal))


@pytest.mark.parametrize("cls", [cls for cls in EXPLAINED if issubclass(cls, LawError)], ids=lambda cls: cls.__name__)
def test_law_book_line_names_law_and_title(cls: type[LawError]) -> None:
    refusal = example(cls)
    assert isinstance(refusal, LawError)
    line = wording.law_book_line(refusal)
    assert re.match(rf"Law {refusal.law} \(.+\): .+[.?]$", line)
    assert "\n" not in line


def test_tables_of_sentences_are_complete() -> None:
    assert hand.WAITING_FOR.keys() == set(Decision)
    assert house.PHH_FAULTS.keys() == set(PhhFault)
    assert table.ENTRIES.keys() == set(EntryMethod)


RESTS_ON_NO_LAW = {
    # Whom somebody cannot challenge to a duel.
    "OpponentCannotPlay",
    "CannotChallengeBot",
    # Seasons are kept beside the tables.
    "NoSeason",
    "NoSuchSeason",
    "RoleNotForWinners",
    "SeasonResultsStale",
    "SeasonRuns",
    # Game nights are dates, beside the tables.
    "NightHostOnly",
    "NightInPast",
    "NightIsOpen",
    "NightOver",
    "NightPlayersOutOfBounds",
    "NightTooFar",
    "NightBreakTooLong",
    "NightTooLong",
    "NightsClash",
    "NoNightToConfirm",
    "NoStandingsPoints",
    "NoSuchNight",
    "TooManyAnswers",
    "TooManyNights",
    "UnreadableNight",
    "CannotKeepOut",
    "HandNotOver",
    "UnreadableDate",
    "UnreadableHandNumber",
    "WhichTable",
    "NoEventHere",
    "KeptOutOfTable",
    "NotAtTable",
    "NotInvited",
    "OpenToEverybody",
    "ShownAtTableOnly",
    "TooManyInvited",
    # Recorded hands, cards and law ids that somebody wrote: no table is there.
    "PhhError", "NotAsRecorded", "RecordRefused", "RecordedSeatsOutOfBounds", "RecordedCardTwice", "RecordedCardNotInDeck",
    "RecordEndsEarly", "RecordDealsMoreCards", "UnknownCard", "UnknownLaw", "NotInPokerStarsForm",
    "PokerStarsError", "FileUnreadable", "FileTooHard", "FileNotFetched", "ImportForgotten", "FileBeingRead",
    # One event loop answers everybody.
    "OneMoment", "WorkTimeUsed",
    # The bank of the house, which the laws leave to it.
    "NotEnoughChips", "StakesAboveWallet", "TooManyChips", "InvalidChipAmount",
    "ClaimTooEarly", "StillHasChips", "NewcomerMustWait", "ChipsHeld", "NothingToClaim", "HouseRuleOutOfBounds",
    # How much of the bot one person can have.
    "TooManyHostedTables", "TooManyPracticeTables", "TooManyTables", "SeatsElsewhere", "NeverClosesForStaffOnly",
    # Bans and reports, which are staff's.
    "Banned", "PlayerRoleMissing", "CannotBan", "NotBanned", "TooManyReports", "NoSuchAlarm", "NoSuchReport",
    # What is kept about a person.
    "DataBeingDeleted", "ExportedToday", "PersonSeated", "SeatedSomewhere", "OneServerOnly",
    # Pings that people ask for, and quiet hours.
    "TooManyPings", "UnknownTimeZone", "UnreadableQuietHours",
    # Channels, saving, stopping.
    "ChannelTaken", "DealerStopping", "HandDeleted", "HandUnreadable", "NoHandPlayed", "NoHandYet",
    "NoPracticeTable", "NoSuchTable", "NoTableHere",
    "NotInServer",
    "StaleClaims",
    "StaleVersion", "StatisticsBeingCounted", "StatisticsUnavailable",
    "StoreClosed", "StoreFailed", "TableBroken", "TableGone", "TableIsClosed",
    # House custom: staff, the waiting list, practice, breaks.
    "AlreadyOnBreak", "BreakLengthOutOfBounds", "BreakNotYours", "NoBreak",
    "AlreadyOnWaitingList", "CannotHoldSeat", "NotOnWaitingList", "SittingHere", "PracticeCannotChange", "PracticeTablesOnly", "StaffOnly",
}  # fmt: skip


def test_every_refusal_of_play_names_its_law() -> None:
    """A law refuses what is refused at a table (laws 0.3). Everything else is listed here, one by one."""
    assert {cls.__name__ for cls in REFUSALS if not issubclass(cls, LawError)} - RESTS_ON_NO_LAW == set()
    ids = {one.id for one in laws()}
    assert {cls.__name__ for cls in EXPLAINED if issubclass(cls, LawError) and cls.law not in ids} == set()


PHONE_LINE = 37
"""Letters of body text that fit beside each other at a width of 400 pixels: 293 pixels of 7.9 each."""
FOR_FILES = ("PhhError", "NotAsRecorded", "RecordRefused", "RecordEndsEarly")
"""Refusals of recorded hands, which only a terminal prints."""
TYPED = {"name": "Friday Razz", "game": "Pot-Limit Omaha", "detail": "wrong"}
"""What stands in a field of a refusal, where it is not somebody's slip of the pen."""
NUMBERS_OF_THINGS = re.compile("seat|count|cap|rank|card|number|position|minutes|until")


def plausible(cls: type[TableError]) -> TableError:
    """Return a refusal with long values that people meet: five-digit chips, names of three words, three of a kind in each list."""
    refusal = example(cls)
    for name, value in refusal.facts().items():
        if type(value) is int:
            setattr(refusal, name, 9 if NUMBERS_OF_THINGS.search(name) else 12_500)
        elif value == "*word*":
            setattr(refusal, name, TYPED.get(name, "one hundred"))
        elif value == ("*word*",) * 2:
            setattr(refusal, name, ("Limit Badugi", "Limit Razz") if name == "games" else ("small", "big"))
    return refusal


def as_read(text: str) -> str:
    """Return markdown as a phone shows it."""
    text = re.sub(r"<t:\d+:R>", "in 24 minutes", re.sub(r"<@\d+>", "@river_rat_88", text))
    return re.sub(r"\*\*|`|\\", "", text)


@pytest.mark.parametrize(
    "cls", [cls for cls in EXPLAINED if cls.__name__ not in FOR_FILES], ids=lambda cls: cls.__name__
)
def test_refusal_takes_two_lines_on_a_phone(cls: type[TableError]) -> None:
    """Where a ruling can be disputed it may take a third; what is legal and the law follow."""
    refusal, names = plausible(cls), {7: "river_rat_88", 9: "river_rat_88"}
    text = explain(refusal, names)
    lines = textwrap.wrap(as_read(text), PHONE_LINE)
    assert len(lines) <= (3 if isinstance(refusal, wording.DISPUTABLE) else 2), lines
    assert wording.refusal_text(refusal, names) == text or isinstance(refusal, wording.DISPUTABLE)


def test_law_is_shown_only_where_a_ruling_could_be_disputed() -> None:
    shown = [cls for cls in EXPLAINED if "-# Law" in wording.refusal_text(example(cls))]
    assert [cls for cls in EXPLAINED if issubclass(cls, wording.DISPUTABLE)] == shown
    assert refusals.RaiseTooSmall in shown
    assert refusals.NotYourTurn not in shown


def test_refusal_names_its_facts_for_developers() -> None:
    refusal = refusals.RaiseTooSmall(to=4, minimum=12, opening=False)
    assert str(refusal) == "RaiseTooSmall(law='TL-2', to=4, minimum=12, opening=False)"
    assert str(refusals.HandOver()) == "HandOver(law='TL-35')"


def test_refusal_cannot_be_raised_without_its_facts() -> None:
    with pytest.raises(TypeError, match=r"missing facts \['seat_count'\]"):
        table_refusals.NoSuchSeat(seat_number=9)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"unknown facts \['seat'\]"):
        table_refusals.NoSuchSeat(seat=9, seat_number=9, seat_count=6)  # type: ignore[call-arg]


def test_law_book_line_prints_what_is_wrong_and_legal() -> None:
    """The one-line form of laws 0.3 has the law, its title, what was wrong and what is legal."""
    refusal = refusals.RaiseTooSmall(law="B-8", to=10, minimum=12, opening=False)
    refusal.legal = LegalActions(
        0, Decision.BET, fold=True, call_chips=5, min_to=12, max_to=24, current_bet=11, to_call=5, pot=30, stack=18
    )
    assert wording.law_book_line(refusal) == (
        "Law B-8 (raise): The minimum raise is to 12. You can fold, call 5, or raise to 12–24. Your chips have not moved."
    )


def test_unexplained_refusal_is_refused_politely() -> None:
    class Newcomer(TableError):
        """A refusal that is not in the catalogue."""

    assert wording.refusal_text(Newcomer()) == "That isn't possible right now."


def test_refused_bet_says_what_is_legal() -> None:
    too_small = refusals.RaiseTooSmall(to=1500, minimum=2050, opening=False)
    too_small.legal = FACING_A_BET
    assert wording.refusal_text(too_small) == (
        "The minimum raise is to 2,050. You can fold, call 1,025, or raise to 2,050–13,700. Your chips have not moved.\n"
        "-# Law TL-2"
    )
    assert panel_as_text(refusal_panel(refusals.HandOver())) == "That hand is over."


@pytest.mark.law("X-2", "X-7")
def test_refused_draw_says_whether_the_deck_is_short() -> None:
    short = refusals.TooManyCards(law="X-7", maximum=2, deck_is_short=True)
    assert explain(short, {}) == "The deck is almost used up. You can draw only 2 cards."
    assert (
        explain(refusals.TooManyCards(law="X-2", maximum=3, deck_is_short=False), {}) == "You can draw at most 3 cards."
    )


def test_refusal_names_the_player_to_act() -> None:
    assert explain(refusals.NotYourTurn(seat_number=4), {4: "Ayşe"}) == "It's **Ayşe**'s turn."
    assert explain(refusals.NotYourTurn(seat_number=4), {}) == "It's seat\u00a04's turn."


def test_unreadable_amount_explains_valid_amounts() -> None:
    assert explain(UnreadableAmount(word="lots*", legal=FACING_A_BET), {}) == (
        "“lots\\*” isn't an amount. Try 2,050, ½, pot or all (2,050–13,700)."
    )


@pytest.mark.parametrize(
    ("legal", "words"),
    [
        (LegalActions(0), ""),
        (
            LegalActions(0, Decision.BET, fold=True, check=True, min_to=100, max_to=900, opening=True),
            "You can fold, check, or bet 100–900.",
        ),
        (
            LegalActions(0, Decision.BET, fold=True, call_chips=640, call_all_in=True),
            "You can fold or call 640 all-in.",
        ),
        (
            LegalActions(0, Decision.BET, fold=True, call_chips=100, min_to=200, max_to=200),
            "You can fold, call 100, or raise to 200.",
        ),
        (
            LegalActions(0, Decision.BET, check=True, min_to=1_000, max_to=2_000, opening=True, two_sizes=True),
            "You can check or bet 1,000 or 2,000.",
        ),
        (LegalActions(0, Decision.DRAW, max_cards=3), "You can draw 1–3 cards or stand pat."),
        (LegalActions(0, Decision.SHOW, show=True, muck=True), "You can show or muck."),
        (
            LegalActions(0, Decision.DECLARE, declarable_words=("high", "low", "both")),
            "You can declare high, low, or both ways.",
        ),
        (LegalActions(0, Decision.PASS_CARDS, min_cards=2, max_cards=2), "You can pass 2 cards."),
        (LegalActions(0, Decision.STRADDLE, offer_amount=200), "You can straddle to 200 or decline."),
    ],
)
def test_legal_actions_in_words(legal: LegalActions, words: str) -> None:
    assert legal_sentence(legal) == words


@pytest.mark.parametrize("kind", CardFaultKind, ids=lambda kind: kind.name.lower())
def test_every_fault_of_a_rule_card_has_words(kind: CardFaultKind) -> None:
    fault = CardFault(kind, "high", 3, 7, 14)
    said = explain(PhhError(fault=PhhFault.INVALID_RULES, card_fault=fault, field="_rule_card"), {})
    assert said.startswith("That file isn't a recorded hand. In `_rule_card`: no game can be dealt by it: ")
    assert said.endswith(".")
