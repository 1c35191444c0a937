"""What the program counts is what the hands say, counted in other ways."""

import random
import tomllib

import msgspec
import pytest

from bot.cli.replay import replay
from bot.history import phh
from bot.variants import CATALOGUE
from tests.engine.test_all_games_machine import UncheckedMachine
from tests.statistics.recount import PhhFile, Recount, as_recounts, counted, journal_of, recount_file, recount_states
from tests.support.data import HANDS


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_random_hands_are_counted_as_their_states_say(card) -> None:  # type: ignore[no-untyped-def]
    hands_of_game(card, range(12))


def hands_of_game(card, seeds: range) -> None:  # type: ignore[no-untyped-def]
    for seed in seeds:
        machine = UncheckedMachine(random.Random(f"{card.key} {seed}"), card)
        machine.play()
        hand = counted(journal_of(machine.events, machine.hand))
        if machine.hand.voided:
            assert not hand.counts
            continue
        assert as_recounts(hand) == recount_states(machine.events, machine.deck), seed
        assert hand.pot + machine.hand.carried_to_next_hand >= sum(player.won for player in hand.players)
        payments = machine.hand.payments
        for seat, player in enumerate(hand.players):
            assert player.won == sum(paid.chips for paid in payments if paid.seat == seat)
            assert bool(player.value) <= bool(player.counts.showdowns_won)


MIT = sorted(HANDS.glob("mit/*.phh"))


@pytest.mark.parametrize("number", range(0, len(MIT), 17))
def test_recorded_hands_are_counted_as_their_files_say(number: int) -> None:
    for path in MIT[number : number + 17]:
        text = path.read_text(encoding="utf-8")
        played = replay(phh.parse(text))
        found: list[Recount] = as_recounts(counted(journal_of(played.events, played.hand)))
        assert found == recount_file(msgspec.convert(tomllib.loads(text), PhhFile)), path.name
