"""What a hand is worth where more than its cards counts: what is wild now, cards face up, what its holder has
announced (laws W-3 to W-8, LO-3, VC-20 to VC-24)."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.cards import ACE, JOKER
from bot.engine.customs.openers import opens
from bot.engine.errors import LawError
from bot.engine.hand import Hand, next_seat_in
from bot.engine.legal import Decision
from bot.engine.ranking import Evaluator, Scale, WildMethod, evaluator
from bot.engine.ranking.designation import designated_value, validate_designation
from bot.engine.ranking.layout import playing_cards
from bot.engine.units import NO_SEAT, CardIndex, SeatIndex


class AceWord(StrEnum):
    """The one word of a holder of aces, for both halves (LO-3). The values are stored."""

    HIGH = "aces high"
    LOW = "aces low"


_SCALE_BY_ACE_WORD: dict[tuple[bool, str], Scale] = {
    (True, AceWord.HIGH): Scale.HIGH,
    (True, AceWord.LOW): Scale.HIGH_ACE_LOW,
    (False, AceWord.HIGH): Scale.LOW_ACE_HIGH,
    (False, AceWord.LOW): Scale.LOW_ACE_LOW,
}
"""The scale that a holder's one word binds them to, for the high half and for the low (LO-3)."""


def evaluators_for(hand: Hand, seat: SeatIndex) -> tuple[Evaluator, ...]:
    """The evaluators of the shares for this seat's cards, as they lie now; for `NO_SEAT` those of a hand without open cards."""
    rules = hand.rules
    up_indices = hand.up_indices[seat] if seat != NO_SEAT else ()
    joker_up = rules.face_up_joker_is_bug and any(hand.deck[card_index] >= JOKER for card_index in up_indices)
    evaluators = (
        rules.evaluators_for(hand.current_wild_ranks, _wild_common_cards(hand), joker_up=joker_up)
        if rules.wild_cards_vary
        else rules.evaluators
    )
    if not hand.designated:
        return evaluators
    word = next((said for who, _, said in hand.designated if who == seat and said), "")
    if not word:
        return evaluators
    return tuple(
        evaluator(replace(hand_evaluator.ranking, scale=_SCALE_BY_ACE_WORD[not hand_evaluator.ranking.is_low, word]))
        for hand_evaluator in evaluators
    )


def _wild_common_cards(hand: Hand) -> tuple[int, ...]:
    """The single common cards that a custom makes wild (VC-21)."""
    found: tuple[int, ...] = ()
    if hand.board_indices[0]:
        for custom in hand.rules.wild_card_customs:
            found += custom.wild_board_cards(hand.board_cards())
    return found


def values_by_share(hand: Hand, seats: Sequence[SeatIndex]) -> list[list[list[int]]]:
    """The value of each seat's hand, by share and board, seat by seat."""
    found = [[[0] * hand.seat_count for _ in hand.board_indices] for _ in hand.rules.rule_card.shares]
    for seat in seats:
        hole, said = hand.held_cards(seat), _designations(hand, seat)
        for share, hand_evaluator in enumerate(evaluators_for(hand, seat)):
            for board in range(len(hand.board_indices)):
                common = hand.board_cards(board)
                if hand.rules.declares_wild:
                    found[share][board][seat] = designated_value(hand_evaluator, hole, said, common)
                else:
                    found[share][board][seat] = hand_evaluator.best(hole, common)
    return found


def _designations(hand: Hand, seat: SeatIndex) -> dict[int, int]:
    """What a seat has announced that its wild cards stand for."""
    return {
        hand.deck[card_index]: card for who, pairs, _ in hand.designated if who == seat for card_index, card in pairs
    }


def cards_that_play(hand: Hand, seat: SeatIndex, share: int, board: int) -> tuple[int, ...]:
    """The cards that make a seat's hand for one share of the pot on one board, as it was compared; none where it does
    not qualify."""
    hand_evaluator, hole, common = evaluators_for(hand, seat)[share], hand.held_cards(seat), hand.board_cards(board)
    said = _designations(hand, seat) if hand.rules.declares_wild else None
    return playing_cards(hand_evaluator, hole, common, said)


def wild_card_indices(hand: Hand, seat: SeatIndex) -> tuple[int, ...]:
    """The indices of a seat's wild cards."""
    return _wild_among(hand, seat, (*hand.down_indices[seat], *hand.up_indices[seat]))


def designable_indices(hand: Hand, seat: SeatIndex) -> tuple[CardIndex, ...]:
    """The indices of the wild cards that a seat can designate: its own, and then the common ones, which are
    everybody's (W-7, VC-21)."""
    return _wild_among(hand, seat, (*hand.down_indices[seat], *hand.up_indices[seat], *common_card_indices(hand)))


