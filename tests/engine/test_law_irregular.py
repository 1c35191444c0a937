"""The laws of irregularities: acting out of turn, misdeals, fouled decks, taking back, timeouts (A11 I, TL-28 to TL-42)."""

import msgspec
import pytest

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.cards import STANDARD_52
from bot.engine.dealing.misdeal import claim_misdeal, has_substantial_action, is_deck_fouled
from bot.engine.decide import void
from bot.engine.evolve import evolve_all, replay
from bot.engine.hand import Hand
from bot.engine.refusals import (
    BettingNotReopened,
    CannotCheck,
    HandIsDead,
    HandOver,
    NotAnAmount,
    NotYourTurn,
    PlayStands,
    RaiseTooSmall,
    StackTooShort,
)
from bot.engine.stakes import Stakes
from bot.engine.timeout import default_action
from tests.support.told import Told, deal, state_of

FOUR = {"Ann": 1000, "Bo": 1000, "Cy": 1000, "Dee": 1000}


def four(**options: object) -> Told:
    """Four players at 5/10, Dee on the button; Cy acts first."""
    return deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR, options=options)


def voided(hand: Told, events: tuple[e.HandEvent, ...]) -> Hand:
    return evolve_all(hand.hand, events)


@pytest.mark.law("I-1", "I-7", "TL-38")
def test_void_hand_returns_all_chips() -> None:
    """Everybody gets back what they put in. What an earlier hand left in the pot stays there."""
    hand = deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR, carried=7)
    hand.play("Cy raises to 300", "Dee is all-in", "Ann folds", "Bo folds")
    after = voided(hand, void(hand.hand, "TL-38", "two aces of spades"))
    assert after.over
    assert after.voided
    assert dict(zip(hand.names, after.stacks, strict=True)) == FOUR
    assert (after.pot, after.void_reason) == (7, "two aces of spades")


@pytest.mark.law("I-1", "TL-24", "B-2")
def test_finished_hand_cannot_be_voided() -> None:
    hand = four()
    hand.play("Cy folds", "Dee folds", "Ann folds")
    for claim in (void, lambda one, _law, why: claim_misdeal(one, why)):
        with pytest.raises(HandOver):
            claim(hand.hand, "I-1", "there were two jacks of hearts")


@pytest.mark.law("TL-38", "K-6", "I-1")
def test_fouled_deck_is_detected() -> None:
    """A duplicate, a missing or a foreign card: the deck is not the one declared."""
    hand = four()
    assert not is_deck_fouled(hand.hand)
    for wrong in ((STANDARD_52[1], *STANDARD_52[1:]), STANDARD_52[1:], (*STANDARD_52[:-1], 52)):
        broken = hand.hand.copy()
        broken.deck = wrong
        assert is_deck_fouled(broken)


@pytest.mark.law("TL-29")
@pytest.mark.parametrize(
    ("lines", "substantial"),
    [
        ((), False),  # blinds do not count
        (("Cy folds",), False),
        (("Cy raises to 30",), False),
        (("Cy folds", "Dee folds"), False),  # two actions, no chips
        (("Cy folds", "Dee calls"), True),  # two actions, one with chips
        (("Cy calls", "Dee folds"), True),
        (("Cy folds", "Dee folds", "Ann calls"), True),  # three of any kind
    ],
)
def test_a_misdeal_is_claimed_before_substantial_action(lines: tuple[str, ...], substantial: bool) -> None:
    hand = four()
    hand.play(*lines)
    assert has_substantial_action(hand.hand) is substantial
    if substantial:
        with pytest.raises(PlayStands) as refusal:
            claim_misdeal(hand.hand, "Bo got three cards")
        assert refusal.value.law == "TL-29"
    else:
        after = voided(hand, claim_misdeal(hand.hand, "Bo got three cards"))
        assert dict(zip(hand.names, after.stacks, strict=True)) == FOUR


@pytest.mark.law("TL-29")
def test_play_stands_from_then_on_to_the_end() -> None:
    hand = four()
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks", "Ann checks")
    assert has_substantial_action(hand.hand)


@pytest.mark.law("I-3", "TL-14", "TL-12")
def test_old_law_keeps_single_ante_in_the_pot() -> None:
    """The big blind's ante of 10 and the missed small blind of a returning player stay, for they are paid; blinds go back."""
    hand = deal(
        "no-limit hold'em", button="Dee", stacks=FOUR, stakes=Stakes(small_blind=5, big_blind=10, ante=10),
        options={"misdeal": "next_dealer", "blinds_ante": "big_blind"}, posts=("Cy posts 5 dead",),
    )  # fmt: skip
    after = voided(hand, claim_misdeal(hand.hand, "two cards stuck together"))
    assert dict(zip(hand.names, after.stacks, strict=True)) == FOUR | {"Bo": 990, "Cy": 995}
    assert after.carried_to_next_hand == 15


