"""The options of the register that a hold'em table can choose: checking, openers, antes, caps (0.5, C-2, C-4, C-5, A-1, A-2)."""

import random

import pytest

from bot.engine import commands as c
from bot.engine.cards import STANDARD_52
from bot.engine.decide import decide_and_evolve, legal
from bot.engine.errors import LawError
from bot.engine.evolve import replay
from bot.engine.legal import LegalActions
from bot.engine.options.values import OutOfTurn
from bot.engine.refusals import CheckingNotAllowed, RaisesCapped, RaiseTooLarge
from bot.engine.stakes import Stakes
from bot.engine.timeout import default_action
from tests.engine.test_acceptance_sources import NO_LIMIT, ONE_INTERVAL
from tests.support.told import Told, deal, state_of

THREE = {"Ann": 1000, "Bo": 1000, "Cy": 1000}


def on_the_flop(**options: object) -> Told:
    hand = deal("no-limit hold'em 5/10", button="Cy", stacks=THREE, options=options)
    hand.play("Cy calls", "Ann calls", "Bo checks")
    return hand


@pytest.mark.law("C-2", "TL-41")
def test_without_checking_players_bet_or_fold() -> None:
    """Only a poster whom all have merely called can still check, because their bet stands already."""
    hand = on_the_flop(check="forbidden")
    assert hand.options == {"fold", "bet 10..990"}
    hand.refuses("Ann checks", CheckingNotAllowed, law="C-2")
    hand.play("Ann says nothing")
    assert hand.live == ["Bo", "Cy"]


@pytest.mark.law("C-4", "C-5", "TL-41")
def test_each_player_can_stand_once() -> None:
    """All check. The turn comes back, and now a player must bet or fold; nobody can check a hand down to its showdown."""
    hand = on_the_flop(check="stand_once")
    hand.play("Ann checks", "Bo checks", "Cy checks")
    assert (hand.street, hand.to_act) == ("flop", "Ann")
    assert hand.options == {"fold", "bet 10..990"}
    hand.refuses("Ann checks", CheckingNotAllowed, law="C-5")
    hand.play("Ann says nothing", "Bo bets 10", "Cy calls")
    assert hand.street == "turn"


@pytest.mark.law("C-4", "C-5", "B-12")
def test_player_who_stood_calls_or_folds() -> None:
    hand = on_the_flop(check="stand_once")
    hand.play("Ann checks", "Bo bets 10", "Cy folds")
    assert hand.options == {"fold", "call 10", "raise to 20..990"}
    hand.play("Ann calls")
    assert (hand.street, hand.options) == ("turn", {"check", "fold", "bet 10..980"})


@pytest.mark.law("C-5", "B-18")
def test_last_player_left_takes_the_pot() -> None:
    hand = deal(
        ONE_INTERVAL,
        button="C",
        stacks=dict.fromkeys("ABC", 100),
        options={"check": "stand_once"},
        stakes=NO_LIMIT,
        carried=9,
    )
    hand.play("A checks", "B checks", "C checks", "A folds", "B folds")
    assert hand.wins == {"C": 9}


@pytest.mark.law("A-1", "TL-15")
def test_everyone_antes() -> None:
    """Antes lie in the pot and are no part of the bet; who can pay but a part of one plays for that part."""
    hand = deal(
        "no-limit hold'em", button="Cy", stacks=THREE | {"Ann": 3}, stakes=Stakes(small_blind=5, big_blind=10, ante=4)
    )
    assert (hand.pot, hand.highest_bet) == (3 + 4 + 4 + 10, 10)
    hand.play("Cy calls", "Bo checks")
    assert hand.pots == ((9, "Ann Bo Cy"), (22, "Bo Cy"))


@pytest.mark.law("L-10", "TL-17")
@pytest.mark.parametrize(("cap", "raises"), [("3", 3), ("4", 4), ("none", 6)])
def test_house_sets_the_raise_cap(cap: str, raises: int) -> None:
    hand = deal("limit hold'em 5/10", button="Cy", stacks=THREE, options={"raise_cap": cap})
    around = ("Cy", "Ann", "Bo") * 2
    for number, name in enumerate(around, start=1):
        if number > raises:
            hand.refuses(f"{name} raises to {10 + 10 * number}", RaisesCapped, law="L-10")
            return
        hand.play(f"{name} raises to {10 + 10 * number}")
    assert cap == "none"


