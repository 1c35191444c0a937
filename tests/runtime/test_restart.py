"""A dealer who is killed and comes back: the same street, turn, cards and clock; not a chip more or less."""

import pytest

from bot.engine import commands as c
from bot.engine.events import HandVoided
from bot.runtime.errors import HandUnreadable
from tests.runtime.evening import CHANNEL, GUILD, HOST, USERS, Evening, settings
from tests.runtime.hour import SECOND


async def _on_the_flop(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_000, Cy=6_000)
    await evening.deal()
    await evening.goes("raises to 300", "calls", "calls")
    assert evening.hand.street == "flop"
    await evening.goes("checks")


@pytest.mark.law("TL-32")
async def test_a_killed_dealer_comes_back_to_the_same_street_turn_and_cards(evening: Evening) -> None:
    await _on_the_flop(evening)
    before, to_act, stacks = evening.hand, evening.to_act, evening.stacks()
    cards = {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")}
    await evening.crash(away_ms=30 * SECOND)
    assert evening.hand == before
    assert evening.to_act == to_act
    assert evening.stacks() == stacks
    assert {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")} == cards
    assert evening.changes[-1].restored
    await evening.audit()
    await evening.acts(f"{to_act} checks")
    while evening.now.running:
        await evening.goes("checks")
    await evening.audit()


async def test_the_clock_stood_still_while_the_dealer_was_away(evening: Evening) -> None:
    await _on_the_flop(evening)
    await evening.wait(10)
    await evening.crash(away_ms=600 * SECOND)
    due = evening.now.due
    assert due is not None
    now = evening.clock.now()
    assert 79 * SECOND <= due.ends - now <= 85 * SECOND, "90 seconds less the ten that passed, to the last heartbeat"
    assert due.turn_ends - now <= 25 * SECOND


async def test_the_acting_player_has_fifteen_seconds_at_least(evening: Evening) -> None:
    await _on_the_flop(evening)
    to_act = evening.to_act
    await evening.wait(88)
    await evening.crash()
    due = evening.now.due
    assert due is not None and due.ends - evening.clock.now() == 15 * SECOND
    await evening.wait(15)
    assert evening.to_act == to_act
    await evening.wait(1)
    assert evening.to_act != to_act


async def test_restarting_again_and_again_gives_no_time_beyond_the_fifteen_seconds(evening: Evening) -> None:
    await _on_the_flop(evening)
    await evening.wait(60)
    for _ in range(4):
        await evening.crash()
        await evening.wait(6)
    due = evening.now.due
    assert due is not None and due.ends - evening.clock.now() <= 30 * SECOND


async def test_a_deal_that_was_due_is_dealt_after_the_restart(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.crash(away_ms=60 * SECOND)
    assert not evening.now.running
    await evening.wait(1)
    assert evening.now.running


async def test_an_old_button_works_after_a_restart(evening: Evening) -> None:
    await _on_the_flop(evening)
    drawn, to_act = evening.now, evening.to_act
    await evening.crash()
    outcome = await evening.act(to_act, c.Bet(200), button=drawn)
    assert outcome.now.hand is not None and outcome.now.hand.level == 200


async def test_without_the_master_secret_open_hands_are_voided_and_paid_back(evening: Evening) -> None:
    await _on_the_flop(evening)
    evening.master = b"x" * 32
    await evening.crash()
    assert not evening.now.running
    assert any(isinstance(event, HandVoided) for event in evening.changes[-1].events)
    assert evening.now.hand is None, "no card of a lost deck is shown"
    assert evening.stacks() == {"Ann": 10_000, "Bo": 8_000, "Cy": 6_000}
    await evening.audit()
    with pytest.raises(HandUnreadable):
        await evening.tables.last_hand(evening.asked("Ann"), 1)
    await evening.deal()
    assert evening.now.hand_number == 2
    await evening.crash()
    assert evening.now.running, "the new secret is known from now on"


async def test_tables_are_found_again_by_their_channel(evening: Evening) -> None:
    await evening.open()
    await evening.open(settings("pot_limit_holdem"), channel=CHANNEL + 1)
    await evening.crash()
    here, there = evening.tables.table_in_channel(GUILD, CHANNEL), evening.tables.table_in_channel(GUILD, CHANNEL + 1)
    assert here is not None and here.settings.card.key == "holdem" and here.table.host == HOST
    assert there is not None and there.settings.card.key == "pot_limit_holdem"
    assert [now.place.number for now in evening.tables.tables(GUILD)] == [1, 2]


async def test_a_drained_dealer_begins_nothing_and_keeps_everything(evening: Evening) -> None:
    await _on_the_flop(evening)
    before = evening.hand
    await evening.end()
    await evening.begin()
    assert evening.hand == before


async def test_a_settings_change_outlives_a_restart(evening: Evening) -> None:
    await evening.open()
    await evening.tables.change_settings(evening.asked("Ann"), settings(blinds=(100, 200)))
    await evening.crash()
    assert evening.now.settings.stakes.big_blind == 200
    assert evening.now.table.host == USERS["Ann"]
