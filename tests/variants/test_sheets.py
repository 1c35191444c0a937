"""What single sheets say, each told as the deal that shows it."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.card import RuleCard
from bot.engine.cards import JACK, QUEEN, parse_all
from bot.engine.errors import LawError
from bot.engine.options import ComeIn, DrawTiming, Predraw, StakeLadder
from bot.engine.ranking import long_name
from bot.engine.reading import judges_for
from bot.engine.refusals import CannotCall, NoCheckRaise, NoOpeners, RaiseTooSmall, WrongSize
from bot.engine.stakes import Stakes, check_stakes
from bot.engine.steps import PassCards
from bot.engine.usual import usual_stakes
from bot.variants import game, played_by, sheet_entries, with_sheet_option
from tests.variants.play import Dealt


def deal(words: str) -> tuple[int, ...]:
    return tuple(parse_all(words))


def with_option(key: str, name: str, value: str) -> RuleCard:
    card = game(key)
    changed, options = with_sheet_option(card, card.options, name, value)
    return replace(changed, options=options)


def name_of(dealt: Dealt, seat: int) -> str:
    judge = judges_for(dealt.hand, seat)[0]
    return long_name(judge.name(judge.best(dealt.hand.hole_cards(seat), dealt.hand.board())))


# Draw


@pytest.mark.law("VB-2", "A-11")
def test_four_antes_are_the_price_of_coming_in() -> None:
    """Ante 1, straddle 2: the level is 4, the straddler owes 2, and the ladder goes on from there."""
    card = game("basic_draw")
    options = replace(card.options, come_in=ComeIn.FOUR_ANTES)
    stakes = replace(usual_stakes(card), ante=1, straddle=2)
    dealt = Dealt(card, 4, options=options, stakes=stakes)
    assert dealt.hand.bets[:2] == [1, 2]
    assert (dealt.legal.call, dealt.legal.min_to) == (4, 8)
    dealt.does(c.Call(), c.Call(), c.Call())
    assert dealt.legal.call == 2
    levels = Dealt(card, 4, options=replace(options, stake_ladder=StakeLadder.LEVELS), stakes=stakes)
    assert (levels.legal.call, levels.legal.min_to) == (4, 8)
    assert Dealt(card, 4, stakes=stakes).legal.call == 2


@pytest.mark.law("VB-3", "L-2")
def test_hoyle_draw_may_have_another_limit_after_the_draw() -> None:
    stakes = Stakes(ante=1, limit=10, limit_after_draw=50, min_buyin=1, max_buyin=1000)
    dealt = Dealt(game("hoyle_draw"), 3, stakes=stakes)
    assert dealt.legal.max_to == 10
    dealt.does(c.Bet(10), c.Call(), c.Fold(), c.Discard(), c.Discard())
    assert dealt.legal.max_to == 50


@pytest.mark.law("B-17", "X-3")
@pytest.mark.parametrize("timing", DrawTiming)
def test_any_single_draw_may_be_played_with_one_say_each(timing: DrawTiming) -> None:
    """Each speaks once; stakes are evened as each comes to draw, or by all before the first card is changed."""
    card = game("five_card_draw")
    options = replace(card.options, predraw=Predraw.ONE_ROUND, draw_timing=timing)
    dealt = Dealt(card, 3, options=options)
    dealt.does(c.Call(), c.RaiseTo(200), c.Call())  # button, small blind, big blind
    if timing is DrawTiming.WITH_EQUALISING:
        dealt.does(c.Discard(), c.Discard())
        assert (dealt.hand.to_act, dealt.legal.owe) == (2, 100)
        with pytest.raises(LawError) as refused:
            dealt.does(c.RaiseTo(300))
        assert refused.value.law == "B-17"
    else:
        assert (dealt.hand.to_act, dealt.legal.owe) == (2, 100)
        dealt.does(c.Call())
        assert dealt.legal.decision == "draw"


@pytest.mark.law("VC-20")
def test_openers_are_asked_for_and_shown_at_the_end() -> None:
    """Seats get tens, jacks and trash: the tens may not open, the jacks may."""
    cards = deal("Tc Jc 2c Td Jd 4d 3h 4h 6h 5s 7s 8s 9c Kc Qc")
    dealt = Dealt(game("jackpots"), 3, cards)
    assert not dealt.legal.max_to
    with pytest.raises(NoOpeners, match="VC-20"):
        dealt.does(c.Bet(100))
    dealt.does(c.Check(), c.Bet(100), c.Fold(), c.Fold())
    assert dealt.hand.over
    shown = next(event for event in dealt.events if isinstance(event, e.OpenersShown))
    assert [dealt.deck[place] >> 2 for place in shown.places] == [JACK, JACK]
    with pytest.raises(NoOpeners):
        Dealt(game("jackpots"), 3, cards, openers=QUEEN).does(c.Check(), c.Bet(100))


@pytest.mark.law("VC-20", "N-1")
def test_a_deal_that_nobody_opens_leaves_its_antes_in_the_pot() -> None:
    dealt = Dealt(game("jackpots"), 3).does(c.Check(), c.Check(), c.Check())
    assert dealt.hand.passed_out
    assert dealt.hand.carried_on == 3 * usual_stakes(game("jackpots")).ante


@pytest.mark.law("VC-11")
def test_who_has_checked_may_not_raise_where_the_table_plays_so() -> None:
    card = with_option("california_lowball", "california_lowball.no_check_raise", "on")
    dealt = Dealt(card, 2).does(c.Call(), c.Check(), c.Discard(), c.Discard())
    dealt.does(c.Check(), c.Bet(200))
    assert (dealt.legal.call, dealt.legal.max_to) == (200, 0)
    with pytest.raises(NoCheckRaise, match="VC-11"):
        dealt.does(c.RaiseTo(400))
    usual = Dealt(game("california_lowball"), 2).does(c.Call(), c.Check(), c.Discard(), c.Discard())
    assert usual.does(c.Check(), c.Bet(200)).legal.max_to == 400


@pytest.mark.law("VC-21")
@pytest.mark.parametrize(
    ("value", "hand"), [("rank", "four of a kind"), ("card", "three of a kind"), ("none", "two pair")]
)
def test_the_turned_card_is_wild_by_rank_alone_or_not(value: str, hand: str) -> None:
    """Ac Ad 9c 2c with the 9d turned."""
    dealt = Dealt(with_option("spit", "spit.wild", value), 2, deal("Ac Kd Ad Kh 9c 3s 2c 4s 9d"))
    assert name_of(dealt, 0).lower().startswith(hand)


@pytest.mark.law("VC-21", "X-2")
@pytest.mark.parametrize("value", ["2", "3", "4"])
def test_two_three_or_four_cards_are_drawn_by_custom(value: str) -> None:
    dealt = Dealt(with_option("spit", "spit.draw", value), 2).does(c.Check(), c.Bet(100), c.Call())
    assert dealt.legal.most == int(value)


# Board games


@pytest.mark.law("VC-4")
def test_the_first_card_of_a_courchevel_flop_is_seen_before_anybody_bets() -> None:
    dealt = Dealt(game("courchevel"), 3)
    assert len(dealt.hand.board()) == 1
    dealt.does(c.Call(), c.Call(), c.Check())
    assert len(dealt.hand.board()) == 3
    assert not dealt.hand.burns


@pytest.mark.law("VC-17")
def test_short_deck_antes_and_the_button_posts_double() -> None:
    """Antes of 100, the button 100 more: call 100, raise to 200 at least; later bets are the ante."""
    dealt = Dealt(game("short_deck"), 4)
    assert dealt.hand.put_in == [100, 100, 100, 200]
    assert (dealt.hand.to_act, dealt.legal.call, dealt.legal.min_to) == (0, 100, 200)
    with pytest.raises(RaiseTooSmall):
        dealt.does(c.RaiseTo(199))
    dealt.does(c.Call(), c.Call(), c.Call(), c.Check())
    assert (dealt.hand.to_act, dealt.legal.min_to) == (0, 100)


@pytest.mark.law("VC-18", "VC-19")
def test_pineapple_and_irish_drop_cards_when_their_sheets_say() -> None:
    for key, held, board in (("pineapple", 3, 0), ("crazy_pineapple", 3, 3), ("irish", 4, 3)):
        dealt = Dealt(game(key), 2).does(c.Call(), c.Check())
        if board:
            dealt.does(c.Check(), c.Check())
        assert dealt.legal.decision == "drop"
        assert len(dealt.hand.board()) == board
        with pytest.raises(LawError) as refused:
            dealt.does(c.Discard(()))
        assert refused.value.law == game(key).sheet
        dealt.silent(2)
        assert [len(cards) for cards in dealt.hand.down] == [2, 2], held


# Stud


@pytest.mark.law("VB-4", "F-6")
def test_the_low_card_must_open_with_the_small_size() -> None:
    dealt = Dealt(game("stud_low"), 3, deal("As Ks Qs 5c 2c 9c"))
    assert (dealt.hand.to_act, dealt.hand.duty.value) == (1, "open")
    with pytest.raises(LawError) as refused:
        dealt.does(c.Check())
    assert refused.value.law == "F-6"
    assert dealt.legal.min_to == 100


@pytest.mark.law("VC-5")
@pytest.mark.parametrize("value", ["off", "on"])
def test_an_open_pair_on_fourth_street_doubles_where_the_table_plays_so(value: str) -> None:
    """Up cards 9 and 2, then 9 and 3: a pair of nines is open."""
    dealt = Dealt(with_option("stud", "stud.pair_doubles", value), 2, deal("As Ks Ah Kh 9c 2c Qs 9d 3c"))
    dealt.does(c.Bet(25), c.Call())
    size = 200 if value == "on" else 100
    assert (dealt.hand.street, dealt.legal.min_to) == ("fourth street", size)
    with pytest.raises(WrongSize):
        dealt.does(c.Bet(300 - size))


@pytest.mark.law("VC-5", "VC-7")
def test_equal_door_cards_are_told_apart_by_suit() -> None:
    """The deuce of clubs brings in before the deuce of spades; in razz the king of spades before the king of clubs."""
    assert Dealt(game("stud"), 2, deal("As Ks Ah Kh 2s 2c")).hand.to_act == 1
    assert Dealt(game("razz"), 2, deal("As Qs Ah Qh Kc Ks")).hand.to_act == 1


@pytest.mark.law("VC-22")
def test_a_mexican_stud_card_comes_up_for_who_has_one_down() -> None:
    dealt = Dealt(game("mexican_stud"), 2, deal("As Ks 2c Kd Qd 3d"))
    dealt.does(c.Bet(25), c.Call())
    assert dealt.legal.about == "turn a card up"
    dealt.does(c.Accept(), c.Decline())
    assert [len(cards) for cards in dealt.hand.up] == [2, 2]
    assert [len(cards) for cards in dealt.hand.down] == [1, 1]


@pytest.mark.law("VC-23")
def test_kings_clear_what_a_queen_has_made_wild() -> None:
    """A queen, then a six up: sixes are wild; a king after that takes it away where the table plays so."""
    cards = deal("As Ah 2s 2h Qc 6c 7d Kd 8d")
    plain = Dealt(game("follow_the_queen"), 2, cards)
    assert plain.hand.wild_now == (4,)
    cleared = Dealt(with_option("follow_the_queen", "follow_the_queen.kings_clear", "on"), 2, cards)
    for dealt, wild in ((plain, (4,)), (cleared, ())):
        dealt.does(c.Bet(25), c.Call())
        assert dealt.hand.wild_now == wild


@pytest.mark.law("VC-23")
def test_without_a_queen_up_the_deal_is_dealt_again_where_the_table_plays_so() -> None:
    cards = deal("As Ah 2s 2h 3c 6c 7d Kd 8d 7h Kh 8h 7s Ks 8s 7c Kc 8c")
    card = with_option("follow_the_queen", "follow_the_queen.redeal", "on")
    dealt = Dealt(card, 2, cards).does(c.Bet(25), c.Call())
    while not dealt.hand.over:
        dealt.does(c.Check())
    assert dealt.hand.voided
    assert dealt.hand.stacks == [10_000, 10_000]
    usual = Dealt(game("follow_the_queen"), 2, cards).does(c.Bet(25), c.Call())
    while not usual.hand.over:
        usual.does(c.Check())
    assert not usual.hand.voided


@pytest.mark.law("VC-24")
@pytest.mark.parametrize(("match_pot", "price"), [("off", 100), ("on", 20)])
def test_a_three_up_is_paid_for(match_pot: str, price: int) -> None:
    """The price is set, or it is what the pot holds: two antes of 10."""
    dealt = Dealt(with_option("baseball", "baseball.match_pot", match_pot), 2, deal("As Ah 2s 2h 3c 6c"))
    assert (dealt.legal.about, dealt.legal.offer) == ("pay for a card", price)
    dealt.does(c.Accept())
    assert dealt.hand.pot == 20 + price


@pytest.mark.law("VC-24")
@pytest.mark.parametrize(("value", "up"), [("off", [2, 1]), ("on", [1, 1])])
def test_a_four_up_brings_a_card_up_or_down(value: str, up: list[int]) -> None:
    dealt = Dealt(with_option("baseball", "baseball.extra_down", value), 2, deal("As Ah 2s 2h 4c 6c"))
    assert [len(cards) for cards in dealt.hand.up] == up
    assert sum(map(len, dealt.hand.down)) + sum(up) == 7


# Home games


@pytest.mark.law("VC-26")
def test_the_trash_goes_to_the_left_and_exactly_three_of_it() -> None:
    dealt = Dealt(game("anaconda"), 3).does(c.Check(), c.Check(), c.Bet(50), c.Call(), c.Call())
    given = dealt.hand.down[0][:3]
    with pytest.raises(LawError, match=r"Law VC-26: choose exactly 3 of your cards"):
        dealt.does(c.Discard(given[:2]))
    dealt.silent(3)
    assert dealt.hand.down[1][-3:] == given


@pytest.mark.law("VC-26")
def test_three_passes_and_high_low_are_options_of_the_sheet() -> None:
    card = game("anaconda")
    both = replace(card.options, sheet=(("anaconda.high_low", "on"), ("anaconda.three_passes", "on")))
    played = played_by(card, both)
    assert [step.count for step in played.steps if isinstance(step, PassCards)] == [3, 2, 1]
    assert [share.name for share in played.shares] == ["high", "low"]
    assert played_by(card, card.options) == card


@pytest.mark.law("VC-27")
def test_who_stays_in_guts_and_loses_matches_the_pot() -> None:
    """Ann has aces, Bo kings, Cy is out: Bo puts the pot of 300 in again for the next deal."""
    dealt = Dealt(game("guts"), 3, deal("Ac Kc 2c Ad Kd 4d 9h 8h 7s"))
    dealt.does(c.Declare("in"), c.Declare("in"), c.Declare("out"))
    ante = usual_stakes(game("guts")).ante
    assert dealt.hand.over
    assert dealt.hand.carried_on == 3 * ante
    assert dealt.hand.stacks == [10_000 + 2 * ante, 10_000 - 4 * ante, 10_000 - ante]


@pytest.mark.law("VC-27")
def test_one_alone_takes_the_guts_and_none_leaves_them() -> None:
    alone = Dealt(game("guts"), 3).does(c.Declare("in"), c.Declare("out"), c.Declare("out"))
    ante = usual_stakes(game("guts")).ante
    assert (alone.hand.stacks[0], alone.hand.carried_on) == (10_000 + 2 * ante, 0)
    none = Dealt(game("guts"), 3).does(c.Declare("out"), c.Declare("out"), c.Declare("out"))
    assert none.hand.carried_on == 3 * ante


@pytest.mark.law("VC-27")
@pytest.mark.parametrize(("value", "held"), [("2", 2), ("3", 3), ("5", 5)])
def test_guts_are_played_with_two_three_or_five_cards(value: str, held: int) -> None:
    dealt = Dealt(with_option("guts", "guts.cards", value), 3)
    assert len(dealt.hand.down[0]) == held


# Over any sheet


@pytest.mark.law("VB-12", "L-6")
def test_any_sheet_may_be_played_for_doubling_stakes() -> None:
    """Hold'em 1-2: raises of 4, 8, 8 over the blind of 2, and then the cap of three."""
    card = game("holdem + doubling")
    dealt = Dealt(card, 5, stakes=Stakes(small_blind=1, big_blind=2, doublings=3, ante=1, min_buyin=1, max_buyin=9))
    for to in (6, 14, 22):
        assert (dealt.legal.min_to, dealt.legal.max_to) == (to, to)
        dealt.does(c.RaiseTo(to))


