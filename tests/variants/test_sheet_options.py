"""Each option of a single game has an effect, which a hand shows."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.cards import JACK, QUEEN, parse_cards
from bot.engine.errors import LawError
from bot.engine.options import register
from bot.engine.options.register import UnknownHouseRule, UnknownHouseRuleValue
from bot.engine.options.values import ComeIn, DrawTiming, Predraw, StakeLadder
from bot.engine.refusals import CannotCall, NoCheckRaise, NoOpeners, RaiseTooSmall, WrongCardCount, WrongSize
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.stakes import Stakes, validate_stakes
from bot.engine.steps import PassCards
from bot.engine.usual_stakes import usual_stakes
from bot.text.hand_names import hand_name
from bot.variants import apply_sheet_options, game, sheet_options
from tests.variants.play_hand import DealtHand


def deal(words: str) -> tuple[int, ...]:
    return tuple(parse_cards(words))


def with_option(key: str, name: str, value: str) -> RuleCard:
    card = game(key)
    options = register.with_option(card.options, name, value, sheet_options(card))
    return replace(apply_sheet_options(card, options), options=options)


def name_of(dealt: DealtHand, seat: int) -> str:
    game_evaluator = evaluators_for(dealt.hand, seat)[0]
    return hand_name(game_evaluator.name(game_evaluator.best(dealt.hand.held_cards(seat), dealt.hand.board_cards())))


# Draw


@pytest.mark.law("VB-2", "A-11")
def test_coming_in_can_cost_four_antes() -> None:
    """Ante 1, straddle 2: the level is 4, the straddler owes 2, and the ladder goes on from there."""
    card = game("basic_draw")
    options = replace(card.options, come_in=ComeIn.FOUR_ANTES)
    stakes = replace(usual_stakes(card), ante=1, straddle=2)
    dealt = DealtHand(card, 4, options=options, stakes=stakes)
    assert dealt.hand.bets[:2] == [1, 2]
    assert (dealt.legal.call_chips, dealt.legal.min_to) == (4, 8)
    dealt.does(c.Call(), c.Call(), c.Call())
    assert dealt.legal.call_chips == 2
    levels = DealtHand(card, 4, options=replace(options, stake_ladder=StakeLadder.LEVELS), stakes=stakes)
    assert (levels.legal.call_chips, levels.legal.min_to) == (4, 8)
    assert DealtHand(card, 4, stakes=stakes).legal.call_chips == 2


@pytest.mark.law("VB-3", "L-2")
def test_hoyle_draw_can_change_the_limit_after_the_draw() -> None:
    stakes = Stakes(ante=1, limit=10, limit_after_draw=50, min_buyin=1, max_buyin=1000)
    dealt = DealtHand(game("hoyle_draw"), 3, stakes=stakes)
    assert dealt.legal.max_to == 10
    dealt.does(c.Bet(10), c.Call(), c.Fold(), c.ChooseCards(), c.ChooseCards())
    assert dealt.legal.max_to == 50


@pytest.mark.law("B-17", "X-3")
@pytest.mark.parametrize("timing", DrawTiming)
def test_single_draw_games_can_limit_each_player_to_one_say(timing: DrawTiming) -> None:
    """Each acts once; bets are called as each comes to draw, or by all before the first card is changed."""
    card = game("five_card_draw")
    options = replace(card.options, predraw=Predraw.ONE_ROUND, draw_timing=timing)
    dealt = DealtHand(card, 3, options=options)
    dealt.does(c.Call(), c.RaiseTo(200), c.Call())  # button, small blind, big blind
    if timing is DrawTiming.WITH_EQUALISING:
        dealt.does(c.ChooseCards(), c.ChooseCards())
        assert (dealt.hand.to_act, dealt.legal.to_call) == (2, 100)
        with pytest.raises(LawError) as refused:
            dealt.does(c.RaiseTo(300))
        assert refused.value.law == "B-17"
    else:
        assert (dealt.hand.to_act, dealt.legal.to_call) == (2, 100)
        dealt.does(c.Call())
        assert dealt.legal.decision == "draw"


@pytest.mark.law("VC-20")
def test_openers_are_asked_for_and_shown_at_the_end() -> None:
    """Seats get tens, jacks and trash: the tens cannot open, the jacks can."""
    cards = deal("Tc Jc 2c Td Jd 4d 3h 4h 6h 5s 7s 8s 9c Kc Qc")
    dealt = DealtHand(game("jackpots"), 3, cards)
    assert not dealt.legal.max_to
    with pytest.raises(NoOpeners, match="VC-20"):
        dealt.does(c.Bet(100))
    dealt.does(c.Check(), c.Bet(100), c.Fold(), c.Fold())
    assert dealt.hand.over
    shown = next(event for event in dealt.events if isinstance(event, e.OpenersShown))
    assert [dealt.deck[card_index] >> 2 for card_index in shown.card_indices] == [JACK, JACK]
    with pytest.raises(NoOpeners):
        DealtHand(game("jackpots"), 3, cards, openers=QUEEN).does(c.Check(), c.Bet(100))


@pytest.mark.law("VC-20", "N-1")
def test_unopened_hands_leave_their_antes_in_the_pot() -> None:
    dealt = DealtHand(game("jackpots"), 3).does(c.Check(), c.Check(), c.Check())
    assert dealt.hand.passed_out
    assert dealt.hand.carried_to_next_hand == 3 * usual_stakes(game("jackpots")).ante


@pytest.mark.law("VC-11")
def test_check_raising_can_be_forbidden() -> None:
    card = with_option("california_lowball", "california_lowball.no_check_raise", "on")
    dealt = DealtHand(card, 2).does(c.Call(), c.Check(), c.ChooseCards(), c.ChooseCards())
    dealt.does(c.Check(), c.Bet(200))
    assert (dealt.legal.call_chips, dealt.legal.max_to) == (200, 0)
    with pytest.raises(NoCheckRaise, match="VC-11"):
        dealt.does(c.RaiseTo(400))
    usual = DealtHand(game("california_lowball"), 2).does(c.Call(), c.Check(), c.ChooseCards(), c.ChooseCards())
    assert usual.does(c.Check(), c.Bet(200)).legal.max_to == 400


@pytest.mark.law("VC-21")
@pytest.mark.parametrize(
    ("value", "hand"), [("rank", "four of a kind"), ("card", "three of a kind"), ("none", "two pair")]
)
def test_the_turned_card_is_wild_by_rank_alone_or_not(value: str, hand: str) -> None:
    """Ac Ad 9c 2c with the 9d turned."""
    dealt = DealtHand(with_option("spit", "spit.wild", value), 2, deal("Ac Kd Ad Kh 9c 3s 2c 4s 9d"))
    assert name_of(dealt, 0).lower().startswith(hand)


@pytest.mark.law("VC-21", "X-2")
@pytest.mark.parametrize("value", ["2", "3", "4"])
def test_two_three_or_four_cards_are_drawn_by_custom(value: str) -> None:
    dealt = DealtHand(with_option("spit", "spit.draw", value), 2).does(c.Check(), c.Bet(100), c.Call())
    assert dealt.legal.max_cards == int(value)


# Board games


@pytest.mark.law("VC-4")
def test_courchevel_shows_one_flop_card_before_betting() -> None:
    dealt = DealtHand(game("courchevel"), 3)
    assert len(dealt.hand.board_cards()) == 1
    dealt.does(c.Call(), c.Call(), c.Check())
    assert len(dealt.hand.board_cards()) == 3
    assert not dealt.hand.burn_indices


@pytest.mark.law("VC-17")
def test_short_deck_antes_and_the_button_posts_double() -> None:
    """All ante 100, and the button 100 more: a call is 100, a raise is to 200 at least. Later bets are the ante."""
    dealt = DealtHand(game("short_deck"), 4)
    assert dealt.hand.put_in == [100, 100, 100, 200]
    assert (dealt.hand.to_act, dealt.legal.call_chips, dealt.legal.min_to) == (0, 100, 200)
    with pytest.raises(RaiseTooSmall):
        dealt.does(c.RaiseTo(199))
    dealt.does(c.Call(), c.Call(), c.Call(), c.Check())
    assert (dealt.hand.to_act, dealt.legal.min_to) == (0, 100)


@pytest.mark.law("VC-18", "VC-19")
def test_pineapple_and_irish_discard_when_their_sheets_say() -> None:
    for key, held, board in (("pineapple", 3, 0), ("crazy_pineapple", 3, 3), ("irish", 4, 3)):
        dealt = DealtHand(game(key), 2).does(c.Call(), c.Check())
        if board:
            dealt.does(c.Check(), c.Check())
        assert dealt.legal.decision == "give up"
        assert len(dealt.hand.board_cards()) == board
        with pytest.raises(LawError) as refused:
            dealt.does(c.ChooseCards(()))
        assert refused.value.law == game(key).law_id
        dealt.default(2)
        assert [len(cards) for cards in dealt.hand.down_indices] == [2, 2], held


# Stud


@pytest.mark.law("VB-4", "F-6")
def test_the_low_card_must_open_with_the_small_size() -> None:
    dealt = DealtHand(game("stud_low"), 3, deal("As Ks Qs 5c 2c 9c"))
    assert (dealt.hand.to_act, dealt.hand.opening_duty.value) == (1, "open")
    with pytest.raises(LawError) as refused:
        dealt.does(c.Check())
    assert refused.value.law == "F-6"
    assert dealt.legal.min_to == 100


@pytest.mark.law("VC-5")
@pytest.mark.parametrize("value", ["off", "on"])
def test_an_open_pair_on_fourth_street_allows_big_bets(value: str) -> None:
    """Up cards 9 and 2, then 9 and 3: a pair of nines is open."""
    dealt = DealtHand(with_option("stud", "stud.pair_doubles", value), 2, deal("As Ks Ah Kh 9c 2c Qs 9d 3c"))
    dealt.does(c.Bet(25), c.Call())
    assert (dealt.hand.street, dealt.legal.min_to) == ("fourth street", 100)
    assert dealt.legal.max_to == (200 if value == "on" else 100)
    with pytest.raises(WrongSize):
        dealt.does(c.Bet(150))


@pytest.mark.law("VC-5", "VC-7")
def test_equal_door_cards_are_told_apart_by_suit() -> None:
    """The deuce of clubs brings in before the deuce of spades; in razz the king of spades before the king of clubs."""
    assert DealtHand(game("stud"), 2, deal("As Ks Ah Kh 2s 2c")).hand.to_act == 1
    assert DealtHand(game("razz"), 2, deal("As Qs Ah Qh Kc Ks")).hand.to_act == 1


@pytest.mark.law("VC-22")
def test_mexican_stud_deals_up_to_a_player_with_one_down() -> None:
    dealt = DealtHand(game("mexican_stud"), 2, deal("As Ks 2c Kd Qd 3d"))
    dealt.does(c.Bet(25), c.Call())
    assert dealt.legal.offer_kind == "turn a card up"
    dealt.does(c.Accept(), c.Decline())
    assert [len(cards) for cards in dealt.hand.up_indices] == [2, 2]
    assert [len(cards) for cards in dealt.hand.down_indices] == [1, 1]


@pytest.mark.law("VC-23")
def test_a_king_clears_the_wild_rank() -> None:
    """A queen, then a six up: sixes are wild; a king after that takes it away where the table plays so."""
    cards = deal("As Ah 2s 2h Qc 6c 7d Kd 8d")
    plain = DealtHand(game("follow_the_queen"), 2, cards)
    assert plain.hand.current_wild_ranks == (4,)
    cleared = DealtHand(with_option("follow_the_queen", "follow_the_queen.kings_clear", "on"), 2, cards)
    for dealt, wild in ((plain, (4,)), (cleared, ())):
        dealt.does(c.Bet(25), c.Call())
        assert dealt.hand.current_wild_ranks == wild


@pytest.mark.law("VC-23")
def test_a_deal_without_a_queen_up_can_be_redealt() -> None:
    cards = deal("As Ah 2s 2h 3c 6c 7d Kd 8d 7h Kh 8h 7s Ks 8s 7c Kc 8c")
    card = with_option("follow_the_queen", "follow_the_queen.redeal", "on")
    dealt = DealtHand(card, 2, cards).does(c.Bet(25), c.Call())
    while not dealt.hand.over:
        dealt.does(c.Check())
    assert dealt.hand.voided
    assert dealt.hand.stacks == [10_000, 10_000]
    usual = DealtHand(game("follow_the_queen"), 2, cards).does(c.Bet(25), c.Call())
    while not usual.hand.over:
        usual.does(c.Check())
    assert not usual.hand.voided


@pytest.mark.law("VC-24")
@pytest.mark.parametrize(("match_pot", "price"), [("off", 100), ("on", 20)])
def test_a_three_up_is_paid_for(match_pot: str, price: int) -> None:
    """The price is set, or it is what the pot holds: two antes of 10."""
    dealt = DealtHand(with_option("baseball", "baseball.match_pot", match_pot), 2, deal("As Ah 2s 2h 3c 6c"))
    assert (dealt.legal.offer_kind, dealt.legal.offer_amount) == ("pay for a card", price)
    dealt.does(c.Accept())
    assert dealt.hand.pot == 20 + price


@pytest.mark.law("VC-24")
@pytest.mark.parametrize(("value", "up"), [("off", [2, 1]), ("on", [1, 1])])
def test_a_four_up_brings_a_card_up_or_down(value: str, up: list[int]) -> None:
    dealt = DealtHand(with_option("baseball", "baseball.extra_down", value), 2, deal("As Ah 2s 2h 4c 6c"))
    assert [len(cards) for cards in dealt.hand.up_indices] == up
    assert sum(map(len, dealt.hand.down_indices)) + sum(up) == 7


# Home games


@pytest.mark.law("VC-26")
def test_anaconda_passes_exactly_three_cards_left() -> None:
    dealt = DealtHand(game("anaconda"), 3).does(c.Check(), c.Check(), c.Bet(50), c.Call(), c.Call())
    given = dealt.hand.down_indices[0][:3]
    with pytest.raises(WrongCardCount) as refused:
        dealt.does(c.ChooseCards(given[:2]))
    assert (refused.value.law, refused.value.count) == ("VC-26", 3)
    dealt.default(3)
    assert dealt.hand.down_indices[1][-3:] == given


@pytest.mark.law("VC-26")
def test_three_passes_and_high_low_are_options_of_the_sheet() -> None:
    card = game("anaconda")
    both = replace(card.options, sheet=(("anaconda.high_low", "on"), ("anaconda.three_passes", "on")))
    played = apply_sheet_options(card, both)
    assert [step.count for step in played.steps if isinstance(step, PassCards)] == [3, 2, 1]
    assert [share.name for share in played.shares] == ["high", "low"]
    assert apply_sheet_options(card, card.options) == card


@pytest.mark.law("VC-27")
def test_a_guts_loser_matches_the_pot() -> None:
    """Ann has aces, Bo kings, and Cy is out: Bo puts the pot of 300 in again for the next hand."""
    dealt = DealtHand(game("guts"), 3, deal("Ac Kc 2c Ad Kd 4d 9h 8h 7s"))
    dealt.does(c.Declare("in"), c.Declare("in"), c.Declare("out"))
    ante = usual_stakes(game("guts")).ante
    assert dealt.hand.over
    assert dealt.hand.carried_to_next_hand == 3 * ante
    assert dealt.hand.stacks == [10_000 + 2 * ante, 10_000 - 4 * ante, 10_000 - ante]


@pytest.mark.law("VC-27")
def test_one_alone_takes_the_guts_and_none_leaves_them() -> None:
    alone = DealtHand(game("guts"), 3).does(c.Declare("in"), c.Declare("out"), c.Declare("out"))
    ante = usual_stakes(game("guts")).ante
    assert (alone.hand.stacks[0], alone.hand.carried_to_next_hand) == (10_000 + 2 * ante, 0)
    none = DealtHand(game("guts"), 3).does(c.Declare("out"), c.Declare("out"), c.Declare("out"))
    assert none.hand.carried_to_next_hand == 3 * ante


@pytest.mark.law("VC-27")
@pytest.mark.parametrize(("value", "held"), [("2", 2), ("3", 3), ("5", 5)])
def test_guts_are_played_with_two_three_or_five_cards(value: str, held: int) -> None:
    dealt = DealtHand(with_option("guts", "guts.cards", value), 3)
    assert len(dealt.hand.down_indices[0]) == held


# Over any sheet


@pytest.mark.law("VB-12", "L-6")
def test_any_game_can_be_played_for_doubling_stakes() -> None:
    """Hold'em 1-2: raises of 4, 8, 8 over the blind of 2, and then the cap of three."""
    card = game("holdem + doubling")
    dealt = DealtHand(card, 5, stakes=Stakes(small_blind=1, big_blind=2, doublings=3, ante=1, min_buyin=1, max_buyin=9))
    for to in (6, 14, 22):
        assert (dealt.legal.min_to, dealt.legal.max_to) == (to, to)
        dealt.does(c.RaiseTo(to))


