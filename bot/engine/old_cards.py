"""Rule cards as older versions stored them, read as the same games.

Until version 2 a card had no version, and each custom was one or more fields of every card.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec

from bot.engine import customs as c
from bot.engine.custom import Custom
from bot.engine.rule_card import RuleCard

_Decoded = TypeVar("_Decoded")
_VERSION_FIELD = RuleCard.__struct_config__.tag_field or ""
_FIELDS = frozenset(RuleCard.__struct_fields__)
_OF_EVERY_CARD = frozenset({"law_id", "steps", "shares"})


class CardDecoder(Generic[_Decoded]):
    """Reads stored values of a type that holds rule cards, older ones among them."""

    def __init__(self, type_: Any) -> None:
        self._decoder: msgspec.msgpack.Decoder[_Decoded] = msgspec.msgpack.Decoder(type_)

    def decode(self, stored: bytes) -> _Decoded:
        """Decode a value.

        Raises:
            msgspec.MsgspecError: it is no value of the type.
        """
        try:
            return self._decoder.decode(stored)
        except msgspec.ValidationError:  # a card without a version has fields that are unknown now
            if b"law_id" not in stored:
                raise
            return self._decoder.decode(msgspec.msgpack.encode(with_cards_upgraded(msgspec.msgpack.decode(stored))))


def with_cards_upgraded(value: Any) -> Any:
    """Return a decoded value with every card in it as this version has it."""
    if isinstance(value, list):
        return [with_cards_upgraded(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() >= _OF_EVERY_CARD:
        return upgraded_card(value)
    return {key: with_cards_upgraded(one) for key, one in value.items()}


def upgraded_card(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a stored card as this version has them. A field that no version reads is left out."""
    if _VERSION_FIELD in stored:
        return dict(stored)
    customs = [msgspec.to_builtins(custom) for custom in _customs(stored) if custom is not None]
    known = {name: value for name, value in stored.items() if name in _FIELDS}
    return {_VERSION_FIELD: RuleCard.__struct_config__.tag, **known, "customs": customs}


def _customs(old: Mapping[str, Any]) -> tuple[Custom | None, ...]:
    """The customs of a card without a version, in the order of `AnyCustom`."""
    openers, follow, wild = old.get("openers_rank"), old.get("follow_rank"), old.get("wild_board_card", "nothing")
    priced, extra = old.get("priced_rank"), old.get("extra_card_rank")
    return (
        c.ButtonBlind() if old.get("button_blind") else None,
        c.DoorCardTiesBySuit() if old.get("door_card_ties_by_suit") else None,
        c.AceAlsoLow() if old.get("ace_also_low") else None,
        None if openers is None else c.Openers(openers, old.get("openers_rank_descends", False)),
        c.ForbidsCheckRaise() if old.get("forbids_check_raise") else None,
        None if wild == "nothing" else c.WildBoardCard(with_its_rank=wild == "rank"),
        c.FaceUpJokerIsBug() if old.get("face_up_joker_is_bug") else None,
        None
        if follow is None
        else c.FollowRank(follow, old.get("clearing_rank"), old.get("redeal_without_follow_rank", False)),
        None if priced is None else c.PricedRank(priced, old.get("price_is_pot", False)),
        None if extra is None else c.ExtraCardRank(extra, old.get("extra_card_face_down", False)),
        c.LosersMatchPot() if old.get("losers_match_pot") else None,
    )