@pytest.mark.law("VB-12", "L-6", "H-4")
def test_with_blinds_the_ladder_stands_on_the_small_one() -> None:
    """50-100 without an ante: the big blind doubles the small, and raises go on with 200, 400 and 400; an ante beside changes nothing."""
    card = game("holdem + doubling")
    assert usual_stakes(card).ante == 0
    check_stakes(usual_stakes(card), card.options)
    for stakes in (usual_stakes(card), replace(usual_stakes(card), ante=10)):
        dealt = Dealt(card, 5, stakes=stakes)
        for to in (300, 700, 1100):
            assert (dealt.legal.min_to, dealt.legal.max_to) == (to, to)
            dealt.does(c.RaiseTo(to))


@pytest.mark.law("VB-12", "L-6", "F-6")
@pytest.mark.parametrize("word", ["hoyle draw + doubling", "stud_low + doubling"])
def test_without_a_straddle_the_ladder_starts_at_two_antes(word: str) -> None:
    """Ante 1: the first bet, forced or free, is 2, and raises are of 4, 8 and 8."""
    dealt = Dealt(game(word), 4, stakes=Stakes(ante=1, doublings=3, min_buyin=1, max_buyin=9))
    for to in (2, 6, 14, 22):
        assert (dealt.legal.min_to, dealt.legal.max_to) == (to, to)
        dealt.does(c.RaiseTo(to) if to > 2 else c.Bet(to))