@pytest.mark.law("VB-12", "L-6", "H-4")
def test_with_blinds_the_ladder_starts_from_the_small_blind() -> None:
    """50-100 without an ante: the big blind doubles the small, and raises go on with 200, 400 and 400; an ante beside changes nothing."""
    card = game("holdem + doubling")
    assert usual_stakes(card).ante == 0
    validate_stakes(usual_stakes(card), card.options)
    for stakes in (usual_stakes(card), replace(usual_stakes(card), ante=10)):
        dealt = DealtHand(card, 5, stakes=stakes)
        for to in (300, 700, 1100):
            assert (dealt.legal.min_to, dealt.legal.max_to) == (to, to)
            dealt.does(c.RaiseTo(to))


@pytest.mark.law("VB-12", "L-6", "F-6")
@pytest.mark.parametrize("word", ["hoyle draw + doubling", "stud_low + doubling"])
def test_without_a_straddle_the_ladder_starts_at_two_antes(word: str) -> None:
    """Ante 1: the first bet, forced or free, is 2, and raises are of 4, 8 and 8."""
    dealt = DealtHand(game(word), 4, stakes=Stakes(ante=1, doublings=3, min_buyin=1, max_buyin=9))
    for to in (2, 6, 14, 22):
        assert (dealt.legal.min_to, dealt.legal.max_to) == (to, to)
        dealt.does(c.RaiseTo(to) if to > 2 else c.Bet(to))


