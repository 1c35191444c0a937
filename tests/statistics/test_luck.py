"""All-in luck, told as hands: what the pots paid, less what everybody could expect when the betting was over.

The engine is the judge: it deals and settles every way in which a hand could have gone on, and the mean of what it pays is the truth.
PokerKit judges the ranking once more, and the equities of hold'em are known.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, perm

import pokerkit as pk
import pytest
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine import steps
from bot.engine.cards import QUEEN, cards_text, parse_cards
from bot.engine.customs import FollowRank
from bot.engine.evolve import replay
from bot.engine.hand import seats_in
from bot.engine.options.register import with_option
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import rules_in_force
from bot.statistics import luck
from bot.statistics.all_in_hand import NO_BOARD, AllInHand, all_in_hand, may_have_luck, seed_of
from bot.statistics.luck import all_in_luck, drawn_boards, prepare_luck
from bot.variants import CATALOGUE, apply_sheet_options, game, sheet_options
from tests.statistics.all_in_hands import UNIT, rough_hand
from tests.statistics.settled_by_engine import paid_by_engine
from tests.support.told import Told, deal

SEED = seed_of(2, 3)
WITH_LUCK = (
    "holdem", "pot_limit_holdem", "limit_holdem", "omaha", "omaha8", "limit_omaha", "limit_omaha8",
    "no_limit_omaha8", "omaha5", "omaha6", "big_o", "courchevel", "courchevel8", "stud_low", "stud_high",
    "modern_stud5", "hilo_stud", "stud", "stud8", "stud_hilo", "razz", "london", "follow_the_queen", "baseball",
    "short_deck", "short_deck_trips", "pineapple", "crazy_pineapple", "lazy_pineapple", "irish", "bomb_pot",
    "bomb_pot_holdem", "double_board_bomb", "double_board_holdem", "double_board_omaha", "drawmaha",
)  # fmt: skip
"""The games in which cards can come after the last decision. In all others a draw, an arrangement or a declaration comes after them."""


def all_in(hand: Told) -> AllInHand:
    found = all_in_hand(hand.events, hand.hand.deck, SEED)
    assert found is not None
    return found


def luck_of(hand: Told) -> dict[str, float]:
    """Return the luck of each player who was in to the end, in chips."""
    answer = all_in_luck(all_in(hand))
    assert answer is not None
    return {hand.names[seat]: chips / 1_000 for seat, chips in zip(answer.seats, answer.luck, strict=True)}


def heads_up(game_name: str, cards: dict[str, str], board: str, *lines: str, **more: object) -> Told:
    hand = deal(game_name, button="Ann", stacks={"Ann": 1_000, "Bo": 1_000}, cards=cards, board=board, **more)  # type: ignore[arg-type]
    hand.play(*(lines or ("Ann is all-in", "Bo calls all-in")))
    assert hand.over
    return hand


# Hands as players tell them


def test_losing_with_one_card_to_come_is_bad_luck() -> None:
    """Ann has a set, Bo needs one of ten clubs that do not pair the board; seven of 44 cards give Bo the flush."""
    hand = heads_up(
        "no-limit hold'em 5/10", {"Ann": "Ks Kd", "Bo": "Ac Qc"}, "Kc 7c 2d 3h 9c",
        "Ann calls", "Bo checks", "Bo checks", "Ann checks", "Bo is all-in", "Ann calls all-in",
    )  # fmt: skip
    # Clubs that are out: 2 to 6, 8 to J less those that pair the board (2c, 3c give Ann a full house): 4 5 6 8 9 T J.
    expected = 2_000 * Fraction(44 - 7, 44)
    assert luck_of(hand) == {
        "Ann": pytest.approx(float(-expected), abs=0.001),
        "Bo": pytest.approx(float(expected), abs=0.001),
    }
    answer = all_in_luck(all_in(hand))
    assert answer is not None
    assert not answer.is_estimate


@pytest.mark.parametrize(
    ("ann", "bo", "share"),
    [
        ("As Ad", "Ks Kd", 0.82637),
        ("As Ad", "Kc Kh", 0.81255),
        ("Ah Kd", "2c 2s", 0.46960),
        ("As Ks", "Qd Qh", 0.46214),
        ("7h 2d", "As Ac", 0.12578),
    ],
)
def test_known_equities_before_the_flop(ann: str, bo: str, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shares are those of all 1,712,304 boards, ties halved, as counted with the evaluator eval7."""
    hand = heads_up("no-limit hold'em 5/10", {"Ann": ann, "Bo": bo}, "3c 5d 8h Jc 9s")
    for boards in (luck.DRAWN_BOARDS, 20_000):
        monkeypatch.setattr(luck, "DRAWN_BOARDS", boards)
        answer = all_in_luck(all_in(hand))
        assert answer is not None
        assert answer.is_estimate
        expected = hand.wins.get("Ann", 0) - luck_of(hand)["Ann"]
        four_deviations = 4 * (share * (1 - share) / boards) ** 0.5
        assert expected / 2_000 == pytest.approx(share, abs=four_deviations)


