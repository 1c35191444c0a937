"""Validate a rule card that is not from the catalogue.

The games of the house are data that tests have played. A file can bring a card of its own, and anything can stand in
it: a step that deals a million cards, a ranking of hands without cards, a game for ninety-nine. What passes here can
be dealt, ruled on and paid.
"""

from collections.abc import Iterable, Iterator

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


def find_fault(rule_card: RuleCard, options: Options, players: int = 0) -> str:
    """Return what is wrong with a card from a file when `players` (0: as many as it allows) play it with these options; ""
    if nothing is."""
    return next(_faults(rule_card, options, players), "")


def _faults(rule_card: RuleCard, options: Options, players: int) -> Iterator[str]:
    """Everything that is wrong, the simplest first: later checks rely on earlier ones."""
    for name in ("key", "name", "law_id", "family"):
        if not 0 < len(getattr(rule_card, name)) <= MAX_TEXT_LENGTH:
            yield f"{name}: 1 to {MAX_TEXT_LENGTH} letters"
    yield from _step_faults(rule_card)
    yield from _share_faults(rule_card)
    for name in ("follow_rank", "clearing_rank", "priced_rank", "extra_card_rank", "openers_rank"):
        rank = getattr(rule_card, name)
        if rank is not None and rank not in _RANKS:
            yield f"{name}: {rank} is no rank; 0 is a deuce, 12 an ace"
    if rule_card.boards not in (1, 2):
        yield f"boards: 1 or 2, not {rule_card.boards}"
    unknown = [name for name in rule_card.required_amounts if name not in Stakes.__struct_fields__]
    if unknown:
        yield f"amounts: no amount is called {unknown[0]!r}"
    yield from _wild_card_faults("options", options.wild_ranks, options.wild_cards)
    yield from _seat_faults(rule_card, options, players)


def _step_faults(rule_card: RuleCard) -> Iterator[str]:
    if not 0 < len(rule_card.steps) <= MAX_STEPS:
        yield f"steps: 1 to {MAX_STEPS}, not {len(rule_card.steps)}"
    if not rule_card.steps or not isinstance(rule_card.steps[-1], steps.Showdown):
        yield "steps: the last is no showdown"
    if sum(isinstance(step, steps.Showdown) for step in rule_card.steps) != 1:
        yield "steps: more than one showdown"
    if (
        not isinstance(rule_card.steps[0], steps.PostForcedBets)
        or _count_steps(rule_card.steps, steps.PostForcedBets) != 1
    ):
        yield "steps: the forced bets come first, and once"
    if _count_steps(rule_card.steps, steps.Draw) > MAX_DRAWS:
        yield f"steps: more than {MAX_DRAWS} draws"
    held, common = 0, 0
    for number, step in enumerate(rule_card.steps, 1):
        maximum = getattr(step, "max_cards", 0)
        count = getattr(step, "count", 1)
        if not 1 <= count <= MAX_RANKED_CARDS or not 0 <= maximum <= MAX_RANKED_CARDS:
            yield f"step {number}: a number of cards outside 1 to {MAX_RANKED_CARDS}"
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
                    yield f"step {number}: two words or more to choose from, and the default among them"
            case steps.BettingRound(street=street) | steps.Draw(street=street):
                if not 0 < len(street) <= MAX_TEXT_LENGTH:
                    yield f"step {number}: the street has no name"
            case _:
                pass
        if isinstance(step, steps.PassCards) and not 1 <= step.seats_to_left <= MAX_SEATS:
            yield f"step {number}: passed {step.seats_to_left} seats to the left"
        if (
            isinstance(step, steps.PassCards | steps.GiveUpCards | steps.Draw | steps.ArrangeCards | steps.RollOut)
            and held < 1
        ):
            yield f"step {number}: nobody has cards for it"
        if isinstance(step, steps.PassCards) and count > held:
            yield f"step {number}: {count} cards are passed, {held} are held"
    if not 1 <= held <= MAX_RANKED_CARDS or common > 5 or held + common > MAX_RANKED_CARDS:
        yield f"steps: {held} own and {common} common cards cannot be ranked"


def _share_faults(rule_card: RuleCard) -> Iterator[str]:
    names = [share.name for share in rule_card.shares]
    if (
        len(names) not in (1, 2)
        or len({*names}) != len(names)
        or not all(0 < len(name) <= MAX_TEXT_LENGTH for name in names)
    ):
        yield "shares: one, or two of different names"
    for share in rule_card.shares:
        for fault in _ranking_faults(share.ranking):
            yield f"share {share.name}: {fault}"


def _ranking_faults(ranking: Ranking) -> Iterator[str]:
    ranks = ranking.ranks
    if not 5 <= len(ranks) <= 13 or any(rank not in _RANKS for rank in ranks) or sorted({*ranks}) != [*ranks]:
        yield "ranks: five or more, ascending, 0 for a deuce to 12 for an ace"
    if not 2 <= ranking.size <= 5:
        yield f"size: 2 to 5, not {ranking.size}"
    if ranking.scale in _BADUGIS and ranking.size != 5:
        yield "size: a badugi has no other than the usual"
    if ranking.qualifier is not None and ranking.qualifier not in _RANKS:
        yield f"qualifier: {ranking.qualifier} is no rank"
    if ranking.qualifier is not None and (not ranking.is_low or ranking.is_badugi):
        yield "qualifier: only a five-card low has one"
    if ranking.from_hole is not None:
        minimum, maximum = ranking.from_hole
        if not 0 <= minimum <= maximum <= 5 or maximum < 1:
            yield f"from_hole: {minimum} to {maximum} own cards"
    yield from _wild_card_faults("wild", ranking.wild.ranks, ranking.wild.cards)


def _wild_card_faults(where: str, ranks: Iterable[int], cards: Iterable[int]) -> Iterator[str]:
    if any(rank not in _RANKS for rank in ranks) or any(not 0 <= card <= JOKER for card in cards):
        yield f"{where}: a wild card that is in no deck"


def _seat_faults(rule_card: RuleCard, options: Options, players: int) -> Iterator[str]:
    maximum = max(rule_card.seats_max, rule_card.seats_max_on_request)
    if not 2 <= rule_card.seats_min <= rule_card.seats_max or maximum > MAX_SEATS:
        yield f"seats: {rule_card.seats_min} to {maximum}; 2 to {MAX_SEATS} can play (P-2, P-3)"
    first = next(
        (at for at, step in enumerate(rule_card.steps) if isinstance(step, steps.BettingRound)), len(rule_card.steps)
    )
    on_show = steps.DealUp | steps.DealUpInTurn | steps.DealUpOrDown | steps.RollOut
    if options.first_1 in _BY_DOOR_CARD and not any(isinstance(step, on_show) for step in rule_card.steps[:first]):
        yield "options: a card on show opens the betting, and none is dealt (F-6, F-7)"
    seated = players or maximum
    if seated > max_seats_before_betting(rule_card, options.deck):
        yield f"seats: a deck of {len(DECKS[options.deck])} does not serve {seated} (P-6)"


def _count_steps(all_steps: Iterable[steps.AnyStep], kind: type[steps.Step]) -> int:
    return sum(isinstance(step, kind) for step in all_steps)
