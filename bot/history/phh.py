"""Recorded hands in PHH, the poker hand history format: TOML files read into values and written back.

Reading checks the form alone; what can be played is the engine's business. Players are numbered as the file numbers
them: 1 is the first seat left of the button (in stud the first seat dealt), the last is the button; heads-up, 1 is
the big blind and 2 the button. Amounts are whole chips, and a bet or raise is a street total. Fields that begin with
an underscore are extensions: those with the expected results of a hand are read into fields of their own, all others
are kept as they are.

Games outside the standard need more verbs than it has. These are extensions of ours: ``p2 ok`` and ``p2 no`` answer
an offer (a straddle, a price, a card to turn up, running the board twice), ``p2 gv AsKd`` gives cards up or passes
them, ``p2 ar AsKdQc`` puts cards in the order in which they will be turned up, ``p2 dc high`` declares, ``p2 er 300``
puts chips in before its turn, ``p2 as 2cAs JkKd aces_high`` announces what wild cards stand for and how aces play.
"""

import datetime as dt
import re
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from bot.engine import cards
from bot.engine.errors import TableError, UnknownCard
from bot.engine.stakes import MAX_CHIPS
from bot.history.toml_depth import nests_too_deep
from bot.history.validate_card import CardFault


class RecordedHoleCards(msgspec.Struct, frozen=True, tag=True):
    """Cards dealt to a player, face down or up as the game has it. None is a card nobody saw."""

    player: int
    cards: tuple[int | None, ...]


class RecordedBoard(msgspec.Struct, frozen=True, tag=True):
    """Cards dealt to the board."""

    cards: tuple[int | None, ...]


class RecordedDraw(msgspec.Struct, frozen=True, tag=True):
    """A player's draw: the cards thrown away, none for standing pat."""

    player: int
    cards: tuple[int | None, ...]


class RecordedBringIn(msgspec.Struct, frozen=True, tag=True):
    """A player brings in."""

    player: int


class RecordedFold(msgspec.Struct, frozen=True, tag=True):
    """A player folds."""

    player: int


class RecordedCheckOrCall(msgspec.Struct, frozen=True, tag=True):
    """A player checks or calls, whichever the moment asks for."""

    player: int


class RecordedBetOrRaise(msgspec.Struct, frozen=True, tag=True):
    """A player completes, bets or raises to a street total in chips."""

    player: int
    to: int


class RecordedShowOrMuck(msgspec.Struct, frozen=True, tag=True):
    """A player shows cards, or mucks when there are none. `shown` alone (written ``-``) shows what was dealt."""

    player: int
    cards: tuple[int | None, ...] = ()
    shown: bool = True


class RecordedAnswer(msgspec.Struct, frozen=True, tag=True):
    """A player's yes or no to what is offered (an extension)."""

    player: int
    yes: bool


class RecordedGiveUp(msgspec.Struct, frozen=True, tag=True):
    """Cards that a player gives up without exchange, or passes on (an extension)."""

    player: int
    cards: tuple[int | None, ...]


class RecordedArrangement(msgspec.Struct, frozen=True, tag=True):
    """The order in which a player will turn their cards up (an extension)."""

    player: int
    cards: tuple[int | None, ...]


class RecordedDeclaration(msgspec.Struct, frozen=True, tag=True):
    """A player's word: ``high``, ``in`` (an extension). Written with an underscore for a space."""

    player: int
    word: str


class RecordedOutOfTurnChips(msgspec.Struct, frozen=True, tag=True):
    """A player puts chips in out of turn, to a street total (an extension)."""

    player: int
    to: int


class RecordedDesignation(msgspec.Struct, frozen=True, tag=True):
    """What a player announces when they show: pairs of a wild card and the card it stands for, and a word on aces (an
    extension)."""

    player: int
    designations: tuple[tuple[int, int], ...] = ()
    ace_word: str = ""


