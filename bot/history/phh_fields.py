"""What a table plays, in the fields of a PHH file: the standard's own where they suffice, extensions where they do
not.

Extensions: `_ranking_and_deck` and `_game_name`, the key and name of the game; `_rule_card`, the whole card as its
fields, for a game the standard has no code for; `_options`, the options in force that differ from no-limit hold'em;
`_stakes`, every amount set; `_posts`, the forced bets in their order (``p2 big blind 100``); `_seats` and `_button`,
seat numbers at the table; `_carried`, `_openers`, `_ask_show` and `_ask_run_twice`, as in the hand's first event;
`_lot`, cards that drew an odd chip by lot; `_voided`, the law and the reason, where the hand did not count.

By PHH 0.1, fields that begin with an underscore are extensions.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from bot.engine.events import HandStarted, Post, PostKind
from bot.engine.old_cards import upgraded_card
from bot.engine.options.types import Options
from bot.engine.options.values import FirstOpener, Limit, StakesRule
from bot.engine.ranking.spec import SpecialHands, SuitRank, WildMethod
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import rules_in_force
from bot.engine.stakes import MAX_CHIPS, Stakes
from bot.engine.units import SeatIndex, SeatNumber
from bot.history.phh import PhhError, PhhFault, RecordedHand
from bot.history.validate_card import MAX_SEATS, find_fault

GAME_KEY_BY_CODE: Mapping[str, str] = {
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
"""The game of each variant code, by its key: the eleven of the standard, and more that are written the same way."""

_LIMIT_BY_LETTER = {"N": Limit.NO_LIMIT, "P": Limit.POT_LIMIT, "F": Limit.LIMIT}
_GAME_KEY_WITHOUT_LIMIT = {
    **{code[1:]: key for code, key in reversed([*GAME_KEY_BY_CODE.items()])},
    "A5L1D": "california_lowball",
}
"""The game that a code stands for, whatever its first letter says of the limit."""
_CODE_BY_GAME_KEY = {key: code for code, key in GAME_KEY_BY_CODE.items()}
_LIVE_POSTS = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.STAKE)
_POST_PATTERN = re.compile(r"p([1-9][0-9]?) ([a-z ]+) ([0-9]+)")
_DEFAULT_OPTIONS = Options()
# What msgspec says of a value that does not fit: what field is missing, and where in the value that was.
_MISSING_FIELD = re.compile(r"missing\srequired\sfield\s`([^`]+)`")
_UNKNOWN_VALUE = re.compile(r"(?i)invalid\s(?:enum\s)?value\s'([^']*)'")
_NOT_A_LIST = re.compile(r"Expected\s`array`")
_WITHIN = re.compile(r"`\$([^`]*)`$")
_INDEX = re.compile(r"\[(\d+)\]")
_Converted = TypeVar("_Converted")


def variant_code(started: HandStarted) -> str:
    """Return the variant code of a hand; the game's own key where no code covers all of it."""
    code = _CODE_BY_GAME_KEY.get(started.rule_card.key)
    plain = plays_as_published(started) and started.rule_card.boards == 1
    return code if code is not None and plain else started.rule_card.key


def game_of_code(code: str) -> tuple[str, Limit | None] | None:
    """Return the key of the game that a variant code stands for, and its limit where that is not the game's own: the first letter of a code
    names the limit, the rest the game. None for what is no code."""
    key = GAME_KEY_BY_CODE.get(code)
    if key is not None:
        return key, None
    limit, key = _LIMIT_BY_LETTER.get(code[:1]), _GAME_KEY_WITHOUT_LIMIT.get(code[1:])
    return None if limit is None or key is None else (key, limit)


def plays_as_published(started: HandStarted, *, limit: bool = True) -> bool:
    """Return whether a hand keeps to what everybody knows its game by: no option changes its deck, hands, forced bets or order.

    Args:
        limit: its betting limit counts too.
    """
    options = started.options
    compared = ("deck", "limit", "ante", "ace_straight", "low_scale", "first_1", "first_n", "show")
    return (
        options.wild_method is WildMethod.NONE
        and options.special is SpecialHands.OFF
        and options.suit_rank is SuitRank.NONE
        and options.stakes is StakesRule.TABLE
        and all(
            getattr(options, name) == getattr(started.rule_card.options, name)
            for name in compared
            if limit or name != "limit"
        )
    )


