"""The engine plays recorded hands action by action, and they end as they did in life."""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import cards_text
from bot.engine.dealing.dealer import run_until_decision
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, start
from bot.engine.evolve import evolve
from bot.engine.evolve import replay as replay_events
from bot.engine.hand import Hand
from bot.engine.refusals import NobodyCanCallMore
from bot.engine.usual_stakes import usual_stakes
from bot.history import phh
from bot.history import record as notation
from bot.history.file_hands import FileHand
from bot.history.game_of_record import differences, replay
from bot.history.phh_fields import GAME_KEY_BY_CODE
from bot.history.pokerstars import to_pokerstars
from bot.history.read_file import read_hands
from bot.history.replay import NotAsRecorded, RecordDealsMoreCards, RecordRefused, first_event, replay_record
from bot.variants import game
from tests.history.test_pokerstars import NAMES, ORIGIN
from tests.support.data import HANDS
from tests.support.told import deal


def read(path: Path) -> phh.RecordedHand:
    return phh.parse(path.read_text(encoding="utf-8"))


@cache
def recorded_hands() -> list[tuple[str, phh.RecordedHand]]:
    """Return every recorded hand with its folder and its name: ``mit/nt-061``."""
    return [(f"{path.parent.name}/{path.stem}", read(path)) for path in sorted(HANDS.glob("*/*.phh"))]


def of_code(code: str) -> list[tuple[str, phh.RecordedHand]]:
    """Return every recorded hand with this variant code."""
    return [(name, record) for name, record in recorded_hands() if record.variant == code]


def not_as_recorded(hands: list[tuple[str, phh.RecordedHand]]) -> list[str]:
    faults = []
    for name, record in hands:
        try:
            faults += [f"{name}: {difference}" for difference in differences(record, replay(record))]
        except NotAsRecorded as error:
            faults.append(f"{name}: {error}")
    return faults


RECORDED = {
    "NT": 119, "FT": 25, "PO": 22, "F7S": 18, "PO/8": 16, "F2L3D": 16, "F7S/8": 15, "FR": 14, "NO/8": 13, "FB": 13, "F5D": 12, "FO/8": 12,
    "N2L1D": 8, "NS": 5, "PT": 5, "FA5L3D": 4, "FO": 4, "N5D": 4, "P5D": 4, "PO5": 4, "PO5/8": 4, "PO6": 4,
}  # fmt: skip
"""The number of recorded hands of each code. All of them replay exactly."""

HEADS_UP = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2000, 3000]
actions = ['d dh p1 AsKd', 'd dh p2 ????', 'p2 cbr 300', 'p1 cc', 'd db QhJhTh', 'p1 cbr 400', 'p2 cc', 'd db 2c', 'p1 cc', 'p2 cc',
  'd db 3c', 'p1 cc', 'p2 cc', 'p1 sm AsKd', 'p2 sm']