@pytest.mark.law("VB-13", "B-7")
def test_at_a_strict_table_a_short_stack_must_fold() -> None:
    card = game("hoyle_draw + strict")
    stakes = Stakes(ante=1, limit=100, min_buyin=1, max_buyin=1000)
    dealt = DealtHand(card, 3, stakes=stakes, stacks=(500, 50, 500)).does(c.Bet(80))
    assert (dealt.legal.call_chips, dealt.legal.max_to, dealt.legal.fold) == (0, 0, True)
    with pytest.raises(CannotCall):
        dealt.does(c.Call())


@pytest.mark.law("VB-13", "TL-15")
def test_at_a_strict_table_nobody_is_all_in() -> None:
    """Bo calls with their last chips; they cannot meet the next bet, so they fold and there is no side pot."""
    card = game("hoyle_draw + strict")
    stakes = Stakes(ante=1, limit=100, min_buyin=1, max_buyin=1000)
    dealt = DealtHand(card, 3, stakes=stakes, stacks=(500, 51, 500)).does(c.Bet(50), c.Call(), c.Call())
    dealt.does(c.ChooseCards(), c.ChooseCards(), c.ChooseCards())
    dealt.does(c.Bet(10))
    assert (dealt.hand.to_act, dealt.legal.call_chips) == (1, 0)
    dealt.does(c.Fold(), c.Call())
    assert dealt.hand.over
    assert {payment.pot_index for payment in dealt.hand.payments} == {0}


