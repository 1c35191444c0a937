"""Validate a rule card that is not from the catalogue.

The games of the house are data that tests have played. A file can bring a card of its own, and anything can stand in
it: a step that deals a million cards, a ranking of hands without cards, a game for ninety-nine. What passes here can
be dealt, ruled on and paid.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from bot.engine import steps
from bot.engine.cards import JOKER
from bot.engine.dealing.decks import DECKS, max_seats_before_betting
from bot.engine.options.types import Options
from bot.engine.options.values import FirstOpener
from bot.engine.ranking import Ranking, Scale
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes

MAX_SEATS = 14
"""The most players that anybody seats (P-2, P-3)."""
MAX_STEPS, MAX_DRAWS, MAX_DECLARATION_WORDS = 64, 16, 8
MAX_TEXT_LENGTH = 400
"""Letters of a name: the name of a game that is put together of many words grows with each of them."""
MAX_RANKED_CARDS = 11
"""Own and common cards that can be ranked together."""
_RANKS = range(13)
_BY_DOOR_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_BADUGIS = (Scale.BADUGI, Scale.BADUGI_ACE_HIGH)


class CardFaultKind(StrEnum):
    """What can be wrong with a rule card. Beside each, the fields of `CardFault` that it uses."""

    TEXT_LENGTH = "text length"  # where, maximum
    NOT_A_RANK = "not a rank"  # where, value
    BOARDS = "boards"  # value
    UNKNOWN_AMOUNT = "unknown amount"  # where: the amount
    NOT_A_WILD_CARD = "not a wild card"  # where
    STEP_COUNT = "step count"  # value, maximum
    LAST_STEP = "last step"
    SEVERAL_SHOWDOWNS = "several showdowns"
    FORCED_BETS = "forced bets"
    TOO_MANY_DRAWS = "too many draws"  # maximum
    CARD_COUNT = "card count"  # step, maximum
    WORDS_TO_DECLARE = "words to declare"  # step
    STREET_NAME = "street name"  # step
    SEATS_TO_LEFT = "seats to left"  # step, value
    NO_CARDS_HELD = "no cards held"  # step
    TOO_FEW_CARDS_HELD = "too few cards held"  # step, value: cards passed; maximum: cards held
    UNRANKABLE = "unrankable"  # value: hole cards; maximum: common cards
    SHARES = "shares"
    RANKS = "ranks"  # where: the share
    HAND_SIZE = "hand size"  # where, value
    BADUGI_SIZE = "badugi size"  # where
    QUALIFIER = "qualifier"  # where
    HOLE_CARDS_PLAYED = "hole cards played"  # where
    SEAT_COUNT = "seat count"  # value: the fewest players; maximum: the most
    NO_CARD_SHOWING = "no card showing"
    DECK_TOO_SMALL = "deck too small"  # value: cards; maximum: players


class CardFault(Struct, frozen=True):
    """What is wrong with a rule card, as facts. `where` is a field of the card or the name of a share; `step` counts from 1."""

    kind: CardFaultKind
    where: str = ""
    step: int = 0
    value: int = 0
    maximum: int = 0


def find_fault(rule_card: RuleCard, options: Options, players: int = 0) -> CardFault | None:
    """Return what is wrong with a card from a file when `players` (0: as many as it allows) play it with these options;
    None if nothing is."""
    return next(_faults(rule_card, options, players), None)


def _faults(rule_card: RuleCard, options: Options, players: int) -> Iterator[CardFault]:
    """Everything that is wrong, the simplest first: later checks rely on earlier ones."""
    for name in ("key", "name", "law_id", "family"):
        if not 0 < len(getattr(rule_card, name)) <= MAX_TEXT_LENGTH:
            yield CardFault(CardFaultKind.TEXT_LENGTH, name, maximum=MAX_TEXT_LENGTH)
    yield from _step_faults(rule_card)
    yield from _share_faults(rule_card)
    if rule_card.boards not in (1, 2):
        yield CardFault(CardFaultKind.BOARDS, value=rule_card.boards)
    unknown = [name for name in rule_card.required_amounts if name not in Stakes.__struct_fields__]
    if unknown:
        yield CardFault(CardFaultKind.UNKNOWN_AMOUNT, unknown[0])
    yield from _wild_card_faults("options", options.wild_ranks, options.wild_cards)
    yield from _seat_faults(rule_card, options, players)


def _step_faults(rule_card: RuleCard) -> Iterator[CardFault]:
    if not 0 < len(rule_card.steps) <= MAX_STEPS:
        yield CardFault(CardFaultKind.STEP_COUNT, value=len(rule_card.steps), maximum=MAX_STEPS)
    if not rule_card.steps or not isinstance(rule_card.steps[-1], steps.Showdown):
        yield CardFault(CardFaultKind.LAST_STEP)
    if sum(isinstance(step, steps.Showdown) for step in rule_card.steps) != 1:
        yield CardFault(CardFaultKind.SEVERAL_SHOWDOWNS)
    if (
        not isinstance(rule_card.steps[0], steps.PostForcedBets)
        or _count_steps(rule_card.steps, steps.PostForcedBets) != 1
    ):
        yield CardFault(CardFaultKind.FORCED_BETS)
    if _count_steps(rule_card.steps, steps.Draw) > MAX_DRAWS:
        yield CardFault(CardFaultKind.TOO_MANY_DRAWS, maximum=MAX_DRAWS)
    held, common = 0, 0
    for number, step in enumerate(rule_card.steps, 1):
        maximum = getattr(step, "max_cards", 0)
        count = getattr(step, "count", 1)
        if not 1 <= count <= MAX_RANKED_CARDS or not 0 <= maximum <= MAX_RANKED_CARDS:
            yield CardFault(CardFaultKind.CARD_COUNT, step=number, maximum=MAX_RANKED_CARDS)
        match step:
            case steps.DealDown() | steps.DealUp():
                held += count
            case steps.DealUpOrDown() | steps.DealUpInTurn():
                held += 1
            case steps.DealBoard():
                common += count
            case steps.GiveUpCards():
                held -= count
            case steps.DeclareInSecret(words=words, default_word=default_word):
                if (
                    not 2 <= len(words) <= MAX_DECLARATION_WORDS
                    or len({*words}) != len(words)
                    or default_word not in words
                ):
                    yield CardFault(CardFaultKind.WORDS_TO_DECLARE, step=number)
            case steps.BettingRound(street=street) | steps.Draw(street=street):
                if not 0 < len(street) <= MAX_TEXT_LENGTH:
                    yield CardFault(CardFaultKind.STREET_NAME, step=number)
            case _:
                pass
        if isinstance(step, steps.PassCards) and not 1 <= step.seats_to_left <= MAX_SEATS:
            yield CardFault(CardFaultKind.SEATS_TO_LEFT, step=number, value=step.seats_to_left)
        if (
            isinstance(step, steps.PassCards | steps.GiveUpCards | steps.Draw | steps.ArrangeCards | steps.RollOut)
            and held < 1
        ):
            yield CardFault(CardFaultKind.NO_CARDS_HELD, step=number)
        if isinstance(step, steps.PassCards) and count > held:
            yield CardFault(CardFaultKind.TOO_FEW_CARDS_HELD, step=number, value=count, maximum=held)
    if not 1 <= held <= MAX_RANKED_CARDS or common > 5 or held + common > MAX_RANKED_CARDS:
        yield CardFault(CardFaultKind.UNRANKABLE, value=held, maximum=common)


def _share_faults(rule_card: RuleCard) -> Iterator[CardFault]:
    names = [share.name for share in rule_card.shares]
    if (
        len(names) not in (1, 2)
        or len({*names}) != len(names)
        or not all(0 < len(name) <= MAX_TEXT_LENGTH for name in names)
    ):
        yield CardFault(CardFaultKind.SHARES)
    for share in rule_card.shares:
        yield from _ranking_faults(share.name, share.ranking)


def _ranking_faults(share: str, ranking: Ranking) -> Iterator[CardFault]:
    ranks = ranking.ranks
    if not 5 <= len(ranks) <= 13 or any(rank not in _RANKS for rank in ranks) or sorted({*ranks}) != [*ranks]:
        yield CardFault(CardFaultKind.RANKS, share)
    if not 2 <= ranking.size <= 5:
        yield CardFault(CardFaultKind.HAND_SIZE, share, value=ranking.size)
    if ranking.scale in _BADUGIS and ranking.size != 5:
        yield CardFault(CardFaultKind.BADUGI_SIZE, share)
    if ranking.qualifier is not None and ranking.qualifier not in _RANKS:
        yield CardFault(CardFaultKind.NOT_A_RANK, "qualifier", value=ranking.qualifier)
    if ranking.qualifier is not None and (not ranking.is_low or ranking.is_badugi):
        yield CardFault(CardFaultKind.QUALIFIER, share)
    if ranking.from_hole is not None:
        minimum, maximum = ranking.from_hole
        if not 0 <= minimum <= maximum <= 5 or maximum < 1:
            yield CardFault(CardFaultKind.HOLE_CARDS_PLAYED, share)
    yield from _wild_card_faults(share, ranking.wild.ranks, ranking.wild.cards)


def _wild_card_faults(where: str, ranks: Iterable[int], cards: Iterable[int]) -> Iterator[CardFault]:
    if any(rank not in _RANKS for rank in ranks) or any(not 0 <= card <= JOKER for card in cards):
        yield CardFault(CardFaultKind.NOT_A_WILD_CARD, where)


def _seat_faults(rule_card: RuleCard, options: Options, players: int) -> Iterator[CardFault]:
    maximum = max(rule_card.seats_max, rule_card.seats_max_on_request)
    if not 2 <= rule_card.seats_min <= rule_card.seats_max or maximum > MAX_SEATS:
        yield CardFault(CardFaultKind.SEAT_COUNT, value=rule_card.seats_min, maximum=maximum)
    first = next(
        (at for at, step in enumerate(rule_card.steps) if isinstance(step, steps.BettingRound)), len(rule_card.steps)
    )
    on_show = steps.DealUp | steps.DealUpInTurn | steps.DealUpOrDown | steps.RollOut
    if options.first_1 in _BY_DOOR_CARD and not any(isinstance(step, on_show) for step in rule_card.steps[:first]):
        yield CardFault(CardFaultKind.NO_CARD_SHOWING)
    seated = players or maximum
    if seated > max_seats_before_betting(rule_card, options.deck):
        yield CardFault(CardFaultKind.DECK_TOO_SMALL, value=len(DECKS[options.deck]), maximum=seated)


def _count_steps(all_steps: Iterable[steps.AnyStep], kind: type[steps.Step]) -> int:
    return sum(isinstance(step, kind) for step in all_steps)