def test_flop_of_holdem_is_looked_at_in_full() -> None:
    """990 boards remain for two players."""
    hand = heads_up(
        "no-limit hold'em 5/10", {"Ann": "As Ad", "Bo": "Kh Qh"}, "Th 7h 2c 3s 4d",
        "Ann calls", "Bo checks", "Bo is all-in", "Ann calls all-in",
    )  # fmt: skip
    answer = all_in_luck(all_in(hand))
    assert answer is not None
    assert not answer.is_estimate
    assert comb(len(all_in(hand).unknown), 2) == 990


def test_side_pots_each_have_their_own_expectation() -> None:
    """Cy is in for the main pot alone and is drawing dead; Ann and Bo tie on every board."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 1_000, "Bo": 1_000, "Cy": 400},
        cards={"Ann": "As Kd", "Bo": "Ad Ks", "Cy": "2c 3d"}, board="Ac Kc Kh 9s 7h",
    )  # fmt: skip
    hand.play("Cy calls", "Ann calls", "Bo checks", "Ann is all-in", "Bo calls all-in", "Cy calls all-in")
    assert hand.pots == ((1_200, "Ann Bo Cy"), (1_200, "Ann Bo"))
    assert luck_of(hand) == {"Ann": 0, "Bo": 0, "Cy": 0}


def test_uncalled_chips_are_no_luck() -> None:
    """Bo has Ann covered: what comes back to them is not in a pot."""
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 9_000},
        cards={"Ann": "As Ad", "Bo": "2c 7d"}, board="Ah Ac 9s 8h 3d",
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks", "Bo is all-in", "Ann calls all-in")
    assert luck_of(hand) == {"Ann": 0, "Bo": 0}, "Ann has four aces on the flop"


def test_run_twice_is_measured_against_the_moment_before_both() -> None:
    once = heads_up("no-limit hold'em 5/10", {"Ann": "As Ad", "Bo": "Ks Kd"}, "2c 7d 8h 3s 4c")
    twice = heads_up(
        "no-limit hold'em 5/10", {"Ann": "As Ad", "Bo": "Ks Kd"}, "2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c",
        "Ann is all-in", "Bo calls all-in", "Bo runs it twice", "Ann runs it twice", ask_run_twice=True,
    )  # fmt: skip
    assert once.wins == {"Ann": 2_000}
    assert twice.wins == {"Ann": 1_000, "Bo": 1_000}
    assert [deal.count for deal in all_in(twice).to_come] == [3, 1, 1], "of two boards that are alike one is looked at"
    assert luck_of(twice)["Ann"] == pytest.approx(luck_of(once)["Ann"] - 1_000, abs=0.001)


def test_hi_lo_expectation_counts_both_halves() -> None:
    """With one card to come Bo has no low yet: a five to an eight brings them half the pot."""
    hand = heads_up(
        "no_limit_omaha8 5/10", {"Ann": "As Ad Kc Kd", "Bo": "2s 3s 9c Tc"}, "Ah Kh 4c Td Jd",
        "Ann calls", "Bo checks", "Bo checks", "Ann checks", "Bo is all-in", "Ann calls all-in",
    )  # fmt: skip
    low = sum(card >> 2 in (3, 4, 5, 6) for card in all_in(hand).unknown)  # with A 4 on the board and 2 3 in the hand
    assert low == 16
    counted = all_in(hand)
    truth = paid_by_engine(hand.events, hand.hand.deck, counted.unknown)
    assert luck_of(hand)["Bo"] == pytest.approx(float(-truth[hand.seat("Bo")]), abs=0.001)
    assert truth[hand.seat("Bo")] >= 1_000 * Fraction(16, len(counted.unknown))


def test_pineapple_luck_begins_after_cards_are_given_up() -> None:
    """All-in before the flop, then a card is given up, and then all five common cards are luck."""
    hand = deal("pineapple 5/10", button="Ann", stacks={"Ann": 1_000, "Bo": 1_000})
    hand.play("Ann is all-in", "Bo calls all-in", "Bo says nothing", "Ann says nothing")
    counted = all_in(hand)
    assert [deal.count for deal in counted.to_come] == [3, 1, 1]
    assert [len(cards) for cards in counted.down] == [2, 2]
    assert len(counted.unknown) == 52 - 4, "what was given up is not known to everybody"


def test_odd_chip_is_shared_by_expectation() -> None:
    """Three players tie for 1,000 chips on every board: each can expect a third; thousandths add up to the pot."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 333, "Bo": 333, "Cy": 333}, carried=1,
        cards={"Ann": "2c 3d", "Bo": "2d 3h", "Cy": "2h 3s"}, board="As Ks Qs Js Ts",
    )  # fmt: skip
    hand.play("Cy calls", "Ann calls", "Bo checks", "Ann checks", "Bo checks", "Cy checks")
    hand.play("Ann is all-in", "Bo calls all-in", "Cy calls all-in")
    counted = all_in(hand)
    answer = all_in_luck(replace(counted, unknown=parse_cards("Ts 4c 5c")[:1]))
    assert answer is not None
    assert sorted(answer.luck) == [-333, -333, 666], "the odd chip and the odd thousandth go to the same seat"
    assert sum(answer.luck) == 0