RecordedAction = (
    RecordedHoleCards
    | RecordedBoard
    | RecordedDraw
    | RecordedBringIn
    | RecordedFold
    | RecordedCheckOrCall
    | RecordedBetOrRaise
    | RecordedShowOrMuck
    | RecordedAnswer
    | RecordedGiveUp
    | RecordedArrangement
    | RecordedDeclaration
    | RecordedOutOfTurnChips
    | RecordedDesignation
)
"""One entry of a file's actions."""


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand as recorded. Tuples run in the file's order; `by_player` turns forced bets to the players' own.

    Attributes:
        variant: the game's code, ``NT`` or ``F7S/8``, as the format's standard or an extension of it has it.
        ante_trimming_status: True where a short ante wins only what it matches; False where antes are dead money.
        antes: one for each player.
        blinds_or_straddles: one for each player; a negative one is a newcomer's live post. Empty in stud.
        bring_in, small_bet, big_bet, min_bet: in chips, None where the game has none.
        starting_stacks: in chips.
        actions: as recorded.
        finishing_stacks: expected stacks without rake, or None.
        filled_actions: the same hand with every card known and every hand at the showdown shown, or None.
        pots_by_street: expected pot after each betting round, uncalled bets returned, or None.
        final_pots: expected main pot and side pots, or None.
        metadata: every other field of the file, as TOML has it, in the file's order.
    """

    variant: str
    ante_trimming_status: bool = False
    antes: tuple[int, ...]
    blinds_or_straddles: tuple[int, ...] = ()
    bring_in: int | None = None
    small_bet: int | None = None
    big_bet: int | None = None
    min_bet: int | None = None
    starting_stacks: tuple[int, ...]
    actions: tuple[RecordedAction, ...]
    finishing_stacks: tuple[int, ...] | None = None
    filled_actions: tuple[RecordedAction, ...] | None = None
    pots_by_street: tuple[int, ...] | None = None
    final_pots: tuple[int, ...] | None = None
    metadata: Mapping[str, object] = {}

    @property
    def player_count(self) -> int:
        """Return how many were dealt in."""
        return len(self.starting_stacks)

    @property
    def best_actions(self) -> tuple[RecordedAction, ...]:
        """The actions to replay: those with every card known where the file has them."""
        return self.actions if self.filled_actions is None else self.filled_actions

    def by_player(self, posts: tuple[int, ...]) -> tuple[int, ...]:
        """Turn `antes` or `blinds_or_straddles` to the players' order.

        With two players the file lists the button's post first, though the button is player 2.
        """
        return posts[::-1] if self.player_count == 2 else posts


class PhhFault(StrEnum):
    """What is wrong with a file. `PhhError.detail` is what each value calls for."""

    NOT_TOML = "not toml"
    NOT_TOML_FROM_LINE = "not toml from line"  # detail: the number of the line
    BREAKS_OFF = "breaks off"
    NESTS_TOO_DEEP = "nests too deep"
    MISSING = "missing"
    TOO_FEW_PLAYERS = "too few players"
    NOT_AN_ACTION = "not an action"  # detail: the line
    NOT_A_POST = "not a post"  # detail: the line
    NOT_A_CARD = "not a card"  # detail: the word
    NOT_A_PLAYER = "not a player"  # detail: the word
    NOT_A_LIST = "not a list"
    NOT_A_WORD = "not a word"  # detail: the value
    NOT_TRUE_OR_FALSE = "not true or false"  # detail: the value
    NOT_A_WHOLE_NUMBER = "not a whole number"  # detail: the value
    WRONG_LENGTH = "wrong length"  # detail: how many players there are
    OUT_OF_BOUNDS = "out of bounds"  # detail: the value
    INVALID_VALUE = "invalid value"
    UNKNOWN_VALUE = "unknown value"  # detail: the value
    INVALID_RULES = "invalid rules"  # the details are in `PhhError.card_fault`
    CANNOT_BE_DEALT = "cannot be dealt"
    UNKNOWN_GAME = "unknown game"  # detail: the variant


class PhhError(TableError):
    """A file that is no recorded hand.

    Attributes:
        detail: what the fault is about, as the file has it.
        field: the field at fault, in the file's spelling; empty for the file as a whole.
        within: where in the field that is, such as ``.steps[2].count``; empty for all of it.
        action_number: the number of the action at fault, from 1, or None.
        card_fault: what is wrong with the rule card that the file brings.
    """

    fault: PhhFault
    detail: str = ""
    field: str = ""
    within: str = ""
    action_number: int | None = None
    card_fault: CardFault | None = None


_FIELDS = (
    "variant",
    "ante_trimming_status",
    "antes",
    "blinds_or_straddles",
    "bring_in",
    "small_bet",
    "big_bet",
    "min_bet",
    "starting_stacks",
    "actions",
    "finishing_stacks",
    "_filled_actions",
    "_pots_by_street",
    "_final_pots",
)
_REQUIRED_FIELDS = ("variant", "antes", "starting_stacks", "actions")
_LINE_PATTERN = re.compile(r"\(at\sline\s(\d+),\scolumn\s\d+\)$")
_END_PATTERN = re.compile(r"\(at\send\sof\sdocument\)$")
_PLAYER_PATTERN = re.compile(r"p([1-9][0-9]?)")


def _toml_error(said: str) -> PhhError:
    """Return the error for what the parser of TOML says."""
    line = _LINE_PATTERN.search(said)
    if line is not None:
        return PhhError(fault=PhhFault.NOT_TOML_FROM_LINE, detail=line[1])
    return PhhError(fault=PhhFault.BREAKS_OFF if _END_PATTERN.search(said) else PhhFault.NOT_TOML)


def parse(text: str) -> RecordedHand:
    """Read one recorded hand from the text of its file.

    Raises:
        PhhError: it is no TOML, nests too deep, a field is missing or malformed, or an action cannot be read.
    """
    if nests_too_deep(text):
        raise PhhError(fault=PhhFault.NESTS_TOO_DEEP)
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number with too many digits to read
        raise _toml_error(str(error)) from error
    missing = [name for name in _REQUIRED_FIELDS if name not in fields]
    if missing:
        raise PhhError(fault=PhhFault.MISSING, field=missing[0])
    starting_stacks = _amounts_field(fields, "starting_stacks") or ()
    players = len(starting_stacks)
    if players < 2:
        raise PhhError(fault=PhhFault.TOO_FEW_PLAYERS, field="starting_stacks")
    filled = fields.get("_filled_actions")
    return RecordedHand(
        variant=_text_field(fields, "variant"),
        ante_trimming_status=_bool_field(fields, "ante_trimming_status"),
        antes=_amounts_field(fields, "antes", players) or (),
        blinds_or_straddles=_amounts_field(fields, "blinds_or_straddles", players, minimum=None) or (),
        bring_in=_amount_field(fields, "bring_in"),
        small_bet=_amount_field(fields, "small_bet"),
        big_bet=_amount_field(fields, "big_bet"),
        min_bet=_amount_field(fields, "min_bet"),
        starting_stacks=starting_stacks,
        actions=_parse_actions(fields["actions"], "actions", players),
        finishing_stacks=_amounts_field(fields, "finishing_stacks", players),
        filled_actions=None if filled is None else _parse_actions(filled, "_filled_actions", players),
        pots_by_street=_amounts_field(fields, "_pots_by_street"),
        final_pots=_amounts_field(fields, "_final_pots"),
        metadata={name: value for name, value in fields.items() if name not in _FIELDS},
    )


def write(hand: RecordedHand) -> str:
    """Write a hand as the text of a PHH file, one field a line. `parse` reads the same hand from it."""
    values: dict[str, object] = {
        "variant": hand.variant,
        "ante_trimming_status": hand.ante_trimming_status,
        "antes": hand.antes,
        "blinds_or_straddles": hand.blinds_or_straddles or None,
        "bring_in": hand.bring_in,
        "small_bet": hand.small_bet,
        "big_bet": hand.big_bet,
        "min_bet": hand.min_bet,
        "starting_stacks": hand.starting_stacks,
        "actions": [write_action(action) for action in hand.actions],
        "finishing_stacks": hand.finishing_stacks,
        "_filled_actions": None if hand.filled_actions is None else [write_action(a) for a in hand.filled_actions],
        "_pots_by_street": hand.pots_by_street,
        "_final_pots": hand.final_pots,
        **hand.metadata,
    }
    return "".join(f"{_toml_key(name)} = {_toml_value(value)}\n" for name, value in values.items() if value is not None)


def parse_action(line: str, players: int, *, field: str = "actions", number: int = 1) -> RecordedAction | None:
    """Read one action; None for a line that is only a comment.

    `field` and `number` tell where the line stands, for the error.

    Raises:
        PhhError: it names no action, no player of the hand, no card or no whole amount.
    """
    words = line.partition("#")[0].split()
    try:
        match words:
            case []:
                return None
            case ["d", "dh", who, dealt]:
                return RecordedHoleCards(_parse_player(who, players), _parse_cards(dealt))
            case ["d", "db", dealt]:
                return RecordedBoard(_parse_cards(dealt))
            case [who, "sd", *thrown] if len(thrown) < 2:
                return RecordedDraw(_parse_player(who, players), _parse_cards("".join(thrown)))
            case [who, "pb"]:
                return RecordedBringIn(_parse_player(who, players))
            case [who, "f"]:
                return RecordedFold(_parse_player(who, players))
            case [who, "cc"]:
                return RecordedCheckOrCall(_parse_player(who, players))
            case [who, "cbr", to]:
                return RecordedBetOrRaise(_parse_player(who, players), _parse_chips(to))
            case [who, "sm"]:
                return RecordedShowOrMuck(_parse_player(who, players), (), shown=False)
            case [who, "sm", "-"]:
                return RecordedShowOrMuck(_parse_player(who, players))
            case [who, "sm", shown]:
                return RecordedShowOrMuck(_parse_player(who, players), _parse_cards(shown))
            case [who, ("ok" | "no") as answer]:
                return RecordedAnswer(_parse_player(who, players), answer == "ok")
            case [who, "gv", given]:
                return RecordedGiveUp(_parse_player(who, players), _parse_cards(given))
            case [who, "ar", order]:
                return RecordedArrangement(_parse_player(who, players), _parse_cards(order))
            case [who, "dc", word]:
                return RecordedDeclaration(_parse_player(who, players), word.replace("_", " "))
            case [who, "er", to]:
                return RecordedOutOfTurnChips(_parse_player(who, players), _parse_chips(to))
            case [who, "as", *said]:
                return _parse_designation(_parse_player(who, players), said)
            case _:
                raise PhhError(fault=PhhFault.NOT_AN_ACTION, detail=line)
    except UnknownCard as error:
        raise PhhError(fault=PhhFault.NOT_A_CARD, detail=error.word, field=field, action_number=number) from error
    except PhhError as error:
        error.field, error.action_number = field, number
        raise


def write_action(action: RecordedAction) -> str:
    """Write one action as the file has it: ``p3 cbr 225``."""
    match action:
        case RecordedHoleCards(player, dealt):
            return f"d dh p{player} {_cards_text(dealt)}"
        case RecordedBoard(dealt):
            return f"d db {_cards_text(dealt)}"
        case RecordedDraw(player, thrown):
            return f"p{player} sd {_cards_text(thrown)}".rstrip()
        case RecordedBringIn(player):
            return f"p{player} pb"
        case RecordedFold(player):
            return f"p{player} f"
        case RecordedCheckOrCall(player):
            return f"p{player} cc"
        case RecordedBetOrRaise(player, to):
            return f"p{player} cbr {to}"
        case RecordedShowOrMuck(player, shown, visible):
            return f"p{player} sm {_cards_text(shown) or ('-' if visible else '')}".rstrip()
        case RecordedAnswer(player, yes):
            return f"p{player} {'ok' if yes else 'no'}"
        case RecordedGiveUp(player, given):
            return f"p{player} gv {_cards_text(given)}"
        case RecordedArrangement(player, order):
            return f"p{player} ar {_cards_text(order)}"
        case RecordedDeclaration(player, word):
            return f"p{player} dc {word.replace(' ', '_')}"
        case RecordedOutOfTurnChips(player, to):
            return f"p{player} er {to}"
        case RecordedDesignation(player, as_cards, word):
            said = [_cards_text(pair) for pair in as_cards] + [word.replace(" ", "_")]
            return f"p{player} as {' '.join(said)}".rstrip()


def _parse_actions(value: object, field: str, players: int) -> tuple[RecordedAction, ...]:
    if not isinstance(value, list):
        raise PhhError(fault=PhhFault.NOT_A_LIST, field=field)
    found: list[RecordedAction] = []
    for number, line in enumerate(value, start=1):
        if not isinstance(line, str):
            raise PhhError(fault=PhhFault.NOT_AN_ACTION, detail=str(line), field=field, action_number=number)
        action = parse_action(line, players, field=field, number=number)
        if action is not None:
            found.append(action)
    return tuple(found)


def _parse_player(word: str, players: int) -> int:
    found = _PLAYER_PATTERN.fullmatch(word)
    if found is None or int(found[1]) > players:
        raise PhhError(fault=PhhFault.NOT_A_PLAYER, detail=word)
    return int(found[1])


def _parse_cards(word: str) -> tuple[int | None, ...]:
    if len(word) % 2:
        raise UnknownCard(word=word)
    pairs = (word[at : at + 2] for at in range(0, len(word), 2))
    return tuple(None if pair == "??" else cards.parse_card(pair) for pair in pairs)


def _parse_designation(player: int, said: list[str]) -> RecordedDesignation:
    pairs, word = [], ""
    for entry in said:
        if "_" in entry:
            word = entry.replace("_", " ")
        elif len(entry) == 4:
            pairs.append((cards.parse_card(entry[:2]), cards.parse_card(entry[2:])))
        else:
            raise UnknownCard(word=entry)
    return RecordedDesignation(player, tuple(pairs), word)


def _cards_text(dealt: Iterable[int | None]) -> str:
    return "".join("??" if card is None else cards.card_text(card) for card in dealt)


def _parse_chips(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= len(str(MAX_CHIPS))) or int(word) > MAX_CHIPS:
        raise PhhError(fault=PhhFault.NOT_A_WHOLE_NUMBER, detail=word)
    return int(word)


def _text_field(fields: Mapping[str, object], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise PhhError(fault=PhhFault.NOT_A_WORD, detail=str(value), field=name)
    return value


def _bool_field(fields: Mapping[str, object], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise PhhError(fault=PhhFault.NOT_TRUE_OR_FALSE, detail=str(value), field=name)
    return value


def _amount_field(fields: Mapping[str, object], name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else _whole_chips(value, name, 0)


def _amounts_field(
    fields: Mapping[str, object], name: str, players: int | None = None, minimum: int | None = 0
) -> tuple[int, ...] | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise PhhError(fault=PhhFault.NOT_A_LIST, field=name)
    if players is not None and len(value) != players:
        raise PhhError(fault=PhhFault.WRONG_LENGTH, detail=str(players), field=name)
    return tuple(_whole_chips(entry, name, minimum) for entry in value)


def _whole_chips(value: object, name: str, minimum: int | None) -> int:
    """Read a whole number of chips. Floats are refused even when whole: chips are counted, never measured."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_CHIPS:
        raise PhhError(fault=PhhFault.NOT_A_WHOLE_NUMBER, detail=str(value), field=name)
    if minimum is not None and value < minimum:
        raise PhhError(fault=PhhFault.OUT_OF_BOUNDS, detail=str(value), field=name)
    return value


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml_string(name)


def _toml_value(value: object) -> str:
    """Write a value as TOML: the types that `tomllib` reads, and tuples as arrays."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value)
        case str():
            return _toml_string(value)
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(_toml_value(entry) for entry in value)}]"
        case dict():
            return (
                "{" + ", ".join(f"{_toml_key(str(name))} = {_toml_value(entry)}" for name, entry in value.items()) + "}"
            )
        case _:
            raise TypeError(f"{type(value).__name__} cannot be written to a PHH file")


def _toml_string(text: str) -> str:
    """Quote a text: literally where that can be done, else with escapes."""
    if text.isprintable() and "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
