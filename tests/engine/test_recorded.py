"""Recorded hands, played by the engine action by action, end where they ended in life."""

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.cli_replay import GAMES, differences, replay
from bot.engine import events as e
from bot.engine import phh
from bot.engine.cards import texts
from bot.engine.evolve import replay as replay_events
from bot.engine.recorded import NotAsRecorded, starting_point
from bot.variants import game

HERE = Path(__file__).resolve().parents[1] / "hands"
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "hands"


def read(path: Path) -> phh.RecordedHand:
    return phh.parse(path.read_text(encoding="utf-8"))


def of_code(folder: Path, code: str) -> list[tuple[str, phh.RecordedHand]]:
    """Every hand of a folder and its subfolders with this variant code."""
    found = [(path.stem, read(path)) for path in sorted(folder.rglob("*.phh"))]
    return [(name, record) for name, record in found if record.variant == code]


def not_as_recorded(hands: list[tuple[str, phh.RecordedHand]]) -> list[str]:
    faults = []
    for name, record in hands:
        try:
            faults += [f"{name}: {difference}" for difference in differences(record, replay(record))]
        except NotAsRecorded as error:
            faults.append(f"{name}: {error}")
    return faults


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


@pytest.mark.parametrize("code", GAMES)
def test_the_hands_kept_here_replay_to_their_stacks_and_pots(code: str) -> None:
    assert not_as_recorded(of_code(HERE, code)) == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of recorded hands is not beside the repository")
@pytest.mark.parametrize(("code", "hands"), [("NT", 201), ("FT", 60), ("PT", 1)])
def test_every_recorded_holdem_hand_replays_to_its_stacks_and_pots(code: str, hands: int) -> None:
    found = of_code(SHARED, code)
    assert len(found) == hands
    assert not_as_recorded(found) == []


def test_cards_lie_where_they_were_recorded_and_nobody_holds_one_twice() -> None:
    played = replay(phh.parse(HEADS_UP))
    hand = played.hand
    assert sorted(texts(hand.hole_cards(0))) == sorted("AsKd")
    assert texts(hand.board()) == "QhJhTh2c3c"
    assert Counter(hand.deck) == Counter(range(52))
    assert (played.finishing_stacks, played.pots_by_street) == ((2_700, 2_300), (600, 1_400, 1_400, 1_400))
    assert hand.mucked == 0b10


def test_the_events_of_a_recorded_hand_play_it_again() -> None:
    for _, record in of_code(HERE, "NT"):
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
def test_an_unlawful_record_is_refused_with_the_law_and_the_number_of_the_action(
    old: str, new: str, law: str, action: int
) -> None:
    with pytest.raises(NotAsRecorded) as refused:
        replay(altered(old, new))
    assert (refused.value.law, refused.value.action) == (law, action)


def test_more_cards_than_the_game_deals_are_a_fault() -> None:
    with pytest.raises(NotAsRecorded, match="more cards"):
        replay(altered("'d db 3c'", "'d db 3c4c'"))


def posted(**changes: object) -> list[tuple[int, str, int]]:
    """The forced bets of a recorded four-handed hand: seat, kind, chips, in the order of payment."""
    record = replace(
        phh.parse(HEADS_UP), **({"starting_stacks": (9_000,) * 4, "antes": (0,) * 4, "min_bet": 100} | changes)
    )
    return [(post.seat, str(post.kind), post.chips) for post in starting_point(record, game("holdem")).posts]


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
def test_blinds_straddles_and_live_posts_are_told_apart(
    blinds: tuple[int, ...], kinds: list[tuple[int, str, int]]
) -> None:
    assert posted(blinds_or_straddles=blinds) == kinds


@pytest.mark.law("TL-14")
def test_an_ante_of_the_big_blind_alone_is_dead_and_paid_after_his_blind() -> None:
    found = posted(blinds_or_straddles=(50, 100, 0, 0), antes=(0, 100, 0, 0))
    assert found == [(0, "small blind", 50), (1, "big blind", 100), (1, "dead post", 100)]


def test_antes_of_all_are_layered_into_side_pots_where_the_record_trims_them_and_dead_where_not() -> None:
    def kinds(trimmed: bool) -> set[str]:
        blinds, antes = (50, 100, 0, 0), (10, 10, 10, 10)
        found = posted(blinds_or_straddles=blinds, antes=antes, ante_trimming_status=trimmed)
        return {kind for _, kind, chips in found if chips == 10}

    assert kinds(trimmed=True) == {e.PostKind.ANTE}
    assert kinds(trimmed=False) == {e.PostKind.DEAD}
