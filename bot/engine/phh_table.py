"""What a table plays, in the fields of a PHH file: the standard's own where they say it, extensions where they do not.

Extensions: `_game` and `_game_name`, the key and name of the game; `_rule_card`, the whole card as its fields, for a game the standard has
no code for; `_options`, what the law set in force has otherwise than no-limit hold'em; `_stakes`, every amount set; `_posts`, the forced
money in its order (``p2 big blind 100``); `_seats` and `_button`, seat numbers at the table; `_carried`, `_openers`, `_ask_show` and
`_ask_run_twice`, as in the hand's first event; `_lot`, cards that drew an odd chip by lot; `_voided`, the law and the reason, where the
deal did not count.

Source: design §2 "the rule card is written into the hand's first event"; PHH 0.1 on fields that begin with an underscore.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from bot.engine.brought import SEATS_MOST, fault_of
from bot.engine.card import RuleCard
from bot.engine.events import HandStarted, Post, PostKind
from bot.engine.options import FirstOpener, Limit, Options, Purse, Special, SuitRank, WildMethod
from bot.engine.phh import PhhError, RecordedHand
from bot.engine.rules import rules_for
from bot.engine.stakes import CHIPS_MAX, Stakes

CODES: Mapping[str, str] = {
    "NT": "holdem",
    "PT": "pot_limit_holdem",
    "FT": "limit_holdem",
    "NS": "short_deck",
    "PO": "omaha",
    "FO": "limit_omaha",
    "PO/8": "omaha8",
    "FO/8": "limit_omaha8",
    "NO/8": "no_limit_omaha8",
    "PO5": "omaha5",
    "PO5/8": "big_o",
    "PO6": "omaha6",
    "F7S": "stud",
    "F7S/8": "stud8",
    "FR": "razz",
    "F5D": "five_card_draw",
    "P5D": "pot_limit_five_card_draw",
    "N5D": "no_limit_five_card_draw",
    "N2L1D": "single_draw_27",
    "F2L3D": "triple_draw_27",
    "FA5L3D": "triple_draw_a5",
    "FB": "badugi",
}
"""The game of each variant code, by its key: the eleven of the standard, and more that write themselves the same way."""

_BY_KEY = {key: code for code, key in CODES.items()}
_LIVE = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.STAKE)
_POST = re.compile(r"p([1-9][0-9]?) ([a-z ]+) ([0-9]+)")
_PLAIN = Options()
_Told = TypeVar("_Told")


def code_of(started: HandStarted) -> str:
    """The variant code of a deal; the game's own key where no code says all of it."""
    options, code = started.options, _BY_KEY.get(started.card.key)
    plain = (
        options.wild_method is WildMethod.NONE
        and options.special is Special.OFF
        and options.suit_rank is SuitRank.NONE
        and options.stakes is Purse.TABLE
        and started.card.boards == 1
        and all(
            getattr(options, name) == getattr(started.card.options, name)
            for name in ("deck", "limit", "ante", "ace_straight", "low_scale", "first_1", "first_n", "show")
        )
    )
    return code if code is not None and plain else started.card.key


def fields_of(started: HandStarted) -> dict[str, Any]:
    """The fields of a `RecordedHand` that tell the table, the extensions in `metadata`."""
    rules = rules_for(started.card, started.options, started.stakes)
    players = len(started.seats)
    antes, blinds = [0] * players, [0] * players
    for post in started.posts:
        if post.kind in _LIVE:
            blinds[post.seat] += post.chips
        elif post.kind is PostKind.LIVE:
            blinds[post.seat] -= post.chips
        else:
            antes[post.seat] += post.chips
    if players == 2:  # the file lists the button's post first (RecordedHand.by_player)
        antes, blinds = antes[::-1], blinds[::-1]
    by_card = started.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
    fixed = started.options.limit is Limit.LIMIT
    code = code_of(started)
    return {
        "variant": code,
        "ante_trimming_status": any(post.kind is PostKind.ANTE for post in started.posts),
        "antes": tuple(antes),
        "blinds_or_straddles": () if by_card else tuple(blinds),
        "bring_in": rules.bring_in if by_card else None,
        "small_bet": rules.small if fixed else None,
        "big_bet": rules.big if fixed else None,
        "min_bet": None if fixed else rules.min_bet,
        "starting_stacks": started.stacks,
        # what a sheet leaves open may have changed the card of a game that the standard has a code for
        "metadata": _extensions(started, whole_card=code not in CODES or bool(started.options.sheet)),
    }


def _extensions(started: HandStarted, *, whole_card: bool) -> dict[str, object]:
    found: dict[str, object] = {"_game": started.card.key, "_game_name": started.card.name}
    if whole_card:
        found["_rule_card"] = _card_fields(started.card)
    found["_options"] = _changed(started.options)
    found["_stakes"] = {name: chips for name, chips in msgspec.structs.asdict(started.stakes).items() if chips}
    found["_posts"] = [f"p{post.seat + 1} {post.kind} {post.chips}" for post in started.posts]
    found["_seats"] = list(started.seats)
    found["_button"] = started.button
    found |= {"_carried": started.carried} if started.carried else {}
    found |= {"_openers": started.openers} if started.openers >= 0 else {}
    found |= {"_ask_run_twice": True} if started.ask_run_twice else {}
    return found


