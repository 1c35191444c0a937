"""Play a recorded hand by the game that its record stands for, and tell where its outcome is not the one that the record states."""

import logging
from collections.abc import Iterable

from msgspec.structs import replace

from bot.engine.options.values import Limit
from bot.engine.rule_card import RuleCard
from bot.history import phh
from bot.history.phh_fields import game_of_code, has_own_rules, rule_card_of
from bot.history.replay import ReplayedHand, replay_record
from bot.variants import UnknownGame, game

log = logging.getLogger(__name__)

COMPARED_FIELDS = ("finishing_stacks", "pots_by_street", "final_pots")


def replay(record: phh.RecordedHand, limit: Limit | None = None) -> ReplayedHand:
    """Play a recorded hand by the rule card that it stands for.

    Args:
        limit: the betting limit, where it is not the card's own.

    Raises:
        PhhError: no game has its code or its name, or an extension field cannot be read.
        NotAsRecorded: the record breaks a law.
    """
    card = card_for(record)
    if limit is not None and limit is not card.options.limit:
        card = replace(card, options=replace(card.options, limit=limit))
    try:
        return replay_record(record, card)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        if not has_own_rules(record):
            raise  # the fault is ours
        log.debug("replay_rule_card_failed", exc_info=error)
        field = "_rule_card" if "_rule_card" in record.metadata else "_options"
        raise phh.PhhError(fault=phh.PhhFault.CANNOT_BE_DEALT, field=field) from error


def card_for(record: phh.RecordedHand) -> RuleCard:
    """Return the rule card that a record holds, otherwise the game that its variant code stands for, with the limit that the code names,
    or the game that the record names.

    Raises:
        PhhError: no game has that code or name.
    """
    card = rule_card_of(record)
    if card is not None:
        return card
    named = record.metadata.get("_game")
    of_code = game_of_code(record.variant)
    key, limit = of_code or (named if isinstance(named, str) else record.variant, None)
    try:
        return game(f"{key}+{limit}" if limit is not None else key)
    except UnknownGame as unknown:
        raise phh.PhhError(fault=phh.PhhFault.UNKNOWN_GAME, detail=record.variant, field="variant") from unknown


def differences(
    record: phh.RecordedHand, played: ReplayedHand
) -> Iterable[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Return where the file states something and the engine found something else: field, stated, found."""
    for field in COMPARED_FIELDS:
        stated, got = getattr(record, field), getattr(played, field)
        if stated is not None and stated != got:
            yield field, stated, got