@pytest.mark.law("VB-13", "B-7")
def test_at_a_strict_table_who_cannot_call_must_drop() -> None:
    card = game("hoyle_draw + strict")
    stakes = Stakes(ante=1, limit=100, min_buyin=1, max_buyin=1000)
    dealt = Dealt(card, 3, stakes=stakes, stacks=(500, 50, 500)).does(c.Bet(80))
    assert (dealt.legal.call, dealt.legal.max_to, dealt.legal.fold) == (0, 0, True)
    with pytest.raises(CannotCall, match="put in 80 or drop"):
        dealt.does(c.Call())


@pytest.mark.law("VB-13", "TL-15")
def test_at_a_strict_table_nobody_is_all_in() -> None:
    """Bo calls with his last chips; the next bet he cannot meet, so he drops and there is no side pot."""
    card = game("hoyle_draw + strict")
    stakes = Stakes(ante=1, limit=100, min_buyin=1, max_buyin=1000)
    dealt = Dealt(card, 3, stakes=stakes, stacks=(500, 51, 500)).does(c.Bet(50), c.Call(), c.Call())
    dealt.does(c.Discard(), c.Discard(), c.Discard())
    dealt.does(c.Bet(10))
    assert (dealt.hand.to_act, dealt.legal.call) == (1, 0)
    dealt.does(c.Fold(), c.Call())
    assert dealt.hand.over
    assert {payment.pot for payment in dealt.hand.payments} == {0}


