"""A hand as a text file: one line for everything that happened, in the layout of the common hand histories.

An action reads as it did under the table (`bot.text.actions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards import card_text
from bot.engine.ranking import HandName
from bot.history.lines import Cards, HistoryLine, LineKind
from bot.text.actions import FACT_SEPARATOR, action_told, declaration_note
from bot.text.escape import FORMER_PLAYER
from bot.text.formatting import join_list
from bot.text.game_names import game_name
from bot.text.game_words import declaration, share_name, street_title
from bot.text.hand import VOID_REASONS, bug_note, pot_letter, pot_name, wild_cards_note
from bot.text.hand_names import hand_name
from bot.text.language import Message, message, plural, t
from bot.text.stakes import short_stakes
from bot.text.wild_cards import wild_cards_in_words

_PLAYER = message("Player {number}")
_GAME = message("Hand #{number}: {game}, {stakes}")
_CARDS = plural("{count} card", "{count} cards")
_WITH_CARDS = message("{line}: {cards}")
_IS_CARD = message("{card} is {meaning}")
_WITH_HANDS = message("{line} ({hands})")
_WITH_HAND = message("{line} with {hand}")
_WITH_ODD_CHIP = message("{line} (with the odd chip)")
_WITH_WON = message("{line}, won {won:,}")
_ENDS_WITH = message("{line}, has {chips:,}")
_CANCELLED = message("The hand is cancelled, all bets returned: {reason}")

_SENTENCES: dict[LineKind, Message] = {
    LineKind.BUTTON: message("Seat {number} has the button"),
    LineKind.STACK: message("Seat {number}: {name} ({chips:,})"),
    LineKind.CARRIED: message("In the pot from the last hand: {chips:,}"),
    LineKind.STREET: message("*** {street} ***"),
    LineKind.DEALT: message("Dealt to {name} {cards}"),
    LineKind.FOLDED_TO_PRICE: message("{name} does not pay and folds"),
    LineKind.CHIPS_OUT_OF_TURN: message("{name} puts in {chips:,} out of turn"),
    LineKind.ACTED_OUT_OF_TURN: message("{name} acted out of turn"),
    LineKind.CHIPS_FORFEITED: message("{name} loses {chips:,} put in out of turn"),
    LineKind.UNCALLED: message("{chips:,} back to {name}, uncalled"),
    LineKind.WANTS_TWO_BOARDS: message("{name} wants the rest dealt twice"),
    LineKind.WANTS_ONE_BOARD: message("{name} wants the rest dealt once"),
    LineKind.PASSED_CARDS: message("{name} passes {cards}"),
    LineKind.GAVE_UP_CARDS: message("{name} discards {cards}"),
    LineKind.ARRANGED: message("{name} arranges {cards}"),
    LineKind.ROLLED_OUT: message("{name} turns up {cards}"),
    LineKind.RUN_OUT: message("The rest of the board is dealt {number} times"),
    LineKind.SHOWDOWN: message("*** Showdown ***"),
    LineKind.ALL_IN_SHOWDOWN: message("*** All-in: hands are turned up ***"),
    LineKind.NAMED_CARDS: message("{name} says: {meanings}"),
    LineKind.SHOWED: message("{name} shows {cards}"),
    LineKind.MUCKED: message("{name} mucks"),
    LineKind.OPENED_ON: message("{name} shows openers {cards}"),
    LineKind.MATCHED: message("{name} matches the pot for the next hand: {chips:,}"),
    LineKind.NOBODY_OPENED: message("Nobody opens: {chips:,} stay in the pot for the next hand"),
    LineKind.SUMMARY: message("*** Summary ***"),
    LineKind.FINAL_FOLDED: message("Seat {number}: {name} folded"),
    LineKind.FINAL_SHOWED: message("Seat {number}: {name} showed {cards}"),
    LineKind.FINAL_MUCKED: message("Seat {number}: {name} mucked"),
    LineKind.FINAL_NOT_SHOWN: message("Seat {number}: {name} did not show"),
}
"""The lines that are one sentence. The others are put together below."""
_RESHUFFLED = plural(
    "The deck has run out: {count} dead card is shuffled in", "The deck has run out: {count} dead cards are shuffled in"
)
_DEALT_TO_BOARD = message("Dealt to the board {cards}")
_DEALT_TO_BOARD_NUMBER = message("Dealt to board {number} {cards}")
_FINAL_BOARD = message("Board {cards}")
_FINAL_BOARD_NUMBER = message("Board {number} {cards}")
_WINS_POT = message("{name} wins {chips:,} from the pot")
_WINS_MAIN_POT = message("{name} wins {chips:,} from the main pot")
_WINS_SIDE_POT = message("{name} wins {chips:,} from the side pot")
_WINS_LETTERED_SIDE_POT = message("{name} wins {chips:,} from side pot {letter}")
_FOR_SHARE = message("{line} for {share}")
_ON_BOARD = message("{line} on board {board}")

_FINAL = frozenset({LineKind.FINAL_FOLDED, LineKind.FINAL_SHOWED, LineKind.FINAL_MUCKED, LineKind.FINAL_NOT_SHOWN})


def hand_as_text(lines: Iterable[HistoryLine], names: Sequence[str] = (), number: int = 1) -> str:
    """Write a hand as text.

    Args:
        names: of the players by seat index; without them they are ``Player 1`` and so on.
        number: the number that the hand has at its table.
    """
    players = [" ".join(name.split()) or t(FORMER_PLAYER) for name in names]
    told = list(lines)
    compared = [hand for line in told for hand in line.hands]
    return "".join(f"{_line(line, players, number, compared)}\n" for line in told)


def _line(line: HistoryLine, players: Sequence[str], hand_number: int, compared: Sequence[HandName]) -> str:
    """One line, as its kind is told. `compared` are all the hands that the history names."""
    name = _name(line, players)
    match line.kind:
        case LineKind.GAME:
            assert line.stakes is not None, "the first line tells the stakes"
            stakes = short_stakes(line.stakes, ante=line.ante_rule, limit=line.limit)
            return t(_GAME, number=hand_number, game=game_name(line.word), stakes=stakes)
        case LineKind.WILD:
            assert line.wild_cards is not None, "the line tells what is wild"
            is_bug = line.word == "bug"
            wild = wild_cards_note(wild_cards_in_words(line.wild_cards), jokers=0 if is_bug else line.number)
            bug = bug_note(line.number) if is_bug and line.number else ""
            return FACT_SEPARATOR.join(part for part in (wild, bug) if part)
        case LineKind.ACTION:
            assert line.action is not None, "an action tells what was done"
            told = action_told(line.action, name)
            return t(_WITH_CARDS, line=told, cards=_cards(line.cards)) if line.cards else told
        case LineKind.DECLARED:
            return f"{name} {declaration_note(line.word)}"
        case LineKind.RESHUFFLED:
            return t(_RESHUFFLED, count=line.number)
        case LineKind.BOARD:
            return t(_DEALT_TO_BOARD_NUMBER if line.number else _DEALT_TO_BOARD, **_values(line, name))
        case LineKind.FINAL_BOARD:
            return t(_FINAL_BOARD_NUMBER if line.number else _FINAL_BOARD, **_values(line, name))
        case LineKind.WON:
            return _won(line, name, compared)
        case LineKind.POTS:
            count = len(line.pots)
            return " | ".join(pot_name(index, count, chips) for index, chips in enumerate(line.pots))
        case LineKind.CANCELLED:
            return t(_CANCELLED, reason=_reason(line.word))
    said = t(_SENTENCES[line.kind], **_values(line, name))
    if line.hands:
        said = t(
            _WITH_HANDS, line=said, hands="; ".join(dict.fromkeys(hand_name(hand, compared) for hand in line.hands))
        )
    if line.kind in _FINAL:
        said = t(_WITH_WON, line=said, won=line.won) if line.won else said
        said = t(_ENDS_WITH, line=said, chips=line.chips)
    return said


def _won(line: HistoryLine, name: str, compared: Sequence[HandName]) -> str:
    """Who wins what of which pot, and with which hand: ``Ann wins 450 from the main pot for high with a pair of aces``."""
    said = t(_wins_wording(line), **_values(line, name))
    if line.word:
        said = t(_FOR_SHARE, line=said, share=share_name(line.word))
    if line.board:
        said = t(_ON_BOARD, line=said, board=line.board)
    if line.hands:
        said = t(_WITH_HAND, line=said, hand=hand_name(line.hands[0], compared))
    return t(_WITH_ODD_CHIP, line=said) if line.odd_chips else said


def _wins_wording(line: HistoryLine) -> Message:
    if line.pot_count == 1:
        return _WINS_POT
    if not line.number:
        return _WINS_MAIN_POT
    return _WINS_SIDE_POT if line.pot_count == 2 else _WINS_LETTERED_SIDE_POT


def _values(line: HistoryLine, name: str) -> dict[str, object]:
    """The facts of a line, by the names that the messages use."""
    return {
        "name": name,
        "number": line.number,
        "chips": line.chips,
        "cards": _cards(line.cards),
        "street": street_title(line.word),
        "meanings": _meanings(line) if line.kind is LineKind.NAMED_CARDS else "",
        "letter": pot_letter(line.number),
    }


def _name(line: HistoryLine, players: Sequence[str]) -> str:
    if line.seat < 0:
        return ""
    return players[line.seat] if players else t(_PLAYER, number=line.seat + 1)


def _reason(reason: str) -> str:
    """Why a hand was cancelled; the words of staff as they stand, on one line."""
    known = VOID_REASONS.get(reason)
    return t(known) if known is not None else " ".join(reason.split())


def _cards(cards: Cards) -> str:
    """Cards in brackets; one that the reader cannot know is ``??``. Where they know none, how many there are."""
    if all(card is None for card in cards):
        return t(_CARDS, count=len(cards))
    return "[" + " ".join("??" if card is None else card_text(card) for card in cards) + "]"


def _meanings(line: HistoryLine) -> str:
    """What wild cards stand for, and how aces count: ``Td is As, aces high``."""
    cards = [card_text(card) for card in line.cards if card is not None]
    said = [t(_IS_CARD, card=card, meaning=meaning) for card, meaning in zip(cards[::2], cards[1::2], strict=True)]
    return join_list([*said, declaration(line.word)] if line.word else said)