def _wild_among(hand: Hand, seat: SeatIndex, card_indices: tuple[int, ...]) -> tuple[CardIndex, ...]:
    wild = evaluators_for(hand, seat)[0].ranking.wild
    deck, method_of, none = hand.deck, wild.method_of, WildMethod.NONE
    return tuple([CardIndex(card_index) for card_index in card_indices if method_of(deck[card_index]) is not none])


def common_card_indices(hand: Hand) -> tuple[int, ...]:
    """The indices of all common cards; boards that were run twice share their first ones."""
    return tuple(dict.fromkeys(card_index for board in hand.board_indices for card_index in board))


def check_designation(hand: Hand, seat: SeatIndex, card: int, as_card: int, said: Mapping[int, int]) -> None:
    """Rule on what a seat announces of one wild card, beside what it has announced of others (`said`). With two
    boards it must be lawful on one of them.

    Raises:
        LawError: as `bot.engine.ranking.designation.validate_designation`.
    """
    hand_evaluator, hole = evaluators_for(hand, seat)[0], hand.held_cards(seat)
    boards = [hand.board_cards(number) for number in range(len(hand.board_indices))]
    refusal: LawError | None = None
    for board in [one for one in boards if card in one] or boards:
        try:
            validate_designation(hand_evaluator, hole, card, as_card, said, board)
        except LawError as error:
            refusal = error
        else:
            return
    assert refusal is not None
    raise refusal


def ace_words_at_show(hand: Hand, seat: SeatIndex) -> tuple[str, ...]:
    """What the seat must announce of its aces when it shows (LO-3); nothing where it holds none or the ace plays both
    ways."""
    if hand.rules.declares_aces and any(card < JOKER and card >> 2 == ACE for card in hand.held_cards(seat)):
        return (AceWord.HIGH, AceWord.LOW)
    return ()


def must_designate(hand: Hand, seat: SeatIndex) -> bool:
    """Whether a seat has still to announce something of its wild cards or its aces before hands are compared."""
    if any(who == seat for who, _, _ in hand.designated):
        return False
    return bool((hand.rules.declares_wild and designable_indices(hand, seat)) or ace_words_at_show(hand, seat))


def next_designation_request(hand: Hand) -> e.DecisionRequested | None:
    """Ask the next live seat that has something to announce of its wild cards or its aces before hands are compared;
    None when all have."""
    waiting = hand.live_seats
    start = hand.first_to_show - 1
    while waiting:
        seat = next_seat_in(waiting, start)
        if must_designate(hand, seat):
            return e.DecisionRequested(seat, Decision.SHOW)
        waiting &= ~(1 << seat)
        start = seat
    return None


def openers_card_indices(hand: Hand) -> tuple[int, ...]:
    """The cards that the opener opened on, discarded ones included: their highest sufficient pair, else all five
    (VC-20)."""
    by_rank: dict[int, list[int]] = {}
    for card_index in hand.opening_card_indices:
        by_rank.setdefault(hand.deck[card_index] >> 2, []).append(card_index)
    for rank in sorted(by_rank, reverse=True):
        if len(by_rank[rank]) > 1 and rank >= min_openers_rank(hand):
            return tuple(by_rank[rank])
    return hand.opening_card_indices


def min_openers_rank(hand: Hand) -> int:
    """The lowest rank of a pair that opens this hand: the card's own, or what it has progressed to."""
    if hand.started.openers_rank >= 0:
        return hand.started.openers_rank
    return hand.rules.openers.rank if hand.rules.openers is not None else 0


def can_open(hand: Hand, seat: SeatIndex) -> bool:
    """Whether a seat holds openers: a pair of the rank asked for, or any better hand (VC-20)."""
    hand_evaluator = evaluators_for(hand, seat)[0]
    value = hand_evaluator.best(hand.held_cards(seat), hand.board_cards())
    return opens(hand_evaluator.name(value), min_openers_rank(hand))


def seat_of_opener(hand: Hand) -> SeatIndex:
    """The seat that has opened, in a game that asks for openers; `NO_SEAT` for none."""
    return hand.opener if hand.rules.openers is not None else NO_SEAT


def splits_openers(hand: Hand, seat: SeatIndex, discards: Collection[int]) -> bool:
    """Whether a seat that discards these cards has no openers left among the cards it opened on.

    The dealer knows the cards and announces it, so nobody can forget to; whoever does not act stands pat and splits
    nothing (VC-20, TL-41). A player who opened on two pairs, or on three of a kind, can discard a card of them and keep openers.
    """
    if not discards or seat != seat_of_opener(hand):
        return False
    kept = [hand.deck[card_index] for card_index in hand.opening_card_indices if card_index not in discards]
    if not kept:
        return True
    hand_evaluator = evaluators_for(hand, seat)[0]
    return not opens(hand_evaluator.name(hand_evaluator.best(kept)), min_openers_rank(hand))