@pytest.mark.law("I-2")
def test_old_law_misdeal_is_claimed_before_any_action() -> None:
    hand = four(misdeal="next_dealer")
    (happened,) = claim_misdeal(hand.hand, "dealt out of turn")
    assert isinstance(happened, e.HandVoided)
    assert (happened.law, happened.reason) == ("I-2", "dealt out of turn")
    hand.play("Cy folds")
    with pytest.raises(PlayStands) as refusal:
        claim_misdeal(hand.hand, "dealt out of turn")
    assert refusal.value.law == "I-2"


@pytest.mark.law("I-4", "I-5", "I-6", "D-9")
def test_every_card_is_accounted_for_and_everyone_gets_one_hand() -> None:
    """Cards are dealt by a rule, not by hand: each player dealt in gets exactly two, each card once, none to anybody else."""
    for players in range(2, 11):
        names = [f"P{number}" for number in range(players)]
        hand = deal("no-limit hold'em 5/10", button=names[-1], stacks=dict.fromkeys(names, 1000))
        held = [place for places in hand.hand.down_indices for place in places]
        assert [len(places) for places in hand.hand.down_indices] == [2] * players
        assert sorted(held) == list(range(2 * players))


@pytest.mark.law("I-7", "I-10", "TL-35")
def test_chips_in_the_pot_stay() -> None:
    """There is no word for taking a bet back or for changing it: the first lawful one counts."""
    said = {one.__name__ for one in c.HandCommand.__args__}
    assert not said & {"Undo", "TakeBack", "Correct"}
    hand = four()
    hand.play("Cy raises to 300")
    for line in ("Cy folds", "Cy raises to 30", "Cy calls"):
        hand.refuses(line, NotYourTurn)
    assert hand.pot == 315


@pytest.mark.law("I-10", "L-2", "TL-1")
def test_no_chips_beyond_the_announced_amount_go_in() -> None:
    """The amount said is the amount moved, so nothing is ever forfeited for a slip of the hand; a slip of the tongue beyond one's
    chips is refused."""
    hand = four()
    hand.refuses("Cy raises to 10000", StackTooShort, law="TL-1")
    hand.play("Cy raises to 100")
    assert hand.bets["Cy"] == 100


@pytest.mark.law("I-8", "TL-34", "B-10")
def test_refused_out_of_turn_action_leaves_no_trace() -> None:
    hand = four(out_of_turn="refuse")
    for line in ("Dee calls", "Dee folds", "Dee raises to 30"):
        hand.refuses(line, NotYourTurn, law="B-10")
    hand.play("Cy raises to 30")
    assert hand.options == {"fold", "call 30", "raise to 50..1000"}


@pytest.mark.law("I-8")
def test_out_of_turn_chips_must_be_a_lawful_bet() -> None:
    """After the flop, chips out of turn below the minimum bet are refused: if all before checked, they would be the bet."""
    hand = four(out_of_turn="hold")
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    hand.refuses("Cy bets 4", RaiseTooSmall)
    hand.play("Cy bets 10", "Ann checks", "Bo checks")
    assert hand.highest_bet == 10
    assert hand.to_act == "Dee"


@pytest.mark.law("I-8", "TL-3")
def test_out_of_turn_all_in_has_nothing_to_add() -> None:
    """Cy puts their last 50 in out of turn, Ann bets 80: Cy is in for 50."""
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 500, "Bo": 500, "Cy": 60}, options={"out_of_turn": "hold"}
    )
    hand.play("Cy calls", "Ann calls", "Bo checks", "Cy bets 50", "Ann bets 80", "Bo folds")
    assert hand.over
    assert hand.hand.put_in == [60, 10, 60]


@pytest.mark.law("I-8", "TL-34")
def test_seat_knows_what_it_can_put_in_early() -> None:
    """Sizes as if it were its turn, where early chips are held or bind; once, and only for whoever has still to act."""
    for rule in ("hold", "tda53"):
        hand = four(out_of_turn=rule)
        hand.play("Cy raises to 30")
        early = hand.view("Ann").legal_out_of_turn
        assert early is not None
        assert (early.call_chips, early.min_to, early.max_to) == (25, 50, 1000)
        assert early.fold is (rule == "tda53"), "where chips are held, a fold waits for the turn"
        assert hand.view("Dee").legal_out_of_turn is None, "it is Dee's turn"
        assert hand.view("Cy").legal_out_of_turn is None, "Cy has acted"
        hand.play("Ann calls")
        assert hand.view("Ann").legal_out_of_turn is None
    assert four(out_of_turn="refuse").view("Ann").legal_out_of_turn is None


