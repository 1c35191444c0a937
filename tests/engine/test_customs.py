"""Customs: each one's own rule, and what is asked of all of them."""

import pytest
from msgspec.structs import replace

from bot.engine.cards import ACE, DIAMONDS, HEARTS, JACK, KING, QUEEN, THREE, parse_cards
from bot.engine.custom import Custom, WildRanks
from bot.engine.customs import (
    AnyCustom,
    ButtonBlind,
    FollowRank,
    ForbidsCheckRaise,
    LosersMatchPot,
    Openers,
    PricedRank,
    WildBoardCard,
)
from bot.engine.refusals import NoCheckRaise
from bot.engine.rule_card import with_custom, without_custom
from bot.engine.stakes import Stakes
from bot.variants import CATALOGUE, game
from tests.support.told import deal

TWO = {"Ann": 500, "Bo": 500}
KINDS: tuple[type[Custom], ...] = AnyCustom.__args__


def test_every_custom_can_be_stored() -> None:
    missing = [f"{kind.__name__} is missing in AnyCustom, bot/engine/customs/__init__.py" for kind in Custom.__subclasses__()
               if kind not in KINDS and kind.__module__.startswith("bot.")]  # fmt: skip
    assert missing == []


def test_games_list_their_customs_in_the_order_of_the_union() -> None:
    listed = {card.key: [KINDS.index(type(custom)) for custom in card.customs] for card in CATALOGUE}
    assert listed == {key: sorted(kinds) for key, kinds in listed.items()}


def test_custom_takes_the_place_of_the_one_of_its_kind() -> None:
    queens = game("follow_the_queen")
    kings = with_custom(queens, FollowRank(KING))
    assert kings.customs == (queens.customs[0], FollowRank(KING))
    assert with_custom(without_custom(kings, FollowRank), FollowRank(QUEEN)) == queens
    assert without_custom(queens, Openers) == queens


def test_follow_rank_names_the_next_rank_up() -> None:
    follow, seen = FollowRank(QUEEN, clearing_rank=KING), [WildRanks()]
    for card in parse_cards("Qs3hQd7c5dKhQc"):
        seen.append(follow.wild_after_up_card(card >> 2, seen[-1]))
    assert seen[1:] == [
        WildRanks((), True),  # a queen
        WildRanks((THREE,)),
        WildRanks((), True),  # another one takes it away
        WildRanks((5,)),
        WildRanks((5,)),  # a five changes nothing
        WildRanks(),  # a king clears
        WildRanks((), True),
    ]


def test_follow_rank_voids_a_hand_without_it() -> None:
    assert FollowRank(QUEEN, redeals_without=True).voids_hand({THREE, KING})
    assert not FollowRank(QUEEN, redeals_without=True).voids_hand({THREE, QUEEN})
    assert not FollowRank(QUEEN).voids_hand({THREE})


def test_first_common_card_is_wild_alone_or_with_its_rank() -> None:
    board = tuple(parse_cards("3hKd"))
    alone, with_rank = WildBoardCard(), WildBoardCard(with_its_rank=True)
    assert (alone.wild_board_cards(board), alone.wild_board_ranks(board[0])) == (board[:1], ())
    assert (with_rank.wild_board_cards(board), with_rank.wild_board_ranks(board[0])) == ((), (THREE,))


@pytest.mark.parametrize(("openers", "ranks"), [
    (Openers(JACK), [9, 10, 11, 12, 12, 12, 12, 12]),
    (Openers(JACK, descends=True), [9, 10, 11, 12, 11, 10, 9, 10]),
    (Openers(ACE, descends=True), [12] * 8),
])  # fmt: skip
def test_openers_rise_to_aces(openers: Openers, ranks: list[int]) -> None:
    assert [openers.rank_after(passed_out) for passed_out in range(8)] == ranks


def test_button_blind_is_one_ante_unless_set() -> None:
    assert ButtonBlind().chips(Stakes(ante=10)) == 10
    assert ButtonBlind().chips(Stakes(ante=10, button_blind=20)) == 20


def test_loser_owes_the_pot_up_to_cap_and_stack() -> None:
    match = LosersMatchPot()
    assert [match.owed(300, cap, stack) for cap, stack in ((0, 500), (200, 500), (0, 80))] == [300, 200, 80]


def test_price_must_be_set_unless_it_is_the_pot() -> None:
    assert PricedRank(THREE).requires("price")
    assert not PricedRank(THREE, costs_pot=True).requires("price")
    assert PricedRank(THREE, costs_pot=True).requires("bring_in")


def test_any_game_can_forbid_check_raises() -> None:
    hand = deal(
        with_custom(game("holdem"), ForbidsCheckRaise()),
        button="Ann",
        stacks=TWO,
        stakes=Stakes(small_blind=5, big_blind=10),
    )
    hand.play("Ann calls", "Bo checks", "Bo checks", "Ann bets 10")
    hand.refuses("Bo raises to 30", NoCheckRaise)
    hand.play("Bo calls")


class RedBoardIsWild(Custom, frozen=True):
    """Every red common card is wild. No game of the house plays so."""

    makes_cards_wild = varies_ranking = True

    def wild_board_cards(self, board: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card for card in board if card & 3 in (DIAMONDS, HEARTS))


def test_new_custom_is_played_without_a_line_of_the_engine() -> None:
    card = replace(game("holdem"), customs=(RedBoardIsWild(),))  # type: ignore[arg-type]
    hand = deal(
        card, button="Ann", stacks=TWO, stakes=Stakes(small_blind=5, big_blind=10), options={"wild_method": "free"},
        cards={"Ann": "As Ks", "Bo": "2s 2c"}, board="2d 7c 8c Js 9s",
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks", *("Bo checks", "Ann checks") * 3)
    assert hand.wins == {"Ann": 20}, "the deuce of diamonds is a spade to Ann, and a third deuce to Bo"