def test_up_cards_of_folded_hands_cannot_come_again() -> None:
    """At stud everybody has seen them; the cards that folded face down nobody has."""
    rng = random.Random(4)
    for _ in range(200):
        events, deck = rough_hand(rng, game("stud"), 5, calm_rounds=1, folds=0.5)
        hand = all_in_hand(events, deck, SEED)
        over = replay(events, deck)
        folded = [seat for seat in over.seats if not over.live_seats >> seat & 1]
        if hand is not None and folded and any(len(over.up_indices[seat]) > 1 for seat in folded):
            break
    assert hand is not None
    seen = {deck[index] for seat in folded for index in over.up_indices[seat]}
    unseen = {deck[index] for seat in folded for index in over.down_indices[seat]}
    assert len(seen) >= 2
    assert seen.isdisjoint(hand.unknown)
    assert unseen <= set(hand.unknown)


def test_hearts_decide_what_would_be_a_tie() -> None:
    """Under `hearts_first` Ann's hearts beat the same ranks, so with the turn out only flushes and pairs of Bo's kickers matter."""
    cards, board = {"Ann": "Ah Kh", "Bo": "As Ks"}, "2c 7d 8c Td 4c"
    lines = ("Ann calls", "Bo checks", "Bo checks", "Ann checks", "Bo is all-in", "Ann calls all-in")
    plain = heads_up("no-limit hold'em 5/10", cards, board, *lines)
    hearts = heads_up("no-limit hold'em 5/10", cards, board, *lines, options={"suit_rank": "hearts_first"})
    assert luck_of(plain) == {"Ann": 0, "Bo": 0}, "they tie whatever comes"
    assert hearts.wins == {"Ann": 2_000}
    assert luck_of(hearts) == {"Ann": 0, "Bo": 0}, "Ann wins whatever comes"