@pytest.mark.law("I-8", "TL-3")
def test_all_in_out_of_turn_is_held() -> None:
    """Ann is all-in before Cy has acted. Cy and Dee only call the blind, so 990 of Ann's chips are forfeited."""
    hand = four(out_of_turn="hold")
    hand.play("Ann is all-in")
    assert hand.view().seats[hand.seat("Ann")].held_chips == 995
    hand.play("Cy calls", "Dee calls")
    assert (hand.bets["Ann"], hand.stacks["Ann"], hand.pot) == (10, 0, 40 + 990)


@pytest.mark.law("I-8", "TL-16")
def test_out_of_turn_chips_return_if_the_hand_ends_first() -> None:
    hand = deal(
        "no-limit hold'em 5/10",
        button="Cy",
        stacks={"Ann": 1000, "Bo": 1000, "Cy": 1000},
        options={"out_of_turn": "hold"},
    )
    hand.play("Bo raises to 50", "Cy folds", "Ann folds")
    assert hand.over
    assert hand.stacks == {"Ann": 995, "Bo": 1005, "Cy": 1000}


@pytest.mark.law("TL-34")
def test_tda_call_out_of_turn_binds_if_nothing_changes() -> None:
    hand = four(out_of_turn="tda53")
    hand.play("Ann calls")
    assert (hand.to_act, hand.stacks["Ann"]) == ("Cy", 995), "her chips wait for her turn"
    hand.play("Cy calls", "Dee folds")
    assert hand.bets == {"Ann": 10, "Bo": 10, "Cy": 10}
    assert hand.to_act == "Bo"


@pytest.mark.law("TL-34")
def test_tda_call_out_of_turn_lapses_if_action_changes() -> None:
    """Cy raises in between: Ann has all her choices again."""
    hand = four(out_of_turn="tda53")
    hand.play("Ann calls", "Cy raises to 30", "Dee folds")
    assert hand.to_act == "Ann"
    assert hand.options == {"fold", "call 25", "raise to 50..1000"}
    hand.play("Ann folds")


@pytest.mark.law("TL-34")
def test_tda_raise_or_check_out_of_turn_binds_too() -> None:
    hand = four(out_of_turn="tda53")
    hand.play("Bo checks", "Dee raises to 40", "Cy calls")
    assert (hand.highest_bet, hand.to_act) == (40, "Ann")
    hand.play("Ann calls")
    assert hand.to_act == "Bo", "the check has lapsed: a raise has come"
    hand.refuses("Bo checks", CannotCheck)


@pytest.mark.law("TL-34", "B-14")
def test_tda_fold_out_of_turn_always_binds() -> None:
    hand = four(out_of_turn="tda53")
    hand.play("Ann folds")
    assert hand.live == ["Bo", "Cy", "Dee"]
    assert hand.to_act == "Cy"
    hand.refuses("Ann calls", HandIsDead)
    hand.play("Cy folds", "Dee folds")
    assert hand.wins == {"Bo": 15 - 5}
    hand = four(out_of_turn="tda53")
    hand.play("Dee folds", "Ann folds", "Bo folds")
    assert hand.over, "with one left nobody need act"
    assert set(hand.wins) == {"Cy"}


@pytest.mark.law("TL-34")
def test_tda_notes_only_one_lawful_action_out_of_turn() -> None:
    hand = four(out_of_turn="tda53")
    hand.refuses("Ann raises to 15", RaiseTooSmall)
    hand.refuses("Ann checks", CannotCheck)
    hand.refuses("Ann bets 0", NotAnAmount)
    hand.play("Ann calls")
    hand.refuses("Ann raises to 40", NotYourTurn)


@pytest.mark.law("TL-34", "TL-4")
def test_tda_player_who_acted_early_waits_for_the_turn() -> None:
    hand = four(out_of_turn="tda53")
    hand.play("Cy raises to 30")
    hand.refuses("Cy raises to 60", NotYourTurn)
    hand.play("Dee calls", "Ann raises to 100", "Bo folds")
    assert hand.to_act == "Cy"


