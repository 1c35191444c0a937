"""Whether a rule card that comes from outside is one that can be dealt by.

The games of the house are data that tests have played; a file may bring a card of its own, and anything may stand in it: a step that
deals a million cards, a ranking of hands without cards, a game for ninety-nine. What passes here can be dealt, ruled on and paid.
"""

from collections.abc import Iterable, Iterator

from bot.engine import steps
from bot.engine.card import RuleCard
from bot.engine.cards import JOKER
from bot.engine.options import FirstOpener, Options
from bot.engine.packs import PACKS, seats_dealt
from bot.engine.ranking import Ranking, Scale
from bot.engine.stakes import Stakes

SEATS_MOST = 14
"""The most anybody seats (P-2, P-3)."""
STEPS_MOST, DRAWS_MOST, WORDS_MOST = 64, 16, 8
TEXT_MOST = 400
"""Letters of a name: one of a game put together of many words grows with each of them."""
CARDS_MOST = 11
"""Own and common cards that can be ranked together."""
_RANKS = range(13)
_BY_DOOR_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_BADUGIS = (Scale.BADUGI, Scale.BADUGI_ACE_HIGH)


def fault_of(card: RuleCard, options: Options, players: int = 0) -> str:
    """What is wrong with a card from outside, as so many would play it with these options (0: as many as may); "" if nothing is."""
    return next(_faults(card, options, players), "")


def _faults(card: RuleCard, options: Options, players: int) -> Iterator[str]:
    """All that is wrong, the simplest first: what comes later takes for granted what came before."""
    for name in ("key", "name", "sheet", "family"):
        if not 0 < len(getattr(card, name)) <= TEXT_MOST:
            yield f"{name}: 1 to {TEXT_MOST} letters"
    yield from _of_steps(card)
    yield from _of_shares(card)
    for name in ("follow", "clears", "priced", "extra", "openers"):
        rank = getattr(card, name)
        if rank is not None and rank not in _RANKS:
            yield f"{name}: {rank} is no rank; 0 is a deuce, 12 an ace"
    if card.boards not in (1, 2):
        yield f"boards: 1 or 2, not {card.boards}"
    unknown = [name for name in card.amounts if name not in Stakes.__struct_fields__]
    if unknown:
        yield f"amounts: no amount is called {unknown[0]!r}"
    yield from _of_wild_cards("options", options.wild_ranks, options.wild_cards)
    yield from _of_seats(card, options, players)


def _of_steps(card: RuleCard) -> Iterator[str]:
    if not 0 < len(card.steps) <= STEPS_MOST:
        yield f"steps: 1 to {STEPS_MOST}, not {len(card.steps)}"
    if not card.steps or not isinstance(card.steps[-1], steps.Showdown):
        yield "steps: the last is no showdown"
    if sum(isinstance(step, steps.Showdown) for step in card.steps) != 1:
        yield "steps: more than one showdown"
    if not isinstance(card.steps[0], steps.PostForced) or _count(card.steps, steps.PostForced) != 1:
        yield "steps: the forced bets come first, and once"
    if _count(card.steps, steps.Draw) > DRAWS_MOST:
        yield f"steps: more than {DRAWS_MOST} draws"
    held, common = 0, 0
    for number, step in enumerate(card.steps, 1):
        most = getattr(step, "most", 0)
        count = getattr(step, "count", 1)
        if not 1 <= count <= CARDS_MOST or not 0 <= most <= CARDS_MOST:
            yield f"step {number}: a number of cards outside 1 to {CARDS_MOST}"
        match step:
            case steps.DealDown() | steps.DealUp():
                held += count
            case steps.DealEither() | steps.DealUpInTurn():
                held += 1
            case steps.DealBoard():
                common += count
            case steps.Drop():
                held -= count
            case steps.DeclareStep(words=words, silence=silence):
                if not 2 <= len(words) <= WORDS_MOST or len({*words}) != len(words) or silence not in words:
                    yield f"step {number}: two words or more to choose from, and what silence says among them"
            case steps.BetStep(street=street) | steps.Draw(street=street):
                if not 0 < len(street) <= TEXT_MOST:
                    yield f"step {number}: the street has no name"
            case _:
                pass
        if isinstance(step, steps.PassCards) and not 1 <= step.left <= SEATS_MOST:
            yield f"step {number}: passed {step.left} seats to the left"
        if isinstance(step, steps.PassCards | steps.Drop | steps.Draw | steps.Arrange | steps.RollOut) and held < 1:
            yield f"step {number}: nobody has cards for it"
        if isinstance(step, steps.PassCards) and count > held:
            yield f"step {number}: {count} cards are passed, {held} are held"
    if not 1 <= held <= CARDS_MOST or common > 5 or held + common > CARDS_MOST:
        yield f"steps: {held} own and {common} common cards cannot be ranked"


def _of_shares(card: RuleCard) -> Iterator[str]:
    names = [share.name for share in card.shares]
    if len(names) not in (1, 2) or len({*names}) != len(names) or not all(0 < len(name) <= TEXT_MOST for name in names):
        yield "shares: one, or two of different names"
    for share in card.shares:
        for fault in _of_ranking(share.ranking):
            yield f"share {share.name}: {fault}"


def _of_ranking(ranking: Ranking) -> Iterator[str]:
    ranks = ranking.ranks
    if not 5 <= len(ranks) <= 13 or any(rank not in _RANKS for rank in ranks) or sorted({*ranks}) != [*ranks]:
        yield "ranks: five or more, ascending, 0 for a deuce to 12 for an ace"
    if not 2 <= ranking.size <= 5:
        yield f"size: 2 to 5, not {ranking.size}"
    if ranking.scale in _BADUGIS and ranking.size != 5:
        yield "size: a badugi has no other than the usual"
    if ranking.qualifier is not None and ranking.qualifier not in _RANKS:
        yield f"qualifier: {ranking.qualifier} is no rank"
    if ranking.from_hole is not None:
        least, most = ranking.from_hole
        if not 0 <= least <= most <= 5 or most < 1:
            yield f"from_hole: {least} to {most} own cards"
    yield from _of_wild_cards("wild", ranking.wild.ranks, ranking.wild.cards)


def _of_wild_cards(where: str, ranks: Iterable[int], cards: Iterable[int]) -> Iterator[str]:
    if any(rank not in _RANKS for rank in ranks) or any(not 0 <= card <= JOKER for card in cards):
        yield f"{where}: a wild card that is in no pack"


def _of_seats(card: RuleCard, options: Options, players: int) -> Iterator[str]:
    most = max(card.seats_max, card.seats_most)
    if not 2 <= card.seats_min <= card.seats_max or most > SEATS_MOST:
        yield f"seats: {card.seats_min} to {most}; 2 to {SEATS_MOST} may play (P-2, P-3)"
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, steps.BetStep)), len(card.steps))
    on_show = steps.DealUp | steps.DealUpInTurn | steps.DealEither | steps.RollOut
    if options.first_1 in _BY_DOOR_CARD and not any(isinstance(step, on_show) for step in card.steps[:first]):
        yield "options: a card on show is to open, and none is dealt (F-6, F-7)"
    seated = players or most
    if seated > seats_dealt(card, options.deck):
        yield f"seats: a pack of {len(PACKS[options.deck])} does not serve {seated} (P-6)"


def _count(all_steps: Iterable[steps.Any], kind: type[steps.Step]) -> int:
    return sum(isinstance(step, kind) for step in all_steps)
