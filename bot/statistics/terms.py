"""What a hand is played for and by which rules, as far as the statistics tell hands apart."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from bot.engine.old_cards import CardDecoder
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, FirstOpener, Limit
from bot.engine.ranking import Ranking
from bot.engine.ranking.spec import CategoryOrder, SpecialHands, SuitRank
from bot.engine.ranking.value import LOW_ACE_FACE, category_at_position, unpack_value
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import rules_in_force
from bot.engine.stakes import Stakes, bet_sizes

_card_decoder = CardDecoder[RuleCard](RuleCard)
MAX_REMEMBERED = 2_000
"""So many different terms are remembered; there are as many as there are tables with settings of their own."""


class Terms(Struct, frozen=True):
    """The terms of a hand.

    Attributes:
        game, game_name: key and name of the rule card.
        limit, stakes: as in `bot.statistics.types.CountedHand`.
        seats: how many the table has.
        bring_in: the forced first bet where a card on show opens, as a street total; 0 where none does.
        shares: the names of the rule card's shares.
        rarities: for each share a function from the value of a hand to its rarity; None for a game that is left out.
    """

    game: str
    game_name: str
    limit: str
    stakes: str
    seats: int
    bring_in: int
    shares: tuple[str, ...]
    rarities: tuple[Callable[[int], int] | None, ...]


class TermsReader:
    """Reads the terms of hands. The same terms are read once: a rule card is three kilobytes.

    Args:
        card_by_id: returns an encoded rule card, where a number stands in its place.
    """

    def __init__(self, card_by_id: Callable[[int], bytes] | None = None) -> None:
        self._known: dict[tuple[bytes, bytes, bytes], Terms] = {}
        self._card_by_id = card_by_id

    def terms(self, rule_card: msgspec.Raw, options: msgspec.Raw, stakes: msgspec.Raw) -> Terms:
        """Return the terms of a hand that has started with these, as they are stored."""
        key = bytes(rule_card), bytes(options), bytes(stakes)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._read(*key)
        return found

    def _read(self, card: bytes, options: bytes, stakes: bytes) -> Terms:
        decode = msgspec.msgpack.decode
        if self._card_by_id is not None and isinstance(id_ := decode(card), int):
            card = self._card_by_id(id_)
        return terms_of(_card_decoder.decode(card), decode(options, type=Options), decode(stakes, type=Stakes))


def terms_of(card: RuleCard, options: Options, stakes: Stakes) -> Terms:
    """Return the terms that a rule card, options and stakes make."""
    opened_by_card = options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
    rules = rules_in_force(card, options, stakes)
    return Terms(
        game=card.key,
        game_name=card.name,
        limit=options.limit.value,
        stakes=stakes_text(stakes, options),
        seats=options.max_seats,
        bring_in=rules.amounts.bring_in if opened_by_card else 0,
        shares=tuple(share.name for share in card.shares),
        rarities=tuple(None if rules.plays_wild_cards else rarity_of(one.ranking) for one in rules.evaluators),
    )


def stakes_text(stakes: Stakes, options: Options) -> str:
    """Return what is played for in a few signs: ``50/100``, ``100/200 ante 25``, ``ante 25, limit 200``. It is stored, so it is in no
    reader's language."""
    limit = options.limit
    if options.ante is Ante.NONE:
        if limit is Limit.LIMIT:
            return _pair(*bet_sizes(stakes))
        if limit is Limit.STAKE_LIMIT:
            return f"limit {stakes.limit:,}"
        return f"bet {2 * stakes.ante if limit is Limit.DOUBLING_FLAT else stakes.min_bet:,}"
    if limit is not Limit.LIMIT and not stakes.big_blind:
        return f"ante {stakes.ante:,}" + (f", limit {stakes.limit:,}" if limit is Limit.STAKE_LIMIT else "")
    sizes = _pair(*bet_sizes(stakes)) if limit is Limit.LIMIT else _pair(stakes.small_blind, stakes.big_blind)
    return f"{sizes} ante {stakes.ante:,}" if stakes.ante else sizes


def _pair(small: int, big: int) -> str:
    return f"{small:,}/{big:,}"


def rarity_of(ranking: Ranking) -> Callable[[int], int] | None:
    """Return a function that puts a value of this ranking on the scale of all five-card high hands; None if its hands do not belong there.

    The scale is the usual order of hands, then the ranks, the most important first: a royal flush is 0xC_F0000.
    """
    if ranking.is_low or ranking.size != 5 or ranking.order in (CategoryOrder.THREE_CARD, CategoryOrder.SETS_ONLY):
        return None
    if ranking.special is not SpecialHands.OFF or ranking.suit_rank is not SuitRank.NONE:
        return None

    def rarity(value: int) -> int:
        position, faces = unpack_value(value)
        high = category_at_position(position, ranking).value << 20
        for shift, face in zip((16, 12, 8, 4, 0), faces, strict=False):
            high |= (15 if face == LOW_ACE_FACE else face) << shift
        return high

    return rarity