@pytest.mark.law("TL-30", "TL-41", "AT-22", "TL-32")
def test_timeout_checks_if_free_and_folds_otherwise() -> None:
    """To act owing 10: folded, nothing taken. Owing nothing: checked."""
    hand = four()
    assert default_action(hand.hand) == c.Fold()
    hand.play("Cy runs out of time")
    assert (hand.live, hand.stacks["Cy"]) == (["Ann", "Bo", "Dee"], 1000)
    hand.play("Dee calls", "Ann calls")
    assert default_action(hand.hand) == c.Check()
    hand.play("Bo runs out of time")
    assert (hand.street, len(hand.live)) == ("flop", 3)


@pytest.mark.law("TL-41", "TL-32", "TL-40")
def test_timeout_never_goes_all_in_or_takes_chips_back() -> None:
    """A player who has left for good folds when they owe; what they put in stays."""
    hand = four()
    hand.play("Cy raises to 30", "Dee calls", "Ann says nothing", "Bo says nothing", "Cy bets 100", "Dee says nothing")
    assert hand.wins == {"Cy": 75}
    assert hand.stacks == {"Ann": 995, "Bo": 990, "Cy": 1045, "Dee": 970}


@pytest.mark.law("TL-41", "TL-32")
def test_an_all_in_hand_needs_nobody_to_play_it() -> None:
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500}, ask_show=True)
    hand.play("Ann is all-in", "Bo calls all-in")
    assert hand.over
    assert sum(hand.wins.values()) == 1000


@pytest.mark.law("TL-41", "TL-22")
def test_timeout_at_showdown_shows_winners_and_mucks_losers() -> None:
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 1000, "Bo": 1000, "Cy": 1000}, ask_show=True,
        cards={"Ann": "Ks Kd", "Bo": "Qs Qd", "Cy": "As Ad"}, board="2c 7d 8h 3s 4c",
    )  # fmt: skip
    hand.play("Cy calls", "Ann calls", "Bo checks", *("Ann checks", "Bo checks", "Cy checks") * 3)
    hand.play("Ann says nothing", "Bo says nothing", "Cy says nothing")
    assert hand.shown == ["Ann", "Cy"]
    assert [hand.names[event.seat] for event in hand.events_of(e.Mucked)] == ["Bo"]


@pytest.mark.law("TL-30", "TL-41")
def test_timeouts_alone_play_a_hand_to_its_end() -> None:
    """Nobody's absence stops a table: from every decision silence leads on, and no chip is lost."""
    hand = four()
    while not hand.over:
        hand.play(f"{hand.to_act} says nothing")
    assert hand.wins == {"Bo": 10}
    hand = four()
    hand.play("Cy calls", "Dee calls", "Ann calls")
    while not hand.over:
        hand.play(f"{hand.to_act} says nothing")
    assert sum(hand.wins.values()) == 40


@pytest.mark.law("TL-35", "TL-34")
def test_every_decision_has_its_number() -> None:
    """The decision number shows that a late click is late."""
    hand = four()
    numbers = []
    for line in ("Cy calls", "Dee calls", "Ann folds", "Bo checks", "Bo bets 10", "Cy folds", "Dee calls"):
        numbers.append(hand.hand.decision_number)
        hand.play(line)
    assert numbers == list(range(7))


@pytest.mark.law("TL-36", "TL-4", "TL-39")
def test_hand_explains_why_a_raise_is_not_offered() -> None:
    hand = deal("no-limit hold'em 5/10", button="Cy", stacks={"Ann": 1000, "Bo": 25, "Cy": 1000})
    hand.play("Cy raises to 20", "Ann calls", "Bo is all-in to 25")
    can = hand.legal("Cy")
    assert (can.check, can.call_chips, can.max_to, can.no_raise_law) == (False, 5, 0, "TL-4")
    hand.refuses("Cy raises to 60", BettingNotReopened)
    hand.play("Cy calls", "Ann calls")
    assert hand.legal("Ann").check


@pytest.mark.law("TL-37")
def test_no_view_shows_a_hand_that_is_not_the_viewers() -> None:
    hand = four()
    hand.play("Cy folds")
    for viewer in (None, *hand.names):
        for seat in hand.view(viewer).seats:
            seen = [card.card for card in seat.cards]
            assert all(card is None for card in seen) or viewer == hand.names[seat.seat_index]


@pytest.mark.law("TL-32", "TL-34")
def test_out_of_turn_action_survives_a_restart() -> None:
    """The events of the hand, written down and read again, tell the same hand, the noted call included."""
    hand = four(out_of_turn="tda53")
    hand.play("Ann calls")
    stored = msgspec.json.encode(hand.events)
    again = replay(msgspec.json.decode(stored, type=tuple[e.HandEvent, ...]), hand.hand.deck)
    assert state_of(again) == state_of(hand.hand)
