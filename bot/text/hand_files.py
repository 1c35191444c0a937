"""Words about hands as files: which file to choose, and what came of a file that somebody gave."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from bot.history import phh, read_file
from bot.text import escape
from bot.text.formatting import join_list
from bot.text.language import Message, message, number, plural, t
from bot.text.refusals.wording import is_law, law_title

MAX_FILE_BYTES = read_file.MAX_BYTES


class FileForm(StrEnum):
    """How a hand is written down. The values stand in the ids of buttons and in the choices of commands."""

    POKERSTARS = "pokerstars"
    PHH = "phh"
    TEXT = "text"


CHOOSE_FILE = message("Hand #{number} as a file, with the cards you can see.")
FORM_LABELS = {
    FileForm.POKERSTARS: message("PokerStars text"),
    FileForm.PHH: message("PHH"),
    FileForm.TEXT: message("Plain text"),
}
FORMS_EXPLAINED = message(
    "PokerStars text: for trackers. PHH: for poker programs, and every game. Plain text: to read."
)


STILL_WRITING = plural("Still writing: {count:,} hand so far.", "Still writing: {count:,} hands so far.")
NONE_IN_FORM = message("PokerStars had none of these games. Take PHH or the plain text.")
_HANDS = plural("{count:,} hand, with the cards you can see.", "{count:,} hands, with the cards you can see.")
_LEFT_OUT = plural(
    "{count:,} hand of a game that PokerStars never had is left out; PHH and the plain text have it.",
    "{count:,} hands of games that PokerStars never had are left out; PHH and the plain text have them.",
)
_FULL = message("The file is full: these are the newest. Ask for older ones by their date.")


def hands_in_file(count: int, left_out: int, *, is_full: bool) -> str:
    """Return what a file of many hands has, and what it has not."""
    said = [t(_HANDS, count=count)]
    said += [t(_LEFT_OUT, count=left_out)] if left_out else []
    said += [t(_FULL)] if is_full else []
    return "\n".join(said)


class Verdict(StrEnum):
    """What the dealer says of a hand in a file."""

    PLAYS = "plays"  # every action is lawful, and it ends as the file says, if the file says how
    DIFFERS = "differs"  # every action is lawful, and it ends otherwise
    REFUSED = "refused"  # a law forbids it
    UNREADABLE = "unreadable"  # it is no recorded hand
    FAULT = "fault"  # the fault is ours


IMPORT_TITLE = message("Import hands")
IMPORT_FIELD = message("File with hands")
IMPORT_HINT = message("PHH, PHHS or PokerStars text, up to {megabytes} MB.")
IMPORT_BUTTON = message("Import a hand")
KIND_NAMES = {"phh": message("PHH"), "pokerstars": message("PokerStars text")}
_READ = plural("**{name}** · {kind} · {count:,} hand", "**{name}** · {kind} · {count:,} hands")
_OUTCOMES = {
    Verdict.PLAYS: plural("{count:,} hand plays by the rules.", "{count:,} hands play by the rules."),
    Verdict.DIFFERS: plural(
        "{count:,} hand ends otherwise than the file says.", "{count:,} hands end otherwise than the file says."
    ),
    Verdict.REFUSED: plural("{count:,} hand breaks a rule.", "{count:,} hands break a rule."),
    Verdict.UNREADABLE: plural("{count:,} hand can't be read.", "{count:,} hands can't be read."),
    Verdict.FAULT: plural(
        "{count:,} hand couldn't be played: a fault of ours.", "{count:,} hands couldn't be played: a fault of ours."
    ),
}
VERDICTS = {
    Verdict.PLAYS: message("plays"),
    Verdict.DIFFERS: message("ends otherwise"),
    Verdict.REFUSED: message("breaks a rule"),
    Verdict.UNREADABLE: message("can't be read"),
    Verdict.FAULT: message("a fault of ours"),
}
HAND_OPTION = message("Hand {number}: {verdict}")
COUNTS_NOWHERE = message("Imported hands count nowhere: not in chips, statistics or this server's hands.")
KEPT_UNTIL = message("This file expires {time}, or when you give me another.")
REMEMBERED_UNTIL = message("I can't keep this file: it expires {time}, or when I restart.")
FIRST = message("First")
BACK = message("Back")
NEXT = message("Next")
LAST = message("Last")
NOT_READ = plural(
    "I stopped there: {count:,} more hand is unread.", "I stopped there: {count:,} more hands are unread."
)
STOPPED = message("I stopped there: the file takes too long to read. Split it and give me the parts.")
CHOOSE_HAND = message("Look at a hand…")
HAND_LINE = message("**Hand {number}**: {fault}")
HAND_TITLE = message("**Hand {number}** · {title}")
HAND_UNTITLED = message("**Hand {number}**")
PAGE_OF = message("{page} of {pages}")
ALL_RIGHT = message("Every action is lawful, and it ends as the file says.")
NO_LOG = message("There's no street to show: it can't be played to its end.")
MORE_FAULTS = plural("… and {count:,} more hand.", "… and {count:,} more hands.")
NEXT_HANDS = message("More hands")
BACK_TO_LIST = message("All hands")
THE_DEAL = message("The deal")
_AT_LINE = message("Line {line}: {fault}")
_AT_LINE_AND_ACTION = message("Line {line}, action {action}: {fault}")
_AT_ACTION = message("Action {action}: {fault}")
_DOES = message("{does}, but: {why}")
_WITH_LAW = message("{fault} Law {law} ({title}).")
_PLAYER = message("player {number}")
_PLAYER_SEAT = message("{name} (seat {seat})")
_DIFFERS = message("{field}: the file says {stated}, by the rules it's {got}.")
_FIELDS = {
    "finishing_stacks": message("Stacks at the end"),
    "pots_by_street": message("Pots by street"),
    "final_pots": message("Pots at the end"),
}
_ACTIONS_TOLD: dict[type[phh.RecordedAction], Message] = {
    phh.RecordedFold: message("{who} folds"),
    phh.RecordedCheckOrCall: message("{who} checks or calls"),
    phh.RecordedBringIn: message("{who} brings in"),
    phh.RecordedAnswer: message("{who} answers an offer"),
    phh.RecordedGiveUp: message("{who} gives up cards"),
    phh.RecordedArrangement: message("{who} arranges cards"),
    phh.RecordedDeclaration: message("{who} declares"),
    phh.RecordedDesignation: message("{who} names what wild cards are"),
    phh.RecordedShowOrMuck: message("{who} shows or mucks"),
    phh.RecordedHoleCards: message("{who} gets cards"),
}
_BETS_TO = message("{who} bets or raises to {to:,}")
_CHIPS_OUT_OF_TURN = message("{who} puts in chips to {to:,} out of turn")
_DRAWS = plural("{who} draws {count} card", "{who} draws {count} cards")
_STANDS_PAT = message("{who} stands pat")


def file_line(name: str, kind: str, hands: int) -> str:
    """Return what a file is: its name, its form and how many hands it has."""
    return t(_READ, count=hands, name=escape.text(name, 60), kind=t(KIND_NAMES[kind]))


def outcome_line(verdict: Verdict, count: int) -> str:
    """Return how many hands of a file came out this way."""
    return t(_OUTCOMES[verdict], count=count)


def action_in_words(record: phh.RecordedHand, action_number: int) -> str:
    """Return what an action of a record says, markdown-safe; empty where there is none of that number or nobody takes it."""
    if not 0 < action_number <= len(record.best_actions):
        return ""
    action = record.best_actions[action_number - 1]
    if isinstance(action, phh.RecordedBoard):
        return ""
    who = _who(record, action.player)
    if isinstance(action, phh.RecordedDraw):
        count = len(action.cards)
        return t(_DRAWS, who=who, count=count) if count else t(_STANDS_PAT, who=who)
    if isinstance(action, phh.RecordedBetOrRaise):
        return t(_BETS_TO, who=who, to=action.to)
    if isinstance(action, phh.RecordedOutOfTurnChips):
        return t(_CHIPS_OUT_OF_TURN, who=who, to=action.to)
    return t(_ACTIONS_TOLD[type(action)], who=who)


def _who(record: phh.RecordedHand, player: int) -> str:
    names, seats = record.metadata.get("players"), record.metadata.get("_seats")
    if not isinstance(names, list) or len(names) < player or not isinstance(names[player - 1], str):
        return t(_PLAYER, number=player)
    name = escape.name(names[player - 1])
    if isinstance(seats, list) and len(seats) >= player and isinstance(seats[player - 1], int):
        return t(_PLAYER_SEAT, name=name, seat=seats[player - 1])
    return name


def fault_in_words(does: str, why: str, law: str, line: int, action_number: int) -> str:
    """Return what is wrong with a hand, where it stands and by which law: ``Line 14: Cy raises to 150, but: … Law TL-2 (raise).``"""
    told = t(_DOES, does=does, why=why) if does else why
    if law and is_law(law):  # a game of the file's own can name anything as its law
        told = t(_WITH_LAW, fault=told, law=law, title=law_title(law))
    if line and action_number:
        return t(_AT_LINE_AND_ACTION, line=line, action=action_number, fault=told)
    if line:
        return t(_AT_LINE, line=line, fault=told)
    return t(_AT_ACTION, action=action_number, fault=told) if action_number else told


def difference_in_words(field: str, stated: Sequence[int], got: Sequence[int]) -> str:
    """Return what the file says of the end, and what came out."""
    both = [join_list([number(each) for each in chips]) for chips in (stated, got)]
    return t(_DIFFERS, field=t(_FIELDS[field]), stated=both[0], got=both[1])
