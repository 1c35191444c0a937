"""Recorded hands in PHH, the poker hand history format: TOML files read into values and written back.

Reading rules on form alone: what may be played is the engine's to say. Players are numbered as the file numbers them:
1 is the first seat left of the button (in stud the first seat dealt), the last is the button; of two, 1 is the big
blind and 2 the button. Amounts are whole chips, and a bet or raise is a street total. Fields that begin with an
underscore are extensions: those with the expected results of a hand are read into fields of their own, all others are
kept as they are.

Games outside the standard need more verbs than it has. These are extensions of ours: ``p2 ok`` and ``p2 no`` answer an
offer (a straddle, a price, a card to turn up, running the board twice), ``p2 gv AsKd`` gives cards up or passes them,
``p2 ar AsKdQc`` puts cards in the order in which they will be turned up, ``p2 dc high`` declares, ``p2 er 300`` puts
chips in before its turn, ``p2 as 2cAs JkKd aces_high`` says what wild cards stand for and how aces play.
"""

import datetime as dt
import re
import tomllib
from collections.abc import Iterable, Mapping

import msgspec

from bot.engine import cards
from bot.engine.errors import TableError, UnknownCard
from bot.engine.stakes import CHIPS_MAX


class DealHole(msgspec.Struct, frozen=True, tag=True):
    """Cards dealt to a player, face down or up as the game has it. None is a card nobody saw."""

    player: int
    cards: tuple[int | None, ...]


class DealBoard(msgspec.Struct, frozen=True, tag=True):
    """Cards dealt to the board."""

    cards: tuple[int | None, ...]


class StandOrDiscard(msgspec.Struct, frozen=True, tag=True):
    """A player's draw: the cards thrown away, none for standing pat."""

    player: int
    cards: tuple[int | None, ...]


class PostBringIn(msgspec.Struct, frozen=True, tag=True):
    """A player brings in."""

    player: int


class Fold(msgspec.Struct, frozen=True, tag=True):
    """A player drops."""

    player: int


class CheckCall(msgspec.Struct, frozen=True, tag=True):
    """A player checks or calls, whichever the moment asks for."""

    player: int


class BetRaiseTo(msgspec.Struct, frozen=True, tag=True):
    """A player completes, bets or raises to a street total in chips."""

    player: int
    to: int


class ShowMuck(msgspec.Struct, frozen=True, tag=True):
    """A player shows cards, or mucks when there are none. `shown` alone (written ``-``) shows what was dealt."""

    player: int
    cards: tuple[int | None, ...] = ()
    shown: bool = True


class Answer(msgspec.Struct, frozen=True, tag=True):
    """A player's yes or no to what is offered (an extension)."""

    player: int
    yes: bool


class GiveUp(msgspec.Struct, frozen=True, tag=True):
    """Cards a player drops without exchange, or passes on (an extension)."""

    player: int
    cards: tuple[int | None, ...]


class Arrange(msgspec.Struct, frozen=True, tag=True):
    """The order in which a player will turn his cards up (an extension)."""

    player: int
    cards: tuple[int | None, ...]


class Declare(msgspec.Struct, frozen=True, tag=True):
    """A player's word: ``high``, ``in`` (an extension). Written with an underscore for a space."""

    player: int
    word: str


class PutInEarly(msgspec.Struct, frozen=True, tag=True):
    """A player puts chips in out of turn, to a street total (an extension)."""

    player: int
    to: int


class Designate(msgspec.Struct, frozen=True, tag=True):
    """What a player says when he shows: pairs of a wild card and the card it stands for, and a word on aces (an extension)."""

    player: int
    as_cards: tuple[tuple[int, int], ...] = ()
    word: str = ""


