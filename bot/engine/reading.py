"""What a hand is worth where that depends on more than its cards: wild cards of the moment, cards face up, what its holder has said.

Source: laws W-3 to W-8, LO-3, VC-20 to VC-24.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.card import WildBoard
from bot.engine.cards import ACE, JOKER
from bot.engine.errors import LawError
from bot.engine.hand import Hand, next_in
from bot.engine.legal import Decision
from bot.engine.ranking import Category, Evaluator, Scale, WildMethod, evaluator

ACES_HIGH, ACES_LOW = "aces high", "aces low"
_BOUND = {
    (True, ACES_HIGH): Scale.HIGH,
    (True, ACES_LOW): Scale.HIGH_ACE_LOW,
    (False, ACES_HIGH): Scale.LOW_ACE_HIGH,
    (False, ACES_LOW): Scale.LOW_ACE_LOW,
}
"""The scale a holder's one word binds him to, for the high half and for the low (LO-3)."""


def judges_for(hand: Hand, seat: int) -> tuple[Evaluator, ...]:
    """The judges of the shares for this seat's cards, as they lie now."""
    rules = hand.rules
    joker_up = rules.card.joker_up_bug and any(hand.deck[place] == JOKER for place in hand.up[seat])
    judges = rules.judges(hand.wild_now, _wild_common(hand), joker_up=joker_up) if rules.changing else rules.evaluators
    word = next((said for who, _, said in hand.designated if who == seat and said), "")
    if not word:
        return judges
    return tuple(
        evaluator(replace(judge.ranking, scale=_BOUND[not judge.ranking.is_low, word])) for judge in judges
    )  # fmt: skip


def _wild_common(hand: Hand) -> tuple[int, ...]:
    """The first common card, where it alone is wild (VC-21)."""
    return hand.board()[:1] if hand.rules.card.wild_board is WildBoard.CARD else ()


def worths(hand: Hand, seats: Sequence[int]) -> list[list[list[int]]]:
    """Rank of each seat's hand, by share and board, seat by seat."""
    found = [[[0] * hand.number_of for _ in hand.boards] for _ in hand.rules.card.shares]
    for seat in seats:
        hole = hand.hole_cards(seat)
        said = {
            hand.deck[place]: card for who, pairs, _ in hand.designated if who == seat for place, card in pairs
        }  # fmt: skip
        for share, judge in enumerate(judges_for(hand, seat)):
            for board in range(len(hand.boards)):
                common = hand.board(board)
                if hand.rules.declares_wild:
                    found[share][board][seat] = judge.declared(hole, said, common)
                else:
                    found[share][board][seat] = judge.best(hole, common)
    return found


def wild_places(hand: Hand, seat: int) -> tuple[int, ...]:
    """The places of a seat's wild cards."""
    return _wild_among(hand, seat, (*hand.down[seat], *hand.up[seat]))


def to_be_named(hand: Hand, seat: int) -> tuple[int, ...]:
    """The places of the wild cards a seat may say something of: its own, and then the common ones, which are everybody's (W-7, VC-21)."""
    return _wild_among(hand, seat, (*hand.down[seat], *hand.up[seat], *common_places(hand)))


def _wild_among(hand: Hand, seat: int, places: tuple[int, ...]) -> tuple[int, ...]:
    wild = judges_for(hand, seat)[0].ranking.wild
    return tuple(place for place in places if wild.method_of(hand.deck[place]) is not WildMethod.NONE)


def common_places(hand: Hand) -> tuple[int, ...]:
    """The places of all common cards; boards that were forked share their first ones."""
    return tuple(dict.fromkeys(place for board in hand.boards for place in board))


def may_stand_for(hand: Hand, seat: int, card: int, as_card: int, said: Mapping[int, int]) -> None:
    """Rule on what a seat says of one wild card, beside what it has `said` of others. With two boards it must be lawful on one of them.

    Raises:
        LawError: as `Evaluator.may_stand_for`.
    """
    judge, hole = judges_for(hand, seat)[0], hand.hole_cards(seat)
    boards = [hand.board(number) for number in range(len(hand.boards))]
    refusal: LawError | None = None
    for board in [one for one in boards if card in one] or boards:
        try:
            judge.may_stand_for(hole, card, as_card, said, board)
        except LawError as error:
            refusal = error
        else:
            return
    assert refusal is not None
    raise refusal


def words_at_show(hand: Hand, seat: int) -> tuple[str, ...]:
    """What the seat must say of its aces when it shows (LO-3); nothing where it holds none or the ace plays both ways."""
    if hand.rules.declares_aces and any(card != JOKER and card >> 2 == ACE for card in hand.hole_cards(seat)):
        return (ACES_HIGH, ACES_LOW)
    return ()


def has_to_say(hand: Hand, seat: int) -> bool:
    """Whether a seat has still to say something of its wild cards or its aces before hands are compared."""
    if any(who == seat for who, _, _ in hand.designated):
        return False
    return bool((hand.rules.declares_wild and to_be_named(hand, seat)) or words_at_show(hand, seat))


def next_to_say(hand: Hand) -> e.Asked | None:
    """Ask the next live seat that has something to say of its wild cards or its aces before hands are compared; None when all have."""
    waiting = hand.live
    start = hand.spoke_first - 1
    while waiting:
        seat = next_in(waiting, start)
        if has_to_say(hand, seat):
            return e.Asked(seat, Decision.SHOW)
        waiting &= ~(1 << seat)
        start = seat
    return None


def openers_of(hand: Hand) -> tuple[int, ...]:
    """The places of what the opener opened on, laid-away cards included: his highest sufficient pair, else all five (VC-20)."""
    by_rank: dict[int, list[int]] = {}
    for place in hand.opening_places:
        by_rank.setdefault(hand.deck[place] >> 2, []).append(place)
    for rank in sorted(by_rank, reverse=True):
        if len(by_rank[rank]) > 1 and rank >= opening_rank(hand):
            return tuple(by_rank[rank])
    return hand.opening_places


def opening_rank(hand: Hand) -> int:
    """The lowest rank of a pair that opens this deal: the card's own, or what it has progressed to."""
    least = hand.rules.openers
    return hand.started.openers if hand.started.openers >= 0 else (least if least is not None else 0)


def may_open(hand: Hand, seat: int) -> bool:
    """Whether a seat holds openers: a pair of the rank asked for, or any better hand (VC-20)."""
    judge = judges_for(hand, seat)[0]
    value = judge.best(hand.hole_cards(seat), hand.board())
    name = judge.name(value)
    if name.category is Category.PAIR:
        return (name.ranks[0] or 0) >= opening_rank(hand)
    return name.category is not Category.HIGH_CARD