@pytest.mark.law("TL-2", "L-8")
def test_house_can_require_a_larger_first_bet() -> None:
    hand = deal("no-limit hold'em", button="Cy", stacks=THREE, stakes=Stakes(small_blind=5, big_blind=10, min_bet=30))
    assert "raise to 20..1000" in hand.options, "the blind is a bet that stands: a raise adds another like it (TL-5)"
    hand.play("Cy calls", "Ann calls", "Bo checks")
    assert "bet 30..990" in hand.options


@pytest.mark.law("TL-19", "TL-5")
def test_a_larger_first_bet_lifts_no_raise_over_the_pot() -> None:
    hand = deal("pot-limit hold'em", button="Cy", stacks=THREE, stakes=Stakes(small_blind=5, big_blind=10, min_bet=30))
    assert "raise to 20..35" in hand.options


@pytest.mark.law("TL-4", "L-9", "TL-42")
def test_short_all_in_reopens_nothing_under_a_stake_limit() -> None:
    """`match_call`: Cy has called the blind of 10; Ann owes 5 and is all-in for 4 more, which is short. Cy faces 4: call or fold."""
    hand = deal(
        "no-limit hold'em", button="Cy", stacks=THREE | {"Ann": 14}, stakes=Stakes(small_blind=5, big_blind=10, limit=50),
        options={"limit": "stake_limit", "min_raise": "match_call", "raise_cap": "none"},
    )  # fmt: skip
    hand.play("Cy calls", "Ann is all-in to 14", "Bo calls 4")
    assert (hand.to_act, hand.options) == ("Cy", {"fold", "call 4"})


@pytest.mark.law("TL-34", "I-8", "B-10")
@pytest.mark.parametrize("custom", [OutOfTurn.TDA53, OutOfTurn.HOLD])
def test_out_of_turn_actions_lose_no_chip_and_hands_end(custom: OutOfTurn) -> None:
    """Random hands in which anybody says anything at any time, by both customs that keep what is said early."""
    rng = random.Random(53)
    spoke_early = 0
    for _ in range(100):
        deck = rng.sample(STANDARD_52, 52)
        names = ["Ann", "Bo", "Cy", "Dee"][: rng.randint(2, 4)]
        stacks = {name: rng.randint(5, 400) for name in names}
        told = deal(
            rng.choice(("no-limit hold'em 5/10", "pot-limit hold'em 5/10", "limit hold'em 5/10")),
            button=names[-1], stacks=stacks, options={"out_of_turn": custom.value}, deck_order=tuple(deck),
        )  # fmt: skip
        hand, events = told.hand, told.events
        while not hand.over:
            seat = rng.randrange(len(names)) if rng.random() < 0.6 else hand.to_act
            command = random_word(rng, legal(hand, hand.to_act))
            before = state_of(hand)
            try:
                happened, after = decide_and_evolve(hand, seat, command)
            except LawError as refusal:
                assert refusal.law
                assert state_of(hand) == before
                if seat == hand.to_act:
                    happened, after = decide_and_evolve(hand, seat, default_action(hand))
                else:
                    continue
            spoke_early += seat != hand.to_act
            hand, events = after, (*events, *happened)
            assert sum(hand.stacks) + hand.pot == sum(stacks.values())
        assert hand.pot == 0
        assert state_of(replay(events, told.hand.deck)) == state_of(hand)
    assert spoke_early > 30


def random_word(rng: random.Random, can: LegalActions) -> c.HandCommand:
    """Return an action that a player can try, lawful more often than not."""
    amount = rng.randint(max(1, can.min_to), max(1, can.max_to)) if can.max_to else rng.randint(1, 50)
    return rng.choice((c.Fold(), c.Check(), c.Check(), c.Call(), c.Call(), c.RaiseTo(amount), c.AllIn()))


@pytest.mark.law("L-1", "L-2", "L-3", "L-5")
def test_a_stake_limit_bounds_each_increase_and_nothing_else() -> None:
    """Limit 20: nobody adds more than 20 at one time, less is always allowed, and a player's total has no bound."""
    hand = deal(
        "no-limit hold'em", button="Cy", stacks=THREE, stakes=Stakes(small_blind=5, big_blind=10, limit=20),
        options={"limit": "stake_limit", "min_raise": "one_chip", "raise_cap": "none"},
    )  # fmt: skip
    assert hand.options == {"fold", "call 10", "raise to 11..30"}
    assert hand.refuses("Cy raises to 31", RaiseTooLarge, law="L-2").maximum == 30
    hand.play("Cy raises to 30", "Ann raises to 31", "Bo raises to 51", "Cy raises to 71", "Ann calls", "Bo calls")
    assert (hand.pot, hand.options) == (213, {"check", "fold", "bet 1..20"})
    hand.refuses("Ann bets 21", RaiseTooLarge, law="L-5")
