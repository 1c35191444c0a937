"""What people compare is counted a second time, from the lines of the files that a player downloads."""

import random
import tomllib
from collections import Counter

import msgspec
import pytest

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.decide import legal
from bot.engine.view.redact import ALL_KNOWING
from bot.history import phh
from bot.history.record import record_hand
from bot.statistics.count_play import PositionSeats, big_blinds, positions_of
from bot.variants import game
from tests.engine.test_all_games_machine import UncheckedMachine
from tests.statistics.recount import (
    RECOUNTED,
    PhhFile,
    as_recounts,
    counted,
    journal_of,
    recount_file,
    recount_states,
)
from tests.support.told import Told, deal

GAMES = ("holdem", "pot_limit_holdem", "limit_holdem", "omaha", "omaha8", "no_limit_omaha8", "big_o", "short_deck")
COMPARED = RECOUNTED[RECOUNTED.index("hands_on_button") : RECOUNTED.index("all_shown")]
PLAIN_POSTS = {e.PostKind.ANTE, e.PostKind.SMALL_BLIND, e.PostKind.BIG_BLIND}


class CalmMachine(UncheckedMachine):
    """People who act in turn, and seldom bet more than they must, so that hands go on after the flop."""

    def act(self, seat: int, command: c.HandCommand) -> None:
        may = legal(self.hand, seat)
        if isinstance(command, c.AllIn | c.Bet | c.RaiseTo) and may.min_to and self.rng.random() < 0.9:
            command = (c.Bet if may.opening else c.RaiseTo)(may.min_to)
        super().act(seat, command)

    def act_early(self) -> None:
        pass


def exported(machine: UncheckedMachine) -> PhhFile | None:
    """Return the file of a hand; None for one with posts or offers that the second count does not know."""
    started = machine.started
    if machine.hand.voided or started.carried or not {post.kind for post in started.posts} <= PLAIN_POSTS:
        return None
    file = msgspec.convert(tomllib.loads(phh.write(record_hand(machine.events, machine.deck, ALL_KNOWING))), PhhFile)
    verbs = [line.split()[1] for line in file.actions]
    before_showdown = verbs[: verbs.index("sm")] if "sm" in verbs else verbs
    return None if {"ok", "no", "pb"} & set(before_showdown) else file


@pytest.mark.parametrize("key", GAMES)
def test_figures_are_those_of_exported_hands(key: str) -> None:
    found, hands = Counter[str](), 0
    for seed in range(150):
        machine = CalmMachine(random.Random(f"exported {key} {seed}"), game(key))
        machine.play()
        if (file := exported(machine)) is None:
            continue
        hands += 1
        seats = as_recounts(counted(journal_of(machine.events, machine.hand)))
        for seat, again in zip(seats, recount_file(file), strict=True):
            for name in COMPARED:
                assert getattr(seat, name) == getattr(again, name), (seed, name)
                found[name] += bool(getattr(seat, name))
    assert hands > 50
    if key != "short_deck":  # the button alone posts a blind there
        assert {name for name in COMPARED if not found[name]} == set()


# as hands


def figures(hand: Told) -> dict[str, dict[str, int]]:
    """Return of each player what is counted of them and not 0, results apart."""
    counted_hand = counted(journal_of(hand.events, hand.hand))
    assert as_recounts(counted_hand) == recount_states(hand.events, hand.hand.deck)
    names = [name for name in COMPARED if not name.startswith(("won_", "hands_"))]
    return {
        name: {one: getattr(seat.counts, one) for one in names if getattr(seat.counts, one)}
        for name, seat in zip(hand.names, counted_hand.players, strict=True)
    }


def six_handed(**how: str) -> Told:
    """Ann has the button, so Flo is on the cutoff, and Bo and Cy post the blinds."""
    stacks = dict.fromkeys(("Ann", "Bo", "Cy", "Dee", "Eve", "Flo"), 10_000)
    return deal("no-limit hold'em 50/100", button="Ann", stacks=stacks, **how)  # type: ignore[arg-type]


def test_raise_before_the_flop_is_raised_again_and_given_up() -> None:
    """Dee calls first, so nobody can steal. Ann faces two raises: hers is no 3-bet."""
    hand = six_handed()
    hand.play(
        "Dee calls",
        "Eve raises to 400",
        "Flo raises to 1200",
        "Ann folds",
        "Bo folds",
        "Cy folds",
        "Dee folds",
        "Eve folds",
    )
    assert figures(hand) == {
        "Ann": {}, "Bo": {}, "Cy": {}, "Dee": {},
        "Eve": {"three_bets_faced": 1, "folds_to_three_bet": 1},
        "Flo": {"three_bet_chances": 1, "three_bets": 1},
    }  # fmt: skip