"""  # fmt: skip


def altered(old: str, new: str) -> phh.RecordedHand:
    assert old in HEADS_UP
    return phh.parse(HEADS_UP.replace(old, new))


def test_every_variant_code_has_recorded_hands() -> None:
    assert Counter(record.variant for _, record in recorded_hands()) == RECORDED
    assert RECORDED.keys() == GAME_KEY_BY_CODE.keys()


@pytest.mark.parametrize("code", GAME_KEY_BY_CODE)
def test_every_recorded_hand_replays_to_its_stacks_and_pots(code: str) -> None:
    assert not_as_recorded(of_code(code)) == []


def test_hands_with_cards_nobody_saw_replay_to_the_same_stacks() -> None:
    """These are replayed as they were recorded, without the cards filled in: the showdown tells all that is known, and it is enough.

    Not in mit/po-8-006: a beaten all-in hand was mucked there. TL-21 turns it up, and what nobody saw of it can win.
    """
    found = [(name, replace(record, filled_actions=None)) for name, record in recorded_hands()]
    assert [fault.partition(":")[0] for fault in not_as_recorded(found)] == ["mit/po-8-006"]


def test_cards_are_held_as_recorded_and_never_twice() -> None:
    played = replay(phh.parse(HEADS_UP))
    hand = played.hand
    assert sorted(cards_text(hand.held_cards(0))) == sorted("AsKd")
    assert cards_text(hand.board_cards()) == "QhJhTh2c3c"
    assert Counter(hand.deck) == Counter(range(52))
    assert (played.finishing_stacks, played.pots_by_street) == ((2_700, 2_300), (600, 1_400, 1_400, 1_400))
    assert hand.mucked_seats == 0b10


def test_the_events_of_a_recorded_hand_play_it_again() -> None:
    for _, record in of_code("NT"):
        played = replay(record)
        assert tuple(replay_events(played.events, played.hand.deck).stacks) == played.finishing_stacks


@pytest.mark.law("B-10", "TL-2", "B-12")
@pytest.mark.parametrize(
    ("old", "new", "law", "action"),
    [
        ("'p2 cbr 300'", "'p1 cbr 300'", "B-10", 3),
        ("'p2 cbr 300'", "'p2 cbr 150'", "L-8", 3),
        ("'p2 cbr 300'", "'p2 cbr 9000'", "TL-1", 3),
        ("'p1 cbr 400'", "'p1 cbr 40'", "L-8", 6),
        ("QhJhTh", "QhAsTh", "TL-38", 0),
        ("[50, 100]", "[100, 50]", "B-10", 3),
        (", 'p1 cc', 'p2 cc', 'p1 sm AsKd', 'p2 sm'", "", "", 12),
    ],
)
def test_unlawful_record_is_refused_with_law_and_action_number(old: str, new: str, law: str, action: int) -> None:
    with pytest.raises(NotAsRecorded) as refused:
        replay(altered(old, new))
    assert (refused.value.law, refused.value.action_number) == (law, action)


def test_more_cards_than_the_game_deals_are_a_fault() -> None:
    with pytest.raises(RecordDealsMoreCards):
        replay(altered("'d db 3c'", "'d db 3c4c'"))


def posted(**changes: object) -> list[tuple[int, str, int]]:
    """Return the forced bets of a recorded four-handed hand: seat, kind, chips, in the order of payment."""
    record = replace(
        phh.parse(HEADS_UP), **({"starting_stacks": (9_000,) * 4, "antes": (0,) * 4, "min_bet": 100} | changes)
    )
    return [(post.seat, str(post.kind), post.chips) for post in first_event(record, game("holdem")).posts]


@pytest.mark.law("TL-7", "TL-10", "TL-13", "TL-14")
@pytest.mark.parametrize(
    ("blinds", "kinds"),
    [
        ((50, 100, 0, 0), [(0, "small blind", 50), (1, "big blind", 100)]),
        ((100, 0, 0, 0), [(0, "big blind", 100)]),
        ((50, 0, 0, 0), [(0, "small blind", 50)]),
        ((50, 100, 200, 400), [
            (0, "small blind", 50), (1, "big blind", 100), (2, "straddle", 200), (3, "straddle", 400),
        ]),
        ((50, 100, 0, -100), [(0, "small blind", 50), (1, "big blind", 100), (3, "live post", 100)]),
        ((100, 200, 0, 0), [(0, "big blind", 100), (1, "straddle", 200)]),
    ],
)  # fmt: skip
def test_blinds_straddles_and_live_posts_are_distinguished(
    blinds: tuple[int, ...], kinds: list[tuple[int, str, int]]
) -> None:
    assert posted(blinds_or_straddles=blinds) == kinds


@pytest.mark.law("TL-14")
def test_big_blind_ante_is_dead_and_paid_after_the_blind() -> None:
    found = posted(blinds_or_straddles=(50, 100, 0, 0), antes=(0, 100, 0, 0))
    assert found == [(0, "small blind", 50), (1, "big blind", 100), (1, "dead post", 100)]


def test_trimmed_antes_go_to_side_pots_and_others_are_dead() -> None:
    def kinds(trimmed: bool) -> set[str]:
        blinds, antes = (50, 100, 0, 0), (10, 10, 10, 10)
        found = posted(blinds_or_straddles=blinds, antes=antes, ante_trimming_status=trimmed)
        return {kind for _, kind, chips in found if chips == 10}

    assert kinds(trimmed=True) == {e.PostKind.ANTE}
    assert kinds(trimmed=False) == {e.PostKind.DEAD}


ANTE_SHORT = """
variant = 'FR'
ante_trimming_status = true
antes = [7, 7]
bring_in = 10
small_bet = 40
big_bet = 80
starting_stacks = [994, 6]
actions = ['d dh p1 6c7c7d', 'd dh p2 9d9s2c', 'd dh p1 7s', 'd dh p2 Ks', 'd dh p1 3s', 'd dh p2 Td', 'd dh p1 Jd', 'd dh p2 Jh',
  'd dh p1 Jc', 'd dh p2 2s']
