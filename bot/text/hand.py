"""The public words of a hand: the running hand, its result, the log, the notice after a restart."""

from __future__ import annotations

from bot.engine.events import VoidReason
from bot.text import escape
from bot.text.formatting import NBSP, join_list
from bot.text.language import Message, message, plural, t

# names and places

TABLE = message("Table {number}")
HAND = message("Hand #{number}")
SEAT = message("Seat\u00a0{number}")
DEALER = message("{name} (dealer)")
ALL_IN = message("all-in")
ALL_IN_HEADING = message("All-in")
ALL_IN_STREET = message("All-in · {street}")
MIXTURE_GAME = message("{mixture} · {game}")
SMALL_PRINT = message("{table} · {game} {stakes} · Hand #{number}")
SMALL_PRINT_OF_FILE = message("Your file · {game} {stakes} · Hand #{number}")
TABLE_AND_GAME = message("{table} · {game} {stakes}")
FILE_AND_GAME = message("Your file · {game} {stakes}")
PRACTICE = message("{small_print} · practice")
WILD_CARD = message("{card} (wild)")
DESIGNATED_CARD = message("{card} as {meaning}")

# the running hand

HEADING = message("### {street} · Pot {chips:,}")
FOLDED = message("-# Folded: {players}")
DEALER_BUTTON = message("-# Dealer button at seat\u00a0{number}")
MAIN_CHIPS = message("main {chips:,}")
SIDE_CHIPS = message("side {chips:,}")
POT_CHIPS = message("pot {chips:,}")
LETTERED_SIDE_CHIPS = message("side {letter} {chips:,}")
BET_CHIPS = message("bets {chips:,}")

WILD = message("Wild: {cards}")
_THE_JOKER = message("the joker")
_THE_JOKERS = message("the jokers")
_BUG = message("The joker is a bug")
_BUGS = message("The jokers are bugs")
OPENERS = message("Openers: a pair of {ranks} or better")

# the odds of an all-in run-out, beside each open hand

_PERCENT = message("{percent} %")
_ABOUT_PERCENT = message("≈ {percent} %")  # Translators: about, because it is an estimate
_TO_WIN = message("{percent} to win")  # Translators: 62 % to win
_OF_THE_POT = message("{percent} of the pot")  # Translators: what a hand can expect where the pot is divided
_SPLIT_CHANCE = message("Split pot: {percent}")

# the result

WINS = message("{name} wins {chips:,}")
WON = message("{name} won {chips:,}")
MORE_WINNERS = plural("{count} more", "{count} more")
CANCELLED = message("Hand #{number} was cancelled")
OVER = message("Hand #{number} is over")
EVERYBODY_OUT = message("Everyone is out · {carried}")
NOBODY_OPENED = message("Nobody opened · {carried}")
TAKES_BACK = message("{name} takes back {chips:,}")
CARRIED = message("The next pot starts at {chips:,}")
NOTHING_CARRIED = message("no chips in the pot")

ENDED_CANCELLED = message("Cancelled")
ENDED_PASSED_OUT = message("Nobody won")
ENDED_NO_SHOWDOWN = message("No showdown")

SHRUNK_HAND = message("**Hand #{number}** · {outcome}")
SHRUNK_CANCELLED = message("cancelled, all bets returned")
SHRUNK_PASSED_OUT = message("nobody won · {carried}")
SHRUNK_NOBODY_CALLED = message("nobody called the forced bet")
SHRUNK_NO_SHOWDOWN = message("no showdown")
SHRUNK_UNCONTESTED_HANDS = message("**Hands #{first}–{last}** · no showdown")
SHRUNK_WON_WITH = message("{name} won {chips:,} with {hand}")
LAST_HAND = message("Last hand: {outcome}")
SHOWN_BY_STREET = message("Shown street by street. Press **My hand** here to see every action again.")
SHRUNK_AGAINST = message("{outcome} against {names}")

POT = message("Pot {chips:,}")
MAIN_POT = message("Main pot {chips:,}")
SIDE_POT = message("Side pot {chips:,}")
LETTERED_SIDE_POT = message("Side pot {letter} {chips:,}")
POT_TO = message("**{pot}** → {winners}")
BOARD_TO = message("Board {number} → {winners}")
ON_BOARD = message("board {number}: {hand}")
SHARE_TO = message("{share} {name} {chips:,}")
NO_SHARE = message("no {share}")
NAME_CHIPS = message("{name} {chips:,}")
ODD_CHIP = plural("-# odd chip to {names}", "-# odd chips to {names}")

