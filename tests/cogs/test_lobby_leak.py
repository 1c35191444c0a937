"""What the lobby shows does not depend on a card that nobody has seen, at any moment of a hand in any game.

A hidden card is exchanged for another one at a table with a running hand, and board, list and the table that somebody looks at must stay
the same to the letter.
"""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from bot.engine.cards import card_symbol
from bot.engine.evolve import begin_hand, evolve
from bot.render.message.panel import payload
from bot.render.table.lobby_board import ListedTable, board_panel, list_panel, watch_panel
from bot.runtime.snapshot import NamedPlayer, TableAddress, TableSnapshot
from bot.surfaces.lobby.boards import listed
from bot.table.settings import TableSettings
from bot.table.state import Seat, Table
from tests.engine.test_all_games_machine import UncheckedMachine
from tests.runtime.test_past_hands_leak import DEFAULT_HANDS, FULL_HANDS, SLICES, random_hands, with_other_hidden_cards

ADDRESS = TableAddress(7, 3, 1, 2)
LINK = "https://discord.com/channels/1/2/3"


def table_of(hand: UncheckedMachine) -> Table:
    """Return the table at which a hand is played."""
    started = hand.started
    numbers = zip(started.seat_numbers, started.stacks, strict=True)
    seats = tuple(
        Seat(number=number, player=500 + number, name=f"Player {number}", stack=stack, seated_at=0)
        for number, stack in numbers
    )
    settings = TableSettings(rule_card=started.rule_card, options=started.options, stakes=started.stakes)
    return Table(settings=settings, opened_by=500, opened_at=0, active_at=0, seated_at=0, seats=seats, hands_dealt=12)


def lobby_at(hand: UncheckedMachine, deck: tuple[int, ...], event_count: int) -> bytes:
    """Return all that the lobby shows of a table after so many events of its hand, if this was the deck."""
    table, now = table_of(hand), begin_hand(hand.started, deck)
    for event in hand.events[1:event_count]:
        now = evolve(now, event)
    players = tuple(NamedPlayer(500 + number, f"Player {number}") for number in hand.started.seat_numbers)
    snapshot = TableSnapshot(ADDRESS, event_count, table, now, None, players)
    one = listed(snapshot)
    panels = [board_panel([one]), list_panel([one]), watch_panel(one, LINK, is_seated=False)]
    return msgspec.json.encode([*map(payload, panels), repr(snapshot.lobby_facts)])


def check_lobby(first: int, count: int) -> int:
    """Check the lobby at random moments of random hands. Returns how many of them had hidden cards that are others now."""
    exchanged = 0
    for rng, hand in random_hands(first, count):
        twin = with_other_hidden_cards(hand.events, hand.deck, None)
        for moment in (rng.randint(1, len(hand.events)), len(hand.events)):
            assert lobby_at(hand, twin, moment) == lobby_at(hand, hand.deck, moment), hand.started.rule_card.key
        exchanged += twin != hand.deck
    return exchanged


@pytest.mark.law("TL-22", "TL-37")
@pytest.mark.parametrize("slice_number", range(SLICES))
def test_lobby_tells_no_hidden_card(slice_number: int) -> None:
    count = DEFAULT_HANDS // SLICES
    assert check_lobby(slice_number * count, count) > count // 2


@pytest.mark.full
@pytest.mark.parametrize("slice_number", range(50))
def test_lobby_beside_5000_hands_tells_no_hidden_card(slice_number: int) -> None:
    count = FULL_HANDS // 50
    assert check_lobby(1_000 + slice_number * count, count) > count // 2


def test_a_card_in_the_lobby_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the table is listed under the last card of the deck of its hand."""

    real = listed

    def with_a_card(snapshot: TableSnapshot) -> ListedTable:
        assert snapshot._hand is not None
        one = real(snapshot)
        first = replace(one.view.seats[0], name=card_symbol(snapshot._hand.deck[-1]))
        return replace(one, view=replace(one.view, seats=(first, *one.view.seats[1:])))

    with monkeypatch.context() as planted, pytest.raises(AssertionError):
        planted.setattr(f"{__name__}.listed", with_a_card)
        check_lobby(0, 20)
