"""What the program counts is what the hands say, counted in other ways."""

import random
import tomllib

import msgspec
import pytest

from bot.engine import events as e
from bot.engine.evolve import replay as replay_events
from bot.engine.hand import Hand
from bot.history import phh
from bot.history.game_of_record import replay
from bot.ledger.accounts import Book
from bot.runtime.transfers import TableAccounts, hand_transfers
from bot.variants import CATALOGUE, game
from tests.engine.test_all_games_machine import UncheckedMachine
from tests.statistics.recount import (
    PhhFile,
    Recount,
    as_recounts,
    counted,
    ended_in,
    journal_of,
    recount_file,
    recount_states,
)
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
        assert [player.counts.net for player in hand.players] == moved_by_ledger(machine.events, machine.hand)
        for seat, player in enumerate(hand.players):
            assert player.won == sum(paid.chips for paid in payments if paid.seat == seat)
            assert bool(player.value) <= bool(player.counts.showdowns_won)


def test_hundredth_hand_of_a_table_is_everybodys() -> None:
    machine = UncheckedMachine(random.Random(1), game("holdem"))
    machine.play()
    for number in (99, 100, 200):
        seats = as_recounts(counted(journal_of(machine.events, machine.hand, number=number)))
        assert seats == recount_states(machine.events, machine.deck, number)
        assert {seat.hundredth_hands for seat in seats} == {number == 100}


def test_end_of_a_hand_whose_beginning_is_gone_counts_nothing() -> None:
    """A damaged row is left out, and what follows it is read on its own."""
    machine = UncheckedMachine(random.Random(1), game("holdem"))
    machine.play()
    journal = journal_of(machine.events, machine.hand)
    assert len(ended_in(journal)) == 1
    assert ended_in(journal[len(journal) // 2 :]) == []


def moved_by_ledger(events: list[e.HandEvent], hand: Hand) -> list[int]:
    """Return what the transfers of a hand's events brought each seat."""
    accounts, users = TableAccounts(1, Book.PEOPLE), [101 + seat for seat in hand.seats]
    moved = dict.fromkeys(users, 0)
    for one in hand_transfers(accounts, users, hand.started.stacks, hand.started.carried, events[1:], hand):
        for account, sign in ((one.debit, -1), (one.credit, 1)):
            if account.user:
                moved[account.user] += sign * one.chips
    return list(moved.values())


def test_antes_kept_after_a_misdeal_are_lost_in_nobodys_hand() -> None:
    """The next dealer deals anew, and the antes wait in the pot (I-3): no hand, but the chips have moved."""
    machine = UncheckedMachine(random.Random(1), game("five_card_draw"))
    kept = tuple(3 for _ in machine.hand.seats)
    events = [machine.started, e.HandVoided("I-3", "irregular deal", kept)]
    hand = replay_events(events, machine.deck)
    counted_hand = counted(journal_of(events, hand))
    assert not counted_hand.counts
    assert {(player.counts.hands, player.counts.net) for player in counted_hand.players} == {(0, -3)}


MIT = sorted(HANDS.glob("mit/*.phh"))


@pytest.mark.parametrize("number", range(0, len(MIT), 17))
def test_recorded_hands_are_counted_as_their_files_say(number: int) -> None:
    for path in MIT[number : number + 17]:
        text = path.read_text(encoding="utf-8")
        played = replay(phh.parse(text))
        found: list[Recount] = as_recounts(counted(journal_of(played.events, played.hand)))
        assert found == recount_file(msgspec.convert(tomllib.loads(text), PhhFile)), path.name