"""  # fmt: skip


@pytest.mark.law("TL-16")
def test_unmatched_part_of_an_ante_is_returned() -> None:
    """At heads-up razz with an ante of 7, one player has 6. The seventh chip of the other goes back; the pot is 12 (recorded in fr-014)."""
    played = replay(phh.parse(ANTE_SHORT))
    assert (played.finishing_stacks, played.final_pots) == ((988, 12), (12,))
    (closed, *_) = [event for event in played.events if isinstance(event, e.BettingRoundClosed)]
    assert (closed.seat, closed.returned) == (0, 1)


PACK_RUNS_OUT = """
variant = 'F5D'
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [5, 10, 0, 0, 0, 0]
small_bet = 10
big_bet = 20
starting_stacks = [200, 200, 200, 200, 200, 200]
actions = ['d dh p1 2c3d4h5s7c', 'd dh p2 2d3h4s5c7d', 'd dh p3 2h3s4c5d7h', 'd dh p4 2s3c4d5h7s', 'd dh p5 8c8d9h9sTc',
  'd dh p6 AcKcQcJc9c',
  'p3 cc', 'p4 cc', 'p5 cc', 'p6 f', 'p1 cc', 'p2 cc',
  'p1 sd 2c3d4h5s7c', 'd dh p1 AsKsQs6c6d', 'p2 sd 2d3h4s5c7d', 'd dh p2 AhKhQh6h6s', 'p3 sd 2h3s4c5d7h', 'd dh p3 AdKdQdTdTh',
  'p4 sd 2s3c4d5h7s', 'd dh p4 8h8sJdJhJs', 'p5 sd Tc9h9s', 'd dh p5 Ts9d9c',
  'p1 cc', 'p2 cc', 'p3 cc', 'p4 cc', 'p5 cc',
  'p1 sm -', 'p2 sm -', 'p3 sm -', 'p4 sm -', 'p5 sm -']
"""  # fmt: skip


@pytest.mark.law("X-7")
def test_reshuffled_discard_is_dealt_as_recorded() -> None:
    """Twenty-two cards are left for 23 discards. The last card comes from a folded hand: the nine of clubs."""
    played = replay(phh.parse(PACK_RUNS_OUT))
    (shuffled,) = [event for event in played.events if isinstance(event, e.Reshuffled)]
    assert cards_text([played.hand.deck[place] for place in shuffled.card_indices])[:2] == "9c"
    assert played.finishing_stacks == (190, 190, 190, 240, 190, 200)
    assert replay_events(played.events, played.hand.deck[:52]).stacks == list(played.finishing_stacks)


@pytest.mark.law("X-7", "VC-5", "TL-7")
def test_deck_that_runs_out_during_all_in_is_replayed() -> None:
    """Eight antes put everybody all-in. The dealer deals on, and shuffles burned cards back before anybody has acted."""
    card = game("stud")
    for seed in range(5):
        deck = list(DECKS[card.options.deck])
        random.Random(seed).shuffle(deck)
        stakes = usual_stakes(card)
        started = e.HandStarted(
            card, card.options, stakes, tuple(range(1, 9)), (1,) * 8, regular_posts(card, card.options, stakes, 8), 8
        )  # fmt: skip
        happened, hand = start(started, tuple(deck))
        assert hand.over and any(isinstance(event, e.Reshuffled) for event in happened)
        record = phh.parse(notation.to_phh(happened, tuple(deck), notation.ALL_KNOWING))
        played = replay_record(record, card)
        assert len(played.events) == len(happened)
        assert (played.hand.up_indices, played.finishing_stacks) == (hand.up_indices, tuple(hand.stacks))


def raised_for_nothing() -> tuple[tuple[e.HandEvent, ...], Hand]:
    """Bo raises an all-in of 300 to 900, although Cy has just 300 too, as a dealer of version 0.1.0 let them; Cy calls."""
    told = deal("no-limit hold'em 50/100", button="Ann", stacks={"Ann": 300, "Bo": 5000, "Cy": 300})
    told.play("Ann is all-in for 300")
    raised = e.RaisedTo(told.seat("Bo"), 900, 850)
    hand = evolve(told.hand, raised)
    events: list[e.HandEvent] = [*told.events, raised]
    run_until_decision(hand, events)
    called, hand = decide_and_evolve(hand, told.seat("Cy"), c.Call())
    return (*events, *called), hand


@pytest.mark.law("TL-42")
def test_an_earlier_raise_that_nobody_could_call_is_read() -> None:
    events, hand = raised_for_nothing()
    assert next(event.returned for event in events if isinstance(event, e.BettingRoundClosed)) == 600
    assert replay_events(events, hand.deck).stacks == hand.stacks
    text = notation.to_phh(events, hand.deck)
    assert "'p1 cbr 900', 'p2 cc'" in text
    (pokerstars,) = read_hands(to_pokerstars(events, hand.deck, 0, NAMES[:3], ORIGIN))
    assert isinstance(pokerstars, FileHand)
    for record in (phh.parse(text), pokerstars.record):
        played = replay(record)
        assert [*differences(record, played)] == []
        assert played.finishing_stacks == tuple(hand.stacks)


@pytest.mark.law("TL-42", "TL-1")
@pytest.mark.parametrize("to", [250, 5_001])
def test_a_recorded_raise_needs_its_chips(to: int) -> None:
    events, hand = raised_for_nothing()
    text = notation.to_phh(events, hand.deck).replace("p1 cbr 900", f"p1 cbr {to}")
    with pytest.raises(RecordRefused) as caught:
        replay(phh.parse(text))
    assert isinstance(caught.value.refusal, NobodyCanCallMore)