def record_fields(started: HandStarted) -> dict[str, Any]:
    """Return the fields of a `RecordedHand` that describe the table; the extensions are in `metadata`."""
    rules = rules_in_force(started.rule_card, started.options, started.stakes)
    players = len(started.seat_numbers)
    antes, blinds = [0] * players, [0] * players
    for post in started.posts:
        if post.kind in _LIVE_POSTS:
            blinds[post.seat] += post.chips
        elif post.kind is PostKind.LIVE:
            blinds[post.seat] -= post.chips
        else:
            antes[post.seat] += post.chips
    if players == 2:  # the file lists the button's post first (RecordedHand.by_player)
        antes, blinds = antes[::-1], blinds[::-1]
    by_card = started.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
    fixed = started.options.limit is Limit.LIMIT
    code = variant_code(started)
    return {
        "variant": code,
        "ante_trimming_status": any(post.kind is PostKind.ANTE for post in started.posts),
        "antes": tuple(antes),
        "blinds_or_straddles": () if by_card else tuple(blinds),
        "bring_in": rules.amounts.bring_in if by_card else None,
        "small_bet": rules.amounts.small_bet if fixed else None,
        "big_bet": rules.amounts.big_bet if fixed else None,
        "min_bet": None if fixed else rules.amounts.min_bet,
        "starting_stacks": started.stacks,
        # options can have changed the card of a game that the standard has a code for
        "metadata": _extensions(started, whole_card=code not in GAME_KEY_BY_CODE or bool(started.options.sheet)),
    }


def _extensions(started: HandStarted, *, whole_card: bool) -> dict[str, object]:
    found: dict[str, object] = {"_game": started.rule_card.key, "_game_name": started.rule_card.name}
    if whole_card:
        found["_rule_card"] = _rule_card_fields(started.rule_card)
    found["_options"] = _changed_options(started.options)
    found["_stakes"] = {name: chips for name, chips in msgspec.structs.asdict(started.stakes).items() if chips}
    found["_posts"] = [f"p{post.seat + 1} {post.kind} {post.chips}" for post in started.posts]
    found["_seats"] = list(started.seat_numbers)
    found["_button"] = started.button_seat_number
    found |= {"_carried": started.carried} if started.carried else {}
    found |= {"_openers": started.openers_rank} if started.openers_rank >= 0 else {}
    found |= {"_ask_run_twice": True} if started.ask_run_twice else {}
    return found


def rule_card_of(record: RecordedHand) -> RuleCard | None:
    """Return the rule card that a record brings with it, or None.

    Raises:
        PhhError: what it brings is no rule card.
    """
    value = record.metadata.get("_rule_card")
    if value is None:
        return None
    return _convert(upgraded_card(value) if isinstance(value, dict) else value, RuleCard, "_rule_card")


def options_of(record: RecordedHand) -> Options | None:
    """Return the options that a record brings with it, or None.

    Raises:
        PhhError: what it brings is none.
    """
    value = record.metadata.get("_options")
    return None if value is None else _convert(value, Options, "_options")


def check_own_rules(record: RecordedHand, rule_card: RuleCard, options: Options) -> None:
    """Validate the card and the options that a record brings with it, before anything is dealt by them.

    Raises:
        PhhError: no game can be dealt by its card and its options.
    """
    fault = find_fault(rule_card, options, record.player_count)
    if fault is not None and has_own_rules(record):
        raise PhhError(
            fault=PhhFault.INVALID_RULES,
            card_fault=fault,
            field="_rule_card" if "_rule_card" in record.metadata else "_options",
        )


def has_own_rules(record: RecordedHand) -> bool:
    """Return whether a record is played by a card or options that are not the house's."""
    return "_rule_card" in record.metadata or "_options" in record.metadata


def stakes_of(record: RecordedHand) -> Stakes | None:
    """Return the stakes that a record brings with it, or None.

    Raises:
        PhhError: what it brings are none.
    """
    value = record.metadata.get("_stakes")
    return None if value is None else _convert(value, Stakes, "_stakes")


