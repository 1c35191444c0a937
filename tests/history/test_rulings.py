"""Hands under the law's finer points are written down and read back; stored hands keep the ruling that they were given.

Laws: TL-7, TL-17, TL-23, VB-2, VC-5, VC-17, A-6.
"""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.evolve import replay as replay_events
from bot.engine.stakes import Stakes
from bot.engine.view.redact import ALL_KNOWING, PUBLIC
from bot.history import phh
from bot.history.game_of_record import differences, replay
from bot.history.record import record_hand
from bot.variants import game
from bot.variants.customise import change_option
from tests.support.told import Told, deal

ANTE_10 = Stakes(small_blind=50, big_blind=100, ante=10)


def checked_down(hand: Told) -> Told:
    """Nobody bets any more: players call, check and stand pat to the end."""
    while not hand.over:
        options = hand.options
        does = "checks" if "check" in options else "stands pat" if any("draw" in can for can in options) else "calls"
        hand.play(f"{hand.to_act} {does}")
    return hand


def blind_taken_by_the_ante() -> Told:
    hand = deal("no-limit hold'em", button="Cy", stacks={"Ann": 900, "Bo": 10, "Cy": 900}, stakes=ANTE_10)
    hand.play("Cy raises to 200", "Ann calls")
    return checked_down(hand)


def button_blind_of_two_antes() -> Told:
    stakes = Stakes(ante=10, button_blind=20)
    hand = deal("short deck", button="Cy", stacks={"Ann": 900, "Bo": 900, "Cy": 25}, stakes=stakes)
    hand.play("Ann raises to 40", "Bo calls")
    return checked_down(hand)


def identical_hands() -> Told:
    return checked_down(deal(
        "limit_omaha8", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 100), stakes=Stakes(small_blind=1, big_blind=2),
        cards={"Ann": "Ac 2c Kd Qd", "Bo": "Ad 2d Ks Qs", "Cy": "9c 9d Jc Jd"}, board="3c 4d 7h Kc Ts",
    ))  # fmt: skip


def basic_draw_for_two() -> Told:
    stakes = Stakes(ante=1, straddle=2)
    hand = deal("basic_draw + no_limit", button="Ann", stacks={"Ann": 100, "Bo": 100}, stakes=stakes)
    hand.play("Bo raises to 4", "Ann calls")
    return checked_down(hand)


def straddles_round_the_table() -> Told:
    hand = deal(
        "old_english", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 100), stakes=Stakes(ante=1, limit=24)
    )
    hand.play("Bo straddles", "Cy straddles", "Ann straddles", "Bo straddles", "Cy does not straddle")
    hand.play("Cy opens for 10", "Ann calls", "Bo folds", "Ann stands pat", "Cy stands pat")
    hand.play("Cy bets 5", "Ann calls")
    return hand


def four_raises_in_two_rounds() -> Told:
    hand = deal(
        "five-card draw", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 900),
        stakes=Stakes(small_blind=5, big_blind=10), options={"raise_cap": "3_4"},
    )  # fmt: skip
    for to in (20, 30, 40, 50):
        hand.play(f"{hand.to_act} raises to {to}")
    return checked_down(hand)


def open_pair() -> Told:
    card = game("stud")
    card, options = change_option(card, card.options, "sheet.pair_doubles", "on")
    hand = deal(
        replace(card, options=options), button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500),
        cards={"Ann": "As Kh 2c 7d", "Bo": "Ah Qs 9c 9d", "Cy": "Ks Jh 3d Td"},
        stakes=Stakes(ante=1, bring_in=2, small_bet=5, big_bet=10),
    )  # fmt: skip
    hand.play("Ann brings in 2", "Bo calls", "Cy calls", "Bo bets 5", "Cy raises to 15", "Ann folds", "Bo raises to 25")
    return checked_down(hand)


def odd_chip_by_lot() -> Told:
    hand = deal(
        "no-limit hold'em", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 100), options={"odd_chip": "lot"},
        stakes=Stakes(small_blind=1, big_blind=2), cards={"Ann": "Ac Kd", "Bo": "Ad Kc", "Cy": "9c 9d"}, board="Qh Jh Th 2s 3d",
    )  # fmt: skip
    hand.play("Cy raises to 5", "Ann calls", "Bo calls", "Ann bets 5", "Bo calls", "Cy folds")
    return checked_down(hand)


STORIES = (
    odd_chip_by_lot,
    blind_taken_by_the_ante,
    button_blind_of_two_antes,
    identical_hands,
    basic_draw_for_two,
    straddles_round_the_table,
    four_raises_in_two_rounds,
    open_pair,
)


@pytest.mark.law("TL-7", "VC-17", "TL-23", "VB-2", "A-6", "L-10", "VC-5")
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
@pytest.mark.parametrize("viewer", [ALL_KNOWING, PUBLIC], ids=["all", "public"])
def test_hand_is_written_down_and_read_back(story: Callable[[], Told], viewer: object) -> None:
    hand = story()
    assert hand.over
    record = phh.parse(phh.write(record_hand(hand.events, hand.hand.deck, viewer)))  # type: ignore[arg-type]
    again = replay(record)
    assert list(differences(record, again)) == []
    assert again.finishing_stacks == tuple(hand.hand.stacks)
    assert again.events[0].stakes == hand.hand.started.stakes  # type: ignore[union-attr]
    assert again.events[0].options == hand.hand.started.options  # type: ignore[union-attr]


@pytest.mark.law("TL-7")
def test_stored_hand_without_the_empty_post_stays_as_it_was() -> None:
    """An earlier version did not post a blind that the ante had taken. What happened then stands."""
    hand = blind_taken_by_the_ante()
    earlier = [event for event in hand.events if not (isinstance(event, e.Posted) and not event.chips)]
    assert len(earlier) == len(hand.events) - 1
    again = replay_events(earlier, hand.hand.deck)
    assert list(again.stacks) == list(hand.hand.stacks)
    assert again.payments == hand.hand.payments


@pytest.mark.law("TL-23", "TL-24")
def test_stored_payments_are_not_divided_anew() -> None:
    """An earlier version paid 4 and 2 where the same two tied for both halves of 6: whoever was paid keeps it."""
    hand = identical_hands()
    (paid,) = hand.events_of(e.PotsPaid)
    assert hand.wins == {"Ann": 3, "Bo": 3}
    shares = {"high": {"Ann": 2, "Bo": 1}, "low": {"Ann": 2, "Bo": 1}}
    earlier = e.PotsPaid(tuple(replace(one, chips=shares[one.share][hand.names[one.seat]]) for one in paid.payments))
    again = replay_events([earlier if event is paid else event for event in hand.events], hand.hand.deck)
    assert dict(zip(hand.names, again.stacks, strict=True)) == {"Ann": 102, "Bo": 100, "Cy": 98}