SHOWS_OPENERS = message("-# {name} shows openers {cards}")
MUCKS = message("{name} mucks")
SHOWS_CARDS = message("{name} shows {cards}")
MUCKS_BESIDE = message("{name} {cards} · mucks")
UNCALLED = message("-# {chips:,} back to {name}, uncalled")
DECLARED = message("-# Declared: {players}")
NAME_DECLARED = message("{name} {word}")
MATCHED = message("-# Lost and matched the pot: {players}")
UNDEALT = message("-# Undealt: {cards}")
UNDEALT_ON_BOARD = message("-# Undealt on board {number}: {cards}")
READ_ON = message("-# … `/hand` shows the rest")

BETS_RETURNED = message("All bets are returned.")
BETS_RETURNED_BECAUSE = message("All bets are returned: {reason}.")
VOID_REASONS: dict[str, Message] = {
    VoidReason.NO_WILD_RANK: message("no card came up that makes a rank wild"),
    VoidReason.IRREGULAR_DEAL: message("the deal was irregular"),
    VoidReason.LOST_CARDS: message("the order of the cards was lost"),
    VoidReason.ROLLED_BACK: message("the table was restored from a backup"),
    VoidReason.DEALER_FAULT: message("the dealer could not go on"),
    VoidReason.CHANNEL_GONE: message("the channel is gone"),
    VoidReason.EVENT_CANCELLED: message("what was played here is cancelled"),
}
"""Why the dealer cancelled a hand."""
NEXT_HAND = message("-# Next hand {time}")
NEXT_HAND_AND_DEALER = message("-# Next hand {time} · dealer moves to {seat}")

# the log of a hand

LOG_HEADING = message("### Hand #{number}")
LOG_STREET = message("{street} — {actions}")
NO_BETTING = message("no betting")
LOG_BOARD = message("**Board** {cards}")
LOG_OWN_CARDS = message("Your cards {cards}")

# around a restart

DEALER_AWAY = message("The dealer is away. The clocks stand still, and the game goes on when it is back.")
RESTART_CANCELLED = message("The bot restarted. Hand #{number} was cancelled, all bets returned.\n-# Law I-1")
RESTART_GOES_ON = message("The bot restarted. Hand #{number} goes on.")
RESTART_TURN = message("The bot restarted. Hand #{number} goes on, it is **{name}**'s turn.")
RESTART_TURN_ENDS = message("-# The turn ends {time}")


def void_reason(reason: str) -> str:
    """Why a hand was cancelled; the words of staff as they stand, and those of a hand stored by an older version."""
    known = VOID_REASONS.get(reason)
    return t(known) if known is not None else escape.text(reason)


def pot_name(index: int, count: int, chips: int) -> str:
    """What a pot is called, with its chips: ``Pot 900``; ``Main pot 900``, ``Side pot 300``; ``Side pot A 300``, ``Side pot B 120``."""
    if count <= 1:
        return t(POT, chips=chips)
    if not index:
        return t(MAIN_POT, chips=chips)
    return t(SIDE_POT, chips=chips) if count == 2 else t(LETTERED_SIDE_POT, letter=pot_letter(index), chips=chips)


def pot_chips(index: int, count: int, chips: int) -> str:
    """A pot in small print, where several lie on the table: ``main 4,200``, ``side A 1,850``."""
    if not index:
        return t(MAIN_CHIPS, chips=chips)
    return t(SIDE_CHIPS, chips=chips) if count == 2 else t(LETTERED_SIDE_CHIPS, letter=pot_letter(index), chips=chips)


def pot_letter(index: int) -> str:
    """The letter of a side pot where there are several: ``A`` for the first."""
    return chr(ord("A") + index - 1)


def wild_cards_note(cards: list[str], *, jokers: int) -> str:
    """Say what is wild: ``Wild: queens, the ace of spades, the joker``. `cards` are the words of cards and of classes of cards."""
    named = [*cards, t(_THE_JOKERS if jokers > 1 else _THE_JOKER)] if jokers else cards
    return t(WILD, cards=join_list(named)) if named else ""


def bug_note(jokers: int) -> str:
    """Say that the joker is a bug."""
    return t(_BUGS if jokers > 1 else _BUG)


def percent(value: int, *, is_estimate: bool) -> str:
    """``62 %``, or ``≈ 62 %`` for an estimate, in one piece."""
    return t(_ABOUT_PERCENT if is_estimate else _PERCENT, percent=value).replace(" ", NBSP)


def chance(value: int, *, of_pot: bool, is_estimate: bool) -> str:
    """What an open hand can expect in a run-out: ``62 % to win``; ``62 % of the pot`` where that is divided anyway."""
    return t(_OF_THE_POT if of_pot else _TO_WIN, percent=percent(value, is_estimate=is_estimate))


def split_chance(value: int, *, is_estimate: bool) -> str:
    """``Split pot: 5 %``."""
    return t(_SPLIT_CHANCE, percent=percent(value, is_estimate=is_estimate))