@pytest.mark.law("VB-10")
def test_a_stripped_pack_keeps_the_order_of_hands_unless_the_table_says_so() -> None:
    card = game("five_card_draw +36")
    judge = Dealt(card, 2).hand.rules.evaluators[0]
    flush, full, low = (list(deal(words)) for words in ("6c 8c 9c Jc Kc", "6c 6d 6h 7c 7d", "Ac 6d 7h 8c 9d"))
    assert judge.best(full, ()) > judge.best(flush, ())
    assert judge.name(judge.best(low, ())).category.name == "HIGH_CARD"
    options = replace(card.options, sheet=(("stripped.flush_first", "on"), ("stripped.low_ace", "on")))
    played = replace(played_by(card, options), options=options)
    judge = Dealt(played, 2).hand.rules.evaluators[0]
    assert judge.best(flush, ()) > judge.best(full, ())
    assert judge.name(judge.best(low, ())).category.name == "STRAIGHT"


@pytest.mark.law("VB-4")
def test_options_of_a_sheet_are_offered_for_its_games_alone() -> None:
    assert [entry.name for entry in sheet_entries(game("stud_low"))] == ["stud_low.burns"]
    assert [entry.name for entry in sheet_entries(game("stud"))] == ["stud.pair_doubles"]
    assert sheet_entries(game("holdem")) == ()
    stripped = ["stripped.flush_first", "stripped.low_ace"]
    assert [entry.name for entry in sheet_entries(game("holdem + 36"))] == stripped
    assert [entry.name for entry in sheet_entries(game("short deck"))] == ["short_deck.trips_first"]
    unheard_of = replace(game("hoyle draw + 36"), key="nobody_knows_it")
    assert [entry.name for entry in sheet_entries(unheard_of)] == stripped
    with pytest.raises(LawError, match="unknown house rule"):
        with_option("holdem", "stud.pair_doubles", "on")
    with pytest.raises(LawError, match="cannot be maybe"):
        with_option("stud", "stud.pair_doubles", "maybe")


@pytest.mark.law("TL-28", "VB-4")
def test_five_card_stud_burns_only_where_the_table_says_so() -> None:
    assert not any(type(step).__name__ == "Burn" for step in game("stud_low").steps)
    assert sum(type(step).__name__ == "Burn" for step in with_option("stud_low", "stud_low.burns", "on").steps) == 3