@pytest.mark.law("VB-10")
def test_a_stripped_deck_can_change_the_order_of_hands() -> None:
    card = game("five_card_draw +36")
    game_evaluator = DealtHand(card, 2).hand.rules.evaluators[0]
    flush, full, low = (list(deal(words)) for words in ("6c 8c 9c Jc Kc", "6c 6d 6h 7c 7d", "Ac 6d 7h 8c 9d"))
    assert game_evaluator.best(full, ()) > game_evaluator.best(flush, ())
    assert game_evaluator.name(game_evaluator.best(low, ())).category.name == "HIGH_CARD"
    options = replace(card.options, sheet=(("stripped.flush_first", "on"), ("stripped.low_ace", "on")))
    played = replace(apply_sheet_options(card, options), options=options)
    game_evaluator = DealtHand(played, 2).hand.rules.evaluators[0]
    assert game_evaluator.best(flush, ()) > game_evaluator.best(full, ())
    assert game_evaluator.name(game_evaluator.best(low, ())).category.name == "STRAIGHT"


@pytest.mark.law("VB-4")
def test_sheet_options_are_offered_for_their_games_only() -> None:
    assert [option.name for option in sheet_options(game("stud_low"))] == ["stud_low.burns"]
    assert [option.name for option in sheet_options(game("stud"))] == ["stud.pair_doubles"]
    assert sheet_options(game("holdem")) == ()
    stripped = ["stripped.flush_first", "stripped.low_ace"]
    assert [option.name for option in sheet_options(game("holdem + 36"))] == stripped
    assert [option.name for option in sheet_options(game("short deck"))] == ["short_deck.trips_first"]
    unheard_of = replace(game("hoyle draw + 36"), key="nobody_knows_it")
    assert [option.name for option in sheet_options(unheard_of)] == stripped
    with pytest.raises(UnknownHouseRule):
        with_option("holdem", "stud.pair_doubles", "on")
    with pytest.raises(UnknownHouseRuleValue):
        with_option("stud", "stud.pair_doubles", "maybe")


@pytest.mark.law("TL-28", "VB-4")
def test_five_card_stud_burns_only_where_the_table_says_so() -> None:
    assert not any(type(step).__name__ == "Burn" for step in game("stud_low").steps)
    assert sum(type(step).__name__ == "Burn" for step in with_option("stud_low", "stud_low.burns", "on").steps) == 3