# Where there is no luck


def test_no_luck_where_somebody_could_still_bet_or_fold() -> None:
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 1_000, "Bo": 1_000})
    hand.play("Ann calls", "Bo checks", *["Bo checks", "Ann checks"] * 3)
    assert hand.over
    assert all_in_hand(hand.events, hand.hand.deck, SEED) is None
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 1_000, "Bo": 1_000})
    hand.play("Ann is all-in", "Bo folds")
    assert all_in_hand(hand.events, hand.hand.deck, SEED) is None


def test_no_luck_on_the_river() -> None:
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 1_000, "Bo": 1_000})
    hand.play(
        "Ann calls",
        *["Bo checks", "Bo checks", "Ann checks", "Bo checks", "Ann checks"],
        "Bo is all-in",
        "Ann calls all-in",
    )
    assert hand.over
    assert all_in_hand(hand.events, hand.hand.deck, SEED) is None


def test_no_luck_where_holders_name_their_wild_cards() -> None:
    """What wild cards stand for is a decision of their holder that is still to come (W-7)."""
    card = game("holdem + deuces wild")
    options = with_option(card.options, "wild_call", "declare")
    rng = random.Random(1)
    assert all_in_hand(*rough_hand(rng, card, 3), SEED) is not None
    hands = [rough_hand(rng, card, 3, options=options) for _ in range(5)]
    assert [all_in_hand(*hand, SEED) for hand in hands] == [None] * 5


def test_no_luck_after_hands_were_declared() -> None:
    """A seat contests what it declared (VC-26), which no ranking tells."""
    stud = game("hilo_stud")
    last = max(at for at, step in enumerate(stud.steps) if isinstance(step, steps.DealUp))
    declare = steps.DeclareInSecret(("high", "low", steps.BOTH), "high")
    card = replace(
        stud,
        steps=(
            *stud.steps[: last - 1],
            declare,
            steps.DealUp(1),
            steps.BettingRound("fourth street"),
            *stud.steps[last:],
        ),
    )
    rng = random.Random(1)
    hands = [rough_hand(rng, card, 3) for _ in range(20)]
    opened = [hand for hand in hands if may_have_luck(hand[0])]
    assert opened, "some were turned up with cards to come"
    assert [all_in_hand(*hand, SEED) for hand in opened] == [None] * len(opened)


@pytest.mark.parametrize("card", [card for card in CATALOGUE if card.key not in WITH_LUCK], ids=lambda card: card.key)
def test_games_with_a_later_decision_have_no_luck(card: RuleCard) -> None:
    rng = random.Random(card.key)
    for _ in range(6):
        events, deck = rough_hand(
            rng, card, rng.randint(max(2, card.seats_min), card.seats_max), calm_rounds=rng.randint(0, 2)
        )
        assert not may_have_luck(events)
        assert all_in_hand(events, deck, SEED) is None


# Against the engine