Action = (
    DealHole
    | DealBoard
    | StandOrDiscard
    | PostBringIn
    | Fold
    | CheckCall
    | BetRaiseTo
    | ShowMuck
    | Answer
    | GiveUp
    | Arrange
    | Declare
    | PutInEarly
    | Designate
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
        pots_by_street: expected pot after each interval, uncalled bets returned, or None.
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
    actions: tuple[Action, ...]
    finishing_stacks: tuple[int, ...] | None = None
    filled_actions: tuple[Action, ...] | None = None
    pots_by_street: tuple[int, ...] | None = None
    final_pots: tuple[int, ...] | None = None
    metadata: Mapping[str, object] = {}

    @property
    def players(self) -> int:
        """How many were dealt in."""
        return len(self.starting_stacks)

    @property
    def best_actions(self) -> tuple[Action, ...]:
        """The actions to replay: those with every card known where the file has them."""
        return self.actions if self.filled_actions is None else self.filled_actions

    def by_player(self, posts: tuple[int, ...]) -> tuple[int, ...]:
        """Turn `antes` or `blinds_or_straddles` to the players' order.

        With two players the file lists the button's post first, though the button is player 2.
        """
        return posts[::-1] if self.players == 2 else posts


class PhhError(TableError):
    """A file that is no recorded hand.

    Attributes:
        field: the field at fault, in the file's spelling; empty for the file as a whole.
        action: the number of the action at fault, from 1, or None.
        why: what is wrong with it.
    """

    def __init__(self, *, why: str, field: str = "", action: int | None = None) -> None:
        where = f"{field} {action}: " if action is not None else f"{field}: " if field else ""
        super().__init__(where + why)
        self.why, self.field, self.action = why, field, action


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
_NEEDED = ("variant", "antes", "starting_stacks", "actions")
_PLAYER = re.compile(r"p([1-9][0-9]?)")


def parse(text: str) -> RecordedHand:
    """Read one recorded hand from the text of its file.

    Raises:
        PhhError: it is no TOML, a field is missing or malformed, or an action cannot be read.
    """
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number with too many digits to read
        raise PhhError(why=f"not a TOML file: {error}") from error
    missing = [name for name in _NEEDED if name not in fields]
    if missing:
        raise PhhError(why="missing", field=missing[0])
    starting_stacks = _amounts(fields, "starting_stacks") or ()
    players = len(starting_stacks)
    if players < 2:
        raise PhhError(why="fewer than two players", field="starting_stacks")
    filled = fields.get("_filled_actions")
    return RecordedHand(
        variant=_word(fields, "variant"),
        ante_trimming_status=_flag(fields, "ante_trimming_status"),
        antes=_amounts(fields, "antes", players) or (),
        blinds_or_straddles=_amounts(fields, "blinds_or_straddles", players, least=None) or (),
        bring_in=_amount(fields, "bring_in"),
        small_bet=_amount(fields, "small_bet"),
        big_bet=_amount(fields, "big_bet"),
        min_bet=_amount(fields, "min_bet"),
        starting_stacks=starting_stacks,
        actions=_actions(fields["actions"], "actions", players),
        finishing_stacks=_amounts(fields, "finishing_stacks", players),
        filled_actions=None if filled is None else _actions(filled, "_filled_actions", players),
        pots_by_street=_amounts(fields, "_pots_by_street"),
        final_pots=_amounts(fields, "_final_pots"),
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
    return "".join(f"{_key(name)} = {_toml(value)}\n" for name, value in values.items() if value is not None)


def parse_action(line: str, players: int, *, field: str = "actions", number: int = 1) -> Action | None:
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
                return DealHole(_player(who, players), _cards(dealt))
            case ["d", "db", dealt]:
                return DealBoard(_cards(dealt))
            case [who, "sd", *thrown] if len(thrown) < 2:
                return StandOrDiscard(_player(who, players), _cards("".join(thrown)))
            case [who, "pb"]:
                return PostBringIn(_player(who, players))
            case [who, "f"]:
                return Fold(_player(who, players))
            case [who, "cc"]:
                return CheckCall(_player(who, players))
            case [who, "cbr", to]:
                return BetRaiseTo(_player(who, players), _chips(to))
            case [who, "sm"]:
                return ShowMuck(_player(who, players), (), shown=False)
            case [who, "sm", "-"]:
                return ShowMuck(_player(who, players))
            case [who, "sm", shown]:
                return ShowMuck(_player(who, players), _cards(shown))
            case [who, ("ok" | "no") as answer]:
                return Answer(_player(who, players), answer == "ok")
            case [who, "gv", given]:
                return GiveUp(_player(who, players), _cards(given))
            case [who, "ar", order]:
                return Arrange(_player(who, players), _cards(order))
            case [who, "dc", word]:
                return Declare(_player(who, players), word.replace("_", " "))
            case [who, "er", to]:
                return PutInEarly(_player(who, players), _chips(to))
            case [who, "as", *said]:
                return _designation(_player(who, players), said)
            case _:
                raise PhhError(why=f"{line!r} is not an action")
    except UnknownCard as error:
        raise PhhError(why=str(error), field=field, action=number) from error
    except PhhError as error:
        raise PhhError(why=error.why, field=field, action=number) from None


def write_action(action: Action) -> str:
    """Write one action as the file has it: ``p3 cbr 225``."""
    match action:
        case DealHole(player, dealt):
            return f"d dh p{player} {_texts(dealt)}"
        case DealBoard(dealt):
            return f"d db {_texts(dealt)}"
        case StandOrDiscard(player, thrown):
            return f"p{player} sd {_texts(thrown)}".rstrip()
        case PostBringIn(player):
            return f"p{player} pb"
        case Fold(player):
            return f"p{player} f"
        case CheckCall(player):
            return f"p{player} cc"
        case BetRaiseTo(player, to):
            return f"p{player} cbr {to}"
        case ShowMuck(player, shown, visible):
            return f"p{player} sm {_texts(shown) or ('-' if visible else '')}".rstrip()
        case Answer(player, yes):
            return f"p{player} {'ok' if yes else 'no'}"
        case GiveUp(player, given):
            return f"p{player} gv {_texts(given)}"
        case Arrange(player, order):
            return f"p{player} ar {_texts(order)}"
        case Declare(player, word):
            return f"p{player} dc {word.replace(' ', '_')}"
        case PutInEarly(player, to):
            return f"p{player} er {to}"
        case Designate(player, as_cards, word):
            said = [_texts(pair) for pair in as_cards] + [word.replace(" ", "_")]
            return f"p{player} as {' '.join(said)}".rstrip()


def _actions(value: object, field: str, players: int) -> tuple[Action, ...]:
    if not isinstance(value, list):
        raise PhhError(why="not a list", field=field)
    found: list[Action] = []
    for number, line in enumerate(value, start=1):
        if not isinstance(line, str):
            raise PhhError(why=f"{line!r} is not an action", field=field, action=number)
        action = parse_action(line, players, field=field, number=number)
        if action is not None:
            found.append(action)
    return tuple(found)


def _player(word: str, players: int) -> int:
    found = _PLAYER.fullmatch(word)
    if found is None or int(found[1]) > players:
        raise PhhError(why=f"{word!r} is none of the {players} players")
    return int(found[1])


def _cards(word: str) -> tuple[int | None, ...]:
    if len(word) % 2:
        raise UnknownCard(word=word)
    pairs = (word[at : at + 2] for at in range(0, len(word), 2))
    return tuple(None if pair == "??" else cards.parse(pair) for pair in pairs)


def _designation(player: int, said: list[str]) -> Designate:
    pairs, word = [], ""
    for entry in said:
        if "_" in entry:
            word = entry.replace("_", " ")
        elif len(entry) == 4:
            pairs.append((cards.parse(entry[:2]), cards.parse(entry[2:])))
        else:
            raise UnknownCard(word=entry)
    return Designate(player, tuple(pairs), word)


def _texts(dealt: Iterable[int | None]) -> str:
    return "".join("??" if card is None else cards.text(card) for card in dealt)


def _chips(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= len(str(CHIPS_MAX))) or int(word) > CHIPS_MAX:
        raise PhhError(why=f"{word!r} is not a whole number of chips")
    return int(word)


def _word(fields: Mapping[str, object], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise PhhError(why=f"{value!r} is not a word", field=name)
    return value


def _flag(fields: Mapping[str, object], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise PhhError(why=f"{value!r} is neither true nor false", field=name)
    return value


def _amount(fields: Mapping[str, object], name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else _whole(value, name, 0)


def _amounts(
    fields: Mapping[str, object], name: str, players: int | None = None, least: int | None = 0
) -> tuple[int, ...] | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise PhhError(why="not a list", field=name)
    if players is not None and len(value) != players:
        raise PhhError(why=f"{len(value)} entries for {players} players", field=name)
    return tuple(_whole(entry, name, least) for entry in value)


def _whole(value: object, name: str, least: int | None) -> int:
    """Read a whole number of chips. Floats are refused even when whole: chips are counted, never measured."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > CHIPS_MAX:
        raise PhhError(why=f"{value!r} is not a whole number of chips", field=name)
    if least is not None and value < least:
        raise PhhError(why=f"{value} is less than {least}", field=name)
    return value


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _toml(value: object) -> str:
    """Write a value as TOML: the types that `tomllib` reads, and tuples as arrays."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value)
        case str():
            return _quoted(value)
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(_toml(entry) for entry in value)}]"
        case dict():
            return "{" + ", ".join(f"{_key(str(name))} = {_toml(entry)}" for name, entry in value.items()) + "}"
        case _:
            raise TypeError(f"{type(value).__name__} has no place in a PHH file")


def _quoted(text: str) -> str:
    """Quote a text: literally where that can be done, else with escapes."""
    if text.isprintable() and "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