def card_of(record: RecordedHand) -> RuleCard | None:
    """The rule card a record brings with it, if it does.

    Raises:
        PhhError: what it brings is no rule card.
    """
    told = record.metadata.get("_rule_card")
    if told is None:
        return None
    return _convert(told, RuleCard, "_rule_card")


def options_of(record: RecordedHand) -> Options | None:
    """The law set a record brings with it, if it does.

    Raises:
        PhhError: what it brings is none.
    """
    told = record.metadata.get("_options")
    return None if told is None else _convert(told, Options, "_options")


def check_brought(record: RecordedHand, card: RuleCard, options: Options) -> None:
    """Rule on what a record brings of its own, before anything is dealt by it.

    Raises:
        PhhError: no game can be dealt by its card and its options.
    """
    fault = fault_of(card, options, record.players)
    if fault and brings_its_own(record):
        raise PhhError(why=fault, field="_rule_card" if "_rule_card" in record.metadata else "_options")


def brings_its_own(record: RecordedHand) -> bool:
    """Whether a record is to be played by a card or a law set that is not the house's."""
    return "_rule_card" in record.metadata or "_options" in record.metadata


def stakes_of(record: RecordedHand) -> Stakes | None:
    """The amounts a record brings with it, if it does.

    Raises:
        PhhError: what it brings are none.
    """
    told = record.metadata.get("_stakes")
    return None if told is None else _convert(told, Stakes, "_stakes")


def posts_of(record: RecordedHand) -> tuple[Post, ...] | None:
    """The forced money a record brings with it, in its order, if it does.

    Raises:
        PhhError: an entry names no player, no kind of post or no amount.
    """
    told = record.metadata.get("_posts")
    if told is None:
        return None
    if not isinstance(told, list):
        raise PhhError(why="not a list", field="_posts")
    return tuple(_post(line, record.players) for line in told)


def whole_number(record: RecordedHand, name: str, otherwise: int) -> int:
    """An extension that is a number, or what stands for it where the record has none.

    Raises:
        PhhError: it is no whole number.
    """
    value = record.metadata.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value <= CHIPS_MAX:
        raise PhhError(why=f"{value!r} is not a whole number", field=name)
    return value


def seats_of(record: RecordedHand) -> tuple[int, ...]:
    """The seat numbers of the players at the table; counted from 1 where the record has none.

    Raises:
        PhhError: not one number for each player.
    """
    told = record.metadata.get("_seats")
    if told is None:
        return tuple(range(1, record.players + 1))
    seats = _convert(told, tuple[int, ...], "_seats")
    if len(set(seats)) != record.players or len(seats) != record.players:
        raise PhhError(why=f"{len(set(seats))} seats for {record.players} players", field="_seats")
    if not all(1 <= seat <= SEATS_MOST for seat in seats):
        raise PhhError(why=f"seats are numbered from 1 to {SEATS_MOST}", field="_seats")
    return seats


def _post(line: object, players: int) -> Post:
    found = _POST.fullmatch(line) if isinstance(line, str) else None
    if found is None or int(found[1]) > players or found[2] not in list(PostKind):
        raise PhhError(why=f"{line!r} is not a post", field="_posts")
    if len(found[3]) > len(str(CHIPS_MAX)) or int(found[3]) > CHIPS_MAX:
        raise PhhError(why=f"{line!r} is more than anybody has", field="_posts")
    return Post(int(found[1]) - 1, PostKind(found[2]), int(found[3]))


def _card_fields(card: RuleCard) -> dict[str, object]:
    plain = {field.name: field.default for field in msgspec.structs.fields(card)}
    found: dict[str, object] = {
        name: _without_nothing(msgspec.to_builtins(value))
        for name, value in msgspec.structs.asdict(card).items()
        if value != plain[name]
    }
    return found | {"options": _changed(card.options)}


def _changed(options: Options) -> dict[str, object]:
    """Options that are not those of no-limit hold'em."""
    return {
        name: msgspec.to_builtins(value)
        for name, value in msgspec.structs.asdict(options).items()
        if value != getattr(_PLAIN, name)
    }


def _without_nothing(value: object) -> object:
    """TOML knows no null: what is None is left out, its default."""
    if isinstance(value, dict):
        return {name: _without_nothing(entry) for name, entry in value.items() if entry is not None}
    return [_without_nothing(entry) for entry in value] if isinstance(value, list | tuple) else value


def _convert(told: object, kind: type[_Told], field: str) -> _Told:
    try:
        return msgspec.convert(told, kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise PhhError(why=str(error), field=field) from error