@pytest.mark.parametrize("key", WITH_LUCK)
def test_expectation_is_the_mean_of_what_the_engine_pays(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine settles every way in which a few cards can come, at any street, with side pots and folded hands."""
    monkeypatch.setattr(luck, "MAX_EXACT", 10**9)
    check_against_engine(random.Random(key), game(key), hands=2, ways=250)


@pytest.mark.full
@pytest.mark.parametrize("key", WITH_LUCK)
def test_expectations_of_many_hands_against_the_engine(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "MAX_EXACT", 10**9)
    check_against_engine(random.Random(key + "full"), game(key), hands=60, ways=1_000)


@pytest.mark.parametrize(
    "name",
    [
        "holdem + deuces wild", "holdem + joker as bug", "omaha + deuces wild", "omaha hi-lo + one-eyed jacks wild", "stud + deuces wild",
        "stud + joker", "stud + cats and dogs", "short deck + joker", "razz + deuces wild",
    ],
)  # fmt: skip
def test_wild_cards_and_jokers_against_the_engine(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "MAX_EXACT", 10**9)
    check_against_engine(random.Random(name), game(name), hands=2, ways=150)


@pytest.mark.parametrize(
    ("key", "option", "value"),
    [
        ("holdem", "suit_rank", "hearts_first"), ("omaha", "suit_rank", "hearts_first"), ("stud", "suit_rank", "hearts_first"),
        ("lazy_pineapple", "suit_rank", "hearts_first"), ("omaha8", "low_scale", "27"), ("stud8", "low_scale", "ace_low"),
        ("courchevel8", "low_scale", "ace_high"), ("stud", "ace_straight", "low_only"),
        ("follow_the_queen", "suit_rank", "hearts_first"), ("baseball", "suit_rank", "hearts_first"),
    ],
)  # fmt: skip
def test_other_rankings_of_a_table_against_the_engine(
    key: str, option: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck, "MAX_EXACT", 10**9)
    options = with_option(game(key).options, option, value)
    check_against_engine(random.Random(key + option + value), game(key), hands=2, ways=120, options=options)


@pytest.mark.law("VC-23")
def test_boards_that_void_the_hand_are_not_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under `redeal` nobody wins a hand without a queen face up, so only the ways in which one comes tell what could be expected."""
    monkeypatch.setattr(luck, "MAX_EXACT", 10**9)
    plain = game("follow_the_queen")
    options = with_option(plain.options, "follow_the_queen.redeal", "on", sheet_options(plain))
    card = replace(apply_sheet_options(plain, options), options=options)
    rng = random.Random(6)
    while True:
        events, deck = rough_hand(rng, card, 2, calm_rounds=2)
        hand = all_in_hand(events, deck, SEED)
        if hand is not None and QUEEN not in hand.up_ranks and sum(deal.count for deal in hand.to_come) == 2:
            break
    pool = [one for one in hand.unknown if one >> 2 == QUEEN][:1] + [one for one in hand.unknown if one >> 2 != QUEEN][
        :6
    ]
    answer = all_in_luck(replace(hand, unknown=tuple(sorted(pool))))
    assert answer is not None
    truth = paid_by_engine(events, deck, pool, in_order=True)
    assert [Fraction(chips, 1_000) for chips in answer.luck] == [
        pytest.approx(paid - truth.get(seat, 0), abs=0.001) for seat, paid in zip(hand.seats, hand.paid, strict=True)
    ]


def check_against_engine(
    rng: random.Random, card: RuleCard, *, hands: int, ways: int, options: Options | None = None
) -> None:
    checked = 0
    while checked < hands:
        players = rng.randint(max(2, card.seats_min), card.seats_max)
        events, deck = rough_hand(
            rng,
            card,
            players,
            calm_rounds=rng.choice((0, 0, 1, 1, 2, 3)),
            folds=rng.choice((0, 0.3, 0.6, 0.8)),
            options=options,
        )
        hand = all_in_hand(events, deck, SEED)
        if hand is None or any(isinstance(event, e.Reshuffled) for event in events):
            continue
        in_order = card.has_custom(FollowRank)
        pool = few_cards(rng, hand, ways, in_order=in_order)
        if not pool:
            continue
        checked += 1
        answer = all_in_luck(replace(hand, unknown=pool))
        assert answer is not None
        truth = paid_by_engine(events, deck, pool, in_order=in_order)
        for seat, paid, chips in zip(hand.seats, hand.paid, answer.luck, strict=True):
            expected = truth.get(seat, Fraction(0))
            assert abs(Fraction(chips, 1_000) - (paid - expected)) < Fraction(1, 999), (
                card.key,
                seat,
                cards_text(pool),
            )


def few_cards(rng: random.Random, hand: AllInHand, ways: int, *, in_order: bool) -> tuple[int, ...]:
    """Return so few of the unknown cards that there are at most so many ways in which they can come; none if that is too few cards."""
    each = sum(deal.count for deal in hand.to_come if deal.board == NO_BOARD)
    groups = [each] * len(hand.seats)
    groups += [sum(deal.count for deal in hand.to_come if deal.board == at) for at in range(len(hand.boards))]
    for size in range(len(hand.unknown), sum(groups) - 1, -1):
        if ways_to_come(groups, size, in_order=in_order) <= ways:
            return tuple(sorted(rng.sample(hand.unknown, size)))
    return ()


def ways_to_come(groups: Sequence[int], size: int, *, in_order: bool) -> int:
    if in_order:
        return perm(size, sum(groups))
    found = 1
    for count in groups:
        found *= comb(size, count)
        size -= count
    return found


# Against PokerKit


@pytest.mark.parametrize(
    ("key", "kinds"),
    [
        ("holdem", (pk.StandardHighHand,)),
        ("short_deck", (pk.ShortDeckHoldemHand,)),
        ("omaha8", (pk.OmahaHoldemHand, pk.OmahaEightOrBetterLowHand)),
        ("courchevel8", (pk.OmahaHoldemHand, pk.OmahaEightOrBetterLowHand)),
    ],
)
def test_river_to_come_against_pokerkit(key: str, kinds: tuple[type[pk.Hand], ...]) -> None:
    rng = random.Random(key)
    for _ in range(50):
        events, deck = rough_hand(rng, game(key), 2, calm_rounds=2, stacks=(4_000 * UNIT, 4_000 * UNIT))
        hand = all_in_hand(events, deck, SEED)
        if hand is not None and len(hand.boards[0]) == 4:
            break
    assert hand is not None
    won = [Fraction(0), Fraction(0)]
    for river in hand.unknown:
        shares = []
        for kind in kinds:
            best = [_pokerkit_hand(kind, down, (*hand.boards[0], river)) for down in hand.down]
            qualified = [one for one in best if one is not None]
            if qualified:
                shares.append([one is not None and one == max(qualified) for one in best])
        for winners in shares:
            for at in range(2):
                won[at] += Fraction(winners[at], sum(winners) * len(shares))
    answer = all_in_luck(hand)
    assert answer is not None
    assert not answer.is_estimate
    pot = sum(pot.chips for pot in hand.pots)
    for at in range(2):
        expected = pot * won[at] / len(hand.unknown)
        assert abs(Fraction(answer.luck[at], 1_000) - (hand.paid[at] - expected)) < Fraction(1, 999)


def _pokerkit_hand(kind: type[pk.Hand], hole: Sequence[int], board: Sequence[int]) -> pk.Hand | None:
    try:
        return kind.from_game(cards_text(hole), cards_text(board))
    except ValueError:  # no hand qualifies
        return None


# What luck must not know


@pytest.mark.parametrize(
    "key", ["holdem", "omaha8", "stud", "pineapple", "drawmaha", "follow_the_queen", "double_board_omaha"]
)
def test_folded_cards_and_the_stub_change_nothing(key: str) -> None:
    """Folded hands, burned and discarded cards and the rest of the deck are exchanged at will: the same is told, to the last bit."""
    rng = random.Random(key)
    checked = 0
    while checked < 3:
        events, deck = rough_hand(rng, game(key), 6, calm_rounds=rng.choice((0, 1)), folds=0.4)
        told = all_in_hand(events, deck, SEED)
        if told is None or len(told.seats) == 6 or any(isinstance(event, e.Reshuffled) for event in events):
            continue
        checked += 1
        over = replay(events, deck)
        open_cards = {
            index for seat in seats_in(over.live_seats) for index in (*over.down_indices[seat], *over.up_indices[seat])
        }
        open_cards.update(index for board in over.board_indices for index in board)
        open_cards.update(index for up in over.up_indices for index in up)
        hidden = [index for index in range(len(deck)) if index not in open_cards]
        for _ in range(3):
            others = [deck[index] for index in hidden]
            rng.shuffle(others)
            exchanged = list(deck)
            for index, card in zip(hidden, others, strict=True):
                exchanged[index] = card
            assert all_in_hand(events, tuple(exchanged), SEED) == told
        assert set(told.unknown).isdisjoint(card for down in (*told.down, *told.up, *told.boards) for card in down)


def test_same_hand_always_has_the_same_luck() -> None:
    hand = heads_up("no-limit hold'em 5/10", {"Ann": "As Ad", "Bo": "Ks Kd"}, "3c 5d 8h Jc Qs")
    counted = all_in(hand)
    assert all_in_luck(counted) == all_in_luck(counted)
    other = all_in_luck(replace(counted, seed=seed_of(2, 4)))
    assert other != all_in_luck(counted), "another hand draws other boards"
    assert list(drawn_boards(tuple(range(45)), 2, b"", 4)) == [(7, 4), (41, 0), (7, 23), (17, 9)]


def test_drawn_boards_are_equally_likely() -> None:
    """Each pair of six cards comes 1,000 times in 15,000, within four standard deviations; no board holds a card twice."""
    drawn = [tuple(sorted(board)) for board in drawn_boards(tuple(range(6)), 2, SEED, 15_000)]
    counts = {pair: drawn.count(pair) for pair in combinations(range(6), 2)}
    assert sum(counts.values()) == 15_000
    assert all(abs(count - 1_000) < 4 * 31 for count in counts.values()), counts


@pytest.mark.parametrize("key", WITH_LUCK)
def test_luck_of_random_hands_adds_up_to_zero(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "DRAWN_BOARDS", 50)
    rng = random.Random(key + "sum")
    for _ in range(4):
        events, deck = rough_hand(rng, game(key), rng.randint(2, game(key).seats_max), runs_twice=rng.random() < 0.5)
        hand = all_in_hand(events, deck, SEED)
        if hand is not None:
            assert sum(hand.paid) == sum(pot.chips for pot in hand.pots)
            answer = all_in_luck(hand)
            assert answer is not None
            assert sum(answer.luck) == 0


# What is learned before a hand


@pytest.mark.parametrize(
    "name",
    ["holdem", "omaha8", "london", "stud8", "short_deck", "holdem + deuces wild", "omaha + joker as bug", "stud + cats and dogs"],
)  # fmt: skip
def test_nothing_is_learned_at_the_first_hand_that_was_prepared(name: str) -> None:
    """The rules are asked about no sum of cards any more, whatever hand comes first, and what it tells is the same."""
    card, rng = game(name), random.Random(name)
    hands = [all_in_hand(*rough_hand(rng, card, 4, calm_rounds=1), SEED) for _ in range(6)]
    hand = next(hand for hand in hands if hand is not None)
    rules = rules_in_force(hand.rule_card, hand.options, hand.stakes)
    for evaluator in rules.evaluators:
        evaluator.clear_caches()
    unprepared = all_in_luck(hand)
    for evaluator in rules.evaluators:
        evaluator.clear_caches()
    prepare_luck(hand.rule_card, hand.options, hand.stakes)
    learned = [len(evaluator.caches.by_ranks) for evaluator in rules.evaluators]
    assert min(learned) > 1_000
    assert all_in_luck(hand) == unprepared
    assert [len(evaluator.caches.by_ranks) for evaluator in rules.evaluators] == learned