def posts_of(record: RecordedHand) -> tuple[Post, ...] | None:
    """Return the forced bets that a record brings with it, in their order, or None.

    Raises:
        PhhError: an entry names no player, no kind of post or no amount.
    """
    value = record.metadata.get("_posts")
    if value is None:
        return None
    if not isinstance(value, list):
        raise PhhError(fault=PhhFault.NOT_A_LIST, field="_posts")
    return tuple(_parse_post(line, record.player_count) for line in value)


def whole_number_of(record: RecordedHand, name: str, otherwise: int) -> int:
    """Return an extension that is a whole number; `otherwise` where the record has none.

    Raises:
        PhhError: it is no whole number.
    """
    value = record.metadata.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value <= MAX_CHIPS:
        raise PhhError(fault=PhhFault.NOT_A_WHOLE_NUMBER, detail=str(value), field=name)
    return value


def seat_numbers_of(record: RecordedHand) -> tuple[SeatNumber, ...]:
    """Return the seat numbers of the players at the table; counted from 1 where the record has none.

    Raises:
        PhhError: not one number for each player.
    """
    value = record.metadata.get("_seats")
    if value is None:
        return tuple(map(SeatNumber, range(1, record.player_count + 1)))
    seats = _convert(value, tuple[SeatNumber, ...], "_seats")
    if len(set(seats)) != record.player_count or len(seats) != record.player_count:
        raise PhhError(fault=PhhFault.WRONG_LENGTH, detail=str(record.player_count), field="_seats")
    if not all(1 <= seat <= MAX_SEATS for seat in seats):
        raise PhhError(fault=PhhFault.OUT_OF_BOUNDS, detail=str(max(seats)), field="_seats")
    return seats


def _parse_post(line: object, players: int) -> Post:
    found = _POST_PATTERN.fullmatch(line) if isinstance(line, str) else None
    if found is None or int(found[1]) > players or found[2] not in list(PostKind):
        raise PhhError(fault=PhhFault.NOT_A_POST, detail=str(line), field="_posts")
    if len(found[3]) > len(str(MAX_CHIPS)) or int(found[3]) > MAX_CHIPS:
        raise PhhError(fault=PhhFault.OUT_OF_BOUNDS, detail=str(line), field="_posts")
    return Post(SeatIndex(int(found[1]) - 1), PostKind(found[2]), int(found[3]))


def _rule_card_fields(rule_card: RuleCard) -> dict[str, object]:
    found = _without_none(msgspec.to_builtins(rule_card))
    assert isinstance(found, dict)
    return found | {"options": _changed_options(rule_card.options)}


def _changed_options(options: Options) -> dict[str, object]:
    """Options that are not those of no-limit hold'em."""
    return {
        name: msgspec.to_builtins(value)
        for name, value in msgspec.structs.asdict(options).items()
        if value != getattr(_DEFAULT_OPTIONS, name)
    }


def _without_none(value: object) -> object:
    """Leave out what is None: TOML has no null, and None is the default."""
    if isinstance(value, dict):
        return {name: _without_none(entry) for name, entry in value.items() if entry is not None}
    return [_without_none(entry) for entry in value] if isinstance(value, list | tuple) else value


def _convert(value: object, kind: type[_Converted], field: str) -> _Converted:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise _conversion_error(str(error), field) from error


def _conversion_error(said: str, field: str) -> PhhError:
    """Return the error for what msgspec says of a value that does not fit."""
    found = _WITHIN.search(said)
    within = _INDEX.sub(lambda index: f"[{int(index[1]) + 1}]", found[1]) if found is not None else ""
    if missing := _MISSING_FIELD.search(said):
        return PhhError(fault=PhhFault.MISSING, field=field, within=f"{within}.{missing[1]}")
    if value := _UNKNOWN_VALUE.search(said):
        return PhhError(fault=PhhFault.UNKNOWN_VALUE, detail=value[1], field=field, within=within)
    fault = PhhFault.NOT_A_LIST if _NOT_A_LIST.match(said) else PhhFault.INVALID_VALUE
    return PhhError(fault=fault, field=field, within=within)