def test_continuation_bet_is_the_raisers_first_bet_on_the_flop() -> None:
    """Ann raises from the button when all have folded: a steal. Her bet on the flop is called once, and that on the turn is another."""
    hand = six_handed(board="Kh 8d 3c 2s 2d")
    hand.play("Dee folds", "Eve folds", "Flo folds", "Ann raises to 250", "Bo calls", "Cy calls")
    hand.play("Bo checks", "Cy checks", "Ann bets 300", "Bo folds", "Cy calls", "Cy checks", "Ann bets 800", "Cy folds")
    assert figures(hand) == {
        "Bo": {"three_bet_chances": 1, "continuation_bets_faced": 1, "folds_to_continuation_bet": 1},
        "Cy": {"three_bet_chances": 1, "continuation_bets_faced": 1},
        "Dee": {}, "Eve": {}, "Flo": {"steal_chances": 1},
        "Ann": {"steal_chances": 1, "steals": 1, "continuation_chances": 1, "continuation_bets": 1},
    }  # fmt: skip


def test_bet_into_the_raiser_leaves_no_continuation_bet() -> None:
    hand = six_handed()
    hand.play("Dee folds", "Eve raises to 300", "Flo folds", "Ann folds", "Bo folds", "Cy calls")
    hand.play("Cy bets 400", "Eve raises to 1200", "Cy folds")
    seats = figures(hand)
    assert (seats["Eve"], seats["Cy"]) == ({}, {"three_bet_chances": 1})


def test_result_belongs_to_one_position_in_big_blinds() -> None:
    """Bo loses 333 chips, which are 3.33 big blinds; results are kept in thousandths of one."""
    hand = six_handed()
    hand.play(
        "Dee folds",
        "Eve folds",
        "Flo folds",
        "Ann folds",
        "Bo raises to 333",
        "Cy calls",
        "Bo checks",
        "Cy bets 100",
        "Bo folds",
    )
    seats = counted(journal_of(hand.events, hand.hand)).players
    by_name = {name: seat.counts for name, seat in zip(hand.names, seats, strict=True)}
    assert {name: [one for one in counts.by_position if one[0]] for name, counts in by_name.items()} == {
        "Ann": [(1, 0)], "Bo": [(1, -3_330)], "Cy": [(1, 3_330)], "Dee": [(1, 0)], "Eve": [(1, 0)], "Flo": [(1, 0)],
    }  # fmt: skip
    assert by_name["Bo"].in_big_blinds == (1, -3_330)
    assert (by_name["Ann"].hands_on_button, by_name["Flo"].hands_on_cutoff, by_name["Dee"].hands_early) == (1, 1, 1)
    assert (by_name["Bo"].hands_in_small_blind, by_name["Cy"].hands_in_big_blind) == (1, 1)


def test_button_of_two_players_posts_the_small_blind() -> None:
    hand = deal("no-limit hold'em 50/100", button="Ann", stacks={"Ann": 1_000, "Bo": 1_000})
    hand.play("Ann folds")
    bo, ann = counted(journal_of(hand.events, hand.hand)).players
    assert (ann.counts.hands_on_button, ann.counts.won_on_button, ann.counts.hands_in_small_blind) == (1, -500, 0)
    assert (bo.counts.hands_in_big_blind, bo.counts.won_in_big_blind) == (1, 500)


def test_every_seat_has_one_position() -> None:
    for count in range(2, 11):
        for small, big in ((0, 1), (-1, 0), (1, 0), (-1, count - 1)):
            seats = positions_of(count, small, big)
            assert sum(seats) == (1 << count) - 1 and all(seats.button & other == 0 for other in seats[1:])
    assert positions_of(6, 0, 1) == PositionSeats(1 << 5, 1 << 4, 0b1100, 1, 2)


def test_thousandths_of_a_big_blind_are_rounded_halves_up() -> None:
    assert [big_blinds(net, 2_000) for net in (1, -1, 3, -3, 0)] == [1, 0, 2, -1, 0]


@pytest.mark.parametrize("key", ["razz", "old_english", "bomb_pot_holdem"])
def test_games_without_a_big_blind_have_none_of_it(key: str) -> None:
    machine = UncheckedMachine(random.Random(3), game(key))
    machine.play()
    assert not {post.kind for post in machine.started.posts} & {e.PostKind.BIG_BLIND}
    for seat in as_recounts(counted(journal_of(machine.events, machine.hand))):
        assert not any(getattr(seat, name) for name in COMPARED)
